// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Edits of a parsed document, collected and then written in one pass. Unedited parts keep their bytes.
// Inserted members and elements follow the white space of their neighbours.
#pragma once

#include "json.h"

typedef struct tdJsonEdit tdJsonEdit;

/// `json` must outlive the edit. NULL when memory ran out.
tdJsonEdit* tdCreateJsonEdit(const tdJson* json, const tdAllocator* allocator);
void tdDestroyJsonEdit(tdJsonEdit* edit);

// All texts are complete JSON values and are copied. A failed allocation is remembered and reported by
// tdJsonEdit_Write.

/// Replaces a value. Edits inside a replaced or removed value are dropped; the last Replace or Remove of a
/// value counts.
void tdJsonEdit_Replace(tdJsonEdit* edit, int value, const char* text, size_t length);
/// Removes a member (with its key) or an element. The root cannot be removed.
void tdJsonEdit_Remove(tdJsonEdit* edit, int value);
/// Adds a member at the end of an object. The key is plain text and is escaped. It must not exist yet.
void tdJsonEdit_AddMember(tdJsonEdit* edit, int object, const char* key, const char* text, size_t length);
/// Adds an element at the end of an array.
void tdJsonEdit_AddElement(tdJsonEdit* edit, int array, const char* text, size_t length);
/// Adds a member (an element if the key is NULL) directly before `sibling`; it stays if the sibling is
/// removed or replaced.
void tdJsonEdit_InsertBefore(tdJsonEdit* edit, int sibling, const char* key, const char* text, size_t length);
/// Replaces the member of that name, or adds it. Two calls with the same new key add two members.
void tdJsonEdit_Set(tdJsonEdit* edit, int object, const char* key, const char* text, size_t length);

/// Appends the text of the new document. False when memory ran out.
bool tdJsonEdit_Write(const tdJsonEdit* edit, tdText* out);
/// True if there are no edits.
bool tdJsonEdit_IsEmpty(const tdJsonEdit* edit);
