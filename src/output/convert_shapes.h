// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes in a conversion.
#pragma once

#include "convert.h"

/// The shape of a collider or trigger in the new table, appended on first use.
/// @return its index, or -1 when the target cannot hold it (reported)
int tdConverter_UseShape(tdConverter* converter, tdText* table, int* tableCount, int collider);
/// Appends the KHR member "geometry" of a collider or trigger.
void tdConverter_AppendGeometry(tdConverter* converter, tdText* text, tdText* table, int* tableCount,
                                int collider);
