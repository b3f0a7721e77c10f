// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Preferences between separating axes, common to boxes, polytopes and meshes
// (docs/decisions/050-narrow-phase.md).
#pragma once

/// Squared sine of the angle between two edges below which they are parallel and their cross product is no
/// axis: 0.6 degrees.
#define TD_PARALLEL_SINE_SQUARED 1.0e-4f
/// Separation that a new axis must gain over the last one, relative to the inner radius, so that a resting
/// contact keeps its axis.
#define TD_AXIS_GAIN 2.0e-3f
/// A face gives several points that persist from step to step, an edge pair only one, which pushes deep
/// overlaps badly. An edge pair must therefore gain this share of the depth plus TD_EDGE_GAINS times
/// TD_AXIS_GAIN over the best face.
#define TD_EDGE_DEPTH_GAIN 0.1f
#define TD_EDGE_GAINS 5.0f
/// Factor on that gain for an edge pair that had the contact in the last step.
#define TD_EDGE_HYSTERESIS 0.5f
/// Slack of comparisons with the limiting cosine of an edge, so that rounding excludes no normal at the
/// limit.
#define TD_COSINE_SLACK 0.01f
