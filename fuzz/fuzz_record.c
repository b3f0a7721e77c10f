// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes recordings: a recording with an actor, bodies and joints of the application and a loaded state is
// changed by the input and gets correct checksums. It is refused, or replayed and compared with the original.
#include "output/record_file.h"

#include "tendon/tendon.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define MAX_SIZE (1 << 16)

typedef struct Bytes
{
    uint8_t data[MAX_SIZE];
    size_t size;
} Bytes;

static bool Write(void* context, const char* bytes, size_t size)
{
    Bytes* out = context;
    if (size > MAX_SIZE - out->size)
    {
        return false;
    }
    memcpy(out->data + out->size, bytes, size);
    out->size += size;
    return true;
}

static const char scene[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":["
    "{\"name\":\"Ball\",\"translation\":[0,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},"
    "\"collider\":{\"geometry\":{\"shape\":0}}}}},{\"name\":\"Floor\",\"extensions\":{"
    "\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{\"shape\":1}}}}}],\"extensionsUsed\":["
    "\"KHR_physics_rigid_bodies\",\"KHR_implicit_shapes\"],\"extensions\":{\"KHR_implicit_shapes\":{"
    "\"shapes\":["
    "{\"type\":\"sphere\"},{\"type\":\"box\"}]}}}";

static void MakeRecording(Bytes* out)
{
    tdAsset* asset = tdLoadAssetFromMemory(scene, sizeof(scene) - 1, NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdRecorder* recorder = tdCreateRecorder(stage, NULL, Write, out, NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdWorld* world = tdStage_GetWorld(stage);
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = (tdVec3){0.2f, 3.0f, 0.0f};
    tdBodyId body = tdCreateBody(world, &def);
    tdShapeId shape = tdCreateBox(world, body, NULL, (tdVec3){0.5f, 0.5f, 0.5f});
    tdCreateSphere(world, body, NULL, 0.3f);
    tdJointDef jointDef = tdMakeBallJointDef(world, tdActor_GetBody(actor, 0), body, (tdVec3){0, 2.5f, 0});
    tdJointId joint = tdCreateJoint(world, &jointDef);
    tdStage_Step(stage);
    tdActor_SetPlacement(actor, (tdTransform){{0.1f, 0, 0}, tdQuat_identity});
    tdActor_SetLocal(actor, 1, TD_LOCAL_ALL, (tdTrs){tdVec3_zero, tdQuat_identity, tdVec3_one});
    tdActor_ApplyImpulse(actor, 0, (tdVec3){1, 0, 0}, tdVec3_zero);
    size_t size = tdStage_Save(stage, NULL, 0);
    void* block = malloc(size);
    tdStage_Save(stage, block, size);
    tdStage_Step(stage);
    tdStage_Load(stage, block, size);
    free(block);
    tdBody_SetMotion(world, body, TD_MOTION_KINEMATIC);
    tdBody_SetTarget(world, body, def.transform);
    tdShape_SetMaterial(world, shape, tdShape_GetMaterial(world, shape));
    tdJoint_SetLimit(world, joint, 0, tdJoint_GetLimit(world, joint, 0));
    tdStage_StepVariable(stage, 0.02);
    tdDestroyJoint(world, joint);
    tdDestroyBody(world, body);
    tdStage_Step(stage);
    if (!tdRecorder_Finish(recorder))
    {
        abort();
    }
    tdDestroyRecorder(recorder);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

// Gives every part that is there the checksums of its bytes.
static void FixChecksums(uint8_t* bytes, size_t size)
{
    for (size_t at = TD_RECORD_HEADER_SIZE; at + TD_RECORD_PART_SIZE <= size;)
    {
        uint32_t header[2];
        memcpy(header, bytes + at, sizeof(header));
        if (header[1] > size - at - TD_RECORD_PART_SIZE)
        {
            return;
        }
        tdFinishRecordPart(bytes + at, TD_RECORD_PART_SIZE + header[1], header[0], at);
        at += TD_RECORD_PART_SIZE + header[1];
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static Bytes original, forged; // kept for all inputs
    if (original.size == 0)
    {
        MakeRecording(&original);
    }
    forged = original;
    // Each change takes four bytes: place, kind, value.
    for (size_t i = 0; i + 4 <= size; i += 4)
    {
        size_t place = (size_t)data[i] | (size_t)data[i + 1] << 8;
        size_t at = TD_RECORD_HEADER_SIZE + place % (original.size - TD_RECORD_HEADER_SIZE);
        forged.data[at] = (data[i + 2] & 1) != 0 ? data[i + 3] : (uint8_t)(forged.data[at] + data[i + 3]);
    }
    FixChecksums(forged.data, forged.size);
    tdRecording* recording = tdLoadRecording(forged.data, forged.size, NULL, NULL);
    tdRecording* other = tdLoadRecording(original.data, original.size, NULL, NULL);
    tdRecordingComparison comparison;
    tdBodyDifference differences[4];
    if (recording != NULL && !tdCompareRecordings(recording, other, differences, 4, &comparison))
    {
        abort();
    }
    tdReplay* replay = tdCreateReplay(recording, NULL, NULL);
    tdReplayResult result = TD_REPLAY_SAME;
    for (int i = 0; i < 20 && result <= TD_REPLAY_DIFFERS; ++i)
    {
        result = tdReplay_Step(replay, &differences[0]);
    }
    tdDestroyReplay(replay);
    tdDestroyRecording(other);
    tdDestroyRecording(recording);
    return 0;
}
