// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Motions in a conversion.
#pragma once

#include "convert.h"

/// A point of the body frame in node space.
tdVec3 tdConverter_ToNodeSpace(const tdConverter* converter, const tdPhysicsBody* body, tdVec3 point);
/// Appends the motion object of a body, including members of the old object that no draft defines.
void tdConverter_AppendMotion(tdConverter* converter, tdText* text, const tdPhysicsBody* body, int oldObject,
                              const tdPath* path);
