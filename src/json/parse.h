// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The JSON parser.
#pragma once

#include "json.h"

/// Parses strict RFC 8259 JSON. The result borrows `source`.
/// @param error may be NULL
/// @return NULL on error
tdJson* tdParseJson(const char* source, size_t size, const tdAllocator* allocator, tdJsonError* error);
/// @param json may be NULL
void tdDestroyJson(tdJson* json);
