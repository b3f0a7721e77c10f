// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The module against the native program: every example, both builds, every node of every frame, bit for bit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadTendon, native, openExample, top } from "./common.mjs";

const SECONDS = 2;
const RATE = 60;
const names = readdirSync(join(top, "examples")).filter((name) => /\.(gltf|glb|vrm|bvh)$/.test(name));

function traceNatively(name) {
  const options = ["--seconds", SECONDS, "--rate", RATE, "--quiet"];
  const text = execFileSync(native, ["trace", join(top, "examples", name), ...options.map(String)], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

/** The decimals of a trace read back as the same floats. */
function compareFrame(frame, actor, step) {
  const { locals, globals } = actor;
  frame.locals.forEach((numbers, node) => {
    numbers.forEach((value, i) => {
      const here = locals[10 * node + i];
      assert.ok(Math.fround(value) === here, `step ${step}, node ${node}, local ${i}: ${value} natively, ${here} here`);
    });
  });
  frame.nodes.forEach((numbers, node) => {
    for (let i = 0; i < 3; ++i) {
      const here = globals[16 * node + 12 + i];
      assert.ok(Math.fround(numbers[i]) === here, `step ${step}, node ${node}, global ${i}: ${numbers[i]}, ${here} here`);
    }
  });
}

function traceHere(tendon, name, lines) {
  const asset = openExample(tendon, name);
  const stage = tendon.createStage({ stepRate: RATE });
  const actor = stage.addActor(asset);
  if (asset.animations.length > 0) actor.play(asset.createClip(0));
  stage.evaluate(0);
  const events = [];
  let step = 0;
  for (const frame of lines.filter((line) => line.nodes)) {
    while (step < Math.round(frame.time * RATE)) {
      stage.step();
      step += 1;
      for (const event of stage.triggerEvents) {
        events.push({ time: Math.fround(stage.time), event: event.type, a: event.triggerNode, b: event.visitorNode });
      }
    }
    compareFrame(frame, actor, step);
  }
  const triggers = lines.filter((line) => line.event?.startsWith("trigger"));
  assert.equal(events.length, triggers.length, "trigger events");
  triggers.forEach((line, i) => {
    assert.equal(events[i].event, line.event);
    assert.equal(events[i].time, Math.fround(line.time));
    assert.equal(events[i].a, line.a);
  });
  stage.destroy();
  asset.destroy();
  return step;
}

for (const simd of [true, false]) {
  const tendon = await loadTendon(null, { simd });
  test(`the ${simd ? "SIMD" : "scalar"} build is the one that was asked for`, () => assert.equal(tendon.simd, simd));
  for (const name of names) {
    test(`${name} moves as natively (${simd ? "SIMD" : "scalar"})`, () => {
      const lines = traceNatively(name);
      assert.equal(traceHere(tendon, name, lines), SECONDS * RATE);
    });
  }
}
