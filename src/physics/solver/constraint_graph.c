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

int tdConstraintGraph_TakeColor(uint64_t* colors, int bodyA, int bodyB, bool isDynamicA, bool isDynamicB)
{
    uint64_t taken = (isDynamicA ? colors[bodyA] : 0) | (isDynamicB ? colors[bodyB] : 0);
    if (taken == UINT64_MAX)
    {
        return TD_COLOR_OVERFLOW;
    }
    int color = 0;
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

void tdConstraintGraph_AddContact(tdWorld* world, int contactIndex)
{
    tdSolver* solver = world->solver;
    tdContact* contact = world->contacts.data + contactIndex;
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    int color = tdConstraintGraph_TakeColor(solver->contactColors, bodyA, bodyB, IsDynamicBody(world, bodyA),
                                            IsDynamicBody(world, bodyB));
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
    if (stream->failed || bodyCount < 0 || !tdConstraintGraph_Reserve(world, bodyCount))
    {
        stream->failed = true;
        return false;
    }
    if (stream->mode == TD_STATE_READ && solver->bodyCapacity > 0)
    {
        memset(solver->contactColors, 0, (size_t)solver->bodyCapacity * sizeof(uint64_t));
    }
    tdState_Bytes(stream, solver->contactColors, (size_t)bodyCount * sizeof(uint64_t));
    tdState_Value(stream, &solver->overflowCount);
    return !stream->failed;
}
