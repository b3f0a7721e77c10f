// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Makes the calls of a recording. Their arguments are untrusted. Ids, indices and enumerators are validated
// here; numbers that are not finite are refused by the functions themselves (tdWorld.refusesQuietly).
#include "replay_calls.h"

#include "base/report.h"
#include "math/vecmath.h"
#include "physics/data/call_log.h"
#include "physics/data/id.h"
#include "physics/data/world_data.h"
#include "runtime/physics_binding.h"

#include "tendon/spring.h"

#include <string.h>

#define MAX_NAME_LENGTH 4095

/// A call that is being made.
typedef struct CallReader
{
    tdReplay* replay;
    tdWorld* world;
    tdRecordReader bytes;
    const char* problem; // NULL: none
} CallReader;

static bool RefuseCall(CallReader* reader, const char* problem)
{
    reader->problem = reader->problem != NULL ? reader->problem : problem;
    return false;
}

#define READ(reader, value) TD_READ(&(reader)->bytes, value)

static bool ReadBool(CallReader* reader)
{
    uint8_t byte;
    READ(reader, byte);
    return byte != 0;
}

static tdVec3 ReadVec3(CallReader* reader)
{
    tdVec3 value;
    READ(reader, value);
    return value;
}

static tdTransform ReadTransform(CallReader* reader)
{
    tdTransform value;
    READ(reader, value);
    return value;
}

/// Reads an id, with the number of this world. {0, 0}: the null id.
static tdBodyId ReadId(CallReader* reader)
{
    tdBodyId id;
    READ(reader, id.index1);
    READ(reader, id.generation);
    id.generation = id.index1 != 0 ? tdWorld_MakeGeneration(reader->world, id.generation) : 0;
    return id;
}

static bool ReadBody(CallReader* reader, tdBodyId* body)
{
    *body = ReadId(reader);
    return tdBody_IsValid(reader->world, *body) || RefuseCall(reader, "the body does not exist");
}

static bool ReadShapeId(CallReader* reader, tdShapeId* shape)
{
    tdBodyId id = ReadId(reader);
    *shape = (tdShapeId){id.index1, id.generation};
    return tdShape_IsValid(reader->world, *shape) || RefuseCall(reader, "the shape does not exist");
}

static bool ReadJoint(CallReader* reader, tdJointId* joint)
{
    tdBodyId id = ReadId(reader);
    *joint = (tdJointId){id.index1, id.generation};
    return tdJoint_IsValid(reader->world, *joint) || RefuseCall(reader, "the joint does not exist");
}

static tdActor* ReadActor(CallReader* reader)
{
    uint32_t number;
    READ(reader, number);
    tdActor* actor =
        number < (uint32_t)reader->replay->actors.count ? reader->replay->actors.data[number] : NULL;
    if (actor == NULL)
    {
        RefuseCall(reader, "the actor does not exist");
    }
    return actor;
}

/// Compares an id with the recorded one.
static void CheckMade(CallReader* reader, tdBodyId recorded, uint32_t index1, uint32_t generation)
{
    if (recorded.index1 != index1 || recorded.generation != generation)
    {
        RefuseCall(reader, index1 == 0 ? "it fails" : "it gives another id than in the recording");
    }
}

static bool IsRotation(tdQuat q)
{
    return tdDotQuat(q, q) > 0.5f; // false for NaN
}

// Bodies

static void RepeatCreateBody(CallReader* reader)
{
    tdBodyDef def = tdDefaultBodyDef();
    tdBodyId recorded = ReadId(reader);
    uint8_t motion;
    READ(reader, motion);
    def.motion = (tdMotion)motion;
    def.hasCenterOfMass = ReadBool(reader);
    def.enableSleep = ReadBool(reader);
    def.enableContinuous = ReadBool(reader);
    def.isAwake = ReadBool(reader);
    READ(reader, def.transform);
    READ(reader, def.linearVelocity);
    READ(reader, def.angularVelocity);
    READ(reader, def.mass);
    READ(reader, def.centerOfMass);
    READ(reader, def.inertiaDiagonal);
    READ(reader, def.inertiaOrientation);
    READ(reader, def.gravityFactor);
    READ(reader, def.userData);
    if (reader->bytes.failed || motion > TD_MOTION_DYNAMIC || !IsRotation(def.transform.rotation) ||
        !IsRotation(def.inertiaOrientation))
    {
        RefuseCall(reader, "its settings are invalid");
        return;
    }
    tdBodyId made = tdCreateBody(reader->world, &def);
    CheckMade(reader, recorded, made.index1, made.generation);
}

/// Whether an actor's binding has the body: as a body, below a static collider, or as an end of a joint.
static bool IsBodyOfActor(const CallReader* reader, tdBodyId body)
{
    const tdReplay* replay = reader->replay;
    const tdWorld* world = reader->world;
    int index = tdWorld_GetBodyIndex(world, body);
    bool isOwned = tdPhysicsBinding_FindBody(replay->stage, body) != NULL;
    for (int i = world->bodies.data[index].shapeHead; i >= 0 && !isOwned; i = world->shapes.data[i].next)
    {
        isOwned = tdPhysicsBinding_FindShape(replay->stage, tdWorld_MakeShapeId(world, i)) != NULL;
    }
    for (int i = 0; i < replay->actors.count && !isOwned; ++i)
    {
        const tdActor* actor = replay->actors.data[i];
        int count = actor != NULL && actor->physics != NULL ? 2 * actor->physics->scene->jointCount : 0;
        for (int k = 0; k < count; ++k)
        {
            isOwned = isOwned || actor->physics->frames[k].attachment.index1 == body.index1;
        }
    }
    return isOwned;
}

static void CallBody(CallReader* reader, tdCall call)
{
    tdWorld* world = reader->world;
    tdBodyId body;
    tdVec3 a, b;
    tdMotion motion;
    tdTransform transform;
    tdBodyMass mass;
    float factor;
    uint64_t userData;
    if (!ReadBody(reader, &body))
    {
        return;
    }
    switch (call)
    {
    case TD_CALL_DESTROY_BODY:
        if (IsBodyOfActor(reader, body))
        {
            RefuseCall(reader, "the body belongs to an actor");
            return;
        }
        tdDestroyBody(world, body);
        break;
    case TD_CALL_BODY_SET_MOTION:
        READ(reader, motion);
        if ((unsigned)motion > TD_MOTION_DYNAMIC)
        {
            RefuseCall(reader, "there is no such motion");
            return;
        }
        if (!tdBody_SetMotion(world, body, motion))
        {
            RefuseCall(reader, "memory ran out");
        }
        break;
    case TD_CALL_BODY_SET_TRANSFORM:
        transform = ReadTransform(reader);
        tdBody_SetTransform(world, body, transform);
        break;
    case TD_CALL_BODY_SET_TARGET:
        transform = ReadTransform(reader);
        if (tdBody_GetMotion(world, body) != TD_MOTION_KINEMATIC)
        {
            RefuseCall(reader, "the body is not kinematic");
            return;
        }
        tdBody_SetTarget(world, body, transform);
        break;
    case TD_CALL_BODY_SET_LINEAR_VELOCITY:
        tdBody_SetLinearVelocity(world, body, ReadVec3(reader));
        break;
    case TD_CALL_BODY_SET_ANGULAR_VELOCITY:
        tdBody_SetAngularVelocity(world, body, ReadVec3(reader));
        break;
    case TD_CALL_BODY_APPLY_FORCE:
        a = ReadVec3(reader);
        b = ReadVec3(reader);
        tdBody_ApplyForce(world, body, a, b);
        break;
    case TD_CALL_BODY_APPLY_FORCE_TO_CENTER:
        tdBody_ApplyForceToCenter(world, body, ReadVec3(reader));
        break;
    case TD_CALL_BODY_APPLY_TORQUE:
        tdBody_ApplyTorque(world, body, ReadVec3(reader));
        break;
    case TD_CALL_BODY_APPLY_IMPULSE:
        a = ReadVec3(reader);
        b = ReadVec3(reader);
        tdBody_ApplyImpulse(world, body, a, b);
        break;
    case TD_CALL_BODY_APPLY_IMPULSE_TO_CENTER:
        tdBody_ApplyImpulseToCenter(world, body, ReadVec3(reader));
        break;
    case TD_CALL_BODY_APPLY_ANGULAR_IMPULSE:
        tdBody_ApplyAngularImpulse(world, body, ReadVec3(reader));
        break;
    case TD_CALL_BODY_SET_MASS:
        READ(reader, mass);
        tdBody_SetMass(world, body, mass);
        break;
    case TD_CALL_BODY_COMPUTE_MASS:
        tdBody_ComputeMass(world, body);
        break;
    case TD_CALL_BODY_SET_GRAVITY_FACTOR:
        READ(reader, factor);
        tdBody_SetGravityFactor(world, body, factor);
        break;
    case TD_CALL_BODY_SET_AWAKE:
        tdBody_SetAwake(world, body, ReadBool(reader));
        break;
    case TD_CALL_BODY_ENABLE_SLEEP:
        tdBody_EnableSleep(world, body, ReadBool(reader));
        break;
    case TD_CALL_BODY_ENABLE_CONTINUOUS:
        tdBody_EnableContinuous(world, body, ReadBool(reader));
        break;
    default: // TD_CALL_BODY_SET_USER_DATA
        READ(reader, userData);
        tdBody_SetUserData(world, body, userData);
        break;
    }
}

// Filters and shapes

static void CreateFilter(CallReader* reader)
{
    uint32_t recorded, counts[3];
    const uint32_t* lists[3];
    READ(reader, recorded);
    READ(reader, counts);
    uint64_t total = (uint64_t)counts[0] + counts[1] + counts[2];
    const uint8_t* bytes = tdRecordReader_Take(&reader->bytes, total * sizeof(uint32_t));
    uint32_t* numbers = bytes != NULL ? tdAllocate(&reader->replay->allocator,
                                                   (size_t)total * sizeof(uint32_t), _Alignof(uint32_t))
                                      : NULL;
    if (bytes == NULL || (numbers == NULL && total > 0))
    {
        RefuseCall(reader, bytes == NULL ? "its arguments are cut off" : "memory ran out");
        return;
    }
    if (total > 0)
    {
        memcpy(numbers, bytes, (size_t)total * sizeof(uint32_t));
    }
    lists[0] = numbers;
    lists[1] = total > 0 ? numbers + counts[0] : NULL;
    lists[2] = total > 0 ? numbers + counts[0] + counts[1] : NULL;
    tdFilterDef def = {lists[0], (int)counts[0], lists[1], (int)counts[1], lists[2], (int)counts[2]};
    if (tdCreateFilter(reader->world, &def).index1 != recorded)
    {
        RefuseCall(reader, "it gives another id than in the recording");
    }
    tdRelease(&reader->replay->allocator, numbers, (size_t)total * sizeof(uint32_t));
}

static bool ReadShapeDef(CallReader* reader, tdShapeDef* def)
{
    *def = tdDefaultShapeDef();
    uint8_t combines[2];
    uint32_t filter;
    def->hasMatrix = ReadBool(reader);
    def->isTrigger = ReadBool(reader);
    def->enableContactEvents = ReadBool(reader);
    def->deferMass = ReadBool(reader);
    READ(reader, combines);
    READ(reader, def->local);
    READ(reader, def->matrix);
    READ(reader, def->density);
    READ(reader, def->staticFriction);
    READ(reader, def->dynamicFriction);
    READ(reader, def->restitution);
    READ(reader, filter);
    READ(reader, def->userData);
    def->frictionCombine = (tdCombine)combines[0];
    def->restitutionCombine = (tdCombine)combines[1];
    def->filter = tdWorld_MakeFilterId(reader->world, filter);
    return (!reader->bytes.failed && combines[0] <= TD_COMBINE_MULTIPLY &&
            combines[1] <= TD_COMBINE_MULTIPLY && IsRotation(def->local.rotation) &&
            tdWorld_OwnsFilter(reader->world, def->filter)) ||
           RefuseCall(reader, "its settings are invalid");
}

static tdShapeId CreateGeometryShape(CallReader* reader, tdBodyId body, const tdShapeDef* def)
{
    uint32_t number;
    READ(reader, number);
    const tdReplay* replay = reader->replay;
    const tdGeometry* geometry =
        number < (uint32_t)replay->geometries.count ? replay->geometries.data[number] : NULL;
    if (geometry == NULL || (def->hasMatrix && !tdGeometry_IsHull(geometry)))
    {
        RefuseCall(reader, "the hull or mesh is not in the recording");
        return (tdShapeId){0};
    }
    return tdGeometry_IsHull(geometry) ? tdCreateHull(reader->world, body, def, geometry)
                                       : tdCreateMesh(reader->world, body, def, geometry);
}

static void CreateShape(CallReader* reader, tdCall call)
{
    tdWorld* world = reader->world;
    tdBodyId recorded = ReadId(reader), body;
    tdShapeDef def;
    tdShapeId made = {0};
    float sizes[3] = {0.0f, 0.0f, 0.0f};
    if (!ReadBody(reader, &body) || !ReadShapeDef(reader, &def))
    {
        return;
    }
    int sizeCount = call == TD_CALL_CREATE_GEOMETRY_SHAPE ? 0 : call == TD_CALL_CREATE_SPHERE ? 1 : 3;
    for (int i = 0; i < sizeCount; ++i)
    {
        READ(reader, sizes[i]);
    }
    switch (call)
    {
    case TD_CALL_CREATE_SPHERE:
        made = tdCreateSphere(world, body, &def, sizes[0]);
        break;
    case TD_CALL_CREATE_BOX:
        made = tdCreateBox(world, body, &def, (tdVec3){sizes[0], sizes[1], sizes[2]});
        break;
    case TD_CALL_CREATE_CAPSULE:
        made = tdCreateCapsule(world, body, &def, sizes[0], sizes[1], sizes[2]);
        break;
    case TD_CALL_CREATE_CYLINDER:
        made = tdCreateCylinder(world, body, &def, sizes[0], sizes[1], sizes[2]);
        break;
    case TD_CALL_CREATE_GEOMETRY_SHAPE:
        made = CreateGeometryShape(reader, body, &def);
        break;
    default: // TD_CALL_CREATE_PLANE
        made = def.hasMatrix ? made : tdCreatePlane(world, body, &def, sizes[0], sizes[1], sizes[2] != 0.0f);
        break;
    }
    CheckMade(reader, recorded, made.index1, made.generation);
}

static void CallShape(CallReader* reader, tdCall call)
{
    tdWorld* world = reader->world;
    tdShapeId shape;
    tdShapeMaterial material;
    uint32_t filter;
    uint64_t userData;
    if (!ReadShapeId(reader, &shape))
    {
        return;
    }
    switch (call)
    {
    case TD_CALL_DESTROY_SHAPE:
        if (tdPhysicsBinding_FindShape(reader->replay->stage, shape) != NULL)
        {
            RefuseCall(reader, "the shape belongs to an actor");
            return;
        }
        tdDestroyShape(world, shape);
        break;
    case TD_CALL_SHAPE_SET_LOCAL:
        tdShape_SetLocal(world, shape, ReadTransform(reader));
        break;
    case TD_CALL_SHAPE_SET_MATERIAL:
        READ(reader, material);
        if ((unsigned)material.frictionCombine > TD_COMBINE_MULTIPLY ||
            (unsigned)material.restitutionCombine > TD_COMBINE_MULTIPLY)
        {
            RefuseCall(reader, "the material is invalid");
            return;
        }
        tdShape_SetMaterial(world, shape, material);
        break;
    case TD_CALL_SHAPE_SET_FILTER:
        READ(reader, filter);
        if (!tdWorld_OwnsFilter(world, tdWorld_MakeFilterId(world, filter)))
        {
            RefuseCall(reader, "the filter does not exist");
            return;
        }
        tdShape_SetFilter(world, shape, tdWorld_MakeFilterId(world, filter));
        break;
    default: // TD_CALL_SHAPE_SET_USER_DATA
        READ(reader, userData);
        tdShape_SetUserData(world, shape, userData);
        break;
    }
}

// Joints

static bool IsLimit(const tdJointLimit* limit)
{
    return limit->linearAxes <= 7 && limit->angularAxes <= 7 &&
           (limit->linearAxes == 0) != (limit->angularAxes == 0);
}

static bool IsDrive(const tdJointDrive* drive)
{
    return (unsigned)drive->type <= TD_DRIVE_ANGULAR && (unsigned)drive->mode <= TD_DRIVE_ACCELERATION &&
           (drive->axis == TD_AXIS_X || drive->axis == TD_AXIS_Y || drive->axis == TD_AXIS_Z);
}

/// Copies the limits and drives of a joint, which need not be aligned in the recording.
static bool CopyJointParts(CallReader* reader, tdJointDef* def, void* memory, size_t size)
{
    const uint8_t* bytes = tdRecordReader_Take(&reader->bytes, size);
    if (bytes == NULL || memory == NULL)
    {
        return RefuseCall(reader, bytes == NULL ? "its arguments are cut off" : "memory ran out");
    }
    memcpy(memory, bytes, size);
    tdJointLimit* limits = memory;
    tdJointDrive* drives = (tdJointDrive*)(limits + def->limitCount);
    bool areValid = true;
    for (int i = 0; i < def->limitCount; ++i)
    {
        areValid = areValid && IsLimit(&limits[i]);
    }
    for (int i = 0; i < def->driveCount; ++i)
    {
        areValid = areValid && IsDrive(&drives[i]);
    }
    def->limits = limits;
    def->drives = drives;
    return areValid || RefuseCall(reader, "its limits or drives are invalid");
}

static void RepeatCreateJoint(CallReader* reader)
{
    tdJointDef def = tdDefaultJointDef();
    tdBodyId recorded = ReadId(reader);
    uint32_t counts[2];
    def.bodyA = ReadId(reader);
    def.bodyB = ReadId(reader);
    READ(reader, counts);
    def.enableCollision = ReadBool(reader);
    READ(reader, def.frameA);
    READ(reader, def.frameB);
    READ(reader, def.breakForce);
    READ(reader, def.breakTorque);
    READ(reader, def.userData);
    bool hasA = def.bodyA.index1 != 0, hasB = def.bodyB.index1 != 0;
    if (reader->bytes.failed || !(hasA || hasB) || (hasA && !tdBody_IsValid(reader->world, def.bodyA)) ||
        (hasB && !tdBody_IsValid(reader->world, def.bodyB)) || def.bodyA.index1 == def.bodyB.index1 ||
        !IsRotation(def.frameA.rotation) || !IsRotation(def.frameB.rotation) || counts[0] > 1000000 ||
        counts[1] > 1000000)
    {
        RefuseCall(reader, "its settings are invalid");
        return;
    }
    def.limitCount = (int)counts[0];
    def.driveCount = (int)counts[1];
    size_t size = counts[0] * sizeof(tdJointLimit) + counts[1] * sizeof(tdJointDrive);
    bool isThere = size <= (size_t)(reader->bytes.end - reader->bytes.at);
    void* memory = isThere ? tdAllocate(&reader->replay->allocator, size + 1, TD_MAX_ALIGNMENT) : NULL;
    if (CopyJointParts(reader, &def, memory, size))
    {
        tdJointId made = tdCreateJoint(reader->world, &def);
        CheckMade(reader, recorded, made.index1, made.generation);
    }
    tdRelease(&reader->replay->allocator, memory, size + 1);
}

static bool OwnsActorJoint(const CallReader* reader, tdJointId joint)
{
    for (int i = 0; i < reader->replay->actors.count; ++i)
    {
        const tdActor* actor = reader->replay->actors.data[i];
        int count = actor != NULL && actor->physics != NULL ? actor->physics->scene->jointCount : 0;
        for (int k = 0; k < count; ++k)
        {
            tdJointId id = actor->physics->joints[k];
            if (id.index1 == joint.index1 && id.generation == joint.generation)
            {
                return true;
            }
        }
    }
    return false;
}

static void CallJoint(CallReader* reader, tdCall call)
{
    tdWorld* world = reader->world;
    tdJointId joint;
    tdJointLimit limit;
    tdJointDrive drive;
    int32_t index;
    float bounds[2];
    uint64_t userData;
    if (!ReadJoint(reader, &joint))
    {
        return;
    }
    switch (call)
    {
    case TD_CALL_DESTROY_JOINT:
        if (OwnsActorJoint(reader, joint))
        {
            RefuseCall(reader, "the joint belongs to an actor");
            return;
        }
        tdDestroyJoint(world, joint);
        break;
    case TD_CALL_JOINT_SET_LIMIT:
        READ(reader, index);
        READ(reader, limit);
        if (index < 0 || index >= tdJoint_GetLimitCount(world, joint) || !IsLimit(&limit))
        {
            RefuseCall(reader, "the limit is invalid");
            return;
        }
        tdJoint_SetLimit(world, joint, index, limit);
        break;
    case TD_CALL_JOINT_SET_DRIVE:
        READ(reader, index);
        READ(reader, drive);
        if (index < 0 || index >= tdJoint_GetDriveCount(world, joint) || !IsDrive(&drive))
        {
            RefuseCall(reader, "the drive is invalid");
            return;
        }
        tdJoint_SetDrive(world, joint, index, drive);
        break;
    case TD_CALL_JOINT_SET_ENABLE_COLLISION:
        tdJoint_SetEnableCollision(world, joint, ReadBool(reader));
        break;
    case TD_CALL_JOINT_SET_BREAK_LIMITS:
        READ(reader, bounds);
        tdJoint_SetBreakLimits(world, joint, bounds[0], bounds[1]);
        break;
    default: // TD_CALL_JOINT_SET_USER_DATA
        READ(reader, userData);
        tdJoint_SetUserData(world, joint, userData);
        break;
    }
}

// Actors

static void CreateActor(CallReader* reader)
{
    tdReplay* replay = reader->replay;
    uint32_t number, asset;
    tdActorDef def = tdDefaultActorDef();
    READ(reader, number);
    READ(reader, asset);
    READ(reader, def.scene);
    def.enableConstraints = ReadBool(reader);
    def.enablePhysics = ReadBool(reader);
    def.enableSprings = ReadBool(reader);
    def.springsHitStage = ReadBool(reader);
    def.overrideBoneGaze = ReadBool(reader);
    READ(reader, def.placement);
    if (reader->bytes.failed || number != (uint32_t)replay->actors.count ||
        asset >= (uint32_t)replay->assets.count || !IsRotation(def.placement.rotation))
    {
        RefuseCall(reader, "its settings are invalid");
        return;
    }
    bool hasRoom = tdArray_Reserve(&replay->allocator, &replay->actors, replay->actors.count + 1) &&
                   tdArray_Push(&replay->allocator, &replay->actorDefs, def);
    tdActor* actor =
        hasRoom ? tdCreateActor(replay->stage, replay->assets.data[asset]->asset, &def, NULL) : NULL;
    if (actor == NULL || !tdArray_Push(&replay->allocator, &replay->actors, actor))
    {
        RefuseCall(reader, "it fails");
        return;
    }
    actor->recordNumber = number;
}

static void PlayClip(CallReader* reader, tdActor* actor)
{
    const tdReplay* replay = reader->replay;
    tdPlayDef def = tdDefaultPlayDef();
    uint32_t number;
    tdPlayId recorded;
    READ(reader, number);
    READ(reader, recorded);
    READ(reader, def.start);
    READ(reader, def.speed);
    READ(reader, def.weight);
    def.loop = ReadBool(reader);
    const tdClip* clip = number < (uint32_t)replay->clips.count ? replay->clips.data[number] : NULL;
    if (reader->bytes.failed || clip == NULL || clip->asset != actor->asset)
    {
        RefuseCall(reader, "the clip does not belong to the actor");
        return;
    }
    tdPlayId made = tdActor_Play(actor, clip, &def);
    if (made.index1 != recorded.index1 || made.generation != recorded.generation)
    {
        RefuseCall(reader, "it gives another id than in the recording");
    }
}

static void CallExpression(CallReader* reader, tdCall call, tdActor* actor)
{
    char name[MAX_NAME_LENGTH + 1];
    float weight = 0.0f;
    uint32_t length;
    if (call == TD_CALL_ACTOR_SET_EXPRESSION)
    {
        READ(reader, weight);
    }
    READ(reader, length);
    const uint8_t* bytes = length <= MAX_NAME_LENGTH ? tdRecordReader_Take(&reader->bytes, length) : NULL;
    if (bytes == NULL)
    {
        RefuseCall(reader, "the name is too long");
        return;
    }
    memcpy(name, bytes, length);
    name[length] = '\0';
    if (call == TD_CALL_ACTOR_SET_EXPRESSION)
    {
        tdActor_SetExpression(actor, name, weight);
    }
    else
    {
        tdActor_ClearExpression(actor, name);
    }
}

static void ForgetClip(CallReader* reader, tdActor* actor)
{
    uint32_t number;
    READ(reader, number);
    const tdReplay* replay = reader->replay;
    if (number >= (uint32_t)replay->clips.count)
    {
        RefuseCall(reader, "the clip does not exist");
        return;
    }
    tdActor_ForgetClip(actor, replay->clips.data[number]);
}

static void SetSpringParameters(CallReader* reader, tdActor* actor)
{
    int32_t joint;
    tdSpringParameters parameters;
    READ(reader, joint);
    bool isSet = ReadBool(reader);
    if (isSet)
    {
        READ(reader, parameters);
    }
    tdActor_SetSpringParameters(actor, joint, isSet ? &parameters : NULL);
}

static void CallActor(CallReader* reader, tdCall call)
{
    tdPlayId play;
    float values[3];
    int32_t node;
    unsigned properties;
    tdTrs local;
    float weight;
    tdActor* actor = ReadActor(reader);
    if (actor == NULL)
    {
        return;
    }
    switch (call)
    {
    case TD_CALL_DESTROY_ACTOR:
        reader->replay->actors.data[actor->recordNumber] = NULL;
        tdDestroyActor(actor);
        break;
    case TD_CALL_ACTOR_PLAY:
        PlayClip(reader, actor);
        break;
    case TD_CALL_ACTOR_STOP:
        READ(reader, play);
        tdActor_Stop(actor, play);
        break;
    case TD_CALL_ACTOR_SET_PLAY:
        READ(reader, play);
        READ(reader, values);
        tdActor_SetPlay(actor, play, values[0], values[1], values[2]);
        break;
    case TD_CALL_ACTOR_FORGET_CLIP:
        ForgetClip(reader, actor);
        break;
    case TD_CALL_ACTOR_SET_LOCAL:
        READ(reader, node);
        READ(reader, properties);
        READ(reader, local);
        tdActor_SetLocal(actor, node, properties, local);
        break;
    case TD_CALL_ACTOR_CLEAR_LOCAL:
        READ(reader, node);
        READ(reader, properties);
        tdActor_ClearLocal(actor, node, properties);
        break;
    case TD_CALL_ACTOR_SET_PLACEMENT:
        tdActor_SetPlacement(actor, ReadTransform(reader));
        break;
    case TD_CALL_ACTOR_ENABLE_CONSTRAINTS:
        tdActor_EnableConstraints(actor, ReadBool(reader));
        break;
    case TD_CALL_ACTOR_SET_CONSTRAINT_WEIGHT:
        READ(reader, node);
        READ(reader, weight);
        tdActor_SetConstraintWeight(actor, node, weight);
        break;
    case TD_CALL_ACTOR_SET_EXPRESSION:
    case TD_CALL_ACTOR_CLEAR_EXPRESSION:
        CallExpression(reader, call, actor);
        break;
    case TD_CALL_ACTOR_SET_GAZE:
        READ(reader, values[0]);
        READ(reader, values[1]);
        tdActor_SetGaze(actor, values[0], values[1]);
        break;
    case TD_CALL_ACTOR_SET_GAZE_TARGET:
        tdActor_SetGazeTarget(actor, ReadVec3(reader));
        break;
    case TD_CALL_ACTOR_SET_GAZE_NODE:
        READ(reader, node);
        tdActor_SetGazeNode(actor, node);
        break;
    case TD_CALL_ACTOR_CLEAR_GAZE:
        tdActor_ClearGaze(actor);
        break;
    case TD_CALL_ACTOR_ENABLE_SPRINGS:
        tdActor_EnableSprings(actor, ReadBool(reader));
        break;
    case TD_CALL_ACTOR_RESET_SPRINGS:
        tdActor_ResetSprings(actor);
        break;
    default: // TD_CALL_ACTOR_SET_SPRING_PARAMETERS
        SetSpringParameters(reader, actor);
        break;
    }
}

static void LoadState(CallReader* reader)
{
    uint32_t size;
    READ(reader, size);
    const uint8_t* block = tdRecordReader_Take(&reader->bytes, size);
    if (block == NULL || !tdStage_Load(reader->replay->stage, block, size))
    {
        RefuseCall(reader, "the state does not belong to the stage");
    }
}

static void CallWorld(CallReader* reader, tdCall call)
{
    if (call == TD_CALL_WORLD_SET_GRAVITY)
    {
        tdWorld_SetGravity(reader->world, ReadVec3(reader));
    }
    else if (call == TD_CALL_WORLD_ENABLE_SLEEP)
    {
        tdWorld_EnableSleep(reader->world, ReadBool(reader));
    }
    else
    {
        tdWorld_EnableContinuous(reader->world, ReadBool(reader));
    }
}

static void MakeCall(CallReader* reader, tdCall call)
{
    if (call <= TD_CALL_WORLD_ENABLE_CONTINUOUS)
    {
        CallWorld(reader, call);
    }
    else if (call == TD_CALL_CREATE_BODY)
    {
        RepeatCreateBody(reader);
    }
    else if (call <= TD_CALL_BODY_SET_USER_DATA)
    {
        CallBody(reader, call);
    }
    else if (call == TD_CALL_CREATE_FILTER)
    {
        CreateFilter(reader);
    }
    else if (call <= TD_CALL_CREATE_GEOMETRY_SHAPE)
    {
        CreateShape(reader, call);
    }
    else if (call == TD_CALL_WORLD_STEP)
    {
        RefuseCall(reader, "recordings cannot repeat this");
    }
    else if (call <= TD_CALL_SHAPE_SET_USER_DATA)
    {
        CallShape(reader, call);
    }
    else if (call == TD_CALL_CREATE_JOINT)
    {
        RepeatCreateJoint(reader);
    }
    else if (call <= TD_CALL_JOINT_SET_USER_DATA)
    {
        CallJoint(reader, call);
    }
    else if (call == TD_CALL_CREATE_ACTOR)
    {
        CreateActor(reader);
    }
    else if (call == TD_CALL_STAGE_LOAD)
    {
        LoadState(reader);
    }
    else
    {
        CallActor(reader, call);
    }
}

bool tdReplay_MakeCalls(tdReplay* replay, const tdRecordPart* part)
{
    CallReader reader = {.replay = replay,
                         .world = replay->stage->world,
                         .bytes = {part->bytes, part->bytes + part->size, false}};
    while (reader.bytes.at < reader.bytes.end)
    {
        uint8_t call;
        READ(&reader, call);
        if (call >= TD_CALL_COUNT)
        {
            RefuseCall(&reader, "there is no such function");
        }
        else
        {
            MakeCall(&reader, (tdCall)call);
        }
        if (reader.bytes.failed)
        {
            RefuseCall(&reader, "its arguments are cut off");
        }
        if (reader.problem != NULL)
        {
            const char* name = call < TD_CALL_COUNT ? tdCall_GetName(call) : "an unknown function";
            tdReport_Add(replay->report, TD_DIAG_RECORDING_CALL, NULL, (long long)replay->step + 1, name,
                         reader.problem);
            return false;
        }
    }
    return true;
}
