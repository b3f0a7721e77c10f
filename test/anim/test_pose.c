// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Humanoid poses: applied to and read from random skeletons, folded bones, arrays of poses, actors.
#include "harness.h"

#include "runtime/builder.h"
#include "runtime/double_math.h"

#include "tendon/pose.h"

typedef struct Body
{
    tdBuilder b;
    tdHumanoid humanoid;
} Body;

static tdAsset* MakeBody(Body* body, uint64_t* seed, double missing, bool isHalfTurned)
{
    memset(body, 0, sizeof(*body));
    tdBuilder_Init(&body->b, NULL);
    tdTrs root = {{0.1f, 0.0f, 0.2f}, tdRandomQuat(seed), {2, 2, 2}};
    tdBuilder_AddNode(&body->b, -1, root);
    body->humanoid.kind = isHalfTurned ? TD_HUMANOID_VRM0 : TD_HUMANOID_VRM1;
    body->humanoid.isHalfTurned = isHalfTurned;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        body->humanoid.nodes[i] = -1;
        const tdBoneInfo* info = tdBone_GetInfo((tdBone)i);
        if (!info->isRequired && tdRandom(seed) < missing)
        {
            continue;
        }
        tdBone parent = tdHumanoid_GetParent(&body->humanoid, (tdBone)i);
        tdTrs local = {{0.0f, 0.3f, 0.0f}, tdRandomQuat(seed), {1, 1, 1}};
        body->humanoid.nodes[i] =
            tdBuilder_AddNode(&body->b, parent == TD_BONE_NONE ? 0 : body->humanoid.nodes[parent], local);
    }
    tdAsset* asset = tdBuilder_Finish(&body->b);
    asset->scene.humanoid = &body->humanoid;
    return asset;
}

static tdPose MakeRandomPose(uint64_t* seed)
{
    tdPose pose = tdMakeRestPose();
    for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
    {
        pose.rotations[i] = tdRandomQuat(seed);
    }
    pose.hipsTravel = (tdVec3){0.1f, -0.2f, 0.3f};
    return pose;
}

static Body a, b;

TEST(NamesAndIndicesAgree)
{
    for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
    {
        ENSURE_EQUAL_INT(tdFindBoneIndex(tdGetBoneName(i)), i);
    }
    ENSURE(tdGetBoneName(55) == NULL && tdGetBoneName(-1) == NULL);
    ENSURE_EQUAL_INT(tdFindBoneIndex("tail"), -1);
    ENSURE_EQUAL_INT(tdFindBoneIndex(NULL), -1);
    ENSURE(tdCreateRig(NULL, NULL) == NULL);
    tdDestroyRig(NULL);
    tdRig_ApplyPose(NULL, NULL, NULL);
    tdRig_ReadPose(NULL, NULL, NULL);
}

TEST(OutAndInIsTheIdentity)
{
    uint64_t seed = 8;
    for (int round = 0; round < 24; ++round)
    {
        tdAsset* asset = MakeBody(&a, &seed, 0.0, round % 2 == 1);
        tdRig* rig = tdCreateRig(asset, NULL);
        tdTrs locals[256];
        memcpy(locals, a.b.locals, sizeof(locals));
        tdPose pose = MakeRandomPose(&seed), back;
        tdRig_ApplyPose(rig, &pose, locals);
        tdRig_ReadPose(rig, locals, &back);
        for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
        {
            ENSURE_NEAR(tdAngleBetween(pose.rotations[i], back.rotations[i]), 0.0, 1e-5);
        }
        ENSURE_NEAR(tdDistance(pose.hipsTravel, back.hipsTravel), 0.0, 1e-5);
        // The T-pose is the rest pose of the nodes.
        tdPose rest = tdMakeRestPose();
        tdRig_ApplyPose(rig, &rest, locals);
        for (int i = 0; i < a.b.nodeCount; ++i)
        {
            ENSURE_NEAR(tdAngleBetween(locals[i].rotation, a.b.locals[i].rotation), 0.0, 2e-6);
        }
        tdDestroyRig(rig);
        tdBuilder_Free(&a.b);
    }
}

// Reading a pose from locals and applying it gives the same locals, for every skeleton and set of missing
// bones.
TEST(InAndOutIsTheIdentityWithoutSomeBones)
{
    uint64_t seed = 18;
    for (int round = 0; round < 60; ++round)
    {
        tdAsset* asset = MakeBody(&a, &seed, 0.1 * (round % 10), round % 2 == 1);
        tdRig* rig = tdCreateRig(asset, NULL);
        tdTrs before[256], after[256];
        memcpy(before, a.b.locals, sizeof(before));
        for (int i = 0; i < TD_BONE_COUNT; ++i)
        {
            int node = a.humanoid.nodes[i];
            if (node >= 0)
            {
                before[node].rotation = tdRandomQuat(&seed);
            }
        }
        before[a.humanoid.nodes[TD_BONE_HIPS]].translation = (tdVec3){0.3f, (float)tdRandom(&seed), -0.2f};
        tdPose pose;
        tdRig_ReadPose(rig, before, &pose);
        memcpy(after, a.b.locals, sizeof(after));
        tdRig_ApplyPose(rig, &pose, after);
        for (int i = 0; i < a.b.nodeCount; ++i)
        {
            ENSURE_NEAR(tdAngleBetween(before[i].rotation, after[i].rotation), 0.0, 1e-5);
            ENSURE_NEAR(tdDistance(before[i].translation, after[i].translation), 0.0, 1e-5);
        }
        tdDestroyRig(rig);
        tdBuilder_Free(&a.b);
    }
}

// Model-space rotation of a bone relative to rest, in double.
static dQuat TurnOf(const Body* body, const tdTrs* locals, tdBone bone)
{
    dQuat now = dIdentity, rest = dIdentity;
    for (int node = body->humanoid.nodes[bone]; node >= 0; node = body->b.parents[node])
    {
        now = dMul(dFromQuat(locals[node].rotation), now);
        rest = dMul(dFromQuat(body->b.locals[node].rotation), rest);
    }
    dQuat turn = dMul(now, dConj(rest));
    return body->humanoid.isHalfTurned ? (dQuat){-turn.x, turn.y, -turn.z, turn.w} : turn;
}

TEST(MissingBonesPassTheirRotationOn)
{
    uint64_t seed = 9;
    for (int round = 0; round < 6; ++round)
    {
        tdAsset *full = MakeBody(&a, &seed, 0.0, false), *part = MakeBody(&b, &seed, 0.5, round % 2 == 1);
        tdRig *fullRig = tdCreateRig(full, NULL), *partRig = tdCreateRig(part, NULL);
        tdTrs fullLocals[256], partLocals[256];
        memcpy(fullLocals, a.b.locals, sizeof(fullLocals));
        memcpy(partLocals, b.b.locals, sizeof(partLocals));
        tdPose pose = MakeRandomPose(&seed);
        tdRig_ApplyPose(fullRig, &pose, fullLocals);
        tdRig_ApplyPose(partRig, &pose, partLocals);
        for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
        {
            if (b.humanoid.nodes[i] >= 0)
            {
                dQuat x = TurnOf(&a, fullLocals, (tdBone)i), y = TurnOf(&b, partLocals, (tdBone)i);
                ENSURE_NEAR(dAngle(x, y), 0.0, 2e-5);
            }
        }
        tdDestroyRig(fullRig);
        tdDestroyRig(partRig);
        tdBuilder_Free(&a.b);
        tdBuilder_Free(&b.b);
    }
}

TEST(ManyPosesAndActorsGiveTheSame)
{
    uint64_t seed = 10;
    tdAsset* asset = MakeBody(&a, &seed, 0.3, false);
    tdRig* rig = tdCreateRig(asset, NULL);
    static tdPose poses[40];
    static tdTrs locals[40][256];
    const tdRig* rigs[40];
    tdTrs* pointers[40];
    for (int i = 0; i < 40; ++i)
    {
        poses[i] = MakeRandomPose(&seed);
        rigs[i] = rig;
        pointers[i] = locals[i];
        memcpy(locals[i], a.b.locals, sizeof(locals[i]));
    }
    const tdTasks* threads = tdCreateThreads(2);
    tdRig_ApplyPoses(rigs, poses, pointers, 40, threads);
    tdDestroyThreads(threads);
    tdTrs one[256];
    memcpy(one, a.b.locals, sizeof(one));
    tdRig_ApplyPose(rig, &poses[33], one);
    ENSURE(memcmp(one, locals[33], sizeof(one)) == 0);

    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_SetPose(actor, rig, &poses[33]);
    tdStage_Step(stage);
    for (int i = 0; i < a.b.nodeCount; ++i)
    {
        const tdTrs* local = &tdActor_GetLocals(actor)[i];
        ENSURE_NEAR(tdAngleBetween(local->rotation, one[i].rotation), 0.0, 1e-6);
        ENSURE_NEAR(tdDistance(local->translation, one[i].translation), 0.0, 1e-6);
        ENSURE_NEAR(local->scale.x, one[i].scale.x, 0.0);
    }
    tdDestroyStage(stage);
    tdDestroyRig(rig);
    tdBuilder_Free(&a.b);
}

TEST_MAIN(RUN(NamesAndIndicesAgree) RUN(OutAndInIsTheIdentity) RUN(InAndOutIsTheIdentityWithoutSomeBones)
              RUN(MissingBonesPassTheirRotationOn) RUN(ManyPosesAndActorsGiveTheSame))
