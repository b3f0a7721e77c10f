// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Identifies the sources of this program: outputs of another build may differ even within a version.
#pragma once

/// 16 hexadecimal digits: a hash of the names and bytes of all files under src, include and cli
/// (cmake/build_id.cmake). Independent of build folder and time.
const char* GetBuildId(void);
