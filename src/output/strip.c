// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Removes members one by one, or the whole object if all its members are removed.
#include "strip.h"

#include "import/extensions.h"

static bool IsStripped(const char* name, size_t length, tdStripped stripped)
{
    return (stripped.physics && tdIsPhysicsExtension(name, length)) ||
           (stripped.springs && tdIsSpringExtension(name, length));
}

/// Removes extensions of `owner`, the root or a node.
static void StripOwner(const tdJson* json, tdJsonEdit* edit, int owner, tdStripped stripped)
{
    int extensions = tdJson_Find(json, owner, "extensions");
    int total = tdJson_GetCount(json, extensions), found = 0;
    for (int value = tdJson_GetFirst(json, extensions); value >= 0; value = tdJson_GetNext(json, value))
    {
        size_t length;
        const char* key = tdJson_GetKey(json, value, &length);
        found += IsStripped(key, length, stripped) ? 1 : 0;
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
        if (IsStripped(key, length, stripped))
        {
            tdJsonEdit_Remove(edit, value);
        }
    }
}

static void StripNames(const tdJson* json, tdJsonEdit* edit, const char* key, tdStripped stripped)
{
    int list = tdJson_Find(json, 0, key);
    int total = tdJson_GetCount(json, list), found = 0;
    for (int value = tdJson_GetFirst(json, list); value >= 0; value = tdJson_GetNext(json, value))
    {
        size_t length = 0;
        const char* text = tdJson_GetString(json, value, &length);
        found += IsStripped(text, length, stripped) ? 1 : 0;
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
        if (IsStripped(text, length, stripped))
        {
            tdJsonEdit_Remove(edit, value);
        }
    }
}

void tdStripExtensions(const tdJson* json, tdJsonEdit* edit, tdStripped stripped)
{
    StripOwner(json, edit, 0, stripped);
    int nodes = tdJson_Find(json, 0, "nodes");
    for (int node = tdJson_GetFirst(json, nodes); node >= 0; node = tdJson_GetNext(json, node))
    {
        StripOwner(json, edit, node, stripped);
    }
    StripNames(json, edit, "extensionsUsed", stripped);
    StripNames(json, edit, "extensionsRequired", stripped);
    int old = tdJson_Resolve(json, "/extensions/VRM/secondaryAnimation");
    if (stripped.springs && old >= 0)
    {
        tdJsonEdit_Remove(edit, old);
    }
}
