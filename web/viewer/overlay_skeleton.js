// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The humanoid's bones (or, in a file without one, the tree of its nodes) and the links of constraints.
import * as THREE from "three";
import { Dots, Lines } from "./lines.js";

const place = (globals, node) => new THREE.Vector3().fromArray(globals, 16 * node + 12);

/** Pairs of nodes that a bone lies between. */
export function findBones(session) {
  if (session.humanoid !== null) {
    const { bones } = session.humanoid;
    return bones.filter((bone) => bone.parent >= 0).map((bone) => [bones[bone.parent].node, bone.node]);
  }
  return session.nodes.flatMap((node, index) => (node.parent >= 0 ? [[node.parent, index]] : []));
}

export class SkeletonOverlay {
  constructor(session, palette, ratio) {
    this.group = new THREE.Group();
    this.bones = findBones(session).slice(0, 20000);
    const roots = session.nodes.flatMap((node, index) => (node.parent < 0 ? [index] : []));
    this.joints = session.humanoid !== null ? session.humanoid.bones.map((bone) => bone.node) : [...new Set([...roots, ...this.bones.flat()])].slice(0, 20000);
    // Bones of a humanoid are drawn solid, links of other trees as lines.
    this.isHumanoid = session.humanoid !== null;
    this.color = new THREE.Color(palette.bone);
    if (!this.isHumanoid) {
      this.color.lerp(new THREE.Color(palette.ground), 0.45);
    }
    this.chosen = new THREE.Color(palette.accent);
    this.selected = -1;
    this.lines = new Lines({ width: this.isHumanoid ? 1.8 : 1.2 });
    this.dots = new Dots({ size: 5, ratio });
    this.group.add(this.lines.object, this.dots.object);
  }

  update({ globals }) {
    this.lines.clear();
    this.dots.clear();
    for (const [parent, node] of this.bones) {
      const color = node === this.selected || parent === this.selected ? this.chosen : this.color;
      if (this.isHumanoid) {
        this.#drawBone(place(globals, parent), place(globals, node), color);
      } else {
        this.lines.add(place(globals, parent), place(globals, node), color);
      }
    }
    for (const node of this.joints) {
      this.dots.vertex(place(globals, node), node === this.selected ? this.chosen : this.color);
    }
    this.lines.finish();
    this.dots.finish();
  }

  /** A four-sided spindle, thickest near its start. */
  #drawBone(from, to, color) {
    const along = to.clone().sub(from);
    const length = along.length();
    if (length < 1e-6) {
      return;
    }
    along.divideScalar(length);
    const side = new THREE.Vector3(Math.abs(along.y) < 0.9 ? 0 : 1, Math.abs(along.y) < 0.9 ? 1 : 0, 0).cross(along).normalize();
    const other = new THREE.Vector3().crossVectors(along, side);
    const waist = from.clone().addScaledVector(along, 0.16 * length);
    const width = 0.06 * length;
    const ring = [side, other, side.clone().negate(), other.clone().negate()].map((way) => waist.clone().addScaledVector(way, width));
    ring.forEach((point, i) => {
      this.lines.add(from, point, color);
      this.lines.add(point, to, color);
      this.lines.add(point, ring[(i + 1) % 4], color);
    });
  }

  dispose() {
    this.group.removeFromParent();
    this.lines.dispose();
    this.dots.dispose();
  }
}

export class ConstraintOverlay {
  constructor(session, palette, size, ratio) {
    this.group = new THREE.Group();
    this.constraints = session.constraints;
    this.size = size;
    this.colors = Object.fromEntries(["roll", "aim", "rotation"].map((kind) => [kind, new THREE.Color(palette[kind])]));
    this.lines = new Lines();
    this.dots = new Dots({ size: 7, ratio });
    this.group.add(this.lines.object, this.dots.object);
  }

  update({ globals }) {
    this.lines.clear();
    this.dots.clear();
    for (const { node, source, kind } of this.constraints) {
      const color = this.colors[kind];
      const from = place(globals, source);
      const to = place(globals, node);
      this.lines.path(this.#curve(from, to), color);
      this.dots.vertex(to, color);
      this.#drawEnd(from, to, color);
    }
    this.lines.finish();
    this.dots.finish();
  }

  /** A curved link, so that it is visible beside the bone between the two nodes. */
  #curve(from, to) {
    const bow = new THREE.Vector3().crossVectors(to.clone().sub(from), new THREE.Vector3(0, 0, 1));
    if (bow.lengthSq() < 1e-12) {
      bow.set(0, 1, 0).cross(to.clone().sub(from));
    }
    bow.setLength(0.18 * from.distanceTo(to) || this.size * 0.01);
    const middle = from.clone().lerp(to, 0.5).add(bow);
    return new THREE.QuadraticBezierCurve3(from, middle, to).getPoints(16);
  }

  #drawEnd(from, to, color) {
    const points = this.#curve(from, to);
    const tip = points[points.length - 1];
    const way = tip.clone().sub(points[points.length - 4]);
    if (way.lengthSq() < 1e-12) {
      return;
    }
    const length = Math.min(0.12 * from.distanceTo(to), 0.4 * this.size);
    way.setLength(length);
    const side = new THREE.Vector3().crossVectors(way, new THREE.Vector3(0, 0, 1)).setLength(0.45 * length);
    this.lines.add(tip, tip.clone().sub(way).add(side), color);
    this.lines.add(tip, tip.clone().sub(way).sub(side), color);
  }

  dispose() {
    this.group.removeFromParent();
    this.lines.dispose();
    this.dots.dispose();
  }
}
