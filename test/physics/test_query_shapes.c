// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of queries with and against every shape type, alone and in compounds, against formulas: extents of
// capsules, cones and hulls along a direction, and the distance of a point from each of them.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/bodies.h"

static uint32_t randomState = 11;

static double Random(double lower, double upper)
{
    randomState = randomState * 1664525u + 1013904223u;
    return lower + (upper - lower) * (double)(randomState >> 8) / 16777216.0;
}

static tdVec3 RandomVector(double size)
{
    return V(Random(-size, size), Random(-size, size), Random(-size, size));
}

static tdQuat RandomTurn(void)
{
    tdVec3 axis = RandomVector(1);
    double length = Length(axis) + 1e-9;
    return Turn((double)axis.x / length, (double)axis.y / length, (double)axis.z / length, Random(0, PI));
}

typedef enum Kind
{
    BALL,
    BOX,
    CAPSULE,
    CONE,
    HULL,
    KIND_COUNT,
} Kind;

// Sizes are integers; the hull is a box, so that its distances have a formula.
#define RADIUS 0.4
#define HEIGHT 1.2
#define BOTTOM 0.5
#define TOP 0.2
static const double boxSize[3] = {0.8, 1.4, 0.5};
static const double hullSize[3] = {1.1, 0.6, 0.9};

static tdGeometry* MakeHull(void)
{
    tdVec3 corners[8];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] = V((i & 1 ? 0.5 : -0.5) * hullSize[0], (i & 2 ? 0.5 : -0.5) * hullSize[1],
                       (i & 4 ? 0.5 : -0.5) * hullSize[2]);
    }
    tdGeometry* hull = tdCreateHullGeometry(corners, 8, NULL, NULL);
    ENSURE(hull != NULL);
    return hull;
}

static tdQueryShape MakeQuery(Kind kind, const tdGeometry* hull)
{
    switch (kind)
    {
    case BALL:
        return tdMakeSphereQuery((float)RADIUS);
    case BOX:
        return tdMakeBoxQuery(V(boxSize[0], boxSize[1], boxSize[2]));
    case CAPSULE:
        return tdMakeCapsuleQuery((float)HEIGHT, (float)BOTTOM, (float)TOP);
    case CONE:
        return tdMakeCylinderQuery((float)HEIGHT, (float)BOTTOM, (float)TOP);
    case HULL:
    case KIND_COUNT:
        break;
    }
    return tdMakeHullQuery(hull);
}

static tdShapeId MakeShape(tdWorld* world, tdBodyId body, Kind kind, tdTransform local,
                           const tdGeometry* hull)
{
    tdShapeDef def = tdDefaultShapeDef();
    def.local = local;
    switch (kind)
    {
    case BALL:
        return tdCreateSphere(world, body, &def, (float)RADIUS);
    case BOX:
        return tdCreateBox(world, body, &def, V(boxSize[0], boxSize[1], boxSize[2]));
    case CAPSULE:
        return tdCreateCapsule(world, body, &def, (float)HEIGHT, (float)BOTTOM, (float)TOP);
    case CONE:
        return tdCreateCylinder(world, body, &def, (float)HEIGHT, (float)BOTTOM, (float)TOP);
    case HULL:
    case KIND_COUNT:
        break;
    }
    return tdCreateHull(world, body, &def, hull);
}

/// Largest dot product of a point of the shape with the unit vector d, both in the shape's frame.
static double Extent(Kind kind, tdVec3 d)
{
    const double* size = kind == BOX ? boxSize : hullSize;
    double y = (double)d.y, across = sqrt((double)d.x * (double)d.x + (double)d.z * (double)d.z);
    switch (kind)
    {
    case BALL:
        return RADIUS;
    case CAPSULE:
        return fmax(0.5 * HEIGHT * y + TOP, -0.5 * HEIGHT * y + BOTTOM);
    case CONE:
        return fmax(0.5 * HEIGHT * y + TOP * across, -0.5 * HEIGHT * y + BOTTOM * across);
    case BOX:
    case HULL:
    case KIND_COUNT:
        break;
    }
    return 0.5 * (fabs((double)d.x) * size[0] + fabs(y) * size[1] + fabs((double)d.z) * size[2]);
}

static double DistanceToSegment(double px, double py, double ax, double ay, double bx, double by)
{
    double t =
        ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / ((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    t = fmin(fmax(t, 0), 1);
    return hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay));
}

/// Distance of a point, in the shape's frame, from the solid; 0 inside.
static double Distance(Kind kind, tdVec3 p)
{
    const double* size = kind == BOX ? boxSize : hullSize;
    double x = (double)p.x, y = (double)p.y, z = (double)p.z, rho = sqrt(x * x + z * z),
           least = (double)INFINITY;
    switch (kind)
    {
    case BALL:
        return fmax(Length(p) - RADIUS, 0);
    case CAPSULE:
        // The union of all spheres between the two ends.
        for (int i = 0; i <= 20000; ++i)
        {
            double t = i / 20000.0, radius = BOTTOM + t * (TOP - BOTTOM);
            least = fmin(least, hypot(rho, y - (t - 0.5) * HEIGHT) - radius);
        }
        return fmax(least, 0);
    case CONE:
        // In the half plane through the axis: a trapezoid.
        if (fabs(y) <= 0.5 * HEIGHT && rho <= BOTTOM + (y / HEIGHT + 0.5) * (TOP - BOTTOM))
        {
            return 0;
        }
        least = DistanceToSegment(rho, y, BOTTOM, -0.5 * HEIGHT, TOP, 0.5 * HEIGHT);
        least = fmin(least, DistanceToSegment(rho, y, 0, -0.5 * HEIGHT, BOTTOM, -0.5 * HEIGHT));
        return fmin(least, DistanceToSegment(rho, y, 0, 0.5 * HEIGHT, TOP, 0.5 * HEIGHT));
    case BOX:
    case HULL:
    case KIND_COUNT:
        break;
    }
    double dx = fmax(fabs(x) - 0.5 * size[0], 0), dy = fmax(fabs(y) - 0.5 * size[1], 0),
           dz = fmax(fabs(z) - 0.5 * size[2], 0);
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static tdTransform RandomPose(double size)
{
    return (tdTransform){RandomVector(size), RandomTurn()};
}

TEST(CastShapesStopAtTheirExtent)
{
    // Every type is cast onto a half-space with a random rotation: it stops when its extent against the
    // normal equals the height.
    tdGeometry* hull = MakeHull();
    for (int i = 0; i < 40; ++i)
    {
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdTransform ground = RandomPose(2);
        tdBodyId body = AddBody(world, TD_MOTION_STATIC, ground.position, ground.rotation);
        tdShapeId plane = tdCreatePlane(world, body, NULL, INFINITY, INFINITY, false);
        tdVec3 normal = tdRotate(ground.rotation, V(0, 1, 0));
        for (int kind = 0; kind < KIND_COUNT; ++kind)
        {
            tdQueryShape shape = MakeQuery((Kind)kind, hull);
            double height = Random(2, 4), depth = Random(5, 8);
            tdTransform start = {tdMulAdd(ground.position, (float)height, normal), RandomTurn()};
            tdVec3 way = tdAdd(tdScale((float)-depth, normal), tdScale(0.5f, tdPerpendicular(normal)));
            double extent = Extent((Kind)kind, tdInvRotate(start.rotation, tdNegate(normal)));
            tdQueryHit hit;
            ENSURE(tdWorld_CastShape(world, &shape, start, way, NULL, &hit));
            ENSURE_EQUAL_INT(hit.shape.index1, plane.index1);
            ENSURE_NEAR(hit.fraction, (height - extent) / depth, 2e-4);
            ENSURE_NEAR(tdDot(hit.normal, normal), 1.0, 1e-4);
            ENSURE_NEAR(tdDot(tdSub(hit.point, ground.position), normal), 0.0, 2e-3);
            // It does not reach the ground when the path is too short.
            tdVec3 shorter = tdScale((float)((height - extent) / depth * 0.98), way);
            ENSURE(!tdWorld_CastShape(world, &shape, start, shorter, NULL, &hit));
        }
        tdDestroyWorld(world);
    }
    tdDestroyGeometry(hull);
}

TEST(OverlapsAreThoseOfTheDistance)
{
    // A sphere and any other shape overlap if the sphere's centre is no farther from the other than its
    // radius, with either of the two as the query.
    tdGeometry* hull = MakeHull();
    int overlaps = 0, gaps = 0;
    for (int i = 0; i < 1500; ++i)
    {
        Kind kind = (Kind)(i % KIND_COUNT);
        tdTransform pose = RandomPose(1), ball = {RandomVector(1.2), noTurn};
        double radius = Random(0.1, 0.6);
        double distance = Distance(kind, tdInvTransformPoint(pose, ball.position)) - radius;
        if (fabs(distance) < 1e-3)
        {
            continue;
        }
        overlaps += distance < 0 ? 1 : 0;
        gaps += distance > 0 ? 1 : 0;
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        tdBodyId body = AddBody(world, TD_MOTION_STATIC, ball.position, ball.rotation);
        tdCreateSphere(world, body, NULL, (float)radius);
        tdQueryShape shape = MakeQuery(kind, hull);
        ENSURE_EQUAL_INT(tdWorld_OverlapShape(world, &shape, pose, NULL, NULL, 0), distance < 0 ? 1 : 0);
        tdDestroyWorld(world);
        world = MakeWorld(V(0, 0, 0), false);
        body = AddBody(world, TD_MOTION_STATIC, pose.position, pose.rotation);
        tdShapeId id = MakeShape(world, body, kind, (tdTransform){V(0, 0, 0), noTurn}, hull);
        tdQueryShape question = tdMakeSphereQuery((float)radius);
        tdShapeId found[2] = {{0, 0}, {0, 0}};
        ENSURE_EQUAL_INT(tdWorld_OverlapShape(world, &question, ball, NULL, found, 2), distance < 0 ? 1 : 0);
        ENSURE_EQUAL_INT(found[0].index1, distance < 0 ? id.index1 : 0);
        tdDestroyWorld(world);
    }
    ENSURE(overlaps > 200);
    ENSURE(gaps > 200);
    tdDestroyGeometry(hull);
}

#define PART_COUNT 6

typedef struct Compound
{
    tdTransform pose;               // of the body
    tdTransform locals[PART_COUNT]; // of the shapes in it
    Kind kinds[PART_COUNT];
    tdShapeId shapes[PART_COUNT];
} Compound;

static void AddCompound(tdWorld* world, Compound* compound, tdMotion motion, tdVec3 place,
                        const tdGeometry* hull)
{
    compound->pose = (tdTransform){place, RandomTurn()};
    tdBodyId body = AddBody(world, motion, compound->pose.position, compound->pose.rotation);
    for (int i = 0; i < PART_COUNT; ++i)
    {
        compound->kinds[i] = (Kind)((i + 1) % KIND_COUNT);
        compound->locals[i] = RandomPose(2.5);
        compound->shapes[i] = MakeShape(world, body, compound->kinds[i], compound->locals[i], hull);
    }
}

/// Distance of a point of the world from a part of a compound.
static double DistanceToPart(const Compound* compound, int part, tdVec3 point)
{
    tdVec3 inBody = tdInvTransformPoint(compound->pose, point);
    return Distance(compound->kinds[part], tdInvTransformPoint(compound->locals[part], inBody));
}

TEST(CompoundsAreTheirParts)
{
    tdGeometry* hull = MakeHull();
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    static Compound compounds[3];
    AddCompound(world, &compounds[0], TD_MOTION_STATIC, V(-2, 0, 1), hull);
    AddCompound(world, &compounds[1], TD_MOTION_DYNAMIC, V(2, 1, 0), hull);
    AddCompound(world, &compounds[2], TD_MOTION_KINEMATIC, V(0, -1, -2), hull);
    for (int i = 0; i < 400; ++i)
    {
        tdVec3 point = RandomVector(6);
        double reach = i % 4 == 0 ? 0.3 : 20, best = (double)INFINITY, second = (double)INFINITY;
        const Compound* bestCompound = NULL;
        int bestPart = -1, within = 0, close = 0;
        const double radius = 0.7;
        for (int c = 0; c < 3; ++c)
        {
            for (int part = 0; part < PART_COUNT; ++part)
            {
                double distance = DistanceToPart(&compounds[c], part, point);
                within += distance < radius ? 1 : 0;
                close += fabs(distance - radius) < 1e-3 ? 1 : 0;
                if (distance < best)
                {
                    second = best;
                    best = distance;
                    bestCompound = &compounds[c];
                    bestPart = part;
                }
                else
                {
                    second = fmin(second, distance);
                }
            }
        }
        tdQueryPoint closest;
        bool isFound = tdWorld_FindClosestPoint(world, point, (float)reach, NULL, &closest);
        if (fabs(best - reach) > 1e-3)
        {
            ENSURE(isFound == (best < reach));
        }
        if (isFound)
        {
            ENSURE_NEAR(closest.distance, best, 1e-3);
            ENSURE_NEAR(Length(tdSub(closest.point, point)), best, 1e-3);
            if (second > best + 2e-3)
            {
                ENSURE_EQUAL_INT(closest.shape.index1, bestCompound->shapes[bestPart].index1);
            }
        }
        if (close == 0)
        {
            tdQueryShape question = tdMakeSphereQuery((float)radius);
            tdShapeId found[3 * PART_COUNT];
            int count = tdWorld_OverlapShape(world, &question, (tdTransform){point, noTurn}, NULL, found,
                                             3 * PART_COUNT);
            ENSURE_EQUAL_INT(count, within);
            for (int k = 1; k < count; ++k)
            {
                ENSURE(found[k - 1].index1 < found[k].index1);
            }
        }
    }
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
}

TEST(RaysMeetThePartsOfCompounds)
{
    // Sphere tracing along the ray cannot pass a surface: it ends where the ray hits, or at its end.
    tdGeometry* hull = MakeHull();
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    static Compound compound;
    AddCompound(world, &compound, TD_MOTION_DYNAMIC, V(0.5, -0.5, 1), hull);
    int hits = 0;
    for (int i = 0; i < 150; ++i)
    {
        tdVec3 direction = tdNormalize(RandomVector(1));
        tdVec3 aim = tdTransformPoint(compound.pose, compound.locals[i % PART_COUNT].position);
        tdVec3 origin = tdAdd(tdMulSub(aim, 6.0f, direction), RandomVector(0.8));
        double way = 0, length = 12;
        int part = -1;
        for (int k = 0; k < 2000 && way < length; ++k)
        {
            double least = (double)INFINITY;
            for (int p = 0; p < PART_COUNT; ++p)
            {
                double distance = DistanceToPart(&compound, p, tdMulAdd(origin, (float)way, direction));
                part = distance < least ? p : part;
                least = fmin(least, distance);
            }
            if (least < 1e-4)
            {
                break;
            }
            part = -1;
            way += least;
        }
        tdQueryHit hit;
        tdRay ray = {origin, tdScale((float)length, direction)};
        bool isHit = tdWorld_CastRay(world, ray, NULL, &hit);
        if (part >= 0 && isHit)
        {
            hits += 1;
            ENSURE_NEAR((double)hit.fraction * length, way, 2e-2); // grazing rays come within 1e-4 early
            ENSURE_NEAR(DistanceToPart(&compound, part, hit.point), 0.0, 2e-3);
        }
        else if (part < 0)
        {
            ENSURE(!isHit);
        }
    }
    ENSURE(hits > 50);
    tdDestroyWorld(world);
    tdDestroyGeometry(hull);
}

TEST(TiesGoToTheLowerIndex)
{
    // Four balls in one place, with bodies in any order of creation: all are hit at once, and the lowest
    // index comes first.
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdShapeId first = {0, 0};
    for (int i = 0; i < 4; ++i)
    {
        tdBodyId body = AddBody(world, i % 2 == 0 ? TD_MOTION_DYNAMIC : TD_MOTION_STATIC, V(1, 2, 3), noTurn);
        tdShapeId shape = tdCreateSphere(world, body, NULL, 0.5f);
        first = i == 0 ? shape : first;
    }
    tdRay ray = {V(1, 5, 3), V(0, -4, 0)};
    tdQueryHit hit, hits[4];
    ENSURE(tdWorld_CastRay(world, ray, NULL, &hit));
    ENSURE_EQUAL_INT(hit.shape.index1, first.index1);
    ENSURE_NEAR(hit.fraction, 2.5 / 4, 1e-6);
    ENSURE_EQUAL_INT(tdWorld_CastRayAll(world, ray, NULL, hits, 4), 4);
    for (int i = 0; i < 4; ++i)
    {
        ENSURE_EQUAL_INT(hits[i].shape.index1, first.index1 + (uint32_t)i);
    }
    tdQueryPoint closest;
    ENSURE(tdWorld_FindClosestPoint(world, V(1, 4, 3), 10, NULL, &closest));
    ENSURE_EQUAL_INT(closest.shape.index1, first.index1);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(CastShapesStopAtTheirExtent) RUN(OverlapsAreThoseOfTheDistance) RUN(CompoundsAreTheirParts)
              RUN(RaysMeetThePartsOfCompounds) RUN(TiesGoToTheLowerIndex))
