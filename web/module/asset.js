// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Assets and clips: descriptions of a file, animations made ready to play, saving.
import * as records from "./records.js";
import { guardClasses, takeChoice, takeInstance, takeOptions, takeText, usage } from "./arguments.js";

const roots = ["keep", "in-place", "scale"]; // in the order of tdRootMotion

/** Bits of tdMotionContactKind. */
function takeContacts(contacts) {
  const kinds = ["off", "feet", "hands", "auto"];
  return [contacts].flat().reduce((bits, kind) => bits | takeChoice("contacts", kind, kinds), 0);
}

export class Asset {
  #address;
  #users = 0;
  #isDestroyed = false;
  #isBorrowed;

  /**
   * @param description of a copy (copy.js); read from the engine by default
   * @param isBorrowed whether a replay owns the engine's asset
   */
  constructor(tendon, address, name, findings, description = null, isBorrowed = false) {
    this.tendon = tendon;
    this.#address = address;
    this.#isBorrowed = isBorrowed;
    this.name = name;
    this.findings = Object.freeze(findings);
    if (description === null) this._describe();
    else Object.assign(this, description);
  }

  /** Plain data that make the same asset on a copy of the memory. */
  _dump() {
    const { tendon, name, findings, ...description } = this;
    return { address: this._address, name, findings, description, isBorrowed: this.#isBorrowed };
  }

  static _adopt(tendon, { address, name, findings, description, isBorrowed }) {
    return new Asset(tendon, address, name, findings, description, isBorrowed);
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
    if (this.#address !== 0 && !this.#isBorrowed && !this.tendon.isDead) this.tendon._instance.calls.td_asset_destroy(this.#address);
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
    this.materialValues = list(calls.td_material_value_count(this.#address), "td_material_value_describe", records.readMaterialValue);
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
    takeText("name", name);
    const { calls } = this.tendon._instance;
    return this.tendon._instance.withTexts([name], (text) => calls.td_asset_find_node(this._address, text));
  }

  findBone(name) {
    takeText("name", name);
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
      throw usage(`${this.name || "the asset"} has no animation ${typeof animation === "string" ? JSON.stringify(animation) : typeof animation === "number" ? animation : typeof animation}`);
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
    if (takeInstance("source", source, Asset).tendon !== this.tendon) throw usage("both assets must be of one instance");
    takeOptions(options);
    const animation = source._findAnimation(options.animation ?? 0);
    const scaleHips = options.scaleHips ?? true;
    const root = takeChoice("root", options.root ?? "keep", roots);
    const contacts = takeContacts(options.contacts ?? "off");
    const address = instance.calls.td_clip_retarget(
      source._address, animation, this._address, scaleHips ? 1 : 0, root, contacts);
    if (address === 0) throw instance.failure("IMPOSSIBLE", "the motion cannot be brought onto this asset");
    return new Clip(this, address, instance.readFindings());
  }

  save(format = "same") {
    const index = ["same", "glb", "gltf"].indexOf(format);
    if (index < 0) throw usage("the format must be same, glb or gltf");
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
  #actors = new Set();

  /** @param description of a copy (copy.js); read from the engine by default */
  constructor(asset, address, findings, description = null) {
    this.asset = asset;
    this.#address = address;
    this.findings = Object.freeze(findings);
    if (description === null) this.#describe();
    else Object.assign(this, description);
    asset._use(1);
  }

  #describe() {
    const instance = this.asset.tendon._instance;
    const address = this.#address;
    instance.calls.td_clip_describe(address);
    const { name, duration, expressionCount, contactCount } = records.readClip(instance);
    this.name = name;
    this.duration = duration;
    this.expressions = Array.from({ length: expressionCount }, (_, i) =>
      instance.readText(instance.calls.td_clip_expression(address, i)),
    );
    this.contacts = Array.from({ length: contactCount }, (_, i) => {
      instance.calls.td_clip_contact(address, i);
      return Object.freeze(records.readMotionContact(instance));
    });
  }

  /** Plain data that make the same clip on a copy of the memory. */
  _dump() {
    const { asset, findings, ...description } = this;
    return { address: this._address, findings, description };
  }

  static _adopt(asset, { address, findings, description }) {
    return new Clip(asset, address, findings, description);
  }

  get _address() {
    if (this.#address === 0) throw usage("the clip was destroyed");
    return this.#address;
  }

  /** Plays of this clip; destroy() stops them. */
  get _plays() {
    return this.#plays;
  }

  /** Actors that it played on; destroy() makes them forget it. */
  get _actors() {
    return this.#actors;
  }

  destroy() {
    if (this.#address === 0) return;
    for (const play of [...this.#plays]) play.stop();
    for (const actor of this.#actors) if (!this.asset.tendon.isDead) actor._forgetClip(this);
    this.#actors.clear();
    if (!this.asset.tendon.isDead) this.asset.tendon._instance.calls.td_clip_destroy(this.#address);
    this.#address = 0;
    this.asset._use(-1);
  }
}

guardClasses(Asset, Clip);
