// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The physics tables of tendon inspect: bodies, colliders, joints in words, materials, who collides with
// whom.
#include "inspect.h"

#include <math.h>

static const char* NameNode(const tdAsset* asset, int node)
{
    const char* name = node >= 0 ? tdAsset_GetNodeName(asset, node) : NULL;
    return name == NULL ? "(none)" : name[0] != '\0' ? name : "(no name)";
}

static void AddIndex(Table* table, int index)
{
    if (index >= 0)
    {
        AddCell(table, "%d", index);
    }
    else
    {
        AddCell(table, "%s", "");
    }
}

static void PrintBodies(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#",   "body of node", "motion", ">mass, kg",
                                           "from", ">colliders",   "dialect"};
    static const char* const motions[] = {"static", "kinematic", "dynamic"};
    PrintTitle(session, "Bodies");
    Table table = StartTable(headings, 7);
    for (int i = 0; i < count; ++i)
    {
        tdBodyInfo info = tdDescribeBody(asset, i);
        AddCell(&table, "%d", i);
        AddName(&table, NameNode(asset, info.node));
        AddCell(&table, "%s", motions[info.motion]);
        if (info.motion == TD_MOTION_DYNAMIC && !isinf(info.mass))
        {
            AddCell(&table, "%.4g", (double)info.mass);
            AddCell(&table, "%s", info.hasMass ? "file" : "shapes");
        }
        else
        {
            AddCell(&table, "∞");
            AddCell(&table, "%s", "");
        }
        AddCell(&table, "%d", info.colliderCount);
        AddCell(&table, "%s", info.dialect);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintColliders(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#",        "collider of node", "shape", "belongs to",
                                           ">material", ">filter",          ""};
    PrintTitle(session, "Colliders");
    Table table = StartTable(headings, 7);
    for (int i = 0; i < count; ++i)
    {
        tdColliderInfo info = tdDescribeCollider(asset, i);
        AddCell(&table, "%d", i);
        AddName(&table, NameNode(asset, info.node));
        AddCell(&table, "%s", info.shape);
        if (info.body >= 0)
        {
            AddCell(&table, "body %d", info.body);
        }
        else
        {
            AddCell(&table, "static");
        }
        AddIndex(&table, info.material);
        AddIndex(&table, info.filter);
        AddCell(&table, "%s", info.isTrigger ? "trigger" : "");
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

// "hinge about Y, -45° to 45°"
static void DescribeJoint(char* text, size_t size, const tdJointInfo* info)
{
    const double degrees = 57.29577951308232;
    tdJointClass kind = tdClassifyJoint(info->limits, info->limitCount);
    int length = snprintf(text, size, "%s", tdJointType_GetName(kind.type));
    if (kind.axis >= 0)
    {
        const char* word = kind.type == TD_JOINT_SLIDER   ? "along"
                           : kind.type == TD_JOINT_PLANAR ? "normal"
                                                          : "about";
        length += snprintf(text + length, size - (size_t)length, " %s %c", word, 'X' + kind.axis);
    }
    bool slides =
        kind.type == TD_JOINT_SLIDER || kind.type == TD_JOINT_CYLINDRICAL || kind.type == TD_JOINT_DISTANCE;
    bool turns = kind.type == TD_JOINT_HINGE || kind.type == TD_JOINT_CYLINDRICAL;
    if (slides && (isfinite(kind.linearMin) || isfinite(kind.linearMax)))
    {
        length += snprintf(text + length, size - (size_t)length, ", %.3g to %.3g m", (double)kind.linearMin,
                           (double)kind.linearMax);
    }
    if (turns && (isfinite(kind.angularMin) || isfinite(kind.angularMax)))
    {
        length += snprintf(text + length, size - (size_t)length, ", %.3g° to %.3g°",
                           (double)kind.angularMin * degrees, (double)kind.angularMax * degrees);
    }
    snprintf(text + length, size - (size_t)length, "%s", kind.isSoft ? ", soft" : "");
}

static void PrintJoints(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "joint node", "connected node", "kind", ">drives", "bodies"};
    PrintTitle(session, "Joints");
    Table table = StartTable(headings, 6);
    for (int i = 0; i < count; ++i)
    {
        tdJointInfo info = tdDescribeJoint(asset, i);
        char kind[128], bodies[2][16];
        DescribeJoint(kind, sizeof kind, &info);
        for (int side = 0; side < 2; ++side)
        {
            int body = side == 0 ? info.bodyA : info.bodyB;
            snprintf(bodies[side], sizeof bodies[side], body >= 0 ? "%d" : "world", body);
        }
        AddCell(&table, "%d", i);
        AddName(&table, NameNode(asset, info.node));
        AddName(&table, info.connectedNode >= 0 ? NameNode(asset, info.connectedNode) : "(the world)");
        AddCell(&table, "%s", kind);
        AddCell(&table, "%d", info.driveCount);
        AddCell(&table, "%s and %s%s", bodies[0], bodies[1], info.enableCollision ? ", collide" : "");
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintMaterials(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", ">static friction", ">dynamic friction", ">restitution",
                                           "combine"};
    static const char* const combines[] = {"", "average", "minimum", "maximum", "multiply"};
    PrintTitle(session, "Physics materials");
    Table table = StartTable(headings, 5);
    for (int i = 0; i < count; ++i)
    {
        tdMaterialInfo info = tdDescribeMaterial(asset, i);
        const char* friction = combines[info.frictionCombine];
        const char* restitution = combines[info.restitutionCombine];
        AddCell(&table, "%d", i);
        AddCell(&table, "%.4g", (double)info.staticFriction);
        AddCell(&table, "%.4g", (double)info.dynamicFriction);
        AddCell(&table, "%.4g", (double)info.restitution);
        AddCell(&table, "%s%s%s%s%s", friction[0] != '\0' ? "friction " : "", friction,
                friction[0] != '\0' && restitution[0] != '\0' ? ", " : "",
                restitution[0] != '\0' ? "restitution " : "", restitution);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

// "in floor; meets red", the three lists of a filter.
static void DescribeFilter(char* text, size_t size, const tdAsset* asset, int filter)
{
    static const char* const words[] = {"in", "meets only", "never meets"};
    tdFilterInfo info = tdDescribeFilter(asset, filter);
    const int counts[] = {info.systemCount, info.collideWithCount, info.notCollideWithCount};
    size_t length = 0;
    text[0] = '\0';
    for (int list = 0; list < 3; ++list)
    {
        for (int i = 0; i < counts[list] && length < size; ++i)
        {
            const char* before = i > 0 ? ", " : length > 0 ? "; " : "";
            length += (size_t)snprintf(text + length, size - length, "%s%s%s%s", before,
                                       i == 0 ? words[list] : "", i == 0 ? " " : "",
                                       tdDescribeFilterSystem(asset, filter, (tdFilterList)list, i));
        }
    }
}

// A column per filter would not fit the screen for many: numbers of the filters that are met instead.
static void PrintFilters(const Session* session, const tdAsset* asset, int count)
{
    static const char* const headings[] = {">#", "filter", "collides with", "does not collide with"};
    PrintTitle(session, "Who collides with whom");
    Table table = StartTable(headings, 4);
    for (int i = 0; i < count; ++i)
    {
        char systems[256], lists[2][256] = {"", ""};
        size_t lengths[2] = {0, 0};
        DescribeFilter(systems, sizeof systems, asset, i);
        for (int j = -1; j < count; ++j)
        {
            int list = tdAsset_DoFiltersCollide(asset, i, j) ? 0 : 1;
            if (lengths[list] < sizeof lists[0] - 16)
            {
                lengths[list] +=
                    (size_t)snprintf(lists[list] + lengths[list], sizeof lists[0] - lengths[list],
                                     j < 0               ? "unfiltered"
                                     : lengths[list] > 0 ? ", %d"
                                                         : "%d",
                                     j);
            }
        }
        AddCell(&table, "%d", i);
        AddName(&table, systems);
        AddCell(&table, "%s", lists[0]);
        AddCell(&table, "%s", lists[1]);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

void PrintPhysics(const Session* session, const tdAsset* asset, const tdAssetInfo* info)
{
    const struct
    {
        void (*print)(const Session* session, const tdAsset* asset, int count);
        int count;
    } tables[] = {
        {PrintBodies, info->bodyCount},    {PrintColliders, info->colliderCount},
        {PrintJoints, info->jointCount},   {PrintMaterials, info->physicsMaterialCount},
        {PrintFilters, info->filterCount},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
    {
        if (tables[i].count > 0)
        {
            tables[i].print(session, asset, tables[i].count);
        }
    }
}
