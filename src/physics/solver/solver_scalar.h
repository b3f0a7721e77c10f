// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The kernels compiled for plain C.
#pragma once

#include "physics/solver/kernels.h"

const tdKernels* tdGetKernelsScalar(void);
