// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Compares engines as WebAssembly in one Node process, on the scenes S1 and S2: Tendon (build/web/bench.wasm, made by
// tools/build_wasm build/web bench), Rapier (SIMD), Havok and Jolt from npm with their default settings, sleeping off.
// The time of a step is the CPU time of this process, minimum of the repetitions; the result is the median over the
// scene's window. The window begins after hundreds of steps, when V8 has compiled all functions with TurboFan.
// tendon_bench measures the same way.
//   run_node wasm_engines.mjs [--repeat N] [--native TENDON_BENCH]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const repeat = Number(argument("--repeat") ?? 2);
const KINDS = ["sphere", "box", "capsule", "cylinder", "plane", "hull", "mesh"];

async function startTendon() {
  const memory = new WebAssembly.Memory({ initial: 32, maximum: 16384 });
  const refuse = () => 8; // the scenes format numbers with a C library that imports the output functions
  const wasi = { fd_close: refuse, fd_seek: refuse, fd_write: refuse };
  const bytes = readFileSync(join(folder, "../../build/web/bench.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory }, wasi_snapshot_preview1: wasi });
  return { memory, calls: instance.exports };
}

/** A scene as plain data, read by the layout of setup.h. */
async function readScene(index) {
  const { memory, calls } = await startTendon();
  calls.scene_open(index);
  const view = new DataView(memory.buffer);
  const floats = (at, count) => Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true));
  const ints = (at, count) => Array.from({ length: count }, (_, i) => view.getInt32(at + 4 * i, true));
  const [bodies, parts, shapes, points] = [calls.scene_bodies(), calls.scene_parts(), calls.scene_shapes(), calls.scene_points()];
  const readShape = (i) => {
    const at = shapes + 32 * i;
    const [first, count] = ints(at + 16, 2);
    return { kind: KINDS[ints(at, 1)[0]], size: floats(at + 4, 3), points: floats(points + 12 * first, 3 * count) };
  };
  return {
    index,
    stepCount: calls.scene_step_count(),
    windowStart: calls.scene_window_start(),
    bodies: Array.from({ length: calls.scene_body_count() }, (_, i) => {
      const at = bodies + 92 * i;
      const [motion] = ints(at, 1);
      const [density, , friction, restitution] = floats(at + 4, 4);
      const [firstPart, partCount] = ints(at + 80, 2);
      return {
        isDynamic: motion === 2,
        density,
        friction,
        restitution,
        position: floats(at + 28, 3),
        rotation: floats(at + 40, 4),
        parts: Array.from({ length: partCount }, (_, k) => {
          const part = parts + 32 * (firstPart + k);
          return { shape: readShape(ints(part, 1)[0]), position: floats(part + 4, 3), rotation: floats(part + 16, 4) };
        }),
      };
    }),
  };
}

/** Bodies of one shape each: every wall of a compound static body becomes its own body. */
function listSimpleBodies(scene) {
  return scene.bodies.flatMap((body) => {
    const isPlaced = body.parts.length === 1 && body.parts[0].position.every((value) => value === 0);
    if (isPlaced) return [{ ...body, shape: body.parts[0].shape }];
    if (body.isDynamic || body.rotation[3] !== 1) throw new Error("this script knows no compound bodies that turn");
    return body.parts.map((part) => ({
      ...body,
      shape: part.shape,
      position: body.position.map((value, i) => value + part.position[i]),
      rotation: part.rotation,
    }));
  });
}

const engines = {
  async Tendon(scene) {
    const { calls } = await startTendon();
    calls.scene_open(scene.index);
    calls.world_create();
    return {
      step: () => calls.world_step(),
      getHeights: () => scene.bodies.map((body, i) => (body.isDynamic ? calls.world_body_height(i) : 0)),
      hash: () => BigInt.asUintN(64, calls.world_hash()).toString(16).padStart(16, "0"),
    };
  },

  async Rapier(scene) {
    const { default: rapier } = await import("@dimforge/rapier3d-simd-compat");
    await rapier.init();
    const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
    world.timestep = 1 / 60;
    const makers = {
      sphere: ([r]) => rapier.ColliderDesc.ball(r),
      box: ([x, y, z]) => rapier.ColliderDesc.cuboid(x, y, z),
      capsule: ([h, r]) => rapier.ColliderDesc.capsule(h, r),
      cylinder: ([h, r]) => rapier.ColliderDesc.cylinder(h, r),
      hull: (_, points) => rapier.ColliderDesc.convexHull(new Float32Array(points)),
    };
    const bodies = listSimpleBodies(scene).map((body) => {
      const [x, y, z] = body.position;
      const [qx, qy, qz, qw] = body.rotation;
      const desc = body.isDynamic ? rapier.RigidBodyDesc.dynamic() : rapier.RigidBodyDesc.fixed();
      const made = world.createRigidBody(desc.setTranslation(x, y, z).setRotation({ x: qx, y: qy, z: qz, w: qw }).setCanSleep(false));
      const collider = makers[body.shape.kind](body.shape.size, body.shape.points);
      world.createCollider(collider.setDensity(body.density).setFriction(body.friction).setRestitution(body.restitution), made);
      return made;
    });
    return { step: () => world.step(), getHeights: () => bodies.map((body) => (body.isDynamic() ? body.translation().y : 0)) };
  },

  async Havok(scene) {
    const { default: start } = await import("@babylonjs/havok");
    const wasmBinary = readFileSync(join(folder, "node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm"));
    const hk = await start({ wasmBinary });
    const check = ([result, value]) => {
      if (result !== hk.Result.RESULT_OK) throw new Error("Havok refuses");
      return value;
    };
    const world = check(hk.HP_World_Create());
    hk.HP_World_SetGravity(world, [0, -9.81, 0]);
    hk.HP_World_SetIdealStepTime(world, 1 / 60);
    const makers = {
      sphere: ([r]) => hk.HP_Shape_CreateSphere([0, 0, 0], r),
      box: ([x, y, z]) => hk.HP_Shape_CreateBox([0, 0, 0], [0, 0, 0, 1], [2 * x, 2 * y, 2 * z]),
      capsule: ([h, r]) => hk.HP_Shape_CreateCapsule([0, -h, 0], [0, h, 0], r),
      cylinder: ([h, r]) => hk.HP_Shape_CreateCylinder([0, -h, 0], [0, h, 0], r),
      hull: (_, points) => {
        const address = hk._malloc(4 * points.length);
        new Float32Array(hk.HEAPU8.buffer, address, points.length).set(points);
        return hk.HP_Shape_CreateConvexHull(address, points.length / 3);
      },
    };
    const combine = hk.MaterialCombine.ARITHMETIC_MEAN;
    const simple = listSimpleBodies(scene);
    const bodies = simple.map((body) => {
      const shape = check(makers[body.shape.kind](body.shape.size, body.shape.points));
      hk.HP_Shape_SetDensity(shape, body.density);
      hk.HP_Shape_SetMaterial(shape, [body.friction, body.friction, body.restitution, combine, combine]);
      const made = check(hk.HP_Body_Create());
      hk.HP_Body_SetShape(made, shape);
      hk.HP_Body_SetMotionType(made, body.isDynamic ? hk.MotionType.DYNAMIC : hk.MotionType.STATIC);
      if (body.isDynamic) {
        hk.HP_Body_SetMassProperties(made, check(hk.HP_Shape_BuildMassProperties(shape)));
        hk.HP_Body_SetActivationControl(made, hk.ActivationControl.ALWAYS_ACTIVE);
      }
      hk.HP_Body_SetQTransform(made, [body.position, body.rotation]);
      hk.HP_World_AddBody(world, made, false);
      return made;
    });
    return {
      step: () => hk.HP_World_Step(world, 1 / 60),
      getHeights: () =>
        bodies.map((body, i) => (simple[i].isDynamic ? check(hk.HP_Body_GetPosition(body))[1] : 0)),
    };
  },

  async Jolt(scene) {
    const { default: start } = await import("jolt-physics/wasm-compat");
    const Jolt = await start();
    const settings = new Jolt.JoltSettings();
    const pairs = new Jolt.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(0, 1);
    pairs.EnableCollision(1, 1);
    const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
    layers.MapObjectToBroadPhaseLayer(1, new Jolt.BroadPhaseLayer(1));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
    settings.mMaxBodies = 10240;
    settings.mMaxBodyPairs = 32768;
    settings.mMaxContactConstraints = 12288;
    const jolt = new Jolt.JoltInterface(settings);
    const bodyInterface = jolt.GetPhysicsSystem().GetBodyInterface();
    const makers = {
      sphere: ([r]) => new Jolt.SphereShape(r),
      box: ([x, y, z]) => new Jolt.BoxShape(new Jolt.Vec3(x, y, z), 0.05),
      capsule: ([h, r]) => new Jolt.CapsuleShape(h, r),
      cylinder: ([h, r]) => new Jolt.CylinderShape(h, r, 0.05),
      hull: (_, points) => {
        const hull = new Jolt.ConvexHullShapeSettings();
        for (let i = 0; i < points.length; i += 3) hull.mPoints.push_back(new Jolt.Vec3(points[i], points[i + 1], points[i + 2]));
        return hull.Create().Get();
      },
    };
    const bodies = listSimpleBodies(scene).map((body) => {
      const shape = makers[body.shape.kind](body.shape.size, body.shape.points);
      const position = new Jolt.RVec3(...body.position);
      const rotation = new Jolt.Quat(...body.rotation);
      const motion = body.isDynamic ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static;
      const def = new Jolt.BodyCreationSettings(shape, position, rotation, motion, body.isDynamic ? 1 : 0);
      def.mFriction = body.friction;
      def.mRestitution = body.restitution;
      def.mAllowSleeping = false;
      const made = bodyInterface.CreateBody(def);
      bodyInterface.AddBody(made.GetID(), Jolt.EActivation_Activate);
      return made;
    });
    return {
      step: () => jolt.Step(1 / 60, 1),
      getHeights: () => bodies.map((body) => (body.IsDynamic() ? body.GetPosition().GetY() : 0)),
    };
  },
};

/** Milliseconds of the steps in the window. */
async function measure(name, scene) {
  const world = await engines[name](scene);
  const times = [];
  for (let step = 0; step < scene.stepCount; ++step) {
    const before = process.cpuUsage();
    world.step();
    const { user, system } = process.cpuUsage(before);
    if (step >= scene.windowStart) times.push((user + system) / 1000);
  }
  return { times, top: Math.max(...world.getHeights()), hash: world.hash?.() ?? "" };
}

/** The native program with as many repetitions: median of the window and minimum step, ms. */
function measureNatively(program, name) {
  const options = ["--scene", name, "--simd", "sse2", "--repeat", String(repeat), "--quick", "--json"];
  const line = JSON.parse(execFileSync(program, options, { encoding: "utf8" }).trim().split("\n").pop());
  return { median: line.ms_cpu_median, least: line.ms_per_step_min, hash: line.state_hash };
}

const native = argument("--native");
for (const [index, name] of [[0, "pyramid"], [1, "pile"]]) {
  const scene = await readScene(index);
  const atHome = []; // native runs alternate with those of the module, so that a slow period of the machine affects both
  let ours;
  for (const engine of Object.keys(engines)) {
    let best = null;
    for (let i = 0; i < repeat; ++i) {
      const result = await measure(engine, scene);
      best ??= result;
      best.times = best.times.map((time, step) => Math.min(time, result.times[step]));
      if (native !== undefined && engine === "Tendon") atHome.push(measureNatively(native, name));
    }
    best.times.sort((a, b) => a - b);
    best.median = best.times[best.times.length >> 1];
    best.least = best.times[0];
    ours ??= best;
    console.log(
      `${name.padEnd(8)} ${engine.padEnd(8)} ${best.median.toFixed(2).padStart(7)} ms, min ${best.least.toFixed(2)}, ` +
        `${(best.median / ours.median).toFixed(2)} x Tendon, top ${best.top.toFixed(2)} ${best.hash}`,
    );
  }
  if (native !== undefined) {
    const [median, least] = ["median", "least"].map((key) => Math.min(...atHome.map((run) => run[key])));
    console.log(
      `${name.padEnd(8)} native   ${median.toFixed(2).padStart(7)} ms, min ${least.toFixed(2)}, SSE2, one thread: the module has ` +
        `${(median / ours.median).toFixed(2)} of its speed, ${(least / ours.least).toFixed(2)} by the minimum steps; ${atHome[0].hash}`,
    );
  }
}
