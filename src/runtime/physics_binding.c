// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates an actor's bodies, shapes and joints in the stage's world and destroys them; steps the world. See
// docs/spec/physics.md, sections 4 to 6.
#include "physics_binding.h"

#include "frame_drive.h"
#include "physics_properties.h"

#include "base/progress.h"
#include "geometry/triangles.h"
#include "scene/asset.h"

#include <string.h>

// A limit of the stage, or that of the world definition if it is 0.
static int ClampCount(int64_t limit, int otherwise)
{
    return limit > INT32_MAX ? INT32_MAX : limit > 0 ? (int)limit : otherwise;
}

bool tdPhysicsBinding_CreateWorld(tdStage* stage, const tdStageDef* def)
{
    tdWorldDef worldDef = def->world;
    worldDef.tasks = worldDef.tasks != NULL ? worldDef.tasks : stage->tasks;
    worldDef.allocator = &stage->allocator;
    worldDef.maxPairs = ClampCount(stage->limits.pairs, worldDef.maxPairs);
    worldDef.maxContacts = ClampCount(stage->limits.contacts, worldDef.maxContacts);
    stage->world = tdCreateWorld(&worldDef);
    return stage->world != NULL;
}

void tdPhysicsBinding_DestroyWorld(tdStage* stage)
{
    tdArray_Free(&stage->allocator, &stage->bodyTable);
    tdArray_Free(&stage->allocator, &stage->shapeTable);
    for (int i = 0; i < stage->systemNames.count; ++i)
    {
        tdRelease(&stage->allocator, stage->systemNames.data[i], strlen(stage->systemNames.data[i]) + 1);
    }
    tdArray_Free(&stage->allocator, &stage->systemNames);
    tdRelease(&stage->allocator, stage->systemTable.slots,
              sizeof(int) * (size_t)stage->systemTable.slotCount);
    tdDestroyWorld(stage->world);
    stage->world = NULL;
}

tdTransform tdPhysicsBinding_GetNodeFrame(const tdActor* actor, int node)
{
    const tdMat4* global = &actor->pose.globals[node];
    return (tdTransform){tdMat4Translation(*global), tdRotationOfMat4(*global)};
}

/// Records the owner of an id of the world.
static bool RegisterOwner(tdStage* stage, void** slotOwner, uint32_t index1, bool isBody)
{
    tdPointerTable* table = isBody ? &stage->bodyTable : &stage->shapeTable;
    while ((uint32_t)table->count <= index1)
    {
        if (!tdArray_Push(&stage->allocator, table, NULL))
        {
            return false;
        }
    }
    table->data[index1] = slotOwner;
    return true;
}

static void UnregisterOwner(tdStage* stage, uint32_t index1, bool isBody)
{
    tdPointerTable* table = isBody ? &stage->bodyTable : &stage->shapeTable;
    if (index1 < (uint32_t)table->count)
    {
        table->data[index1] = NULL;
    }
}

tdBoundBody* tdPhysicsBinding_FindBody(const tdStage* stage, tdBodyId id)
{
    tdBoundBody* body =
        id.index1 < (uint32_t)stage->bodyTable.count ? stage->bodyTable.data[id.index1] : NULL;
    return body != NULL && body->id.generation == id.generation ? body : NULL;
}

tdBoundShape* tdPhysicsBinding_FindShape(const tdStage* stage, tdShapeId id)
{
    tdBoundShape* shape =
        id.index1 < (uint32_t)stage->shapeTable.count ? stage->shapeTable.data[id.index1] : NULL;
    return shape != NULL && shape->id.generation == id.generation ? shape : NULL;
}

static bool CreateBody(tdActor* actor, int index)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsBody* source = &physics->scene->bodies[index];
    tdTransform placement = actor->pose.placement;
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = source->motion;
    def.transform = tdMulTransform(placement, source->frame);
    def.transform.rotation = tdNormalizeQuat(def.transform.rotation);
    def.linearVelocity = tdRotate(placement.rotation, source->linearVelocity);
    def.angularVelocity = tdRotate(placement.rotation, source->angularVelocity);
    def.mass = source->mass;
    def.hasCenterOfMass = true;
    def.centerOfMass = source->centerOfMass;
    def.inertiaDiagonal = source->inertiaDiagonal;
    def.inertiaOrientation = source->inertiaOrientation;
    def.gravityFactor = source->gravityFactor;

    tdBoundBody* body = &physics->bodies[index];
    *body = (tdBoundBody){
        .actor = actor,
        .index = index,
        .node = source->node,
        .motion = source->motion,
        .driveTracks = {-1, -1},
        .movedStep = -1,
        .previous = def.transform,
        .current = def.transform,
        .centerOfMass = source->centerOfMass,
        .stretch = tdComputePolar(tdMat4Linear(actor->pose.globals[source->node])).stretch,
        .base = {source->mass, source->centerOfMass, source->inertiaDiagonal, source->inertiaOrientation},
        .id = tdCreateBody(actor->stage->world, &def),
    };
    return body->id.index1 != 0 && RegisterOwner(actor->stage, (void*)body, body->id.index1, true);
}

static tdShapeDef MakeShapeDef(const tdActorPhysics* physics, const tdPhysicsCollider* source)
{
    tdShapeDef def = tdDefaultShapeDef();
    def.local = source->geometry.local;
    def.hasMatrix = source->geometry.hasMatrix;
    def.matrix[0] = source->geometry.matrix.cx;
    def.matrix[1] = source->geometry.matrix.cy;
    def.matrix[2] = source->geometry.matrix.cz;
    def.isTrigger = source->isTrigger;
    if (source->material >= 0)
    {
        const tdPhysicsMaterial* material = &physics->materials[source->material];
        def.staticFriction = material->staticFriction;
        def.dynamicFriction = material->dynamicFriction;
        def.restitution = material->restitution;
        def.frictionCombine = material->frictionCombine;
        def.restitutionCombine = material->restitutionCombine;
    }
    if (source->filter >= 0)
    {
        def.filter = physics->filters[source->filter];
    }
    return def;
}

static tdShapeId CreateEngineShape(tdWorld* world, tdBodyId body, const tdShapeDef* def,
                                   const tdPhysicsCollider* source)
{
    const tdShapeGeometry* g = &source->geometry;
    switch (g->kind)
    {
    case TD_SHAPE_SPHERE:
        return tdCreateSphere(world, body, def, g->sphere.radius);
    case TD_SHAPE_BOX:
        return tdCreateBox(world, body, def, tdScale(2.0f, g->box.halfSize));
    case TD_SHAPE_CAPSULE:
        return tdCreateCapsule(world, body, def, 2.0f * g->capsule.halfHeight, g->capsule.radiusBottom,
                               g->capsule.radiusTop);
    case TD_SHAPE_CYLINDER:
        return tdCreateCylinder(world, body, def, 2.0f * g->cylinder.halfHeight, g->cylinder.radiusBottom,
                                g->cylinder.radiusTop);
    case TD_SHAPE_PLANE:
        return tdCreatePlane(world, body, def, 2.0f * g->plane.halfX, 2.0f * g->plane.halfZ,
                             g->plane.isDoubleSided);
    case TD_SHAPE_HULL:
        return tdCreateHull(world, body, def, source->cooked);
    case TD_SHAPE_MESH:
        return tdCreateMesh(world, body, def, source->cooked);
    }
    return (tdShapeId){0, 0};
}

/// Marks the nodes from one below a body up to the body.
/// @return how many were not marked yet
static int MarkMovingAncestors(const tdActor* actor, int node, int body, int* marks)
{
    int count = 0;
    for (; body >= 0 && node != actor->physics->scene->bodies[body].node && marks[node] == 0;
         node = actor->scene->nodes.parents[node])
    {
        marks[node] = 1;
        count += 1;
    }
    return count;
}

/// Lists the moving ancestors of all colliders and joint frames, parents first.
static bool ListMovingAncestors(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsScene* scene = physics->scene;
    const tdNodeTree* nodes = &actor->scene->nodes;
    int* ancestorOfNode =
        tdArena_NewArray(&actor->arena, int, nodes->count); // moving ancestor + 1; while counting: 1
    int count = 0;
    for (int i = 0; ancestorOfNode != NULL && i < scene->colliderCount; ++i)
    {
        count +=
            MarkMovingAncestors(actor, scene->colliders[i].node, scene->colliders[i].body, ancestorOfNode);
    }
    for (int i = 0; ancestorOfNode != NULL && i < 2 * scene->jointCount; ++i)
    {
        const tdBoundFrame* frame = &physics->frames[i];
        count += frame->node >= 0 ? MarkMovingAncestors(actor, frame->node, frame->body, ancestorOfNode) : 0;
    }
    physics->movingAncestors = tdArena_NewArray(&actor->arena, tdMovingAncestor, count);
    if (ancestorOfNode == NULL || physics->movingAncestors == NULL)
    {
        return false;
    }
    for (int position = 0; position < nodes->count && physics->movingAncestorCount < count; ++position)
    {
        int node = nodes->order[position];
        if (ancestorOfNode[node] != 0)
        {
            int parent = nodes->parents[node];
            physics->movingAncestors[physics->movingAncestorCount] = (tdMovingAncestor){
                .node = node, .parent = ancestorOfNode[parent] - 1, .local = nodes->locals[node]};
            ancestorOfNode[node] = ++physics->movingAncestorCount;
        }
    }
    for (int i = 0; i < scene->colliderCount; ++i)
    {
        physics->shapes[i].movingAncestor = ancestorOfNode[scene->colliders[i].node] - 1;
    }
    for (int i = 0; i < 2 * scene->jointCount; ++i)
    {
        tdBoundFrame* frame = &physics->frames[i];
        frame->movingAncestor = frame->node >= 0 ? ancestorOfNode[frame->node] - 1 : -1;
    }
    return true;
}

static bool CreateColliderShape(tdActor* actor, int index)
{
    tdActorPhysics* physics = actor->physics;
    tdWorld* world = actor->stage->world;
    const tdPhysicsCollider* source = &physics->scene->colliders[index];
    tdBoundShape* shape = &physics->shapes[index];
    shape->actor = actor;
    shape->index = index;
    shape->node = source->node;
    shape->body = source->body;
    shape->stretch = source->placement.stretch;
    tdShapeDef def = MakeShapeDef(physics, source);
    tdBodyId body;
    if (source->body >= 0)
    {
        body = physics->bodies[source->body].id;
        def.deferMass = true; // computed once, after all shapes
    }
    else
    {
        // The body has the collider's own pose, so that moving the node moves the body.
        tdBodyDef bodyDef = tdDefaultBodyDef();
        bodyDef.transform = tdMulTransform(actor->pose.placement, source->geometry.local);
        bodyDef.transform.rotation = tdNormalizeQuat(bodyDef.transform.rotation);
        def.local = tdTransform_identity;
        shape->staticBody = body = tdCreateBody(world, &bodyDef);
        shape->lastGlobal = actor->pose.globals[source->node];
    }
    shape->id = body.index1 != 0 ? CreateEngineShape(world, body, &def, source) : (tdShapeId){0, 0};
    return shape->id.index1 != 0 && RegisterOwner(actor->stage, (void*)shape, shape->id.index1, false);
}

/// Body of one side of a joint: a body of the scene, the static collider it must not collide with, or the
/// world.
static tdBodyId GetJointSide(const tdActorPhysics* physics, const tdActor* actor, int body,
                             int staticCollider, tdTransform frame, tdTransform* local)
{
    *local = frame;
    if (body >= 0)
    {
        return physics->bodies[body].id;
    }
    tdTransform inWorld = tdMulTransform(actor->pose.placement, frame);
    *local = inWorld;
    if (staticCollider < 0)
    {
        return (tdBodyId){0, 0};
    }
    tdBodyId id = physics->shapes[staticCollider].staticBody;
    *local = tdInvMulTransform(tdBody_GetTransform(actor->stage->world, id), inWorld);
    return id;
}

static bool CreateJoint(tdActor* actor, int index)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsJoint* source = &physics->scene->joints[index];
    const tdPhysicsJointDesc* desc = &physics->scene->jointDescs[source->desc];
    tdJointDef def = tdDefaultJointDef();
    def.bodyA =
        GetJointSide(physics, actor, source->bodyA, source->staticColliderA, source->frameA, &def.frameA);
    def.bodyB =
        GetJointSide(physics, actor, source->bodyB, source->staticColliderB, source->frameB, &def.frameB);
    def.frameA.rotation = tdNormalizeQuat(def.frameA.rotation);
    def.frameB.rotation = tdNormalizeQuat(def.frameB.rotation);
    def.limits = desc->limits;
    def.limitCount = desc->limitCount;
    def.drives = desc->drives;
    def.driveCount = desc->driveCount;
    def.enableCollision = source->enableCollision;
    physics->joints[index] = tdCreateJoint(actor->stage->world, &def);
    return physics->joints[index].index1 != 0;
}

/// Makes room in the table of collision systems for `count` names.
static bool ReserveSystems(tdStage* stage, int count)
{
    tdNameTable* table = &stage->systemTable;
    int slotCount = tdNameTable_GetSlotCount(count);
    if (slotCount > table->slotCount)
    {
        int* slots = tdAllocate(&stage->allocator, sizeof(int) * (size_t)slotCount, _Alignof(int));
        if (slots == NULL)
        {
            return false;
        }
        tdRelease(&stage->allocator, table->slots, sizeof(int) * (size_t)table->slotCount);
        table->slots = slots;
        table->slotCount = slotCount;
        tdNameTable_Fill(table, stage->systemNames.data, sizeof(char*), stage->systemNames.count);
    }
    return true;
}

/// Number of a collision system. All actors of a stage share the numbers, so that equal names of different
/// files are one system.
/// @return -1 when memory ran out
static int InternSystem(tdStage* stage, const char* name)
{
    int number = tdNameTable_Find(&stage->systemTable, name);
    if (number >= 0)
    {
        return number;
    }
    number = stage->systemNames.count;
    size_t size = strlen(name) + 1;
    char* copy = tdAllocate(&stage->allocator, size, 1);
    if (copy == NULL || !ReserveSystems(stage, number + 1) ||
        !tdArray_Push(&stage->allocator, &stage->systemNames, copy))
    {
        tdRelease(&stage->allocator, copy, size);
        return -1;
    }
    memcpy(copy, name, size);
    stage->systemTable.items = stage->systemNames.data; // the array may have moved
    tdNameTable_Add(&stage->systemTable, number);
    return number;
}

static const uint32_t* MapSystems(tdArena* arena, const int* systems, int count, const uint32_t* numbers)
{
    uint32_t* mapped = tdArena_NewArray(arena, uint32_t, count);
    for (int i = 0; mapped != NULL && i < count; ++i)
    {
        mapped[i] = numbers[systems[i]];
    }
    return mapped;
}

static bool CreateFilters(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsScene* scene = physics->scene;
    uint32_t* numbers = tdArena_NewArray(&actor->arena, uint32_t, scene->systemCount);
    if (numbers == NULL)
    {
        return false;
    }
    for (int i = 0; i < scene->systemCount; ++i)
    {
        int number = InternSystem(actor->stage, scene->systemNames[i]);
        if (number < 0)
        {
            return false;
        }
        numbers[i] = (uint32_t)number;
    }
    for (int i = 0; i < scene->filterCount; ++i)
    {
        const tdPhysicsFilter* filter = &scene->filters[i];
        tdFilterDef def = {
            .collisionSystems = MapSystems(&actor->arena, filter->systems, filter->systemCount, numbers),
            .collisionSystemCount = filter->systemCount,
            .collideWith = MapSystems(&actor->arena, filter->collideWith, filter->collideWithCount, numbers),
            .collideWithCount = filter->collideWithCount,
            .notCollideWith =
                MapSystems(&actor->arena, filter->notCollideWith, filter->notCollideWithCount, numbers),
            .notCollideWithCount = filter->notCollideWithCount,
        };
        bool hasMemory =
            def.collisionSystems != NULL && def.collideWith != NULL && def.notCollideWith != NULL;
        physics->filters[i] = hasMemory ? tdCreateFilter(actor->stage->world, &def) : (tdFilterId){0};
        if (physics->filters[i].index1 == 0)
        {
            return false;
        }
    }
    return true;
}

/// Lists for every collider the compound triggers that it is part of.
static bool MakeTriggerLists(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsScene* scene = physics->scene;
    physics->triggersOfShape = tdArena_NewArray(&actor->arena, const int*, scene->colliderCount);
    int** ends = tdArena_NewArray(&actor->arena, int*, scene->colliderCount);
    int* counts = tdArena_NewArray(&actor->arena, int, scene->colliderCount);
    if (physics->triggersOfShape == NULL || counts == NULL || ends == NULL)
    {
        return false;
    }
    for (int t = 0; t < scene->triggerCount; ++t)
    {
        for (int i = 0; i < scene->triggers[t].colliderCount; ++i)
        {
            counts[scene->triggers[t].colliders[i]] += 1;
        }
    }
    for (int c = 0; c < scene->colliderCount; ++c)
    {
        if (counts[c] == 0)
        {
            continue;
        }
        int* list = tdArena_NewArray(&actor->arena, int, counts[c] + 1);
        if (list == NULL)
        {
            return false;
        }
        memset(list, 0xff, sizeof(int) * (size_t)(counts[c] + 1)); // all -1
        physics->triggersOfShape[c] = ends[c] = list;
    }
    for (int t = 0; t < scene->triggerCount; ++t)
    {
        for (int i = 0; i < scene->triggers[t].colliderCount; ++i)
        {
            *ends[scene->triggers[t].colliders[i]]++ = t;
        }
    }
    return true;
}

static bool AllocatePhysics(tdActor* actor)
{
    const tdPhysicsScene* scene = actor->physicsScene;
    tdArena* arena = &actor->arena;
    tdActorPhysics* physics = tdArena_New(arena, tdActorPhysics);
    if (physics == NULL)
    {
        return false;
    }
    physics->scene = scene;
    physics->bodies = tdArena_NewArray(arena, tdBoundBody, scene->bodyCount);
    physics->shapes = tdArena_NewArray(arena, tdBoundShape, scene->colliderCount);
    physics->joints = tdArena_NewArray(arena, tdJointId, scene->jointCount);
    physics->frames = tdArena_NewArray(arena, tdBoundFrame, 2 * scene->jointCount);
    physics->filters = tdArena_NewArray(arena, tdFilterId, scene->filterCount);
    physics->materials = tdArena_NewArray(arena, tdPhysicsMaterial, scene->materialCount);
    physics->triggers = tdArena_NewArray(arena, tdBoundTrigger, scene->triggerCount);
    physics->driven = tdArena_NewArray(arena, uint64_t, actor->pose.wordCount);
    physics->followFraction = 1.0;
    bool isGood = physics->bodies != NULL && physics->shapes != NULL && physics->joints != NULL &&
                  physics->frames != NULL && physics->filters != NULL && physics->materials != NULL &&
                  physics->triggers != NULL && physics->driven != NULL;
    if (isGood && scene->materialCount > 0)
    {
        memcpy(physics->materials, scene->materials,
               sizeof(tdPhysicsMaterial) * (size_t)scene->materialCount);
    }
    actor->physics = isGood ? physics : NULL;
    actor->stage->bodyActorCount += isGood ? 1 : 0;
    return isGood;
}

bool tdPhysicsBinding_CreateActor(tdActor* actor)
{
    const tdPhysicsScene* scene = actor->physicsScene;
    if (scene == NULL || (scene->bodyCount == 0 && scene->colliderCount == 0))
    {
        return true;
    }
    tdProgress* progress = actor->asset->def.progress;
    tdProgress_Start(progress, TD_PROGRESS_BUILDING,
                     2 * (uint64_t)scene->bodyCount + (uint64_t)scene->colliderCount +
                         (uint64_t)scene->jointCount);
    tdNodePose_Sweep(&actor->pose); // globals at rest
    bool isGood = AllocatePhysics(actor) && CreateFilters(actor) && MakeTriggerLists(actor);
    if (isGood)
    {
        tdFrameDrive_Prepare(actor);
    }
    isGood = isGood && ListMovingAncestors(actor) && tdPhysicsProperties_Prepare(actor);
    for (int i = 0; i < scene->bodyCount && isGood; ++i)
    {
        isGood = CreateBody(actor, i);
        tdProgress_Add(progress, 1);
    }
    for (int i = 0; i < scene->colliderCount && isGood; ++i)
    {
        isGood = CreateColliderShape(actor, i);
        tdProgress_Add(progress, 1);
    }
    for (int i = 0; i < scene->bodyCount && isGood; ++i)
    {
        tdBody_ComputeMass(actor->stage->world, actor->physics->bodies[i].id);
        tdProgress_Add(progress, 1);
    }
    for (int i = 0; i < scene->jointCount && isGood; ++i)
    {
        isGood = CreateJoint(actor, i);
        tdProgress_Add(progress, 1);
    }
    if (!isGood)
    {
        tdPhysicsBinding_DestroyActor(actor);
        return false;
    }
    actor->physics->poseStep = actor->stage->stepIndex;
    tdNodePose_SetPlacement(&actor->pose,
                            actor->pose.placement); // marks everything dirty for the first update
    return true;
}

void tdPhysicsBinding_DestroyActor(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    if (physics == NULL)
    {
        return;
    }
    tdStage* stage = actor->stage;
    for (int i = 0; i < physics->scene->triggerCount; ++i)
    {
        tdArray_Free(&stage->allocator, &physics->triggers[i].visitors);
    }
    for (int i = 0; i < physics->scene->colliderCount; ++i)
    {
        tdBoundShape* shape = &physics->shapes[i];
        if (shape->id.index1 != 0)
        {
            UnregisterOwner(stage, shape->id.index1, false);
        }
        if (shape->staticBody.index1 != 0)
        {
            tdDestroyBody(stage->world, shape->staticBody);
        }
    }
    for (int i = 0; i < 2 * physics->scene->jointCount; ++i)
    {
        if (physics->frames[i].attachment.index1 != 0)
        {
            tdDestroyBody(stage->world, physics->frames[i].attachment);
        }
    }
    for (int i = 0; i < physics->scene->bodyCount; ++i) // destroys their shapes and joints, too
    {
        if (physics->bodies[i].id.index1 != 0)
        {
            UnregisterOwner(stage, physics->bodies[i].id.index1, true);
            tdDestroyBody(stage->world, physics->bodies[i].id);
        }
    }
    for (int i = 0; i < physics->scene->colliderCount; ++i)
    {
        tdFreeTriangles(physics->shapes[i].scaledMesh, &stage->allocator);
    }
    actor->pose.driven = NULL;
    actor->physics = NULL;
    stage->bodyActorCount -= 1;
}

bool tdPhysicsBinding_StepWorld(tdStage* stage)
{
    if (!tdWorld_Step(stage->world, tdStage_GetStepSeconds(stage)))
    {
        return false;
    }
    for (int a = 0; a < stage->actors.count && stage->bodyActorCount > 0; ++a)
    {
        if (stage->actors.data[a]->physics != NULL)
        {
            stage->actors.data[a]->physics->poseStep = stage->stepIndex;
        }
    }
    int count;
    const tdMovedBody* moved = tdWorld_GetMovedBodies(stage->world, &count);
    for (int i = 0; i < count; ++i)
    {
        tdBoundBody* body = tdPhysicsBinding_FindBody(stage, moved[i].body);
        if (body != NULL)
        {
            body->previous = body->current;
            body->current = moved[i].transform;
            body->movedStep = stage->stepIndex;
        }
    }
    return true;
}
