// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests that rigid joints do no work: frames that start apart move together at the speed of the recovery law
// and leave the bodies at rest, and random assemblies, nets and single stops gain no energy. Every measure of
// decision 073 has a test here that fails without it.
#include "harness.h"
#include "joints.h"

#include <stdlib.h>

/// Rigid rows may return stored work up to this fraction of the kinetic energy (decision 073).
#define WORK_CREDIT 0.01

static tdWorld* MakeStill(void)
{
    return MakeWorld(V(0, 0, 0), false);
}

static uint32_t seed = 9;

static double Draw(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

static tdVec3 DrawVector(double size)
{
    double x = Draw(-size, size), y = Draw(-size, size), z = Draw(-size, size);
    return V(x, y, z);
}

static double SumEnergy(const tdWorld* world, const tdBodyId* bodies, int bodyCount)
{
    double energy = 0;
    for (int i = 0; i < bodyCount; ++i)
    {
        energy += Energy(world, bodies[i]);
    }
    return energy;
}

// Frames that start apart.

typedef struct ApartKind
{
    tdJointLimit limits[3];
    int limitCount;
    double speed; // of recovery, m/s
    double range; // of the first limit
} ApartKind;

typedef struct ApartCase
{
    double distance, mass, arm;
    int side; // partner of the body: 0 another body, 1 the world, 2 a kinematic body
} ApartCase;

/// The body starts 0.7 rad and a distance away from its target, at rest.
static void DrawTogether(const ApartKind* kind, const ApartCase* at)
{
    tdWorld* world = MakeStill();
    tdBodyId a = theWorld, b = AddBallMass(world, V(0, 0, 0), at->mass, 0.3);
    if (at->side != 1)
    {
        a = at->side == 0 ? AddBallMass(world, V(0, 0, 0), 1, 0.3)
                          : AddBody(world, TD_MOTION_KINEMATIC, V(0, 0, 0), noTurn);
    }
    double far = at->distance + kind->range;
    bool isOneAxis = kind->limits[0].linearAxes == TD_AXIS_Z;
    tdVec3 away = isOneAxis ? V(0, 0, far) : V(0, 0.6 * far, 0.8 * far);
    tdQuat turn = Turn(0, 0.6, 0.8, 0.7);
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = a;
    def.bodyB = b;
    def.frameA.position = V(at->arm, 0, 0);
    def.frameB.position = V(0, 0.7 * at->arm, 0.2 * at->arm);
    def.limits = kind->limits;
    def.limitCount = kind->limitCount;
    tdJointId joint = tdCreateJoint(world, &def);
    tdVec3 center = tdSub(tdAdd(def.frameA.position, away), RotateBy(turn, def.frameB.position));
    tdBody_SetTransform(world, b, (tdTransform){center, turn});
    // The recovery law: a fraction of the error per sub-step, w / (2 z + w h) with w h = pi / 2 and z = 2,
    // but at most the speed.
    double share = 0.5 * PI / (4 + 0.5 * PI), error = at->distance, fastest = 0, off = 0, jump = 0;
    int steps = (int)((at->distance / kind->speed + 0.5) / STEP);
    for (int n = 0; n < steps; ++n)
    {
        double before = (double)tdJoint_GetLimitValue(world, joint, 0);
        tdWorld_Step(world, (float)STEP);
        for (int k = 0; k < 4; ++k)
        {
            error -= fmin(kind->speed * SUB_STEP, share * error);
        }
        double value = (double)tdJoint_GetLimitValue(world, joint, 0);
        off = fmax(off, fabs(value - kind->range - error));
        jump = fmax(jump, fabs(value - before));
        double v = at->side == 0 ? Length(tdBody_GetLinearVelocity(world, a)) : 0;
        fastest = fmax(fastest, fmax(v, Length(tdBody_GetLinearVelocity(world, b))));
    }
    // The path follows the law, except for the rotation within a sub-step (0.7 rad at up to 8 rad/s).
    ENSURE_NEAR(off, 0, 0.1 * at->distance);
    ENSURE(jump < 1.1 * kind->speed * STEP);
    // All of the correction's speed is removed again; the rest is rounding, a thousandth of it here.
    ENSURE_NEAR(fastest, 0, 2e-3 * 4.0);
    for (int i = 0; i < kind->limitCount; ++i)
    {
        double value = (double)tdJoint_GetLimitValue(world, joint, i), slack = i == 0 ? 1e-3 : 2e-3;
        ENSURE(value < (double)kind->limits[i].max + slack);
    }
    tdDestroyWorld(world);
}

TEST(SeparatedFramesCloseAtTheRecoverySpeed)
{
    const tdJointLimit point = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                       still = tdMakeAngularLimit(TD_AXIS_ALL, 0, 0);
    const ApartKind kinds[7] = {
        {{point}, 1, 4, 0},                                                                     // ball
        {{point, still}, 2, 4, 0},                                                              // fixed
        {{point, tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)}, 2, 4, 0},                    // hinge
        {{tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0), still}, 2, 4, 0},                     // slider
        {{point, tdMakeAngularLimit(6, 0, 0.5f), tdMakeAngularLimit(1, -0.2f, 0.2f)}, 3, 4, 0}, // ragdoll
        {{tdMakeLinearLimit(TD_AXIS_ALL, 0, 0.1f)}, 1, 1, 0.1},                                 // rope
        {{tdMakeLinearLimit(TD_AXIS_Z, -0.1f, 0.1f)}, 1, 1, 0.1},                               // stop
    };
    const double distances[3] = {0.1, 1, 4}, masses[3] = {1, 20, 1000}, arms[3] = {0, 0.2, 1};
    for (int i = 0; i < 7; ++i)
    {
        for (int k = 0; k < 27; ++k)
        {
            // Each distance with each mass and arm, alternating sides; the longest distance only for one
            // mass.
            ApartCase at = {distances[k % 3], masses[k / 3 % 3], arms[k / 9], (k + k / 3 + k / 9 + i) % 3};
            if (at.distance < 2 || at.mass == 20)
            {
                DrawTogether(kinds + i, &at);
            }
        }
    }
}

TEST(TeleportedBodiesReturnWithoutEnergy)
{
    // The same for an intact, sleeping joint whose body is teleported; teleporting a static partner wakes the
    // attached bodies.
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), true);
        tdBodyId post = AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn);
        tdBodyId ball = AddBallMass(world, V(0.5, 0, 0), 2, 0.3);
        tdJointId joint = JoinBall(world, post, ball, V(0.2, 0, 0));
        StepFor(world, 2);
        ENSURE(!tdBody_IsAwake(world, ball));
        tdBody_SetTransform(world, i == 0 ? ball : post, (tdTransform){V(1, 1, 0), noTurn});
        ENSURE(tdBody_IsAwake(world, ball));
        double fastest = 0;
        for (int n = 0; n < 60; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            fastest = fmax(fastest, Length(tdBody_GetLinearVelocity(world, ball)));
        }
        ENSURE(tdJoint_GetLimitValue(world, joint, 0) < 1e-3f);
        ENSURE_NEAR(fastest, 0, 2e-3 * 4.0);
        tdDestroyWorld(world);
    }
}

TEST(SeparatedJointsResumeFromSavedStates)
{
    // Saved during the recovery, and after it.
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeStill();
        tdBodyId a = AddBallMass(world, V(0, 0, 0), 1, 0.3), b = AddBallMass(world, V(1, 0, 0), 2, 0.3);
        JoinBall(world, a, b, V(0.5, 0.2, 0));
        tdBody_SetTransform(world, b, (tdTransform){V(2, 0.3, 0), noTurn});
        StepFor(world, i == 0 ? 0.1 : 0.6);
        size_t size = tdWorld_SaveState(world, NULL, 0);
        void* data = malloc(size);
        ENSURE(tdWorld_SaveState(world, data, size) == size);
        StepFor(world, 0.5);
        uint64_t hash = tdWorld_GetStateHash(world);
        tdWorld* twin = MakeStill();
        ENSURE(tdWorld_LoadState(twin, data, size));
        StepFor(twin, 0.5);
        ENSURE(hash == tdWorld_GetStateHash(twin));
        free(data);
        tdDestroyWorld(twin);
        tdDestroyWorld(world);
    }
}

// Energy.

/// A joint of a random type whose frames coincide.
static tdJointId JoinAtRandom(tdWorld* world, const tdBodyId* bodies, int bodyCount)
{
    // One draw per statement: the order of evaluation must not choose the sample.
    int a = (int)floor(Draw(-1, bodyCount));
    int b = (int)Draw(0, bodyCount);
    unsigned linear = (unsigned)Draw(1, 8);
    unsigned angular = (unsigned)Draw(1, 8);
    float high = (float)(int)Draw(0, 2);
    float wide = (float)(int)Draw(0, 2);
    int limitCount = (int)Draw(1, 3);
    tdJointLimit limits[2] = {tdMakeLinearLimit(linear, linear == 7 ? 0.0f : -0.1f, high),
                              tdMakeAngularLimit(angular, -0.5f, wide)};
    if (a == b)
    {
        return (tdJointId){0, 0};
    }
    return JoinAt(world, a < 0 ? theWorld : bodies[a], bodies[b], Position(world, bodies[b]), noTurn, limits,
                  limitCount, NULL, 0);
}

/// Bodies of 1 to 100 kg without gravity, with random impulses; joints of all types with coincident frames
/// are created and destroyed at random, including loops, two joints on a pair and long arms.
static void RunAssembly(int round)
{
    enum
    {
        MOST_BODIES = 8,
        MOST_JOINTS = 12
    };
    seed = 9u + 7919u * (uint32_t)round;
    tdWorld* world = MakeStill();
    tdBodyId bodies[MOST_BODIES];
    tdJointId joints[MOST_JOINTS];
    int bodyCount = round % 4 == 3 ? 3 + round % 5 : MOST_BODIES, jointCount = 0;
    int pause = round % 3 == 2 ? 4 : 10; // steps between changes of joints
    double knocked = 0, most = 0;
    for (int i = 0; i < bodyCount; ++i)
    {
        tdVec3 place = DrawVector(1);
        bodies[i] = AddBallMass(world, place, exp(Draw(0, 4.6)), 0.3);
    }
    for (int n = 0; n < 300; ++n)
    {
        if (n % pause == 0 && jointCount < MOST_JOINTS)
        {
            joints[jointCount] = JoinAtRandom(world, bodies, bodyCount);
            jointCount += joints[jointCount].index1 != 0 ? 1 : 0;
        }
        if (n % 37 == 36 && jointCount > 4)
        {
            int k = (int)Draw(0, jointCount);
            tdDestroyJoint(world, joints[k]);
            joints[k] = joints[--jointCount];
        }
        if (n < 150 && n % 30 == 0)
        {
            int k = (int)Draw(0, bodyCount);
            tdBody_ApplyImpulseToCenter(world, bodies[k], DrawVector(20));
            knocked = SumEnergy(world, bodies, bodyCount);
            most = fmax(most, knocked);
        }
        tdWorld_Step(world, (float)STEP);
        // Since the impulse rigid rows do no work in sum, except for stored work that they may return: at
        // most a hundredth of the kinetic energy at that time.
        double energy = SumEnergy(world, bodies, bodyCount);
        ENSURE(energy <= knocked + WORK_CREDIT * most);
        most = fmax(most, energy);
    }
    tdDestroyWorld(world);
}

TEST(CreatingAndDestroyingJointsGainsNoEnergy)
{
#if defined(NDEBUG)
    const int rounds = 60;
#else
    const int rounds = 6;
#endif
    for (int round = 0; round < rounds; ++round)
    {
        RunAssembly(round);
    }
    // Without the work counter the bound is exceeded by 2.5 % (8); without trees for joints whose frames can
    // separate by 1.3 and 1.4 % (162, 233).
    RunAssembly(8);
    RunAssembly(162);
    RunAssembly(233);
}

TEST(ATwistWithoutAConeGainsNoEnergy)
{
    // Half a turn of swing makes the twist jump and reverses its stop: two bodies spin about a common point
    // with only a stop on the twist. Solved iteratively they gain 5 % (99).
    const uint32_t rounds[4] = {99, 147, 81, 3};
    for (int i = 0; i < 4; ++i)
    {
        seed = 1234u + 7919u * rounds[i];
        DrawVector(1);
        Draw(0, 1);
        tdWorld* world = MakeStill();
        tdBodyId b = AddBallMass(world, V(0, 0, 0), 1, 0.3), a = AddBallMass(world, V(0, 0, 0), 1, 0.3);
        const tdBodyId bodies[2] = {a, b};
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X, -0.5f, 0.5f)};
        JoinAt(world, a, b, V(0, 0, 0), noTurn, limits, 2, NULL, 0);
        tdBody_SetAngularVelocity(world, b, DrawVector(15));
        tdBody_SetAngularVelocity(world, a, DrawVector(5));
        double start = SumEnergy(world, bodies, 2), least = start;
        for (int n = 0; n < 120; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            double energy = SumEnergy(world, bodies, 2);
            least = fmin(least, energy);
            ENSURE(energy <= (1 + 1e-5) * start);
            ENSURE(energy <= least + WORK_CREDIT * start);
        }
        tdDestroyWorld(world);
    }
}

TEST(RemovingOpposedSupportsGainsNoEnergy)
{
    // Three links of 1 kg extend horizontally from a wall. A ball joint and a line lock 1 cm behind it hold
    // each; they carry the moment of everything beyond, one up, one down: 2200 N at the wall. When the line
    // locks are destroyed, the ball joints must not apply that impulse: 2200 N for a sub-step are 9 m/s.
    enum
    {
        COUNT = 3
    };
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        tdBodyId links[COUNT];
        tdJointId balls[COUNT], lines[COUNT];
        tdJointLimit line = tdMakeLinearLimit(TD_AXIS_Y, 0, 0);
        for (int k = 0; k < COUNT; ++k)
        {
            links[k] = AddBallMass(world, V(0.25 + 0.5 * k, 0, 0), 1, 0.3);
            tdBodyId inner = k == 0 ? theWorld : links[k - 1];
            balls[k] = JoinBall(world, inner, links[k], V(0.5 * k, 0, 0));
            lines[k] = JoinAt(world, inner, links[k], V(0.5 * k - 0.01, 0, 0), noTurn, &line, 1, NULL, 0);
        }
        StepFor(world, 0.5);
        double load = GRAVITY * (0.25 + 0.75 + 1.25) / 0.01, start = SumEnergy(world, links, COUNT);
        ENSURE_NEAR(tdJoint_GetForce(world, lines[0]).y, -load, 0.05 * load);
        ENSURE_NEAR(tdJoint_GetForce(world, balls[0]).y, load + 3 * GRAVITY, 0.05 * load);
        for (int k = 0; k < COUNT; ++k)
        {
            if (i == 0)
            {
                tdDestroyJoint(world, lines[k]);
            }
            else
            {
                tdJoint_SetLimit(world, lines[k], 0, tdMakeLinearLimit(TD_AXIS_Y, -INFINITY, INFINITY));
            }
        }
        for (int n = 0; n < 60; ++n)
        {
            tdWorld_Step(world, (float)STEP);
            // It swings; the energy of the scheme oscillates by half a sub-step of the fall.
            double fall = 3 * GRAVITY * sqrt(2 * GRAVITY * 1.25);
            ENSURE(SumEnergy(world, links, COUNT) < start + 0.5 * SUB_STEP * fall);
        }
        tdDestroyWorld(world);
    }
}

/// A net of balls joined to their neighbours, rotating as a whole with a small internal motion.
static void RunNet(int width, int height, bool isRing, unsigned turnAxes, double ratio, int steps)
{
    enum
    {
        MOST = 400
    };
    static tdBodyId bodies[MOST];
    tdWorld* world = MakeStill();
    int count = width * height;
    double radius = isRing ? count * 0.2 / (2 * PI) : 0;
    tdVec3 middle = V(0.1 * (width - 1), 0.1 * (height - 1), 0), spin = V(2, 1, 2.5);
    seed = 77;
    for (int i = 0; i < count; ++i)
    {
        double angle = 2 * PI * i / count, mass = exp(Draw(0, log(ratio)));
        tdVec3 place = isRing ? tdAdd(middle, V(radius * cos(angle), radius * sin(angle), 0))
                              : V(0.2 * (i % width), 0.2 * (i / width), 0);
        bodies[i] = AddBallMass(world, place, mass, 0.1);
    }
    tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(turnAxes, 0, 0)};
    for (int i = 0; i < count; ++i)
    {
        bool isLast = (i + 1) % width == 0;
        const int others[2] = {isLast ? (isRing ? 0 : -1) : i + 1, i + width < count ? i + width : -1};
        for (int k = 0; k < 2; ++k)
        {
            if (others[k] >= 0)
            {
                tdVec3 both = tdAdd(Position(world, bodies[i]), Position(world, bodies[others[k]]));
                JoinAt(world, bodies[i], bodies[others[k]], tdScale(0.5f, both), noTurn, limits,
                       turnAxes != 0 ? 2 : 1, NULL, 0);
            }
        }
        tdVec3 noise = DrawVector(0.5), arm = tdSub(Position(world, bodies[i]), middle);
        tdBody_SetAngularVelocity(world, bodies[i], spin);
        tdBody_SetLinearVelocity(world, bodies[i], tdAdd(noise, tdCross(spin, arm)));
    }
    double start = SumEnergy(world, bodies, count), least = start, energy = start;
    for (int n = 0; n < steps; ++n)
    {
        tdWorld_Step(world, (float)STEP);
        energy = SumEnergy(world, bodies, count);
        least = fmin(least, energy);
        ENSURE(energy <= (1 + 1e-5) * start);
        // Iterated rows are springs of zero length: the energy they hold returns, no more than a tree's
        // credit.
        ENSURE(energy <= least + WORK_CREDIT * start);
    }
    ENSURE(energy > 0.5 * start); // it still rotates
    tdDestroyWorld(world);
}

TEST(ClosedChainsAndNetsGainNoEnergy)
{
    // A closed chain of 60: three or five rows close it. Nets of 25 and 361 meshes have more loop rows than a
    // tree accepts, so they are iterated for any masses.
    RunNet(60, 1, true, 0, 1, 90);
    RunNet(60, 1, true, TD_AXIS_X | TD_AXIS_Y, 100, 90);
    RunNet(6, 6, false, 0, 1, 120);
    RunNet(6, 6, false, TD_AXIS_X | TD_AXIS_Y, 100, 120);
    RunNet(6, 6, false, TD_AXIS_ALL, 100, 60);
    RunNet(20, 20, false, 0, 1, 40);
}

TEST_MAIN(RUN(SeparatedFramesCloseAtTheRecoverySpeed) RUN(TeleportedBodiesReturnWithoutEnergy)
              RUN(SeparatedJointsResumeFromSavedStates) RUN(CreatingAndDestroyingJointsGainsNoEnergy)
                  RUN(ATwistWithoutAConeGainsNoEnergy) RUN(RemovingOpposedSupportsGainsNoEnergy)
                      RUN(ClosedChainsAndNetsGainNoEnergy))
