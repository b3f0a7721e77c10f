// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The sRGB transfer function as tables, levels of a texture, bilinear samples.
#include "texture.h"

#include "base/once.h"
#include "math/vecmath.h"

static float srgbValues[256];       // linear values of bytes
static uint8_t srgbBytes[4096 + 1]; // byte of i / 4096, a lower bound for the search
static tdOnce srgbOnce;

// x^(12/5) by Newton's method for the fifth root. libm's pow differs between systems; these operations do
// not.
static double RaiseToSrgb(double x)
{
    double root = 1.0, square = x * x;
    for (int i = 0; i < 64; ++i)
    {
        double fourth = root * root * root * root;
        root = (4.0 * root + square / fourth) / 5.0;
    }
    return square * root;
}

void tdPrepareSrgb(void)
{
    if (!tdOnce_Begin(&srgbOnce))
    {
        return;
    }
    for (int i = 0; i < 256; ++i)
    {
        double value = i / 255.0;
        srgbValues[i] = (float)(value <= 0.04045 ? value / 12.92 : RaiseToSrgb((value + 0.055) / 1.055));
    }
    for (int i = 0, byte = 0; i <= 4096; ++i)
    {
        while (byte < 255 && srgbValues[byte + 1] <= (float)i / 4096.0f)
        {
            byte += 1;
        }
        srgbBytes[i] = (uint8_t)byte;
    }
    tdOnce_End(&srgbOnce);
}

float tdDecodeSrgb(uint8_t value)
{
    return srgbValues[value];
}

uint8_t tdEncodeSrgb(float value)
{
    if (!(value > 0.0f))
    {
        return 0;
    }
    if (value >= 1.0f)
    {
        return 255;
    }
    int byte = srgbBytes[(int)(value * 4096.0f)];
    while (byte < 255 && value >= 0.5f * (srgbValues[byte] + srgbValues[byte + 1]))
    {
        byte += 1;
    }
    return (uint8_t)byte;
}

// Each texel of `to` is the mean of up to four of `from`.
static void HalvePixels(const tdPixels* from, const tdPixels* to)
{
    size_t stride = 4 * (size_t)from->width;
    for (int y = 0; y < to->height; ++y)
    {
        const uint8_t* row = from->rgba + stride * (size_t)tdMinInt(2 * y, from->height - 1);
        const uint8_t* below = from->rgba + stride * (size_t)tdMinInt(2 * y + 1, from->height - 1);
        uint8_t* texel = to->rgba + 4 * (size_t)y * (size_t)to->width;
        for (int x = 0; x < to->width; ++x, texel += 4)
        {
            size_t left = 4 * (size_t)tdMinInt(2 * x, from->width - 1);
            size_t right = 4 * (size_t)tdMinInt(2 * x + 1, from->width - 1);
            for (size_t k = 0; k < 4; ++k)
            {
                int sum = 2 + row[left + k] + row[right + k] + below[left + k] + below[right + k];
                texel[k] = (uint8_t)(sum / 4);
            }
        }
    }
}

bool tdTexture_MakeLevels(tdTexture* texture, tdArena* arena)
{
    texture->levelCount = 1;
    while (texture->levelCount < TD_TEXTURE_LEVELS)
    {
        const tdPixels* from = &texture->levels[texture->levelCount - 1];
        if (from->width == 1 && from->height == 1)
        {
            break;
        }
        tdPixels* to = &texture->levels[texture->levelCount];
        to->width = tdMaxInt(from->width / 2, 1);
        to->height = tdMaxInt(from->height / 2, 1);
        to->rgba = tdArena_Allocate(arena, (size_t)to->width * (size_t)to->height * 4, 4);
        if (to->rgba == NULL)
        {
            return false;
        }
        HalvePixels(from, to);
        texture->levelCount += 1;
    }
    return true;
}

// A texel's index along one side: repeated or clamped.
static int WrapTexel(int texel, int size, bool isClamped)
{
    int wrapped = texel % size;
    wrapped += wrapped < 0 ? size : 0;
    return !isClamped ? wrapped : texel < 0 ? 0 : texel >= size ? size - 1 : texel;
}

// Splits a coordinate into the texel before it and the fraction towards the next.
static float SplitCoordinate(float coordinate, int size, int* texel)
{
    // Coordinates beyond this have no fraction left; the conversion to int would overflow.
    float place = tdClampFloat(coordinate, -65536.0f, 65536.0f) * (float)size - 0.5f;
    int whole = (int)place;
    whole -= (float)whole > place ? 1 : 0;
    *texel = whole;
    return place - (float)whole;
}

tdColor tdTexture_Sample(const tdTexture* texture, int level, float u, float v)
{
    const tdPixels* pixels = &texture->levels[tdMinInt(level, texture->levelCount - 1)];
    int x, y;
    float s = SplitCoordinate(u, pixels->width, &x), t = SplitCoordinate(v, pixels->height, &y);
    tdColor color = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 4; ++i)
    {
        int column = WrapTexel(x + i % 2, pixels->width, texture->isClamped[0]);
        int row = WrapTexel(y + i / 2, pixels->height, texture->isClamped[1]);
        const uint8_t* texel = pixels->rgba + 4 * ((size_t)row * (size_t)pixels->width + (size_t)column);
        float weight = (i % 2 == 0 ? 1.0f - s : s) * (i / 2 == 0 ? 1.0f - t : t);
        color.r += weight * srgbValues[texel[0]];
        color.g += weight * srgbValues[texel[1]];
        color.b += weight * srgbValues[texel[2]];
        color.a += weight * ((float)texel[3] / 255.0f);
    }
    return color;
}
