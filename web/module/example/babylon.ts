// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Dominoes drawn by Babylon.js and moved by Tendon; docs/web.md shows this program.
import { ArcRotateCamera, Engine, HemisphericLight, LoadAssetContainerAsync, Scene, Vector3 } from "@babylonjs/core";
import "@babylonjs/loaders/glTF";
import { loadTendon } from "tendon";
import { BabylonDriver } from "tendon/babylon";

const canvas = document.body.appendChild(document.createElement("canvas"));
Object.assign(canvas, { width: innerWidth, height: innerHeight });
const engine = new Engine(canvas, true);
const scene = new Scene(engine);
scene.activeCamera = new ArcRotateCamera("camera", -1, 1.1, 9, Vector3.Zero(), scene);
new HemisphericLight("light", Vector3.Up(), scene);
const container = await LoadAssetContainerAsync("domino_run.gltf", scene);
container.addAllToScene();

const tendon = await loadTendon();
const stage = tendon.createStage();
const actor = stage.addActor(await tendon.load("domino_run.gltf"));
const driver = new BabylonDriver(actor, container.getNodes());
engine.runRenderLoop(() => {
  stage.advance(engine.getDeltaTime() / 1000);
  driver.update();
  scene.render();
});
