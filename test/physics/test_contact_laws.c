// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the laws of single contacts at their limits: the threshold speed of restitution, the bound of
// torsional friction, and the friction regime of a contact whose normal has turned.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/bodies.h"
#include "physics/data/contact_data.h"

static Material MakeMaterial(double staticFriction, double dynamicFriction, double restitution)
{
    return (Material){(float)staticFriction, (float)dynamicFriction, (float)restitution, 1000.0f};
}

TEST(RestitutionStartsAtAQuarterMetrePerSecond)
{
    // Without gravity the impact speed is the given speed of the ball.
    static const double speeds[] = {0.1, 0.24, 0.26, 0.5};
    for (int i = 0; i < 4; ++i)
    {
        const double restitution = 0.8, radius = 0.2;
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        AddSlope(world, 0, MakeMaterial(0, 0, restitution));
        tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, radius + 0.05, 0), radius,
                                  MakeMaterial(0, 0, restitution));
        tdBody_SetLinearVelocity(world, ball, V(0, -speeds[i], 0));
        StepFor(world, 0.05 / speeds[i] + 0.2);
        double expected = speeds[i] > 0.25 ? restitution * speeds[i] : 0;
        ENSURE_NEAR(tdBody_GetLinearVelocity(world, ball).y, expected, 0.02 * speeds[i]);
        tdDestroyWorld(world);
    }
}

TEST(TorsionalFrictionIsBounded)
{
    // A box with its four corners on the ground: torque mu m g r, r half the diagonal, so a spin falls by mu
    // m g r / I per second. A sphere touches in one point, which stands for a patch of radius
    // TD_PATCH_RADIUS.
    const double mu = 0.3, edge = 1, height = 0.2, spin = 5, seconds = 0.3;
    for (int isBall = 0; isBall < 2; ++isBall)
    {
        const double radius = 0.05;
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddSlope(world, 0, MakeMaterial(mu, mu, 0));
        tdBodyId body =
            isBall ? AddSphere(world, TD_MOTION_DYNAMIC, V(0, radius, 0), radius, MakeMaterial(mu, mu, 0))
                   : AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5 * height, 0), noTurn, V(edge, height, edge),
                            MakeMaterial(mu, mu, 0));
        StepFor(world, 0.3); // the contact carries the weight
        tdBody_SetAngularVelocity(world, body, V(0, spin, 0));
        double lever = isBall ? (double)TD_PATCH_RADIUS : edge * sqrt(0.5);
        double inertia = isBall ? 0.4 * radius * radius : edge * edge / 6; // per mass
        StepFor(world, seconds);
        double expected = spin - mu * GRAVITY * lever / inertia * seconds;
        ENSURE(expected > 0.2 * spin && expected < 0.8 * spin);
        ENSURE_NEAR(tdBody_GetAngularVelocity(world, body).y, expected, 0.03 * spin);
        tdDestroyWorld(world);
    }
}

TEST(TorquesBelowTheBoundHaveNoEffect)
{
    const double mu = 0.5, edge = 1, height = 0.2;
    for (int isAbove = 0; isAbove < 2; ++isAbove)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddSlope(world, 0, MakeMaterial(mu, mu, 0));
        tdBodyId box = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5 * height, 0), noTurn, V(edge, height, edge),
                              MakeMaterial(mu, mu, 0));
        double mass = (double)tdBody_GetMass(world, box).mass, bound = mu * mass * GRAVITY * edge * sqrt(0.5);
        StepFor(world, 0.3);
        double torque = (isAbove ? 1.1 : 0.9) * bound;
        for (int i = 0; i < 60; ++i)
        {
            tdBody_ApplyTorque(world, box, V(0, torque, 0));
            tdWorld_Step(world, (float)STEP);
        }
        // Above the bound the excess torque turns the box for a second.
        double expected = isAbove ? 0.1 * bound / (mass * edge * edge / 6) : 0;
        ENSURE_NEAR(tdBody_GetAngularVelocity(world, box).y, expected, isAbove ? 0.05 * expected : 0.01);
        tdDestroyWorld(world);
    }
}

/// A ball that cannot rotate on a large static ball; friction 1 while it sticks, 0.1 while it slides.
static tdBodyId AddSlider(tdWorld* world, double large, double small, tdBodyId* ground)
{
    const Material material = MakeMaterial(1, 0.1, 0);
    *ground = AddSphere(world, TD_MOTION_STATIC, V(0, 0, 0), large, material);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = V(0, large + small, 0);
    def.mass = 1;
    def.inertiaDiagonal = V((double)INFINITY, (double)INFINITY, (double)INFINITY);
    tdBodyId ball = tdCreateBody(world, &def);
    tdShapeDef shape = MakeShapeDef(material);
    tdCreateSphere(world, ball, &shape, (float)small);
    return ball;
}

TEST(TurnedNormalsInheritNoFrictionRegime)
{
    // The ball slides on top of the large one. Then it is placed on the side, at rest, where gravity acts at
    // 26 degrees to the normal. A new contact sticks, because tan 26 = 0.5 is below the static friction of 1.
    // A contact that inherited the sliding regime would have a friction of only 0.1.
    const double large = 2, small = 0.2, reach = large + small;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId ground, ball = AddSlider(world, large, small, &ground);
    tdBody_SetLinearVelocity(world, ball, V(0.5, 0, 0));
    StepFor(world, 0.1);
    tdContactData contact;
    ENSURE_EQUAL_INT(tdBody_GetContacts(world, ball, &contact, 1), 1);
    ENSURE(!contact.isSticking);
    tdBody_SetTransform(world, ball, (tdTransform){V(reach, 0, 0), noTurn});
    tdBody_SetLinearVelocity(world, ball, V(0, 0, 0));
    tdWorld_SetGravity(world, V(-GRAVITY, -0.5 * GRAVITY, 0));
    StepFor(world, 0.1);
    ENSURE_EQUAL_INT(tdBody_GetContacts(world, ball, &contact, 1), 1);
    ENSURE(contact.isSticking);
    ENSURE_NEAR(Length(tdBody_GetLinearVelocity(world, ball)), 0, 1e-2);
    tdDestroyWorld(world);
}

TEST(SlidingBodiesHaveDynamicTorsionalFriction)
{
    // A box that slides and spins: its friction is the dynamic one, for sliding and for torsion. The bounds
    // are those of pure sliding and of pure torsion (the friction block treats them separately): v falls by
    // mu g, the spin by mu m g r / I, r half the diagonal.
    const double mu = 0.2, edge = 1, height = 0.2, speed = 5, spin = 4, seconds = 0.25;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    AddSlope(world, 0, MakeMaterial(0.8, mu, 0));
    tdBodyId box = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.5 * height, 0), noTurn, V(edge, height, edge),
                          MakeMaterial(0.8, mu, 0));
    StepFor(world, 0.3);
    tdBody_SetLinearVelocity(world, box, V(speed, 0, 0));
    tdBody_SetAngularVelocity(world, box, V(0, spin, 0));
    StepFor(world, seconds);
    double slowed = spin - mu * GRAVITY * edge * sqrt(0.5) / (edge * edge / 6) * seconds;
    ENSURE_NEAR(tdBody_GetLinearVelocity(world, box).x, speed - mu * GRAVITY * seconds, 0.05 * speed);
    ENSURE_NEAR(tdBody_GetAngularVelocity(world, box).y, slowed, 0.1 * spin);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(RestitutionStartsAtAQuarterMetrePerSecond) RUN(TorsionalFrictionIsBounded)
              RUN(TorquesBelowTheBoundHaveNoEffect) RUN(TurnedNormalsInheritNoFrictionRegime)
                  RUN(SlidingBodiesHaveDynamicTorsionalFriction))
