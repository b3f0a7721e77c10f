// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Actors: poses, clips, bodies, data for overlays, baking.
#include "exports_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void EXPORT(td_actor_free)(Actor* actor)
{
    free(actor->shapeTransforms);
    free(actor->shapeStates);
    free(actor->centers);
    free(actor->jointFrames);
    free(actor->nodes);
    free(actor);
}

static void* AllocateZeroed(int count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

/// Fills the map from shapes to nodes. False when memory ran out.
static bool ListNodes(Actor* actor)
{
    for (int i = 0; i < actor->shapeCount; ++i)
    {
        int index = (int)tdActor_GetShape(actor->actor, i).index1;
        actor->nodeCount = index >= actor->nodeCount ? index + 1 : actor->nodeCount;
    }
    actor->nodes = AllocateZeroed(actor->nodeCount, sizeof(int));
    if (actor->nodes == NULL)
    {
        return false;
    }
    for (int i = 0; i < actor->nodeCount; ++i)
    {
        actor->nodes[i] = -1;
    }
    for (int i = 0; i < actor->shapeCount; ++i)
    {
        actor->nodes[tdActor_GetShape(actor->actor, i).index1] =
            tdDescribeSceneCollider(actor->asset, actor->scene, i).node;
    }
    return true;
}

/// The record of an actor without the actor itself. NULL when memory ran out.
static Actor* NewActor(tdStage* stage, const tdAsset* asset, int scene, bool physics)
{
    Actor* actor = calloc(1, sizeof(Actor));
    if (actor == NULL)
    {
        return NULL;
    }
    tdAssetInfo info = tdDescribeAsset(asset);
    if (scene >= 0 && scene < info.sceneCount)
    {
        tdSceneInfo chosen = tdDescribeScene(asset, scene);
        info.colliderCount = chosen.colliderCount;
        info.bodyCount = chosen.bodyCount;
        info.jointCount = chosen.jointCount;
    }
    actor->asset = asset;
    actor->scene = scene;
    actor->world = tdStage_GetWorld(stage);
    actor->shapeCount = physics ? info.colliderCount : 0;
    actor->bodyCount = physics ? info.bodyCount : 0;
    actor->jointCount = physics ? info.jointCount : 0;
    actor->shapeTransforms = AllocateZeroed(actor->shapeCount, 7 * sizeof(float));
    actor->shapeStates = AllocateZeroed(actor->shapeCount, 1);
    actor->centers = AllocateZeroed(actor->bodyCount, 3 * sizeof(float));
    actor->jointFrames = AllocateZeroed(actor->jointCount, 14 * sizeof(float));
    if (actor->shapeTransforms == NULL || actor->shapeStates == NULL || actor->centers == NULL ||
        actor->jointFrames == NULL)
    {
        td_actor_free(actor);
        return NULL;
    }
    return actor;
}

Actor* EXPORT(td_actor_create)(tdStage* stage, const tdAsset* asset, int scene, bool constraints,
                               bool physics, bool springs, bool springsHitStage)
{
    tdReport* report = NewReport();
    Actor* actor = report != NULL ? NewActor(stage, asset, scene, physics) : NULL;
    if (actor == NULL)
    {
        return NULL;
    }
    tdActorDef def = tdDefaultActorDef();
    def.scene = scene;
    const PlacementRecord* placement = GET_RECORD(Placement);
    def.placement = (tdTransform){TakeVec3(placement->position), TakeQuat(placement->rotation)};
    def.enableConstraints = constraints;
    def.enablePhysics = physics;
    def.enableSprings = springs;
    def.springsHitStage = springsHitStage;
    def.overrideBoneGaze = placement->overrideBoneGaze == 1.0;
    actor->actor = tdCreateActor(stage, asset, &def, report);
    if (actor->actor == NULL || !ListNodes(actor))
    {
        tdDestroyActor(actor->actor);
        td_actor_free(actor);
        return NULL;
    }
    return actor;
}

Actor* WrapActor(tdActor* actor, int scene, bool physics)
{
    Actor* wrapped = NewActor(tdActor_GetStage(actor), tdActor_GetAsset(actor), scene, physics);
    if (wrapped == NULL)
    {
        return NULL;
    }
    wrapped->actor = actor;
    if (!ListNodes(wrapped))
    {
        td_actor_free(wrapped);
        return NULL;
    }
    return wrapped;
}

void EXPORT(td_actor_destroy)(Actor* actor)
{
    tdDestroyActor(actor->actor);
    td_actor_free(actor);
}

/// Addresses that stay valid while the actor lives, and the lengths of its arrays. Events name an actor by `actor`.
void EXPORT(td_actor_describe)(const Actor* actor)
{
    ActorRecord* r = GET_RECORD(Actor);
    r->actor = PutAddress(actor->actor);
    r->locals = PutAddress(tdActor_GetLocals(actor->actor));
    r->globals = PutAddress(tdActor_GetGlobals(actor->actor));
    r->shapeTransforms = PutAddress(actor->shapeTransforms);
    r->shapeStates = PutAddress(actor->shapeStates);
    r->centers = PutAddress(actor->centers);
    r->jointFrames = PutAddress(actor->jointFrames);
    r->shapeCount = actor->shapeCount;
    r->bodyCount = actor->bodyCount;
    r->jointCount = actor->jointCount;
}

/// Leaves the number of weights in the Size record.
const float* EXPORT(td_actor_morph_weights)(const Actor* actor, int node)
{
    int count = 0;
    const float* weights = tdActor_GetMorphWeights(actor->actor, node, &count);
    GET_RECORD(Size)->size = count;
    return weights;
}

// Clips

/// Leaves the id of the play in the PlayId record. False when memory ran out.
bool EXPORT(td_actor_play)(Actor* actor, const tdClip* clip, float start, float speed, float weight,
                           bool loop)
{
    PlayIdRecord* r = GET_RECORD(PlayId);
    tdPlayDef def = tdDefaultPlayDef();
    def.start = start;
    def.speed = speed;
    def.weight = weight;
    def.loop = loop;
    tdPlayId id = tdActor_Play(actor->actor, clip, &def);
    r->index1 = id.index1;
    r->generation = id.generation;
    return id.index1 != 0;
}

void EXPORT(td_actor_stop)(Actor* actor, uint32_t index1, uint32_t generation)
{
    tdActor_Stop(actor->actor, (tdPlayId){index1, generation});
}

void EXPORT(td_actor_set_play)(Actor* actor, uint32_t index1, uint32_t generation, float time, float speed,
                               float weight)
{
    tdActor_SetPlay(actor->actor, (tdPlayId){index1, generation}, time, speed, weight);
}

float EXPORT(td_actor_play_time)(const Actor* actor, uint32_t index1, uint32_t generation)
{
    return tdActor_GetPlayTime(actor->actor, (tdPlayId){index1, generation});
}

float EXPORT(td_actor_play_speed)(const Actor* actor, uint32_t index1, uint32_t generation)
{
    return tdActor_GetPlaySpeed(actor->actor, (tdPlayId){index1, generation});
}

float EXPORT(td_actor_play_weight)(const Actor* actor, uint32_t index1, uint32_t generation)
{
    return tdActor_GetPlayWeight(actor->actor, (tdPlayId){index1, generation});
}

/// Address of the clip of a play; NULL for a stale id.
const tdClip* EXPORT(td_actor_play_clip)(const Actor* actor, uint32_t index1, uint32_t generation)
{
    return tdActor_GetPlayClip(actor->actor, (tdPlayId){index1, generation});
}

/// Writes the first `capacity` ids of plays as pairs of numbers.
/// @return number of plays
int EXPORT(td_actor_plays)(const Actor* actor, tdPlayId* plays, int capacity)
{
    return tdActor_GetPlays(actor->actor, plays, capacity);
}

void EXPORT(td_actor_forget_clip)(Actor* actor, const tdClip* clip)
{
    tdActor_ForgetClip(actor->actor, clip);
}

bool EXPORT(td_actor_is_playing)(const Actor* actor, uint32_t index1, uint32_t generation)
{
    return tdActor_IsPlaying(actor->actor, (tdPlayId){index1, generation});
}

// Application overrides

/// Takes the values from the Local record.
void EXPORT(td_actor_set_local)(Actor* actor, int node, unsigned properties)
{
    const LocalRecord* r = GET_RECORD(Local);
    tdTrs local = {TakeVec3(r->translation), TakeQuat(r->rotation), TakeVec3(r->scale)};
    tdActor_SetLocal(actor->actor, node, properties, local);
}

void EXPORT(td_actor_clear_local)(Actor* actor, int node)
{
    tdActor_ClearLocal(actor->actor, node, TD_LOCAL_ALL);
}

void EXPORT(td_actor_set_placement)(Actor* actor, float x, float y, float z, float qx, float qy, float qz,
                                    float qw)
{
    tdActor_SetPlacement(actor->actor, (tdTransform){{x, y, z}, {qx, qy, qz, qw}});
}

void EXPORT(td_actor_enable_constraints)(Actor* actor, bool enable)
{
    tdActor_EnableConstraints(actor->actor, enable);
}

bool EXPORT(td_actor_are_constraints_enabled)(const Actor* actor)
{
    return tdActor_AreConstraintsEnabled(actor->actor);
}

void EXPORT(td_actor_set_constraint_weight)(Actor* actor, int node, float weight)
{
    tdActor_SetConstraintWeight(actor->actor, node, weight);
}

float EXPORT(td_actor_get_constraint_weight)(const Actor* actor, int node)
{
    return tdActor_GetConstraintWeight(actor->actor, node);
}

void EXPORT(td_actor_set_expression)(Actor* actor, const char* name, float weight)
{
    tdActor_SetExpression(actor->actor, name, weight);
}

void EXPORT(td_actor_clear_expression)(Actor* actor, const char* name)
{
    tdActor_ClearExpression(actor->actor, name);
}

float EXPORT(td_actor_get_expression)(const Actor* actor, const char* name)
{
    return tdActor_GetExpression(actor->actor, name);
}

float EXPORT(td_actor_get_expression_output)(const Actor* actor, const char* name)
{
    return tdActor_GetExpressionOutput(actor->actor, name);
}

/// Four floats per material value of the asset; leaves the number of values in the Size record.
const float* EXPORT(td_actor_material_values)(const Actor* actor)
{
    int count = 0;
    const float* values = tdActor_GetMaterialValues(actor->actor, &count);
    GET_RECORD(Size)->size = count;
    return values;
}

void EXPORT(td_actor_set_gaze_target)(Actor* actor, float x, float y, float z)
{
    tdActor_SetGazeTarget(actor->actor, (tdVec3){x, y, z});
}

void EXPORT(td_actor_set_gaze_node)(Actor* actor, int node)
{
    tdActor_SetGazeNode(actor->actor, node);
}

void EXPORT(td_actor_set_gaze)(Actor* actor, float yaw, float pitch)
{
    tdActor_SetGaze(actor->actor, yaw, pitch);
}

void EXPORT(td_actor_clear_gaze)(Actor* actor)
{
    tdActor_ClearGaze(actor->actor);
}

// Bodies

void EXPORT(td_actor_apply_impulse)(Actor* actor, int node, float x, float y, float z)
{
    tdActor_ApplyImpulse(actor->actor, node, (tdVec3){x, y, z}, (tdVec3){0.0f, 0.0f, 0.0f});
}

void EXPORT(td_actor_apply_point_impulse)(Actor* actor, int node, float x, float y, float z, float px,
                                          float py, float pz)
{
    tdActor_ApplyPointImpulse(actor->actor, node, (tdVec3){x, y, z}, (tdVec3){px, py, pz});
}

void EXPORT(td_actor_set_linear_velocity)(Actor* actor, int node, float x, float y, float z)
{
    tdBodyId body = tdActor_GetBody(actor->actor, node);
    if (tdBody_IsValid(actor->world, body))
    {
        tdBody_SetLinearVelocity(actor->world, body, (tdVec3){x, y, z});
    }
}

void EXPORT(td_actor_set_angular_velocity)(Actor* actor, int node, float x, float y, float z)
{
    tdBodyId body = tdActor_GetBody(actor->actor, node);
    if (tdBody_IsValid(actor->world, body))
    {
        tdBody_SetAngularVelocity(actor->world, body, (tdVec3){x, y, z});
    }
}

/// Leaves the id of a node's body in the Id record. False when it has none.
bool EXPORT(td_actor_body)(const Actor* actor, int node)
{
    tdBodyId body = tdActor_GetBody(actor->actor, node);
    PutId(body.index1, body.generation);
    return body.index1 != 0;
}

bool EXPORT(td_actor_body_state)(const Actor* actor, int node)
{
    BodyStateRecord* r = GET_RECORD(BodyState);
    tdBodyId body = tdActor_GetBody(actor->actor, node);
    if (!tdBody_IsValid(actor->world, body))
    {
        return false;
    }
    tdBodyMass mass = tdBody_GetMass(actor->world, body);
    r->motion = tdBody_GetMotion(actor->world, body);
    r->isAwake = tdBody_IsAwake(actor->world, body);
    r->mass = (double)mass.mass;
    PutVec3(r->centerOfMass, tdBody_GetWorldCenterOfMass(actor->world, body));
    PutVec3(r->linearVelocity, tdBody_GetLinearVelocity(actor->world, body));
    PutVec3(r->angularVelocity, tdBody_GetAngularVelocity(actor->world, body));
    PutVec3(r->inertia, mass.inertiaDiagonal);
    return true;
}

// Overlays

static void PutTransform(float* out, tdTransform t)
{
    float values[7] = {t.position.x, t.position.y, t.position.z, t.rotation.x,
                       t.rotation.y, t.rotation.z, t.rotation.w};
    memcpy(out, values, sizeof(values));
}

static tdTransform PlaceFrame(const tdWorld* world, tdBodyId body, tdTransform frame)
{
    return tdBody_IsValid(world, body) ? tdMulTransform(tdBody_GetTransform(world, body), frame) : frame;
}

/// 0 static, 1 kinematic, 2 dynamic, 3 sleeping, 4 trigger.
static uint8_t GetShapeState(const tdWorld* world, tdShapeId shape)
{
    if (tdShape_IsTrigger(world, shape))
    {
        return 4;
    }
    tdBodyId body = tdShape_GetBody(world, shape);
    tdMotion motion = tdBody_GetMotion(world, body);
    return (uint8_t)(motion == TD_MOTION_DYNAMIC && !tdBody_IsAwake(world, body) ? 3 : motion);
}

/// Updates the arrays that overlays are drawn from.
void EXPORT(td_actor_update)(Actor* actor)
{
    const tdWorld* world = actor->world;
    for (int i = 0; i < actor->shapeCount; ++i)
    {
        tdShapeId shape = tdActor_GetShape(actor->actor, i);
        if (tdShape_IsValid(world, shape))
        {
            tdTransform body = tdBody_GetTransform(world, tdShape_GetBody(world, shape));
            PutTransform(actor->shapeTransforms + 7 * i, tdMulTransform(body, tdShape_GetLocal(world, shape)));
            actor->shapeStates[i] = GetShapeState(world, shape);
        }
    }
    for (int i = 0; i < actor->bodyCount; ++i)
    {
        tdBodyId body =
            tdActor_GetBody(actor->actor, tdDescribeSceneBody(actor->asset, actor->scene, i).node);
        if (tdBody_IsValid(world, body))
        {
            tdVec3 center = tdBody_GetWorldCenterOfMass(world, body);
            memcpy(actor->centers + 3 * i, &center, sizeof(center));
        }
    }
    for (int i = 0; i < actor->jointCount; ++i)
    {
        tdJointId joint = tdActor_GetJoint(actor->actor, i);
        if (tdJoint_IsValid(world, joint))
        {
            PutTransform(actor->jointFrames + 14 * i,
                         PlaceFrame(world, tdJoint_GetBodyA(world, joint), tdJoint_GetFrameA(world, joint)));
            PutTransform(actor->jointFrames + 14 * i + 7,
                         PlaceFrame(world, tdJoint_GetBodyB(world, joint), tdJoint_GetFrameB(world, joint)));
        }
    }
}

void EXPORT(td_shape_describe)(const Actor* actor, int shape)
{
    ShapeRecord* r = GET_RECORD(Shape);
    tdColliderInfo collider = tdDescribeSceneCollider(actor->asset, actor->scene, shape);
    tdShapeInfo info = tdDescribeShape(actor->world, tdActor_GetShape(actor->actor, shape));
    r->node = collider.node;
    r->bodyNode = collider.body >= 0 ? tdDescribeSceneBody(actor->asset, actor->scene, collider.body).node : -1;
    r->kind = PutAddress(tdShapeKind_GetName(info.isValid ? info.kind : collider.shape));
    r->isTrigger = collider.isTrigger;
    r->dimensionCount = info.dimensionCount;
    for (int i = 0; i < 3; ++i)
    {
        r->dimensions[i] = (double)info.dimensions[i];
    }
}

/// Points of the wireframe, for the caller to free with td_free; leaves their number in the Size record. NULL when
/// memory ran out.
tdVec3* EXPORT(td_shape_lines)(const Actor* actor, int shape)
{
    tdShapeId id = tdActor_GetShape(actor->actor, shape);
    int count = tdShape_GetLines(actor->world, id, NULL, 0);
    tdVec3* points = AllocateZeroed(count, sizeof(tdVec3));
    GET_RECORD(Size)->size = points != NULL ? tdShape_GetLines(actor->world, id, points, count) : 0;
    return points;
}

void EXPORT(td_joint_state)(const Actor* actor, int joint)
{
    JointStateRecord* r = GET_RECORD(JointState);
    const tdWorld* world = actor->world;
    tdJointId id = tdActor_GetJoint(actor->actor, joint);
    bool isValid = tdJoint_IsValid(world, id);
    *r = (JointStateRecord){.isValid = isValid};
    if (!isValid)
    {
        return;
    }
    r->isBroken = tdJoint_IsBroken(world, id);
    PutVec3(r->force, tdJoint_GetForce(world, id));
    PutVec3(r->torque, tdJoint_GetTorque(world, id));
    int limitCount = tdJoint_GetLimitCount(world, id), driveCount = tdJoint_GetDriveCount(world, id);
    r->limitCount = limitCount;
    r->driveCount = driveCount;
    int capacity = (int)(sizeof(r->values) / sizeof(r->values[0]));
    int used = 0;
    for (int i = 0; i < limitCount && used < capacity; ++i)
    {
        r->values[used++] = (double)tdJoint_GetLimitValue(world, id, i);
    }
    for (int i = 0; i < driveCount && used < capacity; ++i)
    {
        r->values[used++] = (double)tdJoint_GetDriveValue(world, id, i);
    }
}

// Baking

/// Takes the options from the BakeOptions record; NaN stands for the default.
static tdBakeDef MakeBakeDef(const char* name)
{
    const BakeOptionsRecord* r = GET_RECORD(BakeOptions);
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = isnan(r->seconds) ? def.seconds : r->seconds;
    def.frameRate = isnan(r->frameRate) ? def.frameRate : r->frameRate;
    def.warmup = isnan(r->warmup) ? def.warmup : r->warmup;
    def.untilRest = isnan(r->untilRest) ? def.untilRest : r->untilRest != 0.0;
    def.loopBlend = isnan(r->loopBlend) ? def.loopBlend : r->loopBlend;
    def.positionTolerance = isnan(r->positionTolerance) ? def.positionTolerance : (float)r->positionTolerance;
    def.angleTolerance = isnan(r->angleTolerance) ? def.angleTolerance : (float)r->angleTolerance;
    def.weightTolerance = isnan(r->weightTolerance) ? def.weightTolerance : (float)r->weightTolerance;
    def.stripPhysics = isnan(r->stripPhysics) ? def.stripPhysics : r->stripPhysics != 0.0;
    def.stripSprings = isnan(r->stripSprings) ? def.stripSprings : r->stripSprings != 0.0;
    def.replaceAnimations = isnan(r->replaceAnimations) ? def.replaceAnimations : r->replaceAnimations != 0.0;
    def.animateMaterials = isnan(r->animateMaterials) ? def.animateMaterials : r->animateMaterials != 0.0;
    def.name = name != NULL ? name : def.name;
    return def;
}

tdAsset* EXPORT(td_actor_bake)(Actor* actor, const char* name)
{
    tdBakeDef def = MakeBakeDef(name);
    tdReport* report = NewReport();
    return report != NULL ? tdBakeActor(actor->actor, &def, report) : NULL;
}

tdTape* EXPORT(td_tape_create)(const Actor* actor, const char* name)
{
    tdBakeDef def = MakeBakeDef(name);
    return tdCreateTape(actor->actor, &def, NULL);
}

bool EXPORT(td_tape_capture)(tdTape* tape, double time)
{
    return isnan(time) ? tdTape_Capture(tape) : tdTape_CaptureAt(tape, time);
}

int EXPORT(td_tape_frame_count)(const tdTape* tape)
{
    return tdTape_GetFrameCount(tape);
}

tdAsset* EXPORT(td_tape_bake)(const tdTape* tape)
{
    tdReport* report = NewReport();
    return report != NULL ? tdTape_Bake(tape, report) : NULL;
}

void EXPORT(td_tape_destroy)(tdTape* tape)
{
    tdDestroyTape(tape);
}
