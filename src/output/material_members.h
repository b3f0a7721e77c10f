// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Members of materials that animation pointers refer to.
#pragma once

#include "baked_tracks.h"

#include "gltf/document_edit.h"
#include "scene/humanoid.h"

/// Writes the members of materials that the material tracks animate and that the file leaves out, with their
/// default, and lists KHR_animation_pointer and KHR_texture_transform in extensionsUsed. Nothing happens
/// without material tracks.
/// @return false when memory ran out
bool tdDefineMaterialValues(const tdJson* json, tdDocumentEdit* edit, const tdScene* scene,
                            const tdBakedTracks* tracks, const tdAllocator* allocator);
