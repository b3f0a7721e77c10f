// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Findings as SARIF 2.1.0, the format that code scanning services read.
#pragma once

#include "tendon/tendon.h"

#include <stdio.h>

/// Prints the document up to its results.
void PrintSarifStart(FILE* out);
/// Prints the findings of a report as results, separated by commas.
void PrintSarifResults(FILE* out, const tdReport* report);
/// Prints one result about a whole file.
void PrintSarifFailure(FILE* out, const char* path, const char* code, const char* message);
void PrintSarifEnd(FILE* out);
