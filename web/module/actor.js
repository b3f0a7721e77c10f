// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Actors: poses as views on memory, clips that play, bodies, data for overlays, baking.
import * as records from "./records.js";
import {
  guardClasses, takeIndex, takeInstance, takeNumber, takeNumbers, takeOptions, takeRotation, takeText, takeVector, usage,
} from "./arguments.js";
import { Clip } from "./asset.js";
import { withArrays } from "./geometry.js";

export const ShapeState = Object.freeze({ Static: 0, Kinematic: 1, Dynamic: 2, Sleeping: 3, Trigger: 4 });

/** Types of the views on memory whose elements are no floats. */
const viewTypes = { shapeStates: Uint8Array };

export class Actor {
  #address;
  #views = {};
  #plays = [];
  #clips = new Map(); // by address: clips that played, which loaded states may play again
  #known = new Map(); // plays by id, weakly: a loaded state may have stopped ones
  #pruneSize = 64;
  #tapes = new Set();
  #overlayVersion = -1;
  #shapes = null;
  #where;

  constructor(stage, asset, options, dump = null) {
    this.stage = stage;
    this.asset = asset;
    if (dump === null) {
      this.#create(options);
    } else if (typeof dump === "number") {
      this.findings = Object.freeze([]);
      this.#adoptAddress(dump);
    } else {
      ({ address: this.#address, where: this.#where, shapes: this.#shapes, raw: this._raw } = dump);
      this.findings = Object.freeze(dump.findings);
    }
    asset._use(1);
  }

  #create(options) {
    const { stage, asset } = this;
    const { scene = -1, position = [0, 0, 0], rotation = [0, 0, 0, 1], constraints = true, physics = true } = takeOptions(options);
    const { springs = true, springsHitStage = false, overrideBoneGaze = false } = options;
    const instance = stage.tendon._instance;
    records.writePlacement(instance, {
      position: takeVector("position", position, 3),
      rotation: takeRotation("rotation", rotation),
      overrideBoneGaze: overrideBoneGaze ? 1 : 0,
    });
    const address = instance.calls.td_actor_create(stage._address, asset._address, scene, constraints ? 1 : 0, physics ? 1 : 0,
      springs ? 1 : 0, springsHitStage ? 1 : 0);
    if (address === 0) throw instance.failure("OUT_OF_MEMORY", "no memory for an actor");
    this.findings = Object.freeze(instance.readFindings());
    this.#adoptAddress(address);
  }

  #adoptAddress(address) {
    const { asset, _instance: instance } = this;
    this.#address = address;
    instance.calls.td_actor_describe(address);
    const { actor, locals, globals, shapeTransforms, shapeStates, centers, jointFrames, ...counts } = records.readActor(instance);
    this._raw = actor;
    const nodeCount = asset.nodes.length;
    this.#where = {
      locals: [locals, 10 * nodeCount],
      globals: [globals, 16 * nodeCount],
      shapeTransforms: [shapeTransforms, 7 * counts.shapeCount],
      shapeStates: [shapeStates, counts.shapeCount],
      centers: [centers, 3 * counts.bodyCount],
      frames: [jointFrames, 14 * counts.jointCount],
    };
  }

  /** Plain data that make the same actor on a copy of the memory; plays and tapes are not part of it. */
  _dump() {
    return { address: this._address, where: this.#where, shapes: this.shapes, raw: this._raw, findings: this.findings };
  }

  /** An actor that a replay made. */
  static _wrap(stage, asset, address) {
    return new Actor(stage, asset, {}, address);
  }

  static _adopt(stage, asset, dump) {
    return new Actor(stage, asset, {}, dump);
  }

  get _address() {
    if (this.#address === 0) throw usage("the actor was destroyed");
    return this.#address;
  }

  get _instance() {
    return this.stage.tendon._instance;
  }

  get _calls() {
    return this.stage.tendon._instance.calls;
  }

  /** The view of that name; created again after memory has grown. */
  #view(name) {
    const { buffer } = this._instance.memory;
    const view = this.#views[name];
    if (view !== undefined && view.buffer === buffer) return view;
    if (this.#address === 0) throw usage("the actor was destroyed");
    const [address, length] = this.#where[name];
    return (this.#views[name] = new (viewTypes[name] ?? Float32Array)(buffer, address, length));
  }

  #overlay(name) {
    if (this.#overlayVersion !== this.stage._version) {
      this._calls.td_actor_update(this._address);
      this.#overlayVersion = this.stage._version;
    }
    return this.#view(name);
  }

  _checkNode(node) {
    return takeIndex("node", node, this.asset.nodes.length);
  }

  get locals() {
    return this.#view("locals");
  }

  get globals() {
    return this.#view("globals");
  }

  morphWeights(node) {
    const address = this._calls.td_actor_morph_weights(this._address, this._checkNode(node)) >>> 0;
    return new Float32Array(this._instance.memory.buffer, address, records.readSize(this._instance).size);
  }

  play(clip, options = {}) {
    if (takeInstance("clip", clip, Clip).asset !== this.asset) throw usage("the clip was made for another asset");
    const { start = 0, speed = 1, weight = 1, loop = false } = takeOptions(options);
    takeNumbers("start, speed and weight", [start, speed, weight]);
    if (this._calls.td_actor_play(this._address, clip._address, start, speed, weight, loop ? 1 : 0) === 0) {
      throw this._instance.failure("OUT_OF_MEMORY", "no memory to play a clip");
    }
    const { index1, generation } = records.readPlayId(this._instance);
    return this.#addPlay(clip, [index1, generation], speed, weight);
  }

  #addPlay(clip, id, speed, weight) {
    const play = new Play(this, clip, id, speed, weight);
    clip._plays.add(play);
    clip._actors.add(this);
    this.#clips.set(clip._address, clip);
    this.#remember(play, id.join(":"));
    this.#plays.push(play);
    return play;
  }

  #remember(play, key) {
    this.#known.set(key, new WeakRef(play));
    if (this.#known.size < this.#pruneSize) return;
    for (const [other, reference] of this.#known) if (reference.deref() === undefined) this.#known.delete(other);
    this.#pruneSize = Math.max(64, 2 * this.#known.size);
  }

  /** Takes over the plays of a loaded state. */
  _restored() {
    const count = this._calls.td_actor_plays(this._address, 0, 0);
    const ids = withArrays(this._instance, [new Uint32Array(2 * count)], (at) => {
      this._calls.td_actor_plays(this._address, at, count);
      return new Uint32Array(this._instance.memory.buffer, at, 2 * count).slice();
    });
    const before = this.#known;
    for (const play of [...this.#plays]) play._drop();
    this.#known = new Map();
    for (let i = 0; i < count; ++i) {
      const id = [ids[2 * i], ids[2 * i + 1]];
      const clip = this.#clips.get(this._calls.td_actor_play_clip(this._address, ...id));
      const old = before.get(id.join(":"))?.deref();
      const play = old?.clip === clip ? old : new Play(this, clip, id, 0, 0);
      play._resume(...id);
      clip._plays.add(play);
      this.#remember(play, id.join(":"));
      this.#plays.push(play);
    }
  }

  /** Forgets a clip that is about to be destroyed. */
  _forgetClip(clip) {
    this._calls.td_actor_forget_clip(this._address, clip._address);
    this.#clips.delete(clip._address);
  }

  /** Adds the copy of a play. */
  _adoptPlay(clip, { id, speed, weight }) {
    return this.#addPlay(clip, id, speed, weight);
  }

  get plays() {
    return this.#plays;
  }

  _stopped(play) {
    this.#plays.splice(this.#plays.indexOf(play), 1);
  }

  setLocal(node, local) {
    const { translation, rotation, scale } = takeOptions(local);
    const bits = (translation ? 1 : 0) | (rotation ? 2 : 0) | (scale ? 4 : 0);
    records.writeLocal(this._instance, {
      translation: takeVector("translation", translation ?? [0, 0, 0], 3),
      rotation: takeRotation("rotation", rotation ?? [0, 0, 0, 1]),
      scale: takeVector("scale", scale ?? [1, 1, 1], 3),
    });
    this._calls.td_actor_set_local(this._address, this._checkNode(node), bits);
  }

  clearLocal(node) {
    this._calls.td_actor_clear_local(this._address, this._checkNode(node));
  }

  setPlacement(position, rotation = [0, 0, 0, 1]) {
    const numbers = [...takeVector("position", position, 3), ...takeRotation("rotation", rotation)];
    this._calls.td_actor_set_placement(this._address, ...numbers);
  }

  teleport(position, rotation = [0, 0, 0, 1]) {
    records.writePlacement(this._instance, {
      position: takeVector("position", position, 3),
      rotation: takeRotation("rotation", rotation),
      overrideBoneGaze: 0,
    });
    this._calls.td_actor_teleport(this._address);
  }

  get springsEnabled() {
    return this._calls.td_actor_are_springs_enabled(this._address) !== 0;
  }

  set springsEnabled(enable) {
    this._calls.td_actor_enable_springs(this._address, enable ? 1 : 0);
  }

  resetSprings() {
    this._calls.td_actor_reset_springs(this._address);
  }

  #checkSpringJoint(joint) {
    return takeIndex("spring joint", joint, this.asset.springJoints.length);
  }

  getSpringTail(joint) {
    this._calls.td_actor_spring_tail(this._address, this.#checkSpringJoint(joint));
    return records.readVector(this._instance).value;
  }

  getSpringParameters(joint) {
    this._calls.td_actor_get_spring_parameters(this._address, this.#checkSpringJoint(joint));
    return records.readSpringParameters(this._instance);
  }

  setSpringParameters(joint, parameters) {
    this.#checkSpringJoint(joint);
    if (parameters !== null) takeOptions(parameters);
    if (parameters === null) {
      this._calls.td_actor_clear_spring_parameters(this._address, joint);
      return;
    }
    const all = { ...this.getSpringParameters(joint), ...parameters };
    takeNumbers("spring parameters", [all.hitRadius, all.stiffness, all.gravityPower, all.dragForce]);
    takeVector("gravityDir", all.gravityDir, 3);
    records.writeNewSpringParameters(this._instance, all);
    this._calls.td_actor_set_spring_parameters(this._address, joint);
  }

  get constraintsEnabled() {
    return this._calls.td_actor_are_constraints_enabled(this._address) !== 0;
  }

  set constraintsEnabled(enable) {
    this._calls.td_actor_enable_constraints(this._address, enable ? 1 : 0);
  }

  setConstraintWeight(node, weight) {
    takeNumbers("weight", [weight]);
    this._calls.td_actor_set_constraint_weight(this._address, this._checkNode(node), weight);
  }

  getConstraintWeight(node) {
    return this._calls.td_actor_get_constraint_weight(this._address, this._checkNode(node));
  }

  setExpression(name, weight) {
    takeText("name", name);
    if (weight !== null) takeNumber("weight", weight);
    this._instance.withTexts([name], (text) =>
      weight === null
        ? this._calls.td_actor_clear_expression(this._address, text)
        : this._calls.td_actor_set_expression(this._address, text, weight),
    );
  }

  getExpression(name) {
    takeText("name", name);
    return this._instance.withTexts([name], (text) => this._calls.td_actor_get_expression(this._address, text));
  }

  getExpressionOutput(name) {
    takeText("name", name);
    return this._instance.withTexts([name], (text) => this._calls.td_actor_get_expression_output(this._address, text));
  }

  get materialValues() {
    const address = this._calls.td_actor_material_values(this._address);
    const { size } = records.readSize(this._instance);
    return new Float32Array(this._instance.memory.buffer, address, 4 * size);
  }

  setGazeTarget(point) {
    this._calls.td_actor_set_gaze_target(this._address, ...takeVector("point", point, 3));
  }

  setGazeNode(node) {
    this._calls.td_actor_set_gaze_node(this._address, this._checkNode(node));
  }

  setGaze(yaw, pitch) {
    takeNumbers("yaw and pitch", [yaw, pitch]);
    this._calls.td_actor_set_gaze(this._address, yaw, pitch);
  }

  clearGaze() {
    this._calls.td_actor_clear_gaze(this._address);
  }

  applyImpulse(node, impulse, point) {
    this._checkNode(node);
    const numbers = takeVector("impulse", impulse, 3);
    if (point) this._calls.td_actor_apply_point_impulse(this._address, node, ...numbers, ...takeVector("point", point, 3));
    else this._calls.td_actor_apply_impulse(this._address, node, ...numbers);
  }

  setLinearVelocity(node, velocity) {
    const numbers = takeVector("velocity", velocity, 3);
    this._calls.td_actor_set_linear_velocity(this._address, this._checkNode(node), ...numbers);
  }

  setAngularVelocity(node, velocity) {
    const numbers = takeVector("velocity", velocity, 3);
    this._calls.td_actor_set_angular_velocity(this._address, this._checkNode(node), ...numbers);
  }

  getBody(node) {
    if (this._calls.td_actor_body(this._address, this._checkNode(node)) === 0) return null;
    const { index1, generation } = records.readId(this._instance);
    return this.stage.world._body(index1, generation);
  }

  getBodyState(node) {
    if (this._calls.td_actor_body_state(this._address, this._checkNode(node)) === 0) return null;
    return { node, ...records.readBodyState(this._instance) };
  }

  get shapes() {
    this.#shapes ??= Object.freeze(
      Array.from({ length: this.#where.shapeStates[1] }, (_, i) => {
        this._calls.td_shape_describe(this._address, i);
        const { dimensionCount, dimensions, ...shape } = records.readShape(this._instance);
        return { ...shape, dimensions: dimensions.slice(0, dimensionCount) };
      }),
    );
    return this.#shapes;
  }

  get shapeTransforms() {
    return this.#overlay("shapeTransforms");
  }

  get shapeStates() {
    return this.#overlay("shapeStates");
  }

  get centersOfMass() {
    return this.#overlay("centers");
  }

  get jointFrames() {
    return this.#overlay("frames");
  }

  getShapeLines(shape) {
    takeIndex("shape", shape, this.shapes.length);
    const address = this._calls.td_shape_lines(this._address, shape) >>> 0;
    if (address === 0) throw this._instance.failure("OUT_OF_MEMORY", "no memory for lines");
    const lines = new Float32Array(this._instance.memory.buffer, address, 3 * records.readSize(this._instance).size).slice();
    this._instance.free(address);
    return lines;
  }

  getJointState(joint) {
    // An actor of another scene has that scene's joints; an actor without physics has joints at rest.
    const isOwn = Number.isInteger(joint) && joint >= 0 && 14 * joint < this.#where.frames[1];
    if (!isOwn) takeIndex("joint", joint, this.asset.joints.length);
    this._calls.td_joint_state(this._address, joint);
    const { isBroken, force, torque, limitCount, driveCount, values } = records.readJointState(this._instance);
    return {
      isBroken,
      force,
      torque,
      limitValues: values.slice(0, limitCount),
      driveValues: values.slice(limitCount, limitCount + driveCount),
    };
  }

  #putBakeOptions(options) {
    for (const [name, value] of Object.entries(options)) {
      if (typeof value === "number") takeNumber(name, value);
    }
    records.writeBakeOptions(this._instance, options); // undefined becomes NaN, which stands for the default
  }

  bake(options = {}) {
    const instance = this._instance;
    takeOptions(options);
    const address = instance.withTexts([options.name], (name) => {
      this.#putBakeOptions(options);
      return this._calls.td_actor_bake(this._address, name);
    });
    this.stage._recount();
    return takeBaked(instance, address);
  }

  record(options = {}) {
    const instance = this._instance;
    takeOptions(options);
    // The tape keeps the address of its name.
    const name = instance.writeBytes(instance.encoder.encode(`${String(options.name ?? "baked")}\0`));
    this.#putBakeOptions(options);
    const address = this._calls.td_tape_create(this._address, name);
    if (address === 0) {
      instance.free(name);
      throw instance.failure("OUT_OF_MEMORY", "no memory for a tape");
    }
    const tape = new Tape(this, address, () => {
      this.#tapes.delete(tape);
      if (!instance.isDead) instance.free(name);
    });
    this.#tapes.add(tape);
    return tape;
  }

  /** Releases everything but the engine's actor, which the stage destroys. */
  _drop() {
    if (this.#address === 0) return;
    for (const tape of [...this.#tapes]) tape.destroy();
    for (const play of [...this.#plays]) play._drop();
    if (!this.stage.tendon.isDead) this._calls.td_actor_free(this.#address);
    this.#end();
  }

  #end() {
    this.#address = 0;
    this.#views = {};
    this.#plays.length = 0;
    for (const clip of this.#clips.values()) clip._actors.delete(this);
    this.asset._use(-1);
  }

  destroy() {
    if (this.#address === 0) return;
    if (this.stage._isBorrowed) throw usage("the actor belongs to a replay");
    this.stage._forget(this);
    for (const tape of [...this.#tapes]) tape.destroy();
    for (const play of [...this.#plays]) play._drop();
    if (!this.stage.tendon.isDead) this._calls.td_actor_destroy(this.#address);
    this.#end();
  }
}

/** Saves the baked asset at an address as GLB and destroys it. */
function takeBaked(instance, address) {
  if (address === 0) throw instance.failure("IMPOSSIBLE", "nothing could be baked");
  const findings = instance.readFindings();
  const data = instance.calls.td_asset_save(address, 1) >>> 0;
  const { size } = records.readSize(instance);
  instance.calls.td_asset_destroy(address);
  if (data === 0) throw instance.failure("IMPOSSIBLE", "the baked asset cannot be written");
  const glb = instance.readBytes(data, size);
  instance.calls.td_saved_free(data, size);
  return { glb, findings };
}

export class Play {
  #id;
  #speed;
  #weight;

  constructor(actor, clip, id, speed, weight) {
    this.actor = actor;
    this.clip = clip;
    this.#id = id;
    this.#speed = speed;
    this.#weight = weight;
  }

  /** Plain data that make the same play on a copy of the memory. */
  _dump() {
    return { id: this.#id, speed: this.#speed, weight: this.#weight };
  }

  get isPlaying() {
    return this.#id !== null && this.actor._calls.td_actor_is_playing(this.actor._address, ...this.#id) !== 0;
  }

  get time() {
    return this.#id === null ? 0 : this.actor._calls.td_actor_play_time(this.actor._address, ...this.#id);
  }

  set time(time) {
    this.#set(time, this.#speed, this.#weight);
  }

  get speed() {
    return this.#speed;
  }

  set speed(speed) {
    this.#set(this.time, speed, this.#weight);
  }

  get weight() {
    return this.#weight;
  }

  set weight(weight) {
    this.#set(this.time, this.#speed, weight);
  }

  #set(time, speed, weight) {
    if (this.#id === null) throw usage("the clip was stopped");
    takeNumbers("time, speed and weight", [time, speed, weight]);
    this.actor._calls.td_actor_set_play(this.actor._address, ...this.#id, time, speed, weight);
    this.#speed = speed;
    this.#weight = weight;
  }

  stop() {
    if (this.#id === null) return;
    this.actor._calls.td_actor_stop(this.actor._address, ...this.#id);
    this._drop();
  }

  _drop() {
    this.#id = null;
    this.clip._plays.delete(this);
    this.actor._stopped(this);
  }

  /** The play runs in a state that was loaded. */
  _resume(index1, generation) {
    this.#id = [index1, generation];
    this.#speed = this.actor._calls.td_actor_play_speed(this.actor._address, index1, generation);
    this.#weight = this.actor._calls.td_actor_play_weight(this.actor._address, index1, generation);
  }
}

export class Tape {
  #address;
  #forget;

  constructor(actor, address, forget) {
    this.actor = actor;
    this.#address = address;
    this.#forget = forget;
  }

  get _address() {
    if (this.#address === 0) throw usage("the tape was destroyed");
    return this.#address;
  }

  get frameCount() {
    return this.actor._calls.td_tape_frame_count(this._address);
  }

  capture(time = NaN) {
    if (typeof time !== "number") throw usage("time must be a number");
    if (this.actor._calls.td_tape_capture(this._address, time) === 0) {
      throw usage("a capture must come after the one before, or memory ran out");
    }
  }

  bake() {
    return takeBaked(this.actor._instance, this.actor._calls.td_tape_bake(this._address));
  }

  destroy() {
    if (this.#address === 0) return;
    if (!this.actor.stage.tendon.isDead) this.actor._calls.td_tape_destroy(this.#address);
    this.#address = 0;
    this.#forget();
  }
}

guardClasses(Actor, Play, Tape);
