// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builders of the categories. A scene of a category that conserves energy has no drives, no moving kinematic
// bodies and no overlap at its start.
#include "categories.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define STANDARD_GRAVITY 9.81
#define SECONDS_PER_SCENE 5.0
/// Upper limit of spins at the start, rad/s.
#define MAX_SPIN 1.0e5
/// Gain that a scene may have besides the oscillation of the integrator.
#define ENERGY_FRACTION 0.001
/// Gain of joint nets.
#define NET_ENERGY_FRACTION 0.01
/// Opening of joints as a fraction of the smaller body: in nets, and in trees whose light ends may whip
/// around.
#define NET_JOINT_FRACTION 0.01
#define JOINT_FRACTION 0.05

// Create the world of a scene at 1/timeStep Hz.
static void OpenWorld(Scene* scene, const tdWorldDef* def, double gravity, double timeStep, int subStepCount)
{
    tdWorldDef worldDef = *def;
    worldDef.gravity = MakeVector(0, -gravity, 0);
    worldDef.enableSleep = false;
    worldDef.subStepCount = subStepCount;
    scene->world = tdCreateWorld(&worldDef);
    scene->gravity = gravity;
    scene->timeStep = timeStep;
    scene->subStepCount = subStepCount;
    scene->stepCount = (int)(SECONDS_PER_SCENE / timeStep);
    scene->conservesEnergy = true;
    scene->energyFraction = ENERGY_FRACTION;
}

static void OpenStandardWorld(Scene* scene, const tdWorldDef* def)
{
    OpenWorld(scene, def, STANDARD_GRAVITY, 1.0 / 60.0, 4);
}

// Velocities of up to the given speed for all bodies, with spins of the same surface speed.
static void ThrowBodies(Scene* scene, double minSpeed, double maxSpeed)
{
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        tdVec3 direction = Scene_DrawDirection(scene), axis = Scene_DrawDirection(scene);
        double speed = Scene_DrawRatio(scene, minSpeed, maxSpeed);
        double spin = fmin(Scene_DrawBetween(scene, 0.0, 1.0) * speed / scene->bodies[i].radius, MAX_SPIN);
        tdBody_SetLinearVelocity(scene->world, scene->bodies[i].id,
                                 MakeVector(speed * (double)direction.x, speed * (double)direction.y,
                                            speed * (double)direction.z));
        tdBody_SetAngularVelocity(
            scene->world, scene->bodies[i].id,
            MakeVector(spin * (double)axis.x, spin * (double)axis.y, spin * (double)axis.z));
    }
}

static void BuildSane(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.5);
    int count = Scene_DrawInt(scene, 2, 40);
    Scene_FillContainer(scene, &material, count, 0.15, 0.5);
    ThrowBodies(scene, 0.1, 5.0);
}

static void BuildMass(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.5);
    int count = Scene_DrawInt(scene, 2, 30);
    Scene_FillContainer(scene, &material, count, 0.15, 0.5);
    double ratio = Scene_DrawRatio(scene, 10.0, 1.0e4);
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        double mass = Scene_DrawRatio(scene, 1.0, ratio);
        Scene_SetMass(scene, i, mass);
    }
    ThrowBodies(scene, 0.1, 3.0);
}

static void BuildSize(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.5);
    double largest = Scene_DrawRatio(scene, 0.001, 100.0);
    double smallest = Scene_DrawRatio(scene, fmax(0.001, 0.01 * largest), largest);
    int count = Scene_DrawInt(scene, 2, 30);
    Scene_FillContainer(scene, &material, count, 0.5 * smallest, 0.5 * largest);
    double speed = sqrt(2.0 * STANDARD_GRAVITY * largest);
    ThrowBodies(scene, 0.1 * speed, 2.0 * speed);
}

// A container with a thin closed wall in the middle, or throws onto open ground.
static void BuildSpeed(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 1.0);
    double radius = Scene_DrawRatio(scene, 0.005, 0.5);
    int count = Scene_DrawInt(scene, 1, 12);
    if (Scene_DrawChance(scene, 0.5))
    {
        double cell = 4.0 * radius, half = cell * (count + 1), thickness = radius * 0.05;
        Scene_AddContainer(scene, &material, MakeVector(half, half, half), half);
        tdBodyDef wall = tdDefaultBodyDef();
        wall.transform.position = MakeVector(0, 0.5 * half, 0);
        tdBodyId divider = tdCreateBody(scene->world, &wall);
        tdCreateBox(scene->world, divider, &material, MakeVector(thickness, 1.5 * half, 2.2 * half));
        scene->hasDivider = true;
        for (int i = 0; i < count; ++i)
        {
            int side = i % 2 * 2 - 1;
            tdVec3 position = MakeVector(side * cell * (1 + i / 2), 0.5 * half, 0);
            int body = Scene_AddRandomBody(scene, &material, position, radius);
            scene->bodies[body].side = side;
        }
    }
    else
    {
        tdBodyDef ground = tdDefaultBodyDef();
        tdBodyId body = tdCreateBody(scene->world, &ground);
        if (Scene_DrawChance(scene, 0.5))
        {
            tdCreatePlane(scene->world, body, &material, INFINITY, INFINITY, false);
        }
        else
        {
            tdShapeDef slab = material;
            slab.local.position = MakeVector(0, -0.5 * radius, 0);
            tdCreateBox(scene->world, body, &slab, MakeVector(1.0e5, radius, 1.0e5));
        }
        scene->hasGround = true;
        for (int i = 0; i < count; ++i)
        {
            Scene_AddRandomBody(scene, &material, MakeVector(4.0 * radius * i, 4.0 * radius, 0), radius);
        }
    }
    ThrowBodies(scene, 10.0, 3000.0);
    scene->stepCount = scene->hasContainer ? 300 : 60;
}

static void BuildTimeStep(Scene* scene, const tdWorldDef* def)
{
    double rate = Scene_DrawRatio(scene, 20.0, 1000.0);
    int subSteps = Scene_DrawInt(scene, 2, 16);
    OpenWorld(scene, def, STANDARD_GRAVITY, 1.0 / rate, subSteps);
    scene->stepCount = (int)fmin(3.0 * rate, 1000.0);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.5);
    int count = Scene_DrawInt(scene, 2, 25);
    Scene_FillContainer(scene, &material, count, 0.15, 0.5);
    ThrowBodies(scene, 0.1, 5.0);
}

// A joint of a random kind between two bodies, or a body and the world (a = -1), at a point.
static void AddRandomJoint(Scene* scene, int a, int b, tdVec3 anchor, bool isLimited)
{
    tdWorld* world = scene->world;
    tdBodyId idA = a >= 0 ? scene->bodies[a].id : (tdBodyId){0}, idB = scene->bodies[b].id;
    tdVec3 axis = Scene_DrawDirection(scene);
    int kind = Scene_DrawInt(scene, 0, 9);
    double range = isLimited ? Scene_DrawBetween(scene, 0.1, 1.5) : (double)INFINITY;
    float high = (float)range, low = -high;
    tdJointDef def;
    if (kind < 4)
    {
        def = tdMakeHingeJointDef(world, idA, idB, anchor, axis, low, high);
    }
    else if (kind < 7)
    {
        def = tdMakeBallJointDef(world, idA, idB, anchor);
    }
    else if (kind == 7)
    {
        def = tdMakeFixedJointDef(world, idA, idB, anchor);
    }
    else if (kind == 8)
    {
        def = tdMakeConeTwistJointDef(world, idA, idB, anchor, axis, 1.0f, -1.0f, 1.0f);
    }
    else
    {
        double travel = 0.5 * scene->bodies[b].radius;
        def = tdMakeSliderJointDef(world, idA, idB, anchor, axis, (float)-travel, (float)travel);
    }
    double size =
        a >= 0 ? 2.0 * fmin(scene->bodies[a].radius, scene->bodies[b].radius) : 2.0 * scene->bodies[b].radius;
    Scene_AddJoint(scene, &def, size);
}

// Boxes that collide with nothing, so that only joints act.
static int AddGhostBox(Scene* scene, tdVec3 position, double size, double density)
{
    tdShapeDef shape = tdDefaultShapeDef();
    uint32_t system = 1;
    shape.filter = tdCreateFilter(scene->world, &(tdFilterDef){.collisionSystems = &system,
                                                               .collisionSystemCount = 1,
                                                               .notCollideWith = &system,
                                                               .notCollideWithCount = 1});
    shape.density = (float)density;
    double a = Scene_DrawBetween(scene, 0.3, 1.0), b = Scene_DrawBetween(scene, 0.3, 1.0);
    tdQuat rotation = Scene_DrawRotation(scene);
    return Scene_AddBox(scene, &shape, position, rotation, MakeVector(size, a * size, b * size));
}

// A point of a body's surface, about.
static tdVec3 DrawAnchor(Scene* scene, int body)
{
    tdVec3 direction = Scene_DrawDirection(scene), p = scene->bodies[body].start;
    double r = 0.6 * scene->bodies[body].radius;
    return MakeVector((double)p.x + r * (double)direction.x, (double)p.y + r * (double)direction.y,
                      (double)p.z + r * (double)direction.z);
}

// A position of a body of the size that has the anchor near its surface.
static tdVec3 DrawBeside(Scene* scene, tdVec3 anchor, double size)
{
    tdVec3 arm = Scene_DrawDirection(scene);
    return tdMulAdd(anchor, 0.5f * (float)size, arm);
}

// A tree that hangs from the world. Each body starts beside its parent's anchor.
static void BuildTree(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    int count = Scene_DrawInt(scene, 2, 30);
    double ratio = Scene_DrawRatio(scene, 1.0, 100.0);
    bool isLimited = Scene_DrawChance(scene, 0.5);
    double reach = 0.0;
    for (int i = 0; i < count; ++i)
    {
        int parent = i == 0 ? -1 : Scene_DrawInt(scene, 0, i - 1);
        double size = Scene_DrawBetween(scene, 0.2, 0.6),
               density = 300.0 * Scene_DrawRatio(scene, 1.0, ratio);
        tdVec3 anchor = parent < 0 ? MakeVector(0, 0, 0) : DrawAnchor(scene, parent);
        tdVec3 arm = Scene_DrawDirection(scene);
        tdVec3 position = MakeVector((double)anchor.x + 0.5 * size * (double)arm.x,
                                     (double)anchor.y + 0.5 * size * (double)arm.y,
                                     (double)anchor.z + 0.5 * size * (double)arm.z);
        int body = AddGhostBox(scene, position, size, density);
        AddRandomJoint(scene, parent, body, anchor, isLimited);
        reach += 2.0 * size + 0.5 * scene->bodies[body].radius;
    }
    if (Scene_DrawChance(scene, 0.5))
    {
        ThrowBodies(scene, 0.1, 3.0);
    }
    scene->lowest = -reach;
    scene->jointFraction = JOINT_FRACTION;
}

// A net with any number of loops, consistent at its start.
static void BuildNet(Scene* scene, const tdWorldDef* def)
{
    bool isHanging = Scene_DrawChance(scene, 0.5);
    OpenWorld(scene, def, isHanging ? STANDARD_GRAVITY : 0.0, 1.0 / 60.0, 4);
    scene->energyFraction = NET_ENERGY_FRACTION;
    int count = Scene_DrawInt(scene, 2, 40);
    double massRatio = Scene_DrawRatio(scene, 1.0, 1.0e4), sizeRatio = Scene_DrawRatio(scene, 1.0, 100.0);
    double density = Scene_DrawBetween(scene, 0.0, 4.0), reach = 1.0;
    for (int i = 0; i < count; ++i)
    {
        int parent = i == 0 ? -1 : Scene_DrawInt(scene, 0, i - 1);
        double size = Scene_DrawRatio(scene, 1.0 / sizeRatio, 1.0),
               mass = Scene_DrawRatio(scene, 1.0, massRatio);
        tdVec3 anchor = parent < 0 ? MakeVector(0, 0, 0) : DrawAnchor(scene, parent);
        int body = AddGhostBox(scene, DrawBeside(scene, anchor, size), size, 1000.0);
        Scene_SetMass(scene, body, mass);
        reach += 2.5 * size;
        if (parent >= 0)
        {
            AddRandomJoint(scene, parent, body, anchor, false);
        }
    }
    int extra = (int)(density * count * Scene_DrawBetween(scene, 0.0, 1.0));
    for (int i = 0; i < extra; ++i)
    {
        int a = Scene_DrawInt(scene, 0, count - 1), b = Scene_DrawInt(scene, 0, count - 1);
        if (a != b)
        {
            AddRandomJoint(scene, a, b, DrawAnchor(scene, b), false);
        }
    }
    if (isHanging)
    {
        AddRandomJoint(scene, -1, 0, scene->bodies[0].start, false);
    }
    if (!isHanging || Scene_DrawChance(scene, 0.5))
    {
        ThrowBodies(scene, 0.1, 5.0);
    }
    scene->stepCount = 600;
    scene->lowest = -reach;
    scene->jointFraction = NET_JOINT_FRACTION;
}

static void BuildOverlap(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.5);
    int count = Scene_DrawInt(scene, 2, 30);
    double half = Scene_DrawBetween(scene, 2.0, 4.0), spread = Scene_DrawBetween(scene, 0.1, 1.0);
    for (int i = 0; i < count; ++i)
    {
        double radius = Scene_DrawBetween(scene, 0.15, 0.5);
        tdVec3 position;
        position.x = (float)Scene_DrawBetween(scene, -spread, spread);
        position.y = (float)(half + Scene_DrawBetween(scene, -spread, spread));
        position.z = (float)Scene_DrawBetween(scene, -spread, spread);
        Scene_AddRandomBody(scene, &material, position, radius);
    }
    Scene_AddContainer(scene, &material, MakeVector(half, 2.0 * half, half), half);
    scene->conservesEnergy = false;
}

static void BuildManyContacts(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.3);
    int count = Scene_DrawInt(scene, 100, 400);
    Scene_FillContainer(scene, &material, count, 0.05, 0.15);
    scene->stepCount = 240;
}

// A kinematic press that closes to a gap that still holds the bodies, and opens again.
static void BuildCrusher(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.2);
    int count = Scene_DrawInt(scene, 2, 20);
    Scene_FillContainer(scene, &material, count, 0.2, 0.4);
    double x = (double)scene->inside.x, y = (double)scene->inside.y, z = (double)scene->inside.z;
    // Spheres of the bodies' radii would fill 0.74 of the space at most; half of it is left.
    double volume = 0.0, largest = 0.0;
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        double r = scene->bodies[i].radius;
        volume += 4.2 * r * r * r;
        largest = fmax(largest, 2.2 * r);
    }
    double gap = fmin(fmax(largest, 2.0 * volume / (4.0 * x * z)), 0.95 * y), thickness = 0.2;
    double height = y + 0.5 * thickness;
    tdBodyDef press = tdDefaultBodyDef();
    press.motion = TD_MOTION_KINEMATIC;
    press.transform.position = MakeVector(0, height, 0);
    tdBodyId body = tdCreateBody(scene->world, &press);
    tdCreateBox(scene->world, body, &material, MakeVector(2.0 * x, thickness, 2.0 * z));
    scene->movers[scene->moverCount++] = (SceneMover){
        .id = body,
        .from = MakeVector(0, height, 0),
        .to = MakeVector(0, gap + 0.5 * thickness, 0),
        .period = Scene_DrawBetween(scene, 1.0, 4.0),
    };
    scene->conservesEnergy = false;
}

// A closed room of double-sided triangles with slivers, duplicates, triangles without area and T-junctions.
static void BuildBadMesh(Scene* scene, const tdWorldDef* def)
{
    enum
    {
        MAX_POINTS = 3000
    };
    static const int corners[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.4);
    double half = Scene_DrawBetween(scene, 1.5, 3.0);
    tdVec3 points[MAX_POINTS];
    int count = 0;
    for (int face = 0; face < 6; ++face)
    {
        tdVec3 c[4];
        for (int i = 0; i < 4; ++i)
        {
            int k = corners[face][i];
            c[i] = MakeVector(k & 1 ? half : -half, k & 2 ? 2.0 * half : 0.0, k & 4 ? half : -half);
        }
        // Strips of random widths, some thinner than a millimetre; each strip is cut by its own number of
        // points, so neighbours meet in T-junctions.
        double from = 0.0;
        while (from < 1.0 && count < MAX_POINTS - 200)
        {
            double width = Scene_DrawChance(scene, 0.3) ? 0.0002 : Scene_DrawBetween(scene, 0.05, 0.5);
            double to = from + width > 0.999 ? 1.0 : from + width;
            int cuts = Scene_DrawInt(scene, 1, 5);
            for (int i = 0; i < cuts; ++i)
            {
                double u[2] = {(double)i / cuts, (double)(i + 1) / cuts}, v[2] = {from, to};
                tdVec3 q[4];
                for (int k = 0; k < 4; ++k)
                {
                    double s = u[k & 1], t = v[k >> 1];
                    const float* a = &c[0].x;
                    const float* b = &c[1].x;
                    const float* d = &c[3].x;
                    float* out = &q[k].x;
                    for (int axis = 0; axis < 3; ++axis)
                    {
                        out[axis] = (float)((double)a[axis] + s * ((double)b[axis] - (double)a[axis]) +
                                            t * ((double)d[axis] - (double)a[axis]));
                    }
                }
                int copies = Scene_DrawChance(scene, 0.1) ? 2 : 1;
                for (int copy = 0; copy < copies; ++copy)
                {
                    bool isFlipped = Scene_DrawChance(scene, 0.5);
                    tdVec3 made[6] = {q[0], isFlipped ? q[2] : q[1], isFlipped ? q[1] : q[2],
                                      q[1], isFlipped ? q[2] : q[3], isFlipped ? q[3] : q[2]};
                    memcpy(points + count, made, sizeof(made));
                    count += 6;
                }
                if (Scene_DrawChance(scene, 0.1)) // no area
                {
                    points[count] = points[count + 1] = q[0];
                    points[count + 2] = q[3];
                    count += 3;
                }
            }
            from = to;
        }
    }
    tdMeshGeometryDef meshDef = tdDefaultMeshGeometryDef();
    meshDef.positions = points;
    meshDef.positionCount = meshDef.indexCount = count;
    meshDef.isDoubleSided = true;
    tdGeometry* mesh = Scene_KeepGeometry(scene, tdCreateMeshGeometry(&meshDef, NULL));
    tdBodyDef room = tdDefaultBodyDef();
    tdCreateMesh(scene->world, tdCreateBody(scene->world, &room), &material, mesh);
    scene->hasContainer = true;
    scene->inside = MakeVector(half, 2.0 * half, half);
    int bodies = Scene_DrawInt(scene, 1, 12);
    for (int i = 0; i < bodies; ++i)
    {
        double radius = Scene_DrawBetween(scene, 0.1, 0.25), cell = half / 3.0;
        Scene_AddRandomBody(
            scene, &material,
            MakeVector((i % 3 - 1) * cell * 1.5, half + i / 9 * cell * 1.5, (i / 3 % 3 - 1) * cell * 1.5),
            radius);
    }
    ThrowBodies(scene, 0.1, 10.0);
}

// Trees whose joints have motors and springs with bounded forces.
static void BuildDrives(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    int count = Scene_DrawInt(scene, 2, 15);
    double reach = 0.0;
    for (int i = 0; i < count; ++i)
    {
        int parent = i == 0 ? -1 : Scene_DrawInt(scene, 0, i - 1);
        double size = Scene_DrawBetween(scene, 0.2, 0.6);
        tdVec3 anchor = parent < 0 ? MakeVector(0, 0, 0) : DrawAnchor(scene, parent);
        tdVec3 arm = Scene_DrawDirection(scene), axis = Scene_DrawDirection(scene);
        tdVec3 position = MakeVector((double)anchor.x + 0.5 * size * (double)arm.x,
                                     (double)anchor.y + 0.5 * size * (double)arm.y,
                                     (double)anchor.z + 0.5 * size * (double)arm.z);
        int body = AddGhostBox(scene, position, size, 1000.0);
        tdJointDrive drive = tdDefaultJointDrive();
        drive.type = TD_DRIVE_ANGULAR;
        drive.mode = Scene_DrawChance(scene, 0.5) ? TD_DRIVE_FORCE : TD_DRIVE_ACCELERATION;
        drive.damping = (float)Scene_DrawRatio(scene, 0.1, 1000.0);
        drive.stiffness = Scene_DrawChance(scene, 0.5) ? (float)Scene_DrawRatio(scene, 1.0, 1.0e4) : 0.0f;
        drive.velocityTarget = (float)Scene_DrawBetween(scene, -20.0, 20.0);
        drive.positionTarget = (float)Scene_DrawBetween(scene, -3.0, 3.0);
        drive.maxForce = (float)Scene_DrawRatio(scene, 1.0, 1000.0);
        tdJointDef joint =
            tdMakeHingeJointDef(scene->world, parent < 0 ? (tdBodyId){0} : scene->bodies[parent].id,
                                scene->bodies[body].id, anchor, axis, -INFINITY, INFINITY);
        joint.drives = &drive;
        joint.driveCount = 1;
        Scene_AddJoint(scene, &joint, 2.0 * scene->bodies[body].radius);
        reach += 2.0 * size;
    }
    scene->conservesEnergy = false;
    scene->jointFraction = JOINT_FRACTION;
    scene->lowest = -reach;
}

// A tower of boxes or cylinders. Above every interface, the centre of mass is inside the contact area with a
// margin of a tenth of its half width.
static void BuildTower(Scene* scene, const tdWorldDef* def)
{
    OpenStandardWorld(scene, def);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.0);
    material.staticFriction = material.dynamicFriction = 0.7f;
    Scene_AddWall(scene, &material, MakeVector(0, -1, 0), MakeVector(100, 2, 100));
    scene->hasGround = true;
    int count = Scene_DrawInt(scene, 2, 20);
    double ratio = Scene_DrawRatio(scene, 1.0, 20.0);
    double edge[20], mass[20], offset[20][2];
    double scale = Scene_DrawRatio(scene, 0.05, 5.0);
    for (int i = 0; i < count; ++i)
    {
        edge[i] = scale * Scene_DrawBetween(scene, 0.8, 1.2);
        mass[i] = scale * scale * scale * 1000.0 * Scene_DrawRatio(scene, 1.0, ratio);
    }
    // From the top: the part above each interface, relative to the body below.
    double above = 0.0, center[2] = {0.0, 0.0}; // of the part above, relative to body i + 1
    for (int i = count - 1; i >= 0; --i)
    {
        double half = i > 0 ? 0.5 * fmin(edge[i], edge[i - 1]) : 0.5 * edge[i];
        for (int k = 0; k < 2; ++k)
        {
            center[k] = center[k] * above / (above + mass[i]); // relative to body i, with it
            double wanted = Scene_DrawBetween(scene, -0.1, 0.1) * half;
            // The lower edge of the contact area moves with the offset, so the offset is small.
            offset[i][k] = i > 0 ? wanted : 0.0;
            center[k] += offset[i][k]; // relative to body i - 1
            if (fabs(center[k]) > 0.6 * half)
            {
                center[k] -= offset[i][k];
                offset[i][k] = 0.0;
            }
        }
        above += mass[i];
    }
    double x = 0.0, z = 0.0, y = 0.0;
    for (int i = 0; i < count; ++i)
    {
        x += offset[i][0];
        z += offset[i][1];
        int body = Scene_AddBox(scene, &material, MakeVector(x, y + 0.5 * edge[i], z), (tdQuat){0, 0, 0, 1},
                                MakeVector(edge[i], edge[i], edge[i]));
        Scene_SetMass(scene, body, mass[i]);
        scene->bodies[body].mustStand = true;
        y += edge[i];
    }
    scene->stepCount = 900;
}

// Bodies and short chains of unequal mass in one container, at any time step.
static void BuildMixed(Scene* scene, const tdWorldDef* def)
{
    double rate = Scene_DrawRatio(scene, 30.0, 240.0);
    OpenWorld(scene, def, STANDARD_GRAVITY, 1.0 / rate, 4);
    scene->stepCount = (int)(4.0 * rate);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.8);
    double largest = Scene_DrawRatio(scene, 0.05, 1.0), ratio = Scene_DrawRatio(scene, 1.0, 1000.0);
    int count = Scene_DrawInt(scene, 4, 30);
    Scene_FillContainer(scene, &material, count, 0.2 * largest, largest);
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        double mass = 10.0 * Scene_DrawRatio(scene, 1.0, ratio);
        Scene_SetMass(scene, i, mass);
    }
    for (int i = 1; i < scene->bodyCount; ++i)
    {
        if (Scene_DrawChance(scene, 0.3))
        {
            tdVec3 a = scene->bodies[i - 1].start, b = scene->bodies[i].start;
            tdVec3 middle =
                MakeVector(0.5 * (double)(a.x + b.x), 0.5 * (double)(a.y + b.y), 0.5 * (double)(a.z + b.z));
            AddRandomJoint(scene, i - 1, i, middle, false);
        }
    }
    ThrowBodies(scene, 0.1, 100.0);
}

// Chains of small bodies that turn by up to many radians in a sub-step. Joints absorb what their bodies'
// velocities contradict, and never add energy.
static void BuildSpin(Scene* scene, const tdWorldDef* def)
{
    double rate = Scene_DrawRatio(scene, 30.0, 240.0), size = Scene_DrawRatio(scene, 0.01, 1.0);
    OpenWorld(scene, def, 0.0, 1.0 / rate, 4);
    scene->stepCount = (int)(4.0 * rate);
    int count = Scene_DrawInt(scene, 2, 6);
    double ratio = Scene_DrawRatio(scene, 1.0, 1000.0);
    tdShapeDef material = Scene_DrawMaterial(scene, 0.5);
    for (int i = 0; i < count; ++i)
    {
        double radius = size * Scene_DrawRatio(scene, 0.2, 1.0);
        int body = Scene_AddRandomBody(scene, &material, MakeVector(2.1 * size * i, 0, 0), radius);
        Scene_SetMass(scene, body, 10.0 * Scene_DrawRatio(scene, 1.0, ratio));
    }
    for (int i = 1; i < count; ++i)
    {
        tdBodyId a = scene->bodies[i - 1].id, b = scene->bodies[i].id;
        tdVec3 anchor = MakeVector(2.1 * size * (i - 0.5), 0, 0), axis = Scene_DrawDirection(scene);
        int kind = Scene_DrawInt(scene, 0, 4);
        tdJointDef joint = tdMakeBallJointDef(scene->world, a, b, anchor);
        if (kind == 0)
        {
            joint = tdMakeHingeJointDef(scene->world, a, b, anchor, axis, -INFINITY, INFINITY);
        }
        else if (kind == 2)
        {
            joint = tdMakeFixedJointDef(scene->world, a, b, anchor);
        }
        else if (kind == 3)
        {
            joint = tdMakeConeTwistJointDef(scene->world, a, b, anchor, axis, 1.0f, -1.0f, 1.0f);
        }
        else if (kind == 4)
        {
            joint = tdMakeSliderJointDef(scene->world, a, b, anchor, axis, (float)(-0.5 * size),
                                         (float)(0.5 * size));
        }
        Scene_AddJoint(scene, &joint, size);
    }
    double speed = Scene_DrawRatio(scene, 1.0, 100.0);
    for (int i = 0; i < count; ++i)
    {
        tdBodyId body = scene->bodies[i].id;
        tdVec3 direction = Scene_DrawDirection(scene), axis = Scene_DrawDirection(scene);
        double spin = fmin(Scene_DrawBetween(scene, 0.0, 1.0) * speed / scene->bodies[i].radius, MAX_SPIN);
        tdBody_SetLinearVelocity(scene->world, body, tdScale((float)speed, direction));
        tdBody_SetAngularVelocity(scene->world, body, tdScale((float)spin, axis));
    }
}

const Category categories[CATEGORY_COUNT] = {
    {"sane", "2 to 40 bodies of all shapes in a closed room", BuildSane},
    {"mass", "mass ratios to 1:10,000", BuildMass},
    {"size", "sizes from 1 mm to 100 m, ratios to 1:100", BuildSize},
    {"speed", "10 to 3,000 m/s against thin walls and ground", BuildSpeed},
    {"time_step", "20 to 1,000 Hz, 2 to 16 sub-steps", BuildTimeStep},
    {"tree", "joint trees that hang from the world", BuildTree},
    {"net", "joint nets with loops, masses to 1:10,000, sizes to 1:100", BuildNet},
    {"overlap", "bodies that start inside each other", BuildOverlap},
    {"many_contacts", "100 to 400 bodies in one pile", BuildManyContacts},
    {"crusher", "a press that closes on a pile", BuildCrusher},
    {"bad_mesh", "a room of slivers, duplicates and T-junctions", BuildBadMesh},
    {"drives", "motors and springs on joint trees", BuildDrives},
    {"tower", "towers that statics says stand", BuildTower},
    {"mixed", "contacts, joints, mass ratios, speeds and time steps at once", BuildMixed},
    {"spin", "small joined bodies that turn by many radians in a sub-step", BuildSpin},
};

void CreateScene(const Category* category, uint32_t seed, const tdWorldDef* def, Scene* scene)
{
    memset(scene, 0, sizeof(*scene));
    scene->random = 0x51ed270b9f1c2aabu * ((uint64_t)seed + 1u);
    category->build(scene, def);
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        scene->bodies[i].start = tdBody_GetTransform(scene->world, scene->bodies[i].id).position;
    }
}

void DestroyScene(Scene* scene)
{
    tdDestroyWorld(scene->world);
    for (int i = 0; i < scene->geometryCount; ++i)
    {
        tdDestroyGeometry(scene->geometries[i]);
    }
}
