// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Draco meshes and KTX2 textures: pages carry the decoders that their file needs, with licences; orthographic cameras.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { makeKtx2 } from "./ktx2.mjs";
import { readPng } from "./png.mjs";
import { drop, findNode, inline, openPage, run, test, viewTest, work } from "./support.mjs";

/** A triangle as Draco packs it. */
async function packTriangle() {
  vm.runInThisContext(readFileSync("web/node_modules/three/examples/jsm/libs/draco/gltf/draco_encoder.js", "utf8"));
  // In an array, because the module has a member `then`, which a promise would call for ever.
  const [draco] = await new Promise((resolve) => globalThis.DracoEncoderModule({ onModuleLoaded: (module) => resolve([module]) }));
  const builder = new draco.MeshBuilder();
  const mesh = new draco.Mesh();
  builder.AddFacesToMesh(mesh, 1, new Uint32Array([0, 1, 2]));
  const position = builder.AddFloatAttributeToMesh(mesh, draco.POSITION, 3, 3, new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]));
  const uv = builder.AddFloatAttributeToMesh(mesh, draco.TEX_COORD, 3, 2, new Float32Array([0, 0, 1, 0, 0, 1]));
  const bytes = new draco.DracoInt8Array();
  const size = new draco.Encoder().EncodeMeshToDracoBuffer(mesh, bytes);
  return { bytes: Buffer.from(Array.from({ length: size }, (_, i) => bytes.GetValue(i) & 255)), attributes: { POSITION: position, TEXCOORD_0: uv } };
}

/** A file with a packed triangle, a packed texture, or both. */
async function makeScene({ hasDraco, hasKtx2, texture = makeKtx2([255, 0, 0, 255]) }) {
  const parts = [];
  const bufferViews = [];
  const add = (bytes) => {
    const byteOffset = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16));
    return bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length }) - 1;
  };
  const primitive = { attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 };
  const accessors = [
    { componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }, { componentType: 5126, count: 3, type: "VEC2" },
    { componentType: 5125, count: 3, type: "SCALAR" },
  ];
  const extensionsUsed = [];
  if (hasDraco) {
    const { bytes, attributes } = await packTriangle();
    primitive.indices = 2;
    primitive.extensions = { KHR_draco_mesh_compression: { bufferView: add(bytes), attributes } };
    extensionsUsed.push("KHR_draco_mesh_compression");
  } else {
    accessors[0].bufferView = add(Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer));
    accessors[1].bufferView = add(Buffer.from(new Float32Array([0, 0, 1, 0, 0, 1]).buffer));
    accessors.pop();
  }
  const textures = [];
  const images = [];
  const material = { pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 1] } };
  if (hasKtx2) {
    images.push({ mimeType: "image/ktx2", bufferView: add(texture) });
    textures.push({ extensions: { KHR_texture_basisu: { source: 0 } } });
    material.pbrMetallicRoughness.baseColorTexture = { index: 0 };
    extensionsUsed.push("KHR_texture_basisu");
  }
  const buffer = Buffer.concat(parts);
  return {
    asset: { version: "2.0" }, ...(extensionsUsed.length > 0 ? { extensionsUsed, extensionsRequired: extensionsUsed } : {}), scene: 0, scenes: [{ nodes: [0] }],
    nodes: [{ name: "packed", mesh: 0 }], meshes: [{ primitives: [primitive] }], materials: [material], accessors, bufferViews,
    ...(hasKtx2 ? { images, textures } : {}),
    buffers: [{ byteLength: buffer.length, uri: `data:application/octet-stream;base64,${buffer.toString("base64")}` }],
  };
}

const describeMesh = (page) => page.run(() => {
  let found = null;
  window.tendon.viewer.model.group.traverse((part) => {
    if (part.isMesh) {
      const { position } = part.geometry.attributes;
      const image = part.material.map?.image;
      found = {
        points: Array.from(position.array).map(Math.round).sort().join(""), width: image?.width ?? 0,
        pixel: Array.from(image?.data?.slice(0, 4) ?? []), space: part.material.map?.colorSpace,
      };
    }
  });
  return found;
});

const toast = (page) => page.run(() => (document.getElementById("toast").hidden ? "" : document.getElementById("toast").textContent));

test("a page carries the decoders that its file needs, and draws Draco and KTX2", async ({ browser }) => {
  const sizes = [];
  for (const needs of [{ hasDraco: false, hasKtx2: false }, { hasDraco: true, hasKtx2: false }, { hasDraco: false, hasKtx2: true }, { hasDraco: true, hasKtx2: true }]) {
    const file = join(work, "packed.gltf");
    const out = join(work, "packed.html");
    writeFileSync(file, JSON.stringify(await makeScene(needs)));
    assert.equal(JSON.parse(run("check", file, "--json")).issues.numErrors, 0, "packed meshes are no finding without physics");
    viewTest(file, "-o", out);
    const html = readFileSync(out, "utf8");
    assert.equal(html.includes('data-decoder="draco_decoder.wasm"'), needs.hasDraco);
    assert.equal(html.includes('data-decoder="basis_transcoder.wasm"'), needs.hasKtx2);
    sizes.push(html.length);
    const page = await openPage(browser, pathToFileURL(out).href, { width: 480, height: 320 });
    const mesh = await describeMesh(page);
    assert.equal(mesh?.points, "000000011", JSON.stringify(mesh));
    assert.equal(mesh.width, needs.hasKtx2 ? 4 : 0);
    assert.deepEqual(mesh.pixel, needs.hasKtx2 ? [255, 0, 0, 255] : []);
    assert.ok(!needs.hasKtx2 || mesh.space === "srgb");
    assert.equal(await toast(page), "");
    assert.deepEqual(page.errors, []);
    assert.deepEqual(page.complaints, []);
    if (needs.hasKtx2) {
      assert.ok(await countRed(page) > 100, "the triangle is red");
    }
    const licences = await page.run(() => document.querySelector("#licences pre").textContent);
    assert.equal(/Draco decoder[^]*Apache License/.test(licences), needs.hasDraco);
    assert.equal(/Basis Universal transcoder[^]*Apache License[^]*Zstd/.test(licences), needs.hasKtx2);
    await page.close();
  }
  const [bare, draco, ktx2, both] = sizes;
  assert.ok(draco > bare + 300000 && ktx2 > bare + 700000 && both > ktx2 + 300000, `${sizes}`);
});

/** Number of reddish pixels on the screen. */
async function countRed(page) {
  await page.run(() => window.tendon.viewer.flush());
  const { pixels } = readPng(await page.screenshot());
  let count = 0;
  for (let i = 0; i < pixels.length; i += 3) {
    count += pixels[i] > 90 && pixels[i] > 2 * pixels[i + 1] && pixels[i] > 2 * pixels[i + 2] ? 1 : 0;
  }
  return count;
}

test("a damaged KTX2 texture is grey and named, and the next file is drawn", async ({ page }) => {
  await drop(page, inline("damaged.gltf", await makeScene({ hasDraco: false, hasKtx2: true, texture: makeKtx2([1, 2, 3, 4]).subarray(0, 150) })));
  assert.deepEqual((await describeMesh(page)).pixel, [128, 128, 128, 255]);
  assert.equal(await toast(page), "Not shown: 1 KTX2 texture that the transcoder cannot read.");
  await drop(page, inline("whole.gltf", await makeScene({ hasDraco: false, hasKtx2: true, texture: makeKtx2([10, 200, 30, 255], { isZstandard: true }) })));
  assert.deepEqual((await describeMesh(page)).pixel, [10, 200, 30, 255]);
  assert.deepEqual(page.errors, []);
});

test("a page without decoders says what it does not show", async ({ browser, page }) => {
  // The page for any file has the decoders.
  await drop(page, inline("packed.gltf", await makeScene({ hasDraco: true, hasKtx2: true })));
  assert.equal((await describeMesh(page))?.points, "000000011");
  const out = join(work, "door.html");
  viewTest("examples/swing_door.gltf", "-o", out);
  assert.ok(!readFileSync(out, "utf8").includes('octet-stream" data-decoder="'));
  const other = await openPage(browser, pathToFileURL(out).href, { width: 480, height: 320 });
  await drop(other, inline("packed.gltf", await makeScene({ hasDraco: true, hasKtx2: true })));
  assert.match(await toast(other), /^Not shown: meshes that Draco packed and textures in KTX2/);
  await other.close();
});

test("Draco is a finding where physics needs the mesh", async () => {
  const scene = await makeScene({ hasDraco: true, hasKtx2: false });
  scene.extensionsUsed = [...scene.extensionsUsed, "KHR_physics_rigid_bodies"];
  scene.nodes[0].extensions = { KHR_physics_rigid_bodies: { collider: { geometry: { mesh: 0 } } } };
  const file = join(work, "packed_collider.gltf");
  writeFileSync(file, JSON.stringify(scene));
  let output = "";
  try {
    output = run("check", file, "--json");
  } catch (error) {
    output = error.stdout;
  }
  assert.match(output, /DRACO_UNSUPPORTED/);
});

test("an orthographic camera of the file is followed", async ({ page }) => {
  const triangle = Buffer.from(new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0]).buffer);
  await drop(page, inline("plan.gltf", {
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0, 1] }],
    nodes: [{ name: "plan", camera: 0, translation: [0, 0, 5] }, { name: "mesh", mesh: 0 }],
    cameras: [{ type: "orthographic", orthographic: { xmag: 2, ymag: 2, znear: 0.1, zfar: 50 } }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [-1, -1, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${triangle.toString("base64")}` }],
  }));
  const places = await page.run(() => {
    const { viewer } = window.tendon;
    viewer.look.setCamera(0);
    viewer.draw();
    viewer.flush();
    const origin = viewer.view.camera.position.clone();
    const show = (x, y, z) => viewer.view.project(origin.clone().set(x, y, z));
    const found = { near: show(1, 1, 1), far: show(1, 1, -9), middle: show(0, 0, 0), height: viewer.view.canvas.clientHeight };
    viewer.look.setCamera(-1);
    return { ...found, isFree: viewer.view.orthographic === null };
  });
  // Depth does not change the place; a quarter of the height is a metre at ymag 2.
  assert.ok(Math.abs(places.near.x - places.far.x) < 1e-3 && Math.abs(places.near.y - places.far.y) < 1e-3);
  assert.ok(Math.abs(places.middle.y - places.near.y - places.height / 4) < 1);
  assert.ok(places.isFree);
  assert.equal(await findNode(page, "plan"), 0);
});
