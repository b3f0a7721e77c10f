// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Firefox on a virtual screen. Without a window it has no WebGL, so Xvfb provides one. Nothing drives it: pages tell their
// results to the server that they came from.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const preferences = {
  "app.update.enabled": false, "app.normandy.enabled": false, "browser.aboutwelcome.enabled": false, "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore", "datareporting.policy.dataSubmissionEnabled": false, "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false, "toolkit.telemetry.reportingpolicy.firstRun": false, "trailhead.firstrun.didSeeAboutWelcome": true,
  "webgl.force-enabled": true,
};

/** The reason why Firefox cannot run; null if it can. */
export function findFirefoxObstacle() {
  const missing = ["firefox-esr", "Xvfb"].find((name) => spawnSync(name, ["-help"], { stdio: "ignore" }).error !== undefined);
  return missing === undefined ? null : `there is no ${missing}; apt-get install firefox-esr xvfb libgl1-mesa-dri enables it`;
}

export class Firefox {
  #folder = mkdtempSync(join(tmpdir(), "tendon-firefox-"));
  #processes = [];
  #cleanUp = () => this.close();
  /** Why Firefox ended, once it has. */
  ended = null;

  /** Opens one page in a new profile. */
  static async open(url) {
    const firefox = new Firefox();
    process.once("exit", firefox.#cleanUp);
    const display = await firefox.#startScreen();
    writeFileSync(join(firefox.#folder, "user.js"), Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
    const env = { ...process.env, DISPLAY: `:${display}`, HOME: firefox.#folder, LIBGL_ALWAYS_SOFTWARE: "1", MOZ_CRASHREPORTER_DISABLE: "1" };
    const browser = spawn("firefox-esr", ["--no-remote", "--profile", firefox.#folder, url], { stdio: ["ignore", "ignore", "pipe"], detached: true, env });
    firefox.#processes.unshift(browser);
    let log = "";
    browser.stderr.on("data", (data) => (log = (log + data).slice(-2000)));
    firefox.ended = new Promise((resolve) => browser.once("exit", (code, signal) => resolve(`Firefox ended with ${signal ?? code}.\n${log}`)));
    return firefox;
  }

  /** Starts Xvfb, which chooses a free number and writes it to descriptor 3. @returns the number */
  #startScreen() {
    const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"], detached: true });
    this.#processes.push(screen);
    return new Promise((resolve, reject) => {
      let number = "";
      screen.stdio[3].on("data", (data) => {
        number += data;
        if (number.includes("\n")) {
          resolve(number.trim());
        }
      });
      screen.once("exit", () => reject(new Error("Xvfb did not start")));
    });
  }

  /** Ends the process groups of Firefox and its screen. */
  close() {
    process.off("exit", this.#cleanUp);
    for (const { pid } of this.#processes.splice(0)) {
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
