// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Made by tools/make_docs.c from web/wasm/records.def. Do not edit.
// Reads and writes the records that the WebAssembly exports exchange with this module. A record is valid until the
// next call into the instance.

/** Result of td_report_get. */
export function readFinding(instance) {
  const r = instance.record;
  return {
    severity: ["error", "warning", "info", "hint"][r[0]],
    code: instance.readText(r[1]),
    source: instance.readText(r[2]),
    pointer: instance.readText(r[3]),
    line: r[4],
    column: r[5],
    offset: r[6],
    message: instance.readText(r[7]),
  };
}

/** Result of calls that return an address and its size or count. */
export function readSize(instance) {
  const r = instance.record;
  return {
    size: r[0],
  };
}

/** Result of td_recording_describe. */
export function readRecording(instance) {
  const r = instance.record;
  return {
    version: Array.from(r.subarray(0, 3)),
    build: instance.readText(r[3]),
    stepRate: r[4],
    stepCount: r[5],
    bodyCount: r[6],
    isComplete: r[7] !== 0,
    assetCount: r[8],
  };
}

/** Result of td_recording_file. */
export function readRecordedFile(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    data: r[1],
    size: r[2],
  };
}

/** Result of td_replay_step. */
export function readBodyDifference(instance) {
  const r = instance.record;
  return {
    step: r[0],
    body: r[1],
    actor: r[2],
    node: r[3],
    name: instance.readText(r[4]),
    recordedPosition: Array.from(r.subarray(5, 8)),
    recordedRotation: Array.from(r.subarray(8, 12)),
    repeatedPosition: Array.from(r.subarray(12, 15)),
    repeatedRotation: Array.from(r.subarray(15, 19)),
  };
}

/** Result of td_asset_describe. */
export function readAsset(instance) {
  const r = instance.record;
  return {
    kind: ["gltf", "glb", "bvh"][r[0]],
    activeScene: r[1],
    nodeCount: r[2],
    animationCount: r[3],
    constraintCount: r[4],
    expressionCount: r[5],
    bodyCount: r[6],
    colliderCount: r[7],
    jointCount: r[8],
    sceneCount: r[9],
    generator: instance.readText(r[10]),
    extensionCount: r[11],
  };
}

/** Result of td_node_describe. */
export function readNode(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    parent: r[1],
    mesh: r[2],
    skin: r[3],
    body: r[4],
    translation: Array.from(r.subarray(5, 8)),
    rotation: Array.from(r.subarray(8, 12)),
    scale: Array.from(r.subarray(12, 15)),
  };
}

/** Result of td_animation_describe. */
export function readAnimation(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    duration: r[1],
    channelCount: r[2],
    nodeCount: r[3],
  };
}

/** Result of td_extension_describe. */
export function readExtension(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    support: instance.readText(r[1]),
    isRequired: r[2] !== 0,
  };
}

/** Result of td_constraint_describe. */
export function readConstraint(instance) {
  const r = instance.record;
  return {
    node: r[0],
    source: r[1],
    kind: instance.readText(r[2]),
    axis: instance.readText(r[3]),
    weight: r[4],
    isInCycle: r[5] !== 0,
  };
}

/** Result of td_humanoid_describe. */
export function readHumanoid(instance) {
  const r = instance.record;
  return {
    kind: instance.readText(r[0]),
    hipsHeight: r[1],
    facesBackward: r[2] !== 0,
    lookAt: instance.readText(r[3]),
    boneCount: r[4],
    materialValueCount: r[5],
    metaCount: r[6],
    firstPersonCount: r[7],
  };
}

/** Result of td_bone_describe. */
export function readBone(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    node: r[1],
    parent: r[2],
  };
}

/** Result of td_expression_describe. */
export function readExpression(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    isPreset: r[1] !== 0,
    isBinary: r[2] !== 0,
    overrideBlink: instance.readText(r[3]),
    overrideLookAt: instance.readText(r[4]),
    overrideMouth: instance.readText(r[5]),
    morphBindCount: r[6],
    materialBindCount: r[7],
  };
}

/** Result of td_material_value_describe. */
export function readMaterialValue(instance) {
  const r = instance.record;
  return {
    material: r[0],
    texture: instance.readText(r[1]),
    kind: instance.readText(r[2]),
    width: r[3],
    base: Array.from(r.subarray(4, 8)),
    pointer: instance.readText(r[8]),
  };
}

/** Result of td_meta_describe. */
export function readMeta(instance) {
  const r = instance.record;
  return {
    key: instance.readText(r[0]),
    value: instance.readText(r[1]),
    isText: r[2] !== 0,
    isElement: r[3] !== 0,
  };
}

/** Result of td_first_person_describe. */
export function readFirstPerson(instance) {
  const r = instance.record;
  return {
    node: r[0],
    type: instance.readText(r[1]),
  };
}

/** Result of td_body_describe. */
export function readBody(instance) {
  const r = instance.record;
  return {
    node: r[0],
    motion: ["static", "kinematic", "dynamic"][r[1]],
    mass: r[2],
    colliderCount: r[3],
    gravityFactor: r[4],
    dialect: instance.readText(r[5]),
  };
}

/** Result of td_collider_describe. */
export function readCollider(instance) {
  const r = instance.record;
  return {
    node: r[0],
    body: r[1],
    shape: instance.readText(r[2]),
    isTrigger: r[3] !== 0,
    dialect: instance.readText(r[4]),
    material: r[5],
    filter: r[6],
  };
}

/** Result of td_joint_describe. */
export function readJoint(instance) {
  const r = instance.record;
  return {
    node: r[0],
    connectedNode: r[1],
    bodyA: r[2],
    bodyB: r[3],
    enableCollision: r[4] !== 0,
    dialect: instance.readText(r[5]),
    limitCount: r[6],
    driveCount: r[7],
    type: instance.readText(r[8]),
    axis: r[9],
  };
}

/** Result of td_limit_describe. */
export function readLimit(instance) {
  const r = instance.record;
  return {
    linearAxes: r[0],
    angularAxes: r[1],
    min: r[2],
    max: r[3],
    stiffness: r[4],
    damping: r[5],
  };
}

/** Result of td_drive_describe. */
export function readDrive(instance) {
  const r = instance.record;
  return {
    type: ["linear", "angular"][r[0]],
    mode: ["force", "acceleration"][r[1]],
    axis: r[2],
    positionTarget: r[3],
    velocityTarget: r[4],
    stiffness: r[5],
    damping: r[6],
    maxForce: r[7],
  };
}

/** Result of td_clip_describe. */
export function readClip(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    duration: r[1],
    expressionCount: r[2],
    contactCount: r[3],
  };
}

/** Result of td_clip_contact. */
export function readMotionContact(instance) {
  const r = instance.record;
  return {
    bone: instance.readText(r[0]),
    start: r[1],
    end: r[2],
  };
}

/** Result of td_spring_describe. */
export function readSpring(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    firstJoint: r[1],
    jointCount: r[2],
    center: r[3],
    colliderGroups: r[4],
    colliderGroupCount: r[5],
  };
}

/** Result of td_spring_joint_describe. */
export function readSpringJoint(instance) {
  const r = instance.record;
  return {
    spring: r[0],
    node: r[1],
    tailNode: r[2],
    tail: Array.from(r.subarray(3, 6)),
    isInert: r[6] !== 0,
    limit: instance.readText(r[7]),
    limitAngles: Array.from(r.subarray(8, 10)),
    limitRotation: Array.from(r.subarray(10, 14)),
  };
}

/** Result of td_spring_joint_parameters, td_actor_get_spring_parameters. */
export function readSpringParameters(instance) {
  const r = instance.record;
  return {
    hitRadius: r[0],
    stiffness: r[1],
    gravityPower: r[2],
    gravityDir: Array.from(r.subarray(3, 6)),
    dragForce: r[6],
  };
}

/** Arguments of td_actor_set_spring_parameters. */
export function writeNewSpringParameters(instance, values) {
  const r = instance.record;
  r[0] = values.hitRadius;
  r[1] = values.stiffness;
  r[2] = values.gravityPower;
  r.set(values.gravityDir, 3);
  r[6] = values.dragForce;
}

/** Result of td_spring_collider_describe. */
export function readSpringCollider(instance) {
  const r = instance.record;
  return {
    node: r[0],
    shape: instance.readText(r[1]),
    offset: Array.from(r.subarray(2, 5)),
    tail: Array.from(r.subarray(5, 8)),
    normal: Array.from(r.subarray(8, 11)),
    radius: r[11],
  };
}

/** Result of td_spring_collider_group_describe. */
export function readSpringColliderGroup(instance) {
  const r = instance.record;
  return {
    name: instance.readText(r[0]),
    colliders: r[1],
    colliderCount: r[2],
  };
}

/** Result of td_world_get_gravity, td_grab_point, td_actor_spring_tail, td_body_point_velocity. */
export function readVector(instance) {
  const r = instance.record;
  return {
    value: Array.from(r.subarray(0, 3)),
  };
}

/** Result of td_world_stats. */
export function readStatistics(instance) {
  const r = instance.record;
  return {
    bodyCount: r[0],
    awakeBodyCount: r[1],
    shapeCount: r[2],
    contactCount: r[3],
    touchCount: r[4],
    islandCount: r[5],
    awakeIslandCount: r[6],
    pairsTested: r[7],
    manifoldsMade: r[8],
    manifoldsKept: r[9],
    movedProxyCount: r[10],
    continuousCount: r[11],
    sweptPairCount: r[12],
    clampedCount: r[13],
  };
}

/** Result of td_energy_add, which adds to it. */
export function readEnergy(instance) {
  const r = instance.record;
  return {
    kinetic: r[0],
    potential: r[1],
  };
}

/** Result of td_stage_contact_event. */
export function readContactEvent(instance) {
  const r = instance.record;
  return {
    began: r[0] !== 0,
    actorA: r[1],
    actorB: r[2],
    nodeA: r[3],
    nodeB: r[4],
    point: Array.from(r.subarray(5, 8)),
    normal: Array.from(r.subarray(8, 11)),
    impulse: r[11],
  };
}

/** Result of td_stage_trigger_event. */
export function readTriggerEvent(instance) {
  const r = instance.record;
  return {
    entered: r[0] !== 0,
    trigger: r[1],
    visitor: r[2],
    triggerNode: r[3],
    visitorNode: r[4],
    visitorBodyNode: r[5],
  };
}

/** Result of td_stage_cast_ray. */
export function readHit(instance) {
  const r = instance.record;
  return {
    actor: r[0],
    node: r[1],
    bodyNode: r[2],
    fraction: r[3],
    point: Array.from(r.subarray(4, 7)),
    normal: Array.from(r.subarray(7, 10)),
  };
}

/** Arguments of td_actor_create, td_actor_teleport. */
export function writePlacement(instance, values) {
  const r = instance.record;
  r.set(values.position, 0);
  r.set(values.rotation, 3);
  r[7] = values.overrideBoneGaze;
}

/** Arguments of td_actor_set_local. */
export function writeLocal(instance, values) {
  const r = instance.record;
  r.set(values.translation, 0);
  r.set(values.rotation, 3);
  r.set(values.scale, 7);
}

/** Result of td_actor_describe. */
export function readActor(instance) {
  const r = instance.record;
  return {
    actor: r[0],
    locals: r[1],
    globals: r[2],
    shapeTransforms: r[3],
    shapeStates: r[4],
    centers: r[5],
    jointFrames: r[6],
    shapeCount: r[7],
    bodyCount: r[8],
    jointCount: r[9],
  };
}

/** Result of td_actor_play. */
export function readPlayId(instance) {
  const r = instance.record;
  return {
    index1: r[0],
    generation: r[1],
  };
}

/** Result of td_actor_body_state. */
export function readBodyState(instance) {
  const r = instance.record;
  return {
    motion: ["static", "kinematic", "dynamic"][r[0]],
    isAwake: r[1] !== 0,
    mass: r[2],
    centerOfMass: Array.from(r.subarray(3, 6)),
    linearVelocity: Array.from(r.subarray(6, 9)),
    angularVelocity: Array.from(r.subarray(9, 12)),
    inertia: Array.from(r.subarray(12, 15)),
  };
}

/** Result of td_shape_describe. */
export function readShape(instance) {
  const r = instance.record;
  return {
    node: r[0],
    bodyNode: r[1],
    kind: instance.readText(r[2]),
    isTrigger: r[3] !== 0,
    dimensionCount: r[4],
    dimensions: Array.from(r.subarray(5, 8)),
  };
}

/** Result of td_joint_state; the limits' values come first, then the drives', as far as there is room. */
export function readJointState(instance) {
  const r = instance.record;
  return {
    isValid: r[0] !== 0,
    isBroken: r[1] !== 0,
    force: Array.from(r.subarray(2, 5)),
    torque: Array.from(r.subarray(5, 8)),
    limitCount: r[8],
    driveCount: r[9],
    values: Array.from(r.subarray(10, 64)),
  };
}

/** Arguments of td_actor_bake, td_tape_create; NaN stands for the default. */
export function writeBakeOptions(instance, values) {
  const r = instance.record;
  r[0] = values.seconds;
  r[1] = values.frameRate;
  r[2] = values.warmup;
  r[3] = values.untilRest;
  r[4] = values.loopBlend;
  r[5] = values.positionTolerance;
  r[6] = values.angleTolerance;
  r[7] = values.weightTolerance;
  r[8] = values.stripPhysics;
  r[9] = values.stripSprings;
  r[10] = values.replaceAnimations;
  r[11] = values.animateMaterials;
}

/** Result of td_body_create, td_shape_create, td_joint_create, td_filter_create, td_actor_body. */
export function readId(instance) {
  const r = instance.record;
  return {
    index1: r[0],
    generation: r[1],
  };
}

/** Arguments of td_body_set, td_shape_set_local, td_shape_set_material, td_joint_set_limit, td_joint_set_drive. */
export function writeValues(instance, values) {
  const r = instance.record;
  r.set(values.values, 0);
}

/** Result of td_world_moved. */
export function readMovedBody(instance) {
  const r = instance.record;
  return {
    index1: r[0],
    generation: r[1],
    position: Array.from(r.subarray(2, 5)),
    rotation: Array.from(r.subarray(5, 9)),
    fellAsleep: r[9] !== 0,
  };
}

/** Result of td_world_contact_event; ids of shape A, shape B, body A, body B. */
export function readWorldContactEvent(instance) {
  const r = instance.record;
  return {
    began: r[0] !== 0,
    ids: Array.from(r.subarray(1, 9)),
    point: Array.from(r.subarray(9, 12)),
    normal: Array.from(r.subarray(12, 15)),
    impulse: r[15],
  };
}

/** Result of td_world_trigger_event; ids of trigger, visitor and their bodies. */
export function readWorldTriggerEvent(instance) {
  const r = instance.record;
  return {
    entered: r[0] !== 0,
    ids: Array.from(r.subarray(1, 9)),
  };
}

/** Result of td_world_break_event. */
export function readBreakEvent(instance) {
  const r = instance.record;
  return {
    index1: r[0],
    generation: r[1],
    force: Array.from(r.subarray(2, 5)),
    torque: Array.from(r.subarray(5, 8)),
  };
}

/** Arguments of td_body_create. */
export function writeBodyDef(instance, values) {
  const r = instance.record;
  r[0] = values.motion;
  r.set(values.position, 1);
  r.set(values.rotation, 4);
  r.set(values.linearVelocity, 8);
  r.set(values.angularVelocity, 11);
  r[14] = values.mass;
  r[15] = values.hasCenterOfMass;
  r.set(values.centerOfMass, 16);
  r.set(values.inertiaDiagonal, 19);
  r.set(values.inertiaOrientation, 22);
  r[26] = values.gravityFactor;
  r[27] = values.enableSleep;
  r[28] = values.enableContinuous;
  r[29] = values.isAwake;
}

/** Result of td_body_get. */
export function readWorldBody(instance) {
  const r = instance.record;
  return {
    motion: ["static", "kinematic", "dynamic"][r[0]],
    isOwn: r[1] !== 0,
    position: Array.from(r.subarray(2, 5)),
    rotation: Array.from(r.subarray(5, 9)),
    linearVelocity: Array.from(r.subarray(9, 12)),
    angularVelocity: Array.from(r.subarray(12, 15)),
    mass: r[15],
    centerOfMass: Array.from(r.subarray(16, 19)),
    inertiaDiagonal: Array.from(r.subarray(19, 22)),
    inertiaOrientation: Array.from(r.subarray(22, 26)),
    worldCenterOfMass: Array.from(r.subarray(26, 29)),
    gravityFactor: r[29],
    isAwake: r[30] !== 0,
    isSleepEnabled: r[31] !== 0,
    isContinuousEnabled: r[32] !== 0,
    hasTarget: r[33] !== 0,
    targetPosition: Array.from(r.subarray(34, 37)),
    targetRotation: Array.from(r.subarray(37, 41)),
  };
}

/** Result of td_manifold; ids of shape A and shape B. */
export function readManifold(instance) {
  const r = instance.record;
  return {
    ids: Array.from(r.subarray(0, 4)),
    normal: Array.from(r.subarray(4, 7)),
    pointCount: r[7],
    points: Array.from(r.subarray(8, 20)),
    separations: Array.from(r.subarray(20, 24)),
    impulse: r[24],
    isSticking: r[25] !== 0,
  };
}

/** Result of td_geometry_describe. */
export function readGeometry(instance) {
  const r = instance.record;
  return {
    isHull: r[0] !== 0,
    isClosed: r[1] !== 0,
    volume: r[2],
    vertexCount: r[3],
    faceCount: r[4],
  };
}

/** Arguments of td_shape_create. */
export function writeShapeDef(instance, values) {
  const r = instance.record;
  r.set(values.position, 0);
  r.set(values.rotation, 3);
  r[7] = values.hasMatrix;
  r.set(values.matrix, 8);
  r[17] = values.density;
  r[18] = values.staticFriction;
  r[19] = values.dynamicFriction;
  r[20] = values.restitution;
  r[21] = values.frictionCombine;
  r[22] = values.restitutionCombine;
  r.set(values.filter, 23);
  r[25] = values.isTrigger;
  r[26] = values.enableContactEvents;
  r[27] = values.deferMass;
  r.set(values.dimensions, 28);
}

/** Result of td_shape_get. */
export function readWorldShape(instance) {
  const r = instance.record;
  return {
    body: Array.from(r.subarray(0, 2)),
    isOwn: r[2] !== 0,
    kind: ["sphere", "box", "capsule", "cylinder", "plane", "hull", "mesh"][r[3]],
    dimensionCount: r[4],
    dimensions: Array.from(r.subarray(5, 8)),
    position: Array.from(r.subarray(8, 11)),
    rotation: Array.from(r.subarray(11, 15)),
    staticFriction: r[15],
    dynamicFriction: r[16],
    restitution: r[17],
    frictionCombine: ["unspecified", "average", "minimum", "maximum", "multiply"][r[18]],
    restitutionCombine: ["unspecified", "average", "minimum", "maximum", "multiply"][r[19]],
    filter: Array.from(r.subarray(20, 22)),
    isTrigger: r[22] !== 0,
  };
}

/** Arguments of td_query_ray, td_query_rays, td_query_cast, td_query_overlap, td_query_closest. */
export function writeQuery(instance, values) {
  const r = instance.record;
  r.set(values.filter, 0);
  r[2] = values.includeTriggers;
  r[3] = values.ignoreStatic;
  r[4] = values.ignoreKinematic;
  r[5] = values.ignoreDynamic;
  r.set(values.ignoreBody, 6);
  r[8] = values.kind;
  r.set(values.dimensions, 9);
  r[12] = values.geometry;
  r.set(values.position, 13);
  r.set(values.rotation, 16);
  r.set(values.translation, 20);
}

/** Result of td_query_hit; ids of shape and body. */
export function readQueryHit(instance) {
  const r = instance.record;
  return {
    ids: Array.from(r.subarray(0, 4)),
    point: Array.from(r.subarray(4, 7)),
    normal: Array.from(r.subarray(7, 10)),
    fraction: r[10],
    triangle: r[11],
  };
}

/** Result of td_query_closest; ids of shape and body. */
export function readClosestPoint(instance) {
  const r = instance.record;
  return {
    ids: Array.from(r.subarray(0, 4)),
    point: Array.from(r.subarray(4, 7)),
    distance: r[7],
  };
}

/** Arguments of td_joint_create. */
export function writeJointDef(instance, values) {
  const r = instance.record;
  r[0] = values.preset;
  r.set(values.bodyA, 1);
  r.set(values.bodyB, 3);
  r.set(values.positionA, 5);
  r.set(values.rotationA, 8);
  r.set(values.positionB, 12);
  r.set(values.rotationB, 15);
  r.set(values.anchor, 19);
  r.set(values.anchorB, 22);
  r.set(values.axis, 25);
  r[28] = values.cone;
  r[29] = values.min;
  r[30] = values.max;
  r[31] = values.enableCollision;
  r[32] = values.breakForce;
  r[33] = values.breakTorque;
}

/** Result of td_joint_get; ids of body A and body B. */
export function readWorldJoint(instance) {
  const r = instance.record;
  return {
    ids: Array.from(r.subarray(0, 4)),
    isOwn: r[4] !== 0,
    positionA: Array.from(r.subarray(5, 8)),
    rotationA: Array.from(r.subarray(8, 12)),
    positionB: Array.from(r.subarray(12, 15)),
    rotationB: Array.from(r.subarray(15, 19)),
    enableCollision: r[19] !== 0,
    breakForce: r[20],
    breakTorque: r[21],
    isBroken: r[22] !== 0,
    force: Array.from(r.subarray(23, 26)),
    torque: Array.from(r.subarray(26, 29)),
    limitCount: r[29],
    driveCount: r[30],
    type: instance.readText(r[31]),
  };
}

/** Result of td_joint_get_limit. */
export function readLimitState(instance) {
  const r = instance.record;
  return {
    linearAxes: r[0],
    angularAxes: r[1],
    min: r[2],
    max: r[3],
    stiffness: r[4],
    damping: r[5],
    value: r[6],
    reaction: Array.from(r.subarray(7, 10)),
  };
}

/** Result of td_joint_get_drive. */
export function readDriveState(instance) {
  const r = instance.record;
  return {
    type: ["linear", "angular"][r[0]],
    mode: ["force", "acceleration"][r[1]],
    axis: r[2],
    positionTarget: r[3],
    velocityTarget: r[4],
    stiffness: r[5],
    damping: r[6],
    maxForce: r[7],
    value: r[8],
    reaction: Array.from(r.subarray(9, 12)),
  };
}
