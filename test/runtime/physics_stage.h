// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Small physics scenes as text, loaded onto a stage, for tests of the scene physics binding. The text is JSON
// with ' for ".
#pragma once

#include "harness.h"

#include "base/text.h"
#include "math/vecmath.h"

#include "tendon/asset.h"
#include "tendon/stage.h"

#include <stdlib.h>

/// One animated property: two or more keys of `width` floats.
typedef struct Channel
{
    const char* target; // a pointer, such as "/nodes/0/translation"
    int width, keyCount;
    const float* times;
    const float* values;
    bool isStep;
} Channel;

typedef struct Play
{
    tdAsset* asset;
    tdStage* stage;
    tdActor* actor;
    tdClip* clip;
    tdPlayId id;
    int errors, warnings;
} Play;

static inline void AppendQuoted(tdText* out, const char* text)
{
    for (; *text != 0; ++text)
    {
        tdText_AppendChar(out, *text == '\'' ? '"' : *text);
    }
}

static inline void AppendBase64(tdText* out, const void* data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t* bytes = data;
    for (size_t i = 0; i < size; i += 3)
    {
        uint32_t word = (uint32_t)bytes[i] << 16 | (uint32_t)(i + 1 < size ? bytes[i + 1] : 0) << 8 |
                        (uint32_t)(i + 2 < size ? bytes[i + 2] : 0);
        for (int k = 0; k < 4; ++k)
        {
            tdText_AppendChar(out, i + (size_t)k > size ? '=' : digits[(word >> (18 - 6 * k)) & 63]);
        }
    }
}

/// Appends buffers, accessors and animations of the channels, and a mesh 0: a cube of 1 m with triangles.
static inline void AppendChannels(tdText* out, const Channel* channels, int count)
{
    static const uint16_t cube[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float corners[24];
    for (int i = 0; i < 24; ++i)
    {
        corners[i] = (i / 3 >> (i % 3) & 1) != 0 ? 0.5f : -0.5f;
    }
    static const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    tdText views, accessors, samplers, list, data;
    tdText* const parts[] = {&views, &accessors, &samplers, &list, &data};
    for (int i = 0; i < 5; ++i)
    {
        tdText_Init(parts[i], NULL);
    }
    for (int i = 0; i < count; ++i)
    {
        const Channel* c = &channels[i];
        const char* comma = i > 0 ? "," : "";
        const float* arrays[2] = {c->times, c->values};
        for (int k = 0; k < 2; ++k)
        {
            size_t size = sizeof(float) * (size_t)(k == 0 ? c->keyCount : c->keyCount * c->width);
            tdText_AppendFormat(&views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
                                i + k > 0 ? "," : "", data.length, size);
            tdText_AppendFormat(&accessors,
                                "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"}",
                                i + k > 0 ? "," : "", 2 * i + k, c->keyCount, types[k == 0 ? 1 : c->width]);
            tdText_Append(&data, (const char*)arrays[k], size);
        }
        tdText_AppendFormat(&samplers, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", comma,
                            2 * i, 2 * i + 1, c->isStep ? "STEP" : "LINEAR");
        tdText_AppendFormat(
            &list,
            "%s{\"sampler\":%d,\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_"
            "pointer\":{\"pointer\":\"%s\"}}}}",
            comma, i, c->target);
    }
    bool hasChannels = count > 0;
    tdText_AppendFormat(&views,
                        "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":96},"
                        "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":72}",
                        hasChannels ? "," : "", data.length, data.length + 96);
    tdText_AppendFormat(&accessors,
                        "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\","
                        "\"min\":[-0.5,-0.5,-0.5],\"max\":[0.5,0.5,0.5]},"
                        "{\"bufferView\":%d,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}",
                        hasChannels ? "," : "", 2 * count, 2 * count + 1);
    tdText_Append(&data, (const char*)corners, sizeof(corners));
    tdText_Append(&data, (const char*)cube, sizeof(cube));
    tdText_AppendFormat(out,
                        ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d}]}]",
                        2 * count, 2 * count + 1);
    tdText_AppendFormat(out, ",\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:;base64,", data.length);
    AppendBase64(out, data.data, data.length);
    tdText_AppendFormat(out, "\"}],\"bufferViews\":[%s],\"accessors\":[%s]", views.data, accessors.data);
    if (hasChannels)
    {
        tdText_AppendFormat(out, ",\"animations\":[{\"samplers\":[%s],\"channels\":[%s]}]", samplers.data,
                            list.data);
    }
    for (int i = 0; i < 5; ++i)
    {
        tdText_Free(parts[i]);
    }
}

/// An asset of the KHR release candidate.
/// @param shapes entries of KHR_implicit_shapes
/// @param root members of KHR_physics_rigid_bodies, "" for none
static inline tdAsset* LoadScene(const char* nodes, const char* shapes, const char* root,
                                 const Channel* channels, int channelCount, tdReport* report)
{
    tdText text;
    tdText_Init(&text, NULL);
    AppendQuoted(&text, "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_physics_rigid_bodies',"
                        "'KHR_implicit_shapes','KHR_animation_pointer'],'nodes':[");
    AppendQuoted(&text, nodes);
    AppendQuoted(&text, "],'extensions':{'KHR_implicit_shapes':{'shapes':[");
    AppendQuoted(&text, shapes);
    AppendQuoted(&text, "]}");
    if (root[0] != 0)
    {
        AppendQuoted(&text, ",'KHR_physics_rigid_bodies':{");
        AppendQuoted(&text, root);
        AppendQuoted(&text, "}");
    }
    AppendQuoted(&text, "}");
    AppendChannels(&text, channels, channelCount);
    AppendQuoted(&text, "}");
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, report);
    tdText_Free(&text);
    return asset;
}

/// A scene on a stage of its own. Plays its clip if it has one.
static inline Play OpenScene(const char* nodes, const char* shapes, const char* root, const Channel* channels,
                             int channelCount)
{
    Play play = {0};
    tdReport* report = tdCreateReport(NULL);
    play.asset = LoadScene(nodes, shapes, root, channels, channelCount, report);
    play.errors = tdReport_CountSeverity(report, TD_SEVERITY_ERROR);
    play.warnings = tdReport_CountSeverity(report, TD_SEVERITY_WARNING);
    if (!ENSURE(play.asset != NULL && play.errors == 0))
    {
        printf("%s\n", tdReport_GetText(report));
    }
    play.stage = tdCreateStage(NULL);
    play.actor = tdCreateActor(play.stage, play.asset, NULL, report);
    if (channelCount > 0)
    {
        play.clip = tdCreateClip(play.asset, 0, NULL, report);
        play.id = tdActor_Play(play.actor, play.clip, NULL);
    }
    tdDestroyReport(report);
    return play;
}

static inline void ClosePlay(Play* play)
{
    tdDestroyStage(play->stage);
    tdDestroyClip(play->clip);
    tdDestroyAsset(play->asset);
}

static inline void StepFor(tdStage* stage, double seconds)
{
    int count = (int)(seconds * 60.0 + 0.5);
    for (int i = 0; i < count; ++i)
    {
        ENSURE(tdStage_Step(stage));
    }
}

static inline tdBodyMass GetMass(const Play* play, int node)
{
    return tdBody_GetMass(tdStage_GetWorld(play->stage), tdActor_GetBody(play->actor, node));
}

static inline tdVec3 GetPosition(const Play* play, int node)
{
    return tdMat4Translation(tdActor_GetGlobals(play->actor)[node]);
}

/// Shorthands of the text.
#define RB(members) "'extensions':{'KHR_physics_rigid_bodies':{" members "}}"
#define SHAPE(index) "'geometry':{'shape':" #index "}"
#define FLOOR "{'translation':[0,-0.5,0]," RB("'collider':{" SHAPE(0) "}") "}"
#define FLOOR_SHAPE "{'type':'box','box':{'size':[100,1,100]}}"
