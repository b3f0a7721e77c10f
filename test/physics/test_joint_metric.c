// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the limit metrics of docs/spec/physics.md 6.2: each metric against its definition, random joints
// under random loads, hinges made of separate locks, forbidden ranges, offsets, mass ratios, loops, and joint
// classes.
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/joint.h"

#define STEP (1.0f / 60.0f)

static uint32_t randomState = 1;

static float Random(float low, float high)
{
    randomState = randomState * 1664525u + 1013904223u;
    return low + (high - low) * ((float)(randomState >> 8) / 16777216.0f);
}

static tdVec3 RandomVec(float size)
{
    float x = Random(-size, size), y = Random(-size, size), z = Random(-size, size);
    return (tdVec3){x, y, z};
}

static tdQuat RandomQuat(void)
{
    float x = Random(-1, 1), y = Random(-1, 1), z = Random(-1, 1), w = Random(-1, 1);
    return tdNormalizeQuat((tdQuat){x, y, z, w});
}

static tdWorld* MakeWorld(float gravity)
{
    tdWorldDef def = tdDefaultWorldDef();
    def.gravity = (tdVec3){0.0f, -gravity, 0.0f};
    def.enableSleep = false;
    return tdCreateWorld(&def);
}

static tdBodyId AddBody(tdWorld* world, tdTransform transform, float mass, tdVec3 inertia)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform = transform;
    def.mass = mass;
    def.inertiaDiagonal = inertia;
    return tdCreateBody(world, &def);
}

static tdJointId JoinAt(tdWorld* world, tdBodyId a, tdBodyId b, tdTransform frameA, tdTransform frameB,
                        const tdJointLimit* limits, int count)
{
    tdJointDef def = tdDefaultJointDef();
    def.bodyA = a;
    def.bodyB = b;
    def.frameA = frameA;
    def.frameB = frameB;
    def.limits = limits;
    def.limitCount = count;
    return tdCreateJoint(world, &def);
}

static const tdBodyId noBody = {0, 0};

/// The metric by its definition, in double.
static double Define(const tdJointLimit* limit, tdTransform a, tdTransform b)
{
    tdTransform r = tdInvMulTransform(a, b);
    const double p[3] = {(double)r.position.x, (double)r.position.y, (double)r.position.z};
    const double q[3] = {(double)r.rotation.x, (double)r.rotation.y, (double)r.rotation.z};
    double w = (double)r.rotation.w, sum = 0.0;
    unsigned axes = limit->linearAxes != 0 ? limit->linearAxes : limit->angularAxes;
    int count = 0, axis = 0, missing = 0;
    for (int i = 0; i < 3; ++i)
    {
        bool has = (axes >> i & 1u) != 0;
        count += has ? 1 : 0;
        axis = has ? i : axis;
        missing = has ? missing : i;
        sum += has ? p[i] * p[i] : 0.0;
    }
    if (limit->linearAxes != 0)
    {
        return count == 1 ? p[axis] : sqrt(sum);
    }
    if (count == 1)
    {
        double twist = 2.0 * atan2(q[axis], w);
        return twist > 3.14159265358979 ? twist - 6.28318530717959
                                        : (twist <= -3.14159265358979 ? twist + 6.28318530717959 : twist);
    }
    if (count == 2)
    {
        tdVec3 e = {missing == 0 ? 1.0f : 0.0f, missing == 1 ? 1.0f : 0.0f, missing == 2 ? 1.0f : 0.0f};
        return acos(fmax(-1.0, fmin(1.0, (double)tdDot(e, tdRotate(r.rotation, e)))));
    }
    return 2.0 * acos(fmin(1.0, fabs(w)));
}

TEST(MetricsAreTheirDefinitions)
{
    for (unsigned axes = 1; axes <= 7; ++axes)
    {
        for (int i = 0; i < 40; ++i)
        {
            tdTransform a = {RandomVec(2.0f), RandomQuat()}, b = {RandomVec(2.0f), RandomQuat()};
            tdJointLimit limits[2] = {tdMakeLinearLimit(axes, -INFINITY, INFINITY),
                                      tdMakeAngularLimit(axes, -INFINITY, INFINITY)};
            tdWorld* world = MakeWorld(0.0f);
            tdBodyId body = AddBody(world, b, 1.0f, tdVec3_one);
            tdJointId joint = JoinAt(world, noBody, body, a, tdTransform_identity, limits, 2);
            ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 0), Define(limits, a, b), 1e-5);
            ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), Define(limits + 1, a, b), 2e-3);
            tdDestroyWorld(world);
        }
    }
}

TEST(RandomJointsStayInRangeUnderLoad)
{
    // Every metric with a random range, frames away from the bodies' centres, random forces of several times
    // the weight. Hard limits may be exceeded by one sub-step of motion: 1 cm, 0.03 rad.
    randomState = 5;
    for (int round = 0; round < 60; ++round)
    {
        unsigned axes = 1u + (unsigned)round % 7u;
        bool isLinear = (round / 7) % 2 == 0, isSigned = axes == 1 || axes == 2 || axes == 4;
        float low = isSigned ? Random(-0.6f, 0.0f) : Random(-0.2f, 0.2f), high = Random(0.3f, 0.9f);
        tdJointLimit limits[3] = {
            isLinear ? tdMakeLinearLimit(axes, low, high) : tdMakeAngularLimit(axes, low, high),
            isLinear ? tdMakeAngularLimit(TD_AXIS_ALL, 0, 0) : tdMakeLinearLimit(TD_AXIS_ALL, 0, 0)};
        tdWorld* world = MakeWorld(9.81f);
        tdBodyId body = AddBody(world, tdTransform_identity, 2.0f, (tdVec3){0.1f, 0.15f, 0.2f});
        tdTransform frame = {RandomVec(0.3f), RandomQuat()};
        // A twist is undefined at half a turn of swing, so it is combined with a cone, as in every ragdoll.
        limits[2] = !isLinear && isSigned ? tdMakeAngularLimit(~axes & 7u, 0.0f, 1.5f) : limits[1];
        tdJointId joint = JoinAt(world, noBody, body, frame, frame, limits, !isLinear && isSigned ? 3 : 2);
        float lower = isSigned || low > 0.0f ? low : -INFINITY;
        bool wasInside = false;
        for (int n = 0; n < 120; ++n)
        {
            tdBody_ApplyForceToCenter(world, body, RandomVec(60.0f));
            tdBody_ApplyTorque(world, body, RandomVec(3.0f));
            tdWorld_Step(world, STEP);
            float value = tdJoint_GetLimitValue(world, joint, 0), slack = isLinear ? 0.01f : 0.03f;
            wasInside = wasInside ||
                        value >= lower - slack; // the body leaves a forbidden range within the first steps
            ENSURE(value <= high + slack);
            ENSURE(!wasInside || value >= lower - slack);
            ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), 0.0, isLinear ? 0.02 : 0.01);
        }
        ENSURE(wasInside);
        tdDestroyWorld(world);
    }
}

TEST(SeparateLocksMakeAHinge)
{
    // With two one-axis locks and with one two-axis lock, a free wheel rotates many turns without resistance,
    // for each axis.
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int form = 0; form < 2; ++form)
        {
            unsigned first = 1u << ((axis + 1) % 3), second = 1u << ((axis + 2) % 3);
            tdJointLimit limits[3] = {tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), tdMakeAngularLimit(first, 0, 0),
                                      tdMakeAngularLimit(second, 0, 0)};
            limits[1] = form == 1 ? tdMakeAngularLimit(first | second, 0, 0) : limits[1];
            tdWorld* world = MakeWorld(0.0f);
            tdBodyId wheel = AddBody(world, tdTransform_identity, 1.0f, (tdVec3){0.1f, 0.2f, 0.3f});
            tdVec3 spin = {axis == 0 ? 7.0f : 0.0f, axis == 1 ? 7.0f : 0.0f, axis == 2 ? 7.0f : 0.0f};
            tdBody_SetAngularVelocity(world, wheel, spin);
            JoinAt(world, noBody, wheel, tdTransform_identity, tdTransform_identity, limits,
                   form == 1 ? 2 : 3);
            for (int n = 0; n < 180; ++n)
            {
                tdWorld_Step(world, STEP);
            }
            tdVec3 w = tdBody_GetAngularVelocity(world, wheel);
            ENSURE_NEAR(tdDistance(w, spin), 0.0, 0.01);
            tdVec3 e = tdScale(1.0f / 7.0f, spin);
            ENSURE_NEAR(tdDot(e, tdRotate(tdBody_GetTransform(world, wheel).rotation, e)), 1.0, 1e-4);
            tdDestroyWorld(world);
        }
    }
}

TEST(ValuesAreHeldAwayFromZero)
{
    // min = max = d: an offset on an axis, a rod, a fixed angle; frames that start apart are pulled together
    // without energy.
    tdJointLimit held[5] = {
        tdMakeLinearLimit(TD_AXIS_X, 1.0f, 1.0f), tdMakeLinearLimit(TD_AXIS_ALL, 0.7f, 0.7f),
        tdMakeAngularLimit(TD_AXIS_Y, 0.5f, 0.5f), tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0.4f, 0.4f),
        tdMakeLinearLimit(TD_AXIS_ALL, 0.0f, 0.0f)};
    for (int i = 0; i < 5; ++i)
    {
        tdWorld* world = MakeWorld(0.0f);
        tdTransform start = {{0.4f, 1.1f, -0.2f}, tdNormalizeQuat((tdQuat){0.1f, 0.05f, 0.2f, 0.9f})};
        tdBodyId body = AddBody(world, start, 1.0f, (tdVec3){0.1f, 0.1f, 0.1f});
        tdJointId joint =
            JoinAt(world, noBody, body, tdTransform_identity, tdTransform_identity, held + i, 1);
        float fastest = 0.0f;
        for (int n = 0; n < 180; ++n)
        {
            tdWorld_Step(world, STEP);
            fastest = tdMaxFloat(fastest, tdLength(tdBody_GetLinearVelocity(world, body)));
        }
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 0), held[i].max, 1e-3);
        ENSURE(fastest < 5.0f);
        tdDestroyWorld(world);
    }
}

TEST(UnequalMassesAndLoopsHold)
{
    // Attached to the world: light above heavy with ratio 1000, and heavy above light.
    for (int i = 0; i < 2; ++i)
    {
        tdWorld* world = MakeWorld(9.81f);
        float masses[2] = {i == 0 ? 1.0f : 1000.0f, i == 0 ? 1000.0f : 1.0f};
        tdBodyId previous = noBody;
        tdJointLimit lock = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0);
        tdJointId joints[2];
        for (int k = 0; k < 2; ++k)
        {
            float m = masses[k];
            tdBodyId body = AddBody(world, (tdTransform){{0.0f, -0.5f - (float)k, 0.0f}, tdQuat_identity}, m,
                                    (tdVec3){0.1f * m, 0.1f * m, 0.1f * m});
            joints[k] = JoinAt(world, previous, body,
                               (tdTransform){{0.0f, k == 0 ? 0.0f : -0.5f, 0.0f}, tdQuat_identity},
                               (tdTransform){{0.0f, 0.5f, 0.0f}, tdQuat_identity}, &lock, 1);
            previous = body;
        }
        float worst = 0.0f;
        for (int n = 0; n < 600; ++n)
        {
            tdWorld_Step(world, STEP);
            float error = tdMaxFloat(tdJoint_GetLimitValue(world, joints[0], 0),
                                     tdJoint_GetLimitValue(world, joints[1], 0));
            worst = tdMaxFloat(worst, error);
        }
        ENSURE(worst < 0.001f);
        tdDestroyWorld(world);
    }
    // A closed ring of twelve balls stays closed while it spins and falls.
    tdWorld* world = MakeWorld(9.81f);
    tdBodyId ring[12];
    tdJointId joints[12];
    tdJointLimit lock = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0);
    for (int k = 0; k < 12; ++k)
    {
        float angle = (float)k * 0.5235988f;
        tdTransform place = {{cosf(angle), sinf(angle), 0.0f},
                             {0.0f, 0.0f, sinf(0.5f * angle), cosf(0.5f * angle)}};
        ring[k] = AddBody(world, place, 1.0f, (tdVec3){0.02f, 0.02f, 0.02f});
    }
    for (int k = 0; k < 12; ++k)
    {
        // Pivots between neighbours, in their own axes.
        float angle = ((float)k + 0.5f) * 0.5235988f;
        tdVec3 pivot = {cosf(angle), sinf(angle), 0.0f};
        tdTransform a = tdBody_GetTransform(world, ring[k]),
                    b = tdBody_GetTransform(world, ring[(k + 1) % 12]);
        joints[k] = JoinAt(world, ring[k], ring[(k + 1) % 12],
                           (tdTransform){tdInvTransformPoint(a, pivot), tdQuat_identity},
                           (tdTransform){tdInvTransformPoint(b, pivot), tdQuat_identity}, &lock, 1);
        tdBody_SetLinearVelocity(world, ring[k],
                                 (tdVec3){-sinf((float)k * 0.5235988f), cosf((float)k * 0.5235988f), 0.0f});
    }
    float worst = 0.0f;
    for (int n = 0; n < 300; ++n)
    {
        tdWorld_Step(world, STEP);
        for (int k = 0; k < 12; ++k)
        {
            worst = tdMaxFloat(worst, tdJoint_GetLimitValue(world, joints[k], 0));
        }
    }
    ENSURE(worst < 2.0e-3f);
    tdDestroyWorld(world);
}

static tdJointClass Classify(int count, tdJointLimit a, tdJointLimit b, tdJointLimit c)
{
    tdJointLimit limits[3] = {a, b, c};
    return tdClassifyJoint(limits, count);
}

TEST(LimitsHaveAJointClass)
{
    tdJointLimit point = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0), still = tdMakeAngularLimit(TD_AXIS_ALL, 0, 0);
    tdJointLimit none = tdMakeLinearLimit(0, 0, 0);
    ENSURE(tdClassifyJoint(NULL, 0).type == TD_JOINT_FREE);
    ENSURE(Classify(2, point, still, none).type == TD_JOINT_FIXED);
    ENSURE(Classify(1, point, none, none).type == TD_JOINT_BALL);
    tdJointClass hinge = Classify(3, point, tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0),
                                  tdMakeAngularLimit(TD_AXIS_Y, -1, 2));
    ENSURE(hinge.type == TD_JOINT_HINGE && hinge.axis == 1 && hinge.angularMin == -1.0f &&
           hinge.angularMax == 2.0f);
    tdJointLimit closer = tdMakeAngularLimit(TD_AXIS_Y, 0, 0);
    closer.stiffness = 10.0f;
    tdJointClass door = Classify(3, point, tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0), closer);
    ENSURE(door.type == TD_JOINT_HINGE && door.axis == 1 && door.isSoft);
    tdJointClass slider = Classify(3, tdMakeLinearLimit(TD_AXIS_Y | TD_AXIS_Z, 0, 0), still,
                                   tdMakeLinearLimit(TD_AXIS_X, 0, 3));
    ENSURE(slider.type == TD_JOINT_SLIDER && slider.axis == 0 && slider.linearMax == 3.0f);
    ENSURE(Classify(2, tdMakeLinearLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0),
                    tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Y, 0, 0), none)
               .type == TD_JOINT_CYLINDRICAL);
    ENSURE(Classify(2, point, tdMakeAngularLimit(TD_AXIS_X, 0, 0), none).type == TD_JOINT_UNIVERSAL);
    tdJointClass rope = Classify(1, tdMakeLinearLimit(TD_AXIS_ALL, 0, 2), none, none);
    ENSURE(rope.type == TD_JOINT_DISTANCE && rope.linearMin == 0.0f && rope.linearMax == 2.0f);
    tdJointClass planar = Classify(2, tdMakeLinearLimit(TD_AXIS_Y, 0, 0),
                                   tdMakeAngularLimit(TD_AXIS_X | TD_AXIS_Z, 0, 0), none);
    ENSURE(planar.type == TD_JOINT_PLANAR && planar.axis == 1);
    tdJointLimit soft = tdMakeLinearLimit(TD_AXIS_X, -1, 1);
    soft.stiffness = 10.0f;
    tdJointClass generic = Classify(1, soft, none, none);
    ENSURE(generic.type == TD_JOINT_GENERIC && generic.isSoft && generic.limitedLinear == TD_AXIS_X);
    ENSURE_EQUAL_TEXT(tdJointType_GetName(TD_JOINT_UNIVERSAL), "universal");
}

TEST(SpecialCasesOfTheSpecificationHaveTheirClass)
{
    // The four rows of the table in OMI_physics_joint, for every axis, with sets of axes and with single
    // axes.
    tdJointLimit none = tdMakeLinearLimit(0, 0, 0);
    for (int axis = 0; axis < 3; ++axis)
    {
        unsigned own = 1u << axis, others = ~own & 7u;
        unsigned second = 1u << ((axis + 1) % 3), third = 1u << ((axis + 2) % 3);
        tdJointLimit point = tdMakeLinearLimit(TD_AXIS_ALL, 0, 0),
                     still = tdMakeAngularLimit(TD_AXIS_ALL, 0, 0);
        // Fixed (weld): all axes fixed.
        ENSURE(Classify(3, tdMakeLinearLimit(own, 0, 0), tdMakeLinearLimit(others, 0, 0), still).type ==
               TD_JOINT_FIXED);
        tdJointLimit six[6] = {tdMakeLinearLimit(1, 0, 0),  tdMakeLinearLimit(2, 0, 0),
                               tdMakeLinearLimit(4, 0, 0),  tdMakeAngularLimit(1, 0, 0),
                               tdMakeAngularLimit(2, 0, 0), tdMakeAngularLimit(4, 0, 0)};
        ENSURE(tdClassifyJoint(six, 6).type == TD_JOINT_FIXED);
        // Pin: all linear axes fixed, all angular axes free.
        ENSURE(Classify(2, tdMakeLinearLimit(own, 0, 0), tdMakeLinearLimit(others, 0, 0), none).type ==
               TD_JOINT_BALL);
        // Hinge: one angular axis between stops, the rest fixed.
        tdJointClass hinge =
            Classify(3, point, tdMakeAngularLimit(own, -0.5f, 1), tdMakeAngularLimit(others, 0, 0));
        ENSURE(hinge.type == TD_JOINT_HINGE && hinge.axis == axis);
        ENSURE(hinge.angularMin == -0.5f && hinge.angularMax == 1.0f && hinge.limitedAngular == own);
        six[3 + axis] = tdMakeAngularLimit(own, -0.5f, 1);
        hinge = tdClassifyJoint(six, 6);
        ENSURE(hinge.type == TD_JOINT_HINGE && hinge.axis == axis && hinge.lockedAngular == (second | third));
        // Slider: one linear axis between stops, the rest fixed, or also free to rotate about the same axis.
        tdJointClass slider =
            Classify(3, tdMakeLinearLimit(others, 0, 0), still, tdMakeLinearLimit(own, -1, 2));
        ENSURE(slider.type == TD_JOINT_SLIDER && slider.axis == axis);
        ENSURE(slider.linearMin == -1.0f && slider.linearMax == 2.0f && slider.lockedAngular == TD_AXIS_ALL);
        six[axis] = tdMakeLinearLimit(own, -1, 2);
        slider = tdClassifyJoint(six, 6);
        ENSURE(slider.type == TD_JOINT_SLIDER && slider.axis == axis && slider.angularMin == -0.5f);
        // Without stops on one of the two it is a cylindrical joint.
        six[3 + axis] = tdMakeAngularLimit(own, -INFINITY, INFINITY);
        ENSURE(tdClassifyJoint(six, 6).type == TD_JOINT_CYLINDRICAL);
        // Rotation about another axis than the slide has no class.
        six[3 + axis] = tdMakeAngularLimit(own, 0, 0);
        six[3 + (axis + 1) % 3] = tdMakeAngularLimit(second, -1, 1);
        ENSURE(tdClassifyJoint(six, 6).type == TD_JOINT_GENERIC);
        // "Fixed" at a value other than zero is fixed too.
        ENSURE(Classify(3, tdMakeLinearLimit(own, 1, 1), tdMakeLinearLimit(others, 0, 0), still).type ==
               TD_JOINT_FIXED);
    }
}

TEST_MAIN(RUN(MetricsAreTheirDefinitions) RUN(RandomJointsStayInRangeUnderLoad) RUN(SeparateLocksMakeAHinge)
              RUN(ValuesAreHeldAwayFromZero) RUN(UnequalMassesAndLoopsHold) RUN(LimitsHaveAJointClass)
                  RUN(SpecialCasesOfTheSpecificationHaveTheirClass))
