// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Saved states of stages and rollback.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TendonError, loadTendon, openExample, top } from "./common.mjs";

const tendon = await loadTendon();
const throwsUsage = (run) => assert.throws(run, (error) => error instanceof TendonError && error.code === "USAGE");

/** A stage with one example, whose first animation plays in a loop if it has one. */
function makeStage(name, instance = tendon) {
  const stage = instance.createStage();
  const asset = openExample(instance, name);
  const actor = stage.addActor(asset);
  const clip = asset.animations.length > 0 ? asset.createClip(0) : null;
  const play = clip === null ? null : actor.play(clip, { loop: true });
  return { stage, asset, actor, clip, play };
}

/** What later steps give: hashes and every local transform. */
function run(stage, count) {
  const seen = [];
  for (let i = 0; i < count; ++i) {
    stage.step();
    seen.push(stage.stateHash, ...stage.actors.map((actor) => Array.from(actor.locals).join()), JSON.stringify(stage.triggerEvents.length));
  }
  return seen;
}

for (const name of ["domino_run.gltf", "rope_bridge.gltf", "catapult.gltf", "robot_arm.gltf", "solar_system.gltf", "mira.vrm"]) {
  test(`${name}: a loaded state repeats to the bit, in this stage and in another instance`, async () => {
    const { stage } = makeStage(name);
    stage.step(25);
    const block = stage.save();
    const wanted = run(stage, 30);
    stage.load(block);
    assert.equal(stage.stepCount, 25);
    assert.equal(stage.time, 25 / 60);
    assert.deepEqual(stage.save(), block);
    assert.deepEqual(run(stage, 30), wanted);
    const other = makeStage(name, await loadTendon(undefined, { simd: false }));
    other.stage.load(block);
    assert.deepEqual(run(other.stage, 30), wanted);
    stage.destroy();
    other.stage.destroy();
  });
}

test("packed states are small, come back to the byte and name the base they need", () => {
  const { stage } = makeStage("domino_run.gltf");
  stage.step(60);
  const base = stage.save();
  stage.step();
  const block = stage.save();
  const packed = tendon.packState(block);
  const delta = tendon.packState(block, base);
  assert.ok(packed.length < block.length / 2 && delta.length < packed.length / 2, `${block.length}, ${packed.length}, ${delta.length}`);
  assert.deepEqual(tendon.unpackState(packed), block);
  assert.deepEqual(tendon.unpackState(delta, base), block);
  stage.load(tendon.unpackState(delta, base));
  throwsUsage(() => tendon.unpackState(delta));
  throwsUsage(() => tendon.unpackState(delta, block));
  throwsUsage(() => tendon.unpackState(delta.subarray(0, delta.length - 1), base));
  throwsUsage(() => tendon.unpackState(new Uint8Array(0)));
  throwsUsage(() => tendon.packState(new Uint8Array(0)));
  throwsUsage(() => tendon.packState([1, 2, 3]));
  stage.destroy();
});

test("blocks of other stages and damaged blocks are refused and change nothing", () => {
  const { stage } = makeStage("domino_run.gltf");
  const { stage: other } = makeStage("catapult.gltf");
  stage.step(10);
  const block = stage.save();
  stage.step(10);
  const before = stage.save();
  throwsUsage(() => stage.load(other.save()));
  throwsUsage(() => stage.load(block.subarray(0, block.length - 1)));
  throwsUsage(() => stage.load(new Uint8Array(0)));
  throwsUsage(() => stage.load("state"));
  for (let at = 0; at < block.length; at += 97) {
    const forged = block.slice();
    forged[at] ^= 1;
    throwsUsage(() => stage.load(forged));
  }
  assert.deepEqual(stage.save(), before);
  stage.destroy();
  throwsUsage(() => stage.save());
  throwsUsage(() => stage.load(block));
  other.destroy();
});

test("plays of the moment are valid again, later ones are over", () => {
  const { stage, actor, clip, play } = makeStage("robot_arm.gltf");
  stage.step(5);
  play.speed = 0.5;
  const block = stage.save();
  stage.step(5);
  play.stop();
  const later = actor.play(clip, { weight: 0.25 });
  stage.step(5);
  const second = stage.save();
  stage.load(block);
  assert.deepEqual(actor.plays, [play]);
  assert.ok(play.isPlaying && play.speed === 0.5 && play.weight === 1);
  assert.ok(!later.isPlaying);
  throwsUsage(() => (later.weight = 1));
  // A play whose handle is over has a new one.
  stage.load(second);
  assert.ok(!play.isPlaying && actor.plays.length === 1 && actor.plays[0] !== play);
  assert.equal(actor.plays[0].clip, clip);
  assert.equal(actor.plays[0].weight, 0.25);
  actor.plays[0].stop();
  assert.equal(actor.plays.length, 0);
  // Without the clip the state cannot be loaded.
  clip.destroy();
  throwsUsage(() => stage.load(block));
  stage.step(5);
  stage.destroy();
});

test("a released grab is held again in a state of a moment before", () => {
  const { stage, asset, actor } = makeStage("domino_run.gltf");
  const { node } = asset.bodies.find(({ motion }) => motion === "dynamic");
  const empty = stage.save();
  const grab = stage.grab(actor, node, [...actor.getBody(node).position]);
  grab.move([0, 3, 0]);
  stage.step(10);
  const block = stage.save();
  const wanted = run(stage, 20);
  grab.release();
  assert.ok(!grab.isHeld);
  stage.step(5);
  stage.load(block);
  assert.ok(grab.isHeld);
  assert.deepEqual(run(stage, 20), wanted);
  grab.release();
  grab.release();
  assert.ok(!grab.isHeld);
  stage.load(empty);
  assert.ok(!grab.isHeld);
  stage.load(block); // the body hangs on a joint whose handle is over
  assert.ok(!grab.isHeld);
  stage.destroy();
  assert.ok(!grab.isHeld);
});

test("bodies and joints from code are part of a state", () => {
  const { stage } = makeStage("domino_run.gltf");
  const body = stage.world.createBody({ position: [0, 4, 0], shapes: [{ type: "sphere", radius: 0.2 }] });
  const joint = stage.world.createJoint({ type: "ball", bodyB: body, anchor: [0.5, 4, 0] });
  stage.step(10);
  const block = stage.save();
  const wanted = run(stage, 20);
  joint.destroy();
  body.destroy();
  stage.load(block);
  assert.ok(body.isValid && joint.isValid);
  assert.deepEqual(run(stage, 20), wanted);
  stage.destroy();
});

test("a rollback with late inputs gives the steps of a run that knew them", () => {
  const inputs = new Map();
  const apply = (stage, step) => {
    if (inputs.has(step)) stage.world.gravity = inputs.get(step);
  };
  const late = makeStage("domino_run.gltf").stage;
  const history = late.createHistory(8);
  assert.equal(history.capacity, 8);
  for (let i = 0; i < 40; ++i) history.step(apply);
  assert.equal(history.count, 8);
  assert.ok(history.byteCount > 8000);
  assert.equal(late.stepCount, 40);
  inputs.set(34, [3, -9, 0]);
  history.rollback(8, apply);
  assert.equal(late.stepCount, 40);
  const known = makeStage("domino_run.gltf").stage;
  for (let i = 0; i < 40; ++i) {
    apply(known, i);
    known.step();
  }
  assert.deepEqual(late.save(), known.save());
  history.undo(3);
  assert.equal(late.stepCount, 37);
  assert.equal(history.count, 5);
  history.step(apply);
  assert.equal(history.count, 6);
  throwsUsage(() => history.undo(7));
  throwsUsage(() => history.undo(-1));
  throwsUsage(() => history.rollback(7, apply));
  throwsUsage(() => history.step(5));
  throwsUsage(() => late.createHistory(0));
  throwsUsage(() => late.createHistory("8"));
  assert.throws(() => history.step(() => { throw new RangeError("mine"); }), /^RangeError: mine$/);
  history.step(apply);
  history.destroy();
  history.destroy();
  throwsUsage(() => history.count);
  late.createHistory(2).step();
  late.destroy(); // with its history
  known.destroy();
});

// examples/relay.c, which goes on from the state that another program saved.
const relay = process.env.TENDON_RELAY ?? join(top, "build/optimised/test/example_relay");
const needsRelay = { skip: existsSync(relay) ? false : "needs the target example_relay of the preset optimised" };
const passedOn = ["catapult.gltf", "domino_run.gltf", "marble_run.gltf", "mira.vrm", "newtons_cradle.gltf", "robot_arm.gltf", "rope_bridge.gltf",
  "solar_system.gltf", "swing_door.gltf", "who_collides.gltf"];

for (const name of passedOn) {
  test(`${name}: a block goes from a native program to WebAssembly and back`, needsRelay, () => {
    const folder = mkdtempSync(join(tmpdir(), "tendon-relay-"));
    const path = join(folder, "block");
    const runRelay = (...words) => execFileSync(relay, [join(top, "examples", name), ...words], { encoding: "utf8" });
    try {
      const whole = runRelay("90");
      runRelay("30", "-o", path);
      const first = new Uint8Array(readFileSync(path));
      assert.equal(runRelay("60", "-i", path, "-o", path), whole);
      const last = new Uint8Array(readFileSync(path));
      const { stage } = makeStage(name);
      stage.load(first);
      assert.deepEqual(stage.save(), first);
      stage.step(30);
      writeFileSync(path, stage.save());
      assert.equal(runRelay("30", "-i", path), whole);
      // Both went on from the same block, and are equal to the last byte.
      stage.step(30);
      assert.equal(`step 90, state ${stage.stateHash}\n`, whole);
      assert.deepEqual(stage.save(), last);
      stage.destroy();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("states and histories leave no memory behind", () => {
  const cycle = () => {
    const { stage, asset } = makeStage("catapult.gltf");
    const history = stage.createHistory(4);
    for (let i = 0; i < 6; ++i) history.step();
    history.rollback(4);
    stage.load(stage.save());
    stage.destroy();
    asset.destroy();
  };
  for (let i = 0; i < 20; ++i) cycle();
  const size = tendon.memorySize;
  for (let i = 0; i < 200; ++i) cycle();
  assert.equal(tendon.memorySize, size);
});
