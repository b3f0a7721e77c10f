// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Moves contacts in and out of the dense arrays of awake contacts.
#include "physics/island/contact_activation.h"

#include "physics/data/world_data.h"
#include "physics/solver/constraint_graph.h"

static uint32_t GetDisplacement(const tdWorld* world, int reference)
{
    return reference > 0 ? world->displacements[reference] : 0;
}

static uint32_t GetExpiredCounter(const tdWorld* world, int simA, int simB)
{
    return GetDisplacement(world, simA) + GetDisplacement(world, simB) - 1;
}

static void PushSeparated(tdWorld* world, int index)
{
    tdContact* contact = &world->contacts.data[index];
    int simA = tdWorld_GetSimReference(world, contact->edges[0].body);
    int simB = tdWorld_GetSimReference(world, contact->edges[1].body);
    tdSeparatedContact entry = {index, simA, simB, GetExpiredCounter(world, simA, simB)};
    if (contact->kind == TD_CONTACT_SEPARATED)
    {
        TD_ASSERT(world->separatedContacts.count < world->separatedContacts.capacity);
        contact->denseIndex = world->separatedContacts.count;
        world->separatedContacts.data[world->separatedContacts.count++] = entry;
    }
    else
    {
        TD_ASSERT(world->triggers.count < world->triggers.capacity);
        contact->denseIndex = world->triggers.count;
        world->triggers.data[world->triggers.count++] = entry;
    }
}

static void PushTouching(tdWorld* world, int index)
{
    tdContact* contact = &world->contacts.data[index];
    TD_ASSERT(world->touchingContacts.count < world->touchingContacts.capacity);
    contact->denseIndex = world->touchingContacts.count;
    const tdShape *a = &world->shapes.data[contact->shapeA], *b = &world->shapes.data[contact->shapeB];
    uint32_t flags = TD_TOUCHING_STALE;
    flags |= a->outerRadius < b->outerRadius ? (uint32_t)TD_TOUCHING_SWAPPED : 0u;
    flags |= (contact->flags & TD_CONTACT_EVENTS) != 0 ? (uint32_t)TD_TOUCHING_EVENTS : 0u;
    flags |= (contact->flags & TD_CONTACT_BEGAN) != 0 ? (uint32_t)TD_TOUCHING_BEGAN : 0u;
    world->touchingContacts.data[world->touchingContacts.count++] = (tdTouchingContact){
        .contact = index,
        .simA = tdWorld_GetSimReference(world, contact->edges[0].body),
        .simB = tdWorld_GetSimReference(world, contact->edges[1].body),
        .firstManifold = contact->firstManifold,
        .manifoldCount = (uint8_t)contact->manifoldCount,
        .manifoldCapacity = (uint8_t)contact->manifoldCapacity,
        .flags = flags,
        .rotation = tdQuat_identity,
    };
    tdConstraintGraph_AddContact(world, index);
    world->touchingContacts.data[contact->denseIndex].color = contact->color;
    contact->flags |= TD_CONTACT_IN_GRAPH;
}

void tdContact_Activate(tdWorld* world, int index)
{
    tdContact* contact = &world->contacts.data[index];
    if (contact->denseIndex >= 0)
    {
        return;
    }
    if (contact->kind == TD_CONTACT_TOUCHING)
    {
        PushTouching(world, index);
    }
    else
    {
        PushSeparated(world, index);
    }
}

static void RemoveSeparated(tdWorld* world, tdSeparatedContact* entries, int* count, int at)
{
    int last = --*count;
    if (at != last)
    {
        entries[at] = entries[last];
        world->contacts.data[entries[at].contact].denseIndex = at;
    }
}

void tdContact_Deactivate(tdWorld* world, int index)
{
    tdContact* contact = &world->contacts.data[index];
    int at = contact->denseIndex;
    if (at < 0)
    {
        return;
    }
    if (contact->kind == TD_CONTACT_SEPARATED)
    {
        RemoveSeparated(world, world->separatedContacts.data, &world->separatedContacts.count, at);
    }
    else if (contact->kind == TD_CONTACT_TRIGGER)
    {
        RemoveSeparated(world, world->triggers.data, &world->triggers.count, at);
    }
    else
    {
        tdConstraintGraph_RemoveContact(world, index);
        contact->flags &= (uint16_t)~TD_CONTACT_IN_GRAPH;
        const tdTouchingContact* touching = &world->touchingContacts.data[at];
        contact->firstManifold = touching->firstManifold;
        contact->manifoldCount = touching->manifoldCount;
        contact->manifoldCapacity = touching->manifoldCapacity;
        contact->flags = (uint16_t)((contact->flags & ~TD_CONTACT_BEGAN) |
                                    ((touching->flags & TD_TOUCHING_BEGAN) != 0 ? TD_CONTACT_BEGAN : 0));
        int last = --world->touchingContacts.count;
        if (at != last)
        {
            world->touchingContacts.data[at] = world->touchingContacts.data[last];
            world->contacts.data[world->touchingContacts.data[at].contact].denseIndex = at;
        }
    }
    contact->denseIndex = -1;
}

void tdWorld_MoveSimReferences(tdWorld* world, int body)
{
    int reference = tdWorld_GetSimReference(world, body);
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int side = key & 1, at = contact->denseIndex;
        key = contact->edges[side].next;
        if (at < 0)
        {
            continue;
        }
        if (contact->kind == TD_CONTACT_TOUCHING)
        {
            tdTouchingContact* touching = &world->touchingContacts.data[at];
            *(side == 0 ? &touching->simA : &touching->simB) = reference;
            touching->expiry = GetExpiredCounter(world, touching->simA, touching->simB);
            continue;
        }
        tdSeparatedContact* entry = contact->kind == TD_CONTACT_SEPARATED ? &world->separatedContacts.data[at]
                                                                          : &world->triggers.data[at];
        int* slot = side == 0 ? &entry->simA : &entry->simB;
        bool isOtherArray = (*slot > 0) != (reference > 0);
        *slot = reference;
        if (isOtherArray)
        {
            entry->expiry = GetExpiredCounter(world, entry->simA, entry->simB);
        }
    }
}

void tdWorld_InvalidateContacts(tdWorld* world, int body)
{
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int at = contact->denseIndex;
        int index = key >> 1;
        key = contact->edges[key & 1].next;
        if (contact->kind == TD_CONTACT_TRIGGER)
        {
            world->contacts.data[index].flags |= TD_CONTACT_UNTESTED;
        }
        if (at < 0)
        {
            if (contact->kind == TD_CONTACT_TRIGGER)
            {
                tdContact_Activate(world, index); // both bodies are at rest, but a shape moved
            }
            continue;
        }
        if (contact->kind == TD_CONTACT_TOUCHING)
        {
            world->touchingContacts.data[at].flags |= TD_TOUCHING_STALE;
            continue;
        }
        world->contacts.data[index].testMargin = 0.0f;
        tdSeparatedContact* entry = contact->kind == TD_CONTACT_SEPARATED ? &world->separatedContacts.data[at]
                                                                          : &world->triggers.data[at];
        entry->expiry = GetExpiredCounter(world, entry->simA, entry->simB);
    }
}
