// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every extension Tendon has heard of, and what it does about it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum tdSupport
{
    TD_SUPPORT_PLAYED,  // acted on: moves, simulates, retargets
    TD_SUPPORT_READ,    // geometry or keys come out of it
    TD_SUPPORT_KEPT,    // known, changes nothing for us (rendering, metadata); carried along
    TD_SUPPORT_REFUSED, // concerns motion, but Tendon does not act on it; carried along
    TD_SUPPORT_UNKNOWN,
} tdSupport;

/// By exact name; names with a known rendering prefix count as kept.
tdSupport tdFindSupport(const char* name, size_t length);
/// "played", "read", "kept", "refused", "unknown".
const char* tdSupport_GetName(tdSupport support);
/// True for the extensions whose importers check extensionsUsed with a code of their own.
bool tdHasOwnDeclarationCheck(const char* name, size_t length);
