// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// KTX2 textures for GLTFLoader: a worker transcodes them to RGBA, so that a texture has the same pixels on every graphics
// card. The transcoder is Basis Universal as three.js ships it.
//
// See docs/decisions/165-ktx2-textures.md.
import * as THREE from "three";

/** Seconds that the worker may take for one texture. */
const patience = 30;

/** One grey pixel, in place of a texture that cannot be read. */
const makeGrey = () => ({ width: 1, height: 1, data: new Uint8Array([128, 128, 128, 255]) });

export class Ktx2Loader {
  #script;
  #engine;
  #worker = null;
  #waiting = new Map(); // { resolve, reject, timer } by id
  #next = 0;
  /** Number of textures that could not be read since the last `takeFailures`. */
  #failures = 0;

  /**
   * @param script address of the worker's script
   * @param {() => Uint8Array} engine gives the transcoder's bytes
   */
  constructor(script, engine) {
    this.#script = script;
    this.#engine = engine;
  }

  /** As GLTFLoader calls it. A texture that cannot be read becomes grey. */
  load(url, onLoad) {
    this.#read(url).catch(() => {
      this.#failures += 1;
      return makeGrey();
    }).then(({ width, height, data }) => {
      const texture = new THREE.DataTexture(data, width, height);
      texture.generateMipmaps = true;
      texture.needsUpdate = true;
      onLoad(texture);
    });
  }

  /** The number of textures that could not be read since the last call. */
  takeFailures() {
    const count = this.#failures;
    this.#failures = 0;
    return count;
  }

  async #read(url) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const isNew = this.#worker === null;
    if (isNew) {
      this.#start();
    }
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      // Textures wait for one another, so each gets its time from the moment that it is the first.
      this.#waiting.set(id, { resolve, reject, timer: null });
      this.#worker.postMessage({ id, bytes, ...(isNew ? { engine: this.#engine() } : {}) }, [bytes.buffer]);
      this.#watch();
    });
  }

  #start() {
    this.#worker = new Worker(this.#script);
    this.#worker.onmessage = ({ data: { id, image, failure } }) => {
      const { resolve, reject, timer } = this.#waiting.get(id);
      clearTimeout(timer);
      this.#waiting.delete(id);
      this.#watch();
      return failure === undefined ? resolve(image) : reject(new Error(failure));
    };
    this.#worker.onerror = () => this.#stop("the transcoder did not start");
  }

  /** Starts the clock of the texture that is worked on. */
  #watch() {
    const [first] = this.#waiting.values();
    if (first !== undefined) {
      first.timer ??= setTimeout(() => this.#stop("the transcoder takes too long"), 1000 * patience);
    }
  }

  /** Ends the worker; the textures that wait for it fail. The next texture starts a new one. */
  #stop(reason) {
    this.#worker.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(new Error(reason));
    }
  }
}
