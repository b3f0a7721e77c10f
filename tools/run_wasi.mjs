// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs a WebAssembly program under WASI, without access to the file system.
//   node tools/run_wasi.mjs PROGRAM.wasm [ARGUMENTS...]
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { WASI } from "node:wasi";

setFlagsFromString("--no-turbo-fast-api-calls"); // they overwrite memory of Node (web/module/cli.mjs)
const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env: {}, returnOnExit: true });
const module = await WebAssembly.compile(readFileSync(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
