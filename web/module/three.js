// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Drives the objects of a three.js GLTFLoader result. It relies only on properties of the objects, so it imports nothing
// and works with every version of three.js.

/**
 * Objects of a loaded glTF by node index. Walks file and scene in parallel: the objects of a node's children are the last
 * children of its object, behind those of its mesh. (In some releases of three.js, parser.associations confuses nodes that
 * share a mesh.)
 */
export function findObjects(gltf, root = gltf.scene) {
  const { json } = gltf.parser;
  const objects = [];
  const visit = (indices, parent) => {
    const children = parent.children.slice(-indices.length || parent.children.length);
    if (children.length !== indices.length) return;
    indices.forEach((index, i) => {
      objects[index] = children[i];
      visit(json.nodes[index].children ?? [], children[i]);
    });
  };
  const scene = gltf.scenes.indexOf(root);
  visit(json.scenes[scene >= 0 ? scene : (json.scene ?? 0)].nodes ?? [], root);
  return objects;
}

/** Copies an actor's pose onto the objects of one loaded scene. */
export class SceneDriver {
  constructor(actor, gltf, root = gltf.scene) {
    this.actor = actor;
    this.root = root;
    this.objects = findObjects(gltf, root);
    this.nodes = new Map();
    this.morphs = [];
    this.objects.forEach((object, node) => {
      this.nodes.set(object, node);
      if (actor.morphWeights(node).length === 0) return;
      // A mesh with several primitives is a group of meshes that share the weights.
      const meshes = [object, ...object.children].filter((mesh) => mesh.morphTargetInfluences !== undefined);
      if (meshes.length > 0) this.morphs.push({ node, meshes });
    });
  }

  findNode(object) {
    for (let o = object; o; o = o.parent) {
      const node = this.nodes.get(o);
      if (node !== undefined) return node;
    }
    return -1;
  }

  /** Copies the pose; call it after stage.step, advance or evaluate. */
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
