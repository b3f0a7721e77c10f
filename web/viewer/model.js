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
import { addToonPlugins } from "./toon.js";

const glbMagic = 0x46546c67;
const jsonChunk = 0x4e4f534a;
const binaryChunk = 0x004e4942;

/** @returns {{ json: object, binary: Uint8Array | null }} */
export function splitFile(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 20 || view.getUint32(0, true) !== glbMagic) {
    return { json: JSON.parse(new TextDecoder().decode(bytes)), binary: null };
  }
  let json = null;
  let binary = null;
  for (let at = 12; at + 8 <= bytes.byteLength; ) {
    const length = view.getUint32(at, true);
    const kind = view.getUint32(at + 4, true);
    const chunk = bytes.subarray(at + 8, Math.min(at + 8 + length, bytes.byteLength));
    if (kind === jsonChunk && json === null) {
      json = JSON.parse(new TextDecoder().decode(chunk));
    } else if (kind === binaryChunk && binary === null) {
      binary = chunk;
    }
    at += 8 + length;
  }
  return { json, binary };
}

function decodeDataUri(uri) {
  const comma = uri.indexOf(",");
  const text = uri.slice(comma + 1);
  if (/;base64$/i.test(uri.slice(0, comma))) {
    return Uint8Array.from(atob(decodeURIComponent(text)), (c) => c.charCodeAt(0));
  }
  return new TextEncoder().encode(decodeURIComponent(text));
}

/** Bytes of a URI: a data URI or a file of the set; null when missing. Never fetches. */
function resolve(uri, beside) {
  try {
    if (/^data:/i.test(uri)) {
      return decodeDataUri(uri);
    }
    return beside.get(uri) ?? beside.get(decodeURIComponent(uri)) ?? null;
  } catch {
    return null;
  }
}

function guessMediaType(bytes) {
  return bytes[0] === 0x89 ? "image/png" : bytes[0] === 0xff ? "image/jpeg" : bytes[0] === 0x52 ? "image/webp" : "";
}

/** Bound of the decoded bytes of all accessors; a small file can ask for any number of zeros. */
function countAccessorBytes(accessors) {
  const components = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
  return accessors.reduce((sum, { count = 0, type }) => sum + 4 * count * (components[type] ?? 16), 0);
}

const largestDrawable = 1 << 29;

const undrawn = ["KHR_draco_mesh_compression", "KHR_texture_basisu"];

/** One grey pixel, in place of images that cannot be shown. */
const greyPixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPYAAAAsgCx+IKSpwAAAABJRU5ErkJggg==";

/** Leaves out Draco meshes and KTX2 textures: their decoders are larger than the engine. */
function leaveOut(json, addImage) {
  const left = [];
  const meshes = json.meshes?.map((mesh) => {
    const primitives = mesh.primitives?.filter((primitive) => primitive.extensions?.KHR_draco_mesh_compression === undefined) ?? [];
    return { ...mesh, primitives };
  });
  if (meshes?.some((mesh, i) => mesh.primitives.length < json.meshes[i].primitives?.length)) {
    left.push("meshes that Draco packed");
  }
  let grey = -1;
  const textures = json.textures?.map((texture) => {
    const isShown = texture.source !== undefined || texture.extensions?.EXT_texture_webp || texture.extensions?.EXT_texture_avif;
    if (isShown) {
      return texture;
    }
    if (grey < 0) {
      grey = addImage(decodeDataUri(greyPixel));
    }
    return { sampler: texture.sampler, source: grey };
  });
  if (json.textures?.some((texture, i) => textures[i] !== texture && texture.extensions?.KHR_texture_basisu)) {
    left.push("textures in KTX2");
  }
  return { meshes, textures, left };
}

/** Leaves out textures of MToon that the file does not have: the loader would fail on them. */
function cleanToon(material, textureCount) {
  const toon = material?.extensions?.VRMC_materials_mtoon;
  if (toon === undefined || toon === null) {
    return material;
  }
  const isGood = ([name, value]) => !name.endsWith("Texture") || (Number.isInteger(value?.index) && value.index >= 0 && value.index < textureCount);
  return { ...material, extensions: { ...material.extensions, VRMC_materials_mtoon: Object.fromEntries(Object.entries(toon).filter(isGood)) } };
}

/**
 * The part of a file that is drawn, as one GLB without a tree: buffers joined, images inside, nodes flat.
 * @returns {{ bytes: Uint8Array, nodes: number[], left: string[] }} nodes: those that three.js creates an
 *   object for; left: names of the parts that are not drawn
 */
export function makeDrawable(files, nodeCount) {
  const { json, binary } = splitFile(files.bytes);
  if (countAccessorBytes(json.accessors ?? []) > largestDrawable) {
    throw new Error(`their data take more than ${largestDrawable >> 20} MB`);
  }
  const parts = [];
  let size = 0;
  const append = (bytes) => {
    const at = size;
    parts.push(bytes);
    size += bytes.byteLength;
    const gap = (4 - (size % 4)) % 4;
    if (gap > 0) {
      parts.push(new Uint8Array(gap));
      size += gap;
    }
    return at;
  };
  const starts = (json.buffers ?? []).map((buffer, index) => {
    const bytes = buffer.uri === undefined ? (index === 0 ? binary : null) : resolve(buffer.uri, files.beside);
    // A fallback buffer of EXT_meshopt_compression has no bytes; a missing buffer leaves its views empty.
    return bytes === null ? -1 : append(bytes);
  });
  const move = (view) => ({ ...view, buffer: 0, byteOffset: (view.byteOffset ?? 0) + Math.max(starts[view.buffer] ?? 0, 0) });
  const bufferViews = (json.bufferViews ?? []).map((view) => {
    const moved = move(view);
    const packed = view.extensions?.EXT_meshopt_compression;
    return packed === undefined ? moved : { ...moved, extensions: { EXT_meshopt_compression: move(packed) } };
  });
  const embed = (bytes, { name, mimeType } = {}) => {
    bufferViews.push({ buffer: 0, byteOffset: append(bytes), byteLength: bytes.byteLength });
    return { name, mimeType: mimeType ?? guessMediaType(bytes), bufferView: bufferViews.length - 1 };
  };
  const images = (json.images ?? []).map((image) =>
    image.uri === undefined ? image : embed(resolve(image.uri, files.beside) ?? new Uint8Array(0), image));
  const { meshes, textures, left } = leaveOut(json, (bytes) => images.push(embed(bytes)) - 1);

  const kept = ["EXT_mesh_gpu_instancing", "KHR_lights_punctual"];
  const drawn = [];
  const joints = new Set((json.skins ?? []).flatMap((skin) => skin.joints ?? []));
  const nodes = (json.nodes ?? []).slice(0, nodeCount).map((node, index) => {
    const flat = { name: node.name };
    if (node.mesh !== undefined) {
      flat.mesh = node.mesh;
      drawn.push(index);
    }
    if (node.skin !== undefined) {
      flat.skin = node.skin;
    }
    for (const name of kept) {
      if (node.extensions?.[name] !== undefined) {
        flat.extensions = { ...flat.extensions, [name]: node.extensions[name] };
      }
    }
    return flat;
  });
  const extensions = {};
  for (const name of kept) {
    if (json.extensions?.[name] !== undefined) {
      extensions[name] = json.extensions[name];
    }
  }
  const toonProperties = json.extensions?.VRM?.materialProperties;
  if (Array.isArray(toonProperties)) {
    extensions.VRM = { materialProperties: toonProperties.slice(0, json.materials?.length ?? 0) };
  }
  const drawable = {
    asset: { version: "2.0" },
    extensionsUsed: json.extensionsUsed?.filter((name) => !undrawn.includes(name)),
    buffers: size > 0 ? [{ byteLength: size }] : [],
    bufferViews, images, nodes, extensions,
    accessors: json.accessors, meshes, textures,
    materials: json.materials?.map((material) => cleanToon(material, textures?.length ?? 0)),
    samplers: json.samplers, skins: json.skins?.map((skin) => ({ ...skin, skeleton: undefined })),
    scene: 0,
    scenes: [{ nodes: drawn }],
  };
  return { left, bytes: joinGlb(drawable, parts, size), nodes: [...new Set([...drawn, ...joints])].filter((node) => nodes[node] !== undefined) };
}

function joinGlb(json, parts, size) {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textSize = text.byteLength + ((4 - (text.byteLength % 4)) % 4);
  const total = 12 + 8 + textSize + (size > 0 ? 8 + size : 0);
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  [glbMagic, 2, total, textSize, jsonChunk].forEach((word, i) => view.setUint32(4 * i, word, true));
  out.set(text, 20);
  out.fill(0x20, 20 + text.byteLength, 20 + textSize);
  if (size > 0) {
    view.setUint32(20 + textSize, size, true);
    view.setUint32(24 + textSize, binaryChunk, true);
    let at = 28 + textSize;
    for (const part of parts) {
      out.set(part, at);
      at += part.byteLength;
    }
  }
  return out;
}

/** Number of equal parts from which on they are drawn as instances. */
const leastAlike = 8;
/** Layer of parts that are drawn as instances: picked, but not drawn themselves. */
const pickOnly = 1;

/** Whether a mesh can be an instance: rigid, with one opaque material. */
function canBatch({ part }) {
  return part.isMesh && !part.isSkinnedMesh && !part.isInstancedMesh && !part.morphTargetInfluences && !Array.isArray(part.material) &&
    !part.material.transparent && !part.material.transmission;
}

/** Reads a drawable; a second time without MToon if its materials are broken. */
async function readDrawable(bytes) {
  const read = (hasToon) => {
    const loader = new GLTFLoader();
    loader.setMeshoptDecoder(MeshoptDecoder);
    if (hasToon) {
      addToonPlugins(loader);
    }
    return loader.parseAsync(bytes.buffer, "");
  };
  return read(true).catch(() => read(false));
}

export class Model {
  #time;

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
    this.#time = 0;
  }

  /** Loads the meshes. @returns a sentence when some cannot be shown, else "" */
  async load(files, session) {
    if (!session.nodes.some((node) => node.mesh >= 0)) {
      return "";
    }
    let gltf;
    let drawable;
    try {
      drawable = makeDrawable(files, session.nodes.length);
      gltf = await readDrawable(drawable.bytes);
    } catch (error) {
      return `The meshes cannot be drawn (${error.message}). Skeleton and colliders are shown.`;
    }
    for (const node of drawable.nodes) {
      // The loader caches nodes; getDependency tells them apart even when they share a mesh.
      this.objects.set(node, await gltf.parser.getDependency("node", node));
    }
    for (const [node, object] of this.objects) {
      this.group.add(object);
      object.updateMatrixWorld(true);
      object.traverse((part) => this.#prepare(node, part, gltf.parser.associations));
    }
    this.bound = bindMaterials(session.materialValues, this.materials);
    this.#batch(session);
    this.morphed = session.morphNodes.map((node) => {
      const found = [];
      this.objects.get(node)?.traverse((part) => part.morphTargetInfluences && found.push(part));
      return found;
    });
    return drawable.left.length === 0 ? "" : `Not shown: ${drawable.left.join(" and ")}. This page has no decoder for them.`;
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
        this.group.add(mesh);
        this.batches.push({ mesh, parts });
        parts.forEach(({ part }) => part.layers.set(pickOnly));
      }
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
