// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Choice of the joints that are solved directly (docs/decisions/072-joint-trees.md). Bodies connected by
// joints form a component. One iteration per sub-step converges too slowly for components whose joints carry
// much more than the mass of their bodies, and gains energy where joints close loops; these components are
// solved directly, unless their matrix is too large. All other joints use the eight-wide kernels.
#include "physics/joint/joint_forest.h"

#include "base/cpu.h"
#include "physics/data/contact_data.h"
#include "physics/data/joint_data.h"
#include "physics/data/scratch.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_matrix.h"
#include "physics/joint/joint_order.h"
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

/// Products of 6 x 6 blocks in the factorisation of a matrix, beyond those of a tree, above which a component
/// is iterated. 40 bodies that are all joined to each other have 9,880.
#define MAX_BLOCK_PRODUCTS 16384

/// Largest m r^2 / I of a body whose joint, at a distance r from its centre of mass, also has locks, stops or
/// drives of its rotation. Their torques and the forces at that distance balance each other up to one part in
/// this ratio, and soft rows lose more of them than that (docs/decisions/048-long-arms.md). A rod has 6 at
/// its end.
#define MAX_ARM_RATIO 60.0f

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

void tdJointForest_Free(tdWorld* world, tdJointForest* forest)
{
    const tdAllocator* allocator = &world->allocator;
    tdRelease(allocator, forest->trees, (size_t)forest->treeCapacity * sizeof(tdJointTree));
    tdRelease(allocator, forest->bodies, (size_t)forest->bodyCapacity * sizeof(tdJointTreeBody));
    tdRelease(allocator, forest->edges, (size_t)forest->edgeCapacity * sizeof(tdJointTreeEdge));
    tdRelease(allocator, forest->rows, (size_t)forest->rowCapacity * sizeof(tdJointTreeRow));
    tdRelease(allocator, forest->starts, (size_t)forest->startCapacity * sizeof(int));
    tdRelease(allocator, forest->lines, (size_t)forest->lineCapacity * sizeof(int));
    tdRelease(allocator, forest->products, (size_t)forest->productCapacity * sizeof(int));
    tdRelease(allocator, forest->blocks, (size_t)forest->blockCapacity * TD_BLOCK_SIZE * sizeof(double));
    tdRelease(allocator, forest->unknowns, (size_t)forest->unknownCapacity * 6 * sizeof(double));
    tdRelease(allocator, forest->neighbours, (size_t)forest->neighbourCapacity * sizeof(uint64_t));
    tdRelease(allocator, forest->active, (size_t)forest->activeCapacity * sizeof(int));
    tdRelease(allocator, forest->marks, (size_t)forest->markCapacity * sizeof(int));
    *forest = (tdJointForest){0};
}

/// m r^2 / I of a body at the joint, for the two axes at right angles to the arm together.
static float ComputeArmRatio(const tdWorld* world, int body, tdVec3 frame)
{
    const tdBodySim* sim = tdWorld_GetBodySim(world, body);
    const tdSym3* inverse = &sim->invInertia;
    tdVec3 arm = tdRotate(sim->transform.rotation, tdSub(frame, sim->localCenter));
    tdVec3 along = {inverse->xx * arm.x + inverse->xy * arm.y + inverse->xz * arm.z,
                    inverse->xy * arm.x + inverse->yy * arm.y + inverse->yz * arm.z,
                    inverse->xz * arm.x + inverse->yz * arm.y + inverse->zz * arm.z};
    float across = tdDot(arm, arm) * (inverse->xx + inverse->yy + inverse->zz) - tdDot(arm, along);
    return sim->invMass > 0.0f ? across / sim->invMass : 0.0f;
}

/// True if a joint turns a body whose inertia is small for its distance from the joint.
static bool HasLongArm(const tdWorld* world, const tdJoint* joint)
{
    float ratio = 0.0f;
    if (joint->blockCount > 1 && IsDynamicJointBody(world, joint->bodyA))
    {
        ratio = ComputeArmRatio(world, joint->bodyA, joint->frameA.position);
    }
    if (joint->blockCount > 1 && IsDynamicJointBody(world, joint->bodyB))
    {
        ratio = tdMaxFloat(ratio, ComputeArmRatio(world, joint->bodyB, joint->frameB.position));
    }
    return ratio > MAX_ARM_RATIO;
}

/// A component during the search: its bodies in breadth-first order.
typedef struct JointComponent
{
    int* queue; // body indices
    int* up;    // joint to the parent body, -1 for the first
    double* mass;
    double* below; // mass of the subtree
    int* grounds;  // joints to the fixed world in the subtree
    int* stamps;   // the last body that saw this one as its neighbour
    int count, edgeCount, innerCount, rowCount;
    bool hasLoose; // a joint is loose or separated
    bool hasLongArm;
    tdJointOrder order;
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
    component->hasLoose = component->hasLongArm = false;
    component->stamps[0] = -1;
    marks[first] = 0;
    for (int at = 0; at < component->count; ++at)
    {
        int body = component->queue[at];
        component->grounds[at] = 0;
        component->order.degrees[at] = component->order.links[at] = 0;
        for (int key = world->bodies.data[body].jointHead; key >= 0;
             key = set->joints.data[key >> 1].next[key & 1])
        {
            const tdJoint* joint = set->joints.data + (key >> 1);
            int other = GetOtherBody(joint, key & 1);
            if (!tdJoint_CanAct(joint))
            {
                continue;
            }
            bool isInner = IsDynamicJointBody(world, other);
            if (isInner && marks[other] == MARK_NEW)
            {
                marks[other] = component->count;
                component->stamps[component->count] = -1;
                component->up[component->count] = key >> 1;
                component->queue[component->count++] = other;
            }
            if (isInner && component->stamps[marks[other]] != at)
            {
                component->stamps[marks[other]] = at;
                component->order.degrees[at] += 1;
                component->order.links[at] ^= marks[other];
            }
            if (isInner && (key & 1) == 1)
            {
                continue; // side 0 counts the joint
            }
            component->edgeCount += 1;
            component->rowCount += GetRowCapacity(joint);
            component->hasLoose |= joint->isLoose || joint->isSeparated;
            component->hasLongArm |= HasLongArm(world, joint);
            component->innerCount += isInner ? 1 : 0;
            component->grounds[at] += isInner ? 0 : 1;
        }
    }
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

/// Fills the sets of neighbours of the core bodies.
static bool GatherNeighbours(tdWorld* world, const tdJointSet* set, const int* marks,
                             JointComponent* component)
{
    tdJointForest* forest = &world->joints->forest;
    tdJointOrder* order = &component->order;
    int core = order->count - order->leafCount;
    order->words = (core + 63) / 64;
    if (!tdWorld_GrowScratch(world, (void**)&forest->neighbours, &forest->neighbourCapacity, 0,
                             core * order->words, sizeof(uint64_t)))
    {
        return false;
    }
    order->sets = forest->neighbours;
    memset(order->sets, 0, (size_t)core * (size_t)order->words * sizeof(uint64_t));
    for (int i = 0; i < core; ++i)
    {
        int body = component->queue[order->bodies[order->leafCount + i]];
        for (int key = world->bodies.data[body].jointHead; key >= 0;
             key = set->joints.data[key >> 1].next[key & 1])
        {
            const tdJoint* joint = set->joints.data + (key >> 1);
            int other = GetOtherBody(joint, key & 1);
            int place = tdJoint_CanAct(joint) && IsDynamicJointBody(world, other)
                            ? order->places[marks[other]] - order->leafCount
                            : -1;
            if (place >= 0)
            {
                order->sets[i * order->words + place / 64] |= (uint64_t)1 << (place % 64);
            }
        }
    }
    return true;
}

/// Orders the bodies of a component.
/// @return false if its matrix is too large; *hasMemory is false if memory ran out
static bool OrderComponent(tdWorld* world, const tdJointSet* set, const int* marks, JointComponent* component,
                           bool* hasMemory)
{
    tdJointOrder* order = &component->order;
    order->count = component->count;
    tdJointOrder_EliminateLeaves(order);
    int core = order->count - order->leafCount;
    if (core == 0)
    {
        return true;
    }
    if (core > TD_MAX_CORE_BODIES)
    {
        return false;
    }
    *hasMemory = GatherNeighbours(world, set, marks, component);
    return *hasMemory && tdJointOrder_EliminateCore(order, MAX_BLOCK_PRODUCTS);
}

static void AddTreeEdge(tdJointForest* forest, tdJointSet* set, int index, int child, int parent,
                        bool isChildA, int block)
{
    tdJoint* joint = set->joints.data + index;
    joint->tree = forest->treeCount;
    tdJointTreeEdge* edge = forest->edges + forest->edgeCount++;
    *edge = (tdJointTreeEdge){.joint = index,
                              .child = child,
                              .parent = parent,
                              .isChildA = isChildA,
                              .block = block,
                              .firstRow = forest->rowCount};
    forest->rowCount += GetRowCapacity(joint);
}

static int FindBlock(const tdJointForest* forest, const tdJointTree* tree, int child, int parent)
{
    const int *starts = forest->starts + tree->firstStart, *lines = forest->lines + tree->firstLine;
    int at = starts[child];
    while (lines[at] != parent)
    {
        at += 1;
    }
    return at;
}

/// Adds the bodies in the order of elimination, and the joints of each one to the world and to later bodies.
static void AddTree(tdWorld* world, tdJointForest* forest, tdJointSet* set, const int* marks,
                    const JointComponent* component)
{
    const tdJointOrder* order = &component->order;
    tdJointTree* tree = forest->trees + forest->treeCount;
    *tree = (tdJointTree){.firstBody = forest->bodyCount,
                          .bodyCount = component->count,
                          .firstEdge = forest->edgeCount,
                          .firstStart = forest->startCount,
                          .firstLine = forest->lineCount,
                          .firstProduct = forest->productCount,
                          .firstBlock = forest->blockCount,
                          .hasLoops = component->innerCount >= component->count};
    tdJointOrder_WriteStructure(order, forest->starts + forest->startCount, forest->lines + forest->lineCount,
                                forest->products + forest->productCount);
    for (int place = 0; place < component->count; ++place)
    {
        int body = component->queue[order->bodies[place]];
        forest->bodies[forest->bodyCount++] = (tdJointTreeBody){.body = body};
        for (int key = world->bodies.data[body].jointHead; key >= 0;
             key = set->joints.data[key >> 1].next[key & 1])
        {
            const tdJoint* joint = set->joints.data + (key >> 1);
            int other = GetOtherBody(joint, key & 1);
            if (!tdJoint_CanAct(joint))
            {
                continue;
            }
            if (!IsDynamicJointBody(world, other))
            {
                AddTreeEdge(forest, set, key >> 1, -1, place, (key & 1) == 1, -1);
                continue;
            }
            int parent = order->places[marks[other]];
            if (parent > place)
            {
                AddTreeEdge(forest, set, key >> 1, place, parent, (key & 1) == 0,
                            FindBlock(forest, tree, place, parent));
            }
        }
    }
    tree->edgeCount = forest->edgeCount - tree->firstEdge;
    forest->treeCount += 1;
}

/// Does the iteration fail for this component?
static bool NeedsDirectSolver(const tdWorld* world, const tdJointSet* set, const int* marks,
                              JointComponent* component)
{
    if (component->hasLoose && component->count <= MAX_LOOSE_BODIES)
    {
        return true;
    }
    bool hasLoops = component->innerCount >= component->count;
    return hasLoops || component->hasLongArm ||
           ComputeLoadRatio(world, set, marks, component) > MAX_LOAD_RATIO;
}

/// Visits all components and adds their trees.
/// @param isReal false: only counts the memory that the trees need
/// @return false if memory ran out
static bool VisitComponents(tdWorld* world, tdJointForest* forest, tdJointSet* set, JointComponent* component,
                            bool isReal)
{
    int* marks = forest->marks;
    forest->treeCount = forest->bodyCount = forest->edgeCount = forest->rowCount = 0;
    forest->startCount = forest->lineCount = forest->productCount = forest->blockCount = 0;
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
            bool hasMemory = true;
            GatherComponent(world, set, marks, body, component);
            if (!NeedsDirectSolver(world, set, marks, component) ||
                !OrderComponent(world, set, marks, component, &hasMemory))
            {
                if (!hasMemory)
                {
                    return false;
                }
                continue;
            }
            if (isReal)
            {
                AddTree(world, forest, set, marks, component);
            }
            else
            {
                forest->treeCount += 1;
                forest->bodyCount += component->count;
                forest->edgeCount += component->edgeCount;
                forest->rowCount += component->rowCount;
            }
            forest->startCount += component->count + 1;
            forest->lineCount += component->order.lineCount;
            forest->productCount += component->order.productCount;
            forest->blockCount += component->count + component->order.lineCount;
        }
    }
    return true;
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

/// Grows the arrays to the counts of the forest.
static bool GrowForest(tdWorld* world, tdJointForest* forest)
{
    const struct
    {
        void** memory;
        int *capacity, wanted;
        size_t size;
    } arrays[] = {
        {(void**)&forest->trees, &forest->treeCapacity, forest->treeCount, sizeof(tdJointTree)},
        {(void**)&forest->active, &forest->activeCapacity, forest->treeCount, sizeof(int)},
        {(void**)&forest->bodies, &forest->bodyCapacity, forest->bodyCount, sizeof(tdJointTreeBody)},
        {(void**)&forest->unknowns, &forest->unknownCapacity, 3 * forest->bodyCount, 6 * sizeof(double)},
        {(void**)&forest->edges, &forest->edgeCapacity, forest->edgeCount, sizeof(tdJointTreeEdge)},
        {(void**)&forest->rows, &forest->rowCapacity, forest->rowCount, sizeof(tdJointTreeRow)},
        {(void**)&forest->starts, &forest->startCapacity, forest->startCount, sizeof(int)},
        // A tree may have no lines and no products; one more of each, so that the arrays exist.
        {(void**)&forest->lines, &forest->lineCapacity, forest->lineCount + 1, sizeof(int)},
        {(void**)&forest->products, &forest->productCapacity, forest->productCount + 1, sizeof(int)},
        {(void**)&forest->blocks, &forest->blockCapacity, forest->blockCount, TD_BLOCK_SIZE * sizeof(double)},
    };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i)
    {
        if (!tdWorld_GrowScratch(world, arrays[i].memory, arrays[i].capacity, 0, arrays[i].wanted,
                                 arrays[i].size))
        {
            return false;
        }
    }
    return true;
}

bool tdJointForest_Update(tdWorld* world)
{
    tdJointSet* set = world->joints;
    tdJointForest* forest = &set->forest;
    FindSeparatedJoints(world, set);
    forest->kernels = tdGetJointMatrixKernels(tdCpu_ResolveSimd(world->def.simd));
    if (!forest->isStale)
    {
        return true;
    }
    // Per body: a mark; nine arrays of int; two of double.
    int bodyCount = world->bodies.count, perBody = 1 + 9 + 2 * (int)(sizeof(double) / sizeof(int));
    if (!tdWorld_GrowScratch(world, (void**)&forest->marks, &forest->markCapacity, 0,
                             (bodyCount + 1) * perBody, sizeof(int)))
    {
        return false;
    }
    int* at = forest->marks + bodyCount + bodyCount % 2;
    JointComponent component = {.mass = (double*)(void*)at, .below = (double*)(void*)at + bodyCount};
    int* next = (int*)(void*)(component.below + bodyCount);
    int** arrays[9] = {
        &component.queue,         &component.up,          &component.grounds,      &component.stamps,
        &component.order.degrees, &component.order.links, &component.order.bodies, &component.order.places,
        &component.order.parents};
    for (int i = 0; i < 9; ++i)
    {
        *arrays[i] = next + i * bodyCount;
    }
    for (int i = 0; i < set->joints.count; ++i)
    {
        tdJoint* joint = set->joints.data + i;
        joint->tree = joint->tree == -1 ? -1 : TREE_LEFT;
    }
    if (!VisitComponents(world, forest, set, &component, false) || !GrowForest(world, forest) ||
        !VisitComponents(world, forest, set, &component, true))
    {
        forest->treeCount = 0;
        return false;
    }
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

static bool HasTouchingContact(const tdWorld* world, int body)
{
    for (int key = world->bodies.data[body].contactHead; key >= 0;
         key = world->contacts.data[key >> 1].edges[key & 1].next)
    {
        if (world->contacts.data[key >> 1].kind == TD_CONTACT_TOUCHING)
        {
            return true;
        }
    }
    return false;
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
            body->isTouched = HasTouchingContact(world, body->body);
            isAwake |= body->slot > 0;
        }
        if (isAwake)
        {
            forest->active[forest->activeCount++] = i;
        }
    }
}
