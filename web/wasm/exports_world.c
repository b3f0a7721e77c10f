// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The rigid-body engine: worlds, bodies, geometries, filters and events. Ids are pairs of numbers. Calls with a stale id
// change nothing and return false, because the engine itself requires valid ids.
#include "exports_world.h"

#include <math.h>
#include <stdlib.h>

/// Ids of the last call that lists some: pairs of index and generation. Grows as needed and is never freed.
static uint32_t* ids;
static int idCapacity;

uint32_t* ReserveIds(int count)
{
    if (count > idCapacity)
    {
        uint32_t* grown = realloc(ids, sizeof(uint32_t) * 2 * (size_t)count);
        ids = grown != NULL ? grown : ids;
        idCapacity = grown != NULL ? count : idCapacity;
    }
    return count <= idCapacity ? ids : NULL;
}

void PutId(uint32_t index1, uint32_t generation)
{
    IdRecord* r = GET_RECORD(Id);
    r->index1 = index1;
    r->generation = generation;
}

/// Pairs of the last list; NULL before the first one.
const uint32_t* EXPORT(td_ids)(void)
{
    return ids;
}

// Worlds

tdWorld* EXPORT(td_world_create)(float x, float y, float z, int subSteps, bool sleep, bool continuous)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = (tdVec3){x, y, z};
    def.subStepCount = subSteps > 0 ? subSteps : def.subStepCount;
    def.enableSleep = sleep;
    def.enableContinuous = continuous;
    return tdCreateWorld(&def);
}

void EXPORT(td_world_destroy)(tdWorld* world)
{
    tdDestroyWorld(world);
}

bool EXPORT(td_world_step)(tdWorld* world, float timeStep)
{
    return tdWorld_Step(world, timeStep);
}

uint64_t EXPORT(td_world_hash)(const tdWorld* world)
{
    return tdWorld_GetStateHash(world);
}

void EXPORT(td_world_get_gravity)(const tdWorld* world)
{
    PutVec3(GET_RECORD(Vector)->value, tdWorld_GetGravity(world));
}

void EXPORT(td_world_set_gravity)(tdWorld* world, float x, float y, float z)
{
    tdWorld_SetGravity(world, (tdVec3){x, y, z});
}

bool EXPORT(td_world_get_sleep)(const tdWorld* world)
{
    return tdWorld_IsSleepEnabled(world);
}

void EXPORT(td_world_set_sleep)(tdWorld* world, bool enable)
{
    tdWorld_EnableSleep(world, enable);
}

bool EXPORT(td_world_get_continuous)(const tdWorld* world)
{
    return tdWorld_IsContinuousEnabled(world);
}

void EXPORT(td_world_set_continuous)(tdWorld* world, bool enable)
{
    tdWorld_EnableContinuous(world, enable);
}

void EXPORT(td_world_stats)(const tdWorld* world)
{
    StatisticsRecord* r = GET_RECORD(Statistics);
    tdStepStats stats = tdWorld_GetStats(world);
    r->bodyCount = stats.bodyCount;
    r->awakeBodyCount = stats.awakeBodyCount;
    r->shapeCount = stats.shapeCount;
    r->contactCount = stats.contactCount;
    r->touchCount = stats.touchCount;
    r->islandCount = stats.islandCount;
    r->awakeIslandCount = stats.awakeIslandCount;
    r->pairsTested = stats.pairsTested;
    r->manifoldsMade = stats.manifoldsMade;
    r->manifoldsKept = stats.manifoldsKept;
    r->movedProxyCount = stats.movedProxyCount;
    r->continuousCount = stats.continuousCount;
    r->sweptPairCount = stats.sweptPairCount;
    r->clampedCount = stats.clampedCount;
}

/// The caller frees the block. Leaves its size in bytes in the Size record. NULL when memory ran out.
void* EXPORT(td_world_save)(const tdWorld* world)
{
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* block = malloc(size);
    GET_RECORD(Size)->size = block != NULL ? (double)tdWorld_SaveState(world, block, size) : 0.0;
    return block;
}

bool EXPORT(td_world_load)(tdWorld* world, const void* block, size_t size)
{
    return tdWorld_LoadState(world, block, size);
}

bool EXPORT(td_world_is_out_of_memory)(const tdWorld* world)
{
    return tdWorld_GetStatus(world) == TD_STATUS_OUT_OF_MEMORY;
}

/// @return number of bodies that the last step may have moved
int EXPORT(td_world_moved_count)(const tdWorld* world)
{
    int count = 0;
    tdWorld_GetMovedBodies(world, &count);
    return count;
}

void EXPORT(td_world_moved)(const tdWorld* world, int index)
{
    MovedBodyRecord* r = GET_RECORD(MovedBody);
    int count = 0;
    tdMovedBody moved = tdWorld_GetMovedBodies(world, &count)[index];
    r->index1 = moved.body.index1;
    r->generation = moved.body.generation;
    RecordTransform(r->position, r->rotation, moved.transform);
    r->fellAsleep = moved.fellAsleep;
}

/// Writes 7 floats per body: position and rotation. @return number of bodies before the first stale id
int EXPORT(td_bodies_transforms)(const tdWorld* world, const uint32_t* bodies, int count, float* out)
{
    for (int i = 0; i < count; ++i)
    {
        tdBodyId body = {bodies[2 * i], bodies[2 * i + 1]};
        if (!tdBody_IsValid(world, body))
        {
            return i;
        }
        tdTransform transform = tdBody_GetTransform(world, body);
        float values[7] = {transform.position.x, transform.position.y, transform.position.z, transform.rotation.x,
                           transform.rotation.y, transform.rotation.z, transform.rotation.w};
        for (int k = 0; k < 7; ++k)
        {
            out[7 * i + k] = values[k];
        }
    }
    return count;
}

// Events

int EXPORT(td_world_contact_event_count)(const tdWorld* world)
{
    return tdWorld_GetEvents(world).contactCount;
}

void EXPORT(td_world_contact_event)(const tdWorld* world, int index)
{
    WorldContactEventRecord* r = GET_RECORD(WorldContactEvent);
    const tdWorldContactEvent* event = &tdWorld_GetEvents(world).contacts[index];
    r->began = event->began;
    uint32_t all[8] = {event->shapeA.index1, event->shapeA.generation, event->shapeB.index1, event->shapeB.generation,
                       event->bodyA.index1,  event->bodyA.generation,  event->bodyB.index1,  event->bodyB.generation};
    PutIds(r->ids, all, 8);
    PutVec3(r->point, event->point);
    PutVec3(r->normal, event->normal);
    r->impulse = (double)event->impulse;
}

int EXPORT(td_world_trigger_event_count)(const tdWorld* world)
{
    return tdWorld_GetEvents(world).triggerCount;
}

void EXPORT(td_world_trigger_event)(const tdWorld* world, int index)
{
    WorldTriggerEventRecord* r = GET_RECORD(WorldTriggerEvent);
    const tdWorldTriggerEvent* event = &tdWorld_GetEvents(world).triggers[index];
    r->entered = event->entered;
    uint32_t all[8] = {event->trigger.index1,     event->trigger.generation,     event->visitor.index1,
                       event->visitor.generation, event->triggerBody.index1,     event->triggerBody.generation,
                       event->visitorBody.index1, event->visitorBody.generation};
    PutIds(r->ids, all, 8);
}

int EXPORT(td_world_break_event_count)(const tdWorld* world)
{
    int count = 0;
    tdWorld_GetJointBreakEvents(world, &count);
    return count;
}

void EXPORT(td_world_break_event)(const tdWorld* world, int index)
{
    BreakEventRecord* r = GET_RECORD(BreakEvent);
    int count = 0;
    tdJointBreakEvent event = tdWorld_GetJointBreakEvents(world, &count)[index];
    r->index1 = event.joint.index1;
    r->generation = event.joint.generation;
    PutVec3(r->force, event.force);
    PutVec3(r->torque, event.torque);
}

// Bodies

/// Leaves the id in the Id record. False when memory ran out.
bool EXPORT(td_body_create)(tdWorld* world)
{
    const BodyDefRecord* r = GET_RECORD(BodyDef);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = (tdMotion)r->motion;
    def.transform = (tdTransform){TakeVec3(r->position), TakeQuat(r->rotation)};
    def.linearVelocity = TakeVec3(r->linearVelocity);
    def.angularVelocity = TakeVec3(r->angularVelocity);
    def.mass = (float)r->mass;
    def.hasCenterOfMass = r->hasCenterOfMass != 0.0;
    def.centerOfMass = TakeVec3(r->centerOfMass);
    def.inertiaDiagonal = TakeVec3(r->inertiaDiagonal);
    def.inertiaOrientation = TakeQuat(r->inertiaOrientation);
    def.gravityFactor = (float)r->gravityFactor;
    def.enableSleep = r->enableSleep != 0.0;
    def.enableContinuous = r->enableContinuous != 0.0;
    def.isAwake = r->isAwake != 0.0;
    def.userData = OWN_USER_DATA;
    tdBodyId body = tdCreateBody(world, &def);
    PutId(body.index1, body.generation);
    return body.index1 != 0;
}

bool EXPORT(td_body_is_valid)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    return tdBody_IsValid(world, (tdBodyId){index1, generation});
}

bool EXPORT(td_body_destroy)(tdWorld* world, uint32_t index1, uint32_t generation)
{
    tdBodyId body = {index1, generation};
    if (!tdBody_IsValid(world, body))
    {
        return false;
    }
    tdDestroyBody(world, body);
    return true;
}

bool EXPORT(td_body_get)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    WorldBodyRecord* r = GET_RECORD(WorldBody);
    tdBodyId body = {index1, generation};
    if (!tdBody_IsValid(world, body))
    {
        return false;
    }
    r->motion = tdBody_GetMotion(world, body);
    r->isOwn = tdBody_GetUserData(world, body) == OWN_USER_DATA;
    RecordTransform(r->position, r->rotation, tdBody_GetTransform(world, body));
    PutVec3(r->linearVelocity, tdBody_GetLinearVelocity(world, body));
    PutVec3(r->angularVelocity, tdBody_GetAngularVelocity(world, body));
    tdBodyMass mass = tdBody_GetMass(world, body);
    r->mass = (double)mass.mass;
    PutVec3(r->centerOfMass, mass.centerOfMass);
    PutVec3(r->inertiaDiagonal, mass.inertiaDiagonal);
    PutQuat(r->inertiaOrientation, mass.inertiaOrientation);
    PutVec3(r->worldCenterOfMass, tdBody_GetWorldCenterOfMass(world, body));
    r->gravityFactor = (double)tdBody_GetGravityFactor(world, body);
    r->isAwake = tdBody_IsAwake(world, body);
    r->isSleepEnabled = tdBody_IsSleepEnabled(world, body);
    r->isContinuousEnabled = tdBody_IsContinuousEnabled(world, body);
    tdTransform target = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    r->hasTarget = tdBody_GetTarget(world, body, &target);
    RecordTransform(r->targetPosition, r->targetRotation, target);
    return true;
}

/// Changes one property; the values are in the Values record. @return 0: stale id, 1: done, 2: memory ran out
int EXPORT(td_body_set)(tdWorld* world, uint32_t index1, uint32_t generation, int property)
{
    const ValuesRecord* r = GET_RECORD(Values);
    tdBodyId body = {index1, generation};
    if (!tdBody_IsValid(world, body))
    {
        return 0;
    }
    tdVec3 first = TakeVec3(r->values), second = TakeVec3(r->values + 3);
    tdTransform transform = {first, TakeQuat(r->values + 3)};
    bool isOn = r->values[0] != 0.0;
    switch (property)
    {
    case BODY_MOTION:
        return tdBody_SetMotion(world, body, (tdMotion)r->values[0]) ? 1 : 2;
    case BODY_TRANSFORM:
        tdBody_SetTransform(world, body, transform);
        break;
    case BODY_TARGET:
        tdBody_SetTarget(world, body, transform);
        break;
    case BODY_LINEAR_VELOCITY:
        tdBody_SetLinearVelocity(world, body, first);
        break;
    case BODY_ANGULAR_VELOCITY:
        tdBody_SetAngularVelocity(world, body, first);
        break;
    case BODY_FORCE:
        tdBody_ApplyForceToCenter(world, body, first);
        break;
    case BODY_FORCE_AT:
        tdBody_ApplyForce(world, body, first, second);
        break;
    case BODY_TORQUE:
        tdBody_ApplyTorque(world, body, first);
        break;
    case BODY_IMPULSE:
        tdBody_ApplyImpulseToCenter(world, body, first);
        break;
    case BODY_IMPULSE_AT:
        tdBody_ApplyImpulse(world, body, first, second);
        break;
    case BODY_ANGULAR_IMPULSE:
        tdBody_ApplyAngularImpulse(world, body, first);
        break;
    case BODY_MASS:
        tdBody_SetMass(world, body,
                       (tdBodyMass){(float)r->values[0], TakeVec3(r->values + 1), TakeVec3(r->values + 4),
                                    TakeQuat(r->values + 7)});
        break;
    case BODY_COMPUTED_MASS:
        tdBody_ComputeMass(world, body);
        break;
    case BODY_GRAVITY_FACTOR:
        tdBody_SetGravityFactor(world, body, first.x);
        break;
    case BODY_AWAKE:
        tdBody_SetAwake(world, body, isOn);
        break;
    case BODY_SLEEP:
        tdBody_EnableSleep(world, body, isOn);
        break;
    case BODY_CONTINUOUS:
        tdBody_EnableContinuous(world, body, isOn);
        break;
    }
    return 1;
}

/// Leaves the velocity of a point in the Vector record. False for a stale id.
bool EXPORT(td_body_point_velocity)(const tdWorld* world, uint32_t index1, uint32_t generation, float x, float y,
                                    float z)
{
    tdBodyId body = {index1, generation};
    bool isValid = tdBody_IsValid(world, body);
    if (isValid)
    {
        PutVec3(GET_RECORD(Vector)->value, tdBody_GetPointVelocity(world, body, (tdVec3){x, y, z}));
    }
    return isValid;
}

/// Lists the shapes of a body in td_ids. @return their number; -1 for a stale id, -2 when memory ran out
int EXPORT(td_body_shapes)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    tdBodyId body = {index1, generation};
    if (!tdBody_IsValid(world, body))
    {
        return -1;
    }
    int count = tdBody_GetShapes(world, body, NULL, 0);
    tdShapeId* shapes = (tdShapeId*)(void*)ReserveIds(count);
    return shapes != NULL || count == 0 ? tdBody_GetShapes(world, body, shapes, count) : -2;
}

/// Manifolds of the last td_body_contacts; grows as needed and is never freed.
static tdContactData* manifolds;
static int manifoldCapacity;

/// Lists the manifolds of a body for td_manifold. @return their number; -1 for a stale id, -2 when memory ran out
int EXPORT(td_body_contacts)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    tdBodyId body = {index1, generation};
    if (!tdBody_IsValid(world, body))
    {
        return -1;
    }
    int count = tdBody_GetContacts(world, body, NULL, 0);
    if (count > manifoldCapacity)
    {
        tdContactData* grown = realloc(manifolds, sizeof(tdContactData) * (size_t)count);
        if (grown == NULL)
        {
            return -2;
        }
        manifolds = grown;
        manifoldCapacity = count;
    }
    return tdBody_GetContacts(world, body, manifolds, count);
}

void EXPORT(td_manifold)(int index)
{
    ManifoldRecord* r = GET_RECORD(Manifold);
    const tdContactData* contact = &manifolds[index];
    uint32_t all[4] = {contact->shapeA.index1, contact->shapeA.generation, contact->shapeB.index1,
                       contact->shapeB.generation};
    PutIds(r->ids, all, 4);
    PutVec3(r->normal, contact->normal);
    r->pointCount = contact->pointCount;
    for (int i = 0; i < 4; ++i)
    {
        PutVec3(r->points + 3 * i, contact->points[i]);
        r->separations[i] = (double)contact->separations[i];
    }
    r->impulse = (double)contact->impulse;
    r->isSticking = contact->isSticking;
}

// Geometries. The Size record holds the tdGeometryStatus.

tdGeometry* EXPORT(td_geometry_hull)(const tdVec3* points, int count)
{
    tdGeometryStatus status = TD_GEOMETRY_OK;
    tdGeometry* hull = tdCreateHullGeometry(points, count, NULL, &status);
    GET_RECORD(Size)->size = status;
    return hull;
}

tdGeometry* EXPORT(td_geometry_mesh)(const tdVec3* positions, int positionCount, const uint32_t* indices,
                                     int indexCount, bool isDoubleSided, bool isOneSided)
{
    tdGeometryStatus status = TD_GEOMETRY_OK;
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = positionCount;
    def.indices = indices;
    def.indexCount = indexCount;
    def.isDoubleSided = isDoubleSided;
    def.isOneSided = isOneSided;
    tdGeometry* mesh = tdCreateMeshGeometry(&def, &status);
    GET_RECORD(Size)->size = status;
    return mesh;
}

void EXPORT(td_geometry_destroy)(tdGeometry* geometry)
{
    tdDestroyGeometry(geometry);
}

void EXPORT(td_geometry_describe)(const tdGeometry* geometry)
{
    GeometryRecord* r = GET_RECORD(Geometry);
    r->isHull = tdGeometry_IsHull(geometry);
    r->isClosed = tdGeometry_IsClosed(geometry);
    r->volume = (double)tdGeometry_GetVolume(geometry);
    r->vertexCount = tdGeometry_GetVertexCount(geometry);
    r->faceCount = tdGeometry_GetFaceCount(geometry);
}

/// Writes 3 floats per vertex.
void EXPORT(td_geometry_vertices)(const tdGeometry* geometry, float* out)
{
    for (int i = 0; i < tdGeometry_GetVertexCount(geometry); ++i)
    {
        tdVec3 vertex = tdGeometry_GetVertex(geometry, i);
        out[3 * i] = vertex.x;
        out[3 * i + 1] = vertex.y;
        out[3 * i + 2] = vertex.z;
    }
}

// Filters

/// The three lists follow each other in `systems`. Leaves the id in the Id record. False when memory ran out.
bool EXPORT(td_filter_create)(tdWorld* world, const uint32_t* systems, int count, int withCount, int notCount)
{
    tdFilterDef def = {systems, count, systems + count, withCount, systems + count + withCount, notCount};
    tdFilterId filter = tdCreateFilter(world, &def);
    PutId(filter.index1, filter.world);
    return filter.index1 != 0;
}

bool EXPORT(td_filters_test)(const tdWorld* world, uint32_t a, uint32_t worldA, uint32_t b, uint32_t worldB)
{
    return tdWorld_TestFilters(world, (tdFilterId){a, worldA}, (tdFilterId){b, worldB});
}
