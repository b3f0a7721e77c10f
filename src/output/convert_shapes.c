// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes shapes in the terms of each dialect.
#include "convert_shapes.h"

#include "convert.h"
#include "convert_members.h"

/// Reports at the shape of a collider.
static tdPath ShapePath(const tdConverter* converter, int collider, tdPath frames[3])
{
    frames[0] = tdPath_Root();
    frames[1] = tdPath_Key(&frames[0], "nodes");
    frames[2] = tdPath_Index(&frames[1], converter->physics->colliders[collider].node);
    return tdPath_Key(&frames[2], "extensions");
}

static void ReportApproximation(tdConverter* converter, int collider, const char* what, const char* instead)
{
    tdPath frames[3];
    tdPath path = ShapePath(converter, collider, frames);
    tdConverter_Report(converter, &path, what, instead);
}

/// Morph weights of the mesh geometry of a collider; NULL: those of the mesh.
static const float* GetWeights(const tdConverter* converter, int collider, int mesh, int* count)
{
    const tdScene* scene = &converter->asset->scene;
    const tdPhysicsCollider* source = &converter->physics->colliders[collider];
    const tdPhysicsShape* shape = &converter->physics->shapes[source->shape];
    const float* weights = shape->weights;
    *count = shape->weightCount;
    int node = shape->geometryNode >= 0 ? shape->geometryNode : (source->useNodeWeights ? source->node : -1);
    if (weights == NULL && node >= 0)
    {
        const int* starts = scene->nodes.weightStarts + node;
        weights = scene->nodes.weights + starts[0];
        *count = starts[1] - starts[0];
    }
    bool isDefault = true;
    for (int i = 0; weights != NULL && i < *count; ++i)
    {
        float own = i < scene->meshes[mesh].weightCount ? scene->meshes[mesh].weights[i] : 0.0f;
        isDefault = isDefault && weights[i] == own;
    }
    return isDefault ? NULL : weights;
}

/// The mesh of a geometry given by node: the first one at or below it.
static int FindMesh(tdConverter* converter, int collider, const tdPhysicsShape* shape)
{
    int mesh = shape->geometryMesh, count;
    bool isPlain = shape->skin < 0;
    if (shape->geometryNode >= 0)
    {
        const tdNodeTree* nodes = &converter->asset->scene.nodes;
        int first = nodes->positions[shape->geometryNode];
        mesh = -1;
        for (int position = first; position < nodes->subtreeEnds[first]; ++position)
        {
            int node = nodes->order[position];
            if (nodes->meshes[node] >= 0)
            {
                isPlain = isPlain && mesh < 0 && position == first && nodes->skins[node] < 0;
                mesh = mesh < 0 ? nodes->meshes[node] : mesh;
            }
        }
    }
    if (!isPlain)
    {
        ReportApproximation(converter, collider, "Geometry of several nodes, or with a skin,",
                            "its first mesh is taken");
    }
    if (mesh >= 0 && GetWeights(converter, collider, mesh, &count) != NULL)
    {
        ReportApproximation(converter, collider, "Mesh geometry with morph weights of a node or shape",
                            "the weights of the mesh are taken");
    }
    return mesh;
}

static void AppendRound(tdMembers* members, const char* heightKey, float height, float bottom, float top)
{
    tdMembers_Number(members, heightKey, height);
    tdMembers_Number(members, "radiusBottom", bottom);
    tdMembers_Number(members, "radiusTop", top);
}

/// Opens the object of the parameters, named like the type; in early OMI they are beside the type.
static tdMembers OpenShapeObject(tdConverter* converter, tdMembers* shape, const char* type, tdText* text)
{
    tdMembers_String(shape, "type", type);
    if (converter->target == TD_PHYSICS_OMI_EARLY)
    {
        return *shape;
    }
    tdMembers_Key(shape, type);
    tdText_AppendChar(text, '{');
    return (tdMembers){text, 0};
}

static void CloseShapeObject(tdConverter* converter, tdText* text)
{
    if (converter->target != TD_PHYSICS_OMI_EARLY)
    {
        tdText_AppendChar(text, '}');
    }
}

/// Appends a capsule; one without height becomes a sphere, and early OMI allows one radius only.
static void AppendCapsule(tdConverter* converter, tdText* text, tdMembers* shape, int collider, float height,
                          float bottom, float top)
{
    tdMembers members = OpenShapeObject(converter, shape, "capsule", text);
    if (converter->target == TD_PHYSICS_OMI_EARLY)
    {
        if (bottom != top)
        {
            ReportApproximation(converter, collider, "A tapered capsule", "its mean radius is taken");
        }
        float radius = 0.5f * (bottom + top);
        tdMembers_Number(&members, "radius", radius);
        tdMembers_Number(&members, "height", height + 2.0f * radius);
    }
    else
    {
        AppendRound(&members, "height", height, bottom, top);
    }
    CloseShapeObject(converter, text);
}

static void AppendCylinder(tdConverter* converter, tdText* text, tdMembers* shape, int collider, float height,
                           float bottom, float top)
{
    tdMembers members = OpenShapeObject(converter, shape, "cylinder", text);
    if (converter->target == TD_PHYSICS_OMI_EARLY)
    {
        if (bottom != top)
        {
            ReportApproximation(converter, collider, "A tapered cylinder", "its mean radius is taken");
        }
        tdMembers_Number(&members, "radius", 0.5f * (bottom + top));
        tdMembers_Number(&members, "height", height);
    }
    else
    {
        AppendRound(&members, "height", height, bottom, top);
    }
    CloseShapeObject(converter, text);
}

static void AppendPlane(tdConverter* converter, tdText* text, tdMembers* shape, int collider,
                        const tdShapeGeometry* g)
{
    bool hasX = g->plane.halfX < INFINITY, hasZ = g->plane.halfZ < INFINITY;
    if (converter->target == TD_PHYSICS_KHR)
    {
        tdMembers members = OpenShapeObject(converter, shape, "plane", text);
        if (hasX)
        {
            tdMembers_Number(&members, "sizeX", 2.0f * g->plane.halfX);
        }
        if (hasZ)
        {
            tdMembers_Number(&members, "sizeZ", 2.0f * g->plane.halfZ);
        }
        if (g->plane.isDoubleSided)
        {
            tdMembers_Bool(&members, "doubleSided", true);
        }
        CloseShapeObject(converter, text);
        return;
    }
    ReportApproximation(converter, collider, "A plane",
                        "a flat box is written, 1 km wide where the plane is unbounded");
    tdMembers members = OpenShapeObject(converter, shape, "box", text);
    float size[3] = {hasX ? 2.0f * g->plane.halfX : 1000.0f, 0.01f, hasZ ? 2.0f * g->plane.halfZ : 1000.0f};
    tdMembers_Numbers(&members, "size", size, 3);
    CloseShapeObject(converter, text);
}

static void AppendImplicit(tdConverter* converter, tdText* text, tdMembers* shape, int collider,
                           const tdPhysicsShape* source)
{
    const tdShapeGeometry* g = &source->geometry;
    float offset = tdAbsFloat(g->local.position.y);
    switch (g->kind)
    {
    case TD_SHAPE_SPHERE:
        if (offset > 0.0f)
        {
            // A capsule whose larger sphere contains the other one: the other one shrinks to a point inside.
            bool isTop = g->local.position.y > 0.0f;
            AppendCapsule(converter, text, shape, collider, 2.0f * offset, isTop ? 0.0f : g->sphere.radius,
                          isTop ? g->sphere.radius : 0.0f);
        }
        else
        {
            tdMembers members = OpenShapeObject(converter, shape, "sphere", text);
            tdMembers_Number(&members, "radius", g->sphere.radius);
            CloseShapeObject(converter, text);
        }
        break;
    case TD_SHAPE_BOX:
    {
        tdMembers members = OpenShapeObject(converter, shape, "box", text);
        tdVec3 size = tdScale(2.0f, g->box.halfSize);
        tdMembers_Numbers(&members, "size", &size.x, 3);
        CloseShapeObject(converter, text);
        break;
    }
    case TD_SHAPE_CAPSULE:
        AppendCapsule(converter, text, shape, collider, 2.0f * g->capsule.halfHeight, g->capsule.radiusBottom,
                      g->capsule.radiusTop);
        break;
    case TD_SHAPE_CYLINDER:
        AppendCylinder(converter, text, shape, collider, 2.0f * g->cylinder.halfHeight,
                       g->cylinder.radiusBottom, g->cylinder.radiusTop);
        break;
    case TD_SHAPE_PLANE:
        AppendPlane(converter, text, shape, collider, g);
        break;
    case TD_SHAPE_HULL:
    case TD_SHAPE_MESH:
        break; // AppendMeshShape writes them
    }
}

static void AppendMeshShape(tdConverter* converter, tdText* text, tdMembers* shape, bool isHull, int mesh)
{
    const char* hull = converter->target == TD_PHYSICS_OMI_EARLY ? "hull" : "convex";
    tdMembers members = OpenShapeObject(converter, shape, isHull ? hull : "trimesh", text);
    tdMembers_Integer(&members, "mesh", mesh);
    CloseShapeObject(converter, text);
}

int tdConverter_UseShape(tdConverter* converter, tdText* table, int* tableCount, int collider)
{
    const tdPhysicsCollider* source = &converter->physics->colliders[collider];
    const tdPhysicsShape* shape = &converter->physics->shapes[source->shape];
    bool isEarlyTrigger = converter->target == TD_PHYSICS_OMI_EARLY && source->isTrigger;
    bool isMeshLike = shape->geometry.kind == TD_SHAPE_HULL || shape->geometry.kind == TD_SHAPE_MESH;
    bool isHull = source->geometry.kind == TD_SHAPE_HULL;
    int* index = &converter->shapeIndices[4 * source->shape + (isHull ? 2 : 0) + (isEarlyTrigger ? 1 : 0)];
    if (*index >= 0)
    {
        return *index;
    }
    int mesh = isMeshLike ? FindMesh(converter, collider, shape) : -1;
    if (isMeshLike && mesh < 0)
    {
        return -1;
    }
    tdText_AppendString(table, *tableCount > 0 ? ",{" : "{");
    tdMembers members = {table, 0};
    if (isMeshLike)
    {
        AppendMeshShape(converter, table, &members, isHull, mesh);
    }
    else
    {
        AppendImplicit(converter, table, &members, collider, shape);
    }
    if (isEarlyTrigger)
    {
        tdText_AppendString(table, ",\"isTrigger\":true");
    }
    tdText_AppendChar(table, '}');
    *index = *tableCount;
    *tableCount += 1;
    return *index;
}

/// A node with only this mesh, outside the scene, as in the samples of the release candidate.
/// @param weights morph weights of the node; NULL: those of the mesh
static int GetMeshNode(tdConverter* converter, int mesh, const float* weights, int weightCount)
{
    if (weights == NULL && converter->meshNodes[mesh] >= 0)
    {
        return converter->meshNodes[mesh];
    }
    tdText text;
    tdText_InitPart(&text, &converter->asset->outerAllocator, &converter->hasFailed);
    tdMembers members = {&text, 0};
    tdText_AppendChar(&text, '{');
    tdMembers_Integer(&members, "mesh", mesh);
    if (weights != NULL)
    {
        tdMembers_Numbers(&members, "weights", weights, weightCount);
    }
    tdText_AppendChar(&text, '}');
    int node = text.failed ? -1 : tdDocumentEdit_AddElement(converter->edit, "nodes", text.data, text.length);
    converter->hasFailed = converter->hasFailed || node < 0;
    converter->meshNodes[mesh] = weights == NULL ? node : converter->meshNodes[mesh];
    tdText_Free(&text);
    return node;
}

void tdConverter_AppendGeometry(tdConverter* converter, tdText* text, tdText* table, int* tableCount,
                                int collider)
{
    const tdPhysicsCollider* source = &converter->physics->colliders[collider];
    const tdPhysicsShape* shape = &converter->physics->shapes[source->shape];
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    if (shape->geometry.kind != TD_SHAPE_HULL && shape->geometry.kind != TD_SHAPE_MESH)
    {
        tdMembers_Integer(&members, "shape", tdConverter_UseShape(converter, table, tableCount, collider));
    }
    else
    {
        int node = shape->geometryNode;
        if (node < 0)
        {
            int count = 0;
            const float* weights = GetWeights(converter, collider, shape->geometryMesh, &count);
            node = GetMeshNode(converter, shape->geometryMesh, weights, count);
            if (shape->skin >= 0)
            {
                ReportApproximation(converter, collider, "Mesh geometry with a skin of its own",
                                    "the mesh is not skinned");
            }
        }
        tdMembers_Integer(&members, "node", node);
        if (source->geometry.kind == TD_SHAPE_HULL)
        {
            tdMembers_Bool(&members, "convexHull", true);
        }
    }
    tdText_AppendChar(text, '}');
}
