// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The calls that change a stage, as bytes in the order in which they were made, for recordings
// (tendon/record.h). A world without a log pays one comparison per call. Functions of the library that make
// such calls themselves pause the log meanwhile.
#pragma once

#include "base/array.h"

#include "tendon/joint.h"
#include "tendon/physics.h"

typedef enum tdCall
{
#define TD_CALL(id, name) TD_CALL_##id,
#include "physics/data/calls.def"
#undef TD_CALL
    TD_CALL_COUNT
} tdCall;

/// Bits of an id's generation that do not depend on the world.
#define TD_CALL_GENERATION_MASK 0x00ffffffu

typedef struct tdCallLog
{
    tdAllocator allocator;
    tdArray(uint8_t) bytes; // a byte per call for its kind, then its arguments
    int pauseCount;         // > 0: calls are not logged
    bool isOutOfMemory;     // a call is missing
    /// Gives the number of a hull or mesh in the recording; UINT32_MAX: it cannot be recorded.
    uint32_t (*noteGeometry)(void* context, const tdGeometry* geometry);
    void* context;
} tdCallLog;

/// Bytes of one argument. Numbers are little-endian on every platform that Tendon runs on.
typedef struct tdCallPart
{
    const void* data;
    size_t size;
} tdCallPart;

#define TD_CALL_PART(value)                                                                                  \
    {                                                                                                        \
        &(value), sizeof(value)                                                                              \
    }

/// Logs a call with its arguments, each a TD_CALL_PART.
#define TD_LOG_CALL(log, call, ...)                                                                          \
    do                                                                                                       \
    {                                                                                                        \
        if (tdCallLog_IsOn(log))                                                                             \
        {                                                                                                    \
            const tdCallPart parts_[] = {__VA_ARGS__};                                                       \
            tdCallLog_Add((log), (call), parts_, (int)(sizeof(parts_) / sizeof(parts_[0])));                 \
        }                                                                                                    \
    } while (0)

/// Logs a call on a body, shape or joint: its id, then one argument.
#define TD_LOG_ID_CALL(log, call, id, value)                                                                 \
    do                                                                                                       \
    {                                                                                                        \
        if (tdCallLog_IsOn(log))                                                                             \
        {                                                                                                    \
            tdCallLog_AddOnId((log), (call), (id).index1, (id).generation, &(value), sizeof(value));         \
        }                                                                                                    \
    } while (0)

/// Logs a call on a body, shape or joint without further arguments.
#define TD_LOG_LONE_CALL(log, call, id)                                                                      \
    do                                                                                                       \
    {                                                                                                        \
        if (tdCallLog_IsOn(log))                                                                             \
        {                                                                                                    \
            tdCallLog_AddOnId((log), (call), (id).index1, (id).generation, NULL, 0);                         \
        }                                                                                                    \
    } while (0)

static inline bool tdCallLog_IsOn(const tdCallLog* log)
{
    return log != NULL && log->pauseCount == 0;
}

/// Stops logging until as many calls of tdCallLog_Resume. `log` may be NULL.
static inline void tdCallLog_Pause(tdCallLog* log)
{
    if (log != NULL)
    {
        log->pauseCount += 1;
    }
}

static inline void tdCallLog_Resume(tdCallLog* log)
{
    if (log != NULL)
    {
        log->pauseCount -= 1;
    }
}

/// Appends a call. If memory runs out, `isOutOfMemory` is set.
void tdCallLog_Add(tdCallLog* log, tdCall call, const tdCallPart* parts, int partCount);
/// Appends a call on an object with an id, and one argument.
void tdCallLog_AddOnId(tdCallLog* log, tdCall call, uint32_t index1, uint32_t generation, const void* value,
                       size_t size);
void tdCallLog_AddBody(tdCallLog* log, const tdBodyDef* def, tdBodyId made);
void tdCallLog_AddFilter(tdCallLog* log, const tdFilterDef* def, tdFilterId made);
/// @param sizes dimensions of the shape, as the function of `call` takes them, or the number of its geometry
void tdCallLog_AddShape(tdCallLog* log, tdCall call, tdBodyId body, const tdShapeDef* def, tdCallPart sizes,
                        tdShapeId made);
void tdCallLog_AddJoint(tdCallLog* log, const tdJointDef* def, tdJointId made);

/// Name of the function of a call; "" out of range. A static string.
const char* tdCall_GetName(int call);
