// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Ids of bodies and shapes, and the indices of their records.
#pragma once

#include "tendon/physics.h"

/// Index of the body with this id. Asserts that the id is valid.
int tdWorld_GetBodyIndex(const tdWorld* world, tdBodyId id);
/// Current id of a body.
tdBodyId tdWorld_MakeBodyId(const tdWorld* world, int body);

/// Index of the shape with this id. Asserts that the id is valid.
int tdWorld_GetShapeIndex(const tdWorld* world, tdShapeId id);
/// Current id of a shape.
tdShapeId tdWorld_MakeShapeId(const tdWorld* world, int shape);
