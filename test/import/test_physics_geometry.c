// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Labels: threads
//
// Tests of collider geometry: subtrees, skins, morph weights, strips and fans, hulls; equal geometry is
// cooked once, and cooking on threads gives the same result.
#include "harness.h"

#include "base/text.h"
#include "geometry/geometry.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/asset.h"

/// Buffer: 4 points of a unit square in XZ (strip order), then one morph difference per point, then joints
/// (as bytes) and weights of the points.
typedef struct Buffer
{
    float points[12];
    float differences[12];
    float weights[16];
    uint8_t joints[16];
} Buffer;

static void AppendQuoted(tdText* out, const char* text)
{
    for (; *text != 0; ++text)
    {
        tdText_AppendChar(out, *text == '\'' ? '"' : *text);
    }
}

static void AppendBuffer(tdText* out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Buffer buffer = {.points = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1},
                     .differences = {0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0}};
    for (int i = 0; i < 4; ++i)
    {
        buffer.weights[4 * i] = 1.0f;
    }
    const uint8_t* bytes = (const uint8_t*)&buffer;
    for (size_t i = 0; i < sizeof(buffer); i += 3)
    {
        uint32_t word = (uint32_t)bytes[i] << 16 |
                        (uint32_t)(i + 1 < sizeof(buffer) ? bytes[i + 1] : 0) << 8 |
                        (uint32_t)(i + 2 < sizeof(buffer) ? bytes[i + 2] : 0);
        for (int k = 0; k < 4; ++k)
        {
            tdText_AppendChar(out,
                              i + (size_t)k > sizeof(buffer) ? '=' : digits[(word >> (18 - 6 * k)) & 63]);
        }
    }
}

/// Meshes: 0 a strip, 1 a fan, 2 a strip with a morph target, 3 a skinned strip, 4 four points.
static tdAsset* Load(const char* nodes, const tdTasks* tasks)
{
    tdText text;
    tdText_Init(&text, NULL);
    AppendQuoted(&text,
                 "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_physics_rigid_bodies'],'buffers':[{"
                 "'byteLength':176,'uri':'data:;base64,");
    AppendBuffer(&text);
    AppendQuoted(
        &text,
        "'}],'bufferViews':[{'buffer':0,'byteLength':176}],'accessors':["
        "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','min':[0,0,0],'max':[1,0,1]},"
        "{'bufferView':0,'byteOffset':48,'componentType':5126,'count':4,'type':'VEC3'},"
        "{'bufferView':0,'byteOffset':96,'componentType':5126,'count':4,'type':'VEC4'},"
        "{'bufferView':0,'byteOffset':160,'componentType':5121,'count':4,'type':'VEC4'}],'meshes':["
        "{'primitives':[{'attributes':{'POSITION':0},'mode':5}]},"
        "{'primitives':[{'attributes':{'POSITION':0},'mode':6}]},"
        "{'primitives':[{'attributes':{'POSITION':0},'mode':5,'targets':[{'POSITION':1}]}],'weights':[0.5]},"
        "{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':3,'WEIGHTS_0':2},'mode':5}]},"
        "{'primitives':[{'attributes':{'POSITION':0},'mode':0}]}],'skins':[{'joints':[1]}],'scene':0,"
        "'scenes':[{'nodes':[0]}],'nodes':[");
    AppendQuoted(&text, nodes);
    AppendQuoted(&text, "]}");
    tdLoadDef def = tdDefaultLoadDef();
    def.tasks = tasks;
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, &def, report);
    if (!ENSURE(asset != NULL && asset->scene.physics != NULL))
    {
        printf("%s\n", tdReport_GetText(report));
    }
    tdDestroyReport(report);
    tdText_Free(&text);
    return asset;
}

#define COLLIDER(geometry)                                                                                   \
    "'extensions':{'KHR_physics_rigid_bodies':{'collider':{'geometry':{" geometry "}}}}"

static const tdTriangles* GetTriangles(const tdAsset* asset, int collider)
{
    return asset->scene.physics->colliders[collider].geometry.mesh;
}

TEST(StripsFansMorphsAndSkins)
{
    tdAsset* asset = Load(
        "{'children':[1,2,3,4,5,6]},{'translation':[5,0,0]},"
        "{" COLLIDER("'mesh':0") "},{" COLLIDER(
            "'mesh':1") "},"
                        "{" COLLIDER(
                            "'mesh':2") "},"
                                        "{'mesh':2,'weights':[1]," COLLIDER(
                                            "'node':5") "},"
                                                        "{'mesh':3,'skin':0,'translation':[1,0,0]," COLLIDER(
                                                            "'node':6") "}",
        NULL);
    ENSURE_EQUAL_INT(asset->scene.physics->colliderCount, 5);
    ENSURE_EQUAL_INT(GetTriangles(asset, 0)->triangleCount, 2);
    ENSURE_EQUAL_INT(GetTriangles(asset, 1)->triangleCount, 2);
    ENSURE_NEAR(GetTriangles(asset, 2)->aabb.lower.y, 1.0, 1e-6); // the mesh's weight: half of 2 m
    ENSURE_NEAR(GetTriangles(asset, 3)->aabb.lower.y, 2.0, 1e-6); // the node's
    ENSURE_NEAR(GetTriangles(asset, 4)->aabb.lower.x, 4.0, 1e-6); // the joint at 5, relative to the node at 1
    ENSURE_NEAR(GetTriangles(asset, 4)->aabb.upper.x, 5.0, 1e-6);
    tdDestroyAsset(asset);
}

TEST(SubtreesAndHulls)
{
    // The collider contains two squares below node 2, one a metre above the other; its own transform is
    // ignored.
    tdAsset* asset = Load(
        "{'children':[1,2]},{'scale':[2,2,2]," COLLIDER(
            "'node':2") "},"
                        "{'translation':[9,9,9],'mesh':0,'children':[3]},{'translation':[0,1,0],'mesh':0},"
                        "{'mesh':4}",
        NULL);
    const tdTriangles* mesh = GetTriangles(asset, 0);
    ENSURE_EQUAL_INT(mesh->triangleCount, 4);
    ENSURE_NEAR(mesh->aabb.lower.x, 0.0, 1e-6);
    ENSURE_NEAR(mesh->aabb.upper.y, 2.0, 1e-6);
    tdDestroyAsset(asset);
    asset =
        Load("{'children':[1,2]},{" COLLIDER(
                 "'node':2,'convexHull':true") "},"
                                               "{'mesh':4,'children':[3]},{'translation':[0,1,0],'mesh':4}",
             NULL);
    ENSURE_EQUAL_INT(asset->scene.physics->colliders[0].geometry.kind,
                     TD_SHAPE_HULL); // points count for hulls
    tdMassData mass = tdComputeMassData(&asset->scene.physics->colliders[0].geometry, 1.0f);
    ENSURE_NEAR(mass.mass, 1.0, 1e-4); // a unit cube
    tdDestroyAsset(asset);
}

TEST(EqualGeometryIsCookedOnce)
{
    tdAsset* asset = Load(
        "{'children':[1,2,3,4,5]},{" COLLIDER(
            "'mesh':0") "},"
                        "{'translation':[7,0,0],'rotation':[0,0.6,0,0.8]," COLLIDER(
                            "'mesh':0") "},"
                                        "{'scale':[2,1,1]," COLLIDER(
                                            "'mesh':0") "},"
                                                        "{'scale':[2,1,1],'translation':[0,3,0]," COLLIDER(
                                                            "'mesh':0") "},"
                                                                        "{" COLLIDER("'mesh':1") "}",
        NULL);
    const tdPhysicsCollider* colliders = asset->scene.physics->colliders;
    ENSURE(colliders[0].cooked == colliders[1].cooked); // positions and rotations make no difference
    ENSURE(colliders[2].cooked == colliders[3].cooked);
    ENSURE(colliders[0].cooked != colliders[2].cooked && colliders[0].cooked != colliders[4].cooked);
    ENSURE_EQUAL_INT(asset->scene.physics->geometryCount, 3);
    tdDestroyAsset(asset);
}

TEST(ThreadsChangeNothing)
{
    // 64 colliders of different scale.
    tdText nodes;
    tdText_Init(&nodes, NULL);
    tdText_AppendString(&nodes, "{'children':[");
    for (int i = 1; i <= 64; ++i)
    {
        tdText_AppendFormat(&nodes, "%s%d", i > 1 ? "," : "", i);
    }
    tdText_AppendString(&nodes, "]}");
    for (int i = 1; i <= 64; ++i)
    {
        tdText_AppendFormat(&nodes, ",{'scale':[%d,1,%g]," COLLIDER("'mesh':%d") "}", i, 0.5 * i, i % 3);
    }
    const tdTasks* threads = tdCreateThreads(4);
    tdAsset* one = Load(nodes.data, NULL);
    tdAsset* many = Load(nodes.data, threads);
    ENSURE_EQUAL_INT(one->scene.physics->geometryCount, many->scene.physics->geometryCount);
    for (int i = 0; i < one->scene.physics->colliderCount; ++i)
    {
        const tdTriangles* a = GetTriangles(one, i);
        const tdTriangles* b = GetTriangles(many, i);
        ENSURE_EQUAL_INT(a->vertexCount, b->vertexCount);
        ENSURE(memcmp(a->vertices, b->vertices, sizeof(tdVec3) * (size_t)a->vertexCount) == 0);
        ENSURE(a->nodeCount == b->nodeCount &&
               memcmp(a->nodes, b->nodes, sizeof(tdBvhNode) * (size_t)a->nodeCount) == 0);
    }
    tdDestroyAsset(one);
    tdDestroyAsset(many);
    tdDestroyThreads(threads);
    tdText_Free(&nodes);
}

TEST_MAIN(RUN(StripsFansMorphsAndSkins) RUN(SubtreesAndHulls) RUN(EqualGeometryIsCookedOnce)
              RUN(ThreadsChangeNothing))
