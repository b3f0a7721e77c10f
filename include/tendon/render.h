// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// render.h: pictures of an actor by a software renderer. The same actor, def and camera give the same bytes
// on every machine and with any number of threads. Base colours, textures (PNG), vertex colours, morph
// targets, skins, one light with shadows; made for previews, not for photographs.
#pragma once

#include "stage.h"

/// Draws pictures of actors of one asset. One thread at a time may use a renderer.
typedef struct tdRenderer tdRenderer;

/// Colour behind and below the scene.
typedef enum tdBackground
{
    TD_BACKGROUND_LIGHT,
    TD_BACKGROUND_DARK,
    TD_BACKGROUND_WHITE,
    TD_BACKGROUND_TRANSPARENT, // alpha 0, without a ground
} tdBackground;

/// Settings of a renderer. Start from tdDefaultRenderDef.
typedef struct tdRenderDef
{
    const tdAllocator* allocator; // copied, its context must outlive the renderer; default NULL: malloc
    const tdTasks* tasks;         // default NULL: the caller's thread
    int width, height;            // pixels, 1 to 8192, default 640 x 360
    int sampleRate;               // samples along each side of a pixel, 1 to 4, default 2
    tdBackground background;      // default TD_BACKGROUND_LIGHT
    bool drawGround;              // a plane below the scene that receives shadows, default true
    bool drawEdges;               // darken the border between two nodes, default true
    bool drawColliders;           // wireframes of colliders, default false; always drawn if there is no mesh
    uint32_t cookie;              // internal: set by tdDefaultRenderDef
} tdRenderDef;

/// Default settings of a renderer. Does not allocate.
TD_API tdRenderDef tdDefaultRenderDef(void);

/// Create a renderer for an asset: reads normals, texture coordinates, materials and images of its meshes.
/// @param asset must outlive the renderer
/// @param def NULL for the defaults
/// @param report receives findings, such as images that cannot be decoded; may be NULL
/// @return the renderer, to be freed with tdDestroyRenderer; NULL if the asset is NULL, a number of `def` is
///         out of range or memory ran out
TD_API tdRenderer* tdCreateRenderer(const tdAsset* asset, const tdRenderDef* def, tdReport* report);

/// Destroy a renderer with its picture.
/// @param renderer may be NULL
TD_API void tdDestroyRenderer(tdRenderer* renderer);

/// A perspective camera.
typedef struct tdCamera
{
    tdVec3 eye, target; // m, world space; they must differ
    float fieldOfView;  // vertical, rad, between 0 and pi
    float ground;       // height of the ground, m
} tdCamera;

/// An axis-aligned box; empty if a component of `lower` exceeds that of `upper`.
typedef struct tdBox
{
    tdVec3 lower, upper; // m
} tdBox;

/// Bounds of an actor in its current pose, for framing: everything that moves, and what stands still as far
/// as it is not much larger than that. May allocate.
/// @return an empty box if nothing can be drawn
TD_API tdBox tdRenderer_GetBounds(tdRenderer* renderer, const tdActor* actor);

/// Camera that shows a whole box.
/// @param yaw rad, 0: from the front (+Z), positive from the right
/// @param pitch rad, positive from above
/// @param zoom 1 fills the picture, less shows more around it
TD_API tdCamera tdRenderer_FrameBox(const tdRenderer* renderer, tdBox box, float yaw, float pitch,
                                    float zoom);

/// Number of nodes with a perspective camera in the file.
TD_API int tdRenderer_GetCameraCount(const tdRenderer* renderer);

/// Node of a camera of the file; -1 out of range.
TD_API int tdRenderer_GetCameraNode(const tdRenderer* renderer, int camera);

/// Camera of the file in the actor's current pose.
/// @param ground height of the ground, m
/// @param camera receives the camera
/// @return false if there is no camera of this index; `camera` is then unchanged
TD_API bool tdRenderer_GetCamera(const tdRenderer* renderer, const tdActor* actor, int index, float ground,
                                 tdCamera* camera);

/// Draw an actor in its current pose (tdStage_Step, tdStage_Evaluate). May allocate.
/// @param actor of the renderer's asset
/// @return width x height pixels of red, green, blue and alpha (straight), rows from top to bottom, owned by
///         the renderer and valid until the next call; NULL if the actor is NULL or of another asset, the
///         camera is degenerate or memory ran out
TD_API const uint8_t* tdRenderer_Draw(tdRenderer* renderer, const tdActor* actor, const tdCamera* camera);
