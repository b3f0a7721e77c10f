// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// VRM 1.0 (VRMC_vrm), and the bones of all versions.
#pragma once

#include "vrm.h"

/// Imports the humanoid of VRMC_vrm. False when memory ran out.
bool tdImportVrm1(tdImport* import, int extension);
/// Creates a humanoid without bones in the arena of the asset. False when memory ran out.
bool tdHumanoidImport_Init(tdHumanoidImport* bones, tdImport* import, tdHumanoidKind kind,
                           const tdPath* bonesPath);
/// Maps a bone to the node in `value`; reports nodes that do not exist or have another bone.
void tdHumanoidImport_Map(tdHumanoidImport* bones, tdBone bone, tdBonePlace place, int value);
/// Reads the members of a humanBones object (VRM 1.0, VRMA), including old thumb names.
void tdHumanoidImport_ReadObject(tdHumanoidImport* bones, int object);
/// Finds a bone by its name in VRM 0.x or 1.0-beta, where thumbs are shifted; TD_BONE_NONE if there is none.
tdBone tdFindOldBone(const char* key, size_t length);
/// Runs the checks that need all bones (required bones, order, scale, T-pose, facing) and measures the height
/// of the hips. False when memory ran out.
bool tdHumanoidImport_Finish(tdHumanoidImport* bones);
