// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The search for impacts, eight manifolds at once. Included once per vector width, after contact_kernels.inl.

/// Mark the lanes with an impact in this sub-step: a point of a manifold with restitution closes its gap
/// before the end of the sub-step, faster than the threshold.
static void FindImpacts(const tdSolverStep* step, int start, int end)
{
    tdFloat8 zero = tdZero8(), h = tdSplat8(step->subStep), threshold = tdSplat8(-step->restitutionThreshold);
    for (int pass = PASSES * start; pass < PASSES * end; ++pass)
    {
        const tdContactGroup* group = step->groups + pass / PASSES;
        int part = PART_OF(pass), lane = FIRST_LANE(pass);
        int any = 0;
        for (int round = 0; round < group->rowCount; ++round)
        {
            any |= step->rows[group->firstRow + round].part[part].hasRestitution;
        }
        if (any == 0)
        {
            continue;
        }
        Velocities a = GatherVelocities(step->states, group->bodyA + lane);
        Velocities b = GatherVelocities(step->states, group->bodyB + lane);
        Displacement travel = GatherDisplacement(step->states, group->bodyA + lane, group->bodyB + lane);
        tdVec3x8 v = tdSubVec3x8(MakeVec3x8(b.linear), MakeVec3x8(a.linear));
        tdVec3x8 wA = MakeVec3x8(a.angular), wB = MakeVec3x8(b.angular);
        for (int round = 0; round < group->rowCount; ++round)
        {
            tdContactRow* row = &step->rows[group->firstRow + round].part[part];
            tdVec3x8 n = LOAD_VEC(row->normal);
            tdFloat8 linear = tdDotVec3x8(v, n), shift = tdDotVec3x8(travel.d, n);
            tdMask8 bouncy = tdLess8(zero, tdLoad8(row->restitution));
            unsigned lanes = 0;
            for (int k = 0; k < row->pointCount; ++k)
            {
                const tdPointRow* point = row->points + k;
                tdVec3x8 rAn = LOAD_VEC(point->rAn), rBn = LOAD_VEC(point->rBn);
                tdFloat8 vn = tdAdd8(linear, tdSub8(tdDotVec3x8(wB, rBn), tdDotVec3x8(wA, rAn)));
                tdFloat8 s = tdAdd8(tdLoad8(point->separation), shift);
                s = tdAdd8(s, tdSub8(tdDotVec3x8(travel.tB, rBn), tdDotVec3x8(travel.tA, rAn)));
                tdMask8 exists = tdLess8(zero, tdLoad8(point->mass)), isFast = tdLess8(vn, threshold);
                tdMask8 closes = tdLess8(tdAdd8(s, tdMul8(h, vn)), zero);
                lanes |= tdMaskBits8(bouncy) & tdMaskBits8(exists) & tdMaskBits8(isFast) & tdMaskBits8(closes);
            }
            row->impactLanes = lanes;
        }
    }
}
