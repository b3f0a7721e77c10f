// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of dialect conversion: a round trip gives the same simulation, bit-identical where both dialects can
// express all of it; losses are reported; unknown content is preserved.
#include "harness.h"

#include "base/text.h"
#include "math/vecmath.h"

#include "tendon/tendon.h"

#include <stdlib.h>

// All features that the four dialects share: boxes, spheres, a capsule, given masses, velocities, a hinge, a
// weld.
static const char* const common =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
    "shapes\",\"X_y\"],"
    "\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2,3]}],\"nodes\":["
    "{\"name\":\"floor\",\"translation\":[0,-0.5,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{"
    "\"collider\":"
    "{\"geometry\":{\"shape\":1},\"extras\":{\"mine\": 7}}},\"X_y\":{\"keep\":[1, 2]}}},"
    "{\"name\":\"box\",\"translation\":[0.25,1.5,0],\"rotation\":[0,0,0.6,0.8],\"extensions\":{\"KHR_physics_"
    "rigid_bodies\":"
    "{\"motion\":{\"mass\":2,\"centerOfMass\":[0,0,0],\"angularVelocity\":[1,2,0.5],\"linearVelocity\":[0.5,"
    "0,0]},"
    "\"collider\":{\"geometry\":{\"shape\":0}}}}},"
    "{\"name\":\"ball\",\"translation\":[2,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":"
    "{\"motion\":{\"mass\":1,\"centerOfMass\":[0,0,0]},\"collider\":{\"geometry\":{\"shape\":2}}}},"
    "\"children\":[4]},"
    "{\"name\":\"rod\",\"translation\":[3,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{"
    "\"mass\":1.5,"
    "\"centerOfMass\":[0,0,0]},\"collider\":{\"geometry\":{\"shape\":3}}}},\"children\":[5]},"
    "{\"name\":\"pin\",\"translation\":[0.5,0,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"joint\":{"
    "\"joint\":0,"
    "\"connectedNode\":5}}}},"
    "{\"name\":\"pin of rod\",\"translation\":[-0.5,0,0]}],"
    "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\"},{\"type\":\"box\",\"box\":{"
    "\"size\":[40,1,40]}},"
    "{\"type\":\"sphere\",\"sphere\":{\"radius\":0.25}},{\"type\":\"capsule\",\"capsule\":{\"height\":1,"
    "\"radiusBottom\":0.25,"
    "\"radiusTop\":0.25}}]},\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0,"
    "1,2],\"min\":0,"
    "\"max\":0},{\"angularAxes\":[0,1],\"min\":0,\"max\":0}]}]}}}";

static tdAsset* LoadText(const char* text, size_t size)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text, size, NULL, report);
    if (!ENSURE(asset != NULL && tdReport_CountSeverity(report, TD_SEVERITY_ERROR) == 0))
    {
        printf("%s", tdReport_GetText(report));
    }
    tdDestroyReport(report);
    return asset;
}

static uint64_t Simulate(const tdAsset* asset, int steps, float* fallen)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < steps; ++i)
    {
        tdStage_Step(stage);
    }
    *fallen = tdActor_GetGlobals(actor)[1].m[13];
    uint64_t hash = tdWorld_GetStateHash(tdStage_GetWorld(stage));
    tdDestroyStage(stage);
    return hash;
}

/// Converts, saves, loads again; the caller frees.
static tdAsset* Convert(const tdAsset* asset, tdPhysicsTarget target, tdReport* report)
{
    tdAsset* converted = tdConvertAsset(asset, target, report);
    if (!ENSURE(converted != NULL))
    {
        return NULL;
    }
    size_t size;
    char* text = tdSaveAssetToMemory(converted, TD_SAVE_SAME, NULL, &size, NULL);
    tdDestroyAsset(converted);
    ENSURE(strstr(text, "\"X_y\":{\"keep\":[1, 2]}") != NULL);
    tdAsset* again = LoadText(text, size);
    tdFreeSaved(text, size, NULL);
    return again;
}

TEST(RoundTripsGiveTheSameSimulation)
{
    tdAsset* asset = LoadText(common, strlen(common));
    float fallen;
    uint64_t wanted = Simulate(asset, 120, &fallen);
    ENSURE(fallen < 1.2f);
    for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
    {
        tdReport* report = tdCreateReport(NULL);
        tdAsset* there = Convert(asset, (tdPhysicsTarget)target, report);
        if (!ENSURE_EQUAL_INT(tdReport_GetCount(report), 0))
        {
            printf("%s", tdReport_GetText(report));
        }
        if (!ENSURE(Simulate(there, 120, &fallen) == wanted))
        {
            printf("  target %d: %g\n", target, (double)fallen);
        }
        tdAsset* back = Convert(there, TD_PHYSICS_KHR, report);
        if (!ENSURE(Simulate(back, 120, &fallen) == wanted))
        {
            printf("  target %d and back: %g\n", target, (double)fallen);
        }
        tdDestroyAsset(back);
        tdDestroyAsset(there);
        tdDestroyReport(report);
    }
    tdDestroyAsset(asset);
}

static tdVec3 PlaceOf(const tdAsset* asset, int node)
{
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 30; ++i)
    {
        tdStage_Step(stage);
    }
    tdVec3 place = tdMat4Translation(tdActor_GetGlobals(actor)[node]);
    tdDestroyStage(stage);
    return place;
}

// OMI: a ball hangs inside the box of a static body by a joint; the two do not collide. KHR has no static
// bodies, and a static collider would push the ball out.
TEST(StaticJointEndsDoNotCollide)
{
    static const char* const hanging = "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"OMI_physics_"
                                       "body\",\"OMI_physics_shape\",\"OMI_physics_joint\","
                                       "\"X_y\"],\"scene\":0,\"scenes\":[{\"nodes\":[0,1],\"extensions\":{"
                                       "\"X_y\":{\"keep\":[1, 2]}}}],\"nodes\":["
                                       "{\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":"
                                       "\"static\"},\"collider\":{\"shape\":0}}}},"
                                       "{\"translation\":[0.1,0,0],\"extensions\":{\"OMI_physics_body\":{"
                                       "\"motion\":{\"type\":\"dynamic\",\"mass\":1},"
                                       "\"collider\":{\"shape\":1}},\"OMI_physics_joint\":{\"connectedNode\":"
                                       "0,\"joint\":0}}}],\"extensions\":{"
                                       "\"OMI_physics_shape\":{\"shapes\":[{\"type\":\"box\",\"box\":{"
                                       "\"size\":[2,2,2]}},{\"type\":\"sphere\",\"sphere\":{"
                                       "\"radius\":0.25}}]},\"OMI_physics_joint\":{\"physicsJoints\":[{"
                                       "\"limits\":[{\"linearAxes\":[0,1,2],\"min\":0,\"max\":"
                                       "0.2}]}]}}}";
    tdAsset* asset = LoadText(hanging, strlen(hanging));
    tdVec3 wanted = PlaceOf(asset, 1);
    ENSURE(tdLength(wanted) < 0.25f);
    for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI; ++target)
    {
        tdAsset* converted = Convert(asset, (tdPhysicsTarget)target, NULL);
        ENSURE_NEAR(tdLength(tdSub(PlaceOf(converted, 1), wanted)), 0.0, 0.0);
        tdDestroyAsset(converted);
    }
    tdDestroyAsset(asset);
}

// "extensions" that is not an object, at the root and at a node, becomes one: found by fuzz_dialect.
TEST(BrokenExtensionsAreReplaced)
{
    static const char* const kinds[] = {"[0]", "3", "null", "\"x\"", "{}"};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i)
    {
        char text[600];
        snprintf(
            text, sizeof(text),
            "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"OMI_physics_body\",\"OMI_physics_joint\"]"
            ","
            "\"extensions\":%s,\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"extensions\":{"
            "\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\",\"mass\":1},\"collider\":{\"shape\":0}},"
            "\"OMI_physics_joint\":{\"connectedNode\":1,\"joint\":0}}},{\"extensions\":%s}]}",
            kinds[i], kinds[i]);
        tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), NULL, NULL);
        for (int target = TD_PHYSICS_KHR; asset != NULL && target <= TD_PHYSICS_OMI_EARLY; ++target)
        {
            tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, NULL);
            size_t size = 0;
            char* saved = tdSaveAssetToMemory(converted, TD_SAVE_GLTF, NULL, &size, NULL);
            tdAsset* again = saved != NULL ? tdLoadAssetFromMemory(saved, size, NULL, NULL) : NULL;
            ENSURE(again != NULL && tdAsset_GetNodeCount(again) >= 2);
            tdDestroyAsset(again);
            tdFreeSaved(saved, size, NULL);
            tdDestroyAsset(converted);
        }
        ENSURE(asset != NULL);
        tdDestroyAsset(asset);
    }
}

// A node that is no object and an end of a joint becomes one, and "children" that are no list are replaced:
// found by fuzz_dialect.
TEST(BrokenNodesAreReplaced)
{
    static const char* const kinds[] = {"[0,0,0,1]", "3", "null", "\"x\"", "true", "{}"};
    static const char* const children[] = {"3", "{}", "null"};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i)
    {
        char text[1000];
        snprintf(
            text, sizeof(text),
            "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"OMI_physics_body\","
            "\"OMI_physics_joint\"],\"extensions\":{\"OMI_physics_joint\":{\"physicsJoints\":[{\"limits\":[{"
            "\"linearAxes\":[0],\"min\":0,\"max\":1}]}],\"constraints\":[{\"linearAxes\":[0],"
            "\"lowerLimit\":-1,\"upperLimit\":1}]}},\"nodes\":[{\"children\":[1],\"extensions\":{"
            "\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\",\"mass\":1}}}},{\"extensions\":{"
            "\"OMI_physics_joint\":{\"joint\":0,\"connectedNode\":2}}},%s,{\"children\":%s,\"extensions\":{"
            "\"OMI_physics_body\":{\"type\":\"rigid\"}}},{\"extensions\":{\"OMI_physics_joint\":{"
            "\"constraints\":[0],\"nodeA\":0,\"nodeB\":3}}}]}",
            kinds[i], children[i % 3]);
        tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), NULL, NULL);
        ENSURE(asset != NULL);
        for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
        {
            tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, NULL);
            size_t size = 0;
            char* saved = tdSaveAssetToMemory(converted, TD_SAVE_GLTF, NULL, &size, NULL);
            tdAsset* again = saved != NULL ? tdLoadAssetFromMemory(saved, size, NULL, NULL) : NULL;
            ENSURE(again != NULL && tdDescribeAsset(again).jointCount == tdDescribeAsset(asset).jointCount);
            tdDestroyAsset(again);
            tdFreeSaved(saved, size, NULL);
            tdDestroyAsset(converted);
        }
        tdDestroyAsset(asset);
    }
}

// A kinematic body turns about its centre of mass, which KHR computes and OMI places at the origin.
TEST(KinematicBodiesTurnAboutTheSamePoint)
{
    static const char* const turning =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
        "shapes\",\"X_y\"],"
        "\"scene\":0,\"scenes\":[{\"nodes\":[0],\"extensions\":{\"X_y\":{\"keep\":[1, "
        "2]}}}],\"nodes\":[{\"children\":[1],"
        "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"isKinematic\":true,\"mass\":1,"
        "\"angularVelocity\":[0,2,0]}"
        "}}},{\"translation\":[1,0,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{"
        "\"geometry\":{\"shape\":0}}}}}],"
        "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\"}]}}}";
    tdAsset* asset = LoadText(turning, strlen(turning));
    tdVec3 wanted = PlaceOf(asset, 0);
    ENSURE(tdLength(wanted) > 0.5f); // it orbits
    for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
    {
        tdAsset* converted = Convert(asset, (tdPhysicsTarget)target, NULL);
        ENSURE_NEAR(tdLength(tdSub(PlaceOf(converted, 0), wanted)), 0.0, 1e-6);
        tdDestroyAsset(converted);
    }
    tdDestroyAsset(asset);
}

TEST(UnknownMembersAreMoved)
{
    tdAsset* asset = LoadText(common, strlen(common));
    tdAsset* converted = tdConvertAsset(asset, TD_PHYSICS_OMI, NULL);
    size_t size;
    char* text = tdSaveAssetToMemory(converted, TD_SAVE_SAME, NULL, &size, NULL);
    ENSURE(strstr(text, "\"extras\":{\"mine\": 7}") != NULL);
    ENSURE(strstr(text, "KHR_") == NULL);
    ENSURE(strstr(text, "\"extensionsUsed\":[\"X_y\",\"OMI_physics_body\",\"OMI_physics_shape\",\"OMI_"
                        "physics_joint\"]") != NULL);
    tdFreeSaved(text, size, NULL);
    tdDestroyAsset(converted);
    tdDestroyAsset(asset);
}

TEST(LossesAreReported)
{
    static const char* const rich =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
        "shapes\"],"
        "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":["
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{\"shape\":0}}}}},"
        "{\"translation\":[0,2,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1,"
        "\"inertiaDiagonal\":"
        "[0,1,1],\"gravityFactor\":0.5},\"collider\":{\"geometry\":{\"shape\":1},\"physicsMaterial\":0}}}}],"
        "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"plane\"},{\"type\":\"capsule\","
        "\"capsule\":"
        "{\"height\":1,\"radiusBottom\":0.3,\"radiusTop\":0.2}}]},\"KHR_physics_rigid_bodies\":{"
        "\"physicsMaterials\":"
        "[{\"restitution\":0.5}]}}}";
    static const struct
    {
        tdPhysicsTarget target;
        int least;
    } cases[] = {
        {TD_PHYSICS_KHR, 0},       // nothing is lost
        {TD_PHYSICS_KHR_DRAFT, 1}, // no planes
        {TD_PHYSICS_OMI, 2},       // no planes, nothing infinite
        {TD_PHYSICS_OMI_EARLY, 5}, // nor tapered capsules, materials, gravityFactor
    };
    tdAsset* asset = LoadText(rich, strlen(rich));
    for (int i = 0; i < 4; ++i)
    {
        tdReport* report = tdCreateReport(NULL);
        tdAsset* converted = tdConvertAsset(asset, cases[i].target, report);
        ENSURE(converted != NULL);
        if (!ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_WARNING), cases[i].least))
        {
            printf("%s", tdReport_GetText(report));
        }
        tdDestroyAsset(converted);
        tdDestroyReport(report);
    }
    tdDestroyAsset(asset);
}

// An animation drives the mass of a ball, the friction of a material and the radius of a shape. The first
// shape is unused, so that the second gets another index.
static const char* const animated =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\","
    "\"KHR_implicit_shapes\",\"KHR_animation_pointer\",\"X_y\"],\"scene\":0,\"scenes\":[{\"nodes\":[0],"
    "\"extensions\":{\"X_y\":{\"keep\":[1, 2]}}}],\"nodes\":[{\"extensions\":"
    "{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1,\"centerOfMass\":[0,0,0]},\"collider\":"
    "{\"geometry\":{\"shape\":1},\"physicsMaterial\":0}}}}],\"extensions\":{\"KHR_implicit_shapes\":"
    "{\"shapes\":[{\"type\":\"box\"},{\"type\":\"sphere\",\"sphere\":{\"radius\":0.25}}]},"
    "\"KHR_physics_rigid_bodies\":{\"physicsMaterials\":[{\"dynamicFriction\":0.5}]}},\"animations\":"
    "[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":"
    "\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"
    "\"/nodes/0/extensions/KHR_physics_rigid_bodies/motion/mass\"}}}},{\"sampler\":0,\"target\":"
    "{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"
    "\"/extensions/KHR_physics_rigid_bodies/physicsMaterials/0/dynamicFriction\"}}}},{\"sampler\":0,"
    "\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"
    "\"/extensions/KHR_implicit_shapes/shapes/1/sphere/radius\"}}}}]}],\"accessors\":[{\"bufferView\":"
    "0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},{\"bufferView\":"
    "0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,"
    "\"byteLength\":8}],\"buffers\":[{\"byteLength\":8,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAgD8=\"}]}";

TEST(AnimationPointersFollowTheirTargets)
{
    static const char* const pointers[3][3] = {
        {"/nodes/0/extensions/KHR_physics_rigid_bodies/motion/mass\"",
         "/extensions/KHR_physics_rigid_bodies/physicsMaterials/0/dynamicFriction\"",
         "/extensions/KHR_implicit_shapes/shapes/0/sphere/radius\""},
        {"/nodes/0/extensions/KHR_physics_rigid_bodies/motion/mass\"",
         "/extensions/KHR_physics_rigid_bodies/physicsMaterials/0/dynamicFriction\"",
         "/extensions/KHR_collision_shapes/shapes/0/sphere/radius\""},
        {"/nodes/0/extensions/OMI_physics_body/motion/mass\"",
         "/extensions/OMI_physics_body/physicsMaterials/0/dynamicFriction\"",
         "/extensions/OMI_physics_shape/shapes/0/sphere/radius\""},
    };
    tdAsset* asset = LoadText(animated, strlen(animated));
    for (int target = TD_PHYSICS_KHR; target <= TD_PHYSICS_OMI_EARLY; ++target)
    {
        tdReport* report = tdCreateReport(NULL);
        tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, report);
        size_t size;
        char* text = tdSaveAssetToMemory(converted, TD_SAVE_SAME, NULL, &size, NULL);
        for (int i = 0; i < 3 && target != TD_PHYSICS_OMI_EARLY; ++i)
        {
            if (!ENSURE(strstr(text, pointers[target][i]) != NULL))
            {
                printf("  target %d: %s\n", target, pointers[target][i]);
            }
        }
        // The material of early OMI is an additional one.
        ENSURE_EQUAL_INT(tdReport_CountSeverity(report, TD_SEVERITY_WARNING),
                         target == TD_PHYSICS_OMI_EARLY ? 4 : 0);
        tdFreeSaved(text, size, NULL);
        tdDestroyAsset(converted);
        tdDestroyReport(report);
    }
    tdDestroyAsset(asset);
}

TEST(WithoutPhysicsNothingChanges)
{
    static const char* const plain = "{ \"asset\": {\"version\":\"2.0\"}, \"nodes\":[ {} ] }";
    tdAsset* asset = LoadText(plain, strlen(plain));
    tdAsset* converted = tdConvertAsset(asset, TD_PHYSICS_OMI, NULL);
    size_t size;
    char* text = tdSaveAssetToMemory(converted, TD_SAVE_SAME, NULL, &size, NULL);
    ENSURE(size == strlen(plain) && memcmp(text, plain, size) == 0);
    tdFreeSaved(text, size, NULL);
    tdDestroyAsset(converted);
    tdDestroyAsset(asset);
    ENSURE(tdConvertAsset(NULL, TD_PHYSICS_KHR, NULL) == NULL);
}

// The centre of mass of bodies below many scaled nodes, in the space of the node. The scales of each pair
// of nodes cancel, so the answer is known at any depth: the collider is 3 m along the x axis of its node.
// The mass properties round once (1 ulp is 2.4e-7).
TEST(DeepScaledBodiesKeepTheirCentre)
{
    enum
    {
        COUNT = 300
    };
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(&text, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                               "\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_shapes\"],"
                               "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\"}]}},"
                               "\"nodes\":[");
    for (int i = 0; i < COUNT; ++i)
    {
        tdText_AppendFormat(
            &text,
            "{\"scale\":[%s],\"children\":[%d,%d],\"extensions\":{\"KHR_physics_rigid_bodies\":{"
            "\"motion\":{\"mass\":1}}}},",
            i % 2 == 0 ? "0.5,0.5,0.5" : "2,2,2", COUNT + i, i + 1 < COUNT ? i + 1 : 2 * COUNT);
    }
    for (int i = 0; i < COUNT; ++i)
    {
        tdText_AppendString(&text, "{\"translation\":[3,0,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{"
                                   "\"collider\":{\"geometry\":{\"shape\":0}}}}},");
    }
    tdText_AppendString(&text, "{}]}");
    tdAsset* asset = LoadText(text.data, text.length);
    tdText_Free(&text);
    tdAsset* converted = tdConvertAsset(asset, TD_PHYSICS_OMI, NULL);
    size_t size = 0;
    char* saved = converted != NULL ? tdSaveAssetToMemory(converted, TD_SAVE_SAME, NULL, &size, NULL) : NULL;
    int count = 0;
    static const char wanted[] = "\"centerOfMass\":[";
    for (const char* p = saved; p != NULL && (p = strstr(p, wanted)) != NULL; ++count)
    {
        p += strlen(wanted);
        char* end = NULL;
        double x = strtod(p, &end);
        if (!ENSURE(fabs(x - 3.0) < 1e-6 && strncmp(end, ",0,0]", 5) == 0))
        {
            printf("  body %d: %.20s\n", count, p);
        }
    }
    ENSURE_EQUAL_INT(count, COUNT);
    tdFreeSaved(saved, size, NULL);
    tdDestroyAsset(converted);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(RoundTripsGiveTheSameSimulation) RUN(StaticJointEndsDoNotCollide)
              RUN(BrokenExtensionsAreReplaced) RUN(BrokenNodesAreReplaced)
                  RUN(KinematicBodiesTurnAboutTheSamePoint) RUN(UnknownMembersAreMoved) RUN(LossesAreReported)
                      RUN(AnimationPointersFollowTheirTargets) RUN(WithoutPhysicsNothingChanges)
                          RUN(DeepScaledBodiesKeepTheirCentre))
