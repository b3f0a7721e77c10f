// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The struct behind the public handle tdGeometry.
#pragma once

#include "hull.h"
#include "triangles.h"

struct tdGeometry
{
    tdAllocator allocator;
    tdHull* hull; // one of the two is NULL
    tdTriangles* triangles;
};
