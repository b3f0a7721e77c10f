// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of trace lines, byte for byte, and of the trace times.
#include "avatar_text.h"
#include "harness.h"

#include "runtime/builder.h"

#include "tendon/trace.h"

static char text[1 << 16];
static size_t length;

static bool Write(void* context, const char* bytes, size_t size)
{
    int* linesLeft = context;
    if (*linesLeft == 0)
    {
        return false;
    }
    *linesLeft -= 1;
    memcpy(text + length, bytes, size);
    length += size;
    text[length] = 0;
    return true;
}

static const float times[2] = {0.0f, 0.5f};
static const float travel[6] = {0, 0, 0, 0.1f, 0, 0};

static bool Trace(const tdTraceDef* def, int lines)
{
    static tdBuilder b;
    tdBuilder_Init(&b, NULL);
    tdBuilder_AddNode(&b, -1, tdTrs_identity);
    tdBuilder_AddChannel(&b, TD_PROPERTY_TRANSLATION, 0, TD_INTERPOLATION_LINEAR, 3, 2, times, travel);
    tdAsset* asset = tdBuilder_Finish(&b);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    length = 0;
    bool done = tdTraceActor(actor, def, Write, &lines, NULL);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
    return done;
}

TEST(WritesFramesToTheByte)
{
    tdTraceDef def = tdDefaultTraceDef();
    def.frameRate = 4.0;
    ENSURE(Trace(&def, -1));
    ENSURE_EQUAL_TEXT(text, "{\"time\":0,\"nodes\":[[0,0,0,0,0,0,1]],\"locals\":[[0,0,0,0,0,0,1]]}\n"
                            "{\"time\":0.25,\"nodes\":[[0.05,0,0,0,0,0,1]],\"locals\":[[0.05,0,0,0,0,0,1]]}\n"
                            "{\"time\":0.5,\"nodes\":[[0.1,0,0,0,0,0,1]],\"locals\":[[0.1,0,0,0,0,0,1]]}\n");
}

static int CountLines(void)
{
    int lines = 0;
    for (size_t i = 0; i < length; ++i)
    {
        lines += text[i] == '\n';
    }
    return lines;
}

TEST(LastFrameIsExactlyAtTheEnd)
{
    tdTraceDef def = tdDefaultTraceDef();
    def.seconds = 0.3;
    def.frameRate = 4.0;
    ENSURE(Trace(&def, -1));
    ENSURE_EQUAL_INT(CountLines(), 3); // 0, 0.25, 0.3
    ENSURE(strstr(text, "{\"time\":0.3,") != NULL);
    def.seconds = 0.0;
    ENSURE(Trace(&def, -1));
    ENSURE_EQUAL_INT(CountLines(), 1);
    def.seconds = -1.0;
    def.frameRate = 60.0;
    ENSURE(Trace(&def, -1));
    ENSURE_EQUAL_INT(CountLines(), 31); // half a second, both ends
}

TEST(GivenTimesOnly)
{
    const double instants[3] = {0.01, 0.02, 0.25};
    tdTraceDef def = tdDefaultTraceDef();
    def.times = instants;
    def.timeCount = 3;
    ENSURE(Trace(&def, -1));
    ENSURE_EQUAL_INT(CountLines(), 3);
    ENSURE(strstr(text, "{\"time\":0.01,\"nodes\":[[0.002,") == text);
    ENSURE(strstr(text, "{\"time\":0.25,\"nodes\":[[0.05,") != NULL);
}

TEST(ShowsOutputsAndMorphWeightsOfExpressions)
{
    tdText file;
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdText_Init(&file, &allocator);
    WriteAvatar(&file, 1,
                "'expressions':{'preset':{"
                "'happy':{'overrideBlink':'blend','morphTargetBinds':[{'node':17,'index':1,'weight':0.5}]},"
                "'blink':{'morphTargetBinds':[{'node':17,'index':0,'weight':1}]}}}");
    tdAsset* asset = tdLoadAssetFromMemory(file.data, file.length, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_SetExpression(actor, "happy", 0.25f);
    tdActor_SetExpression(actor, "blink", 0.5f);
    tdTraceDef def = tdDefaultTraceDef();
    def.seconds = 0.0;
    int lines = -1;
    length = 0;
    ENSURE(tdTraceActor(actor, &def, Write, &lines, NULL));
    ENSURE(strstr(text, "\"expressions\"") == NULL); // no clip has any
    ENSURE(strstr(text, ",\"outputs\":{\"happy\":0.25,\"blink\":0.375},\"weights\":[null,null,") != NULL);
    ENSURE(strstr(text, ",null,[0.375,0.125]]}\n") != NULL);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    tdText_Free(&file);
}

TEST(ShowsMorphWeightsOfPlainAnimations)
{
    static const float weights[4] = {0.0f, 1.0f, 0.5f, 0.0f};
    static tdBuilder b;
    tdBuilder_Init(&b, NULL);
    tdBuilder_AddNode(&b, -1, tdTrs_identity);
    b.weightCounts[0] = 2;
    tdBuilder_AddChannel(&b, TD_PROPERTY_WEIGHTS, 0, TD_INTERPOLATION_LINEAR, 2, 2, times, weights);
    tdAsset* asset = tdBuilder_Finish(&b);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdTraceDef def = tdDefaultTraceDef();
    static const double instants[1] = {0.25};
    def.times = instants;
    def.timeCount = 1;
    int lines = -1;
    length = 0;
    ENSURE(tdTraceActor(actor, &def, Write, &lines, NULL));
    ENSURE(strstr(text, ",\"outputs\":{},\"weights\":[[0.25,0.5]]}\n") != NULL);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdBuilder_Free(&b);
}

TEST(StopsWhenTheWriterStops)
{
    ENSURE(!Trace(NULL, 2));
    ENSURE_EQUAL_INT(CountLines(), 2);
    ENSURE(!tdTraceActor(NULL, NULL, Write, NULL, NULL));
}

TEST_MAIN(RUN(WritesFramesToTheByte) RUN(LastFrameIsExactlyAtTheEnd) RUN(GivenTimesOnly)
              RUN(ShowsOutputsAndMorphWeightsOfExpressions) RUN(ShowsMorphWeightsOfPlainAnimations)
                  RUN(StopsWhenTheWriterStops))
