// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of pictures: the same bytes with any number of threads, everything inside the frame, colours where
// they belong, failures without leaks. Labels: threads
#include "harness.h"

#include "base/hash.h"
#include "base/memory.h"

#include "tendon/tendon.h"

#include <stdlib.h>

typedef struct Scene
{
    tdAsset* asset;
    tdStage* stage;
    tdActor* actor;
} Scene;

static Scene LoadScene(const char* path)
{
    Scene scene = {.asset = tdLoadAsset(path, NULL, NULL)};
    scene.stage = tdCreateStage(NULL);
    scene.actor = tdCreateActor(scene.stage, scene.asset, NULL, NULL);
    tdStage_Evaluate(scene.stage, 0.0);
    return scene;
}

static void FreeScene(Scene* scene)
{
    tdDestroyStage(scene->stage);
    tdDestroyAsset(scene->asset);
}

static tdRenderDef MakeDef(int width, int height)
{
    tdRenderDef def = tdDefaultRenderDef();
    def.width = width;
    def.height = height;
    return def;
}

// The hash of a picture. It changes with the renderer and the example, and with nothing else.
static uint64_t HashPicture(const Scene* scene, const tdRenderDef* def)
{
    tdRenderer* renderer = tdCreateRenderer(scene->asset, def, NULL);
    tdCamera camera =
        tdRenderer_FrameBox(renderer, tdRenderer_GetBounds(renderer, scene->actor), 0.6f, 0.35f, 1.0f);
    const uint8_t* pixels = tdRenderer_Draw(renderer, scene->actor, &camera);
    uint64_t hash =
        ENSURE(pixels != NULL) ? tdHash(1, pixels, (size_t)def->width * (size_t)def->height * 4) : 0;
    tdDestroyRenderer(renderer);
    return hash;
}

TEST(ThreadsDoNotChangeAPicture)
{
    static const char* const paths[] = {"examples/mira.vrm", "examples/rope_bridge.gltf"};
    for (int i = 0; i < 2; ++i)
    {
        Scene scene = LoadScene(paths[i]);
        tdRenderDef def = MakeDef(97, 61);
        uint64_t alone = HashPicture(&scene, &def);
        const tdTasks* threads = tdCreateThreads(4);
        def.tasks = threads;
        ENSURE(HashPicture(&scene, &def) == alone);
        tdDestroyThreads(threads);
        FreeScene(&scene);
    }
}

// A box that is framed lies inside the picture from every side: with a transparent background the border is
// empty.
TEST(FramesShowEverything)
{
    Scene scene = LoadScene("examples/mannequin.gltf");
    static const int sizes[][2] = {{80, 45}, {45, 80}, {64, 64}};
    for (int i = 0; i < 3; ++i)
    {
        tdRenderDef def = MakeDef(sizes[i][0], sizes[i][1]);
        def.background = TD_BACKGROUND_TRANSPARENT;
        tdRenderer* renderer = tdCreateRenderer(scene.asset, &def, NULL);
        tdBox box = tdRenderer_GetBounds(renderer, scene.actor);
        for (int k = 0; k < 12; ++k)
        {
            tdCamera camera =
                tdRenderer_FrameBox(renderer, box, (float)k * 0.55f, (float)(k % 5 - 2) * 0.6f, 1.0f);
            const uint8_t* pixels = tdRenderer_Draw(renderer, scene.actor, &camera);
            int border = 0, filled = 0;
            for (int p = 0; p < def.width * def.height; ++p)
            {
                int x = p % def.width, y = p / def.width;
                bool isBorder = x == 0 || y == 0 || x == def.width - 1 || y == def.height - 1;
                border += isBorder && pixels[4 * p + 3] != 0 ? 1 : 0;
                filled += pixels[4 * p + 3] == 255 ? 1 : 0;
            }
            ENSURE_EQUAL_INT(border, 0);
            ENSURE(filled > def.width * def.height / 100);
        }
        tdDestroyRenderer(renderer);
    }
    FreeScene(&scene);
}

// Bounds contain the trough that marbles roll down, many times longer than the marbles' own box, but not a
// wide floor.
TEST(FramesShowScenery)
{
    Scene scene = LoadScene("examples/marble_run.gltf");
    tdRenderDef def = MakeDef(64, 36);
    tdRenderer* renderer = tdCreateRenderer(scene.asset, &def, NULL);
    tdBox box = tdRenderer_GetBounds(renderer, scene.actor);
    ENSURE(box.lower.x <= 0.0f && box.upper.x >= 8.0f);
    tdDestroyRenderer(renderer);
    FreeScene(&scene);

    scene = LoadScene("examples/domino_run.gltf");
    renderer = tdCreateRenderer(scene.asset, &def, NULL);
    box = tdRenderer_GetBounds(renderer, scene.actor);
    ENSURE(box.upper.x - box.lower.x < 15.0f);
    tdDestroyRenderer(renderer);
    FreeScene(&scene);
}

// A quad with a texture of four colours, a mask and a mirrored node, in one GLB-free file.
static const char quadFile[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0%s}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"indices\":2,"
    "\"material\":0}]}],"
    "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}},\"extensions\":{\"KHR_"
    "materials_unlit\":{}}%s}],"
    "\"textures\":[{\"source\":0,\"sampler\":0}],\"samplers\":[{\"wrapS\":33071,\"wrapT\":33071}],"
    "\"images\":[{\"uri\":\"data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR42mP4z8DwHwyBNBAwMAAARssH+QTDQPIAAAAASUVORK5CYII="
    "\"}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[-1,-1,0],"
    "\"max\":[1,1,0]},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"},"
    "{\"bufferView\":2,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":32},"
    "{\"buffer\":0,\"byteOffset\":80,\"byteLength\":12}],"
    "\"buffers\":[{\"byteLength\":92,\"uri\":\"data:application/octet-stream;base64,"
    "AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAA"
    "AAAAAAAAgD8AAIA/AACAPwAAgD8AAAAAAAAAAAAAAAAAAAEAAgAAAAIAAwA=\"}]}";

static void GetQuadPixel(const char* node, const char* material, float yaw, int x, int y, uint8_t rgba[4])
{
    char text[4096];
    snprintf(text, sizeof text, quadFile, node, material);
    tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdStage_Evaluate(stage, 0.0);
    tdRenderDef def = MakeDef(64, 64);
    def.background = TD_BACKGROUND_TRANSPARENT;
    def.drawEdges = false;
    tdRenderer* renderer = tdCreateRenderer(asset, &def, NULL);
    tdCamera camera = tdRenderer_FrameBox(renderer, tdRenderer_GetBounds(renderer, actor), yaw, 0.0f, 1.0f);
    const uint8_t* pixels = tdRenderer_Draw(renderer, actor, &camera);
    ENSURE(pixels != NULL);
    memcpy(rgba, pixels + 4 * (y * 64 + x), 4);
    tdDestroyRenderer(renderer);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(TexturesAreUpright)
{
    uint8_t rgba[4];
    GetQuadPixel("", "", 0.0f, 12, 12, rgba); // top left: red
    ENSURE(rgba[0] == 255 && rgba[1] == 0 && rgba[2] == 0 && rgba[3] == 255);
    GetQuadPixel("", "", 0.0f, 52, 12, rgba); // top right: green
    ENSURE(rgba[0] == 0 && rgba[1] == 255 && rgba[2] == 0);
    GetQuadPixel("", "", 0.0f, 12, 52, rgba); // bottom left: blue
    ENSURE(rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 255);
}

// Findings of a renderer for a file with this list of textures and two images of 2 x 2 texels.
static int CountLimitFindings(const char* textures, double texels)
{
    static const char image[] =
        "{\"uri\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0k"
        "AAAAFElEQVR42mP4z8DwHwyBNBAwMAAARssH+QTDQPIAAAAASUVORK5CYII=\"}";
    char text[4096];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"images\":[%s,%s],\"textures\":[%s],\"materials\":["
             "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}},"
             "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}}]}",
             image, image, textures);
    tdLoadDef load = tdDefaultLoadDef();
    tdLimits_Set(&load.limits, "texels", texels);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), &load, report);
    tdRenderer* renderer = tdCreateRenderer(asset, NULL, report);
    ENSURE(renderer != NULL);
    int count = 0;
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        count += strcmp(finding.code, "LIMIT_EXCEEDED") == 0 && strstr(finding.message, "texels=") != NULL;
    }
    tdDestroyRenderer(renderer);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    return count;
}

TEST(TexelsAreBounded)
{
    ENSURE_EQUAL_INT(CountLimitFindings("{\"source\":0},{\"source\":1}", 8), 0);
    ENSURE_EQUAL_INT(CountLimitFindings("{\"source\":0},{\"source\":1}", 7), 1);
    ENSURE_EQUAL_INT(CountLimitFindings("{\"source\":0},{\"source\":1}", 3), 1); // the first one alone
    ENSURE_EQUAL_INT(CountLimitFindings("{\"source\":1},{\"source\":1}", 4), 0); // decoded once
}

TEST(OnlyFrontsOfOneSidedSurfacesAreDrawn)
{
    uint8_t rgba[4];
    GetQuadPixel("", "", 3.14159265f, 12, 12, rgba);
    ENSURE_EQUAL_INT(rgba[3], 0);
    GetQuadPixel("", ",\"doubleSided\":true", 3.14159265f, 12, 12, rgba); // seen from behind: the other side
    ENSURE(rgba[1] == 255 && rgba[3] == 255);
    GetQuadPixel(",\"scale\":[-1,1,1]", "", 0.0f, 12, 12, rgba); // mirrored, still a front
    ENSURE(rgba[1] == 255 && rgba[3] == 255);
}

TEST(MasksAndBlendsFollowAlpha)
{
    uint8_t rgba[4];
    GetQuadPixel("", ",\"alphaMode\":\"MASK\"", 0.0f, 52, 52, rgba); // bottom right: alpha 0
    ENSURE_EQUAL_INT(rgba[3], 0);
    GetQuadPixel("", ",\"alphaMode\":\"MASK\"", 0.0f, 12, 12, rgba);
    ENSURE_EQUAL_INT(rgba[3], 255);
    GetQuadPixel("", ",\"alphaMode\":\"BLEND\"", 0.0f, 52, 52, rgba);
    ENSURE_EQUAL_INT(rgba[3], 0);
    GetQuadPixel("", "", 0.0f, 52, 52, rgba); // opaque surfaces ignore alpha
    ENSURE_EQUAL_INT(rgba[3], 255);
}

TEST(WrongCallsAreRefused)
{
    Scene scene = LoadScene("examples/robot_arm.gltf"), other = LoadScene("examples/swing_door.gltf");
    tdRenderDef def = MakeDef(0, 10);
    ENSURE(tdCreateRenderer(scene.asset, &def, NULL) == NULL);
    def = MakeDef(10, 8193);
    ENSURE(tdCreateRenderer(scene.asset, &def, NULL) == NULL);
    ENSURE(tdCreateRenderer(NULL, NULL, NULL) == NULL);
    def = MakeDef(16, 16);
    tdRenderer* renderer = tdCreateRenderer(scene.asset, &def, NULL);
    tdCamera camera = tdRenderer_FrameBox(renderer, tdRenderer_GetBounds(renderer, scene.actor), 0, 0, 1);
    ENSURE(tdRenderer_Draw(renderer, scene.actor, &camera) != NULL);
    ENSURE(tdRenderer_Draw(renderer, other.actor, &camera) == NULL);
    ENSURE(tdRenderer_Draw(renderer, NULL, &camera) == NULL);
    ENSURE(tdRenderer_Draw(NULL, scene.actor, &camera) == NULL);
    ENSURE(tdRenderer_Draw(renderer, scene.actor, NULL) == NULL);
    camera.target = camera.eye;
    ENSURE(tdRenderer_Draw(renderer, scene.actor, &camera) == NULL);
    camera.eye.x = NAN;
    ENSURE(tdRenderer_Draw(renderer, scene.actor, &camera) == NULL);
    ENSURE_EQUAL_INT(tdRenderer_GetCameraCount(renderer), 0);
    ENSURE_EQUAL_INT(tdRenderer_GetCameraNode(renderer, 0), -1);
    ENSURE(!tdRenderer_GetCamera(renderer, scene.actor, 0, 0.0f, &camera));
    tdDestroyRenderer(renderer);
    tdDestroyRenderer(NULL);
    FreeScene(&scene);
    FreeScene(&other);
}

TEST(FilesWithoutMeshesShowColliders)
{
    Scene scene = LoadScene("examples/keepsake.gltf");
    tdRenderDef def = MakeDef(32, 32);
    ENSURE(HashPicture(&scene, &def) != 0);
    FreeScene(&scene);
}

// A wide floor does not make the bodies of a file without meshes tiny.
TEST(FramesOfCollidersLeaveFloorsOut)
{
    static const char file[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_implicit_shapes\",\"KHR_physics_rigid_"
        "bodies\"],"
        "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\",\"box\":{\"size\":[1,1,1]}},"
        "{\"type\":\"box\",\"box\":{\"size\":[200,1,200]}}]}},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
        "\"nodes\":["
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{\"shape\":1}}}}},"
        "{\"translation\":[0,3,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},"
        "\"collider\":{\"geometry\":{\"shape\":0}}}}}]}";
    tdAsset* asset = tdLoadAssetFromMemory(file, strlen(file), NULL, NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdRenderDef def = MakeDef(16, 16);
    tdRenderer* renderer = tdCreateRenderer(asset, &def, NULL);
    tdBox box = tdRenderer_GetBounds(renderer, actor);
    ENSURE_NEAR(box.lower.x, -0.5f, 1.0e-5f);
    ENSURE_NEAR(box.lower.y, 2.5f, 1.0e-5f);
    ENSURE_NEAR(box.upper.z, 0.5f, 1.0e-5f);
    tdDestroyRenderer(renderer);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
}

TEST(FailedAllocationsLeakNothing)
{
    Scene scene = LoadScene("examples/robot_arm.gltf");
    int64_t failAt = 0;
    for (bool isDrawn = false; !isDrawn && failAt < 200; ++failAt)
    {
        tdFailingAllocator state;
        tdAllocator allocator = tdFailingAllocator_Make(&state, failAt);
        tdRenderDef def = MakeDef(8, 8);
        def.allocator = &allocator;
        tdRenderer* renderer = tdCreateRenderer(scene.asset, &def, NULL);
        tdCamera camera = tdRenderer_FrameBox(renderer, tdRenderer_GetBounds(renderer, scene.actor), 0, 0, 1);
        isDrawn = renderer != NULL && tdRenderer_Draw(renderer, scene.actor, &camera) != NULL;
        tdDestroyRenderer(renderer);
        ENSURE_EQUAL_INT(state.liveBlocks, 0);
    }
    ENSURE(failAt > 5 && failAt < 200);
    FreeScene(&scene);
}

TEST_MAIN(RUN(ThreadsDoNotChangeAPicture) RUN(FramesShowEverything) RUN(FramesShowScenery)
              RUN(TexturesAreUpright) RUN(TexelsAreBounded) RUN(OnlyFrontsOfOneSidedSurfacesAreDrawn)
                  RUN(MasksAndBlendsFollowAlpha) RUN(WrongCallsAreRefused)
                      RUN(FilesWithoutMeshesShowColliders) RUN(FramesOfCollidersLeaveFloorsOut)
                          RUN(FailedAllocationsLeakNothing))
