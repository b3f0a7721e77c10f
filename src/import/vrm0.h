// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// VRM 0.x.
#pragma once

#include "vrm.h"

/// Imports the humanoid of extensions.VRM. False when memory ran out.
bool tdImportVrm0(tdImport* import, int extension);
