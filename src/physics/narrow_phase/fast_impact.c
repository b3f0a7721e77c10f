// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Impacts of fast bodies: impulses at the points that touch at the impact, friction, and the friction of
// bodies that turn too fast for their contacts.
#include "physics/narrow_phase/fast_impact.h"

#include "math/trig.h"
#include "physics/narrow_phase/manifold.h"
#include "physics/narrow_phase/material.h"

/// Distance, in impact distances, up to which points of the two shapes take part in an impact: the surfaces
/// are between 1 and 1.25 apart.
#define IMPACT_REACH 2.0f
/// Most manifolds of an impact, and passes over their points. A flat landing has one manifold of four points
/// and converges in a few passes; fewer passes leave some approach speed to the next step.
#define MAX_IMPACT_MANIFOLDS 4
#define IMPACT_PASSES 12
/// Approach speed below which an impact does not bounce, m/s: as in the solver.
#define MIN_BOUNCE_SPEED 0.25f
/// Rotation in a sub-step, rad, from which RubSpinningBody acts: that of MAX_ARM_TURN in narrow_phase.c.
#define MAX_RUB_TURN 0.75f
/// Largest rotation of a body after an impact of a step, rad: the sweep takes the shorter way.
#define MAX_PATH_TURN 2.5f

tdVec3 tdWorld_GetVelocityAt(const tdWorld* world, int body, tdVec3 point)
{
    int simIndex = world->bodies.data[body].simIndex;
    if (simIndex <= 0)
    {
        return tdVec3_zero;
    }
    const tdBodyState* state = &world->states[simIndex];
    tdVec3 arm = tdSub(point, world->sims[simIndex].center);
    return tdAdd(state->linearVelocity, tdCross(state->angularVelocity, arm));
}

typedef struct ImpactPoint
{
    tdVec3 arm, normal; // from the centre of mass; unit, out of the target
    tdVec3 velocity;    // of the target there, m/s
    tdVec3 turn;        // inverse inertia times (arm x normal)
    float mass;         // kg, of the normal row
    float approach;     // speed along the normal before the impact, m/s; negative: approaching
    float impulse;      // N s
} ImpactPoint;

static tdVec3 MulSymmetric(const tdSym3* m, tdVec3 v)
{
    return (tdVec3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                    m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

static float GetNormalSpeed(const ImpactPoint* point, tdVec3 v, tdVec3 w)
{
    return tdDot(point->normal, tdSub(tdAdd(v, tdCross(w, point->arm)), point->velocity));
}

/// Points of an impact: those of the manifolds at that pose, or the point of the sweep.
static int CollectImpactPoints(const tdWorld* world, const tdFastBody* found, float distance,
                               const tdBodySim* sim, ImpactPoint* points)
{
    const tdShape *fast = &world->shapes.data[found->shape],
                  *target = &world->shapes.data[found->targetShape];
    int count = 0;
    if (!found->isDeep)
    {
        tdManifold manifolds[MAX_IMPACT_MANIFOLDS];
        float reach = IMPACT_REACH * distance;
        int manifoldCount = tdComputeManifolds(&fast->geometry, &target->geometry,
                                               tdInvMulTransform(sim->transform, found->targetPose), reach,
                                               NULL, manifolds, MAX_IMPACT_MANIFOLDS);
        for (int i = 0; i < manifoldCount; ++i)
        {
            for (int k = 0; k < manifolds[i].pointCount; ++k)
            {
                tdVec3 place = tdTransformPoint(sim->transform, manifolds[i].points[k].position);
                points[count].normal = tdNegate(tdRotate(sim->transform.rotation, manifolds[i].normal));
                points[count++].arm = tdSub(place, sim->center);
            }
        }
    }
    // The manifolds of two meshes may lack the point that stopped them.
    bool areFaces = fast->geometry.kind == TD_SHAPE_MESH && target->geometry.kind == TD_SHAPE_MESH;
    if (count == 0 || areFaces)
    {
        points[count].normal = found->normal;
        points[count++].arm = tdSub(found->point, sim->center);
    }
    return count;
}

/// Friction at the centre of the impulses, at most `limit`.
static void RubImpact(const tdBodySim* sim, const ImpactPoint* points, int count, float friction,
                      tdBodyMotion* motion)
{
    tdVec3 arm = tdVec3_zero, normal = tdVec3_zero, velocity = tdVec3_zero;
    float sum = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        arm = tdMulAdd(arm, points[i].impulse, points[i].arm);
        normal = tdMulAdd(normal, points[i].impulse, points[i].normal);
        velocity = tdMulAdd(velocity, points[i].impulse, points[i].velocity);
        sum += points[i].impulse;
    }
    if (!(sum > 0.0f))
    {
        return;
    }
    arm = tdScale(1.0f / sum, arm);
    normal = tdNormalize(normal);
    tdVec3 slip = tdSub(tdAdd(motion->linearVelocity, tdCross(motion->angularVelocity, arm)),
                        tdScale(1.0f / sum, velocity));
    slip = tdMulSub(slip, tdDot(slip, normal), normal);
    float speed = tdLength(slip);
    if (!(speed > 0.0f))
    {
        return;
    }
    tdVec3 along = tdScale(1.0f / speed, slip), turn = MulSymmetric(&sim->invInertia, tdCross(arm, along));
    float inverse = sim->invMass + tdDot(tdCross(arm, along), turn);
    float impulse = tdMinFloat(friction * sum, speed / inverse);
    motion->linearVelocity = tdMulSub(motion->linearVelocity, impulse * sim->invMass, along);
    motion->angularVelocity = tdMulSub(motion->angularVelocity, impulse, turn);
}

float tdSolveFastImpact(const tdWorld* world, const tdFastBody* found, float distance, tdTransform pose,
                        tdBodyMotion* motion)
{
    const tdShape *fast = &world->shapes.data[found->shape],
                  *target = &world->shapes.data[found->targetShape];
    tdBodySim sim = world->sims[found->simIndex];
    sim.transform = pose;
    sim.center = tdTransformPoint(pose, sim.localCenter);
    sim.invInertia = tdComputeWorldInvInertia(&sim);
    ImpactPoint points[MAX_IMPACT_MANIFOLDS * TD_MAX_MANIFOLD_POINTS + 1];
    int count = CollectImpactPoints(world, found, distance, &sim, points);
    tdVec3 v = motion->linearVelocity, w = motion->angularVelocity;
    float fastest = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        ImpactPoint* point = &points[i];
        tdVec3 lever = tdCross(point->arm, point->normal);
        point->turn = MulSymmetric(&sim.invInertia, lever);
        float inverse = sim.invMass + tdDot(lever, point->turn);
        point->mass = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        point->velocity = tdWorld_GetVelocityAt(world, found->targetBody, tdAdd(sim.center, point->arm));
        point->approach = GetNormalSpeed(point, v, w);
        point->impulse = 0.0f;
        fastest = tdMinFloat(fastest, point->approach);
    }
    if (!(fastest < 0.0f))
    {
        return 0.0f;
    }
    for (int pass = 0; pass < IMPACT_PASSES; ++pass)
    {
        for (int i = 0; i < count; ++i)
        {
            ImpactPoint* point = &points[i];
            float impulse = tdMaxFloat(point->impulse - point->mass * GetNormalSpeed(point, v, w), 0.0f);
            float delta = impulse - point->impulse;
            point->impulse = impulse;
            v = tdMulAdd(v, delta * sim.invMass, point->normal);
            w = tdMulAdd(w, delta, point->turn);
        }
    }
    float stopped = 0.0f, changed = 0.0f, sum = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        stopped += points[i].impulse * points[i].approach;
        changed += points[i].impulse * (GetNormalSpeed(&points[i], v, w) - points[i].approach);
        sum += points[i].impulse;
    }
    float restitution = 0.0f;
    if (!found->isDeep && fastest < -MIN_BOUNCE_SPEED)
    {
        restitution = tdCombineMaterial(fast->restitution, (tdCombine)fast->restitutionCombine,
                                        target->restitution, (tdCombine)target->restitutionCombine);
    }
    float factor = 1.0f + restitution;
    factor = changed > 0.0f ? tdMinFloat(factor, tdMaxFloat(-2.0f * stopped / changed, 1.0f)) : factor;
    motion->linearVelocity = tdMulAdd(motion->linearVelocity, factor, tdSub(v, motion->linearVelocity));
    motion->angularVelocity = tdMulAdd(motion->angularVelocity, factor, tdSub(w, motion->angularVelocity));
    for (int i = 0; i < count; ++i)
    {
        points[i].impulse *= factor;
    }
    RubImpact(&sim, points, count,
              tdCombineMaterial(fast->dynamicFriction, (tdCombine)fast->frictionCombine,
                                target->dynamicFriction, (tdCombine)target->frictionCombine),
              motion);
    return restitution > 0.0f ? factor * sum : 0.0f;
}

void tdWorld_RubSpinningBody(tdWorld* world, int simIndex)
{
    const tdBodySim* sim = &world->sims[simIndex];
    tdBodyState* state = &world->states[simIndex];
    float rate = tdLength(state->angularVelocity);
    if (!(rate * world->timeStep > MAX_RUB_TURN * (float)world->subStepCount))
    {
        return;
    }
    float friction = 0.0f; // N s
    int body = sim->body;
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        key = contact->edges[key & 1].next;
        if (contact->kind != TD_CONTACT_TOUCHING || contact->denseIndex < 0)
        {
            continue;
        }
        const tdTouchingContact* touching = &world->touchingContacts.data[contact->denseIndex];
        const tdShape *a = &world->shapes.data[contact->shapeA], *b = &world->shapes.data[contact->shapeB];
        float coefficient = tdCombineMaterial(a->dynamicFriction, (tdCombine)a->frictionCombine,
                                              b->dynamicFriction, (tdCombine)b->frictionCombine);
        for (int i = 0; i < touching->manifoldCount; ++i)
        {
            const tdContactManifold* manifold = &world->manifolds[touching->firstManifold + i];
            bool isReleased = !(manifold->dynamicFriction > 0.0f);
            friction += isReleased ? coefficient * manifold->totalImpulse : 0.0f;
        }
    }
    // The energy falls with the square of the factor.
    tdVec3 axis = tdScale(1.0f / rate, state->angularVelocity);
    float slowed = friction * 0.5f * sim->outerRadius * tdDot(axis, MulSymmetric(&sim->invInertia, axis));
    state->angularVelocity = tdScale(tdMaxFloat(1.0f - slowed / rate, 0.0f), state->angularVelocity);
}

tdBodyMotion tdMotionSegment_At(const tdMotionSegment* segment, const tdSweep* sweep, float fraction)
{
    const tdBodyMotion *from = &segment->start, *to = &segment->end;
    tdBodyMotion motion = {.pose = tdSweep_At(sweep, fraction)};
    motion.linearVelocity = tdLerp(from->linearVelocity, to->linearVelocity, fraction);
    motion.angularVelocity =
        tdRotate(motion.pose.rotation, tdLerp(tdInvRotate(from->pose.rotation, from->angularVelocity),
                                              tdInvRotate(to->pose.rotation, to->angularVelocity), fraction));
    return motion;
}

tdTransform tdMoveFreely(const tdBodyMotion* motion, tdVec3 localCenter, tdVec3 gravity, float time)
{
    tdVec3 velocity = tdMulAdd(motion->linearVelocity, 0.5f * time, gravity);
    tdVec3 center = tdMulAdd(tdTransformPoint(motion->pose, localCenter), time, velocity);
    float rate = tdLength(motion->angularVelocity);
    tdSinCos half = tdComputeSinCos(0.5f * tdMinFloat(rate * time, MAX_PATH_TURN));
    tdVec3 axis = tdScale(rate > 0.0f ? half.sine / rate : 0.0f, motion->angularVelocity);
    tdQuat turn = {axis.x, axis.y, axis.z, half.cosine};
    tdTransform pose = {center, tdNormalizeQuat(tdMulQuat(turn, motion->pose.rotation))};
    pose.position = tdSub(center, tdRotate(pose.rotation, localCenter));
    return pose;
}

/// Removes the velocity into a surface that moves with `velocity`.
static tdVec3 RemoveApproach(tdVec3 v, tdVec3 velocity, tdVec3 normal)
{
    return tdMulSub(v, tdMinFloat(tdDot(tdSub(v, velocity), normal), 0.0f), normal);
}

void tdMotionSegment_SlideAlong(const tdFastBody* impact, tdTransform targetEnd, tdVec3 localCenter,
                                tdMotionSegment* segment)
{
    tdVec3 normal = impact->normal;
    tdTransform carried =
        tdMulTransform(targetEnd, tdInvMulTransform(impact->targetPose, segment->start.pose));
    tdVec3 way =
        tdSub(tdTransformPoint(segment->end.pose, localCenter), tdTransformPoint(carried, localCenter));
    segment->end.pose.position =
        tdMulSub(segment->end.pose.position, tdMinFloat(tdDot(way, normal), 0.0f), normal);
    segment->start.linearVelocity = RemoveApproach(segment->start.linearVelocity, impact->velocity, normal);
    segment->end.linearVelocity = RemoveApproach(segment->end.linearVelocity, impact->velocity, normal);
}

tdTransform tdRotateWithPoint(const tdBodySim* sim, tdVec3 from, tdVec3 to, tdTransform pose)
{
    tdVec3 center = tdTransformPoint(pose, sim->localCenter);
    tdVec3 a = tdNormalize(tdSub(from, center)), b = tdNormalize(tdSub(to, center));
    tdQuat frame = tdMulQuat(pose.rotation, sim->inertiaOrientation);
    tdVec3 axis = tdInvRotate(frame, tdCross(a, b));
    axis.x = sim->invInertiaDiagonal.x > 0.0f ? axis.x : 0.0f;
    axis.y = sim->invInertiaDiagonal.y > 0.0f ? axis.y : 0.0f;
    axis.z = sim->invInertiaDiagonal.z > 0.0f ? axis.z : 0.0f;
    // Proportional to the sine and cosine of half the angle.
    axis = tdRotate(frame, axis);
    tdQuat turn = tdNormalizeQuat((tdQuat){axis.x, axis.y, axis.z, 1.0f + tdMaxFloat(tdDot(a, b), 0.0f)});
    pose.rotation = tdNormalizeQuat(tdMulQuat(turn, pose.rotation));
    pose.position = tdSub(center, tdRotate(pose.rotation, sim->localCenter));
    return pose;
}
