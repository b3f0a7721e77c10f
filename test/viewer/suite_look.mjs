// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The picture (exposure, background, shading, cameras, variants), the policy of the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ball, box, drop, gather, getState, inline, physicsScene, redraw, test } from "./support.mjs";

test("the policy of the page allows its own script only", async ({ page }) => {
  const html = readFileSync("build/viewer/viewer.html", "utf8");
  const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)[1];
  const scripts = policy.split(";").find((part) => part.trim().startsWith("script-src"));
  assert.match(scripts.trim(), /^script-src 'sha256-[A-Za-z0-9+/=]{44}' 'wasm-unsafe-eval'$/);
  assert.match(policy, /worker-src blob:;/);
  const hasRun = await page.run(() => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    document.body.append(script);
    script.remove();
    return window.injected === true;
  });
  assert.equal(hasRun, false);
});

test("exposure, background and shading change the picture", async ({ page }) => {
  await drop(page, gather("examples/swing_door.gltf"));
  const changed = (property, value) => page.run(([name, wanted]) => window.tendon.changedPixels(({ look }) => {
    const before = look[name];
    look[name] = wanted;
    look.apply();
    return () => { look[name] = before; look.apply(); };
  }), [property, value]);
  assert.ok((await changed("exposure", 2)) > 1000);
  assert.ok((await changed("background", "white")) > 1000);
  assert.ok((await changed("shading", "wireframe")) > 1000);
  assert.ok((await changed("shading", "normals")) > 1000);
  assert.equal(await changed("exposure", 0), 0, "everything is as before");
  const control = await page.run(() => {
    const slider = document.getElementById("look-exposure");
    slider.value = "1";
    slider.dispatchEvent(new Event("input"));
    const { toneMappingExposure } = window.tendon.viewer.view.renderer;
    slider.value = "0";
    slider.dispatchEvent(new Event("input"));
    return toneMappingExposure;
  });
  assert.equal(control, 2);
});

/** A triangle with two materials as variants, and a camera that looks at it from +Z. */
const variantScene = () => {
  const corners = Buffer.from(new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0]).buffer);
  const color = (r, g, b) => ({ extensions: { KHR_materials_unlit: {} }, pbrMetallicRoughness: { baseColorFactor: [r, g, b, 1] } });
  return {
    asset: { version: "2.0" }, extensionsUsed: ["KHR_materials_variants", "KHR_materials_unlit"],
    extensions: { KHR_materials_variants: { variants: [{ name: "red" }, { name: "blue" }] } },
    scene: 0, scenes: [{ nodes: [0, 1] }],
    nodes: [{ name: "sail", mesh: 0 }, { name: "lookout", camera: 0, translation: [0, 0, 3] }],
    cameras: [{ type: "perspective", perspective: { yfov: 0.9, znear: 0.1, zfar: 50 } }],
    materials: [color(0, 1, 0), color(1, 0, 0), color(0, 0, 1)],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0, extensions: { KHR_materials_variants: { mappings: [{ material: 1, variants: [0] }, { material: 2, variants: [1] }] } } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [-1, -1, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${corners.toString("base64")}` }],
  };
};

test("cameras and material variants of a file are offered", async ({ page }) => {
  await drop(page, inline("variants.gltf", variantScene()));
  const names = (id) => page.run((name) => [...document.getElementById(name).options].map((option) => option.textContent), id);
  assert.deepEqual(await names("look-camera"), ["free", "lookout"]);
  assert.deepEqual(await names("look-variant"), ["default", "red", "blue"]);
  const colorAfter = (variant) => page.run(async (index) => {
    const { viewer } = window.tendon;
    await viewer.model.setVariant(index);
    viewer.look.apply();
    return viewer.model.parts.find(({ part }) => part.isMesh).part.material.color.toArray();
  }, variant);
  assert.deepEqual(await colorAfter(0), [1, 0, 0]);
  assert.deepEqual(await colorAfter(1), [0, 0, 1]);
  assert.deepEqual(await colorAfter(-1), [0, 1, 0]);
  const camera = await page.run(() => {
    const { viewer } = window.tendon;
    viewer.look.setCamera(0);
    viewer.draw();
    viewer.flush();
    const { position, fov } = viewer.view.camera;
    const found = { position: position.toArray(), fov };
    viewer.look.setCamera(-1);
    return found;
  });
  assert.deepEqual(camera.position, [0, 0, 3]);
  assert.ok(Math.abs(camera.fov - (180 / Math.PI) * 0.9) < 1e-6);
  await redraw(page);
  await drop(page, inline("ball.gltf", physicsScene([{ name: "ball", shape: ball(1), motion: { mass: 1 } }])));
  assert.ok(await page.run(() => document.getElementById("look-camera").closest("label").hidden));
});
