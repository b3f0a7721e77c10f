// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Spring bones: descriptions, motion, switches, parameters, and the two ways to step. In Node and in Chromium.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TendonError, loadTendon, openExample } from "./common.mjs";

const tendon = await loadTendon();
const encode = (json) => new TextEncoder().encode(JSON.stringify(json));
const throwsUsage = (run) => assert.throws(run, (error) => error instanceof TendonError && error.code === "USAGE");

/** A chain of three joints along x, 0.1 m each, that gravity pulls down; a plane below. */
const chain = ({ gravityPower = 1, stiffness = 0, isOld = false } = {}) => {
  const nodes = [
    { name: "root", children: [1], translation: [0, 1, 0] },
    { name: "a", children: [2], translation: [0.1, 0, 0] },
    { name: "b", children: [3], translation: [0.1, 0, 0] },
    { name: "c", translation: [0.1, 0, 0] },
    { name: "wall", translation: [0, 0.5, 0] },
  ];
  const plane = { specVersion: "1.0", shape: { plane: { offset: [0, 0.25, 0], normal: [0, 1, 0] } } };
  const extensions = isOld
    ? { VRM: { secondaryAnimation: { boneGroups: [{ comment: "chain", stiffiness: stiffness, gravityPower, bones: [1], colliderGroups: [] }], colliderGroups: [] } } }
    : { VRMC_springBone: {
      specVersion: "1.0",
      colliders: [
        { node: 4, shape: { sphere: { offset: [0.1, 0.2, 0.3], radius: 0.05 } } },
        { node: 4, shape: { sphere: { radius: 0 } }, extensions: { VRMC_springBone_extended_collider: plane } },
      ],
      colliderGroups: [{ name: "walls", colliders: [1, 0] }],
      springs: [{ name: "chain", center: 0, colliderGroups: [0],
        joints: [1, 2, 3].map((node) => ({ node, stiffness, gravityPower, dragForce: 0.4, hitRadius: 0.01 })) }],
    } };
  return encode({ asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0, 4] }], nodes, extensions,
    extensionsUsed: [...Object.keys(extensions), ...(isOld ? [] : ["VRMC_springBone_extended_collider"])] });
};

const heightOf = (actor, node) => actor.globals[16 * node + 13];

test("springs, joints, colliders and groups are described", () => {
  const asset = tendon.open(chain());
  const [spring] = asset.springs;
  assert.deepEqual([asset.springs.length, spring.name, spring.center, spring.firstJoint, spring.colliderGroups], [1, "chain", 0, 0, [0]]);
  assert.deepEqual(spring.joints.map(({ node, tailNode, isInert }) => [node, tailNode, isInert]), [[1, 2, false], [2, 3, false]]);
  assert.deepEqual(spring.joints, asset.springJoints);
  const { tail, dragForce, hitRadius, gravityPower, gravityDir, limit } = spring.joints[0];
  assert.ok(Math.abs(tail[0] - 0.1) < 1e-6 && Math.abs(dragForce - 0.4) < 1e-6 && Math.abs(hitRadius - 0.01) < 1e-6);
  assert.deepEqual([gravityPower, gravityDir, limit], [1, [0, -1, 0], null]);
  assert.deepEqual(asset.springColliders.map(({ node, shape }) => [node, shape]), [[4, "sphere"], [4, "plane"]]);
  assert.deepEqual(asset.springColliders[1].normal, [0, 1, 0]);
  assert.deepEqual(asset.springColliderGroups, [{ name: "walls", colliders: [1, 0] }]);
  const plain = openExample(tendon, "swing_door.gltf");
  assert.deepEqual([plain.springs, plain.springJoints, plain.springColliders, plain.springColliderGroups], [[], [], [], []]);
  const old = tendon.open(chain({ isOld: true }));
  assert.deepEqual(old.springJoints.map(({ node, tailNode }) => [node, tailNode]), [[1, 2], [2, 3], [3, -1]], "a virtual tail");
});

test("springs move, collide, switch off and on, and reset", () => {
  const asset = tendon.open(chain());
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  assert.equal(actor.springsEnabled, true);
  stage.step(120);
  assert.ok(heightOf(actor, 3) < 0.95, "the chain falls");
  assert.ok(heightOf(actor, 3) > 0.75 + 0.01 - 1e-3, "the plane at 0.75 m holds it");
  const place = actor.getSpringTail(1);
  [12, 13, 14].forEach((at, i) => assert.ok(Math.abs(place[i] - actor.globals[16 * 3 + at]) < 1e-5, "the tail is the next joint"));
  actor.springsEnabled = false;
  stage.step();
  assert.equal(actor.springsEnabled, false);
  assert.equal(heightOf(actor, 3), 1, "switched off, it has its rest pose");
  actor.springsEnabled = true;
  stage.step();
  assert.ok(heightOf(actor, 3) > 0.98, "switched on, it starts at rest");
  stage.step(60);
  const low = heightOf(actor, 3);
  actor.resetSprings();
  stage.step();
  assert.ok(heightOf(actor, 3) > low + 0.02, "a reset lifts it");
  assert.equal(stage.addActor(asset, { springs: false }).springsEnabled, false);
  throwsUsage(() => actor.getSpringTail(2));
  throwsUsage(() => actor.getSpringParameters(-1));
});

test("parameters of a joint are set and given back", () => {
  const asset = tendon.open(chain());
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  const own = actor.getSpringParameters(0);
  actor.setSpringParameters(0, { gravityPower: 0 });
  actor.setSpringParameters(1, { gravityPower: 0 });
  assert.deepEqual(actor.getSpringParameters(0), { ...own, gravityPower: 0 });
  stage.step(30);
  assert.ok(Math.abs(heightOf(actor, 3) - 1) < 1e-5, "without gravity it stays");
  actor.setSpringParameters(0, null);
  assert.deepEqual(actor.getSpringParameters(0), own);
  stage.step(30);
  assert.ok(heightOf(actor, 3) < 0.999);
  throwsUsage(() => actor.setSpringParameters(0, { stiffness: NaN }));
  throwsUsage(() => actor.setSpringParameters(9, { stiffness: 1 }));
});

test("a teleport is no motion, a move is one", () => {
  const asset = tendon.open(chain({ gravityPower: 0, stiffness: 0.2 }));
  const tipAfter = (run) => {
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    stage.step(2);
    run(actor);
    stage.step();
    const turn = actor.locals.slice(10 * 1 + 3, 10 * 1 + 7);
    stage.destroy();
    return Math.hypot(turn[0], turn[1], turn[2]);
  };
  const side = Math.SQRT1_2;
  assert.ok(tipAfter((actor) => actor.teleport([5, 0, 0], [0, side, 0, side])) < 1e-5);
  const free = tendon.open(chain({ gravityPower: 0, stiffness: 0.2, isOld: true })); // no centre: the world is at rest
  const stage = tendon.createStage();
  const actor = stage.addActor(free);
  stage.step(2);
  throwsUsage(() => actor.teleport([NaN, 0, 0]));
  throwsUsage(() => actor.teleport([0, 0, 0], [0, Infinity, 0, 1]));
  actor.setPlacement([0.05, 0.05, 0]);
  stage.step();
  assert.ok(Math.hypot(...actor.locals.slice(13, 16)) > 1e-3, "inertia keeps the tail back");
});

test("the fixed rate shows the same motion at every frame rate; variable steps do not", () => {
  const asset = tendon.open(chain({ gravityPower: 0.25 }));
  const play = (rate, advance) => {
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    for (let i = 0; i < rate / 5; ++i) advance(stage, 1 / rate); // 0.2 s, on the way down
    const height = heightOf(actor, 3);
    assert.ok(Math.abs(stage.time - 0.2) < 0.02, `${stage.time}`);
    stage.destroy();
    return height;
  };
  const fixed = [30, 60, 120].map((rate) => play(rate, (stage, seconds) => stage.advance(seconds)));
  assert.ok(Math.max(...fixed) - Math.min(...fixed) < 5e-3, fixed.join());
  const variable = [30, 60, 120].map((rate) => play(rate, (stage, seconds) => stage.stepVariable(seconds)));
  assert.ok(Math.max(...variable) - Math.min(...variable) > 5e-3, variable.join());
  throwsUsage(() => tendon.createStage().stepVariable(NaN));
});

test("the character dances with hair, skirt and tail", () => {
  const avatar = openExample(tendon, "mira.vrm");
  const clip = avatar.retarget(openExample(tendon, "dance.vrma"));
  assert.deepEqual([avatar.springs.length, avatar.springJoints.length, avatar.springColliders.length], [33, 102, 12]);
  const poses = [true, false].map((springs) => {
    const stage = tendon.createStage();
    const actor = stage.addActor(avatar, { springs });
    actor.play(clip, { loop: true });
    stage.step(300);
    const locals = actor.locals.slice();
    stage.destroy();
    return locals;
  });
  const turned = new Set(avatar.springJoints.map((joint) => joint.node));
  avatar.nodes.forEach((info, node) => {
    const [a, b] = poses.map((locals) => locals.subarray(10 * node + 3, 10 * node + 7));
    const isSame = a.every((value, i) => value === b[i]);
    assert.ok(turned.has(node) || isSame, `${info.name} is no spring joint`);
  });
  const moved = [...turned].filter((node) => Math.abs(poses[0][10 * node + 6]) < 0.99999);
  assert.ok(moved.length > 80, `${moved.length} joints sway`);
});
