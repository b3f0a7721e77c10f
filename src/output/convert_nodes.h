// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Physics objects of nodes in a conversion.
#pragma once

#include "convert.h"

/// Appends the members of a joint object, for KHR and current OMI.
void tdConverter_AppendJoint(tdMembers* members, const tdPhysicsJoint* joint);
/// Writes the objects of every node.
/// @param isUsed set: which of the three extensions of the dialect any node has
void tdConverter_WriteNodes(tdConverter* converter, tdNewObjects* objects, bool isUsed[3]);
