// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon/babylon: drives nodes that Babylon.js loaded from a glTF file.
//
//     const container = await LoadAssetContainerAsync(url, scene);
//     container.addAllToScene();
//     const driver = new BabylonDriver(actor, container.getNodes());
//     scene.onBeforeRenderObservable.add(() => {
//       stage.advance(engine.getDeltaTime() / 1000);
//       driver.update();
//     });
import type { Actor } from "./tendon.js";

/** The used part of a Babylon.js TransformNode. */
export interface BabylonNode {
  parent: unknown;
  position: { set(x: number, y: number, z: number): unknown };
  /** Null where Babylon uses the Euler angles of `rotation`; the driver sets it then. */
  rotationQuaternion: { set(x: number, y: number, z: number, w: number): unknown } | null;
  rotation: { toQuaternion(): unknown };
  scaling: { set(x: number, y: number, z: number): unknown };
}

/**
 * Copies an actor's local transforms and morph weights onto the nodes of one loaded file. The loader's root node converts the
 * handedness; leave it as it is.
 */
export class BabylonDriver {
  /** @param nodes all nodes of the file, such as container.getNodes(); others are skipped. Throws USAGE when drawn ones are missing */
  constructor(actor: Actor, nodes: Iterable<any>);
  readonly actor: Actor;
  /** By node index; holes where there is none. */
  readonly nodes: readonly (any | undefined)[];
  /** Node that a mesh, such as one hit by a pick, belongs to; -1: none. The first one if several nodes share a skinned mesh. */
  findNode(node: any): number;
  /** After a step, or after stage.evaluate or stage.advance. */
  update(): void;
}
