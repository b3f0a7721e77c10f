// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Drives the objects of a three.js GLTFLoader result, also of one that plugins such as three-vrm's add objects to. It
// relies only on properties of the objects, so it does not import three.js and works with every version of it.
import { usage } from "./instance.js";

/** Children of an object that belong to nodes of the file. Meshes of a node, and objects that plugins add, do not. */
function findNodeChildren(parent, associations) {
  return parent.children.filter((child) => associations.get(child)?.nodes !== undefined);
}

/**
 * Objects of a loaded scene by node index. Walks file and scene in parallel, because in some releases of three.js the
 * associations of nodes that share a mesh have the wrong index; the order of siblings is that of the file.
 */
function walkScene({ json, associations }, root, nodes) {
  const objects = [];
  const visit = (indices, parent, where) => {
    const children = findNodeChildren(parent, associations);
    if (children.length !== indices.length) {
      throw usage(`${where} has ${indices.length} nodes in the file and ${children.length} objects in the scene; ` +
        "make the SceneDriver before the scene is changed");
    }
    const named = new Map(children.map((child) => [associations.get(child).nodes, child]));
    const isNamed = indices.every((index) => named.has(index));
    indices.forEach((index, i) => {
      objects[index] = isNamed ? named.get(index) : children[i];
      visit(json.nodes[index].children ?? [], objects[index], `node ${index}`);
    });
  };
  visit(nodes, root, "the scene");
  return objects;
}

/** The object of a clone that has the place of `object` below `root`. */
function findCopy(object, root, clone) {
  if (object === root) return clone;
  const parent = object.parent && findCopy(object.parent, root, clone);
  return parent?.children[object.parent.children.indexOf(object)];
}

export function findObjects(gltf, root = gltf.scene) {
  const { parser, scenes } = gltf;
  const own = scenes.includes(root) ? root : gltf.scene;
  const nodes = parser.json.scenes[Math.max(scenes.indexOf(own), 0)].nodes ?? [];
  const objects = walkScene(parser, own, nodes);
  if (own === root) return objects;
  return objects.map((object, index) => {
    const copy = findCopy(object, own, root);
    if (copy === undefined) throw usage(`the clone has no object for node ${index}`);
    return copy;
  });
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
