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

bool tdImportVrm1(tdImport* import, int extension);         // vrm_humanoid.c
bool tdImportVrm0(tdImport* import, int extension);         // vrm0.c
bool tdImportVrmAnimation(tdImport* import, int extension); // vrm_animation.c
bool tdImportNodeConstraints(tdImport* import);             // vrm_constraint.c

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

/// An empty humanoid (no bones) in the asset's arena. False when memory ran out.
bool tdHumanoidImport_Init(tdHumanoidImport* bones, tdImport* import, tdHumanoidKind kind,
                           const tdPath* bonesPath);
/// Give a bone the node in `value`; refuses nodes that do not exist or serve another bone.
void tdHumanoidImport_Map(tdHumanoidImport* bones, tdBone bone, tdBonePlace place, int value);
/// Members of a humanBones object (VRM 1.0, VRMA), old thumb names included.
void tdHumanoidImport_ReadObject(tdHumanoidImport* bones, int object);
/// A bone by its name in VRM 0.x or 1.0-beta, where thumbs are shifted; TD_BONE_NONE when there is none.
tdBone tdFindOldBone(const char* key, size_t length);
/// Checks that need all bones (required ones, order, scale, T-pose, facing); also finds the hips' height.
/// False when memory ran out.
bool tdHumanoidImport_Finish(tdHumanoidImport* bones);

/// Expressions of VRM 1.0, and binds for both versions: vrm_expression.c.
bool tdImportExpressions1(tdImport* import, tdHumanoid* humanoid, int expressions, const tdPath* path);
bool tdImportExpressions0(tdImport* import, tdHumanoid* humanoid, int master, const tdPath* path);

/// A member that has to be an object; TD_JSON_NONE, reported with `code` ("%s": what was expected), when it
/// is something else; TD_JSON_NONE when absent.
int tdImport_FindObject(tdImport* import, const tdPath* path, int object, const char* key,
                        tdDiagnosticCode code);
/// Index of a node; -1 when the value is none.
int tdImport_ReadNodeIndex(const tdImport* import, int value);
/// A zero-terminated copy of a string value, cut to the room there is; "" when it is none.
const char* tdImport_CopyShort(const tdImport* import, int value, char* text, size_t size);

/// Fill a humanoid by the names of nodes (bone_names.c): plain VRM names, Mixamo, CMU, Rokoko/Xsens and kin.
/// @return the number of bones found
int tdMapBonesByName(const tdScene* scene, tdHumanoid* humanoid);
/// The map of tdLoadDef over what the names say. False when memory ran out.
bool tdApplyBoneMap(const tdScene* scene, tdHumanoid* humanoid, const tdLoadDef* def, tdReport* report);
