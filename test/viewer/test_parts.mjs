// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parts of the viewer that need no browser: the recording, files, the drawable GLB, the geometry of limits, the keys, the
// state in the address, KTX2 textures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";
import zlib from "node:zlib";
import * as THREE from "../../web/node_modules/three/build/three.module.js";
import { bindWithoutCode } from "../../web/viewer/basis_wrapper.mjs";
import { arrangeFiles, isMotionName } from "../../web/viewer/files.js";
import { makeKeys } from "../../web/viewer/keyboard.js";
import { makeDrawable, splitFile } from "../../web/viewer/drawable.js";
import { countTurns, wideTurnOf } from "../../web/viewer/joint_turns.js";
import { arcPoints, conePoints, isLocked, mirrorLimit, shapeFree, shapeLimit } from "../../web/viewer/limit_shapes.js";
import { groupExpressions } from "../../web/viewer/panel_avatar.js";
import { outlineCapsule, outlineCollider, outlinePlane, outlineSphere } from "../../web/viewer/overlay_springs.js";
import { blendSnapshots, Recording } from "../../web/viewer/recording.js";
import { formatState, parseState } from "../../web/viewer/share.js";
import { makeKtx2 } from "./ktx2.mjs";
import { quantisePng } from "./png.mjs";

const bytesOf = (json) => new TextEncoder().encode(JSON.stringify(json));

test("a recording finds the frames around a time", () => {
  const recording = new Recording(() => 1);
  for (let step = 0; step <= 60; ++step) {
    recording.push({ time: step / 60, step });
  }
  for (const time of [0, 0.01, 0.5, 0.999, 1]) {
    const { before, after, fraction } = recording.find(time);
    assert.ok(before.time <= time && time <= after.time);
    assert.ok(Math.abs(before.time + fraction * (after.time - before.time) - time) < 1e-12);
  }
  assert.equal(recording.find(2).before.step, 60);
  assert.equal(recording.find(-1).before.step, 0);
});

test("a recording stays within its bounds and drops the oldest", () => {
  const recording = new Recording((frame) => frame.size, 1000, 50);
  for (let step = 0; step < 5000; ++step) {
    recording.push({ time: step, size: 1 + (step % 7) });
    assert.ok(recording.bytes <= 1000 && recording.length <= 50);
    assert.equal(recording.newest.time, step);
    assert.equal(recording.oldest.time, step - recording.length + 1);
  }
  recording.push({ time: 5000, size: 1e6 }); // one that is too large alone is kept: there is always something to show
  assert.equal(recording.length, 1);
});

test("between two snapshots rotations stay unit and take the short way", () => {
  const half = Math.SQRT1_2;
  const frame = (time, rotation) => ({
    time, materialValues: new Float32Array(0), morphs: [], globals: new Float32Array(16), centres: new Float32Array(3), jointFrames: new Float32Array(0), jointTurns: new Float32Array(0),
    shapeTransforms: new Float32Array([0, time, 0, ...rotation]),
  });
  const before = frame(0, [0, 0, 0, 1]);
  const after = frame(1, [0, -half, 0, -half]); // a quarter turn, written with the other sign
  const middle = blendSnapshots(before, after, 0.5).shapeTransforms;
  assert.ok(Math.abs(Math.hypot(...middle.subarray(3)) - 1) < 1e-6);
  assert.ok(Math.abs(2 * Math.acos(Math.abs(middle[6])) - Math.PI / 4) < 1e-6);
  assert.equal(middle[1], 0.5);
  assert.equal(blendSnapshots(before, after, 0), before);
  assert.equal(blendSnapshots(before, after, 1), after);
});

test("models come before motions, and referenced files are found by path", () => {
  const one = new Uint8Array(1);
  const { sets } = arrangeFiles(new Map([["x/wave.vrma", one], ["x/a.gltf", one], ["x/t/skin.png", one], ["readme.txt", one]]));
  assert.deepEqual(sets.map((set) => set.name), ["a.gltf", "wave.vrma"]);
  assert.ok(sets[0].beside.has("t/skin.png"));
  assert.ok(!sets[0].beside.has("readme.txt"));
  assert.deepEqual(arrangeFiles(new Map([["readme.txt", one]])), { sets: [], ignored: ["readme.txt"] });
  assert.ok(isMotionName("A.VRMA") && isMotionName("a.bvh") && !isMotionName("a.vrm"));
});

test("the drawable GLB has no tree, one buffer and no URI", () => {
  const file = {
    asset: { version: "2.0" },
    nodes: [{ children: [1] }, { mesh: 0, children: [0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    buffers: [{ uri: "a%20b.bin", byteLength: 6 }, { uri: "data:;base64,AQID", byteLength: 3 }, { uri: "https://example.org/x", byteLength: 3 }],
    bufferViews: [{ buffer: 0, byteLength: 6 }, { buffer: 1, byteOffset: 1, byteLength: 2 }],
    images: [{ uri: "skin.png" }, { uri: "https://example.org/y.png" }],
    animations: [{}], cameras: [{}],
  };
  const beside = new Map([["a b.bin", new Uint8Array([9, 8, 7, 6, 5, 4])], ["skin.png", new Uint8Array([0x89, 1])]]);
  const { bytes, nodes } = makeDrawable({ bytes: bytesOf(file), beside }, 2);
  const { json, binary } = splitFile(bytes);
  assert.deepEqual(nodes, [1]);
  assert.ok(json.nodes.every((node) => node.children === undefined));
  assert.equal(json.animations, undefined);
  assert.equal(json.buffers.length, 1);
  assert.ok(!JSON.stringify(json).includes("example.org"));
  const view = (i) => [...binary.subarray(json.bufferViews[i].byteOffset, json.bufferViews[i].byteOffset + json.bufferViews[i].byteLength)];
  assert.deepEqual(view(0), [9, 8, 7, 6, 5, 4]);
  assert.deepEqual(view(1), [2, 3]);
  assert.deepEqual(view(json.images[0].bufferView), [0x89, 1]);
  assert.equal(json.images[0].mimeType, "image/png");
  assert.equal(bytes.length % 4, 0);
});

test("a file with too much data is not drawn", () => {
  const file = { asset: { version: "2.0" }, accessors: Array.from({ length: 30 }, () => ({ count: 1e7, type: "VEC4", componentType: 5126 })) };
  assert.throws(() => makeDrawable({ bytes: bytesOf(file), beside: new Map() }, 0), /MB/);
});

test("parts without a decoder are left out, the rest is drawn", () => {
  const packed = { attributes: {}, extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: {} } } };
  const file = {
    asset: { version: "2.0" }, extensionsUsed: ["KHR_draco_mesh_compression", "KHR_texture_basisu", "KHR_materials_unlit"],
    nodes: [{ mesh: 0 }, { mesh: 1 }], meshes: [{ primitives: [packed] }, { primitives: [packed, { attributes: { POSITION: 0 } }] }],
    images: [{ uri: "a.ktx2" }, { uri: "b.png" }],
    textures: [{ extensions: { KHR_texture_basisu: { source: 0 } } }, { source: 1, extensions: { KHR_texture_basisu: { source: 0 } } }],
  };
  const { bytes, left } = makeDrawable({ bytes: bytesOf(file), beside: new Map() }, 2);
  const { json, binary } = splitFile(bytes);
  assert.deepEqual(left, ["meshes that Draco packed", "textures in KTX2"]);
  assert.deepEqual(json.meshes.map((mesh) => mesh.primitives.length), [0, 1]);
  assert.deepEqual(json.extensionsUsed, ["KHR_materials_unlit"]);
  assert.equal(json.textures[1].source, 1, "a texture with another source is drawn from that");
  const view = json.bufferViews[json.images[json.textures[0].source].bufferView];
  assert.equal(Buffer.from(binary.subarray(view.byteOffset + 1, view.byteOffset + 4)).toString(), "PNG");
  assert.deepEqual(makeDrawable({ bytes: bytesOf({ ...file, meshes: [], textures: [] }), beside: new Map() }, 0).left, []);
});

test("KTX2 textures are transcoded where code cannot be generated", async () => {
  const libs = "web/node_modules/three/examples/jsm/libs/basis";
  const wrapper = readFileSync(`${libs}/basis_transcoder.js`, "utf8");
  const engine = readFileSync(`${libs}/basis_transcoder.wasm`);
  assert.throws(() => bindWithoutCode(wrapper.replace("newFunc(Function,args)", "other(args)")), /exactly once/);

  /** Runs the worker's script as the page's policy does: texts are no code. */
  const transcode = async (script, textures) => {
    let answer = null;
    const answers = [];
    const self = { addEventListener: (_, listener) => (answer = listener), postMessage: (message) => answers.push(message), location: { href: "blob:" } };
    const globals = { self, WebAssembly, URL, TextDecoder, Uint8Array, importScripts() {}, console: { ...console, error() {}, warn() {} } };
    vm.runInContext(`${script}\n${readFileSync("web/viewer/ktx2_worker.js", "utf8")}`, vm.createContext(globals, { codeGeneration: { strings: false } }));
    for (const [id, bytes] of textures.entries()) {
      await answer({ data: { id, engine: id === 0 ? engine : undefined, bytes: new Uint8Array(bytes) } });
    }
    return answers;
  };
  const color = [255, 10, 20, 200];
  const textures = [makeKtx2(color), makeKtx2(color).subarray(0, 150), Buffer.from("no texture"), makeKtx2(color, { isZstandard: true })];
  const answers = await transcode(bindWithoutCode(wrapper), textures);
  for (const i of [0, 3]) {
    const { width, height, data } = answers[i].image;
    assert.deepEqual([width, height, [...data]], [4, 4, Array.from({ length: 16 }, () => color).flat()]);
  }
  assert.ok(answers[1].failure && answers[2].failure);
});

test("joints of skins are drawable nodes", () => {
  const file = { asset: { version: "2.0" }, nodes: [{ mesh: 0, skin: 0 }, {}, {}], skins: [{ joints: [2], skeleton: 1 }], meshes: [{ primitives: [] }] };
  assert.deepEqual(makeDrawable({ bytes: bytesOf(file), beside: new Map() }, 3).nodes, [0, 2]);
});

test("arcs and cones lie where their limits say", () => {
  for (const axis of [0, 1, 2]) {
    const points = arcPoints(axis, -0.5, 1.25, 2);
    const next = (axis + 1) % 3;
    const last = (axis + 2) % 3;
    for (const point of points) {
      const at = point.toArray();
      assert.ok(Math.abs(at[axis]) < 1e-12 && Math.abs(Math.hypot(...at) - 2) < 1e-12);
    }
    const angle = (point) => Math.atan2(point.toArray()[last], point.toArray()[next]);
    assert.ok(Math.abs(angle(points[0]) + 0.5) < 1e-12 && Math.abs(angle(points.at(-1)) - 1.25) < 1e-12);
    for (const point of conePoints(axis, 0.7, 3)) {
      assert.ok(Math.abs(point.toArray()[axis] - 3 * Math.cos(0.7)) < 1e-12 && Math.abs(point.length() - 3) < 1e-12);
    }
  }
});

/** The value that a limit bounds, of a point (or, turning, a direction) in its frame; joint.h has the table. */
function measureLimit({ linearAxes, angularAxes }, point) {
  const at = point.toArray();
  const bits = linearAxes | angularAxes;
  const axes = [0, 1, 2].filter((axis) => (bits >> axis) & 1);
  const rest = [0, 1, 2].find((axis) => !axes.includes(axis));
  if (linearAxes !== 0) {
    return axes.length === 1 ? at[axes[0]] : Math.hypot(...axes.map((axis) => at[axis]));
  }
  return axes.length === 1 ? Math.atan2(at[(axes[0] + 2) % 3], at[(axes[0] + 1) % 3]) : Math.acos(at[rest] / point.length());
}

const limitOf = (kind, bits, min, max, stiffness = Infinity) => ({ linearAxes: 0, angularAxes: 0, [kind]: bits, min, max, stiffness, damping: 0 });
const linesOf = (shapes, role) => shapes.lines.filter((line) => line.role === role);
const near = (a, b) => Math.abs(a - b) < 1e-9;

test("rails run from stop to stop; an end without a stop stays open", () => {
  for (const axis of [0, 1, 2]) {
    const limit = limitOf("linearAxes", 1 << axis, -0.7, 2.5);
    const closed = shapeLimit(limit, 0.3);
    assert.equal(linesOf(closed, "rim").length, 2);
    for (const { points } of linesOf(closed, "rim")) {
      assert.ok(near(measureLimit(limit, points[0]), -0.7) && near(measureLimit(limit, points[1]), 2.5));
    }
    assert.deepEqual(linesOf(closed, "stop").map(({ points }) => Number(measureLimit(limit, points[0]).toFixed(9))), [-0.7, 2.5]);
    assert.equal(linesOf(closed, "open").length, 0);

    const half = shapeLimit(limitOf("linearAxes", 1 << axis, -Infinity, 2.5), 0.3);
    assert.deepEqual(linesOf(half, "stop").map(({ points }) => Number(measureLimit(limit, points[0]).toFixed(9))), [2.5]);
    const [arrow] = linesOf(half, "open");
    assert.ok(measureLimit(limit, arrow.points[1]) < measureLimit(limit, arrow.points[0]), "the arrow points away");
    assert.ok(measureLimit(limit, arrow.points[0]) < 0, "beyond the middle");
    // A far stop is where it is, not where the picture would end.
    assert.ok(linesOf(shapeLimit(limitOf("linearAxes", 1 << axis, 0, 500), 0.3), "stop").some(({ points }) => near(measureLimit(limit, points[0]), 500)));
    assert.equal(linesOf(shapeLimit(limitOf("linearAxes", 1 << axis, 0, 1, 50), 0.3), "rest").length, 1);
  }
});

test("a distance from an axis is a tube, from a point a sphere, a minimum distance a core", () => {
  for (const bits of [3, 5, 6, 7]) {
    const limit = limitOf("linearAxes", bits, 0.5, 1.25);
    const others = bits === 7 ? [] : [limitOf("linearAxes", 7 & ~bits, -0.2, 0.4)];
    const shapes = shapeLimit(limit, 0.6, [limit, ...others]);
    for (const [role, radius] of [["rim", 1.25], ["core", 0.5]]) {
      const points = linesOf(shapes, role).flatMap((line) => line.points);
      assert.ok(points.length > 60);
      for (const point of points) {
        assert.ok(near(measureLimit(limit, point), radius), `${role}: ${measureLimit(limit, point)}`);
      }
      if (bits !== 7) {
        const along = points.map((point) => point.toArray()[Math.log2(7 & ~bits)]);
        assert.ok(near(Math.min(...along), -0.2) && near(Math.max(...along), 0.4), "as long as the slide along it");
      }
    }
    // Open outwards: only the core. No core: only the rim. A rod of one length is drawn, a pin is not.
    assert.deepEqual([...new Set(shapeLimit(limitOf("linearAxes", bits, 0.5, Infinity), 1).lines.map((line) => line.role))], ["core"]);
    assert.deepEqual([...new Set(shapeLimit(limitOf("linearAxes", bits, 0, 2), 1).lines.map((line) => line.role))], ["rim"]);
    assert.equal(isLocked(limitOf("linearAxes", bits, 1, 1)), false);
    assert.equal(isLocked(limitOf("linearAxes", bits, 0, 0)), true);
    assert.ok(linesOf(shapeLimit(limitOf("linearAxes", bits, 1, 1), 1), "rim").length > 0);
  }
});

test("arcs have a stop at each end that is bounded, cones a core where they forbid the middle", () => {
  for (const axis of [0, 1, 2]) {
    const turn = limitOf("angularAxes", 1 << axis, -0.5, 1.25);
    const stops = linesOf(shapeLimit(turn, 2), "stop").map(({ points }) => measureLimit(turn, points[1]));
    assert.ok(stops.length === 2 && near(stops[0], -0.5) && near(stops[1], 1.25));
    const half = linesOf(shapeLimit(limitOf("angularAxes", 1 << axis, -Infinity, 0.4), 2), "stop");
    assert.ok(half.length === 1 && near(measureLimit(turn, half[0].points[1]), 0.4));
    // Of A seen from B a turn is the other way round, a tilt the same.
    const mirrored = mirrorLimit(turn);
    assert.deepEqual([mirrored.min, mirrored.max], [-1.25, 0.5]);
    const tilt = limitOf("angularAxes", 7 & ~(1 << axis), 0.2, 2.1); // more than a right angle: it opens backwards
    assert.equal(mirrorLimit(tilt), tilt);
    const cone = shapeLimit(tilt, 3);
    for (const [role, angle] of [["rim", 2.1], ["core", 0.2]]) {
      const rim = linesOf(cone, role)[0].points;
      assert.ok(rim.length > 40 && rim.every((point) => near(measureLimit(tilt, point), angle)), role);
      assert.equal(cone.fills.filter((fill) => fill.role === role).length, 1);
    }
    assert.equal(linesOf(shapeLimit(limitOf("angularAxes", 7 & ~(1 << axis), 0, Math.PI), 3), "rim").length, 0, "no cone bounds everything");
    assert.equal(shapeLimit(turn, 2).needles.length, 1);
    const free = shapeFree({ type: "cylindrical", axis, limits: [] }, 1);
    assert.ok(linesOf(free, "open").length === 2 && linesOf(free, "rim").length === 3, "a free turn is a circle, a free slide a rail");
  }
});

test("ranges of more than a turn are spirals between their stops", () => {
  for (const axis of [0, 1, 2]) {
    const limit = limitOf("angularAxes", 1 << axis, -4, 9.5);
    const shapes = shapeLimit(limit, 2);
    const [rim] = linesOf(shapes, "rim");
    let turned = 0;
    for (let i = 1; i < rim.points.length; ++i) {
      const step = measureLimit(limit, rim.points[i]) - measureLimit(limit, rim.points[i - 1]);
      turned += step - 2 * Math.PI * Math.round(step / (2 * Math.PI));
      assert.ok(rim.points[i].length() > rim.points[i - 1].length(), "turns do not cover each other");
    }
    assert.ok(near(turned, 13.5));
    const ends = linesOf(shapes, "stop").map(({ points }) => measureLimit(limit, points[1]));
    assert.ok(ends.length === 2 && near(ends[0], 2 * Math.PI - 4) && near(ends[1], 9.5 - 4 * Math.PI));
    for (const angle of [-3.5, 0.5, 8]) {
      const [mark] = linesOf(shapeLimit(limit, 2, [], angle), "mark");
      const turns = Math.round((angle - measureLimit(limit, mark.points[1])) / (2 * Math.PI));
      assert.ok(near(measureLimit(limit, mark.points[1]) + 2 * Math.PI * turns, angle));
      const at = Math.round(((angle + 4) / 13.5) * (rim.points.length - 1));
      assert.ok(Math.abs(rim.points[at].length() - mark.points[0].length() / 0.92) < 0.02, "the mark is on its turn of the spiral");
    }
    const open = shapeLimit(limitOf("angularAxes", 1 << axis, -Infinity, 9.5), 2);
    assert.ok(linesOf(open, "stop").length === 1 && linesOf(open, "open").length === 1);
  }
});

test("angles of wide hinges are counted from snapshot to snapshot", () => {
  const joint = { limits: [limitOf("angularAxes", 3, 0, 0), limitOf("angularAxes", 4, -20, 20)] };
  assert.equal(wideTurnOf(joint), joint.limits[1]);
  let angles = null;
  for (let i = 0; i <= 200; ++i) {
    const angle = 18 * Math.sin(i / 40);
    const frames = Float32Array.from([0, 0, 0, 0, 0.6, 0, 0.8, 0, 0, 0, 0.6 * Math.sin(angle / 2), 0.6 * Math.cos(angle / 2),
      0.8 * Math.sin(angle / 2), 0.8 * Math.cos(angle / 2)]);
    angles = countTurns([joint, { limits: [] }], frames, angles);
    assert.ok(Math.abs(angles[0] - angle) < 1e-4 && Number.isNaN(angles[1]));
  }
});

test("outlines of spring colliders lie on their surfaces", () => {
  const at = (x, y, z) => new THREE.Vector3(x, y, z);
  for (const point of outlineSphere(at(1, 2, 3), 0.4).flat()) {
    assert.ok(near(point.distanceTo(at(1, 2, 3)), 0.4));
  }
  const [from, to] = [at(0, 0, 0), at(0, 3, 4)];
  const line = new THREE.Line3(from, to);
  for (const path of outlineCapsule(from, to, 0.25)) {
    for (const point of path) {
      assert.ok(near(point.distanceTo(line.closestPointToPoint(point, true, at(0, 0, 0))), 0.25));
    }
  }
  assert.equal(outlineCapsule(from, from, 0.25).length, outlineSphere(from, 0.25).length, "a capsule without length is a sphere");
  for (const path of outlinePlane(at(0, 1, 0), at(0, 0, 1), 2).slice(0, 3)) {
    assert.ok(path.every((point) => near(point.z, 0)));
  }
  // The node's matrix moves the points; its scale leaves the radius alone.
  const matrix = new THREE.Matrix4().makeScale(2, 2, 2).setPosition(0, 5, 0);
  const collider = { shape: "inside sphere", offset: [1, 0, 0], tail: [0, 0, 0], normal: [0, 0, 1], radius: 0.5 };
  assert.ok(outlineCollider(collider, matrix, 1).flat().every((point) => near(point.distanceTo(at(2, 5, 0)), 0.5)));
  const tilted = new THREE.Matrix4().makeRotationX(Math.PI / 2);
  const [, normalEnd] = outlineCollider({ ...collider, shape: "plane", offset: [0, 0, 0] }, tilted, 2).at(-1);
  assert.ok(near(normalEnd.y, -1) && near(normalEnd.z, 0), "the normal turns with the node");
});

test("expressions are grouped; unknown and custom ones come last", () => {
  const names = ["custom", "oh", "happy", "aa", "lookUp", "blink"];
  const groups = groupExpressions(names.map((name) => ({ name, isPreset: name !== "custom" })));
  assert.deepEqual(groups.map(({ title, indices }) => [title, indices.map((index) => names[index])]),
    [["Moods", ["happy"]], ["Vowels", ["aa", "oh"]], ["Lids", ["blink"]], ["Gaze", ["lookUp"]], ["Others", ["custom"]]]);
  assert.deepEqual(groupExpressions([{ name: "happy", isPreset: false }]), [{ title: "Others", indices: [0] }]);
});

test("the newest frame of a recording is replaced within its bytes", () => {
  const recording = new Recording((frame) => frame.size, 1000);
  [10, 20].forEach((size, i) => recording.push({ time: i, size }));
  recording.replaceNewest({ time: 1, size: 5 });
  assert.deepEqual([recording.length, recording.bytes, recording.newest.size, recording.oldest.size], [2, 15, 5, 10]);
});

test("a quantised PNG keeps its few colours exactly", () => {
  const palette = [[0, 0, 0], [255, 255, 255], [238, 122, 77], [21, 23, 26]];
  const [width, height] = [37, 23];
  const rows = Buffer.alloc((3 * width + 1) * height);
  const pixel = (x, y) => palette[(x * 7 + y * 3) % 4];
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      rows.set(pixel(x, y), y * (3 * width + 1) + 1 + 3 * x);
    }
  }
  const chunk = (kind, body) => Buffer.concat([Buffer.from([0, 0, body.length >> 8, body.length & 255]), Buffer.from(kind), body, Buffer.alloc(4)]);
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0]);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const made = quantisePng(Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", zlib.deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]), 16);
  const plte = made.indexOf("PLTE");
  const size = made.readUInt32BE(plte - 4) / 3;
  assert.equal(size, 4);
  const idat = made.indexOf("IDAT");
  const indices = zlib.inflateSync(made.subarray(idat + 4, idat + 4 + made.readUInt32BE(idat - 4)));
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const index = indices[y * (width + 1) + 1 + x];
      assert.deepEqual([...made.subarray(plte + 4 + 3 * index, plte + 7 + 3 * index)], pixel(x, y));
    }
  }
});

test("keys are unique and listed in the help", () => {
  const keys = makeKeys({}).flatMap((entry) => entry.keys);
  assert.equal(new Set(keys).size, keys.length);
  const page = readFileSync(new URL("../../docs/viewer.md", import.meta.url), "utf8");
  for (const { shown } of makeKeys({}).filter((entry) => entry.shown)) {
    assert.ok(page.includes(`\`${shown}\``), `docs/viewer.md does not tell of ${shown}`);
  }
});

test("the state of a page goes into its address and back", () => {
  const state = { camera: [1, 2.5, -3e-3, 0, 0.125, 4], time: 1.5, animation: 2, theme: "dark", embed: true };
  assert.deepEqual(parseState(formatState(state)), state);
  assert.equal(formatState({ camera: [1, 0, 0, 0, 0, 1 / 3], time: 0 }), "#camera=1,0,0,0,0,0.333333");
  assert.equal(formatState({}), "");
  const nothing = { camera: null, time: null, animation: null, theme: null, embed: false };
  for (const fragment of ["", "#", "#camera=1,2,3", "#camera=1,2,3,1,2,3", "#camera=1,2,3,4,5,NaN", "#camera=1,2,3,4,5,Infinity", "#camera=1,2,3,4,5,",
    "#time=-1", "#time=1e9", "#time=", "#animation=1.5", "#animation=-2", "#theme=pink", "#nothing", "#%E0%A4%A"]) {
    assert.deepEqual(parseState(fragment), nothing, fragment);
  }
});
