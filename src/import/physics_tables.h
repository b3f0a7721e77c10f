// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Materials, collision filters and other objects that all dialects share.
#pragma once

#include "physics_raw.h"

/// Appends a table of materials.
void tdReadPhysicsMaterials(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject,
                            const tdPath* rootPath, tdDialect dialect);
/// Appends a table of collision filters.
void tdReadPhysicsFilters(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject, const tdPath* rootPath,
                          tdDialect dialect);
/// Appends the layers and systems of an MSFT_physics collider as a filter. -1 if it has none.
int tdReadInlineFilter(tdPhysicsReader* reader, tdRawPhysics* raw, int object, const tdPath* path);
/// Reads trigger.nodes; wrong entries are reported and left out. NULL if there is none.
const int* tdReadTriggerNodes(tdPhysicsReader* reader, const tdRawPhysics* raw, int object,
                              const tdPath* path, int* count);
/// Reads the inertia tensor of early OMI and MSFT_physics, number[9]; all zero counts as absent.
void tdReadInertiaTensor(tdPhysicsReader* reader, int object, const tdPath* path, tdRawMotion* motion);
/// Warns about principal moments that no body can have.
void tdCheckInertiaTriangle(tdPhysicsReader* reader, const tdPath* path, tdVec3 diagonal);
/// The name of a dialect in messages: "KHR_physics_rigid_bodies of March 2024".
const char* tdDialect_GetName(tdDialect dialect);
