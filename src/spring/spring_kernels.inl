// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The step of eight springs at a time, included once per vector width after one of base/simd_*.h. With P the
// global of a joint's parent, T, L and S its translation, rest rotation and scale, and C the space of its
// center:
//
//     next   = C (current + keep (current - previous)) + dt stiffness dir + dt gravity,
//              dir = R L axis, R the product of the rotations above
//     next   = head + length (next - head), normalised,  head = P T, length = |P L S child|
//     next   is pushed out of each collider and put back to `length` and into its limit
//     rotation = L fromTo(axis, S^-1 L^-1 P^-1 (next - head))
//              = fromTo(L axis, L S^-1 L^-1 P^-1 (next - head)) L
//
// A lane is plain if its parent is a similarity and its scale is even and that of the file. Then dir is the
// direction of P L S child, P^-1 is a transpose times a positive number, and S^-1 is a positive number. Other
// lanes, limits and results that are not finite use scalar functions, lane by lane, so that no lane depends
// on its neighbours.
//
// Groups run in blocks, and each phase runs for all groups of a block: a phase is a long chain of dependent
// operations, and a processor works on the chains of several groups at the same time.
#include "spring_limit.h"

#include "base/simd_vec3.inl"

#include <float.h>
#include <math.h>
#include <stddef.h>

/// Relative error of the rows of a similarity that rounding explains, as for node constraints.
#define SIMILAR_TOLERANCE 1.0e-5f
/// Below this value of 1 + cos, two directions count as opposite.
#define OPPOSITE_TOLERANCE 1.0e-6f
/// Squares between these keep their precision. A tail whose squared distance from the origin, in m^2, reaches
/// the upper one counts as lost.
#define MIN_SQUARE 1.0e-30f
#define MAX_SQUARE 1.0e30f
/// Groups whose phases overlap. Found by trial with tendon_bench_springs: 2 is slower by 8 %, 4 by 3 %.
#define BLOCK_GROUPS 8

#define RARE TD_NOINLINE

// One expression per lane, without a loop: pointers stay in registers.
#define EACH_LANE(row) row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)

typedef struct SpringFrame
{
    tdVec3x8 x, y, z, origin;
} SpringFrame;

typedef struct SpringPack SpringPack;

// A group while it runs, between its phases: the joints of one pose, or a vector of a pack.
typedef struct GroupRun
{
    tdSpringFrames gathered; // for `parents`
    tdSpringLanes head[3], length, ownScale[3], next[3], turn[4];
    tdQuat limitFrames[TD_SPRING_LANES]; // of limited lanes, to the world
    const tdSpringRun* run;              // of a pack: the first one
    SpringPack* pack;                    // NULL: all lanes belong to `run`
    const tdSpringGroup* group;
    const tdSpringGroupInfo* info;
    const tdSpringLaneParameters* parameters;
    const tdSpringFrames* parents;            // the globals of the parents
    tdSpringFrames* frames;                   // the globals of the joints
    float *tails, *previousTails, *rotations; // see tdSpringState
    size_t stride;                            // of their components, in floats
    const float* scale;                       // S: of the group, or ownScale
    const tdSpringTips* tips;                 // of the file
    float* const* packLocals;                 // of a pack: the poses of the lanes
    float* const* packGlobals;                // likewise
    bool isAtRest;                            // see tdSpringRun
    unsigned joints;                          // bits of lanes that are no repetitions
    unsigned uneven;                          // bits of lanes whose parent is no similarity
    unsigned rare;                            // bits of lanes that are not plain
    int index;                                // of the group
} GroupRun;

// Where the joints of a group are.
typedef struct TailRange
{
    tdVec3x8 head;
    tdFloat8 length;
} TailRange;

TD_SIMD_INLINE SpringFrame LoadFrame(const tdSpringFrames* frames)
{
    return (SpringFrame){tdLoadVec3x8(frames->columns[0]), tdLoadVec3x8(frames->columns[3]),
                         tdLoadVec3x8(frames->columns[6]), tdLoadVec3x8(frames->columns[9])};
}

TD_SIMD_INLINE tdVec3x8 GatherColumn(const float* const rows[8], int offset)
{
    tdFloat8 c[4];
    tdGatherRows4x8(rows, offset, c);
    return (tdVec3x8){c[0], c[1], c[2]};
}

TD_SIMD_INLINE SpringFrame GatherFrame(const float* const rows[8])
{
    return (SpringFrame){GatherColumn(rows, 0), GatherColumn(rows, 4), GatherColumn(rows, 8),
                         GatherColumn(rows, 12)};
}

TD_SIMD_INLINE tdVec3x8 LoadRows(const float* rows, size_t stride)
{
    return (tdVec3x8){tdLoad8(rows), tdLoad8(rows + stride), tdLoad8(rows + 2 * stride)};
}

TD_SIMD_INLINE void StoreRows(float* rows, size_t stride, tdVec3x8 v)
{
    tdStore8(rows, v.x);
    tdStore8(rows + stride, v.y);
    tdStore8(rows + 2 * stride, v.z);
}

#include "spring_pack.inl"

// Matrices of the centers of a group, to or from the world.
static RARE void LoadCenters(const GroupRun* it, bool isToWorld, SpringFrame* frame)
{
    const float* rows[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        int place = it->info->centers[GetJointLane(it, lane)];
        const tdSpringCenter* center = &GetLaneRun(it, lane)->state->centers[place];
        rows[lane] = isToWorld ? center->toWorld.m : center->fromWorld.m;
    }
    *frame = GatherFrame(rows);
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

static tdVec3 GetLaneVec3(const float* lanes, int lane)
{
    return (tdVec3){lanes[lane], lanes[8 + lane], lanes[16 + lane]};
}

static void SetLaneVec3(float* lanes, int lane, tdVec3 value)
{
    lanes[lane] = value.x;
    lanes[8 + lane] = value.y;
    lanes[16 + lane] = value.z;
}

static tdQuat GetLaneQuat(const float* lanes, int lane)
{
    return (tdQuat){lanes[lane], lanes[8 + lane], lanes[16 + lane], lanes[24 + lane]};
}

static tdMat4 GetParentMatrix(const tdSpringFrames* frames, int lane)
{
    tdMat4 m = tdMat4_identity;
    for (int i = 0; i < 12; ++i)
    {
        m.m[i / 3 * 4 + i % 3] = frames->columns[i][lane];
    }
    return m;
}

static unsigned FindUneven(const tdSpringFrames* frames)
{
    SpringFrame m = LoadFrame(frames);
    tdFloat8 xx = tdDotVec3x8(m.x, m.x), yy = tdDotVec3x8(m.y, m.y), zz = tdDotVec3x8(m.z, m.z);
    tdFloat8 limit = tdMul8(tdSplat8(SIMILAR_TOLERANCE), xx);
    tdMask8 evenY = tdLessEqual8(tdAbs8(tdSub8(yy, xx)), limit);
    tdMask8 evenZ = tdLessEqual8(tdAbs8(tdSub8(zz, xx)), limit);
    tdMask8 squareXy = tdLessEqual8(tdAbs8(tdDotVec3x8(m.x, m.y)), limit);
    tdMask8 squareYz = tdLessEqual8(tdAbs8(tdDotVec3x8(m.y, m.z)), limit);
    tdMask8 squareZx = tdLessEqual8(tdAbs8(tdDotVec3x8(m.z, m.x)), limit);
    tdVec3x8 cross = tdCrossVec3x8(m.x, m.y);
    tdMask8 isRightHanded = IsGreater(tdDotVec3x8(cross, m.z), tdZero8());
    unsigned isEven = tdMaskBits8(evenY) & tdMaskBits8(evenZ) & tdMaskBits8(squareXy) &
                      tdMaskBits8(squareYz) & tdMaskBits8(squareZx) & tdMaskBits8(isRightHanded);
    return ~isEven & 0xffu;
}

static void GatherParents(GroupRun* it, const float* const rows[8])
{
    SpringFrame frame = GatherFrame(rows);
    tdStoreVec3x8(it->gathered.columns[0], frame.x);
    tdStoreVec3x8(it->gathered.columns[3], frame.y);
    tdStoreVec3x8(it->gathered.columns[6], frame.z);
    tdStoreVec3x8(it->gathered.columns[9], frame.origin);
    it->parents = &it->gathered;
    it->uneven = FindUneven(it->parents);
}

static void FindParents(GroupRun* it)
{
    const int* parents = it->info->parents;
    const tdNodePose* pose = it->run->pose;
    const tdMat4 *globals = pose->globals, *roots = &pose->placementMatrix;
#define PARENT_ROW(lane) (parents[lane] >= 0 ? &globals[parents[lane]] : roots)->m
    const float* rows[8] = {EACH_LANE(PARENT_ROW)};
#undef PARENT_ROW
    GatherParents(it, rows);
}

static const tdSpringLimit* GetLaneLimit(const GroupRun* it, int lane)
{
    return &it->run->state->list->joints[it->info->joints[GetJointLane(it, lane)]].limit;
}

static tdQuat ComputeParentRotation(const GroupRun* it, int lane)
{
    const tdSpringRun* run = GetLaneRun(it, lane);
    return tdSpringState_ComputeRotation(run->state, run->pose, it->info->parents[GetJointLane(it, lane)]);
}

static RARE tdVec3x8 ApplyLimits(const GroupRun* it, unsigned lanes, TailRange range, tdVec3x8 next)
{
    float length[8];
    tdStore8(length, range.length);
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lanes >> lane & 1u) != 0)
        {
            const tdSpringLimit* limit = GetLaneLimit(it, lane);
            tdVec3 tail = tdLimitSpringTail(limit, it->limitFrames[lane], GetLane(range.head, lane),
                                            GetLane(next, lane), length[lane]);
            next = PutLane(next, lane, tail);
        }
    }
    return next;
}

static RARE void FindLimitFrames(GroupRun* it)
{
    const tdSpringGroup* group = it->group;
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((group->limited >> lane & 1) != 0)
        {
            int own = GetJointLane(it, lane);
            const tdSpringLimit* limit = GetLaneLimit(it, lane);
            tdQuat frame = tdMulQuat(GetLaneQuat(group->rest[0], lane),
                                     tdSpringLimit_GetFrame(limit, GetLaneVec3(it->info->axis[0], own)));
            tdQuat parent = (it->uneven >> lane & 1u) != 0
                                ? ComputeParentRotation(it, lane)
                                : tdRotationOfMat4(GetParentMatrix(it->parents, lane));
            it->limitFrames[lane] = tdNormalizeQuat(tdMulQuat(parent, frame));
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

// Inertia in the space of the centers; in the world after it.
TD_SIMD_INLINE tdVec3x8 SwingTails(const GroupRun* it, tdFloat8 keep)
{
    // The tails of the last step are the previous ones of this step. See tdStepSprings.
    tdVec3x8 current = LoadRows(it->previousTails, it->stride);
    tdVec3x8 previous = LoadRows(it->tails, it->stride);
    tdVec3x8 swung = tdMulAddVec3x8(current, keep, tdSubVec3x8(current, previous));
    if (it->group->hasCenter)
    {
        SpringFrame center;
        LoadCenters(it, true, &center);
        swung = MoveByFrame(&center, swung);
    }
    return swung;
}

// Lanes of vectors on their way to and from a rare function; vectors that do not take this way stay in
// registers.
typedef struct LaneValues
{
    tdSpringLanes a[3], b[3], c;
} LaneValues;

// Tails at rest, relative to their heads (a), their directions (b) and lengths (c).
static RARE void FindRareRestTails(const GroupRun* it, LaneValues* rest)
{
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((it->rare >> lane & 1u) != 0)
        {
            tdMat4 parent = GetParentMatrix(it->parents, lane);
            tdVec3 child =
                tdMul(GetLaneVec3(it->scale, lane), GetLaneVec3(it->info->child[0], GetJointLane(it, lane)));
            tdVec3 tail =
                tdMulMat3Vec3(tdMat4Linear(parent), tdRotate(GetLaneQuat(it->group->rest[0], lane), child));
            tdVec3 axis = GetLaneVec3(it->group->restAxis[0], lane);
            tdVec3 direction = (it->uneven >> lane & 1u) != 0
                                   ? tdRotate(ComputeParentRotation(it, lane), axis)
                                   : tdMulMat3Vec3(tdMat4Linear(parent), axis);
            SetLaneVec3(rest->a[0], lane, tail);
            SetLaneVec3(rest->b[0], lane, tdNormalize(direction));
            rest->c[lane] = tdLength(tail);
        }
    }
}

// Where the tails of a group are at rest, relative to their heads.
typedef struct RestTails
{
    tdVec3x8 tail, direction;
    tdFloat8 length;
} RestTails;

TD_SIMD_INLINE void FindRestTails(const GroupRun* it, const SpringFrame* parent, RestTails* rest)
{
    rest->tail = TurnByFrame(parent, tdLoadVec3x8(it->group->restTail[0]));
    rest->length = tdSqrt8(tdDotVec3x8(rest->tail, rest->tail));
    rest->direction = tdScaleVec3x8(tdDiv8(tdSplat8(1.0f), rest->length), rest->tail);
    if (it->rare != 0)
    {
        LaneValues values;
        tdStoreVec3x8(values.a[0], rest->tail);
        tdStoreVec3x8(values.b[0], rest->direction);
        tdStore8(values.c, rest->length);
        FindRareRestTails(it, &values);
        rest->tail = tdLoadVec3x8(values.a[0]);
        rest->direction = tdLoadVec3x8(values.b[0]);
        rest->length = tdLoad8(values.c);
    }
}

// Tails at their heads have no direction: they keep the one they had, which is that at rest if they never had
// one.
static RARE void KeepDirections(GroupRun* it, unsigned lanes)
{
    tdMask8 isAll = tdLess8(tdZero8(), tdSplat8(1.0f));
    SpringFrame parent = LoadFrame(it->parents);
    RestTails rest;
    FindRestTails(it, &parent, &rest);
    TailRange range = {tdLoadVec3x8(it->head[0]), rest.length};
    tdVec3x8 kept =
        RestoreLength(it, range, isAll, SwingTails(it, tdZero8()), tdAddVec3x8(range.head, rest.tail));
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lanes >> lane & 1u) != 0)
        {
            SetLaneVec3(it->next[0], lane, GetLane(kept, lane));
        }
    }
}

// Heads and scales from the locals of the joints.
TD_SIMD_INLINE void PlaceHeads(GroupRun* it, const float* const locals[8])
{
    tdFloat8 c[4];
    tdGatherRows4x8(locals, 6, c); // rotation w, scale
    tdFloat8 restScale = tdLoad8(it->group->restScale);
    tdFloat8 difference = tdAdd8(tdAdd8(tdAbs8(tdSub8(c[1], restScale)), tdAbs8(tdSub8(c[2], restScale))),
                                 tdAbs8(tdSub8(c[3], restScale)));
    it->rare = it->uneven | (~tdMaskBits8(tdLessEqual8(difference, tdZero8())) & 0xffu);
    tdStoreVec3x8(it->ownScale[0], (tdVec3x8){c[1], c[2], c[3]});
    it->scale = it->ownScale[0];
    SpringFrame parent = LoadFrame(it->parents);
    tdStoreVec3x8(it->head[0], MoveByFrame(&parent, GatherColumn(locals, 0)));
}

// The same from the constants of the group.
TD_SIMD_INLINE void PlaceRestHeads(GroupRun* it)
{
    it->rare = it->uneven | it->group->unevenScales;
    it->scale = it->group->scale[0];
    SpringFrame parent = LoadFrame(it->parents);
    tdStoreVec3x8(it->head[0], MoveByFrame(&parent, tdLoadVec3x8(it->group->translation[0])));
}

static RARE void PlaceMovedHeads(GroupRun* it)
{
    const float* locals[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        locals[lane] = &GetLaneRun(it, lane)->pose->locals->translation.x + it->group->localPlaces[lane];
    }
    PlaceHeads(it, locals);
}

// The first phase: parents and heads.
static void PlaceGroup(GroupRun* it, const tdSpringRun* run, int index)
{
    const tdSpringState* state = run->state;
    const tdSpringGroup* group = &state->plan->groups[index];
    it->run = run;
    it->pack = NULL;
    it->group = group;
    it->info = &state->plan->infos[index];
    it->parameters = &state->parameters[index];
    it->frames = &state->frames[group->frames];
    it->tails = state->tails[index].xyz[0];
    it->previousTails = state->previousTails[index].xyz[0];
    it->rotations = state->rotations[index].xyzw[0];
    it->stride = TD_SPRING_LANES;
    it->joints = (1u << group->count) - 1u;
    it->index = index;
    if (group->parentFrames >= 0 && run->writesAll)
    {
        it->parents = &state->frames[group->parentFrames];
        it->uneven = it->parents->uneven;
    }
    else
    {
        FindParents(it);
    }
    // Two mirrors may make a similarity that is not the product of the rotations.
    it->uneven |= run->pose->mirrorCount != 0 ? 0xffu : 0u;
    it->tips = &state->plan->tips[index];
    it->isAtRest = run->isAtRest;
    if (it->isAtRest)
    {
        PlaceRestHeads(it);
    }
    else
    {
        PlaceMovedHeads(it);
    }
}

// Parents of a pack; nodes without a parent hang on the placements of their poses.
static void GatherPackParents(GroupRun* it, float* const* globals)
{
    const uint32_t* places = it->group->parentPlaces;
#define PARENT_ROW(lane) globals[lane] + places[lane]
    const float* rows[8] = {EACH_LANE(PARENT_ROW)};
#undef PARENT_ROW
    for (int lane = 0; lane < 8 && it->group->hasRoot; ++lane)
    {
        bool isRoot = it->info->parents[GetJointLane(it, lane)] < 0;
        rows[lane] = isRoot ? GetLaneRun(it, lane)->pose->placementMatrix.m : rows[lane];
    }
    GatherParents(it, rows);
}

// The first phase of a vector of a pack.
static void PlacePack(GroupRun* it, SpringPack* pack, int vector)
{
    const tdSpringCrowd* crowd = pack->crowd;
    const tdSpringState* state = crowd->runs->state;
    const tdSpringGroup* group = &state->plan->packs[pack->packStart + vector];
    int place = vector * TD_SPRING_LANES;
    it->run = crowd->runs;
    it->pack = pack;
    it->group = group;
    it->info = &state->plan->infos[pack->group];
    it->parameters = GetPackParameters(pack, vector);
    // A pack has at most as many vectors as poses.
    it->frames = &crowd->lanes[vector]->state->frames[group->frames];
    it->tails = pack->tails[0] + place;
    it->previousTails = pack->previousTails[0] + place;
    it->rotations = pack->rotations[0] + place;
    it->stride = PACK_FLOATS;
    it->joints = pack->laneCount - place >= 8 ? 0xffu : (1u << (pack->laneCount - place)) - 1u;
    it->index = pack->group;
    if (group->parentFrames >= 0 && crowd->writesAll)
    {
        it->parents = &crowd->lanes[vector]->state->frames[group->parentFrames];
        it->uneven = it->parents->uneven;
    }
    else
    {
        GatherPackParents(it, crowd->packGlobals + place);
    }
    it->uneven |= crowd->hasMirrors ? FindMirrored(it) : 0u;
    it->tips = &state->plan->packTips[pack->packStart + vector];
    it->packLocals = crowd->packLocals + place;
    it->packGlobals = crowd->packGlobals + place;
    it->isAtRest = crowd->isAtRest;
    if (it->isAtRest)
    {
        PlaceRestHeads(it);
    }
    else
    {
        PlaceMovedHeads(it);
    }
}

// The second phase: tails swing freely, at any distance from their heads.
static void SwingGroup(GroupRun* it)
{
    SpringFrame parent = LoadFrame(it->parents);
    RestTails rest;
    FindRestTails(it, &parent, &rest);
    tdFloat8 seconds = tdSplat8(it->run->seconds);
    tdVec3x8 next = SwingTails(it, tdLoad8(it->parameters->keep));
    next = tdMulAddVec3x8(next, seconds, tdLoadVec3x8(it->parameters->gravity[0]));
    next = tdMulAddVec3x8(next, tdMul8(seconds, tdLoad8(it->parameters->stiffness)), rest.direction);
    tdStore8(it->length, rest.length);
    tdStoreVec3x8(it->next[0], next);
}

// The third phase: tails at their distance from their heads and within their limits.
static void RestoreGroup(GroupRun* it)
{
    unsigned limited = it->group->limited;
    tdVec3x8 head = tdLoadVec3x8(it->head[0]), next = tdLoadVec3x8(it->next[0]);
    tdFloat8 length = tdLoad8(it->length);
    tdVec3x8 offset = tdSubVec3x8(next, head);
    tdFloat8 squared = tdDotVec3x8(offset, offset);
    next = tdMulAddVec3x8(head, tdDiv8(length, tdSqrt8(squared)), offset);
    unsigned defined = tdMaskBits8(IsGreater(squared, tdZero8()));
    tdStoreVec3x8(it->next[0], next);
    if (limited != 0)
    {
        FindLimitFrames(it);
        next = ApplyLimits(it, limited & defined, (TailRange){head, length}, next);
        tdStoreVec3x8(it->next[0], next);
    }
    if (defined != 0xffu)
    {
        KeepDirections(it, ~defined & 0xffu);
    }
}

#include "spring_collide.inl"

// L S^-1 L^-1 P^-1 (next - head), times a positive number, for lanes that are not plain.
// @param values a: next - head; b: the results
static RARE void TurnRareOffsets(const GroupRun* it, LaneValues* values)
{
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((it->rare >> lane & 1u) != 0)
        {
            tdMat3 linear = tdMat4Linear(GetParentMatrix(it->parents, lane));
            tdMat3 inverse = (it->uneven >> lane & 1u) != 0 ? tdInverse(linear) : tdTranspose(linear);
            tdQuat rest = GetLaneQuat(it->group->rest[0], lane);
            tdVec3 local = tdInvRotate(rest, tdMulMat3Vec3(inverse, GetLaneVec3(values->a[0], lane)));
            // The inverse of a scale by its cofactors; the sign of the determinant is the sign of the
            // product.
            tdVec3 s = GetLaneVec3(it->scale, lane);
            tdVec3 turned = tdRotate(rest, tdMul((tdVec3){s.y * s.z, s.x * s.z, s.x * s.y}, local));
            SetLaneVec3(values->b[0], lane, s.x * (s.y * s.z) < 0.0f ? tdNegate(turned) : turned);
        }
    }
}

TD_SIMD_INLINE tdVec3x8 TurnIntoJoints(const GroupRun* it, const SpringFrame* parent, tdVec3x8 offset)
{
    tdVec3x8 to = {tdDotVec3x8(parent->x, offset), tdDotVec3x8(parent->y, offset),
                   tdDotVec3x8(parent->z, offset)};
    if (it->rare != 0)
    {
        LaneValues values;
        tdStoreVec3x8(values.a[0], offset);
        tdStoreVec3x8(values.b[0], to);
        TurnRareOffsets(it, &values);
        to = tdLoadVec3x8(values.b[0]);
    }
    return to;
}

// Half a turn about a perpendicular of the axis.
static RARE void TurnAround(GroupRun* it, unsigned lanes)
{
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lanes >> lane & 1u) != 0)
        {
            SetLaneVec3(it->turn[0], lane, tdPerpendicular(GetLaneVec3(it->group->restAxis[0], lane)));
            it->turn[3][lane] = 0.0f;
        }
    }
}

// Turns of lanes whose `to` is too long or too short for its square, in single precision. Without a direction
// they are NaN.
static RARE void AimRareLanes(GroupRun* it, unsigned lanes, const LaneValues* values)
{
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lanes >> lane & 1u) != 0)
        {
            tdVec3 to = GetLaneVec3(values->a[0], lane), axis = GetLaneVec3(it->group->restAxis[0], lane);
            tdVec3 size = tdAbs(to);
            float most = tdMaxFloat(tdMaxFloat(size.x, size.y), size.z);
            to = tdScale(1.0f / tdMaxFloat(most, FLT_MIN), to);
            float length = tdLength(to), sum = length + tdDot(axis, to);
            tdVec3 cross = tdCross(axis, to);
            float scale = 1.0f / sqrtf(tdLengthSquared(cross) + sum * sum);
            bool isOpposite = sum < OPPOSITE_TOLERANCE * length;
            SetLaneVec3(it->turn[0], lane, isOpposite ? tdPerpendicular(axis) : tdScale(scale, cross));
            it->turn[3][lane] = isOpposite ? 0.0f : scale * sum;
        }
    }
}

// The fifth phase: the rotation from the tail at rest to the tail, in the frame of the parent.
static void AimGroup(GroupRun* it)
{
    SpringFrame parent = LoadFrame(it->parents);
    tdVec3x8 axis = tdLoadVec3x8(it->group->restAxis[0]);
    tdVec3x8 to =
        TurnIntoJoints(it, &parent, tdSubVec3x8(tdLoadVec3x8(it->next[0]), tdLoadVec3x8(it->head[0])));
    tdFloat8 squared = tdDotVec3x8(to, to), length = tdSqrt8(squared);
    tdFloat8 sum = tdAdd8(length, tdDotVec3x8(axis, to));
    tdVec3x8 cross = tdCrossVec3x8(axis, to);
    tdFloat8 size = tdSqrt8(tdAdd8(tdDotVec3x8(cross, cross), tdMul8(sum, sum)));
    tdFloat8 scale = tdDiv8(tdSplat8(1.0f), size);
    unsigned opposite = tdMaskBits8(tdLess8(sum, tdMul8(tdSplat8(OPPOSITE_TOLERANCE), length)));
    tdStoreVec3x8(it->turn[0], tdScaleVec3x8(scale, cross));
    tdStore8(it->turn[3], tdMul8(scale, sum));
    if (opposite != 0)
    {
        TurnAround(it, opposite);
    }
    unsigned normal = tdMaskBits8(
        tdAndMask8(IsGreater(squared, tdSplat8(MIN_SQUARE)), tdLess8(squared, tdSplat8(MAX_SQUARE))));
    if (normal != 0xffu)
    {
        LaneValues values;
        tdStoreVec3x8(values.a[0], to);
        AimRareLanes(it, ~normal & 0xffu, &values);
    }
}

// Sets the tails and rotations of lost lanes to rest.
// @param values a: tails; b, c: rotations
static RARE void RestLostLanes(const GroupRun* it, unsigned lost, LaneValues* values)
{
    SpringFrame parent = LoadFrame(it->parents);
    RestTails rest;
    FindRestTails(it, &parent, &rest);
    tdVec3x8 restPosition = tdAddVec3x8(tdLoadVec3x8(it->head[0]), rest.tail);
    for (int lane = 0; lane < 8; ++lane)
    {
        if ((lost >> lane & 1u) != 0)
        {
            tdVec3 tail = GetLane(restPosition, lane);
            SetLaneVec3(values->a[0], lane, tdIsFiniteVec3(tail) ? tail : tdVec3_zero);
            SetLaneVec3(values->b[0], lane, GetLaneVec3(it->group->rest[0], lane));
            values->c[lane] = it->group->rest[3][lane];
        }
    }
}

static RARE void RestLostTails(const GroupRun* it, unsigned lost)
{
    for (size_t lane = 0; lane < 8; ++lane)
    {
        for (size_t i = 0; i < 3 && (lost & it->joints & 1u << lane) != 0; ++i)
        {
            float* tail = &it->tails[i * it->stride + lane];
            *tail = *tail - *tail == 0.0f ? *tail : 0.0f;
            it->previousTails[i * it->stride + lane] = *tail;
        }
    }
    if (it->pack != NULL)
    {
        it->pack->hasLost = true;
    }
}

TD_SIMD_INLINE void StoreTails(const GroupRun* it, tdVec3x8 next, unsigned lost)
{
    if (it->group->hasCenter)
    {
        SpringFrame center;
        LoadCenters(it, false, &center);
        next = MoveByFrame(&center, next);
    }
    StoreRows(it->tails, it->stride, next);
    if (lost != 0)
    {
        RestLostTails(it, lost);
    }
}

// The sixth phase: joints turn towards their tails.
static void TurnGroup(GroupRun* it)
{
    const tdSpringGroup* group = it->group;
    tdVec3x8 next = tdLoadVec3x8(it->next[0]);
    tdQuatx8 rest = {tdLoadVec3x8(group->rest[0]), tdLoad8(group->rest[3])};
    tdQuatx8 turn = {tdLoadVec3x8(it->turn[0]), tdLoad8(it->turn[3])};
    tdQuatx8 rotation = tdMulQuatx8(turn, rest);
    // The real part of a turn is NaN if `to` is zero or not finite.
    tdMask8 isGood =
        tdAndMask8(tdLess8(turn.w, tdSplat8(2.0f)), tdLess8(tdDotVec3x8(next, next), tdSplat8(MAX_SQUARE)));
    unsigned lost = ~tdMaskBits8(isGood) & 0xffu;
    if (lost != 0)
    {
        LaneValues values;
        tdStoreVec3x8(values.a[0], next);
        tdStoreVec3x8(values.b[0], rotation.v);
        tdStore8(values.c, rotation.w);
        RestLostLanes(it, lost, &values);
        next = tdLoadVec3x8(values.a[0]);
        rotation.v = tdLoadVec3x8(values.b[0]);
        rotation.w = tdLoad8(values.c);
    }
    StoreTails(it, next, lost);
    StoreRows(it->rotations, it->stride, rotation.v);
    tdStore8(it->rotations + 3 * it->stride, rotation.w);
}

// P T R S in the order of operations of node_pose.c, so that a sweep would give the same bits.
TD_SIMD_INLINE void ComposeFrame(const SpringFrame* p, tdQuatx8 rotation, tdVec3x8 scale, SpringFrame* out)
{
    tdVec3x8 v = rotation.v;
    tdFloat8 w = rotation.w, one = tdSplat8(1.0f);
    tdFloat8 x2 = tdAdd8(v.x, v.x), y2 = tdAdd8(v.y, v.y), z2 = tdAdd8(v.z, v.z);
    tdFloat8 xx = tdMul8(v.x, x2), yy = tdMul8(v.y, y2), zz = tdMul8(v.z, z2);
    tdFloat8 xy = tdMul8(v.x, y2), yz = tdMul8(v.y, z2), zx = tdMul8(v.z, x2);
    tdFloat8 wx = tdMul8(w, x2), wy = tdMul8(w, y2), wz = tdMul8(w, z2);
    tdVec3x8 x = {tdMul8(tdSub8(one, tdAdd8(yy, zz)), scale.x), tdMul8(tdAdd8(xy, wz), scale.x),
                  tdMul8(tdSub8(zx, wy), scale.x)};
    out->x = TurnByFrame(p, x);
    tdVec3x8 y = {tdMul8(tdSub8(xy, wz), scale.y), tdMul8(tdSub8(one, tdAdd8(xx, zz)), scale.y),
                  tdMul8(tdAdd8(yz, wx), scale.y)};
    out->y = TurnByFrame(p, y);
    tdVec3x8 z = {tdMul8(tdAdd8(zx, wy), scale.z), tdMul8(tdSub8(yz, wx), scale.z),
                  tdMul8(tdSub8(one, tdAdd8(xx, yy)), scale.z)};
    out->z = TurnByFrame(p, z);
}

// The seventh phase: globals of the joints.
static void MoveGroup(GroupRun* it)
{
    SpringFrame p = LoadFrame(it->parents), frame;
    tdQuatx8 rotation = {LoadRows(it->rotations, it->stride), tdLoad8(it->rotations + 3 * it->stride)};
    ComposeFrame(&p, rotation, tdLoadVec3x8(it->scale), &frame);
    tdSpringFrames* frames = it->frames;
    tdStoreVec3x8(frames->columns[0], frame.x);
    tdStoreVec3x8(frames->columns[3], frame.y);
    tdStoreVec3x8(frames->columns[6], frame.z);
    tdStoreVec3x8(frames->columns[9], tdLoadVec3x8(it->head[0]));
    frames->uneven = it->rare;
}

TD_SIMD_INLINE void ScatterFrame(const SpringFrame* m, float* const globals[8])
{
    tdFloat8 zero = tdZero8(), first[8] = {m->x.x, m->x.y, m->x.z, zero, m->y.x, m->y.y, m->y.z, zero};
    tdScatterRows8x8(globals, 0, first);
    tdFloat8 last[8] = {m->z.x, m->z.y, m->z.z, zero, m->origin.x, m->origin.y, m->origin.z, tdSplat8(1.0f)};
    tdScatterRows8x8(globals, 8, last);
}

TD_SIMD_INLINE void ScatterGlobals(const GroupRun* it, float* const globals[8])
{
    SpringFrame m = LoadFrame(it->frames);
    ScatterFrame(&m, globals);
}

TD_SIMD_INLINE void ScatterRotations(const GroupRun* it, float* const locals[8])
{
    tdVec3x8 v = LoadRows(it->rotations, it->stride);
    tdFloat8 q[4] = {v.x, v.y, v.z, tdLoad8(it->rotations + 3 * it->stride)};
    tdScatterRows4x8(locals, offsetof(tdTrs, rotation) / sizeof(float), q);
}

// Leaves out the lanes that a body writes and those that are no joints.
static RARE void WriteSomeLanes(const GroupRun* it, unsigned written)
{
    float unused[16];
    float *globals[8], *locals[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        bool isWritten = (written >> lane & 1u) != 0;
        const tdNodePose* pose = GetLaneRun(it, lane)->pose;
        float *matrices = pose->globals->m, *trs = &pose->locals->translation.x;
        globals[lane] = isWritten ? matrices + it->group->globalPlaces[lane] : unused;
        locals[lane] = isWritten ? trs + it->group->localPlaces[lane] : unused;
    }
    ScatterRotations(it, locals);
    ScatterGlobals(it, globals);
}

// The eighth phase: copies rotations and globals to the pose.
static void WriteGroup(const GroupRun* it)
{
    unsigned written =
        it->pack != NULL ? FindWrittenLanes(it) : it->run->state->written[it->index] & it->joints;
    if (written != 0xffu)
    {
        WriteSomeLanes(it, written);
        return;
    }
    // Eight rows at a time: sixteen do not fit into the registers.
    const uint32_t *globalPlaces = it->group->globalPlaces, *localPlaces = it->group->localPlaces;
#define GLOBAL_ROW(lane) matrices[lane] + globalPlaces[lane]
#define LOCAL_ROW(lane) trs[lane] + localPlaces[lane]
    if (it->pack != NULL)
    {
        float *const *matrices = it->packGlobals, *const *trs = it->packLocals;
        float* locals[8] = {EACH_LANE(LOCAL_ROW)};
        ScatterRotations(it, locals);
        float* globals[8] = {EACH_LANE(GLOBAL_ROW)};
        ScatterGlobals(it, globals);
        return;
    }
#undef GLOBAL_ROW
#undef LOCAL_ROW
#define GLOBAL_ROW(lane) matrices + globalPlaces[lane]
#define LOCAL_ROW(lane) trs + localPlaces[lane]
    float *matrices = it->run->pose->globals->m, *trs = &it->run->pose->locals->translation.x;
    float* locals[8] = {EACH_LANE(LOCAL_ROW)};
    ScatterRotations(it, locals);
    float* globals[8] = {EACH_LANE(GLOBAL_ROW)};
    ScatterGlobals(it, globals);
#undef GLOBAL_ROW
#undef LOCAL_ROW
}

// Tips whose locals are not those of the file.
static RARE void ComposeMovedTips(const GroupRun* it, const SpringFrame* joint, SpringFrame* tip)
{
    const float* locals[8];
    for (int lane = 0; lane < 8; ++lane)
    {
        size_t node = it->group->tipPlaces[lane] / (sizeof(tdMat4) / sizeof(float));
        locals[lane] = &GetLaneRun(it, lane)->pose->locals[node].translation.x;
    }
    tdFloat8 start[4], end[4];
    tdGatherRows4x8(locals, 0, start); // translation, rotation x
    tip->origin = MoveByFrame(joint, (tdVec3x8){start[0], start[1], start[2]});
    tdGatherRows4x8(locals, 6, end); // rotation w, scale
    tdVec3x8 scale = {end[1], end[2], end[3]};
    tdQuatx8 rotation = {{start[3], end[0], end[0]}, end[0]};
    tdGatherRows4x8(locals, 3, end); // rotation
    rotation.v = (tdVec3x8){end[0], end[1], end[2]};
    ComposeFrame(joint, rotation, scale, tip);
}

// The last phase: globals of the tips. A pose in which a body writes a joint leaves them to the sweep.
static void MoveTips(const GroupRun* it)
{
    const tdSpringGroup* group = it->group;
    unsigned tips = group->tips & it->joints;
    if (tips == 0)
    {
        return;
    }
    float unused[16];
    float* globals[8];
    const uint32_t* places = group->tipPlaces;
    if (it->pack != NULL)
    {
#define TIP_ROW(lane) globals[lane] = it->packGlobals[lane] + places[lane]
        EACH_LANE(TIP_ROW);
#undef TIP_ROW
    }
    else
    {
        float* own = it->run->pose->globals->m;
#define TIP_ROW(lane) globals[lane] = own + places[lane]
        EACH_LANE(TIP_ROW);
#undef TIP_ROW
    }
    for (int lane = 0; lane < 8 && (tips != 0xffu || !it->isAtRest); ++lane)
    {
        bool isWritten = (tips >> lane & 1u) != 0 && GetLaneRun(it, lane)->writesAll;
        globals[lane] = isWritten ? globals[lane] : unused;
    }
    SpringFrame joint = LoadFrame(it->frames), tip;
    if (it->isAtRest)
    {
        const tdSpringTips* rest = it->tips;
        tip.origin = MoveByFrame(&joint, tdLoadVec3x8(rest->translation[0]));
        tip.x = TurnByFrame(&joint, tdLoadVec3x8(rest->columns[0]));
        tip.y = TurnByFrame(&joint, tdLoadVec3x8(rest->columns[3]));
        tip.z = TurnByFrame(&joint, tdLoadVec3x8(rest->columns[6]));
    }
    else
    {
        ComposeMovedTips(it, &joint, &tip);
    }
    ScatterFrame(&tip, globals);
}

#define RUN_PHASE(phase)                                                                                     \
    for (int i = 0; i < count; ++i)                                                                          \
    {                                                                                                        \
        phase(&block[i]);                                                                                    \
    }

// Runs one level.
static void RunSpringGroups(const tdSpringCrowd* crowd, int start, int end)
{
    GroupRun block[BLOCK_GROUPS]; // not cleared: every member is set before it is read
    SpringPack pack;              // likewise
    // Only the last group of a level can have fewer joints than lanes. A single pose needs no pack.
    bool hasPack = crowd->runCount > 1 && crowd->runs->state->plan->groups[end - 1].packStart >= 0;
    int vectors = hasPack ? StartPack(&pack, crowd, end - 1) : 0;
    end -= hasPack;
    // The first group of a level has most colliders.
    bool collides = crowd->runs->state->plan->groups[start].colliderCount > 0 || crowd->hitsStage;
    int index = start, run = 0, vector = 0;
    while (index < end || vector < vectors)
    {
        int count = 0;
        for (; count < BLOCK_GROUPS && index < end; ++count)
        {
            PlaceGroup(&block[count], &crowd->runs[run], index);
            run = run + 1 < crowd->runCount ? run + 1 : 0;
            index += run == 0;
        }
        for (; count < BLOCK_GROUPS && vector < vectors; ++count, ++vector)
        {
            PlacePack(&block[count], &pack, vector);
        }
        RUN_PHASE(SwingGroup)
        RUN_PHASE(RestoreGroup)
        if (collides)
        {
            RUN_PHASE(CollideGroup)
        }
        RUN_PHASE(AimGroup)
        RUN_PHASE(TurnGroup)
        for (int i = 0; i < count; ++i)
        {
            MoveGroup(&block[i]);
            WriteGroup(&block[i]);
        }
        RUN_PHASE(MoveTips)
    }
    if (hasPack)
    {
        FinishPack(&pack);
    }
}

tdSpringKernelFcn* GET_SPRING_KERNEL(void)
{
    return RunSpringGroups;
}
