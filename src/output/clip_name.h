// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Names of animations added to a file.
#pragma once

#include "base/text.h"
#include "scene/scene.h"

/// Appends `wanted`, or "wanted 2" and so on if an animation has that name. False when memory ran out.
bool tdFindFreeName(const tdScene* scene, const char* wanted, tdText* name);
