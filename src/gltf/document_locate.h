// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lines and columns of JSON pointers.
#pragma once

#include "document.h"

/// A tdLocateFcn; the context is the document. Not thread-safe: it caches the last position.
void tdDocument_Locate(void* context, const char* pointer, int* line, int* column);
