// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Names of animations that are added to a file.
#pragma once

#include "base/text.h"
#include "scene/scene.h"

/// `wanted`, or "wanted 2" and so on when an animation of that name is there. False when memory ran out.
bool tdFindFreeName(const tdScene* scene, const char* wanted, tdText* name);
