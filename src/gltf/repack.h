// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Conversion of a document between .gltf and .glb.
#pragma once

#include "document_edit.h"

/// A document of the other kind: .gltf to .glb joins all buffers into the BIN chunk, .glb to .gltf moves the
/// chunk into <stem>.bin. NULL when memory ran out (reported).
tdDocument* tdRepackDocument(const tdDocument* document, tdDocumentKind kind, const tdAllocator* allocator,
                             tdReport* report);
/// Reports the chunks of a GLB that a .gltf cannot contain.
void tdReportLostChunks(const tdDocument* document, tdReport* report);
