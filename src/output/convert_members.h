// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Members of the JSON objects that a conversion writes.
#pragma once

#include "convert.h"

/// Appends a separator and a key; the caller appends the value.
void tdMembers_Key(tdMembers* members, const char* key);
/// Appends one member; likewise below.
void tdMembers_Number(tdMembers* members, const char* key, float value);
void tdMembers_Numbers(tdMembers* members, const char* key, const float* values, int count);
void tdMembers_Integer(tdMembers* members, const char* key, int value);
void tdMembers_Bool(tdMembers* members, const char* key, bool value);
void tdMembers_String(tdMembers* members, const char* key, const char* value);
/// Appends the extras of the old object, with a new note in place of Tendon's old ones.
/// @param key NULL: none
/// @param note JSON text
void tdMembers_Extras(tdMembers* members, const tdJson* json, int object, const char* key, const char* note);
/// Appends the members of a JSON object that are not in the space-separated list `known`, unchanged.
void tdMembers_Unknown(tdMembers* members, const tdJson* json, int object, const char* known);
