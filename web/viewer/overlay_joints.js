// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints: their two frames, the line between them, and their limits (limit_shapes.js). Limits are drawn in the frame that
// does not move where that is equivalent; a needle shows the direction of the other one.
import * as THREE from "three";
import { wideTurnOf } from "./joint_turns.js";
import { isLocked, mirrorLimit, shapeFree, shapeLimit } from "./limit_shapes.js";
import { Lines, Triangles } from "./lines.js";

const unit = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];

export class JointOverlay {
  constructor(session, palette, size) {
    this.joints = session.joints;
    this.moves = (body) => session.bodies[body]?.motion === "dynamic";
    this.size = size;
    this.group = new THREE.Group();
    this.lines = new Lines({ opacity: 0.95 });
    this.fills = new Triangles(0.18);
    this.group.add(this.fills.object, this.lines.object);
    this.colors = {
      line: new THREE.Color(palette.joint), fill: new THREE.Color(palette.jointFill), core: new THREE.Color(palette.core),
      axes: palette.axes.map((c) => new THREE.Color(c)), chosen: new THREE.Color(palette.accent),
    };
    this.selected = -1;
  }

  update(snapshot) {
    this.lines.clear();
    this.fills.clear();
    this.joints.forEach((joint, i) => {
      const frames = snapshot.jointFrames.subarray(14 * i, 14 * i + 14);
      if (frames.length === 14 && frames.every(Number.isFinite) && Math.hypot(...frames.subarray(3, 7)) > 0.5) {
        this.#draw(joint, frames, snapshot.jointTurns[i]);
      }
    });
    this.lines.finish();
    this.fills.finish();
  }

  #draw(joint, frames, turned) {
    const [a, b] = [0, 7].map((at) => ({ origin: new THREE.Vector3().fromArray(frames, at), rotation: new THREE.Quaternion().fromArray(frames, at + 3) }));
    const isChosen = this.selected >= 0 && (joint.node === this.selected || joint.connectedNode === this.selected);
    const color = isChosen ? this.colors.chosen : this.colors.line;
    // Limits restrict B relative to A. When B does not move they are drawn in B, as limits of A. Positions along axes that
    // turn with A are the same from B only when the axes of both stay parallel.
    const isTurned = !this.moves(joint.bodyB) && this.moves(joint.bodyA);
    const isParallel = ["slider", "cylindrical", "fixed"].includes(joint.type);
    this.#drawTriad(a, (isTurned ? 0.22 : 0.35) * this.size);
    this.#drawTriad(b, (isTurned ? 0.35 : 0.22) * this.size);
    this.lines.add(a.origin, b.origin, color);
    const shown = joint.limits.map(isTurned ? mirrorLimit : (limit) => limit);
    joint.limits.forEach((limit, i) => {
      if (!isLocked(limit)) {
        const inB = isTurned && (limit.angularAxes !== 0 || limit.linearAxes === 7 || isParallel);
        const angle = limit === wideTurnOf(joint) ? turned : NaN;
        const shapes = shapeLimit(inB ? shown[i] : limit, this.size, inB ? shown : joint.limits, inB ? -angle : angle);
        this.#add(shapes, inB ? b : a, inB ? a : b, color);
      }
    });
    this.#add(shapeFree(joint, this.size), isTurned ? b : a, isTurned ? a : b, color);
  }

  #drawTriad({ origin, rotation }, length) {
    unit.forEach((axis, i) => {
      this.lines.add(origin, axis.clone().multiplyScalar(length).applyQuaternion(rotation).add(origin), this.colors.axes[i]);
    });
  }

  /** Draws shapes in the frame `still`, with needles along axes of `other`. */
  #add({ lines, fills, needles }, still, other, color) {
    const toWorld = (point) => point.clone().applyQuaternion(still.rotation).add(still.origin);
    for (const { role, points } of fills) {
      this.fills.fan(still.origin, points.map(toWorld), role === "core" ? this.colors.core : this.colors.fill);
    }
    for (const { role, points } of lines) {
      this.lines.path(points.map(toWorld), role === "core" ? this.colors.core : color);
    }
    for (const axis of needles) {
      const end = axis.clone().multiplyScalar(1.15 * this.size).applyQuaternion(other.rotation).add(still.origin);
      this.lines.add(still.origin, end, color);
    }
  }

  dispose() {
    this.group.removeFromParent();
    this.lines.dispose();
    this.fills.dispose();
  }
}
