// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of recordings: runs with every kind of input are repeated to the bit, on other worker counts;
// damage at every byte is refused; differences name step and body; memory may run out anywhere.
//
// Labels: threads
#include "base/memory.h"
#include "base/report.h"
#include "output/record_file.h"
#include "runtime/physics_stage.h"

#include "tendon/spring.h"
#include "tendon/tendon.h"

#include <string.h>

#define STEPS 40

/// The bytes of a recording.
typedef struct Tape
{
    uint8_t* bytes;
    size_t size, capacity;
    size_t limit; // the writer stops there; 0: never
} Tape;

static bool WriteTape(void* context, const char* bytes, size_t size)
{
    Tape* tape = context;
    if (tape->limit > 0 && tape->size + size > tape->limit)
    {
        return false;
    }
    if (tape->size + size > tape->capacity)
    {
        tape->capacity = 2 * (tape->size + size);
        tape->bytes = realloc(tape->bytes, tape->capacity);
    }
    memcpy(tape->bytes + tape->size, bytes, size);
    tape->size += size;
    return true;
}

static void FreeTape(Tape* tape)
{
    free(tape->bytes);
    *tape = (Tape){0};
}

static const char boxNodes[] = FLOOR ",{'name':'Lower','translation':[0,0.6,0]," RB(
    "'motion':{'mass':1},'collider':{" SHAPE(1) "}") "},"
                                                     "{'name':'Upper','translation':[0.2,1.8,0]," RB(
                                                         "'motion':{'mass':1},'collider':{" SHAPE(1) "}") "}";

static tdAsset* LoadBoxes(void)
{
    return LoadScene(boxNodes, FLOOR_SHAPE ",{'type':'box'}", "", NULL, 0, NULL);
}

/// Things that the inputs of a run make.
typedef struct Things
{
    tdBodyId body;
    tdShapeId shape;
    tdJointId joint;
    tdFilterId filter;
    tdPlayId play;
    uint8_t* block;
    size_t blockSize;
} Things;

// Bodies, shapes, joints and filters of the application.
static void DirectWorld(tdWorld* world, Things* things, tdBodyId partner, int step)
{
    tdBodyDef bodyDef = tdDefaultBodyDef();
    tdShapeDef shapeDef = tdDefaultShapeDef();
    tdJointDef jointDef;
    tdJointLimit limit = tdMakeAngularLimit(TD_AXIS_X, -0.5f, 0.5f);
    tdJointDrive drive = tdDefaultJointDrive();
    uint32_t systems[2] = {3, 9};
    tdFilterDef filterDef = {.collisionSystems = systems, .collisionSystemCount = 2};
    switch (step)
    {
    case 2:
        bodyDef.motion = TD_MOTION_DYNAMIC;
        bodyDef.transform.position = (tdVec3){0.1f, 3.0f, 0.05f};
        things->body = tdCreateBody(world, &bodyDef);
        things->filter = tdCreateFilter(world, &filterDef);
        shapeDef.filter = things->filter;
        things->shape = tdCreateSphere(world, things->body, &shapeDef, 0.3f);
        shapeDef.local.position.y = 0.4f;
        tdCreateBox(world, things->body, &shapeDef, (tdVec3){0.2f, 0.3f, 0.4f});
        tdCreateCapsule(world, things->body, NULL, 0.2f, 0.1f, 0.1f);
        tdCreateCylinder(world, things->body, NULL, 0.2f, 0.1f, 0.1f);
        break;
    case 3:
        bodyDef.transform.position.y = -2.0f;
        tdCreatePlane(world, tdCreateBody(world, &bodyDef), NULL, INFINITY, INFINITY, false);
        break;
    case 4:
        jointDef = tdMakeBallJointDef(world, partner, things->body, (tdVec3){0.1f, 2.4f, 0.05f});
        drive.type = TD_DRIVE_ANGULAR;
        drive.damping = 0.2f;
        jointDef.limits = &limit;
        jointDef.limitCount = 1;
        jointDef.drives = &drive;
        jointDef.driveCount = 1;
        things->joint = tdCreateJoint(world, &jointDef);
        break;
    case 6:
        limit.max = 0.3f;
        drive.type = TD_DRIVE_ANGULAR;
        drive.velocityTarget = 2.0f;
        drive.damping = 0.4f;
        tdJoint_SetLimit(world, things->joint, tdJoint_GetLimitCount(world, things->joint) - 1, limit);
        tdJoint_SetDrive(world, things->joint, 0, drive);
        tdJoint_SetEnableCollision(world, things->joint, true);
        tdJoint_SetBreakLimits(world, things->joint, 900.0f, 900.0f);
        tdJoint_SetUserData(world, things->joint, 7);
        break;
    case 8:
        tdBody_ApplyForce(world, things->body, (tdVec3){1.0f, 0.0f, 2.0f}, (tdVec3){0.0f, 2.0f, 0.0f});
        tdBody_ApplyForceToCenter(world, things->body, (tdVec3){0.0f, 3.0f, 0.0f});
        tdBody_ApplyTorque(world, things->body, (tdVec3){0.0f, 0.1f, 0.0f});
        tdBody_ApplyImpulse(world, things->body, (tdVec3){0.2f, 0.0f, 0.0f}, (tdVec3){0.0f, 2.0f, 0.0f});
        tdBody_ApplyImpulseToCenter(world, things->body, (tdVec3){0.0f, 0.0f, 0.3f});
        tdBody_ApplyAngularImpulse(world, things->body, (tdVec3){0.01f, 0.0f, 0.0f});
        break;
    case 10:
        tdBody_SetMass(world, things->body, tdBody_GetMass(world, things->body));
        tdBody_SetGravityFactor(world, things->body, 0.8f);
        tdShape_SetMaterial(world, things->shape, (tdShapeMaterial){.staticFriction = 0.2f});
        tdShape_SetFilter(world, things->shape, (tdFilterId){0});
        tdShape_SetLocal(world, things->shape, (tdTransform){{0.05f, 0.0f, 0.0f}, tdQuat_identity});
        tdBody_ComputeMass(world, things->body);
        tdShape_SetUserData(world, things->shape, 4);
        tdBody_SetUserData(world, things->body, 5);
        break;
    case 14:
        tdBody_SetTransform(world, things->body, (tdTransform){{0.4f, 3.0f, 0.0f}, tdQuat_identity});
        tdBody_SetLinearVelocity(world, things->body, (tdVec3){0.0f, -1.0f, 0.1f});
        tdBody_SetAngularVelocity(world, things->body, (tdVec3){0.3f, 0.0f, 0.1f});
        tdBody_SetAwake(world, things->body, true);
        tdBody_EnableSleep(world, things->body, false);
        tdBody_EnableContinuous(world, things->body, false);
        tdWorld_SetGravity(world, (tdVec3){0.0f, -8.0f, 0.5f});
        tdWorld_EnableContinuous(world, false);
        tdWorld_EnableSleep(world, false);
        break;
    case 18:
        tdDestroyJoint(world, things->joint);
        tdDestroyShape(world, things->shape);
        break;
    case 20:
        tdBody_SetMotion(world, things->body, TD_MOTION_KINEMATIC);
        tdBody_SetTarget(world, things->body, (tdTransform){{0.4f, 2.5f, 0.0f}, tdQuat_identity});
        break;
    case 24:
        tdDestroyBody(world, things->body);
        break;
    default:
        break;
    }
}

static void DirectActor(tdStage* stage, tdActor* actor, const tdClip* clip, Things* things, int step)
{
    tdPlayDef play = tdDefaultPlayDef();
    tdSpringParameters parameters = {.stiffness = 0.5f, .dragForce = 0.3f, .gravityDir = {0.0f, -1.0f, 0.0f}};
    int last = tdAsset_GetNodeCount(tdActor_GetAsset(actor)) - 1;
    switch (step)
    {
    case 1:
        play.loop = true;
        things->play = tdActor_Play(actor, clip, &play);
        break;
    case 5:
        tdActor_SetLocal(actor, last, TD_LOCAL_ROTATION,
                         (tdTrs){tdVec3_zero, tdQuatFromAxisAngle((tdVec3){0, 1, 0}, 0.4f), tdVec3_one});
        tdActor_SetExpression(actor, "happy", 0.6f);
        tdActor_SetExpression(actor, "blink", 0.3f);
        tdActor_SetGaze(actor, 0.2f, 0.1f);
        break;
    case 7:
        tdActor_ApplyImpulse(actor, 1, (tdVec3){0.2f, 0.9f, 0.1f}, (tdVec3){0.0f, 0.02f, 0.0f});
        tdActor_SetGazeTarget(actor, (tdVec3){1.0f, 1.5f, 3.0f});
        tdActor_SetConstraintWeight(actor, last, 0.5f);
        tdActor_SetSpringParameters(actor, 0, &parameters);
        break;
    case 9:
        tdActor_SetPlay(actor, things->play, 0.1f, 0.5f, 0.7f);
        tdActor_SetGazeNode(actor, 0);
        tdActor_SetPlacement(actor, (tdTransform){{0.1f, 0.0f, 0.0f}, tdQuat_identity});
        break;
    case 12:
        things->blockSize = tdStage_Save(stage, NULL, 0);
        things->block = malloc(things->blockSize);
        tdStage_Save(stage, things->block, things->blockSize);
        break;
    case 16:
        tdActor_ClearExpression(actor, "blink");
        tdActor_ClearLocal(actor, last, TD_LOCAL_ALL);
        tdActor_ClearGaze(actor);
        tdActor_SetSpringParameters(actor, 0, NULL);
        tdActor_EnableSprings(actor, false);
        tdActor_EnableConstraints(actor, false);
        break;
    case 19:
        tdActor_EnableSprings(actor, true);
        tdActor_EnableConstraints(actor, true);
        tdActor_Teleport(actor, (tdTransform){{0.0f, 0.1f, 0.0f}, tdQuat_identity});
        tdActor_Stop(actor, things->play);
        break;
    default:
        break;
    }
}

/// Records a run with inputs. Gives the state hash at its end.
/// @param change an additional impulse before step 5
/// @param clip NULL: the first animation, if there is one
static uint64_t Record(const tdAsset* asset, const tdClip* clip, Tape* tape, bool isDirected, bool change,
                       bool loads)
{
    tdStage* stage = tdCreateStage(NULL);
    tdRecorderDef def = tdDefaultRecorderDef();
    def.build = "test";
    tdRecorder* recorder = tdCreateRecorder(stage, &def, WriteTape, tape, NULL);
    ENSURE(recorder != NULL && tdCreateRecorder(stage, NULL, WriteTape, tape, NULL) == NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdActorDef second = tdDefaultActorDef();
    second.placement.position = (tdVec3){0.31f, 4.0f, 0.17f};
    tdActor* other = tdCreateActor(stage, asset, &second, NULL);
    tdClip* own = clip == NULL ? tdCreateClip(asset, 0, NULL, NULL) : NULL;
    Things things = {0};
    uint64_t hash = 0;
    for (int step = 0; step < STEPS; ++step)
    {
        if (isDirected)
        {
            DirectActor(stage, actor, clip != NULL ? clip : own, &things, step);
            DirectWorld(tdStage_GetWorld(stage), &things, tdActor_GetBody(actor, 1), step);
        }
        if (change && step == 4)
        {
            tdActor_ApplyImpulse(actor, 2, (tdVec3){0.0f, 0.1f, 0.0f}, tdVec3_zero);
        }
        if (loads && step == 15)
        {
            ENSURE(tdStage_Load(stage, things.block, things.blockSize));
        }
        if (step == 30)
        {
            tdDestroyActor(other);
        }
        ENSURE(step % 5 == 4 && isDirected ? tdStage_StepVariable(stage, 0.021) : tdStage_Step(stage));
        tdStage_Evaluate(stage, tdStage_GetTime(stage) - 0.004); // no input
        tdStage_Evaluate(stage, tdStage_GetTime(stage));
    }
    hash = tdStage_GetStateHash(stage);
    ENSURE(tdRecorder_Finish(recorder));
    tdDestroyRecorder(recorder);
    tdDestroyStage(stage);
    tdDestroyClip(own);
    free(things.block);
    return hash;
}

/// @param hasActors whether there were two actors, of which the second was destroyed
static void ExpectSameSteps(const Tape* tape, const tdTasks* tasks, bool hasActors)
{
    tdReport* report = tdCreateReport(NULL);
    tdRecording* recording = tdLoadRecording(tape->bytes, tape->size, NULL, report);
    ENSURE(recording != NULL);
    tdRecordingInfo info = tdRecording_GetInfo(recording);
    ENSURE(info.stepCount == STEPS && info.isComplete && info.stepRate == 60.0);
    ENSURE_EQUAL_TEXT(info.build, "test");
    tdReplayDef def = tdDefaultReplayDef();
    def.tasks = tasks;
    tdReplay* replay = tdCreateReplay(recording, &def, report);
    for (int step = 1; step <= STEPS; ++step)
    {
        tdBodyDifference difference = {0};
        ENSURE_EQUAL_INT(tdReplay_Step(replay, &difference), TD_REPLAY_SAME);
        ENSURE_EQUAL_INT(tdReplay_GetStep(replay), step);
    }
    ENSURE_EQUAL_INT(tdReplay_Step(replay, NULL), TD_REPLAY_END);
    ENSURE((tdReplay_GetActor(replay, 0) != NULL) == hasActors && tdReplay_GetActor(replay, 1) == NULL);
    ENSURE_EQUAL_TEXT(tdReport_GetText(report), "");
    tdDestroyReplay(replay);
    tdDestroyRecording(recording);
    tdDestroyReport(report);
}

static void ExpectRepeats(const Tape* tape, const tdTasks* tasks)
{
    ExpectSameSteps(tape, tasks, true);
}

TEST(RunsAreRepeated)
{
    const char* const files[] = {"examples/lanky.vrm", "examples/robot_arm.gltf", "examples/swing_door.gltf",
                                 "examples/rope_bridge.gltf"};
    const tdTasks* threads = tdCreateThreads(3);
    for (int i = 0; i < 5; ++i)
    {
        tdAsset* asset = i < 4 ? tdLoadAsset(files[i], NULL, NULL) : LoadBoxes();
        Tape tape = {0};
        Record(asset, NULL, &tape, true, false, i == 4);
        ExpectRepeats(&tape, i % 2 == 0 ? threads : NULL);
        FreeTape(&tape);
        tdDestroyAsset(asset);
    }
    tdDestroyThreads(threads);
}

TEST(RetargetedClipsAreRecorded)
{
    tdAsset* motion = tdLoadAsset("examples/wave.bvh", NULL, NULL);
    tdAsset* avatar = tdLoadAsset("examples/lanky.vrm", NULL, NULL);
    tdClip* clip = tdRetargetClip(motion, 0, avatar, NULL, NULL, NULL);
    ENSURE(clip != NULL);
    tdDestroyAsset(motion);
    Tape tape = {0};
    Record(avatar, clip, &tape, true, false, false);
    tdDestroyClip(clip);
    tdDestroyAsset(avatar);
    ExpectRepeats(&tape, NULL);
    FreeTape(&tape);
}

TEST(RecordingDoesNotChangeTheMotion)
{
    tdAsset* asset = LoadBoxes();
    Tape tape = {0};
    uint64_t recorded = Record(asset, NULL, &tape, false, false, false);
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef second = tdDefaultActorDef();
    second.placement.position = (tdVec3){0.31f, 4.0f, 0.17f};
    tdCreateActor(stage, asset, NULL, NULL);
    tdActor* other = tdCreateActor(stage, asset, &second, NULL);
    for (int step = 0; step < STEPS; ++step)
    {
        if (step == 30)
        {
            tdDestroyActor(other);
        }
        ENSURE(tdStage_Step(stage));
    }
    ENSURE(tdStage_GetStateHash(stage) == recorded);
    ENSURE(tdCreateRecorder(stage, NULL, WriteTape, &tape, NULL) == NULL); // it is not new
    tdDestroyStage(stage);
    FreeTape(&tape);
    tdDestroyAsset(asset);
}

/// A recording of two boxes for tests of damage.
static Tape RecordSmall(void)
{
    tdAsset* asset = LoadBoxes();
    Tape tape = {0};
    Record(asset, NULL, &tape, false, false, false);
    tdDestroyAsset(asset);
    return tape;
}

TEST(DamageIsRefused)
{
    Tape tape = RecordSmall();
    tdReport* report = tdCreateReport(NULL);
    for (size_t i = 0; i < tape.size; ++i)
    {
        for (int bit = 0; bit < 8; bit += 7)
        {
            tape.bytes[i] ^= (uint8_t)(1u << bit);
            tdRecording* recording = tdLoadRecording(tape.bytes, tape.size, NULL, report);
            ENSURE(recording == NULL);
            tape.bytes[i] ^= (uint8_t)(1u << bit);
        }
    }
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RECORDING_DAMAGED), (int)(2 * tape.size));
    tdDestroyReport(report);
    FreeTape(&tape);
}

// Larger sizes are further apart, but the largest is one of them.
static size_t NextSize(size_t size, size_t largest)
{
    size_t next = size + 1 + size / 97;
    return size < largest && next > largest ? largest : next;
}

TEST(CutRecordingsAreUsedUpToTheirEnd)
{
    Tape tape = RecordSmall();
    int64_t last = 0;
    for (size_t size = 0; size < tape.size; size = NextSize(size, tape.size - 1))
    {
        tdReport* report = tdCreateReport(NULL);
        tdRecording* recording = tdLoadRecording(tape.bytes, size, NULL, report);
        tdReplay* replay = tdCreateReplay(recording, NULL, report);
        tdRecordingInfo info = tdRecording_GetInfo(recording);
        ENSURE(info.stepCount >= last && !info.isComplete);
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RECORDING_CUT), recording != NULL ? 1 : 0);
        for (int64_t step = 0; step < info.stepCount; ++step)
        {
            ENSURE_EQUAL_INT(tdReplay_Step(replay, NULL), TD_REPLAY_SAME);
        }
        ENSURE_EQUAL_INT(tdReplay_Step(replay, NULL), recording != NULL ? TD_REPLAY_END : TD_REPLAY_FAILED);
        last = info.stepCount;
        tdDestroyReplay(replay);
        tdDestroyRecording(recording);
        tdDestroyReport(report);
    }
    ENSURE_EQUAL_INT(last, STEPS);
    FreeTape(&tape);
}

TEST(OtherVersionsAreRefused)
{
    Tape tape = RecordSmall();
    uint32_t version = TD_RECORDING_VERSION + 1;
    memcpy(tape.bytes + 8, &version, 4);
    uint32_t check = tdComputeRecordCheck(tape.bytes, 12, 0);
    memcpy(tape.bytes + 12, &check, 4);
    tdReport* report = tdCreateReport(NULL);
    ENSURE(tdIsRecording(tape.bytes, tape.size) && !tdIsRecording(tape.bytes + 1, tape.size - 1));
    ENSURE(tdLoadRecording(tape.bytes, tape.size, NULL, report) == NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RECORDING_VERSION), 1);
    tdDestroyReport(report);
    FreeTape(&tape);
}

TEST(ComparisonNamesBodies)
{
    tdAsset* asset = LoadBoxes();
    Tape tapes[2] = {{0}, {0}};
    Record(asset, NULL, &tapes[0], false, false, false);
    Record(asset, NULL, &tapes[1], false, true, false);
    tdRecording* a = tdLoadRecording(tapes[0].bytes, tapes[0].size, NULL, NULL);
    tdRecording* b = tdLoadRecording(tapes[1].bytes, tapes[1].size, NULL, NULL);
    tdRecordingComparison comparison;
    tdBodyDifference differences[8] = {{0}};
    ENSURE(tdCompareRecordings(a, a, differences, 8, &comparison));
    ENSURE(comparison.stepCount == STEPS && comparison.inputStep == 0 && comparison.stateStep == 0 &&
           comparison.differenceCount == 0);
    ENSURE(tdCompareRecordings(a, b, differences, 8, &comparison));
    ENSURE_EQUAL_INT(comparison.inputStep, 5);
    ENSURE_EQUAL_INT(comparison.stateStep, 5);
    ENSURE(comparison.differenceCount >= 1);
    ENSURE_EQUAL_INT(differences[0].step, 5);
    ENSURE_EQUAL_TEXT(differences[0].name, "Upper");
    ENSURE_EQUAL_INT(differences[0].node, 2);
    ENSURE_EQUAL_INT(differences[0].actor, 0);
    ENSURE(differences[0].b.position.y > differences[0].a.position.y); // the impulse is up
    ENSURE(!tdCompareRecordings(a, NULL, NULL, 0, &comparison));
    tdDestroyRecording(a);
    tdDestroyRecording(b);
    FreeTape(&tapes[0]);
    FreeTape(&tapes[1]);
    tdDestroyAsset(asset);
}

/// Changes the last byte but one of the recorded hash of a step, with correct checksums.
static void ForgeHash(Tape* tape, int step)
{
    for (size_t at = TD_RECORD_HEADER_SIZE; at < tape->size;)
    {
        uint32_t header[2];
        memcpy(header, tape->bytes + at, sizeof(header));
        size_t size = TD_RECORD_PART_SIZE + header[1];
        if (header[0] == TD_RECORD_STEP && --step == 0)
        {
            tape->bytes[at + TD_RECORD_PART_SIZE + 10] ^= 1;
            tdFinishRecordPart(tape->bytes + at, size, header[0], at);
        }
        at += size;
    }
}

TEST(ReplayNamesTheStepThatDiffers)
{
    Tape tape = RecordSmall();
    ForgeHash(&tape, 9);
    tdRecording* recording = tdLoadRecording(tape.bytes, tape.size, NULL, NULL);
    tdReplay* replay = tdCreateReplay(recording, NULL, NULL);
    for (int step = 1; step <= STEPS; ++step)
    {
        tdBodyDifference difference = {0};
        ENSURE_EQUAL_INT(tdReplay_Step(replay, &difference), step == 9 ? TD_REPLAY_DIFFERS : TD_REPLAY_SAME);
        ENSURE(step != 9 || (difference.step == 9 && difference.body == -1));
    }
    tdDestroyReplay(replay);
    tdDestroyRecording(recording);
    FreeTape(&tape);
}

// A bowl of triangles, of which two have no area, and a second winding at its rim.
static tdGeometry* CookBowl(float depth)
{
    enum
    {
        RIM = 9
    };
    tdVec3 positions[RIM + 2] = {{0.0f, -depth, 0.0f}};
    uint32_t indices[3 * (RIM + 2)] = {3, 3, 4};
    for (int i = 0; i < RIM; ++i)
    {
        tdQuat turn = tdQuatFromAxisAngle((tdVec3){0, 1, 0}, 6.2831853f * (float)i / RIM);
        positions[i + 1] = tdRotate(turn, (tdVec3){2.0f, 0.0f, 0.0f});
        uint32_t corners[3] = {0, 1 + ((uint32_t)i + 1) % RIM, 1 + (uint32_t)i};
        memcpy(indices + 3 * (i < 4 ? i + 1 : i + 2), corners, sizeof(corners));
    }
    positions[RIM + 1] = positions[0]; // is welded
    indices[3 * 7] = RIM + 1;
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = RIM + 2;
    def.indices = indices;
    def.indexCount = 3 * (RIM + 2);
    return tdCreateMeshGeometry(&def, NULL);
}

// Hulls with points inside and on their faces, which the hull does not have.
static tdGeometry* CookStone(int seed)
{
    tdVec3 points[30];
    uint32_t state = (uint32_t)seed * 2654435761u + 1;
    for (int i = 0; i < 30; ++i)
    {
        float numbers[3];
        for (int k = 0; k < 3; ++k)
        {
            state = state * 1664525u + 1013904223u;
            numbers[k] = (float)(state >> 8) / 16777216.0f - 0.5f;
            numbers[k] = i < 12 ? (numbers[k] < 0.0f ? -0.25f : 0.25f) : 0.45f * numbers[k];
        }
        points[i] = (tdVec3){numbers[0], numbers[1], numbers[2]};
    }
    return tdCreateHullGeometry(points, 30, NULL, NULL);
}

TEST(GeometriesOfTheApplicationAreRecorded)
{
    Tape tape = {0};
    tdStage* stage = tdCreateStage(NULL);
    tdWorld* world = tdStage_GetWorld(stage);
    tdRecorderDef def = tdDefaultRecorderDef();
    def.build = "test";
    tdRecorder* recorder = tdCreateRecorder(stage, &def, WriteTape, &tape, NULL);
    tdGeometry *bowl = CookBowl(0.7f), *copy = CookBowl(0.7f);
    tdCreateMesh(world, tdCreateBody(world, NULL), NULL, bowl);
    tdBodyDef below = tdDefaultBodyDef();
    below.transform.position.y = -1.0f;
    tdCreateMesh(world, tdCreateBody(world, &below), NULL, copy); // another geometry of the same content
    tdGeometry* stones[3];
    uint8_t* block = NULL;
    size_t size = 0;
    for (int step = 0; step < STEPS; ++step)
    {
        if (step % 6 == 0 && step < 36)
        {
            tdBodyDef body = tdDefaultBodyDef();
            body.motion = TD_MOTION_DYNAMIC;
            body.transform.position = (tdVec3){0.1f * (float)step - 1.0f, 0.4f, 0.03f};
            int stone = step / 6 % 3;
            stones[stone] = step < 18 ? CookStone(stone) : stones[stone];
            tdShapeDef shape = tdDefaultShapeDef();
            shape.hasMatrix = step == 24;
            shape.matrix[0].x = 1.3f;
            tdCreateHull(world, tdCreateBody(world, &body), &shape, stones[stone]);
        }
        if (step == 25)
        {
            size = tdStage_Save(stage, NULL, 0);
            block = malloc(size);
            tdStage_Save(stage, block, size);
        }
        ENSURE(step != 33 || tdStage_Load(stage, block, size));
        ENSURE(tdStage_Step(stage));
    }
    ENSURE(tdRecorder_Finish(recorder));
    tdDestroyRecorder(recorder);
    tdDestroyStage(stage);
    for (int i = 0; i < 3; ++i)
    {
        tdDestroyGeometry(stones[i]);
    }
    tdDestroyGeometry(bowl);
    tdDestroyGeometry(copy);
    free(block);
    ExpectSameSteps(&tape, NULL, false);
    FreeTape(&tape);
}

TEST(BvhActorsAreRecorded)
{
    tdAsset* asset = tdLoadAsset("examples/wave.bvh", NULL, NULL);
    Tape tape = {0};
    Record(asset, NULL, &tape, false, false, false);
    tdDestroyAsset(asset);
    ExpectRepeats(&tape, NULL);
    FreeTape(&tape);
}

TEST(CallsThatCannotBeRecordedEndTheReplay)
{
    Tape tape = {0};
    tdStage* stage = tdCreateStage(NULL);
    tdRecorder* recorder = tdCreateRecorder(stage, NULL, WriteTape, &tape, NULL);
    ENSURE(tdStage_Step(stage));
    ENSURE(tdWorld_Step(tdStage_GetWorld(stage), 1.0f / 60.0f));
    ENSURE(tdStage_Step(stage) && tdRecorder_Finish(recorder) && !tdRecorder_Finish(recorder));
    tdDestroyRecorder(recorder);
    tdDestroyStage(stage);
    tdReport* report = tdCreateReport(NULL);
    tdRecording* recording = tdLoadRecording(tape.bytes, tape.size, NULL, report);
    tdReplay* replay = tdCreateReplay(recording, NULL, report);
    ENSURE_EQUAL_INT(tdReplay_Step(replay, NULL), TD_REPLAY_SAME);
    ENSURE_EQUAL_INT(tdReplay_Step(replay, NULL), TD_REPLAY_FAILED);
    ENSURE_EQUAL_INT(tdReplay_Step(replay, NULL), TD_REPLAY_FAILED);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RECORDING_CALL), 1);
    tdDestroyReplay(replay);
    tdDestroyRecording(recording);
    tdDestroyReport(report);
    FreeTape(&tape);
}

TEST(LargeAssetsAndFullDisksAreReported)
{
    tdAsset* asset = LoadBoxes();
    for (int i = 0; i < 2; ++i)
    {
        Tape tape = {.limit = i == 0 ? 0 : 2000};
        tdReport* report = tdCreateReport(NULL);
        tdStage* stage = tdCreateStage(NULL);
        tdRecorderDef def = tdDefaultRecorderDef();
        def.maximumAssetBytes = i == 0 ? 100 : def.maximumAssetBytes;
        tdRecorder* recorder = tdCreateRecorder(stage, &def, WriteTape, &tape, report);
        ENSURE(recorder != NULL && tdCreateActor(stage, asset, NULL, NULL) != NULL);
        for (int step = 0; step < STEPS; ++step)
        {
            ENSURE(tdStage_Step(stage)); // the run goes on
        }
        ENSURE(!tdRecorder_Finish(recorder));
        ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_RECORDING_ASSET), i == 0 ? 1 : 0);
        tdDestroyRecorder(recorder);
        tdDestroyStage(stage);
        tdDestroyReport(report);
        FreeTape(&tape);
    }
    tdDestroyAsset(asset);
}

TEST(MemoryMayRunOutWhileRecording)
{
    tdAsset* asset = LoadBoxes();
    bool isDone = false;
    for (int64_t failAt = 0; !isDone && failAt < 500; ++failAt)
    {
        Tape tape = {0};
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdRecorderDef def = tdDefaultRecorderDef();
        def.allocator = &allocator;
        tdStage* stage = tdCreateStage(NULL);
        tdRecorder* recorder = tdCreateRecorder(stage, &def, WriteTape, &tape, NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        for (int step = 0; step < 10; ++step)
        {
            tdActor_ApplyImpulse(actor, 1, (tdVec3){0.1f, 0.0f, 0.0f}, tdVec3_zero);
            ENSURE(tdStage_Step(stage));
        }
        isDone = tdRecorder_Finish(recorder);
        ENSURE(isDone == (state.count <= failAt));
        tdDestroyRecorder(recorder);
        tdDestroyStage(stage);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
        FreeTape(&tape);
    }
    ENSURE(isDone);
    tdDestroyAsset(asset);
}

TEST(MemoryMayRunOutWhileReplaying)
{
    Tape tape = RecordSmall();
    tdRecording* good = tdLoadRecording(tape.bytes, tape.size, NULL, NULL);
    bool isDone = false;
    int64_t failAt = 0;
    for (; !isDone && failAt < 3000; failAt += 1 + failAt / 40)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdRecording* recording = tdLoadRecording(tape.bytes, tape.size, &allocator, NULL);
        tdReplayDef def = tdDefaultReplayDef();
        def.allocator = &allocator;
        tdReplay* replay = tdCreateReplay(recording, &def, NULL);
        tdReplayResult result = TD_REPLAY_SAME;
        while (result == TD_REPLAY_SAME)
        {
            result = tdReplay_Step(replay, NULL);
        }
        tdRecordingComparison comparison;
        bool isCompared = tdCompareRecordings(recording, good, NULL, 0, &comparison);
        isDone = result == TD_REPLAY_END && isCompared;
        ENSURE(result == TD_REPLAY_END || result == TD_REPLAY_FAILED);
        tdDestroyReplay(replay);
        tdDestroyRecording(recording);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    ENSURE(isDone);
    tdDestroyRecording(good);
    FreeTape(&tape);
}

TEST_MAIN(RUN(RunsAreRepeated) RUN(RetargetedClipsAreRecorded) RUN(GeometriesOfTheApplicationAreRecorded)
              RUN(BvhActorsAreRecorded) RUN(RecordingDoesNotChangeTheMotion) RUN(DamageIsRefused)
                  RUN(CutRecordingsAreUsedUpToTheirEnd) RUN(OtherVersionsAreRefused)
                      RUN(ComparisonNamesBodies) RUN(ReplayNamesTheStepThatDiffers)
                          RUN(CallsThatCannotBeRecordedEndTheReplay) RUN(LargeAssetsAndFullDisksAreReported)
                              RUN(MemoryMayRunOutWhileRecording) RUN(MemoryMayRunOutWhileReplaying))
