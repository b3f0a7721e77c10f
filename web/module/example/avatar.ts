// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A VRM avatar drawn by three-vrm and moved by Tendon: motion, springs, expressions and gaze.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { VRMLoaderPlugin } from "@pixiv/three-vrm";
import { loadTendon } from "tendon";
import { SceneDriver } from "tendon/three";

const bytes = await (await fetch("mira.vrm")).arrayBuffer();
const gltf = await new GLTFLoader().register((parser) => new VRMLoaderPlugin(parser)).parseAsync(bytes, "");
const tendon = await loadTendon();
const stage = tendon.createStage();
const avatar = tendon.open(bytes);
const actor = stage.addActor(avatar);
actor.play(avatar.retarget(await tendon.load("dance.vrma")), { loop: true });
actor.setExpression("happy", 0.6);
const driver = new SceneDriver(actor, gltf);

const scene = new THREE.Scene().add(gltf.scene, new THREE.DirectionalLight(0xffffff, Math.PI));
const camera = new THREE.PerspectiveCamera(30, innerWidth / innerHeight).translateY(1).translateZ(4);
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const clock = new THREE.Clock();
renderer.setAnimationLoop(() => {
  stage.advance(clock.getDelta());
  driver.update(); // instead of vrm.update(), which would pose the bones by itself
  renderer.render(scene, camera);
});
