// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Iteration over the joints of a body.
#include "physics/data/joint_data.h"

#include "physics/data/world_data.h"

int tdWorld_GetJointNeighbour(const tdWorld* world, int body, int* cursor)
{
    // -1: start. Otherwise the next key plus 2; 1 is the end.
    const tdJointSet* set = world->joints;
    int key = *cursor == -1 ? world->bodies.data[body].jointHead : *cursor - 2;
    while (key >= 0)
    {
        const tdJoint* joint = set->joints.data + (key >> 1);
        int other = (key & 1) == 0 ? joint->bodyB : joint->bodyA;
        key = joint->next[key & 1];
        if (other >= 0 && !joint->isBroken)
        {
            *cursor = key + 2;
            return other;
        }
    }
    *cursor = 1;
    return -1;
}
