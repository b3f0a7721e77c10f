// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Import of skins.
#pragma once

#include "import.h"

/// Fills scene->skins. False when memory ran out.
bool tdImportSkins(tdImport* import);
