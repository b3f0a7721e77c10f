// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of quaternions that are not of unit length: import normalises any length and keeps the direction.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

TEST(RotationsAreNormalised)
{
    static const double lengths[] = {0.5, 0.95, 0.9999, 0.99999, 1.00001, 1.0001, 1.05, 2.0, 1e20};
    const double unit[4] = {0.1, -0.5, 0.7, sqrt(1.0 - 0.01 - 0.25 - 0.49)};
    for (int i = 0; i < 9; ++i)
    {
        char text[256];
        snprintf(text, sizeof(text),
                 "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"rotation\":[%.9g,%.9g,%.9g,%.9g]}]}",
                 lengths[i] * unit[0], lengths[i] * unit[1], lengths[i] * unit[2], lengths[i] * unit[3]);
        tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), NULL, NULL);
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        tdQuat q = tdActor_GetLocals(actor)[0].rotation;
        const float got[4] = {q.x, q.y, q.z, q.w};
        for (int k = 0; k < 4; ++k)
        {
            ENSURE_NEAR(got[k], unit[k], 2e-6);
        }
        tdDestroyStage(stage);
        tdDestroyAsset(asset);
    }
}

TEST_MAIN(RUN(RotationsAreNormalised))
