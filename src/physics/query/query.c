// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Queries: ray casts, shape casts, overlaps, closest points. They do not change the world, so any number of
// threads may run them between two steps. Of two equal results the lower shape index wins, whatever the shape
// of the trees.
#include "geometry/bounds.h"
#include "geometry/cast.h"
#include "geometry/distance.h"
#include "geometry/geometry.h"
#include "geometry/raycast.h"
#include "geometry/shape_distance.h"
#include "physics/broad_phase/tree_query.h"
#include "physics/data/id.h"
#include "physics/data/world_data.h"
#include "physics/narrow_phase/manifold.h"

#include <float.h>
#include <string.h>

/// Largest distance of the ends of rays that go through the trees together, relative to their length. Found
/// by trial with tendon_bench_queries; only speed depends on it.
#define SPREAD_SHARE 0.2f
/// Least rays per parallel range.
#define MIN_RAY_RANGE 64

tdQueryFilter tdDefaultQueryFilter(void)
{
    return (tdQueryFilter){0};
}

static bool PassesQueryFilter(const tdWorld* world, const tdQueryFilter* filter, int shape)
{
    TD_ASSERT(tdWorld_OwnsGeneration(world, filter->ignoreBody.generation));
    TD_ASSERT(tdWorld_OwnsFilter(world, filter->filter));
    const tdShape* record = &world->shapes.data[shape];
    if ((record->flags & TD_SHAPE_DISABLED) != 0 ||
        ((record->flags & TD_SHAPE_TRIGGER) != 0 && !filter->includeTriggers))
    {
        return false;
    }
    int motion = world->bodies.data[record->body].motion;
    if ((motion == TD_MOTION_STATIC && filter->ignoreStatic) ||
        (motion == TD_MOTION_KINEMATIC && filter->ignoreKinematic) ||
        (motion == TD_MOTION_DYNAMIC && filter->ignoreDynamic))
    {
        return false;
    }
    if (filter->ignoreBody.index1 == (uint32_t)record->body + 1 && tdBody_IsValid(world, filter->ignoreBody))
    {
        return false;
    }
    return filter->filter.index1 == 0 ||
           tdFilterTable_Pass(&world->filters, filter->filter.index1, record->filter);
}

// A cast of a ray or a shape.
typedef struct CastQuery
{
    const tdWorld* world;
    tdQueryFilter filter;
    tdVec3 origin, translation;    // ray
    const tdShapeGeometry* moving; // NULL: a ray
    tdTransform start;
    tdQueryHit* hits; // sorted by fraction, then shape
    int capacity, count;
    bool onlyClosest;
} CastQuery;

static bool IsHitBefore(const tdQueryHit* a, const tdQueryHit* b)
{
    return a->fraction < b->fraction || (a->fraction == b->fraction && a->shape.index1 < b->shape.index1);
}

static void AddHit(CastQuery* query, tdQueryHit hit)
{
    int at = tdMinInt(query->count, query->capacity);
    if (at == query->capacity)
    {
        if (at == 0 || !IsHitBefore(&hit, &query->hits[at - 1]))
        {
            query->count += 1;
            return;
        }
        --at;
    }
    for (; at > 0 && IsHitBefore(&hit, &query->hits[at - 1]); --at)
    {
        query->hits[at] = query->hits[at - 1];
    }
    query->hits[at] = hit;
    query->count += 1;
}

// Add a hit in the frame of its body.
// @return the new maximum fraction
static float KeepHit(CastQuery* query, int shape, tdTransform body, const tdCastHit* hit, float maxFraction)
{
    AddHit(query, (tdQueryHit){
                      .shape = tdWorld_MakeShapeId(query->world, shape),
                      .body = tdWorld_MakeBodyId(query->world, query->world->shapes.data[shape].body),
                      .point = tdTransformPoint(body, hit->point),
                      .normal = tdRotate(body.rotation, hit->normal),
                      .fraction = hit->fraction,
                      .triangle = hit->triangle,
                  });
    return query->onlyClosest ? query->hits[0].fraction : maxFraction;
}

static float CastAgainstShape(void* context, int shape, float maxFraction)
{
    CastQuery* query = context;
    const tdWorld* world = query->world;
    if (!PassesQueryFilter(world, &query->filter, shape))
    {
        return maxFraction;
    }
    const tdShape* record = &world->shapes.data[shape];
    tdTransform body = tdWorld_GetBodySim(world, record->body)->transform;
    tdVec3 translation = tdInvRotate(body.rotation, query->translation);
    tdCastHit hit;
    bool isHit = query->moving == NULL
                     ? tdRayCastShape(&record->geometry, tdInvTransformPoint(body, query->origin),
                                      translation, maxFraction, &hit)
                     : tdCastShape(query->moving, tdInvMulTransform(body, query->start), translation,
                                   maxFraction, &record->geometry, &hit);
    if (!isHit)
    {
        return maxFraction;
    }
    return KeepHit(query, shape, body, &hit, maxFraction);
}

static void RunCast(CastQuery* query, tdVec3 halfSize)
{
    const tdWorld* world = query->world;
    float maxFraction = 1.0f;
    for (int i = 0; i < world->unbounded.count; ++i)
    {
        maxFraction = CastAgainstShape(query, world->unbounded.data[i], maxFraction);
    }
    tdWorld_CastTrees(world, query->origin, halfSize, query->translation, maxFraction, CastAgainstShape,
                      query);
}

static CastQuery MakeCastQuery(const tdWorld* world, const tdQueryFilter* filter, tdQueryHit* hits,
                               int capacity)
{
    return (CastQuery){
        .world = world,
        .filter = filter != NULL ? *filter : tdDefaultQueryFilter(),
        .hits = hits,
        .capacity = capacity,
    };
}

static bool IsFiniteRay(tdRay ray)
{
    bool isFinite = tdIsFiniteVec3(ray.origin) && tdIsFiniteVec3(ray.translation);
    TD_ASSERT(isFinite);
    return isFinite;
}

bool tdWorld_CastRay(const tdWorld* world, tdRay ray, const tdQueryFilter* filter, tdQueryHit* hit)
{
    CastQuery query = MakeCastQuery(world, filter, hit, 1);
    *hit = (tdQueryHit){.fraction = 1.0f};
    if (!IsFiniteRay(ray))
    {
        return false;
    }
    query.origin = ray.origin;
    query.translation = ray.translation;
    query.onlyClosest = true;
    RunCast(&query, tdVec3_zero);
    return query.count > 0;
}

int tdWorld_CastRayAll(const tdWorld* world, tdRay ray, const tdQueryFilter* filter, tdQueryHit* hits,
                       int capacity)
{
    CastQuery query = MakeCastQuery(world, filter, hits, capacity);
    if (!IsFiniteRay(ray))
    {
        return 0;
    }
    query.origin = ray.origin;
    query.translation = ray.translation;
    RunCast(&query, tdVec3_zero);
    return query.count;
}

typedef struct RayRange
{
    const tdWorld* world;
    const tdRay* rays;
    const tdQueryFilter* filter;
    tdQueryHit* hits;
} RayRange;

// Four rays that go through the trees together. The hit of a ray is that of tdWorld_CastRay: it does not
// depend on the order in which shapes are visited.
typedef struct RayLanes
{
    CastQuery queries[4]; // with the closest hit of each ray
    tdVec3 origins[4], translations[4];
    float limits[4];
    unsigned active; // bit i: lane i has a ray
} RayLanes;

static void CastLanesAtShape(RayLanes* rays, int shape, unsigned lanes)
{
    const tdWorld* world = rays->queries[0].world;
    if (!PassesQueryFilter(world, &rays->queries[0].filter, shape))
    {
        return;
    }
    const tdShape* record = &world->shapes.data[shape];
    tdTransform body = tdWorld_GetBodySim(world, record->body)->transform;
    tdVec3 origins[4], translations[4];
    for (int i = 0; i < 4; ++i)
    {
        origins[i] = tdInvTransformPoint(body, rays->origins[i]);
        translations[i] = tdInvRotate(body.rotation, rays->translations[i]);
    }
    tdCastHit hits[4];
    unsigned found = tdRayCastLanes(&record->geometry, origins, translations, rays->limits, lanes, hits);
    for (unsigned i = 0; i < 4; ++i)
    {
        if ((found >> i & 1) != 0)
        {
            rays->limits[i] = KeepHit(&rays->queries[i], shape, body, &hits[i], rays->limits[i]);
        }
    }
}

static void VisitLanes(void* context, int shape, unsigned lanes)
{
    CastLanesAtShape(context, shape, lanes);
}

static void CastRayLanes(const RayRange* range, int first, int count)
{
    RayLanes rays = {.active = 0};
    for (int i = 0; i < 4; ++i)
    {
        int index = first + (i < count ? i : 0);
        tdRay ray = range->rays[index];
        rays.queries[i] = MakeCastQuery(range->world, range->filter, &range->hits[index], 1);
        rays.queries[i].onlyClosest = true;
        rays.origins[i] = ray.origin;
        rays.translations[i] = ray.translation;
        if (i < count)
        {
            range->hits[index] = (tdQueryHit){.fraction = 1.0f};
            rays.active |= IsFiniteRay(ray) ? 1u << i : 0u;
        }
        rays.limits[i] = (rays.active >> i & 1) != 0 ? 1.0f : -1.0f;
    }
    for (int i = 0; i < range->world->unbounded.count && rays.active != 0; ++i)
    {
        CastLanesAtShape(&rays, range->world->unbounded.data[i], rays.active);
    }
    tdWorld_CastLanes(range->world, rays.origins, rays.translations, rays.limits, VisitLanes, &rays);
}

// Whether rays go through the same parts of the trees: directions of one octant, and ends close to each other
// relative to their length. Other rays are faster alone.
static bool AreCoherent(const tdRay* rays, int count)
{
    const tdRay first = rays[0];
    float reach = SPREAD_SHARE * tdLength(first.translation);
    bool isCoherent = count > 1;
    for (int i = 1; i < count && isCoherent; ++i)
    {
        tdVec3 d = rays[i].translation, offset = tdSub(rays[i].origin, first.origin);
        isCoherent = d.x * first.translation.x >= 0.0f && d.y * first.translation.y >= 0.0f &&
                     d.z * first.translation.z >= 0.0f && tdLength(offset) <= reach &&
                     tdDistance(d, first.translation) <= reach;
    }
    return isCoherent;
}

static void CastRayRange(void* task, int start, int end, int worker)
{
    (void)worker;
    const RayRange* range = task;
    for (int i = start; i < end; i += 4)
    {
        int count = tdMinInt(4, end - i);
        if (AreCoherent(range->rays + i, count))
        {
            CastRayLanes(range, i, count);
            continue;
        }
        for (int k = i; k < i + count; ++k)
        {
            tdWorld_CastRay(range->world, range->rays[k], range->filter, &range->hits[k]);
        }
    }
}

void tdWorld_CastRays(const tdWorld* world, const tdRay* rays, int count, const tdQueryFilter* filter,
                      tdQueryHit* hits)
{
    RayRange range = {world, rays, filter, hits};
    tdWorld_PrepareQueries(world, count);
    tdTasks_For(world->tasks, CastRayRange, &range, count, MIN_RAY_RANGE);
}

// Query shapes.

tdQueryShape tdMakeSphereQuery(float radius)
{
    return (tdQueryShape){TD_SHAPE_SPHERE, {radius, 0.0f, 0.0f}, NULL};
}

tdQueryShape tdMakeBoxQuery(tdVec3 size)
{
    return (tdQueryShape){TD_SHAPE_BOX, {0.5f * size.x, 0.5f * size.y, 0.5f * size.z}, NULL};
}

tdQueryShape tdMakeCapsuleQuery(float height, float radiusBottom, float radiusTop)
{
    return (tdQueryShape){TD_SHAPE_CAPSULE, {0.5f * height, radiusBottom, radiusTop}, NULL};
}

tdQueryShape tdMakeCylinderQuery(float height, float radiusBottom, float radiusTop)
{
    return (tdQueryShape){TD_SHAPE_CYLINDER, {0.5f * height, radiusBottom, radiusTop}, NULL};
}

tdQueryShape tdMakeHullQuery(const tdGeometry* hull)
{
    TD_ASSERT(hull != NULL && hull->hull != NULL);
    return (tdQueryShape){TD_SHAPE_HULL, {0.0f, 0.0f, 0.0f}, hull};
}

static tdShapeGeometry MakeQueryGeometry(const tdQueryShape* shape)
{
    tdShapeGeometry geometry = {
        .kind = (tdShapeKind)shape->kind, .local = tdTransform_identity, .matrix = tdMat3_identity};
    const float* values = shape->values;
    switch (geometry.kind)
    {
    case TD_SHAPE_SPHERE:
        geometry.sphere.radius = values[0];
        break;
    case TD_SHAPE_BOX:
        geometry.box.halfSize = (tdVec3){values[0], values[1], values[2]};
        break;
    case TD_SHAPE_CAPSULE:
        geometry.capsule.halfHeight = values[0];
        geometry.capsule.radiusBottom = values[1];
        geometry.capsule.radiusTop = values[2];
        break;
    case TD_SHAPE_CYLINDER:
        geometry.cylinder.halfHeight = values[0];
        geometry.cylinder.radiusBottom = values[1];
        geometry.cylinder.radiusTop = values[2];
        break;
    case TD_SHAPE_HULL:
        geometry.hull = shape->geometry->hull;
        break;
    case TD_SHAPE_PLANE:
    case TD_SHAPE_MESH:
        TD_ASSERT(false); // no tdMake...Query makes one
        break;
    }
    return geometry;
}

bool tdWorld_CastShape(const tdWorld* world, const tdQueryShape* shape, tdTransform start, tdVec3 translation,
                       const tdQueryFilter* filter, tdQueryHit* hit)
{
    tdShapeGeometry geometry = MakeQueryGeometry(shape);
    CastQuery query = MakeCastQuery(world, filter, hit, 1);
    *hit = (tdQueryHit){.fraction = 1.0f};
    TD_ASSERT(tdIsFiniteTransform(start) && tdIsFiniteVec3(translation));
    if (!tdIsFiniteTransform(start) || !tdIsFiniteVec3(translation))
    {
        return false;
    }
    tdAabb box = tdShape_ComputeAabb(&geometry, start);
    query.origin = tdScale(0.5f, tdAdd(box.lower, box.upper));
    query.translation = translation;
    query.moving = &geometry;
    query.start = start;
    query.onlyClosest = true;
    RunCast(&query, tdScale(0.5f, tdSub(box.upper, box.lower)));
    return query.count > 0;
}

typedef struct OverlapQuery
{
    const tdWorld* world;
    tdQueryFilter filter;
    const tdShapeGeometry* geometry;
    tdConvex convex; // of `geometry`
    tdTransform transform;
    tdShapeId* shapes; // the lowest indices found, ascending
    int capacity, count;
} OverlapQuery;

// @param pose of the body in the frame of the query
static bool OverlapsShape(const OverlapQuery* query, const tdShapeGeometry* shape, tdTransform pose)
{
    if (tdShape_IsConvex(shape))
    {
        tdConvex convex = tdMakeConvex(shape, pose);
        return tdTestConvexOverlap(&query->convex, &convex);
    }
    tdManifoldCache cache = {{0}, 0.0f};
    return tdTestOverlap(query->geometry, shape, pose, &cache);
}

static bool AddOverlap(void* context, int shape)
{
    OverlapQuery* query = context;
    const tdWorld* world = query->world;
    if (!PassesQueryFilter(world, &query->filter, shape))
    {
        return true;
    }
    const tdShape* record = &world->shapes.data[shape];
    tdTransform pose =
        tdInvMulTransform(query->transform, tdWorld_GetBodySim(world, record->body)->transform);
    if (!OverlapsShape(query, &record->geometry, pose))
    {
        return true;
    }
    tdShapeId id = tdWorld_MakeShapeId(world, shape);
    int at = tdMinInt(query->count, query->capacity);
    query->count += 1;
    if (at == query->capacity && (at == 0 || query->shapes[--at].index1 < id.index1))
    {
        return true;
    }
    for (; at > 0 && query->shapes[at - 1].index1 > id.index1; --at)
    {
        query->shapes[at] = query->shapes[at - 1];
    }
    query->shapes[at] = id;
    return true;
}

int tdWorld_OverlapShape(const tdWorld* world, const tdQueryShape* shape, tdTransform transform,
                         const tdQueryFilter* filter, tdShapeId* shapes, int capacity)
{
    tdShapeGeometry geometry = MakeQueryGeometry(shape);
    OverlapQuery query = {.world = world,
                          .filter = filter != NULL ? *filter : tdDefaultQueryFilter(),
                          .geometry = &geometry,
                          .convex = tdMakeConvex(&geometry, tdTransform_identity),
                          .transform = transform,
                          .shapes = shapes,
                          .capacity = capacity};
    TD_ASSERT(tdIsFiniteTransform(transform));
    if (!tdIsFiniteTransform(transform))
    {
        return 0;
    }
    tdAabb box = tdShape_ComputeAabb(&geometry, transform);
    for (int i = 0; i < world->unbounded.count; ++i)
    {
        AddOverlap(&query, world->unbounded.data[i]);
    }
    tdWorld_OverlapTrees(world, box, AddOverlap, &query);
    return query.count;
}

typedef struct NearQuery
{
    const tdWorld* world;
    tdQueryFilter filter;
    tdVec3 point;
    float maxDistance;
    int shape; // -1: none yet
    tdQueryPoint* closest;
} NearQuery;

static float UpdateClosest(void* context, int shape, float maxDistanceSquared)
{
    NearQuery* query = context;
    const tdWorld* world = query->world;
    if (!PassesQueryFilter(world, &query->filter, shape))
    {
        return maxDistanceSquared;
    }
    const tdShape* record = &world->shapes.data[shape];
    tdTransform body = tdWorld_GetBodySim(world, record->body)->transform;
    tdClosestPoint found =
        tdShape_FindClosestPoint(&record->geometry, tdInvTransformPoint(body, query->point));
    bool isNearer = query->shape < 0
                        ? found.distance <= query->maxDistance
                        : found.distance < query->closest->distance ||
                              (found.distance == query->closest->distance && shape < query->shape);
    if (!isNearer)
    {
        return maxDistanceSquared;
    }
    query->shape = shape;
    *query->closest = (tdQueryPoint){
        .shape = tdWorld_MakeShapeId(world, shape),
        .body = tdWorld_MakeBodyId(world, record->body),
        .point = tdTransformPoint(body, found.point),
        .distance = found.distance,
    };
    // Slightly larger, so that a shape at the same distance in another leaf is found.
    return found.distance * found.distance * 1.0001f;
}

bool tdWorld_FindClosestPoint(const tdWorld* world, tdVec3 point, float maxDistance,
                              const tdQueryFilter* filter, tdQueryPoint* closest)
{
    NearQuery query = {.world = world,
                       .filter = filter != NULL ? *filter : tdDefaultQueryFilter(),
                       .point = point,
                       .maxDistance = maxDistance,
                       .shape = -1,
                       .closest = closest};
    *closest = (tdQueryPoint){.distance = maxDistance};
    TD_ASSERT(tdIsFiniteVec3(point) && maxDistance == maxDistance);
    if (!tdIsFiniteVec3(point) || isnan(maxDistance))
    {
        return false;
    }
    float limit = tdMinFloat(maxDistance * maxDistance, FLT_MAX);
    for (int i = 0; i < world->unbounded.count; ++i)
    {
        limit = tdMinFloat(limit, UpdateClosest(&query, world->unbounded.data[i], limit));
    }
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        limit = query.shape >= 0 ? tdMinFloat(limit, closest->distance * closest->distance * 1.0001f) : limit;
        tdWorld_FindNearInTree(world, (tdAabbTreeKind)i, point, limit, UpdateClosest, &query);
    }
    return query.shape >= 0;
}

int tdBody_GetContacts(const tdWorld* world, tdBodyId id, tdContactData* contacts, int capacity)
{
    int count = 0;
    for (int key = world->bodies.data[tdWorld_GetBodyIndex(world, id)].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        key = contact->edges[key & 1].next;
        if (contact->kind != TD_CONTACT_TOUCHING)
        {
            continue;
        }
        bool isDense = contact->denseIndex >= 0;
        const tdTouchingContact* touching =
            isDense ? &world->touchingContacts.data[contact->denseIndex] : NULL;
        int first = isDense ? touching->firstManifold : contact->firstManifold;
        int manifoldCount = isDense ? touching->manifoldCount : contact->manifoldCount;
        const tdBodySim *a = tdWorld_GetBodySim(world, contact->edges[0].body),
                        *b = tdWorld_GetBodySim(world, contact->edges[1].body);
        for (int i = 0; i < manifoldCount; ++i, ++count)
        {
            if (count >= capacity)
            {
                continue;
            }
            const tdContactManifold* manifold = &world->manifolds[first + i];
            tdContactData* data = &contacts[count];
            *data = (tdContactData){
                .shapeA = tdWorld_MakeShapeId(world, contact->shapeA),
                .shapeB = tdWorld_MakeShapeId(world, contact->shapeB),
                .normal = tdContactManifold_GetNormal(manifold, a->transform.rotation, b->transform.rotation),
                .pointCount = manifold->pointCount,
                .impulse = manifold->totalImpulse,
                .isSticking = manifold->isSticking,
            };
            for (int j = 0; j < manifold->pointCount; ++j)
            {
                tdVec3 armA, armB;
                tdContactManifold_GetPoint(manifold, j, a->transform.rotation, b->transform.rotation, &armA,
                                           &armB);
                tdVec3 pointA = tdAdd(a->center, armA), pointB = tdAdd(b->center, armB);
                data->points[j] = tdScale(0.5f, tdAdd(pointA, pointB));
                data->separations[j] = tdDot(tdSub(pointB, pointA), data->normal);
            }
        }
    }
    return count;
}
