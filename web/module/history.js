// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The last states of a stage, for rollback.
import { callUser, guardClasses, takeInteger, usage } from "./arguments.js";
import { noMemory } from "./geometry.js";

export class History {
  #address;
  #forget;

  constructor(stage, capacity, forget) {
    takeInteger("capacity", capacity, 1, 2 ** 20);
    this.stage = stage;
    this.capacity = capacity;
    this.#forget = forget;
    this.#address = stage._calls.td_history_create(stage._address, capacity);
    if (this.#address === 0) throw noMemory("a history");
  }

  get _address() {
    if (this.#address === 0) throw usage("the history was destroyed");
    return this.#address;
  }

  get count() {
    return this.stage._calls.td_history_count(this._address);
  }

  get byteCount() {
    return this.stage._calls.td_history_byte_count(this._address);
  }

  #makeStep(apply) {
    const { stage } = this;
    if (stage._calls.td_history_keep(this._address) === 0) throw noMemory("a state; the stage is as before");
    if (apply) callUser(apply, stage, stage.stepCount);
    if (stage._calls.td_history_step(this._address) === 0) {
      stage._restored();
      throw noMemory("the step; the stage is as before it");
    }
    stage._stepped();
  }

  step(apply = null) {
    takeApply(apply);
    this.#makeStep(apply);
  }

  undo(steps) {
    takeInteger("steps", steps, 0, 2 ** 20);
    if (steps > this.count) throw usage(`the history has ${this.count} states`);
    if (this.stage._calls.td_history_undo(this._address, steps) === 0) throw noMemory("the state; the stage is as before");
    if (steps > 0) this.stage._restored();
  }

  rollback(steps, apply = null) {
    takeApply(apply);
    this.undo(steps);
    for (let i = 0; i < steps; ++i) this.#makeStep(apply);
  }

  destroy() {
    if (this.#address === 0) return;
    if (!this.stage.tendon.isDead) this.stage._calls.td_history_destroy(this.#address);
    this.#address = 0;
    this.#forget();
  }
}

function takeApply(apply) {
  if (apply !== null && typeof apply !== "function") throw usage("apply must be a function");
}

guardClasses(History);
