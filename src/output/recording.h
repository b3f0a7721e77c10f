// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A recording in memory.
#pragma once

#include "record_file.h"

/// A body that has a name.
typedef struct tdNamedBody
{
    int body, actor, node;
    const char* name; // in the recording's names
} tdNamedBody;

struct tdRecording
{
    tdAllocator allocator;
    uint8_t* bytes; // the file up to the end of its last complete part
    size_t size, capacity;
    tdArray(tdRecordPart) parts;
    tdArray(tdNamedBody) bodies;
    char *build, *names; // zero-terminated texts
    size_t buildSize, nameSize;
    tdRecordingInfo info;
    struct
    {
        tdVec3 gravity;
        int32_t subStepCount, maxPairs, maxContacts;
        uint8_t enableSleep, enableContinuous;
    } stage;
};

/// Completes actor, node and name of a difference from its body.
void tdRecording_NameBody(const tdRecording* recording, tdBodyDifference* difference);
