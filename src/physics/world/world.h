// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Worlds made from worlds.
#pragma once

#include "physics/data/world_data.h"

/// An empty world with the settings and the number of another one; NULL when memory ran out.
tdWorld* tdCreateEmptyTwin(const tdWorld* world);
