// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Descriptions of physics (tendon/describe.h), and which collision filters let shapes collide.
#include "geometry/hull.h"
#include "geometry/triangles.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/describe.h"

static const tdPhysicsScene* GetPhysics(const tdAsset* asset)
{
    return tdAsset_GetScene(asset)->physics;
}

static const tdPhysicsScene* GetScenePhysics(const tdAsset* asset, int scene)
{
    return tdScene_GetPhysics(tdAsset_GetScene(asset), scene);
}

static const char* GetDialectName(tdDialect dialect)
{
    static const char* const names[TD_DIALECT_COUNT] = {
        [TD_DIALECT_KHR_2023_08] = "KHR 2023-08",
        [TD_DIALECT_KHR_SEED] = "KHR 2024-03",
        [TD_DIALECT_KHR_2024_06] = "KHR 2024-06",
        [TD_DIALECT_KHR_2024_07] = "KHR 2024-07",
        [TD_DIALECT_KHR_RC] = "KHR release candidate",
        [TD_DIALECT_KHR_2026] = "KHR 2026",
        [TD_DIALECT_MSFT] = "MSFT",
        [TD_DIALECT_MSFT_2022] = "MSFT 2022",
        [TD_DIALECT_OMI_EARLY] = "OMI early",
        [TD_DIALECT_OMI_2023_06] = "OMI 2023-06",
        [TD_DIALECT_OMI_CURRENT] = "OMI current",
    };
    return names[dialect];
}

tdBodyInfo tdDescribeBody(const tdAsset* asset, int body)
{
    return tdDescribeSceneBody(asset, -1, body);
}

tdBodyInfo tdDescribeSceneBody(const tdAsset* asset, int scene, int body)
{
    const tdPhysicsScene* physics = GetScenePhysics(asset, scene);
    if (physics == NULL || !tdIsIndex(body, physics->bodyCount))
    {
        return (tdBodyInfo){.dialect = ""};
    }
    const tdPhysicsBody* source = &physics->bodies[body];
    tdBodyInfo info = {
        .node = source->node,
        .dialect = GetDialectName(source->dialect),
        .motion = source->motion,
        .mass = source->mass,
        .hasMass = source->hasMass,
        .linearVelocity = source->linearVelocity,
        .angularVelocity = source->angularVelocity,
        .gravityFactor = source->gravityFactor,
        .centerOfMass = source->centerOfMass,
        .inertiaDiagonal = source->inertiaDiagonal,
        .inertiaOrientation = source->inertiaOrientation,
        .colliderCount = source->colliderCount,
    };
    return info;
}

static void SetColliderSize(tdColliderInfo* info, float a, float b, float c)
{
    info->size[0] = a;
    info->size[1] = b;
    info->size[2] = c;
}

static void MeasureCollider(const tdShapeGeometry* geometry, tdColliderInfo* info)
{
    switch (geometry->kind)
    {
    case TD_SHAPE_SPHERE:
        SetColliderSize(info, geometry->sphere.radius, 0.0f, 0.0f);
        break;
    case TD_SHAPE_BOX:
        SetColliderSize(info, 2.0f * geometry->box.halfSize.x, 2.0f * geometry->box.halfSize.y,
                        2.0f * geometry->box.halfSize.z);
        break;
    case TD_SHAPE_CAPSULE:
        SetColliderSize(info, 2.0f * geometry->capsule.halfHeight, geometry->capsule.radiusBottom,
                        geometry->capsule.radiusTop);
        break;
    case TD_SHAPE_CYLINDER:
        SetColliderSize(info, 2.0f * geometry->cylinder.halfHeight, geometry->cylinder.radiusBottom,
                        geometry->cylinder.radiusTop);
        break;
    case TD_SHAPE_PLANE:
        SetColliderSize(info, 2.0f * geometry->plane.halfX, 2.0f * geometry->plane.halfZ, 0.0f);
        break;
    case TD_SHAPE_HULL:
        info->elementCount = geometry->hull != NULL ? geometry->hull->vertexCount : 0;
        break;
    case TD_SHAPE_MESH:
        info->elementCount = geometry->mesh->triangleCount;
        break;
    }
}

tdColliderInfo tdDescribeCollider(const tdAsset* asset, int collider)
{
    return tdDescribeSceneCollider(asset, -1, collider);
}

tdColliderInfo tdDescribeSceneCollider(const tdAsset* asset, int scene, int collider)
{
    const tdPhysicsScene* physics = GetScenePhysics(asset, scene);
    if (physics == NULL || !tdIsIndex(collider, physics->colliderCount))
    {
        return (tdColliderInfo){.dialect = ""};
    }
    const tdPhysicsCollider* source = &physics->colliders[collider];
    tdColliderInfo info = {
        .node = source->node,
        .body = source->body,
        .dialect = GetDialectName(source->dialect),
        .shape = source->geometry.kind,
        .isTrigger = source->isTrigger,
        .material = source->material,
        .filter = source->filter,
        .isStretched = source->geometry.hasMatrix,
    };
    MeasureCollider(&source->geometry, &info);
    return info;
}

static const tdPhysicsTrigger* GetTrigger(const tdAsset* asset, int trigger)
{
    const tdPhysicsScene* physics = GetPhysics(asset);
    return physics != NULL && tdIsIndex(trigger, physics->triggerCount) ? &physics->triggers[trigger] : NULL;
}

tdCompoundTriggerInfo tdDescribeCompoundTrigger(const tdAsset* asset, int trigger)
{
    const tdPhysicsTrigger* source = GetTrigger(asset, trigger);
    return source != NULL ? (tdCompoundTriggerInfo){source->node, source->colliderCount, source->parent}
                          : (tdCompoundTriggerInfo){-1, 0, -1};
}

int tdDescribeTriggerPart(const tdAsset* asset, int trigger, int part)
{
    const tdPhysicsTrigger* source = GetTrigger(asset, trigger);
    return source != NULL && tdIsIndex(part, source->colliderCount) ? source->colliders[part] : -1;
}

tdMaterialInfo tdDescribeMaterial(const tdAsset* asset, int material)
{
    const tdPhysicsScene* physics = GetPhysics(asset);
    if (physics == NULL || !tdIsIndex(material, physics->materialCount))
    {
        return (tdMaterialInfo){.dialect = ""};
    }
    const tdPhysicsMaterial* source = &physics->materials[material];
    return (tdMaterialInfo){source->staticFriction,     source->dynamicFriction,
                            source->restitution,        source->frictionCombine,
                            source->restitutionCombine, GetDialectName(source->dialect)};
}

static const tdPhysicsFilter* GetFilter(const tdAsset* asset, int filter)
{
    const tdPhysicsScene* physics = GetPhysics(asset);
    return physics != NULL && tdIsIndex(filter, physics->filterCount) ? &physics->filters[filter] : NULL;
}

tdFilterInfo tdDescribeFilter(const tdAsset* asset, int filter)
{
    const tdPhysicsFilter* source = GetFilter(asset, filter);
    if (source == NULL)
    {
        return (tdFilterInfo){.dialect = ""};
    }
    return (tdFilterInfo){source->systemCount, source->collideWith != NULL ? source->collideWithCount : 0,
                          source->notCollideWith != NULL ? source->notCollideWithCount : 0,
                          GetDialectName(source->dialect)};
}

const char* tdDescribeFilterSystem(const tdAsset* asset, int filter, tdFilterList list, int index)
{
    const tdPhysicsFilter* source = GetFilter(asset, filter);
    tdFilterInfo info = tdDescribeFilter(asset, filter);
    const int* systems = source == NULL                   ? NULL
                         : list == TD_FILTER_SYSTEMS      ? source->systems
                         : list == TD_FILTER_COLLIDE_WITH ? source->collideWith
                                                          : source->notCollideWith;
    int count = list == TD_FILTER_SYSTEMS        ? info.systemCount
                : list == TD_FILTER_COLLIDE_WITH ? info.collideWithCount
                                                 : info.notCollideWithCount;
    return systems != NULL && tdIsIndex(index, count)
               ? tdAsset_GetScene(asset)->physics->systemNames[systems[index]]
               : "";
}

/// Both lists are ascending.
static bool HaveCommonSystem(const int* a, int countA, const int* b, int countB)
{
    for (int i = 0, j = 0; i < countA && j < countB;)
    {
        if (a[i] == b[j])
        {
            return true;
        }
        bool isLower = a[i] < b[j];
        i += isLower ? 1 : 0;
        j += isLower ? 0 : 1;
    }
    return false;
}

// True if B's filter accepts A's systems (KHR_physics_rigid_bodies, "Collision Filtering").
static bool DoesFilterAccept(const tdPhysicsFilter* a, const tdPhysicsFilter* b)
{
    if (b->collideWith != NULL &&
        !HaveCommonSystem(a->systems, a->systemCount, b->collideWith, b->collideWithCount))
    {
        return false;
    }
    return b->notCollideWith == NULL ||
           !HaveCommonSystem(a->systems, a->systemCount, b->notCollideWith, b->notCollideWithCount);
}

bool tdAsset_DoFiltersCollide(const tdAsset* asset, int filterA, int filterB)
{
    const tdPhysicsFilter* a = GetFilter(asset, filterA);
    const tdPhysicsFilter* b = GetFilter(asset, filterB);
    return a == NULL || b == NULL || (DoesFilterAccept(a, b) && DoesFilterAccept(b, a));
}

tdJointInfo tdDescribeJoint(const tdAsset* asset, int joint)
{
    return tdDescribeSceneJoint(asset, -1, joint);
}

tdJointInfo tdDescribeSceneJoint(const tdAsset* asset, int scene, int joint)
{
    const tdPhysicsScene* physics = GetScenePhysics(asset, scene);
    if (physics == NULL || !tdIsIndex(joint, physics->jointCount))
    {
        return (tdJointInfo){.dialect = ""};
    }
    const tdPhysicsJoint* source = &physics->joints[joint];
    const tdPhysicsJointDesc* desc = &physics->jointDescs[source->desc];
    return (tdJointInfo){
        .node = source->node,
        .connectedNode = source->connectedNode,
        .dialect = GetDialectName(source->dialect),
        .bodyA = source->bodyA,
        .bodyB = source->bodyB,
        .enableCollision = source->enableCollision,
        .limits = desc->limits,
        .limitCount = desc->limitCount,
        .drives = desc->drives,
        .driveCount = desc->driveCount,
    };
}
