// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Copies of an instance: objects on a copy of the memory go on to the same bits, and both can be released.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { adoptObjects, createBlank, dumpObjects, readMemory, writeMemory } from "../copy.js";
import { loadTendon } from "../tendon.js";

const read = (path) => new Uint8Array(readFileSync(new URL(`../../../${path}`, import.meta.url)));
const module = await WebAssembly.compile(read("build/web/tendon.wasm"));

/** A copy of a session, through plain data, as a message to another thread makes it. */
async function copy(tendon, objects) {
  const dump = structuredClone(dumpObjects(objects));
  const other = await createBlank(module, {}, tendon.memorySize);
  for (let at = 0; at < tendon.memorySize; at += 1 << 20) {
    writeMemory(other, at, readMemory(tendon, at, Math.min(1 << 20, tendon.memorySize - at)));
  }
  return { tendon: other, ...adoptObjects(other, dump) };
}

for (const name of ["domino_run.gltf", "solar_system.gltf", "mira.vrm"]) {
  test(`a copy of ${name} has the same future`, async () => {
    const tendon = await loadTendon(module);
    const asset = tendon.open(read(`examples/${name}`), { name });
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    const clip = asset.animations.length > 0 ? asset.createClip(0) : null;
    if (clip !== null) actor.play(clip, { loop: true, speed: 0.5 });
    stage.step(7);
    const twin = await copy(tendon, { asset, stage, actor, clip });
    assert.deepEqual(twin.asset.nodes, asset.nodes);
    assert.deepEqual(twin.asset.humanoid, asset.humanoid);
    assert.deepEqual(twin.actor.shapes, actor.shapes);
    assert.equal(twin.stage.stepCount, 7);
    for (let i = 0; i < 30; ++i) {
      stage.step();
      twin.stage.step();
      assert.equal(twin.stage.stateHash, stage.stateHash);
      assert.deepEqual(twin.actor.globals, actor.globals);
    }
    assert.equal(twin.actor.plays[0]?.speed, actor.plays[0]?.speed);
    // The copy is on its own: it can be changed and released alone.
    twin.clip?.destroy();
    twin.asset.destroy();
    twin.stage.step();
    twin.stage.destroy();
    assert.equal(twin.tendon.isDead, false);
    stage.step();
    assert.equal(tendon.isDead, false);
  });
}
