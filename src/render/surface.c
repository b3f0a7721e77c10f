// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads materials and images. The import has reported problems of the file; values that make no sense keep
// their defaults here.
#include "surface.h"

#include "base/report.h"
#include "gltf/buffer_view.h"
#include "gltf/resolver.h"
#include "gltf/uri.h"
#include "math/trig.h"

#include <string.h>

static const tdSurface defaultSurface = {.baseColor = {1.0f, 1.0f, 1.0f, 1.0f},
                                         .metallic = 1.0f,
                                         .roughness = 1.0f,
                                         .alphaCutoff = 0.5f,
                                         .texture = -1,
                                         .uvScale = {1.0f, 1.0f},
                                         .uvCos = 1.0f};

static float GetUnitNumber(const tdJson* json, int value, float otherwise)
{
    return tdClampFloat((float)tdJson_GetNumber(json, value, (double)otherwise), 0.0f, 1.0f);
}

static void ReadClampedNumbers(const tdJson* json, int list, int count, float lower, float upper,
                               float* numbers)
{
    int i = 0;
    for (int child = tdJson_GetFirst(json, list); child >= 0 && i < count;
         child = tdJson_GetNext(json, child))
    {
        numbers[i] = tdClampFloat((float)tdJson_GetNumber(json, child, (double)numbers[i]), lower, upper);
        i += 1;
    }
}

static int GetIndex(const tdJson* json, int value, int count)
{
    int64_t index = -1;
    return tdJson_GetInteger(json, value, &index) && index >= 0 && index < count ? (int)index : -1;
}

// --- images -----------------------------------------------------------------------------------------------

// Bytes of an image; `owned` is what the caller releases with `capacity`, NULL if the bytes belong to a view.
static const uint8_t* GetImageBytes(tdAccessors* accessors, int image, size_t* size, uint8_t** owned,
                                    size_t* capacity)
{
    const tdDocument* document = accessors->document;
    const tdJson* json = document->json;
    *owned = NULL;
    int view = GetIndex(json, tdJson_Find(json, image, "bufferView"), accessors->viewCount);
    if (view >= 0)
    {
        return tdAccessors_GetView(accessors, view, size);
    }
    size_t length = 0;
    const char* uri = tdJson_GetString(json, tdJson_Find(json, image, "uri"), &length);
    if (uri == NULL)
    {
        return NULL;
    }
    if (tdClassifyUri(uri, length) == TD_URI_DATA)
    {
        tdDataUri data;
        if (tdDecodeDataUri(uri, length, &document->allocator, &data) != TD_URI_OK)
        {
            return NULL;
        }
        *owned = data.data;
        *capacity = data.capacity;
        *size = data.size;
        return data.data;
    }
    tdResolved file;
    if (tdResolver_Read(&document->resolver, &document->allocator, uri, length, &file) != TD_RESOLVE_OK)
    {
        return NULL;
    }
    *owned = file.data;
    *capacity = file.capacity;
    *size = file.size;
    return file.data;
}

// Images of a file, each decoded once.
typedef struct ImageReader
{
    tdAccessors* accessors;
    const tdLimits* limits;
    int64_t texelCount; // of all images that were decoded
    bool isFull;        // the limit of texels was exceeded: no further image is decoded
    tdArena* arena;
    tdReport* report;
} ImageReader;

// Decodes an image unless that exceeds the limit of texels; reports why it is left out.
static bool DecodeImage(ImageReader* reader, int image, int index, tdPixels* pixels)
{
    const tdAllocator* allocator = &reader->accessors->document->allocator;
    tdPath list = tdPath_Key(&tdPath_root, "images"), path = tdPath_Index(&list, index);
    uint8_t* owned = NULL;
    size_t size = 0, capacity = 0;
    const uint8_t* bytes = GetImageBytes(reader->accessors, image, &size, &owned, &capacity);
    int width = 0, height = 0;
    bool isPng = bytes != NULL && tdReadPngSize(bytes, size, &width, &height);
    int64_t texelCount = reader->texelCount + (int64_t)width * height;
    reader->isFull = reader->isFull || !tdLimits_Allow(reader->limits, TD_LIMIT_texels, (double)texelCount,
                                                       reader->report, &path);
    bool isDecoded = isPng && !reader->isFull && tdDecodePng(bytes, size, allocator, pixels);
    if (owned != NULL)
    {
        tdRelease(allocator, owned, capacity);
    }
    if (isDecoded)
    {
        reader->texelCount = texelCount;
    }
    else if (!reader->isFull)
    {
        tdReport_Add(reader->report, TD_DIAG_RENDER_IMAGE, &path, index);
    }
    return isDecoded;
}

// Decodes the image of a texture. False when memory ran out.
static bool ReadTexture(tdTexture* texture, ImageReader* reader, int image, int index)
{
    const tdAllocator* allocator = &reader->accessors->document->allocator;
    tdArena* arena = reader->arena;
    tdPixels pixels = {0};
    if (!DecodeImage(reader, image, index, &pixels))
    {
        return true;
    }
    size_t pixelSize = (size_t)pixels.width * (size_t)pixels.height * 4;
    texture->levels[0] = pixels;
    texture->levels[0].rgba = tdArena_Allocate(arena, pixelSize, 4);
    bool isFine = texture->levels[0].rgba != NULL;
    if (isFine)
    {
        memcpy(texture->levels[0].rgba, pixels.rgba, pixelSize);
        isFine = tdTexture_MakeLevels(texture, arena);
    }
    tdRelease(allocator, pixels.rgba, pixelSize);
    return isFine;
}

static void ReadWrapping(tdTexture* texture, const tdJson* json, int sampler)
{
    const double clampToEdge = 33071.0;
    texture->isClamped[0] = tdJson_GetNumber(json, tdJson_Find(json, sampler, "wrapS"), 0.0) == clampToEdge;
    texture->isClamped[1] = tdJson_GetNumber(json, tdJson_Find(json, sampler, "wrapT"), 0.0) == clampToEdge;
}

// Decodes the textures that `isUsed` names. False when memory ran out.
static bool ReadTextures(tdSurfaces* surfaces, ImageReader* reader, const bool* isUsed)
{
    const tdJson* json = reader->accessors->document->json;
    int images = tdJson_Find(json, 0, "images"), samplers = tdJson_Find(json, 0, "samplers"), index = 0;
    int imageCount = tdJson_GetCount(json, images), samplerCount = tdJson_GetCount(json, samplers);
    int list = tdJson_Find(json, 0, "textures");
    int* firstUsers = tdArena_NewArray(reader->arena, int, imageCount + 1); // textures by image; -1: none yet
    if (firstUsers == NULL)
    {
        return false;
    }
    memset(firstUsers, -1, sizeof(int) * (size_t)(imageCount + 1));
    for (int child = tdJson_GetFirst(json, list); child >= 0; child = tdJson_GetNext(json, child), ++index)
    {
        int image = GetIndex(json, tdJson_Find(json, child, "source"), imageCount);
        if (!isUsed[index] || image < 0)
        {
            continue;
        }
        tdTexture* texture = &surfaces->textures[index];
        int sampler = GetIndex(json, tdJson_Find(json, child, "sampler"), samplerCount);
        if (firstUsers[image] >= 0)
        {
            *texture = surfaces->textures[firstUsers[image]];
        }
        else if (!ReadTexture(texture, reader, tdJson_At(json, images, image), image))
        {
            return false;
        }
        else
        {
            firstUsers[image] = index;
        }
        ReadWrapping(texture, json, sampler >= 0 ? tdJson_At(json, samplers, sampler) : TD_JSON_NONE);
    }
    return true;
}

// --- materials --------------------------------------------------------------------------------------------

static void ReadTextureInfo(tdSurface* surface, const tdJson* json, int info, int textureCount)
{
    surface->texture = GetIndex(json, tdJson_Find(json, info, "index"), textureCount);
    int transform = tdJson_Find(json, tdJson_Find(json, info, "extensions"), "KHR_texture_transform");
    int texCoord = tdJson_Find(json, transform, "texCoord");
    surface->texCoord = GetIndex(json, texCoord >= 0 ? texCoord : tdJson_Find(json, info, "texCoord"), 8);
    surface->texCoord = tdMaxInt(surface->texCoord, 0);
    ReadClampedNumbers(json, tdJson_Find(json, transform, "offset"), 2, -1e6f, 1e6f, surface->uvOffset);
    ReadClampedNumbers(json, tdJson_Find(json, transform, "scale"), 2, -1e6f, 1e6f, surface->uvScale);
    float angle = (float)tdJson_GetNumber(json, tdJson_Find(json, transform, "rotation"), 0.0);
    tdSinCos turn = tdComputeSinCos(tdClampFloat(angle, -1e4f, 1e4f));
    surface->uvSin = turn.sine;
    surface->uvCos = turn.cosine;
}

// MToon of VRM 1.0 is an extension of the material, that of VRM 0.x an entry of the root's list.
static void ReadToon(tdSurface* surface, const tdJson* json, int extensions, int index)
{
    int toon = tdJson_Find(json, extensions, "VRMC_materials_mtoon");
    int properties =
        tdJson_Find(json, tdJson_Find(json, tdJson_Find(json, 0, "extensions"), "VRM"), "materialProperties");
    int old = tdJson_At(json, properties, index);
    float shade[3] = {surface->baseColor.r * 0.75f, surface->baseColor.g * 0.72f,
                      surface->baseColor.b * 0.78f};
    if (toon >= 0)
    {
        ReadClampedNumbers(json, tdJson_Find(json, toon, "shadeColorFactor"), 3, 0.0f, 1.0f, shade);
    }
    surface->isToon = toon >= 0 || tdJson_StringEquals(json, tdJson_Find(json, old, "shader"), "VRM/MToon");
    surface->shadeColor = (tdVec3){shade[0], shade[1], shade[2]};
}

static tdSurface ReadSurface(const tdJson* json, int material, int index, int textureCount)
{
    tdSurface surface = defaultSurface;
    int pbr = tdJson_Find(json, material, "pbrMetallicRoughness");
    float base[4] = {1.0f, 1.0f, 1.0f, 1.0f}, emission[3] = {0.0f, 0.0f, 0.0f};
    ReadClampedNumbers(json, tdJson_Find(json, pbr, "baseColorFactor"), 4, 0.0f, 1.0f, base);
    ReadClampedNumbers(json, tdJson_Find(json, material, "emissiveFactor"), 3, 0.0f, 1.0f, emission);
    surface.baseColor = (tdColor){base[0], base[1], base[2], base[3]};
    surface.metallic = GetUnitNumber(json, tdJson_Find(json, pbr, "metallicFactor"), 1.0f);
    surface.roughness = GetUnitNumber(json, tdJson_Find(json, pbr, "roughnessFactor"), 1.0f);
    // An emissive texture is not decoded, so its factor would make the whole surface glow.
    bool glows = tdJson_Find(json, material, "emissiveTexture") < 0;
    surface.emission = glows ? (tdVec3){emission[0], emission[1], emission[2]} : tdVec3_zero;
    ReadTextureInfo(&surface, json, tdJson_Find(json, pbr, "baseColorTexture"), textureCount);
    int mode = tdJson_Find(json, material, "alphaMode");
    surface.alphaMode = tdJson_StringEquals(json, mode, "MASK")    ? TD_ALPHA_MASK
                        : tdJson_StringEquals(json, mode, "BLEND") ? TD_ALPHA_BLEND
                                                                   : TD_ALPHA_OPAQUE;
    surface.alphaCutoff = GetUnitNumber(json, tdJson_Find(json, material, "alphaCutoff"), 0.5f);
    surface.isDoubleSided = tdJson_GetType(json, tdJson_Find(json, material, "doubleSided")) == TD_JSON_TRUE;
    int extensions = tdJson_Find(json, material, "extensions");
    ReadToon(&surface, json, extensions, index);
    surface.isUnlit = tdJson_Find(json, extensions, "KHR_materials_unlit") >= 0 && !surface.isToon;
    return surface;
}

bool tdReadSurfaces(tdSurfaces* surfaces, tdAccessors* accessors, const tdLimits* limits, tdArena* arena,
                    tdReport* report)
{
    const tdJson* json = accessors->document->json;
    int list = tdJson_Find(json, 0, "materials"), index = 0;
    int count = tdJson_IsArray(json, list) ? tdJson_GetCount(json, list) : 0;
    int textureCount = tdJson_GetCount(json, tdJson_Find(json, 0, "textures"));
    *surfaces = (tdSurfaces){.count = count, .textureCount = textureCount};
    surfaces->surfaces = tdArena_NewArray(arena, tdSurface, count + 1);
    surfaces->textures = tdArena_NewArray(arena, tdTexture, textureCount + 1);
    bool* isUsed = tdArena_NewArray(arena, bool, textureCount + 1);
    if (surfaces->surfaces == NULL || surfaces->textures == NULL || isUsed == NULL)
    {
        return false;
    }
    memset(surfaces->textures, 0, sizeof(tdTexture) * (size_t)(textureCount + 1));
    memset(isUsed, 0, sizeof(bool) * (size_t)(textureCount + 1));
    for (int child = tdJson_GetFirst(json, list); child >= 0 && index < count;
         child = tdJson_GetNext(json, child), ++index)
    {
        tdSurface* surface = &surfaces->surfaces[index];
        *surface = ReadSurface(json, child, index, textureCount);
        isUsed[surface->texture >= 0 ? surface->texture : textureCount] = true;
    }
    // glTF's default material is a white metal, which a preview without reflections cannot show.
    surfaces->surfaces[count] = defaultSurface;
    surfaces->surfaces[count].metallic = 0.0f;
    surfaces->surfaces[count].roughness = 0.9f;
    ImageReader reader = {accessors, limits, 0, false, arena, report};
    return ReadTextures(surfaces, &reader, isUsed);
}
