// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: clock, queries, events, the hand that grabs.
#include "bridge.h"

#include <math.h>
#include <stdlib.h>

/// Grows and is kept; one call's points at a time.
static float* contactPoints;
static int* contactNodes; // two per point
static int contactPointCapacity;

tdVec3 Rotate(tdQuat q, tdVec3 v)
{
    // v + 2 w (u x v) + 2 u x (u x v)
    tdVec3 c = {q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x};
    tdVec3 d = {q.y * c.z - q.z * c.y, q.z * c.x - q.x * c.z, q.x * c.y - q.y * c.x};
    return (tdVec3){v.x + 2.0f * (q.w * c.x + d.x), v.y + 2.0f * (q.w * c.y + d.y),
                    v.z + 2.0f * (q.w * c.z + d.z)};
}

tdTransform Combine(tdTransform a, tdTransform b)
{
    tdVec3 p = Rotate(a.rotation, b.position);
    tdQuat q = a.rotation, r = b.rotation;
    return (tdTransform){
        {a.position.x + p.x, a.position.y + p.y, a.position.z + p.z},
        {q.w * r.x + q.x * r.w + q.y * r.z - q.z * r.y, q.w * r.y - q.x * r.z + q.y * r.w + q.z * r.x,
         q.w * r.z + q.x * r.y - q.y * r.x + q.z * r.w, q.w * r.w - q.x * r.x - q.y * r.y - q.z * r.z}};
}

tdStage* EXPORT(td_stage_create)(float x, float y, float z, double stepRate, int subSteps, bool sleep)
{
    tdStageDef def = tdDefaultStageDef();
    def.world.gravity = (tdVec3){x, y, z};
    def.world.subStepCount = subSteps > 0 ? subSteps : def.world.subStepCount;
    def.world.enableSleep = sleep;
    def.stepRate = stepRate;
    return tdCreateStage(&def);
}

void EXPORT(td_stage_destroy)(tdStage* stage)
{
    tdDestroyStage(stage);
}

bool EXPORT(td_stage_step)(tdStage* stage)
{
    return tdStage_Step(stage);
}

void EXPORT(td_stage_evaluate)(tdStage* stage, double time)
{
    tdStage_Evaluate(stage, time);
}

double EXPORT(td_stage_time)(const tdStage* stage)
{
    return tdStage_GetTime(stage);
}

uint64_t EXPORT(td_stage_hash)(tdStage* stage)
{
    return tdWorld_GetStateHash(tdStage_GetWorld(stage));
}

void EXPORT(td_stage_get_gravity)(tdStage* stage)
{
    PutVec3(record, tdWorld_GetGravity(tdStage_GetWorld(stage)));
}

void EXPORT(td_stage_set_gravity)(tdStage* stage, float x, float y, float z)
{
    tdWorld_SetGravity(tdStage_GetWorld(stage), (tdVec3){x, y, z});
}

void EXPORT(td_stage_stats)(tdStage* stage)
{
    tdStepStats stats = tdWorld_GetStats(tdStage_GetWorld(stage));
    record[0] = stats.bodyCount;
    record[1] = stats.awakeBodyCount;
    record[2] = stats.shapeCount;
    record[3] = stats.contactCount;
    record[4] = stats.touchCount;
    record[5] = stats.islandCount;
    record[6] = stats.awakeIslandCount;
}

int EXPORT(td_stage_contact_event_count)(const tdStage* stage)
{
    return tdStage_GetEvents(stage).contactCount;
}

void EXPORT(td_stage_contact_event)(const tdStage* stage, int index)
{
    tdContactEvent event = tdStage_GetEvents(stage).contacts[index];
    record[0] = event.began;
    record[1] = (double)(uintptr_t)event.actorA;
    record[2] = (double)(uintptr_t)event.actorB;
    record[3] = event.nodeA;
    record[4] = event.nodeB;
    PutVec3(record + 5, event.point);
    PutVec3(record + 8, event.normal);
    record[11] = (double)event.impulse;
}

int EXPORT(td_stage_trigger_event_count)(const tdStage* stage)
{
    return tdStage_GetEvents(stage).triggerCount;
}

void EXPORT(td_stage_trigger_event)(const tdStage* stage, int index)
{
    tdTriggerEvent event = tdStage_GetEvents(stage).triggers[index];
    record[0] = event.entered;
    record[1] = (double)(uintptr_t)event.trigger;
    record[2] = (double)(uintptr_t)event.visitor;
    record[3] = event.triggerNode;
    record[4] = event.visitorNode;
    record[5] = event.visitorBodyNode;
}

bool EXPORT(td_stage_cast_ray)(const tdStage* stage, float ax, float ay, float az, float bx, float by,
                               float bz)
{
    tdStageHit hit;
    if (!tdStage_CastRay(stage, (tdVec3){ax, ay, az}, (tdVec3){bx, by, bz}, NULL, -1, &hit))
    {
        return false;
    }
    record[0] = (double)(uintptr_t)hit.actor;
    record[1] = hit.node;
    record[2] = hit.bodyNode;
    record[3] = (double)hit.fraction;
    PutVec3(record + 4, hit.point);
    PutVec3(record + 7, hit.normal);
    return true;
}

// Over all actors

/// Starts a sum of energies; record[0] kinetic, record[1] potential.
void EXPORT(td_energy_add)(const Actor* actor, bool isFirst)
{
    double kinetic = isFirst ? 0.0 : record[0], potential = isFirst ? 0.0 : record[1];
    tdVec3 gravity = tdWorld_GetGravity(actor->world);
    for (int i = 0; i < actor->bodyCount; ++i)
    {
        tdBodyId body = tdActor_GetBody(actor->actor, tdDescribeSceneBody(actor->asset, actor->scene, i).node);
        if (!tdBody_IsValid(actor->world, body) || tdBody_GetMotion(actor->world, body) != TD_MOTION_DYNAMIC)
        {
            continue;
        }
        tdBodyMass mass = tdBody_GetMass(actor->world, body);
        tdVec3 v = tdBody_GetLinearVelocity(actor->world, body);
        tdVec3 w = tdBody_GetAngularVelocity(actor->world, body);
        tdVec3 c = tdBody_GetWorldCenterOfMass(actor->world, body);
        if (isfinite(mass.mass))
        {
            double m = (double)mass.mass, factor = (double)tdBody_GetGravityFactor(actor->world, body);
            kinetic +=
                0.5 * m * ((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
            potential -= m * factor *
                         ((double)gravity.x * (double)c.x + (double)gravity.y * (double)c.y +
                          (double)gravity.z * (double)c.z);
        }
        // Into the principal axes: the inverse of body and orientation.
        tdTransform axes = Combine(tdBody_GetTransform(actor->world, body),
                                   (tdTransform){{0.0f, 0.0f, 0.0f}, mass.inertiaOrientation});
        tdQuat q = axes.rotation;
        tdVec3 p = Rotate((tdQuat){-q.x, -q.y, -q.z, q.w}, w);
        float spins[3] = {p.x, p.y, p.z};
        float inertias[3] = {mass.inertiaDiagonal.x, mass.inertiaDiagonal.y, mass.inertiaDiagonal.z};
        for (int k = 0; k < 3; ++k)
        {
            kinetic +=
                isfinite(inertias[k]) ? 0.5 * (double)inertias[k] * (double)spins[k] * (double)spins[k] : 0.0;
        }
    }
    record[0] = kinetic;
    record[1] = potential;
}

static bool IsSameBody(tdBodyId a, tdBodyId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

static bool ReserveContacts(int wanted)
{
    if (wanted > contactPointCapacity)
    {
        float* points = realloc(contactPoints, sizeof(float) * 2 * (size_t)wanted);
        contactPoints = points != NULL ? points : contactPoints;
        int* nodes = points != NULL ? realloc(contactNodes, sizeof(int) * (size_t)wanted / 2) : NULL;
        contactNodes = nodes != NULL ? nodes : contactNodes;
        contactPointCapacity = nodes != NULL ? 2 * wanted : contactPointCapacity;
    }
    return wanted <= contactPointCapacity;
}

/// Node of a shape, asked of the actor whose body it touches; -1 when the other side is another actor's.
static int FindNode(const Actor* actor, tdShapeId shape)
{
    return shape.index1 < (uint32_t)actor->nodeCount ? actor->nodes[shape.index1] : -1;
}

static int AddContacts(const Actor* actor, tdBodyId body, int used)
{
    const tdWorld* world = actor->world;
    tdContactData contacts[64];
    int count = tdBody_GetContacts(world, body, contacts, 64);
    count = count < 64 ? count : 64;
    for (int i = 0; i < count; ++i)
    {
        const tdContactData* contact = &contacts[i];
        tdBodyId owner = tdShape_GetBody(world, contact->shapeA);
        // Once: with body A, unless that is none that is asked here.
        if (!IsSameBody(owner, body) && tdBody_GetMotion(world, owner) == TD_MOTION_DYNAMIC)
        {
            continue;
        }
        if (!ReserveContacts(used + 8 * contact->pointCount))
        {
            return used;
        }
        int nodeA = FindNode(actor, contact->shapeA), nodeB = FindNode(actor, contact->shapeB);
        for (int k = 0; k < contact->pointCount; ++k)
        {
            float* out = contactPoints + used;
            out[0] = contact->points[k].x;
            out[1] = contact->points[k].y;
            out[2] = contact->points[k].z;
            out[3] = contact->normal.x;
            out[4] = contact->normal.y;
            out[5] = contact->normal.z;
            out[6] = contact->separations[k];
            out[7] = contact->impulse / (float)contact->pointCount;
            contactNodes[used / 4] = nodeA;
            contactNodes[used / 4 + 1] = nodeB;
            used += 8;
        }
    }
    return used;
}

/// Contact points of an actor's dynamic bodies behind those that are there.
/// @return how many floats are used now
int EXPORT(td_contacts_add)(const Actor* actor, int used)
{
    for (int i = 0; i < actor->bodyCount; ++i)
    {
        tdBodyId body = tdActor_GetBody(actor->actor, tdDescribeSceneBody(actor->asset, actor->scene, i).node);
        if (tdBody_IsValid(actor->world, body) && tdBody_GetMotion(actor->world, body) == TD_MOTION_DYNAMIC)
        {
            used = AddContacts(actor, body, used);
        }
    }
    return used;
}

const float* EXPORT(td_contacts)(void)
{
    return contactPoints;
}

const int* EXPORT(td_contact_nodes)(void)
{
    return contactNodes;
}

// The hand: a joint between the world and the grabbed point with three soft drives.

typedef struct Grab
{
    tdWorld* world;
    tdBodyId body;
    tdJointId joint;
    tdVec3 start, local; // where it took hold, in the world and in the body
} Grab;

void EXPORT(td_grab_move)(const Grab* grab, float x, float y, float z)
{
    if (!tdJoint_IsValid(grab->world, grab->joint))
    {
        return;
    }
    float targets[3] = {x - grab->start.x, y - grab->start.y, z - grab->start.z};
    for (int i = 0; i < 3; ++i)
    {
        tdJointDrive drive = tdJoint_GetDrive(grab->world, grab->joint, i);
        drive.positionTarget = targets[i];
        tdJoint_SetDrive(grab->world, grab->joint, i, drive);
    }
}

/// record[0..2]: where the grabbed point of the body is. False once the body is gone.
bool EXPORT(td_grab_point)(const Grab* grab)
{
    if (!tdBody_IsValid(grab->world, grab->body))
    {
        return false;
    }
    tdTransform local = {grab->local, {0.0f, 0.0f, 0.0f, 1.0f}};
    PutVec3(record, Combine(tdBody_GetTransform(grab->world, grab->body), local).position);
    return true;
}

/// @param frequency of the spring, Hz
/// @param maxForce in weights of the body
Grab* EXPORT(td_grab_create)(const Actor* actor, int node, float x, float y, float z, float frequency,
                             float maxForce)
{
    tdWorld* world = actor->world;
    tdBodyId body = tdActor_GetBody(actor->actor, node);
    if (!tdBody_IsValid(world, body) || tdBody_GetMotion(world, body) != TD_MOTION_DYNAMIC)
    {
        return NULL;
    }
    Grab* grab = malloc(sizeof(Grab));
    if (grab == NULL)
    {
        return NULL;
    }
    tdTransform transform = tdBody_GetTransform(world, body);
    tdQuat q = transform.rotation;
    tdVec3 start = {x, y, z};
    tdVec3 offset = {x - transform.position.x, y - transform.position.y, z - transform.position.z};
    tdVec3 local = Rotate((tdQuat){-q.x, -q.y, -q.z, q.w}, offset);
    float omega = 6.2831853f * frequency, mass = tdBody_GetMass(world, body).mass;
    tdJointDrive drives[6];
    for (int i = 0; i < 6; ++i)
    {
        drives[i] = tdDefaultJointDrive();
        drives[i].type = i < 3 ? TD_DRIVE_LINEAR : TD_DRIVE_ANGULAR;
        drives[i].mode = TD_DRIVE_ACCELERATION;
        drives[i].axis = (tdAxis)(1 << i % 3);
        drives[i].stiffness = i < 3 ? omega * omega : 0.0f;
        drives[i].damping = i < 3 ? 2.0f * omega : 2.0f; // the spin dies away within a second or two
        drives[i].maxForce = i < 3 && isfinite(mass) ? maxForce * 9.81f * mass : INFINITY;
    }
    tdJointDef def = tdDefaultJointDef();
    def.bodyB = body;
    def.frameA = (tdTransform){start, {0.0f, 0.0f, 0.0f, 1.0f}};
    def.frameB = (tdTransform){local, {-q.x, -q.y, -q.z, q.w}};
    def.drives = drives;
    def.driveCount = 6;
    *grab = (Grab){world, body, tdCreateJoint(world, &def), start, local};
    if (!tdJoint_IsValid(world, grab->joint))
    {
        free(grab);
        return NULL;
    }
    tdBody_SetAwake(world, body, true);
    return grab;
}

/// @param isWorldGone the stage was destroyed before
void EXPORT(td_grab_release)(Grab* grab, bool isWorldGone)
{
    if (!isWorldGone && tdJoint_IsValid(grab->world, grab->joint))
    {
        tdDestroyJoint(grab->world, grab->joint);
    }
    free(grab);
}
