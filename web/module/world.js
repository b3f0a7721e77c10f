// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Worlds: bodies, joints and filters from code, events, queries, saved states. A stage has a world; a world without a
// stage runs without files.
import * as records from "./records.js";
import {
  guardClasses, takeBound, takeChoice, takeInstance, takeInteger, takeNumber, takeNumbers, takeOptions,
  takeRotation, takeVector, usage,
} from "./arguments.js";
import { Body, QUERY_KINDS, Shape, takeDimensions } from "./body.js";
import { Geometry, noMemory, withArrays } from "./geometry.js";
import { Joint, takeDrive, takeLimit, JOINT_TYPES } from "./joint.js";

const NO_ROTATION = [0, 0, 0, 1];

/** A collision filter of one world. */
export class Filter {
  constructor(world, index1, number) {
    this.world = world;
    this._id = Object.freeze([index1, number]);
    Object.freeze(this);
  }

  collidesWith(other) {
    return this.world._calls.td_filters_test(this.world._address, ...this._id, ...this.world._takeFilter(other)) !== 0;
  }
}

export class World {
  #address;
  #stage;
  #bodies = new Map();
  #shapes = new Map();
  #joints = new Map();
  #geometries = new Set();

  constructor(tendon, options, stage = null) {
    this.tendon = tendon;
    this.#stage = stage;
    if (stage !== null) {
      this.#address = tendon._instance.calls.td_stage_world(stage._address);
      return;
    }
    const { gravity = [0, -9.81, 0], subSteps = 4, sleep = true, continuous = true } = takeOptions(options);
    takeInteger("subSteps", subSteps, 1, 64);
    const numbers = takeVector("gravity", gravity, 3);
    this.#address = tendon._instance.calls.td_world_create(...numbers, subSteps, sleep ? 1 : 0, continuous ? 1 : 0);
    if (this.#address === 0) throw noMemory("a world");
  }

  get _address() {
    if (this.#address === 0) throw usage("the world was destroyed");
    return this.#address;
  }

  get _instance() {
    return this.tendon._instance;
  }

  get _calls() {
    return this.tendon._instance.calls;
  }

  get stage() {
    return this.#stage;
  }

  // Handles are looked up by id, so that each thing of the world is one object.

  #find(map, Type, index1, generation) {
    if (index1 === 0) return null;
    const key = `${index1}:${generation}`;
    let handle = map.get(key);
    if (handle === undefined) map.set(key, (handle = new Type(this, index1, generation)));
    return handle;
  }

  _body(index1, generation) {
    return this.#find(this.#bodies, Body, index1, generation);
  }

  _shape(index1, generation) {
    return this.#find(this.#shapes, Shape, index1, generation);
  }

  _joint(index1, generation) {
    return this.#find(this.#joints, Joint, index1, generation);
  }

  /** Forgets the handles of things that are gone. */
  _prune() {
    const living = [[this.#bodies, "td_body_is_valid"], [this.#shapes, "td_shape_is_valid"], [this.#joints, "td_joint_is_valid"]];
    for (const [map, call] of living) {
      for (const [key, handle] of map) if (this._calls[call](this._address, ...handle._id) === 0) map.delete(key);
    }
  }

  _forget(map, id) {
    ({ body: this.#bodies, shape: this.#shapes, joint: this.#joints })[map].delete(`${id[0]}:${id[1]}`);
  }

  _useGeometry(geometry) {
    if (geometry.tendon !== this.tendon) throw usage("the geometry is of another instance");
    const address = geometry._address;
    if (!this.#geometries.has(geometry)) {
      this.#geometries.add(geometry);
      geometry._use(1);
    }
    return address;
  }

  /** The id of a filter of this world; the null id for null. */
  _takeFilter(filter) {
    if (filter === null || filter === undefined) return [0, 0];
    if (takeInstance("filter", filter, Filter).world !== this) throw usage("the filter is of another world");
    return filter._id;
  }

  /** The id of a living body of this world; the null id for null, which stands for the fixed world. */
  _takeBody(what, body) {
    if (body === null || body === undefined) return [0, 0];
    if (takeInstance(what, body, Body).world !== this) throw usage(`${what} is of another world`);
    if (!body.isValid) throw usage(`${what} was destroyed`);
    return body._id;
  }

  /** Reads a list of ids that a call has left. */
  _readIds(count, find) {
    const numbers = new Uint32Array(this._instance.memory.buffer, this._calls.td_ids() >>> 0, 2 * count).slice();
    return Array.from({ length: count }, (_, i) => find(numbers[2 * i], numbers[2 * i + 1]));
  }

  #collect(countCall, call, read) {
    return Array.from({ length: this._calls[countCall](this._address) }, (_, i) => {
      this._calls[call](this._address, i);
      return read(this._instance);
    });
  }

  get gravity() {
    this._calls.td_world_get_gravity(this._address);
    return records.readVector(this._instance).value;
  }

  set gravity(gravity) {
    this._calls.td_world_set_gravity(this._address, ...takeVector("gravity", gravity, 3));
  }

  get sleep() {
    return this._calls.td_world_get_sleep(this._address) !== 0;
  }

  set sleep(isOn) {
    this._calls.td_world_set_sleep(this._address, isOn ? 1 : 0);
  }

  get continuous() {
    return this._calls.td_world_get_continuous(this._address) !== 0;
  }

  set continuous(isOn) {
    this._calls.td_world_set_continuous(this._address, isOn ? 1 : 0);
  }

  get stats() {
    this._calls.td_world_stats(this._address);
    return records.readStatistics(this._instance);
  }

  get stateHash() {
    return BigInt.asUintN(64, this._calls.td_world_hash(this._address)).toString(16).padStart(16, "0");
  }

  step(seconds = 1 / 60) {
    if (this.#stage !== null) throw usage("the stage steps this world");
    takeNumber("seconds", seconds, 0);
    if (this._calls.td_world_step(this._address, seconds) === 0) throw noMemory("the step; the world is as before it");
  }

  saveState() {
    const address = this._calls.td_world_save(this._address) >>> 0;
    if (address === 0) throw noMemory("a state");
    const bytes = this._instance.readBytes(address, records.readSize(this._instance).size);
    this._instance.free(address);
    return bytes;
  }

  loadState(bytes) {
    if (this.#stage !== null) throw usage("the world of a stage cannot load a state: the actors would not follow");
    takeInstance("the state", bytes, Uint8Array);
    const isLoaded = withArrays(this._instance, [bytes], (at) => this._calls.td_world_load(this._address, at, bytes.length)) !== 0;
    if (!isLoaded) {
      throw this._calls.td_world_is_out_of_memory(this._address) !== 0 ? noMemory("the state; destroy the world") : usage("the state is not one of this world");
    }
    this._prune();
  }

  createBody(options = {}) {
    const {
      motion = "dynamic", position = [0, 0, 0], rotation = NO_ROTATION, linearVelocity = [0, 0, 0], angularVelocity = [0, 0, 0], mass = 0,
      centerOfMass = null, inertiaDiagonal = [0, 0, 0], inertiaOrientation = NO_ROTATION, gravityFactor = 1, sleep = true,
      continuous = true, isAwake = true, shapes = [], userData = null,
    } = takeOptions(options);
    if (!Array.isArray(shapes)) throw usage("shapes must be an array");
    const definition = {
      motion: takeChoice("motion", motion, ["static", "kinematic", "dynamic"]),
      position: takeVector("position", position, 3),
      rotation: takeRotation("rotation", rotation),
      linearVelocity: takeVector("linearVelocity", linearVelocity, 3),
      angularVelocity: takeVector("angularVelocity", angularVelocity, 3),
      mass: takeBound("mass", mass, 0),
      hasCenterOfMass: centerOfMass === null ? 0 : 1,
      centerOfMass: takeVector("centerOfMass", centerOfMass ?? [0, 0, 0], 3),
      inertiaDiagonal: takeBounds("inertiaDiagonal", inertiaDiagonal, 3, 0),
      inertiaOrientation: takeRotation("inertiaOrientation", inertiaOrientation),
      gravityFactor: takeNumber("gravityFactor", gravityFactor),
      enableSleep: sleep ? 1 : 0,
      enableContinuous: continuous ? 1 : 0,
      isAwake: isAwake ? 1 : 0,
    };
    const address = this._address;
    records.writeBodyDef(this._instance, definition);
    if (this._calls.td_body_create(address) === 0) throw noMemory("a body");
    const { index1, generation } = records.readId(this._instance);
    const body = this._body(index1, generation);
    body.userData = userData;
    try {
      for (const shape of shapes) body.createShape(shape);
    } catch (error) {
      if (!this.tendon.isDead) body.destroy();
      throw error;
    }
    return body;
  }

  createJoint(options) {
    const {
      type = "generic", bodyA = null, bodyB = null, anchor = [0, 0, 0], anchorB = anchor, axis = [1, 0, 0], cone = Math.PI,
      min = type === "distance" ? 0 : -Infinity, max = Infinity, positionA = [0, 0, 0], rotationA = NO_ROTATION,
      positionB = [0, 0, 0], rotationB = NO_ROTATION, limits = [], drives = [], enableCollision = false,
      breakForce = Infinity, breakTorque = Infinity, userData = null,
    } = takeOptions(options);
    if (!Array.isArray(limits) || !Array.isArray(drives)) throw usage("limits and drives must be arrays");
    const a = this._takeBody("bodyA", bodyA);
    const b = this._takeBody("bodyB", bodyB);
    if (a[0] === 0 && b[0] === 0) throw usage("a joint needs a body");
    if (a[0] === b[0]) throw usage("a joint needs two bodies");
    const definition = {
      preset: takeChoice("type", type, JOINT_TYPES),
      bodyA: a,
      bodyB: b,
      positionA: takeVector("positionA", positionA, 3),
      rotationA: takeRotation("rotationA", rotationA),
      positionB: takeVector("positionB", positionB, 3),
      rotationB: takeRotation("rotationB", rotationB),
      anchor: takeVector("anchor", anchor, 3),
      anchorB: takeVector("anchorB", anchorB, 3),
      axis: ["hinge", "slider", "cone-twist"].includes(type) ? takeVector("axis", axis, 3) : [1, 0, 0],
      cone: takeNumber("cone", cone, 0),
      min: takeBound("min", min),
      max: takeBound("max", max),
      enableCollision: enableCollision ? 1 : 0,
      breakForce: takeBound("breakForce", breakForce, 0),
      breakTorque: takeBound("breakTorque", breakTorque, 0),
    };
    if (!(Math.hypot(...definition.axis) > 1e-12)) throw usage("axis must not be zero");
    const numbers = [limits.flatMap(takeLimit), drives.flatMap(takeDrive)].map((list) => Float64Array.from(list));
    const outcome = withArrays(this._instance, numbers, (limitsAt, drivesAt) => {
      records.writeJointDef(this._instance, definition);
      return this._calls.td_joint_create(this._address, limitsAt, limits.length, drivesAt, drives.length);
    });
    if (outcome !== 1) throw noMemory("a joint");
    const { index1, generation } = records.readId(this._instance);
    const joint = this._joint(index1, generation);
    joint.userData = userData;
    return joint;
  }

  createFilter(options = {}) {
    const { collisionSystems = [], collideWith = [], notCollideWith = [] } = takeOptions(options);
    const lists = [collisionSystems, collideWith, notCollideWith].map((list) =>
      takeNumbers("collision systems", list).map((system) => takeInteger("a collision system", system, 0, 2 ** 32 - 1)));
    const isMade = withArrays(this._instance, [Uint32Array.from(lists.flat())], (at) =>
      this._calls.td_filter_create(this._address, at, ...lists.map((list) => list.length)));
    if (isMade === 0) throw noMemory("a filter");
    const { index1, generation } = records.readId(this._instance);
    return new Filter(this, index1, generation);
  }

  readTransforms(bodies, target = null) {
    if (!Array.isArray(bodies)) throw usage("bodies must be an array");
    const out = target ?? new Float32Array(7 * bodies.length);
    if (!(out instanceof Float32Array) || out.length < 7 * bodies.length) throw usage("the target must have 7 numbers per body");
    const ids = Uint32Array.from(bodies.flatMap((body) => takeInstance("a body", body, Body)._id));
    withArrays(this._instance, [ids, new Float32Array(7 * bodies.length)], (idsAt, outAt) => {
      const count = this._calls.td_bodies_transforms(this._address, idsAt, bodies.length, outAt);
      if (count < bodies.length) throw usage(`body ${count} was destroyed or is of another world`);
      out.set(new Float32Array(this._instance.memory.buffer, outAt, 7 * bodies.length));
    });
    return out;
  }

  get movedBodies() {
    return this.#collect("td_world_moved_count", "td_world_moved", records.readMovedBody)
      .map(({ index1, generation, ...moved }) => ({ body: this._body(index1, generation), ...moved }));
  }

  get contactEvents() {
    return this.#collect("td_world_contact_event_count", "td_world_contact_event", records.readWorldContactEvent)
      .map(({ began, ids, ...event }) => ({
        type: began ? "contact_begin" : "contact_end",
        shapeA: this._shape(ids[0], ids[1]),
        shapeB: this._shape(ids[2], ids[3]),
        bodyA: this._body(ids[4], ids[5]),
        bodyB: this._body(ids[6], ids[7]),
        ...event,
      }));
  }

  get triggerEvents() {
    return this.#collect("td_world_trigger_event_count", "td_world_trigger_event", records.readWorldTriggerEvent)
      .map(({ entered, ids }) => ({
        type: entered ? "trigger_enter" : "trigger_exit",
        trigger: this._shape(ids[0], ids[1]),
        visitor: this._shape(ids[2], ids[3]),
        triggerBody: this._body(ids[4], ids[5]),
        visitorBody: this._body(ids[6], ids[7]),
      }));
  }

  get jointBreakEvents() {
    return this.#collect("td_world_break_event_count", "td_world_break_event", records.readBreakEvent)
      .map(({ index1, generation, ...event }) => ({ joint: this._joint(index1, generation), ...event }));
  }

  // Queries

  #takeQuery(filter, { shape = null, position = [0, 0, 0], rotation = NO_ROTATION, translation = [0, 0, 0] }) {
    const { filter: passes = null, includeTriggers = false, ignoreStatic = false, ignoreKinematic = false, ignoreDynamic = false, ignoreBody = null } =
      takeOptions(filter);
    let kind = 0;
    let dimensions = [0, 0, 0];
    let geometry = 0;
    if (shape !== null) {
      kind = takeChoice("type", takeOptions(shape).type, QUERY_KINDS);
      if (kind < 0 || shape.type === "plane" || shape.type === "mesh") throw usage("queries take spheres, boxes, capsules, cylinders and hulls");
      dimensions = takeDimensions(shape);
      if (shape.type === "hull") {
        if (!takeInstance("geometry", shape.geometry, Geometry).isHull) throw usage("the geometry must be a hull");
        geometry = shape.geometry._address;
      }
    }
    return {
      filter: this._takeFilter(passes),
      includeTriggers: includeTriggers ? 1 : 0,
      ignoreStatic: ignoreStatic ? 1 : 0,
      ignoreKinematic: ignoreKinematic ? 1 : 0,
      ignoreDynamic: ignoreDynamic ? 1 : 0,
      ignoreBody: this._takeBody("ignoreBody", ignoreBody),
      kind,
      dimensions,
      geometry,
      position: takeVector("position", position, 3),
      rotation: takeRotation("rotation", rotation),
      translation: takeVector("translation", translation, 3),
    };
  }

  #readHits(count) {
    if (count < 0) throw noMemory("the hits of a query");
    return Array.from({ length: count }, (_, i) => {
      this._calls.td_query_hit(i);
      const { ids, ...hit } = records.readQueryHit(this._instance);
      return ids[0] === 0 ? null : { shape: this._shape(ids[0], ids[1]), body: this._body(ids[2], ids[3]), ...hit };
    });
  }

  #query(filter, values, call, ...args) {
    const query = this.#takeQuery(filter, values);
    const address = this._address;
    records.writeQuery(this._instance, query);
    return this._calls[call](address, ...args);
  }

  castRay(origin, translation, filter = {}) {
    return this.#readHits(this.#query(filter, { position: origin, translation }, "td_query_ray", 0))[0] ?? null;
  }

  castRayAll(origin, translation, filter = {}) {
    return this.#readHits(this.#query(filter, { position: origin, translation }, "td_query_ray", 1));
  }

  castRays(rays, filter = {}) {
    const numbers = Float32Array.from(takeNumbers("rays", rays));
    if (numbers.length % 6 !== 0) throw usage("rays must have six numbers each: origin and translation");
    const count = numbers.length / 6;
    const isDone = withArrays(this._instance, [numbers], (at) => this.#query(filter, {}, "td_query_rays", at, count)) !== 0;
    return this.#readHits(isDone ? count : -1);
  }

  castShape(shape, position, translation, { rotation = NO_ROTATION, ...filter } = {}) {
    return this.#readHits(this.#query(filter, { shape: takeOptions(shape), position, rotation, translation }, "td_query_cast"))[0] ?? null;
  }

  overlapShape(shape, position, { rotation = NO_ROTATION, ...filter } = {}) {
    const count = this.#query(filter, { shape: takeOptions(shape), position, rotation }, "td_query_overlap");
    if (count < 0) throw noMemory("the shapes of a query");
    return this._readIds(count, (index1, generation) => this._shape(index1, generation));
  }

  findClosestPoint(point, maxDistance, filter = {}) {
    takeNumber("maxDistance", maxDistance, 0);
    if (this.#query(filter, { position: point }, "td_query_closest", maxDistance) === 0) return null;
    const { ids, ...closest } = records.readClosestPoint(this._instance);
    return { shape: this._shape(ids[0], ids[1]), body: this._body(ids[2], ids[3]), ...closest };
  }

  destroy() {
    if (this.#stage !== null) throw usage("the stage owns this world");
    if (this.#address === 0) return;
    const address = this.#address;
    this.#address = 0;
    if (!this.tendon.isDead) this._calls.td_world_destroy(address);
    this._end();
  }

  /** Releases geometries and handles; the engine's world is gone. */
  _end() {
    this.#address = 0;
    for (const geometry of this.#geometries) geometry._use(-1);
    for (const map of [this.#geometries, this.#bodies, this.#shapes, this.#joints]) map.clear();
  }
}

function takeBounds(what, values, length, least) {
  if (!Array.isArray(values) && !ArrayBuffer.isView(values)) throw usage(`${what} must be an array of numbers`);
  const numbers = [...values];
  if (numbers.length !== length) throw usage(`${what} must have ${length} components`);
  return numbers.map((value) => takeBound(what, value, least));
}

guardClasses(Filter, World);
