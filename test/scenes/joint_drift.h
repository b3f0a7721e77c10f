// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures the drift of the joints of a setup, the distance of their two pivots, for any engine.
#pragma once

#include "setup.h"

#if defined(__cplusplus)
extern "C"
{
#endif

    typedef struct tdJointErrors
    {
        double sum, max; // m
        int count;
    } tdJointErrors;

    /// Adds the distance of the two pivots of every joint. Only for joints that keep their pivots together.
    /// @param poses of the bodies
    void tdMeasureJointErrors(const tdSetup* setup, const tdTransform* poses, tdJointErrors* errors);

#if defined(__cplusplus)
}
#endif
