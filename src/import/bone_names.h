// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Humanoid bones found by the names of nodes.
#pragma once

#include "vrm.h"

/// Fills a humanoid by the names of nodes: VRM, Mixamo, CMU, Rokoko, Xsens and similar conventions.
/// @return the number of bones found
int tdMapBonesByName(const tdScene* scene, tdHumanoid* humanoid);
/// Applies the bone map of tdLoadDef, which overrides the names. False when memory ran out.
bool tdApplyBoneMap(const tdScene* scene, tdHumanoid* humanoid, const tdLoadDef* def, tdReport* report);
