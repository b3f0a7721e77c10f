// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The overflow colour: passes over groups in which a body may occur several times.
#pragma once

#include "physics/solver/contact_rows.h"
#include "physics/solver/kernels.h"

/// Set piecesA and piecesB (0 before) of a group of the overflow colour that has its lanes.
void tdContactGroup_CountPieces(tdContactGroup* group);
/// The passes over groups of the overflow colour.
tdKernelFcn tdOverflow_WarmStart, tdOverflow_Solve, tdOverflow_Relax, tdOverflow_Restitute;
