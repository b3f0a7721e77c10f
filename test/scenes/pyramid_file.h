// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A pyramid of unit boxes on a floor as glTF text, one node per box: rows * (rows + 1) / 2 of them.
#pragma once

#include <stdio.h>
#include <stdlib.h>

/// The caller frees the result; NULL if out of memory.
static inline char* WritePyramidFile(int rows, size_t* size)
{
    int count = rows * (rows + 1) / 2;
    size_t capacity = 1024 + (size_t)count * 192;
    char* text = malloc(capacity);
    if (text == NULL)
    {
        return NULL;
    }
    int length = snprintf(
        text, capacity,
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\","
        "\"KHR_implicit_shapes\"],\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\"},"
        "{\"type\":\"box\",\"box\":{\"size\":[400,2,400]}}]}},\"scene\":0,\"scenes\":[{\"nodes\":[0");
    for (int i = 1; i <= count; ++i)
    {
        length += snprintf(text + length, capacity - (size_t)length, ",%d", i);
    }
    length +=
        snprintf(text + length, capacity - (size_t)length,
                 "]}],\"nodes\":[{\"translation\":[0,-1,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{"
                 "\"collider\":{\"geometry\":{\"shape\":1}}}}}");
    for (int row = 0; row < rows; ++row)
    {
        for (int i = 0; i < rows - row; ++i)
        {
            // A small gap, so that the pyramid settles first.
            length += snprintf(
                text + length, capacity - (size_t)length,
                ",{\"translation\":[%g,%g,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},"
                "\"collider\":{\"geometry\":{\"shape\":0}}}}}",
                1.02 * (i - 0.5 * (rows - row - 1)), 0.51 + 1.01 * row);
        }
    }
    length += snprintf(text + length, capacity - (size_t)length, "]}");
    *size = (size_t)length;
    return text;
}
