// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The script of the watchdog's worker (watchdog.js): opens the file for the page and has a second session of it, which makes
// every step before the page does. It answers calls in their order; a call that ends a step says how long the step took.
import { tryDrawable } from "./drawable.js";
import { Session } from "./engine.js";
import { readMemory } from "../module/copy.js";
import { loadTendon } from "../module/tendon.js";

let tendon = null;
let session = null;

const calls = {
  /** Opens a file. The page then copies the memory with `read` and adopts the dump. */
  async open({ module, maxMemory, files, loop, undrawn }) {
    tendon = await loadTendon(module, { maxMemory });
    session = new Session(tendon, files, loop, { isTwin: true });
    const dump = session.dump();
    const drawable = tryDrawable(session.files, session, undrawn);
    return { result: { dump, size: tendon.memorySize, drawable }, transfer: drawable?.bytes ? [drawable.bytes.buffer] : [] };
  },
  read({ at, size }) {
    const bytes = readMemory(tendon, at, size);
    return { result: bytes, transfer: [bytes.buffer] };
  },
  /** Brings a new worker to where the page is. */
  async reopen({ module, maxMemory, files, loop, motion, setup, history }) {
    tendon = await loadTendon(module, { maxMemory });
    session = new Session(tendon, files, loop, { isTwin: true });
    if (motion !== null) {
      session.setMotion(motion);
    }
    if (setup !== null) {
      session.restart(setup);
    }
    for (const { inputs, count } of history) {
      inputs.forEach((input) => session.apply(input));
      for (let i = 0; i < count; ++i) {
        session.step();
      }
    }
    return { result: null };
  },
  setMotion({ files }) {
    session.setMotion(files);
    return { result: null };
  },
  restart({ setup }) {
    session.restart(setup);
    return { result: null };
  },
  bake() {
    const bytes = session.exportGlb();
    return { result: bytes, transfer: [bytes.buffer] };
  },
  step({ inputs, count }, id) {
    inputs.forEach((input) => session.apply(input));
    for (let i = 0; i < count; ++i) {
      const started = performance.now();
      session.step();
      self.postMessage({ id, step: session.stage.stepCount, hash: session.stage.stateHash, seconds: (performance.now() - started) / 1000 });
    }
    return { result: null };
  },
};

let queue = Promise.resolve();

async function answer({ id, name, args }) {
  const started = performance.now();
  try {
    const { result, transfer = [] } = await calls[name](args, id);
    self.postMessage({ id, result, seconds: (performance.now() - started) / 1000 }, transfer);
  } catch (error) {
    const { code = "FAULT", message = `${error}`, findings = [] } = error;
    self.postMessage({ id, failure: { code, message, findings: [...findings] }, seconds: (performance.now() - started) / 1000 });
  }
}

self.addEventListener("message", ({ data }) => (queue = queue.then(() => answer(data))));
