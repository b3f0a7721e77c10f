// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Public samples in older dialects, in a folder beside the project: samples move alike in the drafts and in
// the release candidate, and the OMI examples stay plausible for ten seconds. Skipped where the samples are
// missing.
#include "files.h"
#include "harness.h"

#include "math/vecmath.h"

#include "tendon/tendon.h"

static const char* shared;

typedef struct Sample
{
    tdAsset* asset;
    tdStage* stage;
    tdActor* actor;
} Sample;

static Sample Open(const char* name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/assets/physics/%s.gltf", shared, name);
    Sample sample = {.asset = tdLoadAsset(path, NULL, NULL), .stage = tdCreateStage(NULL)};
    if (!ENSURE(sample.asset != NULL))
    {
        printf("  %s\n", path);
    }
    sample.actor = tdCreateActor(sample.stage, sample.asset, NULL, NULL);
    return sample;
}

static void Close(Sample* sample)
{
    tdDestroyStage(sample->stage);
    tdDestroyAsset(sample->asset);
}

static tdVec3 GetPlace(const Sample* sample, int node)
{
    return tdMat4Translation(tdActor_GetGlobals(sample->actor)[node]);
}

/// Compares the positions of bodies of equal names in two samples after some steps.
static void Compare(const char* current, const char* older, int steps, float tolerance)
{
    Sample a = Open(current), b = Open(older);
    for (int i = 0; i < steps; ++i)
    {
        ENSURE(tdStage_Step(a.stage) && tdStage_Step(b.stage));
    }
    int count = tdDescribeAsset(a.asset).bodyCount;
    ENSURE_EQUAL_INT(tdDescribeAsset(b.asset).bodyCount, count);
    for (int i = 0; i < count; ++i)
    {
        int node = tdDescribeBody(a.asset, i).node;
        int other = tdAsset_FindNode(b.asset, tdAsset_GetNodeName(a.asset, node));
        if (!ENSURE(other >= 0 && tdDistance(GetPlace(&a, node), GetPlace(&b, other)) < tolerance))
        {
            printf("  %s, %s\n", older, tdAsset_GetNodeName(a.asset, node));
        }
    }
    Close(&a);
    Close(&b);
}

// Two seconds, as little of these scenes is chaotic by then; a millimetre for other nodes in between.
TEST(OlderKhrSamplesDoWhatTheReleaseCandidateDoes)
{
    static const char* const pairs[][2] = {
        {"khr-rc-samples/Filtering/Filtering", "khr-2024-07-samples/Filtering/Filtering"},
        {"khr-rc-samples/Filtering/Filtering", "khr-seed-era-samples/Filtering/Filtering"},
        {"khr-rc-samples/Filtering/Filtering", "khr-2023-08-samples/Filtering/Filtering"},
        {"khr-rc-samples/Triggers/Triggers", "khr-2024-07-samples/Triggers/Triggers"},
        {"khr-rc-samples/Triggers/Triggers", "khr-seed-era-samples/Triggers/Triggers"},
        {"khr-rc-samples/ShapeTypes/ShapeTypes", "khr-2024-07-samples/ShapeTypes/ShapeTypes"},
        {"khr-rc-samples/ShapeTypes/ShapeTypes", "khr-seed-era-samples/ShapeTypes/ShapeTypes"},
        {"khr-rc-samples/Materials_Friction/Materials_Friction",
         "khr-seed-era-samples/Materials_Friction/Materials_Friction"},
        {"khr-rc-samples/Materials_Friction/Materials_Friction",
         "khr-2023-08-samples/Materials_Friction/Materials_Friction"},
        {"khr-rc-samples/Materials_Restitution/Materials_Restitution",
         "khr-seed-era-samples/Materials_Restitution/Materials_Restitution"},
        {"khr-rc-samples/Materials_Restitution/Materials_Restitution",
         "khr-2023-08-samples/Materials_Restitution/Materials_Restitution"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i)
    {
        Compare(pairs[i][0], pairs[i][1], 120, 0.001f);
    }
}

// One joint form has a frame on each side, the other one frame for both: they round differently, and swings
// double such differences every few tenths of a second.
TEST(OldOmiJointsDoWhatTheNewOnesDo)
{
    static const char* const names[] = {"hanging_rope", "pendulum_balls",  "rope_railing",
                                        "slider_ball",  "swing_and_slide", "weld_joint"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        char current[128], early[128];
        snprintf(current, sizeof(current), "omi-current/OMI_physics_joint/%s", names[i]);
        snprintf(early, sizeof(early), "omi-early/OMI_physics_joint/%s", names[i]);
        Compare(current, early, 120, 0.01f);
    }
}

/// The points that joints hold together never part by more than a few millimetres.
static void EnsureJointsHold(const char* name)
{
    Sample sample = Open(name);
    int count = tdDescribeAsset(sample.asset).jointCount;
    double gap = 0.0;
    ENSURE(count > 0);
    for (int i = 0; i < 600; ++i)
    {
        ENSURE(tdStage_Step(sample.stage));
        for (int k = 0; k < count; ++k)
        {
            tdJointInfo joint = tdDescribeJoint(sample.asset, k);
            gap = fmax(gap, (double)tdDistance(GetPlace(&sample, joint.node),
                                               GetPlace(&sample, joint.connectedNode)));
        }
    }
    if (!ENSURE_NEAR(gap, 0.0, 0.01))
    {
        printf("  %s\n", name);
    }
    Close(&sample);
}

// The two rods of simple_joint fall off their floor, one metre wide: the left one's centre is beyond the
// edge, and the fall tips it over (at any step rate). They stay together on the way.
TEST(OmiRopesHoldTogether)
{
    EnsureJointsHold("omi-current/OMI_physics_joint/hanging_rope");
    EnsureJointsHold("omi-current/OMI_physics_joint/rope_railing");
    EnsureJointsHold("omi-current/OMI_physics_joint/simple_joint");
    EnsureJointsHold("omi-current/OMI_physics_joint/weld_joint");
}

// Starts at -0.75, may go 0.25 to the left and 1.75 to the right.
TEST(OmiSliderStaysInRange)
{
    static const char* const names[] = {"omi-current/OMI_physics_joint/slider_ball",
                                        "omi-early/OMI_physics_joint/slider_ball"};
    for (int n = 0; n < 2; ++n)
    {
        Sample sample = Open(names[n]);
        int ball = tdAsset_FindNode(sample.asset, "Ball");
        float far = -1.0f;
        for (int i = 0; i < 600; ++i)
        {
            ENSURE(tdStage_Step(sample.stage));
            tdVec3 place = GetPlace(&sample, ball);
            ENSURE(place.x > -1.005f && place.x < 1.005f);
            ENSURE(fabsf(place.y) < 0.005f && fabsf(place.z) < 0.005f);
            far = tdMaxFloat(far, place.x);
        }
        ENSURE_NEAR(far, 1.0, 0.005);
        Close(&sample);
    }
}

// The pit is 8 m wide and open to the south (+Z): a ball leaves it there or not at all.
TEST(OmiBallsLeaveThePitByItsOpenSideOnly)
{
    static const char* const names[] = {"omi-current/OMI_physics_body/complex/ball_pit",
                                        "omi-early/OMI_physics_body/complex/ball_pit"};
    for (int n = 0; n < 2; ++n)
    {
        Sample sample = Open(names[n]);
        for (int i = 0; i < 600; ++i)
        {
            ENSURE(tdStage_Step(sample.stage));
            for (int k = 1; k <= 5; ++k)
            {
                char name[32];
                snprintf(name, sizeof(name), "Ball%d", k);
                tdVec3 place = GetPlace(&sample, tdAsset_FindNode(sample.asset, name));
                if (place.z < 4.0f)
                {
                    // Radius 0.5 on a floor whose top is at 0.05, between walls whose faces are at 3.95.
                    ENSURE(place.y > 0.545f && fabsf(place.x) < 3.455f && place.z > -3.455f);
                }
            }
        }
        Close(&sample);
    }
}

TEST_MAIN(
    shared = FindShared(); if (shared != NULL) {
        RUN(OlderKhrSamplesDoWhatTheReleaseCandidateDoes)
        RUN(OldOmiJointsDoWhatTheNewOnesDo)
        RUN(OmiRopesHoldTogether) RUN(OmiSliderStaysInRange) RUN(OmiBallsLeaveThePitByItsOpenSideOnly)
    } else { TestSkip("no shared assets beside the project"); })
