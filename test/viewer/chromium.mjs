// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Chromium without a window, driven over the DevTools pipe: file descriptors 3 and 4, one JSON message per zero byte.
// No library, no port. Every wait is for a condition, never for a fixed time. It fails at once when the page or the browser
// crashes, and after `patience` otherwise.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds; generous, because tests run on loaded machines with software rendering. */
export const patience = 300000;
const pollEvery = 20;

export function findChromium() {
  const given = process.env.CHROMIUM;
  const names = given ? [given] : ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return names.find((name) => existsSync(name)) ?? null;
}

const flags = [
  "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
  "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--disable-breakpad", "--mute-audio", "--hide-scrollbars", "--force-color-profile=srgb",
  "--font-render-hinting=none", "--force-device-scale-factor=1", "--window-size=1280,800",
  // No throttling of pages in the background, no hang monitor.
  "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
  "--disable-hang-monitor", "--disable-gpu-watchdog", "--disable-gpu-process-crash-limit",
];
const drawing = { true: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"], false: ["--disable-gpu", "--disable-3d-apis"] };

export class Chromium {
  #process;
  #profile;
  #nextId = 1;
  #waiting = new Map(); // by id: commands without an answer
  #listeners = new Set();
  #parts = []; // of the message that is coming in
  #log = "";
  #end = null; // why no answer will come any more
  #hasEnded;
  #cleanUp = () => this.#removeTraces();

  static async start({ webgl = true } = {}) {
    const browser = new Chromium();
    browser.#launch(webgl);
    await browser.send("Browser.getVersion");
    return browser;
  }

  #launch(webgl) {
    this.#profile = mkdtempSync(join(tmpdir(), "tendon-chromium-"));
    // Its own process group, which is ended as a whole; all data goes to the profile.
    const own = { XDG_CACHE_HOME: join(this.#profile, "cache"), XDG_CONFIG_HOME: join(this.#profile, "config") };
    this.#process = spawn(findChromium(), [...flags, ...drawing[webgl], `--user-data-dir=${this.#profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], detached: true, env: { ...process.env, ...own },
    });
    process.once("exit", this.#cleanUp);
    this.#process.stderr.on("data", (data) => (this.#log = (this.#log + data).slice(-4000)));
    this.#process.stdio[4].on("data", (data) => this.#receive(data));
    for (const stream of this.#process.stdio.slice(2)) {
      stream.on("error", () => {}); // a pipe that breaks: the end of the process tells why
    }
    this.#hasEnded = new Promise((resolve) => {
      this.#process.once("error", (error) => resolve(this.#giveUp(error.message)));
      this.#process.once("exit", (code, signal) => resolve(this.#giveUp(`it ended with ${signal ?? code}`)));
    });
  }

  #giveUp(reason) {
    this.#end = `Chromium: ${reason}.\n${this.#log}`;
    this.#refuse(() => true, this.#end);
  }

  #refuse(isMeant, reason) {
    for (const [id, waiting] of this.#waiting) {
      if (isMeant(waiting)) {
        this.#waiting.delete(id);
        clearTimeout(waiting.timer);
        waiting.reject(new Error(`${waiting.method}: ${reason}`));
      }
    }
  }

  #receive(data) {
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0)) {
      this.#parts.push(data.subarray(0, end));
      const message = JSON.parse(Buffer.concat(this.#parts).toString("utf8"));
      this.#parts = [];
      data = data.subarray(end + 1);
      this.#deliver(message);
    }
    if (data.length > 0) {
      this.#parts.push(data);
    }
  }

  #deliver(message) {
    if (message.id === undefined) {
      if (message.method === "Inspector.targetCrashed") {
        this.#refuse((waiting) => waiting.sessionId === message.sessionId, "the page crashed");
      }
      for (const listener of this.#listeners) {
        listener(message);
      }
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    clearTimeout(waiting?.timer);
    if (message.error) {
      waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`));
    } else {
      waiting?.resolve(message.result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) {
        reject(new Error(`${method}: ${this.#end}`));
        return;
      }
      const id = this.#nextId++;
      const timer = setTimeout(() => this.#refuse((one) => one.id === id, `no answer in ${patience / 1000} s.\n${this.#log}`), patience);
      this.#waiting.set(id, { id, resolve, reject, method, sessionId, timer });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** @returns a function that stops listening */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async newPage({ width = 1280, height = 800, scheme = "dark", motion, touch = false } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    await page.prepare({ width, height, scheme, motion, touch });
    return page;
  }

  /** Sends downloads to a folder. @returns a function that waits until a download of that name is complete */
  async allowDownloads(folder) {
    const names = new Map();
    const whole = new Set();
    this.listen(({ method, params }) => {
      if (method === "Browser.downloadWillBegin") {
        names.set(params.guid, params.suggestedFilename);
      } else if (method === "Browser.downloadProgress" && params.state === "completed") {
        whole.add(names.get(params.guid));
      }
    });
    await this.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, eventsEnabled: true });
    return (name) => waitFor(() => whole.has(name), `the download of ${name}`);
  }

  async close() {
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 10000);
    this.send("Browser.close").catch(() => {});
    await this.#hasEnded;
    clearTimeout(timer);
    process.off("exit", this.#cleanUp);
    this.#removeTraces();
  }

  /** Ends the process group and removes the profile; a profile still in use does not fail a test. */
  #removeTraces() {
    try {
      process.kill(-this.#process.pid, "SIGKILL");
    } catch {
      // The group has already ended.
    }
    try {
      rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    } catch {
      // The profile lies in the temporary folder.
    }
  }
}

/** Waits until a function, possibly asynchronous, returns a true value. */
async function waitFor(test, what) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await test();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${patience / 1000} s in vain for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollEvery));
  }
}

export class Page {
  #loaded = new Set(); // documents, by the ids of their loaders
  #mute;

  constructor(browser, sessionId, targetId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.targetId = targetId;
    /**
     * URLs of all requests, page and blobs included; messages of all uncaught errors; texts of console.error; errors that the
     * browser itself logs.
     */
    this.requests = [];
    this.errors = [];
    this.complaints = [];
    this.logged = [];
    this.hasCrashed = false;
    this.#mute = browser.listen((message) => message.sessionId === sessionId && this.#hear(message));
  }

  #hear({ method, params }) {
    if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
    } else if (method === "Runtime.exceptionThrown") {
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Runtime.consoleAPICalled" && params.type === "error") {
      this.complaints.push(params.args.map(({ value, description }) => value ?? description).join(" "));
    } else if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.logged.push(params.entry.text);
    } else if (method === "Page.lifecycleEvent" && params.name === "load") {
      this.#loaded.add(params.loaderId);
    } else if (method === "Inspector.targetCrashed") {
      this.hasCrashed = true;
      this.errors.push("the page crashed");
    }
  }

  send(method, params) {
    return this.hasCrashed ? Promise.reject(new Error(`${method}: the page crashed`)) : this.browser.send(method, params, this.sessionId);
  }

  async prepare({ width, height, scheme, motion, touch }) {
    for (const domain of ["Page", "Runtime", "Network", "Inspector", "Log"]) {
      await this.send(`${domain}.enable`);
    }
    await this.send("Page.setLifecycleEventsEnabled", { enabled: true });
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

  /** Sets the touch points; none lifts all fingers. */
  touch(type, points = []) {
    return this.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  }

  /** Resizes the window and waits until the page has the new size. */
  async resize(width, height) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.until((w, h) => innerWidth === w && innerHeight === h, width, height);
  }

  /** Waits until this document is loaded; events of the previous document do not count. */
  async goto(url) {
    this.requests = [];
    this.errors = [];
    this.complaints = [];
    const { loaderId, errorText } = await this.send("Page.navigate", { url });
    if (errorText) {
      throw new Error(`${url}: ${errorText}`);
    }
    await waitFor(() => this.#loaded.has(loaderId) || this.run(() => false), `the load of ${url}`);
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

  /** Waits until a function in the page returns a true value. */
  until(fn, ...values) {
    return waitFor(() => this.run(fn, ...values), `${fn} of ${JSON.stringify(values)}`);
  }

  /** Centre of an element in CSS pixels. */
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
    // Keys with default actions need their key codes.
    const windowsVirtualKeyCode = { Tab: 9, Enter: 13 }[key];
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, windowsVirtualKeyCode });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode });
  }

  /** Drops files from disk on the middle of the page. */
  async dropFiles(paths) {
    const { x, y } = await this.place("#stage");
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await this.send("Input.dispatchDragEvent", { type, x, y, data });
    }
  }

  /** @returns {Promise<Buffer>} PNG */
  async screenshot() {
    await this.send("Page.bringToFront"); // what is behind may never be drawn
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  async close() {
    this.#mute();
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
