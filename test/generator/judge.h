// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Judges of a generated scene: they run it and count what must not happen.
#pragma once

#include "generated_scene.h"

typedef enum Fault
{
    FAULT_ESCAPE,  // bodies that left a closed container
    FAULT_TUNNEL,  // bodies that passed a closed wall
    FAULT_LOST,    // bodies below solid ground
    FAULT_ENERGY,  // scenes that gained energy
    FAULT_JOINT,   // joints that are open in the last second
    FAULT_FALL,    // bodies of a tower that moved
    FAULT_NAN,     // bodies with a number that is not finite
    FAULT_CLAMPED, // bodies that exceeded a bound of speed
    FAULT_HASH,    // scenes whose state depends on the thread count or vector width
    FAULT_COUNT,
} Fault;

extern const char* const faultNames[FAULT_COUNT];

typedef struct Verdict
{
    int counts[FAULT_COUNT];
    int steps[FAULT_COUNT];         // first step of each fault; -1: none
    const char* kinds[FAULT_COUNT]; // shape of its body; NULL: no body
    double energyGain;              // J: largest excess over the permitted energy
    double energyStart;             // J
    double jointError;              // largest of the last second, as a fraction of the smaller body
    double fastest;                 // m/s
    uint64_t hash;
} Verdict;

/// Run a scene to its end.
/// @param isVerbose print the energy and the fastest body once per 30 steps
Verdict JudgeScene(Scene* scene, bool isVerbose);

/// Whether anything must not have happened.
bool Verdict_IsBad(const Verdict* verdict);
