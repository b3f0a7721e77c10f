// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon/worker: a stage in a Web Worker, or in a worker thread of Node. The page stays responsive whatever a file costs.
//
//     const stage = await WorkerStage.create({ onSlow: () => showStopButton() });
//     const actor = await stage.addActor(bytes);
//     const frame = await stage.step();
//     frame.globals[actor.id].subarray(16 * node, 16 * node + 16);
//     stage.release(frame); // gives the buffers back
import type {
  ActorOptions, AnimationInfo, Bytes, ContactEvent, ExpressionInfo, Finding, HumanoidInfo, NodeInfo, PlayOptions, StageOptions, TriggerEvent,
} from "./tendon.js";

export interface WorkerStageOptions {
  /** A worker that runs the script tendon/worker_entry. Default: one is started. */
  worker?: any;
  /** The .wasm: its bytes or a compiled module. Default: the file beside the script. */
  source?: Bytes | WebAssembly.Module | null;
  maxMemory?: number;
  simd?: boolean;
  stage?: StageOptions;
  /** Milliseconds after which a call counts as slow; default 2000. */
  slowAfter?: number;
  /** Called again and again while a call is slow, with the seconds that it has taken. `stop()` ends it. */
  onSlow?: (seconds: number) => void;
}

export interface WorkerActorOptions extends ActorOptions {
  name?: string;
  /** Files that the asset refers to, by relative path. */
  files?: Readonly<Record<string, Bytes>> | ReadonlyMap<string, Bytes>;
}

/** An actor of the worker's stage. */
export class WorkerActor {
  private constructor();
  readonly stage: WorkerStage;
  /** Index in `Frame.globals` and in events. */
  readonly id: number;
  readonly nodes: readonly NodeInfo[];
  readonly animations: readonly AnimationInfo[];
  readonly humanoid: HumanoidInfo | null;
  readonly expressions: readonly ExpressionInfo[];
  readonly findings: readonly Finding[];
}

export interface Frame {
  /** Seconds. */
  time: number;
  stepCount: number;
  /** Milliseconds that a step took in the worker. */
  stepTime: number;
  stateHash: string;
  /** Column-major matrices of all nodes by actor; the caller owns the buffers until `release`. */
  globals: Float32Array[];
  /** Events of the last step, with the ids of actors; -1: none. */
  contactEvents: (Omit<ContactEvent, "actorA" | "actorB"> & { actorA: number; actorB: number })[];
  triggerEvents: (Omit<TriggerEvent, "trigger" | "visitor"> & { trigger: number; visitor: number })[];
}

/** A stage that runs elsewhere. Calls are carried out in order; each returns a promise, which rejects with a TendonError. */
export class WorkerStage {
  private constructor();
  static create(options?: WorkerStageOptions): Promise<WorkerStage>;
  readonly version: string;
  readonly simd: boolean;
  readonly stepRate: number;
  readonly isStopped: boolean;
  /** Opens a file and adds an actor. */
  addActor(bytes: Bytes, options?: WorkerActorOptions): Promise<WorkerActor>;
  /** Plays an animation by index or name, or the motion of another file (its bytes). */
  play(actor: WorkerActor, animation: number | string | Bytes, options?: PlayOptions): Promise<null>;
  /** Calls a method of the actor whose arguments and result are plain data, such as "setExpression". */
  call(actor: WorkerActor, method: string, ...args: unknown[]): Promise<unknown>;
  /** Steps and returns the poses. */
  step(count?: number): Promise<Frame>;
  /** Makes the steps that are due, as Stage.advance, and returns interpolated poses. */
  advance(seconds: number): Promise<Frame>;
  /** Gives the buffers of a frame back; its arrays are empty afterwards. */
  release(frame: Frame): void;
  /** Ends the worker at once, also in the middle of a step. Pending calls reject with the code STOPPED. */
  stop(): void;
}
