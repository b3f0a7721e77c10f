// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the number and extent of scene imports: an output never imports its own result, an edit keeps the
// options of its source asset, and a load builds no more than its level with the same findings.
//
// Labels: threads
#include "files.h"
#include "harness.h"

#include "base/report.h"
#include "base/tasks.h"
#include "geometry/geometry.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/tendon.h"

#define AVATAR TD_TEST_DATA "/humanoid/fine.gltf"
#define MOTION TD_TEST_DATA "/vrma/fine.gltf"
#define SCENE "examples/swing_door.gltf"

/// Saves the result of an edit: the source asset is imported once, the result never.
static void SaveAndCount(const tdAsset* origin, tdAsset* made)
{
    size_t size = 0;
    if (ENSURE(made != NULL))
    {
        void* saved = tdSaveAssetToMemory(made, TD_SAVE_GLB, NULL, &size, NULL);
        ENSURE(saved != NULL);
        tdFreeSaved(saved, size, NULL);
        ENSURE_EQUAL_INT(origin->importCount, 1);
        ENSURE_EQUAL_INT(made->importCount, 0);
    }
    tdDestroyAsset(made);
}

static tdAsset* Bake(const tdAsset* asset, float* duration)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.2;
    def.duration = duration;
    tdAsset* baked = tdBakeActor(actor, &def, NULL);
    tdDestroyStage(stage);
    return baked;
}

TEST(OutputsImportNothing)
{
    tdAsset* asset = tdLoadAsset(SCENE, NULL, NULL);
    SaveAndCount(asset, Bake(asset, NULL));
    for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
    {
        SaveAndCount(asset, tdConvertAsset(asset, (tdPhysicsTarget)target, NULL));
    }
    SaveAndCount(asset, tdEmbedFiles(asset, TD_SAVE_GLB, NULL));
    size_t size = 0;
    tdFreeSaved(tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, &size, NULL), size, NULL);
    ENSURE_EQUAL_INT(asset->importCount, 1);
    tdDestroyAsset(asset);

    tdAsset* avatar = tdLoadAsset(AVATAR, NULL, NULL);
    tdAsset* motion = tdLoadAsset(MOTION, NULL, NULL);
    tdClip* clip = tdRetargetClip(motion, 0, avatar, NULL, NULL, NULL);
    SaveAndCount(avatar, tdAddClip(avatar, clip, NULL, NULL));
    SaveAndCount(avatar, tdMakeMotion(avatar, clip, NULL));
    ENSURE_EQUAL_INT(motion->importCount, 1);
    tdDestroyClip(clip);
    tdDestroyAsset(motion);
    tdDestroyAsset(avatar);
}

TEST(BakeReportsTheLengthOfItsAnimation)
{
    tdAsset* asset = tdLoadAsset(SCENE, NULL, NULL);
    float duration = -1.0f;
    tdAsset* baked = Bake(asset, &duration);
    int last = tdAsset_GetAnimationCount(baked) - 1;
    ENSURE(duration > 0.0f && duration == tdDescribeAnimation(baked, last).duration);
    tdDestroyAsset(baked);
    tdDestroyAsset(asset);
}

enum
{
    QUESTION_COUNT = 64
};

// Checks are made on the main thread: the harness counts them without a lock.
typedef struct NodeQuestions
{
    const tdAsset* asset;
    int nodeCounts[QUESTION_COUNT];
} NodeQuestions;

static void AskForNodes(void* context, int start, int end, int worker)
{
    (void)worker;
    NodeQuestions* questions = context;
    for (int i = start; i < end; ++i)
    {
        questions->nodeCounts[i] = tdAsset_GetNodeCount(questions->asset);
    }
}

TEST(ConcurrentThreadsImportOnce)
{
    const tdTasks* threads = tdCreateThreads(4);
    tdAsset* asset = tdLoadAsset(SCENE, NULL, NULL);
    for (int round = 0; round < 20; ++round)
    {
        tdAsset* made = tdEmbedFiles(asset, TD_SAVE_GLB, NULL);
        NodeQuestions questions = {.asset = made};
        tdTasks_For(threads, AskForNodes, &questions, QUESTION_COUNT, 1);
        ENSURE_EQUAL_INT(made->importCount, 1);
        for (int i = 0; i < QUESTION_COUNT; ++i)
        {
            ENSURE_EQUAL_INT(questions.nodeCounts[i], tdAsset_GetNodeCount(asset));
        }
        tdDestroyAsset(made);
    }
    tdDestroyAsset(asset);
    tdDestroyThreads(threads);
}

TEST(EditsKeepTheOptionsOfTheirSource)
{
    const tdTasks* threads = tdCreateThreads(2);
    tdProgress progress = {0};
    char map[] = "{\"hips\":null}";
    tdLoadDef def = tdDefaultLoadDef();
    def.level = TD_LOAD_MASSES;
    def.tasks = threads;
    def.progress = &progress;
    def.limits.memory = 64 << 20;
    def.literalStiffness = true;
    def.wideWeights = true;
    def.boneMap = map;
    tdAsset* asset = tdLoadAsset(SCENE, &def, NULL);
    map[2] = 'x'; // the asset has a copy
    tdAsset* made = tdConvertAsset(asset, TD_PHYSICS_KHR, NULL);
    tdDestroyAsset(asset);
    ENSURE_EQUAL_INT(made->def.level, TD_LOAD_MASSES);
    ENSURE(made->def.tasks == threads && made->def.progress == &progress);
    ENSURE(made->def.limits.memory == def.limits.memory && made->def.literalStiffness &&
           made->def.wideWeights);
    ENSURE(strcmp(made->def.boneMap, "{\"hips\":null}") == 0);
    ENSURE(tdAsset_GetNodeCount(made) > 0 && !tdAsset_GetScene(made)->physics->isCooked);
    tdDestroyAsset(made);
    tdDestroyThreads(threads);
}

TEST(EditsStayWithinTheLimitOfTheirOrigin)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(SCENE, NULL, report);
    asset->def.limits.memory = 1000;
    ENSURE(tdEmbedFiles(asset, TD_SAVE_GLB, report) == NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_MEMORY_LIMIT), 1);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(DocumentsImportWhenAsked)
{
    tdLoadDef def = tdDefaultLoadDef();
    def.level = TD_LOAD_DOCUMENT;
    tdAsset* asset = tdLoadAsset(SCENE, &def, NULL);
    SaveAndCount(asset, tdConvertAsset(asset, TD_PHYSICS_OMI, NULL)); // a conversion needs the scene
    tdDestroyAsset(asset);
    asset = tdLoadAsset(SCENE, &def, NULL);
    ENSURE_EQUAL_INT(asset->importCount, 0);
    tdStage* stage = tdCreateStage(NULL);
    ENSURE(tdCreateActor(stage, asset, NULL, NULL) != NULL);
    ENSURE_EQUAL_INT(asset->importCount, 1);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(SimulationNeedsItsLevel)
{
    tdLoadDef def = tdDefaultLoadDef();
    tdStage* stage = tdCreateStage(NULL);
    tdReport* report = tdCreateReport(NULL);
    def.level = TD_LOAD_SCENE;
    tdAsset* asset = tdLoadAsset(SCENE, &def, report);
    ENSURE(tdCreateActor(stage, asset, NULL, report) == NULL);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_ASSET_NOT_COOKED), 1);
    tdActorDef actorDef = tdDefaultActorDef();
    actorDef.enablePhysics = false;
    ENSURE(tdCreateActor(stage, asset, &actorDef, report) != NULL);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

static bool HasBvh(const tdPhysicsScene* physics)
{
    for (int i = 0; physics != NULL && i < physics->geometryCount; ++i)
    {
        const tdGeometry* geometry = physics->geometries[i];
        if (geometry != NULL && geometry->triangles != NULL && geometry->triangles->nodes != NULL)
        {
            return true;
        }
    }
    return false;
}

static int CountHulls(const tdPhysicsScene* physics)
{
    int count = 0;
    for (int i = 0; physics != NULL && i < physics->geometryCount; ++i)
    {
        count += physics->geometries[i] != NULL && physics->geometries[i]->hull != NULL ? 1 : 0;
    }
    return count;
}

/// Masses and measures, bit for bit.
static bool AreDescribedAlike(const tdAsset* a, const tdAsset* b)
{
    tdAssetInfo info = tdDescribeAsset(a);
    bool areEqual = info.bodyCount == tdDescribeAsset(b).bodyCount &&
                    info.colliderCount == tdDescribeAsset(b).colliderCount;
    for (int i = 0; i < info.bodyCount && areEqual; ++i)
    {
        tdBodyInfo one = tdDescribeBody(a, i), other = tdDescribeBody(b, i);
        areEqual = memcmp(&one.mass, &other.mass, sizeof(float)) == 0 &&
                   memcmp(&one.centerOfMass, &other.centerOfMass, sizeof(tdVec3)) == 0 &&
                   memcmp(&one.inertiaDiagonal, &other.inertiaDiagonal, sizeof(tdVec3)) == 0 &&
                   memcmp(&one.inertiaOrientation, &other.inertiaOrientation, sizeof(tdQuat)) == 0;
    }
    for (int i = 0; i < info.colliderCount && areEqual; ++i)
    {
        areEqual = tdDescribeCollider(a, i).elementCount == tdDescribeCollider(b, i).elementCount;
    }
    return areEqual;
}

TEST(LevelsDifferInNothingButWhatTheyBuild)
{
    FileList files = {0};
    CollectFiles(&files, TD_TEST_DATA, IsAsset);
    CollectFiles(&files, "examples", IsAsset);
    CollectFiles(&files, "fuzz/corpus/import", IsAsset);
    int meshes = 0, hulls = 0;
    for (int i = 0; i < files.paths.count; ++i)
    {
        const char* path = files.paths.data[i];
        tdAsset* assets[3];
        tdReport* reports[3];
        const tdPhysicsScene* scenes[3];
        static const tdLoadLevel levels[3] = {TD_LOAD_SIMULATION, TD_LOAD_MASSES, TD_LOAD_SCENE};
        for (int k = 0; k < 3; ++k)
        {
            tdLoadDef def = tdDefaultLoadDef();
            def.level = levels[k];
            reports[k] = tdCreateReport(NULL);
            assets[k] = tdLoadAsset(path, &def, reports[k]);
            scenes[k] = tdAsset_GetScene(assets[k])->physics;
        }
        bool isFine = true;
        for (int k = 1; k < 3; ++k)
        {
            isFine = ENSURE((assets[k] == NULL) == (assets[0] == NULL)) && isFine;
            isFine =
                ENSURE(strcmp(tdReport_GetText(reports[k]), tdReport_GetText(reports[0])) == 0) && isFine;
            isFine = ENSURE(!HasBvh(scenes[k])) && isFine;
        }
        isFine = ENSURE(AreDescribedAlike(assets[0], assets[1])) && isFine;
        isFine = ENSURE_EQUAL_INT(CountHulls(scenes[1]), CountHulls(scenes[0])) && isFine;
        isFine = ENSURE_EQUAL_INT(CountHulls(scenes[2]), 0) && isFine;
        meshes += HasBvh(scenes[0]) ? 1 : 0;
        hulls += CountHulls(scenes[0]);
        if (!isFine)
        {
            printf("  %s\n", path);
        }
        for (int k = 0; k < 3; ++k)
        {
            tdDestroyAsset(assets[k]);
            tdDestroyReport(reports[k]);
        }
    }
    ENSURE(meshes > 0 && hulls > 0); // files were compared
    FreeFiles(&files);
}

// A GLB of a static mesh collider of 2 side^2 triangles. The caller frees it.
static unsigned char* WriteTerrain(int side, size_t* size)
{
    size_t vertices = (size_t)(side + 1) * (size_t)(side + 1), indices = 6 * (size_t)side * (size_t)side;
    size_t points = 12 * vertices, blob = 2 * points + 4 * indices;
    char text[1400];
    int length = snprintf(
        text, sizeof(text),
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\"],\"scene\":0,"
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"extensions\":{\"KHR_physics_rigid_bodies\":{"
        "\"collider\":{\"geometry\":{\"mesh\":0}}}}}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
        "\"POSITION\":0,\"NORMAL\":2},\"indices\":1}]}],\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{"
        "\"buffer\":0,"
        "\"byteLength\":%zu},{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu},"
        "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"accessors\":[{"
        "\"bufferView\":0,\"componentType\":5126,\"count\":%zu,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":["
        "%d,0,%d]},{\"bufferView\":1,\"componentType\":5125,\"count\":%zu,\"type\":\"SCALAR\"},{"
        "\"bufferView\":2,"
        "\"componentType\":5126,\"count\":%zu,\"type\":\"VEC3\"}]}",
        blob, points, 2 * points, 4 * indices, points, points, vertices, side, side, indices, vertices);
    while (length % 4 != 0)
    {
        text[length++] = ' ';
    }
    *size = 28 + (size_t)length + blob;
    unsigned char* bytes = calloc(1, *size);
    if (bytes == NULL)
    {
        abort();
    }
    const uint32_t head[5] = {0x46546C67, 2, (uint32_t)*size, (uint32_t)length, 0x4E4F534A};
    const uint32_t chunk[2] = {(uint32_t)blob, 0x004E4942};
    memcpy(bytes, head, sizeof(head));
    memcpy(bytes + 20, text, (size_t)length);
    memcpy(bytes + 20 + length, chunk, sizeof(chunk));
    unsigned char* out = bytes + 28 + length;
    for (int i = 0; i < (side + 1) * (side + 1); ++i, out += 12)
    {
        const float point[3] = {(float)(i % (side + 1)), 0.0f, (float)(i / (side + 1))};
        memcpy(out, point, sizeof(point));
    }
    for (int i = 0; i < (side + 1) * (side + 1); ++i, out += 12)
    {
        const float normal[3] = {0.0f, 1.0f, 0.0f};
        memcpy(out, normal, sizeof(normal));
    }
    for (int i = 0; i < side * side; ++i, out += 24)
    {
        uint32_t a = (uint32_t)(i / side * (side + 1) + i % side), c = a + (uint32_t)side + 1;
        const uint32_t corners[6] = {a, c, a + 1, a + 1, c, c + 1};
        memcpy(out, corners, sizeof(corners));
    }
    return bytes;
}

TEST(InspectionOfLargeMeshesTakesThreeTimesTheFile)
{
    size_t size = 0;
    unsigned char* bytes = WriteTerrain(250, &size);
    static const tdLoadLevel levels[2] = {TD_LOAD_MASSES, TD_LOAD_SCENE};
    for (int i = 0; i < 2; ++i)
    {
        tdLoadDef def = tdDefaultLoadDef();
        def.level = levels[i];
        def.limits.memory = 3 * (int64_t)size;
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = tdLoadAssetFromMemory(bytes, size, &def, report);
        ENSURE(asset != NULL);
        ENSURE_EQUAL_INT(tdDescribeCollider(asset, 0).elementCount, 2 * 250 * 250);
        ENSURE_EQUAL_TEXT(tdReport_GetText(report), "");
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
    free(bytes);
}

TEST_MAIN(RUN(OutputsImportNothing) RUN(BakeReportsTheLengthOfItsAnimation) RUN(ConcurrentThreadsImportOnce)
              RUN(EditsKeepTheOptionsOfTheirSource) RUN(EditsStayWithinTheLimitOfTheirOrigin)
                  RUN(DocumentsImportWhenAsked) RUN(SimulationNeedsItsLevel)
                      RUN(LevelsDifferInNothingButWhatTheyBuild)
                          RUN(InspectionOfLargeMeshesTakesThreeTimesTheFile))
