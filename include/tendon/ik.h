// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// ik.h: inverse kinematics of limbs, chains and gazes. The solvers work on positions in any one space and
// return rotations in that space; tdRig_MoveLimb applies them to an avatar. Results are deterministic: they
// depend on the arguments alone. Nothing here allocates.
#pragma once

#include "pose.h"

/// Two bones with a hinge between them, such as an arm or a leg. Start from tdDefaultTwoBoneDef.
typedef struct tdTwoBoneDef
{
    tdVec3 root, middle, end; // positions of the joints: shoulder, elbow, wrist
    tdVec3 target;            // position that the end shall reach
    tdVec3 pole;              // direction in which the middle joint bends; default zero: as it bends now
    float softness; // share of the full length over which the reach is damped, 0 to 1, default 0: the
                    // limb stretches fully. With 0.05, it stays bent and never pops straight
    float minAngle, maxAngle; // rad, limits of the angle between the bones; default 0 and pi (straight)
    uint32_t cookie;          // internal: set by tdDefaultTwoBoneDef
} tdTwoBoneDef;

/// Default settings of a limb. Does not allocate.
TD_API tdTwoBoneDef tdDefaultTwoBoneDef(void);

/// Pose of a limb.
typedef struct tdTwoBoneResult
{
    tdQuat rootTurn;    // new rotation of the upper bone = rootTurn * old, in the space of the positions
    tdQuat middleTurn;  // new rotation of the lower bone = middleTurn * old
    tdVec3 middle, end; // new positions
    float distance;     // from the end to the target; 0 if it was reached
} tdTwoBoneResult;

/// Bend a limb so that its end reaches a target, in closed form. Bone lengths are kept. A target out of reach
/// is approached along the line from the root.
TD_API tdTwoBoneResult tdSolveTwoBone(const tdTwoBoneDef* def);

/// A chain of joints, such as a spine or a tail. Start from tdDefaultChainDef.
typedef struct tdChainDef
{
    tdVec3 target;     // position that the last joint shall reach
    tdVec3 pole;       // direction in which a straight chain bends, default +Z
    float maxBend;     // rad, largest angle between neighbouring segments, default pi: no limit
    float tolerance;   // distance at which the solver stops, in units of the positions, default 1e-4
    int maxIterations; // default 64
    uint32_t cookie;   // internal: set by tdDefaultChainDef
} tdChainDef;

/// Default settings of a chain. Does not allocate.
TD_API tdChainDef tdDefaultChainDef(void);

/// Bend a chain so that its last joint reaches a target, by passes from both ends (FABRIK). Segment lengths
/// are kept; the first joint stays.
/// @param positions of `count` joints from the root on; receives the new positions
/// @param turns NULL, or receives count - 1 rotations: new rotation of segment i = turns[i] * old
/// @return the distance from the last joint to the target
TD_API float tdSolveChain(const tdChainDef* def, tdVec3* positions, int count, tdQuat* turns);

/// A node that looks at a target within limits, such as a head or an eye. Start from tdDefaultLookAtDef.
typedef struct tdLookAtDef
{
    tdVec3 target;      // relative to the node, in the frame of its parent
    tdVec3 forward, up; // unit vectors at rest in that frame, default +Z and +Y
    float maxYaw;       // rad to each side, default pi
    float maxPitch;     // rad up and down, default pi / 2
    uint32_t cookie;    // internal: set by tdDefaultLookAtDef
} tdLookAtDef;

/// Default settings of a gaze. Does not allocate.
TD_API tdLookAtDef tdDefaultLookAtDef(void);

/// Rotation that turns a node to a target: yaw about `up`, then pitch, both within their limits. The new
/// rotation of the node is the result times its rest rotation. A target at the node itself gives the
/// identity.
TD_API tdQuat tdSolveLookAt(const tdLookAtDef* def);

/// Move a hand or a foot of an avatar to a position. The bones of the limb turn, the rotation of the hand or
/// foot in the model stays. Feet on uneven ground: read the foot, cast a ray down (tdWorld_CastRay), and move
/// it to the hit.
/// @param locals by node index, as for tdRig_ApplyPose; changed
/// @param bone index of leftHand, rightHand, leftFoot or rightFoot
/// @param def `target`, `pole` and limits in model space; its joints are filled in
/// @return the distance that remains to the target, m; negative if the avatar lacks a bone of the limb or
///        `bone`
///         is another one
TD_API float tdRig_MoveLimb(const tdRig* rig, tdTrs* locals, int bone, const tdTwoBoneDef* def);

/// Position of a bone in the model, for locals of an avatar; zero if the avatar lacks the bone.
/// @param locals by node index
TD_API tdVec3 tdRig_FindBonePosition(const tdRig* rig, const tdTrs* locals, int bone);
