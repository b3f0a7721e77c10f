// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Summary of a run (--summary), as tables or JSON.
#pragma once

#include "session.h"

void PrintSummaryTables(const Session* session, const tdAsset* asset, const tdSummary* summary);
/// One JSON object, no line end.
void PrintSummaryJson(FILE* out, const tdAsset* asset, const tdSummary* summary);
