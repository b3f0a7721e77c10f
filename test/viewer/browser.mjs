// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node browser.mjs TENDON SCREENSHOTS [FILTER]
// The viewer in Chromium: every example is stepped to a fixed time and compared with the native trace to the bit, then
// everything a person can do is done. Screenshots of all examples go to the folder SCREENSHOTS.
import { rmSync } from "node:fs";
import { Chromium, findChromium } from "./chromium.mjs";
import { openTest, screenshots, tests, work } from "./support.mjs";
import "./suite_examples.mjs";
import "./suite_controls.mjs";
import "./suite_overlays.mjs";
import "./suite_files.mjs";

const filter = process.argv[4] ?? "";
if (findChromium() === null) {
  console.log("skipped: there is no chromium; apt-get install chromium enables it");
  process.exit(77);
}
const chosen = tests.filter(({ name }) => name.includes(filter));
let failed = 0;
const browser = await Chromium.start();
let page = await openTest(browser);
for (const { name, body, size } of chosen) {
  const started = Date.now();
  try {
    await page.resize(size.width, size.height);
    await body({ browser, page });
    console.log(`ok      ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    page = await openTest(browser); // the next test starts clean
  }
}
await browser.close();
rmSync(work, { recursive: true, force: true });
console.log(`${chosen.length - failed} passed, ${failed} failed; screenshots in ${screenshots}`);
process.exit(failed > 0 ? 1 : 0);
