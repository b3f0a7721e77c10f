// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rollback over a bad network, in one process: two peers push pucks around. Each sees its own input at once
// and the other's late. A server waits for both. Their states are equal at every confirmed step
// (docs/time.md). An argument gives the number of steps.
// Prints: 2000 steps confirmed, equal on the server and both peers; [1-9][0-9]* steps repeated
#include <stdio.h>
#include <stdlib.h>
#include <tendon/tendon.h>

#define HISTORY 32 // steps that a peer may run ahead of the inputs it knows
#define DELAY 6    // longest delay of a packet, steps
#define LOSS 25    // packets that are lost, percent

static signed char inputs[2][1 << 20]; // by player and step: -1, 0 or 1
static int stepCount = 2000;

typedef struct Machine
{
    tdStage* stage;
    tdHistory* history;
    tdBodyId pucks[2];
    int known[2];     // inputs of this many steps have arrived, by player
    uint64_t* hashes; // by step, of the state before it
    long repeatedSteps;
} Machine;

// A packet that is on its way: when it arrives, and how many inputs the receiver then knows. It carries all
// inputs that the receiver has not acknowledged, so a lost one does no harm.
typedef struct Packet
{
    int arrival, count;
} Packet;
static Packet packets[3][2][DELAY + 1]; // by receiver and sender

static void Create(Machine* machine)
{
    machine->stage = tdCreateStage(NULL);
    machine->history = tdCreateHistory(machine->stage, HISTORY);
    machine->hashes = calloc((size_t)stepCount + 1, sizeof(uint64_t));
    tdWorld* world = tdStage_GetWorld(machine->stage);
    tdBodyDef def = tdDefaultBodyDef();
    tdCreatePlane(world, tdCreateBody(world, &def), NULL, 100.0f, 100.0f, false);
    def.motion = TD_MOTION_DYNAMIC;
    for (int player = 0; player < 2; ++player)
    {
        def.transform.position = (tdVec3){player == 0 ? -1.0f : 1.0f, 0.11f, 0.0f};
        machine->pucks[player] = tdCreateBody(world, &def);
        tdCreateCylinder(world, machine->pucks[player], NULL, 0.2f, 0.3f, 0.3f);
    }
}

// The inputs of a step, as far as this machine knows them. An unknown input counts as none.
static void ApplyInputs(void* context, tdStage* stage, int64_t step)
{
    Machine* machine = context;
    machine->hashes[step] = tdStage_GetStateHash(stage);
    for (int player = 0; player < 2; ++player)
    {
        if (step < machine->known[player] && inputs[player][step] != 0)
        {
            tdVec3 push = {20.0f * (float)inputs[player][step], 0.0f, player == 0 ? 5.0f : -5.0f};
            tdBody_ApplyImpulseToCenter(tdStage_GetWorld(stage), machine->pucks[player], push);
        }
    }
}

// Takes the packets of this tick. Inputs of steps that were made already are late: the machine goes back to
// the first of those steps and repeats them.
static void Receive(Machine* machine, int self, int tick)
{
    int64_t step = tdStage_GetStepIndex(machine->stage), first = step;
    for (int from = 0; from < 2; ++from)
    {
        for (int k = 0; from != self && k <= DELAY; ++k)
        {
            Packet packet = packets[self][from][k];
            if (packet.arrival == tick && packet.count > machine->known[from])
            {
                first = machine->known[from] < first ? machine->known[from] : first;
                machine->known[from] = packet.count;
            }
        }
    }
    if (first < step && tdHistory_Rollback(machine->history, (int)(step - first), ApplyInputs, machine))
    {
        machine->repeatedSteps += (long)(step - first);
    }
}

int main(int argc, char** argv)
{
    stepCount = argc > 1 && atoi(argv[1]) > 0 && atoi(argv[1]) < 1 << 20 ? atoi(argv[1]) : stepCount;
    Machine machines[3] = {{0}}; // two peers, then the server
    for (int i = 0; i < 3; ++i)
    {
        Create(&machines[i]);
    }
    srand(23);
    for (int tick = 0, doneCount = 0; doneCount < 3; ++tick)
    {
        doneCount = 0;
        for (int i = 0; i < 3; ++i)
        {
            Machine* machine = &machines[i];
            Receive(machine, i, tick);
            int64_t step = tdStage_GetStepIndex(machine->stage);
            int both = machine->known[0] < machine->known[1] ? machine->known[0] : machine->known[1];
            int limit = i == 2 ? both : machine->known[1 - i] + HISTORY;
            bool mayStep = step < limit && step <= stepCount;
            if (mayStep && i < 2)
            {
                inputs[i][step] = (signed char)(rand() % 3 - 1);
                machine->known[i] = (int)step + 1;
            }
            if (mayStep && !tdHistory_Step(machine->history, ApplyInputs, machine))
            {
                return 1; // out of memory
            }
            for (int to = 0; i < 2 && to < 3; ++to)
            {
                Packet packet = {tick + 1 + rand() % DELAY, machine->known[i]};
                packet.arrival = rand() % 100 < LOSS ? -1 : packet.arrival;
                packets[to][i][tick % (DELAY + 1)] = packet;
            }
            doneCount += both > stepCount && step > stepCount;
        }
    }
    int differences = 0;
    for (int step = 0; step <= stepCount; ++step)
    {
        differences += machines[0].hashes[step] != machines[2].hashes[step];
        differences += machines[1].hashes[step] != machines[2].hashes[step];
    }
    printf("%d steps confirmed, %s; %ld steps repeated\n", stepCount,
           differences == 0 ? "equal on the server and both peers" : "NOT equal",
           machines[0].repeatedSteps + machines[1].repeatedSteps);
    for (int i = 0; i < 3; ++i)
    {
        free(machines[i].hashes);
        tdDestroyHistory(machines[i].history);
        tdDestroyStage(machines[i].stage);
    }
    return differences != 0;
}
