// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The physical example scenes do what their names promise: dominoes fall to the last, the cradle swings, the
// catapult throws, the bridge holds, marbles pass the gate, the door springs back, filters sort.
#include "harness.h"

#include "math/vecmath.h"
#include "scene/asset.h"

#include "tendon/stage.h"

#include <stdio.h>

typedef struct Example
{
    tdAsset* asset;
    tdStage* stage;
    tdActor* actor;
} Example;

static Example Open(const char* name)
{
    char path[256];
    snprintf(path, sizeof(path), "examples/%s.gltf", name);
    Example example = {.asset = tdLoadAsset(path, NULL, NULL), .stage = tdCreateStage(NULL)};
    ENSURE(example.asset != NULL);
    example.actor = tdCreateActor(example.stage, example.asset, NULL, NULL);
    return example;
}

static void Close(Example* example)
{
    tdDestroyStage(example->stage);
    tdDestroyAsset(example->asset);
}

static int Find(const Example* example, const char* name)
{
    const tdNodeTree* nodes = &example->asset->scene.nodes;
    for (int i = 0; i < nodes->count; ++i)
    {
        if (strcmp(nodes->names[i], name) == 0)
        {
            return i;
        }
    }
    ENSURE(false);
    return 0;
}

static tdVec3 GetPlace(const Example* example, int node)
{
    return tdMat4Translation(tdActor_GetGlobals(example->actor)[node]);
}

static tdVec3 GetUp(const Example* example, int node)
{
    return tdNormalize(tdMat4Direction(tdActor_GetGlobals(example->actor)[node], (tdVec3){0, 1, 0}));
}

static void Step(Example* example)
{
    ENSURE(tdStage_Step(example->stage));
}

TEST(DominoesFallToTheLast)
{
    Example example = Open("domino_run");
    for (int i = 0; i < 12 * 60; ++i)
    {
        Step(&example);
    }
    for (int i = 1; i <= 16; ++i)
    {
        char name[32];
        snprintf(name, sizeof(name), "Domino %d", i);
        ENSURE(GetUp(&example, Find(&example, name)).y < 0.7f); // leans by 45 degrees or more
    }
    Close(&example);
}

TEST(TheCradleSwings)
{
    Example example = Open("newtons_cradle");
    int first = Find(&example, "Ball 1"), last = Find(&example, "Ball 5");
    tdStage_Evaluate(example.stage, 0.0);
    float hang = GetPlace(&example, last).y;
    float lift = GetPlace(&example, first).y - hang, best = 0.0f;
    for (int i = 0; i < 3 * 60; ++i)
    {
        Step(&example);
        best = tdMaxFloat(best, GetPlace(&example, last).y - hang);
    }
    ENSURE(lift > 0.1f);
    ENSURE(best > 0.25f * lift &&
           best < 1.1f * lift); // the last ball takes over, and no energy comes from nowhere
    Close(&example);
}

TEST(TheCatapultThrows)
{
    Example example = Open("catapult");
    int stone = Find(&example, "Stone");
    tdStage_Evaluate(example.stage, 0.0);
    tdVec3 start = GetPlace(&example, stone);
    float high = start.y, far = start.x;
    for (int i = 0; i < 4 * 60; ++i)
    {
        Step(&example);
        high = tdMaxFloat(high, GetPlace(&example, stone).y);
        far = tdMaxFloat(far, GetPlace(&example, stone).x);
    }
    ENSURE(high > start.y + 1.0f && far > start.x + 4.0f);
    Close(&example);
}

TEST(TheBridgeHolds)
{
    Example example = Open("rope_bridge");
    for (int i = 0; i < 5 * 60; ++i)
    {
        Step(&example);
    }
    tdVec3 before = GetPlace(&example, Find(&example, "Plank 1"));
    for (int i = 2; i <= 12; ++i)
    {
        char name[32];
        snprintf(name, sizeof(name), "Plank %d", i);
        tdVec3 place = GetPlace(&example, Find(&example, name));
        ENSURE(place.y > -1.5f && tdLength(tdSub(place, before)) < 1.0f); // sags, and does not come apart
        before = place;
    }
    ENSURE(GetPlace(&example, Find(&example, "Crate")).y > -1.0f); // carried
    Close(&example);
}

TEST(MarblesPassTheGate)
{
    Example example = Open("marble_run");
    int gate = Find(&example, "Gate"), entered = 0, left = 0;
    for (int i = 0; i < 8 * 60; ++i)
    {
        Step(&example);
        tdStageEvents events = tdStage_GetEvents(example.stage);
        for (int k = 0; k < events.triggerCount; ++k)
        {
            bool isMarble = events.triggers[k].triggerNode == gate && events.triggers[k].visitorBodyNode >= 0;
            entered += isMarble && events.triggers[k].entered ? 1 : 0;
            left += isMarble && !events.triggers[k].entered ? 1 : 0;
        }
    }
    ENSURE_EQUAL_INT(entered, 4);
    ENSURE_EQUAL_INT(left, 4);
    for (int i = 1; i <= 4; ++i)
    {
        char name[32];
        snprintf(name, sizeof(name), "Marble %d", i);
        ENSURE(GetPlace(&example, Find(&example, name)).y > -3.0f); // caught by the tray
    }
    Close(&example);
}

TEST(TheDoorSpringsBack)
{
    Example example = Open("swing_door");
    // The second door is the one the ball hits.
    int door = -1;
    for (int i = 0; i < example.asset->scene.nodes.count; ++i)
    {
        door = strcmp(example.asset->scene.nodes.names[i], "Door") == 0 ? i : door;
    }
    float widest = 0.0f, angle = 0.0f;
    for (int i = 0; i < 10 * 60; ++i)
    {
        Step(&example);
        tdQuat q = tdRotationOfMat4(tdActor_GetGlobals(example.actor)[door]);
        angle = tdAngleBetween(q, tdQuat_identity);
        widest = tdMaxFloat(widest, angle);
    }
    ENSURE(widest > 0.5f); // rad
    ENSURE(angle < 0.2f);
    Close(&example);
}

TEST(FiltersSort)
{
    Example example = Open("who_collides");
    for (int i = 0; i < 2 * 60; ++i)
    {
        Step(&example);
    }
    static const struct
    {
        const char* name;
        bool falls;
    } cases[] = {
        {"Red on red only", false},     {"Blue on red only", true},     {"Grey on red only", false},
        {"Red on all but blue", false}, {"Blue on all but blue", true}, {"Grey on all but blue", false},
        {"Red on everybody", false},    {"Blue on everybody", false},   {"Grey on everybody", false},
    };
    for (int i = 0; i < 9; ++i)
    {
        ENSURE((GetPlace(&example, Find(&example, cases[i].name)).y < -2.0f) == cases[i].falls);
    }
    Close(&example);
}

TEST_MAIN(RUN(DominoesFallToTheLast) RUN(TheCradleSwings) RUN(TheCatapultThrows) RUN(TheBridgeHolds)
              RUN(MarblesPassTheGate) RUN(TheDoorSpringsBack) RUN(FiltersSort))
