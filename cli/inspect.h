// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The parts of tendon inspect: tables in verb_inspect.c, inspect_humanoid.c and inspect_physics.c, JSON in
// inspect_json.c.
#pragma once

#include "session.h"

/// One line: everything describe.h tells about the asset.
void PrintInspectionJson(FILE* out, const char* path, const tdAsset* asset);
/// The line of a file that nothing could be read of: why.
void PrintNoInspectionJson(FILE* out, const char* path, tdReport* report);

/// Tables of bodies, colliders, joints, materials and who collides with whom.
void PrintPhysics(const Session* session, const tdAsset* asset, const tdAssetInfo* info);

/// Bones and where the rotations of missing ones go, expressions, gaze. Nothing when there is no humanoid.
void PrintHumanoid(const Session* session, const tdAsset* asset);
/// Node constraints in order of evaluation, with what they wait for.
void PrintConstraints(const Session* session, const tdAsset* asset, int count);

/// Rows shown of a table; -1: all.
int GetRowLimit(const Session* session);
void PrintTitle(const Session* session, const char* title);
/// A cell with a name from the file, cut when it is long.
void AddName(Table* table, const char* name);
