// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Traces: JSON Lines of frames and events. The stage steps at its own rate; a frame is the stage evaluated at
// the frame's instant, so that recording never changes the motion.
#include "tendon/trace.h"

#include "base/number.h"
#include "base/report.h"
#include "runtime/stage.h"

#include <string.h>

typedef struct Tracer
{
    tdActor* actor;
    tdStage* stage;
    tdText line;
    tdWriteFcn* write;
    void* context;
    bool hasEvents; // of the last step, not yet written
    bool isOutOfMemory;
} Tracer;

tdTraceDef tdDefaultTraceDef(void)
{
    return (tdTraceDef){.seconds = -1.0, .frameRate = 60.0};
}

static void AppendFloat(tdText* line, float value)
{
    char text[TD_NUMBER_TEXT_SIZE];
    tdText_Append(line, text, tdWriteFloat(text, value));
}

static void AppendPose(tdText* line, tdVec3 position, tdQuat rotation)
{
    const float numbers[7] = {position.x, position.y, position.z, rotation.x,
                              rotation.y, rotation.z, rotation.w};
    tdText_AppendChar(line, '[');
    for (int i = 0; i < 7; ++i)
    {
        if (i > 0)
        {
            tdText_AppendChar(line, ',');
        }
        AppendFloat(line, numbers[i]);
    }
    tdText_AppendChar(line, ']');
}

static void AppendExpressions(Tracer* tracer)
{
    tdText* line = &tracer->line;
    const char* separator = ",\"expressions\":{";
    bool hasAny = false;
    for (int i = 0; i < tracer->actor->face.count; ++i)
    {
        const tdFaceEntry* entry = &tracer->actor->face.data[i];
        if (!entry->isAnimated)
        {
            continue;
        }
        tdText_AppendString(line, separator);
        tdText_AppendJsonString(line, entry->name, strlen(entry->name));
        tdText_AppendChar(line, ':');
        AppendFloat(line, entry->clipWeight);
        separator = ",";
        hasAny = true;
    }
    tdText_AppendString(line, hasAny ? "}" : "");
}

static bool WriteLine(Tracer* tracer)
{
    tdText_AppendString(&tracer->line, "}\n");
    if (tracer->line.failed)
    {
        tracer->isOutOfMemory = true;
        return false;
    }
    bool goesOn = tracer->write(tracer->context, tracer->line.data, tracer->line.length);
    tdText_Clear(&tracer->line);
    return goesOn;
}

static bool WriteFrame(Tracer* tracer, double time)
{
    tdText* line = &tracer->line;
    int count = tracer->actor->scene->nodes.count;
    const tdNodePose* pose = &tracer->actor->pose;
    tdText_AppendString(line, "{\"time\":");
    AppendFloat(line, (float)time);
    tdText_AppendString(line, ",\"nodes\":[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendString(line, i > 0 ? "," : "");
        AppendPose(line, tdMat4Translation(pose->globals[i]), tdRotationOfMat4(pose->globals[i]));
    }
    tdText_AppendString(line, "],\"locals\":[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendString(line, i > 0 ? "," : "");
        AppendPose(line, pose->locals[i].translation, pose->locals[i].rotation);
    }
    tdText_AppendChar(line, ']');
    AppendExpressions(tracer);
    return WriteLine(tracer);
}

static bool WriteEvent(Tracer* tracer, const char* name, int a, int b)
{
    tdText* line = &tracer->line;
    tdText_AppendString(line, "{\"time\":");
    AppendFloat(line, (float)tdStage_GetTime(tracer->stage));
    tdText_AppendFormat(line, ",\"event\":\"%s\",\"a\":%d,\"b\":%d", name, a, b);
    return WriteLine(tracer);
}

// Events of the last step between nodes of this actor.
static bool WriteEvents(Tracer* tracer)
{
    tracer->hasEvents = false;
    tdStageEvents events = tdStage_GetEvents(tracer->stage);
    bool goesOn = true;
    for (int i = 0; i < events.triggerCount && goesOn; ++i)
    {
        const tdTriggerEvent* event = &events.triggers[i];
        if (event->trigger == tracer->actor && event->visitor == tracer->actor)
        {
            goesOn = WriteEvent(tracer, event->entered ? "trigger_enter" : "trigger_exit", event->triggerNode,
                                event->visitorNode);
        }
    }
    for (int i = 0; i < events.contactCount && goesOn; ++i)
    {
        const tdContactEvent* event = &events.contacts[i];
        if (event->actorA == tracer->actor && event->actorB == tracer->actor)
        {
            goesOn = WriteEvent(tracer, event->began ? "contact_begin" : "contact_end",
                                tdMinInt(event->nodeA, event->nodeB), tdMaxInt(event->nodeA, event->nodeB));
        }
    }
    return goesOn;
}

// Steps until the stage has reached `time`, then shows it there.
static bool RecordFrame(Tracer* tracer, double time)
{
    // Events of a step that went beyond the frame before come first if their time has come.
    while (tracer->hasEvents || tdStage_GetTime(tracer->stage) < time)
    {
        if (tracer->hasEvents && tdStage_GetTime(tracer->stage) <= time)
        {
            if (!WriteEvents(tracer))
            {
                return false;
            }
        }
        else if (tdStage_GetTime(tracer->stage) >= time)
        {
            break;
        }
        else if (!tdStage_Step(tracer->stage))
        {
            tracer->isOutOfMemory = true;
            return false;
        }
        else
        {
            tracer->hasEvents = true;
        }
    }
    tdStage_Evaluate(tracer->stage, time);
    return WriteFrame(tracer, time);
}

static double GetSeconds(const tdActor* actor, const tdTraceDef* def)
{
    return def->seconds >= 0.0 ? def->seconds : tdActor_GetSecondsLeft(actor, tdStage_GetTime(actor->stage));
}

static bool RecordAll(Tracer* tracer, const tdTraceDef* def)
{
    if (def->times != NULL)
    {
        for (int i = 0; i < def->timeCount; ++i)
        {
            if (!RecordFrame(tracer, def->times[i]))
            {
                return false;
            }
        }
        return true;
    }
    double seconds = GetSeconds(tracer->actor, def);
    for (int64_t i = 0; (double)i / def->frameRate < seconds - 1.0e-9; ++i)
    {
        if (!RecordFrame(tracer, (double)i / def->frameRate))
        {
            return false;
        }
    }
    return RecordFrame(tracer, seconds);
}

bool tdTraceActor(tdActor* actor, const tdTraceDef* def, tdWriteFcn* write, void* context, tdReport* report)
{
    if (actor == NULL || write == NULL)
    {
        return false;
    }
    tdTraceDef defaults = tdDefaultTraceDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT(def->frameRate > 0.0); // a def that was only zeroed
    Tracer tracer = {.actor = actor, .stage = actor->stage, .write = write, .context = context};
    tdText_Init(&tracer.line, &actor->stage->allocator);
    bool done = RecordAll(&tracer, def);
    if (tracer.isOutOfMemory)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "tracing");
    }
    tdText_Free(&tracer.line);
    return done;
}
