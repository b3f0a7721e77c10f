// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Completion scripts for shells, generated from the option table.
#pragma once

#include <stdio.h>

void PrintBashCompletion(FILE* out);
void PrintZshCompletion(FILE* out);
void PrintFishCompletion(FILE* out);
