#!/usr/bin/env node
// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The command line program as WebAssembly under WASI: `npx tendon ...` runs without a native build and writes the same
// bytes. Of a list of files, each is handled by a process of its own, so that a crash costs one file only. WASI itself has
// no processes: `serve`, videos and --open are not possible.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/** Exit code of the program for an error in itself. */
const exitBug = 4;

// Fast calls of WASI overwrite memory of Node 20 to 22 (nodejs/node issue 53087): a tenth of the runs end with a fault.
setFlagsFromString("--no-turbo-fast-api-calls");
process.emitWarning = () => {}; // Node calls its WASI experimental; that is no finding about a file
const { WASI } = await import("node:wasi");

/** Workers that ended: { exitCode, outputs: [stdout, stderr], at: [0, 0] }. */
const workers = new Map();
let workerCount = 0;

/** Runs this program once more with a request, to its end. @returns the number of the worker; -1: it could not start */
function runWorker(request) {
  const { status, signal, stdout, stderr, error } = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    env: { ...process.env, TENDON_WORKER: request }, stdio: ["inherit", "pipe", "pipe"], maxBuffer: Infinity,
  });
  if (error !== undefined) {
    return -1;
  }
  workers.set(workerCount, { exitCode: status ?? -constants.signals[signal], outputs: [stdout, stderr], at: [0, 0] });
  return workerCount++;
}

/** The calls of web/cli/workers.c. */
const makeWorkerCalls = (getMemory) => ({
  run_worker: (address, size) => runWorker(Buffer.from(getMemory().buffer, address, size).toString()),
  read_worker(number, stream, address, size) {
    const { outputs, at } = workers.get(number);
    const part = outputs[stream].subarray(at[stream], at[stream] + size);
    new Uint8Array(getMemory().buffer, address, size).set(part);
    at[stream] += part.length;
    return part.length;
  },
  end_worker(number) {
    const { exitCode } = workers.get(number);
    workers.delete(number);
    return exitCode;
  },
});

const wasi = new WASI({
  version: "preview1",
  args: ["tendon", ...process.argv.slice(2)],
  env: { ...process.env, PWD: process.cwd() },
  preopens: { "/": "/" },
  returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(new URL("./cli.wasm", import.meta.url)));
const calls = makeWorkerCalls(() => instance.exports.memory);
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), tendon: calls });
try {
  process.exitCode = wasi.start(instance);
} catch (error) {
  if (!(error instanceof WebAssembly.RuntimeError)) {
    throw error;
  }
  console.error(`tendon: the program stopped on a fault: ${error.message}.`);
  process.exitCode = exitBug;
}
