// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tendon as an ES module; tendon.d.ts documents it. This file holds the entry points; asset.js
// files and clips, stage.js and actor.js the simulation, world.js, body.js and joint.js the engine.
import { TendonError, callUser, giveLimits, guardClasses, takeChoice, takeInstance, takeInteger, takeNumber, takeOptions, takeText, usage } from "./arguments.js";
import { Asset } from "./asset.js";
import { Instance, baseAddress, fetchBytes, toBytes } from "./instance.js";
import { Stage } from "./stage.js";
import { ShapeState } from "./actor.js";
import { createHull, createMesh, noMemory, withArrays } from "./geometry.js";
import * as records from "./records.js";
import { Recording } from "./recording.js";
import { World } from "./world.js";

export { TendonError, ShapeState };

export async function loadTendon(source, options) {
  return new Tendon(await Instance.create(source, options));
}

function takeAddress(source) {
  try {
    return new URL(String(source), baseAddress());
  } catch {
    throw usage(`${source} is not an address`);
  }
}

/** Turns the three forms of `files` into one function. */
function makeResolver(files) {
  if (typeof files === "function") return (uri) => callUser(files, uri);
  if (files instanceof Map) return (uri) => files.get(uri);
  if (files) takeOptions(files);
  if (files) return (uri) => (Object.hasOwn(files, uri) ? files[uri] : undefined);
  return () => undefined;
}

export class Tendon {
  /** Called by loadTendon. */
  constructor(instance) {
    this._instance = takeInstance("the argument", instance, Instance);
    const version = instance.calls.td_version();
    this.version = [version >> 16, (version >> 8) & 255, version & 255].join(".");
    this.simd = instance.calls.td_has_simd() !== 0;
    this._contactsOwner = null;
    this._stageClass = Stage;
  }

  get memorySize() {
    return this._instance.memory.buffer.byteLength;
  }

  get maxMemory() {
    return this._instance.maxMemory;
  }

  get isDead() {
    return this._instance.isDead;
  }

  open(bytes, options = {}) {
    const { name = "", boneMap = null, bvhUnit = 0, facing = "auto", rest = "auto" } = takeOptions(options);
    takeChoice("facing", facing, facings);
    if (typeof rest === "number") takeInteger("rest", rest, 1, 2 ** 31 - 1);
    else takeChoice("rest", rest, rests);
    takeText("name", name);
    if (boneMap !== null) takeText("boneMap", boneMap);
    takeNumber("bvhUnit", bvhUnit, 0);
    const attempt = new Opening(this, toBytes(bytes), options);
    const resolve = makeResolver(options.files);
    try {
      for (let missing = attempt.run(); missing.length > 0; missing = attempt.run()) {
        if (attempt.give(missing.map((uri) => [uri, resolve(uri)])) === 0) break;
      }
      return attempt.finish();
    } finally {
      attempt.close();
    }
  }

  async load(source, options = {}) {
    takeOptions(options);
    const isAddress = typeof source === "string" || source instanceof URL;
    const base = isAddress ? takeAddress(source) : null;
    const bytes = isAddress ? await fetchBytes(base) : toBytes(source);
    const name = options.name ?? (base ? decodeURIComponent(base.pathname.split("/").pop()) : undefined);
    const fetchBeside = (uri) => fetchBytes(new URL(uri.split("/").map(encodeURIComponent).join("/"), base)).catch(() => null);
    if (options.resolve !== undefined && typeof options.resolve !== "function") throw usage("resolve must be a function");
    const resolve = options.resolve ?? (base ? fetchBeside : () => null);
    // No call into the instance spans an await: other code may use the instance meanwhile.
    const files = new Map();
    for (;;) {
      const asked = [];
      let asset = null;
      let failure = null;
      try {
        asset = this.open(bytes, { ...options, name, files: (uri) => files.get(uri) ?? void asked.push(uri) });
      } catch (error) {
        failure = error;
      }
      const wanted = [...new Set(asked)].filter((uri) => !files.has(uri));
      const found = await Promise.all(wanted.map(async (uri) => [uri, await callUser(resolve, uri)]));
      let isMore = false;
      for (const [uri, data] of found) {
        files.set(uri, data ?? undefined);
        isMore ||= data !== undefined && data !== null;
      }
      if (!isMore) {
        if (failure) throw failure;
        return asset;
      }
      asset?.destroy();
    }
  }

  check(bytes, options = {}) {
    try {
      const asset = this.open(bytes, options);
      const findings = [...asset.findings];
      asset.destroy();
      return findings;
    } catch (error) {
      if (error instanceof TendonError && error.findings.length > 0) return [...error.findings];
      throw error;
    }
  }

  createStage(options = {}) {
    return new Stage(this, options);
  }

  packState(block, base = null) {
    takeInstance("the state", block, Uint8Array);
    if (base !== null) takeInstance("the base", base, Uint8Array);
    return this.#convertState("td_state_pack", block, base, "the state is empty");
  }

  unpackState(packed, base = null) {
    takeInstance("the packed state", packed, Uint8Array);
    if (base !== null) takeInstance("the base", base, Uint8Array);
    return this.#convertState("td_state_unpack", packed, base, "the packed state is damaged or belongs to another base");
  }

  #convertState(call, bytes, base, trouble) {
    const instance = this._instance;
    const address = withArrays(instance, [bytes, base], (at, baseAt) =>
      instance.calls[call](at, bytes.length, baseAt, base?.length ?? 0)) >>> 0;
    const { size } = records.readSize(instance);
    if (address === 0) throw size > 0 || (call === "td_state_pack" && bytes.length > 0) ? noMemory("the state") : usage(trouble);
    const result = instance.readBytes(address, size);
    instance.free(address);
    return result;
  }

  loadRecording(bytes) {
    return new Recording(this, bytes);
  }

  createWorld(options = {}) {
    return new World(this, options);
  }

  createHull(points) {
    return createHull(this, points);
  }

  createMesh(positions, indices, options = {}) {
    return createMesh(this, positions, indices, options);
  }

  bake(asset, options = {}) {
    takeInstance("asset", asset, Asset);
    takeOptions(options);
    const stage = this.createStage(options.stage);
    let clip = null;
    try {
      const actor = stage.addActor(asset);
      if (options.clip) actor.play(options.clip);
      if (options.animation !== undefined) actor.play((clip = asset.createClip(options.animation)));
      return actor.bake(options);
    } finally {
      stage.destroy();
      clip?.destroy();
    }
  }
}

// In the order of tdFacing and tdRestPose. After the rests follows a frame, which is given as a number.
const facings = ["auto", "+Z", "-Z", "+X", "-X", "+Y", "-Y"];
const rests = ["auto", "bind", "nodes"];

/** Opens one file: tries, adds the files it refers to, tries again. */
class Opening {
  constructor(tendon, bytes, options) {
    this.tendon = tendon;
    this.instance = tendon._instance;
    this.options = options;
    this.size = bytes.length;
    this.asset = 0;
    this.refused = new Set();
    this.data = this.instance.writeBytes(bytes);
  }

  /** Tries to open the file. @returns URIs of missing files that were not refused yet */
  run() {
    const { calls } = this.instance;
    const { name = "", boneMap, bvhUnit = 0, facing = "auto", rest = "auto" } = this.options;
    const frame = typeof rest === "number" ? rest : 0;
    if (this.asset !== 0) calls.td_asset_destroy(this.asset);
    giveLimits(this.instance, this.options.limits);
    this.asset = this.instance.withTexts([name, boneMap], (nameText, mapText) =>
      calls.td_asset_load(this.data, this.size, nameText, mapText, bvhUnit, facings.indexOf(facing),
        frame > 0 ? rests.length : rests.indexOf(rest), frame, Math.min(this.instance.maxMemory, 2 ** 32 - 1)),
    );
    const missing = [];
    for (let i = 0; ; ++i) {
      const uri = this.instance.readText(calls.td_file_missing(i));
      if (uri === "") return missing;
      if (!this.refused.has(uri)) missing.push(uri);
    }
  }

  /** Adds pairs of URI and bytes. @returns how many had bytes */
  give(files) {
    let count = 0;
    for (const [uri, data] of files) {
      if (data === undefined || data === null) {
        this.refused.add(uri);
        continue;
      }
      const bytes = toBytes(data);
      const address = this.instance.writeBytes(bytes);
      this.instance.withTexts([uri], (text) => this.instance.calls.td_file_add(text, address, bytes.length));
      count += 1;
    }
    return count;
  }

  finish() {
    if (this.asset === 0) {
      throw this.instance.failure("UNREADABLE", `${this.options.name ?? "the file"} cannot be opened`);
    }
    const asset = new Asset(this.tendon, this.asset, this.options.name ?? "", this.instance.readFindings());
    this.asset = 0;
    return asset;
  }

  close() {
    if (this.instance.isDead) return;
    if (this.asset !== 0) this.instance.calls.td_asset_destroy(this.asset);
    this.instance.calls.td_file_clear();
    this.instance.free(this.data);
  }
}

guardClasses(Tendon);
