// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Simulates a file in a Web Worker; a file that takes too long can be stopped. The tests compile this file to check the types.
import { WorkerStage } from "tendon/worker";
import { TendonError } from "tendon";

export async function simulate(bytes: ArrayBuffer, button: HTMLButtonElement): Promise<Float32Array[]> {
  const stage = await WorkerStage.create({ maxMemory: 2 ** 28, onSlow: () => (button.hidden = false) });
  button.onclick = () => stage.stop();
  const heights: Float32Array[] = [];
  try {
    const actor = await stage.addActor(bytes);
    for (let i = 0; i < 60; ++i) {
      const frame = await stage.step();
      heights.push(Float32Array.from(actor.nodes, (_, node) => frame.globals[actor.id]![16 * node + 13]!));
      stage.release(frame);
    }
  } catch (error) {
    if (!(error instanceof TendonError && error.code === "STOPPED")) throw error;
  }
  stage.stop();
  return heights;
}
