// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Spring bones of VRM 1.0 (VRMC_springBone).
#pragma once

#include "vrm.h"

/// Imports VRMC_springBone, or secondaryAnimation of VRM 0.x where the file has no VRMC_springBone. False
/// when memory ran out.
bool tdImportSprings(tdImport* import);
