// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The impact phase of a sub-step. Contacts with restitution that close in the sub-step bounce before the soft
// solver sees them: the earliest one first, the fastest one among those that touch, then those that result,
// until none approaches faster than its threshold. A row of touching balls thus passes its impulse on from
// ball to ball. See docs/decisions/024.
//
// An impact acts at its own time t inside the sub-step. In the sub-step a body moves with its new velocity,
// so a change of velocity dv at the time t also moves its centre by -t dv. The integrator advances positions
// with the velocity at the end of a sub-step, so that at the time t its velocity is (1/2 - t/h) velocity
// steps behind. With both, a ball under gravity stays on the exact parabola, and bounces conserve its energy.
//
// An impact is a cluster: all points that approach between the same two bodies, and contacts of these bodies
// with the same approach speed, so that a body that lands flat on several contacts does not spin. Each point
// of a cluster leaves with its restitution times its approach speed (Newton). With impulses p >= 0, speeds
// v < 0 and K the inverse mass matrix of the points,
//
//   K p = -(1 + e) v,     dE = p'K p / 2 + p'v = sum of p_k (1 - e_k) v_k / 2 <= 0
//
// The conjugate gradient method solves it; the result is then scaled so that p'K p = -sum of p_k (1 + e_k)
// v_k holds whatever its error, which is all that dE needs. Points whose impulse would be negative leave the
// cluster. Friction follows, bounded by the normal impulse; it stops sliding at most, so it dissipates too.
//
// The order of impacts depends on speeds and contact indices only. Contacts of different islands do not
// interact, so the order between islands does not matter and neither do partitions and workers.
#include "physics/solver/impact.h"

#include "math/trig.h"
#include "math/vecmath.h"
#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/solver_data.h"

/// Largest cluster. Contacts beyond it bounce in the next cluster.
#define MAX_CLUSTER_POINTS 128
#define MAX_CLUSTER_BODIES (MAX_CLUSTER_POINTS + 1)
/// Impacts are simultaneous if their times differ by less than this fraction of the sub-step; those of
/// different pairs of bodies also need speeds that are equal within a fraction.
#define EQUAL_TIME 0.05f
#define EQUAL_SPEED 0.005f
/// Impacts that follow another one are resolved down to this fraction of its speed, below the general
/// threshold, divided by the square of the restitution. The solver stops slower ones, which dissipates at
/// most a ten-thousandth of the energy of an elastic impact.
#define FOLLOWING_SPEED 0.01f
/// Impacts of one contact in a sub-step after which its restitution decreases, and the largest number. A
/// light ball between two heavy ones bounces about as often as the root of the ratio of their masses.
#define FULL_RESTITUTION_COUNT 96
#define MAX_IMPACT_COUNT 128
/// Least fraction of its energy that a contact still returns: with restitution e the square of e per impact.
/// Plastic contacts are left to the solver, which stops them together; one by one they converge slowly.
#define MIN_REMAINING 1.0e-3f
/// Iterations of the conjugate gradient method, and its relative error. Points between two bodies have rank
/// six at most; longer clusters may stay inexact.
#define MAX_GRADIENT_STEPS 24
#define GRADIENT_ERROR 1.0e-6f
/// Repetitions without the points that would pull.
#define MAX_ACTIVE_SETS 6

typedef struct ClusterBody
{
    int sim; // sim reference
    tdBodyState* state;
    bool isDynamic, isHeld;
    float invMass;
    tdSym3 invInertia;      // in the current rotation; about the pivot if isHeld
    tdVec3 arm;             // if isHeld: from the pivot to the centre of mass
    tdVec3 impulse, turn;   // of a trial: linear and angular impulse
    tdVec3 linear, angular; // the change of velocity that results
} ClusterBody;

typedef struct ClusterPoint
{
    tdContactRow* row;
    int lane; // in the row
    int index;
    int a, b; // in Cluster.bodies
    tdVec3 normal, rAn, rBn;
    float mass, speed, restitution;
    float impulse, residual, direction, response; // of the conjugate gradient method
    bool isActive;
} ClusterPoint;

typedef struct Cluster
{
    const tdSolverStep* step;
    int number;
    float time; // s from the start of the sub-step
    int bodyCount, pointCount, contactCount;
    int contacts[MAX_CLUSTER_POINTS]; // touching contacts
    ClusterBody bodies[MAX_CLUSTER_BODIES];
    ClusterPoint points[MAX_CLUSTER_POINTS];
} Cluster;

typedef struct ImpactHeap
{
    tdImpactContact* contacts;
    int* items; // touching contacts, the fastest first
    int count;
} ImpactHeap;

static tdVec3 MulInvInertia(const tdSym3* m, tdVec3 v)
{
    return (tdVec3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                    m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

// The heap: the earliest contact first, then the fastest, then the lower index.

static bool IsImpactBefore(const ImpactHeap* heap, int a, int b)
{
    const tdImpactContact *impactA = heap->contacts + a, *impactB = heap->contacts + b;
    if (impactA->interval != impactB->interval)
    {
        return impactA->interval < impactB->interval;
    }
    return impactA->speed > impactB->speed || (!(impactA->speed < impactB->speed) && a < b);
}

static void PlaceInHeap(const ImpactHeap* heap, int index, int touching)
{
    heap->items[index] = touching;
    heap->contacts[touching].heapIndex = index;
}

static void SiftImpact(const ImpactHeap* heap, int index)
{
    int touching = heap->items[index];
    while (index > 0 && IsImpactBefore(heap, touching, heap->items[(index - 1) / 2]))
    {
        PlaceInHeap(heap, index, heap->items[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    for (;;)
    {
        int child = 2 * index + 1;
        if (child + 1 < heap->count && IsImpactBefore(heap, heap->items[child + 1], heap->items[child]))
        {
            child += 1;
        }
        if (child >= heap->count || !IsImpactBefore(heap, heap->items[child], touching))
        {
            break;
        }
        PlaceInHeap(heap, index, heap->items[child]);
        index = child;
    }
    PlaceInHeap(heap, index, touching);
}

static void RemoveFromHeap(ImpactHeap* heap, int touching)
{
    int index = heap->contacts[touching].heapIndex;
    if (index < 0)
    {
        return;
    }
    heap->contacts[touching].heapIndex = -1;
    heap->count -= 1;
    if (index < heap->count)
    {
        PlaceInHeap(heap, index, heap->items[heap->count]);
        SiftImpact(heap, index);
    }
}

/// Insert, move or remove a contact after its speed and time changed.
static void UpdateHeap(ImpactHeap* heap, int touching)
{
    if (!(heap->contacts[touching].speed > 0.0f))
    {
        RemoveFromHeap(heap, touching);
        return;
    }
    if (heap->contacts[touching].heapIndex < 0)
    {
        PlaceInHeap(heap, heap->count, touching);
        heap->count += 1;
    }
    SiftImpact(heap, heap->contacts[touching].heapIndex);
}

// Points.

static tdContactRow* GetRow(const tdSolverStep* step, const tdContactGroup* group, int round, int lane)
{
    return &step->rows[group->firstRow + round].part[lane / TD_ROW_LANES];
}

static tdVec3 GetLaneVec(float (*rows)[TD_ROW_LANES], int lane)
{
    return (tdVec3){rows[0][lane], rows[1][lane], rows[2][lane]};
}

/// Velocity that a body gains in a sub-step from gravity and force. m/s
static tdVec3 GetVelocityStep(const tdSolverStep* step, int sim)
{
    if (sim <= 0 || (step->sims[sim].flags & TD_BODY_DYNAMIC) == 0 || !(step->sims[sim].invMass > 0.0f))
    {
        return tdVec3_zero;
    }
    const tdBodySim* body = step->sims + sim;
    float h = step->subStep;
    return tdMulAdd(tdScale(h * body->gravityFactor, step->world->gravity), h * body->invMass, body->force);
}

/// The bodies of a contact relative to each other.
typedef struct ImpactPair
{
    const tdBodyState *a, *b;
    tdVec3 velocity, displacement, turnA, turnB, velocityStep;
} ImpactPair;

static ImpactPair GetImpactPair(const tdSolverStep* step, const tdTouchingContact* touching,
                                const tdContactGroup* group, int lane)
{
    const tdBodyState* states = (const tdBodyState*)(const void*)step->states;
    const tdBodyState *a = states + group->bodyA[lane], *b = states + group->bodyB[lane];
    return (ImpactPair){
        .a = a,
        .b = b,
        .velocity = tdSub(b->linearVelocity, a->linearVelocity),
        .displacement = tdSub(b->deltaPosition, a->deltaPosition),
        .turnA = tdScale(2.0f, tdQuatVector(a->deltaRotation)),
        .turnB = tdScale(2.0f, tdQuatVector(b->deltaRotation)),
        .velocityStep = tdSub(GetVelocityStep(step, touching->simB), GetVelocityStep(step, touching->simA)),
    };
}

/// Normal velocity of a point when its gap closes in this sub-step, 0 if it does not.
/// @param notBefore least time of the impact
/// @param start out: normal velocity at the start of the sub-step
/// @param time out: of the impact, in s from the start of the sub-step
static float GetClosingVelocity(const tdSolverStep* step, const ImpactPair* pair, tdContactRow* row, int k,
                                int lane, float notBefore, float* start, float* time)
{
    tdPointRow* point = row->points + k;
    tdVec3 n = GetLaneVec(row->normal, lane);
    tdVec3 rAn = GetLaneVec(point->rAn, lane), rBn = GetLaneVec(point->rBn, lane);
    float vn = tdDot(pair->velocity, n) +
               (tdDot(pair->b->angularVelocity, rBn) - tdDot(pair->a->angularVelocity, rAn));
    float s = point->separation[lane] + tdDot(pair->displacement, n) +
              (tdDot(pair->turnB, rBn) - tdDot(pair->turnA, rAn));
    float gained = tdDot(pair->velocityStep, n);
    *start = vn - gained;
    *time = notBefore;
    float h = step->subStep;
    if (!(point->mass[lane] > 0.0f && row->restitution[lane] > 0.0f && s + h * vn < 0.0f))
    {
        return 0.0f;
    }
    // s + u t + a t^2 / 2 = 0 with the velocity u at the start of the sub-step.
    float u = vn - 0.5f * gained, acceleration = gained * step->invSubStep;
    float root = tdSqrt(tdMaxFloat(u * u - 2.0f * acceleration * s, 0.0f));
    float t = s > 0.0f && root - u > 0.0f ? 2.0f * s / (root - u) : 0.0f;
    *time = tdMinFloat(tdMaxFloat(t, notBefore), h);
    return tdMinFloat(u + acceleration * *time, 0.0f);
}

/// Compute speed and time of the impact of a contact. The speed is 0 if no point exceeds the threshold.
static void UpdateImpact(const tdSolverStep* step, int index, tdImpactContact* impact)
{
    if (impact->count >= MAX_IMPACT_COUNT || impact->remaining < MIN_REMAINING)
    {
        impact->speed = 0.0f;
        return;
    }
    const tdTouchingContact* touching = step->touchingContacts + index;
    const tdContactGroup* group = step->groups + impact->slot / TD_LANES;
    int lane = impact->slot % TD_LANES;
    ImpactPair pair = GetImpactPair(step, touching, group, lane);
    float fastest = 0.0f, earliest = step->subStep;
    for (int round = 0; round < touching->manifoldCount; ++round)
    {
        tdContactRow* row = GetRow(step, group, round, lane);
        for (int k = 0; k < row->pointCount; ++k)
        {
            float start, time;
            float speed = -GetClosingVelocity(step, &pair, row, k, lane % TD_ROW_LANES, impact->notBefore,
                                              &start, &time);
            if (speed > 0.0f && -start > impact->threshold)
            {
                fastest = tdMaxFloat(fastest, speed);
                earliest = tdMinFloat(earliest, time);
            }
        }
    }
    impact->speed = fastest;
    impact->time = earliest;
    impact->interval = (int)(earliest * step->invSubStep * (1.0f / EQUAL_TIME));
}

// Clusters.

/// The change of velocity of a body by an impulse at its centre of mass and an angular impulse.
static void RespondToImpulse(const ClusterBody* body, tdVec3 impulse, tdVec3 turn, tdVec3* linear,
                             tdVec3* angular)
{
    if (body->isHeld)
    {
        *angular = MulInvInertia(&body->invInertia, tdAdd(turn, tdCross(body->arm, impulse)));
        *linear = tdCross(*angular, body->arm);
        return;
    }
    *linear = tdScale(body->invMass, impulse);
    *angular = MulInvInertia(&body->invInertia, turn);
}

/// The change of the relative velocity along `n` by a unit impulse along it, with the arms rA x n and rB x n.
static float GetInverseMass(const ClusterBody* a, const ClusterBody* b, tdVec3 n, tdVec3 rAn, tdVec3 rBn)
{
    tdVec3 vA, wA, vB, wB;
    RespondToImpulse(a, n, rAn, &vA, &wA);
    RespondToImpulse(b, n, rBn, &vB, &wB);
    return tdDot(vA, n) + tdDot(wA, rAn) + (tdDot(vB, n) + tdDot(wB, rBn));
}

/// Let a body that a joint holds at a point of an immovable body, as a pendulum, turn about that point. As a
/// free body it would lose the part of its motion that violates the joint.
static void HoldAtPivot(const tdWorld* world, ClusterBody* body, const tdBodySim* sim)
{
    tdVec3 d = sim->invInertiaDiagonal;
    if (!(sim->invMass > 0.0f && d.x > 0.0f && d.y > 0.0f && d.z > 0.0f))
    {
        return;
    }
    for (int key = world->bodies.data[sim->body].jointHead; key >= 0;)
    {
        const tdJoint* joint = &world->joints->joints.data[key >> 1];
        int side = key & 1, other = side == 0 ? joint->bodyB : joint->bodyA;
        key = joint->next[side];
        bool isFixed = other < 0 || world->bodies.data[other].motion != TD_MOTION_DYNAMIC;
        if (joint->isBroken || joint->isSeparated || joint->signature >= TD_SIGNATURE_GENERIC || !isFixed)
        {
            continue;
        }
        const tdTransform* frame = side == 0 ? &joint->frameA : &joint->frameB;
        body->arm = tdRotate(sim->transform.rotation, tdSub(sim->localCenter, frame->position));
        tdMat3 axes = tdMat3FromQuat(tdMulQuat(sim->transform.rotation, sim->inertiaOrientation));
        tdMat3 turned = {tdScale(1.0f / d.x, axes.cx), tdScale(1.0f / d.y, axes.cy),
                         tdScale(1.0f / d.z, axes.cz)};
        tdMat3 inertia = tdMulMat3(turned, tdTranspose(axes));
        tdVec3 r = body->arm;
        float mass = 1.0f / sim->invMass, square = tdLengthSquared(r);
        inertia.cx = tdMulSub(inertia.cx, mass * r.x, r);
        inertia.cy = tdMulSub(inertia.cy, mass * r.y, r);
        inertia.cz = tdMulSub(inertia.cz, mass * r.z, r);
        inertia = tdAddMat3(inertia, tdDiagonal((tdVec3){mass * square, mass * square, mass * square}));
        tdMat3 m = tdInverse(inertia);
        body->invInertia = (tdSym3){m.cx.x, m.cy.y, m.cz.z, m.cy.x, m.cz.x, m.cz.y};
        body->isHeld = true;
        return;
    }
}

static int AddClusterBody(Cluster* cluster, int sim, int slot)
{
    for (int i = cluster->bodyCount - 1; i >= 0; --i)
    {
        if (cluster->bodies[i].sim == sim)
        {
            return i;
        }
    }
    const tdSolverStep* step = cluster->step;
    ClusterBody* body = cluster->bodies + cluster->bodyCount;
    *body = (ClusterBody){.sim = sim, .state = (tdBodyState*)(void*)step->states + slot};
    body->isDynamic = sim > 0 && (step->sims[sim].flags & TD_BODY_DYNAMIC) != 0;
    if (body->isDynamic)
    {
        tdBodySim turned = step->sims[sim];
        turned.transform.rotation = tdMulQuat(body->state->deltaRotation, turned.transform.rotation);
        body->invMass = turned.invMass;
        body->invInertia = tdComputeWorldInvInertia(&turned);
        if (step->world->bodies.data[turned.body].jointCount > 0)
        {
            HoldAtPivot(step->world, body, &turned);
        }
    }
    return cluster->bodyCount++;
}

/// Add the points of a contact that approach and close until the given time.
/// @return false if the cluster has no room for them
static bool AddClusterContact(Cluster* cluster, tdImpactContact* impacts, int index, float end)
{
    const tdSolverStep* step = cluster->step;
    const tdTouchingContact* touching = step->touchingContacts + index;
    tdImpactContact* impact = impacts + index;
    const tdContactGroup* group = step->groups + impact->slot / TD_LANES;
    int lane = impact->slot % TD_LANES, l = lane % TD_ROW_LANES;
    int room = tdMinInt(MAX_CLUSTER_POINTS - cluster->pointCount, MAX_CLUSTER_POINTS);
    if ((cluster->contactCount > 0 && touching->manifoldCount * TD_MAX_MANIFOLD_POINTS > room) ||
        cluster->bodyCount + 2 > MAX_CLUSTER_BODIES)
    {
        return false;
    }
    impact->cluster = cluster->number;
    cluster->contacts[cluster->contactCount++] = index;
    ImpactPair pair = GetImpactPair(step, touching, group, lane);
    int a = AddClusterBody(cluster, touching->simA, group->bodyA[lane]);
    int b = AddClusterBody(cluster, touching->simB, group->bodyB[lane]);
    const ClusterBody *bodyA = cluster->bodies + a, *bodyB = cluster->bodies + b;
    int excess = tdMaxInt(impact->count - FULL_RESTITUTION_COUNT, 0);
    for (int round = 0; round < touching->manifoldCount; ++round)
    {
        tdContactRow* row = GetRow(step, group, round, lane);
        for (int k = 0; k < row->pointCount && cluster->pointCount < MAX_CLUSTER_POINTS; ++k)
        {
            float start, time;
            float speed = GetClosingVelocity(step, &pair, row, k, l, impact->notBefore, &start, &time);
            if (!(speed < 0.0f && time <= end))
            {
                continue;
            }
            ClusterPoint* point = cluster->points + cluster->pointCount++;
            *point = (ClusterPoint){.row = row, .lane = l, .index = k, .a = a, .b = b, .speed = speed};
            point->restitution = row->restitution[l] / (float)(1 + excess);
            point->normal = GetLaneVec(row->normal, l);
            point->rAn = GetLaneVec(row->points[k].rAn, l);
            point->rBn = GetLaneVec(row->points[k].rBn, l);
            float inverse = GetInverseMass(bodyA, bodyB, point->normal, point->rAn, point->rBn);
            point->mass = inverse > 0.0f ? 1.0f / inverse : 0.0f;
            point->isActive = true;
        }
    }
    return true;
}

/// Add the contacts of the bodies of a cluster whose impacts are simultaneous with its first.
static void GrowCluster(Cluster* cluster, tdImpactContact* impacts, float speed, float end)
{
    const tdWorld* world = cluster->step->world;
    const tdTouchingContact* first = cluster->step->touchingContacts + cluster->contacts[0];
    for (int i = 0; i < cluster->bodyCount; ++i)
    {
        if (!cluster->bodies[i].isDynamic)
        {
            continue;
        }
        int key = world->bodies.data[world->sims[cluster->bodies[i].sim].body].contactHead;
        while (key >= 0)
        {
            const tdContact* contact = &world->contacts.data[key >> 1];
            int index = contact->denseIndex;
            key = contact->edges[key & 1].next;
            if (contact->kind != TD_CONTACT_TOUCHING || index < 0)
            {
                continue;
            }
            const tdTouchingContact* touching = cluster->step->touchingContacts + index;
            tdImpactContact* impact = impacts + index;
            if ((touching->flags & TD_TOUCHING_BOUNCES) == 0 || impact->cluster == cluster->number ||
                !(impact->speed > 0.0f) || impact->time > end)
            {
                continue;
            }
            bool isSamePair = (touching->simA == first->simA && touching->simB == first->simB) ||
                              (touching->simA == first->simB && touching->simB == first->simA);
            if ((isSamePair || impact->speed > (1.0f - EQUAL_SPEED) * speed) &&
                !AddClusterContact(cluster, impacts, index, end))
            {
                return;
            }
        }
    }
}

/// response = K direction, over the active points.
static void ComputeResponse(Cluster* cluster)
{
    for (int i = 0; i < cluster->bodyCount; ++i)
    {
        cluster->bodies[i].impulse = cluster->bodies[i].turn = tdVec3_zero;
    }
    for (int i = 0; i < cluster->pointCount; ++i)
    {
        const ClusterPoint* point = cluster->points + i;
        if (point->isActive)
        {
            ClusterBody *a = cluster->bodies + point->a, *b = cluster->bodies + point->b;
            a->impulse = tdMulSub(a->impulse, point->direction, point->normal);
            b->impulse = tdMulAdd(b->impulse, point->direction, point->normal);
            a->turn = tdMulSub(a->turn, point->direction, point->rAn);
            b->turn = tdMulAdd(b->turn, point->direction, point->rBn);
        }
    }
    for (int i = 0; i < cluster->bodyCount; ++i)
    {
        ClusterBody* body = cluster->bodies + i;
        RespondToImpulse(body, body->impulse, body->turn, &body->linear, &body->angular);
    }
    for (int i = 0; i < cluster->pointCount; ++i)
    {
        ClusterPoint* point = cluster->points + i;
        if (point->isActive)
        {
            const ClusterBody *a = cluster->bodies + point->a, *b = cluster->bodies + point->b;
            point->response = tdDot(tdSub(b->linear, a->linear), point->normal) +
                              (tdDot(b->angular, point->rBn) - tdDot(a->angular, point->rAn));
        }
    }
}

/// Impulses of the active points by the conjugate gradient method.
static void SolveActivePoints(Cluster* cluster)
{
    float product = 0.0f, largest = 0.0f;
    for (int i = 0; i < cluster->pointCount; ++i)
    {
        ClusterPoint* point = cluster->points + i;
        point->impulse = 0.0f;
        if (point->isActive)
        {
            point->residual = -(1.0f + point->restitution) * point->speed;
            point->direction = point->mass * point->residual;
            product += point->direction * point->residual;
            largest = tdMaxFloat(largest, point->residual);
        }
    }
    for (int step = 0; step < MAX_GRADIENT_STEPS; ++step)
    {
        ComputeResponse(cluster);
        float curvature = 0.0f;
        for (int i = 0; i < cluster->pointCount; ++i)
        {
            const ClusterPoint* point = cluster->points + i;
            curvature += point->isActive ? point->direction * point->response : 0.0f;
        }
        if (!(curvature > 0.0f))
        {
            return;
        }
        float rate = product / curvature, next = 0.0f, error = 0.0f;
        for (int i = 0; i < cluster->pointCount; ++i)
        {
            ClusterPoint* point = cluster->points + i;
            if (point->isActive)
            {
                point->impulse += rate * point->direction;
                point->residual -= rate * point->response;
                next += point->mass * point->residual * point->residual;
                error = tdMaxFloat(error, tdAbsFloat(point->residual));
            }
        }
        if (!(error > GRADIENT_ERROR * largest))
        {
            return;
        }
        for (int i = 0; i < cluster->pointCount; ++i)
        {
            ClusterPoint* point = cluster->points + i;
            point->direction = point->mass * point->residual + next / product * point->direction;
        }
        product = next;
    }
}

/// Change the velocity of a body at the time of the cluster.
static void ChangeVelocity(const Cluster* cluster, const ClusterBody* body, tdVec3 linear, tdVec3 angular)
{
    if (!body->isDynamic)
    {
        return;
    }
    tdBodyState* state = body->state;
    state->linearVelocity = tdAdd(state->linearVelocity, linear);
    state->angularVelocity = tdAdd(state->angularVelocity, angular);
    state->deltaPosition = tdMulSub(state->deltaPosition, cluster->time, linear);
    // The rotation of a free body is left as it is: a turn would change the inertia that its velocity acts
    // on, and with it the energy. The bodies are slightly farther apart for it. A pendulum turns about its
    // pivot.
    if (body->isHeld)
    {
        tdVec3 half = tdScale(-0.5f * cluster->time, angular);
        tdQuat turn = {half.x, half.y, half.z, 1.0f};
        state->deltaRotation = tdNormalizeQuat(tdMulQuat(turn, state->deltaRotation));
    }
}

static void ApplyNormalImpulses(Cluster* cluster)
{
    // The factor that makes the energy balance exact, see the head of this file.
    float wanted = 0.0f, made = 0.0f;
    for (int i = 0; i < cluster->pointCount; ++i)
    {
        ClusterPoint* point = cluster->points + i;
        point->isActive = true;
        point->direction = point->impulse;
    }
    ComputeResponse(cluster);
    for (int i = 0; i < cluster->pointCount; ++i)
    {
        const ClusterPoint* point = cluster->points + i;
        wanted -= (1.0f + point->restitution) * point->speed * point->impulse;
        made += point->response * point->impulse;
    }
    float scale = made > 0.0f ? wanted / made : 0.0f;
    for (int i = 0; i < cluster->bodyCount; ++i)
    {
        const ClusterBody* body = cluster->bodies + i;
        ChangeVelocity(cluster, body, tdScale(scale, body->linear), tdScale(scale, body->angular));
    }
    for (int i = 0; i < cluster->pointCount; ++i)
    {
        ClusterPoint* point = cluster->points + i;
        point->impulse *= scale;
        tdPointRow* row = point->row->points + point->index;
        row->total[point->lane] += point->impulse;
        row->impulse[point->lane] = 0.0f; // it separates: nothing to warm start
    }
}

/// Apply an impulse to B and the opposite one to A, with their angular impulses.
static void PushBodies(const Cluster* cluster, const ClusterPoint* point, tdVec3 impulse, tdVec3 turnA,
                       tdVec3 turnB)
{
    const ClusterBody *a = cluster->bodies + point->a, *b = cluster->bodies + point->b;
    tdVec3 linear, angular;
    RespondToImpulse(a, tdNegate(impulse), tdNegate(turnA), &linear, &angular);
    ChangeVelocity(cluster, a, linear, angular);
    RespondToImpulse(b, impulse, turnB, &linear, &angular);
    ChangeVelocity(cluster, b, linear, angular);
}

/// Friction of a manifold with the given normal impulse: a fraction of the impulse that stops sliding and
/// spinning, so that it dissipates energy.
static void ApplyImpactFriction(const Cluster* cluster, const ClusterPoint* point, float normalImpulse,
                                float leverSum)
{
    tdContactRow* row = point->row;
    int l = point->lane;
    const ClusterBody *a = cluster->bodies + point->a, *b = cluster->bodies + point->b;
    float mu = row->sticking[l] > 0.5f ? row->staticFriction[l] : row->dynamicFriction[l];
    if (!(mu > 0.0f))
    {
        return;
    }
    tdVec3 n = point->normal, t1 = GetLaneVec(row->tangent1, l), t2 = tdCross(n, t1);
    tdVec3 rA1 = GetLaneVec(row->rAt1, l), rB1 = GetLaneVec(row->rBt1, l);
    tdVec3 rA2 = GetLaneVec(row->rAt2, l), rB2 = GetLaneVec(row->rBt2, l);
    tdVec3 vA, wA, vB, wB;
    RespondToImpulse(a, t1, rA1, &vA, &wA);
    RespondToImpulse(b, t1, rB1, &vB, &wB);
    float k11 = tdDot(vA, t1) + tdDot(wA, rA1) + (tdDot(vB, t1) + tdDot(wB, rB1));
    float k12 = tdDot(vA, t2) + tdDot(wA, rA2) + (tdDot(vB, t2) + tdDot(wB, rB2));
    float k22 = GetInverseMass(a, b, t2, rA2, rB2), determinant = k11 * k22 - k12 * k12;
    tdVec3 v = tdSub(b->state->linearVelocity, a->state->linearVelocity);
    wA = a->state->angularVelocity;
    wB = b->state->angularVelocity;
    float v1 = tdDot(v, t1) + (tdDot(wB, rB1) - tdDot(wA, rA1));
    float v2 = tdDot(v, t2) + (tdDot(wB, rB2) - tdDot(wA, rA2));
    float f1 = 0.0f, f2 = 0.0f;
    if (determinant > 1.0e-5f * k11 * k22)
    {
        f1 = (k12 * v2 - k22 * v1) / determinant;
        f2 = (k12 * v1 - k11 * v2) / determinant;
    }
    float length = tdSqrt(f1 * f1 + f2 * f2), bound = mu * normalImpulse;
    if (length > bound)
    {
        bound = row->dynamicFriction[l] * normalImpulse;
        f1 *= bound / length;
        f2 *= bound / length;
    }
    tdVec3 impulse = tdMulAdd(tdScale(f1, t1), f2, t2);
    PushBodies(cluster, point, impulse, tdMulAdd(tdScale(f1, rA1), f2, rA2),
               tdMulAdd(tdScale(f1, rB1), f2, rB2));

    float twistInverse = GetInverseMass(a, b, tdVec3_zero, n, n);
    if (twistInverse > 0.0f)
    {
        float spin = tdDot(tdSub(b->state->angularVelocity, a->state->angularVelocity), n);
        float limit = mu * leverSum;
        tdVec3 twist = tdScale(tdClampFloat(-spin / twistInverse, -limit, limit), n);
        PushBodies(cluster, point, tdVec3_zero, twist, twist);
    }
    row->friction1[l] = row->friction2[l] = row->twist[l] = 0.0f;
}

static void ResolveCluster(Cluster* cluster)
{
    for (int set = 0; set < MAX_ACTIVE_SETS; ++set)
    {
        SolveActivePoints(cluster);
        bool pulls = false;
        for (int i = 0; i < cluster->pointCount; ++i)
        {
            ClusterPoint* point = cluster->points + i;
            if (point->impulse < 0.0f)
            {
                point->isActive = false;
                pulls = true;
            }
        }
        if (!pulls)
        {
            break;
        }
    }
    for (int i = 0; i < cluster->pointCount; ++i)
    {
        cluster->points[i].impulse = tdMaxFloat(cluster->points[i].impulse, 0.0f);
    }
    ApplyNormalImpulses(cluster);
    for (int i = 0; i < cluster->pointCount;)
    {
        const ClusterPoint* first = cluster->points + i;
        float sum = 0.0f, leverSum = 0.0f;
        for (; i < cluster->pointCount && cluster->points[i].row == first->row &&
               cluster->points[i].lane == first->lane;
             ++i)
        {
            const ClusterPoint* point = cluster->points + i;
            sum += point->impulse;
            leverSum += point->impulse * point->row->points[point->index].lever[point->lane];
        }
        ApplyImpactFriction(cluster, first, sum, leverSum);
    }
}

/// Update the impacts of all contacts of the bodies of a resolved cluster.
static void UpdateNeighbours(const Cluster* cluster, ImpactHeap* heap, float threshold)
{
    const tdWorld* world = cluster->step->world;
    for (int i = 0; i < cluster->bodyCount; ++i)
    {
        if (!cluster->bodies[i].isDynamic)
        {
            continue;
        }
        int key = world->bodies.data[world->sims[cluster->bodies[i].sim].body].contactHead;
        while (key >= 0)
        {
            const tdContact* contact = &world->contacts.data[key >> 1];
            int index = contact->denseIndex;
            key = contact->edges[key & 1].next;
            if (contact->kind == TD_CONTACT_TOUCHING && index >= 0 &&
                (cluster->step->touchingContacts[index].flags & TD_TOUCHING_BOUNCES) != 0)
            {
                tdImpactContact* impact = heap->contacts + index;
                impact->threshold = tdMinFloat(impact->threshold, threshold);
                impact->notBefore = tdMaxFloat(impact->notBefore, cluster->time);
                UpdateImpact(cluster->step, index, impact);
                UpdateHeap(heap, index);
            }
        }
    }
}

/// Bit set of the lanes of a group with an impact.
static unsigned GetImpactLanes(const tdSolverStep* step, const tdContactGroup* group)
{
    unsigned lanes = 0;
    for (int round = 0; round < group->rowCount; ++round)
    {
        for (int p = 0; p < TD_ROW_PARTS; ++p)
        {
            const tdContactRow* row = &step->rows[group->firstRow + round].part[p];
            lanes |= row->hasRestitution != 0 ? row->impactLanes << p * TD_ROW_LANES : 0u;
        }
    }
    return lanes;
}

static float GetRestitution(const tdSolverStep* step, int touching)
{
    return step->manifolds[step->touchingContacts[touching].firstManifold].restitution;
}

void tdResolveImpacts(const tdSolverStep* step, int start, int end)
{
    int firstGroup = start;
    while (firstGroup < end && GetImpactLanes(step, step->groups + firstGroup) == 0)
    {
        firstGroup += 1;
    }
    if (firstGroup == end)
    {
        return;
    }
    const tdSolver* solver = step->world->solver;
    // The contacts of a partition are consecutive in tdSolver.sorted, so it has its own part of the heap.
    ImpactHeap heap = {solver->impacts, solver->impactHeap + step->groups[start].firstContact, 0};
    for (int g = start; g < end; ++g)
    {
        for (int i = 0; i < step->groups[g].contactCount; ++i)
        {
            heap.contacts[step->groups[g].touching[i]] =
                (tdImpactContact){.slot = g * TD_LANES + i,
                                  .heapIndex = -1,
                                  .threshold = step->restitutionThreshold,
                                  .remaining = 1.0f};
        }
    }
    for (int g = firstGroup; g < end; ++g)
    {
        const tdContactGroup* group = step->groups + g;
        unsigned lanes = GetImpactLanes(step, group);
        for (int i = 0; lanes >> i != 0; ++i)
        {
            if ((lanes >> i & 1u) != 0)
            {
                int index = group->touching[i];
                UpdateImpact(step, index, heap.contacts + index);
                UpdateHeap(&heap, index);
            }
        }
    }
    Cluster cluster = {.step = step};
    while (heap.count > 0)
    {
        int first = heap.items[0];
        float speed = heap.contacts[first].speed;
        float restitution = GetRestitution(step, first), threshold = heap.contacts[first].threshold;
        threshold = threshold < step->restitutionThreshold ? threshold : 0.0f;
        threshold = tdMaxFloat(threshold, FOLLOWING_SPEED * speed / (restitution * restitution));
        cluster.number += 1;
        cluster.bodyCount = cluster.pointCount = cluster.contactCount = 0;
        cluster.time = heap.contacts[first].time;
        float until = heap.contacts[first].time + EQUAL_TIME * step->subStep;
        AddClusterContact(&cluster, heap.contacts, first, until);
        GrowCluster(&cluster, heap.contacts, speed, until);
        for (int i = 0; i < cluster.contactCount; ++i)
        {
            tdImpactContact* impact = heap.contacts + cluster.contacts[i];
            float e = GetRestitution(step, cluster.contacts[i]);
            impact->count += 1;
            impact->remaining *= e * e;
        }
        ResolveCluster(&cluster);
        UpdateNeighbours(&cluster, &heap, threshold);
    }
}
