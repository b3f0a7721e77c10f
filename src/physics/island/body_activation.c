// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Moves bodies in and out of the dense arrays of awake bodies. See data/body_data.h for the invariants.
#include "physics/island/body_activation.h"

#include "physics/data/joint_data.h"
#include "physics/data/world_data.h"
#include "physics/island/contact_activation.h"
#include "physics/island/island.h"

void tdWorld_ActivateBody(tdWorld* world, int body)
{
    tdBody* record = &world->bodies.data[body];
    if (record->simIndex > 0 || record->motion == TD_MOTION_STATIC)
    {
        return;
    }
    TD_ASSERT(world->awakeCount < world->bodyCapacity);
    int index = world->awakeCount++;
    world->sims[index] = world->restSims[body];
    world->sims[index].sleepTime = 0.0f;
    world->states[index] = (tdBodyState){.flags = world->sims[index].flags, .deltaRotation = tdQuat_identity};
    world->tilts[index] = (tdTilt){tdVec3_zero, 0.0f};
    world->displacements[index] = world->predictedDisplacements[index] = 0;
    world->startVelocities[index] = (tdStartVelocity){tdVec3_zero, tdVec3_zero};
    world->marks[index] = 0;
    world->awakeKinematicCount += record->motion == TD_MOTION_KINEMATIC ? 1 : 0;
    record->simIndex = index;
    for (int key = record->contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int next = contact->edges[key & 1].next;
        tdContact_Activate(world, key >> 1);
        key = next;
    }
    tdWorld_MoveSimReferences(world, body);
}

void tdWorld_DeactivateBody(tdWorld* world, int body)
{
    tdBody* record = &world->bodies.data[body];
    int index = record->simIndex;
    if (index == 0)
    {
        return;
    }
    world->restSims[body] = world->sims[index];
    world->awakeKinematicCount -= (world->sims[index].flags & TD_BODY_KINEMATIC) != 0 ? 1 : 0;
    record->simIndex = 0;
    int last = --world->awakeCount;
    if (index != last)
    {
        world->sims[index] = world->sims[last];
        world->states[index] = world->states[last];
        world->tilts[index] = world->tilts[last];
        world->displacements[index] = world->displacements[last];
        world->predictedDisplacements[index] = world->predictedDisplacements[last];
        world->startVelocities[index] = world->startVelocities[last];
        world->marks[index] = world->marks[last];
        int moved = world->sims[index].body;
        world->bodies.data[moved].simIndex = index;
        tdWorld_MoveSimReferences(world, moved);
    }
    tdWorld_MoveSimReferences(world, body);
    for (int key = record->contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int next = contact->edges[key & 1].next;
        if (world->bodies.data[contact->edges[1 - (key & 1)].body].simIndex == 0)
        {
            tdContact_Deactivate(world, key >> 1);
        }
        key = next;
    }
}

void tdWorld_WakeBody(tdWorld* world, int body)
{
    tdBody* record = &world->bodies.data[body];
    if (record->motion == TD_MOTION_STATIC)
    {
        return;
    }
    if (record->simIndex > 0)
    {
        world->sims[record->simIndex].sleepTime = 0.0f;
        return;
    }
    if (record->motion == TD_MOTION_KINEMATIC)
    {
        tdWorld_ActivateBody(world, body);
        tdWorld_WakeTouching(world, body);
        return;
    }
    tdWorld_WakeIsland(world, record->island);
}

void tdWorld_WakeTouching(tdWorld* world, int body)
{
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int other = contact->edges[1 - (key & 1)].body;
        int next = contact->edges[key & 1].next;
        if (contact->kind == TD_CONTACT_TOUCHING && world->bodies.data[other].motion == TD_MOTION_DYNAMIC)
        {
            tdWorld_WakeBody(world, other);
        }
        key = next;
    }
    int cursor = -1;
    for (int other; (other = tdWorld_GetJointNeighbour(world, body, &cursor)) >= 0;)
    {
        if (world->bodies.data[other].motion == TD_MOTION_DYNAMIC)
        {
            tdWorld_WakeBody(world, other);
        }
    }
}
