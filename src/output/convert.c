// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Physics of the active scene in another dialect: tables at the root, objects at the nodes, names in
// extensionsUsed. Old objects go, new ones take their place; members that no draft defines move along.
#include "convert.h"

#include "base/number.h"
#include "import/import.h"
#include "import/physics.h"

#include <string.h>

#define HUGE_MASS 1.0e9f // kg or kg m^2: what OMI, which has no infinite ones, can say instead

void tdConverter_Report(tdConverter* converter, const tdPath* path, const char* what, const char* instead)
{
    static const char* const names[] = {"KHR_physics_rigid_bodies", "KHR_collision_shapes",
                                        "OMI_physics_body", "early OMI"};
    tdReport_Add(converter->report, TD_DIAG_CONVERT_APPROXIMATED, path, what, names[converter->target],
                 instead);
}

/// A point of the body's frame in node space.
tdVec3 tdConverter_ToNodeSpace(const tdConverter* converter, const tdPhysicsBody* body, tdVec3 point)
{
    const tdNodeTree* nodes = &converter->asset->scene.nodes;
    tdMat4 global = tdMat4_identity;
    for (int node = body->node; node >= 0; node = nodes->parents[node])
    {
        bool isSheared = nodes->isSheared != NULL && nodes->isSheared[node];
        global = tdMulMat4(isSheared ? nodes->matrices[node] : tdMat4FromTrs(nodes->locals[node]), global);
    }
    return tdMulMat3Vec3(tdInverse(tdMat4Linear(global)), tdRotate(body->frame.rotation, point));
}

static float Finite(float value)
{
    return value < INFINITY ? value : HUGE_MASS;
}

static void AppendVelocity(tdMembers* members, const tdPhysicsBody* body)
{
    if (tdLengthSquared(body->fileLinearVelocity) > 0.0f)
    {
        tdMembers_Numbers(members, "linearVelocity", &body->fileLinearVelocity.x, 3);
    }
    if (tdLengthSquared(body->fileAngularVelocity) > 0.0f)
    {
        tdMembers_Numbers(members, "angularVelocity", &body->fileAngularVelocity.x, 3);
    }
}

/// Mass properties in KHR's terms: absent is computed, zero is infinite.
static void AppendKhrMotion(tdConverter* converter, tdMembers* members, const tdPhysicsBody* body)
{
    bool isOmi = body->dialect >= TD_DIALECT_OMI_EARLY;
    if (body->motion == TD_MOTION_KINEMATIC)
    {
        tdMembers_Bool(members, "isKinematic", true);
    }
    if (body->hasMass)
    {
        tdMembers_Number(members, "mass", body->mass < INFINITY ? body->mass : 0.0f);
    }
    if (!isnan(body->fileCenterOfMass.x))
    {
        tdMembers_Numbers(members, "centerOfMass", &body->fileCenterOfMass.x, 3);
    }
    if (!isnan(body->fileInertiaDiagonal.x))
    {
        // OMI: a zero stands for the computed moment, which is made explicit.
        tdVec3 diagonal = isOmi ? body->inertiaDiagonal : body->fileInertiaDiagonal;
        tdMembers_Numbers(members, "inertiaDiagonal", &diagonal.x, 3);
        tdMembers_Numbers(members, "inertiaOrientation", &body->fileInertiaOrientation.x, 4);
    }
    else if (body->hasTensor)
    {
        tdMembers_Numbers(members, "inertiaDiagonal", &body->inertiaDiagonal.x, 3);
        tdMembers_Numbers(members, "inertiaOrientation", &body->inertiaOrientation.x, 4);
    }
    AppendVelocity(members, body);
    if (body->gravityFactor != 1.0f)
    {
        tdMembers_Number(members, "gravityFactor", body->gravityFactor);
    }
    (void)converter;
}

static bool HasInfinite(const tdPhysicsBody* body)
{
    return body->motion == TD_MOTION_DYNAMIC &&
           !(body->mass < INFINITY && body->inertiaDiagonal.x < INFINITY &&
             body->inertiaDiagonal.y < INFINITY && body->inertiaDiagonal.z < INFINITY);
}

/// Mass properties in OMI's terms: mass 1 and the node's origin are the defaults, zero inertia is computed.
static void AppendOmiMotion(tdConverter* converter, tdMembers* members, const tdPhysicsBody* body,
                            const tdPath* path)
{
    static const char* const types[] = {"static", "kinematic", "dynamic"};
    bool isEarly = converter->target == TD_PHYSICS_OMI_EARLY;
    tdMembers_String(members, "type",
                     isEarly && body->motion == TD_MOTION_DYNAMIC ? "rigid" : types[body->motion]);
    if (HasInfinite(body))
    {
        tdConverter_Report(converter, path, "An infinite mass or inertia", "1e9 is written");
    }
    if (body->motion == TD_MOTION_DYNAMIC)
    {
        tdMembers_Number(members, "mass", Finite(body->mass));
        tdVec3 center = isnan(body->fileCenterOfMass.x)
                            ? tdConverter_ToNodeSpace(converter, body, body->centerOfMass)
                            : body->fileCenterOfMass;
        tdMembers_Numbers(members, "centerOfMass", &center.x, 3);
        bool isGiven = !isnan(body->fileInertiaDiagonal.x) || body->hasTensor || HasInfinite(body);
        tdVec3 d = {Finite(body->inertiaDiagonal.x), Finite(body->inertiaDiagonal.y),
                    Finite(body->inertiaDiagonal.z)};
        if (isGiven && !isEarly)
        {
            tdMembers_Numbers(members, "inertiaDiagonal", &d.x, 3);
            tdMembers_Numbers(members, "inertiaOrientation", &body->inertiaOrientation.x, 4);
        }
        else if (isGiven)
        {
            tdMat3 axes = tdMat3FromQuat(body->inertiaOrientation);
            tdMat3 tensor = tdMulMat3(tdMulMat3(axes, tdDiagonal(d)), tdTranspose(axes));
            tdMembers_Numbers(members, "inertiaTensor", &tensor.cx.x, 9);
        }
    }
    AppendVelocity(members, body);
    if (body->gravityFactor != 1.0f)
    {
        if (isEarly)
        {
            tdConverter_Report(converter, path, "A gravityFactor", "it is left out");
        }
        else
        {
            tdMembers_Number(members, "gravityFactor", body->gravityFactor);
        }
    }
}

typedef struct NewObjects
{
    tdText shapes, constraints; // tables being filled while nodes are written
    int shapeCount, constraintCount;
    tdText body, collider, joint; // extension objects of the node at hand; empty: none
} NewObjects;

static int FindOldObject(const tdConverter* converter, int node, const char* member)
{
    static const char* const names[] = {"KHR_physics_rigid_bodies", "KHR_rigid_bodies", "MSFT_rigid_bodies",
                                        "MSFT_physics", "OMI_physics_body"};
    int extensions = tdJson_Find(converter->json, converter->nodeValues[node], "extensions");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        int object = tdJson_Find(converter->json, tdJson_Find(converter->json, extensions, names[i]), member);
        if (object >= 0)
        {
            return object;
        }
    }
    return TD_JSON_NONE;
}

static int FindOldJoint(const tdConverter* converter, int node)
{
    int object = FindOldObject(converter, node, "joint");
    int extensions = tdJson_Find(converter->json, converter->nodeValues[node], "extensions");
    return object >= 0 ? object : tdJson_Find(converter->json, extensions, "OMI_physics_joint");
}

#define MOTION_MEMBERS                                                                                       \
    "type isKinematic mass centerOfMass inertiaDiagonal inertiaOrientation inertiaTensor linearVelocity "    \
    "angularVelocity gravityFactor"
#define COLLIDER_MEMBERS                                                                                     \
    "geometry shape collider convexHull physicsMaterial collisionFilter nodes sphere box capsule cylinder "  \
    "convex mesh trimesh collisionSystem collideWithLayers notCollideWithSystems"

/// collider or trigger: its form, material and filter.
static void AppendCollider(tdConverter* converter, NewObjects* objects, tdMembers* body, int collider,
                           const char* key)
{
    const tdPhysicsCollider* source = &converter->physics->colliders[collider];
    tdText* text = body->text;
    tdMembers_Key(body, key);
    tdText_AppendChar(text, '{');
    tdMembers members = {text, 0};
    if (converter->target == TD_PHYSICS_KHR)
    {
        tdMembers_Key(&members, "geometry");
        tdConverter_AppendGeometry(converter, text, &objects->shapes, &objects->shapeCount, collider);
    }
    else
    {
        int shape = tdConverter_UseShape(converter, &objects->shapes, &objects->shapeCount, collider);
        tdMembers_Integer(&members, "shape", shape);
    }
    if (source->material >= 0 && !source->isTrigger)
    {
        tdMembers_Integer(&members, "physicsMaterial", source->material);
    }
    if (source->filter >= 0)
    {
        tdMembers_Integer(&members, "collisionFilter", source->filter);
    }
    tdMembers_Unknown(&members, converter->json, FindOldObject(converter, source->node, key),
                      COLLIDER_MEMBERS);
    tdText_AppendChar(text, '}');
}

static void AppendCompound(tdConverter* converter, tdMembers* body, int compound)
{
    const tdPhysicsTrigger* trigger = &converter->physics->triggers[compound];
    tdMembers_Key(body, "trigger");
    tdText_AppendString(body->text, "{\"nodes\":[");
    for (int i = 0; i < trigger->colliderCount; ++i)
    {
        tdText_AppendFormat(body->text, "%s%d", i > 0 ? "," : "",
                            converter->physics->colliders[trigger->colliders[i]].node);
    }
    tdText_AppendString(body->text, "]}");
}

void tdConverter_AppendJoint(tdMembers* members, const tdPhysicsJoint* joint)
{
    tdMembers_Integer(members, "joint", joint->desc);
    tdMembers_Integer(members, "connectedNode", joint->connectedNode);
    if (joint->enableCollision)
    {
        tdMembers_Bool(members, "enableCollision", true);
    }
}

/// The frame of a joint's side in the world.
static tdTransform GetFrame(const tdConverter* converter, int body, tdTransform frame)
{
    return body >= 0 ? tdMulTransform(converter->physics->bodies[body].frame, frame) : frame;
}

static int GetEarlyEnd(const tdConverter* converter, int body, int node)
{
    return body >= 0 ? converter->physics->bodies[body].node : node;
}

/// Ends of early joints are bodies: nodes in the world get a static one.
static void FindStaticEnds(tdConverter* converter)
{
    for (int i = 0; i < converter->physics->jointCount; ++i)
    {
        const tdPhysicsJoint* joint = &converter->physics->joints[i];
        converter->needsStaticBody[joint->node] = converter->needsStaticBody[joint->node] || joint->bodyA < 0;
        if (joint->connectedNode >= 0)
        {
            converter->needsStaticBody[joint->connectedNode] =
                converter->needsStaticBody[joint->connectedNode] || joint->bodyB < 0;
        }
    }
}

static void AppendEarlyJoint(tdConverter* converter, NewObjects* objects, const tdPhysicsJoint* joint,
                             const tdPath* path)
{
    tdTransform a = GetFrame(converter, joint->bodyA, joint->frameA);
    tdTransform b = GetFrame(converter, joint->bodyB, joint->frameB);
    if (tdDistance(a.position, b.position) > 1.0e-4f || tdAngleBetween(a.rotation, b.rotation) > 1.0e-4f)
    {
        tdConverter_Report(converter, path, "A joint whose two frames differ",
                           "the frame of the joint's node is taken for both");
    }
    if (joint->enableCollision)
    {
        tdConverter_Report(converter, path, "enableCollision", "it is left out");
    }
    int first = objects->constraintCount;
    int count = tdConverter_AppendConstraints(converter, &objects->constraints, &objects->constraintCount,
                                              joint->desc, path);
    tdText_AppendString(&objects->joint, "{\"constraints\":[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendFormat(&objects->joint, "%s%d", i > 0 ? "," : "", first + i);
    }
    tdText_AppendFormat(&objects->joint, "],\"nodeA\":%d,\"nodeB\":%d}",
                        GetEarlyEnd(converter, joint->bodyA, joint->node),
                        GetEarlyEnd(converter, joint->bodyB, joint->connectedNode));
}

/// Everything of one node in early OMI: body, collider and joint are extensions of their own.
static void WriteEarlyNode(tdConverter* converter, NewObjects* objects, int node, const tdPath* path)
{
    const tdPhysicsScene* physics = converter->physics;
    if (converter->bodyAt[node] >= 0)
    {
        tdMembers members = {&objects->body, 0};
        tdText_AppendChar(&objects->body, '{');
        AppendOmiMotion(converter, &members, &physics->bodies[converter->bodyAt[node]], path);
        tdMembers_Unknown(&members, converter->json, FindOldObject(converter, node, "motion"),
                          MOTION_MEMBERS);
        tdText_AppendChar(&objects->body, '}');
    }
    int collider =
        converter->colliderAt[node] >= 0 ? converter->colliderAt[node] : converter->triggerAt[node];
    if (converter->colliderAt[node] >= 0 && converter->triggerAt[node] >= 0)
    {
        tdConverter_Report(converter, path, "A trigger beside a collider on one node",
                           "the trigger is left out");
    }
    if (converter->compoundAt[node] >= 0)
    {
        tdConverter_Report(converter, path, "A compound trigger", "its parts stay triggers of their own");
    }
    if (collider >= 0)
    {
        const tdPhysicsCollider* source = &physics->colliders[collider];
        if (source->material >= 0)
        {
            tdConverter_Report(converter, path, "A physics material", "it is left out");
        }
        if (source->filter >= 0)
        {
            tdConverter_Report(converter, path, "A collision filter", "it is left out");
        }
        int shape = tdConverter_UseShape(converter, &objects->shapes, &objects->shapeCount, collider);
        tdText_AppendFormat(&objects->collider, "{\"collider\":%d}", shape);
    }
    if (converter->jointAt[node] >= 0)
    {
        AppendEarlyJoint(converter, objects, &physics->joints[converter->jointAt[node]], path);
    }
}

/// Everything of one node in the other targets.
static void WriteNode(tdConverter* converter, NewObjects* objects, int node, const tdPath* path)
{
    const tdPhysicsScene* physics = converter->physics;
    tdText* text = &objects->body;
    tdMembers body = {text, 0};
    tdText_AppendChar(text, '{');
    const tdPhysicsBody* motion =
        converter->bodyAt[node] >= 0 ? &physics->bodies[converter->bodyAt[node]] : NULL;
    bool isOmi = tdIsOmiTarget(converter->target);
    if (motion != NULL && (isOmi || motion->motion != TD_MOTION_STATIC)) // KHR: no motion is static
    {
        tdMembers_Key(&body, "motion");
        tdText_AppendChar(text, '{');
        tdMembers members = {text, 0};
        if (isOmi)
        {
            AppendOmiMotion(converter, &members, motion, path);
        }
        else
        {
            AppendKhrMotion(converter, &members, motion);
        }
        tdMembers_Unknown(&members, converter->json, FindOldObject(converter, node, "motion"),
                          MOTION_MEMBERS);
        tdText_AppendChar(text, '}');
    }
    if (converter->colliderAt[node] >= 0)
    {
        AppendCollider(converter, objects, &body, converter->colliderAt[node], "collider");
    }
    if (converter->compoundAt[node] >= 0)
    {
        AppendCompound(converter, &body, converter->compoundAt[node]);
    }
    else if (converter->triggerAt[node] >= 0)
    {
        AppendCollider(converter, objects, &body, converter->triggerAt[node], "trigger");
    }
    if (converter->jointAt[node] >= 0)
    {
        const tdPhysicsJoint* joint = &physics->joints[converter->jointAt[node]];
        tdMembers members = {isOmi ? &objects->joint : text, 0};
        if (!isOmi)
        {
            tdMembers_Key(&body, "joint");
        }
        tdText_AppendChar(members.text, '{');
        tdConverter_AppendJoint(&members, joint);
        tdMembers_Unknown(&members, converter->json, FindOldJoint(converter, node),
                          "joint jointLimits connectedNode enableCollision constraints nodeA nodeB");
        tdText_AppendChar(members.text, '}');
    }
    tdText_AppendChar(text, '}');
    if (body.count == 0)
    {
        tdText_Clear(text);
    }
}

typedef struct NewMember
{
    const char* name;
    const tdText* text;
} NewMember;

/// Puts the new extension objects into `owner` (a node or the root) in place of the old physics ones.
static void ReplaceExtensions(tdConverter* converter, int owner, const NewMember* added, int addedCount)
{
    tdJsonEdit* edit = tdDocumentEdit_GetJson(converter->edit);
    const tdJson* json = converter->json;
    int extensions = tdJson_Find(json, owner, "extensions");
    int kept = 0, written = 0;
    for (int i = 0; i < addedCount; ++i)
    {
        written += added[i].text->length > 0 ? 1 : 0;
    }
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        char name[64];
        size_t length;
        const char* key = tdJson_GetKey(json, value, &length);
        bool fits = key != NULL && length < sizeof(name);
        memcpy(name, fits ? key : "", fits ? length : 0);
        name[fits ? length : 0] = 0;
        kept += tdIsPhysicsExtension(name) ? 0 : 1;
    }
    if (kept == 0 && written == 0)
    {
        if (extensions >= 0 && tdJson_GetCount(json, extensions) > 0)
        {
            tdJsonEdit_Remove(edit, extensions);
        }
        return;
    }
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        const tdText* text = NULL;
        bool isPhysics = false;
        for (int i = 0; i < addedCount; ++i)
        {
            if (tdJson_KeyEquals(json, value, added[i].name))
            {
                isPhysics = true;
                text = added[i].text->length > 0 ? added[i].text : NULL;
            }
        }
        size_t length;
        const char* key = tdJson_GetKey(json, value, &length);
        if (!isPhysics && key != NULL && length < 64)
        {
            char name[64];
            memcpy(name, key, length);
            name[length] = 0;
            isPhysics = tdIsPhysicsExtension(name);
        }
        if (text != NULL)
        {
            tdJsonEdit_Replace(edit, value, text->data, text->length);
        }
        else if (isPhysics)
        {
            tdJsonEdit_Remove(edit, value);
        }
    }
    tdText whole;
    tdText_Init(&whole, &converter->asset->outerAllocator);
    tdMembers members = {&whole, 0};
    for (int i = 0; i < addedCount; ++i)
    {
        bool isThere = tdJson_Find(json, extensions, added[i].name) >= 0;
        if (added[i].text->length == 0 || isThere)
        {
            continue;
        }
        if (extensions >= 0)
        {
            tdJsonEdit_AddMember(edit, extensions, added[i].name, added[i].text->data, added[i].text->length);
            continue;
        }
        tdText_AppendString(&whole, members.count == 0 ? "{" : "");
        tdMembers_Key(&members, added[i].name);
        tdText_Append(&whole, added[i].text->data, added[i].text->length);
    }
    if (members.count > 0)
    {
        tdText_AppendChar(&whole, '}');
        converter->hasFailed = converter->hasFailed || whole.failed;
        tdJsonEdit_AddMember(edit, owner, "extensions", whole.failed ? "{}" : whole.data,
                             whole.failed ? 2 : whole.length);
    }
    tdText_Free(&whole);
}

static bool HasPhysics(const tdJson* json, int owner)
{
    int extensions = tdJson_Find(json, owner, "extensions");
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        char name[64];
        size_t length;
        const char* key = tdJson_GetKey(json, value, &length);
        if (key != NULL && length < sizeof(name))
        {
            memcpy(name, key, length);
            name[length] = 0;
            if (tdIsPhysicsExtension(name))
            {
                return true;
            }
        }
    }
    return false;
}

static void WriteNodes(tdConverter* converter, NewObjects* objects, bool* isUsed)
{
    static const char* const names[][3] = {
        {"KHR_physics_rigid_bodies", "", ""},
        {"KHR_physics_rigid_bodies", "", ""},
        {"OMI_physics_body", "", "OMI_physics_joint"},
        {"OMI_physics_body", "OMI_collider", "OMI_physics_joint"},
    };
    tdPath root = tdPath_Root();
    tdPath nodesPath = tdPath_Key(&root, "nodes");
    for (int node = 0; node < converter->asset->scene.nodes.count; ++node)
    {
        bool isStaticEnd = converter->needsStaticBody[node] && converter->bodyAt[node] < 0;
        bool hasAny = converter->bodyAt[node] >= 0 || converter->colliderAt[node] >= 0 ||
                      converter->triggerAt[node] >= 0 || converter->compoundAt[node] >= 0 ||
                      converter->jointAt[node] >= 0;
        bool hadPhysics = HasPhysics(converter->json, converter->nodeValues[node]);
        if (!hasAny && !isStaticEnd && !hadPhysics)
        {
            continue;
        }
        tdPath path = tdPath_Index(&nodesPath, node);
        tdText_Clear(&objects->body);
        tdText_Clear(&objects->collider);
        tdText_Clear(&objects->joint);
        if (hasAny && converter->target == TD_PHYSICS_OMI_EARLY)
        {
            WriteEarlyNode(converter, objects, node, &path);
        }
        else if (hasAny)
        {
            WriteNode(converter, objects, node, &path);
        }
        else if (!isStaticEnd)
        {
            tdConverter_Report(converter, &path, "Physics that has no effect here", "it is left out");
        }
        if (isStaticEnd)
        {
            tdText_AppendString(&objects->body, "{\"type\":\"static\"}");
        }
        NewMember added[3] = {{names[converter->target][0], &objects->body},
                              {names[converter->target][1], &objects->collider},
                              {names[converter->target][2], &objects->joint}};
        for (int i = 0; i < 3; ++i)
        {
            isUsed[i] = isUsed[i] || added[i].text->length > 0;
        }
        ReplaceExtensions(converter, converter->nodeValues[node], added, 3);
    }
}

/// extensionsUsed and extensionsRequired: old physics names go, new ones come.
static void RewriteNames(tdConverter* converter, const char* const* names, int count)
{
    tdJsonEdit* edit = tdDocumentEdit_GetJson(converter->edit);
    const tdJson* json = converter->json;
    static const char* const keys[] = {"extensionsUsed", "extensionsRequired"};
    for (int k = 0; k < 2; ++k)
    {
        int list = tdJson_Find(json, 0, keys[k]);
        int kept = 0;
        bool isThere[3] = {false, false, false};
        for (int value = tdJson_GetFirst(json, list); value >= 0; value = tdJson_GetNext(json, value))
        {
            size_t length = 0;
            const char* text = tdJson_GetString(json, value, &length);
            char name[64] = "";
            if (text != NULL && length < sizeof(name))
            {
                memcpy(name, text, length);
                name[length] = 0;
            }
            bool isWanted = !tdIsPhysicsExtension(name);
            for (int i = 0; i < count; ++i)
            {
                isThere[i] = isThere[i] || strcmp(name, names[i]) == 0;
                isWanted = isWanted || strcmp(name, names[i]) == 0;
            }
            if (!isWanted)
            {
                tdJsonEdit_Remove(edit, value);
            }
            kept += isWanted ? 1 : 0;
        }
        for (int i = 0; i < count && k == 0 && list >= 0; ++i)
        {
            if (!isThere[i])
            {
                char quoted[80] = "\"";
                strncat(quoted, names[i], 64);
                strncat(quoted, "\"", 2);
                tdJsonEdit_AddElement(edit, list, quoted, strlen(quoted));
                kept += 1;
            }
        }
        if (list >= 0 && kept == 0)
        {
            tdJsonEdit_Remove(edit, list);
        }
    }
    if (tdJson_Find(json, 0, "extensionsUsed") < 0 && count > 0)
    {
        tdText text;
        tdText_Init(&text, &converter->asset->outerAllocator);
        for (int i = 0; i < count; ++i)
        {
            tdText_AppendFormat(&text, "%s\"%s\"", i > 0 ? "," : "[", names[i]);
        }
        tdText_AppendChar(&text, ']');
        converter->hasFailed = converter->hasFailed || text.failed;
        tdJsonEdit_AddMember(edit, 0, "extensionsUsed", text.failed ? "[]" : text.data,
                             text.failed ? 2 : text.length);
        tdText_Free(&text);
    }
}

static void WriteRoot(tdConverter* converter, const NewObjects* objects, const bool* isNodeUsed)
{
    static const char* const shapeNames[] = {"KHR_implicit_shapes", "KHR_collision_shapes",
                                             "OMI_physics_shape", "OMI_collider"};
    bool isOmi = tdIsOmiTarget(converter->target), isEarly = converter->target == TD_PHYSICS_OMI_EARLY;
    tdText body, shapes, joint;
    tdText_Init(&body, &converter->asset->outerAllocator);
    tdText_Init(&shapes, &converter->asset->outerAllocator);
    tdText_Init(&joint, &converter->asset->outerAllocator);
    tdMembers bodyMembers = {&body, 0}, jointMembers = {&joint, 0};
    if (!isEarly)
    {
        tdText_AppendChar(&body, '{');
        tdConverter_AppendTables(converter, &bodyMembers);
        if (!isOmi)
        {
            tdConverter_AppendJointTable(converter, &bodyMembers);
        }
        tdText_AppendChar(&body, '}');
    }
    if (isOmi && converter->physics->jointCount > 0)
    {
        tdText_AppendChar(&joint, '{');
        if (isEarly)
        {
            tdMembers_Key(&jointMembers, "constraints");
            tdText_AppendChar(&joint, '[');
            tdText_Append(&joint, objects->constraints.data, objects->constraints.length);
            tdText_AppendChar(&joint, ']');
        }
        else
        {
            tdConverter_AppendJointTable(converter, &jointMembers);
        }
        tdText_AppendChar(&joint, '}');
    }
    if (objects->shapeCount > 0)
    {
        tdText_AppendFormat(&shapes, "{\"%s\":[", isEarly ? "colliders" : "shapes");
        tdText_Append(&shapes, objects->shapes.data, objects->shapes.length);
        tdText_AppendString(&shapes, "]}");
    }
    if (bodyMembers.count == 0)
    {
        tdText_Clear(&body);
    }
    const char* bodyName = isOmi ? "OMI_physics_body" : "KHR_physics_rigid_bodies";
    NewMember added[3] = {
        {bodyName, &body}, {shapeNames[converter->target], &shapes}, {"OMI_physics_joint", &joint}};
    ReplaceExtensions(converter, 0, added, 3);
    const char* names[3];
    int count = 0;
    if (isNodeUsed[0] || body.length > 0)
    {
        names[count++] = bodyName;
    }
    if (shapes.length > 0)
    {
        names[count++] = shapeNames[converter->target];
    }
    if (joint.length > 0)
    {
        names[count++] = "OMI_physics_joint";
    }
    RewriteNames(converter, names, count);
    converter->hasFailed = converter->hasFailed || body.failed || shapes.failed || joint.failed;
    tdText_Free(&body);
    tdText_Free(&shapes);
    tdText_Free(&joint);
}

int* tdConverter_NewIndices(tdArena* arena, int count)
{
    int* array = tdArena_NewArray(arena, int, count);
    for (int k = 0; array != NULL && k < count; ++k)
    {
        array[k] = -1;
    }
    return array;
}

/// Early OMI to a dialect with two frames; both ends of such joints are bodies.
bool tdConverter_NeedsFrameNodes(const tdConverter* converter, const tdPhysicsJoint* joint)
{
    return joint->dialect == TD_DIALECT_OMI_EARLY && converter->target != TD_PHYSICS_OMI_EARLY &&
           joint->bodyA >= 0 && joint->bodyB >= 0;
}

/// By node: which object of the model it carries.
static bool Index(tdConverter* converter)
{
    const tdPhysicsScene* physics = converter->physics;
    tdArena* arena = &converter->scratch;
    int nodeCount = converter->asset->scene.nodes.count;
    int* bodyAt = tdConverter_NewIndices(arena, nodeCount);
    int* colliderAt = tdConverter_NewIndices(arena, nodeCount);
    int* triggerAt = tdConverter_NewIndices(arena, nodeCount);
    int* compoundAt = tdConverter_NewIndices(arena, nodeCount);
    int* jointAt = tdConverter_NewIndices(arena, nodeCount);
    int* nodeValues = tdConverter_NewIndices(arena, nodeCount);
    converter->shapeIndices = tdConverter_NewIndices(arena, 2 * physics->shapeCount);
    converter->meshNodes = tdConverter_NewIndices(arena, converter->asset->scene.meshCount);
    converter->needsStaticBody = tdArena_NewArray(arena, bool, nodeCount);
    if (bodyAt == NULL || colliderAt == NULL || triggerAt == NULL || compoundAt == NULL || jointAt == NULL ||
        nodeValues == NULL || converter->shapeIndices == NULL || converter->meshNodes == NULL ||
        converter->needsStaticBody == NULL)
    {
        return false;
    }
    for (int i = 0; i < physics->bodyCount; ++i)
    {
        bodyAt[physics->bodies[i].node] = i;
    }
    for (int i = 0; i < physics->colliderCount; ++i)
    {
        (physics->colliders[i].isTrigger ? triggerAt : colliderAt)[physics->colliders[i].node] = i;
    }
    for (int i = 0; i < physics->triggerCount; ++i)
    {
        compoundAt[physics->triggers[i].node] = i;
    }
    for (int i = 0; i < physics->jointCount; ++i)
    {
        const tdPhysicsJoint* joint = &physics->joints[i];
        if (joint->connectedNode < 0)
        {
            tdPath root = tdPath_Root();
            tdPath nodes = tdPath_Key(&root, "nodes");
            tdPath path = tdPath_Index(&nodes, joint->fileNode);
            tdConverter_Report(converter, &path, "A joint to a fixed point of the world", "it is left out");
        }
        else if (!tdConverter_NeedsFrameNodes(converter, joint))
        {
            jointAt[joint->fileNode] = i;
        }
    }
    int value = tdJson_GetFirst(converter->json, tdJson_Find(converter->json, 0, "nodes"));
    for (int node = 0; node < nodeCount && value >= 0; ++node)
    {
        nodeValues[node] = value;
        value = tdJson_GetNext(converter->json, value);
    }
    converter->bodyAt = bodyAt;
    converter->colliderAt = colliderAt;
    converter->triggerAt = triggerAt;
    converter->compoundAt = compoundAt;
    converter->jointAt = jointAt;
    converter->nodeValues = nodeValues;
    return true;
}

static bool Convert(tdConverter* converter)
{
    if (!Index(converter))
    {
        return false;
    }
    NewObjects objects = {0};
    tdText* texts[] = {&objects.shapes, &objects.constraints, &objects.body, &objects.collider,
                       &objects.joint};
    for (int i = 0; i < 5; ++i)
    {
        tdText_Init(texts[i], &converter->asset->outerAllocator);
    }
    bool isUsed[3] = {false, false, false};
    if (converter->target == TD_PHYSICS_OMI_EARLY)
    {
        FindStaticEnds(converter);
    }
    WriteNodes(converter, &objects, isUsed);
    converter->hasFailed = converter->hasFailed || !tdConverter_WriteFrameJoints(converter);
    WriteRoot(converter, &objects, isUsed);
    for (int i = 0; i < 5; ++i)
    {
        converter->hasFailed = converter->hasFailed || texts[i]->failed;
        tdText_Free(texts[i]);
    }
    return !converter->hasFailed;
}

tdAsset* tdConvertAsset(const tdAsset* asset, tdPhysicsTarget target, tdReport* report)
{
    if (asset == NULL || asset->document == NULL)
    {
        return NULL;
    }
    static const tdPhysicsScene none = {0};
    tdConverter converter = {
        .asset = asset,
        .physics = asset->scene.physics != NULL ? asset->scene.physics : &none,
        .json = asset->document->json,
        .edit = tdCreateDocumentEdit(asset->document, &asset->outerAllocator),
        .report = report,
        .target = target,
    };
    tdArena_Init(&converter.scratch, &asset->outerAllocator, 0);
    bool isGood = converter.edit != NULL && (asset->scene.physics == NULL || Convert(&converter));
    tdDocument* document = isGood ? tdDocumentEdit_Finish(converter.edit, report) : NULL;
    if (!isGood)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "converting");
    }
    tdArena_Free(&converter.scratch);
    tdDestroyDocumentEdit(converter.edit);
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = &asset->outerAllocator;
    return document != NULL ? tdCreateAssetFromDocument(document, &def, NULL) : NULL;
}
