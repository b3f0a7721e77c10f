// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Opens bytes of every accepted type and handles errors. The tests compile this file to check the types.
import { TendonError, loadTendon } from "tendon";
import type { Asset, Finding } from "tendon";

export async function openAll(any: Uint8Array, shared: SharedArrayBuffer, view: DataView): Promise<Asset[]> {
  const tendon = await loadTendon(any, { maxMemory: 2 ** 28 });
  return [tendon.open(any), tendon.open(shared), tendon.open(view), await tendon.load(any.buffer)];
}

export function describe(error: unknown): readonly Finding[] {
  return error instanceof TendonError && error.code === "UNREADABLE" ? error.findings : [];
}
