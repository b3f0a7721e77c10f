// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// An edited document: edits of the JSON and added data are collected and then written to a new document,
// which is independent of the old one. Unedited parts keep their bytes.
//
//     tdDocumentEdit* edit = tdCreateDocumentEdit(base, allocator);
//     int times = tdDocumentEdit_AddAccessor(edit, &timesAccessor);
//     tdDocumentEdit_AddElement(edit, "animations", text.data, text.length);
//     tdDocument* changed = tdDocumentEdit_Finish(edit, report);
//     tdDestroyDocumentEdit(edit);
//
// A failed allocation is remembered and reported by tdDocumentEdit_Finish. Added data goes into the BIN chunk
// of a GLB; for .gltf it becomes a buffer that tdSaveDocument writes as <stem>.tendon.bin.
#pragma once

#include "document.h"

#include "base/file.h"
#include "json/edit.h"

typedef struct tdDocumentEdit tdDocumentEdit;

/// `base` must outlive the edit; the new document uses `allocator` and outlives both. NULL: out of memory.
tdDocumentEdit* tdCreateDocumentEdit(const tdDocument* base, const tdAllocator* allocator);
void tdDestroyDocumentEdit(tdDocumentEdit* edit);

/// For edits of values of base->json: remove, replace, add members. Use the functions below for "buffers" and
/// for additions to root arrays.
tdJsonEdit* tdDocumentEdit_GetJson(tdDocumentEdit* edit);
/// The flag of a failed allocation, for the texts that become parts of the document (tdText_InitPart).
bool* tdDocumentEdit_GetFailure(tdDocumentEdit* edit);

/// Adds a copy of bytes, 8-byte aligned.
/// @return the index of their buffer view; -1 when memory ran out
int tdDocumentEdit_AddView(tdDocumentEdit* edit, const void* data, size_t size);

typedef struct tdNewAccessor
{
    const float* values;
    int count;          // elements
    int componentCount; // 1 SCALAR, 3 VEC3, 4 VEC4, 16 MAT4
    bool writeBounds;   // min and max; required for key times
} tdNewAccessor;

/// Adds an accessor of floats with its own view.
/// @return its index; -1 when memory ran out
int tdDocumentEdit_AddAccessor(tdDocumentEdit* edit, const tdNewAccessor* accessor);
/// Adds an accessor of floats that are in a view already, from `byteOffset` on.
int tdDocumentEdit_AddAccessorIn(tdDocumentEdit* edit, const tdNewAccessor* accessor, int view,
                                 size_t byteOffset);

/// Adds an element to a root array such as "animations", which is created if it is missing.
/// @param text a complete JSON value
/// @return its index in the new array; -1 when memory ran out
int tdDocumentEdit_AddElement(tdDocumentEdit* edit, const char* rootArray, const char* text, size_t length);

/// The new document; NULL when memory ran out or it would exceed 4 GiB (reported).
tdDocument* tdDocumentEdit_Finish(tdDocumentEdit* edit, tdReport* report);

// Containers, shared with repack.c.

/// The bytes of a GLB with new JSON text and BIN data; unknown chunks and trailing bytes of `base` (may be
/// NULL) are kept. Size + 1 bytes are allocated. NULL: out of memory or beyond 4 GiB (reported).
uint8_t* tdMakeGlb(const tdDocument* base, const tdAllocator* allocator, const char* json, size_t jsonSize,
                   const tdFilePiece* bin, int binCount, size_t* size, tdReport* report);

/// Appends a file name for a side buffer: the stem of `path`, the ending, and the number unless it is 1.
void tdAppendSideName(tdText* out, const char* path, const char* ending, int number);
/// Appends a reference for a side buffer: the stem of `path` and the ending, numbered if a buffer of the
/// document has that name.
void tdAppendSideUri(tdText* out, const tdDocument* document, const char* path, const char* ending);
