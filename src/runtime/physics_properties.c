// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Animated properties of physics. Sampling only stores them, because it runs for many actors in parallel and
// at any time; they take effect before the next step. A property that no clip drives any more returns to the
// file's value; velocities stay as they are. See docs/spec/physics.md, section 11, and docs/decisions/092.
#include "physics_properties.h"

#include "frame_drive.h"
#include "physics_binding.h"

#include "base/assert.h"
#include "base/heap_sort.h"
#include "geometry/bounds.h"
#include "geometry/mass.h"
#include "physics/body/shape.h"

#include <string.h>

static int CompareProperties(const tdProperty* a, const tdProperty* b)
{
    if (a->kind != b->kind)
    {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->object != b->object)
    {
        return a->object < b->object ? -1 : 1;
    }
    return a->element < b->element ? -1 : (a->element > b->element ? 1 : 0);
}

/// Place of a property in `pending`, or the place where it would be inserted.
static int FindPropertyPlace(const tdActorPhysics* physics, const tdProperty* property)
{
    int low = 0, high = physics->pendingCount;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (CompareProperties(&physics->pending[middle].property, property) < 0)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

static bool IsPhysicsProperty(const tdProperty* property)
{
    return tdPropertyKind_GetClass(property->kind) >= TD_PROPERTY_CLASS_MATERIAL;
}

static bool IsPropertyBefore(const void* a, const void* b, const void* context)
{
    (void)context;
    return CompareProperties(&((const tdPendingProperty*)a)->property,
                             &((const tdPendingProperty*)b)->property) < 0;
}

/// Sorts the properties and removes duplicates.
static int SortProperties(tdPendingProperty* entries, int count)
{
    tdHeapSort(entries, count, sizeof(tdPendingProperty), IsPropertyBefore, NULL);
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        if (kept == 0 || CompareProperties(&entries[kept - 1].property, &entries[i].property) != 0)
        {
            entries[kept++] = entries[i];
        }
    }
    return kept;
}

/// Makes lists of items by key. Items with key -1 are in no list.
static bool MakeLists(tdArena* arena, const int* keys, int itemCount, int keyCount, tdIndexLists* lists)
{
    int* starts = tdArena_NewArray(arena, int, keyCount + 1);
    int* items = tdArena_NewArray(arena, int, itemCount);
    int* next = tdArena_NewArray(arena, int, keyCount + 1);
    if (starts == NULL || items == NULL || next == NULL)
    {
        return false;
    }
    for (int i = 0; i < itemCount; ++i)
    {
        starts[keys[i] + 1] += keys[i] >= 0 ? 1 : 0; // key -1 adds 0 to starts[0]
    }
    for (int key = 0; key < keyCount; ++key)
    {
        starts[key + 1] += starts[key];
        next[key] = starts[key];
    }
    for (int i = 0; i < itemCount; ++i)
    {
        if (keys[i] >= 0)
        {
            items[next[keys[i]]++] = i;
        }
    }
    *lists = (tdIndexLists){starts, items};
    return true;
}

/// Copies all limits, so that they can be animated.
static bool CopyLimits(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsScene* scene = physics->scene;
    physics->limitStarts = tdArena_NewArray(&actor->arena, int, scene->jointDescCount + 1);
    for (int i = 0; physics->limitStarts != NULL && i < scene->jointDescCount; ++i)
    {
        physics->limitStarts[i + 1] = physics->limitStarts[i] + scene->jointDescs[i].limitCount;
    }
    physics->limits =
        physics->limitStarts != NULL
            ? tdArena_NewArray(&actor->arena, tdJointLimit, physics->limitStarts[scene->jointDescCount])
            : NULL;
    for (int i = 0; physics->limits != NULL && i < scene->jointDescCount; ++i)
    {
        for (int k = 0; k < scene->jointDescs[i].limitCount; ++k)
        {
            physics->limits[physics->limitStarts[i] + k] = scene->jointDescs[i].limits[k];
        }
    }
    return physics->limits != NULL;
}

static bool MakeAllLists(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsScene* scene = physics->scene;
    int count = scene->colliderCount > scene->jointCount ? scene->colliderCount : scene->jointCount;
    int* keys = tdArena_NewArray(&actor->arena, int, count);
    if (keys == NULL)
    {
        return false;
    }
    for (int i = 0; i < scene->colliderCount; ++i)
    {
        keys[i] = scene->colliders[i].material;
    }
    bool isGood = MakeLists(&actor->arena, keys, scene->colliderCount, scene->materialCount,
                            &physics->collidersOfMaterial);
    for (int i = 0; i < scene->colliderCount; ++i)
    {
        keys[i] = scene->colliders[i].shape;
    }
    isGood = isGood && MakeLists(&actor->arena, keys, scene->colliderCount, scene->shapeCount,
                                 &physics->collidersOfShape);
    for (int i = 0; i < scene->jointCount; ++i)
    {
        keys[i] = scene->joints[i].desc;
    }
    isGood = isGood &&
             MakeLists(&actor->arena, keys, scene->jointCount, scene->jointDescCount, &physics->jointsOfDesc);
    for (int i = 0; i < scene->jointCount; ++i)
    {
        keys[i] = scene->joints[i].fileNode;
    }
    return isGood && MakeLists(&actor->arena, keys, scene->jointCount, actor->scene->nodes.count,
                               &physics->jointsOfNode);
}

bool tdPhysicsProperties_Prepare(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    const tdScene* scene = actor->scene;
    int count = 0;
    for (int a = 0; a < scene->animationCount; ++a)
    {
        for (int c = 0; c < scene->animations[a].channelCount; ++c)
        {
            count += IsPhysicsProperty(&scene->animations[a].channels[c].target) ? 1 : 0;
        }
    }
    if (count == 0)
    {
        return true;
    }
    physics->pending = tdArena_NewArray(&actor->arena, tdPendingProperty, count);
    physics->parameters = tdArena_NewArray(&actor->arena, tdShapeParameters, physics->scene->shapeCount);
    if (physics->pending == NULL || physics->parameters == NULL || !MakeAllLists(actor) || !CopyLimits(actor))
    {
        return false;
    }
    for (int i = 0; i < physics->scene->shapeCount; ++i)
    {
        physics->parameters[i] = physics->scene->shapes[i].parameters;
    }
    int next = 0;
    for (int a = 0; a < scene->animationCount; ++a)
    {
        for (int c = 0; c < scene->animations[a].channelCount; ++c)
        {
            const tdProperty* target = &scene->animations[a].channels[c].target;
            if (IsPhysicsProperty(target))
            {
                physics->pending[next++] = (tdPendingProperty){.property = *target, .sampledStep = -1};
            }
        }
    }
    physics->pendingCount = SortProperties(physics->pending, count);
    return true;
}

/// Floats of a property, and its largest absolute value that the engine can simulate (docs/decisions/091).
typedef struct PropertyTraits
{
    int width;
    float bound;
} PropertyTraits;

static PropertyTraits GetPropertyTraits(tdPropertyKind kind)
{
    switch (kind)
    {
    case TD_PROPERTY_MATERIAL_STATIC_FRICTION:
    case TD_PROPERTY_MATERIAL_DYNAMIC_FRICTION:
    case TD_PROPERTY_MATERIAL_RESTITUTION:
        return (PropertyTraits){1, TD_MAX_COEFFICIENT};
    case TD_PROPERTY_LIMIT_STIFFNESS:
    case TD_PROPERTY_LIMIT_DAMPING:
    case TD_PROPERTY_DRIVE_MAX_FORCE:
    case TD_PROPERTY_DRIVE_STIFFNESS:
    case TD_PROPERTY_DRIVE_DAMPING:
        return (PropertyTraits){1, TD_MAX_STRENGTH};
    case TD_PROPERTY_DRIVE_VELOCITY_TARGET:
        return (PropertyTraits){1, TD_MAX_VELOCITY};
    case TD_PROPERTY_MOTION_LINEAR_VELOCITY:
    case TD_PROPERTY_MOTION_ANGULAR_VELOCITY:
        return (PropertyTraits){3, TD_MAX_VELOCITY};
    case TD_PROPERTY_MOTION_MASS:
        return (PropertyTraits){1, TD_MAX_MASS};
    case TD_PROPERTY_MOTION_INERTIA_DIAGONAL:
        return (PropertyTraits){3, TD_MAX_MASS};
    case TD_PROPERTY_MOTION_GRAVITY_FACTOR:
        return (PropertyTraits){1, TD_MAX_FACTOR};
    case TD_PROPERTY_MOTION_INERTIA_ORIENTATION:
        return (PropertyTraits){4, TD_MAX_COORDINATE};
    case TD_PROPERTY_MOTION_CENTER_OF_MASS:
    case TD_PROPERTY_SHAPE_SIZE:
        return (PropertyTraits){3, TD_MAX_COORDINATE};
    case TD_PROPERTY_LIMIT_MIN:
    case TD_PROPERTY_LIMIT_MAX:
    case TD_PROPERTY_DRIVE_POSITION_TARGET:
    case TD_PROPERTY_MOTION_IS_KINEMATIC:
    case TD_PROPERTY_JOINT_ENABLE_COLLISION:
    case TD_PROPERTY_SHAPE_RADIUS:
    case TD_PROPERTY_SHAPE_HEIGHT:
    case TD_PROPERTY_SHAPE_RADIUS_TOP:
    case TD_PROPERTY_SHAPE_RADIUS_BOTTOM:
    case TD_PROPERTY_SHAPE_SIZE_X:
    case TD_PROPERTY_SHAPE_SIZE_Z:
    case TD_PROPERTY_SHAPE_DOUBLE_SIDED:
        return (PropertyTraits){1, TD_MAX_COORDINATE};
    case TD_PROPERTY_TRANSLATION:
    case TD_PROPERTY_ROTATION:
    case TD_PROPERTY_SCALE:
    case TD_PROPERTY_WEIGHTS:
    case TD_PROPERTY_WEIGHT:
    case TD_PROPERTY_EXPRESSION:
    case TD_PROPERTY_LOOK_AT:
    case TD_PROPERTY_MATERIAL_VALUE:
    case TD_PROPERTY_KIND_COUNT:
        break;
    }
    TD_ASSERT(false); // no property of physics
    return (PropertyTraits){0, 0.0f};
}

void tdPhysicsProperties_Set(tdActor* actor, tdProperty property, const float* values)
{
    tdActorPhysics* physics = actor->physics;
    int place = physics != NULL ? FindPropertyPlace(physics, &property) : 0;
    if (physics == NULL || place == physics->pendingCount ||
        CompareProperties(&physics->pending[place].property, &property) != 0)
    {
        return; // no physics, or a property that no clip of the asset drives
    }
    tdPendingProperty* entry = &physics->pending[place];
    PropertyTraits traits = GetPropertyTraits(property.kind);
    for (int i = 0; i < traits.width; ++i)
    {
        entry->values[i] = tdClampFloat(values[i], -traits.bound, traits.bound);
    }
    entry->sampledStep = actor->stage->stepIndex;
}

/// Animated booleans are on from here (KHR_animation_pointer: STEP of 0 and 1).
#define TRUE_THRESHOLD 0.5f

static float ClampToZero(float value)
{
    return value > 0.0f ? value : 0.0f;
}

static float* GetMaterialField(tdPhysicsMaterial* material, tdPropertyKind kind)
{
    switch (kind)
    {
    case TD_PROPERTY_MATERIAL_STATIC_FRICTION:
        return &material->staticFriction;
    case TD_PROPERTY_MATERIAL_DYNAMIC_FRICTION:
        return &material->dynamicFriction;
    default: // TD_PROPERTY_MATERIAL_RESTITUTION
        return &material->restitution;
    }
}

static float* GetLimitField(tdJointLimit* limit, tdPropertyKind kind)
{
    switch (kind)
    {
    case TD_PROPERTY_LIMIT_MIN:
        return &limit->min;
    case TD_PROPERTY_LIMIT_MAX:
        return &limit->max;
    case TD_PROPERTY_LIMIT_STIFFNESS:
        return &limit->stiffness;
    default: // TD_PROPERTY_LIMIT_DAMPING
        return &limit->damping;
    }
}

static float* GetDriveField(tdJointDrive* drive, tdPropertyKind kind)
{
    switch (kind)
    {
    case TD_PROPERTY_DRIVE_MAX_FORCE:
        return &drive->maxForce;
    case TD_PROPERTY_DRIVE_POSITION_TARGET:
        return &drive->positionTarget;
    case TD_PROPERTY_DRIVE_VELOCITY_TARGET:
        return &drive->velocityTarget;
    case TD_PROPERTY_DRIVE_STIFFNESS:
        return &drive->stiffness;
    default: // TD_PROPERTY_DRIVE_DAMPING
        return &drive->damping;
    }
}

/// Place of a file's index in an ascending list; `count` if it is not there.
static int FindFileIndex(const int* list, int count, int index)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (list[middle] < index)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low < count && list[low] == index ? low : count;
}

static void ApplyMaterial(tdActor* actor, const tdProperty* property, float value)
{
    tdActorPhysics* physics = actor->physics;
    tdPhysicsMaterial* material = &physics->materials[property->object];
    value = ClampToZero(value);
    *GetMaterialField(material, property->kind) =
        property->kind == TD_PROPERTY_MATERIAL_RESTITUTION ? tdMinFloat(value, 1.0f) : value;
    const tdIndexLists* lists = &physics->collidersOfMaterial;
    for (int i = lists->starts[property->object]; i < lists->starts[property->object + 1]; ++i)
    {
        tdShapeMaterial surface = {.staticFriction = material->staticFriction,
                                   .dynamicFriction = material->dynamicFriction,
                                   .restitution = material->restitution,
                                   .frictionCombine = material->frictionCombine,
                                   .restitutionCombine = material->restitutionCombine};
        tdShape_SetMaterial(actor->stage->world, physics->shapes[lists->items[i]].id, surface);
    }
}

/// One limit of the file may be several limits of the engine, and one description may serve several joints.
static void ApplyLimit(tdActor* actor, const tdProperty* property, float value)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsJointDesc* desc = &physics->scene->jointDescs[property->object];
    const tdIndexLists* lists = &physics->jointsOfDesc;
    int first = FindFileIndex(desc->fileLimits, desc->limitCount, property->element);
    bool isBound = property->kind == TD_PROPERTY_LIMIT_MIN || property->kind == TD_PROPERTY_LIMIT_MAX;
    tdJointLimit* rows = physics->limits + physics->limitStarts[property->object];
    for (int i = first; i < desc->limitCount && desc->fileLimits[i] == property->element; ++i)
    {
        *GetLimitField(&rows[i], property->kind) = isBound ? value : ClampToZero(value);
    }
    for (int j = lists->starts[property->object]; j < lists->starts[property->object + 1]; ++j)
    {
        tdJointId joint = physics->joints[lists->items[j]];
        for (int i = first; i < desc->limitCount && desc->fileLimits[i] == property->element; ++i)
        {
            tdJointLimit limit = rows[i];
            limit.max =
                limit.max < limit.min ? limit.min : limit.max; // crossed bounds: both become the lower one
            tdJoint_SetLimit(actor->stage->world, joint, i, limit);
        }
    }
}

static void ApplyDrive(tdActor* actor, const tdProperty* property, float value)
{
    tdActorPhysics* physics = actor->physics;
    const tdPhysicsJointDesc* desc = &physics->scene->jointDescs[property->object];
    const tdIndexLists* lists = &physics->jointsOfDesc;
    int place = FindFileIndex(desc->fileDrives, desc->driveCount, property->element);
    bool isTarget = property->kind == TD_PROPERTY_DRIVE_POSITION_TARGET ||
                    property->kind == TD_PROPERTY_DRIVE_VELOCITY_TARGET;
    for (int j = lists->starts[property->object];
         place < desc->driveCount && j < lists->starts[property->object + 1]; ++j)
    {
        tdJointId joint = physics->joints[lists->items[j]];
        tdJointDrive drive = tdJoint_GetDrive(actor->stage->world, joint, place);
        *GetDriveField(&drive, property->kind) = isTarget ? value : ClampToZero(value);
        tdJoint_SetDrive(actor->stage->world, joint, place, drive);
    }
}

static float* GetShapeField(tdShapeParameters* parameters, tdPropertyKind kind)
{
    switch (kind)
    {
    case TD_PROPERTY_SHAPE_RADIUS_BOTTOM:
    case TD_PROPERTY_SHAPE_SIZE_Z:
        return &parameters->values[1];
    case TD_PROPERTY_SHAPE_RADIUS_TOP:
        return &parameters->values[2];
    default: // radius, height, the sizes of a box, sizeX
        return &parameters->values[0];
    }
}

/// Gives every collider of the shape the new sizes, unless they make no valid shape. Masses stay as at load.
static void ApplyShape(tdActor* actor, const tdProperty* property, const float* values)
{
    tdActorPhysics* physics = actor->physics;
    tdShapeParameters* parameters = &physics->parameters[property->object];
    if (property->kind == TD_PROPERTY_SHAPE_DOUBLE_SIDED)
    {
        parameters->isDoubleSided = values[0] >= TRUE_THRESHOLD;
    }
    else
    {
        memcpy(GetShapeField(parameters, property->kind), values,
               sizeof(float) * (size_t)GetPropertyTraits(property->kind).width);
    }
    const tdIndexLists* lists = &physics->collidersOfShape;
    for (int i = lists->starts[property->object]; i < lists->starts[property->object + 1]; ++i)
    {
        const tdBoundShape* shape = &physics->shapes[lists->items[i]];
        tdShapeGeometry geometry;
        if (tdMakeShapeGeometry(parameters, &geometry))
        {
            tdShapePlacement placement = {tdTransform_identity, shape->stretch};
            tdPlaceShape(&placement, &geometry);
            geometry.local = tdShape_GetLocal(actor->stage->world, shape->id);
            tdAabb box = tdShape_ComputeAabb(&geometry, tdTransform_identity);
            bool isBounded = geometry.kind == TD_SHAPE_PLANE ||
                             tdLength(tdSub(box.upper, box.lower)) <= 2.0f * TD_MAX_COORDINATE;
            if (isBounded && tdHasExtent(&geometry))
            {
                tdShape_SetGeometry(actor->stage->world, shape->id, &geometry);
            }
        }
    }
}

/// Recomputes mass, centre of mass and inertia of a body from the file's and the animated values.
static void RefreshMass(tdActor* actor, tdBoundBody* body)
{
    const tdPhysicsBody* source = &actor->physics->scene->bodies[body->index];
    bool isKhr = source->dialect < TD_DIALECT_OMI_EARLY;
    tdBodyMass mass = body->base;
    if (body->animated & TD_ANIMATED_MASS)
    {
        mass.mass = body->mass > 0.0f ? tdMaxFloat(body->mass, TD_MIN_MASS) : (isKhr ? INFINITY : 1.0f);
        bool isComputed = isnan(source->fileInertiaDiagonal.x);
        if (isComputed && isfinite(body->base.mass) && isfinite(mass.mass))
        {
            mass.inertiaDiagonal = tdScale(mass.mass / body->base.mass, mass.inertiaDiagonal);
        }
        else if (isComputed && !isfinite(mass.mass))
        {
            mass.inertiaDiagonal = (tdVec3){INFINITY, INFINITY, INFINITY};
        }
    }
    if (body->animated & TD_ANIMATED_CENTER)
    {
        tdVec3 offset = tdMat4Direction(actor->pose.globals[body->node], body->center);
        mass.centerOfMass = tdInvRotate(tdPhysicsBinding_GetNodeFrame(actor, body->node).rotation, offset);
    }
    if (body->animated & TD_ANIMATED_INERTIA)
    {
        for (int i = 0; i < 3; ++i)
        {
            float given = (&body->inertia.x)[i];
            float* moment = &(&mass.inertiaDiagonal.x)[i];
            *moment = given > 0.0f ? tdMaxFloat(given, TD_MIN_INERTIA) : (isKhr ? INFINITY : *moment);
        }
        mass.inertiaOrientation = source->fileInertiaOrientation;
    }
    if (body->animated & TD_ANIMATED_ORIENTATION)
    {
        mass.inertiaOrientation = body->orientation;
    }
    body->centerOfMass = mass.centerOfMass;
    tdBody_SetMass(actor->stage->world, body->id, mass);
}

/// Sum of the solid colliders of a body at their current sizes, at the density of import.
static tdMassData SumColliders(const tdActor* actor, int body)
{
    const tdActorPhysics* physics = actor->physics;
    tdMassData sum = {0};
    for (int i = 0; i < physics->scene->colliderCount; ++i)
    {
        const tdBoundShape* shape = &physics->shapes[i];
        if (shape->body == body && !shape->isHidden && !physics->scene->colliders[i].isTrigger)
        {
            tdShapeGeometry geometry = tdShape_GetGeometry(actor->stage->world, shape->id);
            const tdMassData parts[2] = {sum, tdComputeMassData(&geometry, TD_BODY_DENSITY)};
            sum = tdCombineMassData(parts, 2);
        }
    }
    return sum;
}

/// Moments of inertia that the file gives, with computed ones where an OMI file has 0.
static void UseFileInertia(const tdPhysicsBody* source, tdMat3 tensor, tdBodyMass* mass)
{
    tdMat3 axes = tdMat3FromQuat(source->fileInertiaOrientation);
    const tdVec3 columns[3] = {axes.cx, axes.cy, axes.cz};
    mass->inertiaDiagonal = source->inertiaDiagonal;
    mass->inertiaOrientation = source->inertiaOrientation;
    for (int i = 0; i < 3; ++i)
    {
        bool isComputed = (&source->fileInertiaDiagonal.x)[i] == 0.0f;
        if (isComputed && source->dialect >= TD_DIALECT_OMI_EARLY)
        {
            (&mass->inertiaDiagonal.x)[i] = tdDot(columns[i], tdMulMat3Vec3(tensor, columns[i]));
        }
    }
}

void tdPhysicsProperties_UpdateMass(tdActor* actor, tdBoundBody* body)
{
    const tdPhysicsBody* source = &actor->physics->scene->bodies[body->index];
    tdMassData computed = SumColliders(actor, body->index);
    bool hasVolume = computed.mass > 0.0f && isfinite(computed.mass);
    tdBodyMass mass = body->base;
    if (hasVolume)
    {
        float volumeMass = tdClampFloat(computed.mass, TD_MIN_MASS, TD_MAX_MASS);
        mass.mass = source->hasMass ? source->mass : volumeMass;
        mass.centerOfMass = computed.center;
        float unitMass = isfinite(mass.mass) ? mass.mass : 1.0f;
        tdMat3 tensor = tdScaleMat3(unitMass / computed.mass, computed.inertia);
        if (!isnan(source->fileInertiaDiagonal.x))
        {
            UseFileInertia(source, tensor, &mass);
        }
        else if (!source->hasTensor && isfinite(mass.mass))
        {
            tdDiagonalize(tensor, &mass.inertiaOrientation, &mass.inertiaDiagonal);
        }
    }
    if (!isnan(source->fileCenterOfMass.x))
    {
        mass.centerOfMass = tdMulMat3Vec3(body->stretch, source->fileCenterOfMass);
    }
    for (int i = 0; i < 3; ++i)
    {
        float* moment = &(&mass.inertiaDiagonal.x)[i];
        *moment = isinf(*moment) ? *moment : tdClampFloat(*moment, TD_MIN_INERTIA, TD_MAX_MASS);
    }
    if (memcmp(&mass, &body->base, sizeof(mass)) != 0)
    {
        body->base = mass;
        RefreshMass(actor, body);
    }
}

static void ApplyMass(tdActor* actor, tdBoundBody* body, tdPropertyKind kind, const float* v)
{
    switch (kind)
    {
    case TD_PROPERTY_MOTION_MASS:
        body->mass = v[0];
        body->animated |= TD_ANIMATED_MASS;
        break;
    case TD_PROPERTY_MOTION_CENTER_OF_MASS:
        body->center = (tdVec3){v[0], v[1], v[2]};
        body->animated |= TD_ANIMATED_CENTER;
        break;
    case TD_PROPERTY_MOTION_INERTIA_DIAGONAL:
        body->inertia = (tdVec3){v[0], v[1], v[2]};
        body->animated |= TD_ANIMATED_INERTIA;
        break;
    default: // TD_PROPERTY_MOTION_INERTIA_ORIENTATION
        body->orientation = tdNormalizeQuat((tdQuat){v[0], v[1], v[2], v[3]});
        body->animated |= TD_ANIMATED_ORIENTATION;
        break;
    }
    RefreshMass(actor, body);
}

static void RestoreMass(tdActor* actor, tdBoundBody* body, tdPropertyKind kind)
{
    unsigned bit = kind == TD_PROPERTY_MOTION_MASS               ? TD_ANIMATED_MASS
                   : kind == TD_PROPERTY_MOTION_CENTER_OF_MASS   ? TD_ANIMATED_CENTER
                   : kind == TD_PROPERTY_MOTION_INERTIA_DIAGONAL ? TD_ANIMATED_INERTIA
                                                                 : TD_ANIMATED_ORIENTATION;
    body->animated &= ~bit;
    RefreshMass(actor, body);
}

static void SetKinematic(tdActor* actor, tdBoundBody* body, bool isKinematic)
{
    tdMotion motion = isKinematic ? TD_MOTION_KINEMATIC : TD_MOTION_DYNAMIC;
    if (motion == body->motion || body->motion == TD_MOTION_STATIC)
    {
        return;
    }
    body->motion = motion;
    actor->isBound = false; // the writer of the node may change
    if (!body->isDriven)
    {
        tdBody_SetMotion(actor->stage->world, body->id, motion);
    }
}

static tdBoundBody* FindOwnBody(const tdActor* actor, const tdProperty* property)
{
    int index = actor->physics->scene->bodyOfNode[property->object];
    tdBoundBody* body = index >= 0 ? &actor->physics->bodies[index] : NULL;
    return body != NULL && body->node == property->object ? body : NULL;
}

static void ApplyMotion(tdActor* actor, const tdProperty* property, const float* values)
{
    tdWorld* world = actor->stage->world;
    tdBoundBody* body = FindOwnBody(actor, property);
    if (body == NULL)
    {
        return;
    }
    tdVec3 vector = {values[0], values[1], values[2]};
    switch (property->kind)
    {
    case TD_PROPERTY_MOTION_IS_KINEMATIC:
        SetKinematic(actor, body, values[0] >= TRUE_THRESHOLD);
        break;
    case TD_PROPERTY_MOTION_LINEAR_VELOCITY:
        tdBody_SetLinearVelocity(world, body->id,
                                 tdRotate(tdBody_GetTransform(world, body->id).rotation, vector));
        break;
    case TD_PROPERTY_MOTION_ANGULAR_VELOCITY:
        tdBody_SetAngularVelocity(world, body->id,
                                  tdRotate(tdBody_GetTransform(world, body->id).rotation, vector));
        break;
    case TD_PROPERTY_MOTION_GRAVITY_FACTOR:
        tdBody_SetGravityFactor(world, body->id, values[0]);
        break;
    default: // mass, centre of mass, inertia
        ApplyMass(actor, body, property->kind, values);
        break;
    }
}

static void ApplyEnableCollision(tdActor* actor, const tdProperty* property, bool enable)
{
    const tdIndexLists* lists = &actor->physics->jointsOfNode;
    for (int j = lists->starts[property->object]; j < lists->starts[property->object + 1]; ++j)
    {
        tdJoint_SetEnableCollision(actor->stage->world, actor->physics->joints[lists->items[j]], enable);
        tdFrameDrive_SetEnableCollision(actor, lists->items[j], enable);
    }
}

static void ApplyProperty(tdActor* actor, const tdProperty* property, const float* values)
{
    switch (tdPropertyKind_GetClass(property->kind))
    {
    case TD_PROPERTY_CLASS_MATERIAL:
        ApplyMaterial(actor, property, values[0]);
        break;
    case TD_PROPERTY_CLASS_LIMIT:
        ApplyLimit(actor, property, values[0]);
        break;
    case TD_PROPERTY_CLASS_DRIVE:
        ApplyDrive(actor, property, values[0]);
        break;
    case TD_PROPERTY_CLASS_MOTION:
        ApplyMotion(actor, property, values);
        break;
    case TD_PROPERTY_CLASS_JOINT:
        ApplyEnableCollision(actor, property, values[0] >= TRUE_THRESHOLD);
        break;
    case TD_PROPERTY_CLASS_SHAPE:
        ApplyShape(actor, property, values);
        break;
    case TD_PROPERTY_CLASS_LOCAL:
    case TD_PROPERTY_CLASS_MORPH:
    case TD_PROPERTY_CLASS_EXPRESSION:
    case TD_PROPERTY_CLASS_LOOK_AT:
    case TD_PROPERTY_CLASS_MATERIAL_VALUE:
        break; // no physics
    }
}

static bool GetLimitFileValue(const tdPhysicsScene* scene, const tdProperty* property, float* value)
{
    const tdPhysicsJointDesc* desc = &scene->jointDescs[property->object];
    int place = FindFileIndex(desc->fileLimits, desc->limitCount, property->element);
    if (place == desc->limitCount)
    {
        return false;
    }
    tdJointLimit limit = desc->limits[place];
    *value = *GetLimitField(&limit, property->kind);
    return true;
}

static bool GetDriveFileValue(const tdPhysicsScene* scene, const tdProperty* property, float* value)
{
    const tdPhysicsJointDesc* desc = &scene->jointDescs[property->object];
    int place = FindFileIndex(desc->fileDrives, desc->driveCount, property->element);
    if (place == desc->driveCount)
    {
        return false;
    }
    tdJointDrive drive = desc->drives[place];
    *value = *GetDriveField(&drive, property->kind);
    return true;
}

static bool GetMotionFileValue(const tdActor* actor, const tdProperty* property, float* value)
{
    const tdBoundBody* body = FindOwnBody(actor, property);
    bool isKinematic = property->kind == TD_PROPERTY_MOTION_IS_KINEMATIC;
    if (body == NULL || (!isKinematic && property->kind != TD_PROPERTY_MOTION_GRAVITY_FACTOR))
    {
        return false;
    }
    const tdPhysicsBody* source = &actor->physics->scene->bodies[body->index];
    *value = isKinematic ? (source->motion == TD_MOTION_KINEMATIC ? 1.0f : 0.0f) : source->gravityFactor;
    return true;
}

static bool GetJointFileValue(const tdActor* actor, const tdProperty* property, float* value)
{
    const tdIndexLists* lists = &actor->physics->jointsOfNode;
    int first = lists->starts[property->object];
    bool isThere = first < lists->starts[property->object + 1];
    *value = isThere && actor->physics->scene->joints[lists->items[first]].enableCollision ? 1.0f : 0.0f;
    return isThere;
}

static void GetShapeFileValue(const tdPhysicsScene* scene, const tdProperty* property, float* values)
{
    tdShapeParameters parameters = scene->shapes[property->object].parameters;
    if (property->kind == TD_PROPERTY_SHAPE_DOUBLE_SIDED)
    {
        values[0] = parameters.isDoubleSided ? 1.0f : 0.0f;
        return;
    }
    memcpy(values, GetShapeField(&parameters, property->kind),
           sizeof(float) * (size_t)GetPropertyTraits(property->kind).width);
}

/// The file's value of a property.
/// @return false for velocities and for masses, which need not be in the file
static bool GetFileValue(const tdActor* actor, const tdProperty* property, float values[4])
{
    const tdPhysicsScene* scene = actor->physics->scene;
    switch (tdPropertyKind_GetClass(property->kind))
    {
    case TD_PROPERTY_CLASS_MATERIAL:
    {
        tdPhysicsMaterial material = scene->materials[property->object];
        values[0] = *GetMaterialField(&material, property->kind);
        return true;
    }
    case TD_PROPERTY_CLASS_LIMIT:
        return GetLimitFileValue(scene, property, values);
    case TD_PROPERTY_CLASS_DRIVE:
        return GetDriveFileValue(scene, property, values);
    case TD_PROPERTY_CLASS_MOTION:
        return GetMotionFileValue(actor, property, values);
    case TD_PROPERTY_CLASS_JOINT:
        return GetJointFileValue(actor, property, values);
    case TD_PROPERTY_CLASS_SHAPE:
        GetShapeFileValue(scene, property, values);
        return true;
    case TD_PROPERTY_CLASS_LOCAL:
    case TD_PROPERTY_CLASS_MORPH:
    case TD_PROPERTY_CLASS_EXPRESSION:
    case TD_PROPERTY_CLASS_LOOK_AT:
    case TD_PROPERTY_CLASS_MATERIAL_VALUE:
        break; // no physics
    }
    return false;
}

bool tdPhysicsProperties_GetRestValue(const tdActor* actor, tdProperty property, float values[4])
{
    if (actor->physics == NULL || actor->physics->pendingCount == 0 ||
        !GetFileValue(actor, &property, values))
    {
        return false;
    }
    for (int i = 0; i < GetPropertyTraits(property.kind).width; ++i)
    {
        if (!isfinite(values[i]))
        {
            return false; // an open bound has no value to blend with
        }
    }
    return true;
}

static void RestoreProperty(tdActor* actor, const tdProperty* property)
{
    float values[4];
    if (GetFileValue(actor, property, values))
    {
        ApplyProperty(actor, property, values);
        return;
    }
    tdBoundBody* body =
        property->kind >= TD_PROPERTY_MOTION_MASS && property->kind <= TD_PROPERTY_MOTION_INERTIA_ORIENTATION
            ? FindOwnBody(actor, property)
            : NULL;
    if (body != NULL)
    {
        RestoreMass(actor, body, property->kind);
    }
}

void tdPhysicsProperties_Apply(tdActor* actor)
{
    tdActorPhysics* physics = actor->physics;
    for (int i = 0; i < physics->pendingCount; ++i)
    {
        tdPendingProperty* entry = &physics->pending[i];
        if (entry->sampledStep != actor->stage->stepIndex)
        {
            if (entry->isApplied)
            {
                RestoreProperty(actor, &entry->property);
                entry->isApplied = false;
            }
            continue;
        }
        // Unchanged properties are skipped, so that bodies can sleep. Velocities are set in every step,
        // because physics changes them.
        bool isVelocity = entry->property.kind == TD_PROPERTY_MOTION_LINEAR_VELOCITY ||
                          entry->property.kind == TD_PROPERTY_MOTION_ANGULAR_VELOCITY;
        if (isVelocity || !entry->isApplied ||
            memcmp(entry->values, entry->applied, sizeof(entry->values)) != 0)
        {
            ApplyProperty(actor, &entry->property, entry->values);
            memcpy(entry->applied, entry->values, sizeof(entry->values));
            entry->isApplied = true;
        }
    }
}
