// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Stages: clock, queries, events, grabbing bodies.
#include "exports.h"

#include <math.h>
#include <stdlib.h>

/// Contact points of the last td_contacts_add, 8 floats each; grows as needed and is never freed.
static float* contactPoints;
static int* contactNodes; // two per point
static int contactPointCapacity;

tdStage* EXPORT(td_stage_create)(float x, float y, float z, double stepRate, int subSteps, bool sleep)
{
    tdStageDef def = tdDefaultStageDef();
    def.world.gravity = (tdVec3){x, y, z};
    def.world.subStepCount = subSteps > 0 ? subSteps : def.world.subStepCount;
    def.world.enableSleep = sleep;
    def.stepRate = stepRate;
    def.limits = GetNextLimits();
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

bool EXPORT(td_stage_is_limited)(const tdStage* stage)
{
    return !tdStage_CheckLimits(stage, NULL);
}

void EXPORT(td_stage_evaluate)(tdStage* stage, double time)
{
    tdStage_Evaluate(stage, time);
}

double EXPORT(td_stage_time)(const tdStage* stage)
{
    return tdStage_GetTime(stage);
}

tdWorld* EXPORT(td_stage_world)(tdStage* stage)
{
    return tdStage_GetWorld(stage);
}

int EXPORT(td_stage_contact_event_count)(const tdStage* stage)
{
    return tdStage_GetEvents(stage).contactCount;
}

void EXPORT(td_stage_contact_event)(const tdStage* stage, int index)
{
    ContactEventRecord* r = GET_RECORD(ContactEvent);
    tdContactEvent event = tdStage_GetEvents(stage).contacts[index];
    r->began = event.began;
    r->actorA = PutAddress(event.actorA);
    r->actorB = PutAddress(event.actorB);
    r->nodeA = event.nodeA;
    r->nodeB = event.nodeB;
    PutVec3(r->point, event.point);
    PutVec3(r->normal, event.normal);
    r->impulse = (double)event.impulse;
}

int EXPORT(td_stage_trigger_event_count)(const tdStage* stage)
{
    return tdStage_GetEvents(stage).triggerCount;
}

void EXPORT(td_stage_trigger_event)(const tdStage* stage, int index)
{
    TriggerEventRecord* r = GET_RECORD(TriggerEvent);
    tdTriggerEvent event = tdStage_GetEvents(stage).triggers[index];
    r->entered = event.entered;
    r->trigger = PutAddress(event.trigger);
    r->visitor = PutAddress(event.visitor);
    r->triggerNode = event.triggerNode;
    r->visitorNode = event.visitorNode;
    r->visitorBodyNode = event.visitorBodyNode;
}

bool EXPORT(td_stage_cast_ray)(const tdStage* stage, float ax, float ay, float az, float bx, float by,
                               float bz)
{
    HitRecord* r = GET_RECORD(Hit);
    tdStageHit hit;
    if (!tdStage_CastRay(stage, (tdVec3){ax, ay, az}, (tdVec3){bx, by, bz}, NULL, -1, &hit))
    {
        return false;
    }
    r->actor = PutAddress(hit.actor);
    r->node = hit.node;
    r->bodyNode = hit.bodyNode;
    r->fraction = (double)hit.fraction;
    PutVec3(r->point, hit.point);
    PutVec3(r->normal, hit.normal);
    return true;
}

// Over all actors

/// Adds the energies of an actor to the Energy record; the first call starts the sum.
void EXPORT(td_energy_add)(const Actor* actor, bool isFirst)
{
    EnergyRecord* r = GET_RECORD(Energy);
    double kinetic = isFirst ? 0.0 : r->kinetic, potential = isFirst ? 0.0 : r->potential;
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
        // Angular velocity in the principal axes.
        tdTransform axes = tdMulTransform(tdBody_GetTransform(actor->world, body),
                                   (tdTransform){{0.0f, 0.0f, 0.0f}, mass.inertiaOrientation});
        tdQuat q = axes.rotation;
        tdVec3 p = tdInvRotate(q, w);
        float spins[3] = {p.x, p.y, p.z};
        float inertias[3] = {mass.inertiaDiagonal.x, mass.inertiaDiagonal.y, mass.inertiaDiagonal.z};
        for (int k = 0; k < 3; ++k)
        {
            kinetic +=
                isfinite(inertias[k]) ? 0.5 * (double)inertias[k] * (double)spins[k] * (double)spins[k] : 0.0;
        }
    }
    r->kinetic = kinetic;
    r->potential = potential;
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

/// Node of a shape of this actor; -1 for a shape of another actor.
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
        // Body A reports the contact; body B does so only where A is not dynamic.
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

/// Appends the contact points of an actor's dynamic bodies behind the first `used` floats.
/// @return number of floats in use
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

// Grabbing: a joint between the world and the grabbed point with soft drives on all six axes.

typedef struct Grab
{
    tdWorld* world;
    tdBodyId body;
    tdJointId joint;
    tdVec3 start, local; // grabbed point at the start, in the world and in the body
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

/// Whether the joint of the grab exists: a loaded state may be of a moment before the grab.
bool EXPORT(td_grab_is_held)(const Grab* grab)
{
    return tdJoint_IsValid(grab->world, grab->joint);
}

/// Ends a grab. A loaded state may begin it again, so its memory stays until td_grab_free.
void EXPORT(td_grab_release)(const Grab* grab)
{
    if (tdJoint_IsValid(grab->world, grab->joint))
    {
        tdDestroyJoint(grab->world, grab->joint);
    }
}

/// Leaves the position of the grabbed point in the Vector record. False when the body was destroyed.
bool EXPORT(td_grab_point)(const Grab* grab)
{
    VectorRecord* r = GET_RECORD(Vector);
    if (!tdBody_IsValid(grab->world, grab->body))
    {
        return false;
    }
    tdTransform local = {grab->local, {0.0f, 0.0f, 0.0f, 1.0f}};
    PutVec3(r->value, tdMulTransform(tdBody_GetTransform(grab->world, grab->body), local).position);
    return true;
}

/// @param frequency of the spring, Hz
/// @param maxForce as a multiple of the weight of the body
/// @return NULL when the node has no dynamic body or memory ran out
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
    tdVec3 local = tdInvRotate(q, offset);
    float omega = 6.2831853f * frequency, mass = tdBody_GetMass(world, body).mass;
    tdJointDrive drives[6];
    for (int i = 0; i < 6; ++i)
    {
        drives[i] = tdDefaultJointDrive();
        drives[i].type = i < 3 ? TD_DRIVE_LINEAR : TD_DRIVE_ANGULAR;
        drives[i].mode = TD_DRIVE_ACCELERATION;
        drives[i].axis = (tdAxis)(1 << i % 3);
        drives[i].stiffness = i < 3 ? omega * omega : 0.0f;
        drives[i].damping = i < 3 ? 2.0f * omega : 2.0f; // 1/s: damps the spin within two seconds
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

void EXPORT(td_grab_free)(Grab* grab)
{
    free(grab);
}
