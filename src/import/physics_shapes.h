// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes of the physics extensions.
#pragma once

#include "physics_raw.h"

/// Appends the table `key` of a root extension to tdRawPhysics.shapes. The count of a table that is never
/// read stays -1.
void tdReadPhysicsShapes(tdPhysicsReader* reader, tdRawPhysics* raw, tdShapeTable table, int rootObject,
                         const char* key, const tdPath* rootPath, tdDialect dialect);

/// Appends the shape of a collider or trigger of MSFT_physics, which is inside the object under the name of
/// its type. False if the object has no type.
bool tdReadInlineShape(tdPhysicsReader* reader, tdRawPhysics* raw, int object, const tdPath* path,
                       tdRawGeometry* geometry);
