// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// trace.h: what an actor does, as JSON Lines: one object per recorded frame, one per event.
//
//     {"time":0,"nodes":[[tx,ty,tz,qx,qy,qz,qw],…],"locals":[[…],…],"expressions":{"happy":0.4}}
//     {"time":0.25,"event":"trigger_enter","a":7,"b":12}
//
// or as a table for spreadsheets:
//
//     time,Ball.x,Ball.y,Ball.z,Ball.qx,Ball.qy,Ball.qz,Ball.qw
//     0,0,2,0,0,0,0,1
#pragma once

#include "summary.h"

typedef enum tdTraceFormat
{
    TD_TRACE_JSON_LINES,
    TD_TRACE_CSV, // world transforms of the nodes; no locals, expressions and events
} tdTraceFormat;

typedef struct tdTraceDef
{
    double seconds;      // default -1: the longest playing clip, else 10. The last frame is exactly there
    double frameRate;    // Hz, default 60: frames at 0, 1/rate, 2/rate, … and at `seconds`
    const double* times; // default NULL; else exactly these instants, ascending, instead of rate and seconds
    int timeCount;
    tdTraceFormat format; // default TD_TRACE_JSON_LINES
    const int* nodes;     // columns of a table; default NULL: every node
    int nodeCount;
    tdSummary* summary; // of the same actor, looks on step by step; default NULL: none
} tdTraceDef;

TD_API tdTraceDef tdDefaultTraceDef(void);

/// Takes the next bytes of the trace. Returns false to stop.
typedef bool tdWriteFcn(void* context, const char* bytes, size_t size);

/// Step the actor's stage from its present time (0 for a new stage; earlier instants are not to be had) and
/// write down the actor. Recording never changes the motion: physics steps at the stage's own rate, frames
/// between two steps are interpolated.
/// @param def may be NULL for the defaults
/// @param write may be NULL: only the summary is wanted
/// @return false when memory ran out (in the report) or the writer stopped
TD_API bool tdTraceActor(tdActor* actor, const tdTraceDef* def, tdWriteFcn* write, void* context,
                         tdReport* report);
