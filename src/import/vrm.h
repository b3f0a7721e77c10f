// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The importers of VRM: humanoids of both versions, motion, node constraints; and humanoids told by joint names.
// Each returns false when memory ran out; anything else is in the report.
#pragma once

#include "import.h"

#include "scene/humanoid.h"

/// All of VRM, in the order in which the parts need each other. After nodes, scenes and animations.
bool tdImportVrm(tdImport* import);

bool tdImportVrm1(tdImport* import, int extension);         // vrm_humanoid.c
bool tdImportVrm0(tdImport* import, int extension);         // vrm0.c
bool tdImportVrmAnimation(tdImport* import, int extension); // vrm_animation.c
bool tdImportNodeConstraints(tdImport* import);             // vrm_constraint.c

/// An empty humanoid (no bones) in the asset's arena; NULL when memory ran out.
tdHumanoid* tdImport_NewHumanoid(tdImport* import, tdHumanoidKind kind);
/// Give a bone its node; refuses nodes that do not exist or serve another bone. `path` is the value's.
void tdImport_MapBone(tdImport* import, tdHumanoid* humanoid, tdBone bone, int value, const tdPath* path);
/// Checks that need all bones: required ones, order, scale, T-pose, facing. `path` is that of humanBones.
void tdImport_CheckHumanoid(tdImport* import, tdHumanoid* humanoid, const tdPath* path);
/// Rest rotation of a node in the model (product of local rotations), and its rest position.
tdQuat tdImport_GetRestRotation(const tdImport* import, int node);
tdVec3 tdImport_GetRestPosition(const tdImport* import, int node);

/// A member that has to be an object; TD_JSON_NONE, reported with `code` ("%s": what was expected), when it is
/// something else; TD_JSON_NONE when absent.
int tdImport_FindObject(tdImport* import, const tdPath* path, int object, const char* key, tdDiagnosticCode code);
/// Index of a node; -1 when the value is none.
int tdImport_ReadNodeIndex(const tdImport* import, int value);
/// A zero-terminated copy of a string value, cut to the room there is; "" when it is none.
const char* tdImport_CopyShort(const tdImport* import, int value, char* text, size_t size);

/// Fill a humanoid by the names of nodes (names.c): plain VRM names, Mixamo, CMU, Rokoko/Xsens and kin. A map
/// (JSON object from bone names to node names, in tdLoadDef) comes first.
/// @return the number of bones found
int tdMapBonesByName(const tdScene* scene, tdHumanoid* humanoid);
