// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node browser.mjs TENDON SCREENSHOTS [FILTER]
// The viewer in Chromium: every example is stepped to a fixed time and compared with the native trace to the bit, then
// every control of the page is used. Screenshots of all examples go to the folder SCREENSHOTS.
import { rmSync } from "node:fs";
import { Chromium, findChromium, patience } from "./chromium.mjs";
import { openTest, resize, screenshots, tests, work } from "./support.mjs";
import "./suite_examples.mjs";
import "./suite_controls.mjs";
import "./suite_play.mjs";
import "./suite_overlays.mjs";
import "./suite_files.mjs";
import "./suite_avatar.mjs";
import "./suite_look.mjs";
import "./suite_decoders.mjs";
import "./suite_watchdog.mjs";

const filter = process.argv[4] ?? "";
if (findChromium() === null) {
  console.log("skipped: there is no chromium; apt-get install chromium enables it");
  process.exit(77);
}
process.once("exit", () => rmSync(work, { recursive: true, force: true }));

/** Fails a test that waits too long. */
async function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("it does not end")), 2 * patience)));
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const chosen = tests.filter(({ name }) => name.includes(filter));
let failed = 0;
const browser = await Chromium.start();
let page = await openTest(browser);
for (const { name, body, size } of chosen) {
  const started = Date.now();
  try {
    await resize(page, size.width, size.height);
    await inTime(body({ browser, page }));
    console.log(`ok      ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    await page.close().catch(() => {});
    page = await openTest(browser); // the next test starts clean
  }
}
await browser.close();
console.log(`${chosen.length - failed} passed, ${failed} failed; screenshots in ${screenshots}`);
process.exit(failed > 0 ? 1 : 0);
