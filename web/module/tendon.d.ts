// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tendon as an ES module: physics, constraints and motion for glTF, GLB, VRM, VRMA and BVH files. Units are those of glTF:
// metres, seconds, kilograms, radians. Quaternions are x, y, z, w. Nodes are identified by their index in the file.
//
//     const tendon = await loadTendon();
//     const asset = tendon.open(bytes);
//     const stage = tendon.createStage();
//     const actor = stage.addActor(asset);
//     stage.step();
//     actor.globals.subarray(16 * node, 16 * node + 16); // column-major matrix of a node
//
// Objects own memory of the WebAssembly instance; destroy() releases it. Destroying twice has no effect; using a destroyed
// object throws a TendonError.
//
// Typed arrays documented as views refer to that memory without a copy. They are valid until memory grows, which any call
// may cause: call the getter after each step instead of keeping the array. A detached view has length 0. The getter is
// cheap when memory has not grown. Write to a view only where its documentation allows it.

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];

/** Bytes: buffers, shared buffers and typed arrays, including Node's Buffer. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

export interface LoadOptions {
  /** Memory limit of the instance in bytes; default 1 GiB, at most 4 GiB. Exceeding it throws a TendonError. */
  maxMemory?: number;
  /** false loads the build without SIMD. Default: SIMD where supported. Both give the same results. */
  simd?: boolean;
}

/**
 * Loads the engine.
 * @param source the .wasm: its bytes, a URL, a Response or a compiled module. Default: the file beside this module, read
 *               from disk in Node and fetched elsewhere.
 */
export function loadTendon(
  source?: Bytes | string | URL | Response | PromiseLike<Response> | WebAssembly.Module | null,
  options?: LoadOptions,
): Promise<Tendon>;

export type ErrorCode =
  /** The file could not be read; `findings` says why. */
  | "UNREADABLE"
  /** The memory limit was reached. Existing objects stay valid. */
  | "OUT_OF_MEMORY"
  /** The engine stopped on a fault. This instance is unusable; load another one. */
  | "FAULT"
  /** Wrong use of the API, such as a destroyed object, an index out of range, or a number that is not finite. */
  | "USAGE"
  /** The file does not allow the operation; `findings` may say why. */
  | "IMPOSSIBLE"
  /** The worker of a WorkerStage was stopped. */
  | "STOPPED";

export class TendonError extends Error {
  readonly code: ErrorCode;
  readonly findings: readonly Finding[];
}

export type Severity = "error" | "warning" | "info" | "hint";

/** A diagnostic about a file. docs/diagnostics.md lists the codes. */
export interface Finding {
  severity: Severity;
  code: string;
  /** Name of the file. */
  source: string;
  /** JSON pointer such as "/nodes/4", "" for the whole file. */
  pointer: string;
  /** Node that the pointer refers to; -1: none. */
  node: number;
  /** From 1; 0 when unknown. */
  line: number;
  column: number;
  /** Byte offset in the file; -1 where a pointer is given. */
  offset: number;
  message: string;
}

export interface OpenOptions {
  /** Name of the file, for findings. */
  name?: string;
  /**
   * Files that the asset refers to, by relative path. A function is called once for each file and returns undefined for
   * missing ones.
   */
  files?:
    | Readonly<Record<string, Bytes>>
    | ReadonlyMap<string, Bytes>
    | ((uri: string) => Bytes | undefined | null);
  /** JSON text {"VRM bone": "joint name" or null} for BVH and plain glTF. */
  boneMap?: string;
  /** Metres per unit of a BVH file; default: estimated from the size of the skeleton. */
  bvhUnit?: number;
  /** Direction in which a humanoid faces at rest; default "auto": found from the skeleton. */
  facing?: "auto" | "+Z" | "-Z" | "+X" | "-X" | "+Y" | "-Y";
  /**
   * Source of the T-pose of a BVH or a glTF with joint names: inverse bind matrices, nodes, or the number of a frame of
   * the first animation, from 1 on. Default "auto": nodes, or bind matrices if the nodes hold a pose.
   */
  rest?: "auto" | "bind" | "nodes" | number;
  /**
   * Upper bounds of what the file may cause. A file above one throws UNREADABLE with a finding
   * LIMIT_EXCEEDED, above `memory` OUT_OF_MEMORY with MEMORY_LIMIT.
   */
  limits?: Limits;
}

/** Upper bounds for untrusted files, as in limits.h; 0 or absent: the default. */
export interface Limits {
  /** Seconds of an animation. */
  duration?: number;
  nodes?: number;
  accessorBytes?: number;
  triangles?: number;
  hullPoints?: number;
  joints?: number;
  filters?: number;
  keys?: number;
  /** Recorded by one trace or bake. */
  frames?: number;
  /** Pairs of shapes with overlapping boxes. */
  pairs?: number;
  /** Touching pairs. */
  contacts?: number;
  outputBytes?: number;
  /** Of all images that a renderer decodes. */
  texels?: number;
  /** Bytes of one file, or of one stage. */
  memory?: number;
}

export interface LoadFileOptions extends Omit<OpenOptions, "files"> {
  /** Fetches a file that the asset refers to. Default for a URL: relative to it. */
  resolve?: (uri: string) => PromiseLike<Bytes | undefined | null> | Bytes | undefined | null;
}

/** One instance of the engine with its own memory. */
export class Tendon {
  private constructor();
  /** Such as "0.1.0". */
  readonly version: string;
  /** Whether this is the build with SIMD instructions. */
  readonly simd: boolean;
  /** Current memory of the instance and its limit, in bytes. */
  readonly memorySize: number;
  readonly maxMemory: number;
  /** True after a fault stopped the instance. */
  readonly isDead: boolean;

  /** Opens a file (glTF, GLB, VRM, VRMA, BVH; detected by content). @throws TendonError UNREADABLE with the findings */
  open(bytes: Bytes, options?: OpenOptions): Asset;
  /** Opens a file from a URL or bytes and fetches the files it refers to. */
  load(source: Bytes | string | URL, options?: LoadFileOptions): Promise<Asset>;
  /** Checks a file; the same findings as `tendon check`. Never throws because of the file. */
  check(bytes: Bytes, options?: OpenOptions): Finding[];
  createStage(options?: StageOptions): Stage;
  /** Creates a physics world without a stage: bodies from code only. */
  /**
   * Packs a state of stage.save() or world.save() without loss, alone or as the difference from an earlier state `base` of the
   * same stage, for storage and networks.
   */
  packState(block: Uint8Array, base?: Uint8Array | null): Uint8Array;
  /** Unpacks a state. @throws USAGE if it is damaged or belongs to another base */
  unpackState(packed: Uint8Array, base?: Uint8Array | null): Uint8Array;
  /** Loads a recording of a stage. @throws UNREADABLE if it is damaged or of another format version */
  loadRecording(bytes: Bytes): Recording;
  createWorld(options?: WorldOptions): World;
  /** Cooks the convex hull of points, three numbers each. @throws TendonError USAGE for fewer than 4 points and flat sets */
  createHull(points: ArrayLike<number> & Iterable<number>): Geometry;
  /**
   * Cooks a triangle mesh.
   * @param positions three numbers each
   * @param indices three per triangle, counter-clockwise from the front; default 0, 1, 2, ...
   */
  createMesh(positions: ArrayLike<number> & Iterable<number>, indices?: (ArrayLike<number> & Iterable<number>) | null, options?: MeshOptions): Geometry;
  /** Simulates a file on its own stage and returns the motion as a baked GLB. */
  bake(asset: Asset, options?: BakeAssetOptions): BakeResult;
}

export interface NodeInfo {
  name: string;
  /** -1: root. */
  parent: number;
  mesh: number;
  skin: number;
  /** Index of the node's body in Asset.bodies; -1: none. */
  body: number;
  translation: Vec3;
  rotation: Quat;
  scale: Vec3;
}

export interface AnimationInfo {
  name: string;
  duration: number;
  channelCount: number;
  /** Number of nodes that it moves. */
  nodeCount: number;
}

export interface ConstraintInfo {
  /** The constrained node and its source. */
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
  /** Index of the parent bone in HumanoidInfo.bones; -1: none. */
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
  /** Name, authors, licence and permissions, as in the file; empty without a VRM. */
  meta: Record<string, string | number | boolean | (string | number | boolean)[]>;
  /** As Asset.materialValues. */
  materialValues: MaterialValueInfo[];
  /** Meshes with a first-person flag; others are "auto". */
  firstPerson: FirstPersonInfo[];
}

export interface MaterialValueInfo {
  /** Index in the file. */
  material: number;
  /** Such as "baseColorTexture"; "" for colours. */
  texture: string;
  kind:
    | "color"
    | "emissionColor"
    | "shadeColor"
    | "matcapColor"
    | "rimColor"
    | "outlineColor"
    | "textureOffset"
    | "textureScale";
  /** Components: 4, 3 or 2. */
  width: number;
  /** Value without expressions; colours are linear. */
  base: [number, number, number, number];
  /** JSON pointer of the value in the file. */
  pointer: string;
}

export interface FirstPersonInfo {
  node: number;
  type: "auto" | "both" | "thirdPersonOnly" | "firstPersonOnly";
}

export interface ExpressionInfo {
  name: string;
  isPreset: boolean;
  isBinary: boolean;
  /** "none", "block" or "blend". */
  overrideBlink: string;
  overrideLookAt: string;
  overrideMouth: string;
  morphBindCount: number;
  materialBindCount: number;
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
  /** Joint type that the limits form ("hinge", "ball", …) and its axis in frame A (-1: none). */
  type: string;
  axis: number;
}

/** A file in memory. Immutable; any number of actors can be created from it. */
export class Asset {
  private constructor();
  readonly tendon: Tendon;
  readonly name: string;
  readonly kind: "gltf" | "glb" | "bvh";
  /** Findings of opening the file. check() adds those of creating an actor. */
  readonly findings: readonly Finding[];
  readonly nodes: readonly NodeInfo[];
  readonly animations: readonly AnimationInfo[];
  readonly constraints: readonly ConstraintInfo[];
  readonly expressions: readonly ExpressionInfo[];
  /** Values of materials that expressions or animations change; Actor.materialValues has the current ones. */
  readonly materialValues: readonly MaterialValueInfo[];
  readonly bodies: readonly BodyInfo[];
  readonly colliders: readonly ColliderInfo[];
  readonly joints: readonly JointInfo[];
  /** null when the file has no humanoid. */
  readonly humanoid: HumanoidInfo | null;
  /** Spring bones; those of VRM 0.x are bone groups, which may branch. */
  readonly springs: readonly SpringInfo[];
  /** Joints of all springs, spring after spring. */
  readonly springJoints: readonly SpringJointInfo[];
  readonly springColliders: readonly SpringColliderInfo[];
  readonly springColliderGroups: readonly { name: string; colliders: readonly number[] }[];
  /** Default scene of an actor; -1: the file has none. */
  readonly scene: number;
  readonly sceneCount: number;
  /** asset.generator; "" when absent. */
  readonly generator: string;
  /** Extensions of the file with Tendon's support: "played", "read", "kept", "refused" or "unknown". */
  readonly extensions: readonly { name: string; support: string; isRequired: boolean }[];

  /** Index of the node of that name; -1: none. */
  findNode(name: string): number;
  /** Node of a VRM bone; -1: none. */
  findBone(name: string): number;
  check(): Finding[];
  /** Creates a clip of an animation of this file, by index or name. */
  createClip(animation: number | string): Clip;
  /** Retargets a humanoid animation of another file (VRMA, VRM, BVH, glTF) to this avatar. */
  retarget(source: Asset, options?: RetargetOptions): Clip;
  /** Saves the file. "same" keeps the kind of file and gives the bytes that were read. */
  save(format?: "same" | "glb" | "gltf"): Uint8Array;
  destroy(): void;
}

export interface SpringInfo {
  name: string;
  /** Node whose motion causes no inertia; -1: none. */
  center: number;
  /** Index of its first joint in Asset.springJoints. */
  firstJoint: number;
  joints: readonly SpringJointInfo[];
  /** Indices into Asset.springColliderGroups. */
  colliderGroups: readonly number[];
}

export interface SpringParameters {
  /** m */
  hitRadius: number;
  /** Displacement towards rest, m/s. */
  stiffness: number;
  /** Displacement along gravityDir, m/s. */
  gravityPower: number;
  /** In the world; need not be a unit vector. */
  gravityDir: [number, number, number];
  /** 0 to 1: the part of the motion that is lost in each step. */
  dragForce: number;
}

/** A node that a spring turns. */
export interface SpringJointInfo extends SpringParameters {
  spring: number;
  node: number;
  /** -1: a virtual tail (VRM 0.x). */
  tailNode: number;
  /** Rest position of the tail in the frame of the node. */
  tail: [number, number, number];
  /** The tail is at the node's origin: the joint keeps its rest rotation. */
  isInert: boolean;
  /** VRMC_springBone_limit, a draft: angles in radians. */
  limit: { kind: "cone" | "hinge" | "spherical"; angles: [number, number]; rotation: [number, number, number, number] } | null;
}

/** Vectors are in the frame of the node. */
export interface SpringColliderInfo {
  node: number;
  shape: "sphere" | "capsule" | "plane" | "inside sphere" | "inside capsule";
  /** Centre, first end of a capsule, or a point of a plane. */
  offset: [number, number, number];
  /** Second end of a capsule. */
  tail: [number, number, number];
  normal: [number, number, number];
  /** m; the scale of the node does not change it. */
  radius: number;
}

export interface RetargetOptions {
  /** Animation of the source, by index or name; default 0. */
  animation?: number | string;
  /** Scale hip translation by the ratio of hip heights; default true. */
  scaleHips?: boolean;
  /** Travel of the hips: as the motion travels (default), without horizontal travel, or by the ratio of leg lengths. */
  root?: "keep" | "in-place" | "scale";
  /** Contacts of the motion that the avatar keeps; default "off". "auto": feet and hands. */
  contacts?: MotionContactKind | readonly MotionContactKind[];
}

export type MotionContactKind = "auto" | "off" | "feet" | "hands";

/** A contact of a foot or hand that was found in the source of a retarget. Times in s. */
export interface MotionContact {
  readonly bone: string;
  readonly start: number;
  readonly end: number;
}

/** An animation prepared for one asset. */
export class Clip {
  private constructor();
  readonly asset: Asset;
  readonly name: string;
  readonly duration: number;
  /** Names of its expressions. */
  readonly expressions: readonly string[];
  /** Contacts that a retarget with `contacts` found. */
  readonly contacts: readonly MotionContact[];
  readonly findings: readonly Finding[];
  destroy(): void;
}

export interface StageOptions {
  /** m/s², default [0, -9.81, 0]. */
  gravity?: Vec3;
  /** Steps per second, default 60. */
  stepRate?: number;
  /** Solver sub-steps per step, 1 to 64; default 4. */
  subSteps?: number;
  /** Whether bodies at rest sleep; default true. Sleep changes positions by rest noise only. */
  sleep?: boolean;
  /** Limits of runs and memory. A stage that reaches one of pairs or contacts goes on with the first of them. */
  limits?: Limits;
}

export interface ActorOptions {
  /** Scene index; default: the file's default scene. */
  scene?: number;
  position?: Vec3;
  rotation?: Quat;
  /** Defaults true. */
  constraints?: boolean;
  physics?: boolean;
  springs?: boolean;
  /** Springs also collide with the solid colliders of the stage; default false. */
  springsHitStage?: boolean;
  /** overrideLookAt of expressions also fades eye bones; default false. */
  overrideBoneGaze?: boolean;
}

export interface ContactEvent {
  type: "contact_begin" | "contact_end";
  /** null: the shape belongs to no actor. */
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
  /** Pairs of shapes whose fat boxes overlap. */
  contactCount: number;
  /** Awake contacts with contact points. */
  touchCount: number;
  islandCount: number;
  awakeIslandCount: number;
  /** Separated contacts that the narrow phase tested. */
  pairsTested: number;
  /** Touching contacts that the narrow phase updated. */
  manifoldsMade: number;
  /** Touching contacts that kept their manifold. */
  manifoldsKept: number;
  /** Shapes that left their fat box. */
  movedProxyCount: number;
  /** Bodies that needed continuous collision. */
  continuousCount: number;
  /** Pairs of shapes that continuous collision tested. */
  sweptPairCount: number;
  /** Bodies that exceeded the largest speed and were clamped. */
  clampedCount: number;
}

export interface RayHit {
  actor: Actor | null;
  /** Node of the collider; -1: it belongs to no actor. */
  node: number;
  /** Node of its body; -1: static. */
  bodyNode: number;
  /** Fraction of the distance from start to end. */
  fraction: number;
  point: Vec3;
  /** Zero when the ray starts inside. */
  normal: Vec3;
}

export interface GrabOptions {
  /** Frequency of the critically damped spring in Hz; default 5. */
  frequency?: number;
  /** Force limit as a multiple of the body's weight; default 100. */
  maxForce?: number;
}

/** Clock, physics world and actors. */
export class Stage {
  private constructor();
  readonly tendon: Tendon;
  readonly actors: readonly Actor[];
  gravity: Vec3;
  /** Whether bodies at rest sleep. Turning it off wakes all of them. */
  sleep: boolean;
  readonly stepRate: number;
  /** Whether the last step reached the limit of pairs or contacts. */
  readonly isLimited: boolean;
  /** Number of steps, and their time stepCount / stepRate in seconds. */
  readonly stepCount: number;
  readonly time: number;
  /** Duration of the last step in milliseconds. */
  readonly stepTime: number;
  /** State hash of all positions and velocities, 16 hexadecimal digits; identical on every platform. */
  readonly stateHash: string;
  /** The physics world, for bodies and joints from code, forces and queries. The stage steps and owns it. */
  readonly world: World;
  readonly stats: StepStats;
  readonly energy: Energy;
  /** Events of the last step. */
  readonly contactEvents: ContactEvent[];
  readonly triggerEvents: TriggerEvent[];
  /** Contact points of the last step, 8 numbers each: point, normal, separation (m), impulse (N s). View. */
  readonly contactPoints: Float32Array;
  /** Collider nodes of each contact point, two numbers each; -1: of no actor. View. */
  readonly contactNodes: Int32Array;

  addActor(asset: Asset, options?: ActorOptions): Actor;
  /** One step, or several. */
  step(count?: number): void;
  /**
   * Advances time in a frame loop: makes the steps that are due, at most `maxSteps` (default 8), then interpolates poses.
   * @returns the number of steps
   */
  advance(seconds: number, maxSteps?: number): number;
  /**
   * Advances by one frame of any length: springs take one step of exactly `seconds`, as in three-vrm, and their motion
   * depends on the frame rate. Prefer advance(), whose motion does not.
   */
  stepVariable(seconds: number): void;
  /** Poses all actors at a time between the last two steps; before the first step at the initial state. */
  evaluate(time: number): void;
  /** Nearest collider between two points. Triggers are not hit. */
  castRay(start: Vec3, end: Vec3): RayHit | null;
  /**
   * Grabs the dynamic body of a node at a world point with a spring.
   * @returns null when the node has no dynamic body
   */
  grab(actor: Actor, node: number, point: Vec3, options?: GrabOptions): Grab | null;
  /**
   * The complete state: world, clock, poses, plays, overrides, constraints, springs, expressions, gaze, events. A block is
   * the same on every platform: a native program loads it, too.
   */
  save(): Uint8Array;
  /**
   * Restores a saved state. Later steps repeat to the bit, and plays, grabs, bodies and joints of that moment are valid
   * again. The stage must have the same actors, of the same files in the same order; clips that play in the block must have
   * played on their actor before. A block of anything else is refused and changes nothing.
   */
  load(block: Uint8Array): void;
  /** Keeps the states before the last `capacity` steps, for rollback. */
  createHistory(capacity: number): History;
  /**
   * Records every call that changes the stage, with its files, and the result of every step. The stage must be new: without
   * actors, bodies and steps. Recording does not change the motion.
   */
  record(options?: RecordOptions): Recorder;
  /** Destroys the stage with its actors and histories. */
  destroy(): void;
}

/**
 * Applies the inputs of a step: everything that the application does to the stage before it. It must depend on the index of
 * the step and on recorded inputs alone.
 */
export type StepInputs = (stage: Stage, step: number) => void;

/** The states before the last steps of a stage. */
export class History {
  private constructor();
  readonly stage: Stage;
  readonly capacity: number;
  /** Number of steps that can be undone, and the memory of their states. */
  readonly count: number;
  readonly byteCount: number;
  /** Keeps the state, applies inputs and makes a step. An error of `apply` goes to the caller; its inputs stay applied. */
  step(apply?: StepInputs | null): void;
  /** Undoes the last steps. */
  undo(steps: number): void;
  /** Undoes steps and makes as many again, with the inputs that `apply` gives now. */
  rollback(steps: number, apply?: StepInputs | null): void;
  destroy(): void;
}

export interface RecordOptions {
  /** Text that identifies the program, kept in the recording. */
  build?: string;
  /** Greatest size of a file with the files it refers to, default 256 MiB. */
  maxAssetBytes?: number;
}

/** Records a stage, see docs/time.md. */
export class Recorder {
  private constructor();
  readonly stage: Stage;
  /** Bytes of the recording since the last call, for programs that write it while it grows. */
  take(): Uint8Array;
  /**
   * Ends the recording.
   * @returns the bytes that take() has not returned: without take() a complete `.tdrec` file
   * @throws IMPOSSIBLE if a file could not be recorded
   */
  finish(): Uint8Array;
  /** Stops recording without an end. */
  destroy(): void;
}

/** A file of a recording. */
export interface RecordedAsset {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Files that it refers to, by URI. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A recording (`.tdrec`) of this or another platform. */
export class Recording {
  private constructor();
  readonly tendon: Tendon;
  /** Warnings, such as a missing end. */
  readonly findings: readonly Finding[];
  /** Of the library that recorded it, such as "0.9.0". */
  readonly version: string;
  readonly build: string;
  /** Hz. */
  readonly stepRate: number;
  readonly stepCount: number;
  /** Bodies that moved, counted by the greatest index. */
  readonly bodyCount: number;
  /** False if the file was cut off. */
  readonly isComplete: boolean;
  readonly assets: readonly RecordedAsset[];
  /** Starts to repeat the run on a stage of its own. */
  replay(options?: { limits?: Limits }): Replay;
  /** Destroys the recording with its replays. */
  destroy(): void;
}

/** The first body whose transform differs from the recorded one. */
export interface BodyDifference {
  /** From 1. */
  readonly step: number;
  /** -1: the states differ, but no body's transform does. */
  readonly body: number;
  /** Index of the actor and node of the body; -1: made by the application. */
  readonly actor: number;
  readonly node: number;
  readonly name: string;
  readonly recorded: { readonly position: Vec3; readonly rotation: Quat };
  readonly repeated: { readonly position: Vec3; readonly rotation: Quat };
}

/** Repeats a recording. Its stage and actors are for reading; calls that change them change the motion. */
export class Replay {
  private constructor();
  readonly recording: Recording;
  readonly stage: Stage;
  /** Steps made so far. */
  readonly stepCount: number;
  /** In the order of creation, from their first step on; null: destroyed. */
  readonly actors: readonly (Actor | null)[];
  /** Of the first step that differed, null: none did. */
  readonly difference: BodyDifference | null;
  /**
   * Applies the inputs of the next step, makes it, and compares it with the recorded one.
   * @throws IMPOSSIBLE if the step cannot be repeated
   */
  step(): "same" | "differs" | "end";
  destroy(): void;
}

/** A grabbed body. */
export class Grab {
  private constructor();
  readonly actor: Actor;
  /** Of the body. */
  readonly node: number;
  /** Target of the grab, and current position of the grabbed point. */
  readonly target: Vec3;
  readonly point: Vec3;
  /** False after release(), and true again when a state of a moment before that was loaded. */
  readonly isHeld: boolean;
  move(target: Vec3): void;
  release(): void;
}

export interface PlayOptions {
  /** Seconds into the clip, default 0. */
  start?: number;
  /** Default 1. */
  speed?: number;
  weight?: number;
  /** Default false: the clip holds its last key. */
  loop?: boolean;
}

/** A clip playing on an actor. */
export class Play {
  private constructor();
  readonly actor: Actor;
  readonly clip: Clip;
  readonly isPlaying: boolean;
  /** Time in the clip; setting it seeks. */
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

/** State of a collider; triggers are always Trigger. */
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
  /** Current values of the limits (as in JointInfo.limits) and drives, m or rad. */
  limitValues: number[];
  driveValues: number[];
  /** N and N m on body B during the last step. */
  force: Vec3;
  torque: Vec3;
}

/** An instance of an asset on a stage. */
export class Actor {
  private constructor();
  readonly stage: Stage;
  readonly asset: Asset;
  /** Findings of creating the actor. */
  readonly findings: readonly Finding[];
  /** Local transforms, 10 numbers per node: translation 3, rotation 4, scale 3. View. */
  readonly locals: Float32Array;
  /** Global transforms, 16 numbers per node, column-major matrices. View. */
  readonly globals: Float32Array;
  /** Morph weights of a node; empty when it has none. View. */
  morphWeights(node: number): Float32Array;

  play(clip: Clip, options?: PlayOptions): Play;
  /** Playing clips. */
  readonly plays: readonly Play[];

  /** Overrides (parts of) a local transform from the next step on, until cleared. */
  setLocal(node: number, local: LocalParts): void;
  clearLocal(node: number): void;
  setPlacement(position: Vec3, rotation?: Quat): void;
  /** As setPlacement, and springs start at rest there. */
  teleport(position: Vec3, rotation?: Quat): void;

  constraintsEnabled: boolean;
  setConstraintWeight(node: number, weight: number): void;
  getConstraintWeight(node: number): number;
  /** Overrides a weight; null removes the override. */
  setExpression(name: string, weight: number | null): void;
  getExpression(name: string): number;
  /** Weight that acts, after gaze, isBinary and overrides. */
  getExpressionOutput(name: string): number;
  /** Four numbers per entry of asset.materialValues; read it again after each step. */
  readonly materialValues: Float32Array;
  /** The gaze follows a point of the world, or a node, until cleared. */
  setGazeTarget(point: Vec3): void;
  setGazeNode(node: number): void;
  /** Radians: yaw to the character's left, pitch down. */
  setGaze(yaw: number, pitch: number): void;
  clearGaze(): void;

  /** Springs that are switched off follow clips and the rest pose; switched on, they start at rest. */
  springsEnabled: boolean;
  /** Springs start at rest with the next step. Call it after a change that is no motion. */
  resetSprings(): void;
  /** Position of the tail of a joint of Asset.springJoints in the world, m. */
  getSpringTail(joint: number): [number, number, number];
  getSpringParameters(joint: number): SpringParameters;
  /** Sets some parameters from the next step on; null: those of the file. */
  setSpringParameters(joint: number, parameters: Partial<SpringParameters> | null): void;

  /** At a world point, or at the centre of mass. N s. */
  applyImpulse(node: number, impulse: Vec3, point?: Vec3): void;
  setLinearVelocity(node: number, velocity: Vec3): void;
  setAngularVelocity(node: number, velocity: Vec3): void;
  /** State of the node's body; null: none. */
  getBodyState(node: number): BodyState | null;
  /** The body that a node belongs to, for forces, contacts and joints with bodies from code; null: none. */
  getBody(node: number): Body | null;

  /** Colliders in a constant order. Empty without physics. */
  readonly shapes: readonly ShapeInfo[];
  /** World transforms of the shapes, 7 numbers each: position 3, rotation 4. View. */
  readonly shapeTransforms: Float32Array;
  /** ShapeState of each shape. View. */
  readonly shapeStates: Uint8Array;
  /** Wireframe of a shape in its local space, 6 numbers per line. A copy. */
  getShapeLines(shape: number): Float32Array;
  /** Centres of mass of the bodies (as Asset.bodies), 3 numbers each, in the world. View. */
  readonly centersOfMass: Float32Array;
  /** Frames of the joints (as Asset.joints) in the world, 14 numbers each: frame A 7, frame B 7. View. */
  readonly jointFrames: Float32Array;
  getJointState(joint: number): JointState;

  /** Steps the stage and bakes the motion of this actor. */
  bake(options?: BakeOptions): BakeResult;
  /** Starts a tape that records poses while the application steps. */
  record(options?: BakeOptions): Tape;
  destroy(): void;
}

export interface BakeOptions {
  /** Duration in seconds; default: until the last playing clip ends, else 10. */
  seconds?: number;
  /** Frames per second; default 30. */
  frameRate?: number;
  warmup?: number;
  /** Stop when every body sleeps; default false. */
  untilRest?: boolean;
  loopBlend?: number;
  /** Key reduction: m, default 1e-4; rad, default 5e-4; weight, default 1e-3. */
  positionTolerance?: number;
  angleTolerance?: number;
  weightTolerance?: number;
  /** Name of the animation; default "baked". */
  name?: string;
  /** Remove the objects of the physics extensions; default false. */
  stripPhysics?: boolean;
  /** Remove VRMC_springBone and secondaryAnimation; default false. */
  stripSprings?: boolean;
  /** Remove the animations that were played; default false. */
  replaceAnimations?: boolean;
  /** Write material values that expressions change, through KHR_animation_pointer; default false. */
  animateMaterials?: boolean;
}

export interface BakeAssetOptions extends BakeOptions {
  /** Clip or animation to play; default: none. */
  clip?: Clip;
  animation?: number | string;
  stage?: StageOptions;
}

export interface BakeResult {
  glb: Uint8Array;
  findings: Finding[];
}

/** A recording of an actor. */
export class Tape {
  private constructor();
  readonly frameCount: number;
  /** Captures the current pose at the stage's time or a given ascending time. */
  capture(time?: number): void;
  bake(): BakeResult;
  destroy(): void;
}

// Bodies from code

export interface WorldOptions {
  /** m/s^2; default [0, -9.81, 0]. */
  gravity?: Vec3;
  /** Solver sub-steps per step, 1 to 64; default 4. */
  subSteps?: number;
  /** Whether islands at rest go to sleep; default true. */
  sleep?: boolean;
  /** Whether fast bodies are kept from tunnelling; default true. */
  continuous?: boolean;
}

export interface MeshOptions {
  /** Rays and casts hit the backs of triangles too. */
  isDoubleSided?: boolean;
  /** Contacts on the fronts of triangles only; default: both sides collide. */
  isOneSided?: boolean;
}

/** A cooked hull or mesh, shared by any number of shapes. */
export class Geometry {
  private constructor();
  readonly isHull: boolean;
  readonly isClosed: boolean;
  /** m^3. */
  readonly volume: number;
  readonly vertexCount: number;
  readonly faceCount: number;
  /** A copy of the vertices, three numbers each. */
  readonly vertices: Float32Array;
  /** Releases the memory, at the latest when the worlds that use the geometry are destroyed. */
  destroy(): void;
}

export type Combine = "unspecified" | "average" | "minimum" | "maximum" | "multiply";

export interface Material {
  /** Without a unit; default 0.6. */
  staticFriction: number;
  dynamicFriction: number;
  /** Default 0. */
  restitution: number;
  /** How the values of two shapes are combined; default "unspecified". */
  frictionCombine: Combine;
  restitutionCombine: Combine;
}

/** Dimensions of a shape in its own frame; capsules, cylinders and planes have the axis +Y. */
export type ShapeDimensions =
  | { type: "sphere"; radius: number }
  /** Edge lengths. */
  | { type: "box"; size: Vec3 }
  /** The height is the distance of the two centres. */
  | { type: "capsule"; height: number; radius?: number; radiusBottom?: number; radiusTop?: number }
  | { type: "cylinder"; height: number; radius?: number; radiusBottom?: number; radiusTop?: number }
  | { type: "hull"; geometry: Geometry };

export type ShapeOptions = (
  | ShapeDimensions
  /** Default sizes: unbounded. */
  | { type: "plane"; sizeX?: number; sizeZ?: number; isDoubleSided?: boolean }
  | { type: "mesh"; geometry: Geometry }
) &
  Partial<Material> & {
    /** Place in the body. */
    position?: Vec3;
    rotation?: Quat;
    /** Scale or shear as the 9 numbers of a column-major matrix; not for planes and meshes. */
    matrix?: readonly number[] | null;
    /** kg/m^3; default 1000. */
    density?: number;
    filter?: Filter | null;
    /** Reports overlaps and does not collide; default false. */
    isTrigger?: boolean;
    /** Default true. */
    contactEvents?: boolean;
    /** The body's mass waits for computeMass(); default false. */
    deferMass?: boolean;
    userData?: unknown;
  };

export interface BodyOptions {
  /** Default "dynamic". */
  motion?: Motion;
  position?: Vec3;
  rotation?: Quat;
  /** m/s and rad/s. */
  linearVelocity?: Vec3;
  angularVelocity?: Vec3;
  /** kg; default 0: from the shapes; Infinity: immovable. */
  mass?: number;
  /** In the body; default: from the shapes. */
  centerOfMass?: Vec3 | null;
  /** kg m^2, principal; default: from the shapes; Infinity locks an axis. */
  inertiaDiagonal?: Vec3;
  inertiaOrientation?: Quat;
  gravityFactor?: number;
  sleep?: boolean;
  continuous?: boolean;
  isAwake?: boolean;
  shapes?: readonly ShapeOptions[];
  userData?: unknown;
}

export interface MassProperties {
  /** kg; Infinity: immovable. */
  mass: number;
  centerOfMass: number[];
  inertiaDiagonal: number[];
  inertiaOrientation: number[];
}

export interface WorldBodyState extends MassProperties {
  motion: Motion;
  isOwn: boolean;
  position: number[];
  rotation: number[];
  linearVelocity: number[];
  angularVelocity: number[];
  worldCenterOfMass: number[];
  gravityFactor: number;
  isAwake: boolean;
  isSleepEnabled: boolean;
  isContinuousEnabled: boolean;
  target: { position: number[]; rotation: number[] } | null;
}

export interface Manifold {
  shapeA: Shape;
  shapeB: Shape;
  /** From A to B. */
  normal: number[];
  points: { point: number[]; separation: number }[];
  /** N s during the last step. */
  impulse: number;
  isSticking: boolean;
}

/**
 * A rigid body. The object is a handle: when the body is gone, `isValid` is false and every other member throws USAGE.
 * Each property is read from the engine; `state` reads all at once.
 */
export class Body {
  private constructor();
  readonly world: World;
  readonly isValid: boolean;
  /** Whether a script made the body. Bodies of actors cannot be destroyed, reshaped or given another motion. */
  readonly isOwn: boolean;
  readonly state: WorldBodyState;
  userData: unknown;
  motion: Motion;
  readonly position: number[];
  readonly rotation: number[];
  /** Teleports the body; causes no velocity. */
  setTransform(position: Vec3, rotation?: Quat): void;
  /** Moves a kinematic body there during the next step; it pushes what is in its way. */
  setTarget(position: Vec3, rotation?: Quat): void;
  get linearVelocity(): number[];
  set linearVelocity(velocity: Vec3);
  get angularVelocity(): number[];
  set angularVelocity(velocity: Vec3);
  getPointVelocity(point: Vec3): number[];
  /** A force (N) during the next step, at the centre of mass or at a point. */
  applyForce(force: Vec3, point?: Vec3 | null): void;
  /** N m, during the next step. */
  applyTorque(torque: Vec3): void;
  /** An impulse (N s) at once, at the centre of mass or at a point. */
  applyImpulse(impulse: Vec3, point?: Vec3 | null): void;
  applyAngularImpulse(impulse: Vec3): void;
  get mass(): MassProperties;
  set mass(mass: Partial<MassProperties>);
  /** Computes the mass from the shapes again. */
  computeMass(): void;
  readonly worldCenterOfMass: number[];
  gravityFactor: number;
  isAwake: boolean;
  sleep: boolean;
  continuous: boolean;
  /** The last created one first. */
  readonly shapes: Shape[];
  readonly contacts: Manifold[];
  createShape(options: ShapeOptions): Shape;
  /** Destroys the body with its shapes and joints. */
  destroy(): void;
}

/** A shape of a body; a handle as Body. */
export class Shape {
  private constructor();
  readonly world: World;
  readonly isValid: boolean;
  userData: unknown;
  readonly body: Body;
  readonly kind: ShapeKind;
  /** Sphere: radius; box: lengths; capsule and cylinder: height, bottom and top radius; plane: sizes. */
  readonly dimensions: number[];
  readonly isTrigger: boolean;
  readonly position: number[];
  readonly rotation: number[];
  /** Moves the shape in its body. */
  setLocal(position: Vec3, rotation?: Quat): void;
  get material(): Material;
  set material(material: Partial<Material>);
  set filter(filter: Filter | null);
  /** Wireframe in the shape's frame, for debug drawing: two points of three numbers per line. */
  readonly lines: Float32Array;
  destroy(): void;
}

/** Axes of a joint's frame: "x", "xy", "xyz", ... */
export type Axes = "" | "x" | "y" | "z" | "xy" | "xz" | "yz" | "xyz";

/** Bounds a value of frame B relative to frame A; either linear or angular axes. */
export interface LimitOptions {
  linearAxes?: Axes;
  angularAxes?: Axes;
  /** m or rad; default unbounded. */
  min?: number;
  max?: number;
  /** N/m or N m/rad; default Infinity: a hard limit. */
  stiffness?: number;
  damping?: number;
}

export interface LimitState extends Required<LimitOptions> {
  /** m or rad. */
  value: number;
  /** N or N m on body B over the last step. */
  reaction: number[];
}

export interface DriveOptions {
  /** Default "linear". */
  type?: "linear" | "angular";
  /** Unit of stiffness and damping; default "force". */
  mode?: "force" | "acceleration";
  axis?: "x" | "y" | "z";
  positionTarget?: number;
  velocityTarget?: number;
  stiffness?: number;
  damping?: number;
  /** N or N m; default Infinity. */
  maxForce?: number;
}

export interface DriveState extends Required<DriveOptions> {
  value: number;
  reaction: number[];
}

interface JointCommon {
  /** Default null: the fixed world. */
  bodyA?: Body | null;
  bodyB?: Body | null;
  limits?: readonly LimitOptions[];
  drives?: readonly DriveOptions[];
  /** Whether the two bodies collide; default false. */
  enableCollision?: boolean;
  /** N and N m; default Infinity. */
  breakForce?: number;
  breakTorque?: number;
  userData?: unknown;
}

/** A classical joint, placed in the world at the bodies' current pose, or a generic one of limits between two frames. */
export type JointOptions = JointCommon &
  (
    | { type?: "generic"; positionA?: Vec3; rotationA?: Quat; positionB?: Vec3; rotationB?: Quat }
    | { type: "fixed" | "ball"; anchor?: Vec3 }
    /** min and max in rad or m. */
    | { type: "hinge" | "slider"; anchor?: Vec3; axis?: Vec3; min?: number; max?: number }
    /** The cone angle and the twist in rad. */
    | { type: "cone-twist"; anchor?: Vec3; axis?: Vec3; cone?: number; min?: number; max?: number }
    | { type: "distance"; anchor?: Vec3; anchorB?: Vec3; min?: number; max?: number }
  );

/** A joint; a handle as Body. */
export class Joint {
  private constructor();
  readonly world: World;
  readonly isValid: boolean;
  userData: unknown;
  /** null: the fixed world. */
  readonly bodyA: Body | null;
  readonly bodyB: Body | null;
  /** The classical joint that the limits amount to, such as "hinge". */
  readonly type: string;
  /** In their bodies. */
  readonly frames: { positionA: number[]; rotationA: number[]; positionB: number[]; rotationB: number[] };
  readonly limits: LimitState[];
  readonly drives: DriveState[];
  /** Changes the given fields of a limit or drive. */
  setLimit(index: number, limit: LimitOptions): void;
  setDrive(index: number, drive: DriveOptions): void;
  enableCollision: boolean;
  readonly breakForce: number;
  readonly breakTorque: number;
  setBreakLimits(force: number, torque: number): void;
  readonly isBroken: boolean;
  /** N and N m on body B over the last step. */
  readonly force: number[];
  readonly torque: number[];
  destroy(): void;
}

export interface FilterOptions {
  /** Arbitrary numbers from 0 to 2^32 - 1. */
  collisionSystems?: readonly number[];
  collideWith?: readonly number[];
  notCollideWith?: readonly number[];
}

/** A collision filter; lives as long as its world. */
export class Filter {
  private constructor();
  readonly world: World;
  /** null stands for a shape without a filter. */
  collidesWith(other: Filter | null): boolean;
}

export interface QueryFilter {
  filter?: Filter | null;
  includeTriggers?: boolean;
  ignoreStatic?: boolean;
  ignoreKinematic?: boolean;
  ignoreDynamic?: boolean;
  ignoreBody?: Body | null;
}

export interface QueryHit {
  shape: Shape;
  body: Body;
  point: number[];
  /** Out of the shape; zero if the cast starts inside. */
  normal: number[];
  /** Of the translation. */
  fraction: number;
  /** Index in a mesh; 0 for other shapes. */
  triangle: number;
}

export interface ClosestPoint {
  shape: Shape;
  body: Body;
  point: number[];
  distance: number;
}

export interface WorldContactEvent {
  type: "contact_begin" | "contact_end";
  /** An end event may name a destroyed shape. */
  shapeA: Shape;
  shapeB: Shape;
  bodyA: Body;
  bodyB: Body;
  point: number[];
  normal: number[];
  /** N s. */
  impulse: number;
}

export interface WorldTriggerEvent {
  type: "trigger_enter" | "trigger_exit";
  trigger: Shape;
  visitor: Shape;
  triggerBody: Body;
  visitorBody: Body;
}

/** A physics world: the world of a stage, or one of its own. */
export class World {
  private constructor();
  /** The stage that owns and steps the world; null: none. */
  readonly stage: Stage | null;
  get gravity(): number[];
  set gravity(gravity: Vec3);
  sleep: boolean;
  continuous: boolean;
  readonly stats: StepStats;
  /** Hash of all positions and velocities; equal on every platform. */
  readonly stateHash: string;
  /** Advances the world; default 1/60 s. Not for the world of a stage. */
  step(seconds?: number): void;
  /** The complete state. Worlds of stages can save but not load one. */
  saveState(): Uint8Array;
  /** Steps from a loaded state repeat to the bit, and handles of that moment are valid again. */
  loadState(state: Uint8Array): void;
  createBody(options?: BodyOptions): Body;
  createJoint(options: JointOptions): Joint;
  createFilter(options?: FilterOptions): Filter;
  /** Positions and rotations of many bodies at once, 7 numbers each. */
  readTransforms(bodies: readonly Body[], target?: Float32Array | null): Float32Array;
  /** Bodies that the last step may have moved. */
  readonly movedBodies: { body: Body; position: number[]; rotation: number[]; fellAsleep: boolean }[];
  /** Events of the last step. */
  readonly contactEvents: WorldContactEvent[];
  readonly triggerEvents: WorldTriggerEvent[];
  readonly jointBreakEvents: { joint: Joint; force: number[]; torque: number[] }[];
  /** The nearest hit between origin and origin + translation. */
  castRay(origin: Vec3, translation: Vec3, filter?: QueryFilter): QueryHit | null;
  /** One hit per shape, nearest first. */
  castRayAll(origin: Vec3, translation: Vec3, filter?: QueryFilter): QueryHit[];
  /** Many rays at once: origin and translation, six numbers each. */
  castRays(rays: ArrayLike<number> & Iterable<number>, filter?: QueryFilter): (QueryHit | null)[];
  /** The nearest hit of a shape that moves without rotation. */
  castShape(shape: ShapeDimensions, position: Vec3, translation: Vec3, options?: QueryFilter & { rotation?: Quat }): QueryHit | null;
  /** Shapes that overlap or touch a shape. */
  overlapShape(shape: ShapeDimensions, position: Vec3, options?: QueryFilter & { rotation?: Quat }): Shape[];
  findClosestPoint(point: Vec3, maxDistance: number, filter?: QueryFilter): ClosestPoint | null;
  /** Not for the world of a stage. */
  destroy(): void;
}
