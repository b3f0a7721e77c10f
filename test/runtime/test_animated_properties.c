// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every mutable property of docs/spec/physics.md 11, KHR's names and OMI's: a clip that sets it from the
// start gives bit-identical motion to a file that has the value itself, and different motion from a file
// without it.
#include "runtime/physics_stage.h"

#include "tendon/physics.h"

/// A place of the scene's text, written <name> there.
typedef struct Property
{
    const char *name, *pointer;
    int width;
    const char *usual, *other; // as the text has it
    float values[4];           // of `other`
    bool isOmiToo;
} Property;

#define KHR "/extensions/KHR_physics_rigid_bodies/"
#define MOTION "/nodes/1/extensions/KHR_physics_rigid_bodies/motion/"
#define LIMIT KHR "physicsJoints/0/limits/1/"
#define OPEN_LIMIT KHR "physicsJoints/0/limits/2/"
#define DRIVE KHR "physicsJoints/0/drives/0/"
#define SHAPES "/extensions/KHR_implicit_shapes/shapes/"

static const Property properties[] = {
    {"staticFriction", KHR "physicsMaterials/0/staticFriction", 1, "0.1", "0.9", {0.9f}, true},
    {"dynamicFriction", KHR "physicsMaterials/0/dynamicFriction", 1, "0.1", "0.5", {0.5f}, true},
    {"restitution", KHR "physicsMaterials/0/restitution", 1, "0", "0.5", {0.5f}, true},
    {"mass", MOTION "mass", 1, "2", "8", {8.0f}, true},
    {"centerOfMass", MOTION "centerOfMass", 3, "[0,0,0]", "[0.125,0,0.25]", {0.125f, 0, 0.25f}, true},
    {"inertiaDiagonal", MOTION "inertiaDiagonal", 3, "[1,1,1]", "[0.25,0.5,0.5]", {0.25f, 0.5f, 0.5f}, true},
    {"inertiaOrientation",
     MOTION "inertiaOrientation",
     4,
     "[0,0,0,1]",
     "[0.70710678,0,0,0.70710678]",
     {0.70710678f, 0, 0, 0.70710678f},
     true},
    {"gravityFactor", MOTION "gravityFactor", 1, "1", "0.5", {0.5f}, true},
    {"isKinematic", MOTION "isKinematic", 1, "false", "true", {1.0f}, false},
    {"min", LIMIT "min", 1, "-0.25", "0.25", {0.25f}, true},
    {"max", LIMIT "max", 1, "0.25", "0.5", {0.5f}, true},
    {"stiffness", LIMIT "stiffness", 1, "2000", "500", {500.0f}, true},
    {"damping", LIMIT "damping", 1, "50", "5", {5.0f}, true},
    {"openMax", OPEN_LIMIT "max", 1, "", ",'max':-0.125", {-0.125f}, true}, // a limit without bounds gets one
    {"maxForce", DRIVE "maxForce", 1, "100", "10", {10.0f}, true},
    {"positionTarget", DRIVE "positionTarget", 1, "1", "-1", {-1.0f}, true},
    {"velocityTarget", DRIVE "velocityTarget", 1, "0", "2", {2.0f}, true},
    {"driveStiffness", DRIVE "stiffness", 1, "50", "20", {20.0f}, true},
    {"driveDamping", DRIVE "damping", 1, "2", "4", {4.0f}, true},
    {"enableCollision",
     "/nodes/6/extensions/KHR_physics_rigid_bodies/joint/enableCollision",
     1,
     "false",
     "true",
     {1.0f},
     true},
    {"size", SHAPES "0/box/size", 3, "[8,1,8]", "[8,0.5,8]", {8, 0.5f, 8}, true},
    {"radius", SHAPES "1/sphere/radius", 1, "0.5", "0.375", {0.375f}, true},
    {"capsuleHeight", SHAPES "2/capsule/height", 1, "0.5", "0.75", {0.75f}, true},
    {"capsuleBottom", SHAPES "2/capsule/radiusBottom", 1, "0.25", "0.375", {0.375f}, true},
    {"capsuleTop", SHAPES "2/capsule/radiusTop", 1, "0.25", "0.125", {0.125f}, true},
    {"cylinderHeight", SHAPES "3/cylinder/height", 1, "0.5", "0.25", {0.25f}, true},
    {"cylinderBottom", SHAPES "3/cylinder/radiusBottom", 1, "0.25", "0.5", {0.5f}, true},
    {"cylinderTop", SHAPES "3/cylinder/radiusTop", 1, "0.25", "0.125", {0.125f}, true},
    {"sizeX", SHAPES "4/plane/sizeX", 1, "2", "0.5", {0.5f}, false},
    {"sizeZ", SHAPES "4/plane/sizeZ", 1, "2", "0.5", {0.5f}, false},
    {"doubleSided", SHAPES "4/plane/doubleSided", 1, "false", "true", {1.0f}, false},
};
#define PROPERTY_COUNT ((int)(sizeof(properties) / sizeof(properties[0])))

/// A floor; a ball, a capsule and a cylinder that fall onto it; a sheet over which a ball rolls and from
/// below which another one comes; a box on a driven, sprung slider beside a static one.
static const char scene[] =
    "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_physics_rigid_bodies','KHR_implicit_shapes',"
    "'KHR_animation_pointer'],'extensions':{'KHR_implicit_shapes':{'shapes':["
    "{'type':'box','box':{'size':<size>}},{'type':'sphere','sphere':{'radius':<radius>}},"
    "{'type':'capsule','capsule':{'height':<capsuleHeight>,'radiusBottom':<capsuleBottom>,"
    "'radiusTop':<capsuleTop>}},"
    "{'type':'cylinder','cylinder':{'height':<cylinderHeight>,'radiusBottom':<cylinderBottom>,"
    "'radiusTop':<cylinderTop>}},"
    "{'type':'plane','plane':{'sizeX':<sizeX>,'sizeZ':<sizeZ>,'doubleSided':<doubleSided>}},"
    "{'type':'sphere','sphere':{'radius':0.125}},{'type':'box','box':{'size':[0.5,0.5,0.5]}}]},"
    "'KHR_physics_rigid_bodies':{'physicsMaterials':[{'staticFriction':<staticFriction>,"
    "'dynamicFriction':<dynamicFriction>,'restitution':<restitution>,'frictionCombine':'minimum',"
    "'restitutionCombine':'maximum'}],'physicsJoints':[{'limits':[{'linearAxes':[1,2],'min':0,'max':0},"
    "{'linearAxes':[0],'min':<min>,'max':<max>,'stiffness':<stiffness>,'damping':<damping>},"
    "{'linearAxes':[0],'stiffness':400<openMax>}],'drives':[{'type':'linear','mode':'force','axis':0,"
    "'maxForce':<maxForce>,'positionTarget':<positionTarget>,'velocityTarget':<velocityTarget>,"
    "'stiffness':<driveStiffness>,'damping':<driveDamping>}]}]}},'nodes':["
    "{'translation':[0,-0.5,0],'extensions':{'KHR_physics_rigid_bodies':{'collider':{'geometry':{'shape':0},"
    "'physicsMaterial':0}}}},"
    "{'translation':[0,0.75,0],'extensions':{'KHR_physics_rigid_bodies':{'motion':{'mass':<mass>,"
    "'centerOfMass':<centerOfMass>,'inertiaDiagonal':<inertiaDiagonal>,'inertiaOrientation':"
    "<inertiaOrientation>,'gravityFactor':<gravityFactor>,'isKinematic':<isKinematic>,"
    "'linearVelocity':[1,0,0.5],'angularVelocity':[1,3,2]},'collider':{'geometry':{'shape':1},"
    "'physicsMaterial':0}}}},"
    "{'translation':[2,1,0],'rotation':[0.25881905,0,0,0.96592583],'extensions':{'KHR_physics_rigid_bodies':"
    "{'motion':{'mass':1,'centerOfMass':[0,0,0],'inertiaDiagonal':[0.125,0.0625,0.125]},"
    "'collider':{'geometry':{'shape':2}}}}},"
    "{'translation':[-2,1,0],'rotation':[0.25881905,0,0,0.96592583],'extensions':{'KHR_physics_rigid_bodies':"
    "{'motion':{'mass':1,'centerOfMass':[0,0,0],'inertiaDiagonal':[0.125,0.0625,0.125]},"
    "'collider':{'geometry':{'shape':3}}}}},"
    "{'translation':[0,4,0],'extensions':{'KHR_physics_rigid_bodies':{'collider':{'geometry':{'shape':4}}}}},"
    "{'translation':[0.5,4.25,0.5],'extensions':{'KHR_physics_rigid_bodies':{'motion':{'mass':1,"
    "'linearVelocity':[0.25,0,0.25]},'collider':{'geometry':{'shape':5}}}}},"
    "{'translation':[0,1,3],'extensions':{'KHR_physics_rigid_bodies':{'joint':{'joint':0,'connectedNode':7,"
    "'enableCollision':<enableCollision>},'collider':{'geometry':{'shape':6}}}}},"
    "{'translation':[0.375,1,3],'extensions':{'KHR_physics_rigid_bodies':{'motion':{'mass':2},"
    "'collider':{'geometry':{'shape':6}}}}},"
    "{'translation':[-0.5,3.5,-0.5],'extensions':{'KHR_physics_rigid_bodies':{'motion':{'mass':1,"
    "'linearVelocity':[0,5,0]},'collider':{'geometry':{'shape':5}}}}}]";

static void Replace(tdText* text, const char* from, const char* to)
{
    tdText out;
    tdText_Init(&out, NULL);
    const char* start = text->data;
    for (const char* found = strstr(start, from); found != NULL; found = strstr(start, from))
    {
        tdText_Append(&out, start, (size_t)(found - start));
        tdText_AppendString(&out, to);
        start = found + strlen(from);
    }
    tdText_AppendString(&out, start);
    tdText_Free(text);
    *text = out;
}

/// Turns KHR text into OMI text: names of extensions, shapes of colliders, types of motions.
static void MakeOmi(tdText* text)
{
    // Only KHR has planes and isKinematic.
    Replace(text, "{\"type\":\"plane\",\"plane\":{\"sizeX\":2,\"sizeZ\":2,\"doubleSided\":false}}",
            "{\"type\":\"box\",\"box\":{\"size\":[2,0.0625,2]}}");
    Replace(text, "\"isKinematic\":false,", "");
    Replace(text, "\"motion\":{", "\"motion\":{\"type\":\"dynamic\",");
    Replace(text, "\"KHR_physics_rigid_bodies\":{\"joint\":{",
            "\"OMI_physics_joint\":{\"extras\":{\"n\":0},");
    Replace(text, "},\"collider\":{\"geometry\":{\"shape\":6}}}}},{\"translation\":[0.375,1,3]",
            ",\"OMI_physics_body\":{\"collider\":{\"shape\":6}}}},{\"translation\":[0.375,1,3]");
    Replace(text, "\"enableCollision\":false,\"OMI", "\"enableCollision\":false},\"OMI");
    Replace(text, "\"enableCollision\":true,\"OMI", "\"enableCollision\":true},\"OMI");
    for (int i = 0; i <= 6; ++i)
    {
        char from[64], to[64];
        snprintf(from, sizeof(from), "\"geometry\":{\"shape\":%d}", i);
        snprintf(to, sizeof(to), "\"shape\":%d", i);
        Replace(text, from, to);
    }
    Replace(text, ",\"physicsJoints\":[", "},\"OMI_physics_joint\":{\"physicsJoints\":[");
    Replace(text, "KHR_implicit_shapes\",", "OMI_physics_shape\",\"OMI_physics_joint\",");
    Replace(text, "KHR_implicit_shapes", "OMI_physics_shape");
    Replace(text, "KHR_physics_rigid_bodies", "OMI_physics_body");
}

static void MakeOmiPointer(char* out, size_t size, const char* pointer)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(&text, pointer);
    Replace(&text, "KHR_physics_rigid_bodies/physicsJoints", "OMI_physics_joint/physicsJoints");
    Replace(&text, "KHR_physics_rigid_bodies/joint/", "OMI_physics_joint/");
    Replace(&text, "KHR_physics_rigid_bodies", "OMI_physics_body");
    Replace(&text, "KHR_implicit_shapes", "OMI_physics_shape");
    snprintf(out, size, "%s", text.data);
    tdText_Free(&text);
}

/// State after a second.
/// @param written the property that has its other value in the file; -1: none
/// @param animated the one that a clip sets; -1: none
static uint64_t Run(int written, int animated, bool isOmi)
{
    tdText text;
    tdText_Init(&text, NULL);
    AppendQuoted(&text, scene);
    for (int i = 0; i < PROPERTY_COUNT; ++i)
    {
        char token[64];
        tdText value;
        tdText_Init(&value, NULL);
        AppendQuoted(&value, i == written ? properties[i].other : properties[i].usual);
        snprintf(token, sizeof(token), "<%s>", properties[i].name);
        Replace(&text, token, value.data != NULL ? value.data : "");
        tdText_Free(&value);
    }
    if (isOmi)
    {
        MakeOmi(&text);
    }
    char pointer[128] = "";
    if (animated >= 0)
    {
        static const float times[2] = {0.0f, 10.0f};
        const Property* p = &properties[animated];
        float values[8];
        memcpy(values, p->values, sizeof(float) * (size_t)p->width);
        memcpy(values + p->width, p->values, sizeof(float) * (size_t)p->width);
        snprintf(pointer, sizeof(pointer), "%s", p->pointer);
        if (isOmi)
        {
            MakeOmiPointer(pointer, sizeof(pointer), p->pointer);
        }
        Channel channel = {pointer, p->width, 2, times, values, true};
        AppendChannels(&text, &channel, 1);
    }
    AppendQuoted(&text, "}");
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, report);
    bool isGood = ENSURE(asset != NULL && tdReport_CountSeverity(report, TD_SEVERITY_ERROR) == 0);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, report);
    tdClip* clip = animated >= 0 ? tdCreateClip(asset, 0, NULL, report) : NULL;
    if (clip != NULL)
    {
        tdActor_Play(actor, clip, NULL);
    }
    StepFor(stage, 1.0);
    uint64_t hash = tdWorld_GetStateHash(tdStage_GetWorld(stage));
    if (!isGood)
    {
        printf("%s\n%s\n", tdReport_GetText(report), text.data);
    }
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    tdText_Free(&text);
    return hash;
}

static void CompareAll(bool isOmi)
{
    uint64_t usual = Run(-1, -1, isOmi);
    for (int i = 0; i < PROPERTY_COUNT; ++i)
    {
        if (isOmi && !properties[i].isOmiToo)
        {
            continue;
        }
        uint64_t written = Run(i, -1, isOmi);
        uint64_t animated = Run(-1, i, isOmi);
        bool matters = ENSURE(written != usual);
        if (!ENSURE(animated == written) || !matters)
        {
            printf("  %s (%s)\n", properties[i].name, isOmi ? "OMI" : "KHR");
        }
    }
}

TEST(AnimatedKhrPropertiesActLikeTheFilesOwn)
{
    CompareAll(false);
}

TEST(AnimatedOmiPropertiesActLikeTheFilesOwn)
{
    CompareAll(true);
}

TEST_MAIN(RUN(AnimatedKhrPropertiesActLikeTheFilesOwn) RUN(AnimatedOmiPropertiesActLikeTheFilesOwn))
