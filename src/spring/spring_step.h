// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// One step of the springs of a pose (docs/spec/springbone.md 4 and 5): tails swing, colliders push them out,
// and joints turn towards their tails. Eight joints run at a time; the kernels of all widths give the same
// bits.
#pragma once

#include "spring_state.h"

/// A step.
typedef struct tdSpringRun
{
    tdSpringState* state;
    tdNodePose* pose;    // swept
    float seconds;       // > 0
    tdSpringHitFcn* hit; // NULL: spring colliders alone
    void* hitContext;
    // Set by tdStepSprings
    bool writesAll; // springs write all joints
    bool isAtRest;  // the same; joints have the translations and scales of the file, tips its locals
} tdSpringRun;

/// Poses that step together, at most.
#define TD_SPRING_MAX_RUNS 8

/// Lanes of the joints of a group that is not full, of all poses (tdSpringGroup).
#define TD_SPRING_PACK_LANES (TD_SPRING_MAX_RUNS * (TD_SPRING_LANES - 1))

/// Poses that share a plan and step together. Arrays are by pose; entries beyond the last repeat the first.
typedef struct tdSpringCrowd
{
    const tdSpringRun* runs;
    int runCount;
    const tdSpringRun* lanes[TD_SPRING_MAX_RUNS];
    float* tails[TD_SPRING_MAX_RUNS]; // see tdSpringState
    float* previousTails[TD_SPRING_MAX_RUNS];
    float* rotations[TD_SPRING_MAX_RUNS];
    const float* colliders[TD_SPRING_MAX_RUNS];
    // Locals and globals of the pose of a lane, by lane of a pack whose poses have `packWidth` joints
    int packWidth;
    float* packLocals[TD_SPRING_PACK_LANES];
    float* packGlobals[TD_SPRING_PACK_LANES];
    bool writesAll;      // springs write all joints of all poses
    bool isAtRest;       // all poses are
    bool hasMirrors;     // some pose has
    bool hitsStage;      // some pose does
    bool ownsParameters; // some pose does
} tdSpringCrowd;

/// Runs the groups [start, end), which are one level.
typedef void tdSpringKernelFcn(const tdSpringCrowd* crowd, int start, int end);
/// Kernels; NULL where this build has none.
tdSpringKernelFcn* tdGetSpringKernelScalar(void);
tdSpringKernelFcn* tdGetSpringKernelSse2(void);
tdSpringKernelFcn* tdGetSpringKernelAvx2(void);
/// The kernel for a width that the processor has.
tdSpringKernelFcn* tdChooseSpringKernel(tdSimd simd);

/// Advances the states, turns the joints of the poses and sweeps them. Results do not depend on which poses
/// step together.
/// @param runs share a plan and `seconds`; count <= TD_SPRING_MAX_RUNS
void tdStepSprings(tdSpringRun* runs, int count, tdSpringKernelFcn* kernel);

// Functions that kernels call for single lanes

/// A tail within the limit of its joint.
/// @param toWorld rotation from the limit's frame to the world
tdVec3 tdLimitSpringTail(const tdSpringLimit* limit, tdQuat toWorld, tdVec3 head, tdVec3 tail, float length);
