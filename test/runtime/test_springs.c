// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs on a stage: clocks, resets, writers, state, parameters, the same bits everywhere.
// Labels: threads
#include "assert_count.h"

#include "base/report.h"
#include "runtime/actor_springs.h"
#include "runtime/stage.h"
#include "spring/spring_scene.h"

typedef struct Crowd
{
    tdStage* stage;
    tdActor* actors[24];
    int count;
} Crowd;

static Crowd MakeCrowd(const tdAsset* asset, int count, tdSimd simd, const tdTasks* tasks)
{
    tdStageDef def = tdDefaultStageDef();
    def.world.simd = simd;
    def.tasks = tasks;
    Crowd crowd = {.stage = tdCreateStage(&def), .count = count};
    for (int i = 0; i < count; ++i)
    {
        crowd.actors[i] = tdCreateActor(crowd.stage, asset, NULL, NULL);
    }
    return crowd;
}

static void RunCrowd(const Crowd* crowd, int steps)
{
    for (int step = 0; step < steps; ++step)
    {
        for (int i = 0; i < crowd->count; ++i)
        {
            ShakeRoot(crowd->actors[i], (double)step / 60.0);
        }
        ENSURE(tdStage_Step(crowd->stage));
    }
}

static void CompareCrowds(tdAsset* asset)
{
    const tdTasks* threads = tdCreateThreads(4);
    Crowd one = MakeCrowd(asset, 1, TD_SIMD_SCALAR, NULL);
    RunCrowd(&one, 90);
    for (tdSimd simd = TD_SIMD_SCALAR; simd <= TD_SIMD_AVX2; ++simd)
    {
        Crowd many = MakeCrowd(asset, 24, simd, simd == TD_SIMD_SSE2 ? NULL : threads);
        RunCrowd(&many, 90);
        for (int i = 0; i < many.count; ++i)
        {
            ENSURE(AreSamePoses(one.actors[0], many.actors[i]));
        }
        tdDestroyStage(many.stage);
    }
    tdDestroyStage(one.stage);
    tdDestroyThreads(threads);
    tdDestroyAsset(asset);
}

TEST(WidthsThreadsAndCrowdsGiveTheSameBits)
{
    CompareCrowds(LoadHair(13, 5, ALL_COLLIDERS, true, NULL));
    // Colliders on two chains that all chains meet: a cycle.
    CompareCrowds(
        LoadHair(13, 5,
                 "'colliders':[{'node':3,'shape':{'sphere':{'radius':0.05}}},{'node':16,'shape':{"
                 "'capsule':{'tail':[0,-0.1,0],'radius':0.03}}}],'colliderGroups':[{'colliders':[0,1]}],",
                 true, NULL));
}

// Whether all globals have the bits that a sweep computes from the locals.
static bool HasGlobalsOfASweep(tdActor* actor)
{
    tdMat4 before[64];
    size_t size = (size_t)tdAsset_GetNodeCount(tdActor_GetAsset(actor)) * sizeof(tdMat4);
    memcpy(before, tdActor_GetGlobals(actor), size);
    tdNodePose_SetPlacement(&actor->pose, tdTransform_identity);
    tdNodePose_Sweep(&actor->pose);
    return memcmp(before, tdActor_GetGlobals(actor), size) == 0;
}

TEST(KernelsGiveTheGlobalsOfASweep)
{
    // The globals that the kernel writes have the bits that a sweep computes from the locals.
    tdAsset* asset = LoadHair(5, 4, NULL, false, NULL);
    Crowd one = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
    RunCrowd(&one, 40);
    ENSURE(HasGlobalsOfASweep(one.actors[0]));
    tdDestroyStage(one.stage);
    tdDestroyAsset(asset);
}

// Two chains below node 0: nodes 1 to 3, from whose node 2 another spring with nodes 4 and 5 branches off,
// and nodes 6 to 9. Joint 4 has the most colliders and joints 1 and 2 have none, so that the chains change
// their lanes.
static tdAsset* LoadCrossedChains(void)
{
    return LoadSprings(
        "{'children':[1,6]},{'translation':[0.1,0,0],'children':[2]},{'translation':[0,-0.1,0],'children':[3,"
        "4]},"
        "{'translation':[0,-0.1,0]},{'translation':[0,-0.1,0.03],'children':[5]},{'translation':[0,-0.1,0]},"
        "{'translation':[-0.1,0,0],'children':[7]},{'translation':[0,-0.05,0.02],'children':[8]},"
        "{'translation':[0,-0.05,0],'children':[9]},{'translation':[0,-0.05,0]}",
        "{'joints':[{'node':1,'gravityPower':0.3},{'node':2},{'node':3}]},"
        "{'joints':[{'node':4,'gravityPower':0.2},{'node':5}],'colliderGroups':[0,1]},"
        "{'joints':[{'node':6,'gravityPower':0.1},{'node':7},{'node':8},{'node':9}],'colliderGroups':[0]}",
        "'colliders':[{'node':0,'shape':{'sphere':{'radius':0.02}}},{'node':0,'shape':{'sphere':{}}}],"
        "'colliderGroups':[{'colliders':[0]},{'colliders':[1]}],",
        NULL, NULL);
}

TEST(ChainsMayChangeLanes)
{
    tdAsset* asset = LoadCrossedChains();
    ENSURE_EQUAL_INT(tdAsset_GetSpringJointCount(asset), 6);
    Crowd one = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
    RunCrowd(&one, 40);
    ENSURE(HasGlobalsOfASweep(one.actors[0]));
    tdDestroyStage(one.stage);
    tdDestroyAsset(asset);
}

// A chain of three joints below a node with a scale; `joint` scales node 2.
static tdAsset* LoadScaledChain(const char* root, const char* joint, bool isSplit)
{
    char nodes[768];
    // A split chain has a skipped node above node 3, so that its parents are gathered.
    snprintf(nodes, sizeof(nodes),
             "{'children':[1],'rotation':[0.1,0.3,0.2,0.927362],'scale':%s},{'translation':[0,-0.1,0.02],"
             "'children':[2]},{'translation':[0.02,-0.1,0],'scale':%s,'children':[%d]},"
             "{'translation':[0.01,-0.1,0],'children':[4]},{'translation':[0,-0.1,0]}%s",
             root, joint, isSplit ? 5 : 3, isSplit ? ",{'children':[3]}" : "");
    return LoadSprings(nodes,
                       "{'joints':[{'node':1,'stiffness':0.2,'gravityPower':0.5},{'node':2,'stiffness':0.2,"
                       "'gravityPower':0.5},{'node':3,'stiffness':0.2,'gravityPower':0.5},{'node':4}]}",
                       NULL, NULL, NULL);
}

TEST(UnevenScaleIsInherited)
{
    tdAsset* assets[2] = {LoadScaledChain("[2,1,0.7]", "[1,1,1]", false),
                          LoadScaledChain("[2,1,0.7]", "[1,1,1]", true)};
    Crowd plain = MakeCrowd(assets[0], 1, TD_SIMD_AUTO, NULL),
          split = MakeCrowd(assets[1], 1, TD_SIMD_AUTO, NULL);
    RunCrowd(&plain, 40);
    RunCrowd(&split, 40);
    for (int node = 1; node < 4; ++node)
    {
        tdQuat a = tdActor_GetLocals(plain.actors[0])[node].rotation;
        ENSURE_NEAR(tdAngleBetween(a, tdActor_GetLocals(split.actors[0])[node].rotation), 0.0f, 1.0e-5f);
        ENSURE(tdAngleBetween(a, tdQuat_identity) > 0.01f);
    }
    tdDestroyStage(plain.stage);
    tdDestroyStage(split.stage);
    tdDestroyAsset(assets[0]);
    tdDestroyAsset(assets[1]);
}

TEST(AnimatedScaleIsThatOfAFile)
{
    tdAsset* assets[2] = {LoadScaledChain("[1,1,1]", "[3,3,3]", false),
                          LoadScaledChain("[1,1,1]", "[1,1,1]", false)};
    Crowd file = MakeCrowd(assets[0], 1, TD_SIMD_AUTO, NULL),
          set = MakeCrowd(assets[1], 1, TD_SIMD_AUTO, NULL);
    tdTrs local = {tdVec3_zero, tdQuat_identity, {3.0f, 3.0f, 3.0f}};
    tdActor_SetLocal(set.actors[0], 2, TD_LOCAL_SCALE, local);
    RunCrowd(&file, 40);
    RunCrowd(&set, 40);
    for (int node = 1; node < 4; ++node)
    {
        tdQuat a = tdActor_GetLocals(file.actors[0])[node].rotation;
        ENSURE_NEAR(tdAngleBetween(a, tdActor_GetLocals(set.actors[0])[node].rotation), 0.0f, 1.0e-5f);
    }
    ENSURE(HasGlobalsOfASweep(set.actors[0]));
    tdDestroyStage(file.stage);
    tdDestroyStage(set.stage);
    tdDestroyAsset(assets[0]);
    tdDestroyAsset(assets[1]);
}

TEST(AJointMayBeItsOwnCenter)
{
    // Moving the root is no motion in the space of the joint.
    tdAsset* asset =
        LoadSprings("{'children':[1]},{'translation':[0,-0.1,0],'children':[2]},{'translation':[0,-0.2,0]}",
                    "{'joints':[{'node':1,'stiffness':0},{'node':2}],'center':1}", NULL, NULL, NULL);
    Crowd one = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
    for (int step = 0; step < 20; ++step)
    {
        tdTrs local = {{0.05f * (float)step, 0.0f, 0.0f}, tdQuat_identity, tdVec3_one};
        tdActor_SetLocal(one.actors[0], 0, TD_LOCAL_TRANSLATION, local);
        ENSURE(tdStage_Step(one.stage));
        ENSURE_NEAR(tdAngleBetween(tdActor_GetLocals(one.actors[0])[1].rotation, tdQuat_identity), 0.0f,
                    1.0e-3f);
    }
    tdDestroyStage(one.stage);
    tdDestroyAsset(asset);
}

TEST(FailedStepsLeaveWholePoses)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, INT64_MAX);
    tdAsset* hair = LoadHair(5, 4, NULL, false, NULL);
    tdAsset* box =
        LoadSprings("{'extensions':{'KHR_physics_rigid_bodies':{'motion':{},'collider':{'geometry':"
                    "{'shape':0}}}}}",
                    "", NULL, NULL, NULL);
    tdStageDef def = tdDefaultStageDef();
    def.world.allocator = &allocator;
    tdStage* stage = tdCreateStage(&def);
    tdActor* actor = tdCreateActor(stage, hair, NULL, NULL);
    for (int step = 0; step < 10; ++step)
    {
        ShakeRoot(actor, (double)step / 60.0);
        ENSURE(tdStage_Step(stage));
    }
    ENSURE(tdCreateActor(stage, box, NULL, NULL) != NULL);
    ShakeRoot(actor, 2.0);
    state.failAt = state.count;
    ENSURE(!tdStage_Step(stage));
    ENSURE(HasGlobalsOfASweep(actor));
    state.failAt = INT64_MAX;
    ENSURE(tdStage_Step(stage));
    tdDestroyStage(stage);
    tdDestroyAsset(hair);
    tdDestroyAsset(box);
}

// Frames at 30, 60 and 144 Hz, and none: the same steps.
static void CompareRates(tdAsset* asset)
{
    static const double rates[] = {30.0, 60.0, 144.0};
    Crowd plain = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
    RunCrowd(&plain, 60);
    for (int r = 0; r < 3; ++r)
    {
        Crowd shown = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
        double time = 0.0;
        for (int step = 0; step < 60; ++step)
        {
            for (; time <= (double)step / 60.0; time += 1.0 / rates[r])
            {
                tdStage_Evaluate(shown.stage, time);
            }
            ShakeRoot(shown.actors[0], (double)step / 60.0);
            tdStage_Step(shown.stage);
        }
        ENSURE(AreSamePoses(plain.actors[0], shown.actors[0]));
        tdStage_Evaluate(shown.stage, 1.0);
        ENSURE(AreSamePoses(plain.actors[0], shown.actors[0]));
        tdDestroyStage(shown.stage);
    }
    tdDestroyStage(plain.stage);
    tdDestroyAsset(asset);
}

TEST(RenderingChangesNothing)
{
    CompareRates(LoadHair(6, 4, ALL_COLLIDERS, true, NULL));
    // Steps that read the rotations of the step before: a joint on another spring that is its own center, and
    // a collider at the end of a chain that meets it.
    static const char nodes[] =
        "{'children':[1]},{'translation':[0.1,0,0],'children':[2]},{'translation':[0,-0.1,0],'children':[3]},"
        "{'translation':[0.02,-0.1,0],'children':[4]},{'translation':[0,-0.1,0.03],'children':[5]},"
        "{'translation':[0,-0.1,0]}";
    static const char joints[] =
        "{'joints':[{'node':1,'stiffness':0.3},{'node':2}]},{'joints':[{'node':3,'stiffness':0.3,'hitRadius':"
        "0.02},{'node':4,'stiffness':0.3,'hitRadius':0.02},{'node':5}]";
    char springs[512];
    snprintf(springs, sizeof(springs), "%s,'center':3}", joints);
    CompareRates(LoadSprings(nodes, springs, NULL, NULL, NULL));
    snprintf(springs, sizeof(springs), "%s,'colliderGroups':[0]}", joints);
    CompareRates(LoadSprings(nodes, springs,
                             "'colliders':[{'node':5,'shape':{'sphere':{'offset':[0,0.1,0],'radius':0.05}}}],"
                             "'colliderGroups':[{'colliders':[0]}],",
                             NULL, NULL));
}

TEST(FramesBetweenStepsAreInterpolated)
{
    tdAsset* asset = LoadHair(2, 3, NULL, false, NULL);
    Crowd one = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
    RunCrowd(&one, 20);
    tdQuat before = tdActor_GetLocals(one.actors[0])[2].rotation;
    ShakeRoot(one.actors[0], 2.0);
    tdStage_Step(one.stage);
    tdQuat after = tdActor_GetLocals(one.actors[0])[2].rotation;
    float angle = tdAngleBetween(before, after);
    ENSURE(angle > 1.0e-3f);
    tdStage_Evaluate(one.stage, 20.25 / 60.0);
    tdQuat shown = tdActor_GetLocals(one.actors[0])[2].rotation;
    ENSURE_NEAR(tdAngleBetween(before, shown), 0.25f * angle, 1.0e-3f * angle + 1.0e-6f);
    ENSURE_NEAR(tdAngleBetween(after, shown), 0.75f * angle, 1.0e-3f * angle + 1.0e-6f);
    tdStage_Evaluate(one.stage, 20.0 / 60.0);
    ENSURE(memcmp(&before, &tdActor_GetLocals(one.actors[0])[2].rotation, sizeof(before)) == 0);
    tdDestroyStage(one.stage);
    tdDestroyAsset(asset);
}

static float MeasureSwing(const tdActor* actor)
{
    const tdAsset* asset = tdActor_GetAsset(actor);
    float swing = 0.0f;
    for (int i = 0; i < tdAsset_GetSpringJointCount(asset); ++i)
    {
        int node = tdDescribeSpringJoint(asset, i).node;
        tdQuat rest = tdDescribeNode(asset, node).local.rotation;
        swing = tdMaxFloat(swing, tdAngleBetween(tdActor_GetLocals(actor)[node].rotation, rest));
    }
    return swing;
}

TEST(ResetsLetSpringsHangAsModelled)
{
    tdAsset* asset = LoadHair(3, 4, NULL, false, NULL);
    Crowd one = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
    tdActor* actor = one.actors[0];
    for (int kind = 0; kind < 4; ++kind)
    {
        RunCrowd(&one, 30);
        ENSURE(MeasureSwing(actor) > 0.05f);
        switch (kind)
        {
        case 0:
            tdActor_ResetSprings(actor);
            break;
        case 1:
            tdActor_Teleport(actor, (tdTransform){{100.0f, 5.0f, -30.0f}, {0.0f, 1.0f, 0.0f, 0.0f}});
            ENSURE_NEAR(tdActor_GetPlacement(actor).position.x, 100.0f, 0.0f);
            break;
        case 2:
            tdActor_EnableSprings(actor, false);
            tdStage_Step(one.stage);
            ENSURE_NEAR(MeasureSwing(actor), 0.0f, 0.0f);
            ENSURE(!tdActor_AreSpringsEnabled(actor));
            tdActor_EnableSprings(actor, true);
            break;
        default:
            tdActor_EnableSprings(actor, true); // already on: nothing changes
            continue;
        }
        tdStage_Evaluate(one.stage, tdStage_GetTime(one.stage));
        ENSURE_NEAR(MeasureSwing(actor), 0.0f, 0.0f);
        tdStage_Step(one.stage);
        ENSURE(MeasureSwing(actor) < 0.05f); // one step of gravity
    }
    ENSURE(MeasureSwing(actor) > 0.05f);
    StartCountingAsserts();
    tdActor_Teleport(actor, (tdTransform){{NAN, 0.0f, 0.0f}, tdQuat_identity});
    tdActor_Teleport(actor, (tdTransform){{0.0f, 0.0f, 0.0f}, {0.0f, INFINITY, 0.0f, 1.0f}});
    ENSURE(StopCountingAsserts("tdIsFiniteTransform"));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(tdStage_GetWorld(one.stage)), TD_STATUS_INVALID_NUMBER);
    ENSURE_NEAR(tdActor_GetPlacement(actor).position.x, 100.0f, 0.0f);
    tdStage_Step(one.stage);
    ENSURE(MeasureSwing(actor) > 0.05f); // a refused teleport is no reset
    tdDestroyStage(one.stage);
    tdDestroyAsset(asset);
}

TEST(SeeksResetAndPausesDoNot)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/spring/variable_dt.vrm", TD_TEST_DATA);
    tdAsset* asset = tdLoadAsset(path, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdPlayId play = tdActor_Play(actor, clip, NULL);
    for (int i = 0; i < 40; ++i)
    {
        tdStage_Step(stage);
    }
    ENSURE(MeasureSwing(actor) > 0.01f && !actor->springs->needsReset);
    for (int i = 0; i < 5; ++i)
    {
        tdStage_Evaluate(stage, tdStage_GetTime(stage));
    }
    tdActor_SetPlay(actor, play, tdActor_GetPlayTime(actor, play) + 0.05f, 0.5f, 1.0f);
    ENSURE(!actor->springs->needsReset);
    tdActor_SetPlay(actor, play, 0.1f, 1.0f, 1.0f);
    ENSURE(actor->springs->needsReset);
    tdStage_Step(stage);
    ENSURE(!actor->springs->needsReset);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
}

TEST(StateCanBeSavedAndLoaded)
{
    tdAsset* asset = LoadHair(5, 4, ALL_COLLIDERS, true, NULL);
    Crowd a = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL), b = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
    RunCrowd(&a, 35);
    tdStateStream count = {.mode = TD_STATE_COUNT};
    tdActorSprings_Stream(a.actors[0], &count);
    uint8_t* bytes = malloc(count.at);
    tdStateStream out = {.mode = TD_STATE_WRITE, .bytes = bytes, .size = count.at};
    tdActorSprings_Stream(a.actors[0], &out);
    ENSURE(!out.failed && out.at == count.at && count.at > 1000);
    tdStateStream in = {.mode = TD_STATE_READ, .bytes = bytes, .size = count.at};
    tdActorSprings_Stream(b.actors[0], &in);
    ENSURE(!in.failed);
    RunCrowd(&a, 20);
    RunCrowd(&b, 20);
    ENSURE(AreSamePoses(a.actors[0], b.actors[0]));
    tdStateStream cut = {.mode = TD_STATE_READ, .bytes = bytes, .size = count.at - 1};
    tdActorSprings_Stream(b.actors[0], &cut);
    ENSURE(cut.failed);
    free(bytes);
    tdDestroyStage(a.stage);
    tdDestroyStage(b.stage);
    tdDestroyAsset(asset);
}

TEST(ParametersCanBeSet)
{
    tdAsset* asset = LoadHair(9, 3, NULL, false, NULL);
    Crowd two = MakeCrowd(asset, 2, TD_SIMD_AUTO, NULL);
    tdSpringParameters stiff = {
        .hitRadius = -1.0f, .stiffness = 1.0e9f, .gravityDir = {0.0f, -1.0f, 0.0f}, .dragForce = 2.0f};
    for (int i = 0; i < tdAsset_GetSpringJointCount(asset); ++i)
    {
        tdActor_SetSpringParameters(two.actors[0], i, &stiff);
    }
    tdSpringParameters got = tdActor_GetSpringParameters(two.actors[0], 26);
    ENSURE_NEAR(got.hitRadius, 0.0f, 0.0f);
    ENSURE_NEAR(got.stiffness, 1.0e6f, 0.0f);
    ENSURE_NEAR(got.dragForce, 1.0f, 0.0f);
    RunCrowd(&two, 40);
    ENSURE(MeasureSwing(two.actors[0]) < 1.0e-3f && MeasureSwing(two.actors[1]) > 0.05f);
    stiff.stiffness = NAN;
    StartCountingAsserts();
    tdActor_SetSpringParameters(two.actors[1], 0, &stiff);
    ENSURE(StopCountingAsserts("AreFiniteParameters"));
    ENSURE_EQUAL_INT(tdWorld_GetStatus(tdStage_GetWorld(two.stage)), TD_STATUS_INVALID_NUMBER);
    ENSURE(tdActor_GetSpringParameters(two.actors[1], 0).stiffness < 1.0e3f);
    for (int i = 0; i < tdAsset_GetSpringJointCount(asset); ++i)
    {
        tdActor_SetSpringParameters(two.actors[0], i, NULL);
        tdSpringParameters file = tdDescribeSpringJoint(asset, i).parameters;
        got = tdActor_GetSpringParameters(two.actors[0], i);
        ENSURE(memcmp(&file, &got, sizeof(file)) == 0);
    }
    tdActor_ResetSprings(two.actors[0]);
    tdActor_ResetSprings(two.actors[1]);
    RunCrowd(&two, 20);
    ENSURE(AreSamePoses(two.actors[0], two.actors[1]));
    tdActor_SetSpringParameters(two.actors[0], -1, NULL);
    tdActor_SetSpringParameters(two.actors[0], 1000, NULL);
    tdActor_SetSpringParameters(NULL, 0, NULL);
    ENSURE_NEAR(tdActor_GetSpringParameters(NULL, 0).stiffness, 0.0f, 0.0f);
    ENSURE_NEAR(tdLength(tdActor_GetSpringTail(NULL, 0)), 0.0f, 0.0f);
    tdDestroyStage(two.stage);
    tdDestroyAsset(asset);
}

#define BODY(motion) "'KHR_physics_rigid_bodies':{'motion':" motion ",'collider':{'geometry':{'shape':0}}}"

TEST(OneWriterPerProperty)
{
    // Node 1 has a constraint, node 2 is a simulated body, node 3 swings below it.
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = LoadSprings(
        "{'children':[1]},{'translation':[0,-0.1,0],'children':[2],'extensions':{'VRMC_node_constraint':"
        "{'specVersion':'1.0','constraint':{'rotation':{'source':0}}}}},"
        "{'translation':[0,-0.2,0],'children':[3],'extensions':{" BODY(
            "{}") "}},"
                  "{'translation':[0.1,-0.2,0],'children':[4]},{'translation':[0,-0.2,0.1]}",
        "{'joints':[{'node':1},{'node':2},{'node':3},{'node':4}]}", NULL, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NC_DESTINATION_IS_SPRING), 1);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, report);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_CLAIM_OVERRULED), 1);
    tdTrs turned = tdTrs_identity;
    turned.rotation = tdQuatFromAxisAngle((tdVec3){1.0f, 0.0f, 0.0f}, 1.0f);
    tdActor_SetLocal(actor, 0, TD_LOCAL_ROTATION, turned);
    for (int i = 0; i < 30; ++i)
    {
        tdStage_Step(stage);
    }
    ENSURE_EQUAL_INT(actor->writers[1].rotation, TD_WRITER_SPRING);
    ENSURE_EQUAL_INT(actor->writers[2].rotation, TD_WRITER_BODY);
    ENSURE_EQUAL_INT(actor->writers[3].rotation, TD_WRITER_SPRING);
    // The body falls freely in the world, whatever the spring above it does.
    tdVec3 body = tdMat4Translation(tdActor_GetGlobals(actor)[2]);
    tdTransform pose = tdBody_GetTransform(stage->world, tdActor_GetBody(actor, 2));
    ENSURE(body.y < -0.5f);
    ENSURE_NEAR(tdDistance(body, pose.position), 0.0f, 1.0e-4f);
    tdDestroyStage(stage);
    tdDestroyReport(report);
    tdDestroyAsset(asset);
}

TEST(ConstraintsReadSpringsOfTheStepBefore)
{
    // Node 3 copies the rotation of node 1, which swings.
    tdAsset* asset = LoadSprings(
        "{'children':[1,3]},{'translation':[0,-0.1,0],'children':[2]},{'translation':[0,-0.2,0]},"
        "{'extensions':{'VRMC_node_constraint':{'specVersion':'1.0','constraint':{'rotation':{'source':1}}}}"
        "}",
        "{'joints':[{'node':1,'gravityPower':1,'gravityDir':[1,0,0]},{'node':2}]}", NULL, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdQuat before = tdQuat_identity;
    for (int i = 0; i < 10; ++i)
    {
        tdStage_Step(stage);
        ENSURE_NEAR(tdAngleBetween(tdActor_GetLocals(actor)[3].rotation, before), 0.0f, 1.0e-6f);
        tdQuat step = tdActor_GetLocals(actor)[3].rotation;
        before = tdActor_GetLocals(actor)[1].rotation;
        tdStage_Evaluate(stage, tdStage_GetTime(stage) - 0.005); // shows another time
        tdStage_Evaluate(stage, tdStage_GetTime(stage));
        ENSURE(memcmp(&step, &tdActor_GetLocals(actor)[3].rotation, sizeof(step)) == 0);
        ENSURE(memcmp(&before, &tdActor_GetLocals(actor)[1].rotation, sizeof(before)) == 0);
        tdStage_Evaluate(stage, tdStage_GetTime(stage) - 0.01); // the next step reads the end of this one
    }
    ENSURE(tdAngleBetween(before, tdQuat_identity) > 0.05f);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

// A chain that hangs down onto a static box whose top is at -0.25.
static float HangOntoBox(bool hitsStage)
{
    tdAsset* asset =
        LoadSprings("{'children':[1,5]},{'children':[2]},{'translation':[0.1,-0.02,0],'children':[3]},"
                    "{'translation':[0.1,-0.02,0],'children':[4]},{'translation':[0.1,-0.02,0]},"
                    "{'translation':[0,-0.65,0],'extensions':{'KHR_physics_rigid_bodies':{'collider':{'"
                    "geometry':{'shape':0}}}}}",
                    "{'joints':[{'node':1,'stiffness':0.05,'gravityPower':1,'hitRadius':0.03},"
                    "{'node':2,'stiffness':0.05,'gravityPower':1,'hitRadius':0.03},"
                    "{'node':3,'stiffness':0.05,'gravityPower':1,'hitRadius':0.03},{'node':4}]}",
                    NULL, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef def = tdDefaultActorDef();
    def.springsHitStage = hitsStage;
    tdActor* actor = tdCreateActor(stage, asset, &def, NULL);
    for (int i = 0; i < 200; ++i)
    {
        tdStage_Step(stage);
    }
    float lowest = tdActor_GetSpringTail(actor, 2).y;
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    return lowest;
}

TEST(SpringsMayHitTheStage)
{
    float through = HangOntoBox(false), onTop = HangOntoBox(true);
    ENSURE(through < -0.28f);
    ENSURE_NEAR(onTop, -0.15f + 0.03f, 0.02f);
}

TEST(StepsAllocateNothing)
{
    tdFailingAllocator state;
    tdAllocator allocator = tdFailingAllocator_Make(&state, -1);
    tdAsset* asset = LoadHair(8, 4, ALL_COLLIDERS, true, NULL);
    tdStageDef def = tdDefaultStageDef();
    def.world.allocator = &allocator;
    tdStage* stage = tdCreateStage(&def);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    ShakeRoot(actor, 0.0);
    tdStage_Step(stage);
    int64_t count = state.count;
    for (int i = 0; i < 30; ++i)
    {
        ShakeRoot(actor, 0.01 * i);
        tdActor_ResetSprings(i == 20 ? actor : NULL);
        tdStage_Step(stage);
        tdStage_Evaluate(stage, tdStage_GetTime(stage) - 0.01);
    }
    ENSURE(state.count == count);
    tdDestroyStage(stage);
    ENSURE(state.liveBlocks == 0);
    tdDestroyAsset(asset);
}

TEST(EveryAllocationMayFail)
{
    bool hasFailed = true;
    for (int64_t failAt = 0; hasFailed; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdAsset* asset = LoadHair(3, 3, ALL_COLLIDERS, true, &allocator);
        tdStageDef def = tdDefaultStageDef();
        def.world.allocator = &allocator;
        tdStage* stage = asset != NULL ? tdCreateStage(&def) : NULL;
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdSpringParameters soft = {.stiffness = 0.1f, .gravityDir = {0.0f, -1.0f, 0.0f}};
        tdActor_SetSpringParameters(actor, 0, &soft);
        bool hasStepped = actor != NULL && tdStage_Step(stage) && tdStage_StepVariable(stage, 0.01);
        hasFailed = state.count > failAt;
        ENSURE(hasStepped != hasFailed);
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
        ENSURE(state.liveBlocks == 0);
    }
}

TEST(ResultsStayFinite)
{
    // Scales of zero, mirrors, huge numbers, tails at heads.
    static const char* const scales[] = {
        "[0,0,0]",       "[1,0,1]",    "[-1,1,1]",         "[-2,-2,-2]",
        "[1e-20,1,1]",   "[1e18,1,1]", "[1e30,1e30,1e30]", "[1e-30,1e-30,1e-30]",
        "[3,0.001,2000]"};
    for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); ++i)
    {
        for (int place = 0; place < 3; ++place)
        {
            char nodes[512];
            snprintf(nodes, sizeof(nodes),
                     "{'children':[1],'scale':%s,'rotation':[0.5,0.5,0.5,0.5]},{'translation':[0,-0.1,0.02],"
                     "'scale':%s,'children':[2]},{'translation':[0.1,-0.2,0],'scale':%s,'children':[3]},"
                     "{'translation':[0,-0.1,0]}",
                     place == 0 ? scales[i] : "[1,1,1]", place == 1 ? scales[i] : "[1,1,1]",
                     place == 2 ? scales[i] : "[1,1,1]");
            tdAsset* asset =
                LoadSprings(nodes,
                            "{'joints':[{'node':1,'stiffness':1e6,'gravityPower':1e6,'hitRadius':1e6,"
                            "'dragForce':0},{'node':2,'gravityPower':3},{'node':3}],"
                            "'colliderGroups':[0],'center':0}",
                            ALL_COLLIDERS, NULL, NULL);
            Crowd one = MakeCrowd(asset, 1, TD_SIMD_AUTO, NULL);
            for (int step = 0; step < 30; ++step)
            {
                ENSURE(tdStage_Step(one.stage));
                for (int node = 0; node < 4; ++node)
                {
                    tdQuat q = tdActor_GetLocals(one.actors[0])[node].rotation;
                    if (!ENSURE(tdAbsFloat(tdDotQuat(q, q) - 1.0f) < 1.0e-3f))
                    {
                        printf("  scale %s at %d\n", scales[i], place);
                    }
                }
            }
            tdDestroyStage(one.stage);
            tdDestroyAsset(asset);
        }
    }
}

TEST_MAIN(RUN(WidthsThreadsAndCrowdsGiveTheSameBits) RUN(KernelsGiveTheGlobalsOfASweep)
              RUN(ChainsMayChangeLanes) RUN(UnevenScaleIsInherited) RUN(AnimatedScaleIsThatOfAFile)
                  RUN(AJointMayBeItsOwnCenter) RUN(FailedStepsLeaveWholePoses) RUN(RenderingChangesNothing)
                      RUN(FramesBetweenStepsAreInterpolated) RUN(ResetsLetSpringsHangAsModelled)
                          RUN(SeeksResetAndPausesDoNot) RUN(StateCanBeSavedAndLoaded) RUN(ParametersCanBeSet)
                              RUN(OneWriterPerProperty) RUN(ConstraintsReadSpringsOfTheStepBefore)
                                  RUN(SpringsMayHitTheStage) RUN(StepsAllocateNothing)
                                      RUN(EveryAllocationMayFail) RUN(ResultsStayFinite))
