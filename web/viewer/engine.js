// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The only file that knows the engine's module. An Engine makes Sessions; a Session is one file on a stage of its own.
// When the engine faults, its instance is dropped and the next session gets a new one.
import { countTurns } from "./joint_turns.js";
import { isRecordingName } from "./files.js";
import { adoptObjects, adoptReplay, createBlank, dumpObjects, dumpReplay, writeMemory } from "../module/copy.js";
import { loadTendon, TendonError } from "../module/tendon.js";

export const memoryBound = 1 << 30;
/** Bytes of memory that are copied in one task; some milliseconds. */
const copiedAtOnce = 8 << 20;
/** Bytes that the recorded tape of a session may take; the export ends where the tape is full. */
const tapeBound = 96 << 20;
const tapeRate = 30;
/** ms of work on a saved recording after which the page may draw. */
const sliceTime = 24;

/** An error to show to the user: a sentence and the findings behind it. */
export class Trouble extends Error {
  constructor(message, findings = []) {
    super(message);
    this.findings = findings;
  }
}

/** Methods of a session that users call while it runs. */
const inputNames = ["setExpression", "setGazeTarget", "enableSprings", "resetSprings", "grab", "moveGrab", "releaseGrab"];

/** Turns an error into a sentence for the user. */
export function explain(error, name) {
  if (error instanceof Trouble) {
    return error;
  }
  if (!(error instanceof TendonError)) {
    return new Trouble(`${name}: ${error.message}`);
  }
  const sentences = {
    UNREADABLE: `${name} cannot be read.`,
    OUT_OF_MEMORY: `${name} needs more memory than this page allows (${memoryBound >> 20} MB).`,
    FAULT: "The engine stopped on a fault and was restarted. Open the file again.",
  };
  return new Trouble(sentences[error.code] ?? `${name}: ${error.message}`, error.findings ?? []);
}

export class Engine {
  #module;
  #instance = null;

  static async create(bytes) {
    const engine = new Engine();
    engine.#module = await WebAssembly.compile(bytes);
    await engine.renew();
    return engine;
  }

  /** The compiled engine, for workers. */
  get module() {
    return this.#module;
  }

  get memorySize() {
    return this.#instance.memorySize;
  }

  get version() {
    return this.#instance.version;
  }

  /** Starts a new instance; sessions of the old one become invalid. */
  async renew() {
    this.#instance = await loadTendon(this.#module, { maxMemory: memoryBound });
  }

  /**
   * WebAssembly memory never shrinks, so the instance is replaced after a large file.
   * @param {import("./files.js").FileSet} files
   */
  async open(files, { loop = true } = {}) {
    const large = 256 << 20;
    if (this.#instance.isDead || this.#instance.memorySize > large) {
      await this.renew();
    }
    try {
      return new Session(this.#instance, files, loop);
    } catch (error) {
      const trouble = explain(error, files.name);
      if (this.#instance.isDead || !(error instanceof TendonError)) {
        await this.renew();
      }
      throw trouble;
    }
  }

  /**
   * Takes over a session that a worker opened.
   * @param opened { dump, size } of the worker's session and memory
   * @param readPart function (at, size): a promise of that part of the worker's memory
   */
  async adopt(files, loop, { dump, size }, readPart) {
    const instance = await createBlank(this.#module, { maxMemory: memoryBound }, size);
    for (let at = 0; at < size; at += copiedAtOnce) {
      writeMemory(instance, at, await readPart(at, Math.min(copiedAtOnce, size - at)));
    }
    const session = new Session(instance, files, loop, { dump });
    this.#instance = instance;
    return session;
  }

  /** Checks bytes, such as an export. @returns their findings */
  check(files) {
    return this.#instance.check(files.bytes, { name: files.name, files: files.beside });
  }
}

/** Copies of the state after a step. */
function takeSnapshot(session, previous) {
  const { stage, actor } = session;
  const energy = stage.energy;
  const stats = stage.stats;
  return {
    step: stage.stepCount,
    time: stage.time,
    hash: stage.stateHash,
    globals: actor.globals.slice(),
    morphs: session.morphNodes.map((node) => actor.morphWeights(node).slice()),
    expressions: session.expressions.map(({ name }) => ({ weight: actor.getExpression(name), output: actor.getExpressionOutput(name) })),
    materialValues: actor.materialValues.slice(),
    shapeTransforms: actor.shapeTransforms.slice(),
    shapeStates: actor.shapeStates.slice(),
    centres: actor.centersOfMass.slice(),
    jointFrames: actor.jointFrames.slice(),
    jointTurns: countTurns(session.joints, actor.jointFrames, previous?.jointTurns ?? null),
    contacts: previous === null ? new Float32Array(0) : stage.contactPoints.slice(0, 8 * 4096),
    kinetic: energy.kinetic,
    potential: energy.potential,
    stepTime: stage.stepTime,
    touchCount: stats.touchCount,
    awakeCount: stats.awakeBodyCount,
    bodyCount: stats.bodyCount,
  };
}

export function snapshotBytes(snapshot) {
  let count = 200;
  for (const part of ["globals", "shapeTransforms", "shapeStates", "centres", "jointFrames", "contacts", "materialValues"]) {
    count += snapshot[part].byteLength + 64;
  }
  count += 48 * snapshot.expressions.length;
  return snapshot.morphs.reduce((sum, weights) => sum + weights.byteLength + 64, count);
}

export class Session {
  #tendon;
  #clip = null;
  #motion = null; // { asset, clip }
  #tape = null;
  #tapeFrames = 0;
  #tapeCapacity = 0;
  #gazeTarget = null;
  #grab = null;
  #isTwin = false;
  #replay = null; // of an opened recording
  #recorder = null;
  #inputs = []; // since the last reset: { step, call }
  #start = null; // the setup of the last reset
  /** Whether all steps of an opened recording were made. */
  isOver = false;
  /** Whether the gaze follows the pointer. */
  gazeFollows = false;
  springsEnabled = true;
  /** Weights of expressions that sliders hold, by name. */
  heldExpressions = new Map();

  /**
   * @param isTwin true: takes no snapshots and records nothing; for the watchdog
   * @param isRecorded of a twin: records its stage, for finishRecording
   * @param dump of a twin that just opened the file, whose memory the instance has a copy of
   */
  constructor(tendon, files, loop, { isTwin = false, isRecorded = false, dump = null } = {}) {
    this.#tendon = tendon;
    this.#isTwin = isTwin;
    this.#recorder = isRecorded ? {} : null;
    this.name = files.name;
    this.files = files;
    if (isRecordingName(files.name)) {
      this.#openRecording(dump);
    } else if (dump !== null) {
      ({ asset: this.asset, stage: this.stage, actor: this.actor, clip: this.#clip } = adoptObjects(tendon, dump.objects));
    } else {
      this.asset = tendon.open(files.bytes, { name: files.name, files: files.beside });
    }
    try {
      this.findings = dump?.findings ?? [...this.asset.check()];
      this.nodes = this.asset.nodes;
      this.animations = this.asset.animations;
      this.constraints = this.asset.constraints;
      this.humanoid = this.asset.humanoid;
      this.bodies = this.asset.bodies;
      this.colliders = this.asset.colliders;
      this.joints = this.asset.joints;
      this.springs = this.asset.springs;
      this.springJoints = this.asset.springJoints;
      this.springColliders = this.asset.springColliders;
      this.expressions = this.asset.expressions;
      this.materialValues = this.asset.materialValues;
      this.morphNodes = dump?.morphNodes ?? [];
      this.animation = this.animations.length > 0 && this.#replay === null ? 0 : -1;
      this.loop = loop;
      if (dump !== null) {
        this.#begin();
      } else {
        this.reset();
      }
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get kind() {
    return this.humanoid?.kind.startsWith("VRM") ? this.humanoid.kind : { gltf: "glTF", glb: "GLB", bvh: "BVH" }[this.asset.kind];
  }

  get motionName() {
    return this.#motion?.name ?? null;
  }

  get stepRate() {
    return this.stage.stepRate;
  }

  /** Whether stepping can change anything. */
  get isMoving() {
    return this.#replay !== null || this.#clip !== null || this.#motion !== null || this.bodies.length > 0 || (this.springs.length > 0 && this.springsEnabled);
  }

  /** Node of the head; -1 without a humanoid. */
  get headNode() {
    return this.humanoid?.bones.find((bone) => bone.name === "head")?.node ?? -1;
  }

  /** Whether the avatar can look at something. */
  get hasGaze() {
    return ["bone", "expression"].includes(this.humanoid?.lookAt);
  }

  /** Whether the session repeats a recording. Inputs have no effect then. */
  get isReplay() {
    return this.#replay !== null;
  }

  /** Opens a recording. The first step is made, because it creates the actors; the file of the first one is drawn. */
  #openRecording(dump) {
    if (dump !== null) {
      this.#replay = adoptReplay(this.#tendon, dump.replay);
    } else {
      this.#replay = this.#tendon.loadRecording(this.files.bytes).replay();
      this.#replay.step();
    }
    const { recording, actors: [actor = null], stage } = this.#replay;
    if (actor === null) {
      recording.destroy();
      throw new Trouble(`${this.name} is a recording without a model.`);
    }
    const [{ name, bytes, files }] = recording.assets;
    this.files = { name, bytes, beside: files };
    [this.asset, this.stage, this.actor] = [actor.asset, stage, actor];
  }

  /** Repeats a recording from its start. */
  #rewind() {
    const { recording } = this.#replay;
    this.#replay.destroy();
    this.#replay = recording.replay();
    this.#replay.step();
    this.isOver = false;
    [this.stage, this.actor] = [this.#replay.stage, this.#replay.actors[0]];
    this.asset = this.actor.asset;
  }

  /** Returns to the file's initial state; keeps the chosen animation and motion, held expressions, gaze and switches. */
  reset() {
    const started = performance.now();
    this.#tape?.destroy();
    this.#clip?.destroy();
    this.#tape = null;
    this.#clip = null;
    this.#grab = null;
    if (this.#replay !== null) {
      if (this.#replay.stepCount > 1) {
        this.#rewind();
      }
    } else {
      this.#populate();
    }
    this.resetSeconds = (performance.now() - started) / 1000;
    if (!this.#isTwin) {
      this.morphNodes = this.#findMorphs();
      this.#begin();
    }
  }

  #populate() {
    this.stage?.destroy();
    this.stage = this.#tendon.createStage({ sleep: this.files.sleep ?? true });
    if (this.#recorder !== null) {
      this.#recorder = this.stage.record({ build: "tendon view" });
    }
    this.actor = this.stage.addActor(this.asset, { springs: this.springsEnabled });
    this.heldExpressions.forEach((weight, name) => this.actor.setExpression(name, weight));
    this.#aim();
    if (this.#motion !== null && this.animation === this.animations.length) {
      this.actor.play(this.#motion.clip, { loop: this.loop });
    } else if (this.animation >= 0 && this.animation < this.animations.length) {
      this.#clip = this.asset.createClip(this.animation);
      this.actor.play(this.#clip, { loop: this.loop });
    }
    this.stage.evaluate(0);
  }

  #findMorphs() {
    return this.nodes.flatMap((_, node) => (this.actor.morphWeights(node).length > 0 ? [node] : []));
  }

  /** Plain data of a session that was just opened, for a session on a copy of its memory. */
  dump() {
    const { asset, stage, actor, findings, resetSeconds } = this;
    if (this.#replay !== null) {
      return { replay: dumpReplay(this.#replay), findings, morphNodes: this.#findMorphs(), resetSeconds };
    }
    return { objects: dumpObjects({ asset, stage, actor, clip: this.#clip }), findings, morphNodes: this.#findMorphs(), resetSeconds };
  }

  /** Takes the first snapshot and starts the tape. */
  #begin() {
    this.#inputs = [];
    this.#start = this.setup;
    this.snapshot = takeSnapshot(this, null);
    this.#tapeCapacity = Math.max(2, Math.floor(tapeBound / (64 + 44 * this.nodes.length)));
    this.#tapeFrames = 0;
    this.#tape = this.actor.record({ frameRate: tapeRate });
    this.#capture();
  }

  /** Poses the present again, after changes that need no step. @returns the new snapshot */
  refresh() {
    this.stage.evaluate(this.stage.time);
    this.snapshot = takeSnapshot(this, this.snapshot);
    return this.snapshot;
  }

  /** Holds an expression at a weight; null lets clips drive it again. */
  setExpression(name, weight) {
    if (weight === null) {
      this.heldExpressions.delete(name);
    } else {
      this.heldExpressions.set(name, weight);
    }
    this.actor.setExpression(name, weight);
  }

  /** Lets the avatar look at a point of the world or at a node, by index; null: ahead, or where a clip looks. */
  setGazeTarget(target) {
    this.#gazeTarget = target;
    this.#aim();
  }

  #aim() {
    if (typeof this.#gazeTarget === "number") {
      this.actor.setGazeNode(this.#gazeTarget);
    } else if (this.#gazeTarget !== null) {
      this.actor.setGazeTarget(this.#gazeTarget);
    } else {
      this.actor.clearGaze();
    }
  }

  enableSprings(isOn) {
    this.springsEnabled = isOn;
    this.actor.springsEnabled = isOn;
  }

  resetSprings() {
    this.actor.resetSprings();
  }

  /** The choices that a reset keeps, as plain data. */
  get setup() {
    const { animation, loop, springsEnabled, heldExpressions } = this;
    return { animation, loop, springsEnabled, heldExpressions: new Map(heldExpressions), gazeTarget: this.#gazeTarget };
  }

  /** Resets to a setup. */
  restart({ gazeTarget, ...choices }) {
    Object.assign(this, choices);
    this.#gazeTarget = gazeTarget;
    this.reset();
  }

  /** Applies an input as plain data: the name of a method, and its arguments. */
  apply([name, ...args]) {
    if (!inputNames.includes(name)) {
      throw new Error(`${name} is no input`);
    }
    if (this.#replay !== null) {
      return;
    }
    this.#inputs.push({ step: this.stage.stepCount, call: [name, ...args] });
    this[name](...args);
  }

  /** Makes the next step of a recording. The session is over at its end, and where the actor is destroyed. */
  #repeatStep() {
    this.isOver = this.isOver || this.#replay.step() === "end" || this.#replay.actors[0] === null || this.#replay.stepCount >= this.#replay.recording.stepCount;
  }

  /** The first body that a replay moved in another way than recorded; null: none. */
  get difference() {
    return this.#replay?.difference ?? null;
  }

  step() {
    if (this.#replay !== null) {
      this.#repeatStep();
    } else {
      this.stage.step();
    }
    if (this.#isTwin || (this.isOver && this.#replay.actors[0] === null)) {
      return null;
    }
    this.snapshot = takeSnapshot(this, this.snapshot);
    if (this.snapshot.step % Math.max(1, Math.round(this.stepRate / tapeRate)) === 0) {
      this.#capture();
    }
    return this.snapshot;
  }

  #capture() {
    if (this.#tapeFrames < this.#tapeCapacity) {
      this.#tape.capture();
      this.#tapeFrames += 1;
    }
  }

  /** Events of the last step as plain data. */
  get events() {
    const time = this.stage.time;
    const contacts = this.stage.contactEvents.map((event) => ({
      time, kind: event.type, a: event.nodeA, b: event.nodeB, impulse: event.impulse,
    }));
    const triggers = this.stage.triggerEvents.map((event) => ({
      time, kind: event.type, a: event.triggerNode, b: event.visitorBodyNode >= 0 ? event.visitorBodyNode : event.visitorNode, impulse: 0,
    }));
    return [...triggers, ...contacts];
  }

  /** Retargets a humanoid motion to this avatar and plays it. */
  setMotion(files) {
    let source = null;
    try {
      source = this.#tendon.open(files.bytes, { name: files.name, files: files.beside });
      const clip = this.asset.retarget(source);
      this.#motion?.clip.destroy();
      this.#motion = { clip, name: clip.name || files.name, files };
      this.animation = this.animations.length;
      this.findings = [...this.findings, ...source.findings, ...clip.findings];
      this.reset();
    } catch (error) {
      throw explain(error, files.name);
    } finally {
      source?.destroy();
    }
  }

  /** World matrices at some times of the animation, for framing the camera. */
  sweep() {
    const rate = 8;
    const most = 24;
    const clip = this.#clip ?? this.#motion?.clip;
    if (!clip || this.bodies.length > 0 || this.nodes.length > 5000) {
      return [];
    }
    const stage = this.#tendon.createStage({ stepRate: rate });
    try {
      const actor = stage.addActor(this.asset, { physics: false, springs: false });
      actor.play(clip, { loop: true });
      return Array.from({ length: Math.min(most, Math.ceil(rate * clip.duration)) }, () => {
        stage.step();
        return actor.globals.slice();
      });
    } finally {
      stage.destroy();
    }
  }

  castRay(start, end) {
    return this.stage.castRay(start, end);
  }

  /** Grabs a body at a point of the world; at most one at a time. */
  grab(node, point) {
    this.releaseGrab();
    this.#grab = this.stage.grab(this.actor, node, point);
  }

  /** The grab in progress, or null. */
  get currentGrab() {
    return this.#grab;
  }

  moveGrab(target) {
    this.#grab?.move(target);
  }

  releaseGrab() {
    this.#grab?.release();
    this.#grab = null;
  }

  shapes() {
    return this.actor.shapes.map((shape, index) => ({ ...shape, lines: () => this.actor.getShapeLines(index) }));
  }

  bodyState(node) {
    return this.actor.getBodyState(node);
  }

  jointState(joint) {
    return this.actor.getJointState(joint);
  }

  local(node) {
    return this.actor.locals.slice(10 * node, 10 * node + 10);
  }

  locals() {
    return this.actor.locals.slice();
  }

  /** Whether there is a recording to export. */
  get isRecorded() {
    return this.#tapeFrames >= 2;
  }

  /** Exports the recording as GLB; without a recording it simulates one. */
  exportGlb() {
    try {
      if (!this.isRecorded) {
        const motion = this.animation >= 0 && this.animation < this.animations.length ? { animation: this.animation } : { clip: this.#motion?.clip };
        return this.#tendon.bake(this.asset, motion).glb;
      }
      return this.#tape.bake().glb;
    } catch (error) {
      throw explain(error, this.name);
    }
  }

  /**
   * The session since the last reset as a recording: its inputs are repeated on a recorded stage.
   * @returns a promise of the bytes of a `.tdrec` file
   */
  async exportRecording() {
    if (this.#replay !== null) {
      throw new Trouble("This is a recording already.");
    }
    const last = this.stage.stepCount;
    const inputs = [...this.#inputs];
    const wanted = this.stage.stateHash;
    const twin = new Session(this.#tendon, this.files, this.loop, { isTwin: true, isRecorded: true });
    try {
      if (this.#motion !== null) {
        twin.setMotion(this.#motion.files);
      }
      twin.restart(this.#start);
      let started = performance.now();
      for (let next = 0; twin.stage.stepCount < last; ) {
        for (; next < inputs.length && inputs[next].step <= twin.stage.stepCount; ++next) {
          twin.apply(inputs[next].call);
        }
        twin.step();
        if (performance.now() - started > sliceTime) {
          await new Promise((resolve) => setTimeout(resolve));
          started = performance.now();
        }
      }
      if (twin.stage.stateHash !== wanted) {
        throw new Trouble("The session could not be repeated.");
      }
      return twin.#recorder.finish();
    } catch (error) {
      throw explain(error, this.name);
    } finally {
      twin.dispose();
    }
  }

  dispose() {
    for (const owner of [this.#tape, this.#clip, this.#motion?.clip, ...(this.#replay === null ? [this.stage, this.asset] : [this.#replay.recording])]) {
      try {
        owner?.destroy();
      } catch {
        // A dead instance cannot release anything.
      }
    }
  }
}
