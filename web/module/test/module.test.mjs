// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The .wasm files: imports and size. The package: its contents and types. Addresses in Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { loadTendon, packageFolder, top } from "./common.mjs";

// docs/web.md has the reason for the bounds.
const MAX_SIZE = 1_160_000;
const MAX_GZIP = 520_000;

for (const name of ["tendon.wasm", "tendon_scalar.wasm"]) {
  const bytes = readFileSync(join(packageFolder, name));

  test(`${name} imports its memory and nothing else`, async () => {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(bytes));
    assert.deepEqual(imports, [{ module: "env", name: "memory", kind: "memory" }]);
  });

  test(`${name} is small`, (t) => {
    const packed = gzipSync(bytes, { level: 9 }).length;
    t.diagnostic(`${name}: ${bytes.length} bytes, ${packed} with gzip`);
    assert.ok(bytes.length <= MAX_SIZE, `${bytes.length} bytes`);
    assert.ok(packed <= MAX_GZIP, `${packed} bytes with gzip`);
  });

  test(`${name} ${name === "tendon.wasm" ? "has" : "has no"} SIMD instructions`, () => {
    // v128.load with natural alignment, the most frequent of them: 0xfd 0x00 0x02 or 0x04 and an offset.
    let count = 0;
    for (let i = 0; i + 2 < bytes.length; ++i) {
      count += bytes[i] === 0xfd && bytes[i + 1] === 0 && bytes[i + 2] <= 4 ? 1 : 0;
    }
    if (name === "tendon.wasm") assert.ok(count > 1000, `${count}`);
    else assert.ok(count < 100, `${count}`);
  });
}

test("the package contains exactly the published files", () => {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--loglevel=error"], { cwd: packageFolder, encoding: "utf8" });
  const [{ name, version, files }] = JSON.parse(text);
  assert.equal(name, "tendon");
  const header = readFileSync(join(top, "include/tendon/base.h"), "utf8");
  const numbers = ["MAJOR", "MINOR", "PATCH"].map((part) => header.match(`TD_VERSION_${part} (\\d+)`)[1]);
  assert.equal(version, numbers.join("."));
  assert.deepEqual(
    files.map((file) => file.path).sort(),
    ["LICENSE", "README.md", "actor.js", "cli.mjs", "cli.wasm", "arguments.js", "asset.js", "babylon.d.ts", "babylon.js", "body.js", "copy.js", "geometry.js", "history.js", "instance.js", "joint.js", "recording.js", "records.js", "package.json", "stage.js",
      "tendon.d.ts", "tendon.js", "tendon.wasm", "tendon_scalar.wasm", "three.d.ts", "three.js", "worker.d.ts", "worker.js",
      "worker_entry.js", "world.js"].sort(),
  );
  const { exports, dependencies } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  for (const target of Object.values(exports).flatMap((value) => (typeof value === "string" ? [value] : Object.values(value)))) {
    assert.ok(existsSync(join(packageFolder, target)), target);
  }
});

test("every declared member exists", async () => {
  const types = ["tendon.d.ts", "worker.d.ts", "babylon.d.ts"].map((name) => readFileSync(join(packageFolder, name), "utf8")).join("\n");
  const sources = ["actor", "asset", "babylon", "body", "geometry", "history", "joint", "recording", "stage", "tendon", "worker", "world"];
  const all = Object.assign({}, ...(await Promise.all(sources.map((name) => import(join(packageFolder, `${name}.js`))))));
  let count = 0;
  for (const [, name, body] of types.matchAll(/^export class (\w+)[^{]*\{\n(.*?)^\}/gms)) {
    assert.equal(typeof all[name], "function", name);
    for (const [, method] of body.matchAll(/^ {2}(\w+)\(/gm)) {
      if (method === "constructor") continue;
      assert.equal(typeof all[name].prototype[method], "function", `${name}.${method}`);
      count += 1;
    }
    for (const [, accessor] of body.matchAll(/^ {2}[gs]et (\w+)\(/gm)) {
      assert.ok(Object.getOwnPropertyDescriptor(all[name].prototype, accessor), `${name}.${accessor}`);
      count += 1;
    }
  }
  assert.ok(count > 90, `${count}`);
});

test("the API reference covers every function and type", () => {
  const folder = mkdtempSync(join(tmpdir(), "tendon-api-"));
  try {
    execFileSync(process.execPath, [join(top, "tools/make_api_reference.mjs"), folder], { stdio: "ignore" });
    const [c, module] = ["c.html", "module.html"].map((name) => readFileSync(join(folder, name), "utf8"));
    const exported = readFileSync(join(top, "tools/exports.txt"), "utf8").split("\n").filter((line) => /^td\w+$/.test(line));
    assert.ok(exported.length > 300);
    assert.deepEqual(exported.filter((name) => !c.includes(`${name}(`)), []);
    for (const name of ["Tendon", "World", "Body", "WorkerStage", "SceneDriver", "BabylonDriver"]) assert.ok(module.includes(`id="${name}"`), name);
    assert.ok(module.includes("castShape(shape: ShapeDimensions"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("relative addresses refer to the working directory", async () => {
  const tendon = await loadTendon();
  const folder = mkdtempSync(join(tmpdir(), "tendon #1 100%-"));
  const before = process.cwd();
  try {
    for (const name of ["keepsake.gltf", "keepsake.bin"]) copyFileSync(join(top, "examples", name), join(folder, name));
    process.chdir(folder);
    const asset = await tendon.load("keepsake.gltf");
    assert.equal(asset.name, "keepsake.gltf");
    assert.ok(!asset.findings.some((finding) => finding.severity === "error"));
    await assert.rejects(tendon.load("no-such.gltf"), /ENOENT/);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});

const tsc = join(top, "web/node_modules/typescript/bin/tsc");
test("the example compiles with the types", { skip: existsSync(tsc) ? false : "needs npm ci in web" }, () => {
  execFileSync(process.execPath, [tsc, "--project", join(top, "web/module/example")], { stdio: "inherit" });
});
