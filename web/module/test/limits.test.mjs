// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Limits of files and stages: every name, what exceeds one, and what comes after.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TendonError, loadTendon } from "./common.mjs";

const tendon = await loadTendon();
const encode = (value) => new TextEncoder().encode(JSON.stringify(value));
const names = ["duration", "nodes", "accessorBytes", "triangles", "hullPoints", "joints", "filters", "keys", "frames", "pairs",
  "contacts", "outputBytes", "texels", "memory"];

/** Spheres of 1 kg, `distance` metres apart. */
const makeSpheres = (count, distance) => encode({
  asset: { version: "2.0" },
  extensionsUsed: ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"],
  extensions: {
    KHR_implicit_shapes: { shapes: [{ type: "sphere", sphere: { radius: 0.5 } }] },
    KHR_physics_rigid_bodies: { collisionFilters: [{ collisionSystems: ["a"] }, { collisionSystems: ["b"] }] },
  },
  scene: 0,
  scenes: [{ nodes: Array.from({ length: count }, (_, i) => i) }],
  nodes: Array.from({ length: count }, (_, i) => ({
    translation: [distance * i, 0, 0],
    extensions: { KHR_physics_rigid_bodies: { motion: { mass: 1 }, collider: { geometry: { shape: 0 } } } },
  })),
});

const openFails = (limits, code, name, errorCode = "UNREADABLE") =>
  assert.throws(() => tendon.open(makeSpheres(10, 2), { limits }), (error) => {
    assert.ok(error instanceof TendonError);
    assert.equal(error.code, errorCode);
    const found = error.findings.find((finding) => finding.code === code);
    assert.ok(found?.message.includes(name), JSON.stringify(error.findings));
    return true;
  });

test("a file above a limit is refused with a finding that names it", () => {
  openFails({ nodes: 9 }, "LIMIT_EXCEEDED", "nodes");
  openFails({ filters: 1 }, "LIMIT_EXCEEDED", "filters");
  openFails({ memory: 1000 }, "MEMORY_LIMIT", "memory", "OUT_OF_MEMORY");
});

test("a limit holds for one file", () => {
  openFails({ nodes: 9 }, "LIMIT_EXCEEDED", "nodes");
  for (const limits of [undefined, {}, { nodes: 10, filters: 2 }, { nodes: 0 }]) {
    const asset = tendon.open(makeSpheres(10, 2), { limits });
    assert.equal(asset.nodes.length, 10);
    asset.destroy();
  }
});

test("every limit has the name of limits.h", () => {
  const asset = tendon.open(makeSpheres(2, 2), { limits: Object.fromEntries(names.map((name) => [name, 1e9])) });
  asset.destroy();
  for (const limits of [{ node: 1 }, { nodes: -1 }, { nodes: NaN }, { nodes: "9" }, { pairs: Infinity }]) {
    for (const run of [() => tendon.open(makeSpheres(2, 2), { limits }), () => tendon.createStage({ limits })]) {
      assert.throws(run, (error) => error instanceof TendonError && error.code === "USAGE", JSON.stringify(limits));
    }
  }
});

test("a stage tells when it reaches the limit of pairs or contacts", () => {
  const run = (limits, distance) => {
    const asset = tendon.open(makeSpheres(40, distance));
    const stage = tendon.createStage({ gravity: [0, 0, 0], limits });
    stage.addActor(asset);
    stage.step(1);
    const { isLimited } = stage;
    stage.destroy();
    asset.destroy();
    return isLimited;
  };
  assert.equal(run({ pairs: 100 }, 0), true); // 780 pairs
  assert.equal(run({ contacts: 100 }, 0), true);
  assert.equal(run({}, 0), false);
  assert.equal(run({ pairs: 780, contacts: 780 }, 0), false);
  assert.equal(run({ pairs: 100 }, 3), false);
});
