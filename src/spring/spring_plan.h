// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The order in which springs run. Joints are sorted into levels; a joint comes after every joint above it and
// after every joint that moves one of its colliders. Joints of one level are independent and run eight at a
// time, in groups of lanes. See docs/decisions/034.
//
// Invariants that tdSpringPlan_Build establishes:
// 1. When a level starts and the globals of its `refreshNodes` were updated in order, the globals of the
//    parents of its joints, of their centers and of the nodes of its colliders are current.
// 2. No node is refreshed twice after the joints above it have turned.
// 3. Where colliders and joints depend on each other in a cycle, the colliders are read before any joint
//    turns, as of the end of the step before.
#pragma once

#include "spring_list.h"

#define TD_SPRING_LANES 8

/// Eight floats, one per lane.
typedef float tdSpringLanes[TD_SPRING_LANES];

/// Parameters of the joints of a group.
typedef struct tdSpringLaneParameters
{
    tdSpringLanes hitRadius, stiffness, keep; // keep = 1 - dragForce
    tdSpringLanes gravity[3];                 // gravityPower * gravityDir
} tdSpringLaneParameters;

/// Up to eight joints of one level. Lanes beyond `count` repeat the first one and are not written.
typedef struct tdSpringGroup
{
    int count;
    bool hasCenter;
    uint8_t limited; // bits of lanes with a limit
    int joints[TD_SPRING_LANES];
    int nodes[TD_SPRING_LANES];
    int positions[TD_SPRING_LANES]; // of the nodes in tdNodeTree.order
    int parents[TD_SPRING_LANES];   // of the nodes; -1: root
    int centers[TD_SPRING_LANES];   // in tdSpringPlan.centers; 0: the world
    int colliderStart;              // in tdSpringPlan.laneColliders, eight ints for each of colliderCount
    int colliderCount;              // of the lane with most colliders
    tdSpringLanes rest[4];          // L
    tdSpringLanes axis[3];          // direction of the tail in the frame of the node
    tdSpringLanes child[3];         // position of the tail in the frame of the node
    tdSpringLanes restAxis[3];      // L turns axis
} tdSpringGroup;

typedef struct tdSpringLevel
{
    int groupStart, groupEnd;
    int refreshStart, refreshEnd;   // in refreshNodes
    int centerStart, centerEnd;     // in centers
    int colliderStart, colliderEnd; // in colliders
} tdSpringLevel;

typedef struct tdSpringPlan
{
    const tdSpringLevel* levels;
    int levelCount;
    tdSpringGroup* groups;
    int groupCount;
    const tdSpringLaneParameters* parameters; // by group
    const uint64_t* turnedBits;               // the nodes of all groups, by position in tdNodeTree.order
    const int* slots;                         // by joint: group * TD_SPRING_LANES + lane; -1: inert
    const int* refreshNodes; // ~node: turned by this level itself, so it is refreshed again later
    const int* centers;      // nodes by place; the first is the world (-1)
    int centerCount;
    const int* colliders; // by place; the first is a sentinel (-1) that nothing touches
    int colliderCount;
    const int* laneColliders;    // places in `colliders`
    const uint8_t* specialKinds; // by (place in laneColliders) / lanes: a plane or an inside shape in a lane
} tdSpringPlan;

/// Builds the plan in the arena.
/// @return false when memory ran out; list->plan is NULL when no joint moves
bool tdSpringPlan_Build(tdSpringList* list, const tdNodeTree* nodes, tdArena* arena, tdArena* scratch);
/// Writes the parameters of one joint into its lane, and into the lanes that repeat it.
void tdSpringPlan_SetParameters(const tdSpringPlan* plan, int slot, const tdSpringParameters* parameters,
                                tdSpringLaneParameters* groups);
