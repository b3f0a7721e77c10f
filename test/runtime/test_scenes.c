// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files with several scenes: tdActorDef.scene chooses the bodies of an actor.
#include "base/text.h"
#include "runtime/physics_stage.h"

#include "tendon/describe.h"
#include "tendon/joint.h"

// 0: a floor in scenes 0 and 2; 1: a ball of the active scene 0; 2: a box of scene 1, where nothing stops it;
// 3: a box of scene 2 that hangs on the still node 4 of no scene; 5: without physics, alone in scene 3.
static const char* const source =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
    "shapes\"],"
    "\"scenes\":[{\"nodes\":[0,1]},{\"nodes\":[2]},{\"nodes\":[0,3]},{\"nodes\":[5]}],\"nodes\":["
    "{\"translation\":[0,-0.5,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":"
    "{\"shape\":0}}}}},"
    "{\"translation\":[0,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":"
    "{\"geometry\":{\"shape\":1}}}}},"
    "{\"translation\":[3,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":"
    "{\"geometry\":{\"shape\":2}}}}},"
    "{\"translation\":[6,5,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":"
    "{\"geometry\":{\"shape\":2}},\"joint\":{\"connectedNode\":4,\"joint\":0}}}},"
    "{\"translation\":[6,5,0]},{\"name\":\"alone\"}],"
    "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\",\"box\":{\"size\":[100,1,100]}},"
    "{\"type\":\"sphere\"},{\"type\":\"box\"}]},\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":"
    "["
    "{\"linearAxes\":[0,1,2],\"min\":0,\"max\":0}]}]}}}";

static float RunScene(const tdAsset* asset, int scene, int node)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef def = tdDefaultActorDef();
    def.scene = scene;
    tdActor* actor = tdCreateActor(stage, asset, &def, NULL);
    ENSURE(actor != NULL);
    for (int i = 0; i < 120; ++i)
    {
        ENSURE(tdStage_Step(stage));
    }
    float height = tdMat4Translation(tdActor_GetGlobals(actor)[node]).y;
    tdDestroyStage(stage);
    return height;
}

TEST(ActorsHaveTheBodiesOfTheirScene)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, report);
    ENSURE(asset != NULL);
    // Findings and descriptions are about the active scene: two nodes outside of it have physics.
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_ERROR), 0);
    ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_WARNING), 2);
    ENSURE_EQUAL_INT(tdDescribeAsset(asset).bodyCount, 1);
    static const float rest[4] = {0, 2, 2, 5};
    // By scene (-1: the file's own) the height of nodes 1 to 3 after two seconds. A fall takes them to
    // 2 - g t^2 / 2 = -17.6.
    static const struct
    {
        int scene;
        float heights[4];
    } cases[5] = {{-1, {0, 0.5f, 2, 5}},
                  {0, {0, 0.5f, 2, 5}},
                  {1, {0, 2, -17.6f, 5}},
                  {2, {0, 2, 2, 5}},
                  {3, {0, 2, 2, 5}}};
    for (int i = 0; i < 5; ++i)
    {
        for (int node = 1; node < 4; ++node)
        {
            float height = RunScene(asset, cases[i].scene, node);
            ENSURE_NEAR(height, cases[i].heights[node], 0.15);
            // Nodes without a body do not move.
            bool isMoved = cases[i].heights[node] != rest[node];
            ENSURE(isMoved || cases[i].scene == 2 || height == rest[node]);
        }
    }
    // The joint of scene 2 works: without it its box would lie on the floor.
    tdStage* stage = tdCreateStage(NULL);
    tdActorDef def = tdDefaultActorDef();
    def.scene = 2;
    tdActor* actor = tdCreateActor(stage, asset, &def, NULL);
    ENSURE(tdActor_GetBody(actor, 3).index1 != 0 && tdActor_GetBody(actor, 1).index1 == 0);
    tdDestroyStage(stage);
    tdDestroyReport(report);
    tdDestroyAsset(asset);
}

// Indices of tdDescribeScene… and of tdActor_Get… mean the same bodies, shapes and joints.
TEST(ScenesAreDescribedAsTheirActorsHaveThem)
{
    tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, NULL);
    static const struct
    {
        int bodies, colliders, joints;
        int bodyNode, colliderNodes[2];
        tdShapeKind shapes[2];
    } cases[4] = {{1, 2, 0, 1, {0, 1}, {TD_SHAPE_BOX, TD_SHAPE_SPHERE}},
                  {1, 1, 0, 2, {2, 0}, {TD_SHAPE_BOX}},
                  {1, 2, 1, 3, {0, 3}, {TD_SHAPE_BOX, TD_SHAPE_BOX}},
                  {0, 0, 0, 0, {0, 0}, {0}}};
    for (int scene = 0; scene < 4; ++scene)
    {
        tdSceneInfo info = tdDescribeScene(asset, scene);
        ENSURE_EQUAL_INT(info.bodyCount, cases[scene].bodies);
        ENSURE_EQUAL_INT(info.colliderCount, cases[scene].colliders);
        ENSURE_EQUAL_INT(info.jointCount, cases[scene].joints);
        ENSURE_EQUAL_INT(tdDescribeSceneBody(asset, scene, 0).node, cases[scene].bodyNode);
        tdStage* stage = tdCreateStage(NULL);
        tdActorDef def = tdDefaultActorDef();
        def.scene = scene;
        tdActor* actor = tdCreateActor(stage, asset, &def, NULL);
        tdWorld* world = tdStage_GetWorld(stage);
        for (int i = 0; i < 2; ++i)
        {
            tdColliderInfo collider = tdDescribeSceneCollider(asset, scene, i);
            tdShapeId shape = tdActor_GetShape(actor, i);
            ENSURE(i >= info.colliderCount || collider.shape == cases[scene].shapes[i]);
            ENSURE_EQUAL_INT(collider.node, cases[scene].colliderNodes[i]);
            ENSURE_EQUAL_INT(tdShape_IsValid(world, shape), i < info.colliderCount);
            tdBodyId body = tdActor_GetBody(actor, collider.node);
            ENSURE(i >= info.colliderCount || collider.body < 0 ||
                   tdShape_GetBody(world, shape).index1 == body.index1);
        }
        ENSURE_EQUAL_INT(tdJoint_IsValid(world, tdActor_GetJoint(actor, 0)), info.jointCount);
        ENSURE_EQUAL_INT(tdDescribeSceneJoint(asset, scene, 0).connectedNode, info.jointCount > 0 ? 4 : 0);
        tdDestroyStage(stage);
    }
    ENSURE_EQUAL_INT(tdDescribeSceneCollider(asset, -1, 1).node, tdDescribeCollider(asset, 1).node);
    ENSURE_EQUAL_INT(tdDescribeSceneCollider(asset, 4, 1).shape,
                     TD_SHAPE_SPHERE); // out of range: the file's own
    ENSURE_EQUAL_TEXT(tdDescribeSceneCollider(NULL, 0, 0).dialect, "");
    tdDestroyAsset(asset);
}

// Only the first scenes get physics, because scenes may share nodes and make the work quadratic.
TEST(ManyScenesCostNoMoreThanEight)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendFormat(&text,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\","
                        "\"KHR_implicit_shapes\"],\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{"
                        "\"type\":\"sphere\"}]}},\"nodes\":[");
    for (int i = 0; i < 2000; ++i)
    {
        tdText_AppendFormat(&text,
                            "%s{\"translation\":[%d,0,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{"
                            "\"motion\":{},\"collider\":{\"geometry\":{\"shape\":0}}}}}",
                            i > 0 ? "," : "", 3 * i);
    }
    tdText_AppendFormat(&text, "],\"scenes\":[{\"nodes\":[0]}");
    for (int i = 0; i < 2000; ++i)
    {
        tdText_AppendFormat(&text, ",{\"nodes\":[%d]}", i);
    }
    tdText_AppendFormat(&text, "]}");
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    ENSURE(asset != NULL);
    // Scenes 1 to 8 are the first eight with physics: their only node falls, that of scene 9 does not.
    ENSURE(RunScene(asset, 8, 7) < -10.0f);
    ENSURE(RunScene(asset, 9, 8) == 0.0f);
    tdDestroyAsset(asset);
    tdText_Free(&text);
}

TEST_MAIN(RUN(ActorsHaveTheBodiesOfTheirScene) RUN(ScenesAreDescribedAsTheirActorsHaveThem)
              RUN(ManyScenesCostNoMoreThanEight))
