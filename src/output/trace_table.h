// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A trace as comma-separated values: a header, then one row per frame.
#pragma once

#include "base/text.h"
#include "runtime/actor.h"

/// Appends the header: "time", then seven columns per node: NAME.x, .y, .z, .qx, .qy, .qz, .qw. The index is
/// part of the name if the name is missing or not unique. `nodes` NULL: all nodes.
void tdAppendTableHeading(tdText* line, const tdActor* actor, const int* nodes, int nodeCount);
/// Appends a row: world transforms as in JSON Lines.
void tdAppendTableRow(tdText* line, const tdActor* actor, double time, const int* nodes, int nodeCount);
/// x,y,z,qx,qy,qz,qw
void tdAppendPose(tdText* line, tdVec3 position, tdQuat rotation);
void tdAppendFloat(tdText* line, float value);
