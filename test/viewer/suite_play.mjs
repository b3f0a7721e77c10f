// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Time and grabbing: speed, scrubbing and resets do not change the state hash of a time; a grab pulls dynamic bodies to the
// pointer, and released bodies keep their velocity.
import assert from "node:assert/strict";
import { box, drop, findNode, gather, getState, inline, physicsScene, read, redraw, test } from "./support.mjs";

const hashAt = (page, time) => page.run((t) => window.tendon.stepTo(t).hash, time);
const reset = (page) => page.run(() => window.tendon.viewer.reset());

test("the state hash of a time is the same after a reset, at every speed and step by step", async ({ page }) => {
  await drop(page, gather("examples/catapult.gltf"));
  const start = await hashAt(page, 0);
  const half = await hashAt(page, 0.5);
  const whole = await hashAt(page, 1);
  assert.equal(new Set([start, half, whole]).size, 3);
  await page.key("r");
  assert.equal(await hashAt(page, 0), start);
  assert.equal(await hashAt(page, 1), whole);
  for (const speed of [0.1, 0.25, 0.5, 1, 2, 4]) {
    const played = await page.run((factor) => {
      const { viewer } = window.tendon;
      viewer.reset();
      viewer.setSpeed(factor);
      viewer.setPlaying(true);
      for (let i = 0; viewer.player.time < 0.5; ++i) {
        viewer.player.advance(i % 3 === 0 ? 0.021 : 0.013); // frames are never alike
      }
      viewer.setPlaying(false);
      viewer.setSpeed(1);
      return window.tendon.stepTo(0.5).hash;
    }, speed);
    assert.equal(played, half, `at ${speed} times`);
  }
  await reset(page);
  for (let i = 0; i < 30; ++i) {
    await page.key(".");
  }
  await redraw(page);
  const stepped = await getState(page);
  assert.ok(Math.abs(stepped.time - 0.5) < 1e-9 && stepped.hash === half, "30 single steps");
});

test("scrubbing shows the recorded poses and changes neither them nor the export", async ({ page }) => {
  await drop(page, gather("examples/domino_run.gltf"));
  const steps = 45;
  const recorded = [];
  for (let i = 0; i <= steps; ++i) {
    recorded.push(await page.run((t) => ({ hash: window.tendon.stepTo(t).hash, globals: window.tendon.globals() }), i / 60));
  }
  const scrub = (step) => page.run((value) => {
    const slider = document.getElementById("scrub");
    slider.value = `${value}`;
    slider.dispatchEvent(new Event("input"));
    window.tendon.viewer.flush();
    return { hash: window.tendon.state().hash, globals: window.tendon.globals() };
  }, step);
  const before = await page.run(() => window.tendon.exportBase64());
  for (const step of [steps, 0, 30, 31, 7, steps - 1, 1]) {
    assert.deepEqual(await scrub(step), recorded[step], `step ${step}`);
  }
  assert.equal(await page.run(() => window.tendon.exportBase64()), before, "an export from the middle holds all that was recorded");
  // Playing on from the middle goes through the recording and past its end, to what comes without any scrubbing.
  await scrub(20);
  await page.run((end) => {
    const { viewer } = window.tendon;
    viewer.setPlaying(true);
    while (viewer.player.time < end) {
      viewer.player.advance(0.03);
    }
    viewer.setPlaying(false);
  }, (steps + 10) / 60);
  const on = await hashAt(page, (steps + 10) / 60);
  await reset(page);
  assert.equal(await hashAt(page, (steps + 10) / 60), on);
});

test("files and unknown data are dropped during playback", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const play = () => page.run(() => { window.tendon.viewer.setPlaying(true); window.tendon.advance(0.3); });
  await play();
  const other = await drop(page, gather("examples/catapult.gltf"));
  assert.equal(other.name, "catapult.gltf");
  assert.equal(other.time, 0);
  assert.equal(other.recorded, 1);
  await play();
  const { time } = await getState(page);
  const rubbish = await drop(page, [["rubbish.glb", Buffer.from("no glTF at all").toString("base64")]]);
  assert.match(rubbish.error, /rubbish\.glb/);
  assert.equal(rubbish.name, "catapult.gltf", "what was there stays");
  assert.equal(rubbish.time, time);
  assert.equal(rubbish.isPlaying, false, "and waits");
  await page.key("Escape");
  await play();
  assert.ok((await getState(page)).time > time, "it can go on");
  const text = await drop(page, [["notes.txt", Buffer.from("hello").toString("base64")]]);
  assert.match(text.error, /notes\.txt is not a glTF/);
  await page.key("Escape");
});

test("missing buffers and missing avatars are named", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await drop(page, [read("examples/keepsake.gltf")]); // without its buffer
  await page.click("#tab-findings");
  const told = await page.run(() => `${document.getElementById("error").innerText} ${document.getElementById("finding-list").innerText}`);
  assert.match(told, /keepsake\.bin/);
  await page.click("#tab-node");
  await page.key("Escape");
  await drop(page, gather("examples/swing_door.gltf"));
  const motion = await drop(page, [read("examples/stretch.vrma")]);
  assert.equal(motion.error, null);
  assert.match(await page.run(() => document.getElementById("toast").textContent), /stretch\.vrma is a motion.*avatar/);
  // Both at once, in any order: the motion goes onto the avatar.
  const both = await drop(page, [read("examples/stretch.vrma"), read("examples/stocky.vrm")]);
  assert.equal(both.name, "stocky.vrm");
  assert.ok(both.motion);
});

// --- hands ---------------------------------------------------------------------------------------------------------------

const yard = physicsScene([
  { name: "floor", shape: box(8, 0.2, 8), translation: [0, -0.1, 0] },
  { name: "sleeper", shape: box(0.8, 0.8, 0.8), translation: [0, 0.4, 0], motion: { mass: 3 } },
  { name: "wall", shape: box(0.3, 1.5, 1.5), translation: [-2, 0.75, 0] },
  { name: "lift", shape: box(0.8, 0.8, 0.8), translation: [2, 0.4, 0], motion: { isKinematic: true } },
]);
const devices = {
  mouse: {
    press: (page, at) => page.mouse("mousePressed", at), move: (page, at) => page.mouse("mouseMoved", at), lift: (page, at) => page.mouse("mouseReleased", at),
  },
  finger: {
    press: (page, at) => page.touch("touchStart", [at]), move: (page, at) => page.touch("touchMove", [at]), lift: (page) => page.touch("touchEnd"),
  },
};
const onScreen = (page, node) => page.run((n) => window.tendon.screenOf(n), node);
const hand = (page) => page.run(() => window.tendon.handOf());

for (const [name, device] of Object.entries(devices)) {
  test(`a ${name} wakes and takes along sleeping bodies to the target; released bodies keep their velocity`, async ({ page }) => {
    await drop(page, inline("yard.gltf", yard));
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: name === "finger", maxTouchPoints: 2 });
    await page.run(() => void window.tendon.stepTo(3));
    const sleeper = await findNode(page, "sleeper");
    const isAwake = () => page.run((node) => window.tendon.viewer.session.bodyState(node).isAwake, sleeper);
    assert.equal(await isAwake(), false);
    const from = await onScreen(page, sleeper);
    await device.press(page, from);
    const { depth } = await hand(page);
    const moveTo = async (at) => {
      const { target } = await hand(page);
      await device.move(page, at);
      await page.until((before) => { const now = window.tendon.handOf(); return now !== null && now.target.join() !== before; }, target.join());
    };
    const to = { x: from.x + 90, y: from.y - 110 };
    for (let i = 1; i <= 5; ++i) {
      await moveTo({ x: from.x + 18 * i, y: from.y - 22 * i });
      await page.run(() => void window.tendon.advance(0.1, 6));
    }
    assert.equal(await isAwake(), true);
    assert.equal((await getState(page)).isPlaying, true, "a paused page plays while something is held");
    await page.run(() => void window.tendon.advance(2, 60));
    const { place, depth: stayed } = await hand(page);
    assert.ok(Math.abs(stayed / depth - 1) < 1e-3, `the hand moves across the picture, not into it: ${depth} to ${stayed} m`);
    assert.ok(Math.hypot(place.x - to.x, place.y - to.y) < 12, `held ${place.x - to.x}, ${place.y - to.y} pixels from the pointer`);
    // A swing to the left, let go on the way.
    for (let i = 1; i <= 4; ++i) {
      await moveTo({ x: to.x - 45 * i, y: to.y });
      await page.run(() => void window.tendon.advance(0.034, 2));
    }
    const state = () => page.run((node) => ({ velocity: window.tendon.viewer.session.bodyState(node).linearVelocity, x: window.tendon.positionOf(node)[0] }), sleeper);
    await device.lift(page, { x: to.x - 180, y: to.y });
    assert.equal(await hand(page), null);
    const thrown = await state();
    await page.run(() => { window.tendon.viewer.setPlaying(true); window.tendon.advance(0.2, 12); window.tendon.viewer.setPlaying(false); });
    const later = await state();
    assert.ok(Math.hypot(...thrown.velocity) > 1, `lets go at ${thrown.velocity} m/s`);
    assert.ok(Math.abs(later.x - thrown.x) > 0.1, `flies on from ${thrown.x} to ${later.x} m`);
    await page.run(() => void window.tendon.stepTo(window.tendon.state().time + 3));
    const lies = await page.run((node) => window.tendon.positionOf(node)[1], sleeper);
    assert.ok(lies < 0.8, `nothing holds it any more: ${lies} m`);
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  });
}

test("static and kinematic bodies cannot be pulled, nor bodies in the recording", async ({ page }) => {
  await drop(page, inline("yard.gltf", yard));
  await page.run(() => void window.tendon.stepTo(0.5));
  const tryToHold = async (name) => {
    const at = await onScreen(page, await findNode(page, name));
    await page.mouse("mousePressed", at);
    const isHeld = (await hand(page)) !== null;
    await page.mouse("mouseReleased", at);
    await page.key("Escape");
    return isHeld;
  };
  for (const [name, isHeld] of [["sleeper", true], ["wall", false], ["lift", false]]) {
    assert.equal(await tryToHold(name), isHeld, name);
  }
  await page.run(() => { window.tendon.viewer.player.seek(0.1); window.tendon.viewer.draw(); window.tendon.viewer.flush(); });
  assert.equal(await tryToHold("sleeper"), false, "what is over");
});
