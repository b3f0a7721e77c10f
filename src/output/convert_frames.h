// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joint frames as new nodes in a conversion.
#pragma once

#include "convert.h"

/// Writes the joints of early OMI on new nodes, one per frame, for dialects whose joints have two frames.
/// False when memory ran out.
bool tdConverter_WriteFrameJoints(tdConverter* converter);
