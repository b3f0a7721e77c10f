// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of saved states of stages: every step of a dozen scenes is undone and repeated to the bit, in the
// same stage and in others of other widths and worker counts; blocks that do not belong are refused.
//
// Labels: threads
#include "base/hash.h"
#include "base/memory.h"
#include "runtime/physics_binding.h"
#include "runtime/physics_stage.h"

#include "tendon/spring.h"
#include "tendon/tendon.h"

#include <string.h>

#define STEPS 40

/// A scene with what the application does to it in every step.
typedef struct Show
{
    tdAsset* asset;
    tdStage* stage;
    tdActor* actors[2];
    tdClip* clip; // NULL: the file has no animation
    tdPlayId plays[2];
} Show;

static Show OpenShow(tdAsset* asset, tdSimd simd, const tdTasks* tasks, const tdAllocator* allocator)
{
    Show show = {.asset = asset};
    tdStageDef def = tdDefaultStageDef();
    def.world.simd = simd;
    def.world.allocator = allocator;
    def.tasks = tasks;
    show.stage = tdCreateStage(&def);
    tdActorDef actorDef = tdDefaultActorDef();
    show.actors[0] = tdCreateActor(show.stage, asset, &actorDef, NULL);
    actorDef.placement.position = (tdVec3){0.31f, 4.0f, 0.17f}; // falls onto the first one
    show.actors[1] = tdCreateActor(show.stage, asset, &actorDef, NULL);
    show.clip = tdCreateClip(asset, 0, NULL, NULL);
    return show;
}

static void CloseShow(Show* show)
{
    tdDestroyStage(show->stage);
    tdDestroyClip(show->clip);
}

/// Inputs of the application before step `step`. They depend on the step alone.
static void Direct(Show* show, int step)
{
    tdActor* actor = show->actors[0];
    int last = tdDescribeAsset(show->asset).nodeCount - 1;
    tdPlayDef play = tdDefaultPlayDef();
    play.loop = true;
    switch (step)
    {
    case 1:
        show->plays[0] = tdActor_Play(actor, show->clip, &play);
        break;
    case 5:
        play.start = 0.2f;
        play.weight = 0.4f;
        show->plays[1] = tdActor_Play(actor, show->clip, &play);
        break;
    case 7:
        tdActor_SetLocal(actor, last, TD_LOCAL_ROTATION,
                         (tdTrs){tdVec3_zero, tdQuatFromAxisAngle((tdVec3){0, 1, 0}, 0.4f), tdVec3_one});
        tdActor_SetExpression(actor, "happy", 0.6f);
        break;
    case 9:
        tdActor_SetGazeTarget(actor, (tdVec3){1.0f, 1.5f, 3.0f});
        tdActor_SetConstraintWeight(actor, last, 0.5f);
        break;
    case 13:
        tdActor_SetPlay(actor, show->plays[0], 0.1f, 0.5f, 0.7f);
        tdActor_ApplyImpulse(actor, 1, (tdVec3){0.0f, 0.5f, 0.1f}, tdVec3_zero);
        break;
    case 17:
        tdActor_SetGazeNode(actor, 0);
        tdActor_ClearLocal(actor, last, TD_LOCAL_ALL);
        break;
    case 21:
        tdActor_Stop(actor, show->plays[0]);
        tdActor_ClearExpression(actor, "happy");
        break;
    case 25:
        tdActor_EnableConstraints(actor, false);
        tdActor_SetPlacement(show->actors[1], (tdTransform){{0.5f, 4.1f, 0.0f}, tdQuat_identity});
        break;
    case 27:
    {
        tdSpringParameters parameters = tdActor_GetSpringParameters(actor, 0);
        parameters.stiffness += 0.5f;
        tdActor_SetSpringParameters(actor, 0, &parameters);
        break;
    }
    case 30:
        tdActor_EnableConstraints(actor, true);
        tdActor_ClearGaze(actor);
        tdActor_Stop(actor, show->plays[1]);
        break;
    default:
        break;
    }
}

typedef struct Block
{
    uint8_t* bytes;
    size_t size;
    uint64_t hash;
    int contactCount, triggerCount;
} Block;

static Block SaveBlock(const tdStage* stage)
{
    Block block = {.size = tdStage_Save(stage, NULL, 0), .hash = tdStage_GetStateHash(stage)};
    block.bytes = malloc(block.size);
    ENSURE_EQUAL_INT(tdStage_Save(stage, block.bytes, block.size), block.size);
    tdStageEvents events = tdStage_GetEvents(stage);
    block.contactCount = events.contactCount;
    block.triggerCount = events.triggerCount;
    return block;
}

#define HEADER_SIZE 48 // of a stage's block; the last 8 bytes are the checksum

// Place of the world's block, behind the list of meshes.
static size_t FindWorldPart(const Block* block)
{
    int32_t meshCount;
    memcpy(&meshCount, block->bytes + HEADER_SIZE, sizeof(meshCount));
    return HEADER_SIZE + 4 + 12 * (size_t)meshCount;
}

// Place of the stage's own part, behind the world's block.
static size_t FindStagePart(const Block* block)
{
    uint64_t worldSize;
    memcpy(&worldSize, block->bytes + 32, sizeof(worldSize));
    return FindWorldPart(block) + (size_t)worldSize;
}

// Whether the stage is in the state of a block, to the bit. The number of meshes that colliders have made may
// differ: they stay when a load goes back to a time before them.
static bool IsSameState(const tdStage* stage, const Block* block)
{
    Block now = SaveBlock(stage);
    bool isSame = now.hash == block->hash && now.size == block->size &&
                  now.contactCount == block->contactCount && now.triggerCount == block->triggerCount;
    if (isSame)
    {
        size_t geometryCount = FindWorldPart(block) + 44;
        memcpy(now.bytes + geometryCount, block->bytes + geometryCount, 4);
        memcpy(now.bytes + HEADER_SIZE - 8, block->bytes + HEADER_SIZE - 8, 8); // the checksum
        isSame = memcmp(now.bytes, block->bytes, now.size) == 0;
    }
    free(now.bytes);
    return isSame;
}

// As IsSameState, except that the world is compared by its hash: the trees of the broad phase may be built in
// another order after a load, which changes no result.
static bool IsSameStage(const tdStage* stage, const Block* block)
{
    Block now = SaveBlock(stage);
    size_t a = FindStagePart(&now), b = FindStagePart(block);
    bool isSame = now.hash == block->hash && now.size - a == block->size - b &&
                  now.contactCount == block->contactCount && now.triggerCount == block->triggerCount &&
                  memcmp(now.bytes + a, block->bytes + b, now.size - a) == 0;
    free(now.bytes);
    return isSame;
}

static void RunShow(Show* show, Block blocks[STEPS + 1])
{
    for (int i = 0; i <= STEPS; ++i)
    {
        blocks[i] = SaveBlock(show->stage);
        Direct(show, i);
        ENSURE(tdStage_Step(show->stage));
    }
}

static void FreeBlocks(Block blocks[STEPS + 1])
{
    for (int i = 0; i <= STEPS; ++i)
    {
        free(blocks[i].bytes);
    }
}

// A mesh that grows below a box, a compound trigger with a ball that flies through it, a lamp welded to a
// node that moves, and an animated factor of gravity.
static tdAsset* LoadMachine(void)
{
    static const float times[3] = {0.0f, 0.3f, 0.6f};
    static const float sizes[9] = {1, 1, 1, 1, 1.6f, 1, 1.2f, 1.1f, 1},
                       way[9] = {4, 2, 0, 4.5f, 2.1f, 0, 4, 3, 1};
    static const float factors[3] = {1.0f, -0.5f, 1.0f};
    const Channel channels[3] = {
        {"/nodes/0/scale", 3, 3, times, sizes, false},
        {"/nodes/6/translation", 3, 3, times, way, false},
        {"/nodes/1/extensions/KHR_physics_rigid_bodies/motion/gravityFactor", 1, 3, times, factors, false}};
    return LoadScene(
        "{" RB(
            "'collider':{'geometry':{'mesh':0}}") "},"
                                                  "{'translation':[0,0.8,0]," RB(
                                                      "'motion':{'mass':1},'collider':{" SHAPE(
                                                          1) "}") "},"
                                                                  "{'translation':[-4,0,0],'"
                                                                  "children':[3,4]," RB(
                                                                      "'trigger':{'nodes':[3,4]"
                                                                      "}") "},"
                                                                           "{" RB(
                                                                               "'trigger':"
                                                                               "{" SHAPE(
                                                                                   2) "}") "},"
                                                                                           "{'"
                                                                                           "tran"
                                                                                           "slat"
                                                                                           "ion'"
                                                                                           ":[0."
                                                                                           "6,0,"
                                                                                           "0]"
                                                                                           "," RB(
                                                                                               "'trigger':"
                                                                                               "{" SHAPE(
                                                                                                   2) "}") "}"
                                                                                                           ","
                                                                                                           "{"
                                                                                                           "'"
                                                                                                           "t"
                                                                                                           "r"
                                                                                                           "a"
                                                                                                           "n"
                                                                                                           "s"
                                                                                                           "l"
                                                                                                           "a"
                                                                                                           "t"
                                                                                                           "i"
                                                                                                           "o"
                                                                                                           "n"
                                                                                                           "'"
                                                                                                           ":"
                                                                                                           "["
                                                                                                           "-"
                                                                                                           "5"
                                                                                                           "."
                                                                                                           "2"
                                                                                                           ","
                                                                                                           "0"
                                                                                                           ","
                                                                                                           "0"
                                                                                                           "]"
                                                                                                           "," RB(
                                                                                                               "'motion':{'mass':1,'gravityFactor':0,'linearVelocity':[6,0,0]},"
                                                                                                               "'collider':{" SHAPE(
                                                                                                                   0) "}") "},"
                                                                                                                           "{" RB(
                                                                                                                               "'joint':{'joint':0,'connectedNode':7}") "},"
                                                                                                                                                                        "{'translation':[4,2,0]," RB(
                                                                                                                                                                            "'motion':{'mass':1},'collider':{" SHAPE(
                                                                                                                                                                                0) "}") "}",
        "{'type':'sphere','sphere':{'radius':0.25}},{'type':'box','box':{'size':[0.5,0.5,0.5]}},"
        "{'type':'box'}",
        "'physicsJoints':[{'limits':[{'linearAxes':[0,1,2],'min':0,'max':0}]}]", channels, 3, NULL);
}

static const char* const files[] = {
    NULL, // LoadMachine
    "examples/catapult.gltf",
    "examples/constraint_chain.gltf",
    "examples/domino_run.gltf",
    "examples/forearm_twist.gltf",
    "examples/marble_run.gltf",
    "examples/mira.vrm",
    "examples/newtons_cradle.gltf",
    "examples/robot_arm.gltf",
    "examples/rope_bridge.gltf",
    "examples/swing_door.gltf",
    "examples/who_collides.gltf",
    "test/data/spring/variable_dt.vrm",
    "test/data/physics/animated_body.gltf",
    "test/data/physics/animated_scale.gltf",
    "test/data/physics/animated_scale_above.gltf",
};
#define FILE_COUNT ((int)(sizeof(files) / sizeof(files[0])))

static tdAsset* LoadFile(int f)
{
    tdAsset* asset = files[f] != NULL ? tdLoadAsset(files[f], NULL, NULL) : LoadMachine();
    ENSURE(asset != NULL);
    return asset;
}

static const char* GetFileName(int f)
{
    return files[f] != NULL ? files[f] : "machine";
}

// Going backwards, every load undoes what came after, and the next steps repeat.
TEST(EveryStepIsUndoneAndRepeated)
{
    for (int f = 0; f < FILE_COUNT; ++f)
    {
        tdAsset* asset = LoadFile(f);
        Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
        Block blocks[STEPS + 1];
        RunShow(&show, blocks);
        bool isGood = true;
        for (int i = STEPS - 1; i >= 0 && isGood; --i)
        {
            isGood = ENSURE(tdStage_Load(show.stage, blocks[i].bytes, blocks[i].size)) &&
                     ENSURE(IsSameState(show.stage, &blocks[i]));
            for (int k = i; k < tdMinInt(i + 4, STEPS) && isGood; ++k)
            {
                Direct(&show, k);
                isGood = ENSURE(tdStage_Step(show.stage)) && ENSURE(IsSameStage(show.stage, &blocks[k + 1]));
            }
            if (!isGood)
            {
                printf("%s, from step %d\n", GetFileName(f), i);
            }
        }
        FreeBlocks(blocks);
        CloseShow(&show);
        tdDestroyAsset(asset);
    }
}

// Stages of other widths and worker counts, built by the same calls, take the blocks and go on from them.
TEST(OtherWidthsAndWorkersContinue)
{
    const tdTasks* pool = tdCreateThreads(3);
    for (int f = 0; f < FILE_COUNT; ++f)
    {
        tdAsset* asset = LoadFile(f);
        Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
        Block blocks[STEPS + 1];
        RunShow(&show, blocks);
        static const tdSimd widths[3] = {TD_SIMD_SCALAR, TD_SIMD_SSE2, TD_SIMD_AUTO};
        for (int w = 0; w < 3; ++w)
        {
            Show other = OpenShow(asset, widths[w], w > 0 ? pool : NULL, NULL);
            // The clip is known after it played once.
            tdActor_Stop(other.actors[0], tdActor_Play(other.actors[0], other.clip, NULL));
            for (int start = 3 + w; start < STEPS; start += 12)
            {
                ENSURE(tdStage_Load(other.stage, blocks[start].bytes, blocks[start].size));
                memcpy(other.plays, show.plays, sizeof(show.plays));
                for (int i = start; i < tdMinInt(start + 8, STEPS); ++i)
                {
                    Direct(&other, i);
                    ENSURE(tdStage_Step(other.stage));
                    if (!ENSURE(tdStage_GetStateHash(other.stage) == blocks[i + 1].hash))
                    {
                        printf("%s, step %d from %d, width %d\n", GetFileName(f), i, start, w);
                        break;
                    }
                }
            }
            CloseShow(&other);
        }
        FreeBlocks(blocks);
        CloseShow(&show);
        tdDestroyAsset(asset);
    }
    tdDestroyThreads(pool);
}

// The scenes have what the saves are about.
TEST(ScenesHaveContactsTriggersAndScaledMeshes)
{
    tdAsset* asset = LoadMachine();
    Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
    int contacts = 0, triggers = 0;
    bool isAttached = false, isScaled = false;
    for (int i = 0; i <= STEPS; ++i)
    {
        Direct(&show, i);
        ENSURE(tdStage_Step(show.stage));
        contacts += tdStage_GetEvents(show.stage).contactCount;
        triggers += tdStage_GetEvents(show.stage).triggerCount;
        isAttached = isAttached || show.actors[0]->physics->frames[0].attachment.index1 != 0;
        isScaled = isScaled || show.actors[0]->physics->shapes[0].scaledMesh != NULL;
    }
    ENSURE(contacts > 0 && triggers >= 4 && isAttached && isScaled);
    CloseShow(&show);
    tdDestroyAsset(asset);
}

// A stage that never scaled a mesh makes the meshes of a block.
TEST(NewStagesTakeBlocks)
{
    tdAsset* asset = LoadMachine();
    Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL), other = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
    Block blocks[STEPS + 1];
    RunShow(&show, blocks);
    // A clip that never played on the actor is unknown.
    ENSURE(!tdStage_Load(other.stage, blocks[10].bytes, blocks[10].size));
    other.plays[0] = tdActor_Play(other.actors[0], other.clip, NULL);
    tdActor_Stop(other.actors[0], other.plays[0]);
    ENSURE(tdStage_Load(other.stage, blocks[10].bytes, blocks[10].size));
    memcpy(other.plays, show.plays, sizeof(show.plays));
    ENSURE(tdActor_IsPlaying(other.actors[0], other.plays[1]));
    for (int i = 10; i < STEPS; ++i)
    {
        ENSURE(tdStage_GetStateHash(other.stage) == blocks[i].hash);
        Direct(&other, i);
        ENSURE(tdStage_Step(other.stage));
    }
    // A forgotten clip is unknown again.
    tdActor_ForgetClip(other.actors[0], other.clip);
    ENSURE(!tdStage_Load(other.stage, blocks[10].bytes, blocks[10].size));
    FreeBlocks(blocks);
    CloseShow(&show);
    CloseShow(&other);
    tdDestroyAsset(asset);
}

static void FixChecksum(Block* block)
{
    uint64_t checksum = tdHash(TD_HASH_INIT, block->bytes + HEADER_SIZE, block->size - HEADER_SIZE);
    memcpy(block->bytes + HEADER_SIZE - 8, &checksum, 8);
}

TEST(BlocksThatDoNotBelongAreRefused)
{
    tdAsset* asset = LoadMachine();
    Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
    for (int i = 0; i < 20; ++i)
    {
        Direct(&show, i);
        ENSURE(tdStage_Step(show.stage));
    }
    Block block = SaveBlock(show.stage);
    ENSURE_EQUAL_INT(tdStage_Save(show.stage, block.bytes, block.size - 1), block.size);
    ENSURE(IsSameState(show.stage, &block)); // too small a buffer is not written
    ENSURE(!tdStage_Load(show.stage, NULL, 0));
    ENSURE(!tdStage_Load(NULL, block.bytes, block.size));
    ENSURE_EQUAL_INT(tdStage_Save(NULL, NULL, 0), 0);
    ENSURE(tdStage_GetStateHash(NULL) == 0);
    ENSURE(!tdStage_Load(show.stage, block.bytes, block.size - 1));
    ENSURE(!tdStage_Load(show.stage, block.bytes, 20));
    // Every byte of the header matters, and any byte of the rest is under the checksum.
    for (size_t i = 0; i < block.size; i += i < HEADER_SIZE ? 1 : 997)
    {
        block.bytes[i] ^= 0x10;
        ENSURE(!tdStage_Load(show.stage, block.bytes, block.size));
        block.bytes[i] ^= 0x10;
    }
    // One actor fewer, another step rate.
    tdStage* stage = tdCreateStage(NULL);
    tdCreateActor(stage, asset, NULL, NULL);
    ENSURE(!tdStage_Load(stage, block.bytes, block.size));
    tdDestroyStage(stage);
    tdStageDef def = tdDefaultStageDef();
    def.stepRate = 120.0;
    stage = tdCreateStage(&def);
    tdCreateActor(stage, asset, NULL, NULL);
    tdCreateActor(stage, asset, NULL, NULL);
    ENSURE(!tdStage_Load(stage, block.bytes, block.size));
    tdDestroyStage(stage);
    ENSURE(IsSameState(show.stage, &block));
    ENSURE(tdStage_Load(show.stage, block.bytes, block.size));
    free(block.bytes);
    CloseShow(&show);
    tdDestroyAsset(asset);
}

// Forged blocks with correct checksums: refused ones change nothing, accepted ones can be saved.
TEST(ForgedBlocksDoNoHarm)
{
    static const char* const names[3] = {NULL, "examples/mira.vrm", "examples/rope_bridge.gltf"};
    for (int f = 0; f < 3; ++f)
    {
        tdAsset* asset = names[f] != NULL ? tdLoadAsset(names[f], NULL, NULL) : LoadMachine();
        Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
        for (int i = 0; i < 16; ++i)
        {
            Direct(&show, i);
            ENSURE(tdStage_Step(show.stage));
        }
        Block block = SaveBlock(show.stage);
        Block forged = block;
        forged.bytes = malloc(block.size);
        uint64_t random = 7;
        int refused = 0;
        for (int i = 0; i < 400; ++i)
        {
            memcpy(forged.bytes, block.bytes, block.size);
            for (int k = 0; k < 1 + i % 3; ++k)
            {
                random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
                size_t place = HEADER_SIZE + 4 * (size_t)((random >> 20) % ((block.size - HEADER_SIZE) / 4));
                uint32_t value = i % 2 == 0 ? (uint32_t)(random >> 40) : UINT32_C(0x7fffffff);
                memcpy(forged.bytes + place, &value, 4);
            }
            FixChecksum(&forged);
            if (!tdStage_Load(show.stage, forged.bytes, forged.size))
            {
                refused += 1;
                ENSURE(i % 16 != 0 || IsSameState(show.stage, &block));
            }
            else
            {
                ENSURE(tdStage_Save(show.stage, NULL, 0) > 0);
                ENSURE(tdStage_Load(show.stage, block.bytes, block.size));
            }
        }
        ENSURE(refused > 10 && refused < 400);
        free(forged.bytes);
        free(block.bytes);
        CloseShow(&show);
        tdDestroyAsset(asset);
    }
}

TEST(FailedAllocationsChangeNothing)
{
    tdAsset* asset = LoadMachine();
    Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
    Block blocks[STEPS + 1];
    RunShow(&show, blocks);
    tdFailingAllocator counters;
    tdAllocator allocator = tdFailingAllocator_Make(&counters, -1);
    Show other = OpenShow(asset, TD_SIMD_AUTO, NULL, &allocator);
    // Known, but without memory for a second play.
    other.plays[0] = tdActor_Play(other.actors[0], other.clip, NULL);
    tdActor_Stop(other.actors[0], other.plays[0]);
    Block before = SaveBlock(other.stage);
    int64_t failures = 0;
    for (bool isLoaded = false; !isLoaded && failures < 5000; ++failures)
    {
        counters.failAt = counters.count + failures;
        isLoaded = tdStage_Load(other.stage, blocks[16].bytes, blocks[16].size);
        counters.failAt = -1;
        ENSURE(isLoaded || failures % 8 != 0 || IsSameState(other.stage, &before));
    }
    ENSURE(failures > 10 && failures < 5000);
    ENSURE(tdStage_GetStateHash(other.stage) == blocks[16].hash);
    // Saving does not allocate.
    int64_t count = counters.count;
    uint8_t* bytes = malloc(blocks[16].size);
    ENSURE_EQUAL_INT(tdStage_Save(other.stage, bytes, blocks[16].size), blocks[16].size);
    ENSURE_EQUAL_INT(counters.count, count);
    free(bytes);
    free(before.bytes);
    FreeBlocks(blocks);
    CloseShow(&show);
    CloseShow(&other);
    ENSURE_EQUAL_INT(counters.liveBlocks, 0);
    tdDestroyAsset(asset);
}

// Frames of any length, and poses between steps.
TEST(VariableStepsAreSaved)
{
    tdAsset* asset = tdLoadAsset("test/data/spring/variable_dt.vrm", NULL, NULL);
    Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
    static const double frames[5] = {0.013, 0.021, 0.004, 0.031, 0.0167};
    for (int i = 0; i < 10; ++i)
    {
        ENSURE(tdStage_StepVariable(show.stage, frames[i % 5]));
    }
    Block start = SaveBlock(show.stage);
    uint64_t hashes[2][10];
    for (int run = 0; run < 2; ++run)
    {
        ENSURE(tdStage_Load(show.stage, start.bytes, start.size));
        for (int i = 0; i < 10; ++i)
        {
            ENSURE(tdStage_StepVariable(show.stage, frames[i % 5]));
            tdStage_Evaluate(show.stage, tdStage_GetTime(show.stage) - 0.003);
            hashes[run][i] = tdStage_GetStateHash(show.stage);
        }
    }
    ENSURE(memcmp(hashes[0], hashes[1], sizeof(hashes[0])) == 0);
    free(start.bytes);
    CloseShow(&show);
    tdDestroyAsset(asset);
}

static _Alignas(64) unsigned char pool[1 << 16];

static void* TakePool(void* context, size_t size, size_t alignment)
{
    size_t* used = context;
    size_t start = (*used + alignment - 1) & ~(alignment - 1);
    *used = start + size;
    return *used <= sizeof(pool) ? pool + start : NULL;
}

static void KeepPool(void* context, void* memory, size_t size)
{
    (void)context;
    (void)memory;
    (void)size;
}

// A clip at the address of a destroyed one is another clip.
TEST(ClipsAreKnownByContent)
{
    static const float times[2] = {0.0f, 1.0f}, shortWay[6] = {0, 0, 0, 1, 0, 0},
                       longWay[6] = {0, 0, 0, 9, 0, 0};
    const Channel channels[2] = {{"/nodes/0/translation", 3, 2, times, shortWay, false},
                                 {"/nodes/0/translation", 3, 2, times, longWay, false}};
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i)
    {
        // Two files with the same nodes and other keys.
        tdAsset* asset = LoadScene("{}", "{'type':'box'}", "", &channels[i], 1, NULL);
        tdStage* stage = tdCreateStage(NULL);
        tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
        size_t used = 0;
        tdAllocator allocator = {TakePool, KeepPool, &used};
        tdClip* clip = tdCreateClip(asset, 0, &allocator, NULL);
        ENSURE((unsigned char*)clip >= pool && (unsigned char*)clip < pool + sizeof(pool));
        tdActor_Play(actor, clip, NULL);
        ENSURE_EQUAL_INT(actor->knownClips.count, 1);
        // The entry of another clip at this address.
        actor->knownClips.data[0].fingerprint += i == 0 ? 0 : 1;
        tdActor_Play(actor, clip, NULL);
        ENSURE_EQUAL_INT(actor->knownClips.count, 1);
        hashes[i] = actor->knownClips.data[0].fingerprint;
        ENSURE(hashes[i] == tdClip_ComputeFingerprint(clip));
        tdDestroyStage(stage);
        tdDestroyClip(clip);
        tdDestroyAsset(asset);
    }
    ENSURE(hashes[0] != hashes[1]);
}

// Bodies of a pile that fell asleep stay asleep, and wake as they would have.
TEST(SleepIsSaved)
{
    tdAsset* asset = tdLoadAsset("examples/domino_run.gltf", NULL, NULL);
    Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
    tdWorld* world = tdStage_GetWorld(show.stage);
    int awake = tdWorld_GetStats(world).awakeBodyCount;
    for (int i = 0; i < 900 && tdWorld_GetStats(world).awakeBodyCount * 2 > awake; ++i)
    {
        ENSURE(tdStage_Step(show.stage));
    }
    ENSURE(tdWorld_GetStats(world).awakeBodyCount * 2 <= awake);
    Block start = SaveBlock(show.stage);
    uint64_t hashes[2];
    for (int run = 0; run < 2; ++run)
    {
        ENSURE(tdStage_Load(show.stage, start.bytes, start.size));
        tdWorld_SetGravity(world, (tdVec3){0.5f, -9.0f, 0.0f}); // wakes all
        for (int i = 0; i < 60; ++i)
        {
            ENSURE(tdStage_Step(show.stage));
        }
        hashes[run] = tdStage_GetStateHash(show.stage);
    }
    ENSURE(hashes[0] == hashes[1]);
    free(start.bytes);
    CloseShow(&show);
    tdDestroyAsset(asset);
}

TEST(PlaysAreListed)
{
    tdAsset* asset = tdLoadAsset("examples/robot_arm.gltf", NULL, NULL);
    Show show = OpenShow(asset, TD_SIMD_AUTO, NULL, NULL);
    tdActor* actor = show.actors[0];
    tdPlayId plays[3] = {{0}};
    ENSURE_EQUAL_INT(tdActor_GetPlays(actor, plays, 3), 0);
    tdPlayId a = tdActor_Play(actor, show.clip, NULL), b = tdActor_Play(actor, show.clip, NULL);
    ENSURE_EQUAL_INT(tdActor_GetPlays(actor, plays, 1), 2);
    ENSURE(memcmp(&plays[0], &a, sizeof(a)) == 0 && plays[1].index1 == 0);
    tdStage_Step(show.stage);
    Block block = SaveBlock(show.stage);
    tdActor_Stop(actor, a);
    ENSURE(tdActor_GetPlayClip(actor, a) == NULL && tdActor_GetPlayClip(actor, b) == show.clip);
    ENSURE_EQUAL_INT(tdActor_GetPlays(actor, plays, 3), 1);
    ENSURE(memcmp(&plays[0], &b, sizeof(b)) == 0);
    ENSURE(tdStage_Load(show.stage, block.bytes, block.size));
    ENSURE(tdActor_GetPlayClip(actor, a) == show.clip);
    ENSURE_EQUAL_INT(tdActor_GetPlays(actor, NULL, 0), 2);
    ENSURE_EQUAL_INT(tdActor_GetPlays(NULL, plays, 3), 0);
    ENSURE(tdActor_GetPlayClip(NULL, a) == NULL);
    free(block.bytes);
    CloseShow(&show);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(EveryStepIsUndoneAndRepeated) RUN(OtherWidthsAndWorkersContinue)
              RUN(ScenesHaveContactsTriggersAndScaledMeshes) RUN(NewStagesTakeBlocks)
                  RUN(BlocksThatDoNotBelongAreRefused) RUN(ForgedBlocksDoNoHarm)
                      RUN(FailedAllocationsChangeNothing) RUN(VariableStepsAreSaved)
                          RUN(ClipsAreKnownByContent) RUN(SleepIsSaved) RUN(PlaysAreListed))
