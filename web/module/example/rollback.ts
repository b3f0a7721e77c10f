// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Rollback: steps run ahead with the inputs that are known, and are repeated when late ones arrive.
import { loadTendon, type StepInputs, type Vec3 } from "tendon";

const tendon = await loadTendon();
const stage = tendon.createStage();
const actor = stage.addActor(await tendon.load("door.glb"));
const history = stage.createHistory(16);

// Pushes of all players by step. They come from the network, in any order.
const pushes = new Map<number, { node: number; impulse: Vec3 }[]>();
const applyPushes: StepInputs = (_, step) => {
  for (const { node, impulse } of pushes.get(step) ?? []) actor.getBody(node)?.applyImpulse(impulse);
};

export function advance(): void {
  history.step(applyPushes);
}

export function receive(step: number, node: number, impulse: Vec3): void {
  pushes.set(step, [...(pushes.get(step) ?? []), { node, impulse }]);
  const late = stage.stepCount - step;
  if (late > history.count) throw new Error(`the push of step ${step} came too late`);
  if (late > 0) history.rollback(late, applyPushes);
}

// A player who joins late loads a block of a confirmed step.
export const send = (): Uint8Array => stage.save();
export const join = (block: Uint8Array): void => stage.load(block);
