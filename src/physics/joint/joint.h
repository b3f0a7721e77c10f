// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints inside the engine. A joint's limits and drives are compiled into blocks: one to three rows each with
// a common meaning. Blocks are compiled when limits change, evaluated (Jacobians and errors from the poses)
// once per sub-step, and solved in the passes of the solver.
#pragma once

#include "base/array.h"
#include "physics/solver/contact_rows.h"

#include "tendon/joint.h"

typedef struct tdWorld tdWorld;
typedef struct tdStateStream tdStateStream;

typedef enum tdBlockKind
{
    TD_BLOCK_POINT,      // 3 rows: the origins coincide (or differ by a fixed offset in frame A)
    TD_BLOCK_LINE,       // 2 rows: two coordinates of p are held
    TD_BLOCK_COORDINATE, // 1 row: p_i
    TD_BLOCK_RADIUS,     // 1 row: distance to the line of axis k
    TD_BLOCK_DISTANCE,   // 1 row: |p|
    TD_BLOCK_ROTATION,   // 3 rows: rotation vector of q is held
    TD_BLOCK_SWING,      // 2 rows: two components of the rotation vector of q are held (a hinge)
    TD_BLOCK_AXIS,       // 2 rows: axis k of both frames coincide
    TD_BLOCK_TWIST,      // 1 row: signed twist about axis i
    TD_BLOCK_CONE,       // 1 row: angle between the axes k
    TD_BLOCK_ANGLE,      // 1 row: whole angle of q
} tdBlockKind;

/// Which path a joint takes through the solver.
typedef enum tdJointSignature
{
    TD_SIGNATURE_BALL,    // a point lock: eight at a time
    TD_SIGNATURE_LIMITED, // a point lock with cone and twist limits about one axis: eight at a time
    TD_SIGNATURE_HINGE,   // a point lock and an axis, perhaps with stops: eight at a time
    TD_SIGNATURE_FIXED,   // a point lock and a rotation: eight at a time
    TD_SIGNATURE_GENERIC, // anything: one at a time
    TD_SIGNATURE_COUNT,
} tdJointSignature;

typedef enum tdBlockLaw
{
    TD_LAW_LOCK,   // hard equality, solved as one block
    TD_LAW_RANGE,  // hard bounds, one row
    TD_LAW_SPRING, // soft limit: a spring outside the range
    TD_LAW_DRIVE,
} tdBlockLaw;

/// One scalar constraint: Cdot = n.(vB - vA) + aB.wB - aA.wA.
typedef struct tdJointRow
{
    tdVec3 n, aA, aB;
    tdVec3 iA, iB; // I^-1 aA, I^-1 aB
    float error;   // value less its target (locks), or the value itself
    float k;       // J M^-1 J^T
    // Rows that are no locks: what the joint's locks do when this row acts, and what is left of k then.
    float couple[6];
    float effective;
} tdJointRow;

typedef struct tdJointBlock
{
    uint8_t kind, law;
    uint8_t rowCount;
    int8_t axis;       // i of one-axis metrics, k of two-axis ones; free axis of LINE, SWING and AXIS
    int16_t limits[3]; // limit behind each row (same one for all rows of a norm lock); -1
    int16_t drive;     // or -1
    float min, max;    // RANGE, SPRING: open ends infinite
    tdVec3 target;     // LOCK: what the rows are held at
    float stiffness, damping;
    bool isAcceleration;
    bool isCoupled;                                 // LOCK: solved together with the joint's other locks
    float positionTarget, velocityTarget, maxForce; // DRIVE

    // State: warm start and turn count.
    float impulse[3]; // LOCK, SPRING: one per row; RANGE: [0] lower bound, [1] upper bound
    float last[2];    // RANGE: what the bounds gave in the last sub-step
    float lastTwist;  // DRIVE of a twist: wrapped, at the last evaluation
    int turns;

    // Of the current sub-step.
    tdJointRow rows[3];
    float inverse[6];  // LOCK: inverse of K: xx yy zz xy xz yz
    tdVec3 linearSum;  // reaction summed over the step: force part, world
    tdVec3 angularSum; // torque part
} tdJointBlock;

typedef struct tdJoint
{
    uint32_t generation;
    bool isLive, isBroken, enableCollision, isExcluded;
    bool isLoose;               // it has rigid rows, and none that hold a point of both bodies together
    bool isMoved;               // made, changed or put elsewhere since it was last looked whether it is apart
    bool isApart;               // some rigid row is far off: its frames are being drawn together
    int bodyA, bodyB;           // indices, -1: the fixed world
    int next[2], previous[2];   // joint keys (joint * 2 + side) in the bodies' lists
    tdTransform frameA, frameB; // relative to the origins
    float breakForce, breakTorque;
    uint64_t userData;
    uint8_t color;     // of the current step
    uint8_t signature; // tdJointSignature
    int tree;          // of the forest that is solved directly, -1: none
    double work;       // first joint of a tree: the tree's, from step to step
    int nextFree;

    tdJointLimit* limits;
    tdVec3* limitReactions; // N or N m
    int limitCount;
    tdJointDrive* drives;
    tdVec3* driveReactions;
    int driveCount;
    tdJointBlock* blocks; // room for limitCount + driveCount
    int blockCount;
    tdVec3 force, torque;

    // Of the current step.
    int slotA, slotB;     // of the state array
    float lockFactor[21]; // L D L^T of all lock rows together, lower triangle by rows, 1 / D on the diagonal
    int lockRowCount;     // in it
    tdVec3 centerOffset;  // cB - cA at the begin of the step
    tdVec3 armA, armB;    // from the centres to the frames, at the begin of the step
    tdQuat turnA, turnB;  // frames at the begin of the step
    float invMassA, invMassB;
    tdSym3 invInertiaA, invInertiaB;
    bool writesA, writesB;
} tdJoint;

/// Colours of joints that take no part in the step, or take part in a tree.
#define TD_COLOR_NONE 255
#define TD_COLOR_TREE 254

/// Rows that can be independent of each other between two bodies.
#define TD_MAX_LOCK_ROWS 6

typedef enum tdJointPass
{
    TD_JOINT_PASS_PREPARE,
    TD_JOINT_PASS_WARM_START,
    TD_JOINT_PASS_SOLVE,
    TD_JOINT_PASS_RELAX,
    TD_JOINT_PASS_STORE,
} tdJointPass;

/// Joints whose bodies form a tree and that are solved at once (joint_tree.c).
typedef struct tdJointTree
{
    int firstBody, bodyCount;
    int firstEdge, edgeCount; // of the tree
    int loopCount;            // edges after those: they close loops
    double work, workBefore;  // of its rigid rows: so far, before the current sub-step
} tdJointTree;

typedef struct tdTreeBody tdTreeBody;
typedef struct tdTreeEdge tdTreeEdge;
typedef struct tdTreeRow tdTreeRow;

typedef struct tdJointForest
{
    tdJointTree* trees;
    tdTreeBody* bodies;
    tdTreeEdge* edges;
    tdTreeRow* rows;
    double* factors;
    int* active; // trees that are awake in the current step
    int* marks;  // by body index, while the forest is made
    int treeCapacity, bodyCapacity, edgeCapacity, rowCapacity, factorCapacity, activeCapacity, markCapacity;
    int treeCount, bodyCount, edgeCount, rowCount, factorCount, activeCount;
    bool isStale; // joints, masses or motions changed since it was made
} tdJointForest;

typedef struct tdJointSet
{
    tdArray(tdJoint) joints;
    int freeJoint;
    int liveCount;
    tdArray(tdJointBreakEvent) breakEvents;
    bool hasMoved; // some joint is
    // Of the current step: joints to solve, by colour and signature; all but generic ones in groups of eight.
    int* active;
    int activeCapacity, activeCount;
    int genericStart[66], genericEnd[66]; // per colour, in `active`
    tdJointGroup* groups;
    tdBallRow* ballRows;
    tdLimitRow* limitRows;
    tdTurnRow* turnRows;
    int groupCapacity, ballCapacity, limitCapacity, turnCapacity;
    int groupCount, limitCount, turnCount;
    int groupStart[66]; // per colour
    tdJointForest forest;
} tdJointSet;

bool tdJointSet_Create(tdWorld* world);
void tdJointSet_Destroy(tdWorld* world);
bool tdJointSet_Reserve(tdWorld* world);
int tdJointSet_GetCount(const tdWorld* world);
/// Which joints act in this step, in the order of their colours.
void tdJointSet_LayOut(tdWorld* world);
void tdJointSet_AddPass(tdWorld* world, tdJointPass pass);
/// After the last stage: breaking.
void tdJointSet_Finish(tdWorld* world);

/// Arrays for that many limits and drives. False: memory ran out, the joint has no arrays then.
bool tdJoint_AllocateArrays(tdWorld* world, tdJoint* joint, int limitCount, int driveCount);
void tdJoint_FreeArrays(tdWorld* world, tdJoint* joint);
/// Let the two bodies collide again.
void tdJoint_Admit(tdWorld* world, tdJoint* joint);
tdJointId tdJointSet_MakeId(const tdJointSet* set, int index);
/// Not broken, and not between a body and itself, which nothing can move apart.
bool tdJoint_CanAct(const tdJoint* joint);
/// Can the solver move this body in this step? -1 is the fixed world.
bool tdJoint_IsMovable(const tdWorld* world, int body);

/// Find the trees that are to be solved directly, if something changed. False: memory ran out.
bool tdJointForest_Update(tdWorld* world);
/// After a step: a joint that was apart may be together again.
void tdJointForest_Rejoin(tdWorld* world, tdJoint* joint);
void tdJointForest_Free(tdWorld* world, tdJointForest* forest);
/// Which trees are awake.
void tdJointForest_LayOut(tdWorld* world);
/// Passes over active trees (joint_tree.c).
void tdJointForest_Prepare(const tdSolverStep* step, int start, int end);
void tdJointForest_Solve(const tdSolverStep* step, int start, int end);
void tdJointForest_Relax(const tdSolverStep* step, int start, int end);
void tdJointForest_Store(const tdSolverStep* step, int start, int end);

/// Fill the rows of groups of eight / bring their impulses back (joint_groups.c).
void tdJointGroups_Prepare(const tdSolverStep* step, int start, int end);
void tdJointGroups_Store(const tdSolverStep* step, int start, int end);

int tdCountAxes(unsigned axes);
/// The axis of a one-axis set, the missing one of a two-axis set.
int tdGetAxisOfSet(unsigned axes);

/// A limit that says min > max, which nothing can follow, holds its value in the middle.
tdJointLimit tdSettleLimit(const tdJointLimit* limit);
/// Compile limits and drives into blocks. Impulses are kept where a block stays what it was.
void tdJoint_Compile(tdJoint* joint);

/// Frame B in frame A, now.
tdTransform tdJoint_GetRelative(const tdWorld* world, const tdJoint* joint);
/// Look before the next step whether it has come apart.
void tdJointSet_MoveJoint(tdWorld* world, tdJoint* joint);
/// Does some rigid row miss its range by more than that, m and rad?
bool tdJoint_IsApart(const tdWorld* world, const tdJoint* joint, float distance, float angle);

/// Slots, masses and frames of a step.
void tdJoint_PrepareFrames(const tdSolverStep* step, tdJoint* joint);

// Passes over one joint (joint_rows.c).
void tdJoint_Prepare(const tdSolverStep* step, tdJoint* joint);
void tdJoint_WarmStart(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Solve(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Relax(const tdSolverStep* step, tdJoint* joint);
void tdJoint_Store(const tdSolverStep* step, tdJoint* joint);

/// Metrics from two poses of the frames: p = B's origin in A, q = B's rotation in A.
float tdMeasureLimit(const tdJointLimit* limit, tdVec3 p, tdQuat q);
/// Signed twist about an axis, (-pi, pi].
float tdMeasureTwist(tdQuat q, int axis);
