// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Which kinds of file each verb writes, by the extension of -o.
#pragma once

#include "options.h"

/// Refuses an output whose extension names a kind that the verb does not write, and lets the extension choose
/// between formats (trace). "-", devices and names without an extension are accepted.
/// @return false for wrong usage, after an error message
bool ChooseOutputKind(Options* options, FILE* errors);
