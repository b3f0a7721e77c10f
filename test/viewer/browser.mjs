// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node browser.mjs TENDON SCREENSHOTS [FILTER]
// The viewer in Chromium: every example is stepped to a fixed time and compared with the native trace to the bit, then
// everything a person can do is done. Screenshots of all examples go to the folder SCREENSHOTS.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Chromium, findChromium } from "./chromium.mjs";
import { quantisePng } from "./png.mjs";

const [tendon, screenshots, filter = ""] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "tendon-browser-"));
const viewer = pathToFileURL(resolve("build/viewer/viewer.html")).href;
const stepTime = 1.5; // s of every example that are compared
mkdirSync(screenshots, { recursive: true });

const run = (...words) => execFileSync(tendon, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 });
const read = (path) => [basename(path), readFileSync(path).toString("base64")];
const save = async (page, name) => writeFileSync(join(screenshots, `${name}.png`), await page.screenshot());

/** A page of `tendon view`, or the viewer without a file, ready to be driven. */
async function openPage(browser, url, options) {
  const page = await browser.newPage(options);
  await page.goto(url);
  await page.until(() => Boolean(window.tendon));
  await page.run(() => window.tendon.ready.then(() => true));
  return page;
}

const openTest = (browser, options) => openPage(browser, `${viewer}?test`, options);

/** A file with everything it needs, as a drop would bring it. */
function gather(path) {
  const files = [read(path)];
  if (path.endsWith(".gltf")) {
    const { buffers = [], images = [] } = JSON.parse(readFileSync(path, "utf8"));
    for (const { uri } of [...buffers, ...images]) {
      if (uri && !uri.startsWith("data:")) {
        files.push([uri, readFileSync(join(path, "..", decodeURIComponent(uri))).toString("base64")]);
      }
    }
  }
  return files;
}

/** Drops files on the page and waits until they are shown. */
const drop = (page, files) => page.run((list) => window.tendon.drop(list), files);

/** Locals of the native program at a time, as floats. */
function traceLocals(time, ...words) {
  const lines = run("trace", ...words, "--times", `${time}`).trim().split("\n").map((line) => JSON.parse(line));
  return lines.find((line) => line.locals).locals;
}

function assertSameBits(ours, native, what) {
  assert.equal(ours.length, native.length, `${what}: number of nodes`);
  ours.forEach((local, node) => {
    local.forEach((value, i) => {
      // The trace has the shortest digits that read back as the same float; it writes -0 as 0.
      const wanted = Math.fround(native[node][i]);
      assert.ok(value === wanted, `${what}: node ${node}, value ${i}: page ${value}, native ${wanted}`);
    });
  });
}

const tests = [];
const test = (name, body) => tests.push({ name, body });

// --- the bits ---------------------------------------------------------------------------------------------------------

const examples = readdirSync("examples").filter((name) => /\.(gltf|glb|vrm)$/.test(name)).sort();
const motions = readdirSync("examples").filter((name) => /\.(vrma|bvh)$/.test(name)).sort();

test("every example, stepped, is what the native program computes, to the bit", async ({ page }) => {
  await page.run(() => window.tendon.viewer.setLoop(false));
  for (const name of examples) {
    const path = join("examples", name);
    const state = await drop(page, gather(path));
    assert.equal(state.error, null, name);
    assert.equal(state.name, name);
    await page.run((time) => void window.tendon.stepTo(time), stepTime);
    assertSameBits(await page.run(() => window.tendon.locals()), traceLocals(stepTime, path), name);
    assert.ok((await page.run(() => window.tendon.countColors())) > 20, `${name}: an empty picture`);
    await save(page, name.replace(/\.[^.]*$/, ""));
  }
  assert.deepEqual(page.errors, []);
});

test("a motion dropped on an avatar is retargeted to the same bits", async ({ page }) => {
  const avatar = "examples/mannequin.gltf";
  for (const motion of motions) {
    await drop(page, gather(avatar));
    const state = await drop(page, [read(join("examples", motion))]);
    assert.equal(state.error, null, motion);
    assert.equal(state.name, "mannequin.gltf");
    assert.ok(state.motion, motion);
    await page.run(() => void window.tendon.stepTo(1));
    assertSameBits(await page.run(() => window.tendon.locals()), traceLocals(1, avatar, "--motion", join("examples", motion)), motion);
  }
  await save(page, "motion");
});

// --- what a person does -----------------------------------------------------------------------------------------------

test("play, pause, step, scrub, reset and keys", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const state = () => page.run(() => window.tendon.state());
  await page.click("#play");
  assert.equal((await state()).isPlaying, true);
  await page.run(() => void window.tendon.play(0.5));
  assert.ok((await state()).time > 0.4);
  await page.click("#play");
  assert.equal((await state()).isPlaying, false);
  const paused = (await state()).time;
  await page.click("#step");
  const stepped = await state();
  assert.ok(stepped.time > paused);
  const end = await page.run(() => window.tendon.globals());
  await page.key(",");
  assert.ok((await state()).time < stepped.time);
  // Scrub to the middle by the slider, then forward to the end again: the same picture as before.
  const slider = await page.run(() => {
    const box = document.getElementById("scrub").getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  });
  await page.click(slider);
  const middle = await state();
  assert.ok(middle.time > 0.1 && middle.time < stepped.time - 0.1, `scrubbed to ${middle.time}`);
  await page.run((time) => window.tendon.viewer.player.seek(time), stepped.time);
  assert.deepEqual(await page.run(() => window.tendon.globals()), end);
  await page.key("r");
  const reset = await state();
  assert.equal(reset.time, 0);
  assert.equal(reset.recorded, 1);
  await page.key("]");
  assert.equal(await page.run(() => window.tendon.viewer.player.speed), 2);
  await page.key("[");
  assert.equal(await page.run(() => window.tendon.viewer.player.speed), 1);
  await page.key("?");
  assert.equal(await page.run(() => document.getElementById("help").open), true);
  await page.run(() => document.getElementById("help").close());
});

async function pull(page, node, press, move, release) {
  const before = await page.run((n) => window.tendon.positionOf(n), node);
  const from = await page.run((n) => window.tendon.screenOf(n), node);
  await press(from);
  for (let i = 1; i <= 8; ++i) {
    await move({ x: from.x, y: from.y - 12 * i });
    await page.run(() => void window.tendon.advance(0.1, 6));
  }
  const held = await page.run((n) => window.tendon.positionOf(n), node);
  await release({ x: from.x, y: from.y - 96 });
  return held[1] - before[1];
}

test("a body is dragged by the mouse and let go", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const ball = await page.run(() => window.tendon.viewer.session.nodes.findIndex((node) => node.name === "Ball"));
  const lift = await pull(page, ball,
    (at) => page.mouse("mousePressed", at), (at) => page.mouse("mouseMoved", at), (at) => page.mouse("mouseReleased", at));
  assert.ok(lift > 0.2, `lifted by ${lift} m`);
  assert.equal(await page.run(() => window.tendon.viewer.pointer.hand), null);
  await page.run(() => { window.tendon.viewer.setPlaying(true); window.tendon.advance(2, 60); window.tendon.viewer.setPlaying(false); });
  const fallen = await page.run((n) => window.tendon.positionOf(n), ball);
  assert.ok(fallen[1] < 0.6, `lies at ${fallen[1]} m`);
});

test("a body is dragged by a finger", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const ball = await page.run(() => window.tendon.viewer.session.nodes.findIndex((node) => node.name === "Ball"));
  const touch = (type) => (at) => page.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: at.x, y: at.y }] });
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const lift = await pull(page, ball, touch("touchStart"), touch("touchMove"), touch("touchEnd"));
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  assert.ok(lift > 0.2, `lifted by ${lift} m`);
});

test("every overlay can be switched and draws something", async ({ page }) => {
  const scenes = [
    ["overlays", gather("examples/rope_bridge.gltf"), ["meshes", "colliders", "joints", "contacts", "centres", "skeleton", "names", "grid"]],
    ["overlays_constraints", inline("constraints.gltf", constraintScene), ["constraints", "skeleton", "names", "grid"]],
  ];
  await page.click("#overlays-button");
  for (const [name, files, ids] of scenes) {
    await drop(page, files);
    await page.run(() => void window.tendon.stepTo(1));
    await page.run(() => window.tendon.setOverlays([]));
    for (const id of ids) {
      assert.equal(await page.run((wanted) => window.tendon.viewer.overlays.shown[wanted], id), false);
      await page.click(`#overlay-${id}`);
      await page.run(() => window.tendon.viewer.flush());
      assert.equal(await page.run((name) => window.tendon.viewer.overlays.shown[name], id), true, `${id} is on`);
      if (!["meshes", "grid"].includes(id)) {
        assert.ok((await page.run((name) => window.tendon.overlaySize(name), id)) > 0, `${name}: ${id} draws nothing`);
      }
    }
    await save(page, name);
    for (const id of ids) {
      await page.click(`#overlay-${id}`);
      assert.equal(await page.run((name) => window.tendon.viewer.overlays.shown[name], id), false, `${id} is off`);
    }
  }
  await page.key("Escape");
  assert.equal(await page.run(() => document.getElementById("overlays").hidden), true);
  await page.run(() => window.tendon.setOverlays(["meshes", "grid"]));
});

const inline = (name, json) => [[name, Buffer.from(JSON.stringify(json)).toString("base64")]];

/** Four nodes without meshes; one rolls, one aims, one turns with the first. */
const constraint = (of) => ({ VRMC_node_constraint: { specVersion: "1.0", constraint: of } });
const constraintScene = {
  asset: { version: "2.0" },
  extensionsUsed: ["VRMC_node_constraint"],
  scene: 0,
  scenes: [{ nodes: [0, 1, 2, 3] }],
  nodes: [
    { name: "leader", translation: [0, 1, 0] },
    { name: "roller", translation: [1, 1, 0], extensions: constraint({ roll: { source: 0, rollAxis: "X" } }) },
    { name: "aimer", translation: [0, 0, 1], extensions: constraint({ aim: { source: 0, aimAxis: "PositiveZ" } }) },
    { name: "turner", translation: [-1, 1, 0], extensions: constraint({ rotation: { source: 0 } }) },
  ],
};

test("events, findings and the tree select nodes; the inspector tells about them", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await page.run(() => void window.tendon.stepTo(1.5));
  await page.click("#tab-events");
  await page.click("#event-list li:last-child button");
  assert.ok((await page.run(() => window.tendon.state())).selected >= 0);
  await page.click("#tab-node");
  const text = await page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); return document.getElementById("inspector").innerText; });
  assert.match(text, /position/);
  await page.click("#tab-plots");
  await page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); });
  assert.match(await page.run(() => document.getElementById("page-plots").innerText), /Energy[\s\S]*J[\s\S]*Step time[\s\S]*ms[\s\S]*Contacts/);
  await save(page, "plots");
  const broken = structuredClone(constraintScene);
  broken.nodes[2].extensions.VRMC_node_constraint.constraint.aim.source = 99;
  await drop(page, inline("broken.gltf", broken));
  await page.click("#tab-findings");
  assert.match(await page.run(() => document.getElementById("finding-list").innerText), /\/nodes\/2\/extensions\/VRMC_node_constraint/);
  await page.click("#finding-list button");
  assert.equal((await page.run(() => window.tendon.state())).selected, 2);
  await page.click("#tab-node");
  await page.key("Escape");
});

test("clicking a mesh selects its node", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const ball = await page.run(() => window.tendon.viewer.session.nodes.findIndex((node) => node.name === "Ball"));
  await page.click(await page.run((n) => window.tendon.screenOf(n), ball));
  assert.equal((await page.run(() => window.tendon.state())).selected, ball);
  await page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); });
  assert.match(await page.run(() => document.getElementById("inspector").innerText), /Ball[\s\S]*mass[\s\S]*kg/);
  await save(page, "inspector");
  await page.key("Escape");
});

test("files are dropped on the page from the disk", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await page.dropFiles([resolve("examples/keepsake.gltf"), resolve("examples/keepsake.bin")]);
  await page.until(() => window.tendon.state().name === "keepsake.gltf");
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

/** Pictures of the documentation, with few colours, below 100 kB. TENDON_UPDATE_PICTURES=1 puts them into docs/images. */
const pictures = [
  { name: "physics", file: "examples/domino_run.gltf", time: 1.6, overlays: ["meshes", "grid", "colliders", "contacts"], tab: "events" },
  { name: "joint_limits", file: "examples/catapult.gltf", time: 0.3, overlays: ["meshes", "joints"], select: "Motor", near: 4 },
  { name: "constraints", file: "examples/lanky.vrm", motion: "examples/stretch.vrma", time: 0.55,
    overlays: ["meshes", "grid", "constraints", "skeleton"], select: "leftLowerArmTwist2", at: "chest", near: 4.1 },
];

test("pictures for the documentation", async ({ page }) => {
  await page.resize(1080, 640);
  for (const { name, file, motion, time, overlays, select, tab, at, near } of pictures) {
    await drop(page, gather(file));
    if (motion) {
      await drop(page, gather(motion));
    }
    await page.run((t, ids) => { window.tendon.stepTo(t); window.tendon.setOverlays(ids); }, time, overlays);
    await page.run((wanted, page, centre, zoom) => {
      const { viewer } = window.tendon;
      const find = (text) => viewer.session.nodes.findIndex((node) => node.name === text);
      viewer.select(find(wanted));
      if (page) {
        viewer.showTab(page);
      }
      if (zoom) {
        const { camera, controls } = viewer.view;
        controls.target.fromArray(window.tendon.positionOf(centre ? find(centre) : viewer.selected));
        camera.position.copy(controls.target).add(camera.position.clone().set(0.45, 0.35, 1).setLength(zoom));
        controls.update();
      }
      document.getElementById("toast").hidden = true;
      viewer.draw();
      viewer.flush();
    }, select ?? "", tab ?? "", at ?? "", near ?? 0);
    const png = quantisePng(await page.screenshot(), 128);
    assert.ok(png.length < 100000, `${name}: ${png.length} bytes`);
    writeFileSync(join(screenshots, `docs_${name}.png`), png);
    if (process.env.TENDON_UPDATE_PICTURES) {
      mkdirSync("docs/images", { recursive: true });
      writeFileSync(`docs/images/${name}.png`, png);
    }
    await page.key("Escape");
  }
  await page.run(() => window.tendon.viewer.showTab("node"));
  await page.resize(1280, 800);
});

// --- files that mean harm ---------------------------------------------------------------------------------------------

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

test("hostile files end in the error panel or in findings, and the page lives", async ({ page }) => {
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

// --- pages of `tendon view` -------------------------------------------------------------------------------------------

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

test("a page of tendon view plays from disk and asks no network for anything", async ({ browser }) => {
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
  const stayed = (page, out) => {
    const own = pathToFileURL(out).href;
    const outside = page.requests.filter((url) => !/^(blob|data):/.test(url) && url !== own && url !== `${own}?test`);
    assert.deepEqual(outside, [], "requests that leave the page");
    assert.deepEqual(page.errors, []);
  };
  const door = join(work, "door.html");
  run("view", "examples/swing_door.gltf", "-o", door);
  const page = await openPage(browser, pathToFileURL(door).href, { width: 480, height: 320 });
  await page.until(() => parseFloat(document.getElementById("time").textContent) > 0.1);
  await page.click("#play");
  await page.until(() => !document.getElementById("app").classList.contains("is-playing"));
  assert.match(await page.run(() => document.getElementById("hash").textContent), /^[0-9a-f]{16}$/);
  await page.allowDownloads(work);
  await page.click("#export");
  const exported = join(work, "swing_door_baked.glb");
  while (!existsSync(exported)) {
    await page.until(() => document.getElementById("error").hidden);
  }
  run("check", exported);
  stayed(page, door);
  await page.close();

  const textured = join(work, "textured.html");
  run("view", join(folder, "textured.gltf"), "-o", textured);
  const other = await openPage(browser, `${pathToFileURL(textured).href}?test`, { width: 480, height: 320 });
  const hasTexture = await other.run(() => {
    let found = false;
    window.tendon.viewer.model.group.traverse((part) => (found ||= part.material?.map?.image?.width === 1));
    return found;
  });
  assert.ok(hasTexture, "the texture of a file beside is drawn");
  stayed(other, textured);
  await other.close();
});

test("narrow, light and dark pages fit their window", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await page.run(() => void window.tendon.stepTo(1));
  for (const [name, { width, height, scheme }] of Object.entries({
    light: { width: 1280, height: 800, scheme: "light" }, narrow_light: { width: 360, height: 720, scheme: "light" }, narrow: { width: 360, height: 720, scheme: "dark" },
  })) {
    await page.resize(width, height);
    await page.setScheme(scheme);
    await page.until((wanted) => document.documentElement.dataset.theme === wanted, scheme);
    await page.until((wanted) => innerWidth === wanted && document.getElementById("canvas").clientWidth <= wanted, width);
    await page.run((isOpen) => window.tendon.viewer.setPanel(isOpen), name !== "narrow");
    await page.run(() => { window.tendon.viewer.fit(); window.tendon.viewer.flush(); });
    const sizes = await page.run(() => {
      const clipped = [...document.querySelectorAll("button, select, input, output")].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1) && !element.closest("#panel section, dialog");
      });
      return { wide: document.documentElement.scrollWidth, window: innerWidth, clipped: clipped.map((element) => element.id) };
    });
    assert.ok(sizes.wide <= sizes.window, `${name}: ${sizes.wide} pixels wide`);
    assert.deepEqual(sizes.clipped, [], name);
    await save(page, name);
  }
  await page.resize(1280, 800);
  await page.run(() => window.tendon.viewer.setPanel(true));
});

test("without WebGL there is a sentence", async () => {
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

// --- run --------------------------------------------------------------------------------------------------------------

if (findChromium() === null) {
  console.log("skipped: there is no chromium; apt-get install chromium enables it");
  process.exit(77);
}
const chosen = tests.filter(({ name }) => name.includes(filter));
let failed = 0;
const browser = await Chromium.start();
let page = await openTest(browser);
for (const { name, body } of chosen) {
  const started = Date.now();
  try {
    await body({ browser, page });
    console.log(`ok      ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    page = await openTest(browser); // the next test starts clean
  }
}
await browser.close();
rmSync(work, { recursive: true, force: true });
console.log(`${chosen.length - failed} passed, ${failed} failed; screenshots in ${screenshots}`);
process.exit(failed > 0 ? 1 : 0);
