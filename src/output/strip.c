// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Removes members one by one, or the whole object if all its members are physics.
#include "strip.h"

#include "import/extensions.h"

/// Removes the physics extensions of `owner`, the root or a node.
static void StripOwner(const tdJson* json, tdJsonEdit* edit, int owner)
{
    int extensions = tdJson_Find(json, owner, "extensions");
    int total = tdJson_GetCount(json, extensions), found = 0;
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        size_t length;
        const char* key = tdJson_GetKey(json, value, &length);
        found += tdIsPhysicsExtension(key, length) ? 1 : 0;
    }
    if (found > 0 && found == total)
    {
        tdJsonEdit_Remove(edit, extensions);
        return;
    }
    for (int value = tdJson_GetFirst(json, extensions); value >= 0 && found > 0;
         value = tdJson_GetNext(json, value))
    {
        size_t length;
        const char* key = tdJson_GetKey(json, value, &length);
        if (tdIsPhysicsExtension(key, length))
        {
            tdJsonEdit_Remove(edit, value);
        }
    }
}

static void StripNames(const tdJson* json, tdJsonEdit* edit, const char* key)
{
    int list = tdJson_Find(json, 0, key);
    int total = tdJson_GetCount(json, list), found = 0;
    for (int value = tdJson_GetFirst(json, list); value >= 0; value = tdJson_GetNext(json, value))
    {
        size_t length = 0;
        const char* text = tdJson_GetString(json, value, &length);
        found += tdIsPhysicsExtension(text, length) ? 1 : 0;
    }
    if (found > 0 && found == total)
    {
        tdJsonEdit_Remove(edit, list);
        return;
    }
    for (int value = tdJson_GetFirst(json, list); value >= 0 && found > 0;
         value = tdJson_GetNext(json, value))
    {
        size_t length = 0;
        const char* text = tdJson_GetString(json, value, &length);
        if (tdIsPhysicsExtension(text, length))
        {
            tdJsonEdit_Remove(edit, value);
        }
    }
}

void tdStripPhysics(const tdJson* json, tdJsonEdit* edit)
{
    StripOwner(json, edit, 0);
    int nodes = tdJson_Find(json, 0, "nodes");
    for (int node = tdJson_GetFirst(json, nodes); node >= 0; node = tdJson_GetNext(json, node))
    {
        StripOwner(json, edit, node);
    }
    StripNames(json, edit, "extensionsUsed");
    StripNames(json, edit, "extensionsRequired");
}
