// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tendon as an ES module: glTF, GLB, VRM and VRMA files that move by themselves. Units are those of glTF: metres,
// seconds, kilograms, radians; quaternions are x, y, z, w; nodes are named by their index in the file.
//
//     const tendon = await loadTendon();
//     const asset = tendon.open(bytes);
//     const stage = tendon.createStage();
//     const actor = stage.addActor(asset);
//     stage.step();
//     actor.globals.subarray(16 * node, 16 * node + 16); // column-major matrix of a node
//
// Objects hold memory of the WebAssembly instance and are given back with destroy(). Destroying twice is
// harmless; using a destroyed object throws a TendonError.
//
// Typed arrays that are called "view" lie in that memory, without a copy. They stay valid until memory grows, which
// any call into Tendon may cause: ask the getter again after each step instead of keeping the array. A view that
// outlived a growth has length 0. Asking costs nothing when nothing has changed. Write only where it says so.

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];

/** Bytes in any wrapping: buffers, shared ones too, and typed arrays (Buffer of Node among them). */
export type Bytes = ArrayBufferLike | ArrayBufferView;

export interface LoadOptions {
  /** Bound of the instance's memory in bytes, default 1 GiB, at most 4 GiB. Whatever needs more fails with a TendonError. */
  maxMemory?: number;
  /** false takes the build without SIMD instructions. Default: SIMD where the machine has it. The results are the same. */
  simd?: boolean;
}

/**
 * Loads the engine.
 * @param source where the .wasm is: its bytes, an address, a response, or a compiled module. Default: the file beside
 *               this module, read from disk in Node and fetched elsewhere.
 */
export function loadTendon(
  source?: Bytes | string | URL | Response | PromiseLike<Response> | WebAssembly.Module | null,
  options?: LoadOptions,
): Promise<Tendon>;

export type ErrorCode =
  /** Nothing usable could be read; `findings` says why. */
  | "UNREADABLE"
  /** The bound of memory was reached. What was there before is whole. */
  | "OUT_OF_MEMORY"
  /** The engine stopped on a fault. This instance is of no use any more, the page is unharmed: load another. */
  | "FAULT"
  /** The call was wrong: a destroyed object, an index out of range. */
  | "USAGE"
  /** What was asked for cannot be done with this file; `findings` may say why. */
  | "IMPOSSIBLE";

export class TendonError extends Error {
  readonly code: ErrorCode;
  readonly findings: readonly Finding[];
}

export type Severity = "error" | "warning" | "info" | "hint";

/** Something worth saying about a file. The codes are listed in docs/diagnostics.md. */
export interface Finding {
  severity: Severity;
  code: string;
  /** Name of the file it is about. */
  source: string;
  /** JSON pointer such as "/nodes/4", "" for the whole file. */
  pointer: string;
  /** Node that the pointer names or lies in; -1: none. */
  node: number;
  /** From 1; 0 when unknown. */
  line: number;
  column: number;
  /** Byte in the file, -1 when the pointer says it better. */
  offset: number;
  message: string;
}

export interface OpenOptions {
  /** Name of the file, for findings. */
  name?: string;
  /**
   * The files that this one refers to, by their relative path. A function is asked once for each; undefined says that
   * it is not to be had.
   */
  files?:
    | Readonly<Record<string, Bytes>>
    | ReadonlyMap<string, Bytes>
    | ((uri: string) => Bytes | undefined | null);
  /** JSON text {"VRM bone": "joint name" or null} for BVH and plain glTF. */
  boneMap?: string;
  /** Metres per unit of a BVH, default: told from the size of the skeleton. */
  bvhUnit?: number;
}

export interface LoadFileOptions extends Omit<OpenOptions, "files"> {
  /** Fetches a file that the asset refers to. Default for an address: relative to it. */
  resolve?: (uri: string) => PromiseLike<Bytes | undefined | null> | Bytes | undefined | null;
}

/** One instance of the engine, with memory of its own. */
export class Tendon {
  private constructor();
  /** Such as "0.1.0". */
  readonly version: string;
  /** Whether this is the build with SIMD instructions. */
  readonly simd: boolean;
  /** Bytes of memory the instance has taken so far, and its bound. */
  readonly memorySize: number;
  readonly maxMemory: number;
  /** Set once a fault stopped the instance. */
  readonly isDead: boolean;

  /** Opens a file (glTF, GLB, VRM, VRMA, BVH; told by its content). @throws TendonError UNREADABLE with the findings */
  open(bytes: Bytes, options?: OpenOptions): Asset;
  /** The same from an address or bytes, with files fetched on demand. */
  load(source: Bytes | string | URL, options?: LoadFileOptions): Promise<Asset>;
  /** Everything worth saying about a file; never throws because of the file. The same findings as `tendon check`. */
  check(bytes: Bytes, options?: OpenOptions): Finding[];
  createStage(options?: StageOptions): Stage;
  /** Runs a file on a stage of its own and writes down how it moved, as GLB. */
  bake(asset: Asset, options?: BakeAssetOptions): BakeResult;
}

export interface NodeInfo {
  name: string;
  /** -1: root. */
  parent: number;
  mesh: number;
  skin: number;
  /** Index into Asset.bodies of the body that this node is; -1: none. */
  body: number;
  translation: Vec3;
  rotation: Quat;
  scale: Vec3;
}

export interface AnimationInfo {
  name: string;
  duration: number;
  channelCount: number;
  /** Nodes it moves. */
  nodeCount: number;
}

export interface ConstraintInfo {
  /** The node that is turned, and the one it follows. */
  node: number;
  source: number;
  kind: "roll" | "aim" | "rotation";
  axis: string;
  weight: number;
  isInCycle: boolean;
}

export interface BoneInfo {
  /** VRM bone name. */
  name: string;
  node: number;
  /** Index into HumanoidInfo.bones of the bone it hangs on; -1: none. */
  parent: number;
}

export interface HumanoidInfo {
  /** "VRM 1.0", "VRM 0.x", "VRM Animation" or "joint names". */
  kind: string;
  hipsHeight: number;
  facesBackward: boolean;
  lookAt: "bone" | "expression" | "";
  /** Only the bones that the model has. */
  bones: BoneInfo[];
}

export interface ExpressionInfo {
  name: string;
  isPreset: boolean;
  isBinary: boolean;
}

export type Motion = "static" | "kinematic" | "dynamic";

export interface BodyInfo {
  node: number;
  motion: Motion;
  /** kg; Infinity: immovable. */
  mass: number;
  colliderCount: number;
  gravityFactor: number;
  dialect: string;
}

export type ShapeKind = "sphere" | "box" | "capsule" | "cylinder" | "plane" | "hull" | "mesh";

export interface ColliderInfo {
  node: number;
  /** Index into Asset.bodies; -1: static. */
  body: number;
  shape: ShapeKind;
  isTrigger: boolean;
  dialect: string;
  /** Indices of the file; -1: none. */
  material: number;
  filter: number;
}

export interface JointLimit {
  /** Which axes of frame A: bits 1 (x), 2 (y), 4 (z). One of the two is 0. */
  linearAxes: number;
  angularAxes: number;
  /** m or rad; infinite where open. One axis: signed; two: distance or cone angle; three: distance or whole angle. */
  min: number;
  max: number;
  /** Infinity: hard. */
  stiffness: number;
  damping: number;
}

export interface JointDrive {
  type: "linear" | "angular";
  mode: "force" | "acceleration";
  /** 0, 1, 2: x, y, z of frame A. */
  axis: number;
  positionTarget: number;
  velocityTarget: number;
  stiffness: number;
  damping: number;
  maxForce: number;
}

export interface JointInfo {
  node: number;
  connectedNode: number;
  bodyA: number;
  bodyB: number;
  enableCollision: boolean;
  dialect: string;
  limits: JointLimit[];
  drives: JointDrive[];
  /** What the limits amount to: "hinge", "ball", … and the axis of frame A it is about (-1: none). */
  type: string;
  axis: number;
}

/** A file as it was read. Immutable; any number of actors may be made of it. */
export class Asset {
  private constructor();
  readonly tendon: Tendon;
  readonly name: string;
  readonly kind: "gltf" | "glb" | "bvh";
  /** What was worth saying when it was opened. check() adds what only shows when it comes to life. */
  readonly findings: readonly Finding[];
  readonly nodes: readonly NodeInfo[];
  readonly animations: readonly AnimationInfo[];
  readonly constraints: readonly ConstraintInfo[];
  readonly expressions: readonly ExpressionInfo[];
  readonly bodies: readonly BodyInfo[];
  readonly colliders: readonly ColliderInfo[];
  readonly joints: readonly JointInfo[];
  /** null when the file has no humanoid. */
  readonly humanoid: HumanoidInfo | null;
  /** Scene that an actor shows by default; -1: the file has none. */
  readonly scene: number;
  readonly sceneCount: number;
  /** The program that wrote the file; "" when it does not say. */
  readonly generator: string;
  /** Extensions the file names, and what Tendon does about them: "played", "read", "kept", "refused" or "unknown". */
  readonly extensions: readonly { name: string; support: string; isRequired: boolean }[];

  /** -1: none of that name. */
  findNode(name: string): number;
  /** Node of a VRM bone; -1: none. */
  findBone(name: string): number;
  check(): Finding[];
  /** A clip of one of the file's own animations, by index or name. */
  createClip(animation: number | string): Clip;
  /** A clip for this avatar out of a humanoid animation of another file (VRMA, VRM, BVH, glTF). */
  retarget(source: Asset, options?: RetargetOptions): Clip;
  /** The file's bytes. "same": as it was read; unchanged files give the same bytes. */
  save(format?: "same" | "glb" | "gltf"): Uint8Array;
  destroy(): void;
}

export interface RetargetOptions {
  /** Animation of the source, by index or name; default 0. */
  animation?: number | string;
  /** Scale the travel of the hips by the ratio of the hips' heights; default true. */
  scaleHips?: boolean;
}

/** An animation made ready for one asset. */
export class Clip {
  private constructor();
  readonly asset: Asset;
  readonly name: string;
  readonly duration: number;
  /** Names of the expressions it carries. */
  readonly expressions: readonly string[];
  readonly findings: readonly Finding[];
  destroy(): void;
}

export interface StageOptions {
  /** m/s², default [0, -9.81, 0]. */
  gravity?: Vec3;
  /** Steps per second, default 60. */
  stepRate?: number;
  /** Of the solver per step, 1 to 64; default 4. */
  subSteps?: number;
  /** Bodies at rest sleep; default true. */
  sleep?: boolean;
}

export interface ActorOptions {
  /** Index; default: the file's own choice. */
  scene?: number;
  position?: Vec3;
  rotation?: Quat;
  /** Defaults true. */
  constraints?: boolean;
  physics?: boolean;
}

export interface ContactEvent {
  type: "contact_begin" | "contact_end";
  /** null: a shape that belongs to no actor. */
  actorA: Actor | null;
  actorB: Actor | null;
  nodeA: number;
  nodeB: number;
  point: Vec3;
  /** From A to B. */
  normal: Vec3;
  /** N s. */
  impulse: number;
}

export interface TriggerEvent {
  type: "trigger_enter" | "trigger_exit";
  trigger: Actor | null;
  visitor: Actor | null;
  triggerNode: number;
  visitorNode: number;
  /** -1: the visitor is static. */
  visitorBodyNode: number;
}

export interface Energy {
  /** J. */
  kinetic: number;
  /** J, of dynamic bodies in the stage's gravity, zero at the origin. */
  potential: number;
  total: number;
}

export interface StepStats {
  bodyCount: number;
  awakeBodyCount: number;
  shapeCount: number;
  /** Pairs of shapes near each other, and those of them that touch. */
  contactCount: number;
  touchCount: number;
  islandCount: number;
  awakeIslandCount: number;
}

export interface RayHit {
  actor: Actor | null;
  /** Of the collider; -1: belongs to no actor. */
  node: number;
  /** Of its body; -1: static. */
  bodyNode: number;
  /** Of the way from start to end. */
  fraction: number;
  point: Vec3;
  /** Zero when the ray starts inside. */
  normal: Vec3;
}

export interface GrabOptions {
  /** How fast the point follows: Hz of the spring, default 5, critically damped. */
  frequency?: number;
  /** Bound of the force in multiples of the body's weight, default 100. */
  maxForce?: number;
}

/** Clock, physics world and actors. */
export class Stage {
  private constructor();
  readonly tendon: Tendon;
  readonly actors: readonly Actor[];
  gravity: Vec3;
  readonly stepRate: number;
  /** Steps done, and their time: stepCount / stepRate. */
  readonly stepCount: number;
  readonly time: number;
  /** Milliseconds the last step took. */
  readonly stepTime: number;
  /** Of all positions and velocities, 16 hexadecimal digits. The same on every machine, browser and native. */
  readonly stateHash: string;
  readonly stats: StepStats;
  readonly energy: Energy;
  /** What happened during the last step. */
  readonly contactEvents: ContactEvent[];
  readonly triggerEvents: TriggerEvent[];
  /** Contact points of the last step, 8 numbers each: point, normal, separation (m), impulse (N s). View. */
  readonly contactPoints: Float32Array;
  /** Nodes of the colliders of each contact point, two numbers each; -1: belongs to no actor. View. */
  readonly contactNodes: Int32Array;

  addActor(asset: Asset, options?: ActorOptions): Actor;
  /** One step, or several. */
  step(count?: number): void;
  /**
   * Lets time pass, for frame loops: steps as often as the clock asks for, at most `maxSteps` (default 8), then poses
   * the actors in between. @returns how many steps were done
   */
  advance(seconds: number, maxSteps?: number): number;
  /** Poses all actors at a time between the last two steps; at step 0 the file's state after clips and constraints. */
  evaluate(time: number): void;
  /** Nearest collider between two points. Triggers are not hit. */
  castRay(start: Vec3, end: Vec3): RayHit | null;
  /**
   * Takes hold of the dynamic body that a node belongs to, at a point of the world, with a soft drive.
   * @returns null when there is no such body
   */
  grab(actor: Actor, node: number, point: Vec3, options?: GrabOptions): Grab | null;
  /** Destroys its actors too. */
  destroy(): void;
}

/** A hand on a body. */
export class Grab {
  private constructor();
  readonly actor: Actor;
  /** Of the body. */
  readonly node: number;
  /** Where the hand is, and where the grabbed point of the body is now. */
  readonly target: Vec3;
  readonly point: Vec3;
  move(target: Vec3): void;
  release(): void;
}

export interface PlayOptions {
  /** Seconds into the clip, default 0. */
  start?: number;
  /** Default 1. */
  speed?: number;
  weight?: number;
  /** Default false: the last key is held. */
  loop?: boolean;
}

/** A clip that plays on an actor. */
export class Play {
  private constructor();
  readonly actor: Actor;
  readonly clip: Clip;
  readonly isPlaying: boolean;
  /** Time in the clip; writing jumps there. */
  time: number;
  speed: number;
  weight: number;
  stop(): void;
}

export interface LocalParts {
  translation?: Vec3;
  rotation?: Quat;
  scale?: Vec3;
}

export interface ShapeInfo {
  /** Node of the collider. */
  node: number;
  /** Node of its body; -1: static. */
  bodyNode: number;
  kind: ShapeKind;
  isTrigger: boolean;
  /** sphere: radius. box: whole sizes. capsule, cylinder: height, bottom, top radius. plane: sizes (may be Infinity). */
  dimensions: number[];
}

/** What a collider is at present; a trigger stays one whatever its body does. */
export declare const ShapeState: Readonly<{ Static: 0; Kinematic: 1; Dynamic: 2; Sleeping: 3; Trigger: 4 }>;

export interface BodyState {
  node: number;
  motion: Motion;
  isAwake: boolean;
  mass: number;
  /** In the world. */
  centerOfMass: Vec3;
  linearVelocity: Vec3;
  angularVelocity: Vec3;
  inertia: Vec3;
}

export interface JointState {
  isBroken: boolean;
  /** Present values of the limits (as JointInfo.limits) and drives, m or rad. */
  limitValues: number[];
  driveValues: number[];
  /** N and N m on body B during the last step. */
  force: Vec3;
  torque: Vec3;
}

/** One living copy of an asset. */
export class Actor {
  private constructor();
  readonly stage: Stage;
  readonly asset: Asset;
  /** What was worth saying when the asset came to life. */
  readonly findings: readonly Finding[];
  /** Local transforms, 10 numbers per node: translation 3, rotation 4, scale 3. View. */
  readonly locals: Float32Array;
  /** Global transforms, 16 numbers per node, column-major matrices. View. */
  readonly globals: Float32Array;
  /** Morph weights of a node; empty when it has none. View. */
  morphWeights(node: number): Float32Array;

  play(clip: Clip, options?: PlayOptions): Play;
  /** Clips that play. */
  readonly plays: readonly Play[];

  /** The application writes (parts of) a local transform from the next step on, until cleared. */
  setLocal(node: number, local: LocalParts): void;
  clearLocal(node: number): void;
  setPlacement(position: Vec3, rotation?: Quat): void;

  constraintsEnabled: boolean;
  setConstraintWeight(node: number, weight: number): void;
  getConstraintWeight(node: number): number;
  /** null gives it back to the clips. */
  setExpression(name: string, weight: number | null): void;
  getExpression(name: string): number;
  /** Radians: yaw to the character's left, pitch down. */
  setGaze(yaw: number, pitch: number): void;
  clearGaze(): void;

  /** At a point of the world, or at the centre of mass. */
  applyImpulse(node: number, impulse: Vec3, point?: Vec3): void;
  setLinearVelocity(node: number, velocity: Vec3): void;
  setAngularVelocity(node: number, velocity: Vec3): void;
  /** Of the body that a node belongs to; null: none. */
  getBodyState(node: number): BodyState | null;

  /** Colliders in the world, in an order that stays. Empty without physics. */
  readonly shapes: readonly ShapeInfo[];
  /** Where they are, 7 numbers each: position 3, rotation 4. View. */
  readonly shapeTransforms: Float32Array;
  /** ShapeState of each. View. */
  readonly shapeStates: Uint8Array;
  /** Wireframe of a shape in the space of its transform: 6 numbers per line. A copy, to keep. */
  getShapeLines(shape: number): Float32Array;
  /** Centres of mass of the bodies (as Asset.bodies), 3 numbers each, in the world. View. */
  readonly centersOfMass: Float32Array;
  /** Frames of the joints (as Asset.joints) in the world, 14 numbers each: frame A 7, frame B 7. View. */
  readonly jointFrames: Float32Array;
  getJointState(joint: number): JointState;

  /** Steps the stage and writes down how this actor moved. */
  bake(options?: BakeOptions): BakeResult;
  /** Records what the application steps by itself. */
  record(options?: BakeOptions): Tape;
  destroy(): void;
}

export interface BakeOptions {
  /** Default: until the last playing clip ends, else 10. */
  seconds?: number;
  /** Captures per second, default 30. */
  frameRate?: number;
  warmup?: number;
  /** Stop once every body sleeps; default false. */
  untilRest?: boolean;
  loopBlend?: number;
  /** m, default 1e-4; rad, default 5e-4; default 1e-3. */
  positionTolerance?: number;
  angleTolerance?: number;
  weightTolerance?: number;
  /** Of the animation, default "baked". */
  name?: string;
  /** Remove the physics extensions' objects; default false. */
  stripPhysics?: boolean;
  /** Remove the animations that were played; default false. */
  replaceAnimations?: boolean;
}

export interface BakeAssetOptions extends BakeOptions {
  /** Clip or animation to play meanwhile; default: none. */
  clip?: Clip;
  animation?: number | string;
  stage?: StageOptions;
}

export interface BakeResult {
  glb: Uint8Array;
  findings: Finding[];
}

/** What an actor did so far. */
export class Tape {
  private constructor();
  readonly frameCount: number;
  /** Writes down the present pose, at the stage's time or a time of one's own (ascending). */
  capture(time?: number): void;
  bake(): BakeResult;
  destroy(): void;
}
