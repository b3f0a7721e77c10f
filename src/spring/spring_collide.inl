// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The fourth phase of the step of eight springs: tails leave colliders. Included by spring_kernels.inl.

// A collider per lane.
typedef struct LaneColliders
{
    tdVec3x8 origin, span;
    tdFloat8 radius, inverseSquare, side, isPlane;
} LaneColliders;

TD_SIMD_INLINE LaneColliders GatherColliders(const float* const rows[8], int offset, unsigned kinds)
{
    LaneColliders it;
    tdFloat8 c[4];
    tdGatherRows4x8(rows, offset, c);
    it.origin = (tdVec3x8){c[0], c[1], c[2]};
    it.radius = c[3];
    tdGatherRows4x8(rows, offset + 4, c);
    it.span = (tdVec3x8){c[0], c[1], c[2]};
    it.inverseSquare = c[3];
    it.side = tdSplat8(1.0f);
    it.isPlane = tdZero8();
    if ((kinds & TD_SPRING_ROW_SPECIAL) != 0)
    {
        tdGatherRows4x8(rows, offset + 8, c);
        it.side = c[0];
        it.isPlane = c[1];
    }
    return it;
}

TD_SIMD_INLINE LaneColliders SplatCollider(const tdWorldSpringCollider* c)
{
    return (LaneColliders){.origin = {tdSplat8(c->origin.x), tdSplat8(c->origin.y), tdSplat8(c->origin.z)},
                           .span = {tdSplat8(c->span.x), tdSplat8(c->span.y), tdSplat8(c->span.z)},
                           .radius = tdSplat8(c->radius),
                           .inverseSquare = tdSplat8(c->inverseSquare),
                           .side = tdSplat8(c->side),
                           .isPlane = tdSplat8(c->isPlane)};
}

/// Floats of a collider.
#define COLLIDER_FLOATS ((int)(sizeof(tdWorldSpringCollider) / sizeof(float)))

TD_SIMD_INLINE LaneColliders LoadColliders(const GroupRun* it, const float* const bases[8], const int* places,
                                           unsigned kinds)
{
    bool isShared = (kinds & TD_SPRING_ROW_SHARED) != 0;
    if (isShared && it->pack == NULL)
    {
        return SplatCollider(&it->run->state->colliders[places[0]]);
    }
    if (isShared)
    {
        return GatherColliders(bases, places[0] * COLLIDER_FLOATS, kinds);
    }
    const float* rows[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        rows[lane] = bases[lane] + (ptrdiff_t)places[GetJointLane(it, lane)] * COLLIDER_FLOATS;
    }
    return GatherColliders(rows, 0, kinds);
}

TD_SIMD_INLINE tdVec3x8 CollideWith(const GroupRun* it, TailRange range, LaneColliders collider,
                                    bool isSpecial, tdVec3x8 next)
{
    tdVec3x8 d = tdSubVec3x8(next, collider.origin), span = collider.span;
    tdFloat8 radius = collider.radius, hitRadius = tdLoad8(it->parameters->hitRadius), one = tdSplat8(1.0f);
    tdFloat8 along = tdDotVec3x8(span, d);
    tdFloat8 part = tdMin8(tdMax8(tdMul8(along, collider.inverseSquare), tdZero8()), one);
    tdVec3x8 beside = tdMulSubVec3x8(d, part, span);
    tdFloat8 squared = tdDotVec3x8(beside, beside), reach = tdAdd8(radius, hitRadius);
    tdMask8 isApart = IsGreater(squared, tdZero8());
    tdMask8 isHit = tdAndMask8(IsGreater(reach, tdZero8()), tdLess8(squared, tdMul8(reach, reach)));
    tdMask8 isPlane = tdLess8(one, one);
    if (isSpecial)
    {
        tdFloat8 room = tdSub8(radius, hitRadius);
        isPlane = IsGreater(collider.isPlane, tdZero8());
        tdMask8 isOutside = tdOrMask8(tdLessEqual8(room, tdZero8()), IsGreater(squared, tdMul8(room, room)));
        // The masks of the sides, without a mask-and-not: a side is 1 or -1.
        tdMask8 isInsideShape = tdLess8(collider.side, tdZero8());
        isHit = tdOrMask8(tdAndMask8(isInsideShape, isOutside),
                          tdAndMask8(IsGreater(collider.side, tdZero8()), isHit));
        isHit = tdAndMask8(isHit, isApart);
        isHit = tdAndMask8(isHit, tdLessEqual8(collider.isPlane, tdZero8()));
        isHit = tdOrMask8(isHit, tdAndMask8(isPlane, tdLess8(along, hitRadius)));
    }
    else
    {
        isHit = tdAndMask8(isHit, isApart);
    }
    if (tdMaskBits8(isHit) == 0)
    {
        return next;
    }
    tdFloat8 distance = tdSqrt8(squared);
    tdFloat8 depth = tdSub8(tdMul8(collider.side, tdSub8(distance, radius)), hitRadius);
    tdVec3x8 pushed = tdMulSubVec3x8(next, tdDiv8(tdMul8(collider.side, depth), distance), beside);
    if (isSpecial)
    {
        pushed = tdSelectVec3x8(isPlane, tdMulSubVec3x8(next, tdSub8(along, hitRadius), span), pushed);
    }
    return RestoreLength(it, range, isHit, pushed, next);
}

static RARE tdVec3x8 CollideWithStage(const GroupRun* it, TailRange range, tdVec3x8 next)
{
    for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
    {
        tdVec3 tail = GetLane(next, lane);
        const tdSpringRun* run = GetLaneRun(it, lane);
        if ((it->joints >> lane & 1u) != 0 && run->hit != NULL &&
            run->hit(run->hitContext, GetLane(range.head, lane), &tail, it->parameters->hitRadius[lane]))
        {
            tdSpringLanes only = {0.0f};
            only[lane] = 1.0f;
            next = RestoreLength(it, range, IsGreater(tdLoad8(only), tdZero8()), PutLane(next, lane, tail),
                                 next);
        }
    }
    return next;
}

// The fourth phase: tails leave colliders.
static void CollideGroup(GroupRun* it)
{
    const tdSpringGroup* group = it->group;
    const tdSpringPlan* plan = it->run->state->plan;
    bool hitsStage = it->pack != NULL ? it->pack->crowd->hitsStage : it->run->hit != NULL;
    if (group->colliderCount == 0 && !hitsStage)
    {
        return;
    }
    TailRange range = {tdLoadVec3x8(it->head[0]), tdLoad8(it->length)};
    tdVec3x8 next = tdLoadVec3x8(it->next[0]);
    const float* bases[8]; // the colliders of the poses of the lanes
    for (int lane = 0; lane < 8 && group->colliderCount > 0; ++lane)
    {
        bases[lane] = it->pack != NULL ? it->pack->crowd->colliders[group->laneRuns[lane]]
                                       : &it->run->state->colliders->origin.x;
    }
    for (int i = 0; i < group->colliderCount; ++i)
    {
        int at = group->colliderStart + i * 8;
        unsigned kinds = plan->rowKinds[at / 8];
        LaneColliders colliders = LoadColliders(it, bases, plan->laneColliders + at, kinds);
        next = CollideWith(it, range, colliders, (kinds & TD_SPRING_ROW_SPECIAL) != 0, next);
    }
    if (hitsStage)
    {
        next = CollideWithStage(it, range, next);
    }
    tdStoreVec3x8(it->next[0], next);
}
