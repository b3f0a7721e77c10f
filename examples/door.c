// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The engine without files: a door on a hinge is pushed and swings open to its stop at a quarter turn.
// Prints: the door opened by (89|90)\.[0-9] degrees
#include <math.h>
#include <stdio.h>
#include <tendon/joint.h>
#include <tendon/physics.h>

int main(void)
{
    tdWorld* world = tdCreateWorld(NULL);

    tdBodyDef doorDef = tdDefaultBodyDef();
    doorDef.motion = TD_MOTION_DYNAMIC;
    doorDef.angularVelocity.y = 4.0f; // rad/s; the hinge absorbs most of it
    tdBodyId door = tdCreateBody(world, &doorDef);
    tdShapeDef panel = tdDefaultShapeDef();
    panel.density = 500.0f; // kg/m^3, wood
    tdCreateBox(world, door, &panel, (tdVec3){0.9f, 2.0f, 0.05f});

    // A hinge at the door's edge, about the vertical axis, from closed to a quarter turn. A null body is the
    // fixed world.
    tdBodyId wall = {0, 0};
    tdVec3 edge = {-0.45f, 0.0f, 0.0f}, vertical = {0.0f, 1.0f, 0.0f};
    tdJointDef hinge = tdMakeHingeJointDef(world, wall, door, edge, vertical, 0.0f, 1.5708f);
    tdJointId joint = tdCreateJoint(world, &hinge);

    float widest = 0.0f;
    for (int step = 0; step < 120; ++step)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
        widest = fmaxf(widest, tdJoint_GetLimitValue(world, joint, 2)); // the preset's third limit: the angle
    }
    printf("the door opened by %.1f degrees\n", (double)widest * 57.29578);
    tdDestroyWorld(world);
    return 0;
}
