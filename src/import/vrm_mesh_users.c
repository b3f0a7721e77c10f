// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lists the nodes of each mesh.
#include "vrm_mesh_users.h"

bool tdMeshUsers_Init(tdMeshUsers* users, const tdNodeTree* nodes, tdArena* arena)
{
    *users = (tdMeshUsers){0};
    for (int node = 0; node < nodes->count; ++node)
    {
        users->meshCount = tdMaxInt(users->meshCount, nodes->meshes[node] + 1);
    }
    users->first = tdArena_NewArray(arena, int, users->meshCount);
    users->counts = tdArena_NewArray(arena, int, users->meshCount);
    users->next = tdArena_NewArray(arena, int, nodes->count);
    if (users->first == NULL || users->counts == NULL || users->next == NULL)
    {
        return false;
    }
    for (int mesh = 0; mesh < users->meshCount; ++mesh)
    {
        users->first[mesh] = -1;
    }
    for (int node = nodes->count - 1; node >= 0; --node)
    {
        int mesh = nodes->meshes[node];
        if (mesh >= 0)
        {
            users->next[node] = users->first[mesh];
            users->first[mesh] = node;
            users->counts[mesh] += 1;
        }
    }
    return true;
}
