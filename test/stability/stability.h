// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rows of the table of tendon_stability: a scene, what was measured, and the bar.
#pragma once

#include "physics/bodies.h"

#include <stdbool.h>
#include <stdint.h>

/// True if a scene is wanted: its name contains the text of the command line.
bool WantScene(const char* format, ...);
/// Print a row for the last wanted scene. The bar and the value are texts; `passes` decides the verdict.
void PrintRow(bool passes, const char* bar, const char* format, ...);

void MeasureStanding(void);
void MeasureEnergy(void);
void MeasureScales(void);
