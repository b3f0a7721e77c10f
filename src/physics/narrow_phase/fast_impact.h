// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Impacts of fast bodies (docs/decisions/026-scale-and-fast-impacts.md).
#pragma once

#include "geometry/time_of_impact.h"
#include "physics/data/world_data.h"

/// Velocity of a body at a point of the world, m/s.
tdVec3 tdWorld_GetVelocityAt(const tdWorld* world, int body, tdVec3 point);
/// Solves the impact of a body with a static or kinematic shape. The impulses that stop all points are scaled
/// by 1 + restitution (Poisson), which never adds energy: with the change K p of the speeds u it is
/// s p u + s^2 p K p / 2 for a factor s, so s is at most -2 p u / (p K p).
/// @param distance of the surfaces at the impact, m
/// @return the sum of the impulses if the body bounces, else 0
float tdSolveFastImpact(const tdWorld* world, const tdFastBody* found, float distance, tdTransform pose,
                        tdBodyMotion* motion);
/// Slows a body that turns too fast for the friction of its contacts (ReleaseSpinningBodies in
/// narrow_phase.c): the friction of their impulses acts on half of the outer radius against the spin. It
/// cannot reverse it.
void tdWorld_RubSpinningBody(tdWorld* world, int simIndex);

/// A part of the motion of a body in a step, with the velocities at its start and at its end.
typedef struct tdMotionSegment
{
    tdBodyMotion start, end;
} tdMotionSegment;

/// Motion at a fraction of a segment. The angular velocity is interpolated in the frame of the body, where
/// its energy is a fixed quadratic form: the energy is at most that of the start or of the end.
tdBodyMotion tdMotionSegment_At(const tdMotionSegment* segment, const tdSweep* sweep, float fraction);
/// Pose of a body that moves freely for a time in seconds.
tdTransform tdMoveFreely(const tdBodyMotion* motion, tdVec3 localCenter, tdVec3 gravity, float time);
/// A body whose core meets a surface that the body touches already: contacts act on it, so it keeps the rest
/// of its motion as solved, except for the part into the surface.
void tdMotionSegment_SlideAlong(const tdFastBody* impact, tdTransform targetEnd, tdVec3 localCenter,
                                tdMotionSegment* segment);
/// Rotates a body of infinite mass about its centre, about its free axes, so that the point of impact follows
/// the target.
tdTransform tdRotateWithPoint(const tdBodySim* sim, tdVec3 from, tdVec3 to, tdTransform pose);
