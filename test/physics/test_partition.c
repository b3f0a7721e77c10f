// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of partitions: every awake body is in exactly one, no contact connects two, and the partitioning
// changes no bit. Tests of regions: the same where all workers solve together.
//
// Labels: threads
#include "harness.h"

#include "physics/bodies.h"
#include "physics/data/world_data.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/partition.h"
#include "physics/solver/solver_data.h"

#include "tendon/joint.h"

#include <stdlib.h>

#define STACKS 150
#define HEIGHT 3

// Stacks on a floor, two of them connected by a joint, and a rotating kinematic bar that hits some of them.
static tdWorld* MakeStacks(const tdTasks* tasks, bool withOthers)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = tasks;
    def.enableSleep = false;
    tdWorld* world = tdCreateWorld(&def);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(500, 2, 500), plain);
    tdBodyId tops[STACKS];
    for (int i = 0; i < STACKS; ++i)
    {
        for (int k = 0; k < HEIGHT; ++k)
        {
            tops[i] =
                AddBox(world, TD_MOTION_DYNAMIC, V(1.5 * (i % 15) - 10, 0.5 + 1.02 * k, 1.5 * (i / 15) - 7),
                       noTurn, V(1, 1, 1), plain);
        }
    }
    if (withOthers)
    {
        tdJointDef joint = tdDefaultJointDef();
        joint.bodyA = tops[0];
        joint.bodyB = tops[1];
        tdCreateJoint(world, &joint);
        tdBodyId bar = AddBox(world, TD_MOTION_KINEMATIC, V(0, 0.5, 0), noTurn, V(9, 0.4, 0.4), plain);
        tdBody_SetAngularVelocity(world, bar, V(0, 1, 0));
    }
    return world;
}

// Brute force: propagates the smallest index along contacts until nothing changes.
static void FloodLabels(const tdWorld* world, int* labels)
{
    for (int i = 0; i < world->awakeCount; ++i)
    {
        labels[i] = i;
    }
    for (bool isChanged = true; isChanged;)
    {
        isChanged = false;
        for (int i = 0; i < world->touchingContacts.count; ++i)
        {
            int a = world->touchingContacts.data[i].simA, b = world->touchingContacts.data[i].simB;
            if (a > 0 && b > 0 && (world->sims[a].flags & world->sims[b].flags & TD_BODY_DYNAMIC) != 0 &&
                labels[a] != labels[b])
            {
                labels[a] = labels[b] = tdMinInt(labels[a], labels[b]);
                isChanged = true;
            }
        }
    }
}

static void CheckPartitions(const tdWorld* world)
{
    const tdPartitionSet* partitions = &world->solver->partitions;
    int awakeCount = world->awakeCount;
    int* labels = malloc((size_t)awakeCount * sizeof(int));
    int* partitionOf = malloc((size_t)awakeCount * sizeof(int));
    FloodLabels(world, labels);
    for (int i = 0; i < awakeCount; ++i)
    {
        partitionOf[i] = -1;
    }
    int bodyCount = 0, contactCount = 0;
    for (int p = 0; p < partitions->count; ++p)
    {
        const tdPartition* partition = &partitions->items[p];
        for (int row = partition->firstBodyRow; row < partition->firstBodyRow + partition->bodyRowCount;
             ++row)
        {
            int32_t bodies[TD_LANES];
            tdPartitionSet_GetBodies(partitions, row, awakeCount, bodies);
            for (int i = 0; i < TD_LANES; ++i)
            {
                if (bodies[i] > 0)
                {
                    ENSURE_EQUAL_INT(partitionOf[bodies[i]], -1);
                    partitionOf[bodies[i]] = p;
                    bodyCount += 1;
                }
            }
        }
        contactCount += partition->contactCount;
        for (int i = partition->firstContact; i < partition->firstContact + partition->contactCount; ++i)
        {
            const tdTouchingContact* touching = &world->touchingContacts.data[world->solver->sorted[i]];
            for (int side = 0; side < 2; ++side)
            {
                int sim = side == 0 ? touching->simA : touching->simB;
                ENSURE(sim <= 0 || (world->sims[sim].flags & TD_BODY_DYNAMIC) == 0 || partitionOf[sim] == p);
            }
        }
    }
    ENSURE_EQUAL_INT(bodyCount, awakeCount - 1);
    ENSURE_EQUAL_INT(contactCount, world->touchingContacts.count);
    for (int i = 1; i < awakeCount; ++i)
    {
        ENSURE(partitionOf[i] == partitionOf[labels[i]]);
        bool isTied = world->bodies.data[world->sims[i].body].jointCount > 0;
        ENSURE(partitionOf[i] == 0 || (!isTied && (world->sims[i].flags & TD_BODY_DYNAMIC) != 0));
    }
    free(labels);
    free(partitionOf);
}

TEST(PartitionsContainConnectedBodies)
{
    for (int workers = 2; workers <= 4; workers += 2)
    {
        const tdTasks* tasks = tdCreateThreads(workers);
        for (int withOthers = 0; withOthers < 2; ++withOthers)
        {
            tdWorld* world = MakeStacks(tasks, withOthers != 0);
            for (int i = 0; i < 20; ++i)
            {
                tdWorld_Step(world, (float)STEP);
            }
            // After the step the touching contacts and awake indices are still those of the solver: nothing
            // sleeps here.
            ENSURE(world->solver->partitions.count > 2 && !world->solver->partitions.isWhole);
            ENSURE((world->solver->partitions.items[0].bodyCount > 0) == (withOthers != 0));
            CheckPartitions(world);
            tdDestroyWorld(world);
        }
        tdDestroyThreads(tasks);
    }
}

TEST(PartitioningChangesNoBit)
{
    uint64_t hashes[4];
    for (int i = 0; i < 4; ++i)
    {
        int workers = i + 1; // one worker does not divide so few contacts
        const tdTasks* tasks = workers > 1 ? tdCreateThreads(workers) : NULL;
        tdWorld* world = MakeStacks(tasks, true);
        hashes[i] = 0;
        for (int j = 0; j < 30; ++j)
        {
            tdWorld_Step(world, (float)STEP);
            hashes[i] = 31 * hashes[i] + tdWorld_GetStateHash(world);
        }
        ENSURE(world->solver->partitions.isWhole == (i == 0));
        tdDestroyWorld(world);
        tdDestroyThreads(tasks);
    }
    ENSURE(hashes[1] == hashes[0]);
    ENSURE(hashes[2] == hashes[0]);
    ENSURE(hashes[3] == hashes[0]);
}

// One tower is one partition: the search ends early and is not repeated at once.
TEST(ConnectedBodiesStayInOnePartition)
{
    const tdTasks* tasks = tdCreateThreads(2);
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = tasks;
    tdWorld* world = tdCreateWorld(&def);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(500, 2, 500), plain);
    for (int i = 0; i < 12; ++i)
    {
        for (int k = 0; k < 12; ++k)
        {
            AddBox(world, TD_MOTION_DYNAMIC, V(i + 0.5 * (k % 2), 0.5 + k, 0), noTurn, V(1, 1, 1), plain);
        }
    }
    int pauses = 0;
    for (int i = 0; i < 10; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        ENSURE(world->touchingContacts.count < 128 || world->solver->partitions.isWhole);
        pauses += world->solver->partitions.pause > 0;
    }
    ENSURE(pauses >= 5);
    tdDestroyWorld(world);
    tdDestroyThreads(tasks);
}

// A wall 40 wide and 6 high.
static tdWorld* MakeWall(const tdTasks* tasks)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.tasks = tasks;
    tdWorld* world = tdCreateWorld(&def);
    AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(500, 2, 500), plain);
    for (int k = 0; k < 6; ++k)
    {
        for (int i = 0; i < 40; ++i)
        {
            AddBox(world, TD_MOTION_DYNAMIC, V(i + 0.5 * (k % 2), 0.5 + k, 0), noTurn, V(1, 1, 1), plain);
        }
    }
    return world;
}

// Where all workers solve together each has its own section of the wall: the contacts of a colour are ordered
// by region, no group mixes two regions, and only few contacts connect two regions.
TEST(RegionsKeepNeighboursTogether)
{
    for (int workers = 2; workers <= 4; ++workers)
    {
        const tdTasks* tasks = tdCreateThreads(workers);
        tdWorld* world = MakeWall(tasks);
        for (int i = 0; i < 3; ++i)
        {
            tdWorld_Step(world, (float)STEP);
        }
        const tdSolver* solver = world->solver;
        const tdPartitionSet* partitions = &solver->partitions;
        ENSURE(partitions->isWhole);
        ENSURE_EQUAL_INT(partitions->regionCount, workers);
        CheckPartitions(world);
        int counts[4] = {0}, across = 0, groups = partitions->items[0].groupCount;
        for (int i = 1; i < world->awakeCount; ++i)
        {
            ENSURE_EQUAL_INT(partitions->regionOrder[partitions->slots[i] - 1], i);
            ENSURE(i == 1 || partitions->regions[partitions->regionOrder[i - 1]] >=
                                 partitions->regions[partitions->regionOrder[i - 2]]);
            for (int j = 1; j < world->awakeCount; ++j)
            {
                // Perpendicular to the longest axis.
                ENSURE(partitions->regions[i] <= partitions->regions[j] ||
                       world->sims[i].center.x >= world->sims[j].center.x - 40.5f / 256.0f);
            }
        }
        for (int g = 0; g < groups; ++g)
        {
            const tdContactGroup* group = &solver->groups[g];
            for (int i = 0; i < group->contactCount; ++i)
            {
                const tdTouchingContact* touching = &world->touchingContacts.data[group->touching[i]];
                int regionA = touching->simA > 0 ? partitions->regions[touching->simA]
                                                 : partitions->regions[touching->simB];
                int regionB = touching->simB > 0 ? partitions->regions[touching->simB] : regionA;
                const tdTouchingContact* first = &world->touchingContacts.data[group->touching[0]];
                ENSURE_EQUAL_INT(regionA, partitions->regions[first->simA > 0 ? first->simA : first->simB]);
                ENSURE(touching->color == first->color);
                across += regionA != regionB;
                counts[regionA] += 1;
            }
        }
        for (int region = 0; region < workers; ++region)
        {
            // Equal numbers of contacts in each, up to those of the column of six at each border, with three
            // each.
            ENSURE(abs(counts[region] - world->touchingContacts.count / workers) <= 36);
        }
        ENSURE(across <= 24 * (workers - 1)); // of about 700
        tdDestroyWorld(world);
        tdDestroyThreads(tasks);
    }
}

TEST(RegionsChangeNoBit)
{
    uint64_t hashes[4];
    for (int i = 0; i < 4; ++i)
    {
        const tdTasks* tasks = i > 0 ? tdCreateThreads(i + 1) : NULL;
        tdWorld* world = MakeWall(tasks);
        hashes[i] = 0;
        for (int j = 0; j < 40; ++j) // longer than regions are kept
        {
            tdWorld_Step(world, (float)STEP);
            hashes[i] = 31 * hashes[i] + tdWorld_GetStateHash(world);
        }
        ENSURE_EQUAL_INT(world->solver->partitions.regionCount, i + 1);
        tdDestroyWorld(world);
        tdDestroyThreads(tasks);
    }
    ENSURE(hashes[1] == hashes[0]);
    ENSURE(hashes[2] == hashes[0]);
    ENSURE(hashes[3] == hashes[0]);
}

TEST_MAIN(RUN(PartitionsContainConnectedBodies) RUN(PartitioningChangesNoBit)
              RUN(ConnectedBodiesStayInOnePartition) RUN(RegionsKeepNeighboursTogether)
                  RUN(RegionsChangeNoBit))
