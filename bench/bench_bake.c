// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures baking relative to simulation alone, on 10 s of a pyramid of boxes. Prints one JSON line:
//
//   ms_simulate       CPU time of the steps alone, minimum of the runs
//   ms_bake           CPU time with captures, key reduction and the new document; ms_save writes it to memory
//   ratio             ms_bake / ms_simulate; the target is at most 2
//   samples, keys     captured values of moving properties in the second half of the run; keys that remain
//   key_ratio         samples / keys; the target is at least 5: the pyramid still sways
//
// usage: tendon_bench_bake [--rows N] [--repeat N] [--threads N]       60 rows are 1,830 boxes
//        tendon_bench_bake --avatar FILE --motion FILE [--repeat N]    10 s of a dance with and without
//        springs
#include "scenes/pyramid_file.h"

#include <stdlib.h>
#include <string.h>
#include <tendon/tendon.h>
#include <time.h>

#define SECONDS 10.0

static double Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static tdStage* MakeStage(const tdAsset* asset, const tdTasks* tasks, tdActor** actor)
{
    tdStageDef def = tdDefaultStageDef();
    def.tasks = tasks;
    tdStage* stage = tdCreateStage(&def);
    *actor = tdCreateActor(stage, asset, NULL, NULL);
    return stage;
}

static double Simulate(const tdAsset* asset, const tdTasks* tasks)
{
    tdActor* actor;
    tdStage* stage = MakeStage(asset, tasks, &actor);
    double start = Now();
    while (tdStage_GetTime(stage) < SECONDS)
    {
        tdStage_Step(stage);
    }
    double time = Now() - start;
    tdDestroyStage(stage);
    return time;
}

static tdAsset* Bake(const tdAsset* asset, const tdTasks* tasks, double warmup, double* time)
{
    tdActor* actor;
    tdStage* stage = MakeStage(asset, tasks, &actor);
    tdBakeDef def = tdDefaultBakeDef();
    def.warmup = warmup;
    def.seconds = SECONDS - warmup;
    double start = Now();
    tdAsset* baked = tdBakeActor(actor, &def, NULL);
    *time = Now() - start;
    tdDestroyStage(stage);
    return baked;
}

static int GetArgument(int count, char** arguments, const char* name, int fallback)
{
    for (int i = 1; i + 1 < count; ++i)
    {
        if (strcmp(arguments[i], name) == 0)
        {
            return atoi(arguments[i + 1]);
        }
    }
    return fallback;
}

static const char* GetFile(int count, char** arguments, const char* name)
{
    for (int i = 1; i + 1 < count; ++i)
    {
        if (strcmp(arguments[i], name) == 0)
        {
            return arguments[i + 1];
        }
    }
    return NULL;
}

// CPU time in ms of baking 10 s of a clip that loops.
static double BakeDance(const tdAsset* avatar, const tdClip* clip, bool enableSprings)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enableSprings = enableSprings;
    tdActor* actor = tdCreateActor(stage, avatar, &actorDef, NULL);
    tdPlayDef play = tdDefaultPlayDef();
    play.loop = true;
    tdActor_Play(actor, clip, &play);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = SECONDS;
    double start = Now();
    tdAsset* baked = tdBakeActor(actor, &def, NULL);
    double time = Now() - start;
    tdDestroyAsset(baked);
    tdDestroyStage(stage);
    return time;
}

static int MeasureDance(const char* avatarPath, const char* motionPath, int repeat)
{
    tdAsset* avatar = tdLoadAsset(avatarPath, NULL, NULL);
    tdAsset* motion = tdLoadAsset(motionPath, NULL, NULL);
    tdClip* clip =
        avatar != NULL && motion != NULL ? tdRetargetClip(motion, 0, avatar, NULL, NULL, NULL) : NULL;
    if (clip == NULL)
    {
        fprintf(stderr, "cannot play %s on %s\n", motionPath, avatarPath);
        return 2;
    }
    double best[2] = {1e30, 1e30};
    for (int i = 0; i < 2 * repeat; ++i)
    {
        double time = BakeDance(avatar, clip, i % 2 != 0);
        best[i % 2] = time < best[i % 2] ? time : best[i % 2];
    }
    printf("{\"joints\":%d,\"seconds\":%g,\"ms_without\":%.2f,\"ms_springs\":%.2f,\"ratio\":%.2f}\n",
           tdAsset_GetSpringJointCount(avatar), SECONDS, best[0], best[1], best[1] / best[0]);
    tdDestroyClip(clip);
    tdDestroyAsset(motion);
    tdDestroyAsset(avatar);
    return 0;
}

int main(int argumentCount, char** arguments)
{
    const char* avatar = GetFile(argumentCount, arguments, "--avatar");
    const char* motion = GetFile(argumentCount, arguments, "--motion");
    if (avatar != NULL && motion != NULL)
    {
        return MeasureDance(avatar, motion, GetArgument(argumentCount, arguments, "--repeat", 20));
    }
    int rows = GetArgument(argumentCount, arguments, "--rows", 60);
    int repeat = GetArgument(argumentCount, arguments, "--repeat", 3);
    int threads = GetArgument(argumentCount, arguments, "--threads", 1);
    const tdTasks* tasks = threads > 1 ? tdCreateThreads(threads) : NULL;
    size_t size = 0;
    char* text = WritePyramidFile(rows, &size);
    tdAsset* asset = tdLoadAssetFromMemory(text, text != NULL ? size : 0, NULL, NULL);
    if (asset == NULL)
    {
        fprintf(stderr, "out of memory\n");
        return 3;
    }
    double simulate = 1e30, bake = 1e30, save = 1e30;
    size_t savedSize = 0;
    for (int i = 0; i < repeat; ++i)
    {
        double time = Simulate(asset, tasks);
        simulate = time < simulate ? time : simulate;
        tdAsset* baked = Bake(asset, tasks, 0.0, &time);
        bake = time < bake ? time : bake;
        double start = Now();
        void* saved = tdSaveAssetToMemory(baked, TD_SAVE_GLB, NULL, &savedSize, NULL);
        time = Now() - start;
        save = time < save ? time : save;
        tdFreeSaved(saved, savedSize, NULL);
        tdDestroyAsset(baked);
    }
    double unused;
    tdAsset* resting = Bake(asset, tasks, 0.5 * SECONDS, &unused);
    tdAnimationInfo info = {0};
    if (tdAsset_GetAnimationCount(resting) > 0)
    {
        info = tdDescribeAnimation(resting, 0);
    }
    int frames = (int)(0.5 * SECONDS * tdDefaultBakeDef().frameRate) + 1;
    long long samples = (long long)info.channelCount * frames;
    printf(
        "{\"boxes\":%d,\"seconds\":%g,\"threads\":%d,\"ms_simulate\":%.1f,\"ms_bake\":%.1f,\"ms_save\":%.1f,"
        "\"ratio\":%.3f,\"bytes\":%zu,\"samples\":%lld,\"keys\":%lld,\"key_ratio\":%.1f}\n",
        rows * (rows + 1) / 2, SECONDS, threads, simulate, bake, save, bake / simulate, savedSize, samples,
        (long long)info.keyCount, info.keyCount > 0 ? (double)samples / (double)info.keyCount : 0.0);
    tdDestroyAsset(resting);
    tdDestroyAsset(asset);
    tdDestroyThreads(tasks);
    free(text);
    return 0;
}
