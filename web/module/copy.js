// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Copies of an instance, also into another thread: its memory, and dumps of the objects that stand on it. Internal to the viewer.
//
// See docs/decisions/180-opening-in-a-worker.md.
import { Asset, Clip } from "./asset.js";
import { Instance } from "./instance.js";
import { Recording } from "./recording.js";
import { Stage } from "./stage.js";
import { Tendon } from "./tendon.js";

/** An instance with memory of a size, for `writeMemory`. Objects of it may be made only after all of its memory is written. */
export async function createBlank(module, options, size) {
  return new Tendon(await Instance.create(module, options, size));
}

/** A copy of a part of the memory. */
export const readMemory = (tendon, at, size) => tendon._instance.readBytes(at, size);

export const writeMemory = (tendon, at, bytes) => new Uint8Array(tendon._instance.memory.buffer).set(bytes, at);

/** Plain data of an asset, a stage with one actor of it and at most one clip that plays there. */
export function dumpObjects({ asset, stage, actor, clip }) {
  return {
    asset: asset._dump(), stage: stage._dump(), actor: actor._dump(),
    clip: clip?._dump() ?? null, plays: actor.plays.map((play) => play._dump()),
  };
}

/** Makes the objects of a dump, on a copy of the memory they stood on. */
export function adoptObjects(tendon, dump) {
  const asset = Asset._adopt(tendon, dump.asset);
  const stage = Stage._adopt(tendon, dump.stage);
  const actor = stage._adoptActor(asset, dump.actor);
  const clip = dump.clip === null ? null : Clip._adopt(asset, dump.clip);
  dump.plays.forEach((play) => actor._adoptPlay(clip, play));
  return { asset, stage, actor, clip };
}

/** Plain data of a recording and one replay of it. */
export const dumpReplay = (replay) => ({ recording: replay.recording._dump(), replay: replay._dump() });

/** Makes the replay of a dump, on a copy of the memory it stood on. */
export const adoptReplay = (tendon, dump) => Recording._adopt(tendon, dump.recording)._addReplay({}, dump.replay);
