// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The OMI dialects of physics.
#pragma once

#include "physics_raw.h"

/// Reads the objects of these dialects into `raw`; tables are appended. After tdReadKhrPhysics.
void tdReadOmiPhysics(tdPhysicsReader* reader, tdRawPhysics* raw);
