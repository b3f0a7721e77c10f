// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Triggers that fast bodies pass within one step (docs/decisions/045-trigger-passages.md).
#pragma once

#include "tendon/physics.h"

/// Report an enter and an exit for each shape that was outside of a trigger at the start and at the end of
/// the step and passed through it in between. Call it when the triggers of the end of the step are collected.
void tdWorld_SweepTriggers(tdWorld* world);
