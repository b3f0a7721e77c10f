// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A picture in passes: pose the vertices, draw the shadow map, find the nearest triangle of every sample,
// shade the samples, blend transparent triangles, average the samples of each pixel. Every pass is parallel
// over rows, and no row depends on another one of its pass.
//
// See docs/decisions/117-software-renderer.md.
#include "shade.h"

#include "base/def.h"
#include "base/heap_sort.h"
#include "base/report.h"
#include "base/tasks.h"
#include "math/trig.h"

#include "tendon/debug.h"
#include "tendon/render.h"

#include <float.h>
#include <string.h>

#define MAX_PICTURE_SIDE 8192
#define ROWS_PER_TASK 16

struct tdRenderer
{
    tdAllocator allocator;
    tdRenderDef def;
    const tdAsset* asset;
    tdArena arena; // model and frame
    tdModel model;
    tdFrame frame;
    bool* isAnimated; // by node: it or an ancestor is the target of an animation or a constraint
    tdScreenTriangles opaque, blended, shadowed;
    tdShadowMap shadows;
    tdView view;
    tdShading shading, blendShading;
    float* depths;      // by sample
    uint32_t* ids;      // by sample: index in `opaque` plus one
    tdColor* colors;    // by sample, linear
    uint8_t* pixels;    // the picture
    size_t sampleCount; // allocated
    size_t pixelCount;
    tdArray(tdVec3) lines; // of colliders, world space, two points per line
};

tdRenderDef tdDefaultRenderDef(void)
{
    return (tdRenderDef){.width = 640,
                         .height = 360,
                         .sampleRate = 2,
                         .drawGround = true,
                         .drawEdges = true,
                         .cookie = TD_DEF_COOKIE};
}

static bool IsValidDef(const tdRenderDef* def)
{
    return def->width >= 1 && def->width <= MAX_PICTURE_SIDE && def->height >= 1 &&
           def->height <= MAX_PICTURE_SIDE && def->sampleRate >= 1 && def->sampleRate <= 4 &&
           def->background <= TD_BACKGROUND_TRANSPARENT;
}

static void MarkAnimated(tdRenderer* renderer)
{
    const tdScene* scene = renderer->model.scene;
    memset(renderer->isAnimated, 0, (size_t)scene->nodes.count);
    for (int i = 0; i < scene->animationCount; ++i)
    {
        for (int k = 0; k < scene->animations[i].channelCount; ++k)
        {
            const tdProperty* target = &scene->animations[i].channels[k].target;
            if (tdPropertyKind_GetClass(target->kind) == TD_PROPERTY_CLASS_LOCAL)
            {
                renderer->isAnimated[target->object] = true;
            }
        }
    }
    for (int i = 0; i < tdDescribeAsset(renderer->asset).constraintCount; ++i)
    {
        renderer->isAnimated[tdDescribeConstraint(renderer->asset, i).node] = true;
    }
    for (int i = 0; i < scene->nodes.count; ++i)
    {
        int node = scene->nodes.order[i], parent = scene->nodes.parents[node];
        renderer->isAnimated[node] =
            renderer->isAnimated[node] || (parent >= 0 && renderer->isAnimated[parent]);
    }
}

static bool AllocateBuffers(tdRenderer* renderer)
{
    const tdRenderDef* def = &renderer->def;
    renderer->pixelCount = (size_t)def->width * (size_t)def->height;
    renderer->sampleCount = renderer->pixelCount * (size_t)(def->sampleRate * def->sampleRate);
    const tdAllocator* allocator = &renderer->allocator;
    renderer->depths = tdAllocate(allocator, renderer->sampleCount * sizeof(float), 64);
    renderer->ids = tdAllocate(allocator, renderer->sampleCount * sizeof(uint32_t), 64);
    renderer->colors = tdAllocate(allocator, renderer->sampleCount * sizeof(tdColor), 64);
    renderer->pixels = tdAllocate(allocator, renderer->pixelCount * 4, 64);
    renderer->shadows.depths =
        tdAllocate(allocator, sizeof(float) * (size_t)TD_SHADOW_SIZE * (size_t)TD_SHADOW_SIZE, 64);
    return renderer->depths != NULL && renderer->ids != NULL && renderer->colors != NULL &&
           renderer->pixels != NULL && renderer->shadows.depths != NULL;
}

tdRenderer* tdCreateRenderer(const tdAsset* asset, const tdRenderDef* def, tdReport* report)
{
    tdRenderDef resolved = def != NULL ? *def : tdDefaultRenderDef();
    TD_ASSERT_DEF(&resolved);
    if (asset == NULL || !IsValidDef(&resolved))
    {
        return NULL;
    }
    tdPrepareSrgb();
    tdAllocator allocator = tdAllocator_Resolve(resolved.allocator);
    tdRenderer* renderer = tdAllocateZeroed(&allocator, sizeof(tdRenderer), _Alignof(tdRenderer));
    if (renderer == NULL)
    {
        return NULL;
    }
    renderer->allocator = allocator;
    renderer->def = resolved;
    renderer->asset = asset;
    tdArena_Init(&renderer->arena, &renderer->allocator, 1 << 16);
    bool isFine = tdReadModel(&renderer->model, asset, &renderer->arena, report) &&
                  tdFrame_Init(&renderer->frame, &renderer->model, &renderer->arena) &&
                  AllocateBuffers(renderer);
    renderer->isAnimated =
        isFine ? tdArena_NewArray(&renderer->arena, bool, renderer->model.scene->nodes.count + 1) : NULL;
    if (renderer->isAnimated == NULL)
    {
        tdDestroyRenderer(renderer);
        return NULL;
    }
    MarkAnimated(renderer);
    return renderer;
}

static void FreeTriangles(tdScreenTriangles* triangles, const tdAllocator* allocator)
{
    tdArray_Free(allocator, &triangles->list);
    tdArray_Free(allocator, &triangles->cuts);
}

void tdDestroyRenderer(tdRenderer* renderer)
{
    if (renderer == NULL)
    {
        return;
    }
    tdAllocator allocator = renderer->allocator;
    FreeTriangles(&renderer->opaque, &allocator);
    FreeTriangles(&renderer->blended, &allocator);
    FreeTriangles(&renderer->shadowed, &allocator);
    tdArray_Free(&allocator, &renderer->lines);
    tdRelease(&allocator, renderer->depths, renderer->sampleCount * sizeof(float));
    tdRelease(&allocator, renderer->ids, renderer->sampleCount * sizeof(uint32_t));
    tdRelease(&allocator, renderer->colors, renderer->sampleCount * sizeof(tdColor));
    tdRelease(&allocator, renderer->pixels, renderer->pixelCount * 4);
    tdRelease(&allocator, renderer->shadows.depths,
              sizeof(float) * (size_t)TD_SHADOW_SIZE * (size_t)TD_SHADOW_SIZE);
    tdArena_Free(&renderer->arena);
    tdRelease(&allocator, renderer, sizeof(tdRenderer));
}

// --- framing ----------------------------------------------------------------------------------------------

// Parts that stand still are framed up to this many diagonals of the moving parts: floors, and all others.
// Both were found by trial on the examples; the test render/renderer FramesShowScenery notices a change.
#define FLOOR_REACH 2.0f
#define SCENERY_REACH 12.0f

static const tdBox emptyBox = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static tdBox JoinBoxes(tdBox a, tdBox b)
{
    return (tdBox){tdMin(a.lower, b.lower), tdMax(a.upper, b.upper)};
}

static bool IsEmptyBox(tdBox box)
{
    return box.lower.x > box.upper.x;
}

static float GetDiagonal(tdBox box)
{
    return IsEmptyBox(box) ? 0.0f : tdLength(tdSub(box.upper, box.lower));
}

// A floor: its height is small beside its width, as in the viewer page (viewer.js).
static bool IsFlatBox(tdBox box)
{
    tdVec3 size = tdSub(box.upper, box.lower);
    return size.y < 0.15f * tdMaxFloat(size.x, size.z);
}

// Adds the wireframe of a collider to the lines. False when memory ran out.
static bool AddLines(tdRenderer* renderer, const tdActor* actor, int collider)
{
    const tdWorld* world = tdStage_GetWorld(tdActor_GetStage(actor));
    tdShapeId shape = tdActor_GetShape(actor, collider);
    int count = tdShape_GetLines(world, shape, NULL, 0);
    if (count <= 0)
    {
        return true;
    }
    tdVec3* points = tdArray_Add(&renderer->allocator, &renderer->lines, count);
    if (points == NULL)
    {
        return false;
    }
    tdShape_GetLines(world, shape, points, count);
    tdBodyId body = tdShape_GetBody(world, shape);
    tdTransform place = tdMulTransform(tdBody_GetTransform(world, body), tdShape_GetLocal(world, shape));
    for (int k = 0; k < count; ++k)
    {
        points[k] = tdTransformPoint(place, points[k]);
    }
    return true;
}

// Collects the wireframes of the colliders. False when memory ran out.
static bool CollectLines(tdRenderer* renderer, const tdActor* actor)
{
    int colliderCount = tdDescribeAsset(renderer->asset).colliderCount;
    renderer->lines.count = 0;
    for (int i = 0; i < colliderCount; ++i)
    {
        if (!AddLines(renderer, actor, i))
        {
            return false;
        }
    }
    return true;
}

// Box of the wireframe of a collider; empty when it has no lines or memory ran out.
static tdBox GetColliderBox(tdRenderer* renderer, const tdActor* actor, int collider)
{
    tdBox box = emptyBox;
    renderer->lines.count = 0;
    bool isComplete = AddLines(renderer, actor, collider);
    for (int i = 0; isComplete && i < renderer->lines.count; ++i)
    {
        box = JoinBoxes(box, (tdBox){renderer->lines.data[i], renderer->lines.data[i]});
    }
    return box;
}

// Is a part that stands still framed, beside moving parts of this diagonal?
static bool IsFramed(tdBox box, float reach)
{
    return GetDiagonal(box) <= (IsFlatBox(box) ? FLOOR_REACH : SCENERY_REACH) * reach;
}

// Bounds of a file without meshes, by the rule for meshes.
static tdBox GetColliderBounds(tdRenderer* renderer, const tdActor* actor)
{
    const tdWorld* world = tdStage_GetWorld(tdActor_GetStage(actor));
    int colliderCount = tdDescribeAsset(renderer->asset).colliderCount;
    tdBox moving = emptyBox, bounds = emptyBox;
    for (int i = 0; i < colliderCount; ++i)
    {
        tdShapeId shape = tdActor_GetShape(actor, i);
        if (tdShape_IsValid(world, shape) &&
            tdBody_GetMotion(world, tdShape_GetBody(world, shape)) != TD_MOTION_STATIC)
        {
            moving = JoinBoxes(moving, GetColliderBox(renderer, actor, i));
        }
    }
    for (int i = 0; i < colliderCount; ++i)
    {
        tdBox box = GetColliderBox(renderer, actor, i);
        bounds = IsEmptyBox(moving) || IsFramed(box, GetDiagonal(moving)) ? JoinBoxes(bounds, box) : bounds;
    }
    return IsEmptyBox(moving) ? bounds : JoinBoxes(bounds, moving);
}

tdBox tdRenderer_GetBounds(tdRenderer* renderer, const tdActor* actor)
{
    tdBox moving = emptyBox, all = emptyBox;
    if (renderer == NULL || actor == NULL || tdActor_GetAsset(actor) != renderer->asset)
    {
        return emptyBox;
    }
    tdFrame_Pose(&renderer->frame, &renderer->model, actor);
    for (int i = 0; i < renderer->model.partCount; ++i)
    {
        const tdPart* part = &renderer->model.parts[i];
        tdBox box = tdFrame_GetPartBox(&renderer->frame, part);
        bool moves =
            part->skin >= 0 || renderer->isAnimated[part->node] ||
            tdBody_IsValid(tdStage_GetWorld(tdActor_GetStage(actor)), tdActor_GetBody(actor, part->node));
        all = JoinBoxes(all, box);
        moving = moves ? JoinBoxes(moving, box) : moving;
    }
    if (renderer->model.partCount == 0)
    {
        return GetColliderBounds(renderer, actor);
    }
    if (IsEmptyBox(moving))
    {
        return all;
    }
    // Large floors are seen as far as the moving parts need, and so are parts that would make these tiny.
    tdBox bounds = moving;
    float reach = GetDiagonal(moving);
    for (int i = 0; i < renderer->model.partCount; ++i)
    {
        tdBox box = tdFrame_GetPartBox(&renderer->frame, &renderer->model.parts[i]);
        bounds = IsFramed(box, reach) ? JoinBoxes(bounds, box) : bounds;
    }
    return bounds;
}

tdCamera tdRenderer_FrameBox(const tdRenderer* renderer, tdBox box, float yaw, float pitch, float zoom)
{
    const float angle = 0.6f; // rad, a short telephoto lens
    if (IsEmptyBox(box))
    {
        box = (tdBox){{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    }
    tdVec3 center = tdScale(0.5f, tdAdd(box.lower, box.upper));
    float diagonal = tdMaxFloat(GetDiagonal(box), 1.0e-3f);
    tdSinCos turn = tdComputeSinCos(yaw), tilt = tdComputeSinCos(tdClampFloat(pitch, -1.55f, 1.55f));
    tdVec3 back = {turn.sine * tilt.cosine, tilt.sine, turn.cosine * tilt.cosine};
    tdVec3 right = {turn.cosine, 0.0f, -turn.sine};
    tdVec3 up = tdCross(back, right);
    tdSinCos half = tdComputeSinCos(0.5f * angle);
    float tangent = half.sine / half.cosine;
    float aspect = renderer != NULL ? (float)renderer->def.width / (float)renderer->def.height : 16.0f / 9.0f;
    float distance = 0.0f;
    for (int i = 0; i < 8; ++i)
    {
        tdVec3 corner = {i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
                         i & 4 ? box.upper.z : box.lower.z};
        tdVec3 offset = tdSub(corner, center);
        float across = tdAbsFloat(tdDot(offset, right)) / (tangent * aspect);
        float along = tdAbsFloat(tdDot(offset, up)) / tangent;
        distance = tdMaxFloat(distance, tdMaxFloat(across, along) + tdDot(offset, back));
    }
    // A margin of a tenth, and never inside the box.
    distance = tdMaxFloat(distance * 1.1f, 0.2f * diagonal) / tdMaxFloat(zoom, 1.0e-3f);
    return (tdCamera){tdMulAdd(center, distance, back), center, angle, box.lower.y - 0.004f * diagonal};
}

int tdRenderer_GetCameraCount(const tdRenderer* renderer)
{
    return renderer != NULL ? renderer->model.cameraCount : 0;
}

int tdRenderer_GetCameraNode(const tdRenderer* renderer, int camera)
{
    return renderer != NULL && tdIsIndex(camera, renderer->model.cameraCount)
               ? renderer->model.cameras[camera].node
               : -1;
}

bool tdRenderer_GetCamera(const tdRenderer* renderer, const tdActor* actor, int index, float ground,
                          tdCamera* camera)
{
    int node = tdRenderer_GetCameraNode(renderer, index);
    if (node < 0 || actor == NULL || tdActor_GetAsset(actor) != renderer->asset)
    {
        return false;
    }
    const float* m = tdActor_GetGlobals(actor)[node].m;
    tdVec3 eye = {m[12], m[13], m[14]}, forward = tdNormalize((tdVec3){-m[8], -m[9], -m[10]});
    *camera = (tdCamera){eye, tdAdd(eye, forward), renderer->model.cameras[index].fieldOfView, ground};
    return true;
}

// --- views ------------------------------------------------------------------------------------------------

static bool SetView(tdRenderer* renderer, const tdCamera* camera)
{
    tdVec3 forward = tdSub(camera->target, camera->eye);
    float range = tdLength(forward);
    if (!tdIsFiniteVec3(camera->eye) || !tdIsFiniteVec3(forward) || !(range > 0.0f) ||
        !(camera->fieldOfView > 0.0f) || !(camera->fieldOfView < 3.1f))
    {
        return false;
    }
    forward = tdScale(1.0f / range, forward);
    tdVec3 upward = tdAbsFloat(forward.y) < 0.999f ? (tdVec3){0.0f, 1.0f, 0.0f} : (tdVec3){0.0f, 0.0f, -1.0f};
    tdVec3 right = tdNormalize(tdCross(forward, upward));
    tdSinCos half = tdComputeSinCos(0.5f * camera->fieldOfView);
    float cotangent = half.cosine / half.sine;
    float aspect = (float)renderer->def.width / (float)renderer->def.height;
    bool hasGround = renderer->def.drawGround && renderer->def.background != TD_BACKGROUND_TRANSPARENT &&
                     camera->eye.y > camera->ground;
    renderer->view = (tdView){camera->eye, right, tdCross(right, forward), forward,  cotangent / aspect,
                              cotangent,   range, camera->ground,          hasGround};
    return true;
}

// The light comes from the front, the right and above, and covers what the camera sees around its target.
static void SetLight(tdRenderer* renderer)
{
    const tdView* view = &renderer->view;
    tdShadowMap* shadows = &renderer->shadows;
    shadows->toLight = tdNormalize((tdVec3){0.45f, 0.95f, 0.6f});
    shadows->right = tdNormalize(tdCross((tdVec3){0.0f, 1.0f, 0.0f}, shadows->toLight));
    shadows->up = tdCross(shadows->toLight, shadows->right);
    shadows->center = tdMulAdd(view->eye, view->range, view->forward);
    float slope = tdMaxFloat(1.0f / view->scaleX, 1.0f / view->scaleY);
    shadows->radius = 1.5f * view->range * slope;
}

static bool AddTriangles(tdRenderer* renderer)
{
    const tdModel* model = &renderer->model;
    int rate = renderer->def.sampleRate;
    tdScreenTriangles* lists[3] = {&renderer->opaque, &renderer->blended, &renderer->shadowed};
    for (int i = 0; i < 3; ++i)
    {
        lists[i]->list.count = lists[i]->cuts.count = 0;
        lists[i]->width = i < 2 ? renderer->def.width * rate : TD_SHADOW_SIZE;
        lists[i]->height = i < 2 ? renderer->def.height * rate : TD_SHADOW_SIZE;
        lists[i]->isOrthographic = i == 2;
        lists[i]->nearest = i < 2 ? 0.005f * renderer->view.range : 0.5f;
    }
    for (int i = 0; i < model->triangleCount; ++i)
    {
        const tdPart* part = &model->parts[renderer->frame.partNumbers[i]];
        const tdSurface* surface = &model->surfaces.surfaces[part->surface];
        bool isBlended = surface->alphaMode == TD_ALPHA_BLEND;
        int corners[3];
        tdViewVertex seen[3], lit[3];
        bool isFinite = true;
        tdFrame_GetCorners(&renderer->frame, model, i, corners);
        for (int k = 0; k < 3; ++k)
        {
            tdVec3 position = renderer->frame.positions[corners[k]];
            isFinite = isFinite && tdIsFiniteVec3(position);
            seen[k] = tdView_Project(&renderer->view, position);
            lit[k] = tdShadowMap_Project(&renderer->shadows, position);
        }
        if (isFinite &&
            (!tdScreenTriangles_Add(isBlended ? &renderer->blended : &renderer->opaque, &renderer->allocator,
                                    seen, (uint32_t)i, surface->isDoubleSided) ||
             (!isBlended &&
              !tdScreenTriangles_Add(&renderer->shadowed, &renderer->allocator, lit, (uint32_t)i, true))))
        {
            return false;
        }
    }
    return true;
}

static float GetMeanDepth(const tdScreenTriangle* triangle)
{
    return triangle->depth[0] + triangle->depth[1] + triangle->depth[2];
}

// From far to near; equal ones in the order of the file.
static bool IsFarther(const void* a, const void* b, const void* context)
{
    (void)context;
    float first = GetMeanDepth(a), second = GetMeanDepth(b);
    uint32_t i = ((const tdScreenTriangle*)a)->triangle, k = ((const tdScreenTriangle*)b)->triangle;
    return first != second ? first < second : i < k;
}

// --- passes over rows -------------------------------------------------------------------------------------

static void DrawShadowRows(void* task, int startIndex, int endIndex, int worker)
{
    tdRenderer* renderer = task;
    (void)worker;
    int first = startIndex * ROWS_PER_TASK, end = tdMinInt(endIndex * ROWS_PER_TASK, TD_SHADOW_SIZE);
    float* depths = renderer->shadows.depths;
    for (size_t i = (size_t)first * TD_SHADOW_SIZE; i < (size_t)end * TD_SHADOW_SIZE; ++i)
    {
        depths[i] = -FLT_MAX;
    }
    tdRasterize(&renderer->shadowed, first, end, depths, NULL, NULL, NULL);
}

static bool IsUnmasked(const void* context, const tdScreenTriangle* triangle, int x, int y)
{
    const tdShading* shading = context;
    const tdPart* part = &shading->model->parts[shading->frame->partNumbers[triangle->triangle]];
    const tdSurface* surface = &shading->model->surfaces.surfaces[part->surface];
    return surface->alphaMode != TD_ALPHA_MASK ||
           tdGetSurfaceAlpha(shading, triangle, x, y) >= surface->alphaCutoff;
}

static void DrawRows(void* task, int startIndex, int endIndex, int worker)
{
    tdRenderer* renderer = task;
    (void)worker;
    int width = renderer->opaque.width, height = renderer->opaque.height;
    int first = startIndex * ROWS_PER_TASK, end = tdMinInt(endIndex * ROWS_PER_TASK, height);
    for (size_t i = (size_t)first * (size_t)width; i < (size_t)end * (size_t)width; ++i)
    {
        renderer->depths[i] = -FLT_MAX;
        renderer->ids[i] = 0;
    }
    tdRasterize(&renderer->opaque, first, end, renderer->depths, renderer->ids, IsUnmasked,
                &renderer->shading);
}

// Part of a sample: -1 for the background.
static int GetSamplePart(const tdRenderer* renderer, size_t sample)
{
    uint32_t id = renderer->ids[sample];
    return id != 0 ? renderer->frame.partNumbers[renderer->opaque.list.data[id - 1].triangle] : -1;
}

// Whether a sample is the border of a rigid node in front of something else.
static bool IsEdge(const tdRenderer* renderer, int x, int y)
{
    int width = renderer->opaque.width;
    size_t sample = (size_t)y * (size_t)width + (size_t)x;
    int part = GetSamplePart(renderer, sample);
    if (!renderer->def.drawEdges || renderer->model.parts[part].skin >= 0)
    {
        return false;
    }
    const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int i = 0; i < 4; ++i)
    {
        int column = x + steps[i][0], row = y + steps[i][1];
        if (column < 0 || row < 0 || column >= width || row >= renderer->opaque.height)
        {
            continue;
        }
        size_t other = (size_t)row * (size_t)width + (size_t)column;
        int otherPart = GetSamplePart(renderer, other);
        int node = otherPart >= 0 ? renderer->model.parts[otherPart].node : -1;
        if (node != renderer->model.parts[part].node && renderer->depths[other] < renderer->depths[sample])
        {
            return true;
        }
    }
    return false;
}

static void ShadeSample(tdRenderer* renderer, int x, int y)
{
    size_t sample = (size_t)y * (size_t)renderer->opaque.width + (size_t)x;
    uint32_t id = renderer->ids[sample];
    float groundDepth = tdGetGroundDepth(&renderer->shading, x, y);
    if (id == 0 || renderer->depths[sample] < groundDepth)
    {
        renderer->colors[sample] = tdShadeBackground(&renderer->shading, x, y);
        renderer->depths[sample] = groundDepth; // hides triangles that are blended later
        return;
    }
    renderer->colors[sample] = tdShadeSurface(&renderer->shading, &renderer->opaque.list.data[id - 1], x, y);
    tdColor* color = &renderer->colors[sample];
    if (IsEdge(renderer, x, y))
    {
        *color = (tdColor){color->r * 0.45f, color->g * 0.45f, color->b * 0.45f, 1.0f};
    }
    color->a = 1.0f;
}

static void ShadeRows(void* task, int startIndex, int endIndex, int worker)
{
    tdRenderer* renderer = task;
    (void)worker;
    int end = tdMinInt(endIndex * ROWS_PER_TASK, renderer->opaque.height);
    for (int y = startIndex * ROWS_PER_TASK; y < end; ++y)
    {
        for (int x = 0; x < renderer->opaque.width; ++x)
        {
            ShadeSample(renderer, x, y);
        }
    }
}

static void BlendSample(tdColor* below, tdColor above)
{
    float rest = below->a * (1.0f - above.a), alpha = above.a + rest;
    float a = alpha > 0.0f ? above.a / alpha : 0.0f, b = alpha > 0.0f ? rest / alpha : 0.0f;
    *below =
        (tdColor){a * above.r + b * below->r, a * above.g + b * below->g, a * above.b + b * below->b, alpha};
}

// Blending uses the rasteriser's coverage: `isCovered` blends and refuses the sample, so that depths stay.
static bool BlendCovered(const void* context, const tdScreenTriangle* triangle, int x, int y)
{
    const tdRenderer* renderer = context;
    size_t sample = (size_t)y * (size_t)renderer->blended.width + (size_t)x;
    BlendSample(&renderer->colors[sample], tdShadeSurface(&renderer->blendShading, triangle, x, y));
    return false;
}

static void BlendRows(void* task, int startIndex, int endIndex, int worker)
{
    tdRenderer* renderer = task;
    (void)worker;
    tdRasterize(&renderer->blended, startIndex * ROWS_PER_TASK,
                tdMinInt(endIndex * ROWS_PER_TASK, renderer->blended.height), renderer->depths, NULL,
                BlendCovered, renderer);
}

// Averages the samples of each pixel, colours weighted by alpha.
static void ResolveRows(void* task, int startIndex, int endIndex, int worker)
{
    tdRenderer* renderer = task;
    (void)worker;
    int rate = renderer->def.sampleRate, width = renderer->def.width;
    for (int y = startIndex * ROWS_PER_TASK; y < tdMinInt(endIndex * ROWS_PER_TASK, renderer->def.height);
         ++y)
    {
        for (int x = 0; x < width; ++x)
        {
            tdColor sum = {0.0f, 0.0f, 0.0f, 0.0f};
            for (int i = 0; i < rate * rate; ++i)
            {
                int row = y * rate + i / rate, column = x * rate + i % rate;
                tdColor color =
                    renderer->colors[(size_t)row * (size_t)renderer->opaque.width + (size_t)column];
                sum.r += color.r * color.a;
                sum.g += color.g * color.a;
                sum.b += color.b * color.a;
                sum.a += color.a;
            }
            float scale = sum.a > 0.0f ? 1.0f / sum.a : 0.0f;
            uint8_t* pixel = renderer->pixels + 4 * ((size_t)y * (size_t)width + (size_t)x);
            pixel[0] = tdEncodeSrgb(sum.r * scale);
            pixel[1] = tdEncodeSrgb(sum.g * scale);
            pixel[2] = tdEncodeSrgb(sum.b * scale);
            pixel[3] = (uint8_t)(sum.a / (float)(rate * rate) * 255.0f + 0.5f);
        }
    }
}

static void RunRows(const tdRenderer* renderer, tdTaskFcn* run, int rowCount)
{
    tdTasks_For(renderer->def.tasks, run, (void*)(uintptr_t)renderer,
                (rowCount + ROWS_PER_TASK - 1) / ROWS_PER_TASK, 1);
}

// --- collider lines ---------------------------------------------------------------------------------------

static void PlotSample(tdRenderer* renderer, int x, int y, float depth)
{
    static const tdColor lineColor = {0.02f, 0.45f, 0.12f, 0.85f};
    if (x < 0 || y < 0 || x >= renderer->opaque.width || y >= renderer->opaque.height)
    {
        return;
    }
    size_t sample = (size_t)y * (size_t)renderer->opaque.width + (size_t)x;
    if (depth * 1.01f >= renderer->depths[sample])
    {
        BlendSample(&renderer->colors[sample], lineColor);
    }
}

static void DrawLine(tdRenderer* renderer, tdVec3 from, tdVec3 to)
{
    tdViewVertex a = tdView_Project(&renderer->view, from), b = tdView_Project(&renderer->view, to);
    float nearest = renderer->opaque.nearest;
    if (!tdIsFiniteVec3(from) || !tdIsFiniteVec3(to) || a.w < nearest || b.w < nearest)
    {
        return;
    }
    float width = (float)renderer->opaque.width, height = (float)renderer->opaque.height;
    float x0 = (a.x / a.w + 1.0f) * 0.5f * width, y0 = (1.0f - a.y / a.w) * 0.5f * height;
    float x1 = (b.x / b.w + 1.0f) * 0.5f * width, y1 = (1.0f - b.y / b.w) * 0.5f * height;
    float length = tdMaxFloat(tdAbsFloat(x1 - x0), tdAbsFloat(y1 - y0));
    int steps = (int)tdMinFloat(length, 4.0f * (width + height)) + 1;
    for (int i = 0; i <= steps; ++i)
    {
        float t = (float)i / (float)steps;
        float depth = 1.0f / a.w + t * (1.0f / b.w - 1.0f / a.w);
        int x = (int)tdClampFloat(x0 + t * (x1 - x0), -2.0f, width + 2.0f);
        int y = (int)tdClampFloat(y0 + t * (y1 - y0), -2.0f, height + 2.0f);
        PlotSample(renderer, x, y, depth);
        PlotSample(renderer, x + (renderer->def.sampleRate > 1 ? 1 : -100000), y, depth);
    }
}

const uint8_t* tdRenderer_Draw(tdRenderer* renderer, const tdActor* actor, const tdCamera* camera)
{
    if (renderer == NULL || actor == NULL || camera == NULL || tdActor_GetAsset(actor) != renderer->asset ||
        !SetView(renderer, camera))
    {
        return NULL;
    }
    SetLight(renderer);
    tdFrame_Pose(&renderer->frame, &renderer->model, actor);
    if (!AddTriangles(renderer))
    {
        return NULL;
    }
    tdHeapSort(renderer->blended.list.data, renderer->blended.list.count, sizeof(tdScreenTriangle), IsFarther,
               NULL);
    renderer->shading = (tdShading){&renderer->model,   &renderer->frame,  &renderer->view,
                                    &renderer->shadows, &renderer->opaque, renderer->def.background};
    renderer->blendShading = renderer->shading;
    renderer->blendShading.triangles = &renderer->blended;
    RunRows(renderer, DrawShadowRows, TD_SHADOW_SIZE);
    RunRows(renderer, DrawRows, renderer->opaque.height);
    RunRows(renderer, ShadeRows, renderer->opaque.height);
    RunRows(renderer, BlendRows, renderer->blended.height);
    if (renderer->def.drawColliders || renderer->model.partCount == 0)
    {
        if (!CollectLines(renderer, actor))
        {
            return NULL;
        }
        for (int i = 0; i + 1 < renderer->lines.count; i += 2)
        {
            DrawLine(renderer, renderer->lines.data[i], renderer->lines.data[i + 1]);
        }
    }
    RunRows(renderer, ResolveRows, renderer->def.height);
    return renderer->pixels;
}
