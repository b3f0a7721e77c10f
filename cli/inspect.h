// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The two halves of tendon inspect: tables in verb_inspect.c, JSON in inspect_json.c.
#pragma once

#include "session.h"

/// One line: everything describe.h tells about the asset.
void PrintInspectionJson(FILE* out, const char* path, const tdAsset* asset);
