// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Compares three-vrm with Tendon on the same files: node constraints by kind on chains of eight nodes, spring bones with
// and without colliders, and a humanoid clip retargeted to an avatar. Minimum of many rounds on both sides, one thread. Prints one table; --json prints JSON
// lines.
//
// usage: run_node three_vrm.mjs FOLDER [--json]     FOLDER has tendon_bench_constraints, tendon_bench_springs and
//                                                   tendon_bench_humanoid, such as build/release/bench
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

globalThis.self ??= globalThis; // the loader expects browser globals
globalThis.ProgressEvent ??= class extends Event {};
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { VRMLoaderPlugin, VRMNodeConstraintLoaderPlugin, VRMSpringBoneLoaderPlugin } = await import('@pixiv/three-vrm');
const { VRMAnimationLoaderPlugin, createVRMAnimationClip } = await import('@pixiv/three-vrm-animation');

const programs = process.argv[2];
if (programs === undefined) {
  console.error('usage: run_node three_vrm.mjs FOLDER [--json]');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'tendon-peers-'));

function runOurs(name) {
  const text = execFileSync(resolve(programs, name), ['--threads', '1', '--actors', '16', '--write', folder], {
    encoding: 'utf8',
  });
  return text.trim().split('\n').map((line) => JSON.parse(line));
}

async function load(name, ...plugins) {
  const loader = new GLTFLoader();
  plugins.forEach((Plugin) => loader.register((parser) => new Plugin(parser)));
  const bytes = readFileSync(join(folder, name));
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
}

// Microseconds of one call of `run`, minimum of several rounds, without `prepare`. A round is long enough for the clock
// resolution and short enough to fall between disturbances.
function measure(prepare, run, calls, rounds) {
  let best = Infinity;
  for (let round = 0; round < rounds; ++round) {
    prepare(round);
    const start = performance.now();
    for (let i = 0; i < calls; ++i) {
      run(i);
    }
    best = Math.min(best, performance.now() - start);
  }
  return (best / calls) * 1e3;
}

async function measureConstraints(kind, weight) {
  const gltf = await load(`${kind}_${weight}.glb`, VRMNodeConstraintLoaderPlugin);
  const manager = gltf.userData.vrmNodeConstraintManager;
  const nodes = [];
  gltf.scene.traverse((node) => nodes.push(node));
  gltf.scene.updateMatrixWorld(true);
  const count = manager.constraints.size;
  const turn = (round) => {
    nodes.forEach((node, i) => node.quaternion.set(0.01 * ((round + i) % 50), 0.3, -0.2, 1).normalize());
    gltf.scene.updateMatrixWorld(true);
  };
  return (measure(turn, () => manager.update(), 20, 1500) / count) * 1e3;
}

async function measureSprings(chains, length, colliders) {
  const gltf = await load(`springs_${chains}_${length}_${colliders}.glb`, VRMSpringBoneLoaderPlugin);
  const manager = gltf.userData.vrmSpringBoneManager;
  const root = gltf.scene.children[0];
  gltf.scene.updateMatrixWorld(true);
  manager.setInitState();
  const turn = (round) => {
    const angle = 0.01 * Math.min(round % 60, 60 - (round % 60));
    root.quaternion.set(angle, 0.3 * angle, 0, 1).normalize();
    gltf.scene.updateMatrixWorld(true);
  };
  return (measure(turn, () => manager.update(1 / 60), 4, 1500) / manager.joints.size) * 1e3;
}

async function measureHumanoid() {
  const avatar = (await load('avatar.vrm', VRMLoaderPlugin)).userData.vrm;
  const motion = (await load('motion.vrma', VRMAnimationLoaderPlugin)).userData.vrmAnimations[0];
  const clip = createVRMAnimationClip(motion, avatar);
  const mixer = new THREE.AnimationMixer(avatar.scene);
  mixer.clipAction(clip).play();
  const step = 1 / 60;
  const convert = measure(() => mixer.update(step), () => avatar.humanoid.update(), 20, 1500);
  const sample = measure(() => {}, () => mixer.update(step), 20, 1500);
  const frame = measure(
    () => {},
    () => {
      mixer.update(step);
      avatar.update(step);
      avatar.scene.updateMatrixWorld(true);
    },
    20,
    1000,
  );
  return { convert, pose: sample + convert, frame };
}

try {
  const constraints = runOurs('tendon_bench_constraints');
  const [humanoid] = runOurs('tendon_bench_humanoid');
  const rows = [];
  for (const line of constraints) {
    const theirs = await measureConstraints(line.kind, line.weight);
    rows.push([`${line.kind}, weight ${line.weight}`, 'ns', line.ns_per_constraint, line.ns_alone, theirs]);
  }
  for (const line of runOurs('tendon_bench_springs')) {
    const theirs = await measureSprings(line.chains, line.length, line.colliders);
    rows.push([`spring joint of ${line.chains} chains of ${line.length}, ${line.colliders} colliders`, 'ns', line.ns_crowd, line.ns_per_joint, theirs]);
  }
  const theirs = await measureHumanoid();
  rows.push(['55-bone pose, sampled and converted', 'us', humanoid.us_pose, humanoid.us_pose, theirs.pose]);
  rows.push(['55-bone pose, converted', 'us', humanoid.us_convert, humanoid.us_convert, theirs.convert]);
  rows.push(['frame with constraints and world matrices', 'us', humanoid.us_frame, humanoid.us_frame, theirs.frame]);
  if (process.argv.includes('--json')) {
    for (const [what, unit, crowd, alone, peer] of rows) {
      console.log(JSON.stringify({ what, unit, crowd, alone, three_vrm: peer, ratio: peer / crowd }));
    }
  } else {
    const version = JSON.parse(readFileSync(new URL('package.json', import.meta.url))).devDependencies['@pixiv/three-vrm'];
    console.log(`| | Tendon, crowd | Tendon, one | three-vrm ${version} | ratio | ratio of one |\n|---|---|---|---|---|---|`);
    for (const [what, unit, crowd, alone, peer] of rows) {
      const digits = unit === 'ns' ? 1 : 2;
      console.log(
        `| ${what}, ${unit} | ${crowd.toFixed(digits)} | ${alone.toFixed(digits)} | ${peer.toFixed(digits)} ` +
          `| ${(peer / crowd).toFixed(0)} | ${(peer / alone).toFixed(0)} |`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
