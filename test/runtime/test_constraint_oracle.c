// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Node constraints of random files, from text to locals, against a slow implementation of the formulas in
// double that uses nothing of the library. The files have deep chains, several roots, shared sources,
// constraints that depend on each other through ancestors, non-uniform, negative and mirrored scales, sheared
// matrices, and cycles under both rules. See docs/decisions/033.
//
// Inputs of a constraint are final when the step ends, and outside of cycles no two constraints read each
// other. So the locals after a step are right if and only if each constraint's local follows from the others.
// The test uses the library's locals as input, so that rounding errors do not accumulate.
#include "double_math.h"
#include "harness.h"

#include "base/report.h"
#include "base/text.h"
#include "runtime/builder.h"

#include "tendon/asset.h"
#include "tendon/stage.h"

#include <string.h>

enum
{
    MAX_NODES = 48,
};

typedef enum Kind
{
    NONE,
    ROLL,
    AIM,
    ROTATION,
} Kind;

typedef struct Node
{
    int parent;
    tdTrs rest;
    bool hasShear; // `matrix` instead of the three
    double matrix[9];
    Kind kind;
    int source, axis; // 0 to 2, 3 to 5: negative
    double weight;
    bool isInCycle;
    bool isBody; // simulated
} Node;

typedef struct Rig
{
    int count;
    bool isUneven; // has scales that are not positive and even
    Node nodes[MAX_NODES];
} Rig;

static double Between(uint64_t* seed, double least, double most)
{
    return least + (most - least) * tdRandom(seed);
}

static int Below(uint64_t* seed, int count)
{
    return (int)(tdRandom(seed) * count);
}

static tdVec3 MakeScale(uint64_t* seed, bool isUneven)
{
    float even = (float)Between(seed, 0.6, 1.5);
    tdVec3 scale = {even, even, even};
    int kind = isUneven ? Below(seed, 6) : 5;
    float* s = &scale.x;
    for (int i = 0; i < 3 && kind == 0; ++i)
    {
        s[i] = (float)Between(seed, 0.4, 2.0);
    }
    if (kind == 1 || kind == 2) // one mirror, or two that look like half a turn
    {
        s[0] = -s[0];
        s[1] = kind == 2 ? -s[1] : s[1];
    }
    if (kind == 3)
    {
        scale = (tdVec3){-even, -even, -even};
    }
    return scale;
}

// Rotation times a symmetric matrix that is not diagonal.
static void MakeShear(Node* node, uint64_t* seed)
{
    dQuat turn = dFromQuat(tdRandomQuat(seed)), inner = dFromQuat(tdRandomQuat(seed));
    dVec3 stretch = {Between(seed, 0.5, 1.0), Between(seed, 1.2, 1.4), Between(seed, 1.6, 2.0)};
    for (int column = 0; column < 3; ++column)
    {
        dVec3 v = {column == 0, column == 1, column == 2};
        v = dRotate(dConj(inner), v);
        v = dRotate(dMul(turn, inner), (dVec3){stretch.x * v.x, stretch.y * v.y, stretch.z * v.z});
        node->matrix[3 * column] = (double)(float)v.x;
        node->matrix[3 * column + 1] = (double)(float)v.y;
        node->matrix[3 * column + 2] = (double)(float)v.z;
    }
    node->hasShear = true;
    node->rest.rotation = (tdQuat){(float)turn.x, (float)turn.y, (float)turn.z, (float)turn.w};
    node->rest.scale = (tdVec3){1.0f, 1.0f, 1.0f};
}

static void MakeRig(Rig* rig, uint64_t* seed, bool isUneven, bool hasShear, double bodyShare)
{
    *rig = (Rig){.count = 4 + Below(seed, MAX_NODES - 4), .isUneven = isUneven || hasShear};
    double depth = tdRandom(seed), share = Between(seed, 0.2, 0.7); // high depth: long chains
    for (int i = 0; i < rig->count; ++i)
    {
        Node* node = &rig->nodes[i];
        node->parent =
            i == 0 || tdRandom(seed) < 0.08 ? -1 : (tdRandom(seed) < depth ? i - 1 : Below(seed, i));
        node->rest = (tdTrs){{(float)Between(seed, -0.5, 0.5), (float)Between(seed, -0.2, 0.8),
                              (float)Between(seed, -0.5, 0.5)},
                             tdRandomQuat(seed),
                             MakeScale(seed, isUneven)};
        if (node->parent < 0) // files in centimetres, and giants
        {
            static const float units[] = {1.0f, 1.0f, 0.01f, 100.0f, 1.0e-4f};
            node->rest.scale = tdScale(units[Below(seed, 5)], node->rest.scale);
        }
        if (hasShear && tdRandom(seed) < 0.2)
        {
            MakeShear(node, seed);
        }
        else if (bodyShare > 0.0 && tdRandom(seed) < bodyShare)
        {
            node->isBody = true;
        }
        else if (tdRandom(seed) < share)
        {
            node->kind = (Kind)(1 + Below(seed, 3));
            node->source = (i + 1 + Below(seed, rig->count - 1)) % rig->count;
            node->axis = Below(seed, node->kind == AIM ? 6 : 3);
            node->weight =
                tdRandom(seed) < 0.4 ? 1.0 : (tdRandom(seed) < 0.1 ? 0.0 : (double)(float)tdRandom(seed));
        }
    }
}

static void WriteNode(tdText* json, const Rig* rig, int index)
{
    static const char* const kinds[] = {"", "roll", "aim", "rotation"};
    static const char* const rollAxes[] = {"X", "Y", "Z"};
    static const char* const aimAxes[] = {"PositiveX", "PositiveY", "PositiveZ",
                                          "NegativeX", "NegativeY", "NegativeZ"};
    const Node* node = &rig->nodes[index];
    tdVec3 t = node->rest.translation, s = node->rest.scale;
    tdQuat q = node->rest.rotation;
    tdText_AppendString(json, index > 0 ? ",{" : "{");
    if (node->hasShear)
    {
        tdText_AppendString(json, "\"matrix\":[");
        for (int i = 0; i < 9; ++i)
        {
            tdText_AppendFormat(json, i % 3 == 2 ? "%g,0," : "%g,", node->matrix[i]);
        }
        tdText_AppendFormat(json, "%g,%g,%g,1]", (double)t.x, (double)t.y, (double)t.z);
    }
    else
    {
        tdText_AppendFormat(json, "\"translation\":[%g,%g,%g],\"scale\":[%g,%g,%g],", (double)t.x,
                            (double)t.y, (double)t.z, (double)s.x, (double)s.y, (double)s.z);
        tdText_AppendFormat(json, "\"rotation\":[%g,%g,%g,%g]", (double)q.x, (double)q.y, (double)q.z,
                            (double)q.w);
    }
    int children = 0;
    for (int i = 0; i < rig->count; ++i)
    {
        if (rig->nodes[i].parent == index)
        {
            tdText_AppendFormat(json, children++ == 0 ? ",\"children\":[%d" : ",%d", i);
        }
    }
    tdText_AppendString(json, children > 0 ? "]" : "");
    if (node->isBody) // without colliders, so that bodies move freely
    {
        tdText_AppendFormat(json,
                            ",\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1,"
                            "\"linearVelocity\":[%g,%g,1],\"angularVelocity\":[3,%g,%g]}}}",
                            (double)q.x, (double)q.y, 5.0 * (double)q.z, 5.0 * (double)q.w);
    }
    if (node->kind != NONE)
    {
        tdText_AppendFormat(
            json,
            ",\"extensions\":{\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{"
            "\"%s\":{\"source\":%d,\"weight\":%g",
            kinds[node->kind], node->source, node->weight);
        if (node->kind != ROTATION)
        {
            tdText_AppendFormat(json, ",\"%sAxis\":\"%s\"", kinds[node->kind],
                                node->kind == ROLL ? rollAxes[node->axis] : aimAxes[node->axis]);
        }
        tdText_AppendString(json, "}}}}");
    }
    tdText_AppendString(json, "}");
}

static tdAsset* LoadRig(const Rig* rig, tdReport* report)
{
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendString(&json,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_node_constraint\","
                        "\"KHR_physics_rigid_bodies\"],\"nodes\":[");
    for (int i = 0; i < rig->count; ++i)
    {
        WriteNode(&json, rig, i);
    }
    tdText_AppendString(&json, "]}");
    tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, report);
    tdText_Free(&json);
    return asset;
}

// Cycles, from the table of what a constraint reads.

static bool IsAbove(const Rig* rig, int above, int node)
{
    for (int i = rig->nodes[node].parent; i >= 0; i = rig->nodes[i].parent)
    {
        if (i == above)
        {
            return true;
        }
    }
    return false;
}

static bool Reads(const Rig* rig, int node, int other, bool isWide)
{
    const Node* c = &rig->nodes[node];
    if (c->kind == NONE || rig->nodes[other].kind == NONE)
    {
        return false;
    }
    if (isWide) // the source and its ancestors, for every kind
    {
        return other == c->source || IsAbove(rig, other, c->source);
    }
    return c->kind == AIM ? IsAbove(rig, other, c->source) || IsAbove(rig, other, node) : other == c->source;
}

// Transitive closure of the direct dependencies.
static void CloseReach(const Rig* rig, bool reach[MAX_NODES][MAX_NODES])
{
    for (int via = 0; via < rig->count; ++via)
    {
        for (int a = 0; a < rig->count; ++a)
        {
            for (int b = 0; b < rig->count && reach[a][via]; ++b)
            {
                reach[a][b] = reach[a][b] || reach[via][b];
            }
        }
    }
}

// reach[a][b]: a depends on b, directly or indirectly.
static void FindReach(const Rig* rig, bool isWide, bool reach[MAX_NODES][MAX_NODES])
{
    for (int a = 0; a < rig->count; ++a)
    {
        for (int b = 0; b < rig->count; ++b)
        {
            reach[a][b] = Reads(rig, a, b, isWide);
        }
    }
    CloseReach(rig, reach);
}

static void CheckCycles(Rig* rig, const tdReport* report, int* trueCycles, int* falseCycles)
{
    static bool reach[MAX_NODES][MAX_NODES], wide[MAX_NODES][MAX_NODES];
    FindReach(rig, false, reach);
    FindReach(rig, true, wide);
    int inCompany = 0, below = 0, rejected = 0;
    for (int i = 0; i < rig->count; ++i)
    {
        Node* node = &rig->nodes[i];
        node->isInCycle = reach[i][i];
        bool hasCompany = false;
        for (int k = 0; k < rig->count; ++k)
        {
            hasCompany = hasCompany || (k != i && reach[i][k] && reach[k][i]);
        }
        inCompany += node->isInCycle && hasCompany;
        below += node->kind == AIM && IsAbove(rig, i, node->source);
        rejected += wide[i][i] && !reach[i][i];
        *trueCycles += node->isInCycle;
    }
    *falseCycles += rejected;
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NC_CYCLE), inCompany);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NC_AIM_AT_DESCENDANT), below);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NC_THREE_VRM_REJECTS), rejected);
}

// The formulas

typedef struct Scene
{
    const Rig* rig;
    const tdTrs* locals;
    bool isMoved[MAX_NODES]; // written by the application: a matrix gives way to a transform
    dQuat placement;
} Scene;

static dQuat RotationOf(const Scene* scene, int node)
{
    if (node < 0)
    {
        return scene->placement;
    }
    return dMul(RotationOf(scene, scene->rig->nodes[node].parent), dFromQuat(scene->locals[node].rotation));
}

// A point given in the frame of a node, in the world. `size` grows with what is added up on the way.
static dVec3 PointOf(const Scene* scene, int node, dVec3 p, double* size)
{
    if (node < 0)
    {
        return dRotate(scene->placement, p);
    }
    const Node* it = &scene->rig->nodes[node];
    const tdTrs* local = &scene->locals[node];
    dVec3 t = dFromVec3(local->translation), result;
    if (it->hasShear && !scene->isMoved[node])
    {
        const double* m = it->matrix;
        result =
            (dVec3){m[0] * p.x + m[3] * p.y + m[6] * p.z + t.x, m[1] * p.x + m[4] * p.y + m[7] * p.z + t.y,
                    m[2] * p.x + m[5] * p.y + m[8] * p.z + t.z};
    }
    else
    {
        dAffine a = dFromTrs(t, dFromQuat(local->rotation), dFromVec3(local->scale));
        result = dPoint(&a, p);
    }
    double length = sqrt(dDot(result, result));
    result = PointOf(scene, it->parent, result, size);
    *size += length;
    return result;
}

static dVec3 PositionOf(const Scene* scene, int node, double* size)
{
    return PointOf(scene, scene->rig->nodes[node].parent, dFromVec3(scene->locals[node].translation), size);
}

// q(d) by the formulas. `condition`: growth of input errors; 0: the formula is undefined here.
static dQuat Evaluate(const Scene* scene, int index, double* condition)
{
    const Node* node = &scene->rig->nodes[index];
    dQuat rest = dFromQuat(node->rest.rotation),
          restS = dFromQuat(scene->rig->nodes[node->source].rest.rotation);
    double sign = node->axis < 3 ? 1.0 : -1.0;
    dVec3 axis = {sign * (node->axis % 3 == 0), sign * (node->axis % 3 == 1), sign * (node->axis % 3 == 2)};
    dQuat target = rest;
    *condition = 1.0;
    if (node->isInCycle)
    {
        return rest;
    }
    if (node->kind == AIM)
    {
        double size = 0.0;
        dQuat q = RotationOf(scene, node->parent);
        dVec3 from = dRotate(dMul(q, rest), axis);
        dVec3 d = PositionOf(scene, index, &size), s = PositionOf(scene, node->source, &size);
        dVec3 to = {s.x - d.x, s.y - d.y, s.z - d.z};
        double length = sqrt(dDot(to, to));
        to = (dVec3){to.x / length, to.y / length, to.z / length};
        double half = sqrt(0.5 * (1.0 + dDot(from, to)));
        *condition = length > 1e-4 * size && half > 1e-3 ? (1.0 + size / length) / half : 0.0;
        target = dMul(dMul(dMul(dConj(q), dFromTo(from, to)), q), rest);
    }
    else
    {
        dQuat delta = dMul(dConj(restS), dFromQuat(scene->locals[node->source].rotation));
        target = dMul(rest, delta);
        if (node->kind == ROLL)
        {
            dQuat inParent = dMul(dMul(restS, delta), dConj(restS));
            dQuat inDestination = dMul(dMul(dConj(rest), inParent), rest);
            dVec3 turned = dRotate(inDestination, axis);
            double half = sqrt(0.5 * (1.0 + dDot(axis, turned)));
            *condition = half > 1e-3 ? 1.0 / half : 0.0;
            target = dMul(rest, dMul(dConj(dFromTo(axis, turned)), inDestination));
        }
    }
    // At half a turn both arcs are equally short.
    double gap = fabs(dDotQuat(dNormalizeQuat(target), rest));
    *condition = gap > 1e-3 || node->weight == 1.0 ? *condition : 0.0;
    return dSlerp(rest, dNormalizeQuat(target), node->weight);
}

typedef struct Tally
{
    int compared, skipped, trueCycles, falseCycles;
} Tally;

static void CompareWithFormulas(const Scene* scene, Tally* tally)
{
    for (int i = 0; i < scene->rig->count; ++i)
    {
        const Node* node = &scene->rig->nodes[i];
        const tdTrs* local = &scene->locals[i];
        if (node->kind == NONE)
        {
            continue;
        }
        double condition;
        dQuat expected = Evaluate(scene, i, &condition);
        ENSURE_NEAR((double)tdDotQuat(local->rotation, local->rotation), 1.0, 1e-5);
        if (condition == 0.0)
        {
            tally->skipped += 1;
            continue;
        }
        // Float32 gives 6e-8 per operation and the power series of slerp 1e-6.
        double error = dAngle(dFromQuat(local->rotation), expected), tolerance = 1.5e-6 * condition;
        tally->compared += 1;
        if (!ENSURE(error <= tolerance))
        {
            printf("  node %d kind %d: %g rad, tolerance %g\n", i, (int)node->kind, error, tolerance);
        }
        ENSURE(node->weight > 0.0 || memcmp(&local->rotation, &node->rest.rotation, sizeof(tdQuat)) == 0);
    }
}

enum
{
    ACTORS = 11, // one actor group of eight or two of four, and some alone
};

static void Pose(tdActor* actor, Scene* scene, uint64_t seed)
{
    memset(scene->isMoved, 0, sizeof(scene->isMoved));
    for (int i = 0; i < scene->rig->count; ++i)
    {
        double kind = tdRandom(&seed);
        tdTrs local = {
            {(float)Between(&seed, -1, 1), (float)Between(&seed, -1, 1), (float)Between(&seed, -1, 1)},
            tdRandomQuat(&seed),
            MakeScale(&seed, scene->rig->isUneven)};
        unsigned properties = (kind < 0.7 ? TD_LOCAL_ROTATION : 0u) |
                              (kind < 0.2 ? TD_LOCAL_TRANSLATION : 0u) | (kind < 0.1 ? TD_LOCAL_SCALE : 0u);
        if (scene->rig->nodes[i].hasShear) // all properties or none
        {
            properties = properties != 0 ? TD_LOCAL_ALL : 0;
        }
        if (properties != 0)
        {
            tdActor_SetLocal(actor, i, properties, local);
            scene->isMoved[i] = true;
        }
    }
}

static void TryRig(Rig* rig, uint64_t* seed, Tally* tally)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = LoadRig(rig, report);
    ENSURE(asset != NULL);
    CheckCycles(rig, report, &tally->trueCycles, &tally->falseCycles);
    tdStageDef def = tdDefaultStageDef();
    tdStage* stages[2];
    tdActor* actors[ACTORS + 1];
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.placement.rotation = tdRandomQuat(seed);
    for (int i = 0; i <= ACTORS; ++i)
    {
        if (i < 2) // one stage without lanes for the first actor
        {
            def.world.simd = i == 0 ? TD_SIMD_SCALAR : TD_SIMD_AUTO;
            stages[i] = tdCreateStage(&def);
        }
        actors[i] = tdCreateActor(stages[i == 0 ? 0 : 1], asset, &actorDef, NULL);
    }
    Scene scene = {.rig = rig, .placement = dFromQuat(actorDef.placement.rotation)};
    for (int pose = 0; pose < 2; ++pose)
    {
        uint64_t random = *seed = *seed * 2862933555777941757u + 3037000493u;
        for (int i = 0; i <= ACTORS; ++i)
        {
            for (int node = 0; node < rig->count; ++node)
            {
                tdActor_ClearLocal(actors[i], node, TD_LOCAL_ALL);
            }
            Pose(actors[i], &scene, random);
        }
        ENSURE(tdStage_Step(stages[0]) && tdStage_Step(stages[1]));
        scene.locals = tdActor_GetLocals(actors[0]);
        CompareWithFormulas(&scene, tally);
        for (int i = 1; i <= ACTORS; ++i)
        {
            ENSURE(memcmp(tdActor_GetLocals(actors[i]), scene.locals, (size_t)rig->count * sizeof(tdTrs)) ==
                   0);
            ENSURE(memcmp(tdActor_GetGlobals(actors[i]), tdActor_GetGlobals(actors[0]),
                          (size_t)rig->count * sizeof(tdMat4)) == 0);
        }
    }
    tdDestroyStage(stages[0]);
    tdDestroyStage(stages[1]);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

static void TryRigs(uint64_t seed, int count, bool isUneven, bool hasShear)
{
    static Rig rig;
    Tally tally = {0};
    for (int i = 0; i < count; ++i)
    {
        MakeRig(&rig, &seed, isUneven, hasShear, 0.0);
        TryRig(&rig, &seed, &tally);
    }
    // The files have the intended features.
    ENSURE(tally.compared > 5 * count);
    ENSURE(tally.skipped * 20 < tally.compared);
    ENSURE(tally.trueCycles > count && tally.falseCycles > count / 4);
}

TEST(EvenScales)
{
    TryRigs(1, 150, false, false);
}

TEST(UnevenNegativeAndMirroredScales)
{
    TryRigs(2, 150, true, false);
}

TEST(ShearedMatrices)
{
    TryRigs(3, 60, false, true);
}

// True if a constraint reads itself through bodies: a body keeps its pose in the world, so its local changes
// when an ancestor turns. As in a cycle, there is no solution.
static void FindReachWithBodies(const Rig* rig, bool reach[MAX_NODES][MAX_NODES])
{
    FindReach(rig, false, reach);
    for (int a = 0; a < rig->count; ++a)
    {
        int source = rig->nodes[a].source;
        for (int b = 0; b < rig->count; ++b)
        {
            bool isRead = (rig->nodes[a].kind == ROLL || rig->nodes[a].kind == ROTATION) &&
                          rig->nodes[source].isBody && IsAbove(rig, b, source);
            reach[a][b] = reach[a][b] || (isRead && rig->nodes[b].kind != NONE);
        }
    }
    CloseReach(rig, reach);
}

// Random nodes are bodies: constraints read the poses after the step.
TEST(SimulatedBodies)
{
    static Rig rig;
    static bool reach[MAX_NODES][MAX_NODES];
    uint64_t seed = 4;
    Tally tally = {0};
    int tried = 0;
    for (int round = 0; round < 400; ++round)
    {
        MakeRig(&rig, &seed, false, false, 0.15);
        FindReachWithBodies(&rig, reach);
        bool hasAnswer = true;
        for (int i = 0; i < rig.count; ++i)
        {
            hasAnswer = hasAnswer && !reach[i][i];
        }
        if (!hasAnswer)
        {
            continue;
        }
        tried += 1;
        tdAsset* asset = LoadRig(&rig, NULL);
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        Scene scene = {.rig = &rig, .placement = dIdentity};
        Pose(actor, &scene, seed);
        for (int step = 0; step < 6; ++step)
        {
            ENSURE(tdStage_Step(stage));
        }
        scene.locals = tdActor_GetLocals(actor);
        CompareWithFormulas(&scene, &tally);
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
    }
    ENSURE(tried > 50 && tally.compared > 4 * tried);
}

TEST_MAIN(RUN(EvenScales) RUN(UnevenNegativeAndMirroredScales) RUN(ShearedMatrices) RUN(SimulatedBodies))
