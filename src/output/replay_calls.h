// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The calls of a recording.
#pragma once

#include "replay.h"

/// Makes the calls of a CALL part. They are validated first.
/// @return false if one cannot be made (reported)
bool tdReplay_MakeCalls(tdReplay* replay, const tdRecordPart* part);
