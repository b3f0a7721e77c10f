// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mouse, keyboard and touch: time, camera, bodies, panels.
import assert from "node:assert/strict";
import { ball, box, constraintScene, drop, findNode, gather, getState, inline, physicsScene, redraw, resize, save, test } from "./support.mjs";

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
  await page.key("Escape");
  await page.until(() => !document.getElementById("help").open);
});

test("a picture, and the view in the address", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const bytes = await page.run(async () => [...(await window.tendon.viewer.picture()).slice(0, 8)]);
  assert.deepEqual(bytes, [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  await page.run(() => { window.tendon.viewer.view.turn(0.5, 0.1); window.tendon.viewer.player.stepTo(0.5); });
  const fragment = await page.run(() => window.tendon.viewer.fragment);
  assert.match(fragment, /^#camera=[-0-9.,e]+&time=0\.5[0-9]*&theme=(dark|light)$/);
  await page.run(() => { window.tendon.viewer.reset(); window.tendon.viewer.fit(); });
  await page.run((text) => window.tendon.viewer.restore(text), `${fragment}&embed`);
  assert.equal(await page.run(() => window.tendon.viewer.fragment), `${fragment}&embed`);
  assert.equal(await page.run(() => getComputedStyle(document.querySelector(".top")).display), "none");
  await page.run(() => window.tendon.viewer.restore(""));
  assert.ok(await page.run(() => !document.getElementById("app").classList.contains("no-panel")), "the panel is back");
  assert.notEqual(await page.run(() => getComputedStyle(document.querySelector(".top")).display), "none");
});

test("the help shows the licences of everything in the page", async ({ page }) => {
  await page.key("?");
  await page.click("#licences summary");
  const text = await page.run(() => document.querySelector("#licences pre").innerText);
  for (const name of ["Tendon contributors", "three.js authors", "@pixiv/three-vrm-materials-mtoon", "pixiv Inc.", "Arseny Kapoulkine", "wasi-libc", "Rich Felker", "WITHOUT WARRANTY OF ANY KIND"]) {
    assert.ok(text.includes(name), name);
  }
  await page.key("Escape");
  await page.until(() => !document.getElementById("help").open);
});

async function pull(page, node, press, move, release) {
  const before = await page.run((n) => window.tendon.positionOf(n), node);
  const from = await page.run((n) => window.tendon.screenOf(n), node);
  await press(from);
  let height = (await page.until(() => window.tendon.viewer.pointer.hand?.grab.target))[1];
  for (let i = 1; i <= 8; ++i) {
    await move({ x: from.x, y: from.y - 12 * i });
    // The hand goes up with the pointer; browsers may deliver moves with their frames.
    height = await page.until((last) => { const y = window.tendon.viewer.pointer.hand.grab.target[1]; return y > last && y; }, height);
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

const onTouch = async (page, body) => {
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  try {
    await body();
  } finally {
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  }
};

test("a body is dragged by a finger", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const ball = await findNode(page, "Ball");
  await onTouch(page, async () => {
    const lift = await pull(page, ball, (at) => page.touch("touchStart", [at]), (at) => page.touch("touchMove", [at]), () => page.touch("touchEnd"));
    assert.ok(lift > 0.2, `lifted by ${lift} m`);
  });
});

const getCamera = (page) => page.run(() => window.tendon.camera());
const apart = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

test("fingers: a tap selects, two pinch and move, also when the first came down on a body", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const ball = await findNode(page, "Ball");
  const place = await page.run((n) => window.tendon.screenOf(n), ball);
  await onTouch(page, async () => {
    await page.touch("touchStart", [place]);
    await page.touch("touchEnd");
    assert.equal((await getState(page)).selected, ball);
    await page.key("Escape");
    for (const first of [{ x: 60, y: 90 }, place]) { // on nothing, on the ball
      await page.run(() => window.tendon.viewer.fit());
      const before = await getCamera(page);
      const two = (gap, dx = 0) => [{ x: first.x + dx, y: first.y }, { x: first.x + gap + dx, y: first.y }];
      await page.touch("touchStart", two(100).slice(0, 1));
      await page.touch("touchStart", two(100));
      for (const gap of [120, 150, 180, 200]) {
        await page.touch("touchMove", two(gap));
      }
      // Pinching halves the distance: 100 pixels became 200.
      await page.until((wanted) => Math.abs(window.tendon.camera().distance / wanted - 1) < 0.05, before.distance / 2);
      const pinched = await getCamera(page);
      for (const dx of [20, 40, 60]) {
        await page.touch("touchMove", two(200, dx));
      }
      await page.until((from, least) => Math.hypot(...window.tendon.camera().target.map((value, i) => value - from[i])) > least, pinched.target, 0.05 * pinched.distance);
      await page.touch("touchEnd");
      const moved = await getCamera(page);
      assert.ok(Math.abs(moved.distance - pinched.distance) < 0.02 * pinched.distance);
      const state = await getState(page);
      assert.equal(state.selected, -1, "and select nothing");
      assert.equal(state.time, 0, "and pull nothing");
      assert.equal(await page.run(() => window.tendon.viewer.pointer.hand), null);
    }
    // A finger that pulls goes on pulling when another one comes and goes.
    await page.run(() => window.tendon.viewer.fit());
    const from = await page.run((n) => window.tendon.screenOf(n), ball);
    const up = (dy) => ({ x: from.x, y: from.y - dy });
    await page.touch("touchStart", [up(0)]);
    await page.touch("touchMove", [up(40)]);
    await page.touch("touchStart", [up(40), { x: 60, y: 90 }]);
    assert.equal(await page.run(() => window.tendon.viewer.pointer.hand !== null), true);
    await page.touch("touchEnd", [up(40)]);
    await page.touch("touchEnd");
    assert.equal(await page.run(() => window.tendon.viewer.pointer.hand), null, "let go");
  });
});

test("the camera starts with everything in the picture; mouse and keys turn, move and zoom it", async ({ page }) => {
  for (const name of ["rope_bridge.gltf", "robot_arm.gltf", "stocky.vrm"]) {
    await drop(page, gather(`examples/${name}`));
    for (const [width, height] of [[960, 560], [360, 640]]) {
      await resize(page, width, height);
      const picture = await page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); return window.tendon.meshCorners(); });
      assert.ok(picture.corners.length > 20);
      for (const { node, at } of picture.corners) {
        assert.ok(at !== null && at.x >= -1 && at.y >= -1 && at.x <= picture.width + 1 && at.y <= picture.height + 1, `${name}, ${width}: node ${node} is out of the picture`);
      }
    }
    await resize(page, 960, 560);
  }
  const start = await getCamera(page);
  const empty = { x: 80, y: 120 };
  await page.drag(empty, { x: 200, y: 120 });
  await page.mouse("mouseReleased", { x: 200, y: 120 });
  const turned = await getCamera(page);
  assert.ok(apart(turned.position, start.position) > 0.2 * start.distance && apart(turned.target, start.target) < 1e-6);
  assert.ok(Math.abs(turned.distance - start.distance) < 1e-3 * start.distance, "turning keeps the distance");
  await page.send("Input.dispatchMouseEvent", { type: "mouseWheel", ...empty, deltaX: 0, deltaY: -240 });
  await page.until((least) => window.tendon.camera().distance < least, 0.95 * turned.distance);
  const right = { button: "right", buttons: 2 };
  await page.mouse("mousePressed", empty, right);
  await page.mouse("mouseMoved", { x: 160, y: 160 }, right);
  await page.mouse("mouseReleased", { x: 160, y: 160 }, { button: "right" });
  const moved = await getCamera(page);
  assert.ok(apart(moved.target, start.target) > 0.02 * start.distance, "the right button moves");
  // After a move by hand a new window size leaves the camera alone; F fits again.
  await resize(page, 800, 560);
  assert.ok(apart((await getCamera(page)).target, moved.target) < 1e-6);
  await resize(page, 960, 560);
  await page.key("f");
  const fitted = await getCamera(page);
  assert.ok(apart(fitted.position, start.position) < 0.05 * start.distance, "F");
  for (const [key, test] of Object.entries({
    ArrowLeft: (a, b) => apart(a.position, b.position) > 0.01, ArrowRight: (a, b) => apart(a.position, b.position) > 0.01,
    ArrowUp: (a, b) => b.position[1] > a.position[1], ArrowDown: (a, b) => b.position[1] < a.position[1],
    "+": (a, b) => b.distance < a.distance, "-": (a, b) => b.distance > a.distance,
  })) {
    const before = await getCamera(page);
    await page.key(key);
    const after = await getCamera(page);
    assert.ok(test(before, after) && apart(before.target, after.target) < 1e-9, key);
  }
  // Over the top: the pole is the end.
  for (let i = 0; i < 30; ++i) {
    await page.key("ArrowUp");
  }
  const top = await getCamera(page);
  assert.ok(top.position.every(Number.isFinite) && top.position[1] - top.target[1] <= top.distance);
  // Down: the camera stays above the ground while that is shown, however far away it is.
  const level = await page.run(() => window.tendon.viewer.view.grid.position.y);
  for (const key of [...Array(40).fill("ArrowDown"), ...Array(12).fill("-")]) {
    await page.key(key);
  }
  const low = await getCamera(page);
  assert.ok(low.position[1] > level && low.position[1] < low.target[1], `${low.position[1]} above ${level}`);
  await page.run(() => window.tendon.setCamera([3, 1, 3], [0, -5, 0]));
  assert.ok((await getCamera(page)).target[1] > level, "the target too");
  await page.run(() => window.tendon.viewer.overlays.set("grid", false));
  await page.run(() => window.tendon.setCamera([3, -4, 3], [0, -2, 0]));
  assert.equal(Math.round((await getCamera(page)).position[1]), -4, "without a ground it may go anywhere");
  await page.run(() => { window.tendon.viewer.overlays.set("grid", true); window.tendon.viewer.fit(); });
});

test("every key of the help does what it says", async ({ page }) => {
  await drop(page, gather("examples/robot_arm.gltf"));
  await page.run(() => { window.clicks = []; document.getElementById("file-input").addEventListener("click", (event) => { event.preventDefault(); window.clicks.push("open"); }); });
  const look = () => page.run(() => {
    const { viewer, state } = window.tendon;
    const { shown } = viewer.overlays;
    return {
      ...state.call(window.tendon), speed: viewer.player.speed, loop: viewer.loop, theme: document.documentElement.dataset.theme, shown: { ...shown },
      hasPanel: !document.getElementById("app").classList.contains("no-panel"), hasMenu: !document.getElementById("overlays").hidden,
      hasHelp: document.getElementById("help").open, opened: window.clicks.length, toast: document.getElementById("toast").textContent,
    };
  });
  const press = async (key) => {
    const before = await look();
    await page.key(key);
    return [before, await look()];
  };
  const expect = async (key, test) => {
    const [before, after] = await press(key);
    assert.ok(test(before, after), `the key ${key}`);
  };
  await expect(" ", (a, b) => !a.isPlaying && b.isPlaying);
  await expect("k", (a, b) => a.isPlaying && !b.isPlaying);
  await expect(".", (a, b) => b.time > a.time && b.recorded === a.recorded + 1);
  await expect(".", (a, b) => b.time > a.time);
  await expect(",", (a, b) => b.time < a.time && b.recorded === a.recorded);
  await expect("e", (a, b) => /robot_arm_baked.glb/.test(b.toast));
  await expect("r", (a, b) => a.time > 0 && b.time === 0 && b.recorded === 1);
  await expect("]", (a, b) => b.speed === 2 * a.speed);
  await expect("[", (a, b) => b.speed === a.speed / 2);
  await expect("l", (a, b) => a.loop !== b.loop);
  await expect("l", (a, b) => a.loop !== b.loop);
  await expect("p", (a, b) => a.hasPanel && !b.hasPanel);
  await expect("p", (a, b) => !a.hasPanel && b.hasPanel);
  await expect("t", (a, b) => a.theme === "dark" && b.theme === "light");
  await expect("t", (a, b) => a.theme === "light" && b.theme === "dark");
  // The choice is kept for the next page; here it is taken back, and the page follows the system again.
  assert.equal(await page.run(() => localStorage.getItem("tendon-theme")), "dark");
  await page.run(() => { localStorage.removeItem("tendon-theme"); window.tendon.viewer.isThemeChosen = false; });
  await expect("o", (a, b) => b.opened === a.opened + 1);
  await expect("v", (a, b) => !a.hasMenu && b.hasMenu);
  await expect("Escape", (a, b) => a.hasMenu && !b.hasMenu);
  const ids = await page.run(() => window.tendon.overlays);
  const digits = await page.run(() => window.tendon.digitOverlays);
  assert.equal(digits.length, 9);
  for (const [i, id] of digits.entries()) {
    const can = await page.run((wanted) => !document.getElementById(`overlay-${wanted}`).disabled, id);
    for (let times = 0; times < 2; ++times) {
      await expect(`${i + 1}`, (a, b) => (a.shown[id] !== b.shown[id]) === can && ids.every((other) => other === id || a.shown[other] === b.shown[other]));
    }
  }
  await page.run(() => window.tendon.viewer.select(2));
  await expect("Escape", (a, b) => a.selected === 2 && b.selected === -1);
  await expect("?", (a, b) => !a.hasHelp && b.hasHelp);
  const listed = await page.run(() => [...document.querySelectorAll("#keys kbd")].map((key) => key.textContent));
  assert.ok(listed.length >= 18 && listed.includes("Space") && listed.includes("Esc"));
  await page.click("#help button");
  assert.equal((await look()).hasHelp, false);
  // Shortcuts do not act while typing.
  await page.click("#node-filter");
  await page.key("p");
  assert.equal((await look()).hasPanel, true);
  assert.equal(await page.run(() => document.getElementById("node-filter").value), "p");
  await page.run(() => { const filter = document.getElementById("node-filter"); filter.value = ""; filter.dispatchEvent(new Event("input")); filter.blur(); });
});

test("speed is a factor of time", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  for (const speed of [0.1, 0.25, 0.5, 1, 2, 4]) {
    const time = await page.run((wanted) => {
      const choice = document.getElementById("speed");
      choice.value = `${wanted}`;
      choice.dispatchEvent(new Event("change"));
      const { viewer } = window.tendon;
      viewer.reset();
      viewer.setPlaying(true);
      for (let i = 0; i < 4; ++i) {
        viewer.player.advance(0.05);
      }
      viewer.setPlaying(false);
      return viewer.player.time;
    }, speed);
    assert.ok(Math.abs(time - 0.2 * speed) < 1e-6, `${speed}: ${time} s`);
  }
  await page.run(() => window.tendon.viewer.setSpeed(1));
});

test("everything is reached by the keyboard, and shows where the focus is", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await page.run(() => { window.tendon.stepTo(0.5); document.activeElement.blur(); });
  // Once around, from wherever the focus was last.
  const seen = [];
  for (let i = 0; i < 60; ++i) {
    await page.key("Tab");
    const focus = await page.run(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const wasSeen = element.dataset.seen === "yes";
      element.dataset.seen = "yes";
      const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
      return { id: element.id, list: element.closest(".list, .tabs, #inspector")?.id ?? "", outline: outlineStyle === "none" ? "" : outlineWidth, name: name.trim(), isBody: element === document.body, wasSeen };
    });
    if (focus.wasSeen && !focus.isBody) {
      break;
    }
    if (!focus.isBody) {
      seen.push(focus);
    }
  }
  for (const id of ["open", "export", "record", "overlays-button", "panel-button", "theme", "help-button", "canvas", "tab-node", "node-filter", "reset", "back", "play", "step", "scrub", "speed"]) {
    assert.ok(seen.some((focus) => focus.id === id), `Tab reaches ${id}: ${seen.map((focus) => focus.id).join()}`);
  }
  assert.equal(seen.filter((focus) => focus.list === "node-list").length, 1, "a list is one stop");
  for (const { id, outline, name } of seen) {
    assert.ok(outline !== "", `${id} shows its focus`);
    assert.ok(name !== "", `${id} has a name`);
  }
  await page.run(() => document.getElementById("tab-node").focus());
  await page.key("ArrowRight");
  assert.equal(await page.run(() => document.getElementById("page-events").hidden), false);
  await page.key("ArrowLeft");
  await page.run(() => document.querySelector("#node-list button").focus());
  await page.key("ArrowDown");
  await page.key("ArrowDown");
  await page.key("Enter");
  assert.equal((await getState(page)).selected, 2);
  assert.equal(await page.run(() => document.activeElement.closest(".list")?.id), "node-list");
  await page.key("End");
  await page.key("Enter");
  assert.equal((await getState(page)).selected, 9);
  await page.key("v");
  assert.equal(await page.run(() => document.activeElement.id), "overlay-meshes");
  await page.key("Escape");
  assert.equal(await page.run(() => document.activeElement.id), "overlays-button");
  await page.run(() => document.activeElement.blur());
  await page.key("Escape");
});

test("events, findings and the tree select nodes; the inspector tells about them", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  await page.run(() => void window.tendon.stepTo(1.5));
  await page.click("#tab-events");
  await page.click("#event-list li:last-child button");
  assert.ok((await page.run(() => window.tendon.state())).selected >= 0);
  // Ground and ball: both are lit up, and drawn so.
  const lit = await page.run(() => [...window.tendon.viewer.selection.flashes.keys()].map((node) => window.tendon.viewer.session.nodes[node].name));
  const told = await page.run(() => document.querySelector("#event-list li:last-child .name").textContent);
  assert.equal(lit.length, 2);
  assert.ok(lit.every((name) => told.includes(name)) && /touches/.test(told), `${told}: ${lit}`);
  // At a moment before the light is out, whenever that is asked.
  assert.ok((await page.run(() => {
    const { player, selection } = window.tendon.viewer;
    selection.update(player.snapshot, Math.min(...selection.flashes.values()) - 100);
    return selection.lines.count;
  })) >= 48, "two boxes of corners");
  await page.click("#tab-node");
  const text = await page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); return document.getElementById("inspector").innerText; });
  assert.match(text, /position/);
  await page.click("#tab-plots");
  await page.run(() => { window.tendon.viewer.draw(); window.tendon.viewer.flush(); });
  assert.match(await page.run(() => document.getElementById("page-plots").innerText), /Energy[\s\S]*J[\s\S]*Step time[\s\S]*ms[\s\S]*Contacts/);
  await save(page, "plots");
  const inked = await page.run(() => [...document.querySelectorAll(".plot canvas")].map((canvas) =>
    canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0 ? 1 : 0), 0)));
  assert.ok(inked.length === 3 && inked.every((count) => count > 100), `plotted pixels: ${inked}`);
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

test("the inspector tells mass, inertia, velocity, shapes and joint values as physics has them", async ({ page }) => {
  const start = 10;
  await drop(page, inline("inspect.gltf", physicsScene([
    { name: "brick", shape: box(1, 2, 3), translation: [0, start, 0], motion: { mass: 6, angularVelocity: [0, 0, 0] } },
    { name: "post", translation: [4, 2, 0], joint: { connectedNode: 2, limits: [{ linearAxes: [0, 1, 2], min: 0, max: 0 }, { angularAxes: [0, 1], min: 0, max: 0 }, { angularAxes: [2], min: -0.25, max: 1 }] } },
    { name: "arm", translation: [4, 2, 0], rotation: [0, 0, Math.sin(0.15), Math.cos(0.15)], shape: ball(0.2), motion: { mass: 1, gravityFactor: 0 } },
  ])));
  const time = 0.5;
  await page.run((t) => void window.tendon.stepTo(t), time);
  const inspect = async (name) => {
    await page.run((node) => window.tendon.viewer.select(node), await findNode(page, name));
    await redraw(page);
    const rows = await page.run(() => [...document.querySelectorAll("#inspector dt")].map((term) => [term.textContent, term.nextElementSibling.textContent]));
    return Object.fromEntries(rows.map(([term, text]) => [term, text.replaceAll("−", "-")]));
  };
  const numbers = (text) => text.match(/-?[\d.]+/g).map(Number);
  const brick = await inspect("brick");
  // m (b² + c²) / 12 about each axis, v = g t, y after 4 sub-steps a step: h - g t (t + dt / 4) / 2.
  assert.deepEqual(numbers(brick.mass), [6]);
  assert.deepEqual(numbers(brick.inertia).slice(0, 3).sort((a, b) => a - b), [2.5, 5, 6.5]);
  assert.ok(Math.abs(numbers(brick.velocity)[1] + 9.81 * time) < 2e-3, brick.velocity);
  assert.ok(Math.abs(numbers(brick.position)[1] - (start - (9.81 * time * (time + 1 / 240)) / 2)) < 2e-3, brick.position);
  assert.equal(brick.motion, "dynamic");
  assert.deepEqual(numbers(brick.box), [1, 2, 3]);
  const arm = await inspect("arm");
  const turn = numbers(arm["turn z"]);
  assert.ok(Math.abs(turn[0] - (0.3 * 180) / Math.PI) < 0.3, arm["turn z"]); // told in tenths of a degree
  assert.deepEqual(turn.slice(1).map((value) => Math.round(value)), [-14, 57]);
  assert.match(arm["slide xyz"], /locked/);
  assert.equal(arm.state, "whole");
  // The plots tell the same energy: potential m g y of all bodies, kinetic m v² / 2.
  await page.click("#tab-plots");
  await redraw(page);
  const energy = await page.run(() => { const { kinetic, potential } = window.tendon.viewer.player.snapshot; return { kinetic, potential }; });
  const speed = numbers(brick.velocity)[1];
  assert.ok(Math.abs(energy.kinetic - 0.5 * 6 * speed ** 2) < 0.05, `${energy.kinetic} J`);
  const shown = parseFloat(await page.run(() => document.querySelector(".plot header span:last-child").textContent));
  assert.ok(Math.abs(shown - (energy.kinetic + energy.potential)) < 0.005 * Math.abs(shown), `${shown} J`);
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
    await resize(page, width, height);
    await page.setScheme(scheme);
    await page.until((wanted) => document.documentElement.dataset.theme === wanted, scheme);
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
  await page.setScheme("dark");
  await resize(page, 960, 560);
  await page.run(() => window.tendon.viewer.setPanel(true));
});


test("text stands out from its ground, dark and light", async ({ page }) => {
  const broken = structuredClone(constraintScene);
  broken.nodes[2].extensions.VRMC_node_constraint.constraint.aim.source = 99;
  for (const scheme of ["light", "dark"]) {
    await page.setScheme(scheme, "reduce"); // no colour on its way to another one
    await page.until((wanted) => document.documentElement.dataset.theme === wanted, scheme);
    for (const [files, tab] of [[gather("examples/swing_door.gltf"), "events"], [inline("broken.gltf", broken), "findings"]]) {
      await drop(page, files);
      await page.run((name) => { window.tendon.stepTo(1); window.tendon.viewer.select(1); window.tendon.viewer.setOverlayMenu(true); window.tendon.viewer.showTab(name); }, tab);
      for (const part of [tab, "node"]) {
        await page.run((name) => { window.tendon.viewer.showTab(name); window.tendon.viewer.draw(); window.tendon.viewer.flush(); }, part);
        const weak = await page.run(() => {
          // Ratios of WCAG 2: luminance of sRGB, text over the first opaque ground behind it.
          const parse = (text) => text.match(/[\d.]+/g).map(Number).map((value, i) => (text.startsWith("color(") && i < 3 ? 255 * value : value));
          const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
          const groundOf = (element) => {
            for (let at = element; at !== null; at = at.parentElement) {
              const color = parse(getComputedStyle(at).backgroundColor);
              if (color.length < 4 || color[3] >= 0.7) {
                return color;
              }
            }
            return parse(getComputedStyle(document.body).backgroundColor);
          };
          const found = [];
          for (const element of document.querySelectorAll("#app *")) {
            const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
            if (!hasText || element.getClientRects().length === 0 || element.closest("svg, :disabled, option, label:has(:disabled)")) {
              continue;
            }
            const [a, b] = [light(parse(getComputedStyle(element).color)), light(groundOf(element))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) {
              found.push(`${element.tagName} ${element.id || element.className} "${element.textContent.slice(0, 20)}" ${ratio.toFixed(2)}`);
            }
          }
          return found;
        });
        assert.deepEqual(weak, [], `${scheme}, ${part}`);
      }
    }
  }
  await page.setScheme("dark");
  await page.run(() => { window.tendon.viewer.setOverlayMenu(false); window.tendon.viewer.showTab("node"); window.tendon.viewer.select(-1); });
});
