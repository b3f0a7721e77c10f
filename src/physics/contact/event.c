// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact and trigger events. Their order is deterministic: contacts that ended between the steps, contacts
// that ended in the narrow phase, contacts that began, bounces of fast bodies; each in the order of the dense
// arrays.
#include "physics/contact/event.h"

#include "physics/contact/contact.h"
#include "physics/data/flag_bytes.h"
#include "physics/data/id.h"
#include "physics/data/world_data.h"
#include "physics/island/contact_activation.h"

static tdWorldContactEvent MakePairEvent(const tdWorld* world, int shapeA, int shapeB)
{
    const tdShape *a = &world->shapes.data[shapeA], *b = &world->shapes.data[shapeB];
    return (tdWorldContactEvent){
        .shapeA = tdWorld_MakeShapeId(world, shapeA),
        .shapeB = tdWorld_MakeShapeId(world, shapeB),
        .bodyA = tdWorld_MakeBodyId(world, a->body),
        .bodyB = tdWorld_MakeBodyId(world, b->body),
        .userDataA = a->userData,
        .userDataB = b->userData,
    };
}

static tdWorldContactEvent MakeContactEvent(const tdWorld* world, int index)
{
    const tdContact* contact = &world->contacts.data[index];
    return MakePairEvent(world, contact->shapeA, contact->shapeB);
}

static tdWorldTriggerEvent MakeVisitEvent(const tdWorld* world, int trigger, int visitor, bool entered)
{
    return (tdWorldTriggerEvent){
        .trigger = tdWorld_MakeShapeId(world, trigger),
        .visitor = tdWorld_MakeShapeId(world, visitor),
        .triggerBody = tdWorld_MakeBodyId(world, world->shapes.data[trigger].body),
        .visitorBody = tdWorld_MakeBodyId(world, world->shapes.data[visitor].body),
        .triggerUserData = world->shapes.data[trigger].userData,
        .visitorUserData = world->shapes.data[visitor].userData,
        .entered = entered,
    };
}

static tdWorldTriggerEvent MakeTriggerEvent(const tdWorld* world, int index, bool entered)
{
    const tdContact* contact = &world->contacts.data[index];
    bool isB = (contact->flags & TD_CONTACT_TRIGGER_B) != 0;
    return MakeVisitEvent(world, isB ? contact->shapeB : contact->shapeA,
                          isB ? contact->shapeA : contact->shapeB, entered);
}

void tdWorld_ReportContactEnd(tdWorld* world, int contact)
{
    tdWorldContactEvent event = MakeContactEvent(world, contact);
    bool isKept = world->isLocked ? tdArray_Push(&world->allocator, &world->contactEvents, event)
                                  : tdArray_Push(&world->allocator, &world->pendingContactEvents, event);
    world->status = isKept ? world->status : TD_STATUS_OUT_OF_MEMORY;
}

void tdWorld_ReportTriggerExit(tdWorld* world, int contact)
{
    tdWorldTriggerEvent event = MakeTriggerEvent(world, contact, false);
    bool isKept = world->isLocked ? tdArray_Push(&world->allocator, &world->triggerEvents, event)
                                  : tdArray_Push(&world->allocator, &world->pendingTriggerEvents, event);
    world->status = isKept ? world->status : TD_STATUS_OUT_OF_MEMORY;
}

void tdWorld_ReportTriggerEnter(tdWorld* world, int contact)
{
    world->contacts.data[contact].flags |= TD_CONTACT_BEGAN;
    bool isKept =
        tdArray_Push(&world->allocator, &world->triggerEvents, MakeTriggerEvent(world, contact, true));
    world->status = isKept ? world->status : TD_STATUS_OUT_OF_MEMORY;
}

void tdWorld_ReportPassage(tdWorld* world, int trigger, int visitor)
{
    bool isKept = tdArray_Push(&world->allocator, &world->triggerEvents,
                               MakeVisitEvent(world, trigger, visitor, true)) &&
                  tdArray_Push(&world->allocator, &world->triggerEvents,
                               MakeVisitEvent(world, trigger, visitor, false));
    world->status = isKept ? world->status : TD_STATUS_OUT_OF_MEMORY;
}

bool tdWorld_BeginEvents(tdWorld* world, int newTouchingCount)
{
    // A contact begins or ends at most once in a step; a trigger overlap may do both.
    int contactCount = world->touchingTotal + newTouchingCount + world->pendingContactEvents.count;
    int triggerCount = 2 * world->triggerTotal + world->pendingTriggerEvents.count;
    if (!tdArray_Reserve(&world->allocator, &world->contactEvents, contactCount) ||
        !tdArray_Reserve(&world->allocator, &world->triggerEvents, triggerCount) ||
        !tdArray_Reserve(&world->allocator, &world->triggerFlags, world->triggers.capacity))
    {
        return false;
    }
    world->contactEvents.count = 0;
    world->triggerEvents.count = 0;
    for (int i = 0; i < world->pendingContactEvents.count; ++i)
    {
        world->contactEvents.data[world->contactEvents.count++] = world->pendingContactEvents.data[i];
    }
    for (int i = 0; i < world->pendingTriggerEvents.count; ++i)
    {
        world->triggerEvents.data[world->triggerEvents.count++] = world->pendingTriggerEvents.data[i];
    }
    world->pendingContactEvents.count = 0;
    world->pendingTriggerEvents.count = 0;
    return true;
}

// Touching: a manifold overlapped at the start of the step, or had an impulse.
void tdWorld_TestTouching(tdWorld* world, int index)
{
    const tdTouchingContact* touching = &world->touchingContacts.data[index];
    bool isTouching = false;
    if ((touching->flags & TD_TOUCHING_EVENTS) != 0)
    {
        const tdContactManifold* manifolds = world->manifolds + touching->firstManifold;
        for (int j = 0; j < touching->manifoldCount && !isTouching; ++j)
        {
            isTouching = manifolds[j].isOverlapping || manifolds[j].totalImpulse > 0.0f;
        }
    }
    bool began = (touching->flags & TD_TOUCHING_BEGAN) != 0;
    if (isTouching != began)
    {
        world->touchingFlags.data[index] = 1; // written only on change: other workers use the same cache line
    }
}

// The deepest point of a contact, and the impulse of all its manifolds.
static void FillImpact(const tdWorld* world, const tdTouchingContact* touching, tdWorldContactEvent* event)
{
    const tdBodySim *a = tdWorld_GetSim(world, touching->simA), *b = tdWorld_GetSim(world, touching->simB);
    float deepest = 0.0f;
    bool isFirst = true;
    for (int i = 0; i < touching->manifoldCount; ++i)
    {
        const tdContactManifold* manifold = &world->manifolds[touching->firstManifold + i];
        tdQuat rotationA = a->transform.rotation, rotationB = b->transform.rotation;
        tdVec3 normal = tdContactManifold_GetNormal(manifold, rotationA, rotationB);
        event->impulse += manifold->totalImpulse;
        for (int j = 0; j < manifold->pointCount; ++j)
        {
            tdVec3 armA, armB;
            tdContactManifold_GetPoint(manifold, j, rotationA, rotationB, &armA, &armB);
            tdVec3 pointA = tdAdd(a->center, armA), pointB = tdAdd(b->center, armB);
            float separation = tdDot(tdSub(pointB, pointA), normal);
            if (isFirst || separation < deepest)
            {
                isFirst = false;
                deepest = separation;
                event->point = tdScale(0.5f, tdAdd(pointA, pointB));
                event->normal = normal;
            }
        }
    }
}

/// True if the begin of a contact of these shapes was reported and its end was not.
static bool HasBegun(const tdWorld* world, int body, int shapeA, int shapeB)
{
    for (int key = world->bodies.data[body].contactHead; key >= 0;)
    {
        const tdContact* contact = &world->contacts.data[key >> 1];
        key = contact->edges[key & 1].next;
        if (contact->shapeA == shapeA && contact->shapeB == shapeB && contact->kind == TD_CONTACT_TOUCHING &&
            contact->denseIndex >= 0)
        {
            return (world->touchingContacts.data[contact->denseIndex].flags & TD_TOUCHING_BEGAN) != 0;
        }
    }
    return false;
}

/// Fast bodies that bounced within the step: their contact began and ended in it.
static void CollectBounceEvents(tdWorld* world)
{
    for (int i = 0; i < world->fastBodies.count; ++i)
    {
        const tdFastBody* fast = &world->fastBodies.data[i];
        if (!fast->isFollowed || !(fast->impulse > 0.0f))
        {
            continue;
        }
        bool isFirst = fast->shape < fast->targetShape;
        int shapeA = isFirst ? fast->shape : fast->targetShape,
            shapeB = isFirst ? fast->targetShape : fast->shape;
        uint32_t flags = world->shapes.data[shapeA].flags | world->shapes.data[shapeB].flags;
        if ((flags & TD_SHAPE_CONTACT_EVENTS) == 0 ||
            HasBegun(world, world->sims[fast->simIndex].body, shapeA, shapeB))
        {
            continue;
        }
        tdWorldContactEvent event = MakePairEvent(world, shapeA, shapeB);
        event.began = true;
        event.point = fast->point;
        event.normal = isFirst ? tdNegate(fast->normal) : fast->normal;
        event.impulse = fast->impulse;
        tdWorldContactEvent end = MakePairEvent(world, shapeA, shapeB);
        bool isKept = tdArray_Push(&world->allocator, &world->contactEvents, event) &&
                      tdArray_Push(&world->allocator, &world->contactEvents, end);
        world->status = isKept ? world->status : TD_STATUS_OUT_OF_MEMORY;
    }
}

void tdWorld_CollectContactEvents(tdWorld* world)
{
    int count = world->touchingContacts.count;
    const uint8_t* flags = world->touchingFlags.data;
    for (int i = tdFindFlag(flags, 0, count); i < count; i = tdFindFlag(flags, i + 1, count))
    {
        tdTouchingContact* touching = &world->touchingContacts.data[i];
        tdWorldContactEvent event = MakeContactEvent(world, touching->contact);
        event.began = (touching->flags & TD_TOUCHING_BEGAN) == 0;
        touching->flags ^= TD_TOUCHING_BEGAN;
        if (event.began)
        {
            FillImpact(world, touching, &event);
        }
        TD_ASSERT(world->contactEvents.count < world->contactEvents.capacity);
        world->contactEvents.data[world->contactEvents.count++] = event;
    }
    CollectBounceEvents(world);
}

void tdWorld_CollectTriggerEvents(tdWorld* world)
{
    // Backwards, because entries may leave the array. The events are reversed afterwards.
    int firstEvent = world->triggerEvents.count;
    for (int i = world->triggers.count - 1; i >= 0; --i)
    {
        int index = world->triggers.data[i].contact;
        uint8_t flag = world->triggerFlags.data[i];
        tdContact* contact = &world->contacts.data[index];
        if (flag == 255)
        {
            tdWorld_DestroyContact(world, index, false);
            continue;
        }
        if (flag == 3)
        {
            TD_ASSERT(world->triggerEvents.count + 1 < world->triggerEvents.capacity);
            world->triggerEvents.data[world->triggerEvents.count++] = MakeTriggerEvent(world, index, false);
            world->triggerEvents.data[world->triggerEvents.count++] = MakeTriggerEvent(world, index, true);
        }
        bool isInside = flag == 0 ? (contact->flags & TD_CONTACT_BEGAN) != 0 : flag == 1;
        if (isInside != ((contact->flags & TD_CONTACT_BEGAN) != 0))
        {
            contact->flags ^= TD_CONTACT_BEGAN;
            TD_ASSERT(world->triggerEvents.count < world->triggerEvents.capacity);
            world->triggerEvents.data[world->triggerEvents.count++] =
                MakeTriggerEvent(world, index, isInside);
        }
        if (world->triggers.data[i].simA < 0 && world->triggers.data[i].simB < 0)
        {
            tdContact_Deactivate(world, index);
        }
    }
    for (int a = firstEvent, b = world->triggerEvents.count - 1; a < b; ++a, --b)
    {
        tdWorldTriggerEvent swap = world->triggerEvents.data[a];
        world->triggerEvents.data[a] = world->triggerEvents.data[b];
        world->triggerEvents.data[b] = swap;
    }
}

tdWorldEvents tdWorld_GetEvents(const tdWorld* world)
{
    return (tdWorldEvents){
        .contacts = world->contactEvents.data,
        .contactCount = world->contactEvents.count,
        .triggers = world->triggerEvents.data,
        .triggerCount = world->triggerEvents.count,
    };
}
