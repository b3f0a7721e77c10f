// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tendon as an ES module; tendon.d.ts documents it. This file holds the entry points, assets and clips; stage.js and
// actor.js the simulation.
import * as records from "./records.js";
import { Instance, TendonError, baseAddress, fetchBytes, toBytes, usage } from "./instance.js";
import { Stage } from "./stage.js";
import { ShapeState } from "./actor.js";

export { TendonError, ShapeState };

export async function loadTendon(source, options) {
  return new Tendon(await Instance.create(source, options));
}

/** Turns the three forms of `files` into one function. */
function makeResolver(files) {
  if (typeof files === "function") return files;
  if (files instanceof Map) return (uri) => files.get(uri);
  if (files) return (uri) => (Object.hasOwn(files, uri) ? files[uri] : undefined);
  return () => undefined;
}

export class Tendon {
  constructor(instance) {
    this._instance = instance;
    const version = instance.calls.td_version();
    this.version = [version >> 16, (version >> 8) & 255, version & 255].join(".");
    this.simd = instance.calls.td_has_simd() !== 0;
    this._contactsOwner = null;
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
    const isAddress = typeof source === "string" || source instanceof URL;
    const base = isAddress ? new URL(String(source), baseAddress()) : null;
    const bytes = isAddress ? await fetchBytes(base) : toBytes(source);
    const name = options.name ?? (base ? decodeURIComponent(base.pathname.split("/").pop()) : undefined);
    const fetchBeside = (uri) => fetchBytes(new URL(uri.split("/").map(encodeURIComponent).join("/"), base)).catch(() => null);
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
      const found = await Promise.all(wanted.map(async (uri) => [uri, await resolve(uri)]));
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

  bake(asset, options = {}) {
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
    const { name = "", boneMap, bvhUnit = 0 } = this.options;
    if (this.asset !== 0) calls.td_asset_destroy(this.asset);
    this.asset = this.instance.withTexts([name, boneMap], (nameText, mapText) =>
      calls.td_asset_load(this.data, this.size, nameText, mapText, bvhUnit, Math.min(this.instance.maxMemory, 2 ** 32 - 1)),
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

export class Asset {
  #address;
  #users = 0;
  #isDestroyed = false;

  constructor(tendon, address, name, findings) {
    this.tendon = tendon;
    this.#address = address;
    this.name = name;
    this.findings = Object.freeze(findings);
    this._describe();
  }

  /** Address for calls; throws when destroyed. */
  get _address() {
    if (this.#isDestroyed) throw usage("the asset was destroyed");
    return this.#address;
  }

  /** Counts users: actors and clips keep the memory of a destroyed asset. */
  _use(by) {
    this.#users += by;
    if (this.#users === 0 && this.#isDestroyed) this.#release();
  }

  #release() {
    if (this.#address !== 0 && !this.tendon.isDead) this.tendon._instance.calls.td_asset_destroy(this.#address);
    this.#address = 0;
  }

  destroy() {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (this.#users === 0) this.#release();
  }

  _describe() {
    const instance = this.tendon._instance;
    const { calls } = instance;
    const list = (count, call, read) =>
      Object.freeze(
        Array.from({ length: count }, (_, i) => {
          calls[call](this.#address, i);
          return read(instance, i);
        }),
      );
    calls.td_asset_describe(this.#address);
    const info = records.readAsset(instance);
    this.kind = info.kind;
    this.scene = info.activeScene;
    this.sceneCount = info.sceneCount;
    this.generator = info.generator;
    this.extensions = list(info.extensionCount, "td_extension_describe", records.readExtension);
    this.nodes = list(info.nodeCount, "td_node_describe", records.readNode);
    this.animations = list(info.animationCount, "td_animation_describe", records.readAnimation);
    this.constraints = list(info.constraintCount, "td_constraint_describe", records.readConstraint);
    this.expressions = list(info.expressionCount, "td_expression_describe", records.readExpression);
    this.bodies = list(info.bodyCount, "td_body_describe", records.readBody);
    this.colliders = list(info.colliderCount, "td_collider_describe", records.readCollider);
    this.joints = list(info.jointCount, "td_joint_describe", (_, i) => this.#readJoint(instance, i));
    this.humanoid = this.#readHumanoid(instance);
    this.#readSprings(instance, list);
  }

  #readJoint(instance, joint) {
    const { limitCount, driveCount, ...info } = records.readJoint(instance);
    const list = (length, call, read) =>
      Array.from({ length }, (_, i) => {
        instance.calls[call](this.#address, joint, i);
        return read(instance);
      });
    return {
      ...info,
      limits: list(limitCount, "td_limit_describe", records.readLimit),
      drives: list(driveCount, "td_drive_describe", records.readDrive),
    };
  }

  #readSprings(instance, list) {
    const { calls } = instance;
    const count = (call) => calls[call](this.#address);
    this.springColliders = list(count("td_spring_collider_count"), "td_spring_collider_describe", records.readSpringCollider);
    this.springColliderGroups = list(count("td_spring_collider_group_count"), "td_spring_collider_group_describe", () => {
      const { name, colliders, colliderCount } = records.readSpringColliderGroup(instance);
      return { name, colliders: instance.readIntegers(colliders, colliderCount) };
    });
    const joints = list(count("td_spring_joint_count"), "td_spring_joint_describe", (_, joint) => {
      const { limit, limitAngles, limitRotation, ...info } = records.readSpringJoint(instance);
      calls.td_spring_joint_parameters(this.#address, joint);
      const parameters = records.readSpringParameters(instance);
      return { ...info, ...parameters, limit: limit === "" ? null : { kind: limit, angles: limitAngles, rotation: limitRotation } };
    });
    this.springs = list(count("td_spring_count"), "td_spring_describe", () => {
      const { name, center, firstJoint, jointCount, colliderGroups, colliderGroupCount } = records.readSpring(instance);
      const groups = instance.readIntegers(colliderGroups, colliderGroupCount);
      return { name, center, firstJoint, joints: joints.slice(firstJoint, firstJoint + jointCount), colliderGroups: groups };
    });
    this.springJoints = joints;
  }

  #readHumanoid(instance) {
    instance.calls.td_humanoid_describe(this.#address);
    const { boneCount, materialValueCount, metaCount, firstPersonCount, ...humanoid } = records.readHumanoid(instance);
    if (humanoid.kind === "") return null;
    const list = (length, call, read) =>
      Array.from({ length }, (_, i) => {
        instance.calls[call](this.#address, i);
        return read(instance);
      });
    const meta = {};
    for (const { key, value, isText, isElement } of list(metaCount, "td_meta_describe", records.readMeta)) {
      const item = isText ? value : JSON.parse(value);
      if (!isElement) meta[key] = item;
      else if (Object.hasOwn(meta, key)) meta[key].push(item);
      else meta[key] = [item];
    }
    const bones = [];
    const places = new Map([[-1, -1]]);
    for (let i = 0; i < boneCount; ++i) {
      instance.calls.td_bone_describe(this.#address, i);
      const bone = records.readBone(instance);
      if (bone.node < 0) continue;
      places.set(i, bones.length);
      bones.push(bone);
    }
    for (const bone of bones) bone.parent = places.get(bone.parent) ?? -1;
    return {
      ...humanoid,
      bones,
      meta,
      materialValues: list(materialValueCount, "td_material_value_describe", records.readMaterialValue),
      firstPerson: list(firstPersonCount, "td_first_person_describe", records.readFirstPerson),
    };
  }

  findNode(name) {
    const { calls } = this.tendon._instance;
    return this.tendon._instance.withTexts([name], (text) => calls.td_asset_find_node(this._address, text));
  }

  findBone(name) {
    const { calls } = this.tendon._instance;
    return this.tendon._instance.withTexts([name], (text) => calls.td_asset_find_bone(this._address, text));
  }

  check() {
    const instance = this.tendon._instance;
    if (instance.calls.td_asset_check(this._address) === 0) throw instance.failure("OUT_OF_MEMORY", "checking");
    return [...this.findings, ...instance.readFindings()];
  }

  _findAnimation(animation) {
    const index = typeof animation === "string" ? this.animations.findIndex((a) => a.name === animation) : animation;
    if (!Number.isInteger(index) || index < 0 || index >= this.animations.length) {
      throw usage(`${this.name || "the asset"} has no animation ${JSON.stringify(animation)}`);
    }
    return index;
  }

  createClip(animation) {
    const instance = this.tendon._instance;
    const index = this._findAnimation(animation);
    const address = instance.calls.td_clip_create(this._address, index);
    if (address === 0) throw instance.failure("IMPOSSIBLE", "the animation cannot be made ready");
    return new Clip(this, address, instance.readFindings());
  }

  retarget(source, options = {}) {
    const instance = this.tendon._instance;
    if (source.tendon !== this.tendon) throw usage("both assets must be of one instance");
    const animation = source._findAnimation(options.animation ?? 0);
    const scaleHips = options.scaleHips ?? true;
    const address = instance.calls.td_clip_retarget(source._address, animation, this._address, scaleHips ? 1 : 0);
    if (address === 0) throw instance.failure("IMPOSSIBLE", "the motion cannot be brought onto this asset");
    return new Clip(this, address, instance.readFindings());
  }

  save(format = "same") {
    const index = ["same", "glb", "gltf"].indexOf(format);
    if (index < 0) throw usage(`there is no format ${JSON.stringify(format)}`);
    return saveAddress(this.tendon._instance, this._address, index);
  }
}

/** Saves the asset at an address. @returns its bytes */
export function saveAddress(instance, address, format) {
  const data = instance.calls.td_asset_save(address, format) >>> 0;
  if (data === 0) throw instance.failure("IMPOSSIBLE", "the asset cannot be written");
  const { size } = records.readSize(instance);
  const bytes = instance.readBytes(data, size);
  instance.calls.td_saved_free(data, size);
  return bytes;
}

export class Clip {
  #address;
  #plays = new Set();

  constructor(asset, address, findings) {
    const instance = asset.tendon._instance;
    this.asset = asset;
    this.#address = address;
    this.findings = Object.freeze(findings);
    instance.calls.td_clip_describe(address);
    const { name, duration, expressionCount } = records.readClip(instance);
    this.name = name;
    this.duration = duration;
    this.expressions = Array.from({ length: expressionCount }, (_, i) =>
      instance.readText(instance.calls.td_clip_expression(address, i)),
    );
    asset._use(1);
  }

  get _address() {
    if (this.#address === 0) throw usage("the clip was destroyed");
    return this.#address;
  }

  /** Plays of this clip; destroy() stops them. */
  get _plays() {
    return this.#plays;
  }

  destroy() {
    if (this.#address === 0) return;
    for (const play of [...this.#plays]) play.stop();
    if (!this.asset.tendon.isDead) this.asset.tendon._instance.calls.td_clip_destroy(this.#address);
    this.#address = 0;
    this.asset._use(-1);
  }
}
