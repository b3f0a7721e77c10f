// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Labels: threads
//
// Tests of joint trees that carry many times their own mass: they hold, settle and gain no energy, and their
// limits, springs and drives follow their formulas. Results are bit-identical for every width and number of
// workers.
#include "harness.h"
#include "joints.h"

#include "base/platform.h"

#include <stdlib.h>

#define MAX_LINKS 24

typedef struct Chain
{
    tdWorld* world;
    tdBodyId links[MAX_LINKS];
    tdJointId joints[MAX_LINKS];
    int count;
    double length; // of one link
} Chain;

/// Links of 1 kg along `direction`, the last one with the given mass. stop < 0: ball joints, else hinges with
/// stops.
static Chain MakeChain(const tdWorldDef* def, tdVec3 direction, int count, double heavy, double stop)
{
    Chain chain = {.world = tdCreateWorld(def), .count = count, .length = 0.2};
    for (int i = 0; i < count; ++i)
    {
        bool isLast = i == count - 1;
        double mass = isLast ? heavy : 1.0, inertia = chain.length * chain.length / 12;
        tdVec3 center = tdScale((float)(chain.length * (i + 0.5)), direction);
        tdVec3 pivot = tdScale((float)(chain.length * i), direction);
        chain.links[i] = isLast ? AddBallMass(chain.world, center, mass, 0.2)
                                : AddMass(chain.world, center, mass, V(inertia, inertia, inertia));
        tdBodyId previous = i == 0 ? theWorld : chain.links[i - 1];
        chain.joints[i] = stop < 0 ? JoinBall(chain.world, previous, chain.links[i], pivot)
                                   : JoinHinge(chain.world, previous, chain.links[i], pivot, -stop, stop);
    }
    return chain;
}

static tdWorldDef Awake(void)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.enableSleep = false;
    return def;
}

/// Stretch of the chain beyond the length of its links, m.
static double Stretch(const Chain* chain)
{
    double sum = 0;
    for (int i = 0; i < chain->count; ++i)
    {
        sum += (double)tdJoint_GetLimitValue(chain->world, chain->joints[i], 0);
    }
    return sum;
}

static double TotalEnergy(const Chain* chain)
{
    double sum = 0;
    for (int i = 0; i < chain->count; ++i)
    {
        sum += Energy(chain->world, chain->links[i]);
    }
    return sum;
}

/// Sum of the absolute momenta of the links, N s.
static double TotalMomentum(const Chain* chain)
{
    double sum = 0;
    for (int i = 0; i < chain->count; ++i)
    {
        sum += (double)tdBody_GetMass(chain->world, chain->links[i]).mass *
               Length(tdBody_GetLinearVelocity(chain->world, chain->links[i]));
    }
    return sum;
}

TEST(AHeavyBallHangsOnALightChain)
{
    tdWorldDef def = Awake();
    for (int i = 0; i < 2; ++i)
    {
        Chain chain = MakeChain(&def, V(0, -1, 0), 20, i == 0 ? 100 : 1000, -1);
        double worst = 0, weight = ((i == 0 ? 100 : 1000) + 19) * GRAVITY;
        for (int n = 0; n < 240; ++n)
        {
            tdWorld_Step(chain.world, (float)STEP);
            worst = fmax(worst, Stretch(&chain));
        }
        ENSURE(worst < 0.001 * 4.0); // the limit: 1 %
        ENSURE_NEAR(Length(tdBody_GetLinearVelocity(chain.world, chain.links[19])), 0, 1e-5);
        ENSURE_NEAR(tdJoint_GetForce(chain.world, chain.joints[0]).y, weight, 1e-3 * weight);
        ENSURE_NEAR(tdJoint_GetForce(chain.world, chain.joints[19]).y, weight - 19 * GRAVITY, 1e-3 * weight);
        tdDestroyWorld(chain.world);
    }
}

TEST(AHeavyBallSwingsOnALightChain)
{
    // Released from horizontal. The chain whips; it must not stretch by a hundredth, and must not gain
    // energy.
    tdWorldDef def = Awake();
    const struct
    {
        int count;
        double heavy, stop, stretch;
    } cases[4] = {{20, 100, -1, 0.01}, {20, 100, 0.3, 0.01}, {2, 1000, -1, 0.005}, {10, 1000, -1, 0.01}};
    for (int i = 0; i < 4; ++i)
    {
        Chain chain = MakeChain(&def, V(1, 0, 0), cases[i].count, cases[i].heavy, cases[i].stop);
        double worst = 0, start = TotalEnergy(&chain);
        double scale = cases[i].heavy * GRAVITY * chain.length * chain.count; // the exchanged energy
        for (int n = 0; n < 300; ++n)
        {
            tdWorld_Step(chain.world, (float)STEP);
            worst = fmax(worst, Stretch(&chain));
            // Gravity acts on the velocity at the start of a sub-step, so the energy oscillates by up to the
            // work of gravity in a sub-step; the whip of the last links adds 0.2 %.
            double slack = SUB_STEP * GRAVITY * TotalMomentum(&chain);
            ENSURE(TotalEnergy(&chain) < start + slack + 0.0025 * scale);
        }
        ENSURE_NEAR(worst / (chain.length * chain.count), 0, cases[i].stretch);
        // It still swings: the exchange continues.
        ENSURE(cases[i].stop > 0 || TotalEnergy(&chain) > start - 0.3 * scale);
        for (int k = 0; cases[i].stop > 0 && k < chain.count; ++k)
        {
            ENSURE_NEAR(tdJoint_GetLimitValue(chain.world, chain.joints[k], 2), 0, cases[i].stop + 0.01);
        }
        tdDestroyWorld(chain.world);
    }
}

TEST(HeavyOnLightSwingsLikeAPendulum)
{
    // 1 kg carries 1000 kg on a nearly massless arm: the period is that of the heavy ball, 2 pi sqrt(l / g)
    // with l the distance of its centre, within the contribution of the light body and the ball's inertia.
    tdWorldDef def = Awake();
    tdWorld* world = tdCreateWorld(&def);
    double angle = 0.1, length = 1.5, radius = 0.1;
    tdVec3 along = V(sin(angle), -cos(angle), 0);
    tdBodyId rod = AddMass(world, tdScale(0.5f, along), 1, V(1.0 / 12, 1.0 / 12, 1.0 / 12));
    tdBodyId ball = AddBallMass(world, tdScale((float)length, along), 1000, radius);
    tdJointId top = JoinBall(world, theWorld, rod, V(0, 0, 0));
    JoinHinge(world, rod, ball, along, 0, 0); // welded: a hinge whose stops meet
    double before = (double)Position(world, ball).x, first = -1, last = -1, worst = 0;
    int passages = 0;
    for (int n = 1; n <= 60 * 11; ++n)
    {
        tdWorld_Step(world, (float)STEP);
        double x = (double)Position(world, ball).x;
        worst = fmax(worst, (double)tdJoint_GetLimitValue(world, top, 0));
        if (before > 0 && x <= 0)
        {
            last = (n - 1 + before / (before - x)) * STEP;
            first = passages == 0 ? last : first;
            passages += 1;
        }
        before = x;
    }
    double inertia = 1.0 / 3 + 1000 * (length * length + 0.4 * radius * radius);
    double moment = 0.5 * 1 + length * 1000;
    double expected = 2 * PI * sqrt(inertia / (moment * GRAVITY)) * (1 + angle * angle / 16);
    ENSURE(passages >= 3);
    ENSURE_NEAR((last - first) / (passages - 1), expected, 0.003 * expected);
    ENSURE(worst < 5e-4);
    tdDestroyWorld(world);
}

TEST(SpringsAndDrivesInTreesKeepTheirFormulas)
{
    // A light cart (1 kg) on a vertical slider; its spring or drive carries 200 kg below it.
    for (int i = 0; i < 3; ++i)
    {
        tdWorldDef def = Awake();
        tdWorld* world = tdCreateWorld(&def);
        double mass = 201, k = 20000, c = 1500;
        tdBodyId cart = AddBallMass(world, V(0, 0, 0), 1, 0.1),
                 load = AddBallMass(world, V(0, -1, 0), 200, 0.3);
        tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_ALL, 0, 0), tdMakeLinearLimit(TD_AXIS_Y, 0, 0)};
        limits[2].stiffness = (float)k;
        limits[2].damping = (float)c;
        tdJointDrive drive = MakeDrive(TD_DRIVE_LINEAR, TD_DRIVE_FORCE, TD_AXIS_Y);
        drive.stiffness = (float)k;
        drive.damping = (float)c;
        if (i == 2) // a brake that takes half of the weight
        {
            drive.stiffness = 0;
            drive.damping = 1e6f;
            drive.maxForce = (float)(0.5 * mass * GRAVITY);
        }
        tdJointId joint =
            JoinAt(world, theWorld, cart, V(0, 0, 0), noTurn, limits, i == 0 ? 3 : 2, &drive, i == 0 ? 0 : 1);
        JoinBall(world, cart, load, V(0, -0.1, 0));
        double worst = 0, fall = mass * GRAVITY / k, b = c / (2 * mass), w = sqrt(k / mass - b * b);
        for (int n = 1; n <= 180; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            // A damped oscillator; under a saturated brake it falls with g / 2.
            double t = n * STEP, y = (double)Position(world, cart).y;
            double expected = -fall * (1 - exp(-b * t) * (cos(w * t) + b / w * sin(w * t)));
            expected = i == 2 ? -0.25 * GRAVITY * t * t : expected;
            worst = i != 2 || n <= 60 ? fmax(worst, fabs(y - expected)) : worst;
        }
        // Half a sub-step of phase at the final speed, and a hundredth.
        double speed = i == 2 ? 0.5 * GRAVITY : fall * w;
        ENSURE_NEAR(worst, 0, 0.5 * SUB_STEP * speed + 0.01 * fall);
        if (i < 2)
        {
            ENSURE_NEAR(Position(world, cart).y, -fall, 0.01 * fall);
            tdVec3 force = i == 0 ? tdJoint_GetLimitReaction(world, joint, 2)
                                  : tdJoint_GetDriveReaction(world, joint, 0);
            ENSURE_NEAR(force.y, mass * GRAVITY, 0.01 * mass * GRAVITY);
        }
        else
        {
            ENSURE_NEAR(tdJoint_GetDriveReaction(world, joint, 0).y, 0.5 * mass * GRAVITY, 1);
        }
        tdDestroyWorld(world);
    }
}

TEST(MotorsLiftLoadsOnLightArms)
{
    // A motor at the shoulder of two light links that end in 50 kg: with the elbow held by a stop it needs m
    // g l to hold level; a bound above that holds, one below does not.
    for (int i = 0; i < 2; ++i)
    {
        tdWorldDef def = Awake();
        tdWorld* world = tdCreateWorld(&def);
        tdBodyId upper = AddMass(world, V(0.25, 0, 0), 0.5, V(0.01, 0.01, 0.01)),
                 lower = AddMass(world, V(0.75, 0, 0), 0.5, V(0.01, 0.01, 0.01)),
                 hand = AddBallMass(world, V(1, 0, 0), 50, 0.1);
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
        tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
        double load = (0.5 * 0.25 + 0.5 * 0.75 + 50) * GRAVITY;
        drive.damping = 1e6f;
        drive.maxForce = (float)(load * (i == 0 ? 1.05 : 0.95));
        tdJointId motor = JoinAt(world, theWorld, upper, V(0, 0, 0), noTurn, limits, 2, &drive, 1);
        tdJointId elbow = JoinHinge(world, upper, lower, V(0.5, 0, 0), 0, 1);
        JoinBall(world, lower, hand, V(1, 0, 0));
        StepFor(world, 1);
        double angle = (double)tdJoint_GetDriveValue(world, motor, 0);
        ENSURE_NEAR(tdJoint_GetLimitValue(world, elbow, 2), 0, 1e-3); // the stop holds the forearm level
        if (i == 0)
        {
            ENSURE_NEAR(angle, 0, 0.002);
            ENSURE_NEAR(tdJoint_GetDriveReaction(world, motor, 0).z, load, 0.01 * load);
            // The stop at the elbow carries the forearm: its torque about the elbow.
            double elbowLoad = (0.5 * 0.25 + 50 * 0.5) * GRAVITY;
            ENSURE_NEAR(tdLength(tdJoint_GetLimitReaction(world, elbow, 2)), elbowLoad, 0.01 * elbowLoad);
        }
        else
        {
            ENSURE(angle < -0.1);
        }
        tdDestroyWorld(world);
    }
}

TEST(BridgesAndDoublyHungDoorsShareTheirLoad)
{
    // Ten planks of 2 kg between two walls with 300 kg in the middle: each end carries half of it.
    tdWorldDef def = Awake();
    tdWorld* world = tdCreateWorld(&def);
    tdBodyId planks[10];
    tdJointId ends[2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 10; ++i)
    {
        // A sagging bridge along a lower circle arc, because a straight one cannot carry load.
        double a = (i - 4.5) * 0.2;
        planks[i] = AddMass(world, V(5 * sin(a), -5 * cos(a), 0), 2, V(0.2, 0.2, 0.2));
        double p = (i - 5) * 0.2;
        tdJointId joint =
            JoinBall(world, i == 0 ? theWorld : planks[i - 1], planks[i], V(5 * sin(p), -5 * cos(p), 0));
        ends[0] = i == 0 ? joint : ends[0];
    }
    ends[1] = JoinBall(world, theWorld, planks[9], V(5 * sin(1.0), -5 * cos(1.0), 0));
    tdBodyId load = AddBallMass(world, V(0, -5.5, 0), 300, 0.3);
    JoinBall(world, planks[4], load, V(0, -5, 0));
    // It sways forever, so the test uses momentum: the impulse of the ends is that of the weight plus the
    // current momentum.
    double given[2] = {0, 0}, weight = 320 * GRAVITY, time = 6, moving = 0;
    for (int n = 0; n < 360; ++n)
    {
        tdWorld_Step(world, (float)STEP);
        given[0] += STEP * (double)tdJoint_GetForce(world, ends[0]).y;
        given[1] += STEP * (double)tdJoint_GetForce(world, ends[1]).y;
    }
    for (int i = 0; i < 10; ++i)
    {
        moving += 2 * (double)tdBody_GetLinearVelocity(world, planks[i]).y;
    }
    moving += 300 * (double)tdBody_GetLinearVelocity(world, load).y;
    ENSURE_NEAR(given[0] + given[1], weight * time + moving, 0.002 * weight * time);
    ENSURE_NEAR(given[0], given[1], 0.1 * weight * time);
    ENSURE(tdJoint_GetLimitValue(world, ends[0], 0) < 1e-3f &&
           tdJoint_GetLimitValue(world, ends[1], 0) < 1e-3f);
    tdDestroyWorld(world);

    // A light door in two hinges (all rows twice) with 100 kg at its latch. The sum of both forces and
    // torques balances the load.
    world = tdCreateWorld(&def);
    tdBodyId door = AddMass(world, V(0.5, 1, 0), 5, V(0.4, 0.8, 0.4));
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0)};
    tdJointId low = JoinAt(world, theWorld, door, V(0, 0.2, 0), noTurn, limits, 2, NULL, 0);
    tdJointId high = JoinAt(world, theWorld, door, V(0, 1.8, 0), noTurn, limits, 2, NULL, 0);
    tdBodyId handle = AddBallMass(world, V(1, 0.5, 0), 100, 0.2);
    JoinBall(world, door, handle, V(1, 1, 0));
    StepFor(world, 2);
    tdVec3 f = tdAdd(tdJoint_GetForce(world, low), tdJoint_GetForce(world, high));
    ENSURE_NEAR(f.y, 105 * GRAVITY, 0.005 * 105 * GRAVITY);
    ENSURE_NEAR(f.x, 0, 0.005 * 105 * GRAVITY);
    // About the lower hinge: torques, and the upper force with its lever of 1.6 m.
    double torque = (double)tdJoint_GetTorque(world, low).z + (double)tdJoint_GetTorque(world, high).z -
                    1.6 * (double)tdJoint_GetForce(world, high).x;
    double load2 = (5 * 0.5 + 100 * 1) * GRAVITY;
    ENSURE_NEAR(torque, load2, 0.01 * load2);
    ENSURE_NEAR(Position(world, handle).y, 0.5, 2e-3);
    tdDestroyWorld(world);
}

TEST(TreesChangeWhileRunning)
{
    // A chain is cut, gets a loop, loses it, and becomes light: each change may select another solution
    // method, and the load stays attached.
    tdWorldDef def = Awake();
    Chain chain = MakeChain(&def, V(0, -1, 0), 8, 200, -1);
    StepFor(chain.world, 0.5);
    tdJointId loop = JoinBall(chain.world, chain.links[2], chain.links[4], V(0, -0.7, 0.1));
    StepFor(chain.world, 0.5);
    ENSURE(Stretch(&chain) < 1e-3);
    tdDestroyJoint(chain.world, loop);
    StepFor(chain.world, 1.0);
    ENSURE(Stretch(&chain) < 1e-3);
    tdBodyMass mass = tdBody_GetMass(chain.world, chain.links[7]);
    mass.mass = 1.0f;
    tdBody_SetMass(chain.world, chain.links[7], mass);
    StepFor(chain.world, 1.0);
    ENSURE(Stretch(&chain) < 0.01);
    mass.mass = 500.0f;
    tdBody_SetMass(chain.world, chain.links[7], mass);
    StepFor(chain.world, 1.0);
    ENSURE(Stretch(&chain) < 2e-3);
    // A joint in the middle breaks, and the upper part stays.
    tdJoint_SetBreakLimits(chain.world, chain.joints[4], 100.0f, INFINITY);
    StepFor(chain.world, 1.0);
    ENSURE(tdJoint_IsBroken(chain.world, chain.joints[4]));
    ENSURE(Position(chain.world, chain.links[7]).y < -4.0f);
    ENSURE(tdJoint_GetLimitValue(chain.world, chain.joints[0], 0) < 1e-3f);
    ENSURE_NEAR(tdJoint_GetForce(chain.world, chain.joints[0]).y, 4 * GRAVITY, 20);
    tdDestroyWorld(chain.world);
}

static uint64_t RunChains(tdSimd simd, int workers)
{
    tdWorldDef def = Awake();
    const tdTasks* tasks = workers > 1 ? tdCreateThreads(workers) : NULL;
    def.simd = simd;
    def.tasks = tasks;
    Chain chain = MakeChain(&def, V(1, 0, 0), 12, 100, 0.4);
    // Other bodies, so that the step is worth splitting, and a second and third tree.
    for (int i = 0; i < 260; ++i)
    {
        tdBodyId body = AddBallMass(chain.world, V(i % 20, 3, i / 20), i % 100 == 0 ? 50 : 1, 0.2);
        if (i % 100 == 0)
        {
            tdBodyId light = AddBallMass(chain.world, V(i % 20, 4, i / 20), 1, 0.2);
            JoinBall(chain.world, light, body, V(i % 20, 3.5, i / 20));
            JoinBall(chain.world, theWorld, light, V(i % 20, 4, i / 20));
        }
    }
    StepFor(chain.world, 0.75);
    uint64_t hash = tdWorld_GetStateHash(chain.world);
    tdDestroyWorld(chain.world);
    if (tasks != NULL)
    {
        tdDestroyThreads(tasks);
    }
    return hash;
}

TEST(TreesGiveTheSameBitsEverywhere)
{
    uint64_t hash = RunChains(TD_SIMD_SCALAR, 1);
    ENSURE(hash == RunChains(TD_SIMD_AUTO, 1));
    ENSURE(hash == RunChains(TD_SIMD_AUTO, 2));
    ENSURE(hash == RunChains(TD_SIMD_SSE2, 4));
}

TEST(TreesResumeFromSavedStates)
{
    tdWorldDef def = Awake();
    Chain chain = MakeChain(&def, V(1, 0, 0), 10, 100, 0.4);
    StepFor(chain.world, 0.5);
    size_t size = tdWorld_SaveState(chain.world, NULL, 0);
    void* data = malloc(size);
    ENSURE(tdWorld_SaveState(chain.world, data, size) == size);
    StepFor(chain.world, 0.5);
    uint64_t hash = tdWorld_GetStateHash(chain.world);
    ENSURE(tdWorld_LoadState(chain.world, data, size));
    StepFor(chain.world, 0.5);
    ENSURE(hash == tdWorld_GetStateHash(chain.world));
    tdWorld* twin = tdCreateWorld(&def);
    ENSURE(tdWorld_LoadState(twin, data, size));
    StepFor(twin, 0.5);
    ENSURE(hash == tdWorld_GetStateHash(twin));
    free(data);
    tdDestroyWorld(twin);
    tdDestroyWorld(chain.world);
}

static size_t allocations;

static void* CountingAllocate(void* context, size_t size, size_t alignment)
{
    (void)context;
    allocations += 1;
    return tdPlatform_Allocate(size, alignment);
}

static void CountingFree(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    tdPlatform_Free(memory);
}

TEST(WarmStepsAllocateNothing)
{
    tdAllocator allocator = {CountingAllocate, CountingFree, NULL};
    tdWorldDef def = Awake();
    def.allocator = &allocator;
    Chain chain = MakeChain(&def, V(1, 0, 0), 10, 100, 0.4);
    StepFor(chain.world, 0.1);
    size_t before = allocations;
    StepFor(chain.world, 1);
    ENSURE_EQUAL_INT(allocations, before);
    tdDestroyWorld(chain.world);
}

// A load of 10 to 1,000 kg below exactly vertical chains of thin links of 10 g swings like a pendulum of
// their length: x = v / w sin(w t). Geometric stiffness slows the turn of the links far below that about
// their axes.
TEST(LoadsOfVerticalChainsSwing)
{
    const int counts[] = {20, 36, 37, 200};
    const double widths[] = {0.2, 0.05, 0.02}, loads[] = {100, 1000, 10000};
    const double length = 0.1, mass = 0.01, speed = 0.5, time = 0.5;
    for (int i = 0; i < 4; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            for (int l = 0; l < 3; ++l)
            {
                tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
                tdBodyId last = theWorld;
                double thin = widths[k] * length * widths[k] * length, square = length * length;
                for (int n = 0; n < counts[i]; ++n)
                {
                    tdVec3 inertia =
                        V(mass / 12 * (thin + square), mass / 6 * thin, mass / 12 * (thin + square));
                    tdBodyId link = AddMass(world, V(0, -length * (n + 0.5), 0), mass, inertia);
                    JoinBall(world, last, link, V(0, -length * n, 0));
                    last = link;
                }
                tdBodyId load = AddBallMass(world, V(0, -length * counts[i], 0), loads[l] / 10, 0.05);
                JoinBall(world, last, load, V(0, -length * counts[i], 0));
                tdBody_SetLinearVelocity(world, load, V(speed, 0, 0));
                StepFor(world, time);
                double rate = sqrt(GRAVITY / (length * counts[i]));
                double want = speed / rate * sin(rate * time);
                ENSURE_NEAR(Position(world, load).x, want, 0.06 * want);
                tdDestroyWorld(world);
            }
        }
    }
}

TEST_MAIN(RUN(AHeavyBallHangsOnALightChain) RUN(AHeavyBallSwingsOnALightChain)
              RUN(HeavyOnLightSwingsLikeAPendulum) RUN(SpringsAndDrivesInTreesKeepTheirFormulas)
                  RUN(MotorsLiftLoadsOnLightArms) RUN(BridgesAndDoublyHungDoorsShareTheirLoad)
                      RUN(TreesChangeWhileRunning) RUN(TreesGiveTheSameBitsEverywhere)
                          RUN(TreesResumeFromSavedStates) RUN(WarmStepsAllocateNothing)
                              RUN(LoadsOfVerticalChainsSwing))
