// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Animated properties of physics (physics.md 11). Sampling only writes them down, since it runs for many
// actors at once and at any time; they take effect before the next step. A property that no clip drives any
// more goes back to what the file says.
#include "bridge_actor.h"

#include <string.h>

void tdBridge_SetProperty(tdActor* actor, tdProperty property, const float* values)
{
    tdActorPhysics* physics = actor->physics;
    if (physics == NULL)
    {
        return;
    }
    tdPendingProperty* entry = NULL;
    for (int i = 0; i < physics->pendingCount && entry == NULL; ++i)
    {
        entry = memcmp(&physics->pending[i].property, &property, sizeof(property)) == 0 ? &physics->pending[i]
                                                                                        : NULL;
    }
    if (entry == NULL)
    {
        if (physics->pendingCount == physics->pendingCapacity)
        {
            return; // of another asset's clip
        }
        entry = &physics->pending[physics->pendingCount++];
        *entry = (tdPendingProperty){.property = property};
    }
    int width = property.kind == TD_PROPERTY_MOTION_INERTIA_ORIENTATION ? 4 : 1;
    bool isVector = property.kind == TD_PROPERTY_MOTION_CENTER_OF_MASS ||
                    property.kind == TD_PROPERTY_MOTION_INERTIA_DIAGONAL ||
                    property.kind == TD_PROPERTY_MOTION_LINEAR_VELOCITY ||
                    property.kind == TD_PROPERTY_MOTION_ANGULAR_VELOCITY ||
                    (property.kind == TD_PROPERTY_SHAPE_SIZE && property.element < 0);
    memcpy(entry->values, values, sizeof(float) * (size_t)(isVector ? 3 : width));
    entry->isSet = true;
}

static float NonNegative(float value)
{
    return value > 0.0f ? value : 0.0f;
}

static void ApplyMaterial(tdActor* actor, const tdProperty* property, float value)
{
    tdActorPhysics* physics = actor->physics;
    tdPhysicsMaterial* material = &physics->materials[property->object];
    value = NonNegative(value);
    switch (property->kind)
    {
    case TD_PROPERTY_MATERIAL_STATIC_FRICTION:
        material->staticFriction = value;
        break;
    case TD_PROPERTY_MATERIAL_DYNAMIC_FRICTION:
        material->dynamicFriction = value;
        break;
    default:
        material->restitution = tdMinFloat(value, 1.0f);
        break;
    }
    for (int i = 0; i < physics->scene->colliderCount; ++i)
    {
        if (physics->scene->colliders[i].material == property->object)
        {
            tdShape_SetMaterial(actor->stage->world, physics->shapes[i].id, material->staticFriction,
                                material->dynamicFriction, material->restitution, material->frictionCombine,
                                material->restitutionCombine);
        }
    }
}

/// A limit of the file may stand for several rows, and a description for several joints.
static void ApplyLimit(tdActor* actor, const tdProperty* property, float value)
{
    tdActorPhysics* physics = actor->physics;
    tdWorld* world = actor->stage->world;
    const tdPhysicsJointDesc* desc = &physics->scene->jointDescs[property->object];
    for (int j = 0; j < physics->scene->jointCount; ++j)
    {
        if (physics->scene->joints[j].desc != property->object)
        {
            continue;
        }
        for (int i = 0; i < desc->limitCount; ++i)
        {
            if (desc->fileLimits[i] != property->element)
            {
                continue;
            }
            tdJointLimit limit = tdJoint_GetLimit(world, physics->joints[j], i);
            limit.min = property->kind == TD_PROPERTY_LIMIT_MIN ? value : limit.min;
            limit.max = property->kind == TD_PROPERTY_LIMIT_MAX ? value : limit.max;
            limit.stiffness =
                property->kind == TD_PROPERTY_LIMIT_STIFFNESS ? NonNegative(value) : limit.stiffness;
            limit.damping = property->kind == TD_PROPERTY_LIMIT_DAMPING ? NonNegative(value) : limit.damping;
            limit.max = limit.max < limit.min ? limit.min : limit.max;
            tdJoint_SetLimit(world, physics->joints[j], i, limit);
        }
    }
}

static void ApplyDrive(tdActor* actor, const tdProperty* property, float value)
{
    tdActorPhysics* physics = actor->physics;
    tdWorld* world = actor->stage->world;
    for (int j = 0; j < physics->scene->jointCount; ++j)
    {
        const tdPhysicsJointDesc* desc = &physics->scene->jointDescs[property->object];
        if (physics->scene->joints[j].desc != property->object || property->element >= desc->driveCount)
        {
            continue;
        }
        tdJointDrive drive = tdJoint_GetDrive(world, physics->joints[j], property->element);
        switch (property->kind)
        {
        case TD_PROPERTY_DRIVE_MAX_FORCE:
            drive.maxForce = NonNegative(value);
            break;
        case TD_PROPERTY_DRIVE_POSITION_TARGET:
            drive.positionTarget = value;
            break;
        case TD_PROPERTY_DRIVE_VELOCITY_TARGET:
            drive.velocityTarget = value;
            break;
        case TD_PROPERTY_DRIVE_STIFFNESS:
            drive.stiffness = NonNegative(value);
            break;
        default:
            drive.damping = NonNegative(value);
            break;
        }
        tdJoint_SetDrive(world, physics->joints[j], property->element, drive);
    }
}

static void ApplyMass(tdActor* actor, const tdBridgeBody* body, const tdProperty* property,
                      const float* values)
{
    tdWorld* world = actor->stage->world;
    const tdPhysicsBody* source = &actor->physics->scene->bodies[body->index];
    bool isKhr = source->dialect < TD_DIALECT_OMI_EARLY;
    tdBodyMass mass = {source->mass, source->centerOfMass, source->inertiaDiagonal,
                       source->inertiaOrientation};
    if (tdBody_GetMotion(world, body->id) == TD_MOTION_DYNAMIC)
    {
        mass = tdBody_GetMass(world, body->id);
    }
    switch (property->kind)
    {
    case TD_PROPERTY_MOTION_MASS:
    {
        float wanted = NonNegative(values[0]);
        float now = wanted == 0.0f ? (isKhr ? INFINITY : 1.0f) : wanted;
        // Inertia that was computed follows the mass.
        if (isnan(source->fileInertiaDiagonal.x) && isfinite(mass.mass) && isfinite(now) && mass.mass > 0.0f)
        {
            mass.inertiaDiagonal = tdScale(now / mass.mass, mass.inertiaDiagonal);
        }
        mass.mass = now;
        break;
    }
    case TD_PROPERTY_MOTION_CENTER_OF_MASS:
    {
        tdTransform frame = tdBridge_GetNodeFrame(actor, body->node);
        tdVec3 offset =
            tdMat4Direction(actor->pose.globals[body->node], (tdVec3){values[0], values[1], values[2]});
        mass.centerOfMass = tdInvRotate(frame.rotation, offset);
        break;
    }
    case TD_PROPERTY_MOTION_INERTIA_DIAGONAL:
    {
        tdVec3 d = {NonNegative(values[0]), NonNegative(values[1]), NonNegative(values[2])};
        if (isKhr)
        {
            d.x = d.x == 0.0f ? INFINITY : d.x;
            d.y = d.y == 0.0f ? INFINITY : d.y;
            d.z = d.z == 0.0f ? INFINITY : d.z;
        }
        mass.inertiaDiagonal = d;
        break;
    }
    default:
        mass.inertiaOrientation = tdNormalizeQuat((tdQuat){values[0], values[1], values[2], values[3]});
        break;
    }
    tdBody_SetMass(world, body->id, mass);
}

static void ApplyMotion(tdActor* actor, const tdProperty* property, const float* values)
{
    tdActorPhysics* physics = actor->physics;
    tdWorld* world = actor->stage->world;
    int index = physics->scene->bodyOfNode[property->object];
    if (index < 0 || physics->bodies[index].node != property->object)
    {
        return;
    }
    tdBridgeBody* body = &physics->bodies[index];
    tdQuat rotation = tdBridge_GetNodeFrame(actor, body->node).rotation;
    switch (property->kind)
    {
    case TD_PROPERTY_MOTION_IS_KINEMATIC:
    {
        tdMotion motion = values[0] != 0.0f ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC;
        if (motion != body->motion)
        {
            body->motion = motion;
            actor->isBound = false; // who writes the node may change
            if (!body->isDriven)
            {
                tdBody_SetMotion(world, body->id, motion);
            }
        }
        break;
    }
    case TD_PROPERTY_MOTION_LINEAR_VELOCITY:
        tdBody_SetLinearVelocity(world, body->id,
                                 tdRotate(rotation, (tdVec3){values[0], values[1], values[2]}));
        break;
    case TD_PROPERTY_MOTION_ANGULAR_VELOCITY:
        tdBody_SetAngularVelocity(world, body->id,
                                  tdRotate(rotation, (tdVec3){values[0], values[1], values[2]}));
        break;
    case TD_PROPERTY_MOTION_GRAVITY_FACTOR:
        tdBody_SetGravityFactor(world, body->id, values[0]);
        break;
    default:
        ApplyMass(actor, body, property, values);
        break;
    }
}

static void ApplyProperty(tdActor* actor, const tdProperty* property, const float* values)
{
    tdActorPhysics* physics = actor->physics;
    if (property->kind <= TD_PROPERTY_MATERIAL_RESTITUTION)
    {
        ApplyMaterial(actor, property, values[0]);
    }
    else if (property->kind <= TD_PROPERTY_LIMIT_DAMPING)
    {
        ApplyLimit(actor, property, values[0]);
    }
    else if (property->kind <= TD_PROPERTY_DRIVE_DAMPING)
    {
        ApplyDrive(actor, property, values[0]);
    }
    else if (property->kind <= TD_PROPERTY_MOTION_GRAVITY_FACTOR)
    {
        ApplyMotion(actor, property, values);
    }
    else if (property->kind == TD_PROPERTY_JOINT_ENABLE_COLLISION)
    {
        for (int j = 0; j < physics->scene->jointCount; ++j)
        {
            if (physics->scene->joints[j].fileNode == property->object)
            {
                tdJoint_SetEnableCollision(actor->stage->world, physics->joints[j], values[0] != 0.0f);
            }
        }
    }
}

void tdBridge_ApplyProperties(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->pendingCount; ++i)
    {
        tdPendingProperty* entry = &physics->pending[i];
        if (entry->isSet)
        {
            ApplyProperty(actor, &entry->property, entry->values);
            entry->isSet = false;
        }
    }
}
