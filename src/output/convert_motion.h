// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Motions in a conversion.
#pragma once

#include "convert.h"

/// Fills the tables by node that tdConverter_ToNodeSpace reads. False when memory ran out.
bool tdConverter_IndexNodeSpaces(tdConverter* converter);
/// A point of the body frame in node space.
tdVec3 tdConverter_ToNodeSpace(const tdConverter* converter, const tdPhysicsBody* body, tdVec3 point);
/// True if forces can move a body after the conversion; -1 is the world.
bool tdConverter_IsMovable(const tdConverter* converter, int body);
/// Appends the motion object of a body, including members of the old object that no draft defines.
void tdConverter_AppendMotion(tdConverter* converter, tdText* text, const tdPhysicsBody* body, int oldObject,
                              const tdPath* path);
