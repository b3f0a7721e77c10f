// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// One scene written in every dialect of docs/spec/physics.md 2: bit-identical motion where the dialects
// agree, and the documented differences where they do not.
#include "harness.h"

#include "base/text.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/joint.h"
#include "tendon/stage.h"

/// Text of a dialect, with ' for ". Shapes: 0 a capsule, 1 the hull of mesh 0, 2 the triangles of
/// mesh 1.
typedef struct Dialect
{
    const char* name;
    const char* used;
    const char* root; // root extensions
    const char* body; // of a node: mass, then three moments, then velocity along x
    const char* colliders[3];
    const char* joint;
    tdDialect expected;
} Dialect;

#define LOCKS(min, max)                                                                                      \
    "{'linearAxes':[0],'" min "':0,'" max "':0},{'linearAxes':[1],'" min "':0,'" max "':0},"                 \
    "{'linearAxes':[2],'" min "':0,'" max "':0},{'angularAxes':[0],'" min "':-0.5,'" max "':1}"
#define CAPSULE "{'type':'capsule','capsule':{'height':0.5,'radiusBottom':0.25,'radiusTop':0.25}}"
#define KHR_MOTION(name)                                                                                     \
    "'" name "':{'motion':{'mass':%g,'centerOfMass':[0,0,0],'inertiaDiagonal':[%g,%g,%g],"                   \
    "'linearVelocity':[%g,0,0]}}"
#define KHR_SHAPE(name, index) "'" name "':{'collider':{'shape':" index "}}"
#define KHR_JOINT(name) "'" name "':{'joint':{'joint':0,'connectedNode':6}}"
#define KHR_ROOT(name) "'" name "':{'physicsJoints':[{'limits':[" LOCKS("min", "max") "]}]}"
#define RB "KHR_physics_rigid_bodies"
#define OMI_MOTION                                                                                           \
    "'OMI_physics_body':{'motion':{'type':'dynamic','mass':%g,'inertiaDiagonal':[%g,%g,%g],"                 \
    "'linearVelocity':[%g,0,0]}}"
#define EARLY_BODY(type)                                                                                     \
    "'OMI_physics_body':{'type':'" type "','mass':%g,'centerOfMass':[0,0,0],'inertiaTensor':"                \
    "[%g,0,0,0,%g,0,0,0,%g],'linearVelocity':[%g,0,0]}"
#define EARLY_JOINT "'OMI_physics_joint':{'constraints':[0,1],'nodeA':1,'nodeB':3}"
#define EARLY_CONSTRAINTS                                                                                    \
    "'OMI_physics_joint':{'constraints':[{'linearAxes':[0,1,2]},{'angularAxes':[0],'lowerLimit':-0.5,"       \
    "'upperLimit':1}]}"

static const Dialect dialects[] = {
    {"K2",
     "'" RB "','KHR_implicit_shapes'",
     "'KHR_implicit_shapes':{'shapes':[" CAPSULE "]}," KHR_ROOT(RB),
     KHR_MOTION(RB),
     {"'" RB "':{'collider':{'geometry':{'shape':0}}}",
      "'" RB "':{'collider':{'geometry':{'node':7,'convexHull':true}}}",
      "'" RB "':{'collider':{'geometry':{'node':8}}}"},
     KHR_JOINT(RB),
     TD_DIALECT_KHR_RC},
    {"K3",
     "'" RB "','KHR_implicit_shapes'",
     "'KHR_implicit_shapes':{'shapes':[" CAPSULE "]}," KHR_ROOT(RB),
     KHR_MOTION(RB),
     {"'" RB "':{'collider':{'geometry':{'shape':0}}}",
      "'" RB "':{'collider':{'geometry':{'mesh':0,'convexHull':true}}}",
      "'" RB "':{'collider':{'geometry':{'mesh':1}}}"},
     KHR_JOINT(RB),
     TD_DIALECT_KHR_2026},
    {"K1",
     "'" RB "','KHR_collision_shapes'",
     "'KHR_collision_shapes':{'shapes':[" CAPSULE
     ",{'type':'convex','convex':{'mesh':0}},{'type':'trimesh','trimesh':{'mesh':1}}]}," KHR_ROOT(RB),
     KHR_MOTION(RB),
     {KHR_SHAPE(RB, "0"), KHR_SHAPE(RB, "1"), KHR_SHAPE(RB, "2")},
     KHR_JOINT(RB),
     TD_DIALECT_KHR_SEED},
    {"K1a",
     "'" RB "','KHR_collision_shapes'",
     "'KHR_collision_shapes':{'shapes':[" CAPSULE
     ",{'type':'mesh','mesh':{'mesh':0,'convexHull':true}},{'type':'mesh','mesh':{'mesh':1}}]}," KHR_ROOT(RB),
     KHR_MOTION(RB),
     {KHR_SHAPE(RB, "0"), KHR_SHAPE(RB, "1"), KHR_SHAPE(RB, "2")},
     KHR_JOINT(RB),
     TD_DIALECT_KHR_2024_06},
    {"K1b",
     "'" RB "','KHR_collision_shapes'",
     "'KHR_collision_shapes':{'shapes':[" CAPSULE ",{'type':'mesh','mesh':{'mesh':0},'extensions':{'" RB
     "':{'convexHull':true}}},{'type':'mesh','mesh':{'mesh':1}}]}," KHR_ROOT(RB),
     KHR_MOTION(RB),
     {KHR_SHAPE(RB, "0"), KHR_SHAPE(RB, "1"), KHR_SHAPE(RB, "2")},
     KHR_JOINT(RB),
     TD_DIALECT_KHR_2024_07},
    {"K1b, two days of July 2024",
     "'" RB "','KHR_collision_shapes'",
     "'KHR_collision_shapes':{'shapes':[" CAPSULE
     ",{'type':'mesh','mesh':{'mesh':0}},{'type':'mesh','mesh':{'mesh':1}}]}," KHR_ROOT(RB),
     KHR_MOTION(RB),
     {"'" RB "':{'collider':{'shape':{'shape':0}}}",
      "'" RB "':{'collider':{'shape':{'shape':1},'convexHull':true}}",
      "'" RB "':{'collider':{'shape':{'shape':2}}}"},
     KHR_JOINT(RB),
     TD_DIALECT_KHR_2024_07},
    {"K0",
     "'KHR_rigid_bodies','KHR_collision_shapes'",
     "'KHR_collision_shapes':{'shapes':[" CAPSULE
     ",{'type':'convex','convex':{'mesh':0}},{'type':'trimesh','trimesh':{'mesh':1}}]},"
     "'KHR_rigid_bodies':{'physicsJointLimits':[{'limits':[" LOCKS("min", "max") "]}]}",
     KHR_MOTION("KHR_rigid_bodies"),
     {KHR_SHAPE("KHR_rigid_bodies", "0"), KHR_SHAPE("KHR_rigid_bodies", "1"),
      KHR_SHAPE("KHR_rigid_bodies", "2")},
     "'KHR_rigid_bodies':{'joint':{'jointLimits':0,'connectedNode':6}}",
     TD_DIALECT_KHR_2023_08},
    {"MSFT",
     "'MSFT_rigid_bodies','MSFT_collision_primitives'",
     "'MSFT_collision_primitives':{'colliders':[" CAPSULE
     ",{'type':'convex','convex':{'mesh':0}},{'type':'trimesh','trimesh':{'mesh':1}}]},"
     "'MSFT_rigid_bodies':{'physicsJointLimits':[{'limits':[" LOCKS("min", "max") "]}]}",
     KHR_MOTION("MSFT_rigid_bodies"),
     {"'MSFT_rigid_bodies':{'collider':{'collider':0}}", "'MSFT_rigid_bodies':{'collider':{'collider':1}}",
      "'MSFT_rigid_bodies':{'collider':{'collider':2}}"},
     "'MSFT_rigid_bodies':{'joint':{'jointLimits':0,'connectedNode':6}}",
     TD_DIALECT_MSFT},
    {"MSFT of 2022",
     "'MSFT_physics'",
     "",
     "'MSFT_physics':{'rigidBody':{'mass':%g,'centerOfMass':[0,0,0],'inertiaTensor':[%g,0,0,0,%g,0,0,0,%g],"
     "'linearVelocity':[%g,0,0]}}",
     {"'MSFT_physics':{'collider':{'capsule':{'height':0.5,'radius':0.25}}}",
      "'MSFT_physics':{'collider':{'convex':{'mesh':0}}}", "'MSFT_physics':{'collider':{'mesh':{'mesh':1}}}"},
     "'MSFT_physics':{'joint':{'constraints':[{'linearAxes':[0,1,2]},{'angularAxes':[0],'min':-0.5,'max':1}],"
     "'connectedNode':6}}",
     TD_DIALECT_MSFT_2022},
    {"O2",
     "'OMI_physics_body','OMI_physics_shape','OMI_physics_joint'",
     "'OMI_physics_shape':{'shapes':[" CAPSULE
     ",{'type':'convex','convex':{'mesh':0}},{'type':'trimesh','trimesh':{'mesh':1}}]}," KHR_ROOT(
         "OMI_physics_joint"),
     OMI_MOTION,
     {"'OMI_physics_body':{'collider':{'shape':0}}", "'OMI_physics_body':{'collider':{'shape':1}}",
      "'OMI_physics_body':{'collider':{'shape':2}}"},
     "'OMI_physics_joint':{'joint':0,'connectedNode':6}",
     TD_DIALECT_OMI_CURRENT},
    {"O2 with old joints and total heights",
     "'OMI_physics_body','OMI_physics_shape','OMI_physics_joint'",
     "'OMI_physics_shape':{'shapes':[{'type':'capsule','capsule':{'radius':0.25,'height':1}},{'type':'convex'"
     ","
     "'convex':{'mesh':0}},{'type':'trimesh','trimesh':{'mesh':1}}]}," EARLY_CONSTRAINTS,
     OMI_MOTION,
     {"'OMI_physics_body':{'collider':{'shape':0}}", "'OMI_physics_body':{'collider':{'shape':1}}",
      "'OMI_physics_body':{'collider':{'shape':2}}"},
     EARLY_JOINT,
     TD_DIALECT_OMI_CURRENT},
    {"O1s",
     "'OMI_physics_body','OMI_physics_shape','OMI_physics_joint'",
     "'OMI_physics_shape':{'shapes':[{'type':'capsule','radius':0.25,'height':1},{'type':'convex',"
     "'mesh':0},{'type':'trimesh','mesh':1}]}," EARLY_CONSTRAINTS,
     EARLY_BODY("dynamic"),
     {"'OMI_physics_shape':{'shape':0}", "'OMI_physics_shape':{'shape':1}",
      "'OMI_physics_shape':{'shape':2}"},
     EARLY_JOINT,
     TD_DIALECT_OMI_2023_06},
    {"O1",
     "'OMI_physics_body','OMI_collider','OMI_physics_joint'",
     "'OMI_collider':{'colliders':[{'type':'capsule','radius':0.25,'height':1},{'type':'hull','mesh':0},"
     "{'type':'trimesh','mesh':1}]}," EARLY_CONSTRAINTS,
     EARLY_BODY("rigid"),
     {"'OMI_collider':{'collider':0}", "'OMI_collider':{'collider':1}", "'OMI_collider':{'collider':2}"},
     EARLY_JOINT,
     TD_DIALECT_OMI_EARLY},
};
#define DIALECT_COUNT ((int)(sizeof(dialects) / sizeof(dialects[0])))

/// Corners of a box, all sign combinations of the half sizes, as points for a hull (no indices), and a square
/// floor of two triangles.
static const float points[14 * 3] = {
    -0.5f, -0.25f, -0.5f,  0.5f, -0.25f, -0.5f, -0.5f, 0.25f, -0.5f, 0.5f, 0.25f, -0.5f, -0.5f, -0.25f,
    0.5f,  0.5f,   -0.25f, 0.5f, -0.5f,  0.25f, 0.5f,  0.5f,  0.25f, 0.5f, -8,    0,     8,     8,
    0,     8,      8,      0,    -8,     -8,    0,     8,     8,     0,    -8,    -8,    0,     -8};

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
    const uint8_t* bytes = (const uint8_t*)points;
    AppendQuoted(out, "'buffers':[{'byteLength':168,'uri':'data:;base64,");
    for (size_t i = 0; i < sizeof(points); i += 3)
    {
        uint32_t word = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2];
        for (int k = 0; k < 4; ++k)
        {
            tdText_AppendChar(out, digits[(word >> (18 - 6 * k)) & 63]);
        }
    }
    AppendQuoted(out, "'}],'bufferViews':[{'buffer':0,'byteLength':168}],'accessors':["
                      "{'bufferView':0,'componentType':5126,'count':8,'type':'VEC3','min':[-0.5,-0.25,-0.5],"
                      "'max':[0.5,0.25,0.5]},{'bufferView':0,'byteOffset':96,'componentType':5126,'count':6,"
                      "'type':'VEC3','min':[-8,0,-8],'max':[8,0,8]}],'meshes':[{'primitives':[{'attributes':{"
                      "'POSITION':0},'mode':0}]},{'primitives':[{'attributes':{'POSITION':1}}]}]");
}

static void AppendBody(tdText* out, const Dialect* d, const char* before, double mass, double inertia,
                       double velocity)
{
    char text[512];
    snprintf(text, sizeof(text), d->body, mass, inertia, 2.0 * inertia, 1.5 * inertia, velocity);
    AppendQuoted(out, before);
    AppendQuoted(out, ",'extensions':{");
    AppendQuoted(out, text);
    AppendQuoted(out, "}},");
}

static void AppendExtended(tdText* out, const char* before, const char* extension)
{
    AppendQuoted(out, before);
    AppendQuoted(out, "'extensions':{");
    AppendQuoted(out, extension);
    AppendQuoted(out, "}},");
}

/// Two bodies joined by a ball joint with a bounded twist fall onto a floor of triangles and slide along it.
static void WriteScene(tdText* out, const Dialect* d)
{
    AppendQuoted(out, "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1,3]}],'extensionsUsed':[");
    AppendQuoted(out, d->used);
    AppendQuoted(out, "],'extensions':{");
    AppendQuoted(out, d->root);
    AppendQuoted(out, "},");
    AppendBuffer(out);
    AppendQuoted(out, ",'nodes':[");
    AppendExtended(out, "{", d->colliders[2]);                                           // 0: floor
    AppendBody(out, d, "{'translation':[0,1,0],'children':[2,5]", 3.0, 0.25, 1.0);       // 1
    AppendExtended(out, "{", d->colliders[1]);                                           // 2: hull
    AppendBody(out, d, "{'translation':[1,1.5,0.25],'children':[4,6]", 2.0, 0.125, 0.5); // 3
    AppendExtended(out, "{", d->colliders[0]);                                           // 4: capsule
    AppendExtended(out, "{'translation':[0.75,0.25,0],", d->joint);                      // 5
    AppendQuoted(out, "{'translation':[-0.25,-0.25,-0.25]},{'mesh':0},{'mesh':1}]}");    // 6, 7, 8
}

typedef struct Result
{
    uint64_t hash;
    tdVec3 places[2];
    int errors;
} Result;

static Result Run(const Dialect* d, int steps)
{
    Result result = {0};
    tdText text;
    tdText_Init(&text, NULL);
    WriteScene(&text, d);
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, report);
    result.errors = tdReport_CountSeverity(report, TD_SEVERITY_ERROR);
    if (!ENSURE(asset != NULL && result.errors == 0))
    {
        printf("  %s\n%s\n", d->name, tdReport_GetText(report));
    }
    const tdPhysicsScene* physics = asset != NULL ? asset->scene.physics : NULL;
    if (ENSURE(physics != NULL && physics->bodyCount == 2 && physics->colliderCount == 3 &&
               physics->jointCount == 1))
    {
        ENSURE_EQUAL_INT(physics->bodies[0].dialect,
                         d->expected == TD_DIALECT_KHR_2026 ? TD_DIALECT_KHR_RC : d->expected);
        bool isObject = strstr(d->name, "two days") != NULL;
        ENSURE_EQUAL_INT(physics->colliders[1].dialect, isObject ? TD_DIALECT_KHR_2024_07 : d->expected);
        ENSURE_EQUAL_INT(physics->colliders[1].geometry.kind, TD_SHAPE_HULL);
        ENSURE_EQUAL_INT(physics->colliders[0].geometry.kind, TD_SHAPE_MESH);
    }
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, report);
    for (int i = 0; i < steps; ++i)
    {
        ENSURE(tdStage_Step(stage));
    }
    result.hash = tdWorld_GetStateHash(tdStage_GetWorld(stage));
    result.places[0] = tdMat4Translation(tdActor_GetGlobals(actor)[1]);
    result.places[1] = tdMat4Translation(tdActor_GetGlobals(actor)[3]);
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    tdText_Free(&text);
    return result;
}

TEST(TheSameSceneMovesTheSameInEveryDialect)
{
    Result reference = Run(&dialects[0], 120);
    ENSURE_NEAR(reference.places[0].y, 0.25, 0.2); // they lie on the floor
    ENSURE(reference.places[0].x > 0.3f);          // and slid along it
    for (int i = 1; i < DIALECT_COUNT; ++i)
    {
        Result result = Run(&dialects[i], 120);
        if (!ENSURE(result.hash == reference.hash))
        {
            printf("  %s: (%g %g %g), expected (%g %g %g)\n", dialects[i].name, (double)result.places[0].x,
                   (double)result.places[0].y, (double)result.places[0].z, (double)reference.places[0].x,
                   (double)reference.places[0].y, (double)reference.places[0].z);
        }
    }
}

static tdAsset* LoadText(const char* text)
{
    tdText json;
    tdText_Init(&json, NULL);
    AppendQuoted(&json, "{'asset':{'version':'2.0'},");
    AppendQuoted(&json, text);
    AppendQuoted(&json, "}");
    tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, NULL);
    tdText_Free(&json);
    ENSURE(asset != NULL && asset->scene.physics != NULL);
    return asset;
}

#define KHR_BODY(motion)                                                                                     \
    "'extensions':{'KHR_implicit_shapes':{'shapes':[{'type':'box'}]}},'nodes':[{'extensions':{'" RB          \
    "':{'motion':{" motion "},'collider':{'geometry':{'shape':0}}}}}]"
#define OMI_BODY(motion)                                                                                     \
    "'extensions':{'OMI_physics_shape':{'shapes':[{'type':'box'}]}},'nodes':[{'children':[1],'extensions':{" \
    "'OMI_physics_body':{'motion':{'type':'dynamic'" motion "}}}},{'translation':[0,1,0],'extensions':{"     \
    "'OMI_physics_body':{'collider':{'shape':0}}}}]"
#define EARLY(body)                                                                                          \
    "'extensions':{'OMI_collider':{'colliders':[{'type':'box'}]}},'nodes':[{'children':[1],'extensions':{"   \
    "'OMI_physics_body':{'type':'rigid'" body "}}},{'translation':[0,1,0],'extensions':{'OMI_collider':{"    \
    "'collider':0}}}]"

TEST(DefaultsOfBodiesDiffer)
{
    tdAsset* khr = LoadText(KHR_BODY(""));
    ENSURE_NEAR(khr->scene.physics->bodies[0].mass, 1000.0, 0.1); // from the volume
    tdDestroyAsset(khr);
    khr = LoadText(KHR_BODY("'mass':0,'inertiaDiagonal':[0,1,1]"));
    ENSURE(isinf(khr->scene.physics->bodies[0].mass) &&
           isinf(khr->scene.physics->bodies[0].inertiaDiagonal.x));
    ENSURE_NEAR(khr->scene.physics->bodies[0].inertiaDiagonal.y, 1.0, 0.0);
    tdDestroyAsset(khr);

    tdAsset* omi = LoadText(OMI_BODY(""));
    ENSURE_NEAR(omi->scene.physics->bodies[0].mass, 1.0, 0.0);
    ENSURE_NEAR(omi->scene.physics->bodies[0].centerOfMass.y, 0.0, 0.0); // the node, not the collider
    ENSURE_NEAR(omi->scene.physics->bodies[0].inertiaDiagonal.x, 1.0 / 6.0, 1e-6);
    tdDestroyAsset(omi);
    omi = LoadText(OMI_BODY(",'mass':0,'inertiaDiagonal':[0,5,0]"));
    ENSURE_NEAR(omi->scene.physics->bodies[0].mass, 1.0, 0.0);
    ENSURE_NEAR(omi->scene.physics->bodies[0].inertiaDiagonal.x, 1.0 / 6.0, 1e-6); // zero: compute
    ENSURE_NEAR(omi->scene.physics->bodies[0].inertiaDiagonal.y, 5.0, 0.0);
    tdDestroyAsset(omi);
    // A plank of 1 x 1 x 3: 10/12, 10/12 and 2/12 kg m^2 about X, Y and Z. In a frame turned by 90 degrees
    // about Y its first axis is -Z of the node: there the missing moment is 2/12.
    omi = LoadText("'extensions':{'OMI_physics_shape':{'shapes':[{'type':'box','box':{'size':[1,1,3]}}]}},"
                   "'nodes':[{'extensions':{'OMI_physics_body':{'motion':{'type':'dynamic','inertiaDiagonal':"
                   "[0,5,0],'inertiaOrientation':[0,0.70710678,0,0.70710678]},'collider':{'shape':0}}}}]");
    ENSURE_NEAR(omi->scene.physics->bodies[0].inertiaDiagonal.x, 2.0 / 12.0, 1e-5);
    ENSURE_NEAR(omi->scene.physics->bodies[0].inertiaDiagonal.z, 10.0 / 12.0, 1e-5);
    tdDestroyAsset(omi);

    tdAsset* early = LoadText(EARLY(""));
    ENSURE_NEAR(early->scene.physics->bodies[0].mass, 1.0, 0.0);
    ENSURE_NEAR(early->scene.physics->bodies[0].centerOfMass.y, 1.0, 1e-6); // from the volume
    tdDestroyAsset(early);
}

TEST(DefaultsOfShapesDiffer)
{
    static const struct
    {
        const char *root, *key;
        double capsule[3], cylinder[3];
    } cases[] = {
        {"KHR_implicit_shapes", "shapes", {0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}},
        {"KHR_collision_shapes", "shapes", {0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}},
        {"OMI_physics_shape", "shapes", {1.0, 0.5, 0.5}, {2.0, 0.5, 0.5}},
        {"OMI_collider", "colliders", {1.0, 0.5, 0.5}, {2.0, 0.5, 0.5}}, // total height 2
    };
    for (int i = 0; i < 4; ++i)
    {
        char text[256];
        snprintf(text, sizeof(text),
                 "'extensions':{'%s':{'%s':[{'type':'capsule'},{'type':'cylinder'}]}},'nodes':[{}]",
                 cases[i].root, cases[i].key);
        tdAsset* asset = LoadText(text);
        for (int k = 0; k < 3; ++k)
        {
            ENSURE_NEAR(asset->scene.physics->shapes[0].parameters.values[k], cases[i].capsule[k], 0.0);
            ENSURE_NEAR(asset->scene.physics->shapes[1].parameters.values[k], cases[i].cylinder[k], 0.0);
        }
        tdDestroyAsset(asset);
    }
}

#define PAIR                                                                                                 \
    "'nodes':[{'extensions':{'OMI_physics_body':{'type':'rigid'}}},{'extensions':{'OMI_physics_body':{'"     \
    "type':'rigid'}}},"

TEST(LimitsDiffer)
{
    // Early OMI: bounds default to 0, damping to 1, ranges are per axis, later constraints override.
    tdAsset* early =
        LoadText("'extensions':{'OMI_physics_joint':{'constraints':[{'linearAxes':[0,1],'stiffness':50},"
                 "{'linearAxes':[1],'lowerLimit':-1,'upperLimit':2}]}}," PAIR
                 "{'extensions':{'OMI_physics_joint':{'constraints':[0,1],'nodeA':0,'nodeB':1}}}]");
    const tdPhysicsJointDesc* desc = &early->scene.physics->jointDescs[0];
    ENSURE_EQUAL_INT(desc->limitCount, 2);
    ENSURE_EQUAL_INT(desc->limits[0].linearAxes, TD_AXIS_X);
    ENSURE_NEAR(desc->limits[0].damping, 1.0, 0.0);
    ENSURE_NEAR(desc->limits[0].max, 0.0, 0.0);
    ENSURE_NEAR(desc->limits[0].stiffness, 50.0, 0.0);
    ENSURE_EQUAL_INT(desc->limits[1].linearAxes, TD_AXIS_Y);
    ENSURE_NEAR(desc->limits[1].min, -1.0, 0.0);
    tdDestroyAsset(early);

    // Current OMI and KHR: open ends, damping 0, norms; OMI per axis when min is negative, and soft below 1
    // N/m is hard.
    static const char limits[] = "'limits':[{'linearAxes':[0,1],'max':2,'stiffness':50},{'angularAxes':[0,1],"
                                 "'min':-1,'max':1,'stiffness':0.5}]";
    char text[1024];
    snprintf(text, sizeof(text),
             "'extensions':{'OMI_physics_joint':{'physicsJoints':[{%s}]},'" RB
             "':{'physicsJoints':[{%s}]}},'nodes':[{}]",
             limits, limits);
    tdAsset* both = LoadText(text);
    const tdPhysicsJointDesc* khr = &both->scene.physics->jointDescs[0];
    const tdPhysicsJointDesc* omi = &both->scene.physics->jointDescs[1];
    ENSURE_EQUAL_INT(khr->limitCount, 2);
    ENSURE_EQUAL_INT(khr->limits[0].linearAxes, TD_AXIS_X | TD_AXIS_Y);
    ENSURE(isinf(khr->limits[0].min) && khr->limits[0].damping == 0.0f);
    ENSURE_NEAR(khr->limits[1].stiffness, 0.5, 0.0); // always literal
    ENSURE_EQUAL_INT(omi->limitCount, 3);
    ENSURE_EQUAL_INT(omi->limits[0].linearAxes, TD_AXIS_X | TD_AXIS_Y);
    ENSURE_EQUAL_INT(omi->limits[2].angularAxes, TD_AXIS_Y);
    ENSURE(isinf(omi->limits[1].stiffness)); // 9.21
    tdDestroyAsset(both);
}

TEST_MAIN(RUN(TheSameSceneMovesTheSameInEveryDialect) RUN(DefaultsOfBodiesDiffer) RUN(DefaultsOfShapesDiffer)
              RUN(LimitsDiffer))
