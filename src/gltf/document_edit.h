// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A changed document: edits of the JSON and added data, collected and then made into a new document that
// borrows nothing from the old one. Everything untouched stays byte for byte.
//
//     tdDocumentEdit* edit = tdCreateDocumentEdit(base, allocator);
//     int times = tdDocumentEdit_AddAccessor(edit, &timesAccessor);
//     tdDocumentEdit_AddElement(edit, "animations", text.data, text.length);
//     tdDocument* changed = tdDocumentEdit_Finish(edit, report);
//     tdDestroyDocumentEdit(edit);
//
// Errors (memory) stick and show in tdDocumentEdit_Finish. Added data goes to the BIN chunk of a GLB, and to
// a buffer of its own for .gltf, which tdSaveDocument writes as <stem>.tendon.bin.
#pragma once

#include "document.h"

#include "base/file.h"
#include "json/edit.h"

typedef struct tdDocumentEdit tdDocumentEdit;

/// `base` must outlive the edit; the new document uses `allocator` and outlives both. NULL: out of memory.
tdDocumentEdit* tdCreateDocumentEdit(const tdDocument* base, const tdAllocator* allocator);
void tdDestroyDocumentEdit(tdDocumentEdit* edit);

/// For edits of any kind (remove, replace, add members), values being those of base->json. Leave "buffers"
/// and additions to root arrays to the functions below.
tdJsonEdit* tdDocumentEdit_GetJson(tdDocumentEdit* edit);

/// Add bytes, copied, 8-byte aligned.
/// @return the index of their buffer view; -1 when memory ran out
int tdDocumentEdit_AddView(tdDocumentEdit* edit, const void* data, size_t size);

typedef struct tdNewAccessor
{
    const float* values;
    int count;          // elements
    int componentCount; // 1 SCALAR, 3 VEC3, 4 VEC4, 16 MAT4
    bool writeBounds;   // min and max; required for key times
} tdNewAccessor;

/// Add an accessor of floats with a view of its own.
/// @return its index; -1 when memory ran out
int tdDocumentEdit_AddAccessor(tdDocumentEdit* edit, const tdNewAccessor* accessor);
/// The same for floats that lie in a view already, from `byteOffset` on.
int tdDocumentEdit_AddAccessorIn(tdDocumentEdit* edit, const tdNewAccessor* accessor, int view,
                                 size_t byteOffset);

/// Add an element to a root array such as "animations", making the array when there is none.
/// @param text a complete JSON value
/// @return its index, counting what base has; -1 when memory ran out
int tdDocumentEdit_AddElement(tdDocumentEdit* edit, const char* rootArray, const char* text, size_t length);

/// The new document; NULL when memory ran out or it would exceed 4 GiB (reported).
tdDocument* tdDocumentEdit_Finish(tdDocumentEdit* edit, tdReport* report);

// Container work shared with repack.c.

/// The bytes of a GLB with another JSON text and BIN data; unknown chunks and trailing bytes of `base` (may
/// be NULL) are kept. Size + 1 bytes are allocated. NULL: out of memory or beyond 4 GiB (reported).
uint8_t* tdMakeGlb(const tdDocument* base, const tdAllocator* allocator, const char* json, size_t jsonSize,
                   const tdFilePiece* bin, int binCount, size_t* size, tdReport* report);

/// A file name for a side buffer: the stem of `path`, the ending, and a number when it is not 1.
void tdAppendSideName(tdText* out, const char* path, const char* ending, int number);
/// A reference for a side buffer: the stem of `path` and the ending, numbered when a buffer of the document
/// has that name already.
void tdAppendSideUri(tdText* out, const tdDocument* document, const char* path, const char* ending);
