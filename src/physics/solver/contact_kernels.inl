// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact constraints of several manifolds at once. Included once per vector width (solver_scalar.c,
// solver_sse2.c, solver_avx2.c).
//
// Normal row of a point, anchors rA and rB from the centres of mass, n from A to B:
//
//   C    = dot(cB + rB - cA - rA, n)                       separation, >= 0
//   Cdot = dot(vB - vA, n) + dot(wB, rB x n) - dot(wA, rA x n)
//   J    = [ -n   -(rA x n)   n   rB x n ]
//   k    = 1/mA + 1/mB + (rA x n) IA^-1 (rA x n) + (rB x n) IB^-1 (rB x n),   mass = 1 / k
//
// Anchors and normal are constant during a step. With the displacement d of a centre of mass and the rotation
// vector t = 2 * vector part of deltaRotation of a body since the start of the step:
//
//   C(now) = C(start) + dot(dB - dA, n) + dot(tB, rB x n) - dot(tA, rA x n)
//
// Friction acts at the friction centre f, the mean of the anchors weighted by the last normal impulses, along
// t1 and t2 = n x t1. The 2 x 2 block K of both tangents is inverted, and the impulse is clamped to the
// circle mu * N. Twist about n is a row of its own with Cdot = dot(wB - wA, n), bounded by mu * sum(N_i *
// lever_i). mu is the static coefficient while the manifold sticks, else the dynamic one. A manifold slides
// if the speed of its friction centre at the end of a step exceeds TD_STICKING_SPEED, and sticks otherwise.
// It starts to slide at once if that speed exceeds ten times the threshold before friction acts and the
// static bound is exceeded. See docs/decisions/054.
//
// A spring that carries a load stays compressed. At rest this sag is, for impulses P of a manifold with n
// points,
//
//   s = is / (ms b) * sum(k P) / n
//
// The sag of the mean load is kept per manifold and taken from the separations, so that a contact is soft
// against sudden loads and stiff against lasting ones. Arms are those of a body before its tilt. See
// docs/decisions/085.

#define LANE_OFFSET(type, field) ((int)(offsetof(type, field) / sizeof(float)))

// A kernel processes a group of eight lanes in PASSES passes of one vector each.
#define PASSES (TD_LANES / TD_SIMD_WIDTH)
#define PART_OF(pass) ((pass) % PASSES)
#define FIRST_LANE(pass) (PART_OF(pass) * TD_SIMD_WIDTH)

_Static_assert(TD_SIMD_WIDTH == TD_ROW_LANES, "a pass over one part of a row");

/// A body or joint row, offset so that lane `lane` is the first in every array. Members that are not arrays
/// must be read from the row itself.
#define FROM_LANE(row, lane) ((void*)((float*)(row) + (lane)))

/// Three arrays of a contact row.
#define LOAD_VEC(rows) ((tdVec3x8){tdLoad8((rows)[0]), tdLoad8((rows)[1]), tdLoad8((rows)[2])})

TD_SIMD_INLINE void StoreVec(float (*rows)[TD_ROW_LANES], tdVec3x8 a)
{
    tdStore8(rows[0], a.x);
    tdStore8(rows[1], a.y);
    tdStore8(rows[2], a.z);
}

typedef struct Velocities
{
    tdFloat8 linear[4]; // x y z and the flags, which are copied
    tdFloat8 angular[4];
} Velocities;

TD_SIMD_INLINE tdVec3x8 MakeVec3x8(const tdFloat8* v)
{
    return (tdVec3x8){v[0], v[1], v[2]};
}

TD_SIMD_INLINE void SetVec(tdFloat8* v, tdVec3x8 a)
{
    v[0] = a.x;
    v[1] = a.y;
    v[2] = a.z;
}

TD_SIMD_INLINE Velocities GatherVelocities(const float* states, const int32_t* bodies)
{
    Velocities v;
    tdGather4x8(states, bodies, 0, v.linear);
    tdGather4x8(states, bodies, 4, v.angular);
    return v;
}

TD_SIMD_INLINE void ScatterVelocities(float* states, const int32_t* bodies, const Velocities* v,
                                      unsigned lanes)
{
    if (lanes != 0)
    {
        tdScatter4x8(states, bodies, 0, v->linear, lanes);
        tdScatter4x8(states, bodies, 4, v->angular, lanes);
    }
}

/// 1 in lanes whose bit is set, else 0.
TD_SIMD_INLINE tdFloat8 MakeLaneFlags(unsigned lanes)
{
    float f[TD_SIMD_WIDTH];
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        f[i] = (lanes >> i & 1u) != 0 ? 1.0f : 0.0f;
    }
    return tdLoad8(f);
}

TD_SIMD_INLINE tdFloat8 InvertLanesOrZero(tdFloat8 a)
{
    tdMask8 positive = tdLess8(tdZero8(), a);
    return tdSelect8(positive, tdDiv8(tdSplat8(1.0f), tdSelect8(positive, a, tdSplat8(1.0f))), tdZero8());
}

/// A unit vector perpendicular to the unit vector n.
TD_SIMD_INLINE tdVec3x8 MakePerpendicular(tdVec3x8 n)
{
    tdMask8 large = tdLessEqual8(tdSplat8(0.5773503f), tdAbs8(n.x));
    tdFloat8 zero = tdZero8();
    tdVec3x8 t = {tdSelect8(large, n.y, zero), tdSelect8(large, tdNegate8(n.x), n.z),
                  tdSelect8(large, zero, tdNegate8(n.y))};
    tdFloat8 squared = tdDotVec3x8(t, t);
    return tdScaleVec3x8(InvertLanesOrZero(tdSqrt8(squared)), t);
}

/// Manifolds with fewer points are no faces: their bodies roll off rather than buckle, and have no sag.
#define FACE_POINTS 3
/// Rate at which the sag of a manifold follows its load, 1/s, and the factor by which it is faster per relative
/// error.
#define SAG_RATE 0.6f
#define SAG_GAIN 5.0f
/// Most of its error that the sag follows in a step.
#define SAG_MOST 0.5f
/// Largest sag, m: a body that is pressed into another is not held by it.
#define MAX_SAG TD_SPECULATIVE_MARGIN
/// Part of the sag that is left: points that overlap a little all carry load.
#define SAG_LEFT 0.15f

typedef struct SideData
{
    tdQuatx8 rotation;
    tdVec3x8 tilt;
    tdFloat8 pileRadius;
    tdVec3x8 center;
    tdSym3x8 invInertia;
    tdFloat8 invMass;
} SideData;

TD_SIMD_INLINE SideData GatherSide(const float* const* sims, const float* const* tilts, tdFloat8 isDynamic)
{
    SideData side;
    tdFloat8 a[4], b[4], c[4], d[4], e[4], f[4];
    tdGatherRows4x8(tilts, 0, f);
    side.tilt = MakeVec3x8(f);
    side.pileRadius = f[3];
    tdGatherRows4x8(sims, LANE_OFFSET(tdBodySim, transform.rotation), a);
    tdGatherRows4x8(sims, LANE_OFFSET(tdBodySim, center), b);
    tdGatherRows4x8(sims, LANE_OFFSET(tdBodySim, invInertia), c);
    tdGatherRows4x8(sims, LANE_OFFSET(tdBodySim, invInertia.xz), d);
    tdGatherRows4x8(sims, LANE_OFFSET(tdBodySim, invMass), e);
    side.rotation = (tdQuatx8){MakeVec3x8(a), a[3]};
    side.center = MakeVec3x8(b);
    tdMask8 mask = tdLess8(tdSplat8(0.5f), isDynamic);
    tdFloat8 zero = tdZero8();
    side.invInertia =
        (tdSym3x8){tdSelect8(mask, c[0], zero), tdSelect8(mask, c[1], zero), tdSelect8(mask, c[2], zero),
                   tdSelect8(mask, c[3], zero), tdSelect8(mask, d[0], zero), tdSelect8(mask, d[1], zero)};
    side.invMass = tdSelect8(mask, e[0], zero);
    return side;
}

/// Scale inverse mass and inertia by the occurrences of the body in its group (mass splitting).
TD_SIMD_INLINE void SplitSide(SideData* side, uint32_t pieces)
{
    float f[TD_SIMD_WIDTH];
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        f[i] = (float)((pieces >> 4 * i & 15u) + 1u);
    }
    tdFloat8 n = tdLoad8(f);
    tdSym3x8* inv = &side->invInertia;
    side->invMass = tdMul8(n, side->invMass);
    *inv = (tdSym3x8){tdMul8(n, inv->xx), tdMul8(n, inv->yy), tdMul8(n, inv->zz),
                      tdMul8(n, inv->xy), tdMul8(n, inv->xz), tdMul8(n, inv->yz)};
}

TD_SIMD_INLINE void PrepareFriction(tdContactRow* row, const SideData* a, const SideData* b, tdVec3x8 n,
                                    tdVec3x8 fA, tdVec3x8 fB, tdVec3x8 impulse)
{
    tdVec3x8 t1 = MakePerpendicular(n);
    tdVec3x8 t2 = tdCrossVec3x8(n, t1);
    StoreVec(row->tangent1, t1);
    tdVec3x8 rAt1 = tdCrossVec3x8(fA, t1), rBt1 = tdCrossVec3x8(fB, t1);
    tdVec3x8 rAt2 = tdCrossVec3x8(fA, t2), rBt2 = tdCrossVec3x8(fB, t2);
    tdVec3x8 iAt1 = tdMulSym3x8(&a->invInertia, rAt1), iBt1 = tdMulSym3x8(&b->invInertia, rBt1);
    tdVec3x8 iAt2 = tdMulSym3x8(&a->invInertia, rAt2), iBt2 = tdMulSym3x8(&b->invInertia, rBt2);
    StoreVec(row->rAt1, rAt1);
    StoreVec(row->rBt1, rBt1);
    StoreVec(row->rAt2, rAt2);
    StoreVec(row->rBt2, rBt2);
    StoreVec(row->iAt1, iAt1);
    StoreVec(row->iBt1, iBt1);
    StoreVec(row->iAt2, iAt2);
    StoreVec(row->iBt2, iBt2);
    tdFloat8 m = tdAdd8(a->invMass, b->invMass);
    tdFloat8 k11 = tdAdd8(m, tdAdd8(tdDotVec3x8(rAt1, iAt1), tdDotVec3x8(rBt1, iBt1)));
    tdFloat8 k22 = tdAdd8(m, tdAdd8(tdDotVec3x8(rAt2, iAt2), tdDotVec3x8(rBt2, iBt2)));
    tdFloat8 k12 = tdAdd8(tdDotVec3x8(rAt1, iAt2), tdDotVec3x8(rBt1, iBt2));
    // A block of rank one (a body that can only turn about one axis) has the pseudo-inverse with factor 1 /
    // trace.
    tdFloat8 product = tdMul8(k11, k22);
    tdFloat8 determinant = tdSub8(product, tdMul8(k12, k12));
    tdMask8 regular = tdLess8(tdMul8(tdSplat8(1.0e-5f), product), determinant);
    tdFloat8 d = InvertLanesOrZero(determinant), trace = InvertLanesOrZero(tdAdd8(k11, k22));
    tdStore8(row->inv11, tdSelect8(regular, tdMul8(k22, d), trace));
    tdStore8(row->inv22, tdSelect8(regular, tdMul8(k11, d), trace));
    tdStore8(row->inv12, tdSelect8(regular, tdNegate8(tdMul8(k12, d)), tdZero8()));
    tdStore8(row->friction1, tdDotVec3x8(impulse, t1));
    tdStore8(row->friction2, tdDotVec3x8(impulse, t2));
    tdVec3x8 iAtwist = tdMulSym3x8(&a->invInertia, n), iBtwist = tdMulSym3x8(&b->invInertia, n);
    StoreVec(row->iAtwist, iAtwist);
    StoreVec(row->iBtwist, iBtwist);
    tdStore8(row->twistMass, InvertLanesOrZero(tdAdd8(tdDotVec3x8(n, iAtwist), tdDotVec3x8(n, iBtwist))));
}

/// Move the anchors of a round body from its axis to its surface, and those of the other body along its
/// surface. Lanes without rolling keep theirs bit by bit.
TD_SIMD_INLINE void FollowRolling(tdVec3x8* rA, tdVec3x8* rB, tdVec3x8 d, tdVec3x8 n, tdFloat8 roll,
                                  tdMask8 rollsA)
{
    tdFloat8 zero = tdZero8(), one = tdSplat8(1.0f);
    tdVec3x8 a = tdMulAddVec3x8(*rA, tdSelect8(rollsA, roll, zero), n);
    tdVec3x8 b = tdMulSubVec3x8(*rB, tdSelect8(rollsA, zero, roll), n);
    tdVec3x8 offset = tdAddVec3x8(d, tdSubVec3x8(b, a));
    tdVec3x8 along = tdMulSubVec3x8(offset, tdDotVec3x8(offset, n), n);
    tdMask8 rolls = tdLess8(zero, roll);
    *rA = tdSelectVec3x8(rolls, tdMulAddVec3x8(a, tdSelect8(rollsA, zero, one), along), *rA);
    *rB = tdSelectVec3x8(rolls, tdMulSubVec3x8(b, tdSelect8(rollsA, one, zero), along), *rB);
}

/// An arm as it was before the tilt of its body. Lanes without tilt keep theirs bit by bit.
TD_SIMD_INLINE tdVec3x8 TakeTilt(tdVec3x8 arm, tdVec3x8 tilt, tdMask8 tilted)
{
    return tdSelectVec3x8(tilted, tdSubVec3x8(arm, tdCrossVec3x8(tilt, arm)), arm);
}

/// The sag of a manifold after a step under `full`, the sag of its load at rest. More than that would push
/// across a gap.
TD_SIMD_INLINE tdFloat8 FollowSag(tdFloat8 sag, tdFloat8 full, float timeStep)
{
    full = tdMin8(full, tdSplat8(MAX_SAG));
    sag = tdMin8(sag, full);
    tdFloat8 error = tdSub8(tdMul8(tdSplat8(1.0f / (1.0f + SAG_LEFT)), full), sag);
    tdFloat8 relative = tdMul8(tdAbs8(error), InvertLanesOrZero(full));
    tdFloat8 rate =
        tdMul8(tdSplat8(SAG_RATE * timeStep), tdAdd8(tdSplat8(1.0f), tdMul8(tdSplat8(SAG_GAIN), relative)));
    return tdAdd8(sag, tdMul8(tdMin8(rate, tdSplat8(SAG_MOST)), error));
}

/// Share of a sag that a contact has after a few steps of its load, but not after one impact.
#define LASTING_SHARE 0.1f

/// Lanes of piles whose sag exceeds a share of a body's inner radius.
TD_SIMD_INLINE unsigned FindSoftLanes(const SideData* a, const SideData* b, tdFloat8 sag, float share)
{
    tdFloat8 zero = tdZero8(), least = tdSplat8(share);
    tdMask8 softA = tdAndMask8(tdLess8(zero, a->pileRadius), tdLess8(tdMul8(least, a->pileRadius), sag));
    tdMask8 softB = tdAndMask8(tdLess8(zero, b->pileRadius), tdLess8(tdMul8(least, b->pileRadius), sag));
    return tdMaskBits8(softA) | tdMaskBits8(softB);
}

/// Prepare one part of a row. `manifolds` has a zero manifold for lanes without one.
TD_SIMD_INLINE void PrepareRow(const tdSolverStep* step, tdContactRow* row, float* const* manifolds,
                               const SideData* a, const SideData* b, tdMask8 bothDynamic)
{
    const float* const* rows = (const float* const*)manifolds;
    tdFloat8 head[4], impulse[4], material[4];
    tdGatherRows4x8(rows, LANE_OFFSET(tdContactManifold, normal), head);
    tdGatherRows4x8(rows, LANE_OFFSET(tdContactManifold, frictionImpulse), impulse);
    tdGatherRows4x8(rows, LANE_OFFSET(tdContactManifold, staticFriction), material);
    tdFloat8 extra[4];
    tdGatherRows4x8(rows, LANE_OFFSET(tdContactManifold, sag), extra);
    tdMask8 rollsA = tdLess8(tdSplat8(0.5f), extra[1]), rolls = tdLess8(tdZero8(), extra[2]);
    bool anyRolls = tdMaskBits8(rolls) != 0;
    tdQuatx8 frame = a->rotation;
    if (anyRolls)
    {
        frame.v = tdSelectVec3x8(rollsA, b->rotation.v, frame.v);
        frame.w = tdSelect8(rollsA, b->rotation.w, frame.w);
    }
    tdVec3x8 n = tdRotatex8(frame, MakeVec3x8(head));
    StoreVec(row->normal, n);
    tdStore8(row->invMassA, a->invMass);
    tdStore8(row->invMassB, b->invMass);
    const tdSoftness* soft = &step->contactSoftness;
    const tdSoftness* hard = &step->staticSoftness;
    tdStore8(row->biasRate, tdSelect8(bothDynamic, tdSplat8(soft->biasRate), tdSplat8(hard->biasRate)));
    tdStore8(row->massScale, tdSelect8(bothDynamic, tdSplat8(soft->massScale), tdSplat8(hard->massScale)));
    tdStore8(row->impulseScale,
             tdSelect8(bothDynamic, tdSplat8(soft->impulseScale), tdSplat8(hard->impulseScale)));
    tdStore8(row->twist, impulse[3]);
    // A static coefficient below the dynamic one is raised to it: friction at rest is at least that of
    // sliding.
    tdStore8(row->staticFriction, tdMax8(material[0], material[1]));
    tdStore8(row->dynamicFriction, material[1]);
    tdStore8(row->restitution, material[2]);

    tdVec3x8 d = tdSubVec3x8(b->center, a->center);
    tdVec3x8 rA[TD_MAX_MANIFOLD_POINTS], rB[TD_MAX_MANIFOLD_POINTS];
    tdFloat8 weight[TD_MAX_MANIFOLD_POINTS];
    tdFloat8 impulseSum = tdZero8(), count = tdZero8(), loadSum = tdZero8();
    tdFloat8 m = tdAdd8(a->invMass, b->invMass);
    float present[TD_MAX_MANIFOLD_POINTS][TD_SIMD_WIDTH], least[TD_SIMD_WIDTH];
    for (int k = 0; k < row->pointCount; ++k)
    {
        for (int i = 0; i < TD_SIMD_WIDTH; ++i)
        {
            present[k][i] =
                k < ((const tdContactManifold*)(const void*)manifolds[i])->pointCount ? 1.0f : 0.0f;
        }
    }
    tdFloat8 isFace = row->pointCount < FACE_POINTS ? tdZero8() : tdLoad8(present[FACE_POINTS - 1]);
    tdMask8 tiltedA = tdLess8(tdZero8(), tdMul8(isFace, tdDotVec3x8(a->tilt, a->tilt)));
    tdMask8 tiltedB = tdLess8(tdZero8(), tdMul8(isFace, tdDotVec3x8(b->tilt, b->tilt)));
    bool anyTilted = (tdMaskBits8(tiltedA) | tdMaskBits8(tiltedB)) != 0;
    tdFloat8 minSeparation = tdSplat8(1.0e10f);
    for (int k = 0; k < row->pointCount; ++k)
    {
        tdPointRow* point = row->points + k;
        tdFloat8 p[4], q[4];
        int offset =
            LANE_OFFSET(tdContactManifold, points) + k * (int)(sizeof(tdContactPoint) / sizeof(float));
        tdGatherRows4x8(rows, offset, p);
        tdGatherRows4x8(rows, offset + 4, q);
        tdFloat8 exists = tdLoad8(present[k]);
        tdMask8 mask = tdLess8(tdSplat8(0.5f), exists);
        rA[k] = tdRotatex8(a->rotation, MakeVec3x8(p));
        rB[k] = tdRotatex8(b->rotation, MakeVec3x8(q));
        if (anyRolls && k < 2)
        {
            FollowRolling(&rA[k], &rB[k], d, n, extra[2 + k], rollsA);
        }
        tdFloat8 separation =
            tdSelect8(mask, tdDotVec3x8(tdAddVec3x8(d, tdSubVec3x8(rB[k], rA[k])), n), tdSplat8(1.0e10f));
        if (anyTilted)
        {
            rA[k] = TakeTilt(rA[k], a->tilt, tiltedA);
            rB[k] = TakeTilt(rB[k], b->tilt, tiltedB);
        }
        tdVec3x8 zero = {tdZero8(), tdZero8(), tdZero8()};
        tdVec3x8 rAn = tdSelectVec3x8(mask, tdCrossVec3x8(rA[k], n), zero);
        tdVec3x8 rBn = tdSelectVec3x8(mask, tdCrossVec3x8(rB[k], n), zero);
        tdVec3x8 iAn = tdMulSym3x8(&a->invInertia, rAn);
        tdVec3x8 iBn = tdMulSym3x8(&b->invInertia, rBn);
        StoreVec(point->rAn, rAn);
        StoreVec(point->rBn, rBn);
        StoreVec(point->iAn, iAn);
        StoreVec(point->iBn, iBn);
        tdFloat8 k11 = tdAdd8(m, tdAdd8(tdDotVec3x8(rAn, iAn), tdDotVec3x8(rBn, iBn)));
        tdStore8(point->mass, tdMul8(exists, InvertLanesOrZero(k11)));
        minSeparation = tdMin8(separation, minSeparation);
        tdStore8(point->separation, separation);
        tdFloat8 old = tdSelect8(mask, p[3], tdZero8());
        tdStore8(point->impulse, old);
        tdStore8(point->total, tdZero8());
        weight[k] = old;
        impulseSum = tdAdd8(impulseSum, old);
        loadSum = tdAdd8(loadSum, tdMul8(old, k11));
        count = tdAdd8(count, exists);
    }
    // Friction centre: weighted by impulse, with a small weight for every point so that new points count.
    tdFloat8 perPoint = InvertLanesOrZero(count);
    tdMask8 isNew = tdLessEqual8(impulseSum, tdZero8());
    tdMask8 landsFlat = tdAndMask8(isNew, tdLess8(tdSplat8(1.5f), count));
    tdStore8(row->isNew, tdSelect8(landsFlat, tdSplat8(1.0f), tdZero8()));
    row->hasNew = tdMaskBits8(landsFlat) != 0;
    tdFloat8 share = tdSelect8(isNew, tdSplat8(1.0f), tdMul8(tdMul8(tdSplat8(0.25f), impulseSum), perPoint));
    tdFloat8 weightSum = tdZero8();
    tdVec3x8 fA = {tdZero8(), tdZero8(), tdZero8()}, fB = fA;
    for (int k = 0; k < row->pointCount; ++k)
    {
        weight[k] = tdMul8(tdLoad8(present[k]), tdAdd8(weight[k], share));
        weightSum = tdAdd8(weightSum, weight[k]);
        fA = tdMulAddVec3x8(fA, weight[k], rA[k]);
        fB = tdMulAddVec3x8(fB, weight[k], rB[k]);
    }
    tdFloat8 invSum = InvertLanesOrZero(weightSum);
    fA = tdScaleVec3x8(invSum, fA);
    fB = tdScaleVec3x8(invSum, fB);
    // A point represents a small patch (TD_PATCH_RADIUS), so that a sphere that spins on a point stops.
    // Its size follows the smaller of the bodies that can move.
    tdFloat8 patch = tdSplat8(TD_PATCH_RADIUS * TD_PATCH_RADIUS),
             patchShare = tdSplat8(TD_PATCH_SHARE * TD_PATCH_SHARE);
    patch = tdSelect8(tdLess8(tdZero8(), a->invMass), tdMin8(patch, tdMul8(patchShare, tdDotVec3x8(fA, fA))),
                      patch);
    patch = tdSelect8(tdLess8(tdZero8(), b->invMass), tdMin8(patch, tdMul8(patchShare, tdDotVec3x8(fB, fB))),
                      patch);
    for (int k = 0; k < row->pointCount; ++k)
    {
        tdVec3x8 arm = tdSubVec3x8(rA[k], fA);
        tdFloat8 lever = tdSqrt8(tdMax8(tdDotVec3x8(arm, arm), patch));
        tdStore8(row->points[k].lever,
                 tdSelect8(tdLess8(tdSplat8(0.5f), tdLoad8(present[k])), lever, tdZero8()));
    }
    PrepareFriction(row, a, b, n, fA, fB, MakeVec3x8(impulse));
    tdFloat8 compliance =
        tdSelect8(bothDynamic, tdSplat8(step->contactCompliance), tdSplat8(step->staticCompliance));
    tdFloat8 full = tdMul8(tdMul8(isFace, compliance), tdMul8(loadSum, perPoint));
    tdFloat8 sag = FollowSag(extra[0], full, step->timeStep);
    for (int k = 0; k < row->pointCount; ++k)
    {
        tdPointRow* point = row->points + k;
        tdStore8(point->separation, tdSub8(tdLoad8(point->separation), sag));
    }
    unsigned keptLanes = FindSoftLanes(a, b, sag, step->keptSag), softLanes = 0;
    if (keptLanes != 0)
    {
        softLanes = keptLanes & FindSoftLanes(a, b, full, step->softSag) &
                    FindSoftLanes(a, b, sag, LASTING_SHARE * step->softSag);
        atomic_store_explicit(step->needsSprings, 1, memory_order_relaxed);
    }
    float sags[TD_SIMD_WIDTH];
    tdStore8(least, minSeparation);
    tdStore8(sags, sag);
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        tdContactManifold* manifold = (tdContactManifold*)(void*)manifolds[i];
        manifold->isOverlapping = least[i] <= 0.0f;
        manifold->sag = sags[i];
        manifold->springNeed = (uint8_t)((keptLanes >> i & 1u) + (softLanes >> i & 1u));
    }
}

/// The manifold of a lane in the given row of its group, `none` if it has fewer.
TD_SIMD_INLINE tdContactManifold* FindManifold(const tdSolverStep* step, const tdContactGroup* group,
                                               int lane, int round, tdContactManifold* none)
{
    if (group->touching[lane] < 0)
    {
        return none;
    }
    const tdTouchingContact* touching = step->touchingContacts + group->touching[lane];
    return round < touching->manifoldCount ? step->manifolds + touching->firstManifold + round : none;
}

/// Counts and flags of all eight lanes.
TD_SIMD_INLINE void SetRowFlags(const tdSolverStep* step, const tdContactGroup* group, int round,
                                tdContactManifold* empty)
{
    int pointCount = 0, hasRestitution = 0;
    for (int i = 0; i < TD_LANES; ++i)
    {
        const tdContactManifold* manifold = FindManifold(step, group, i, round, empty);
        pointCount = manifold->pointCount > pointCount ? manifold->pointCount : pointCount;
        hasRestitution |= manifold->restitution > 0.0f;
    }
    for (int p = 0; p < PASSES; ++p)
    {
        tdContactRow* row = &step->rows[group->firstRow + round].part[p];
        row->pointCount = pointCount;
        row->hasRestitution = hasRestitution;
    }
}

static void PrepareContacts(const tdSolverStep* step, int start, int end)
{
    tdContactManifold empty = {.normal = {0.0f, 1.0f, 0.0f}};
    tdBodySim fixed = {.transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}}};
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdContactGroup* group = step->groups + pass / PASSES;
        int part = PART_OF(pass), lane = FIRST_LANE(pass);
        const float *simA[TD_SIMD_WIDTH], *simB[TD_SIMD_WIDTH], *tiltA[TD_SIMD_WIDTH], *tiltB[TD_SIMD_WIDTH];
        for (int i = 0; i < TD_SIMD_WIDTH; ++i)
        {
            simA[i] = simB[i] = (const float*)&fixed;
            tiltA[i] = tiltB[i] = (const float*)step->tilts;
            if (group->touching[lane + i] >= 0)
            {
                const tdTouchingContact* touching = step->touchingContacts + group->touching[lane + i];
                simA[i] = (const float*)(touching->simA > 0 ? step->sims + touching->simA
                                                            : step->restSims + ~touching->simA);
                simB[i] = (const float*)(touching->simB > 0 ? step->sims + touching->simB
                                                            : step->restSims + ~touching->simB);
                tiltA[i] = (const float*)(step->tilts + tdMaxInt(touching->simA, 0));
                tiltB[i] = (const float*)(step->tilts + tdMaxInt(touching->simB, 0));
            }
        }
        SideData a = GatherSide(simA, tiltA, MakeLaneFlags(group->writeA >> lane));
        SideData b = GatherSide(simB, tiltB, MakeLaneFlags(group->writeB >> lane));
        if ((group->piecesA | group->piecesB) != 0)
        {
            SplitSide(&a, group->piecesA >> 4 * lane);
            SplitSide(&b, group->piecesB >> 4 * lane);
        }
        tdMask8 bothDynamic = tdLess8(tdSplat8(0.5f), MakeLaneFlags((group->writeA & group->writeB) >> lane));
        for (int round = 0; round < group->rowCount; ++round)
        {
            tdContactRows* rows = step->rows + group->firstRow + round;
            if (part == 0)
            {
                SetRowFlags(step, group, round, &empty);
            }
            float* manifolds[TD_SIMD_WIDTH];
            for (int i = 0; i < TD_SIMD_WIDTH; ++i)
            {
                tdContactManifold* manifold = FindManifold(step, group, lane + i, round, &empty);
                manifolds[i] = (float*)manifold;
                rows->part[part].sticking[i] = manifold->isSticking ? 1.0f : 0.0f;
            }
            PrepareRow(step, &rows->part[part], manifolds, &a, &b, bothDynamic);
            for (int p = 0; p < part; ++p) // all parts of a row get the same flags
            {
                rows->part[part].hasNew |= rows->part[p].hasNew;
                rows->part[p].hasNew = rows->part[part].hasNew;
            }
        }
    }
}

static void WarmStartContacts(const tdSolverStep* step, int start, int end)
{
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdContactGroup* group = step->groups + pass / PASSES;
        int part = PART_OF(pass), lane = FIRST_LANE(pass);
        Velocities a = GatherVelocities(step->states, group->bodyA + lane);
        Velocities b = GatherVelocities(step->states, group->bodyB + lane);
        tdVec3x8 vA = MakeVec3x8(a.linear), wA = MakeVec3x8(a.angular), vB = MakeVec3x8(b.linear),
                 wB = MakeVec3x8(b.angular);
        for (int round = 0; round < group->rowCount; ++round)
        {
            const tdContactRow* row = &step->rows[group->firstRow + round].part[part];
            tdVec3x8 n = LOAD_VEC(row->normal);
            tdVec3x8 t1 = LOAD_VEC(row->tangent1);
            tdVec3x8 t2 = tdCrossVec3x8(n, t1);
            tdFloat8 f1 = tdLoad8(row->friction1), f2 = tdLoad8(row->friction2), twist = tdLoad8(row->twist);
            tdFloat8 sum = tdZero8();
            for (int k = 0; k < row->pointCount; ++k)
            {
                const tdPointRow* point = row->points + k;
                tdFloat8 impulse = tdLoad8(point->impulse);
                sum = tdAdd8(sum, impulse);
                wA = tdMulSubVec3x8(wA, impulse, LOAD_VEC(point->iAn));
                wB = tdMulAddVec3x8(wB, impulse, LOAD_VEC(point->iBn));
            }
            tdVec3x8 p = tdMulAddVec3x8(tdMulAddVec3x8(tdScaleVec3x8(sum, n), f1, t1), f2, t2);
            vA = tdMulSubVec3x8(vA, tdLoad8(row->invMassA), p);
            vB = tdMulAddVec3x8(vB, tdLoad8(row->invMassB), p);
            wA = tdMulSubVec3x8(wA, f1, LOAD_VEC(row->iAt1));
            wB = tdMulAddVec3x8(wB, f1, LOAD_VEC(row->iBt1));
            wA = tdMulSubVec3x8(wA, f2, LOAD_VEC(row->iAt2));
            wB = tdMulAddVec3x8(wB, f2, LOAD_VEC(row->iBt2));
            wA = tdMulSubVec3x8(wA, twist, LOAD_VEC(row->iAtwist));
            wB = tdMulAddVec3x8(wB, twist, LOAD_VEC(row->iBtwist));
        }
        SetVec(a.linear, vA);
        SetVec(a.angular, wA);
        SetVec(b.linear, vB);
        SetVec(b.angular, wB);
        ScatterVelocities(step->states, group->bodyA + lane, &a, group->writeA >> lane);
        ScatterVelocities(step->states, group->bodyB + lane, &b, group->writeB >> lane);
    }
}

/// Displacement of B relative to A, and twice the rotation vectors of both.
typedef struct Displacement
{
    tdVec3x8 d, tA, tB;
} Displacement;

TD_SIMD_INLINE Displacement GatherDisplacement(const float* states, const int32_t* bodyA,
                                               const int32_t* bodyB)
{
    tdFloat8 dA[4], dB[4], qA[4], qB[4];
    tdGather4x8(states, bodyA, 8, dA);
    tdGather4x8(states, bodyB, 8, dB);
    tdGather4x8(states, bodyA, 12, qA);
    tdGather4x8(states, bodyB, 12, qB);
    tdFloat8 two = tdSplat8(2.0f);
    return (Displacement){tdSubVec3x8(MakeVec3x8(dB), MakeVec3x8(dA)), tdScaleVec3x8(two, MakeVec3x8(qA)),
                          tdScaleVec3x8(two, MakeVec3x8(qB))};
}

/// Solve the friction of a row with the current normal impulses.
TD_SIMD_INLINE void SolveFriction(tdContactRow* row, tdVec3x8 n, tdFloat8 normalSum, tdFloat8 leverSum,
                                  tdVec3x8* vA, tdVec3x8* wA, tdVec3x8* vB, tdVec3x8* wB)
{
    tdMask8 sticking = tdLess8(tdSplat8(0.5f), tdLoad8(row->sticking));
    tdFloat8 muS = tdLoad8(row->staticFriction), muD = tdLoad8(row->dynamicFriction);

    // Twist.
    tdFloat8 twist = tdLoad8(row->twist);
    tdFloat8 limit = tdMul8(tdSelect8(sticking, muS, muD), leverSum);
    tdFloat8 spin = tdDotVec3x8(tdSubVec3x8(*wB, *wA), n);
    tdFloat8 wanted = tdSub8(twist, tdMul8(tdLoad8(row->twistMass), spin));
    wanted = tdMax8(tdMin8(wanted, limit), tdNegate8(limit));
    tdFloat8 delta = tdSub8(wanted, twist);
    tdStore8(row->twist, wanted);
    *wA = tdMulSubVec3x8(*wA, delta, LOAD_VEC(row->iAtwist));
    *wB = tdMulAddVec3x8(*wB, delta, LOAD_VEC(row->iBtwist));

    // Tangents.
    tdVec3x8 t1 = LOAD_VEC(row->tangent1);
    tdVec3x8 t2 = tdCrossVec3x8(n, t1);
    tdVec3x8 v = tdSubVec3x8(*vB, *vA);
    tdFloat8 v1 = tdAdd8(tdDotVec3x8(v, t1), tdSub8(tdDotVec3x8(*wB, LOAD_VEC(row->rBt1)),
                                                    tdDotVec3x8(*wA, LOAD_VEC(row->rAt1))));
    tdFloat8 v2 = tdAdd8(tdDotVec3x8(v, t2), tdSub8(tdDotVec3x8(*wB, LOAD_VEC(row->rBt2)),
                                                    tdDotVec3x8(*wA, LOAD_VEC(row->rAt2))));
    tdFloat8 old1 = tdLoad8(row->friction1), old2 = tdLoad8(row->friction2), inv12 = tdLoad8(row->inv12);
    tdFloat8 f1 = tdSub8(old1, tdAdd8(tdMul8(tdLoad8(row->inv11), v1), tdMul8(inv12, v2)));
    tdFloat8 f2 = tdSub8(old2, tdAdd8(tdMul8(inv12, v1), tdMul8(tdLoad8(row->inv22), v2)));
    tdFloat8 length = tdSqrt8(tdAdd8(tdMul8(f1, f1), tdMul8(f2, f2)));
    tdFloat8 bound = tdMul8(tdSelect8(sticking, muS, muD), normalSum);
    tdMask8 exceeds = tdLess8(bound, length);
    tdFloat8 square = tdAdd8(tdMul8(v1, v1), tdMul8(v2, v2));
    tdMask8 slips =
        tdAndMask8(exceeds, tdLess8(tdSplat8(100.0f * TD_STICKING_SPEED * TD_STICKING_SPEED), square));
    // A sticking manifold keeps its static bound for the whole step: the normal impulses of one pass may be
    // smaller than their final values, which alone must not make it slide.
    tdFloat8 allowed = tdSelect8(slips, tdMul8(muD, normalSum), bound);
    // Sliding friction opposes the velocity. The clamped impulse does not if the block is anisotropic (a long
    // box would drift sideways); an additional step along -v converges to it over the sub-steps.
    tdFloat8 rate = tdMul8(tdSplat8(0.5f), tdAdd8(tdLoad8(row->inv11), tdLoad8(row->inv22)));
    tdFloat8 g1 = tdSub8(old1, tdMul8(rate, v1)), g2 = tdSub8(old2, tdMul8(rate, v2));
    tdFloat8 scale = tdMul8(allowed, InvertLanesOrZero(tdSqrt8(tdAdd8(tdMul8(g1, g1), tdMul8(g2, g2)))));
    f1 = tdSelect8(exceeds, tdMul8(g1, scale), f1);
    f2 = tdSelect8(exceeds, tdMul8(g2, scale), f2);
    tdStore8(row->friction1, f1);
    tdStore8(row->friction2, f2);
    tdStore8(row->sticking, tdSelect8(slips, tdZero8(), tdLoad8(row->sticking)));
    tdFloat8 d1 = tdSub8(f1, old1), d2 = tdSub8(f2, old2);
    tdVec3x8 p = tdMulAddVec3x8(tdScaleVec3x8(d1, t1), d2, t2);
    *vA = tdMulSubVec3x8(*vA, tdLoad8(row->invMassA), p);
    *vB = tdMulAddVec3x8(*vB, tdLoad8(row->invMassB), p);
    *wA = tdMulSubVec3x8(*wA, d1, LOAD_VEC(row->iAt1));
    *wA = tdMulSubVec3x8(*wA, d2, LOAD_VEC(row->iAt2));
    *wB = tdMulAddVec3x8(*wB, d1, LOAD_VEC(row->iBt1));
    *wB = tdMulAddVec3x8(*wB, d2, LOAD_VEC(row->iBt2));
}

/// The lanes that the impact phase of the next sub-step handles: with restitution, faster than the threshold,
/// and with a gap s that still closes. Rounding may make the gap of a touching contact slightly negative.
TD_SIMD_INLINE tdMask8 FindPendingImpacts(const tdSolverStep* step, const tdContactRow* row, tdFloat8 vn,
                                          tdFloat8 s)
{
    tdMask8 bouncy = tdLess8(tdZero8(), tdLoad8(row->restitution));
    tdMask8 isFast = tdLess8(vn, tdSplat8(-step->restitutionThreshold));
    tdMask8 closes = tdLess8(tdMul8(tdSplat8(0.05f * step->subStep), vn), s);
    return tdAndMask8(tdAndMask8(bouncy, isFast), closes);
}

/// Values of a row that a pass over its points accumulates.
typedef struct RowPass
{
    tdFloat8 linear;   // normal velocity of the centres of mass, common to all points
    tdFloat8 m;        // 1/mA + 1/mB
    tdFloat8 shift;    // change of the separations by displacement
    tdFloat8 deltaSum; // impulse of this pass so far
} RowPass;

/// Stop all approaching points of a new manifold together: one equal impulse on each makes the mean of their
/// speeds zero. Point by point, the first corner of a box that lands flat would take most of the impulse, and
/// the box would spin.
///
///   lambda = - sum(v_k) / (n (n m + |S|^2_{I^-1} / n)),   S = sum of r_k x n over the n points that approach
TD_SIMD_INLINE void StopPointsTogether(const tdSolverStep* step, tdContactRow* row,
                                       const Displacement* travel, tdFloat8 invSubStep, RowPass* pass,
                                       tdVec3x8* wA, tdVec3x8* wB)
{
    tdFloat8 zero = tdZero8(), one = tdSplat8(1.0f);
    tdMask8 isNew = tdLess8(tdSplat8(0.5f), tdLoad8(row->isNew));
    tdFloat8 weight[TD_MAX_MANIFOLD_POINTS], speeds[TD_MAX_MANIFOLD_POINTS];
    unsigned any = 0;
    for (int k = 0; k < row->pointCount; ++k)
    {
        tdPointRow* point = row->points + k;
        tdVec3x8 rAn = LOAD_VEC(point->rAn), rBn = LOAD_VEC(point->rBn);
        tdFloat8 s = tdAdd8(tdLoad8(point->separation), pass->shift);
        s = tdAdd8(s, tdSub8(tdDotVec3x8(travel->tB, rBn), tdDotVec3x8(travel->tA, rAn)));
        tdFloat8 vn = tdAdd8(pass->linear, tdSub8(tdDotVec3x8(*wB, rBn), tdDotVec3x8(*wA, rAn)));
        tdFloat8 speed = tdAdd8(vn, tdSelect8(tdLess8(zero, s), tdMul8(s, invSubStep), zero));
        tdMask8 approaches = tdAndMask8(isNew, tdLess8(speed, zero));
        approaches = tdAndMask8(approaches, tdLess8(zero, tdLoad8(point->mass)));
        if (row->hasRestitution != 0)
        {
            tdMask8 stays = tdLess8(tdZero8(), tdSelect8(FindPendingImpacts(step, row, vn, s), zero, one));
            approaches = tdAndMask8(approaches, stays);
        }
        weight[k] = tdSelect8(approaches, one, zero);
        speeds[k] = tdSelect8(approaches, speed, zero);
        any |= tdMaskBits8(approaches);
    }
    if (any == 0)
    {
        // No lane has an approaching point. Where one has, the other lanes add the impulse -0, which turns -0
        // into +0. Do the same here, so that no lane depends on its neighbours.
        pass->linear = tdAdd8(pass->linear, zero);
        *wA = tdAddVec3x8(*wA, (tdVec3x8){zero, zero, zero});
        return;
    }
    tdVec3x8 none = {zero, zero, zero};
    tdVec3x8 sA = none, sB = none, iA = none, iB = none;
    tdFloat8 n = zero, sum = zero;
    for (int k = 0; k < row->pointCount; ++k)
    {
        const tdPointRow* point = row->points + k;
        n = tdAdd8(n, weight[k]);
        sum = tdAdd8(sum, speeds[k]);
        sA = tdMulAddVec3x8(sA, weight[k], LOAD_VEC(point->rAn));
        sB = tdMulAddVec3x8(sB, weight[k], LOAD_VEC(point->rBn));
        iA = tdMulAddVec3x8(iA, weight[k], LOAD_VEC(point->iAn));
        iB = tdMulAddVec3x8(iB, weight[k], LOAD_VEC(point->iBn));
    }
    tdFloat8 turning = tdAdd8(tdDotVec3x8(sA, iA), tdDotVec3x8(sB, iB));
    tdFloat8 k11 = tdAdd8(tdMul8(tdMul8(n, n), pass->m), turning); // times n
    tdFloat8 lambda = tdNegate8(tdMul8(sum, InvertLanesOrZero(k11)));
    for (int k = 0; k < row->pointCount; ++k)
    {
        tdPointRow* point = row->points + k;
        tdFloat8 delta = tdMul8(weight[k], lambda);
        tdStore8(point->impulse, tdAdd8(tdLoad8(point->impulse), delta));
        pass->deltaSum = tdAdd8(pass->deltaSum, delta);
    }
    pass->linear = tdAdd8(pass->linear, tdMul8(pass->m, pass->deltaSum));
    *wA = tdMulSubVec3x8(*wA, lambda, iA);
    *wB = tdMulAddVec3x8(*wB, lambda, iB);
}

/// One pass over the rows of a group. The linear part of the normal velocity is one number per lane: an
/// impulse j changes it by j * (1/mA + 1/mB). The sum of all impulses is added to the velocities at the end.
TD_SIMD_INLINE void SolveGroups(const tdSolverStep* step, int start, int end, bool isRelax)
{
    tdFloat8 zero = tdZero8(), one = tdSplat8(1.0f), invSubStep = tdSplat8(step->invSubStep);
    tdFloat8 maxPush = tdSplat8(-step->maxPushSpeed);
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdContactGroup* group = step->groups + pass / PASSES;
        int part = PART_OF(pass), lane = FIRST_LANE(pass);
        Velocities a = GatherVelocities(step->states, group->bodyA + lane);
        Velocities b = GatherVelocities(step->states, group->bodyB + lane);
        Displacement travel = GatherDisplacement(step->states, group->bodyA + lane, group->bodyB + lane);
        tdVec3x8 vA = MakeVec3x8(a.linear), wA = MakeVec3x8(a.angular), vB = MakeVec3x8(b.linear),
                 wB = MakeVec3x8(b.angular);
        for (int round = 0; round < group->rowCount; ++round)
        {
            tdContactRow* row = &step->rows[group->firstRow + round].part[part];
            tdVec3x8 n = LOAD_VEC(row->normal);
            tdFloat8 mA = tdLoad8(row->invMassA), mB = tdLoad8(row->invMassB), m = tdAdd8(mA, mB);
            tdFloat8 biasRate = tdLoad8(row->biasRate), massScale = tdLoad8(row->massScale);
            tdFloat8 impulseScale = tdLoad8(row->impulseScale);
            tdFloat8 linear = tdDotVec3x8(tdSubVec3x8(vB, vA), n);
            tdFloat8 shift = tdDotVec3x8(travel.d, n);
            tdFloat8 deltaSum = zero, normalSum = zero, leverSum = zero;
            if (row->hasNew != 0)
            {
                RowPass now = {linear, m, shift, zero};
                StopPointsTogether(step, row, &travel, invSubStep, &now, &wA, &wB);
                linear = now.linear;
                deltaSum = now.deltaSum;
            }
            for (int k = 0; k < row->pointCount; ++k)
            {
                tdPointRow* point = row->points + k;
                tdVec3x8 rAn = LOAD_VEC(point->rAn), rBn = LOAD_VEC(point->rBn);
                tdFloat8 s = tdAdd8(tdLoad8(point->separation), shift);
                s = tdAdd8(s, tdSub8(tdDotVec3x8(travel.tB, rBn), tdDotVec3x8(travel.tA, rAn)));
                tdFloat8 vn = tdAdd8(linear, tdSub8(tdDotVec3x8(wB, rBn), tdDotVec3x8(wA, rAn)));
                tdFloat8 old = tdLoad8(point->impulse), mass = tdLoad8(point->mass);
                tdMask8 separated = tdLess8(zero, s);
                tdFloat8 gap = tdMul8(s, invSubStep);
                tdFloat8 impulse;
                if (isRelax)
                {
                    tdFloat8 bias = tdSelect8(separated, gap, zero);
                    impulse = tdSub8(old, tdMul8(mass, tdAdd8(vn, bias)));
                    impulse = tdMax8(impulse, zero);
                    if (row->hasRestitution != 0)
                    {
                        impulse = tdSelect8(FindPendingImpacts(step, row, vn, s), old, impulse);
                    }
                }
                else
                {
                    tdFloat8 bias = tdSelect8(separated, gap, tdMax8(tdMul8(biasRate, s), maxPush));
                    tdFloat8 ms = tdSelect8(separated, one, massScale),
                             is = tdSelect8(separated, zero, impulseScale);
                    impulse =
                        tdSub8(old, tdAdd8(tdMul8(tdMul8(mass, ms), tdAdd8(vn, bias)), tdMul8(is, old)));
                    impulse = tdMax8(impulse, zero);
                }
                tdFloat8 delta = tdSub8(impulse, old);
                tdStore8(point->impulse, impulse);
                linear = tdAdd8(linear, tdMul8(m, delta));
                deltaSum = tdAdd8(deltaSum, delta);
                wA = tdMulSubVec3x8(wA, delta, LOAD_VEC(point->iAn));
                wB = tdMulAddVec3x8(wB, delta, LOAD_VEC(point->iBn));
                if (isRelax)
                {
                    normalSum = tdAdd8(normalSum, impulse);
                    tdStore8(point->total, tdAdd8(tdLoad8(point->total), impulse));
                    leverSum = tdAdd8(leverSum, tdMul8(impulse, tdLoad8(point->lever)));
                }
            }
            vA = tdMulSubVec3x8(vA, tdMul8(mA, deltaSum), n);
            vB = tdMulAddVec3x8(vB, tdMul8(mB, deltaSum), n);
            if (isRelax)
            {
                SolveFriction(row, n, normalSum, leverSum, &vA, &wA, &vB, &wB);
            }
        }
        SetVec(a.linear, vA);
        SetVec(a.angular, wA);
        SetVec(b.linear, vB);
        SetVec(b.angular, wB);
        ScatterVelocities(step->states, group->bodyA + lane, &a, group->writeA >> lane);
        ScatterVelocities(step->states, group->bodyB + lane, &b, group->writeB >> lane);
    }
}

static void SolveContacts(const tdSolverStep* step, int start, int end)
{
    SolveGroups(step, start, end, false);
}

static void RelaxContacts(const tdSolverStep* step, int start, int end)
{
    SolveGroups(step, start, end, true);
}

/// Store the impulses in the manifolds. Sliding manifolds whose friction centre came to rest stick again.
static void StoreContacts(const tdSolverStep* step, int start, int end)
{
    tdContactManifold none = {.pointCount = 0};
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdContactGroup* group = step->groups + pass / PASSES;
        int part = PART_OF(pass), lane = FIRST_LANE(pass);
        Velocities a = GatherVelocities(step->states, group->bodyA + lane);
        Velocities b = GatherVelocities(step->states, group->bodyB + lane);
        tdVec3x8 v = tdSubVec3x8(MakeVec3x8(b.linear), MakeVec3x8(a.linear)), wA = MakeVec3x8(a.angular),
                 wB = MakeVec3x8(b.angular);
        for (int round = 0; round < group->rowCount; ++round)
        {
            const tdContactRow* row = &step->rows[group->firstRow + round].part[part];
            tdVec3x8 n = LOAD_VEC(row->normal);
            tdVec3x8 t1 = LOAD_VEC(row->tangent1);
            tdVec3x8 t2 = tdCrossVec3x8(n, t1);
            tdFloat8 v1 = tdAdd8(tdDotVec3x8(v, t1), tdSub8(tdDotVec3x8(wB, LOAD_VEC(row->rBt1)),
                                                            tdDotVec3x8(wA, LOAD_VEC(row->rAt1))));
            tdFloat8 v2 = tdAdd8(tdDotVec3x8(v, t2), tdSub8(tdDotVec3x8(wB, LOAD_VEC(row->rBt2)),
                                                            tdDotVec3x8(wA, LOAD_VEC(row->rAt2))));
            tdFloat8 speed = tdAdd8(tdMul8(v1, v1), tdMul8(v2, v2));
            tdMask8 rests = tdLess8(speed, tdSplat8(TD_STICKING_SPEED * TD_STICKING_SPEED));
            unsigned sticking = tdMaskBits8(rests);
            tdVec3x8 friction =
                tdMulAddVec3x8(tdScaleVec3x8(tdLoad8(row->friction1), t1), tdLoad8(row->friction2), t2);
            // Lanes without a manifold write to a dummy.
            float* manifolds[TD_SIMD_WIDTH];
            for (int i = 0; i < TD_SIMD_WIDTH; ++i)
            {
                manifolds[i] = (float*)FindManifold(step, group, lane + i, round, &none);
            }
            tdFloat8 impulses[4] = {friction.x, friction.y, friction.z, tdLoad8(row->twist)};
            tdScatterRows4x8(manifolds, LANE_OFFSET(tdContactManifold, frictionImpulse), impulses);
            tdFloat8 sum = tdZero8();
            for (int k = 0; k < row->pointCount; ++k)
            {
                sum = tdAdd8(sum, tdLoad8(row->points[k].total));
            }
            float total[TD_SIMD_WIDTH];
            tdStore8(total, sum);
            for (int i = 0; i < TD_SIMD_WIDTH; ++i)
            {
                tdContactManifold* manifold = (tdContactManifold*)(void*)manifolds[i];
                manifold->isSticking = (sticking >> i & 1u) != 0;
                manifold->totalImpulse = total[i];
                for (int k = 0; k < manifold->pointCount; ++k)
                {
                    manifold->points[k].normalImpulse = row->points[k].impulse[i];
                }
            }
        }
    }
}
