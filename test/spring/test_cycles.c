// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colliders that hang on spring joints, against the algorithm of docs/spec/springbone.md 4 and 8 one joint
// after the other: joints wait for the joints that move their colliders, and in a cycle they turn in the
// order of the file.
#include "spring/spring_reference.h"
#include "spring/spring_scene.h"

#define MAX_NODES 32

// The algorithm in double precision, for trees without scale and springs without centers.
typedef struct Reference
{
    const tdAsset* asset;
    Vec current[MAX_NODES], previous[MAX_NODES]; // by joint
    Quat rotations[MAX_NODES];                   // by node
    Vec translations[MAX_NODES];                 // by node
} Reference;

// The global of a node from the rotations of now: whatever has turned already counts.
static Frame FindFrame(const Reference* r, int node)
{
    if (node < 0)
    {
        return (Frame){{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}};
    }
    Frame parent = FindFrame(r, tdDescribeNode(r->asset, node).parent);
    return (Frame){Times(parent.rotation, r->rotations[node]), ToWorld(parent, r->translations[node])};
}

static void ResetReference(Reference* r, const tdActor* actor)
{
    for (int node = 0; node < tdAsset_GetNodeCount(r->asset); ++node)
    {
        r->rotations[node] = ToQuat(tdActor_GetLocals(actor)[node].rotation);
        r->translations[node] = ToVec(tdActor_GetLocals(actor)[node].translation);
    }
    for (int i = 0; i < tdAsset_GetSpringJointCount(r->asset); ++i)
    {
        tdSpringJointInfo joint = tdDescribeSpringJoint(r->asset, i);
        r->current[i] = r->previous[i] = ToWorld(FindFrame(r, joint.node), ToVec(joint.tail));
    }
}

static void StepJoint(Reference* r, int i, double seconds)
{
    tdSpringJointInfo joint = tdDescribeSpringJoint(r->asset, i);
    tdSpringInfo spring = tdDescribeSpring(r->asset, joint.spring);
    Frame parent = FindFrame(r, tdDescribeNode(r->asset, joint.node).parent);
    Quat rest = ToQuat(tdDescribeNode(r->asset, joint.node).local.rotation);
    Vec child = ToVec(joint.tail), axis = Unit(child), head = ToWorld(parent, r->translations[joint.node]);
    double length = sqrt(Dot(child, child));
    Quat under = Times(parent.rotation, rest);
    Vec next = Plus(r->current[i], 1.0 - (double)joint.parameters.dragForce,
                    Plus(r->current[i], -1.0, r->previous[i]));
    next = Plus(next, seconds * (double)joint.parameters.stiffness, Turn(under, axis));
    next = Plus(next, seconds * (double)joint.parameters.gravityPower, ToVec(joint.parameters.gravityDir));
    next = Plus(head, length, Unit(Plus(next, -1.0, head)));
    for (int g = 0; g < spring.colliderGroupCount; ++g)
    {
        tdSpringColliderGroupInfo group = tdDescribeSpringColliderGroup(r->asset, spring.colliderGroups[g]);
        for (int c = 0; c < group.colliderCount; ++c)
        {
            tdSpringColliderInfo collider = tdDescribeSpringCollider(r->asset, group.colliders[c]);
            next = Push(&collider, FindFrame(r, collider.node), next, (double)joint.parameters.hitRadius);
            next = Plus(head, length, Unit(Plus(next, -1.0, head)));
        }
    }
    r->previous[i] = r->current[i];
    r->current[i] = next;
    Vec to = Unit(Turn(Conjugate(under), Plus(next, -1.0, head)));
    r->rotations[joint.node] = Times(rest, FromTo(axis, to));
}

// Plays a file beside the reference, whose joints step in the given order.
// @return the largest difference of a rotation, rad
static float Compare(const char* nodes, const char* springs, const char* more, const int* order, int count)
{
    tdAsset* asset = LoadSprings(nodes, springs, more, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    static Reference reference;
    reference.asset = asset;
    ENSURE_EQUAL_INT(tdAsset_GetSpringJointCount(asset), count);
    float worst = 0.0f;
    ShakeRoot(actor, 0.0);
    for (int step = 0; step <= 90; ++step)
    {
        if (step == 0)
        {
            tdStage_Evaluate(stage, 0.0);
            ResetReference(&reference, actor);
            continue;
        }
        ShakeRoot(actor, (double)(step - 1) / 60.0);
        ENSURE(tdStage_Step(stage));
        reference.rotations[0] = ToQuat(tdActor_GetLocals(actor)[0].rotation);
        reference.translations[0] = ToVec(tdActor_GetLocals(actor)[0].translation);
        for (int i = 0; i < count; ++i)
        {
            StepJoint(&reference, order[i], 1.0 / 60.0);
        }
        for (int i = 0; i < count; ++i)
        {
            int node = tdDescribeSpringJoint(asset, i).node;
            Quat q = reference.rotations[node];
            tdQuat wanted = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
            worst = tdMaxFloat(worst, tdAngleBetween(tdActor_GetLocals(actor)[node].rotation, wanted));
        }
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    return worst;
}

// Two chains 1-2-3-4 and 5-6-7-8 that hang side by side below node 0.
#define TWO_CHAINS                                                                                           \
    "{'children':[1,5]},{'translation':[0.03,0,0],'children':[2]},{'translation':[0,-0.1,0],'children':[3]}" \
    ",{'translation':[0.01,-0.1,0],'children':[4]},{'translation':[0,-0.1,0.01]},"                           \
    "{'translation':[-0.03,0,0],'children':[6]},{'translation':[0,-0.1,0],'children':[7]},"                  \
    "{'translation':[-0.01,-0.1,0],'children':[8]},{'translation':[0,-0.1,0.01]}"
#define JOINT(node) "{'node':" #node ",'stiffness':0.4,'gravityPower':0.3,'dragForce':0.6,'hitRadius':0.02}"
#define FIRST_CHAIN JOINT(1) "," JOINT(2) "," JOINT(3) "," JOINT(4)
#define SECOND_CHAIN JOINT(5) "," JOINT(6) "," JOINT(7) "," JOINT(8)
#define BALL(node, y) "{'node':" #node ",'shape':{'sphere':{'offset':[0," #y ",0],'radius':0.035}}}"

// Rotations of single precision after 90 steps with contacts, rad.
#define TOLERANCE 3.0e-4f

TEST(JointsWaitForColliders)
{
    static const int order[6] = {3, 4, 5, 0, 1, 2};
    float worst =
        Compare(TWO_CHAINS, "{'joints':[" FIRST_CHAIN "],'colliderGroups':[0]},{'joints':[" SECOND_CHAIN "]}",
                "'colliders':[" BALL(7, -0.05) "," BALL(6, -0.05) "],'colliderGroups':[{'colliders':[0,1]}],",
                order, 6);
    ENSURE_NEAR(worst, 0.0f, TOLERANCE);
}

TEST(CyclesTakeTheOrderOfTheFile)
{
    // Each chain meets colliders on the other. The first spring of the file sees the other of the step
    // before, under the root of now; the second sees the first of this step.
    static const int order[6] = {0, 1, 2, 3, 4, 5}, reversed[6] = {3, 4, 5, 0, 1, 2};
#define BOTH_BALLS                                                                                           \
    "'colliders':[" BALL(7, -0.05) "," BALL(3, -0.05) "," BALL(6, -0.05) "],"                                \
                                                                         "'colliderGroups':[{'colliders':"   \
                                                                         "[0,2]},{'colliders':[1]}],"
    static const char first[] = "{'joints':[" FIRST_CHAIN "],'colliderGroups':[0]},"
                                "{'joints':[" SECOND_CHAIN "],'colliderGroups':[1]}";
    static const char second[] = "{'joints':[" SECOND_CHAIN "],'colliderGroups':[1]},"
                                 "{'joints':[" FIRST_CHAIN "],'colliderGroups':[0]}";
    ENSURE_NEAR(Compare(TWO_CHAINS, first, BOTH_BALLS, order, 6), 0.0f, TOLERANCE);
    ENSURE_NEAR(Compare(TWO_CHAINS, second, BOTH_BALLS, order, 6), 0.0f, TOLERANCE);
    // The order matters: the test would notice the wrong one.
    ENSURE(Compare(TWO_CHAINS, first, BOTH_BALLS, reversed, 6) > 30.0f * TOLERANCE);
}

TEST(ChainsMayMeetTheirOwnColliders)
{
    // The collider hangs on the last joint: it moves with every joint that has turned before.
    static const int order[3] = {0, 1, 2};
    float worst =
        Compare(TWO_CHAINS, "{'joints':[" FIRST_CHAIN "],'colliderGroups':[0]}",
                "'colliders':[{'node':4,'shape':{'sphere':{'offset':[0.025,0.1,0.01],'radius':0.02}}}],"
                "'colliderGroups':[{'colliders':[0]}],",
                order, 3);
    ENSURE_NEAR(worst, 0.0f, TOLERANCE);
}

TEST(CyclesKeepTheOrderOfTheTree)
{
    // The second spring of the file carries the first, which hangs on node 6 and comes first where the tree
    // allows it. Node 9 below the last joint carries a collider.
    static const int order[5] = {2, 3, 0, 1, 4};
    float worst = Compare(
        "{'children':[1]},{'translation':[0.03,0,0],'children':[2]},{'translation':[0,-0.1,0],"
        "'children':[3,5]},{'translation':[0.01,-0.1,0],'children':[4]},{'translation':[0,-0.1,0.01],"
        "'children':[8]},{'translation':[0.05,-0.02,0],'children':[6]},{'translation':[0,-0.1,0],'children':"
        "[7]},{'translation':[-0.02,-0.1,0]},{'translation':[0,0.05,0.03]}",
        "{'joints':[" JOINT(5) "," JOINT(6) "," JOINT(7) "],'colliderGroups':[0]},"
                                                         "{'joints':[" FIRST_CHAIN "],'colliderGroups':[1]}",
        "'colliders':[" BALL(8, -0.05) "," BALL(6, -0.05) "],'colliderGroups':[{'colliders':[0]},"
                                                          "{'colliders':[1]}],",
        order, 5);
    ENSURE_NEAR(worst, 0.0f, TOLERANCE);
}

// A chain whose joints all meet a collider at its end refreshes n^2 / 2 nodes per step.
TEST(LongCyclesAreCut)
{
    for (int isLong = 0; isLong < 2; ++isLong)
    {
        int count = isLong != 0 ? 1500 : 500;
        tdText nodes, springs, more;
        tdText_Init(&nodes, NULL);
        tdText_Init(&springs, NULL);
        tdText_Init(&more, NULL);
        tdText_AppendString(&springs, "{'colliderGroups':[0],'joints':[");
        for (int i = 0; i <= count; ++i)
        {
            tdText_AppendFormat(&springs, "%s{'node':%d}", i > 0 ? "," : "", i);
            tdText_AppendFormat(&nodes, "%s{'translation':[0,-0.01,0]", i > 0 ? "," : "");
            tdText_AppendFormat(&nodes, i < count ? ",'children':[%d]}" : "}", i + 1);
        }
        tdText_AppendString(&springs, "]}");
        tdText_AppendFormat(&more,
                            "'colliders':[{'node':%d,'shape':{'sphere':{'radius':0.1}}}],"
                            "'colliderGroups':[{'colliders':[0]}],",
                            count);
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = LoadSprings(nodes.data, springs.data, more.data, NULL, report);
        int found = 0;
        for (int i = 0; i < tdReport_GetCount(report); ++i)
        {
            found += strcmp(tdReport_Get(report, i).code, "SB_LONG_CYCLES") == 0;
        }
        ENSURE_EQUAL_INT(found, isLong);
        tdStage* stage = tdCreateStage(NULL);
        ENSURE(tdCreateActor(stage, asset, NULL, NULL) != NULL && tdStage_Step(stage));
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
        tdDestroyReport(report);
        tdText_Free(&nodes);
        tdText_Free(&springs);
        tdText_Free(&more);
    }
}

TEST_MAIN(RUN(JointsWaitForColliders) RUN(CyclesTakeTheOrderOfTheFile) RUN(ChainsMayMeetTheirOwnColliders)
              RUN(CyclesKeepTheOrderOfTheTree) RUN(LongCyclesAreCut))
