// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures the distance of the two pivots of every joint.
#include "joint_drift.h"

#include <math.h>

static void PivotInWorld(tdTransform pose, tdVec3 local, double out[3])
{
    double x = (double)pose.rotation.x, y = (double)pose.rotation.y, z = (double)pose.rotation.z,
           w = (double)pose.rotation.w;
    double v[3] = {(double)local.x, (double)local.y, (double)local.z};
    double s = 2 / (x * x + y * y + z * z + w * w);
    out[0] = (double)pose.position.x + v[0] * (1 - s * (y * y + z * z)) + v[1] * s * (x * y - w * z) +
             v[2] * s * (x * z + w * y);
    out[1] = (double)pose.position.y + v[0] * s * (x * y + w * z) + v[1] * (1 - s * (x * x + z * z)) +
             v[2] * s * (y * z - w * x);
    out[2] = (double)pose.position.z + v[0] * s * (x * z - w * y) + v[1] * s * (y * z + w * x) +
             v[2] * (1 - s * (x * x + y * y));
}

void tdMeasureJointErrors(const tdSetup* setup, const tdTransform* poses, tdJointErrors* errors)
{
    const tdTransform world = {{0, 0, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < setup->jointCount; ++i)
    {
        const tdSetupJoint* joint = &setup->joints[i];
        double a[3], b[3];
        PivotInWorld(joint->bodyA < 0 ? world : poses[joint->bodyA], joint->frameA.position, a);
        PivotInWorld(joint->bodyB < 0 ? world : poses[joint->bodyB], joint->frameB.position, b);
        double error = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                            (a[2] - b[2]) * (a[2] - b[2]));
        errors->sum += error;
        errors->count += 1;
        errors->max = fmax(errors->max, error);
    }
}
