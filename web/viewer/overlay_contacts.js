// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contact points with normals, whose length grows with the impulse; centres of mass.
import * as THREE from "three";
import { Dots, Lines } from "./lines.js";

export class ContactOverlay {
  constructor(palette, size, ratio) {
    this.group = new THREE.Group();
    this.size = size;
    this.color = new THREE.Color(palette.contact);
    this.dots = new Dots({ size: 6, ratio });
    this.lines = new Lines();
    this.group.add(this.lines.object, this.dots.object);
  }

  update({ contacts }) {
    this.dots.clear();
    this.lines.clear();
    let strongest = 1e-9;
    for (let i = 0; i < contacts.length; i += 8) {
      strongest = Math.max(strongest, contacts[i + 7]);
    }
    for (let i = 0; i < contacts.length; i += 8) {
      const point = new THREE.Vector3().fromArray(contacts, i);
      const length = 0.6 * this.size * (0.3 + 0.7 * Math.sqrt(contacts[i + 7] / strongest));
      this.dots.vertex(point, this.color);
      this.lines.add(point, new THREE.Vector3().fromArray(contacts, i + 3).multiplyScalar(length).add(point), this.color);
    }
    this.dots.finish();
    this.lines.finish();
  }

  dispose() {
    this.group.removeFromParent();
    this.dots.dispose();
    this.lines.dispose();
  }
}

export class CentreOverlay {
  constructor(session, palette, ratio) {
    this.group = new THREE.Group();
    this.bodies = session.bodies;
    this.color = new THREE.Color(palette.centre);
    this.dots = new Dots({ size: 14, kind: "centre", ratio });
    this.group.add(this.dots.object);
  }

  update({ centres }) {
    this.dots.clear();
    for (let i = 0; i + 3 <= centres.length; i += 3) {
      this.dots.vertex(new THREE.Vector3().fromArray(centres, i), this.color);
    }
    this.dots.finish();
  }

  dispose() {
    this.group.removeFromParent();
    this.dots.dispose();
  }
}
