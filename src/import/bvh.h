// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// BVH: a skeleton of offsets and frames of Euler angles. bvh.c parses the text, bvh_scene.c makes a scene
// from it.
#pragma once

#include "import.h"

#include "scene/humanoid.h"

#define TD_BVH_MAX_CHANNELS 6

typedef enum tdBvhChannel
{
    TD_BVH_X_POSITION,
    TD_BVH_Y_POSITION,
    TD_BVH_Z_POSITION,
    TD_BVH_X_ROTATION,
    TD_BVH_Y_ROTATION,
    TD_BVH_Z_ROTATION,
} tdBvhChannel;

typedef struct tdBvhJoint
{
    const char* name; // of an end site: the name of its joint with "End" appended
    int parent;       // -1: a root
    tdVec3 offset;    // units of the file
    tdBvhChannel channels[TD_BVH_MAX_CHANNELS];
    int channelCount;
    int firstChannel; // index in a frame
    bool isEnd;
} tdBvhJoint;

/// The content of the file. Joints are in depth-first order.
typedef struct tdBvh
{
    tdBvhJoint* joints;
    int jointCount;
    int channelCount; // numbers per frame
    double frameTime; // s
    const float* frames;
    int frameCount;
} tdBvh;

/// True if the bytes look like BVH.
bool tdIsBvh(const char* text, size_t size);
/// @return false when nothing usable is there or memory ran out (reported)
bool tdParseBvh(const char* text, size_t size, tdArena* arena, tdReport* report, tdBvh* bvh);
