// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Packs: the joints of a group that is not full, of several poses, in full vectors. The states are copied into
// the pack, one pose after the other, and back at the end of the level. See docs/decisions/185. Included by
// spring_kernels.inl.

/// A group that is not full has at most seven joints, so that a pack has at most seven vectors per eight poses.
#define PACK_VECTORS (TD_SPRING_PACK_LANES / TD_SPRING_LANES)
/// Lanes of a pack, and those that the copy of the last pose writes beyond them.
#define PACK_FLOATS (PACK_VECTORS * TD_SPRING_LANES + TD_SPRING_LANES)

/// Floats of the state of a group.
#define TAIL_FLOATS (3 * TD_SPRING_LANES)
#define ROTATION_FLOATS (4 * TD_SPRING_LANES)

struct SpringPack
{
    float tails[3][PACK_FLOATS], previousTails[3][PACK_FLOATS], rotations[4][PACK_FLOATS]; // by lane
    tdSpringLaneParameters parameters[PACK_VECTORS]; // if poses have their own
    const tdSpringCrowd* crowd;
    int group, packStart;
    int width;     // joints of the group
    int laneCount; // joints of all poses
    bool hasLost;  // previous tails changed
};

TD_SIMD_INLINE const tdSpringRun* GetLaneRun(const GroupRun* it, int lane)
{
    return it->pack != NULL ? it->pack->crowd->lanes[it->group->laneRuns[lane]] : it->run;
}

// The lane of a joint in tdSpringGroupInfo and tdSpringState.
TD_SIMD_INLINE int GetJointLane(const GroupRun* it, int lane)
{
    return it->pack != NULL ? it->group->laneJoints[lane] : lane;
}

static RARE unsigned FindMirrored(const GroupRun* it)
{
    unsigned mirrored = 0;
    for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
    {
        mirrored |= GetLaneRun(it, lane)->pose->mirrorCount != 0 ? 1u << lane : 0u;
    }
    return mirrored;
}

static RARE const tdSpringLaneParameters* CopyPackParameters(SpringPack* pack, int vector)
{
    for (int lane = 0; lane < TD_SPRING_LANES; ++lane)
    {
        int place = vector * TD_SPRING_LANES + lane;
        const tdSpringRun* run = pack->crowd->lanes[place / pack->width];
        tdSpringPlan_PackParameters(&run->state->parameters[pack->group], place % pack->width, lane,
                                    &pack->parameters[vector]);
    }
    return &pack->parameters[vector];
}

TD_SIMD_INLINE const tdSpringLaneParameters* GetPackParameters(SpringPack* pack, int vector)
{
    return pack->crowd->ownsParameters
               ? CopyPackParameters(pack, vector)
               : &pack->crowd->runs->state->plan->packParameters[pack->packStart + vector];
}

// The lanes of a vector whose nodes springs write.
TD_SIMD_INLINE unsigned FindWrittenLanes(const GroupRun* it)
{
    unsigned written = it->joints;
    for (int lane = 0; lane < TD_SPRING_LANES && !it->pack->crowd->writesAll; ++lane)
    {
        unsigned bits = GetLaneRun(it, lane)->state->written[it->index];
        written &= (bits >> it->group->laneJoints[lane] & 1u) != 0 ? ~0u : ~(1u << lane);
    }
    return written;
}

// Copies the state of the poses into the pack.
// @return number of vectors
static int StartPack(SpringPack* pack, const tdSpringCrowd* crowd, int index)
{
    const tdSpringGroup* group = &crowd->runs->state->plan->groups[index];
    int width = group->count, laneCount = crowd->runCount * width;
    int vectors = (laneCount + TD_SPRING_LANES - 1) / TD_SPRING_LANES;
    pack->crowd = crowd;
    pack->group = index;
    pack->packStart = group->packStart;
    pack->width = width;
    pack->laneCount = laneCount;
    pack->hasLost = false;
    // Each copy has eight lanes; the copy of the next pose overwrites those that are no joints. Lanes beyond
    // the last pose repeat the first one.
    float *tails = pack->tails[0], *previousTails = pack->previousTails[0];
    size_t from = (size_t)index * TAIL_FLOATS;
    for (int i = 0; i * width < vectors * TD_SPRING_LANES; ++i)
    {
        StoreRows(tails, PACK_FLOATS, tdLoadVec3x8(crowd->tails[i] + from));
        StoreRows(previousTails, PACK_FLOATS, tdLoadVec3x8(crowd->previousTails[i] + from));
        tails += width;
        previousTails += width;
    }
    return vectors;
}

// Copies the state of the poses from the pack. Lanes that are no joints get any values (tdSpringState_Normalize).
static void FinishPack(const SpringPack* pack)
{
    const tdSpringCrowd* crowd = pack->crowd;
    size_t toTails = (size_t)pack->group * TAIL_FLOATS, toRotations = (size_t)pack->group * ROTATION_FLOATS;
    const float *tails = pack->tails[0], *previousTails = pack->previousTails[0];
    const float* rotations = pack->rotations[0];
    for (int i = 0; i < crowd->runCount; ++i)
    {
        tdStoreVec3x8(crowd->tails[i] + toTails, LoadRows(tails, PACK_FLOATS));
        tdStoreVec3x8(crowd->rotations[i] + toRotations, LoadRows(rotations, PACK_FLOATS));
        tdStore8(crowd->rotations[i] + toRotations + 3 * TD_SPRING_LANES,
                 tdLoad8(rotations + 3 * PACK_FLOATS));
        tails += pack->width;
        rotations += pack->width;
    }
    for (int i = 0; i < crowd->runCount && pack->hasLost; ++i)
    {
        tdStoreVec3x8(crowd->previousTails[i] + toTails, LoadRows(previousTails, PACK_FLOATS));
        previousTails += pack->width;
    }
}
