// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Creates the world of a setup.
#include "setup.h"

#include "tendon/geometry.h"
#include "tendon/joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void* AllocateZeroed(int count, size_t size)
{
    void* memory = calloc((size_t)count + 1, size);
    if (memory == NULL)
    {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    return memory;
}

static tdGeometry* CookShape(const tdSetup* setup, const tdSetupShape* shape)
{
    const tdVec3* points = setup->points + shape->firstPoint;
    tdGeometryStatus status = TD_GEOMETRY_OK;
    tdGeometry* geometry = NULL;
    if (shape->kind == TD_SETUP_HULL)
    {
        geometry = tdCreateHullGeometry(points, shape->pointCount, NULL, &status);
    }
    else if (shape->kind == TD_SETUP_MESH)
    {
        uint32_t* indices = AllocateZeroed(3 * shape->triangleCount, sizeof(uint32_t));
        for (int i = 0; i < 3 * shape->triangleCount; ++i)
        {
            indices[i] = (uint32_t)setup->triangles[shape->firstTriangle + i / 3][i % 3];
        }
        tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
        def.positions = points;
        def.positionCount = shape->pointCount;
        def.indices = indices;
        def.indexCount = 3 * shape->triangleCount;
        geometry = tdCreateMeshGeometry(&def, &status);
        free(indices);
    }
    if (status != TD_GEOMETRY_OK)
    {
        fprintf(stderr, "%s: a shape cannot be cooked (status %d)\n", setup->name, (int)status);
        abort();
    }
    return geometry;
}

// Maps category and mask bits to collision systems: a body belongs to the systems of its category, and
// collides with those of its mask. Bodies that collide with all need no filter.
static tdFilterId MakeFilter(tdWorld* world, uint32_t category, uint32_t mask)
{
    if (category == 1 && mask == 0xffff)
    {
        return (tdFilterId){0};
    }
    uint32_t systems[32], partners[32];
    tdFilterDef def = {.collisionSystems = systems, .collideWith = partners};
    for (uint32_t bit = 0; bit < 16; ++bit)
    {
        if ((category >> bit & 1) != 0)
        {
            systems[def.collisionSystemCount++] = bit;
        }
        if ((mask >> bit & 1) != 0)
        {
            partners[def.collideWithCount++] = bit;
        }
    }
    return tdCreateFilter(world, &def);
}

static void AddPart(tdWorld* world, tdBodyId body, const tdShapeDef* def, const tdSetupShape* shape,
                    const tdGeometry* geometry)
{
    tdVec3 size = shape->size;
    switch (shape->kind)
    {
    case TD_SETUP_SPHERE:
        tdCreateSphere(world, body, def, size.x);
        break;
    case TD_SETUP_BOX:
        tdCreateBox(world, body, def, (tdVec3){2.0f * size.x, 2.0f * size.y, 2.0f * size.z});
        break;
    case TD_SETUP_CAPSULE:
        tdCreateCapsule(world, body, def, 2.0f * size.x, size.y, size.z);
        break;
    case TD_SETUP_CYLINDER:
        tdCreateCylinder(world, body, def, 2.0f * size.x, size.y, size.z);
        break;
    case TD_SETUP_PLANE:
        tdCreatePlane(world, body, def, INFINITY, INFINITY, false);
        break;
    case TD_SETUP_HULL:
        tdCreateHull(world, body, def, geometry);
        break;
    case TD_SETUP_MESH:
        tdCreateMesh(world, body, def, geometry);
        break;
    }
}

static tdBodyId AddBody(const tdSetupWorld* instance, const tdSetupBody* source)
{
    tdWorld* world = instance->world;
    const tdSetup* setup = instance->setup;
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = source->motion;
    def.transform = source->transform;
    def.linearVelocity = source->linearVelocity;
    def.angularVelocity = source->angularVelocity;
    tdBodyId body = tdCreateBody(world, &def);
    tdShapeDef shapeDef = tdDefaultShapeDef();
    shapeDef.density = source->density;
    shapeDef.staticFriction = source->staticFriction;
    shapeDef.dynamicFriction = source->dynamicFriction;
    shapeDef.restitution = source->restitution;
    shapeDef.isTrigger = source->isTrigger;
    shapeDef.filter = MakeFilter(world, source->category, source->mask);
    shapeDef.deferMass = source->partCount > 1;
    for (int i = 0; i < source->partCount; ++i)
    {
        const tdSetupPart* part = &setup->parts[source->firstPart + i];
        shapeDef.local = part->local;
        AddPart(world, body, &shapeDef, &setup->shapes[part->shape], instance->geometries[part->shape]);
    }
    if (shapeDef.deferMass && source->motion != TD_MOTION_STATIC)
    {
        tdBody_ComputeMass(world, body);
    }
    return body;
}

static tdJointId AddJoint(const tdSetupWorld* instance, const tdSetupJoint* source)
{
    tdJointLimit limits[4];
    tdJointDrive drive = tdDefaultJointDrive();
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = source->bodyA < 0 ? (tdBodyId){0, 0} : instance->bodies[source->bodyA];
    def.bodyB = source->bodyB < 0 ? (tdBodyId){0, 0} : instance->bodies[source->bodyB];
    def.frameA = source->frameA;
    def.frameB = source->frameB;
    def.limits = limits;
    def.drives = &drive;
    int count = 0;
    switch (source->kind)
    {
    case TD_SETUP_JOINT_BALL:
        limits[count++] = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        break;
    case TD_SETUP_JOINT_RAGDOLL:
        limits[count++] = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_X, source->lower, source->upper);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0.0f, source->cone);
        break;
    case TD_SETUP_JOINT_HINGE:
        limits[count++] = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_X, source->lower, source->upper);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0.0f, 0.0f);
        break;
    case TD_SETUP_JOINT_MOTOR:
        limits[count++] = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0.0f, 0.0f);
        drive.type = TD_DRIVE_ANGULAR;
        drive.axis = TD_AXIS_X;
        drive.velocityTarget = source->speed;
        drive.damping = 1e4f;
        drive.maxForce = source->maxTorque;
        def.driveCount = 1;
        break;
    case TD_SETUP_JOINT_SLIDER:
        limits[count++] = tdMakeLinearLimit(TD_AXIS_X, source->lower, source->upper);
        limits[count++] = tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0.0f, 0.0f);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        break;
    case TD_SETUP_JOINT_FIXED:
        limits[count++] = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        limits[count++] = tdMakeAngularLimit(TD_AXIS_ALL, 0.0f, 0.0f);
        break;
    case TD_SETUP_JOINT_SPRING:
        limits[count] = tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, source->upper);
        limits[count].stiffness = source->stiffness;
        limits[count++].damping = source->damping;
        break;
    }
    def.limitCount = count;
    return tdCreateJoint(instance->world, &def);
}

tdSetupWorld tdInstantiateSetup(const tdSetup* setup, const tdWorldDef* def)
{
    tdWorldDef worldDef = def != NULL ? *def : tdDefaultWorldDef();
    worldDef.gravity = setup->gravity;
    worldDef.bodyCapacity = setup->bodyCount;
    worldDef.contactCapacity =
        worldDef.contactCapacity > 0 ? worldDef.contactCapacity : 12 * setup->bodyCount;
    worldDef.enableSleep = setup->enableSleep;
    tdSetupWorld instance = {.world = tdCreateWorld(&worldDef), .setup = setup};
    instance.bodies = AllocateZeroed(setup->bodyCount, sizeof(tdBodyId));
    instance.joints = AllocateZeroed(setup->jointCount, sizeof(tdJointId));
    instance.geometries = AllocateZeroed(setup->shapeCount, sizeof(void*));
    for (int i = 0; i < setup->shapeCount; ++i)
    {
        instance.geometries[i] = CookShape(setup, &setup->shapes[i]);
    }
    for (int i = 0; i < setup->bodyCount; ++i)
    {
        instance.bodies[i] = AddBody(&instance, &setup->bodies[i]);
    }
    for (int i = 0; i < setup->jointCount; ++i)
    {
        instance.joints[i] = AddJoint(&instance, &setup->joints[i]);
    }
    return instance;
}

void tdDestroySetupWorld(tdSetupWorld* instance)
{
    tdDestroyWorld(instance->world);
    for (int i = 0; i < instance->setup->shapeCount; ++i)
    {
        tdDestroyGeometry(instance->geometries[i]);
    }
    free(instance->geometries);
    free(instance->bodies);
    free(instance->joints);
    *instance = (tdSetupWorld){0};
}

bool tdSetupWorld_Step(tdSetupWorld* instance)
{
    const tdSetup* setup = instance->setup;
    if (setup->firstReplaced > 0)
    {
        int index = setup->firstReplaced + instance->stepIndex % (setup->bodyCount - setup->firstReplaced);
        tdDestroyBody(instance->world, instance->bodies[index]);
        instance->bodies[index] = AddBody(instance, &setup->bodies[index]);
        instance->stepIndex += 1;
    }
    return tdWorld_Step(instance->world, instance->setup->timeStep);
}

uint64_t tdRunSetup(const tdSetup* setup, const tdWorldDef* def)
{
    tdSetupWorld instance = tdInstantiateSetup(setup, def);
    for (int i = 0; i < setup->stepCount; ++i)
    {
        if (!tdSetupWorld_Step(&instance))
        {
            fprintf(stderr, "out of memory\n");
            abort();
        }
    }
    uint64_t hash = tdWorld_GetStateHash(instance.world);
    tdDestroySetupWorld(&instance);
    return hash;
}
