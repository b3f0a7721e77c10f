// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads OMI_physics_body, OMI_physics_shape, OMI_collider and OMI_physics_joint, early and current
// (docs/spec/physics.md 7), into the same raw objects as KHR. The defaults differ: mass 1, centre of mass at
// the node, inertia zero means computed.
#include "omi_physics.h"

#include "physics.h"
#include "physics_joint_limits.h"
#include "physics_read.h"
#include "physics_shapes.h"
#include "physics_tables.h"

#include <string.h>

typedef struct OmiContext
{
    tdPhysicsReader* reader;
    tdRawPhysics* raw;
    bool hasShapeTable;     // OMI_physics_shape at the root
    const int* constraints; // O1: JSON values of the constraints table
    int constraintCount;
    bool hasConstraints; // O1: the table is there
} OmiContext;

static bool HasPrefix(const char* text, size_t length, const char* prefix)
{
    size_t size = strlen(prefix);
    return length >= size && memcmp(text, prefix, size) == 0;
}

/// Warns about OMI extensions that Tendon does not support.
static void ReportUnsupported(tdPhysicsReader* reader, int extensions, const tdPath* path)
{
    for (int value = tdJson_GetFirst(reader->json, extensions); value >= 0;
         value = tdJson_GetNext(reader->json, value))
    {
        size_t length;
        const char* key = tdJson_GetKey(reader->json, value, &length);
        if (key != NULL && length < 64 &&
            (HasPrefix(key, length, "OMI_physics_gravity") || HasPrefix(key, length, "OMI_vehicle")))
        {
            char name[64];
            memcpy(name, key, length);
            name[length] = 0;
            tdPath member = tdPath_Key(path, name);
            tdReport_Add(reader->report, TD_DIAG_PHYS_UNSUPPORTED_EXTENSION, &member, name);
        }
    }
}

/// Reads mass, centre and velocities, which all OMI motions share.
static void ReadMotionNumbers(tdPhysicsReader* reader, int object, const tdPath* path, tdDialect dialect,
                              tdRawMotion* motion)
{
    tdPath massPath = tdPath_Key(path, "mass");
    motion->hasMass = true;
    motion->mass = 1.0f;
    if (tdPhysicsReader_GetBounded(reader, object, "mass", path, TD_MAX_MASS, &motion->mass) &&
        !(motion->mass > 0.0f))
    {
        if (motion->mass < 0.0f)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_MASS_NEGATIVE, &massPath, (double)motion->mass);
            motion->hasMass = false;
        }
        else
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_MASS_ZERO, &massPath);
            motion->mass = 1.0f;
        }
    }
    // Default: the origin of the node; early OMI: computed from the shapes.
    motion->hasCenterOfMass = tdPhysicsReader_GetBoundedVec3(reader, object, "centerOfMass", path,
                                                             TD_MAX_COORDINATE, &motion->centerOfMass) ||
                              dialect != TD_DIALECT_OMI_EARLY;
    tdPhysicsReader_GetBoundedVec3(reader, object, "linearVelocity", path, TD_MAX_VELOCITY,
                                   &motion->linearVelocity);
    tdPhysicsReader_GetBoundedVec3(reader, object, "angularVelocity", path, TD_MAX_VELOCITY,
                                   &motion->angularVelocity);
}

/// The type string is in the extension object itself.
static void ReadEarlyBody(tdPhysicsReader* reader, int object, const tdPath* path, tdDialect dialect,
                          tdRawMotion* motion)
{
    static const char* const types[] = {"static",  "kinematic", "character", "rigid",
                                        "vehicle", "dynamic",   "trigger",   NULL};
    tdPhysicsReader_CheckMembers(reader, object, path,
                                 "type mass linearVelocity angularVelocity inertiaTensor centerOfMass");
    if (tdJson_Find(reader->json, object, "type") < 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, "type");
        return;
    }
    int type = tdPhysicsReader_GetEnum(reader, object, "type", path, types,
                                       "static, kinematic, character, rigid, vehicle, dynamic, trigger",
                                       TD_SEVERITY_ERROR);
    if (type < 0)
    {
        return;
    }
    *motion = (tdRawMotion){.isGiven = true, .inertiaOrientation = tdQuat_identity, .gravityFactor = 1.0f};
    motion->isTriggerBody = type == 6;
    motion->motion =
        type == 0 || type == 6 ? TD_MOTION_STATIC : (type <= 2 ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC);
    ReadMotionNumbers(reader, object, path, dialect, motion);
    tdReadInertiaTensor(reader, object, path, motion);
}

static void ReadOmiMotion(tdPhysicsReader* reader, int object, const tdPath* path, tdRawMotion* motion)
{
    static const char* const types[] = {"static", "kinematic", "dynamic", NULL};
    tdPhysicsReader_CheckMembers(reader, object, path,
                                 "type mass centerOfMass inertiaDiagonal inertiaOrientation linearVelocity "
                                 "angularVelocity gravityFactor");
    int type = tdPhysicsReader_GetEnum(reader, object, "type", path, types, "static, kinematic, dynamic",
                                       TD_SEVERITY_ERROR);
    if (type == TD_INDEX_ABSENT)
    {
        // An official example has none and means a dynamic body.
        tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, "type");
        type = 2;
    }
    if (type < 0)
    {
        return;
    }
    *motion = (tdRawMotion){.isGiven = true,
                            .motion = (tdMotion)(TD_MOTION_STATIC + type),
                            .inertiaOrientation = tdQuat_identity,
                            .gravityFactor = 1.0f};
    ReadMotionNumbers(reader, object, path, TD_DIALECT_OMI_CURRENT, motion);
    tdVec3 given;
    tdPath listPath = tdPath_Key(path, "inertiaDiagonal");
    if (tdPhysicsReader_GetBoundedVec3(reader, object, "inertiaDiagonal", path, TD_MAX_MASS, &given))
    {
        const float diagonal[3] = {given.x, given.y, given.z};
        bool isGood = true;
        for (int i = 0; i < 3; ++i)
        {
            if (diagonal[i] < 0.0f)
            {
                tdPath element = tdPath_Index(&listPath, i);
                tdReport_Add(reader->report, TD_DIAG_PHYS_INERTIA_NEGATIVE, &element, (double)diagonal[i]);
                isGood = false;
            }
        }
        motion->inertiaDiagonal = given;
        motion->hasInertia = isGood && (diagonal[0] > 0.0f || diagonal[1] > 0.0f || diagonal[2] > 0.0f);
        if (isGood && diagonal[0] > 0.0f && diagonal[1] > 0.0f && diagonal[2] > 0.0f)
        {
            tdCheckInertiaTriangle(reader, &listPath, motion->inertiaDiagonal);
        }
    }
    tdPhysicsReader_GetQuat(reader, object, "inertiaOrientation", path, &motion->inertiaOrientation);
    tdPhysicsReader_GetBounded(reader, object, "gravityFactor", path, TD_MAX_FACTOR, &motion->gravityFactor);
}

/// Reads a shape index. False if it is absent or -1.
static bool ReadOmiTableShape(const OmiContext* context, int object, const char* key, const tdPath* path,
                              tdShapeTable table, tdRawGeometry* geometry)
{
    const tdRawPhysics* raw = context->raw;
    *geometry = (tdRawGeometry){.shape = -1, .node = -1, .mesh = -1};
    int index = tdPhysicsReader_GetIndex(context->reader, object, key, path, raw->tableCounts[table],
                                         TD_DIAG_PHYS_UNRESOLVED_SHAPE, true);
    if (index >= 0)
    {
        geometry->isGiven = true;
        geometry->shape = raw->tableStarts[table] + index;
    }
    return index != TD_INDEX_ABSENT;
}

/// Converts an index of the OMI table to one of the joined table.
static int ReadTableIndex(const OmiContext* context, int object, const char* key, const tdPath* path,
                          int start, int end, tdDiagnosticCode code)
{
    int index = tdPhysicsReader_GetIndex(context->reader, object, key, path, end - start, code, true);
    return index < 0 ? -1 : start + index;
}

static void ReadOmiCollider(const OmiContext* context, int object, const tdPath* path, tdRawNode* node)
{
    const tdRawPhysics* raw = context->raw;
    tdPhysicsReader_CheckMembers(context->reader, object, path, "shape physicsMaterial collisionFilter");
    ReadOmiTableShape(context, object, "shape", path, TD_TABLE_OMI_SHAPES, &node->collider);
    node->hasCollider = node->collider.isGiven; // without a shape it groups the colliders below it
    node->colliderMaterial = ReadTableIndex(context, object, "physicsMaterial", path, raw->khrMaterialCount,
                                            raw->materialCount, TD_DIAG_PHYS_UNRESOLVED_MATERIAL);
    node->colliderFilter = ReadTableIndex(context, object, "collisionFilter", path, raw->khrFilterCount,
                                          raw->filterCount, TD_DIAG_PHYS_UNRESOLVED_FILTER);
}

static void ReadOmiTrigger(const OmiContext* context, int object, const tdPath* path, tdRawNode* node)
{
    tdPhysicsReader* reader = context->reader;
    tdPhysicsReader_CheckMembers(reader, object, path, "shape nodes collisionFilter");
    bool hasShape = ReadOmiTableShape(context, object, "shape", path, TD_TABLE_OMI_SHAPES, &node->trigger);
    node->triggerFilter =
        ReadTableIndex(context, object, "collisionFilter", path, context->raw->khrFilterCount,
                       context->raw->filterCount, TD_DIAG_PHYS_UNRESOLVED_FILTER);
    int nodes = tdJson_Find(reader->json, object, "nodes");
    bool hasNodes = tdJson_GetCount(reader->json, nodes) > 0; // an empty list is the default
    node->hasTrigger = true;
    if (hasNodes)
    {
        node->isCompound = !node->trigger.isGiven;
        node->triggerNodes = tdReadTriggerNodes(reader, context->raw, object, path, &node->triggerNodeCount);
    }
    else if (!hasShape)
    {
        // In official examples an empty object is a group: the union of the triggers below it.
        tdReport_AddAs(reader->report, TD_SEVERITY_WARNING, TD_DIAG_PHYS_TRIGGER_ONE_OF, path, "neither");
        node->isCompound = true;
        node->unitesDescendants = true;
    }
}

static void ReadOmiJoint(const OmiContext* context, int object, const tdPath* path, tdRawJoint* joint)
{
    tdPhysicsReader* reader = context->reader;
    tdRawPhysics* raw = context->raw;
    *joint = (tdRawJoint){.nodeA = -1, .frameNode = -1};
    if (tdJson_Find(reader->json, object, "constraints") < 0 &&
        (tdJson_Find(reader->json, object, "joint") >= 0 ||
         tdJson_Find(reader->json, object, "connectedNode") >= 0 || !context->hasConstraints))
    {
        tdPhysicsReader_CheckMembers(reader, object, path, "joint connectedNode enableCollision");
        joint->desc = ReadTableIndex(context, object, "joint", path, raw->khrJointCount,
                                     raw->khrJointCount + raw->omiJointCount, TD_DIAG_PHYS_UNRESOLVED_JOINT);
        joint->connectedNode = tdPhysicsReader_GetIndex(reader, object, "connectedNode", path, raw->nodeCount,
                                                        TD_DIAG_PHYS_UNRESOLVED_NODE, false);
        tdPhysicsReader_GetBool(reader, object, "enableCollision", path, &joint->enableCollision);
        if (tdJson_Find(reader->json, object, "joint") < 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, "joint");
        }
        if (joint->connectedNode == TD_INDEX_ABSENT)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, "connectedNode");
        }
        joint->isGiven = joint->desc >= 0 && joint->connectedNode >= 0;
        return;
    }
    tdPhysicsReader_CheckMembers(reader, object, path, "constraints nodeA nodeB");
    static const char* const required[] = {"constraints", "nodeA", "nodeB"};
    for (int i = 0; i < 3; ++i)
    {
        if (tdJson_Find(reader->json, object, required[i]) < 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, required[i]);
        }
    }
    int nodeA = tdPhysicsReader_GetIndex(reader, object, "nodeA", path, raw->nodeCount,
                                         TD_DIAG_PHYS_UNRESOLVED_NODE, true);
    int nodeB = tdPhysicsReader_GetIndex(reader, object, "nodeB", path, raw->nodeCount,
                                         TD_DIAG_PHYS_UNRESOLVED_NODE, true);
    int indices = tdPhysicsReader_GetArray(reader, object, "constraints", path);
    tdPath indicesPath = tdPath_Key(path, "constraints");
    if (indices < 0)
    {
        return;
    }
    if (tdJson_GetCount(reader->json, indices) == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_JOINT_EMPTY, &indicesPath,
                     "neither limits nor drives and so no effect");
        return;
    }
    // tdConvertAsset writes what early OMI cannot express into the extras.
    int64_t frameNode = -1;
    tdJson_GetInteger(reader->json, tdFindExtra(reader->json, object, TD_EXTRA_CONNECTED_NODE), &frameNode);
    int desc = tdReadEarlyJointDesc(reader, raw, context->constraints, context->constraintCount, indices,
                                    &indicesPath, frameNode < 0);
    *joint = (tdRawJoint){.isGiven = desc >= 0 && nodeA >= 0 && nodeB >= 0,
                          .desc = desc,
                          .nodeA = nodeA,
                          .connectedNode = nodeB,
                          .frameNode = frameNode >= 0 && frameNode < raw->nodeCount ? (int)frameNode : -1};
}

/// OMI joints should be on a node without other objects.
static void CheckJointNode(tdPhysicsReader* reader, int node, int extensions, const tdPath* nodePath)
{
    static const struct
    {
        const char *member, *extension, *what;
    } others[] = {
        {"mesh", NULL, "mesh"},
        {"camera", NULL, "camera"},
        {NULL, "KHR_lights_punctual", "light"},
        {NULL, "OMI_collider", "collider"},
        {NULL, "OMI_physics_shape", "collider"},
        {NULL, "OMI_physics_body", "body"},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i)
    {
        int object = others[i].member != NULL ? node : extensions;
        const char* key = others[i].member != NULL ? others[i].member : others[i].extension;
        if (tdJson_Find(reader->json, object, key) >= 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_JOINT_NODE_SHARED, nodePath, others[i].what);
        }
    }
}

static void ReadOmiNode(const OmiContext* context, int node, int extensions, const tdPath* nodePath,
                        tdRawNode* raw)
{
    tdPhysicsReader* reader = context->reader;
    tdPath extensionsPath = tdPath_Key(nodePath, "extensions");
    tdPath bodyPath = tdPath_Key(&extensionsPath, "OMI_physics_body");
    tdPath colliderPath = tdPath_Key(&extensionsPath, "OMI_collider");
    tdPath shapePath = tdPath_Key(&extensionsPath, "OMI_physics_shape");
    tdPath jointPath = tdPath_Key(&extensionsPath, "OMI_physics_joint");
    int body = tdPhysicsReader_GetObject(reader, extensions, "OMI_physics_body", &extensionsPath);
    int collider = tdPhysicsReader_GetObject(reader, extensions, "OMI_collider", &extensionsPath);
    int shape = tdPhysicsReader_GetObject(reader, extensions, "OMI_physics_shape", &extensionsPath);
    int joint = tdPhysicsReader_GetObject(reader, extensions, "OMI_physics_joint", &extensionsPath);
    if (body < 0 && collider < 0 && shape < 0 && joint < 0)
    {
        return;
    }
    context->raw->isAny = true;
    const char* first =
        body >= 0
            ? "OMI_physics_body"
            : (collider >= 0 ? "OMI_collider" : (shape >= 0 ? "OMI_physics_shape" : "OMI_physics_joint"));
    if (raw->extension != NULL)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_MIXED_DIALECTS, &extensionsPath, raw->extension, first);
        return;
    }
    raw->extension = body >= 0 ? "OMI_physics_body" : first;
    raw->colliderExtension =
        collider >= 0 ? "OMI_collider" : (shape >= 0 ? "OMI_physics_shape" : "OMI_physics_body");
    raw->jointExtension = "OMI_physics_joint";
    raw->colliderMaterial = raw->colliderFilter = raw->triggerFilter = -1;
    raw->dialect = TD_DIALECT_OMI_CURRENT;
    if (body >= 0)
    {
        int motion = tdJson_Find(reader->json, body, "motion");
        int bodyCollider = tdJson_Find(reader->json, body, "collider");
        int trigger = tdJson_Find(reader->json, body, "trigger");
        if (motion < 0 && bodyCollider < 0 && trigger < 0 && tdJson_Find(reader->json, body, "type") >= 0)
        {
            raw->dialect = context->hasShapeTable ? TD_DIALECT_OMI_2023_06 : TD_DIALECT_OMI_EARLY;
            ReadEarlyBody(reader, body, &bodyPath, raw->dialect, &raw->motion);
            raw->isJointEnd = raw->motion.isGiven && tdIsJointEnd(reader->json, body);
            if (raw->isJointEnd)
            {
                raw->motion.isGiven = false;
            }
        }
        else
        {
            tdPhysicsReader_CheckMembers(reader, body, &bodyPath, "motion collider trigger");
            motion = tdPhysicsReader_GetObject(reader, body, "motion", &bodyPath);
            bodyCollider = tdPhysicsReader_GetObject(reader, body, "collider", &bodyPath);
            trigger = tdPhysicsReader_GetObject(reader, body, "trigger", &bodyPath);
            tdPath motionPath = tdPath_Key(&bodyPath, "motion");
            tdPath bodyColliderPath = tdPath_Key(&bodyPath, "collider");
            tdPath triggerPath = tdPath_Key(&bodyPath, "trigger");
            if (motion >= 0)
            {
                ReadOmiMotion(reader, motion, &motionPath, &raw->motion);
            }
            if (bodyCollider >= 0)
            {
                ReadOmiCollider(context, bodyCollider, &bodyColliderPath, raw);
            }
            if (trigger >= 0)
            {
                ReadOmiTrigger(context, trigger, &triggerPath, raw);
            }
        }
    }
    if (collider >= 0)
    {
        tdPhysicsReader_CheckMembers(reader, collider, &colliderPath, "collider");
        raw->dialect = TD_DIALECT_OMI_EARLY;
        ReadOmiTableShape(context, collider, "collider", &colliderPath, TD_TABLE_OMI_COLLIDERS,
                          &raw->collider);
        raw->hasCollider = true;
        if (tdJson_Find(reader->json, collider, "collider") < 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, &colliderPath, "collider");
        }
    }
    if (shape >= 0)
    {
        tdPhysicsReader_CheckMembers(reader, shape, &shapePath, "shape");
        raw->dialect = TD_DIALECT_OMI_2023_06;
        ReadOmiTableShape(context, shape, "shape", &shapePath, TD_TABLE_OMI_SHAPES, &raw->collider);
        raw->hasCollider = true;
        if (tdJson_Find(reader->json, shape, "shape") < 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, &shapePath, "shape");
        }
    }
    if (joint >= 0)
    {
        ReadOmiJoint(context, joint, &jointPath, &raw->joint);
        CheckJointNode(reader, node, extensions, nodePath);
    }
}

/// Whether any body has the form used since September 2023.
static bool HasCurrentBody(const tdJson* json, int nodes)
{
    for (int node = tdJson_GetFirst(json, nodes); node >= 0; node = tdJson_GetNext(json, node))
    {
        int body = tdJson_Find(json, tdJson_Find(json, node, "extensions"), "OMI_physics_body");
        if (tdJson_Find(json, body, "motion") >= 0 || tdJson_Find(json, body, "collider") >= 0 ||
            tdJson_Find(json, body, "trigger") >= 0)
        {
            return true;
        }
    }
    return false;
}

static void ReadJointTables(OmiContext* context, int root, const tdPath* path)
{
    tdPhysicsReader* reader = context->reader;
    tdPhysicsReader_CheckMembers(reader, root, path, "physicsJoints constraints");
    tdReadPhysicsJoints(reader, context->raw, root, "physicsJoints", path, TD_DIALECT_OMI_CURRENT);
    int constraints = tdPhysicsReader_GetArray(reader, root, "constraints", path);
    if (constraints < 0)
    {
        return;
    }
    tdPath constraintsPath = tdPath_Key(path, "constraints");
    int count = tdJson_GetCount(reader->json, constraints);
    context->hasConstraints = true;
    if (count == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_EMPTY_ARRAY, &constraintsPath);
        return;
    }
    tdCheckEarlyConstraints(reader, context->raw, constraints, &constraintsPath);
    int* values = tdPhysicsReader_New(reader, int, count);
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, constraints); value >= 0 && values != NULL;
         value = tdJson_GetNext(reader->json, value))
    {
        values[i++] = value;
    }
    context->constraints = values;
    context->constraintCount = values != NULL ? count : 0;
}

void tdReadOmiPhysics(tdPhysicsReader* reader, tdRawPhysics* raw)
{
    const tdJson* json = reader->json;
    tdPath rootPath = tdPath_Root();
    tdPath path = tdPath_Key(&rootPath, "extensions");
    int rootExtensions = tdJson_Find(json, 0, "extensions");
    OmiContext context = {.reader = reader, .raw = raw};

    int colliders = tdPhysicsReader_GetObject(reader, rootExtensions, "OMI_collider", &path);
    int shapes = tdPhysicsReader_GetObject(reader, rootExtensions, "OMI_physics_shape", &path);
    int body = tdPhysicsReader_GetObject(reader, rootExtensions, "OMI_physics_body", &path);
    int joint = tdPhysicsReader_GetObject(reader, rootExtensions, "OMI_physics_joint", &path);
    raw->isAny = raw->isAny || colliders >= 0 || shapes >= 0 || body >= 0 || joint >= 0;
    context.hasShapeTable = shapes >= 0;
    ReportUnsupported(reader, rootExtensions, &path);
    if (colliders >= 0)
    {
        tdPath tablePath = tdPath_Key(&path, "OMI_collider");
        tdReadPhysicsShapes(reader, raw, TD_TABLE_OMI_COLLIDERS, colliders, "colliders", &tablePath,
                            TD_DIALECT_OMI_EARLY);
    }
    if (shapes >= 0)
    {
        tdPath tablePath = tdPath_Key(&path, "OMI_physics_shape");
        bool isCurrent = body >= 0 || HasCurrentBody(json, raw->nodesValue);
        tdReadPhysicsShapes(reader, raw, TD_TABLE_OMI_SHAPES, shapes, "shapes", &tablePath,
                            isCurrent ? TD_DIALECT_OMI_CURRENT : TD_DIALECT_OMI_2023_06);
    }
    if (body >= 0)
    {
        tdPath bodyPath = tdPath_Key(&path, "OMI_physics_body");
        tdPhysicsReader_CheckMembers(reader, body, &bodyPath, "physicsMaterials collisionFilters");
        tdReadPhysicsMaterials(reader, raw, body, &bodyPath, TD_DIALECT_OMI_CURRENT);
        tdReadPhysicsFilters(reader, raw, body, &bodyPath, TD_DIALECT_OMI_CURRENT);
    }
    if (joint >= 0)
    {
        tdPath jointPath = tdPath_Key(&path, "OMI_physics_joint");
        ReadJointTables(&context, joint, &jointPath);
    }
    raw->omiJointCount = raw->jointDescCount - raw->khrJointCount;

    tdPath nodesPath = tdPath_Key(&rootPath, "nodes");
    int index = 0;
    for (int node = tdJson_GetFirst(json, raw->nodesValue); node >= 0 && index < raw->nodeCount;
         node = tdJson_GetNext(json, node), ++index)
    {
        int extensions = tdJson_Find(json, node, "extensions");
        if (tdJson_GetCount(json, extensions) > 0)
        {
            tdPath nodePath = tdPath_Index(&nodesPath, index);
            tdPath extensionsPath = tdPath_Key(&nodePath, "extensions");
            ReportUnsupported(reader, extensions, &extensionsPath);
            ReadOmiNode(&context, node, extensions, &nodePath, &raw->nodes[index]);
        }
    }
}
