// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Compares retargeting with three-vrm on generated avatars and motions: both VRM versions, rest rotations of every
// kind, missing bones. Local rotations of all bones agree within 0.1 degrees, except where three-vrm drops the rotation
// of a bone that the avatar lacks (docs/spec/vrm.md 5.2): bones below such a bone are counted and left out. A motion
// that Tendon writes as .vrma and plays again agrees at its keys within 1e-5 rad and 1e-5 m.
//
// usage: run_node three_vrm_retarget.mjs TENDON [--json]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

globalThis.self ??= globalThis; // the loader expects browser globals
globalThis.ProgressEvent ??= class extends Event {};
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { VRMLoaderPlugin } = await import('@pixiv/three-vrm');
const { VRMAnimationLoaderPlugin, createVRMAnimationClip } = await import('@pixiv/three-vrm-animation');

const tendon = process.argv[2] === undefined ? undefined : resolve(process.argv[2]);
if (tendon === undefined) {
  console.error('usage: run_node three_vrm_retarget.mjs TENDON [--json]');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'tendon-retarget-'));
const limit = 0.1; // degrees

// A sequence that is the same on every machine.
let state = 12345;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
}
function randomTurn(size) {
  const axis = new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).normalize();
  return new THREE.Quaternion().setFromAxisAngle(axis, size * (2 * random() - 1));
}

// name, parent, offset in the T-pose of a body that faces +Z
const bones = [
  ['hips', null, [0, 0.95, 0]], ['spine', 'hips', [0, 0.1, 0]], ['chest', 'spine', [0, 0.12, 0]],
  ['upperChest', 'chest', [0, 0.12, 0]], ['neck', 'upperChest', [0, 0.15, 0]], ['head', 'neck', [0, 0.1, 0]],
  ...['left', 'right'].flatMap((side) => {
    const x = side === 'left' ? 1 : -1;
    return [
      [`${side}Shoulder`, 'upperChest', [0.03 * x, 0.1, 0]], [`${side}UpperArm`, `${side}Shoulder`, [0.12 * x, 0, 0]],
      [`${side}LowerArm`, `${side}UpperArm`, [0.27 * x, 0, 0]], [`${side}Hand`, `${side}LowerArm`, [0.24 * x, 0, 0]],
      [`${side}UpperLeg`, 'hips', [0.1 * x, -0.05, 0]], [`${side}LowerLeg`, `${side}UpperLeg`, [0, -0.42, 0]],
      [`${side}Foot`, `${side}LowerLeg`, [0, -0.4, 0]], [`${side}Toes`, `${side}Foot`, [0, -0.06, 0.13]],
    ];
  }),
];
const optional = new Set(['chest', 'upperChest', 'neck', 'leftShoulder', 'rightShoulder', 'leftToes', 'rightToes']);

// Nodes of a skeleton in T-pose with given rest rotations.
function makeSkeleton(missing, restKind, isTurned) {
  const nodes = [];
  const byBone = new Map();
  const worlds = [];
  const turn = isTurned ? new THREE.Quaternion(0, 1, 0, 0) : new THREE.Quaternion();
  for (const [name, parentName, offset] of bones) {
    if (missing.has(name)) continue;
    // The offset from the nearest bone that is there.
    const place = new THREE.Vector3(...offset);
    let parent = parentName;
    while (parent !== null && missing.has(parent)) {
      const entry = bones.find(([bone]) => bone === parent);
      place.add(new THREE.Vector3(...entry[2]));
      parent = entry[1];
    }
    place.applyQuaternion(turn);
    const above = parent === null ? new THREE.Quaternion() : worlds[byBone.get(parent)];
    const world = restKind === 'none' ? new THREE.Quaternion() : randomTurn(Math.PI);
    const local = above.clone().invert().multiply(world);
    place.applyQuaternion(above.clone().invert());
    const index = nodes.length;
    nodes.push({ name, translation: place.toArray(), rotation: local.toArray(), children: [] });
    worlds.push(world);
    byBone.set(name, index);
    if (parent !== null) nodes[byBone.get(parent)].children.push(index);
  }
  nodes.forEach((node) => node.children.length === 0 && delete node.children);
  return { nodes, byBone };
}

function writeGlb(name, json, floats) {
  const bin = Buffer.from(new Float32Array(floats).buffer);
  if (bin.length > 0) json.buffers = [{ byteLength: bin.length }];
  let text = JSON.stringify(json);
  text += ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
  const chunk = Buffer.from(text);
  const head = Buffer.alloc(20);
  head.write('glTF', 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + chunk.length + (bin.length > 0 ? 8 + bin.length : 0), 8);
  head.writeUInt32LE(chunk.length, 12);
  head.write('JSON', 16);
  const parts = [head, chunk];
  if (bin.length > 0) {
    const second = Buffer.alloc(8);
    second.writeUInt32LE(bin.length, 0);
    second.write('BIN\0', 4);
    parts.push(second, bin);
  }
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

function makeAvatar(name, version, restKind, missing) {
  const { nodes, byBone } = makeSkeleton(missing, version === 0 ? 'none' : restKind, version === 0);
  const json = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes };
  if (version === 0) {
    json.extensionsUsed = ['VRM'];
    json.extensions = {
      VRM: {
        specVersion: '0.0', exporterVersion: 'test', meta: { title: 'test' },
        humanoid: { humanBones: [...byBone].map(([bone, node]) => ({ bone, node, useDefaultValues: true })) },
        firstPerson: {}, blendShapeMaster: { blendShapeGroups: [] },
        secondaryAnimation: { boneGroups: [], colliderGroups: [] }, materialProperties: [],
      },
    };
  } else {
    json.extensionsUsed = ['VRMC_vrm'];
    json.extensions = {
      VRMC_vrm: {
        specVersion: '1.0', meta: { name: 'test', authors: ['test'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
        humanoid: { humanBones: Object.fromEntries([...byBone].map(([bone, node]) => [bone, { node }])) },
      },
    };
  }
  return { path: writeGlb(name, json, []), byBone };
}

const keyTimes = [0, 0.4, 1, 1.5];

function makeMotion(name, restKind, missing) {
  const { nodes, byBone } = makeSkeleton(missing, restKind, false);
  const floats = [...keyTimes];
  const views = [{ buffer: 0, byteOffset: 0, byteLength: 4 * keyTimes.length }];
  const accessors = [{ bufferView: 0, componentType: 5126, count: keyTimes.length, type: 'SCALAR', min: [0], max: [1.5] }];
  const channels = [];
  const samplers = [];
  const add = (node, path, values, type) => {
    views.push({ buffer: 0, byteOffset: 4 * floats.length, byteLength: 4 * values.length });
    floats.push(...values);
    accessors.push({ bufferView: views.length - 1, componentType: 5126, count: keyTimes.length, type });
    samplers.push({ input: 0, output: accessors.length - 1 });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  for (const [, node] of byBone) {
    const rest = new THREE.Quaternion(...nodes[node].rotation);
    add(node, 'rotation', keyTimes.flatMap(() => rest.clone().multiply(randomTurn(0.8)).toArray()), 'VEC4');
  }
  add(byBone.get('hips'), 'translation', keyTimes.flatMap((t) => [0.3 * t, 0.9, t]), 'VEC3');
  const json = {
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes, accessors, bufferViews: views,
    animations: [{ channels, samplers }], extensionsUsed: ['VRMC_vrm_animation'],
    extensions: {
      VRMC_vrm_animation: {
        specVersion: '1.0',
        humanoid: { humanBones: Object.fromEntries([...byBone].map(([bone, node]) => [bone, { node }])) },
      },
    },
  };
  return { path: writeGlb(name, json, floats), byBone };
}

async function load(path, Plugin) {
  const loader = new GLTFLoader();
  loader.register((parser) => new Plugin(parser));
  const bytes = readFileSync(path);
  return loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
}

function trace(avatar, motion, times) {
  const out = join(folder, 'trace.jsonl');
  execFileSync(tendon, ['trace', avatar, '--motion', motion, '--times', times.join(','), '--physics', 'off', '-q', '-o', out]);
  return readFileSync(out, 'utf8').trim().split('\n').map((line) => JSON.parse(line).locals);
}

// By the sine: the arc cosine of numbers near 1 is inexact.
const radiansBetween = (a, b) => 2 * Math.asin(Math.min(1, Math.hypot(...a.clone().invert().multiply(b).toArray().slice(0, 3))));
const angleBetween = (a, b) => (radiansBetween(a.clone().normalize(), b.clone().normalize()) * 180) / Math.PI;

// Bones of the avatar that take over the rotation of a bone that only the motion has.
function findHeirs(motionBones, avatarBones) {
  const heirs = new Set();
  for (const [name, parentName] of bones) {
    let parent = parentName;
    let takesOver = false;
    while (parent !== null && !avatarBones.has(parent)) {
      takesOver ||= motionBones.has(parent);
      parent = bones.find(([bone]) => bone === parent)[1];
    }
    if (takesOver && avatarBones.has(name)) heirs.add(name);
  }
  return heirs;
}

const results = [];
let failures = 0;
const times = [0, 0.2, 0.4, 0.7, 1, 1.3, 1.5];
for (const version of [0, 1]) {
  for (const avatarRest of version === 0 ? ['none'] : ['none', 'random']) {
    for (const motionRest of ['none', 'random']) {
      for (const lack of ['nothing', 'avatar', 'motion', 'both']) {
        const pick = () => new Set([...optional].filter(() => random() < 0.5));
        const avatarLacks = lack === 'avatar' || lack === 'both' ? pick() : new Set();
        const motionLacks = lack === 'motion' || lack === 'both' ? pick() : new Set();
        // VRM asks for chest below upperChest.
        if (avatarLacks.has('chest')) avatarLacks.add('upperChest');
        if (motionLacks.has('chest')) motionLacks.add('upperChest');
        const avatar = makeAvatar('avatar.vrm', version, avatarRest, avatarLacks);
        const motion = makeMotion('motion.vrma', motionRest, motionLacks);
        const vrm = (await load(avatar.path, VRMLoaderPlugin)).userData.vrm;
        const animation = (await load(motion.path, VRMAnimationLoaderPlugin)).userData.vrmAnimations[0];
        const mixer = new THREE.AnimationMixer(vrm.scene);
        mixer.clipAction(createVRMAnimationClip(animation, vrm)).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
        const heirs = findHeirs(motion.byBone, avatar.byBone);
        const frames = trace(avatar.path, motion.path, times);
        let worst = 0;
        times.forEach((time, i) => {
          mixer.setTime(time);
          vrm.update(0);
          for (const [bone, node] of avatar.byBone) {
            if (heirs.has(bone)) continue;
            const theirs = vrm.humanoid.getRawBoneNode(bone).quaternion;
            worst = Math.max(worst, angleBetween(theirs, new THREE.Quaternion(...frames[i][node].slice(3))));
          }
        });
        // Written as .vrma and played again.
        const written = join(folder, 'written.vrma');
        execFileSync(tendon, ['retarget', motion.path, avatar.path, '-q', '-o', written]);
        const direct = trace(avatar.path, motion.path, keyTimes);
        const again = trace(avatar.path, written, keyTimes);
        let turn = 0;
        let place = 0;
        direct.forEach((locals, i) => locals.forEach((local, node) => {
          const a = new THREE.Quaternion(...local.slice(3));
          const b = new THREE.Quaternion(...again[i][node].slice(3));
          turn = Math.max(turn, radiansBetween(a, b));
          place = Math.max(place, Math.hypot(...[0, 1, 2].map((k) => local[k] - again[i][node][k])));
        }));
        const isGood = worst <= limit && turn <= 1e-5 && place <= 1e-5;
        failures += isGood ? 0 : 1;
        results.push({ version, avatarRest, motionRest, lack, degrees: worst, heirs: heirs.size, turn, place, isGood });
      }
    }
  }
}
rmSync(folder, { recursive: true });
if (process.argv.includes('--json')) {
  results.forEach((result) => console.log(JSON.stringify(result)));
} else {
  for (const r of results) {
    console.log(`VRM ${r.version}, rest ${r.avatarRest}, motion ${r.motionRest}, lacks ${r.lack}: ${r.degrees.toExponential(1)} degrees, `
      + `${r.heirs} bones left out; again ${r.turn.toExponential(1)} rad, ${r.place.toExponential(1)} m${r.isGood ? '' : ' FAILED'}`);
  }
  console.log(`${results.length - failures} of ${results.length} cases agree`);
}
process.exit(failures > 0 ? 1 : 0);
