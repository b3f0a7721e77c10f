// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact and trigger events of the world, by actor and node.
#include "physics_events.h"

#include "physics_binding.h"

/// Adds an event. When memory runs out the event is lost and the next step fails.
static void AddTriggerEvent(tdStage* stage, const tdBoundShape* trigger, int triggerNode,
                            const tdBoundShape* visitor, bool entered)
{
    int body = visitor != NULL ? visitor->body : -1;
    tdTriggerEvent event = {
        .trigger = trigger->actor,
        .visitor = visitor != NULL ? visitor->actor : NULL,
        .triggerNode = triggerNode,
        .visitorNode = visitor != NULL ? visitor->node : -1,
        .visitorBodyNode = body >= 0 ? visitor->actor->physics->bodies[body].node : -1,
        .entered = entered,
    };
    if (!tdArray_Push(&stage->allocator, &stage->triggers, event))
    {
        stage->isOutOfMemory = true;
    }
}

/// Counts the parts of a compound trigger that a visitor is in.
/// @return true if the visitor entered its first part or left its last one
static bool CountVisitor(tdStage* stage, tdBoundTrigger* trigger, tdShapeId shape, bool entered)
{
    for (int i = 0; i < trigger->visitors.count; ++i)
    {
        tdVisitor* visitor = &trigger->visitors.data[i];
        if (!tdIsSameShape(visitor->shape, shape))
        {
            continue;
        }
        visitor->count += entered ? 1 : -1;
        if (visitor->count > 0)
        {
            return false;
        }
        tdArray_RemoveSwap(&trigger->visitors, i);
        return true;
    }
    if (entered && !tdArray_Push(&stage->allocator, &trigger->visitors, (tdVisitor){shape, 1}))
    {
        stage->isOutOfMemory = true;
    }
    return entered;
}

/// True if the trigger's node is itself a compound trigger with this shape among its parts (OMI: a shape
/// beside nodes). Then only the compound has events.
static bool IsPartOfItsOwnNode(const tdActorPhysics* physics, const tdBoundShape* trigger)
{
    const int* compounds = physics->triggersOfShape[trigger->index];
    for (; compounds != NULL && *compounds >= 0; ++compounds)
    {
        if (physics->scene->triggers[*compounds].node == trigger->node)
        {
            return true;
        }
    }
    return false;
}

/// True if the visitor is the collider of that node: a trigger does not report the collider beside it.
static bool IsColliderOfNode(const tdBoundShape* trigger, int node, const tdBoundShape* visitor)
{
    return visitor != NULL && visitor->actor == trigger->actor && visitor->node == node;
}

/// Reports a visitor of a part to the compound triggers of the part.
static void CollectCompounds(tdStage* stage, const tdWorldTriggerEvent* event)
{
    const tdBoundShape* trigger = tdPhysicsBinding_FindShape(stage, event->trigger);
    const tdBoundShape* visitor = tdPhysicsBinding_FindShape(stage, event->visitor);
    if (trigger == NULL)
    {
        return; // the application made it
    }
    tdActorPhysics* physics = trigger->actor->physics;
    const int* compounds = physics->triggersOfShape[trigger->index];
    for (; compounds != NULL && *compounds >= 0; ++compounds)
    {
        // A compound trigger is itself a part of its parent.
        for (int c = *compounds; c >= 0; c = physics->scene->triggers[c].parent)
        {
            int node = physics->scene->triggers[c].node;
            if (IsColliderOfNode(trigger, node, visitor) ||
                !CountVisitor(stage, &physics->triggers[c], event->visitor, event->entered))
            {
                break;
            }
            AddTriggerEvent(stage, trigger, node, visitor, event->entered);
        }
    }
}

// Compound triggers count all enters of a step before its exits: a visitor that leaves one part and enters
// the next within the step, or passes several parts that overlap, stays inside between them.
static void CollectTriggers(tdStage* stage, const tdWorldEvents* events)
{
    for (int i = 0; i < events->triggerCount; ++i)
    {
        const tdWorldTriggerEvent* event = &events->triggers[i];
        const tdBoundShape* trigger = tdPhysicsBinding_FindShape(stage, event->trigger);
        const tdBoundShape* visitor = tdPhysicsBinding_FindShape(stage, event->visitor);
        if (trigger != NULL && !IsPartOfItsOwnNode(trigger->actor->physics, trigger) &&
            !IsColliderOfNode(trigger, trigger->node, visitor))
        {
            AddTriggerEvent(stage, trigger, trigger->node, visitor, event->entered);
        }
        if (event->entered)
        {
            CollectCompounds(stage, event);
        }
    }
    for (int i = 0; i < events->triggerCount; ++i)
    {
        if (!events->triggers[i].entered)
        {
            CollectCompounds(stage, &events->triggers[i]);
        }
    }
}

static void CollectContacts(tdStage* stage, const tdWorldEvents* events)
{
    for (int i = 0; i < events->contactCount; ++i)
    {
        const tdWorldContactEvent* event = &events->contacts[i];
        const tdBoundShape* a = tdPhysicsBinding_FindShape(stage, event->shapeA);
        const tdBoundShape* b = tdPhysicsBinding_FindShape(stage, event->shapeB);
        if (a == NULL && b == NULL)
        {
            continue;
        }
        tdContactEvent contact = {
            .actorA = a != NULL ? a->actor : NULL,
            .actorB = b != NULL ? b->actor : NULL,
            .nodeA = a != NULL ? a->node : -1,
            .nodeB = b != NULL ? b->node : -1,
            .point = event->point,
            .normal = event->normal,
            .impulse = event->impulse,
            .began = event->began,
        };
        if (contact.actorA == contact.actorB && contact.nodeA > contact.nodeB)
        {
            int node = contact.nodeA;
            contact.nodeA = contact.nodeB;
            contact.nodeB = node;
            contact.normal = tdNegate(contact.normal);
        }
        if (!tdArray_Push(&stage->allocator, &stage->contacts, contact))
        {
            stage->isOutOfMemory = true;
        }
    }
}

void tdPhysicsEvents_Collect(tdStage* stage)
{
    stage->contacts.count = 0;
    stage->triggers.count = 0;
    tdWorldEvents events = tdWorld_GetEvents(stage->world);
    CollectTriggers(stage, &events);
    CollectContacts(stage, &events);
}
