// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A minimal VRM 1.0 avatar for fuzzers that retarget motions.
#pragma once

#include "tendon/asset.h"

#include <stdio.h>

static inline tdAsset* LoadAvatar(void)
{
    static const struct
    {
        const char* name;
        int parent;
    } bones[] = {{"hips", -1},         {"spine", 0},          {"head", 1},          {"leftUpperLeg", 0},
                 {"leftLowerLeg", 3},  {"leftFoot", 4},       {"rightUpperLeg", 0}, {"rightLowerLeg", 6},
                 {"rightFoot", 7},     {"leftUpperArm", 1},   {"leftLowerArm", 9},  {"leftHand", 10},
                 {"rightUpperArm", 1}, {"rightLowerArm", 12}, {"rightHand", 13}};
    enum
    {
        COUNT = sizeof(bones) / sizeof(bones[0])
    };
    char text[8192];
    size_t length = 0;
#define PRINT(...) length += (size_t)snprintf(text + length, sizeof(text) - length, __VA_ARGS__)
    PRINT("{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm\"],\"extensions\":{\"VRMC_vrm\":{"
          "\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{");
    for (int i = 0; i < COUNT; ++i)
    {
        PRINT("%s\"%s\":{\"node\":%d}", i > 0 ? "," : "", bones[i].name, i);
    }
    PRINT("}}}},\"nodes\":[");
    for (int i = 0; i < COUNT; ++i)
    {
        PRINT("%s{\"translation\":[%d,1,0],\"rotation\":[0,0.6,0,0.8]", i > 0 ? "," : "", i % 3 - 1);
        const char* before = ",\"children\":[";
        for (int k = i + 1; k < COUNT; ++k)
        {
            if (bones[k].parent == i)
            {
                PRINT("%s%d", before, k);
                before = ",";
            }
        }
        PRINT("%s}", before[1] == 0 ? "]" : "");
    }
    PRINT("]}");
#undef PRINT
    return tdLoadAssetFromMemory(text, length, NULL, NULL);
}
