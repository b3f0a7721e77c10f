// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The WebAssembly instance: finds and starts the module, moves texts and bytes, turns faults into errors.
import { readFinding } from "./records.js";
import { TendonError, takeOptions, takeNumber, usage } from "./arguments.js";

const PAGE = 65536;
const DEFAULT_MAX_MEMORY = 2 ** 30;

// The smallest module with a SIMD instruction: () -> v128 { v128.const 0 ... }.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 22, 1, 20, 0, 253, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 11,
]);

export function toBytes(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer || Object.prototype.toString.call(source) === "[object SharedArrayBuffer]") {
    return new Uint8Array(source);
  }
  throw usage("expected an ArrayBuffer or a typed array");
}

const isNode = typeof process === "object" && !!process.versions?.node && typeof globalThis.importScripts === "undefined";

/** Address that relative ones refer to: the page's, in Node the working directory's. */
export function baseAddress() {
  if (!isNode || globalThis.location?.href) return globalThis.location?.href ?? import.meta.url;
  const folder = process.cwd().replaceAll("\\", "/").replace(/^(?!\/)/, "/");
  return `file://${encodeURI(folder).replace(/[?#]/g, encodeURIComponent)}/`;
}

/** Reads a file: URL from disk in Node and fetches any other. */
export async function fetchBytes(address) {
  try {
    const url = address instanceof URL ? address : new URL(String(address), baseAddress());
    if (url.protocol === "file:" && isNode) {
      const fileSystem = "node:fs/promises"; // a variable, so that bundlers for browsers do not resolve it
      const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ fileSystem);
      return new Uint8Array(await readFile(url));
    }
    const response = await fetch(url);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    throw new Error(`${response.status} ${response.statusText}`);
  } catch (error) {
    throw new TendonError("UNREADABLE", `${address}: ${error.message}`);
  }
}

async function compile(source, simd) {
  source = await source;
  if (source === undefined || source === null) {
    // Bundlers recognise each of these expressions as a file to include.
    source = simd ? new URL("./tendon.wasm", import.meta.url) : new URL("./tendon_scalar.wasm", import.meta.url);
  }
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === "function" && source instanceof Response) source = await source.arrayBuffer();
  if (typeof source === "string" || source instanceof URL) source = await fetchBytes(source);
  const bytes = toBytes(source);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new TendonError("UNREADABLE", `the engine is not a WebAssembly module: ${error.message}`);
  }
}

/** A running module. Every export is a method of `calls`. */
export class Instance {
  constructor(memory, exports, maxMemory) {
    this.memory = memory;
    this.maxMemory = maxMemory;
    this.isDead = false;
    this.calls = {};
    this.decoder = new TextDecoder();
    this.encoder = new TextEncoder();
    for (const [name, run] of Object.entries(exports)) {
      if (typeof run === "function") this.calls[name] = this.guard(name, run);
    }
    this.recordAddress = this.calls.td_record();
    this.recordView = new Float64Array(0);
  }

  /** @param size of the memory at first, in bytes; the default is enough for a small file */
  static async create(source, options = {}, size = 32 * PAGE) {
    const { simd: wantsSimd = true, maxMemory = DEFAULT_MAX_MEMORY } = takeOptions(options);
    const wanted = Math.min(Math.max(takeNumber("maxMemory", maxMemory), 4 * 2 ** 20), 2 ** 32);
    const simd = wantsSimd !== false && WebAssembly.validate(SIMD_PROBE);
    const module = await compile(source, simd);
    const maximum = Math.floor(wanted / PAGE);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(size / PAGE), maximum });
    const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
    return new Instance(memory, exports, maximum * PAGE);
  }

  /** Wraps an export. A fault leaves memory in an unknown state, so later calls are refused; the page goes on. */
  guard(name, run) {
    return (...args) => {
      if (this.isDead) throw new TendonError("FAULT", "this instance stopped on a fault; load another");
      try {
        return run(...args);
      } catch (error) {
        this.isDead = true;
        throw new TendonError("FAULT", `the engine stopped in ${name}: ${error.message}`);
      }
    };
  }

  get record() {
    if (this.recordView.buffer !== this.memory.buffer) {
      this.recordView = new Float64Array(this.memory.buffer, this.recordAddress, 64);
    }
    return this.recordView;
  }

  readText(address) {
    address >>>= 0;
    if (address === 0) return "";
    const bytes = new Uint8Array(this.memory.buffer);
    return this.decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
  }

  allocate(size) {
    const address = this.calls.td_allocate(size) >>> 0;
    if (address === 0) throw new TendonError("OUT_OF_MEMORY", `no memory for ${size} bytes more`);
    return address;
  }

  free(address) {
    this.calls.td_free(address);
  }

  writeBytes(bytes) {
    const address = this.allocate(bytes.length);
    new Uint8Array(this.memory.buffer).set(bytes, address);
    return address;
  }

  readIntegers(address, count) {
    return Array.from(new Int32Array(this.memory.buffer, address, count));
  }

  readBytes(address, size) {
    return new Uint8Array(this.memory.buffer).slice(address, address + size);
  }

  /** Calls `run` with the addresses of copies of the texts (0 for undefined) and frees the copies. */
  withTexts(texts, run) {
    const addresses = [];
    try {
      for (const text of texts) {
        const isThere = text !== undefined && text !== null;
        addresses.push(isThere ? this.writeBytes(this.encoder.encode(`${String(text).replaceAll("\0", " ")}\0`)) : 0);
      }
      return run(...addresses);
    } finally {
      if (!this.isDead) addresses.forEach((address) => address !== 0 && this.free(address));
    }
  }

  /** Findings of the last call that makes a report. */
  readFindings() {
    const findings = [];
    const count = this.calls.td_report_count();
    for (let i = 0; i < count; ++i) {
      this.calls.td_report_get(i);
      const { severity, code, source, pointer, line, column, offset, message } = readFinding(this);
      const node = /^\/nodes\/(\d+)/.exec(pointer);
      findings.push({ severity, code, source, pointer, node: node ? Number(node[1]) : -1, line, column, offset, message });
    }
    return findings;
  }

  /** The error for a failed call, made from its findings. */
  failure(code, message) {
    const findings = this.readFindings();
    const memory = findings.some((finding) => finding.code === "OUT_OF_MEMORY");
    const first = findings.find((finding) => finding.severity === "error");
    return new TendonError(memory ? "OUT_OF_MEMORY" : code, first ? `${message}: ${first.message}` : message, findings);
  }
}
