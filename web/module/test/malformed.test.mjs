// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Random calls with malformed arguments: each works or throws a TendonError, and the instance stays alive.
// TENDON_CALLS and TENDON_SEED give the number of calls and another seed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tendon, TendonError, loadTendon, openExample } from "./common.mjs";

/** Numbers below 2^32 from a seed (xorshift), so that a failure can be repeated. */
function makeRandom(seed) {
  let state = seed;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
  };
}

const throwing = { get x() { throw new TypeError("of the caller"); } };
const values = [
  undefined, null, true, false, 0, 1, 2, -1, 0.5, NaN, Infinity, -Infinity, 1e39, 99, "", "x", "happy", "box", "hinge", "0", 7n, Symbol("s"), {}, [], [1, 2, 3],
  [0, 0, 0, 1], [0, 0, 0], [1, NaN, 0], [[], [], []], "123", new Float32Array(3), new Float32Array(6), new Uint8Array(4), new Date(0), () => 1, class {}, new Map(),
  { type: "box", size: [1, 1, 1] }, { type: "hull" }, { type: "mesh", geometry: {} }, { shapes: 3 }, { shapes: [null] }, { position: "abc" }, { x: 1, y: 2, z: 3 },
  { type: "ball" }, { limits: [{}] }, { limits: [null], drives: [7] }, { gravity: null }, { filter: 5 }, { ignoreBody: {} }, { seconds: 0.05 }, { seconds: "long" },
  { name: Symbol("n") }, { files: 7 }, { stepRate: "fast" }, { rotation: [0, 0, 0, 0] }, { motion: "flying" }, { translation: [1] }, Object.create(null), throwing,
  new Proxy({}, { get() { throw new RangeError("of the caller"); } }),
];

const keys = [
  "type", "size", "radius", "radiusTop", "radiusBottom", "height", "shapes", "geometry", "position", "rotation", "scale", "motion", "mass", "density", "friction",
  "filter", "limits", "drives", "axes", "axis", "min", "max", "bodyA", "bodyB", "frameA", "frameB", "seconds", "gravity", "stepRate", "files", "name", "translation",
  "weight", "loop", "speed", "time", "ignoreBody", "pairs", "memory", "systems", "collideWith", "notCollideWith", "velocity", "target", "length",
];

/** A value of the pool, or an array or object of such values. */
function makeValue(random, pool, depth = 2) {
  const kind = depth > 0 ? random(8) : 7;
  if (kind === 0) return Array.from({ length: random(5) }, () => makeValue(random, pool, depth - 1));
  if (kind < 3) return Object.fromEntries(Array.from({ length: 1 + random(4) }, () => [keys[random(keys.length)], makeValue(random, pool, depth - 1)]));
  return pool[random(pool.length)];
}

/** Public methods and accessors of an object. */
function listMembers(object) {
  const members = [];
  for (let at = Object.getPrototypeOf(object); at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (name === "constructor" || name.startsWith("_")) continue;
      if (typeof property.value === "function") members.push([name, "call"]);
      if (property.get) members.push([name, "get"]);
      if (property.set) members.push([name, "set"]);
    }
  }
  return members;
}

function makeObjects(tendon) {
  const asset = openExample(tendon, "robot_arm.gltf");
  const avatar = openExample(tendon, "mannequin.gltf");
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  const clip = asset.createClip(0);
  const play = actor.play(clip);
  const world = tendon.createWorld();
  const body = world.createBody({ shapes: [{ type: "box", size: [1, 1, 1] }] });
  const joint = world.createJoint({ type: "hinge", bodyB: body, drives: [{}] });
  const hull = tendon.createHull([-1, -1, -1, 1, -1, -1, 0, -1, 1, 0, 1, 0]);
  return [tendon, asset, avatar, stage, actor, clip, play, world, body, body.shapes[0], joint, hull, world.createFilter(), actor.record(), stage.world];
}

test("malformed calls give errors of Tendon", async (t) => {
  const tendon = await loadTendon(null, { maxMemory: 2 ** 28 });
  const random = makeRandom(Number(process.env.TENDON_SEED ?? 20260722));
  let objects = makeObjects(tendon);
  let refused = 0;
  const count = Number(process.env.TENDON_CALLS ?? 30000);
  const promises = [];
  for (let i = 0; i < count; ++i) {
    if (i % 300 === 299) {
      objects.forEach((object) => { if (object !== tendon && object.stage?.world !== object && object.stage !== objects[3]) object.destroy?.(); });
      objects = makeObjects(tendon);
    }
    const object = objects[random(objects.length)];
    const members = listMembers(object);
    const [name, kind] = members[random(members.length)];
    const pool = [...values, ...objects];
    const args = Array.from({ length: random(5) }, () => makeValue(random, pool));
    try {
      if (kind === "get") void object[name];
      else if (kind === "set") object[name] = args[0];
      else {
        const result = object[name](...args);
        if (result instanceof Promise) promises.push(result.catch((error) => assert.ok(error instanceof TendonError, `${name}: ${error.stack}`)));
      }
    } catch (error) {
      assert.ok(error instanceof TendonError, `call ${i}: ${object.constructor.name}.${name} (${kind}): ${error?.stack}`);
      assert.notEqual(error.code, "FAULT", `call ${i}: ${object.constructor.name}.${name}: ${error.message}`);
      refused += 1;
    }
  }
  await Promise.all(promises);
  assert.ok(!tendon.isDead);
  t.diagnostic(`${refused} of ${count} calls were refused`);
  assert.ok(refused > count / 4, `${refused}`);
});

test("loading with malformed arguments is refused", async () => {
  const bad = [7, {}, [], new Uint8Array(3), "no:such/address\u0000", Symbol("s")];
  for (const source of bad) await assert.rejects(loadTendon(source), TendonError);
  for (const options of [null, 7, { maxMemory: "much" }, { maxMemory: NaN }]) await assert.rejects(loadTendon(null, options), TendonError);
});

test("an engine is made by loadTendon only", () => {
  for (const value of values) assert.throws(() => new Tendon(value), TendonError);
});

test("errors of the caller's own functions pass through", () => {
  return loadTendon().then((tendon) => {
    const own = new TypeError("mine");
    const bytes = new TextEncoder().encode(JSON.stringify({ asset: { version: "2.0" }, buffers: [{ uri: "a.bin", byteLength: 4 }], bufferViews: [{ buffer: 0, byteLength: 4 }] }));
    assert.throws(() => tendon.open(bytes, { files: () => { throw own; } }), (error) => error === own);
    assert.ok(!tendon.isDead);
  });
});
