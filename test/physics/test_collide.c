// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of recycled contacts under rolling: the contact point of a sphere, capsule, cylinder or cone follows
// the other surface and is not fixed on the body. A point that lagged by d would apply a torque, an
// acceleration of about g d / (2 R): 1 m/s^2 for d = 1 cm, R = 5 cm.
#include "harness.h"

#include "physics/bodies.h"

enum
{
    BALL,
    CAPSULE,
    CYLINDER,
    KIND_COUNT
};

#define RADIUS 0.05

static tdBodyId AddRound(tdWorld* world, int kind, tdVec3 position)
{
    // Axes along Z, so that all roll along X.
    tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, position, Turn(1, 0, 0, 0.5 * PI));
    tdShapeDef def = MakeShapeDef(plain);
    if (kind == BALL)
    {
        tdCreateSphere(world, body, &def, (float)RADIUS);
    }
    else if (kind == CAPSULE)
    {
        tdCreateCapsule(world, body, &def, 0.1f, (float)RADIUS, (float)RADIUS);
    }
    else
    {
        tdCreateCylinder(world, body, &def, 0.1f, (float)RADIUS, (float)RADIUS);
    }
    return body;
}

// A dynamic plate, so heavy that its motion is negligible.
static tdBodyId AddPlate(tdWorld* world)
{
    const Material heavy = {0.6f, 0.6f, 0.0f, 20000.0f};
    return AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.05, 0), noTurn, V(4, 0.1, 2), heavy);
}

static tdWorld* MakeGround(void)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(20, 2, 20), plain);
    return world;
}

// Either of the two is the first shape of the contact, whose axes the contact is stored in.
TEST(RollingOnADynamicBodyKeepsSpeed)
{
    for (int kind = 0; kind < KIND_COUNT; ++kind)
    {
        for (int plateFirst = 0; plateFirst < 2; ++plateFirst)
        {
            tdWorld* world = MakeGround();
            if (plateFirst == 1)
            {
                AddPlate(world);
            }
            tdBodyId body = AddRound(world, kind, V(-0.5, 0.1 + RADIUS, 0));
            if (plateFirst == 0)
            {
                AddPlate(world);
            }
            double speed = 0.4;
            StepFor(world, 0.2);
            tdBody_SetLinearVelocity(world, body, V(speed, 0, 0));
            tdBody_SetAngularVelocity(world, body, V(0, 0, -speed / RADIUS));
            StepFor(world, 1.5);
            tdVec3 v = tdBody_GetLinearVelocity(world, body), w = tdBody_GetAngularVelocity(world, body);
            // Rolling without slipping does no work, and there is no rolling resistance. The remaining error
            // is the overlap of about a tenth of a millimetre relative to R: 0.2 %.
            ENSURE_NEAR(v.x, speed, 0.005 * speed);
            ENSURE_NEAR(w.z, -speed / RADIUS, 0.005 * speed / RADIUS);
            ENSURE_NEAR(v.z, 0, 0.005 * speed);
            ENSURE_NEAR(Position(world, body).x, -0.5 + 1.5 * speed, 0.005);
            tdDestroyWorld(world);
        }
    }
}

// Balls next to each other on a plate, each a little higher than the last: they settle and lie still.
TEST(BallsRestOnADynamicBody)
{
    enum
    {
        COUNT = 36
    };
    tdWorld* world = MakeGround();
    tdBodyId balls[COUNT];
    tdVec3 starts[COUNT];
    AddPlate(world);
    for (int i = 0; i < COUNT; ++i)
    {
        starts[i] = V(0.11 * (i % 6), 0.1 + RADIUS + 1e-4 * (i % 5), 0.11 * (i / 6));
        balls[i] = AddRound(world, BALL, starts[i]);
    }
    StepFor(world, 3);
    for (int i = 0; i < COUNT; ++i)
    {
        tdVec3 p = Position(world, balls[i]);
        ENSURE_NEAR(p.x, starts[i].x, 1e-3);
        ENSURE_NEAR(p.z, starts[i].z, 1e-3);
        ENSURE(Length(tdBody_GetLinearVelocity(world, balls[i])) < 1e-3);
    }
    tdDestroyWorld(world);
}

// Cones and tapered capsules lie on their sides.
TEST(TaperedShapesRestOnADynamicBody)
{
    for (int i = 0; i < 2; ++i)
    {
        // The line of contact is horizontal: a cone of height h and radius r is rotated by atan(r / h) from a
        // horizontal axis, a capsule with sphere centres d apart by asin((r0 - r1) / d).
        const double h = 0.2, r0 = 0.06, r1 = i == 0 ? 0.0 : 0.03;
        double tilt = i == 0 ? atan(r0 / h) : asin((r0 - r1) / h);
        tdWorld* world = MakeGround();
        AddPlate(world);
        tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(0, 1, 0), Turn(0, 0, 1, -0.5 * PI - tilt));
        tdShapeDef def = MakeShapeDef(plain);
        if (i == 0)
        {
            tdCreateCylinder(world, body, &def, (float)h, (float)r0, (float)r1);
        }
        else
        {
            tdCreateCapsule(world, body, &def, (float)h, (float)r0, (float)r1);
        }
        // The centre of the axis is at that height above the line.
        double height = i == 0 ? 0.5 * h * sin(tilt) : 0.5 * (r0 + r1);
        tdVec3 start = V(0, 0.1 + height, 0);
        tdBody_SetTransform(world, body, (tdTransform){start, Turn(0, 0, 1, -0.5 * PI - tilt)});
        StepFor(world, 3);
        tdVec3 p = Position(world, body);
        ENSURE_NEAR(p.x, start.x, 2e-3);
        ENSURE_NEAR(p.y, start.y, 2e-3);
        ENSURE_NEAR(p.z, start.z, 2e-3);
        ENSURE(Length(tdBody_GetLinearVelocity(world, body)) < 1e-3);
        tdDestroyWorld(world);
    }
}

// Contact data lie on the surfaces while a contact is recycled, too.
TEST(RecycledContactPointsAreOnTheSurface)
{
    tdWorld* world = MakeGround();
    AddPlate(world);
    tdBodyId ball = AddRound(world, BALL, V(0, 0.1 + RADIUS, 0));
    StepFor(world, 0.2);
    tdBody_SetLinearVelocity(world, ball, V(0.02, 0, 0));
    tdBody_SetAngularVelocity(world, ball, V(0, 0, -0.02 / RADIUS));
    int kept = 0;
    for (int i = 0; i < 30; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        tdContactData contact;
        ENSURE_EQUAL_INT(tdBody_GetContacts(world, ball, &contact, 1), 1);
        ENSURE_EQUAL_INT(contact.pointCount, 1);
        kept += tdWorld_GetStats(world).manifoldsMade == 0 ? 1 : 0;
        tdVec3 p = Position(world, ball);
        ENSURE_NEAR(contact.normal.y, 1, 1e-5);
        ENSURE_NEAR(contact.points[0].y, 0.1, 1e-3);
        ENSURE_NEAR(contact.separations[0], (double)p.y - RADIUS - 0.1, 1e-3);
        // One of the two points is under the ball, the other is at most 1 cm behind, where the contact was
        // created.
        ENSURE_NEAR(contact.points[0].x, p.x, 0.006);
    }
    ENSURE(kept > 10);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(RollingOnADynamicBodyKeepsSpeed) RUN(BallsRestOnADynamicBody)
              RUN(TaperedShapesRestOnADynamicBody) RUN(RecycledContactPointsAreOnTheSurface))
