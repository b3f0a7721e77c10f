// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The program of docs/web.md that draws dominoes with Babylon.js and moves them with Tendon, in Chromium with WebGL. It is
// bundled as a user would bundle it. One line is added, which shows its objects to the test.
//
// usage: node --test test/viewer/test_babylon_program.mjs; AVATAR_PICTURES=FOLDER keeps the pictures
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { build } from "../../web/node_modules/esbuild/lib/main.js";
import { Chromium, findChromium } from "./chromium.mjs";
import { readPng } from "./png.mjs";
import { countDiffering, runProgram } from "./program.mjs";

const source = readFileSync("web/module/example/babylon.ts", "utf8");
const program = source.slice(source.indexOf("import "));
const packageFolder = "build/web/tendon";
const babylon = "web/module/test/babylon";
const skip = findChromium() === null ? "there is no chromium; apt-get install chromium enables it"
  : !existsSync(join(babylon, "node_modules")) && `there is no Babylon.js; (cd ${babylon} && npm ci) enables it`;

/** Runs in the page, beside the program: reports two pictures and where the dominoes are drawn. */
async function observe() {
  const problems = [];
  addEventListener("error", ({ message }) => problems.push(message));
  addEventListener("unhandledrejection", ({ reason }) => problems.push(`${reason?.stack ?? reason}`));
  const { getContext } = HTMLCanvasElement.prototype; // the picture is read after the frame
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return getContext.call(this, kind, { ...options, preserveDrawingBuffer: true });
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const until = async (condition) => {
    while (problems.length === 0 && !condition()) {
      await frame();
    }
  };
  const report = { problems, pictures: [] };
  await until(() => globalThis.program !== undefined);
  if (problems.length === 0) {
    const { actor, container, driver, stage } = globalThis.program;
    for (const time of [0.2, 2.5]) {
      await until(() => stage.time >= time);
      await frame();
      report.pictures.push(document.querySelector("canvas").toDataURL("image/png"));
    }
    // The loader's root mirrors the file; both sides are compared in Babylon's space.
    const root = container.rootNodes[0].computeWorldMatrix(true).m;
    report.differences = driver.nodes.map((node, index) => {
      const [x, y, z] = actor.globals.subarray(16 * index + 12, 16 * index + 15);
      const drawn = node.computeWorldMatrix(true).m;
      return Math.max(...[0, 1, 2].map((i) => Math.abs(x * root[i] + y * root[4 + i] + z * root[8 + i] + root[12 + i] - drawn[12 + i])));
    });
    report.engine = globalThis.program.engine.description;
  }
  await fetch("/report", { method: "POST", body: JSON.stringify(report) });
}

test("docs/web.md shows the program for Babylon.js as it is", () => {
  assert.ok(readFileSync("docs/web.md", "utf8").includes(`\`\`\`ts\n${program}\`\`\`\n`));
});

test("the program for Babylon.js runs in Chromium with WebGL", { skip }, async () => {
  const { outputFiles } = await build({
    stdin: { contents: `${program}\nObject.assign(globalThis, { program: { actor, container, driver, engine, stage } });\n`, loader: "ts", resolveDir: babylon },
    alias: { "tendon/babylon": `${process.cwd()}/${packageFolder}/babylon.js`, tendon: `${process.cwd()}/${packageFolder}/tendon.js` },
    bundle: true, format: "esm", target: ["es2022"], external: ["node:*"], write: false, logLevel: "error",
  });
  const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body style="margin:0"><script>(${observe})()</script><script type="module" src="program.js"></script>`;
  const report = await runProgram({
    "/": ["text/html", page],
    "/program.js": ["text/javascript", outputFiles[0].text],
    "/tendon.wasm": ["application/wasm", readFileSync(join(packageFolder, "tendon.wasm"))],
    "/domino_run.gltf": ["model/gltf+json", readFileSync("examples/domino_run.gltf")],
  }, async (url) => {
    const browser = await Chromium.start();
    await (await browser.newPage({ width: 640, height: 400 })).goto(url);
    return { close: () => browser.close() };
  });
  assert.deepEqual(report.problems, []);
  assert.match(report.engine, /WebGL2/);
  assert.ok(Math.max(...report.differences) < 1e-4, `${Math.max(...report.differences)} m apart`);
  const pictures = report.pictures.map((address) => Buffer.from(address.slice(address.indexOf(",") + 1), "base64"));
  if (process.env.AVATAR_PICTURES) {
    mkdirSync(process.env.AVATAR_PICTURES, { recursive: true });
    pictures.forEach((picture, i) => writeFileSync(join(process.env.AVATAR_PICTURES, `babylon_program_${i}.png`), picture));
  }
  const [first, second] = pictures.map(readPng);
  assert.ok(countDiffering(first, second) > 0.005 * first.width * first.height, "the dominoes fall");
});
