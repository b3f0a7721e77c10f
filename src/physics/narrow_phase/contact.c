// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The life of a contact: birth, its entry in a dense array while somebody in it is awake, from apart to
// touching and back, death. The narrow phase itself is in collide.c.
#include "physics/narrow_phase/contact.h"

#include "physics/solver/solver.h"
#include "physics/world/event.h"
#include "physics/world/world.h"

#include <string.h>

// Manifold pool: blocks of 2^k manifolds, free ones linked through their first point.

bool tdManifoldPool_Reserve(tdWorld* world, int manifoldCount)
{
    int wanted = world->manifoldCount + manifoldCount;
    if (wanted <= world->manifoldCapacity)
    {
        return true;
    }
    int capacity = tdMaxInt(wanted, world->manifoldCapacity + world->manifoldCapacity / 2 + 64);
    tdContactManifold* manifolds =
        tdAllocate(&world->allocator, (size_t)capacity * sizeof(tdContactManifold), 64);
    if (manifolds == NULL)
    {
        return false;
    }
    if (world->manifoldCount > 0)
    {
        memcpy(manifolds, world->manifolds, (size_t)world->manifoldCount * sizeof(tdContactManifold));
    }
    tdRelease(&world->allocator, world->manifolds,
              (size_t)world->manifoldCapacity * sizeof(tdContactManifold));
    world->manifolds = manifolds;
    world->manifoldCapacity = capacity;
    return true;
}

bool tdManifoldPool_ReserveBlocks(tdWorld* world, const int blockCounts[TD_MANIFOLD_CLASSES])
{
    int wanted = 0;
    for (int i = 0; i < TD_MANIFOLD_CLASSES; ++i)
    {
        wanted += tdMaxInt(blockCounts[i] - world->freeManifoldCounts[i], 0) << i;
    }
    return tdManifoldPool_Reserve(world, wanted);
}

int tdManifoldPool_Take(tdWorld* world, int count, int* capacity)
{
    int class = tdGetManifoldClass(count);
    int size = 1 << class;
    *capacity = size;
    world->liveManifolds += size;
    int first = world->freeManifolds[class];
    if (first >= 0)
    {
        world->freeManifolds[class] = (int)world->manifolds[first].points[0].feature;
        world->freeManifoldCounts[class] -= 1;
    }
    else
    {
        TD_ASSERT(world->manifoldCount + size <= world->manifoldCapacity);
        first = world->manifoldCount;
        world->manifoldCount += size;
    }
    memset(world->manifolds + first, 0, (size_t)size * sizeof(tdContactManifold));
    return first;
}

void tdManifoldPool_Give(tdWorld* world, int first, int capacity)
{
    int class = tdGetManifoldClass(capacity);
    world->liveManifolds -= capacity;
    world->freeManifoldCounts[class] += 1;
    world->manifolds[first].points[0].feature = (uint32_t)world->freeManifolds[class];
    world->freeManifolds[class] = first;
}

// Dense arrays.

static uint32_t GetTravel(const tdWorld* world, int reference)
{
    return reference > 0 ? world->travels[reference] : 0;
}

static uint32_t ExpiredNow(const tdWorld* world, int simA, int simB)
{
    return GetTravel(world, simA) + GetTravel(world, simB) - 1;
}

static bool IsAwake(const tdWorld* world, const tdContact* contact)
{
    return world->bodies.data[contact->edges[0].body].simIndex > 0 ||
           world->bodies.data[contact->edges[1].body].simIndex > 0;
}

static void PushApart(tdWorld* world, int index)
{
    tdContact* contact = &world->contacts.data[index];
    int simA = tdWorld_GetSimReference(world, contact->edges[0].body);
    int simB = tdWorld_GetSimReference(world, contact->edges[1].body);
    tdApart entry = {index, simA, simB, ExpiredNow(world, simA, simB)};
    if (contact->kind == TD_CONTACT_APART)
    {
        TD_ASSERT(world->aparts.count < world->aparts.capacity);
        contact->denseIndex = world->aparts.count;
        world->aparts.data[world->aparts.count++] = entry;
    }
    else
    {
        TD_ASSERT(world->triggers.count < world->triggers.capacity);
        contact->denseIndex = world->triggers.count;
        world->triggers.data[world->triggers.count++] = entry;
    }
}

static void PushTouch(tdWorld* world, int index)
{
    tdContact* contact = &world->contacts.data[index];
    TD_ASSERT(world->touches.count < world->touches.capacity);
    contact->denseIndex = world->touches.count;
    const tdShape *a = &world->shapes.data[contact->shapeA], *b = &world->shapes.data[contact->shapeB];
    uint32_t flags = TD_TOUCH_STALE;
    flags |= a->outerRadius < b->outerRadius ? (uint32_t)TD_TOUCH_SWAPPED : 0u;
    flags |= (contact->flags & TD_CONTACT_EVENTS) != 0 ? (uint32_t)TD_TOUCH_EVENTS : 0u;
    flags |= (contact->flags & TD_CONTACT_BEGAN) != 0 ? (uint32_t)TD_TOUCH_BEGAN : 0u;
    world->touches.data[world->touches.count++] = (tdTouch){
        .contact = index,
        .simA = tdWorld_GetSimReference(world, contact->edges[0].body),
        .simB = tdWorld_GetSimReference(world, contact->edges[1].body),
        .firstManifold = contact->firstManifold,
        .manifoldCount = (uint8_t)contact->manifoldCount,
        .manifoldCapacity = (uint8_t)contact->manifoldCapacity,
        .flags = flags,
        .rotation = tdQuat_identity,
    };
    tdSolver_AddContact(world, index);
    world->touches.data[contact->denseIndex].color = contact->color;
    contact->flags |= TD_CONTACT_IN_GRAPH;
}

void tdContact_Activate(tdWorld* world, int index)
{
    tdContact* contact = &world->contacts.data[index];
    if (contact->denseIndex >= 0)
    {
        return;
    }
    if (contact->kind == TD_CONTACT_TOUCH)
    {
        PushTouch(world, index);
    }
    else
    {
        PushApart(world, index);
    }
}

static void RemoveApart(tdWorld* world, tdApart* entries, int* count, int at)
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
    if (contact->kind == TD_CONTACT_APART)
    {
        RemoveApart(world, world->aparts.data, &world->aparts.count, at);
    }
    else if (contact->kind == TD_CONTACT_TRIGGER)
    {
        RemoveApart(world, world->triggers.data, &world->triggers.count, at);
    }
    else
    {
        tdSolver_RemoveContact(world, index);
        contact->flags &= (uint16_t)~TD_CONTACT_IN_GRAPH;
        const tdTouch* touch = &world->touches.data[at];
        contact->firstManifold = touch->firstManifold;
        contact->manifoldCount = touch->manifoldCount;
        contact->manifoldCapacity = touch->manifoldCapacity;
        contact->flags = (uint16_t)((contact->flags & ~TD_CONTACT_BEGAN) |
                                    ((touch->flags & TD_TOUCH_BEGAN) != 0 ? TD_CONTACT_BEGAN : 0));
        int last = --world->touches.count;
        if (at != last)
        {
            world->touches.data[at] = world->touches.data[last];
            world->contacts.data[world->touches.data[at].contact].denseIndex = at;
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
        if (contact->kind == TD_CONTACT_TOUCH)
        {
            tdTouch* touch = &world->touches.data[at];
            *(side == 0 ? &touch->simA : &touch->simB) = reference;
            touch->expiry = ExpiredNow(world, touch->simA, touch->simB);
            continue;
        }
        tdApart* entry =
            contact->kind == TD_CONTACT_APART ? &world->aparts.data[at] : &world->triggers.data[at];
        int* slot = side == 0 ? &entry->simA : &entry->simB;
        bool isOtherArray = (*slot > 0) != (reference > 0);
        *slot = reference;
        if (isOtherArray)
        {
            entry->expiry = ExpiredNow(world, entry->simA, entry->simB);
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
        if (at < 0)
        {
            if (contact->kind == TD_CONTACT_TRIGGER)
            {
                tdContact_Activate(world, index); // nobody in it is awake, but something moved
            }
            continue;
        }
        if (contact->kind == TD_CONTACT_TOUCH)
        {
            world->touches.data[at].flags |= TD_TOUCH_STALE;
            continue;
        }
        world->contacts.data[index].testMargin = 0.0f;
        tdApart* entry =
            contact->kind == TD_CONTACT_APART ? &world->aparts.data[at] : &world->triggers.data[at];
        entry->expiry = ExpiredNow(world, entry->simA, entry->simB);
    }
}

// Birth and death.

static void LinkEdge(tdWorld* world, int index, int side, int body)
{
    tdContactEdge* edge = &world->contacts.data[index].edges[side];
    int head = world->bodies.data[body].contactHead;
    *edge = (tdContactEdge){body, -1, head};
    if (head >= 0)
    {
        world->contacts.data[head >> 1].edges[head & 1].previous = index * 2 + side;
    }
    world->bodies.data[body].contactHead = index * 2 + side;
    world->bodies.data[body].contactCount += 1;
}

static void UnlinkEdge(tdWorld* world, int index, int side)
{
    const tdContactEdge* edge = &world->contacts.data[index].edges[side];
    tdBody* body = &world->bodies.data[edge->body];
    if (edge->next >= 0)
    {
        world->contacts.data[edge->next >> 1].edges[edge->next & 1].previous = edge->previous;
    }
    if (edge->previous >= 0)
    {
        world->contacts.data[edge->previous >> 1].edges[edge->previous & 1].next = edge->next;
    }
    else
    {
        body->contactHead = edge->next;
    }
    body->contactCount -= 1;
}

int tdWorld_CreateContact(tdWorld* world, int shapeA, int shapeB)
{
    TD_ASSERT(shapeA < shapeB);
    int index = world->freeContact;
    if (index >= 0)
    {
        world->freeContact = world->contacts.data[index].nextFree;
    }
    else
    {
        TD_ASSERT(world->contacts.count < world->contacts.capacity);
        index = world->contacts.count++;
    }
    const tdShape *a = &world->shapes.data[shapeA], *b = &world->shapes.data[shapeB];
    bool triggerA = (a->flags & TD_SHAPE_TRIGGER) != 0, triggerB = (b->flags & TD_SHAPE_TRIGGER) != 0;
    tdContact* contact = &world->contacts.data[index];
    *contact = (tdContact){
        .shapeA = shapeA,
        .shapeB = shapeB,
        .kind = triggerA || triggerB ? TD_CONTACT_TRIGGER : TD_CONTACT_APART,
        .denseIndex = -1,
        .graphIndex = -1,
        .firstManifold = -1,
        .nextFree = -1,
    };
    contact->flags =
        (uint16_t)((triggerB ? TD_CONTACT_TRIGGER_B : 0) |
                   (((a->flags | b->flags) & TD_SHAPE_CONTACT_EVENTS) != 0 ? TD_CONTACT_EVENTS : 0) |
                   (a->geometry.kind == TD_SHAPE_MESH || b->geometry.kind == TD_SHAPE_MESH
                        ? TD_CONTACT_HAS_MESH
                        : 0));
    LinkEdge(world, index, 0, a->body);
    LinkEdge(world, index, 1, b->body);
    tdPairSet_Add(&world->pairs, tdMakePairKey(shapeA, shapeB), index);
    world->liveContactCount += 1;
    world->triggerTotal += contact->kind == TD_CONTACT_TRIGGER ? 1 : 0;
    if (contact->kind == TD_CONTACT_TRIGGER || IsAwake(world, contact))
    {
        PushApart(world, index);
    }
    return index;
}

void tdWorld_BeginTouch(tdWorld* world, int index, int manifoldCount)
{
    tdContact* contact = &world->contacts.data[index];
    TD_ASSERT(contact->kind == TD_CONTACT_APART);
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    tdContact_Deactivate(world, index);
    contact->kind = TD_CONTACT_TOUCH;
    contact->testMargin = 0.0f;
    contact->firstManifold = tdManifoldPool_Take(world, manifoldCount, &contact->manifoldCapacity);
    contact->manifoldCount = 0;
    world->touchTotal += 1;
    // A sleeper touched by somebody awake wakes; a parked kinematic body is no reason to.
    if (world->bodies.data[bodyA].simIndex > 0 && world->bodies.data[bodyB].motion == TD_MOTION_DYNAMIC)
    {
        tdWorld_WakeBody(world, bodyB);
    }
    else if (world->bodies.data[bodyB].simIndex > 0 && world->bodies.data[bodyA].motion == TD_MOTION_DYNAMIC)
    {
        tdWorld_WakeBody(world, bodyA);
    }
    if (world->bodies.data[bodyA].motion == TD_MOTION_DYNAMIC &&
        world->bodies.data[bodyB].motion == TD_MOTION_DYNAMIC)
    {
        contact->flags |= TD_CONTACT_LINKED;
        tdWorld_LinkBodies(world, bodyA, bodyB);
    }
    if (IsAwake(world, contact))
    {
        tdContact_Activate(world, index);
    }
}

// Out of the touches: island, pool, end event. The kind is APART afterwards, and not in a dense array.
static void LeaveTouch(tdWorld* world, int index)
{
    tdContact_Deactivate(world, index);
    tdContact* contact = &world->contacts.data[index];
    if ((contact->flags & TD_CONTACT_LINKED) != 0)
    {
        tdWorld_UnlinkBodies(world, contact->edges[0].body, contact->edges[1].body);
    }
    if ((contact->flags & TD_CONTACT_BEGAN) != 0)
    {
        tdWorld_ReportContactEnd(world, index);
    }
    contact->flags &= (uint16_t) ~(TD_CONTACT_LINKED | TD_CONTACT_BEGAN);
    tdManifoldPool_Give(world, contact->firstManifold, contact->manifoldCapacity);
    contact->firstManifold = -1;
    contact->manifoldCount = contact->manifoldCapacity = 0;
    contact->kind = TD_CONTACT_APART;
    world->touchTotal -= 1;
}

void tdWorld_EndTouch(tdWorld* world, int index)
{
    LeaveTouch(world, index);
    if (IsAwake(world, &world->contacts.data[index]))
    {
        PushApart(world, index);
    }
}

void tdWorld_DestroyContact(tdWorld* world, int index, bool wake)
{
    tdContact* contact = &world->contacts.data[index];
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    bool isTouch = contact->kind == TD_CONTACT_TOUCH;
    if (isTouch)
    {
        LeaveTouch(world, index);
    }
    else if (contact->kind == TD_CONTACT_TRIGGER && (contact->flags & TD_CONTACT_BEGAN) != 0)
    {
        tdWorld_ReportTriggerExit(world, index);
    }
    tdContact_Deactivate(world, index);
    UnlinkEdge(world, index, 0);
    UnlinkEdge(world, index, 1);
    tdPairSet_Remove(&world->pairs, tdMakePairKey(contact->shapeA, contact->shapeB));
    world->triggerTotal -= contact->kind == TD_CONTACT_TRIGGER ? 1 : 0;
    contact->kind = TD_CONTACT_FREE;
    contact->nextFree = world->freeContact;
    world->freeContact = index;
    world->liveContactCount -= 1;
    if (wake && isTouch)
    {
        tdWorld_WakeBody(world, bodyA);
        tdWorld_WakeBody(world, bodyB);
    }
}

void tdWorld_DestroyContactsOf(tdWorld* world, int body, int shape, bool wake)
{
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int index = key >> 1, side = key & 1;
        key = contact->edges[side].next;
        if (shape < 0 || shape == (side == 0 ? contact->shapeA : contact->shapeB))
        {
            tdWorld_DestroyContact(world, index, wake);
        }
    }
}
