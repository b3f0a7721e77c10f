// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lambert and GGX (Walter et al. 2007) for the light, a two-colour sky for the rest.
#include "shade.h"

#include "math/trig.h"

#define SHADE_PI 3.14159265f

static const tdVec3 lightColor = {2.75f, 2.65f, 2.45f};
static const tdVec3 skyLight = {0.42f, 0.47f, 0.56f};
static const tdVec3 groundLight = {0.22f, 0.20f, 0.19f};

tdViewVertex tdView_Project(const tdView* view, tdVec3 position)
{
    tdVec3 offset = tdSub(position, view->eye);
    return (tdViewVertex){tdDot(offset, view->right) * view->scaleX, tdDot(offset, view->up) * view->scaleY,
                          tdDot(offset, view->forward), 0.0f};
}

tdViewVertex tdShadowMap_Project(const tdShadowMap* shadows, tdVec3 position)
{
    tdVec3 offset = tdScale(1.0f / shadows->radius, tdSub(position, shadows->center));
    return (tdViewVertex){tdDot(offset, shadows->right), tdDot(offset, shadows->up), 1.0f,
                          tdDot(offset, shadows->toLight)};
}

// --- shadows ----------------------------------------------------------------------------------------------

// Fraction of the light that reaches a point: an area of 3 x 3 texels, the border ones by their covered part.
static float GetLight(const tdShadowMap* shadows, tdVec3 position, tdVec3 normal)
{
    // Moves the point off its surface by a bit more than the filter's width, so that it does not shadow
    // itself.
    float texel = 2.0f * shadows->radius / (float)TD_SHADOW_SIZE;
    tdViewVertex at = tdShadowMap_Project(shadows, tdMulAdd(position, 2.0f * texel, normal));
    float x = (at.x + 1.0f) * 0.5f * (float)TD_SHADOW_SIZE - 1.5f;
    float y = (1.0f - at.y) * 0.5f * (float)TD_SHADOW_SIZE - 1.5f;
    if (!(x >= 0.0f) || !(y >= 0.0f) || x > (float)(TD_SHADOW_SIZE - 5) || y > (float)(TD_SHADOW_SIZE - 5))
    {
        return 1.0f;
    }
    int left = (int)x, top = (int)y;
    float fractionX = x - (float)left, fractionY = y - (float)top, sum = 0.0f;
    float depth = at.depth + 1.0e-3f;
    for (int i = 0; i < 4; ++i)
    {
        const float* row = shadows->depths + (size_t)(top + i) * TD_SHADOW_SIZE + left;
        float rowSum = row[0] <= depth ? 1.0f - fractionX : 0.0f;
        rowSum += row[1] <= depth ? 1.0f : 0.0f;
        rowSum += row[2] <= depth ? 1.0f : 0.0f;
        rowSum += row[3] <= depth ? fractionX : 0.0f;
        sum += rowSum * (i == 0 ? 1.0f - fractionY : i == 3 ? fractionY : 1.0f);
    }
    return sum / 9.0f;
}

// --- surfaces ---------------------------------------------------------------------------------------------

// A point of a surface.
typedef struct SurfacePoint
{
    const tdSurface* surface;
    tdVec3 position, normal;
    tdColor color;
} SurfacePoint;

// Level of a texture whose texels are about as large as samples, from the triangle's areas on both.
static int GetTextureLevel(const tdTexture* texture, const tdScreenTriangle* triangle, const float uv[3][2])
{
    double ux = (double)(uv[1][0] - uv[0][0]), uy = (double)(uv[1][1] - uv[0][1]);
    double vx = (double)(uv[2][0] - uv[0][0]), vy = (double)(uv[2][1] - uv[0][1]);
    double texels = ux * vy - uy * vx;
    texels = (texels < 0.0 ? -texels : texels) * texture->levels[0].width * texture->levels[0].height;
    double ax = triangle->x[1] - triangle->x[0], ay = triangle->y[1] - triangle->y[0];
    double bx = triangle->x[2] - triangle->x[0], by = triangle->y[2] - triangle->y[0];
    double samples = (ax * by - ay * bx) / 65536.0;
    int level = 0;
    while (level + 1 < texture->levelCount && texels > 2.5 * samples)
    {
        texels *= 0.25;
        level += 1;
    }
    return level;
}

static tdColor GetBaseColor(const tdShading* shading, const tdPart* part, const tdScreenTriangle* triangle,
                            const int corners[3], tdVec3 weights)
{
    const tdSurface* surface = &shading->model->surfaces.surfaces[part->surface];
    const float factors[3] = {weights.x, weights.y, weights.z};
    tdColor color = surface->baseColor;
    if (part->colors != NULL)
    {
        float sum[4] = {0.0f, 0.0f, 0.0f, part->colorSize == 4 ? 0.0f : 1.0f};
        for (int i = 0; i < 3; ++i)
        {
            const float* from =
                part->colors + (size_t)(corners[i] - part->firstVertex) * (size_t)part->colorSize;
            for (int k = 0; k < part->colorSize; ++k)
            {
                sum[k] += factors[i] * from[k];
            }
        }
        color = (tdColor){color.r * sum[0], color.g * sum[1], color.b * sum[2], color.a * sum[3]};
    }
    const tdTexture* texture =
        surface->texture >= 0 ? &shading->model->surfaces.textures[surface->texture] : NULL;
    if (texture != NULL && texture->levelCount > 0 && part->uvs != NULL)
    {
        float uv[3][2], u = 0.0f, v = 0.0f;
        for (int i = 0; i < 3; ++i)
        {
            const float* from = part->uvs + 2 * (size_t)(corners[i] - part->firstVertex);
            float x = from[0] * surface->uvScale[0], y = from[1] * surface->uvScale[1];
            uv[i][0] = surface->uvOffset[0] + surface->uvCos * x + surface->uvSin * y;
            uv[i][1] = surface->uvOffset[1] - surface->uvSin * x + surface->uvCos * y;
            u += factors[i] * uv[i][0];
            v += factors[i] * uv[i][1];
        }
        int level = GetTextureLevel(texture, triangle, (const float(*)[2])uv);
        tdColor texel = tdTexture_Sample(texture, level, u, v);
        color = (tdColor){color.r * texel.r, color.g * texel.g, color.b * texel.b, color.a * texel.a};
    }
    return color;
}

static SurfacePoint GetSurfacePoint(const tdShading* shading, const tdScreenTriangle* triangle, int x, int y)
{
    const tdFrame* frame = shading->frame;
    const tdPart* part = &shading->model->parts[frame->partNumbers[triangle->triangle]];
    int corners[3];
    tdFrame_GetCorners(frame, shading->model, (int)triangle->triangle, corners);
    tdVec3 weights = tdGetCornerWeights(shading->triangles, triangle, x, y);
    const tdVec3 *a = frame->positions + corners[0], *b = frame->positions + corners[1],
                 *c = frame->positions + corners[2];
    SurfacePoint point = {.surface = &shading->model->surfaces.surfaces[part->surface]};
    point.position = tdMulAdd(tdMulAdd(tdScale(weights.x, *a), weights.y, *b), weights.z, *c);
    tdVec3 face = tdCross(tdSub(*b, *a), tdSub(*c, *a)), normal = face;
    if (part->normals != NULL)
    {
        normal = tdMulAdd(
            tdMulAdd(tdScale(weights.x, frame->normals[corners[0]]), weights.y, frame->normals[corners[1]]),
            weights.z, frame->normals[corners[2]]);
        normal = tdLengthSquared(normal) > 0.0f ? normal : face;
    }
    // The side that is seen is the front of a surface with two sides.
    bool isBack = tdDot(face, tdSub(shading->view->eye, point.position)) < 0.0f;
    point.normal = tdNormalize(isBack ? tdNegate(normal) : normal);
    point.color = GetBaseColor(shading, part, triangle, corners, weights);
    return point;
}

float tdGetSurfaceAlpha(const tdShading* shading, const tdScreenTriangle* triangle, int x, int y)
{
    const tdPart* part = &shading->model->parts[shading->frame->partNumbers[triangle->triangle]];
    int corners[3];
    tdFrame_GetCorners(shading->frame, shading->model, (int)triangle->triangle, corners);
    tdVec3 weights = tdGetCornerWeights(shading->triangles, triangle, x, y);
    return GetBaseColor(shading, part, triangle, corners, weights).a;
}

static tdVec3 GetSky(float height)
{
    return tdLerp(groundLight, skyLight, tdClampFloat(0.5f + 0.5f * height, 0.0f, 1.0f));
}

// Reflection of the light, GGX with the visibility term of Smith, height-correlated and without its square
// roots, as games approximate it.
static float GetHighlight(tdVec3 normal, tdVec3 toEye, tdVec3 toLight, float roughness)
{
    tdVec3 half = tdNormalize(tdAdd(toEye, toLight));
    float facing = tdMaxFloat(tdDot(normal, half), 0.0f);
    float lit = tdMaxFloat(tdDot(normal, toLight), 0.0f), seen = tdMaxFloat(tdDot(normal, toEye), 0.0f);
    float alpha = tdMaxFloat(roughness * roughness, 0.02f), square = alpha * alpha;
    float bottom = facing * facing * (square - 1.0f) + 1.0f;
    float spread = square / (SHADE_PI * bottom * bottom);
    float visible =
        0.5f /
        tdMaxFloat(lit * (seen * (1.0f - alpha) + alpha) + seen * (lit * (1.0f - alpha) + alpha), 1.0e-4f);
    return spread * visible * lit;
}

static tdVec3 GetRgb(tdColor color)
{
    return (tdVec3){color.r, color.g, color.b};
}

// Light that leaves a surface with reflection and highlights.
static tdVec3 LightSurface(const tdShading* shading, const SurfacePoint* point)
{
    const tdSurface* surface = point->surface;
    tdVec3 base = GetRgb(point->color), toLight = shading->shadows->toLight;
    tdVec3 toEye = tdNormalize(tdSub(shading->view->eye, point->position));
    float lit = tdMaxFloat(tdDot(point->normal, toLight), 0.0f);
    float light = lit > 0.0f ? GetLight(shading->shadows, point->position, point->normal) : 0.0f;
    tdVec3 diffuse = tdScale(1.0f - surface->metallic, base);
    tdVec3 mirror = tdLerp((tdVec3){0.04f, 0.04f, 0.04f}, base, surface->metallic);
    tdVec3 sky = GetSky(point->normal.y);
    tdVec3 reflected = tdSub(tdScale(2.0f * tdDot(point->normal, toEye), point->normal), toEye);
    // A rough surface reflects all of the sky, a smooth one a direction of it.
    tdVec3 reflection = GetSky(reflected.y * (1.6f - surface->roughness));
    float grazing = 1.0f - tdMaxFloat(tdDot(point->normal, toEye), 0.0f);
    float fresnel = grazing * grazing * grazing * grazing * grazing * (1.0f - surface->roughness);
    tdVec3 reflectance = tdAdd(mirror, tdScale(fresnel, tdSub(tdVec3_one, mirror)));
    tdVec3 result = tdMul(diffuse, tdMulAdd(sky, light * lit / SHADE_PI, lightColor));
    result = tdAdd(result, tdMul(reflectance, reflection));
    float highlight = light * GetHighlight(point->normal, toEye, toLight, surface->roughness);
    result = tdAdd(result, tdMul(mirror, tdScale(highlight, lightColor)));
    return tdAdd(result, surface->emission);
}

// MToon: the base colour in light, the shade colour elsewhere, with a narrow transition.
static tdVec3 LightToon(const tdShading* shading, const SurfacePoint* point)
{
    tdVec3 base = GetRgb(point->color);
    const tdColor* factor = &point->surface->baseColor;
    tdVec3 shade = point->surface->shadeColor;
    // The shade texture is usually that of the base colour: the shade keeps its pattern.
    tdVec3 dark = {factor->r > 0.0f ? base.x / factor->r * shade.x : 0.0f,
                   factor->g > 0.0f ? base.y / factor->g * shade.y : 0.0f,
                   factor->b > 0.0f ? base.z / factor->b * shade.z : 0.0f};
    float lit = tdDot(point->normal, shading->shadows->toLight);
    float light = lit > 0.0f ? GetLight(shading->shadows, point->position, point->normal) : 0.0f;
    float amount = tdClampFloat((lit * light + 0.05f) * 5.0f, 0.0f, 1.0f);
    return tdAdd(tdLerp(dark, base, amount), point->surface->emission);
}

// Compresses what is brighter than white, so that highlights keep their colour.
static float CompressWhite(float value)
{
    const float knee = 0.8f;
    float over = (value - knee) / (1.0f - knee);
    return value <= knee ? value : knee + (1.0f - knee) * over / (1.0f + over);
}

tdColor tdShadeSurface(const tdShading* shading, const tdScreenTriangle* triangle, int x, int y)
{
    SurfacePoint point = GetSurfacePoint(shading, triangle, x, y);
    tdVec3 light = point.surface->isUnlit  ? GetRgb(point.color)
                   : point.surface->isToon ? LightToon(shading, &point)
                                           : LightSurface(shading, &point);
    if (!point.surface->isUnlit)
    {
        light = (tdVec3){CompressWhite(light.x), CompressWhite(light.y), CompressWhite(light.z)};
    }
    return (tdColor){light.x, light.y, light.z, point.color.a};
}

// --- background -------------------------------------------------------------------------------------------

// Linear colours: of the horizon, of the top, and how much grid lines and shadows darken the ground.
typedef struct Backdrop
{
    tdVec3 horizon, top;
    float line, shadow;
} Backdrop;

static const Backdrop backdrops[] = {
    [TD_BACKGROUND_LIGHT] = {{0.80f, 0.82f, 0.85f}, {0.55f, 0.65f, 0.80f}, 0.16f, 0.5f},
    [TD_BACKGROUND_DARK] = {{0.030f, 0.034f, 0.042f}, {0.010f, 0.012f, 0.018f}, -0.9f, 0.75f},
    [TD_BACKGROUND_WHITE] = {{1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f}, 0.0f, 0.35f},
    [TD_BACKGROUND_TRANSPARENT] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0f, 0.0f},
};

// Direction of the ray through the centre of a sample, with length 1 along the view axis.
static tdVec3 GetRay(const tdShading* shading, int x, int y)
{
    const tdView* view = shading->view;
    float right = (2.0f * ((float)x + 0.5f) / (float)shading->triangles->width - 1.0f) / view->scaleX;
    float up = (1.0f - 2.0f * ((float)y + 0.5f) / (float)shading->triangles->height) / view->scaleY;
    return tdMulAdd(tdMulAdd(view->forward, right, view->right), up, view->up);
}

// Distance from a coordinate to the nearest multiple of the spacing.
static float GetLineDistance(float coordinate, float spacing)
{
    float cells = tdClampFloat(coordinate / spacing, -1.0e6f, 1.0e6f);
    float fraction = cells - (float)(int)cells;
    fraction = tdAbsFloat(fraction);
    return tdMinFloat(fraction, 1.0f - fraction) * spacing;
}

// A power of ten that gives some lines within the range of the view.
static float GetGridSpacing(float range)
{
    float spacing = 1.0f;
    while (spacing * 2.0f > range && spacing > 1.0e-6f)
    {
        spacing *= 0.1f;
    }
    while (spacing * 20.0f < range && spacing < 1.0e6f)
    {
        spacing *= 10.0f;
    }
    return spacing;
}

static tdVec3 ShadeGround(const tdShading* shading, tdVec3 position, float distance, tdVec3 behind)
{
    const Backdrop* backdrop = &backdrops[shading->background];
    const tdView* view = shading->view;
    tdVec3 offset = tdSub(position, tdMulAdd(view->eye, view->range, view->forward));
    float fade = 1.0f - tdLength((tdVec3){offset.x, 0.0f, offset.z}) / (3.0f * view->range);
    fade = tdClampFloat(fade, 0.0f, 1.0f);
    float spacing = GetGridSpacing(view->range);
    // Lines are about a sample wide, whatever their distance.
    float width = distance / (view->scaleY * (float)shading->triangles->height) * 1.6f;
    float line = tdMinFloat(GetLineDistance(position.x, spacing), GetLineDistance(position.z, spacing));
    float coverage = tdClampFloat(1.0f - line / tdMaxFloat(width, 1.0e-9f), 0.0f, 1.0f);
    coverage *= tdClampFloat(2.0f - 20.0f * width / spacing, 0.0f, 1.0f);
    float light = GetLight(shading->shadows, position, (tdVec3){0.0f, 1.0f, 0.0f});
    float factor = 1.0f - fade * (backdrop->line * coverage + backdrop->shadow * (1.0f - light));
    return tdScale(factor, behind);
}

float tdGetGroundDepth(const tdShading* shading, int x, int y)
{
    const tdView* view = shading->view;
    float slope = view->hasGround ? GetRay(shading, x, y).y : 0.0f;
    return slope < 0.0f ? slope / (view->ground - view->eye.y) : 0.0f;
}

tdColor tdShadeBackground(const tdShading* shading, int x, int y)
{
    const Backdrop* backdrop = &backdrops[shading->background];
    const tdView* view = shading->view;
    if (shading->background == TD_BACKGROUND_TRANSPARENT)
    {
        return (tdColor){0.0f, 0.0f, 0.0f, 0.0f};
    }
    tdVec3 ray = GetRay(shading, x, y);
    float slope = ray.y / tdLength(ray);
    tdVec3 color = tdLerp(backdrop->horizon, backdrop->top, tdClampFloat(slope * 1.5f, 0.0f, 1.0f));
    float distance = ray.y < 0.0f ? (view->ground - view->eye.y) / ray.y : -1.0f;
    if (view->hasGround && distance > 0.0f)
    {
        color = ShadeGround(shading, tdMulAdd(view->eye, distance, ray), distance, color);
    }
    return (tdColor){color.x, color.y, color.z, 1.0f};
}
