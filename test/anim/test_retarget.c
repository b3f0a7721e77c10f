// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Retargeting between random skeletons, compared with the definition in double: the model-space rotation of a
// bone relative to rest, D = R W^-1, is the same on both skeletons for every bone they share.
#include "harness.h"

#include "anim/clip.h"
#include "anim/rig.h"
#include "anim/sampler.h"
#include "base/report.h"
#include "runtime/builder.h"
#include "runtime/double_math.h"

typedef struct Skeleton
{
    tdBuilder b;
    tdHumanoid humanoid;
    int boneOfNode[256];
    tdExpression expressions[2];
    tdExpressionNode expressionNodes[1];
} Skeleton;

static bool IsOptional(tdBone bone)
{
    return !tdBone_GetInfo(bone)->isRequired;
}

// Makes nodes for the bones under a scaled and rotated root, some with an unmapped node above them.
static void MakeSkeleton(Skeleton* s, uint64_t* seed, tdHumanoidKind kind, double missing, bool isPlain)
{
    memset(s, 0, sizeof(*s));
    tdBuilder_Init(&s->b, NULL);
    tdTrs rootLocal = tdTrs_identity;
    if (!isPlain)
    {
        rootLocal = (tdTrs){{0.1f, 0.2f, -0.3f}, tdRandomQuat(seed), {0.5f, 0.5f, 0.5f}};
    }
    int root = tdBuilder_AddNode(&s->b, -1, rootLocal);
    s->humanoid.kind = kind;
    s->humanoid.isHalfTurned = kind == TD_HUMANOID_VRM0;
    s->humanoid.gazeNode = -1;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        bool isEye = i == TD_BONE_LEFT_EYE || i == TD_BONE_RIGHT_EYE;
        s->humanoid.nodes[i] = -1;
        if (isEye || (IsOptional((tdBone)i) && tdRandom(seed) < missing))
        {
            continue;
        }
        tdBone parent = tdHumanoid_GetParent(&s->humanoid, (tdBone)i);
        int above = parent == TD_BONE_NONE ? root : s->humanoid.nodes[parent];
        tdTrs local = {
            {(float)tdRandom(seed) * 0.2f, 0.2f, (float)tdRandom(seed) * 0.2f}, tdQuat_identity, {1, 1, 1}};
        local.rotation = isPlain ? tdQuat_identity : tdRandomQuat(seed);
        if (tdRandom(seed) < 0.2 && !isPlain)
        {
            above = tdBuilder_AddNode(&s->b, above, local);
            local.rotation = tdRandomQuat(seed);
        }
        s->humanoid.nodes[i] = tdBuilder_AddNode(&s->b, above, local);
    }
    for (int i = 0; i < 256; ++i)
    {
        s->boneOfNode[i] = TD_BONE_NONE;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (s->humanoid.nodes[i] >= 0)
        {
            s->boneOfNode[s->humanoid.nodes[i]] = i;
        }
    }
    s->humanoid.boneOfNode = s->boneOfNode;
}

// Sets the local translation of the hips so that they are at a height in model space.
static void PlaceHips(Skeleton* s, tdVec3 place)
{
    int hips = s->humanoid.nodes[TD_BONE_HIPS];
    tdMat4 above = tdMat4_identity;
    for (int n = s->b.parents[hips]; n >= 0; n = s->b.parents[n])
    {
        above = tdMulMat4(tdMat4FromTrs(s->b.locals[n]), above);
    }
    s->b.locals[hips].translation = tdMat4Point(tdInverseAffine(above), place);
}

static tdAsset* Finish(Skeleton* s)
{
    tdAsset* asset = tdBuilder_Finish(&s->b);
    asset->scene.humanoid = &s->humanoid;
    return asset;
}

static float keyTimes[5] = {0.0f, 0.3f, 0.7f, 1.2f, 2.0f};

static float* Animate(Skeleton* s, uint64_t* seed, tdInterpolation interpolation, float size)
{
    int rows = interpolation == TD_INTERPOLATION_CUBICSPLINE ? 15 : 5;
    float* all = tdArena_NewArray(&s->b.asset.arena, float, 56 * rows * 4);
    float* at = all;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        int node = s->humanoid.nodes[i];
        if (node < 0)
        {
            continue;
        }
        for (int k = 0; k < rows; ++k)
        {
            tdQuat turn = tdSlerp(tdQuat_identity, tdRandomQuat(seed), size);
            tdQuat q = tdMulQuat(s->b.locals[node].rotation, turn);
            if (rows == 15 && k % 3 != 1)
            {
                q = (tdQuat){0.3f * q.x, 0.3f * q.y, 0.3f * q.z, 0.3f * q.w};
            }
            memcpy(at + 4 * k, &q, sizeof(q));
        }
        tdBuilder_AddChannel(&s->b, TD_PROPERTY_ROTATION, node, interpolation, 4, 5, keyTimes, at);
        at += 4 * rows;
    }
    return all;
}

// Model-space rotation of a node at a time, in double; rest where nothing is animated.
static dQuat RotationAt(const tdAsset* asset, const tdChannel* channels, int count, int node, double time)
{
    dQuat world = dIdentity;
    for (; node >= 0; node = asset->scene.nodes.parents[node])
    {
        tdQuat q = asset->scene.nodes.locals[node].rotation;
        for (int c = 0; c < count; ++c)
        {
            if (channels[c].target.kind == TD_PROPERTY_ROTATION && channels[c].target.object == node)
            {
                int cursor = 0;
                tdSampleChannel(&channels[c], time, &cursor, &q.x);
            }
        }
        world = dMul(dFromQuat(q), world);
    }
    return dNormalizeQuat(world);
}

static dQuat TurnAt(const tdAsset* asset, const tdChannel* channels, int count, tdBone bone, double time)
{
    int node = asset->scene.humanoid->nodes[bone];
    dQuat turn =
        dMul(RotationAt(asset, channels, count, node, time), dConj(RotationAt(asset, NULL, 0, node, time)));
    if (asset->scene.humanoid->isHalfTurned)
    {
        turn = (dQuat){-turn.x, turn.y, -turn.z, turn.w};
    }
    return turn;
}

static double CompareTurns(const tdAsset* a, const tdAnimation* animation, const tdAsset* b,
                           const tdClip* clip)
{
    double worst = 0;
    const double times[] = {0.0, 0.15, 0.3, 0.55, 0.9, 1.2, 1.7, 2.0, 3.0};
    for (int t = 0; t < 9; ++t)
    {
        for (int i = 0; i < TD_BONE_COUNT; ++i)
        {
            if (a->scene.humanoid->nodes[i] >= 0 && b->scene.humanoid->nodes[i] >= 0)
            {
                dQuat da = TurnAt(a, animation->channels, animation->channelCount, (tdBone)i, times[t]);
                dQuat db = TurnAt(b, clip->channels, clip->channelCount, (tdBone)i, times[t]);
                double angle = dAngle(da, db);
                worst = angle > worst ? angle : worst;
            }
        }
    }
    return worst;
}

static Skeleton a, b;

TEST(SharedBonesTurnAlike)
{
    const tdInterpolation kinds[] = {TD_INTERPOLATION_LINEAR, TD_INTERPOLATION_STEP,
                                     TD_INTERPOLATION_CUBICSPLINE};
    uint64_t seed = 4;
    for (int round = 0; round < 36; ++round)
    {
        MakeSkeleton(&a, &seed, round % 4 == 3 ? TD_HUMANOID_VRM0 : TD_HUMANOID_VRMA, round < 3 ? 0.0 : 0.3,
                     false);
        MakeSkeleton(&b, &seed, round % 2 == 1 ? TD_HUMANOID_VRM0 : TD_HUMANOID_VRM1, 0.4, false);
        Animate(&a, &seed, kinds[round % 3], 0.4f);
        tdAsset *source = Finish(&a), *target = Finish(&b);
        tdClip* clip = tdRetargetClip(source, 0, target, NULL, NULL, NULL);
        // Products are sampled to 2e-5 rad each and add up along a chain of ten bones.
        ENSURE_NEAR(CompareTurns(source, &source->scene.animations[0], target, clip), 0.0, 2e-4);
        tdDestroyClip(clip);
        tdBuilder_Free(&a.b);
        tdBuilder_Free(&b.b);
    }
}

// Where the target has every bone of the source, constants commute with every interpolation: no resampling,
// the same keys, and agreement to rounding at any time.
TEST(NothingIsResampledWithoutNeed)
{
    const tdInterpolation kinds[] = {TD_INTERPOLATION_LINEAR, TD_INTERPOLATION_STEP,
                                     TD_INTERPOLATION_CUBICSPLINE};
    uint64_t seed = 14;
    for (int round = 0; round < 24; ++round)
    {
        MakeSkeleton(&a, &seed, TD_HUMANOID_VRMA, 0.5, false);
        MakeSkeleton(&b, &seed, round % 2 == 1 ? TD_HUMANOID_VRM0 : TD_HUMANOID_VRM1, 0.0, false);
        Animate(&a, &seed, kinds[round % 3], 0.7f);
        tdAsset *source = Finish(&a), *target = Finish(&b);
        tdClip* clip = tdRetargetClip(source, 0, target, NULL, NULL, NULL);
        ENSURE_EQUAL_INT(clip->channelCount, a.b.channelCount);
        for (int c = 0; c < clip->channelCount; ++c)
        {
            ENSURE_EQUAL_INT(clip->channels[c].keyCount, 5);
            ENSURE_EQUAL_INT(clip->channels[c].interpolation, kinds[round % 3]);
        }
        ENSURE_NEAR(CompareTurns(source, &source->scene.animations[0], target, clip), 0.0, 2e-5);
        tdDestroyClip(clip);
        tdBuilder_Free(&a.b);
        tdBuilder_Free(&b.b);
    }
}

// Retargeting to a skeleton with all bones and back loses nothing; nor does retargeting to the same skeleton.
TEST(ThereAndBackIsTheIdentity)
{
    uint64_t seed = 24;
    for (int round = 0; round < 24; ++round)
    {
        MakeSkeleton(&a, &seed, TD_HUMANOID_VRM1, 0.4, false);
        MakeSkeleton(&b, &seed, round % 2 == 1 ? TD_HUMANOID_VRM0 : TD_HUMANOID_VRM1, 0.0, false);
        PlaceHips(&a, (tdVec3){0.1f, 0.8f, 0.2f});
        PlaceHips(&b, (tdVec3){-0.1f, 1.3f, 0.0f});
        Animate(&a, &seed, TD_INTERPOLATION_LINEAR, 0.7f);
        static const float travel[15] = {0, 1, 0, 0.1f, 1, 0.5f, 0, 2, 1, 0, 1, 2, -1, 1, 0};
        tdBuilder_AddChannel(&a.b, TD_PROPERTY_TRANSLATION, a.humanoid.nodes[TD_BONE_HIPS],
                             TD_INTERPOLATION_LINEAR, 3, 5, keyTimes, travel);
        tdAsset *source = Finish(&a), *target = Finish(&b);
        tdClip* clip = tdRetargetClip(source, 0, target, NULL, NULL, NULL);
        tdAnimation animation = {"", clip->channels, clip->channelCount, clip->duration};
        target->scene.animations = &animation;
        target->scene.animationCount = 1;
        tdClip* again = tdRetargetClip(target, 0, source, NULL, NULL, NULL);
        ENSURE_EQUAL_INT(again->channelCount, a.b.channelCount);
        double worst = 0, worstTravel = 0;
        for (int c = 0; c < again->channelCount; ++c)
        {
            const tdChannel* channel = &again->channels[c];
            for (int d = 0; d < a.b.channelCount; ++d)
            {
                if (memcmp(&channel->target, &a.b.channels[d].target, sizeof(tdProperty)) != 0)
                {
                    continue;
                }
                for (int k = 0; k < 5; ++k)
                {
                    const float* p = channel->values + channel->width * k;
                    const float* q = a.b.channels[d].values + channel->width * k;
                    if (channel->width == 4)
                    {
                        dQuat x = {(double)p[0], (double)p[1], (double)p[2], (double)p[3]};
                        dQuat y = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
                        double angle = dAngle(x, dNormalizeQuat(y));
                        worst = angle > worst ? angle : worst;
                    }
                    else
                    {
                        double way =
                            hypot(hypot((double)(p[0] - q[0]), (double)(p[1] - q[1])), (double)(p[2] - q[2]));
                        worstTravel = way > worstTravel ? way : worstTravel;
                    }
                }
            }
        }
        ENSURE_NEAR(worst, 0.0, 1e-5);
        ENSURE_NEAR(worstTravel, 0.0, 1e-5);
        tdDestroyClip(clip);
        tdDestroyClip(again);
        tdBuilder_Free(&a.b);
        tdBuilder_Free(&b.b);
    }
}

static tdVec3 HipsAt(const tdAsset* asset, const tdClip* clip, double time)
{
    int hips = asset->scene.humanoid->nodes[TD_BONE_HIPS];
    tdVec3 t = asset->scene.nodes.locals[hips].translation;
    for (int c = 0; c < clip->channelCount; ++c)
    {
        if (clip->channels[c].target.kind == TD_PROPERTY_TRANSLATION)
        {
            int cursor = 0;
            tdSampleChannel(&clip->channels[c], time, &cursor, &t.x);
        }
    }
    tdMat4 above = tdMat4_identity;
    for (int n = asset->scene.nodes.parents[hips]; n >= 0; n = asset->scene.nodes.parents[n])
    {
        above = tdMulMat4(tdMat4FromTrs(asset->scene.nodes.locals[n]), above);
    }
    return tdMat4Point(above, t);
}

TEST(HipsTravelByDeltaAndHeight)
{
    uint64_t seed = 34;
    for (int round = 0; round < 4; ++round)
    {
        MakeSkeleton(&a, &seed, TD_HUMANOID_VRMA, 0.4, round == 0);
        MakeSkeleton(&b, &seed, round == 2 ? TD_HUMANOID_VRM0 : TD_HUMANOID_VRM1, 0.0, round == 0);
        float height = round == 3 ? 0.0f : 0.8f; // on the floor: no ratio of heights
        PlaceHips(&a, (tdVec3){0.1f, height, 0.2f});
        PlaceHips(&b, (tdVec3){-0.1f, 1.2f, 0.3f});
        int hips = a.humanoid.nodes[TD_BONE_HIPS];
        float travel[6];
        tdVec3 rest = a.b.locals[hips].translation;
        memcpy(travel, &rest, sizeof(rest));
        travel[3] = rest.x + 0.4f;
        travel[4] = rest.y - 0.3f;
        travel[5] = rest.z + 0.2f;
        tdBuilder_AddChannel(&a.b, TD_PROPERTY_TRANSLATION, hips, TD_INTERPOLATION_LINEAR, 3, 2, keyTimes,
                             travel);
        tdAsset *source = Finish(&a), *target = Finish(&b);
        tdClip* clip = tdRetargetClip(source, 0, target, NULL, NULL, NULL);
        tdClip* own = tdCreateClip(source, 0, NULL, NULL);
        tdVec3 start = HipsAt(target, clip, 0.0), from = HipsAt(source, own, 0.3),
               to = HipsAt(target, clip, 0.3);
        ENSURE_NEAR(start.x, -0.1, 1e-6); // rest maps to rest
        ENSURE_NEAR(start.y, 1.2, 1e-6);
        ENSURE_NEAR(start.z, 0.3, 1e-6);
        float k = round == 3 ? 1.0f : 1.2f / 0.8f;
        float side = round == 2 ? -k : k;
        ENSURE_NEAR(to.x, -0.1f + side * (from.x - 0.1f), 2e-6);
        ENSURE_NEAR(to.y, 1.2f + k * (from.y - height), 2e-6);
        ENSURE_NEAR(to.z, 0.3f + side * (from.z - 0.2f), 2e-6);
        tdDestroyClip(clip);
        tdDestroyClip(own);
        tdBuilder_Free(&a.b);
        tdBuilder_Free(&b.b);
    }
}

TEST(SaysWhatCannotBeCarried)
{
    uint64_t seed = 44;
    MakeSkeleton(&a, &seed, TD_HUMANOID_VRMA, 0.0, true);
    MakeSkeleton(&b, &seed, TD_HUMANOID_VRM1, 1.0, true); // required bones only
    Animate(&a, &seed, TD_INTERPOLATION_LINEAR, 0.5f);
    static const float weights[6] = {0, 0, 0, 1, 0, 0};
    static const float still[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    int face = tdBuilder_AddNode(&a.b, -1, tdTrs_identity),
        gaze = tdBuilder_AddNode(&a.b, -1, tdTrs_identity);
    a.expressionNodes[0] = (tdExpressionNode){"happy", TD_PRESET_HAPPY, face};
    a.humanoid.expressionNodes = a.expressionNodes;
    a.humanoid.expressionNodeCount = 1;
    a.humanoid.gazeNode = gaze;
    tdBuilder_AddChannel(&a.b, TD_PROPERTY_TRANSLATION, face, TD_INTERPOLATION_LINEAR, 3, 2, keyTimes,
                         weights);
    tdBuilder_AddChannel(&a.b, TD_PROPERTY_ROTATION, gaze, TD_INTERPOLATION_LINEAR, 4, 2, keyTimes, still);
    tdBuilder_AddChannel(&a.b, TD_PROPERTY_ROTATION, 0, TD_INTERPOLATION_LINEAR, 4, 2, keyTimes, still);
    tdAsset *source = Finish(&a), *target = Finish(&b);
    tdReport* report = tdCreateReport(NULL);
    tdRetargetDef def = tdDefaultRetargetDef();
    def.maximumKeyCount = 8;
    tdClip* clip = tdRetargetClip(source, 0, target, &def, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_EXPRESSION_MISSING), 1);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_NO_GAZE), 1);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_HIPS_PARENT_ANIMATED), 1);
    // chest, upperChest, neck and both shoulders are folded; 33 leaves (30 finger bones, toes, jaw) are
    // dropped.
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_BONE_FOLDED), 5);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_BONE_DROPPED), 33);
    ENSURE(tdReport_CountCode(report, TD_DIAG_RT_KEY_LIMIT) > 0);
    ENSURE_EQUAL_INT(tdClip_GetExpressionCount(clip), 1);
    ENSURE_EQUAL_TEXT(tdClip_GetExpressionName(clip, 0), "happy");
    ENSURE(clip->hasGaze);
    tdDestroyClip(clip);
    ENSURE(tdRetargetClip(source, 1, target, NULL, NULL, report) == NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_NO_ANIMATION), 1);
    target->scene.humanoid = NULL;
    ENSURE(tdRetargetClip(source, 0, target, NULL, NULL, report) == NULL);
    ENSURE(tdRetargetClip(target, 0, source, NULL, NULL, report) == NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_NO_HUMANOID), 2);
    ENSURE(tdRetargetClip(NULL, 0, source, NULL, NULL, report) == NULL);
    tdDestroyReport(report);
    tdBuilder_Free(&a.b);
    tdBuilder_Free(&b.b);
}

// If the humanoid was found by names, the rotation of an unmapped joint between two bones belongs to the
// lower bone.
TEST(UnmappedJointsFoldWhenNamesDecide)
{
    uint64_t seed = 54;
    for (int folds = 0; folds < 2; ++folds)
    {
        MakeSkeleton(&a, &seed, TD_HUMANOID_BY_NAME, 0.0, true);
        MakeSkeleton(&b, &seed, TD_HUMANOID_VRM1, 0.0, false);
        // A joint between neck and head.
        int head = a.humanoid.nodes[TD_BONE_HEAD];
        int extra = tdBuilder_AddNode(&a.b, a.humanoid.nodes[TD_BONE_NECK], tdTrs_identity);
        a.b.parents[head] = extra;
        a.humanoid.foldsUnmapped = folds == 1;
        tdQuat keys[2] = {tdQuat_identity, tdRandomQuat(&seed)};
        tdBuilder_AddChannel(&a.b, TD_PROPERTY_ROTATION, extra, TD_INTERPOLATION_LINEAR, 4, 2, keyTimes,
                             &keys[0].x);
        tdAsset *source = Finish(&a), *target = Finish(&b);
        tdClip* clip = tdRetargetClip(source, 0, target, NULL, NULL, NULL);
        ENSURE_EQUAL_INT(clip->channelCount, folds);
        dQuat turn = TurnAt(target, clip->channels, clip->channelCount, TD_BONE_HEAD, 0.3);
        ENSURE_NEAR(dAngle(turn, folds == 1 ? dFromQuat(keys[1]) : dIdentity), 0.0, 1e-5);
        tdDestroyClip(clip);
        tdBuilder_Free(&a.b);
        tdBuilder_Free(&b.b);
    }
}

TEST(MemoryMayRunOut)
{
    uint64_t seed = 64;
    MakeSkeleton(&a, &seed, TD_HUMANOID_VRMA, 0.0, false);
    MakeSkeleton(&b, &seed, TD_HUMANOID_VRM1, 0.7, false);
    Animate(&a, &seed, TD_INTERPOLATION_STEP, 0.5f);
    tdAsset *source = Finish(&a), *target = Finish(&b);
    bool done = false;
    for (int64_t failAt = 0; failAt < 400 && !done; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdReport* report = tdCreateReport(NULL);
        tdClip* clip = tdRetargetClip(source, 0, target, NULL, &allocator, report);
        done = clip != NULL;
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_OUT_OF_MEMORY), done ? 0 : 1);
        tdDestroyClip(clip);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        tdDestroyReport(report);
    }
    ENSURE(done);
    tdBuilder_Free(&a.b);
    tdBuilder_Free(&b.b);
}

// Memory of a clip comes from the allocator it is given, not from that of an asset.
TEST(ClipsTakeTheirOwnAllocator)
{
    uint64_t seed = 65;
    MakeSkeleton(&a, &seed, TD_HUMANOID_VRMA, 0.0, false);
    MakeSkeleton(&b, &seed, TD_HUMANOID_VRM1, 0.7, false);
    Animate(&a, &seed, TD_INTERPOLATION_LINEAR, 0.5f);
    tdAsset *source = Finish(&a), *target = Finish(&b);
    tdAllocator sourceReal = source->allocator, targetReal = target->allocator;
    tdFailingAllocator ofAssets, ofClips;
    source->allocator = target->allocator = tdFailingAllocator_Make(&ofAssets, 0);
    tdAllocator allocator = tdFailingAllocator_Make(&ofClips, -1);
    tdClip* own = tdCreateClip(source, 0, &allocator, NULL);
    int64_t blocks = ofClips.liveBlocks;
    tdClip* retargeted = tdRetargetClip(source, 0, target, NULL, &allocator, NULL);
    ENSURE(own != NULL && retargeted != NULL);
    ENSURE(blocks > 0 && ofClips.liveBlocks > blocks);
    ENSURE_EQUAL_INT(ofAssets.count, 0);
    tdDestroyClip(retargeted);
    tdDestroyClip(own);
    ENSURE_EQUAL_INT(ofClips.liveBlocks, 0);
    source->allocator = sourceReal;
    target->allocator = targetReal;
    tdBuilder_Free(&a.b);
    tdBuilder_Free(&b.b);
}

// A motion without bones keeps its expressions and gaze; a motion without any of them is refused.
TEST(FacesNeedNoBones)
{
    uint64_t seed = 64;
    MakeSkeleton(&b, &seed, TD_HUMANOID_VRM1, 0.0, true);
    memset(&a, 0, sizeof(a));
    tdBuilder_Init(&a.b, NULL);
    tdBuilder_AddNode(&a.b, -1, tdTrs_identity);
    tdBuilder_AddNode(&a.b, -1, tdTrs_identity);
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        a.humanoid.nodes[i] = -1;
    }
    for (int i = 0; i < 256; ++i)
    {
        a.boneOfNode[i] = TD_BONE_NONE;
    }
    a.humanoid.boneOfNode = a.boneOfNode;
    a.humanoid.kind = TD_HUMANOID_VRMA;
    a.humanoid.gazeNode = 1;
    static const float smile[6] = {0.0f, 0.0f, 0.0f, 0.7f, 0.0f, 0.0f};
    static const float gaze[8] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.5f, 0.0f, 0.8660254f};
    tdBuilder_AddChannel(&a.b, TD_PROPERTY_TRANSLATION, 0, TD_INTERPOLATION_LINEAR, 3, 2, keyTimes, smile);
    tdBuilder_AddChannel(&a.b, TD_PROPERTY_ROTATION, 1, TD_INTERPOLATION_LINEAR, 4, 2, keyTimes, gaze);
    a.expressionNodes[0] = (tdExpressionNode){"happy", TD_PRESET_HAPPY, 0};
    a.humanoid.expressionNodes = a.expressionNodes;
    a.humanoid.expressionNodeCount = 1;
    tdAsset *source = Finish(&a), *target = Finish(&b);
    tdClip* clip = tdRetargetClip(source, 0, target, NULL, NULL, NULL);
    if (ENSURE(clip != NULL) && ENSURE_EQUAL_INT(clip->channelCount, 2))
    {
        ENSURE_EQUAL_INT(clip->channels[0].target.kind, TD_PROPERTY_EXPRESSION);
        ENSURE_NEAR(clip->channels[0].values[1], 0.7, 1e-7);
        ENSURE_EQUAL_INT(clip->channels[1].target.kind, TD_PROPERTY_LOOK_AT);
        ENSURE(clip->hasGaze);
    }
    tdDestroyClip(clip);
    tdReport* report = tdCreateReport(NULL);
    ENSURE(tdRetargetClip(source, 1, target, NULL, NULL, report) == NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_NO_ANIMATION), 1);
    a.humanoid.expressionNodeCount = 0;
    a.humanoid.gazeNode = -1;
    ENSURE(tdRetargetClip(source, 0, target, NULL, NULL, report) == NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RT_NO_HUMANOID), 1);
    tdDestroyReport(report);
    tdBuilder_Free(&a.b);
    tdBuilder_Free(&b.b);
}

TEST_MAIN(RUN(FacesNeedNoBones) RUN(SharedBonesTurnAlike) RUN(NothingIsResampledWithoutNeed)
              RUN(ThereAndBackIsTheIdentity) RUN(HipsTravelByDeltaAndHeight) RUN(SaysWhatCannotBeCarried)
                  RUN(UnmappedJointsFoldWhenNamesDecide) RUN(MemoryMayRunOut) RUN(ClipsTakeTheirOwnAllocator))
