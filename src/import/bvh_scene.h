// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A scene with one animation and a humanoid, made from a BVH.
#pragma once

#include "bvh.h"

/// Fills the scene of an asset from BVH text; the rest pose is corrected to a T-pose.
/// @return false when nothing usable is there or memory ran out (reported)
bool tdImportBvh(tdAsset* asset, const char* text, size_t size, tdReport* report);
