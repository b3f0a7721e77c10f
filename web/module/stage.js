// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The stage: clock, world and actors; grabbing bodies.
import * as records from "./records.js";
import { TendonError, takeNumbers, takeVector, usage } from "./instance.js";
import { Actor } from "./actor.js";

const now = () => globalThis.performance.now();

export class Stage {
  #address;
  #actors = [];
  #grabs = new Set();
  #contactsVersion = -1;
  #contactsLength = 0;
  #ahead = 0; // elapsed time that was not stepped yet, s

  constructor(tendon, options) {
    const { gravity = [0, -9.81, 0], stepRate = 60, subSteps = 0, sleep = true } = options;
    if (!(stepRate > 0 && Number.isFinite(stepRate))) throw usage("stepRate must be above zero");
    if (!(Number.isInteger(subSteps) && subSteps >= 0 && subSteps <= 64)) throw usage("subSteps must be 1 to 64");
    const address = tendon._instance.calls.td_stage_create(...takeVector("gravity", gravity, 3), stepRate, subSteps, sleep ? 1 : 0);
    if (address === 0) throw new TendonError("OUT_OF_MEMORY", "no memory for a stage");
    this.tendon = tendon;
    this.#address = address;
    this.stepRate = stepRate;
    this.stepCount = 0;
    this.stepTime = 0;
    this._version = 0; // grows with every call that may move something
  }

  get _address() {
    if (this.#address === 0) throw usage("the stage was destroyed");
    return this.#address;
  }

  get _calls() {
    return this.tendon._instance.calls;
  }

  get actors() {
    return this.#actors;
  }

  get gravity() {
    this._calls.td_stage_get_gravity(this._address);
    return records.readVector(this.tendon._instance).value;
  }

  set gravity(gravity) {
    this._calls.td_stage_set_gravity(this._address, ...takeVector("gravity", gravity, 3));
  }

  get time() {
    return this._calls.td_stage_time(this._address);
  }

  get stateHash() {
    return BigInt.asUintN(64, this._calls.td_stage_hash(this._address)).toString(16).padStart(16, "0");
  }

  get stats() {
    this._calls.td_stage_stats(this._address);
    return records.readStatistics(this.tendon._instance);
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
    if (asset.tendon !== this.tendon) throw usage("asset and stage must be of one instance");
    const { scene } = options;
    if (scene !== undefined && !(Number.isInteger(scene) && scene >= -1 && scene < asset.sceneCount)) {
      throw usage(`there is no scene ${scene}; the file has ${asset.sceneCount}`);
    }
    const actor = new Actor(this, asset, options);
    this.#actors.push(actor);
    this._version += 1;
    return actor;
  }

  _forget(actor) {
    for (const grab of [...this.#grabs]) if (grab.actor === actor) grab.release();
    const place = this.#actors.indexOf(actor);
    if (place >= 0) this.#actors.splice(place, 1);
    this._version += 1;
  }

  step(count = 1) {
    const started = now();
    for (let i = 0; i < count; ++i) {
      this._version += 1;
      if (this._calls.td_stage_step(this._address) === 0) {
        throw new TendonError("OUT_OF_MEMORY", "no memory for the step; the stage is as before it");
      }
      this.stepCount += 1;
    }
    this.stepTime = count > 0 ? (now() - started) / count : 0;
  }

  /** Updates the step count after calls that step by themselves, such as baking. */
  _recount() {
    this.stepCount = Math.round(this.time * this.stepRate);
    this._version += 1;
  }

  advance(seconds, maxSteps = 8) {
    if (!(seconds >= 0 && Number.isFinite(seconds))) throw usage("seconds must be finite and not negative");
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
    if (!Number.isFinite(seconds)) throw usage("seconds must be finite");
    this._version += 1;
    if (this._calls.td_stage_step_variable(this._address, seconds) === 0) {
      throw new TendonError("OUT_OF_MEMORY", "no memory for the step; the stage is as before it");
    }
    this._recount();
  }

  evaluate(time) {
    takeNumbers("time", [time]);
    this._version += 1;
    this._calls.td_stage_evaluate(this._address, time);
  }

  castRay(start, end) {
    const numbers = [...takeVector("start", start, 3), ...takeVector("end", end, 3)];
    if (this._calls.td_stage_cast_ray(this._address, ...numbers) === 0) return null;
    const { actor, ...hit } = records.readHit(this.tendon._instance);
    return { actor: this.#findActor(actor), ...hit };
  }

  grab(actor, node, point, options = {}) {
    if (actor.stage !== this) throw usage("the actor is on another stage");
    const { frequency = 5, maxForce = 100 } = options;
    const numbers = [...takeVector("point", point, 3), ...takeNumbers("frequency and maxForce", [frequency, maxForce])];
    const address = this._calls.td_grab_create(actor._address, node, ...numbers);
    if (address === 0) return null;
    const grab = new Grab(actor, node, point, address, () => this.#grabs.delete(grab));
    this.#grabs.add(grab);
    return grab;
  }

  destroy() {
    if (this.#address === 0) return;
    for (const actor of [...this.#actors]) actor._drop();
    for (const grab of [...this.#grabs]) grab._drop();
    if (!this.tendon.isDead) this._calls.td_stage_destroy(this.#address);
    this.#address = 0;
    this.#actors.length = 0;
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

  get point() {
    const instance = this.actor.stage.tendon._instance;
    if (this.#address !== 0 && instance.calls.td_grab_point(this.#address) !== 0) this.#point = records.readVector(instance).value;
    return this.#point;
  }

  move(target) {
    if (this.#address === 0) return;
    this.target = takeVector("target", target, 3);
    this.actor.stage.tendon._instance.calls.td_grab_move(this.#address, ...this.target);
  }

  release() {
    this.#end(0);
  }

  /** Forgets the grab; the world is already destroyed. */
  _drop() {
    this.#end(1);
  }

  #end(isWorldGone) {
    if (this.#address === 0) return;
    const { tendon } = this.actor.stage;
    if (!tendon.isDead) tendon._instance.calls.td_grab_release(this.#address, isWorldGone);
    this.#address = 0;
    this.#forget();
  }
}
