// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rewrites animation pointers (KHR_animation_pointer) to the new objects and reports those without a
// counterpart.
#include "convert_pointers.h"

#include "convert.h"

#include "import/extensions.h"

#include <string.h>

/// The forms of a pointer in each dialect. `{}` is one index, which is kept except for shapes.
typedef struct PointerForm
{
    const char* starts[3]; // in KHR's release candidate, its draft, current OMI
    bool isShape;
} PointerForm;

static const PointerForm pointerForms[] = {
    {{"/nodes/{}/extensions/KHR_physics_rigid_bodies/motion/",
      "/nodes/{}/extensions/KHR_physics_rigid_bodies/motion/",
      "/nodes/{}/extensions/OMI_physics_body/motion/"},
     false},
    {{"/nodes/{}/extensions/KHR_physics_rigid_bodies/joint/",
      "/nodes/{}/extensions/KHR_physics_rigid_bodies/joint/", "/nodes/{}/extensions/OMI_physics_joint/"},
     false},
    {{"/extensions/KHR_physics_rigid_bodies/physicsMaterials/{}/",
      "/extensions/KHR_physics_rigid_bodies/physicsMaterials/{}/",
      "/extensions/OMI_physics_body/physicsMaterials/{}/"},
     false},
    {{"/extensions/KHR_physics_rigid_bodies/physicsJoints/{}/",
      "/extensions/KHR_physics_rigid_bodies/physicsJoints/{}/",
      "/extensions/OMI_physics_joint/physicsJoints/{}/"},
     false},
    {{"/extensions/KHR_implicit_shapes/shapes/{}/", "/extensions/KHR_collision_shapes/shapes/{}/",
      "/extensions/OMI_physics_shape/shapes/{}/"},
     true},
};

/// Length of the prefix of a pointer that has this form, with its index in `index`; 0: no match.
static size_t MatchStart(const char* pointer, size_t length, const char* form, int* index)
{
    size_t at = 0;
    for (; *form != 0; ++form)
    {
        if (*form == '{')
        {
            size_t digits = 0;
            *index = 0;
            for (; at < length && digits < 9 && pointer[at] >= '0' && pointer[at] <= '9'; ++at, ++digits)
            {
                *index = *index * 10 + (pointer[at] - '0');
            }
            if (digits == 0)
            {
                return 0;
            }
            form += 1; // to the closing brace
        }
        else if (at >= length || pointer[at++] != *form)
        {
            return 0;
        }
    }
    return at;
}

/// The new index of a shape of the file's table; -1: not written.
static int FindNewShape(const tdConverter* converter, int fileShape)
{
    for (int i = 0; i < converter->physics->shapeCount; ++i)
    {
        if (converter->physics->shapes[i].fileShape == fileShape)
        {
            return converter->shapeIndices[2 * i];
        }
    }
    return -1;
}

/// Appends the pointer of the new document. False if it has no counterpart.
static bool TranslatePointer(const tdConverter* converter, const char* pointer, size_t length, tdText* out)
{
    for (size_t i = 0; i < sizeof pointerForms / sizeof pointerForms[0]; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            int index = 0;
            size_t start = MatchStart(pointer, length, pointerForms[i].starts[k], &index);
            if (start == 0)
            {
                continue;
            }
            int newIndex = pointerForms[i].isShape ? FindNewShape(converter, index) : index;
            if (newIndex < 0 || converter->target == TD_PHYSICS_OMI_EARLY)
            {
                return false;
            }
            const char* form = pointerForms[i].starts[converter->target];
            const char* brace = strchr(form, '{');
            tdText_Append(out, form, (size_t)(brace - form));
            tdText_AppendFormat(out, "%d%s", newIndex, brace + 2);
            tdText_Append(out, pointer + start, length - start);
            return true;
        }
    }
    return false;
}

/// Whether a pointer contains the name of a physics extension.
static bool IsPhysics(const char* pointer, size_t length)
{
    for (size_t start = 0; start < length;)
    {
        size_t end = start;
        while (end < length && pointer[end] != '/')
        {
            end += 1;
        }
        if (tdIsPhysicsExtension(pointer + start, end - start))
        {
            return true;
        }
        start = end + 1;
    }
    return false;
}

static void MovePointer(tdConverter* converter, int value, const tdPath* path)
{
    size_t length = 0;
    const char* pointer = tdJson_GetString(converter->json, value, &length);
    if (pointer == NULL || !IsPhysics(pointer, length))
    {
        return;
    }
    tdText moved, quoted;
    tdText_Init(&moved, &converter->asset->outerAllocator);
    tdText_Init(&quoted, &converter->asset->outerAllocator);
    if (!TranslatePointer(converter, pointer, length, &moved))
    {
        tdConverter_Report(converter, path, "An animation of physics", "it points to nothing now");
    }
    else
    {
        tdText_AppendJsonString(&quoted, moved.failed ? "" : moved.data, moved.failed ? 0 : moved.length);
        converter->hasFailed = converter->hasFailed || moved.failed || quoted.failed;
        if (!converter->hasFailed && !tdJson_StringEquals(converter->json, value, moved.data))
        {
            tdJsonEdit_Replace(tdDocumentEdit_GetJson(converter->edit), value, quoted.data, quoted.length);
        }
    }
    tdText_Free(&quoted);
    tdText_Free(&moved);
}

void tdConverter_MovePointers(tdConverter* converter)
{
    const tdJson* json = converter->json;
    tdPath root = tdPath_Root();
    tdPath animations = tdPath_Key(&root, "animations");
    int animationIndex = 0;
    for (int animation = tdJson_GetFirst(json, tdJson_Find(json, 0, "animations")); animation >= 0;
         animation = tdJson_GetNext(json, animation), ++animationIndex)
    {
        tdPath animationPath = tdPath_Index(&animations, animationIndex);
        tdPath channels = tdPath_Key(&animationPath, "channels");
        int channelIndex = 0;
        for (int channel = tdJson_GetFirst(json, tdJson_Find(json, animation, "channels")); channel >= 0;
             channel = tdJson_GetNext(json, channel), ++channelIndex)
        {
            tdPath channelPath = tdPath_Index(&channels, channelIndex);
            tdPath target = tdPath_Key(&channelPath, "target");
            int extensions = tdJson_Find(json, tdJson_Find(json, channel, "target"), "extensions");
            int extension = tdJson_Find(json, extensions, "KHR_animation_pointer");
            MovePointer(converter, tdJson_Find(json, extension, "pointer"), &target);
        }
    }
}
