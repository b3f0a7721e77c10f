// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of contact begin events: the event has the deepest point of the contact and occurs in the step that
// closes the gap.
#include "harness.h"

#include "physics/bodies.h"

TEST(EventsHaveTheDeepestPoint)
{
    // A slightly tilted box lands on one corner; the others are within the speculative margin, too.
    const double edge = 0.4, tilt = 0.03;
    for (int i = 0; i < 8; ++i)
    {
        // Tilted about the diagonals, so that the corner in direction `angle` is the lowest.
        double angle = PI / 4 + i % 4 * PI / 2 + 0.1;
        tdQuat turn = Turn(-sin(angle), 0, cos(angle), -tilt);
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(10, 2, 10), plain);
        tdBodyId box = AddBox(world, TD_MOTION_DYNAMIC, V(0.3, 0.5 * edge + 0.1, -0.2), turn,
                              V(edge, edge, edge), plain);
        tdVec3 lowest = V(0, 0, 0);
        bool isFound = false;
        for (int step = 0; step < 60 && !isFound; ++step)
        {
            tdTransform pose = tdBody_GetTransform(world, box);
            for (int k = 0; k < 8; ++k)
            {
                tdVec3 corner =
                    RotateBy(pose.rotation, V((k & 1 ? 0.5 : -0.5) * edge, (k & 2 ? 0.5 : -0.5) * edge,
                                              (k & 4 ? 0.5 : -0.5) * edge));
                corner =
                    V((double)corner.x + (double)pose.position.x, (double)corner.y + (double)pose.position.y,
                      (double)corner.z + (double)pose.position.z);
                lowest = k == 0 || corner.y < lowest.y ? corner : lowest;
            }
            tdWorld_Step(world, (float)STEP);
            tdWorldEvents events = tdWorld_GetEvents(world);
            isFound = events.contactCount > 0;
            if (isFound)
            {
                ENSURE(events.contacts[0].began);
                ENSURE_NEAR(events.contacts[0].point.x, lowest.x, 0.03);
                ENSURE_NEAR(events.contacts[0].point.z, lowest.z, 0.03);
                ENSURE_NEAR(events.contacts[0].point.y, 0, 0.01);
            }
        }
        ENSURE(isFound);
        tdDestroyWorld(world);
    }
}

TEST(NearShapesDoNotTouch)
{
    // Four millimetres above the ground, without gravity: near, but no event.
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    AddSlope(world, 0, plain);
    tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 0.104, 0), 0.1, plain);
    for (int i = 0; i < 10; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        ENSURE_EQUAL_INT(tdWorld_GetEvents(world).contactCount, 0);
    }
    tdContactData contact;
    ENSURE_EQUAL_INT(tdBody_GetContacts(world, ball, &contact, 1), 1); // a speculative contact
    ENSURE_NEAR(contact.separations[0], 0.004, 1e-4);
    ENSURE_NEAR(contact.impulse, 0, 0);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(EventsHaveTheDeepestPoint) RUN(NearShapesDoNotTouch))
