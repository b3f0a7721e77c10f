// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The program under WASI: the command line cases of test/cli, with the outputs that the native program is held to.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { native, packageFolder, top } from "./common.mjs";

const program = join(packageFolder, "cli.mjs");

/**
 * Cases that start programs (videos, servers, openers), copy the native program, need signals, devices, terminals or closed
 * streams, use names that are no UTF-8, which Node cannot pass on, need file locks, without which temporary files of other runs
 * stay (leftover_file, leftovers, leftovers_of_a_kill), or have so many files that a process of Node for each takes minutes
 * (batch_order, retarget_onto, help_examples, docs_examples).
 */
const NEEDS_PROCESSES = new Set(`
batch_interrupted batch_order batch_progress batch_signals broken_pipes
closed_streams crash_signal docs_examples every_verb_full every_verb_interrupted
full_disk_files help_examples inspect_full_stdout interrupted_pipe leftover_file leftovers leftovers_of_a_kill odd_names output_devices
render_video retarget_onto serve serve_errors terminal_bars terminal_progress
terminal_reading trace_interrupted view_installed view_not_built view_open view_open_fails
`.trim().split(/\s+/));

function runCase(name) {
  return new Promise((resolve) => {
    execFile(join(top, "test/cli/run_case"), [program, join(top, "test/cli", name)], { encoding: "utf8", timeout: 300_000, maxBuffer: 2 ** 26 }, (error, output) =>
      resolve(error === null ? null : `${name}\n${output.slice(0, 2000)}`));
  });
}

test("the command line cases pass under WASI", async (t) => {
  const all = readdirSync(join(top, "test/cli")).filter((name) => existsSync(join(top, "test/cli", name, "cmd")));
  const unknown = [...NEEDS_PROCESSES].filter((name) => !all.includes(name));
  assert.deepEqual(unknown, [], "no such cases");
  const cases = all.filter((name) => !NEEDS_PROCESSES.has(name));
  const failed = [];
  const pending = [...cases];
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const trouble = await runCase(name);
      if (trouble !== null) failed.push(trouble);
    }
  }));
  t.diagnostic(`${cases.length} of ${all.length} cases ran`);
  assert.equal(failed.length, 0, failed.join("\n"));
  assert.ok(cases.length > all.length / 2, `${cases.length} of ${all.length}`);
});

test("no run ends with a fault of Node", async () => {
  // With fast API calls of Node's WASI, a tenth of these runs does.
  const words = ["render", "examples/robot_arm.gltf", "--camera", "Nobody", "-o", "never.png"];
  const run = () => new Promise((resolve) => execFile(process.execPath, [program, ...words], { cwd: top }, (error) => resolve(error.code ?? error.signal)));
  const codes = [];
  for (let i = 0; i < 20; ++i) codes.push(...await Promise.all([run(), run()]));
  assert.deepEqual([...new Set(codes)], [2]);
});

test("outputs are those of the native program, byte for byte", () => {
  for (const words of [["bake", "examples/domino_run.gltf", "--seconds", "2", "-q", "-o", "-"], ["trace", "examples/rope_bridge.gltf", "--seconds", "1"]]) {
    const [ours, theirs] = [[process.execPath, [program, ...words]], [native, words]].map(([file, args]) => execFileSync(file, args, { cwd: top, maxBuffer: 2 ** 28 }));
    assert.ok(ours.equals(theirs), words.join(" "));
  }
});

test("a list of files gives the bytes of the native program, one process per file", () => {
  const files = ["domino_run.gltf", "robot_arm.gltf", "keepsake.gltf"].map((name) => `examples/${name}`);
  const run = (words, options = {}) => [[process.execPath, [program, ...words]], [native, words]].map(([file, args]) => {
    const { status, stdout, stderr } = spawnSync(file, args, { cwd: top, encoding: "utf8", ...options });
    return { status, stdout, stderr };
  });
  for (const [words, options] of [
    [["check", ...files, "examples/missing.gltf", "--json"], {}],
    [["check", "--files-from", "-"], { input: files.join("\n") }],
    [["check", "-R", "examples"], {}],
    [["check", ...files, "--format", "sarif", "--threads", "3"], {}],
  ]) {
    const [ours, theirs] = run(words, options);
    assert.deepEqual(ours, theirs, words.join(" "));
  }
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), "tendon-list-")));
  try {
    [[process.execPath, [program]], [native, []]].forEach(([file, before], i) =>
      execFileSync(file, [...before, "convert", ...files, "--out-dir", folders[i], "-q"], { cwd: top }));
    assert.deepEqual(readdirSync(folders[0]), readdirSync(folders[1]));
    for (const name of readdirSync(folders[1])) {
      assert.ok(readFileSync(join(folders[0], name)).equals(readFileSync(join(folders[1], name))), name);
    }
  } finally {
    folders.forEach((folder) => rmSync(folder, { recursive: true }));
  }
  assert.match(readFileSync(program, "utf8").split("\n")[0], /^#!\/usr\/bin\/env node$/);
});
