// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Passes over groups of eight joints. Included once per vector width, after joint_kernels.inl. Values that
// depend on the pose alone (inertia, the matrix of the point lock) are computed once per sub-step, in the
// relax pass, and used in the next sub-step too.

/// Compute inertia and matrix of the point lock in the current pose.
TD_SIMD_INLINE void ComputeBallMatrix(const tdJointGroup* group, tdBallRow* row, BallState* ball,
                                      const PairState* s, bool isFirst)
{
    if (group->turnsInertia || isFirst)
    {
        ball->iA = LoadSym3x8(&row->startInertiaA[0][0]);
        ball->iB = LoadSym3x8(&row->startInertiaB[0][0]);
        if (!isFirst)
        {
            ball->iA = TurnSym3x8(s->qA, &ball->iA);
            ball->iB = TurnSym3x8(s->qB, &ball->iB);
        }
        StoreSym3x8(&row->invInertiaA[0][0], &ball->iA);
        StoreSym3x8(&row->invInertiaB[0][0], &ball->iB);
    }
    else
    {
        ball->iA = LoadSym3x8(&row->invInertiaA[0][0]);
        ball->iB = LoadSym3x8(&row->invInertiaB[0][0]);
    }
    tdFloat8 m = tdAdd8(tdLoad8(row->invMassA), tdLoad8(row->invMassB)), zero = tdZero8();
    tdSym3x8 k = {m, m, m, zero, zero, zero};
    AddArm(&k, &ball->iA, ball->rA);
    AddArm(&k, &ball->iB, ball->rB);
    // A small multiple of the trace makes a singular block (infinite inertia or mass) invertible.
    tdFloat8 floor = tdMul8(tdSplat8(1.0e-7f), tdAdd8(k.xx, tdAdd8(k.yy, k.zz)));
    k.xx = tdAdd8(k.xx, floor);
    k.yy = tdAdd8(k.yy, floor);
    k.zz = tdAdd8(k.zz, floor);
    ball->inverse = InvertSym3x8(&k);
    StoreSym3x8(&row->inverse[0][0], &ball->inverse);
}

static void PrepareJoints8(const tdSolverStep* step, int start, int end)
{
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdJointGroup* group = step->jointGroups + pass / PASSES;
        int lane = FIRST_LANE(pass);
        tdBallRow* row = FROM_LANE(step->ballRows + pass / PASSES, lane);
        BallState ball;
        ball.rA = tdLoadVec3x8(&row->armA[0][0]);
        ball.rB = tdLoadVec3x8(&row->armB[0][0]);
        ComputeBallMatrix(group, row, &ball, NULL, true);
    }
}

static void WarmStartJoints8(const tdSolverStep* step, int start, int end)
{
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdJointGroup* group = step->jointGroups + pass / PASSES;
        int lane = FIRST_LANE(pass);
        const tdBallRow* row = FROM_LANE(step->ballRows + pass / PASSES, lane);
        PairState s = GatherPairs(step->states, group, lane);
        tdSym3x8 iA = LoadSym3x8(&row->invInertiaA[0][0]), iB = LoadSym3x8(&row->invInertiaB[0][0]);
        tdVec3x8 rA = tdRotatex8(s.qA, tdLoadVec3x8(&row->armA[0][0]));
        tdVec3x8 rB = tdRotatex8(s.qB, tdLoadVec3x8(&row->armB[0][0]));
        ApplyBall(row, &iA, &iB, rA, rB, &s, tdLoadVec3x8(&row->impulse[0][0]));
        if (group->turnRow >= 0)
        {
            const tdTurnRow* turn = FROM_LANE(step->turnRows + group->turnRow, lane);
            tdQuatx8 frame = tdMulQuatx8(s.qA, LoadQuatx8(&turn->turnA[0][0]));
            tdVec3x8 p = tdLoadVec3x8(&turn->impulse[0][0]);
            p.x = tdAdd8(p.x, tdSub8(tdLoad8(turn->lowImpulse), tdLoad8(turn->highImpulse)));
            if (group->isDriven)
            {
                p.x = tdAdd8(p.x, tdLoad8(turn->driveImpulse));
            }
            ApplyTurn(&iA, &iB, &s, tdRotatex8(frame, p));
        }
        if (group->limitRow >= 0)
        {
            const tdLimitRow* limit = FROM_LANE(step->limitRows + group->limitRow, lane);
            LimitGeometry m = MeasureLimits(limit, &s);
            tdFloat8 twist = tdSub8(tdLoad8(limit->lowImpulse), tdLoad8(limit->highImpulse));
            tdVec3x8 p = tdScaleVec3x8(twist, m.twistAxis);
            ApplyTurn(&iA, &iB, &s, tdMulSubVec3x8(p, tdLoad8(limit->coneImpulse), m.coneAxis));
        }
        ScatterPairs(step->states, group, lane, &s);
    }
}

/// Relative velocity of the pivots that the lock must remove; in a solve pass with position correction.
TD_SIMD_INLINE tdVec3x8 GetBallSpeed(const tdSolverStep* step, const tdJointGroup* group,
                                     const tdBallRow* row, const BallState* ball, const PairState* s,
                                     int lane, bool isRelax)
{
    tdVec3x8 speed = tdSubVec3x8(tdAddVec3x8(s->vB, tdCrossVec3x8(s->wB, ball->rB)),
                                 tdAddVec3x8(s->vA, tdCrossVec3x8(s->wA, ball->rA)));
    if (isRelax)
    {
        return speed;
    }
    tdFloat8 dA[4], dB[4];
    tdGather4x8(step->states, group->bodyA + lane, 8, dA);
    tdGather4x8(step->states, group->bodyB + lane, 8, dB);
    tdVec3x8 d =
        tdAddVec3x8(tdLoadVec3x8(&row->centerOffset[0][0]), tdSubVec3x8(MakeVec3x8(dB), MakeVec3x8(dA)));
    d = tdAddVec3x8(d, tdSubVec3x8(ball->rB, ball->rA));
    tdVec3x8 bias = tdScaleVec3x8(tdSplat8(step->jointSoftness.biasRate), d);
    return tdAddVec3x8(speed, ClampCorrection(bias, step->maxLinearCorrection));
}

/// Solve the point lock alone.
TD_SIMD_INLINE void SolveBall(const tdSolverStep* step, const tdBallRow* row, BallState* ball, PairState* s,
                              tdVec3x8 speed, bool isRelax)
{
    tdVec3x8 p = tdMulSym3x8(&ball->inverse, speed);
    if (isRelax)
    {
        p = (tdVec3x8){tdNegate8(p.x), tdNegate8(p.y), tdNegate8(p.z)};
    }
    else
    {
        p = tdScaleVec3x8(tdSplat8(-step->jointSoftness.massScale), p);
        p = tdMulSubVec3x8(p, tdSplat8(step->jointSoftness.impulseScale), ball->impulse);
    }
    ball->impulse = tdAddVec3x8(ball->impulse, p);
    ApplyBall(row, &ball->iA, &ball->iB, ball->rA, ball->rB, s, p);
}

TD_SIMD_INLINE void SolveJointGroups(const tdSolverStep* step, int start, int end, bool isRelax)
{
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdJointGroup* group = step->jointGroups + pass / PASSES;
        int lane = FIRST_LANE(pass);
        tdBallRow* row = FROM_LANE(step->ballRows + pass / PASSES, lane);
        PairState s = GatherPairs(step->states, group, lane);
        BallState ball;
        tdFloat8 zero = tdZero8();
        ball.rA = tdRotatex8(s.qA, tdLoadVec3x8(&row->armA[0][0]));
        ball.rB = tdRotatex8(s.qB, tdLoadVec3x8(&row->armB[0][0]));
        ball.impulse = tdLoadVec3x8(&row->impulse[0][0]);
        ball.kept = (tdVec3x8){zero, zero, zero};
        if (isRelax)
        {
            ComputeBallMatrix(group, row, &ball, &s, false);
        }
        else
        {
            ball.iA = LoadSym3x8(&row->invInertiaA[0][0]);
            ball.iB = LoadSym3x8(&row->invInertiaB[0][0]);
            ball.inverse = LoadSym3x8(&row->inverse[0][0]);
        }
        tdVec3x8 speed = GetBallSpeed(step, group, row, &ball, &s, lane, isRelax);
        if (group->turnRow >= 0)
        {
            tdTurnRow* turn = FROM_LANE(step->turnRows + group->turnRow, lane);
            TurnLocks locks = MeasureTurns(turn, &ball, &s, group->isFixed);
            if (!group->isFixed)
            {
                CountTurns8(step, turn, &s, &locks, isRelax);
            }
            SolveTurnLocks(step, turn, row, &ball, &s, &locks, speed, isRelax);
            if (!group->isFixed)
            {
                SolveStops(step, turn, row, &ball, &s, &locks, group->isDriven, isRelax);
            }
            if (isRelax)
            {
                FinishTurns(turn, &ball, &locks, group->isFixed);
            }
        }
        else
        {
            SolveBall(step, row, &ball, &s, speed, isRelax);
        }
        if (group->limitRow >= 0)
        {
            SolveLimitRow(step, FROM_LANE(step->limitRows + group->limitRow, lane), row, &ball, &s, isRelax);
        }
        tdStoreVec3x8(&row->impulse[0][0], tdAddVec3x8(ball.impulse, ball.kept));
        if (isRelax)
        {
            tdStoreVec3x8(&row->sum[0][0], tdAddVec3x8(tdLoadVec3x8(&row->sum[0][0]), ball.impulse));
        }
        ScatterPairs(step->states, group, lane, &s);
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
