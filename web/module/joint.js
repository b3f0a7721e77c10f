// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Handles of joints, their limits and drives.
import * as records from "./records.js";
import { guardClasses, takeBound, takeChoice, takeInteger, takeNumber, takeOptions, usage } from "./arguments.js";
import { Handle } from "./body.js";

/** In the order of the enum in web/wasm/exports_joint.c. */
export const JOINT_TYPES = ["generic", "fixed", "hinge", "slider", "ball", "cone-twist", "distance"];
const AXES = ["x", "y", "z"];

/** Bits of axes given as "xyz" or as a number. */
function takeAxes(what, axes) {
  if (typeof axes === "number") return takeInteger(what, axes, 0, 7);
  if (typeof axes !== "string" || !/^[xyz]*$/.test(axes)) throw usage(`${what} must consist of x, y and z`);
  return [...axes].reduce((bits, axis) => bits | (1 << AXES.indexOf(axis)), 0);
}

const showAxes = (bits) => AXES.filter((_, i) => (bits >> i) & 1).join("");

/** The numbers of a limit, in the order of the Limit record. */
export function takeLimit(limit) {
  const { linearAxes = "", angularAxes = "", min = -Infinity, max = Infinity, stiffness = Infinity, damping = 0 } = takeOptions(limit);
  const bits = [takeAxes("linearAxes", linearAxes), takeAxes("angularAxes", angularAxes)];
  if ((bits[0] === 0) === (bits[1] === 0)) throw usage("a limit has either linear or angular axes");
  return [...bits, takeBound("min", min), takeBound("max", max), takeBound("stiffness", stiffness, 0), takeNumber("damping", damping, 0)];
}

/** The numbers of a drive, in the order of the Drive record. */
export function takeDrive(drive) {
  const {
    type = "linear", mode = "force", axis = "x", positionTarget = 0, velocityTarget = 0, stiffness = 0, damping = 0, maxForce = Infinity,
  } = takeOptions(drive);
  return [
    takeChoice("type", type, ["linear", "angular"]), takeChoice("mode", mode, ["force", "acceleration"]), 1 << takeChoice("axis", axis, AXES),
    takeNumber("positionTarget", positionTarget), takeNumber("velocityTarget", velocityTarget), takeNumber("stiffness", stiffness, 0),
    takeNumber("damping", damping, 0), takeBound("maxForce", maxForce, 0),
  ];
}

export class Joint extends Handle {
  get isValid() {
    try {
      return this._call("td_joint_is_valid") !== 0;
    } catch {
      return false;
    }
  }

  #read() {
    this._must(this._call("td_joint_get"));
    return records.readWorldJoint(this.world._instance);
  }

  get bodyA() {
    return this.world._body(...this.#read().ids.slice(0, 2));
  }

  get bodyB() {
    return this.world._body(...this.#read().ids.slice(2));
  }

  get type() {
    return this.#read().type;
  }

  get frames() {
    const { positionA, rotationA, positionB, rotationB } = this.#read();
    return { positionA, rotationA, positionB, rotationB };
  }

  get isBroken() {
    return this.#read().isBroken;
  }

  get force() {
    return this.#read().force;
  }

  get torque() {
    return this.#read().torque;
  }

  get enableCollision() {
    return this.#read().enableCollision;
  }

  set enableCollision(isOn) {
    this._must(this._call("td_joint_set_collision", isOn ? 1 : 0));
  }

  get breakForce() {
    return this.#read().breakForce;
  }

  get breakTorque() {
    return this.#read().breakTorque;
  }

  setBreakLimits(force, torque) {
    this._must(this._call("td_joint_set_break_limits", takeBound("force", force, 0), takeBound("torque", torque, 0)));
  }

  #list(count, call, read, make) {
    return Array.from({ length: count }, (_, i) => {
      this._must(this._call(call, i));
      return make(read(this.world._instance));
    });
  }

  get limits() {
    return this.#list(this.#read().limitCount, "td_joint_get_limit", records.readLimitState, ({ linearAxes, angularAxes, ...limit }) => ({
      linearAxes: showAxes(linearAxes), angularAxes: showAxes(angularAxes), ...limit,
    }));
  }

  get drives() {
    return this.#list(this.#read().driveCount, "td_joint_get_drive", records.readDriveState, ({ axis, ...drive }) => ({ ...drive, axis: showAxes(axis) }));
  }

  #replace(list, index, value, take, call) {
    if (!Number.isInteger(index) || index < 0 || index >= list.length) throw usage(`there is no such index; the joint has ${list.length}`);
    const values = take({ ...list[index], ...takeOptions(value) });
    const address = this.world._address;
    records.writeValues(this.world._instance, { values });
    this._must(this.world._calls[call](address, ...this._id, index));
  }

  setLimit(index, limit) {
    this.#replace(this.limits, index, limit, takeLimit, "td_joint_set_limit");
  }

  setDrive(index, drive) {
    this.#replace(this.drives, index, drive, takeDrive, "td_joint_set_drive");
  }

  destroy() {
    if (!this.isValid) return;
    if (!this.#read().isOwn) throw usage("an actor owns the joint; destroying it is not possible");
    this._call("td_joint_destroy");
    this.world._forget("joint", this._id);
  }
}

guardClasses(Joint);
