// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Validation of a loaded state. Ranges come first, because the walks over lists rely on them; a walk ends
// after as many steps as its owner counts.
#include "physics/world/state_check.h"

#include "geometry/hull.h"
#include "physics/broad_phase/aabb_tree.h"
#include "physics/data/color.h"
#include "physics/data/joint_data.h"
#include "physics/joint/joint_block.h"

static bool IsIndex(int index, int count)
{
    return index >= 0 && index < count;
}

// An index, or -1 for none.
static bool IsLink(int index, int count)
{
    return index >= -1 && index < count;
}

// A byte that is neither 0 nor 1 is no value of a bool, and reading it as one is undefined.
static bool IsFlag(const bool* flag)
{
    return *(const unsigned char*)flag <= 1;
}

static bool IsLiveBody(const tdWorld* world, int body)
{
    return IsIndex(body, world->bodies.count) && world->bodies.data[body].motion >= 0;
}

static bool IsLiveShape(const tdWorld* world, int shape)
{
    return IsIndex(shape, world->shapes.count) && world->shapes.data[shape].body >= 0;
}

// --- bodies -----------------------------------------------------------------------------------------------

static bool IsBodySound(const tdWorld* world, int index)
{
    const tdBody* body = &world->bodies.data[index];
    int bodyCount = world->bodies.count;
    if (body->motion < 0)
    {
        return body->motion == -1 && IsLink(body->nextFree, bodyCount);
    }
    bool hasSim = body->simIndex > 0 ? body->simIndex < world->awakeCount : body->simIndex == 0;
    return body->motion <= TD_MOTION_DYNAMIC && hasSim &&
           (body->simIndex > 0 ? world->sims[body->simIndex].body : world->restSims[index].body) == index &&
           (body->motion != TD_MOTION_STATIC || body->simIndex == 0) &&
           IsLink(body->shapeHead, world->shapes.count) &&
           IsLink(body->contactHead, 2 * world->contacts.count) &&
           IsLink(body->jointHead, 2 * world->joints->joints.count) &&
           IsLink(body->island, world->islands.count) && IsLink(body->islandPrevious, bodyCount) &&
           IsLink(body->islandNext, bodyCount) && body->shapeCount >= 0 && body->contactCount >= 0 &&
           body->jointCount >= 0 && (body->motion != TD_MOTION_DYNAMIC || body->island >= 0) &&
           IsFlag(&body->enableSleep) && IsFlag(&body->enableContinuous) && IsFlag(&body->hasMass) &&
           IsFlag(&body->hasCenter) && IsFlag(&body->hasInertia);
}

static bool AreBodiesSound(const tdWorld* world)
{
    int liveCount = 0, awakeCount = 1, kinematicCount = 0;
    for (int i = 0; i < world->bodies.count; ++i)
    {
        const tdBody* body = &world->bodies.data[i];
        if (!IsBodySound(world, i))
        {
            return false;
        }
        bool isAwake = body->motion >= 0 && body->simIndex > 0;
        liveCount += body->motion >= 0;
        awakeCount += isAwake;
        kinematicCount += isAwake && body->motion == TD_MOTION_KINEMATIC;
    }
    // Each awake body has a slot that names it, so equal counts leave no slot without a body.
    return liveCount == world->liveBodyCount &&
           awakeCount == (world->awakeCount > 0 ? world->awakeCount : 1) &&
           kinematicCount == world->awakeKinematicCount;
}

// --- shapes -----------------------------------------------------------------------------------------------

static bool IsShapeSound(const tdWorld* world, int index)
{
    const tdShape* shape = &world->shapes.data[index];
    int shapeCount = world->shapes.count;
    if (shape->body < 0)
    {
        return shape->body == -1 && IsLink(shape->next, shapeCount);
    }
    bool isQueued = (shape->flags & TD_SHAPE_QUEUED) != 0;
    bool isMember = (shape->flags & TD_SHAPE_MEMBER) != 0; // its proxy is a node of a tree that is rebuilt
    return IsLiveBody(world, shape->body) && IsLink(shape->next, shapeCount) &&
           IsLink(shape->previous, shapeCount) && shape->tree < TD_AABB_TREE_COUNT &&
           (isMember || IsLink(shape->proxy, world->trees[shape->tree].nodes.count)) &&
           shape->filter <= (uint32_t)world->filters.filters.count &&
           (unsigned)shape->geometry.kind <= TD_SHAPE_MESH && IsFlag(&shape->geometry.hasMatrix) &&
           (shape->geometry.kind != TD_SHAPE_PLANE || IsFlag(&shape->geometry.plane.isDoubleSided)) &&
           (!isQueued ||
            (IsIndex(shape->moveIndex, world->moved.count) && world->moved.data[shape->moveIndex] == index));
}

static bool AreShapesSound(const tdWorld* world)
{
    int liveCount = 0, listedCount = 0;
    for (int i = 0; i < world->shapes.count; ++i)
    {
        if (!IsShapeSound(world, i))
        {
            return false;
        }
        liveCount += world->shapes.data[i].body >= 0;
    }
    for (int i = 0; i < world->bodies.count; ++i)
    {
        const tdBody* body = &world->bodies.data[i];
        int shape = body->motion >= 0 ? body->shapeHead : -1, previous = -1, count = 0;
        for (; shape >= 0 && count <= body->shapeCount; shape = world->shapes.data[shape].next)
        {
            if (world->shapes.data[shape].body != i || world->shapes.data[shape].previous != previous)
            {
                return false;
            }
            previous = shape;
            count += 1;
        }
        if (body->motion >= 0 && (shape >= 0 || count != body->shapeCount))
        {
            return false;
        }
        listedCount += count;
    }
    for (int i = 0; i < world->unbounded.count; ++i)
    {
        if (!IsLiveShape(world, world->unbounded.data[i]))
        {
            return false;
        }
    }
    for (int i = 0; i < world->moved.count; ++i)
    {
        if (!IsLiveShape(world, world->moved.data[i]))
        {
            return false;
        }
    }
    return liveCount == world->liveShapeCount && listedCount == liveCount;
}

// --- trees ------------------------------------------------------------------------------------------------

static bool IsLeafSound(const tdWorld* world, int kind, int node)
{
    int object = world->trees[kind].nodes.data[node].child2;
    if (object < 0)
    {
        return IsLiveBody(world, ~object);
    }
    return IsLiveShape(world, object) && world->shapes.data[object].tree == kind &&
           world->shapes.data[object].proxy == node;
}

static bool IsTreeSound(const tdWorld* world, int kind)
{
    const tdAabbTree* tree = &world->trees[kind];
    int nodeCount = tree->nodes.count, usedCount = 0, freeCount = 0, leafCount = 0;
    if (!IsLink(tree->root, nodeCount) || !IsLink(tree->freeNode, nodeCount) || tree->hiddenCount < 0 ||
        (tree->root >= 0 && tree->nodes.data[tree->root].parent != -1))
    {
        return false;
    }
    for (int i = 0; i < nodeCount; ++i)
    {
        const tdAabbTreeNode* node = &tree->nodes.data[i];
        if (!IsLink(node->parent, nodeCount) || node->height < -1 || node->height > TD_AABB_TREE_MAX_HEIGHT)
        {
            return false;
        }
        if (node->height < 0)
        {
            freeCount += 1;
            continue;
        }
        usedCount += 1;
        // Children are lower than their parent, and each has one parent: no cycle, no shared node.
        if (node->height == 0)
        {
            leafCount += 1;
            if (node->child1 != -1 || !IsLeafSound(world, kind, i))
            {
                return false;
            }
            continue;
        }
        if (!IsIndex(node->child1, nodeCount) || !IsIndex(node->child2, nodeCount) ||
            node->child1 == node->child2)
        {
            return false;
        }
        const tdAabbTreeNode *a = &tree->nodes.data[node->child1], *b = &tree->nodes.data[node->child2];
        if (a->parent != i || b->parent != i || a->height < 0 || b->height < 0 || a->height >= node->height ||
            b->height >= node->height)
        {
            return false;
        }
    }
    // Every node in use but the root is the child of the node that it names.
    for (int i = 0; i < nodeCount; ++i)
    {
        const tdAabbTreeNode* node = &tree->nodes.data[i];
        if (node->height >= 0 && i != tree->root)
        {
            const tdAabbTreeNode* parent = node->parent >= 0 ? &tree->nodes.data[node->parent] : NULL;
            if (parent == NULL || parent->height <= 0 || (parent->child1 != i && parent->child2 != i))
            {
                return false;
            }
        }
    }
    int count = 0;
    for (int i = tree->freeNode; i >= 0 && count <= freeCount; i = tree->nodes.data[i].parent)
    {
        if (tree->nodes.data[i].height >= 0)
        {
            return false;
        }
        count += 1;
    }
    return count == freeCount && leafCount == tree->leafCount && (tree->root >= 0) == (usedCount > 0);
}

static bool AreProxiesSound(const tdWorld* world)
{
    for (int i = 0; i < world->shapes.count; ++i)
    {
        const tdShape* shape = &world->shapes.data[i];
        bool hasLeaf = shape->body >= 0 && shape->proxy >= 0 && (shape->flags & TD_SHAPE_MEMBER) == 0;
        if (hasLeaf)
        {
            const tdAabbTreeNode* node = &world->trees[shape->tree].nodes.data[shape->proxy];
            if (node->height != 0 || node->child2 != i)
            {
                return false;
            }
        }
    }
    return true;
}

// --- contacts ---------------------------------------------------------------------------------------------

static bool AreManifoldsSound(const tdWorld* world, int first, int count, int capacity)
{
    if (first < 0 || count < 1 || count > capacity || capacity > TD_MAX_CONTACT_MANIFOLDS ||
        (capacity & (capacity - 1)) != 0 || first > world->manifoldCount - capacity)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        const tdContactManifold* manifold = &world->manifolds[first + i];
        if (manifold->pointCount > TD_MAX_MANIFOLD_POINTS || !IsFlag(&manifold->isSticking) ||
            !IsFlag(&manifold->isOverlapping))
        {
            return false;
        }
    }
    return true;
}

// Face of the last axis in the cache of two polytopes (narrow_phase/manifold_polytope.c): the first word is 1
// for a face of A and 2 for one of B, the second word its index.
static bool IsCacheSound(const tdShapeGeometry* a, const tdShapeGeometry* b, const tdManifoldCache* cache)
{
    if ((a->kind != TD_SHAPE_HULL && b->kind != TD_SHAPE_HULL) || a->kind == TD_SHAPE_MESH ||
        b->kind == TD_SHAPE_MESH || (cache->words[0] != 1 && cache->words[0] != 2))
    {
        return true;
    }
    const tdShapeGeometry* owner = cache->words[0] == 1 ? a : b;
    uint32_t faceCount = owner->kind == TD_SHAPE_HULL ? (uint32_t)owner->hull->faceCount : 6;
    return cache->words[1] < faceCount;
}

static bool IsContactSound(const tdWorld* world, int index)
{
    const tdContact* contact = &world->contacts.data[index];
    int contactCount = world->contacts.count;
    if (contact->kind == TD_CONTACT_FREE)
    {
        return IsLink(contact->nextFree, contactCount);
    }
    if (contact->kind > TD_CONTACT_TRIGGER || contact->shapeA >= contact->shapeB ||
        !IsLiveShape(world, contact->shapeA) || !IsLiveShape(world, contact->shapeB) ||
        contact->edges[0].body != world->shapes.data[contact->shapeA].body ||
        contact->edges[1].body != world->shapes.data[contact->shapeB].body ||
        contact->color > TD_COLOR_OVERFLOW ||
        !IsCacheSound(&world->shapes.data[contact->shapeA].geometry,
                      &world->shapes.data[contact->shapeB].geometry, &contact->cache))
    {
        return false;
    }
    for (int side = 0; side < 2; ++side)
    {
        if (!IsLink(contact->edges[side].previous, 2 * contactCount) ||
            !IsLink(contact->edges[side].next, 2 * contactCount))
        {
            return false;
        }
    }
    int dense = contact->denseIndex;
    switch ((tdContactKind)contact->kind)
    {
    case TD_CONTACT_SEPARATED:
        return dense == -1 || (IsIndex(dense, world->separatedContacts.count) &&
                               world->separatedContacts.data[dense].contact == index);
    case TD_CONTACT_TRIGGER:
        return dense == -1 ||
               (IsIndex(dense, world->triggers.count) && world->triggers.data[dense].contact == index);
    case TD_CONTACT_TOUCHING:
        return dense == -1 ? AreManifoldsSound(world, contact->firstManifold, contact->manifoldCount,
                                               contact->manifoldCapacity)
                           : IsIndex(dense, world->touchingContacts.count) &&
                                 world->touchingContacts.data[dense].contact == index;
    case TD_CONTACT_FREE:
        break;
    }
    return false;
}

static bool AreSimsSound(const tdWorld* world, int contact, tdContactKind kind, int dense, int simA, int simB)
{
    if (!IsIndex(contact, world->contacts.count))
    {
        return false;
    }
    const tdContact* record = &world->contacts.data[contact];
    return record->kind == kind && record->denseIndex == dense &&
           simA == tdWorld_GetSimReference(world, record->edges[0].body) &&
           simB == tdWorld_GetSimReference(world, record->edges[1].body);
}

static bool AreDenseContactsSound(const tdWorld* world)
{
    for (int i = 0; i < world->separatedContacts.count; ++i)
    {
        const tdSeparatedContact* entry = &world->separatedContacts.data[i];
        if (!AreSimsSound(world, entry->contact, TD_CONTACT_SEPARATED, i, entry->simA, entry->simB))
        {
            return false;
        }
    }
    for (int i = 0; i < world->triggers.count; ++i)
    {
        const tdSeparatedContact* entry = &world->triggers.data[i];
        if (!AreSimsSound(world, entry->contact, TD_CONTACT_TRIGGER, i, entry->simA, entry->simB))
        {
            return false;
        }
    }
    for (int i = 0; i < world->touchingContacts.count; ++i)
    {
        const tdTouchingContact* entry = &world->touchingContacts.data[i];
        if (!AreSimsSound(world, entry->contact, TD_CONTACT_TOUCHING, i, entry->simA, entry->simB) ||
            !AreManifoldsSound(world, entry->firstManifold, entry->manifoldCount, entry->manifoldCapacity) ||
            entry->color > TD_COLOR_OVERFLOW || entry->sizeKey >= TD_SIZE_KEY_COUNT)
        {
            return false;
        }
    }
    for (int i = 0; i < world->wantRoom.count; ++i)
    {
        if (!IsIndex(world->wantRoom.data[i], world->contacts.count))
        {
            return false;
        }
    }
    return true;
}

// Lists of contacts by body. A key is contact * 2 + side.
static bool AreContactListsSound(const tdWorld* world, int liveCount)
{
    int listedCount = 0;
    for (int i = 0; i < world->bodies.count; ++i)
    {
        const tdBody* body = &world->bodies.data[i];
        int key = body->motion >= 0 ? body->contactHead : -1, previous = -1, count = 0;
        while (key >= 0 && count <= body->contactCount)
        {
            const tdContact* contact = &world->contacts.data[key >> 1];
            const tdContactEdge* edge = &contact->edges[key & 1];
            if (contact->kind == TD_CONTACT_FREE || edge->body != i || edge->previous != previous)
            {
                return false;
            }
            previous = key;
            key = edge->next;
            count += 1;
        }
        if (body->motion >= 0 && (key >= 0 || count != body->contactCount))
        {
            return false;
        }
        listedCount += count;
    }
    return listedCount == 2 * liveCount;
}

static bool AreContactsSound(const tdWorld* world)
{
    int liveCount = 0, touchingCount = 0, triggerCount = 0;
    for (int i = 0; i < world->contacts.count; ++i)
    {
        if (!IsContactSound(world, i))
        {
            return false;
        }
        int kind = world->contacts.data[i].kind;
        liveCount += kind != TD_CONTACT_FREE;
        touchingCount += kind == TD_CONTACT_TOUCHING;
        triggerCount += kind == TD_CONTACT_TRIGGER;
    }
    for (int i = 0; i < TD_MANIFOLD_CLASSES; ++i)
    {
        int count = 0, block = world->freeManifolds[i];
        for (; block != -1; block = (int)world->manifolds[block].points[0].feature)
        {
            if (block < 0 || block > world->manifoldCount - (1 << i) ||
                ++count > world->freeManifoldCounts[i])
            {
                return false;
            }
        }
        if (count != world->freeManifoldCounts[i])
        {
            return false;
        }
    }
    return liveCount == world->liveContactCount && touchingCount == world->touchingTotal &&
           triggerCount == world->triggerTotal && world->liveManifolds >= 0 && AreDenseContactsSound(world) &&
           AreContactListsSound(world, liveCount);
}

// The lists of free records: as many entries as there are free records, each of them free.
static bool AreFreeListsSound(const tdWorld* world)
{
    int count = 0, wanted = world->bodies.count - world->liveBodyCount;
    for (int i = world->freeBody; i >= 0 && count <= wanted; i = world->bodies.data[i].nextFree)
    {
        if (!IsIndex(i, world->bodies.count) || world->bodies.data[i].motion >= 0)
        {
            return false;
        }
        count += 1;
    }
    if (count != wanted)
    {
        return false;
    }
    count = 0;
    wanted = world->shapes.count - world->liveShapeCount;
    for (int i = world->freeShape; i >= 0 && count <= wanted; i = world->shapes.data[i].next)
    {
        if (!IsIndex(i, world->shapes.count) || world->shapes.data[i].body >= 0)
        {
            return false;
        }
        count += 1;
    }
    if (count != wanted)
    {
        return false;
    }
    count = 0;
    wanted = world->contacts.count - world->liveContactCount;
    for (int i = world->freeContact; i >= 0 && count <= wanted; i = world->contacts.data[i].nextFree)
    {
        if (!IsIndex(i, world->contacts.count) || world->contacts.data[i].kind != TD_CONTACT_FREE)
        {
            return false;
        }
        count += 1;
    }
    return count == wanted;
}

// --- islands, exclusions, joints --------------------------------------------------------------------------

static bool AreIslandsSound(const tdWorld* world)
{
    int awakeCount = 0, freeCount = 0, listedCount = 0, dynamicCount = 0;
    for (int i = 0; i < world->islands.count; ++i)
    {
        const tdIsland* island = &world->islands.data[i];
        if (!IsFlag(&island->isAwake) || !IsFlag(&island->isCreeping))
        {
            return false;
        }
        if (island->bodyCount == 0)
        {
            freeCount += 1;
            if (!IsLink(island->nextFree, world->islands.count))
            {
                return false;
            }
            continue;
        }
        awakeCount += island->isAwake;
        int count = 0, last = -1, body = island->firstBody;
        while (IsIndex(body, world->bodies.count) && count <= island->bodyCount)
        {
            const tdBody* record = &world->bodies.data[body];
            if (record->motion != TD_MOTION_DYNAMIC || record->island != i || record->islandPrevious != last)
            {
                return false;
            }
            last = body;
            body = record->islandNext;
            count += 1;
        }
        if (body != -1 || count != island->bodyCount || last != island->lastBody)
        {
            return false;
        }
        listedCount += count;
    }
    for (int i = 0; i < world->bodies.count; ++i)
    {
        dynamicCount += world->bodies.data[i].motion == TD_MOTION_DYNAMIC;
    }
    int count = 0;
    for (int i = world->freeIsland; i >= 0 && count <= freeCount; i = world->islands.data[i].nextFree)
    {
        if (!IsIndex(i, world->islands.count) || world->islands.data[i].bodyCount != 0)
        {
            return false;
        }
        count += 1;
    }
    return count == freeCount && listedCount == dynamicCount && awakeCount == world->awakeIslandCount &&
           IsIndex(world->loadedIslandCount, world->islands.count + 1) &&
           IsIndex(world->smallIslandCount, world->islands.count + 1);
}

static bool IsSpringScale(int scale)
{
    return scale >= 1 && scale <= TD_MAX_SPRING_SCALE && (scale & (scale - 1)) == 0;
}

static bool AreSpringsSound(const tdWorld* world)
{
    return IsSpringScale(world->springScale) && IsSpringScale(world->subStepScale) && world->firmSteps >= 0 &&
           world->hertzScale >= 1.0f && world->hertzScale <= (float)TD_MAX_SPRING_SCALE;
}

static bool AreEventsSound(const tdWorld* world)
{
    for (int i = 0; i < world->pendingContactEvents.count; ++i)
    {
        if (!IsFlag(&world->pendingContactEvents.data[i].began))
        {
            return false;
        }
    }
    for (int i = 0; i < world->pendingTriggerEvents.count; ++i)
    {
        if (!IsFlag(&world->pendingTriggerEvents.data[i].entered))
        {
            return false;
        }
    }
    return true;
}

static bool AreExclusionsSound(const tdWorld* world)
{
    const tdPairSet* set = &world->exclusions;
    int count = 0;
    if ((set->capacity & (set->capacity - 1)) != 0)
    {
        return false;
    }
    for (int i = 0; i < set->capacity; ++i)
    {
        count += set->entries[i].key != 0;
    }
    if (count != set->count || 2 * count > set->capacity) // an empty entry ends every search
    {
        return false;
    }
    for (int i = 0; i < set->capacity; ++i)
    {
        if (set->entries[i].key != 0 && tdPairSet_Find(set, set->entries[i].key) != &set->entries[i].value)
        {
            return false;
        }
    }
    return true;
}

static bool IsJointSound(const tdWorld* world, const tdJoint* joint)
{
    const tdJointSet* set = world->joints;
    if (!IsFlag(&joint->isLive) || !IsFlag(&joint->isBroken) || !IsFlag(&joint->enableCollision) ||
        !IsFlag(&joint->isExcluded) || !IsFlag(&joint->isLoose) || !IsFlag(&joint->isMoved) ||
        !IsFlag(&joint->isSeparated))
    {
        return false;
    }
    if (!joint->isLive)
    {
        return IsLink(joint->nextFree, set->joints.count);
    }
    int bodies[2] = {joint->bodyA, joint->bodyB};
    for (int side = 0; side < 2; ++side)
    {
        if ((bodies[side] != -1 && !IsLiveBody(world, bodies[side])) ||
            !IsLink(joint->next[side], 2 * set->joints.count) ||
            !IsLink(joint->previous[side], 2 * set->joints.count))
        {
            return false;
        }
    }
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = &joint->blocks[i];
        if (block->kind > TD_BLOCK_VECTOR || block->law > TD_LAW_DRIVE || block->rowCount < 1 ||
            block->rowCount > 3 || block->axis < -1 || block->axis > 2 ||
            !IsLink(block->drive, joint->driveCount) || !IsFlag(&block->isAcceleration) ||
            !IsFlag(&block->countsTurns) || !IsFlag(&block->isCoupled))
        {
            return false;
        }
        for (int k = 0; k < 3; ++k)
        {
            if (!IsLink(block->limits[k], joint->limitCount))
            {
                return false;
            }
        }
    }
    for (int i = 0; i < joint->driveCount; ++i)
    {
        if ((unsigned)joint->drives[i].type > TD_DRIVE_ANGULAR || (unsigned)joint->drives[i].axis > 7)
        {
            return false;
        }
    }
    return joint->signature < TD_SIGNATURE_COUNT && joint->lockRowCount >= 0 &&
           joint->lockRowCount <= TD_MAX_LOCK_ROWS && joint->bodyA != joint->bodyB;
}

static bool AreJointsSound(const tdWorld* world)
{
    const tdJointSet* set = world->joints;
    int liveCount = 0, sideCount = 0, listedCount = 0;
    for (int i = 0; i < set->joints.count; ++i)
    {
        const tdJoint* joint = &set->joints.data[i];
        if (!IsJointSound(world, joint))
        {
            return false;
        }
        liveCount += joint->isLive;
        sideCount += joint->isLive ? (joint->bodyA >= 0) + (joint->bodyB >= 0) : 0;
    }
    for (int i = 0; i < world->bodies.count; ++i)
    {
        const tdBody* body = &world->bodies.data[i];
        int key = body->motion >= 0 ? body->jointHead : -1, previous = -1, count = 0;
        while (key >= 0 && count <= body->jointCount)
        {
            const tdJoint* joint = &set->joints.data[key >> 1];
            int side = key & 1;
            if (!joint->isLive || (side == 0 ? joint->bodyA : joint->bodyB) != i ||
                joint->previous[side] != previous)
            {
                return false;
            }
            previous = key;
            key = joint->next[side];
            count += 1;
        }
        if (body->motion >= 0 && (key >= 0 || count != body->jointCount))
        {
            return false;
        }
        listedCount += count;
    }
    int count = 0, freeCount = set->joints.count - liveCount;
    for (int i = set->freeJoint; i >= 0 && count <= freeCount; i = set->joints.data[i].nextFree)
    {
        if (!IsIndex(i, set->joints.count) || set->joints.data[i].isLive)
        {
            return false;
        }
        count += 1;
    }
    return liveCount == set->liveCount && listedCount == sideCount && count == freeCount;
}

bool tdWorld_IsSound(const tdWorld* world)
{
    if (!IsFlag(&world->enableSleep) || !IsFlag(&world->enableContinuous) ||
        !IsFlag(&world->isPairLimitReached) || !AreBodiesSound(world) || !AreShapesSound(world))
    {
        return false;
    }
    for (int kind = 0; kind < TD_AABB_TREE_COUNT; ++kind)
    {
        if (!IsTreeSound(world, kind))
        {
            return false;
        }
    }
    return AreProxiesSound(world) && AreContactsSound(world) && AreFreeListsSound(world) &&
           AreIslandsSound(world) && AreExclusionsSound(world) && AreSpringsSound(world) &&
           AreEventsSound(world) && AreJointsSound(world);
}
