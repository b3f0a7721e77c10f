// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Recordings of stages (.tdrec) and their replay.
import * as records from "./records.js";
import { giveLimits, guardClasses, takeNumber, takeOptions, takeText, usage } from "./arguments.js";
import { Asset } from "./asset.js";
import { noMemory } from "./geometry.js";
import { toBytes } from "./instance.js";

const results = ["same", "differs", "end", "failed"]; // in the order of tdReplayResult

export class Recorder {
  #address;
  #forget;

  constructor(stage, options, forget) {
    const { build = "", maxAssetBytes = 2 ** 28 } = takeOptions(options);
    takeText("build", build);
    takeNumber("maxAssetBytes", maxAssetBytes, 0);
    this.stage = stage;
    this.#forget = forget;
    const instance = stage.tendon._instance;
    this.#address = instance.withTexts([build], (text) => instance.calls.td_recorder_create(stage._address, text, maxAssetBytes));
    if (this.#address === 0) throw usage("a recording starts on a stage without actors, bodies and steps");
  }

  get _address() {
    if (this.#address === 0) throw usage("the recording was finished");
    return this.#address;
  }

  take() {
    const instance = this.stage.tendon._instance;
    const data = instance.calls.td_recorder_bytes(this._address) >>> 0;
    const bytes = instance.readBytes(data, records.readSize(instance).size);
    instance.calls.td_recorder_clear(this._address);
    return bytes;
  }

  finish() {
    const instance = this.stage.tendon._instance;
    const isComplete = instance.calls.td_recorder_finish(this._address) !== 0;
    const bytes = this.take();
    this.destroy();
    if (!isComplete) throw instance.failure("IMPOSSIBLE", "the recording is incomplete");
    return bytes;
  }

  destroy() {
    if (this.#address === 0) return;
    if (!this.stage.tendon.isDead) this.stage.tendon._instance.calls.td_recorder_destroy(this.#address);
    this.#address = 0;
    this.#forget();
  }
}

export class Recording {
  #address;
  #replays = new Set();

  /** @param dump of a copy (copy.js) */
  constructor(tendon, bytes, dump = null) {
    const instance = tendon._instance;
    this.tendon = tendon;
    if (dump !== null) {
      this.#address = dump.address;
      Object.assign(this, dump.values);
      return;
    }
    const source = toBytes(bytes);
    const data = instance.writeBytes(source);
    this.#address = instance.calls.td_recording_load(data, source.length);
    instance.free(data);
    if (this.#address === 0) throw instance.failure("UNREADABLE", "the recording cannot be read");
    this.findings = Object.freeze(instance.readFindings());
    instance.calls.td_recording_describe(this.#address);
    const { version, assetCount, ...info } = records.readRecording(instance);
    Object.assign(this, info);
    this.version = version.join(".");
    this.assets = Object.freeze(Array.from({ length: assetCount }, (_, i) => this.#readAsset(i)));
  }

  get _address() {
    if (this.#address === 0) throw usage("the recording was destroyed");
    return this.#address;
  }

  /** Plain data that make the same recording on a copy of the memory. */
  _dump() {
    const { tendon, ...values } = this;
    return { address: this._address, values };
  }

  static _adopt(tendon, dump) {
    return new Recording(tendon, null, dump);
  }

  #readFile(asset, file) {
    const instance = this.tendon._instance;
    if (instance.calls.td_recording_file(this.#address, asset, file) === 0) return null;
    const { name, data, size } = records.readRecordedFile(instance);
    return { name, bytes: instance.readBytes(data, size) };
  }

  #readAsset(asset) {
    const main = this.#readFile(asset, 0) ?? { name: "", bytes: new Uint8Array(0) };
    const files = new Map();
    for (let i = 1, file = this.#readFile(asset, 1); file !== null; file = this.#readFile(asset, ++i)) files.set(file.name, file.bytes);
    return { ...main, files };
  }

  replay(options = {}) {
    return this._addReplay(takeOptions(options), null);
  }

  /** @param dump of a copy (copy.js) */
  _addReplay(options, dump) {
    // stage.js imports this file, so the class of stages comes with the instance.
    const replay = new Replay(this, options, this.tendon._stageClass, () => this.#replays.delete(replay), dump);
    this.#replays.add(replay);
    return replay;
  }

  destroy() {
    if (this.#address === 0) return;
    for (const replay of [...this.#replays]) replay.destroy();
    if (!this.tendon.isDead) this.tendon._instance.calls.td_recording_destroy(this.#address);
    this.#address = 0;
  }
}

export class Replay {
  #address;
  #forget;
  #assets = new Map(); // by address
  #stage;

  constructor(recording, options, Stage, forget, dump) {
    const instance = recording.tendon._instance;
    this.recording = recording;
    this.actors = [];
    this.difference = null;
    this.stepCount = 0;
    this.#forget = forget;
    if (dump !== null) {
      this.#adopt(dump, Stage);
      return;
    }
    giveLimits(instance, options.limits);
    this.#address = instance.calls.td_replay_create(recording._address);
    if (this.#address === 0) throw noMemory("a replay");
    this.#stage = Stage._borrow(recording.tendon, instance.calls.td_replay_stage(this.#address), recording.stepRate);
  }

  get _address() {
    if (this.#address === 0) throw usage("the replay was destroyed");
    return this.#address;
  }

  /** Plain data that make the same replay on a copy of the memory. */
  _dump() {
    return {
      address: this._address, difference: this.difference, stepCount: this.stepCount, stage: this.#stage._dump(), assets: [...this.#assets.values()].map((asset) => asset._dump()),
      actors: this.actors.map((actor) => (actor === null ? null : { dump: actor._dump(), asset: actor.asset._address })),
    };
  }

  #adopt(dump, Stage) {
    const { tendon } = this.recording;
    this.#address = dump.address;
    this.difference = dump.difference;
    this.stepCount = dump.stepCount;
    this.#stage = Stage._adopt(tendon, dump.stage);
    for (const asset of dump.assets) this.#assets.set(asset.address, Asset._adopt(tendon, asset));
    this.actors = dump.actors.map((actor) => (actor === null ? null : this.#stage._adoptActor(this.#assets.get(actor.asset), actor.dump)));
  }

  get stage() {
    return this.#stage;
  }

  /** Follows actors that the replay created and destroyed. */
  #followActors() {
    const { tendon } = this.recording;
    const { calls } = tendon._instance;
    const count = calls.td_replay_actor_count(this.#address);
    for (let i = 0; i < count; ++i) {
      const raw = calls.td_replay_actor(this.#address, i) >>> 0;
      const known = this.actors[i] ?? null;
      if (known !== null && raw === 0) {
        this.#stage._forget(known);
        known._drop();
        this.actors[i] = null;
      } else if (known === null) {
        this.actors[i] = raw === 0 ? null : this.#adoptActor(tendon, i);
      }
    }
  }

  #adoptActor(tendon, index) {
    const { calls } = tendon._instance;
    const place = calls.td_replay_asset(this.#address, index) >>> 0;
    if (!this.#assets.has(place)) this.#assets.set(place, new Asset(tendon, place, "", [], null, true));
    const address = calls.td_replay_wrap_actor(this.#address, index) >>> 0;
    if (address === 0) throw noMemory("an actor");
    return this.#stage._adoptRecorded(this.#assets.get(place), address);
  }

  step() {
    const { _instance: instance } = this.recording.tendon;
    const result = results[instance.calls.td_replay_step(this._address)];
    if (result === "failed") throw instance.failure("IMPOSSIBLE", "the replay ends");
    if (result === "differs") {
      const { recordedPosition, recordedRotation, repeatedPosition, repeatedRotation, ...place } = records.readBodyDifference(instance);
      this.difference ??= {
        ...place,
        recorded: { position: recordedPosition, rotation: recordedRotation },
        repeated: { position: repeatedPosition, rotation: repeatedRotation },
      };
    }
    if (result !== "end") {
      this.stepCount += 1;
      this.#followActors();
      this.#stage._followed();
    }
    return result;
  }

  destroy() {
    if (this.#address === 0) return;
    this.#stage.destroy();
    for (const asset of this.#assets.values()) asset.destroy();
    if (!this.recording.tendon.isDead) this.recording.tendon._instance.calls.td_replay_destroy(this.#address);
    this.#address = 0;
    this.#forget();
  }
}

guardClasses(Recorder, Recording, Replay);
