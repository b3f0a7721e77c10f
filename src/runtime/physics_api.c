// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Public physics functions by node index (tendon/stage.h): ids, impulses, velocities and ray casts. See
// docs/spec/physics.md, section 11.
#include "physics_binding.h"

#include "physics/data/refusal.h"

static tdBoundBody* FindBodyOfNode(const tdActor* actor, int node)
{
    if (actor == NULL || actor->physics == NULL || node < 0 || node >= actor->scene->nodes.count)
    {
        return NULL;
    }
    int body = actor->physics->scene->bodyOfNode[node];
    return body >= 0 ? &actor->physics->bodies[body] : NULL;
}

tdBodyId tdActor_GetBody(const tdActor* actor, int node)
{
    const tdBoundBody* body = FindBodyOfNode(actor, node);
    return body != NULL ? body->id : (tdBodyId){0, 0};
}

tdShapeId tdActor_GetShape(const tdActor* actor, int collider)
{
    bool isThere = actor != NULL && actor->physics != NULL && collider >= 0 &&
                   collider < actor->physics->scene->colliderCount;
    return isThere ? actor->physics->shapes[collider].id : (tdShapeId){0, 0};
}

tdJointId tdActor_GetJoint(const tdActor* actor, int joint)
{
    bool isThere =
        actor != NULL && actor->physics != NULL && joint >= 0 && joint < actor->physics->scene->jointCount;
    return isThere ? actor->physics->joints[joint] : (tdJointId){0, 0};
}

void tdActor_ApplyImpulse(tdActor* actor, int node, tdVec3 linearImpulse, tdVec3 angularImpulse)
{
    const tdBoundBody* body = FindBodyOfNode(actor, node);
    if (body != NULL &&
        TD_ACCEPT(actor->stage->world, tdIsFiniteVec3(linearImpulse) && tdIsFiniteVec3(angularImpulse)))
    {
        tdBody_ApplyImpulseToCenter(actor->stage->world, body->id, linearImpulse);
        tdBody_ApplyAngularImpulse(actor->stage->world, body->id, angularImpulse);
    }
}

void tdActor_ApplyPointImpulse(tdActor* actor, int node, tdVec3 impulse, tdVec3 point)
{
    const tdBoundBody* body = FindBodyOfNode(actor, node);
    if (body != NULL)
    {
        tdBody_ApplyImpulse(actor->stage->world, body->id, impulse, point);
    }
}

/// Rotates a vector of the world into the frame of the body's node, without scale.
static tdVec3 RotateToNode(const tdActor* actor, const tdBoundBody* body, tdVec3 v)
{
    return tdInvRotate(tdBody_GetTransform(actor->stage->world, body->id).rotation, v);
}

static tdVec3 RotateToWorld(const tdActor* actor, const tdBoundBody* body, tdVec3 v)
{
    return tdRotate(tdBody_GetTransform(actor->stage->world, body->id).rotation, v);
}

tdVec3 tdActor_GetLinearVelocity(const tdActor* actor, int node)
{
    const tdBoundBody* body = FindBodyOfNode(actor, node);
    return body != NULL ? RotateToNode(actor, body, tdBody_GetLinearVelocity(actor->stage->world, body->id))
                        : tdVec3_zero;
}

tdVec3 tdActor_GetAngularVelocity(const tdActor* actor, int node)
{
    const tdBoundBody* body = FindBodyOfNode(actor, node);
    return body != NULL ? RotateToNode(actor, body, tdBody_GetAngularVelocity(actor->stage->world, body->id))
                        : tdVec3_zero;
}

void tdActor_SetLinearVelocity(tdActor* actor, int node, tdVec3 velocity)
{
    const tdBoundBody* body = FindBodyOfNode(actor, node);
    if (body != NULL)
    {
        tdBody_SetLinearVelocity(actor->stage->world, body->id, RotateToWorld(actor, body, velocity));
    }
}

void tdActor_SetAngularVelocity(tdActor* actor, int node, tdVec3 velocity)
{
    const tdBoundBody* body = FindBodyOfNode(actor, node);
    if (body != NULL)
    {
        tdBody_SetAngularVelocity(actor->stage->world, body->id, RotateToWorld(actor, body, velocity));
    }
}

bool tdStage_CastRay(const tdStage* stage, tdVec3 start, tdVec3 end, const tdActor* filterActor,
                     int collisionFilter, tdStageHit* hit)
{
    if (stage == NULL || !tdIsFiniteVec3(start) || !tdIsFiniteVec3(end))
    {
        return false;
    }
    tdQueryFilter filter = tdDefaultQueryFilter();
    if (collisionFilter >= 0)
    {
        const tdActorPhysics* physics = filterActor != NULL ? filterActor->physics : NULL;
        if (physics == NULL || collisionFilter >= physics->scene->filterCount)
        {
            return false;
        }
        filter.filter = physics->filters[collisionFilter];
    }
    tdQueryHit found;
    if (!tdWorld_CastRay(stage->world, (tdRay){start, tdSub(end, start)}, &filter, &found))
    {
        return false;
    }
    if (hit != NULL)
    {
        const tdBoundShape* shape = tdPhysicsBinding_FindShape(stage, found.shape);
        int body = shape != NULL ? shape->body : -1;
        *hit = (tdStageHit){
            .actor = shape != NULL ? shape->actor : NULL,
            .node = shape != NULL ? shape->node : -1,
            .bodyNode = body >= 0 ? shape->actor->physics->bodies[body].node : -1,
            .fraction = found.fraction,
            .point = found.point,
            .normal = found.normal,
        };
    }
    return true;
}
