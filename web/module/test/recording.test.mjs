// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Recordings: of the module, replayed here, without SIMD, by the program under WASI and by the native one, and the other way.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TendonError, loadTendon, native, openExample, packageFolder, top } from "./common.mjs";

const tendon = await loadTendon();
const scalar = await loadTendon(undefined, { simd: false });
const throwsCode = (code, run) => assert.throws(run, (error) => error instanceof TendonError && error.code === code);

/** Records a session: an example, a hand on one of its bodies, bodies and a hull of the application, a rollback. */
function recordSession(name, instance = tendon, steps = 90) {
  const stage = instance.createStage();
  const recorder = stage.record({ build: "test" });
  const asset = openExample(instance, name);
  const actor = stage.addActor(asset);
  const clip = asset.animations.length > 0 ? asset.createClip(0) : null;
  if (clip !== null) actor.play(clip, { loop: true });
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? 0.2 : -0.2, i & 2 ? 0.3 : -0.3, i & 4 ? 0.25 : -0.25]);
  const hull = instance.createHull(corners.flat());
  const mesh = instance.createMesh([-3, 0, -3, -3, 0, 3, 3, 0.1, 3, 3, 0, -3], [0, 1, 2, 0, 2, 3]);
  const isGrabbable = (node) => stage.grab(actor, node, [0, 0, 0]);
  let grab = null;
  let block = null;
  const hashes = [];
  for (let i = 0; i < steps; ++i) {
    if (i === 5) {
      const ground = stage.world.createBody({ motion: "static", position: [0, -2, 0] });
      ground.createShape({ type: "mesh", geometry: mesh });
      const body = stage.world.createBody({ motion: "dynamic", position: [0.1, 3, 0.2] });
      body.createShape({ type: "hull", geometry: hull, density: 500 });
      body.applyImpulse([3, 0, 1]);
    }
    if (i === 20) {
      for (let node = 0; node < asset.nodes.length && grab === null; ++node) {
        grab = isGrabbable(node);
      }
    }
    if (grab !== null && i > 20 && i < 60) grab.move([0.02 * i, 1 + 0.01 * i, 0]);
    if (i === 60) grab?.release();
    if (i === 30) block = stage.save();
    if (i === 70) stage.load(block);
    stage.step();
    hashes.push(stage.stateHash);
  }
  const bytes = recorder.finish();
  stage.destroy();
  asset.destroy();
  return { bytes, hashes, hasGrab: grab !== null };
}

/** Replays in an instance. @returns the hashes after every step */
function replayIn(instance, bytes) {
  const recording = instance.loadRecording(bytes);
  const replay = recording.replay();
  const hashes = [];
  for (let result = replay.step(); result !== "end"; result = replay.step()) {
    assert.equal(result, "same");
    hashes.push(replay.stage.stateHash);
  }
  assert.equal(replay.difference, null);
  assert.equal(replay.stage.actors.length, replay.actors.filter((actor) => actor !== null).length);
  recording.destroy();
  return hashes;
}

function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), "tendon-"));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const wasi = (words) => execFileSync(process.execPath, ["--no-warnings", join(packageFolder, "cli.mjs"), ...words], { cwd: top, encoding: "utf8" });

for (const name of ["catapult.gltf", "rope_bridge.gltf", "robot_arm.gltf", "lanky.vrm", "wave.bvh"]) {
  test(`${name}: a session is repeated to the bit with and without SIMD, by npx tendon and by the native program`, () => {
    const { bytes, hashes, hasGrab } = recordSession(name);
    assert.equal(hasGrab, ["catapult.gltf", "rope_bridge.gltf"].includes(name));
    assert.deepEqual(replayIn(tendon, bytes), hashes);
    assert.deepEqual(replayIn(scalar, bytes), hashes);
    inFolder((folder) => {
      const file = join(folder, "session.tdrec");
      writeFileSync(file, bytes);
      assert.match(wasi(["replay", file]), /^90 of 90 steps repeated to the bit$/m);
      if (existsSync(native)) assert.match(execFileSync(native, ["replay", file], { encoding: "utf8" }), /^90 of 90 steps repeated to the bit$/m);
    });
  });
}

test("recordings of the native program are repeated here and by npx tendon", { skip: !existsSync(native) }, () => {
  for (const words of [["domino_run.gltf"], ["swing_door.gltf"], ["mira.vrm", "--motion", "examples/wave.bvh"]]) {
    inFolder((folder) => {
      const file = join(folder, "native.tdrec");
      const [name, ...options] = words;
      execFileSync(native, ["trace", join("examples", name), ...options, "--seconds", "1", "--record", file, "-o", join(folder, "t.jsonl"), "-q"], { cwd: top });
      const bytes = readFileSync(file);
      assert.equal(replayIn(tendon, bytes).length, 60);
      assert.equal(replayIn(scalar, bytes).length, 60);
      assert.match(wasi(["replay", file]), /^60 of 60 steps/m);
      const other = join(folder, "wasi.tdrec");
      wasi(["trace", join("examples", name), ...options, "--seconds", "1", "--record", other, "-o", join(folder, "t.jsonl"), "-q"]);
      assert.match(execFileSync(native, ["replay", other], { encoding: "utf8" }), /^60 of 60 steps/m);
      execFileSync(native, ["diff", file, other]);
    });
  }
});

test("a recording describes itself and its files, and its replay has actors", () => {
  const { bytes } = recordSession("robot_arm.gltf", tendon, 40);
  const recording = tendon.loadRecording(bytes);
  assert.equal(recording.build, "test");
  assert.equal(recording.version, tendon.version);
  assert.equal(recording.stepRate, 60);
  assert.equal(recording.stepCount, 40);
  assert.ok(recording.isComplete);
  assert.equal(recording.assets.length, 1);
  assert.equal(recording.assets[0].name, "robot_arm.gltf");
  assert.deepEqual(recording.assets[0].bytes, new Uint8Array(readFileSync(join(top, "examples/robot_arm.gltf"))));
  for (const [uri, file] of recording.assets[0].files) assert.deepEqual(file, new Uint8Array(readFileSync(join(top, "examples", uri))));
  const replay = recording.replay();
  replay.step();
  const [actor] = replay.actors;
  assert.equal(actor.asset.nodes.length, recording.assets[0].bytes.length > 0 ? openExample(tendon, "robot_arm.gltf").nodes.length : 0);
  const before = actor.globals.slice();
  for (let i = 0; i < 20; ++i) replay.step();
  assert.equal(replay.stage.stepCount, 21);
  assert.notDeepEqual(actor.globals, before);
  throwsCode("USAGE", () => actor.destroy());
  replay.destroy();
  replay.destroy();
  throwsCode("USAGE", () => replay.step());
  recording.destroy();
  throwsCode("USAGE", () => recording.replay());
});

test("an impulse that is not recorded is found with step, body and both places", () => {
  const { bytes } = recordSession("domino_run.gltf", tendon, 40);
  const recording = tendon.loadRecording(bytes);
  const replay = recording.replay();
  for (let i = 0; i < 10; ++i) assert.equal(replay.step(), "same");
  const node = replay.actors[0].asset.bodies.find((body) => body.motion === "dynamic").node;
  replay.actors[0].applyImpulse(node, [0, 0.01, 0]);
  assert.equal(replay.step(), "differs");
  const { difference } = replay;
  assert.equal(difference.step, 11);
  assert.equal(difference.node, node);
  assert.equal(difference.actor, 0);
  assert.ok(difference.repeated.position[1] > difference.recorded.position[1]);
  recording.destroy();
});

test("bytes can be taken while the recording grows; without an end it is used up to its last step", () => {
  const stage = tendon.createStage();
  const recorder = stage.record();
  stage.addActor(openExample(tendon, "catapult.gltf"));
  const parts = [];
  for (let i = 0; i < 30; ++i) {
    stage.step();
    parts.push(recorder.take());
  }
  const whole = () => Uint8Array.from(parts.flatMap((part) => [...part]));
  const cut = tendon.loadRecording(whole());
  assert.ok(!cut.isComplete && cut.stepCount === 30);
  assert.deepEqual(cut.findings.map((finding) => finding.code), ["RECORDING_CUT"]);
  cut.destroy();
  parts.push(recorder.finish());
  assert.ok(tendon.loadRecording(whole()).isComplete);
  throwsCode("USAGE", () => recorder.take());
  stage.destroy();
});

test("what cannot be recorded or replayed is refused", () => {
  const stage = tendon.createStage();
  stage.step();
  throwsCode("USAGE", () => stage.record());
  const other = tendon.createStage();
  other.record();
  throwsCode("USAGE", () => other.record());
  other.destroy(); // with its recorder
  const small = tendon.createStage();
  const recorder = small.record({ maxAssetBytes: 100 });
  small.addActor(openExample(tendon, "catapult.gltf"));
  small.step();
  assert.throws(() => recorder.finish(), (error) => error.code === "IMPOSSIBLE" && error.findings[0].code === "RECORDING_ASSET");
  throwsCode("UNREADABLE", () => tendon.loadRecording(new Uint8Array(100)));
  throwsCode("USAGE", () => tendon.loadRecording("session.tdrec"));
  const { bytes } = recordSession("robot_arm.gltf", tendon, 20);
  for (let i = 0; i < bytes.length; i += 97) {
    const damaged = bytes.slice();
    damaged[i] ^= 4;
    assert.throws(() => tendon.loadRecording(damaged), (error) => error.code === "UNREADABLE" && error.findings[0].code === "RECORDING_DAMAGED");
  }
});
