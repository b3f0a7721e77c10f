// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The physics tables of tendon inspect: bodies, colliders, joints, materials, collision filters.
#include "inspect.h"
#include "memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// With more nodes than this, names are not checked for duplicates and all are shown with their index.
#define MAX_COMPARED 2000

static bool IsNameUnique(const tdAsset* asset, int node, const char* name)
{
    int count = tdAsset_GetNodeCount(asset);
    for (int i = 0; i < count && count <= MAX_COMPARED; ++i)
    {
        if (i != node && strcmp(tdAsset_GetNodeName(asset, i), name) == 0)
        {
            return false;
        }
    }
    return count <= MAX_COMPARED;
}

// "Door", or "#7 Door" where several nodes have that name.
static const char* NameNode(char text[64], const tdAsset* asset, int node)
{
    const char* name = node >= 0 ? tdAsset_GetNodeName(asset, node) : NULL;
    char clean[48];
    CleanText(clean, sizeof clean, name != NULL ? name : "", 40);
    if (name == NULL)
    {
        snprintf(text, 64, "(none)");
    }
    else if (name[0] != '\0' && IsNameUnique(asset, node, name))
    {
        snprintf(text, 64, "%s", clean);
    }
    else
    {
        snprintf(text, 64, name[0] != '\0' ? "#%d %s" : "#%d%s", node, clean);
    }
    return text;
}

static void AddNode(Table* table, const tdAsset* asset, int node)
{
    char text[64];
    AddName(table, NameNode(text, asset, node));
}

// Printed once above the tables when all objects share the dialect.
static void AddDialect(Table* table, bool hasOne, const char* dialect)
{
    AddCell(table, "%s", hasOne ? "" : dialect);
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

// The dialect of all physics in the file; NULL when there are several.
static const char* FindDialect(const tdAsset* asset)
{
    tdAssetInfo info = tdDescribeAsset(asset);
    const int counts[] = {info.bodyCount, info.colliderCount, info.jointCount, info.physicsMaterialCount,
                          info.filterCount};
    const char* first = NULL;
    for (int kind = 0; kind < 5; ++kind)
    {
        for (int i = 0; i < counts[kind]; ++i)
        {
            const char* dialect = kind == 0   ? tdDescribeBody(asset, i).dialect
                                  : kind == 1 ? tdDescribeCollider(asset, i).dialect
                                  : kind == 2 ? tdDescribeJoint(asset, i).dialect
                                  : kind == 3 ? tdDescribeMaterial(asset, i).dialect
                                              : tdDescribeFilter(asset, i).dialect;
            first = first == NULL ? dialect : first;
            if (strcmp(first, dialect) != 0)
            {
                return NULL;
            }
        }
    }
    return first;
}

// A text builder of fixed size; text beyond it is cut off.
typedef struct Phrase
{
    char* text;
    size_t size, length;
} Phrase;

static Phrase StartPhrase(char* text, size_t size)
{
    text[0] = '\0';
    return (Phrase){text, size, 0};
}

static void Say(Phrase* phrase, const char* format, ...) CHECK_FORMAT(2, 3);

static void Say(Phrase* phrase, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(phrase->text + phrase->length, phrase->size - phrase->length, format, arguments);
    va_end(arguments);
    phrase->length += length > 0 ? (size_t)length : 0;
    phrase->length = phrase->length < phrase->size ? phrase->length : phrase->size - 1;
}

// "box ×2, hull": the shapes of a body.
static void SayShapes(Phrase* phrase, const tdAsset* asset, const int* colliders, int count)
{
    for (int k = TD_SHAPE_SPHERE; k <= TD_SHAPE_MESH; ++k)
    {
        int found = 0;
        for (int i = 0; i < count; ++i)
        {
            tdColliderInfo info = tdDescribeCollider(asset, colliders[i]);
            found += !info.isTrigger && (int)info.shape == k ? 1 : 0;
        }
        const char* before = phrase->length > 0 ? ", " : "";
        if (found == 1)
        {
            Say(phrase, "%s%s", before, tdShapeKind_GetName((tdShapeKind)k));
        }
        else if (found > 1)
        {
            Say(phrase, "%s%s ×%d", before, tdShapeKind_GetName((tdShapeKind)k), found);
        }
    }
}

static void SayMoments(Phrase* phrase, const tdBodyInfo* info)
{
    const float moments[] = {info->inertiaDiagonal.x, info->inertiaDiagonal.y, info->inertiaDiagonal.z};
    bool areEqual = moments[0] == moments[1] && moments[1] == moments[2];
    for (int i = 0; i < (areEqual ? 1 : 3); ++i)
    {
        Say(phrase, i > 0 ? " " : "%s", "");
        Say(phrase, isinf(moments[i]) ? "∞" : "%.3g", (double)moments[i]);
    }
}

// Colliders by body: those of body b are items[starts[b]] to items[starts[b + 1] - 1]. NULL: no memory.
static int* SortColliders(const tdAsset* asset, int bodyCount, int colliderCount, int** items)
{
    int* starts = AllocateZeroed((size_t)bodyCount + 2, sizeof(int));
    *items = AllocateZeroed((size_t)colliderCount + 1, sizeof(int));
    for (int i = 0; starts != NULL && *items != NULL && i < colliderCount; ++i)
    {
        starts[tdDescribeCollider(asset, i).body + 2] += 1; // static ones count at 1
    }
    for (int b = 0; starts != NULL && b <= bodyCount; ++b)
    {
        starts[b + 1] += starts[b];
    }
    for (int i = 0; starts != NULL && *items != NULL && i < colliderCount; ++i)
    {
        (*items)[starts[tdDescribeCollider(asset, i).body + 1]++] = i;
    }
    return starts; // ends of the previous groups, which are the starts of the bodies
}

static void PrintBodies(const Session* session, const tdAsset* asset, int count, bool hasOne)
{
    static const char* const headings[] = {">#",   "body of node",   "motion", ">mass, kg",
                                           "from", "moments, kg m²", "shapes", "dialect"};
    static const char* const motions[] = {"static", "kinematic", "dynamic"};
    PrintTitle(session, "Bodies");
    Table table = StartTable(headings, 8);
    int* items;
    int* starts = SortColliders(asset, count, tdDescribeAsset(asset).colliderCount, &items);
    for (int i = 0; i < count; ++i)
    {
        tdBodyInfo info = tdDescribeBody(asset, i);
        char moments[64], shapes[96];
        Phrase phrase = StartPhrase(moments, sizeof moments);
        AddCell(&table, "%d", i);
        AddNode(&table, asset, info.node);
        AddCell(&table, "%s", motions[info.motion]);
        bool isMovable = info.motion == TD_MOTION_DYNAMIC;
        if (isMovable && !isinf(info.mass))
        {
            AddCell(&table, "%.4g", (double)info.mass);
            AddCell(&table, "%s", info.hasMass ? "file" : "shapes");
        }
        else
        {
            AddCell(&table, "∞");
            AddCell(&table, "%s", "");
        }
        if (isMovable)
        {
            SayMoments(&phrase, &info);
        }
        AddCell(&table, "%s", isMovable ? moments : "∞");
        phrase = StartPhrase(shapes, sizeof shapes);
        if (starts != NULL && items != NULL)
        {
            SayShapes(&phrase, asset, items + starts[i], starts[i + 1] - starts[i]);
        }
        AddCell(&table, "%s", shapes);
        AddDialect(&table, hasOne, info.dialect);
    }
    free(starts);
    free(items);
    FinishTable(&table, &session->out, GetRowLimit(session));
}

// "box 1 × 2 × 1", "capsule 0.5 long, radius 0.25"
static void SayForm(Phrase* phrase, const tdColliderInfo* info)
{
    const double a = (double)info->size[0], b = (double)info->size[1], c = (double)info->size[2];
    Say(phrase, "%s", tdShapeKind_GetName(info->shape));
    if (info->shape == TD_SHAPE_SPHERE)
    {
        Say(phrase, ", radius %.3g", a);
    }
    else if (info->shape == TD_SHAPE_BOX)
    {
        Say(phrase, " %.3g × %.3g × %.3g", a, b, c);
    }
    else if (info->shape == TD_SHAPE_CAPSULE || info->shape == TD_SHAPE_CYLINDER)
    {
        Say(phrase, b == c ? " %.3g long, radius %.3g" : " %.3g long, radii %.3g and %.3g", a, b, c);
    }
    else if (info->shape == TD_SHAPE_PLANE && (isfinite(a) || isfinite(b)))
    {
        Say(phrase, isfinite(a) ? " %.3g" : " ∞", a);
        Say(phrase, isfinite(b) ? " × %.3g" : " × ∞", b);
    }
    else if (info->elementCount > 0)
    {
        Say(phrase, info->shape == TD_SHAPE_HULL ? " of %d points" : " of %d triangles", info->elementCount);
    }
    Say(phrase, "%s", info->isStretched ? ", stretched" : "");
}

static void AddOwner(Table* table, const tdAsset* asset, int body)
{
    if (body >= 0)
    {
        AddNode(table, asset, tdDescribeBody(asset, body).node);
    }
    else
    {
        AddCell(table, "static");
    }
}

// Colliders or triggers. Both share one numbering.
static void PrintShapes(const Session* session, const tdAsset* asset, int count, bool hasOne, bool isTrigger)
{
    static const char* const headings[2][7] = {
        {">#", "collider of node", "shape", "belongs to", ">material", ">filter", "dialect"},
        {">#", "trigger of node", "shape", "belongs to", "", ">filter", "dialect"}};
    Table table = StartTable(headings[isTrigger ? 1 : 0], 7);
    for (int i = 0; i < count; ++i)
    {
        tdColliderInfo info = tdDescribeCollider(asset, i);
        if (info.isTrigger != isTrigger)
        {
            continue;
        }
        char form[96];
        Phrase phrase = StartPhrase(form, sizeof form);
        SayForm(&phrase, &info);
        AddCell(&table, "%d", i);
        AddNode(&table, asset, info.node);
        AddCell(&table, "%s", form);
        AddOwner(&table, asset, info.body);
        AddIndex(&table, info.material);
        AddIndex(&table, info.filter);
        AddDialect(&table, hasOne, info.dialect);
    }
    for (int i = 0; isTrigger && i < tdDescribeAsset(asset).compoundTriggerCount; ++i)
    {
        tdCompoundTriggerInfo info = tdDescribeCompoundTrigger(asset, i);
        char parts[128];
        Phrase phrase = StartPhrase(parts, sizeof parts);
        Say(&phrase, "unites %d:", info.partCount);
        for (int k = 0; k < info.partCount && k < 8; ++k)
        {
            Say(&phrase, "%s %d", k > 0 ? "," : "", tdDescribeTriggerPart(asset, i, k));
        }
        Say(&phrase, "%s", info.partCount > 8 ? ", …" : "");
        AddCell(&table, "%s", "");
        AddNode(&table, asset, info.node);
        AddCell(&table, "%s", parts);
        for (int k = 0; k < 4; ++k)
        {
            AddCell(&table, "%s", "");
        }
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintColliders(const Session* session, const tdAsset* asset, int count, bool hasOne)
{
    int triggers = 0;
    for (int i = 0; i < count; ++i)
    {
        triggers += tdDescribeCollider(asset, i).isTrigger ? 1 : 0;
    }
    if (triggers < count)
    {
        PrintTitle(session, "Colliders");
        PrintShapes(session, asset, count, hasOne, false);
    }
    if (triggers > 0)
    {
        PrintTitle(session, "Triggers");
        PrintShapes(session, asset, count, hasOne, true);
    }
}

static const double degrees = 57.29577951308232;

// "-45° to 45°", "up to 2 m", "0"
static void SayRange(Phrase* phrase, double min, double max, bool isAngle)
{
    double unit = isAngle ? degrees : 1.0;
    const char* name = isAngle ? "°" : " m";
    if (isfinite(min) && isfinite(max) && min == max)
    {
        Say(phrase, min == 0.0 ? "0" : "%.3g%s", min * unit, name);
    }
    else if (isfinite(min) && isfinite(max))
    {
        Say(phrase, "%.3g to %.3g%s", min * unit, max * unit, name);
    }
    else if (isfinite(max))
    {
        Say(phrase, "up to %.3g%s", max * unit, name);
    }
    else
    {
        Say(phrase, "from %.3g%s", min * unit, name);
    }
}

// "slides XYZ 0; turns X -45 to 45°": all limits, for joints of no common type.
static void SayLimits(Phrase* phrase, const tdJointInfo* info)
{
    const char* before = ": ";
    for (int i = 0; i < info->limitCount; ++i)
    {
        const tdJointLimit* limit = &info->limits[i];
        bool isAngle = limit->angularAxes != 0;
        unsigned axes = isAngle ? limit->angularAxes : limit->linearAxes;
        if (!isfinite(limit->min) && !isfinite(limit->max))
        {
            continue;
        }
        Say(phrase, "%s%s ", before, isAngle ? "turns" : "slides");
        before = "; ";
        for (int axis = 0; axis < 3; ++axis)
        {
            if ((axes & (1u << axis)) != 0)
            {
                Say(phrase, "%c", 'X' + axis);
            }
        }
        Say(phrase, " ");
        SayRange(phrase, (double)limit->min, (double)limit->max, isAngle);
    }
}

// "hinge about Y, -45 to 45°"
static void SayJoint(Phrase* phrase, const tdJointInfo* info)
{
    tdJointClass kind = tdClassifyJoint(info->limits, info->limitCount);
    Say(phrase, "%s", tdJointType_GetName(kind.type));
    if (kind.axis >= 0)
    {
        const char* word = kind.type == TD_JOINT_SLIDER   ? "along"
                           : kind.type == TD_JOINT_PLANAR ? "normal"
                                                          : "about";
        Say(phrase, " %s %c", word, 'X' + kind.axis);
    }
    bool slides =
        kind.type == TD_JOINT_SLIDER || kind.type == TD_JOINT_CYLINDRICAL || kind.type == TD_JOINT_DISTANCE;
    bool turns = kind.type == TD_JOINT_HINGE || kind.type == TD_JOINT_CYLINDRICAL;
    if (slides && (isfinite(kind.linearMin) || isfinite(kind.linearMax)))
    {
        Say(phrase, ", ");
        SayRange(phrase, (double)kind.linearMin, (double)kind.linearMax, false);
    }
    if (turns && (isfinite(kind.angularMin) || isfinite(kind.angularMax)))
    {
        Say(phrase, ", ");
        SayRange(phrase, (double)kind.angularMin, (double)kind.angularMax, true);
    }
    if (kind.type == TD_JOINT_GENERIC)
    {
        SayLimits(phrase, info);
    }
    bool isSpring = false;
    for (int i = 0; i < info->limitCount && (slides || turns); ++i)
    {
        // One axis with a spring, such as a door closer.
        const tdJointLimit* limit = &info->limits[i];
        bool isAngle = limit->angularAxes != 0;
        unsigned axes = isAngle ? limit->angularAxes : limit->linearAxes;
        if (limit->stiffness < INFINITY && kind.axis >= 0 && axes == 1u << kind.axis)
        {
            Say(phrase, ", spring of %.3g%s", (double)limit->stiffness, isAngle ? " N m/rad" : " N/m");
            isSpring = true;
        }
    }
    Say(phrase, "%s", kind.isSoft && !isSpring ? ", soft" : "");
}

// "turns X at 90°/s; slides Y to 0.5 m"
static void SayDrives(Phrase* phrase, const tdJointInfo* info)
{
    for (int i = 0; i < info->driveCount; ++i)
    {
        const tdJointDrive* drive = &info->drives[i];
        bool isAngle = drive->type == TD_DRIVE_ANGULAR;
        double unit = isAngle ? degrees : 1.0;
        const char* name = isAngle ? "°" : " m";
        char axis = drive->axis == TD_AXIS_X ? 'X' : drive->axis == TD_AXIS_Y ? 'Y' : 'Z';
        Say(phrase, "%s%s %c", i > 0 ? "; " : "", isAngle ? "turns" : "slides", axis);
        if (drive->stiffness > 0.0f)
        {
            Say(phrase, " to %.3g%s", (double)drive->positionTarget * unit, name);
        }
        if (drive->damping > 0.0f && (drive->velocityTarget != 0.0f || !(drive->stiffness > 0.0f)))
        {
            Say(phrase, " at %.3g%s/s", (double)drive->velocityTarget * unit, name);
        }
    }
}

static void PrintJoints(const Session* session, const tdAsset* asset, int count, bool hasOne)
{
    static const char* const headings[] = {">#",     "joint node", "connected node", "kind",
                                           "driven", "between",    "dialect"};
    PrintTitle(session, "Joints");
    Table table = StartTable(headings, 7);
    for (int i = 0; i < count; ++i)
    {
        tdJointInfo info = tdDescribeJoint(asset, i);
        char kind[192], drives[128], sides[2][32];
        Phrase phrase = StartPhrase(kind, sizeof kind);
        SayJoint(&phrase, &info);
        phrase = StartPhrase(drives, sizeof drives);
        SayDrives(&phrase, &info);
        for (int side = 0; side < 2; ++side)
        {
            int body = side == 0 ? info.bodyA : info.bodyB;
            char name[64];
            CleanText(sides[side], sizeof sides[side],
                      body >= 0 ? NameNode(name, asset, tdDescribeBody(asset, body).node) : "the world", 20);
        }
        AddCell(&table, "%d", i);
        AddNode(&table, asset, info.node);
        if (info.connectedNode >= 0)
        {
            AddNode(&table, asset, info.connectedNode);
        }
        else
        {
            AddName(&table, "(the world)");
        }
        AddCell(&table, "%s", kind);
        AddCell(&table, "%s", drives);
        AddCell(&table, "%s and %s%s", sides[0], sides[1], info.enableCollision ? ", collide" : "");
        AddDialect(&table, hasOne, info.dialect);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

static void PrintMaterials(const Session* session, const tdAsset* asset, int count, bool hasOne)
{
    static const char* const headings[] = {">#",           ">static friction", ">dynamic friction",
                                           ">restitution", "combine",          "dialect"};
    static const char* const combines[] = {"", "average", "minimum", "maximum", "multiply"};
    PrintTitle(session, "Physics materials");
    Table table = StartTable(headings, 6);
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
        AddDialect(&table, hasOne, info.dialect);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

// "in floor; meets only red": the lists of a filter.
static void SayFilter(Phrase* phrase, const tdAsset* asset, int filter)
{
    static const char* const words[] = {"in", "meets only", "never meets"};
    tdFilterInfo info = tdDescribeFilter(asset, filter);
    const int counts[] = {info.systemCount, info.collideWithCount, info.notCollideWithCount};
    for (int list = 0; list < 3; ++list)
    {
        for (int i = 0; i < counts[list]; ++i)
        {
            char name[40];
            CleanText(name, sizeof name, tdDescribeFilterSystem(asset, filter, (tdFilterList)list, i), 24);
            const char* before = i > 0 ? ", " : phrase->length > 0 ? "; " : "";
            Say(phrase, "%s%s%s%s", before, i == 0 ? words[list] : "", i == 0 ? " " : "", name);
        }
    }
    Say(phrase, phrase->length == 0 ? "in no system" : "%s", "");
}

#define MAX_MATRIX 16

// One column per filter if the screen is wide enough, else lists of filter indices. A list ends with "…"
// where the cell is full or MAX_PARTNERS are compared: all pairs of many filters would take too long.
static void SayPartners(Phrase* phrase, const tdAsset* asset, int count, int filter)
{
    bool isMatrix = count <= MAX_MATRIX;
    for (int j = -1; j < count; ++j)
    {
        if (!isMatrix && (j >= MAX_PARTNERS || phrase->length + 24 > phrase->size))
        {
            Say(phrase, phrase->length > 0 ? ", …" : "…");
            return;
        }
        bool meets = tdAsset_DoFiltersCollide(asset, filter, j);
        if (isMatrix)
        {
            Say(phrase, "%s%s", j < 0 ? "    " : "  ", meets ? "●" : "·");
        }
        else if (meets)
        {
            Say(phrase, phrase->length > 0 ? ", %d" : j < 0 ? "none" : "%d", j);
        }
    }
}

static void PrintFilters(const Session* session, const tdAsset* asset, int count, bool hasOne)
{
    char partners[256];
    const char* headings[] = {">#", "filter", partners, "dialect"};
    Phrase phrase = StartPhrase(partners, sizeof partners);
    Say(&phrase, "collides with: none"); // colliders without a filter
    if (count <= MAX_MATRIX)
    {
        phrase = StartPhrase(partners, sizeof partners);
        Say(&phrase, " none");
        for (int j = 0; j < count; ++j)
        {
            Say(&phrase, "%3d", j);
        }
    }
    PrintTitle(session, "Collision filters (none: no filter)");
    Table table = StartTable(headings, 4);
    for (int i = 0; i < count; ++i)
    {
        char systems[256];
        phrase = StartPhrase(systems, sizeof systems);
        SayFilter(&phrase, asset, i);
        AddCell(&table, "%d", i);
        AddCell(&table, "%s", systems);
        phrase = StartPhrase(partners, sizeof partners);
        SayPartners(&phrase, asset, count, i);
        AddCell(&table, "%s", partners);
        AddDialect(&table, hasOne, tdDescribeFilter(asset, i).dialect);
    }
    FinishTable(&table, &session->out, GetRowLimit(session));
}

void PrintPhysics(const Session* session, const tdAsset* asset, const tdAssetInfo* info)
{
    const struct
    {
        void (*print)(const Session* session, const tdAsset* asset, int count, bool hasOne);
        int count;
    } tables[] = {
        {PrintBodies, info->bodyCount},    {PrintColliders, info->colliderCount},
        {PrintJoints, info->jointCount},   {PrintMaterials, info->physicsMaterialCount},
        {PrintFilters, info->filterCount},
    };
    const char* dialect = FindDialect(asset);
    if (dialect != NULL)
    {
        PrintPainted(&session->out, PAINT_NONE, "\nAll physics is written in the dialect \"%s\".\n", dialect);
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
    {
        if (tables[i].count > 0)
        {
            tables[i].print(session, asset, tables[i].count, dialect != NULL);
        }
    }
}
