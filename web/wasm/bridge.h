// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The bridge between the library and web/module/tendon.js: plain functions over numbers and addresses.
// Whatever does not fit into one number goes through the record, an array of doubles that both sides know:
// indices, floats and addresses of texts are exact in it. An instance has one thread, so one record and one
// report are enough.
#pragma once

#include "tendon/tendon.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

#define RECORD_SIZE 64

/// Where calls leave what they found, and find what they were given.
extern double record[RECORD_SIZE];

/// The report of the last call that makes one. NULL when memory ran out.
tdReport* NewReport(void);

/// An actor with the arrays that overlays are drawn from.
typedef struct Actor
{
    tdActor* actor;
    const tdAsset* asset;
    tdWorld* world;
    int scene;                             // as asked for
    int shapeCount, bodyCount, jointCount; // those of the scene; 0 without physics
    float* shapeTransforms;                // 7 each
    uint8_t* shapeStates;
    float* centers;     // 3 each
    float* jointFrames; // 14 each
    int* nodes;         // of shapes, by the index in their id; -1: another's
    int nodeCount;
} Actor;

static inline void PutVec3(double* out, tdVec3 v)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static inline void PutQuat(double* out, tdQuat q)
{
    out[0] = (double)q.x;
    out[1] = (double)q.y;
    out[2] = (double)q.z;
    out[3] = (double)q.w;
}

static inline double PutText(const char* text)
{
    return (double)(uintptr_t)text;
}

tdVec3 Rotate(tdQuat q, tdVec3 v);
tdTransform Combine(tdTransform a, tdTransform b);
