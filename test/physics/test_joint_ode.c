// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Needs: ode
//
// Tests of joints against ODE with small steps: a double pendulum of hinges and a hinge between two stops.
#include "harness.h"
#include "joints.h"

#include <ode/ode.h>

#define ODE_STEP (STEP / 128)

static dBodyID AddOdeRod(dWorldID world, double x)
{
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, (dReal)0.001, (dReal)(1.0 / 12), (dReal)(1.0 / 12), 0, 0, 0);
    dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, (dReal)x, 0, 0);
    return body;
}

static dJointID AddOdeHinge(dWorldID world, dBodyID a, dBodyID b, double x)
{
    dJointID joint = dJointCreateHinge(world, NULL);
    dJointAttach(joint, b, a);
    dJointSetHingeAnchor(joint, (dReal)x, 0, 0);
    dJointSetHingeAxis(joint, 0, 0, 1);
    return joint;
}

static dWorldID MakeOdeWorld(void)
{
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, (dReal)-GRAVITY, 0);
    return world;
}

static void CloseOde(dWorldID world)
{
    dWorldDestroy(world);
    dCloseODE();
}

static double DistanceTo(const tdWorld* world, tdBodyId body, dBodyID other)
{
    const dReal* p = dBodyGetPosition(other);
    return Length(tdSub(Position(world, body), V((double)p[0], (double)p[1], (double)p[2])));
}

TEST(DoublePendulumsAgree)
{
    dWorldID reference = MakeOdeWorld();
    dBodyID first = AddOdeRod(reference, 0.5), second = AddOdeRod(reference, 1.5);
    AddOdeHinge(reference, NULL, first, 0);
    AddOdeHinge(reference, first, second, 1);
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId a = AddMass(world, V(0.5, 0, 0), 1, V(0.001, 1.0 / 12, 1.0 / 12));
    tdBodyId b = AddMass(world, V(1.5, 0, 0), 1, V(0.001, 1.0 / 12, 1.0 / 12));
    JoinHinge(world, theWorld, a, V(0, 0, 0), -PI, PI);
    JoinHinge(world, a, b, V(1, 0, 0), -PI, PI);
    double worst = 0;
    for (int n = 0; n < 90; ++n)
    {
        tdWorld_Step(world, (float)STEP);
        for (int k = 0; k < 128; ++k)
        {
            dWorldStep(reference, (dReal)ODE_STEP);
        }
        worst = fmax(worst, fmax(DistanceTo(world, a, first), DistanceTo(world, b, second)));
    }
    ENSURE(worst < 0.03); // up to 7 m/s: a sub-step of 1/240 s
    tdDestroyWorld(world);
    CloseOde(reference);
}

TEST(AHingeWithStopsAgrees)
{
    dWorldID reference = MakeOdeWorld();
    dBodyID rod = AddOdeRod(reference, 0.5);
    dJointID hinge = AddOdeHinge(reference, NULL, rod, 0);
    dJointSetHingeParam(hinge, dParamLoStop, (dReal)-2);
    dJointSetHingeParam(hinge, dParamHiStop, 0);
    dJointSetHingeParam(hinge, dParamBounce, 0);
    // Position correction in ODE adds speed: this fraction of the impact speed at a stop returns.
    dJointSetHingeParam(hinge, dParamStopERP, (dReal)0.001);
    dJointSetHingeParam(hinge, dParamStopCFM, (dReal)1e-9);
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId body = AddMass(world, V(0.5, 0, 0), 1, V(0.001, 1.0 / 12, 1.0 / 12));
    JoinHinge(world, theWorld, body, V(0, 0, 0), -2, 0);
    StoppedRod exact = {0, 0};
    double worst = 0, theirs = 0;
    for (int n = 0; n < 180; ++n)
    {
        tdWorld_Step(world, (float)STEP);
        for (int k = 0; k < 128; ++k)
        {
            dWorldStep(reference, (dReal)ODE_STEP);
        }
        worst = fmax(worst, DistanceTo(world, body, rod));
        AdvanceStoppedRod(&exact, -2);
        const dReal* p = dBodyGetPosition(rod);
        theirs =
            fmax(theirs, hypot((double)p[0] - 0.5 * cos(exact.angle), (double)p[1] - 0.5 * sin(exact.angle)));
    }
    // Half a sub-step of the centre, at up to sqrt(3 g) / 2 m/s, and ODE's own error.
    double half = 0.5 * SUB_STEP * 0.5 * sqrt(3 * GRAVITY);
    // ODE detects the stop up to one of its steps late.
    ENSURE_NEAR(theirs, 0, 0.5 * OffAfterGive(-2, ODE_STEP * sqrt(3 * GRAVITY)));
    ENSURE_NEAR(worst, 0, half + theirs);
    tdDestroyWorld(world);
    CloseOde(reference);
}

TEST_MAIN(RUN(DoublePendulumsAgree) RUN(AHingeWithStopsAgrees))
