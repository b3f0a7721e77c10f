// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads KHR_physics_rigid_bodies with KHR_implicit_shapes or KHR_collision_shapes, every draft, and the MSFT
// ancestors (docs/spec/physics.md 2, 4, 8.3). They have the same structure; differences between drafts are
// decided per object.
//
// See docs/decisions/093-msft-physics.md.
#include "khr_physics.h"

#include "extensions.h"
#include "physics_joint_limits.h"
#include "physics_shapes.h"
#include "physics_tables.h"

#include "base/assert.h"

#include <string.h>

#define MAX_BODY_EXTENSIONS 8 // rows of role KHR_BODY in extensions.def

typedef struct KhrContext
{
    tdPhysicsReader* reader;
    tdRawPhysics* raw;
    const char* extension;
    tdDialect dialect;           // of the tables; single objects may be of another draft
    int legacyTable;             // of collider.shape integers
    int filterCount, jointCount; // of the file's tables
} KhrContext;

/// The draft of a KHR_collision_shapes table.
static tdDialect FindCollisionShapesDialect(const tdJson* json, int table)
{
    tdDialect dialect = TD_DIALECT_KHR_SEED;
    for (int shape = tdJson_GetFirst(json, table); shape >= 0; shape = tdJson_GetNext(json, shape))
    {
        if (!tdJson_StringEquals(json, tdJson_Find(json, shape, "type"), "mesh"))
        {
            continue;
        }
        int mesh = tdJson_Find(json, shape, "mesh");
        if (tdJson_Find(json, mesh, "convexHull") >= 0 || tdJson_Find(json, mesh, "skin") >= 0 ||
            tdJson_Find(json, mesh, "weights") >= 0)
        {
            return TD_DIALECT_KHR_2024_06;
        }
        dialect = TD_DIALECT_KHR_2024_07;
    }
    return dialect;
}

static void ReadInertia(const KhrContext* context, int object, const tdPath* path, tdRawMotion* motion)
{
    tdPhysicsReader* reader = context->reader;
    tdVec3 given;
    if (!tdPhysicsReader_GetBoundedVec3(reader, object, "inertiaDiagonal", path, TD_MAX_MASS, &given))
    {
        return;
    }
    const float diagonal[3] = {given.x, given.y, given.z};
    tdPath listPath = tdPath_Key(path, "inertiaDiagonal");
    bool isGood = true, isFinite = true;
    for (int i = 0; i < 3; ++i)
    {
        tdPath element = tdPath_Index(&listPath, i);
        if (diagonal[i] < 0.0f)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_INERTIA_NEGATIVE, &element, (double)diagonal[i]);
            isGood = false;
        }
        else if (diagonal[i] == 0.0f)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_ZERO_IS_INFINITE, &element);
            isFinite = false;
        }
    }
    motion->hasInertia = isGood;
    motion->inertiaDiagonal = given;
    if (isGood && isFinite)
    {
        tdCheckInertiaTriangle(reader, &listPath, motion->inertiaDiagonal);
    }
}

static void ReadKhrMotion(const KhrContext* context, int object, const tdPath* path, tdRawMotion* motion)
{
    tdPhysicsReader* reader = context->reader;
    tdPhysicsReader_CheckMembers(reader, object, path,
                                 context->dialect == TD_DIALECT_MSFT_2022
                                     ? "isKinematic mass centerOfMass inertiaTensor linearVelocity "
                                       "angularVelocity gravityFactor isEnabled"
                                     : "isKinematic mass centerOfMass inertiaDiagonal inertiaOrientation "
                                       "linearVelocity angularVelocity gravityFactor");
    *motion = (tdRawMotion){.isGiven = true,
                            .zeroIsInfinite = true,
                            .inertiaOrientation = tdQuat_identity,
                            .gravityFactor = 1.0f};
    bool isKinematic = false;
    tdPhysicsReader_GetBool(reader, object, "isKinematic", path, &isKinematic);
    motion->motion = isKinematic ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC;

    tdPath massPath = tdPath_Key(path, "mass");
    motion->hasMass = tdPhysicsReader_GetBounded(reader, object, "mass", path, TD_MAX_MASS, &motion->mass);
    if (motion->hasMass && motion->mass < 0.0f)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_MASS_NEGATIVE, &massPath, (double)motion->mass);
        motion->hasMass = false;
    }
    if (motion->hasMass && motion->mass == 0.0f)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_ZERO_IS_INFINITE, &massPath);
    }
    motion->hasCenterOfMass = tdPhysicsReader_GetBoundedVec3(reader, object, "centerOfMass", path,
                                                             TD_MAX_COORDINATE, &motion->centerOfMass);
    ReadInertia(context, object, path, motion);
    if (context->dialect == TD_DIALECT_MSFT_2022)
    {
        tdReadInertiaTensor(reader, object, path, motion);
    }
    tdPhysicsReader_GetQuat(reader, object, "inertiaOrientation", path, &motion->inertiaOrientation);
    tdPhysicsReader_GetBoundedVec3(reader, object, "linearVelocity", path, TD_MAX_VELOCITY,
                                   &motion->linearVelocity);
    tdPhysicsReader_GetBoundedVec3(reader, object, "angularVelocity", path, TD_MAX_VELOCITY,
                                   &motion->angularVelocity);
    tdPhysicsReader_GetBounded(reader, object, "gravityFactor", path, TD_MAX_FACTOR, &motion->gravityFactor);
}

/// Reads a shape of a table that a member of `object` refers to.
static void ReadKhrTableShape(const KhrContext* context, int object, const char* key, const tdPath* path,
                              tdShapeTable table, tdRawGeometry* geometry)
{
    const tdRawPhysics* raw = context->raw;
    int index = tdPhysicsReader_GetIndex(context->reader, object, key, path, raw->tableCounts[table],
                                         TD_DIAG_PHYS_UNRESOLVED_SHAPE, false);
    if (index >= 0)
    {
        geometry->isGiven = true;
        geometry->shape = raw->tableStarts[table] + index;
    }
}

/// Reads `geometry` of the release candidate and later: a shape, a node or a mesh.
static void ReadGeometryObject(const KhrContext* context, int object, const tdPath* path,
                               tdRawGeometry* geometry, tdDialect* dialect)
{
    tdPhysicsReader* reader = context->reader;
    const tdRawPhysics* raw = context->raw;
    tdPhysicsReader_CheckMembers(reader, object, path, "shape node mesh convexHull");
    bool hasShape = tdJson_Find(reader->json, object, "shape") >= 0;
    bool hasNode = tdJson_Find(reader->json, object, "node") >= 0;
    bool hasMesh = tdJson_Find(reader->json, object, "mesh") >= 0;
    int count = (hasShape ? 1 : 0) + (hasNode ? 1 : 0) + (hasMesh ? 1 : 0);
    *dialect = hasMesh ? TD_DIALECT_KHR_2026 : TD_DIALECT_KHR_RC;
    tdPhysicsReader_GetBool(reader, object, "convexHull", path, &geometry->convexHull);
    if (count != 1)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_GEOMETRY_ONE_OF, path, count);
        return;
    }
    if (hasShape)
    {
        ReadKhrTableShape(context, object, "shape", path, TD_TABLE_IMPLICIT_SHAPES, geometry);
        return;
    }
    if (hasNode)
    {
        geometry->node = tdPhysicsReader_GetIndex(reader, object, "node", path, raw->nodeCount,
                                                  TD_DIAG_PHYS_UNRESOLVED_NODE, false);
        geometry->isGiven = geometry->node >= 0;
        return;
    }
    geometry->mesh = tdPhysicsReader_GetIndex(reader, object, "mesh", path, raw->meshCount,
                                              TD_DIAG_PHYS_UNRESOLVED_MESH, false);
    geometry->isGiven = geometry->mesh >= 0;
}

/// Reads the geometry of a collider or trigger of any draft. False if no member gives one.
static bool ReadForm(const KhrContext* context, int object, const tdPath* path, tdRawGeometry* geometry,
                     tdDialect* dialect)
{
    tdPhysicsReader* reader = context->reader;
    *geometry = (tdRawGeometry){.shape = -1, .node = -1, .mesh = -1};
    *dialect = context->dialect;
    if (context->dialect == TD_DIALECT_MSFT_2022)
    {
        return tdReadInlineShape(reader, context->raw, object, path, geometry);
    }
    if (tdJson_Find(reader->json, object, "geometry") >= 0)
    {
        int value = tdPhysicsReader_GetObject(reader, object, "geometry", path);
        tdPath geometryPath = tdPath_Key(path, "geometry");
        if (value >= 0)
        {
            ReadGeometryObject(context, value, &geometryPath, geometry, dialect);
        }
        return true;
    }
    const char* key =
        context->dialect == TD_DIALECT_MSFT && tdJson_Find(reader->json, object, "collider") >= 0 ? "collider"
                                                                                                  : "shape";
    int value = tdJson_Find(reader->json, object, key);
    if (value < 0)
    {
        return false;
    }
    if (tdJson_IsObject(reader->json,
                        value)) // two days of July 2024: {shape, useNodeWeights} and collider.convexHull
    {
        tdPath shapePath = tdPath_Key(path, "shape");
        *dialect = TD_DIALECT_KHR_2024_07;
        ReadKhrTableShape(context, value, "shape", &shapePath, (tdShapeTable)context->legacyTable, geometry);
        tdPhysicsReader_GetBool(reader, value, "useNodeWeights", &shapePath, &geometry->useNodeWeights);
        tdPhysicsReader_GetBool(reader, object, "convexHull", path, &geometry->convexHull);
        return true;
    }
    ReadKhrTableShape(context, object, key, path, (tdShapeTable)context->legacyTable, geometry);
    return true;
}

static int ReadFilterIndex(const KhrContext* context, int object, const tdPath* path)
{
    if (context->dialect == TD_DIALECT_MSFT_2022)
    {
        return tdReadInlineFilter(context->reader, context->raw, object, path);
    }
    int index = tdPhysicsReader_GetIndex(context->reader, object, "collisionFilter", path,
                                         context->filterCount, TD_DIAG_PHYS_UNRESOLVED_FILTER, false);
    return index < 0 ? -1 : index;
}

/// Reads the filter of colliders and triggers of MSFT_physics.
#define INLINE_MEMBERS                                                                                       \
    "sphere box capsule cylinder convex mesh trimesh collisionSystem collideWithLayers "                     \
    "notCollideWithSystems"

static void ReadKhrCollider(const KhrContext* context, int object, const tdPath* path, tdRawNode* node)
{
    tdPhysicsReader* reader = context->reader;
    tdPhysicsReader_CheckMembers(reader, object, path,
                                 context->dialect == TD_DIALECT_MSFT_2022
                                     ? INLINE_MEMBERS " physicsMaterial"
                                     : "geometry shape collider convexHull physicsMaterial collisionFilter");
    node->hasCollider = true;
    if (!ReadForm(context, object, path, &node->collider, &node->dialect))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path,
                     context->dialect == TD_DIALECT_KHR_RC ? "geometry" : "shape");
    }
    int material =
        tdPhysicsReader_GetIndex(reader, object, "physicsMaterial", path, context->raw->khrMaterialCount,
                                 TD_DIAG_PHYS_UNRESOLVED_MATERIAL, false);
    node->colliderMaterial = material < 0 ? -1 : material;
    node->colliderFilter = ReadFilterIndex(context, object, path);
}

static void ReadKhrTrigger(const KhrContext* context, int object, const tdPath* path, tdRawNode* node)
{
    tdPhysicsReader* reader = context->reader;
    tdPhysicsReader_CheckMembers(reader, object, path,
                                 context->dialect == TD_DIALECT_MSFT_2022
                                     ? INLINE_MEMBERS
                                     : "geometry shape collider convexHull nodes collisionFilter");
    tdDialect dialect;
    bool hasForm = ReadForm(context, object, path, &node->trigger, &dialect);
    bool hasNodes = tdJson_Find(reader->json, object, "nodes") >= 0;
    if (!node->motion.isGiven && !node->hasCollider)
    {
        node->dialect = dialect;
    }
    if (hasForm == hasNodes)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TRIGGER_ONE_OF, path, hasForm ? "both" : "neither");
    }
    node->hasTrigger = hasForm || hasNodes;
    if (!hasNodes)
    {
        node->triggerFilter = ReadFilterIndex(context, object, path);
        return;
    }
    if (hasForm)
    {
        node->triggerFilter = ReadFilterIndex(context, object, path);
    }
    else if (tdJson_Find(reader->json, object, "collisionFilter") >= 0)
    {
        tdPath filterPath = tdPath_Key(path, "collisionFilter");
        tdReport_Add(reader->report, TD_DIAG_PHYS_TRIGGER_COMPOUND_FILTER, &filterPath);
    }
    node->isCompound = !hasForm;
    node->triggerNodes = tdReadTriggerNodes(reader, context->raw, object, path, &node->triggerNodeCount);
}

/// Reads a joint of MSFT_physics, which contains its limits; without a connected node it is fixed in the
/// world.
static void ReadInlineJoint(const KhrContext* context, int object, const tdPath* path, tdRawJoint* joint)
{
    tdPhysicsReader* reader = context->reader;
    tdPhysicsReader_CheckMembers(reader, object, path, "constraints connectedNode enableCollision");
    int constraints = tdPhysicsReader_GetArray(reader, object, "constraints", path);
    tdPath constraintsPath = tdPath_Key(path, "constraints");
    *joint = (tdRawJoint){.nodeA = -1, .desc = -1};
    joint->connectedNode = tdPhysicsReader_GetIndex(
        reader, object, "connectedNode", path, context->raw->nodeCount, TD_DIAG_PHYS_UNRESOLVED_NODE, false);
    tdPhysicsReader_GetBool(reader, object, "enableCollision", path, &joint->enableCollision);
    if (tdJson_Find(reader->json, object, "constraints") < 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, "constraints");
    }
    else if (constraints >= 0 && tdJson_GetCount(reader->json, constraints) == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_JOINT_EMPTY, &constraintsPath,
                     "neither limits nor drives and so no effect");
    }
    else if (constraints >= 0)
    {
        joint->desc = tdReadInlineJointDesc(reader, context->raw, constraints, &constraintsPath);
    }
    joint->isGiven = joint->desc >= 0 && joint->connectedNode != TD_INDEX_INVALID;
}

static void ReadKhrJoint(const KhrContext* context, int object, const tdPath* path, tdRawJoint* joint)
{
    tdPhysicsReader* reader = context->reader;
    const char* key = tdJson_Find(reader->json, object, "jointLimits") >= 0 ? "jointLimits" : "joint";
    tdPhysicsReader_CheckMembers(reader, object, path, "joint jointLimits connectedNode enableCollision");
    *joint = (tdRawJoint){.nodeA = -1};
    joint->desc = tdPhysicsReader_GetIndex(reader, object, key, path, context->jointCount,
                                           TD_DIAG_PHYS_UNRESOLVED_JOINT, false);
    joint->connectedNode = tdPhysicsReader_GetIndex(
        reader, object, "connectedNode", path, context->raw->nodeCount, TD_DIAG_PHYS_UNRESOLVED_NODE, false);
    tdPhysicsReader_GetBool(reader, object, "enableCollision", path, &joint->enableCollision);
    if (joint->desc == TD_INDEX_ABSENT)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, key);
    }
    if (joint->connectedNode == TD_INDEX_ABSENT)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, "connectedNode");
    }
    joint->isGiven = joint->desc >= 0 && joint->connectedNode >= 0;
}

static void ReadKhrNode(const KhrContext* context, int object, const tdPath* path, tdRawNode* node)
{
    tdPhysicsReader* reader = context->reader;
    bool isInline = context->dialect == TD_DIALECT_MSFT_2022;
    const char* motionKey = isInline ? "rigidBody" : "motion";
    tdPhysicsReader_CheckMembers(reader, object, path,
                                 isInline ? "rigidBody collider trigger joint"
                                          : "motion collider trigger joint");
    node->extension = node->colliderExtension = node->jointExtension = context->extension;
    node->dialect = context->dialect;
    node->colliderMaterial = node->colliderFilter = node->triggerFilter = -1;
    int value = tdPhysicsReader_GetObject(reader, object, motionKey, path);
    if (value >= 0)
    {
        tdPath memberPath = tdPath_Key(path, motionKey);
        ReadKhrMotion(context, value, &memberPath, &node->motion);
    }
    value = tdPhysicsReader_GetObject(reader, object, "collider", path);
    if (value >= 0)
    {
        tdPath memberPath = tdPath_Key(path, "collider");
        ReadKhrCollider(context, value, &memberPath, node);
    }
    value = tdPhysicsReader_GetObject(reader, object, "trigger", path);
    if (value >= 0)
    {
        tdPath memberPath = tdPath_Key(path, "trigger");
        ReadKhrTrigger(context, value, &memberPath, node);
    }
    value = tdPhysicsReader_GetObject(reader, object, "joint", path);
    if (value >= 0)
    {
        tdPath memberPath = tdPath_Key(path, "joint");
        (isInline ? ReadInlineJoint : ReadKhrJoint)(context, value, &memberPath, &node->joint);
    }
}

/// Reads the root tables of shapes.
static void ReadShapeTables(tdPhysicsReader* reader, tdRawPhysics* raw, int rootExtensions,
                            const tdPath* path, tdDialect bodyDialect)
{
    for (const tdExtension* extension = tdNextExtension(TD_ROLE_KHR_SHAPES, NULL); extension != NULL;
         extension = tdNextExtension(TD_ROLE_KHR_SHAPES, extension))
    {
        int root = tdPhysicsReader_GetObject(reader, rootExtensions, extension->name, path);
        if (root < 0)
        {
            continue;
        }
        tdDialect dialect = extension->dialect;
        if (extension->shapeTable == TD_TABLE_COLLISION_SHAPES)
        {
            dialect =
                bodyDialect == TD_DIALECT_KHR_2023_08
                    ? bodyDialect
                    : FindCollisionShapesDialect(reader->json, tdJson_Find(reader->json, root, "shapes"));
        }
        raw->isAny = true;
        tdPath rootPath = tdPath_Key(path, extension->name);
        tdReadPhysicsShapes(reader, raw, extension->shapeTable, root, extension->shapeKey, &rootPath,
                            dialect);
    }
}

static tdDialect GetBodyDialect(const tdJson* json, int rootExtensions, const tdExtension* extension)
{
    if (extension->dialect != TD_DIALECT_KHR_RC)
    {
        return extension->dialect;
    }
    // Several drafts share the name; their shapes tell them apart.
    int shapes = tdJson_Find(json, tdJson_Find(json, rootExtensions, "KHR_collision_shapes"), "shapes");
    if (shapes < 0 || tdJson_Find(json, rootExtensions, "KHR_implicit_shapes") >= 0)
    {
        return TD_DIALECT_KHR_RC;
    }
    return FindCollisionShapesDialect(json, shapes);
}

static void ReadRootTables(KhrContext* context, int root, const tdPath* path)
{
    tdPhysicsReader_CheckMembers(context->reader, root, path,
                                 "physicsMaterials collisionFilters physicsJoints physicsJointLimits");
    tdReadPhysicsMaterials(context->reader, context->raw, root, path, context->dialect);
    tdReadPhysicsFilters(context->reader, context->raw, root, path, context->dialect);
    const char* joints = tdJson_Find(context->reader->json, root, "physicsJointLimits") >= 0
                             ? "physicsJointLimits"
                             : "physicsJoints";
    tdReadPhysicsJoints(context->reader, context->raw, root, joints, path, context->dialect);
    context->raw->khrRoot = context->extension;
}

/// In MSFT_physics scenes have a gravity. In Tendon gravity belongs to the stage: a value other than 9.81
/// m/s² downwards is reported.
static void ReportSceneGravity(tdPhysicsReader* reader)
{
    tdPath rootPath = tdPath_Root();
    tdPath scenesPath = tdPath_Key(&rootPath, "scenes");
    int index = 0;
    for (int scene = tdJson_GetFirst(reader->json, tdJson_Find(reader->json, 0, "scenes")); scene >= 0;
         scene = tdJson_GetNext(reader->json, scene), ++index)
    {
        int object =
            tdJson_Find(reader->json, tdJson_Find(reader->json, scene, "extensions"), "MSFT_physics");
        tdPath scenePath = tdPath_Index(&scenesPath, index);
        tdPath extensionsPath = tdPath_Key(&scenePath, "extensions");
        tdPath path = tdPath_Key(&extensionsPath, "MSFT_physics");
        tdPath gravityPath = tdPath_Key(&path, "gravity");
        tdVec3 gravity = {0.0f, -9.81f, 0.0f};
        if (object >= 0 &&
            tdPhysicsReader_GetBoundedVec3(reader, object, "gravity", &path, TD_MAX_COORDINATE, &gravity) &&
            tdDistance(gravity, (tdVec3){0.0f, -9.81f, 0.0f}) > 0.001f)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_UNSUPPORTED_EXTENSION, &gravityPath,
                         "MSFT_physics gravity");
        }
    }
}

void tdReadKhrPhysics(tdPhysicsReader* reader, tdRawPhysics* raw)
{
    const tdJson* json = reader->json;
    tdPath rootPath = tdPath_Root();
    tdPath extensionsPath = tdPath_Key(&rootPath, "extensions");
    int rootExtensions = tdJson_Find(json, 0, "extensions");
    tdDialect shapeDialect = tdJson_Find(json, rootExtensions, "KHR_rigid_bodies") >= 0
                                 ? TD_DIALECT_KHR_2023_08
                                 : TD_DIALECT_KHR_RC;
    ReadShapeTables(reader, raw, rootExtensions, &extensionsPath, shapeDialect);

    // The tables of the first extension present count; the objects of all extensions refer to them.
    KhrContext contexts[MAX_BODY_EXTENSIONS];
    int contextCount = 0;
    bool hasTables = false;
    for (const tdExtension* extension = tdNextExtension(TD_ROLE_KHR_BODY, NULL); extension != NULL;
         extension = tdNextExtension(TD_ROLE_KHR_BODY, extension))
    {
        TD_ASSERT(contextCount < MAX_BODY_EXTENSIONS);
        KhrContext* context = &contexts[contextCount++];
        *context = (KhrContext){.reader = reader,
                                .raw = raw,
                                .extension = extension->name,
                                .dialect = GetBodyDialect(json, rootExtensions, extension),
                                .legacyTable = TD_TABLE_COLLISION_SHAPES};
        if (raw->tableCounts[TD_TABLE_COLLISION_SHAPES] < 0)
        {
            context->legacyTable = raw->tableCounts[TD_TABLE_MSFT_PRIMITIVES] >= 0 ? TD_TABLE_MSFT_PRIMITIVES
                                                                                   : TD_TABLE_IMPLICIT_SHAPES;
        }
        int root = tdPhysicsReader_GetObject(reader, rootExtensions, extension->name, &extensionsPath);
        if (root >= 0)
        {
            raw->isAny = true;
            if (!hasTables)
            {
                tdPath path = tdPath_Key(&extensionsPath, extension->name);
                ReadRootTables(context, root, &path);
                hasTables = true;
            }
        }
    }
    raw->khrMaterialCount = raw->materialCount;
    for (int i = 0; i < contextCount; ++i)
    {
        contexts[i].filterCount = raw->filterCount;
        contexts[i].jointCount = raw->jointDescCount;
    }
    ReportSceneGravity(reader);

    tdPath nodesPath = tdPath_Key(&rootPath, "nodes");
    int index = 0;
    for (int node = tdJson_GetFirst(json, raw->nodesValue); node >= 0 && index < raw->nodeCount;
         node = tdJson_GetNext(json, node), ++index)
    {
        int extensions = tdJson_Find(json, node, "extensions");
        for (int i = 0; extensions >= 0 && i < contextCount && raw->nodes[index].extension == NULL; ++i)
        {
            tdPath nodePath = tdPath_Index(&nodesPath, index);
            tdPath nodeExtensions = tdPath_Key(&nodePath, "extensions");
            tdPath path = tdPath_Key(&nodeExtensions, contexts[i].extension);
            int object =
                tdPhysicsReader_GetObject(reader, extensions, contexts[i].extension, &nodeExtensions);
            if (object >= 0)
            {
                raw->isAny = true;
                ReadKhrNode(&contexts[i], object, &path, &raw->nodes[index]);
            }
        }
    }
    raw->khrFilterCount = raw->filterCount;
    raw->khrJointCount = raw->jointDescCount;
}
