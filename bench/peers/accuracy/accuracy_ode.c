// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// ODE as an engine of the accuracy scenes: dWorldStep where there are joints only, dWorldQuickStep with its
// default of 20 iterations where there are contacts, because dWorldStep fails on the redundant contacts of
// boxes.
#include "accuracy.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct OdeInstance
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID bodies[ACCURACY_MAX_BODIES];
    const AccuracyScene* scene;
    double timeStep;
} OdeInstance;

static void IgnoreMessage(int number, const char* message, va_list arguments)
{
    (void)number;
    (void)message;
    (void)arguments;
}

static void AddOdeContacts(void* context, dGeomID a, dGeomID b)
{
    const OdeInstance* instance = context;
    dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
    dContact contacts[8];
    int count = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i)
    {
        contacts[i].surface.mode = dContactBounce | dContactApprox1;
        contacts[i].surface.mu = (dReal)instance->scene->friction;
        contacts[i].surface.bounce = (dReal)instance->scene->restitution;
        contacts[i].surface.bounce_vel = (dReal)0.25;
        dJointAttach(dJointCreateContact(instance->world, instance->contacts, &contacts[i]), bodyA, bodyB);
    }
}

static void* CreateOde(const AccuracyScene* scene, double timeStep)
{
    OdeInstance* instance = calloc(1, sizeof(OdeInstance));
    dInitODE2(0);
    dSetMessageHandler(IgnoreMessage);
    instance->scene = scene;
    instance->timeStep = timeStep;
    instance->world = dWorldCreate();
    instance->space = dSimpleSpaceCreate(NULL);
    instance->contacts = dJointGroupCreate(0);
    dWorldSetGravity(instance->world, (dReal)scene->gravity[0], (dReal)scene->gravity[1],
                     (dReal)scene->gravity[2]);
    if (scene->hasGround)
    {
        dCreatePlane(instance->space, 0, 1, 0, 0);
    }
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        const AccuracyBody* body = &scene->bodies[i];
        dBodyID id = instance->bodies[i] = dBodyCreate(instance->world);
        dMass mass;
        dMassSetParameters(&mass, (dReal)body->mass, 0, 0, 0, (dReal)body->inertia[0],
                           (dReal)body->inertia[1], (dReal)body->inertia[2], 0, 0, 0);
        dBodySetMass(id, &mass);
        dBodySetPosition(id, (dReal)body->position[0], (dReal)body->position[1], (dReal)body->position[2]);
        dBodySetLinearVel(id, (dReal)body->linearVelocity[0], (dReal)body->linearVelocity[1],
                          (dReal)body->linearVelocity[2]);
        dBodySetAngularVel(id, (dReal)body->angularVelocity[0], (dReal)body->angularVelocity[1],
                           (dReal)body->angularVelocity[2]);
        dGeomID geom = body->shape == ACCURACY_SPHERE ? dCreateSphere(instance->space, (dReal)body->size[0])
                       : body->shape == ACCURACY_BOX
                           ? dCreateBox(instance->space, (dReal)(2 * body->size[0]),
                                        (dReal)(2 * body->size[1]), (dReal)(2 * body->size[2]))
                           : NULL;
        if (geom != NULL)
        {
            dGeomSetBody(geom, id);
        }
    }
    for (int i = 0; i < scene->hingeCount; ++i)
    {
        const AccuracyHinge* hinge = &scene->hinges[i];
        dJointID joint = dJointCreateHinge(instance->world, NULL);
        dJointAttach(joint, instance->bodies[hinge->child],
                     hinge->parent >= 0 ? instance->bodies[hinge->parent] : NULL);
        dJointSetHingeAnchor(joint, (dReal)hinge->anchor[0], (dReal)hinge->anchor[1],
                             (dReal)hinge->anchor[2]);
        dJointSetHingeAxis(joint, 0, 0, 1);
    }
    return instance;
}

static void StepOde(void* context)
{
    OdeInstance* instance = context;
    dSpaceCollide(instance->space, instance, AddOdeContacts);
    if (dSpaceGetNumGeoms(instance->space) > 0)
    {
        dWorldQuickStep(instance->world, (dReal)instance->timeStep);
    }
    else
    {
        dWorldStep(instance->world, (dReal)instance->timeStep);
    }
    dJointGroupEmpty(instance->contacts);
}

static AccuracyState GetOdeState(void* context, int body)
{
    const OdeInstance* instance = context;
    const dReal* p = dBodyGetPosition(instance->bodies[body]);
    const dReal* q = dBodyGetQuaternion(instance->bodies[body]);
    const dReal* v = dBodyGetLinearVel(instance->bodies[body]);
    const dReal* w = dBodyGetAngularVel(instance->bodies[body]);
    return (AccuracyState){
        {(double)p[0], (double)p[1], (double)p[2]},
        {(double)q[1], (double)q[2], (double)q[3], (double)q[0]},
        {(double)v[0], (double)v[1], (double)v[2]},
        {(double)w[0], (double)w[1], (double)w[2]},
    };
}

static void DestroyOde(void* context)
{
    OdeInstance* instance = context;
    dJointGroupDestroy(instance->contacts);
    dSpaceDestroy(instance->space);
    dWorldDestroy(instance->world);
    dCloseODE();
    free(instance);
}

const AccuracyEngine odeEngine = {"ODE",   true,        ACCURACY_MAX_BODIES, CreateOde,
                                  StepOde, GetOdeState, DestroyOde};
