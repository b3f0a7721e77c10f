// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Changes to a parsed document, collected and then written in one pass: everything untouched comes out byte
// for byte as it was. Inserted members and elements follow the white space of their neighbours.
#pragma once

#include "json.h"

typedef struct tdJsonEdit tdJsonEdit;

/// `json` must outlive the edit. NULL when memory ran out.
tdJsonEdit* tdCreateJsonEdit(const tdJson* json, const tdAllocator* allocator);
void tdDestroyJsonEdit(tdJsonEdit* edit);

// All texts below are complete JSON values and are copied. Errors (memory) stick and show in
// tdJsonEdit_Write.

/// Put another value in the place of one. Edits inside a replaced or removed value are dropped; of several
/// Replace and Remove of one value the last counts.
void tdJsonEdit_Replace(tdJsonEdit* edit, int value, const char* text, size_t length);
/// Take a member (with its key) or an element out. The root stays.
void tdJsonEdit_Remove(tdJsonEdit* edit, int value);
/// Add a member at the end of an object. The key is plain text and gets escaped. It must not exist yet.
void tdJsonEdit_AddMember(tdJsonEdit* edit, int object, const char* key, const char* text, size_t length);
/// Add an element at the end of an array.
void tdJsonEdit_AddElement(tdJsonEdit* edit, int array, const char* text, size_t length);
/// Add a member (an element with key NULL) directly before `sibling`; it stays if the sibling is removed or
/// replaced.
void tdJsonEdit_InsertBefore(tdJsonEdit* edit, int sibling, const char* key, const char* text, size_t length);
/// Replace the object's member of that name, or add it. Of two calls with a new key both add: keep track of
/// yours.
void tdJsonEdit_Set(tdJsonEdit* edit, int object, const char* key, const char* text, size_t length);

/// The new document. False when memory ran out.
bool tdJsonEdit_Write(const tdJsonEdit* edit, tdText* out);
/// True when nothing was changed.
bool tdJsonEdit_IsEmpty(const tdJsonEdit* edit);
