// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Converts the physics of the active scene to another dialect: tables at the root, objects of nodes, names in
// extensionsUsed. New objects replace old ones; members that no draft defines are kept.
//
// See docs/decisions/094-conversion-proof.md and 101-physics-model.md.
#include "convert.h"

#include "convert_extensions.h"
#include "convert_frames.h"
#include "convert_members.h"
#include "convert_motion.h"
#include "convert_nodes.h"
#include "convert_pointers.h"
#include "convert_tables.h"

#include "import/create_asset.h"
#include "import/physics.h"
#include "import/physics_read.h"

void tdConverter_Report(tdConverter* converter, const tdPath* path, const char* what, const char* instead)
{
    static const char* const names[] = {"KHR_physics_rigid_bodies", "KHR_collision_shapes",
                                        "OMI_physics_body", "early OMI"};
    tdReport_Add(converter->report, TD_DIAG_CONVERT_APPROXIMATED, path, what, names[converter->target],
                 instead);
}

static void WriteRoot(tdConverter* converter, const tdNewObjects* objects, const bool* isNodeUsed)
{
    static const char* const shapeNames[] = {"KHR_implicit_shapes", "KHR_collision_shapes",
                                             "OMI_physics_shape", "OMI_collider"};
    bool isOmi = tdIsOmiTarget(converter->target), isEarly = converter->target == TD_PHYSICS_OMI_EARLY;
    tdText body, shapes, joint;
    tdText_InitPart(&body, &converter->asset->outerAllocator, &converter->hasFailed);
    tdText_InitPart(&shapes, &converter->asset->outerAllocator, &converter->hasFailed);
    tdText_InitPart(&joint, &converter->asset->outerAllocator, &converter->hasFailed);
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
    bool hasJoints = isEarly ? objects->constraintCount > 0 : converter->physics->jointDescCount > 0;
    if (isOmi && converter->physics->jointCount > 0 && hasJoints)
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
    tdNewMember added[3] = {
        {bodyName, &body}, {shapeNames[converter->target], &shapes}, {"OMI_physics_joint", &joint}};
    tdConverter_ReplaceExtensions(converter, 0, added, 3);
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
    tdConverter_RewriteNames(converter, names, count);
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

/// Whether a joint of early OMI needs nodes for its frames in a dialect with two frames; both ends of such
/// joints are bodies.
bool tdConverter_NeedsFrameNodes(const tdConverter* converter, const tdPhysicsJoint* joint)
{
    return !joint->hasTwoFrames && converter->target != TD_PHYSICS_OMI_EARLY && joint->bodyA >= 0 &&
           joint->bodyB >= 0;
}

/// Keeps static bodies with triggers and colliders: a trigger does not see the colliders of its own body.
static void KeepTriggerBodies(tdConverter* converter)
{
    const tdPhysicsScene* physics = converter->physics;
    for (int i = 0; i < physics->colliderCount; ++i)
    {
        int body = physics->colliders[i].body;
        if (body >= 0 && !physics->colliders[i].isTrigger)
        {
            converter->hasSolid[body] = true;
        }
    }
    for (int i = 0; i < physics->colliderCount; ++i)
    {
        int body = physics->colliders[i].body;
        if (body >= 0 && physics->colliders[i].isTrigger)
        {
            converter->isKept[body] = converter->isKept[body] || converter->hasSolid[body];
        }
    }
}

/// Fills the tables by node: the objects of the scene that each node has.
static bool IndexNodes(tdConverter* converter)
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
    converter->shapeIndices = tdConverter_NewIndices(arena, 4 * physics->shapeCount);
    converter->meshNodes = tdConverter_NewIndices(arena, converter->asset->scene.meshCount);
    converter->isKept = tdArena_NewArray(arena, bool, physics->bodyCount);
    converter->hasSolid = tdArena_NewArray(arena, bool, physics->bodyCount);
    converter->needsStaticBody = tdArena_NewArray(arena, bool, nodeCount);
    converter->isMoved = tdArena_NewArray(arena, bool, nodeCount);
    if (bodyAt == NULL || colliderAt == NULL || triggerAt == NULL || compoundAt == NULL || jointAt == NULL ||
        nodeValues == NULL || converter->shapeIndices == NULL || converter->meshNodes == NULL ||
        converter->isKept == NULL || converter->hasSolid == NULL || converter->needsStaticBody == NULL ||
        converter->isMoved == NULL || !tdConverter_IndexNodeSpaces(converter))
    {
        return false;
    }
    for (int i = 0; i < physics->bodyCount; ++i)
    {
        bodyAt[physics->bodies[i].node] = i;
        // Without its motion it would belong to the body above it.
        converter->isKept[i] = physics->bodies[i].isNested;
    }
    for (int i = 0; i < physics->colliderCount; ++i)
    {
        (physics->colliders[i].isTrigger ? triggerAt : colliderAt)[physics->colliders[i].node] = i;
    }
    KeepTriggerBodies(converter);
    for (int i = 0; i < physics->triggerCount; ++i)
    {
        compoundAt[physics->triggers[i].node] = i;
        converter->nestedTriggerCount += physics->triggers[i].parent >= 0 ? 1 : 0;
    }
    for (int i = 0; i < physics->jointCount; ++i)
    {
        const tdPhysicsJoint* joint = &physics->joints[i];
        const int ends[2] = {joint->bodyA, joint->bodyB};
        for (int k = 0; k < 2 && !joint->enableCollision; ++k)
        {
            if (ends[k] >= 0)
            {
                converter->isKept[ends[k]] = true;
            }
        }
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
        else
        {
            converter->isMoved[joint->fileNode] = true;
        }
    }
    int value = tdJson_GetFirst(converter->json, tdJson_Find(converter->json, 0, "nodes"));
    for (int node = 0; node < nodeCount && value >= 0; ++node)
    {
        nodeValues[node] = value;
        int extensions = tdJson_Find(converter->json, value, "extensions");
        bool isEnd =
            tdIsJointEnd(converter->json, tdJson_Find(converter->json, extensions, "OMI_physics_body"));
        converter->isMoved[node] = converter->isMoved[node] || isEnd;
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

static bool ConvertPhysics(tdConverter* converter)
{
    if (!IndexNodes(converter))
    {
        return false;
    }
    tdNewObjects objects = {0};
    tdText* texts[] = {&objects.shapes, &objects.constraints, &objects.body, &objects.collider,
                       &objects.joint};
    for (int i = 0; i < 5; ++i)
    {
        tdText_InitPart(texts[i], &converter->asset->outerAllocator, &converter->hasFailed);
    }
    bool isUsed[3] = {false, false, false};
    tdConverter_WriteNodes(converter, &objects, isUsed);
    bool hasFrames = tdConverter_WriteFrameJoints(converter); // may also set hasFailed
    converter->hasFailed = converter->hasFailed || !hasFrames;
    WriteRoot(converter, &objects, isUsed);
    tdConverter_MovePointers(converter);
    for (int i = 0; i < 5; ++i)
    {
        converter->hasFailed = converter->hasFailed || texts[i]->failed;
        tdText_Free(texts[i]);
    }
    return !converter->hasFailed;
}

tdAsset* tdConvertAsset(const tdAsset* asset, tdPhysicsTarget target, tdReport* report)
{
    if (asset == NULL)
    {
        return NULL;
    }
    if (asset->document == NULL)
    {
        tdReport_Add(report, TD_DIAG_NOT_A_DOCUMENT, NULL);
        return NULL;
    }
    const tdScene* scene = tdAsset_GetScene(asset);
    tdAsset* result = tdCreateEditedAsset(asset, asset->name, report);
    if (result == NULL)
    {
        return NULL;
    }
    static const tdPhysicsScene none = {0};
    tdConverter converter = {
        .asset = asset,
        .physics = scene->physics != NULL ? scene->physics : &none,
        .json = asset->document->json,
        .edit = tdCreateDocumentEdit(asset->document, &result->allocator),
        .report = report,
        .target = target,
    };
    tdArena_Init(&converter.scratch, &asset->outerAllocator, 0);
    bool isGood = converter.edit != NULL && (scene->physics == NULL || ConvertPhysics(&converter));
    tdDocument* document = isGood ? tdDocumentEdit_Finish(converter.edit, report) : NULL;
    if (!isGood)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "converting");
    }
    tdArena_Free(&converter.scratch);
    tdDestroyDocumentEdit(converter.edit);
    return tdFinishEditedAsset(result, document, report);
}
