// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes mass properties and velocities in the terms of each dialect.
#include "convert_motion.h"

#include "convert.h"
#include "convert_members.h"

#define HUGE_MASS 1.0e9f // kg or kg m^2: value for infinity, which OMI cannot express

/// Levels between two nodes of a path whose global matrices are kept. Paths with fewer levels are multiplied
/// from the node upwards.
#define ANCHOR_LEVELS 64

static bool IsSheared(const tdNodeTree* nodes, int node)
{
    return nodes->isSheared != NULL && nodes->isSheared[node];
}

/// Global matrix of a node: the product of the path up to its first anchor.
static tdMat4 MultiplyPath(const tdConverter* converter, int node)
{
    const tdNodeTree* nodes = &converter->asset->scene.nodes;
    tdMat4 global = tdMat4_identity;
    for (; node >= 0; node = nodes->parents[node])
    {
        if (converter->anchorAt[node] >= 0)
        {
            return tdMulMat4(converter->anchorGlobals[converter->anchorAt[node]], global);
        }
        global = tdMulMat4(
            IsSheared(nodes, node) ? nodes->matrices[node] : tdMat4FromTrs(nodes->locals[node]), global);
    }
    return global;
}

bool tdConverter_IndexNodeSpaces(tdConverter* converter)
{
    const tdNodeTree* nodes = &converter->asset->scene.nodes;
    bool* isScaledAt = tdArena_NewArray(&converter->scratch, bool, nodes->count);
    int* levels = tdArena_NewArray(&converter->scratch, int, nodes->count);
    int* anchorAt = tdConverter_NewIndices(&converter->scratch, nodes->count);
    if (isScaledAt == NULL || levels == NULL || anchorAt == NULL)
    {
        return false;
    }
    int anchorCount = 0;
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        tdVec3 scale = nodes->locals[node].scale;
        isScaledAt[node] = (parent >= 0 && isScaledAt[parent]) || IsSheared(nodes, node) || scale.x != 1.0f ||
                           scale.y != 1.0f || scale.z != 1.0f;
        levels[node] = parent >= 0 ? levels[parent] + 1 : 0;
        anchorCount += isScaledAt[node] && levels[node] > 0 && levels[node] % ANCHOR_LEVELS == 0;
    }
    tdMat4* globals = tdArena_NewArray(&converter->scratch, tdMat4, anchorCount + 1);
    if (globals == NULL)
    {
        return false;
    }
    converter->isScaledAt = isScaledAt;
    converter->anchorAt = anchorAt;
    converter->anchorGlobals = globals;
    anchorCount = 0;
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i];
        if (isScaledAt[node] && levels[node] > 0 && levels[node] % ANCHOR_LEVELS == 0)
        {
            globals[anchorCount] = MultiplyPath(converter, node);
            anchorAt[node] = anchorCount++;
        }
    }
    return true;
}

tdVec3 tdConverter_ToNodeSpace(const tdConverter* converter, const tdPhysicsBody* body, tdVec3 point)
{
    // Without scale the two spaces are equal: the point keeps its bits.
    if (!converter->isScaledAt[body->node])
    {
        return point;
    }
    tdMat4 global = MultiplyPath(converter, body->node);
    return tdMulMat3Vec3(tdInverse(tdMat4Linear(global)), tdRotate(body->frame.rotation, point));
}

static float ReplaceInfinity(float value)
{
    return value < INFINITY ? value : HUGE_MASS;
}

static void AppendVelocity(tdMembers* members, const tdPhysicsBody* body)
{
    if (tdLengthSquared(body->fileLinearVelocity) > 0.0f)
    {
        tdMembers_Numbers(members, "linearVelocity", &body->fileLinearVelocity.x, 3);
    }
    if (tdLengthSquared(body->fileAngularVelocity) > 0.0f)
    {
        tdMembers_Numbers(members, "angularVelocity", &body->fileAngularVelocity.x, 3);
    }
}

/// Writes mass properties for KHR: absent means computed, zero means infinite.
static void AppendKhrMotion(tdMembers* members, const tdPhysicsBody* body)
{
    bool isOmi = body->dialect >= TD_DIALECT_OMI_EARLY;
    if (body->motion != TD_MOTION_DYNAMIC)
    {
        tdMembers_Bool(members, "isKinematic", true);
    }
    if (body->hasMass)
    {
        tdMembers_Number(members, "mass", body->mass < INFINITY ? body->mass : 0.0f);
    }
    if (!isnan(body->fileCenterOfMass.x))
    {
        tdMembers_Numbers(members, "centerOfMass", &body->fileCenterOfMass.x, 3);
    }
    if (!isnan(body->fileInertiaDiagonal.x))
    {
        // In OMI zero means computed; the computed moment is written.
        tdVec3 diagonal = isOmi ? body->inertiaDiagonal : body->fileInertiaDiagonal;
        tdMembers_Numbers(members, "inertiaDiagonal", &diagonal.x, 3);
        tdMembers_Numbers(members, "inertiaOrientation", &body->fileInertiaOrientation.x, 4);
    }
    else if (body->hasTensor)
    {
        tdMembers_Numbers(members, "inertiaDiagonal", &body->inertiaDiagonal.x, 3);
        tdMembers_Numbers(members, "inertiaOrientation", &body->inertiaOrientation.x, 4);
    }
    if (body->motion != TD_MOTION_STATIC) // static ones are written as kinematic, which would move
    {
        AppendVelocity(members, body);
    }
    if (body->gravityFactor != 1.0f)
    {
        tdMembers_Number(members, "gravityFactor", body->gravityFactor);
    }
}

/// Nothing can change the velocity of a body with infinite mass and inertia: it is kinematic but for its
/// name.
static bool IsImmovable(const tdPhysicsBody* body)
{
    return body->motion == TD_MOTION_DYNAMIC && !(body->mass < INFINITY) &&
           !(body->inertiaDiagonal.x < INFINITY) && !(body->inertiaDiagonal.y < INFINITY) &&
           !(body->inertiaDiagonal.z < INFINITY);
}

bool tdConverter_IsMovable(const tdConverter* converter, int body)
{
    const tdPhysicsBody* bodies = converter->physics->bodies;
    return body >= 0 && bodies[body].motion == TD_MOTION_DYNAMIC &&
           !(tdIsOmiTarget(converter->target) && IsImmovable(&bodies[body]));
}

static bool HasInfinite(const tdPhysicsBody* body)
{
    return body->motion == TD_MOTION_DYNAMIC &&
           !(body->mass < INFINITY && body->inertiaDiagonal.x < INFINITY &&
             body->inertiaDiagonal.y < INFINITY && body->inertiaDiagonal.z < INFINITY);
}

/// Writes mass properties for OMI: the defaults are mass 1 and the origin of the node, zero inertia means
/// computed.
static void AppendOmiMotion(tdConverter* converter, tdMembers* members, const tdPhysicsBody* body,
                            const tdPath* path)
{
    static const char* const types[] = {"static", "kinematic", "dynamic"};
    bool isEarly = converter->target == TD_PHYSICS_OMI_EARLY;
    bool isImmovable = IsImmovable(body);
    tdMotion motion = isImmovable ? TD_MOTION_KINEMATIC : body->motion;
    tdMembers_String(members, "type", isEarly && motion == TD_MOTION_DYNAMIC ? "rigid" : types[motion]);
    // A factor of 0 keeps gravity from moving a huge mass.
    bool isHuge = motion == TD_MOTION_DYNAMIC && !(body->mass < INFINITY);
    float gravityFactor = isHuge ? 0.0f : body->gravityFactor;
    if (isImmovable)
    {
        tdConverter_Report(converter, path, "A dynamic body of infinite mass and inertia",
                           "it becomes kinematic");
    }
    else if (HasInfinite(body))
    {
        tdConverter_Report(converter, path, "An infinite mass or inertia",
                           !isHuge   ? "1e9 is written"
                           : isEarly ? "1e9 is written, and gravity acts on it"
                                     : "1e9 is written with a gravityFactor of 0");
    }
    // Kinematic bodies turn about their centre of mass as well.
    bool isTurning = motion == TD_MOTION_KINEMATIC && tdLengthSquared(body->fileAngularVelocity) > 0.0f;
    if (motion == TD_MOTION_DYNAMIC || (body->hasMass && body->mass < INFINITY))
    {
        tdMembers_Number(members, "mass", ReplaceInfinity(body->mass));
    }
    if (motion == TD_MOTION_DYNAMIC || isTurning || !isnan(body->fileCenterOfMass.x))
    {
        tdVec3 center = isnan(body->fileCenterOfMass.x)
                            ? tdConverter_ToNodeSpace(converter, body, body->centerOfMass)
                            : body->fileCenterOfMass;
        tdMembers_Numbers(members, "centerOfMass", &center.x, 3);
    }
    if (motion == TD_MOTION_DYNAMIC)
    {
        bool isGiven = !isnan(body->fileInertiaDiagonal.x) || body->hasTensor || HasInfinite(body);
        tdVec3 d = {ReplaceInfinity(body->inertiaDiagonal.x), ReplaceInfinity(body->inertiaDiagonal.y),
                    ReplaceInfinity(body->inertiaDiagonal.z)};
        if (isGiven && !isEarly)
        {
            tdMembers_Numbers(members, "inertiaDiagonal", &d.x, 3);
            tdMembers_Numbers(members, "inertiaOrientation", &body->inertiaOrientation.x, 4);
        }
        else if (isGiven)
        {
            tdMat3 axes = tdMat3FromQuat(body->inertiaOrientation);
            tdMat3 tensor = tdMulMat3(tdMulMat3(axes, tdDiagonal(d)), tdTranspose(axes));
            tdMembers_Numbers(members, "inertiaTensor", &tensor.cx.x, 9);
        }
    }
    AppendVelocity(members, body);
    if (gravityFactor != 1.0f && !isEarly)
    {
        tdMembers_Number(members, "gravityFactor", gravityFactor);
    }
    else if (body->gravityFactor != 1.0f && motion == TD_MOTION_DYNAMIC)
    {
        tdConverter_Report(converter, path, "A gravityFactor", "it is left out");
    }
}

#define MOTION_MEMBERS                                                                                       \
    "type isKinematic mass centerOfMass inertiaDiagonal inertiaOrientation inertiaTensor linearVelocity "    \
    "angularVelocity gravityFactor"

void tdConverter_AppendMotion(tdConverter* converter, tdText* text, const tdPhysicsBody* body, int oldObject,
                              const tdPath* path)
{
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    if (tdIsOmiTarget(converter->target))
    {
        AppendOmiMotion(converter, &members, body, path);
    }
    else
    {
        AppendKhrMotion(&members, body);
    }
    tdMembers_Unknown(&members, converter->json, oldObject, MOTION_MEMBERS);
    tdText_AppendChar(text, '}');
}
