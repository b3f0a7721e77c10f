// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of filters against a direct implementation of the rule on random sets, of interning, and of filters
// in a world.
#include "harness.h"

#include "tendon/physics.h"

#define FILTER_COUNT 40
#define MAX_NUMBERS 4

typedef struct Sets
{
    uint32_t systems[MAX_NUMBERS], with[MAX_NUMBERS], without[MAX_NUMBERS];
    int systemCount, withCount, withoutCount;
} Sets;

static bool Shares(const uint32_t* a, int countA, const uint32_t* b, int countB)
{
    for (int i = 0; i < countA; ++i)
    {
        for (int j = 0; j < countB; ++j)
        {
            if (a[i] == b[j])
            {
                return true;
            }
        }
    }
    return false;
}

// pass(A, B) of the specification.
static bool Passes(const Sets* a, const Sets* b)
{
    if (b->withCount > 0 && !Shares(a->systems, a->systemCount, b->with, b->withCount))
    {
        return false;
    }
    return b->withoutCount == 0 || !Shares(a->systems, a->systemCount, b->without, b->withoutCount);
}

static uint32_t NextRandom(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static int FillRandom(uint32_t* state, uint32_t* numbers)
{
    int count = (int)(NextRandom(state) % (MAX_NUMBERS + 1));
    for (int i = 0; i < count; ++i)
    {
        numbers[i] = 1000u * (NextRandom(state) % 90u); // far beyond 64 systems
    }
    return count;
}

TEST(MatchesTheRule)
{
    tdWorld* world = tdCreateWorld(NULL);
    uint32_t state = 5;
    Sets sets[FILTER_COUNT];
    tdFilterId filters[FILTER_COUNT];
    for (int i = 0; i < FILTER_COUNT; ++i)
    {
        sets[i].systemCount = FillRandom(&state, sets[i].systems);
        sets[i].withCount = FillRandom(&state, sets[i].with);
        sets[i].withoutCount = FillRandom(&state, sets[i].without);
        tdFilterDef def = {sets[i].systems,   sets[i].systemCount, sets[i].with,
                           sets[i].withCount, sets[i].without,     sets[i].withoutCount};
        filters[i] = tdCreateFilter(world, &def);
        ENSURE(filters[i].index1 != 0);
    }
    for (int i = 0; i < FILTER_COUNT; ++i)
    {
        for (int j = 0; j < FILTER_COUNT; ++j)
        {
            bool expected = Passes(&sets[i], &sets[j]) && Passes(&sets[j], &sets[i]);
            ENSURE(tdWorld_TestFilters(world, filters[i], filters[j]) == expected);
        }
    }
    tdDestroyWorld(world);
}

TEST(NoFilterPassesAllPairs)
{
    tdWorld* world = tdCreateWorld(NULL);
    uint32_t one = 1;
    tdFilterId only = tdCreateFilter(world, &(tdFilterDef){.collideWith = &one, .collideWithCount = 1});
    tdFilterId none = {0};
    tdFilterId empty = tdCreateFilter(world, &(tdFilterDef){0});
    ENSURE(tdWorld_TestFilters(world, none, none));
    ENSURE(tdWorld_TestFilters(world, none, only));
    ENSURE(tdWorld_TestFilters(world, none, empty));
    // A filter in no system is never admitted by a collideWith list.
    ENSURE(!tdWorld_TestFilters(world, empty, only));
    ENSURE(tdWorld_TestFilters(world, empty, empty));
    tdDestroyWorld(world);
}

TEST(EqualSetsAreOneFilter)
{
    tdWorld* world = tdCreateWorld(NULL);
    uint32_t a[3] = {7, 3, 7}, b[2] = {3, 7};
    tdFilterId first =
        tdCreateFilter(world, &(tdFilterDef){.collisionSystems = a, .collisionSystemCount = 3});
    tdFilterId second =
        tdCreateFilter(world, &(tdFilterDef){.collisionSystems = b, .collisionSystemCount = 2});
    tdFilterId third = tdCreateFilter(world, &(tdFilterDef){.collideWith = b, .collideWithCount = 2});
    ENSURE_EQUAL_INT(first.index1, second.index1);
    ENSURE(third.index1 != first.index1);
    tdDestroyWorld(world);
}

TEST(ManyFiltersGrowTheTable)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdFilterId filters[200];
    for (uint32_t i = 0; i < 200; ++i)
    {
        // Each excludes its predecessor.
        uint32_t previous = i - 1;
        tdFilterDef def = {.collisionSystems = &i, .collisionSystemCount = 1};
        def.notCollideWith = &previous;
        def.notCollideWithCount = i > 0 ? 1 : 0;
        filters[i] = tdCreateFilter(world, &def);
    }
    for (int i = 0; i < 200; ++i)
    {
        for (int j = 0; j < 200; ++j)
        {
            bool expected = j != i - 1 && i != j - 1;
            ENSURE(tdWorld_TestFilters(world, filters[i], filters[j]) == expected);
        }
    }
    tdDestroyWorld(world);
}

// A box above a floor: it falls through if the filters say so, and rests if the filter changes in time.
// The sanitizers notice arithmetic on the missing memory of an empty table.
TEST(FirstFilterMayHaveNoNumbers)
{
    tdWorld* world = tdCreateWorld(NULL);
    uint32_t seven = 7;
    tdFilterId empty = tdCreateFilter(world, &(tdFilterDef){0});
    tdFilterId other =
        tdCreateFilter(world, &(tdFilterDef){.notCollideWith = &seven, .notCollideWithCount = 1});
    ENSURE(tdWorld_TestFilters(world, empty, empty) && tdWorld_TestFilters(world, empty, other));
    tdDestroyWorld(world);
}

TEST(FilterDecidesCollision)
{
    tdWorld* world = tdCreateWorld(NULL);
    uint32_t one = 1, two = 2;
    tdFilterId ones = tdCreateFilter(world, &(tdFilterDef){.collisionSystems = &one,
                                                           .collisionSystemCount = 1,
                                                           .collideWith = &one,
                                                           .collideWithCount = 1});
    tdFilterId twos =
        tdCreateFilter(world, &(tdFilterDef){.collisionSystems = &two, .collisionSystemCount = 1});
    tdBodyDef bodyDef = tdDefaultBodyDef();
    tdShapeDef shapeDef = tdDefaultShapeDef();
    tdBodyId ground = tdCreateBody(world, &bodyDef);
    shapeDef.filter = ones;
    tdCreateBox(world, ground, &shapeDef, (tdVec3){20.0f, 1.0f, 20.0f});
    bodyDef.motion = TD_MOTION_DYNAMIC;
    tdBodyId bodies[3];
    tdShapeId shapes[3];
    for (int i = 0; i < 3; ++i)
    {
        bodyDef.transform.position = (tdVec3){3.0f * (float)i, 1.1f, 0.0f};
        bodies[i] = tdCreateBody(world, &bodyDef);
        shapeDef.filter = i == 0 ? ones : twos;
        shapes[i] = tdCreateBox(world, bodies[i], &shapeDef, (tdVec3){1.0f, 1.0f, 1.0f});
    }
    tdShape_SetFilter(world, shapes[2], ones);
    for (int i = 0; i < 60; ++i)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
    }
    ENSURE_NEAR(tdBody_GetTransform(world, bodies[0]).position.y, 1.0f, 0.01f);
    ENSURE(tdBody_GetTransform(world, bodies[1]).position.y < -1.0f);
    ENSURE_NEAR(tdBody_GetTransform(world, bodies[2]).position.y, 1.0f, 0.01f);
    // A change while it rests ends the contact and wakes the box.
    tdShape_SetFilter(world, shapes[0], twos);
    for (int i = 0; i < 60; ++i)
    {
        tdWorld_Step(world, 1.0f / 60.0f);
    }
    ENSURE(tdBody_GetTransform(world, bodies[0]).position.y < -1.0f);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(MatchesTheRule) RUN(NoFilterPassesAllPairs) RUN(EqualSetsAreOneFilter)
              RUN(ManyFiltersGrowTheTable) RUN(FirstFilterMayHaveNoNumbers) RUN(FilterDecidesCollision))
