// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Keeps a slow file from blocking the page. A Web Worker opens the file; the page takes over a copy of its session. The worker's
// own session then gets the same inputs and makes every step first; the engine gives the same bits there. The page makes a step
// only after the worker made it in time. Otherwise a banner with a stop button appears, and the worker can be ended in the
// middle of the step.
//
// See docs/decisions/119-watchdog-worker.md and docs/decisions/180-opening-in-a-worker.md.
import { explain, Trouble } from "./engine.js";
import { TendonError } from "../module/tendon.js";

/** Seconds after which the banner appears. */
const patience = 2;
/** Seconds that opening may take in the worker. */
const longestOpening = 60;
/** Seconds that a reset, a motion and one step may take in the page itself, where they block it. */
const longestReset = 5;
const longestStep = 1;

/** Milliseconds of a step after which a reset replaces the worker instead of waiting for it. */
const stuckAfter = 250;

/** The source of the worker, which the build embeds as text. */
const readSource = () => document.getElementById("watchdog-worker").textContent;

const copyFiles = ({ name, bytes, beside, sleep }) => ({ name, bytes, beside, sleep });

export class Watchdog {
  #worker = null;
  #nextId = 1;
  #waiting = new Map(); // by id: { resolve, reject, name }
  #files = null;
  #loop = true;
  #motion = null;
  #setup = null;
  #history = []; // { inputs, count } of steps that the page made since the last restart
  #inputs = []; // { input, isApplied } for the next request
  #requests = []; // { id, inputs, left, made, isTaken } that were sent; made: hashes of steps that the page has not made
  #former = null; // { files, loop, motion, setup, history } of the file that is open while another one is being opened
  #timer = 0;
  #since = 0; // when the oldest step or call that has not ended began

  /**
   * @param hooks show(text, onStop), hide(): the banner; onRefuse(trouble): playback cannot go on
   * @param limits seconds, for tests
   */
  constructor(module, maxMemory, hooks, limits = {}) {
    Object.assign(this, { module, maxMemory, hooks });
    this.limits = { patience, longestOpening, longestReset, longestStep, ...limits };
    /** Whether the page waits for the worker before each step; only opening is watched otherwise. */
    this.isOn = true;
    /** Steps after which the states of worker and page differed. */
    this.mismatches = 0;
  }

  // --- the worker ------------------------------------------------------------------------------------------------------

  #start() {
    const address = URL.createObjectURL(new Blob([readSource()], { type: "text/javascript" }));
    try {
      this.#worker = new Worker(address);
    } finally {
      URL.revokeObjectURL(address);
    }
    const worker = this.#worker;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#receive(data);
    worker.onerror = () => worker === this.#worker && this.#end(new Trouble("The engine stopped on a fault."));
  }

  /** Ends the worker, also in the middle of a step; calls that wait for it reject. */
  #end(trouble) {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    // Inputs of requests whose first step the page has not made belong to the next request.
    this.#inputs = [...this.#requests.filter((request) => !request.isTaken).flatMap(({ inputs }) => inputs), ...this.#inputs];
    this.#requests = [];
    this.#watch();
    waiting.forEach(({ reject }, i) => reject(i === 0 ? trouble : null));
  }

  #call(name, args, id = this.#nextId++) {
    if (this.#waiting.size === 0) {
      this.#since = performance.now();
    }
    const promise = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, name }));
    this.#worker.postMessage({ id, name, args });
    this.#watch();
    return promise;
  }

  #receive({ id, step, hash, seconds, result, failure }) {
    this.#since = performance.now();
    const { resolve, reject } = this.#waiting.get(id);
    if (step !== undefined) {
      this.#count(id, step, hash, seconds);
      return;
    }
    this.#waiting.delete(id);
    this.#watch();
    if (failure !== undefined) {
      reject(Object.assign(new Error(failure.message), failure, { seconds, isFromFile: true }));
    } else {
      resolve({ result, seconds });
    }
  }

  /** Shows the banner while a call or step takes long. */
  #watch() {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) {
      this.hooks.hide();
      return;
    }
    const spent = (performance.now() - this.#since) / 1000;
    if (spent >= this.limits.patience) {
      const [{ name }] = this.#waiting.values();
      const what = name === "step" ? `A step of ${this.#files.name}` : this.#files.name;
      this.hooks.show(`${what} has taken ${Math.round(spent)} s so far.`, () => this.stop());
    } else {
      this.hooks.hide();
    }
    this.#timer = setTimeout(() => this.#watch(), 1000 * (spent < this.limits.patience ? this.limits.patience - spent : 1));
  }

  stop() {
    const [{ name }] = this.#waiting.values();
    this.#end(new Trouble(`${this.#files.name} was stopped${name === "step" ? "; the recording stays" : ""}.`));
  }

  // --- files -----------------------------------------------------------------------------------------------------------

  /**
   * Opens a file in a new worker. Throws Trouble if it cannot be opened, takes too long or was stopped; the file open before
   * then stays watched.
   * @param undrawn extensions that the page has no decoders of
   * @param adopt function (opened, readPart): takes over the worker's session and memory
   * @returns { session, drawable }; null where there are no workers
   */
  async open(files, loop, undrawn, adopt) {
    this.#former = { files: this.#files, loop: this.#loop, motion: this.#motion, setup: this.#setup, history: this.#history };
    this.#end(Object.assign(new Trouble("Another file was opened."), { isReplaced: true }));
    this.mismatches = 0;
    [this.#files, this.#loop, this.#motion, this.#setup, this.#history, this.#inputs] = [files, loop, null, null, [], []];
    try {
      if (!this.#tryStart()) {
        return null;
      }
      const { result, seconds } = await this.#call("open", { ...this.#engine, files: copyFiles(files), loop, undrawn });
      if (seconds > this.limits.longestOpening) {
        throw this.#tooSlow("Opening", files.name, seconds, this.limits.longestOpening);
      }
      if (result.dump.resetSeconds > this.limits.longestReset) {
        throw this.#tooSlow("Resetting", files.name, result.dump.resetSeconds, this.limits.longestReset);
      }
      const readPart = async (at, size) => (await this.#call("read", { at, size })).result;
      return { session: await adopt(result, readPart), drawable: result.drawable };
    } catch (error) {
      this.#end(null);
      ({ files: this.#files, loop: this.#loop, motion: this.#motion, setup: this.#setup, history: this.#history } = this.#former);
      if (error?.isFromFile && error.code === "FAULT") {
        throw new Trouble(`The engine stopped on a fault while it opened ${files.name}.`);
      }
      throw error?.isFromFile ? explain(new TendonError(error.code, error.message, error.findings), files.name) : error;
    } finally {
      this.#former = null;
    }
  }

  #tooSlow(what, name, seconds, most) {
    return new Trouble(`${what} ${name} takes ${seconds.toFixed(1)} s. This page allows ${most} s; the command line has no such limit.`);
  }

  get #engine() {
    return { module: this.module, maxMemory: this.maxMemory };
  }

  /** Starts a worker. Without workers, the page goes on unwatched. */
  #tryStart() {
    try {
      this.#start();
      return true;
    } catch {
      this.isOn = false;
      return false;
    }
  }

  /** Starts a worker and brings it to where the page is. */
  async #reopen() {
    if (this.#tryStart()) {
      await this.#call("reopen", {
        ...this.#engine, files: copyFiles(this.#files), loop: this.#loop,
        motion: this.#motion === null ? null : copyFiles(this.#motion), setup: this.#setup, history: this.#history,
      });
    }
  }

  /** Tries a motion. Throws Trouble if that takes too long or was stopped; then, or if it cannot be read, nothing changes. */
  async setMotion(files) {
    if (!this.isOn || this.#files === null) {
      return;
    }
    try {
      if (this.#worker === null) {
        await this.#reopen();
      }
      const { seconds } = await this.#call("setMotion", { files: copyFiles(files) });
      if (seconds > this.limits.longestReset) {
        throw this.#tooSlow("Opening", files.name, seconds, this.limits.longestReset);
      }
      this.#motion = files;
    } catch (error) {
      this.#end(null);
      if (error instanceof Trouble) {
        throw error;
      }
    }
  }

  /** Follows a reset of the page's session to a setup of it. */
  restart(setup) {
    if (this.#former !== null) {
      Object.assign(this.#former, { setup, history: [] });
      return;
    }
    const isStuck = this.#waiting.size > 0 && performance.now() - this.#since > stuckAfter;
    [this.#setup, this.#history, this.#requests] = [setup, [], []];
    if (isStuck) {
      this.#end(null); // the next request starts another
    } else if (this.#worker !== null) {
      this.#call("restart", { setup }).catch((error) => error === null || error.isReplaced || this.#end(null));
    }
    this.#inputs = [];
  }

  /** Simulates the file and returns the GLB; for files without a recording. */
  async bake() {
    if (this.#former !== null) {
      throw new Trouble("Another file is being opened.");
    }
    if (this.#worker === null) {
      await this.#reopen();
    }
    return (await this.#call("bake", {})).result;
  }

  // --- steps -----------------------------------------------------------------------------------------------------------

  /** Whether the worker has inputs or steps before it that the page has not made. */
  get isAhead() {
    return this.#requests.length > 0;
  }

  /** Passes an input to the worker, with the next request. @returns whether the page may act on it at once */
  note(input) {
    const isApplied = !this.isAhead;
    const last = this.#inputs.at(-1);
    if (last !== undefined && last.input[0] === input[0] && last.isApplied === isApplied && ["moveGrab", "setGazeTarget"].includes(input[0])) {
      last.input = input;
    } else {
      this.#inputs.push({ input, isApplied });
    }
    return isApplied;
  }

  /** Asks for steps, so that `count` are made or under way. */
  ask(count) {
    const missing = count - this.#requests.reduce((sum, { left, made }) => sum + left + made.length, 0);
    if (missing <= 0) {
      return;
    }
    if (this.#worker === null) {
      this.#reopen().catch((error) => this.#refuse(error));
      if (this.#worker === null) {
        return;
      }
    }
    const request = { id: this.#nextId++, inputs: this.#inputs, left: missing, made: [], isTaken: false };
    this.#inputs = [];
    this.#requests.push(request);
    this.#call("step", { inputs: request.inputs.map(({ input }) => input), count: missing }, request.id).catch((error) => this.#refuse(error));
  }

  #refuse(error) {
    if (error === null || error.isReplaced) {
      return;
    }
    this.#end(null);
    const sentences = { OUT_OF_MEMORY: `The next step of ${this.#files.name} needs more memory than this page allows (${this.maxMemory >> 20} MB).` };
    this.hooks.onRefuse(error instanceof Trouble ? error : new Trouble(sentences[error.code] ?? `The engine stopped on a fault in the next step of ${this.#files.name}.`));
  }

  /** Counts a step of the worker. */
  #count(id, step, hash, seconds) {
    const request = this.#requests.find((entry) => entry.id === id);
    if (request === undefined) {
      return; // of the time before a restart
    }
    if (seconds > this.limits.longestStep) {
      this.#refuse(this.#tooSlow(`Step ${step} of`, this.#files.name, seconds, this.limits.longestStep));
      return;
    }
    request.left -= 1;
    request.made.push(hash);
  }

  /** Takes the right to one step. @returns the inputs to apply before it; null when the worker has not made it yet */
  take() {
    const request = this.#requests[0];
    if (request === undefined || request.made.length === 0) {
      return null;
    }
    this.expected = request.made.shift();
    const inputs = request.isTaken ? [] : request.inputs;
    request.isTaken = true;
    const last = this.#history.at(-1);
    if (inputs.length === 0 && last !== undefined) {
      last.count += 1;
    } else {
      this.#history.push({ inputs: inputs.map(({ input }) => input), count: 1 });
    }
    if (request.left === 0 && request.made.length === 0) {
      this.#requests.shift();
    }
    return inputs.filter(({ isApplied }) => !isApplied).map(({ input }) => input);
  }

  /** Compares the page's state after a step that was taken. A worker that differs is replaced. */
  confirm(hash) {
    if (hash !== this.expected) {
      this.mismatches += 1;
      this.#end(null);
    }
  }

  /** Inputs that wait for steps that will not be made; the page applies them at once. */
  flushInputs() {
    const late = this.isAhead ? [] : this.#inputs.filter(({ isApplied }) => !isApplied);
    late.forEach((entry) => (entry.isApplied = true));
    return late.map(({ input }) => input);
  }
}
