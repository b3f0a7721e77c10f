// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies, shapes, joints, filters, queries and events from code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TendonError, loadTendon, openExample } from "./common.mjs";

const tendon = await loadTendon();
const throwsUsage = (run) => assert.throws(run, (error) => error instanceof TendonError && error.code === "USAGE");
const near = (value, wanted, tolerance, what = "") => assert.ok(Math.abs(value - wanted) <= tolerance, `${what} ${value}, not ${wanted}`);
const box = (size = 1, more = {}) => ({ type: "box", size: [size, size, size], ...more });

/** A world with a ground at height 0. */
function makeWorld(options) {
  const world = tendon.createWorld(options);
  const ground = world.createBody({ motion: "static", shapes: [{ type: "plane" }] });
  return { world, ground };
}

test("a box falls, lands and sleeps", () => {
  const { world, ground } = makeWorld();
  const body = world.createBody({ position: [0, 2, 0], shapes: [box()], userData: "crate" });
  assert.equal(body.motion, "dynamic");
  near(body.mass.mass, 1000, 1e-2, "mass");
  const begun = [];
  for (let i = 0; i < 180; ++i) {
    world.step();
    begun.push(...world.contactEvents);
  }
  near(body.position[1], 0.5, 5e-3, "height");
  assert.ok(!body.isAwake && world.movedBodies.length === 0);
  const first = begun.find((event) => event.type === "contact_begin");
  assert.ok([first.bodyA, first.bodyB].includes(body) && [first.bodyA, first.bodyB].includes(ground));
  near(Math.abs(first.normal[1]), 1, 1e-3);
  assert.equal(body.userData, "crate");
  const [contact] = body.contacts;
  assert.equal(contact.points.length, 4);
  // The weight during one step.
  near(contact.impulse, (1000 * 9.81) / 60, 2);
  body.applyImpulse([0, 3000, 0]);
  assert.ok(body.isAwake);
  near(body.linearVelocity[1], 3, 1e-4);
  world.step();
  assert.equal(world.movedBodies[0].body, body);
  const { bodyCount, shapeCount, touchCount, pairsTested, sweptPairCount } = world.stats;
  assert.deepEqual([bodyCount, shapeCount], [2, 2]);
  assert.ok([touchCount, pairsTested, sweptPairCount].every(Number.isInteger));
  world.destroy();
});

test("all kinds of shapes fall as bodies and have the volume of their shape", () => {
  const world = tendon.createWorld();
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z])));
  const hull = tendon.createHull(corners);
  assert.ok(hull.isHull && hull.isClosed && hull.vertexCount === 8 && hull.faceCount === 6);
  near(hull.volume, 8, 1e-4);
  const mesh = tendon.createMesh([-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1], [0, 1, 2, 0, 2, 3]);
  assert.ok(!mesh.isHull && mesh.faceCount === 2 && mesh.vertices.length === 12);
  const shapes = [
    [{ type: "sphere", radius: 1 }, (4 / 3) * Math.PI],
    [{ type: "box", size: [1, 2, 3] }, 6],
    [{ type: "capsule", height: 2, radius: 1 }, 2 * Math.PI + (4 / 3) * Math.PI],
    [{ type: "cylinder", height: 2, radiusBottom: 1, radiusTop: 0 }, (2 / 3) * Math.PI],
    [{ type: "hull", geometry: hull }, 8],
    [{ type: "hull", geometry: hull, matrix: [2, 0, 0, 0, 1, 0, 0, 0, 1] }, 16],
  ];
  for (const [shape, volume] of shapes) {
    const body = world.createBody({ shapes: [{ ...shape, density: 1 }] });
    near(body.mass.mass, volume, 1e-4 * volume, shape.type);
    assert.equal(body.shapes[0].kind, shape.type);
    const { lines } = body.shapes[0];
    assert.ok(lines.length > 0 && lines.length % 6 === 0);
    body.destroy();
  }
  const floor = world.createBody({ motion: "static", shapes: [{ type: "mesh", geometry: mesh }] });
  const ball = world.createBody({ position: [0.3, 1, 0.2], shapes: [{ type: "sphere", radius: 0.25 }] });
  for (let i = 0; i < 120; ++i) world.step();
  near(ball.position[1], 0.25, 5e-3, "rests on the mesh");
  mesh.destroy(); // the world keeps it
  world.step();
  assert.ok(floor.isValid);
  world.destroy();
  hull.destroy();
  throwsUsage(() => hull.vertices);
  throwsUsage(() => tendon.createHull([0, 0, 0, 1, 0, 0, 0, 1, 0]));
  throwsUsage(() => tendon.createHull([0, 0]));
  throwsUsage(() => tendon.createMesh([0, 0, 0], [0, 1, 2]));
  throwsUsage(() => tendon.createMesh(new Float32Array(9), new Uint32Array([0, 1, 7])));
});

test("kinematic bodies reach their target; teleports cause no velocity", () => {
  const world = tendon.createWorld({ gravity: [0, 0, 0] });
  const lift = world.createBody({ motion: "kinematic", shapes: [box()] });
  lift.setTarget([0, 0.1, 0]);
  assert.deepEqual(lift.state.target.position.map((value) => Math.fround(value)), [0, Math.fround(0.1), 0]);
  world.step();
  near(lift.position[1], 0.1, 1e-5);
  const free = world.createBody({ position: [5, 0, 0], shapes: [box()] });
  throwsUsage(() => free.setTarget([0, 0, 0]));
  free.setTransform([9, 1, 0], [0, 0, 2, 0]);
  assert.deepEqual(free.rotation.map(Math.abs), [0, 0, 1, 0]);
  assert.deepEqual(free.linearVelocity, [0, 0, 0]);
  free.applyForce([1000 * 60, 0, 0]);
  world.step();
  near(free.linearVelocity[0], 1, 1e-3);
  free.angularVelocity = [0, 2, 0];
  near(free.getPointVelocity(free.position.map((value, i) => value + (i === 0 ? 1 : 0)))[2], -2, 1e-5);
  free.motion = "static";
  assert.equal(free.motion, "static");
  const transforms = world.readTransforms([lift, free]);
  assert.equal(transforms.length, 14);
  near(transforms[1], 0.1, 1e-5);
  free.destroy();
  throwsUsage(() => world.readTransforms([lift, free]));
  world.destroy();
});

test("joints hold, drive and break", () => {
  const world = tendon.createWorld();
  const arm = world.createBody({ position: [1, 0, 0], mass: 1, shapes: [{ type: "box", size: [2, 0.1, 0.1] }] });
  const hinge = world.createJoint({ type: "hinge", bodyB: arm, anchor: [0, 0, 0], axis: [0, 0, 1], min: -Math.PI / 4, max: Math.PI / 4 });
  assert.equal(hinge.type, "hinge");
  assert.equal(hinge.bodyA, null);
  assert.equal(hinge.bodyB, arm);
  assert.equal(hinge.limits.length, 3);
  for (let i = 0; i < 300; ++i) world.step();
  near(hinge.limits[2].value, -Math.PI / 4, 0.02, "angle at the stop");
  near(Math.hypot(...arm.position), 1, 2e-3, "distance of the arm");
  near(hinge.force[1], 9.81, 0.2, "weight");
  hinge.setLimit(2, { min: -Math.PI / 8 });
  for (let i = 0; i < 300; ++i) world.step();
  near(hinge.limits[2].value, -Math.PI / 8, 0.02);
  assert.deepEqual([hinge.limits[2].angularAxes, hinge.limits[2].linearAxes], ["x", ""]);

  const wheel = world.createBody({ position: [0, 10, 0], mass: 1, shapes: [{ type: "cylinder", height: 0.2, radius: 0.5 }] });
  const motor = world.createJoint({
    type: "hinge", bodyB: wheel, anchor: [0, 10, 0], axis: [0, 1, 0],
    drives: [{ type: "angular", mode: "acceleration", axis: "x", velocityTarget: 3, damping: 50 }],
  });
  for (let i = 0; i < 120; ++i) world.step();
  near(wheel.angularVelocity[1], 3, 0.02, "motor speed");
  motor.setDrive(0, { velocityTarget: -1 });
  for (let i = 0; i < 120; ++i) world.step();
  near(wheel.angularVelocity[1], -1, 0.02);
  throwsUsage(() => motor.setDrive(1, {}));

  const heavy = world.createBody({ position: [0, 20, 0], mass: 10, shapes: [box(0.2)] });
  const rope = world.createJoint({ type: "distance", bodyB: heavy, anchor: [0, 21, 0], anchorB: [0, 20, 0], max: 1.5, breakForce: 50 });
  const broken = [];
  for (let i = 0; i < 60; ++i) {
    world.step();
    broken.push(...world.jointBreakEvents);
  }
  assert.equal(broken[0].joint, rope);
  assert.ok(rope.isBroken && heavy.linearVelocity[1] < -5);
  const generic = world.createJoint({
    bodyA: arm, bodyB: heavy, limits: [{ linearAxes: "xyz", max: 5 }], drives: [{ axis: "y" }], enableCollision: true,
  });
  assert.equal(generic.type, "distance");
  assert.ok(generic.enableCollision);
  generic.enableCollision = false;
  assert.ok(!generic.enableCollision);
  arm.destroy();
  assert.ok(!generic.isValid && !hinge.isValid);
  throwsUsage(() => hinge.force);
  throwsUsage(() => world.createJoint({ type: "ball" }));
  throwsUsage(() => world.createJoint({ type: "ball", bodyA: arm, bodyB: heavy }));
  throwsUsage(() => world.createJoint({ type: "hinge", bodyB: heavy, axis: [0, 0, 0] }));
  world.destroy();
  throwsUsage(() => world.step());
  assert.ok(!heavy.isValid);
});

test("filters decide who collides", () => {
  const { world } = makeWorld();
  const ghosts = world.createFilter({ collisionSystems: [7], notCollideWith: [8] });
  const walls = world.createFilter({ collisionSystems: [8] });
  assert.ok(!ghosts.collidesWith(walls) && ghosts.collidesWith(null));
  const wall = world.createBody({ motion: "static", position: [0, 1, 0], shapes: [box(1, { filter: walls })] });
  const ghost = world.createBody({ position: [0, 3, 0], shapes: [box(0.5, { filter: ghosts })] });
  const solid = world.createBody({ position: [0.1, 5, 0], shapes: [box(0.3)] });
  for (let i = 0; i < 180; ++i) world.step();
  near(ghost.position[1], 0.25, 5e-3, "fell through the wall");
  near(solid.position[1], 1.65, 1e-2, "rests on the wall");
  wall.shapes[0].filter = ghosts;
  assert.ok(world.castRay([0, 9, 0], [0, -9, 0], { filter: walls }).body === solid);
  throwsUsage(() => world.createFilter({ collideWith: [-1] }));
  const other = tendon.createWorld();
  throwsUsage(() => other.createBody({ shapes: [box(1, { filter: ghosts })] }));
  other.destroy();
  world.destroy();
});

test("queries find what is there", () => {
  const { world, ground } = makeWorld();
  const low = world.createBody({ motion: "static", position: [0, 1, 0], shapes: [box()] });
  const high = world.createBody({ motion: "static", position: [0, 4, 0], shapes: [{ type: "sphere", radius: 0.5 }] });
  const zone = world.createBody({ motion: "static", position: [0, 6, 0], shapes: [box(1, { isTrigger: true })] });
  const hit = world.castRay([0, 10, 0], [0, -20, 0]);
  assert.equal(hit.body, high);
  near(hit.fraction, 5.5 / 20, 1e-6);
  assert.deepEqual(hit.normal, [0, 1, 0]);
  assert.equal(world.castRay([0, 10, 0], [0, -20, 0], { includeTriggers: true }).body, zone);
  assert.deepEqual(world.castRayAll([0, 10, 0], [0, -20, 0]).map(({ body }) => body), [high, low, ground]);
  assert.equal(world.castRay([0, 10, 0], [0, -20, 0], { ignoreBody: high }).body, low);
  assert.equal(world.castRay([0, 10, 0], [0, -20, 0], { ignoreStatic: true }), null);
  const many = world.castRays([0, 10, 0, 0, -20, 0, 3, 10, 0, 0, -5, 0]);
  assert.equal(many[0].body, high);
  assert.equal(many[1], null);
  const swept = world.castShape({ type: "box", size: [0.5, 0.5, 0.5] }, [0, 10, 0], [0, -20, 0], { rotation: [0, 1, 0, 0] });
  assert.equal(swept.body, high);
  near(swept.fraction, 5.25 / 20, 1e-4);
  const hull = tendon.createHull([-1, -1, -1, 1, -1, -1, 0, -1, 1, 0, 1, 0]);
  assert.equal(world.castShape({ type: "hull", geometry: hull }, [0, 10, 0], [0, -20, 0]).body, high);
  assert.deepEqual(world.overlapShape({ type: "sphere", radius: 1.6 }, [0, 2.5, 0]).map(({ body }) => body), [low, high]);
  assert.deepEqual(world.overlapShape({ type: "capsule", height: 0.2, radius: 0.1 }, [50, 50, 0]), []);
  const closest = world.findClosestPoint([2, 1, 0], 5, { ignoreBody: ground });
  assert.equal(closest.body, low);
  near(closest.distance, 1.5, 1e-5);
  assert.equal(world.findClosestPoint([99, 99, 0], 5), null);
  throwsUsage(() => world.castShape({ type: "plane" }, [0, 0, 0], [0, 1, 0]));
  throwsUsage(() => world.castRay([NaN, 0, 0], [0, 1, 0]));
  throwsUsage(() => world.castRays([1, 2, 3]));
  world.destroy();
});

test("triggers report who enters and leaves", () => {
  const world = tendon.createWorld();
  const gate = world.createBody({ motion: "static", shapes: [box(1, { isTrigger: true })] });
  const ball = world.createBody({ position: [0, 2, 0], shapes: [{ type: "sphere", radius: 0.1 }] });
  const seen = [];
  for (let i = 0; i < 90; ++i) {
    world.step();
    seen.push(...world.triggerEvents);
  }
  assert.deepEqual(seen.map(({ type }) => type), ["trigger_enter", "trigger_exit"]);
  assert.ok(seen.every((event) => event.triggerBody === gate && event.visitorBody === ball && event.visitor === ball.shapes[0]));
  world.destroy();
});

test("a saved state repeats to the bit", () => {
  const { world } = makeWorld();
  const bodies = Array.from({ length: 20 }, (_, i) => world.createBody({ position: [0.1 * (i % 3), 1 + 1.1 * i, 0], shapes: [box()] }));
  for (let i = 0; i < 60; ++i) world.step();
  const state = world.saveState();
  const run = () => {
    for (let i = 0; i < 60; ++i) world.step();
    return world.stateHash;
  };
  const first = run();
  const kept = bodies[3];
  bodies[7].destroy();
  world.loadState(state);
  assert.ok(bodies[7].isValid && kept.isValid);
  assert.equal(run(), first);
  throwsUsage(() => world.loadState(state.subarray(0, 40)));
  throwsUsage(() => world.loadState("state"));
  world.destroy();
});

test("a stage's world takes bodies beside its actors", () => {
  const stage = tendon.createStage();
  const actor = stage.addActor(openExample(tendon, "domino_run.gltf"));
  assert.equal(stage.world.stage, stage);
  assert.equal(stage.world, stage.world);
  const node = actor.asset.bodies.find(({ motion }) => motion === "dynamic").node;
  const own = actor.getBody(node);
  assert.ok(!own.isOwn && own.motion === "dynamic");
  assert.deepEqual(own.state.linearVelocity, actor.getBodyState(node).linearVelocity);
  for (const refused of [() => own.destroy(), () => (own.motion = "static"), () => own.createShape(box()), () => own.shapes[0].destroy()]) throwsUsage(refused);
  throwsUsage(() => stage.world.step());
  throwsUsage(() => stage.world.destroy());
  throwsUsage(() => stage.world.loadState(stage.world.saveState()));
  const [x, y, z] = own.position;
  const weight = stage.world.createBody({ position: [x, y + 3, z], mass: 50, shapes: [box(0.2)] });
  stage.step(60);
  assert.ok(weight.position[1] < y + 3 && weight.isValid);
  assert.ok(stage.contactEvents.every((event) => event.actorA === null || event.actorA === actor));
  stage.destroy();
  assert.ok(!weight.isValid);
  throwsUsage(() => weight.position);
});

test("numbers that are not finite and stale handles are refused and change nothing", () => {
  const { world } = makeWorld();
  const body = world.createBody({ position: [0, 2, 0], shapes: [box()] });
  const gone = world.createBody({ shapes: [box()] });
  const [shape] = gone.shapes;
  gone.destroy();
  gone.destroy();
  const before = world.stateHash;
  for (const bad of [NaN, Infinity, -Infinity, 1e39, undefined, null, "1", {}, [], 5n, Symbol("x")]) {
    const calls = [
      () => world.createBody({ position: [0, bad, 0] }),
      () => world.createBody({ rotation: [0, 0, 0, bad] }),
      () => body.createShape({ type: "sphere", radius: bad }),
      () => body.createShape({ type: "box", size: [1, bad, 1] }),
      () => body.setTransform([bad, 0, 0]),
      () => (body.linearVelocity = [0, bad, 0]),
      () => (body.gravityFactor = bad),
      () => body.applyForce([bad, 0, 0]),
      () => body.applyImpulse([0, 0, 0], [bad, 0, 0]),
      () => body.applyTorque(bad),
      () => (body.shapes[0].material = { restitution: bad === undefined ? NaN : bad }),
      () => world.castRay([0, bad, 0], [0, 1, 0]),
      () => world.createJoint({ type: "ball", bodyB: body, anchor: [bad, 0, 0] }),
      () => world.createJoint({ type: "hinge", bodyB: body, axis: [0, 0, bad] }),
      () => tendon.createWorld({ gravity: [0, bad, 0] }),
      () => tendon.createHull([bad, 0, 0]),
      () => world.step(bad === undefined ? NaN : bad),
    ];
    calls.forEach((call) => throwsUsage(call));
  }
  const stale = [
    () => gone.position, () => gone.setTransform([0, 0, 0]), () => gone.createShape(box()), () => gone.contacts, () => gone.shapes, () => gone.mass,
    () => shape.kind, () => shape.lines, () => shape.setLocal([0, 0, 0]), () => (shape.filter = null), () => world.castRay([0, 0, 0], [0, 1, 0], { ignoreBody: gone }),
  ];
  stale.forEach((call) => throwsUsage(call));
  for (const size of [0, -1, 1e-50]) throwsUsage(() => body.createShape({ type: "sphere", radius: size }));
  throwsUsage(() => world.createBody({ rotation: [0, 0, 0, 0] }));
  throwsUsage(() => world.createBody({ mass: -1 }));
  assert.equal(world.stateHash, before);
  assert.equal(world.stats.bodyCount, 2);
  world.destroy();
});

test("memory of destroyed worlds is released", () => {
  const run = () => {
    const hull = tendon.createHull([-1, -1, -1, 1, -1, -1, 0, -1, 1, 0, 1, 0]);
    const { world } = makeWorld();
    for (let i = 0; i < 50; ++i) world.createBody({ position: [0, 2 + 2.5 * i, 0], shapes: [{ type: "hull", geometry: hull }] });
    for (let i = 0; i < 10; ++i) world.step();
    hull.destroy();
    world.destroy();
  };
  run();
  const size = tendon.memorySize;
  for (let i = 0; i < 20; ++i) run();
  assert.equal(tendon.memorySize, size);
});
