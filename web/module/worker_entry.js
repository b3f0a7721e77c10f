// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The script of the worker that worker.js starts: one stage, driven by messages. A pose leaves in a transferred buffer;
// buffers that come back are used again.
import { loadTendon, TendonError } from "./tendon.js";

/** Methods of an actor that `call` may use: their arguments and results can be copied. */
const METHODS = new Set([
  "applyImpulse", "clearGaze", "clearLocal", "getBodyState", "getExpression", "getExpressionOutput", "getJointState", "resetSprings",
  "setAngularVelocity", "setConstraintWeight", "setExpression", "setGaze", "setGazeTarget", "setLinearVelocity", "setLocal",
  "setPlacement", "setSpringParameters", "teleport",
]);

let tendon = null;
let stage = null;
const actors = [];
const spare = []; // buffers that the caller gave back

function takeBuffer(size) {
  const place = spare.findIndex((buffer) => buffer.byteLength === size);
  return place >= 0 ? spare.splice(place, 1)[0] : new ArrayBuffer(size);
}

/** The poses of all actors; the buffers are to be transferred. */
function takeFrame() {
  const name = (actor) => actors.indexOf(actor);
  const globals = actors.map((actor) => {
    const copy = new Float32Array(takeBuffer(actor.globals.byteLength));
    copy.set(actor.globals);
    return copy;
  });
  const result = {
    time: stage.time,
    stepCount: stage.stepCount,
    stepTime: stage.stepTime,
    stateHash: stage.stateHash,
    globals,
    contactEvents: stage.contactEvents.map(({ actorA, actorB, ...event }) => ({ ...event, actorA: name(actorA), actorB: name(actorB) })),
    triggerEvents: stage.triggerEvents.map(({ trigger, visitor, ...event }) => ({ ...event, trigger: name(trigger), visitor: name(visitor) })),
  };
  return { result, transfer: globals.map(({ buffer }) => buffer) };
}

const calls = {
  async create(source, options, stageOptions) {
    tendon = await loadTendon(source, JSON.parse(JSON.stringify(options)));
    stage = tendon.createStage(stageOptions);
    return { result: { version: tendon.version, simd: tendon.simd, stepRate: stage.stepRate } };
  },
  addActor(bytes, name, files, options) {
    const asset = tendon.open(bytes, { name, files });
    const actor = stage.addActor(asset, options);
    actors.push(actor);
    const { nodes, animations, humanoid, expressions } = asset;
    const findings = [...asset.findings, ...actor.findings];
    return { result: { id: actors.length - 1, nodes, animations, humanoid, expressions, findings } };
  },
  play(id, motion, options) {
    const { asset } = actors[id];
    const isFile = typeof motion === "object";
    actors[id].play(isFile ? asset.retarget(tendon.open(motion)) : asset.createClip(motion), options);
    return { result: null };
  },
  call(id, method, args) {
    if (!METHODS.has(method)) throw new TendonError("USAGE", `${method} cannot be called in a worker`);
    return { result: actors[id][method](...args) ?? null };
  },
  step(count) {
    stage.step(count);
    return takeFrame();
  },
  advance(seconds) {
    stage.advance(seconds);
    return takeFrame();
  },
  release(buffers) {
    spare.push(...buffers.slice(0, 64));
    return { result: null };
  },
};

let port = globalThis;
let queue = Promise.resolve();

async function answer({ id, name, args }) {
  try {
    const { result, transfer = [] } = await calls[name](...args);
    port.postMessage({ id, result }, transfer);
  } catch (error) {
    const { code = "FAULT", message, findings = [] } = error;
    port.postMessage({ id, failure: { code, message, findings: [...findings] } });
  }
}

/** Calls run in the order of their arrival. */
const receive = (data) => (queue = queue.then(() => answer(data)));

if (typeof globalThis.postMessage === "function" && typeof globalThis.addEventListener === "function") {
  globalThis.addEventListener("message", ({ data }) => receive(data));
} else {
  const threads = "node:worker_threads";
  port = (await import(/* webpackIgnore: true */ /* @vite-ignore */ threads)).parentPort;
  port.on("message", receive);
}
