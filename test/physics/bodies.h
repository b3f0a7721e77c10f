// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Helpers of the physics tests that create bodies.
#pragma once

#include "tendon/physics.h"

#include <math.h>

#define PI 3.14159265358979323846
#define GRAVITY 9.81
#define STEP (1.0 / 60.0)
#define SUB_STEP (STEP / 4.0) // four sub-steps is the default of a world

static const tdQuat noTurn = {0.0f, 0.0f, 0.0f, 1.0f};

typedef struct Material
{
    float staticFriction, dynamicFriction, restitution, density;
} Material;

static const Material plain = {0.6f, 0.6f, 0.0f, 1000.0f};

static inline tdVec3 V(double x, double y, double z)
{
    return (tdVec3){(float)x, (float)y, (float)z};
}

// Rotation by an angle about a unit axis.
static inline tdQuat Turn(double x, double y, double z, double angle)
{
    double s = sin(0.5 * angle);
    return (tdQuat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(0.5 * angle)};
}

static inline tdVec3 RotateBy(tdQuat q, tdVec3 v)
{
    tdVec3 t = {2.0f * (q.y * v.z - q.z * v.y), 2.0f * (q.z * v.x - q.x * v.z),
                2.0f * (q.x * v.y - q.y * v.x)};
    return (tdVec3){v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                    v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

static inline tdWorld* MakeWorld(tdVec3 gravity, bool enableSleep)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = gravity;
    def.enableSleep = enableSleep;
    return tdCreateWorld(&def);
}

static inline tdShapeDef MakeShapeDef(Material material)
{
    tdShapeDef def = tdDefaultShapeDef();
    def.staticFriction = material.staticFriction;
    def.dynamicFriction = material.dynamicFriction;
    def.restitution = material.restitution;
    def.density = material.density;
    // The partner's value must not matter: "minimum" for friction and "maximum" for restitution let a test
    // set the rule on both sides.
    return def;
}

static inline tdBodyId AddBody(tdWorld* world, tdMotion motion, tdVec3 position, tdQuat rotation)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = motion;
    def.transform = (tdTransform){position, rotation};
    return tdCreateBody(world, &def);
}

static inline tdBodyId AddBox(tdWorld* world, tdMotion motion, tdVec3 position, tdQuat rotation, tdVec3 size,
                              Material material)
{
    tdBodyId body = AddBody(world, motion, position, rotation);
    tdShapeDef def = MakeShapeDef(material);
    tdCreateBox(world, body, &def, size);
    return body;
}

static inline tdBodyId AddSphere(tdWorld* world, tdMotion motion, tdVec3 position, double radius,
                                 Material material)
{
    tdBodyId body = AddBody(world, motion, position, noTurn);
    tdShapeDef def = MakeShapeDef(material);
    tdCreateSphere(world, body, &def, (float)radius);
    return body;
}

// A half-space rotated about Z by `angle`: a slope that falls towards +X for negative angles.
static inline tdBodyId AddSlope(tdWorld* world, double angle, Material material)
{
    tdBodyId body = AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), Turn(0, 0, 1, angle));
    tdShapeDef def = MakeShapeDef(material);
    tdCreatePlane(world, body, &def, INFINITY, INFINITY, false);
    return body;
}

static inline void StepFor(tdWorld* world, double seconds)
{
    int steps = (int)(seconds / STEP + 0.5);
    for (int i = 0; i < steps; ++i)
    {
        tdWorld_Step(world, (float)STEP);
    }
}

static inline tdVec3 Position(const tdWorld* world, tdBodyId body)
{
    return tdBody_GetTransform(world, body).position;
}

static inline double Length(tdVec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static inline double DotOf(tdVec3 a, tdVec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

// Angular momentum about the centre of mass, in the world.
static inline tdVec3 AngularMomentum(const tdWorld* world, tdBodyId body)
{
    tdBodyMass mass = tdBody_GetMass(world, body);
    tdQuat r = tdBody_GetTransform(world, body).rotation, o = mass.inertiaOrientation;
    tdQuat q = {r.w * o.x + r.x * o.w + r.y * o.z - r.z * o.y, r.w * o.y - r.x * o.z + r.y * o.w + r.z * o.x,
                r.w * o.z + r.x * o.y - r.y * o.x + r.z * o.w, r.w * o.w - r.x * o.x - r.y * o.y - r.z * o.z};
    tdQuat inverse = {-q.x, -q.y, -q.z, q.w};
    tdVec3 w = RotateBy(inverse, tdBody_GetAngularVelocity(world, body));
    return RotateBy(q, (tdVec3){w.x * mass.inertiaDiagonal.x, w.y * mass.inertiaDiagonal.y,
                                w.z * mass.inertiaDiagonal.z});
}

// Kinetic plus potential, J. Gravity along -Y.
static inline double Energy(const tdWorld* world, tdBodyId body)
{
    double mass = (double)tdBody_GetMass(world, body).mass;
    tdVec3 v = tdBody_GetLinearVelocity(world, body), w = tdBody_GetAngularVelocity(world, body);
    return 0.5 * mass * DotOf(v, v) + 0.5 * DotOf(w, AngularMomentum(world, body)) +
           mass * -(double)tdWorld_GetGravity(world).y * (double)tdBody_GetWorldCenterOfMass(world, body).y;
}
