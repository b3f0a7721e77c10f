// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon/three with GLTFLoader: objects have the transforms of their nodes.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadTendon, openExample, packageFolder, readExample, top } from "./common.mjs";

const folder = join(top, "web/node_modules/three");
const skip = existsSync(folder) ? false : "needs npm ci in web";

const load = (path) => import(pathToFileURL(path).href);

/** GLTFLoader in Node, with the plugins of three-vrm. */
async function makeVrmLoader() {
  const { GLTFLoader } = await load(join(folder, "examples/jsm/loaders/GLTFLoader.js"));
  const { VRMLoaderPlugin } = await load(join(top, "web/node_modules/@pixiv/three-vrm/lib/three-vrm.module.js"));
  globalThis.self ??= globalThis; // the loader wants a browser
  globalThis.ProgressEvent ??= class extends Event {};
  return new GLTFLoader().register((parser) => new VRMLoaderPlugin(parser));
}

const hasVrm = existsSync(join(top, "web/node_modules/@pixiv/three-vrm"));

test("textures of MToon move with the time of the stage, once for all clones", { skip: hasVrm ? false : "needs npm ci in web" }, async () => {
  const { clone } = await load(join(folder, "examples/jsm/utils/SkeletonUtils.js"));
  const { SceneDriver } = await load(join(packageFolder, "three.js"));
  const loader = await makeVrmLoader();
  const tendon = await loadTendon();
  const gltf = await loader.parseAsync(new Uint8Array(readExample("mira.vrm")).buffer, "");
  const stage = tendon.createStage();
  const actor = stage.addActor(openExample(tendon, "mira.vrm"));
  const drivers = [new SceneDriver(actor, gltf), new SceneDriver(actor, gltf, clone(gltf.scene))];
  const ribbon = drivers[0].toons.find((material) => material.name === "Ribbon");
  const offsetAfter = (run) => {
    run();
    drivers.forEach((driver) => driver.update());
    return ribbon.uniforms.uvAnimationScrollXOffset.value;
  };
  assert.ok(Math.abs(offsetAfter(() => stage.step(60)) - 0.25) < 1e-6, "0.25 per second");
  assert.ok(Math.abs(offsetAfter(() => stage.evaluate(0.5)) - 0.125) < 1e-6, "and back");
  assert.ok(Math.abs(offsetAfter(() => stage.stepVariable(0.5)) - 0.25) < 1e-6);
});

test("an avatar loaded with three-vrm follows its actor, and so does a clone", { skip: hasVrm ? false : "needs npm ci in web" }, async () => {
  const { Vector3 } = await load(join(folder, "build/three.module.js"));
  const { clone } = await load(join(folder, "examples/jsm/utils/SkeletonUtils.js"));
  const { SceneDriver } = await load(join(packageFolder, "three.js"));
  const loader = await makeVrmLoader();
  const tendon = await loadTendon();
  for (const name of ["lanky.vrm", "stocky.vrm"]) {
    const gltf = await loader.parseAsync(new Uint8Array(readExample(name)).buffer, "");
    assert.ok(gltf.userData.vrm.humanoid, "three-vrm was at work");
    const asset = openExample(tendon, name);
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    actor.play(asset.retarget(openExample(tendon, "stretch.vrma")));
    stage.step(30);
    for (const root of [gltf.scene, clone(gltf.scene)]) {
      const driver = new SceneDriver(actor, gltf, root);
      driver.update();
      root.updateMatrixWorld(true);
      asset.nodes.forEach((info, node) => {
        const object = driver.objects[node];
        assert.ok(object, `${name}: node ${node} ${info.name} has an object`);
        const position = new Vector3().setFromMatrixPosition(object.matrixWorld);
        const error = Math.hypot(...[0, 1, 2].map((i) => position.getComponent(i) - actor.globals[16 * node + 12 + i]));
        assert.ok(error < 1e-5, `${name}: node ${node} ${info.name}: ${error}`);
        assert.equal(driver.findNode(object), node);
      });
    }
    // An object that is gone is an error, not a silent T-pose.
    gltf.scene.children[0].removeFromParent();
    assert.throws(() => new SceneDriver(actor, gltf), { code: "USAGE" });
  }
});

/** A GLB with changed JSON. */
function changeGlb(bytes, change) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length));
  change(json);
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
  const head = Buffer.from(bytes.subarray(0, 20));
  head.writeUInt32LE(bytes.length - length + text.length, 8);
  head.writeUInt32LE(text.length, 12);
  return Buffer.concat([head, text, bytes.subarray(20 + length)]);
}

test("expressions change colours of three.js materials", { skip: hasVrm ? false : "needs npm ci in web" }, async () => {
  const { SceneDriver } = await load(join(packageFolder, "three.js"));
  const loader = await makeVrmLoader();
  const tendon = await loadTendon();
  const bytes = changeGlb(readExample("stocky.vrm"), ({ extensions: { VRMC_vrm: { expressions } }, materials }) => {
    materials[0].alphaMode = "BLEND";
    expressions.preset.happy = { materialColorBinds: [
      { material: 0, type: "color", targetValue: [0, 0, 1, 0.5] }, { material: 0, type: "emissionColor", targetValue: [1, 0, 0, 1] }] };
  });
  const gltf = await loader.parseAsync(new Uint8Array(bytes).buffer, "");
  const asset = tendon.open(bytes);
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  const driver = new SceneDriver(actor, gltf);
  let material = null;
  gltf.scene.traverse((mesh) => (material ??= mesh.material ?? null));
  const base = material.color.toArray();
  actor.setExpression("happy", 0.5);
  stage.step();
  driver.update();
  const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 1e-6);
  assert.ok(near(material.color.toArray(), [base[0] / 2, base[1] / 2, (base[2] + 1) / 2]));
  assert.ok(near([...material.emissive.toArray(), material.opacity], [0.5, 0, 0, 0.75]));
  actor.setExpression("happy", null);
  stage.step();
  driver.update();
  assert.ok(near(material.color.toArray(), base));
});

test("a GLTFLoader result follows its actor", { skip }, async () => {
  const { Vector3 } = await load(join(folder, "build/three.module.js"));
  const { GLTFLoader } = await load(join(folder, "examples/jsm/loaders/GLTFLoader.js"));
  const { SceneDriver } = await load(join(packageFolder, "three.js"));
  globalThis.self ??= globalThis; // the loader wants a browser
  globalThis.ProgressEvent ??= class extends Event {};

  const bytes = readExample("rope_bridge.gltf");
  const gltf = await new GLTFLoader().parseAsync(new Uint8Array(bytes).buffer, "");
  const tendon = await loadTendon();
  const asset = openExample(tendon, "rope_bridge.gltf");
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  const driver = new SceneDriver(actor, gltf);
  stage.step(45);
  driver.update();
  gltf.scene.updateMatrixWorld(true);
  let count = 0;
  asset.nodes.forEach((info, node) => {
    const object = driver.objects[node];
    if (object === undefined) return;
    count += 1;
    const position = new Vector3().setFromMatrixPosition(object.matrixWorld);
    const { globals } = actor;
    const error = Math.hypot(...[0, 1, 2].map((i) => position.getComponent(i) - globals[16 * node + 12 + i]));
    // three.js multiplies in double, Tendon in float: 1e-5 m at some metres from the origin.
    assert.ok(error < 1e-5, `node ${node} ${info.name}: ${error}`);
    assert.equal(driver.findNode(object.children.find((child) => child.isMesh) ?? object) >= 0, true);
  });
  assert.ok(count >= asset.bodies.length, `${count} objects`);
});
