// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import of VRM: humanoids of both versions, motion, node constraints, and humanoids by joint names.
#pragma once

#include "import.h"

#include "scene/humanoid.h"

/// Imports all parts of VRM. After nodes, scenes and animations. False when memory ran out.
bool tdImportVrm(tdImport* import);

/// The place of a bone in the file.
typedef struct tdBonePlace
{
    const char* key; // member of humanBones; NULL: an array
    int index;       // entry of the array
} tdBonePlace;

/// A humanoid during its import.
typedef struct tdHumanoidImport
{
    tdImport* import;
    tdHumanoid* humanoid;
    const tdPath* bonesPath; // of humanBones
    tdBonePlace places[TD_BONE_COUNT];
} tdHumanoidImport;

/// A member that must be an object; TD_JSON_NONE if absent, or if it is not an object (reported with `code`,
/// whose message takes the expected type).
int tdImport_FindObject(tdImport* import, const tdPath* path, int object, const char* key,
                        tdDiagnosticCode code);
/// The node index of a value; -1 if it is not one.
int tdImport_ReadNodeIndex(const tdImport* import, int value);
/// A zero-terminated copy of a string value, truncated to `size`; "" if it is not a string.
const char* tdImport_CopyShort(const tdImport* import, int value, char* text, size_t size);
