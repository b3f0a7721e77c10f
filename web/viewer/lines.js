// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Buffers that overlays draw with: coloured lines, transparent triangles, dots.
import * as THREE from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

class Buffer {
  constructor(object) {
    this.object = object;
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.count = 0;
    this.#resize(256);
  }

  #resize(capacity) {
    const geometry = this.object.geometry;
    for (const name of ["position", "color"]) {
      const array = new Float32Array(3 * capacity);
      const old = geometry.getAttribute(name);
      if (old) {
        array.set(old.array);
      }
      geometry.setAttribute(name, new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage));
    }
    geometry.dispose();
    this.capacity = capacity;
    this.positions = geometry.getAttribute("position").array;
    this.colors = geometry.getAttribute("color").array;
  }

  clear() {
    this.count = 0;
  }

  /** @param {THREE.Vector3} point @param {THREE.Color} color */
  vertex(point, color) {
    if (this.count === this.capacity) {
      this.#resize(2 * this.capacity);
    }
    const at = 3 * this.count++;
    this.positions[at] = point.x;
    this.positions[at + 1] = point.y;
    this.positions[at + 2] = point.z;
    this.colors[at] = color.r;
    this.colors[at + 1] = color.g;
    this.colors[at + 2] = color.b;
  }

  finish() {
    const geometry = this.object.geometry;
    geometry.setDrawRange(0, this.count);
    for (const name of ["position", "color"]) {
      const attribute = geometry.getAttribute(name);
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 3 * this.count);
      attribute.needsUpdate = true;
    }
  }

  dispose() {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

/** Lines of constant screen width. Vertices come in pairs, so that one buffer serves both start and end. */
export class Lines {
  constructor({ opacity = 1, onTop = true, width = 1.8 } = {}) {
    const material = new LineMaterial({
      vertexColors: true, transparent: true, opacity, linewidth: width, depthTest: !onTop, depthWrite: false, toneMapped: false,
    });
    this.object = new LineSegments2(new LineSegmentsGeometry(), material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = 10;
    this.count = 0;
    this.#resize(128);
  }

  #resize(capacity) {
    const { geometry } = this.object;
    const old = this.buffers;
    geometry.dispose();
    this.capacity = capacity;
    this.buffers = ["instance", "instanceColor"].map((name, i) => {
      const buffer = new THREE.InstancedInterleavedBuffer(new Float32Array(6 * capacity), 6, 1).setUsage(THREE.DynamicDrawUsage);
      buffer.array.set(old?.[i].array ?? []);
      geometry.setAttribute(`${name}Start`, new THREE.InterleavedBufferAttribute(buffer, 3, 0));
      geometry.setAttribute(`${name}End`, new THREE.InterleavedBufferAttribute(buffer, 3, 3));
      return buffer;
    });
  }

  clear() {
    this.count = 0;
  }

  add(from, to, color) {
    if (this.count === this.capacity) {
      this.#resize(2 * this.capacity);
    }
    const at = 6 * this.count++;
    const [places, colors] = this.buffers;
    places.array.set([from.x, from.y, from.z, to.x, to.y, to.z], at);
    colors.array.set([color.r, color.g, color.b, color.r, color.g, color.b], at);
  }

  /** Through points, in order. */
  path(points, color) {
    for (let i = 1; i < points.length; ++i) {
      this.add(points[i - 1], points[i], color);
    }
  }

  finish() {
    this.object.geometry.instanceCount = this.count;
    this.object.visible = this.count > 0;
    for (const buffer of this.buffers) {
      buffer.clearUpdateRanges();
      buffer.addUpdateRange(0, 6 * this.count);
      buffer.needsUpdate = true;
    }
  }

  dispose() {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

export class Triangles extends Buffer {
  constructor(opacity = 0.16) {
    const material = new THREE.MeshBasicMaterial({
      vertexColors: true, transparent: true, opacity, depthTest: false, depthWrite: false, side: THREE.DoubleSide, toneMapped: false,
    });
    super(new THREE.Mesh(new THREE.BufferGeometry(), material));
    this.object.renderOrder = 9;
  }

  /** From one corner to each pair of neighbours. */
  fan(corner, points, color) {
    for (let i = 1; i < points.length; ++i) {
      this.vertex(corner, color);
      this.vertex(points[i - 1], color);
      this.vertex(points[i], color);
    }
  }
}

/** Round marks of constant screen size. */
export class Dots extends Buffer {
  constructor({ size = 7, kind = "disc", ratio = 1 } = {}) {
    const material = new THREE.PointsMaterial({
      vertexColors: true, size: size * ratio, sizeAttenuation: false, transparent: true, depthTest: false, depthWrite: false,
      toneMapped: false, map: makeDot(kind), alphaTest: 0.05,
    });
    super(new THREE.Points(new THREE.BufferGeometry(), material));
    this.object.renderOrder = 11;
  }

  dispose() {
    this.object.material.map.dispose();
    super.dispose();
  }
}

/** "disc", or "centre": the quartered circle that marks a centre of mass. */
function makeDot(kind) {
  const size = 64;
  const canvas = new OffscreenCanvas(size, size);
  const draw = canvas.getContext("2d");
  const middle = size / 2;
  const radius = middle - 5;
  draw.fillStyle = draw.strokeStyle = "#fff";
  draw.lineWidth = 6;
  draw.beginPath();
  if (kind === "disc") {
    draw.arc(middle, middle, radius, 0, 2 * Math.PI);
    draw.fill();
  } else {
    draw.arc(middle, middle, radius, 0, 2 * Math.PI);
    draw.stroke();
    for (const start of [0, Math.PI]) {
      draw.beginPath();
      draw.moveTo(middle, middle);
      draw.arc(middle, middle, radius, start, start + Math.PI / 2);
      draw.fill();
    }
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.NoColorSpace;
  return texture;
}
