// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon replay: repeats a recording, verifies every step, and bakes its motion.
#include "json.h"
#include "memory.h"
#include "recording.h"

#include <math.h>
#include <string.h>

typedef struct Replaying
{
    const Session* session;
    const char* path;
    tdReport* report;
    tdReplay* replay;
    int64_t stepCount, from, until;
    tdTape* tape; // of the first actor; NULL: none yet, or not wanted
    bool isTapeFull;
    bool differs;
    tdBodyDifference difference;
} Replaying;

// Records the pose of the first actor.
static bool CapturePose(Replaying* self)
{
    tdActor* actor = tdReplay_GetActor(self->replay, 0);
    if (!IsGiven(self->session->options, OPTION_REPLAY_BAKE) || actor == NULL)
    {
        return true;
    }
    if (self->tape == NULL)
    {
        self->tape = tdCreateTape(actor, NULL, GetMemory());
    }
    return self->tape != NULL && tdTape_Capture(self->tape);
}

// Makes all steps. Returns the result of the last one.
static tdReplayResult RunSteps(Replaying* self)
{
    Progress progress = StartWork(self->session, "replaying");
    tdReplayResult result = TD_REPLAY_SAME;
    while (tdReplay_GetStep(self->replay) < self->until && !self->differs)
    {
        tdBodyDifference difference;
        result = tdReplay_Step(self->replay, &difference);
        if (result == TD_REPLAY_END || result == TD_REPLAY_FAILED)
        {
            break;
        }
        int64_t step = tdReplay_GetStep(self->replay);
        if (step >= self->from)
        {
            self->differs = result == TD_REPLAY_DIFFERS;
            self->difference = difference;
            self->isTapeFull = self->isTapeFull || !CapturePose(self);
        }
        UpdateProgress(&progress, (double)step / (double)self->until,
                       (double)step / (GetMonotonicSeconds() - progress.started), "steps/s");
    }
    EndProgress(&progress);
    return result;
}

static double GetDistance(const tdBodyDifference* difference)
{
    tdVec3 a = difference->a.position, b = difference->b.position;
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, z = (double)b.z - (double)a.z;
    return sqrt(x * x + y * y + z * z);
}

static void PrintDifference(const Replaying* self)
{
    const tdBodyDifference* difference = &self->difference;
    const Screen* out = &self->session->out;
    PrintPainted(out, PAINT_NONE, "step %lld (%g s): ", (long long)difference->step,
                 tdStage_GetTime(tdReplay_GetStage(self->replay)));
    if (difference->body < 0)
    {
        PrintPainted(out, PAINT_NONE, "the state differs, but no body's transform does\n");
        return;
    }
    char name[64];
    tdVec3 a = difference->a.position, b = difference->b.position;
    CleanText(name, sizeof name, difference->name, 40);
    PrintPainted(out, PAINT_NONE, "body %d", difference->body);
    if (difference->node >= 0)
    {
        PrintPainted(out, PAINT_NONE, " of node %d \"%s\"", difference->node, name);
    }
    PrintPainted(out, PAINT_NONE,
                 " differs by %.3g m: recorded (%.9g, %.9g, %.9g), repeated (%.9g, %.9g, %.9g)\n",
                 GetDistance(difference), (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y,
                 (double)b.z);
}

static void PrintReplayJson(const Replaying* self, bool isDone)
{
    printf("{\"input\":");
    PrintJsonText(stdout, self->path);
    printf(",\"steps\":%lld,\"isSame\":%s", (long long)tdReplay_GetStep(self->replay),
           isDone && !self->differs ? "true" : "false");
    if (self->differs)
    {
        printf(",\"step\":%lld,\"body\":%d,\"node\":%d,\"name\":", (long long)self->difference.step,
               self->difference.body, self->difference.node);
        PrintJsonText(stdout, self->difference.name);
        printf(",\"distance\":%.9g", GetDistance(&self->difference));
    }
    printf(",\"issues\":%s}\n", tdReport_GetJson(self->report, self->path));
}

static void PrintReplay(const Replaying* self, bool isDone)
{
    if (IsGiven(self->session->options, OPTION_JSON))
    {
        PrintReplayJson(self, isDone);
    }
    else if (self->differs)
    {
        PrintDifference(self);
    }
    else if (isDone && !self->session->isQuiet)
    {
        PrintPainted(&self->session->out, PAINT_NONE, "%lld of %lld steps repeated to the bit\n",
                     (long long)tdReplay_GetStep(self->replay) - self->from + 1, (long long)self->stepCount);
    }
    fflush(stdout);
}

static int SaveBake(const Replaying* self)
{
    const char* path = self->session->options->values[OPTION_REPLAY_BAKE].text;
    if (self->tape == NULL || self->isTapeFull)
    {
        Complain(self->session, self->isTapeFull ? "out of memory." : "there is no actor to bake.");
        return self->isTapeFull ? EXIT_IO : EXIT_FOUND_ERRORS;
    }
    tdAsset* baked = tdTape_Bake(self->tape, self->report);
    if (IsGiven(self->session->options, OPTION_JSON))
    {
        tdReport_GetJson(self->report, NULL); // allocates before the file appears
    }
    int result = HasMemoryFailed() ? EXIT_IO : EXIT_FOUND_ERRORS; // something may be missing
    if (baked != NULL && !HasMemoryFailed())
    {
        bool isSaved = tdSaveAsset(baked, path, self->report);
        result = isSaved ? GetReportExit(self->report) : WorseExit(GetReportExit(self->report), EXIT_IO);
    }
    tdDestroyAsset(baked);
    return result;
}

static int Replay(Replaying* self)
{
    tdReplayResult last = RunSteps(self);
    bool isDone = last != TD_REPLAY_FAILED;
    int result = self->differs || !isDone ? EXIT_FOUND_ERRORS : EXIT_FINE;
    if (IsGiven(self->session->options, OPTION_REPLAY_BAKE) && isDone)
    {
        result = WorseExit(result, SaveBake(self));
    }
    PrintReplay(self, isDone);
    return WorseExit(result, GetReportExit(self->report));
}

int RunReplay(Session* session)
{
    const Options* options = session->options;
    Replaying self = {.session = session, .path = options->files[0], .report = tdCreateReport(GetMemory())};
    int result = EXIT_IO;
    tdRecording* recording = ReadRecording(session, self.path, self.report, &result);
    if (recording != NULL)
    {
        tdReplayDef def = tdDefaultReplayDef();
        def.allocator = GetMemory();
        def.tasks = session->threads;
        def.limits = session->limits;
        self.stepCount = tdRecording_GetInfo(recording).stepCount;
        self.from = (int64_t)options->values[OPTION_FROM_STEP].number;
        self.until = IsGiven(options, OPTION_UNTIL_STEP) ? (int64_t)options->values[OPTION_UNTIL_STEP].number
                                                         : self.stepCount;
        self.until = self.until < self.stepCount ? self.until : self.stepCount;
        self.replay = tdCreateReplay(recording, &def, self.report);
        if (self.from > self.until && self.stepCount > 0)
        {
            Complain(session, "there are no steps from %lld to %lld; the recording has %lld.",
                     (long long)self.from, (long long)self.until, (long long)self.stepCount);
            result = EXIT_USAGE;
        }
        else
        {
            result = self.replay != NULL ? Replay(&self) : EXIT_IO;
        }
    }
    ReportFindings(session, self.report);
    tdDestroyTape(self.tape);
    tdDestroyReplay(self.replay);
    tdDestroyRecording(recording);
    tdDestroyReport(self.report);
    return result;
}
