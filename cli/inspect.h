// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The parts of tendon inspect: tables in verb_inspect.c, inspect_humanoid.c and inspect_physics.c, JSON in
// inspect_json.c, both for springs in inspect_springs.c.
#pragma once

#include "session.h"

/// Filters that each filter is compared with in descriptions; the pairs of more would take too long.
#define MAX_PARTNERS 1024

/// Prints everything that describe.h knows about the asset as one line.
void PrintInspectionJson(FILE* out, const char* path, const tdAsset* asset);
/// Prints the line of an unreadable file with its findings.
void PrintNoInspectionJson(FILE* out, const char* path, tdReport* report);

/// Prints tables of bodies, colliders, joints, materials and collision filters.
void PrintPhysics(const Session* session, const tdAsset* asset, const tdAssetInfo* info);

/// Prints bones, substitutes of missing bones, expressions and gaze; nothing without a humanoid.
void PrintHumanoid(const Session* session, const tdAsset* asset);
/// Prints the map of bones with its confidence as JSON that --map reads.
void PrintSkeleton(const Session* session, const char* path, const tdAsset* asset);
/// Prints springs, their joints and colliders; nothing without springs.
void PrintSprings(const Session* session, const tdAsset* asset);
/// Prints springs, spring colliders and their groups as members of an object, each with a comma before it.
void PrintSpringsJson(FILE* out, const tdAsset* asset);
/// Prints node constraints in order of evaluation with their dependencies.
void PrintConstraints(const Session* session, const tdAsset* asset, int count);

/// Number of rows shown of a table; -1: all.
int GetRowLimit(const Session* session);
void PrintTitle(const Session* session, const char* title);
/// A cell with a name from the file, cut when it is long.
void AddName(Table* table, const char* name);
