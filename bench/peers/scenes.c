// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Exports the benchmark scenes to scripts: as plain numbers for other engines, and as a Tendon world to step.
// tools/build_wasm links this file with the engine as bench.wasm.
#include "scenes/setup.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

static tdSetup* setup;
static tdSetupWorld instance;

bool EXPORT(scene_open)(int scene)
{
    setup = tdCreateSetup(tdBenchmarkSetups[scene].name);
    return setup != NULL;
}

void EXPORT(scene_close)(void)
{
    tdDestroySetup(setup);
    setup = NULL;
}

int EXPORT(scene_step_count)(void)
{
    return setup->stepCount;
}

int EXPORT(scene_window_start)(void)
{
    return setup->windowStart;
}

int EXPORT(scene_body_count)(void)
{
    return setup->bodyCount;
}

/// The arrays in their memory layout; the script knows the layout of setup.h.
const tdSetupBody* EXPORT(scene_bodies)(void)
{
    return setup->bodies;
}

const tdSetupPart* EXPORT(scene_parts)(void)
{
    return setup->parts;
}

const tdSetupShape* EXPORT(scene_shapes)(void)
{
    return setup->shapes;
}

const tdVec3* EXPORT(scene_points)(void)
{
    return setup->points;
}

void EXPORT(world_create)(void)
{
    instance = tdInstantiateSetup(setup, NULL);
}

void EXPORT(world_destroy)(void)
{
    tdDestroySetupWorld(&instance);
}

bool EXPORT(world_step)(void)
{
    return tdSetupWorld_Step(&instance);
}

uint64_t EXPORT(world_hash)(void)
{
    return tdWorld_GetStateHash(instance.world);
}

float EXPORT(world_body_height)(int body)
{
    return tdBody_GetTransform(instance.world, instance.bodies[body]).position.y;
}
