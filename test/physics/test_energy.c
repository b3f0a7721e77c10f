// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests that energy does not grow: random bodies on random joints under gravity, random collisions without
// gravity, and the joint scenes with specified errors.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/bodies.h"
#include "scenes/setup.h"

static uint32_t randomState = 31;

static double NextDouble(double low, double high)
{
    randomState = randomState * 1664525u + 1013904223u;
    return low + (high - low) * (double)(randomState >> 8) / 16777216.0;
}

static double TotalEnergy(const tdSetupWorld* instance)
{
    double energy = 0;
    for (int i = 0; i < instance->setup->bodyCount; ++i)
    {
        if (instance->setup->bodies[i].motion == TD_MOTION_DYNAMIC)
        {
            energy += Energy(instance->world, instance->bodies[i]);
        }
    }
    return energy;
}

/// One draw per statement, because the compiler chooses the order in which arguments are evaluated.
static tdVec3 NextVector(double size)
{
    tdVec3 v;
    v.x = (float)NextDouble(-size, size);
    v.y = (float)NextDouble(-size, size);
    v.z = (float)NextDouble(-size, size);
    return v;
}

static tdQuat RandomTurn(void)
{
    return Turn(0, 0.6, 0.8, NextDouble(0, 2 * PI));
}

TEST(RandomJointTreesGainNoEnergy)
{
    static const tdSetupJointKind kinds[4] = {TD_SETUP_JOINT_BALL, TD_SETUP_JOINT_RAGDOLL,
                                              TD_SETUP_JOINT_HINGE, TD_SETUP_JOINT_FIXED};
    for (int round = 0; round < 5; ++round)
    {
        tdSetup* setup = tdCreateEmptySetup("tree");
        int box = tdSetup_AddBox(setup, 0.4f, 0.1f, 0.15f);
        for (int i = 0; i < 10; ++i)
        {
            // A random tree: the parent is an earlier body or the world; pivots coincide at the start.
            int parent = i == 0 ? -1 : (int)NextDouble(0, i);
            tdQuat turn = RandomTurn();
            tdVec3 pivot = parent < 0 ? V(0, 10, 0) : setup->bodies[parent].transform.position;
            tdVec3 tip =
                parent < 0 ? V(0, 0, 0) : RotateBy(setup->bodies[parent].transform.rotation, V(0.45, 0, 0));
            pivot = (tdVec3){pivot.x + tip.x, pivot.y + tip.y, pivot.z + tip.z};
            tdVec3 arm = RotateBy(turn, V(0.45, 0, 0));
            int body =
                tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box,
                                      (tdVec3){pivot.x + arm.x, pivot.y + arm.y, pivot.z + arm.z}, turn);
            setup->bodies[body].density = (float)NextDouble(300, 3000);
            setup->bodies[body].category = 2;
            setup->bodies[body].mask = 0xfffd;
            // Frame A is rotated so that both frames coincide at the start.
            tdQuat a = parent < 0 ? noTurn : setup->bodies[parent].transform.rotation,
                   inverse = {-a.x, -a.y, -a.z, a.w};
            tdQuat relative = {
                inverse.w * turn.x + inverse.x * turn.w + inverse.y * turn.z - inverse.z * turn.y,
                inverse.w * turn.y - inverse.x * turn.z + inverse.y * turn.w + inverse.z * turn.x,
                inverse.w * turn.z + inverse.x * turn.y - inverse.y * turn.x + inverse.z * turn.w,
                inverse.w * turn.w - inverse.x * turn.x - inverse.y * turn.y - inverse.z * turn.z};
            tdTransform frameA = {parent < 0 ? pivot : V(0.45, 0, 0), relative},
                        frameB = {V(-0.45, 0, 0), noTurn};
            int joint = tdSetup_AddJoint(setup, kinds[(int)NextDouble(0, 4)], parent, body, frameA, frameB);
            setup->joints[joint].cone = 0.8f;
            setup->joints[joint].lower = -0.7f;
            setup->joints[joint].upper = 0.7f;
        }
        tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
        double start = TotalEnergy(&instance), most = start, swing = 0;
        for (int i = 0; i < 360; ++i)
        {
            tdSetupWorld_Step(&instance);
            most = fmax(most, TotalEnergy(&instance));
        }
        for (int i = 0; i < setup->bodyCount; ++i)
        {
            swing += (double)tdBody_GetMass(instance.world, instance.bodies[i]).mass * GRAVITY * 2;
        }
        // `swing` is the energy of a fall by two metres, which the motion keeps exchanging. Position
        // correction may return a hundredth of it.
        ENSURE(most < start + 0.01 * swing);
        tdDestroySetupWorld(&instance);
        tdDestroySetup(setup);
    }
}

TEST(RandomCollisionsGainNoEnergy)
{
    for (int round = 0; round < 4; ++round)
    {
        tdSetup* setup = tdCreateEmptySetup("gas");
        setup->gravity = V(0, 0, 0);
        int shapes[3] = {tdSetup_AddSphere(setup, 0.3f), tdSetup_AddBox(setup, 0.25f, 0.3f, 0.2f),
                         tdSetup_AddCapsule(setup, 0.2f, 0.2f, 0.2f)};
        for (int i = 0; i < 27; ++i)
        {
            int body =
                tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[i % 3],
                                      V(1.2 * (i % 3), 1.2 * (i / 3 % 3), 1.2 * (i / 9)), RandomTurn());
            // Towards the centre.
            tdVec3 noise = NextVector(1), spin = NextVector(3);
            setup->bodies[body].linearVelocity =
                tdAdd(V(-2 * (i % 3 - 1), -2 * (i / 3 % 3 - 1), -2 * (i / 9 - 1)), noise);
            setup->bodies[body].angularVelocity = spin;
            setup->bodies[body].restitution = (float)NextDouble(0, 1);
        }
        tdSetupWorld instance = tdInstantiateSetup(setup, NULL);
        double before = TotalEnergy(&instance), start = before;
        for (int i = 0; i < 180; ++i)
        {
            tdSetupWorld_Step(&instance);
            double energy = TotalEnergy(&instance);
            ENSURE(energy <=
                   before *
                       1.002); // friction and restitution only dissipate; rounding and recovery may add 0.2 %
            before = energy;
        }
        ENSURE(before < 0.9 * start); // collisions occurred
        tdDestroySetupWorld(&instance);
        tdDestroySetup(setup);
    }
}

TEST_MAIN(RUN(RandomJointTreesGainNoEnergy) RUN(RandomCollisionsGainNoEnergy))
