// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shared by the tests of the page: the list of tests, pages, files, and runs of the native program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [tendon, screenshots] = process.argv.slice(2);
mkdirSync(screenshots, { recursive: true });

export { screenshots };
export const work = mkdtempSync(join(tmpdir(), "tendon-browser-"));
export const viewer = pathToFileURL(resolve("build/viewer/viewer.html")).href;
/** The same page with window.tendon for tests and without a clock of its own (test/viewer/page). */
const testPage = resolve("build/viewer/viewer_test.html");

export const tests = [];
/** Window sizes: large for pictures; small otherwise, because software rendering is slow. */
export const large = { width: 1280, height: 800 };
const small = { width: 960, height: 560 };

export const test = (name, body, size = small) => tests.push({ name, body, size });

export const run = (...words) => execFileSync(tendon, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 });
export const read = (path) => [basename(path), readFileSync(path).toString("base64")];
export const save = async (page, name) => {
  await page.run(() => window.tendon?.viewer?.flush());
  writeFileSync(join(screenshots, `${name}.png`), await page.screenshot());
};

/** Runs `tendon view` with the test page. */
export const viewTest = (...words) =>
  execFileSync(tendon, ["view", ...words], { stdio: "ignore", env: { ...process.env, TENDON_VIEWER: testPage } });

/** Opens a test page, with or without a file in it, and waits until it can be driven. */
export async function openPage(browser, url, options) {
  const page = await browser.newPage(options);
  await page.goto(url);
  await page.until(() => Boolean(window.tendon));
  await page.run(() => window.tendon.ready.then(() => true));
  return page;
}

export const openTest = (browser, options) => openPage(browser, pathToFileURL(testPage).href, options);

/** Resizes the window and waits until the scene has the new size. */
export async function resize(page, width, height) {
  await page.resize(width, height);
  await page.until(() => window.tendon.isSized());
}

/** A file with all files it refers to, in the form of a drop. */
export function gather(path) {
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
export const drop = (page, files) => page.run((list) => window.tendon.drop(list), files);

/** Local transforms of the native program at a time. */
export function traceLocals(time, ...words) {
  const lines = run("trace", ...words, "--times", `${time}`).trim().split("\n").map((line) => JSON.parse(line));
  return lines.find((line) => line.locals).locals;
}

export function assertSameBits(ours, native, what) {
  assert.equal(ours.length, native.length, `${what}: number of nodes`);
  ours.forEach((local, node) => {
    local.forEach((value, i) => {
      // The trace has the shortest decimals that read back as the same float; it writes -0 as 0.
      const wanted = Math.fround(native[node][i]);
      assert.ok(value === wanted, `${what}: node ${node}, value ${i}: page ${value}, native ${wanted}`);
    });
  });
}

/** A file made from JSON, in the form of a drop. */
export const inline = (name, json) => [[name, Buffer.from(JSON.stringify(json)).toString("base64")]];

/** Four nodes without meshes; one rolls, one aims, one turns with the first. */
const constraint = (of) => ({ VRMC_node_constraint: { specVersion: "1.0", constraint: of } });
export const constraintScene = {
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

/**
 * A file of bodies and joints without meshes.
 * @param nodes { name, shape?, motion?, trigger?, joint?: { connectedNode, limits }, ... } with shapes and limits in place
 */
export function physicsScene(nodes) {
  const shapes = [];
  const joints = [];
  const made = nodes.map(({ shape, motion, isTrigger, joint, ...node }) => {
    const physics = {};
    if (shape) {
      shapes.push(shape);
      physics[isTrigger ? "trigger" : "collider"] = { geometry: { shape: shapes.length - 1 } };
    }
    if (motion) {
      physics.motion = motion;
    }
    if (joint) {
      joints.push({ limits: joint.limits });
      physics.joint = { connectedNode: joint.connectedNode, joint: joints.length - 1, enableCollision: false };
    }
    return { ...node, ...(Object.keys(physics).length > 0 ? { extensions: { KHR_physics_rigid_bodies: physics } } : {}) };
  });
  return {
    asset: { version: "2.0" }, extensionsUsed: ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"],
    extensions: { KHR_implicit_shapes: { shapes }, ...(joints.length > 0 ? { KHR_physics_rigid_bodies: { physicsJoints: joints } } : {}) },
    scene: 0, scenes: [{ nodes: made.map((_, i) => i) }], nodes: made,
  };
}

export const box = (...size) => ({ type: "box", box: { size } });
export const ball = (radius) => ({ type: "sphere", sphere: { radius } });

/** The index of a node of the open file. */
export const findNode = (page, name) => page.run((wanted) => window.tendon.viewer.session.nodes.findIndex((node) => node.name === wanted), name);
export const getState = (page) => page.run(() => window.tendon.state());
export const redraw = (page) => page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); });
