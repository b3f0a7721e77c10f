// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The clock: plays the recording and steps the session at its end. With a watchdog, it makes only steps that the watchdog's
// worker has made before.
//
// See docs/decisions/115-viewer-page.md and docs/decisions/119-watchdog-worker.md.
import { snapshotBytes } from "./engine.js";
import { blendSnapshots, Recording } from "./recording.js";

/** ms of a frame for steps: a heavy scene runs slower than real time instead of freezing the page. */
const stepBudget = 24;
/** Seconds of playback that the watchdog is asked for in advance. */
const lead = 0.05;
/** Steps that it is asked for on the way to a time. */
const stride = 30;

export class Player {
  /**
   * @param budget milliseconds of a frame that steps may take
   * @param watchdog permits steps (watchdog.js)
   */
  constructor(onEvents, { budget = stepBudget, watchdog = null } = {}) {
    this.budget = budget;
    this.watchdog = watchdog;
    /** Whether the clock stands still, because another file is being opened. */
    this.isHeld = false;
    this.goal = null; // the time that steps are made to without playing, and who waits for it: { time, resolve }
    this.session = null;
    this.recording = new Recording(snapshotBytes);
    this.onEvents = onEvents;
    this.isPlaying = false;
    this.speed = 1;
    this.time = 0;
    this.isFollowing = true;
  }

  setSession(session) {
    this.session = session;
    this.isPlaying = false;
    this.#reach();
    this.#restart();
  }

  get isWatched() {
    return this.watchdog !== null && this.watchdog.isOn;
  }

  /** Passes an input to the session: the name of a method and its arguments. Steps under way come before it. */
  input(...call) {
    if (!this.isWatched || this.isHeld || this.watchdog.note(call)) {
      this.session.apply(call);
    }
  }

  #restart() {
    this.recording.clear();
    this.time = 0;
    this.isFollowing = true;
    if (this.session !== null) {
      this.recording.push(this.session.snapshot);
    }
  }

  reset() {
    this.session.reset();
    this.watchdog?.restart(this.session.setup);
    this.#restart();
  }

  /** Whether the end of the recording is shown, or playback follows it closely. */
  get isLive() {
    return this.recording.length === 0 || this.isFollowing || this.time >= this.recording.newest.time;
  }

  #stepOn() {
    const snapshot = this.session.step();
    this.recording.push(snapshot);
    this.onEvents(this.session.events);
    return snapshot;
  }

  /** Makes steps up to a time, within the budget, as far as the watchdog has made them. */
  #stepUpTo(target) {
    const started = performance.now();
    while (!this.session.isOver && this.recording.newest.time < target && performance.now() - started < this.budget) {
      if (!this.isWatched) {
        this.#stepOn();
        continue;
      }
      const inputs = this.watchdog.take();
      if (inputs === null) {
        return;
      }
      inputs.forEach((input) => this.session.apply(input));
      this.watchdog.confirm(this.#stepOn().hash);
    }
  }

  /** Ends the way to a goal. */
  #reach() {
    const { goal } = this;
    this.goal = null;
    goal?.resolve();
  }

  /** Advances one step, in the recording or past its end. */
  step() {
    const { before, after } = this.recording.find(this.time);
    this.isFollowing = false;
    if (after !== before) {
      this.time = after.time;
    } else if (this.session.isOver) {
      this.time = before.time;
    } else if (this.isWatched) {
      this.#setGoal(before.time + 1 / this.session.stepRate);
    } else {
      this.time = this.#stepOn().time;
    }
  }

  /** Steps to a time with the coming frames. @returns a promise that it is reached, or cannot be */
  #setGoal(time) {
    this.#reach();
    return new Promise((resolve) => (this.goal = { time, resolve }));
  }

  back() {
    this.isFollowing = false;
    const { position, fraction } = this.recording.find(this.time);
    this.time = this.recording.at(Math.max(0, position - (fraction > 0 ? 0 : 1))).time;
  }

  /** Shows what changed at the live end without a step, such as an expression; goes there. */
  refresh() {
    this.recording.replaceNewest(this.session.refresh());
    this.time = this.recording.newest.time;
    this.isFollowing = true;
  }

  seek(time) {
    this.isFollowing = false;
    this.time = Math.min(Math.max(time, this.recording.oldest.time), this.recording.newest.time);
  }

  /** Steps to a time; without a watchdog at once. */
  async stepTo(time) {
    const last = time - 0.25 / this.session.stepRate;
    if (this.isWatched && !this.session.isOver && this.recording.newest.time < last) {
      await this.#setGoal(time);
    }
    while (!this.isWatched && !this.session.isOver && this.recording.newest.time < last) {
      this.#stepOn();
    }
    this.seek(time);
  }

  /** Gives up what is under way, because the watchdog refused it. */
  halt() {
    this.isPlaying = false;
    this.#reach();
    this.watchdog.flushInputs().forEach((input) => this.session?.apply(input));
  }

  /**
   * @param seconds of real time since the last call
   * @returns whether there is something new to show
   */
  advance(seconds) {
    if (this.session === null || this.isHeld) {
      return false;
    }
    const { stepRate } = this.session;
    const newest = this.recording.newest.time;
    if (this.isPlaying) {
      const target = this.time + Math.min(seconds, 0.1) * this.speed;
      this.#stepUpTo(target);
      if (this.isWatched && !this.session.isOver && target + lead > this.recording.newest.time) {
        this.watchdog.ask(Math.ceil((target - this.recording.newest.time + lead * Math.max(1, this.speed)) * stepRate));
      }
      this.time = Math.max(Math.min(target, this.recording.newest.time), this.recording.oldest.time);
      this.isFollowing ||= this.time > this.recording.newest.time - 2 / stepRate;
      return true;
    }
    if (!this.isWatched) {
      return false;
    }
    const wasLive = this.isLive;
    if (this.goal !== null) {
      const last = this.goal.time - 0.25 / stepRate;
      this.#stepUpTo(last);
      const missing = Math.ceil((last - this.recording.newest.time) * stepRate);
      if (missing > 0 && !this.session.isOver) {
        this.watchdog.ask(Math.min(missing, stride));
      } else {
        this.#reach();
      }
    } else {
      this.#stepUpTo(Infinity); // steps that were under way when playback paused
    }
    if (wasLive) {
      this.time = this.recording.newest.time;
    }
    return this.recording.newest.time !== newest;
  }

  /** The snapshot to show. */
  get snapshot() {
    const { before, after, fraction } = this.recording.find(this.time);
    return blendSnapshots(before, after, fraction);
  }
}
