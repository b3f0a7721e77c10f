// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Ids of bodies and shapes: index + 1, the generation of the record and the number of the world.
#include "physics/data/id.h"

#include "physics/data/world_data.h"

bool tdBody_IsValid(const tdWorld* world, tdBodyId body)
{
    return body.index1 > 0 && body.index1 <= (uint32_t)world->bodies.count &&
           world->bodies.data[body.index1 - 1].motion >= 0 &&
           tdWorld_MakeGeneration(world, world->bodies.data[body.index1 - 1].generation) == body.generation;
}

int tdWorld_GetBodyIndex(const tdWorld* world, tdBodyId id)
{
    TD_ASSERT(tdWorld_OwnsGeneration(world, id.generation)); // else the body is of another world
    TD_ASSERT(tdBody_IsValid(world, id));
    return (int)id.index1 - 1;
}

tdBodyId tdWorld_MakeBodyId(const tdWorld* world, int body)
{
    return (tdBodyId){(uint32_t)body + 1, tdWorld_MakeGeneration(world, world->bodies.data[body].generation)};
}

bool tdShape_IsValid(const tdWorld* world, tdShapeId shape)
{
    return shape.index1 > 0 && shape.index1 <= (uint32_t)world->shapes.count &&
           world->shapes.data[shape.index1 - 1].body >= 0 &&
           tdWorld_MakeGeneration(world, world->shapes.data[shape.index1 - 1].generation) == shape.generation;
}

int tdWorld_GetShapeIndex(const tdWorld* world, tdShapeId id)
{
    TD_ASSERT(tdWorld_OwnsGeneration(world, id.generation)); // else the shape is of another world
    TD_ASSERT(tdShape_IsValid(world, id));
    return (int)id.index1 - 1;
}

tdShapeId tdWorld_MakeShapeId(const tdWorld* world, int shape)
{
    return (tdShapeId){(uint32_t)shape + 1,
                       tdWorld_MakeGeneration(world, world->shapes.data[shape].generation)};
}
