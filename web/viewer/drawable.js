// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The part of a file that three.js draws. It is made in a worker, so that a large file does not block the page.
//
// See docs/decisions/116-viewer-drawing.md and docs/decisions/180-opening-in-a-worker.md.

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
  return bytes[0] === 0xab && bytes[1] === 0x4b ? "image/ktx2" : bytes[0] === 0x89 ? "image/png" : bytes[0] === 0xff ? "image/jpeg" : bytes[0] === 0x52 ? "image/webp" : "";
}

/** Bound of the decoded bytes of all accessors; a small file can ask for any number of zeros. */
function countAccessorBytes(accessors) {
  const components = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
  const counted = (count) => (Number.isFinite(count) && count > 0 ? count : 0);
  return accessors.reduce((sum, { count, type }) => sum + 4 * counted(count) * (components[type] ?? 16), 0);
}

/** Lists of objects that the drawable is made of. */
const lists = ["accessors", "buffers", "bufferViews", "cameras", "images", "materials", "meshes", "nodes", "samplers", "skins", "textures"];
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Replaces entries that are no objects by empty ones, so that the rest is drawn, and drops lists that are none. */
function cleanLists(json) {
  for (const name of lists.filter((key) => json[key] !== undefined)) {
    json[name] = Array.isArray(json[name]) ? json[name].map((entry) => (isObject(entry) ? entry : {})) : undefined;
  }
  json.meshes = json.meshes?.map((mesh) => ({ ...mesh, primitives: Array.isArray(mesh.primitives) ? mesh.primitives.filter(isObject) : [] }));
  json.skins = json.skins?.map((skin) => ({ ...skin, joints: Array.isArray(skin.joints) ? skin.joints : [] }));
  json.extensionsUsed = Array.isArray(json.extensionsUsed) ? json.extensionsUsed.filter((name) => typeof name === "string") : undefined;
}

const largestDrawable = 1 << 29;

/** Extensions that need a decoder. */
export const packedExtensions = ["KHR_draco_mesh_compression", "KHR_texture_basisu"];

/** One grey pixel, in place of images that cannot be shown. */
const greyPixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPYAAAAsgCx+IKSpwAAAABJRU5ErkJggg==";

/** Leaves out Draco meshes and KTX2 textures if the page has no decoder of them, and textures without an image. */
function leaveOut(json, undrawn, addImage) {
  const left = [];
  const meshes = json.meshes?.map((mesh) => {
    const primitives = mesh.primitives?.filter((primitive) => primitive.extensions?.KHR_draco_mesh_compression === undefined || !undrawn.includes("KHR_draco_mesh_compression")) ?? [];
    return { ...mesh, primitives };
  });
  if (meshes?.some((mesh, i) => mesh.primitives.length < json.meshes[i].primitives?.length)) {
    left.push("meshes that Draco packed");
  }
  let grey = -1;
  const imageNames = ["EXT_texture_webp", "EXT_texture_avif", "KHR_texture_basisu"].filter((name) => !undrawn.includes(name));
  const textures = json.textures?.map((texture) => {
    const isShown = texture.source !== undefined || imageNames.some((name) => texture.extensions?.[name]);
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
 * @param undrawn extensions that are left out, because the page does not carry their decoders
 * @returns {{ bytes: Uint8Array, nodes: number[], left: string[] }} nodes: those that three.js creates an
 *   object for; left: names of the parts that are not drawn
 */
export function makeDrawable(files, nodeCount, undrawn = packedExtensions) {
  const { json, binary } = splitFile(files.bytes);
  if (!isObject(json)) {
    throw new Error("the file is damaged");
  }
  cleanLists(json);
  if (countAccessorBytes(json.accessors ?? []) > largestDrawable) {
    throw new Error(`their data take more than ${largestDrawable >> 20} MB`);
  }
  const parts = [];
  let size = 0;
  const append = (bytes) => {
    const at = size;
    parts.push(bytes);
    size += bytes.byteLength;
    if (size > largestDrawable) {
      throw new Error(`their files take more than ${largestDrawable >> 20} MB`);
    }
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
  const { meshes, textures, left } = leaveOut(json, undrawn, (bytes) => images.push(embed(bytes)) - 1);

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
    scenes: [{ nodes: [] }], // the page asks for nodes one after the other
  };
  // Cameras by node.
  const cameras = (json.nodes ?? []).slice(0, nodeCount).flatMap(({ camera }, node) => {
    const { xmag, ymag, znear: near, zfar: far } = json.cameras?.[camera]?.orthographic ?? {};
    if (xmag !== 0 && ymag !== 0 && Number.isFinite(xmag) && Number.isFinite(ymag) && near >= 0 && far > near) {
      return [{ node, xmag: Math.abs(xmag), ymag: Math.abs(ymag), znear: near, zfar: far }];
    }
    const { yfov, znear, zfar } = json.cameras?.[camera]?.perspective ?? {};
    return yfov > 0 && yfov < Math.PI && znear > 0 ? [{ node, yfov, znear, zfar: zfar > znear ? zfar : 1e5 * znear }] : [];
  });
  const variants = json.extensions?.KHR_materials_variants?.variants;
  const names = Array.isArray(variants) ? variants.map((variant) => `${variant?.name ?? ""}`) : [];
  return { left, cameras, variants: names, bytes: joinGlb(drawable, parts, size), nodes: [...new Set([...drawn, ...joints])].filter((node) => nodes[node] !== undefined) };
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

/**
 * The drawable of a session's file; null if no node has a mesh.
 * @returns {object | null} as makeDrawable, or { failure } with the reason why it cannot be made
 */
export function tryDrawable(files, session, undrawn) {
  if (!session.nodes.some((node) => node.mesh >= 0)) {
    return null;
  }
  try {
    return makeDrawable(files, session.nodes.length, undrawn);
  } catch (error) {
    return { failure: error.message };
  }
}
