// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// WebAssembly exports for web/module/tendon.js: functions over numbers and addresses.
// Results that do not fit into one number pass through the record, a shared array of doubles. records.def defines its
// layouts for both sides; indices, floats and addresses are exact in a double. An instance runs on one thread, so one
// record and one report suffice.
#pragma once

#include "tendon/tendon.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/// Doubles in the record.
#define RECORD_SIZE 64

/// The shared record. Exports write their results here and read their longer arguments from here.
extern double record[RECORD_SIZE];

#define RECORD(name, text)                                                                                                                 \
    typedef struct name##Record                                                                                                            \
    {
#define ARGUMENTS(name, text) RECORD(name, text)
#define END(name)                                                                                                                          \
    }                                                                                                                                      \
    name##Record;                                                                                                                          \
    _Static_assert(sizeof(name##Record) <= sizeof(double[RECORD_SIZE]), "the record " #name " does not fit");
#define NUMBER(field) double field;
#define FLAG(field) double field;
#define TEXT(field) double field;
#define ADDRESS(field) double field;
#define NUMBERS(field, count) double field[count];
#define CHOICE(field, names) double field;
#include "records.def"
#undef RECORD
#undef ARGUMENTS
#undef END
#undef NUMBER
#undef FLAG
#undef TEXT
#undef ADDRESS
#undef NUMBERS
#undef CHOICE

/// The shared record with the layout of `name`.
#define GET_RECORD(name) ((name##Record*)record)

/// Starts the report of this call; it replaces the one of the call before. NULL when memory ran out.
tdReport* NewReport(void);

/// Limits that td_limits_set collected for the next asset or stage.
tdLimits GetNextLimits(void);

/// An actor with the arrays that overlays are drawn from.
typedef struct Actor
{
    tdActor* actor;
    const tdAsset* asset;
    tdWorld* world;
    int scene;                             // index as given by the caller; -1: the default scene
    int shapeCount, bodyCount, jointCount; // of that scene; 0 without physics
    float* shapeTransforms;                // 7 floats each
    uint8_t* shapeStates;
    float* centers;     // 3 floats each
    float* jointFrames; // 14 floats each
    int* nodes;         // node of a shape by the index in its id; -1: another actor's shape
    int nodeCount;
} Actor;

/// The record of an actor that a replay made, to be freed with td_actor_free. NULL when memory ran out.
Actor* WrapActor(tdActor* actor, int scene, bool physics);

/// Makes a report the one of the last call, which td_report_get reads. It is owned then.
void AdoptReport(tdReport* adopted);

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

static inline tdVec3 TakeVec3(const double* in)
{
    return (tdVec3){(float)in[0], (float)in[1], (float)in[2]};
}

static inline tdQuat TakeQuat(const double* in)
{
    return (tdQuat){(float)in[0], (float)in[1], (float)in[2], (float)in[3]};
}

/// The address of a text or object as a record carries it.
static inline double PutAddress(const void* address)
{
    return (double)(uintptr_t)address;
}

