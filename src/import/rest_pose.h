// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The T-pose of a humanoid that was found by joint names.
#pragma once

#include "import.h"

#include "scene/humanoid.h"

/// A limb and its direction in the T-pose of a body that faces +Z.
typedef struct tdLimb
{
    tdBone bone, child;
    tdVec3 direction;
} tdLimb;

#define TD_LIMB_COUNT 8
/// Arms and legs, upper before lower.
extern const tdLimb tdLimbs[TD_LIMB_COUNT];
/// Cosine of the deviation, 10 degrees, beyond which a limb is turned to the T-pose. Elbows and knees of
/// well-made T-poses bend by less.
#define TD_LIMB_COSINE 0.98480775f

/// Finds the T-pose and the facing of a humanoid of a glTF: from the inverse bind matrices if the nodes hold
/// a pose, else from the nodes, with the limbs corrected; or as tdLoadDef says. Reports what was assumed.
/// @return false when memory ran out
bool tdImportRestPose(tdImport* import, tdHumanoid* humanoid);
