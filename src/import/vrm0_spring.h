// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Spring bones of VRM 0.x (extensions.VRM.secondaryAnimation).
#pragma once

#include "vrm.h"

/// Imports secondaryAnimation. False when memory ran out.
bool tdImportSprings0(tdImport* import, int vrm);
