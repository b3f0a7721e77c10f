// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The step of eight springs at a time, included once per vector width after one of base/simd_*.h. With P the global of
// a joint's parent, T, L and S its translation, rest rotation and scale, and C the space of its center:
//
//     next   = C (current + keep (current - previous)) + dt stiffness dir + dt gravity,  dir = P L axis, normalised
//     next   = head + length (next - head), normalised,  head = P T, length = |P L S child|
//     next   is pushed out of each collider and put back to `length` and into its limit
//     rotation = L fromTo(axis, S^-1 L^-1 P^-1 (next - head))
//
// Rare lanes (parents that scale unevenly, limits, results that are not finite) use scalar functions.
#include "spring_limit.h"

#include "base/simd_vec3.inl"

/// Relative error of the rows of a similarity that rounding explains, as for node constraints.
#define SIMILAR_TOLERANCE 1.0e-5f
/// Below this value of 1 + cos, two directions count as opposite.
#define OPPOSITE_TOLERANCE 1.0e-6f
/// Coordinates beyond it, in m, count as lost; their squares would overflow.
#define MAX_TAIL_COORDINATE 1.0e15f

#define RARE __attribute__((noinline))

typedef struct SpringFrame
{
    tdVec3x8 x, y, z, origin;
} SpringFrame;

// A group while it runs. Vectors are not in it: they stay in registers, and rare functions take and return copies.
typedef struct GroupRun
{
    const tdSpringRun* run;
    const tdSpringGroup* group;
    const tdSpringLaneParameters* parameters;
    const float* parents[8];
    tdQuat limitFrames[8]; // of limited lanes, to the world
} GroupRun;

// Where the joints of a group are.
typedef struct TailRange
{
    tdVec3x8 head;
    tdFloat8 length;
} TailRange;

TD_SIMD_INLINE void LoadFrame(SpringFrame* frame, const float* const rows[8])
{
    tdFloat8 c[4];
    tdGatherRows4x8(rows, 0, c);
    frame->x = (tdVec3x8){c[0], c[1], c[2]};
    tdGatherRows4x8(rows, 4, c);
    frame->y = (tdVec3x8){c[0], c[1], c[2]};
    tdGatherRows4x8(rows, 8, c);
    frame->z = (tdVec3x8){c[0], c[1], c[2]};
    tdGatherRows4x8(rows, 12, c);
    frame->origin = (tdVec3x8){c[0], c[1], c[2]};
}

// Matrices of the centers of a group, to or from the world.
static RARE void LoadCenters(const tdSpringState* state, const tdSpringGroup* group, bool isToWorld, SpringFrame* frame)
{
    const float* rows[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        const tdSpringCenter* center = &state->centers[group->centers[lane]];
        rows[lane] = isToWorld ? center->toWorld.m : center->fromWorld.m;
    }
    LoadFrame(frame, rows);
}

// The linear part times a vector, in the order of node_pose.c.
TD_SIMD_INLINE tdVec3x8 TurnByFrame(const SpringFrame* m, tdVec3x8 v)
{
    return tdMulAddVec3x8(tdMulAddVec3x8(tdScaleVec3x8(v.x, m->x), v.y, m->y), v.z, m->z);
}

TD_SIMD_INLINE tdVec3x8 MoveByFrame(const SpringFrame* m, tdVec3x8 v)
{
    return tdAddVec3x8(TurnByFrame(m, v), m->origin);
}

TD_SIMD_INLINE tdMask8 IsGreater(tdFloat8 a, tdFloat8 b)
{
    return tdLess8(b, a);
}

TD_SIMD_INLINE tdVec3 GetLane(tdVec3x8 v, int lane)
{
    float x[8], y[8], z[8];
    tdStore8(x, v.x);
    tdStore8(y, v.y);
    tdStore8(z, v.z);
    return (tdVec3){x[lane], y[lane], z[lane]};
}

TD_SIMD_INLINE tdVec3x8 PutLane(tdVec3x8 v, int lane, tdVec3 value)
{
    float x[8], y[8], z[8];
    tdStore8(x, v.x);
    tdStore8(y, v.y);
    tdStore8(z, v.z);
    x[lane] = value.x;
    y[lane] = value.y;
    z[lane] = value.z;
    return (tdVec3x8){tdLoad8(x), tdLoad8(y), tdLoad8(z)};
}

TD_SIMD_INLINE unsigned FindUneven(const SpringFrame* m)
{
    tdFloat8 xx = tdDotVec3x8(m->x, m->x), yy = tdDotVec3x8(m->y, m->y), zz = tdDotVec3x8(m->z, m->z);
    tdFloat8 limit = tdMul8(tdSplat8(SIMILAR_TOLERANCE), xx);
    tdMask8 evenY = tdLessEqual8(tdAbs8(tdSub8(yy, xx)), limit);
    tdMask8 evenZ = tdLessEqual8(tdAbs8(tdSub8(zz, xx)), limit);
    tdMask8 squareXy = tdLessEqual8(tdAbs8(tdDotVec3x8(m->x, m->y)), limit);
    tdMask8 squareYz = tdLessEqual8(tdAbs8(tdDotVec3x8(m->y, m->z)), limit);
    tdMask8 squareZx = tdLessEqual8(tdAbs8(tdDotVec3x8(m->z, m->x)), limit);
    tdVec3x8 cross = tdCrossVec3x8(m->x, m->y);
    tdMask8 isRightHanded = IsGreater(tdDotVec3x8(cross, m->z), tdZero8());
    unsigned isEven = tdMaskBits8(evenY) & tdMaskBits8(evenZ) & tdMaskBits8(squareXy) & tdMaskBits8(squareYz) &
                      tdMaskBits8(squareZx) & tdMaskBits8(isRightHanded);
    return ~isEven & 0xffu;
}

static RARE tdVec3x8 TurnUnevenAxes(const GroupRun* it, unsigned uneven, tdVec3x8 direction)
{
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((uneven >> lane & 1u) != 0)
        {
            tdMat4 parent;
            memcpy(&parent, it->parents[lane], sizeof(parent));
            tdVec3 axis = {it->group->restAxis[0][lane], it->group->restAxis[1][lane],
                           it->group->restAxis[2][lane]};
            direction = PutLane(direction, lane, tdTurnSpringAxis(&parent, axis));
        }
    }
    return direction;
}

static RARE tdVec3x8 ApplyLimits(const GroupRun* it, unsigned lanes, TailRange range, tdVec3x8 next)
{
    float length[8];
    tdStore8(length, range.length);
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lanes >> lane & 1u) != 0)
        {
            const tdSpringLimit* limit = &it->run->state->list->joints[it->group->joints[lane]].limit;
            tdVec3 tail = tdLimitSpringTail(limit, it->limitFrames[lane], GetLane(range.head, lane),
                                            GetLane(next, lane), length[lane]);
            next = PutLane(next, lane, tail);
        }
    }
    return next;
}

static RARE void FindLimitFrames(GroupRun* it)
{
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((it->group->limited >> lane & 1) != 0)
        {
            const tdSpringGroup* group = it->group;
            tdQuat rest = {group->rest[0][lane], group->rest[1][lane], group->rest[2][lane],
                           group->rest[3][lane]};
            tdVec3 axis = {group->axis[0][lane], group->axis[1][lane], group->axis[2][lane]};
            const tdSpringLimit* limit = &it->run->state->list->joints[group->joints[lane]].limit;
            tdMat4 parent;
            memcpy(&parent, it->parents[lane], sizeof(parent));
            tdQuat frame = tdMulQuat(rest, tdSpringLimit_GetFrame(limit, axis));
            it->limitFrames[lane] = tdNormalizeQuat(tdMulQuat(tdRotationOfMat4(parent), frame));
        }
    }
}

// Puts moved tails back to their distance from the head; a tail at the head keeps its place.
TD_SIMD_INLINE tdVec3x8 RestoreLength(const GroupRun* it, TailRange range, tdMask8 isMoved, tdVec3x8 moved,
                                      tdVec3x8 next)
{
    tdVec3x8 offset = tdSubVec3x8(moved, range.head);
    tdFloat8 squared = tdDotVec3x8(offset, offset);
    isMoved = tdAndMask8(isMoved, IsGreater(squared, tdZero8()));
    tdFloat8 scale = tdDiv8(range.length, tdSqrt8(squared));
    next = tdSelectVec3x8(isMoved, tdMulAddVec3x8(range.head, scale, offset), next);
    unsigned limited = it->group->limited;
    if (limited != 0)
    {
        next = ApplyLimits(it, limited & tdMaskBits8(isMoved), range, next);
    }
    return next;
}

TD_SIMD_INLINE tdVec3x8 CollideWith(const GroupRun* it, TailRange range, const int* places, bool isSpecial, tdVec3x8 next)
{
    const float* rows[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        rows[lane] = &it->run->state->colliders[places[lane]].origin.x;
    }
    tdFloat8 c[4];
    tdGatherRows4x8(rows, 0, c);
    tdVec3x8 d = tdSubVec3x8(next, (tdVec3x8){c[0], c[1], c[2]});
    tdFloat8 radius = c[3], hitRadius = tdLoad8(it->parameters->hitRadius), one = tdSplat8(1.0f);
    tdGatherRows4x8(rows, 4, c);
    tdVec3x8 span = {c[0], c[1], c[2]};
    tdFloat8 along = tdDotVec3x8(span, d);
    tdFloat8 part = tdMin8(tdMax8(tdMul8(along, c[3]), tdZero8()), one);
    tdVec3x8 beside = tdMulSubVec3x8(d, part, span);
    tdFloat8 squared = tdDotVec3x8(beside, beside), reach = tdAdd8(radius, hitRadius);
    tdMask8 isApart = IsGreater(squared, tdZero8());
    tdMask8 isHit = tdAndMask8(IsGreater(reach, tdZero8()), tdLess8(squared, tdMul8(reach, reach)));
    tdFloat8 side = one;
    tdMask8 isPlane = tdLess8(one, one);
    if (isSpecial)
    {
        tdFloat8 room = tdSub8(radius, hitRadius);
        tdGatherRows4x8(rows, 8, c);
        side = c[0];
        isPlane = IsGreater(c[1], tdZero8());
        tdMask8 isOutside = tdOrMask8(tdLessEqual8(room, tdZero8()), IsGreater(squared, tdMul8(room, room)));
        // The masks of the sides, without a mask-and-not: a side is 1 or -1.
        tdMask8 isInsideShape = tdLess8(side, tdZero8());
        isHit = tdOrMask8(tdAndMask8(isInsideShape, isOutside), tdAndMask8(IsGreater(side, tdZero8()), isHit));
        isHit = tdAndMask8(isHit, isApart);
        isHit = tdAndMask8(isHit, tdLessEqual8(c[1], tdZero8()));
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
    tdFloat8 depth = tdSub8(tdMul8(side, tdSub8(distance, radius)), hitRadius);
    tdVec3x8 pushed = tdMulSubVec3x8(next, tdDiv8(tdMul8(side, depth), distance), beside);
    if (isSpecial)
    {
        pushed = tdSelectVec3x8(isPlane, tdMulSubVec3x8(next, tdSub8(along, hitRadius), span), pushed);
    }
    return RestoreLength(it, range, isHit, pushed, next);
}

static RARE tdVec3x8 CollideWithStage(const GroupRun* it, TailRange range, tdVec3x8 next)
{
    for (int lane = 0; lane < it->group->count; ++lane)
    {
        tdVec3 tail = GetLane(next, lane);
        if (it->run->hit(it->run->hitContext, GetLane(range.head, lane), &tail, it->parameters->hitRadius[lane]))
        {
            tdSpringLanes only = {0.0f};
            only[lane] = 1.0f;
            next = RestoreLength(it, range, IsGreater(tdLoad8(only), tdZero8()), PutLane(next, lane, tail), next);
        }
    }
    return next;
}

static RARE tdVec3x8 TurnUnevenOffsets(const GroupRun* it, unsigned uneven, tdVec3x8 offset, tdVec3x8 local)
{
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((uneven >> lane & 1u) != 0)
        {
            tdMat4 parent;
            memcpy(&parent, it->parents[lane], sizeof(parent));
            tdMat3 inverse = tdInverse(tdMat4Linear(parent));
            local = PutLane(local, lane, tdMulMat3Vec3(inverse, GetLane(offset, lane)));
        }
    }
    return local;
}

// S^-1 L^-1 P^-1 (next - head), times a positive number.
TD_SIMD_INLINE tdVec3x8 TurnIntoJoints(const GroupRun* it, const SpringFrame* parent, unsigned uneven,
                                       tdVec3x8 offset, tdQuatx8 rest, tdVec3x8 scale)
{
    tdVec3x8 local = {tdDotVec3x8(parent->x, offset), tdDotVec3x8(parent->y, offset),
                      tdDotVec3x8(parent->z, offset)};
    if (uneven != 0)
    {
        local = TurnUnevenOffsets(it, uneven, offset, local);
    }
    local = tdInvRotatex8(rest, local);
    // The inverse of a scale by its cofactors; the sign of the determinant is the sign of the product.
    tdVec3x8 cofactors = {tdMul8(scale.y, scale.z), tdMul8(scale.x, scale.z), tdMul8(scale.x, scale.y)};
    tdMask8 isMirror = tdLess8(tdMul8(scale.x, cofactors.x), tdZero8());
    tdVec3x8 to = tdMulVec3x8(cofactors, local);
    tdVec3x8 opposite = {tdNegate8(to.x), tdNegate8(to.y), tdNegate8(to.z)};
    return tdSelectVec3x8(isMirror, opposite, to);
}

// Half a turn about a perpendicular of the axis.
static RARE tdQuatx8 TurnAround(tdQuatx8 turn, tdVec3x8 axis, unsigned lanes)
{
    float w[8];
    tdStore8(w, turn.w);
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lanes >> lane & 1u) != 0)
        {
            turn.v = PutLane(turn.v, lane, tdPerpendicular(GetLane(axis, lane)));
            w[lane] = 0.0f;
        }
    }
    turn.w = tdLoad8(w);
    return turn;
}

TD_SIMD_INLINE tdQuatx8 FindSpringRotations(tdQuatx8 rest, tdVec3x8 axis, tdVec3x8 to, tdMask8* isDefined)
{
    tdFloat8 length = tdSqrt8(tdDotVec3x8(to, to));
    tdFloat8 sum = tdAdd8(length, tdDotVec3x8(axis, to));
    *isDefined = IsGreater(length, tdZero8());
    tdMask8 isOpposite = tdAndMask8(*isDefined, tdLess8(sum, tdMul8(tdSplat8(OPPOSITE_TOLERANCE), length)));
    tdFloat8 scale =
        tdDiv8(tdSplat8(1.0f), tdSqrt8(tdMul8(tdMul8(tdSplat8(2.0f), length), sum)));
    tdQuatx8 turn = {tdScaleVec3x8(scale, tdCrossVec3x8(axis, to)), tdMul8(scale, sum)};
    unsigned opposite = tdMaskBits8(isOpposite);
    if (opposite != 0)
    {
        turn = TurnAround(turn, axis, opposite);
    }
    tdQuatx8 q = tdMulQuatx8(rest, turn);
    tdFloat8 squared = tdAdd8(tdDotVec3x8(q.v, q.v), tdMul8(q.w, q.w));
    tdFloat8 s = tdSub8(tdSplat8(1.5f), tdMul8(tdSplat8(0.5f), squared));
    return (tdQuatx8){tdScaleVec3x8(s, q.v), tdMul8(s, q.w)};
}

// Globals of the joints, in the order of operations of node_pose.c, so that a sweep would give the same bits.
TD_SIMD_INLINE void StoreGlobals(const SpringFrame* p, tdVec3x8 head, tdQuatx8 q, tdVec3x8 scale,
                                 float* const rows[8])
{
    tdFloat8 one = tdSplat8(1.0f), zero = tdZero8();
    tdFloat8 x2 = tdAdd8(q.v.x, q.v.x), y2 = tdAdd8(q.v.y, q.v.y), z2 = tdAdd8(q.v.z, q.v.z);
    tdFloat8 xx = tdMul8(q.v.x, x2), yy = tdMul8(q.v.y, y2), zz = tdMul8(q.v.z, z2);
    tdFloat8 xy = tdMul8(q.v.x, y2), yz = tdMul8(q.v.y, z2), zx = tdMul8(q.v.z, x2);
    tdFloat8 wx = tdMul8(q.w, x2), wy = tdMul8(q.w, y2), wz = tdMul8(q.w, z2);
    tdVec3x8 columns[4];
    columns[0] = TurnByFrame(p, (tdVec3x8){tdMul8(tdSub8(one, tdAdd8(yy, zz)), scale.x),
                                           tdMul8(tdAdd8(xy, wz), scale.x), tdMul8(tdSub8(zx, wy), scale.x)});
    columns[1] = TurnByFrame(p, (tdVec3x8){tdMul8(tdSub8(xy, wz), scale.y),
                                           tdMul8(tdSub8(one, tdAdd8(xx, zz)), scale.y),
                                           tdMul8(tdAdd8(yz, wx), scale.y)});
    columns[2] = TurnByFrame(p, (tdVec3x8){tdMul8(tdAdd8(zx, wy), scale.z), tdMul8(tdSub8(yz, wx), scale.z),
                                           tdMul8(tdSub8(one, tdAdd8(xx, yy)), scale.z)});
    columns[3] = head;
    for (int i = 0; i < 4; ++i)
    {
        tdFloat8 column[4] = {columns[i].x, columns[i].y, columns[i].z, i == 3 ? one : zero};
        tdScatterRows4x8(rows, 4 * i, column);
    }
}

// Tails and rotations of a group.
typedef struct GroupResult
{
    tdVec3x8 next;
    tdQuatx8 rotation;
} GroupResult;

// Sets the tails and rotations of lost lanes to rest.
static RARE GroupResult RestLostLanes(GroupResult result, unsigned lost, tdVec3x8 restPosition, tdQuatx8 rest)
{
    float w[8], restW[8];
    tdStore8(w, result.rotation.w);
    tdStore8(restW, rest.w);
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lost >> lane & 1u) != 0)
        {
            tdVec3 tail = GetLane(restPosition, lane);
            result.next = PutLane(result.next, lane, tdIsFiniteVec3(tail) ? tail : tdVec3_zero);
            result.rotation.v = PutLane(result.rotation.v, lane, GetLane(rest.v, lane));
            w[lane] = restW[lane];
        }
    }
    result.rotation.w = tdLoad8(w);
    return result;
}

// Inertia in the space of the centers; in the world after it.
TD_SIMD_INLINE tdVec3x8 SwingTails(const GroupRun* it, const tdSpringTails* tails, tdFloat8 keep)
{
    tdVec3x8 current = tdLoadVec3x8(tails->current[0]), previous = tdLoadVec3x8(tails->previous[0]);
    tdVec3x8 swung = tdMulAddVec3x8(current, keep, tdSubVec3x8(current, previous));
    if (it->group->hasCenter)
    {
        SpringFrame center;
        LoadCenters(it->run->state, it->group, true, &center);
        swung = MoveByFrame(&center, swung);
    }
    return swung;
}

TD_SIMD_INLINE void StoreTails(const GroupRun* it, tdSpringTails* tails, tdVec3x8 next, unsigned lost)
{
    tdVec3x8 current = tdLoadVec3x8(tails->current[0]);
    if (it->group->hasCenter)
    {
        SpringFrame center;
        LoadCenters(it->run->state, it->group, false, &center);
        next = MoveByFrame(&center, next);
    }
    tdStoreVec3x8(tails->previous[0], current);
    tdStoreVec3x8(tails->current[0], next);
    for (int lane = 0; lane < 8 && lost != 0; ++lane)
    {
        for (int i = 0; i < 3 && (lost >> lane & 1u) != 0; ++i)
        {
            float value = tails->current[i][lane];
            tails->current[i][lane] = tails->previous[i][lane] = value - value == 0.0f ? value : 0.0f;
        }
    }
}

// Copies the rotations to the state and to the pose. Lanes that a body writes keep theirs.
TD_SIMD_INLINE void WriteRotations(const GroupRun* it, int g, tdQuatx8 rotation, float* const locals[8])
{
    tdQuat* out = it->run->state->rotations + (size_t)g * 8;
    float* rows[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        rows[lane] = &out[lane].x;
    }
    tdFloat8 q[4] = {rotation.v.x, rotation.v.y, rotation.v.z, rotation.w};
    tdScatterRows4x8(rows, 0, q);
    tdScatterRows4x8(locals, 0, q);
}

static void RunSpringGroup(const tdSpringRun* run, int g)
{
    const tdSpringState* state = run->state;
    const tdSpringGroup* group = &state->plan->groups[g];
    const tdNodePose* pose = run->pose;
    GroupRun all, *it = &all; // not cleared: every member below is set before it is read
    it->run = run;
    it->group = group;
    it->parameters = &state->parameters[g];
    const float* locals[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        int parent = group->parents[lane];
        it->parents[lane] = parent >= 0 ? pose->globals[parent].m : pose->placementMatrix.m;
        locals[lane] = &pose->locals[group->nodes[lane]].translation.x;
    }
    SpringFrame parent;
    LoadFrame(&parent, it->parents);
    tdFloat8 c[4];
    tdGatherRows4x8(locals, 0, c); // translation, rotation x
    tdVec3x8 translation = {c[0], c[1], c[2]};
    tdGatherRows4x8(locals, 6, c); // rotation w, scale
    tdVec3x8 scale = {c[1], c[2], c[3]};
    tdQuatx8 rest = {tdLoadVec3x8(group->rest[0]), tdLoad8(group->rest[3])};
    tdVec3x8 restTail =
        TurnByFrame(&parent, tdRotatex8(rest, tdMulVec3x8(scale, tdLoadVec3x8(group->child[0]))));
    TailRange range = {MoveByFrame(&parent, translation), tdSqrt8(tdDotVec3x8(restTail, restTail))};
    tdVec3x8 direction = TurnByFrame(&parent, tdLoadVec3x8(group->restAxis[0]));
    direction =
        tdScaleVec3x8(tdDiv8(tdSplat8(1.0f), tdSqrt8(tdDotVec3x8(direction, direction))), direction);
    unsigned uneven = FindUneven(&parent);
    if (uneven != 0)
    {
        direction = TurnUnevenAxes(it, uneven, direction);
    }
    if (group->limited != 0)
    {
        FindLimitFrames(it);
    }

    tdSpringTails* tails = &state->tails[g];
    tdFloat8 seconds = tdSplat8(run->seconds);
    tdVec3x8 swung = SwingTails(it, tails, tdLoad8(it->parameters->keep));
    tdVec3x8 pulled = tdMulAddVec3x8(swung, tdMul8(seconds, tdLoad8(it->parameters->stiffness)), direction);
    pulled = tdMulAddVec3x8(pulled, seconds, tdLoadVec3x8(it->parameters->gravity[0]));
    // A tail at the head has no direction: it keeps the one it had, which is that at rest if it never had one.
    tdVec3x8 restPosition = tdAddVec3x8(range.head, restTail), next = restPosition;
    tdMask8 isAll = tdLess8(tdZero8(), tdSplat8(1.0f));
    tdVec3x8 toPulled = tdSubVec3x8(pulled, range.head);
    if (tdMaskBits8(tdLessEqual8(tdDotVec3x8(toPulled, toPulled), tdZero8())) != 0)
    {
        next = RestoreLength(it, range, isAll, SwingTails(it, tails, tdZero8()), next);
    }
    next = RestoreLength(it, range, isAll, pulled, next);
    for (int i = 0; i < group->colliderCount; ++i)
    {
        int at = group->colliderStart + i * 8;
        next = CollideWith(it, range, state->plan->laneColliders + at, state->plan->specialKinds[at / 8] != 0, next);
    }
    if (run->hit != NULL)
    {
        next = CollideWithStage(it, range, next);
    }

    tdMask8 isDefined;
    tdVec3x8 to = TurnIntoJoints(it, &parent, uneven, tdSubVec3x8(next, range.head), rest, scale);
    tdQuatx8 rotation = FindSpringRotations(rest, tdLoadVec3x8(group->axis[0]), to, &isDefined);
    tdFloat8 bound = tdSplat8(MAX_TAIL_COORDINATE);
    tdFloat8 squared = tdAdd8(tdDotVec3x8(rotation.v, rotation.v), tdMul8(rotation.w, rotation.w));
    tdMask8 isGood = tdAndMask8(isDefined, IsGreater(squared, tdSplat8(0.5f)));
    isGood = tdAndMask8(isGood, tdLess8(squared, tdSplat8(2.0f)));
    isGood = tdAndMask8(isGood, tdLess8(tdAbs8(next.x), bound));
    isGood = tdAndMask8(isGood, tdLess8(tdAbs8(next.y), bound));
    isGood = tdAndMask8(isGood, tdLess8(tdAbs8(next.z), bound));
    unsigned lost = ~tdMaskBits8(isGood) & 0xffu;
    if (lost != 0)
    {
        GroupResult result = RestLostLanes((GroupResult){next, rotation}, lost, restPosition, rest);
        next = result.next;
        rotation = result.rotation;
    }
    StoreTails(it, tails, next, lost);
    tdMat4 unused; // for lanes that are not written
    float *globals[8], *rotations[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        bool isWritten = lane < group->count && (state->written[g] >> lane & 1) != 0;
        globals[lane] = isWritten ? run->pose->globals[group->nodes[lane]].m : unused.m;
        rotations[lane] = isWritten ? &run->pose->locals[group->nodes[lane]].rotation.x : unused.m;
    }
    StoreGlobals(&parent, range.head, rotation, scale, globals);
    WriteRotations(it, g, rotation, rotations);
}

static void RunSpringGroups(const tdSpringRun* run, int start, int end)
{
    for (int g = start; g < end; ++g)
    {
        RunSpringGroup(run, g);
    }
}

tdSpringKernelFcn* GET_SPRING_KERNEL(void)
{
    return RunSpringGroups;
}
