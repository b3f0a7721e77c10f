// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the decoder of PNG images. An image that decodes has the size that its header says, and every byte
// of it is set. Sides are bounded, because a large image of zeros takes long with sanitizers.
#include "render/png_decode.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    int width = 0, height = 0;
    if (!tdReadPngSize(data, size, &width, &height) || (int64_t)width * height > 1 << 20)
    {
        return 0;
    }
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    tdPixels pixels;
    if (tdDecodePng(data, size, &allocator, &pixels))
    {
        size_t byteCount = (size_t)pixels.width * (size_t)pixels.height * 4;
        unsigned sum = 0;
        for (size_t i = 0; i < byteCount; ++i)
        {
            sum += pixels.rgba[i];
        }
        if (pixels.width != width || pixels.height != height || sum > 255u * byteCount)
        {
            abort();
        }
        tdRelease(&allocator, pixels.rgba, byteCount);
    }
    return 0;
}
