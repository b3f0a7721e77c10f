// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The module where Node's globals are missing, as in Deno and other runtimes of ES modules: no process, Buffer, require or
// global, and imports by address only. Node evaluates it in a context that has the globals of the web alone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { native, packageFolder, top } from "./common.mjs";

/** Runs in a Node of its own, because module contexts need a flag. */
const program = `
  import { readFile } from "node:fs/promises";
  import vm from "node:vm";
  const [root, example] = process.argv.slice(-2);
  const read = async (address) => readFile(new URL(address));
  /** fetch of file: addresses, as in Deno. */
  const fetchFile = async (address) => new Response(await read(address));
  const context = vm.createContext({ WebAssembly, URL, TextDecoder, TextEncoder, Response, ArrayBuffer, SharedArrayBuffer, Uint8Array, Float32Array, Float64Array,
    Uint32Array, Int32Array, Uint16Array, performance, fetch: fetchFile, example });
  vm.runInContext("globalThis.missing = [typeof process, typeof Buffer, typeof require, typeof global, typeof setImmediate]", context);
  const modules = new Map();
  async function link(specifier, { identifier }) {
    if (!/^[.][.]?[/]/.test(specifier)) throw new Error("no address: " + specifier);
    const address = new URL(specifier, identifier).href;
    if (!modules.has(address)) modules.set(address, makeModule(address, \`\${await read(address)}\`));
    return modules.get(address);
  }
  const makeModule = (address, text) => new vm.SourceTextModule(text, {
    context, identifier: address, initializeImportMeta: (meta) => (meta.url = address),
    importModuleDynamically: (specifier) => { throw new Error("imports " + specifier); },
  });
  const main = makeModule(root + "main.js", \`
    import { loadTendon, TendonError } from "./tendon.js";
    import { SceneDriver } from "./three.js";
    import { BabylonDriver } from "./babylon.js";
    const tendon = await loadTendon();
    const asset = await tendon.load(new URL(example));
    const stage = tendon.createStage();
    const actor = stage.addActor(asset);
    stage.step(60);
    let code = "";
    try { stage.step(NaN); } catch (error) { code = error instanceof TendonError ? error.code : error.message; }
    globalThis.result = { locals: Array.from(actor.locals), hash: String(stage.stateHash), code, missing, kinds: [typeof SceneDriver, typeof BabylonDriver] };
  \`);
  await main.link(link);
  await main.evaluate();
  console.log(JSON.stringify(vm.runInContext("result", context)));
`;

test("the module runs without Node's globals", () => {
  const root = pathToFileURL(`${packageFolder}/`).href;
  const example = pathToFileURL(join(top, "examples/domino_run.gltf")).href;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--experimental-vm-modules", "--no-warnings", "--input-type=module", "-e", program, "--", root, example],
    { encoding: "utf8", maxBuffer: 2 ** 26 });
  assert.equal(status, 0, stderr);
  const result = JSON.parse(stdout);
  assert.deepEqual(result.missing, Array(5).fill("undefined"));
  assert.equal(result.code, "USAGE");
  assert.deepEqual(result.kinds, ["function", "function"]);
  const lines = spawnSync(native, ["trace", join(top, "examples/domino_run.gltf"), "--times", "1"], { encoding: "utf8", maxBuffer: 2 ** 26 }).stdout.trim().split("\n");
  const { locals } = lines.map((line) => JSON.parse(line)).find((line) => line.locals);
  assert.equal(result.locals.length, 10 * locals.length);
  const ours = locals.map((local, node) => local.map((_, i) => result.locals[10 * node + i] + 0)); // the trace has no scale and no -0
  assert.deepEqual(ours, locals.map((local) => local.map((value) => Math.fround(value) + 0)));
});

test("the module imports by address only", () => {
  for (const name of readdirSync(packageFolder).filter((entry) => entry.endsWith(".js"))) {
    const text = readFileSync(join(packageFolder, name), "utf8");
    for (const [, address] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"/gm)) {
      assert.match(address, /^\.\//, `${name} imports ${address}`);
    }
  }
});
