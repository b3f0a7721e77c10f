// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Traces: lines of frames and events. The stage steps at its own rate and is evaluated at the time of each
// frame, so that recording never changes the motion.
#include "tendon/trace.h"

#include "trace_table.h"

#include "base/def.h"
#include "base/report.h"
#include "runtime/stage.h"

#include <string.h>

typedef struct Tracer
{
    tdActor* actor;
    tdStage* stage;
    const tdTraceDef* def;
    tdText line;
    tdWriteFcn* write;
    void* context;
    bool hasEvents; // of the last step, not yet written
    bool hasFace;   // the model has expressions, or a clip drives morph weights
    bool isOutOfMemory;
    bool isLimited; // a limit was reached (reported): the run ends
    int64_t frameCount, byteCount;
    tdReport* report;
} Tracer;

static bool EndAtLimit(Tracer* tracer, tdLimitId limit)
{
    tracer->isLimited = true;
    tdReportLimitReached(tracer->report, limit, tdLimits_Get(&tracer->stage->limits, limit),
                         tdStage_GetTime(tracer->stage));
    return false;
}

tdTraceDef tdDefaultTraceDef(void)
{
    return (tdTraceDef){.seconds = -1.0, .frameRate = 60.0, .cookie = TD_DEF_COOKIE};
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
        tdAppendFloat(line, entry->clipWeight);
        separator = ",";
        hasAny = true;
    }
    tdText_AppendString(line, hasAny ? "}" : "");
}

// Whether frames have "outputs" and "weights".
static bool HasFace(const tdActor* actor)
{
    bool hasFace = actor->modelExpressionCount > 0;
    for (int i = 0; i < actor->plays.count && !hasFace; ++i)
    {
        const tdClip* clip = actor->plays.data[i].clip;
        for (int k = 0; clip != NULL && k < clip->channelCount && !hasFace; ++k)
        {
            hasFace = tdPropertyKind_GetClass(clip->channels[k].target.kind) == TD_PROPERTY_CLASS_MORPH;
        }
    }
    return hasFace;
}

static void AppendOutputs(Tracer* tracer)
{
    tdText* line = &tracer->line;
    tdText_AppendString(line, ",\"outputs\":{");
    for (int i = 0; i < tracer->actor->modelExpressionCount; ++i)
    {
        const tdFaceEntry* entry = &tracer->actor->face.data[i];
        tdText_AppendString(line, i > 0 ? "," : "");
        tdText_AppendJsonString(line, entry->name, strlen(entry->name));
        tdText_AppendChar(line, ':');
        tdAppendFloat(line, entry->output);
    }
    tdText_AppendChar(line, '}');
}

static void AppendWeights(Tracer* tracer)
{
    tdText* line = &tracer->line;
    tdText_AppendString(line, ",\"weights\":[");
    for (int node = 0; node < tracer->actor->scene->nodes.count; ++node)
    {
        int count = 0;
        const float* weights = tdActor_GetMorphWeights(tracer->actor, node, &count);
        tdText_AppendString(line, node > 0 ? "," : "");
        tdText_AppendString(line, count > 0 ? "[" : "null");
        for (int i = 0; i < count; ++i)
        {
            tdText_AppendString(line, i > 0 ? "," : "");
            tdAppendFloat(line, weights[i]);
        }
        tdText_AppendString(line, count > 0 ? "]" : "");
    }
    tdText_AppendChar(line, ']');
}

// Material values by their JSON pointer, where expressions or animations change any.
static void AppendMaterials(Tracer* tracer)
{
    tdText* line = &tracer->line;
    int count = 0;
    const float* values = tdActor_GetMaterialValues(tracer->actor, &count);
    for (int i = 0; i < count; ++i)
    {
        const tdMaterialValue* value = &tracer->actor->scene->materialValues[i];
        tdText_AppendString(line, i > 0 ? "," : ",\"materials\":{");
        tdText_AppendJsonString(line, value->pointer, strlen(value->pointer));
        for (int c = 0; c < value->width; ++c)
        {
            tdText_AppendString(line, c > 0 ? "," : ":[");
            tdAppendFloat(line, values[4 * i + c]);
        }
        tdText_AppendChar(line, ']');
    }
    tdText_AppendString(line, count > 0 ? "}" : "");
}

static bool WriteLine(Tracer* tracer)
{
    tdText_AppendString(&tracer->line, "\n");
    if (tracer->line.failed)
    {
        tracer->isOutOfMemory = true;
        return false;
    }
    if ((uint64_t)tracer->byteCount + tracer->line.length > (uint64_t)tracer->stage->limits.outputBytes)
    {
        return EndAtLimit(tracer, TD_LIMIT_outputBytes);
    }
    tracer->byteCount += (int64_t)tracer->line.length;
    bool goesOn = tracer->write(tracer->context, tracer->line.data, tracer->line.length);
    tdText_Clear(&tracer->line);
    return goesOn;
}

static bool WriteFrame(Tracer* tracer, double time)
{
    tdText* line = &tracer->line;
    if (tracer->write == NULL)
    {
        return true;
    }
    if (tracer->def->format == TD_TRACE_CSV)
    {
        tdAppendTableRow(line, tracer->actor, time, tracer->def->nodes, tracer->def->nodeCount);
        return WriteLine(tracer);
    }
    int count = tracer->actor->scene->nodes.count;
    const tdNodePose* pose = &tracer->actor->pose;
    tdText_AppendString(line, "{\"time\":");
    tdAppendFloat(line, (float)time);
    tdText_AppendString(line, ",\"nodes\":[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendString(line, i > 0 ? ",[" : "[");
        tdAppendPose(line, tdMat4Translation(pose->globals[i]), tdRotationOfMat4(pose->globals[i]));
        tdText_AppendChar(line, ']');
    }
    tdText_AppendString(line, "],\"locals\":[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendString(line, i > 0 ? ",[" : "[");
        tdAppendPose(line, pose->locals[i].translation, pose->locals[i].rotation);
        tdText_AppendChar(line, ']');
    }
    tdText_AppendChar(line, ']');
    AppendExpressions(tracer);
    if (tracer->hasFace)
    {
        AppendOutputs(tracer);
        AppendWeights(tracer);
        AppendMaterials(tracer);
    }
    tdText_AppendChar(line, '}');
    return WriteLine(tracer);
}

static bool WriteEvent(Tracer* tracer, const char* name, int a, int b)
{
    tdText* line = &tracer->line;
    tdText_AppendString(line, "{\"time\":");
    tdAppendFloat(line, (float)tdStage_GetTime(tracer->stage));
    tdText_AppendFormat(line, ",\"event\":\"%s\",\"a\":%d,\"b\":%d}", name, a, b);
    return WriteLine(tracer);
}

// Events of the last step between nodes of this actor.
static bool WriteEvents(Tracer* tracer)
{
    tracer->hasEvents = false;
    if (tracer->write == NULL || tracer->def->format == TD_TRACE_CSV)
    {
        return true;
    }
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

static bool AddSummarySample(Tracer* tracer)
{
    return tracer->def->summary == NULL || tdSummary_AddSample(tracer->def->summary);
}

// Steps until the stage has reached `time`, then evaluates it there.
static bool RecordFrame(Tracer* tracer, double time)
{
    if (tracer->frameCount >= tracer->stage->limits.frames)
    {
        return EndAtLimit(tracer, TD_LIMIT_frames);
    }
    tracer->frameCount += 1;
    // Events of a step beyond the previous frame are written first once their time is reached.
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
        else if (!tdStage_Step(tracer->stage) || !AddSummarySample(tracer))
        {
            tracer->isOutOfMemory = true;
            return false;
        }
        else if (!tdStage_CheckLimits(tracer->stage, tracer->report))
        {
            tracer->isLimited = true;
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

static bool RecordAll(Tracer* tracer)
{
    const tdTraceDef* def = tracer->def;
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
    tdTraceDef defaults = tdDefaultTraceDef();
    def = def != NULL ? def : &defaults;
    TD_ASSERT_DEF(def);
    TD_ASSERT(def->frameRate > 0.0);
    if (actor == NULL || (write == NULL && def->summary == NULL))
    {
        return false;
    }
    Tracer tracer = {.actor = actor,
                     .stage = actor->stage,
                     .def = def,
                     .write = write,
                     .context = context,
                     .report = report,
                     .hasFace = HasFace(actor)};
    tdText_Init(&tracer.line, &actor->stage->allocator);
    bool done = true;
    tracer.isOutOfMemory = !AddSummarySample(&tracer);
    if (write != NULL && def->format == TD_TRACE_CSV)
    {
        tdAppendTableHeading(&tracer.line, actor, def->nodes, def->nodeCount);
        done = WriteLine(&tracer);
    }
    done = done && !tracer.isOutOfMemory && RecordAll(&tracer);
    if (tracer.isOutOfMemory)
    {
        tdStage_ReportMemory(actor->stage, report, "tracing");
    }
    tdText_Free(&tracer.line);
    return done || tracer.isLimited;
}
