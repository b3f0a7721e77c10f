// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Files: dropped, chosen, embedded by `tendon view`, compressed, hostile; the export.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Chromium } from "./chromium.mjs";
import { assertSameBits, drop, gather, inline, openPage, read, run, save, test, traceLocals, viewer, viewTest, work } from "./support.mjs";

test("files are dropped on the page from the disk", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await page.dropFiles([resolve("examples/keepsake.gltf"), resolve("examples/keepsake.bin")]);
  await page.until(() => window.tendon.state().name === "keepsake.gltf");
  const glb = join(work, "dropped.glb");
  run("convert", "examples/domino_run.gltf", "-o", glb);
  await page.dropFiles([glb]);
  await page.until(() => window.tendon.state().name === "dropped.glb");
  await page.dropFiles([resolve("examples/stocky.vrm")]);
  await page.until(() => window.tendon.state().name === "stocky.vrm");
  await page.dropFiles([resolve("examples/stretch.vrma")]);
  await page.until(() => window.tendon.state().motion !== null);
  const state = await page.run(() => window.tendon.state());
  assert.equal(state.name, "stocky.vrm");
  assert.equal(state.error, null);
  await page.dropFiles([resolve("README.md")]);
  await page.until(() => window.tendon.state().error !== null);
  await page.key("Escape");
});

/** A stream of EXT_meshopt_compression's attribute codec, every byte stored as it is: for up to 16 elements. */
function packAttributes(bytes, count, stride) {
  const zigzag = (value) => ((value << 1) ^ (value << 24 >> 31)) & 255; // of a signed byte
  const out = [0xa0];
  for (let k = 0; k < stride; ++k) {
    out.push(3); // one group of 16, eight bits each
    for (let i = 0; i < 16; ++i) {
      const delta = i < count ? bytes[i * stride + k] - bytes[Math.max(i - 1, 0) * stride + k] : 0;
      out.push(zigzag(delta & 255));
    }
  }
  // The end holds the first element, filled up to 32 bytes.
  return Buffer.from([...out, ...Array(Math.max(0, 32 - stride)).fill(0), ...bytes.subarray(0, stride)]);
}

test("meshopt is decoded", async ({ page }) => {
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 0, 2, 0]);
  const stream = packAttributes(new Uint8Array(corners.buffer), 3, 12);
  const packed = { buffer: 0, byteOffset: 0, byteLength: stream.length, byteStride: 12, count: 3, mode: "ATTRIBUTES" };
  const file = {
    asset: { version: "2.0" }, extensionsUsed: ["EXT_meshopt_compression"], extensionsRequired: ["EXT_meshopt_compression"],
    scene: 0, scenes: [{ nodes: [0] }], nodes: [{ name: "sail", mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 2, 0] }],
    bufferViews: [{ buffer: 1, byteLength: 36, byteStride: 12, extensions: { EXT_meshopt_compression: packed } }],
    buffers: [
      { byteLength: stream.length, uri: `data:application/octet-stream;base64,${stream.toString("base64")}` },
      { byteLength: 36, extensions: { EXT_meshopt_compression: { fallback: true } } },
    ],
  };
  const state = await drop(page, inline("packed.gltf", file));
  assert.equal(state.error, null);
  const drawn = await page.run(() => {
    let found = null;
    window.tendon.viewer.model.group.traverse((part) => (found ??= part.geometry ? [...part.geometry.getAttribute("position").array] : null));
    return found;
  });
  assert.deepEqual(drawn, [...corners]);
});

test("an animation is chosen", async ({ page }) => {
  await drop(page, gather("examples/robot_arm.gltf"));
  const chosen = await page.run(() => {
    const choice = document.getElementById("animation");
    choice.value = "-1";
    choice.dispatchEvent(new Event("change"));
    window.tendon.stepTo(0.5);
    return window.tendon.state().animation;
  });
  assert.equal(chosen, -1);
  assertSameBits(await page.run(() => window.tendon.locals()), traceLocals(0.5, "examples/robot_arm.gltf", "--animation", "none"), "no animation");
});

test("the export holds what was recorded and passes the check", async ({ page }) => {
  await drop(page, gather("examples/domino_run.gltf"));
  await page.run(() => void window.tendon.stepTo(1));
  const text = await page.run(() => window.tendon.exportBase64());
  const path = join(work, "export.glb");
  writeFileSync(path, Buffer.from(text, "base64"));
  run("check", path); // throws unless the exit code is 0
  const { animations } = JSON.parse(run("inspect", "--json", path));
  assert.equal(animations.at(-1).name, "baked");
  assert.ok(Math.abs(animations.at(-1).duration - 1) < 1e-6, `lasts ${animations.at(-1).duration} s`);
  const findings = await page.run((bytes) => window.tendon.check("export.glb", bytes), text);
  assert.deepEqual(findings.filter((finding) => finding.severity === "error"), []);
  const again = await drop(page, [["export.glb", text]]);
  assert.equal(again.error, null);
});

test("a session with a hand on a body is saved as a recording, which the program and the page repeat", async ({ page }) => {
  await drop(page, gather("examples/rope_bridge.gltf"));
  const hash = await page.run(async () => {
    const { viewer } = window.tendon;
    const { player } = viewer;
    await player.stepTo(0.5);
    const node = viewer.session.bodies.find((body) => body.motion === "dynamic").node;
    const point = [...viewer.session.snapshot.globals.slice(16 * node + 12, 16 * node + 15)];
    player.input("grab", node, point);
    for (let i = 0; i < 20; ++i) {
      player.input("moveGrab", [point[0], point[1] + 0.05 * i, point[2]]);
      await player.stepTo(0.5 + (i + 1) / 60);
    }
    player.input("releaseGrab");
    await player.stepTo(1.5);
    return viewer.session.snapshot.hash;
  });
  const text = await page.run(() => window.tendon.recordingBase64());
  const path = join(work, "session.tdrec");
  writeFileSync(path, Buffer.from(text, "base64"));
  assert.match(run("replay", path), /90 of 90 steps repeated to the bit/);
  const state = await drop(page, [["session.tdrec", text]]);
  assert.equal(state.error, null);
  assert.equal(state.name, "session.tdrec");
  const seen = await page.run(async () => {
    const { viewer } = window.tendon;
    await viewer.player.stepTo(99);
    const { session } = viewer;
    viewer.draw();
    viewer.flush();
    return { hash: session.snapshot.hash, step: session.snapshot.step, isOver: session.isOver, isReplay: session.isReplay, difference: session.difference, frames: viewer.player.recording.length };
  });
  assert.deepEqual(seen, { hash, step: 90, isOver: true, isReplay: true, difference: null, frames: 90 });
  assert.ok((await page.run(() => window.tendon.countColors())) > 10, "the model is drawn");
  // Back to the start and once more, with inputs that have no effect.
  const again = await page.run(async () => {
    const { viewer } = window.tendon;
    viewer.reset();
    viewer.player.input("grab", 1, [0, 0, 0]);
    await viewer.player.stepTo(99);
    return { hash: viewer.session.snapshot.hash, scrub: Number(document.getElementById("scrub").max) };
  });
  assert.equal(again.hash, hash);
  const damaged = Buffer.from(text, "base64");
  damaged[damaged.length >> 1] ^= 1;
  const refused = await drop(page, [["bad.tdrec", damaged.toString("base64")]]);
  assert.notEqual(refused.error, null);
  await page.key("Escape");
});

function listHostile() {
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        walk(join(folder, entry.name));
      } else if (/\.(gltf|glb|vrm|vrma|bvh)$/.test(entry.name)) {
        found.push(join(folder, entry.name));
      }
    }
  };
  walk("test/data");
  return found;
}

test("hostile files lead to the error panel or findings and do not break the page", async ({ page }) => {
  const glb = Buffer.from(run("convert", "examples/swing_door.gltf", "-o", join(work, "door.glb")), "utf8") && readFileSync(join(work, "door.glb"));
  const made = [
    ["noise.glb", Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + 13) & 255))],
    ["empty.gltf", Buffer.alloc(0)],
    ["half.glb", glb.subarray(0, glb.length / 2)],
    ["number.gltf", Buffer.from("3")],
    ["deep.gltf", Buffer.from("[".repeat(100000))],
    ["chain.gltf", Buffer.from(JSON.stringify({ asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: Array.from({ length: 20000 }, (_, i) => (i < 19999 ? { children: [i + 1], translation: [0, 0.001, 0] } : {})) }))],
    ["address.gltf", Buffer.from(JSON.stringify({ asset: { version: "2.0" }, buffers: [{ uri: "https://example.org/x.bin", byteLength: 4 }], images: [{ uri: "https://example.org/x.png" }] }))],
    ["bomb.gltf", Buffer.from(JSON.stringify({
      asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ componentType: 5126, count: 400000000, type: "VEC3", min: [0, 0, 0], max: [0, 0, 0] }],
    }))],
    ["html.gltf", Buffer.from(JSON.stringify({ asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ name: "<img src=x onerror='window.pwned=1'>" }] }))],
  ];
  for (const [name, bytes] of made) {
    const state = await drop(page, [[name, bytes.toString("base64")]]);
    if (["noise.glb", "empty.gltf", "half.glb", "number.gltf", "deep.gltf"].includes(name)) {
      assert.ok(state.error, `${name}: no error panel`);
    }
    if (name === "noise.glb") {
      await save(page, "error");
    }
    assert.ok(state.memory <= 1 << 30, `${name}: ${state.memory} bytes`);
  }
  // All bad files of the tests, as fast as they go; what they say is tested elsewhere, here the page has to survive.
  const files = [...listHostile(), "examples/swing_door.gltf"].map((path) => read(path));
  for (let i = 0; i < files.length; i += 40) {
    await page.run(async (list) => {
      for (const file of list) {
        await window.tendon.viewer.openHeap(new Map([[file[0], Uint8Array.from(atob(file[1]), (c) => c.charCodeAt(0))]]));
        window.tendon.viewer.step();
      }
    }, files.slice(i, i + 40));
  }
  assert.equal(await page.run(() => window.pwned), undefined);
  // A fault of the engine in the middle of a step: the session is gone, the next file gets an engine of its own.
  await page.run(() => {
    const { viewer } = window.tendon;
    viewer.session.stage.step = () => { throw new WebAssembly.RuntimeError("unreachable"); };
    viewer.step();
  });
  const faulted = await page.run(() => window.tendon.state());
  assert.ok(faulted.error);
  assert.equal(faulted.name, null);
  const state = await drop(page, gather("examples/swing_door.gltf"));
  assert.equal(state.error, null);
  assert.equal(state.name, "swing_door.gltf");
  assert.ok(state.memory <= 1 << 30);
  assert.deepEqual(page.errors, []);
});

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

test("a page of tendon view plays from disk without network requests", async ({ browser }) => {
  // A triangle with its buffer and texture in files of their own, and a texture that is on the net.
  const folder = mkdtempSync(join(work, "textured-"));
  const triangle = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1]);
  writeFileSync(join(folder, "a b.bin"), Buffer.from(triangle.buffer));
  writeFileSync(join(folder, "skin.png"), Buffer.from(png, "base64"));
  const view = (byteOffset, byteLength) => ({ buffer: 0, byteOffset, byteLength });
  writeFileSync(join(folder, "textured.gltf"), JSON.stringify({
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }],
    nodes: [{ name: "sail", mesh: 0, rotation: [0, 0, 0, 1] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
    materials: [{ doubleSided: true, pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, emissiveTexture: { index: 1 } }],
    textures: [{ source: 0 }, { source: 1 }],
    images: [{ uri: "skin.png" }, { uri: "https://example.org/tracker.png" }],
    buffers: [{ uri: "a%20b.bin", byteLength: 60 }], bufferViews: [view(0, 36), view(36, 24)],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: "VEC2" },
    ],
  }));
  const stayed = (page, out, expected = []) => {
    const own = pathToFileURL(out).href;
    const outside = page.requests.filter((url) => !/^(blob|data):/.test(url) && url !== own);
    assert.deepEqual(outside, [], "requests that leave the page");
    assert.deepEqual(page.errors, []);
    assert.deepEqual(page.complaints.map((text) => text.replace(/ blob:.*/, "")), expected);
  };
  const door = join(work, "door.html");
  run("view", "examples/swing_door.gltf", "-o", door);
  const page = await browser.newPage({ width: 480, height: 320 });
  await page.goto(pathToFileURL(door).href);
  await page.until(() => parseFloat(document.getElementById("time").textContent) > 0.1);
  await page.click("#play");
  await page.until(() => !document.getElementById("app").classList.contains("is-playing"));
  assert.match(await page.run(() => document.getElementById("hash").textContent), /^[0-9a-f]{16}$/);
  const download = await browser.allowDownloads(work);
  await page.click("#export");
  await download("swing_door_baked.glb");
  run("check", join(work, "swing_door_baked.glb"));
  assert.equal(await page.run(() => typeof window.tendon), "undefined", "the shipped page has no test hooks");
  // With reduced motion, playback starts paused.
  await page.setScheme("dark", "reduce");
  await page.dropFiles([resolve("examples/catapult.gltf")]);
  await page.until(() => document.getElementById("file-name").textContent === "catapult.gltf");
  assert.equal(await page.run(() => document.getElementById("app").classList.contains("is-playing")), false);
  await page.click("#play");
  await page.until(() => parseFloat(document.getElementById("time").textContent) > 0);
  stayed(page, door);
  // A motion on an avatar plays at once, in the page of `tendon view --motion` and after a drop.
  await page.setScheme("dark", "no-preference");
  const dance = join(work, "dance.html");
  run("view", "examples/stocky.vrm", "--motion", "examples/stretch.vrma", "-o", dance);
  await page.goto(pathToFileURL(dance).href);
  await page.until(() => parseFloat(document.getElementById("time").textContent) > 0.1);
  await page.dropFiles([resolve("examples/lanky.vrm")]);
  await page.until(() => document.getElementById("file-name").textContent === "lanky.vrm");
  await page.dropFiles([resolve("examples/walk.bvh")]);
  await page.until(() => parseFloat(document.getElementById("time").textContent) > 0.1);
  stayed(page, dance);
  // The content security policy forbids every address.
  await page.run(() => {
    window.forbidden = new Set();
    document.addEventListener("securitypolicyviolation", (event) => window.forbidden.add(event.effectiveDirective));
    new Image().src = "https://example.org/x.png";
    fetch("https://example.org/x").catch(() => {});
  });
  await page.until(() => window.forbidden.has("img-src") && window.forbidden.has("connect-src"));
  await page.close();

  const textured = join(work, "textured.html");
  viewTest(join(folder, "textured.gltf"), "-o", textured);
  const other = await openPage(browser, pathToFileURL(textured).href, { width: 480, height: 320 });
  const hasTexture = await other.run(() => {
    let found = false;
    window.tendon.viewer.model.group.traverse((part) => (found ||= part.material?.map?.image?.width === 1));
    return found;
  });
  assert.ok(hasTexture, "the texture of a file beside is drawn");
  stayed(other, textured, ["THREE.GLTFLoader: Couldn't load texture"]); // the forbidden one
  await other.close();
});

test("a page in an iframe tells its parent when the file is open", async ({ browser }) => {
  run("view", "examples/swing_door.gltf", "-o", join(work, "framed.html"));
  writeFileSync(join(work, "parent.html"), `<!doctype html><script>addEventListener("message", ({ data, source }) => (window.heard = [data, source === document.querySelector("iframe").contentWindow]))</script>
    <iframe src="framed.html#embed" width="640" height="400"></iframe>`);
  const page = await browser.newPage({ width: 700, height: 450 });
  try {
    await page.goto(pathToFileURL(join(work, "parent.html")).href);
    await page.until(() => window.heard !== undefined);
    assert.deepEqual(await page.run(() => window.heard), ["tendon: ready", true]);
    await save(page, "embedded");
    assert.deepEqual(page.errors, []);
    assert.deepEqual(page.logged, []); // such as a focus that the frame may not take
  } finally {
    await page.close();
  }
});

test("without WebGL the page explains why it shows nothing", async () => {
  const browser = await Chromium.start({ webgl: false });
  try {
    const page = await browser.newPage();
    await page.goto(viewer);
    await page.until(() => !document.getElementById("error").hidden);
    assert.match(await page.run(() => document.getElementById("error").innerText), /WebGL/);
    await save(page, "no_webgl");
  } finally {
    await browser.close();
  }
});

