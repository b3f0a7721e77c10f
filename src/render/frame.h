// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A frame: the vertices of a model in world space, in the pose of an actor.
#pragma once

#include "model.h"

#include "tendon/render.h"

typedef struct tdFrame
{
    tdVec3* positions; // by vertex of the model
    tdVec3* normals;   // not normalised; of parts with normals only
    int* partNumbers;  // by triangle of the model
    bool* isFlipped;   // by part: its transform mirrors, so the winding is reversed
} tdFrame;

/// Allocates the arrays. False when memory ran out.
bool tdFrame_Init(tdFrame* frame, const tdModel* model, tdArena* arena);
/// Computes the vertices in the current pose.
void tdFrame_Pose(tdFrame* frame, const tdModel* model, const tdActor* actor);
/// The three vertices of a triangle of the model, in the order of a front face.
void tdFrame_GetCorners(const tdFrame* frame, const tdModel* model, int triangle, int corners[3]);
/// Box around the vertices of a part.
tdBox tdFrame_GetPartBox(const tdFrame* frame, const tdPart* part);
