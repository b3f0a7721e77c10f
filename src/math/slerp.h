// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Slerp for the inner loops of animation: the same rotation as tdSlerp to 1e-6 rad, without trigonometry.
#pragma once

#include "vecmath.h"

/// The short way from a to b, both of unit length; t from 0 to 1. The result has unit length to 1e-6.
tdQuat tdSlerpSeries(tdQuat a, tdQuat b, float t);
/// The same from the identity: a part of a rotation.
tdQuat tdQuatPart(tdQuat rotation, float t);
