// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Removes physics and spring bones from a document.
#pragma once

#include "json/edit.h"

/// Kinds of extensions that are removed.
typedef struct tdStripped
{
    bool physics;
    bool springs; // also secondaryAnimation of VRM 0.x
} tdStripped;

/// Removes the node and root objects of these extensions and their names in extensionsUsed and
/// extensionsRequired. Containers that would become empty are removed too: glTF forbids empty ones.
void tdStripExtensions(const tdJson* json, tdJsonEdit* edit, tdStripped stripped);
