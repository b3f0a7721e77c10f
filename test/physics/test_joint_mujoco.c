// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Needs: mujoco
//
// Tests of joints against MuJoCo, which uses joint coordinates, a fourth-order scheme and small steps, and so
// shares only the mechanics with the engine. The comparison ends before two double pendulums diverge by
// chaos. The engine is of first order: its errors are those of a sub-step, and a quarter of that with four
// times the sub-steps.
#include "harness.h"
#include "joints.h"

#include <mujoco/mujoco.h>

typedef struct Reference
{
    mjModel* model;
    mjData* data;
} Reference;

static Reference LoadReference(const char* text)
{
    static mjVFS files; // too large for the stack
    Reference reference = {NULL, NULL};
    char error[300] = "";
    mj_defaultVFS(&files);
    size_t length = strlen(text);
    if (mj_makeEmptyFileVFS(&files, "model.xml", (int)length) == 0)
    {
        memcpy(files.filedata[mj_findFileVFS(&files, "model.xml")], text, length);
        reference.model = mj_loadXML("model.xml", &files, error, sizeof(error));
    }
    mj_deleteVFS(&files);
    if (!ENSURE(reference.model != NULL))
    {
        printf("    %s\n", error);
        return reference;
    }
    reference.data = mj_makeData(reference.model);
    return reference;
}

static void FreeReference(Reference* reference)
{
    mj_deleteData(reference->data);
    mj_deleteModel(reference->model);
}

static void RunReference(const Reference* reference, double time)
{
    while (reference->data->time < time - 1e-9)
    {
        mj_step(reference->model, reference->data);
    }
    mj_kinematics(reference->model, reference->data);
    mj_comPos(reference->model, reference->data);
}

/// Distance of a body's centre from its position in MuJoCo, where body 0 is the world.
static double Distance(const Reference* reference, const tdWorld* world, tdBodyId body, int index)
{
    const double* p = reference->data->xipos + 3 * index;
    return Length(tdSub(Position(world, body), V(p[0], p[1], p[2])));
}

static tdWorld* MakeFineWorld(int subSteps)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.enableSleep = false;
    def.subStepCount = subSteps;
    return tdCreateWorld(&def);
}

#define HEAD                                                                                                 \
    "<mujoco><compiler angle='radian'/><option timestep='0.0005' integrator='RK4' gravity='0 -9.81 0'/>"     \
    "<worldbody>"
#define TAIL "</worldbody></mujoco>"
#define LINK(pos, mass, i, joint)                                                                            \
    "<body pos='" pos " 0 0'><inertial pos='0.5 0 0' mass='" mass "' diaginertia='" i "'/>" joint
#define ROD "0.001 0.0833333333 0.0833333333"
#define ROUND "0.0833333333 0.0833333333 0.0833333333"

/// Links along x, each joined to the previous one, in MuJoCo and in Tendon.
typedef struct Chain
{
    const char* text;
    int count, freedom; // links, and coordinates of a joint: 1 (hinge about z), 3 (ball)
    double masses[3];
    double thickness; // inertia about x, kg m^2 per kg
    tdVec3 spin;      // of the last link about its own pivot at the start
    double control;
    tdJointLimit limit;  // of all joints in addition to their type, if it has axes
    tdJointDrive* drive; // of the last joint
    double time;
} Chain;

/// Largest distance over all links and times.
static double CompareChain(const Chain* chain, int subSteps)
{
    Reference reference = LoadReference(chain->text);
    tdWorld* world = MakeFineWorld(subSteps);
    tdBodyId links[3];
    int last = chain->count - 1;
    for (int i = 0; i <= last; ++i)
    {
        double m = chain->masses[i];
        links[i] = AddMass(world, V(i + 0.5, 0, 0), m, V(chain->thickness * m, m / 12, m / 12));
        tdJointLimit limits[2] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0)};
        limits[1] = chain->freedom == 1 ? limits[1] : chain->limit;
        JoinAt(world, i == 0 ? theWorld : links[i - 1], links[i], V(i, 0, 0), noTurn, limits, 2, chain->drive,
               chain->drive != NULL && i == last ? 1 : 0);
    }
    tdVec3 spin = chain->spin;
    tdBody_SetAngularVelocity(world, links[last], spin);
    tdBody_SetLinearVelocity(world, links[last], tdCross(spin, V(0.5, 0, 0)));
    const double spins[3] = {(double)spin.x, (double)spin.y, (double)spin.z};
    for (int k = 0; k < chain->freedom; ++k)
    {
        reference.data->qvel[reference.model->nv - chain->freedom + k] = spins[chain->freedom == 1 ? 2 : k];
    }
    if (reference.model->nu > 0)
    {
        reference.data->ctrl[0] = chain->control;
    }
    double worst = 0;
    for (int n = 1; n <= (int)(chain->time / STEP + 0.5); ++n)
    {
        tdWorld_Step(world, (float)STEP);
        RunReference(&reference, n * STEP);
        for (int i = 0; i <= last; ++i)
        {
            worst = fmax(worst, Distance(&reference, world, links[i], i + 1));
        }
    }
    tdDestroyWorld(world);
    FreeReference(&reference);
    return worst;
}

/// Within 30 mm, and closer with smaller sub-steps. Speeds reach 7 m/s: a sub-step of 1/240 s is 30 mm of
/// phase.
static void ExpectAgreement(const Chain* chain)
{
    double coarse = CompareChain(chain, 4), fine = CompareChain(chain, 16);
    ENSURE(coarse < 0.03 && fine < 0.4 * coarse);
}

#define HINGE "<joint type='hinge' axis='0 0 1'/>"
#define BALL "<joint type='ball'/>"

TEST(DoublePendulumsAgree)
{
    ExpectAgreement(
        &(Chain){.text = HEAD LINK("0", "1", ROD, HINGE) LINK("1", "1", ROD, HINGE) "</body></body>" TAIL,
                 .count = 2,
                 .freedom = 1,
                 .masses = {1, 1},
                 .thickness = 0.001,
                 .spin = V(0, 0, 2),
                 .time = 1.5});
}

TEST(SpatialDoublePendulumsAgree)
{
    ExpectAgreement(
        &(Chain){.text = HEAD LINK("0", "1", ROD, BALL) LINK("1", "1", ROD, BALL) "</body></body>" TAIL,
                 .count = 2,
                 .freedom = 3,
                 .masses = {1, 1},
                 .thickness = 0.001,
                 .spin = V(0, 3, 1),
                 .time = 1.5});
}

TEST(HeavyOnLightAgrees)
{
    // 1 : 1 : 1000 uses the direct solution of joint trees.
    ExpectAgreement(&(Chain){.text = HEAD LINK("0", "1", ROD, BALL) LINK("1", "1", ROD, BALL) LINK(
                                 "1", "1000", "1 83.3333333 83.3333333", BALL) "</body></body></body>" TAIL,
                             .count = 3,
                             .freedom = 3,
                             .masses = {1, 1, 1000},
                             .thickness = 0.001,
                             .spin = V(0, 1, 1),
                             .time = 1.0});
}

TEST(MotorsAgree)
{
    // A double pendulum with a driven elbow: to a speed, and to an angle against damping.
    tdJointDrive drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
    Chain chain = {
        .text = HEAD LINK("0", "1", ROD, HINGE) LINK(
            "1", "1", ROD,
            "<joint name='elbow' type='hinge' axis='0 0 1'/>") "</body></body>"
                                                               "</worldbody><actuator><velocity "
                                                               "joint='elbow' kv='2'/></actuator></mujoco>",
        .count = 2,
        .freedom = 1,
        .masses = {1, 1},
        .thickness = 0.001,
        .control = 5,
        .drive = &drive,
        .time = 1.5};
    drive.damping = 2;
    drive.velocityTarget = 5;
    ExpectAgreement(&chain);
    chain.text = HEAD LINK("0", "1", ROD, HINGE) LINK(
        "1", "1", ROD,
        "<joint name='elbow' type='hinge' axis='0 0 1' damping='1.5'/>") "</body></body>"
                                                                         "</worldbody><actuator><position "
                                                                         "joint='elbow' "
                                                                         "kp='30'/></actuator></mujoco>";
    chain.control = 1.2;
    drive = MakeDrive(TD_DRIVE_ANGULAR, TD_DRIVE_FORCE, TD_AXIS_Z);
    drive.damping = 1.5f;
    drive.stiffness = 30;
    drive.positionTarget = 1.2f;
    ExpectAgreement(&chain);
}

/// MuJoCo's stops are springs; overdamped and stiff they also stop without rebound, within their width of
/// 0.001.
#define STOP "solreflimit='0.0005 200' solimplimit='0.99 0.99 0.001'"
#define FINE_HEAD                                                                                            \
    "<mujoco><compiler angle='radian'/><option timestep='0.00005' gravity='0 -9.81 0'/><worldbody>"

TEST(ABallWithAnAngleLimitAgrees)
{
    // A rod on a ball joint limited to 0.8 rad in total, released from horizontal with a sideways rotation:
    // it meets the limit at about 4 rad/s, stops, and slides along it.
    Chain chain = {.text = FINE_HEAD LINK("0", "1", ROUND,
                                          "<joint type='ball' limited='true' range='0 0.8' " STOP
                                          "/>") "</body>" TAIL,
                   .count = 1,
                   .freedom = 3,
                   .masses = {1},
                   .thickness = 1.0 / 12,
                   .spin = V(0, 1.5, 0),
                   .limit = tdMakeAngularLimit(TD_AXIS_ALL, 0, 0.8f),
                   .time = 1.0};
    // Half a sub-step of the centre at up to 0.5 m * 5 rad/s, and the width of MuJoCo's stop.
    ENSURE_NEAR(CompareChain(&chain, 4), 0, 0.5 * SUB_STEP * 0.5 * 5 + 0.001);
}

TEST(ASliderBetweenStopsAgrees)
{
    // Pushed up a slope against its upper stop, a cart slides back to the lower one.
    Reference reference =
        LoadReference(FINE_HEAD "<body><inertial pos='0 0 0' mass='2' diaginertia='0.1 0.1 0.1'/>"
                                "<joint type='slide' axis='0.8 -0.6 0' limited='true' range='-0.3 1.5' " STOP
                                "/></body>" TAIL);
    tdWorld* world = MakeFineWorld(4);
    tdBodyId cart = AddMass(world, V(0, 0, 0), 2, V(0.1, 0.1, 0.1));
    tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0),
                              tdMakeAngularLimit(TD_AXIS_ALL, 0, 0),
                              tdMakeLinearLimit(TD_AXIS_X, -0.3f, 1.5f)};
    tdJointId joint =
        JoinAt(world, theWorld, cart, V(0, 0, 0), Turn(0, 0, 1, -atan2(0.6, 0.8)), limits, 3, NULL, 0);
    tdBody_SetLinearVelocity(world, cart, V(-3.2, 2.4, 0));
    reference.data->qvel[0] = -4;
    double worst = 0, highest = 0, own = 0, x = 0, v = -4, g = 0.6 * GRAVITY;
    for (int n = 1; n <= 90; ++n)
    {
        tdWorld_Step(world, (float)STEP);
        RunReference(&reference, n * STEP);
        for (int k = 0; k < 1000; ++k) // exactly
        {
            v += g * (STEP / 1000);
            x += v * (STEP / 1000);
            v = (x < -0.3 && v < 0) || (x > 1.5 && v > 0) ? 0 : v;
        }
        double value = (double)tdJoint_GetLimitValue(world, joint, 2);
        worst = fmax(worst, fabs(value - reference.data->qpos[0]));
        own = fmax(own, fabs(value - x));
        highest = fmax(highest, value);
    }
    // A stop ends the sub-step in which it is met, and the scheme leads by half a sub-step: one and a half at
    // the speed after 1.8 m of slope.
    double late = 1.5 * SUB_STEP * sqrt(2 * g * 1.8);
    ENSURE_NEAR(own, 0, late);
    ENSURE_NEAR(worst, 0, late + 0.002);
    ENSURE_NEAR(highest, 1.5, 1e-3);
    tdDestroyWorld(world);
    FreeReference(&reference);
}

TEST(AHingeWithStopsAgrees)
{
    // A rod released from horizontal falls against a stop past the vertical, stops, falls back, and so on.
    const char* text = FINE_HEAD LINK("0", "1", ROD,
                                      "<joint type='hinge' axis='0 0 1' limited='true' range='-2 0' " STOP
                                      "/>") "</body>" TAIL;
    Reference reference = LoadReference(text);
    tdWorld* world = MakeFineWorld(4);
    tdBodyId rod = AddMass(world, V(0.5, 0, 0), 1, V(0.001, 1.0 / 12, 1.0 / 12));
    tdJointId joint = JoinHinge(world, theWorld, rod, V(0, 0, 0), -2, 0);
    StoppedRod exact = {0, 0};
    double worst = 0, lowest = 0, own = 0, theirs = 0;
    for (int n = 1; n <= 180; ++n)
    {
        tdWorld_Step(world, (float)STEP);
        RunReference(&reference, n * STEP);
        double angle = (double)tdJoint_GetLimitValue(world, joint, 2);
        worst = fmax(worst, fabs(angle - reference.data->qpos[0]));
        AdvanceStoppedRod(&exact, -2);
        own = fmax(own, fabs(angle - exact.angle));
        theirs = fmax(theirs, fabs(exact.angle - reference.data->qpos[0]));
        lowest = fmin(lowest, angle);
    }
    // A first-order scheme leads by half a sub-step, at up to sqrt(3 g) rad/s.
    double half = 0.5 * SUB_STEP * sqrt(3 * GRAVITY);
    ENSURE_NEAR(own, 0, half);
    ENSURE_NEAR(theirs, 0, OffAfterGive(-2, 0.001));
    ENSURE_NEAR(worst, 0, half + theirs);
    ENSURE_NEAR(lowest, -2, 0.002);
    tdDestroyWorld(world);
    FreeReference(&reference);
}

TEST_MAIN(RUN(DoublePendulumsAgree) RUN(SpatialDoublePendulumsAgree) RUN(HeavyOnLightAgrees) RUN(MotorsAgree)
              RUN(ABallWithAnAngleLimitAgrees) RUN(ASliderBetweenStopsAgrees) RUN(AHingeWithStopsAgrees))
