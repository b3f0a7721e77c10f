// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Marks the selected node and nodes highlighted by an event at the corners of their bounds.
import * as THREE from "three";
import { Lines } from "./lines.js";

const flashSeconds = 0.9;

export class Selection {
  constructor(model, palette, size) {
    this.model = model;
    this.size = size;
    this.lines = new Lines();
    this.group = new THREE.Group();
    this.group.add(this.lines.object);
    this.color = new THREE.Color(palette.accent);
    this.ground = new THREE.Color(palette.ground);
    this.node = -1;
    this.flashes = new Map(); // node -> end, ms
  }

  /** Highlights nodes briefly. */
  flash(nodes, now = performance.now()) {
    for (const node of nodes) {
      if (node >= 0) {
        this.flashes.set(node, now + 1000 * flashSeconds);
      }
    }
  }

  update({ globals }, now = performance.now()) {
    this.lines.clear();
    for (const [node, end] of this.flashes) {
      if (now >= end) {
        this.flashes.delete(node);
      } else {
        this.#mark(node, globals, this.color.clone().lerp(this.ground, 1 - (end - now) / (1000 * flashSeconds)));
      }
    }
    if (this.node >= 0) {
      this.#mark(this.node, globals, this.color);
    }
    this.lines.finish();
  }

  #mark(node, globals, color) {
    const matrix = new THREE.Matrix4().fromArray(globals, 16 * node);
    const bounds = this.model.localBounds(node);
    if (bounds === null) {
      this.#drawDiamond(new THREE.Vector3().setFromMatrixPosition(matrix), 0.14 * this.size, color);
      return;
    }
    bounds.expandByScalar(0.02 * bounds.getSize(new THREE.Vector3()).length());
    const { min, max } = bounds;
    const corner = (i) => new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    for (let i = 0; i < 8; ++i) {
      for (const bit of [1, 2, 4]) {
        const from = corner(i);
        const to = from.clone().lerp(corner(i ^ bit), 0.22);
        this.lines.add(from.applyMatrix4(matrix), to.applyMatrix4(matrix), color);
      }
    }
  }

  #drawDiamond(centre, size, color) {
    const tips = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]].map(
      (way) => new THREE.Vector3(...way).multiplyScalar(size).add(centre));
    for (let i = 0; i < 6; ++i) {
      for (let k = i + 1; k < 6; ++k) {
        if (k !== (i ^ 1)) {
          this.lines.add(tips[i], tips[k], color);
        }
      }
    }
  }

  dispose() {
    this.group.removeFromParent();
    this.lines.dispose();
  }
}
