// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Scenes that keep their energy: rows and racks of balls, bounces, free tops, ragdolls on stairs, and joints
// under load.
#include "stability.h"

#include "physics/joints.h"

#define MOST_BALLS 16

static uint32_t seed;

static double Draw(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    uint32_t x = seed;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    x ^= x >> 16;
    return low + (high - low) * (double)(x >> 8) / 16777216.0;
}

static double SumEnergy(const tdWorld* world, const tdBodyId* bodies, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        sum += Energy(world, bodies[i]);
    }
    return sum;
}

/// Rows of n touching balls, the first k of them incoming from a distance.
static void MeasureRows(void)
{
    static const double radii[] = {0.0005, 0.005, 0.02, 0.1, 0.5, 5, 50}, speeds[] = {0.5, 1, 3.3, 10, 50};
    for (int r = 0; r < 7; ++r)
    {
        for (int k = 1; k <= 3; ++k)
        {
            if (!WantScene("rows of %d to 10 balls of %g m, %d incoming at 0.5 to 50 m/s", k + 1, radii[r],
                           k))
            {
                continue;
            }
            double worst = 0.0, least = 1e9, most = 0.0;
            for (int n = k + 1; n <= 10; ++n)
            {
                for (int s = 0; s < 5; ++s)
                {
                    double speed = speeds[s], radius = radii[r];
                    Material ivory = {0.0f, 0.0f, 1.0f, 1000.0f};
                    tdWorld* world = MakeWorld(V(0, 0, 0), false);
                    tdBodyId balls[MOST_BALLS];
                    for (int i = 0; i < n; ++i)
                    {
                        balls[i] = AddSphere(world, TD_MOTION_DYNAMIC,
                                             V(2 * radius * i - (i < k ? radius : 0), 0, 0), radius, ivory);
                        tdBody_SetLinearVelocity(world, balls[i], V(i < k ? speed : 0, 0, 0));
                    }
                    double start = SumEnergy(world, balls, n);
                    StepFor(world, 3 * radius / speed + 0.1);
                    double energy = SumEnergy(world, balls, n) / start;
                    least = fmin(least, energy);
                    most = fmax(most, energy);
                    for (int i = 0; i < n; ++i)
                    {
                        double v = (double)tdBody_GetLinearVelocity(world, balls[i]).x / speed;
                        worst = fmax(worst, fabs(v - (i >= n - k ? 1.0 : 0.0)));
                    }
                    tdDestroyWorld(world);
                }
            }
            PrintRow(worst < 0.05 && least >= 0.97 && most <= 1.0001, "5 %, 0.97 to 1.0001",
                     "speeds off by %.3f %%, energy %.5f to %.5f", 100 * worst, least, most);
        }
    }
}

static void MeasureRacks(void)
{
    static const double restitutions[] = {0, 0.3, 0.6, 0.9, 1};
    for (int e = 0; e < 5; ++e)
    {
        if (!WantScene("racks of 15 balls, restitution %g", restitutions[e]))
        {
            continue;
        }
        double most = 0.0, drift = 0.0;
        for (int round = 0; round < 20; ++round)
        {
            seed = (uint32_t)round + 1;
            Material ivory = {0.0f, 0.0f, (float)restitutions[e], 1700.0f};
            tdWorld* world = MakeWorld(V(0, 0, 0), false);
            tdBodyId balls[MOST_BALLS];
            int count = 0;
            double radius = round % 2 == 0 ? 0.5 : 0.0286, speed = Draw(1, 12);
            for (int i = 0; i < 5; ++i)
            {
                for (int j = 0; j <= i; ++j)
                {
                    balls[count++] =
                        AddSphere(world, TD_MOTION_DYNAMIC, V(radius * sqrt(3) * i, 0, radius * (2 * j - i)),
                                  radius, ivory);
                }
            }
            balls[count] = AddSphere(world, TD_MOTION_DYNAMIC, V(-4 * radius, 0, radius * Draw(-0.8, 0.8)),
                                     radius, ivory);
            tdBody_SetLinearVelocity(world, balls[count++], V(speed, 0, 0));
            double start = SumEnergy(world, balls, count);
            for (int step = 0; step < 180; ++step)
            {
                tdWorld_Step(world, (float)STEP);
                tdVec3 sum = V(0, 0, 0);
                for (int i = 0; i < count; ++i)
                {
                    sum = tdAdd(sum, tdBody_GetLinearVelocity(world, balls[i]));
                }
                drift = fmax(drift, Length(tdSub(sum, V(speed, 0, 0))) / speed);
                most = fmax(most, SumEnergy(world, balls, count) / start);
            }
            tdDestroyWorld(world);
        }
        PrintRow(most <= 1.0001 && drift < 1e-4, "1e-4, no gain", "momentum off by %.1e, energy %.6f", drift,
                 most);
    }
}

static void MeasureBounces(void)
{
    static const double radii[] = {0.01, 0.1, 0.5, 5};
    for (int r = 0; r < 4; ++r)
    {
        if (!WantScene("ball of %g m with e = 1, ten bounces", radii[r]))
        {
            continue;
        }
        Material rubber = {0.5f, 0.5f, 1.0f, 1000.0f};
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(100, 2, 100), rubber);
        double radius = radii[r], drop = 4 * radius;
        tdBodyId ball = AddSphere(world, TD_MOTION_DYNAMIC, V(0, radius + drop, 0), radius, rubber);
        double start = Energy(world, ball),
               floor = (double)tdBody_GetMass(world, ball).mass * GRAVITY * radius;
        StepFor(world, 20.5 * sqrt(2 * drop / GRAVITY));
        double share = (Energy(world, ball) - floor) / (start - floor);
        PrintRow(share >= 0.98 && share <= 1.02, "98 %", "%.3f %% of its height", 100 * share);
        tdDestroyWorld(world);
    }
}

static void MeasureTops(void)
{
    static const double speeds[] = {1, 10, 60, 200, 500, 2000, 20000};
    static const tdVec3 sizes[] = {{1, 1, 1}, {1, 0.1f, 0.1f}, {1, 1, 0.05f}, {1, 0.6f, 0.3f}};
    for (int k = 0; k < 4; ++k)
    {
        for (int s = 0; s < 7; ++s)
        {
            if (!WantScene("free box of %g x %g x %g m at %g rad/s, 60 s", (double)sizes[k].x,
                           (double)sizes[k].y, (double)sizes[k].z, speeds[s]))
            {
                continue;
            }
            double least = 1e9, most = 0.0;
            for (int axis = 0; axis < 3; ++axis)
            {
                tdWorld* world = MakeWorld(V(0, 0, 0), false);
                tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), noTurn, sizes[k], plain);
                double a = axis == 0 ? 1 : 0.02, b = axis == 1 ? 1 : (axis == 2 ? 0.7 : 0.02),
                       c = axis == 2 ? 0.6 : 0.02;
                double length = sqrt(a * a + b * b + c * c);
                tdBody_SetAngularVelocity(
                    world, body, V(speeds[s] * a / length, speeds[s] * b / length, speeds[s] * c / length));
                double start = Energy(world, body);
                for (int i = 0; i < 3600; ++i)
                {
                    tdWorld_Step(world, (float)STEP);
                    double energy = Energy(world, body) / start;
                    least = fmin(least, energy);
                    most = fmax(most, energy);
                }
                tdDestroyWorld(world);
            }
            PrintRow(least >= 0.999 && most <= 1.001, "0.1 %", "energy %.5f to %.5f", least, most);
        }
    }
}

/// A ragdoll of 11 boxes with ball joints with cones, hinges at knees and elbows.
static int AddRagdoll(tdWorld* world, tdVec3 at, tdBodyId* parts)
{
    static const struct
    {
        float x, y, z, sx, sy, sz;
        int parent;
        float jx, jy;
        bool isHinge;
    } bones[] = {{0, 0, 0, 0.3f, 0.2f, 0.2f, -1, 0, 0, false},
                 {0, 0.3f, 0, 0.35f, 0.38f, 0.22f, 0, 0, 0.1f, false},
                 {0, 0.62f, 0, 0.18f, 0.24f, 0.2f, 1, 0, 0.5f, false},
                 {-0.35f, 0.42f, 0, 0.32f, 0.1f, 0.1f, 1, -0.19f, 0.42f, false},
                 {0.35f, 0.42f, 0, 0.32f, 0.1f, 0.1f, 1, 0.19f, 0.42f, false},
                 {-0.66f, 0.42f, 0, 0.28f, 0.08f, 0.08f, 3, -0.51f, 0.42f, true},
                 {0.66f, 0.42f, 0, 0.28f, 0.08f, 0.08f, 4, 0.51f, 0.42f, true},
                 {-0.1f, -0.32f, 0, 0.14f, 0.42f, 0.14f, 0, -0.1f, -0.1f, false},
                 {0.1f, -0.32f, 0, 0.14f, 0.42f, 0.14f, 0, 0.1f, -0.1f, false},
                 {-0.1f, -0.75f, 0, 0.12f, 0.42f, 0.12f, 7, -0.1f, -0.53f, true},
                 {0.1f, -0.75f, 0, 0.12f, 0.42f, 0.12f, 8, 0.1f, -0.53f, true}};
    int count = (int)(sizeof(bones) / sizeof(bones[0]));
    for (int i = 0; i < count; ++i)
    {
        tdVec3 place = tdAdd(at, (tdVec3){bones[i].x, bones[i].y, bones[i].z});
        parts[i] = AddBox(world, TD_MOTION_DYNAMIC, place, noTurn,
                          (tdVec3){bones[i].sx, bones[i].sy, bones[i].sz}, plain);
        if (bones[i].parent >= 0)
        {
            tdVec3 anchor = tdAdd(at, (tdVec3){bones[i].jx, bones[i].jy, 0});
            tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                      tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0.7f),
                                      tdMakeAngularLimit(TD_AXIS_X, -0.5f, 0.5f)};
            if (bones[i].isHinge)
            {
                limits[1] = tdMakeAngularLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0);
                limits[2] = tdMakeAngularLimit(TD_AXIS_X, -2.0f, 0.05f);
            }
            (void)JoinAt(world, parts[bones[i].parent], parts[i], anchor, noTurn, limits, 3, NULL, 0);
        }
    }
    return count;
}

static void MeasureRagdolls(void)
{
    if (!WantScene("40 ragdolls that fall down stairs, 20 s"))
    {
        return;
    }
    double most = -1e9, jump = 0.0;
    for (int round = 0; round < 40; ++round)
    {
        seed = (uint32_t)round * 77u + 5u;
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        AddBox(world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(100, 2, 100), plain);
        for (int i = 0; i < 12; ++i)
        {
            AddBox(world, TD_MOTION_STATIC, V(-0.3 * i, 0.09 * (i + 1), 0), noTurn, V(0.3, 0.18 * (i + 1), 4),
                   plain);
        }
        tdBodyId parts[12];
        int count = AddRagdoll(world, V(Draw(-3.3, -2.0), 4, 0), parts);
        tdVec3 v = V(Draw(0, 4), Draw(-2, 2), Draw(-0.5, 0.5));
        for (int i = 0; i < count; ++i)
        {
            tdBody_SetLinearVelocity(world, parts[i], v);
        }
        double start = SumEnergy(world, parts, count), before = start;
        for (int step = 0; step < 1200; ++step)
        {
            tdWorld_Step(world, (float)STEP);
            double energy = SumEnergy(world, parts, count), momentum = 0.0;
            for (int i = 0; i < count; ++i)
            {
                momentum += (double)tdBody_GetMass(world, parts[i]).mass *
                            Length(tdBody_GetLinearVelocity(world, parts[i]));
            }
            double slack = SUB_STEP * GRAVITY * momentum;
            most = fmax(most, (energy - start - slack) / start);
            jump = fmax(jump, energy - before - 2 * slack);
            before = energy;
        }
        tdDestroyWorld(world);
    }
    PrintRow(most <= 0.001 && jump < 5.0, "0.1 %, 5 J in a step",
             "energy %+.3f %% above the start, rises by %.3g J in a step", 100 * most, jump);
}

static double MeasureOpenings(const tdWorld* world, const tdJointId* joints, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i)
    {
        worst = fmax(worst, (double)tdJoint_GetLimitValue(world, joints[i], 0));
    }
    return worst;
}

/// A bridge of 20 planks of 0.5 m between two posts with 180 kg in the middle.
static void MeasureBridge(void)
{
    static const double densities[] = {30, 300, 600};
    for (int d = 0; d < 3; ++d)
    {
        if (!WantScene("bridge of 20 planks of %g kg/m3 under 180 kg", densities[d]))
        {
            continue;
        }
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        Material wood = {0.6f, 0.6f, 0.0f, (float)densities[d]};
        tdBodyId planks[20];
        tdJointId joints[21];
        for (int i = 0; i < 20; ++i)
        {
            planks[i] =
                AddBox(world, TD_MOTION_DYNAMIC, V(0.5 * i - 4.75, 0, 0), noTurn, V(0.48, 0.06, 1.2), wood);
        }
        for (int i = 0; i <= 20; ++i)
        {
            tdBodyId a = i == 0 || i == 20 ? theWorld : planks[i - 1], b = planks[i == 20 ? 19 : i];
            joints[i] = JoinHinge(world, a, b, V(0.5 * i - 5, 0, 0), -PI, PI);
        }
        Material iron = {0.8f, 0.8f, 0.0f, (float)(180 / 0.125)};
        AddBox(world, TD_MOTION_DYNAMIC, V(0, 0.3, 0), noTurn, V(0.5, 0.5, 0.5), iron);
        StepFor(world, 20);
        double worst = 0.0;
        for (int i = 0; i < 60; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            worst = fmax(worst, 1000 * MeasureOpenings(world, joints, 21));
        }
        PrintRow(worst < 1.0, "1 mm", "joints open by %.3g mm", worst);
        tdDestroyWorld(world);
    }
}

static void MeasureChain(void)
{
    static const double loads[] = {1, 100};
    for (int k = 0; k < 2; ++k)
    {
        if (!WantScene("chain of 200 links, load of %g links", loads[k]))
        {
            continue;
        }
        tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
        tdJointId joints[201];
        tdBodyId before = theWorld;
        for (int i = 0; i < 201; ++i)
        {
            double mass = i == 200 ? loads[k] : 1.0;
            tdBodyId link =
                AddMass(world, V(0.2 * i + 0.1, 0, 0), mass, V(0.001 * mass, 0.004 * mass, 0.004 * mass));
            joints[i] = JoinBall(world, before, link, V(0.2 * i, 0, 0));
            before = link;
        }
        double worst = 0.0;
        for (int i = 0; i < 1200; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            worst = fmax(worst, 1000 * MeasureOpenings(world, joints, 201));
        }
        PrintRow(worst < 0.3, "0.3 mm", "joints open by %.3g mm while it swings", worst);
        tdDestroyWorld(world);
    }
}

/// A rod of 2 cm that turns at 60 rad/s about its middle, beside a post of 2 cm.
static void MeasureRod(void)
{
    if (!WantScene("rod of 2 cm at 60 rad/s against a post of 2 cm"))
    {
        return;
    }
    int passed = 0;
    for (int round = 0; round < 40; ++round)
    {
        seed = (uint32_t)round + 1;
        tdWorld* world = MakeWorld(V(0, 0, 0), false);
        AddBox(world, TD_MOTION_STATIC, V(Draw(0.3, 0.9), 0, 0), noTurn, V(0.02, 1, 0.02), plain);
        tdBodyId rod = AddBox(world, TD_MOTION_DYNAMIC, V(0, 0, 0), Turn(0, 1, 0, Draw(0.3, 2.8)),
                              V(2, 0.02, 0.02), plain);
        (void)JoinAt(world, theWorld, rod, V(0, 0, 0), noTurn,
                     (tdJointLimit[]){tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                      tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0)},
                     2, NULL, 0);
        double angle = 0.0, last = 0.0;
        tdBody_SetAngularVelocity(world, rod, V(0, round % 2 == 0 ? 60 : -60, 0));
        tdVec3 x = RotateBy(tdBody_GetTransform(world, rod).rotation, V(1, 0, 0));
        last = atan2((double)-x.z, (double)x.x);
        double first = last < 0 ? last + PI : last;
        for (int i = 0; i < 60; ++i)
        {
            tdWorld_Step(world, (float)STEP);
            x = RotateBy(tdBody_GetTransform(world, rod).rotation, V(1, 0, 0));
            double now = atan2((double)-x.z, (double)x.x);
            now +=
                2 * PI *
                floor((last + (double)tdBody_GetAngularVelocity(world, rod).y * STEP - now) / (2 * PI) + 0.5);
            angle += now - last;
            last = now;
            if (first + angle < -0.05 || first + angle > PI + 0.05)
            {
                passed += 1;
                break;
            }
        }
        tdDestroyWorld(world);
    }
    PrintRow(passed == 0, "0 of 40", "%d of 40 pass", passed);
}

void MeasureEnergy(void)
{
    MeasureRows();
    MeasureRacks();
    MeasureBounces();
    MeasureTops();
    MeasureRagdolls();
    MeasureBridge();
    MeasureChain();
    MeasureRod();
}
