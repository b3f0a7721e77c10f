// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tendon as an engine of the accuracy scenes.
#include "accuracy.h"

#include "tendon/joint.h"

#include <math.h>
#include <stdlib.h>

typedef struct TendonInstance
{
    tdWorld* world;
    tdBodyId bodies[ACCURACY_MAX_BODIES];
    double timeStep;
} TendonInstance;

static tdVec3 ToVec3(const double* v)
{
    return (tdVec3){(float)v[0], (float)v[1], (float)v[2]};
}

static void* CreateTendon(const AccuracyScene* scene, double timeStep)
{
    TendonInstance* instance = calloc(1, sizeof(TendonInstance));
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = ToVec3(scene->gravity);
    def.enableSleep = false;
    instance->world = tdCreateWorld(&def);
    instance->timeStep = timeStep;
    tdShapeDef material = tdDefaultShapeDef();
    material.staticFriction = material.dynamicFriction = (float)scene->friction;
    material.restitution = (float)scene->restitution;
    if (scene->hasGround)
    {
        tdCreatePlane(instance->world, tdCreateBody(instance->world, NULL), &material, INFINITY, INFINITY,
                      false);
    }
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        const AccuracyBody* body = &scene->bodies[i];
        tdBodyDef bodyDef = tdDefaultBodyDef();
        bodyDef.motion = TD_MOTION_DYNAMIC;
        bodyDef.transform.position = ToVec3(body->position);
        bodyDef.linearVelocity = ToVec3(body->linearVelocity);
        bodyDef.angularVelocity = ToVec3(body->angularVelocity);
        bodyDef.mass = (float)body->mass;
        bodyDef.inertiaDiagonal = ToVec3(body->inertia);
        instance->bodies[i] = tdCreateBody(instance->world, &bodyDef);
        if (body->shape == ACCURACY_SPHERE)
        {
            tdCreateSphere(instance->world, instance->bodies[i], &material, (float)body->size[0]);
        }
        else if (body->shape == ACCURACY_BOX)
        {
            tdVec3 half = ToVec3(body->size);
            tdCreateBox(instance->world, instance->bodies[i], &material,
                        (tdVec3){2.0f * half.x, 2.0f * half.y, 2.0f * half.z});
        }
    }
    for (int i = 0; i < scene->hingeCount; ++i)
    {
        const AccuracyHinge* hinge = &scene->hinges[i];
        tdJointDef joint = tdMakeHingeJointDef(
            instance->world, hinge->parent >= 0 ? instance->bodies[hinge->parent] : (tdBodyId){0},
            instance->bodies[hinge->child], ToVec3(hinge->anchor), (tdVec3){0.0f, 0.0f, 1.0f}, -INFINITY,
            INFINITY);
        tdCreateJoint(instance->world, &joint);
    }
    return instance;
}

static void StepTendon(void* context)
{
    TendonInstance* instance = context;
    tdWorld_Step(instance->world, (float)instance->timeStep);
}

static AccuracyState GetTendonState(void* context, int body)
{
    const TendonInstance* instance = context;
    tdTransform t = tdBody_GetTransform(instance->world, instance->bodies[body]);
    tdVec3 v = tdBody_GetLinearVelocity(instance->world, instance->bodies[body]);
    tdVec3 w = tdBody_GetAngularVelocity(instance->world, instance->bodies[body]);
    return (AccuracyState){
        {(double)t.position.x, (double)t.position.y, (double)t.position.z},
        {(double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z, (double)t.rotation.w},
        {(double)v.x, (double)v.y, (double)v.z},
        {(double)w.x, (double)w.y, (double)w.z},
    };
}

static void DestroyTendon(void* context)
{
    TendonInstance* instance = context;
    tdDestroyWorld(instance->world);
    free(instance);
}

const AccuracyEngine tendonEngine = {"Tendon",   true,           ACCURACY_MAX_BODIES, CreateTendon,
                                     StepTendon, GetTendonState, DestroyTendon};
