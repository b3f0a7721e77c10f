// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds bodies and computes their masses (docs/spec/physics.md 5.1). The frame of a body is the world
// translation and rotation of its node.
#include "physics_bodies.h"

#include "physics_build.h"
#include "physics_colliders.h"

#include <string.h>

#define SHAPELESS_GYRATION 1.0f // m, radius of gyration of a body without volume
#define MIN_GYRATION 6.0e-5f    // m, least radius of gyration about an axis
#define RAISED_SHARE 0.9f       // moments below this share of the minimum are reported

void tdNodePath_Init(tdNodePath* path, int node, const char* extension)
{
    path->root = tdPath_Root();
    path->nodes = tdPath_Key(&path->root, "nodes");
    path->node = tdPath_Index(&path->nodes, node);
    path->extensions = tdPath_Key(&path->node, "extensions");
    path->extension = tdPath_Key(&path->extensions, extension);
}

tdTransform tdPhysicsBuild_GetFrame(const tdPhysicsBuild* build, int node)
{
    return (tdTransform){tdMat4Translation(build->globals[node]), tdRotationOfMat4(build->globals[node])};
}

/// The path of the object with the properties of a body: in early OMI the extension itself.
static const tdPath* GetMotionPath(const tdRawNode* raw, const tdNodePath* path, tdPath* member)
{
    bool isEarly = raw->dialect == TD_DIALECT_OMI_EARLY || raw->dialect == TD_DIALECT_OMI_2023_06;
    *member = tdPath_Key(&path->extension, raw->dialect == TD_DIALECT_MSFT_2022 ? "rigidBody" : "motion");
    return isEarly ? &path->extension : member;
}

static void FillBody(const tdPhysicsBuild* build, int node, tdPhysicsBody* body)
{
    const tdRawNode* raw = &build->raw.nodes[node];
    const tdRawMotion* motion = &raw->motion;
    tdTransform frame = tdPhysicsBuild_GetFrame(build, node);
    *body = (tdPhysicsBody){
        .node = node,
        .dialect = raw->dialect,
        .motion = motion->motion,
        .frame = frame,
        .hasMass = motion->hasMass,
        .inertiaOrientation = tdQuat_identity,
        .linearVelocity = tdRotate(frame.rotation, motion->linearVelocity),
        .angularVelocity = tdRotate(frame.rotation, motion->angularVelocity),
        .gravityFactor = motion->gravityFactor,
        .fileMass = motion->hasMass ? motion->mass : NAN,
        .fileCenterOfMass = motion->hasCenterOfMass ? motion->centerOfMass : (tdVec3){NAN, NAN, NAN},
        .fileInertiaDiagonal = motion->hasInertia ? motion->inertiaDiagonal : (tdVec3){NAN, NAN, NAN},
        .fileInertiaOrientation = motion->inertiaOrientation,
        .hasTensor = motion->hasTensor,
        .fileLinearVelocity = motion->linearVelocity,
        .fileAngularVelocity = motion->angularVelocity,
    };
}

bool tdBuildBodies(tdPhysicsBuild* build)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    int count = 0;
    for (int node = 0; node < nodes->count; ++node)
    {
        const tdRawNode* raw = &build->raw.nodes[node];
        if (raw->extension != NULL && !build->isReachable[node])
        {
            tdNodePath path;
            tdNodePath_Init(&path, node, raw->extension);
            tdReport_Add(build->import->report, TD_DIAG_PHYS_UNREACHABLE_NODE, &path.node);
        }
        if (raw->motion.isGiven && build->isReachable[node] && !tdPhysicsBuild_IsInRange(build, node))
        {
            tdNodePath path;
            tdNodePath_Init(&path, node, raw->extension);
            tdReport_Add(build->import->report, TD_DIAG_PHYS_OUT_OF_RANGE, &path.extension, "body");
            build->raw.nodes[node].motion.isGiven = false;
        }
        count += raw->motion.isGiven && build->isReachable[node] ? 1 : 0;
    }
    build->bodies = tdArena_NewArray(build->import->arena, tdPhysicsBody, count);
    if (build->bodies == NULL)
    {
        return false;
    }
    // In the order of nodes, so that body indices do not depend on the hierarchy.
    int next = 0;
    int* own = build->bodyOfNode;
    for (int node = 0; node < nodes->count; ++node)
    {
        own[node] = -1;
        if (build->raw.nodes[node].motion.isGiven && build->isReachable[node])
        {
            FillBody(build, node, &build->bodies[next]);
            own[node] = next++;
        }
    }
    for (int position = 0; position < nodes->count; ++position)
    {
        int node = nodes->order[position];
        int parent = nodes->parents[node];
        int above = parent >= 0 ? own[parent] : -1;
        if (own[node] < 0)
        {
            own[node] = above;
        }
        else if (above >= 0)
        {
            tdNodePath path;
            tdNodePath_Init(&path, node, build->raw.nodes[node].extension);
            tdPath member;
            const tdPath* motion = GetMotionPath(&build->raw.nodes[node], &path, &member);
            build->bodies[own[node]].isNested = true;
            tdReport_Add(build->import->report, TD_DIAG_PHYS_NESTED_MOTION, motion,
                         build->bodies[above].node);
        }
    }
    build->scene->bodies = build->bodies;
    build->scene->bodyCount = count;
    build->scene->bodyOfNode = own;
    return true;
}

/// Ratio of the largest to the smallest scale that rounding of a hierarchy of uniform scales explains.
#define UNIFORM_RATIO 1.0001f

/// The nearest node above a body at which the scale of the world is not uniform; -1: none.
static int FindUnevenAncestor(const tdPhysicsBuild* build, const tdPhysicsBody* body)
{
    int parent = build->import->scene->nodes.parents[body->node];
    if (parent < 0)
    {
        return -1;
    }
    tdVec3 scales;
    tdQuat axes;
    tdDiagonalize(tdComputePolar(tdMat4Linear(build->globals[parent])).stretch, &axes, &scales);
    float sizes[3] = {tdAbsFloat(scales.x), tdAbsFloat(scales.y), tdAbsFloat(scales.z)};
    float least = tdMinFloat(sizes[0], tdMinFloat(sizes[1], sizes[2]));
    float most = tdMaxFloat(sizes[0], tdMaxFloat(sizes[1], sizes[2]));
    return most > UNIFORM_RATIO * least ? parent : -1;
}

/// Reports a dynamic body that can turn below a non-uniform scale.
static void CheckShear(const tdPhysicsBuild* build, const tdPhysicsBody* body)
{
    bool canTurn = body->motion == TD_MOTION_DYNAMIC &&
                   (body->inertiaDiagonal.x < INFINITY || body->inertiaDiagonal.y < INFINITY ||
                    body->inertiaDiagonal.z < INFINITY);
    int above = canTurn ? FindUnevenAncestor(build, body) : -1;
    if (above >= 0)
    {
        tdNodePath path;
        tdNodePath_Init(&path, body->node, build->raw.nodes[body->node].extension);
        tdPath member;
        tdReport_Add(build->import->report, TD_DIAG_PHYS_SCALE_SHEARS,
                     GetMotionPath(&build->raw.nodes[body->node], &path, &member), above);
    }
}

static tdMassData MakeShapelessMass(float mass)
{
    float moment = mass * SHAPELESS_GYRATION * SHAPELESS_GYRATION;
    return (tdMassData){.mass = mass, .inertia = tdDiagonal((tdVec3){moment, moment, moment})};
}

/// Uses a given diagonal. Zero means infinite in KHR and computed in OMI: the moment about that axis.
static void UseGivenInertia(tdPhysicsBody* body, const tdRawMotion* motion, tdMat3 tensor)
{
    tdVec3 d = motion->inertiaDiagonal;
    tdMat3 axes = tdMat3FromQuat(motion->inertiaOrientation);
    const tdVec3 columns[3] = {axes.cx, axes.cy, axes.cz};
    float* given[3] = {&d.x, &d.y, &d.z};
    for (int axis = 0; axis < 3; ++axis)
    {
        if (*given[axis] == 0.0f)
        {
            float moment = tdDot(columns[axis], tdMulMat3Vec3(tensor, columns[axis]));
            *given[axis] = motion->zeroIsInfinite ? INFINITY : moment;
        }
    }
    body->inertiaDiagonal = d;
    body->inertiaOrientation = motion->inertiaOrientation;
}

/// Raises moments of inertia to `least`, kg m^2. Reports the smallest one of a dynamic body if it was below.
static void RaiseInertia(const tdPhysicsBuild* build, tdPhysicsBody* body, float least)
{
    float smallest = least;
    for (int axis = 0; axis < 3; ++axis)
    {
        float* moment = &(&body->inertiaDiagonal.x)[axis];
        smallest = tdMinFloat(smallest, *moment);
        *moment = *moment >= least ? *moment : least; // NaN becomes the minimum
    }
    // Sizes at the bound, such as 1.4 mm, are below it by rounding only.
    if (body->motion == TD_MOTION_DYNAMIC && smallest < RAISED_SHARE * least)
    {
        tdNodePath path;
        tdNodePath_Init(&path, body->node, build->raw.nodes[body->node].extension);
        tdPath member;
        tdReport_Add(build->import->report, TD_DIAG_PHYS_INERTIA_RAISED,
                     GetMotionPath(&build->raw.nodes[body->node], &path, &member),
                     (double)tdMaxFloat(smallest, 0.0f), (double)least);
    }
}

static void FillMass(const tdPhysicsBuild* build, tdPhysicsBody* body, const tdMassData* parts, int partCount)
{
    const tdRawMotion* motion = &build->raw.nodes[body->node].motion;
    tdMassData computed = tdCombineMassData(parts, partCount);
    bool hasVolume = partCount > 0 && computed.mass > 0.0f && isfinite(computed.mass);
    bool isInfinite = motion->hasMass && motion->zeroIsInfinite && motion->mass == 0.0f;
    float mass = motion->hasMass ? motion->mass : (hasVolume ? computed.mass : 1.0f);

    mass = tdClampFloat(mass, TD_MIN_MASS, TD_MAX_MASS);
    body->mass = isInfinite ? INFINITY : mass;
    body->centerOfMass = hasVolume ? computed.center : tdVec3_zero;
    if (motion->hasCenterOfMass)
    {
        // From node space, with scale, to the body frame.
        tdVec3 world = tdMat4Direction(build->globals[body->node], motion->centerOfMass);
        body->centerOfMass = tdInvRotate(body->frame.rotation, world);
    }

    // The tensor of the shapes, scaled to the actual mass, about the centre of the shapes even if the file
    // moves the centre of mass (docs/spec/physics.md 5.1).
    float unitMass = isInfinite ? 1.0f : mass;
    tdMassData source = hasVolume ? computed : MakeShapelessMass(unitMass);
    tdMat3 tensor = hasVolume ? tdScaleMat3(unitMass / computed.mass, source.inertia) : source.inertia;
    if (motion->hasTensor)
    {
        // Number[9] of early OMI, in node space; symmetrised.
        tensor = tdScaleMat3(0.5f, tdAddMat3(motion->inertiaTensor, tdTranspose(motion->inertiaTensor)));
    }
    tdQuat orientation;
    tdVec3 diagonal;
    tdDiagonalize(tensor, &orientation, &diagonal);
    body->inertiaDiagonal = isInfinite ? (tdVec3){INFINITY, INFINITY, INFINITY} : diagonal;
    body->inertiaOrientation = orientation;
    if (motion->hasInertia)
    {
        UseGivenInertia(body, motion, tensor);
    }
    // Moments are clamped to the range that the solver can invert.
    float least = (body->mass < INFINITY ? body->mass : 1.0f) * MIN_GYRATION * MIN_GYRATION;
    least = tdMaxFloat(least, TD_MIN_INERTIA);
    RaiseInertia(build, body, least);
    for (int axis = 0; axis < 3; ++axis)
    {
        float* moment = &(&body->inertiaDiagonal.x)[axis];
        *moment = *moment > TD_MAX_MASS && *moment < INFINITY ? TD_MAX_MASS : *moment;
    }
    if (!isfinite(body->centerOfMass.x + body->centerOfMass.y + body->centerOfMass.z))
    {
        body->centerOfMass = tdVec3_zero;
    }
}

bool tdBuildMasses(tdPhysicsBuild* build)
{
    // Counting sort of the solid colliders by body, so that the parts of each body are contiguous.
    int bodyCount = build->scene->bodyCount, colliderCount = build->scene->colliderCount;
    tdArena* scratch = &build->import->scratch;
    int* starts = tdArena_NewArray(scratch, int, bodyCount + 1);
    int* next = tdArena_NewArray(scratch, int, bodyCount + 1);
    tdMassData* parts = tdArena_NewArray(scratch, tdMassData, colliderCount);
    if (starts == NULL || next == NULL || parts == NULL)
    {
        return false;
    }
    for (int i = 0; i < colliderCount; ++i)
    {
        const tdPhysicsCollider* collider = &build->colliders[i];
        if (collider->body >= 0 && !collider->isTrigger)
        {
            starts[collider->body + 1] += 1;
        }
    }
    for (int body = 0; body < bodyCount; ++body)
    {
        starts[body + 1] += starts[body];
        next[body] = starts[body];
    }
    for (int i = 0; i < colliderCount; ++i)
    {
        const tdPhysicsCollider* collider = &build->colliders[i];
        if (collider->body >= 0 && !collider->isTrigger)
        {
            bool isHullLeftOut = collider->geometry.kind == TD_SHAPE_HULL && collider->geometry.hull == NULL;
            parts[next[collider->body]++] =
                isHullLeftOut ? (tdMassData){0} : tdComputeMassData(&collider->geometry, TD_BODY_DENSITY);
        }
    }
    for (int i = 0; i < bodyCount; ++i)
    {
        tdPhysicsBody* body = &build->bodies[i];
        int count = starts[i + 1] - starts[i];
        if (count == 0 && !body->hasMass && body->motion == TD_MOTION_DYNAMIC)
        {
            tdNodePath path;
            tdNodePath_Init(&path, body->node, build->raw.nodes[body->node].extension);
            tdPath member;
            const tdPath* motion = GetMotionPath(&build->raw.nodes[body->node], &path, &member);
            tdReport_Add(build->import->report, TD_DIAG_PHYS_BODY_WITHOUT_SHAPE, motion);
        }
        FillMass(build, body, parts + starts[i], count);
        CheckShear(build, body);
    }
    return true;
}
