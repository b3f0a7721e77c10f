// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Combination of two materials.
#include "physics/narrow_phase/material.h"

#include "math/vecmath.h"

float tdCombineMaterial(float a, tdCombine combineA, float b, tdCombine combineB)
{
    // The lower enumerator has priority: average, minimum, maximum, multiply. An unspecified mode takes that
    // of the other side.
    tdCombine combine = combineA == TD_COMBINE_UNSPECIFIED   ? combineB
                        : combineB == TD_COMBINE_UNSPECIFIED ? combineA
                        : combineA < combineB                ? combineA
                                                             : combineB;
    switch (combine)
    {
    case TD_COMBINE_MINIMUM:
        return tdMinFloat(a, b);
    case TD_COMBINE_MAXIMUM:
        return tdMaxFloat(a, b);
    case TD_COMBINE_MULTIPLY:
        return a * b;
    case TD_COMBINE_UNSPECIFIED:
    case TD_COMBINE_AVERAGE:
        break;
    }
    return 0.5f * (a + b);
}
