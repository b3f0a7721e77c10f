// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Throws of every shape onto every kind of ground: sizes from 1 mm to 100 m, speeds to 3,000 m/s, any
// direction and spin. A body is lost if it ends below the surface or inside the ground; no throw may lose its
// body. TENDON_THROWS sets the throws per shape, TENDON_THROW_SEED another seed, and TENDON_THROW="SHAPE
// INDEX" traces a single throw.
#include "harness.h"

#include "geometry/hull.h"
#include "math/vecmath.h"
#include "physics/bodies.h"

#include <stdlib.h>

#define DEFAULT_THROWS 60 // per shape
#define THROW_STEPS 90
#define GRID 12 // cells of a terrain per side

typedef enum Thrown
{
    THROWN_SPHERE,
    THROWN_BOX,
    THROWN_CAPSULE,
    THROWN_TAPERED_CAPSULE,
    THROWN_CYLINDER,
    THROWN_CONE,
    THROWN_HULL,
    THROWN_COMPOUND,
    THROWN_KINDS,
} Thrown;

static const char* const thrownNames[THROWN_KINDS] = {"sphere",   "box",  "capsule", "tapered capsule",
                                                      "cylinder", "cone", "hull",    "compound"};

typedef enum Ground
{
    GROUND_PLANE,
    GROUND_BOX,
    GROUND_SLAB,
    GROUND_MESH,
    GROUND_HULL,
    GROUND_KINDS,
} Ground;

static const char* const groundNames[GROUND_KINDS] = {"plane", "box", "slab", "mesh", "hull"};

// Uniform in [0, 1): splitmix64.
static double DrawUnit(uint64_t* state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double DrawRange(uint64_t* state, double low, double high)
{
    return low + (high - low) * DrawUnit(state);
}

// Uniform in the logarithm.
static double DrawScale(uint64_t* state, double low, double high)
{
    return exp(DrawRange(state, log(low), log(high)));
}

static tdVec3 DrawDirection(uint64_t* state)
{
    double z = DrawRange(state, -1, 1), angle = DrawRange(state, 0, 2 * PI), across = sqrt(1 - z * z);
    return V(across * cos(angle), z, across * sin(angle));
}

static tdQuat DrawTurn(uint64_t* state)
{
    tdVec3 axis = DrawDirection(state);
    return Turn((double)axis.x, (double)axis.y, (double)axis.z, DrawRange(state, 0, PI));
}

typedef struct Throw
{
    Thrown thrown;
    Ground ground;
    double size, speed, spin; // m, m/s, rad/s
    double extent;            // half of the ground's width, m
    double thickness;         // of the ground, m; INFINITY: no far side
    double heights[GRID + 1][GRID + 1];
    tdHull* planes; // of a hull ground
    tdGeometry *groundGeometry, *bodyGeometry;
    tdWorld* world;
    tdBodyId body;
} Throw;

static void AddThrown(Throw* t, uint64_t* state, tdVec3 place, tdQuat turn)
{
    Material material = plain;
    material.restitution = (float)(DrawUnit(state) < 0.5 ? 0.0 : DrawUnit(state));
    tdShapeDef def = MakeShapeDef(material);
    def.restitutionCombine = TD_COMBINE_MAXIMUM;
    double s = t->size, thin = s * DrawScale(state, 0.1, 1.0), other = s * DrawScale(state, 0.1, 1.0);
    double taper = DrawRange(state, 0.1, 0.9);
    t->body = AddBody(t->world, TD_MOTION_DYNAMIC, place, turn);
    switch (t->thrown)
    {
    case THROWN_SPHERE:
        tdCreateSphere(t->world, t->body, &def, (float)(0.5 * s));
        break;
    case THROWN_BOX:
        tdCreateBox(t->world, t->body, &def, V(s, thin, other));
        break;
    case THROWN_CAPSULE:
        tdCreateCapsule(t->world, t->body, &def, (float)(s - 0.9 * thin), (float)(0.45 * thin),
                        (float)(0.45 * thin));
        break;
    case THROWN_TAPERED_CAPSULE:
        tdCreateCapsule(t->world, t->body, &def, (float)(s - 0.6 * thin), (float)(0.4 * thin),
                        (float)(0.4 * thin * taper));
        break;
    case THROWN_CYLINDER:
        tdCreateCylinder(t->world, t->body, &def, (float)thin, (float)(0.5 * other), (float)(0.5 * other));
        break;
    case THROWN_CONE:
        tdCreateCylinder(t->world, t->body, &def, (float)thin, (float)(0.5 * other),
                         DrawUnit(state) < 0.5 ? 0.0f : (float)(0.5 * other * taper));
        break;
    case THROWN_HULL:
    {
        tdVec3 points[20];
        for (int i = 0; i < 20; ++i)
        {
            tdVec3 p = DrawDirection(state);
            points[i] = V(0.5 * s * (double)p.x, 0.5 * thin * (double)p.y, 0.5 * other * (double)p.z);
        }
        t->bodyGeometry = tdCreateHullGeometry(points, 20, NULL, NULL);
        tdCreateHull(t->world, t->body, &def, t->bodyGeometry);
        break;
    }
    case THROWN_COMPOUND:
    case THROWN_KINDS: // a bar with a ball at one end and a cylinder at the other
        tdCreateBox(t->world, t->body, &def, V(s, 0.2 * s, 0.2 * s));
        def.local.position = V(-0.4 * s, 0, 0);
        tdCreateSphere(t->world, t->body, &def, (float)(0.2 * s));
        def.local.position = V(0.4 * s, 0, 0);
        tdCreateCylinder(t->world, t->body, &def, (float)(0.4 * s), (float)(0.15 * s), (float)(0.15 * s));
        break;
    }
}

static void AddMeshGround(Throw* t, uint64_t* state, tdBodyId ground, const tdShapeDef* shape)
{
    double cell = t->size * DrawScale(state, 0.3, 10), bump = DrawUnit(state) < 0.5 ? 0.0 : 0.2 * cell;
    tdVec3 positions[(GRID + 1) * (GRID + 1)];
    uint32_t indices[6 * GRID * GRID];
    t->extent = 0.5 * GRID * cell;
    int count = 0;
    for (int i = 0; i <= GRID; ++i)
    {
        for (int j = 0; j <= GRID; ++j)
        {
            t->heights[i][j] = DrawRange(state, -bump, bump);
            positions[i * (GRID + 1) + j] = V(cell * i - t->extent, t->heights[i][j], cell * j - t->extent);
        }
    }
    for (uint32_t i = 0; i < GRID; ++i)
    {
        for (uint32_t j = 0; j < GRID; ++j)
        {
            uint32_t a = i * (GRID + 1) + j, b = a + 1, c = a + GRID + 1, d = c + 1;
            const uint32_t pair[6] = {a, b, c, c, b, d};
            memcpy(indices + count, pair, sizeof(pair));
            count += 6;
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = positions;
    def.positionCount = (GRID + 1) * (GRID + 1);
    def.indices = indices;
    def.indexCount = count;
    t->groundGeometry = tdCreateMeshGeometry(&def, NULL);
    tdCreateMesh(t->world, ground, shape, t->groundGeometry);
}

static void AddGround(Throw* t, uint64_t* state)
{
    tdShapeDef def = MakeShapeDef(plain);
    t->thickness = (double)INFINITY;
    tdVec3 place = V(0, 0, 0);
    switch (t->ground)
    {
    case GROUND_BOX:
        t->extent = fmax(50, 20 * t->size);
        place.y = (float)-t->extent;
        break;
    case GROUND_SLAB:
        t->extent = t->size * DrawScale(state, 5, 200);
        t->thickness = t->size * DrawScale(state, 0.01, 1);
        place.y = (float)(-0.5 * t->thickness);
        break;
    default:
        t->extent = 50 * t->size;
        break;
    }
    tdBodyId ground = AddBody(t->world, TD_MOTION_STATIC, place, noTurn);
    switch (t->ground)
    {
    case GROUND_PLANE:
        t->extent = (double)INFINITY;
        tdCreatePlane(t->world, ground, &def, INFINITY, INFINITY, false);
        break;
    case GROUND_BOX:
        tdCreateBox(t->world, ground, &def, V(2 * t->extent, 2 * t->extent, 2 * t->extent));
        break;
    case GROUND_SLAB:
        tdCreateBox(t->world, ground, &def, V(2 * t->extent, t->thickness, 2 * t->extent));
        break;
    case GROUND_MESH:
        AddMeshGround(t, state, ground, &def);
        break;
    case GROUND_HULL:
    case GROUND_KINDS:
    {
        tdVec3 points[40];
        t->extent = t->size * DrawScale(state, 1.5, 1000);
        for (int i = 0; i < 40; ++i)
        {
            points[i] = tdScale((float)t->extent, DrawDirection(state));
        }
        t->planes = tdCookHull(points, 40, NULL, NULL);
        t->groundGeometry = tdCreateHullGeometry(points, 40, NULL, NULL);
        tdCreateHull(t->world, ground, &def, t->groundGeometry);
        break;
    }
    }
}

// Height of the surface below a point of the ground's width.
static double GetSurface(const Throw* t, tdVec3 p)
{
    if (t->ground != GROUND_MESH)
    {
        return 0.0;
    }
    double cell = 2 * t->extent / GRID;
    double x = ((double)p.x + t->extent) / cell, z = ((double)p.z + t->extent) / cell;
    int i = (int)fmin(fmax(x, 0), GRID - 1), j = (int)fmin(fmax(z, 0), GRID - 1);
    double u = x - i, v = z - j, a = t->heights[i][j], b = t->heights[i][j + 1], c = t->heights[i + 1][j],
           d = t->heights[i + 1][j + 1];
    return u + v <= 1 ? a + u * (c - a) + v * (b - a) : d + (1 - u) * (b - d) + (1 - v) * (c - d);
}

// Whether the segment between two positions of the centre meets the hull of the ground.
static bool MeetsHull(const tdHull* hull, tdVec3 from, tdVec3 to, double shrink)
{
    double enter = 0, leave = 1;
    for (int i = 0; i < hull->faceCount; ++i)
    {
        double offset = (double)hull->faces[i].offset - shrink;
        double a = DotOf(hull->faces[i].normal, from) - offset, b = DotOf(hull->faces[i].normal, to) - offset;
        if (a > 0 && b > 0)
        {
            return false;
        }
        if (a > 0)
        {
            enter = fmax(enter, a / (a - b));
        }
        else if (b > 0)
        {
            leave = fmin(leave, a / (a - b));
        }
    }
    return enter < leave;
}

// Follows the centre of mass. It gets lost where it passes the surface from above within the ground's width,
// and returns where it comes back.
static bool FollowCenter(const Throw* t, tdVec3 from, tdVec3 to, bool wasLost)
{
    if (t->ground == GROUND_HULL)
    {
        double shrink = 1e-3 * t->size;
        bool isInside = MeetsHull(t->planes, to, to, shrink);
        return isInside || (MeetsHull(t->planes, from, to, shrink) && !wasLost) ||
               (wasLost && MeetsHull(t->planes, to, to, -t->size));
    }
    if (fabs((double)to.x) > t->extent || fabs((double)to.z) > t->extent)
    {
        to.y = wasLost ? to.y : 1e6f; // beside the ground
    }
    double before = (double)from.y - GetSurface(t, from), after = (double)to.y - GetSurface(t, to);
    double part = before > 0 && after < 0 ? before / (before - after) : 0.0;
    double x = fabs((double)from.x + part * (double)(to.x - from.x)),
           z = fabs((double)from.z + part * (double)(to.z - from.z)), edge = t->extent - t->size;
    if (before > 0 && after < 0 && x < edge && z < edge)
    {
        return true;
    }
    return wasLost && after < 0;
}

// Throws one body.
// @return whether it was lost
static bool ThrowOne(int shape, int index, uint64_t seed, bool isTraced, Throw* t)
{
    uint64_t random = seed + 1000003u * (uint64_t)index + 7919u * (uint64_t)shape, *state = &random;
    DrawUnit(state);
    *t = (Throw){.thrown = (Thrown)shape, .ground = (Ground)(index % GROUND_KINDS)};
    t->size = DrawScale(state, 0.001, 100);
    t->speed = DrawScale(state, 0.1, 3000);
    t->spin = DrawUnit(state) < 0.3 ? 0.0 : fmin(DrawScale(state, 0.1, 1000), 3000 / t->size);
    t->world = MakeWorld(V(0, -GRAVITY, 0), false);
    AddGround(t, state);
    tdVec3 towards = DrawDirection(state), target = V(0, 0, 0);
    towards.y = -tdMaxFloat(fabsf(towards.y), 0.02f);
    towards = tdNormalize(towards);
    double lead = DrawRange(state, 0, 3 * STEP) * t->speed;
    tdVec3 start;
    if (t->ground == GROUND_HULL)
    {
        target = tdScale((float)(DrawRange(state, 0, 0.7) * t->extent), DrawDirection(state));
        // Back along the path to the ball around the hull.
        double along = -DotOf(target, towards), outer = t->extent + t->size;
        double back = sqrt(along * along + outer * outer - DotOf(target, target)) - along;
        start = tdMulSub(target, (float)(back + lead), towards);
    }
    else
    {
        double spread = 0.5 * (isinf(t->extent) ? 10 : t->extent);
        target = V(DrawRange(state, -spread, spread), 0, DrawRange(state, -spread, spread));
        start = tdMulSub(target, (float)lead, towards);
        double cell = 2 * t->extent / GRID;
        start.y += (float)(0.9 * t->size + (t->ground == GROUND_MESH ? 0.2 * cell : 0));
    }
    AddThrown(t, state, start, DrawTurn(state));
    tdBody_SetLinearVelocity(t->world, t->body, tdScale((float)t->speed, towards));
    tdBody_SetAngularVelocity(t->world, t->body, tdScale((float)t->spin, DrawDirection(state)));
    bool isLost = false;
    tdVec3 from = tdBody_GetWorldCenterOfMass(t->world, t->body);
    for (int i = 0; i < THROW_STEPS; ++i)
    {
        tdWorld_Step(t->world, (float)STEP);
        tdVec3 to = tdBody_GetWorldCenterOfMass(t->world, t->body);
        isLost = FollowCenter(t, from, to, isLost);
        from = to;
        if (isTraced)
        {
            tdVec3 v = tdBody_GetLinearVelocity(t->world, t->body),
                   w = tdBody_GetAngularVelocity(t->world, t->body);
            printf("%3d  (%.7g %.7g %.7g)  v (%.4g %.4g %.4g)  w (%.4g %.4g %.4g)  E %.5g%s\n", i,
                   (double)to.x, (double)to.y, (double)to.z, (double)v.x, (double)v.y, (double)v.z,
                   (double)w.x, (double)w.y, (double)w.z, Energy(t->world, t->body), isLost ? "  lost" : "");
        }
    }
    tdDestroyWorld(t->world);
    tdDestroyGeometry(t->groundGeometry);
    tdDestroyGeometry(t->bodyGeometry);
    tdFreeHull(t->planes, NULL);
    return isLost;
}

TEST(NoThrownBodyIsLost)
{
    const char *count = getenv("TENDON_THROWS"), *start = getenv("TENDON_THROW_SEED"),
               *single = getenv("TENDON_THROW");
    int throws = count != NULL ? atoi(count) : DEFAULT_THROWS;
    uint64_t seed = start != NULL ? strtoull(start, NULL, 10) : 15;
    Throw t;
    if (single != NULL)
    {
        char* end;
        long shape = strtol(single, &end, 10), index = strtol(end, NULL, 10);
        ENSURE(!ThrowOne((int)shape, (int)index, seed, true, &t));
        printf("%s on %s: size %g m, %g m/s, %g rad/s, ground %g m, %g m thick\n", thrownNames[t.thrown],
               groundNames[t.ground], t.size, t.speed, t.spin, t.extent, t.thickness);
        return;
    }
    for (int shape = 0; shape < THROWN_KINDS; ++shape)
    {
        int lost[GROUND_KINDS] = {0}, all = 0;
        for (int i = 0; i < throws; ++i)
        {
            if (ThrowOne(shape, i, seed, false, &t))
            {
                lost[t.ground] += 1;
                all += 1;
                if (all <= 10)
                {
                    printf("    %d %d: %s on %s: size %g m, %g m/s, %g rad/s, ground %g m, %g m thick\n",
                           shape, i, thrownNames[shape], groundNames[t.ground], t.size, t.speed, t.spin,
                           t.extent, t.thickness);
                }
            }
        }
        if (!ENSURE_EQUAL_INT(all, 0) || count != NULL)
        {
            printf("    %s: lost %d of %d;", thrownNames[shape], all, throws);
            for (int i = 0; i < GROUND_KINDS; ++i)
            {
                printf(" %s %d", groundNames[i], lost[i]);
            }
            printf("\n");
        }
    }
}

TEST_MAIN(RUN(NoThrownBodyIsLost))
