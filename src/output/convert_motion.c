// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes mass properties and velocities in the terms of each dialect.
#include "convert_motion.h"

#include "convert.h"
#include "convert_members.h"

#define HUGE_MASS 1.0e9f // kg or kg m^2: value for infinity, which OMI cannot express

/// A point of the body frame in node space.
tdVec3 tdConverter_ToNodeSpace(const tdConverter* converter, const tdPhysicsBody* body, tdVec3 point)
{
    const tdNodeTree* nodes = &converter->asset->scene.nodes;
    bool isScaled = false;
    tdMat4 global = tdMat4_identity;
    for (int node = body->node; node >= 0; node = nodes->parents[node])
    {
        bool isSheared = nodes->isSheared != NULL && nodes->isSheared[node];
        tdVec3 scale = nodes->locals[node].scale;
        isScaled = isScaled || isSheared || scale.x != 1.0f || scale.y != 1.0f || scale.z != 1.0f;
        global = tdMulMat4(isSheared ? nodes->matrices[node] : tdMat4FromTrs(nodes->locals[node]), global);
    }
    // Without scale the two spaces are equal: the point keeps its bits.
    return isScaled ? tdMulMat3Vec3(tdInverse(tdMat4Linear(global)), tdRotate(body->frame.rotation, point))
                    : point;
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
    tdMembers_String(members, "type",
                     isEarly && body->motion == TD_MOTION_DYNAMIC ? "rigid" : types[body->motion]);
    if (HasInfinite(body))
    {
        tdConverter_Report(converter, path, "An infinite mass or inertia", "1e9 is written");
    }
    // Kinematic bodies turn about their centre of mass as well.
    bool isTurning = body->motion == TD_MOTION_KINEMATIC && tdLengthSquared(body->fileAngularVelocity) > 0.0f;
    if (body->motion == TD_MOTION_DYNAMIC || (body->hasMass && body->mass < INFINITY))
    {
        tdMembers_Number(members, "mass", ReplaceInfinity(body->mass));
    }
    if (body->motion == TD_MOTION_DYNAMIC || isTurning || !isnan(body->fileCenterOfMass.x))
    {
        tdVec3 center = isnan(body->fileCenterOfMass.x)
                            ? tdConverter_ToNodeSpace(converter, body, body->centerOfMass)
                            : body->fileCenterOfMass;
        tdMembers_Numbers(members, "centerOfMass", &center.x, 3);
    }
    if (body->motion == TD_MOTION_DYNAMIC)
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
    if (body->gravityFactor != 1.0f)
    {
        if (isEarly)
        {
            tdConverter_Report(converter, path, "A gravityFactor", "it is left out");
        }
        else
        {
            tdMembers_Number(members, "gravityFactor", body->gravityFactor);
        }
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
