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
  | "IMPOSSIBLE";

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
  /** Values of materials that expressions change; Actor.materialValues has the current ones. */
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
}

/** An animation prepared for one asset. */
export class Clip {
  private constructor();
  readonly asset: Asset;
  readonly name: string;
  readonly duration: number;
  /** Names of its expressions. */
  readonly expressions: readonly string[];
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
  /** Whether bodies at rest sleep; default true. */
  sleep?: boolean;
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
  /** Contacts (pairs of shapes whose fat boxes overlap) and touching contacts. */
  contactCount: number;
  touchCount: number;
  islandCount: number;
  awakeIslandCount: number;
  /** Bodies of the last step that exceeded 100,000 m/s or 10,000,000 rad/s and were clamped. */
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
  readonly stepRate: number;
  /** Number of steps, and their time stepCount / stepRate in seconds. */
  readonly stepCount: number;
  readonly time: number;
  /** Duration of the last step in milliseconds. */
  readonly stepTime: number;
  /** State hash of all positions and velocities, 16 hexadecimal digits; identical on every platform. */
  readonly stateHash: string;
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
  /** Destroys the stage and its actors. */
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
  /** Four numbers per entry of asset.humanoid.materialValues; read it again after each step. */
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
