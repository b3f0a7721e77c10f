// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Limits and drives in a conversion.
#pragma once

#include "convert.h"

/// Appends the object of a joint description, for KHR and current OMI.
void tdConverter_AppendJointDesc(tdConverter* converter, tdText* text, int desc);
/// Appends the constraints of a joint to the table of early OMI; returns their number.
int tdConverter_AppendConstraints(tdConverter* converter, tdText* table, int* tableCount, int desc,
                                  const tdPath* path);
