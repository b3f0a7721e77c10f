// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Fuzzes the page's handling of files under Node: drops, folders, embedded files, the engine's session, the drawable part
// and three.js' loader. Always the same inputs; TENDON_VIEWER_INPUTS=N makes N of them, TENDON_VIEWER_SEED=N chooses others.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { GLTFLoader } from "../../web/node_modules/three/examples/jsm/loaders/GLTFLoader.js";
import { makeDrawable, splitFile, tryDrawable } from "../../web/viewer/drawable.js";
import { Engine, Trouble } from "../../web/viewer/engine.js";
import { arrangeFiles, isMotionName, readDrop, readEmbedded } from "../../web/viewer/files.js";
import { parseState } from "../../web/viewer/share.js";

const top = new URL("../../", import.meta.url);
const inputs = Number(process.env.TENDON_VIEWER_INPUTS ?? 120);
let state = Number(process.env.TENDON_VIEWER_SEED ?? 1) >>> 0;

function below(count) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
}

const choose = (list) => list[below(list.length)];
const encode = (text) => new TextEncoder().encode(text);

// --- inputs ----------------------------------------------------------------------------------------------------------

const examples = readdirSync(new URL("examples/", top)).filter((name) => /\.(gltf|vrm|vrma|bvh|bin)$/.test(name)).sort()
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(new URL(`examples/${name}`, top))) }));
const oddValues = [null, [], {}, "", "x", -1, 0, 1, 0.5, 1e9, 1e38, 2 ** 31, 2 ** 53, true, [0], [null], { a: 1 }, "../x.bin", "data:,", "data:;base64,!!", "%", "%zz", "__proto__"];
const oddMembers = ["uri", "extensions", "mesh", "skin", "joints", "primitives", "attributes", "count", "buffer", "bufferView", "byteOffset", "byteLength", "source", "camera", "__proto__"];

/** Replaces, removes or adds a member somewhere below a value. */
function mutateValue(root) {
  let value = root;
  for (let depth = 1 + below(7); depth > 0; --depth) {
    const keys = Object.keys(value);
    const inner = keys.filter((key) => typeof value[key] === "object" && value[key] !== null);
    if (depth === 1 || inner.length === 0) {
      const key = keys.length > 0 && below(4) > 0 ? choose(keys) : choose(oddMembers);
      if (below(6) === 0) {
        delete value[key];
      } else {
        Object.defineProperty(value, key, { value: structuredClone(choose(oddValues)), enumerable: true, configurable: true, writable: true });
      }
      return;
    }
    value = value[choose(inner)];
  }
}

function mutateBytes(bytes) {
  const out = bytes.slice(0, below(8) === 0 ? below(bytes.length) : bytes.length);
  for (let i = 1 + below(8); i > 0 && out.length > 0; --i) {
    out[below(4) === 0 ? below(Math.min(out.length, 32)) : below(out.length)] = choose([0, 1, 127, 255, below(256)]);
  }
  return out;
}

function joinGlb(json, binary) {
  const text = encode(JSON.stringify(json));
  const out = new Uint8Array(20 + text.length + (binary === null ? 0 : 8 + binary.length));
  const view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, text.length, 0x4e4f534a].forEach((word, i) => view.setUint32(4 * i, word, true));
  out.set(text, 20);
  if (binary !== null) {
    view.setUint32(20 + text.length, binary.length, true);
    view.setUint32(24 + text.length, 0x004e4942, true);
    out.set(binary, 28 + text.length);
  }
  return out;
}

function makeBytes({ name, bytes }) {
  const kind = below(5);
  if (kind === 0 || /\.(bvh|bin)$/.test(name)) {
    return mutateBytes(bytes);
  }
  const { json, binary } = splitFile(bytes);
  for (let i = 1 + below(6); i > 0; --i) {
    mutateValue(json);
  }
  return binary === null ? encode(JSON.stringify(json)) : joinGlb(json, binary);
}

const oddNames = ["a.gltf", "A.GLB", "x/y.vrm", "x/../y.bvh", "/etc/a.glb", "", ".", "..", "a.vrma", "x\\y.gltf", "\u0000.glb", "__proto__", "constructor", "n".repeat(3000) + ".gltf", "a.zip"];
const makeName = (name) => (below(4) === 0 ? choose(oddNames) : `${choose(["", "x/", "x/y/", "/"])}${name}`);

/** A dropped file as the browser gives it. */
const asFile = (name, bytes, folder = "") => ({ name, webkitRelativePath: folder === "" ? "" : `${folder}/${name}`, arrayBuffer: async () => bytes.slice().buffer });

/** Entries of a dropped folder; reading gives them in parts, as browsers do. */
function asFolder(name, files) {
  return {
    name, isFile: false, isDirectory: true,
    createReader() {
      const left = [...files];
      return { readEntries: (resolve, reject) => (below(40) === 0 ? reject(new Error("no")) : resolve(left.splice(0, 2))) };
    },
  };
}

function makeDrop(files) {
  const entries = files.map(([name, bytes]) => ({ name, isFile: true, isDirectory: false, file: (resolve) => resolve(asFile(name, bytes)) }));
  if (below(2) === 0) {
    return { files: files.map(([name, bytes]) => asFile(name, bytes)), items: choose([undefined, [], [{ kind: "string" }]]) };
  }
  const folder = asFolder(choose(["x", "", "..", "__proto__"]), below(3) === 0 ? [asFolder("inner", entries)] : entries);
  return { files: [], items: [{ kind: "file", webkitGetAsEntry: () => folder }, { kind: "string", webkitGetAsEntry: () => null }] };
}

// --- what must hold --------------------------------------------------------------------------------------------------

function checkDrawable(drawable) {
  if (drawable === null || drawable.failure !== undefined) {
    // A reason is a sentence part for the user, not an error of the script.
    assert.ok(drawable === null || !/undefined|is not a function|not iterable|Cannot read|null/.test(drawable.failure), drawable?.failure);
    return;
  }
  const { json } = splitFile(drawable.bytes);
  assert.ok((json.buffers ?? []).length <= 1);
  assert.ok([...(json.buffers ?? []), ...(json.images ?? [])].every((entry) => entry.uri === undefined), "nothing is fetched");
  assert.ok(drawable.nodes.every((node) => json.nodes[node] !== undefined));
  assert.ok((json.nodes ?? []).every((node) => node.children === undefined));
}

/** Passes a drawable to three.js as model.js does; textures need a browser and are left out. */
async function parseDrawable({ bytes, nodes }) {
  const { json, binary } = splitFile(bytes);
  delete json.textures;
  delete json.images;
  json.materials = json.materials?.map(() => ({}));
  const { parser } = await new GLTFLoader().parseAsync(joinGlb(json, binary).buffer, "");
  for (const node of nodes.slice(0, 50)) {
    await parser.getDependency("node", node);
  }
}

test("files of any content give a session, or a sentence", async () => {
  const engine = await Engine.create(readFileSync(new URL("build/web/tendon.wasm", top)));
  const counts = { sessions: 0, refused: 0, drawn: 0, undrawn: 0 };
  const silent = { error: console.error, warn: console.warn };
  console.error = console.warn = () => {}; // three.js prints what it leaves out
  globalThis.self ??= globalThis;
  globalThis.ProgressEvent ??= class {};
  try {
    for (let i = 0; i < inputs; ++i) {
      const files = Array.from({ length: 1 + below(4) }, () => {
        const source = choose(examples);
        return [makeName(source.name), makeBytes(source)];
      });
      let dropped;
      try {
        dropped = await readDrop(makeDrop(files));
      } catch (error) {
        assert.match(error.message, /does not let a page from disk read folders/);
        continue;
      }
      const { sets, ignored } = arrangeFiles(dropped);
      assert.equal(ignored.length, sets.length === 0 ? dropped.size : 0);
      let session = null;
      for (const set of sets) {
        try {
          if (session?.humanoid && isMotionName(set.name)) {
            session.setMotion(set);
          } else {
            session?.dispose();
            session = null;
            session = await engine.open(set);
            counts.sessions += 1;
            const drawable = tryDrawable(set, session, []);
            checkDrawable(drawable);
            const isDrawn = drawable?.bytes !== undefined && (await parseDrawable(drawable).then(() => true, () => false));
            counts[isDrawn ? "drawn" : "undrawn"] += 1;
          }
          session.step();
        } catch (error) {
          assert.ok(error instanceof Trouble, `input ${i}: ${error.stack}`);
          assert.ok(!/fault/.test(error.message), `input ${i}: ${error.message}`);
          counts.refused += 1;
        }
      }
      session?.dispose();
    }
  } finally {
    Object.assign(console, silent);
  }
  console.log(`${inputs} drops: ${JSON.stringify(counts)}`);
  assert.ok(counts.sessions > inputs / 4 && counts.drawn > 0);
});

test("drawables of any JSON are made or refused with a reason", () => {
  const sources = examples.filter(({ name }) => /\.(gltf|vrm)$/.test(name));
  for (let i = 0; i < 5 * inputs; ++i) {
    const { json, binary } = splitFile(choose(sources).bytes);
    for (let k = 1 + below(20); k > 0; --k) {
      mutateValue(json);
    }
    const files = { bytes: joinGlb(json, binary), beside: new Map([["a.bin", new Uint8Array(4)]]) };
    checkDrawable(tryDrawable(files, { nodes: [{ mesh: 0 }] }, choose([[], undefined])));
  }
});

test("a drop of many models takes no memory for those that are not opened", () => {
  const one = new Uint8Array(1);
  const { sets } = arrangeFiles(new Map(Array.from({ length: 30000 }, (_, i) => [`${i}.glb`, one])));
  assert.equal(sets.length, 30000);
  assert.equal(sets[0].beside.size, 29999);
  assert.ok(!sets[0].beside.has("0.glb"));
});

test("small files cannot ask for a large drawable", () => {
  const bytesOf = (json) => encode(JSON.stringify({ asset: { version: "2.0" }, ...json }));
  const big = new Map([["a.bin", new Uint8Array(1 << 20)]]);
  const many = Array.from({ length: 2000 }, () => ({ uri: "a.bin", byteLength: 1 << 20 }));
  assert.throws(() => makeDrawable({ bytes: bytesOf({ buffers: many }), beside: big }, 0), /more than 512 MB/);
  assert.throws(() => makeDrawable({ bytes: bytesOf({ images: many }), beside: big }, 0), /more than 512 MB/);
  const accessors = [{ count: -1e12, type: "VEC4" }, { count: 1e9, type: "VEC4" }];
  assert.throws(() => makeDrawable({ bytes: bytesOf({ accessors }), beside: new Map() }, 0), /more than 512 MB/);
});

test("embedded files and addresses of any text are read or refused", () => {
  const texts = ["", "AAAA", "!!", "A", " AA==\n", "\u0000"];
  for (let i = 0; i < 500; ++i) {
    const scripts = Array.from({ length: below(4) }, () => ({
      textContent: choose(texts), dataset: { role: choose(["main", "motion", "beside", "gaze"]), name: choose(["a.glb", "1,2,3", "x", "__proto__"]) }, remove() {},
    }));
    try {
      const { gaze } = readEmbedded({ querySelectorAll: () => scripts });
      assert.ok(gaze === null || typeof gaze === "number" || gaze.length === 3);
    } catch (error) {
      assert.equal(error.name, "InvalidCharacterError");
    }
    const fragment = `#${Array.from({ length: below(30) }, () => choose([..."camera=1,2e9&time-.embed%", "%zz", "\ud800"])).join("")}`;
    const { camera, time, animation } = parseState(fragment);
    assert.ok(camera === null || camera.every(Number.isFinite));
    assert.ok(time === null || (time >= 0 && time <= 3600));
    assert.ok(animation === null || Number.isInteger(animation));
  }
});
