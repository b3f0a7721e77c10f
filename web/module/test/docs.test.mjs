// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The programs of docs/web.md run as they are. Those for three.js run in browsers (test/viewer/test_avatar_program.mjs).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadTendon, openExample, packageFolder, readExample, top } from "./common.mjs";

const AsyncFunction = (async () => {}).constructor;

/** The first program below a heading of a page. */
function readProgram(page, heading) {
  const [, program] = readFileSync(join(top, page), "utf8").match(new RegExp(`## ${heading}\\n[\\s\\S]*?\`\`\`js\\n([\\s\\S]*?)\`\`\``));
  return program;
}

test("the first program of docs/web.md runs in Node as it is", () => {
  const folder = mkdtempSync(join(tmpdir(), "tendon-first-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(packageFolder, join(folder, "node_modules/tendon"), "dir");
    copyFileSync(join(top, "examples/domino_run.gltf"), join(folder, "domino_run.gltf"));
    writeFileSync(join(folder, "first.mjs"), readProgram("docs/web.md", "Use"));
    const printed = execFileSync(process.execPath, ["first.mjs"], { cwd: folder, encoding: "utf8" });
    assert.match(printed, /^the ball is at -?[0-9.]+ [0-9.]+ -?[0-9.]+$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the program of docs/web.md with an avatar runs", async () => {
  const tendon = await loadTendon();
  const stage = tendon.createStage();
  const load = async (name) => openExample(tendon, name);
  await new AsyncFunction("tendon", "stage", readProgram("docs/web.md", "Avatars"))({ load }, stage);
  stage.step(60);
  const [actor] = stage.actors;
  assert.equal(actor.getExpression("happy"), Math.fround(0.8));
  assert.equal(actor.springsEnabled, false);
});

test("the program of docs/web.md with a worker runs", async () => {
  const { WorkerStage } = await import(pathToFileURL(join(packageFolder, "worker.js")).href);
  const program = readProgram("docs/web.md", "Workers").replace(/^import .*\n/m, "").replace("stage.release(frame);", "const values = root.length;\n$&");
  const fetchExample = async (name) => ({ arrayBuffer: async () => new Uint8Array(readExample(name)).buffer });
  const run = new AsyncFunction("WorkerStage", "fetch", "showStopButton", `${program}\nstage.stop();\nreturn values;`);
  assert.equal(await run(WorkerStage, fetchExample, () => {}), 16);
});

test("the program of docs/web.md with bodies from code runs", async () => {
  const program = readProgram("docs/web.md", "Bodies from code");
  const printed = [];
  await new AsyncFunction("tendon", "console", program)(await loadTendon(), { log: (...words) => printed.push(words) });
  assert.ok(printed.some(([isCrate]) => isCrate === true));
});
