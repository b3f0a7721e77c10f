// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colliders as wireframes, coloured by what they are at the moment. Equal shapes share their geometry.
import * as THREE from "three";
import { shapeStates } from "./palette.js";

export class ColliderOverlay {
  constructor(session, palette) {
    this.group = new THREE.Group();
    this.materials = shapeStates.map(
      (state) => new THREE.LineBasicMaterial({ color: palette[state], toneMapped: false, transparent: true, opacity: state === "static" ? 0.55 : 0.95 }));
    this.chosen = new THREE.LineBasicMaterial({ color: palette.accent, toneMapped: false });
    this.selected = -1;
    const geometries = new Map();
    this.shapes = session.shapes();
    this.objects = this.shapes.map((shape) => {
      const lines = shape.lines();
      const key = `${shape.kind}:${shape.dimensions.join()}:${lines.length}:${lines.slice(0, 12).join()}`;
      let geometry = geometries.get(key);
      if (geometry === undefined) {
        geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(lines, 3));
        geometries.set(key, geometry);
      }
      const object = new THREE.LineSegments(geometry, this.materials[0]);
      object.matrixAutoUpdate = false;
      object.renderOrder = 5;
      this.group.add(object);
      return object;
    });
    this.geometries = [...geometries.values()];
  }

  update(snapshot) {
    const position = new THREE.Vector3();
    const rotation = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    this.objects.forEach((object, i) => {
      position.fromArray(snapshot.shapeTransforms, 7 * i);
      rotation.fromArray(snapshot.shapeTransforms, 7 * i + 3);
      object.matrix.compose(position, rotation, one);
      object.matrixWorldNeedsUpdate = true;
      const { node, bodyNode } = this.shapes[i];
      const isChosen = this.selected >= 0 && (node === this.selected || bodyNode === this.selected);
      object.material = isChosen ? this.chosen : this.materials[snapshot.shapeStates[i]];
    });
  }

  /** Bounds of all shapes that are not endless. */
  bounds(snapshot) {
    this.update(snapshot);
    const box = new THREE.Box3();
    this.objects.forEach((object, i) => {
      if (!this.shapes[i].dimensions.some((size) => !Number.isFinite(size))) {
        object.geometry.computeBoundingBox();
        box.union(object.geometry.boundingBox.clone().applyMatrix4(object.matrix));
      }
    });
    return box;
  }

  dispose() {
    this.group.removeFromParent();
    for (const thing of [...this.geometries, ...this.materials, this.chosen]) {
      thing.dispose();
    }
  }
}
