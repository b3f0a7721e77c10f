// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A small humanoid as glTF text, VRM 0.x or 1.0, with eyes and a face of two morph targets.
#pragma once

#include "base/text.h"

#include <string.h>

enum
{
    AVATAR_HEAD = 2,
    AVATAR_LEFT_EYE = 15,
    AVATAR_RIGHT_EYE = 16,
    AVATAR_FACE = 17,
};

static const struct
{
    const char* bone;
    float x, y; // of a character that faces +Z
    const char* children;
} avatarBones[] = {
    {"hips", 0, 1, "1,3,9"},
    {"spine", 0, 0.2f, "2,6,12"},
    {"head", 0, 0.3f, "15,16,17"},
    {"leftUpperLeg", 0.1f, 0, "4"},
    {"leftLowerLeg", 0, -0.4f, "5"},
    {"leftFoot", 0, -0.5f, ""},
    {"leftUpperArm", 0.2f, 0.2f, "7"},
    {"leftLowerArm", 0.3f, 0, "8"},
    {"leftHand", 0.25f, 0, ""},
    {"rightUpperLeg", -0.1f, 0, "10"},
    {"rightLowerLeg", 0, -0.4f, "11"},
    {"rightFoot", 0, -0.5f, ""},
    {"rightUpperArm", -0.2f, 0.2f, "13"},
    {"rightLowerArm", -0.3f, 0, "14"},
    {"rightHand", -0.25f, 0, ""},
    {"leftEye", 0.03f, 0.05f, ""},
    {"rightEye", -0.03f, 0.05f, ""},
};

static inline void AppendDoubleQuoted(tdText* text, const char* from)
{
    for (; *from != 0; ++from)
    {
        tdText_AppendChar(text, *from == '\'' ? '"' : *from);
    }
}

/// @param version 0 or 1
/// @param members further members of the VRM extension, with ' for "
static inline void WriteAvatar(tdText* text, int version, const char* members)
{
    int count = (int)(sizeof(avatarBones) / sizeof(avatarBones[0]));
    float side = version == 0 ? -1.0f : 1.0f; // a VRM 0.x model faces -Z
    AppendDoubleQuoted(text, "{'asset':{'version':'2.0'},'extensionsUsed':['");
    AppendDoubleQuoted(text, version == 0 ? "VRM" : "VRMC_vrm");
    AppendDoubleQuoted(
        text, "'],'scene':0,'scenes':[{'nodes':[0]}],'accessors':[{'componentType':5126,'count':3,'type':"
              "'VEC3'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':0},{"
              "'POSITION':0}]}]}],'nodes':[");
    for (int i = 0; i < count; ++i)
    {
        tdText_AppendFormat(text, "{\"name\":\"%s\",\"translation\":[%g,%g,0]", avatarBones[i].bone,
                            (double)(side * avatarBones[i].x), (double)avatarBones[i].y);
        tdText_AppendFormat(text, avatarBones[i].children[0] != 0 ? ",\"children\":[%s]}," : "},%s",
                            avatarBones[i].children);
    }
    AppendDoubleQuoted(text, version == 0
                                 ? "{'mesh':0}],'extensions':{'VRM':{'humanoid':{'humanBones':["
                                 : "{'mesh':0}],'extensions':{'VRMC_vrm':{'specVersion':'1.0','meta':{'name':"
                                   "'test','authors':['test'],'licenseUrl':'https://vrm.dev/licenses/1.0/'},"
                                   "'humanoid':{'humanBones':{");
    for (int i = 0; i < count; ++i)
    {
        const char* comma = i > 0 ? "," : "";
        if (version == 0)
        {
            tdText_AppendFormat(text, "%s{\"bone\":\"%s\",\"node\":%d}", comma, avatarBones[i].bone, i);
        }
        else
        {
            tdText_AppendFormat(text, "%s\"%s\":{\"node\":%d}", comma, avatarBones[i].bone, i);
        }
    }
    AppendDoubleQuoted(text, version == 0 ? "]}" : "}}");
    AppendDoubleQuoted(text, members[0] != 0 ? "," : "");
    AppendDoubleQuoted(text, members);
    AppendDoubleQuoted(text, "}}}");
}
