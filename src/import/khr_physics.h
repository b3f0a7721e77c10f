// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The KHR and MSFT dialects of physics.
#pragma once

#include "physics_raw.h"

/// Reads the objects of these dialects into `raw`; tables are appended. Before tdReadOmiPhysics.
void tdReadKhrPhysics(tdPhysicsReader* reader, tdRawPhysics* raw);
