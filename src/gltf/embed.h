// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A document without external files.
#pragma once

#include "document_edit.h"

/// A document of the given kind that contains all files it refers to. References to files that cannot be read
/// are reported and kept. NULL when memory ran out (reported).
tdDocument* tdEmbedDocument(const tdDocument* document, tdDocumentKind kind, const tdAllocator* allocator,
                            tdReport* report);
