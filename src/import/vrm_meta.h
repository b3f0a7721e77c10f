// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Meta of VRM 1.0 and 0.x: name, authors, licence and permissions of a model.
#pragma once

#include "vrm.h"

/// Imports and checks `meta` of VRMC_vrm, which is required. False when memory ran out.
/// @param path of the extension
bool tdImportMeta1(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path);
/// Imports and checks `meta` of VRM 0.x. False when memory ran out.
/// @param path of the extension
bool tdImportMeta0(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path);
