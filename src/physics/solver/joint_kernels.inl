// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of the most common joints, eight at a time: the point lock that they all have, cone and twist limits,
// and the rotation locks of hinges and fixed joints. Included once per vector width, after
// contact_kernels.inl. The mathematics is that of joint/joint_rows.c; frames are rotated so that the axis of
// cone, twist or hinge is x.
//
//   Point lock  C = d = cB + rB - cA - rA
//               K = (1/mA + 1/mB) 1 + sum of S(r) I^-1 S(r)^T,   S(r) the matrix of the product r x
//   Cone        with q = (x, y, z, w): angle = 2 atan2(sqrt(y^2 + z^2), sqrt(x^2 + w^2))
//   Twist       angle = 2 atan2(x, w), gradient (1, (w z + x y) / D, (x z - w y) / D), D = x^2 + w^2

/// atan2(y, x) for y, x >= 0, not both 0; polynomial of Abramowitz and Stegun 4.4.49, error 2e-8.
TD_SIMD_INLINE tdFloat8 ComputeQuadrantAtan(tdFloat8 y, tdFloat8 x)
{
    tdMask8 steep = tdLess8(x, y);
    tdFloat8 high = tdSelect8(steep, y, x), low = tdSelect8(steep, x, y);
    tdFloat8 t = tdMul8(low, InvertLanesOrZero(high)), u = tdMul8(t, t);
    tdFloat8 p = tdSplat8(0.0028662257f);
    p = tdAdd8(tdMul8(p, u), tdSplat8(-0.0161657367f));
    p = tdAdd8(tdMul8(p, u), tdSplat8(0.0429096138f));
    p = tdAdd8(tdMul8(p, u), tdSplat8(-0.0752896400f));
    p = tdAdd8(tdMul8(p, u), tdSplat8(0.1065626393f));
    p = tdAdd8(tdMul8(p, u), tdSplat8(-0.1420889944f));
    p = tdAdd8(tdMul8(p, u), tdSplat8(0.1999355085f));
    p = tdAdd8(tdMul8(p, u), tdSplat8(-0.3333314528f));
    tdFloat8 angle = tdMul8(t, tdAdd8(tdMul8(p, u), tdSplat8(1.0f)));
    return tdSelect8(steep, tdSub8(tdSplat8(1.57079633f), angle), angle);
}

TD_SIMD_INLINE tdSym3x8 LoadSym3x8(const float* p)
{
    return (tdSym3x8){tdLoad8(p),      tdLoad8(p + 8),  tdLoad8(p + 16),
                      tdLoad8(p + 24), tdLoad8(p + 32), tdLoad8(p + 40)};
}

TD_SIMD_INLINE tdQuatx8 LoadQuatx8(const float* p)
{
    return (tdQuatx8){tdLoadVec3x8(p), tdLoad8(p + 24)};
}

/// k += S(r) I S(r)^T
TD_SIMD_INLINE void AddArm(tdSym3x8* k, const tdSym3x8* inertia, tdVec3x8 r)
{
    tdFloat8 zero = tdZero8();
    tdVec3x8 ax = {zero, r.z, tdNegate8(r.y)}, ay = {tdNegate8(r.z), zero, r.x},
             az = {r.y, tdNegate8(r.x), zero};
    tdVec3x8 ix = tdMulSym3x8(inertia, ax), iy = tdMulSym3x8(inertia, ay), iz = tdMulSym3x8(inertia, az);
    k->xx = tdAdd8(k->xx, tdDotVec3x8(ax, ix));
    k->yy = tdAdd8(k->yy, tdDotVec3x8(ay, iy));
    k->zz = tdAdd8(k->zz, tdDotVec3x8(az, iz));
    k->xy = tdAdd8(k->xy, tdDotVec3x8(ax, iy));
    k->xz = tdAdd8(k->xz, tdDotVec3x8(ax, iz));
    k->yz = tdAdd8(k->yz, tdDotVec3x8(ay, iz));
}

/// Inverse of a symmetric matrix, zero for a singular one.
TD_SIMD_INLINE tdSym3x8 InvertSym3x8(const tdSym3x8* k)
{
    tdFloat8 cxx = tdSub8(tdMul8(k->yy, k->zz), tdMul8(k->yz, k->yz));
    tdFloat8 cxy = tdSub8(tdMul8(k->xz, k->yz), tdMul8(k->xy, k->zz));
    tdFloat8 cxz = tdSub8(tdMul8(k->xy, k->yz), tdMul8(k->xz, k->yy));
    tdFloat8 determinant = tdAdd8(tdAdd8(tdMul8(k->xx, cxx), tdMul8(k->xy, cxy)), tdMul8(k->xz, cxz));
    tdSym3x8 c = {cxx,
                  tdSub8(tdMul8(k->xx, k->zz), tdMul8(k->xz, k->xz)),
                  tdSub8(tdMul8(k->xx, k->yy), tdMul8(k->xy, k->xy)),
                  cxy,
                  cxz,
                  tdSub8(tdMul8(k->xy, k->xz), tdMul8(k->xx, k->yz))};
    tdFloat8 scale = InvertLanesOrZero(determinant);
    return (tdSym3x8){tdMul8(scale, c.xx), tdMul8(scale, c.yy), tdMul8(scale, c.zz),
                      tdMul8(scale, c.xy), tdMul8(scale, c.xz), tdMul8(scale, c.yz)};
}

TD_SIMD_INLINE void StoreSym3x8(float* p, const tdSym3x8* m)
{
    tdStore8(p, m->xx);
    tdStore8(p + 8, m->yy);
    tdStore8(p + 16, m->zz);
    tdStore8(p + 24, m->xy);
    tdStore8(p + 32, m->xz);
    tdStore8(p + 40, m->yz);
}

/// R m R^T
TD_SIMD_INLINE tdSym3x8 TurnSym3x8(tdQuatx8 q, const tdSym3x8* m)
{
    tdFloat8 one = tdSplat8(1.0f), zero = tdZero8();
    // Rows of R are columns of its transpose.
    tdVec3x8 rx = tdInvRotatex8(q, (tdVec3x8){one, zero, zero}),
             ry = tdInvRotatex8(q, (tdVec3x8){zero, one, zero}),
             rz = tdInvRotatex8(q, (tdVec3x8){zero, zero, one});
    tdVec3x8 mx = tdMulSym3x8(m, rx), my = tdMulSym3x8(m, ry), mz = tdMulSym3x8(m, rz);
    return (tdSym3x8){tdDotVec3x8(rx, mx), tdDotVec3x8(ry, my), tdDotVec3x8(rz, mz),
                      tdDotVec3x8(rx, my), tdDotVec3x8(rx, mz), tdDotVec3x8(ry, mz)};
}

/// Velocities and rotations of eight pairs of bodies.
typedef struct PairState
{
    Velocities a, b;
    tdVec3x8 vA, wA, vB, wB;
    tdQuatx8 qA, qB;
} PairState;

TD_SIMD_INLINE PairState GatherPairs(const float* states, const tdJointGroup* group, int lane)
{
    PairState s;
    s.a = GatherVelocities(states, group->bodyA + lane);
    s.b = GatherVelocities(states, group->bodyB + lane);
    s.vA = MakeVec3x8(s.a.linear);
    s.wA = MakeVec3x8(s.a.angular);
    s.vB = MakeVec3x8(s.b.linear);
    s.wB = MakeVec3x8(s.b.angular);
    tdFloat8 q[4];
    tdGather4x8(states, group->bodyA + lane, 12, q);
    s.qA = (tdQuatx8){MakeVec3x8(q), q[3]};
    tdGather4x8(states, group->bodyB + lane, 12, q);
    s.qB = (tdQuatx8){MakeVec3x8(q), q[3]};
    return s;
}

TD_SIMD_INLINE void ScatterPairs(float* states, const tdJointGroup* group, int lane, PairState* s)
{
    SetVec(s->a.linear, s->vA);
    SetVec(s->a.angular, s->wA);
    SetVec(s->b.linear, s->vB);
    SetVec(s->b.angular, s->wB);
    ScatterVelocities(states, group->bodyA + lane, &s->a, group->writeA >> lane);
    ScatterVelocities(states, group->bodyB + lane, &s->b, group->writeB >> lane);
}

TD_SIMD_INLINE void ApplyBall(const tdBallRow* row, const tdSym3x8* iA, const tdSym3x8* iB, tdVec3x8 rA,
                              tdVec3x8 rB, PairState* s, tdVec3x8 p)
{
    s->vA = tdMulSubVec3x8(s->vA, tdLoad8(row->invMassA), p);
    s->vB = tdMulAddVec3x8(s->vB, tdLoad8(row->invMassB), p);
    s->wA = tdSubVec3x8(s->wA, tdMulSym3x8(iA, tdCrossVec3x8(rA, p)));
    s->wB = tdAddVec3x8(s->wB, tdMulSym3x8(iB, tdCrossVec3x8(rB, p)));
}

TD_SIMD_INLINE void ApplyTurn(const tdSym3x8* iA, const tdSym3x8* iB, PairState* s, tdVec3x8 impulse)
{
    s->wA = tdSubVec3x8(s->wA, tdMulSym3x8(iA, impulse));
    s->wB = tdAddVec3x8(s->wB, tdMulSym3x8(iB, impulse));
}

/// Axes and values of the two angular limits.
typedef struct LimitGeometry
{
    tdVec3x8 coneAxis, twistAxis; // gradients, world axes
    tdFloat8 cone, twist;
} LimitGeometry;

TD_SIMD_INLINE LimitGeometry MeasureLimits(const tdLimitRow* row, const PairState* s)
{
    tdQuatx8 qA = tdMulQuatx8(s->qA, LoadQuatx8(&row->turnA[0][0]));
    tdQuatx8 qB = tdMulQuatx8(s->qB, LoadQuatx8(&row->turnB[0][0]));
    tdVec3x8 zero = {tdZero8(), tdZero8(), tdZero8()};
    tdQuatx8 q = tdMulQuatx8((tdQuatx8){tdSubVec3x8(zero, qA.v), qA.w}, qB);
    tdMask8 negative = tdLess8(q.w, tdZero8());
    tdFloat8 sign = tdSelect8(negative, tdSplat8(-1.0f), tdSplat8(1.0f));
    tdFloat8 x = tdMul8(sign, q.v.x), y = tdMul8(sign, q.v.y), z = tdMul8(sign, q.v.z), w = tdMul8(sign, q.w);
    tdFloat8 two = tdSplat8(2.0f), one = tdSplat8(1.0f);
    LimitGeometry g;
    tdFloat8 d = tdAdd8(tdMul8(x, x), tdMul8(w, w));
    g.cone = tdMul8(two, ComputeQuadrantAtan(tdSqrt8(tdAdd8(tdMul8(y, y), tdMul8(z, z))), tdSqrt8(d)));
    tdFloat8 twist = tdMul8(two, ComputeQuadrantAtan(tdAbs8(x), w));
    g.twist = tdSelect8(tdLess8(x, tdZero8()), tdNegate8(twist), twist);
    // Axis x of B has the components by, bz in frame A; the cone angle grows about (0, -bz, by).
    tdFloat8 by = tdAdd8(tdMul8(x, y), tdMul8(z, w)), bz = tdSub8(tdMul8(x, z), tdMul8(y, w));
    tdFloat8 length = tdSqrt8(tdAdd8(tdMul8(by, by), tdMul8(bz, bz)));
    tdMask8 defined = tdLess8(tdSplat8(1.0e-6f), length);
    tdFloat8 s1 = InvertLanesOrZero(length);
    tdVec3x8 axis = {tdZero8(), tdSelect8(defined, tdNegate8(tdMul8(bz, s1)), one),
                     tdSelect8(defined, tdMul8(by, s1), tdZero8())};
    g.coneAxis = tdRotatex8(qA, axis);
    tdFloat8 inverse = tdDiv8(one, tdMax8(d, tdSplat8(1.0e-2f)));
    tdVec3x8 gradient = {one, tdMul8(by, inverse), tdMul8(bz, inverse)};
    g.twistAxis = tdRotatex8(qA, gradient);
    return g;
}

/// The point locks of eight joints in the current pose.
typedef struct BallState
{
    tdVec3x8 rA, rB;
    tdSym3x8 iA, iB, inverse; // inverse of K
    tdVec3x8 impulse;
    tdVec3x8 kept; // impulse of the warm start
} BallState;

/// A rotation row beside a point lock: the impulse -answer * L on the lock keeps the pivot at rest, so the
/// effective mass is the inertia about the pivot (tdJoint_CoupleRows).
typedef struct TurnRow
{
    tdVec3x8 axis, answer;
    tdFloat8 mass;
} TurnRow;

TD_SIMD_INLINE TurnRow MakeTurn(const BallState* ball, tdVec3x8 axis)
{
    tdVec3x8 a = tdMulSym3x8(&ball->iA, axis), b = tdMulSym3x8(&ball->iB, axis);
    tdVec3x8 pivot = tdAddVec3x8(tdCrossVec3x8(b, ball->rB), tdCrossVec3x8(a, ball->rA));
    tdFloat8 k = tdAdd8(tdDotVec3x8(axis, a), tdDotVec3x8(axis, b));
    TurnRow row = {axis, tdMulSym3x8(&ball->inverse, pivot), tdZero8()};
    tdFloat8 left = tdSub8(k, tdDotVec3x8(pivot, row.answer));
    tdMask8 isFree = tdLess8(tdMul8(tdSplat8(1.0e-5f), k), left);
    row.mass = tdSelect8(isFree, InvertLanesOrZero(left), tdZero8());
    return row;
}

/// Solve one bound of a rotation: sign * rate >= -gap / h, or a correction if the gap is negative. A bound
/// that is active stays active in relax, even if its value jumps to a positive gap.
TD_SIMD_INLINE tdFloat8 SolveTurn(const tdSolverStep* step, const tdBallRow* row, BallState* ball,
                                  PairState* s, const TurnRow* turn, float sign, tdFloat8 gap,
                                  float* accumulated, bool isRelax)
{
    tdFloat8 speed = tdMul8(tdSplat8(sign), tdDotVec3x8(turn->axis, tdSubVec3x8(s->wB, s->wA)));
    tdMask8 inside = tdLess8(tdZero8(), gap);
    tdFloat8 ahead = tdMul8(gap, tdSplat8(step->invSubStep)), old = tdLoad8(accumulated), impulse;
    if (isRelax)
    {
        tdFloat8 bias = tdSelect8(tdLess8(tdZero8(), old), tdZero8(), tdMax8(ahead, tdZero8()));
        impulse = tdSub8(old, tdMul8(turn->mass, tdAdd8(speed, bias)));
    }
    else
    {
        const tdSoftness* soft = &step->jointSoftness;
        tdFloat8 push = tdMax8(tdMul8(tdSplat8(soft->biasRate), gap), tdSplat8(-TD_MAX_BOUND_CORRECTION));
        tdFloat8 bias = tdSelect8(inside, ahead, push);
        tdFloat8 massScale = tdSelect8(inside, tdSplat8(1.0f), tdSplat8(soft->massScale));
        tdFloat8 impulseScale = tdSelect8(inside, tdZero8(), tdSplat8(soft->impulseScale));
        tdFloat8 change = tdMul8(tdMul8(turn->mass, massScale), tdAdd8(speed, bias));
        impulse = tdSub8(old, tdAdd8(change, tdMul8(impulseScale, old)));
    }
    impulse = tdMax8(impulse, tdZero8());
    tdStore8(accumulated, impulse);
    tdFloat8 delta = tdMul8(tdSplat8(sign), tdSub8(impulse, old));
    ApplyTurn(&ball->iA, &ball->iB, s, tdScaleVec3x8(delta, turn->axis));
    tdVec3x8 answer = tdScaleVec3x8(tdNegate8(delta), turn->answer);
    ball->impulse = tdAddVec3x8(ball->impulse, answer);
    ApplyBall(row, &ball->iA, &ball->iB, ball->rA, ball->rB, s, answer);
    return impulse;
}

/// Distances of a twist to its bounds, along the shorter arc.
TD_SIMD_INLINE void GetTwistGaps(tdFloat8 twist, tdFloat8 min, tdFloat8 max, tdFloat8* low, tdFloat8* high)
{
    tdFloat8 turn = tdSplat8(6.28318531f), far = tdSplat8(TD_OPEN_LIMIT);
    tdFloat8 lower = tdSub8(twist, min), upper = tdSub8(max, twist);
    tdFloat8 over = tdSub8(tdAdd8(twist, turn), max), under = tdSub8(min, tdSub8(twist, turn));
    tdMask8 wrapsUp = tdAndMask8(tdLess8(lower, tdZero8()), tdLess8(over, tdNegate8(lower)));
    tdMask8 wrapsDown = tdAndMask8(tdLess8(upper, tdZero8()), tdLess8(under, tdNegate8(upper)));
    *low = tdSelect8(wrapsUp, far, tdSelect8(wrapsDown, tdNegate8(under), lower));
    *high = tdSelect8(wrapsDown, far, tdSelect8(wrapsUp, tdNegate8(over), upper));
}

/// Reduce the warm start of a bound to the part that acted in two consecutive sub-steps (as in
/// joint_solve.c).
TD_SIMD_INLINE void RemoveImpact(BallState* ball, const TurnRow* turn, float sign, tdFloat8 now,
                                 float* impulse, float* last)
{
    tdFloat8 kept = tdMin8(now, tdLoad8(last));
    tdFloat8 dropped = tdMul8(tdSplat8(sign), tdSub8(now, kept));
    tdStore8(last, now);
    tdStore8(impulse, kept);
    ball->kept = tdMulAddVec3x8(ball->kept, dropped, turn->answer);
}

/// Project the impulse of a bound from its old axis to the new one (as in joint_solve.c).
TD_SIMD_INLINE void ProjectTurnImpulse(BallState* ball, const TurnRow* turn, const float* oldAxis, float sign,
                                       float* accumulated)
{
    tdVec3x8 old = tdLoadVec3x8(oldAxis);
    tdVec3x8 a = tdMulSym3x8(&ball->iA, turn->axis), b = tdMulSym3x8(&ball->iB, turn->axis);
    tdVec3x8 both = tdAddVec3x8(a, b);
    tdFloat8 share = tdMul8(tdDotVec3x8(both, old), InvertLanesOrZero(tdDotVec3x8(both, turn->axis)));
    share = tdMax8(tdMin8(share, tdSplat8(1.0f)), tdZero8());
    tdFloat8 before = tdLoad8(accumulated), after = tdMul8(share, before);
    tdStore8(accumulated, after);
    TurnRow from = MakeTurn(ball, old);
    ball->impulse = tdMulAddVec3x8(ball->impulse, tdMul8(tdSplat8(sign), tdSub8(before, after)), from.answer);
}

TD_SIMD_SHARED void SolveLimitRow(const tdSolverStep* step, tdLimitRow* row, const tdBallRow* ballRow,
                                  BallState* ball, PairState* s, bool isRelax)
{
    LimitGeometry m = MeasureLimits(row, s);
    tdFloat8 low, high;
    GetTwistGaps(m.twist, tdLoad8(row->twistMin), tdLoad8(row->twistMax), &low, &high);
    TurnRow twist = MakeTurn(ball, m.twistAxis), cone = MakeTurn(ball, m.coneAxis);
    tdFloat8 gap = tdSub8(tdLoad8(row->coneMax), m.cone);
    if (isRelax)
    {
        ProjectTurnImpulse(ball, &twist, &row->twistAxis[0][0], 1.0f, row->lowImpulse);
        ProjectTurnImpulse(ball, &twist, &row->twistAxis[0][0], -1.0f, row->highImpulse);
        ProjectTurnImpulse(ball, &cone, &row->coneAxis[0][0], -1.0f, row->coneImpulse);
    }
    else
    {
        tdStoreVec3x8(&row->twistAxis[0][0], m.twistAxis);
        tdStoreVec3x8(&row->coneAxis[0][0], m.coneAxis);
    }
    tdFloat8 l = SolveTurn(step, ballRow, ball, s, &twist, 1.0f, low, row->lowImpulse, isRelax);
    tdFloat8 h = SolveTurn(step, ballRow, ball, s, &twist, -1.0f, high, row->highImpulse, isRelax);
    tdFloat8 c = SolveTurn(step, ballRow, ball, s, &cone, -1.0f, gap, row->coneImpulse, isRelax);
    if (isRelax)
    {
        tdVec3x8 twistSum = tdLoadVec3x8(&row->twistSum[0][0]), coneSum = tdLoadVec3x8(&row->coneSum[0][0]);
        tdStoreVec3x8(&row->twistSum[0][0], tdMulAddVec3x8(twistSum, tdSub8(l, h), m.twistAxis));
        tdStoreVec3x8(&row->coneSum[0][0], tdMulSubVec3x8(coneSum, c, m.coneAxis));
        RemoveImpact(ball, &twist, 1.0f, l, row->lowImpulse, row->lowLast);
        RemoveImpact(ball, &twist, -1.0f, h, row->highImpulse, row->highLast);
        RemoveImpact(ball, &cone, -1.0f, c, row->coneImpulse, row->coneLast);
    }
}

// Rotation locks. Let e be the axes of frame A, B the columns J_l M^-1 e of their coupling to the point lock
// with matrix K, and A = e I e - B^T K^-1 B the Schur complement. Point lock and rotation locks are solved
// together by
//   p0 = -K^-1 c,   t = -A^-1 (c_e + B^T p0),   p = p0 - K^-1 B t,
// and the inverse effective mass of a hinge limit about x is A_xx - m^T A_yz^-1 m with m = (A_xy, A_xz).
typedef struct TurnLocks
{
    tdVec3x8 e[3], pivot[3], answer[3];
    tdSym3x8 matrix;     // A
    tdVec3x8 error;      // rotation vector to correct, in frame A
    tdFloat8 twist;      // about x; counted over turns after CountTurns8
    tdFloat8 yy, zz, yz; // inverse of A's lower block
    tdSym3x8 inverse;    // of the whole, fixed joints
} TurnLocks;

TD_SIMD_SHARED TurnLocks MeasureTurns(const tdTurnRow* row, const BallState* ball, const PairState* s,
                                      bool isFixed)
{
    tdQuatx8 qA = tdMulQuatx8(s->qA, LoadQuatx8(&row->turnA[0][0]));
    tdQuatx8 qB = tdMulQuatx8(s->qB, LoadQuatx8(&row->turnB[0][0]));
    tdFloat8 zero = tdZero8(), one = tdSplat8(1.0f), two = tdSplat8(2.0f);
    tdQuatx8 q = tdMulQuatx8((tdQuatx8){tdSubVec3x8((tdVec3x8){zero, zero, zero}, qA.v), qA.w}, qB);
    tdFloat8 sign = tdSelect8(tdLess8(q.w, zero), tdSplat8(-1.0f), one);
    tdVec3x8 v = tdScaleVec3x8(sign, q.v);
    tdFloat8 w = tdMul8(sign, q.w);
    TurnLocks t;
    t.e[0] = tdRotatex8(qA, (tdVec3x8){one, zero, zero});
    t.e[1] = tdRotatex8(qA, (tdVec3x8){zero, one, zero});
    t.e[2] = tdCrossVec3x8(t.e[0], t.e[1]);
    tdFloat8 turn = tdMul8(two, ComputeQuadrantAtan(tdAbs8(v.x), w));
    t.twist = tdSelect8(tdLess8(v.x, zero), tdNegate8(turn), turn);
    if (isFixed)
    {
        tdFloat8 length = tdSqrt8(tdDotVec3x8(v, v));
        tdMask8 large = tdLess8(tdSplat8(1.0e-6f), length);
        tdFloat8 rate = tdMul8(tdMul8(two, ComputeQuadrantAtan(length, w)), InvertLanesOrZero(length));
        t.error = tdScaleVec3x8(tdSelect8(large, rate, two), v);
    }
    else
    {
        // The rotation from x of A to x of B, which has no component about x.
        tdFloat8 bx =
            tdSub8(tdAdd8(tdMul8(v.x, v.x), tdMul8(w, w)), tdAdd8(tdMul8(v.y, v.y), tdMul8(v.z, v.z)));
        tdFloat8 by = tdMul8(two, tdAdd8(tdMul8(v.x, v.y), tdMul8(v.z, w)));
        tdFloat8 bz = tdMul8(two, tdSub8(tdMul8(v.x, v.z), tdMul8(v.y, w)));
        tdFloat8 sine = tdSqrt8(tdAdd8(tdMul8(by, by), tdMul8(bz, bz)));
        tdFloat8 angle = ComputeQuadrantAtan(sine, tdAbs8(bx));
        angle = tdSelect8(tdLess8(bx, zero), tdSub8(tdSplat8(3.14159265f), angle), angle);
        tdMask8 large = tdLess8(tdSplat8(1.0e-6f), sine);
        tdFloat8 rate = tdSelect8(large, tdMul8(angle, InvertLanesOrZero(sine)), one);
        tdFloat8 behind = tdSelect8(tdLess8(bx, zero), tdSplat8(3.14159265f), tdNegate8(bz));
        t.error = (tdVec3x8){zero, tdSelect8(large, tdNegate8(tdMul8(rate, bz)), behind), tdMul8(rate, by)};
    }
    tdVec3x8 both[3];
    for (int i = 0; i < 3; ++i)
    {
        tdVec3x8 a = tdMulSym3x8(&ball->iA, t.e[i]), b = tdMulSym3x8(&ball->iB, t.e[i]);
        t.pivot[i] = tdAddVec3x8(tdCrossVec3x8(b, ball->rB), tdCrossVec3x8(a, ball->rA));
        t.answer[i] = tdMulSym3x8(&ball->inverse, t.pivot[i]);
        both[i] = tdAddVec3x8(a, b);
    }
    t.matrix.xx = tdSub8(tdDotVec3x8(t.e[0], both[0]), tdDotVec3x8(t.pivot[0], t.answer[0]));
    t.matrix.yy = tdSub8(tdDotVec3x8(t.e[1], both[1]), tdDotVec3x8(t.pivot[1], t.answer[1]));
    t.matrix.zz = tdSub8(tdDotVec3x8(t.e[2], both[2]), tdDotVec3x8(t.pivot[2], t.answer[2]));
    t.matrix.xy = tdSub8(tdDotVec3x8(t.e[0], both[1]), tdDotVec3x8(t.pivot[0], t.answer[1]));
    t.matrix.xz = tdSub8(tdDotVec3x8(t.e[0], both[2]), tdDotVec3x8(t.pivot[0], t.answer[2]));
    t.matrix.yz = tdSub8(tdDotVec3x8(t.e[1], both[2]), tdDotVec3x8(t.pivot[1], t.answer[2]));
    // As for the point lock: a small multiple of the trace keeps the matrix invertible.
    tdFloat8 trace = tdAdd8(tdDotVec3x8(t.e[0], both[0]),
                            tdAdd8(tdDotVec3x8(t.e[1], both[1]), tdDotVec3x8(t.e[2], both[2])));
    tdFloat8 floor = tdMul8(tdSplat8(1.0e-6f), trace);
    t.matrix.xx = tdAdd8(t.matrix.xx, floor);
    t.matrix.yy = tdAdd8(t.matrix.yy, floor);
    t.matrix.zz = tdAdd8(t.matrix.zz, floor);
    if (isFixed)
    {
        t.inverse = InvertSym3x8(&t.matrix);
        t.yy = t.zz = t.yz = zero;
    }
    else
    {
        tdFloat8 determinant =
            InvertLanesOrZero(tdSub8(tdMul8(t.matrix.yy, t.matrix.zz), tdMul8(t.matrix.yz, t.matrix.yz)));
        t.yy = tdMul8(determinant, t.matrix.zz);
        t.zz = tdMul8(determinant, t.matrix.yy);
        t.yz = tdNegate8(tdMul8(determinant, t.matrix.yz));
        t.inverse = (tdSym3x8){zero, t.yy, t.zz, zero, zero, t.yz};
    }
    return t;
}

TD_SIMD_INLINE tdVec3x8 CombineVec3x8(const tdVec3x8* columns, tdVec3x8 x)
{
    return tdMulAddVec3x8(tdMulAddVec3x8(tdScaleVec3x8(x.x, columns[0]), x.y, columns[1]), x.z, columns[2]);
}

TD_SIMD_INLINE tdVec3x8 ClampCorrection(tdVec3x8 bias, float limit)
{
    tdFloat8 speed = tdSqrt8(tdDotVec3x8(bias, bias)), most = tdSplat8(limit);
    tdFloat8 cut = tdSelect8(tdLess8(most, speed), tdMul8(most, InvertLanesOrZero(speed)), tdSplat8(1.0f));
    return tdScaleVec3x8(cut, bias);
}

/// Solve point locks and rotation locks of eight joints together. `speed` is the velocity that the point lock
/// removes.
TD_SIMD_SHARED void SolveTurnLocks(const tdSolverStep* step, tdTurnRow* row, const tdBallRow* ballRow,
                                   BallState* ball, PairState* s, const TurnLocks* t, tdVec3x8 speed,
                                   bool isRelax)
{
    tdVec3x8 zero = {tdZero8(), tdZero8(), tdZero8()};
    tdVec3x8 p0 = tdSubVec3x8(zero, tdMulSym3x8(&ball->inverse, speed));
    tdVec3x8 rate = tdSubVec3x8(s->wB, s->wA);
    tdVec3x8 c = {tdAdd8(tdDotVec3x8(t->e[0], rate), tdDotVec3x8(t->pivot[0], p0)),
                  tdAdd8(tdDotVec3x8(t->e[1], rate), tdDotVec3x8(t->pivot[1], p0)),
                  tdAdd8(tdDotVec3x8(t->e[2], rate), tdDotVec3x8(t->pivot[2], p0))};
    const tdSoftness* soft = &step->jointSoftness;
    if (!isRelax)
    {
        c = tdAddVec3x8(
            c, ClampCorrection(tdScaleVec3x8(tdSplat8(soft->biasRate), t->error), step->maxTurnCorrection));
    }
    tdVec3x8 turn = tdSubVec3x8(zero, tdMulSym3x8(&t->inverse, c));
    tdVec3x8 push = tdSubVec3x8(p0, CombineVec3x8(t->answer, turn));
    tdVec3x8 old = tdLoadVec3x8(&row->impulse[0][0]);
    if (!isRelax)
    {
        tdFloat8 scale = tdSplat8(soft->massScale), leak = tdSplat8(soft->impulseScale);
        turn = tdMulSubVec3x8(tdScaleVec3x8(scale, turn), leak, old);
        push = tdMulSubVec3x8(tdScaleVec3x8(scale, push), leak, ball->impulse);
    }
    tdStoreVec3x8(&row->impulse[0][0], tdAddVec3x8(old, turn));
    ball->impulse = tdAddVec3x8(ball->impulse, push);
    ApplyBall(ballRow, &ball->iA, &ball->iB, ball->rA, ball->rB, s, push);
    ApplyTurn(&ball->iA, &ball->iB, s, CombineVec3x8(t->e, turn));
}

/// Apply an impulse about x with the response of all locks.
/// @param share response of the rotation locks
TD_SIMD_INLINE void ApplyTwist(tdTurnRow* row, const tdBallRow* ballRow, BallState* ball, PairState* s,
                               const TurnRow* turn, tdVec3x8 share, tdFloat8 delta)
{
    ApplyTurn(&ball->iA, &ball->iB, s, tdScaleVec3x8(delta, turn->axis));
    tdVec3x8 answer = tdScaleVec3x8(tdNegate8(delta), turn->answer);
    ball->impulse = tdAddVec3x8(ball->impulse, answer);
    ApplyBall(ballRow, &ball->iA, &ball->iB, ball->rA, ball->rB, s, answer);
    tdVec3x8 locks = tdLoadVec3x8(&row->impulse[0][0]);
    tdStoreVec3x8(&row->impulse[0][0], tdMulSubVec3x8(locks, delta, share));
}

/// Solve one limit of eight hinges: sign * rate >= -gap / h, or a correction. All locks respond.
TD_SIMD_INLINE tdFloat8 SolveStop(const tdSolverStep* step, tdTurnRow* row, const tdBallRow* ballRow,
                                  BallState* ball, PairState* s, const TurnRow* turn, tdVec3x8 measure,
                                  tdVec3x8 share, float sign, tdFloat8 gap, float* accumulated, bool isRigid,
                                  bool isRelax)
{
    tdFloat8 speed = tdMul8(tdSplat8(sign), tdDotVec3x8(measure, tdSubVec3x8(s->wB, s->wA)));
    tdMask8 inside = tdLess8(tdZero8(), gap);
    tdFloat8 ahead = tdMul8(gap, tdSplat8(step->invSubStep)), old = tdLoad8(accumulated);
    tdFloat8 bias = tdSelect8(tdLess8(tdZero8(), old), tdZero8(), tdMax8(ahead, tdZero8()));
    tdFloat8 massScale = tdSplat8(1.0f), leak = tdZero8();
    if (!isRelax)
    {
        const tdSoftness* soft = &step->jointSoftness;
        tdFloat8 push = tdMax8(tdMul8(tdSplat8(soft->biasRate), gap), tdSplat8(-TD_MAX_BOUND_CORRECTION));
        bias = tdSelect8(inside, ahead, push);
        // The bound of a driven hinge bears the drive in full, as in joint_solve.c.
        massScale = isRigid ? massScale : tdSelect8(inside, massScale, tdSplat8(soft->massScale));
        leak = isRigid ? leak : tdSelect8(inside, leak, tdSplat8(soft->impulseScale));
    }
    tdFloat8 change = tdMul8(tdMul8(turn->mass, massScale), tdAdd8(speed, bias));
    tdFloat8 impulse = tdMax8(tdSub8(old, tdAdd8(change, tdMul8(leak, old))), tdZero8());
    tdStore8(accumulated, impulse);
    ApplyTwist(row, ballRow, ball, s, turn, share, tdMul8(tdSplat8(sign), tdSub8(impulse, old)));
    return impulse;
}

/// Solve the drives of eight motors about x (as SolveDrive of joint_solve.c): a force with the error at the
/// start of the sub-step.
/// @param left inverse effective mass
TD_SIMD_SHARED void SolveMotors(const tdSolverStep* step, tdTurnRow* row, const tdBallRow* ballRow,
                                BallState* ball, PairState* s, const TurnRow* turn, const TurnLocks* t,
                                tdVec3x8 share, tdFloat8 left, bool isRelax)
{
    if (!isRelax)
    {
        tdStore8(row->driveError, tdSub8(t->twist, tdLoad8(row->positionTarget)));
    }
    tdFloat8 h = tdSplat8(step->subStep), one = tdSplat8(1.0f);
    tdMask8 isAcceleration = tdLess8(tdZero8(), tdLoad8(row->perInertia));
    tdFloat8 scale = tdSelect8(isAcceleration, turn->mass, one);
    tdFloat8 stiffness = tdMul8(scale, tdLoad8(row->stiffness)), damping = tdMul8(scale, tdLoad8(row->damping));
    tdFloat8 z = tdMul8(tdMul8(tdMul8(stiffness, h), h), left), zz = tdMul8(z, z);
    tdFloat8 implicit = tdDiv8(zz, tdAdd8(one, zz));
    tdFloat8 c = tdAdd8(damping, tdMul8(tdMul8(implicit, h), stiffness)), old = tdLoad8(row->driveImpulse);
    tdFloat8 speed = tdDotVec3x8(t->e[0], tdSubVec3x8(s->wB, s->wA));
    tdFloat8 before = tdSub8(speed, tdMul8(left, old));
    tdFloat8 push = tdSub8(tdMul8(tdMul8(h, damping), tdLoad8(row->velocityTarget)),
                           tdMul8(tdMul8(h, stiffness), tdLoad8(row->driveError)));
    tdFloat8 hc = tdMul8(h, c);
    tdFloat8 impulse = tdDiv8(tdSub8(push, tdMul8(hc, before)), tdAdd8(one, tdMul8(hc, left)));
    tdFloat8 most = tdMul8(h, tdLoad8(row->maxTorque));
    impulse = tdMax8(tdMin8(impulse, most), tdNegate8(most));
    impulse = tdSelect8(tdLess8(tdZero8(), turn->mass), impulse, tdZero8());
    tdStore8(row->driveImpulse, impulse);
    ApplyTwist(row, ballRow, ball, s, turn, share, tdSub8(impulse, old));
    if (isRelax)
    {
        tdVec3x8 sum = tdLoadVec3x8(&row->driveSum[0][0]);
        tdStoreVec3x8(&row->driveSum[0][0], tdMulAddVec3x8(sum, impulse, t->e[0]));
    }
}

/// x rounded to the nearest whole number, |x| < 2^22.
TD_SIMD_INLINE tdFloat8 RoundLanes(tdFloat8 x)
{
    tdFloat8 shift = tdSplat8(12582912.0f); // 1.5 * 2^23: the sum has no fraction bits
    return tdSub8(tdAdd8(x, shift), shift);
}

/// Count the turns of eight hinges (tdJoint_CountTurns). In relax the pose has just been integrated with the
/// current velocities, in the other passes it is that of the last count.
TD_SIMD_INLINE void CountTurns8(const tdSolverStep* step, tdTurnRow* row, const PairState* s, TurnLocks* t,
                                bool isRelax)
{
    tdFloat8 expected = tdLoad8(row->twist), turns = tdLoad8(row->turns);
    if (isRelax)
    {
        tdFloat8 rate = tdDotVec3x8(t->e[0], tdSubVec3x8(s->wB, s->wA));
        expected = tdAdd8(expected, tdMul8(tdSplat8(step->subStep), rate));
    }
    tdFloat8 travel = tdMul8(tdSub8(expected, t->twist), tdSplat8(0.159154943f));
    tdFloat8 most = tdSplat8(1.0e6f);
    travel = tdSelect8(tdLess8(tdAbs8(travel), most), travel, tdZero8());
    turns = tdAdd8(turns, RoundLanes(travel));
    tdStore8(row->twist, t->twist);
    tdStore8(row->turns, turns);
    t->twist = tdMulAdd8(turns, tdSplat8(6.28318531f), t->twist);
}

TD_SIMD_SHARED void SolveStops(const tdSolverStep* step, tdTurnRow* row, const tdBallRow* ballRow,
                               BallState* ball, PairState* s, const TurnLocks* t, bool isDriven,
                               bool isRelax)
{
    tdFloat8 low = tdSub8(t->twist, tdLoad8(row->twistMin)), high = tdSub8(tdLoad8(row->twistMax), t->twist);
    // Responses of the locks to an impulse about x.
    tdFloat8 y = tdAdd8(tdMul8(t->yy, t->matrix.xy), tdMul8(t->yz, t->matrix.xz));
    tdFloat8 z = tdAdd8(tdMul8(t->yz, t->matrix.xy), tdMul8(t->zz, t->matrix.xz));
    tdFloat8 left = tdSub8(t->matrix.xx, tdAdd8(tdMul8(t->matrix.xy, y), tdMul8(t->matrix.xz, z)));
    tdMask8 isFree = tdLess8(tdMul8(tdSplat8(1.0e-5f), t->matrix.xx), left);
    tdVec3x8 combine = {tdSplat8(1.0f), tdNegate8(y), tdNegate8(z)}, share = {tdZero8(), y, z};
    TurnRow turn = {CombineVec3x8(t->e, combine), CombineVec3x8(t->answer, combine),
                    tdSelect8(isFree, InvertLanesOrZero(left), tdZero8())};
    if (isDriven)
    {
        SolveMotors(step, row, ballRow, ball, s, &turn, t, share, left, isRelax);
    }
    tdFloat8 l = SolveStop(step, row, ballRow, ball, s, &turn, t->e[0], share, 1.0f, low, row->lowImpulse,
                           isDriven, isRelax);
    tdFloat8 h = SolveStop(step, row, ballRow, ball, s, &turn, t->e[0], share, -1.0f, high, row->highImpulse,
                           isDriven, isRelax);
    if (isRelax)
    {
        tdVec3x8 sum = tdLoadVec3x8(&row->twistSum[0][0]);
        tdStoreVec3x8(&row->twistSum[0][0], tdMulAddVec3x8(sum, tdSub8(l, h), t->e[0]));
    }
}

/// After relax: sum the torque of the locks, and remove impacts from the warm start.
TD_SIMD_SHARED void FinishTurns(tdTurnRow* row, BallState* ball, const TurnLocks* t, bool isFixed)
{
    tdVec3x8 locks = tdLoadVec3x8(&row->impulse[0][0]), sum = tdLoadVec3x8(&row->sum[0][0]);
    tdStoreVec3x8(&row->sum[0][0], tdAddVec3x8(sum, CombineVec3x8(t->e, locks)));
    if (isFixed)
    {
        return;
    }
    tdFloat8 y = tdAdd8(tdMul8(t->yy, t->matrix.xy), tdMul8(t->yz, t->matrix.xz));
    tdFloat8 z = tdAdd8(tdMul8(t->yz, t->matrix.xy), tdMul8(t->zz, t->matrix.xz));
    tdVec3x8 combine = {tdSplat8(1.0f), tdNegate8(y), tdNegate8(z)}, share = {tdZero8(), y, z};
    tdFloat8 low = tdLoad8(row->lowImpulse), high = tdLoad8(row->highImpulse);
    TurnRow turn = {t->e[0], CombineVec3x8(t->answer, combine), tdZero8()};
    RemoveImpact(ball, &turn, 1.0f, low, row->lowImpulse, row->lowLast);
    RemoveImpact(ball, &turn, -1.0f, high, row->highImpulse, row->highLast);
    tdFloat8 dropped = tdSub8(tdSub8(low, tdLoad8(row->lowImpulse)), tdSub8(high, tdLoad8(row->highImpulse)));
    tdStoreVec3x8(&row->impulse[0][0], tdMulAddVec3x8(locks, dropped, share));
}
