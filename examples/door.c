// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The engine alone: a door on a hinge is pushed and swings open as far as the stop, a quarter turn.
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
    doorDef.angularVelocity.y = 4.0f; // rad/s; the hinge takes most of it
    tdBodyId door = tdCreateBody(world, &doorDef);
    tdShapeDef panel = tdDefaultShapeDef();
    panel.density = 500.0f; // kg/m^3, wood
    tdCreateBox(world, door, &panel, (tdVec3){0.9f, 2.0f, 0.05f});

    // A hinge: no travel at all, no tilt, and a quarter turn about the vertical.
    tdJointLimit limits[] = {
        tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f),
        tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0.0f, 0.0f),
        tdMakeAngularLimit(TD_AXIS_Y, 0.0f, 1.5708f),
    };
    tdJointDef hinge = tdDefaultJointDef();
    hinge.bodyB = door; // bodyA stays null: the fixed world
    hinge.frameA.position.x = hinge.frameB.position.x = -0.45f;
    hinge.limits = limits;
    hinge.limitCount = 3;
    tdCreateJoint(world, &hinge);

    double widest = 0.0;
    for (int step = 0; step < 120; ++step)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
        tdQuat rotation = tdBody_GetTransform(world, door).rotation;
        widest = fmax(widest, 2.0 * atan2((double)rotation.y, (double)rotation.w));
    }
    printf("the door opened by %.1f degrees\n", widest * 57.29578);
    tdDestroyWorld(world);
    return 0;
}
