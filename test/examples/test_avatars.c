// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the example files with node constraints and humanoids. Every constraint of every frame is compared
// with its formula, evaluated in double from the final locals of the stage; a constraint that ran too early
// would not match. Retargeted frames are compared with the definition: shared bones have equal rotations in
// model space.
#include "harness.h"

#include "constraint/constraint_list.h"
#include "runtime/double_math.h"
#include "scene/asset.h"
#include "scene/humanoid.h"

#include "tendon/tendon.h"

// The tolerance of the VRM vectors; float rounding along a chain of ten bones stays below 1e-5.
#define ANGLE_TOLERANCE 1e-4

typedef struct Show
{
    tdAsset* asset;
    tdAsset* motion; // NULL: the asset's own animation
    tdClip* clip;
    tdStage* stage;
    tdActor* actor;
} Show;

static tdAsset* Load(const char* name)
{
    char path[128];
    bool isTestData = strncmp(name, "test/", 5) == 0;
    snprintf(path, sizeof path, "%s%s", isTestData ? "" : "examples/", name);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(path, NULL, report);
    ENSURE(asset != NULL);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR) +
                         tdReport_CountSeverity(report, TD_SEVERITY_WARNING),
                     0);
    tdDestroyReport(report);
    return asset;
}

static Show Open(const char* name, const char* motion)
{
    Show show = {.asset = Load(name), .motion = motion != NULL ? Load(motion) : NULL};
    show.clip = motion != NULL ? tdRetargetClip(show.motion, 0, show.asset, NULL, NULL, NULL)
                               : tdCreateClip(show.asset, 0, NULL, NULL);
    ENSURE(show.clip != NULL);
    show.stage = tdCreateStage(NULL);
    show.actor = tdCreateActor(show.stage, show.asset, NULL, NULL);
    tdActor_Play(show.actor, show.clip, NULL);
    return show;
}

static void Close(Show* show)
{
    tdDestroyStage(show->stage);
    tdDestroyClip(show->clip);
    tdDestroyAsset(show->motion);
    tdDestroyAsset(show->asset);
}

static dQuat RestOf(const tdAsset* asset, int node)
{
    return dNormalizeQuat(dFromQuat(asset->scene.nodes.locals[node].rotation));
}

// Product of rotations from the root down; `locals` NULL: at rest.
static dQuat WorldOf(const tdAsset* asset, const tdTrs* locals, int node)
{
    dQuat world = dIdentity;
    for (; node >= 0; node = asset->scene.nodes.parents[node])
    {
        tdQuat q = locals != NULL ? locals[node].rotation : asset->scene.nodes.locals[node].rotation;
        world = dMul(dFromQuat(q), world);
    }
    return dNormalizeQuat(world);
}

static dVec3 PlaceOf(const tdAsset* asset, const tdTrs* locals, int node)
{
    dVec3 p = {0, 0, 0};
    for (; node >= 0; node = asset->scene.nodes.parents[node])
    {
        tdTrs local = locals != NULL ? locals[node] : asset->scene.nodes.locals[node];
        dAffine m = dFromTrs(dFromVec3(local.translation), dNormalizeQuat(dFromQuat(local.rotation)),
                             dFromVec3(local.scale));
        p = dPoint(&m, p);
    }
    return p;
}

// docs/spec/vrm.md 1.3, evaluated directly.
static dQuat ComputeFormula(const tdAsset* asset, const tdTrs* locals, const tdNodeConstraint* c)
{
    dQuat rest = RestOf(asset, c->destination), restS = RestOf(asset, c->source);
    dQuat source = dFromQuat(locals[c->source].rotation), target;
    dVec3 axis = dFromVec3(c->axis);
    dQuat delta = dMul(dConj(restS), source);
    switch (c->kind)
    {
    case TD_CONSTRAINT_ROTATION:
        target = dMul(rest, delta);
        break;
    case TD_CONSTRAINT_ROLL:
    {
        dQuat moved = dMul(dMul(dConj(rest), dMul(dMul(restS, delta), dConj(restS))), rest);
        target = dMul(dMul(rest, dConj(dFromTo(axis, dRotate(moved, axis)))), moved);
        break;
    }
    default:
    {
        dQuat q = WorldOf(asset, locals, asset->scene.nodes.parents[c->destination]);
        dVec3 a = PlaceOf(asset, locals, c->destination), b = PlaceOf(asset, locals, c->source);
        dVec3 to = {b.x - a.x, b.y - a.y, b.z - a.z};
        double length = sqrt(dDot(to, to));
        to = (dVec3){to.x / length, to.y / length, to.z / length};
        target = dMul(dMul(dMul(dConj(q), dFromTo(dRotate(dMul(q, rest), axis), to)), q), rest);
        break;
    }
    }
    return dSlerp(rest, target, (double)c->weight);
}

// Plays the file's animation, or a motion retargeted to it, and compares every frame.
// @return the largest rotation of a constrained node from rest, rad; a motionless rig would prove nothing
static double FollowFormulas(const char* name, const char* motion, int expectedCount)
{
    Show show = Open(name, motion);
    const tdConstraintList* list = show.asset->scene.constraints;
    double worst = 0, farthest = 0;
    if (ENSURE(list != NULL) && ENSURE_EQUAL_INT(list->count, expectedCount))
    {
        for (int frame = 0; frame < 130; ++frame)
        {
            tdStage_Step(show.stage);
            const tdTrs* locals = tdActor_GetLocals(show.actor);
            for (int i = 0; i < list->count; ++i)
            {
                dQuat got = dFromQuat(locals[list->items[i].destination].rotation);
                double angle = dAngle(got, ComputeFormula(show.asset, locals, &list->items[i]));
                double away = dAngle(got, RestOf(show.asset, list->items[i].destination));
                worst = angle > worst ? angle : worst;
                farthest = away > farthest ? away : farthest;
            }
        }
    }
    ENSURE_NEAR(worst, 0.0, ANGLE_TOLERANCE);
    Close(&show);
    return farthest;
}

TEST(ConstrainedRigsFollowTheFormulas)
{
    ENSURE(FollowFormulas("forearm_twist.gltf", NULL, 2) > 1.0);
    ENSURE(FollowFormulas("sleeve.gltf", NULL, 1) > 0.5);
    ENSURE(FollowFormulas("sub_arm.gltf", NULL, 2) > 1.0);
    ENSURE(FollowFormulas("constraint_chain.gltf", NULL, 3) > 0.5);
    ENSURE(FollowFormulas("lanky.vrm", "stretch.vrma", 7) > 0.5);
}

static int Find(const Show* show, const char* name)
{
    int node = tdAsset_FindNode(show->asset, name);
    ENSURE(node >= 0);
    return node >= 0 ? node : 0;
}

// At 1 s the hand is rolled by 120 degrees about the arm and bent by 15. At rest its axis differs from the
// forearm's by 5 degrees, so a twist bone differs from a third of 120 degrees by a few degrees at most.
TEST(TwistBonesShareTheRoll)
{
    Show show = Open("forearm_twist.gltf", NULL);
    tdStage_Evaluate(show.stage, 1.0);
    for (int i = 1; i <= 2; ++i)
    {
        char name[32];
        snprintf(name, sizeof name, "Twist %d", i);
        int node = Find(&show, name);
        dQuat turn =
            dMul(dConj(RestOf(show.asset, node)), dFromQuat(tdActor_GetLocals(show.actor)[node].rotation));
        ENSURE_NEAR(2 * atan2(turn.x, turn.w) * 180 / 3.14159265358979, 40.0 * i, 4.0);
        ENSURE_NEAR(hypot(turn.y, turn.z), 0.0, 1e-6); // roll only
    }
    Close(&show);
}

// The pointer's X axis passes through the tip, which depends on the second-to-last constraint.
TEST(TheChainEndsAtTheTip)
{
    Show show = Open("constraint_chain.gltf", NULL);
    const tdConstraintList* list = show.asset->scene.constraints;
    ENSURE_EQUAL_INT(list->items[0].destination, Find(&show, "Dial"));
    ENSURE_EQUAL_INT(list->items[1].destination, Find(&show, "Rod"));
    ENSURE_EQUAL_INT(list->items[2].destination, Find(&show, "Pointer"));
    for (double time = 0; time < 2; time += 0.125)
    {
        tdStage_Evaluate(show.stage, time);
        const tdTrs* locals = tdActor_GetLocals(show.actor);
        int pointer = Find(&show, "Pointer");
        dVec3 a = PlaceOf(show.asset, locals, pointer), b = PlaceOf(show.asset, locals, Find(&show, "Tip"));
        dVec3 axis = dRotate(WorldOf(show.asset, locals, pointer), (dVec3){1, 0, 0});
        dVec3 way = {b.x - a.x, b.y - a.y, b.z - a.z};
        ENSURE_NEAR(dDot(axis, way) / sqrt(dDot(way, way)), 1.0, 1e-8);
    }
    Close(&show);
}

// D(b) = R(b) W(b)^-1 of source and target, for every bone that both have; hips by docs/spec/vrm.md 5.5.
static void CompareTurns(const char* avatar, const char* motion)
{
    Show show = Open(avatar, motion);
    // A second actor plays the motion on its own skeleton.
    tdClip* own = tdCreateClip(show.motion, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, show.motion, NULL, NULL);
    tdActor_Play(actor, own, NULL);
    const tdHumanoid *a = show.motion->scene.humanoid, *b = show.asset->scene.humanoid;
    dVec3 restA = PlaceOf(show.motion, NULL, a->nodes[TD_BONE_HIPS]);
    dVec3 restB = PlaceOf(show.asset, NULL, b->nodes[TD_BONE_HIPS]);
    double worst = 0, worstWay = 0, largest = 0;
    int shared = 0;
    for (double time = 0; time < (double)tdClip_GetDuration(own); time += 0.05)
    {
        tdStage_Evaluate(stage, time);
        tdStage_Evaluate(show.stage, time);
        const tdTrs *from = tdActor_GetLocals(actor), *to = tdActor_GetLocals(show.actor);
        shared = 0;
        for (int i = 0; i < TD_BONE_COUNT; ++i)
        {
            int nodeA = a->nodes[i], nodeB = b->nodes[i];
            if (nodeA < 0 || nodeB < 0)
            {
                continue;
            }
            shared += 1;
            dQuat turnA = dMul(WorldOf(show.motion, from, nodeA), dConj(WorldOf(show.motion, NULL, nodeA)));
            dQuat turnB = dMul(WorldOf(show.asset, to, nodeB), dConj(WorldOf(show.asset, NULL, nodeB)));
            worst = fmax(worst, dAngle(turnA, turnB));
            largest = fmax(largest, dAngle(turnA, dIdentity));
        }
        dVec3 p = PlaceOf(show.motion, from, a->nodes[TD_BONE_HIPS]);
        dVec3 q = PlaceOf(show.asset, to, b->nodes[TD_BONE_HIPS]);
        double k = restB.y / restA.y;
        worstWay = fmax(worstWay, fabs(q.x - (restB.x + k * (p.x - restA.x))));
        worstWay = fmax(worstWay, fabs(q.y - (restB.y + k * (p.y - restA.y))));
        worstWay = fmax(worstWay, fabs(q.z - (restB.z + k * (p.z - restA.z))));
    }
    ENSURE(shared >= 15);
    ENSURE(largest > 0.5);
    ENSURE_NEAR(worst, 0.0, ANGLE_TOLERANCE);
    ENSURE_NEAR(worstWay, 0.0, 1e-4);
    tdDestroyStage(stage);
    tdDestroyClip(own);
    Close(&show);
}

TEST(AvatarsFollowTheStretchMotion)
{
    CompareTurns("lanky.vrm", "stretch.vrma");
    CompareTurns("stocky.vrm", "stretch.vrma");
    CompareTurns("mannequin.gltf", "stretch.vrma");
}

// A plain GLB with Mixamo joint names, under a scaled armature that lies on its back: the rotations and the
// motion equal those of the VRM Animation.
TEST(MixamoNamesAreAMotionSource)
{
    CompareTurns("lanky.vrm", "test/data/humanoid/mixamo.glb");
    CompareTurns("stocky.vrm", "test/data/humanoid/mixamo.glb");
    Show a = Open("stocky.vrm", "stretch.vrma"), b = Open("stocky.vrm", "test/data/humanoid/mixamo.glb");
    ENSURE_EQUAL_INT(b.motion->scene.humanoid->kind, TD_HUMANOID_BY_NAME);
    double worst = 0;
    for (double time = 0; time < 2; time += 0.1)
    {
        tdStage_Evaluate(a.stage, time);
        tdStage_Evaluate(b.stage, time);
        const tdHumanoid* humanoid = a.asset->scene.humanoid;
        for (int i = 0; i < TD_BONE_COUNT; ++i)
        {
            int node = humanoid->nodes[i];
            if (node >= 0 && i != TD_BONE_LEFT_EYE && i != TD_BONE_RIGHT_EYE)
            {
                worst = fmax(worst, dAngle(dFromQuat(tdActor_GetLocals(a.actor)[node].rotation),
                                           dFromQuat(tdActor_GetLocals(b.actor)[node].rotation)));
            }
        }
    }
    ENSURE_NEAR(worst, 0.0, ANGLE_TOLERANCE);
    Close(&a);
    Close(&b);
}

TEST(AvatarsDifferInRestAndBones)
{
    tdAsset *lanky = Load("lanky.vrm"), *stocky = Load("stocky.vrm");
    const tdHumanoid *a = lanky->scene.humanoid, *b = stocky->scene.humanoid;
    int countA = 0, countB = 0;
    double apart = 0;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        countA += a->nodes[i] >= 0;
        countB += b->nodes[i] >= 0;
        if (a->nodes[i] >= 0 && b->nodes[i] >= 0)
        {
            apart =
                fmax(apart, dAngle(WorldOf(lanky, NULL, a->nodes[i]), WorldOf(stocky, NULL, b->nodes[i])));
        }
    }
    ENSURE_EQUAL_INT(countA, 53);
    ENSURE_EQUAL_INT(countB, 18);
    ENSURE(apart > 1.5);
    tdDestroyAsset(lanky);
    tdDestroyAsset(stocky);
}

// The smile is a weight in both files; the gaze is weights in one and eye rotations in the other. At 0.5 s:
// yaw 30, pitch -10.
TEST(FacesFollow)
{
    Show show = Open("lanky.vrm", "stretch.vrma");
    tdStage_Evaluate(show.stage, 0.5);
    ENSURE_NEAR(tdActor_GetExpression(show.actor, "happy"), 0.4, 1e-6);
    ENSURE_NEAR(tdActor_GetExpressionOutput(show.actor, "lookLeft"), 30.0 / 45.0, 1e-4);
    ENSURE_NEAR(tdActor_GetExpressionOutput(show.actor, "lookUp"), 10.0 / 45.0, 1e-4);
    ENSURE_NEAR(tdActor_GetExpressionOutput(show.actor, "lookRight"), 0.0, 0.0);
    Close(&show);

    show = Open("stocky.vrm", "stretch.vrma");
    tdStage_Evaluate(show.stage, 0.5);
    ENSURE_NEAR(tdActor_GetExpressionOutput(show.actor, "happy"), 0.0, 0.0); // binary: 0.4 is off
    double degree = 3.14159265358979 / 180;
    double yaw = 30.0 / 60 * 12 * degree, pitch = -10.0 / 40 * 8 * degree;
    dQuat gaze =
        dMul((dQuat){0, sin(yaw / 2), 0, cos(yaw / 2)}, (dQuat){sin(pitch / 2), 0, 0, cos(pitch / 2)});
    const tdHumanoid* humanoid = show.asset->scene.humanoid;
    for (int side = 0; side < 2; ++side)
    {
        int eye = humanoid->nodes[side == 0 ? TD_BONE_LEFT_EYE : TD_BONE_RIGHT_EYE];
        dQuat world = WorldOf(show.asset, NULL, eye);
        dQuat local = dMul(dMul(dMul(RestOf(show.asset, eye), dConj(world)), gaze), world);
        ENSURE_NEAR(dAngle(local, dFromQuat(tdActor_GetLocals(show.actor)[eye].rotation)), 0.0,
                    ANGLE_TOLERANCE);
    }
    tdStage_Evaluate(show.stage, 1.0);
    ENSURE_NEAR(tdActor_GetExpressionOutput(show.actor, "happy"), 1.0, 0.0);
    Close(&show);
}

// A planted foot does not slide: within the first half of its stance the ankle stays within a millimetre (the
// file's angles have four decimals, and joints are interpolated between frames, not feet). The walk covers
// 1.3 m per second.
TEST(TheWalkDoesNotSlide)
{
    tdAsset* walk = Load("walk.bvh");
    tdClip* clip = tdCreateClip(walk, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, walk, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    int foot = walk->scene.humanoid->nodes[TD_BONE_LEFT_FOOT],
        hips = walk->scene.humanoid->nodes[TD_BONE_HIPS];
    dVec3 stands = {0, 0, 0}, start = {0, 0, 0};
    double lifted = 0;
    for (int frame = 0; frame <= 60; ++frame)
    {
        tdStage_Evaluate(stage, frame / 30.0 * 0.99999);
        const tdTrs* locals = tdActor_GetLocals(actor);
        dVec3 p = PlaceOf(walk, locals, foot), h = PlaceOf(walk, locals, hips);
        start = frame == 0 ? h : start;
        double phase = fmod(frame / 30.0, 1.0);
        if (phase < 0.01)
        {
            stands = p;
        }
        else if (phase < 0.44) // the heel lifts at 0.45
        {
            ENSURE_NEAR(p.z, stands.z, 0.001);
            ENSURE_NEAR(p.y, stands.y, 0.001);
        }
        lifted = fmax(lifted, p.y - stands.y);
        ENSURE_NEAR(h.z - start.z, 1.1 * frame / 30.0, 0.001);
    }
    ENSURE(lifted > 0.1);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(walk);
    // The arms hang in the zero pose, which is corrected: on an avatar they swing next to the body.
    Show show = Open("lanky.vrm", "walk.bvh");
    tdStage_Evaluate(show.stage, 0.25);
    const tdHumanoid* humanoid = show.asset->scene.humanoid;
    const tdTrs* locals = tdActor_GetLocals(show.actor);
    dVec3 arm = PlaceOf(show.asset, locals, humanoid->nodes[TD_BONE_LEFT_UPPER_ARM]);
    dVec3 hand = PlaceOf(show.asset, locals, humanoid->nodes[TD_BONE_LEFT_HAND]);
    ENSURE(arm.y - hand.y > 0.4);
    ENSURE(fabs(hand.x - arm.x) < 0.15);
    Close(&show);
}

TEST_MAIN(RUN(ConstrainedRigsFollowTheFormulas) RUN(TwistBonesShareTheRoll) RUN(TheChainEndsAtTheTip)
              RUN(AvatarsFollowTheStretchMotion) RUN(MixamoNamesAreAMotionSource)
                  RUN(AvatarsDifferInRestAndBones) RUN(FacesFollow) RUN(TheWalkDoesNotSlide))
