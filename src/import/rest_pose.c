// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The T-pose of a humanoid that was found by joint names. Files in the wild hold an A-pose, hanging arms or a
// frame of an animation in their nodes. Only the rotations of bones change; nodes without a bone keep theirs,
// because a motion on this skeleton moves the bones alone. See docs/decisions/076.
#include "rest_pose.h"

#include "body_frame.h"

#include "math/trig.h"

#include <string.h>

/// Angle in rad between two poses of a bone that are the same.
#define SAME_POSE 0.0175f

const tdLimb tdLimbs[TD_LIMB_COUNT] = {
    {TD_BONE_LEFT_UPPER_ARM, TD_BONE_LEFT_LOWER_ARM, {1, 0, 0}},
    {TD_BONE_LEFT_LOWER_ARM, TD_BONE_LEFT_HAND, {1, 0, 0}},
    {TD_BONE_RIGHT_UPPER_ARM, TD_BONE_RIGHT_LOWER_ARM, {-1, 0, 0}},
    {TD_BONE_RIGHT_LOWER_ARM, TD_BONE_RIGHT_HAND, {-1, 0, 0}},
    {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, {0, -1, 0}},
    {TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT, {0, -1, 0}},
    {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG, {0, -1, 0}},
    {TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT, {0, -1, 0}},
};

typedef struct RestPose
{
    tdImport* import;
    tdHumanoid* humanoid;
    const tdNodeTree* nodes;
    tdQuat* rotations; // local, by node: the pose that becomes the T-pose
    tdMat4* globals;   // of that pose
    tdVec3* positions;
    tdQuat* worlds; // products of rotations
    tdMat4* binds;  // by node: joint in the space of the mesh; only where hasBind
    bool* hasBind;
    tdVec3 bindHips; // model space
} RestPose;

// Global transforms of the pose. Rotations are products, as in the rig, so that scale does not bend them.
static void UpdatePose(RestPose* rest)
{
    const tdNodeTree* nodes = rest->nodes;
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        tdTrs local = nodes->locals[node];
        local.rotation = rest->rotations[node];
        tdMat4 matrix = tdMat4FromTrs(local);
        rest->globals[node] = parent >= 0 ? tdMulMat4(rest->globals[parent], matrix) : matrix;
        rest->positions[node] = tdMat4Translation(rest->globals[node]);
        tdQuat above = parent >= 0 ? rest->worlds[parent] : tdQuat_identity;
        rest->worlds[node] = tdNormalizeQuat(tdMulQuat(above, local.rotation));
    }
}

static void TakeNodes(RestPose* rest)
{
    for (int i = 0; i < rest->nodes->count; ++i)
    {
        rest->rotations[i] = rest->nodes->locals[i].rotation;
    }
    UpdatePose(rest);
}

// Turns the world rotations of bones into local ones below the nodes between them.
static void TakeWorlds(RestPose* rest, const tdQuat* targets, const bool* hasTarget)
{
    const tdNodeTree* nodes = rest->nodes;
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        tdQuat above = parent >= 0 ? rest->worlds[parent] : tdQuat_identity;
        if (hasTarget[node] && rest->humanoid->boneOfNode[node] != TD_BONE_NONE)
        {
            rest->rotations[node] = tdNormalizeQuat(tdInvMulQuat(above, targets[node]));
        }
        rest->worlds[node] = tdNormalizeQuat(tdMulQuat(above, rest->rotations[node]));
    }
    UpdatePose(rest);
}

// Inverse bind matrices

// Reads the bind pose of the skin with most bones. False if it lacks hips or upper limbs.
static bool ReadBinds(RestPose* rest)
{
    const tdScene* scene = rest->import->scene;
    int best = -1, bestCount = 0;
    for (int s = 0; s < scene->skinCount; ++s)
    {
        const tdSkin* skin = &scene->skins[s];
        int count = 0;
        for (int i = 0; i < skin->jointCount && skin->inverseBindMatrices != NULL; ++i)
        {
            count += rest->humanoid->boneOfNode[skin->joints[i]] != TD_BONE_NONE;
        }
        if (count > bestCount)
        {
            best = s;
            bestCount = count;
        }
    }
    for (int i = 0; best >= 0 && i < scene->skins[best].jointCount; ++i)
    {
        tdMat4 bind = tdInverseAffine(scene->skins[best].inverseBindMatrices[i]);
        int node = scene->skins[best].joints[i];
        float volume = tdDeterminant(tdMat4Linear(bind));
        if (volume > 0.0f && isfinite(volume) && tdIsFiniteVec3(tdMat4Translation(bind)))
        {
            rest->binds[node] = bind;
            rest->hasBind[node] = true;
        }
    }
    static const tdBone needed[] = {TD_BONE_HIPS, TD_BONE_LEFT_UPPER_ARM, TD_BONE_RIGHT_UPPER_ARM,
                                    TD_BONE_LEFT_UPPER_LEG, TD_BONE_RIGHT_UPPER_LEG};
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); ++i)
    {
        int node = rest->humanoid->nodes[needed[i]];
        if (node < 0 || !rest->hasBind[node])
        {
            return false;
        }
    }
    return true;
}

// Rotation from the space of the mesh to that of the model. The hips of the nodes may be turned by their
// pose, so the candidates are the rotations that exporters leave between the two spaces.
static tdQuat FindBindSpace(const RestPose* rest, tdBodyFrame bindFrame)
{
    const tdNodeTree* nodes = rest->nodes;
    int hips = rest->humanoid->nodes[TD_BONE_HIPS];
    int top = hips; // the topmost joint of the skin above the hips
    for (int node = hips; node >= 0; node = nodes->parents[node])
    {
        top = rest->hasBind[node] ? node : top;
    }
    tdQuat candidates[3] = {tdQuat_identity, tdQuat_identity, tdQuat_identity};
    int count = 1;
    if (nodes->parents[top] >= 0)
    {
        candidates[count++] = rest->worlds[nodes->parents[top]];
    }
    for (int node = 0; node < nodes->count && count < 3; ++node)
    {
        if (nodes->skins[node] >= 0)
        {
            candidates[count++] = rest->worlds[node];
        }
    }
    tdQuat hipsBind = tdRotationOfMat4(rest->binds[hips]);
    tdQuat best = tdQuat_identity;
    float bestAngle = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        tdVec3 up = tdRotate(tdMulQuat(candidates[i], bindFrame.rotation), (tdVec3){0.0f, 1.0f, 0.0f});
        float angle = tdAngleBetween(tdMulQuat(candidates[i], hipsBind), rest->worlds[hips]);
        if (up.y > 0.9f && angle < bestAngle)
        {
            best = candidates[i];
            bestAngle = angle;
        }
    }
    if (bestAngle < INFINITY)
    {
        return best;
    }
    tdBodyFrame frame = tdFindBodyFrame(rest->humanoid, nodes, rest->positions);
    return tdNormalizeQuat(tdMulQuat(frame.rotation, tdConjugate(bindFrame.rotation)));
}

// Position of the hips in the bind pose. The space of the mesh may have another unit, which the length of the
// thighs gives.
static tdVec3 PlaceBindHips(const RestPose* rest, tdQuat space)
{
    const int* bones = rest->humanoid->nodes;
    float nodeLength = 0.0f, bindLength = 0.0f;
    static const tdBone legs[][2] = {{TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG},
                                     {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG}};
    for (int i = 0; i < 2; ++i)
    {
        int from = bones[legs[i][0]], to = bones[legs[i][1]];
        if (from >= 0 && to >= 0 && rest->hasBind[from] && rest->hasBind[to])
        {
            nodeLength += tdDistance(rest->positions[from], rest->positions[to]);
            bindLength +=
                tdDistance(tdMat4Translation(rest->binds[from]), tdMat4Translation(rest->binds[to]));
        }
    }
    float unit = bindLength > 0.0f && nodeLength > 0.0f ? nodeLength / bindLength : 1.0f;
    return tdScale(unit, tdRotate(space, tdMat4Translation(rest->binds[bones[TD_BONE_HIPS]])));
}

// Largest deviation of a limb from the T-pose, as a cosine; 1 without limbs.
static float FindWorstLimb(const RestPose* rest, tdQuat frame, const char** name)
{
    float worst = 1.0f;
    for (int i = 0; i < TD_LIMB_COUNT; ++i)
    {
        int from = rest->humanoid->nodes[tdLimbs[i].bone], to = rest->humanoid->nodes[tdLimbs[i].child];
        if (from < 0 || to < 0)
        {
            continue;
        }
        tdVec3 direction = tdNormalize(tdSub(rest->positions[to], rest->positions[from]));
        float cosine = tdDot(direction, tdRotate(frame, tdLimbs[i].direction));
        if (cosine < worst && tdLengthSquared(direction) > 0.5f)
        {
            worst = cosine;
            *name = tdBone_GetInfo(tdLimbs[i].bone)->name;
        }
    }
    return worst;
}

// Takes the bind pose if it differs from that of the nodes and the nodes are not in a T-pose.
// @param isForced take it in any case
static bool TakeBinds(RestPose* rest, bool isForced)
{
    const tdNodeTree* nodes = rest->nodes;
    int count = nodes->count;
    tdArena* scratch = &rest->import->scratch;
    tdQuat* targets = tdArena_NewArray(scratch, tdQuat, count);
    tdVec3* bindPositions = tdArena_NewArray(scratch, tdVec3, count);
    if (targets == NULL || bindPositions == NULL)
    {
        return false;
    }
    if (!ReadBinds(rest))
    {
        if (isForced)
        {
            tdReport_Add(rest->import->report, TD_DIAG_SK_NO_BIND, NULL);
        }
        return true;
    }
    for (int i = 0; i < count; ++i)
    {
        bindPositions[i] = rest->hasBind[i] ? tdMat4Translation(rest->binds[i]) : tdVec3_zero;
    }
    tdHumanoid bound = *rest->humanoid;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        bound.nodes[i] = bound.nodes[i] >= 0 && rest->hasBind[bound.nodes[i]] ? bound.nodes[i] : -1;
    }
    tdQuat space = FindBindSpace(rest, tdFindBodyFrame(&bound, nodes, bindPositions));
    float largest = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        if (rest->hasBind[i] && rest->humanoid->boneOfNode[i] != TD_BONE_NONE)
        {
            targets[i] = tdNormalizeQuat(tdMulQuat(space, tdRotationOfMat4(rest->binds[i])));
            largest = tdMaxFloat(largest, tdAngleBetween(targets[i], rest->worlds[i]));
        }
    }
    tdBodyFrame frame = tdFindBodyFrame(rest->humanoid, nodes, rest->positions);
    const char* name = "";
    bool isTpose = frame.isFound && FindWorstLimb(rest, frame.rotation, &name) >= TD_LIMB_COSINE;
    if (isForced || (largest > SAME_POSE && !isTpose))
    {
        rest->bindHips = PlaceBindHips(rest, space);
        TakeWorlds(rest, targets, rest->hasBind);
        rest->humanoid->restSource = TD_REST_SOURCE_BIND;
    }
    return true;
}

// A frame of an animation

static void TakeFrame(RestPose* rest, int frame)
{
    const tdScene* scene = rest->import->scene;
    const tdChannel* densest = NULL;
    const tdAnimation* animation = scene->animationCount > 0 ? &scene->animations[0] : NULL;
    for (int c = 0; animation != NULL && c < animation->channelCount; ++c)
    {
        const tdChannel* channel = &animation->channels[c];
        if (channel->target.kind == TD_PROPERTY_ROTATION &&
            (densest == NULL || channel->keyCount > densest->keyCount))
        {
            densest = channel;
        }
    }
    if (densest == NULL || frame < 0 || frame >= densest->keyCount)
    {
        tdReport_Add(rest->import->report, TD_DIAG_SK_NO_FRAME, NULL, frame + 1,
                     densest != NULL ? densest->keyCount : 0);
        return;
    }
    float time = densest->times[frame];
    for (int c = 0; c < animation->channelCount; ++c)
    {
        const tdChannel* channel = &animation->channels[c];
        if (channel->target.kind != TD_PROPERTY_ROTATION ||
            rest->humanoid->boneOfNode[channel->target.object] == TD_BONE_NONE)
        {
            continue;
        }
        int key = 0;
        while (key + 1 < channel->keyCount && channel->times[key + 1] <= time)
        {
            key += 1;
        }
        bool isSpline = channel->interpolation == TD_INTERPOLATION_CUBICSPLINE;
        tdQuat value;
        memcpy(&value, channel->values + (size_t)4 * (size_t)(isSpline ? 3 * key + 1 : key), sizeof(value));
        bool isBetween = channel->interpolation == TD_INTERPOLATION_LINEAR && key + 1 < channel->keyCount &&
                         channel->times[key] < time;
        if (isBetween)
        {
            tdQuat next;
            memcpy(&next, channel->values + (size_t)4 * (size_t)(key + 1), sizeof(next));
            float span = channel->times[key + 1] - channel->times[key];
            value = tdSlerp(value, next, (time - channel->times[key]) / span);
        }
        rest->rotations[channel->target.object] = tdNormalizeQuat(value);
    }
    UpdatePose(rest);
    rest->humanoid->restSource = TD_REST_SOURCE_FRAME;
}

// Limbs

static int CorrectLimbs(RestPose* rest, tdQuat frame)
{
    int corrected = 0;
    for (int i = 0; i < TD_LIMB_COUNT; ++i)
    {
        int node = rest->humanoid->nodes[tdLimbs[i].bone], child = rest->humanoid->nodes[tdLimbs[i].child];
        if (node < 0 || child < 0)
        {
            continue;
        }
        tdVec3 wanted = tdRotate(frame, tdLimbs[i].direction);
        tdVec3 direction = tdNormalize(tdSub(rest->positions[child], rest->positions[node]));
        if (!(tdLengthSquared(direction) > 0.5f) || tdDot(direction, wanted) >= TD_LIMB_COSINE)
        {
            continue;
        }
        int parent = rest->nodes->parents[node];
        tdQuat above = parent >= 0 ? rest->worlds[parent] : tdQuat_identity;
        tdQuat world = tdMulQuat(tdQuatFromTo(direction, wanted), rest->worlds[node]);
        rest->rotations[node] = tdNormalizeQuat(tdInvMulQuat(above, world));
        UpdatePose(rest);
        corrected += 1;
    }
    return corrected;
}

// Height of the hips above the lower of the feet or toes along the up direction.
static bool FindLegHeight(const RestPose* rest, tdVec3 up, float* height)
{
    static const tdBone ends[] = {TD_BONE_LEFT_FOOT, TD_BONE_LEFT_TOES, TD_BONE_RIGHT_FOOT,
                                  TD_BONE_RIGHT_TOES};
    float lowest = INFINITY;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); ++i)
    {
        int node = rest->humanoid->nodes[ends[i]];
        lowest = node >= 0 ? tdMinFloat(lowest, tdDot(rest->positions[node], up)) : lowest;
    }
    *height = tdDot(rest->positions[rest->humanoid->nodes[TD_BONE_HIPS]], up) - lowest;
    return lowest < INFINITY;
}

static bool StoreTpose(RestPose* rest, tdQuat frame, float legGrowth)
{
    tdHumanoid* humanoid = rest->humanoid;
    const tdNodeTree* nodes = rest->nodes;
    bool hasPose = false;
    for (int i = 0; i < nodes->count && !hasPose; ++i)
    {
        hasPose = memcmp(&rest->rotations[i], &nodes->locals[i].rotation, sizeof(tdQuat)) != 0;
    }
    bool isUpright = frame.x == 0.0f && frame.z == 0.0f && (frame.y == 0.0f || frame.w == 0.0f);
    humanoid->isHalfTurned = isUpright && frame.w == 0.0f;
    if (!hasPose && isUpright)
    {
        return true; // the rest pose of the nodes
    }
    tdTpose* tpose = tdArena_New(rest->import->arena, tdTpose);
    tdQuat* rotations = tdArena_NewArray(rest->import->arena, tdQuat, nodes->count);
    if (tpose == NULL || rotations == NULL)
    {
        return false;
    }
    memcpy(rotations, rest->rotations, (size_t)nodes->count * sizeof(tdQuat));
    tdVec3 up = tdRotate(frame, (tdVec3){0.0f, 1.0f, 0.0f});
    bool isBind = humanoid->restSource == TD_REST_SOURCE_BIND;
    tdVec3 hips = isBind ? rest->bindHips : rest->positions[humanoid->nodes[TD_BONE_HIPS]];
    *tpose = (tdTpose){frame, hasPose ? rotations : NULL, tdMulAdd(hips, legGrowth, up)};
    humanoid->tpose = tpose;
    humanoid->hipsHeight = tdDot(tpose->hips, up);
    return true;
}

static void ReportRest(const RestPose* rest, tdQuat frame, bool isMirrored, float worst, const char* limb)
{
    const tdHumanoid* humanoid = rest->humanoid;
    tdReport* report = rest->import->report;
    char forward[48], up[48];
    tdVec3 z = tdRotate(frame, (tdVec3){0.0f, 0.0f, 1.0f}), y = tdRotate(frame, (tdVec3){0.0f, 1.0f, 0.0f});
    if (z.z < 0.999f || y.y < 0.999f)
    {
        tdReport_Add(report, TD_DIAG_SK_FACING, NULL, tdDescribeDirection(z, forward),
                     tdDescribeDirection(y, up));
    }
    if (isMirrored)
    {
        tdReport_Add(report, TD_DIAG_SK_MIRRORED, NULL);
    }
    if (humanoid->restSource == TD_REST_SOURCE_BIND)
    {
        tdReport_Add(report, TD_DIAG_SK_REST_BIND, NULL);
    }
    if (humanoid->restCorrections > 0)
    {
        float angle = tdAcos(worst) * (180.0f / TD_PI);
        tdReport_Add(report, TD_DIAG_SK_REST_CORRECTED, NULL, humanoid->restCorrections, limb,
                     (double)floorf(angle + 0.5f));
    }
}

bool tdImportRestPose(tdImport* import, tdHumanoid* humanoid)
{
    const tdLoadDef* def = import->def;
    int count = import->scene->nodes.count;
    RestPose rest = {.import = import, .humanoid = humanoid, .nodes = &import->scene->nodes};
    rest.rotations = tdArena_NewArray(&import->scratch, tdQuat, count);
    rest.worlds = tdArena_NewArray(&import->scratch, tdQuat, count);
    rest.globals = tdArena_NewArray(&import->scratch, tdMat4, count);
    rest.positions = tdArena_NewArray(&import->scratch, tdVec3, count);
    rest.binds = tdArena_NewArray(&import->scratch, tdMat4, count);
    rest.hasBind = tdArena_NewArray(&import->scratch, bool, count);
    if (rest.rotations == NULL || rest.worlds == NULL || rest.globals == NULL || rest.positions == NULL ||
        rest.binds == NULL || rest.hasBind == NULL)
    {
        return false;
    }
    TakeNodes(&rest);
    bool takesBinds = def->rest == TD_REST_AUTO || def->rest == TD_REST_BIND;
    if (takesBinds && !TakeBinds(&rest, def->rest == TD_REST_BIND))
    {
        return false;
    }
    if (def->rest == TD_REST_FRAME)
    {
        TakeFrame(&rest, def->restFrame1 - 1);
    }
    tdBodyFrame body = tdFindBodyFrame(humanoid, rest.nodes, rest.positions);
    tdVec3 up = tdRotate(body.rotation, (tdVec3){0.0f, 1.0f, 0.0f});
    tdQuat frame = def->facing == TD_FACING_AUTO ? body.rotation : tdMakeBodyFrame(def->facing, up);
    if (!body.isFound && def->facing == TD_FACING_AUTO)
    {
        tdReport_Add(import->report, TD_DIAG_SK_FACING_UNKNOWN, NULL);
    }
    up = tdRotate(frame, (tdVec3){0.0f, 1.0f, 0.0f});
    const char* limb = "";
    float worst = FindWorstLimb(&rest, frame, &limb), before = 0.0f, after = 0.0f;
    bool hasLegs = FindLegHeight(&rest, up, &before);
    if (takesBinds && (body.isFound || def->facing != TD_FACING_AUTO))
    {
        humanoid->restCorrections = CorrectLimbs(&rest, frame);
    }
    // The body stands on straight legs where the nodes hold bent ones.
    float growth = hasLegs && FindLegHeight(&rest, up, &after) ? after - before : 0.0f;
    bool isMirrored = body.isMirrored && def->facing == TD_FACING_AUTO;
    ReportRest(&rest, frame, isMirrored, worst, limb);
    return StoreTpose(&rest, frame, growth);
}
