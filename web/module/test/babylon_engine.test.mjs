// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The adapter for Babylon.js with Babylon's own engine (without drawing) and glTF loader: files as they are loaded in a page.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadTendon, openExample, packageFolder, readExample, top } from "./common.mjs";

const { BabylonDriver } = await import(pathToFileURL(join(packageFolder, "babylon.js")).href);
const modules = join(top, "web/module/test/babylon/node_modules/@babylonjs");
const skip = !existsSync(join(modules, "loaders")) && "there is no Babylon.js; (cd web/module/test/babylon && npm ci) enables it";

/** Loads a file of the examples, which refers to no other file. */
async function loadScene(name) {
  const load = (path) => import(pathToFileURL(join(modules, path)).href);
  const { NullEngine } = await load("core/Engines/nullEngine.js");
  const { Scene } = await load("core/scene.js");
  const { FreeCamera } = await load("core/Cameras/freeCamera.js");
  const { Vector3 } = await load("core/Maths/math.vector.js");
  const { LoadAssetContainerAsync } = await load("core/Loading/sceneLoader.js");
  await load("loaders/glTF/2.0/index.js");
  const engine = new NullEngine();
  const scene = new Scene(engine);
  scene.activeCamera = new FreeCamera("camera", new Vector3(0, 1, -5), scene);
  const isText = name.endsWith(".gltf");
  const source = isText ? `data:${readExample(name)}` : new Uint8Array(readExample(name));
  const container = await LoadAssetContainerAsync(source, scene, { pluginExtension: isText ? ".gltf" : ".glb" });
  container.addAllToScene();
  return { engine, scene, container };
}

for (const name of ["domino_run.gltf", "swing_door.gltf", "mira.vrm"]) {
  test(`Babylon draws ${name} where Tendon puts it`, { skip }, async () => {
    const { engine, scene, container } = await loadScene(name);
    const tendon = await loadTendon();
    const asset = openExample(tendon, name);
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    const driver = new BabylonDriver(actor, container.getNodes());
    assert.ok(driver.nodes.filter((node) => node !== undefined).length >= asset.nodes.filter(({ mesh }) => mesh >= 0).length);
    scene.onBeforeRenderObservable.add(() => {
      stage.step(6);
      driver.update();
    });
    for (let frame = 0; frame < 20; ++frame) {
      scene.render();
    }
    // Babylon's scenes are left-handed: the loader puts the file below a root that mirrors it.
    const root = container.rootNodes[0].computeWorldMatrix(true).m;
    const place = ([x, y, z]) => [0, 1, 2].map((axis) => x * root[axis] + y * root[4 + axis] + z * root[8 + axis] + root[12 + axis]);
    let farthest = 0;
    let moved = 0;
    driver.nodes.forEach((node, index) => {
      const drawn = node.computeWorldMatrix(true).m.slice(12, 15);
      const wanted = place(actor.globals.subarray(16 * index + 12, 16 * index + 15));
      farthest = Math.max(farthest, ...wanted.map((value, axis) => Math.abs(value - drawn[axis])));
      moved += asset.nodes[index].rotation.some((value, i) => Math.abs(value - node.rotationQuaternion.asArray()[i]) > 1e-3) ? 1 : 0;
    });
    assert.ok(moved > 0, "something has turned");
    assert.ok(farthest < 1e-4, `${farthest} m`);
    const mesh = container.meshes.find((one) => one.getTotalVertices() > 0);
    assert.ok(asset.nodes[driver.findNode(mesh)].mesh >= 0);
    stage.destroy();
    scene.dispose();
    engine.dispose();
  });
}
