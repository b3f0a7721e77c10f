// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The constraint graph: colour sets of bodies, by body index.
#include "physics/solver/constraint_graph.h"

#include "physics/data/color.h"
#include "physics/data/state_stream.h"
#include "physics/data/world_data.h"
#include "physics/solver/solver_data.h"

#include <string.h>

/// Bodies of an island up to which its contacts are coloured in the order in which they appear. A pass in
/// that order spreads loads well. In large islands of bodies that were created in rows it solves all contacts
/// of one direction before those of the other, and waves in that direction grow: see docs/decisions/085.
#define MAX_ORDERED_BODIES 32

bool tdConstraintGraph_Reserve(tdWorld* world, int bodyCount)
{
    tdSolver* solver = world->solver;
    int old = solver->bodyCapacity;
    if (bodyCount <= old)
    {
        return true;
    }
    int capacity = tdMaxInt(bodyCount, old + old / 2 + 16);
    size_t bytes = (size_t)capacity * sizeof(uint64_t), oldBytes = (size_t)old * sizeof(uint64_t);
    uint64_t* contactColors = tdAllocateZeroed(&world->allocator, bytes, 64);
    uint64_t* jointColors = tdAllocateZeroed(&world->allocator, bytes, 64);
    if (contactColors == NULL || jointColors == NULL)
    {
        tdRelease(&world->allocator, contactColors, bytes);
        tdRelease(&world->allocator, jointColors, bytes);
        return false;
    }
    if (old > 0)
    {
        memcpy(contactColors, solver->contactColors, oldBytes);
        memcpy(jointColors, solver->jointColors, oldBytes);
    }
    tdRelease(&world->allocator, solver->contactColors, oldBytes);
    tdRelease(&world->allocator, solver->jointColors, oldBytes);
    solver->contactColors = contactColors;
    solver->jointColors = jointColors;
    solver->bodyCapacity = capacity;
    return true;
}

int tdConstraintGraph_TakeColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB,
                                int first)
{
    uint64_t taken = (isDynamicA ? colors[bodyA] : 0) | (isDynamicB ? colors[bodyB] : 0);
    if (taken == UINT64_MAX)
    {
        return TD_COLOR_OVERFLOW;
    }
    int color = taken >> first == UINT64_MAX >> first ? 0 : first;
    if (isDynamicA && isDynamicB)
    {
        while ((taken >> color & 1u) != 0)
        {
            color += 1;
        }
    }
    else
    {
        color = TD_COLOR_COUNT - 1;
        while ((taken >> color & 1u) != 0)
        {
            color -= 1;
        }
    }
    uint64_t bit = (uint64_t)1 << color;
    if (isDynamicA)
    {
        colors[bodyA] |= bit;
    }
    if (isDynamicB)
    {
        colors[bodyB] |= bit;
    }
    return color;
}

void tdConstraintGraph_ReleaseColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB,
                                    int color)
{
    if (color == TD_COLOR_OVERFLOW)
    {
        return;
    }
    uint64_t bit = (uint64_t)1 << color;
    if (isDynamicA)
    {
        colors[bodyA] &= ~bit;
    }
    if (isDynamicB)
    {
        colors[bodyB] &= ~bit;
    }
}

static bool IsDynamicBody(const tdWorld* world, int body)
{
    return world->bodies.data[body].motion == TD_MOTION_DYNAMIC;
}

static int CountIslandBodies(const tdWorld* world, int body)
{
    int island = world->bodies.data[body].island;
    return island >= 0 ? world->islands.data[island].bodyCount : 0;
}

/// The colour from which on a new contact of a large island looks for a free one, as if at random.
static int FindFirstColor(const tdWorld* world, int bodyA, int bodyB)
{
    if (tdMaxInt(CountIslandBodies(world, bodyA), CountIslandBodies(world, bodyB)) <= MAX_ORDERED_BODIES)
    {
        return 0;
    }
    uint32_t mixed = ((uint32_t)bodyA * 0x9e3779b1u) ^ ((uint32_t)bodyB * 0x85ebca77u);
    return (int)((mixed ^ mixed >> 15) * 0xc2b2ae3du >> 31);
}

void tdConstraintGraph_AddContact(tdWorld* world, int contactIndex)
{
    tdSolver* solver = world->solver;
    tdContact* contact = world->contacts.data + contactIndex;
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    int color = tdConstraintGraph_TakeColor(solver->contactColors, bodyA, bodyB, IsDynamicBody(world, bodyA),
                                            IsDynamicBody(world, bodyB), FindFirstColor(world, bodyA, bodyB));
    contact->color = (uint8_t)color;
    solver->overflowCount += color == TD_COLOR_OVERFLOW ? 1 : 0;
}

void tdConstraintGraph_RemoveContact(tdWorld* world, int contactIndex)
{
    tdSolver* solver = world->solver;
    tdContact* contact = world->contacts.data + contactIndex;
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    tdConstraintGraph_ReleaseColor(solver->contactColors, bodyA, bodyB, IsDynamicBody(world, bodyA),
                                   IsDynamicBody(world, bodyB), contact->color);
    solver->overflowCount -= contact->color == TD_COLOR_OVERFLOW ? 1 : 0;
}

bool tdConstraintGraph_Stream(tdWorld* world, tdStateStream* stream)
{
    tdSolver* solver = world->solver;
    int bodyCount = stream->mode == TD_STATE_READ ? 0 : tdMinInt(solver->bodyCapacity, world->bodies.count);
    tdState_Value(stream, &bodyCount);
    bool isRead = stream->mode == TD_STATE_READ;
    if (stream->failed || bodyCount < 0 ||
        (isRead && (size_t)bodyCount > (stream->size - stream->at) / sizeof(uint64_t)) ||
        !tdConstraintGraph_Reserve(world, bodyCount))
    {
        stream->failed = true;
        return false;
    }
    if (isRead && solver->bodyCapacity > 0)
    {
        memset(solver->contactColors, 0, (size_t)solver->bodyCapacity * sizeof(uint64_t));
    }
    tdState_Bytes(stream, solver->contactColors, (size_t)bodyCount * sizeof(uint64_t));
    tdState_Value(stream, &solver->overflowCount);
    return !stream->failed;
}
