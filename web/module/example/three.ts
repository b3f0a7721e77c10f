// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Simulates a glTF file with physics in three.js.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { loadTendon } from "tendon";
import { SceneDriver } from "tendon/three";

const bytes = await (await fetch("domino_run.gltf")).arrayBuffer();
const tendon = await loadTendon();
const stage = tendon.createStage();
const actor = stage.addActor(tendon.open(bytes));
const gltf = await new GLTFLoader().parseAsync(bytes, "");
const driver = new SceneDriver(actor, gltf);

const scene = new THREE.Scene().add(gltf.scene, new THREE.HemisphereLight(0xffffff, 0x444444, 3));
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100);
camera.position.set(2, 2, 4);
camera.lookAt(0, 0, 0);
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const clock = new THREE.Clock();
renderer.setAnimationLoop(() => {
  stage.advance(clock.getDelta());
  driver.update();
  renderer.render(scene, camera);
});
