// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The parts of tendon inspect: tables in verb_inspect.c and inspect_physics.c, JSON in inspect_json.c.
#pragma once

#include "session.h"

/// One line: everything describe.h tells about the asset.
void PrintInspectionJson(FILE* out, const char* path, const tdAsset* asset);

/// Tables of bodies, colliders, joints, materials and who collides with whom.
void PrintPhysics(const Session* session, const tdAsset* asset, const tdAssetInfo* info);

/// Rows shown of a table; -1: all.
int GetRowLimit(const Session* session);
void PrintTitle(const Session* session, const char* title);
/// A cell with a name from the file, cut when it is long.
void AddName(Table* table, const char* name);
