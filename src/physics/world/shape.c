// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes: makers, materials, and their leaves in the broad phase.
#include "physics/world/shape.h"

#include "geometry/bounds.h"
#include "geometry/geometry.h"
#include "physics/world/world.h"

#include <math.h>
#include <string.h>

tdShapeDef tdDefaultShapeDef(void)
{
    return (tdShapeDef){
        .local = tdTransform_identity,
        .matrix = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}},
        .density = 1000.0f,
        .staticFriction = 0.6f,
        .dynamicFriction = 0.6f,
        .enableContactEvents = true,
    };
}

int tdWorld_GetShapeIndex(const tdWorld* world, tdShapeId id)
{
    TD_ASSERT(tdShape_IsValid(world, id));
    return (int)id.index1 - 1;
}

tdShapeId tdWorld_MakeShapeId(const tdWorld* world, int shape)
{
    return (tdShapeId){(uint32_t)shape + 1, world->shapes.data[shape].generation};
}

bool tdShape_IsValid(const tdWorld* world, tdShapeId shape)
{
    return shape.index1 > 0 && shape.index1 <= (uint32_t)world->shapes.count &&
           world->shapes.data[shape.index1 - 1].body >= 0 &&
           world->shapes.data[shape.index1 - 1].generation == shape.generation;
}

float tdCombineMaterial(float a, tdCombine combineA, float b, tdCombine combineB)
{
    // The lower enumerator has priority: average, minimum, maximum, multiply. Unspecified defers to the other
    // side.
    tdCombine combine = combineA == TD_COMBINE_UNSPECIFIED   ? combineB
                        : combineB == TD_COMBINE_UNSPECIFIED ? combineA
                        : combineA < combineB                ? combineA
                                                             : combineB;
    switch (combine)
    {
    case TD_COMBINE_MINIMUM:
        return tdMinFloat(a, b);
    case TD_COMBINE_MAXIMUM:
        return tdMaxFloat(a, b);
    case TD_COMBINE_MULTIPLY:
        return a * b;
    case TD_COMBINE_UNSPECIFIED:
    case TD_COMBINE_AVERAGE:
    default:
        return 0.5f * (a + b);
    }
}

tdTreeKind tdShape_ChooseTree(const tdWorld* world, int shape)
{
    const tdShape* record = &world->shapes.data[shape];
    switch (world->bodies.data[record->body].motion)
    {
    case TD_MOTION_DYNAMIC:
        return TD_TREE_DYNAMIC;
    case TD_MOTION_KINEMATIC:
        return TD_TREE_KINEMATIC;
    default:
        return (record->flags & TD_SHAPE_TRIGGER) != 0 ? TD_TREE_KINEMATIC : TD_TREE_STATIC;
    }
}

void tdWorld_QueueShape(tdWorld* world, int shape)
{
    tdWorld_QueueMovedShape(world, shape);
    world->shapes.data[shape].flags |= TD_SHAPE_FRESH;
}

void tdWorld_QueueMovedShape(tdWorld* world, int shape)
{
    tdShape* record = &world->shapes.data[shape];
    if ((record->flags & TD_SHAPE_QUEUED) == 0)
    {
        TD_ASSERT(world->moved.count < world->moved.capacity);
        record->flags |= TD_SHAPE_QUEUED;
        record->moveIndex = world->moved.count;
        world->moved.data[world->moved.count++] = shape;
    }
}

tdAabb tdMakeFatAabb(tdAabb tight, tdVec3 displacement)
{
    // An eighth of the size, at most 5 cm, on top of the speculative margin; and room for some steps at the
    // present speed, at most the box's own size, so that a fast body does not leave its box in every step.
    tdVec3 size = tdSub(tight.upper, tight.lower);
    float largest = tdMaxFloat(size.x, tdMaxFloat(size.y, size.z));
    float room = TD_SPECULATIVE_MARGIN + tdMinFloat(0.125f * largest, 0.05f);
    tdVec3 margin = {room, room, room};
    tdAabb fat = {tdSub(tight.lower, margin), tdAdd(tight.upper, margin)};
    tdVec3 limit = tdScale(0.5f, size);
    tdVec3 ahead = tdScale(2.0f, displacement);
    ahead = tdMax(tdMin(ahead, limit), tdNegate(limit));
    fat.lower = tdAdd(fat.lower, tdMin(ahead, tdVec3_zero));
    fat.upper = tdAdd(fat.upper, tdMax(ahead, tdVec3_zero));
    return fat;
}

void tdWorld_RefreshProxy(tdWorld* world, int shape)
{
    tdShape* record = &world->shapes.data[shape];
    const tdBodySim* sim = tdWorld_GetBodySim(world, record->body);
    tdAabb tight = tdShape_ComputeAabb(&record->geometry, sim->transform);
    if ((record->flags & TD_SHAPE_UNBOUNDED) != 0)
    {
        record->fatAabb = tight;
        tdWorld_QueueShape(world, shape);
        return;
    }
    bool isStatic = world->bodies.data[record->body].motion == TD_MOTION_STATIC;
    record->fatAabb = isStatic ? tight : tdMakeFatAabb(tight, tdVec3_zero);
    tdTreeKind kind = tdShape_ChooseTree(world, shape);
    if (record->proxy >= 0 && record->tree == kind)
    {
        tdTree_Move(&world->trees[kind], record->proxy, record->fatAabb);
    }
    else
    {
        if (record->proxy >= 0)
        {
            tdTree_Remove(&world->trees[record->tree], record->proxy);
        }
        record->tree = (uint8_t)kind;
        record->proxy = tdTree_Insert(&world->trees[kind], record->fatAabb, shape);
    }
    tdWorld_QueueShape(world, shape);
}

// Whether a box meets an unbounded plane, a half-space or a sheet.
static bool TestPlaneBox(const tdWorld* world, const tdShape* plane, tdAabb box)
{
    tdTransform pose =
        tdMulTransform(tdWorld_GetBodySim(world, plane->body)->transform, plane->geometry.local);
    tdVec3 normal = tdRotate(pose.rotation, (tdVec3){0.0f, 1.0f, 0.0f});
    tdVec3 center = tdScale(0.5f, tdAdd(box.lower, box.upper));
    float reach = tdDot(tdAbs(normal), tdScale(0.5f, tdSub(box.upper, box.lower))) + TD_SPECULATIVE_MARGIN;
    float height = tdDot(normal, tdSub(center, pose.position));
    bool isHalfSpace = !plane->geometry.plane.isDoubleSided && isinf(plane->geometry.plane.halfX) &&
                       isinf(plane->geometry.plane.halfZ);
    return height <= reach && (isHalfSpace || height >= -reach);
}

bool tdWorld_TestFatBoxes(const tdWorld* world, int shapeA, int shapeB)
{
    const tdShape *a = &world->shapes.data[shapeA], *b = &world->shapes.data[shapeB];
    if (!tdOverlapAabb(a->fatAabb, b->fatAabb))
    {
        return false;
    }
    bool unboundedA = (a->flags & TD_SHAPE_UNBOUNDED) != 0, unboundedB = (b->flags & TD_SHAPE_UNBOUNDED) != 0;
    return (!unboundedA || unboundedB || TestPlaneBox(world, a, b->fatAabb)) &&
           (!unboundedB || unboundedA || TestPlaneBox(world, b, a->fatAabb));
}

static void UpdateRadii(tdShape* shape)
{
    shape->outerRadius = tdMinFloat(tdShape_ComputeOuterRadius(&shape->geometry, tdVec3_zero), 1.0e6f);
    shape->innerRadius = tdShape_ComputeInnerRadius(&shape->geometry);
}

static int TakeShape(tdWorld* world)
{
    if (world->freeShape >= 0)
    {
        int index = world->freeShape;
        world->freeShape = world->shapes.data[index].next;
        return index;
    }
    world->shapes.data[world->shapes.count] = (tdShape){0};
    return world->shapes.count++;
}

// Its number in the list of cooked geometries; looks back a little for one that is shared.
static int FindGeometry(tdWorld* world, const void* geometry)
{
    int count = world->geometries.count;
    for (int i = count - 1; i >= 0 && i >= count - 64; --i)
    {
        if (world->geometries.data[i] == geometry)
        {
            return i;
        }
    }
    world->geometries.data[count] = geometry;
    world->geometries.count += 1;
    return count;
}

static tdShapeId CreateShape(tdWorld* world, tdBodyId bodyId, const tdShapeDef* def, tdShapeGeometry geometry)
{
    TD_ASSERT(!world->isLocked);
    tdShapeDef defaults = tdDefaultShapeDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT(tdDotQuat(def->local.rotation, def->local.rotation) > 0.5f); // a def that was only zeroed
    TD_ASSERT((int)def->filter.index1 <= world->filters.filters.count);
    int body = tdWorld_GetBodyIndex(world, bodyId);
    bool isUnbounded =
        geometry.kind == TD_SHAPE_PLANE && (isinf(geometry.plane.halfX) || isinf(geometry.plane.halfZ));
    if (!tdArray_Reserve(&world->allocator, &world->shapes, world->shapes.count + 1) ||
        !tdArray_Reserve(&world->allocator, &world->moved, world->shapes.count + 1) ||
        !tdArray_Reserve(&world->allocator, &world->unbounded, world->unbounded.count + 1) ||
        !tdArray_Reserve(&world->allocator, &world->geometries, world->geometries.count + 1) ||
        !tdTree_Reserve(&world->trees[TD_TREE_STATIC], &world->allocator,
                        world->trees[TD_TREE_STATIC].leafCount + 1) ||
        !tdTree_Reserve(&world->trees[TD_TREE_KINEMATIC], &world->allocator,
                        world->trees[TD_TREE_KINEMATIC].leafCount + 1) ||
        !tdTree_Reserve(&world->trees[TD_TREE_DYNAMIC], &world->allocator,
                        world->trees[TD_TREE_DYNAMIC].leafCount + 1))
    {
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return (tdShapeId){0};
    }
    geometry.local = (tdTransform){def->local.position, tdNormalizeQuat(def->local.rotation)};
    geometry.hasMatrix = def->hasMatrix;
    geometry.matrix = (tdMat3){def->matrix[0], def->matrix[1], def->matrix[2]};
    int index = TakeShape(world);
    tdShape* shape = &world->shapes.data[index];
    uint32_t generation = shape->generation + 1;
    *shape = (tdShape){
        .geometry = geometry,
        .generation = generation,
        .body = body,
        .next = world->bodies.data[body].shapeHead,
        .previous = -1,
        .proxy = -1,
        .frictionCombine = (uint8_t)def->frictionCombine,
        .restitutionCombine = (uint8_t)def->restitutionCombine,
        .density = def->density,
        .staticFriction = def->staticFriction,
        .dynamicFriction = def->dynamicFriction,
        .restitution = def->restitution,
        .filter = def->filter.index1,
        .userData = def->userData,
    };
    shape->flags = (uint8_t)((def->isTrigger ? TD_SHAPE_TRIGGER : 0) |
                             (def->enableContactEvents ? TD_SHAPE_CONTACT_EVENTS : 0) |
                             (isUnbounded ? TD_SHAPE_UNBOUNDED : 0));
    shape->geometryIndex = geometry.kind == TD_SHAPE_HULL   ? FindGeometry(world, geometry.hull)
                           : geometry.kind == TD_SHAPE_MESH ? FindGeometry(world, geometry.mesh)
                                                            : -1;
    if (shape->next >= 0)
    {
        world->shapes.data[shape->next].previous = index;
    }
    world->bodies.data[body].shapeHead = index;
    world->bodies.data[body].shapeCount += 1;
    world->liveShapeCount += 1;
    if (isUnbounded)
    {
        world->unbounded.data[world->unbounded.count++] = index;
    }
    UpdateRadii(shape);
    tdWorld_RefreshProxy(world, index);
    if (world->bodies.data[body].motion == TD_MOTION_STATIC)
    {
        tdWorld_GrowRadii(world, index);
    }
    else if (!def->deferMass)
    {
        tdWorld_UpdateMass(world, body);
    }
    return tdWorld_MakeShapeId(world, index);
}

tdShapeId tdCreateSphere(tdWorld* world, tdBodyId body, const tdShapeDef* def, float radius)
{
    TD_ASSERT(radius > 0.0f);
    return CreateShape(world, body, def, (tdShapeGeometry){.kind = TD_SHAPE_SPHERE, .sphere = {radius}});
}

tdShapeId tdCreateBox(tdWorld* world, tdBodyId body, const tdShapeDef* def, tdVec3 size)
{
    TD_ASSERT(size.x > 0.0f && size.y > 0.0f && size.z > 0.0f);
    return CreateShape(world, body, def,
                       (tdShapeGeometry){.kind = TD_SHAPE_BOX, .box = {tdScale(0.5f, size)}});
}

tdShapeId tdCreateCapsule(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                          float radiusBottom, float radiusTop)
{
    TD_ASSERT(height >= 0.0f && radiusBottom >= 0.0f && radiusTop >= 0.0f && radiusBottom + radiusTop > 0.0f);
    return CreateShape(
        world, body, def,
        (tdShapeGeometry){.kind = TD_SHAPE_CAPSULE, .capsule = {0.5f * height, radiusBottom, radiusTop}});
}

tdShapeId tdCreateCylinder(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                           float radiusBottom, float radiusTop)
{
    TD_ASSERT(height > 0.0f && radiusBottom >= 0.0f && radiusTop >= 0.0f && radiusBottom + radiusTop > 0.0f);
    return CreateShape(
        world, body, def,
        (tdShapeGeometry){.kind = TD_SHAPE_CYLINDER, .cylinder = {0.5f * height, radiusBottom, radiusTop}});
}

tdShapeId tdCreatePlane(tdWorld* world, tdBodyId body, const tdShapeDef* def, float sizeX, float sizeZ,
                        bool isDoubleSided)
{
    TD_ASSERT(sizeX > 0.0f && sizeZ > 0.0f);
    return CreateShape(
        world, body, def,
        (tdShapeGeometry){.kind = TD_SHAPE_PLANE, .plane = {0.5f * sizeX, 0.5f * sizeZ, isDoubleSided}});
}

tdShapeId tdCreateHull(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* hull)
{
    TD_ASSERT(hull != NULL && hull->hull != NULL);
    return CreateShape(world, body, def, (tdShapeGeometry){.kind = TD_SHAPE_HULL, .hull = hull->hull});
}

tdShapeId tdCreateMesh(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* mesh)
{
    TD_ASSERT(mesh != NULL && mesh->triangles != NULL && (def == NULL || !def->hasMatrix));
    return CreateShape(world, body, def, (tdShapeGeometry){.kind = TD_SHAPE_MESH, .mesh = mesh->triangles});
}

// Out of an array of indices, keeping the order of the others.
static void RemoveValue(int* values, int* count, int value)
{
    int kept = 0;
    for (int i = 0; i < *count; ++i)
    {
        if (values[i] != value)
        {
            values[kept++] = values[i];
        }
    }
    *count = kept;
}

void tdWorld_RemoveShape(tdWorld* world, int index, bool wake)
{
    tdShape* shape = &world->shapes.data[index];
    tdWorld_DestroyContactsOf(world, shape->body, index, wake);
    if (shape->exclusionCount > 0)
    {
        tdWorld_ForgetExclusions(world, (tdPairSide){-1, index});
    }
    if (shape->proxy >= 0)
    {
        tdTree_Remove(&world->trees[shape->tree], shape->proxy);
    }
    if ((shape->flags & TD_SHAPE_UNBOUNDED) != 0)
    {
        RemoveValue(world->unbounded.data, &world->unbounded.count, index);
    }
    if ((shape->flags & TD_SHAPE_QUEUED) != 0)
    {
        int last = world->moved.data[--world->moved.count];
        world->moved.data[shape->moveIndex] = last;
        world->shapes.data[last].moveIndex = shape->moveIndex;
    }
    tdBody* body = &world->bodies.data[shape->body];
    *(shape->previous >= 0 ? &world->shapes.data[shape->previous].next : &body->shapeHead) = shape->next;
    if (shape->next >= 0)
    {
        world->shapes.data[shape->next].previous = shape->previous;
    }
    body->shapeCount -= 1;
    shape->body = -1;
    shape->next = world->freeShape;
    world->freeShape = index;
    world->liveShapeCount -= 1;
}

void tdDestroyShape(tdWorld* world, tdShapeId shape)
{
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetShapeIndex(world, shape);
    int body = world->shapes.data[index].body;
    tdWorld_RemoveShape(world, index, true);
    // The radii of a static body are bounds: better too large than looking at all its shapes for each one
    // that goes.
    if (world->bodies.data[body].motion != TD_MOTION_STATIC || world->bodies.data[body].shapeCount == 0)
    {
        tdWorld_UpdateMass(world, body);
    }
}

tdBodyId tdShape_GetBody(const tdWorld* world, tdShapeId shape)
{
    return tdWorld_MakeBodyId(world, world->shapes.data[tdWorld_GetShapeIndex(world, shape)].body);
}

tdTransform tdShape_GetLocal(const tdWorld* world, tdShapeId shape)
{
    return world->shapes.data[tdWorld_GetShapeIndex(world, shape)].geometry.local;
}

void tdShape_SetLocal(tdWorld* world, tdShapeId shape, tdTransform local)
{
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetShapeIndex(world, shape);
    tdShape* record = &world->shapes.data[index];
    local.rotation = tdNormalizeQuat(local.rotation);
    if (memcmp(&local, &record->geometry.local, sizeof(local)) == 0)
    {
        return;
    }
    record->geometry.local = local;
    UpdateRadii(record);
    tdWorld_UpdateRadii(world, record->body);
    tdWorld_RefreshProxy(world, index);
    tdWorld_WakeNear(world, index);
    tdWorld_InvalidateContacts(world, record->body);
    tdWorld_WakeTouching(world, record->body);
    tdWorld_WakeBody(world, record->body);
}

bool tdShape_SetGeometry(tdWorld* world, tdShapeId shape, const tdShapeGeometry* geometry)
{
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetShapeIndex(world, shape);
    tdShape* record = &world->shapes.data[index];
    bool isUnbounded =
        geometry->kind == TD_SHAPE_PLANE && (isinf(geometry->plane.halfX) || isinf(geometry->plane.halfZ));
    if (record->geometryIndex >= 0 || geometry->kind != record->geometry.kind ||
        isUnbounded != ((record->flags & TD_SHAPE_UNBOUNDED) != 0))
    {
        return false;
    }
    record->geometry = *geometry;
    record->geometry.local.rotation = tdNormalizeQuat(geometry->local.rotation);
    UpdateRadii(record);
    tdWorld_UpdateRadii(world, record->body);
    tdWorld_RefreshProxy(world, index);
    tdWorld_InvalidateContacts(world, record->body);
    tdWorld_WakeTouching(world, record->body);
    tdWorld_WakeBody(world, record->body);
    return true;
}

void tdShape_SetMaterial(tdWorld* world, tdShapeId shape, float staticFriction, float dynamicFriction,
                         float restitution, tdCombine frictionCombine, tdCombine restitutionCombine)
{
    TD_ASSERT(!world->isLocked);
    tdShape* record = &world->shapes.data[tdWorld_GetShapeIndex(world, shape)];
    record->staticFriction = staticFriction;
    record->dynamicFriction = dynamicFriction;
    record->restitution = restitution;
    record->frictionCombine = (uint8_t)frictionCombine;
    record->restitutionCombine = (uint8_t)restitutionCombine;
    tdWorld_InvalidateContacts(world, record->body);
    tdWorld_WakeTouching(world, record->body);
    tdWorld_WakeBody(world, record->body);
}

tdFilterId tdShape_GetFilter(const tdWorld* world, tdShapeId shape)
{
    return (tdFilterId){world->shapes.data[tdWorld_GetShapeIndex(world, shape)].filter};
}

void tdShape_SetFilter(tdWorld* world, tdShapeId shape, tdFilterId filter)
{
    TD_ASSERT(!world->isLocked && (int)filter.index1 <= world->filters.filters.count);
    int index = tdWorld_GetShapeIndex(world, shape);
    tdShape* record = &world->shapes.data[index];
    if (record->filter == filter.index1)
    {
        return;
    }
    record->filter = filter.index1;
    tdWorld_DestroyContactsOf(world, record->body, index, true);
    tdWorld_RefreshProxy(world, index);
}

bool tdShape_IsTrigger(const tdWorld* world, tdShapeId shape)
{
    return (world->shapes.data[tdWorld_GetShapeIndex(world, shape)].flags & TD_SHAPE_TRIGGER) != 0;
}

uint64_t tdShape_GetUserData(const tdWorld* world, tdShapeId shape)
{
    return world->shapes.data[tdWorld_GetShapeIndex(world, shape)].userData;
}

void tdShape_SetUserData(tdWorld* world, tdShapeId shape, uint64_t userData)
{
    world->shapes.data[tdWorld_GetShapeIndex(world, shape)].userData = userData;
}
