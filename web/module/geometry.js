// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hulls and meshes, cooked once and shared by shapes.
import * as records from "./records.js";
import { TendonError, guardClasses, takeIndex, takeNumbers, takeOptions, usage } from "./arguments.js";

export const noMemory = (what) => new TendonError("OUT_OF_MEMORY", `no memory for ${what}`);
const GEOMETRY_FAILURES = ["", "has too few points", "is flat", "has a coordinate that is not finite", "has a bad index", ""];

/** A cooked hull or mesh. It lives until it was destroyed and every world that used it is gone. */
export class Geometry {
  #address;
  #users = 0;
  #isDestroyed = false;

  constructor(tendon, address) {
    this.tendon = tendon;
    this.#address = address;
    tendon._instance.calls.td_geometry_describe(address);
    Object.assign(this, records.readGeometry(tendon._instance));
  }

  /** Creates a geometry from an address that td_geometry_hull or td_geometry_mesh returned. */
  static _take(tendon, address, what) {
    const status = records.readSize(tendon._instance).size;
    if (address === 0) throw status === 5 ? noMemory(`a ${what}`) : usage(`the ${what} ${GEOMETRY_FAILURES[status]}`);
    return new Geometry(tendon, address);
  }

  get _address() {
    if (this.#isDestroyed) throw usage("the geometry was destroyed");
    return this.#address;
  }

  _use(by) {
    this.#users += by;
    this.#release();
  }

  get vertices() {
    const instance = this.tendon._instance;
    const address = instance.allocate(12 * this.vertexCount);
    instance.calls.td_geometry_vertices(this._address, address);
    const copy = new Float32Array(instance.memory.buffer, address, 3 * this.vertexCount).slice();
    instance.free(address);
    return copy;
  }

  #release() {
    if (!this.#isDestroyed || this.#users > 0 || this.#address === 0) return;
    if (!this.tendon.isDead) this.tendon._instance.calls.td_geometry_destroy(this.#address);
    this.#address = 0;
  }

  destroy() {
    this.#isDestroyed = true;
    this.#release();
  }
}

/** Copies numbers into memory for one call. */
export function withArrays(instance, arrays, run) {
  const addresses = [];
  try {
    for (const array of arrays) addresses.push(array === null ? 0 : instance.writeBytes(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)));
    return run(...addresses);
  } finally {
    if (!instance.isDead) addresses.forEach((address) => address !== 0 && instance.free(address));
  }
}

function takePoints(what, values) {
  const points = values instanceof Float32Array ? values : Float32Array.from(takeNumbers(what, values));
  if (points.length % 3 !== 0) throw usage(`${what} must have three numbers per point`);
  return points;
}

export function createHull(tendon, points) {
  const data = takePoints("points", points);
  const address = withArrays(tendon._instance, [data], (at) => tendon._instance.calls.td_geometry_hull(at, data.length / 3));
  return Geometry._take(tendon, address, "hull");
}

export function createMesh(tendon, positions, indices, options) {
  const { isDoubleSided = false, isOneSided = false } = takeOptions(options);
  const points = takePoints("positions", positions);
  let corners = null;
  if (indices !== undefined && indices !== null) {
    corners = indices instanceof Uint32Array ? indices : Uint32Array.from(takeNumbers("indices", indices), (index) => takeIndex("position", index, points.length / 3));
  }
  const address = withArrays(tendon._instance, [points, corners], (at, cornersAt) =>
    tendon._instance.calls.td_geometry_mesh(at, points.length / 3, cornersAt, corners?.length ?? points.length / 3, isDoubleSided ? 1 : 0, isOneSided ? 1 : 0));
  return Geometry._take(tendon, address, "mesh");
}

guardClasses(Geometry);
