// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Slerp of WIDTH rotations at once. The including file defines WIDTH, and GET_SLERP as the name of the function
// that returns the kernel.
#include "wide_quat.inl"

static void SlerpMany(const float* const* pairs, float t, tdQuat* out)
{
    Wide a[4], b[4];
    Gather(a, pairs, 0);
    Gather(b, pairs, 4);
    Quats from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
    Quats result = Slerp(from, to, TO_ALL(t));
    float* targets[WIDTH];
    for (int i = 0; i < WIDTH; ++i)
    {
        targets[i] = &out[i].x;
    }
    Scatter(targets, 0, result.x, result.y, result.z, result.w);
}

tdSlerpManyFcn* GET_SLERP(void)
{
    return SlerpMany;
}
