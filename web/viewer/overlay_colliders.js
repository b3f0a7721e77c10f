// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colliders as wireframes, coloured by what they are at the moment. Equal shapes are instances of one geometry: a thousand
// boxes are two draws. What lies behind other things shines through faintly.
import * as THREE from "three";
import { shapeStates } from "./palette.js";

// Nearer to the eye by a few thousandths, along the line of sight: wireframes win against the meshes they lie on.
const shader = {
  vertexShader: `
    attribute vec3 place;
    attribute vec4 turn;
    attribute vec4 tint;
    varying vec4 color;
    void main() {
      color = tint;
      vec3 point = position + 2.0 * cross(turn.xyz, cross(turn.xyz, position) + turn.w * position) + place;
      gl_Position = projectionMatrix * vec4((viewMatrix * vec4(point, 1.0)).xyz * 0.996, 1.0);
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
  ...shader, uniforms: { strength: { value: strength } }, transparent: true, depthWrite: false, depthTest: !isHidden,
});

/** Shapes of one geometry. */
class Batch {
  constructor(lines, shapes, materials) {
    this.shapes = shapes;
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(lines, 3));
    for (const [name, size] of [["place", 3], ["turn", 4], ["tint", 4]]) {
      this[name] = new THREE.InstancedBufferAttribute(new Float32Array(size * shapes.length), size).setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, this[name]);
    }
    this.geometry.instanceCount = shapes.length;
    this.objects = materials.map((material, i) => {
      const object = new THREE.LineSegments(this.geometry, material);
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
}

export class ColliderOverlay {
  constructor(session, palette) {
    this.group = new THREE.Group();
    this.tints = shapeStates.map((state) => [...new THREE.Color(palette[state]).toArray(), state === "static" ? 0.6 : 1]);
    this.chosen = [...new THREE.Color(palette.accent).toArray(), 1];
    this.selected = -1;
    this.shapes = session.shapes();
    this.materials = [makeMaterial(0.16, true), makeMaterial(1, false)];
    const alike = new Map();
    this.shapes.forEach((shape, i) => {
      const lines = shape.lines();
      const key = `${shape.kind}:${shape.dimensions.join()}:${lines.length}:${lines.slice(0, 12).join()}`;
      alike.set(key, alike.get(key) ?? { lines, shapes: [] });
      alike.get(key).shapes.push(i);
    });
    this.batches = [...alike.values()].map(({ lines, shapes }) => new Batch(lines, shapes, this.materials));
    this.group.add(...this.batches.flatMap((batch) => batch.objects));
  }

  /** Colour and strength of a shape. */
  tintOf(shape, snapshot) {
    const { node, bodyNode } = this.shapes[shape];
    const isChosen = this.selected >= 0 && (node === this.selected || bodyNode === this.selected);
    return isChosen ? this.chosen : this.tints[snapshot.shapeStates[shape]];
  }

  update(snapshot) {
    if (snapshot === this.shown?.snapshot && this.selected === this.shown.selected) {
      return;
    }
    this.shown = { snapshot, selected: this.selected };
    for (const batch of this.batches) {
      batch.update(snapshot, (shape) => this.tintOf(shape, snapshot));
    }
  }

  /** Bounds of all shapes that are not endless. */
  bounds({ shapeTransforms }) {
    const box = new THREE.Box3();
    const matrix = new THREE.Matrix4();
    const one = new THREE.Vector3(1, 1, 1);
    for (const { geometry, shapes } of this.batches) {
      geometry.computeBoundingBox();
      for (const shape of shapes.filter((index) => this.shapes[index].dimensions.every(Number.isFinite))) {
        const place = new THREE.Vector3().fromArray(shapeTransforms, 7 * shape);
        const turn = new THREE.Quaternion().fromArray(shapeTransforms, 7 * shape + 3);
        box.union(geometry.boundingBox.clone().applyMatrix4(matrix.compose(place, turn, one)));
      }
    }
    return box;
  }

  dispose() {
    this.group.removeFromParent();
    for (const thing of [...this.batches.map((batch) => batch.geometry), ...this.materials]) {
      thing.dispose();
    }
  }
}
