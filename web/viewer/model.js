// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The meshes of the file, drawn by three.js. three.js gets meshes, materials and skins, but not the node tree: every node
// is a root whose world matrix comes from the engine. Trees of any depth work, and the picture cannot differ from the
// simulation.
//
// See docs/decisions/116-viewer-drawing.md and docs/decisions/038-avatars-in-the-viewer.md.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { bindMaterials, collectMaterials, setMaterialValue } from "../module/three.js";
import { addDecoders, takeTextureFailures } from "./decoders.js";
import { rest } from "./rest.js";
import { addToonPlugins } from "./toon.js";

/** Number of equal parts from which on they are drawn as instances. */
const leastAlike = 8;
/** Number of equal parts from which on each gets a brightness of its own, so that neighbours of a pile can be told apart. */
const leastTinted = 100;
const tintRange = 0.22;
const goldenRatio = 0.6180339887;
/** Layer of parts that are drawn as instances: picked, but not drawn themselves. */
const pickOnly = 1;

/** Whether a mesh can be an instance: rigid, with one opaque material. */
function canBatch({ part }) {
  return part.isMesh && !part.isSkinnedMesh && !part.isInstancedMesh && !part.morphTargetInfluences && !Array.isArray(part.material) &&
    !part.material.transparent && !part.material.transmission;
}

/**
 * Reads a drawable, with pauses; a second time without MToon if its materials are broken.
 * @returns {{ parser: object, objects: Map<number, object> }} objects by node
 */
async function readDrawable({ bytes, nodes }) {
  const read = async (hasToon) => {
    const loader = new GLTFLoader();
    loader.setMeshoptDecoder(MeshoptDecoder);
    addDecoders(loader);
    if (hasToon) {
      addToonPlugins(loader);
    }
    const { parser } = await loader.parseAsync(bytes.buffer, "");
    // Textures are decoded side by side; a failure shows up again with the node that needs it.
    const used = new Set((parser.json.meshes ?? []).flatMap(({ primitives }) => primitives.map(({ material }) => material)));
    await Promise.allSettled([...used].filter((material) => material !== undefined).map((material) => parser.getDependency("material", material)));
    const objects = new Map();
    for (const node of nodes) {
      // The loader caches nodes; getDependency tells them apart even when they share a mesh.
      objects.set(node, await parser.getDependency("node", node));
      await rest();
    }
    return { parser, objects };
  };
  return read(true).catch(() => read(false));
}

export class Model {
  #time;
  #parser = null;
  #normals = null;

  constructor() {
    this.group = new THREE.Group();
    this.group.matrixWorldAutoUpdate = false;
    /** three.js objects by node, joints of skins included. */
    this.objects = new Map();
    /** All drawn parts with their transforms in their nodes. */
    this.parts = [];
    /** Parts that share geometry and material: { mesh, parts }. */
    this.batches = [];
    this.morphed = [];
    this.meshCount = 0;
    /** three.js materials by material of the file; several where the loader makes variants. */
    this.materials = new Map();
    /** Values of materials that expressions change: { value, at, material }. */
    this.bound = [];
    /** Cameras of the file: { node, yfov, znear, zfar }, or with xmag and ymag instead of yfov for orthographic ones. */
    this.cameras = [];
    /** Names of the file's material variants. */
    this.variants = [];
    this.#time = 0;
  }

  /**
   * Loads the meshes.
   * @param drawable the part of the file that is drawn (drawable.js), null without meshes
   * @returns a sentence when some cannot be shown, else ""
   */
  async load(drawable, session) {
    if (drawable === null) {
      return "";
    }
    let parser;
    takeTextureFailures();
    try {
      if (drawable.failure !== undefined) {
        throw new Error(drawable.failure);
      }
      ({ parser, objects: this.objects } = await readDrawable(drawable));
    } catch (error) {
      return `The meshes cannot be drawn (${error.message}). Skeleton and colliders are shown.`;
    }
    this.#parser = parser;
    this.cameras = drawable.cameras;
    this.variants = drawable.variants;
    for (const [node, object] of this.objects) {
      this.group.add(object);
      object.updateMatrixWorld(true);
      object.traverse((part) => this.#prepare(node, part, parser.associations));
      await rest();
    }
    this.bound = bindMaterials(session.materialValues, this.materials);
    this.#batch(session);
    this.morphed = session.morphNodes.map((node) => {
      const found = [];
      this.objects.get(node)?.traverse((part) => part.morphTargetInfluences && found.push(part));
      return found;
    });
    if (drawable.left.length > 0) {
      return `Not shown: ${drawable.left.join(" and ")}. This page has no decoder for them.`;
    }
    const failures = takeTextureFailures();
    return failures === 0 ? "" : `Not shown: ${failures} KTX2 texture${failures === 1 ? "" : "s"} that the transcoder cannot read.`;
  }

  #prepare(node, part, associations) {
    this.parts.push({ node, part, place: part.matrixWorld.clone() });
    part.matrixAutoUpdate = false;
    part.matrixWorldAutoUpdate = false;
    if (part.isMesh) {
      this.meshCount += 1;
      part.castShadow = true;
      part.receiveShadow = true;
      part.frustumCulled = !part.isSkinnedMesh;
      collectMaterials(part, associations, this.materials);
      // The surface and its outline: a geometry that several meshes share gets these groups from each of them.
      part.geometry.groups.length = Math.min(part.geometry.groups.length, [part.material].flat().length);
    }
  }

  #batch({ snapshot }) {
    const alike = new Map();
    for (const entry of this.parts.filter(canBatch)) {
      const { part, node, place } = entry;
      if (new THREE.Matrix4().fromArray(snapshot.globals, 16 * node).multiply(place).determinant() > 0) {
        const key = `${part.geometry.uuid} ${part.material.uuid}`;
        alike.set(key, alike.get(key) ?? []);
        alike.get(key).push(entry);
      }
    }
    for (const parts of alike.values()) {
      if (parts.length >= leastAlike) {
        const { geometry, material } = parts[0].part;
        const mesh = new THREE.InstancedMesh(geometry, material, parts.length);
        mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.frustumCulled = mesh.matrixAutoUpdate = false;
        if (parts.length >= leastTinted) {
          parts.forEach((_, i) => mesh.setColorAt(i, new THREE.Color().setScalar(1 - tintRange * ((i * goldenRatio) % 1))));
        }
        this.group.add(mesh);
        this.batches.push({ mesh, parts });
        parts.forEach(({ part }) => part.layers.set(pickOnly));
      }
    }
  }

  /** @param shading "materials", "wireframe" or "normals" */
  setShading(shading) {
    this.#normals ??= new THREE.MeshNormalMaterial();
    const drawn = [...this.parts.map(({ part }) => part), ...this.batches.map(({ mesh }) => mesh)].filter((part) => part.isMesh);
    for (const part of drawn) {
      part.userData.material ??= part.material;
      part.material = shading === "normals" ? this.#normals : part.userData.material;
      for (const material of [part.userData.material].flat()) {
        material.wireframe = shading === "wireframe";
      }
    }
  }

  /** Gives every mesh the materials of a variant (KHR_materials_variants); -1: those without a variant. */
  async setVariant(index) {
    const { json, associations } = this.#parser;
    for (const { part } of this.parts) {
      const { meshes, primitives } = associations.get(part) ?? {};
      const primitive = json.meshes?.[meshes]?.primitives?.[primitives ?? 0];
      const mapping = primitive?.extensions?.KHR_materials_variants?.mappings?.find(({ variants }) => variants?.includes(index));
      const wanted = mapping?.material ?? primitive?.material;
      if (part.isMesh && primitive?.extensions?.KHR_materials_variants !== undefined && wanted !== undefined) {
        part.material = await this.#parser.getDependency("material", wanted);
        this.#parser.assignFinalMaterial(part);
        part.userData.material = part.material;
      }
    }
    for (const { mesh, parts } of this.batches) {
      mesh.userData.material = mesh.material = parts[0].part.userData.material ?? parts[0].part.material;
    }
  }

  update(snapshot) {
    if (snapshot === this.shown) {
      return;
    }
    this.shown = snapshot;
    const { globals, morphs } = snapshot;
    for (const { node, part, place } of this.parts) {
      part.matrixWorld.fromArray(globals, 16 * node).multiply(place);
    }
    for (const { mesh, parts } of this.batches) {
      parts.forEach(({ part }, i) => mesh.setMatrixAt(i, part.matrixWorld));
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { value, at, material } of this.bound) {
      setMaterialValue(material, value, snapshot.materialValues, at);
    }
    // Texture animations follow the shown time, also backwards.
    for (const materials of this.materials.values()) {
      materials.forEach((material) => material.isMToonMaterial && material.update(snapshot.time - this.#time));
    }
    this.#time = snapshot.time;
    this.morphed.forEach((parts, i) => {
      for (const part of parts) {
        for (let k = 0; k < part.morphTargetInfluences.length && k < morphs[i].length; ++k) {
          part.morphTargetInfluences[k] = morphs[i][k];
        }
      }
    });
  }

  /** Whether it has MToon materials. */
  get isToon() {
    return [...this.materials.values()].some((set) => [...set].some((material) => material.isMToonMaterial));
  }

  /** The node whose mesh a ray hits first. */
  pick(caster) {
    caster.layers.enable(pickOnly);
    const hits = caster.intersectObjects([...this.objects.values()].filter((object) => object.visible), true);
    for (const hit of hits) {
      const found = this.parts.find(({ part }) => part === hit.object);
      if (found !== undefined) {
        return { node: found.node, point: hit.point, distance: hit.distance };
      }
    }
    return null;
  }

  /**
   * Bounds of a node's mesh in the node's own space; null when it has none.
   * @param isPosed use the current pose of a skinned mesh, which costs a pass over its vertices
   */
  localBounds(node, isPosed = false) {
    const box = new THREE.Box3();
    this.objects.get(node)?.traverse((part) => {
      if (part.isSkinnedMesh && isPosed) {
        part.updateMatrixWorld();
        part.computeBoundingBox();
        box.union(part.boundingBox);
      } else if (part.isMesh) {
        if (part.geometry.boundingBox === null) {
          part.geometry.computeBoundingBox();
        }
        box.union(part.geometry.boundingBox);
      }
    });
    return box.isEmpty() ? null : box;
  }

  dispose() {
    this.group.removeFromParent();
    this.batches.forEach(({ mesh }) => mesh.dispose());
    for (const object of this.objects.values()) {
      object.traverse((part) => {
        part.geometry?.dispose();
        part.skeleton?.dispose();
        for (const material of [part.material].flat()) {
          const uniforms = Object.values(material?.uniforms ?? {}).map((uniform) => uniform.value);
          for (const value of [...Object.values(material ?? {}), ...uniforms]) {
            if (value?.isTexture) {
              value.source?.data?.close?.();
              value.dispose();
            }
          }
          material?.dispose();
        }
      });
    }
    this.objects.clear();
  }
}
