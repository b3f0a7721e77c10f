// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the C API of the engine: the input is a stream of calls with valid ids and finite numbers, some of
// them extreme. No call may fail an assertion, and positions stay finite.
#include "tendon/joint.h"
#include "tendon/physics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define MAX_BODIES 24
#define MAX_JOINTS 16
#define MAX_STEPS 60

typedef struct Stream
{
    const uint8_t* data;
    size_t size, at;
} Stream;

static unsigned TakeByte(Stream* stream)
{
    return stream->at < stream->size ? stream->data[stream->at++] : 0;
}

/// Mostly from -8 to 8, sometimes extreme.
static float TakeFloat(Stream* stream)
{
    static const float extremes[] = {0.0f, 1.0e-30f, 1.0e-6f, 1.0e4f, -1.0e4f, 1.0e6f, 1.0e-3f, -1.0e-20f};
    unsigned byte = TakeByte(stream);
    return byte >= 248 ? extremes[byte - 248] : ((float)byte - 124.0f) / 15.5f;
}

static float TakeSize(Stream* stream)
{
    return 0.01f + fabsf(TakeFloat(stream)) / (TakeByte(stream) % 2 != 0 ? 1.0f : 8.0f);
}

static tdVec3 TakeVector(Stream* stream)
{
    float x = TakeFloat(stream), y = TakeFloat(stream), z = TakeFloat(stream);
    return (tdVec3){x, y, z};
}

static tdQuat TakeRotation(Stream* stream)
{
    tdVec3 v = TakeVector(stream);
    float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z + 1.0f);
    return (tdQuat){v.x / length, v.y / length, v.z / length, 1.0f / length};
}

typedef struct Model
{
    tdWorld* world;
    tdBodyId bodies[MAX_BODIES];
    tdJointId joints[MAX_JOINTS];
    int bodyCount, jointCount, stepCount, shapeCount;
    uint8_t* block;
    size_t blockSize;
    tdBodyId savedBodies[MAX_BODIES];
    tdJointId savedJoints[MAX_JOINTS];
    int savedBodyCount, savedJointCount;
} Model;

static tdBodyId PickBody(Model* model, Stream* stream)
{
    return model->bodies[TakeByte(stream) % (unsigned)model->bodyCount];
}

static void AddShape(Model* model, Stream* stream, tdBodyId body)
{
    tdShapeDef def = tdDefaultShapeDef();
    unsigned kind = TakeByte(stream);
    def.isTrigger = (kind & 64) != 0;
    def.local.position = (kind & 32) != 0 ? TakeVector(stream) : (tdVec3){0.0f, 0.0f, 0.0f};
    def.local.rotation = (kind & 16) != 0 ? TakeRotation(stream) : (tdQuat){0.0f, 0.0f, 0.0f, 1.0f};
    float a = TakeSize(stream), b = TakeSize(stream), c = TakeSize(stream);
    model->shapeCount += 1;
    switch (kind % 5)
    {
    case 0:
        tdCreateSphere(model->world, body, &def, a);
        break;
    case 1:
        tdCreateBox(model->world, body, &def, (tdVec3){a, b, c});
        break;
    case 2:
        tdCreateCapsule(model->world, body, &def, a, b, c);
        break;
    case 3:
        tdCreateCylinder(model->world, body, &def, a, b, c);
        break;
    default:
        tdCreateBox(model->world, body, &def, (tdVec3){8.0f * a, b, 8.0f * c});
        break;
    }
}

static void AddBody(Model* model, Stream* stream)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = (tdMotion)(TakeByte(stream) % 3);
    def.transform.position = TakeVector(stream);
    def.transform.rotation = TakeRotation(stream);
    tdBodyId body = tdCreateBody(model->world, &def);
    model->bodies[model->bodyCount++] = body;
    AddShape(model, stream, body);
}

static void AddJoint(Model* model, Stream* stream)
{
    tdBodyId a = PickBody(model, stream), b = PickBody(model, stream);
    tdVec3 anchor = TakeVector(stream);
    if (a.index1 == b.index1)
    {
        return;
    }
    const tdWorld* world = model->world;
    unsigned kind = TakeByte(stream) % 3;
    tdJointDef def = kind == 0 ? tdMakeBallJointDef(world, a, b, anchor)
                     : kind == 1
                         ? tdMakeHingeJointDef(world, a, b, anchor, (tdVec3){0.0f, 1.0f, 0.0f}, -1.0f, 1.0f)
                         : tdMakeFixedJointDef(world, a, b, anchor);
    model->joints[model->jointCount++] = tdCreateJoint(model->world, &def);
}

static void RemoveBody(Model* model, Stream* stream)
{
    unsigned index = TakeByte(stream) % (unsigned)model->bodyCount;
    tdDestroyBody(model->world, model->bodies[index]);
    model->bodies[index] = model->bodies[--model->bodyCount];
    int kept = 0;
    for (int i = 0; i < model->jointCount; ++i)
    {
        if (tdJoint_IsValid(model->world, model->joints[i]))
        {
            model->joints[kept++] = model->joints[i];
        }
    }
    model->jointCount = kept;
}

static void Save(Model* model)
{
    model->blockSize = tdWorld_SaveState(model->world, NULL, 0);
    free(model->block);
    model->block = malloc(model->blockSize);
    tdWorld_SaveState(model->world, model->block, model->blockSize);
    memcpy(model->savedBodies, model->bodies, sizeof(model->bodies));
    memcpy(model->savedJoints, model->joints, sizeof(model->joints));
    model->savedBodyCount = model->bodyCount;
    model->savedJointCount = model->jointCount;
}

static void Load(Model* model)
{
    if (model->block != NULL && tdWorld_LoadState(model->world, model->block, model->blockSize))
    {
        memcpy(model->bodies, model->savedBodies, sizeof(model->bodies));
        memcpy(model->joints, model->savedJoints, sizeof(model->joints));
        model->bodyCount = model->savedBodyCount;
        model->jointCount = model->savedJointCount;
    }
}

static void Step(Model* model, Stream* stream)
{
    model->stepCount += 1;
    tdWorld_Step(model->world, TakeByte(stream) % 8 == 0 ? 0.0f : 1.0f / 60.0f);
    for (int i = 0; i < model->bodyCount; ++i)
    {
        tdVec3 p = tdBody_GetTransform(model->world, model->bodies[i]).position;
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
        {
            abort();
        }
    }
}

static void Call(Model* model, Stream* stream)
{
    tdWorld* world = model->world;
    unsigned call = TakeByte(stream) % 16;
    if (model->bodyCount == 0 || (call == 0 && model->bodyCount < MAX_BODIES))
    {
        AddBody(model, stream);
        return;
    }
    tdBodyId body = PickBody(model, stream);
    switch (call)
    {
    case 1:
        if (model->shapeCount < 3 * MAX_BODIES)
        {
            AddShape(model, stream, body);
        }
        break;
    case 2:
        if (model->jointCount < MAX_JOINTS)
        {
            AddJoint(model, stream);
        }
        break;
    case 3:
        RemoveBody(model, stream);
        break;
    case 4:
        if (model->jointCount > 0)
        {
            unsigned index = TakeByte(stream) % (unsigned)model->jointCount;
            tdDestroyJoint(world, model->joints[index]);
            model->joints[index] = model->joints[--model->jointCount];
        }
        break;
    case 5:
        tdBody_SetMotion(world, body, (tdMotion)(TakeByte(stream) % 3));
        break;
    case 6:
        tdBody_SetLinearVelocity(world, body, TakeVector(stream));
        tdBody_SetAngularVelocity(world, body, TakeVector(stream));
        break;
    case 7:
        tdBody_SetTransform(world, body, (tdTransform){TakeVector(stream), TakeRotation(stream)});
        break;
    case 8:
        tdBody_ApplyForce(world, body, TakeVector(stream), TakeVector(stream));
        break;
    case 9:
        tdWorld_SetGravity(world, TakeVector(stream));
        break;
    case 10:
    {
        tdQueryHit hit;
        tdVec3 start = TakeVector(stream), end = TakeVector(stream);
        tdWorld_CastRay(world, (tdRay){start, end}, NULL, &hit);
        break;
    }
    case 11:
        Save(model);
        break;
    case 12:
        Load(model);
        break;
    default:
        if (model->stepCount < MAX_STEPS)
        {
            Step(model, stream);
        }
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Stream stream = {data, size, 0};
    tdWorldDef def = tdDefaultWorldDef();
    unsigned options = TakeByte(&stream);
    def.enableSleep = (options & 1) != 0;
    def.enableContinuous = (options & 2) != 0;
    def.maxPairs = (options & 4) != 0 ? 10 : 0;
    def.maxContacts = (options & 8) != 0 ? 5 : 0;
    Model model = {.world = tdCreateWorld(&def)};
    while (stream.at < size)
    {
        Call(&model, &stream);
    }
    free(model.block);
    tdDestroyWorld(model.world);
    return 0;
}
