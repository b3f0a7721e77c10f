// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
#include "foot_shape.h"

#include "pose_sampler.h"

const tdBone tdLegBones[2][4] = {
    {TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT, TD_BONE_LEFT_TOES},
    {TD_BONE_RIGHT_UPPER_LEG, TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT, TD_BONE_RIGHT_TOES},
};

tdFootShape tdMeasureFoot(const struct tdRig* rig, int side)
{
    const tdBone* bones = tdLegBones[side];
    tdFootShape shape = {.hasToes = rig->bones[bones[3]].node >= 0};
    shape.isComplete =
        rig->bones[bones[0]].node >= 0 && rig->bones[bones[1]].node >= 0 && rig->bones[bones[2]].node >= 0;
    if (shape.isComplete)
    {
        shape.ankleHeight = tdRig_FindRestPosition(rig, bones[2]).y;
        shape.toeHeight = shape.hasToes ? tdRig_FindRestPosition(rig, bones[3]).y : 0.0f;
    }
    return shape;
}

float tdFindSoleLow(const tdFootShape* shape, tdQuat turn, tdVec3 toToes)
{
    tdVec3 down = tdRotate(turn, (tdVec3){0.0f, -1.0f, 0.0f});
    float heel = shape->ankleHeight * down.y;
    return shape->hasToes ? tdMinFloat(heel, toToes.y + shape->toeHeight * down.y) : heel;
}
