// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Node constraints (VRMC_node_constraint).
#pragma once

#include "vrm.h"

/// Fills scene->constraints. After the humanoid, whose rest pose they may use. False when memory ran out.
bool tdImportNodeConstraints(tdImport* import);
