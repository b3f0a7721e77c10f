// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The plan of a step of springs. Joints are sorted into levels (spring_order.h). Joints of one level are
// independent and run eight at a time, in groups of lanes. See docs/decisions/034.
//
// Invariants that tdSpringPlan_Build establishes:
// 1. When a level starts and the globals of its `refreshNodes` were updated in order, the globals of the
//    parents of its joints, of their centers and of the nodes of its colliders are current.
// 2. No node is refreshed twice after the joints above it have turned.
// 3. Where colliders and joints depend on each other in a cycle, a joint reads a collider as it is after the
//    joints of lower rank have turned and before the others have: one instance of the collider for each of
//    these states.
#pragma once

#include "spring_list.h"

#define TD_SPRING_LANES 8
/// Bytes. Lanes that cross a line of the cache are loaded and stored at half the speed.
#define TD_SPRING_ALIGNMENT 64

/// Bound on the nodes that a step refreshes for colliders in cycles, with repetitions. A chain of joints that
/// meet a collider at its end refreshes the rest of the chain for every joint. Colliders beyond the bound are
/// read as of the start of the step.
#define TD_MAX_SPRING_PATHS (1 << 20)

/// Eight floats, one per lane.
typedef float tdSpringLanes[TD_SPRING_LANES];

/// Rows of laneColliders: a plane or an inside shape in some lane; the same collider in all lanes of joints.
#define TD_SPRING_ROW_SPECIAL 1
#define TD_SPRING_ROW_SHARED 2

/// Parameters of the joints of a group.
typedef struct tdSpringLaneParameters
{
    tdSpringLanes hitRadius, stiffness, keep; // keep = 1 - dragForce
    tdSpringLanes gravity[3];                 // gravityPower * gravityDir
} tdSpringLaneParameters;

/// Up to eight joints of one level. Lanes beyond `count` repeat the first one and are not written. Every step
/// reads all of it, so it is small.
///
/// A tip is a child of a joint that is no joint, such as the end of a chain. The kernel computes its global;
/// other nodes below joints are left to the sweep.
///
/// The last group of a level may have fewer than eight joints. Its joints run in packs: the joints of several
/// poses, one pose after the other, fill eight lanes. Lane k of the pack has joint k % count of pose
/// k / count. A pack of eight poses is `count` full vectors, and each vector has its constants in a group of
/// its own (packStart).
typedef struct tdSpringGroup
{
    _Alignas(TD_SPRING_ALIGNMENT) tdSpringLanes rest[4]; // L
    tdSpringLanes restScale;                             // S of the file; NaN if it is uneven or not positive
    tdSpringLanes scale[3];                              // S of the file
    tdSpringLanes translation[3];                        // T of the file
    tdSpringLanes restTail[3];                           // L S child, with S of the file
    tdSpringLanes restAxis[3];                           // L axis
    uint32_t localPlaces[TD_SPRING_LANES];  // of the nodes, in floats from the first local of a pose
    uint32_t globalPlaces[TD_SPRING_LANES]; // of the nodes, in floats from the first global of a pose
    uint32_t parentPlaces[TD_SPRING_LANES]; // of the parents of the nodes, as globalPlaces; 0 where none
    uint32_t tipPlaces[TD_SPRING_LANES];    // of the tips, as globalPlaces; 0 where none
    int count;
    int colliderStart; // in tdSpringPlan.laneColliders, eight ints for each of colliderCount
    int colliderCount; // of the lane with most colliders
    int frames;        // place in tdSpringState.frames
    int parentFrames;  // place of the globals of the parents, lane by lane; -1: no group has them
    int packStart;     // in tdSpringPlan.packs, `count` of them; -1: the group is full
    bool hasCenter;
    bool hasRoot;                        // some node has no parent
    uint8_t limited;                     // bits of lanes with a limit
    uint8_t tips;                        // bits of lanes with a tip
    uint8_t unevenScales;                // bits of lanes whose restScale is NaN
    uint8_t laneJoints[TD_SPRING_LANES]; // in a pack: lane of the joint in the group
    uint8_t laneRuns[TD_SPRING_LANES];   // in a pack: the pose, in the order of the run
} tdSpringGroup;

/// The locals of the tips of a group in the file.
typedef struct tdSpringTips
{
    _Alignas(TD_SPRING_ALIGNMENT) tdSpringLanes translation[3];
    tdSpringLanes columns[9]; // R S: three rows for each of three columns
} tdSpringTips;

/// The lanes of a group, as few steps need them.
typedef struct tdSpringGroupInfo
{
    int joints[TD_SPRING_LANES];
    int nodes[TD_SPRING_LANES];
    int positions[TD_SPRING_LANES]; // of the nodes in tdNodeTree.order
    int parents[TD_SPRING_LANES];   // of the nodes; -1: root
    int centers[TD_SPRING_LANES];   // in tdSpringPlan.centers; 0: the world
    tdSpringLanes axis[3];          // direction of the tail in the frame of the node
    tdSpringLanes child[3];         // position of the tail in the frame of the node
} tdSpringGroupInfo;

typedef struct tdSpringLevel
{
    int groupStart, groupEnd;
    int refreshStart, refreshEnd;   // in refreshNodes
    int centerStart, centerEnd;     // in centers
    int colliderStart, colliderEnd; // in colliders
    bool isPlain;                   // nothing to refresh, no centers, no colliders
} tdSpringLevel;

typedef struct tdSpringPlan
{
    const tdSpringLevel* levels;
    int levelCount;
    tdSpringGroup* groups;
    tdSpringGroupInfo* infos; // by group
    int groupCount;
    int frameCount;                               // groups whose globals are kept at a time
    const tdSpringLaneParameters* parameters;     // by group
    const uint8_t* jointBits;                     // by group: the lanes of joints
    const tdSpringTips* tips;                     // by group
    const tdSpringGroup* packs;                   // vectors of the groups that are not full
    const tdSpringTips* packTips;                 // by vector of packs
    const tdSpringLaneParameters* packParameters; // by vector of packs
    const uint64_t* freshBits;  // the nodes of all groups and their tips, by position in tdNodeTree.order
    const uint64_t* turnedBits; // the nodes of all groups, by position in tdNodeTree.order
    const uint64_t* movedBits;  // the same and all nodes below them
    bool coversMoved;           // freshBits has all of movedBits
    bool readsMovedNodes;       // some center or collider is read before its node has turned
    bool cutsCycles;            // some colliders in cycles exceed TD_MAX_SPRING_PATHS
    const int* slots;           // by joint: group * TD_SPRING_LANES + lane; -1: inert
    const int* refreshNodes;    // ~node: turned by this or a later level, so it is refreshed again
    const int* centers;         // nodes by place; the first is the world (-1)
    int centerCount;
    const int* colliders;     // by place of an instance; the first is a sentinel (-1) that nothing touches
    int colliderCount;        // instances
    const int* laneColliders; // places in `colliders`
    const uint8_t* rowKinds;  // by (place in laneColliders) / lanes: TD_SPRING_ROW_
} tdSpringPlan;

/// Builds the plan in the arena.
/// @return false when memory ran out; list->plan is NULL when no joint moves
bool tdSpringPlan_Build(tdSpringList* list, const tdNodeTree* nodes, tdArena* arena, tdArena* scratch);
/// Writes the parameters of one joint into its lane, and into the lanes that repeat it.
void tdSpringPlan_SetParameters(const tdSpringPlan* plan, int slot, const tdSpringParameters* parameters,
                                tdSpringLaneParameters* groups);
/// Copies the parameters of a lane of a group into a lane of a pack.
void tdSpringPlan_PackParameters(const tdSpringLaneParameters* from, int source, int lane,
                                 tdSpringLaneParameters* pack);
