// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Gaze and first-person flags of VRM 1.0 (lookAt, firstPerson) and 0.x (firstPerson).
#pragma once

#include "vrm.h"

/// Imports lookAt and firstPerson of VRMC_vrm. After bones. False when memory ran out.
/// @param path of the extension
bool tdImportLookAt1(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path);
/// Imports firstPerson of VRM 0.x. After bones. False when memory ran out.
/// @param path of the extension
bool tdImportLookAt0(tdImport* import, tdHumanoid* humanoid, int extension, const tdPath* path);
/// Reports a gaze that has nothing to move. After expressions.
/// @param path of the object that holds the type
void tdCheckLookAt(tdImport* import, const tdHumanoid* humanoid, const tdPath* path);
