// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Uses the installed engine alone: a body falls by g t^2 / 2.
#include <math.h>
#include <stdio.h>
#include <tendon/physics.h>

int main(void)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    tdBodyId body = tdCreateBody(world, &def);
    tdShapeDef shape = tdDefaultShapeDef();
    tdCreateSphere(world, body, &shape, 0.5f);
    for (int i = 0; i < 60; ++i)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
    }
    // g t^2 / 2 after one second; a fixed step of 1/60 s has an error of at most g t dt / 2.
    double fallen = -(double)tdBody_GetTransform(world, body).position.y;
    tdDestroyWorld(world);
    if (fabs(fallen - 9.81 / 2.0) > 9.81 / 120.0)
    {
        printf("fell %g m\n", fallen);
        return 1;
    }
    return 0;
}
