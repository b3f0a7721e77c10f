// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs against formulas: closed forms, and the algorithm of docs/spec/springbone.md in double precision.
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

typedef struct Vec
{
    double x, y, z;
} Vec;

typedef struct Quat
{
    double x, y, z, w;
} Quat;

static Vec ToVec(tdVec3 v)
{
    return (Vec){(double)v.x, (double)v.y, (double)v.z};
}

static Quat ToQuat(tdQuat q)
{
    double s = 1.0 / sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                          (double)q.w * (double)q.w);
    return (Quat){s * (double)q.x, s * (double)q.y, s * (double)q.z, s * (double)q.w};
}

static Vec Plus(Vec a, double s, Vec b)
{
    return (Vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double Dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec Cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec Unit(Vec a)
{
    double s = 1.0 / sqrt(Dot(a, a));
    return (Vec){s * a.x, s * a.y, s * a.z};
}

static Vec Turn(Quat q, Vec v)
{
    Vec u = {q.x, q.y, q.z};
    Vec t = Plus(Cross(u, v), q.w, v);
    return Plus(v, 2.0, Cross(u, t));
}

static Quat Conjugate(Quat q)
{
    return (Quat){-q.x, -q.y, -q.z, q.w};
}

static Quat Times(Quat a, Quat b)
{
    return (Quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static Quat FromTo(Vec a, Vec b)
{
    Vec c = Cross(a, b);
    Quat q = {c.x, c.y, c.z, 1.0 + Dot(a, b)};
    double s = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (Quat){s * q.x, s * q.y, s * q.z, s * q.w};
}

typedef struct Frame
{
    Quat rotation;
    Vec position;
} Frame;

static Vec ToWorld(Frame f, Vec v)
{
    return Plus(f.position, 1.0, Turn(f.rotation, v));
}

static Vec FromWorld(Frame f, Vec v)
{
    return Turn(Conjugate(f.rotation), Plus(v, -1.0, f.position));
}

#define MAX_REFERENCE 256

typedef struct Reference
{
    const tdAsset* asset;
    Vec current[MAX_REFERENCE], previous[MAX_REFERENCE];
    Quat rotations[MAX_REFERENCE];
} Reference;

static Vec Push(const tdSpringColliderInfo* c, Frame body, Vec next, double hitRadius)
{
    Vec o = ToWorld(body, ToVec(c->offset)), d = Plus(next, -1.0, o);
    if (c->shape == TD_SPRING_PLANE)
    {
        Vec n = Turn(body.rotation, ToVec(c->normal));
        double distance = Dot(d, n) - hitRadius;
        return distance < 0.0 ? Plus(next, -distance, n) : next;
    }
    if (c->shape == TD_SPRING_CAPSULE || c->shape == TD_SPRING_INSIDE_CAPSULE)
    {
        Vec a = Plus(ToWorld(body, ToVec(c->tail)), -1.0, o);
        double s = Dot(a, d) / Dot(a, a);
        s = s < 0.0 ? 0.0 : (s > 1.0 ? 1.0 : s);
        d = Plus(d, -s, a);
    }
    double length = sqrt(Dot(d, d));
    bool isInside = c->shape == TD_SPRING_INSIDE_SPHERE || c->shape == TD_SPRING_INSIDE_CAPSULE;
    double distance =
        isInside ? (double)c->radius - hitRadius - length : length - (double)c->radius - hitRadius;
    double side = isInside ? -1.0 : 1.0;
    return distance < 0.0 ? Plus(next, -distance * side / length, d) : next;
}

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

TEST_MAIN(RUN(EquilibriumIsBetweenRestAndGravity) RUN(WithoutForcesATailKeepsItsPlace)
              RUN(CenterCarriesTheInertia) RUN(LimitsStopTheTail) RUN(ChainsFollowTheAlgorithm)
                  RUN(CollidersFollowTheAlgorithm))
