// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates assets: empty ones for a load, and those of edited documents.
#pragma once

#include "scene/asset.h"

/// Creates an asset without document and scene. Copies name and options.
/// @return NULL when memory ran out (reported)
tdAsset* tdCreateAsset(const char* name, const tdLoadDef* def, tdReport* report);

/// Ends a load: reports a memory limit that was reached and detaches the report from the document.
/// @return the asset; NULL if it is not good, then it is destroyed
tdAsset* tdFinishAsset(tdAsset* asset, bool isGood, tdReport* report);

/// Creates an asset for the result of an edit of `origin`, with the same options and its own memory limit.
/// The edit allocates with its `allocator`.
/// @return NULL when memory ran out (reported)
tdAsset* tdCreateEditedAsset(const tdAsset* origin, const char* name, tdReport* report);

/// Ends an edit. The asset owns the document and imports it on first use of the scene.
/// @param asset may be NULL
/// @param document made with the asset's allocator; NULL: the edit failed
/// @return the asset; NULL if the edit failed, then the asset is destroyed
tdAsset* tdFinishEditedAsset(tdAsset* asset, tdDocument* document, tdReport* report);
