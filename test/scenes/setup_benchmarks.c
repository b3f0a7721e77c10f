// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds the benchmark scenes S1 to S7.
#include "setup_numbers.h"

static void MulQuat(const double a[4], const double b[4], double out[4])
{
    double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

static void Rotate(const double q[4], const double v[3], double out[3])
{
    double pure[4] = {v[0], v[1], v[2], 0.0}, inverse[4] = {-q[0], -q[1], -q[2], q[3]}, r[4];
    MulQuat(q, pure, r);
    MulQuat(r, inverse, r);
    out[0] = r[0], out[1] = r[1], out[2] = r[2];
}

static void BuildPyramid(tdSetup* setup)
{
    const int base = 60;
    Begin(setup, 300, 100, false, -0.5f);
    int ground = tdSetup_AddBox(setup, 100.0f, 1.0f, 100.0f);
    int box = tdSetup_AddBox(setup, 0.5f, 0.5f, 0.5f);
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, ground, RoundVec3(0, -1, 0), RoundQuat(noTurn));
    for (int i = 0; i < base; ++i)
    {
        for (int j = 0; j < base - i; ++j)
        {
            double x = (j - (base - i) / 2.0 + 0.5) * 1.02;
            tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, RoundVec3(x, 0.5 + i * 1.0, 0),
                                  RoundQuat(noTurn));
        }
    }
}

static int AddRock(tdSetup* setup, uint32_t seed, int count, double radius)
{
    Random random = {seed};
    tdVec3 points[32];
    for (int i = 0; i < count; ++i)
    {
        double x, y, z, square;
        do
        {
            x = NextRange(&random, -1, 1);
            y = NextRange(&random, -1, 1);
            z = NextRange(&random, -1, 1);
            square = x * x + y * y + z * z;
        } while (!(0.01 < square && square < 1));
        double length = sqrt(square);
        points[i] = RoundVec3(radius * x / length, 0.8 * radius * y / length, radius * z / length);
    }
    return tdSetup_AddHull(setup, points, count);
}

static void BuildPile(tdSetup* setup)
{
    Begin(setup, 450, 300, false, -0.5f);
    Random random = {12345};
    int floorShape = tdSetup_AddBox(setup, 8.0f, 0.5f, 8.0f);
    int wallX = tdSetup_AddBox(setup, 0.5f, 6.0f, 8.0f);
    int wallZ = tdSetup_AddBox(setup, 8.0f, 6.0f, 0.5f);
    int bin = tdSetup_AddBody(setup, TD_MOTION_STATIC, RoundVec3(0, 0, 0));
    tdSetup_AddPart(setup, bin, floorShape, At(0, -.5, 0));
    tdSetup_AddPart(setup, bin, wallX, At(-4.5, 6, 0));
    tdSetup_AddPart(setup, bin, wallX, At(4.5, 6, 0));
    tdSetup_AddPart(setup, bin, wallZ, At(0, 6, -4.5));
    tdSetup_AddPart(setup, bin, wallZ, At(0, 6, 4.5));
    int shapes[5];
    shapes[0] = tdSetup_AddSphere(setup, 0.25f);
    shapes[1] = tdSetup_AddBox(setup, 0.25f, 0.2f, 0.3f);
    shapes[2] = tdSetup_AddCapsule(setup, 0.2f, 0.2f, 0.2f);
    shapes[3] = AddRock(setup, 7, 20, .32);
    shapes[4] = tdSetup_AddCylinder(setup, 0.2f, 0.25f, 0.25f);
    int k = 0;
    for (int y = 0; y < 20; ++y)
    {
        for (int x = 0; x < 10; ++x)
        {
            for (int z = 0; z < 10; ++z)
            {
                double q[4];
                double px = (x - 4.5) * .78 + NextRange(&random, -.05, .05);
                double pz = (z - 4.5) * .78 + NextRange(&random, -.05, .05);
                NextQuat(&random, q);
                tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shapes[k++ % 5],
                                      RoundVec3(px, 0.6 + y * .75, pz), RoundQuat(q));
            }
        }
    }
}

static void BuildJointGrid(tdSetup* setup)
{
    const int count = 55;
    Begin(setup, 300, 100, false, -1000.0f);
    int ball = tdSetup_AddSphere(setup, 0.4f);
    for (int k = 0; k < count; ++k)
    {
        for (int i = 0; i < count; ++i)
        {
            int body = tdSetup_AddSimpleBody(setup, i == 0 ? TD_MOTION_STATIC : TD_MOTION_DYNAMIC, ball,
                                             RoundVec3(k, -i, 0), RoundQuat(noTurn));
            setup->bodies[body].category = 2;
            setup->bodies[body].mask = 0xfffd;
            if (i > 0)
            {
                tdSetup_AddJoint(setup, TD_SETUP_JOINT_BALL, body - 1, body, At(0, -.5, 0), At(0, .5, 0));
            }
            if (k > 0)
            {
                tdSetup_AddJoint(setup, TD_SETUP_JOINT_BALL, body - count, body, At(.5, 0, 0), At(-.5, 0, 0));
            }
        }
    }
}

typedef struct Limb
{
    int shape;
    double position[3];
    bool alongX; // else along Y
} Limb;

typedef struct Articulation
{
    int a, b;
    double pivot[3];
    double axis[3]; // twist axis, along the limb
    double cone, twist;
} Articulation;

static const Articulation articulations[10] = {
    {0, 1, {0, 1.12, 0}, {0, 1, 0}, 25, 20},   {1, 2, {0, 1.56, 0}, {0, 1, 0}, 35, 40},
    {1, 3, {.18, 1.45, 0}, {1, 0, 0}, 70, 40}, {1, 4, {-.18, 1.45, 0}, {-1, 0, 0}, 70, 40},
    {3, 5, {.50, 1.45, 0}, {1, 0, 0}, 60, 15}, {4, 6, {-.50, 1.45, 0}, {-1, 0, 0}, 60, 15},
    {0, 7, {.11, .93, 0}, {0, -1, 0}, 55, 25}, {0, 8, {-.11, .93, 0}, {0, -1, 0}, 55, 25},
    {7, 9, {.11, .46, 0}, {0, -1, 0}, 60, 15}, {8, 10, {-.11, .46, 0}, {0, -1, 0}, 60, 15},
};

// The rotation that takes X to the axis.
static void MakeFrame(const double axis[3], double q[4])
{
    double angle = PI / 4 * (axis[1] > 0 ? 1 : -1);
    q[0] = 0, q[1] = 0, q[2] = sin(angle), q[3] = cos(angle);
    if (axis[0] > .9)
    {
        q[2] = 0, q[3] = 1;
    }
    else if (axis[0] < -.9)
    {
        q[1] = 1, q[2] = 0, q[3] = 0;
    }
}

static tdTransform MakeLocalFrame(const Limb* limb, const double limbTurn[4],
                                  const Articulation* articulation)
{
    double inverse[4] = {-limbTurn[0], -limbTurn[1], -limbTurn[2], limbTurn[3]}, frame[4], turn[4], local[3];
    double offset[3];
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = articulation->pivot[i] - limb->position[i];
    }
    MakeFrame(articulation->axis, frame);
    Rotate(inverse, offset, local);
    MulQuat(inverse, frame, turn);
    return (tdTransform){RoundVec3(local[0], local[1], local[2]), RoundQuat(turn)};
}

static double Radians(double degrees)
{
    return degrees * (PI / 180.0);
}

static void BuildRagdolls(tdSetup* setup)
{
    Begin(setup, 600, 300, false, -5.0f);
    Random random = {777};
    int terrain = AddTerrain(setup, 128, 64, 0.6);
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, terrain, RoundVec3(0, 0, 0), RoundQuat(noTurn));
    const double alongX[4] = {0, 0, sin(PI / 4), cos(PI / 4)};
    const double sizes[7][2] = {{.08, .12},  {.15, .13}, {.05, .10}, {.12, .05},
                                {.12, .045}, {.18, .07}, {.18, .055}};
    int capsules[7];
    for (int i = 0; i < 7; ++i)
    {
        float radius = Round7(sizes[i][1]);
        capsules[i] = tdSetup_AddCapsule(setup, Round7(sizes[i][0]), radius, radius);
    }
    const Limb limbs[11] = {
        {capsules[0], {0, 1.0, 0}, true},     {capsules[1], {0, 1.3, 0}, false},
        {capsules[2], {0, 1.70, 0}, false},   {capsules[3], {.34, 1.45, 0}, true},
        {capsules[3], {-.34, 1.45, 0}, true}, {capsules[4], {.66, 1.45, 0}, true},
        {capsules[4], {-.66, 1.45, 0}, true}, {capsules[5], {.11, .70, 0}, false},
        {capsules[5], {-.11, .70, 0}, false}, {capsules[6], {.11, .22, 0}, false},
        {capsules[6], {-.11, .22, 0}, false},
    };
    for (int i = 0; i < 100; ++i)
    {
        double turn[4], ox = (i % 10 - 4.5) * 3.0, oz = (i / 10 - 4.5) * 3.0;
        double oy = 2.0 + NextRandom(&random) * 6;
        NextQuat(&random, turn);
        int first = setup->bodyCount;
        for (int k = 0; k < 11; ++k)
        {
            const Limb* limb = &limbs[k];
            double offset[3] = {limb->position[0] - 0, limb->position[1] - 1.0, limb->position[2] - 0}, p[3],
                   q[4];
            Rotate(turn, offset, p);
            MulQuat(turn, limb->alongX ? alongX : noTurn, q);
            int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, limb->shape,
                                             RoundVec3(p[0] + ox, p[1] + oy + 1, p[2] + oz), RoundQuat(q));
            setup->bodies[body].staticFriction = 0.6f;
            setup->bodies[body].dynamicFriction = 0.6f;
        }
        for (int k = 0; k < 10; ++k)
        {
            const Articulation* art = &articulations[k];
            const Limb *a = &limbs[art->a], *b = &limbs[art->b];
            tdTransform frameA = MakeLocalFrame(a, a->alongX ? alongX : noTurn, art);
            tdTransform frameB = MakeLocalFrame(b, b->alongX ? alongX : noTurn, art);
            int joint = tdSetup_AddJoint(setup, TD_SETUP_JOINT_RAGDOLL, first + art->a, first + art->b,
                                         frameA, frameB);
            setup->joints[joint].cone = Round7(Radians(art->cone));
            setup->joints[joint].lower = Round7(-Radians(art->twist));
            setup->joints[joint].upper = Round7(Radians(art->twist));
        }
    }
}

// A piece of the drum's wall or a paddle: eight corners between two radii and two angles.
static int AddSegment(tdSetup* setup, double inner, double outer, double from, double to, double halfLength)
{
    tdVec3 points[8];
    int n = 0;
    for (int r = 0; r < 2; ++r)
    {
        for (int a = 0; a < 2; ++a)
        {
            for (int z = 0; z < 2; ++z)
            {
                double radius = r == 0 ? inner : outer, angle = a == 0 ? from : to;
                points[n++] =
                    RoundVec3(radius * cos(angle), radius * sin(angle), z == 0 ? -halfLength : halfLength);
            }
        }
    }
    return tdSetup_AddHull(setup, points, 8);
}

static void BuildWasher(tdSetup* setup)
{
    Begin(setup, 600, 300, false, -10.0f);
    const double paddle = 6.2, inner = 7.0, outer = 8.0, halfLength = 5.0;
    const int segmentCount = 36, side = 12;
    int segments[48], count = 0;
    for (int i = 0; i < segmentCount; ++i)
    {
        double from = 2 * PI * i / segmentCount - 0.01, to = 2 * PI * (i + 1) / segmentCount + 0.01;
        segments[count++] = AddSegment(setup, inner, outer, from, to, halfLength);
        if (i % 9 == 0)
        {
            segments[count++] = AddSegment(setup, paddle, inner + .2, from, to, halfLength);
        }
    }
    int wall = tdSetup_AddBox(setup, 9.0f, 9.0f, 0.5f);
    int walls = tdSetup_AddBody(setup, TD_MOTION_STATIC, RoundVec3(0, 0, 0));
    tdSetup_AddPart(setup, walls, wall, At(0, 0, -halfLength - .45));
    tdSetup_AddPart(setup, walls, wall, At(0, 0, halfLength + .45));
    int drum = tdSetup_AddBody(setup, TD_MOTION_KINEMATIC, RoundVec3(0, 0, 0));
    setup->bodies[drum].angularVelocity = RoundVec3(0, 0, 0.8);
    for (int i = 0; i < count; ++i)
    {
        tdSetup_AddPart(setup, drum, segments[i], At(0, 0, 0));
    }
    int box = tdSetup_AddBox(setup, 0.2f, 0.2f, 0.2f);
    for (int x = 0; x < side; ++x)
    {
        for (int y = 0; y < side; ++y)
        {
            for (int z = 0; z < side; ++z)
            {
                tdVec3 position = RoundVec3((x - (side - 1) / 2.0) * .7, (y - (side - 1) / 2.0) * .7,
                                            (z - (side - 1) / 2.0) * .7);
                tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box, position, RoundQuat(noTurn));
            }
        }
    }
}

static void BuildRain(tdSetup* setup)
{
    Begin(setup, 300, 150, false, -5.0f);
    Random random = {4242};
    int terrain = AddTerrain(setup, 256, 128, 0.8);
    int ground =
        tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, terrain, RoundVec3(0, 0, 0), RoundQuat(noTurn));
    setup->bodies[ground].staticFriction = setup->bodies[ground].dynamicFriction = 0.6f;
    int shapes[4];
    shapes[0] = tdSetup_AddSphere(setup, 0.3f);
    shapes[1] = tdSetup_AddBox(setup, 0.3f, 0.25f, 0.35f);
    shapes[2] = tdSetup_AddCapsule(setup, 0.25f, 0.2f, 0.2f);
    shapes[3] = AddRock(setup, 9, 16, .35);
    for (int y = 0; y < 4; ++y)
    {
        for (int x = 0; x < 50; ++x)
        {
            for (int z = 0; z < 50; ++z)
            {
                double q[4];
                int shape = shapes[(int)(NextRandom(&random) * 4)];
                double px = (x - 24.5) * 1.5 + NextRange(&random, -.2, .2);
                double py = 3 + y * 2 + NextRange(&random, 0, .5);
                double pz = (z - 24.5) * 1.5 + NextRange(&random, -.2, .2);
                NextQuat(&random, q);
                int body = tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, shape, RoundVec3(px, py, pz),
                                                 RoundQuat(q));
                setup->bodies[body].staticFriction = setup->bodies[body].dynamicFriction = 0.6f;
            }
        }
    }
}

static void BuildSleepers(tdSetup* setup)
{
    Begin(setup, 420, 300, true, -0.5f);
    int ground = tdSetup_AddBox(setup, 150.0f, 1.0f, 150.0f);
    int box = tdSetup_AddBox(setup, 0.5f, 0.5f, 0.5f);
    tdSetup_AddSimpleBody(setup, TD_MOTION_STATIC, ground, RoundVec3(0, -1, 0), RoundQuat(noTurn));
    for (int x = 0; x < 50; ++x)
    {
        for (int z = 0; z < 50; ++z)
        {
            for (int y = 0; y < 4; ++y)
            {
                tdSetup_AddSimpleBody(setup, TD_MOTION_DYNAMIC, box,
                                      RoundVec3((x - 24.5) * 3, 0.5 + y * 1.005, (z - 24.5) * 3),
                                      RoundQuat(noTurn));
            }
        }
    }
}

const tdSetupEntry tdBenchmarkSetups[] = {
    {"pyramid", "S1: 1,830 boxes in a 2D pyramid; the contact solver", BuildPyramid},
    {"pile", "S2: 2,000 mixed convex bodies in a bin; narrow phase and one big island", BuildPile},
    {"jointgrid", "S3: 55 x 55 spheres on 5,940 ball joints; the joint solver", BuildJointGrid},
    {"ragdolls", "S4: 100 ragdolls on a triangle mesh; joints, limits, many islands", BuildRagdolls},
    {"washer", "S5: 1,728 boxes in a turning drum; broad phase and kinematic contact", BuildWasher},
    {"rain", "S6: 10,000 mixed bodies on 131,072 triangles; mesh contact, memory", BuildRain},
    {"sleepers", "S7: 2,500 stacks that go to sleep; cost of an idle world", BuildSleepers},
    {NULL, NULL, NULL},
};
