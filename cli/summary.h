// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What a run came to (--summary), for people and for programs.
#pragma once

#include "session.h"

void PrintSummaryTables(const Session* session, const tdAsset* asset, const tdSummary* summary);
/// One JSON object, no line end.
void PrintSummaryJson(FILE* out, const tdAsset* asset, const tdSummary* summary);
