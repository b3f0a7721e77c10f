// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs against formulas: closed forms, and the algorithm of docs/spec/springbone.md in double precision.
#include "spring/spring_reference.h"
#include "spring/spring_scene.h"

// A chain of two joints straight down; node 1 turns, node 2 is its tail.
#define PENDULUM "{'children':[1]},{'translation':[0,-0.1,0],'children':[2]},{'translation':[0,-0.2,0]}"

static tdVec3 GetTailDirection(const tdActor* actor, int joint, int node)
{
    tdVec3 head = tdMat4Translation(tdActor_GetGlobals(actor)[node]);
    return tdNormalize(tdSub(tdActor_GetSpringTail(actor, joint), head));
}

static tdActor* Play(const char* nodes, const char* springs, const char* more, tdStage** stage,
                     tdAsset** asset)
{
    *asset = LoadSprings(nodes, springs, more, NULL, NULL);
    *stage = tdCreateStage(NULL);
    return tdCreateActor(*stage, *asset, NULL, NULL);
}

TEST(EquilibriumIsBetweenRestAndGravity)
{
    // At rest the tail lies along stiffness * axis + gravity, whatever the drag.
    tdStage* stage;
    tdAsset* asset;
    tdActor* actor = Play(PENDULUM,
                          "{'joints':[{'node':1,'stiffness':1.5,'gravityPower':2,'gravityDir':[0.3,0.4,0],"
                          "'dragForce':0.3},{'node':2}]}",
                          NULL, &stage, &asset);
    for (int i = 0; i < 600; ++i)
    {
        tdStage_Step(stage);
    }
    tdVec3 wanted = tdNormalize((tdVec3){0.6f, -1.5f + 0.8f, 0.0f});
    ENSURE_NEAR(tdDistance(GetTailDirection(actor, 0, 1), wanted), 0.0f, 2.0e-6f);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(StiffnessTurnsWithRotationsAlone)
{
    // At rest the tail lies along R L axis, R the product of the rotations above, whatever the scales are.
    static const char* const scales[3][2] = {
        {"[2,1,0.7]", "[1,1,1]"}, {"[-1,-1,1]", "[1,1,1]"}, {"[-1,1,1]", "[1,-1,1]"}};
    tdQuat turns[3] = {{0.3f, 0.1f, -0.2f, 0.9f}, {-0.1f, 0.4f, 0.3f, 0.8f}, {0.2f, 0.1f, 0.5f, 0.8f}};
    Quat product = {0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 3; ++i)
    {
        turns[i] = tdNormalizeQuat(turns[i]);
        product = Times(product, ToQuat(turns[i]));
    }
    Vec wanted = Turn(product, Unit((Vec){0.02, -0.2, 0.05}));
    for (int i = 0; i < 3; ++i)
    {
        char nodes[768];
        snprintf(
            nodes, sizeof(nodes),
            "{'rotation':[%.9g,%.9g,%.9g,%.9g],'scale':%s,'children':[1]},{'rotation':[%.9g,%.9g,%.9g,%.9g]"
            ",'scale':%s,'children':[2]},{'translation':[0,-0.1,0],'rotation':[%.9g,%.9g,%.9g,%.9g],"
            "'children':[3]},{'translation':[0.02,-0.2,0.05]}",
            (double)turns[0].x, (double)turns[0].y, (double)turns[0].z, (double)turns[0].w, scales[i][0],
            (double)turns[1].x, (double)turns[1].y, (double)turns[1].z, (double)turns[1].w, scales[i][1],
            (double)turns[2].x, (double)turns[2].y, (double)turns[2].z, (double)turns[2].w);
        tdStage* stage;
        tdAsset* asset;
        tdActor* actor =
            Play(nodes, "{'joints':[{'node':2,'stiffness':2},{'node':3}]}", NULL, &stage, &asset);
        for (int step = 0; step < 600; ++step)
        {
            tdStage_Step(stage);
        }
        tdVec3 direction = GetTailDirection(actor, 0, 2);
        ENSURE_NEAR(tdDistance(direction, (tdVec3){(float)wanted.x, (float)wanted.y, (float)wanted.z}), 0.0f,
                    1.0e-5f);
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
    }
}

TEST(WithoutForcesATailKeepsItsPlace)
{
    // Without stiffness, gravity and inertia the tail stays where it was, as far as its length permits.
    tdStage* stage;
    tdAsset* asset;
    tdActor* actor = Play(PENDULUM, "{'joints':[{'node':1,'stiffness':0,'dragForce':1},{'node':2}]}", NULL,
                          &stage, &asset);
    tdStage_Step(stage);
    tdTrs moved = tdTrs_identity;
    moved.translation.x = 0.2f;
    tdActor_SetLocal(actor, 0, TD_LOCAL_TRANSLATION, moved);
    tdStage_Step(stage);
    // The head is now at (0.2, -0.1), the tail was at (0, -0.3): 45 degrees.
    tdVec3 wanted = tdNormalize((tdVec3){-1.0f, -1.0f, 0.0f});
    ENSURE_NEAR(tdDistance(GetTailDirection(actor, 0, 1), wanted), 0.0f, 2.0e-6f);
    tdVec3 tail = tdActor_GetSpringTail(actor, 0);
    ENSURE_NEAR(tdDistance(tail, (tdVec3){0.2f, -0.1f, 0.0f}), 0.2f, 1.0e-6f);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(CenterCarriesTheInertia)
{
    // In the space of its center a tail does not feel the center's motion.
    tdStage* stage;
    tdAsset* asset;
    tdActor* actor =
        Play(PENDULUM, "{'joints':[{'node':1,'stiffness':0,'dragForce':0},{'node':2}],'center':0}", NULL,
             &stage, &asset);
    for (int i = 0; i < 30; ++i)
    {
        tdTrs moved = tdTrs_identity;
        moved.translation.x = 0.01f * (float)(i * i);
        moved.rotation = tdQuatFromAxisAngle((tdVec3){0.0f, 0.0f, 1.0f}, 0.1f * (float)i);
        tdActor_SetLocal(actor, 0, TD_LOCAL_TRANSLATION | TD_LOCAL_ROTATION, moved);
        tdStage_Step(stage);
        ENSURE_NEAR(tdAngleBetween(tdActor_GetLocals(actor)[1].rotation, tdQuat_identity), 0.0f, 2.0e-3f);
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(LimitsStopTheTail)
{
    static const struct
    {
        const char* limit;
        tdVec3 wanted; // in the frame of the limit, whose Y is the rest direction
    } cases[] = {
        // Gravity pulls along +X, the limit's X: half a turn about X takes its Y to the rest direction.
        {"'cone':{'angle':0.5}", {0.479425539f, 0.877582562f, 0.0f}},
        {"'hinge':{'angle':0.5}", {0.0f, 1.0f, 0.0f}},
        {"'hinge':{'angle':0.5,'rotation':[0,0.70710678,0,0.70710678]}", {0.0f, 0.877582562f, 0.479425539f}},
        {"'spherical':{'pitch':1,'yaw':0.25}", {0.247403959f, 0.968912422f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        tdStage* stage;
        tdAsset* asset;
        char springs[512];
        snprintf(springs, sizeof(springs),
                 "{'joints':[{'node':1,'stiffness':0.01,'gravityPower':1,'gravityDir':[1,0,0],'extensions':"
                 "{'VRMC_springBone_limit':{'specVersion':'1.0','limit':{%s}}}},{'node':2}]}",
                 cases[i].limit);
        tdActor* actor = Play(PENDULUM, springs, NULL, &stage, &asset);
        for (int step = 0; step < 300; ++step)
        {
            tdStage_Step(stage);
        }
        tdVec3 direction = GetTailDirection(actor, 0, 1);
        // The third case turns the limit about its Y.
        tdQuat frame =
            tdMulQuat((tdQuat){1.0f, 0.0f, 0.0f, 0.0f}, tdDescribeSpringJoint(asset, 0).limit.rotation);
        tdVec3 local = tdInvRotate(frame, direction);
        local.x = tdAbsFloat(local.x);
        local.z = tdAbsFloat(local.z);
        ENSURE_NEAR(tdDistance(local, cases[i].wanted), 0.0f, 2.0e-3f);
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
    }
}

// The algorithm in double precision, for chains below node 0 without scale.

#define MAX_REFERENCE 256

typedef struct Reference
{
    const tdAsset* asset;
    Vec current[MAX_REFERENCE], previous[MAX_REFERENCE];
    Quat rotations[MAX_REFERENCE];
} Reference;

// One step (seconds > 0), or a reset. Joints of a chain are in order, and chains are independent.
static void StepReference(Reference* r, Frame root, double seconds)
{
    Frame parent = root;
    for (int i = 0; i < tdAsset_GetSpringJointCount(r->asset); ++i)
    {
        tdSpringJointInfo joint = tdDescribeSpringJoint(r->asset, i);
        tdSpringInfo spring = tdDescribeSpring(r->asset, joint.spring);
        tdTrs rest = tdDescribeNode(r->asset, joint.node).local;
        parent = i == spring.firstJoint ? root : parent;
        Quat restRotation = ToQuat(rest.rotation);
        Vec child = ToVec(joint.tail), axis = Unit(child), head = ToWorld(parent, ToVec(rest.translation));
        double length = sqrt(Dot(child, child));
        Quat under = Times(parent.rotation, restRotation);
        Vec next = Plus(head, 1.0, Turn(under, child));
        r->rotations[i] = restRotation;
        if (seconds > 0.0)
        {
            Vec inertia = Plus(r->current[i], 1.0 - (double)joint.parameters.dragForce,
                               Plus(r->current[i], -1.0, r->previous[i]));
            next = spring.center >= 0 ? ToWorld(root, inertia) : inertia;
            next = Plus(next, seconds * (double)joint.parameters.stiffness, Turn(under, axis));
            next = Plus(next, seconds * (double)joint.parameters.gravityPower,
                        ToVec(joint.parameters.gravityDir));
            next = Plus(head, length, Unit(Plus(next, -1.0, head)));
            for (int g = 0; g < spring.colliderGroupCount; ++g)
            {
                tdSpringColliderGroupInfo group =
                    tdDescribeSpringColliderGroup(r->asset, spring.colliderGroups[g]);
                for (int c = 0; c < group.colliderCount; ++c)
                {
                    tdSpringColliderInfo collider = tdDescribeSpringCollider(r->asset, group.colliders[c]);
                    next = Push(&collider, root, next, (double)joint.parameters.hitRadius);
                    next = Plus(head, length, Unit(Plus(next, -1.0, head)));
                }
            }
            Vec to = Unit(Turn(Conjugate(under), Plus(next, -1.0, head)));
            r->rotations[i] = Times(restRotation, FromTo(axis, to));
        }
        Vec stored = spring.center >= 0 ? FromWorld(root, next) : next;
        r->previous[i] = seconds > 0.0 ? r->current[i] : stored;
        r->current[i] = stored;
        parent = (Frame){Times(parent.rotation, r->rotations[i]), head};
    }
}

static void CompareWithReference(const char* more, bool hits, double rate, int steps, float tolerance)
{
    tdAsset* asset = LoadHair(11, 6, more, hits, NULL);
    tdStageDef def = tdDefaultStageDef();
    def.stepRate = rate;
    tdStage* stage = tdCreateStage(&def);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    static Reference reference;
    reference.asset = asset;
    ENSURE_EQUAL_INT(tdAsset_GetSpringJointCount(asset), 66);
    ShakeRoot(actor, 0.0);
    for (int step = 0; step <= steps; ++step)
    {
        if (step > 0)
        {
            // The first step leaves the root alone: springs start at rest in the pose that it finds.
            ShakeRoot(actor, (double)(step - 1) / rate);
            ENSURE(tdStage_Step(stage));
        }
        else
        {
            tdStage_Evaluate(stage, 0.0);
        }
        tdTrs root = tdActor_GetLocals(actor)[0];
        StepReference(&reference, (Frame){ToQuat(root.rotation), ToVec(root.translation)},
                      step > 0 ? 1.0 / rate : 0.0);
        for (int i = 0; i < tdAsset_GetSpringJointCount(asset); ++i)
        {
            Quat q = reference.rotations[i];
            tdQuat wanted = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
            tdQuat got = tdActor_GetLocals(actor)[tdDescribeSpringJoint(asset, i).node].rotation;
            if (!ENSURE_NEAR(tdAngleBetween(got, wanted), 0.0f, tolerance))
            {
                printf("  joint %d, step %d\n", i, step);
                step = steps;
                break;
            }
        }
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(ChainsFollowTheAlgorithm)
{
    CompareWithReference(NULL, false, 60.0, 120, 2.0e-4f);
    CompareWithReference(NULL, false, 30.0, 60, 2.0e-4f);
}

TEST(CollidersFollowTheAlgorithm)
{
    CompareWithReference(ALL_COLLIDERS, true, 60.0, 120, 1.0e-3f);
}

TEST_MAIN(RUN(EquilibriumIsBetweenRestAndGravity) RUN(StiffnessTurnsWithRotationsAlone)
              RUN(WithoutForcesATailKeepsItsPlace) RUN(CenterCarriesTheInertia) RUN(LimitsStopTheTail)
                  RUN(ChainsFollowTheAlgorithm) RUN(CollidersFollowTheAlgorithm))
