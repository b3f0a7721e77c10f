// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The narrow phase over all contacts. Most of them need no geometry in most steps:
//
//   An apart pair remembers how far its shapes were apart at the last test. Bodies count how far any of their
//   points can have travelled (an integer, so that the sum is exact); until both together went that far the
//   pair is skipped with one comparison. A touch remembers the relative pose of its last test. While no point
//   of the smaller shape moved farther than half of the speculative margin, the manifolds are kept: a
//   point that was left out was farther than the margin then, so it cannot touch now; the solver follows kept
//   points by their anchors on both bodies. The idea to keep manifolds while the relative pose hardly changes
//   is Erin Catto's (contact recycling in Box3D); the bound by travel and by distance is ours.
#include "physics/narrow_phase/narrow_phase.h"

#include "base/prefetch.h"
#include "physics/broad_phase/proxy.h"
#include "physics/contact/contact.h"
#include "physics/data/flag_bytes.h"
#include "physics/data/manifold_pool.h"
#include "physics/data/world_data.h"
#include "physics/narrow_phase/manifold.h"
#include "physics/narrow_phase/material.h"

#include <string.h>

#define KEEP_DISTANCE (0.5f * TD_SPECULATIVE_MARGIN)
// A kept point of a round surface stays behind while the body rolls on: the push from there turns it, and
// each renewal lifts it again, which makes it accelerate by about g * distance / (2 * radius). So what rolls
// on the ground keeps less; inside heaps nothing rolls far.
#define ROLLING_KEEP_DISTANCE 0.0005f
/// What is nearer to the axis is taken for so far from it: 0 stands for what does not roll. m
#define LEAST_ROLL 1.0e-6f
/// Entries that are looked at together, and how many tests ahead the memory of one is asked for.
#define LOOK_AHEAD_CHUNK 32
#define LOOK_AHEAD 2

enum // what a worker found, one byte per entry; apart pairs: 1 to 64 is the number of manifolds
{
    FLAG_NOTHING = 0,
    FLAG_PARTED = 1,     // touch: no manifold left
    FLAG_WANTS_ROOM = 2, // touch: more manifolds than fit
    FLAG_RENEWED = 4,    // touch: went through the narrow phase
    FLAG_INSIDE = 1,     // trigger: overlaps
    FLAG_OUTSIDE = 2,    // trigger: does not
    FLAG_TESTED = 254,   // apart: still apart
    FLAG_BOXES_PARTED = 255,
};

static uint32_t GetBodyDisplacement(const tdWorld* world, int reference)
{
    return reference > 0 ? world->displacements[reference] : 0;
}

static bool IsExpired(uint32_t expiry, uint32_t travel)
{
    return (int32_t)(expiry - travel) < 0;
}

// Travel at which a distance may be used up, rounded down.
static uint32_t ExpireAfter(uint32_t travel, float distance)
{
    float units = tdMinFloat(distance, TD_DISPLACEMENT_MAX_SLACK) * (1.0f / TD_DISPLACEMENT_UNIT);
    return travel + (units > 0.0f ? (uint32_t)units : 0u);
}

static uint32_t GetPredictedDisplacement(const tdWorld* world, int reference)
{
    return reference > 0 ? world->predictedDisplacements[reference] : 0;
}

static tdVec3 GetVelocity(const tdWorld* world, int reference)
{
    return reference > 0 ? world->states[reference].linearVelocity : tdVec3_zero;
}

// How near points must be to be kept: the speculative margin, and how far the two may approach in this step
// as long as that is little compared to their thickness (beyond, continuous collision takes over). So a body
// of usual speed is seen before it lands and not when it is already inside.
static float ComputeMargin(const tdWorld* world, int simA, int simB)
{
    const tdBodySim *a = tdWorld_GetSim(world, simA), *b = tdWorld_GetSim(world, simB);
    float thickness = TD_DISPLACEMENT_MAX_SLACK;
    tdVec3 velocityA = tdVec3_zero, velocityB = tdVec3_zero, turnA = tdVec3_zero, turnB = tdVec3_zero;
    if (simA > 0)
    {
        velocityA = world->states[simA].linearVelocity;
        turnA = world->states[simA].angularVelocity;
        thickness = (a->flags & TD_BODY_DYNAMIC) != 0 ? a->innerRadius : thickness;
    }
    if (simB > 0)
    {
        velocityB = world->states[simB].linearVelocity;
        turnB = world->states[simB].angularVelocity;
        thickness = (b->flags & TD_BODY_DYNAMIC) != 0 ? tdMinFloat(thickness, b->innerRadius) : thickness;
    }
    // Seen from the larger body, at the centre of the smaller one.
    tdVec3 offset = tdSub(b->center, a->center);
    tdVec3 relative = tdSub(velocityB, velocityA);
    relative = a->outerRadius < b->outerRadius ? tdSub(relative, tdCross(turnB, offset))
                                               : tdSub(relative, tdCross(turnA, offset));
    float radius = tdMinFloat(a->outerRadius, b->outerRadius);
    float reach = world->timeStep * (tdLength(relative) + tdDistance(turnA, turnB) * radius);
    return TD_SPECULATIVE_MARGIN + tdMinFloat(reach, 0.5f * thickness);
}

static int ComputeManifolds(const tdWorld* world, const tdContact* contact, int simA, int simB, float margin,
                            tdManifoldCache* cache, tdManifold* manifolds, int capacity)
{
    const tdBodySim *a = tdWorld_GetSim(world, simA), *b = tdWorld_GetSim(world, simB);
    tdTransform bodyBInA = tdInvMulTransform(a->transform, b->transform);
    tdVec3 velocity =
        tdInvRotate(a->transform.rotation, tdSub(GetVelocity(world, simB), GetVelocity(world, simA)));
    return tdComputeManifolds(&world->shapes.data[contact->shapeA].geometry,
                              &world->shapes.data[contact->shapeB].geometry, bodyBInA, margin, velocity,
                              cache, manifolds, capacity);
}

// Pose of the smaller one's body in the larger one's, and the smaller one's radius about the origin of its
// body.
static tdTransform ComputePose(const tdWorld* world, const tdContact* contact, int simA, int simB,
                               float* radius)
{
    const tdTransform *a = &tdWorld_GetSim(world, simA)->transform,
                      *b = &tdWorld_GetSim(world, simB)->transform;
    float radiusA = world->shapes.data[contact->shapeA].outerRadius;
    float radiusB = world->shapes.data[contact->shapeB].outerRadius;
    *radius = tdMinFloat(radiusA, radiusB);
    return radiusA < radiusB ? tdInvMulTransform(*b, *a) : tdInvMulTransform(*a, *b);
}

// How far any point within the radius moved from one pose to the other: the way of the origin and a chord.
static float ComputeShift(tdTransform from, tdTransform to, float radius)
{
    tdQuat turn = tdInvMulQuat(from.rotation, to.rotation);
    return (tdDistance(from.position, to.position) + 2.0f * tdLength(tdQuatVector(turn)) * radius) * 1.0001f;
}

// What the processor waits for here is mostly memory: records of contacts, shapes and bodies lie where they
// were born.
static void PrefetchShapes(const tdWorld* world, const tdContact* contact, int simA, int simB)
{
    tdPrefetch(&world->shapes.data[contact->shapeA], sizeof(tdShape));
    tdPrefetch(&world->shapes.data[contact->shapeB], sizeof(tdShape));
    tdPrefetch(tdWorld_GetSim(world, simA), 64);
    tdPrefetch(tdWorld_GetSim(world, simB), 64);
}

// One pair whose bound expired. The step may still fail for want of memory and be repeated, so a pair that
// came together is not touched, and of one that did not the test is known the next time.
static uint8_t TestSeparatedPair(tdWorld* world, tdSeparatedContact* pair, tdManifold* manifolds)
{
    tdContact* contact = &world->contacts.data[pair->contact];
    if (!tdWorld_TestFatBoxes(world, contact->shapeA, contact->shapeB))
    {
        return FLAG_BOXES_PARTED;
    }
    // Travel counts every motion; what matters is the motion relative to each other.
    uint32_t travel = GetBodyDisplacement(world, pair->simA) + GetBodyDisplacement(world, pair->simB);
    float margin = ComputeMargin(world, pair->simA, pair->simB);
    float radius;
    tdTransform pose = ComputePose(world, contact, pair->simA, pair->simB, &radius);
    if (contact->testMargin > 0.0f)
    {
        bool isKnown =
            contact->testMargin >= margin && memcmp(&contact->pose, &pose, sizeof(tdTransform)) == 0;
        float shift = isKnown ? 0.0f : ComputeShift(contact->pose, pose, radius);
        float rest = contact->cache.separation - shift;
        if (isKnown || rest > margin)
        {
            pair->expiry = ExpireAfter(travel, rest - TD_SPECULATIVE_MARGIN);
            return FLAG_NOTHING;
        }
    }
    int capacity = (contact->flags & TD_CONTACT_HAS_MESH) != 0 ? TD_MAX_CONTACT_MANIFOLDS : 1;
    tdManifoldCache cache = contact->cache;
    int count = ComputeManifolds(world, contact, pair->simA, pair->simB, margin, &cache, manifolds, capacity);
    if (count > 0)
    {
        return (uint8_t)count;
    }
    contact->cache = cache;
    contact->pose = pose;
    contact->testMargin = margin;
    pair->expiry = ExpireAfter(travel, cache.separation - TD_SPECULATIVE_MARGIN);
    return FLAG_TESTED;
}

static void TestSeparatedPairs(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    tdSeparatedContact* separatedContacts = world->separatedContacts.data;
    tdManifold manifolds[TD_MAX_CONTACT_MANIFOLDS];
    int expired[LOOK_AHEAD_CHUNK];
    for (int chunk = start; chunk < end; chunk += LOOK_AHEAD_CHUNK)
    {
        int count = 0;
        for (int i = chunk; i < tdMinInt(chunk + LOOK_AHEAD_CHUNK, end); ++i)
        {
            const tdSeparatedContact* pair = &separatedContacts[i];
            world->pairFlags.data[i] = FLAG_NOTHING;
            if (IsExpired(pair->expiry, GetPredictedDisplacement(world, pair->simA) +
                                            GetPredictedDisplacement(world, pair->simB)))
            {
                expired[count++] = i;
                tdPrefetch(&world->contacts.data[pair->contact], sizeof(tdContact));
            }
        }
        for (int k = 0; k < count; ++k)
        {
            const tdSeparatedContact* next = &separatedContacts[expired[tdMinInt(k + LOOK_AHEAD, count - 1)]];
            PrefetchShapes(world, &world->contacts.data[next->contact], next->simA, next->simB);
            world->pairFlags.data[expired[k]] =
                TestSeparatedPair(world, &separatedContacts[expired[k]], manifolds);
        }
    }
}

static void TestTriggerPairs(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        tdSeparatedContact* pair = &world->triggers.data[i];
        uint32_t travel = GetBodyDisplacement(world, pair->simA) + GetBodyDisplacement(world, pair->simB);
        uint8_t* flag = &world->triggerFlags.data[i];
        *flag = FLAG_NOTHING;
        if (!IsExpired(pair->expiry, travel))
        {
            continue;
        }
        tdContact* contact = &world->contacts.data[pair->contact];
        if (!tdWorld_TestFatBoxes(world, contact->shapeA, contact->shapeB))
        {
            *flag = FLAG_BOXES_PARTED;
            continue;
        }
        tdTransform bodyBInA = tdInvMulTransform(tdWorld_GetSim(world, pair->simA)->transform,
                                                 tdWorld_GetSim(world, pair->simB)->transform);
        bool overlaps =
            tdTestOverlap(&world->shapes.data[contact->shapeA].geometry,
                          &world->shapes.data[contact->shapeB].geometry, bodyBInA, &contact->cache);
        *flag = overlaps ? FLAG_INSIDE : FLAG_OUTSIDE;
        pair->expiry = ExpireAfter(travel, overlaps ? 0.0f : contact->cache.separation);
    }
}

bool tdWorld_TestPairs(tdWorld* world)
{
    int count = world->separatedContacts.count;
    if (!tdArray_Reserve(&world->allocator, &world->pairFlags, count))
    {
        return false;
    }
    world->pairChanges.count = 0;
    tdTasks_For(world->tasks, TestSeparatedPairs, world, count, 128);
    const uint8_t* flags = world->pairFlags.data;
    int changeCount = 0;
    for (int i = tdFindFlag(flags, 0, count); i < count; i = tdFindFlag(flags, i + 1, count))
    {
        world->stats.pairsTested += flags[i] != FLAG_BOXES_PARTED ? 1 : 0;
        changeCount += flags[i] != FLAG_TESTED ? 1 : 0;
    }
    if (!tdArray_Reserve(&world->allocator, &world->pairChanges, changeCount))
    {
        return false;
    }
    for (int i = tdFindFlag(flags, 0, count); i < count; i = tdFindFlag(flags, i + 1, count))
    {
        if (flags[i] != FLAG_TESTED)
        {
            world->pairChanges.data[world->pairChanges.count++] = (tdPairChange){
                world->separatedContacts.data[i].contact, flags[i] != FLAG_BOXES_PARTED ? flags[i] : 0};
        }
    }
    return true;
}

int tdWorld_CountNewTouching(const tdWorld* world, int blockCounts[TD_MANIFOLD_CLASSES])
{
    int contactCount = 0;
    memset(blockCounts, 0, TD_MANIFOLD_CLASSES * sizeof(int));
    for (int i = 0; i < world->pairChanges.count; ++i)
    {
        int count = world->pairChanges.data[i].manifoldCount;
        if (count > 0)
        {
            contactCount += 1;
            blockCounts[tdGetManifoldClass(count)] += 1;
        }
    }
    for (int i = 0; i < world->wantRoom.count; ++i)
    {
        int capacity = 2 * world->contacts.data[world->wantRoom.data[i]].manifoldCapacity;
        blockCounts[tdGetManifoldClass(tdMinInt(capacity, TD_MAX_CONTACT_MANIFOLDS))] += 1;
    }
    return contactCount;
}

// Points without a match by feature take over from the old point nearest to where they are, if it is as near
// as a kept point may have moved: the line or rim of a round shape touches elsewhere from step to step.
static void InheritByPlace(tdContactManifold* made, uint32_t unmatched, const tdContactManifold* parent,
                           uint32_t unused)
{
    for (int i = 0; i < made->pointCount && unused != 0; ++i)
    {
        if ((unmatched >> i & 1u) == 0)
        {
            continue;
        }
        float best = TD_SPECULATIVE_MARGIN * TD_SPECULATIVE_MARGIN;
        int nearest = -1;
        for (int k = 0; k < parent->pointCount; ++k)
        {
            // On the body that does not roll: the other's anchors may be on its axis.
            tdVec3 offset = parent->isRollingA > 0.0f
                                ? tdSub(parent->points[k].anchorB, made->points[i].anchorB)
                                : tdSub(parent->points[k].anchorA, made->points[i].anchorA);
            float squared = tdLengthSquared(offset);
            if ((unused >> k & 1u) != 0 && squared < best)
            {
                best = squared;
                nearest = k;
            }
        }
        if (nearest >= 0)
        {
            made->points[i].normalImpulse = parent->points[nearest].normalImpulse;
            unused &= ~(1u << nearest);
        }
    }
}

static bool IsRound(const tdShape* shape)
{
    tdShapeKind kind = shape->geometry.kind;
    return kind == TD_SHAPE_SPHERE || kind == TD_SHAPE_CAPSULE || kind == TD_SHAPE_CYLINDER;
}

// How far it is from a point of a round shape's surface along the unit vector n, which leads into the shape,
// to its axis. Negative: the line does not meet it, or far away. Both are in the body.
static float ComputeRoll(const tdShapeGeometry* shape, tdVec3 point, tdVec3 n)
{
    tdVec3 p = tdInvTransformPoint(shape->local, point), m = tdInvRotate(shape->local.rotation, n);
    if (shape->kind == TD_SHAPE_SPHERE)
    {
        return -tdDot(p, m);
    }
    float across = m.x * m.x + m.z * m.z;
    if (across >= 0.25f)
    {
        return -(p.x * m.x + p.z * m.z) / across;
    }
    if (shape->kind == TD_SHAPE_CAPSULE)
    {
        return m.y > 0.0f ? shape->capsule.radiusBottom : shape->capsule.radiusTop;
    }
    return -1.0f;
}

// Where one of the two is round and may roll: anchors of points to its axis (see tdContactManifold).
static void SetRolling(tdContactManifold* made, const tdShape* a, const tdShape* b, tdVec3 centerA,
                       tdVec3 centerB, tdTransform bodyBInA)
{
    bool isA = IsRound(a);
    const tdShapeGeometry* round = isA ? &a->geometry : &b->geometry;
    if (isA == IsRound(b) || round->hasMatrix || made->pointCount > 2)
    {
        return;
    }
    tdVec3 normalInB = tdInvRotate(bodyBInA.rotation, made->normal);
    tdVec3 inward = isA ? tdNegate(made->normal) : normalInB;
    float roll[2] = {0.0f, 0.0f};
    for (int i = 0; i < made->pointCount; ++i)
    {
        tdVec3 point =
            isA ? tdAdd(made->points[i].anchorA, centerA) : tdAdd(made->points[i].anchorB, centerB);
        roll[i] = ComputeRoll(round, point, inward);
        if (!(roll[i] >= -100.0f * LEAST_ROLL))
        {
            return;
        }
        roll[i] = tdMaxFloat(roll[i], LEAST_ROLL); // the tip of a cone is on its axis
    }
    for (int i = 0; i < made->pointCount; ++i)
    {
        tdVec3* anchor = isA ? &made->points[i].anchorA : &made->points[i].anchorB;
        *anchor = tdMulAdd(*anchor, roll[i], inward);
        made->roll[i] = roll[i];
    }
    made->isRollingA = isA ? 1.0f : 0.0f;
    made->normal = isA ? normalInB : made->normal;
}

// Anchors of a fresh manifold, and what it inherits from the old ones: impulses by feature or place, the
// regime of friction.
static tdContactManifold MakeManifold(const tdManifold* from, const tdContactManifold* old, int oldCount,
                                      tdVec3 centerA, tdVec3 centerB, tdTransform bodyBInA,
                                      const float* material)
{
    tdContactManifold made = {.normal = from->normal,
                              .pointCount = (uint8_t)from->pointCount,
                              .isSticking = true,
                              .staticFriction = material[0],
                              .dynamicFriction = material[1],
                              .restitution = material[2]};
    const tdContactManifold* parent = NULL;
    uint32_t unmatched = 0, used = 0; // points; `used` are those of the parent
    for (int i = 0; i < from->pointCount; ++i)
    {
        const tdManifoldPoint* point = &from->points[i];
        tdVec3 half = tdScale(0.5f * point->separation, from->normal);
        tdContactPoint* target = &made.points[i];
        target->anchorA = tdSub(tdSub(point->position, half), centerA);
        target->anchorB = tdSub(tdInvTransformPoint(bodyBInA, tdAdd(point->position, half)), centerB);
        target->feature = point->feature;
        unmatched |= 1u << i;
        for (int j = 0; j < oldCount; ++j)
        {
            if (tdDot(tdContactManifold_GetNormal(&old[j], tdQuat_identity, bodyBInA.rotation),
                      from->normal) < 0.7f)
            {
                continue;
            }
            for (int k = 0; k < old[j].pointCount; ++k)
            {
                if (old[j].points[k].feature == point->feature)
                {
                    target->normalImpulse = old[j].points[k].normalImpulse;
                    parent = parent == NULL ? &old[j] : parent;
                    used |= parent == &old[j] ? 1u << k : 0u;
                    unmatched &= ~(1u << i);
                    j = oldCount;
                    break;
                }
            }
        }
    }
    if (parent == NULL && oldCount == 1 &&
        tdDot(tdContactManifold_GetNormal(&old[0], tdQuat_identity, bodyBInA.rotation), from->normal) > 0.95f)
    {
        parent = &old[0]; // other features of the same face: friction goes on
    }
    if (parent != NULL)
    {
        InheritByPlace(&made, unmatched, parent, ~used & ((1u << parent->pointCount) - 1u));
        made.isSticking = parent->isSticking;
        made.frictionImpulse = parent->frictionImpulse;
        made.twistImpulse = parent->twistImpulse;
        made.totalImpulse = parent->totalImpulse;
    }
    return made;
}

static uint8_t RenewTouchingContact(tdWorld* world, tdTouchingContact* touching, tdTransform pose,
                                    uint32_t travel)
{
    tdContact* contact = &world->contacts.data[touching->contact];
    const tdShape *a = &world->shapes.data[contact->shapeA], *b = &world->shapes.data[contact->shapeB];
    tdManifold found[TD_MAX_CONTACT_MANIFOLDS];
    tdContactManifold made[TD_MAX_CONTACT_MANIFOLDS];
    // One more than there is room for tells whether there are more; the deepest come first.
    bool hasMesh = (contact->flags & TD_CONTACT_HAS_MESH) != 0;
    int most = tdMinInt(touching->manifoldCapacity + (hasMesh ? 1 : 0), TD_MAX_CONTACT_MANIFOLDS);
    float margin = ComputeMargin(world, touching->simA, touching->simB);
    int count = ComputeManifolds(world, contact, touching->simA, touching->simB, margin, &contact->cache,
                                 found, most);
    bool wantsRoom = count > touching->manifoldCapacity;
    count = tdMinInt(count, touching->manifoldCapacity);
    if (count == 0)
    {
        return FLAG_RENEWED | FLAG_PARTED;
    }
    tdCombine frictionA = (tdCombine)a->frictionCombine, frictionB = (tdCombine)b->frictionCombine;
    float material[3] = {
        tdCombineMaterial(a->staticFriction, frictionA, b->staticFriction, frictionB),
        tdCombineMaterial(a->dynamicFriction, frictionA, b->dynamicFriction, frictionB),
        tdCombineMaterial(a->restitution, (tdCombine)a->restitutionCombine, b->restitution,
                          (tdCombine)b->restitutionCombine),
    };
    const tdBodySim *simA = tdWorld_GetSim(world, touching->simA),
                    *simB = tdWorld_GetSim(world, touching->simB);
    bool isSwapped = (touching->flags & TD_TOUCHING_SWAPPED) != 0;
    tdTransform bodyBInA = isSwapped ? tdInvTransform(pose) : pose;
    tdContactManifold* manifolds = world->manifolds + touching->firstManifold;
    for (int i = 0; i < count; ++i)
    {
        made[i] = MakeManifold(&found[i], manifolds, touching->manifoldCount, simA->localCenter,
                               simB->localCenter, bodyBInA, material);
        SetRolling(&made[i], a, b, simA->localCenter, simB->localCenter, bodyBInA);
    }
    memcpy(manifolds, made, (size_t)count * sizeof(tdContactManifold));
    touching->manifoldCount = (uint8_t)count;
    touching->sizeKey = tdComputeSizeKey(count, manifolds[0].pointCount);
    touching->flags &= ~(uint32_t)(TD_TOUCHING_STALE | TD_TOUCHING_BOUNCES);
    touching->flags |= material[2] > 0.0f ? (uint32_t)TD_TOUCHING_BOUNCES : 0u;
    touching->rotation = pose.rotation;
    touching->position = pose.position;
    touching->radius = isSwapped ? a->outerRadius : b->outerRadius;
    bool rolls = (simA->flags & simB->flags & TD_BODY_DYNAMIC) == 0 && (IsRound(a) || IsRound(b));
    touching->keepDistance = rolls ? ROLLING_KEEP_DISTANCE : KEEP_DISTANCE;
    touching->expiry = ExpireAfter(travel, touching->keepDistance);
    return (uint8_t)(FLAG_RENEWED | (wantsRoom ? FLAG_WANTS_ROOM : 0));
}

static void UpdateTouchingContact(tdWorld* world, int index)
{
    tdTouchingContact* touching = &world->touchingContacts.data[index];
    uint32_t travel = GetBodyDisplacement(world, touching->simA) + GetBodyDisplacement(world, touching->simB);
    const tdTransform* a = &tdWorld_GetSim(world, touching->simA)->transform;
    const tdTransform* b = &tdWorld_GetSim(world, touching->simB)->transform;
    bool isSwapped = (touching->flags & TD_TOUCHING_SWAPPED) != 0;
    tdTransform pose = isSwapped ? tdInvMulTransform(*b, *a) : tdInvMulTransform(*a, *b);
    if ((touching->flags & TD_TOUCHING_STALE) == 0)
    {
        float moved =
            ComputeShift((tdTransform){touching->position, touching->rotation}, pose, touching->radius);
        if (moved < touching->keepDistance)
        {
            touching->expiry = ExpireAfter(travel, touching->keepDistance - moved);
            return;
        }
    }
    world->touchingFlags.data[index] = RenewTouchingContact(world, touching, pose, travel);
}

static void UpdateTouchingRange(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    const tdTouchingContact* touchingContacts = world->touchingContacts.data;
    int expired[LOOK_AHEAD_CHUNK];
    for (int chunk = start; chunk < end; chunk += LOOK_AHEAD_CHUNK)
    {
        int count = 0;
        for (int i = chunk; i < tdMinInt(chunk + LOOK_AHEAD_CHUNK, end); ++i)
        {
            const tdTouchingContact* touching = &touchingContacts[i];
            uint32_t travel =
                GetBodyDisplacement(world, touching->simA) + GetBodyDisplacement(world, touching->simB);
            world->touchingFlags.data[i] = FLAG_NOTHING;
            if ((touching->flags & TD_TOUCHING_STALE) != 0 || IsExpired(touching->expiry, travel))
            {
                expired[count++] = i;
                tdPrefetch(&world->contacts.data[touching->contact], sizeof(tdContact));
                tdPrefetch(tdWorld_GetSim(world, touching->simA), 64);
                tdPrefetch(tdWorld_GetSim(world, touching->simB), 64);
            }
        }
        for (int k = 0; k < count; ++k)
        {
            const tdTouchingContact* next = &touchingContacts[expired[tdMinInt(k + LOOK_AHEAD, count - 1)]];
            PrefetchShapes(world, &world->contacts.data[next->contact], next->simA, next->simB);
            tdPrefetch(&world->manifolds[next->firstManifold], sizeof(tdContactManifold));
            UpdateTouchingContact(world, expired[k]);
        }
    }
}

// Contacts that had more manifolds than room in the last step get a larger block.
static void GrowManifolds(tdWorld* world)
{
    for (int i = 0; i < world->wantRoom.count; ++i)
    {
        int index = world->wantRoom.data[i];
        tdContact* contact = &world->contacts.data[index];
        if (contact->kind != TD_CONTACT_TOUCHING || contact->denseIndex < 0)
        {
            continue;
        }
        tdTouchingContact* touching = &world->touchingContacts.data[contact->denseIndex];
        if (touching->manifoldCount < touching->manifoldCapacity ||
            touching->manifoldCapacity >= TD_MAX_CONTACT_MANIFOLDS)
        {
            continue;
        }
        int capacity;
        int first = tdManifoldPool_Acquire(world, 2 * touching->manifoldCapacity, &capacity);
        memcpy(world->manifolds + first, world->manifolds + touching->firstManifold,
               touching->manifoldCount * sizeof(tdContactManifold));
        tdManifoldPool_Release(world, touching->firstManifold, touching->manifoldCapacity);
        touching->firstManifold = contact->firstManifold = first;
        touching->manifoldCapacity = (uint8_t)capacity;
        contact->manifoldCapacity = capacity;
        touching->flags |= TD_TOUCHING_STALE;
    }
    world->wantRoom.count = 0;
}

void tdWorld_UpdateTouchingContacts(tdWorld* world)
{
    GrowManifolds(world);
    for (int i = 0; i < world->pairChanges.count; ++i)
    {
        tdPairChange change = world->pairChanges.data[i];
        if (change.manifoldCount > 0)
        {
            tdWorld_BeginTouching(world, change.contact, change.manifoldCount);
        }
        else
        {
            tdWorld_DestroyContact(world, change.contact, false);
        }
    }
    world->pairChanges.count = 0;

    int count = world->touchingContacts.count;
    TD_ASSERT(count <= world->touchingFlags.capacity);
    tdTasks_For(world->tasks, UpdateTouchingRange, world, count, 64);
    // Backwards, because an end moves the last touch into its place.
    uint8_t* flags = world->touchingFlags.data;
    int made = 0;
    for (int i = count - 1; i >= 0; --i)
    {
        uint64_t eight;
        if (i >= 7 && (memcpy(&eight, flags + i - 7, 8), eight == 0))
        {
            i -= 7;
            continue;
        }
        if (flags[i] == FLAG_NOTHING)
        {
            continue;
        }
        made += 1;
        int contact = world->touchingContacts.data[i].contact;
        if ((flags[i] & FLAG_WANTS_ROOM) != 0)
        {
            world->wantRoom.data[world->wantRoom.count++] = contact;
        }
        if ((flags[i] & FLAG_PARTED) != 0)
        {
            tdWorld_EndTouching(world, contact);
        }
    }
    if (count > 0)
    {
        memset(flags, 0, (size_t)count); // for tdWorld_TestTouching
    }
    world->stats.manifoldsMade = made;
    world->stats.manifoldsKept = count - made;
}

void tdWorld_TestTriggers(tdWorld* world)
{
    TD_ASSERT(world->triggers.count <= world->triggerFlags.capacity);
    tdTasks_For(world->tasks, TestTriggerPairs, world, world->triggers.count, 64);
}
