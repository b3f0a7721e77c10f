// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernels compiled for SSE2.
#pragma once

#include "physics/solver/kernels.h"

/// NULL if this build has no such width.
const tdKernels* tdGetKernelsSse2(void);
