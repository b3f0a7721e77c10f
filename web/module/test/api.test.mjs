// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The module's API: views, memory, clips, bodies, grabbing, baking, invalid files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ShapeState, TendonError, loadTendon, native, openExample, packageFolder, readExample, top } from "./common.mjs";

const tendon = await loadTendon();
const encode = (value) => new TextEncoder().encode(JSON.stringify(value));
const throwsCode = (code, run) => assert.throws(run, (error) => error instanceof TendonError && error.code === code);

/** A box of 1 kg that falls, one metre wide. */
const fallingBox = {
  asset: { version: "2.0" },
  extensionsUsed: ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"],
  extensions: { KHR_implicit_shapes: { shapes: [{ type: "box", box: { size: [1, 1, 1] } }] } },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [
    {
      name: "box",
      translation: [0, 10, 0],
      extensions: { KHR_physics_rigid_bodies: { motion: { mass: 1 }, collider: { geometry: { shape: 0 } } } },
    },
  ],
};

test("a body falls freely", () => {
  const asset = tendon.open(encode(fallingBox));
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  stage.step(60);
  assert.equal(stage.time, 1);
  assert.equal(stage.stepCount, 60);
  // The solver steps 4 times per step: y = 10 - g/2 (1 + 1/240), within float rounding of 240 additions.
  assert.ok(Math.abs(actor.locals[1] - (10 - (9.81 / 2) * (1 + 1 / 240))) < 1e-4, `${actor.locals[1]}`);
  assert.equal(actor.globals[13], actor.locals[1]);
  const state = actor.getBodyState(0);
  assert.equal(state.motion, "dynamic");
  assert.equal(state.mass, 1);
  assert.ok(Math.abs(state.linearVelocity[1] + 9.81) < 1e-4);
  // Energy is that of the fall: m g h and m v^2 / 2.
  const { kinetic, potential } = stage.energy;
  assert.ok(Math.abs(kinetic - 0.5 * state.linearVelocity[1] ** 2) < 1e-6);
  assert.ok(Math.abs(potential - 9.81 * state.centerOfMass[1]) < 1e-4);
  assert.match(stage.stateHash, /^[0-9a-f]{16}$/);
  stage.gravity = [0, 3, 0];
  assert.deepEqual(stage.gravity, [0, 3, 0]);
  stage.destroy();
  asset.destroy();
});

test("an actor of another scene has the shapes and joints of that scene", () => {
  const ball = (x, joint) => ({
    translation: [x, 5, 0],
    extensions: { KHR_physics_rigid_bodies: { motion: { mass: 2 }, collider: { geometry: { shape: 1 } }, ...joint } },
  });
  const file = structuredClone(fallingBox);
  file.extensions.KHR_implicit_shapes.shapes.push({ type: "sphere" });
  file.extensions.KHR_physics_rigid_bodies = { physicsJoints: [{ limits: [{ linearAxes: [0, 1, 2], min: 0, max: 0 }] }] };
  file.nodes.push(ball(3), ball(6, { joint: { connectedNode: 3, joint: 0 } }), { translation: [6, 5, 0] });
  file.scenes.push({ nodes: [1, 2, 3] });
  const asset = tendon.open(encode(file));
  const stage = tendon.createStage();
  const own = stage.addActor(asset);
  const other = stage.addActor(asset, { scene: 1 });
  stage.step(30);
  assert.deepEqual(own.shapes.map(({ node, kind }) => [node, kind]), [[0, "box"]]);
  assert.deepEqual(other.shapes.map(({ node, bodyNode, kind }) => [node, bodyNode, kind]), [[1, 1, "sphere"], [2, 2, "sphere"]]);
  assert.equal(other.shapeTransforms.length, 14);
  assert.ok(other.shapeTransforms[1] < 4 && Math.abs(other.shapeTransforms[8] - 5) < 1e-3); // one falls, one hangs
  assert.ok(Math.abs(other.getJointState(0).force[1]) > 10);
  assert.throws(() => own.getJointState(0), /no joint/);
  assert.equal(asset.sceneCount, 2);
  for (const scene of [2, -2, 0.5, NaN]) throwsCode("USAGE", () => stage.addActor(asset, { scene }));
  assert.equal(stage.actors.length, 2);
  assert.equal(stage.castRay([3, 10, 0], [3, -10, 0]).node, 1);
  stage.destroy();
  asset.destroy();
});

test("views are recreated after memory growth", async () => {
  const own = await loadTendon();
  const asset = openExample(own, "domino_run.gltf");
  const stage = own.createStage();
  const actor = stage.addActor(asset);
  stage.step();
  const before = actor.locals;
  assert.equal(actor.locals, before, "nothing changed, so the same view");
  const copy = before.slice();
  const large = own.memorySize;
  const ballast = own.open(encode({ asset: { version: "2.0" }, extras: "x".repeat(4 * large) }));
  assert.ok(own.memorySize > large);
  assert.equal(before.length, 0, "the old view is detached");
  assert.deepEqual(actor.locals, copy);
  ballast.destroy();
});

test("memory is bounded", async () => {
  const small = await loadTendon(null, { maxMemory: 8 * 2 ** 20 });
  assert.equal(small.maxMemory, 8 * 2 ** 20);
  const text = encode({ asset: { version: "2.0" }, extras: "x".repeat(16 * 2 ** 20) });
  throwsCode("OUT_OF_MEMORY", () => small.open(text));
  assert.ok(!small.isDead && small.memorySize <= small.maxMemory);
  // Create stages until memory runs out: an error, then everything works again.
  const stages = [];
  const asset = openExample(small, "rope_bridge.gltf");
  throwsCode("OUT_OF_MEMORY", () => {
    for (;;) {
      const stage = small.createStage();
      stages.push(stage);
      stage.addActor(asset);
      stage.step();
    }
  });
  assert.ok(!small.isDead && stages.length > 1);
  stages.forEach((stage) => stage.destroy());
  const stage = small.createStage();
  stage.addActor(asset);
  stage.step(10);
  assert.equal(stage.stepCount, 10);
});

test("destroyed objects release memory", () => {
  const run = () => {
    const asset = openExample(tendon, "rope_bridge.gltf");
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    stage.step(5);
    actor.bake({ seconds: 0.1 });
    asset.destroy(); // the actor keeps it until the stage goes
    stage.step();
    stage.destroy();
  };
  run();
  const size = tendon.memorySize;
  for (let i = 0; i < 20; ++i) run();
  assert.equal(tendon.memorySize, size);
});

test("invalid files give findings, never faults", () => {
  const wrong = [new Uint8Array(0), encode("text"), new Uint8Array([0x67, 0x6c, 0x54, 0x46, 2, 0, 0, 0]), encode({ asset: {} })];
  for (const bytes of wrong) {
    const findings = tendon.check(bytes, { name: "wrong.gltf" });
    assert.ok(findings.some((finding) => finding.severity === "error" && finding.source === "wrong.gltf"));
  }
  throwsCode("UNREADABLE", () => tendon.open(wrong[1]));
  const folder = join(top, "test/data/fuzz");
  let count = 0;
  const visit = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) visit(child);
      else {
        count += 1;
        const bytes = readFileSync(child);
        tendon.check(bytes);
        try {
          const asset = tendon.open(bytes);
          const stage = tendon.createStage();
          stage.addActor(asset);
          stage.step(3);
          stage.destroy();
          asset.destroy();
        } catch (error) {
          assert.equal(error.code, "UNREADABLE", `${child}: ${error.message}`);
        }
      }
    }
  };
  if (existsSync(folder)) visit(folder);
  assert.ok(!tendon.isDead, `after ${count} files`);
});

test("findings are those of the native check", () => {
  const folders = ["physics", "gltf"].map((name) => join(top, "test/data", name)).filter(existsSync);
  const files = folders.flatMap((folder) => readdirSync(folder).filter((name) => /\.(gltf|glb)$/.test(name)).slice(0, 12).map((name) => join(folder, name)));
  assert.ok(files.length > 4);
  for (const path of files) {
    let text;
    try {
      text = execFileSync(native, ["check", path, "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch (error) {
      text = error.stdout; // it found errors
    }
    const messages = JSON.parse(text).issues.messages;
    const here = tendon.check(readFileSync(path), { name: path, files: (uri) => readBeside(path, uri) });
    assert.deepEqual(
      here.map(({ code, pointer, message }) => ({ code, pointer, message })),
      messages.map(({ code, pointer, message }) => ({ code, pointer: pointer ?? "", message })),
      path,
    );
  }
});

function readBeside(path, uri) {
  const file = join(path, "..", uri);
  return existsSync(file) ? readFileSync(file) : undefined;
}

test("referenced files are requested once", async () => {
  const asked = [];
  const bytes = readExample("keepsake.gltf");
  const asset = tendon.open(bytes, { files: (uri) => (asked.push(uri), readExample(uri)) });
  assert.deepEqual(asked, ["keepsake.bin"]);
  const fromRecord = tendon.open(bytes, { files: { "keepsake.bin": readExample("keepsake.bin") } });
  const fromMap = tendon.open(bytes, { files: new Map([["keepsake.bin", readExample("keepsake.bin")]]) });
  const fromAddress = await tendon.load(pathToFileURL(join(top, "examples/keepsake.gltf")));
  const asynchronous = await tendon.load(bytes, { resolve: async (uri) => readExample(uri) });
  for (const other of [fromRecord, fromMap, fromAddress, asynchronous]) {
    assert.deepEqual(other.findings.map((f) => f.code), asset.findings.map((f) => f.code));
    assert.deepEqual(other.nodes, asset.nodes);
  }
  const without = tendon.check(bytes);
  assert.ok(without.some((finding) => finding.severity === "error"));
  assert.deepEqual(Buffer.from(asset.save()), bytes, "an unchanged file is written as it was read");
});

test("grabbing pulls a body to the target and holds it", () => {
  const asset = tendon.open(encode(fallingBox));
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  stage.step(10);
  const start = [actor.globals[12], actor.globals[13], actor.globals[14]];
  const grab = stage.grab(actor, 0, start);
  grab.move([2, 12, 1]);
  stage.step(180);
  const error = Math.hypot(...grab.point.map((value, i) => value - grab.target[i]));
  // A spring of 5 Hz gives way to gravity by g / omega^2 = 1 cm.
  assert.ok(error < 9.81 / (2 * Math.PI * 5) ** 2 + 1e-3, `${error}`);
  grab.release();
  grab.release();
  const height = actor.globals[13];
  stage.step(30);
  assert.ok(actor.globals[13] < height - 0.5, "it falls again");
  assert.equal(stage.grab(actor, 0, [0, 0, 0]) instanceof Object, true);
  stage.destroy();
  throwsCode("USAGE", () => stage.step());
  throwsCode("USAGE", () => actor.locals);
});

test("overlay data matches the world", () => {
  const asset = openExample(tendon, "swing_door.gltf");
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  stage.step(30);
  assert.equal(actor.shapes.length, asset.colliders.length);
  assert.equal(actor.shapeTransforms.length, 7 * actor.shapes.length);
  actor.shapes.forEach((shape, i) => {
    const lines = actor.getShapeLines(i);
    assert.ok(lines.length > 0 && lines.length % 6 === 0);
    const state = actor.shapeStates[i];
    if (shape.bodyNode < 0 && !shape.isTrigger) assert.equal(state, ShapeState.Static);
    const rotation = actor.shapeTransforms.subarray(7 * i + 3, 7 * i + 7);
    assert.ok(Math.abs(Math.hypot(...rotation) - 1) < 1e-5);
  });
  assert.equal(actor.jointFrames.length, 14 * asset.joints.length);
  asset.joints.forEach((joint, i) => {
    const state = actor.getJointState(i);
    assert.equal(state.limitValues.length, joint.limits.length);
    assert.equal(state.driveValues.length, joint.drives.length);
    const frames = actor.jointFrames.subarray(14 * i, 14 * i + 14);
    // Hinges keep their pivots together: within a millimetre at rest speeds.
    if (joint.type === "hinge") assert.ok(Math.hypot(frames[0] - frames[7], frames[1] - frames[8], frames[2] - frames[9]) < 2e-3);
  });
  assert.equal(actor.centersOfMass.length, 3 * asset.bodies.length);
  assert.equal(stage.contactNodes.length, stage.contactPoints.length / 4);
  const { bodyCount, awakeBodyCount } = stage.stats;
  assert.ok(bodyCount > 0 && awakeBodyCount <= bodyCount);
  stage.destroy();
});

test("sleep changes no motion and can be turned off", () => {
  const asset = tendon.open(encode(fallingBox));
  const heights = [true, false].map((sleep) => {
    const stage = tendon.createStage({ sleep, gravity: [0, -0.02, 0] });
    const actor = stage.addActor(asset);
    assert.equal(stage.sleep, sleep);
    const start = actor.getBodyState(0).centerOfMass[1];
    stage.step(240);
    const fall = start - actor.getBodyState(0).centerOfMass[1];
    // t (t + h) / 2 with the sub-step h; weak gravity, so that the box is slow for seconds.
    assert.ok(Math.abs(fall - 0.01 * 4 * (4 + 1 / 240)) < 1e-4, `${fall}`);
    stage.destroy();
    return fall;
  });
  assert.equal(heights[0], heights[1]);
  const stage = tendon.createStage({ gravity: [0, 0, 0] });
  stage.addActor(asset);
  stage.step(60);
  assert.equal(stage.stats.awakeBodyCount, 0);
  stage.sleep = false;
  stage.step();
  assert.ok(!stage.sleep && stage.stats.awakeBodyCount > 0);
  stage.destroy();
});

test("invalid options are refused", () => {
  for (const stepRate of [0, -60, NaN, Infinity]) throwsCode("USAGE", () => tendon.createStage({ stepRate }));
  for (const subSteps of [-1, 0.5, 65, 1e9, NaN]) throwsCode("USAGE", () => tendon.createStage({ subSteps }));
  tendon.createStage({ subSteps: 64 }).destroy();
});

test("numbers that are not finite are refused and change nothing", () => {
  const asset = tendon.open(encode(fallingBox));
  const runs = [true, false].map((isAttacked) => {
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    stage.step(5);
    for (const bad of isAttacked ? [NaN, Infinity, -Infinity, 1e39, undefined] : []) {
      const calls = [
        () => actor.setLinearVelocity(0, [0, bad, 0]),
        () => actor.setAngularVelocity(0, [bad, 0, 0]),
        () => actor.applyImpulse(0, [0, 0, bad]),
        () => actor.applyImpulse(0, [0, 0, 1], [bad, 0, 0]),
        () => actor.setLocal(0, { translation: [bad, 0, 0] }),
        () => actor.setPlacement([0, bad, 0]),
        () => actor.setPlacement([0, 0, 0], [0, 0, bad, 1]),
        () => actor.setGaze(bad, 0),
        () => (stage.gravity = [0, bad, 0]),
        () => stage.evaluate(bad),
        () => stage.advance(bad === -Infinity || bad === 1e39 ? -1 : bad),
        () => stage.castRay([0, bad, 0], [0, 0, 0]),
        () => stage.grab(actor, 0, [bad, 0, 0]),
        () => stage.addActor(asset, { position: [0, 0, bad] }),
        () => tendon.createStage({ gravity: [bad, 0, 0] }),
      ];
      for (const call of calls) throwsCode("USAGE", call);
    }
    throwsCode("USAGE", () => actor.setLinearVelocity(0, [1, 2]));
    const grab = stage.grab(actor, 0, [0, 0, 0]);
    throwsCode("USAGE", () => grab.move([NaN, 0, 0]));
    grab.release();
    stage.step(30);
    assert.equal(stage.stats.clampedCount, 0);
    const { stateHash } = stage;
    actor.setLinearVelocity(0, [0, 1e6, 0]);
    stage.step();
    assert.equal(stage.stats.clampedCount, 1);
    stage.destroy();
    return stateHash;
  });
  assert.equal(runs[0], runs[1]);
});

test("hostile files leave the instance usable and its memory bounded", async () => {
  const own = await loadTendon(null, { maxMemory: 128 * 2 ** 20 });
  const good = own.open(readExample("domino_run.gltf"));
  const glb = good.save("glb");
  const asset = { version: "2.0" };
  const text = (value) => new TextEncoder().encode(value);
  const files = [];
  for (let size = 0; size < glb.length; size += 97) files.push(glb.subarray(0, size));
  for (const at of [8, 12]) {
    for (const value of [0, 12, 0x7fffffff, 0xffffffff]) {
      const file = glb.slice();
      new DataView(file.buffer).setUint32(at, value, true);
      files.push(file);
    }
  }
  files.push(
    text("[".repeat(1e6)),
    text(`{"asset":{"version":"2.0"},"x":${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}}`),
    encode({ asset, accessors: [{ count: 4294967295, componentType: 5126, type: "MAT4" }], meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }] }),
    encode({ asset, buffers: [{ byteLength: 1e15 }], bufferViews: [{ buffer: 0, byteLength: 1e15 }] }),
    encode({ asset, scenes: [{ nodes: [0] }], nodes: [{ children: [0] }] }),
    encode({ asset, scenes: [{ nodes: [0] }], nodes: Array.from({ length: 50000 }, (_, i) => (i < 49999 ? { children: [i + 1] } : {})) }),
  );
  let refused = 0;
  for (const bytes of files) {
    try {
      const file = own.open(bytes);
      const stage = own.createStage();
      stage.addActor(file);
      stage.step();
      stage.destroy();
      file.destroy();
    } catch (error) {
      assert.ok(error instanceof TendonError && error.code !== "FAULT", error.message);
      refused += 1;
    }
  }
  assert.ok(refused > files.length / 2, `${refused} of ${files.length}`);
  assert.ok(!own.isDead && own.memorySize <= own.maxMemory);
  // The instance still computes the same motion.
  const hash = (instance) => {
    const stage = instance.createStage();
    stage.addActor(openExample(instance, "domino_run.gltf"));
    stage.step(30);
    return stage.stateHash;
  };
  assert.equal(hash(own), hash(tendon));
});

test("rays hit colliders", () => {
  const asset = tendon.open(encode(fallingBox));
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  stage.step();
  const hit = stage.castRay([0, 20, 0], [0, 0, 0]);
  assert.equal(hit.actor, actor);
  assert.equal(hit.node, 0);
  assert.equal(hit.bodyNode, 0);
  assert.ok(Math.abs(hit.point[1] - (actor.globals[13] + 0.5)) < 1e-4);
  assert.equal(stage.castRay([5, 20, 0], [5, 0, 0]), null);
  stage.destroy();
});

test("clips play, stop, and stop when destroyed", () => {
  const asset = openExample(tendon, "robot_arm.gltf");
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  const clip = asset.createClip(0);
  const play = actor.play(clip, { loop: true, speed: 2 });
  const rest = actor.locals.slice();
  stage.step(15);
  assert.ok(Math.abs(play.time - (0.5 % clip.duration)) < 1e-5, `${play.time}`);
  assert.notDeepEqual(actor.locals.slice(), rest);
  assert.deepEqual(actor.plays, [play]);
  clip.destroy();
  assert.ok(!play.isPlaying && actor.plays.length === 0);
  throwsCode("USAGE", () => actor.play(clip));
  throwsCode("USAGE", () => asset.createClip("no such animation"));
  stage.destroy();
  asset.destroy();
});

test("a retarget keeps contacts and chooses the travel", () => {
  const avatar = openExample(tendon, "lanky.vrm");
  const motion = openExample(tendon, "walk.bvh");
  assert.deepEqual(avatar.retarget(motion).contacts, []);
  const kept = avatar.retarget(motion, { contacts: "feet" });
  assert.ok(kept.contacts.length >= 4);
  for (const { bone, start, end } of kept.contacts) {
    assert.ok(["leftFoot", "rightFoot"].includes(bone) && start < end && end <= kept.duration + 1e-3);
  }
  assert.deepEqual(avatar.retarget(motion, { contacts: ["feet", "hands"] }).contacts, avatar.retarget(motion, { contacts: "auto" }).contacts);
  const travels = ["keep", "in-place", "scale"].map((root) => {
    const stage = tendon.createStage();
    const actor = stage.addActor(avatar);
    actor.play(avatar.retarget(motion, { root }));
    const hips = avatar.findBone("hips");
    const before = actor.globals[16 * hips + 14];
    stage.step(60);
    const travel = Math.abs(actor.globals[16 * hips + 14] - before);
    stage.destroy();
    return travel;
  });
  assert.ok(travels[0] > 0.3 && travels[1] < 1e-4 && travels[2] > 0.3 && travels[2] !== travels[0]);
  throwsCode("USAGE", () => avatar.retarget(motion, { root: "sideways" }));
  throwsCode("USAGE", () => avatar.retarget(motion, { contacts: "knees" }));
});

test("facing and rest pose of a skeleton can be given", () => {
  const open = (options) => openExample(tendon, "walk.bvh", options);
  const codes = (asset) => asset.findings.map(({ code }) => code);
  assert.ok(!codes(open({ facing: "+Z" })).includes("SK_FACING_UNKNOWN"));
  assert.notDeepEqual(
    poseOf(open({ facing: "+Z" })),
    poseOf(open({ facing: "-X" })),
  );
  assert.notDeepEqual(poseOf(open({ rest: "nodes" })), poseOf(open({ rest: 20 })));
  throwsCode("USAGE", () => open({ facing: "up" }));
  throwsCode("USAGE", () => open({ rest: "bed" }));
  function poseOf(motion) {
    const avatar = openExample(tendon, "lanky.vrm");
    const stage = tendon.createStage();
    const actor = stage.addActor(avatar);
    actor.play(avatar.retarget(motion));
    stage.step(30);
    const locals = Array.from(actor.locals);
    stage.destroy();
    return locals;
  }
});

test("a motion of another skeleton is retargeted", () => {
  const avatar = openExample(tendon, "mannequin.gltf");
  const motion = openExample(tendon, "wave.bvh");
  assert.ok(avatar.humanoid.bones.length >= 15);
  assert.equal(avatar.findBone("hips"), avatar.humanoid.bones.find((bone) => bone.name === "hips").node);
  const clip = avatar.retarget(motion);
  motion.destroy();
  const stage = tendon.createStage();
  const actor = stage.addActor(avatar);
  actor.play(clip);
  const before = actor.locals.slice();
  stage.step(30);
  assert.notDeepEqual(actor.locals.slice(), before);
  throwsCode("IMPOSSIBLE", () => tendon.open(encode(fallingBox)).retarget(openExample(tendon, "wave.bvh")));
  stage.destroy();
});

test("expressions, materials and gaze of a VRM", () => {
  const avatar = tendon.open(readFileSync(join(top, "test/data/model/fine.gltf")));
  const { meta, materialValues, firstPerson } = avatar.humanoid;
  assert.deepEqual([meta.name, meta.authors, meta.allowRedistribution], ["A", ["B", "C"], true]);
  assert.deepEqual(firstPerson.map(({ type }) => type), ["thirdPersonOnly", "both"]);
  assert.deepEqual(avatar.materialValues, materialValues);
  const color = materialValues.findIndex(({ pointer }) => pointer === "/materials/0/pbrMetallicRoughness/baseColorFactor");
  assert.deepEqual(materialValues[color].base, [1, 0.5, 0, 1]);
  const { overrideBlink, materialBindCount } = avatar.expressions.find(({ name }) => name === "happy");
  assert.deepEqual([overrideBlink, materialBindCount], ["block", 10]);
  const stage = tendon.createStage();
  const actor = stage.addActor(avatar, { overrideBoneGaze: true });
  actor.setExpression("happy", 0.5);
  const [x, y, z] = actor.globals.slice(16 * avatar.findBone("head") + 12);
  actor.setGazeTarget([x, y + 1.06, z + 1]); // 45 degrees up; a map of 90 degrees to weight 1
  stage.step();
  assert.deepEqual([...actor.materialValues.subarray(4 * color, 4 * color + 4)], [1, 0.25, 0, 1]);
  assert.equal(actor.getExpressionOutput("happy"), 0.5);
  assert.ok(Math.abs(actor.getExpressionOutput("lookUp") - 0.5) < 1e-5);
  actor.setGazeNode(avatar.findBone("hips"));
  stage.step();
  assert.equal(actor.getExpressionOutput("lookUp"), 0);
  throwsCode("USAGE", () => actor.setGazeNode(999));
  stage.destroy();
  avatar.destroy();
});

test("baking equals the native program", () => {
  const asset = openExample(tendon, "domino_run.gltf");
  const { glb } = tendon.bake(asset, { seconds: 1 });
  assert.equal(Buffer.from(glb.subarray(0, 4)).toString(), "glTF");
  const nativeBytes = execFileSync(native, ["bake", join(top, "examples/domino_run.gltf"), "--seconds", "1", "-o", "-", "--quiet"], { maxBuffer: 2 ** 26 });
  assert.ok(nativeBytes.equals(Buffer.from(glb)), "the same bytes");
  assert.deepEqual(tendon.check(glb).filter((finding) => finding.severity === "error"), []);
  // A tape of what the application did.
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  const tape = actor.record({ name: "mine" });
  for (let i = 0; i < 30; ++i) {
    tape.capture();
    stage.step();
  }
  assert.equal(tape.frameCount, 30);
  const taped = tendon.open(tape.bake().glb);
  assert.deepEqual(taped.animations.map((animation) => animation.name).slice(-1), ["mine"]);
  stage.destroy();
  throwsCode("USAGE", () => tape.capture());
});

test("advance handles frames of any length", () => {
  const asset = tendon.open(encode(fallingBox));
  const stage = tendon.createStage();
  const actor = stage.addActor(asset);
  let steps = 0;
  for (let i = 0; i < 100; ++i) steps += stage.advance(1 / 144);
  assert.equal(steps, Math.floor((100 / 144) * 60));
  assert.equal(stage.stepCount, steps);
  assert.equal(stage.advance(10), 8, "a long pause is not caught up");
  assert.ok(Number.isFinite(actor.locals[1]));
  stage.destroy();
});

test("after a fault the instance refuses calls", async () => {
  const own = await loadTendon();
  const instance = own._instance;
  const broken = instance.guard("broken", () => {
    throw new WebAssembly.RuntimeError("unreachable");
  });
  throwsCode("FAULT", broken);
  assert.ok(own.isDead);
  throwsCode("FAULT", () => own.createStage());
  assert.ok(!(await loadTendon()).isDead);
});

test("works in a worker", { skip: Worker === null && "no threads of Node here" }, async () => {
  const address = JSON.stringify(pathToFileURL(join(packageFolder, "tendon.js")).href);
  const source = `
    import { parentPort, workerData } from "node:worker_threads";
    import { loadTendon } from ${address};
    const tendon = await loadTendon();
    const stage = tendon.createStage();
    stage.addActor(tendon.open(workerData));
    stage.step(20);
    parentPort.postMessage(stage.stateHash);`;
  const bytes = encode(fallingBox);
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: bytes });
  const hash = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  const stage = tendon.createStage();
  stage.addActor(tendon.open(bytes));
  stage.step(20);
  assert.equal(hash, stage.stateHash);
});

test("JavaScript has every function of the headers of bodies, joints, queries and debug lines", () => {
  // User data are properties of the handles, limits and drives are plain objects, `tendon.simd` tells the width.
  const own = /^td(Body|Shape|Joint)_SetUserData$|^tdMake(Angular|Linear)Limit$|^tdWorld_GetSimd$/;
  const folder = join(top, "web/wasm");
  const calls = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const missing = [];
  for (const header of ["physics", "joint", "debug"]) {
    const text = readFileSync(join(top, "include/tendon", `${header}.h`), "utf8");
    const names = new Set([...text.matchAll(/^TD_API[^;]*?\b(td\w+)\(/gm)].map((match) => match[1]));
    assert.ok(names.size > 1, header);
    missing.push(...[...names].filter((name) => !own.test(name) && !new RegExp(`\\b${name}\\b`).test(calls)));
  }
  assert.deepEqual(missing, []);
});
