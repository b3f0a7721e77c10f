// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Removes physics from a document.
#pragma once

#include "json/edit.h"

/// Removes the node and root objects of the physics extensions and their names in extensionsUsed and
/// extensionsRequired. Containers that would become empty are removed too: glTF forbids empty ones.
void tdStripPhysics(const tdJson* json, tdJsonEdit* edit);
