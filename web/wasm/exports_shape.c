// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes of bodies, and queries: rays, shape casts, overlaps, closest points.
#include "exports_world.h"

#include <stdlib.h>

/// Leaves the id in the Id record. @return 0: stale body, 1: done, 2: memory ran out
int EXPORT(td_shape_create)(tdWorld* world, uint32_t index1, uint32_t generation, int kind, const tdGeometry* geometry)
{
    const ShapeDefRecord* r = GET_RECORD(ShapeDef);
    tdBodyId body = {index1, generation};
    if (!tdBody_IsValid(world, body))
    {
        return 0;
    }
    tdShapeDef def = tdDefaultShapeDef();
    def.local = (tdTransform){TakeVec3(r->position), TakeQuat(r->rotation)};
    def.hasMatrix = r->hasMatrix != 0.0;
    for (int i = 0; i < 3; ++i)
    {
        def.matrix[i] = TakeVec3(r->matrix + 3 * i);
    }
    def.density = (float)r->density;
    def.staticFriction = (float)r->staticFriction;
    def.dynamicFriction = (float)r->dynamicFriction;
    def.restitution = (float)r->restitution;
    def.frictionCombine = (tdCombine)r->frictionCombine;
    def.restitutionCombine = (tdCombine)r->restitutionCombine;
    def.filter = (tdFilterId){(uint32_t)r->filter[0], (uint32_t)r->filter[1]};
    def.isTrigger = r->isTrigger != 0.0;
    def.enableContactEvents = r->enableContactEvents != 0.0;
    def.deferMass = r->deferMass != 0.0;
    def.userData = OWN_USER_DATA;
    float a = (float)r->dimensions[0], b = (float)r->dimensions[1], c = (float)r->dimensions[2];
    tdShapeId shape = {0, 0};
    switch ((tdShapeKind)kind)
    {
    case TD_SHAPE_SPHERE:
        shape = tdCreateSphere(world, body, &def, a);
        break;
    case TD_SHAPE_BOX:
        shape = tdCreateBox(world, body, &def, (tdVec3){a, b, c});
        break;
    case TD_SHAPE_CAPSULE:
        shape = tdCreateCapsule(world, body, &def, a, b, c);
        break;
    case TD_SHAPE_CYLINDER:
        shape = tdCreateCylinder(world, body, &def, a, b, c);
        break;
    case TD_SHAPE_PLANE:
        shape = tdCreatePlane(world, body, &def, a, b, c != 0.0f);
        break;
    case TD_SHAPE_HULL:
        shape = tdCreateHull(world, body, &def, geometry);
        break;
    case TD_SHAPE_MESH:
        shape = tdCreateMesh(world, body, &def, geometry);
        break;
    }
    PutId(shape.index1, shape.generation);
    return shape.index1 != 0 ? 1 : 2;
}

bool EXPORT(td_shape_is_valid)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    return tdShape_IsValid(world, (tdShapeId){index1, generation});
}

bool EXPORT(td_shape_destroy)(tdWorld* world, uint32_t index1, uint32_t generation)
{
    tdShapeId shape = {index1, generation};
    bool isValid = tdShape_IsValid(world, shape);
    if (isValid)
    {
        tdDestroyShape(world, shape);
    }
    return isValid;
}

bool EXPORT(td_shape_get)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    WorldShapeRecord* r = GET_RECORD(WorldShape);
    tdShapeId shape = {index1, generation};
    tdShapeInfo info = tdDescribeShape(world, shape);
    if (!info.isValid)
    {
        return false;
    }
    tdBodyId body = tdShape_GetBody(world, shape);
    tdShapeMaterial material = tdShape_GetMaterial(world, shape);
    tdFilterId filter = tdShape_GetFilter(world, shape);
    r->body[0] = body.index1;
    r->body[1] = body.generation;
    r->isOwn = tdShape_GetUserData(world, shape) == OWN_USER_DATA;
    r->kind = info.kind;
    r->dimensionCount = info.dimensionCount;
    for (int i = 0; i < 3; ++i)
    {
        r->dimensions[i] = (double)info.dimensions[i];
    }
    RecordTransform(r->position, r->rotation, tdShape_GetLocal(world, shape));
    r->staticFriction = (double)material.staticFriction;
    r->dynamicFriction = (double)material.dynamicFriction;
    r->restitution = (double)material.restitution;
    r->frictionCombine = material.frictionCombine;
    r->restitutionCombine = material.restitutionCombine;
    r->filter[0] = filter.index1;
    r->filter[1] = filter.world;
    r->isTrigger = tdShape_IsTrigger(world, shape);
    return true;
}

/// Moves the shape; the transform is in the Values record. False for a stale id.
bool EXPORT(td_shape_set_local)(tdWorld* world, uint32_t index1, uint32_t generation)
{
    const ValuesRecord* r = GET_RECORD(Values);
    tdShapeId shape = {index1, generation};
    bool isValid = tdShape_IsValid(world, shape);
    if (isValid)
    {
        tdShape_SetLocal(world, shape, (tdTransform){TakeVec3(r->values), TakeQuat(r->values + 3)});
    }
    return isValid;
}

/// The Values record holds the two frictions, the restitution and the two combine modes. False for a stale id.
bool EXPORT(td_shape_set_material)(tdWorld* world, uint32_t index1, uint32_t generation)
{
    const double* v = GET_RECORD(Values)->values;
    tdShapeId shape = {index1, generation};
    bool isValid = tdShape_IsValid(world, shape);
    if (isValid)
    {
        tdShapeMaterial material = {(float)v[0], (float)v[1], (float)v[2], (tdCombine)v[3], (tdCombine)v[4]};
        tdShape_SetMaterial(world, shape, material);
    }
    return isValid;
}

bool EXPORT(td_shape_set_filter)(tdWorld* world, uint32_t index1, uint32_t generation, uint32_t filter,
                                 uint32_t filterWorld)
{
    tdShapeId shape = {index1, generation};
    bool isValid = tdShape_IsValid(world, shape);
    if (isValid)
    {
        tdShape_SetFilter(world, shape, (tdFilterId){filter, filterWorld});
    }
    return isValid;
}

/// The caller frees the points; the Size record holds their number. NULL for a stale id or when memory ran out.
tdVec3* EXPORT(td_shape_wireframe)(const tdWorld* world, uint32_t index1, uint32_t generation)
{
    tdShapeId shape = {index1, generation};
    if (!tdShape_IsValid(world, shape))
    {
        return NULL;
    }
    int count = tdShape_GetLines(world, shape, NULL, 0);
    tdVec3* points = malloc(sizeof(tdVec3) * (size_t)(count > 0 ? count : 1));
    if (points != NULL)
    {
        tdShape_GetLines(world, shape, points, count);
    }
    GET_RECORD(Size)->size = count;
    return points;
}

// Queries

/// Hits of the last query; grows as needed and is never freed.
static tdQueryHit* hits;
static int hitCapacity;

static bool ReserveHits(int count)
{
    if (count > hitCapacity)
    {
        tdQueryHit* grown = realloc(hits, sizeof(tdQueryHit) * (size_t)count);
        hits = grown != NULL ? grown : hits;
        hitCapacity = grown != NULL ? count : hitCapacity;
    }
    return count <= hitCapacity;
}

static tdQueryFilter TakeQueryFilter(const QueryRecord* r)
{
    tdQueryFilter filter = tdDefaultQueryFilter();
    filter.filter = (tdFilterId){(uint32_t)r->filter[0], (uint32_t)r->filter[1]};
    filter.includeTriggers = r->includeTriggers != 0.0;
    filter.ignoreStatic = r->ignoreStatic != 0.0;
    filter.ignoreKinematic = r->ignoreKinematic != 0.0;
    filter.ignoreDynamic = r->ignoreDynamic != 0.0;
    filter.ignoreBody = (tdBodyId){(uint32_t)r->ignoreBody[0], (uint32_t)r->ignoreBody[1]};
    return filter;
}

static tdQueryShape TakeQueryShape(const QueryRecord* r)
{
    float a = (float)r->dimensions[0], b = (float)r->dimensions[1], c = (float)r->dimensions[2];
    switch ((tdShapeKind)r->kind)
    {
    case TD_SHAPE_BOX:
        return tdMakeBoxQuery((tdVec3){a, b, c});
    case TD_SHAPE_CAPSULE:
        return tdMakeCapsuleQuery(a, b, c);
    case TD_SHAPE_CYLINDER:
        return tdMakeCylinderQuery(a, b, c);
    case TD_SHAPE_HULL:
        return tdMakeHullQuery((const tdGeometry*)(uintptr_t)r->geometry);
    default:
        return tdMakeSphereQuery(a);
    }
}

void EXPORT(td_query_hit)(int index)
{
    QueryHitRecord* r = GET_RECORD(QueryHit);
    const tdQueryHit* hit = &hits[index];
    uint32_t all[4] = {hit->shape.index1, hit->shape.generation, hit->body.index1, hit->body.generation};
    PutIds(r->ids, all, 4);
    PutVec3(r->point, hit->point);
    PutVec3(r->normal, hit->normal);
    r->fraction = (double)hit->fraction;
    r->triangle = hit->triangle;
}

/// @return number of hits for td_query_hit: all, or the nearest one; -2 when memory ran out
int EXPORT(td_query_ray)(const tdWorld* world, bool all)
{
    const QueryRecord* r = GET_RECORD(Query);
    tdQueryFilter filter = TakeQueryFilter(r);
    tdRay ray = {TakeVec3(r->position), TakeVec3(r->translation)};
    if (!all)
    {
        return !ReserveHits(1) ? -2 : tdWorld_CastRay(world, ray, &filter, hits) ? 1 : 0;
    }
    int count = tdWorld_CastRayAll(world, ray, &filter, NULL, 0);
    return ReserveHits(count) ? tdWorld_CastRayAll(world, ray, &filter, hits, count) : -2;
}

/// One hit per ray for td_query_hit, with shape 0 where there is none. Rays are origins and translations.
/// False when memory ran out.
bool EXPORT(td_query_rays)(const tdWorld* world, const tdRay* rays, int count)
{
    tdQueryFilter filter = TakeQueryFilter(GET_RECORD(Query));
    bool isDone = ReserveHits(count);
    if (isDone)
    {
        tdWorld_CastRays(world, rays, count, &filter, hits);
    }
    return isDone;
}

/// @return number of hits for td_query_hit, 0 or 1; -2 when memory ran out
int EXPORT(td_query_cast)(const tdWorld* world)
{
    const QueryRecord* r = GET_RECORD(Query);
    tdQueryFilter filter = TakeQueryFilter(r);
    tdQueryShape shape = TakeQueryShape(r);
    tdTransform start = {TakeVec3(r->position), TakeQuat(r->rotation)};
    return !ReserveHits(1)                                                                          ? -2
           : tdWorld_CastShape(world, &shape, start, TakeVec3(r->translation), &filter, hits) ? 1
                                                                                                    : 0;
}

/// Lists shapes in td_ids. @return their number; -2 when memory ran out
int EXPORT(td_query_overlap)(const tdWorld* world)
{
    const QueryRecord* r = GET_RECORD(Query);
    tdQueryFilter filter = TakeQueryFilter(r);
    tdQueryShape shape = TakeQueryShape(r);
    tdTransform transform = {TakeVec3(r->position), TakeQuat(r->rotation)};
    int count = tdWorld_OverlapShape(world, &shape, transform, &filter, NULL, 0);
    tdShapeId* found = (tdShapeId*)(void*)ReserveIds(count);
    return found != NULL || count == 0 ? tdWorld_OverlapShape(world, &shape, transform, &filter, found, count) : -2;
}

/// Leaves the point in the ClosestPoint record. False when there is none within the distance.
bool EXPORT(td_query_closest)(const tdWorld* world, float maxDistance)
{
    const QueryRecord* r = GET_RECORD(Query);
    tdQueryFilter filter = TakeQueryFilter(r);
    tdQueryPoint closest;
    if (!tdWorld_FindClosestPoint(world, TakeVec3(r->position), maxDistance, &filter, &closest))
    {
        return false;
    }
    ClosestPointRecord* out = GET_RECORD(ClosestPoint);
    uint32_t all[4] = {closest.shape.index1, closest.shape.generation, closest.body.index1, closest.body.generation};
    PutIds(out->ids, all, 4);
    PutVec3(out->point, closest.point);
    out->distance = (double)closest.distance;
    return true;
}
