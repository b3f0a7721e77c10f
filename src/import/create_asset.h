// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Assets before and after an import: new ones, and those that hold the document of an edit.
#pragma once

#include "scene/asset.h"

/// An asset without document and scene, with its own copy of the name and of the options.
/// @return NULL when memory ran out (reported)
tdAsset* tdCreateAsset(const char* name, const tdLoadDef* def, tdReport* report);

/// Ends a load or an edit: names a limit that was reached and takes the document out of the report's sight.
/// @return the asset; NULL when it is not good, then it is destroyed
tdAsset* tdFinishAsset(tdAsset* asset, bool isGood, tdReport* report);

/// An asset for the result of an edit of `origin`, with the same options and a memory limit of its own. Its
/// `allocator` serves the new document.
/// @return NULL when memory ran out (reported)
tdAsset* tdCreateEditedAsset(const tdAsset* origin, const char* name, tdReport* report);

/// Ends an edit. The asset takes the document over and imports it when its scene is first asked for.
/// @param asset may be NULL
/// @param document made with the asset's allocator; NULL: the edit failed
/// @return the asset; NULL when the edit failed, then the asset is destroyed
tdAsset* tdFinishEditedAsset(tdAsset* asset, tdDocument* document, tdReport* report);
