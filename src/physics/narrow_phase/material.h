// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Friction and restitution of a pair of shapes.
#pragma once

#include "tendon/physics.h"

/// Friction and restitution of a pair by the rules of docs/spec/physics.md 5.3.
float tdCombineMaterial(float a, tdCombine combineA, float b, tdCombine combineB);
