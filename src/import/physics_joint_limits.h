// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Limits and drives of joints.
#pragma once

#include "physics_raw.h"

/// Appends a table of joints with limits and drives.
void tdReadPhysicsJoints(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject, const char* key,
                         const tdPath* rootPath, tdDialect dialect);
/// Appends the constraints that an O1 joint node lists as one description. -1 when memory ran out.
/// @param constraints JSON values of the table's entries
/// @param mergesLocks merge the locks of all entries, which early files write axis by axis; false: only those
///        of one entry, as tdConvertAsset writes them
int tdReadEarlyJointDesc(tdPhysicsReader* reader, tdRawPhysics* raw, const int* constraints,
                         int constraintCount, int indices, const tdPath* indicesPath, bool mergesLocks);
/// Appends the constraints inside an MSFT_physics joint as one description. -1 when memory ran out.
int tdReadInlineJointDesc(tdPhysicsReader* reader, tdRawPhysics* raw, int constraints, const tdPath* path);
/// Checks each entry of the constraint table of O1 once.
void tdCheckEarlyConstraints(tdPhysicsReader* reader, const tdRawPhysics* raw, int constraintTable,
                             const tdPath* path);
