// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joint presets against closed forms: pendulum periods, free fall to a stop, statics of a cantilever and a
// rope.
#include "harness.h"
#include "joints.h"

static const tdVec3 up = {0.0f, 1.0f, 0.0f};

static void Run(tdWorld* world, double seconds)
{
    for (int i = 0; i < (int)(seconds / STEP + 0.5); ++i)
    {
        tdWorld_Step(world, (float)STEP);
    }
}

static tdJointClass Classify(const tdJointDef* def)
{
    return tdClassifyJoint(def->presetLimits, def->presetLimitCount);
}

TEST(PresetsAreTheirClassicalJoints)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId a = AddBallMass(world, V(1, 2, 3), 1.0, 0.1), b = AddBallMass(world, V(2, 2, 3), 1.0, 0.1);
    tdVec3 anchor = V(1.5, 2, 3);
    tdJointDef def = tdMakeFixedJointDef(world, a, b, anchor);
    ENSURE_EQUAL_INT(Classify(&def).type, TD_JOINT_FIXED);
    def = tdMakeHingeJointDef(world, a, b, anchor, up, -1.0f, 0.5f);
    tdJointClass hinge = Classify(&def);
    ENSURE_EQUAL_INT(hinge.type, TD_JOINT_HINGE);
    ENSURE_EQUAL_INT(hinge.axis, 0);
    ENSURE_NEAR(hinge.angularMin, -1.0f, 0.0);
    ENSURE_NEAR(hinge.angularMax, 0.5f, 0.0);
    def = tdMakeHingeJointDef(world, a, b, anchor, up, -INFINITY, INFINITY);
    ENSURE_EQUAL_INT(def.presetLimitCount, 2);
    ENSURE_EQUAL_INT(Classify(&def).type, TD_JOINT_HINGE);
    def = tdMakeSliderJointDef(world, a, b, anchor, up, -0.25f, 2.0f);
    tdJointClass slider = Classify(&def);
    ENSURE_EQUAL_INT(slider.type, TD_JOINT_SLIDER);
    ENSURE_NEAR(slider.linearMin, -0.25f, 0.0);
    ENSURE_NEAR(slider.linearMax, 2.0f, 0.0);
    def = tdMakeBallJointDef(world, a, b, anchor);
    ENSURE_EQUAL_INT(Classify(&def).type, TD_JOINT_BALL);
    def = tdMakeConeTwistJointDef(world, a, b, anchor, up, 0.5f, -0.2f, 0.3f);
    ENSURE_EQUAL_INT(Classify(&def).type, TD_JOINT_BALL);
    ENSURE_EQUAL_INT((int)Classify(&def).limitedAngular, TD_AXIS_ALL);
    def = tdMakeDistanceJointDef(world, a, b, V(1, 2, 3), V(2, 2, 3), 0.5f, 1.5f);
    tdJointClass distance = Classify(&def);
    ENSURE_EQUAL_INT(distance.type, TD_JOINT_DISTANCE);
    ENSURE_NEAR(distance.linearMin, 0.5f, 0.0);
    ENSURE_NEAR(distance.linearMax, 1.5f, 0.0);
    tdDestroyWorld(world);
}

// In turned bodies, too, both frames are at the anchor with X along the axis, so all values start at zero.
TEST(FramesStartTogether)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId a = AddBallMass(world, V(1, 2, 3), 1.0, 0.1), b = AddBallMass(world, V(2, 2, 3), 1.0, 0.1);
    tdBody_SetTransform(world, a, (tdTransform){V(1, 2, 3), Turn(0.6, 0.8, 0, 1.3)});
    tdBody_SetTransform(world, b, (tdTransform){V(2, 2, 3), Turn(0, 0.6, 0.8, -2.1)});
    tdVec3 anchor = V(1.5, 2.25, 3), axis = V(2, -1, 2);
    tdJointDef def = tdMakeHingeJointDef(world, a, b, anchor, axis, -1.0f, 1.0f);
    tdTransform inWorld = tdMulTransform(tdBody_GetTransform(world, b), def.frameB);
    ENSURE_NEAR(tdDistance(inWorld.position, anchor), 0.0, 1.0e-6);
    tdVec3 x = tdRotate(inWorld.rotation, V(1, 0, 0));
    ENSURE_NEAR(tdDistance(x, V(2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0)), 0.0, 1.0e-6);
    tdJointId joint = tdCreateJoint(world, &def);
    for (int i = 0; i < 3; ++i)
    {
        ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, i), 0.0, 1.0e-3);
    }
    tdDestroyWorld(world);
}

// Limits of the caller follow those of the preset.
TEST(PresetsTakeFurtherLimits)
{
    tdWorld* world = MakeWorld(V(0, 0, 0), false);
    tdBodyId b = AddBallMass(world, V(1, 0, 0), 1.0, 0.1);
    tdJointDef def = tdMakeBallJointDef(world, theWorld, b, V(0, 0, 0));
    tdJointLimit extra = tdMakeAngularLimit(TD_AXIS_ALL, 0.0f, 0.75f);
    def.limits = &extra;
    def.limitCount = 1;
    tdJointId joint = tdCreateJoint(world, &def);
    ENSURE_EQUAL_INT(tdJoint_GetLimitCount(world, joint), 2);
    ENSURE_EQUAL_INT((int)tdJoint_GetLimit(world, joint, 0).linearAxes, TD_AXIS_ALL);
    ENSURE_NEAR(tdJoint_GetLimit(world, joint, 1).max, 0.75f, 0.0);
    tdDestroyWorld(world);
}

// A small swing of a compound pendulum takes 2 pi sqrt((I + m L^2) / (m g L)).
TEST(HingePendulumHasItsPeriod)
{
    double mass = 2.0, length = 1.0, radius = 0.3, swing = 0.05;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId bob = AddBallMass(world, V(length * sin(swing), -length * cos(swing), 0), mass, radius);
    tdJointDef def = tdMakeHingeJointDef(world, theWorld, bob, V(0, 0, 0), V(0, 0, 1), -INFINITY, INFINITY);
    tdCreateJoint(world, &def);
    double first = -1.0, last = -1.0, before = 1.0;
    int crossings = 0;
    for (int i = 1; i <= 1200; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        double x = (double)tdBody_GetTransform(world, bob).position.x;
        if ((x < 0.0) != (before < 0.0))
        {
            double time = (i - x / (x - before)) * STEP;
            first = first < 0.0 ? time : first;
            last = time;
            crossings += 1;
        }
        before = x;
    }
    double inertia = 0.4 * mass * radius * radius + mass * length * length;
    double period = 2.0 * PI * sqrt(inertia / (mass * GRAVITY * length)) * (1.0 + swing * swing / 16.0);
    ENSURE(crossings > 10);
    ENSURE_NEAR(2.0 * (last - first) / (crossings - 1), period, 0.01 * period);
    tdDestroyWorld(world);
}

// A door that gravity pulls down comes to rest at its stop, on the side that the axis' sign says.
TEST(HingeStopsAtItsLimit)
{
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId door = AddBallMass(world, V(1, 0, 0), 1.0, 0.2);
    tdJointDef def = tdMakeHingeJointDef(world, theWorld, door, V(0, 0, 0), V(0, 0, 1), -0.5f, 0.25f);
    tdJointId joint = tdCreateJoint(world, &def);
    Run(world, 3.0);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 2), -0.5, 2.0e-3);
    ENSURE_NEAR(tdBody_GetTransform(world, door).position.y, -sin(0.5), 2.0e-3);
    tdDestroyWorld(world);
}

// Free fall along the axis until the stop: s = g t^2 / 2.
TEST(SliderFallsToItsStop)
{
    tdWorld* world = MakeWorld(V(1.0, -GRAVITY, 0), false);
    tdBodyId body = AddBallMass(world, V(0, 5, 0), 1.0, 0.2);
    tdJointDef def = tdMakeSliderJointDef(world, theWorld, body, V(0, 5, 0), up, -2.0f, 0.5f);
    tdJointId joint = tdCreateJoint(world, &def);
    Run(world, 0.5);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 2), -0.5 * GRAVITY * 0.25, 0.02);
    Run(world, 1.5);
    tdTransform pose = tdBody_GetTransform(world, body);
    ENSURE_NEAR(pose.position.y, 3.0, 2.0e-3);
    ENSURE_NEAR(pose.position.x, 0.0, 2.0e-3);
    ENSURE_NEAR(fabs((double)pose.rotation.w), 1.0, 1.0e-6);
    tdDestroyWorld(world);
}

// A conical pendulum: omega^2 = g / (L cos a) keeps the angle a.
TEST(BallConicalPendulumKeepsItsAngle)
{
    double length = 1.0, angle = 0.6, radius = 0.01;
    double omega = sqrt(GRAVITY / (length * cos(angle)));
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId bob = AddBallMass(world, V(length * sin(angle), -length * cos(angle), 0), 1.0, radius);
    tdBody_SetLinearVelocity(world, bob, V(0, 0, -omega * length * sin(angle)));
    tdBody_SetAngularVelocity(world, bob, V(0, omega, 0));
    tdJointDef def = tdMakeBallJointDef(world, theWorld, bob, V(0, 0, 0));
    tdCreateJoint(world, &def);
    double period = 2.0 * PI / omega;
    Run(world, 2.0 * period);
    tdVec3 position = tdBody_GetTransform(world, bob).position;
    ENSURE_NEAR(position.y, -length * cos(angle), 0.01);
    ENSURE_NEAR(tdLength(position), length, 2.0e-3);
    double steps = floor(2.0 * period / STEP + 0.5), turned = omega * steps * STEP - 4.0 * PI;
    ENSURE_NEAR(atan2(-(double)position.z, (double)position.x), turned, 0.05);
    tdDestroyWorld(world);
}

// A beam along the cone's axis sinks until it leans on the cone; a torque about the axis turns it to the
// stop.
TEST(ConeTwistStopsAtConeAndTwist)
{
    double cone = 0.4, twist = 0.3;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId beam = AddBallMass(world, V(1, 0, 0), 1.0, 0.2);
    tdJointDef def = tdMakeConeTwistJointDef(world, theWorld, beam, V(0, 0, 0), V(1, 0, 0), (float)cone,
                                             -0.1f, (float)twist);
    tdJointId joint = tdCreateJoint(world, &def);
    for (int i = 0; i < 300; ++i)
    {
        tdVec3 along = tdRotate(tdBody_GetTransform(world, beam).rotation, V(1, 0, 0));
        tdBody_ApplyTorque(world, beam, tdScale(0.5f, along));
        tdWorld_Step(world, (float)STEP);
    }
    ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 1), cone, 5.0e-3);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, joint, 2), twist, 5.0e-3);
    ENSURE_NEAR(tdBody_GetTransform(world, beam).position.y, -sin(cone), 5.0e-3);
    tdDestroyWorld(world);
}

// A rope is slack up to its length and then carries the weight; a rod pushes, too.
TEST(DistanceHoldsRopeAndRod)
{
    double mass = 3.0;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId load = AddBallMass(world, V(0, -0.5, 0), mass, 0.1);
    tdJointDef def = tdMakeDistanceJointDef(world, theWorld, load, V(0, 0, 0), V(0, -0.5, 0), 0.0f, 2.0f);
    tdJointId rope = tdCreateJoint(world, &def);
    Run(world, 0.25);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, rope, 0), 0.5 + 0.5 * GRAVITY * 0.0625, 0.02);
    ENSURE_NEAR(tdLength(tdJoint_GetForce(world, rope)), 0.0, 1.0e-6);
    Run(world, 3.0);
    ENSURE_NEAR(tdJoint_GetLimitValue(world, rope, 0), 2.0, 2.0e-3);
    ENSURE_NEAR(tdJoint_GetForce(world, rope).y, mass * GRAVITY, 0.02 * mass * GRAVITY);
    tdBodyId top = AddBallMass(world, V(10, 1, 0), mass, 0.1);
    def = tdMakeDistanceJointDef(world, theWorld, top, V(10, 0, 0), V(10, 1, 0), 1.0f, 1.0f);
    tdJointId rod = tdCreateJoint(world, &def);
    Run(world, 0.5);
    ENSURE_NEAR(tdBody_GetTransform(world, top).position.y, 1.0, 2.0e-3);
    ENSURE_NEAR(tdJoint_GetForce(world, rod).y, mass * GRAVITY, 0.02 * mass * GRAVITY);
    tdDestroyWorld(world);
}

// A cantilever carries its weight and the moment about the anchor.
TEST(FixedCarriesWeightAndMoment)
{
    double mass = 2.0, reach = 0.75;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdBodyId body = AddBallMass(world, V(reach, 0, 0), mass, 0.2);
    tdJointDef def = tdMakeFixedJointDef(world, theWorld, body, V(0, 0, 0));
    tdJointId joint = tdCreateJoint(world, &def);
    Run(world, 2.0);
    tdTransform pose = tdBody_GetTransform(world, body);
    ENSURE_NEAR(tdDistance(pose.position, V(reach, 0, 0)), 0.0, 2.0e-3);
    ENSURE_NEAR(tdJoint_GetForce(world, joint).y, mass * GRAVITY, 0.01 * mass * GRAVITY);
    ENSURE_NEAR(tdJoint_GetTorque(world, joint).z, mass * GRAVITY * reach, 0.01 * mass * GRAVITY * reach);
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(PresetsAreTheirClassicalJoints) RUN(FramesStartTogether) RUN(PresetsTakeFurtherLimits)
              RUN(HingePendulumHasItsPeriod) RUN(HingeStopsAtItsLimit) RUN(SliderFallsToItsStop)
                  RUN(BallConicalPendulumKeepsItsAngle) RUN(ConeTwistStopsAtConeAndTwist)
                      RUN(DistanceHoldsRopeAndRod) RUN(FixedCarriesWeightAndMoment))
