// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of descriptions (describe.h) against counts made from the text of the documents.
#include "harness.h"

#include "tendon/describe.h"

#include <stdlib.h>

static tdAsset* Load(const char* json)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(json, strlen(json), NULL, report);
    ENSURE(asset != NULL);
    tdDestroyReport(report);
    return asset;
}

TEST(NullIsDescribedWithZeros)
{
    tdAssetInfo info = tdDescribeAsset(NULL);
    ENSURE_EQUAL_INT(info.nodeCount, 0);
    ENSURE_EQUAL_TEXT(info.version, "");
    ENSURE_EQUAL_TEXT(tdDescribeNode(NULL, 0).name, "");
    ENSURE_EQUAL_TEXT(tdDescribeMesh(NULL, 0).name, "");
    ENSURE_EQUAL_TEXT(tdDescribeAnimation(NULL, 0).name, "");
    ENSURE_EQUAL_TEXT(tdDescribeScene(NULL, 0).name, "");
    ENSURE_EQUAL_TEXT(tdDescribeExtension(NULL, 0).name, "");
    ENSURE_EQUAL_TEXT(tdDescribeCollider(NULL, 0).dialect, "");
    ENSURE_EQUAL_INT(tdDescribeExtension(NULL, 0).support, TD_SUPPORT_UNKNOWN);
    ENSURE_EQUAL_INT(tdDescribeHumanoid(NULL).kind, TD_HUMANOID_NONE);
    ENSURE_EQUAL_INT(tdDescribeHumanoid(NULL).lookAt, TD_LOOK_AT_NONE);
    ENSURE_EQUAL_INT(tdDescribeBody(NULL, 0).colliderCount, 0);
    ENSURE_EQUAL_INT(tdDescribeJoint(NULL, 0).limitCount, 0);
    ENSURE_EQUAL_INT(tdDescribeFilter(NULL, 0).systemCount, 0);
    ENSURE_EQUAL_INT(tdDescribeConstraint(NULL, 0).axis, TD_CONSTRAINT_AXIS_NONE);
    ENSURE_NEAR(tdDescribeMaterial(NULL, 0).restitution, 0.0, 0.0);
    ENSURE(tdAsset_DoFiltersCollide(NULL, 0, 1));
    ENSURE_EQUAL_INT(tdAsset_GetOrderedNode(NULL, 0), -1);

    tdAsset* asset = Load("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"only\"}]}");
    ENSURE_EQUAL_TEXT(tdDescribeNode(asset, -1).name, "");
    ENSURE_EQUAL_TEXT(tdDescribeNode(asset, 1).name, "");
    ENSURE_EQUAL_TEXT(tdDescribeNode(asset, 0).name, "only");
    ENSURE_EQUAL_INT(tdDescribeNode(asset, 0).body, -1);
    ENSURE_EQUAL_INT(tdAsset_GetOrderedNode(asset, 1), -1);
    tdDestroyAsset(asset);
}

TEST(FactsOfTheFile)
{
    const char* json = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"a pen\"},"
                       "\"extensionsUsed\":[\"KHR_animation_pointer\",\"ACME_secret\"],"
                       "\"scene\":1,\"scenes\":[{\"name\":\"first\",\"nodes\":[0]},{\"nodes\":[0,1]}],"
                       "\"nodes\":[{\"name\":\"a\"},{\"translation\":[1,2,3]}]}";
    tdAsset* asset = Load(json);
    tdAssetInfo info = tdDescribeAsset(asset);
    ENSURE_EQUAL_INT(info.kind, TD_FILE_KIND_GLTF);
    ENSURE_EQUAL_INT(info.byteCount, strlen(json));
    ENSURE_EQUAL_TEXT(info.version, "2.0");
    ENSURE_EQUAL_TEXT(info.generator, "a pen");
    ENSURE_EQUAL_INT(info.sceneCount, 2);
    ENSURE_EQUAL_INT(info.activeScene, 1);
    ENSURE_EQUAL_TEXT(tdDescribeScene(asset, 0).name, "first");
    ENSURE_EQUAL_INT(tdDescribeScene(asset, 1).rootCount, 2);
    ENSURE_EQUAL_INT(info.extensionCount, 2);
    ENSURE_EQUAL_INT(tdDescribeExtension(asset, 0).support, TD_SUPPORT_PLAYED);
    ENSURE_EQUAL_INT(tdDescribeExtension(asset, 1).support, TD_SUPPORT_UNKNOWN);
    ENSURE(!tdDescribeExtension(asset, 1).isRequired);
    ENSURE_NEAR(tdDescribeNode(asset, 1).local.translation.y, 2.0, 0.0);
    tdDestroyAsset(asset);
}

// Random forests; the expected depth comes from walking from every node to its root.
TEST(TreeDepthOfRandomForests)
{
    unsigned seed = 1;
    for (int round = 0; round < 50; ++round)
    {
        int parents[40], count = 1 + round % 40, depth = 0;
        char json[8192];
        size_t length = (size_t)snprintf(json, sizeof json, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
        for (int i = 0; i < count; ++i)
        {
            seed = seed * 1664525u + 1013904223u;
            parents[i] = i == 0 ? -1 : (int)(seed >> 16) % (i + 1) - 1;
            int above = 1;
            for (int p = parents[i]; p >= 0; p = parents[p])
            {
                above += 1;
            }
            depth = above > depth ? above : depth;
        }
        for (int i = 0; i < count; ++i)
        {
            const char* separator = "";
            length += (size_t)snprintf(json + length, sizeof json - length, "%s{", i > 0 ? "," : "");
            for (int j = 0; j < count; ++j)
            {
                if (parents[j] == i)
                {
                    length += (size_t)snprintf(json + length, sizeof json - length, "%s%d",
                                               separator[0] == '\0' ? "\"children\":[" : separator, j);
                    separator = ",";
                }
            }
            length +=
                (size_t)snprintf(json + length, sizeof json - length, "%s}", separator[0] != '\0' ? "]" : "");
        }
        snprintf(json + length, sizeof json - length, "]}");
        tdAsset* asset = Load(json);
        ENSURE_EQUAL_INT(tdDescribeAsset(asset).treeDepth, depth);
        // Every node once, parents first.
        bool seen[40] = {false};
        for (int i = 0; i < count; ++i)
        {
            int node = tdAsset_GetOrderedNode(asset, i);
            ENSURE(!seen[node]);
            ENSURE(parents[node] < 0 || seen[parents[node]]);
            ENSURE_EQUAL_INT(tdDescribeNode(asset, node).parent, parents[node]);
            seen[node] = true;
        }
        tdDestroyAsset(asset);
    }
}

TEST(AnimationsAndMeshesOfTheRobotArm)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset("examples/robot_arm.gltf", NULL, report);
    ENSURE(!tdReport_HasErrors(report));
    tdAssetInfo info = tdDescribeAsset(asset);
    // Six boxes of 6 faces: 12 triangles and 24 vertices each.
    ENSURE_EQUAL_INT(info.meshCount, 6);
    ENSURE_EQUAL_INT(info.triangleCount, 6 * 12);
    ENSURE_EQUAL_INT(info.vertexCount, 6 * 24);
    ENSURE_EQUAL_TEXT(tdDescribeMesh(asset, 2).name, "Upper arm");
    ENSURE_EQUAL_INT(tdDescribeMesh(asset, 2).triangleCount, 12);
    tdAnimationInfo pick = tdDescribeAnimation(asset, 1);
    ENSURE_EQUAL_TEXT(pick.name, "pick");
    ENSURE_NEAR(pick.duration, 4.0, 0.0);
    ENSURE_EQUAL_INT(pick.channelCount, 5);
    ENSURE_EQUAL_INT(pick.nodeCount, 5);
    ENSURE_EQUAL_INT(pick.keyCount, 3 * 5 + 2 * 3);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(PhysicsOfTheExamples)
{
    tdAsset* asset = tdLoadAsset("examples/catapult.gltf", NULL, NULL);
    tdAssetInfo info = tdDescribeAsset(asset);
    // Arm, stone and four crates move; ground, base and the arm's stop have colliders too.
    ENSURE_EQUAL_INT(info.bodyCount, 6);
    ENSURE_EQUAL_INT(info.colliderCount, 9);
    ENSURE_EQUAL_INT(info.jointCount, 1);
    int colliderCount = 0;
    for (int i = 0; i < info.bodyCount; ++i)
    {
        colliderCount += tdDescribeBody(asset, i).colliderCount;
    }
    ENSURE_EQUAL_INT(colliderCount, 7);
    tdBodyInfo arm = tdDescribeBody(asset, tdDescribeNode(asset, tdAsset_FindNode(asset, "Arm")).body);
    ENSURE_EQUAL_INT(arm.motion, TD_MOTION_DYNAMIC);
    ENSURE_NEAR(arm.mass, 10.0, 0.0);
    ENSURE_EQUAL_TEXT(arm.dialect, "KHR release candidate");
    ENSURE_EQUAL_INT(tdDescribeCollider(asset, 0).shape, TD_SHAPE_BOX);
    ENSURE_EQUAL_INT(tdDescribeCollider(asset, 0).body, -1);
    tdJointInfo motor = tdDescribeJoint(asset, 0);
    ENSURE_EQUAL_INT(motor.driveCount, 1);
    ENSURE_EQUAL_INT(tdClassifyJoint(motor.limits, motor.limitCount).type, TD_JOINT_HINGE);
    ENSURE_NEAR(tdDescribeMaterial(asset, 0).dynamicFriction, 0.8f, 0.0);
    tdDestroyAsset(asset);

    // The table in examples/who_collides.gltf: a floor for red only, a floor for all but blue.
    asset = tdLoadAsset("examples/who_collides.gltf", NULL, NULL);
    ENSURE_EQUAL_INT(tdDescribeAsset(asset).filterCount, 4);
    ENSURE_EQUAL_TEXT(tdDescribeFilterSystem(asset, 2, TD_FILTER_COLLIDE_WITH, 0), "red");
    ENSURE_EQUAL_TEXT(tdDescribeFilterSystem(asset, 2, TD_FILTER_COLLIDE_WITH, 1), "");
    const bool expected[2][3] = {{true, false, true}, {true, false, true}}; // red, blue, no filter
    for (int floor = 0; floor < 2; ++floor)
    {
        for (int ball = 0; ball < 3; ++ball)
        {
            int filter = ball < 2 ? ball : -1;
            ENSURE_EQUAL_INT(tdAsset_DoFiltersCollide(asset, floor + 2, filter), expected[floor][ball]);
            ENSURE_EQUAL_INT(tdAsset_DoFiltersCollide(asset, filter, floor + 2), expected[floor][ball]);
        }
    }
    tdDestroyAsset(asset);
}

// A box of 2 x 4 x 1 stretched by two along X; a capsule; a compound trigger of two spheres.
TEST(ShapesMassesAndTriggers)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":["
        "{\"type\":\"box\",\"box\":{\"size\":[2,4,1]}},{\"type\":\"capsule\",\"capsule\":{\"height\":1,"
        "\"radiusBottom\":0.25,\"radiusTop\":0.5}},{\"type\":\"sphere\"}]}},\"nodes\":["
        "{\"scale\":[2,1,1],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":12},"
        "\"collider\":{\"geometry\":{\"shape\":0}}}}},"
        "{\"scale\":[1,2,1],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":"
        "{\"shape\":1}}}}},"
        "{\"children\":[3,4],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"trigger\":{\"nodes\":[4,3]}}}},"
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"trigger\":{\"geometry\":{\"shape\":2}}}}},"
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"trigger\":{\"geometry\":{\"shape\":2}}}}}]}";
    tdAsset* asset = tdLoadAssetFromMemory(json, sizeof(json) - 1, NULL, NULL);
    tdBodyInfo body = tdDescribeBody(asset, 0);
    // m / 12 (b^2 + c^2), with 4 x 4 x 1.
    ENSURE_NEAR(body.inertiaDiagonal.x, 17.0, 1e-4);
    ENSURE_NEAR(body.inertiaDiagonal.y, 17.0, 1e-4);
    ENSURE_NEAR(body.inertiaDiagonal.z, 32.0, 1e-4);
    ENSURE_NEAR(body.centerOfMass.x, 0.0, 0.0);
    tdColliderInfo box = tdDescribeCollider(asset, 0), capsule = tdDescribeCollider(asset, 1);
    ENSURE_NEAR(box.size[0], 4.0, 1e-6);
    ENSURE_NEAR(box.size[1], 4.0, 1e-6);
    ENSURE(!box.isStretched && capsule.isStretched);
    ENSURE_NEAR(capsule.size[0], 1.0, 1e-6);
    ENSURE_NEAR(capsule.size[1], 0.25, 1e-6);
    ENSURE_NEAR(capsule.size[2], 0.5, 1e-6);
    ENSURE_EQUAL_INT(tdDescribeAsset(asset).compoundTriggerCount, 1);
    tdCompoundTriggerInfo trigger = tdDescribeCompoundTrigger(asset, 0);
    ENSURE_EQUAL_INT(trigger.node, 2);
    ENSURE_EQUAL_INT(trigger.partCount, 2);
    ENSURE_EQUAL_INT(trigger.parent, -1);
    ENSURE_EQUAL_INT(tdDescribeCollider(asset, tdDescribeTriggerPart(asset, 0, 0)).node, 4);
    ENSURE_EQUAL_INT(tdDescribeCollider(asset, tdDescribeTriggerPart(asset, 0, 1)).node, 3);
    ENSURE_EQUAL_INT(tdDescribeTriggerPart(asset, 0, 2), -1);
    ENSURE_EQUAL_INT(tdDescribeTriggerPart(asset, 1, 0), -1);
    ENSURE_EQUAL_INT(tdDescribeCompoundTrigger(NULL, 0).node, -1);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(NullIsDescribedWithZeros) RUN(FactsOfTheFile) RUN(TreeDepthOfRandomForests)
              RUN(AnimationsAndMeshesOfTheRobotArm) RUN(PhysicsOfTheExamples) RUN(ShapesMassesAndTriggers))
