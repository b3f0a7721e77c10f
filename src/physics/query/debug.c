// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shapes as lines, for debug drawing.
#include "tendon/debug.h"

#include "geometry/hull.h"
#include "geometry/triangles.h"
#include "math/trig.h"
#include "physics/data/id.h"
#include "physics/data/world_data.h"

#define TD_CIRCLE_SEGMENTS 32
#define TD_PLANE_LINES 10     // grid lines on either side of the centre
#define TD_PLANE_EXTENT 10.0f // m, half size of the drawn part of an unbounded plane

typedef struct tdLineWriter
{
    const tdShapeGeometry* shape;
    tdVec3* points;
    int count, capacity;
} tdLineWriter;

static void AddLine(tdLineWriter* writer, tdVec3 a, tdVec3 b)
{
    tdVec3 ends[2] = {a, b};
    for (int i = 0; i < 2; ++i)
    {
        if (writer->count < writer->capacity)
        {
            writer->points[writer->count] =
                writer->shape->hasMatrix ? tdMulMat3Vec3(writer->shape->matrix, ends[i]) : ends[i];
        }
        writer->count += 1;
    }
}

/// An arc around `center` from u to v: `segments` of the 32 segments of a circle, from angle `first`.
static void AddArc(tdLineWriter* writer, tdVec3 center, tdVec3 u, tdVec3 v, float first, float angle,
                   int segments)
{
    tdVec3 last = {0};
    for (int i = 0; i <= segments; ++i)
    {
        tdSinCos t = tdComputeSinCos(first + angle * (float)i / (float)segments);
        tdVec3 point = tdAdd(center, tdAdd(tdScale(t.cosine, u), tdScale(t.sine, v)));
        if (i > 0)
        {
            AddLine(writer, last, point);
        }
        last = point;
    }
}

static void AddCircle(tdLineWriter* writer, tdVec3 center, tdVec3 u, tdVec3 v)
{
    AddArc(writer, center, u, v, 0.0f, 2.0f * TD_PI, TD_CIRCLE_SEGMENTS);
}

static void AddSphereLines(tdLineWriter* writer, tdVec3 center, float r)
{
    AddCircle(writer, center, (tdVec3){r, 0.0f, 0.0f}, (tdVec3){0.0f, r, 0.0f});
    AddCircle(writer, center, (tdVec3){0.0f, r, 0.0f}, (tdVec3){0.0f, 0.0f, r});
    AddCircle(writer, center, (tdVec3){0.0f, 0.0f, r}, (tdVec3){r, 0.0f, 0.0f});
}

static void AddBox(tdLineWriter* writer, tdVec3 h)
{
    for (int corner = 0; corner < 8; ++corner)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            if ((corner >> axis & 1) == 0)
            {
                int other = corner | 1 << axis;
                AddLine(writer,
                        (tdVec3){corner & 1 ? h.x : -h.x, corner & 2 ? h.y : -h.y, corner & 4 ? h.z : -h.z},
                        (tdVec3){other & 1 ? h.x : -h.x, other & 2 ? h.y : -h.y, other & 4 ? h.z : -h.z});
            }
        }
    }
}

/// Two rings and the lines between them.
static void AddTube(tdLineWriter* writer, float bottom, float bottomRadius, float top, float topRadius)
{
    float heights[2] = {bottom, top}, radii[2] = {bottomRadius, topRadius};
    for (int i = 0; i < 2; ++i)
    {
        if (radii[i] > 0.0f)
        {
            AddCircle(writer, (tdVec3){0.0f, heights[i], 0.0f}, (tdVec3){radii[i], 0.0f, 0.0f},
                      (tdVec3){0.0f, 0.0f, radii[i]});
        }
    }
    for (int i = 0; i < 4; ++i)
    {
        float x = i == 0 ? 1.0f : i == 1 ? -1.0f : 0.0f, z = i == 2 ? 1.0f : i == 3 ? -1.0f : 0.0f;
        AddLine(writer, (tdVec3){x * bottomRadius, bottom, z * bottomRadius},
                (tdVec3){x * topRadius, top, z * topRadius});
    }
}

/// Two spheres and the cone tangent to both; the rings are its circles of tangency.
static void AddCapsule(tdLineWriter* writer, float halfHeight, float bottom, float top)
{
    float sine = halfHeight > 0.0f ? (bottom - top) / (2.0f * halfHeight) : 0.0f;
    if (sine <= -1.0f || sine >= 1.0f)
    {
        bool isTop = sine < 0.0f; // one sphere contains the other
        AddSphereLines(writer, (tdVec3){0.0f, isTop ? halfHeight : -halfHeight, 0.0f}, isTop ? top : bottom);
        return;
    }
    float cosine = tdSqrt(1.0f - sine * sine), tilt = tdAsin(sine);
    AddTube(writer, bottom * sine - halfHeight, bottom * cosine, top * sine + halfHeight, top * cosine);
    for (int i = 0; i < 2; ++i)
    {
        tdVec3 side = i == 0 ? (tdVec3){1.0f, 0.0f, 0.0f} : (tdVec3){0.0f, 0.0f, 1.0f};
        tdVec3 up = {0.0f, 1.0f, 0.0f};
        AddArc(writer, (tdVec3){0.0f, halfHeight, 0.0f}, tdScale(top, side), tdScale(top, up), tilt,
               TD_PI - 2.0f * tilt, TD_CIRCLE_SEGMENTS / 2);
        AddArc(writer, (tdVec3){0.0f, -halfHeight, 0.0f}, tdScale(bottom, side), tdScale(-bottom, up), -tilt,
               TD_PI + 2.0f * tilt, TD_CIRCLE_SEGMENTS / 2);
    }
}

static void AddPlane(tdLineWriter* writer, float halfX, float halfZ)
{
    float x = tdMinFloat(halfX, TD_PLANE_EXTENT), z = tdMinFloat(halfZ, TD_PLANE_EXTENT);
    for (int i = -TD_PLANE_LINES; i <= TD_PLANE_LINES; ++i)
    {
        float part = (float)i / (float)TD_PLANE_LINES;
        AddLine(writer, (tdVec3){part * x, 0.0f, -z}, (tdVec3){part * x, 0.0f, z});
        AddLine(writer, (tdVec3){-x, 0.0f, part * z}, (tdVec3){x, 0.0f, part * z});
    }
}

static void AddHull(tdLineWriter* writer, const tdHull* hull)
{
    for (int i = 0; i < hull->edgeCount / 2; ++i)
    {
        const tdHullFullEdge* edge = &hull->fullEdges[i];
        AddLine(writer, tdHull_GetVertex(hull, edge->origin), tdHull_GetVertex(hull, edge->end));
    }
}

/// Each edge once, with the triangle of lower index.
static void AddMeshLines(tdLineWriter* writer, const tdTriangles* mesh)
{
    for (int i = 0; i < mesh->triangleCount; ++i)
    {
        tdVec3 corners[3];
        tdTriangles_GetCorners(mesh, i, corners);
        for (int edge = 0; edge < 3; ++edge)
        {
            if (mesh->neighbors[3 * (size_t)i + (size_t)edge] >
                (uint32_t)i) // border edges have neighbour UINT32_MAX
            {
                AddLine(writer, corners[edge], corners[edge == 2 ? 0 : edge + 1]);
            }
        }
    }
}

static const tdShapeGeometry* GetGeometry(const tdWorld* world, tdShapeId shape)
{
    return world != NULL && tdShape_IsValid(world, shape)
               ? &world->shapes.data[tdWorld_GetShapeIndex(world, shape)].geometry
               : NULL;
}

tdShapeInfo tdDescribeShape(const tdWorld* world, tdShapeId shape)
{
    const tdShapeGeometry* geometry = GetGeometry(world, shape);
    if (geometry == NULL)
    {
        return (tdShapeInfo){.isValid = false};
    }
    switch (geometry->kind)
    {
    case TD_SHAPE_SPHERE:
        return (tdShapeInfo){true, TD_SHAPE_SPHERE, {geometry->sphere.radius}, 1};
    case TD_SHAPE_BOX:
    {
        tdVec3 size = tdScale(2.0f, geometry->box.halfSize);
        return (tdShapeInfo){true, TD_SHAPE_BOX, {size.x, size.y, size.z}, 3};
    }
    case TD_SHAPE_CAPSULE:
        return (tdShapeInfo){true,
                             TD_SHAPE_CAPSULE,
                             {2.0f * geometry->capsule.halfHeight, geometry->capsule.radiusBottom,
                              geometry->capsule.radiusTop},
                             3};
    case TD_SHAPE_CYLINDER:
        return (tdShapeInfo){true,
                             TD_SHAPE_CYLINDER,
                             {2.0f * geometry->cylinder.halfHeight, geometry->cylinder.radiusBottom,
                              geometry->cylinder.radiusTop},
                             3};
    case TD_SHAPE_PLANE:
        return (tdShapeInfo){
            true, TD_SHAPE_PLANE, {2.0f * geometry->plane.halfX, 2.0f * geometry->plane.halfZ}, 2};
    case TD_SHAPE_HULL:
        return (tdShapeInfo){.isValid = true, .kind = TD_SHAPE_HULL};
    case TD_SHAPE_MESH:
        return (tdShapeInfo){.isValid = true, .kind = TD_SHAPE_MESH};
    }
    return (tdShapeInfo){.isValid = false};
}

int tdShape_GetLines(const tdWorld* world, tdShapeId shape, tdVec3* points, int capacity)
{
    const tdShapeGeometry* geometry = GetGeometry(world, shape);
    if (geometry == NULL)
    {
        return 0;
    }
    tdLineWriter writer = {geometry, points, 0, capacity};
    switch (geometry->kind)
    {
    case TD_SHAPE_SPHERE:
        AddSphereLines(&writer, (tdVec3){0.0f, 0.0f, 0.0f}, geometry->sphere.radius);
        break;
    case TD_SHAPE_BOX:
        AddBox(&writer, geometry->box.halfSize);
        break;
    case TD_SHAPE_CAPSULE:
        AddCapsule(&writer, geometry->capsule.halfHeight, geometry->capsule.radiusBottom,
                   geometry->capsule.radiusTop);
        break;
    case TD_SHAPE_CYLINDER:
        AddTube(&writer, -geometry->cylinder.halfHeight, geometry->cylinder.radiusBottom,
                geometry->cylinder.halfHeight, geometry->cylinder.radiusTop);
        break;
    case TD_SHAPE_PLANE:
        AddPlane(&writer, geometry->plane.halfX, geometry->plane.halfZ);
        break;
    case TD_SHAPE_HULL:
        AddHull(&writer, geometry->hull);
        break;
    case TD_SHAPE_MESH:
        AddMeshLines(&writer, geometry->mesh);
        break;
    }
    return writer.count;
}
