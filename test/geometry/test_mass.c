// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of mass properties of every shape type against integration over a fine grid of cells, classified by
// the slow support reference or by the shape's inequality, and of bounding boxes and spheres against sampled
// supports.
#include "harness.h"
#include "reference.h"

#include "geometry/bounds.h"
#include "geometry/mass.h"
#include "geometry/support.h"
#include "geometry/triangles.h"

/// Point in the shape's own frame, before its matrix.
static bool IsInside(const tdShapeGeometry* shape, RefVec p)
{
    double rr = p.x * p.x + p.z * p.z;
    switch (shape->kind)
    {
    case TD_SHAPE_SPHERE:
        return rr + p.y * p.y <= (double)shape->sphere.radius * (double)shape->sphere.radius;
    case TD_SHAPE_BOX:
        return fabs(p.x) <= (double)shape->box.halfSize.x && fabs(p.y) <= (double)shape->box.halfSize.y &&
               fabs(p.z) <= (double)shape->box.halfSize.z;
    case TD_SHAPE_CYLINDER:
    {
        double h = (double)shape->cylinder.halfHeight, t = (p.y + h) / (2.0 * h);
        double r = (double)shape->cylinder.radiusBottom * (1.0 - t) + (double)shape->cylinder.radiusTop * t;
        return t >= 0.0 && t <= 1.0 && rr <= r * r;
    }
    case TD_SHAPE_CAPSULE:
    {
        // Union of all balls along the axis: ternary search for the best one on a concave function.
        double h = (double)shape->capsule.halfHeight, low = 0.0, high = 1.0;
        double rb = (double)shape->capsule.radiusBottom, rt = (double)shape->capsule.radiusTop;
        for (int i = 0; i < 60; ++i)
        {
            double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
            double ya = p.y - (2.0 * a - 1.0) * h, yb = p.y - (2.0 * b - 1.0) * h;
            double fa = rb + (rt - rb) * a - sqrt(rr + ya * ya), fb = rb + (rt - rb) * b - sqrt(rr + yb * yb);
            if (fa > fb)
            {
                high = b;
            }
            else
            {
                low = a;
            }
        }
        double y = p.y - (low + high - 1.0) * h;
        return rb + (rt - rb) * 0.5 * (low + high) >= sqrt(rr + y * y);
    }
    case TD_SHAPE_HULL:
        for (int i = 0; i < shape->hull->faceCount; ++i)
        {
            if (RefDot(RefOf(shape->hull->faces[i].normal), p) > (double)shape->hull->faces[i].offset)
            {
                return false;
            }
        }
        return true;
    default:
        return false;
    }
}

/// One random point in each of N^3 cells of the box [-1, 1]^3: only surface cells contribute an error.
static void CheckMass(tdShapeGeometry shape, double tolerance)
{
    enum
    {
        N = 44
    };
    double volume = 0.0, first[3] = {0}, second[6] = {0}, cell = 2.0 / N;
    tdMat3 m = shape.hasMatrix ? shape.matrix : tdMat3_identity;
    double scale = fabs((double)tdDeterminant(m));
    for (int i = 0; i < N * N * N; ++i)
    {
        double jx = (double)RefRandom(), jy = (double)RefRandom(), jz = (double)RefRandom();
        RefVec p = {cell * (i % N + jx) - 1.0, cell * (i / N % N + jy) - 1.0, cell * (i / N / N + jz) - 1.0};
        if (!IsInside(&shape, p))
        {
            continue;
        }
        RefVec cx = RefOf(m.cx), cy = RefOf(m.cy), cz = RefOf(m.cz);
        RefVec q = {cx.x * p.x + cy.x * p.y + cz.x * p.z, cx.y * p.x + cy.y * p.y + cz.y * p.z,
                    cx.z * p.x + cy.z * p.y + cz.z * p.z};
        q = RefRotate(shape.local.rotation, q, 0);
        q.x += (double)shape.local.position.x;
        q.y += (double)shape.local.position.y;
        q.z += (double)shape.local.position.z;
        double w = scale * cell * cell * cell;
        volume += w;
        first[0] += w * q.x;
        first[1] += w * q.y;
        first[2] += w * q.z;
        second[0] += w * q.x * q.x;
        second[1] += w * q.y * q.y;
        second[2] += w * q.z * q.z;
        second[3] += w * q.x * q.y;
        second[4] += w * q.x * q.z;
        second[5] += w * q.y * q.z;
    }
    double x = first[0] / volume, y = first[1] / volume, z = first[2] / volume;
    double xx = second[0] - volume * x * x, yy = second[1] - volume * y * y, zz = second[2] - volume * z * z;
    double xy = second[3] - volume * x * y, xz = second[4] - volume * x * z, yz = second[5] - volume * y * z;
    tdMassData data = tdComputeMassData(&shape, 2.0f);
    ENSURE_NEAR(data.mass, 2.0 * volume, tolerance * 2.0 * volume);
    ENSURE_NEAR(data.center.x, x, tolerance);
    ENSURE_NEAR(data.center.y, y, tolerance);
    ENSURE_NEAR(data.center.z, z, tolerance);
    double size = 2.0 * (xx + yy + zz);
    ENSURE_NEAR(data.inertia.cx.x, 2.0 * (yy + zz), tolerance * size);
    ENSURE_NEAR(data.inertia.cy.y, 2.0 * (xx + zz), tolerance * size);
    ENSURE_NEAR(data.inertia.cz.z, 2.0 * (xx + yy), tolerance * size);
    ENSURE_NEAR(data.inertia.cy.x, -2.0 * xy, tolerance * size);
    ENSURE_NEAR(data.inertia.cz.x, -2.0 * xz, tolerance * size);
    ENSURE_NEAR(data.inertia.cz.y, -2.0 * yz, tolerance * size);
    ENSURE(data.inertia.cx.y == data.inertia.cy.x && data.inertia.cx.z == data.inertia.cz.x);
}

static tdShapeGeometry Turned(tdShapeGeometry shape)
{
    shape.local = (tdTransform){{0.3f, -0.2f, 0.5f}, tdNormalizeQuat((tdQuat){0.2f, 0.5f, -0.3f, 0.8f})};
    return shape;
}

TEST(MassEqualsIntegration)
{
    refRandomState = 12;
    tdHull* hull = RefRandomHull(24, 0.9f);
    tdShapeGeometry hullShape = RefPlainShape(TD_SHAPE_HULL);
    hullShape.hull = hull;
    tdMat3 sheared = {{1.1f, 0.2f, 0.0f}, {-0.3f, 0.7f, 0.1f}, {0.0f, 0.1f, 0.9f}};
    // A ball with a radius of 22 cells has 6,000 surface cells out of 44,000: random rounding leaves about
    // 0.3 %.
    double tolerance = 6.0e-3;
    tdShapeGeometry shapes[8] = {RefSphere(0.9f),
                                 RefBox(0.75f, 0.5f, 0.25f),
                                 RefCapsule(0.5f, 0.4f, 0.4f),
                                 RefCapsule(0.4f, 0.5f, 0.2f),
                                 RefCylinder(0.8f, 0.6f, 0.6f),
                                 RefCylinder(0.8f, 0.8f, 0.3f),
                                 RefCylinder(0.8f, 0.0f, 0.9f),
                                 hullShape};
    for (int i = 0; i < 8; ++i)
    {
        CheckMass(Turned(shapes[i]), tolerance);
        if (i == 0 || i == 3 || i == 5 || i == 7)
        {
            shapes[i].hasMatrix = true;
            shapes[i].matrix = sheared;
            CheckMass(Turned(shapes[i]), tolerance);
        }
    }
    // Exact: the closed forms of the textbook.
    tdShapeGeometry box = RefBox(1.0f, 2.0f, 3.0f);
    tdMassData data = tdComputeMassData(&box, 1.0f);
    ENSURE_NEAR(data.mass, 48.0f, 1.0e-5f);
    ENSURE_NEAR(data.inertia.cx.x, 48.0f / 12.0f * (16.0f + 36.0f), 1.0e-3f);
    tdShapeGeometry engulfed = RefCapsule(0.1f, 0.8f, 0.3f); // the small ball is inside the large one
    data = tdComputeMassData(&engulfed, 1.0f);
    ENSURE_NEAR(data.mass, 4.0 / 3.0 * 3.14159265358979 * 0.512, 1.0e-5);
    ENSURE_NEAR(data.center.y, -0.1f, 1.0e-6f);
    tdFreeHull(hull, NULL);
}

static tdTriangles* CookCube(bool isClosed, bool isInverted, tdVec3 offset)
{
    static const uint32_t quads[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                         {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    tdVec3 corners[8];
    uint32_t indices[36];
    for (int i = 0; i < 8; ++i)
    {
        corners[i] =
            tdAdd(offset, (tdVec3){(i & 1) ? 1.0f : -1.0f, (i & 2) ? 0.5f : -0.5f, (i & 4) ? 2.0f : -2.0f});
    }
    int count = 0;
    for (int f = 0; f < (isClosed ? 6 : 5); ++f)
    {
        const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; ++k)
        {
            indices[count++] = quads[f][order[isInverted ? 5 - k : k]];
        }
    }
    tdMeshGeometryDef def = {
        .positions = corners, .positionCount = 8, .indices = indices, .indexCount = count};
    return tdCookTriangles(&def, NULL);
}

TEST(MeshMass)
{
    // Closed, far from the origin, and open meshes: all are the same box of 16 m^3; an inverted one counts as
    // open.
    tdShapeGeometry box = RefBox(1.0f, 0.5f, 2.0f);
    tdMassData wanted = tdComputeMassData(&box, 3.0f);
    for (int i = 0; i < 4; ++i)
    {
        tdVec3 offset = i == 1 ? (tdVec3){1000.0f, -500.0f, 2000.0f} : tdVec3_zero;
        tdTriangles* mesh = CookCube(i != 2, i == 3, offset);
        ENSURE(mesh != NULL);
        ENSURE(mesh->isClosed == (i < 2));
        tdShapeGeometry shape = RefPlainShape(TD_SHAPE_MESH);
        shape.mesh = mesh;
        tdMassData data = tdComputeMassData(&shape, 3.0f);
        ENSURE_NEAR(data.mass, wanted.mass, 1.0e-4f * wanted.mass);
        ENSURE_NEAR(data.center.x, offset.x, 1.0e-4f);
        ENSURE_NEAR(data.inertia.cx.x, wanted.inertia.cx.x, 1.0e-3f * wanted.inertia.cx.x);
        ENSURE_NEAR(data.inertia.cy.y, wanted.inertia.cy.y, 1.0e-3f * wanted.inertia.cy.y);
        tdFreeTriangles(mesh, NULL);
    }
    tdVec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    tdMeshGeometryDef def = {.positions = flat, .positionCount = 3, .indexCount = 3};
    tdTriangles* mesh = tdCookTriangles(&def, NULL);
    tdShapeGeometry shape = RefPlainShape(TD_SHAPE_MESH);
    shape.mesh = mesh;
    ENSURE_NEAR(tdComputeMassData(&shape, 1000.0f).mass, 0.0f, 0.0f);
    tdFreeTriangles(mesh, NULL);
}

TEST(PartsAddUp)
{
    // A box cut in two unequal parts has the mass properties of the whole.
    tdShapeGeometry whole = RefBox(1.0f, 0.5f, 0.25f), left = RefBox(0.3f, 0.5f, 0.25f),
                    right = RefBox(0.7f, 0.5f, 0.25f);
    left.local.position.x = -0.7f;
    right.local.position.x = 0.3f;
    tdMassData parts[2] = {tdComputeMassData(&left, 1000.0f), tdComputeMassData(&right, 1000.0f)};
    tdMassData sum = tdCombineMassData(parts, 2), wanted = tdComputeMassData(&whole, 1000.0f);
    ENSURE_NEAR(sum.mass, wanted.mass, 1.0e-3f);
    ENSURE_NEAR(sum.center.x, 0.0f, 1.0e-6f);
    ENSURE_NEAR(sum.inertia.cy.y, wanted.inertia.cy.y, 1.0e-3f);
    ENSURE_NEAR(sum.inertia.cz.z, wanted.inertia.cz.z, 1.0e-3f);
    tdMassData none = tdCombineMassData(NULL, 0);
    ENSURE_NEAR(none.mass, 0.0f, 0.0f);
}

TEST(BoundsAreTight)
{
    refRandomState = 3;
    tdHull* hull = RefRandomHull(24, 0.9f);
    tdShapeGeometry hullShape = RefPlainShape(TD_SHAPE_HULL);
    hullShape.hull = hull;
    for (int i = 0; i < 60; ++i)
    {
        tdShapeGeometry shapes[6] = {RefSphere(0.9f),
                                     RefBox(0.75f, 0.5f, 0.25f),
                                     RefCapsule(0.4f, 0.5f, 0.2f),
                                     RefCylinder(0.8f, 0.8f, 0.3f),
                                     RefCylinder(0.8f, 0.0f, 0.9f),
                                     hullShape};
        tdShapeGeometry shape = shapes[i % 6];
        shape.local = (tdTransform){RefRandomVec(1.0f), RefRandomQuat()};
        shape.hasMatrix = i % 4 == 3;
        shape.matrix = (tdMat3){{1.1f, 0.2f, 0.0f}, {-0.3f, 0.7f, 0.1f}, {0.0f, 0.1f, 0.9f}};
        tdTransform body = {RefRandomVec(2.0f), RefRandomQuat()};
        tdAabb box = tdShape_ComputeAabb(&shape, body);
        ENSURE_NEAR(box.upper.x, RefReach(&shape, body, (RefVec){1, 0, 0}), 1.0e-5);
        ENSURE_NEAR(box.upper.y, RefReach(&shape, body, (RefVec){0, 1, 0}), 1.0e-5);
        ENSURE_NEAR(box.upper.z, RefReach(&shape, body, (RefVec){0, 0, 1}), 1.0e-5);
        ENSURE_NEAR(box.lower.x, -RefReach(&shape, body, (RefVec){-1, 0, 0}), 1.0e-5);
        ENSURE_NEAR(box.lower.y, -RefReach(&shape, body, (RefVec){0, -1, 0}), 1.0e-5);
        ENSURE_NEAR(box.lower.z, -RefReach(&shape, body, (RefVec){0, 0, -1}), 1.0e-5);
        // Support mapping and outer radius against the reference; the inner ball fits.
        tdConvex convex = tdMakeConvex(&shape, body);
        tdVec3 point = RefRandomVec(1.0f);
        double outer = (double)tdShape_ComputeOuterRadius(&shape, point),
               inner = (double)tdShape_ComputeInnerRadius(&shape);
        double least = HUGE_VAL;
        for (int k = 0; k < 100; ++k)
        {
            RefVec d = RefSpiral(k, 100);
            tdVec3 df = {(float)d.x, (float)d.y, (float)d.z};
            double mine = (double)(tdDot(df, tdConvex_Support(&convex, df)) + convex.radius);
            ENSURE_NEAR(mine, RefReach(&shape, body, d), 1.0e-5);
            double reach = RefReach(&shape, tdTransform_identity, d) - RefDot(d, RefOf(point));
            ENSURE(reach <= outer + 1.0e-5);
            double width = RefReach(&shape, body, d) + RefReach(&shape, body, (RefVec){-d.x, -d.y, -d.z});
            least = width < least ? width : least;
        }
        ENSURE(inner > 0.0 && 2.0 * inner <= least + 1.0e-5);
    }
    tdFreeHull(hull, NULL);
}

TEST(PlanesAreUnbounded)
{
    tdShapeGeometry half = RefPlane(INFINITY, INFINITY, false), sheet = RefPlane(2.0f, 1.0f, false);
    tdTransform body = {{1, 2, 3}, tdQuat_identity};
    tdAabb box = tdShape_ComputeAabb(&half, body);
    ENSURE_NEAR(box.upper.y, 2.0f, 1.0e-6f);
    ENSURE(box.lower.y <= -0.99f * TD_UNBOUNDED && box.upper.x >= 0.99f * TD_UNBOUNDED);
    box = tdShape_ComputeAabb(&sheet, body);
    ENSURE_NEAR(box.upper.x, 3.0f, 1.0e-6f);
    ENSURE_NEAR(box.lower.z, 2.0f, 1.0e-6f);
    ENSURE_NEAR(box.upper.y - box.lower.y, 0.0f, 1.0e-6f);
    body.rotation = tdNormalizeQuat((tdQuat){0.3f, 0.1f, 0.2f, 0.9f});
    box = tdShape_ComputeAabb(&half, body);
    ENSURE(tdIsFiniteVec3(box.lower) && tdIsFiniteVec3(box.upper));
    ENSURE(box.upper.y >= 0.1f * TD_UNBOUNDED && box.lower.y <= -0.1f * TD_UNBOUNDED);
    ENSURE_NEAR(tdComputeMassData(&half, 1.0f).mass, 0.0f, 0.0f);
}

TEST_MAIN(RUN(MassEqualsIntegration) RUN(MeshMass) RUN(PartsAddUp) RUN(BoundsAreTight)
              RUN(PlanesAreUnbounded))
