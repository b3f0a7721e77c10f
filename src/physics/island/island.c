// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Islands and the sleep test. An island that lost constraints may contain unconnected bodies, so it cannot
// sleep before it is split. One large island and a limited number of bodies in small ones are split per step.
// See docs/decisions/062.
#include "physics/island/island.h"

#include "physics/data/joint_data.h"
#include "physics/data/union_find.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/island/rest.h"

#include <float.h>

/// Limit of bodies in small islands that are split per step: keeps the cost of the sleep test low. Found by
/// trial; test_island notices a change.
#define MAX_SPLIT_BODIES 256

/// A creeping island is tested again after so many steps. A window of the test (rest.c) is longer.
#define RETRY_STEPS 4

/// Islands that grow to so many bodies count as loaded for some steps: in a new tower the load takes as long
/// to show.
#define MIN_NEW_STACK 8
#define NEW_STACK_STEPS 6
/// Distance of the line of gravity through the centre of a body from that of the body below, in inner radii,
/// above which even two bodies count as loaded: the springs of a load beside the middle tilt what is above
/// them. Straight stacks do not need that.
#define LEANING_SHARE 0.15f

static void AppendBody(tdWorld* world, int island, int body)
{
    tdIsland* record = &world->islands.data[island];
    tdBody* bodyRecord = &world->bodies.data[body];
    bodyRecord->island = island;
    bodyRecord->islandPrevious = record->lastBody;
    bodyRecord->islandNext = -1;
    if (record->lastBody >= 0)
    {
        world->bodies.data[record->lastBody].islandNext = body;
    }
    else
    {
        record->firstBody = body;
    }
    record->lastBody = body;
    record->bodyCount += 1;
}

int tdWorld_CreateIsland(tdWorld* world, int body)
{
    int index = world->freeIsland;
    if (index >= 0)
    {
        world->freeIsland = world->islands.data[index].nextFree;
    }
    else
    {
        TD_ASSERT(world->islands.count < world->islands.capacity);
        index = world->islands.count++;
    }
    bool isAwake = world->bodies.data[body].simIndex > 0;
    world->islands.data[index] =
        (tdIsland){.firstBody = -1, .lastBody = -1, .isAwake = isAwake, .nextFree = -1};
    world->awakeIslandCount += isAwake ? 1 : 0;
    AppendBody(world, index, body);
    return index;
}

static void FreeIsland(tdWorld* world, int island)
{
    tdIsland* record = &world->islands.data[island];
    world->awakeIslandCount -= record->isAwake ? 1 : 0;
    record->bodyCount = 0;
    record->nextFree = world->freeIsland;
    world->freeIsland = island;
}

void tdWorld_RemoveFromIsland(tdWorld* world, int body)
{
    tdBody* record = &world->bodies.data[body];
    tdIsland* island = &world->islands.data[record->island];
    *(record->islandPrevious >= 0 ? &world->bodies.data[record->islandPrevious].islandNext
                                  : &island->firstBody) = record->islandNext;
    *(record->islandNext >= 0 ? &world->bodies.data[record->islandNext].islandPrevious : &island->lastBody) =
        record->islandPrevious;
    island->bodyCount -= 1;
    island->constraintsLost += 1;
    if (island->bodyCount == 0)
    {
        FreeIsland(world, record->island);
    }
    record->island = record->islandPrevious = record->islandNext = -1;
}

/// True if one of two bodies lies on the other, and its centre beside the middle.
static bool IsLeaning(const tdWorld* world, const tdBodySim* a, const tdBodySim* b, float radius)
{
    tdVec3 d = tdSub(b->center, a->center), g = world->gravity;
    float square = tdLengthSquared(g), along = tdDot(d, g), limit = LEANING_SHARE * radius;
    float across = tdLengthSquared(d) * square - along * along;
    return along * along > square * radius * radius && across > square * limit * limit;
}

/// True if an island of so many bodies that has just grown by a contact of A and B may be a stack.
static bool IsNewStack(const tdWorld* world, int bodyCount, int bodyA, int bodyB)
{
    const tdBodySim *a = tdWorld_GetBodySim(world, bodyA), *b = tdWorld_GetBodySim(world, bodyB);
    float radius = tdMinFloat(a->innerRadius, b->innerRadius);
    float sag = (float)bodyCount * tdGetSagPerWeight(world);
    return bodyCount >= MIN_NEW_STACK ||
           (radius > 0.0f && (sag > TD_STACK_SAG * radius || IsLeaning(world, a, b, radius)));
}

void tdWorld_LinkBodies(tdWorld* world, int bodyA, int bodyB)
{
    int a = world->bodies.data[bodyA].island, b = world->bodies.data[bodyB].island;
    if (a < 0 || b < 0 || a == b)
    {
        return;
    }
    if (world->islands.data[a].isAwake != world->islands.data[b].isAwake)
    {
        tdWorld_WakeIsland(world, world->islands.data[a].isAwake ? b : a);
    }
    if (world->islands.data[a].bodyCount < world->islands.data[b].bodyCount)
    {
        int swap = a;
        a = b;
        b = swap;
    }
    tdIsland *large = &world->islands.data[a], *small = &world->islands.data[b];
    for (int body = small->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        world->bodies.data[body].island = a;
    }
    world->bodies.data[large->lastBody].islandNext = small->firstBody;
    world->bodies.data[small->firstBody].islandPrevious = large->lastBody;
    large->lastBody = small->lastBody;
    large->bodyCount += small->bodyCount;
    large->constraintsLost += small->constraintsLost;
    large->loadedSteps = large->loadedSteps > small->loadedSteps ? large->loadedSteps : small->loadedSteps;
    if (large->loadedSteps < NEW_STACK_STEPS && IsNewStack(world, large->bodyCount, bodyA, bodyB))
    {
        large->loadedSteps = NEW_STACK_STEPS;
    }
    FreeIsland(world, b);
}

void tdWorld_UnlinkBodies(tdWorld* world, int bodyA, int bodyB)
{
    int a = world->bodies.data[bodyA].island, b = world->bodies.data[bodyB].island;
    if (a >= 0 && a == b)
    {
        world->islands.data[a].constraintsLost += 1;
    }
}

void tdWorld_WakeIsland(tdWorld* world, int island)
{
    tdIsland* record = &world->islands.data[island];
    if (record->isAwake)
    {
        return;
    }
    record->isAwake = true;
    world->awakeIslandCount += 1;
    for (int body = record->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        tdWorld_ActivateBody(world, body);
    }
}

void tdWorld_SleepIsland(tdWorld* world, int island)
{
    tdIsland* record = &world->islands.data[island];
    if (!record->isAwake)
    {
        return;
    }
    record->isAwake = false;
    world->awakeIslandCount -= 1;
    for (int body = record->firstBody; body >= 0; body = world->bodies.data[body].islandNext)
    {
        tdWorld_DeactivateBody(world, body);
    }
}

// Split an island into its connected components: union-find over touching contacts and joints.
static void SplitIsland(tdWorld* world, int island)
{
    int capacity = world->bodies.capacity;
    int* list = world->islandScratch.data + capacity; // the first part holds the list of tdWorld_UpdateSleep
    int* islands = list + capacity;
    atomic_int* parents = world->islandRoots.data;
    int count = 0;
    for (int body = world->islands.data[island].firstBody; body >= 0;
         body = world->bodies.data[body].islandNext)
    {
        list[count++] = body;
        atomic_init(&parents[body], body);
        islands[body] = -1;
    }
    for (int i = 0; i < count; ++i)
    {
        int body = list[i];
        for (int key = world->bodies.data[body].contactHead; key >= 0;)
        {
            const tdContact* contact = &world->contacts.data[key >> 1];
            if ((contact->flags & TD_CONTACT_LINKED) != 0)
            {
                tdUnionFind_Unite(parents, body, contact->edges[1 - (key & 1)].body);
            }
            key = contact->edges[key & 1].next;
        }
        int cursor = -1;
        for (int other; (other = tdWorld_GetJointNeighbour(world, body, &cursor)) >= 0;)
        {
            if (world->bodies.data[other].motion == TD_MOTION_DYNAMIC)
            {
                tdUnionFind_Unite(parents, body, other);
            }
        }
    }
    tdIsland* record = &world->islands.data[island];
    record->firstBody = record->lastBody = -1;
    record->bodyCount = record->constraintsLost = 0;
    islands[tdUnionFind_FindRoot(parents, list[0])] = island;
    for (int i = 0; i < count; ++i)
    {
        int root = tdUnionFind_FindRoot(parents, list[i]);
        if (islands[root] < 0)
        {
            islands[root] = tdWorld_CreateIsland(world, list[i]);
        }
        else
        {
            AppendBody(world, islands[root], list[i]);
        }
    }
}

static bool IsMoving(const tdBodyState* state)
{
    tdVec3 v = state->linearVelocity, w = state->angularVelocity;
    return v.x != 0.0f || v.y != 0.0f || v.z != 0.0f || w.x != 0.0f || w.y != 0.0f || w.z != 0.0f;
}

void tdWorld_UpdateSleep(tdWorld* world, float timeStep)
{
    if (!world->enableSleep || world->awakeCount == 1)
    {
        return;
    }
    int* list = world->islandScratch.data;
    int count = 0;
    // Backwards, because deactivating a kinematic body moves the last body into its slot.
    for (int i = world->awakeCount - 1; i > 0; --i)
    {
        tdBodySim* sim = &world->sims[i];
        if ((sim->flags & TD_BODY_KINEMATIC) != 0)
        {
            bool isAtRest = !IsMoving(&world->states[i]) && (sim->flags & TD_BODY_NO_SLEEP) == 0;
            sim->sleepTime = isAtRest ? sim->sleepTime + timeStep : 0.0f;
            if (sim->sleepTime >= TD_TIME_TO_SLEEP)
            {
                tdWorld_DeactivateBody(world, sim->body);
            }
            continue;
        }
        tdIsland* island = &world->islands.data[world->bodies.data[sim->body].island];
        if (island->stepIndex != world->stepIndex)
        {
            island->stepIndex = world->stepIndex;
            island->shortestRest = FLT_MAX;
            island->longestRest = 0.0f;
            list[count++] = (int)(island - world->islands.data);
        }
        island->shortestRest = tdMinFloat(island->shortestRest, sim->sleepTime);
        island->longestRest = tdMaxFloat(island->longestRest, sim->sleepTime);
    }
    int candidate = -1;
    float longest = TD_TIME_TO_SLEEP;
    for (int i = 0; i < count; ++i)
    {
        const tdIsland* island = &world->islands.data[list[i]];
        if (island->constraintsLost > 0 && island->longestRest >= longest &&
            (candidate < 0 || island->longestRest > longest || list[i] < candidate))
        {
            longest = island->longestRest;
            candidate = list[i];
        }
    }
    for (int i = 0; i < count; ++i)
    {
        tdIsland* island = &world->islands.data[list[i]];
        if (island->constraintsLost > 0 || island->shortestRest < TD_TIME_TO_SLEEP)
        {
            island->isCreeping = false;
            continue;
        }
        if (island->isCreeping && (world->stepIndex + (uint64_t)list[i]) % RETRY_STEPS != 0)
        {
            continue;
        }
        island->isCreeping = !tdWorld_WouldIslandStay(world, list[i]);
        if (!island->isCreeping)
        {
            tdWorld_SleepIsland(world, list[i]);
        }
    }
    // Split the candidate, whatever its size, and small islands that could sleep after a split. With one
    // split per step, thousands of small islands would stay awake for thousands of steps.
    int left = MAX_SPLIT_BODIES;
    for (int i = 0; i < count && candidate >= 0; ++i)
    {
        const tdIsland* island = &world->islands.data[list[i]];
        if (list[i] != candidate && island->constraintsLost > 0 && island->longestRest >= TD_TIME_TO_SLEEP &&
            island->bodyCount <= left)
        {
            left -= island->bodyCount;
            SplitIsland(world, list[i]);
        }
    }
    if (candidate >= 0)
    {
        SplitIsland(world, candidate);
    }
}
