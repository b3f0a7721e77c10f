// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon/three: drives the objects of a three.js GLTFLoader result.
//
//     const gltf = await new GLTFLoader().parseAsync(bytes, "");
//     const driver = new SceneDriver(actor, gltf);
//     stage.advance(seconds);
//     driver.update();
import type { Actor } from "./tendon.js";

/** The used part of a three.js Object3D. */
export interface ObjectLike {
  parent: ObjectLike | null;
  children: ObjectLike[];
  traverse(visit: (object: any) => void): void;
}

/** The used part of a GLTFLoader result. */
export interface GltfLike<Object extends ObjectLike = ObjectLike> {
  scene: Object;
  scenes: Object[];
  parser: { json: any; associations: Map<any, any> };
}

/**
 * Objects by node index; holes where the scene has none. Objects that plugins added are skipped. Throws USAGE when objects
 * of nodes were removed.
 */
export function findObjects<Object extends ObjectLike>(gltf: GltfLike<Object>, root?: ObjectLike): (Object | undefined)[];

/** Copies an actor's pose (transforms, morph weights, material values of expressions) onto the objects of one loaded scene. */
export class SceneDriver {
  /** @param root a clone of the scene (SkeletonUtils.clone) to drive instead of the scene itself */
  constructor(actor: Actor, gltf: GltfLike, root?: ObjectLike);
  readonly actor: Actor;
  readonly objects: readonly (any | undefined)[];
  /** Node that an object, such as one hit by a Raycaster, belongs to; -1: none. */
  findNode(object: ObjectLike): number;
  /** After a step, or after stage.evaluate or stage.advance. */
  update(): void;
}
