// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The public API of shapes: creation, destruction, geometry, material, filter.
#include "physics/body/shape.h"

#include "base/def.h"
#include "geometry/bounds.h"
#include "geometry/geometry.h"
#include "physics/body/body_mass.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/broad_phase/proxy.h"
#include "physics/contact/contact.h"
#include "physics/data/call_log.h"
#include "physics/data/fingerprint.h"
#include "physics/data/id.h"
#include "physics/data/refusal.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/island/contact_activation.h"

#include <math.h>
#include <string.h>

/// Entries of world->geometries that RegisterGeometry compares.
#define GEOMETRY_SEARCH 64
/// Upper limit of shape radii, m; unbounded planes have no finite radius.
#define MAX_SHAPE_RADIUS 1.0e6f

tdShapeDef tdDefaultShapeDef(void)
{
    return (tdShapeDef){
        .local = tdTransform_identity,
        .matrix = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}},
        .density = 1000.0f,
        .staticFriction = 0.6f,
        .dynamicFriction = 0.6f,
        .enableContactEvents = true,
        .cookie = TD_DEF_COOKIE,
    };
}

static void UpdateShapeRadii(tdShape* shape)
{
    shape->outerRadius =
        tdMinFloat(tdShape_ComputeOuterRadius(&shape->geometry, tdVec3_zero), MAX_SHAPE_RADIUS);
    shape->innerRadius = tdShape_ComputeInnerRadius(&shape->geometry);
}

static int AllocateShape(tdWorld* world)
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

// Index of a hull or mesh in world->geometries. Searches only the last GEOMETRY_SEARCH entries: shapes that
// share a geometry are usually created together, and a duplicate entry does no harm.
static int RegisterGeometry(tdWorld* world, const void* geometry)
{
    int count = world->geometries.count;
    for (int i = count - 1; i >= 0 && i >= count - GEOMETRY_SEARCH; --i)
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

static bool HasFiniteNumbers(const tdShapeDef* def)
{
    bool isMatrixFinite =
        !def->hasMatrix ||
        (tdIsFiniteVec3(def->matrix[0]) && tdIsFiniteVec3(def->matrix[1]) && tdIsFiniteVec3(def->matrix[2]));
    return tdIsFiniteTransform(def->local) && isMatrixFinite && isfinite(def->density) &&
           isfinite(def->staticFriction) && isfinite(def->dynamicFriction) && isfinite(def->restitution);
}

// Logs the creation of a shape with its dimensions as the function that made it takes them, or the number of
// its hull or mesh.
static void LogShape(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdShapeGeometry* geometry,
                     const tdGeometry* cooked, tdShapeId made)
{
    float sizes[3] = {0.0f, 0.0f, 0.0f};
    size_t count = 3;
    uint32_t number = 0;
    tdCall call = TD_CALL_CREATE_GEOMETRY_SHAPE;
    switch (geometry->kind)
    {
    case TD_SHAPE_SPHERE:
        call = TD_CALL_CREATE_SPHERE;
        sizes[0] = geometry->sphere.radius;
        count = 1;
        break;
    case TD_SHAPE_BOX:
        call = TD_CALL_CREATE_BOX;
        sizes[0] = 2.0f * geometry->box.halfSize.x;
        sizes[1] = 2.0f * geometry->box.halfSize.y;
        sizes[2] = 2.0f * geometry->box.halfSize.z;
        break;
    case TD_SHAPE_CAPSULE:
        call = TD_CALL_CREATE_CAPSULE;
        sizes[0] = 2.0f * geometry->capsule.halfHeight;
        sizes[1] = geometry->capsule.radiusBottom;
        sizes[2] = geometry->capsule.radiusTop;
        break;
    case TD_SHAPE_CYLINDER:
        call = TD_CALL_CREATE_CYLINDER;
        sizes[0] = 2.0f * geometry->cylinder.halfHeight;
        sizes[1] = geometry->cylinder.radiusBottom;
        sizes[2] = geometry->cylinder.radiusTop;
        break;
    case TD_SHAPE_PLANE:
        call = TD_CALL_CREATE_PLANE;
        sizes[0] = 2.0f * geometry->plane.halfX;
        sizes[1] = 2.0f * geometry->plane.halfZ;
        sizes[2] = geometry->plane.isDoubleSided ? 1.0f : 0.0f;
        break;
    default: // a hull or mesh
        number = world->calls->noteGeometry(world->calls->context, cooked);
        tdCallLog_AddShape(world->calls, call, body, def, (tdCallPart)TD_CALL_PART(number), made);
        return;
    }
    tdCallLog_AddShape(world->calls, call, body, def, (tdCallPart){sizes, count * sizeof(float)}, made);
}

// `areValid` says whether the dimensions of the geometry are; `cooked` is the hull or mesh, or NULL.
static tdShapeId AddShape(tdWorld* world, tdBodyId bodyId, const tdShapeDef* def, tdShapeGeometry geometry,
                          const tdGeometry* cooked, bool areValid)
{
    TD_ASSERT(!world->isLocked);
    tdShapeDef defaults = tdDefaultShapeDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    if (!TD_ACCEPT(world, areValid && HasFiniteNumbers(def)))
    {
        return (tdShapeId){0};
    }
    TD_ASSERT(tdDotQuat(def->local.rotation, def->local.rotation) > 0.5f);
    TD_ASSERT(tdWorld_OwnsFilter(world, def->filter));
    int body = tdWorld_GetBodyIndex(world, bodyId);
    bool isUnbounded =
        geometry.kind == TD_SHAPE_PLANE && (isinf(geometry.plane.halfX) || isinf(geometry.plane.halfZ));
    if (!tdArray_Reserve(&world->allocator, &world->shapes, world->shapes.count + 1) ||
        !tdArray_Reserve(&world->allocator, &world->moved, world->shapes.count + 1) ||
        !tdArray_Reserve(&world->allocator, &world->unbounded, world->unbounded.count + 1) ||
        !tdArray_Reserve(&world->allocator, &world->geometries, world->geometries.count + 1) ||
        !tdWorld_ReservePartTree(world, body, world->bodies.data[body].shapeCount + 1) ||
        !tdAabbTree_Reserve(&world->trees[TD_AABB_TREE_STATIC], &world->allocator,
                            world->trees[TD_AABB_TREE_STATIC].leafCount + 1) ||
        !tdAabbTree_Reserve(&world->trees[TD_AABB_TREE_KINEMATIC], &world->allocator,
                            world->trees[TD_AABB_TREE_KINEMATIC].leafCount + 1) ||
        !tdAabbTree_Reserve(&world->trees[TD_AABB_TREE_TRIGGER], &world->allocator,
                            world->trees[TD_AABB_TREE_TRIGGER].leafCount + 1) ||
        !tdAabbTree_Reserve(&world->trees[TD_AABB_TREE_DYNAMIC], &world->allocator,
                            world->trees[TD_AABB_TREE_DYNAMIC].leafCount + 1))
    {
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return (tdShapeId){0};
    }
    geometry.local = (tdTransform){def->local.position, tdNormalizeQuat(def->local.rotation)};
    geometry.hasMatrix = def->hasMatrix;
    geometry.matrix = (tdMat3){def->matrix[0], def->matrix[1], def->matrix[2]};
    tdWorld_NoteCreation(world, TD_CREATED_SHAPE, (int)geometry.kind, body, -1, geometry.local);
    int index = AllocateShape(world);
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
    shape->geometryIndex = geometry.kind == TD_SHAPE_HULL   ? RegisterGeometry(world, geometry.hull)
                           : geometry.kind == TD_SHAPE_MESH ? RegisterGeometry(world, geometry.mesh)
                                                            : -1;
    if (shape->next >= 0)
    {
        world->shapes.data[shape->next].previous = index;
    }
    world->bodies.data[body].shapeHead = index;
    world->bodies.data[body].shapeCount += 1;
    world->liveShapeCount += 1;
    world->triggerShapeCount += def->isTrigger ? 1 : 0;
    if (isUnbounded)
    {
        world->unbounded.data[world->unbounded.count++] = index;
    }
    tdWorld_InvalidatePartTree(world, body);
    UpdateShapeRadii(shape);
    tdWorld_GrowRadii(world, index); // the fat box depends on the size of the body
    tdWorld_RefreshProxy(world, index);
    if (world->bodies.data[body].motion != TD_MOTION_STATIC && !def->deferMass)
    {
        tdWorld_UpdateMass(world, body);
    }
    tdShapeId id = tdWorld_MakeShapeId(world, index);
    if (tdCallLog_IsOn(world->calls))
    {
        LogShape(world, bodyId, def, &geometry, cooked, id);
    }
    return id;
}

tdShapeId tdCreateSphere(tdWorld* world, tdBodyId body, const tdShapeDef* def, float radius)
{
    return AddShape(world, body, def, (tdShapeGeometry){.kind = TD_SHAPE_SPHERE, .sphere = {radius}}, NULL,
                    radius > 0.0f && isfinite(radius));
}

tdShapeId tdCreateBox(tdWorld* world, tdBodyId body, const tdShapeDef* def, tdVec3 size)
{
    bool areValid = tdIsFiniteVec3(size) && size.x > 0.0f && size.y > 0.0f && size.z > 0.0f;
    return AddShape(world, body, def, (tdShapeGeometry){.kind = TD_SHAPE_BOX, .box = {tdScale(0.5f, size)}},
                    NULL, areValid);
}

static bool AreValidRadii(float bottom, float top)
{
    return bottom >= 0.0f && top >= 0.0f && bottom + top > 0.0f && isfinite(bottom + top);
}

tdShapeId tdCreateCapsule(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                          float radiusBottom, float radiusTop)
{
    bool areValid = height >= 0.0f && AreValidRadii(radiusBottom, radiusTop) && isfinite(height);
    return AddShape(
        world, body, def,
        (tdShapeGeometry){.kind = TD_SHAPE_CAPSULE, .capsule = {0.5f * height, radiusBottom, radiusTop}},
        NULL, areValid);
}

tdShapeId tdCreateCylinder(tdWorld* world, tdBodyId body, const tdShapeDef* def, float height,
                           float radiusBottom, float radiusTop)
{
    bool areValid = height > 0.0f && AreValidRadii(radiusBottom, radiusTop) && isfinite(height);
    return AddShape(
        world, body, def,
        (tdShapeGeometry){.kind = TD_SHAPE_CYLINDER, .cylinder = {0.5f * height, radiusBottom, radiusTop}},
        NULL, areValid);
}

tdShapeId tdCreatePlane(tdWorld* world, tdBodyId body, const tdShapeDef* def, float sizeX, float sizeZ,
                        bool isDoubleSided)
{
    return AddShape(
        world, body, def,
        (tdShapeGeometry){.kind = TD_SHAPE_PLANE, .plane = {0.5f * sizeX, 0.5f * sizeZ, isDoubleSided}}, NULL,
        sizeX > 0.0f && sizeZ > 0.0f);
}

tdShapeId tdCreateHull(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* hull)
{
    TD_ASSERT(hull != NULL && hull->hull != NULL);
    return AddShape(world, body, def, (tdShapeGeometry){.kind = TD_SHAPE_HULL, .hull = hull->hull}, hull,
                    true);
}

tdShapeId tdCreateMesh(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdGeometry* mesh)
{
    TD_ASSERT(mesh != NULL && mesh->triangles != NULL && (def == NULL || !def->hasMatrix));
    return AddShape(world, body, def, (tdShapeGeometry){.kind = TD_SHAPE_MESH, .mesh = mesh->triangles}, mesh,
                    true);
}

// Remove a value from an array, keeping the order of the others.
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
    tdWorld_InvalidatePartTree(world, shape->body);
    tdWorld_DestroyContactsOf(world, shape->body, index, wake);
    if (shape->exclusionCount > 0)
    {
        tdWorld_ForgetExclusions(world, (tdPairSide){-1, index});
    }
    if (shape->proxy >= 0)
    {
        tdAabbTree_Remove(&world->trees[shape->tree], shape->proxy);
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
    world->triggerShapeCount -= (shape->flags & TD_SHAPE_TRIGGER) != 0 ? 1 : 0;
}

void tdDestroyShape(tdWorld* world, tdShapeId shape)
{
    TD_LOG_LONE_CALL(world->calls, TD_CALL_DESTROY_SHAPE, shape);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetShapeIndex(world, shape);
    int body = world->shapes.data[index].body;
    tdWorld_RemoveShape(world, index, true);
    // The radii of a static body are upper bounds. Recomputing them visits all shapes, so destroying a static
    // body with n shapes would cost n^2.
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
    TD_LOG_ID_CALL(world->calls, TD_CALL_SHAPE_SET_LOCAL, shape, local);
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetShapeIndex(world, shape);
    tdShape* record = &world->shapes.data[index];
    if (!TD_ACCEPT(world, tdIsFiniteTransform(local)))
    {
        return;
    }
    local.rotation = tdNormalizeQuat(local.rotation);
    if (memcmp(&local, &record->geometry.local, sizeof(local)) == 0)
    {
        return;
    }
    record->geometry.local = local;
    UpdateShapeRadii(record);
    tdWorld_InvalidatePartTree(world, record->body);
    tdWorld_UpdateRadii(world, record->body);
    tdWorld_RefreshProxy(world, index);
    tdWorld_WakeNear(world, index);
    tdWorld_InvalidateContacts(world, record->body);
    tdWorld_WakeTouching(world, record->body);
    tdWorld_WakeBody(world, record->body);
}

void tdShape_SetEnabled(tdWorld* world, tdShapeId shape, bool isEnabled)
{
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetShapeIndex(world, shape);
    tdShape* record = &world->shapes.data[index];
    unsigned flags =
        isEnabled ? record->flags & ~(unsigned)TD_SHAPE_DISABLED : record->flags | TD_SHAPE_DISABLED;
    if (flags != record->flags)
    {
        record->flags = (uint8_t)flags;
        tdWorld_DestroyContactsOf(world, record->body, index, true);
        tdWorld_RefreshProxy(world, index);
        tdWorld_WakeNear(world, index);
    }
}

tdShapeGeometry tdShape_GetGeometry(const tdWorld* world, tdShapeId shape)
{
    return world->shapes.data[tdWorld_GetShapeIndex(world, shape)].geometry;
}

bool tdShape_SetGeometry(tdWorld* world, tdShapeId shape, const tdShapeGeometry* geometry)
{
    TD_ASSERT(!world->isLocked);
    int index = tdWorld_GetShapeIndex(world, shape);
    tdShape* record = &world->shapes.data[index];
    bool isUnbounded =
        geometry->kind == TD_SHAPE_PLANE && (isinf(geometry->plane.halfX) || isinf(geometry->plane.halfZ));
    if (geometry->kind != record->geometry.kind ||
        isUnbounded != ((record->flags & TD_SHAPE_UNBOUNDED) != 0) ||
        !tdArray_Reserve(&world->allocator, &world->geometries, world->geometries.count + 1))
    {
        return false;
    }
    if (record->geometryIndex >= 0 && geometry->hull != record->geometry.hull)
    {
        record->geometryIndex = RegisterGeometry(world, geometry->hull);
    }
    record->geometry = *geometry;
    record->geometry.local.rotation = tdNormalizeQuat(geometry->local.rotation);
    UpdateShapeRadii(record);
    tdWorld_InvalidatePartTree(world, record->body);
    tdWorld_UpdateRadii(world, record->body);
    tdWorld_RefreshProxy(world, index);
    tdWorld_WakeNear(world, index);
    tdWorld_InvalidateContacts(world, record->body);
    tdWorld_WakeTouching(world, record->body);
    tdWorld_WakeBody(world, record->body);
    return true;
}

tdShapeMaterial tdShape_GetMaterial(const tdWorld* world, tdShapeId shape)
{
    const tdShape* record = &world->shapes.data[tdWorld_GetShapeIndex(world, shape)];
    return (tdShapeMaterial){
        .staticFriction = record->staticFriction,
        .dynamicFriction = record->dynamicFriction,
        .restitution = record->restitution,
        .frictionCombine = (tdCombine)record->frictionCombine,
        .restitutionCombine = (tdCombine)record->restitutionCombine,
    };
}

void tdShape_SetMaterial(tdWorld* world, tdShapeId shape, tdShapeMaterial material)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_SHAPE_SET_MATERIAL, shape, material);
    TD_ASSERT(!world->isLocked);
    tdShape* record = &world->shapes.data[tdWorld_GetShapeIndex(world, shape)];
    if (!TD_ACCEPT(world, isfinite(material.staticFriction) && isfinite(material.dynamicFriction) &&
                              isfinite(material.restitution)))
    {
        return;
    }
    record->staticFriction = material.staticFriction;
    record->dynamicFriction = material.dynamicFriction;
    record->restitution = material.restitution;
    record->frictionCombine = (uint8_t)material.frictionCombine;
    record->restitutionCombine = (uint8_t)material.restitutionCombine;
    tdWorld_InvalidateContacts(world, record->body);
    tdWorld_WakeTouching(world, record->body);
    tdWorld_WakeBody(world, record->body);
}

tdFilterId tdShape_GetFilter(const tdWorld* world, tdShapeId shape)
{
    return tdWorld_MakeFilterId(world, world->shapes.data[tdWorld_GetShapeIndex(world, shape)].filter);
}

void tdShape_SetFilter(tdWorld* world, tdShapeId shape, tdFilterId filter)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_SHAPE_SET_FILTER, shape, filter.index1);
    TD_ASSERT(!world->isLocked);
    TD_ASSERT(tdWorld_OwnsFilter(world, filter));
    int index = tdWorld_GetShapeIndex(world, shape);
    tdShape* record = &world->shapes.data[index];
    if (record->filter == filter.index1)
    {
        return;
    }
    record->filter = filter.index1;
    for (int key = world->bodies.data[record->body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int contactIndex = key >> 1, side = key & 1;
        key = contact->edges[side].next;
        // A trigger pair that still passes the filters goes on without events.
        bool isKept = contact->kind == TD_CONTACT_TRIGGER &&
                      tdWorld_ShouldCollide(world, contact->shapeA, contact->shapeB);
        if (index == (side == 0 ? contact->shapeA : contact->shapeB) && !isKept)
        {
            tdWorld_DestroyContact(world, contactIndex, true);
        }
    }
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
    TD_LOG_ID_CALL(world->calls, TD_CALL_SHAPE_SET_USER_DATA, shape, userData);
    world->shapes.data[tdWorld_GetShapeIndex(world, shape)].userData = userData;
}
