// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saved states of a stage that stay in the library's memory.
#pragma once

#include "stage.h"

/// tdStage_Save without a checksum, for tdStage_LoadTrusted.
size_t tdStage_SaveTrusted(const tdStage* stage, void* data, size_t size);
/// tdStage_Load of a block that tdStage_SaveTrusted of this stage wrote and that never left the library's
/// memory: the world's part is not validated.
bool tdStage_LoadTrusted(tdStage* stage, const void* data, size_t size);
