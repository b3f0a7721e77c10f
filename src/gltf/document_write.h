// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saving a document to a file or to memory.
#pragma once

#include "document_edit.h"

/// Writes the document in the format of tdGetSaveKind. The files it refers to are copied when the folder is a
/// different one.
/// @return false on any failure (reported); an existing file is then untouched
bool tdSaveDocument(const tdDocument* document, const char* path, tdReport* report);
/// The format for a path: .gltf is text; .glb, .vrm and "-" are GLB; other names keep the kind of the
/// document.
tdDocumentKind tdGetSaveKind(const tdDocument* document, const char* path);
/// The bytes of the file, size + 1 allocated; side buffers of a .gltf become data URIs. NULL on failure
/// (reported).
uint8_t* tdSaveDocumentToMemory(const tdDocument* document, tdDocumentKind kind, const tdAllocator* allocator,
                                size_t* size, tdReport* report);
