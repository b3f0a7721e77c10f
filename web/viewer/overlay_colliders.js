// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colliders as wireframes, coloured by their state. Equal shapes are instances of one geometry: a thousand boxes take two
// draw calls. Hidden lines are drawn faintly. In a file without meshes the shapes are filled (collider_solids.js).
import * as THREE from "three";
import { makeSolid, shadeFace } from "./collider_solids.js";
import { shapeStates } from "./palette.js";

const lineWidth = 1.3; // pixels of the page

// Every line is a quad of constant screen width. It is moved towards the camera by a few thousandths, so that wireframes
// are visible on the meshes they lie on.
const shader = {
  vertexShader: `
    attribute vec3 from;
    attribute vec3 to;
    attribute vec2 corner; // which end, which side
    attribute vec3 place;
    attribute vec4 turn;
    attribute vec4 tint;
    uniform vec2 size; // of half the picture, in widths of a line
    varying vec4 color;
    vec3 toView(vec3 point) {
      vec3 turned = point + 2.0 * cross(turn.xyz, cross(turn.xyz, point) + turn.w * point) + place;
      return (viewMatrix * vec4(turned, 1.0)).xyz * 0.996;
    }
    // Clip the part behind the camera.
    vec3 trim(vec3 point, vec3 other, float near) {
      return point.z > near && other.z < near ? mix(point, other, (near - point.z) / (other.z - point.z)) : point;
    }
    void main() {
      color = tint;
      float near = -1.001 * projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
      vec3 start = toView(from);
      vec3 end = toView(to);
      vec4 a = projectionMatrix * vec4(trim(start, end, near), 1.0);
      vec4 b = projectionMatrix * vec4(trim(end, start, near), 1.0);
      vec2 way = (b.xy / b.w - a.xy / a.w) * size;
      way = length(way) > 1e-6 ? normalize(way) : vec2(1.0, 0.0);
      gl_Position = corner.x < 0.5 ? a : b;
      gl_Position.xy += 0.5 * corner.y * vec2(-way.y, way.x) / size * gl_Position.w;
    }`,
  fragmentShader: `
    uniform float strength;
    varying vec4 color;
    void main() {
      gl_FragColor = vec4(color.rgb, color.a * strength);
      #include <colorspace_fragment>
    }`,
};
const makeMaterial = (strength, isHidden) => new THREE.ShaderMaterial({
  ...shader, uniforms: { strength: { value: strength }, size: { value: new THREE.Vector2(1, 1) } },
  transparent: true, depthWrite: false, depthTest: !isHidden, side: THREE.DoubleSide,
});

const quadCorners = [0, 1, 2, 2, 1, 3];

/** A quad for each line. */
function makeGeometry(lines) {
  const count = lines.length / 6;
  const [from, to, corner, index] = [new Float32Array(12 * count), new Float32Array(12 * count), new Float32Array(8 * count), new Uint32Array(6 * count)];
  // Plain loops: a mesh may have a million lines.
  for (let quad = 0; quad < 4 * count; ++quad) {
    const line = 6 * (quad >> 2);
    for (let i = 0; i < 3; ++i) {
      from[3 * quad + i] = lines[line + i];
      to[3 * quad + i] = lines[line + 3 + i];
    }
    corner[2 * quad] = (quad >> 1) & 1;
    corner[2 * quad + 1] = quad & 1 ? 1 : -1;
  }
  for (let i = 0; i < 6 * count; ++i) {
    index[i] = 4 * Math.floor(i / 6) + quadCorners[i % 6];
  }
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  geometry.setAttribute("from", new THREE.BufferAttribute(from, 3));
  geometry.setAttribute("to", new THREE.BufferAttribute(to, 3));
  geometry.setAttribute("corner", new THREE.BufferAttribute(corner, 2));
  return geometry;
}

/** Shapes of one geometry. */
class Batch {
  /** @param solid the faces of the shapes; null: only their lines are drawn */
  constructor(lines, shapes, materials, solid) {
    this.shapes = shapes;
    this.solid = solid;
    this.bounds = new THREE.Box3().setFromArray(lines);
    this.geometry = makeGeometry(lines);
    for (const [name, size] of [["place", 3], ["turn", 4], ["tint", 4]]) {
      this[name] = new THREE.InstancedBufferAttribute(new Float32Array(size * shapes.length), size).setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, this[name]);
    }
    this.geometry.instanceCount = shapes.length;
    // Faces hide the lines behind them.
    this.objects = (solid === null ? materials : materials.slice(1)).map((material, i) => {
      const object = new THREE.Mesh(this.geometry, material);
      object.onBeforeRender = (renderer) => renderer.getSize(material.uniforms.size.value).divideScalar(2 * lineWidth);
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.renderOrder = 4 + i;
      return object;
    });
  }

  update({ shapeTransforms }, tintOf) {
    this.shapes.forEach((shape, i) => {
      const at = 7 * shape;
      this.place.array.set(shapeTransforms.subarray(at, at + 3), 3 * i);
      this.turn.array.set(shapeTransforms.subarray(at + 3, at + 7), 4 * i);
      this.tint.array.set(tintOf(shape), 4 * i);
    });
    this.place.needsUpdate = this.turn.needsUpdate = this.tint.needsUpdate = true;
  }

  /** Moves and colours the faces as the lines. @param ground colour of the background */
  updateSolid(ground) {
    const [matrix, place, turn, one] = [new THREE.Matrix4(), new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3(1, 1, 1)];
    const [edge, face] = [new THREE.Color(), new THREE.Color()];
    for (let i = 0; i < this.shapes.length; ++i) {
      place.fromArray(this.place.array, 3 * i);
      turn.fromArray(this.turn.array, 4 * i);
      this.solid.setMatrixAt(i, matrix.compose(place, turn, one));
      this.solid.setColorAt(i, shadeFace(edge.fromArray(this.tint.array, 4 * i), ground, i, face));
    }
    this.solid.instanceMatrix.needsUpdate = this.solid.instanceColor.needsUpdate = true;
  }
}

/** Shapes whose lines follow from their dimensions; those of the others have to be compared. */
const plainKinds = ["sphere", "box", "capsule", "cylinder", "plane"];

/** The wireframes are made when they are first shown or measured: those of a large mesh take long. */
export class ColliderOverlay {
  #batches = null;

  /** @param isFilled whether shapes have faces, because the file has no meshes */
  constructor(session, palette, isFilled) {
    this.group = new THREE.Group();
    this.ground = new THREE.Color(palette.ground);
    this.faces = isFilled ? new THREE.MeshStandardMaterial({ roughness: 0.8, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }) : null;
    this.tints = shapeStates.map((state) => [...new THREE.Color(palette[state]).toArray(), state === "static" ? 0.6 : 1]);
    this.chosen = [...new THREE.Color(palette.accent).toArray(), 1];
    this.selected = -1;
    this.shapes = session.shapes();
    this.materials = [makeMaterial(0.16, true), makeMaterial(1, false)];
  }

  get batches() {
    this.#batches ??= this.#makeBatches();
    return this.#batches;
  }

  #makeBatches() {
    const alike = new Map();
    this.shapes.forEach((shape, i) => {
      let key = `${shape.kind}:${shape.isTrigger}:${shape.dimensions.join()}`;
      let lines = null;
      if (!plainKinds.includes(shape.kind)) {
        lines = shape.lines();
        key += `:${lines.length}:${lines.slice(0, 12).join()}`;
      }
      if (!alike.has(key)) {
        alike.set(key, { lines: lines ?? shape.lines(), shapes: [] });
      }
      alike.get(key).shapes.push(i);
    });
    const batches = [...alike.values()].map(({ lines, shapes }) =>
      new Batch(lines, shapes, this.materials, this.faces === null ? null : makeSolid(this.shapes[shapes[0]], shapes.length, this.faces)));
    // Without arguments, add() logs an error.
    batches.flatMap(({ solid, objects }) => (solid === null ? objects : [solid, ...objects])).forEach((object) => this.group.add(object));
    return batches;
  }

  /** Colour and opacity of a shape. */
  tintOf(shape, snapshot) {
    const { node, bodyNode } = this.shapes[shape];
    const isChosen = this.selected >= 0 && (node === this.selected || bodyNode === this.selected);
    return isChosen ? this.chosen : this.tints[snapshot.shapeStates[shape]];
  }

  update(snapshot) {
    if (snapshot === this.shown?.snapshot && this.selected === this.shown.selected) {
      return;
    }
    this.isCrowded ??= this.#findCrowd(snapshot);
    this.shown = { snapshot, selected: this.selected };
    for (const batch of this.batches) {
      batch.update(snapshot, (shape) => this.tintOf(shape, snapshot));
      if (batch.solid !== null) {
        batch.solid.visible = !this.isCrowded;
        batch.updateSolid(this.ground);
      }
    }
  }

  /** Whether moving shapes lie inside each other by the dozen. Their faces would be drawn over each other, which takes seconds. */
  #findCrowd(snapshot) {
    const measure = (box) => box.getSize(new THREE.Vector3()).toArray().reduce((volume, size) => volume * size, 1);
    const moves = (shape) => shapeStates[snapshot.shapeStates[shape]] !== "static";
    const volume = this.batches.reduce((sum, { bounds, shapes, solid }) => sum + (solid === null ? 0 : shapes.filter(moves).length * measure(bounds)), 0);
    return volume > 24 * measure(this.bounds(snapshot, moves));
  }

  /** Boxes of all finite shapes, or of some, by shape. */
  boxes({ shapeTransforms }, isMeant = () => true) {
    const boxes = new Map();
    const matrix = new THREE.Matrix4();
    const one = new THREE.Vector3(1, 1, 1);
    for (const { bounds, shapes } of this.batches) {
      for (const shape of shapes.filter((index) => isMeant(index) && this.shapes[index].dimensions.every(Number.isFinite))) {
        const place = new THREE.Vector3().fromArray(shapeTransforms, 7 * shape);
        const turn = new THREE.Quaternion().fromArray(shapeTransforms, 7 * shape + 3);
        boxes.set(shape, bounds.clone().applyMatrix4(matrix.compose(place, turn, one)));
      }
    }
    return boxes;
  }

  /** Bounds of all finite shapes, or of some. */
  bounds(snapshot, isMeant) {
    const all = new THREE.Box3();
    for (const box of this.boxes(snapshot, isMeant).values()) {
      all.union(box);
    }
    return all;
  }

  dispose() {
    this.group.removeFromParent();
    const batches = this.#batches ?? [];
    const solids = batches.flatMap(({ solid }) => (solid === null ? [] : [solid, solid.geometry]));
    for (const thing of [...batches.map((batch) => batch.geometry), ...solids, ...this.materials, ...(this.faces === null ? [] : [this.faces])]) {
      thing.dispose();
    }
  }
}
