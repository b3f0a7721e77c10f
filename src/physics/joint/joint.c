// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints: creation, destruction, lists of joints per body, changes at run time, queries.
#include "physics/joint/joint.h"

#include "base/def.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/data/call_log.h"
#include "physics/data/color.h"
#include "physics/data/fingerprint.h"
#include "physics/data/id.h"
#include "physics/data/joint_data.h"
#include "physics/data/refusal.h"
#include "physics/data/scratch.h"
#include "physics/data/world_data.h"
#include "physics/island/body_activation.h"
#include "physics/island/island.h"
#include "physics/joint/joint_block.h"
#include "physics/joint/joint_compile.h"
#include "physics/joint/joint_forest.h"
#include "physics/joint/joint_rows.h"
#include "physics/solver/contact_rows.h"
#include "physics/solver/joint_group.h"

#include <math.h>
#include <string.h>

tdJointLimit tdMakeLinearLimit(unsigned axes, float min, float max)
{
    return (tdJointLimit){.linearAxes = axes, .min = min, .max = max, .stiffness = INFINITY};
}

tdJointLimit tdMakeAngularLimit(unsigned axes, float min, float max)
{
    return (tdJointLimit){.angularAxes = axes, .min = min, .max = max, .stiffness = INFINITY};
}

tdJointDrive tdDefaultJointDrive(void)
{
    return (tdJointDrive){.axis = TD_AXIS_X, .maxForce = INFINITY};
}

tdJointDef tdDefaultJointDef(void)
{
    return (tdJointDef){.frameA = tdTransform_identity,
                        .frameB = tdTransform_identity,
                        .breakForce = INFINITY,
                        .breakTorque = INFINITY,
                        .cookie = TD_DEF_COOKIE};
}

// Arrays of a joint.

void tdJoint_FreeArrays(tdWorld* world, tdJoint* joint)
{
    const tdAllocator* allocator = &world->allocator;
    size_t limits = (size_t)joint->limitCount, drives = (size_t)joint->driveCount;
    tdRelease(allocator, joint->limits, limits * sizeof(tdJointLimit));
    tdRelease(allocator, joint->limitReactions, limits * sizeof(tdVec3));
    tdRelease(allocator, joint->drives, drives * sizeof(tdJointDrive));
    tdRelease(allocator, joint->driveReactions, drives * sizeof(tdVec3));
    tdRelease(allocator, joint->blocks, (limits + drives) * sizeof(tdJointBlock));
    joint->limits = NULL;
    joint->limitReactions = NULL;
    joint->drives = NULL;
    joint->driveReactions = NULL;
    joint->blocks = NULL;
    joint->limitCount = joint->driveCount = joint->blockCount = 0;
}

static void* AllocateJointArray(tdWorld* world, int count, size_t size, bool* failed)
{
    if (count == 0)
    {
        return NULL;
    }
    void* memory = tdAllocateZeroed(&world->allocator, (size_t)count * size, 16);
    *failed |= memory == NULL;
    return memory;
}

bool tdJoint_AllocateArrays(tdWorld* world, tdJoint* joint, int limitCount, int driveCount)
{
    bool failed = false;
    joint->limitCount = limitCount;
    joint->driveCount = driveCount;
    joint->limits = AllocateJointArray(world, limitCount, sizeof(tdJointLimit), &failed);
    joint->limitReactions = AllocateJointArray(world, limitCount, sizeof(tdVec3), &failed);
    joint->drives = AllocateJointArray(world, driveCount, sizeof(tdJointDrive), &failed);
    joint->driveReactions = AllocateJointArray(world, driveCount, sizeof(tdVec3), &failed);
    joint->blocks = AllocateJointArray(world, limitCount + driveCount, sizeof(tdJointBlock), &failed);
    if (failed)
    {
        tdJoint_FreeArrays(world, joint);
    }
    return !failed;
}

bool tdJointSet_Create(tdWorld* world)
{
    tdJointSet* set = tdAllocateZeroed(&world->allocator, sizeof(tdJointSet), 16);
    if (set == NULL)
    {
        return false;
    }
    set->freeJoint = -1;
    world->joints = set;
    return true;
}

void tdJointSet_Destroy(tdWorld* world)
{
    tdJointSet* set = world->joints;
    if (set == NULL)
    {
        return;
    }
    for (int i = 0; i < set->joints.count; ++i)
    {
        tdJoint_FreeArrays(world, set->joints.data + i);
    }
    tdArray_Free(&world->allocator, &set->joints);
    tdArray_Free(&world->allocator, &set->breakEvents);
    tdRelease(&world->allocator, set->active, (size_t)set->activeCapacity * sizeof(int));
    tdRelease(&world->allocator, set->groups, (size_t)set->groupCapacity * sizeof(tdJointGroup));
    tdRelease(&world->allocator, set->ballRows, (size_t)set->ballCapacity * sizeof(tdBallRow));
    tdRelease(&world->allocator, set->limitRows, (size_t)set->limitCapacity * sizeof(tdLimitRow));
    tdRelease(&world->allocator, set->turnRows, (size_t)set->turnCapacity * sizeof(tdTurnRow));
    tdJointForest_Free(world, &set->forest);
    tdRelease(&world->allocator, set, sizeof(tdJointSet));
    world->joints = NULL;
}

bool tdJointSet_Reserve(tdWorld* world)
{
    tdJointSet* set = world->joints;
    int groups =
        tdMinInt(set->liveCount, set->liveCount / TD_LANES + TD_SIGNATURE_GENERIC * (TD_COLOR_COUNT + 1));
    return tdWorld_GrowScratch(world, (void**)&set->active, &set->activeCapacity, 0, set->liveCount,
                               sizeof(int)) &&
           tdWorld_GrowScratch(world, (void**)&set->groups, &set->groupCapacity, 0, groups,
                               sizeof(tdJointGroup)) &&
           tdWorld_GrowScratch(world, (void**)&set->ballRows, &set->ballCapacity, 0, groups,
                               sizeof(tdBallRow)) &&
           tdWorld_GrowScratch(world, (void**)&set->limitRows, &set->limitCapacity, 0, groups,
                               sizeof(tdLimitRow)) &&
           tdWorld_GrowScratch(world, (void**)&set->turnRows, &set->turnCapacity, 0, groups,
                               sizeof(tdTurnRow)) &&
           tdArray_Reserve(&world->allocator, &set->breakEvents, set->liveCount) &&
           tdJointForest_Update(world);
}

// Ids and lists of joints per body.

static tdJoint* GetJoint(const tdWorld* world, tdJointId id)
{
    TD_ASSERT(tdWorld_OwnsGeneration(world, id.generation)); // else the joint is of another world
    TD_ASSERT(tdJoint_IsValid(world, id));
    return world->joints->joints.data + (id.index1 - 1);
}

tdJointId tdWorld_MakeJointId(const tdWorld* world, int joint)
{
    uint32_t generation = world->joints->joints.data[joint].generation;
    return (tdJointId){(uint32_t)joint + 1, tdWorld_MakeGeneration(world, generation)};
}

bool tdJoint_IsValid(const tdWorld* world, tdJointId id)
{
    const tdJointSet* set = world->joints;
    if (id.index1 == 0 || id.index1 > (uint32_t)set->joints.count)
    {
        return false;
    }
    const tdJoint* joint = set->joints.data + (id.index1 - 1);
    return joint->isLive && tdWorld_MakeGeneration(world, joint->generation) == id.generation;
}

static int GetJointBody(const tdJoint* joint, int side)
{
    return side == 0 ? joint->bodyA : joint->bodyB;
}

static void LinkJoint(tdWorld* world, int index, int side)
{
    tdJointSet* set = world->joints;
    tdJoint* joint = set->joints.data + index;
    int bodyIndex = GetJointBody(joint, side);
    joint->next[side] = joint->previous[side] = -1;
    if (bodyIndex < 0)
    {
        return;
    }
    tdBody* body = world->bodies.data + bodyIndex;
    int key = 2 * index + side;
    joint->next[side] = body->jointHead;
    if (body->jointHead >= 0)
    {
        set->joints.data[body->jointHead >> 1].previous[body->jointHead & 1] = key;
    }
    body->jointHead = key;
    body->jointCount += 1;
}

static void UnlinkJoint(tdWorld* world, int index, int side)
{
    tdJointSet* set = world->joints;
    tdJoint* joint = set->joints.data + index;
    int bodyIndex = GetJointBody(joint, side);
    if (bodyIndex < 0)
    {
        return;
    }
    tdBody* body = world->bodies.data + bodyIndex;
    int next = joint->next[side], previous = joint->previous[side];
    if (next >= 0)
    {
        set->joints.data[next >> 1].previous[next & 1] = previous;
    }
    if (previous >= 0)
    {
        set->joints.data[previous >> 1].next[previous & 1] = next;
    }
    else
    {
        body->jointHead = next;
    }
    body->jointCount -= 1;
}

static bool ExcludeCollision(tdWorld* world, tdJoint* joint)
{
    if (joint->bodyA < 0 || joint->bodyB < 0 || joint->isExcluded)
    {
        return true;
    }
    joint->isExcluded =
        tdWorld_AddPairExclusion(world, (tdPairSide){joint->bodyA, -1}, (tdPairSide){joint->bodyB, -1});
    return joint->isExcluded;
}

void tdJoint_AllowCollision(tdWorld* world, tdJoint* joint)
{
    if (joint->isExcluded)
    {
        joint->isExcluded = false;
        tdWorld_RemovePairExclusion(world, (tdPairSide){joint->bodyA, -1}, (tdPairSide){joint->bodyB, -1});
    }
}

static void WakeJoint(tdWorld* world, const tdJoint* joint)
{
    for (int side = 0; side < 2; ++side)
    {
        int body = GetJointBody(joint, side);
        if (body >= 0 && world->bodies.data[body].motion == TD_MOTION_DYNAMIC)
        {
            tdWorld_WakeBody(world, body);
        }
    }
}

tdTransform tdJoint_GetRelative(const tdWorld* world, const tdJoint* joint)
{
    tdTransform a = joint->frameA, b = joint->frameB;
    if (joint->bodyA >= 0)
    {
        a = tdMulTransform(tdWorld_GetBodySim(world, joint->bodyA)->transform, a);
    }
    if (joint->bodyB >= 0)
    {
        b = tdMulTransform(tdWorld_GetBodySim(world, joint->bodyB)->transform, b);
    }
    return tdInvMulTransform(a, b);
}

static void MarkJointMoved(tdWorld* world, tdJoint* joint)
{
    joint->isMoved = true;
    world->joints->hasMoved = true;
}

/// Starts to count the turns of axes at the current twist, in (-pi, pi]. A limit that this twist violates and
/// that holds one turn further starts there: a frame at half a turn is in the range from pi / 2 to 3 pi / 2.
static void StartTurnCounts(const tdWorld* world, tdJoint* joint, unsigned axes)
{
    tdQuat q = tdJoint_GetRelative(world, joint).rotation;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (tdHasAxis(axes, axis))
        {
            joint->twist[axis] = tdMeasureTwist(q, axis);
            joint->turns[axis] = 0;
        }
    }
    for (int i = joint->blockCount - 1; i >= 0; --i)
    {
        const tdJointBlock* block = joint->blocks + i;
        if (!block->countsTurns || block->law == TD_LAW_DRIVE || !tdHasAxis(axes, block->axis))
        {
            continue;
        }
        float value = joint->twist[block->axis];
        int side = value < block->min ? 1 : (value > block->max ? -1 : 0);
        float other = value + 2.0f * TD_PI * (float)side;
        joint->turns[block->axis] = other >= block->min && other <= block->max ? side : 0;
    }
}

static bool IsValidLimit(const tdJointLimit* limit)
{
    // Ranges and stiffness may be infinite.
    return !isnan(limit->min) && !isnan(limit->max) && !isnan(limit->stiffness) && isfinite(limit->damping);
}

static bool IsValidDrive(const tdJointDrive* drive)
{
    return isfinite(drive->positionTarget) && isfinite(drive->velocityTarget) && isfinite(drive->stiffness) &&
           isfinite(drive->damping) && !isnan(drive->maxForce);
}

static bool HasValidJointNumbers(const tdJointDef* def)
{
    bool areValid = tdIsFiniteTransform(def->frameA) && tdIsFiniteTransform(def->frameB) &&
                    !isnan(def->breakForce) && !isnan(def->breakTorque);
    for (int i = 0; i < def->presetLimitCount; ++i)
    {
        areValid = areValid && IsValidLimit(&def->presetLimits[i]);
    }
    for (int i = 0; i < def->limitCount; ++i)
    {
        areValid = areValid && IsValidLimit(&def->limits[i]);
    }
    for (int i = 0; i < def->driveCount; ++i)
    {
        areValid = areValid && IsValidDrive(&def->drives[i]);
    }
    return areValid;
}

tdJointId tdCreateJoint(tdWorld* world, const tdJointDef* def)
{
    tdJointSet* set = world->joints;
    TD_ASSERT(!world->isLocked);
    TD_ASSERT_DEF(def);
    TD_ASSERT(def->limitCount >= 0 && def->driveCount >= 0);
    TD_ASSERT(def->presetLimitCount >= 0 && def->presetLimitCount <= TD_MAX_PRESET_LIMITS);
    if (!TD_ACCEPT(world, HasValidJointNumbers(def)))
    {
        return (tdJointId){0, 0};
    }
    TD_ASSERT(tdDotQuat(def->frameA.rotation, def->frameA.rotation) > 0.5f);
    TD_ASSERT(tdDotQuat(def->frameB.rotation, def->frameB.rotation) > 0.5f);
    const tdJointId null = {0, 0};
    int index = set->freeJoint;
    if (index < 0)
    {
        if (!tdArray_Push(&world->allocator, &set->joints, (tdJoint){0}))
        {
            world->status = TD_STATUS_OUT_OF_MEMORY;
            return null;
        }
        index = set->joints.count - 1;
        set->joints.data[index].nextFree = -1;
        set->freeJoint = index;
    }
    tdJoint* joint = set->joints.data + index;
    int nextFree = joint->nextFree;
    uint32_t generation = joint->generation + 1;
    *joint = (tdJoint){.nextFree = nextFree, .generation = generation, .tree = -1};
    joint->bodyA = def->bodyA.index1 != 0 ? tdWorld_GetBodyIndex(world, def->bodyA) : -1;
    joint->bodyB = def->bodyB.index1 != 0 ? tdWorld_GetBodyIndex(world, def->bodyB) : -1;
    TD_ASSERT(joint->bodyA >= 0 || joint->bodyB >= 0);
    joint->enableCollision = def->enableCollision;
    bool made =
        tdJoint_AllocateArrays(world, joint, def->presetLimitCount + def->limitCount, def->driveCount);
    if (made && !def->enableCollision && !ExcludeCollision(world, joint))
    {
        tdJoint_FreeArrays(world, joint);
        made = false;
    }
    if (!made)
    {
        world->status = TD_STATUS_OUT_OF_MEMORY;
        return null;
    }
    set->freeJoint = nextFree;
    set->liveCount += 1;
    set->forest.isStale = true;
    joint->isLive = true;
    joint->frameA = (tdTransform){def->frameA.position, tdNormalizeQuat(def->frameA.rotation)};
    joint->frameB = (tdTransform){def->frameB.position, tdNormalizeQuat(def->frameB.rotation)};
    joint->breakForce = def->breakForce;
    joint->breakTorque = def->breakTorque;
    joint->userData = def->userData;
    tdWorld_NoteCreation(world, TD_CREATED_JOINT, joint->limitCount, joint->bodyA, joint->bodyB,
                         joint->frameA);
    for (int i = 0; i < def->presetLimitCount; ++i)
    {
        joint->limits[i] = def->presetLimits[i];
    }
    if (def->limitCount > 0)
    {
        memcpy(joint->limits + def->presetLimitCount, def->limits,
               (size_t)def->limitCount * sizeof(tdJointLimit));
    }
    if (def->driveCount > 0)
    {
        memcpy(joint->drives, def->drives, (size_t)def->driveCount * sizeof(tdJointDrive));
    }
    tdJoint_Compile(joint);
    StartTurnCounts(world, joint, joint->turnAxes);
    MarkJointMoved(world, joint);
    LinkJoint(world, index, 0);
    LinkJoint(world, index, 1);
    if (joint->bodyA >= 0 && joint->bodyB >= 0)
    {
        tdWorld_LinkBodies(world, joint->bodyA, joint->bodyB);
    }
    WakeJoint(world, joint);
    tdJointId id = tdWorld_MakeJointId(world, index);
    if (tdCallLog_IsOn(world->calls))
    {
        tdCallLog_AddJoint(world->calls, def, id);
    }
    return id;
}

static void DestroyJointAt(tdWorld* world, int index)
{
    tdJointSet* set = world->joints;
    tdJoint* joint = set->joints.data + index;
    WakeJoint(world, joint);
    tdJoint_AllowCollision(world, joint);
    UnlinkJoint(world, index, 0);
    UnlinkJoint(world, index, 1);
    if (joint->bodyA >= 0 && joint->bodyB >= 0 && !joint->isBroken)
    {
        tdWorld_UnlinkBodies(world, joint->bodyA, joint->bodyB);
    }
    tdJoint_FreeArrays(world, joint);
    joint->isLive = false;
    joint->nextFree = set->freeJoint;
    set->freeJoint = index;
    set->liveCount -= 1;
    set->forest.isStale = true;
}

void tdDestroyJoint(tdWorld* world, tdJointId id)
{
    TD_LOG_LONE_CALL(world->calls, TD_CALL_DESTROY_JOINT, id);
    TD_ASSERT(!world->isLocked);
    DestroyJointAt(world, (int)(GetJoint(world, id) - world->joints->joints.data));
}

void tdWorld_DestroyJointsOf(tdWorld* world, int body)
{
    while (world->bodies.data[body].jointHead >= 0)
    {
        DestroyJointAt(world, world->bodies.data[body].jointHead >> 1);
    }
}

void tdWorld_DetachJointsOf(tdWorld* world, int body)
{
    int cursor = -1, other;
    while ((other = tdWorld_GetJointNeighbour(world, body, &cursor)) >= 0)
    {
        tdWorld_UnlinkBodies(world, body, other);
    }
}

void tdWorld_AttachJointsOf(tdWorld* world, int body)
{
    tdWorld_MarkJointTreesStale(world, body);
    int cursor = -1, other;
    while ((other = tdWorld_GetJointNeighbour(world, body, &cursor)) >= 0)
    {
        tdWorld_LinkBodies(world, body, other);
    }
}

void tdWorld_MarkJointTreesStale(tdWorld* world, int body)
{
    tdJointSet* set = world->joints;
    set->forest.isStale |= world->bodies.data[body].jointCount > 0;
}

void tdWorld_WakeJointsOf(tdWorld* world, int body)
{
    const tdJointSet* set = world->joints;
    for (int key = world->bodies.data[body].jointHead; key >= 0;
         key = set->joints.data[key >> 1].next[key & 1])
    {
        WakeJoint(world, set->joints.data + (key >> 1));
    }
}

void tdWorld_MoveJointsOf(tdWorld* world, int body)
{
    tdJointSet* set = world->joints;
    for (int key = world->bodies.data[body].jointHead; key >= 0;
         key = set->joints.data[key >> 1].next[key & 1])
    {
        tdJoint* joint = set->joints.data + (key >> 1);
        MarkJointMoved(world, joint);
        WakeJoint(world, joint);
    }
}

bool tdJoint_SetSide(tdWorld* world, tdJointId id, int side, tdBodyId bodyId, tdTransform frame)
{
    TD_ASSERT(!world->isLocked);
    tdJoint* joint = GetJoint(world, id);
    int index = (int)(joint - world->joints->joints.data);
    int body = tdWorld_GetBodyIndex(world, bodyId);
    frame.rotation = tdNormalizeQuat(frame.rotation);
    *(side == 0 ? &joint->frameA : &joint->frameB) = frame;
    bool isGood = true;
    if (body != GetJointBody(joint, side))
    {
        tdJoint_AllowCollision(world, joint);
        if (joint->bodyA >= 0 && joint->bodyB >= 0 && !joint->isBroken)
        {
            tdWorld_UnlinkBodies(world, joint->bodyA, joint->bodyB);
        }
        UnlinkJoint(world, index, side);
        *(side == 0 ? &joint->bodyA : &joint->bodyB) = body;
        LinkJoint(world, index, side);
        if (joint->bodyA >= 0 && joint->bodyB >= 0 && !joint->isBroken)
        {
            tdWorld_LinkBodies(world, joint->bodyA, joint->bodyB);
        }
        isGood = joint->enableCollision || joint->isBroken || ExcludeCollision(world, joint);
        world->joints->forest.isStale = true;
    }
    MarkJointMoved(world, joint);
    WakeJoint(world, joint);
    return isGood;
}

// Queries and changes.

tdBodyId tdJoint_GetBodyA(const tdWorld* world, tdJointId id)
{
    int body = GetJoint(world, id)->bodyA;
    return body >= 0 ? tdWorld_MakeBodyId(world, body) : (tdBodyId){0, 0};
}

tdBodyId tdJoint_GetBodyB(const tdWorld* world, tdJointId id)
{
    int body = GetJoint(world, id)->bodyB;
    return body >= 0 ? tdWorld_MakeBodyId(world, body) : (tdBodyId){0, 0};
}

tdTransform tdJoint_GetFrameA(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->frameA;
}

tdTransform tdJoint_GetFrameB(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->frameB;
}

uint64_t tdJoint_GetUserData(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->userData;
}

void tdJoint_SetUserData(tdWorld* world, tdJointId id, uint64_t userData)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_JOINT_SET_USER_DATA, id, userData);
    GetJoint(world, id)->userData = userData;
}

bool tdJoint_GetEnableCollision(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->enableCollision;
}

void tdJoint_SetEnableCollision(tdWorld* world, tdJointId id, bool enableCollision)
{
    TD_LOG_ID_CALL(world->calls, TD_CALL_JOINT_SET_ENABLE_COLLISION, id, enableCollision);
    tdJoint* joint = GetJoint(world, id);
    joint->enableCollision = enableCollision;
    WakeJoint(world, joint);
    if (enableCollision)
    {
        tdJoint_AllowCollision(world, joint);
    }
    else if (!joint->isBroken && !ExcludeCollision(world, joint))
    {
        world->status = TD_STATUS_OUT_OF_MEMORY;
    }
}

int tdJoint_GetLimitCount(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->limitCount;
}

tdJointLimit tdJoint_GetLimit(const tdWorld* world, tdJointId id, int limit)
{
    const tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(limit >= 0 && limit < joint->limitCount);
    return joint->limits[limit];
}

/// State of a block between steps, and the members that identify the same block after a recompilation.
typedef struct BlockState
{
    uint8_t kind, law;
    int8_t axis;
    int16_t limit, drive;
    float impulse[3], last[2];
} BlockState;

/// Compiles the joint again. Blocks of the same meaning keep their impulses.
static void RecompileJoint(tdWorld* world, tdJoint* joint)
{
    bool wasLoose = joint->isLoose;
    enum
    {
        MAX_KEPT_BLOCKS = 128
    };
    BlockState old[MAX_KEPT_BLOCKS];
    int first = tdMaxInt(joint->blockCount - MAX_KEPT_BLOCKS, 0), oldCount = joint->blockCount - first;
    for (int k = 0; k < oldCount; ++k)
    {
        const tdJointBlock* block = joint->blocks + first + k;
        old[k] = (BlockState){block->kind,
                              block->law,
                              block->axis,
                              block->limits[0],
                              block->drive,
                              {block->impulse[0], block->impulse[1], block->impulse[2]},
                              {block->last[0], block->last[1]}};
    }
    unsigned oldAxes = joint->turnAxes;
    tdJoint_Compile(joint);
    StartTurnCounts(world, joint, joint->turnAxes & ~oldAxes);
    world->joints->forest.isStale |= joint->isLoose != wasLoose;
    MarkJointMoved(world, joint);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        tdJointBlock* block = joint->blocks + i;
        for (int k = 0; k < oldCount; ++k)
        {
            const BlockState* was = old + k;
            bool isSame = was->kind == block->kind && was->law == block->law && was->axis == block->axis &&
                          was->drive == block->drive && was->limit == block->limits[0];
            if (isSame)
            {
                memcpy(block->impulse, was->impulse, sizeof(block->impulse));
                memcpy(block->last, was->last, sizeof(block->last));
                break;
            }
        }
    }
}

void tdJoint_SetLimit(tdWorld* world, tdJointId id, int limit, tdJointLimit value)
{
    struct
    {
        int32_t index;
        tdJointLimit value;
    } call = {limit, value};
    TD_LOG_ID_CALL(world->calls, TD_CALL_JOINT_SET_LIMIT, id, call);
    tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(limit >= 0 && limit < joint->limitCount);
    if (!TD_ACCEPT(world, IsValidLimit(&value)))
    {
        return;
    }
    joint->limits[limit] = value;
    RecompileJoint(world, joint);
    WakeJoint(world, joint);
}

int tdJoint_GetDriveCount(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->driveCount;
}

tdJointDrive tdJoint_GetDrive(const tdWorld* world, tdJointId id, int drive)
{
    const tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(drive >= 0 && drive < joint->driveCount);
    return joint->drives[drive];
}

void tdJoint_SetDrive(tdWorld* world, tdJointId id, int drive, tdJointDrive value)
{
    struct
    {
        int32_t index;
        tdJointDrive value;
    } call = {drive, value};
    TD_LOG_ID_CALL(world->calls, TD_CALL_JOINT_SET_DRIVE, id, call);
    tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(drive >= 0 && drive < joint->driveCount);
    if (!TD_ACCEPT(world, IsValidDrive(&value)))
    {
        return;
    }
    joint->drives[drive] = value;
    RecompileJoint(world, joint);
    WakeJoint(world, joint);
}

float tdJoint_GetLimitValue(const tdWorld* world, tdJointId id, int limit)
{
    const tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(limit >= 0 && limit < joint->limitCount);
    tdTransform relative = tdJoint_GetRelative(world, joint);
    const tdJointLimit* value = joint->limits + limit;
    int axis = tdGetAxisOfSet(value->angularAxes);
    if (value->linearAxes == 0 && tdCountAxes(value->angularAxes) == 1 && tdHasAxis(joint->turnAxes, axis) &&
        tdJoint_CountsLimit(joint, axis, value->min, value->max))
    {
        return tdJoint_MeasureCounted(joint, relative.rotation, axis);
    }
    return tdMeasureLimit(value, relative.position, relative.rotation);
}

float tdJoint_GetDriveValue(const tdWorld* world, tdJointId id, int drive)
{
    const tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(drive >= 0 && drive < joint->driveCount);
    tdTransform relative = tdJoint_GetRelative(world, joint);
    for (int i = 0; i < joint->blockCount; ++i)
    {
        const tdJointBlock* block = joint->blocks + i;
        if (block->drive == drive && block->kind == TD_BLOCK_TWIST)
        {
            return tdJoint_MeasureCounted(joint, relative.rotation, block->axis);
        }
        if (block->drive == drive && block->kind == TD_BLOCK_VECTOR)
        {
            return tdMeasureRotationVector(relative.rotation, block->axis);
        }
        if (block->drive == drive)
        {
            return tdGetComponent(relative.position, block->axis);
        }
    }
    return 0.0f;
}

tdVec3 tdJoint_GetLimitReaction(const tdWorld* world, tdJointId id, int limit)
{
    const tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(limit >= 0 && limit < joint->limitCount);
    return joint->limitReactions[limit];
}

tdVec3 tdJoint_GetDriveReaction(const tdWorld* world, tdJointId id, int drive)
{
    const tdJoint* joint = GetJoint(world, id);
    TD_ASSERT(drive >= 0 && drive < joint->driveCount);
    return joint->driveReactions[drive];
}

tdVec3 tdJoint_GetForce(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->force;
}

tdVec3 tdJoint_GetTorque(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->torque;
}

void tdJoint_SetBreakLimits(tdWorld* world, tdJointId id, float breakForce, float breakTorque)
{
    float values[2] = {breakForce, breakTorque};
    TD_LOG_ID_CALL(world->calls, TD_CALL_JOINT_SET_BREAK_LIMITS, id, values);
    tdJoint* joint = GetJoint(world, id);
    if (TD_ACCEPT(world, !isnan(breakForce) && !isnan(breakTorque)))
    {
        joint->breakForce = breakForce;
        joint->breakTorque = breakTorque;
    }
}

float tdJoint_GetBreakForce(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->breakForce;
}

float tdJoint_GetBreakTorque(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->breakTorque;
}

bool tdJoint_IsBroken(const tdWorld* world, tdJointId id)
{
    return GetJoint(world, id)->isBroken;
}

const tdJointBreakEvent* tdWorld_GetJointBreakEvents(const tdWorld* world, int* count)
{
    const tdJointSet* set = world->joints;
    *count = set->breakEvents.count;
    return set->breakEvents.data;
}
