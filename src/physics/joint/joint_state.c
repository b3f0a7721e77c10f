// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints in saved states and hashes.
#include "physics/joint/joint_state.h"

#include "base/hash.h"
#include "physics/data/joint_data.h"
#include "physics/data/state_stream.h"
#include "physics/data/world_data.h"
#include "physics/joint/joint.h"
#include "physics/joint/joint_block.h"

#include <string.h>

uint64_t tdWorld_HashJoints(const tdWorld* world, uint64_t hash)
{
    const tdJointSet* set = world->joints;
    for (int i = 0; i < set->joints.count; ++i)
    {
        const tdJoint* joint = set->joints.data + i;
        for (int b = 0; joint->isLive && b < joint->blockCount; ++b)
        {
            const tdJointBlock* block = joint->blocks + b;
            hash = tdHash(hash, block->impulse, sizeof(block->impulse));
            hash = tdHash(hash, block->last, sizeof(block->last));
        }
        if (joint->isLive && joint->turnAxes != 0)
        {
            hash = tdHash(hash, joint->twist, sizeof(joint->twist));
            hash = tdHash(hash, joint->turns, sizeof(joint->turns));
        }
    }
    return hash;
}

static void StreamJoint(tdWorld* world, tdStateStream* stream, tdJoint* joint)
{
    tdJoint flat = *joint;
    if (stream->mode != TD_STATE_READ)
    {
        flat.limitsSpace = flat.limitReactionsSpace = 0;
        flat.drivesSpace = flat.driveReactionsSpace = 0;
        flat.blocksSpace = 0;
    }
    tdState_Value(stream, &flat);
    if (stream->mode == TD_STATE_READ)
    {
        *joint = flat;
        joint->limits = NULL;
        joint->limitReactions = NULL;
        joint->drives = NULL;
        joint->driveReactions = NULL;
        joint->blocks = NULL;
        size_t left = stream->size - stream->at;
        bool isSound = !stream->failed && flat.limitCount >= 0 && flat.limitCount < INT16_MAX &&
                       flat.driveCount >= 0 && flat.driveCount < INT16_MAX && flat.blockCount >= 0 &&
                       flat.blockCount <= flat.limitCount + flat.driveCount &&
                       (size_t)flat.limitCount <= left / sizeof(tdJointLimit) &&
                       (size_t)flat.driveCount <= left / sizeof(tdJointDrive);
        if (!isSound)
        {
            joint->limitCount = joint->driveCount = joint->blockCount = 0;
            stream->failed = true;
            return;
        }
        int blockCount = flat.blockCount;
        if (!tdJoint_AllocateArrays(world, joint, flat.limitCount, flat.driveCount))
        {
            stream->failed = true;
            return;
        }
        joint->blockCount = blockCount;
    }
    tdState_Bytes(stream, joint->limits, (size_t)joint->limitCount * sizeof(tdJointLimit));
    tdState_Bytes(stream, joint->limitReactions, (size_t)joint->limitCount * sizeof(tdVec3));
    tdState_Bytes(stream, joint->drives, (size_t)joint->driveCount * sizeof(tdJointDrive));
    tdState_Bytes(stream, joint->driveReactions, (size_t)joint->driveCount * sizeof(tdVec3));
    tdState_Bytes(stream, joint->blocks, (size_t)joint->blockCount * sizeof(tdJointBlock));
}

bool tdWorld_StreamJoints(tdWorld* world, tdStateStream* stream)
{
    tdJointSet* set = world->joints;
    int jointCount = set->joints.count;
    tdState_Value(stream, &jointCount);
    tdState_Value(stream, &set->freeJoint);
    tdState_Value(stream, &set->liveCount);
    if (stream->mode == TD_STATE_READ)
    {
        for (int i = 0; i < set->joints.count; ++i)
        {
            tdJoint_FreeArrays(world, set->joints.data + i);
        }
        set->joints.count = 0;
        if (stream->failed || jointCount < 0 ||
            (size_t)jointCount > (stream->size - stream->at) / sizeof(tdJoint) ||
            !tdArray_Reserve(&world->allocator, &set->joints, jointCount))
        {
            stream->failed = true;
            return false;
        }
        if (jointCount > 0)
        {
            memset(set->joints.data, 0, (size_t)jointCount * sizeof(tdJoint));
        }
        set->joints.count = jointCount;
        set->breakEvents.count = 0;
        set->forest.isStale = set->hasMoved = true;
    }
    for (int i = 0; i < jointCount && !stream->failed; ++i)
    {
        StreamJoint(world, stream, set->joints.data + i);
    }
    return !stream->failed;
}
