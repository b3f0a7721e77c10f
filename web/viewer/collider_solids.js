// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Filled colliders, for files without meshes: faces below the wireframes, so that a pile of boxes reads as boxes. Equal
// shapes are instances of one geometry. Hulls, meshes, planes and triggers stay wireframes.
import * as THREE from "three";

/** Geometries by kind of shape, from its dimensions; the axis of capsules and cylinders is Y. */
const makers = {
  box: ([x, y, z]) => new THREE.BoxGeometry(x, y, z),
  sphere: ([radius]) => new THREE.SphereGeometry(radius, 24, 16),
  cylinder: ([height, bottom, top]) => new THREE.CylinderGeometry(top, bottom, height, 32),
  // Spheres of different radii touch a cone; only the plain capsule has a geometry.
  capsule: ([height, bottom, top]) => (bottom === top ? new THREE.CapsuleGeometry(bottom, height, 8, 24) : null),
};

/** The faces of shapes of one geometry; null where they cannot be filled. */
export function makeSolid(shape, count, material) {
  if (shape.isTrigger || !shape.dimensions.every((size) => Number.isFinite(size) && size > 0)) {
    return null;
  }
  const geometry = makers[shape.kind]?.(shape.dimensions) ?? null;
  if (geometry === null) {
    return null;
  }
  const solid = new THREE.InstancedMesh(geometry, material, count);
  solid.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  solid.castShadow = solid.receiveShadow = true;
  solid.frustumCulled = false; // bodies move out of the bounds of the first frame
  return solid;
}

/** Faces are quieter than their edges: towards the background, and each instance in a shade of its own. */
export function shadeFace(edge, ground, index, target) {
  const shade = 0.5 + 0.14 * (((index * 7) % 5) / 4 - 0.5);
  return target.copy(ground).lerp(edge, shade);
}
