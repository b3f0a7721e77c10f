// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A stage in a worker: the same motion, transferred poses, stopping.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { TendonError, loadTendon, openExample, packageFolder, readExample, top } from "./common.mjs";

const { WorkerStage } = await import(pathToFileURL(join(packageFolder, "worker.js")).href);
const rejectsCode = (code, promise) => assert.rejects(promise, (error) => error instanceof TendonError && error.code === code, code);

test("a worker computes the same motion and lends its poses", async () => {
  const remote = await WorkerStage.create();
  const actor = await remote.addActor(readExample("domino_run.gltf"), { name: "domino_run.gltf" });
  const tendon = await loadTendon();
  const stage = tendon.createStage();
  const own = stage.addActor(openExample(tendon, "domino_run.gltf"));
  assert.equal(actor.nodes.length, own.asset.nodes.length);
  assert.equal(remote.version, tendon.version);
  const frame = await remote.step(30);
  stage.step(30);
  assert.equal(frame.stateHash, stage.stateHash);
  assert.deepEqual(frame.globals[actor.id], own.globals.slice());
  assert.equal(frame.stepCount, 30);
  remote.release(frame);
  assert.equal(frame.globals[actor.id].length, 0, "the buffer went back");
  const node = own.asset.bodies.find(({ motion }) => motion === "dynamic").node;
  await remote.call(actor, "applyImpulse", node, [0, 1, 0]);
  own.applyImpulse(node, [0, 1, 0]);
  const [next, state] = await Promise.all([remote.step(), remote.call(actor, "getBodyState", node)]);
  stage.step();
  assert.equal(next.stateHash, stage.stateHash);
  assert.deepEqual(state, own.getBodyState(node));
  await rejectsCode("USAGE", remote.call(actor, "destroy"));
  await rejectsCode("USAGE", remote.call(actor, "getBodyState", 10 ** 6));
  await rejectsCode("UNREADABLE", remote.addActor(new Uint8Array(3)));
  assert.throws(() => remote.step(-1), TendonError);
  remote.stop();
  await rejectsCode("USAGE", remote.step());
});

test("an avatar plays a motion in a worker", async () => {
  const remote = await WorkerStage.create({ stage: { stepRate: 30 } });
  const actor = await remote.addActor(readExample("mannequin.gltf"), { files: { "mannequin.bin": new Uint8Array(0) } });
  await remote.play(actor, readFileSync(join(top, "examples/wave.bvh")), { loop: true });
  const before = await remote.step();
  const after = await remote.advance(0.5);
  assert.notDeepEqual(after.globals[actor.id], before.globals[actor.id]);
  remote.stop();
});

test("a worker that takes too long is reported and can be stopped", async () => {
  let slow = 0;
  let isEndless = false; // on a loaded machine, creating the worker and its actor are slow, too
  const remote = await WorkerStage.create({ slowAfter: 50, onSlow: () => { if (isEndless) { ++slow; remote.stop(); } } });
  await remote.addActor(readExample("domino_run.gltf"));
  isEndless = true;
  await rejectsCode("STOPPED", remote.step(10 ** 8));
  assert.equal(slow, 1);
  assert.ok(remote.isStopped);
});

test("the memory of a worker is bounded", async () => {
  const remote = await WorkerStage.create({ maxMemory: 8 * 2 ** 20 });
  const text = JSON.stringify({ asset: { version: "2.0" }, extras: "x".repeat(16 * 2 ** 20) });
  await rejectsCode("OUT_OF_MEMORY", remote.addActor(new TextEncoder().encode(text)));
  await remote.addActor(readExample("domino_run.gltf"));
  remote.stop();
});
