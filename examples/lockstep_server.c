// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The server of a lockstep game whose peers run in browsers: reads the confirmed inputs of every step from
// standard input, two numbers -1, 0 or 1 on a line, and prints the state hash after each step
// (docs/time.md; web/module/test/lockstep.test.mjs has the peers). lockstep.c explains rollback. With an
// argument, it makes that many steps without inputs instead.
// Run: 120
// Prints: 120 steps
#include <stdio.h>
#include <stdlib.h>
#include <tendon/tendon.h>

static int idleSteps = -1; // of the argument; negative: inputs come from standard input

// Reads the inputs of the next step. False at the end of the game.
static bool ReadInputs(int inputs[2])
{
    if (idleSteps < 0)
    {
        return scanf("%d %d", &inputs[0], &inputs[1]) == 2;
    }
    inputs[0] = inputs[1] = 0;
    return idleSteps-- > 0;
}

int main(int argc, char** argv)
{
    idleSteps = argc > 1 ? abs(atoi(argv[1])) : -1;
    tdStage* stage = tdCreateStage(NULL);
    tdWorld* world = tdStage_GetWorld(stage);
    tdBodyDef def = tdDefaultBodyDef();
    tdBodyId pucks[2];
    tdCreatePlane(world, tdCreateBody(world, &def), NULL, 100.0f, 100.0f, false);
    def.motion = TD_MOTION_DYNAMIC;
    for (int player = 0; player < 2; ++player)
    {
        def.transform.position = (tdVec3){player == 0 ? -1.0f : 1.0f, 0.11f, 0.0f};
        pucks[player] = tdCreateBody(world, &def);
        tdCreateCylinder(world, pucks[player], NULL, 0.2f, 0.3f, 0.3f);
    }
    for (int inputs[2]; ReadInputs(inputs);)
    {
        for (int player = 0; player < 2; ++player)
        {
            tdVec3 push = {20.0f * (float)inputs[player], 0.0f, player == 0 ? 5.0f : -5.0f};
            if (inputs[player] != 0)
            {
                tdBody_ApplyImpulseToCenter(world, pucks[player], push);
            }
        }
        if (!tdStage_Step(stage))
        {
            return 1; // out of memory
        }
        printf("%016llx\n", (unsigned long long)tdWorld_GetStateHash(world));
    }
    printf("%lld steps\n", (long long)tdStage_GetStepIndex(stage));
    tdDestroyStage(stage);
    return 0;
}
