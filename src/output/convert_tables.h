// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Root tables in a conversion.
#pragma once

#include "convert.h"

/// Appends the tables of materials and filters.
void tdConverter_AppendTables(tdConverter* converter, tdMembers* root);
/// Appends the table of joint descriptions.
void tdConverter_AppendJointTable(tdConverter* converter, tdMembers* root);
