// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The tables of tendon inspect about spring bones, and their JSON.
#include "inspect.h"
#include "json.h"

static const char* GetSpringName(const char* name)
{
    return name[0] != '\0' ? name : "(no name)";
}

// "1, 4"; an ellipsis stands for those that do not fit.
static void AddIndices(Table* table, const int* indices, int count)
{
    char text[64] = "";
    size_t length = 0;
    for (int i = 0; i < count && length + 16 < sizeof text; ++i)
    {
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%d", i > 0 ? ", " : "", indices[i]);
        if (length + 16 >= sizeof text && i + 1 < count)
        {
            snprintf(text + length, sizeof text - length, ", …");
        }
    }
    AddCell(table, "%s", text);
}

static void PrintSpringTable(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "spring", ">joints",        "from",
                                           "to", "center", "collider groups"};
    PrintTitle(session, "Springs");
    Table table = StartTable(headings, 7);
    for (int i = 0; i < count; ++i)
    {
        tdSpringInfo info = tdDescribeSpring(asset, i);
        tdSpringJointInfo first = tdDescribeSpringJoint(asset, info.firstJoint);
        tdSpringJointInfo last = tdDescribeSpringJoint(asset, info.firstJoint + info.jointCount - 1);
        AddCell(&table, "%d", i);
        AddName(&table, GetSpringName(info.name));
        AddCell(&table, "%d", info.jointCount);
        AddName(&table, info.jointCount > 0 ? tdAsset_GetNodeName(asset, first.node) : "");
        AddName(&table, info.jointCount > 0 ? tdAsset_GetNodeName(asset, last.node) : "");
        AddName(&table, info.center >= 0 ? tdAsset_GetNodeName(asset, info.center) : "");
        AddIndices(&table, info.colliderGroups, info.colliderGroupCount);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintSpringJoints(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">spring",  ">#",    "node",  ">radius",        ">stiffness",
                                           ">gravity", "along", ">drag", "limit, degrees", "tail"};
    const double degrees = 57.29577951308232;
    PrintTitle(session, "Spring joints");
    Table table = StartTable(headings, 10);
    for (int i = 0; i < count; ++i)
    {
        tdSpringJointInfo info = tdDescribeSpringJoint(asset, i);
        const tdSpringParameters* p = &info.parameters;
        AddCell(&table, "%d", info.spring);
        AddCell(&table, "%d", info.node);
        AddName(&table, tdAsset_GetNodeName(asset, info.node));
        AddCell(&table, "%.4g", (double)p->hitRadius);
        AddCell(&table, "%.4g", (double)p->stiffness);
        AddCell(&table, "%.4g", (double)p->gravityPower);
        AddCell(&table, "%.3g, %.3g, %.3g", (double)p->gravityDir.x + 0.0, (double)p->gravityDir.y + 0.0,
                (double)p->gravityDir.z + 0.0); // no -0
        AddCell(&table, "%.4g", (double)p->dragForce);
        switch (info.limit.kind)
        {
        case TD_SPRING_LIMIT_NONE:
            AddCell(&table, "%s", "");
            break;
        case TD_SPRING_LIMIT_CONE:
        case TD_SPRING_LIMIT_HINGE:
            AddCell(&table, "%s %.4g", tdSpringLimitKind_GetName(info.limit.kind),
                    (double)info.limit.angles[0] * degrees);
            break;
        case TD_SPRING_LIMIT_SPHERICAL:
            AddCell(&table, "spherical %.4g, %.4g", (double)info.limit.angles[0] * degrees,
                    (double)info.limit.angles[1] * degrees);
            break;
        }
        AddCell(&table, "%s", info.isInert ? "none, stays at rest" : info.tailNode < 0 ? "virtual" : "");
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintSpringColliders(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "node", "spring collider", ">radius", "at", "to"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Spring colliders");
    Table table = StartTable(headings, 6);
    for (int i = 0; i < count; ++i)
    {
        tdSpringColliderInfo info = tdDescribeSpringCollider(asset, i);
        bool isCapsule = info.shape == TD_SPRING_CAPSULE || info.shape == TD_SPRING_INSIDE_CAPSULE;
        tdVec3 end = isCapsule ? info.tail : info.normal;
        AddCell(&table, "%d", i);
        AddName(&table, tdAsset_GetNodeName(asset, info.node));
        AddCell(&table, "%s", tdSpringShape_GetName(info.shape));
        AddCell(&table, "%.4g", (double)info.radius);
        AddCell(&table, "%.4g, %.4g, %.4g", (double)info.offset.x, (double)info.offset.y,
                (double)info.offset.z);
        if (isCapsule || info.shape == TD_SPRING_PLANE)
        {
            AddCell(&table, "%s%.4g, %.4g, %.4g", isCapsule ? "" : "normal ", (double)end.x, (double)end.y,
                    (double)end.z);
        }
        else
        {
            AddCell(&table, "%s", "");
        }
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintColliderGroups(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "collider group", "colliders"};
    if (count == 0)
    {
        return;
    }
    PrintTitle(session, "Groups of spring colliders");
    Table table = StartTable(headings, 3);
    for (int i = 0; i < count; ++i)
    {
        tdSpringColliderGroupInfo info = tdDescribeSpringColliderGroup(asset, i);
        AddCell(&table, "%d", i);
        AddName(&table, GetSpringName(info.name));
        AddIndices(&table, info.colliders, info.colliderCount);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

void PrintSprings(const Session* session, const tdAsset* asset)
{
    int count = tdAsset_GetSpringCount(asset);
    if (count > 0)
    {
        PrintSpringTable(session, asset, count);
        PrintSpringJoints(session, asset, tdAsset_GetSpringJointCount(asset));
    }
    PrintSpringColliders(session, asset, tdAsset_GetSpringColliderCount(asset));
    PrintColliderGroups(session, asset, tdAsset_GetSpringColliderGroupCount(asset));
}

// JSON

static void PrintIndexList(FILE* out, const char* name, const int* indices, int count)
{
    fprintf(out, ",\"%s\":[", name);
    for (int i = 0; i < count; ++i)
    {
        fprintf(out, "%s%d", i > 0 ? "," : "", indices[i]);
    }
    fputc(']', out);
}

static void PrintJsonNumber(FILE* out, const char* name, float value)
{
    fprintf(out, ",\"%s\":", name);
    PrintJsonFloat(out, value);
}

static void PrintVectorJson(FILE* out, const char* name, tdVec3 v)
{
    const float values[] = {v.x, v.y, v.z};
    fprintf(out, ",\"%s\":[", name);
    for (int i = 0; i < 3; ++i)
    {
        fputs(i > 0 ? "," : "", out);
        PrintJsonFloat(out, values[i]);
    }
    fputc(']', out);
}

static void PrintSpringJointJson(FILE* out, const tdAsset* asset, int joint)
{
    tdSpringJointInfo info = tdDescribeSpringJoint(asset, joint);
    fprintf(out, "{\"node\":%d,\"tailNode\":%d,\"isInert\":%s", info.node, info.tailNode,
            info.isInert ? "true" : "false");
    PrintVectorJson(out, "tail", info.tail);
    PrintJsonNumber(out, "hitRadius", info.parameters.hitRadius);
    PrintJsonNumber(out, "stiffness", info.parameters.stiffness);
    PrintJsonNumber(out, "gravityPower", info.parameters.gravityPower);
    PrintVectorJson(out, "gravityDir", info.parameters.gravityDir);
    PrintJsonNumber(out, "dragForce", info.parameters.dragForce);
    fprintf(out, ",\"limit\":");
    if (info.limit.kind == TD_SPRING_LIMIT_NONE)
    {
        fprintf(out, "null}");
        return;
    }
    bool hasTwo = info.limit.kind == TD_SPRING_LIMIT_SPHERICAL;
    fprintf(out, "{\"kind\":\"%s\",\"angles\":[", tdSpringLimitKind_GetName(info.limit.kind));
    PrintJsonFloat(out, info.limit.angles[0]);
    fputs(hasTwo ? "," : "", out);
    if (hasTwo)
    {
        PrintJsonFloat(out, info.limit.angles[1]);
    }
    fprintf(out, "]}}");
}

static void PrintSpringJson(FILE* out, const tdAsset* asset, int spring)
{
    tdSpringInfo info = tdDescribeSpring(asset, spring);
    fprintf(out, "{\"name\":");
    PrintJsonText(out, info.name);
    fprintf(out, ",\"center\":%d", info.center);
    PrintIndexList(out, "colliderGroups", info.colliderGroups, info.colliderGroupCount);
    fprintf(out, ",\"joints\":[");
    for (int i = 0; i < info.jointCount; ++i)
    {
        fputs(i > 0 ? "," : "", out);
        PrintSpringJointJson(out, asset, info.firstJoint + i);
    }
    fprintf(out, "]}");
}

static void PrintSpringColliderJson(FILE* out, const tdAsset* asset, int collider)
{
    tdSpringColliderInfo info = tdDescribeSpringCollider(asset, collider);
    fprintf(out, "{\"node\":%d,\"shape\":\"%s\"", info.node, tdSpringShape_GetName(info.shape));
    PrintJsonNumber(out, "radius", info.radius);
    PrintVectorJson(out, "offset", info.offset);
    if (info.shape == TD_SPRING_CAPSULE || info.shape == TD_SPRING_INSIDE_CAPSULE)
    {
        PrintVectorJson(out, "tail", info.tail);
    }
    else if (info.shape == TD_SPRING_PLANE)
    {
        PrintVectorJson(out, "normal", info.normal);
    }
    fputc('}', out);
}

static void PrintColliderGroupJson(FILE* out, const tdAsset* asset, int group)
{
    tdSpringColliderGroupInfo info = tdDescribeSpringColliderGroup(asset, group);
    fprintf(out, "{\"name\":");
    PrintJsonText(out, info.name);
    PrintIndexList(out, "colliders", info.colliders, info.colliderCount);
    fputc('}', out);
}

void PrintSpringsJson(FILE* out, const tdAsset* asset)
{
    const struct
    {
        const char* name;
        int count;
        void (*print)(FILE*, const tdAsset*, int);
    } lists[] = {
        {"springs", tdAsset_GetSpringCount(asset), PrintSpringJson},
        {"springColliders", tdAsset_GetSpringColliderCount(asset), PrintSpringColliderJson},
        {"springColliderGroups", tdAsset_GetSpringColliderGroupCount(asset), PrintColliderGroupJson},
    };
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; ++k)
    {
        fprintf(out, ",\"%s\":[", lists[k].name);
        for (int i = 0; i < lists[k].count; ++i)
        {
            fputs(i > 0 ? "," : "", out);
            lists[k].print(out, asset, i);
        }
        fputc(']', out);
    }
}
