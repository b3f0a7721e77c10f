// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A pile of crates from code, drawn by three.js; a click throws a ball. The tests compile this file to check the types.
import * as THREE from "three";
import { loadTendon } from "tendon";

const tendon = await loadTendon();
const world = tendon.createWorld();
world.createBody({ motion: "static", shapes: [{ type: "plane" }] });
const bodies = Array.from({ length: 200 }, (_, i) =>
  world.createBody({ position: [(i % 5) - 2, 1 + Math.floor(i / 5), 0.1 * (i % 3)], shapes: [{ type: "box", size: [0.9, 0.9, 0.9] }] }));

const scene = new THREE.Scene().add(new THREE.HemisphereLight(0xffffff, 0x444444, 3));
const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(0.9, 0.9, 0.9), new THREE.MeshStandardMaterial({ color: 0xc08040 }), bodies.length);
scene.add(crates);
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 200);
camera.position.set(0, 6, 16);
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);

renderer.domElement.addEventListener("click", () => {
  const ball = world.createBody({ position: [0, 2, 10], shapes: [{ type: "sphere", radius: 0.5, restitution: 0.4 }], userData: "ball" });
  ball.linearVelocity = [0, 3, -25];
});

const transforms = new Float32Array(7 * bodies.length);
const matrix = new THREE.Matrix4();
const one = new THREE.Vector3(1, 1, 1);
renderer.setAnimationLoop(() => {
  world.step();
  world.readTransforms(bodies, transforms);
  for (let i = 0; i < bodies.length; ++i) {
    const place = new THREE.Vector3().fromArray(transforms, 7 * i);
    crates.setMatrixAt(i, matrix.compose(place, new THREE.Quaternion().fromArray(transforms, 7 * i + 3), one));
  }
  crates.instanceMatrix.needsUpdate = true;
  renderer.render(scene, camera);
});
