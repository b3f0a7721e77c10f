// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The tables of tendon inspect about VRM: meta, node constraints, bones, expressions with their binds, gaze
// and first person.
#include "inspect.h"
#include "json.h"

#include <math.h>

void PrintConstraints(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "node", "constraint", "axis", "source", ">weight", "after"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Constraints, in order of evaluation");
    Table table = StartTable(headings, 7);
    for (int i = 0; i < count; ++i)
    {
        tdConstraintInfo info = tdDescribeConstraint(asset, i);
        int places[8];
        int dependencyCount = tdAsset_GetConstraintDependencies(asset, i, places, 8);
        char after[64] = "";
        size_t length = 0;
        for (int k = 0; k < dependencyCount && k < 8 && !info.isInCycle; ++k)
        {
            length += (size_t)snprintf(after + length, sizeof after - length, "%s%d", k > 0 ? ", " : "",
                                       tdDescribeConstraint(asset, places[k]).node);
        }
        snprintf(after + length, sizeof after - length, "%s",
                 info.isInCycle ? "in a cycle, stays at rest" : (dependencyCount > 8 ? ", …" : ""));
        AddCell(&table, "%d", info.node);
        AddName(&table, tdAsset_GetNodeName(asset, info.node));
        AddCell(&table, "%s", tdConstraintKind_GetName(info.kind));
        AddCell(&table, "%s", tdConstraintAxis_GetName(info.axis));
        AddName(&table, tdAsset_GetNodeName(asset, info.source));
        AddCell(&table, "%.4g", (double)info.weight);
        AddCell(&table, "%s", after);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintAngles(const char* what, const float angles[2])
{
    static const char* const sides[2] = {"left", "right"};
    for (int i = 0; i < 2; ++i)
    {
        if (angles[i] >= 0.0f)
        {
            printf(", %s %s %.1f°", sides[i], what, (double)angles[i]);
        }
    }
}

// "z 90°" for a rotation about a coordinate axis, else axis and angle.
static void AddRotation(Table* table, tdQuat q)
{
    double sine = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z);
    double angle = 2.0 * atan2(sine, fabs((double)q.w)) * 57.29577951308232;
    if (angle < 0.05)
    {
        AddCell(table, "none");
        return;
    }
    double sign = q.w < 0.0f ? -1.0 / sine : 1.0 / sine;
    AddCell(table, "%.1f° about %.2g, %.2g, %.2g", angle, (double)q.x * sign + 0.0, (double)q.y * sign + 0.0,
            (double)q.z * sign + 0.0);
}

// The bone that takes over the rotation of a missing bone.
static void AddHeirs(Table* table, const tdHumanBoneInfo* info)
{
    char text[160] = "to ";
    size_t length = 3;
    int shown = info->foldCount < 4 ? info->foldCount : 4;
    for (int i = 0; i < shown; ++i)
    {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? ", " : "",
                                   tdGetBoneName(info->foldsInto[i]));
    }
    if (info->foldCount > shown)
    {
        snprintf(text + length, sizeof text - length, " and %d more", info->foldCount - shown);
    }
    AddCell(table, "%s", info->foldCount > 0 ? text : "nowhere: nothing hangs on it");
}

static void PrintBones(const Session* session, const tdAsset* asset)
{
    static const char* const headings[] = {"bone", ">#", "node", "hangs on", "rest rotation"};
    static const char* const missingHeadings[] = {"missing bone", "its rotation goes"};
    PrintTitle(session, "Bones");
    Table table = StartTable(headings, 5);
    int missing = 0;
    for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
    {
        tdHumanBoneInfo info = tdDescribeBone(asset, i);
        missing += info.node < 0;
        if (info.node < 0)
        {
            continue;
        }
        AddCell(&table, "%s", info.name);
        AddCell(&table, "%d", info.node);
        AddName(&table, tdAsset_GetNodeName(asset, info.node));
        AddCell(&table, "%s", info.parent >= 0 ? tdGetBoneName(info.parent) : "");
        AddRotation(&table, info.restRotation);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
    if (missing == 0)
    {
        return;
    }
    PrintTitle(session, "Missing bones");
    table = StartTable(missingHeadings, 2);
    for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
    {
        tdHumanBoneInfo info = tdDescribeBone(asset, i);
        if (info.node < 0)
        {
            AddCell(&table, "%s%s", info.name, info.isRequired ? " (required)" : "");
            AddHeirs(&table, &info);
        }
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintExpressions(const Session* session, const tdAsset* asset, const tdHumanoidInfo* humanoid)
{
    static const char* const headings[] = {"expression", "kind",  ">morphs", ">materials",
                                           "binary",     "blink", "look at", "mouth"};
    if (humanoid->expressionCount > 0)
    {
        PrintTitle(session, "Expressions and their overrides");
        Table table = StartTable(headings, 8);
        for (int i = 0; i < humanoid->expressionCount; ++i)
        {
            tdExpressionInfo info = tdDescribeExpression(asset, i);
            AddName(&table, info.name);
            AddCell(&table, "%s", info.isPreset ? "preset" : "custom");
            AddCell(&table, "%d", info.morphBindCount);
            AddCell(&table, "%d", info.materialBindCount);
            AddCell(&table, "%s", info.isBinary ? "yes" : "no");
            AddCell(&table, "%s", tdExpressionOverride_GetName(info.overrideBlink));
            AddCell(&table, "%s", tdExpressionOverride_GetName(info.overrideLookAt));
            AddCell(&table, "%s", tdExpressionOverride_GetName(info.overrideMouth));
        }
        FinishTable(&table, &session->out, GetRowLimit(session));
    }
    if (humanoid->motionExpressions > 0)
    {
        static const char* const animated[] = {"animated expression"};
        PrintTitle(session, "Expressions of the animation");
        Table table = StartTable(animated, 1);
        for (int i = 0; i < humanoid->motionExpressions; ++i)
        {
            AddName(&table, tdDescribeMotionExpression(asset, i));
        }
        FinishTable(&table, &session->out, GetRowLimit(session));
    }
}

// "1, 0.5, 0, 1"
static void AddNumbersCell(Table* table, const float* values, int count)
{
    char text[96] = "";
    size_t length = 0;
    for (int i = 0; i < count; ++i)
    {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.4g", i > 0 ? ", " : "",
                                   (double)values[i]);
    }
    AddCell(table, "%s", text);
}

static void AddMaterialBind(Table* table, const tdAsset* asset, int expression, int bind)
{
    tdMaterialBindInfo info = tdDescribeMaterialBind(asset, expression, bind);
    tdMaterialValueInfo value = tdDescribeMaterialValue(asset, info.value);
    AddCell(table, "%s", tdMaterialValueKind_GetName(value.kind));
    AddCell(table, "material %d%s%s", value.material, value.texture[0] != '\0' ? ", " : "", value.texture);
    AddNumbersCell(table, value.base, value.width);
    AddNumbersCell(table, info.target, value.width);
}

// The targets of every expression: morph targets of nodes, values of materials.
static void PrintBinds(const Session* session, const tdAsset* asset, const tdHumanoidInfo* humanoid)
{
    static const char* const headings[] = {"expression", "changes", "of", "from", "to"};
    int count = 0;
    for (int i = 0; i < humanoid->expressionCount; ++i)
    {
        tdExpressionInfo info = tdDescribeExpression(asset, i);
        count += info.morphBindCount + info.materialBindCount;
    }
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Binds of expressions");
    Table table = StartTable(headings, 5);
    for (int i = 0; i < humanoid->expressionCount; ++i)
    {
        tdExpressionInfo info = tdDescribeExpression(asset, i);
        for (int k = 0; k < info.morphBindCount; ++k)
        {
            tdMorphBindInfo bind = tdDescribeMorphBind(asset, i, k);
            char name[256];
            CleanText(name, sizeof name, tdAsset_GetNodeName(asset, bind.node), 40);
            AddName(&table, info.name);
            AddCell(&table, "morph %d", bind.target);
            AddCell(&table, "node %d%s%s", bind.node, name[0] != '\0' ? ", " : "", name);
            AddCell(&table, "0");
            AddCell(&table, "%.4g", (double)bind.weight);
        }
        for (int k = 0; k < info.materialBindCount; ++k)
        {
            AddName(&table, info.name);
            AddMaterialBind(&table, asset, i, k);
        }
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintMeta(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {"meta", "value"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Meta and licence");
    Table table = StartTable(headings, 2);
    for (int i = 0; i < count; ++i)
    {
        tdMetaInfo info = tdDescribeMeta(asset, i);
        char value[512];
        CleanText(value, sizeof value, info.value, 100);
        AddName(&table, info.key);
        AddCell(&table, "%s", value);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintFirstPerson(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "node", "first person"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "First person");
    Table table = StartTable(headings, 3);
    for (int i = 0; i < count; ++i)
    {
        tdFirstPersonInfo info = tdDescribeFirstPerson(asset, i);
        AddCell(&table, "%d", info.node);
        AddName(&table, tdAsset_GetNodeName(asset, info.node));
        AddCell(&table, "%s", tdFirstPersonType_GetName(info.type));
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintGaze(const tdHumanoidInfo* info)
{
    static const char* const names[] = {"inner", "outer", "down", "up"};
    if (info->lookAt == TD_LOOK_AT_NONE)
    {
        printf(info->hasMotionGaze ? "  the animation carries a gaze\n" : "");
        return;
    }
    bool isBone = info->lookAt == TD_LOOK_AT_BONE;
    printf(
        "  gaze moves %s and starts %.3g, %.3g, %.3g m from the head:", isBone ? "the eyes" : "expressions",
        (double)info->gazeOffset.x, (double)info->gazeOffset.y, (double)info->gazeOffset.z);
    for (int i = 0; i < 4; ++i)
    {
        printf("%s %s up to %.4g° gives %.4g%s", i > 0 ? "," : "", names[i],
               (double)info->gazeRanges[i].inputMax, (double)info->gazeRanges[i].outputScale,
               isBone ? "°" : "");
    }
    printf("\n");
}

// "+Z", or a vector where the body faces no axis.
static const char* NameFacing(tdVec3 forward, char text[48])
{
    static const char* const names[] = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
    const float numbers[3] = {forward.x, forward.y, forward.z};
    for (int i = 0; i < 3; ++i)
    {
        if (fabsf(numbers[i]) > 0.999f)
        {
            return names[2 * i + (numbers[i] < 0.0f)];
        }
    }
    snprintf(text, 48, "%.3f, %.3f, %.3f", (double)forward.x, (double)forward.y, (double)forward.z);
    return text;
}

void PrintSkeleton(const Session* session, const char* path, const tdAsset* asset)
{
    tdHumanoidInfo humanoid = tdDescribeHumanoid(asset);
    bool isLine = IsGiven(session->options, OPTION_JSON);
    const char* line = isLine ? "" : "\n  ";
    char facing[48];
    printf("{%s\"$file\": ", line);
    PrintJsonText(stdout, path);
    printf(",%s\"$humanoid\": \"%s\",%s\"$facing\": \"%s\",%s\"$rest\": \"%s\"", line,
           tdHumanoidKind_GetName(humanoid.kind), line,
           humanoid.kind != TD_HUMANOID_NONE ? NameFacing(humanoid.forward, facing) : "", line,
           humanoid.kind != TD_HUMANOID_NONE ? tdRestSource_GetName(humanoid.restSource) : "");
    for (int i = 0; i < TD_POSE_BONE_COUNT; ++i)
    {
        tdHumanBoneInfo info = tdDescribeBone(asset, i);
        printf(",%s\"%s\": ", line, tdGetBoneName(i));
        if (info.node < 0)
        {
            printf("null");
            continue;
        }
        printf("{\"joint\": ");
        PrintJsonText(stdout, tdAsset_GetNodeName(asset, info.node));
        printf(", \"node\": %d, \"confidence\": %.2f, \"evidence\": \"%s\"}", info.node,
               (double)info.confidence, info.evidence);
    }
    printf("%s}\n", isLine ? "" : "\n");
}

void PrintHumanoid(const Session* session, const tdAsset* asset)
{
    tdHumanoidInfo info = tdDescribeHumanoid(asset);
    if (info.kind == TD_HUMANOID_NONE)
    {
        return;
    }
    PrintTitle(session, "Humanoid");
    char facing[48];
    printf("  %s, %d of %d bones, hips at %.4g m, faces %s\n", tdHumanoidKind_GetName(info.kind),
           info.boneCount, TD_POSE_BONE_COUNT, (double)info.hipsHeight, NameFacing(info.forward, facing));
    if (info.restSource != TD_REST_SOURCE_NODES || info.restCorrections > 0)
    {
        printf("  rest pose from %s, %d limb%s corrected\n", tdRestSource_GetName(info.restSource),
               info.restCorrections, info.restCorrections == 1 ? "" : "s");
    }
    printf("  away from the T-pose");
    PrintAngles("arm", info.armAngles);
    PrintAngles("leg", info.legAngles);
    printf("\n");
    PrintGaze(&info);
    PrintMeta(session, asset, info.metaCount);
    PrintBones(session, asset);
    PrintExpressions(session, asset, &info);
    PrintBinds(session, asset, &info);
    PrintFirstPerson(session, asset, info.firstPersonCount);
}
