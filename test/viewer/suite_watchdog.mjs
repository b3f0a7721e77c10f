// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The watchdog: the page makes only steps that a worker has made in time, with the same inputs and the same bits; slow files
// leave the page responsive and can be stopped.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { box, drop, gather, getState, inline, physicsScene, run, test, work } from "./support.mjs";

/** Runs a test with the watchdog on and other limits. */
async function watched(page, limits, body) {
  await page.run((values) => {
    const { watchdog } = window.tendon.viewer;
    window.limits = { ...watchdog.limits };
    Object.assign(watchdog.limits, values);
    watchdog.isOn = true;
    /** Advances time as animation frames do, until a time or a condition. */
    window.playTo = async (time, isDone = () => false) => {
      const { viewer } = window.tendon;
      viewer.setPlaying(true);
      while (viewer.player.isPlaying && viewer.player.time < time && !isDone()) {
        viewer.player.advance(1 / 60);
        await new Promise((resolve) => setTimeout(resolve));
      }
      viewer.setPlaying(false);
      for (let i = 0; i < 20 && viewer.watchdog.isAhead; ++i) {
        viewer.player.advance(0);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { step: viewer.session.stage.stepCount, hash: viewer.session.stage.stateHash, mismatches: viewer.watchdog.mismatches };
    };
    return true;
  }, limits);
  try {
    await body();
  } finally {
    await page.run(() => {
      const { watchdog } = window.tendon.viewer;
      Object.assign(watchdog.limits, window.limits);
      watchdog.isOn = false;
      return true;
    });
  }
}

const frames = (page) => page.run(() => {
  window.frames = 0;
  window.longest = 0;
  let last = performance.now();
  const count = (now) => {
    window.frames += 1;
    window.longest = Math.max(window.longest, now - last);
    last = now;
    requestAnimationFrame(count);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(count); });
  return true;
});

test("steps of the worker and of the page are the same, with grabs and resets", async ({ page }) => {
  await watched(page, { patience: 60, longestOpening: 60, longestStep: 60 }, async () => {
    await drop(page, gather("examples/swing_door.gltf"));
    const free = await page.run(() => window.playTo(0.5));
    assert.equal(free.mismatches, 0);
    const native = run("trace", "examples/swing_door.gltf", "--seconds", `${free.step / 60}`, "--summary", "--json");
    assert.ok(free.step >= 30 && free.step < 45, `${free.step} steps`);
    assert.ok(native.length > 0);
    // A grab in the middle of playing acts on both from the same step on.
    const pulled = await page.run(async () => {
      const { player, session } = window.tendon.viewer;
      const { node } = session.bodies.find(({ motion }) => motion === "dynamic");
      const point = [...player.snapshot.centres.subarray(0, 3)];
      const playing = window.playTo(1.5);
      player.input("grab", node, point);
      for (let i = 0; i < 5; ++i) {
        player.input("moveGrab", [point[0], point[1] + 0.2 * i, point[2] + 1]);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      player.input("releaseGrab");
      return playing;
    });
    assert.equal(pulled.mismatches, 0);
    assert.notEqual(pulled.hash, free.hash);
    // A reset starts the same run again, also while the worker steps.
    const again = await page.run((steps) => {
      window.tendon.viewer.setPlaying(true);
      window.tendon.viewer.player.advance(1 / 60);
      window.tendon.viewer.reset();
      return window.playTo(10, () => window.tendon.viewer.session.stage.stepCount >= steps);
    }, free.step);
    assert.equal(again.mismatches, 0);
    // One step by hand.
    const before = again.step;
    await page.run(() => { window.tendon.viewer.step(); return true; });
    await page.until((least) => { window.tendon.viewer.player.advance(0); return window.tendon.viewer.session.stage.stepCount > least; }, before);
    assert.equal((await page.run(() => window.tendon.viewer.session.stage.stepCount)), before + 1);
  });
});

test("inputs of an avatar reach the worker", async ({ page }) => {
  await watched(page, { patience: 60, longestOpening: 60, longestStep: 60 }, async () => {
    await drop(page, gather("examples/mira.vrm"));
    await drop(page, gather("examples/dance.vrma"));
    const { mismatches } = await page.run(async () => {
      const { player } = window.tendon.viewer;
      const playing = window.playTo(0.6);
      await new Promise((resolve) => setTimeout(resolve, 30));
      player.input("setExpression", "happy", 0.8);
      player.input("enableSprings", false);
      player.input("setGazeTarget", [0, 1, 2]);
      await new Promise((resolve) => setTimeout(resolve, 30));
      player.input("enableSprings", true);
      return playing;
    });
    assert.equal(mismatches, 0);
    assert.equal(await page.run(() => window.tendon.viewer.session.heldExpressions.get("happy")), 0.8);
  });
});

/** Bodies in one place: every pair of them is in contact, so that a step takes long. */
const crowd = (count) => physicsScene(Array.from({ length: count }, (_, i) => ({ name: `b${i}`, translation: [0, 1, 0.0001 * i], shape: box(1, 1, 1), motion: { mass: 1 } })));

test("a file that takes long leaves the page responsive and can be stopped", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await watched(page, { patience: 0.02, longestOpening: 600, longestStep: 600 }, async () => {
    await frames(page);
    await page.run((list) => { window.pending = window.tendon.drop(list).then(() => window.playTo(60)); return true; }, inline("crowd.gltf", crowd(2500)));
    await page.until(() => /^A step of crowd.gltf has taken/.test(document.querySelector("#banner:not([hidden]) p")?.textContent));
    const before = await page.run(() => window.frames);
    await page.until((least) => window.frames > least, before + 3);
    await page.click("#banner-stop");
    await page.until(() => window.tendon.state().error !== null);
    const { error, name, isPlaying } = await getState(page);
    assert.equal(error, "crowd.gltf was stopped; the recording stays.");
    assert.equal(name, "crowd.gltf", "the file stays open");
    assert.equal(isPlaying, false);
    assert.ok(await page.run(() => document.getElementById("banner").hidden));
    await page.key("Escape");
  });
});

test("opening can be stopped; the file before stays open", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await watched(page, { patience: 0.001 }, async () => {
    await page.run((list) => {
      new MutationObserver((_, observer) => { if (!document.getElementById("banner").hidden) { observer.disconnect(); document.getElementById("banner-stop").click(); } })
        .observe(document.getElementById("banner"), { attributes: true });
      window.pending = window.tendon.drop(list);
      return true;
    }, inline("crowd.gltf", crowd(4000)));
    await page.until(() => window.tendon.state().error !== null);
    const { error, name } = await getState(page);
    assert.equal(error, "crowd.gltf was stopped.");
    assert.equal(name, "swing_door.gltf");
    await page.key("Escape");
  });
  await watched(page, { longestOpening: 0, patience: 60 }, async () => {
    await drop(page, gather("examples/swing_door.gltf"));
    assert.match((await getState(page)).error, /^Opening swing_door.gltf takes \d+\.\d s\. This page allows 0 s/);
    await page.key("Escape");
  });
});

test("a step that takes too long is never made by the page", async ({ page }) => {
  await watched(page, { patience: 60, longestOpening: 60, longestStep: 60 }, async () => {
    await drop(page, gather("examples/swing_door.gltf"));
    const { step } = await page.run(() => window.playTo(0.3));
    await page.run(() => (window.tendon.viewer.watchdog.limits.longestStep = 0));
    const after = await page.run(() => window.playTo(5));
    assert.equal(after.step, step);
    assert.match((await getState(page)).error, /^Step \d+ of swing_door.gltf takes \d+\.\d s\. This page allows 0 s/);
    await page.key("Escape");
    // The next run replays what was played, in a new worker, and goes on.
    await page.run(() => (window.tendon.viewer.watchdog.limits.longestStep = 60));
    const later = await page.run(() => window.playTo(1));
    assert.ok(later.step > step);
    assert.equal(later.mismatches, 0);
  });
});

/**
 * Opens a file that the page makes: ground of side * side vertices, a collider as well, and boxes above it.
 * @returns seconds: of the whole opening, and the longest time in which the page's thread did nothing else
 */
const openLarge = (page, side, boxCount) => page.run(async (vertexCount, bodyCount) => {
  const places = new Float32Array(3 * vertexCount ** 2);
  const corners = new Uint32Array(6 * (vertexCount - 1) ** 2);
  for (let i = 0; i < vertexCount ** 2; ++i) {
    const [x, z] = [i % vertexCount, Math.floor(i / vertexCount)];
    places.set([x / 4, Math.sin(0.3 * x) * Math.cos(0.2 * z), z / 4], 3 * i);
  }
  for (let i = 0; i < (vertexCount - 1) ** 2; ++i) {
    const a = Math.floor(i / (vertexCount - 1)) * vertexCount + (i % (vertexCount - 1));
    corners.set([a, a + vertexCount, a + 1, a + 1, a + vertexCount, a + vertexCount + 1], 6 * i);
  }
  const body = (of) => ({ KHR_physics_rigid_bodies: of });
  const json = {
    asset: { version: "2.0" }, extensionsUsed: ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"],
    extensions: { KHR_implicit_shapes: { shapes: [{ type: "box", box: { size: [0.5, 0.5, 0.5] } }] } },
    scene: 0, scenes: [{ nodes: Array.from({ length: 1 + bodyCount }, (_, i) => i) }],
    nodes: [{ mesh: 0, extensions: body({ collider: { geometry: { mesh: 0 } } }) }, ...Array.from({ length: bodyCount }, (_, i) => ({
      mesh: 0, name: `box ${i}`, translation: [i % 100, 2 + Math.floor(i / 10000), Math.floor(i / 100) % 100],
      extensions: body({ motion: { mass: 1 }, collider: { geometry: { shape: 0 } } }),
    }))],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: vertexCount ** 2, type: "VEC3", min: [0, -1, 0], max: [vertexCount / 4, 1, vertexCount / 4] },
      { bufferView: 1, componentType: 5125, count: corners.length, type: "SCALAR" }],
    bufferViews: [{ buffer: 0, byteLength: places.byteLength }, { buffer: 0, byteOffset: places.byteLength, byteLength: corners.byteLength }],
    buffers: [{ uri: "large.bin", byteLength: places.byteLength + corners.byteLength }],
  };
  const data = new Uint8Array(places.byteLength + corners.byteLength);
  data.set(new Uint8Array(places.buffer));
  data.set(new Uint8Array(corners.buffer), places.byteLength);
  const { port1, port2 } = new MessageChannel();
  let [longest, last, isOver] = [0, performance.now(), false];
  const tick = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (!isOver) {
      port2.postMessage(null);
    }
  };
  port1.onmessage = tick;
  port2.postMessage(null);
  const started = performance.now();
  await window.tendon.viewer.openHeap(new Map([["large.gltf", new TextEncoder().encode(JSON.stringify(json))], ["large.bin", data]]));
  tick();
  isOver = true;
  return { total: (performance.now() - started) / 1000, longest: longest / 1000 };
}, side, boxCount);

test("opening a large file leaves the page responsive", async ({ page }) => {
  for (const [side, boxCount] of [[500, 0], [4, 4000]]) {
    const { total, longest } = await openLarge(page, side, boxCount);
    const { name, error, nodeCount } = await getState(page);
    assert.deepEqual([name, error, nodeCount], ["large.gltf", null, 1 + boxCount]);
    console.log(`        ${side} x ${side} vertices, ${boxCount} bodies: opened in ${total.toFixed(2)} s, longest block ${longest.toFixed(2)} s`);
    assert.ok(longest < 0.5 * total, `the page's thread was blocked for ${longest} of ${total} s`);
  }
});

test("opening a file while another one plays", async ({ page }) => {
  await watched(page, { patience: 60, longestOpening: 60, longestReset: 60, longestStep: 60 }, async () => {
    for (const next of ["examples/swing_door.gltf", "examples/newtons_cradle.gltf", "examples/swing_door.gltf"]) {
      const files = gather(next);
      await page.run(async (list) => {
        const { viewer } = window.tendon;
        viewer.setPlaying(true);
        viewer.player.advance(0.1); // steps are under way
        const opening = window.tendon.drop(list);
        await Promise.resolve();
        viewer.player.advance(0.1);
        viewer.reset();
        await opening;
      }, files);
      assert.equal((await getState(page)).error, null);
      const { step, mismatches } = await page.run(() => window.playTo(0.2));
      assert.ok(step >= 12);
      assert.equal(mismatches, 0);
    }
    // A file that cannot be read changes nothing.
    await drop(page, [["broken.gltf", Buffer.from("{").toString("base64")]]);
    assert.equal((await getState(page)).error, "broken.gltf cannot be read.");
    await page.key("Escape");
    const before = await page.run(() => window.tendon.viewer.session.stage.stepCount);
    const { step, mismatches } = await page.run(() => window.playTo(0.5));
    assert.ok(step > before);
    assert.equal(mismatches, 0);
    assert.equal((await getState(page)).error, null);
  });
});

test("a slow file does not block the shipped page", async ({ browser }) => {
  const file = join(work, "crowd.gltf");
  const out = join(work, "crowd.html");
  writeFileSync(file, JSON.stringify(crowd(2500)));
  run("view", file, "-o", out);
  const page = await browser.newPage({ width: 480, height: 320 });
  await page.setScheme("dark", "no-preference");
  await page.goto(pathToFileURL(out).href);
  await page.until(() => document.getElementById("file-name").textContent === "crowd.gltf");
  await frames(page);
  // The first step takes seconds, or more memory than the page allows.
  await page.until(() => !document.getElementById("banner").hidden || !document.getElementById("error").hidden);
  assert.equal(await page.run(() => document.getElementById("time").textContent), "0.000 s", "the page has not made the step");
  const before = await page.run(() => window.frames);
  await page.until((least) => window.frames > least, before + 10);
  if (await page.run(() => !document.getElementById("banner").hidden)) {
    await page.run(() => document.getElementById("banner-stop").click());
  }
  await page.until(() => !document.getElementById("error").hidden);
  assert.match(await page.run(() => document.querySelector("#error h2").textContent), /was stopped|takes|needs more memory/);
  assert.ok(await page.run(() => !document.getElementById("app").classList.contains("is-playing")));
  await page.close();
});
