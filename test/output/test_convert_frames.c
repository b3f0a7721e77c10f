// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of joint frames through every chain of dialects: random rotations on either side, attached to bodies,
// to static colliders and to nothing. Early OMI has one frame for both sides and requires bodies at both
// ends; a world converted through it is bit-identical too.
#include "harness.h"

#include "base/text.h"

#include "tendon/tendon.h"

#include <math.h>
#include <stdlib.h>

#define LINK_COUNT 6

static uint32_t randomState;

static double Next(void) // in [-1, 1)
{
    randomState = randomState * 1664525u + 1013904223u;
    return (double)(randomState >> 8) / 8388608.0 - 1.0;
}

static void AppendList(tdText* text, const char* key, const double* numbers, int count)
{
    for (int i = 0; i < count; ++i)
    {
        char number[32];
        snprintf(number, sizeof number, "%.9g", numbers[i]);
        tdText_AppendFormat(text, i > 0 ? ",%s" : "\"%s\":[", i > 0 ? number : key);
        tdText_AppendString(text, i > 0 ? "" : number);
    }
    tdText_AppendChar(text, ']');
}

static void AppendRandomTurn(tdText* text)
{
    double q[4], sum = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        q[i] = Next();
        sum += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
    {
        q[i] /= sqrt(sum);
    }
    AppendList(text, "rotation", q, 4);
}

/// A KHR chain of balls: node 0 is a static beam, then three nodes per link: the ball, its joint node below
/// it, and the node of the previous link to which the joint attaches. `isHeld`: the first joint attaches to a
/// node below the beam, else to one in mid-air.
static tdText MakeChain(bool isHeld, const char* limits)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendString(&text,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\","
                        "\"KHR_implicit_shapes\"],\"scene\":0,\"scenes\":[{\"nodes\":[0");
    for (int i = 0; i < LINK_COUNT; ++i)
    {
        tdText_AppendFormat(&text, ",%d", 1 + 3 * i);
    }
    tdText_AppendFormat(&text, "%s]}],\"nodes\":[{", isHeld ? "" : ",3");
    AppendRandomTurn(&text);
    tdText_AppendFormat(
        &text,
        ",\"translation\":[0,9,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{"
        "\"geometry\":{\"shape\":0}}}}%s}",
        isHeld ? ",\"children\":[3]" : "");
    for (int i = 0; i < LINK_COUNT; ++i)
    {
        int ball = 1 + 3 * i;
        tdText_AppendString(&text, ",{\"name\":\"ball\",");
        double place[3] = {0.3 * Next(), 7.5 - 1.3 * i, 0.3 * Next()};
        AppendList(&text, "translation", place, 3);
        tdText_AppendChar(&text, ',');
        AppendRandomTurn(&text);
        tdText_AppendFormat(&text, ",\"children\":[%d", ball + 1);
        tdText_AppendFormat(&text, i + 1 < LINK_COUNT ? ",%d" : "", ball + 5);
        tdText_AppendString(&text, "],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1,"
                                   "\"centerOfMass\":[0,0,0]},\"collider\":{\"geometry\":{\"shape\":0}}}}}");
        for (int side = 0; side < 2; ++side)
        {
            double offset[3] = {0.4 * Next(), 0.4 * Next(), 0.4 * Next()};
            tdText_AppendString(&text, ",{");
            AppendList(&text, "translation", offset, 3);
            tdText_AppendChar(&text, ',');
            AppendRandomTurn(&text);
            tdText_AppendFormat(&text,
                                side == 0
                                    ? ",\"extensions\":{\"KHR_physics_rigid_bodies\":{\"joint\":{\"joint\":0,"
                                      "\"connectedNode\":%d,\"extras\":{\"mine\":%d}}}}}"
                                    : "}",
                                ball + 2, i);
        }
    }
    tdText_AppendString(
        &text, "],\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"sphere\",\"sphere\":{"
               "\"radius\":0.25}}]},\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[");
    tdText_AppendString(&text, limits);
    tdText_AppendString(&text, "]}]}}}");
    return text;
}

static uint64_t Simulate(const tdAsset* asset)
{
    tdStage* stage = tdCreateStage(NULL);
    tdCreateActor(stage, asset, NULL, NULL);
    for (int i = 0; i < 30; ++i)
    {
        tdStage_Step(stage);
    }
    uint64_t hash = tdWorld_GetStateHash(tdStage_GetWorld(stage));
    tdDestroyStage(stage);
    return hash;
}

static tdAsset* Convert(const tdAsset* asset, int target)
{
    tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, NULL);
    size_t size = 0;
    char* bytes = tdSaveAssetToMemory(converted, TD_SAVE_SAME, NULL, &size, NULL);
    tdAsset* again = tdLoadAssetFromMemory(bytes, size, NULL, NULL);
    // Tendon writes its notes for early OMI only; notes of other writers stay.
    ENSURE((strstr(bytes, "tendonConnectedNode") != NULL) == (target == TD_PHYSICS_OMI_EARLY));
    ENSURE((strstr(bytes, "tendonJointEnd") != NULL) == (target == TD_PHYSICS_OMI_EARLY));
    ENSURE(strstr(bytes, "\"mine\":3") != NULL);
    tdFreeSaved(bytes, size, NULL);
    tdDestroyAsset(converted);
    return again;
}

#define LOCK(axes) "{\"" axes "],\"min\":0,\"max\":0}"

// The same locks in one row or in several are rounded differently; both forms must survive.
static const char* const kinds[] = {
    LOCK("linearAxes\":[0,1,2"),
    LOCK("linearAxes\":[1") "," LOCK("linearAxes\":[0,2"),
    LOCK("linearAxes\":[0,1,2") "," LOCK("angularAxes\":[1") "," LOCK("angularAxes\":[2"),
    "{\"linearAxes\":[0],\"min\":-0.4,\"max\":0.25}," LOCK("linearAxes\":[1,2") "," LOCK(
        "angularAxes\":[0") "," LOCK("angularAxes\":[1,2"),
    LOCK("linearAxes\":[0,1,2") "," LOCK("linearAxes\":[0") "," LOCK("linearAxes\":[1") "," LOCK(
        "linearAxes\":[2") "," LOCK("angularAxes\":[0") "," LOCK("angularAxes\":[1") "," LOCK("angularAxes\":"
                                                                                              "[2"),
};

TEST(EveryChainOfDialectsIsTheSameWorld)
{
    for (uint32_t seed = 0; seed < 10; ++seed)
    {
        randomState = seed + 1;
        tdText text = MakeChain(seed % 2 == 0, kinds[seed / 2]);
        tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
        ENSURE_EQUAL_INT(tdDescribeAsset(asset).jointCount, LINK_COUNT);
        uint64_t wanted = Simulate(asset);
        for (int first = TD_PHYSICS_KHR; first <= TD_PHYSICS_OMI_EARLY; ++first)
        {
            tdAsset* there = Convert(asset, first);
            ENSURE(Simulate(there) == wanted);
            for (int second = TD_PHYSICS_KHR; second <= TD_PHYSICS_OMI_EARLY; ++second)
            {
                tdAsset* back = Convert(there, second);
                if (!ENSURE(Simulate(back) == wanted))
                {
                    printf("  seed %u, to %d, to %d\n", seed, first, second);
                }
                tdDestroyAsset(back);
            }
            tdDestroyAsset(there);
        }
        tdDestroyAsset(asset);
        tdText_Free(&text);
    }
}

// A note that no longer matches the bodies, after an edit of the file, is ignored.
TEST(NotesThatDoNotFitAreIgnored)
{
    randomState = 2;
    tdText text = MakeChain(true, kinds[0]);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    tdAsset* early = tdConvertAsset(asset, TD_PHYSICS_OMI_EARLY, NULL);
    size_t size = 0;
    char* bytes = tdSaveAssetToMemory(early, TD_SAVE_SAME, NULL, &size, NULL);
    uint64_t wanted = Simulate(early), changed[3];
    static const char* const notes[] = {"\"tendonConnectedNode\":6", "\"tendonConnectedNode\":9",
                                        "\"tendonConnectedNode\":99"};
    for (int i = 0; i < 3; ++i) // of the joint of node 5, whose other end is node 1
    {
        char* copy = malloc(size + 16);
        char* note = strstr(bytes, notes[0]);
        if (!ENSURE(copy != NULL && note != NULL))
        {
            return;
        }
        int length = snprintf(copy, size + 16, "%.*s%s%s", (int)(note - bytes), bytes, notes[i],
                              note + strlen(notes[0]));
        tdAsset* edited = tdLoadAssetFromMemory(copy, (size_t)length, NULL, NULL);
        ENSURE_EQUAL_INT(tdDescribeAsset(edited).jointCount, LINK_COUNT);
        changed[i] = Simulate(edited);
        tdDestroyAsset(edited);
        free(copy);
    }
    ENSURE(changed[0] == wanted);
    ENSURE(changed[1] != wanted && changed[1] == changed[2]); // one frame for both, either way
    tdFreeSaved(bytes, size, NULL);
    tdDestroyAsset(early);
    tdDestroyAsset(asset);
    tdText_Free(&text);
}

TEST_MAIN(RUN(EveryChainOfDialectsIsTheSameWorld) RUN(NotesThatDoNotFitAreIgnored))
