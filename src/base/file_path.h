// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parts of file paths. A path uses slashes; nothing here reads the file system.
#pragma once

#include "text.h"

/// Appends the folder of a path: everything before the last slash, "/" for a file in the root, "." when the
/// path has no slash.
void tdAppendFolderOf(tdText* out, const char* path);
/// The part of a path after its last slash. The result points into `path`.
const char* tdGetFileName(const char* path);
