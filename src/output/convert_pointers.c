// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rewrites animation pointers (KHR_animation_pointer) to the new objects and reports those without a
// counterpart.
#include "convert_pointers.h"

#include "convert.h"

#include "import/extensions.h"

#include <string.h>

/// Names of the animated members, by kind of property from TD_PROPERTY_MATERIAL_STATIC_FRICTION on.
static const char* const memberNames[] = {
    "staticFriction",
    "dynamicFriction",
    "restitution",
    "min",
    "max",
    "stiffness",
    "damping",
    "maxForce",
    "positionTarget",
    "velocityTarget",
    "stiffness",
    "damping",
    "isKinematic",
    "mass",
    "centerOfMass",
    "inertiaDiagonal",
    "inertiaOrientation",
    "linearVelocity",
    "angularVelocity",
    "gravityFactor",
    "enableCollision",
    "size",
    "radius",
    "height",
    "radiusTop",
    "radiusBottom",
    "sizeX",
    "sizeZ",
    "doubleSided",
};
_Static_assert(sizeof(memberNames) / sizeof(memberNames[0]) ==
                   TD_PROPERTY_KIND_COUNT - TD_PROPERTY_MATERIAL_STATIC_FRICTION,
               "a name for every animated property of physics");

/// Place of the only entry that was read from an entry of the file; -1: there is none, or several.
/// @param fileIndices ascending
static int FindOnly(const int* fileIndices, int count, int fileIndex)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        low = fileIndices[middle] < fileIndex ? middle + 1 : low;
        high = fileIndices[middle] < fileIndex ? high : middle;
    }
    bool isThere = low < count && fileIndices[low] == fileIndex;
    bool isAlone = low + 1 >= count || fileIndices[low + 1] != fileIndex;
    return isThere && isAlone ? low : -1;
}

/// Whether the motion of a node is in the new document.
static bool HasMotion(const tdConverter* converter, int node)
{
    int body = converter->bodyAt[node];
    bool isStatic = body >= 0 && converter->physics->bodies[body].motion == TD_MOTION_STATIC;
    return body >= 0 && (tdIsOmiTarget(converter->target) || !isStatic || converter->isKept[body]);
}

/// Appends the pointer to a shape. False if it is not in the table, or as another kind.
static bool AppendShapePointer(const tdConverter* converter, int shape, const char* member, tdText* out)
{
    static const char* const tables[] = {"KHR_implicit_shapes", "KHR_collision_shapes", "OMI_physics_shape"};
    static const char* const kinds[] = {"sphere", "box", "capsule", "cylinder", "plane"};
    const tdPhysicsShape* source = &converter->physics->shapes[shape];
    int index = converter->shapeIndices[4 * shape];
    tdShapeKind kind = source->parameters.kind;
    bool isKept = kind == source->geometry.kind &&
                  (kind != TD_SHAPE_PLANE || converter->target == TD_PHYSICS_KHR) && kind <= TD_SHAPE_PLANE;
    if (index < 0 || !isKept)
    {
        return false;
    }
    tdText_AppendFormat(out, "/extensions/%s/shapes/%d/%s/%s", tables[converter->target], index, kinds[kind],
                        member);
    return true;
}

/// Appends the pointer to a property in the new document. False if it has no counterpart.
static bool AppendPointer(const tdConverter* converter, const tdProperty* property, tdText* out)
{
    const tdPhysicsScene* physics = converter->physics;
    bool isOmi = tdIsOmiTarget(converter->target);
    const char* body = isOmi ? "OMI_physics_body" : "KHR_physics_rigid_bodies";
    const char* joints = isOmi ? "OMI_physics_joint" : "KHR_physics_rigid_bodies";
    const char* member = memberNames[property->kind - TD_PROPERTY_MATERIAL_STATIC_FRICTION];
    int place;
    if (converter->target == TD_PHYSICS_OMI_EARLY)
    {
        return false;
    }
    switch (tdPropertyKind_GetClass(property->kind))
    {
    case TD_PROPERTY_CLASS_MATERIAL:
        tdText_AppendFormat(out, "/extensions/%s/physicsMaterials/%d/%s", body, property->object, member);
        return true;
    case TD_PROPERTY_CLASS_LIMIT:
    {
        const tdPhysicsJointDesc* desc = &physics->jointDescs[property->object];
        place = FindOnly(desc->fileLimits, desc->limitCount, property->element);
        tdText_AppendFormat(out, "/extensions/%s/physicsJoints/%d/limits/%d/%s", joints, property->object,
                            place, member);
        return place >= 0;
    }
    case TD_PROPERTY_CLASS_DRIVE:
    {
        const tdPhysicsJointDesc* desc = &physics->jointDescs[property->object];
        place = FindOnly(desc->fileDrives, desc->driveCount, property->element);
        tdText_AppendFormat(out, "/extensions/%s/physicsJoints/%d/drives/%d/%s", joints, property->object,
                            place, member);
        return place >= 0;
    }
    case TD_PROPERTY_CLASS_MOTION:
        tdText_AppendFormat(out, "/nodes/%d/extensions/%s/motion/%s", property->object, body, member);
        return HasMotion(converter, property->object) &&
               !(isOmi && property->kind == TD_PROPERTY_MOTION_IS_KINEMATIC);
    case TD_PROPERTY_CLASS_JOINT:
        tdText_AppendFormat(out, "/nodes/%d/extensions/%s/%s%s", property->object, joints,
                            isOmi ? "" : "joint/", member);
        return converter->jointAt[property->object] >= 0;
    case TD_PROPERTY_CLASS_SHAPE:
        return AppendShapePointer(converter, property->object, member, out);
    case TD_PROPERTY_CLASS_LOCAL:
    case TD_PROPERTY_CLASS_MORPH:
    case TD_PROPERTY_CLASS_EXPRESSION:
    case TD_PROPERTY_CLASS_LOOK_AT:
    case TD_PROPERTY_CLASS_MATERIAL_VALUE:
        break; // no physics
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

/// The channel that import read from a channel of the file; NULL: it left it out.
/// @param next where to look, moved on: both lists are in the order of the file
static const tdChannel* FindChannel(const tdConverter* converter, int animation, int fileChannel, int* next)
{
    const tdScene* scene = &converter->asset->scene;
    const tdAnimation* source = animation < scene->animationCount ? &scene->animations[animation] : NULL;
    while (source != NULL && *next < source->channelCount &&
           source->channels[*next].fileChannel < fileChannel)
    {
        *next += 1;
    }
    bool isThere =
        source != NULL && *next < source->channelCount && source->channels[*next].fileChannel == fileChannel;
    return isThere ? &source->channels[*next] : NULL;
}

/// Takes its target from a channel: glTF ignores a channel whose target has no node. The path fits the
/// values.
static void RemoveTarget(tdConverter* converter, int target, int width)
{
    const char* text = width == 3   ? "{\"path\":\"translation\"}"
                       : width == 4 ? "{\"path\":\"rotation\"}"
                                    : "{\"path\":\"weights\"}";
    tdJsonEdit_Replace(tdDocumentEdit_GetJson(converter->edit), target, text, strlen(text));
}

static void MovePointer(tdConverter* converter, int target, const tdChannel* channel, const tdPath* path)
{
    int extensions = tdJson_Find(converter->json, target, "extensions");
    int value = tdJson_Find(converter->json,
                            tdJson_Find(converter->json, extensions, "KHR_animation_pointer"), "pointer");
    size_t length = 0;
    const char* pointer = tdJson_GetString(converter->json, value, &length);
    if (pointer == NULL || !IsPhysics(pointer, length))
    {
        return;
    }
    tdText moved, quoted;
    tdText_InitPart(&moved, &converter->asset->outerAllocator, &converter->hasFailed);
    tdText_InitPart(&quoted, &converter->asset->outerAllocator, &converter->hasFailed);
    if (channel == NULL || !AppendPointer(converter, &channel->target, &moved))
    {
        tdConverter_Report(converter, path, "An animation pointer of physics",
                           "its channel has no target now");
        RemoveTarget(converter, target, channel != NULL ? channel->width : 1);
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
        int channelIndex = 0, next = 0;
        for (int channel = tdJson_GetFirst(json, tdJson_Find(json, animation, "channels")); channel >= 0;
             channel = tdJson_GetNext(json, channel), ++channelIndex)
        {
            tdPath channelPath = tdPath_Index(&channels, channelIndex);
            tdPath target = tdPath_Key(&channelPath, "target");
            MovePointer(converter, tdJson_Find(json, channel, "target"),
                        FindChannel(converter, animationIndex, channelIndex, &next), &target);
        }
    }
}
