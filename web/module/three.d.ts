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

/** What is needed of an Object3D; three.js's own fits. */
export interface ObjectLike {
  parent: ObjectLike | null;
  children: ObjectLike[];
  traverse(visit: (object: any) => void): void;
}

/** What is needed of a GLTFLoader result. */
export interface GltfLike<Object extends ObjectLike = ObjectLike> {
  scene: Object;
  parser: { associations: Map<any, any> };
}

/** Objects by node index; holes where the loader made none. */
export function findObjects<Object extends ObjectLike>(gltf: GltfLike<Object>, root?: ObjectLike): (Object | undefined)[];
/** Node that an object, such as one hit by a Raycaster, belongs to; -1: none. */
export function findNode(gltf: GltfLike, object: ObjectLike): number;

/** Copies an actor's pose (transforms, morph weights) onto the objects of one loaded scene. */
export class SceneDriver {
  /** @param root a clone of the scene to drive instead of the scene itself; its objects must be known to the loader */
  constructor(actor: Actor, gltf: GltfLike, root?: ObjectLike);
  readonly actor: Actor;
  readonly objects: readonly (any | undefined)[];
  /** After a step, or after stage.evaluate or stage.advance. */
  update(): void;
}
