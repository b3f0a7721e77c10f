// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Node constraints on random rigs against the published formulas, evaluated in double from the definition:
// recursively, with world transforms from the root down and without folded constants.
#include "harness.h"

#include "constraint/node_constraint.h"
#include "runtime/builder.h"
#include "runtime/double_math.h"

typedef struct Reference
{
    const tdBuilder* rig;
    dQuat locals[256]; // current rotations; final where isDone
    bool isDone[256];
} Reference;

static const tdNodeConstraint* ConstraintOf(const tdBuilder* rig, int node)
{
    for (int i = 0; i < rig->constraintCount; ++i)
    {
        if (rig->constraints[i].destination == node)
        {
            return &rig->constraints[i];
        }
    }
    return NULL;
}

static dQuat LocalOf(Reference* r, int node);

static dQuat RotationOf(Reference* r, int node)
{
    return node < 0 ? dIdentity : dMul(RotationOf(r, r->rig->parents[node]), LocalOf(r, node));
}

static dVec3 PointOf(Reference* r, int node, dVec3 p)
{
    if (node < 0)
    {
        return p;
    }
    dAffine local = dFromTrs(dFromVec3(r->rig->locals[node].translation), LocalOf(r, node),
                             dFromVec3(r->rig->locals[node].scale));
    return PointOf(r, r->rig->parents[node], dPoint(&local, p));
}

static dVec3 PositionOf(Reference* r, int node)
{
    return PointOf(r, r->rig->parents[node], dFromVec3(r->rig->locals[node].translation));
}

static dQuat LocalOf(Reference* r, int node)
{
    const tdNodeConstraint* c = ConstraintOf(r->rig, node);
    if (c == NULL || r->isDone[node])
    {
        return r->locals[node];
    }
    dQuat rest = dFromQuat(r->rig->locals[node].rotation);
    dQuat restS = dFromQuat(r->rig->locals[c->source].rotation);
    dVec3 axis = dFromVec3(c->axis);
    dQuat target;
    if (c->kind == TD_CONSTRAINT_AIM)
    {
        dQuat q = RotationOf(r, r->rig->parents[node]);
        dVec3 from = dRotate(dMul(q, rest), axis);
        dVec3 a = PositionOf(r, node), b = PositionOf(r, c->source);
        dVec3 to = {b.x - a.x, b.y - a.y, b.z - a.z};
        double length = sqrt(dDot(to, to));
        to = (dVec3){to.x / length, to.y / length, to.z / length};
        target = dMul(dMul(dMul(dConj(q), dFromTo(from, to)), q), rest);
    }
    else
    {
        dQuat s = LocalOf(r, c->source);
        target = dMul(rest, dMul(dConj(restS), s));
        if (c->kind == TD_CONSTRAINT_ROLL)
        {
            dQuat inParent = dMul(s, dConj(restS));
            dQuat delta = dMul(dMul(dConj(rest), inParent), rest);
            dQuat swing = dFromTo(axis, dRotate(delta, axis));
            target = dMul(rest, dMul(dConj(swing), delta));
        }
    }
    r->locals[node] = dSlerp(rest, target, (double)c->weight);
    r->isDone[node] = true;
    return r->locals[node];
}

// Makes a rig without cycles: constraints read only nodes before their destination.
static void MakeRig(tdBuilder* rig, uint64_t* seed, int nodeCount, int constraintCount)
{
    tdBuilder_Init(rig, NULL);
    for (int i = 0; i < nodeCount; ++i)
    {
        float scale = 0.5f + (float)tdRandom(seed);
        tdTrs local = {{(float)tdRandom(seed) - 0.5f, (float)tdRandom(seed), (float)tdRandom(seed) - 0.5f},
                       tdRandomQuat(seed),
                       {scale, scale, scale}};
        tdBuilder_AddNode(rig, i == 0 ? -1 : (int)(tdRandom(seed) * i), local);
    }
    for (int i = 0; i < constraintCount; ++i)
    {
        int node = 2 + i * (nodeCount - 2) / constraintCount;
        int axis = (int)(tdRandom(seed) * 3);
        float sign = tdRandom(seed) < 0.5 ? -1.0f : 1.0f;
        tdNodeConstraint c = {.kind = (tdConstraintKind)(int)(tdRandom(seed) * 3),
                              .destination = node,
                              .source = (int)(tdRandom(seed) * node),
                              .weight = tdRandom(seed) < 0.4 ? 1.0f : (float)tdRandom(seed)};
        sign = c.kind == TD_CONSTRAINT_ROLL ? 1.0f : sign;
        c.axis = (tdVec3){axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f};
        rig->constraints[rig->constraintCount++] = c;
    }
}

TEST(RandomRigsFollowTheFormulas)
{
    static tdBuilder rig;
    static Reference reference;
    uint64_t seed = 77;
    double worst = 0;
    for (int round = 0; round < 120; ++round)
    {
        MakeRig(&rig, &seed, 24, 9);
        // Shuffled, because the order of evaluation must not depend on the file.
        for (int i = rig.constraintCount - 1; i > 0; --i)
        {
            int k = (int)(tdRandom(&seed) * (i + 1));
            tdNodeConstraint swapped = rig.constraints[i];
            rig.constraints[i] = rig.constraints[k];
            rig.constraints[k] = swapped;
        }
        const tdAsset* asset = tdBuilder_Finish(&rig);
        const tdConstraintList* list = asset->scene.constraints;
        tdTransform placement = {{1.0f, 2.0f, 3.0f}, tdRandomQuat(&seed)};
        tdArena arena;
        tdArena_Init(&arena, NULL, 0);
        tdNodePose pose;
        ENSURE(tdNodePose_Init(&pose, &asset->scene.nodes, placement, &arena));
        memset(&reference, 0, sizeof(reference));
        reference.rig = &rig;
        int places[9];
        float weights[9];
        for (int i = 0; i < list->count; ++i)
        {
            places[i] = i;
            weights[i] = list->items[i].weight;
        }
        for (int i = 0; i < rig.nodeCount; ++i)
        {
            tdQuat q = tdRandomQuat(&seed); // destinations, too: constraints must overwrite them
            tdNodePose_SetRotation(&pose, i, q);
            reference.locals[i] = dFromQuat(q);
        }
        tdRunConstraints(list, places, list->count, weights, &pose);
        tdNodePose_Sweep(&pose);
        for (int i = 0; i < rig.nodeCount; ++i)
        {
            double angle = dAngle(dFromQuat(pose.locals[i].rotation), LocalOf(&reference, i));
            worst = angle > worst ? angle : worst;
            dVec3 p = PositionOf(&reference, i);
            p = dRotate(dFromQuat(placement.rotation), p);
            tdVec3 got = tdMat4Translation(pose.globals[i]);
            ENSURE_NEAR(got.x, p.x + 1.0, 1e-4);
            ENSURE_NEAR(got.y, p.y + 2.0, 1e-4);
            ENSURE_NEAR(got.z, p.z + 3.0, 1e-4);
        }
        tdArena_Free(&arena);
        tdBuilder_Free(&rig);
    }
    ENSURE_NEAR(worst, 0.0, 1e-4); // the tolerance VRM vectors use
}

static tdBuilder* MakePair(tdBuilder* rig, tdConstraintKind kind, tdVec3 axis, tdTrs destination,
                           tdTrs source)
{
    tdBuilder_Init(rig, NULL);
    tdBuilder_AddNode(rig, -1, destination);
    tdBuilder_AddNode(rig, -1, source);
    rig->constraints[0] = (tdNodeConstraint){kind, 0, 1, axis, 1.0f, false, -1};
    rig->constraintCount = 1;
    return rig;
}

static tdQuat RunPair(tdBuilder* rig, tdQuat sourceRotation, float weight)
{
    const tdAsset* asset = tdBuilder_Finish(rig);
    tdNodePose pose;
    tdNodePose_Init(&pose, &asset->scene.nodes, tdTransform_identity, &rig->asset.arena);
    tdNodePose_SetRotation(&pose, 0, (tdQuat){1.0f, 0.0f, 0.0f, 0.0f});
    tdNodePose_SetRotation(&pose, 1, sourceRotation);
    int place = 0;
    tdRunConstraints(asset->scene.constraints, &place, 1, &weight, &pose);
    return pose.locals[0].rotation;
}

TEST(WeightZeroIsExactlyRest)
{
    static tdBuilder rig;
    uint64_t seed = 3;
    for (int kind = 0; kind < 3; ++kind)
    {
        tdTrs a = {{0, 0, 0}, tdRandomQuat(&seed), {1, 1, 1}},
              b = {{1, 2, 3}, tdRandomQuat(&seed), {1, 1, 1}};
        MakePair(&rig, (tdConstraintKind)kind, (tdVec3){0, 1, 0}, a, b);
        tdQuat q = RunPair(&rig, tdRandomQuat(&seed), 0.0f);
        ENSURE(memcmp(&q, &a.rotation, sizeof(q)) == 0);
        tdBuilder_Free(&rig);
    }
}

TEST(DegenerateAimsAreDeterministic)
{
    static tdBuilder rig;
    tdTrs here = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    // Same position: rest.
    MakePair(&rig, TD_CONSTRAINT_AIM, (tdVec3){0, 0, 1}, here, here);
    tdQuat q = RunPair(&rig, tdQuat_identity, 1.0f);
    ENSURE(memcmp(&q, &tdQuat_identity, sizeof(q)) == 0);
    tdBuilder_Free(&rig);
    // Opposite direction: half a turn.
    tdTrs behind = {{1, 2, -7}, {0, 0, 0, 1}, {1, 1, 1}};
    MakePair(&rig, TD_CONSTRAINT_AIM, (tdVec3){0, 0, 1}, here, behind);
    q = RunPair(&rig, tdQuat_identity, 1.0f);
    tdVec3 aims = tdRotate(q, (tdVec3){0, 0, 1});
    ENSURE_NEAR(aims.z, -1.0, 1e-6);
    ENSURE_NEAR(q.w, 0.0, 1e-6);
    tdBuilder_Free(&rig);
}

TEST(SwingByHalfATurnHasNoTwist)
{
    static tdBuilder rig;
    tdTrs rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    MakePair(&rig, TD_CONSTRAINT_ROLL, (tdVec3){1, 0, 0}, rest, rest);
    tdQuat q = RunPair(&rig, (tdQuat){0, 0, 1, 0}, 1.0f); // turns X onto -X
    ENSURE_NEAR(q.x, 0.0, 0);
    ENSURE_NEAR(q.y, 0.0, 0);
    ENSURE_NEAR(q.z, 0.0, 0);
    ENSURE_NEAR(tdAbsFloat(q.w), 1.0, 0);
    tdBuilder_Free(&rig);
}

TEST_MAIN(RUN(RandomRigsFollowTheFormulas) RUN(WeightZeroIsExactlyRest) RUN(DegenerateAimsAreDeterministic)
              RUN(SwingByHalfATurnHasNoTwist))
