// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon diff: differences of two files in structure, physics and motion. Nodes are matched by name.
#include "json.h"
#include "memory.h"
#include "player.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOTION_ROWS 20
#define LINE_SIZE 512

typedef enum Section
{
    SECTION_STRUCTURE,
    SECTION_PHYSICS,
    SECTION_COUNT
} Section;

static const char* const sectionNames[SECTION_COUNT] = {"structure", "physics"};

typedef struct Finding
{
    Section section;
    char text[LINE_SIZE];
} Finding;

// Largest difference of a pair of nodes during the run.
typedef struct NodeMotion
{
    int nodeA, nodeB;
    double position, angle;         // m, rad
    double positionTime, angleTime; // s
} NodeMotion;

typedef struct Comparison
{
    const tdAsset *a, *b;
    double tolerance;
    int* matches;            // node of A to node of B; -1: none
    int *bodies, *colliders; // first of each node of B; -1: none
    Finding* findings;
    int findingCount, findingCapacity;
    NodeMotion* motions;
    int motionCount;
    double seconds;
    bool isOutOfMemory;
} Comparison;

static void AddFinding(Comparison* comparison, Section section, const char* format, ...) CHECK_FORMAT(3, 4);

static void AddFinding(Comparison* comparison, Section section, const char* format, ...)
{
    if (comparison->findingCount == comparison->findingCapacity)
    {
        int capacity = 2 * comparison->findingCapacity + 64;
        Finding* findings = ResizeBytes(comparison->findings, sizeof(Finding) * (size_t)capacity);
        if (findings == NULL)
        {
            comparison->isOutOfMemory = true;
            return;
        }
        comparison->findings = findings;
        comparison->findingCapacity = capacity;
    }
    Finding* finding = &comparison->findings[comparison->findingCount++];
    finding->section = section;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text, LINE_SIZE, format, arguments);
    va_end(arguments);
}

// "node 3 "Door"", with a clean and short name.
static const char* NameNode(const tdAsset* asset, int node, char text[LINE_SIZE])
{
    char name[128];
    CleanText(name, sizeof name, tdAsset_GetNodeName(asset, node), 60);
    snprintf(text, LINE_SIZE, name[0] != '\0' ? "node %d \"%s\"" : "node %d%s", node, name);
    return text;
}

// --- matching ---------------------------------------------------------------------------------------------

static bool HasName(const tdAsset* asset, int node, const char* name)
{
    return strcmp(tdAsset_GetNodeName(asset, node), name) == 0;
}

// Matches nodes by name: the same index first, else the first node of that name that is left. Nodes without
// a name match by index.
static bool MatchNodes(Comparison* comparison)
{
    int countA = tdAsset_GetNodeCount(comparison->a), countB = tdAsset_GetNodeCount(comparison->b);
    comparison->matches = AllocateBytes(sizeof(int) * (size_t)(countA + 1));
    bool* isTaken = AllocateZeroed((size_t)countB + 1, sizeof(bool));
    bool isFine = comparison->matches != NULL && isTaken != NULL;
    for (int i = 0; i < countA && isFine; ++i)
    {
        bool isSame = i < countB && HasName(comparison->b, i, tdAsset_GetNodeName(comparison->a, i));
        comparison->matches[i] = isSame ? i : -1;
        isTaken[isSame ? i : countB] = true;
    }
    for (int i = 0; i < countA && isFine; ++i)
    {
        const char* name = tdAsset_GetNodeName(comparison->a, i);
        for (int k = 0; k < countB && comparison->matches[i] < 0 && name[0] != '\0'; ++k)
        {
            if (!isTaken[k] && HasName(comparison->b, k, name))
            {
                comparison->matches[i] = k;
                isTaken[k] = true;
            }
        }
    }
    char text[LINE_SIZE];
    for (int i = 0; i < countA && isFine; ++i)
    {
        if (comparison->matches[i] < 0)
        {
            AddFinding(comparison, SECTION_STRUCTURE, "only in A: %s", NameNode(comparison->a, i, text));
        }
    }
    for (int i = 0; i < countB && isFine; ++i)
    {
        if (!isTaken[i])
        {
            AddFinding(comparison, SECTION_STRUCTURE, "only in B: %s", NameNode(comparison->b, i, text));
        }
    }
    free(isTaken);
    return isFine;
}

// --- structure --------------------------------------------------------------------------------------------

static bool AreFar(const Comparison* comparison, double a, double b)
{
    return !(fabs(a - b) <= comparison->tolerance) && !(a == b);
}

static bool AreFarApart(const Comparison* comparison, tdVec3 a, tdVec3 b)
{
    return AreFar(comparison, (double)a.x, (double)b.x) || AreFar(comparison, (double)a.y, (double)b.y) ||
           AreFar(comparison, (double)a.z, (double)b.z);
}

// q and -q are one rotation.
static bool AreTurned(const Comparison* comparison, tdQuat a, tdQuat b)
{
    tdQuat near = tdDotQuat(a, b) < 0.0f ? tdNegateQuat(b) : b;
    return AreFarApart(comparison, tdQuatVector(a), tdQuatVector(near)) ||
           AreFar(comparison, (double)a.w, (double)near.w);
}

static void CompareCounts(Comparison* comparison)
{
    tdAssetInfo a = tdDescribeAsset(comparison->a), b = tdDescribeAsset(comparison->b);
    const struct
    {
        const char* name;
        long long a, b;
    } counts[] = {
        {"scenes", a.sceneCount, b.sceneCount},
        {"nodes", a.nodeCount, b.nodeCount},
        {"meshes", a.meshCount, b.meshCount},
        {"vertices", a.vertexCount, b.vertexCount},
        {"triangles", a.triangleCount, b.triangleCount},
        {"skins", a.skinCount, b.skinCount},
        {"animations", a.animationCount, b.animationCount},
        {"materials", a.materialCount, b.materialCount},
        {"textures", a.textureCount, b.textureCount},
        {"images", a.imageCount, b.imageCount},
        {"constraints", a.constraintCount, b.constraintCount},
        {"bones", a.boneCount, b.boneCount},
        {"expressions", a.expressionCount, b.expressionCount},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        if (counts[i].a != counts[i].b)
        {
            AddFinding(comparison, SECTION_STRUCTURE, "%s: %lld and %lld", counts[i].name, counts[i].a,
                       counts[i].b);
        }
    }
}

static bool HasExtension(const tdAsset* asset, const char* name)
{
    for (int i = 0; i < tdDescribeAsset(asset).extensionCount; ++i)
    {
        if (strcmp(tdDescribeExtension(asset, i).name, name) == 0)
        {
            return true;
        }
    }
    return false;
}

static void CompareExtensions(Comparison* comparison)
{
    const tdAsset* const assets[2] = {comparison->a, comparison->b};
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < tdDescribeAsset(assets[side]).extensionCount; ++i)
        {
            const char* name = tdDescribeExtension(assets[side], i).name;
            if (!HasExtension(assets[1 - side], name))
            {
                AddFinding(comparison, SECTION_STRUCTURE, "only in %c: extension %.100s", "AB"[side], name);
            }
        }
    }
}

static void CompareAnimations(Comparison* comparison)
{
    int count = tdDescribeAsset(comparison->a).animationCount;
    for (int i = 0; i < count; ++i)
    {
        tdAnimationInfo a = tdDescribeAnimation(comparison->a, i);
        int other = tdAsset_FindAnimation(comparison->b, a.name);
        tdAnimationInfo b = tdDescribeAnimation(comparison->b, a.name[0] != '\0' ? other : i);
        char name[128];
        CleanText(name, sizeof name, a.name, 60);
        if (a.name[0] != '\0' && other < 0)
        {
            AddFinding(comparison, SECTION_STRUCTURE, "only in A: animation %d \"%s\"", i, name);
        }
        else if (AreFar(comparison, (double)a.duration, (double)b.duration) ||
                 a.channelCount != b.channelCount || a.keyCount != b.keyCount)
        {
            AddFinding(comparison, SECTION_STRUCTURE,
                       "animation %d \"%s\": %g s, %d channels, %lld keys and %g s, %d channels, %lld keys",
                       i, name, (double)a.duration, a.channelCount, (long long)a.keyCount, (double)b.duration,
                       b.channelCount, (long long)b.keyCount);
        }
    }
}

static void CompareNodes(Comparison* comparison)
{
    for (int i = 0; i < tdAsset_GetNodeCount(comparison->a); ++i)
    {
        if (comparison->matches[i] < 0)
        {
            continue;
        }
        tdNodeInfo a = tdDescribeNode(comparison->a, i),
                   b = tdDescribeNode(comparison->b, comparison->matches[i]);
        char text[LINE_SIZE];
        NameNode(comparison->a, i, text);
        int parent = a.parent >= 0 ? comparison->matches[a.parent] : -1;
        if (parent != b.parent)
        {
            AddFinding(comparison, SECTION_STRUCTURE, "%.200s: other parent", text);
        }
        if (AreFarApart(comparison, a.local.translation, b.local.translation) ||
            AreTurned(comparison, a.local.rotation, b.local.rotation) ||
            AreFarApart(comparison, a.local.scale, b.local.scale))
        {
            AddFinding(comparison, SECTION_STRUCTURE, "%.200s: other rest pose", text);
        }
        if ((a.mesh >= 0) != (b.mesh >= 0) || (a.skin >= 0) != (b.skin >= 0))
        {
            AddFinding(comparison, SECTION_STRUCTURE, "%.200s: a mesh or skin in one of them only", text);
        }
    }
}

// --- physics ----------------------------------------------------------------------------------------------

// Finds the body and the first collider of every node of B. The colliders of a node are neighbours.
static bool IndexPhysics(Comparison* comparison)
{
    size_t size = sizeof(int) * (size_t)(tdAsset_GetNodeCount(comparison->b) + 1);
    comparison->bodies = AllocateBytes(size);
    comparison->colliders = AllocateBytes(size);
    if (comparison->bodies == NULL || comparison->colliders == NULL)
    {
        return false;
    }
    memset(comparison->bodies, -1, size);
    memset(comparison->colliders, -1, size);
    tdAssetInfo info = tdDescribeAsset(comparison->b);
    for (int i = info.bodyCount - 1; i >= 0; --i)
    {
        comparison->bodies[tdDescribeBody(comparison->b, i).node] = i;
    }
    for (int i = info.colliderCount - 1; i >= 0; --i)
    {
        comparison->colliders[tdDescribeCollider(comparison->b, i).node] = i;
    }
    return true;
}

static void CompareBodies(Comparison* comparison)
{
    int countA = tdDescribeAsset(comparison->a).bodyCount, countB = tdDescribeAsset(comparison->b).bodyCount;
    if (countA != countB)
    {
        AddFinding(comparison, SECTION_PHYSICS, "bodies: %d and %d", countA, countB);
    }
    for (int i = 0; i < countA; ++i)
    {
        tdBodyInfo a = tdDescribeBody(comparison->a, i);
        int node = comparison->matches[a.node];
        int other = node >= 0 ? comparison->bodies[node] : -1;
        char text[LINE_SIZE];
        NameNode(comparison->a, a.node, text);
        if (other < 0)
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: a body in A only", text);
            continue;
        }
        tdBodyInfo b = tdDescribeBody(comparison->b, other);
        if (a.motion != b.motion)
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: other kind of motion", text);
        }
        if (AreFar(comparison, (double)a.mass, (double)b.mass))
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: mass %g kg and %g kg", text, (double)a.mass,
                       (double)b.mass);
        }
        if (AreFarApart(comparison, a.centerOfMass, b.centerOfMass) ||
            AreFarApart(comparison, a.inertiaDiagonal, b.inertiaDiagonal))
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: other centre of mass or inertia", text);
        }
        if (AreFarApart(comparison, a.linearVelocity, b.linearVelocity) ||
            AreFarApart(comparison, a.angularVelocity, b.angularVelocity) ||
            AreFar(comparison, (double)a.gravityFactor, (double)b.gravityFactor))
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: other velocity or gravity factor", text);
        }
        if (a.colliderCount != b.colliderCount)
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: %d and %d colliders", text, a.colliderCount,
                       b.colliderCount);
        }
    }
}

// The n-th collider of a node of B; -1 if there are fewer.
static int FindCollider(const Comparison* comparison, int node, int nth, int count)
{
    int index = comparison->colliders[node] + nth;
    bool isFound = comparison->colliders[node] >= 0 && index < count &&
                   tdDescribeCollider(comparison->b, index).node == node;
    return isFound ? index : -1;
}

static bool AreMaterialsEqual(const Comparison* comparison, int indexA, int indexB)
{
    if (indexA < 0 || indexB < 0)
    {
        return (indexA < 0) == (indexB < 0);
    }
    tdMaterialInfo a = tdDescribeMaterial(comparison->a, indexA),
                   b = tdDescribeMaterial(comparison->b, indexB);
    return !AreFar(comparison, (double)a.staticFriction, (double)b.staticFriction) &&
           !AreFar(comparison, (double)a.dynamicFriction, (double)b.dynamicFriction) &&
           !AreFar(comparison, (double)a.restitution, (double)b.restitution) &&
           a.frictionCombine == b.frictionCombine && a.restitutionCombine == b.restitutionCombine;
}

static void CompareColliders(Comparison* comparison)
{
    int countA = tdDescribeAsset(comparison->a).colliderCount,
        countB = tdDescribeAsset(comparison->b).colliderCount;
    if (countA != countB)
    {
        AddFinding(comparison, SECTION_PHYSICS, "colliders: %d and %d", countA, countB);
    }
    int lastNode = -1, nth = 0;
    for (int i = 0; i < countA; ++i)
    {
        tdColliderInfo a = tdDescribeCollider(comparison->a, i);
        nth = a.node == lastNode ? nth + 1 : 0;
        lastNode = a.node;
        int node = comparison->matches[a.node],
            other = node >= 0 ? FindCollider(comparison, node, nth, countB) : -1;
        char text[LINE_SIZE];
        NameNode(comparison->a, a.node, text);
        if (other < 0)
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: a collider in A only", text);
            continue;
        }
        tdColliderInfo b = tdDescribeCollider(comparison->b, other);
        bool isSameSize = a.elementCount == b.elementCount;
        for (int k = 0; k < 3; ++k)
        {
            isSameSize = isSameSize && !AreFar(comparison, (double)a.size[k], (double)b.size[k]);
        }
        if (a.shape != b.shape)
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: a %s and a %s", text,
                       tdShapeKind_GetName(a.shape), tdShapeKind_GetName(b.shape));
        }
        else if (!isSameSize)
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: other size of its %s", text,
                       tdShapeKind_GetName(a.shape));
        }
        if (a.isTrigger != b.isTrigger || (a.body >= 0) != (b.body >= 0))
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: a trigger or static in one of them only", text);
        }
        if (!AreMaterialsEqual(comparison, a.material, b.material))
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: other physics material", text);
        }
        if ((a.filter >= 0) != (b.filter >= 0))
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: a collision filter in one of them only", text);
        }
    }
}

static void CompareJoints(Comparison* comparison)
{
    int countA = tdDescribeAsset(comparison->a).jointCount,
        countB = tdDescribeAsset(comparison->b).jointCount;
    if (countA != countB)
    {
        AddFinding(comparison, SECTION_PHYSICS, "joints: %d and %d", countA, countB);
    }
    for (int i = 0; i < countA && i < countB; ++i)
    {
        tdJointInfo a = tdDescribeJoint(comparison->a, i), b = tdDescribeJoint(comparison->b, i);
        char text[LINE_SIZE];
        NameNode(comparison->a, a.node, text);
        bool isSame = comparison->matches[a.node] == b.node && a.limitCount == b.limitCount &&
                      a.driveCount == b.driveCount && a.enableCollision == b.enableCollision;
        for (int k = 0; k < a.limitCount && isSame; ++k)
        {
            isSame = !AreFar(comparison, (double)a.limits[k].min, (double)b.limits[k].min) &&
                     !AreFar(comparison, (double)a.limits[k].max, (double)b.limits[k].max) &&
                     a.limits[k].linearAxes == b.limits[k].linearAxes &&
                     a.limits[k].angularAxes == b.limits[k].angularAxes;
        }
        if (!isSame)
        {
            AddFinding(comparison, SECTION_PHYSICS, "%.200s: another joint", text);
        }
    }
}

// --- motion -----------------------------------------------------------------------------------------------

static double GetColumnDot(const float* a, const float* b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

// Angle between the rotations of two matrices, rad; 0 where a column vanishes.
static double GetAngle(const float* a, const float* b)
{
    double trace = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        const float *x = a + 4 * i, *y = b + 4 * i;
        double length = sqrt(GetColumnDot(x, x) * GetColumnDot(y, y));
        trace += length > 0.0 ? GetColumnDot(x, y) / length : 1.0;
    }
    double cosine = 0.5 * (trace - 1.0);
    // Rounding of the columns alone gives angles of this size.
    return cosine >= 1.0 - 1.0e-7 ? 0.0 : acos(cosine < -1.0 ? -1.0 : cosine);
}

static void CompareFrame(Comparison* comparison, const Player* a, const Player* b, double time)
{
    const tdMat4 *globalsA = tdActor_GetGlobals(a->actor), *globalsB = tdActor_GetGlobals(b->actor);
    for (int i = 0; i < comparison->motionCount; ++i)
    {
        NodeMotion* motion = &comparison->motions[i];
        const float *x = globalsA[motion->nodeA].m, *y = globalsB[motion->nodeB].m;
        double dx = (double)x[12] - (double)y[12], dy = (double)x[13] - (double)y[13],
               dz = (double)x[14] - (double)y[14];
        double position = sqrt(dx * dx + dy * dy + dz * dz), angle = GetAngle(x, y);
        if (position > motion->position)
        {
            motion->position = position;
            motion->positionTime = time;
        }
        if (angle > motion->angle)
        {
            motion->angle = angle;
            motion->angleTime = time;
        }
    }
}

static int CompareLargest(const void* a, const void* b)
{
    const NodeMotion *x = a, *y = b;
    double first = x->position + x->angle, second = y->position + y->angle;
    return first != second ? (first > second ? -1 : 1) : x->nodeA - y->nodeA;
}

static bool CompareMotion(const Session* session, Comparison* comparison, Player* a, Player* b)
{
    int nodeCount = tdAsset_GetNodeCount(comparison->a);
    comparison->motions = AllocateZeroed((size_t)nodeCount + 1, sizeof(NodeMotion));
    bool isFine = comparison->motions != NULL;
    for (int i = 0; i < nodeCount && isFine; ++i)
    {
        if (comparison->matches[i] >= 0)
        {
            comparison->motions[comparison->motionCount++] =
                (NodeMotion){.nodeA = i, .nodeB = comparison->matches[i]};
        }
    }
    double rate = session->options->values[OPTION_RATE].number;
    long long count = (long long)(comparison->seconds * rate + 1.0e-9);
    Progress progress = StartWork(session, "comparing");
    for (long long i = 0; i <= count && isFine && !a->isLimited && !b->isLimited; ++i)
    {
        double time = (double)i / rate;
        isFine = AdvancePlayer(a, time) && AdvancePlayer(b, time);
        CompareFrame(comparison, a, b, time);
        UpdateProgress(&progress, (double)(i + 1) / (double)(count + 1), 0.0, "");
    }
    EndProgress(&progress);
    int kept = 0;
    for (int i = 0; i < comparison->motionCount && isFine; ++i)
    {
        NodeMotion motion = comparison->motions[i];
        if (motion.position > comparison->tolerance || motion.angle > comparison->tolerance)
        {
            comparison->motions[kept++] = motion;
        }
    }
    comparison->motionCount = kept;
    if (kept > 0)
    {
        qsort(comparison->motions, (size_t)kept, sizeof(NodeMotion), CompareLargest);
    }
    return isFine;
}

// --- the result -------------------------------------------------------------------------------------------

static void PrintDifferences(const Session* session, const Comparison* comparison)
{
    const Screen* out = &session->out;
    for (int section = 0; section < SECTION_COUNT; ++section)
    {
        bool isFirst = true;
        for (int i = 0; i < comparison->findingCount; ++i)
        {
            if (comparison->findings[i].section == (Section)section)
            {
                if (isFirst)
                {
                    PrintPainted(out, PAINT_BOLD, "%s\n", sectionNames[section]);
                }
                isFirst = false;
                PrintPainted(out, PAINT_NONE, "  %s\n", comparison->findings[i].text);
            }
        }
    }
    if (comparison->motionCount > 0)
    {
        PrintPainted(out, PAINT_BOLD, "motion, largest differences in %g s\n", comparison->seconds);
        static const char* const headings[] = {">node", "name", ">position", ">at", ">angle", ">at"};
        Table table = StartTable(headings, 6);
        for (int i = 0; i < comparison->motionCount; ++i)
        {
            const NodeMotion* motion = &comparison->motions[i];
            char name[64];
            CleanText(name, sizeof name, tdAsset_GetNodeName(comparison->a, motion->nodeA), 24);
            AddCell(&table, "%d", motion->nodeA);
            AddCell(&table, "%s", name);
            AddCell(&table, "%.6g m", motion->position);
            AddCell(&table, "%.2f s", motion->positionTime);
            AddCell(&table, "%.6g rad", motion->angle);
            AddCell(&table, "%.2f s", motion->angleTime);
        }
        FinishTable(&table, out, IsGiven(session->options, OPTION_FULL) ? -1 : MOTION_ROWS);
    }
    if (comparison->findingCount == 0 && comparison->motionCount == 0 && !session->isQuiet)
    {
        PrintPainted(out, PAINT_NONE, "no differences in structure, physics and %g s of motion\n",
                     comparison->seconds);
    }
}

static void PrintDifferencesJson(const Session* session, const Comparison* comparison)
{
    const Options* options = session->options;
    printf("{\"a\":");
    PrintJsonText(stdout, options->files[0]);
    printf(",\"b\":");
    PrintJsonText(stdout, options->files[1]);
    printf(",\"isSame\":%s,\"seconds\":%g",
           comparison->findingCount == 0 && comparison->motionCount == 0 ? "true" : "false",
           comparison->seconds);
    for (int section = 0; section < SECTION_COUNT; ++section)
    {
        const char* separator = "";
        printf(",\"%s\":[", sectionNames[section]);
        for (int i = 0; i < comparison->findingCount; ++i)
        {
            if (comparison->findings[i].section == (Section)section)
            {
                printf("%s", separator);
                PrintJsonText(stdout, comparison->findings[i].text);
                separator = ",";
            }
        }
        printf("]");
    }
    printf(",\"motion\":[");
    for (int i = 0; i < comparison->motionCount; ++i)
    {
        const NodeMotion* motion = &comparison->motions[i];
        printf("%s{\"nodeA\":%d,\"nodeB\":%d,\"name\":", i > 0 ? "," : "", motion->nodeA, motion->nodeB);
        PrintJsonText(stdout, tdAsset_GetNodeName(comparison->a, motion->nodeA));
        printf(",\"position\":%.9g,\"positionTime\":%.9g,\"angle\":%.9g,\"angleTime\":%.9g}",
               motion->position, motion->positionTime, motion->angle, motion->angleTime);
    }
    printf("]}\n");
}

static int Compare(const Session* session, Player* a, Player* b)
{
    const Options* options = session->options;
    Comparison comparison = {
        .a = a->asset, .b = b->asset, .tolerance = options->values[OPTION_TOLERANCE].number};
    double given = IsGiven(options, OPTION_SECONDS) ? options->values[OPTION_SECONDS].number : -1.0;
    comparison.seconds = fmax(GetRunSeconds(a, given, 10.0), GetRunSeconds(b, given, 10.0));
    bool isFine = MatchNodes(&comparison) && IndexPhysics(&comparison);
    if (isFine)
    {
        CompareCounts(&comparison);
        CompareExtensions(&comparison);
        CompareAnimations(&comparison);
        CompareNodes(&comparison);
        CompareBodies(&comparison);
        CompareColliders(&comparison);
        CompareJoints(&comparison);
        isFine = CompareMotion(session, &comparison, a, b);
    }
    int result = EXIT_IO;
    if (!isFine || comparison.isOutOfMemory)
    {
        Complain(session, "out of memory.");
    }
    else
    {
        (IsGiven(options, OPTION_JSON) ? PrintDifferencesJson : PrintDifferences)(session, &comparison);
        fflush(stdout);
        ReportFindings(session, a->report);
        ReportFindings(session, b->report);
        bool isSame = comparison.findingCount == 0 && comparison.motionCount == 0;
        result = WorseExit(isSame ? EXIT_FINE : EXIT_FOUND_ERRORS,
                           WorseExit(GetReportExit(a->report), GetReportExit(b->report)));
    }
    free(comparison.matches);
    free(comparison.bodies);
    free(comparison.colliders);
    free(comparison.findings);
    free(comparison.motions);
    return result;
}

int RunDiff(Session* session)
{
    const Options* options = session->options;
    bool areRecordings[2] = {IsRecordingFile(options->files[0]), IsRecordingFile(options->files[1])};
    if (areRecordings[0] && areRecordings[1])
    {
        return DiffRecordings(session);
    }
    if (areRecordings[0] || areRecordings[1])
    {
        Complain(session, "\"%s\" is a recording and \"%s\" is not.",
                 options->files[areRecordings[0] ? 0 : 1], options->files[areRecordings[0] ? 1 : 0]);
        return EXIT_USAGE;
    }
    Player a, b;
    int result = StartPlayer(&a, session, options->files[0]);
    if (a.actor != NULL)
    {
        result = StartPlayer(&b, session, options->files[1]);
        result = b.actor != NULL ? Compare(session, &a, &b) : result;
        StopPlayer(&b);
    }
    StopPlayer(&a);
    return result;
}
