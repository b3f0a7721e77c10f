// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints: their two frames, and their limits as arcs (a turn about one axis), cones (two axes), rails (a slide) and
// circles (a distance). A soft limit shows its spring's rest within the whole circle. Everything lies in
// the frame that stands still; a needle shows where the other one is.
import * as THREE from "three";
import { Lines, Triangles } from "./lines.js";

const unit = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
const axesOf = (bits) => [0, 1, 2].filter((axis) => (bits >> axis) & 1);
const isSoft = (limit) => Number.isFinite(limit.stiffness);
const isLocked = (limit) => !isSoft(limit) && limit.max - limit.min < 1e-5;

/** Points of an arc about `axis` of the unit frame, from the direction of the next axis on. */
export function arcPoints(axis, from, to, radius) {
  const first = unit[(axis + 1) % 3];
  const second = unit[(axis + 2) % 3];
  const count = Math.max(2, Math.ceil(Math.abs(to - from) / 0.09) + 1);
  return Array.from({ length: count }, (_, i) => {
    const angle = from + ((to - from) * i) / (count - 1);
    return new THREE.Vector3().addScaledVector(first, radius * Math.cos(angle)).addScaledVector(second, radius * Math.sin(angle));
  });
}

/** Rim of a cone about `axis`: all directions that make `angle` with it. */
export function conePoints(axis, angle, length, count = 49) {
  const across = arcPoints(axis, 0, 2 * Math.PI, length * Math.sin(angle));
  const step = (across.length - 1) / (count - 1);
  const along = unit[axis].clone().multiplyScalar(length * Math.cos(angle));
  return Array.from({ length: count }, (_, i) => across[Math.round(i * step)].clone().add(along));
}

export class JointOverlay {
  constructor(session, palette, size) {
    this.joints = session.joints;
    this.moves = (body) => session.bodies[body]?.motion === "dynamic";
    this.size = size;
    this.group = new THREE.Group();
    this.lines = new Lines({ opacity: 0.95 });
    this.fills = new Triangles(0.18);
    this.group.add(this.fills.object, this.lines.object);
    this.colors = { line: new THREE.Color(palette.joint), fill: new THREE.Color(palette.jointFill), axes: palette.axes.map((c) => new THREE.Color(c)), chosen: new THREE.Color(palette.accent) };
    this.selected = -1;
  }

  update(snapshot) {
    this.lines.clear();
    this.fills.clear();
    this.joints.forEach((joint, i) => {
      const frames = snapshot.jointFrames.subarray(14 * i, 14 * i + 14);
      if (frames.length === 14 && frames.every(Number.isFinite) && Math.hypot(...frames.subarray(3, 7)) > 0.5) {
        this.#draw(joint, frames);
      }
    });
    this.lines.finish();
    this.fills.finish();
  }

  #draw(joint, frames) {
    const ends = [0, 7].map((at) => ({ origin: new THREE.Vector3().fromArray(frames, at), rotation: new THREE.Quaternion().fromArray(frames, at + 3) }));
    // Limits are those of B seen from A. Where B stands still they are drawn in B, as what A may do.
    const isTurned = !this.moves(joint.bodyB) && this.moves(joint.bodyA);
    const [a, b] = isTurned ? ends.reverse() : ends;
    const isChosen = this.selected >= 0 && (joint.node === this.selected || joint.connectedNode === this.selected);
    const color = isChosen ? this.colors.chosen : this.colors.line;
    this.#drawTriad(a, 0.35 * this.size);
    this.#drawTriad(b, 0.22 * this.size);
    this.lines.add(a.origin, b.origin, color);
    const toWorld = (point) => point.clone().applyQuaternion(a.rotation).add(a.origin);
    for (const given of joint.limits) {
      const isSigned = [1, 2, 4].includes(given.linearAxes | given.angularAxes);
      const limit = isTurned && isSigned ? { ...given, min: -given.max, max: -given.min } : given;
      if (!isLocked(limit)) {
        if (limit.angularAxes !== 0) {
          this.#drawAngular(limit, axesOf(limit.angularAxes), a, b, toWorld, color);
        } else {
          this.#drawLinear(limit, axesOf(limit.linearAxes), a, b, toWorld, color);
        }
      }
    }
    this.#drawFree(joint, a, b, toWorld, color);
  }

  #drawTriad({ origin, rotation }, length) {
    unit.forEach((axis, i) => {
      this.lines.add(origin, axis.clone().multiplyScalar(length).applyQuaternion(rotation).add(origin), this.colors.axes[i]);
    });
  }

  #drawAngular(limit, axes, a, b, toWorld, color) {
    if (axes.length === 1) {
      if (isSoft(limit)) {
        this.lines.path(arcPoints(axes[0], -Math.PI, Math.PI, this.size).map(toWorld), color);
      }
      this.#drawArc(axes[0], Math.max(limit.min, -Math.PI), Math.min(limit.max, Math.PI), b, a, toWorld, color);
    } else if (axes.length === 2) {
      const axis = [0, 1, 2].find((other) => !axes.includes(other));
      const rim = conePoints(axis, Math.min(limit.max, Math.PI), this.size).map(toWorld);
      this.fills.fan(a.origin, rim, this.colors.fill);
      this.lines.path(rim, color);
      for (let i = 0; i < rim.length; i += 12) {
        this.lines.add(a.origin, rim[i], color);
      }
      this.#drawNeedle(unit[axis], b, a, color);
    } else {
      for (const axis of [0, 1, 2]) {
        this.#drawArc(axis, -Math.min(limit.max, Math.PI), Math.min(limit.max, Math.PI), b, a, toWorld, color);
      }
    }
  }

  #drawArc(axis, from, to, b, a, toWorld, color) {
    const rim = arcPoints(axis, from, to, this.size).map(toWorld);
    this.fills.fan(a.origin, rim, this.colors.fill);
    this.lines.path(rim, color);
    this.lines.add(a.origin, rim[0], color);
    this.lines.add(a.origin, rim[rim.length - 1], color);
    this.#drawNeedle(unit[(axis + 1) % 3], b, a, color);
  }

  /** Where an axis of frame B points, from A's origin, a little longer than the arcs. */
  #drawNeedle(axis, b, a, color) {
    const end = axis.clone().multiplyScalar(1.15 * this.size).applyQuaternion(b.rotation).add(a.origin);
    this.lines.add(a.origin, end, color);
  }

  #drawLinear(limit, axes, a, b, toWorld, color) {
    const far = 6 * this.size;
    if (axes.length === 1) {
      if (isSoft(limit)) {
        const [from, to] = [-1, 1].map((way) => toWorld(unit[axes[0]].clone().multiplyScalar(2 * way * this.size)));
        this.lines.add(from, to, color);
      }
      this.#drawRail(axes[0], Math.max(limit.min, -far), Math.min(limit.max, far), toWorld, color);
      return;
    }
    const radius = Math.min(limit.max, 100 * this.size);
    const about = axes.length === 2 ? [[0, 1, 2].find((other) => !axes.includes(other))] : [0, 1, 2];
    for (const axis of about) {
      this.lines.path(arcPoints(axis, 0, 2 * Math.PI, radius).map(toWorld), color);
    }
  }

  #drawRail(axis, from, to, toWorld, color) {
    const at = (along, side, amount) => toWorld(unit[axis].clone().multiplyScalar(along).addScaledVector(unit[side], amount));
    const side = (axis + 1) % 3;
    const width = 0.18 * this.size;
    for (const offset of [-width, width]) {
      this.lines.add(at(from, side, offset), at(to, side, offset), color);
    }
    for (const end of [from, to]) {
      this.lines.add(at(end, side, -1.8 * width), at(end, side, 1.8 * width), color);
    }
  }

  /** Axes that nothing limits: a whole circle for a free turn of a hinge, a long line for a free slide. */
  #drawFree(joint, a, b, toWorld, color) {
    if (joint.axis < 0) {
      return;
    }
    const isTurning = ["hinge", "cylindrical"].includes(joint.type);
    const isSliding = ["slider", "cylindrical"].includes(joint.type);
    const hasLimit = (kind) => joint.limits.some((limit) => !isLocked(limit) && limit[kind] === 1 << joint.axis);
    if (isTurning && !hasLimit("angularAxes")) {
      this.lines.path(arcPoints(joint.axis, 0, 2 * Math.PI, this.size).map(toWorld), color);
      this.#drawNeedle(unit[(joint.axis + 1) % 3], b, a, color);
    }
    if (isSliding && !hasLimit("linearAxes")) {
      this.#drawRail(joint.axis, -4 * this.size, 4 * this.size, toWorld, color);
    }
  }

  dispose() {
    this.group.removeFromParent();
    this.lines.dispose();
    this.fills.dispose();
  }
}
