// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Assets and clips of a recording.
#pragma once

#include "replay.h"

/// Loads the asset of an ASST part.
/// @return false if that is impossible (reported)
bool tdReplay_LoadAsset(tdReplay* replay, const tdRecordPart* part);
/// Cooks the hull or mesh of a GEOM part.
/// @return false if that is impossible (reported)
bool tdReplay_CookGeometry(tdReplay* replay, const tdRecordPart* part);
/// Makes the clip of a CLIP part.
/// @return false if that is impossible (reported)
bool tdReplay_MakeClip(tdReplay* replay, const tdRecordPart* part);
