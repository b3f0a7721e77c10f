// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The stage: clock, world and actors; grabbing bodies.
import * as records from "./records.js";
import {
  TendonError, giveLimits, guardClasses, takeInstance, takeInteger, takeNumber, takeNumbers, takeOptions, takePositive, takeVector, usage,
} from "./arguments.js";
import { Actor } from "./actor.js";
import { Asset } from "./asset.js";
import { noMemory, withArrays } from "./geometry.js";
import { History } from "./history.js";
import { Recorder } from "./recording.js";
import { World } from "./world.js";

const now = () => globalThis.performance.now();

export class Stage {
  #address;
  #actors = [];
  #grabs = new Set();
  #histories = new Set();
  #recorder = null;
  #isBorrowed = false; // it belongs to a replay
  #hasStates = false; // a load may begin grabs again that were released
  #world = null;
  #contactsVersion = -1;
  #contactsLength = 0;
  #ahead = 0; // elapsed time that was not stepped yet, s

  constructor(tendon, options, dump = null) {
    const { gravity = [0, -9.81, 0], stepRate = 60, subSteps = 0, sleep = true, limits } = takeOptions(options);
    this.tendon = tendon;
    if (dump !== null) {
      ({ address: this.#address, ahead: this.#ahead, isBorrowed: this.#isBorrowed = false } = dump);
      Object.assign(this, dump.values);
      return;
    }
    takePositive("stepRate", stepRate);
    takeInteger("subSteps", subSteps, 0, 64);
    giveLimits(tendon._instance, limits);
    const address = tendon._instance.calls.td_stage_create(...takeVector("gravity", gravity, 3), stepRate, subSteps, sleep ? 1 : 0);
    if (address === 0) throw new TendonError("OUT_OF_MEMORY", "no memory for a stage");
    this.#address = address;
    this.stepRate = stepRate;
    this.stepCount = 0;
    this.stepTime = 0;
    this._version = 0; // grows with every call that may move something
    this._shownTime = 0; // s; of the poses of the actors
  }

  get _address() {
    if (this.#address === 0) throw usage("the stage was destroyed");
    return this.#address;
  }

  get _calls() {
    return this.tendon._instance.calls;
  }

  /** Plain data that make the same stage on a copy of the memory; actors and grabs are not part of it. */
  _dump() {
    const { tendon, ...values } = this;
    return { address: this._address, ahead: this.#ahead, isBorrowed: this.#isBorrowed, values };
  }

  static _adopt(tendon, dump) {
    return new Stage(tendon, {}, dump);
  }

  /** The stage of a replay. */
  static _borrow(tendon, address, stepRate) {
    const values = { stepRate, stepCount: 0, stepTime: 0, _version: 0, _shownTime: 0 };
    return new Stage(tendon, {}, { address, ahead: 0, isBorrowed: true, values });
  }

  /** Adds an actor that a replay made. */
  _adoptRecorded(asset, address) {
    const actor = Actor._wrap(this, asset, address);
    this.#actors.push(actor);
    return actor;
  }

  /** Adds the copy of an actor. */
  _adoptActor(asset, dump) {
    const actor = Actor._adopt(this, asset, dump);
    this.#actors.push(actor);
    return actor;
  }

  /** Whether the last step reached the limit of pairs or contacts: the first ones collide, the others do not. */
  get isLimited() {
    return this._calls.td_stage_is_limited(this._address) !== 0;
  }

  get actors() {
    return this.#actors;
  }

  get world() {
    if (this.#world === null) this.#world = new World(this.tendon, {}, this);
    return this.#world;
  }

  get gravity() {
    return this.world.gravity;
  }

  set gravity(gravity) {
    this.world.gravity = gravity;
  }

  get sleep() {
    return this.world.sleep;
  }

  set sleep(isOn) {
    this.world.sleep = isOn;
  }

  get time() {
    return this._calls.td_stage_time(this._address);
  }

  get stateHash() {
    return this.world.stateHash;
  }

  get stats() {
    return this.world.stats;
  }

  get energy() {
    this.#actors.forEach((actor, i) => this._calls.td_energy_add(actor._address, i === 0 ? 1 : 0));
    const none = { kinetic: 0, potential: 0 };
    const { kinetic, potential } = this.#actors.length > 0 ? records.readEnergy(this.tendon._instance) : none;
    return { kinetic, potential, total: kinetic + potential };
  }

  #findActor(address) {
    return this.#actors.find((actor) => actor._raw === address) ?? null;
  }

  get contactEvents() {
    const events = [];
    const count = this._calls.td_stage_contact_event_count(this._address);
    for (let i = 0; i < count; ++i) {
      this._calls.td_stage_contact_event(this._address, i);
      const { began, actorA, actorB, ...event } = records.readContactEvent(this.tendon._instance);
      events.push({
        type: began ? "contact_begin" : "contact_end",
        actorA: this.#findActor(actorA),
        actorB: this.#findActor(actorB),
        ...event,
      });
    }
    return events;
  }

  get triggerEvents() {
    const events = [];
    const count = this._calls.td_stage_trigger_event_count(this._address);
    for (let i = 0; i < count; ++i) {
      this._calls.td_stage_trigger_event(this._address, i);
      const { entered, trigger, visitor, ...event } = records.readTriggerEvent(this.tendon._instance);
      events.push({
        type: entered ? "trigger_enter" : "trigger_exit",
        trigger: this.#findActor(trigger),
        visitor: this.#findActor(visitor),
        ...event,
      });
    }
    return events;
  }

  #collectContacts() {
    // All stages of an instance share the buffer.
    if (this.#contactsVersion !== this._version || this.tendon._contactsOwner !== this) {
      let used = 0;
      for (const actor of this.#actors) used = this._calls.td_contacts_add(actor._address, used);
      this.#contactsLength = used;
      this.#contactsVersion = this._version;
      this.tendon._contactsOwner = this;
    }
    return this.#contactsLength;
  }

  get contactPoints() {
    const length = this.#collectContacts();
    return new Float32Array(this.tendon._instance.memory.buffer, this._calls.td_contacts() >>> 0, length);
  }

  get contactNodes() {
    const length = this.#collectContacts() / 4;
    return new Int32Array(this.tendon._instance.memory.buffer, this._calls.td_contact_nodes() >>> 0, length);
  }

  addActor(asset, options = {}) {
    if (takeInstance("asset", asset, Asset).tendon !== this.tendon) throw usage("asset and stage must be of one instance");
    const { scene } = takeOptions(options);
    if (scene !== undefined && !(Number.isInteger(scene) && scene >= -1 && scene < asset.sceneCount)) {
      throw usage(`there is no scene ${scene}; the file has ${asset.sceneCount}`);
    }
    const actor = new Actor(this, asset, options);
    this.#actors.push(actor);
    this._version += 1;
    return actor;
  }

  _forget(actor) {
    for (const grab of [...this.#grabs]) if (grab.actor === actor) grab._drop(false);
    const place = this.#actors.indexOf(actor);
    if (place >= 0) this.#actors.splice(place, 1);
    this._version += 1;
  }

  step(count = 1) {
    takeInteger("count", count, 0, 2 ** 31 - 1);
    const started = now();
    for (let i = 0; i < count; ++i) {
      this._version += 1;
      if (this._calls.td_stage_step(this._address) === 0) {
        throw new TendonError("OUT_OF_MEMORY", "no memory for the step; the stage is as before it");
      }
      this.stepCount += 1;
    }
    this.stepTime = count > 0 ? (now() - started) / count : 0;
    this._shownTime = this.time;
  }

  /** A history made a step. */
  _stepped() {
    this._version += 1;
    this.stepCount += 1;
    this._shownTime = this.time;
  }

  /** A replay made a step, or loaded a state and made one. */
  _followed() {
    this._recount();
    this._shownTime = this.time;
  }

  /** Whether it belongs to a replay, with its actors. */
  get _isBorrowed() {
    return this.#isBorrowed;
  }

  /** Updates the step count after calls that step by themselves, such as baking. */
  _recount() {
    this.stepCount = Math.round(this.time * this.stepRate);
    this._version += 1;
  }

  advance(seconds, maxSteps = 8) {
    takeInteger("maxSteps", maxSteps, 0, 2 ** 31 - 1);
    takeNumber("seconds", seconds, 0);
    this.#ahead += seconds;
    const wanted = Math.floor(this.#ahead * this.stepRate + 1e-9);
    const count = Math.min(wanted, maxSteps);
    if (count > 0) this.step(count);
    // Time beyond maxSteps is dropped: the stage runs slower instead of falling further behind.
    this.#ahead = Math.max(0, this.#ahead - wanted / this.stepRate);
    if (this.stepCount > 0) this.evaluate(this.time - 1 / this.stepRate + this.#ahead);
    return count;
  }

  stepVariable(seconds) {
    takeNumber("seconds", seconds);
    this._version += 1;
    if (this._calls.td_stage_step_variable(this._address, seconds) === 0) {
      throw new TendonError("OUT_OF_MEMORY", "no memory for the step; the stage is as before it");
    }
    this._recount();
    if (seconds > 0) this._shownTime += seconds;
  }

  evaluate(time) {
    takeNumbers("time", [time]);
    this._version += 1;
    this._calls.td_stage_evaluate(this._address, time);
    this._shownTime = time;
  }

  castRay(start, end) {
    const numbers = [...takeVector("start", start, 3), ...takeVector("end", end, 3)];
    if (this._calls.td_stage_cast_ray(this._address, ...numbers) === 0) return null;
    const { actor, ...hit } = records.readHit(this.tendon._instance);
    return { actor: this.#findActor(actor), ...hit };
  }

  grab(actor, node, point, options = {}) {
    if (takeInstance("actor", actor, Actor).stage !== this) throw usage("the actor is on another stage");
    actor._checkNode(node);
    const { frequency = 5, maxForce = 100 } = takeOptions(options);
    const numbers = [...takeVector("point", point, 3), ...takeNumbers("frequency and maxForce", [frequency, maxForce])];
    const address = this._calls.td_grab_create(actor._address, node, ...numbers);
    if (address === 0) return null;
    const grab = new Grab(actor, node, point, address, () => this.#grabs.delete(grab));
    this.#grabs.add(grab);
    return grab;
  }

  save() {
    const address = this._calls.td_stage_save(this._address) >>> 0;
    if (address === 0) throw noMemory("a state");
    const bytes = this.tendon._instance.readBytes(address, records.readSize(this.tendon._instance).size);
    this.tendon._instance.free(address);
    this.#hasStates = true;
    return bytes;
  }

  load(block) {
    takeInstance("the state", block, Uint8Array);
    const isLoaded = withArrays(this.tendon._instance, [block], (at) => this._calls.td_stage_load(this._address, at, block.length)) !== 0;
    if (!isLoaded) {
      const isMemory = this._calls.td_world_is_out_of_memory(this.world._address) !== 0;
      throw isMemory ? noMemory("the state; the stage is as before") : usage("the state is not one of this stage");
    }
    this._restored();
  }

  createHistory(capacity) {
    const history = new History(this, capacity, () => this.#histories.delete(history));
    this.#histories.add(history);
    this.#hasStates = true;
    return history;
  }

  record(options = {}) {
    if (this.#recorder !== null) throw usage("the stage is recorded already");
    this.#recorder = new Recorder(this, options, () => (this.#recorder = null));
    return this.#recorder;
  }

  /** Follows a state that was loaded: clock, plays, grabs and handles. */
  _restored() {
    this._recount();
    this._shownTime = this.time;
    for (const actor of this.#actors) actor._restored();
    for (const grab of [...this.#grabs]) grab._restored();
    this.#world?._prune();
  }

  /** Whether the memory of released grabs must stay. */
  get _hasStates() {
    return this.#hasStates;
  }

  destroy() {
    if (this.#address === 0) return;
    this.#recorder?.destroy();
    for (const history of [...this.#histories]) history.destroy();
    for (const actor of [...this.#actors]) actor._drop();
    for (const grab of [...this.#grabs]) grab._drop(true);
    if (!this.tendon.isDead && !this.#isBorrowed) this._calls.td_stage_destroy(this.#address);
    this.#address = 0;
    this.#actors.length = 0;
    this.#world?._end();
  }
}

export class Grab {
  #address;
  #forget;
  #point;

  constructor(actor, node, point, address, forget) {
    this.actor = actor;
    this.node = node;
    this.target = [...point];
    this.#point = [...point];
    this.#address = address;
    this.#forget = forget;
  }

  get isHeld() {
    return this.#address !== 0 && this.#calls.td_grab_is_held(this.#address) !== 0;
  }

  get #calls() {
    return this.actor.stage.tendon._instance.calls;
  }

  get point() {
    const instance = this.actor.stage.tendon._instance;
    if (this.isHeld && instance.calls.td_grab_point(this.#address) !== 0) this.#point = records.readVector(instance).value;
    return this.#point;
  }

  move(target) {
    if (this.#address === 0) return;
    this.target = takeVector("target", target, 3);
    this.#calls.td_grab_move(this.#address, ...this.target);
  }

  release() {
    if (this.#address === 0) return;
    if (!this.actor.stage._hasStates) this._drop(false);
    else this.#calls.td_grab_release(this.#address);
  }

  /** After a load: a grab of a later moment is over. */
  _restored() {
    if (!this.isHeld) this._drop(false);
  }

  /** Ends the grab for good. */
  _drop(isWorldGone) {
    if (this.#address === 0) return;
    if (!this.actor.stage.tendon.isDead) {
      if (!isWorldGone) this.#calls.td_grab_release(this.#address);
      this.#calls.td_grab_free(this.#address);
    }
    this.#address = 0;
    this.#forget();
  }
}

guardClasses(Stage, Grab);
