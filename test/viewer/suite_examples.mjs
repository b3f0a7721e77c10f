// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every example in the page: the native program's bits, the module's hash, a picture; motions on avatars; pictures of the docs.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadTendon } from "../../web/module/tendon.js";
import { quantisePng } from "./png.mjs";
import { assertSameBits, drop, gather, large, read, redraw, save, screenshots, test, traceLocals } from "./support.mjs";

const stepTime = 1.5; // s of every example that are compared
const examples = readdirSync("examples").filter((name) => /\.(gltf|glb|vrm)$/.test(name)).sort();
const motions = readdirSync("examples").filter((name) => /\.(vrma|bvh)$/.test(name)).sort();

/** The state hash of the module under Node, which its own tests compare with the native one. */
function hashOf(tendon, path) {
  const [main, ...beside] = gather(path).map(([name, text]) => [name, Buffer.from(text, "base64")]);
  const stage = tendon.createStage();
  const asset = tendon.open(main[1], { name: main[0], files: new Map(beside) });
  const actor = stage.addActor(asset);
  if (asset.animations.length > 0) {
    actor.play(asset.createClip(0), { loop: false });
  }
  stage.step(Math.round(stepTime * stage.stepRate));
  const hash = stage.stateHash;
  stage.destroy();
  asset.destroy();
  return hash;
}

test("every example, stepped, is what the native program computes, to the bit", async ({ page }) => {
  const tendon = await loadTendon(readFileSync("build/web/tendon.wasm"));
  await page.run(() => window.tendon.viewer.setLoop(false));
  page.complaints.length = 0;
  for (const name of examples) {
    const path = join("examples", name);
    const state = await drop(page, gather(path));
    assert.equal(state.error, null, name);
    assert.equal(state.name, name);
    await page.run((time) => void window.tendon.stepTo(time), stepTime);
    assertSameBits(await page.run(() => window.tendon.locals()), traceLocals(stepTime, path), name);
    assert.equal(await page.run(() => document.getElementById("hash").textContent), hashOf(tendon, path), `${name}: hash`);
    assert.ok((await page.run(() => window.tendon.countColors())) > 20, `${name}: an empty picture`);
    await save(page, name.replace(/\.[^.]*$/, ""));
  }
  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.complaints, []);
}, large);

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
}, large);

/** Pictures of the documentation, with few colours, below 100 kB. TENDON_UPDATE_PICTURES=1 puts them into docs/images. */
const pictures = [
  { name: "physics", file: "examples/domino_run.gltf", time: 1.6, overlays: ["meshes", "grid", "colliders", "contacts"], tab: "events" },
  { name: "joint_limits", file: "examples/catapult.gltf", time: 0.3, overlays: ["meshes", "joints"], select: "Motor", near: 4 },
  { name: "constraints", file: "examples/lanky.vrm", motion: "examples/stretch.vrma", time: 0.55,
    overlays: ["meshes", "grid", "constraints", "skeleton"], select: "leftLowerArmTwist2", at: "chest", near: 3.5 },
  { name: "avatar_light", file: "examples/mira.vrm", motion: "examples/dance.vrma", time: 6.25, theme: "light",
    overlays: ["meshes", "grid"], tab: "avatar", at: "chest", near: 3.3 },
  { name: "avatar_springs", file: "examples/mira.vrm", motion: "examples/dance.vrma", time: 5.3,
    overlays: ["meshes", "grid", "springs", "springColliders"], tab: "avatar", at: "spine", near: 2.7 },
];

/** Twice as many pixels, which the page makes smooth edges of, where the pictures are kept. */
const pixelRatio = process.env.TENDON_UPDATE_PICTURES ? 2 : 1;

test("pictures for the documentation", async ({ page }) => {
  for (const { name, file, motion, time, overlays, select, tab, at, near, theme = "dark" } of pictures) {
    await drop(page, gather(file));
    if (motion) {
      await drop(page, gather(motion));
    }
    await page.run((t, ids, colors) => {
      window.tendon.viewer.setTheme(colors);
      window.tendon.stepTo(t);
      window.tendon.setOverlays(ids);
    }, time, overlays, theme);
    await page.run((wanted, page, centre, zoom, ratio) => {
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
        viewer.view.fitted = null; // as after a move by hand: no new size moves it
      }
      document.getElementById("toast").hidden = true;
      viewer.view.resize(viewer.view.canvas.clientWidth, viewer.view.canvas.clientHeight, ratio);
      viewer.draw();
      viewer.flush();
    }, select ?? "", tab ?? "", at ?? "", near ?? 0, pixelRatio);
    const png = quantisePng(await page.screenshot(), 128);
    assert.ok(png.length < 100000, `${name}: ${png.length} bytes`);
    writeFileSync(join(screenshots, `docs_${name}.png`), png);
    if (process.env.TENDON_UPDATE_PICTURES) {
      mkdirSync("docs/images", { recursive: true });
      writeFileSync(`docs/images/${name}.png`, png);
    }
    await page.key("Escape");
    await page.run(() => { const { view } = window.tendon.viewer; view.resize(view.canvas.clientWidth, view.canvas.clientHeight, 1); });
  }
  await page.run(() => { window.tendon.viewer.setTheme("dark"); window.tendon.viewer.showTab("node"); });
}, { width: 1080, height: 640 });

