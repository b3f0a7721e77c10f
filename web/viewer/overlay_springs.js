// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Spring bones: chains with the spheres that collide, and the colliders that push them.
import * as THREE from "three";
import { Dots, Lines } from "./lines.js";

const circleParts = 20;
const unitCircle = Array.from({ length: circleParts + 1 }, (_, i) => {
  const angle = (2 * Math.PI * i) / circleParts;
  return [Math.cos(angle), Math.sin(angle)];
});

/** Two unit vectors at right angles to a unit vector. */
function findSides(axis) {
  const side = new THREE.Vector3(Math.abs(axis.y) < 0.9 ? 0 : 1, Math.abs(axis.y) < 0.9 ? 1 : 0, 0).cross(axis).normalize();
  return [side, new THREE.Vector3().crossVectors(axis, side)];
}

/** Points of a circle, or of a part of it, spanned by two vectors of equal length. */
const arc = (centre, u, v, points = unitCircle) =>
  points.map(([c, s]) => centre.clone().addScaledVector(u, c).addScaledVector(v, s));

const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];

/** Lines of a sphere: three great circles. */
export function outlineSphere(centre, radius) {
  return axes.map((axis, i) => arc(centre, axis.clone().multiplyScalar(radius), axes[(i + 1) % 3].clone().multiplyScalar(radius)));
}

/** Lines of a capsule: rings at its ends, four sides, two arcs over each end. */
export function outlineCapsule(from, to, radius) {
  const along = to.clone().sub(from);
  if (along.length() < 1e-9) {
    return outlineSphere(from, radius);
  }
  along.normalize();
  const sides = findSides(along).map((side) => side.multiplyScalar(radius));
  const half = unitCircle.slice(0, circleParts / 2 + 1);
  const paths = [];
  for (const [end, way] of [[from, -1], [to, 1]]) {
    const cap = along.clone().multiplyScalar(way * radius);
    paths.push(arc(end, sides[0], sides[1]), ...sides.map((side) => arc(end, side, cap, half)));
  }
  for (const side of sides) {
    for (const way of [1, -1]) {
      paths.push([from.clone().addScaledVector(side, way), to.clone().addScaledVector(side, way)]);
    }
  }
  return paths;
}

/** Lines of a plane: a square of some size with its diagonals, and the normal. */
export function outlinePlane(point, normal, size) {
  const [u, v] = findSides(normal).map((side) => side.multiplyScalar(size));
  const corner = (a, b) => point.clone().addScaledVector(u, a).addScaledVector(v, b);
  return [
    [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)],
    [corner(-1, -1), corner(1, 1)], [corner(1, -1), corner(-1, 1)],
    [point, point.clone().addScaledVector(normal, 0.5 * size)],
  ];
}

/** Lines of a spring collider in the world. The node's scale moves its points and leaves its radius alone. */
export function outlineCollider({ shape, offset, tail, normal, radius }, matrix, size) {
  const from = new THREE.Vector3(...offset).applyMatrix4(matrix);
  if (shape === "plane") {
    const away = new THREE.Vector3(...normal).applyMatrix3(new THREE.Matrix3().getNormalMatrix(matrix)).normalize();
    return outlinePlane(from, away, size);
  }
  return /capsule/i.test(shape) ? outlineCapsule(from, new THREE.Vector3(...tail).applyMatrix4(matrix), radius) : outlineSphere(from, radius);
}

class SpringLines {
  constructor(palette, ratio) {
    this.group = new THREE.Group();
    this.chosen = new THREE.Color(palette.accent);
    this.selected = -1;
    this.lines = new Lines({ width: 1.4 });
    this.dots = new Dots({ size: 5, ratio });
    this.group.add(this.lines.object, this.dots.object);
    this.matrix = new THREE.Matrix4();
  }

  update({ globals }) {
    this.lines.clear();
    this.dots.clear();
    this.draw((node) => this.matrix.fromArray(globals, 16 * node));
    this.lines.finish();
    this.dots.finish();
  }

  dispose() {
    this.group.removeFromParent();
    this.lines.dispose();
    this.dots.dispose();
  }
}

export class SpringChainOverlay extends SpringLines {
  constructor(session, palette, ratio) {
    super(palette, ratio);
    this.joints = session.springJoints;
    this.color = new THREE.Color(palette.spring);
    this.quiet = this.color.clone().lerp(new THREE.Color(palette.ground), 0.5);
  }

  draw(matrixOf) {
    for (const { node, tail, hitRadius } of this.joints) {
      const matrix = matrixOf(node);
      const from = new THREE.Vector3().setFromMatrixPosition(matrix);
      const to = new THREE.Vector3(...tail).applyMatrix4(matrix);
      const color = node === this.selected ? this.chosen : this.color;
      this.lines.add(from, to, color);
      this.dots.vertex(from, color);
      if (hitRadius > 0) {
        outlineSphere(to, hitRadius).forEach((path) => this.lines.path(path, node === this.selected ? this.chosen : this.quiet));
      }
    }
  }
}

export class SpringColliderOverlay extends SpringLines {
  constructor(session, palette, size, ratio) {
    super(palette, ratio);
    this.colliders = session.springColliders;
    this.size = size;
    this.colors = { outside: new THREE.Color(palette.springCollider), inside: new THREE.Color(palette.springInside) };
  }

  draw(matrixOf) {
    for (const collider of this.colliders) {
      const color = collider.node === this.selected ? this.chosen : this.colors[/^inside/.test(collider.shape) ? "inside" : "outside"];
      outlineCollider(collider, matrixOf(collider.node), this.size).forEach((path) => this.lines.path(path, color));
    }
  }
}
