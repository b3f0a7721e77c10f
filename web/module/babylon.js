// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Drives nodes that Babylon.js loaded from a glTF file; babylon.d.ts documents it.
import { usage } from "./arguments.js";

/** Index of the part of the file that the loader made an object from; -1: none. */
function findIndex(node, pattern) {
  for (const pointer of node._internalMetadata?.gltf?.pointers ?? node.metadata?.gltf?.pointers ?? []) {
    const match = pattern.exec(pointer);
    if (match !== null) return Number(match[1]);
  }
  return -1;
}

const nodePointer = /^\/nodes\/(\d+)$/;
const meshPointer = /^\/meshes\/(\d+)(\/|$)/;

export class BabylonDriver {
  constructor(actor, nodes) {
    this.actor = actor;
    this.nodes = [];
    for (const node of nodes) {
      const index = findIndex(node, nodePointer);
      // A node with several primitives is one transform node with a mesh per primitive below it.
      if (index >= 0 && this.nodes[index] === undefined) this.nodes[index] = node;
    }
    const missing = actor.asset.nodes.findIndex(({ mesh }, index) => mesh >= 0 && this.nodes[index] === undefined);
    if (missing >= 0) throw usage(`no object of node ${missing}; pass all transform nodes and meshes of the loaded file`);
  }

  findNode(node) {
    for (let at = node; at; at = at.parent) {
      const index = this.nodes.indexOf(at);
      if (index >= 0) return index;
    }
    // The loader moves skinned meshes to the root of the scene.
    const mesh = findIndex(node, meshPointer);
    return mesh < 0 ? -1 : this.actor.asset.nodes.findIndex((one) => one.mesh === mesh);
  }

  update() {
    const { locals } = this.actor;
    this.nodes.forEach((node, index) => {
      const [x, y, z, qx, qy, qz, qw, sx, sy, sz] = locals.subarray(10 * index, 10 * index + 10);
      node.position.set(x, y, z);
      node.rotationQuaternion ??= node.rotation.toQuaternion(); // null: Babylon uses the Euler angles
      node.rotationQuaternion.set(qx, qy, qz, qw);
      node.scaling.set(sx, sy, sz);
      const weights = this.actor.morphWeights(index);
      const manager = node.morphTargetManager;
      for (let i = 0; manager && i < Math.min(weights.length, manager.numTargets); ++i) manager.getTarget(i).influence = weights[i];
    });
  }
}
