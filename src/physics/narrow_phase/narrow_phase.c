// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The narrow phase over all contacts. Most contacts need no geometry in most steps
// (docs/decisions/050-narrow-phase.md, docs/decisions/061-contact-recycling.md):
//
// A separated contact stores the distance of its last test. Bodies count the displacement of their farthest
// point as an integer, so that sums are exact. Until both bodies together have moved by that distance, one
// comparison skips the contact.
//
// A touching contact stores the relative pose of its last test. While no point of the smaller shape has moved
// by half of the speculative margin, its manifolds are kept: a point outside the margin at the test cannot
// touch yet. The solver moves kept points with their anchors on both bodies.
//
// Keeping manifolds while the relative pose hardly changes is Erin Catto's idea (contact recycling in Box3D).
// Points of rolling shapes: docs/decisions/056-rolling-contacts.md.
#include "physics/narrow_phase/narrow_phase.h"

#include "base/prefetch.h"
#include "physics/broad_phase/proxy.h"
#include "physics/contact/contact.h"
#include "physics/data/flag_bytes.h"
#include "physics/data/joint_data.h"
#include "physics/data/manifold_pool.h"
#include "physics/data/world_data.h"
#include "physics/narrow_phase/fast_query.h"
#include "physics/narrow_phase/manifold.h"
#include "physics/narrow_phase/material.h"

#include <string.h>

// Thresholds. The manifold and contact tests pass with 3 to 20 times each of them; physics/determinism pins
// their bits.

/// Relative displacement up to which manifolds are kept, in speculative margins.
#define KEEP_SHARE 0.5f
/// The same for a body with joints: its other bodies lean on a contact whose lever arms must be right. The
/// official Robot_skinned rocks on its feet and falls over with KEEP_SHARE.
#define JOINED_KEEP_SHARE 0.15f
/// The same for a round shape on a static or kinematic body, in metres and at most in outer radii. A kept
/// point of a round surface stays behind the rolling body, and each new test moves it forward again, which
/// accelerates the body by about g distance / (2 radius).
#define ROLLING_KEEP_DISTANCE 0.0005f
#define ROLLING_KEEP_SHARE 0.005f
/// Least distance of a contact point from the axis of a rolling shape, in outer radii; 0 means that the shape
/// does not roll.
#define MIN_ROLL_DISTANCE 1.0e-6f
/// Distance beyond the axis, in outer radii, that is still rounding noise.
#define ROLL_NOISE 1.0e-4f
/// Squared sine of the angle between normal and axis above which a contact is on the side of a round shape
/// and not on a cap: 30 degrees.
#define SIDE_SINE_SQUARED 0.25f
/// Cosine of the angle between the old and the new normal up to which points inherit impulses by feature: 46
/// degrees.
/// physics/contact_laws fails without this limit.
#define MATCH_COSINE 0.7f
/// The same for friction impulses of a manifold without matching features: 18 degrees.
#define INHERIT_COSINE 0.95f
/// Factor on a displacement that covers its rounding errors.
#define DISPLACEMENT_ROUNDING 1.0001f
/// Share of the inner radius up to which the approach of a step extends the margin; faster bodies are swept.
#define APPROACH_SHARE 0.5f
/// Rotation in a sub-step, rad, up to which the arms of contact points hold.
#define MAX_ARM_TURN 0.75f
/// Contacts that are checked together, and the number of tests between prefetch and use.
#define PREFETCH_CHUNK 32
#define PREFETCH_DISTANCE 2
/// Bytes of tdBodySim that the tests read.
#define SIM_PREFETCH 64
/// Least contacts per parallel range: comparisons of separated contacts are cheaper than tests of touching
/// ones.
#define MIN_SEPARATED_RANGE 128
#define MIN_TOUCHING_RANGE 64

enum // result of a test, one byte per contact; separated contacts: 1 to 64 is the number of manifolds
{
    FLAG_NOTHING = 0,
    FLAG_SEPARATED = 1,  // touching contact: no manifold is left
    FLAG_WANTS_ROOM = 2, // touching contact: more manifolds than capacity
    FLAG_RENEWED = 4,    // touching contact: manifolds computed
    FLAG_INSIDE = 1,     // trigger: overlapping
    FLAG_OUTSIDE = 2,    // trigger: separated
    FLAG_LEFT = 3,       // trigger: overlapping at the start of the step, separated at its end
    FLAG_TESTED = 254,   // separated contact: tested and still separated
    FLAG_BOXES_SEPARATED = 255,
};

static uint32_t GetBodyDisplacement(const tdWorld* world, int reference)
{
    return reference > 0 ? world->displacements[reference] : 0;
}

/// Compares displacement counters, which wrap around.
static bool IsExpired(uint32_t expiry, uint32_t displacement)
{
    return (int32_t)(expiry - displacement) < 0;
}

/// Displacement at which the bodies may have moved by `distance`, rounded down.
static uint32_t ComputeExpiry(uint32_t displacement, float distance)
{
    float units = tdMinFloat(distance, TD_DISPLACEMENT_MAX_SLACK) * (1.0f / TD_DISPLACEMENT_UNIT);
    return displacement + (units > 0.0f ? (uint32_t)units : 0u);
}

/// Speculative margin of a contact in metres.
static float GetContactMargin(const tdWorld* world, int simA, int simB)
{
    return tdGetSpeculativeMargin(
        tdMinFloat(tdWorld_GetSim(world, simA)->outerRadius, tdWorld_GetSim(world, simB)->outerRadius));
}

static uint32_t GetPredictedDisplacement(const tdWorld* world, int reference)
{
    return reference > 0 ? world->predictedDisplacements[reference] : 0;
}

/// Margin of the contact points in metres: the speculative margin plus the approach of the two bodies in this
/// step, limited by their thickness. Bodies of usual speed then get their contacts before they overlap;
/// continuous collision handles faster ones.
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
    // Velocity relative to the larger body, at the centre of the smaller one.
    tdVec3 offset = tdSub(b->center, a->center);
    tdVec3 relative = tdSub(velocityB, velocityA);
    relative = a->outerRadius < b->outerRadius ? tdSub(relative, tdCross(turnB, offset))
                                               : tdSub(relative, tdCross(turnA, offset));
    float radius = tdMinFloat(a->outerRadius, b->outerRadius);
    float reach = world->timeStep * (tdLength(relative) + tdDistance(turnA, turnB) * radius);
    return tdGetSpeculativeMargin(radius) + tdMinFloat(reach, APPROACH_SHARE * thickness);
}

static int ComputeContactManifolds(const tdWorld* world, const tdContact* contact, int simA, int simB,
                                   float margin, tdManifoldCache* cache, tdManifold* manifolds, int capacity)
{
    const tdBodySim *a = tdWorld_GetSim(world, simA), *b = tdWorld_GetSim(world, simB);
    tdTransform bodyBInA = tdInvMulTransform(a->transform, b->transform);
    return tdComputeManifolds(&world->shapes.data[contact->shapeA].geometry,
                              &world->shapes.data[contact->shapeB].geometry, bodyBInA, margin, cache,
                              manifolds, capacity);
}

/// Pose of the smaller shape's body in the frame of the larger one's, and the outer radius of the smaller
/// shape.
static tdTransform ComputeRelativePose(const tdWorld* world, const tdContact* contact, int simA, int simB,
                                       float* radius)
{
    const tdTransform *a = &tdWorld_GetSim(world, simA)->transform,
                      *b = &tdWorld_GetSim(world, simB)->transform;
    float radiusA = world->shapes.data[contact->shapeA].outerRadius;
    float radiusB = world->shapes.data[contact->shapeB].outerRadius;
    *radius = tdMinFloat(radiusA, radiusB);
    return radiusA < radiusB ? tdInvMulTransform(*b, *a) : tdInvMulTransform(*a, *b);
}

/// Upper bound of the displacement of any point within the radius: that of the origin plus the chord of the
/// rotation.
static float ComputeRelativeDisplacement(tdTransform from, tdTransform to, float radius)
{
    tdQuat turn = tdInvMulQuat(from.rotation, to.rotation);
    return (tdDistance(from.position, to.position) + 2.0f * tdLength(tdQuatVector(turn)) * radius) *
           DISPLACEMENT_ROUNDING;
}

/// Most of the time here is memory latency: contacts, shapes and bodies are in the order of their creation.
static void PrefetchShapes(const tdWorld* world, const tdContact* contact, int simA, int simB)
{
    tdPrefetch(&world->shapes.data[contact->shapeA], sizeof(tdShape));
    tdPrefetch(&world->shapes.data[contact->shapeB], sizeof(tdShape));
    tdPrefetch(tdWorld_GetSim(world, simA), SIM_PREFETCH);
    tdPrefetch(tdWorld_GetSim(world, simB), SIM_PREFETCH);
}

/// Tests one contact whose bound has expired. The step may fail when out of memory and be repeated: a contact
/// that begins to touch therefore stays unchanged, and one that stays separated stores its test, which the
/// repetition reuses.
static uint8_t TestSeparatedPair(tdWorld* world, tdSeparatedContact* pair, tdManifold* manifolds)
{
    tdContact* contact = &world->contacts.data[pair->contact];
    if (!tdWorld_TestFatBoxes(world, contact->shapeA, contact->shapeB))
    {
        return FLAG_BOXES_SEPARATED;
    }
    // The displacement counters include common motion; the relative displacement is often much smaller.
    uint32_t displacement = GetBodyDisplacement(world, pair->simA) + GetBodyDisplacement(world, pair->simB);
    float margin = ComputeMargin(world, pair->simA, pair->simB);
    float radius;
    tdTransform pose = ComputeRelativePose(world, contact, pair->simA, pair->simB, &radius);
    if (contact->testMargin > 0.0f)
    {
        bool isKnown =
            contact->testMargin >= margin && memcmp(&contact->pose, &pose, sizeof(tdTransform)) == 0;
        float moved = isKnown ? 0.0f : ComputeRelativeDisplacement(contact->pose, pose, radius);
        float distance = contact->cache.separation - moved;
        if (isKnown || distance > margin)
        {
            pair->expiry =
                ComputeExpiry(displacement, distance - GetContactMargin(world, pair->simA, pair->simB));
            return FLAG_NOTHING;
        }
    }
    int capacity = (contact->flags & TD_CONTACT_HAS_MESH) != 0 ? TD_MAX_CONTACT_MANIFOLDS : 1;
    tdManifoldCache cache = contact->cache;
    if ((contact->flags & TD_CONTACT_HAS_MESH) != 0)
    {
        memset(cache.words, 0, sizeof(cache.words)); // a contact that begins has no side yet
    }
    int count =
        ComputeContactManifolds(world, contact, pair->simA, pair->simB, margin, &cache, manifolds, capacity);
    if (count > 0)
    {
        return (uint8_t)count;
    }
    contact->cache = cache;
    contact->pose = pose;
    contact->testMargin = margin;
    pair->expiry =
        ComputeExpiry(displacement, cache.separation - GetContactMargin(world, pair->simA, pair->simB));
    return FLAG_TESTED;
}

static void TestSeparatedPairs(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    tdSeparatedContact* separatedContacts = world->separatedContacts.data;
    tdManifold manifolds[TD_MAX_CONTACT_MANIFOLDS];
    int expired[PREFETCH_CHUNK];
    for (int chunk = start; chunk < end; chunk += PREFETCH_CHUNK)
    {
        int count = 0;
        for (int i = chunk; i < tdMinInt(chunk + PREFETCH_CHUNK, end); ++i)
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
            const tdSeparatedContact* next =
                &separatedContacts[expired[tdMinInt(k + PREFETCH_DISTANCE, count - 1)]];
            PrefetchShapes(world, &world->contacts.data[next->contact], next->simA, next->simB);
            world->pairFlags.data[expired[k]] =
                TestSeparatedPair(world, &separatedContacts[expired[k]], manifolds);
        }
    }
}

/// Whether the shapes of a trigger pair overlap in the poses at the start of the step.
static bool OverlapsBeforeStep(const tdWorld* world, const tdSeparatedContact* pair)
{
    const tdContact* contact = &world->contacts.data[pair->contact];
    const tdBodySim *a = tdWorld_GetSim(world, pair->simA), *b = tdWorld_GetSim(world, pair->simB);
    tdTransform poseA = pair->simA > 0 ? tdBodySim_GetStartPose(a) : a->transform;
    tdTransform poseB = pair->simB > 0 ? tdBodySim_GetStartPose(b) : b->transform;
    tdManifoldCache cache = {0};
    return tdTestOverlap(&world->shapes.data[contact->shapeA].geometry,
                         &world->shapes.data[contact->shapeB].geometry, tdInvMulTransform(poseA, poseB),
                         &cache);
}

static void TestTriggerPairs(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    for (int i = start; i < end; ++i)
    {
        tdSeparatedContact* pair = &world->triggers.data[i];
        uint32_t displacement =
            GetBodyDisplacement(world, pair->simA) + GetBodyDisplacement(world, pair->simB);
        uint8_t* flag = &world->triggerFlags.data[i];
        *flag = FLAG_NOTHING;
        if (!IsExpired(pair->expiry, displacement))
        {
            continue;
        }
        tdContact* contact = &world->contacts.data[pair->contact];
        bool mayLeave =
            (contact->flags & TD_CONTACT_UNTESTED) != 0 && (contact->flags & TD_CONTACT_BEGAN) == 0;
        contact->flags &= (uint16_t)~TD_CONTACT_UNTESTED;
        if (!tdWorld_TestFatBoxes(world, contact->shapeA, contact->shapeB))
        {
            // A pair that left stays until the next step, which destroys it.
            *flag = mayLeave && OverlapsBeforeStep(world, pair) ? FLAG_LEFT : FLAG_BOXES_SEPARATED;
            continue;
        }
        tdTransform bodyBInA = tdInvMulTransform(tdWorld_GetSim(world, pair->simA)->transform,
                                                 tdWorld_GetSim(world, pair->simB)->transform);
        bool overlaps =
            tdTestOverlap(&world->shapes.data[contact->shapeA].geometry,
                          &world->shapes.data[contact->shapeB].geometry, bodyBInA, &contact->cache);
        *flag = overlaps ? FLAG_INSIDE : FLAG_OUTSIDE;
        if (!overlaps && mayLeave && OverlapsBeforeStep(world, pair))
        {
            *flag = FLAG_LEFT;
        }
        pair->expiry = ComputeExpiry(displacement, overlaps ? 0.0f : contact->cache.separation);
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
    tdTasks_For(world->tasks, TestSeparatedPairs, world, count, MIN_SEPARATED_RANGE);
    const uint8_t* flags = world->pairFlags.data;
    int changeCount = 0;
    for (int i = tdFindFlag(flags, 0, count); i < count; i = tdFindFlag(flags, i + 1, count))
    {
        world->stats.pairsTested += flags[i] != FLAG_BOXES_SEPARATED ? 1 : 0;
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
                world->separatedContacts.data[i].contact, flags[i] != FLAG_BOXES_SEPARATED ? flags[i] : 0};
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

/// Points without a matching feature inherit the impulse of the nearest old point within the speculative
/// margin: the line or rim of a round shape touches at different points in each step.
static void InheritByPosition(tdContactManifold* made, uint32_t unmatched, const tdContactManifold* parent,
                              uint32_t unused, float margin)
{
    for (int i = 0; i < made->pointCount && unused != 0; ++i)
    {
        if ((unmatched >> i & 1u) == 0)
        {
            continue;
        }
        float best = margin * margin;
        int nearest = -1;
        for (int k = 0; k < parent->pointCount; ++k)
        {
            // Compared on the body that does not roll: the anchors of the other may be on its axis.
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

/// Distance from a point on the surface of a round shape to its axis, along the unit vector n into the shape.
/// Negative: the line misses the axis. Point and vector are in the frame of the body.
static float ComputeRollDistance(const tdShapeGeometry* shape, tdVec3 point, tdVec3 n)
{
    tdVec3 p = tdInvTransformPoint(shape->local, point), m = tdInvRotate(shape->local.rotation, n);
    if (shape->kind == TD_SHAPE_SPHERE)
    {
        return -tdDot(p, m);
    }
    float across = m.x * m.x + m.z * m.z;
    if (across >= SIDE_SINE_SQUARED)
    {
        return -(p.x * m.x + p.z * m.z) / across;
    }
    if (shape->kind == TD_SHAPE_CAPSULE)
    {
        return m.y > 0.0f ? shape->capsule.radiusBottom : shape->capsule.radiusTop;
    }
    return -1.0f;
}

/// Moves the anchors of a round shape that may roll to its axis (see tdContactManifold).
static void SetRollingAnchors(tdContactManifold* made, const tdShape* a, const tdShape* b, tdVec3 centerA,
                              tdVec3 centerB, tdTransform bodyBInA)
{
    bool isA = IsRound(a);
    const tdShapeGeometry* round = isA ? &a->geometry : &b->geometry;
    float radius = isA ? a->outerRadius : b->outerRadius;
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
        roll[i] = ComputeRollDistance(round, point, inward);
        if (!(roll[i] >= -ROLL_NOISE * radius))
        {
            return;
        }
        roll[i] = tdMaxFloat(roll[i], MIN_ROLL_DISTANCE * radius); // the apex of a cone is on its axis
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

/// Makes the contact manifold: its anchors, and the impulses and friction state that it inherits from the old
/// manifolds by feature or by position.
static tdContactManifold MakeContactManifold(const tdManifold* from, const tdContactManifold* old,
                                             int oldCount, tdVec3 centerA, tdVec3 centerB,
                                             tdTransform bodyBInA, const float* material, float margin)
{
    tdContactManifold made = {.normal = from->normal,
                              .pointCount = (uint8_t)from->pointCount,
                              .isSticking = true,
                              .staticFriction = material[0],
                              .dynamicFriction = material[1],
                              .restitution = material[2]};
    const tdContactManifold* parent = NULL;
    uint32_t unmatched = 0,
             used = 0; // bits of new points without a match, and of matched points of the parent
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
                      from->normal) < MATCH_COSINE)
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
        tdDot(tdContactManifold_GetNormal(&old[0], tdQuat_identity, bodyBInA.rotation), from->normal) >
            INHERIT_COSINE)
    {
        parent = &old[0]; // other features of the same face: the friction state continues
    }
    if (parent != NULL)
    {
        InheritByPosition(&made, unmatched, parent, ~used & ((1u << parent->pointCount) - 1u), margin);
        made.isSticking = parent->isSticking;
        made.frictionImpulse = parent->frictionImpulse;
        made.twistImpulse = parent->twistImpulse;
        made.totalImpulse = parent->totalImpulse;
        made.sag = parent->sag;
    }
    return made;
}

/// True if a body turns by more than MAX_ARM_TURN in a sub-step.
static bool IsSpinning(const tdWorld* world, int reference)
{
    float subStep = world->timeStep / (float)world->subStepCount;
    return reference > 0 && subStep * subStep * tdLengthSquared(world->states[reference].angularVelocity) >
                                MAX_ARM_TURN * MAX_ARM_TURN;
}

/// True if a body turns so far in a sub-step that the lever arm of a contact point means nothing afterwards.
/// The anchors of rolling shapes are on the axis and stay.
static bool IsArmLost(const tdWorld* world, int reference, tdVec3 anchor)
{
    if (!IsSpinning(world, reference))
    {
        return false;
    }
    tdVec3 w =
        tdInvRotate(world->sims[reference].transform.rotation, world->states[reference].angularVelocity);
    float subStep = world->timeStep / (float)world->subStepCount;
    float moved = subStep * tdLength(tdCross(w, anchor));
    return moved > MAX_ARM_TURN * tdLength(anchor);
}

/// A contact of a body that turns by more than MAX_ARM_TURN in a sub-step acts on its linear velocity only:
/// the solver keeps arms and inertia for a whole step, and with those of another rotation it would add
/// energy. Continuous collision solves the impacts of such a body in their true pose.
static void ReleaseSpinningBodies(const tdWorld* world, const tdTouchingContact* touching,
                                  tdContactManifold* made, const tdManifold* from, tdQuat rotationBInA)
{
    int deepest = 0;
    for (int i = 1; i < made->pointCount; ++i)
    {
        deepest = from->points[i].separation < from->points[deepest].separation ? i : deepest;
    }
    bool isA = IsArmLost(world, touching->simA, made->points[deepest].anchorA);
    bool isB = IsArmLost(world, touching->simB, made->points[deepest].anchorB);
    if (!isA && !isB)
    {
        return;
    }
    tdContactPoint point = made->points[deepest];
    tdVec3 normal = tdContactManifold_GetNormal(made, tdQuat_identity, rotationBInA);
    tdVec3 normalInB = tdInvRotate(rotationBInA, normal);
    point.anchorA = isA ? tdScale(tdDot(point.anchorA, normal), normal) : point.anchorA;
    point.anchorB = isB ? tdScale(tdDot(point.anchorB, normalInB), normalInB) : point.anchorB;
    point.normalImpulse = 0.0f;
    made->points[0] = point;
    made->roll[0] = deepest < 2 ? made->roll[deepest] : 0.0f;
    made->pointCount = 1;
    made->staticFriction = made->dynamicFriction = 0.0f;
    made->frictionImpulse = tdVec3_zero;
    made->twistImpulse = 0.0f;
}

static uint8_t RenewTouchingContact(tdWorld* world, tdTouchingContact* touching, tdTransform pose,
                                    uint32_t displacement)
{
    tdContact* contact = &world->contacts.data[touching->contact];
    const tdShape *a = &world->shapes.data[contact->shapeA], *b = &world->shapes.data[contact->shapeB];
    tdManifold found[TD_MAX_CONTACT_MANIFOLDS];
    tdContactManifold made[TD_MAX_CONTACT_MANIFOLDS];
    // One manifold more than the capacity shows whether the contact needs a larger block; the deepest come
    // first.
    bool hasMesh = (contact->flags & TD_CONTACT_HAS_MESH) != 0;
    int maxCount = tdMinInt(touching->manifoldCapacity + (hasMesh ? 1 : 0), TD_MAX_CONTACT_MANIFOLDS);
    float margin = ComputeMargin(world, touching->simA, touching->simB);
    int count = ComputeContactManifolds(world, contact, touching->simA, touching->simB, margin,
                                        &contact->cache, found, maxCount);
    bool wantsRoom = count > touching->manifoldCapacity;
    count = tdMinInt(count, touching->manifoldCapacity);
    if (count == 0)
    {
        return FLAG_RENEWED | FLAG_SEPARATED;
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
    float speculative = GetContactMargin(world, touching->simA, touching->simB);
    bool isSwapped = (touching->flags & TD_TOUCHING_SWAPPED) != 0;
    tdTransform bodyBInA = isSwapped ? tdInvTransform(pose) : pose;
    tdContactManifold* manifolds = world->manifolds + touching->firstManifold;
    bool isSpinning = IsSpinning(world, touching->simA) || IsSpinning(world, touching->simB);
    for (int i = 0; i < count; ++i)
    {
        made[i] = MakeContactManifold(&found[i], manifolds, touching->manifoldCount, simA->localCenter,
                                      simB->localCenter, bodyBInA, material, speculative);
        SetRollingAnchors(&made[i], a, b, simA->localCenter, simB->localCenter, bodyBInA);
        if (isSpinning)
        {
            ReleaseSpinningBodies(world, touching, &made[i], &found[i], bodyBInA.rotation);
        }
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
    // The bodies are rarely in the cache.
    bool isJoined =
        !rolls && world->joints->liveCount > 0 &&
        (world->bodies.data[simA->body].jointCount > 0 || world->bodies.data[simB->body].jointCount > 0);
    touching->keepDistance = rolls ? tdMinFloat(ROLLING_KEEP_DISTANCE, ROLLING_KEEP_SHARE * touching->radius)
                                   : (isJoined ? JOINED_KEEP_SHARE : KEEP_SHARE) * speculative;
    touching->expiry = ComputeExpiry(displacement, touching->keepDistance);
    return (uint8_t)(FLAG_RENEWED | (wantsRoom ? FLAG_WANTS_ROOM : 0));
}

static void UpdateTouchingContact(tdWorld* world, int index)
{
    tdTouchingContact* touching = &world->touchingContacts.data[index];
    uint32_t displacement =
        GetBodyDisplacement(world, touching->simA) + GetBodyDisplacement(world, touching->simB);
    const tdTransform* a = &tdWorld_GetSim(world, touching->simA)->transform;
    const tdTransform* b = &tdWorld_GetSim(world, touching->simB)->transform;
    bool isSwapped = (touching->flags & TD_TOUCHING_SWAPPED) != 0;
    tdTransform pose = isSwapped ? tdInvMulTransform(*b, *a) : tdInvMulTransform(*a, *b);
    if ((touching->flags & TD_TOUCHING_STALE) == 0)
    {
        float moved = ComputeRelativeDisplacement((tdTransform){touching->position, touching->rotation}, pose,
                                                  touching->radius);
        if (moved < touching->keepDistance)
        {
            touching->expiry = ComputeExpiry(displacement, touching->keepDistance - moved);
            return;
        }
    }
    world->touchingFlags.data[index] = RenewTouchingContact(world, touching, pose, displacement);
}

static void UpdateTouchingRange(void* task, int start, int end, int worker)
{
    (void)worker;
    tdWorld* world = task;
    const tdTouchingContact* touchingContacts = world->touchingContacts.data;
    int expired[PREFETCH_CHUNK];
    for (int chunk = start; chunk < end; chunk += PREFETCH_CHUNK)
    {
        int count = 0;
        for (int i = chunk; i < tdMinInt(chunk + PREFETCH_CHUNK, end); ++i)
        {
            const tdTouchingContact* touching = &touchingContacts[i];
            uint32_t displacement =
                GetBodyDisplacement(world, touching->simA) + GetBodyDisplacement(world, touching->simB);
            world->touchingFlags.data[i] = FLAG_NOTHING;
            if ((touching->flags & TD_TOUCHING_STALE) != 0 || IsExpired(touching->expiry, displacement))
            {
                expired[count++] = i;
                tdPrefetch(&world->contacts.data[touching->contact], sizeof(tdContact));
                tdPrefetch(tdWorld_GetSim(world, touching->simA), SIM_PREFETCH);
                tdPrefetch(tdWorld_GetSim(world, touching->simB), SIM_PREFETCH);
            }
        }
        for (int k = 0; k < count; ++k)
        {
            const tdTouchingContact* next =
                &touchingContacts[expired[tdMinInt(k + PREFETCH_DISTANCE, count - 1)]];
            PrefetchShapes(world, &world->contacts.data[next->contact], next->simA, next->simB);
            tdPrefetch(&world->manifolds[next->firstManifold], sizeof(tdContactManifold));
            UpdateTouchingContact(world, expired[k]);
        }
    }
}

/// Contacts that had more manifolds than capacity in the last step get a larger block.
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
        if (change.manifoldCount > 0 && world->def.maxContacts > 0 &&
            world->touchingTotal >= world->def.maxContacts)
        {
            world->status = TD_STATUS_CONTACT_LIMIT; // the pair stays separated and is tested again
        }
        else if (change.manifoldCount > 0)
        {
            tdContact* contact = &world->contacts.data[change.contact];
            if ((contact->flags & TD_CONTACT_HAS_MESH) != 0)
            {
                memset(contact->cache.words, 0, sizeof(contact->cache.words));
            }
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
    tdTasks_For(world->tasks, UpdateTouchingRange, world, count, MIN_TOUCHING_RANGE);
    // Backwards, because removing a contact moves the last one into its place.
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
        if ((flags[i] & FLAG_SEPARATED) != 0)
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
    tdTasks_For(world->tasks, TestTriggerPairs, world, world->triggers.count, MIN_TOUCHING_RANGE);
}
