// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tables of shapes into tdRawPhysics.shapes.
#pragma once

#include "physics_raw.h"

/// Reads the table `key` of a root extension and appends it; the table's count stays -1 when this is not
/// called.
void tdReadPhysicsShapes(tdPhysicsReader* reader, tdRawPhysics* raw, tdShapeTable table, int rootObject,
                         const char* key, const tdPath* rootPath, tdDialect dialect);

/// The form of a collider or trigger of MSFT_physics, which is written in the object itself, under the name
/// of its type; appended. False when the object names no type.
bool tdReadInlineShape(tdPhysicsReader* reader, tdRawPhysics* raw, int object, const tdPath* path,
                       tdRawGeometry* geometry);
