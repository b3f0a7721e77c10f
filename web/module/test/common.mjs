// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shared by the tests of the module. They test the built package, build/web/tendon.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const top = join(dirname(fileURLToPath(import.meta.url)), "../../..");
export const packageFolder = process.env.TENDON_PACKAGE ?? join(top, "build/web/tendon");
export const native = process.env.TENDON_NATIVE ?? join(top, "build/release/tendon");

export const { Tendon, loadTendon, TendonError, ShapeState } = await import(pathToFileURL(join(packageFolder, "tendon.js")).href);

export const readExample = (name) => readFileSync(join(top, "examples", name));

/** Opens an example with the files beside it. */
export const openExample = (tendon, name, options) =>
  tendon.open(readExample(name), { name, files: (uri) => readExample(uri), ...options });
