// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Drives the objects of a three.js GLTFLoader result, also of one that plugins such as three-vrm's add objects to. It
// relies only on properties of the objects, so it does not import three.js and works with every version of it.
import { usage } from "./arguments.js";

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

/** Properties of three.js materials by the kind of value; colours without alpha. */
const colorProperties = {
  emissionColor: "emissive", shadeColor: "shadeColorFactor", matcapColor: "matcapFactor", rimColor: "parametricRimColorFactor",
  outlineColor: "outlineColorFactor",
};
/** Properties by the name of a texture; the others have the name of glTF. */
const textureProperties = {
  baseColorTexture: ["map"], emissiveTexture: ["emissiveMap"], normalTexture: ["normalMap"], occlusionTexture: ["aoMap"],
  metallicRoughnessTexture: ["metalnessMap", "roughnessMap"],
};

/** Gives a material its own textures, because the loader shares them and their transforms change. */
function ownTextures(material, { texture }) {
  for (const name of texture === "" ? [] : textureProperties[texture] ?? [texture]) {
    if (material[name]?.isTexture && !material[name].userData.isOwn) {
      material[name] = material[name].clone();
      material[name].userData = { isOwn: true };
    }
  }
}

/** Sets a value of a material that expressions change. @param at index of the value's first number */
export function setMaterialValue(material, { kind, texture }, numbers, at) {
  if (kind === "color") {
    material.color?.fromArray(numbers, at);
    if (material.transparent) {
      material.opacity = numbers[at + 3];
    }
  } else if (kind === "textureOffset" || kind === "textureScale") {
    for (const name of textureProperties[texture] ?? [texture]) {
      material[name]?.[kind === "textureOffset" ? "offset" : "repeat"].fromArray(numbers, at);
    }
  } else {
    material[colorProperties[kind]]?.fromArray(numbers, at);
  }
}

/** Values of materials that expressions change, with the materials they belong to: { value, at, material }. */
export function bindMaterials(values, materials) {
  const bound = values.flatMap((value, index) => [...(materials.get(value.material) ?? [])].map((material) => ({ value, at: 4 * index, material })));
  bound.forEach(({ value, material }) => ownTextures(material, value));
  return bound;
}

/** Adds the materials of a mesh by their index in the file. An outline, which a plugin adds, belongs to its surface. */
export function collectMaterials(mesh, associations, materials = new Map()) {
  const all = [mesh.material].flat();
  const index = associations.get(all[0])?.materials;
  if (index !== undefined) {
    if (!materials.has(index)) materials.set(index, new Set());
    all.forEach((material) => materials.get(index).add(material));
  }
  return materials;
}

/** Times in s that the textures of MToon materials show. Clones of a scene share materials, which must move once. */
const toonTimes = new WeakMap();

function showToonTime(material, time) {
  material.update(time - (toonTimes.get(material) ?? 0));
  toonTimes.set(material, time);
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
    const materials = new Map();
    root.traverse((mesh) => mesh.material && collectMaterials(mesh, gltf.parser.associations, materials));
    this.toons = [...materials.values()].flatMap((set) => [...set]).filter((material) => material.isMToonMaterial);
    this.materials = bindMaterials(actor.asset.materialValues, materials);
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
    const values = this.materials.length > 0 ? this.actor.materialValues : null;
    for (const { value, at, material } of this.materials) {
      setMaterialValue(material, value, values, at);
    }
    for (const material of this.toons) showToonTime(material, this.actor.stage._shownTime); // moves textures and uploads
    for (const { node, meshes } of this.morphs) {
      const weights = this.actor.morphWeights(node);
      for (const mesh of meshes) {
        for (let i = 0; i < mesh.morphTargetInfluences.length; ++i) mesh.morphTargetInfluences[i] = weights[i] ?? 0;
      }
    }
  }
}
