// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies with negative scale, their own or inherited: the first frame is the file's, and children ride
// rigidly. References are matrices in double.
#include "runtime/double_math.h"
#include "runtime/physics_stage.h"

typedef struct Parent
{
    dVec3 translation;
    dQuat rotation;
    dVec3 scale;
} Parent;

/// Ancestors of the body, outermost first; the last two shear a body that turns.
static const Parent parents[][2] = {
    {{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
    {{{0.3, -1, 2}, {0.5, 0.5, 0.5, 0.5}, {-2, 2, 2}}, {{1, 0, -1}, {0, 0.6, 0, 0.8}, {1, 1, 1}}},
    {{{0, 1, 0}, {0.6, 0, 0, 0.8}, {-1, -1, -1}}, {{1, 0, 0}, {0, 0, 0.28, 0.96}, {1, -0.5, 1}}},
    {{{1, 0, 0}, {0, 0.28, 0, 0.96}, {1, -3, 0.5}}, {{0, 0.5, 0}, {0.48, 0, 0.64, 0.6}, {-1, 1, -1.5}}},
};
#define PARENT_COUNT 4

static const dQuat ownRotation = {0.64, 0.0, 0.48, 0.6};
static const dVec3 ownPlace = {0.4, 0.2, -0.3}, childPlace = {0.1, 0.7, 0.2};
static const double spin[3] = {0.7, -0.4, 0.5}; // rad/s in node space, see docs/spec/physics.md 5.1

static void AppendNode(tdText* out, dVec3 t, dQuat q, dVec3 s, const char* rest)
{
    char line[1024];
    int length = snprintf(line, sizeof(line),
                          "{'translation':[%.9g,%.9g,%.9g],'rotation':[%.9g,%.9g,%.9g,%.9g],"
                          "'scale':[%.9g,%.9g,%.9g]%s}",
                          t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z, rest);
    tdText_Append(out, line, (size_t)length);
}

static dVec3 SignScale(int signs, dVec3 size)
{
    return (dVec3){signs & 1 ? -size.x : size.x, signs & 2 ? -size.y : size.y, signs & 4 ? -size.z : size.z};
}

/// Nodes: two ancestors, the weightless body, a node below it and one below that. The body's moments are
/// equal, so that it keeps its angular velocity.
static Play OpenMirror(int parent, dVec3 scale, dAffine expected[5])
{
    tdText text;
    tdText_Init(&text, NULL);
    const Parent* p = parents[parent];
    char body[256];
    snprintf(body, sizeof(body),
             ",'children':[3]," RB(
                 "'motion':{'mass':2,'gravityFactor':0,'centerOfMass':[0,0,0],"
                 "'inertiaDiagonal':[1,1,1],'angularVelocity':[%g,%g,%g]},'collider':{" SHAPE(0) "}"),
             spin[0], spin[1], spin[2]);
    AppendNode(&text, p[0].translation, p[0].rotation, p[0].scale, ",'children':[1]");
    tdText_AppendChar(&text, ',');
    AppendNode(&text, p[1].translation, p[1].rotation, p[1].scale, ",'children':[2]");
    tdText_AppendChar(&text, ',');
    AppendNode(&text, ownPlace, ownRotation, scale, body);
    tdText_AppendChar(&text, ',');
    AppendNode(&text, childPlace, (dQuat){0, 0.6, 0, 0.8}, (dVec3){1, 2, -1}, ",'children':[4]");
    tdText_AppendChar(&text, ',');
    AppendNode(&text, childPlace, dIdentity, (dVec3){1, 1, 1}, "");
    Play play = OpenScene(text.data, "{'type':'box'}", "", NULL, 0);
    tdText_Free(&text);
    dAffine locals[5] = {dFromTrs(p[0].translation, p[0].rotation, p[0].scale),
                         dFromTrs(p[1].translation, p[1].rotation, p[1].scale),
                         dFromTrs(ownPlace, ownRotation, scale),
                         dFromTrs(childPlace, (dQuat){0, 0.6, 0, 0.8}, (dVec3){1, 2, -1}),
                         dFromTrs(childPlace, dIdentity, (dVec3){1, 1, 1})};
    expected[0] = locals[0];
    for (int i = 1; i < 5; ++i)
    {
        expected[i] = dMulAffine(&expected[i - 1], &locals[i]);
    }
    return play;
}

/// Largest difference of the entries of the globals of all nodes.
static double CompareGlobals(const Play* play, const dAffine* expected)
{
    double worst = 0;
    for (int node = 0; node < 5; ++node)
    {
        dAffine got = dFromMat4(tdActor_GetGlobals(play->actor)[node]);
        for (int i = 0; i < 12; ++i)
        {
            worst = fmax(worst, fabs(got.m[i] - expected[node].m[i]));
        }
    }
    return worst;
}

static dVec3 GetOrigin(const dAffine* a)
{
    return (dVec3){a->m[9], a->m[10], a->m[11]};
}

TEST(FirstFramesAreTheFiles)
{
    for (int parent = 0; parent < PARENT_COUNT; ++parent)
    {
        for (int signs = 0; signs < 8; ++signs)
        {
            dAffine expected[5];
            Play play = OpenMirror(parent, SignScale(signs, (dVec3){1.0, 0.5, 2.0}), expected);
            tdStage_Evaluate(play.stage, 0.0);
            ENSURE_NEAR(CompareGlobals(&play, expected), 0.0, 2e-5);
            ClosePlay(&play);
        }
    }
}

TEST(MirroredBodiesTurnTheirChildrenRigidly)
{
    for (int parent = 0; parent < PARENT_COUNT; ++parent)
    {
        bool isRigid = parent < 2; // the other ancestors scale non-uniformly: children shear
        for (int signs = 0; signs < 8; ++signs)
        {
            dAffine expected[5];
            Play play = OpenMirror(parent, SignScale(signs, (dVec3){1.0, 0.5, 2.0}), expected);
            dQuat start = dWorldRotation(&expected[2]);
            StepFor(play.stage, 1.0);
            double rate = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
            double s = sin(0.5 * rate) / rate;
            dQuat turn = {s * spin[0], s * spin[1], s * spin[2], cos(0.5 * rate)}; // about axes of the node
            dQuat wanted = dMul(start, turn);
            const tdMat4* globals = tdActor_GetGlobals(play.actor);
            dAffine body = dFromMat4(globals[2]);
            ENSURE_NEAR(dAngle(dWorldRotation(&body), wanted), 0.0, 2e-4);
            dVec3 center = GetOrigin(&expected[2]);
            ENSURE_NEAR(body.m[9], center.x, 1e-5);
            ENSURE_NEAR(body.m[10], center.y, 1e-5);
            ENSURE_NEAR(body.m[11], center.z, 1e-5);
            for (int node = 3; node < 5 && isRigid; ++node)
            {
                dVec3 offset = GetOrigin(&expected[node]);
                offset = (dVec3){offset.x - center.x, offset.y - center.y, offset.z - center.z};
                offset = dRotate(dMul(wanted, dConj(start)), offset);
                dAffine child = dFromMat4(globals[node]);
                ENSURE_NEAR(child.m[9], center.x + offset.x, 1e-3);
                ENSURE_NEAR(child.m[10], center.y + offset.y, 1e-3);
                ENSURE_NEAR(child.m[11], center.z + offset.z, 1e-3);
            }
            ClosePlay(&play);
        }
    }
}

TEST(FlatScalesGiveFiniteRotations)
{
    // A scale of 0 leaves the node's rotation about its axes open; every local stays a unit rotation.
    for (int zero = 1; zero < 8; ++zero)
    {
        dAffine expected[5];
        dVec3 scale = {zero & 1 ? 0 : -1, zero & 2 ? 0 : 1, zero & 4 ? 0 : -2};
        Play play = OpenMirror(zero % 2 == 0 ? 0 : 3, scale, expected);
        StepFor(play.stage, 0.25);
        tdQuat q = tdActor_GetLocals(play.actor)[2].rotation;
        ENSURE_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, 1e-5);
        ClosePlay(&play);
    }
}

TEST(JointFramesOnMirroredNodesUseTheirWorldRotation)
{
    // A slider along x of a node with scale (1, -1, 1): its world rotation is a half-turn about y, so the
    // drive of B = body seen from A moves the body towards -x. Frame B is mirrored the same way.
    static const char* const joint = "'physicsJoints':[{'limits':[{'linearAxes':[1],'min':0,'max':0},"
                                     "{'linearAxes':[2],'min':0,'max':0},"
                                     "{'angularAxes':[0,1,2],'min':0,'max':0}],"
                                     "'drives':[{'type':'linear','mode':'acceleration','axis':0,"
                                     "'velocityTarget':1,'damping':50}]}]";
    Play play = OpenScene(
        "{'children':[1]," RB(
            "'motion':{'mass':1,'gravityFactor':0}") "},"
                                                     "{'scale':[1,-1,1]},"
                                                     "{'scale':[1,-1,1]," RB(
                                                         "'joint':{'joint':0,'connectedNode':1}") "}",
        FLOOR_SHAPE, joint, NULL, 0);
    StepFor(play.stage, 1.0);
    tdVec3 p = GetPosition(&play, 0);
    ENSURE_NEAR(p.x, -(1.0 - 1.0 / 50.0), 2e-2);
    ENSURE_NEAR(p.y, 0.0, 1e-4);
    dAffine body = dFromMat4(tdActor_GetGlobals(play.actor)[0]);
    ENSURE_NEAR(dAngle(dWorldRotation(&body), dIdentity), 0.0, 1e-3); // frames are aligned at the start
    ClosePlay(&play);
}

TEST_MAIN(RUN(FirstFramesAreTheFiles) RUN(MirroredBodiesTurnTheirChildrenRigidly)
              RUN(FlatScalesGiveFiniteRotations) RUN(JointFramesOnMirroredNodesUseTheirWorldRotation))
