// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The springs of a file: chains of joints, colliders and collider groups. Import builds the list once per
// asset; it is immutable and shared by all actors. See docs/decisions/034.
//
// Invariants that import establishes:
// 1. Joints of a spring are side by side. No node is the node of two joints.
// 2. Indices are in range; numbers are finite and within their ranges; a plane's normal is unit.
// 3. A center is the node of its spring's first joint or an ancestor of it.
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

#include "tendon/spring.h"

/// A joint that turns and its tail: one segment of a chain.
typedef struct tdSpringJoint
{
    int spring;
    int node;
    int tailNode;      // -1: virtual
    tdVec3 child;      // rest position of the tail in the frame of `node`
    bool isInert;      // child is zero
    int colliderCount; // of all groups of the spring; 0 beyond TD_MAX_SPRING_PAIRS
    tdSpringParameters parameters;
    tdSpringLimit limit;
} tdSpringJoint;

typedef struct tdSpring
{
    const char* name;
    int firstJoint, jointCount;
    int firstNode;     // of its first joint, also where nothing turns; -1: none (VRM 1.0)
    int center;        // node; -1: none
    const int* groups; // collider groups
    int groupCount;
} tdSpring;

typedef struct tdSpringCollider
{
    int node;
    tdSpringShape shape;
    tdVec3 offset;
    tdVec3 end; // capsule: the second end; plane: the normal
    float radius;
} tdSpringCollider;

typedef struct tdSpringColliderGroup
{
    const char* name;
    const int* colliders;
    int colliderCount;
} tdSpringColliderGroup;

struct tdSpringList
{
    const tdSpring* springs;
    int springCount;
    tdSpringJoint* joints;
    int jointCount;
    const tdSpringCollider* colliders;
    int colliderCount;
    const tdSpringColliderGroup* groups;
    int groupCount;
    const int* jointOfNode;          // by node: the joint that turns it; -1: none
    const struct tdSpringPlan* plan; // spring_plan.h; NULL: no joint moves
};

/// Bound on the pairs of joint and collider that a step tests. Avatars have a few thousand; a hostile file
/// of a few megabytes could ask for billions. Springs beyond the bound have no colliders.
#define TD_MAX_SPRING_PAIRS (1 << 20)

/// Fills colliderCount of all joints.
/// @return the first spring whose colliders exceed TD_MAX_SPRING_PAIRS; -1: none
int tdSpringList_CountPairs(tdSpringList* list);
/// Whether a shape keeps joints inside.
static inline bool tdSpringShape_IsInside(tdSpringShape shape)
{
    return shape == TD_SPRING_INSIDE_SPHERE || shape == TD_SPRING_INSIDE_CAPSULE;
}
