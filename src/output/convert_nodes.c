// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes the objects of nodes: bodies, colliders, triggers and joints replace the old ones.
#include "convert_nodes.h"

#include "convert.h"
#include "convert_extensions.h"
#include "convert_joints.h"
#include "convert_members.h"
#include "convert_motion.h"
#include "convert_shapes.h"

#include "base/number.h"
#include "import/extensions.h"
#include "import/physics.h"

static int FindOldObject(const tdConverter* converter, int node, const char* member)
{
    static const tdExtensionRole roles[2] = {TD_ROLE_KHR_BODY, TD_ROLE_OMI_BODY};
    const tdJson* json = converter->json;
    int extensions = tdJson_Find(json, converter->nodeValues[node], "extensions"), object = TD_JSON_NONE;
    for (int i = 0; i < 2 && object < 0; ++i)
    {
        for (const tdExtension* extension = tdNextExtension(roles[i], NULL); extension != NULL && object < 0;
             extension = tdNextExtension(roles[i], extension))
        {
            object = tdJson_Find(json, tdJson_Find(json, extensions, extension->name), member);
        }
    }
    return object;
}

static int FindOldJoint(const tdConverter* converter, int node)
{
    int object = FindOldObject(converter, node, "joint");
    int extensions = tdJson_Find(converter->json, converter->nodeValues[node], "extensions");
    return object >= 0 ? object : tdJson_Find(converter->json, extensions, "OMI_physics_joint");
}

#define COLLIDER_MEMBERS                                                                                     \
    "geometry shape collider convexHull physicsMaterial collisionFilter nodes sphere box capsule cylinder "  \
    "convex mesh trimesh collisionSystem collideWithLayers notCollideWithSystems"

/// Appends a collider or trigger: its shape, material and filter.
/// @param nodes list of a trigger that has one as well; NULL: none
static void AppendCollider(tdConverter* converter, tdNewObjects* objects, tdMembers* body, int collider,
                           const char* key, const char* nodes)
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
    if (nodes != NULL)
    {
        tdMembers_Key(&members, "nodes");
        tdText_AppendFormat(text, "[%s]", nodes);
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

/// Nodes that lists of nested compound triggers may repeat, in all of them together.
#define MAX_REPEATED_PARTS 1000000

/// Whether a compound trigger is another one or part of it.
static bool IsPartOf(const tdPhysicsScene* physics, int trigger, int compound)
{
    for (; trigger >= 0 && trigger != compound; trigger = physics->triggers[trigger].parent)
    {
    }
    return trigger == compound;
}

static int AppendOwnParts(const tdConverter* converter, tdText* text, int trigger, int compound, int count)
{
    const tdPhysicsScene* physics = converter->physics;
    for (int i = 0; i < physics->triggers[trigger].colliderCount; ++i)
    {
        int node = physics->colliders[physics->triggers[trigger].colliders[i]].node;
        if (node != physics->triggers[compound].node)
        {
            tdText_AppendFormat(text, "%s%d", count > 0 ? "," : "", node);
            count += 1;
        }
    }
    return count;
}

/// Appends the nodes of the parts of a compound trigger, and of those of its compound parts.
/// @return how many there are
static int AppendPartNodes(tdConverter* converter, tdText* text, int compound, const tdPath* path)
{
    const tdPhysicsScene* physics = converter->physics;
    int count = AppendOwnParts(converter, text, compound, compound, 0);
    int t = converter->nestedTriggerCount > 0 ? 0 : physics->triggerCount;
    for (; t < physics->triggerCount && converter->repeatedParts < MAX_REPEATED_PARTS; ++t)
    {
        converter->repeatedParts += 1;
        if (t != compound && IsPartOf(physics, t, compound))
        {
            count = AppendOwnParts(converter, text, t, compound, count);
            converter->repeatedParts += physics->triggers[t].colliderCount;
        }
    }
    if (t < physics->triggerCount)
    {
        tdConverter_Report(converter, path, "So many compound triggers in compound triggers",
                           "parts of this one are left out");
    }
    return count;
}

/// Appends a compound trigger. One with a shape of its own is possible in OMI only.
static void AppendCompound(tdConverter* converter, tdNewObjects* objects, tdMembers* body, int compound,
                           const tdPath* path)
{
    int node = converter->physics->triggers[compound].node, own = converter->triggerAt[node];
    tdText nodes;
    tdText_InitPart(&nodes, &converter->asset->outerAllocator, &converter->hasFailed);
    int count = AppendPartNodes(converter, &nodes, compound, path);
    if (count == 0 && own < 0)
    {
        tdConverter_Report(converter, path, "A compound trigger without parts", "it is left out");
    }
    else if (own >= 0)
    {
        bool hasList = converter->target == TD_PHYSICS_OMI && count > 0;
        if (!hasList && count > 0)
        {
            tdConverter_Report(converter, path, "A trigger with a shape and a list of nodes",
                               "its nodes are triggers of their own");
        }
        AppendCollider(converter, objects, body, own, "trigger",
                       hasList && !nodes.failed ? nodes.data : NULL);
    }
    else
    {
        tdMembers_Key(body, "trigger");
        tdText_AppendFormat(body->text, "{\"nodes\":[%s]}", nodes.failed ? "" : nodes.data);
    }
    converter->hasFailed = converter->hasFailed || nodes.failed;
    tdText_Free(&nodes);
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

/// The frame of one side of a joint in the world.
static tdTransform GetFrame(const tdConverter* converter, int body, tdTransform frame)
{
    return body >= 0 ? tdMulTransform(converter->physics->bodies[body].frame, frame) : frame;
}

/// Ends of joints of early OMI are bodies. For an end in the world it is the collider that the other end does
/// not collide with, or the node of the frame.
static int GetEarlyEnd(const tdConverter* converter, int body, int staticCollider, int node)
{
    return body >= 0             ? converter->physics->bodies[body].node
           : staticCollider >= 0 ? converter->physics->colliders[staticCollider].node
                                 : node;
}

/// A joint of early OMI needs an end that can move.
static bool HasMovableEnd(const tdConverter* converter, const tdPhysicsJoint* joint)
{
    return tdConverter_IsMovable(converter, joint->bodyA) || tdConverter_IsMovable(converter, joint->bodyB);
}

/// True if the only dynamic end of a joint becomes kinematic.
static bool LosesMovableEnd(const tdConverter* converter, const tdPhysicsJoint* joint)
{
    const tdPhysicsBody* bodies = converter->physics->bodies;
    bool isDynamic = (joint->bodyA >= 0 && bodies[joint->bodyA].motion == TD_MOTION_DYNAMIC) ||
                     (joint->bodyB >= 0 && bodies[joint->bodyB].motion == TD_MOTION_DYNAMIC);
    return isDynamic && !HasMovableEnd(converter, joint);
}

/// Marks the nodes in the world that need a static body as end of a joint of early OMI.
static void FindStaticEnds(tdConverter* converter)
{
    for (int i = 0; i < converter->physics->jointCount; ++i)
    {
        const tdPhysicsJoint* joint = &converter->physics->joints[i];
        if (joint->connectedNode >= 0 && HasMovableEnd(converter, joint))
        {
            int endA = GetEarlyEnd(converter, joint->bodyA, joint->staticColliderA, joint->node);
            int endB = GetEarlyEnd(converter, joint->bodyB, joint->staticColliderB, joint->connectedNode);
            converter->needsStaticBody[endA] = converter->needsStaticBody[endA] || joint->bodyA < 0;
            converter->needsStaticBody[endB] = converter->needsStaticBody[endB] || joint->bodyB < 0;
        }
    }
}

static void AppendEarlyJoint(tdConverter* converter, tdNewObjects* objects, const tdPhysicsJoint* joint,
                             const tdPath* path)
{
    if (!HasMovableEnd(converter, joint))
    {
        tdConverter_Report(converter, path, "A joint between two ends that nothing can move",
                           "it is left out");
        return;
    }
    tdTransform a = GetFrame(converter, joint->bodyA, joint->frameA);
    tdTransform b = GetFrame(converter, joint->bodyB, joint->frameB);
    bool differ =
        tdDistance(a.position, b.position) > 1.0e-4f || tdAngleBetween(a.rotation, b.rotation) > 1.0e-4f;
    if (differ && joint->dialect != TD_DIALECT_OMI_EARLY) // joints of early OMI lose nothing
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
    tdText_AppendFormat(&objects->joint, "],\"nodeA\":%d,\"nodeB\":%d",
                        GetEarlyEnd(converter, joint->bodyA, joint->staticColliderA, joint->node),
                        GetEarlyEnd(converter, joint->bodyB, joint->staticColliderB, joint->connectedNode));
    tdMembers members = {&objects->joint, 3};
    char note[TD_NUMBER_TEXT_SIZE + 1];
    note[tdWriteInteger(note, joint->connectedNode)] = '\0';
    tdMembers_Extras(&members, converter->json, FindOldJoint(converter, joint->fileNode),
                     joint->hasTwoFrames ? TD_EXTRA_CONNECTED_NODE : NULL, note);
    tdText_AppendChar(&objects->joint, '}');
}

/// Writes all objects of a node for early OMI, where body, collider and joint are separate extensions.
static void WriteEarlyNode(tdConverter* converter, tdNewObjects* objects, int node, const tdPath* path)
{
    const tdPhysicsScene* physics = converter->physics;
    if (converter->bodyAt[node] >= 0)
    {
        tdConverter_AppendMotion(converter, &objects->body, &physics->bodies[converter->bodyAt[node]],
                                 FindOldObject(converter, node, "motion"), path);
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

/// Writes all objects of a node for the other dialects.
static void WriteNode(tdConverter* converter, tdNewObjects* objects, int node, const tdPath* path)
{
    const tdPhysicsScene* physics = converter->physics;
    tdText* text = &objects->body;
    tdMembers body = {text, 0};
    tdText_AppendChar(text, '{');
    const tdPhysicsBody* motion =
        converter->bodyAt[node] >= 0 ? &physics->bodies[converter->bodyAt[node]] : NULL;
    bool isOmi = tdIsOmiTarget(converter->target);
    // KHR has no static motion. Without a motion the colliders belong to the world, a joint does not disable
    // their collision with the other end, and triggers see them; a kinematic body that never moves differs.
    bool isWorld =
        motion != NULL && motion->motion == TD_MOTION_STATIC && !converter->isKept[converter->bodyAt[node]];
    if (motion != NULL && (isOmi || !isWorld))
    {
        tdMembers_Key(&body, "motion");
        tdConverter_AppendMotion(converter, text, motion, FindOldObject(converter, node, "motion"), path);
    }
    if (converter->colliderAt[node] >= 0)
    {
        AppendCollider(converter, objects, &body, converter->colliderAt[node], "collider", NULL);
    }
    if (converter->compoundAt[node] >= 0)
    {
        AppendCompound(converter, objects, &body, converter->compoundAt[node], path);
    }
    else if (converter->triggerAt[node] >= 0)
    {
        AppendCollider(converter, objects, &body, converter->triggerAt[node], "trigger", NULL);
    }
    if (converter->jointAt[node] >= 0)
    {
        const tdPhysicsJoint* joint = &physics->joints[converter->jointAt[node]];
        if (LosesMovableEnd(converter, joint))
        {
            tdConverter_Report(converter, path, "A joint of a dynamic body that nothing can move",
                               "it has no effect");
        }
        tdMembers members = {isOmi ? &objects->joint : text, 0};
        if (!isOmi)
        {
            tdMembers_Key(&body, "joint");
        }
        tdText_AppendChar(members.text, '{');
        tdConverter_AppendJoint(&members, joint);
        tdMembers_Unknown(&members, converter->json, FindOldJoint(converter, node),
                          "joint jointLimits connectedNode enableCollision constraints nodeA nodeB extras");
        tdMembers_Extras(&members, converter->json, FindOldJoint(converter, node), NULL, NULL);
        tdText_AppendChar(members.text, '}');
    }
    tdText_AppendChar(text, '}');
    if (body.count == 0)
    {
        tdText_Clear(text);
    }
}

void tdConverter_WriteNodes(tdConverter* converter, tdNewObjects* objects, bool isUsed[3])
{
    static const char* const names[][3] = {
        {"KHR_physics_rigid_bodies", "", ""},
        {"KHR_physics_rigid_bodies", "", ""},
        {"OMI_physics_body", "", "OMI_physics_joint"},
        {"OMI_physics_body", "OMI_collider", "OMI_physics_joint"},
    };
    if (converter->target == TD_PHYSICS_OMI_EARLY)
    {
        FindStaticEnds(converter);
    }
    tdPath root = tdPath_Root();
    tdPath nodesPath = tdPath_Key(&root, "nodes");
    for (int node = 0; node < converter->asset->scene.nodes.count; ++node)
    {
        bool isStaticEnd = converter->needsStaticBody[node] && converter->bodyAt[node] < 0;
        bool hasAny = converter->bodyAt[node] >= 0 || converter->colliderAt[node] >= 0 ||
                      converter->triggerAt[node] >= 0 || converter->compoundAt[node] >= 0 ||
                      converter->jointAt[node] >= 0;
        bool hadPhysics = tdHasPhysics(converter->json, converter->nodeValues[node]);
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
        else if (!isStaticEnd && !converter->isMoved[node])
        {
            tdConverter_Report(converter, &path, "Physics that has no effect here", "it is left out");
        }
        if (isStaticEnd)
        {
            tdText_AppendString(&objects->body,
                                "{\"type\":\"static\",\"extras\":{\"" TD_EXTRA_JOINT_END "\":true}}");
        }
        tdNewMember added[3] = {{names[converter->target][0], &objects->body},
                                {names[converter->target][1], &objects->collider},
                                {names[converter->target][2], &objects->joint}};
        for (int i = 0; i < 3; ++i)
        {
            isUsed[i] = isUsed[i] || added[i].text->length > 0;
        }
        tdConverter_ReplaceExtensions(converter, converter->nodeValues[node], added, 3);
    }
}
