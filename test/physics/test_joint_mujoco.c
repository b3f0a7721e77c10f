// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Needs: mujoco
//
// MuJoCo as an oracle for joints: it keeps joint coordinates and is run with a fourth-order scheme and small
// steps, so it has nothing in common with the engine but the mechanics. Compared over the time before chaos
// tells two double pendulums apart. The engine is of first order: errors are what a sub-step amounts to, and
// a quarter of that with four times the sub-steps.
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

/// Distance of a body's centre to where MuJoCo has it. Body 0 is the world there.
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

/// Largest distance of `count` links laid out along x, over a time.
static double CompareChain(const char* text, int count, const double* masses, bool isHinged, tdVec3 spin,
                           int subSteps, double time)
{
    Reference reference = LoadReference(text);
    tdWorld* world = MakeFineWorld(subSteps);
    tdBodyId links[4];
    for (int i = 0; i < count; ++i)
    {
        double m = masses[i];
        links[i] = AddMass(world, V(i + 0.5, 0, 0), m, V(0.001 * m, m / 12, m / 12));
        tdBodyId previous = i == 0 ? theWorld : links[i - 1];
        if (isHinged)
        {
            JoinHinge(world, previous, links[i], V(i, 0, 0), -PI, PI);
        }
        else
        {
            JoinBall(world, previous, links[i], V(i, 0, 0));
        }
    }
    // The last link turns about its own pivot at the start.
    tdBody_SetAngularVelocity(world, links[count - 1], spin);
    tdBody_SetLinearVelocity(world, links[count - 1], tdCross(spin, V(0.5, 0, 0)));
    int at = reference.model->nv - (isHinged ? 1 : 3);
    const double spins[3] = {(double)spin.x, (double)spin.y, (double)spin.z};
    for (int k = 0; k < (isHinged ? 1 : 3); ++k)
    {
        reference.data->qvel[at + k] = spins[isHinged ? 2 : k];
    }
    double worst = 0;
    for (int n = 1; n <= (int)(time / STEP + 0.5); ++n)
    {
        tdWorld_Step(world, (float)STEP);
        RunReference(&reference, n * STEP);
        for (int i = 0; i < count; ++i)
        {
            worst = fmax(worst, Distance(&reference, world, links[i], i + 1));
        }
    }
    tdDestroyWorld(world);
    FreeReference(&reference);
    return worst;
}

TEST(DoublePendulumsAgree)
{
    const char* text = HEAD LINK("0", "1", ROD, "<joint type='hinge' axis='0 0 1'/>")
        LINK("1", "1", ROD, "<joint type='hinge' axis='0 0 1'/>") "</body></body>" TAIL;
    const double masses[2] = {1, 1};
    double coarse = CompareChain(text, 2, masses, true, V(0, 0, 2), 4, 1.5);
    double fine = CompareChain(text, 2, masses, true, V(0, 0, 2), 16, 1.5);
    // Speeds reach 7 m/s: a sub-step of 1/240 s is 30 mm of phase.
    ENSURE(coarse < 0.03 && fine < 0.4 * coarse);
}

TEST(SpatialDoublePendulumsAgree)
{
    const char* text = HEAD LINK("0", "1", ROD, "<joint type='ball'/>")
        LINK("1", "1", ROD, "<joint type='ball'/>") "</body></body>" TAIL;
    const double masses[2] = {1, 1};
    double coarse = CompareChain(text, 2, masses, false, V(0, 3, 1), 4, 1.5);
    double fine = CompareChain(text, 2, masses, false, V(0, 3, 1), 16, 1.5);
    ENSURE(coarse < 0.03 && fine < 0.4 * coarse);
}

TEST(HeavyOnLightAgrees)
{
    // 1 : 1 : 1000 goes through the direct solution of joint trees.
    const char* text =
        HEAD LINK("0", "1", ROD, "<joint type='ball'/>") LINK("1", "1", ROD, "<joint type='ball'/>")
            LINK("1", "1000", "1 83.3333333 83.3333333", "<joint type='ball'/>") "</body></body></body>" TAIL;
    const double masses[3] = {1, 1, 1000};
    double coarse = CompareChain(text, 3, masses, false, V(0, 1, 1), 4, 1.0);
    double fine = CompareChain(text, 3, masses, false, V(0, 1, 1), 16, 1.0);
    ENSURE(coarse < 0.03 && fine < 0.4 * coarse);
}

TEST(AHingeWithStopsAgrees)
{
    // A rod let go level falls against a stop past the vertical, is stopped dead, and falls back, and so on.
    // MuJoCo's stop is a spring; overdamped and stiff it stops the rod too, within its width of 0.001 rad.
    const char* text =
        "<mujoco><compiler angle='radian'/><option timestep='0.00005' gravity='0 -9.81 0'/>"
        "<worldbody>" LINK("0", "1", ROD,
                           "<joint type='hinge' axis='0 0 1' limited='true' range='-2 0' "
                           "solreflimit='0.0005 200' solimplimit='0.99 0.99 0.001'/>") "</body>" TAIL;
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
    // A scheme of first order is half a sub-step ahead, at up to sqrt(3 g) rad/s.
    double half = 0.5 * SUB_STEP * sqrt(3 * GRAVITY);
    ENSURE_NEAR(own, 0, half);
    ENSURE_NEAR(theirs, 0, OffAfterGive(-2, 0.001));
    ENSURE_NEAR(worst, 0, half + theirs);
    ENSURE_NEAR(lowest, -2, 0.002);
    tdDestroyWorld(world);
    FreeReference(&reference);
}

TEST_MAIN(RUN(DoublePendulumsAgree) RUN(SpatialDoublePendulumsAgree) RUN(HeavyOnLightAgrees)
              RUN(AHingeWithStopsAgrees))
