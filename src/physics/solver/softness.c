// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Softness of constraints by frequency and damping ratio.
#include "physics/solver/softness.h"

#include "math/trig.h"
#include "math/vecmath.h"

// A mass m on a spring with angular frequency o and damping ratio z, implicit Euler over h:
//   v' = v - h (o^2 (x + h v') + 2 z o v')
// As a constraint with accumulated impulse P = m (v' - v):  P = -m ms (v + b x) - is P0 with
//   a1 = 2 z + h o,  a2 = h o a1,  b = o / a1,  ms = a2 / (1 + a2),  is = 1 / (1 + a2)
tdSoftness tdMakeSoftness(float hertz, float dampingRatio, float timeStep)
{
    if (!(hertz > 0.0f))
    {
        return (tdSoftness){0.0f, 1.0f, 0.0f};
    }
    float omega = 2.0f * TD_PI * hertz;
    float a1 = 2.0f * dampingRatio + timeStep * omega;
    float a2 = timeStep * omega * a1;
    float a3 = 1.0f / (1.0f + a2);
    return (tdSoftness){omega / a1, a2 * a3, a3};
}

// At rest v = 0 and P = P0:  m ms b x + is P = 0
float tdSoftness_GetCompliance(const tdSoftness* softness)
{
    float stiffness = softness->massScale * softness->biasRate;
    return stiffness > 0.0f ? softness->impulseScale / stiffness : 0.0f;
}
