// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The clock: plays the recording and steps the session at its end.
//
// See docs/decisions/115-viewer-page.md.
import { snapshotBytes } from "./engine.js";
import { blendSnapshots, Recording } from "./recording.js";

/** ms of a frame for steps: a heavy scene runs slower than real time instead of freezing the page. */
const stepBudget = 24;

export class Player {
  /** @param budget milliseconds of a frame that steps may take */
  constructor(onEvents, { budget = stepBudget } = {}) {
    this.budget = budget;
    this.session = null;
    this.recording = new Recording(snapshotBytes);
    this.onEvents = onEvents;
    this.isPlaying = false;
    this.speed = 1;
    this.time = 0;
  }

  setSession(session) {
    this.session = session;
    this.isPlaying = false;
    this.#restart();
  }

  #restart() {
    this.recording.clear();
    this.time = 0;
    if (this.session !== null) {
      this.recording.push(this.session.snapshot);
    }
  }

  reset() {
    this.session.reset();
    this.#restart();
  }

  get isLive() {
    return this.recording.length === 0 || this.time >= this.recording.newest.time;
  }

  #stepOn() {
    const snapshot = this.session.step();
    this.recording.push(snapshot);
    this.onEvents(this.session.events);
    return snapshot;
  }

  /** Advances one step, in the recording or past its end. */
  step() {
    const { before, after } = this.recording.find(this.time);
    const next = after !== before ? after : this.#stepOn();
    this.time = next.time;
  }

  back() {
    const { position, fraction } = this.recording.find(this.time);
    this.time = this.recording.at(Math.max(0, position - (fraction > 0 ? 0 : 1))).time;
  }

  /** Shows what changed at the live end without a step, such as an expression; goes there. */
  refresh() {
    this.recording.replaceNewest(this.session.refresh());
    this.time = this.recording.newest.time;
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.recording.oldest.time), this.recording.newest.time);
  }

  /** Steps to a time without a budget. */
  stepTo(time) {
    while (this.recording.newest.time < time - 0.25 / this.session.stepRate) {
      this.#stepOn();
    }
    this.seek(time);
  }

  /** @param seconds of real time since the last call */
  advance(seconds) {
    if (!this.isPlaying || this.session === null) {
      return;
    }
    const target = this.time + Math.min(seconds, 0.1) * this.speed;
    const started = performance.now();
    while (this.recording.newest.time < target && performance.now() - started < this.budget) {
      this.#stepOn();
    }
    this.time = Math.max(Math.min(target, this.recording.newest.time), this.recording.oldest.time);
  }

  /** The snapshot to show. */
  get snapshot() {
    const { before, after, fraction } = this.recording.find(this.time);
    return blendSnapshots(before, after, fraction);
  }
}
