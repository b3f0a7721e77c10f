// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// limits.h: upper bounds of what a file may make a program do. The names of the members are also those of the
// program's option --limit and of the "limits" option of the npm module.
#pragma once

#include "base.h"

/// Upper bounds for untrusted files. 0 in any member stands for its default, so that {0} is valid. A load
/// whose file exceeds a bound fails with LIMIT_EXCEEDED or MEMORY_LIMIT. A run that reaches one ends there
/// with LIMIT_REACHED; its output up to there is complete.
typedef struct tdLimits
{
    // Loading
    double duration;       // s, of an animation; default 36,000 (10 hours)
    int64_t nodes;         // of a file; default 4,000,000
    int64_t accessorBytes; // of all decoded accessors, bytes; default 4 GiB
    int64_t triangles;     // of all mesh colliders; default 50,000,000
    int64_t hullPoints;    // points of all convex hulls before cooking; default 50,000,000
    int64_t joints;        // physics joints of a file; default 1,000,000
    int64_t filters;       // collision filters of a file; default 100,000
    int64_t keys;          // keyframes of all animation channels; default 200,000,000
    // Running
    int64_t frames;      // recorded by one trace or bake; default 20,000,000
    int64_t pairs;       // pairs of shapes with overlapping fat boxes; default 65,536 + 24 per shape
    int64_t contacts;    // touching pairs; default: as many as pairs
    int64_t outputBytes; // of one written file; default 64 GiB
    int64_t texels;      // of all images that a renderer decodes; default 67,108,864. The first image beyond
                         // it is reported with LIMIT_EXCEEDED; it and later ones are not drawn
    // Both
    int64_t memory; // of one asset, and of one stage with its world and actors, bytes; default 4 GiB for an
                    // asset and 16 GiB for a stage, or half of the address space
} tdLimits;

/// The defaults of all limits except `pairs`, `contacts` and `memory`, which depend on their use and stay 0.
/// Does not allocate.
TD_API tdLimits tdDefaultLimits(void);

/// Name of a limit, in the order of tdLimits, such as "hullPoints"; NULL out of range. A static string.
TD_API const char* tdGetLimitName(int index);

/// Set a limit by name.
/// @param value >= 0; fractions are cut off, except those of "duration"; 0 for the default
/// @return false for an unknown name and for a value that is negative or not finite; nothing changes then
TD_API bool tdLimits_Set(tdLimits* limits, const char* name, double value);
