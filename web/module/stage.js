// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The stage: clock, world and actors; and the hand that grabs bodies.
import { TendonError, usage } from "./instance.js";
import { Actor } from "./actor.js";

const now = () => globalThis.performance.now();

export class Stage {
  #address;
  #actors = [];
  #grabs = new Set();
  #contactsVersion = -1;
  #contactsLength = 0;
  #ahead = 0; // s that have passed and were not stepped

  constructor(tendon, options) {
    const { gravity = [0, -9.81, 0], stepRate = 60, subSteps = 0, sleep = true } = options;
    if (!(stepRate > 0 && Number.isFinite(stepRate))) throw usage("stepRate must be above zero");
    if (!(Number.isInteger(subSteps) && subSteps >= 0 && subSteps <= 64)) throw usage("subSteps must be 1 to 64");
    const address = tendon._instance.calls.td_stage_create(...gravity, stepRate, subSteps, sleep ? 1 : 0);
    if (address === 0) throw new TendonError("OUT_OF_MEMORY", "no memory for a stage");
    this.tendon = tendon;
    this.#address = address;
    this.stepRate = stepRate;
    this.stepCount = 0;
    this.stepTime = 0;
    this._version = 0; // grows with whatever may have moved something
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
    return Array.from(this.tendon._instance.record.subarray(0, 3));
  }

  set gravity([x, y, z]) {
    this._calls.td_stage_set_gravity(this._address, x, y, z);
  }

  get time() {
    return this._calls.td_stage_time(this._address);
  }

  get stateHash() {
    return BigInt.asUintN(64, this._calls.td_stage_hash(this._address)).toString(16).padStart(16, "0");
  }

  get stats() {
    this._calls.td_stage_stats(this._address);
    const [bodyCount, awakeBodyCount, shapeCount, contactCount, touchCount, islandCount, awakeIslandCount] =
      this.tendon._instance.record;
    return { bodyCount, awakeBodyCount, shapeCount, contactCount, touchCount, islandCount, awakeIslandCount };
  }

  get energy() {
    this.tendon._instance.record.fill(0, 0, 2);
    this.#actors.forEach((actor, i) => this._calls.td_energy_add(actor._address, i === 0 ? 1 : 0));
    const [kinetic, potential] = this.tendon._instance.record;
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
      const r = this.tendon._instance.record;
      events.push({
        type: r[0] !== 0 ? "contact_begin" : "contact_end",
        actorA: this.#findActor(r[1]),
        actorB: this.#findActor(r[2]),
        nodeA: r[3],
        nodeB: r[4],
        point: [r[5], r[6], r[7]],
        normal: [r[8], r[9], r[10]],
        impulse: r[11],
      });
    }
    return events;
  }

  get triggerEvents() {
    const events = [];
    const count = this._calls.td_stage_trigger_event_count(this._address);
    for (let i = 0; i < count; ++i) {
      this._calls.td_stage_trigger_event(this._address, i);
      const r = this.tendon._instance.record;
      events.push({
        type: r[0] !== 0 ? "trigger_enter" : "trigger_exit",
        trigger: this.#findActor(r[1]),
        visitor: this.#findActor(r[2]),
        triggerNode: r[3],
        visitorNode: r[4],
        visitorBodyNode: r[5],
      });
    }
    return events;
  }

  #collectContacts() {
    // The buffer is shared by the stages of an instance.
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

  /** Steps that Tendon made by itself (baking) count too. */
  _recount() {
    this.stepCount = Math.round(this.time * this.stepRate);
    this._version += 1;
  }

  advance(seconds, maxSteps = 8) {
    if (!(seconds >= 0)) throw usage("seconds must not be negative");
    this.#ahead += seconds;
    const wanted = Math.floor(this.#ahead * this.stepRate + 1e-9);
    const count = Math.min(wanted, maxSteps);
    if (count > 0) this.step(count);
    // What was too much is forgotten: the stage runs slower instead of falling further behind.
    this.#ahead = Math.max(0, this.#ahead - wanted / this.stepRate);
    if (this.stepCount > 0) this.evaluate(this.time - 1 / this.stepRate + this.#ahead);
    return count;
  }

  evaluate(time) {
    this._version += 1;
    this._calls.td_stage_evaluate(this._address, time);
  }

  castRay(start, end) {
    if (this._calls.td_stage_cast_ray(this._address, ...start, ...end) === 0) return null;
    const r = this.tendon._instance.record;
    return {
      actor: this.#findActor(r[0]),
      node: r[1],
      bodyNode: r[2],
      fraction: r[3],
      point: [r[4], r[5], r[6]],
      normal: [r[7], r[8], r[9]],
    };
  }

  grab(actor, node, point, options = {}) {
    if (actor.stage !== this) throw usage("the actor is on another stage");
    const { frequency = 5, maxForce = 100 } = options;
    const address = this._calls.td_grab_create(actor._address, node, ...point, frequency, maxForce);
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
    const { calls, record } = this.actor.stage.tendon._instance;
    if (this.#address !== 0 && calls.td_grab_point(this.#address) !== 0) this.#point = Array.from(record.subarray(0, 3));
    return this.#point;
  }

  move(target) {
    if (this.#address === 0) return;
    this.target = [...target];
    this.actor.stage.tendon._instance.calls.td_grab_move(this.#address, ...target);
  }

  release() {
    this.#end(0);
  }

  /** The world goes with everything in it. */
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
