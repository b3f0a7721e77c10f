// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colours of the constraint graph (solver/constraint_graph.h).
#pragma once

/// Colours whose constraints are solved in parallel: one bit each in a 64-bit set per body.
#define TD_COLOR_COUNT 64
/// The overflow colour, for constraints whose bodies have no free colour in common. Its groups run serially.
#define TD_COLOR_OVERFLOW 64
/// Length of a table of first items by colour: all colours, the overflow colour, and the end.
#define TD_COLOR_BOUNDS (TD_COLOR_COUNT + 2)
/// Values of tdJoint.color for joints that do not act in the step, and for joints of a joint tree.
#define TD_COLOR_NONE 255
#define TD_COLOR_TREE 254
