// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Which sources this program was built from: outputs of another build may differ, even of the same version.
#pragma once

/// 16 hexadecimal digits: a hash of the names and bytes of everything under src, include and cli. The same
/// wherever and whenever they are built (cmake/build_id.cmake).
const char* GetBuildId(void);
