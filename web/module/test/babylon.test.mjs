// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The adapter for Babylon.js, with objects of the form that its glTF loader makes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { TendonError, loadTendon, openExample, packageFolder } from "./common.mjs";

const { BabylonDriver } = await import(pathToFileURL(join(packageFolder, "babylon.js")).href);

/** A vector as Babylon's: set() and components. */
const vector = () => ({ values: [], set(...values) { this.values = values; } });
const makeNode = (pointers, parent = null) => ({
  parent, position: vector(), rotationQuaternion: vector(), scaling: vector(), morphTargetManager: null, _internalMetadata: { gltf: { pointers } },
});

test("nodes of Babylon follow an actor", async () => {
  const tendon = await loadTendon();
  const asset = openExample(tendon, "swing_door.gltf");
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  const nodes = asset.nodes.map((_, i) => makeNode([`/nodes/${i}`]));
  const part = makeNode(["/meshes/0/primitives/0"], nodes[1]);
  const driver = new BabylonDriver(actor, [makeNode([]), part, ...nodes]);
  stage.step(30);
  driver.update();
  nodes.forEach((node, i) => {
    const local = [...actor.locals.subarray(10 * i, 10 * i + 10)];
    assert.deepEqual([...node.position.values, ...node.rotationQuaternion.values, ...node.scaling.values], local);
  });
  assert.equal(driver.findNode(part), 1);
  assert.equal(driver.findNode(makeNode([])), -1);
  assert.throws(() => new BabylonDriver(actor, []), (error) => error instanceof TendonError && error.code === "USAGE");
  stage.destroy();
});
