// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Choice of the joints that are solved directly (docs/decisions/072-joint-trees.md). Bodies connected by
// joints form a component: a spanning tree, joints to the fixed world, and joints that close loops. One
// iteration per sub-step converges too slowly for components whose joints carry much more than the mass of
// their bodies; these are solved directly, unless they have too many loop rows. All other joints use the
// eight-wide kernels.
#include "physics/joint/joint_forest.h"

#include "physics/data/joint_data.h"
#include "physics/data/scratch.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_solve.h"
#include "physics/joint/joint_step.h"
#include "physics/joint/joint_tree.h"

#include <string.h>

/// Load of a joint, relative to the lighter of its bodies, above which its component is solved directly.
/// Under gravity the soft rows of the iteration yield by about 0.14 mm times this ratio.
#define MAX_LOAD_RATIO 4.0

/// Largest component that is solved directly because it has loose joints, which let their frames separate.
/// Where the arm between the frames is long and rotates fast, the impulse of one sub-step is a bad warm start
/// for the next.
#define MAX_LOOSE_BODIES 64

/// Error in metres and radians above which the frames of a joint are separated, and the share of it below
/// which they are assembled again. Components with separated joints are solved directly too: only the direct
/// solver removes the velocity that a long correction leaves (docs/decisions/074-joint-assembly.md).
#define SEPARATED_DISTANCE 0.01f
#define SEPARATED_ANGLE 0.02f
#define ASSEMBLED_SHARE 0.1f

#define MARK_NEW (-1)
/// tdJoint.tree during the rebuild: the joint was in a tree.
#define TREE_LEFT (-2)

static bool IsDynamicJointBody(const tdWorld* world, int body)
{
    return body >= 0 && world->bodies.data[body].motion == TD_MOTION_DYNAMIC;
}

static int GetOtherBody(const tdJoint* joint, int side)
{
    return side == 0 ? joint->bodyB : joint->bodyA;
}

static int GetRowCapacity(const tdJoint* joint)
{
    return 3 * joint->limitCount + joint->driveCount;
}

static int GetFactorSize(int rows)
{
    return rows * (rows + 1) / 2;
}

void tdJointForest_Free(tdWorld* world, tdJointForest* forest)
{
    const tdAllocator* allocator = &world->allocator;
    tdRelease(allocator, forest->trees, (size_t)forest->treeCapacity * sizeof(tdJointTree));
    tdRelease(allocator, forest->bodies, (size_t)forest->bodyCapacity * sizeof(tdJointTreeBody));
    tdRelease(allocator, forest->edges, (size_t)forest->edgeCapacity * sizeof(tdJointTreeEdge));
    tdRelease(allocator, forest->rows, (size_t)forest->rowCapacity * sizeof(tdJointTreeRow));
    tdRelease(allocator, forest->factors, (size_t)forest->factorCapacity * sizeof(double));
    tdRelease(allocator, forest->active, (size_t)forest->activeCapacity * sizeof(int));
    tdRelease(allocator, forest->marks, (size_t)forest->markCapacity * sizeof(int));
    *forest = (tdJointForest){0};
}

/// A component during the search: its bodies in breadth-first order.
typedef struct JointComponent
{
    int* queue; // body indices
    int* up;    // joint to the parent body, -1 for the first
    double* mass;
    double* below; // mass of the subtree
    int* grounds;  // joints to the fixed world in the subtree
    int count, edgeCount, innerCount, rowCount, factorCount;
    int loopRowCount; // rows of joints that close loops
    bool hasLoose;    // a joint is loose or separated
    bool isTooWide;   // a joint has more rows than TD_MAX_EDGE_ROWS
} JointComponent;

/// Collects all bodies connected to `first`.
/// @param marks per body: its index in the queue
static void GatherComponent(const tdWorld* world, const tdJointSet* set, int* marks, int first,
                            JointComponent* component)
{
    component->queue[0] = first;
    component->up[0] = -1;
    component->count = 1;
    component->edgeCount = component->innerCount = component->rowCount = 0;
    component->factorCount = component->loopRowCount = 0;
    component->isTooWide = component->hasLoose = false;
    marks[first] = 0;
    for (int at = 0; at < component->count; ++at)
    {
        int body = component->queue[at];
        component->grounds[at] = 0;
        for (int key = world->bodies.data[body].jointHead; key >= 0;
             key = set->joints.data[key >> 1].next[key & 1])
        {
            const tdJoint* joint = set->joints.data + (key >> 1);
            int other = GetOtherBody(joint, key & 1);
            bool isInner = IsDynamicJointBody(world, other);
            if (!tdJoint_CanAct(joint) || (isInner && (key & 1) == 1))
            {
                if (tdJoint_CanAct(joint) && marks[other] == MARK_NEW)
                {
                    marks[other] = component->count;
                    component->up[component->count] = key >> 1;
                    component->queue[component->count++] = other;
                }
                continue; // side 0 counts the joint
            }
            component->edgeCount += 1;
            int rows = GetRowCapacity(joint);
            component->rowCount += rows;
            component->factorCount += GetFactorSize(rows);
            component->isTooWide |= rows > TD_MAX_EDGE_ROWS;
            component->hasLoose |= joint->isLoose || joint->isSeparated;
            component->loopRowCount += isInner ? rows : 0;
            component->innerCount += isInner ? 1 : 0;
            component->grounds[at] += isInner ? 0 : 1;
            if (isInner && marks[other] == MARK_NEW)
            {
                marks[other] = component->count;
                component->up[component->count] = key >> 1;
                component->queue[component->count++] = other;
            }
        }
    }
}

/// Rows of the joints outside the spanning tree.
static int CountLoopRows(const tdJointSet* set, const JointComponent* component)
{
    int rows = component->loopRowCount;
    for (int i = 1; i < component->count; ++i)
    {
        rows -= GetRowCapacity(set->joints.data + component->up[i]);
    }
    return rows;
}

/// Largest ratio of the mass that a joint carries to the lighter of its bodies. A joint between the fixed
/// world and a part without other joints to the world carries the part; a joint between two parts carries the
/// lighter one.
static double ComputeLoadRatio(const tdWorld* world, const tdJointSet* set, const int* marks,
                               JointComponent* component)
{
    double total = 0.0;
    int grounds = 0;
    for (int i = 0; i < component->count; ++i)
    {
        float inverse = tdWorld_GetBodySim(world, component->queue[i])->invMass;
        component->mass[i] = inverse > 0.0f ? 1.0 / (double)inverse : 0.0;
        component->below[i] = component->mass[i];
        total += component->mass[i];
        grounds += component->grounds[i];
    }
    double ratio = 0.0;
    for (int i = 0; i < component->count; ++i)
    {
        if (component->grounds[i] > 0 && component->mass[i] > 0.0)
        {
            double carried = total / grounds / component->mass[i];
            ratio = carried > ratio ? carried : ratio;
        }
    }
    for (int i = component->count - 1; i > 0; --i)
    {
        double own = component->mass[i];
        const tdJoint* joint = set->joints.data + component->up[i];
        int body = component->queue[i], parent = marks[joint->bodyA == body ? joint->bodyB : joint->bodyA];
        double below = component->below[i], above = total - below;
        bool holdsBelow = component->grounds[i] > 0, holdsAbove = grounds > component->grounds[i];
        double carried = below < above ? below : above;
        carried = holdsBelow && !holdsAbove ? above : carried;
        carried = holdsAbove && !holdsBelow ? below : carried;
        double lighter = own > 0.0 ? own : component->mass[parent];
        lighter = component->mass[parent] > 0.0 && component->mass[parent] < lighter ? component->mass[parent]
                                                                                     : lighter;
        if (lighter > 0.0 && carried / lighter > ratio)
        {
            ratio = carried / lighter;
        }
        component->below[parent] += below;
        component->grounds[parent] += component->grounds[i]; // of the whole subtree from here on
    }
    return ratio;
}

static void AddTreeEdge(tdJointForest* forest, tdJointSet* set, int index, int child, int parent,
                        bool isChildA)
{
    tdJoint* joint = set->joints.data + index;
    joint->tree = forest->treeCount;
    tdJointTreeEdge* edge = forest->edges + forest->edgeCount++;
    *edge = (tdJointTreeEdge){.joint = index,
                              .child = child,
                              .parent = parent,
                              .isChildA = isChildA,
                              .firstRow = forest->rowCount,
                              .rowCapacity = GetRowCapacity(joint),
                              .firstFactor = forest->factorCount};
    forest->rowCount += edge->rowCapacity;
    forest->factorCount += GetFactorSize(edge->rowCapacity);
}

/// Adds the edges in the order of elimination: joints to the fixed world, the spanning tree from the last
/// body to the first, then the joints that close loops.
static void AddTree(tdWorld* world, tdJointForest* forest, tdJointSet* set, const int* marks,
                    const JointComponent* component)
{
    tdJointTree* tree = forest->trees + forest->treeCount;
    tree->firstBody = forest->bodyCount;
    tree->bodyCount = component->count;
    tree->firstEdge = forest->edgeCount;
    for (int i = 0; i < component->count; ++i)
    {
        int body = component->queue[i];
        forest->bodies[forest->bodyCount++] = (tdJointTreeBody){.body = body};
        for (int key = world->bodies.data[body].jointHead; key >= 0;
             key = set->joints.data[key >> 1].next[key & 1])
        {
            const tdJoint* joint = set->joints.data + (key >> 1);
            if (tdJoint_CanAct(joint) && !IsDynamicJointBody(world, GetOtherBody(joint, key & 1)))
            {
                AddTreeEdge(forest, set, key >> 1, -1, i, (key & 1) == 1);
            }
        }
    }
    for (int i = component->count - 1; i > 0; --i)
    {
        const tdJoint* joint = set->joints.data + component->up[i];
        bool isChildA = joint->bodyA == component->queue[i];
        AddTreeEdge(forest, set, component->up[i], i, marks[isChildA ? joint->bodyB : joint->bodyA],
                    isChildA);
    }
    tree->edgeCount = forest->edgeCount - tree->firstEdge;
    for (int i = 0; i < component->count; ++i)
    {
        int body = component->queue[i];
        for (int key = world->bodies.data[body].jointHead; key >= 0;
             key = set->joints.data[key >> 1].next[key & 1])
        {
            // Joints of the spanning tree already have the index of the tree.
            const tdJoint* joint = set->joints.data + (key >> 1);
            int other = GetOtherBody(joint, key & 1);
            if (tdJoint_CanAct(joint) && IsDynamicJointBody(world, other) && joint->tree != forest->treeCount)
            {
                AddTreeEdge(forest, set, key >> 1, marks[other], i, (key & 1) == 1);
            }
        }
    }
    tree->loopCount = forest->edgeCount - tree->firstEdge - tree->edgeCount;
    forest->treeCount += 1;
}

/// Visits all components and adds their trees.
/// @param isReal false: only counts the memory that the trees need
static void VisitComponents(tdWorld* world, tdJointForest* forest, tdJointSet* set, JointComponent* component,
                            bool isReal)
{
    int* marks = forest->marks;
    forest->treeCount = forest->bodyCount = forest->edgeCount = forest->rowCount = forest->factorCount = 0;
    for (int i = 0; i < world->bodies.count; ++i)
    {
        marks[i] = MARK_NEW;
    }
    for (int i = 0; i < set->joints.count; ++i)
    {
        tdJoint* joint = set->joints.data + i;
        if (!tdJoint_CanAct(joint))
        {
            joint->tree = -1;
            continue;
        }
        for (int side = 0; side < 2; ++side)
        {
            int body = side == 0 ? joint->bodyA : joint->bodyB;
            if (!IsDynamicJointBody(world, body) || marks[body] != MARK_NEW)
            {
                continue;
            }
            GatherComponent(world, set, marks, body, component);
            int loopRows = CountLoopRows(set, component);
            bool isLoose = component->hasLoose && component->count <= MAX_LOOSE_BODIES;
            if (component->isTooWide || loopRows > TD_MAX_LOOP_ROWS ||
                (!isLoose && ComputeLoadRatio(world, set, marks, component) <= MAX_LOAD_RATIO))
            {
                continue;
            }
            if (isReal)
            {
                AddTree(world, forest, set, marks, component);
                continue;
            }
            forest->treeCount += 1;
            forest->bodyCount += component->count;
            forest->edgeCount += component->edgeCount;
            forest->rowCount += component->rowCount;
            forest->factorCount += component->factorCount;
        }
    }
}

/// Clears the impulses of a joint that leaves its tree. The direct solver computes them from scratch in every
/// pass, and they may balance each other. As a warm start of the iteration, without the joint or mass that
/// balanced them, they would be an impact.
static void ClearImpulses(tdJoint* joint)
{
    joint->tree = -1;
    joint->work = 0.0;
    for (int i = 0; i < joint->blockCount; ++i)
    {
        memset(joint->blocks[i].impulse, 0, sizeof(joint->blocks[i].impulse));
        memset(joint->blocks[i].last, 0, sizeof(joint->blocks[i].last));
    }
}

/// Finds the separated ones among the joints that were created, changed or teleported.
static void FindSeparatedJoints(tdWorld* world, tdJointSet* set)
{
    for (int i = 0; set->hasMoved && i < set->joints.count; ++i)
    {
        tdJoint* joint = set->joints.data + i;
        if (joint->isLive && joint->isMoved)
        {
            bool isSeparated = tdJoint_IsSeparated(world, joint, SEPARATED_DISTANCE, SEPARATED_ANGLE);
            set->forest.isStale |= isSeparated && !joint->isSeparated;
            joint->isSeparated |= isSeparated;
        }
        joint->isMoved = false;
    }
    set->hasMoved = false;
}

void tdJointForest_Rejoin(tdWorld* world, tdJoint* joint)
{
    if (!tdJoint_IsSeparated(world, joint, ASSEMBLED_SHARE * SEPARATED_DISTANCE,
                             ASSEMBLED_SHARE * SEPARATED_ANGLE))
    {
        joint->isSeparated = false;
        world->joints->forest.isStale = true;
    }
}

bool tdJointForest_Update(tdWorld* world)
{
    tdJointSet* set = world->joints;
    tdJointForest* forest = &set->forest;
    FindSeparatedJoints(world, set);
    if (!forest->isStale)
    {
        return true;
    }
    // Per body: a mark; queue, up and grounds as int; two masses as double.
    int bodyCount = world->bodies.count, perBody = 1 + 3 + 2 * (int)(sizeof(double) / sizeof(int));
    if (!tdWorld_GrowScratch(world, (void**)&forest->marks, &forest->markCapacity, 0,
                             (bodyCount + 1) * perBody, sizeof(int)))
    {
        return false;
    }
    int* at = forest->marks + bodyCount + bodyCount % 2;
    JointComponent component = {.mass = (double*)(void*)at, .below = (double*)(void*)at + bodyCount};
    component.queue = (int*)(void*)(component.below + bodyCount);
    component.up = component.queue + bodyCount;
    component.grounds = component.up + bodyCount;
    for (int i = 0; i < set->joints.count; ++i)
    {
        tdJoint* joint = set->joints.data + i;
        joint->tree = joint->tree == -1 ? -1 : TREE_LEFT;
    }
    VisitComponents(world, forest, set, &component, false);
    if (!tdWorld_GrowScratch(world, (void**)&forest->trees, &forest->treeCapacity, 0, forest->treeCount,
                             sizeof(tdJointTree)) ||
        !tdWorld_GrowScratch(world, (void**)&forest->active, &forest->activeCapacity, 0, forest->treeCount,
                             sizeof(int)) ||
        !tdWorld_GrowScratch(world, (void**)&forest->bodies, &forest->bodyCapacity, 0, forest->bodyCount,
                             sizeof(tdJointTreeBody)) ||
        !tdWorld_GrowScratch(world, (void**)&forest->edges, &forest->edgeCapacity, 0, forest->edgeCount,
                             sizeof(tdJointTreeEdge)) ||
        !tdWorld_GrowScratch(world, (void**)&forest->rows, &forest->rowCapacity, 0, forest->rowCount,
                             sizeof(tdJointTreeRow)) ||
        !tdWorld_GrowScratch(world, (void**)&forest->factors, &forest->factorCapacity, 0, forest->factorCount,
                             sizeof(double)))
    {
        forest->treeCount = 0;
        return false;
    }
    VisitComponents(world, forest, set, &component, true);
    for (int i = 0; i < set->joints.count; ++i)
    {
        if (set->joints.data[i].tree == TREE_LEFT)
        {
            ClearImpulses(set->joints.data + i);
        }
    }
    forest->isStale = false;
    return true;
}

void tdJointForest_LayOut(tdWorld* world)
{
    tdJointForest* forest = &world->joints->forest;
    forest->activeCount = 0;
    for (int i = 0; i < forest->treeCount; ++i)
    {
        const tdJointTree* tree = forest->trees + i;
        bool isAwake = false;
        for (int b = 0; b < tree->bodyCount; ++b)
        {
            tdJointTreeBody* body = forest->bodies + tree->firstBody + b;
            body->slot = tdJoint_IsMovable(world, body->body) ? world->bodies.data[body->body].simIndex : 0;
            isAwake |= body->slot > 0;
        }
        if (isAwake)
        {
            forest->active[forest->activeCount++] = i;
        }
    }
}
