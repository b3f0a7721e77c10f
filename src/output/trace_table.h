// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A trace as comma-separated values: a heading, then one row per frame.
#pragma once

#include "base/text.h"
#include "runtime/actor.h"

/// "time", then seven columns per node: NAME.x, .y, .z, .qx, .qy, .qz, .qw. A node without a name, or whose
/// name another one has, is called by its index, too. `nodes` NULL: all of them.
void tdAppendTableHeading(tdText* line, const tdActor* actor, const int* nodes, int nodeCount);
/// World transforms as in JSON Lines.
void tdAppendTableRow(tdText* line, const tdActor* actor, double time, const int* nodes, int nodeCount);
/// x,y,z,qx,qy,qz,qw
void tdAppendPose(tdText* line, tdVec3 position, tdQuat rotation);
void tdAppendFloat(tdText* line, float value);
