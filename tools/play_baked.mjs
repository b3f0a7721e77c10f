// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node tools/play_baked.mjs FILE.glb LIVE.jsonl PLAYED.jsonl
// three.js loads the baked file and its AnimationMixer plays "baked". At the instants of the traces every node must stand,
// relative to its parent, where the live run has it (within the tolerances of the bake) and where Tendon's own playback
// has it (within float32), and in the world where that playback has it.
import { readFileSync } from "node:fs";

const modules = new URL("../web/node_modules/three/", import.meta.url);
const THREE = await import(new URL("build/three.module.js", modules));
globalThis.self ??= globalThis; // the loader looks for a browser's global object
const { GLTFLoader } = await import(new URL("examples/jsm/loaders/GLTFLoader.js", modules));

const [file, livePath, playedPath] = process.argv.slice(2);
const readFrames = (path) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter((frame) => frame.locals !== undefined);

// Tolerances of the bake (bake.h), and what float32 leaves of numbers up to 100 m with key times up to 10 s.
const live = { place: 1e-4 + 1e-5, angle: 5e-4 + 1e-5 };
const played = { place: 2e-5, angle: 2e-5 };

const bytes = readFileSync(file);
const gltf = await new Promise((resolve, reject) =>
  new GLTFLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "", resolve, reject),
);
// Not by gltf.parser.associations: nodes that share a mesh share an entry there.
const objects = await Promise.all(gltf.parser.json.nodes.map((_, node) => gltf.parser.getDependency("node", node)));
const clip = gltf.animations.find((animation) => animation.name === "baked");
if (clip === undefined) {
  console.log(`${file}: three.js finds no animation "baked"`);
  process.exit(1);
}
const mixer = new THREE.AnimationMixer(gltf.scene);
const action = mixer.clipAction(clip);
action.setLoop(THREE.LoopOnce);
action.clampWhenFinished = true;
action.play();

const angleBetween = (q, [x, y, z, w]) => {
  // Twice the arc sine of the half chord is exact for small angles, where the arc cosine is not.
  const sign = q.x * x + q.y * y + q.z * z + q.w * w < 0 ? -1 : 1;
  return 4 * Math.asin(Math.min(1, Math.hypot(q.x - sign * x, q.y - sign * y, q.z - sign * z, q.w - sign * w) / 2));
};
const distance = (p, [x, y, z]) => Math.hypot(p.x - x, p.y - y, p.z - z);

const frames = readFrames(livePath);
const again = readFrames(playedPath);
const worst = { live: { place: 0, angle: 0 }, played: { place: 0, angle: 0 }, world: 0 };
const world = new THREE.Vector3();
frames.forEach((frame, index) => {
  mixer.setTime(frame.time);
  gltf.scene.updateMatrixWorld(true);
  objects.forEach((object, node) => {
    for (const [name, pose] of [
      ["live", frame.locals[node]],
      ["played", again[index].locals[node]],
    ]) {
      worst[name].place = Math.max(worst[name].place, distance(object.position, pose));
      worst[name].angle = Math.max(worst[name].angle, angleBetween(object.quaternion, pose.slice(3)));
    }
    world.setFromMatrixPosition(object.matrixWorld);
    worst.world = Math.max(worst.world, distance(world, again[index].nodes[node]));
  });
});
const isGood =
  frames.length > 1 &&
  again.length === frames.length &&
  objects.length > 0 &&
  worst.live.place <= live.place &&
  worst.live.angle <= live.angle &&
  worst.played.place <= played.place &&
  worst.played.angle <= played.angle &&
  worst.world <= 10 * played.place; // errors add up along a branch
const show = (number) => number.toExponential(1);
console.log(
  `${isGood ? "same" : "DIFFERENT"}: ${file}, ${objects.length} nodes, ${frames.length} frames: from the live run ` +
    `${show(worst.live.place)} m ${show(worst.live.angle)} rad, from Tendon's playback ${show(worst.played.place)} m ` +
    `${show(worst.played.angle)} rad, in the world ${show(worst.world)} m`,
);
process.exit(isGood ? 0 : 1);
