// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Errors of scenes with a known solution at 60, 120 and 240 Hz, and scenes that must stand, for Tendon and
// the engines that are installed. Prints Markdown tables; docs/accuracy.md has its output.
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81
#define PI 3.14159265358979323846
/// Step of the reference solutions, s. Fourth order: their error is below 1e-9.
#define REFERENCE_STEP 1.0e-4

typedef struct AccuracyCase
{
    const char* name;
    const char* unit;
    double scale; // from SI to the unit
    bool needsRestitution;
    /// @return the error in SI units
    double (*measure)(const AccuracyEngine* engine, double timeStep);
} AccuracyCase;

static AccuracyScene MakeScene(void)
{
    AccuracyScene scene;
    memset(&scene, 0, sizeof(scene));
    scene.gravity[1] = -GRAVITY;
    return scene;
}

static AccuracyBody* AddBody(AccuracyScene* scene, double mass, double x, double y)
{
    AccuracyBody* body = &scene->bodies[scene->bodyCount++];
    body->mass = mass;
    body->position[0] = x;
    body->position[1] = y;
    for (int k = 0; k < 3; ++k)
    {
        body->inertia[k] = mass;
    }
    return body;
}

static void MakeBox(AccuracyBody* body, double half)
{
    body->shape = ACCURACY_BOX;
    for (int k = 0; k < 3; ++k)
    {
        body->size[k] = half;
        body->inertia[k] = body->mass * half * half * 2.0 / 3.0;
    }
}

static void MakeBall(AccuracyBody* body, double radius)
{
    body->shape = ACCURACY_SPHERE;
    body->size[0] = radius;
    for (int k = 0; k < 3; ++k)
    {
        body->inertia[k] = 0.4 * body->mass * radius * radius;
    }
}

static void* StartScene(const AccuracyEngine* engine, const AccuracyScene* scene, double timeStep)
{
    return engine->create(scene, timeStep);
}

static void RunFor(const AccuracyEngine* engine, void* instance, double seconds, double timeStep)
{
    int steps = (int)(seconds / timeStep + 0.5);
    for (int i = 0; i < steps; ++i)
    {
        engine->step(instance);
    }
}

// The state of a body after some time.
static AccuracyState RunScene(const AccuracyEngine* engine, const AccuracyScene* scene, int body,
                              double seconds, double timeStep)
{
    void* instance = StartScene(engine, scene, timeStep);
    RunFor(engine, instance, seconds, timeStep);
    AccuracyState state = engine->getState(instance, body);
    engine->destroy(instance);
    return state;
}

// A throw: distance from the parabola after 1 s.
static double MeasureThrow(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakeScene();
    AccuracyBody* body = AddBody(&scene, 1.0, 0.0, 0.0);
    body->linearVelocity[0] = 10.0;
    body->linearVelocity[1] = 10.0;
    AccuracyState end = RunScene(engine, &scene, 0, 1.0, timeStep);
    return hypot(end.position[0] - 10.0, end.position[1] - (10.0 - 0.5 * GRAVITY));
}

typedef void DerivativeFcn(const double* state, double* rate, int count);

static void IntegrateReference(DerivativeFcn* derive, double* state, int count, double seconds)
{
    double k[4][16], at[16];
    int steps = (int)(seconds / REFERENCE_STEP + 0.5);
    for (int i = 0; i < steps; ++i)
    {
        static const double part[4] = {0.0, 0.5, 0.5, 1.0};
        for (int stage = 0; stage < 4; ++stage)
        {
            for (int j = 0; j < count; ++j)
            {
                at[j] = state[j] + (stage > 0 ? part[stage] * REFERENCE_STEP * k[stage - 1][j] : 0.0);
            }
            derive(at, k[stage], count);
        }
        for (int j = 0; j < count; ++j)
        {
            state[j] += REFERENCE_STEP / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
}

static const double topInertia[3] = {1.0, 2.0, 3.0};

// Quaternion x y z w, angular velocity in the axes of the body.
static void DeriveTop(const double* s, double* rate, int count)
{
    (void)count;
    const double *q = s, *w = s + 4, *I = topInertia;
    rate[0] = 0.5 * (q[3] * w[0] + q[1] * w[2] - q[2] * w[1]);
    rate[1] = 0.5 * (q[3] * w[1] + q[2] * w[0] - q[0] * w[2]);
    rate[2] = 0.5 * (q[3] * w[2] + q[0] * w[1] - q[1] * w[0]);
    rate[3] = -0.5 * (q[0] * w[0] + q[1] * w[1] + q[2] * w[2]);
    rate[4] = (I[1] - I[2]) / I[0] * w[1] * w[2];
    rate[5] = (I[2] - I[0]) / I[1] * w[2] * w[0];
    rate[6] = (I[0] - I[1]) / I[2] * w[0] * w[1];
}

static AccuracyScene MakeTop(void)
{
    AccuracyScene scene = MakeScene();
    scene.gravity[1] = 0.0;
    AccuracyBody* body = AddBody(&scene, 1.0, 0.0, 0.0);
    memcpy(body->inertia, topInertia, sizeof(topInertia));
    body->angularVelocity[0] = 6.0;
    body->angularVelocity[1] = body->angularVelocity[2] = 1.0;
    return scene;
}

// A free body with three different inertias: angle between its rotation and the exact one after 2 s.
static double MeasureTopRotation(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakeTop();
    double state[7] = {0.0, 0.0, 0.0, 1.0, 6.0, 1.0, 1.0};
    IntegrateReference(DeriveTop, state, 7, 2.0);
    AccuracyState end = RunScene(engine, &scene, 0, 2.0, timeStep);
    double dot = 0.0;
    for (int k = 0; k < 4; ++k)
    {
        dot += end.rotation[k] * state[k];
    }
    return 2.0 * acos(fmin(fabs(dot), 1.0));
}

// Change of the energy of the same body over 60 s.
static double MeasureTopEnergy(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakeTop();
    AccuracyState end = RunScene(engine, &scene, 0, 60.0, timeStep);
    const double *q = end.rotation, *w = end.angularVelocity;
    // conj(q) w q
    double t[3] = {2.0 * (-q[1] * w[2] + q[2] * w[1]), 2.0 * (-q[2] * w[0] + q[0] * w[2]),
                   2.0 * (-q[0] * w[1] + q[1] * w[0])};
    double own[3] = {w[0] + q[3] * t[0] - (q[1] * t[2] - q[2] * t[1]),
                     w[1] + q[3] * t[1] - (q[2] * t[0] - q[0] * t[2]),
                     w[2] + q[3] * t[2] - (q[0] * t[1] - q[1] * t[0])};
    double energy = 0.0, start = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        energy += topInertia[k] * own[k] * own[k];
        start += topInertia[k] * scene.bodies[0].angularVelocity[k] * scene.bodies[0].angularVelocity[k];
    }
    return fabs(energy / start - 1.0);
}

// Rods of 1 m and 1 kg on hinges, horizontal at the start.
static AccuracyScene MakePendulum(int count)
{
    AccuracyScene scene = MakeScene();
    for (int i = 0; i < count; ++i)
    {
        AccuracyBody* rod = AddBody(&scene, 1.0, 0.5 + i, 0.0);
        rod->inertia[0] = 1.0e-3;
        rod->inertia[1] = rod->inertia[2] = 1.0 / 12.0;
        scene.hinges[scene.hingeCount++] = (AccuracyHinge){i - 1, i, {i, 0.0, 0.0}};
    }
    return scene;
}

static void DerivePendulum(const double* s, double* rate, int count)
{
    (void)count;
    rate[0] = s[1];
    rate[1] = -1.5 * GRAVITY * sin(s[0]);
}

static double MeasurePendulum(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakePendulum(1);
    double state[2] = {0.5 * PI, 0.0}; // angle from the downward vertical
    IntegrateReference(DerivePendulum, state, 2, 5.0);
    AccuracyState end = RunScene(engine, &scene, 0, 5.0, timeStep);
    return hypot(end.position[0] - 0.5 * sin(state[0]), end.position[1] + 0.5 * cos(state[0]));
}

// Two uniform rods of length 1 and mass 1: angles from the vertical and their momenta.
static void DeriveDoublePendulum(const double* s, double* rate, int count)
{
    (void)count;
    double delta = s[0] - s[1], c = cos(delta), d = 6.0 / (16.0 - 9.0 * c * c);
    rate[0] = d * (2.0 * s[2] - 3.0 * c * s[3]);
    rate[1] = d * (8.0 * s[3] - 3.0 * c * s[2]);
    rate[2] = -0.5 * (rate[0] * rate[1] * sin(delta) + 3.0 * GRAVITY * sin(s[0]));
    rate[3] = -0.5 * (-rate[0] * rate[1] * sin(delta) + GRAVITY * sin(s[1]));
}

static double MeasureDoublePendulum(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakePendulum(2);
    double state[4] = {0.5 * PI, 0.5 * PI, 0.0, 0.0};
    IntegrateReference(DeriveDoublePendulum, state, 4, 1.0);
    AccuracyState end = RunScene(engine, &scene, 1, 1.0, timeStep);
    return hypot(end.position[0] - (sin(state[0]) + 0.5 * sin(state[1])),
                 end.position[1] + (cos(state[0]) + 0.5 * cos(state[1])));
}

// The energy that a pendulum has gained or lost after 60 s, relative to that of its fall.
static double MeasurePendulumEnergy(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakePendulum(1);
    AccuracyState end = RunScene(engine, &scene, 0, 60.0, timeStep);
    const double *v = end.linearVelocity, w = end.angularVelocity[2];
    double energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + w * w / 24.0 + GRAVITY * end.position[1];
    return fabs(energy) / (0.5 * GRAVITY);
}

// Ground that is inclined by turning gravity. The body starts at rest on it.
static AccuracyScene MakeSlope(double angle, double friction)
{
    AccuracyScene scene = MakeScene();
    scene.gravity[0] = GRAVITY * sin(angle);
    scene.gravity[1] = -GRAVITY * cos(angle);
    scene.hasGround = true;
    scene.friction = friction;
    AddBody(&scene, 1.0, 0.0, 0.5);
    return scene;
}

static double MeasureSliding(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakeSlope(PI / 6.0, 0.3);
    MakeBox(&scene.bodies[0], 0.5);
    double exact = 0.5 * GRAVITY * (sin(PI / 6.0) - 0.3 * cos(PI / 6.0));
    return fabs(RunScene(engine, &scene, 0, 1.0, timeStep).position[0] - exact);
}

static double MeasureRolling(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakeSlope(PI / 18.0, 0.8);
    MakeBall(&scene.bodies[0], 0.5);
    double exact = 0.5 * GRAVITY * sin(PI / 18.0) * 5.0 / 7.0;
    return fabs(RunScene(engine, &scene, 0, 1.0, timeStep).position[0] - exact);
}

// Distance that a box creeps in 10 s on a slope at 95 % of its friction angle.
static double MeasureCreep(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakeSlope(atan(0.95 * 0.5), 0.5);
    MakeBox(&scene.bodies[0], 0.5);
    return fabs(RunScene(engine, &scene, 0, 10.0, timeStep).position[0]);
}

// Relative error of the height of the third bounce of a ball that falls by 2 m.
static double MeasureBounce(const AccuracyEngine* engine, double timeStep, double restitution)
{
    AccuracyScene scene = MakeScene();
    scene.hasGround = true;
    scene.restitution = restitution;
    MakeBall(AddBody(&scene, 1.0, 0.0, 2.5), 0.5);
    void* instance = StartScene(engine, &scene, timeStep);
    double previous = 0.0, peak = 0.0;
    int bounces = 0;
    for (int i = 0; i < (int)(10.0 / timeStep) && bounces < 4; ++i)
    {
        engine->step(instance);
        AccuracyState state = engine->getState(instance, 0);
        double v = state.linearVelocity[1];
        bounces += previous <= 0.0 && v > 0.0 ? 1 : 0;
        peak = bounces == 3 ? fmax(peak, state.position[1] - 0.5) : peak;
        previous = v;
    }
    engine->destroy(instance);
    return fabs(peak / (2.0 * pow(restitution, 6.0)) - 1.0);
}

static double MeasureSoftBounce(const AccuracyEngine* engine, double timeStep)
{
    return MeasureBounce(engine, timeStep, 0.8);
}

static double MeasureFullBounce(const AccuracyEngine* engine, double timeStep)
{
    return MeasureBounce(engine, timeStep, 1.0);
}

// How far the top of a column of ten boxes of 1 m is from its height after 10 s.
static double MeasureColumn(const AccuracyEngine* engine, double timeStep)
{
    AccuracyScene scene = MakeScene();
    scene.hasGround = true;
    scene.friction = 0.6;
    for (int i = 0; i < 10; ++i)
    {
        MakeBox(AddBody(&scene, 1000.0, 0.0, 0.5 + i), 0.5);
    }
    AccuracyState end = RunScene(engine, &scene, 9, 10.0, timeStep);
    double error = hypot(end.position[0], end.position[1] - 9.5);
    return error < 1.0 ? error : (double)NAN; // it fell
}

static const AccuracyCase cases[] = {
    {"throw, 1 s: distance", "mm", 1000.0, false, MeasureThrow},
    {"free top, 2 s: angle", "°", 180.0 / PI, false, MeasureTopRotation},
    {"free top, 60 s: energy", "%", 100.0, false, MeasureTopEnergy},
    {"pendulum, 5 s: distance", "mm", 1000.0, false, MeasurePendulum},
    {"pendulum, 60 s: energy", "%", 100.0, false, MeasurePendulumEnergy},
    {"double pendulum, 1 s: distance", "mm", 1000.0, false, MeasureDoublePendulum},
    {"box slides down 30°, 1 s: distance", "mm", 1000.0, false, MeasureSliding},
    {"ball rolls down 10°, 1 s: distance", "mm", 1000.0, false, MeasureRolling},
    {"box held by friction, 10 s: creep", "mm", 1000.0, false, MeasureCreep},
    {"ball, restitution 0.8: third height", "%", 100.0, true, MeasureSoftBounce},
    {"ball, restitution 1: third height", "%", 100.0, true, MeasureFullBounce},
    {"ten boxes, 10 s: top", "mm", 1000.0, false, MeasureColumn},
};

static const AccuracyEngine* const engines[] = {
    &tendonEngine,
#if defined(TD_HAVE_BULLET)
    &bulletEngine,
#endif
#if defined(TD_HAVE_ODE)
    &odeEngine,
#endif
#if defined(TD_HAVE_MUJOCO)
    &mujocoEngine,
#endif
};

static void PrintErrors(void)
{
    static const double rates[3] = {60.0, 120.0, 240.0};
    printf("| scene and error | unit | engine | 60 Hz | 120 Hz | 240 Hz |\n|---|---|---|---:|---:|---:|\n");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        for (size_t k = 0; k < sizeof(engines) / sizeof(engines[0]); ++k)
        {
            bool isMeasured = !cases[i].needsRestitution || engines[k]->hasRestitution;
            printf("| %s | %s | %s |", k == 0 ? cases[i].name : "", k == 0 ? cases[i].unit : "",
                   engines[k]->name);
            for (int r = 0; r < 3; ++r)
            {
                double error =
                    isMeasured ? cases[i].scale * cases[i].measure(engines[k], 1.0 / rates[r]) : 0.0;
                if (!isMeasured)
                {
                    printf(" – |");
                }
                else if (isnan(error))
                {
                    printf(" fails |");
                }
                else
                {
                    printf(" %.3g |", error);
                }
            }
            printf("\n");
            fflush(stdout);
        }
    }
}

// Scenes that must stand, and impacts, at 60 Hz.

enum
{
    TEXT_SIZE = 80
};

typedef struct StabilityCase
{
    const char* name;
    int bodyCount, parameter;
    double seconds;
    bool needsRestitution;
    /// Writes the result as a text.
    void (*measure)(const AccuracyEngine* engine, const struct StabilityCase* test, char* text);
} StabilityCase;

// How far a body has sunk. Infinite if it has moved sideways by half a metre or sunk by a tenth of its
// height.
static double MeasureSinking(const AccuracyBody* body, const AccuracyState* state)
{
    double drop = body->position[1] - state->position[1];
    double move = hypot(body->position[0] - state->position[0], body->position[2] - state->position[2]);
    return move < 0.5 && drop < 0.1 + 0.1 * body->position[1] ? drop : (double)INFINITY;
}

// Runs until the end or until a body has fallen.
static void DescribeStanding(const AccuracyEngine* engine, const AccuracyScene* scene, double seconds,
                             char* text)
{
    void* instance = StartScene(engine, scene, 1.0 / 60.0);
    double fastest = 0.0, sunk = 0.0;
    int step = 0, steps = (int)(60.0 * seconds + 0.5);
    for (; step < steps && isfinite(sunk); ++step)
    {
        engine->step(instance);
        fastest = 0.0;
        for (int i = 0; i < scene->bodyCount; ++i)
        {
            AccuracyState state = engine->getState(instance, i);
            const double* v = state.linearVelocity;
            fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
            sunk = fmax(sunk, MeasureSinking(&scene->bodies[i], &state));
        }
    }
    engine->destroy(instance);
    if (step < steps)
    {
        snprintf(text, TEXT_SIZE, "falls at %.1f s", step / 60.0);
    }
    else
    {
        snprintf(text, TEXT_SIZE, "%.1f mm, %.2g mm/s", 1000.0 * sunk, 1000.0 * fastest);
    }
}

static AccuracyScene MakeTower(int count)
{
    AccuracyScene scene = MakeScene();
    scene.hasGround = true;
    scene.friction = 0.6;
    for (int i = 0; i < count; ++i)
    {
        MakeBox(AddBody(&scene, 1000.0, 0.0, 0.5 + i), 0.5);
    }
    return scene;
}

static void MultiplyMass(AccuracyBody* body, double factor)
{
    body->mass *= factor;
    MakeBox(body, 0.5);
}

static void DescribeTower(const AccuracyEngine* engine, const StabilityCase* test, char* text)
{
    AccuracyScene scene = MakeTower(test->bodyCount);
    DescribeStanding(engine, &scene, test->seconds, text);
}

static void DescribeHeavyTop(const AccuracyEngine* engine, const StabilityCase* test, char* text)
{
    AccuracyScene scene = MakeTower(test->bodyCount);
    MultiplyMass(&scene.bodies[test->bodyCount - 1], test->parameter);
    DescribeStanding(engine, &scene, test->seconds, text);
}

static void DescribeAlternating(const AccuracyEngine* engine, const StabilityCase* test, char* text)
{
    AccuracyScene scene = MakeTower(test->bodyCount);
    for (int i = 1; i < test->bodyCount; i += 2)
    {
        MultiplyMass(&scene.bodies[i], test->parameter);
    }
    DescribeStanding(engine, &scene, test->seconds, text);
}

static void DescribePyramid(const AccuracyEngine* engine, const StabilityCase* test, char* text)
{
    AccuracyScene scene = MakeScene();
    scene.hasGround = true;
    scene.friction = 0.6;
    for (int row = 0; row < test->parameter; ++row)
    {
        for (int i = 0; i < test->parameter - row; ++i)
        {
            MakeBox(AddBody(&scene, 1000.0, 1.05 * (i - 0.5 * (test->parameter - row - 1)), 0.5 + row), 0.5);
        }
    }
    DescribeStanding(engine, &scene, test->seconds, text);
}

static void DescribeImpact(const AccuracyEngine* engine, const AccuracyScene* scene, char* text)
{
    void* instance = StartScene(engine, scene, 1.0 / 60.0);
    RunFor(engine, instance, 1.0, 1.0 / 60.0);
    double energy = 0.0, start = 0.0, last = 0.0;
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        AccuracyState state = engine->getState(instance, i);
        const double *v = state.linearVelocity, *w = state.angularVelocity,
                     *u = scene->bodies[i].linearVelocity;
        for (int k = 0; k < 3; ++k)
        {
            energy += scene->bodies[i].mass * v[k] * v[k] + scene->bodies[i].inertia[k] * w[k] * w[k];
            start += scene->bodies[i].mass * u[k] * u[k];
        }
        last = v[0];
    }
    engine->destroy(instance);
    snprintf(text, TEXT_SIZE, "E %.3f, last %.3f", energy / start, last / scene->bodies[0].linearVelocity[0]);
}

// A row of touching balls, the first of which arrives.
static void DescribeRow(const AccuracyEngine* engine, const StabilityCase* test, char* text)
{
    AccuracyScene scene = MakeScene();
    scene.gravity[1] = 0.0;
    scene.restitution = 1.0;
    for (int i = 0; i < test->bodyCount; ++i)
    {
        MakeBall(AddBody(&scene, 1.0, i == 0 ? -0.5 : i, 0.0), 0.5);
    }
    scene.bodies[0].linearVelocity[0] = 2.0;
    DescribeImpact(engine, &scene, text);
}

static void DescribeRack(const AccuracyEngine* engine, const StabilityCase* test, char* text)
{
    AccuracyScene scene = MakeScene();
    scene.gravity[1] = 0.0;
    scene.restitution = 0.01 * test->parameter;
    MakeBall(AddBody(&scene, 1.0, -2.0, 0.0), 0.5);
    scene.bodies[0].linearVelocity[0] = 5.0;
    for (int row = 0; row < 5; ++row)
    {
        for (int i = 0; i <= row; ++i)
        {
            AccuracyBody* ball = AddBody(&scene, 1.0, row * sqrt(0.75), 0.0);
            ball->position[2] = i - 0.5 * row;
            MakeBall(ball, 0.5);
        }
    }
    DescribeImpact(engine, &scene, text);
}

// Boxes and balls of 10 cm that hit the ground at the given speed, each with another spin.
static void DescribeThrows(const AccuracyEngine* engine, const StabilityCase* test, char* text)
{
    AccuracyScene scene = MakeScene();
    scene.hasGround = true;
    scene.friction = 0.5;
    for (int i = 0; i < test->bodyCount; ++i)
    {
        AccuracyBody* body = AddBody(&scene, 1.0, 1.0 * i, 3.0);
        if (i % 2 == 0)
        {
            MakeBox(body, 0.05);
        }
        else
        {
            MakeBall(body, 0.05);
        }
        body->linearVelocity[0] = 0.2 * test->parameter * sin(i);
        body->linearVelocity[1] = -test->parameter;
        body->angularVelocity[0] = 20.0 * cos(3.0 * i);
        body->angularVelocity[2] = 20.0 * sin(5.0 * i);
    }
    void* instance = StartScene(engine, &scene, 1.0 / 60.0);
    RunFor(engine, instance, test->seconds, 1.0 / 60.0);
    int lost = 0;
    for (int i = 0; i < scene.bodyCount; ++i)
    {
        lost += engine->getState(instance, i).position[1] > 0.0 ? 0 : 1;
    }
    engine->destroy(instance);
    snprintf(text, TEXT_SIZE, "%d of %d", lost, scene.bodyCount);
}

static const StabilityCase stabilityCases[] = {
    {"tower of 10 boxes, 60 s", 10, 0, 60.0, false, DescribeTower},
    {"tower of 20 boxes, 60 s", 20, 0, 60.0, false, DescribeTower},
    {"tower of 30 boxes, 60 s", 30, 0, 60.0, false, DescribeTower},
    {"tower of 50 boxes, 60 s", 50, 0, 60.0, false, DescribeTower},
    {"10 boxes, top 20 × heavier, 15 s", 10, 20, 15.0, false, DescribeHeavyTop},
    {"10 boxes, top 50 × heavier, 15 s", 10, 50, 15.0, false, DescribeHeavyTop},
    {"10 boxes, top 100 × heavier, 15 s", 10, 100, 15.0, false, DescribeHeavyTop},
    {"10 boxes, top 1,000 × heavier, 15 s", 10, 1000, 15.0, false, DescribeHeavyTop},
    {"10 boxes, alternating 10 ×, 15 s", 10, 10, 15.0, false, DescribeAlternating},
    {"10 boxes, alternating 100 ×, 15 s", 10, 100, 15.0, false, DescribeAlternating},
    {"pyramid of 60 rows, 3,600 steps", 1830, 60, 60.0, false, DescribePyramid},
    {"row of 5 balls, restitution 1", 5, 0, 1.0, true, DescribeRow},
    {"row of 10 balls, restitution 1", 10, 0, 1.0, true, DescribeRow},
    {"rack of 15 balls, restitution 0.9", 16, 90, 1.0, true, DescribeRack},
    {"rack of 15 balls, restitution 1", 16, 100, 1.0, true, DescribeRack},
    {"throws at 100 m/s, lost", 50, 100, 2.0, false, DescribeThrows},
    {"throws at 1,000 m/s, lost", 50, 1000, 2.0, false, DescribeThrows},
    {"throws at 3,000 m/s, lost", 50, 3000, 2.0, false, DescribeThrows},
};

static void PrintStability(void)
{
    size_t engineCount = sizeof(engines) / sizeof(engines[0]);
    printf("| scene |");
    for (size_t k = 0; k < engineCount; ++k)
    {
        printf(" %s |", engines[k]->name);
    }
    printf("\n|---|");
    for (size_t k = 0; k < engineCount; ++k)
    {
        printf("---|");
    }
    for (size_t i = 0; i < sizeof(stabilityCases) / sizeof(stabilityCases[0]); ++i)
    {
        const StabilityCase* test = &stabilityCases[i];
        printf("\n| %s |", test->name);
        for (size_t k = 0; k < engineCount; ++k)
        {
            char text[TEXT_SIZE] = "–";
            if (test->bodyCount <= engines[k]->maxBodyCount &&
                (!test->needsRestitution || engines[k]->hasRestitution))
            {
                test->measure(engines[k], test, text);
            }
            printf(" %s |", text);
            fflush(stdout);
        }
    }
    printf("\n");
}

int main(void)
{
    PrintErrors();
    printf("\n");
    PrintStability();
    return 0;
}
