// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The program of docs/web.md that draws an avatar with three-vrm and moves it with Tendon, in Chromium and in Firefox. It is
// bundled as a user would bundle it. One line is added, which shows its objects to the test.
//
// usage: node --test test/viewer/test_avatar_program.mjs; AVATAR_PICTURES=FOLDER keeps the pictures
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { build } from "../../web/node_modules/esbuild/lib/main.js";
import { Chromium, findChromium } from "./chromium.mjs";
import { Firefox, findFirefoxObstacle } from "./firefox.mjs";
import { readPng } from "./png.mjs";
import { countDiffering, runProgram } from "./program.mjs";

const source = readFileSync("web/module/example/avatar.ts", "utf8");
const program = source.slice(source.indexOf("import "));
const packageFolder = "build/web/tendon";

/** Runs in the page, beside the program: waits for two seconds of motion and reports what the program has drawn. */
async function observe() {
  const problems = [];
  addEventListener("error", ({ message }) => problems.push(message));
  addEventListener("unhandledrejection", ({ reason }) => problems.push(`${reason?.stack ?? reason}`));
  for (const level of ["error", "warn"]) {
    console[level] = (...words) => problems.push(words.join(" "));
  }
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
  const takePose = ({ actor, gltf, driver }) => {
    const wanted = [...actor.locals];
    let differing = 0;
    const ranges = actor.asset.nodes.map((_, node) => {
      const object = driver.objects[node];
      const drawn = [...object.position.toArray(), ...object.quaternion.toArray(), ...object.scale.toArray()];
      differing += drawn.every((value, i) => Math.abs(value - wanted[10 * node + i]) < 1e-6) ? 0 : 1;
      return drawn;
    });
    return { differing, locals: ranges, children: gltf.scene.children.length };
  };
  const report = { problems, userAgent: navigator.userAgent };
  await until(() => globalThis.program !== undefined);
  if (problems.length === 0) {
    const { actor, stage } = globalThis.program;
    report.rest = actor.asset.nodes.map(({ translation, rotation }) => [...(translation ?? []), ...(rotation ?? [])]);
    report.pictures = [];
    for (const time of [0.5, 2]) {
      await until(() => stage.time >= time);
      await frame();
      report.pose = takePose(globalThis.program);
      report.pictures.push(document.querySelector("canvas").toDataURL("image/png"));
    }
    report.time = stage.time;
    report.happy = actor.getExpression("happy");
  }
  await fetch("/report", { method: "POST", body: JSON.stringify(report) });
}

const { outputFiles } = await build({
  stdin: { contents: `${program}\nObject.assign(globalThis, { program: { actor, driver, gltf, stage } });\n`, loader: "ts", resolveDir: "web" },
  alias: { "tendon/three": `./${packageFolder}/three.js`, tendon: `./${packageFolder}/tendon.js` },
  bundle: true, format: "esm", target: ["es2022"], external: ["node:*"], write: false, logLevel: "warning",
});

const files = {
  "/": ["text/html", `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body style="margin:0"><script>(${observe})()</script><script type="module" src="program.js"></script>`],
  "/program.js": ["text/javascript", outputFiles[0].text],
  "/tendon.wasm": ["application/wasm", readFileSync(join(packageFolder, "tendon.wasm"))],
  "/mira.vrm": ["model/gltf-binary", readFileSync("examples/mira.vrm")],
  "/dance.vrma": ["model/gltf-binary", readFileSync("examples/dance.vrma")],
};

function judge(report, name) {
  const pictures = (report.pictures ?? []).map((address) => Buffer.from(address.slice(address.indexOf(",") + 1), "base64"));
  if (process.env.AVATAR_PICTURES) {
    mkdirSync(process.env.AVATAR_PICTURES, { recursive: true });
    pictures.forEach((picture, i) => writeFileSync(join(process.env.AVATAR_PICTURES, `avatar_program_${name}_${i}.png`), picture));
  }
  assert.deepEqual(report.problems, []);
  assert.equal(report.pose.differing, 0, "the objects of three.js are where Tendon puts the nodes");
  const moved = report.pose.locals.filter((local, node) => report.rest[node].slice(3).some((value, i) => Math.abs(value - local[3 + i]) > 0.01)).length;
  assert.ok(moved >= 20, `${moved} nodes are turned`);
  assert.ok(Math.abs(report.happy - 0.6) < 1e-6);
  const [first, second] = pictures.map(readPng);
  const blank = { ...first, pixels: first.pixels.map((_, i) => first.pixels[i % 3]) };
  assert.ok(countDiffering(first, blank) > 0.01 * first.width * first.height, "the avatar is drawn");
  assert.ok(countDiffering(first, second) > 0.002 * first.width * first.height, "the avatar moves");
}

test("the program of the docs is avatar.ts: 20 lines after its imports", () => {
  const docs = readFileSync("docs/web.md", "utf8");
  assert.ok(docs.includes(`\`\`\`ts\n${program}\`\`\`\n`), "docs/web.md shows the program as it is");
  const lines = program.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("import "));
  assert.ok(lines.length <= 20, `${lines.length} lines`);
});

test("the program runs in Chromium", { skip: findChromium() === null && "there is no chromium; apt-get install chromium enables it" }, async () => {
  judge(await runProgram(files, async (url) => {
    const browser = await Chromium.start();
    const page = await browser.newPage();
    await page.goto(url);
    return { close: () => browser.close() };
  }), "chromium");
});

test("the program runs in Firefox", { skip: findFirefoxObstacle() ?? false }, async () => {
  const report = await runProgram(files, async (url) => {
    const firefox = await Firefox.open(url);
    return { ended: firefox.ended, close: () => firefox.close() };
  });
  assert.match(report.userAgent, /Firefox\//);
  judge(report, "firefox");
});
