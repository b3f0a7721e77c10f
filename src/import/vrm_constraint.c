// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports VRMC_node_constraint 1.0 (nodes[i].extensions.VRMC_node_constraint). A meaningless constraint is
// left out, a malformed but usable one is used; members of a cycle stay at rest.
#include "vrm_constraint.h"

#include "vrm.h"

#include "constraint/constraint_list.h"
#include "pose/node_pose.h"

#include <string.h>

#define EXTENSION "VRMC_node_constraint"

static const char* const kindNames[] = {"roll", "aim", "rotation"};

static const struct
{
    const char* name;
    tdVec3 axis;
} axisNames[] = {
    {"X", {1, 0, 0}},          {"Y", {0, 1, 0}},          {"Z", {0, 0, 1}},
    {"PositiveX", {1, 0, 0}},  {"NegativeX", {-1, 0, 0}}, {"PositiveY", {0, 1, 0}},
    {"NegativeY", {0, -1, 0}}, {"PositiveZ", {0, 0, 1}},  {"NegativeZ", {0, 0, -1}},
};

// The path of a constraint: /nodes/i/extensions/VRMC_node_constraint/constraint/<kind>/<key>. Its parts point
// at each other, so it must not be copied.
typedef struct ConstraintPath
{
    tdPath root, nodes, node, extensions, extension, constraint, kind, key;
} ConstraintPath;

static void MakePath(ConstraintPath* path, int node, const char* kind, const char* key)
{
    path->root = tdPath_Root();
    path->nodes = tdPath_Key(&path->root, "nodes");
    path->node = tdPath_Index(&path->nodes, node);
    path->extensions = tdPath_Key(&path->node, "extensions");
    path->extension = tdPath_Key(&path->extensions, EXTENSION);
    path->constraint = tdPath_Key(&path->extension, "constraint");
    path->kind = tdPath_Key(&path->constraint, kind);
    path->key = tdPath_Key(&path->kind, key);
}

static void CheckSpecVersion(tdImport* import, int object, ConstraintPath* path)
{
    int value = tdJson_Find(import->json, object, "specVersion");
    tdPath here = tdPath_Key(&path->extension, "specVersion");
    char text[32];
    if (value >= 0 && tdJson_GetType(import->json, value) != TD_JSON_STRING)
    {
        tdReport_Add(import->report, TD_DIAG_NC_TYPE, &here, "a string");
    }
    else if (tdJson_StringEquals(import->json, value, "1.0-beta"))
    {
        tdReport_AddAs(import->report, TD_SEVERITY_WARNING, TD_DIAG_NC_SPEC_VERSION, &here, "1.0-beta");
    }
    else if (!tdJson_StringEquals(import->json, value, "1.0"))
    {
        tdReport_Add(import->report, TD_DIAG_NC_SPEC_VERSION, &here,
                     tdImport_CopyShort(import, value, text, sizeof(text)));
    }
}

static bool ReadAxis(tdImport* import, int object, tdNodeConstraint* item, ConstraintPath* path)
{
    if (item->kind == TD_CONSTRAINT_ROTATION)
    {
        return true;
    }
    bool isRoll = item->kind == TD_CONSTRAINT_ROLL;
    const char* key = isRoll ? "rollAxis" : "aimAxis";
    int value = tdJson_Find(import->json, object, key);
    for (int i = isRoll ? 0 : 3; i < (isRoll ? 3 : 9); ++i)
    {
        if (tdJson_StringEquals(import->json, value, axisNames[i].name))
        {
            item->axis = axisNames[i].axis;
            return true;
        }
    }
    tdPath here = tdPath_Key(&path->kind, key);
    if (value >= 0 && tdJson_GetType(import->json, value) != TD_JSON_STRING)
    {
        tdReport_Add(import->report, TD_DIAG_NC_TYPE, &here, "a string");
    }
    else
    {
        tdReport_Add(import->report, TD_DIAG_NC_AXIS_INVALID, &here, key,
                     isRoll ? "X, Y, Z" : "PositiveX, NegativeX, PositiveY, NegativeY, PositiveZ, NegativeZ");
    }
    return false;
}

static float ReadWeight(tdImport* import, int object, ConstraintPath* path)
{
    int value = tdJson_Find(import->json, object, "weight");
    if (value < 0)
    {
        return 1.0f;
    }
    tdPath here = tdPath_Key(&path->kind, "weight");
    if (tdJson_GetType(import->json, value) != TD_JSON_NUMBER)
    {
        tdReport_Add(import->report, TD_DIAG_NC_TYPE, &here, "a number");
        return 1.0f;
    }
    double weight = tdJson_GetNumber(import->json, value, 2.0);
    if (weight >= 0.0 && weight <= 1.0)
    {
        return (float)weight;
    }
    size_t start, end, size;
    const char* source = tdJson_GetSource(import->json, &size);
    tdJson_GetRange(import->json, value, &start, &end);
    char text[32];
    size_t length = end - start < sizeof(text) - 1 ? end - start : sizeof(text) - 1;
    memcpy(text, source + start, length);
    text[length] = 0;
    tdReport_Add(import->report, TD_DIAG_NC_WEIGHT_RANGE, &here, text);
    if (import->def->wideWeights)
    {
        double limit = (double)TD_MAX_WIDE_WEIGHT;
        return (float)(weight < -limit ? -limit : (weight < limit ? weight : limit));
    }
    return weight < 0.0 ? 0.0f : 1.0f;
}

// The kind of a constraint object; -1 (reported) if there is none or more than one.
static int FindKind(tdImport* import, int constraint, ConstraintPath* path)
{
    int kind = -1, count = 0;
    for (int i = 0; i < 3; ++i)
    {
        if (tdJson_Find(import->json, constraint, kindNames[i]) >= 0)
        {
            kind = i;
            count += 1;
        }
    }
    if (count != 1)
    {
        tdReport_Add(import->report, count == 0 ? TD_DIAG_NC_NO_CONSTRAINT : TD_DIAG_NC_MULTIPLE_KINDS,
                     &path->constraint);
        return -1;
    }
    return kind;
}

static bool ReadConstraint(tdImport* import, int node, int extension, tdNodeConstraint* item)
{
    ConstraintPath path;
    MakePath(&path, node, "", "");
    if (!tdJson_IsObject(import->json, extension))
    {
        tdReport_Add(import->report, TD_DIAG_NC_TYPE, &path.extension, "an object");
        return false;
    }
    CheckSpecVersion(import, extension, &path);
    int constraint = tdJson_Find(import->json, extension, "constraint");
    if (constraint >= 0 && !tdJson_IsObject(import->json, constraint))
    {
        tdReport_Add(import->report, TD_DIAG_NC_TYPE, &path.constraint, "an object");
        return false;
    }
    int kind = FindKind(import, constraint, &path);
    if (kind < 0)
    {
        return false;
    }
    MakePath(&path, node, kindNames[kind], "source");
    int object = tdJson_Find(import->json, constraint, kindNames[kind]);
    if (!tdJson_IsObject(import->json, object))
    {
        tdReport_Add(import->report, TD_DIAG_NC_TYPE, &path.kind, "an object");
        return false;
    }
    *item = (tdNodeConstraint){.kind = (tdConstraintKind)kind, .destination = node, .cycle = -1};
    item->source = tdImport_ReadNodeIndex(import, tdJson_Find(import->json, object, "source"));
    item->weight = ReadWeight(import, object, &path);
    bool hasAxis = ReadAxis(import, object, item, &path);
    if (item->source < 0)
    {
        tdReport_Add(import->report, TD_DIAG_NC_SOURCE_MISSING, &path.key, node);
        return false;
    }
    if (item->source == node)
    {
        tdReport_Add(import->report, TD_DIAG_NC_SOURCE_IS_SELF, &path.key, node);
        return false;
    }
    return hasAxis;
}

// Sources of the sorted constraints

// Members of one cycle, the first few of them.
typedef struct Cycle
{
    int count;
    int nodes[16];
} Cycle;

static bool ReportCycles(tdImport* import, const tdConstraintList* list)
{
    const tdNodeTree* nodes = &import->scene->nodes;
    Cycle* cycles = list->items[0].isInCycle ? tdArena_NewArray(&import->scratch, Cycle, list->count) : NULL;
    if (list->items[0].isInCycle && cycles == NULL)
    {
        return false;
    }
    for (int i = 0; i < list->count && list->items[i].isInCycle; ++i)
    {
        Cycle* cycle = &cycles[list->items[i].cycle];
        if (cycle->count < 16)
        {
            cycle->nodes[cycle->count] = list->items[i].destination;
        }
        cycle->count += 1;
    }
    for (int i = 0; i < list->count && list->items[i].isInCycle; ++i)
    {
        const tdNodeConstraint* item = &list->items[i];
        const Cycle* cycle = &cycles[item->cycle];
        ConstraintPath path;
        MakePath(&path, item->destination, kindNames[item->kind], "source");
        if (item->kind == TD_CONSTRAINT_AIM && tdNodeTree_IsAncestor(nodes, item->destination, item->source))
        {
            tdReport_Add(import->report, TD_DIAG_NC_AIM_AT_DESCENDANT, &path.key, item->destination,
                         item->source);
        }
        if (cycle->count < 2)
        {
            continue;
        }
        tdText members;
        tdText_Init(&members, &import->asset->allocator);
        for (int k = 0; k < cycle->count && k < 16; ++k)
        {
            tdText_AppendFormat(&members, k > 0 ? ", %d" : "%d", cycle->nodes[k]);
        }
        tdText_AppendString(&members, cycle->count > 16 ? " and more" : "");
        tdReport_Add(import->report, TD_DIAG_NC_CYCLE, &path.key, item->destination,
                     members.data != NULL ? members.data : "");
        tdText_Free(&members);
    }
    return true;
}

static bool ReportWideCycles(tdImport* import, const tdConstraintList* list)
{
    bool* isWide = tdArena_NewArray(&import->scratch, bool, list->count);
    if (isWide == NULL ||
        !tdConstraintList_FindWideCycles(list, &import->scene->nodes, isWide, &import->scratch))
    {
        return false;
    }
    for (int i = 0; i < list->count; ++i)
    {
        if (isWide[i] && !list->items[i].isInCycle)
        {
            ConstraintPath path;
            MakePath(&path, list->items[i].destination, kindNames[list->items[i].kind], "source");
            tdReport_Add(import->report, TD_DIAG_NC_THREE_VRM_REJECTS, &path.key);
        }
    }
    return true;
}

// Scenes by root: those of root r are scenes[firsts[r]] to scenes[firsts[r + 1] - 1].
typedef struct SceneLists
{
    int* firsts;
    int* scenes;
} SceneLists;

static bool ListScenes(tdImport* import, SceneLists* lists)
{
    const tdScene* scene = import->scene;
    int nodeCount = scene->nodes.count, total = 0;
    int* firsts = tdArena_NewArray(&import->scratch, int, nodeCount + 2);
    for (int s = 0; s < scene->rootsCount && firsts != NULL; ++s)
    {
        total += scene->roots[s].count;
        for (int i = 0; i < scene->roots[s].count; ++i)
        {
            firsts[scene->roots[s].nodes[i] + 2] += 1;
        }
    }
    int* scenes = tdArena_NewArray(&import->scratch, int, total + 1);
    if (firsts == NULL || scenes == NULL)
    {
        return false;
    }
    for (int node = 0; node < nodeCount; ++node)
    {
        firsts[node + 2] += firsts[node + 1];
    }
    // firsts[r + 1] is the insertion position of root r, and in the end the end of its list.
    for (int s = 0; s < scene->rootsCount; ++s)
    {
        for (int i = 0; i < scene->roots[s].count; ++i)
        {
            scenes[firsts[scene->roots[s].nodes[i] + 1]++] = s;
        }
    }
    *lists = (SceneLists){firsts, scenes};
    return true;
}

typedef struct RootPair
{
    int narrow; // the root in fewer scenes
    int next;   // constraint + 1 with the same other root; 0: none
    bool isApart;
} RootPair;

typedef struct RootMark
{
    int head;    // constraint + 1 whose other root this is; 0: none
    int askedBy; // root + 1 that was last compared with this one
    bool wasApart;
} RootMark;

// Compares every pair of roots once and walks the shorter of their lists: a hostile file may have many
// scenes, roots and constraints.
static void FindPairsApart(const SceneLists* lists, int nodeCount, RootPair* pairs, RootMark* marks,
                           int* holders)
{
    const int *firsts = lists->firsts, *scenes = lists->scenes;
    for (int root = 0; root < nodeCount; ++root)
    {
        for (int k = firsts[root]; k < firsts[root + 1] && marks[root].head > 0; ++k)
        {
            holders[scenes[k]] = root + 1;
        }
        for (int i = marks[root].head - 1; i >= 0; i = pairs[i].next - 1)
        {
            int narrow = pairs[i].narrow;
            bool isKnown = marks[narrow].askedBy == root + 1;
            bool isApart = !isKnown || marks[narrow].wasApart;
            for (int k = firsts[narrow]; k < firsts[narrow + 1] && isApart && !isKnown; ++k)
            {
                isApart = holders[scenes[k]] != root + 1;
            }
            marks[narrow].askedBy = root + 1;
            marks[narrow].wasApart = isApart;
            pairs[i].isApart = isApart;
        }
    }
}

static bool CheckScenes(tdImport* import, const tdConstraintList* list, const int* roots)
{
    const tdScene* scene = import->scene;
    int nodeCount = scene->nodes.count;
    SceneLists lists;
    RootPair* pairs = tdArena_NewArray(&import->scratch, RootPair, list->count);
    RootMark* marks = tdArena_NewArray(&import->scratch, RootMark, nodeCount);
    int* holders = tdArena_NewArray(&import->scratch, int, scene->rootsCount + 1);
    if (pairs == NULL || marks == NULL || holders == NULL || !ListScenes(import, &lists))
    {
        return false;
    }
    for (int i = 0; i < list->count && scene->rootsCount > 0; ++i)
    {
        int a = roots[list->items[i].source], b = roots[list->items[i].destination];
        bool isWider = lists.firsts[a + 1] - lists.firsts[a] >= lists.firsts[b + 1] - lists.firsts[b];
        int wide = isWider ? a : b;
        if (a != b)
        {
            pairs[i] = (RootPair){.narrow = isWider ? b : a, .next = marks[wide].head};
            marks[wide].head = i + 1;
        }
    }
    FindPairsApart(&lists, nodeCount, pairs, marks, holders);
    for (int i = 0; i < list->count; ++i)
    {
        const tdNodeConstraint* item = &list->items[i];
        if (pairs[i].isApart)
        {
            ConstraintPath path;
            MakePath(&path, item->destination, kindNames[item->kind], "source");
            tdReport_Add(import->report, TD_DIAG_NC_SOURCE_OTHER_SCENE, &path.key, item->source,
                         item->destination);
        }
    }
    return true;
}

static bool IsEven(tdVec3 s)
{
    float limit = 1.0e-4f * tdAbsFloat(s.x);
    return s.x > 0.0f && tdAbsFloat(s.y - s.x) <= limit && tdAbsFloat(s.z - s.x) <= limit;
}

static void CheckScalesAbove(tdImport* import, int node, bool* isReported)
{
    const tdNodeTree* nodes = &import->scene->nodes;
    for (int above = nodes->parents[node]; above >= 0 && !isReported[above]; above = nodes->parents[above])
    {
        isReported[above] = true;
        bool isSheared = nodes->isSheared != NULL && nodes->isSheared[above];
        if (IsEven(nodes->locals[above].scale) && !isSheared)
        {
            continue;
        }
        bool hasMatrix = tdJson_Find(import->json, import->nodeValues[above], "matrix") >= 0;
        ConstraintPath path;
        MakePath(&path, above, "", "");
        tdPath here = tdPath_Key(&path.node, hasMatrix ? "matrix" : "scale");
        tdReport_Add(import->report, TD_DIAG_NC_SHEARED_PARENT, &here, node);
    }
}

static bool CheckAims(tdImport* import, const tdConstraintList* list)
{
    bool* isReported = tdArena_NewArray(&import->scratch, bool, import->scene->nodes.count);
    tdNodePose rest;
    if (isReported == NULL ||
        !tdNodePose_Init(&rest, &import->scene->nodes, tdTransform_identity, &import->scratch))
    {
        return false;
    }
    tdNodePose_Sweep(&rest);
    for (int i = 0; i < list->count; ++i)
    {
        const tdNodeConstraint* item = &list->items[i];
        if (item->kind != TD_CONSTRAINT_AIM)
        {
            continue;
        }
        tdVec3 a = tdMat4Translation(rest.globals[item->source]);
        tdVec3 b = tdMat4Translation(rest.globals[item->destination]);
        // Positions are sums of float32: closer than a few rounding errors counts as equal.
        float size = 1.0f + tdLength(a);
        if (tdDistance(a, b) <= 1.0e-6f * size)
        {
            ConstraintPath path;
            MakePath(&path, item->destination, "aim", "");
            tdReport_Add(import->report, TD_DIAG_NC_ZERO_AIM_AT_REST, &path.kind, item->source,
                         item->destination);
        }
        CheckScalesAbove(import, item->destination, isReported);
        CheckScalesAbove(import, item->source, isReported);
    }
    return true;
}

// Other writers of the destination

static void CheckAnimations(tdImport* import, const tdConstraintList* list)
{
    const tdScene* scene = import->scene;
    tdPath root = tdPath_Root(), animations = tdPath_Key(&root, "animations");
    for (int a = 0; a < scene->animationCount; ++a)
    {
        tdPath animation = tdPath_Index(&animations, a), channels = tdPath_Key(&animation, "channels");
        for (int c = 0; c < scene->animations[a].channelCount; ++c)
        {
            const tdChannel* channel = &scene->animations[a].channels[c];
            if (channel->target.kind == TD_PROPERTY_ROTATION && list->byNode[channel->target.object] >= 0)
            {
                tdPath here = tdPath_Index(&channels, channel->fileChannel),
                       target = tdPath_Key(&here, "target");
                tdReport_Add(import->report, TD_DIAG_NC_DESTINATION_ANIMATED, &target,
                             channel->target.object);
            }
        }
    }
}

static void CheckBones(tdImport* import, const tdConstraintList* list)
{
    const tdHumanoid* humanoid = import->scene->humanoid;
    for (int node = 0;
         humanoid != NULL && humanoid->kind != TD_HUMANOID_BY_NAME && node < import->scene->nodes.count;
         ++node)
    {
        if (list->byNode[node] >= 0 && humanoid->boneOfNode[node] != TD_BONE_NONE)
        {
            ConstraintPath path;
            MakePath(&path, node, "", "");
            tdReport_Add(import->report, TD_DIAG_NC_DESTINATION_IS_HUMANOID, &path.node, node,
                         tdBone_GetInfo((tdBone)humanoid->boneOfNode[node])->name);
        }
    }
}

static void CheckDeclaration(tdImport* import)
{
    const tdJson* json = import->json;
    int used = tdJson_Find(json, 0, "extensionsUsed");
    for (int i = tdJson_GetFirst(json, used); i >= 0; i = tdJson_GetNext(json, i))
    {
        if (tdJson_StringEquals(json, i, EXTENSION))
        {
            return;
        }
    }
    tdPath root = tdPath_Root(), here = tdPath_Key(&root, "extensionsUsed");
    tdReport_Add(import->report, TD_DIAG_NC_NOT_IN_EXTENSIONS_USED, &here);
}

bool tdImportNodeConstraints(tdImport* import)
{
    int nodeCount = import->scene->nodes.count, count = 0;
    tdNodeConstraint* items = NULL;
    bool isUsed = false;
    for (int node = 0; node < nodeCount; ++node)
    {
        int extensions = tdJson_Find(import->json, import->nodeValues[node], "extensions");
        int extension = tdJson_Find(import->json, extensions, EXTENSION);
        if (extension < 0)
        {
            continue;
        }
        isUsed = true;
        items = items != NULL ? items : tdArena_NewArray(&import->scratch, tdNodeConstraint, nodeCount);
        if (items == NULL)
        {
            return false;
        }
        count += ReadConstraint(import, node, extension, &items[count]);
    }
    if (isUsed)
    {
        CheckDeclaration(import);
    }
    if (count == 0)
    {
        return true;
    }
    tdConstraintList* list = tdConstraintList_Build(&import->scene->nodes, items, count, import->arena);
    if (list == NULL)
    {
        return false;
    }
    list->isWide = import->def->wideWeights;
    import->scene->constraints = list;
    if (!ReportCycles(import, list))
    {
        return false;
    }
    const tdNodeTree* nodes = &import->scene->nodes;
    int* roots = tdArena_NewArray(&import->scratch, int, nodes->count);
    if (roots == NULL)
    {
        return false;
    }
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        roots[node] = parent >= 0 ? roots[parent] : node;
    }
    if (!CheckScenes(import, list, roots))
    {
        return false;
    }
    CheckAnimations(import, list);
    CheckBones(import, list);
    return ReportWideCycles(import, list) && CheckAims(import, list);
}
