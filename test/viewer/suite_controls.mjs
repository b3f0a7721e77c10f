// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What a person does with mouse, keys and fingers: time, camera, bodies, the panels.
import assert from "node:assert/strict";
import { ball, box, constraintScene, drop, findNode, gather, getState, inline, openPage, physicsScene, redraw, run, save, test, work } from "./support.mjs";

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
  const ball = await findNode(page, "Ball");
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
  const ball = await findNode(page, "Ball");
  const touch = (type) => (at) => page.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: at.x, y: at.y }] });
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const lift = await pull(page, ball, touch("touchStart"), touch("touchMove"), touch("touchEnd"));
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  assert.ok(lift > 0.2, `lifted by ${lift} m`);
});

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
  const ball = await findNode(page, "Ball");
  await page.click(await page.run((n) => window.tendon.screenOf(n), ball));
  assert.equal((await page.run(() => window.tendon.state())).selected, ball);
  await page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); });
  assert.match(await page.run(() => document.getElementById("inspector").innerText), /Ball[\s\S]*mass[\s\S]*kg/);
  await save(page, "inspector");
  await page.key("Escape");
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

