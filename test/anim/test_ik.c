// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Inverse kinematics against closed forms in double, and against orocos-kdl where it is installed.
#include "harness.h"

#include "math/vecmath.h"
#include "runtime/builder.h"
#include "runtime/double_math.h"

#include "tendon/ik.h"

#include <math.h>

#if defined(TD_HAVE_KDL)
// Solves a leg of a ball joint and a hinge by the Levenberg-Marquardt method of KDL (ik_kdl.cpp).
// @return false if it did not converge
extern bool SolveLegWithKdl(double upper, double lower, const double target[3], double* kneeAngle,
                            double end[3]);
#endif

static tdVec3 RandomVector(uint64_t* seed, float size)
{
    return (tdVec3){size * (float)(2.0 * tdRandom(seed) - 1.0), size * (float)(2.0 * tdRandom(seed) - 1.0),
                    size * (float)(2.0 * tdRandom(seed) - 1.0)};
}

static double Distance(tdVec3 a, tdVec3 b)
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

// Interior angle at the middle joint.
static double AngleAt(tdVec3 root, tdVec3 middle, tdVec3 end)
{
    double a = Distance(root, middle), b = Distance(middle, end), c = Distance(root, end);
    double cosine = (a * a + b * b - c * c) / (2.0 * a * b);
    return acos(cosine < -1.0 ? -1.0 : cosine > 1.0 ? 1.0 : cosine);
}

TEST(TwoBonesReachTheirTarget)
{
    uint64_t seed = 5;
    for (int i = 0; i < 2000; ++i)
    {
        tdTwoBoneDef def = tdDefaultTwoBoneDef();
        def.root = RandomVector(&seed, 1.0f);
        def.middle = tdAdd(def.root, RandomVector(&seed, 1.0f));
        def.end = tdAdd(def.middle, RandomVector(&seed, 1.0f));
        float upper = tdDistance(def.root, def.middle), lower = tdDistance(def.middle, def.end);
        if (upper < 0.05f || lower < 0.05f)
        {
            continue;
        }
        float low = fabsf(upper - lower), share = (float)tdRandom(&seed);
        float reach = low + (upper + lower - low) * (0.02f + 0.96f * share);
        tdVec3 direction = tdNormalize(RandomVector(&seed, 1.0f));
        def.target = tdMulAdd(def.root, reach, direction);
        def.pole = i % 2 == 0 ? RandomVector(&seed, 1.0f) : tdVec3_zero;
        tdTwoBoneResult result = tdSolveTwoBone(&def);
        ENSURE_NEAR(result.distance, 0.0, 2e-6);
        ENSURE_NEAR(Distance(result.end, def.target), 0.0, 2e-6);
        ENSURE_NEAR(Distance(def.root, result.middle), (double)upper, 2e-6);
        ENSURE_NEAR(Distance(result.middle, result.end), (double)lower, 4e-6);
        // Law of cosines in double.
        double d = (double)reach, u = (double)upper, l = (double)lower;
        double angle = acos((u * u + l * l - d * d) / (2.0 * u * l));
        ENSURE_NEAR(AngleAt(def.root, result.middle, result.end), angle, 5e-3);
        // The turns carry the old bones to the new ones.
        tdVec3 first = tdRotate(result.rootTurn, tdSub(def.middle, def.root));
        tdVec3 second = tdRotate(result.middleTurn, tdSub(def.end, def.middle));
        ENSURE_NEAR(Distance(first, tdSub(result.middle, def.root)), 0.0, 5e-6);
        ENSURE_NEAR(Distance(second, tdSub(result.end, result.middle)), 0.0, 5e-6);
        // The middle joint is on the side of the pole.
        tdVec3 axis = tdNormalize(tdSub(def.target, def.root));
        tdVec3 bend = tdSub(result.middle, def.root), pole = def.pole;
        bend = tdMulSub(bend, tdDot(bend, axis), axis);
        pole = tdMulSub(pole, tdDot(pole, axis), axis);
        if (i % 2 == 0 && tdLength(bend) > 1e-3f && tdLength(pole) > 1e-2f)
        {
            ENSURE(tdDot(tdNormalize(bend), tdNormalize(pole)) > 0.999f);
        }
    }
}

TEST(LimbsAtTheirTargetStay)
{
    uint64_t seed = 9;
    for (int i = 0; i < 200; ++i)
    {
        tdTwoBoneDef def = tdDefaultTwoBoneDef();
        def.middle = RandomVector(&seed, 1.0f);
        def.end = tdAdd(def.middle, RandomVector(&seed, 1.0f));
        def.target = def.end;
        tdTwoBoneResult result = tdSolveTwoBone(&def);
        ENSURE_NEAR(tdAngleBetween(result.rootTurn, tdQuat_identity), 0.0, 2e-3);
        ENSURE_NEAR(tdAngleBetween(result.middleTurn, tdQuat_identity), 0.0, 2e-3);
        ENSURE_NEAR(result.distance, 0.0, 1e-5);
    }
}

TEST(ReachAndAnglesAreLimited)
{
    tdTwoBoneDef def = tdDefaultTwoBoneDef();
    def.middle = (tdVec3){0.4f, -0.3f, 0.0f};
    def.end = (tdVec3){0.8f, 0.0f, 0.0f}; // two bones of 0.5
    def.target = (tdVec3){3.0f, 0.0f, 0.0f};
    tdTwoBoneResult result = tdSolveTwoBone(&def);
    ENSURE_NEAR(result.end.x, 1.0, 1e-6);
    ENSURE_NEAR(result.distance, 2.0, 1e-6);
    // Damped near full reach: monotone, without a jump of the slope, never straight.
    def.softness = 0.1f;
    double before = 0.0, slope = 1.0;
    for (int i = 0; i <= 400; ++i)
    {
        double wanted = 0.8 + 0.002 * i;
        def.target.x = (float)wanted;
        double reached = (double)tdSolveTwoBone(&def).end.x;
        ENSURE(reached < 1.0);
        if (wanted < 0.9)
        {
            ENSURE_NEAR(reached, wanted, 1e-6);
        }
        if (i > 0)
        {
            double next = (reached - before) / 0.002;
            ENSURE(next > 0.0 && next <= slope + 1e-3 && slope - next < 0.06);
            slope = next;
        }
        before = reached;
    }
    def.softness = 0.0f;
    def.minAngle = 1.0f;
    def.maxAngle = 2.0f;
    def.target.x = 0.05f;
    result = tdSolveTwoBone(&def);
    ENSURE_NEAR(AngleAt(def.root, result.middle, result.end), 1.0, 1e-4);
    def.target.x = 2.0f;
    result = tdSolveTwoBone(&def);
    ENSURE_NEAR(AngleAt(def.root, result.middle, result.end), 2.0, 1e-4);
    // Bones without length and targets that are no numbers change nothing.
    def.target.x = NAN;
    ENSURE_NEAR(tdAngleBetween(tdSolveTwoBone(&def).rootTurn, tdQuat_identity), 0.0, 0.0);
    def.target.x = 1.0f;
    def.middle = def.root;
    ENSURE_NEAR(tdAngleBetween(tdSolveTwoBone(&def).rootTurn, tdQuat_identity), 0.0, 0.0);
}

TEST(ChainsReachTheirTarget)
{
    uint64_t seed = 3;
    for (int count = 2; count <= 80; count += count < 10 ? 1 : 23)
    {
        for (int i = 0; i < 40; ++i)
        {
            tdVec3 start[80], positions[80];
            tdQuat turns[80];
            start[0] = RandomVector(&seed, 0.3f);
            double total = 0.0;
            for (int k = 1; k < count; ++k)
            {
                start[k] = tdAdd(start[k - 1], tdScale(0.2f, tdNormalize(RandomVector(&seed, 1.0f))));
                total += k < 64 ? 0.2 : 0.0;
            }
            memcpy(positions, start, sizeof(positions));
            tdChainDef def = tdDefaultChainDef();
            bool isFar = i % 4 == 0;
            double reach = isFar ? 1.5 * total : (0.2 + 0.6 * tdRandom(&seed)) * total;
            reach = count == 2 && !isFar ? total : reach;
            def.target = tdMulAdd(start[0], (float)reach, tdNormalize(RandomVector(&seed, 1.0f)));
            float missed = tdSolveChain(&def, positions, count, turns);
            ENSURE_NEAR(missed, isFar ? 0.5 * total : 0.0, isFar ? 1e-4 : 1.01e-4);
            ENSURE_NEAR(Distance(positions[0], start[0]), 0.0, 0.0);
            for (int k = 1; k < count; ++k)
            {
                ENSURE_NEAR(Distance(positions[k], positions[k - 1]), 0.2, 1e-5);
                tdVec3 turned = tdRotate(turns[k - 1], tdSub(start[k], start[k - 1]));
                ENSURE_NEAR(Distance(turned, tdSub(positions[k], positions[k - 1])), 0.0, 1e-5);
            }
        }
    }
    // A straight chain bends to the side of the pole for a target on its own line.
    tdVec3 line[3] = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
    tdChainDef def = tdDefaultChainDef();
    def.target = (tdVec3){0, 1, 0};
    ENSURE(tdSolveChain(&def, line, 3, NULL) <= 1e-4f);
    ENSURE_NEAR(line[1].z, sqrt(0.75), 1e-3);
}

TEST(ChainsKeepTheirLimit)
{
    uint64_t seed = 8;
    for (int i = 0; i < 100; ++i)
    {
        tdVec3 positions[6];
        for (int k = 0; k < 6; ++k)
        {
            positions[k] = (tdVec3){0, 0.2f * (float)k, 0};
        }
        tdChainDef def = tdDefaultChainDef();
        def.maxBend = 0.5f;
        def.target = RandomVector(&seed, 0.9f);
        tdSolveChain(&def, positions, 6, NULL);
        for (int k = 2; k < 6; ++k)
        {
            tdVec3 a = tdNormalize(tdSub(positions[k - 1], positions[k - 2]));
            tdVec3 b = tdNormalize(tdSub(positions[k], positions[k - 1]));
            ENSURE(tdDot(a, b) > cosf(0.5f) - 1e-4f);
        }
    }
}

TEST(GazesAreYawAndPitch)
{
    uint64_t seed = 4;
    for (int i = 0; i < 500; ++i)
    {
        tdLookAtDef def = tdDefaultLookAtDef();
        def.target = RandomVector(&seed, 2.0f);
        tdVec3 looked = tdRotate(tdSolveLookAt(&def), def.forward);
        ENSURE_NEAR(Distance(looked, tdNormalize(def.target)), 0.0, 1e-5);
        def.maxYaw = 0.6f;
        def.maxPitch = 0.4f;
        looked = tdRotate(tdSolveLookAt(&def), def.forward);
        double x = (double)def.target.x, y = (double)def.target.y, z = (double)def.target.z;
        double yaw = atan2(x, z), pitch = atan2(y, sqrt(x * x + z * z));
        yaw = yaw > 0.6 ? 0.6 : yaw < -0.6 ? -0.6 : yaw;
        pitch = pitch > 0.4 ? 0.4 : pitch < -0.4 ? -0.4 : pitch;
        ENSURE_NEAR(looked.x, sin(yaw) * cos(pitch), 1e-5);
        ENSURE_NEAR(looked.y, sin(pitch), 1e-5);
        ENSURE_NEAR(looked.z, cos(yaw) * cos(pitch), 1e-5);
    }
    tdLookAtDef def = tdDefaultLookAtDef();
    ENSURE_NEAR(tdAngleBetween(tdSolveLookAt(&def), tdQuat_identity), 0.0, 0.0); // at the node itself
}

TEST(KdlAgrees)
{
#if defined(TD_HAVE_KDL)
    uint64_t seed = 12;
    int solved = 0;
    for (int i = 0; i < 200; ++i)
    {
        tdTwoBoneDef def = tdDefaultTwoBoneDef();
        float upper = 0.3f + 0.3f * (float)tdRandom(&seed), lower = 0.3f + 0.3f * (float)tdRandom(&seed);
        def.middle = (tdVec3){0, -upper, 0.05f};
        def.end = tdAdd(def.middle, (tdVec3){0, -lower, -0.05f});
        double u = (double)tdDistance(def.root, def.middle), l = (double)tdDistance(def.middle, def.end);
        double reach = fabs(u - l) + (u + l - fabs(u - l)) * (0.1 + 0.8 * tdRandom(&seed));
        tdVec3 direction =
            tdNormalize((tdVec3){(float)tdRandom(&seed) - 0.5f, -1.0f, (float)tdRandom(&seed) - 0.5f});
        def.target = tdScale((float)reach, direction);
        tdTwoBoneResult result = tdSolveTwoBone(&def);
        double target[3] = {(double)def.target.x, (double)def.target.y, (double)def.target.z}, end[3],
               knee = 0.0;
        if (SolveLegWithKdl(u, l, target, &knee, end))
        {
            solved += 1;
            ENSURE_NEAR(end[0], result.end.x, 1e-4);
            ENSURE_NEAR(end[1], result.end.y, 1e-4);
            ENSURE_NEAR(end[2], result.end.z, 1e-4);
            double bend = 3.14159265358979 - AngleAt(def.root, result.middle, result.end);
            double own = fabs(remainder(knee, 2.0 * 3.14159265358979));
            ENSURE_NEAR(own, bend, 2e-3);
        }
    }
    ENSURE(solved > 150);
#else
    printf("  skipped: liborocos-kdl-dev is not installed\n");
#endif
}

TEST(LimbsOfAnAvatarMove)
{
    uint64_t seed = 21;
    for (int i = 0; i < 100; ++i)
    {
        tdBuilder b;
        tdHumanoid humanoid = {.kind = TD_HUMANOID_VRM1, .gazeNode = -1};
        tdBuilder_Init(&b, NULL);
        for (int k = 0; k < TD_BONE_COUNT; ++k)
        {
            humanoid.nodes[k] = -1;
        }
        tdTrs root = {RandomVector(&seed, 1.0f), tdRandomQuat(&seed), {0.5f, 0.5f, 0.5f}};
        int above = tdBuilder_AddNode(&b, -1, root);
        static const tdBone bones[] = {TD_BONE_HIPS, TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG,
                                       TD_BONE_LEFT_FOOT};
        for (int k = 0; k < 4; ++k)
        {
            tdTrs local = {
                tdScale(0.5f, tdNormalize(RandomVector(&seed, 1.0f))), tdRandomQuat(&seed), {1, 1, 1}};
            if (k == 2)
            {
                above = tdBuilder_AddNode(&b, above, (tdTrs){{0, 0.1f, 0}, tdRandomQuat(&seed), {1, 1, 1}});
            }
            above = humanoid.nodes[bones[k]] = tdBuilder_AddNode(&b, above, local);
        }
        tdAsset* asset = tdBuilder_Finish(&b);
        asset->scene.humanoid = &humanoid;
        tdRig* rig = tdCreateRig(asset, NULL);
        tdTrs locals[16];
        memcpy(locals, b.locals, sizeof(tdTrs) * (size_t)b.nodeCount);
        tdVec3 start = tdRig_FindBonePosition(rig, locals, TD_BONE_LEFT_UPPER_LEG);
        tdVec3 end = tdRig_FindBonePosition(rig, locals, TD_BONE_LEFT_FOOT);
        tdVec3 knee = tdRig_FindBonePosition(rig, locals, TD_BONE_LEFT_LOWER_LEG);
        float upper = tdDistance(start, knee), lower = tdDistance(knee, end), least = fabsf(upper - lower);
        tdTwoBoneDef def = tdDefaultTwoBoneDef();
        float reach = least + 0.5f * (upper + lower - least);
        def.target = tdMulAdd(start, reach, tdNormalize(RandomVector(&seed, 1.0f)));
        ENSURE_NEAR(tdRig_MoveLimb(rig, locals, TD_BONE_LEFT_FOOT, &def), 0.0, 1e-5);
        ENSURE_NEAR(Distance(tdRig_FindBonePosition(rig, locals, TD_BONE_LEFT_FOOT), def.target), 0.0, 1e-5);
        // The rotation of the foot in the model stays.
        tdQuat before = tdQuat_identity, after = tdQuat_identity;
        for (int n = humanoid.nodes[TD_BONE_LEFT_FOOT]; n >= 0; n = b.parents[n])
        {
            before = tdMulQuat(b.locals[n].rotation, before);
            after = tdMulQuat(locals[n].rotation, after);
        }
        ENSURE_NEAR(tdAngleBetween(before, after), 0.0, 2e-3);
        ENSURE(tdRig_MoveLimb(rig, locals, TD_BONE_RIGHT_FOOT, &def) < 0.0f);
        ENSURE(tdRig_MoveLimb(rig, locals, TD_BONE_HIPS, &def) < 0.0f);
        ENSURE(tdRig_MoveLimb(NULL, locals, TD_BONE_LEFT_FOOT, &def) < 0.0f);
        tdDestroyRig(rig);
        tdArena_Free(&b.asset.arena);
    }
}

TEST_MAIN(RUN(TwoBonesReachTheirTarget) RUN(LimbsAtTheirTargetStay) RUN(ReachAndAnglesAreLimited)
              RUN(ChainsReachTheirTarget) RUN(ChainsKeepTheirLimit) RUN(GazesAreYawAndPitch) RUN(KdlAgrees)
                  RUN(LimbsOfAnAvatarMove))
