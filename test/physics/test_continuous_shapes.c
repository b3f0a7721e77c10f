// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of continuous collision with the shapes that test_continuous_walls.c omits: cylinders, cones, tapered
// capsules, and scaled or sheared shapes, as bullets of about 5 cm at 300 m/s and as static, kinematic or
// dynamic walls of 1 cm.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/bodies.h"

typedef enum Bullet
{
    BULLET_CYLINDER,
    BULLET_CONE,
    BULLET_TAPERED_CYLINDER,
    BULLET_TAPERED_CAPSULE,
    BULLET_SCALED_SPHERE,
    BULLET_SHEARED_BOX,
    BULLET_SHEARED_CAPSULE,
    BULLET_SHEARED_CYLINDER,
    BULLET_SHEARED_HULL,
    BULLET_MIRRORED_CONE,
    BULLET_COMPOUND,
    BULLET_KINDS,
} Bullet;

static const char* const bulletNames[BULLET_KINDS] = {
    "cylinder",      "cone",          "tapered cylinder", "tapered capsule",
    "scaled sphere", "sheared box",   "sheared capsule",  "sheared cylinder",
    "sheared hull",  "mirrored cone", "compound"};

typedef enum Wall
{
    WALL_BOX,
    WALL_HULL,
    WALL_MESH,
    WALL_PLANE,
    WALL_SCALED_BOX,
    WALL_SHEARED_BOX,
    WALL_SCALED_HULL,
    WALL_KINDS,
} Wall;

static const char* const wallNames[WALL_KINDS] = {"box",        "hull",        "mesh",       "plane",
                                                  "scaled box", "sheared box", "scaled hull"};

static const tdVec3 shear[3] = {{1.0f, 0.2f, 0.0f}, {0.0f, 0.8f, 0.3f}, {-0.3f, 0.0f, 1.1f}};
static const tdVec3 scale[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.3f, 0.0f}, {0.0f, 0.0f, 0.7f}};
static const tdVec3 mirror[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, -1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};

static void SetMatrix(tdShapeDef* def, const tdVec3* columns)
{
    def->hasMatrix = true;
    memcpy(def->matrix, columns, sizeof(def->matrix));
}

typedef struct Geometries
{
    tdGeometry *wallHull, *unitHull, *wallMesh, *smallHull;
} Geometries;

static tdGeometry* MakeBoxHull(double x, double y, double z)
{
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = V((i & 1) != 0 ? x : -x, (i & 2) != 0 ? y : -y, (i & 4) != 0 ? z : -z);
    }
    return tdCreateHullGeometry(corners, 8, NULL, NULL);
}

static Geometries MakeGeometries(void)
{
    const tdVec3 sheet[4] = {V(0, -2, -2), V(0, -2, 2), V(0, 2, -2), V(0, 2, 2)};
    const uint32_t indices[6] = {0, 1, 2, 2, 1, 3}; // facing -X, where the bullets come from
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = sheet;
    def.positionCount = 4;
    def.indices = indices;
    def.indexCount = 6;
    const tdVec3 tips[6] = {V(0.025, 0, 0),  V(-0.025, 0, 0), V(0, 0.025, 0),
                            V(0, -0.025, 0), V(0, 0, 0.025),  V(0, 0, -0.025)};
    return (Geometries){MakeBoxHull(0.005, 2, 2), MakeBoxHull(0.5, 0.5, 0.5),
                        tdCreateMeshGeometry(&def, NULL), tdCreateHullGeometry(tips, 6, NULL, NULL)};
}

static void DestroyGeometries(const Geometries* geometries)
{
    tdDestroyGeometry(geometries->wallHull);
    tdDestroyGeometry(geometries->unitHull);
    tdDestroyGeometry(geometries->wallMesh);
    tdDestroyGeometry(geometries->smallHull);
}

static tdBodyId AddBullet(tdWorld* world, Bullet kind, const Geometries* geometries, tdVec3 place,
                          tdQuat turn)
{
    tdShapeDef def = MakeShapeDef(plain);
    tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, place, turn);
    switch (kind)
    {
    case BULLET_CYLINDER:
        tdCreateCylinder(world, body, &def, 0.05f, 0.025f, 0.025f);
        break;
    case BULLET_CONE:
        tdCreateCylinder(world, body, &def, 0.05f, 0.025f, 0.0f);
        break;
    case BULLET_TAPERED_CYLINDER:
        tdCreateCylinder(world, body, &def, 0.05f, 0.025f, 0.01f);
        break;
    case BULLET_TAPERED_CAPSULE:
        tdCreateCapsule(world, body, &def, 0.03f, 0.02f, 0.008f);
        break;
    case BULLET_SCALED_SPHERE:
        SetMatrix(&def, scale);
        tdCreateSphere(world, body, &def, 0.025f);
        break;
    case BULLET_SHEARED_BOX:
        SetMatrix(&def, shear);
        tdCreateBox(world, body, &def, V(0.05, 0.05, 0.05));
        break;
    case BULLET_SHEARED_CAPSULE:
        SetMatrix(&def, shear);
        tdCreateCapsule(world, body, &def, 0.03f, 0.01f, 0.01f);
        break;
    case BULLET_SHEARED_CYLINDER:
        SetMatrix(&def, shear);
        tdCreateCylinder(world, body, &def, 0.05f, 0.025f, 0.025f);
        break;
    case BULLET_SHEARED_HULL:
        SetMatrix(&def, shear);
        tdCreateHull(world, body, &def, geometries->smallHull);
        break;
    case BULLET_MIRRORED_CONE:
        SetMatrix(&def, mirror);
        tdCreateCylinder(world, body, &def, 0.05f, 0.025f, 0.0f);
        break;
    default: // two balls and a bar
        def.local.position = V(-0.02, 0, 0);
        tdCreateSphere(world, body, &def, 0.01f);
        def.local.position = V(0.02, 0, 0);
        tdCreateSphere(world, body, &def, 0.01f);
        def.local.position = V(0, 0, 0);
        tdCreateBox(world, body, &def, V(0.05, 0.01, 0.01));
        break;
    }
    return body;
}

static tdBodyId AddWall(tdWorld* world, Wall kind, const Geometries* geometries, tdMotion motion)
{
    static const tdVec3 thin[3] = {{0.01f, 0.0f, 0.0f}, {0.0f, 4.0f, 0.0f}, {0.0f, 0.0f, 4.0f}};
    // Sheared along its plane, the wall keeps its thickness and position.
    static const tdVec3 slanted[3] = {{0.01f, 0.3f, -0.2f}, {0.0f, 4.0f, 0.5f}, {0.0f, -0.4f, 4.0f}};
    tdShapeDef def = MakeShapeDef(plain);
    tdBodyDef bodyDef = tdDefaultBodyDef();
    bodyDef.motion = motion;
    bodyDef.mass = 2000; // a sheet has none of its own
    bodyDef.inertiaDiagonal = V(5000, 2700, 2700);
    tdBodyId body = tdCreateBody(world, &bodyDef);
    switch (kind)
    {
    case WALL_BOX:
        tdCreateBox(world, body, &def, V(0.01, 4, 4));
        break;
    case WALL_HULL:
        tdCreateHull(world, body, &def, geometries->wallHull);
        break;
    case WALL_MESH:
        tdCreateMesh(world, body, &def, geometries->wallMesh);
        break;
    case WALL_PLANE:
        def.local.rotation = Turn(0, 0, 1, PI / 2); // normal towards -X
        tdCreatePlane(world, body, &def, INFINITY, INFINITY, false);
        break;
    case WALL_SCALED_BOX:
        SetMatrix(&def, thin);
        tdCreateBox(world, body, &def, V(1, 1, 1));
        break;
    case WALL_SHEARED_BOX:
        SetMatrix(&def, slanted);
        tdCreateBox(world, body, &def, V(1, 1, 1));
        break;
    default:
        SetMatrix(&def, thin);
        tdCreateHull(world, body, &def, geometries->unitHull);
        break;
    }
    return body;
}

// The pairing of wall and phase varies: eleven bullets, seven walls, three motion types, so that four phases
// cover each pair of types several times.
static void CheckShot(const Geometries* geometries, tdMotion motion, int wallKind, int bulletKind, int phase)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), true);
    tdBodyId wall = AddWall(world, (Wall)wallKind, geometries, motion);
    if (motion == TD_MOTION_KINEMATIC)
    {
        tdBody_SetLinearVelocity(world, wall, V(phase % 2 == 0 ? -20 : 20, 0, 0));
    }
    tdBodyId bullet = AddBullet(world, (Bullet)bulletKind, geometries, V(-2 - 1.27 * phase, 0.1, -0.2),
                                Turn(0.6, 0, 0.8, 0.7 * phase + 0.2 * bulletKind));
    tdBody_SetLinearVelocity(world, bullet, V(300, 0, 10));
    tdBody_SetAngularVelocity(world, bullet, V(0, 20, 5));
    double nearest = -10;
    for (int i = 0; i < 8; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        tdVec3 place =
            tdInvTransformPoint(tdBody_GetTransform(world, wall), tdBody_GetWorldCenterOfMass(world, bullet));
        if (fabs((double)place.y) > 1.5 || fabs((double)place.z) > 1.5)
        {
            break; // deflected sideways it may pass around the wall
        }
        nearest = fmax(nearest, (double)place.x);
    }
    // It reached the wall, and its centre never passed the middle of it. A bullet that spins away at 1,700
    // rad/s turns by several rad per sub-step and may be a millimetre deeper.
    if (!ENSURE(nearest < 0.001 && nearest > -0.3))
    {
        printf("    %s through a %s, motion %d, phase %d: came to x = %g\n", bulletNames[bulletKind],
               wallNames[wallKind], (int)motion, phase, nearest);
    }
    tdDestroyWorld(world);
}

TEST(BulletsOfEveryShapeStopAtWallsOfEveryShape)
{
    static const tdMotion motions[3] = {TD_MOTION_STATIC, TD_MOTION_KINEMATIC, TD_MOTION_DYNAMIC};
    Geometries geometries = MakeGeometries();
    for (int m = 0; m < 3; ++m)
    {
        for (int wall = 0; wall < WALL_KINDS; ++wall)
        {
            for (int bullet = 0; bullet < BULLET_KINDS; ++bullet)
            {
                for (int phase = 0; phase < 4; ++phase)
                {
                    CheckShot(&geometries, motions[m], wall, bullet, phase);
                }
            }
        }
    }
    DestroyGeometries(&geometries);
}

// Without continuous collision the same shots pass: the walls are thin enough to be missed.
TEST(WithoutContinuousCollisionTheyPass)
{
    Geometries geometries = MakeGeometries();
    int passed = 0, shots = 0;
    for (int bullet = 0; bullet < BULLET_KINDS; ++bullet)
    {
        for (int phase = 0; phase < 4; ++phase)
        {
            tdWorld* world = MakeWorld(V(0, 0, 0), true);
            tdWorld_EnableContinuous(world, false);
            AddWall(world, WALL_SCALED_BOX, &geometries, TD_MOTION_STATIC);
            tdBodyId body =
                AddBullet(world, (Bullet)bullet, &geometries, V(-2 - 1.27 * phase, 0.1, -0.2), noTurn);
            tdBody_SetLinearVelocity(world, body, V(300, 0, 10));
            StepFor(world, 8 * STEP);
            passed += Position(world, body).x > 1.0f ? 1 : 0;
            shots += 1;
            tdDestroyWorld(world);
        }
    }
    ENSURE(passed > shots * 9 / 10);
    DestroyGeometries(&geometries);
}

// A free rod of four metres rotates by half a radian per step, so its ends move a metre. A post of 5 cm is in
// the way. In the axes of the rod the post starts below it and must never appear above. After the hit the rod
// continues around the post; a spin about its own length must not carry it through.
TEST(RodsOfEveryShapeDoNotSwingThrough)
{
    static const char* const names[] = {"box",  "capsule",         "cylinder",   "ellipsoid",
                                        "cone", "tapered capsule", "sheared box"};
    static const tdVec3 stretched[3] = {{0.02f, 0.0f, 0.0f}, {0.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 0.02f}};
    static const tdVec3 slanted[3] = {{0.04f, 0.01f, 0.0f}, {0.005f, 4.0f, 0.0f}, {0.0f, 0.0f, 0.04f}};
    const double at = 1.8;
    for (int kind = 0; kind < 7; ++kind)
    {
        for (int phase = 0; phase < 12; ++phase)
        {
            tdWorld* world = MakeWorld(V(0, 0, 0), true);
            tdBodyId rod = AddBody(world, TD_MOTION_DYNAMIC, V(0, 0, 0), Turn(0, 0, 1, 0.25 + 0.06 * phase));
            tdShapeDef def = MakeShapeDef(plain);
            def.local.rotation = Turn(0, 0, 1, -PI / 2); // +Y of the shape along +X
            switch (kind)
            {
            case 0:
                tdCreateBox(world, rod, &def, V(0.04, 4, 0.04));
                break;
            case 1:
                tdCreateCapsule(world, rod, &def, 3.96f, 0.02f, 0.02f);
                break;
            case 2:
                tdCreateCylinder(world, rod, &def, 4.0f, 0.02f, 0.02f);
                break;
            case 3:
                SetMatrix(&def, stretched);
                tdCreateSphere(world, rod, &def, 1.0f);
                break;
            case 4:
                tdCreateCylinder(world, rod, &def, 4.0f, 0.03f, 0.0f);
                break;
            case 5:
                tdCreateCapsule(world, rod, &def, 3.96f, 0.03f, 0.015f);
                break;
            default:
                SetMatrix(&def, slanted);
                tdCreateBox(world, rod, &def, V(1, 1, 1));
                break;
            }
            AddBox(world, TD_MOTION_STATIC, V(at, 0, 0), noTurn, V(0.05, 0.05, 1), plain);
            tdBody_SetAngularVelocity(world, rod, V(0, 0, -30));
            bool isAbove = false, isMet = false;
            for (int i = 0; i < 4; ++i)
            {
                tdWorld_Step(world, (float)STEP);
                tdVec3 post = tdInvTransformPoint(tdBody_GetTransform(world, rod), V(at, 0, 0));
                isAbove = isAbove || (fabsf(post.x) < 1.92f && post.y > 0.0f);
                isMet = isMet || fabsf(tdBody_GetAngularVelocity(world, rod).z) < 25.0f;
            }
            if (!ENSURE(isMet) || !ENSURE(!isAbove))
            {
                printf("    %s, phase %d\n", names[kind], phase);
            }
            tdDestroyWorld(world);
        }
    }
}

TEST_MAIN(RUN(BulletsOfEveryShapeStopAtWallsOfEveryShape) RUN(WithoutContinuousCollisionTheyPass)
              RUN(RodsOfEveryShapeDoNotSwingThrough))
