// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Replaces the Node modules that the module's tests use in a page or Web Worker: test, assert, files and the native program
// through the server of browser.test.mjs, which rewrites imports of node:* to this file.

const origin = globalThis.location.origin;

// --- test

const tests = [];

export function test(name, options, run = options) {
  tests.push({ name, skip: typeof options === "object" && options.skip, run });
}

/** Runs the registered tests. @returns a list of {name, error}; error is null for passed tests */
export async function runTests() {
  const results = [];
  for (const { name, skip, run } of tests.splice(0)) {
    if (skip) continue;
    let error = null;
    try {
      await run({ diagnostic() {} });
    } catch (thrown) {
      error = `${thrown?.stack ?? thrown}`.slice(0, 2000);
    }
    results.push({ name, error });
  }
  return results;
}

// --- assert

const isEqual = (a, b) => {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) !== ArrayBuffer.isView(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
};

const fail = (message) => {
  throw new Error(message);
};
const show = (value) => `${JSON.stringify(value)}`.slice(0, 300);

function ok(value, message = "not true") {
  if (!value) fail(message);
}

/** @param check a class of errors, a pattern of their text, or a function that takes one */
function expectError(thrown, check) {
  const isExpected = check.prototype instanceof Error ? thrown instanceof check : check instanceof RegExp ? check.test(String(thrown)) : check(thrown);
  if (!isExpected) fail(`another error was expected: ${thrown}`);
}

export default Object.assign(ok, {
  ok,
  equal: (a, b, message = "") => Object.is(a, b) || fail(`${message} ${show(a)} is not ${show(b)}`),
  deepEqual: (a, b, message = "") => isEqual(a, b) || fail(`${message} ${show(a)} is not ${show(b)}`),
  notEqual: (a, b, message = "") => !Object.is(a, b) || fail(`${message} both are ${show(a)}`),
  async rejects(promise, check) {
    const thrown = await promise.then(() => fail("nothing was thrown"), (error) => error);
    expectError(thrown, check);
  },
  notDeepEqual: (a, b, message = "") => !isEqual(a, b) || fail(`${message} both are ${show(a)}`),
  match: (text, pattern) => pattern.test(text) || fail(`${text} does not match ${pattern}`),
  throws(run, check) {
    let thrown = null;
    try {
      run();
    } catch (error) {
      thrown = error;
    }
    if (thrown === null) fail("nothing was thrown");
    expectError(thrown, check);
  },
});

// --- files and the native program, by requests that wait

class Bytes extends Uint8Array {
  static from(data) {
    return new Bytes(data);
  }
  equals(other) {
    return this.length === other.length && this.every((value, i) => value === other[i]);
  }
  toString() {
    return new TextDecoder().decode(this);
  }
}
globalThis.Buffer = Bytes;
globalThis.process = { env: { TENDON_PACKAGE: "/build/web/tendon", TENDON_NATIVE: "native" } };

/** Status and bytes of a synchronous request; pages allow these for text only, hence Latin-1. */
function request(method, address, body = null) {
  const call = new XMLHttpRequest();
  call.open(method, origin + address, false);
  call.overrideMimeType("text/plain; charset=x-user-defined");
  call.send(body);
  return { status: call.status, bytes: Bytes.from(Array.from(call.responseText, (letter) => letter.charCodeAt(0) & 255)) };
}

export function readFileSync(path, encoding) {
  const { status, bytes } = request("GET", path);
  if (status !== 200) fail(`${path} cannot be read`);
  return encoding === undefined ? bytes : bytes.toString();
}

export const existsSync = (path) => request("HEAD", path).status === 200;

export function readdirSync(path, options) {
  const entries = JSON.parse(request("GET", `/list${path}`).bytes.toString());
  return options?.withFileTypes
    ? entries.map(({ name, isFolder }) => ({ name, isDirectory: () => isFolder }))
    : entries.map(({ name }) => name);
}

export function execFileSync(program, args, options) {
  const { status, bytes } = request("POST", "/native", JSON.stringify({ program, args }));
  const output = options.encoding === undefined ? bytes : bytes.toString();
  if (status !== 200) throw Object.assign(new Error(`${program} ${args.join(" ")}: ${status}`), { stdout: output });
  return output;
}

// --- paths: the root of the server is the top folder of the project

export function join(...parts) {
  const names = [];
  for (const name of parts.join("/").split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
export const dirname = (path) => join(path, "..");
export const fileURLToPath = (address) => new URL(address).pathname;
export const pathToFileURL = (path) => new URL(path, origin);

/** Node's worker threads do not exist here; the suite itself runs in a Web Worker. */
export const Worker = null;
