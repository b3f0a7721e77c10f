// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Handles of bodies and shapes. A handle is an id of the engine; using one whose thing is gone throws.
import * as records from "./records.js";
import {
  TendonError, guardClasses, takeBound, takeChoice, takeInstance, takeNumber, takeOptions, takePositive, takeRotation,
  takeVector, usage,
} from "./arguments.js";
import { Geometry } from "./geometry.js";

const SHAPE_KINDS = ["sphere", "box", "capsule", "cylinder", "plane", "hull", "mesh"];
export const QUERY_KINDS = SHAPE_KINDS;
const COMBINES = ["unspecified", "average", "minimum", "maximum", "multiply"];
const MOTIONS = ["static", "kinematic", "dynamic"];

/** In the order of the enum in web/wasm/exports_world.h. */
const BODY_PROPERTIES = [
  "motion", "transform", "target", "linearVelocity", "angularVelocity", "force", "forceAt", "torque", "impulse", "impulseAt",
  "angularImpulse", "mass", "computedMass", "gravityFactor", "awake", "sleep", "continuous",
];

/** The three dimensions of a shape definition, as the engine takes them. */
export function takeDimensions(shape) {
  switch (shape.type) {
    case "sphere":
      return [takePositive("radius", shape.radius), 0, 0];
    case "box":
      return takeVector("size", shape.size, 3).map((value) => takePositive("size", value));
    case "capsule":
    case "cylinder": {
      const { height, radius = null } = shape;
      const radii = [shape.radiusBottom ?? radius, shape.radiusTop ?? radius].map((value) => takeNumber("radius", value, 0));
      takePositive("the larger radius", Math.max(...radii));
      return [shape.type === "capsule" ? takeNumber("height", height, 0) : takePositive("height", height), ...radii];
    }
    case "plane": {
      const { sizeX = Infinity, sizeZ = Infinity, isDoubleSided = false } = shape;
      for (const size of [sizeX, sizeZ]) if (takeBound("size", size, 0) === 0) throw usage("size must be above zero");
      return [sizeX, sizeZ, isDoubleSided ? 1 : 0];
    }
    default:
      return [0, 0, 0];
  }
}

function takeMaterial(material) {
  const { staticFriction = 0.6, dynamicFriction = 0.6, restitution = 0, frictionCombine = "unspecified", restitutionCombine = "unspecified" } = material;
  return {
    staticFriction: takeNumber("staticFriction", staticFriction, 0),
    dynamicFriction: takeNumber("dynamicFriction", dynamicFriction, 0),
    restitution: takeNumber("restitution", restitution, 0),
    frictionCombine: takeChoice("frictionCombine", frictionCombine, COMBINES),
    restitutionCombine: takeChoice("restitutionCombine", restitutionCombine, COMBINES),
  };
}

/** A handle of the world: its id and whether its thing still exists. */
export class Handle {
  constructor(world, index1, generation) {
    this.world = world;
    this._id = Object.freeze([index1, generation]);
    this.userData = null;
  }

  /** Calls an export with the world and the id. */
  _call(name, ...args) {
    return this.world._calls[name](this.world._address, ...this._id, ...args);
  }

  /** Throws when an export says that the id is stale. */
  _must(outcome) {
    if (outcome === 0 || outcome === -1) throw usage(`the ${this.constructor.name.toLowerCase()} was destroyed`);
    if (outcome === 2 || outcome === -2) throw new TendonError("OUT_OF_MEMORY", "no memory; nothing changed");
    return outcome;
  }
}

export class Body extends Handle {
  get isValid() {
    try {
      return this._call("td_body_is_valid") !== 0;
    } catch {
      return false;
    }
  }

  #read() {
    this._must(this._call("td_body_get"));
    return records.readWorldBody(this.world._instance);
  }

  #set(property, values = []) {
    const address = this.world._address;
    records.writeValues(this.world._instance, { values });
    return this._must(this.world._calls.td_body_set(address, ...this._id, BODY_PROPERTIES.indexOf(property)));
  }

  /** Throws unless a script made the body. Those of actors follow their asset. */
  #mustBeOwn(what) {
    if (!this.#read().isOwn) throw usage(`an actor owns the body; ${what} is not possible`);
  }

  get state() {
    const { isOwn, hasTarget, targetPosition, targetRotation, ...state } = this.#read();
    return { ...state, isOwn, target: hasTarget ? { position: targetPosition, rotation: targetRotation } : null };
  }

  get isOwn() {
    return this.#read().isOwn;
  }

  get motion() {
    return this.#read().motion;
  }

  set motion(motion) {
    this.#mustBeOwn("another motion");
    this.#set("motion", [takeChoice("motion", motion, MOTIONS)]);
  }

  get position() {
    return this.#read().position;
  }

  get rotation() {
    return this.#read().rotation;
  }

  setTransform(position, rotation = [0, 0, 0, 1]) {
    this.#set("transform", [...takeVector("position", position, 3), ...takeRotation("rotation", rotation)]);
  }

  setTarget(position, rotation = [0, 0, 0, 1]) {
    const values = [...takeVector("position", position, 3), ...takeRotation("rotation", rotation)];
    if (this.motion !== "kinematic") throw usage("only kinematic bodies have targets");
    this.#set("target", values);
  }

  get linearVelocity() {
    return this.#read().linearVelocity;
  }

  set linearVelocity(velocity) {
    this.#set("linearVelocity", takeVector("velocity", velocity, 3));
  }

  get angularVelocity() {
    return this.#read().angularVelocity;
  }

  set angularVelocity(velocity) {
    this.#set("angularVelocity", takeVector("velocity", velocity, 3));
  }

  getPointVelocity(point) {
    this._must(this._call("td_body_point_velocity", ...takeVector("point", point, 3)));
    return records.readVector(this.world._instance).value;
  }

  #push(kind, vector, point) {
    const values = takeVector(kind, vector, 3);
    if (point === null) this.#set(kind, values);
    else this.#set(`${kind}At`, [...values, ...takeVector("point", point, 3)]);
  }

  applyForce(force, point = null) {
    this.#push("force", force, point);
  }

  applyTorque(torque) {
    this.#set("torque", takeVector("torque", torque, 3));
  }

  applyImpulse(impulse, point = null) {
    this.#push("impulse", impulse, point);
  }

  applyAngularImpulse(impulse) {
    this.#set("angularImpulse", takeVector("impulse", impulse, 3));
  }

  get mass() {
    const { mass, centerOfMass, inertiaDiagonal, inertiaOrientation } = this.#read();
    return { mass, centerOfMass, inertiaDiagonal, inertiaOrientation };
  }

  set mass(value) {
    const { mass, centerOfMass, inertiaDiagonal, inertiaOrientation } = { ...this.mass, ...takeOptions(value) };
    if (takeBound("mass", mass, 0) === 0) throw usage("mass must be above zero");
    const inertia = [...inertiaDiagonal].map((part) => takeBound("inertiaDiagonal", part, 0));
    if (inertia.length !== 3 || inertia.includes(0)) throw usage("inertiaDiagonal must have three components above zero");
    this.#set("mass", [mass, ...takeVector("centerOfMass", centerOfMass, 3), ...inertia, ...takeRotation("inertiaOrientation", inertiaOrientation)]);
  }

  computeMass() {
    this.#set("computedMass");
  }

  get worldCenterOfMass() {
    return this.#read().worldCenterOfMass;
  }

  get gravityFactor() {
    return this.#read().gravityFactor;
  }

  set gravityFactor(factor) {
    this.#set("gravityFactor", [takeNumber("gravityFactor", factor)]);
  }

  get isAwake() {
    return this.#read().isAwake;
  }

  set isAwake(isAwake) {
    this.#set("awake", [isAwake ? 1 : 0]);
  }

  get sleep() {
    return this.#read().isSleepEnabled;
  }

  set sleep(isOn) {
    this.#set("sleep", [isOn ? 1 : 0]);
  }

  get continuous() {
    return this.#read().isContinuousEnabled;
  }

  set continuous(isOn) {
    this.#set("continuous", [isOn ? 1 : 0]);
  }

  get shapes() {
    return this.world._readIds(this._count("td_body_shapes"), (index1, generation) => this.world._shape(index1, generation));
  }

  _count(call) {
    const count = this._call(call);
    if (count < 0) this._must(count);
    return count;
  }

  get contacts() {
    return Array.from({ length: this._count("td_body_contacts") }, (_, i) => {
      this.world._calls.td_manifold(i);
      const { ids, pointCount, points, separations, ...manifold } = records.readManifold(this.world._instance);
      return {
        shapeA: this.world._shape(ids[0], ids[1]),
        shapeB: this.world._shape(ids[2], ids[3]),
        ...manifold,
        points: Array.from({ length: pointCount }, (_, k) => ({ point: points.slice(3 * k, 3 * k + 3), separation: separations[k] })),
      };
    });
  }

  createShape(options) {
    const { type, position = [0, 0, 0], rotation = [0, 0, 0, 1], matrix = null, density = 1000, filter = null, geometry = null } = takeOptions(options);
    const { isTrigger = false, contactEvents = true, deferMass = false, userData = null } = options;
    const kind = takeChoice("type", type, SHAPE_KINDS);
    const isCooked = type === "hull" || type === "mesh";
    if (matrix !== null && (type === "plane" || type === "mesh")) throw usage("planes and meshes take no matrix");
    const definition = {
      position: takeVector("position", position, 3),
      rotation: takeRotation("rotation", rotation),
      hasMatrix: matrix === null ? 0 : 1,
      matrix: takeVector("matrix", matrix ?? [1, 0, 0, 0, 1, 0, 0, 0, 1], 9),
      density: takeNumber("density", density, 0),
      ...takeMaterial(options),
      filter: this.world._takeFilter(filter),
      isTrigger: isTrigger ? 1 : 0,
      enableContactEvents: contactEvents ? 1 : 0,
      deferMass: deferMass ? 1 : 0,
      dimensions: takeDimensions(options),
    };
    this.#mustBeOwn("another shape");
    if (isCooked && takeInstance("geometry", geometry, Geometry).isHull !== (type === "hull")) throw usage(`a ${type} needs the geometry of a ${type}`);
    const cooked = isCooked ? this.world._useGeometry(geometry) : 0;
    records.writeShapeDef(this.world._instance, definition);
    this._must(this._call("td_shape_create", kind, cooked));
    const { index1, generation } = records.readId(this.world._instance);
    const shape = this.world._shape(index1, generation);
    shape.userData = userData;
    return shape;
  }

  destroy() {
    if (!this.isValid) return;
    this.#mustBeOwn("destroying it");
    for (const shape of this.shapes) this.world._forget("shape", shape._id);
    this._call("td_body_destroy");
    this.world._forget("body", this._id);
  }
}

export class Shape extends Handle {
  get isValid() {
    try {
      return this._call("td_shape_is_valid") !== 0;
    } catch {
      return false;
    }
  }

  #read() {
    this._must(this._call("td_shape_get"));
    return records.readWorldShape(this.world._instance);
  }

  get body() {
    return this.world._body(...this.#read().body);
  }

  get kind() {
    return this.#read().kind;
  }

  get dimensions() {
    const { dimensions, dimensionCount } = this.#read();
    return dimensions.slice(0, dimensionCount);
  }

  get isTrigger() {
    return this.#read().isTrigger;
  }

  get position() {
    return this.#read().position;
  }

  get rotation() {
    return this.#read().rotation;
  }

  setLocal(position, rotation = [0, 0, 0, 1]) {
    const values = [...takeVector("position", position, 3), ...takeRotation("rotation", rotation)];
    const address = this.world._address;
    records.writeValues(this.world._instance, { values });
    this._must(this.world._calls.td_shape_set_local(address, ...this._id));
  }

  get material() {
    const { staticFriction, dynamicFriction, restitution, frictionCombine, restitutionCombine } = this.#read();
    return { staticFriction, dynamicFriction, restitution, frictionCombine, restitutionCombine };
  }

  set material(value) {
    const values = Object.values(takeMaterial({ ...this.material, ...takeOptions(value) }));
    records.writeValues(this.world._instance, { values });
    this._must(this._call("td_shape_set_material"));
  }

  set filter(filter) {
    this._must(this._call("td_shape_set_filter", ...this.world._takeFilter(filter)));
  }

  get lines() {
    const { _instance: instance } = this.world;
    const address = this._call("td_shape_wireframe") >>> 0;
    if (address === 0) this._must(this.isValid ? 2 : 0);
    const points = new Float32Array(instance.memory.buffer, address, 3 * records.readSize(instance).size).slice();
    instance.free(address);
    return points;
  }

  destroy() {
    if (!this.isValid) return;
    if (!this.#read().isOwn) throw usage("an actor owns the shape; destroying it is not possible");
    this._call("td_shape_destroy");
    this.world._forget("shape", this._id);
  }
}

guardClasses(Body, Shape);
