// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of standing structures: stack, pyramid, heavy on light, card house. Sleep is off, so the solver must
// hold them in every step. The sixty-second versions are in test_soak.c.
#include "harness.h"

#include "physics/standing.h"

TEST(TenBoxesStand)
{
    CheckStack(10);
}

TEST(PyramidStands)
{
    CheckPyramid(10, 5);
}

TEST(HeavyOnLightStands)
{
    CheckHeavyOnLight(10);
}

TEST(CardHouseStands)
{
    CheckCardHouse(10);
}

TEST_MAIN(RUN(TenBoxesStand) RUN(PyramidStands) RUN(HeavyOnLightStands) RUN(CardHouseStands))
