// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Taking physics out of a document.
#pragma once

#include "json/edit.h"

/// Removes the node and root objects of the physics extensions and their names in extensionsUsed and
/// extensionsRequired, nothing else. Containers that would be left empty go with their last member, since
/// glTF has no empty ones.
void tdStripPhysics(const tdJson* json, tdJsonEdit* edit);
