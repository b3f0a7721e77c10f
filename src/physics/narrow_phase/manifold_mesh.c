// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Convex shapes against meshes and finite sheets. Each face near the shape gives clipped points with the face
// normal. Other normals, at edges and corners, are possible only where the edges allow them. A face collides
// on the side of its shell that the shape is on, and is ignored when the centre of the shape is behind it
// there. A shape whose centre has passed a face is held: it returns to the side it came from. Decisions:
// docs/decisions/047-thin-shells.md, 051-meshes.md and 053-continuous-collision.md.
#include "physics/narrow_phase/manifold_mesh.h"

#include "geometry/bounds.h"
#include "geometry/mesh_side.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/manifold_convex.h"
#include "physics/narrow_phase/manifold_face.h"
#include "physics/narrow_phase/manifold_polytope.h"
#include "physics/narrow_phase/separating_axis.h"

#include <string.h>

// Thresholds. physics/manifold_mesh fails with 3 times TD_CORE_SHARE and with 20 times DEEPER_POINT. The
// tests of behaviour pass with 3 to 20 times the others; physics/determinism pins their bits.

/// Corner contacts that wait for the end of the search; more are dropped.
#define MAX_PENDING 64
#define MAX_USED (3 * MAX_PENDING)
/// Margin of the core of a small mesh, in core radii; the speculative margin may be larger than the core.
#define CORE_MARGIN 0.5f
/// Distance from the closest point, relative to the radius, below which its direction is rounding noise.
#define MIN_BALL_DISTANCE 1.0e-6f
/// Depth, in inner radii of the convex shape, from which faces and edges of the polytope are tested as axes:
/// shallow overlaps belong to the face of the mesh.
#define DEEP_OVERLAP 0.25f
/// Separation, in inner radii, that such an axis must gain over the face of the mesh.
#define DEEP_AXIS_GAIN 0.01f
/// Cosine between the normals of an edge above which it is no ridge: 0.3 degrees.
#define RIDGE_COSINE 0.99999f
/// Cosine between the closest direction and the face normal above which the face is clipped: 2.6 degrees.
#define FACING_NORMAL_COSINE 0.999f
/// Depth, in inner radii, by which the support point must be deeper than the feature to be added.
#define DEEPER_POINT 1.0e-3f
/// Distance of points that are merged, in inner radii of the convex shape.
#define WELD_DISTANCE 0.01f
/// Feature ids: bits of the kinds of contact.
#define ID_CORNER 0x800000u
#define ID_FACE_CLIPPED 0x80000000u
#define ID_CLOSEST 0x400u
#define ID_RIDGE 0x600u
#define ID_MESH_CORE 0x700u
#define ID_POLYTOPE_FACE 0x800u
#define ID_EDGE_PAIR 0xC00u
#define ID_SUPPORT 99u
#define ID_HELD 98u
/// Cosine between the normals of the passed face and of another face that the centre is behind, up to which
/// the other one pushes a held shape: 60 degrees. Faces around a corner would push it sideways.
#define HELD_COSINE 0.5f
/// Height of the remembered point of a held shape above the face it has passed, in inner radii.
#define HELD_HEIGHT 0.5f

/// A contact at a corner of the mesh. It counts only if no face or edge at the corner has a contact.
typedef struct tdPending
{
    uint32_t vertex;
    tdVec3 normal;
    tdClipPoint point;
} tdPending;

typedef struct tdMeshJob
{
    const tdShapeGeometry* shape; // the convex one
    tdConvex convex;
    tdPolytope polytope;
    bool isPolytope;
    tdVec3 center;
    float innerRadius;
    float margin;
    tdVec3 coreCenter; // of a closed mesh that is smaller than the convex shape
    float coreRadius;  // inner radius of that mesh, 0: none
    tdClusters clusters;
    tdPending pending[MAX_PENDING];
    int pendingCount;
    uint32_t used[MAX_USED]; // corners of faces and edges that have contacts
    int usedCount;
    // Meshes with two sides.
    bool hasSides;
    bool hasOrigin;    // the shape has touched before: `origin` is on the side it came from
    bool isPassTested; // the segment from the origin to the centre has been tested
    bool isHeld;       // that segment passes a face
    bool isBehind;     // the centre is behind the current face, which holds the shape
    bool wantsRestart;
    tdVec3 origin;
    tdPassedFace passed;
    tdMeshSides sides;
    tdVec3 coreNormal; // of the face nearest to the centre among those with other points
    float coreHeight;  // of the centre above that face; INFINITY: none
} tdMeshJob;

/// Records a corner of a face or edge that has a contact.
static void MarkCornerUsed(tdMeshJob* job, const tdFace* face, int corner)
{
    if (face->mesh != NULL && job->usedCount < MAX_USED)
    {
        job->used[job->usedCount++] = tdFace_GetVertex(face, corner);
    }
}

/// Feature id of a point on a face. Corners of the convex shape have the same id on every face; clipped
/// points have an id of the face.
static uint32_t MakeFaceId(const tdFace* face, uint32_t id)
{
    if ((id >> 24) == 0)
    {
        return ID_CORNER | (id & 0xFFFFu);
    }
    uint32_t hash = (face->index + 1u) * 2654435761u;
    return ID_FACE_CLIPPED | ((hash >> 1) ^ id);
}

/// Feature id of a point at an edge or corner of a face.
static uint32_t MakeEdgeId(const tdFace* face, uint32_t id)
{
    uint32_t hash = (face->index + 1u) * 2654435761u;
    return (hash & 0xFFFFF000u) ^ id;
}

// Spheres: the closest point of the triangle or rectangle decides.

/// Closest point of a face to `p`.
/// @param region 0: inside the face; 1 + e: on edge e; 8 + i: at corner i
static tdVec3 FindClosestOnFace(const tdFace* face, tdVec3 p, int* region)
{
    tdVec3 projected = tdMulSub(p, tdDot(face->normal, p) - face->offset, face->normal);
    tdVec3 best = projected;
    float bestSquared = INFINITY;
    bool isOutside = false;
    *region = 0;
    for (int e = 0; e < face->count; ++e)
    {
        int next = e + 1 < face->count ? e + 1 : 0;
        tdVec3 a = face->points[e], d = tdSub(face->points[next], a);
        tdVec3 side = tdCross(d, face->normal);
        tdVec3 toPoint = tdSub(projected, a);
        if (tdDot(side, toPoint) <= 0.0f)
        {
            continue;
        }
        isOutside = true;
        float t = tdDot(toPoint, d) / tdDot(d, d);
        int where = t <= 0.0f ? 8 + e : (t >= 1.0f ? 8 + next : 1 + e);
        tdVec3 q = tdMulAdd(a, tdClampFloat(t, 0.0f, 1.0f), d);
        float squared = tdLengthSquared(tdSub(q, projected));
        if (squared < bestSquared)
        {
            bestSquared = squared;
            best = q;
            *region = where;
        }
    }
    return isOutside ? best : projected;
}

/// Ball of `radius` about `c` against a face.
static void CollideBall(tdMeshJob* job, tdFace* face, tdVec3 c, float radius, float margin)
{
    float reach = radius + margin;
    float height = tdDot(face->normal, c) - face->offset;
    if (height > reach || (height < 0.0f && !job->isBehind))
    {
        return;
    }
    int region;
    tdVec3 q = FindClosestOnFace(face, c, &region);
    if (job->isBehind)
    {
        if (region == 0)
        {
            float depth = height - radius;
            tdClipPoint held = {tdMulAdd(q, 0.5f * depth, face->normal), depth, MakeEdgeId(face, 0)};
            tdClusters_Add(&job->clusters, face->normal, &held, 1);
        }
        return;
    }
    tdVec3 delta = tdSub(c, q);
    float squared = tdLengthSquared(delta);
    if (squared > reach * reach)
    {
        return;
    }
    float distance = sqrtf(squared);
    tdVec3 normal = face->normal;
    if (region != 0)
    {
        tdFace_FindEdges(face);
        if (distance > MIN_BALL_DISTANCE * radius)
        {
            normal = tdScale(1.0f / distance, delta);
        }
    }
    float separation = distance - radius;
    tdClipPoint point = {tdMulAdd(q, 0.5f * separation, normal), separation,
                         MakeEdgeId(face, (uint32_t)region)};
    if (region >= 8)
    {
        int corner = region - 8;
        int before = corner > 0 ? corner - 1 : face->count - 1;
        if (face->mesh == NULL)
        {
            if (face->isActive[corner] && face->isActive[before])
            {
                tdClusters_Add(&job->clusters, normal, &point, 1);
            }
        }
        else if (job->pendingCount < MAX_PENDING && (face->isActive[corner] || face->isActive[before]))
        {
            uint32_t vertex = tdFace_GetVertex(face, corner);
            job->pending[job->pendingCount++] = (tdPending){vertex, normal, point};
        }
        return;
    }
    if (region > 0)
    {
        int e = region - 1;
        if (!face->isActive[e] || tdDot(normal, face->normal) < face->cosines[e] - TD_COSINE_SLACK)
        {
            return;
        }
        MarkCornerUsed(job, face, e);
        MarkCornerUsed(job, face, e + 1 < face->count ? e + 1 : 0);
    }
    else
    {
        for (int i = 0; i < face->count; ++i)
        {
            MarkCornerUsed(job, face, i);
        }
    }
    tdClusters_Add(&job->clusters, normal, &point, 1);
}

static void CollideSphere(tdMeshJob* job, tdFace* face)
{
    CollideBall(job, face, job->convex.points[0], job->convex.radius, job->margin);
}

/// The core of the convex shape, as a ball, against a face that has no other point. A body that continuous
/// collision stopped by its centre therefore has a contact in the next step.
static void CollideCore(tdMeshJob* job, tdFace* face)
{
    CollideBall(job, face, job->center, TD_CORE_SHARE * job->innerRadius, 0.0f);
}

/// The core above a face that has other points. Its contact is a manifold of its own, which supports the body
/// however fast that body spins.
static void FindCoreContact(tdMeshJob* job, const tdFace* face)
{
    float core = TD_CORE_SHARE * job->innerRadius;
    float height = tdDot(face->normal, job->center) - face->offset;
    int region;
    if (height < core && height >= 0.0f && height < job->coreHeight &&
        (FindClosestOnFace(face, job->center, &region), region == 0))
    {
        job->coreHeight = height;
        job->coreNormal = face->normal;
    }
}

/// The core of a closed mesh, as a ball, against the convex shape. The centre of the convex shape decides the
/// sides of the faces, which is wrong for a small mesh deep inside a thin wall.
static void CollideMeshCore(tdMeshJob* job, const tdShapeGeometry* mesh)
{
    float radius = mesh->kind == TD_SHAPE_MESH ? TD_CORE_SHARE * mesh->mesh->innerRadius : 0.0f;
    if (!(radius > 0.0f))
    {
        return;
    }
    tdConvex core = tdMakePointConvex(mesh->mesh->volume.centroid);
    float margin = tdMinFloat(CORE_MARGIN * radius, job->margin);
    tdDistanceResult nearest = tdConvexDistance(&core, &job->convex, radius + margin, NULL);
    float separation = nearest.distance - radius;
    if (separation <= margin)
    {
        tdClipPoint point = {tdMulAdd(nearest.pointB, -0.5f * separation, nearest.normal), separation,
                             ID_MESH_CORE};
        tdClusters_Add(&job->clusters, nearest.normal, &point, 1);
    }
}

/// Adds the corner contacts whose corner belongs to no face or edge with a contact.
static void AddPendingContacts(tdMeshJob* job)
{
    for (int i = 0; i < job->pendingCount; ++i)
    {
        bool isUsed = false;
        for (int k = 0; k < job->usedCount && !isUsed; ++k)
        {
            isUsed = job->used[k] == job->pending[i].vertex;
        }
        if (!isUsed)
        {
            tdClusters_Add(&job->clusters, job->pending[i].normal, &job->pending[i].point, 1);
        }
    }
}

// Other convex shapes.

/// Clips points of the convex shape to the prism over the face and adds them with the face normal.
/// @return number of points
static int AddConvexPoints(tdMeshJob* job, const tdFace* face, tdClipPoint* points, int count)
{
    static const uint32_t tags[4] = {1, 2, 3, 4};
    if (count >= 2)
    {
        count = tdClipToPrism(face->points, tags, face->count, face->normal, points, count);
    }
    else
    {
        int region;
        FindClosestOnFace(face, points[0].position, &region);
        count = region == 0 ? 1 : 0;
        points[0].separation = tdDot(face->normal, points[0].position) - face->offset;
    }
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        float separation = points[i].separation - job->convex.radius;
        if (separation <= job->margin)
        {
            tdVec3 position =
                tdMulSub(points[i].position, job->convex.radius + 0.5f * separation, face->normal);
            points[kept++] = (tdClipPoint){position, separation, MakeFaceId(face, points[i].id)};
        }
    }
    tdClusters_Add(&job->clusters, face->normal, points, kept);
    return kept;
}

/// Clips a face of the mesh to a reference face of the polytope: a corner or edge of the mesh is inside the
/// polytope.
static void AddPolytopeFacePoints(tdMeshJob* job, const tdFace* face, int polytopeFace)
{
    const tdPolytope* polytope = &job->polytope;
    tdClipPoint corners[TD_MAX_FEATURE_POINTS], points[TD_MAX_CLIP_POINTS];
    int sides = tdPolytope_GetFace(polytope, polytopeFace, corners);
    tdVec3 reference[TD_MAX_FEATURE_POINTS];
    uint32_t ids[TD_MAX_FEATURE_POINTS];
    for (int i = 0; i < sides; ++i)
    {
        reference[i] = corners[i].position;
        ids[i] = corners[i].id;
    }
    for (int i = 0; i < face->count; ++i)
    {
        points[i] = (tdClipPoint){face->points[i], 0.0f, (uint32_t)i};
    }
    tdVec3 n = polytope->normals[polytopeFace];
    int count = tdClipToPrism(reference, ids, sides, n, points, face->count);
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        float separation = points[i].separation;
        if (separation <= job->margin)
        {
            tdVec3 position = tdMulSub(points[i].position, 0.5f * separation, n);
            points[kept++] = (tdClipPoint){position, separation,
                                           MakeEdgeId(face, ID_POLYTOPE_FACE ^ (points[i].id & 0x7FFu))};
        }
    }
    tdClusters_Add(&job->clusters, tdNegate(n), points, kept);
}

typedef struct tdFaceAxis
{
    float separation;
    int polytopeFace;        // face of the polytope, -1: none
    tdVec3 normal;           // of a pair of edges
    tdVec3 onFace, onConvex; // closest points of a pair of edges
    int edge;                // edge of the mesh face, -1: none
} tdFaceAxis;

/// Finds the best axis among the face normals of the polytope. False: one of them separates the two.
static bool QueryPolytopeFaces(const tdMeshJob* job, const tdFace* face, tdFaceAxis* best)
{
    const tdPolytope* polytope = &job->polytope;
    for (int i = 0; i < polytope->faceCount; ++i)
    {
        tdVec3 n = polytope->normals[i];
        float separation = INFINITY;
        for (int k = 0; k < face->count; ++k)
        {
            separation = tdMinFloat(separation, tdDot(n, face->points[k]));
        }
        separation -= polytope->offsets[i];
        if (separation > job->margin)
        {
            return false;
        }
        if (separation > best->separation && tdFace_AllowsNormal(face, tdNegate(n)))
        {
            best->separation = separation;
            best->polytopeFace = i;
            best->edge = -1;
        }
    }
    return true;
}

/// Finds the best axis among the pairs of sharp edges of the face and edges of the polytope.
static void QueryPolytopeEdges(const tdMeshJob* job, const tdFace* face, tdFaceAxis* best)
{
    const tdPolytope* polytope = &job->polytope;
    for (int e = 0; e < face->count; ++e)
    {
        if (!face->isActive[e] || face->cosines[e] > TD_SHARP_COSINE)
        {
            continue;
        }
        tdVec3 p = face->points[e], u = tdSub(face->points[e + 1 < face->count ? e + 1 : 0], p);
        tdVec3 outward = tdCross(u, face->normal);
        float uu = tdDot(u, u);
        for (int j = 0; j < polytope->fullEdgeCount; ++j)
        {
            const tdHullFullEdge* edge = polytope->fullEdges + j;
            tdVec3 nb = polytope->normals[edge->face], mb = polytope->normals[edge->otherFace];
            // On the Gauss map the arc of the polytope's edge must cross the great circle of the mesh edge.
            if (tdDot(nb, u) * tdDot(mb, u) >= 0.0f)
            {
                continue;
            }
            tdVec3 q = tdPolytope_GetVertex(polytope, edge->origin),
                   v = tdSub(tdPolytope_GetVertex(polytope, edge->end), q);
            tdVec3 n = tdCross(u, v);
            float squared = tdLengthSquared(n), vv = tdDot(v, v);
            if (squared < TD_PARALLEL_SINE_SQUARED * uu * vv)
            {
                continue;
            }
            n = tdScale(1.0f / sqrtf(squared), n);
            // The normal points out of the mesh, between the face normal and the outward side of the edge,
            // and into the polytope.
            n = tdDot(n, face->normal) < 0.0f ? tdNegate(n) : n;
            if (tdDot(n, outward) < 0.0f || tdDot(n, face->normal) < face->cosines[e] - TD_COSINE_SLACK ||
                tdDot(n, tdSub(polytope->center, q)) < 0.0f)
            {
                continue;
            }
            float separation = tdDot(n, tdSub(q, p));
            if (separation <= best->separation)
            {
                continue;
            }
            tdVec3 d = tdSub(q, p);
            float uv = tdDot(u, v), ud = tdDot(u, d), vd = tdDot(v, d);
            float determinant = uu * vv - uv * uv;
            float s = (ud * vv - uv * vd) / determinant, t = (uv * ud - vd * uu) / determinant;
            if (s < 0.0f || s > 1.0f || t < 0.0f || t > 1.0f)
            {
                continue; // the lines are closest outside the edges: another axis has the contact
            }
            best->separation = separation;
            best->polytopeFace = -1;
            best->edge = e;
            best->normal = n;
            best->onFace = tdMulAdd(p, s, u);
            best->onConvex = tdMulAdd(q, t, v);
        }
    }
}

/// True if the overlap is too deep for a contact, or so deep that the core of the mesh is beyond the axis.
static bool IsFarSide(const tdMeshJob* job, const tdFaceAxis* axis)
{
    float depth = -axis->separation;
    if (!(job->coreRadius > 0.0f) || depth < job->coreRadius)
    {
        return depth > job->clusters.limit;
    }
    float height = 0.0f;
    if (axis->polytopeFace >= 0)
    {
        tdVec3 n = job->polytope.normals[axis->polytopeFace];
        height = tdDot(n, job->coreCenter) - job->polytope.offsets[axis->polytopeFace];
    }
    else if (axis->edge >= 0)
    {
        height = tdDot(axis->normal, tdSub(axis->onConvex, job->coreCenter));
    }
    return height < 0.0f || depth > job->clusters.limit;
}

/// A polytope against a face.
static void CollidePolytopeFace(tdMeshJob* job, tdFace* face)
{
    const tdPolytope* polytope = &job->polytope;
    if (tdDot(face->normal, job->center) < face->offset && !job->isBehind)
    {
        return;
    }
    float separation = tdPolytope_FindLowest(polytope, face->normal) - face->offset;
    if (separation > job->margin)
    {
        return;
    }
    if (separation < -DEEP_OVERLAP * job->innerRadius && !job->isBehind)
    {
        if (tdFace_IsSharp(face))
        {
            tdFaceAxis best = {.separation = separation, .polytopeFace = -1, .edge = -1};
            best.separation += DEEP_AXIS_GAIN * job->innerRadius;
            if (!QueryPolytopeFaces(job, face, &best))
            {
                return;
            }
            QueryPolytopeEdges(job, face, &best);
            if (IsFarSide(job, &best))
            {
                return;
            }
            if (best.edge >= 0)
            {
                if (best.separation <= job->margin)
                {
                    tdClipPoint point = {tdLerp(best.onFace, best.onConvex, 0.5f), best.separation,
                                         MakeEdgeId(face, ID_EDGE_PAIR | (uint32_t)best.edge)};
                    tdClusters_Add(&job->clusters, best.normal, &point, 1);
                }
                return;
            }
            if (best.polytopeFace >= 0)
            {
                AddPolytopeFacePoints(job, face, best.polytopeFace);
                return;
            }
        }
    }
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    int incident = tdPolytope_FindFace(polytope, tdNegate(face->normal));
    int count = tdPolytope_GetFace(polytope, incident, points);
    int kept = AddConvexPoints(job, face, points, count);
    if (job->isBehind)
    {
        return;
    }
    if (kept == 0)
    {
        CollideCore(job, face);
    }
    else
    {
        FindCoreContact(job, face);
    }
}

/// True if the lowest point of the convex set above a face lies beyond an edge of the face.
/// @param n normal of the face
/// @param u direction of the edge
/// @param p a point of the edge
static bool IsLowestBeyond(const tdConvex* convex, tdVec3 n, tdVec3 u, tdVec3 p)
{
    return tdDot(tdCross(u, n), tdSub(tdConvex_Support(convex, tdNegate(n)), p)) > 0.0f;
}

/// Ridges: the lowest point along the normal of either face lies above the other face, so neither has a
/// point, and the edge itself touches.
/// @return number of points
static int CollideRidges(tdMeshJob* job, tdFace* face)
{
    const tdConvex* convex = &job->convex;
    tdFace_FindEdges(face);
    int found = 0;
    for (int e = 0; e < face->count; ++e)
    {
        if (!face->isActive[e] || face->cosines[e] > RIDGE_COSINE)
        {
            continue;
        }
        tdVec3 p = face->points[e], q = face->points[e + 1 < face->count ? e + 1 : 0], u = tdSub(q, p);
        if (!IsLowestBeyond(convex, face->normal, u, p))
        {
            continue;
        }
        tdVec3 neighbor;
        if (tdFace_GetNeighborNormal(face, e, &neighbor) && !IsLowestBeyond(convex, neighbor, tdNegate(u), p))
        {
            continue;
        }
        tdConvex edge = tdMakeSegmentConvex(p, q);
        tdDistanceResult nearest = tdConvexDistance(&edge, convex, job->margin, NULL);
        tdManifold manifold;
        if (nearest.distance > job->margin || !tdFace_AllowsNormal(face, nearest.normal))
        {
            continue;
        }
        int count = tdBuildManifold(&edge, convex, &nearest, job->margin, &manifold);
        tdClipPoint points[TD_MAX_MANIFOLD_POINTS];
        for (int i = 0; i < count; ++i)
        {
            points[i] = (tdClipPoint){manifold.points[i].position, manifold.points[i].separation,
                                      MakeEdgeId(face, ID_RIDGE ^ (manifold.points[i].feature & 0xFFu))};
        }
        tdClusters_Add(&job->clusters, manifold.normal, points, count);
        found += count;
    }
    return found;
}

/// A round shape, a shape with a matrix or a large hull against a face.
static void CollideSmoothFace(tdMeshJob* job, tdFace* face)
{
    const tdConvex* convex = &job->convex;
    if (tdDot(face->normal, job->center) < face->offset && !job->isBehind)
    {
        return;
    }
    tdVec3 lowest = tdConvex_Support(convex, tdNegate(face->normal));
    float separation = tdDot(face->normal, lowest) - face->offset - convex->radius;
    if (separation > job->margin)
    {
        return;
    }
    if (!job->isBehind && tdFace_IsSharp(face))
    {
        // A rectangle consists of two triangles: the nearer one decides.
        tdConvex triangle = tdMakeTriangleConvex(face->points[0], face->points[1], face->points[2]);
        tdDistanceResult nearest = tdConvexDistance(&triangle, convex, job->margin, NULL);
        if (face->count == 4)
        {
            tdConvex other = tdMakeTriangleConvex(face->points[0], face->points[2], face->points[3]);
            tdDistanceResult second = tdConvexDistance(&other, convex, job->margin, NULL);
            if (second.distance < nearest.distance)
            {
                nearest = second;
                triangle = other;
            }
        }
        if (nearest.distance > job->margin)
        {
            return;
        }
        if (tdDot(nearest.normal, face->normal) < FACING_NORMAL_COSINE && nearest.distance > separation &&
            tdFace_AllowsNormal(face, nearest.normal))
        {
            tdManifold manifold;
            int count = tdBuildManifold(&triangle, convex, &nearest, job->margin, &manifold);
            tdClipPoint points[TD_MAX_MANIFOLD_POINTS];
            for (int i = 0; i < count; ++i)
            {
                points[i] =
                    (tdClipPoint){manifold.points[i].position, manifold.points[i].separation,
                                  MakeEdgeId(face, ID_CLOSEST ^ (manifold.points[i].feature & 0xFFu))};
            }
            tdClusters_Add(&job->clusters, manifold.normal, points, count);
            return;
        }
    }
    tdVec3 feature[TD_MAX_FEATURE_POINTS];
    uint32_t ids[TD_MAX_FEATURE_POINTS];
    tdClipPoint points[TD_MAX_CLIP_POINTS];
    int count = tdConvex_GetFeature(convex, tdNegate(face->normal), feature, ids);
    for (int i = 0; i < count; ++i)
    {
        points[i] = (tdClipPoint){feature[i], 0.0f, ids[i]};
    }
    float reached = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        reached =
            tdMinFloat(reached, tdDot(face->normal, points[i].position) - face->offset - convex->radius);
    }
    int kept = AddConvexPoints(job, face, points, count);
    // The side line of a round shape may end before the deepest point.
    if (separation < reached - DEEPER_POINT * job->innerRadius)
    {
        tdClipPoint deepest = {lowest, 0.0f, ID_SUPPORT};
        kept += AddConvexPoints(job, face, &deepest, 1);
    }
    if (job->isBehind)
    {
        return;
    }
    if (kept == 0 && CollideRidges(job, face) == 0)
    {
        CollideCore(job, face);
    }
    else
    {
        FindCoreContact(job, face);
    }
}

/// Sets the depth limit and the core of a mesh that is smaller than the convex shape: its far side gives no
/// contacts, although the centre of the convex shape is in front of it.
static void SetDepthLimit(tdMeshJob* job, const tdShapeGeometry* mesh, tdAabb convexBox)
{
    job->clusters.limit = INFINITY;
    job->coreRadius = 0.0f;
    if (mesh->kind != TD_SHAPE_MESH)
    {
        return;
    }
    tdVec3 size = tdSub(mesh->mesh->aabb.upper, mesh->mesh->aabb.lower),
           other = tdSub(convexBox.upper, convexBox.lower);
    bool isSmaller =
        tdMaxFloat(size.x, tdMaxFloat(size.y, size.z)) < tdMaxFloat(other.x, tdMaxFloat(other.y, other.z));
    if (isSmaller)
    {
        job->clusters.limit = tdGetThickness(mesh);
        job->coreCenter = mesh->mesh->volume.centroid;
        job->coreRadius = mesh->mesh->innerRadius;
    }
}

tdSideMemory tdLoadSideMemory(const tdManifoldCache* cache)
{
    tdSideMemory memory = {0};
    if (cache != NULL)
    {
        memory.flags = cache->words[0];
        memory.shell = cache->words[1];
        memcpy(&memory.origin, &cache->words[2], sizeof(memory.origin));
    }
    return memory;
}

void tdStoreSideMemory(tdManifoldCache* cache, tdSideMemory memory)
{
    if (cache != NULL)
    {
        cache->words[0] = memory.flags;
        cache->words[1] = memory.shell;
        memcpy(&cache->words[2], &memory.origin, sizeof(memory.origin));
    }
}

bool tdIsOnOtherSide(const tdMeshSides* sides, const tdPassedFace* passed, const tdSideMemory* memory)
{
    return (memory->flags & TD_SIDE_HELD) != 0 || tdMeshSides_Find(sides, passed->shell) != passed->side;
}

/// Prepares the sides for a visit of all faces.
static void StartSides(tdMeshJob* job, const tdShapeGeometry* mesh, tdAabb box, const tdSideMemory* memory)
{
    tdMeshSides_Init(&job->sides, mesh->mesh, box, job->isHeld ? job->origin : job->center);
    if (job->hasOrigin)
    {
        tdMeshSides_Remember(&job->sides, memory->shell, (memory->flags & TD_SIDE_BACK) != 0 ? -1 : 1);
    }
}

/// Tests whether the centre has passed a face since the last test. A shape that has passed it completely is
/// no longer held.
static bool FindHold(tdMeshJob* job, const tdSideMemory* memory)
{
    job->isPassTested = true;
    tdPassedFace* passed = &job->passed;
    if (!tdTriangles_FindPassed(job->sides.mesh, job->origin, job->center, passed) ||
        !tdIsOnOtherSide(&job->sides, passed, memory))
    {
        return false;
    }
    float top = tdDot(passed->normal, tdConvex_Support(&job->convex, passed->normal)) + job->convex.radius;
    if (!(top > passed->offset))
    {
        job->hasOrigin = false;
        job->wantsRestart = true;
        return false;
    }
    job->isHeld = job->wantsRestart = true;
    return true;
}

/// Turns a face to the side that the shape is on.
/// @return false: the face does not collide, or all faces must be visited again
static bool TurnToSide(tdMeshJob* job, tdFace* face, const tdSideMemory* memory)
{
    float height = tdDot(face->normal, job->center) - face->offset, seen = height;
    if (job->hasOrigin)
    {
        float before = tdDot(face->normal, job->origin) - face->offset;
        if (!job->isPassTested && (before >= 0.0f) != (height >= 0.0f) &&

            (FindHold(job, memory) || job->wantsRestart))
        {
            return false;
        }
        seen = job->isHeld ? before : height;
    }
    int side = tdMeshSides_Choose(&job->sides, face->index, seen);
    job->wantsRestart = job->sides.hasChanged;
    if (side == 0 || job->wantsRestart)
    {
        return false;
    }
    if (side < 0)
    {
        tdFace_Flip(face);
        height = -height;
    }
    job->isBehind = job->isHeld && height < 0.0f;
    return !job->isBehind || tdDot(face->normal, job->passed.normal) > HELD_COSINE;
}

/// Visits all faces again with what is known about the sides.
static void RestartFaces(tdMeshJob* job, tdFaceSource* source, const tdShapeGeometry* mesh, tdAabb box,
                         const tdSideMemory* memory)
{
    job->wantsRestart = job->isBehind = false;
    job->clusters.count = job->pendingCount = job->usedCount = 0;
    job->coreHeight = INFINITY;
    if (job->sides.hasChanged)
    {
        job->sides.hasChanged = false;
    }
    else
    {
        StartSides(job, mesh, box, memory);
    }
    tdFaceSource_Init(source, mesh, box);
}

/// A held shape that no face has a point for: its lowest point against the plane of the face it has passed.
static void AddHeldPoint(tdMeshJob* job)
{
    tdVec3 n = job->passed.normal, lowest = tdConvex_Support(&job->convex, tdNegate(n));
    float separation = tdDot(n, lowest) - job->passed.offset - job->convex.radius;
    tdClipPoint point = {tdMulSub(lowest, job->convex.radius + 0.5f * separation, n), separation, ID_HELD};
    tdClusters_Add(&job->clusters, n, &point, 1);
}

/// Remembers the side of the shape. The point of a held shape follows its centre along the face.
static void RememberSide(tdMeshJob* job, tdManifoldCache* cache)
{
    tdSideMemory memory = {.origin = job->center};
    if (job->isHeld)
    {
        tdVec3 n = job->passed.normal;
        float height = tdDot(n, job->origin) - job->passed.offset;
        height = tdMinFloat(height, HELD_HEIGHT * job->innerRadius);
        tdVec3 above = tdMulAdd(job->center, height - (tdDot(n, job->center) - job->passed.offset), n);
        tdPassedFace passed;
        bool isClear = !tdTriangles_FindPassed(job->sides.mesh, job->origin, above, &passed);
        memory.origin = isClear ? above : job->origin;
    }
    if (job->sides.count > 0)
    {
        memory.flags = TD_SIDE_KNOWN | (job->sides.list[0].side < 0 ? TD_SIDE_BACK : 0u);
        memory.shell = job->sides.list[0].shell;
        memory.flags |= job->isHeld ? TD_SIDE_HELD : 0u;
    }
    tdStoreSideMemory(cache, memory);
}

int tdCollideMesh(const tdShapeGeometry* mesh, const tdShapeGeometry* convex, tdTransform pose, float margin,
                  tdManifoldCache* cache, tdManifold* manifolds, int capacity)
{
    tdAabb box = tdGrowAabb(tdShape_ComputeAabb(convex, pose), margin);
    tdFaceSource source;
    tdFaceSource_Init(&source, mesh, box);
    tdFace face;
    if (!tdFaceSource_Next(&source, &face))
    {
        return 0;
    }
    tdMeshJob job;
    job.shape = convex;
    job.convex = tdMakeConvex(convex, pose);
    job.isPolytope = tdCanBePolytope(convex);
    if (job.isPolytope)
    {
        tdMakePolytope(&job.polytope, convex, pose);
    }
    job.center = tdConvex_GetCenter(&job.convex);
    job.innerRadius = tdShape_ComputeInnerRadius(convex);
    job.margin = margin;
    job.clusters.count = 0;
    SetDepthLimit(&job, mesh, box);
    job.clusters.weld = WELD_DISTANCE * job.innerRadius;
    job.pendingCount = job.usedCount = 0;
    job.coreHeight = INFINITY;
    job.hasSides = mesh->kind == TD_SHAPE_MESH && !mesh->mesh->isOneSided;
    job.isPassTested = job.isHeld = job.isBehind = job.wantsRestart = job.hasOrigin = false;
    tdSideMemory memory = {0};
    if (job.hasSides)
    {
        memory = tdLoadSideMemory(cache);
        job.hasOrigin = (memory.flags & TD_SIDE_KNOWN) != 0;
        job.origin = memory.origin;
        StartSides(&job, mesh, box, &memory);
    }
    bool isSphere = job.convex.shape == NULL && job.convex.pointCount == 1;
    do
    {
        if (job.hasSides && !TurnToSide(&job, &face, &memory))
        {
            if (job.wantsRestart)
            {
                RestartFaces(&job, &source, mesh, box, &memory);
            }
            continue;
        }
        if (source.isDoubleSided)
        {
            tdFace_FlipTowards(&face, job.center);
        }
        if (isSphere)
        {
            CollideSphere(&job, &face);
        }
        else if (job.isPolytope)
        {
            CollidePolytopeFace(&job, &face);
        }
        else
        {
            CollideSmoothFace(&job, &face);
        }
    } while (tdFaceSource_Next(&source, &face));
    AddPendingContacts(&job);
    bool isInside = job.hasSides && job.sides.count > 0 && job.sides.list[0].side < 0;
    if (!isInside)
    {
        CollideMeshCore(&job, mesh);
    }
    if (job.isHeld && job.clusters.count == 0)
    {
        AddHeldPoint(&job);
    }
    if (job.hasSides)
    {
        RememberSide(&job, cache);
    }
    if (!job.isPolytope && !isSphere)
    {
        tdClusters_JoinLines(&job.clusters);
    }
    int count = tdClusters_Finish(&job.clusters, manifolds, capacity);
    if (job.coreHeight < INFINITY && capacity > 1)
    {
        count = tdMinInt(count, capacity - 1);
        manifolds[count].normal = job.coreNormal;
        manifolds[count].pointCount = 0;
        tdManifold_AddCore(&manifolds[count++], job.center, job.coreNormal, job.coreHeight,
                           TD_CORE_SHARE * job.innerRadius);
    }
    return count;
}
