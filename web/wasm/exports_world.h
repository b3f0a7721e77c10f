// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shared by the exports of the rigid-body engine: ids and transforms in records.
#pragma once

#include "exports.h"

/// User data of bodies, shapes and joints that a script created. Those of actors have 0.
#define OWN_USER_DATA 1

/// Properties that td_body_set changes, in the order of BODY_PROPERTIES in web/module/world.js.
enum
{
    BODY_MOTION,
    BODY_TRANSFORM,
    BODY_TARGET,
    BODY_LINEAR_VELOCITY,
    BODY_ANGULAR_VELOCITY,
    BODY_FORCE,
    BODY_FORCE_AT,
    BODY_TORQUE,
    BODY_IMPULSE,
    BODY_IMPULSE_AT,
    BODY_ANGULAR_IMPULSE,
    BODY_MASS,
    BODY_COMPUTED_MASS,
    BODY_GRAVITY_FACTOR,
    BODY_AWAKE,
    BODY_SLEEP,
    BODY_CONTINUOUS,
};

/// Room for pairs of an id list; NULL when memory ran out.
uint32_t* ReserveIds(int count);

/// Writes the Id record.
void PutId(uint32_t index1, uint32_t generation);

static inline void PutIds(double* out, const uint32_t* numbers, int count)
{
    for (int i = 0; i < count; ++i)
    {
        out[i] = numbers[i];
    }
}

static inline void RecordTransform(double* position, double* rotation, tdTransform transform)
{
    PutVec3(position, transform.position);
    PutQuat(rotation, transform.rotation);
}
