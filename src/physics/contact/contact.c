// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The life cycle of a contact: creation, the change between separated and touching, destruction. The narrow
// phase (narrow_phase/narrow_phase.c) decides about the changes.
#include "physics/contact/contact.h"

#include "physics/contact/event.h"
#include "physics/data/manifold_pool.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/island/contact_activation.h"
#include "physics/island/island.h"

#include <string.h>

static bool HasAwakeBody(const tdWorld* world, const tdContact* contact)
{
    return world->bodies.data[contact->edges[0].body].simIndex > 0 ||
           world->bodies.data[contact->edges[1].body].simIndex > 0;
}

static void LinkContactEdge(tdWorld* world, int index, int side, int body)
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

static void UnlinkContactEdge(tdWorld* world, int index, int side)
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
        .kind = triggerA || triggerB ? TD_CONTACT_TRIGGER : TD_CONTACT_SEPARATED,
        .denseIndex = -1,
        .firstManifold = -1,
        .nextFree = -1,
    };
    contact->flags =
        (uint16_t)((triggerB ? TD_CONTACT_TRIGGER_B : 0) | (triggerA || triggerB ? TD_CONTACT_UNTESTED : 0) |
                   (((a->flags | b->flags) & TD_SHAPE_CONTACT_EVENTS) != 0 ? TD_CONTACT_EVENTS : 0) |
                   (a->geometry.kind == TD_SHAPE_MESH || b->geometry.kind == TD_SHAPE_MESH
                        ? TD_CONTACT_HAS_MESH
                        : 0));
    LinkContactEdge(world, index, 0, a->body);
    LinkContactEdge(world, index, 1, b->body);
    tdPairSet_Add(&world->pairs, tdMakePairKey(shapeA, shapeB), index);
    world->liveContactCount += 1;
    world->triggerTotal += contact->kind == TD_CONTACT_TRIGGER ? 1 : 0;
    if (contact->kind == TD_CONTACT_TRIGGER || HasAwakeBody(world, contact))
    {
        tdContact_Activate(world, index);
    }
    return index;
}

void tdWorld_BeginTouching(tdWorld* world, int index, int manifoldCount)
{
    tdContact* contact = &world->contacts.data[index];
    TD_ASSERT(contact->kind == TD_CONTACT_SEPARATED);
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    tdContact_Deactivate(world, index);
    contact->kind = TD_CONTACT_TOUCHING;
    contact->testMargin = 0.0f;
    contact->firstManifold = tdManifoldPool_Acquire(world, manifoldCount, &contact->manifoldCapacity);
    contact->manifoldCount = 0;
    world->touchingTotal += 1;
    // An awake body wakes a sleeping dynamic body that it touches. A parked kinematic body does not.
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
    if (HasAwakeBody(world, contact))
    {
        tdContact_Activate(world, index);
    }
}

// Remove a contact from the touching ones: island link, manifolds, end event. Afterwards it is separated and
// not in a dense array.
static void ReleaseTouching(tdWorld* world, int index)
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
    tdManifoldPool_Release(world, contact->firstManifold, contact->manifoldCapacity);
    contact->firstManifold = -1;
    contact->manifoldCount = contact->manifoldCapacity = 0;
    contact->kind = TD_CONTACT_SEPARATED;
    world->touchingTotal -= 1;
}

void tdWorld_EndTouching(tdWorld* world, int index)
{
    ReleaseTouching(world, index);
    if (HasAwakeBody(world, &world->contacts.data[index]))
    {
        tdContact_Activate(world, index);
    }
}

void tdWorld_DestroyContact(tdWorld* world, int index, bool wake)
{
    tdContact* contact = &world->contacts.data[index];
    int bodyA = contact->edges[0].body, bodyB = contact->edges[1].body;
    bool isTouching = contact->kind == TD_CONTACT_TOUCHING;
    if (isTouching)
    {
        ReleaseTouching(world, index);
    }
    else if (contact->kind == TD_CONTACT_TRIGGER && (contact->flags & TD_CONTACT_BEGAN) != 0)
    {
        tdWorld_ReportTriggerExit(world, index);
    }
    tdContact_Deactivate(world, index);
    UnlinkContactEdge(world, index, 0);
    UnlinkContactEdge(world, index, 1);
    tdPairSet_Remove(&world->pairs, tdMakePairKey(contact->shapeA, contact->shapeB));
    world->triggerTotal -= contact->kind == TD_CONTACT_TRIGGER ? 1 : 0;
    contact->kind = TD_CONTACT_FREE;
    contact->nextFree = world->freeContact;
    world->freeContact = index;
    world->liveContactCount -= 1;
    if (wake && isTouching)
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

void tdWorld_DestroySolidContactsOf(tdWorld* world, int body)
{
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        int index = key >> 1;
        key = contact->edges[key & 1].next;
        if (contact->kind != TD_CONTACT_TRIGGER)
        {
            tdWorld_DestroyContact(world, index, true);
        }
    }
}
