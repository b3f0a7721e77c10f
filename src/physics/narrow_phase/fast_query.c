// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Sweeps of fast bodies. A body is tested against the targets near its path; a compound body first as a
// whole, then part by part with its tree.
#include "physics/narrow_phase/fast_query.h"

#include "geometry/bounds.h"
#include "geometry/mesh_side.h"
#include "geometry/support.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/broad_phase/proxy.h"
#include "physics/broad_phase/tree_query.h"
#include "physics/narrow_phase/fast_impact.h"

#include <string.h>

// Thresholds. The tests of behaviour pass with 3 times each of them; physics/determinism pins their bits.

/// Distance of the surfaces at the impact, in speculative margins of the smaller body. A body that touches at
/// the start of the step is swept with RETRY_SHARE of the distance.
#define IMPACT_SHARE 0.25f
#define RETRY_SHARE 0.1f
/// Distance of the core from the surface at an impact, in core radii.
#define CORE_DISTANCE 0.1f
/// Largest sin^2 of half a rotation, and largest radius in m, up to which balls around shapes are compared
/// before their sweep.
#define MAX_BEND 0.1f
#define MAX_BALL_RADIUS 1.0e5f
/// Relative displacement below which a body is not fast relative to the target, in inner radii.
#define SLOW_DISPLACEMENT 0.5f
/// Depth at the end of the step below which the solver handles the impact, in inner radii.
#define SHALLOW_DEPTH 0.5f

tdTransform tdBodySim_GetStartPose(const tdBodySim* sim)
{
    tdVec3 position = tdSub(sim->startCenter, tdRotate(sim->startRotation, sim->localCenter));
    return (tdTransform){position, sim->startRotation};
}

/// sin^2 of half the rotation of a motion.
static float ComputeBend(tdTransform start, tdTransform end)
{
    tdQuat turn = tdMulQuat(end.rotation, tdConjugate(start.rotation));
    return tdMinFloat(tdLengthSquared(tdQuatVector(turn)), 1.0f);
}

/// Margin of a swept box around the boxes of the two poses. Between them a point at a distance r from the
/// centre of mass deviates from its chord by at most r (1 - cos(angle / 2)), which is at most
/// r sin^2(angle / 2).
static float ComputeSweptMargin(tdTransform start, tdTransform end, float radius)
{
    return radius * ComputeBend(start, end) + TD_SPECULATIVE_MARGIN;
}

tdAabb tdShape_ComputeSweptAabb(const tdShapeGeometry* shape, tdTransform start, tdTransform end,
                                tdVec3 center)
{
    tdAabb box = tdUnionAabb(tdShape_ComputeAabb(shape, start), tdShape_ComputeAabb(shape, end));
    return tdGrowAabb(box, ComputeSweptMargin(start, end, tdShape_ComputeOuterRadius(shape, center)));
}

/// Sweeps a ball inside of a fast shape at a target that the shape touches at the start. A ball that touches
/// too must not come closer.
static bool SweepBall(const tdFastQuery* query, tdVec3 center, float radius, const tdShape* target,
                      const tdSweep* targetSweep, float limit, tdImpact* impact)
{
    tdShapeGeometry core = {.kind = TD_SHAPE_SPHERE, .local = tdTransform_identity, .sphere = {radius}};
    core.local.position = center;
    *impact =
        tdTimeOfImpact(&core, &query->sweep, &target->geometry, targetSweep, limit, CORE_DISTANCE * radius);
    if (impact->state != TD_IMPACT_INITIAL)
    {
        return impact->state == TD_IMPACT_HIT;
    }
    if (impact->distance < -radius)
    {
        return false; // the centre is inside: contacts push it out
    }
    tdTransform from = tdInvMulTransform(tdSweep_At(targetSweep, 0.0f), query->start);
    tdTransform to = tdInvMulTransform(tdSweep_At(targetSweep, 1.0f), query->end);
    tdVec3 way =
        tdSub(tdTransformPoint(to, core.local.position), tdTransformPoint(from, core.local.position));
    impact->fraction = 0.0f;
    return tdDot(way, tdInvRotate(targetSweep->startRotation, impact->normal)) > 0.0f;
}

/// Sweeps the core of a fast shape, a ball about its centre, and the cores of a mesh.
static bool SweepCores(const tdFastQuery* query, const tdShape* fast, const tdShape* target,
                       const tdSweep* targetSweep, float limit, tdImpact* impact)
{
    bool isHit = false;
    if (fast->innerRadius > 0.0f || fast->geometry.kind != TD_SHAPE_MESH)
    {
        isHit = SweepBall(query, tdShape_GetCenter(&fast->geometry), TD_CORE_SHARE * fast->innerRadius,
                          target, targetSweep, limit, impact);
    }
    const tdTriangles* mesh = fast->geometry.kind == TD_SHAPE_MESH ? fast->geometry.mesh : NULL;
    for (int i = 0; mesh != NULL && i < mesh->coreCount; ++i)
    {
        tdImpact other;
        tdVec3 center = tdTransformPoint(fast->geometry.local, mesh->cores[i].center);
        if (SweepBall(query, center, TD_CORE_SHARE * mesh->cores[i].radius, target, targetSweep,
                      isHit ? impact->fraction : limit, &other))
        {
            isHit = true;
            *impact = other;
        }
    }
    return isHit;
}

/// True if a fast mesh has the target inside at the start: its core, which fills the hollow, does not collide
/// then.
static bool IsAround(const tdFastQuery* query, const tdShape* fast, const tdShape* target,
                     const tdSweep* targetSweep)
{
    const tdTriangles* mesh = fast->geometry.mesh;
    if (fast->geometry.kind != TD_SHAPE_MESH || mesh->isOneSided || !tdTriangles_HasCore(mesh))
    {
        return false;
    }
    tdVec3 center = tdTransformPoint(tdSweep_At(targetSweep, 0.0f), tdShape_GetCenter(&target->geometry));
    center = tdInvTransformPoint(tdMulTransform(query->start, fast->geometry.local), center);
    tdMeshSides sides;
    tdMeshSides_Init(&sides, mesh, mesh->aabb, center);
    return tdOverlapAabb(mesh->aabb, (tdAabb){center, center}) &&
           tdMeshSides_Find(&sides, mesh->shells[0] >> TD_SHELL_SHIFT) < 0;
}

/// Penetration depth at the end of the step without the impact.
static float ComputeEndDepth(const tdSweep* fast, const tdSweep* other, const tdImpact* impact)
{
    tdVec3 a = tdInvTransformPoint(tdSweep_At(fast, impact->fraction), impact->point);
    tdVec3 b = tdInvTransformPoint(tdSweep_At(other, impact->fraction), impact->point);
    tdVec3 endA = tdTransformPoint(tdSweep_At(fast, 1.0f), a),
           endB = tdTransformPoint(tdSweep_At(other, 1.0f), b);
    return tdDot(tdSub(endA, endB), impact->normal);
}

float tdFastQuery_GetImpactDistance(const tdFastQuery* query, int target)
{
    float radius = query->world->sims[query->simIndex].outerRadius;
    float other = tdWorld_GetBodySim(query->world, query->world->shapes.data[target].body)->outerRadius;
    return query->share * tdGetSpeculativeMargin(tdMinFloat(radius, other));
}

/// Time of impact of the fast shape with a target. Both of two bullets get the same result.
static tdImpact FindImpact(const tdFastQuery* query, const tdShape* fast, int target,
                           const tdSweep* otherSweep, float limit)
{
    const tdShape* other = &query->world->shapes.data[target];
    float distance = tdFastQuery_GetImpactDistance(query, target);
    if (query->targetFast < 0 || query->shape < target)
    {
        tdImpact impact =
            tdTimeOfDeepImpact(&fast->geometry, &query->sweep, &other->geometry, otherSweep, limit, distance);
        // Shapes that overlap touch at every target distance.
        if (impact.state == TD_IMPACT_INITIAL && impact.distance > 0.0f)
        {
            impact = tdTimeOfDeepImpact(&fast->geometry, &query->sweep, &other->geometry, otherSweep, limit,
                                        RETRY_SHARE * distance);
        }
        return impact;
    }
    tdImpact impact =
        tdTimeOfDeepImpact(&other->geometry, otherSweep, &fast->geometry, &query->sweep, limit, distance);
    impact.normal = tdNegate(impact.normal);
    impact.isMiddle = false;
    return impact;
}

static bool IsSmaller(const tdFastQuery* query, const tdShape* fast, int target)
{
    float other = query->world->shapes.data[target].outerRadius;
    return fast->outerRadius < other || (!(other < fast->outerRadius) && query->shape < target);
}

/// True if the points of a possible impact move apart.
static bool IsSeparating(const tdFastQuery* query, const tdSweep* otherSweep, const tdImpact* impact)
{
    return ComputeEndDepth(&query->sweep, otherSweep, impact) <= 0.0f;
}

void tdFastQuery_PrepareTarget(tdFastQuery* query, int body)
{
    tdTargetMotion* target = &query->target;
    if (target->body == body)
    {
        return;
    }
    const tdWorld* world = query->world;
    const tdBodySim* otherSim = tdWorld_GetBodySim(world, body);
    bool isAwake = world->bodies.data[body].simIndex > 0;
    tdTransform otherStart = isAwake ? tdBodySim_GetStartPose(otherSim) : otherSim->transform;
    if (isAwake && query->time > 0.0f)
    {
        tdSweep whole = tdMakeSweep(otherStart, otherSim->transform, otherSim->localCenter);
        otherStart = tdSweep_At(&whole, query->time);
    }
    tdTransform from = tdInvMulTransform(otherStart, query->start);
    tdTransform to = tdInvMulTransform(otherSim->transform, query->end);
    target->body = body;
    target->isDynamic = world->bodies.data[body].motion == TD_MOTION_DYNAMIC;
    target->sweep = tdMakeSweep(otherStart, otherSim->transform, otherSim->localCenter);
    target->start = otherStart;
    target->end = otherSim->transform;
    target->bend = isAwake ? ComputeBend(otherStart, otherSim->transform) : 0.0f;
    target->moved = tdDistance(from.position, to.position);
    target->turned = 2.0f * tdLength(tdQuatVector(tdInvMulQuat(from.rotation, to.rotation)));
}

bool tdFastQuery_IsBodySlow(const tdFastQuery* query)
{
    const tdTargetMotion* target = &query->target;
    const tdBodySim* sim = &query->world->sims[query->simIndex];
    const tdWorld* world = query->world;
    int first = world->bodies.data[target->body].shapeHead;
    bool isMesh = first >= 0 && world->shapes.data[first].geometry.kind == TD_SHAPE_MESH; // may be hollow
    float thickness = sim->innerRadius;
    thickness += target->isDynamic && !isMesh ? tdWorld_GetBodySim(world, target->body)->innerRadius : 0.0f;
    // The shapes are inside this radius about the origin of the body.
    float radius = (sim->outerRadius + tdLength(sim->localCenter)) * 1.0001f;
    return sim->innerRadius > 0.0f &&
           target->moved + target->turned * radius < SLOW_DISPLACEMENT * thickness * 0.9999f;
}

/// True if the centre of a shape starts in the box of a mesh: it may be inside, where the mesh is as thin as
/// a wall.
static bool StartsInBox(const tdFastQuery* query, const tdShape* fast, const tdShape* mesh)
{
    if (mesh->geometry.kind != TD_SHAPE_MESH)
    {
        return false;
    }
    tdVec3 center = tdTransformPoint(query->start, tdShape_GetCenter(&fast->geometry));
    tdTransform pose = tdMulTransform(tdSweep_At(&query->target.sweep, 0.0f), mesh->geometry.local);
    center = tdInvTransformPoint(pose, center);
    return tdOverlapAabb(mesh->geometry.mesh->aabb, (tdAabb){center, center});
}

/// True if a shape of the fast body is slow relative to a shape of the prepared target. Bodies that move
/// together are slow relative to each other. A dynamic target has an inner radius too.
static bool IsPartSlow(const tdFastQuery* query, const tdShape* fast, const tdShape* other)
{
    const tdTargetMotion* target = &query->target;
    bool isThick = target->isDynamic && !StartsInBox(query, fast, other);
    float allowed =
        SLOW_DISPLACEMENT * fast->innerRadius + (isThick ? SLOW_DISPLACEMENT * other->innerRadius : 0.0f);
    allowed = allowed > 0.0f ? allowed : tdBodySim_GetSlowDistance(&query->world->sims[query->simIndex]);
    return target->moved + target->turned * fast->outerRadius < allowed;
}

/// A ball around a shape in the frame of its body.
typedef struct ShapeBall
{
    tdVec3 center;
    float radius; // m
} ShapeBall;

static ShapeBall GetShapeBall(const tdWorld* world, const tdShape* shape)
{
    if ((shape->flags & TD_SHAPE_MEMBER) == 0)
    {
        return (ShapeBall){tdVec3_zero, shape->outerRadius};
    }
    const tdPartNode* node = &tdWorld_GetPartTree(world, shape->body)->nodes[shape->proxy];
    return (ShapeBall){tdScale(0.5f, tdAdd(node->box.lower, node->box.upper)), node->radius};
}

/// Gap between two convex shapes along a unit direction from A to B; negative if their shadows overlap. m
static float GetGap(const tdShape* a, tdTransform poseA, const tdShape* b, tdTransform poseB, tdVec3 axis)
{
    tdConvex convexA = tdMakeConvex(&a->geometry, poseA), convexB = tdMakeConvex(&b->geometry, poseB);
    tdVec3 ahead = tdConvex_Support(&convexA, axis), behind = tdConvex_Support(&convexB, tdNegate(axis));
    return tdDot(axis, tdSub(behind, ahead)) - convexA.radius - convexB.radius;
}

/// Direction into the face of a box that is most in front of a point, in the world. A large box, such as a
/// floor, is apart from a small shape along the normal of a face rather than along the line of the centres.
static tdVec3 GetFaceAxis(const tdShape* box, tdTransform pose, tdVec3 point)
{
    tdTransform placed = tdMulTransform(pose, box->geometry.local);
    tdVec3 local = tdInvTransformPoint(placed, point), half = box->geometry.box.halfSize;
    tdVec3 outside = tdSub(tdAbs(local), half), axis = {local.x < 0.0f ? 1.0f : -1.0f, 0.0f, 0.0f};
    if (outside.y > outside.x && outside.y >= outside.z)
    {
        axis = (tdVec3){0.0f, local.y < 0.0f ? 1.0f : -1.0f, 0.0f};
    }
    else if (outside.z > outside.x)
    {
        axis = (tdVec3){0.0f, 0.0f, local.z < 0.0f ? 1.0f : -1.0f};
    }
    return tdRotate(placed.rotation, axis);
}

/// Overlap of a fast convex shape with a target up to which its core stays clear of the target, so that the
/// solver handles the contact; 0 for another bullet, whose sweep must give the same result.
static float GetHarmlessOverlap(const tdFastQuery* query, const tdShape* fast)
{
    float core = (1.0f + CORE_DISTANCE) * TD_CORE_SHARE;
    return query->targetFast < 0 ? tdMinFloat(SHALLOW_DEPTH, 1.0f - core) * fast->innerRadius : 0.0f;
}

/// True if the two shapes stay apart or overlap harmlessly: the balls around them, or their shadows along the
/// line of the closest approach of the balls. A point at a distance r from the centre of mass deviates from
/// the straight motion between its two places by at most r / 8 of its largest acceleration, which is below r
/// sin^2(angle / 2) for the normalised lerp up to MAX_BEND. A gap is therefore at least the smaller one of
/// the two poses, less these deviations.
static bool IsNeverDeep(const tdFastQuery* query, const tdShape* fast, const tdShape* other)
{
    const tdTargetMotion* target = &query->target;
    ShapeBall a = GetShapeBall(query->world, fast), b = GetShapeBall(query->world, other);
    if (query->bend > MAX_BEND || target->bend > MAX_BEND || !(a.radius + b.radius < MAX_BALL_RADIUS))
    {
        return false;
    }
    tdVec3 from = tdSub(tdTransformPoint(target->start, b.center), tdTransformPoint(query->start, a.center));
    tdVec3 to = tdSub(tdTransformPoint(target->end, b.center), tdTransformPoint(query->end, a.center));
    tdVec3 way = tdSub(to, from);
    float square = tdLengthSquared(way);
    float time = square > 0.0f ? tdClampFloat(-tdDot(from, way) / square, 0.0f, 1.0f) : 0.0f;
    tdVec3 nearest = tdMulAdd(from, time, way);
    float distance = tdLength(nearest);
    float bendA = query->bend * (tdDistance(a.center, query->sweep.localCenter) + a.radius);
    float bendB = target->bend * (tdDistance(b.center, target->sweep.localCenter) + b.radius);
    float least = bendA + bendB + TD_SPECULATIVE_MARGIN;
    if (distance > a.radius + b.radius + least)
    {
        return true;
    }
    if (!(distance > 0.0f) || !tdShape_IsConvex(&fast->geometry) || !tdShape_IsConvex(&other->geometry))
    {
        return false;
    }
    tdVec3 axis = tdScale(1.0f / distance, nearest);
    if (other->geometry.kind == TD_SHAPE_BOX && !other->geometry.hasMatrix && b.radius > a.radius)
    {
        axis = GetFaceAxis(other, target->end, tdTransformPoint(query->end, a.center));
    }
    least -= GetHarmlessOverlap(query, fast);
    return GetGap(fast, query->start, other, target->start, axis) > least &&
           GetGap(fast, query->end, other, target->end, axis) > least;
}

/// Of several impacts at the same time one must count whatever the order in which trees visit the shapes of
/// compounds: that of the first shape in the list of its body, which is the one of the highest index. Of
/// several targets in a tree the one of the lower body counts, and of a body the one of the highest index.
static bool WinsTie(const tdFastQuery* query, int target)
{
    if (query->tieShape < 0 || query->shape != query->tieShape)
    {
        return query->tieShape >= 0 && query->tree != NULL && query->shape > query->tieShape;
    }
    const tdWorld* world = query->world;
    const tdShape *other = &world->shapes.data[target], *best = &world->shapes.data[query->tieTarget];
    bool isOrdered = query->tree == NULL && ((other->flags | best->flags) & TD_SHAPE_MEMBER) == 0;
    if (isOrdered || query->targetFast != query->found->targetFast || other->tree != best->tree)
    {
        return false;
    }
    return other->body != best->body ? other->body < best->body : target > query->tieTarget;
}

/// The next larger number than a fraction from 0 to 1.
static float GetNextFraction(float fraction)
{
    uint32_t bits;
    memcpy(&bits, &fraction, sizeof(bits));
    bits += 1;
    memcpy(&fraction, &bits, sizeof(bits));
    return fraction;
}

/// True if the balls around two bodies about their centres of mass, which move on straight lines, stay apart.
/// A cheap test before tdFastQuery_PrepareTarget.
static bool AreBallsApart(const tdFastQuery* query, int body)
{
    const tdWorld* world = query->world;
    const tdBodySim *sim = &world->sims[query->simIndex], *other = tdWorld_GetBodySim(world, body);
    if (query->tree != NULL || query->time > 0.0f)
    {
        return false; // the ball around a compound body is too large
    }
    tdVec3 start = world->bodies.data[body].simIndex > 0 ? other->startCenter : other->center;
    tdVec3 from = tdSub(start, query->sweep.startCenter);
    tdVec3 way = tdSub(tdSub(other->center, query->sweep.endCenter), from);
    float square = tdLengthSquared(way), radius = sim->outerRadius + other->outerRadius;
    float time = square > 0.0f ? tdClampFloat(-tdDot(from, way) / square, 0.0f, 1.0f) : 0.0f;
    float least = radius + TD_SPECULATIVE_MARGIN;
    return radius < MAX_BALL_RADIUS && tdLengthSquared(tdMulAdd(from, time, way)) > least * least;
}

bool tdFastQuery_VisitTarget(void* context, int target)
{
    tdFastQuery* query = context;
    tdWorld* world = query->world;
    tdFastBody* found = query->found;
    const tdShape* other = &world->shapes.data[target];
    if ((other->flags & TD_SHAPE_TRIGGER) != 0 || AreBallsApart(query, other->body) ||
        !tdWorld_ShouldCollide(world, query->shape, target))
    {
        return true;
    }
    const tdShape* fast = &world->shapes.data[query->shape];
    const tdBodySim* sim = &world->sims[query->simIndex];
    tdFastQuery_PrepareTarget(query, other->body);
    if (IsPartSlow(query, fast, other) || IsNeverDeep(query, fast, other))
    {
        return true;
    }
    found->sweptPairs += 1;
    const tdSweep otherSweep = query->target.sweep;
    float before = WinsTie(query, target) ? GetNextFraction(found->fraction) : found->fraction;
    tdImpact impact = FindImpact(query, fast, target, &otherSweep, before);
    float fraction = impact.fraction;
    bool isHit = impact.state == TD_IMPACT_HIT && fraction < before;
    // The sweep of two meshes returns no impacts of this kind.
    bool areFaces = isHit && !tdShape_IsConvex(&fast->geometry) && other->geometry.kind == TD_SHAPE_MESH;
    bool isMissed = isHit && !areFaces && impact.isUnresolved && IsSeparating(query, &otherSweep, &impact);
    // The solver handles grazing impacts and contacts that exist at the start, unless the core would pass the
    // target.
    bool isShallow = isHit && !areFaces &&
                     ComputeEndDepth(&query->sweep, &otherSweep, &impact) < SHALLOW_DEPTH * fast->innerRadius;
    bool isDeep = isHit && impact.isMiddle;
    tdVec3 normal = tdNegate(impact.normal), point = impact.point;
    // The sweep of a mesh ignores faces that touch at the start, so its core may hit first.
    bool isMesh = fast->geometry.kind == TD_SHAPE_MESH;
    bool isGraze = impact.state == TD_IMPACT_INITIAL || isMissed || (isShallow && !isDeep);
    if (isGraze || isMesh)
    {
        tdImpact core;
        // Of two bullets only the smaller one casts its core.
        bool hasCore = (!isMesh || tdTriangles_HasCore(fast->geometry.mesh)) &&
                       (query->targetFast < 0 || IsSmaller(query, fast, target)) &&
                       !IsAround(query, fast, other, &otherSweep);
        float limit = isHit && !isGraze ? fraction : before;
        bool isCore = hasCore && SweepCores(query, fast, other, &otherSweep, limit, &core);
        isHit = isCore || (isHit && !isGraze);
        isDeep = isCore || (isDeep && !isGraze);
        if (isCore)
        {
            fraction = core.fraction;
            normal = tdNegate(core.normal);
            point = core.point;
        }
    }
    if (isHit)
    {
        found->fraction = fraction;
        found->isDeep = isDeep;
        found->point = point;
        found->normal = normal;
        found->velocity = tdWorld_GetVelocityAt(world, other->body, sim->center);
        found->targetBody = other->body;
        found->shape = query->shape;
        found->targetShape = target;
        found->isFollowed = false;
        found->targetFast = query->targetFast;
        found->targetPose = tdSweep_At(&otherSweep, fraction);
        query->tieShape = query->shape;
        query->tieTarget = target;
    }
    return true;
}

tdFastQuery tdMakeFastQuery(tdWorld* world, tdFastBody* found, tdTransform start, tdTransform end)
{
    const tdBodySim* sim = &world->sims[found->simIndex];
    return (tdFastQuery){.world = world,
                         .simIndex = found->simIndex,
                         .start = start,
                         .end = end,
                         .sweep = tdMakeSweep(start, end, sim->localCenter),
                         .bend = ComputeBend(start, end),
                         .share = IMPACT_SHARE,
                         .found = found,
                         .targetFast = -1,
                         .tieShape = -1,
                         .tieTarget = -1,
                         .target = {.body = -1}};
}

// Compound bodies: their tree is swept once, and only the parts near a target are tested against it.

static tdPartMotion MakePartMotion(const tdFastQuery* query)
{
    float radius = query->world->sims[query->simIndex].outerRadius;
    return tdMakePartMotion(query->start, query->end, ComputeSweptMargin(query->start, query->end, radius));
}

void tdFastQuery_SweepTree(tdFastQuery* query)
{
    if (!query->isTreeSwept)
    {
        tdPartMotion motion = MakePartMotion(query);
        tdPartTree_Sweep(query->tree, &motion);
        query->isTreeSwept = true;
    }
}

void tdFastQuery_VisitParts(tdFastQuery* query, int target, tdAabb box)
{
    const tdPartTree* tree = query->tree;
    tdFastQuery_SweepTree(query);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (!tdOverlapAabb(tree->swept[i], box))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            query->shape = node->shape;
            tdFastQuery_VisitTarget(query, target);
        }
        ++i;
    }
}

bool tdFastQuery_VisitTargetOfTree(void* context, int target)
{
    tdFastQuery* query = context;
    const tdShape* other = &query->world->shapes.data[target];
    if ((other->flags & TD_SHAPE_TRIGGER) == 0 && other->body != query->world->sims[query->simIndex].body)
    {
        tdFastQuery_PrepareTarget(query, other->body);
        if (!tdFastQuery_IsBodySlow(query))
        {
            tdFastQuery_VisitParts(query, target, tdWorld_GetLeafBox(query->world, target));
        }
    }
    return true;
}

/// An unbounded plane, for a compound body. Parts whose path is on one side of a resting plane cannot hit it.
static void VisitPlaneOfTree(tdFastQuery* query, int target)
{
    const tdWorld* world = query->world;
    const tdShape* plane = &world->shapes.data[target];
    const tdPartTree* tree = query->tree;
    bool isMoving = world->bodies.data[plane->body].simIndex > 0;
    tdFastQuery_SweepTree(query);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (!isMoving && !tdWorld_TestPlaneBox(world, plane, tree->swept[i]))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            query->shape = node->shape;
            tdFastQuery_VisitTarget(query, target);
        }
        ++i;
    }
}

static void VisitPlanes(tdFastQuery* query, bool onlyStatic)
{
    const tdWorld* world = query->world;
    for (int i = 0; i < world->unbounded.count; ++i)
    {
        int plane = world->unbounded.data[i];
        bool isStatic = world->bodies.data[world->shapes.data[plane].body].motion == TD_MOTION_STATIC;
        if (onlyStatic && !isStatic)
        {
            continue;
        }
        if (query->tree != NULL)
        {
            VisitPlaneOfTree(query, plane);
        }
        else
        {
            tdFastQuery_VisitTarget(query, plane);
        }
    }
}

tdAabb tdFastQuery_Sweep(tdFastQuery* query, bool onlyStatic)
{
    tdWorld* world = query->world;
    const tdBodySim* sim = &world->sims[query->simIndex];
    query->tree = tdWorld_GetPartTree(world, sim->body);
    if (query->tree != NULL)
    {
        tdPartMotion motion = MakePartMotion(query);
        tdAabb box = tdPartTree_BoundMotion(query->tree, &motion);
        tdAabbTree_QueryLeaves(&world->trees[TD_AABB_TREE_STATIC], box, tdFastQuery_VisitTargetOfTree, query);
        if (!onlyStatic)
        {
            tdWorld_QueryTree(world, TD_AABB_TREE_KINEMATIC, box, tdFastQuery_VisitTargetOfTree, query);
        }
        VisitPlanes(query, onlyStatic);
        return box;
    }
    tdAabb path = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (int i = world->bodies.data[sim->body].shapeHead; i >= 0; i = world->shapes.data[i].next)
    {
        const tdShape* shape = &world->shapes.data[i];
        if ((shape->flags & TD_SHAPE_TRIGGER) != 0)
        {
            continue;
        }
        query->shape = i;
        tdAabb box = tdShape_ComputeSweptAabb(&shape->geometry, query->start, query->end, sim->localCenter);
        path = path.lower.x <= path.upper.x ? tdUnionAabb(path, box) : box;
        tdAabbTree_QueryLeaves(&world->trees[TD_AABB_TREE_STATIC], box, tdFastQuery_VisitTarget, query);
        if (!onlyStatic)
        {
            tdWorld_QueryTree(world, TD_AABB_TREE_KINEMATIC, box, tdFastQuery_VisitTarget, query);
        }
        VisitPlanes(query, onlyStatic);
    }
    return path;
}
