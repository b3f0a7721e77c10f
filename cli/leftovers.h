// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Temporary files that killed runs left beside their outputs.
#pragma once

/// Removes temporary files of the library and the program from the folder of an output. A file stays while a
/// process holds its lock or the lock of another file of the same process.
/// @param output path of the output file; "-" has no folder
void RemoveLeftovers(const char* output);
