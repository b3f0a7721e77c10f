// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Convex shapes against meshes and finite sheets. Each face near the shape gives points with the face's own
// normal, by clipping; other normals (over edges and corners) are asked for only where the edges allow them.
// A face is seen from its front: when the middle of the shape is behind it, it does not push (double-sided
// ones turn round).
#include "physics/narrow_phase/manifold_mesh.h"

#include "geometry/bounds.h"
#include "physics/data/manifold_data.h"
#include "physics/narrow_phase/manifold_clip.h"
#include "physics/narrow_phase/manifold_convex.h"
#include "physics/narrow_phase/manifold_face.h"
#include "physics/narrow_phase/manifold_polytope.h"

#define TD_MAX_PENDING 64
/// Radius of the core, of the inner radius. Continuous collision stops the middle at half of that.
#define CORE_SHARE 0.5f

/// A contact at a corner, kept back: it counts only if no face or edge that ends there has one.
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
    tdVec3 coreCenter; // of a solid mesh that is smaller than the convex shape
    float coreRadius;  // 0: there is none
    tdClusters clusters;
    tdPending pending[TD_MAX_PENDING];
    int pendingCount;
    uint32_t owned[TD_MAX_PENDING * 3]; // corners of faces and edges that have contacts
    int ownedCount;
} tdMeshJob;

static void Own(tdMeshJob* job, const tdFace* face, int corner)
{
    if (face->mesh != NULL && job->ownedCount < TD_MAX_PENDING * 3)
    {
        job->owned[job->ownedCount++] = face->mesh->indices[3 * (size_t)face->index + (size_t)corner];
    }
}

/// Corners of the convex keep their own number, whichever face they are over; cuts belong to the face.
static uint32_t MakeFaceId(const tdFace* face, uint32_t id)
{
    if ((id >> 24) == 0)
    {
        return 0x800000u | (id & 0xFFFFu);
    }
    uint32_t hash = (face->index + 1u) * 2654435761u;
    return 0x80000000u | ((hash >> 1) ^ id);
}

static uint32_t MakeId(const tdFace* face, uint32_t id)
{
    uint32_t hash = (face->index + 1u) * 2654435761u;
    return (hash & 0xFFFFF000u) ^ id;
}

// Spheres: the closest point of the triangle or rectangle decides.

/// Region: 0 face, 1 + e edge, 8 + i corner.
static tdVec3 ClosestOnFace(const tdFace* face, tdVec3 p, int* region)
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

static void CollideBall(tdMeshJob* job, tdFace* face, tdVec3 c, float radius, float margin)
{
    float reach = radius + margin;
    float height = tdDot(face->normal, c) - face->offset;
    if (height > reach || height < 0.0f)
    {
        return;
    }
    int region;
    tdVec3 q = ClosestOnFace(face, c, &region);
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
        if (distance > 1.0e-6f * radius)
        {
            normal = tdScale(1.0f / distance, delta);
        }
    }
    float separation = distance - radius;
    tdClipPoint point = {tdMulAdd(q, 0.5f * separation, normal), separation, MakeId(face, (uint32_t)region)};
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
        else if (job->pendingCount < TD_MAX_PENDING && (face->isActive[corner] || face->isActive[before]))
        {
            uint32_t vertex = face->mesh->indices[3 * (size_t)face->index + (size_t)corner];
            job->pending[job->pendingCount++] = (tdPending){vertex, normal, point};
        }
        return;
    }
    if (region > 0)
    {
        int e = region - 1;
        if (!face->isActive[e] || tdDot(normal, face->normal) < face->cosines[e] - 0.01f)
        {
            return;
        }
        Own(job, face, e);
        Own(job, face, e + 1 < face->count ? e + 1 : 0);
    }
    else
    {
        for (int i = 0; i < face->count; ++i)
        {
            Own(job, face, i);
        }
    }
    tdClusters_Add(&job->clusters, normal, &point, 1);
}

static void CollideSphere(tdMeshJob* job, tdFace* face)
{
    CollideBall(job, face, job->convex.points[0], job->convex.radius, job->margin);
}

/// A face that none of the facing points is over, although it reaches into the core of the shape: the core
/// pushes as a ball. So whatever continuous collision stops by its middle has a contact in the next step.
static void CollideCore(tdMeshJob* job, tdFace* face)
{
    CollideBall(job, face, job->center, CORE_SHARE * job->innerRadius, 0.0f);
}

/// The other way round: the core of a solid mesh pushes as a ball. The sides of its faces are told by the
/// middle of the convex shape, which says nothing about a small mesh deep in a thin wall.
static void CollideMeshCore(tdMeshJob* job, const tdShapeGeometry* mesh)
{
    float radius = mesh->kind == TD_SHAPE_MESH ? CORE_SHARE * mesh->mesh->innerRadius : 0.0f;
    if (!(radius > 0.0f))
    {
        return;
    }
    tdConvex core = tdMakePointConvex(mesh->mesh->volume.centroid);
    float margin = tdMinFloat(0.5f * radius, job->margin);
    tdDistanceResult nearest = tdConvexDistance(&core, &job->convex, radius + margin, NULL);
    float separation = nearest.distance - radius;
    if (separation <= margin)
    {
        tdClipPoint point = {tdMulAdd(nearest.pointB, -0.5f * separation, nearest.normal), separation,
                             0x700u};
        tdClusters_Add(&job->clusters, nearest.normal, &point, 1);
    }
}

static void ReleasePending(tdMeshJob* job)
{
    for (int i = 0; i < job->pendingCount; ++i)
    {
        bool isOwned = false;
        for (int k = 0; k < job->ownedCount && !isOwned; ++k)
        {
            isOwned = job->owned[k] == job->pending[i].vertex;
        }
        if (!isOwned)
        {
            tdClusters_Add(&job->clusters, job->pending[i].normal, &job->pending[i].point, 1);
        }
    }
}

// Everything else.

/// Cut points of the convex to the prism over the face and hand them in with the face's normal.
static int AddFacePoints(tdMeshJob* job, const tdFace* face, tdClipPoint* points, int count)
{
    static const uint32_t tags[4] = {1, 2, 3, 4};
    if (count >= 2)
    {
        count = tdClipToPrism(face->points, tags, face->count, face->normal, points, count);
    }
    else
    {
        int region;
        ClosestOnFace(face, points[0].position, &region);
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

/// Face of the polytope as reference: the corner or edge of a mesh that pokes into it.
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
            points[kept++] =
                (tdClipPoint){position, separation, MakeId(face, 0x800u ^ (points[i].id & 0x7FFu))};
        }
    }
    tdClusters_Add(&job->clusters, tdNegate(n), points, kept);
}

typedef struct tdFaceAxis
{
    float separation;
    int polytopeFace; // >= 0: that face
    tdVec3 normal;    // edges
    tdVec3 onFace, onConvex;
    int edge;
} tdFaceAxis;

/// Best axis among the polytope's faces. False if one of them parts the two.
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

static void QueryPolytopeEdges(const tdMeshJob* job, const tdFace* face, tdFaceAxis* best)
{
    const tdPolytope* polytope = &job->polytope;
    for (int e = 0; e < face->count; ++e)
    {
        if (!face->isActive[e] || face->cosines[e] > 0.98f)
        {
            continue;
        }
        tdVec3 p = face->points[e], u = tdSub(face->points[e + 1 < face->count ? e + 1 : 0], p);
        tdVec3 outward = tdCross(u, face->normal);
        float uu = tdDot(u, u);
        for (int j = 0; j < polytope->fullEdgeCount; ++j)
        {
            const tdHullEdge* edge = polytope->edges + polytope->fullEdges[j];
            const tdHullEdge* twin = polytope->edges + edge->twin;
            tdVec3 nb = polytope->normals[edge->face], mb = polytope->normals[twin->face];
            // The polytope's arc must cross the plane of normals that the mesh edge can have.
            if (tdDot(nb, u) * tdDot(mb, u) >= 0.0f)
            {
                continue;
            }
            tdVec3 q = tdPolytope_GetVertex(polytope, edge->origin),
                   v = tdSub(tdPolytope_GetVertex(polytope, twin->origin), q);
            tdVec3 n = tdCross(u, v);
            float squared = tdLengthSquared(n), vv = tdDot(v, v);
            if (squared < 1.0e-4f * uu * vv)
            {
                continue;
            }
            n = tdScale(1.0f / sqrtf(squared), n);
            // Out of the mesh: between the face's normal and its outward side; into the polytope at this
            // edge.
            n = tdDot(n, face->normal) < 0.0f ? tdNegate(n) : n;
            if (tdDot(n, outward) < 0.0f || tdDot(n, face->normal) < face->cosines[e] - 0.01f ||
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
                continue; // the lines meet outside of the edges: some other axis is the right one
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

/// Too deep, or so deep that the core of the mesh has come to the other side of what pushes.
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

static void CollidePolytopeFace(tdMeshJob* job, tdFace* face)
{
    const tdPolytope* polytope = &job->polytope;
    if (tdDot(face->normal, job->center) < face->offset)
    {
        return;
    }
    float separation = tdPolytope_FindLowest(polytope, face->normal) - face->offset;
    if (separation > job->margin)
    {
        return;
    }
    if (separation < -0.25f * job->innerRadius)
    {
        if (tdFace_IsSharp(face))
        {
            tdFaceAxis best = {.separation = separation, .polytopeFace = -1, .edge = -1};
            best.separation += 0.01f * job->innerRadius;
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
                                         MakeId(face, 0xC00u | (uint32_t)best.edge)};
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
    if (AddFacePoints(job, face, points, count) == 0)
    {
        CollideCore(job, face);
    }
}

/// Whether what reaches lowest over a face lies beyond its edge e: `u` along the edge, `n` the face's normal,
/// `p` a point of the edge.
static bool ReachesBeyond(const tdConvex* convex, tdVec3 n, tdVec3 u, tdVec3 p)
{
    return tdDot(tdCross(u, n), tdSub(tdConvex_Support(convex, tdNegate(n)), p)) > 0.0f;
}

/// A ridge between two faces: what reaches lowest along either normal lies over the other face, and neither
/// has a point. The edge itself is what touches then. @return number of points
static int CollideEdges(tdMeshJob* job, tdFace* face)
{
    const tdConvex* convex = &job->convex;
    tdFace_FindEdges(face);
    int found = 0;
    for (int e = 0; e < face->count; ++e)
    {
        if (!face->isActive[e] || face->cosines[e] > 0.99999f)
        {
            continue;
        }
        tdVec3 p = face->points[e], q = face->points[e + 1 < face->count ? e + 1 : 0], u = tdSub(q, p);
        if (!ReachesBeyond(convex, face->normal, u, p))
        {
            continue;
        }
        uint32_t neighbor =
            face->mesh != NULL ? face->mesh->neighbors[3 * (size_t)face->index + (size_t)e] : 0;
        bool hasNeighbor = face->mesh != NULL && !face->mesh->isDoubleSided &&
                           tdTriangles_GetEdgeKind(face->mesh, (int)face->index, e) == TD_EDGE_CONVEX;
        if (hasNeighbor && !ReachesBeyond(convex, face->mesh->normals[neighbor], tdNegate(u), p))
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
                                      MakeId(face, 0x600u ^ (manifold.points[i].feature & 0xFFu))};
        }
        tdClusters_Add(&job->clusters, manifold.normal, points, count);
        found += count;
    }
    return found;
}

static void CollideSmoothFace(tdMeshJob* job, tdFace* face)
{
    const tdConvex* convex = &job->convex;
    if (tdDot(face->normal, job->center) < face->offset)
    {
        return;
    }
    tdVec3 lowest = tdConvex_Support(convex, tdNegate(face->normal));
    float separation = tdDot(face->normal, lowest) - face->offset - convex->radius;
    if (separation > job->margin)
    {
        return;
    }
    if (tdFace_IsSharp(face))
    {
        // A sheet's rectangle is taken as its two triangles' hull: the nearer of them is enough.
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
        if (tdDot(nearest.normal, face->normal) < 0.999f && nearest.distance > separation &&
            tdFace_AllowsNormal(face, nearest.normal))
        {
            tdManifold manifold;
            int count = tdBuildManifold(&triangle, convex, &nearest, job->margin, &manifold);
            tdClipPoint points[TD_MAX_MANIFOLD_POINTS];
            for (int i = 0; i < count; ++i)
            {
                points[i] = (tdClipPoint){manifold.points[i].position, manifold.points[i].separation,
                                          MakeId(face, 0x400u ^ (manifold.points[i].feature & 0xFFu))};
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
    int kept = AddFacePoints(job, face, points, count);
    // A line on a round side may end before the deepest point.
    if (separation < reached - 1.0e-3f * job->innerRadius)
    {
        tdClipPoint deepest = {lowest, 0.0f, 99u};
        kept += AddFacePoints(job, face, &deepest, 1);
    }
    if (kept == 0 && CollideEdges(job, face) == 0)
    {
        CollideCore(job, face);
    }
}

/// A mesh within a larger convex shape: its far side is no contact, though the other's middle is in front.
static void FindFarSide(tdMeshJob* job, const tdShapeGeometry* mesh, tdAabb convexBox)
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

int tdCollideMesh(const tdShapeGeometry* mesh, const tdShapeGeometry* convex, tdTransform pose, float margin,
                  tdVec3 velocity, tdManifold* manifolds, int capacity)
{
    (void)velocity;
    tdAabb box = tdShape_ComputeAabb(convex, pose);
    tdVec3 pad = {margin, margin, margin};
    box.lower = tdSub(box.lower, pad);
    box.upper = tdAdd(box.upper, pad);
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
    FindFarSide(&job, mesh, box);
    job.clusters.weld = 0.01f * job.innerRadius;
    job.pendingCount = job.ownedCount = 0;
    bool isSphere = job.convex.shape == NULL && job.convex.pointCount == 1;
    do
    {
        if (source.isDoubleSided)
        {
            tdFace_TurnTowards(&face, job.center);
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
    ReleasePending(&job);
    CollideMeshCore(&job, mesh);
    return tdClusters_Finish(&job.clusters, manifolds, capacity);
}
