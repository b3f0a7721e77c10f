// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of node import: order, deterministic repair of broken hierarchies, transforms, and a chain of a
// million.
#include "harness.h"

#include "base/report.h"
#include "base/text.h"
#include "scene/asset.h"

static tdAsset* Load(const char* json, tdReport* report)
{
    return tdLoadAssetFromMemory(json, strlen(json), NULL, report);
}

/// Invariant 1 of scene.h, checked by its definition.
static void EnsureOrdered(const tdNodeTree* nodes)
{
    for (int position = 0; position < nodes->count; ++position)
    {
        int node = nodes->order[position];
        ENSURE_EQUAL_INT(nodes->positions[node], position);
        int parent = nodes->parents[node];
        ENSURE(parent < 0 || nodes->positions[parent] < position);
        // A subtree is exactly the range between its root and its end.
        for (int other = 0; other < nodes->count; ++other)
        {
            bool isBelow = false;
            for (int up = nodes->order[other]; up >= 0 && !isBelow; up = nodes->parents[up])
            {
                isBelow = up == node;
            }
            ENSURE((other >= position && other < nodes->subtreeEnds[position]) == isBelow);
        }
    }
}

TEST(OrdersParentsFirst)
{
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset =
        Load("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"leaf\"},{\"children\":[0,4]},"
             "{},{\"children\":[1,5]},{\"children\":[6]},{},{}]}",
             report);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 0);
    const tdNodeTree* nodes = &asset->scene.nodes;
    EnsureOrdered(nodes);
    static const int expected[] = {2, 3, 1, 0, 4, 6, 5};
    for (int i = 0; i < 7; ++i)
    {
        ENSURE_EQUAL_INT(nodes->order[i], expected[i]);
    }
    ENSURE_EQUAL_TEXT(tdAsset_GetNodeName(asset, 0), "leaf");
    ENSURE_EQUAL_INT(tdAsset_FindNode(asset, "leaf"), 0);
    ENSURE_EQUAL_INT(asset->scene.activeScene, -1);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(RepairsCyclesAndDoubleParents)
{
    // 1 -> 2 -> 3 -> 1 is a cycle with 0 attached; 5 and 6 both claim 4; 7 is its own child.
    const char* json =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{\"children\":[2]},{\"children\":[3,0]},"
        "{\"children\":[1]},{},{\"children\":[4]},{\"children\":[4]},{\"children\":[7]}]}";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Load(json, report);
    const tdNodeTree* nodes = &asset->scene.nodes;
    EnsureOrdered(nodes);
    static const int parents[] = {2, -1, 1, 2, 5, -1, -1, -1};
    for (int i = 0; i < 8; ++i)
    {
        ENSURE_EQUAL_INT(nodes->parents[i], parents[i]);
    }
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NODE_LOOP), 2);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NODE_PARENT_OVERRIDE), 1);
    ENSURE_EQUAL_INT(tdReport_GetCount(report), 3);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

/// Every small hierarchy: each of five nodes has any set of two children.
TEST(RepairsEveryHierarchy)
{
    for (int code = 0; code < 7776; code += 31)
    {
        char json[512];
        int length = snprintf(json, sizeof(json), "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
        int rest = code;
        for (int i = 0; i < 5; ++i, rest /= 6)
        {
            int child = rest % 6;
            const char* comma = i > 0 ? "," : "";
            length += child == 5 ? snprintf(json + length, sizeof(json) - (size_t)length, "%s{}", comma)
                                 : snprintf(json + length, sizeof(json) - (size_t)length,
                                            "%s{\"children\":[%d,%d]}", comma, child, (child + 2) % 5);
        }
        snprintf(json + length, sizeof(json) - (size_t)length, "]}");
        tdAsset* asset = Load(json, NULL);
        EnsureOrdered(&asset->scene.nodes);
        tdDestroyAsset(asset);
    }
}

TEST(DecomposesMatrices)
{
    // A quarter turn about z with scale (2, 3, 4), columns written out; then the same with the x axis
    // mirrored; then a shear.
    const char* json = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
                       "{\"matrix\":[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]},"
                       "{\"matrix\":[0,-2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]},"
                       "{\"matrix\":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]}]}";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Load(json, report);
    const tdNodeTree* nodes = &asset->scene.nodes;
    ENSURE_NEAR(nodes->locals[0].scale.x, 2.0, 1.0e-6);
    ENSURE_NEAR(nodes->locals[0].scale.y, 3.0, 1.0e-6);
    ENSURE_NEAR(nodes->locals[0].scale.z, 4.0, 1.0e-6);
    ENSURE_NEAR(nodes->locals[0].rotation.z, sqrt(0.5), 1.0e-6);
    ENSURE_NEAR(nodes->locals[0].translation.y, 6.0, 0.0);
    // Any decomposition must reproduce the matrix.
    static const float mirrored[16] = {0, -2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1};
    tdMat4 again = tdMat4FromTrs(nodes->locals[1]);
    for (int i = 0; i < 16; ++i)
    {
        ENSURE_NEAR(again.m[i], mirrored[i], 1.0e-5);
    }
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_NODE_MATRIX_NON_TRS), 1);
    ENSURE(!nodes->isSheared[0] && !nodes->isSheared[1] && nodes->isSheared[2]);
    ENSURE_NEAR(nodes->matrices[2].m[4], 0.5, 0.0);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(KeepsRotationsToTheBit)
{
    const char* json = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"rotation\":[0.18257418,0.36514837,"
                       "0.5477226,0.73029673]},{\"rotation\":[0,0,3,4]},{\"rotation\":[0,0,0,0]}]}";
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = Load(json, report);
    const tdTrs* locals = asset->scene.nodes.locals;
    ENSURE(locals[0].rotation.x == 0.18257418f && locals[0].rotation.w == 0.73029673f);
    ENSURE_NEAR(locals[1].rotation.z, 0.6, 1.0e-7);
    ENSURE_NEAR(locals[1].rotation.w, 0.8, 1.0e-7);
    ENSURE_NEAR(locals[2].rotation.w, 1.0, 0.0);
    ENSURE_EQUAL_INT(tdReport_CountCode(report, TD_DIAG_ROTATION_NON_UNIT), 2);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
}

TEST(LoadsALongChain)
{
    // A million nodes, or a tenth of that in unoptimised builds: neither stack nor time per node may depend
    // on the depth.
#if TD_ENABLE_VALIDATE
    const int count = 100000;
#else
    const int count = 1000000;
#endif
    tdText json;
    tdText_Init(&json, NULL);
    tdText_AppendString(&json, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < count - 1; ++i)
    {
        tdText_AppendFormat(&json, "{\"children\":[%d]},", i + 1);
    }
    tdText_AppendString(&json, "{}]}");
    tdAsset* asset = tdLoadAssetFromMemory(json.data, json.length, NULL, NULL);
    ENSURE_EQUAL_INT(tdAsset_GetNodeCount(asset), count);
    bool isChain = true;
    for (int i = 0; i < count; ++i)
    {
        isChain = isChain && asset->scene.nodes.order[i] == i && asset->scene.nodes.subtreeEnds[i] == count;
    }
    ENSURE(isChain);
    tdDestroyAsset(asset);
    tdText_Free(&json);
}

TEST_MAIN(RUN(OrdersParentsFirst) RUN(RepairsCyclesAndDoubleParents) RUN(RepairsEveryHierarchy)
              RUN(DecomposesMatrices) RUN(KeepsRotationsToTheBit) RUN(LoadsALongChain))
