// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Actors: poses as views on memory, clips that play, bodies, data for overlays, baking.
import * as records from "./records.js";
import { takeNumbers, takeVector, usage } from "./instance.js";

export const ShapeState = Object.freeze({ Static: 0, Kinematic: 1, Dynamic: 2, Sleeping: 3, Trigger: 4 });

export class Actor {
  #address;
  #views = new Map();
  #plays = [];
  #tapes = new Set();
  #overlayVersion = -1;
  #shapes = null;
  #where;

  constructor(stage, asset, options) {
    const { scene = -1, position = [0, 0, 0], rotation = [0, 0, 0, 1], constraints = true, physics = true } = options;
    const { springs = true, springsHitStage = false, overrideBoneGaze = false } = options;
    const instance = stage.tendon._instance;
    records.writePlacement(instance, {
      position: takeVector("position", position, 3),
      rotation: takeVector("rotation", rotation, 4),
      overrideBoneGaze: overrideBoneGaze ? 1 : 0,
    });
    const address = instance.calls.td_actor_create(stage._address, asset._address, scene, constraints ? 1 : 0, physics ? 1 : 0,
      springs ? 1 : 0, springsHitStage ? 1 : 0);
    if (address === 0) throw instance.failure("OUT_OF_MEMORY", "no memory for an actor");
    this.stage = stage;
    this.asset = asset;
    this.findings = Object.freeze(instance.readFindings());
    this.#address = address;
    instance.calls.td_actor_describe(address);
    const { actor, locals, globals, shapeTransforms, shapeStates, centers, jointFrames, ...counts } = records.readActor(instance);
    this._raw = actor;
    const nodeCount = asset.nodes.length;
    this.#where = {
      locals: [Float32Array, locals, 10 * nodeCount],
      globals: [Float32Array, globals, 16 * nodeCount],
      shapeTransforms: [Float32Array, shapeTransforms, 7 * counts.shapeCount],
      shapeStates: [Uint8Array, shapeStates, counts.shapeCount],
      centers: [Float32Array, centers, 3 * counts.bodyCount],
      frames: [Float32Array, jointFrames, 14 * counts.jointCount],
    };
    this.#views = {};
    asset._use(1);
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
    const [Type, address, length] = this.#where[name];
    return (this.#views[name] = new Type(buffer, address, length));
  }

  #overlay(name) {
    if (this.#overlayVersion !== this.stage._version) {
      this._calls.td_actor_update(this._address);
      this.#overlayVersion = this.stage._version;
    }
    return this.#view(name);
  }

  #checkNode(node) {
    if (!Number.isInteger(node) || node < 0 || node >= this.asset.nodes.length) {
      throw usage(`there is no node ${node}; the file has ${this.asset.nodes.length}`);
    }
    return node;
  }

  get locals() {
    return this.#view("locals");
  }

  get globals() {
    return this.#view("globals");
  }

  morphWeights(node) {
    const address = this._calls.td_actor_morph_weights(this._address, this.#checkNode(node)) >>> 0;
    return new Float32Array(this._instance.memory.buffer, address, records.readSize(this._instance).size);
  }

  play(clip, options = {}) {
    if (clip.asset !== this.asset) throw usage("the clip was made for another asset");
    const { start = 0, speed = 1, weight = 1, loop = false } = options;
    takeNumbers("start, speed and weight", [start, speed, weight]);
    if (this._calls.td_actor_play(this._address, clip._address, start, speed, weight, loop ? 1 : 0) === 0) {
      throw this._instance.failure("OUT_OF_MEMORY", "no memory to play a clip");
    }
    const { index1, generation } = records.readPlayId(this._instance);
    const play = new Play(this, clip, index1, generation, speed, weight);
    clip._plays.add(play);
    this.#plays.push(play);
    return play;
  }

  get plays() {
    return this.#plays;
  }

  _stopped(play) {
    this.#plays.splice(this.#plays.indexOf(play), 1);
  }

  setLocal(node, local) {
    const { translation, rotation, scale } = local;
    const bits = (translation ? 1 : 0) | (rotation ? 2 : 0) | (scale ? 4 : 0);
    records.writeLocal(this._instance, {
      translation: takeVector("translation", translation ?? [0, 0, 0], 3),
      rotation: takeVector("rotation", rotation ?? [0, 0, 0, 1], 4),
      scale: takeVector("scale", scale ?? [1, 1, 1], 3),
    });
    this._calls.td_actor_set_local(this._address, this.#checkNode(node), bits);
  }

  clearLocal(node) {
    this._calls.td_actor_clear_local(this._address, this.#checkNode(node));
  }

  setPlacement(position, rotation = [0, 0, 0, 1]) {
    const numbers = [...takeVector("position", position, 3), ...takeVector("rotation", rotation, 4)];
    this._calls.td_actor_set_placement(this._address, ...numbers);
  }

  teleport(position, rotation = [0, 0, 0, 1]) {
    records.writePlacement(this._instance, {
      position: takeVector("position", position, 3),
      rotation: takeVector("rotation", rotation, 4),
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
    const count = this.asset.springJoints.length;
    if (!Number.isInteger(joint) || joint < 0 || joint >= count) throw usage(`there is no spring joint ${joint}; the file has ${count}`);
    return joint;
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
    this._calls.td_actor_set_constraint_weight(this._address, this.#checkNode(node), weight);
  }

  getConstraintWeight(node) {
    return this._calls.td_actor_get_constraint_weight(this._address, this.#checkNode(node));
  }

  setExpression(name, weight) {
    if (weight !== null) takeNumbers("weight", [weight]);
    this._instance.withTexts([name], (text) =>
      weight === null
        ? this._calls.td_actor_clear_expression(this._address, text)
        : this._calls.td_actor_set_expression(this._address, text, weight),
    );
  }

  getExpression(name) {
    return this._instance.withTexts([name], (text) => this._calls.td_actor_get_expression(this._address, text));
  }

  getExpressionOutput(name) {
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
    this._calls.td_actor_set_gaze_node(this._address, this.#checkNode(node));
  }

  setGaze(yaw, pitch) {
    takeNumbers("yaw and pitch", [yaw, pitch]);
    this._calls.td_actor_set_gaze(this._address, yaw, pitch);
  }

  clearGaze() {
    this._calls.td_actor_clear_gaze(this._address);
  }

  applyImpulse(node, impulse, point) {
    this.#checkNode(node);
    const numbers = takeVector("impulse", impulse, 3);
    if (point) this._calls.td_actor_apply_point_impulse(this._address, node, ...numbers, ...takeVector("point", point, 3));
    else this._calls.td_actor_apply_impulse(this._address, node, ...numbers);
  }

  setLinearVelocity(node, velocity) {
    const numbers = takeVector("velocity", velocity, 3);
    this._calls.td_actor_set_linear_velocity(this._address, this.#checkNode(node), ...numbers);
  }

  setAngularVelocity(node, velocity) {
    const numbers = takeVector("velocity", velocity, 3);
    this._calls.td_actor_set_angular_velocity(this._address, this.#checkNode(node), ...numbers);
  }

  getBodyState(node) {
    if (this._calls.td_actor_body_state(this._address, this.#checkNode(node)) === 0) return null;
    return { node, ...records.readBodyState(this._instance) };
  }

  get shapes() {
    this.#shapes ??= Object.freeze(
      Array.from({ length: this.#where.shapeStates[2] }, (_, i) => {
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
    if (!(shape in this.shapes)) throw usage(`there is no shape ${shape}`);
    const address = this._calls.td_shape_lines(this._address, shape) >>> 0;
    if (address === 0) throw this._instance.failure("OUT_OF_MEMORY", "no memory for lines");
    const lines = new Float32Array(this._instance.memory.buffer, address, 3 * records.readSize(this._instance).size).slice();
    this._instance.free(address);
    return lines;
  }

  getJointState(joint) {
    // An actor of another scene has that scene's joints; an actor without physics has joints at rest.
    const isOwn = Number.isInteger(joint) && joint >= 0 && 14 * joint < this.#where.frames[2];
    if (!isOwn && !(joint in this.asset.joints)) throw usage(`there is no joint ${joint}`);
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
    records.writeBakeOptions(this._instance, options); // undefined becomes NaN, which stands for the default
  }

  bake(options = {}) {
    const instance = this._instance;
    const address = instance.withTexts([options.name], (name) => {
      this.#putBakeOptions(options);
      return this._calls.td_actor_bake(this._address, name);
    });
    this.stage._recount();
    return takeBaked(instance, address);
  }

  record(options = {}) {
    const instance = this._instance;
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
    this.asset._use(-1);
  }

  destroy() {
    if (this.#address === 0) return;
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

  constructor(actor, clip, index1, generation, speed, weight) {
    this.actor = actor;
    this.clip = clip;
    this.#id = [index1, generation];
    this.#speed = speed;
    this.#weight = weight;
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
