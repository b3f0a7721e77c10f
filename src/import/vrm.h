// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The importers of VRM: humanoids of both versions, motion, node constraints; and humanoids told by joint
// names. Each returns false when memory ran out; anything else is in the report.
#pragma once

#include "import.h"

#include "scene/humanoid.h"

/// All of VRM, in the order in which the parts need each other. After nodes, scenes and animations.
bool tdImportVrm(tdImport* import);

/// Where the file speaks of a bone.
typedef struct tdBonePlace
{
    const char* key; // member of humanBones; NULL: an array
    int index;       // entry of the array
} tdBonePlace;

/// A humanoid in the making.
typedef struct tdHumanoidImport
{
    tdImport* import;
    tdHumanoid* humanoid;
    const tdPath* bonesPath; // of humanBones
    tdBonePlace places[TD_BONE_COUNT];
} tdHumanoidImport;

/// A member that has to be an object; TD_JSON_NONE, reported with `code` ("%s": what was expected), when it
/// is something else; TD_JSON_NONE when absent.
int tdImport_FindObject(tdImport* import, const tdPath* path, int object, const char* key,
                        tdDiagnosticCode code);
/// Index of a node; -1 when the value is none.
int tdImport_ReadNodeIndex(const tdImport* import, int value);
/// A zero-terminated copy of a string value, cut to the room there is; "" when it is none.
const char* tdImport_CopyShort(const tdImport* import, int value, char* text, size_t size);
