// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of fast and of small bodies: impacts within a step, rods that swing at posts, bodies that start
// inside the ground, and scenes that are scaled down to millimetres.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/bodies.h"

static Material MakeMaterial(double friction, double restitution)
{
    return (Material){(float)friction, (float)friction, (float)restitution, 1000.0f};
}

// A ball that hits the ground within a step leaves with e times its speed, at the height that it reaches in
// the rest of the step.
TEST(ImpactsUseTheRestOfTheStep)
{
    const double radius = 0.1, speeds[] = {30, 300, 3000};
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 5; ++k)
        {
            double e = 0.25 * k, start = radius + 0.3 * speeds[i] * STEP;
            tdWorld* world = MakeWorld(V(0, 0, 0), false);
            AddSlope(world, 0, MakeMaterial(0, e));
            tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, start, 0), radius, MakeMaterial(0, e));
            tdBody_SetLinearVelocity(world, ball, V(0, -speeds[i], 0));
            tdWorld_Step(world, (float)STEP);
            ENSURE_NEAR(tdBody_GetLinearVelocity(world, ball).y, e * speeds[i], 1e-4 * speeds[i]);
            ENSURE_NEAR(Position(world, ball).y, radius + e * 0.7 * speeds[i] * STEP, 0.01);
            tdWorldEvents events = tdWorld_GetEvents(world);
            ENSURE_EQUAL_INT(events.contactCount, k > 0 ? 2 : 0);
            if (k > 0 && events.contactCount == 2)
            {
                double mass = (double)tdBody_GetMass(world, ball).mass;
                ENSURE(events.contacts[0].began && !events.contacts[1].began);
                ENSURE_NEAR(events.contacts[0].impulse, (1 + e) * mass * speeds[i], 1e-3 * mass * speeds[i]);
                ENSURE_NEAR(events.contacts[0].point.y, 0, 0.01);
            }
            tdDestroyWorld(world);
        }
    }
}

// Boxes of all attitudes at up to 300 m/s with spin: the step of the impact adds no energy, and the core of
// the box, a ball of 0.075 m, stays outside.
TEST(FastImpactsAddNoEnergy)
{
    for (int k = 0; k < 300; ++k)
    {
        Material material = MakeMaterial(0.4 * (k % 2), 0.5 * (k % 3));
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId ground = AddBody(world, TD_MOTION_STATIC, V(0, k % 4 < 2 ? 0 : -50, 0), noTurn);
        tdShapeDef def = MakeShapeDef(material);
        if (k % 4 < 2)
        {
            tdCreatePlane(world, ground, &def, INFINITY, INFINITY, false);
        }
        else
        {
            tdCreateBox(world, ground, &def, V(1000, 100, 1000));
        }
        double speed = 100 + 8 * (k % 26);
        // It moves on by 0.4 of the step after the impact.
        tdBodyId box = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.6 * speed * STEP, 0),
                              Turn(0.6, 0, 0.8, 0.37 * k), V(0.5, 0.3 + 0.01 * (k % 40), 0.4), material);
        tdBody_SetLinearVelocity(world, box, V(0.3 * speed, -speed, 0.1 * speed));
        tdBody_SetAngularVelocity(world, box, V(k % 7 * 5, k % 11, k % 13 * 3));
        double before = Energy(world, box);
        tdWorld_Step(world, (float)STEP);
        double after = Energy(world, box);
        if (!ENSURE(after < 1.001 * before) || !ENSURE(tdBody_GetWorldCenterOfMass(world, box).y > 0.07f))
        {
            printf("    box %d at %g m/s: %g of the energy\n", k, speed, after / before);
        }
        tdDestroyWorld(world);
    }
}

// A rod turns about its middle at a post of its own thickness.
TEST(RodsDoNotPassPosts)
{
    static const double rates[] = {60, 120, 180};
    static const double sizes[] = {0.001, 0.02, 1};
    for (int s = 0; s < 3; ++s)
    {
        for (int r = 0; r < 3; ++r)
        {
            for (int phase = 0; phase < 10; ++phase)
            {
                double d = sizes[s], length = 25 * d, at = 0.4 * length;
                tdWorld* world = MakeWorld(V(0, 0, 0), false);
                tdBodyId rod = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), Turn(0, 0, 1, 0.3 + 0.2 * phase),
                                      V(length, d, d), plain);
                AddBox(world, TD_MOTION_STATIC, V(at, 0, 0), noTurn, V(d, d, 20 * d), plain);
                tdBody_SetAngularVelocity(world, rod, V(0, 0, -rates[r]));
                // A rod that passes keeps its spin. One that hits the post moves on in the same step, so its
                // place says nothing.
                bool isMet = false, isBeyond = false;
                for (int i = 0; i < 6 && !isMet; ++i)
                {
                    tdWorld_Step(world, (float)STEP);
                    isMet = fabs((double)tdBody_GetAngularVelocity(world, rod).z) < 0.9 * rates[r];
                    tdVec3 post = tdInvTransformPoint(tdBody_GetTransform(world, rod), V(at, 0, 0));
                    isBeyond =
                        isBeyond || (!isMet && fabsf(post.y) < fabsf(post.x) && post.x * post.y > 0.0f);
                }
                if (!ENSURE(isMet) || !ENSURE(!isBeyond))
                {
                    printf("    rod of %g m at %g rad/s, phase %d\n", d, rates[r], phase);
                }
                tdDestroyWorld(world);
            }
        }
    }
}

// A body that starts inside the ground leaves it through the nearest surface, without being thrown out.
TEST(BodiesInsideTheGroundComeOut)
{
    for (int kind = 0; kind < 4; ++kind)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddBox(world, TD_MOTION_STATIC, V(0, -5, 0), noTurn, V(20, 10, 20), plain);
        tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(0, -0.6, 0), Turn(0.6, 0, 0.8, 0.5 * kind));
        tdShapeDef def = MakeShapeDef(plain);
        switch (kind)
        {
        case 0:
            tdCreateSphere(world, body, &def, 0.25f);
            break;
        case 1:
            tdCreateBox(world, body, &def, V(0.5, 0.4, 0.3));
            break;
        case 2:
            tdCreateCylinder(world, body, &def, 0.5f, 0.25f, 0.25f);
            break;
        default:
            tdCreateCylinder(world, body, &def, 0.5f, 0.25f, 0.0f);
            break;
        }
        double top = -1;
        for (int i = 0; i < 300; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            top = fmax(top, (double)tdBody_GetWorldCenterOfMass(world, body).y);
        }
        // Less than its size above the ground at any time.
        ENSURE(tdBody_GetWorldCenterOfMass(world, body).y > 0.05f);
        ENSURE(top < 0.5);
        tdDestroyWorld(world);
    }
}

// Ten bodies fall on each other. With all lengths, the gravity and the speeds scaled by a thousandth, the
// same happens a thousand times smaller.
TEST(MarblesBehaveLikeBoulders)
{
    double heights[2][10];
    for (int small = 0; small < 2; ++small)
    {
        double s = small ? 0.001 : 1.0;
        tdWorld* world = MakeWorld(V(0, -GRAVITY * s, 0), true);
        AddBox(world, TD_MOTION_STATIC, V(0, -5 * s, 0), noTurn, V(100 * s, 10 * s, 100 * s), plain);
        tdBodyId bodies[10];
        for (int i = 0; i < 10; ++i)
        {
            bodies[i] = AddBox(world, TD_MOTION_DYNAMIC, V(0.01 * i * s, (0.55 + 1.1 * i) * s, 0), noTurn,
                               V(s, s, s), plain);
        }
        StepFor(world, 6);
        for (int i = 0; i < 10; ++i)
        {
            heights[small][i] = (double)Position(world, bodies[i]).y / s;
        }
        tdDestroyWorld(world);
    }
    for (int i = 0; i < 10; ++i)
    {
        ENSURE_NEAR(heights[0][i], 0.5 + i, 0.05);
        ENSURE_NEAR(heights[1][i], heights[0][i], 0.02);
    }
}

// A speed that means rest for a boulder is a fall for a marble.
TEST(FallingMarblesDoNotSleep)
{
    tdWorld* world = MakeWorld(V(0, -0.001 * GRAVITY, 0), true);
    tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 0, 0), 0.0005, plain);
    StepFor(world, 2);
    ENSURE_NEAR(Position(world, ball).y, -0.5 * 0.001 * GRAVITY * 4, 2e-4);
    tdDestroyWorld(world);
}

// Bodies of a millimetre fall asleep.
TEST(RestingMarblesSleep)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    AddBox(world, TD_MOTION_STATIC, V(0, -5, 0), noTurn, V(20, 10, 20), plain);
    tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, 0.0005, 0), 0.0005, plain);
    tdBodyId box =
        AddBox(world, TD_MOTION_DYNAMIC, V(0.01, 0.0005, 0), noTurn, V(0.001, 0.001, 0.001), plain);
    StepFor(world, 3);
    ENSURE(!tdBody_IsAwake(world, ball));
    ENSURE(!tdBody_IsAwake(world, box));
    tdDestroyWorld(world);
}

// Bodies of a millimetre at rest under the gravity of the earth: neither jitter nor sinking.
TEST(MillimetreBodiesRest)
{
    for (int kind = 0; kind < 4; ++kind)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddBox(world, TD_MOTION_STATIC, V(0, -5, 0), noTurn, V(20, 10, 20), plain);
        tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(0, 0.0006, 0), noTurn);
        tdShapeDef def = MakeShapeDef(plain);
        switch (kind)
        {
        case 0:
            tdCreateSphere(world, body, &def, 0.0005f);
            break;
        case 1:
            tdCreateBox(world, body, &def, V(0.001, 0.001, 0.001));
            break;
        case 2:
            tdCreateCylinder(world, body, &def, 0.001f, 0.0005f, 0.0005f);
            break;
        default:
            tdCreateCapsule(world, body, &def, 0.0005f, 0.00025f, 0.00025f);
            break;
        }
        StepFor(world, 5); // the sag of the contacts follows the load within seconds
        double low = 1, high = -1;
        for (int i = 0; i < 60; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            low = fmin(low, (double)Position(world, body).y);
            high = fmax(high, (double)Position(world, body).y);
        }
        // A soft contact under its own weight is as deep as g / (2 pi 60 Hz)^2, 0.07 mm, times the share of
        // the mass at each of its points.
        ENSURE(low > 0.0005 - 0.00015);
        ENSURE(high < 0.00051);
        ENSURE(high - low < 2e-6);
        tdDestroyWorld(world);
    }
}

TEST_MAIN(RUN(ImpactsUseTheRestOfTheStep) RUN(FastImpactsAddNoEnergy) RUN(RodsDoNotPassPosts)
              RUN(BodiesInsideTheGroundComeOut) RUN(MarblesBehaveLikeBoulders) RUN(MillimetreBodiesRest)
                  RUN(FallingMarblesDoNotSleep) RUN(RestingMarblesSleep))
