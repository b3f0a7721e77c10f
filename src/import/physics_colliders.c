// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds colliders and triggers: shapes in the frame of their body, with the scale of the nodes applied
// (docs/spec/physics.md 5.2).
//
// The world matrix of the node, relative to the body, is  x -> R S x + t,  R a rotation and S symmetric
// (polar decomposition). R and t become the pose of the shape in the body. S is applied to the dimensions if
// the result is a shape of the same kind, to the vertices of hulls and meshes, and else stored as the matrix
// of the shape. Nothing is approximated.
#include "physics_colliders.h"

#include "physics_bodies.h"
#include "physics_build.h"

#include "geometry/bounds.h"
#include "geometry/geometry.h"

#include <string.h>

/// A collider without its cooked geometry.
typedef struct Pending
{
    tdPhysicsCollider collider;
    int cacheEntry; // -1: implicit
} Pending;

/// Places the shape of a node in a frame. False if the scale is zero on `zeroAxes` axes.
static bool PlaceNode(const tdPhysicsBuild* build, int node, tdTransform frame, bool isImplicit,
                      tdShapePlacement* placement, int* zeroAxes)
{
    tdVec3 scale = build->import->scene->nodes.locals[node].scale;
    if (!tdComputePlacement(build->globals[node], scale, isImplicit, placement, zeroAxes))
    {
        return false;
    }
    placement->pose.position = tdInvTransformPoint(frame, placement->pose.position);
    placement->pose.rotation = tdNormalizeQuat(tdInvMulQuat(frame.rotation, placement->pose.rotation));
    return true;
}

static bool IsInRange(tdVec3 v)
{
    // NaN is out of range.
    return tdAbsFloat(v.x) <= TD_MAX_COORDINATE && tdAbsFloat(v.y) <= TD_MAX_COORDINATE &&
           tdAbsFloat(v.z) <= TD_MAX_COORDINATE;
}

bool tdPhysicsBuild_IsInRange(const tdPhysicsBuild* build, int node)
{
    tdMat3 linear = tdMat4Linear(build->globals[node]);
    return IsInRange(tdMat4Translation(build->globals[node])) && IsInRange(linear.cx) &&
           IsInRange(linear.cy) && IsInRange(linear.cz);
}

/// Whether the size of a placed shape can be simulated. Planes have no size limit.
static bool IsShapeInRange(const tdShapeGeometry* geometry)
{
    if (!tdHasExtent(geometry))
    {
        return false;
    }
    if (geometry->kind == TD_SHAPE_PLANE)
    {
        return IsInRange(geometry->local.position);
    }
    tdAabb box = tdShape_ComputeAabb(geometry, tdTransform_identity);
    return IsInRange(box.lower) && IsInRange(box.upper);
}

static const char* GetMember(bool isTrigger)
{
    return isTrigger ? "trigger" : "collider";
}

/// The path of a collider for reports; in early OMI it is the extension itself.
typedef struct ColliderPath
{
    tdNodePath node;
    tdPath scale, member;
    const tdPath* object;
} ColliderPath;

static void ColliderPath_Init(ColliderPath* path, const tdRawNode* raw, int node, bool isTrigger)
{
    const char* extension = isTrigger && raw->hasTrigger ? raw->extension : raw->colliderExtension;
    tdNodePath_Init(&path->node, node, extension);
    path->scale = tdPath_Key(&path->node.node, "scale");
    path->member = tdPath_Key(&path->node.extension, GetMember(isTrigger));
    bool isFlat = strcmp(extension, "OMI_collider") == 0 || strcmp(extension, "OMI_physics_shape") == 0;
    path->object = isFlat ? &path->node.extension : &path->member;
}

static void ReportScale(const tdPhysicsBuild* build, const ColliderPath* path, int node)
{
    tdVec3 scale = build->import->scene->nodes.locals[node].scale;
    if (scale.x < 0.0f || scale.y < 0.0f || scale.z < 0.0f)
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_SCALE_NEGATIVE, &path->scale);
    }
}

/// The request for the cooked geometry of a collider, without irrelevant parts so that results are shared.
static tdGeometryRequest MakeRequest(const tdPhysicsBuild* build, int node, const tdRawGeometry* source,
                                     bool isHull, const tdShapePlacement* placement)
{
    tdGeometryRequest request = {.node = source->node,
                                 .mesh = source->mesh,
                                 .skin = -1,
                                 .colliderNode = -1,
                                 .isHull = isHull,
                                 .stretch = placement->stretch};
    if (source->shape >= 0)
    {
        const tdRawShape* shape = &build->raw.shapes[source->shape];
        request.mesh = shape->mesh;
        request.skin = shape->skin >= 0 ? shape->skin : -1;
        request.weights = shape->weights;
        request.weightCount = shape->weightCount;
        request.useNodeWeights = shape->useNodeWeights || source->useNodeWeights;
    }
    if (request.skin >= 0 || request.useNodeWeights)
    {
        request.colliderNode = node;
    }
    return request;
}

/// Adds one collider or trigger to the list if it is usable. False when memory ran out.
static bool AddCollider(tdPhysicsBuild* build, int node, bool isTriggerObject, Pending* pending, int* count)
{
    const tdRawNode* raw = &build->raw.nodes[node];
    const tdRawGeometry* source = isTriggerObject ? &raw->trigger : &raw->collider;
    const tdRawShape* shape = source->shape >= 0 ? &build->raw.shapes[source->shape] : NULL;
    if (!source->isGiven || (shape != NULL && !shape->isUsable))
    {
        return true;
    }
    ColliderPath path;
    ColliderPath_Init(&path, raw, node, isTriggerObject);
    int body = build->bodyOfNode[node];
    bool isOnTriggerBody = body >= 0 && build->raw.nodes[build->bodies[body].node].motion.isTriggerBody;
    tdTransform frame = body >= 0 ? build->bodies[body].frame : tdTransform_identity;
    tdShapeKind kind = shape != NULL ? shape->geometry.kind : TD_SHAPE_MESH;
    bool isMeshLike = kind == TD_SHAPE_HULL || kind == TD_SHAPE_MESH;
    bool isHull = isMeshLike && (kind == TD_SHAPE_HULL || source->convexHull);

    if (!tdPhysicsBuild_IsInRange(build, node))
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_OUT_OF_RANGE, path.object,
                     GetMember(isTriggerObject));
        return true;
    }
    tdShapePlacement placement;
    int zeroAxes;
    if (!PlaceNode(build, node, frame, !isMeshLike, &placement, &zeroAxes))
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_SCALE_ZERO, &path.scale, zeroAxes);
        return true;
    }
    if (!isMeshLike)
    {
        ReportScale(build, &path, node);
    }

    Pending* added = &pending[*count];
    *added = (Pending){
        .collider =
            {
                .node = node,
                .dialect = raw->dialect,
                .body = body,
                .isTrigger = isTriggerObject || isOnTriggerBody || (shape != NULL && shape->isTrigger),
                .shape = shape != NULL ? source->shape : -1,
                .useNodeWeights =
                    isMeshLike && (source->useNodeWeights || (shape != NULL && shape->useNodeWeights)),
                .material = isTriggerObject ? -1 : raw->colliderMaterial,
                .filter = isTriggerObject ? raw->triggerFilter : raw->colliderFilter,
                .placement = placement,
            },
        .cacheEntry = -1,
    };
    tdPhysicsCollider* collider = &added->collider;
    if (isMeshLike)
    {
        tdGeometryRequest request = MakeRequest(build, node, source, isHull, &placement);
        added->cacheEntry = tdGeometryCache_Add(&build->cache, &build->import->asset->allocator, &request);
        if (added->cacheEntry >= 0 && body >= 0)
        {
            build->cache.entries.data[added->cacheEntry].needsVolume = true;
        }
        collider->geometry = (tdShapeGeometry){.kind = isHull ? TD_SHAPE_HULL : TD_SHAPE_MESH,
                                               .local = placement.pose,
                                               .matrix = tdMat3_identity};
        *count += 1;
        return added->cacheEntry >= 0;
    }
    collider->geometry = shape->geometry;
    if (tdPlaceShape(&placement, &collider->geometry))
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_SCALE_NONUNIFORM, &path.scale);
    }
    if (!IsShapeInRange(&collider->geometry))
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_OUT_OF_RANGE, path.object,
                     GetMember(isTriggerObject));
        return true;
    }
    *count += 1;
    return true;
}

static void ReportGeometry(const tdPhysicsBuild* build, const Pending* pending,
                           const tdCookedGeometry* cooked)
{
    const tdPhysicsCollider* collider = &pending->collider;
    const tdRawNode* raw = &build->raw.nodes[collider->node];
    bool isTriggerObject =
        raw->hasTrigger && !raw->hasCollider ? true : collider->isTrigger && raw->hasTrigger;
    ColliderPath path;
    ColliderPath_Init(&path, raw, collider->node, isTriggerObject);
    tdPath geometry = tdPath_Key(path.object, "geometry");
    tdPath source = tdPath_Key(&geometry, cooked->request.node >= 0 ? "node" : "mesh");
    if (cooked->geometry != NULL)
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_OUT_OF_RANGE, path.object,
                     GetMember(isTriggerObject));
        return;
    }
    bool isNode = cooked->request.node >= 0;
    tdReport_Add(build->import->report, TD_DIAG_PHYS_GEOMETRY_NO_MESH,
                 collider->shape >= 0 ? path.object : &source, isNode ? "node" : "mesh",
                 isNode ? cooked->request.node : cooked->request.mesh,
                 cooked->request.isHull ? "four points that span a volume" : "triangles");
}

static void ReportDynamicShape(const tdPhysicsBuild* build, const tdPhysicsCollider* collider)
{
    if (collider->body < 0 || build->bodies[collider->body].motion != TD_MOTION_DYNAMIC ||
        collider->isTrigger)
    {
        return;
    }
    ColliderPath path;
    ColliderPath_Init(&path, &build->raw.nodes[collider->node], collider->node, false);
    if (collider->geometry.kind == TD_SHAPE_MESH)
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_DYNAMIC_TRIMESH, path.object);
    }
    else if (collider->geometry.kind == TD_SHAPE_PLANE)
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_DYNAMIC_PLANE, path.object);
    }
}

/// Fills the shapes: those of the file, then one entry per geometry given by node or mesh.
static bool FillShapes(tdPhysicsBuild* build, int pendingCount)
{
    int count = build->raw.shapeCount;
    int capacity = count + pendingCount;
    build->shapes = tdArena_NewArray(build->import->arena, tdPhysicsShape, capacity);
    if (build->shapes == NULL)
    {
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        const tdRawShape* raw = &build->raw.shapes[i];
        build->shapes[i] = (tdPhysicsShape){.dialect = raw->dialect,
                                            .fileShape = raw->index,
                                            .geometryNode = -1,
                                            .geometryMesh = raw->mesh,
                                            .isConvexHull = raw->geometry.kind == TD_SHAPE_HULL,
                                            .skin = raw->skin,
                                            .weights = raw->weights,
                                            .weightCount = raw->weightCount,
                                            .useNodeWeights = raw->useNodeWeights,
                                            .parameters = raw->parameters,
                                            .geometry = raw->geometry};
    }
    build->scene->shapes = build->shapes;
    build->scene->shapeCount = count;
    return true;
}

static int AddGeometryShape(tdPhysicsBuild* build, const tdPhysicsCollider* collider,
                            const tdGeometryRequest* request)
{
    build->shapes[build->scene->shapeCount] = (tdPhysicsShape){
        .dialect = collider->dialect,
        .fileShape = -1,
        .geometryNode = request->node,
        .geometryMesh = request->mesh,
        .isConvexHull = request->isHull,
        .skin = -1,
        .parameters = {.kind = collider->geometry.kind},
        .geometry = {.kind = collider->geometry.kind,
                     .local = tdTransform_identity,
                     .matrix = tdMat3_identity},
    };
    return build->scene->shapeCount++;
}

/// Whether a hull that was left out is in range for certain, because the box of its points is.
static bool IsBoxInRange(const tdPhysicsCollider* collider, tdAabb box)
{
    tdTransform center = {tdScale(0.5f, tdAdd(box.lower, box.upper)), tdQuat_identity};
    tdShapeGeometry shape = {.kind = TD_SHAPE_BOX,
                             .local = tdMulTransform(collider->geometry.local, center),
                             .matrix = tdMat3_identity,
                             .box = {tdScale(0.5f, tdSub(box.upper, box.lower))}};
    tdAabb placed = tdShape_ComputeAabb(&shape, tdTransform_identity);
    return IsInRange(placed.lower) && IsInRange(placed.upper);
}

/// Sets the geometry of a collider from the cache. False if it cannot be used.
static bool TakeGeometry(tdPhysicsBuild* build, int entry, tdPhysicsCollider* collider)
{
    const tdCookedGeometry* cooked = &build->cache.entries.data[entry];
    if (cooked->isHullLeftOut)
    {
        if (IsBoxInRange(collider, cooked->box))
        {
            return true;
        }
        tdGeometryCache_CookHull(&build->cache, entry, build->import, build->globals);
    }
    collider->cooked = cooked->geometry;
    if (collider->cooked == NULL)
    {
        return false;
    }
    if (collider->geometry.kind == TD_SHAPE_HULL)
    {
        collider->geometry.hull = cooked->geometry->hull;
    }
    else
    {
        collider->geometry.mesh = cooked->geometry->triangles;
    }
    return IsShapeInRange(&collider->geometry);
}

/// Keeps the colliders whose geometry can be used.
static bool KeepColliders(tdPhysicsBuild* build, const Pending* pending, int pendingCount)
{
    build->colliders = tdArena_NewArray(build->import->arena, tdPhysicsCollider, pendingCount);
    if (build->colliders == NULL || !FillShapes(build, pendingCount))
    {
        return false;
    }
    int count = 0;
    for (int i = 0; i < pendingCount; ++i)
    {
        tdPhysicsCollider collider = pending[i].collider;
        if (pending[i].cacheEntry >= 0)
        {
            const tdCookedGeometry* cooked = &build->cache.entries.data[pending[i].cacheEntry];
            bool isUsable = TakeGeometry(build, pending[i].cacheEntry, &collider);
            if (cooked->status == TD_GEOMETRY_OUT_OF_MEMORY)
            {
                return false;
            }
            if (!isUsable)
            {
                ReportGeometry(build, &pending[i], cooked);
                continue;
            }
            if (collider.shape < 0)
            {
                collider.shape = AddGeometryShape(build, &collider, &cooked->request);
            }
        }
        ReportDynamicShape(build, &collider);
        (collider.isTrigger ? build->triggerOfNode : build->colliderOfNode)[collider.node] = count;
        if (collider.body >= 0)
        {
            build->bodies[collider.body].colliderCount += 1;
        }
        build->colliders[count++] = collider;
    }
    build->scene->colliders = build->colliders;
    build->scene->colliderCount = count;
    return true;
}

/// Transfers all cooked geometries to the scene, which frees them with the asset.
static bool KeepGeometries(tdPhysicsBuild* build)
{
    int count = build->cache.entries.count;
    tdGeometry** geometries = tdArena_NewArray(build->import->arena, tdGeometry*, count);
    if (geometries == NULL)
    {
        for (int i = 0; i < count; ++i)
        {
            tdDestroyGeometry(build->cache.entries.data[i].geometry);
        }
        return false;
    }
    for (int i = 0; i < count; ++i)
    {
        geometries[i] = build->cache.entries.data[i].geometry;
    }
    build->scene->geometries = geometries;
    build->scene->geometryCount = count;
    return true;
}

/// Reports meshes that colliders need and that have geometry only in Draco's form, once each.
static bool ReportPackedMeshes(tdPhysicsBuild* build)
{
    tdImport* import = build->import;
    const tdScene* scene = import->scene;
    const tdNodeTree* nodes = &scene->nodes;
    bool* isReported = tdArena_NewArray(&import->scratch, bool, scene->meshCount + 1);
    if (isReported == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(&tdPath_root, "meshes");
    for (int i = 0; i < build->cache.entries.count; ++i)
    {
        const tdGeometryRequest* request = &build->cache.entries.data[i].request;
        int first = request->node >= 0 ? nodes->positions[request->node] : 0;
        int end = request->node >= 0 ? nodes->subtreeEnds[first] : 1;
        for (int position = first; position < end; ++position)
        {
            int mesh = request->node >= 0 ? nodes->meshes[nodes->order[position]] : request->mesh;
            if (mesh < 0 || isReported[mesh] || scene->meshes[mesh].packedPrimitive < 0)
            {
                continue;
            }
            isReported[mesh] = true;
            tdPath meshPath = tdPath_Index(&listPath, mesh);
            tdPath primitivesPath = tdPath_Key(&meshPath, "primitives");
            tdPath path = tdPath_Index(&primitivesPath, scene->meshes[mesh].packedPrimitive);
            tdReport_Add(import->report, TD_DIAG_DRACO_UNSUPPORTED, &path, mesh);
        }
    }
    return true;
}

bool tdBuildColliders(tdPhysicsBuild* build)
{
    int nodeCount = build->import->scene->nodes.count;
    int capacity = 0;
    for (int node = 0; node < nodeCount; ++node)
    {
        build->colliderOfNode[node] = build->triggerOfNode[node] = -1;
        const tdRawNode* raw = &build->raw.nodes[node];
        capacity += (raw->hasCollider ? 1 : 0) + (raw->hasTrigger && !raw->isCompound ? 1 : 0);
    }
    Pending* pending = tdArena_NewArray(&build->import->scratch, Pending, capacity);
    if (pending == NULL)
    {
        return false;
    }
    int count = 0;
    bool isGood = true;
    for (int node = 0; node < nodeCount && isGood; ++node)
    {
        const tdRawNode* raw = &build->raw.nodes[node];
        if (!build->isReachable[node])
        {
            continue;
        }
        isGood = !raw->hasCollider || AddCollider(build, node, false, pending, &count);
        isGood = isGood &&
                 (!raw->hasTrigger || raw->isCompound || AddCollider(build, node, true, pending, &count));
    }
    isGood = isGood && ReportPackedMeshes(build) &&
             tdGeometryCache_Cook(&build->cache, build->import, build->globals);
    isGood = isGood && KeepColliders(build, pending, count);
    isGood = KeepGeometries(build) && isGood; // hulls that the colliders asked for included
    tdGeometryCache_Free(&build->cache, &build->import->asset->allocator);
    return isGood;
}
