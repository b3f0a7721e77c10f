// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node tools/validate_outputs.mjs LIST
// Each line of LIST names an input and an output made from it, with a tab between. The Khronos glTF validator must find
// no error and no warning in the output that it does not find in the input: per code, not more of them.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const validator = require("gltf-validator");

const severities = ["error", "warning"];
const known = new Map();

// Messages of a file by severity and code, with one pointer each to look at.
async function validate(path) {
  if (known.has(path)) {
    return known.get(path);
  }
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
    uri: basename(path),
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
  });
  const counts = new Map();
  for (const message of report.issues.messages) {
    if (message.severity < severities.length) {
      const key = `${severities[message.severity]} ${message.code}`;
      const entry = counts.get(key) ?? { count: 0, pointer: message.pointer ?? "", text: message.message };
      entry.count += 1;
      counts.set(key, entry);
    }
  }
  known.set(path, counts);
  return counts;
}

let files = 0;
let bad = 0;
for (const line of readFileSync(process.argv[2], "utf8").split("\n").filter((text) => text !== "")) {
  const [input, output] = line.split("\t");
  const before = await validate(input);
  const after = await validate(output);
  files += 1;
  for (const [key, entry] of after) {
    if (entry.count > (before.get(key)?.count ?? 0)) {
      bad += 1;
      console.log(`${output}: ${key} at ${entry.pointer}: ${entry.text}`);
    }
  }
}
console.log(`${files} outputs, ${bad} with errors or warnings that their inputs do not have; gltf-validator ${validator.version()}`);
process.exit(bad > 0 || files === 0 ? 1 : 0);
