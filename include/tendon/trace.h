// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// trace.h: writes an actor's motion as JSON Lines, one object per recorded frame and per event:
//
//     {"time":0,"nodes":[[tx,ty,tz,qx,qy,qz,qw],…],"locals":[[…],…],"expressions":{"happy":0.4},
//      "outputs":{"happy":0.4,"blink":0},"weights":[null,[0.4,0],…],
//      "materials":{"/materials/0/emissiveFactor":[1,0,0]}}
//     {"time":0.25,"event":"trigger_enter","a":7,"b":12}
//
// or as a table for spreadsheets:
//
//     time,Ball.x,Ball.y,Ball.z,Ball.qx,Ball.qy,Ball.qz,Ball.qw
//     0,0,2,0,0,0,0,1
#pragma once

#include "summary.h"

/// Format of a trace.
typedef enum tdTraceFormat
{
    TD_TRACE_JSON_LINES,
    TD_TRACE_CSV, // world transforms of the nodes, without locals, expressions and events
} tdTraceFormat;

/// Settings of a trace. Start from tdDefaultTraceDef.
typedef struct tdTraceDef
{
    double seconds; // duration; default -1, as any negative value: until the last playing clip ends, or 10 s
                    // if none plays. The last frame is at exactly this time; 0 writes the current pose
    double frameRate;    // Hz, > 0, default 60: frames at 0, 1/rate, 2/rate, ... and at `seconds`
    const double* times; // s, ascending: record these times instead of rate and seconds; default NULL
    int timeCount;
    tdTraceFormat format; // default TD_TRACE_JSON_LINES
    const int* nodes;     // columns of a table; default NULL: every node
    int nodeCount;
    tdSummary* summary; // of the same actor, updated at every step; default NULL: none
    uint32_t cookie;    // internal: set by tdDefaultTraceDef
} tdTraceDef;

/// Default settings of a trace. Does not allocate.
TD_API tdTraceDef tdDefaultTraceDef(void);

/// Receives the next bytes of a trace. Returns false to stop.
typedef bool tdWriteFcn(void* context, const char* bytes, size_t size);

/// Step the actor's stage from its current time (0 for a new stage) and write the actor's motion. Earlier
/// times cannot be recorded. Recording never changes the motion: physics steps at the stage's rate, and
/// frames between two steps are interpolated. A run that reaches a limit of the stage ends there with
/// LIMIT_REACHED.
/// @param def NULL for the defaults
/// @param write may be NULL if `def` has a summary
/// @param report receives the findings; may be NULL
/// @return false if memory ran out (reported), the writer stopped, or there is nothing to write to
TD_API bool tdTraceActor(tdActor* actor, const tdTraceDef* def, tdWriteFcn* write, void* context,
                         tdReport* report);
