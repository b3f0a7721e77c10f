// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of animation import: values of every output type, the targets of channels, skipped channels, and
// pointers of every type.
#include "harness.h"

#include "base/report.h"
#include "base/text.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

static tdAsset* LoadFile(const char* path)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(path, NULL, report);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    tdDestroyReport(report);
    return asset;
}

TEST(ReadsKeysAndValues)
{
    tdAsset* asset = LoadFile(TD_TEST_DATA "/valid/walk.gltf");
    const tdAnimation* animation = &asset->scene.animations[0];
    ENSURE_EQUAL_INT(animation->channelCount, 1);
    ENSURE_NEAR(animation->duration, 1.0, 0.0);
    const tdChannel* channel = &animation->channels[0];
    ENSURE_EQUAL_INT(channel->target.kind, TD_PROPERTY_TRANSLATION);
    ENSURE_EQUAL_INT(channel->target.object, 0);
    ENSURE_EQUAL_INT(channel->interpolation, TD_INTERPOLATION_LINEAR);
    ENSURE_EQUAL_INT(channel->keyCount, 2);
    ENSURE_EQUAL_INT(channel->width, 3);
    ENSURE_NEAR(channel->values[5], 3.0, 0.0);
    ENSURE_EQUAL_TEXT(tdAsset_GetAnimationName(asset, 0), "");
    ENSURE(tdAsset_GetAnimationName(asset, 1) == NULL);
    ENSURE_EQUAL_INT(tdAsset_FindAnimation(asset, "nobody"), -1);
    tdDestroyAsset(asset);
}

TEST(ConvertsNormalisedRotations)
{
    // Signed bytes and shorts divided by 127 and 32767, then normalised.
    tdAsset* asset = LoadFile(TD_TEST_DATA "/valid/rotation_bytes.gltf");
    const float* values = asset->scene.animations[0].channels[0].values;
    ENSURE_NEAR(values[3], 1.0, 0.0);
    ENSURE_NEAR(values[6], 1.0, 0.0);
    tdDestroyAsset(asset);
    asset = LoadFile(TD_TEST_DATA "/valid/rotation_shorts.gltf");
    values = asset->scene.animations[0].channels[0].values;
    // 23170 / 32767 differs from sqrt(1/2) by 2e-6; float32 then rounds to 6e-8.
    ENSURE_NEAR(values[5], sqrt(0.5), 1.2e-7);
    ENSURE_NEAR(values[5] * values[5] + values[7] * values[7], 1.0, 2.0e-7);
    ENSURE(asset->scene.animations[0].channels[0].isRotation);
    tdDestroyAsset(asset);
}

TEST(ReadsSplinesAndWeights)
{
    tdAsset* asset = LoadFile(TD_TEST_DATA "/valid/spline.gltf");
    const tdChannel* channel = &asset->scene.animations[0].channels[0];
    ENSURE_EQUAL_INT(channel->interpolation, TD_INTERPOLATION_CUBICSPLINE);
    ENSURE_NEAR(channel->values[6], 1.0, 0.0);  // out-tangent of key 0
    ENSURE_NEAR(channel->values[12], 5.0, 0.0); // value of key 1
    tdDestroyAsset(asset);

    asset = LoadFile(TD_TEST_DATA "/valid/weights.gltf");
    channel = &asset->scene.animations[0].channels[0];
    ENSURE_EQUAL_INT(channel->target.kind, TD_PROPERTY_WEIGHTS);
    ENSURE_EQUAL_INT(channel->width, 2);
    ENSURE_EQUAL_INT(asset->scene.nodes.weightStarts[1], 2);
    ENSURE_NEAR(asset->scene.nodes.weights[0], 0.25, 0.0);
    ENSURE_NEAR(asset->scene.nodes.weights[1], 0.5, 0.0);
    tdDestroyAsset(asset);
}

/// A file with physics of both families and one animated pointer.
static tdAsset* LoadPointer(const char* pointer, const char* type, int component, tdReport* report)
{
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendString(
        &json,
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
        "shapes\","
        "\"KHR_animation_pointer\",\"OMI_physics_body\",\"OMI_physics_joint\",\"OMI_physics_shape\"],"
        "\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"sphere\"}]},\"OMI_physics_shape\":{"
        "\"shapes\":[{\"type\":\"sphere\"}]},\"KHR_physics_rigid_bodies\":{\"physicsMaterials\":[{},{}],"
        "\"physicsJoints\":[{\"drives\":[{\"type\":\"linear\",\"mode\":\"force\",\"axis\":0,"
        "\"positionTarget\":1,"
        "\"stiffness\":5}]},{\"limits\":[{\"linearAxes\":[0,1,2],\"min\":0,\"max\":0},{\"angularAxes\":[1],"
        "\"min\":"
        "0,\"max\":0}]}]},\"OMI_physics_body\":{\"physicsMaterials\":[{}]},\"OMI_physics_joint\":{"
        "\"physicsJoints\":"
        "[{\"limits\":[{\"linearAxes\":[0,1,2],\"min\":0,\"max\":0}]}]}},"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{},\"targets\":[{},{}]}]}],\"nodes\":["
        "{\"mesh\":0,\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},\"collider\":{"
        "\"geometry\":"
        "{\"shape\":0},\"physicsMaterial\":1}}}},"
        "{\"translation\":[2,0,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"joint\":{\"joint\":1,"
        "\"connectedNode\":0}}}},"
        "{\"translation\":[4,0,0],\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\"},"
        "\"collider\":{\"shape\":0,\"physicsMaterial\":0}}},\"children\":[3]},"
        "{\"extensions\":{\"OMI_physics_joint\":{\"joint\":0,\"connectedNode\":0}}}],"
        "\"buffers\":[{\"byteLength\":16,\"uri\":\"data:;base64,AACAPwAAAAAAAAAAAAAAAA==\"}],\"bufferViews\":"
        "[{"
        "\"buffer\":0,\"byteLength\":16}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":"
        "1,\"type\":"
        "\"SCALAR\"},");
    tdText_AppendFormat(
        &json,
        "{\"bufferView\":0,\"componentType\":%d,\"count\":1,\"type\":\"%s\"}],\"animations\":[{"
        "\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":"
        "\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"%s\"}}}}]}]}",
        component, type, pointer);
    tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, report);
    tdText_Free(&json);
    return asset;
}

#define KHR "/extensions/KHR_physics_rigid_bodies/"
#define KHR_NODE "/nodes/0/extensions/KHR_physics_rigid_bodies/motion/"
#define OMI_NODE "/nodes/2/extensions/OMI_physics_body/motion/"

TEST(ResolvesEveryPointer)
{
    static const struct
    {
        const char* pointer;
        const char* type;
        int component;
        tdPropertyKind kind;
        int object, element; // object -1: looked up below
    } cases[] = {
        {"/nodes/0/translation", "VEC3", 5126, TD_PROPERTY_TRANSLATION, 0, -1},
        {"/nodes/1/rotation", "VEC4", 5126, TD_PROPERTY_ROTATION, 1, -1},
        {"/nodes/0/scale", "VEC3", 5126, TD_PROPERTY_SCALE, 0, -1},
        {"/nodes/0/weights/1", "SCALAR", 5126, TD_PROPERTY_WEIGHT, 0, 1},
        {KHR "physicsMaterials/1/staticFriction", "SCALAR", 5126, TD_PROPERTY_MATERIAL_STATIC_FRICTION, 1,
         -1},
        {KHR "physicsMaterials/0/dynamicFriction", "SCALAR", 5126, TD_PROPERTY_MATERIAL_DYNAMIC_FRICTION, 0,
         -1},
        {KHR "physicsMaterials/0/restitution", "SCALAR", 5126, TD_PROPERTY_MATERIAL_RESTITUTION, 0, -1},
        {"/extensions/OMI_physics_body/physicsMaterials/0/restitution", "SCALAR", 5126,
         TD_PROPERTY_MATERIAL_RESTITUTION, 2, -1},
        {KHR "physicsJoints/1/limits/1/min", "SCALAR", 5126, TD_PROPERTY_LIMIT_MIN, 1, 1},
        {KHR "physicsJoints/1/limits/0/max", "SCALAR", 5126, TD_PROPERTY_LIMIT_MAX, 1, 0},
        {KHR "physicsJoints/1/limits/0/stiffness", "SCALAR", 5126, TD_PROPERTY_LIMIT_STIFFNESS, 1, 0},
        {KHR "physicsJoints/1/limits/0/damping", "SCALAR", 5126, TD_PROPERTY_LIMIT_DAMPING, 1, 0},
        {"/extensions/OMI_physics_joint/physicsJoints/0/limits/0/max", "SCALAR", 5126, TD_PROPERTY_LIMIT_MAX,
         2, 0},
        {KHR "physicsJoints/0/drives/0/maxForce", "SCALAR", 5126, TD_PROPERTY_DRIVE_MAX_FORCE, 0, 0},
        {KHR "physicsJoints/0/drives/0/positionTarget", "SCALAR", 5126, TD_PROPERTY_DRIVE_POSITION_TARGET, 0,
         0},
        {KHR "physicsJoints/0/drives/0/velocityTarget", "SCALAR", 5126, TD_PROPERTY_DRIVE_VELOCITY_TARGET, 0,
         0},
        {KHR "physicsJoints/0/drives/0/stiffness", "SCALAR", 5126, TD_PROPERTY_DRIVE_STIFFNESS, 0, 0},
        {KHR "physicsJoints/0/drives/0/damping", "SCALAR", 5126, TD_PROPERTY_DRIVE_DAMPING, 0, 0},
        {KHR_NODE "isKinematic", "SCALAR", 5121, TD_PROPERTY_MOTION_IS_KINEMATIC, 0, -1},
        {KHR_NODE "mass", "SCALAR", 5126, TD_PROPERTY_MOTION_MASS, 0, -1},
        {KHR_NODE "centerOfMass", "VEC3", 5126, TD_PROPERTY_MOTION_CENTER_OF_MASS, 0, -1},
        {KHR_NODE "inertiaDiagonal", "VEC3", 5126, TD_PROPERTY_MOTION_INERTIA_DIAGONAL, 0, -1},
        {KHR_NODE "inertiaOrientation", "VEC4", 5126, TD_PROPERTY_MOTION_INERTIA_ORIENTATION, 0, -1},
        {KHR_NODE "linearVelocity", "VEC3", 5126, TD_PROPERTY_MOTION_LINEAR_VELOCITY, 0, -1},
        {KHR_NODE "angularVelocity", "VEC3", 5126, TD_PROPERTY_MOTION_ANGULAR_VELOCITY, 0, -1},
        {KHR_NODE "gravityFactor", "SCALAR", 5126, TD_PROPERTY_MOTION_GRAVITY_FACTOR, 0, -1},
        {OMI_NODE "gravityFactor", "SCALAR", 5126, TD_PROPERTY_MOTION_GRAVITY_FACTOR, 2, -1},
        {"/nodes/1/extensions/KHR_physics_rigid_bodies/joint/enableCollision", "SCALAR", 5121,
         TD_PROPERTY_JOINT_ENABLE_COLLISION, 1, -1},
        {"/nodes/3/extensions/OMI_physics_joint/enableCollision", "SCALAR", 5121,
         TD_PROPERTY_JOINT_ENABLE_COLLISION, 3, -1},
        {"/extensions/KHR_implicit_shapes/shapes/0/sphere/radius", "SCALAR", 5126, TD_PROPERTY_SHAPE_RADIUS,
         0, -1},
        {"/extensions/OMI_physics_shape/shapes/0/sphere/radius", "SCALAR", 5126, TD_PROPERTY_SHAPE_RADIUS, 1,
         -1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = LoadPointer(cases[i].pointer, cases[i].type, cases[i].component, report);
        bool isFine = ENSURE(asset != NULL && asset->scene.animations[0].channelCount == 1);
        if (isFine)
        {
            tdProperty target = asset->scene.animations[0].channels[0].target;
            isFine = ENSURE_EQUAL_INT(target.kind, cases[i].kind) &&
                     ENSURE_EQUAL_INT(target.object, cases[i].object) &&
                     ENSURE_EQUAL_INT(target.element, cases[i].element);
        }
        if (!isFine)
        {
            printf("  %s\n%s", cases[i].pointer, tdReport_GetText(report));
        }
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

TEST(RefusesWrongPointers)
{
    static const struct
    {
        const char* pointer;
        tdDiagnosticCode code;
    } cases[] = {
        {"nodes/0/translation", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {"", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {"/nodes/9/translation", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {"/nodes/0/weights/2", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {"/nodes/00/translation", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {"/nodes/99999999999999999999/scale", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {"/nodes/0/translation/x", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {"/nodes/0/", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {"/", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {"/cameras/0/perspective/yfov", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {KHR "physicsMaterials/2/restitution", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {KHR "physicsMaterials/0/frictionCombine", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {KHR "physicsJoints/1/limits/2/min", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {KHR "physicsJoints/7/drives/0/damping", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {"/nodes/1/extensions/KHR_physics_rigid_bodies/motion/mass", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {"/nodes/2/extensions/KHR_physics_rigid_bodies/motion/mass", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
        {OMI_NODE "isKinematic", TD_DIAG_KHR_ANIMATION_POINTER_UNSUPPORTED},
        {"/extensions/KHR_implicit_shapes/shapes/0/box/size", TD_DIAG_KHR_ANIMATION_POINTER_INVALID},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        tdReport* report = tdCreateReport(NULL);
        tdAsset* asset = LoadPointer(cases[i].pointer, "SCALAR", 5126, report);
        if (!ENSURE(tdReport_CountCode(report, cases[i].code) == 1) ||
            !ENSURE_EQUAL_INT(asset->scene.animations[0].channelCount, 0))
        {
            printf("  %s\n%s", cases[i].pointer, tdReport_GetText(report));
        }
        tdDestroyAsset(asset);
        tdDestroyReport(report);
    }
}

TEST_MAIN(RUN(ReadsKeysAndValues) RUN(ConvertsNormalisedRotations) RUN(ReadsSplinesAndWeights)
              RUN(ResolvesEveryPointer) RUN(RefusesWrongPointers))
