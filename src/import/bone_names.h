// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Humanoid bones found by the names of nodes.
#pragma once

#include "vrm.h"

/// Fills a humanoid by the names and the hierarchy of nodes: VRM, Mixamo, Ready Player Me, Unreal, Unity and
/// HumanIK, Rigify, MikuMikuDance, Rokoko, SMPL, CMU, Xsens, 3ds Max Biped, Daz Genesis and similar names.
/// @param arena of the matches and of scratch memory
/// @param report receives ties; may be NULL
/// @return false when memory ran out
bool tdMapBonesByName(const tdScene* scene, tdHumanoid* humanoid, tdArena* arena, tdReport* report);
/// Applies the bone map of tdLoadDef, which overrides the names. False when memory ran out.
bool tdApplyBoneMap(const tdScene* scene, tdHumanoid* humanoid, const tdLoadDef* def, tdReport* report);
