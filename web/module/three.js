// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Drives the objects of a three.js GLTFLoader result. Knows three.js by the shape of its objects only, so there is
// nothing to import and no version to match.

/** Objects of a loaded glTF by node index. Nodes that the loader made no object for are undefined. */
export function findObjects(gltf, root = gltf.scene) {
  const objects = [];
  root.traverse((object) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (node !== undefined) objects[node] ??= object;
  });
  return objects;
}

/** Copies an actor's pose onto the objects of one loaded scene. */
export class SceneDriver {
  constructor(actor, gltf, root = gltf.scene) {
    this.actor = actor;
    this.root = root;
    this.objects = findObjects(gltf, root);
    this.morphs = [];
    this.objects.forEach((object, node) => {
      if (actor.morphWeights(node).length === 0) return;
      // A mesh of several primitives is a group of meshes, which share the weights.
      const meshes = [object, ...object.children].filter((mesh) => mesh.morphTargetInfluences !== undefined);
      if (meshes.length > 0) this.morphs.push({ node, meshes });
    });
  }

  /** After a step, or after stage.evaluate. */
  update() {
    const { locals } = this.actor;
    this.objects.forEach((object, node) => {
      object.position.fromArray(locals, 10 * node);
      object.quaternion.fromArray(locals, 10 * node + 3);
      object.scale.fromArray(locals, 10 * node + 7);
      if (!object.matrixAutoUpdate) object.updateMatrix();
    });
    for (const { node, meshes } of this.morphs) {
      const weights = this.actor.morphWeights(node);
      for (const mesh of meshes) {
        for (let i = 0; i < mesh.morphTargetInfluences.length; ++i) mesh.morphTargetInfluences[i] = weights[i] ?? 0;
      }
    }
  }
}

/** An object of three.js's scene graph -> the node it shows, looked up through its parents; -1: none. */
export function findNode(gltf, object) {
  for (let o = object; o; o = o.parent) {
    const node = gltf.parser.associations.get(o)?.nodes;
    if (node !== undefined) return node;
  }
  return -1;
}
