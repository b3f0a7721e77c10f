// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Angles of joints whose range is more than a turn, counted over turns from snapshot to snapshot as the engine counts them.

const turn = 2 * Math.PI;
const soleAxisOf = (bits) => [1, 2, 4].indexOf(bits); // -1: none or several

/** The first limit of a joint about one axis with a bound beyond half a turn. */
export function wideTurnOf(joint) {
  return joint.limits.find((limit) => soleAxisOf(limit.angularAxes) >= 0 && limit.min < limit.max
    && (limit.min < -Math.PI || limit.max > Math.PI));
}

/** Twist of frame B seen from frame A about an axis, in (-pi, pi]. @param frames 14 numbers: two poses of 7 */
export function twistOf(frames, axis) {
  const [ax, ay, az, aw] = frames.subarray(3, 7);
  const [bx, by, bz, bw] = frames.subarray(10, 14);
  const q = [aw * bx - ax * bw - ay * bz + az * by, aw * by + ax * bz - ay * bw - az * bx, aw * bz - ax * by + ay * bx - az * bw];
  const w = aw * bw + ax * bx + ay * by + az * bz;
  return 2 * Math.atan2(w < 0 ? -q[axis] : q[axis], Math.abs(w));
}

/**
 * Counted angles of all joints, NaN where no limit is wide.
 * @param previous angles of the snapshot before, or null at the start
 */
export function countTurns(joints, jointFrames, previous) {
  return Float32Array.from(joints, (joint, i) => {
    const limit = wideTurnOf(joint);
    if (limit === undefined || jointFrames.length < 14 * (i + 1)) {
      return NaN;
    }
    const twist = twistOf(jointFrames.subarray(14 * i, 14 * i + 14), soleAxisOf(limit.angularAxes));
    if (previous !== null && Number.isFinite(previous[i])) {
      return twist + turn * Math.round((previous[i] - twist) / turn);
    }
    const other = twist + (twist < limit.min ? turn : twist > limit.max ? -turn : 0);
    return other >= limit.min && other <= limit.max ? other : twist;
  });
}
