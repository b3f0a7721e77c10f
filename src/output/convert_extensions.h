// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Extension objects and their declarations in a conversion.
#pragma once

#include "convert.h"

/// Replaces the physics extension objects of `owner` (a node or the root) by new ones.
void tdConverter_ReplaceExtensions(tdConverter* converter, int owner, const tdNewMember* added,
                                   int addedCount);
/// Whether a node or the root has a physics extension.
bool tdHasPhysics(const tdJson* json, int owner);
/// Replaces the physics names in extensionsUsed and extensionsRequired by new ones (at most 3).
void tdConverter_RewriteNames(tdConverter* converter, const char* const* names, int count);
