// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures of a foot at rest, in the frame of a body that faces +Z.
#pragma once

#include "rig.h"

typedef struct tdFootShape
{
    bool isComplete; // thigh, shin and foot are there
    bool hasToes;
    float ankleHeight, toeHeight; // above the ground, m
} tdFootShape;

/// Thigh, shin, foot and toes by side: left, right.
extern const tdBone tdLegBones[2][4];

/// Measures a foot. The ground at rest is the plane of the model; a skeleton whose feet are below it stands
/// lower.
tdFootShape tdMeasureFoot(const struct tdRig* rig, int side);
/// Height of the lowest point of the sole relative to the ankle: below the ankle, or below the toes.
/// @param turn of the foot from its rest
/// @param toToes from the ankle to the toes
float tdFindSoleLow(const tdFootShape* shape, tdQuat turn, tdVec3 toToes);
