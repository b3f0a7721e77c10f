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
} tdSpringRun;

/// Runs the groups [start, end) of one level.
typedef void tdSpringKernelFcn(const tdSpringRun* run, int start, int end);
/// Kernels; NULL where this build has none.
tdSpringKernelFcn* tdGetSpringKernelScalar(void);
tdSpringKernelFcn* tdGetSpringKernelSse2(void);
tdSpringKernelFcn* tdGetSpringKernelAvx2(void);
/// The kernel for a width that the processor has.
tdSpringKernelFcn* tdChooseSpringKernel(tdSimd simd);

/// Advances the state, turns the joints of the pose and sweeps it.
void tdStepSprings(const tdSpringRun* run, tdSpringKernelFcn* kernel);

// What kernels do lane by lane

/// A tail within the limit of its joint.
/// @param toWorld rotation from the limit's frame to the world
tdVec3 tdLimitSpringTail(const tdSpringLimit* limit, tdQuat toWorld, tdVec3 head, tdVec3 tail, float length);
/// Direction of the tail at rest under a parent that scales unevenly or mirrors.
tdVec3 tdTurnSpringAxis(const tdMat4* parent, tdVec3 restAxis);
