// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Descriptions of spring bones (tendon/spring.h).
#include "scene/asset.h"
#include "spring/spring_list.h"

#include "tendon/spring.h"

static const tdSpringList noSprings = {0};

static const tdSpringList* GetSprings(const tdAsset* asset)
{
    const tdSpringList* list = tdAsset_GetScene(asset)->springs;
    return list != NULL ? list : &noSprings;
}

const char* tdSpringShape_GetName(tdSpringShape shape)
{
    static const char* const names[] = {[TD_SPRING_SPHERE] = "sphere",
                                        [TD_SPRING_CAPSULE] = "capsule",
                                        [TD_SPRING_PLANE] = "plane",
                                        [TD_SPRING_INSIDE_SPHERE] = "inside sphere",
                                        [TD_SPRING_INSIDE_CAPSULE] = "inside capsule"};
    return names[shape];
}

const char* tdSpringLimitKind_GetName(tdSpringLimitKind kind)
{
    static const char* const names[] = {[TD_SPRING_LIMIT_NONE] = "",
                                        [TD_SPRING_LIMIT_CONE] = "cone",
                                        [TD_SPRING_LIMIT_HINGE] = "hinge",
                                        [TD_SPRING_LIMIT_SPHERICAL] = "spherical"};
    return names[kind];
}

int tdAsset_GetSpringCount(const tdAsset* asset)
{
    return GetSprings(asset)->springCount;
}

int tdAsset_GetSpringJointCount(const tdAsset* asset)
{
    return GetSprings(asset)->jointCount;
}

int tdAsset_GetSpringColliderCount(const tdAsset* asset)
{
    return GetSprings(asset)->colliderCount;
}

int tdAsset_GetSpringColliderGroupCount(const tdAsset* asset)
{
    return GetSprings(asset)->groupCount;
}

tdSpringInfo tdDescribeSpring(const tdAsset* asset, int spring)
{
    const tdSpringList* list = GetSprings(asset);
    if (!tdIsIndex(spring, list->springCount))
    {
        return (tdSpringInfo){.name = ""};
    }
    const tdSpring* item = &list->springs[spring];
    return (tdSpringInfo){.name = item->name,
                          .firstJoint = item->firstJoint,
                          .jointCount = item->jointCount,
                          .center = item->center,
                          .colliderGroups = item->groups,
                          .colliderGroupCount = item->groupCount};
}

tdSpringJointInfo tdDescribeSpringJoint(const tdAsset* asset, int joint)
{
    const tdSpringList* list = GetSprings(asset);
    if (!tdIsIndex(joint, list->jointCount))
    {
        return (tdSpringJointInfo){0};
    }
    const tdSpringJoint* item = &list->joints[joint];
    return (tdSpringJointInfo){.spring = item->spring,
                               .node = item->node,
                               .tailNode = item->tailNode,
                               .tail = item->child,
                               .isInert = item->isInert,
                               .parameters = item->parameters,
                               .limit = item->limit};
}

tdSpringColliderInfo tdDescribeSpringCollider(const tdAsset* asset, int collider)
{
    const tdSpringList* list = GetSprings(asset);
    if (!tdIsIndex(collider, list->colliderCount))
    {
        return (tdSpringColliderInfo){0};
    }
    const tdSpringCollider* item = &list->colliders[collider];
    bool isPlane = item->shape == TD_SPRING_PLANE;
    return (tdSpringColliderInfo){.node = item->node,
                                  .shape = item->shape,
                                  .offset = item->offset,
                                  .tail = isPlane ? tdVec3_zero : item->end,
                                  .normal = isPlane ? item->end : tdVec3_zero,
                                  .radius = item->radius};
}

tdSpringColliderGroupInfo tdDescribeSpringColliderGroup(const tdAsset* asset, int group)
{
    const tdSpringList* list = GetSprings(asset);
    if (!tdIsIndex(group, list->groupCount))
    {
        return (tdSpringColliderGroupInfo){.name = ""};
    }
    const tdSpringColliderGroup* item = &list->groups[group];
    return (tdSpringColliderGroupInfo){
        .name = item->name, .colliders = item->colliders, .colliderCount = item->colliderCount};
}
