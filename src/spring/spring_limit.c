// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Cone, hinge and spherical limits. Sine and cosine come from src/math, so results have the same bits
// everywhere.
#include "spring_limit.h"

#include "math/trig.h"

/// Smallest 1 + cos of the angle between Y and an axis at which their shortest rotation is defined.
#define OPPOSITE_AXIS 1.0e-8f

tdQuat tdSpringLimit_GetFrame(const tdSpringLimit* limit, tdVec3 axis)
{
    float w = 1.0f + axis.y;
    tdQuat turn = w < OPPOSITE_AXIS ? (tdQuat){1.0f, 0.0f, 0.0f, 0.0f}
                                    : tdNormalizeQuat((tdQuat){axis.z, 0.0f, -axis.x, w});
    return tdMulQuat(turn, limit->rotation);
}

// Moves a direction towards Y until their angle is that of the limit.
static tdVec3 ClampToCone(tdVec3 direction, float angle)
{
    tdSinCos wanted = tdComputeSinCos(angle);
    if (direction.y >= wanted.cosine)
    {
        return direction;
    }
    float side = tdSqrt(direction.x * direction.x + direction.z * direction.z);
    // Straight down there is no nearest side; X is as good as any and deterministic.
    float x = side > 0.0f ? direction.x / side : 1.0f, z = side > 0.0f ? direction.z / side : 0.0f;
    return (tdVec3){wanted.sine * x, wanted.cosine, wanted.sine * z};
}

static tdVec3 ClampToHinge(tdVec3 direction, float angle)
{
    float length = tdSqrt(direction.y * direction.y + direction.z * direction.z);
    if (!(length > 0.0f))
    {
        return (tdVec3){0.0f, 1.0f, 0.0f};
    }
    tdVec3 flat = {0.0f, direction.y / length, direction.z / length};
    tdSinCos wanted = tdComputeSinCos(angle);
    if (flat.y >= wanted.cosine)
    {
        return flat;
    }
    return (tdVec3){0.0f, wanted.cosine, flat.z < 0.0f ? -wanted.sine : wanted.sine};
}

static tdVec3 ClampToSphere(tdVec3 direction, float pitchLimit, float yawLimit)
{
    float pitch = tdAtan2(direction.z, direction.y), yaw = tdAsin(direction.x);
    if (tdAbsFloat(pitch) <= pitchLimit && tdAbsFloat(yaw) <= yawLimit)
    {
        return direction;
    }
    tdSinCos up = tdComputeSinCos(tdClampFloat(pitch, -pitchLimit, pitchLimit));
    tdSinCos side = tdComputeSinCos(tdClampFloat(yaw, -yawLimit, yawLimit));
    return (tdVec3){side.sine, side.cosine * up.cosine, side.cosine * up.sine};
}

tdVec3 tdSpringLimit_Apply(const tdSpringLimit* limit, tdVec3 direction)
{
    switch (limit->kind)
    {
    case TD_SPRING_LIMIT_NONE:
        break;
    case TD_SPRING_LIMIT_CONE:
        return ClampToCone(direction, limit->angles[0]);
    case TD_SPRING_LIMIT_HINGE:
        return ClampToHinge(direction, limit->angles[0]);
    case TD_SPRING_LIMIT_SPHERICAL:
        return ClampToSphere(direction, limit->angles[0], limit->angles[1]);
    }
    return direction;
}
