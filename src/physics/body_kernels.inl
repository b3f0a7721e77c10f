// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Integration of several bodies at once. Included once per vector width, after contact_kernels.inl.
//
// A free body keeps its angular momentum L = I(q) w in the world while its axes turn. Written in the
// principal axes, where I is diagonal: with wl = R^T w and Ll = I wl, a rotation d of the body turns Ll into
// d^-1 Ll. The step is the midpoint rule on that:
//
//   wh = I^-1 exp(-h/2 wl) Ll       rate in the middle of the sub-step
//   d  = exp(h wh)                  rotation over the sub-step
//   wn = I^-1 d^-1 Ll               rate at its end
//
// |L| is kept to rounding whatever h, so nothing can blow up (w stays below |L| / least inertia), and the
// second order of the midpoint keeps the energy. Constraints act between sub-steps through the velocities as
// usual.

/// Unit quaternion of the rotation vector 2 * half. Half angles up to pi / 2, longer ones are cut there.
TD_SIMD_INLINE tdQuatx8 RotationOf(tdVec3x8 half)
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
    return tdNormalizeQuatx8((tdQuatx8){tdScaleVec3x8(s, half), c});
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
        SetVec(v.linear, tdAddVec3x8(Vec(v.linear), tdLoadVec3x8(&row->linearStep[0][0])));
        SetVec(v.angular, tdAddVec3x8(Vec(v.angular), tdLoadVec3x8(&row->angularStep[0][0])));
        ScatterVelocities(step->states, bodies, &v, lanes);
    }
}

static void IntegratePositions(const tdSolverStep* step, int start, int end)
{
    tdFloat8 h = tdSplat8(step->subStep), halfStep = tdSplat8(0.5f * step->subStep);
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        tdBodyRow* eight = step->bodyRows + pass / PASSES;
        const tdBodyRow* row = FROM_LANE(eight, FIRST_LANE(pass));
        const int32_t* bodies = row->body;
        unsigned lanes = eight->lanes >> FIRST_LANE(pass);
        Velocities v = GatherVelocities(step->states, bodies);
        tdFloat8 d[4], q[4];
        tdGather4x8(step->states, bodies, 8, d);
        tdGather4x8(step->states, bodies, 12, q);
        SetVec(d, tdMulAddVec3x8(Vec(d), h, Vec(v.linear)));
        tdQuatx8 rotation = {Vec(q), q[3]};
        tdVec3x8 w = Vec(v.angular);
        tdVec3x8 middle = w;
        if (eight->anyGyroscopic != 0)
        {
            tdMask8 gyroscopic = tdLess8(tdSplat8(0.5f), tdLoad8(row->gyroscopic));
            tdVec3x8 inertia = tdLoadVec3x8(&row->inertia[0][0]), inv = tdLoadVec3x8(&row->invInertia[0][0]);
            tdQuatx8 start0 = {tdLoadVec3x8(&row->frame[0][0]), tdLoad8(row->frame[3])};
            tdQuatx8 frame = tdNormalizeQuatx8(tdMulQuatx8(rotation, start0));
            tdVec3x8 local = tdInvRotatex8(frame, w);
            tdVec3x8 momentum = tdMulVec3x8(inertia, local);
            tdQuatx8 half = RotationOf(tdScaleVec3x8(tdSplat8(0.25f * step->subStep), local));
            tdVec3x8 rate = tdMulVec3x8(inv, tdInvRotatex8(half, momentum));
            tdQuatx8 whole = RotationOf(tdScaleVec3x8(halfStep, rate));
            // Rounding must not change the length of the momentum, or thousands of sub-steps would.
            tdVec3x8 turned = tdInvRotatex8(whole, momentum);
            tdFloat8 ratio =
                tdMul8(tdDotVec3x8(momentum, momentum), InverseOrZero(tdDotVec3x8(turned, turned)));
            tdVec3x8 after = tdMulVec3x8(inv, tdScaleVec3x8(tdSqrt8(ratio), turned));
            middle = tdSelectVec3x8(gyroscopic, tdRotatex8(frame, rate), middle);
            SetVec(v.angular,
                   tdSelectVec3x8(gyroscopic, tdRotatex8(tdNormalizeQuatx8(tdMulQuatx8(frame, whole)), after),
                                  Vec(v.angular)));
            ScatterVelocities(step->states, bodies, &v, lanes);
        }
        rotation = tdNormalizeQuatx8(tdMulQuatx8(RotationOf(tdScaleVec3x8(halfStep, middle)), rotation));
        SetVec(q, rotation.v);
        q[3] = rotation.w;
        tdScatter4x8(step->states, bodies, 8, d, lanes);
        tdScatter4x8(step->states, bodies, 12, q, lanes);
    }
}
