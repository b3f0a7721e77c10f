// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Chromium without a window, driven over the DevTools pipe: file descriptors 3 and 4, one JSON message per zero byte.
// No library, no port. Everything waits for a condition; nothing sleeps for a fixed time.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A slow machine without a graphics card is the normal case. */
const patience = 120000;

export function findChromium() {
  const given = process.env.CHROMIUM;
  const names = given ? [given] : ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return names.find((name) => existsSync(name)) ?? null;
}

export class Chromium {
  #process;
  #profile;
  #nextId = 1;
  #waiting = new Map();
  #listeners = [];
  #rest = Buffer.alloc(0);
  #log = "";

  static async start(options = {}) {
    const browser = new Chromium();
    browser.#launch(options);
    await browser.send("Browser.getVersion");
    return browser;
  }

  #launch({ webgl = true }) {
    this.#profile = mkdtempSync(join(tmpdir(), "tendon-chromium-"));
    const flags = [
      "--headless=new", "--no-sandbox", "--remote-debugging-pipe", `--user-data-dir=${this.#profile}`, "--no-first-run",
      "--no-default-browser-check", "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--mute-audio", "--hide-scrollbars", "--force-color-profile=srgb",
      "--font-render-hinting=none", "--force-device-scale-factor=1", "--window-size=1280,800",
      ...(webgl ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-3d-apis"]),
    ];
    this.#process = spawn(findChromium(), [...flags, "about:blank"], { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    this.#process.stderr.on("data", (data) => (this.#log = (this.#log + data).slice(-4000)));
    this.#process.stdio[4].on("data", (data) => this.#receive(data));
    this.#process.on("exit", (code) => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`Chromium ended (${code}).\n${this.#log}`));
      }
      this.#waiting.clear();
    });
  }

  #receive(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (let end = this.#rest.indexOf(0); end >= 0; end = this.#rest.indexOf(0)) {
      const message = JSON.parse(this.#rest.subarray(0, end).toString("utf8"));
      this.#rest = this.#rest.subarray(end + 1);
      if (message.id !== undefined) {
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        clearTimeout(waiting?.timer);
        if (message.error) {
          waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`));
        } else {
          waiting?.resolve(message.result);
        }
      } else {
        for (const listener of this.#listeners) {
          listener(message);
        }
      }
    }
  }

  send(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const timer = setTimeout(() => reject(new Error(`${method} did not answer in ${patience / 1000} s.\n${this.#log}`)), patience);
      this.#waiting.set(id, { resolve, reject, method, timer });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  listen(listener) {
    this.#listeners.push(listener);
  }

  async newPage({ width = 1280, height = 800, scheme = "dark", motion, touch = false } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    await page.prepare({ width, height, scheme, motion, touch });
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.send("Browser.close").catch(() => {});
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(timer);
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Page {
  constructor(browser, sessionId, targetId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.targetId = targetId;
    /** Addresses of all requests, page and blobs included; sentences of all uncaught errors. */
    this.requests = [];
    this.errors = [];
    this.loaded = null;
    browser.listen((message) => message.sessionId === sessionId && this.#hear(message));
  }

  #hear({ method, params }) {
    if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
    } else if (method === "Runtime.exceptionThrown") {
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Page.loadEventFired") {
      this.loaded?.();
    } else if (method === "Inspector.targetCrashed") {
      this.errors.push("the page crashed");
    }
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  async prepare({ width, height, scheme, motion, touch }) {
    for (const domain of ["Page", "Runtime", "Network", "Inspector"]) {
      await this.send(`${domain}.enable`);
    }
    await this.resize(width, height);
    await this.setScheme(scheme, motion);
    if (touch) {
      await this.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    }
  }

  setScheme(scheme, motion = "no-preference") {
    const features = [{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: motion }];
    return this.send("Emulation.setEmulatedMedia", { features });
  }

  /** Fingers by their places; none: all are lifted. */
  touch(type, points = []) {
    return this.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  }

  resize(width, height) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  }

  async goto(url) {
    this.requests = [];
    this.errors = [];
    const loaded = new Promise((resolve) => (this.loaded = resolve));
    await this.send("Page.navigate", { url });
    await loaded;
  }

  /** Runs a function in the page; its arguments and its result go through JSON. */
  async run(fn, ...values) {
    const expression = `(${fn})(...${JSON.stringify(values)})`;
    const answer = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (answer.exceptionDetails) {
      throw new Error(`in the page: ${answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text}`);
    }
    return answer.result.value;
  }

  /** Waits until a function of the page says something true. */
  async until(fn, ...values) {
    const end = Date.now() + patience;
    for (;;) {
      const value = await this.run(fn, ...values);
      if (value) {
        return value;
      }
      if (Date.now() > end) {
        throw new Error(`waited ${patience / 1000} s in vain for ${fn}`);
      }
      await this.run(() => new Promise((resolve) => setTimeout(resolve, 20)));
    }
  }

  /** The middle of an element, in pixels of the page. */
  async place(selector) {
    return this.run((wanted) => {
      const element = document.querySelector(wanted);
      element.scrollIntoView({ block: "nearest" });
      const box = element.getBoundingClientRect();
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    }, selector);
  }

  mouse(type, { x, y }, more = {}) {
    return this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1, ...more });
  }

  async click(target) {
    const at = typeof target === "string" ? await this.place(target) : target;
    await this.mouse("mouseMoved", at, { button: "none", buttons: 0 });
    await this.mouse("mousePressed", at);
    await this.mouse("mouseReleased", at);
  }

  async drag(from, to, steps = 6) {
    await this.mouse("mouseMoved", from, { button: "none", buttons: 0 });
    await this.mouse("mousePressed", from);
    for (let i = 1; i <= steps; ++i) {
      await this.mouse("mouseMoved", { x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps });
    }
  }

  async key(key) {
    // Keys that browsers act on by themselves are known by their codes.
    const windowsVirtualKeyCode = { Tab: 9, Enter: 13 }[key];
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, windowsVirtualKeyCode });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode });
  }

  /** Files of the disk, let fall on the middle of the page as from a file manager. */
  async dropFiles(paths) {
    const { x, y } = await this.place("#stage");
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await this.send("Input.dispatchDragEvent", { type, x, y, data });
    }
  }

  /** Downloads go to a folder from now on. */
  allowDownloads(folder) {
    return this.browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  }

  /** @returns {Promise<Buffer>} PNG */
  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  async close() {
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
