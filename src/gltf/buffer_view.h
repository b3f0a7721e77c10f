// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Buffer views: range checks against their buffers, and decompression.
#pragma once

#include "accessor.h"

/// The bytes of a view, decompressed on first use. NULL if they are not available (reported once).
const uint8_t* tdAccessors_GetView(tdAccessors* accessors, int index, size_t* size);
/// Checks all buffer views; part of tdAccessors_Init.
bool tdAccessors_InitViews(tdAccessors* accessors);
