// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The overflow colour: contacts for which no colour was free. A body may occur several times in one of its
// groups.
#pragma once

#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"

/// Set piecesA and piecesB of a filled group of the overflow colour. They must be 0.
void tdContactGroup_CountPieces(tdContactGroup* group);
/// Passes over groups of the overflow colour.
tdKernelFcn tdOverflow_WarmStart, tdOverflow_Solve, tdOverflow_Relax;
