// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Random faces of both versions of VRM against the formulas in double: presets and custom expressions, binary
// ones, overrides that block and blend, binds that share targets and meshes, rest weights.
#include "harness.h"

#include "base/text.h"
#include "runtime/builder.h"
#include "scene/humanoid.h"

#include "tendon/tendon.h"

enum
{
    TARGETS = 4,
    NODES = 4, // 0 without a mesh, 1 and 2 share mesh 0, 3 has mesh 1
    CUSTOMS = 4,
    EXPRESSIONS = TD_PRESET_COUNT + CUSTOMS,
    MAX_BINDS = 4,
};

typedef struct Face
{
    bool isThere, isBinary;
    int overrides[TD_GROUP_COUNT]; // 0 none, 1 block, 2 blend
    int bindCount;
    int bindNodes[MAX_BINDS]; // of 0.x: meshes
    int bindTargets[MAX_BINDS];
    double bindWeights[MAX_BINDS];
} Face;

static uint64_t seed;

static int Pick(int count)
{
    return (int)(tdRandom(&seed) * count) % count;
}

static const char* GetName(int expression)
{
    static const char* const customs[CUSTOMS] = {"wink", "Smirk", "pout", "sparkle"};
    return expression < TD_PRESET_COUNT ? tdExpressionPreset_GetName((tdExpressionPreset)expression)
                                        : customs[expression - TD_PRESET_COUNT];
}

// 0.x has no surprised and no overrides.
static void MakeFaces(Face faces[EXPRESSIONS], bool isOld)
{
    for (int i = 0; i < EXPRESSIONS; ++i)
    {
        Face* face = &faces[i];
        *face = (Face){.isThere = Pick(3) > 0 && !(isOld && i == TD_PRESET_SURPRISED),
                       .isBinary = Pick(4) == 0,
                       .bindCount = Pick(MAX_BINDS + 1)};
        for (int g = TD_GROUP_NONE + 1; g < TD_GROUP_COUNT && !isOld; ++g)
        {
            int kind = Pick(6);
            face->overrides[g] = kind < 3 ? kind : 0;
        }
        for (int k = 0; k < face->bindCount; ++k)
        {
            face->bindNodes[k] = isOld ? Pick(2) : 1 + Pick(3);
            face->bindTargets[k] = Pick(TARGETS);
            face->bindWeights[k] = (double)Pick(101) / 100.0;
        }
    }
}

static void WriteScene(tdText* text, const char* extension)
{
    tdText_AppendFormat(text,
                        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"%s\"],\"accessors\":[{"
                        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[",
                        extension);
    for (int mesh = 0; mesh < 2; ++mesh)
    {
        tdText_AppendFormat(
            text,
            "%s{\"weights\":[0.5,0.25,0,1],\"primitives\":[{\"attributes\":{\"POSITION\":0},"
            "\"targets\":[{\"POSITION\":0},{\"POSITION\":0},{\"POSITION\":0},{\"POSITION\":0}]}]}",
            mesh > 0 ? "," : "");
    }
    tdText_AppendString(text, "],\"nodes\":[{},{\"mesh\":0},{\"mesh\":0},{\"mesh\":1}],\"extensions\":{");
}

static void WriteModel1(tdText* text, const Face* faces)
{
    static const char* const kinds[] = {"none", "block", "blend"};
    static const char* const keys[] = {"", "overrideBlink", "overrideLookAt", "overrideMouth"};
    WriteScene(text, "VRMC_vrm");
    tdText_AppendString(text, "\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"expressions\":{\"preset\":{");
    const char* comma = "";
    for (int i = 0; i < EXPRESSIONS; ++i)
    {
        if (i == TD_PRESET_COUNT)
        {
            tdText_AppendString(text, "},\"custom\":{");
            comma = "";
        }
        if (!faces[i].isThere)
        {
            continue;
        }
        tdText_AppendFormat(text, "%s\"%s\":{\"isBinary\":%s", comma, GetName(i),
                            faces[i].isBinary ? "true" : "false");
        for (int g = TD_GROUP_NONE + 1; g < TD_GROUP_COUNT; ++g)
        {
            tdText_AppendFormat(text, ",\"%s\":\"%s\"", keys[g], kinds[faces[i].overrides[g]]);
        }
        for (int k = 0; k < faces[i].bindCount; ++k)
        {
            tdText_AppendFormat(text, "%s{\"node\":%d,\"index\":%d,\"weight\":%g}",
                                k > 0 ? "," : ",\"morphTargetBinds\":[", faces[i].bindNodes[k],
                                faces[i].bindTargets[k], faces[i].bindWeights[k]);
        }
        tdText_AppendString(text, faces[i].bindCount > 0 ? "]}" : "}");
        comma = ",";
    }
    tdText_AppendString(text, "}}}}}");
}

static void WriteModel0(tdText* text, const Face* faces)
{
    static const char* const presets[TD_PRESET_COUNT] = {
        "joy", "angry", "sorrow",  "Fun",     "",       "a",        "i",        "U",         "e",
        "o",   "Blink", "blink_l", "blink_r", "lookup", "lookdown", "lookleft", "lookright", "neutral"};
    WriteScene(text, "VRM");
    tdText_AppendString(text, "\"VRM\":{\"blendShapeMaster\":{\"blendShapeGroups\":[");
    const char* comma = "";
    for (int i = 0; i < EXPRESSIONS; ++i)
    {
        if (!faces[i].isThere)
        {
            continue;
        }
        tdText_AppendFormat(text, "%s{\"name\":\"%s\",\"presetName\":\"%s\",\"isBinary\":%s,\"binds\":[",
                            comma, GetName(i), i < TD_PRESET_COUNT ? presets[i] : "unknown",
                            faces[i].isBinary ? "true" : "false");
        for (int k = 0; k < faces[i].bindCount; ++k)
        {
            tdText_AppendFormat(text, "%s{\"mesh\":%d,\"index\":%d,\"weight\":%g}", k > 0 ? "," : "",
                                faces[i].bindNodes[k], faces[i].bindTargets[k],
                                100.0 * faces[i].bindWeights[k]);
        }
        tdText_AppendString(text, "]}");
        comma = ",";
    }
    tdText_AppendString(text, "]}}}}");
}

/// Outputs and morph weights of the formulas.
static void Evaluate(const Face* faces, bool isOld, const double* inputs, double* outputs,
                     double weights[NODES][TARGETS])
{
    static const double rest[TARGETS] = {0.5, 0.25, 0.0, 1.0};
    double sums[TD_GROUP_COUNT] = {0.0};
    bool isBound[NODES] = {false};
    for (int i = 0; i < EXPRESSIONS; ++i)
    {
        outputs[i] = !faces[i].isThere ? 0.0 : faces[i].isBinary ? (inputs[i] > 0.5 ? 1.0 : 0.0) : inputs[i];
        tdExpressionGroup own =
            i < TD_PRESET_COUNT ? tdExpressionPreset_GetGroup((tdExpressionPreset)i) : TD_GROUP_NONE;
        for (int g = TD_GROUP_NONE + 1; g < TD_GROUP_COUNT; ++g)
        {
            bool counts = faces[i].isThere && g != (int)own;
            sums[g] += !counts || faces[i].overrides[g] == 0 ? 0.0
                       : faces[i].overrides[g] == 1          ? (outputs[i] > 0.0 ? 1.0 : 0.0)
                                                             : outputs[i];
        }
        for (int k = 0; k < faces[i].bindCount && faces[i].isThere; ++k)
        {
            int node = faces[i].bindNodes[k];
            isBound[isOld ? (node == 0 ? 1 : 3) : node] = true;
            isBound[2] = isBound[2] || (isOld && node == 0);
        }
    }
    for (int node = 0; node < NODES; ++node)
    {
        for (int t = 0; t < TARGETS; ++t)
        {
            weights[node][t] = isBound[node] ? 0.0 : rest[t];
        }
    }
    for (int i = 0; i < EXPRESSIONS; ++i)
    {
        tdExpressionGroup group =
            i < TD_PRESET_COUNT ? tdExpressionPreset_GetGroup((tdExpressionPreset)i) : TD_GROUP_NONE;
        double sum = fmin(1.0, sums[group]);
        outputs[i] *= faces[i].isBinary && sum > 0.0 ? 0.0 : 1.0 - sum;
        for (int k = 0; k < faces[i].bindCount; ++k)
        {
            for (int node = 1; node < NODES; ++node)
            {
                int place = isOld ? (node == 3 ? 1 : 0) : node;
                if (place == faces[i].bindNodes[k])
                {
                    weights[node][faces[i].bindTargets[k]] += outputs[i] * faces[i].bindWeights[k];
                }
            }
        }
    }
}

static void CheckModel(bool isOld)
{
    Face faces[EXPRESSIONS];
    MakeFaces(faces, isOld);
    tdText text;
    tdText_Init(&text, NULL);
    (isOld ? WriteModel0 : WriteModel1)(&text, faces);
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, NULL, NULL);
    ENSURE(asset != NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    for (int step = 0; step < 20; ++step)
    {
        double inputs[EXPRESSIONS], outputs[EXPRESSIONS], weights[NODES][TARGETS];
        for (int i = 0; i < EXPRESSIONS; ++i)
        {
            int kind = Pick(4); // often 0, 1 or the threshold of binary ones
            double input = kind == 0 ? 0.0 : kind == 1 ? 1.0 : kind == 2 ? 0.5 : tdRandom(&seed);
            inputs[i] = (double)(float)input;
            tdActor_SetExpression(actor, GetName(i), (float)input);
        }
        Evaluate(faces, isOld, inputs, outputs, weights);
        tdStage_Step(stage);
        for (int i = 0; i < EXPRESSIONS; ++i)
        {
            ENSURE_NEAR(tdActor_GetExpressionOutput(actor, GetName(i)), outputs[i], 1e-6);
        }
        for (int node = 1; node < NODES; ++node)
        {
            for (int t = 0; t < TARGETS; ++t)
            {
                ENSURE_NEAR(tdActor_GetMorphWeights(actor, node, NULL)[t], weights[node][t], 1e-5);
            }
        }
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    tdText_Free(&text);
}

TEST(FacesOfVrm1FollowTheFormulas)
{
    seed = 5;
    for (int i = 0; i < 40; ++i)
    {
        CheckModel(false);
    }
}

TEST(FacesOfVrm0FollowTheFormulas)
{
    seed = 6;
    for (int i = 0; i < 40; ++i)
    {
        CheckModel(true);
    }
}

TEST_MAIN(RUN(FacesOfVrm1FollowTheFormulas) RUN(FacesOfVrm0FollowTheFormulas))
