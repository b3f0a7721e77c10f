// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Snapshots of past steps within a memory bound; the oldest are dropped first.

export class Recording {
  #frames = [];
  #first = 0; // index of the oldest kept frame
  #bytes = 0;

  constructor(sizeOf, bound = 128 << 20, countBound = 36000) {
    this.sizeOf = sizeOf;
    this.bound = bound;
    this.countBound = countBound;
  }

  get length() {
    return this.#frames.length - this.#first;
  }

  get bytes() {
    return this.#bytes;
  }

  clear() {
    this.#frames = [];
    this.#first = 0;
    this.#bytes = 0;
  }

  push(frame) {
    this.#frames.push(frame);
    this.#bytes += this.sizeOf(frame);
    while (this.length > 1 && (this.#bytes > this.bound || this.length > this.countBound)) {
      this.#bytes -= this.sizeOf(this.#frames[this.#first]);
      this.#frames[this.#first] = undefined;
      this.#first += 1;
    }
    if (this.#first > 1024 && this.#first > this.length) {
      this.#frames = this.#frames.slice(this.#first);
      this.#first = 0;
    }
  }

  replaceNewest(frame) {
    this.#bytes += this.sizeOf(frame) - this.sizeOf(this.newest);
    this.#frames[this.#frames.length - 1] = frame;
  }

  /** The frame at a position; 0 is the oldest kept one. */
  at(position) {
    return this.#frames[this.#first + position];
  }

  get oldest() {
    return this.at(0);
  }

  get newest() {
    return this.at(this.length - 1);
  }

  /**
   * Finds the frames around a time and the fraction between them.
   * @returns {{ before: object, after: object, fraction: number, position: number }}
   */
  find(time) {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.at(middle).time <= time) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const before = this.at(low);
    const after = low + 1 < this.length ? this.at(low + 1) : before;
    const span = after.time - before.time;
    const fraction = span > 0 ? Math.min(1, Math.max(0, (time - before.time) / span)) : 0;
    return { before, after, fraction, position: low };
  }
}

function mix(a, b, fraction) {
  const out = new Float32Array(a.length);
  for (let i = 0; i < a.length; ++i) {
    out[i] = a[i] + (b[i] - a[i]) * fraction;
  }
  return out;
}

/** Blends poses of 7 numbers (position, rotation); rotations take the shorter arc and stay normalised. */
function mixPoses(a, b, fraction) {
  const out = mix(a, b, fraction);
  for (let i = 0; i + 7 <= out.length; i += 7) {
    let dot = 0;
    for (let k = 3; k < 7; ++k) {
      dot += a[i + k] * b[i + k];
    }
    let square = 0;
    for (let k = 3; k < 7; ++k) {
      out[i + k] = a[i + k] * (1 - fraction) + b[i + k] * fraction * (dot < 0 ? -1 : 1);
      square += out[i + k] ** 2;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 1;
    for (let k = 3; k < 7; ++k) {
      out[i + k] *= scale;
    }
  }
  return out;
}

/** A snapshot between two neighbours, for slow motion; values that cannot be blended are those of the first. */
export function blendSnapshots(before, after, fraction) {
  if (fraction < 1e-4 || before === after) {
    return before;
  }
  if (fraction > 1 - 1e-4) {
    return after;
  }
  return {
    ...before,
    time: before.time + (after.time - before.time) * fraction,
    globals: mix(before.globals, after.globals, fraction),
    morphs: before.morphs.map((weights, i) => mix(weights, after.morphs[i], fraction)),
    materialValues: mix(before.materialValues, after.materialValues, fraction),
    shapeTransforms: mixPoses(before.shapeTransforms, after.shapeTransforms, fraction),
    jointFrames: mixPoses(before.jointFrames, after.jointFrames, fraction),
    jointTurns: mix(before.jointTurns, after.jointTurns, fraction),
    centres: mix(before.centres, after.centres, fraction),
  };
}
