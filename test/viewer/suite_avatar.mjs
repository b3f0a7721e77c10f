// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Avatars in the page: MToon, sliders of expressions, values of materials, gaze, springs and their overlays.
import assert from "node:assert/strict";
import { drop, gather, getState, large, read, redraw, test } from "./support.mjs";

const dance = async (page, time) => {
  await drop(page, gather("examples/mira.vrm"));
  await drop(page, [read("examples/dance.vrma")]);
  await page.run((at) => void window.tendon.stepTo(at), time);
};

/** Moves a slider as a drag does. */
const slide = (page, name, weight) => page.run((wanted, value) => {
  const slider = document.querySelector(`#page-avatar input[aria-label="${wanted}"]`);
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  window.tendon.viewer.flush();
}, name, weight);

/** Current state of an expression's row. */
const rowOf = (page, name) => page.run((wanted) => {
  const row = document.querySelector(`#page-avatar input[aria-label="${wanted}"]`).parentElement;
  return { value: Number(row.querySelector("input").value), text: row.querySelector("output").textContent, isHeld: row.classList.contains("is-held") };
}, name);

const morphsOf = (page) => page.run(() => [...window.tendon.viewer.session.snapshot.morphs[0]]);

test("MToon materials are drawn with outline, shade and rim; their textures move with time", async ({ page }) => {
  await drop(page, gather("examples/mira.vrm"));
  const materials = await page.run(() => {
    const { model } = window.tendon.viewer;
    const json = [...model.materials].map(([index, set]) => [index, [...set].map((m) => ({
      isToon: m.isMToonMaterial === true, isOutline: m.isOutline === true, shade: m.shadeColorFactor?.toArray(), rim: m.parametricRimColorFactor?.toArray(),
      width: m.outlineWidthFactor, name: m.name,
    }))]);
    return Object.fromEntries(json);
  });
  assert.equal(Object.keys(materials).length, 15);
  const skin = Object.values(materials).find(([first]) => first.name === "Skin");
  assert.deepEqual(skin.map(({ isToon, isOutline }) => [isToon, isOutline]), [[true, false], [true, true]]);
  assert.ok(Math.abs(skin[0].shade[0] - 0.86) < 1e-6 && skin[0].rim[2] > 0.1 && Math.abs(skin[0].width - 0.0022) < 1e-6);
  const line = Object.values(materials).find(([first]) => first.name === "Line");
  assert.equal(line.length, 1, "no outline where the file wants none");
  // Without outlines the picture is another one.
  const changed = await page.run(() => window.tendon.changedPixels(({ model }) => {
    const outlines = [...model.materials.values()].flatMap((set) => [...set].filter((m) => m.isOutline));
    outlines.forEach((m) => (m.visible = false));
    return () => outlines.forEach((m) => (m.visible = true));
  }));
  assert.ok(changed > 300, `${changed} pixels of outlines`);
  const offset = () => page.run(() => {
    const ribbon = [...window.tendon.viewer.model.materials.values()].flatMap((set) => [...set]).find((m) => m.name === "Ribbon");
    return ribbon.uniforms.uvAnimationScrollXOffset.value;
  });
  await page.run(() => void window.tendon.stepTo(2));
  assert.ok(Math.abs((await offset()) - 0.5) < 1e-3, "0.25 per second");
  await page.run(() => { const { viewer } = window.tendon; viewer.player.seek(1); viewer.draw(); viewer.flush(); });
  assert.ok(Math.abs((await offset()) - 0.25) < 1e-3, "and back with the timeline");
  assert.deepEqual(page.errors, []);
});

test("the MToon of VRM 0.x is drawn; broken MToon falls back to plain materials", async ({ page }) => {
  const [[, text]] = gather("examples/mira.vrm");
  const bytes = Buffer.from(text, "base64");
  const length = bytes.readUInt32LE(12);
  const rebuild = (change) => {
    const json = JSON.parse(bytes.subarray(20, 20 + length));
    change(json);
    let body = Buffer.from(JSON.stringify(json));
    body = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4, 0x20)]);
    const head = Buffer.from(bytes.subarray(0, 20));
    head.writeUInt32LE(12 + 8 + body.length + bytes.length - 20 - length, 8);
    head.writeUInt32LE(body.length, 12);
    return Buffer.concat([head, body, bytes.subarray(20 + length)]).toString("base64");
  };
  const toons = () => page.run(() => [...window.tendon.viewer.model.materials.values()].flatMap((set) => [...set]).filter((m) => m.isMToonMaterial).length);
  const old = rebuild((json) => {
    json.materials.forEach((material) => delete material.extensions);
    json.extensions = { VRM: { ...json.extensions, materialProperties: json.materials.map(({ name }) => ({
      name, shader: "VRM/MToon", renderQueue: 2000, keywordMap: {}, tagMap: {}, textureProperties: {},
      floatProperties: { _OutlineWidthMode: 1, _OutlineWidth: 0.2 }, vectorProperties: { _Color: [1, 0, 0, 1], _ShadeColor: [0.5, 0, 0, 1] } })) } };
    json.extensionsUsed = ["VRM"];
  });
  assert.equal((await drop(page, [["old.vrm", old]])).meshCount, 18);
  assert.ok((await toons()) > 15);
  const broken = rebuild((json) => {
    json.materials.forEach((material) => (material.extensions.VRMC_materials_mtoon.shadeMultiplyTexture = { index: 99 }));
    json.materials[0].extensions.VRMC_materials_mtoon.matcapTexture = "none";
  });
  assert.equal((await drop(page, [["broken.vrm", broken]])).meshCount, 18, "missing textures are left out");
  assert.ok((await toons()) > 15);
  const worse = rebuild((json) => { json.extensions.VRM = { materialProperties: [{ shader: 5 }] }; });
  assert.equal((await drop(page, [["worse.vrm", worse]])).meshCount, 18, "the meshes are there");
  assert.equal(await toons(), 0);
  assert.ok((await page.run(() => window.tendon.countColors())) > 20);
  assert.deepEqual(page.errors, []);
});

test("sliders hold expressions; the face, its materials and the numbers follow", async ({ page }) => {
  await dance(page, 1);
  await page.click("#tab-avatar");
  assert.equal(await page.run(() => document.querySelectorAll("#page-avatar .slider").length), 14);
  const before = await getState(page);
  const face = () => page.run(() => {
    const { model, session } = window.tendon.viewer;
    const find = (name) => [...model.materials.values()].flatMap((set) => [...set]).find((m) => m.name === name);
    return { blush: find("Blush").opacity, iris: find("Iris").map.repeat.toArray(), morphs: [...session.snapshot.morphs[0]] };
  });
  assert.equal((await face()).blush, 0);
  await slide(page, "happy", 1);
  assert.equal((await getState(page)).time, before.time, "without a step");
  let now = await face();
  assert.ok(Math.abs(now.blush - 0.55) < 1e-6 && now.morphs[7] === 1);
  await slide(page, "blink", 1);
  assert.deepEqual(await rowOf(page, "blink"), { value: 1, text: "0.00", isHeld: true }, "a smile blocks blinking");
  await slide(page, "happy", 0);
  await slide(page, "relaxed", 0); // the dance's, which fades blinking
  await slide(page, "surprised", 1);
  now = await face();
  assert.deepEqual(now.morphs.slice(0, 2), [1, 1]);
  assert.ok(Math.abs(now.iris[0] - 1.35) < 1e-6, "the pupils shrink");
  // Held weights survive a reset; released ones follow the clip again.
  await page.key("r");
  assert.equal((await rowOf(page, "surprised")).isHeld, true);
  assert.equal((await morphsOf(page))[11], 1);
  await page.click("#release-expressions");
  await page.run(() => void window.tendon.stepTo(6.5));
  assert.deepEqual(await rowOf(page, "happy"), { value: 1, text: "1.00", isHeld: false }, "the dance smiles");
  assert.equal((await morphsOf(page))[11], 0);
  // A file without a face has no such tab.
  await drop(page, gather("examples/swing_door.gltf"));
  assert.deepEqual(await page.run(() => [document.getElementById("tab-avatar").hidden, document.getElementById("page-avatar").hidden, document.getElementById("page-node").hidden]), [true, true, false]);
});

test("the gaze follows the pointer, also while paused", async ({ page }) => {
  await drop(page, gather("examples/mira.vrm"));
  await page.run(() => { window.tendon.stepTo(0.1); window.tendon.setCamera([0, 1.5, 3], [0, 1.4, 0]); });
  const eye = () => page.run(() => {
    const { session } = window.tendon.viewer;
    const node = session.nodes.findIndex(({ name }) => name === "leftEye");
    return [...session.local(node).slice(3, 7)];
  });
  const head = await page.run(() => window.tendon.screenOf(window.tendon.viewer.session.headNode));
  assert.deepEqual(await eye(), [0, 0, 0, 1]);
  const lookAt = async (x, y) => {
    const last = await eye();
    await page.mouse("mouseMoved", { x, y });
    await page.until((former) => {
      const { session } = window.tendon.viewer;
      const node = session.nodes.findIndex(({ name }) => name === "leftEye");
      return [...session.local(node).slice(3, 7)].some((value, i) => value !== former[i]);
    }, last);
    return eye();
  };
  await page.key("g");
  // Turns about y are to the character's left, which is right on the page; turns about x are down.
  assert.ok((await lookAt(head.x + 150, head.y))[1] > 0.01);
  assert.ok((await lookAt(head.x - 250, head.y))[1] < -0.01);
  assert.ok((await lookAt(head.x, head.y + 150))[0] > 0.01);
  await page.key("g");
  assert.deepEqual(await eye(), [0, 0, 0, 1], "ahead again");
});

test("springs sway, switch off and on, and are drawn with their colliders", async ({ page }) => {
  await dance(page, 4.6);
  const hem = () => page.run(() => {
    const { session } = window.tendon.viewer;
    return window.tendon.positionOf(session.nodes.findIndex(({ name }) => name === "Skirt 4 4"));
  });
  const swaying = await hem();
  await page.click("#tab-avatar");
  await page.click("#springs-on");
  await page.run(() => void window.tendon.viewer.step());
  const stiff = await hem();
  assert.ok(Math.hypot(...swaying.map((value, i) => value - stiff[i])) > 0.01, "the skirt swings with springs alone");
  assert.equal(await page.run(() => window.tendon.viewer.session.springsEnabled), false);
  await page.key("b");
  assert.equal(await page.run(() => document.getElementById("springs-on").checked), true);
  await page.click("#springs-reset");
  await page.run(() => window.tendon.setOverlays(["springs", "springColliders"]));
  const palette = await page.run(() => window.tendon.palette());
  const chains = await page.run(() => window.tendon.overlayLines("springs"));
  const joints = await page.run(() => window.tendon.viewer.session.springJoints.map(({ node, tailNode }) => [window.tendon.positionOf(node), window.tendon.positionOf(tailNode)]));
  const isAt = (a, b) => Math.hypot(...a.map((value, i) => value - b[i])) < 1e-4;
  for (const [from, to] of joints) {
    assert.ok(chains.some((line) => line.color === palette.spring && isAt(line.from, from) && isAt(line.to, to)), "a line along every joint");
  }
  const colliders = await page.run(() => window.tendon.overlayLines("springColliders"));
  const hips = await page.run(() => window.tendon.positionOf(window.tendon.viewer.session.headNode));
  assert.ok(colliders.length > 200 && colliders.every((line) => line.color === palette.springCollider));
  assert.ok(colliders.some((line) => Math.hypot(...line.from.map((value, i) => value - hips[i])) < 0.2));
  await page.key("s");
  await page.key("c");
  assert.deepEqual(await page.run(() => [window.tendon.viewer.overlays.shown.springs, window.tendon.viewer.overlays.shown.springColliders]), [false, false]);
  await page.run(() => window.tendon.setOverlays(["meshes", "grid"]));
  assert.deepEqual(page.errors, []);
});

test("an avatar that walks stays in the picture, and six tabs with counts fit into the panel", async ({ page }) => {
  await drop(page, gather("examples/lanky.vrm"));
  await drop(page, gather("examples/walk.bvh"));
  await page.run(() => { window.tendon.viewer.fit(); window.tendon.viewer.setPlaying(false); });
  for (const time of [0.1, 0.8, 1.6, 2.4]) {
    await page.run((at) => void window.tendon.stepTo(at), time);
    await redraw(page);
    const { edges, places } = await page.run(() => {
      const { session, view } = window.tendon.viewer;
      const { left, right, top, bottom } = view.canvas.getBoundingClientRect();
      return { edges: { left, right, top, bottom }, places: session.humanoid.bones.map(({ name, node }) => ({ name, at: window.tendon.screenOf(node) })) };
    });
    for (const { name, at } of places) {
      assert.ok(at.x > edges.left && at.x < edges.right && at.y > edges.top && at.y < edges.bottom, `${name} at ${time} s: ${at.x}, ${at.y}`);
    }
  }
  const outside = await page.run(() => {
    for (const [id, text] of [["tab-events", "4521"], ["tab-findings", "12"]]) {
      const tab = document.getElementById(id);
      tab.querySelector(".count")?.remove();
      const count = document.createElement("span");
      count.className = "count";
      count.textContent = text;
      tab.append(count);
    }
    const edge = document.getElementById("panel").getBoundingClientRect().right;
    const cut = [...document.querySelectorAll("[role=tab]:not([hidden])")].filter((tab) => tab.getBoundingClientRect().right > edge || tab.scrollWidth > tab.clientWidth + 1);
    document.querySelectorAll(".tabs .count").forEach((count) => count.remove());
    return cut.map((tab) => tab.textContent);
  });
  assert.deepEqual(outside, []);
}, large);
