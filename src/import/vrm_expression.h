// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Expressions of VRM 1.0 and 0.x.
#pragma once

#include "vrm.h"

/// Imports the expressions of VRM 1.0. False when memory ran out.
bool tdImportExpressions1(tdImport* import, tdHumanoid* humanoid, int expressions, const tdPath* path);
/// Imports the blend shape groups of VRM 0.x. False when memory ran out.
/// @param extension JSON of VRM, whose materialProperties have the colours of MToon
/// @param master JSON of blendShapeMaster, with its path
bool tdImportExpressions0(tdImport* import, tdHumanoid* humanoid, int extension, int master,
                          const tdPath* path);
