// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Integration of several bodies at once. Included once per vector width, after contact_kernels.inl.
//
// A free body keeps its angular momentum L = I(q) w in the world while its axes turn. In the principal axes
// its energy is the sum of L_i^2 / (2 I_i). With Im the middle inertia, axis y, that is
//
//   |L|^2 / (2 Im)  +  kx L_x^2 / 2  +  kz L_z^2 / 2,      k_i = 1 / I_i - 1 / Im
//
// Each term alone has an exact motion: the first rotates the body about L at |L| / Im, the others rotate it
// about its own axes x and z at k_i L_i while L stays constant in the world. A sub-step is a symmetric
// splitting: half of x, z, half of x; the first term commutes with the others. All motions are rotations, so
// |L| is conserved to rounding for any step, and the energy stays near its value. Bodies with two equal
// inertias are integrated exactly: a thin rod does not start to spin about its length. Constraints act
// between sub-steps through the velocities. Lanes that turn by more than TD_FAST_TURN are rotated by
// tdTurnFastBody. See docs/decisions/057.

/// Restore the length of a quaternion that differs from 1 by rounding errors. A quotient by the length would be
/// 1 or a whole rounding step beside it, mostly above it, and each rotation of the velocity with such a
/// quaternion would add energy.
TD_SIMD_INLINE tdQuatx8 CorrectLength(tdQuatx8 q)
{
    tdFloat8 one = tdSplat8(1.0f), rest = tdMul8(tdSub8(one, q.w), tdAdd8(one, q.w));
    tdFloat8 missing = tdMul8(tdSplat8(0.5f), tdSub8(rest, tdDotVec3x8(q.v, q.v)));
    return (tdQuatx8){tdMulAddVec3x8(q.v, missing, q.v), tdAdd8(q.w, tdMul8(missing, q.w))};
}

/// Unit quaternion of the rotation vector 2 * half. Half angles are clamped to pi / 2.
TD_SIMD_INLINE tdQuatx8 MakeRotation(tdVec3x8 half)
{
    tdFloat8 x = tdMin8(tdDotVec3x8(half, half), tdSplat8(2.4674011f));
    tdFloat8 s = tdSplat8(1.0f / 362880.0f);
    s = tdSub8(tdMul8(s, x), tdSplat8(1.0f / 5040.0f));
    s = tdAdd8(tdMul8(s, x), tdSplat8(1.0f / 120.0f));
    s = tdSub8(tdMul8(s, x), tdSplat8(1.0f / 6.0f));
    s = tdAdd8(tdMul8(s, x), tdSplat8(1.0f));
    tdFloat8 c = tdSplat8(-1.0f / 3628800.0f);
    c = tdAdd8(tdMul8(c, x), tdSplat8(1.0f / 40320.0f));
    c = tdSub8(tdMul8(c, x), tdSplat8(1.0f / 720.0f));
    c = tdAdd8(tdMul8(c, x), tdSplat8(1.0f / 24.0f));
    c = tdSub8(tdMul8(c, x), tdSplat8(0.5f));
    c = tdAdd8(tdMul8(c, x), tdSplat8(1.0f));
    return CorrectLength((tdQuatx8){tdScaleVec3x8(s, half), c});
}

/// Sine and cosine of an angle, clamped to a quarter turn.
TD_SIMD_INLINE void ComputeSineCosine(tdFloat8 angle, tdFloat8* sine, tdFloat8* cosine)
{
    tdFloat8 a = tdMax8(tdMin8(angle, tdSplat8(1.5707963f)), tdSplat8(-1.5707963f)), x = tdMul8(a, a);
    tdFloat8 s = tdSplat8(1.0f / 362880.0f);
    s = tdSub8(tdMul8(s, x), tdSplat8(1.0f / 5040.0f));
    s = tdAdd8(tdMul8(s, x), tdSplat8(1.0f / 120.0f));
    s = tdSub8(tdMul8(s, x), tdSplat8(1.0f / 6.0f));
    s = tdAdd8(tdMul8(s, x), tdSplat8(1.0f));
    tdFloat8 c = tdSplat8(-1.0f / 3628800.0f);
    c = tdAdd8(tdMul8(c, x), tdSplat8(1.0f / 40320.0f));
    c = tdSub8(tdMul8(c, x), tdSplat8(1.0f / 720.0f));
    c = tdAdd8(tdMul8(c, x), tdSplat8(1.0f / 24.0f));
    c = tdSub8(tdMul8(c, x), tdSplat8(0.5f));
    *sine = tdMul8(s, a);
    *cosine = tdAdd8(tdMul8(c, x), tdSplat8(1.0f));
}

/// Rotate the vector (a, b) by minus twice the angle of the given sine and cosine. The change is added to the
/// vector, so that a small rotation conserves its length to a fraction of a rounding error.
TD_SIMD_INLINE void TurnBack(tdFloat8 sine, tdFloat8 cosine, tdFloat8* a, tdFloat8* b)
{
    tdFloat8 twice = tdAdd8(sine, sine), c = tdMul8(twice, sine), s = tdMul8(twice, cosine), old = *a;
    *a = tdAdd8(old, tdSub8(tdMul8(s, *b), tdMul8(c, old)));
    *b = tdSub8(*b, tdAdd8(tdMul8(s, old), tdMul8(c, *b)));
}

/// Rotation of a free body about its own axes in a sub-step. `momentum`, in these axes, rotates back.
TD_SIMD_INLINE tdQuatx8 TurnAboutAxes(tdVec3x8 inv, tdFloat8 halfStep, tdVec3x8* momentum)
{
    tdFloat8 kx = tdMul8(halfStep, tdSub8(inv.x, inv.y)), kz = tdMul8(halfStep, tdSub8(inv.z, inv.y));
    tdFloat8 half = tdSplat8(0.5f), s1, c1, s2, c2, s3, c3;
    tdVec3x8* l = momentum;
    ComputeSineCosine(tdMul8(half, tdMul8(kx, l->x)), &s1, &c1);
    TurnBack(s1, c1, &l->y, &l->z);
    ComputeSineCosine(tdMul8(kz, l->z), &s2, &c2);
    TurnBack(s2, c2, &l->x, &l->y);
    ComputeSineCosine(tdMul8(half, tdMul8(kx, l->x)), &s3, &c3);
    TurnBack(s3, c3, &l->y, &l->z);
    // (s1, 0, 0, c1) (0, 0, s2, c2) (s3, 0, 0, c3)
    tdFloat8 x = tdMul8(s1, c2), y = tdNegate8(tdMul8(s1, s2)), z = tdMul8(c1, s2), w = tdMul8(c1, c2);
    return (tdQuatx8){{tdAdd8(tdMul8(w, s3), tdMul8(c3, x)), tdAdd8(tdMul8(c3, y), tdMul8(z, s3)),
                       tdSub8(tdMul8(c3, z), tdMul8(y, s3))},
                      tdSub8(tdMul8(w, c3), tdMul8(x, s3))};
}

/// Squares of momenta below this, or above its inverse, are not compared: their quotient would under- or overflow.
#define MIN_SQUARE 1.0e-30f

/// All lanes of a vector.
#define FULL_LANES ((1u << TD_SIMD_WIDTH) - 1u)

/// Lanes of a row whose body is within the bounds of speed. Velocities that are not numbers are outside.
TD_SIMD_INLINE unsigned FindBoundedLanes(const Velocities* v)
{
    tdVec3x8 linear = MakeVec3x8(v->linear), angular = MakeVec3x8(v->angular);
    tdFloat8 linearBound = tdSplat8(TD_MAX_LINEAR_SPEED * TD_MAX_LINEAR_SPEED);
    tdFloat8 angularBound = tdSplat8(TD_MAX_ANGULAR_SPEED * TD_MAX_ANGULAR_SPEED);
    return tdMaskBits8(tdAndMask8(tdLessEqual8(tdDotVec3x8(linear, linear), linearBound),
                                  tdLessEqual8(tdDotVec3x8(angular, angular), angularBound)));
}

/// Clamp the speeds of some lanes. Rare, hence one function for all vector widths.
static void ClampLanes(const tdSolverStep* step, tdBodyRow* eight, int firstLane, unsigned lanes)
{
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        if ((lanes & 1u << i) != 0 &&
            tdBodyState_ClampSpeeds((tdBodyState*)step->states + eight->body[firstLane + i]))
        {
            eight->clamped |= 1u << (firstLane + i);
        }
    }
}

static void IntegrateVelocities(const tdSolverStep* step, int start, int end)
{
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        tdBodyRow* eight = step->bodyRows + pass / PASSES;
        const tdBodyRow* row = FROM_LANE(eight, FIRST_LANE(pass));
        const int32_t* bodies = row->body;
        unsigned lanes = eight->lanes >> FIRST_LANE(pass);
        Velocities v = GatherVelocities(step->states, bodies);
        SetVec(v.linear, tdAddVec3x8(MakeVec3x8(v.linear), tdLoadVec3x8(&row->linearStep[0][0])));
        SetVec(v.angular, tdAddVec3x8(MakeVec3x8(v.angular), tdLoadVec3x8(&row->angularStep[0][0])));
        ScatterVelocities(step->states, bodies, &v, lanes);
        unsigned unbounded = lanes & FULL_LANES & ~FindBoundedLanes(&v);
        if (unbounded != 0)
        {
            ClampLanes(step, eight, FIRST_LANE(pass), unbounded);
        }
    }
}

/// Square of the largest rotation rate of a free body in the rest of its motion. It follows from energy and
/// momentum, which are conserved, so that a tumbling body is integrated in one way: each way conserves an
/// energy of its own.
TD_SIMD_INLINE tdFloat8 BoundRotationRate(tdVec3x8 inv, tdVec3x8 own, tdVec3x8 momentum)
{
    // 2 E = inv_x Lx^2 + inv_y Ly^2 + inv_z Lz^2 bounds Lx^2 and Lz^2, because y is the middle axis.
    tdFloat8 energy = tdDotVec3x8(own, momentum), square = tdDotVec3x8(momentum, momentum);
    tdFloat8 d = tdSub8(inv.x, inv.z), rate = tdMul8(d, InvertLanesOrZero(tdMul8(d, d)));
    tdFloat8 x = tdMul8(rate, tdSub8(energy, tdMul8(inv.z, square)));
    tdFloat8 z = tdMul8(rate, tdSub8(tdMul8(inv.x, square), energy));
    tdFloat8 sum = tdAdd8(tdMul8(tdMul8(inv.x, inv.x), x), tdMul8(tdMul8(inv.z, inv.z), z));
    return tdAdd8(sum, tdMul8(tdMul8(inv.y, inv.y), square));
}

/// Keep the states of the given lanes.
/// @return the lanes
TD_SIMD_INLINE unsigned KeepFastStates(const tdSolverStep* step, const int32_t* bodies, unsigned lanes,
                                       tdBodyState* states)
{
    for (int i = 0; lanes >> i != 0; ++i)
    {
        if ((lanes >> i & 1u) != 0)
        {
            states[i] = ((const tdBodyState*)(const void*)step->states)[bodies[i]];
        }
    }
    return lanes;
}

/// Rotate the given lanes again, in inner steps, from their states before the sub-step.
static void TurnFastLanes(const tdSolverStep* step, const tdBodyRow* eight, int firstLane, unsigned lanes,
                          const tdBodyState* before)
{
    tdBodyState* states = (tdBodyState*)(void*)step->states;
    for (int i = 0; i < TD_SIMD_WIDTH; ++i)
    {
        if ((lanes >> i & 1u) != 0)
        {
            int lane = firstLane + i;
            tdTurnFastBody(eight, lane, step->subStep, before + i, states + eight->body[lane]);
        }
    }
}

static void IntegratePositions(const tdSolverStep* step, int start, int end)
{
    tdFloat8 h = tdSplat8(step->subStep), halfStep = tdSplat8(0.5f * step->subStep);
    float fastest = TD_FAST_TURN * step->invSubStep;
    tdFloat8 limit = tdSplat8(fastest * fastest);
    tdBodyState before[TD_SIMD_WIDTH];
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        tdBodyRow* eight = step->bodyRows + pass / PASSES;
        const tdBodyRow* row = FROM_LANE(eight, FIRST_LANE(pass));
        const int32_t* bodies = row->body;
        unsigned lanes = eight->lanes >> FIRST_LANE(pass);
        Velocities v = GatherVelocities(step->states, bodies);
        unsigned unbounded = lanes & FULL_LANES & ~FindBoundedLanes(&v);
        if (unbounded != 0)
        {
            ClampLanes(step, eight, FIRST_LANE(pass), unbounded);
            v = GatherVelocities(step->states, bodies);
        }
        tdFloat8 d[4], q[4];
        tdGather4x8(step->states, bodies, 8, d);
        tdGather4x8(step->states, bodies, 12, q);
        SetVec(d, tdMulAddVec3x8(MakeVec3x8(d), h, MakeVec3x8(v.linear)));
        tdQuatx8 rotation = {MakeVec3x8(q), q[3]};
        tdVec3x8 w = MakeVec3x8(v.angular);
        tdFloat8 square = tdDotVec3x8(w, w); // of the rotation rate
        unsigned fast = 0;
        if (eight->anyGyroscopic == 0)
        {
            fast = KeepFastStates(step, bodies, tdMaskBits8(tdLess8(limit, square)) & lanes, before);
            rotation = tdMulQuatx8(MakeRotation(tdScaleVec3x8(halfStep, w)), rotation);
        }
        else
        {
            tdMask8 gyroscopic = tdLess8(tdSplat8(0.5f), tdLoad8(row->gyroscopic));
            tdVec3x8 inertia = tdLoadVec3x8(&row->inertia[0][0]), inv = tdLoadVec3x8(&row->invInertia[0][0]);
            tdQuatx8 start0 = {tdLoadVec3x8(&row->frame[0][0]), tdLoad8(row->frame[3])};
            tdQuatx8 frame = CorrectLength(tdMulQuatx8(rotation, start0));
            tdVec3x8 own = tdInvRotatex8(frame, w), momentum = tdMulVec3x8(inertia, own), after = momentum;
            tdQuatx8 turned = TurnAboutAxes(inv, halfStep, &after);
            tdVec3x8 rate = tdScaleVec3x8(inv.y, tdRotatex8(frame, momentum));
            square = tdSelect8(gyroscopic, BoundRotationRate(inv, own, momentum), square);
            fast = KeepFastStates(step, bodies, tdMaskBits8(tdLess8(limit, square)) & lanes, before);
            // In world axes: first about its own axes, then about the momentum.
            tdQuatx8 turn = MakeRotation(tdScaleVec3x8(halfStep, tdSelectVec3x8(gyroscopic, rate, w)));
            tdQuatx8 both = tdMulQuatx8(turn, (tdQuatx8){tdRotatex8(frame, turned.v), turned.w});
            turn.v = tdSelectVec3x8(gyroscopic, both.v, turn.v);
            turn.w = tdSelect8(gyroscopic, both.w, turn.w);
            // Restore the length of the momentum: rounding errors would accumulate over thousands of
            // sub-steps.
            tdFloat8 squared = tdDotVec3x8(after, after);
            tdMask8 isNormal = tdAndMask8(tdLess8(tdSplat8(MIN_SQUARE), squared),
                                          tdLess8(squared, tdSplat8(1.0f / MIN_SQUARE)));
            tdFloat8 ratio = tdSelect8(
                isNormal, tdMul8(tdDotVec3x8(momentum, momentum), InvertLanesOrZero(squared)), tdSplat8(1.0f));
            after = tdScaleVec3x8(tdSqrt8(ratio), after);
            // Only the change is multiplied by the inverse inertia, because the product of inertia and
            // inverse is not exactly 1: the velocity would grow by a rounding error per sub-step.
            own = tdAddVec3x8(own, tdMulVec3x8(inv, tdSubVec3x8(after, momentum)));
            frame = CorrectLength(tdMulQuatx8(turn, frame));
            SetVec(v.angular, tdSelectVec3x8(gyroscopic, tdRotatex8(frame, own), w));
            ScatterVelocities(step->states, bodies, &v, lanes);
            rotation = tdMulQuatx8(turn, rotation);
        }
        rotation = CorrectLength(rotation);
        SetVec(q, rotation.v);
        q[3] = rotation.w;
        tdScatter4x8(step->states, bodies, 8, d, lanes);
        tdScatter4x8(step->states, bodies, 12, q, lanes);
        if (fast != 0)
        {
            TurnFastLanes(step, eight, FIRST_LANE(pass), fast, before);
        }
    }
}
