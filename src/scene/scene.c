// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Helpers on the scene description.
#include "base/assert.h"
typedef int tdSceneUnused;
