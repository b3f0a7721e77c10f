// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of queries against formulas and brute force, with filters, in batches and from several threads at
// once.
#include "harness.h"

#include "base/platform.h"
#include "math/vecmath.h"
#include "physics/broad_phase/query_tree.h"
#include "physics/data/world_data.h"

#include "tendon/physics.h"

#include <stdlib.h>

#define SPHERE_COUNT 80

static uint32_t randomState = 3;

static float Random(float lower, float upper)
{
    randomState = randomState * 1664525u + 1013904223u;
    return lower + (upper - lower) * ((float)(randomState >> 8) / 16777216.0f);
}

static tdVec3 RandomPoint(float size)
{
    return (tdVec3){Random(-size, size), Random(-size, size), Random(-size, size)};
}

typedef struct Scene
{
    tdWorld* world;
    tdVec3 centers[SPHERE_COUNT];
    float radii[SPHERE_COUNT];
    tdShapeId shapes[SPHERE_COUNT];
} Scene;

// Spheres, so that every result has a formula.
static void MakeScene(Scene* scene)
{
    scene->world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    for (int i = 0; i < SPHERE_COUNT; ++i)
    {
        scene->centers[i] = RandomPoint(8.0f);
        scene->radii[i] = Random(0.2f, 1.0f);
        def.motion = (tdMotion)(i % 3);
        def.transform.position = scene->centers[i];
        def.gravityFactor = 0.0f;
        tdBodyId body = tdCreateBody(scene->world, &def);
        scene->shapes[i] = tdCreateSphere(scene->world, body, NULL, scene->radii[i]);
    }
}

// Fraction at which a ray hits a sphere, 2 if it misses; 0 from inside.
static float HitBall(tdRay ray, tdVec3 center, float radius)
{
    double mx = (double)ray.origin.x - (double)center.x, my = (double)ray.origin.y - (double)center.y,
           mz = (double)ray.origin.z - (double)center.z;
    double dx = (double)ray.translation.x, dy = (double)ray.translation.y, dz = (double)ray.translation.z;
    double a = dx * dx + dy * dy + dz * dz, b = mx * dx + my * dy + mz * dz;
    double c = mx * mx + my * my + mz * mz - (double)radius * (double)radius;
    if (c <= 0.0)
    {
        return 0.0f;
    }
    double root = b * b - a * c;
    double t = root >= 0.0 ? (-b - sqrt(root)) / a : 2.0;
    return t >= 0.0 && t <= 1.0 ? (float)t : 2.0f;
}

TEST(RaysMeetSpheres)
{
    static Scene scene;
    MakeScene(&scene);
    int hitCount = 0;
    for (int i = 0; i < 300; ++i)
    {
        tdRay ray = {RandomPoint(12.0f), RandomPoint(20.0f)};
        float expected = 2.0f;
        int all = 0;
        for (int j = 0; j < SPHERE_COUNT; ++j)
        {
            float t = HitBall(ray, scene.centers[j], scene.radii[j]);
            expected = tdMinFloat(expected, t);
            all += t <= 1.0f ? 1 : 0;
        }
        tdQueryHit hit, hits[SPHERE_COUNT];
        bool isHit = tdWorld_CastRay(scene.world, ray, NULL, &hit);
        ENSURE(isHit == (expected <= 1.0f));
        int count = tdWorld_CastRayAll(scene.world, ray, NULL, hits, SPHERE_COUNT);
        ENSURE_EQUAL_INT(count, all);
        if (!isHit)
        {
            ENSURE_EQUAL_INT(hit.shape.index1, 0);
            continue;
        }
        hitCount += 1;
        ENSURE_NEAR(hit.fraction, expected, 1e-4);
        ENSURE(hits[0].fraction == hit.fraction && hits[0].shape.index1 == hit.shape.index1);
        for (int j = 1; j < count; ++j)
        {
            ENSURE(hits[j - 1].fraction <= hits[j].fraction);
        }
        // With room for two, only the nearest two are kept.
        tdQueryHit two[2];
        ENSURE_EQUAL_INT(tdWorld_CastRayAll(scene.world, ray, NULL, two, 2), all);
        ENSURE(all < 2 || two[1].shape.index1 == hits[1].shape.index1);
        if (hit.fraction > 0.0f)
        {
            int ball = (int)hit.shape.index1 - 1;
            tdVec3 normal = tdScale(1.0f / scene.radii[ball], tdSub(hit.point, scene.centers[ball]));
            ENSURE_NEAR(tdDot(normal, hit.normal), 1.0f, 1e-3);
        }
    }
    ENSURE(hitCount > 20);
    tdDestroyWorld(scene.world);
}

TEST(ShapeCastIsARayAgainstLargerBalls)
{
    static Scene scene;
    MakeScene(&scene);
    tdQueryShape shape = tdMakeSphereQuery(0.4f);
    for (int i = 0; i < 200; ++i)
    {
        tdRay ray = {RandomPoint(12.0f), RandomPoint(20.0f)};
        float expected = 2.0f;
        for (int j = 0; j < SPHERE_COUNT; ++j)
        {
            expected = tdMinFloat(expected, HitBall(ray, scene.centers[j], scene.radii[j] + 0.4f));
        }
        tdQueryHit hit;
        bool isHit = tdWorld_CastShape(scene.world, &shape, (tdTransform){ray.origin, tdQuat_identity},
                                       ray.translation, NULL, &hit);
        // A cast stops within a small tolerance of contact: 5 mm of path distinguish hits from misses.
        float slack = 0.005f / tdLength(ray.translation);
        ENSURE(isHit == (expected <= 1.0f) || tdAbsFloat(expected - 1.0f) < slack || expected > 1.0f);
        if (isHit && expected <= 1.0f)
        {
            ENSURE_NEAR(hit.fraction, expected, slack);
        }
    }
    tdDestroyWorld(scene.world);
}

TEST(OverlapAndClosestPoint)
{
    static Scene scene;
    MakeScene(&scene);
    for (int i = 0; i < 100; ++i)
    {
        tdVec3 point = RandomPoint(10.0f);
        float radius = Random(0.1f, 4.0f);
        tdQueryShape shape = tdMakeSphereQuery(radius);
        tdShapeId found[SPHERE_COUNT];
        int count = tdWorld_OverlapShape(scene.world, &shape, (tdTransform){point, tdQuat_identity}, NULL,
                                         found, SPHERE_COUNT);
        int expected = 0;
        float nearest = 1.0e9f;
        for (int j = 0; j < SPHERE_COUNT; ++j)
        {
            float distance = tdMaxFloat(tdDistance(point, scene.centers[j]) - scene.radii[j], 0.0f);
            nearest = tdMinFloat(nearest, distance);
            if (tdAbsFloat(distance - radius) < 1.0e-4f)
            {
                expected = -1; // too close to decide
                break;
            }
            if (distance < radius)
            {
                ENSURE(expected < count && found[expected].index1 == scene.shapes[j].index1);
                expected += 1;
            }
        }
        ENSURE(expected < 0 || expected == count);
        tdQueryPoint closest;
        bool isFound = tdWorld_FindClosestPoint(scene.world, point, 3.0f, NULL, &closest);
        if (expected >= 0)
        {
            ENSURE(isFound == (nearest <= 3.0f));
            ENSURE(!isFound || tdAbsFloat(closest.distance - nearest) < 1.0e-4f);
            ENSURE(!isFound || tdAbsFloat(tdDistance(closest.point, point) - nearest) < 1.0e-3f);
        }
    }
    tdDestroyWorld(scene.world);
}

TEST(FiltersSelectShapes)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    tdShapeDef shapeDef = tdDefaultShapeDef();
    uint32_t one = 1;
    tdFilterId ones =
        tdCreateFilter(world, &(tdFilterDef){.collisionSystems = &one, .collisionSystemCount = 1});
    tdFilterId notOnes =
        tdCreateFilter(world, &(tdFilterDef){.notCollideWith = &one, .notCollideWithCount = 1});
    tdBodyId bodies[4];
    for (int i = 0; i < 4; ++i)
    {
        def.transform.position.x = 2.0f * (float)i;
        def.motion = i == 1 ? TD_MOTION_DYNAMIC : i == 2 ? TD_MOTION_KINEMATIC : TD_MOTION_STATIC;
        bodies[i] = tdCreateBody(world, &def);
        shapeDef.isTrigger = i == 3;
        shapeDef.filter = i == 0 ? ones : (tdFilterId){0};
        tdCreateSphere(world, bodies[i], &shapeDef, 0.5f);
    }
    tdRay ray = {{-2.0f, 0.0f, 0.0f}, {20.0f, 0.0f, 0.0f}};
    tdQueryHit hits[4];
    tdQueryFilter filter = tdDefaultQueryFilter();
    ENSURE_EQUAL_INT(tdWorld_CastRayAll(world, ray, &filter, hits, 4), 3);
    filter.includeTriggers = true;
    ENSURE_EQUAL_INT(tdWorld_CastRayAll(world, ray, &filter, hits, 4), 4);
    filter.ignoreBody = bodies[0];
    ENSURE(tdWorld_CastRay(world, ray, &filter, hits) && hits[0].body.index1 == bodies[1].index1);
    filter.ignoreDynamic = true;
    ENSURE(tdWorld_CastRay(world, ray, &filter, hits) && hits[0].body.index1 == bodies[2].index1);
    filter = tdDefaultQueryFilter();
    filter.filter = notOnes;
    ENSURE(tdWorld_CastRay(world, ray, &filter, hits) && hits[0].body.index1 == bodies[1].index1);
    filter.ignoreKinematic = filter.ignoreDynamic = filter.ignoreStatic = true;
    ENSURE(!tdWorld_CastRay(world, ray, &filter, hits));
    tdDestroyWorld(world);
}

TEST(QueriesFindUnboundedPlanes)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    def.transform.position.y = 1.0f;
    tdCreatePlane(world, tdCreateBody(world, &def), NULL, INFINITY, INFINITY, false);
    tdQueryHit hit;
    ENSURE(tdWorld_CastRay(world, (tdRay){{500.0f, 3.0f, 500.0f}, {0.0f, -4.0f, 0.0f}}, NULL, &hit));
    ENSURE_NEAR(hit.fraction, 0.5f, 1e-5);
    ENSURE_NEAR(hit.normal.y, 1.0f, 1e-6);
    tdQueryPoint closest;
    ENSURE(tdWorld_FindClosestPoint(world, (tdVec3){7.0f, 3.0f, 0.0f}, 5.0f, NULL, &closest));
    ENSURE_NEAR(closest.distance, 2.0f, 1e-5);
    tdQueryShape box = tdMakeBoxQuery((tdVec3){1.0f, 1.0f, 1.0f});
    tdShapeId found;
    ENSURE_EQUAL_INT(tdWorld_OverlapShape(world, &box, (tdTransform){{0.0f, 1.4f, 0.0f}, tdQuat_identity},
                                          NULL, &found, 1),
                     1);
    ENSURE_EQUAL_INT(tdWorld_OverlapShape(world, &box, (tdTransform){{0.0f, 1.6f, 0.0f}, tdQuat_identity},
                                          NULL, &found, 1),
                     0);
    tdDestroyWorld(world);
}

typedef struct Asker
{
    const Scene* scene;
    const tdRay* rays;
    const tdQueryHit* expected;
    int count, differences;
} Asker;

static void Ask(void* context)
{
    Asker* asker = context;
    for (int i = 0; i < asker->count; ++i)
    {
        tdQueryHit hit;
        tdWorld_CastRay(asker->scene->world, asker->rays[i], NULL, &hit);
        asker->differences += hit.shape.index1 != asker->expected[i].shape.index1 ? 1 : 0;
    }
}

TEST(BatchesAndThreadsAgree)
{
    static Scene scene;
    MakeScene(&scene);
    tdRay rays[200];
    tdQueryHit hits[200];
    for (int i = 0; i < 200; ++i)
    {
        rays[i] = (tdRay){RandomPoint(12.0f), RandomPoint(20.0f)};
    }
    tdWorld_CastRays(scene.world, rays, 200, NULL, hits);
    Asker askers[3];
    tdThread threads[3];
    for (int i = 0; i < 3; ++i)
    {
        askers[i] = (Asker){&scene, rays, hits, 200, 0};
        ENSURE(tdThread_Start(&threads[i], Ask, &askers[i]));
    }
    for (int i = 0; i < 3; ++i)
    {
        tdThread_Join(&threads[i]);
        ENSURE_EQUAL_INT(askers[i].differences, 0);
    }
    tdDestroyWorld(scene.world);
}

// A hilly mesh of 2 x 24 x 24 triangles, 12 m wide.
static tdGeometry* MakeHills(void)
{
    static tdVec3 points[25 * 25];
    static uint32_t indices[24 * 24 * 6];
    int count = 0;
    for (int i = 0; i < 25 * 25; ++i)
    {
        float x = 0.5f * (float)(i % 25) - 6.0f, z = 0.5f * (float)(i / 25) - 6.0f;
        points[i] = (tdVec3){x, 0.1f * x * x - 0.07f * z * z, z};
    }
    for (uint32_t i = 0; i < 24 * 24; ++i)
    {
        uint32_t a = i / 24 * 25 + i % 24, b = a + 1, c = a + 25, d = c + 1;
        const uint32_t corners[6] = {a, c, b, b, c, d};
        memcpy(indices + count, corners, sizeof(corners));
        count += 6;
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = points;
    def.positionCount = 25 * 25;
    def.indices = indices;
    def.indexCount = count;
    return tdCreateMeshGeometry(&def, NULL);
}

TEST(CoherentBatchesEqualSingleRays)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.gravity = (tdVec3){0.0f, 0.0f, 0.0f};
    tdWorld* world = tdCreateWorld(&worldDef);
    tdGeometry* hills = MakeHills();
    tdBodyDef def = tdDefaultBodyDef();
    tdCreateMesh(world, tdCreateBody(world, &def), NULL, hills);
    def.transform.position.y = -5.0f;
    tdCreatePlane(world, tdCreateBody(world, &def), NULL, INFINITY, INFINITY, false);
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 40; ++i)
    {
        def.transform.position = (tdVec3){(float)(i % 8) - 3.5f, 5.0f, 1.3f * (float)(i / 8) - 2.5f};
        tdBodyId body = tdCreateBody(world, &def);
        for (int k = 0; k < (i % 4 == 0 ? 9 : 1); ++k)
        {
            tdShapeDef part = tdDefaultShapeDef();
            part.local.position = (tdVec3){0.1f * (float)k, 0.12f * (float)(k % 3), 0.0f};
            tdCreateBox(world, body, &part, (tdVec3){0.3f, 0.2f, 0.4f});
        }
    }
    ENSURE(tdWorld_Step(world, 0.0f)); // gives the compounds their trees
    enum
    {
        SIDE = 60
    };
    static tdRay rays[SIDE * SIDE + 3];
    static tdQueryHit hits[SIDE * SIDE + 3];
    int count = SIDE * SIDE + 3, found = 0, triangles = 0;
    for (int i = 0; i < count; ++i)
    {
        // Rays through vertices and edges of the mesh among them, and some that end early.
        tdVec3 origin = {0.25f * (float)(i % SIDE) - 7.5f, 9.0f, 0.25f * (float)(i / SIDE) - 7.5f};
        rays[i] = (tdRay){origin, {i % 3 == 0 ? 0.0f : 0.7f, i % 7 == 0 ? -3.0f : -16.0f, 0.3f}};
    }
    tdWorld_CastRays(world, rays, count, NULL, hits);
    for (int i = 0; i < count; ++i)
    {
        tdQueryHit hit;
        found += tdWorld_CastRay(world, rays[i], NULL, &hit) ? 1 : 0;
        triangles += hit.triangle != 0 ? 1 : 0;
        ENSURE(memcmp(&hit, &hits[i], sizeof(hit)) == 0);
    }
    ENSURE(found > 2000 && triangles > 500);
    tdDestroyWorld(world);
    tdDestroyGeometry(hills);
}

enum
{
    QUERY_COUNT = 150,
    MIXED_COUNT = 120
};

typedef struct Answers
{
    tdQueryHit rays[QUERY_COUNT], casts[QUERY_COUNT], batch[QUERY_COUNT];
    tdShapeId overlaps[QUERY_COUNT][16];
    tdQueryPoint points[QUERY_COUNT];
} Answers;

// Move the last two bodies to where they are, which makes the query trees stale.
static void TouchTrees(tdWorld* world, const tdBodyId* bodies)
{
    for (int i = MIXED_COUNT - 2; i < MIXED_COUNT; ++i)
    {
        tdBody_SetTransform(world, bodies[i], tdBody_GetTransform(world, bodies[i]));
    }
}

static int GetQueryState(const tdWorld* world, tdAabbTreeKind kind)
{
    return atomic_load(&world->trees[kind].queryState);
}

// @param touched NULL: the trees stay as they are
static void AskAll(tdWorld* world, const tdBodyId* touched, Answers* answers)
{
    randomState = 17;
    memset(answers, 0, sizeof(*answers));
    tdQueryShape box = tdMakeBoxQuery((tdVec3){0.6f, 0.9f, 0.7f});
    for (int i = 0; i < QUERY_COUNT; ++i)
    {
        if (touched != NULL)
        {
            TouchTrees(world, touched);
        }
        tdRay ray = {RandomPoint(9.0f), RandomPoint(12.0f)};
        tdTransform start = {ray.origin, {0.0f, 0.0f, 0.0f, 1.0f}};
        tdWorld_CastRay(world, ray, NULL, &answers->rays[i]);
        tdWorld_CastShape(world, &box, start, ray.translation, NULL, &answers->casts[i]);
        tdWorld_OverlapShape(world, &box, start, NULL, answers->overlaps[i], 16);
        tdWorld_FindClosestPoint(world, ray.origin, 3.0f, NULL, &answers->points[i]);
        tdRay near[4];
        for (int k = 0; k < 4; ++k)
        {
            near[k] = ray;
            near[k].origin.x += 0.01f * (float)k;
        }
        tdQueryHit hits[4];
        tdWorld_CastRays(world, near, 4, NULL, hits);
        answers->batch[i] = hits[i % 4];
        ENSURE(memcmp(&hits[0], &answers->rays[i], sizeof(hits[0])) == 0);
        bool isReady = GetQueryState(world, TD_AABB_TREE_DYNAMIC) == TD_QUERY_TREE_READY &&
                       GetQueryState(world, TD_AABB_TREE_STATIC) == TD_QUERY_TREE_READY;
        ENSURE(isReady == (touched == NULL));
    }
}

TEST(QueryTreesGiveTheSameAnswers)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyDef def = tdDefaultBodyDef();
    tdBodyId bodies[MIXED_COUNT];
    for (int i = 0; i < MIXED_COUNT; ++i)
    {
        def.motion = i % 2 == 0 ? TD_MOTION_STATIC : TD_MOTION_DYNAMIC;
        def.linearVelocity = RandomPoint(2.0f);
        def.transform.position = RandomPoint(8.0f);
        def.transform.rotation = tdNormalizeQuat(
            (tdQuat){Random(-1.0f, 1.0f), Random(-1.0f, 1.0f), Random(-1.0f, 1.0f), Random(0.1f, 1.0f)});
        bodies[i] = tdCreateBody(world, &def);
        for (int k = 0; k < (i % 10 == 1 ? 8 : 1); ++k) // compounds among them
        {
            tdShapeDef part = tdDefaultShapeDef();
            part.local.position.x = 0.4f * (float)k;
            if (i % 3 == 0)
            {
                tdCreateBox(world, bodies[i], &part, (tdVec3){0.7f, 0.4f, 1.1f});
            }
            else if (i % 3 == 1)
            {
                tdCreateCapsule(world, bodies[i], &part, 0.8f, 0.3f, 0.2f);
            }
            else
            {
                tdCreateCylinder(world, bodies[i], &part, 0.8f, 0.3f, 0.2f);
            }
        }
    }
    static Answers first, second;
    for (int round = 0; round < 3; ++round)
    {
        ENSURE(tdWorld_Step(world, 1.0f / 60.0f)); // bodies leave their tight boxes, not their fat ones
        ENSURE(GetQueryState(world, TD_AABB_TREE_DYNAMIC) >= 0);
        AskAll(world, bodies, &first);
        static tdRay rays[MIXED_COUNT];
        static tdQueryHit hits[MIXED_COUNT];
        tdWorld_CastRays(world, rays, MIXED_COUNT, NULL, hits); // builds the trees
        AskAll(world, NULL, &second);
        ENSURE(memcmp(&first, &second, sizeof(first)) == 0);
    }
    size_t size = tdWorld_SaveState(world, NULL, 0);
    void* state = malloc(size);
    ENSURE(state != NULL && tdWorld_SaveState(world, state, size) == size);
    ENSURE(tdWorld_LoadState(world, state, size));
    ENSURE(GetQueryState(world, TD_AABB_TREE_STATIC) >= 0);
    free(state);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(RaysMeetSpheres) RUN(ShapeCastIsARayAgainstLargerBalls) RUN(OverlapAndClosestPoint)
              RUN(FiltersSelectShapes) RUN(QueriesFindUnboundedPlanes) RUN(BatchesAndThreadsAgree)
                  RUN(CoherentBatchesEqualSingleRays) RUN(QueryTreesGiveTheSameAnswers))
