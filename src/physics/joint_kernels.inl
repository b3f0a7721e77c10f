// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The two commonest joints, eight at a time: a ball (point lock), and a ball with a cone and a twist limit.
// Included once per vector width, after contact_kernels.inl. The mathematics are those of joint_rows.c, with
// the inertia kept as it was at the begin of the step; frames are turned so that the cone's and the twist's
// axis is x.
//
// Ball:   C = d = cB + rB - cA - rA,  K = (1/mA + 1/mB) 1 + sum of S(r) I^-1 S(r)^T,  S(r) the matrix of r x
// Cone:   with q = (x, y, z, w): angle = 2 atan2(sqrt(y^2 + z^2), sqrt(x^2 + w^2))
// Twist:  angle = 2 atan2(x, w), gradient (1, (w z + x y) / D, (x z - w y) / D), D = x^2 + w^2

#define FAR_AWAY 1.0e10f

/// atan2(y, x) for y, x >= 0, not both 0; polynomial of Abramowitz and Stegun 4.4.49, error 2e-8.
TD_SIMD_INLINE tdFloat8 AtanQuadrant(tdFloat8 y, tdFloat8 x)
{
    tdMask8 steep = tdLess8(x, y);
    tdFloat8 high = tdSelect8(steep, y, x), low = tdSelect8(steep, x, y);
    tdFloat8 t = tdMul8(low, InverseOrZero(high)), u = tdMul8(t, t);
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

/// Solve k x = b. Zero for a singular matrix.
TD_SIMD_INLINE tdVec3x8 SolveSym3x8(const tdSym3x8* k, tdVec3x8 b)
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
    return tdScaleVec3x8(InverseOrZero(determinant), tdMulSym3x8(&c, b));
}

/// Velocities and turns of the eight pairs of bodies.
typedef struct PairState
{
    Velocities a, b;
    tdVec3x8 vA, wA, vB, wB;
    tdQuatx8 qA, qB;
} PairState;

TD_SIMD_INLINE PairState GatherPairs(const float* states, const tdJointGroup* group)
{
    PairState s;
    s.a = GatherVelocities(states, group->bodyA);
    s.b = GatherVelocities(states, group->bodyB);
    s.vA = Vec(s.a.linear);
    s.wA = Vec(s.a.angular);
    s.vB = Vec(s.b.linear);
    s.wB = Vec(s.b.angular);
    tdFloat8 q[4];
    tdGather4x8(states, group->bodyA, 12, q);
    s.qA = (tdQuatx8){Vec(q), q[3]};
    tdGather4x8(states, group->bodyB, 12, q);
    s.qB = (tdQuatx8){Vec(q), q[3]};
    return s;
}

TD_SIMD_INLINE void ScatterPairs(float* states, const tdJointGroup* group, PairState* s)
{
    SetVec(s->a.linear, s->vA);
    SetVec(s->a.angular, s->wA);
    SetVec(s->b.linear, s->vB);
    SetVec(s->b.angular, s->wB);
    ScatterVelocities(states, group->bodyA, &s->a, group->writeA);
    ScatterVelocities(states, group->bodyB, &s->b, group->writeB);
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

/// Directions and values of the two angular limits.
typedef struct LimitGeometry
{
    tdVec3x8 coneAxis, twistAxis; // gradients in the world
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
    g.cone = tdMul8(two, AtanQuadrant(tdSqrt8(tdAdd8(tdMul8(y, y), tdMul8(z, z))), tdSqrt8(d)));
    tdFloat8 twist = tdMul8(two, AtanQuadrant(tdAbs8(x), w));
    g.twist = tdSelect8(tdLess8(x, tdZero8()), tdNegate8(twist), twist);
    // Axis x of B in A has the components by, bz beside x; the cone opens about (0, -bz, by).
    tdFloat8 by = tdAdd8(tdMul8(x, y), tdMul8(z, w)), bz = tdSub8(tdMul8(x, z), tdMul8(y, w));
    tdFloat8 length = tdSqrt8(tdAdd8(tdMul8(by, by), tdMul8(bz, bz)));
    tdMask8 defined = tdLess8(tdSplat8(1.0e-6f), length);
    tdFloat8 s1 = InverseOrZero(length);
    tdVec3x8 axis = {tdZero8(), tdSelect8(defined, tdNegate8(tdMul8(bz, s1)), one),
                     tdSelect8(defined, tdMul8(by, s1), tdZero8())};
    g.coneAxis = tdRotatex8(qA, axis);
    tdFloat8 inverse = tdDiv8(one, tdMax8(d, tdSplat8(1.0e-2f)));
    tdVec3x8 gradient = {one, tdMul8(by, inverse), tdMul8(bz, inverse)};
    g.twistAxis = tdRotatex8(qA, gradient);
    return g;
}

static void WarmStartJoints8(const tdSolverStep* step, int start, int end)
{
    for (int g = start; g < end; ++g)
    {
        const tdJointGroup* group = step->jointGroups + g;
        const tdBallRow* row = step->ballRows + g;
        PairState s = GatherPairs(step->states, group);
        tdSym3x8 iA = LoadSym3x8(&row->invInertiaA[0][0]), iB = LoadSym3x8(&row->invInertiaB[0][0]);
        tdVec3x8 rA = tdRotatex8(s.qA, tdLoadVec3x8(&row->armA[0][0]));
        tdVec3x8 rB = tdRotatex8(s.qB, tdLoadVec3x8(&row->armB[0][0]));
        ApplyBall(row, &iA, &iB, rA, rB, &s, tdLoadVec3x8(&row->impulse[0][0]));
        if (group->limitRow >= 0)
        {
            const tdLimitRow* limit = step->limitRows + group->limitRow;
            LimitGeometry m = MeasureLimits(limit, &s);
            tdFloat8 twist = tdSub8(tdLoad8(limit->lowImpulse), tdLoad8(limit->highImpulse));
            tdVec3x8 p = tdScaleVec3x8(twist, m.twistAxis);
            ApplyTurn(&iA, &iB, &s, tdMulSubVec3x8(p, tdLoad8(limit->coneImpulse), m.coneAxis));
        }
        ScatterPairs(step->states, group, &s);
    }
}

/// The ball of eight joints in the current pose.
typedef struct BallState
{
    tdVec3x8 rA, rB;
    tdSym3x8 iA, iB, k;
    tdVec3x8 impulse;
    tdVec3x8 kept; // to be added for the warm start
} BallState;

/// A turn about an axis next to the ball: with the impulse -answer * L on the ball it leaves the pivot in
/// peace and meets the inertia about the pivot (CoupleRows in joint_rows.c).
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
    TurnRow row = {axis, SolveSym3x8(&ball->k, pivot), tdZero8()};
    tdFloat8 left = tdSub8(k, tdDotVec3x8(pivot, row.answer));
    tdMask8 isFree = tdLess8(tdMul8(tdSplat8(1.0e-5f), k), left);
    row.mass = tdSelect8(isFree, InverseOrZero(left), tdZero8());
    return row;
}

/// One bound on a turn: keep sign * rate >= -gap / h, or push back when the gap is negative.
TD_SIMD_INLINE tdFloat8 SolveTurn(const tdSolverStep* step, const tdBallRow* row, BallState* ball,
                                  PairState* s, const TurnRow* turn, float sign, tdFloat8 gap,
                                  float* accumulated, bool isRelax)
{
    tdFloat8 speed = tdMul8(tdSplat8(sign), tdDotVec3x8(turn->axis, tdSubVec3x8(s->wB, s->wA)));
    tdMask8 inside = tdLess8(tdZero8(), gap);
    tdFloat8 ahead = tdMul8(gap, tdSplat8(step->invSubStep)), old = tdLoad8(accumulated), impulse;
    if (isRelax)
    {
        impulse = tdSub8(old, tdMul8(turn->mass, tdAdd8(speed, tdSelect8(inside, ahead, tdZero8()))));
    }
    else
    {
        const tdSoftness* soft = &step->jointSoftness;
        tdFloat8 push = tdMax8(tdMul8(tdSplat8(soft->biasRate), gap), tdSplat8(-step->maxTurnCorrection));
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

/// Keep of a bound's impulse what it gave in two sub-steps running, see DropImpacts in joint_solve.c.
TD_SIMD_INLINE void DropImpact(BallState* ball, const TurnRow* turn, float sign, tdFloat8 now, float* impulse,
                               float* last)
{
    tdFloat8 kept = tdMin8(now, tdLoad8(last));
    tdFloat8 dropped = tdMul8(tdSplat8(sign), tdSub8(now, kept));
    tdStore8(last, now);
    tdStore8(impulse, kept);
    ball->kept = tdMulAddVec3x8(ball->kept, dropped, turn->answer);
}

TD_SIMD_INLINE void SolveLimitRow(const tdSolverStep* step, tdLimitRow* row, const tdBallRow* ballRow,
                                  BallState* ball, PairState* s, bool isRelax)
{
    LimitGeometry m = MeasureLimits(row, s);
    // Twist is compared the short way round.
    tdFloat8 turn = tdSplat8(6.28318531f), far = tdSplat8(FAR_AWAY);
    tdFloat8 min = tdLoad8(row->twistMin), max = tdLoad8(row->twistMax);
    tdFloat8 lower = tdSub8(m.twist, min), upper = tdSub8(max, m.twist);
    tdFloat8 over = tdSub8(tdAdd8(m.twist, turn), max), under = tdSub8(min, tdSub8(m.twist, turn));
    tdMask8 wrapsUp = tdAndMask8(tdLess8(lower, tdZero8()), tdLess8(over, tdNegate8(lower)));
    tdMask8 wrapsDown = tdAndMask8(tdLess8(upper, tdZero8()), tdLess8(under, tdNegate8(upper)));
    tdFloat8 low = tdSelect8(wrapsUp, far, tdSelect8(wrapsDown, tdNegate8(under), lower));
    tdFloat8 high = tdSelect8(wrapsDown, far, tdSelect8(wrapsUp, tdNegate8(over), upper));
    TurnRow twist = MakeTurn(ball, m.twistAxis), cone = MakeTurn(ball, m.coneAxis);
    tdFloat8 gap = tdSub8(tdLoad8(row->coneMax), m.cone);
    tdFloat8 l = SolveTurn(step, ballRow, ball, s, &twist, 1.0f, low, row->lowImpulse, isRelax);
    tdFloat8 h = SolveTurn(step, ballRow, ball, s, &twist, -1.0f, high, row->highImpulse, isRelax);
    tdFloat8 c = SolveTurn(step, ballRow, ball, s, &cone, -1.0f, gap, row->coneImpulse, isRelax);
    if (isRelax)
    {
        tdVec3x8 twistSum = tdLoadVec3x8(&row->twistSum[0][0]), coneSum = tdLoadVec3x8(&row->coneSum[0][0]);
        tdStoreVec3x8(&row->twistSum[0][0], tdMulAddVec3x8(twistSum, tdSub8(l, h), m.twistAxis));
        tdStoreVec3x8(&row->coneSum[0][0], tdMulSubVec3x8(coneSum, c, m.coneAxis));
        DropImpact(ball, &twist, 1.0f, l, row->lowImpulse, row->lowLast);
        DropImpact(ball, &twist, -1.0f, h, row->highImpulse, row->highLast);
        DropImpact(ball, &cone, -1.0f, c, row->coneImpulse, row->coneLast);
    }
}

/// Impulse that brings the pivots to the same speed, in solve also closer together.
TD_SIMD_INLINE tdVec3x8 SolveBall(const tdSolverStep* step, const tdJointGroup* group, const tdBallRow* row,
                                  const BallState* ball, const PairState* s, bool isRelax)
{
    tdVec3x8 cdot = tdSubVec3x8(tdAddVec3x8(s->vB, tdCrossVec3x8(s->wB, ball->rB)),
                                tdAddVec3x8(s->vA, tdCrossVec3x8(s->wA, ball->rA)));
    if (isRelax)
    {
        tdVec3x8 p = SolveSym3x8(&ball->k, cdot);
        return (tdVec3x8){tdNegate8(p.x), tdNegate8(p.y), tdNegate8(p.z)};
    }
    tdFloat8 dA[4], dB[4];
    tdGather4x8(step->states, group->bodyA, 8, dA);
    tdGather4x8(step->states, group->bodyB, 8, dB);
    tdVec3x8 d = tdAddVec3x8(tdLoadVec3x8(&row->centerOffset[0][0]), tdSubVec3x8(Vec(dB), Vec(dA)));
    d = tdAddVec3x8(d, tdSubVec3x8(ball->rB, ball->rA));
    const tdSoftness* soft = &step->jointSoftness;
    tdVec3x8 bias = tdScaleVec3x8(tdSplat8(soft->biasRate), d);
    tdFloat8 speed = tdSqrt8(tdDotVec3x8(bias, bias)), limit = tdSplat8(step->maxLinearCorrection);
    tdFloat8 cut = tdSelect8(tdLess8(limit, speed), tdMul8(limit, InverseOrZero(speed)), tdSplat8(1.0f));
    tdVec3x8 p = SolveSym3x8(&ball->k, tdMulAddVec3x8(cdot, cut, bias));
    p = tdScaleVec3x8(tdSplat8(-soft->massScale), p);
    return tdMulSubVec3x8(p, tdSplat8(soft->impulseScale), ball->impulse);
}

TD_SIMD_INLINE void SolveJointGroups(const tdSolverStep* step, int start, int end, bool isRelax)
{
    for (int g = start; g < end; ++g)
    {
        const tdJointGroup* group = step->jointGroups + g;
        tdBallRow* row = step->ballRows + g;
        PairState s = GatherPairs(step->states, group);
        BallState ball;
        ball.iA = LoadSym3x8(&row->invInertiaA[0][0]);
        ball.iB = LoadSym3x8(&row->invInertiaB[0][0]);
        ball.rA = tdRotatex8(s.qA, tdLoadVec3x8(&row->armA[0][0]));
        ball.rB = tdRotatex8(s.qB, tdLoadVec3x8(&row->armB[0][0]));
        tdFloat8 m = tdAdd8(tdLoad8(row->invMassA), tdLoad8(row->invMassB));
        tdFloat8 zero = tdZero8();
        ball.k = (tdSym3x8){m, m, m, zero, zero, zero};
        AddArm(&ball.k, &ball.iA, ball.rA);
        AddArm(&ball.k, &ball.iB, ball.rB);
        // A small share of the trace keeps a singular block (infinite inertia, infinite mass) solvable.
        tdFloat8 floor = tdMul8(tdSplat8(1.0e-7f), tdAdd8(ball.k.xx, tdAdd8(ball.k.yy, ball.k.zz)));
        ball.k.xx = tdAdd8(ball.k.xx, floor);
        ball.k.yy = tdAdd8(ball.k.yy, floor);
        ball.k.zz = tdAdd8(ball.k.zz, floor);
        ball.impulse = tdLoadVec3x8(&row->impulse[0][0]);
        ball.kept = (tdVec3x8){zero, zero, zero};
        tdVec3x8 p = SolveBall(step, group, row, &ball, &s, isRelax);
        ball.impulse = tdAddVec3x8(ball.impulse, p);
        ApplyBall(row, &ball.iA, &ball.iB, ball.rA, ball.rB, &s, p);
        if (group->limitRow >= 0)
        {
            SolveLimitRow(step, step->limitRows + group->limitRow, row, &ball, &s, isRelax);
        }
        tdStoreVec3x8(&row->impulse[0][0], tdAddVec3x8(ball.impulse, ball.kept));
        if (isRelax)
        {
            tdStoreVec3x8(&row->sum[0][0], tdAddVec3x8(tdLoadVec3x8(&row->sum[0][0]), ball.impulse));
        }
        ScatterPairs(step->states, group, &s);
    }
}

static void SolveJoints8(const tdSolverStep* step, int start, int end)
{
    SolveJointGroups(step, start, end, false);
}

static void RelaxJoints8(const tdSolverStep* step, int start, int end)
{
    SolveJointGroups(step, start, end, true);
}
