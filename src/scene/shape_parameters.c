// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Implicit shapes from the numbers of a file, and the scale of their node (docs/spec/physics.md,
// section 5.2).
#include "shape_parameters.h"

/// A capsule without height, or with one end sphere inside the other, is a sphere.
static void MakeSphere(tdShapeGeometry* geometry, float radius, float y)
{
    geometry->kind = TD_SHAPE_SPHERE;
    geometry->sphere.radius = radius;
    geometry->local.position = (tdVec3){0.0f, y, 0.0f};
}

bool tdIsCapsuleSwallowed(const tdShapeParameters* parameters)
{
    float height = parameters->values[0];
    float difference = tdAbsFloat(parameters->values[2] - parameters->values[1]);
    return difference > 0.0f && difference >= height;
}

static bool MakeCapsuleGeometry(const tdShapeParameters* parameters, tdShapeGeometry* geometry)
{
    float height = parameters->values[0], bottom = parameters->values[1], top = parameters->values[2];
    if (height == 0.0f || tdIsCapsuleSwallowed(parameters))
    {
        MakeSphere(geometry, tdMaxFloat(bottom, top),
                   top > bottom ? 0.5f * height : (top < bottom ? -0.5f * height : 0.0f));
        return true;
    }
    geometry->capsule.halfHeight = 0.5f * height;
    geometry->capsule.radiusBottom = bottom;
    geometry->capsule.radiusTop = top;
    return true;
}

bool tdMakeShapeGeometry(const tdShapeParameters* parameters, tdShapeGeometry* geometry)
{
    *geometry =
        (tdShapeGeometry){.kind = parameters->kind, .local = tdTransform_identity, .matrix = tdMat3_identity};
    const float* v = parameters->values;
    bool isPlane = parameters->kind == TD_SHAPE_PLANE;
    for (int i = 0; i < 3; ++i)
    {
        if (!(v[i] >= 0.0f) || (!isPlane && !isfinite(v[i])))
        {
            return false;
        }
    }
    switch (parameters->kind)
    {
    case TD_SHAPE_SPHERE:
        geometry->sphere.radius = v[0];
        return v[0] > 0.0f;
    case TD_SHAPE_BOX:
        geometry->box.halfSize = (tdVec3){0.5f * v[0], 0.5f * v[1], 0.5f * v[2]};
        return v[0] > 0.0f && v[1] > 0.0f && v[2] > 0.0f;
    case TD_SHAPE_CAPSULE:
        return (v[1] > 0.0f || v[2] > 0.0f) && MakeCapsuleGeometry(parameters, geometry);
    case TD_SHAPE_CYLINDER:
        geometry->cylinder.halfHeight = 0.5f * v[0];
        geometry->cylinder.radiusBottom = v[1];
        geometry->cylinder.radiusTop = v[2];
        return v[0] > 0.0f && (v[1] > 0.0f || v[2] > 0.0f);
    case TD_SHAPE_PLANE:
        geometry->plane.halfX = 0.5f * v[0];
        geometry->plane.halfZ = 0.5f * v[1];
        geometry->plane.isDoubleSided = parameters->isDoubleSided;
        return v[0] > 0.0f && v[1] > 0.0f;
    case TD_SHAPE_HULL:
    case TD_SHAPE_MESH:
        break; // not implicit
    }
    return false;
}

bool tdHasExtent(const tdShapeGeometry* geometry)
{
    switch (geometry->kind)
    {
    case TD_SHAPE_SPHERE:
        return geometry->sphere.radius >= TD_MIN_EXTENT;
    case TD_SHAPE_BOX:
        return tdMinFloat(geometry->box.halfSize.x,
                          tdMinFloat(geometry->box.halfSize.y, geometry->box.halfSize.z)) >= TD_MIN_EXTENT;
    case TD_SHAPE_CAPSULE:
        return tdMaxFloat(geometry->capsule.radiusBottom, geometry->capsule.radiusTop) >= TD_MIN_EXTENT;
    case TD_SHAPE_CYLINDER:
        return geometry->cylinder.halfHeight >= TD_MIN_EXTENT &&
               tdMaxFloat(geometry->cylinder.radiusBottom, geometry->cylinder.radiusTop) >= TD_MIN_EXTENT;
    case TD_SHAPE_PLANE:
        return tdMinFloat(geometry->plane.halfX, geometry->plane.halfZ) >= TD_MIN_EXTENT;
    case TD_SHAPE_HULL:
    case TD_SHAPE_MESH:
        break; // cooking checks them
    }
    return true;
}

/// Removes rounding noise from a stretch, so that equal scales give equal bits and share cooked geometry.
static tdMat3 SnapStretch(tdMat3 s)
{
    float* entries[9] = {&s.cx.x, &s.cx.y, &s.cx.z, &s.cy.x, &s.cy.y, &s.cy.z, &s.cz.x, &s.cz.y, &s.cz.z};
    float largest = 0.0f;
    for (int i = 0; i < 9; ++i)
    {
        largest = tdMaxFloat(largest, tdAbsFloat(*entries[i]));
    }
    // Grid of 2^-18 of the power of two above the largest entry: 4e-6, the rounding of a product of
    // rotations.
    float grid = 1.0f;
    while (grid < largest)
    {
        grid *= 2.0f;
    }
    while (grid > 2.0f * largest && grid > 1.0e-30f)
    {
        grid *= 0.5f;
    }
    grid *= 1.0f / 262144.0f;
    for (int i = 0; i < 9; ++i)
    {
        float steps = *entries[i] / grid;
        *entries[i] = grid * (float)(int)(steps + (steps < 0.0f ? -0.5f : 0.5f));
    }
    return s;
}

/// Implicit shapes are symmetric about their YZ plane, so a mirrored node can be mirrored once more: only the
/// absolute values of the scale count, wherever in the hierarchy the signs come from.
///   U S K = U S M K = (U M) (M S M) K    with M = diag(-1, 1, 1), K = M K, U = -R mirrored
static void RemoveMirror(tdPolar* polar)
{
    static const tdQuat halfTurnX = {1.0f, 0.0f, 0.0f, 0.0f}; // R' = U M = -R M = R diag(1, -1, -1)
    polar->rotation = tdMulQuat(polar->rotation, halfTurnX);
    tdMat3 s = tdScaleMat3(-1.0f, polar->stretch);
    s.cx.y = -s.cx.y;
    s.cx.z = -s.cx.z;
    s.cy.x = -s.cy.x;
    s.cz.x = -s.cz.x;
    polar->stretch = s;
}

bool tdComputePlacement(tdMat4 matrix, tdVec3 ownScale, bool isImplicit, tdShapePlacement* placement,
                        int* zeroAxes)
{
    tdMat3 linear = tdMat4Linear(matrix);
    if (isImplicit)
    {
        // Implicit shapes take the absolute value of their node's scale.
        linear.cx = ownScale.x < 0.0f ? tdNegate(linear.cx) : linear.cx;
        linear.cy = ownScale.y < 0.0f ? tdNegate(linear.cy) : linear.cy;
        linear.cz = ownScale.z < 0.0f ? tdNegate(linear.cz) : linear.cz;
    }
    float lengths[3] = {tdLength(linear.cx), tdLength(linear.cy), tdLength(linear.cz)};
    *zeroAxes = 0;
    for (int i = 0; i < 3; ++i)
    {
        *zeroAxes += lengths[i] < 1.0e-9f ? 1 : 0;
    }
    if (*zeroAxes > 0)
    {
        return false;
    }
    tdPolar polar = tdComputePolar(linear);
    if (isImplicit && polar.isMirrored)
    {
        RemoveMirror(&polar);
    }
    placement->pose.position = tdMat4Translation(matrix);
    placement->pose.rotation = polar.rotation;
    placement->stretch = SnapStretch(polar.stretch);
    return tdDeterminant(placement->stretch) != 0.0f;
}

static bool IsDiagonal(tdMat3 s)
{
    return s.cx.y == 0.0f && s.cx.z == 0.0f && s.cy.x == 0.0f && s.cy.z == 0.0f && s.cz.x == 0.0f &&
           s.cz.y == 0.0f;
}

/// Places a plane: its normal is that of the mapped plane, its sizes are those of the mapped edges.
static void PlacePlane(const tdShapePlacement* placement, tdShapeGeometry* geometry)
{
    tdVec3 x = placement->stretch.cx, z = placement->stretch.cz;
    tdVec3 normal = tdNormalize(tdCross(z, x));
    tdVec3 right = tdNormalize(x);
    tdMat3 axes = {right, normal, tdCross(right, normal)};
    geometry->local = placement->pose;
    if (!IsDiagonal(placement->stretch))
    {
        geometry->local.rotation = tdNormalizeQuat(tdMulQuat(placement->pose.rotation, tdQuatFromMat3(axes)));
    }
    geometry->plane.halfX *= tdLength(x);
    geometry->plane.halfZ *= tdAbsFloat(tdDot(axes.cz, z));
}

bool tdPlaceShape(const tdShapePlacement* placement, tdShapeGeometry* geometry)
{
    if (geometry->kind == TD_SHAPE_PLANE)
    {
        PlacePlane(placement, geometry);
        return false;
    }
    tdMat3 s = placement->stretch;
    tdVec3 offset = tdMulMat3Vec3(s, geometry->local.position); // of a capsule that became a sphere
    geometry->local.position = tdTransformPoint(placement->pose, offset);
    geometry->local.rotation = placement->pose.rotation;
    bool isDiagonal = IsDiagonal(s);
    bool isUniform = isDiagonal && s.cx.x == s.cy.y && s.cy.y == s.cz.z;
    float scale = s.cx.x;
    if (isUniform && scale == 1.0f)
    {
        return false;
    }
    bool keepsKind = isUniform;
    switch (geometry->kind)
    {
    case TD_SHAPE_SPHERE:
        geometry->sphere.radius *= keepsKind ? scale : 1.0f;
        break;
    case TD_SHAPE_BOX:
        keepsKind = isDiagonal;
        if (keepsKind)
        {
            geometry->box.halfSize = tdMul((tdVec3){s.cx.x, s.cy.y, s.cz.z}, geometry->box.halfSize);
        }
        break;
    case TD_SHAPE_CAPSULE:
        geometry->capsule.halfHeight *= keepsKind ? scale : 1.0f;
        geometry->capsule.radiusBottom *= keepsKind ? scale : 1.0f;
        geometry->capsule.radiusTop *= keepsKind ? scale : 1.0f;
        break;
    case TD_SHAPE_CYLINDER:
        keepsKind = isDiagonal && s.cx.x == s.cz.z;
        if (keepsKind)
        {
            geometry->cylinder.halfHeight *= s.cy.y;
            geometry->cylinder.radiusBottom *= scale;
            geometry->cylinder.radiusTop *= scale;
        }
        break;
    case TD_SHAPE_PLANE:
    case TD_SHAPE_HULL:
    case TD_SHAPE_MESH:
        break; // planes returned above; import applies the scale to the others when it cooks them
    }
    geometry->hasMatrix = !keepsKind;
    geometry->matrix = keepsKind ? tdMat3_identity : s;
    return geometry->kind != TD_SHAPE_BOX && !isUniform;
}
