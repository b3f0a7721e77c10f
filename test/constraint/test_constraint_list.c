// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Order of constraints against the definition: dependencies from all pairs, cycles from the transitive
// closure.
#include "harness.h"

#include "constraint/constraint_list.h"
#include "runtime/builder.h"

static bool IsAbove(const tdBuilder* rig, int ancestor, int node)
{
    for (int n = rig->parents[node]; n >= 0; n = rig->parents[n])
    {
        if (n == ancestor)
        {
            return true;
        }
    }
    return false;
}

// docs/spec/vrm.md 1.4: what each kind reads.
static bool DependsOn(const tdBuilder* rig, const tdNodeConstraint* a, const tdNodeConstraint* b)
{
    if (a->kind != TD_CONSTRAINT_AIM)
    {
        return a->source == b->destination;
    }
    return IsAbove(rig, b->destination, a->source) || IsAbove(rig, b->destination, a->destination);
}

static void MakeRig(tdBuilder* rig, uint64_t* seed, int nodeCount, int constraintCount)
{
    tdBuilder_Init(rig, NULL);
    for (int i = 0; i < nodeCount; ++i)
    {
        // Parents may come after children in a file, so some nodes get a later parent.
        tdBuilder_AddNode(rig, i == 0 ? -1 : (int)(tdRandom(seed) * i), tdTrs_identity);
    }
    for (int node = nodeCount - 1; node > 0 && rig->constraintCount < constraintCount; --node)
    {
        if (tdRandom(seed) < 0.6)
        {
            int source = (int)(tdRandom(seed) * nodeCount);
            source = source == node ? 0 : source;
            rig->constraints[rig->constraintCount++] = (tdNodeConstraint){
                (tdConstraintKind)(int)(tdRandom(seed) * 3), node, source, {1, 0, 0}, 1.0f, false, -1};
        }
    }
}

TEST(OrderIsTopologicalWithTiesByNode)
{
    static tdBuilder rig;
    static bool reach[64][64];
    uint64_t seed = 11;
    int cyclic = 0, acyclic = 0;
    for (int round = 0; round < 300; ++round)
    {
        MakeRig(&rig, &seed, 20, 12);
        const tdAsset* asset = tdBuilder_Finish(&rig);
        const tdConstraintList* list = asset->scene.constraints;
        int n = rig.constraintCount;
        if (n == 0)
        {
            continue;
        }
        for (int i = 0; i < n; ++i)
        {
            for (int k = 0; k < n; ++k)
            {
                reach[i][k] = DependsOn(&rig, &list->items[i], &list->items[k]);
            }
        }
        bool direct[64][64];
        memcpy(direct, reach, sizeof(direct));
        for (int m = 0; m < n; ++m)
        {
            for (int i = 0; i < n; ++i)
            {
                for (int k = 0; k < n; ++k)
                {
                    reach[i][k] = reach[i][k] || (reach[i][m] && reach[m][k]);
                }
            }
        }
        for (int i = 0; i < n; ++i)
        {
            ENSURE_EQUAL_INT(list->items[i].isInCycle, reach[i][i]);
            ENSURE_EQUAL_INT(list->byNode[list->items[i].destination], i);
            cyclic += reach[i][i];
            acyclic += !reach[i][i];
            for (int k = i; k < n; ++k)
            {
                // No constraint depends on a later one; members of cycles depend on nothing.
                ENSURE(reach[i][i] || !direct[i][k]);
            }
            // Ties: a later constraint with a smaller node depends on a constraint from here on.
            for (int k = i + 1; k < n; ++k)
            {
                if (list->items[k].destination > list->items[i].destination || reach[i][i] != reach[k][k])
                {
                    continue;
                }
                bool waits = false;
                for (int m = i; m < k; ++m)
                {
                    waits = waits || reach[k][m];
                }
                ENSURE(waits);
            }
            // The list of dependencies, members themselves included.
            int places[64], expected = 0;
            int count = tdConstraintList_GetDependencies(list, &asset->scene.nodes, i, places, 64);
            for (int k = 0; k < n; ++k)
            {
                expected += direct[i][k];
            }
            ENSURE_EQUAL_INT(count, expected);
            for (int k = 0; k < count; ++k)
            {
                ENSURE(direct[i][places[k]]);
                ENSURE(k == 0 || places[k - 1] < places[k]);
            }
        }
        tdBuilder_Free(&rig);
    }
    ENSURE(cyclic > 100 && acyclic > 100); // both kinds occurred
}

TEST(RefreshListsHoldEachNodeOnceParentsFirst)
{
    static tdBuilder rig;
    uint64_t seed = 12;
    for (int round = 0; round < 100; ++round)
    {
        MakeRig(&rig, &seed, 20, 12);
        const tdAsset* asset = tdBuilder_Finish(&rig);
        const tdConstraintList* list = asset->scene.constraints;
        bool isFresh[32] = {false};
        for (int i = 0; list != NULL && i < list->count; ++i)
        {
            const tdConstraintStep* step = &list->steps[i];
            for (int k = step->refreshStart; k < step->refreshEnd; ++k)
            {
                int node = list->refreshNodes[k];
                ENSURE(!isFresh[node]);
                ENSURE(rig.parents[node] < 0 || isFresh[rig.parents[node]]);
                isFresh[node] = true;
            }
            if (step->kind == TD_CONSTRAINT_AIM && !step->isInCycle)
            {
                ENSURE(step->sourceParent < 0 || isFresh[step->sourceParent]);
                ENSURE(step->destinationParent < 0 || isFresh[step->destinationParent]);
            }
        }
        tdBuilder_Free(&rig);
    }
}

TEST(SourceBelowDestinationIsNoCycleForRollAndRotation)
{
    static tdBuilder rig;
    for (int kind = 0; kind < 3; ++kind)
    {
        tdBuilder_Init(&rig, NULL);
        tdBuilder_AddNode(&rig, -1, tdTrs_identity);
        tdBuilder_AddNode(&rig, 0, tdTrs_identity);
        rig.constraints[rig.constraintCount++] =
            (tdNodeConstraint){(tdConstraintKind)kind, 0, 1, {1, 0, 0}, 1.0f, false, -1};
        const tdConstraintList* list = tdBuilder_Finish(&rig)->scene.constraints;
        ENSURE_EQUAL_INT(list->items[0].isInCycle, kind == TD_CONSTRAINT_AIM);
        tdBuilder_Free(&rig);
    }
}

TEST(MemoryMayRunOut)
{
    static tdBuilder rig;
    uint64_t seed = 13;
    MakeRig(&rig, &seed, 20, 12);
    const tdAsset* asset = tdBuilder_Finish(&rig);
    for (int64_t failAt = 0; failAt < 100; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdArena arena;
        tdArena_Init(&arena, &allocator, 64);
        bool built =
            tdConstraintList_Build(&asset->scene.nodes, rig.constraints, rig.constraintCount, &arena) != NULL;
        tdArena_Free(&arena);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        if (built)
        {
            ENSURE(failAt > 2);
            break;
        }
    }
    tdBuilder_Free(&rig);
}

TEST_MAIN(RUN(OrderIsTopologicalWithTiesByNode) RUN(RefreshListsHoldEachNodeOnceParentsFirst)
              RUN(SourceBelowDestinationIsNoCycleForRollAndRotation) RUN(MemoryMayRunOut))
