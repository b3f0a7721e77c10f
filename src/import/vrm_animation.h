// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// VRM Animation (VRMC_vrm_animation).
#pragma once

#include "vrm.h"

/// Imports bones, expressions and gaze of a VRM Animation. After animations. False when memory ran out.
bool tdImportVrmAnimation(tdImport* import, int extension);
