// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports VRMC_springBone 1.0 with VRMC_springBone_extended_collider 1.0 and the draft VRMC_springBone_limit.
// A malformed but usable object is used, with defaults in place of wrong values; others are left out.
#include "vrm_spring.h"

#include "spring_build.h"
#include "vrm0_spring.h"

#define SPRING_EXTENSION "VRMC_springBone"
#define EXTENDED_COLLIDER "VRMC_springBone_extended_collider"
#define LIMIT_EXTENSION "VRMC_springBone_limit"

// VRMC_springBone while it is read.
typedef struct SpringReader
{
    tdSpringBuild build;
    int* colliderOfFile; // index in the file -> in the list; -1: left out
    int fileColliderCount;
    bool hasExtended, hasLimit; // a collider or joint uses the extension
} SpringReader;

static const tdVec3 gravityDown = {0.0f, -1.0f, 0.0f};

static void CheckSpringVersion(tdImport* import, const tdPath* path, int object)
{
    int value = tdJson_Find(import->json, object, "specVersion");
    tdPath here = tdPath_Key(path, "specVersion");
    char text[32];
    if (value >= 0 && tdJson_GetType(import->json, value) != TD_JSON_STRING)
    {
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, &here, "a string");
    }
    else if (tdJson_StringEquals(import->json, value, "1.0-beta"))
    {
        tdReport_AddAs(import->report, TD_SEVERITY_WARNING, TD_DIAG_SB_SPEC_VERSION, &here, "1.0-beta");
    }
    else if (!tdJson_StringEquals(import->json, value, "1.0"))
    {
        tdReport_Add(import->report, TD_DIAG_SB_SPEC_VERSION, &here,
                     tdImport_CopyShort(import, value, text, sizeof(text)));
    }
}

// Colliders

static bool ReadFlag(const SpringReader* reader, const tdPath* path, int object, const char* key)
{
    const tdImport* import = reader->build.import;
    int value = tdJson_Find(import->json, object, key);
    tdJsonType type = tdJson_GetType(import->json, value);
    if (value >= 0 && type != TD_JSON_TRUE && type != TD_JSON_FALSE)
    {
        tdPath here = tdPath_Key(path, key);
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, &here, "true or false");
    }
    return type == TD_JSON_TRUE;
}

static bool ReadSpringPlane(const SpringReader* reader, const tdPath* path, int plane, tdSpringCollider* out)
{
    const tdSpringBuild* build = &reader->build;
    tdPath here = tdPath_Key(path, "normal");
    tdVec3 normal = tdSpringBuild_ReadVec3(build, path, plane, "normal", (tdVec3){0.0f, 0.0f, 1.0f});
    float length = tdLength(normal);
    if (tdAbsFloat(length - 1.0f) > 1.0e-3f)
    {
        tdReport_Add(build->import->report, TD_DIAG_SB_NORMAL_NOT_UNIT, &here, (double)length);
    }
    out->shape = TD_SPRING_PLANE;
    out->offset = tdSpringBuild_ReadVec3(build, path, plane, "offset", tdVec3_zero);
    out->end = length > 0.0f ? tdScale(1.0f / length, normal) : normal;
    return length > 0.0f;
}

// Reads a shape object; false if it has no usable shape.
static bool ReadSpringShape(const SpringReader* reader, const tdPath* path, int shape, bool isExtended,
                            tdSeverity severity, tdSpringCollider* out)
{
    static const char* const names[] = {"sphere", "capsule", "plane"};
    const tdSpringBuild* build = &reader->build;
    const tdJson* json = build->import->json;
    int kind = -1, count = 0;
    for (int i = 0; i < (isExtended ? 3 : 2); ++i)
    {
        bool isThere = tdJson_Find(json, shape, names[i]) >= 0;
        kind = isThere && kind < 0 ? i : kind;
        count += isThere;
    }
    if (count != 1)
    {
        tdReport_AddAs(build->import->report, count == 0 ? severity : TD_SEVERITY_WARNING,
                       count == 0 ? TD_DIAG_SB_NO_SHAPE : TD_DIAG_SB_MULTIPLE_SHAPES, path,
                       isExtended ? "sphere, capsule and plane" : "sphere and capsule");
    }
    if (count == 0)
    {
        return false;
    }
    int object = tdImport_FindObject(build->import, path, shape, names[kind], TD_DIAG_SB_TYPE);
    tdPath here = tdPath_Key(path, names[kind]);
    if (object < 0)
    {
        return false;
    }
    if (kind == 2)
    {
        return ReadSpringPlane(reader, &here, object, out);
    }
    bool isInside = isExtended && ReadFlag(reader, &here, object, "inside");
    out->shape = kind == 0 ? (isInside ? TD_SPRING_INSIDE_SPHERE : TD_SPRING_SPHERE)
                           : (isInside ? TD_SPRING_INSIDE_CAPSULE : TD_SPRING_CAPSULE);
    out->offset = tdSpringBuild_ReadVec3(build, &here, object, "offset", tdVec3_zero);
    out->end = kind == 1 ? tdSpringBuild_ReadVec3(build, &here, object, "tail", tdVec3_zero) : tdVec3_zero;
    out->radius = tdSpringBuild_ReadNumber(build, &here, object, "radius", 0.0f, 0.0f, TD_MAX_SPRING_NUMBER);
    return true;
}

// The shape of VRMC_springBone_extended_collider; false if the collider has none that is usable.
static bool ReadExtendedShape(SpringReader* reader, const tdPath* path, int collider, tdSpringCollider* out)
{
    tdImport* import = reader->build.import;
    const tdJson* json = import->json;
    int extensions = tdJson_Find(json, collider, "extensions");
    tdPath extensionsPath = tdPath_Key(path, "extensions"),
           here = tdPath_Key(&extensionsPath, EXTENDED_COLLIDER);
    int extension =
        tdImport_FindObject(import, &extensionsPath, extensions, EXTENDED_COLLIDER, TD_DIAG_SB_TYPE);
    if (extension < 0)
    {
        return false;
    }
    reader->hasExtended = true;
    int version = tdJson_Find(json, extension, "specVersion");
    if (!tdJson_StringEquals(json, version, "1.0"))
    {
        char text[32];
        tdPath versionPath = tdPath_Key(&here, "specVersion");
        tdReport_Add(import->report, TD_DIAG_SB_EXTENDED_UNKNOWN_VERSION, &versionPath,
                     tdImport_CopyShort(import, version, text, sizeof(text)));
        return false;
    }
    tdPath shapePath = tdPath_Key(&here, "shape");
    int shape = tdImport_FindObject(import, &here, extension, "shape", TD_DIAG_SB_TYPE);
    return ReadSpringShape(reader, &shapePath, shape, true, TD_SEVERITY_ERROR, out);
}

static bool ReadSpringCollider(SpringReader* reader, const tdPath* path, int object, tdSpringCollider* out)
{
    tdImport* import = reader->build.import;
    *out = (tdSpringCollider){.shape = TD_SPRING_SPHERE};
    if (!tdJson_IsObject(import->json, object))
    {
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, path, "an object");
        return false;
    }
    out->node = tdImport_ReadNodeIndex(import, tdJson_Find(import->json, object, "node"));
    if (out->node < 0)
    {
        tdPath here = tdPath_Key(path, "node");
        tdReport_Add(import->report, TD_DIAG_SB_NODE_INVALID, &here);
        return false;
    }
    tdPath shapePath = tdPath_Key(path, "shape");
    tdSpringCollider extended = *out;
    bool isExtended = ReadExtendedShape(reader, path, object, &extended);
    int shape = tdImport_FindObject(import, path, object, "shape", TD_DIAG_SB_TYPE);
    // The base shape of an extended collider is only a fallback, but the file must have it.
    bool hasShape = ReadSpringShape(reader, &shapePath, shape, false,
                                    isExtended ? TD_SEVERITY_WARNING : TD_SEVERITY_ERROR, out);
    *out = isExtended ? extended : *out;
    return isExtended || hasShape;
}

static bool ReadColliders(SpringReader* reader, const tdPath* path, int extension)
{
    tdSpringBuild* build = &reader->build;
    const tdJson* json = build->import->json;
    int list = tdSpringBuild_FindArray(build, path, extension, "colliders");
    int count = tdJson_GetCount(json, list), place = 0;
    tdSpringCollider* colliders = tdArena_NewArray(build->import->arena, tdSpringCollider, count);
    reader->colliderOfFile = tdArena_NewArray(&build->import->scratch, int, count);
    reader->fileColliderCount = count;
    if (colliders == NULL || reader->colliderOfFile == NULL)
    {
        return false;
    }
    build->list->colliders = colliders;
    tdPath listPath = tdPath_Key(path, "colliders");
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&listPath, place);
        bool isUsed = ReadSpringCollider(reader, &here, child, &colliders[build->list->colliderCount]);
        reader->colliderOfFile[place] = isUsed ? build->list->colliderCount : -1;
        build->list->colliderCount += isUsed;
    }
    return true;
}

// A name in the arena, "" if there is none; NULL when memory ran out.
static const char* ReadSpringName(const tdSpringBuild* build, const tdPath* path, int object)
{
    tdImport* import = build->import;
    int value = tdJson_Find(import->json, object, "name");
    size_t length = 0;
    const char* name = tdJson_GetString(import->json, value, &length);
    if (value >= 0 && name == NULL)
    {
        tdPath here = tdPath_Key(path, "name");
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, &here, "a string");
    }
    return name != NULL ? tdArena_CopyText(import->arena, name, length) : "";
}

static bool ReadGroup(const SpringReader* reader, const tdPath* path, int object, tdSpringColliderGroup* out)
{
    const tdSpringBuild* build = &reader->build;
    *out = (tdSpringColliderGroup){.name = ""};
    if (!tdJson_IsObject(build->import->json, object))
    {
        tdReport_Add(build->import->report, TD_DIAG_SB_TYPE, path, "an object");
        return true;
    }
    out->name = ReadSpringName(build, path, object);
    const int* fileIndices = NULL;
    int count = tdSpringBuild_ReadIndices(build, path, object, "colliders", reader->fileColliderCount,
                                          TD_DIAG_SB_COLLIDER_INVALID, &fileIndices);
    int* colliders = count >= 0 ? tdArena_NewArray(build->import->arena, int, count) : NULL;
    if (out->name == NULL || colliders == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        int collider = reader->colliderOfFile[fileIndices[i]];
        if (collider >= 0)
        {
            colliders[out->colliderCount++] = collider;
        }
    }
    out->colliders = colliders;
    return true;
}

static bool ReadGroups(const SpringReader* reader, const tdPath* path, int extension)
{
    const tdSpringBuild* build = &reader->build;
    const tdJson* json = build->import->json;
    int list = tdSpringBuild_FindArray(build, path, extension, "colliderGroups"), place = 0;
    tdSpringColliderGroup* groups =
        tdArena_NewArray(build->import->arena, tdSpringColliderGroup, tdJson_GetCount(json, list));
    if (groups == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(path, "colliderGroups");
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&listPath, place);
        if (!ReadGroup(reader, &here, child, &groups[place]))
        {
            return false;
        }
    }
    build->list->groups = groups;
    build->list->groupCount = place;
    return true;
}

// Limits

static tdQuat ReadLimitRotation(const SpringReader* reader, const tdPath* path, int object)
{
    const tdImport* import = reader->build.import;
    const tdJson* json = import->json;
    int value = tdJson_Find(json, object, "rotation"), child = tdJson_GetFirst(json, value);
    if (value < 0)
    {
        return tdQuat_identity;
    }
    float numbers[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    bool isGood = tdJson_IsArray(json, value) && tdJson_GetCount(json, value) == 4;
    for (int i = 0; i < 4 && isGood; ++i, child = tdJson_GetNext(json, child))
    {
        double number = tdJson_GetNumber(json, child, 2.0);
        isGood = number >= -1.001 && number <= 1.001;
        numbers[i] = isGood ? (float)number : 0.0f;
    }
    tdQuat q = {numbers[0], numbers[1], numbers[2], numbers[3]};
    if (!isGood || tdAbsFloat(tdDotQuat(q, q) - 1.0f) > 1.0e-2f)
    {
        tdPath here = tdPath_Key(path, "rotation");
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, &here, "a unit quaternion");
        return tdQuat_identity;
    }
    return tdNormalizeQuat(q);
}

// An angle of at least 0; larger ones than `most` count as `most`, as the draft says.
static float ReadAngle(const SpringReader* reader, const tdPath* path, int object, const char* key,
                       float most)
{
    return tdMinFloat(
        most, tdSpringBuild_ReadNumber(&reader->build, path, object, key, 0.0f, 0.0f, TD_MAX_SPRING_NUMBER));
}

static tdSpringLimit ReadSpringLimit(SpringReader* reader, const tdPath* path, int joint)
{
    static const char* const names[] = {"cone", "hinge", "spherical"};
    tdSpringLimit limit = {.rotation = tdQuat_identity};
    tdImport* import = reader->build.import;
    const tdJson* json = import->json;
    int extensions = tdJson_Find(json, joint, "extensions");
    tdPath extensionsPath = tdPath_Key(path, "extensions"),
           here = tdPath_Key(&extensionsPath, LIMIT_EXTENSION), limitPath = tdPath_Key(&here, "limit");
    int extension =
        tdImport_FindObject(import, &extensionsPath, extensions, LIMIT_EXTENSION, TD_DIAG_SB_TYPE);
    if (extension < 0)
    {
        return limit;
    }
    if (!reader->hasLimit)
    {
        tdReport_Add(import->report, TD_DIAG_SB_LIMIT_DRAFT, &here);
    }
    reader->hasLimit = true;
    int object = tdImport_FindObject(import, &here, extension, "limit", TD_DIAG_SB_TYPE);
    for (int i = 0; i < 3 && limit.kind == TD_SPRING_LIMIT_NONE; ++i)
    {
        int kind = tdImport_FindObject(import, &limitPath, object, names[i], TD_DIAG_SB_TYPE);
        tdPath kindPath = tdPath_Key(&limitPath, names[i]);
        if (kind < 0)
        {
            continue;
        }
        limit.kind = (tdSpringLimitKind)(TD_SPRING_LIMIT_CONE + i);
        limit.rotation = ReadLimitRotation(reader, &kindPath, kind);
        limit.angles[0] = ReadAngle(reader, &kindPath, kind, i == 2 ? "pitch" : "angle", TD_PI);
        limit.angles[1] = i == 2 ? ReadAngle(reader, &kindPath, kind, "yaw", TD_PI / 2.0f) : 0.0f;
    }
    return limit;
}

// Chains

static tdSpringParameters ReadSpringParameters(const SpringReader* reader, const tdPath* path, int joint)
{
    const tdSpringBuild* build = &reader->build;
    float most = TD_MAX_SPRING_NUMBER;
    return (tdSpringParameters){
        .hitRadius = tdSpringBuild_ReadNumber(build, path, joint, "hitRadius", 0.0f, 0.0f, most),
        .stiffness = tdSpringBuild_ReadNumber(build, path, joint, "stiffness", 1.0f, 0.0f, most),
        .gravityPower = tdSpringBuild_ReadNumber(build, path, joint, "gravityPower", 0.0f, 0.0f, most),
        .gravityDir = tdSpringBuild_ReadVec3(build, path, joint, "gravityDir", gravityDown),
        .dragForce = tdSpringBuild_ReadNumber(build, path, joint, "dragForce", 0.5f, 0.0f, 1.0f)};
}

// Rest position of a node in the frame of an ancestor.
static tdVec3 FindRestPosition(const tdNodeTree* nodes, int ancestor, int node)
{
    tdVec3 p = nodes->locals[node].translation;
    for (int above = nodes->parents[node]; above != ancestor; above = nodes->parents[above])
    {
        const tdTrs* local = &nodes->locals[above];
        bool isSheared = nodes->isSheared != NULL && nodes->isSheared[above];
        p = isSheared ? tdMat4Point(nodes->matrices[above], p)
                      : tdAdd(local->translation, tdRotate(local->rotation, tdMul(local->scale, p)));
    }
    return p;
}

// A chain while it is read.
typedef struct Chain
{
    int spring;
    int usedCount; // joints with a node of their own
    int firstNode; // of them; -1: none
    bool hasHead;  // `head` waits for its tail
    tdSpringJoint head;
    int headPlace;
} Chain;

// Claims the nodes between the head and the next joint; false (reported) if another spring has one of them.
static bool ClaimSkipped(tdSpringBuild* build, const Chain* chain, const tdPath* path, int node)
{
    const int* parents = build->import->scene->nodes.parents;
    for (int above = parents[node]; above != chain->head.node; above = parents[above])
    {
        if (build->owners[above] != 0 && build->owners[above] != chain->spring + 1)
        {
            tdReport_Add(build->import->report, TD_DIAG_SB_JOINT_SHARED, path, above);
            return false;
        }
        build->owners[above] = chain->spring + 1;
    }
    return true;
}

// Reads the next joint of a chain; false if the rest of the chain is left out.
static bool ReadSpringJoint(SpringReader* reader, Chain* chain, const tdPath* jointsPath, int place,
                            int object)
{
    tdSpringBuild* build = &reader->build;
    tdImport* import = build->import;
    tdPath path = tdPath_Index(jointsPath, place), nodePath = tdPath_Key(&path, "node");
    if (!tdJson_IsObject(import->json, object))
    {
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, &path, "an object");
        return true;
    }
    int node = tdImport_ReadNodeIndex(import, tdJson_Find(import->json, object, "node"));
    if (node < 0)
    {
        tdReport_Add(import->report, TD_DIAG_SB_NODE_INVALID, &nodePath);
        return true;
    }
    if (chain->hasHead && !tdNodeTree_IsAncestor(&import->scene->nodes, chain->head.node, node))
    {
        tdReport_Add(import->report, TD_DIAG_SB_JOINT_ORDER, &nodePath, node, chain->head.node);
        return false;
    }
    if (build->owners[node] != 0)
    {
        tdReport_Add(import->report, TD_DIAG_SB_JOINT_SHARED, &nodePath, node);
        return true;
    }
    bool isFree = !chain->hasHead || ClaimSkipped(build, chain, &nodePath, node);
    build->owners[node] = chain->spring + 1;
    if (chain->hasHead && isFree)
    {
        tdPath headPath = tdPath_Index(jointsPath, chain->headPlace);
        chain->head.tailNode = node;
        chain->head.child = FindRestPosition(&import->scene->nodes, chain->head.node, node);
        tdSpringBuild_AddJoint(build, &headPath, &chain->head);
    }
    chain->firstNode = chain->usedCount == 0 ? node : chain->firstNode;
    chain->usedCount += 1;
    chain->hasHead = true;
    chain->headPlace = place;
    chain->head = (tdSpringJoint){.spring = chain->spring,
                                  .node = node,
                                  .parameters = ReadSpringParameters(reader, &path, object),
                                  .limit = ReadSpringLimit(reader, &path, object)};
    return true;
}

static int ReadCenter(const SpringReader* reader, const tdPath* path, int object, int firstNode)
{
    tdImport* import = reader->build.import;
    int value = tdJson_Find(import->json, object, "center");
    int center = tdImport_ReadNodeIndex(import, value);
    tdPath here = tdPath_Key(path, "center");
    if (value >= 0 && center < 0)
    {
        tdReport_Add(import->report, TD_DIAG_SB_NODE_INVALID, &here);
    }
    else if (center >= 0 && firstNode >= 0 && center != firstNode &&
             !tdNodeTree_IsAncestor(&import->scene->nodes, center, firstNode))
    {
        tdReport_Add(import->report, TD_DIAG_SB_CENTER_INVALID, &here, center, firstNode);
        center = -1;
    }
    return center;
}

static bool ReadSpring(SpringReader* reader, const tdPath* path, int object, tdSpring* spring)
{
    tdSpringBuild* build = &reader->build;
    tdImport* import = build->import;
    const tdJson* json = import->json;
    *spring = (tdSpring){.name = "", .center = -1, .firstJoint = build->jointCount};
    if (!tdJson_IsObject(json, object))
    {
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, path, "an object");
        return true;
    }
    spring->name = ReadSpringName(build, path, object);
    spring->groupCount =
        tdSpringBuild_ReadIndices(build, path, object, "colliderGroups", build->list->groupCount,
                                  TD_DIAG_SB_GROUP_INVALID, &spring->groups);
    if (spring->name == NULL || spring->groupCount < 0)
    {
        return false;
    }
    Chain chain = {.spring = build->list->springCount, .firstNode = -1};
    int joints = tdSpringBuild_FindArray(build, path, object, "joints"), place = 0;
    tdPath jointsPath = tdPath_Key(path, "joints");
    if (tdJson_GetCount(json, joints) == 0)
    {
        tdReport_Add(import->report, TD_DIAG_SB_TYPE, &jointsPath, "at least one joint");
    }
    for (int child = tdJson_GetFirst(json, joints); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        if (!ReadSpringJoint(reader, &chain, &jointsPath, place, child))
        {
            break;
        }
    }
    if (chain.usedCount == 1 && place <= 1)
    {
        tdReport_Add(import->report, TD_DIAG_SB_ONE_JOINT, &jointsPath);
    }
    spring->jointCount = build->jointCount - spring->firstJoint;
    spring->firstNode = chain.firstNode;
    spring->center = ReadCenter(reader, path, object, chain.firstNode);
    return true;
}

static bool ReadSprings(SpringReader* reader, const tdPath* path, int extension)
{
    tdSpringBuild* build = &reader->build;
    const tdJson* json = build->import->json;
    int list = tdSpringBuild_FindArray(build, path, extension, "springs"), place = 0;
    tdSpring* springs = tdArena_NewArray(build->import->arena, tdSpring, tdJson_GetCount(json, list));
    if (springs == NULL)
    {
        return false;
    }
    build->list->springs = springs;
    tdPath listPath = tdPath_Key(path, "springs");
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++place)
    {
        tdPath here = tdPath_Index(&listPath, place);
        if (!ReadSpring(reader, &here, child, &springs[place]))
        {
            return false;
        }
        build->list->springCount += 1;
    }
    return true;
}

// A center must not move with another spring. Such centers are used all the same: springs above run first.
static bool CheckSpringCenters(const SpringReader* reader, const tdPath* path)
{
    const tdSpringBuild* build = &reader->build;
    const tdNodeTree* nodes = &build->import->scene->nodes;
    int* owners = tdArena_NewArray(&build->import->scratch, int, nodes->count); // nearest at or above
    if (owners == NULL)
    {
        return false;
    }
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        owners[node] = build->owners[node] != 0 ? build->owners[node] : (parent >= 0 ? owners[parent] : 0);
    }
    tdPath listPath = tdPath_Key(path, "springs");
    for (int i = 0; i < build->list->springCount; ++i)
    {
        int center = build->list->springs[i].center;
        if (center >= 0 && owners[center] != 0 && owners[center] != i + 1)
        {
            tdPath springPath = tdPath_Index(&listPath, i), here = tdPath_Key(&springPath, "center");
            tdReport_AddAs(build->import->report, TD_SEVERITY_WARNING, TD_DIAG_SB_CENTER_INVALID, &here,
                           center, build->list->springs[i].firstNode);
        }
    }
    return true;
}

static void CheckSpringDeclared(const tdImport* import, const char* name)
{
    const tdJson* json = import->json;
    int used = tdJson_Find(json, 0, "extensionsUsed");
    for (int i = tdJson_GetFirst(json, used); i >= 0; i = tdJson_GetNext(json, i))
    {
        if (tdJson_StringEquals(json, i, name))
        {
            return;
        }
    }
    tdPath root = tdPath_Root(), here = tdPath_Key(&root, "extensionsUsed");
    tdReport_Add(import->report, TD_DIAG_SB_NOT_IN_EXTENSIONS_USED, &here, name);
}

bool tdImportSprings(tdImport* import)
{
    tdPath root = tdPath_Root(), extensionsPath = tdPath_Key(&root, "extensions"),
           path = tdPath_Key(&extensionsPath, SPRING_EXTENSION), springsPath = tdPath_Key(&path, "springs");
    int extensions = tdJson_Find(import->json, 0, "extensions");
    int extension =
        tdImport_FindObject(import, &extensionsPath, extensions, SPRING_EXTENSION, TD_DIAG_SB_TYPE);
    if (extension < 0)
    {
        int vrm = tdJson_Find(import->json, extensions, "VRM");
        return vrm < 0 || tdImportSprings0(import, vrm);
    }
    SpringReader reader = {.hasExtended = false};
    CheckSpringVersion(import, &path, extension);
    if (!tdSpringBuild_Init(&reader.build, import) || !ReadColliders(&reader, &path, extension) ||
        !ReadGroups(&reader, &path, extension) || !ReadSprings(&reader, &path, extension) ||
        !CheckSpringCenters(&reader, &path))
    {
        return false;
    }
    CheckSpringDeclared(import, SPRING_EXTENSION);
    if (reader.hasExtended)
    {
        CheckSpringDeclared(import, EXTENDED_COLLIDER);
    }
    if (reader.hasLimit)
    {
        CheckSpringDeclared(import, LIMIT_EXTENSION);
    }
    return tdSpringBuild_Finish(&reader.build, &springsPath);
}
