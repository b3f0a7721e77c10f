// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A stage in a Web Worker (in Node, a worker thread); worker.d.ts documents it. Poses arrive as transferred buffers.
import { TendonError, callUser, guardClasses, takeInstance, takeInteger, takeNumber, takeOptions, takeText, usage } from "./arguments.js";
import { toBytes } from "./instance.js";

const isNode = typeof process === "object" && !!process.versions?.node && typeof globalThis.Worker === "undefined";

async function startWorker() {
  if (!isNode) return new Worker(new URL("./worker_entry.js", import.meta.url), { type: "module" });
  const threads = "node:worker_threads"; // a variable, so that bundlers for browsers do not resolve it
  const { Worker: Thread } = await import(/* webpackIgnore: true */ /* @vite-ignore */ threads);
  return new Thread(new URL("./worker_entry.js", import.meta.url));
}

export class WorkerActor {
  constructor(stage, id, description) {
    this.stage = stage;
    this.id = id;
    Object.assign(this, description);
    Object.freeze(this);
  }
}

export class WorkerStage {
  #worker;
  #pending = new Map();
  #next = 1;
  #timer = null;
  #options;
  #isStopped = false;

  constructor(worker, options) {
    this.#worker = worker;
    this.#options = options;
    const receive = (data) => this.#receive(data);
    const fail = (error) => this.#end(new TendonError("FAULT", `the worker stopped: ${error?.message ?? "unknown reason"}`));
    if (typeof worker.on === "function") worker.on("message", receive).on("error", fail);
    else {
      worker.addEventListener("message", ({ data }) => receive(data));
      worker.addEventListener("error", fail);
    }
  }

  static async create(options = {}) {
    const { worker = null, source = null, maxMemory, simd, stage = {}, slowAfter = 2000, onSlow = null } = takeOptions(options);
    takeNumber("slowAfter", slowAfter, 0);
    const own = new WorkerStage(worker ?? (await startWorker()), { slowAfter, onSlow });
    try {
      const wasm = source === null ? null : source instanceof WebAssembly.Module ? source : toBytes(source);
      Object.assign(own, await own.#call("create", [wasm, { maxMemory, simd }, takeOptions(stage)]));
    } catch (error) {
      own.stop();
      throw error;
    }
    return own;
  }

  get isStopped() {
    return this.#isStopped;
  }

  #call(name, args, transfer = []) {
    if (this.#isStopped) return Promise.reject(usage("the worker was stopped"));
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#pending.set(id, { resolve, reject, started: performance.now() });
      try {
        this.#worker.postMessage({ id, name, args }, transfer);
      } catch (error) {
        this.#pending.delete(id);
        reject(usage(`${name}: ${error.message}`)); // something that cannot be copied
        return;
      }
      this.#watch();
    });
  }

  /** Reports calls that take long; the caller may then stop the worker. */
  #watch() {
    const { onSlow, slowAfter } = this.#options;
    if (onSlow === null || this.#timer !== null || this.#pending.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const oldest = Math.min(...[...this.#pending.values()].map(({ started }) => started));
      const waited = performance.now() - oldest;
      if (this.#pending.size > 0 && waited >= slowAfter) callUser(onSlow, waited / 1000);
      this.#watch();
    }, slowAfter);
  }

  #receive({ id, result, failure }) {
    const call = this.#pending.get(id);
    if (call === undefined) return;
    this.#pending.delete(id);
    if (this.#pending.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    if (failure) call.reject(new TendonError(failure.code, failure.message, failure.findings));
    else call.resolve(result);
  }

  async addActor(bytes, options = {}) {
    const { name = "", files = {}, ...others } = takeOptions(options);
    takeText("name", name);
    const beside = Object.fromEntries([...(files instanceof Map ? files : Object.entries(takeOptions(files)))].map(([uri, data]) => [uri, toBytes(data).slice()]));
    const { id, ...description } = await this.#call("addActor", [toBytes(bytes).slice(), name, beside, others]);
    return new WorkerActor(this, id, description);
  }

  #take(actor) {
    if (takeInstance("actor", actor, WorkerActor).stage !== this) throw usage("the actor is of another worker");
    return actor.id;
  }

  play(actor, animation, options = {}) {
    const id = this.#take(actor);
    const motion = typeof animation === "string" || typeof animation === "number" ? animation : toBytes(animation).slice();
    return this.#call("play", [id, motion, takeOptions(options)]);
  }

  call(actor, method, ...args) {
    return this.#call("call", [this.#take(actor), takeText("method", method), args]);
  }

  step(count = 1) {
    return this.#call("step", [takeInteger("count", count, 0, 2 ** 31 - 1)]);
  }

  advance(seconds) {
    return this.#call("advance", [takeNumber("seconds", seconds, 0)]);
  }

  release(frame) {
    const buffers = takeOptions(frame).globals.map((globals) => globals.buffer).filter((buffer) => buffer.byteLength > 0);
    this.#call("release", [buffers], buffers).catch(() => {});
  }

  stop() {
    this.#end(new TendonError("STOPPED", "the worker was stopped"));
  }

  #end(error) {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

guardClasses(WorkerStage);
