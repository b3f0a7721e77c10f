// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colliders follow their nodes.
//
// A collider below a body has the matrix  P T  in the frame of the body: T leads from the collider's node to
// the body's node, P is the scale at the body's node (symmetric, tdBoundBody.stretch). A body that turns
// below a non-uniform scale keeps P; only a writer of a scale changes it. A static collider has the matrix of
// its node in the world.
#include "collider_drive.h"

#include "physics_binding.h"
#include "physics_properties.h"

#include "geometry/bounds.h"
#include "geometry/triangles.h"
#include "physics/body/shape.h"

#include <math.h>
#include <string.h>

/// With more nodes than this between a body and a node below it, T is computed through the world.
#define NEAR_LEVELS 8

/// Changes of a stretch below this, relative to its largest entry, are rounding of the nodes' matrices.
#define STRETCH_TOLERANCE 1.0e-5f

/// Contacts of a body that are searched for its support.
#define MAX_SUPPORTS 16

/// Smallest cosine of the slope of a support.
#define MIN_SUPPORT_COSINE 0.5f

static float GetLargestEntry(tdMat3 m)
{
    const tdVec3 columns[3] = {m.cx, m.cy, m.cz};
    float largest = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        largest =
            tdMaxFloat(largest, tdMaxFloat(tdAbsFloat(columns[i].x),
                                           tdMaxFloat(tdAbsFloat(columns[i].y), tdAbsFloat(columns[i].z))));
    }
    return largest;
}

static bool AreStretchesEqual(tdMat3 a, tdMat3 b)
{
    tdMat3 difference = tdAddMat3(a, tdScaleMat3(-1.0f, b));
    return GetLargestEntry(difference) <= STRETCH_TOLERANCE * GetLargestEntry(a);
}

static tdMat4 MakeLinearMat4(tdMat3 m)
{
    return (tdMat4){{m.cx.x, m.cx.y, m.cx.z, 0.0f, m.cy.x, m.cy.y, m.cy.z, 0.0f, m.cz.x, m.cz.y, m.cz.z, 0.0f,
                     0.0f, 0.0f, 0.0f, 1.0f}};
}

tdMat4 tdColliderDrive_GetMatrixInBody(const tdActor* actor, int node, int body)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    const tdBoundBody* owner = &actor->physics->bodies[body];
    tdMat4 matrix = tdMat4_identity;
    int above = node, levels = 0;
    for (; above != owner->node && levels < NEAR_LEVELS && nodes->isSheared == NULL; ++levels)
    {
        matrix = tdMulMat4(tdMat4FromTrs(actor->pose.locals[above]), matrix);
        above = nodes->parents[above];
    }
    if (above != owner->node)
    {
        matrix = tdMulMat4(tdInverseAffine(actor->pose.globals[owner->node]), actor->pose.globals[node]);
    }
    return tdMulMat4(MakeLinearMat4(owner->stretch), matrix);
}

static bool IsMeshLike(const tdPhysicsCollider* source)
{
    return source->geometry.kind == TD_SHAPE_HULL || source->geometry.kind == TD_SHAPE_MESH;
}

/// Makes the geometry of a collider under a placement.
/// @return false if it is too small or too large to simulate
static bool MakePlacedGeometry(const tdActor* actor, const tdBoundShape* shape,
                               const tdShapePlacement* placement, tdShapeGeometry* geometry)
{
    const tdActorPhysics* physics = actor->physics;
    const tdPhysicsCollider* source = &physics->scene->colliders[shape->index];
    if (IsMeshLike(source))
    {
        // The cooked vertices have the scale at load.
        *geometry = source->geometry;
        geometry->local = placement->pose;
        geometry->matrix = tdMulMat3(placement->stretch, tdInverse(source->placement.stretch));
        geometry->hasMatrix = !AreStretchesEqual(placement->stretch, source->placement.stretch);
        return true;
    }
    const tdShapeParameters* parameters = physics->parameters != NULL
                                              ? &physics->parameters[source->shape]
                                              : &physics->scene->shapes[source->shape].parameters;
    if (!tdMakeShapeGeometry(parameters, geometry))
    {
        return false;
    }
    tdPlaceShape(placement, geometry);
    tdAabb box = tdShape_ComputeAabb(geometry, tdTransform_identity);
    return tdHasExtent(geometry) && (geometry->kind == TD_SHAPE_PLANE ||
                                     tdLength(tdSub(box.upper, box.lower)) <= 2.0f * TD_MAX_COORDINATE);
}

/// Gives a mesh its scale. It becomes a copy of its own at the first change.
/// @return false when memory ran out
static bool ScaleMesh(tdActor* actor, tdBoundShape* shape, tdShapeGeometry* geometry)
{
    const tdTriangles* source = actor->physics->scene->colliders[shape->index].geometry.mesh;
    if (!tdColliderDrive_CopyMesh(actor, shape->index))
    {
        return false;
    }
    tdScaleTriangles(shape->scaledMesh, source, geometry->hasMatrix ? geometry->matrix : tdMat3_identity);
    geometry->mesh = shape->scaledMesh;
    geometry->hasMatrix = false;
    geometry->matrix = tdMat3_identity;
    return true;
}

bool tdColliderDrive_CopyMesh(tdActor* actor, int collider)
{
    tdBoundShape* shape = &actor->physics->shapes[collider];
    const tdPhysicsCollider* source = &actor->physics->scene->colliders[collider];
    if (shape->scaledMesh == NULL && source->geometry.kind == TD_SHAPE_MESH)
    {
        shape->scaledMesh = tdCopyTriangles(source->geometry.mesh, &actor->stage->allocator);
    }
    return shape->scaledMesh != NULL;
}

void tdColliderDrive_RestoreMesh(tdActor* actor, int collider)
{
    tdBoundShape* shape = &actor->physics->shapes[collider];
    const tdPhysicsCollider* source = &actor->physics->scene->colliders[collider];
    if (shape->scaledMesh != NULL)
    {
        bool isScaled = !AreStretchesEqual(shape->stretch, source->placement.stretch);
        tdMat3 matrix = tdMulMat3(shape->stretch, tdInverse(source->placement.stretch));
        tdScaleTriangles(shape->scaledMesh, source->geometry.mesh, isScaled ? matrix : tdMat3_identity);
    }
}

/// Hides a collider whose scale is 0 on an axis, or shows it again.
static void SetHidden(tdActor* actor, tdBoundShape* shape, bool isHidden)
{
    if (isHidden == shape->isHidden)
    {
        return;
    }
    shape->isHidden = isHidden;
    tdShape_SetEnabled(actor->stage->world, shape->id, !isHidden);
    if (shape->body >= 0)
    {
        actor->physics->bodies[shape->body].isMassStale = true;
    }
}

/// Places a collider by the matrix of its node.
/// @param local receives the pose of the shape; its size is already in effect
/// @return false if the collider stays as it is
static bool FitCollider(tdActor* actor, tdBoundShape* shape, tdMat4 matrix, tdTransform* local)
{
    const tdPhysicsCollider* source = &actor->physics->scene->colliders[shape->index];
    tdShapePlacement placement;
    tdShapeGeometry geometry;
    int zeroAxes;
    bool isRegular = tdComputePlacement(matrix, actor->pose.locals[shape->node].scale, !IsMeshLike(source),
                                        &placement, &zeroAxes);
    SetHidden(actor, shape, !isRegular);
    if (!isRegular)
    {
        return false;
    }
    bool isSameSize = AreStretchesEqual(placement.stretch, shape->stretch);
    placement.stretch = isSameSize ? shape->stretch : placement.stretch;
    if (!MakePlacedGeometry(actor, shape, &placement, &geometry))
    {
        return false;
    }
    *local = geometry.local;
    local->rotation = tdNormalizeQuat(local->rotation);
    if (isSameSize || (geometry.kind == TD_SHAPE_MESH && !ScaleMesh(actor, shape, &geometry)))
    {
        return true;
    }
    geometry.local = shape->body >= 0 ? *local : tdTransform_identity;
    if (tdShape_SetGeometry(actor->stage->world, shape->id, &geometry))
    {
        shape->stretch = placement.stretch;
        if (shape->body >= 0 && !source->isTrigger)
        {
            actor->physics->bodies[shape->body].isMassStale = true;
        }
    }
    return true;
}

/// Direction against gravity; zero without gravity.
static tdVec3 GetUp(const tdActor* actor)
{
    tdVec3 gravity = tdWorld_GetGravity(actor->stage->world);
    return tdLengthSquared(gravity) > 0.0f ? tdNegate(tdNormalize(gravity)) : tdVec3_zero;
}

/// Height of the top of a shape.
static float GetTop(const tdActor* actor, tdShapeId shape, tdVec3 up)
{
    const tdWorld* world = actor->stage->world;
    tdShapeGeometry geometry = tdShape_GetGeometry(world, shape);
    tdTransform pose = tdBody_GetTransform(world, tdShape_GetBody(world, shape));
    tdTransform upright = {tdVec3_zero, tdQuatFromTo(up, (tdVec3){0.0f, 1.0f, 0.0f})};
    return tdShape_ComputeAabb(&geometry, tdMulTransform(upright, pose)).upper.y;
}

/// Lowers a kinematic body whose top rose when a collider changed its size, so that the top is where it was.
/// The body carries it to its new place in the step: its velocity is then that of the surface on which others
/// rest.
static void LowerTop(tdActor* actor, tdBodyId body, float rise, tdVec3 up, tdTransform target)
{
    tdWorld* world = actor->stage->world;
    tdTransform pose = tdBody_GetTransform(world, body);
    if (isfinite(rise) && rise != 0.0f)
    {
        pose.position = tdMulAdd(pose.position, -rise, up);
        tdBody_SetTransform(world, body, pose);
    }
    tdBody_SetTarget(world, body, target);
}

/// Moves a static collider whose node moved. Its body becomes kinematic, so that it pushes other bodies.
static void DriveStatic(tdActor* actor, tdBoundShape* shape, bool isStart, bool hasWrapped)
{
    const tdMat4* global = &actor->pose.globals[shape->node];
    bool moved = memcmp(&shape->lastGlobal, global, sizeof(tdMat4)) != 0;
    if (!moved && (isStart || !shape->movedLastStep))
    {
        return;
    }
    tdWorld* world = actor->stage->world;
    if (!shape->isStaticMoving)
    {
        shape->isStaticMoving = tdBody_SetMotion(world, shape->staticBody, TD_MOTION_KINEMATIC);
    }
    shape->lastGlobal = *global;
    tdVec3 up = GetUp(actor);
    tdMat3 stretch = shape->stretch;
    float top = GetTop(actor, shape->id, up);
    tdTransform target;
    if (!FitCollider(actor, shape, *global, &target))
    {
        return;
    }
    if (isStart)
    {
        tdBody_SetTransform(world, shape->staticBody, target);
        shape->lastTravel = 0.0f;
        return;
    }
    float travel = tdComputePoseTravel(tdBody_GetTransform(world, shape->staticBody), target);
    bool isTeleport = hasWrapped && tdIsTeleport(travel, shape->lastTravel);
    if (isTeleport)
    {
        tdBody_SetTransform(world, shape->staticBody, target);
        travel = shape->lastTravel;
    }
    bool isResized = memcmp(&stretch, &shape->stretch, sizeof(stretch)) != 0;
    float rise = isResized && !isTeleport ? GetTop(actor, shape->id, up) - top : 0.0f;
    LowerTop(actor, shape->staticBody, rise, up, target);
    shape->lastTravel = travel;
    shape->movedLastStep = moved;
}

/// Marks the moving ancestors that moved since the last call.
static void FindMovedAncestors(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->movingAncestorCount; ++i)
    {
        tdMovingAncestor* ancestor = &physics->movingAncestors[i];
        const tdTrs* local = &actor->pose.locals[ancestor->node];
        bool hasChanged = memcmp(local, &ancestor->local, sizeof(tdTrs)) != 0;
        ancestor->local = *local;
        ancestor->hasMoved =
            hasChanged || (ancestor->parent >= 0 && physics->movingAncestors[ancestor->parent].hasMoved);
    }
}

/// Updates the scale at the nodes of the bodies.
static void FindStretchedBodies(tdActor* actor, bool checksStretches)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        tdBoundBody* body = &physics->bodies[i];
        body->isStretched = false;
        if (checksStretches)
        {
            tdMat3 stretch = tdComputePolar(tdMat4Linear(actor->pose.globals[body->node])).stretch;
            bool mayChange = body->isScaledFromAbove || physics->stretchChecks == 1;
            if (mayChange && !AreStretchesEqual(stretch, body->stretch))
            {
                body->stretch = stretch;
                body->isStretched = true;
                body->isMassStale = true; // a given centre of mass is a point in node space
            }
        }
    }
}

/// True if one of the moving ancestors of a collider moved or the scale at its body changed.
static bool IsChanging(const tdActorPhysics* physics, const tdBoundShape* shape, bool checksAncestors)
{
    return physics->bodies[shape->body].isStretched ||
           (checksAncestors && shape->movingAncestor >= 0 &&
            physics->movingAncestors[shape->movingAncestor].hasMoved);
}

/// Moves a collider that changes within its body.
static void DriveCollider(tdActor* actor, tdBoundShape* shape, bool checksAncestors)
{
    tdTransform local;
    if (IsChanging(actor->physics, shape, checksAncestors) &&
        FitCollider(actor, shape, tdColliderDrive_GetMatrixInBody(actor, shape->node, shape->body), &local))
    {
        tdShape_SetLocal(actor->stage->world, shape->id, local);
    }
}

/// Normal of the surface that carries a dynamic body, towards the body; zero: none.
static tdVec3 FindRestNormal(const tdWorld* world, tdBodyId body, tdVec3 up)
{
    tdContactData contacts[MAX_SUPPORTS];
    int count = tdMinInt(tdBody_GetContacts(world, body, contacts, MAX_SUPPORTS), MAX_SUPPORTS);
    tdVec3 support = tdVec3_zero;
    float most = 0.0f;
    for (int i = 0; i < count; ++i)
    {
        tdBodyId bodyA = tdShape_GetBody(world, contacts[i].shapeA);
        bool isA = bodyA.index1 == body.index1;
        tdVec3 normal = isA ? tdNegate(contacts[i].normal) : contacts[i].normal;
        if (contacts[i].impulse > most && tdDot(normal, up) > MIN_SUPPORT_COSINE)
        {
            most = contacts[i].impulse;
            support = normal;
        }
    }
    return support;
}

/// Finds the supports of the dynamic bodies whose colliders change.
static void FindSupports(tdActor* actor, tdVec3 up, bool checksAncestors)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        physics->bodies[i].support = tdVec3_zero;
    }
    for (int i = 0; i < physics->scene->colliderCount; ++i)
    {
        const tdBoundShape* shape = &physics->shapes[i];
        tdBoundBody* body = shape->body >= 0 ? &physics->bodies[shape->body] : NULL;
        if (body != NULL && !body->wasDriven && tdLengthSquared(body->support) == 0.0f &&
            IsChanging(physics, shape, checksAncestors))
        {
            body->support = FindRestNormal(actor->stage->world, body->id, up);
        }
    }
}

/// Finds the tops of the driven bodies, and the bottoms of the dynamic ones that rest on a surface.
/// @param moment 0: before the colliders change, 1: after
static void FindTops(tdActor* actor, tdVec3 up, int moment)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        physics->bodies[i].tops[moment] = -INFINITY;
    }
    for (int i = 0; i < physics->scene->colliderCount; ++i)
    {
        const tdBoundShape* shape = &physics->shapes[i];
        tdBoundBody* body = shape->body >= 0 ? &physics->bodies[shape->body] : NULL;
        if (body != NULL && !physics->scene->colliders[i].isTrigger &&
            (body->wasDriven || tdLengthSquared(body->support) > 0.0f))
        {
            tdVec3 direction = body->wasDriven ? up : tdNegate(body->support);
            body->tops[moment] = tdMaxFloat(body->tops[moment], GetTop(actor, shape->id, direction));
        }
    }
}

/// Lifts a dynamic body that grew into the surface it rests on. Contacts would push it out at a limited
/// speed.
static void LiftBottom(tdActor* actor, const tdBoundBody* body)
{
    float depth = body->tops[1] - body->tops[0];
    if (isfinite(depth) && depth > 0.0f)
    {
        tdTransform pose = tdBody_GetTransform(actor->stage->world, body->id);
        pose.position = tdMulAdd(pose.position, depth, body->support);
        tdBody_SetTransform(actor->stage->world, body->id, pose);
    }
}

/// Gives driven bodies whose colliders changed their size the velocity of their tops, for one step, and lifts
/// dynamic ones.
static void CarryTops(tdActor* actor, tdVec3 up)
{
    tdActorPhysics* physics = actor->physics;
    tdWorld* world = actor->stage->world;
    for (int i = 0; i < physics->scene->bodyCount; ++i)
    {
        tdBoundBody* body = &physics->bodies[i];
        bool isCarrying = body->wasDriven && body->isMassStale;
        if (isCarrying || (body->wasDriven && body->isCarryingTop))
        {
            tdTransform target = body->current;
            tdBody_GetTarget(world, body->id, &target);
            LowerTop(actor, body->id, isCarrying ? body->tops[1] - body->tops[0] : 0.0f, up, target);
        }
        else if (!body->wasDriven && body->isMassStale)
        {
            LiftBottom(actor, body);
        }
        body->isCarryingTop = isCarrying;
    }
}

void tdColliderDrive_Apply(tdActor* actor, bool isStart, bool hasWrapped)
{
    tdActorPhysics* physics = actor->physics;
    bool checksAncestors = physics->movingAncestorChecks > 0;
    bool checksStretches = physics->stretchChecks > 0;
    if (checksAncestors)
    {
        FindMovedAncestors(actor);
    }
    FindStretchedBodies(actor, checksStretches);
    tdVec3 up = GetUp(actor);
    bool checksSizes = checksAncestors || checksStretches;
    if (checksSizes && !isStart)
    {
        FindSupports(actor, up, checksAncestors);
        FindTops(actor, up, 0);
    }
    for (int i = 0; i < physics->scene->colliderCount; ++i)
    {
        tdBoundShape* shape = &physics->shapes[i];
        if (shape->body < 0)
        {
            DriveStatic(actor, shape, isStart, hasWrapped);
        }
        else if (checksSizes)
        {
            DriveCollider(actor, shape, checksAncestors);
        }
    }
    if (checksSizes && !isStart)
    {
        FindTops(actor, up, 1);
        CarryTops(actor, up);
    }
    for (int i = 0; checksSizes && i < physics->scene->bodyCount; ++i)
    {
        if (physics->bodies[i].isMassStale)
        {
            physics->bodies[i].isMassStale = false;
            tdPhysicsProperties_UpdateMass(actor, &physics->bodies[i]);
        }
    }
}
