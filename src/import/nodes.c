// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports nodes (hierarchy, local transforms, morph weights) and scenes, without recursion.
//
// A broken hierarchy is repaired deterministically: the first parent counts, and the node of lowest index in
// a cycle becomes a root.
//
// See docs/decisions/022-broken-files.md.
#include "nodes.h"

#include "import.h"
#include "meshes.h"
#include "read.h"

#include <string.h>

/// Links of the tree during construction, by node.
typedef struct Links
{
    int count;
    int *parents, *firstChildren, *lastChildren, *nextSiblings;
} Links;

static bool AllocateLinks(tdImport* import, Links* links, int count)
{
    links->count = count;
    int* all = tdArena_NewArray(&import->scratch, int, (size_t)count * 3 + 1);
    links->parents = tdArena_NewArray(import->arena, int, count + 1);
    if (all == NULL || links->parents == NULL)
    {
        return false;
    }
    links->firstChildren = all;
    links->lastChildren = all + count;
    links->nextSiblings = all + 2 * (size_t)count;
    memset(all, 0xFF, (size_t)count * 3 * sizeof(int)); // -1
    memset(links->parents, 0xFF, (size_t)count * sizeof(int));
    return true;
}

static void ReadChildren(tdImport* import, const tdReader* reader, Links* links, int node, const tdPath* path)
{
    int list = TD_JSON_NONE;
    if (tdReadArray(reader, path, import->nodeValues[node], "children", &list) != TD_READ_OK)
    {
        return;
    }
    tdPath listPath = tdPath_Key(path, "children");
    if (tdJson_GetCount(reader->json, list) == 0)
    {
        tdReport_Add(import->report, TD_DIAG_EMPTY_ENTITY, &listPath);
    }
    int index = 0;
    for (int value = tdJson_GetFirst(reader->json, list); value >= 0;
         value = tdJson_GetNext(reader->json, value))
    {
        tdPath childPath = tdPath_Index(&listPath, index++);
        int child = -1;
        if (tdReadIntValue(reader, &childPath, value, 0, &child) != TD_READ_OK)
        {
            continue;
        }
        if (child >= links->count)
        {
            tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &childPath, "node", (long long)child);
        }
        else if (links->parents[child] == node)
        {
            tdReport_Add(import->report, TD_DIAG_DUPLICATE_ELEMENTS, &childPath, child);
        }
        else if (links->parents[child] >= 0)
        {
            tdReport_Add(import->report, TD_DIAG_NODE_PARENT_OVERRIDE, &childPath, child,
                         links->parents[child]);
        }
        else
        {
            links->parents[child] = node;
            if (links->lastChildren[node] >= 0)
            {
                links->nextSiblings[links->lastChildren[node]] = child;
            }
            else
            {
                links->firstChildren[node] = child;
            }
            links->lastChildren[node] = child;
        }
    }
}

static void UnlinkChild(Links* links, int child)
{
    int parent = links->parents[child];
    int* link = &links->firstChildren[parent];
    while (*link != child)
    {
        link = &links->nextSiblings[*link];
    }
    *link = links->nextSiblings[child];
    links->nextSiblings[child] = -1;
    links->parents[child] = -1;
}

/// Every node has at most one parent, so a cycle is found by walking up until the walk meets itself.
static void BreakRings(tdImport* import, Links* links, int* marks)
{
    for (int start = 0; start < links->count; ++start)
    {
        int node = start;
        while (node >= 0 && marks[node] == 0)
        {
            marks[node] = start + 1;
            node = links->parents[node];
        }
        if (node < 0 || marks[node] != start + 1)
        {
            continue;
        }
        // Walking up from `node` goes around the cycle.
        int lowest = node;
        for (int member = links->parents[node]; member != node; member = links->parents[member])
        {
            lowest = member < lowest ? member : lowest;
        }
        tdPath nodesPath = tdPath_Key(&tdPath_root, "nodes");
        tdPath path = tdPath_Index(&nodesPath, lowest);
        tdReport_Add(import->report, TD_DIAG_NODE_LOOP, &path, lowest);
        UnlinkChild(links, lowest);
    }
}

/// Depth-first pre-order over all roots by index, with subtree ends.
static void OrderNodes(const Links* links, int* order, int* positions, int* ends)
{
    int count = 0;
    for (int root = 0; root < links->count; ++root)
    {
        if (links->parents[root] >= 0)
        {
            continue;
        }
        int node = root;
        while (node >= 0)
        {
            positions[node] = count;
            order[count++] = node;
            int next = links->firstChildren[node];
            while (next < 0 && node != root)
            {
                // The subtree of `node` is complete.
                ends[positions[node]] = count;
                next = links->nextSiblings[node];
                node = links->parents[node];
            }
            if (next < 0)
            {
                ends[positions[root]] = count;
            }
            node = next;
        }
    }
}

static void ReadMatrix(tdImport* import, const tdPath* path, const float m[16], int node, tdNodeTree* tree,
                       bool* hasMemory)
{
    tdPath matrixPath = tdPath_Key(path, "matrix");
    tdTrs* local = (tdTrs*)&tree->locals[node];
    if (tdAbsFloat(m[3]) + tdAbsFloat(m[7]) + tdAbsFloat(m[11]) > 1.0e-6f ||
        tdAbsFloat(m[15] - 1.0f) > 1.0e-6f)
    {
        tdReport_Add(import->report, TD_DIAG_NODE_MATRIX_NOT_AFFINE, &matrixPath);
        return;
    }
    tdMat4 matrix;
    memcpy(matrix.m, m, sizeof(matrix.m));
    matrix.m[3] = matrix.m[7] = matrix.m[11] = 0.0f;
    matrix.m[15] = 1.0f;
    tdPolar polar = tdComputePolar(tdMat4Linear(matrix));
    tdMat3 s = polar.stretch;
    local->translation = tdMat4Translation(matrix);
    local->rotation = polar.rotation;
    local->scale = (tdVec3){s.cx.x, s.cy.y, s.cz.z};
    if (!tdIsFiniteVec3(local->scale) || !isfinite(local->rotation.x + local->rotation.w))
    {
        tdReport_Add(import->report, TD_DIAG_NODE_MATRIX_NON_TRS, &matrixPath);
        *local = tdTrs_identity;
        return;
    }
    // Shear appears as off-diagonal entries of the stretch. Rounding to float32 leaves about 1e-6 of the
    // largest entry; the threshold is twenty times that.
    float largest = tdMaxFloat(tdAbsFloat(s.cx.x), tdMaxFloat(tdAbsFloat(s.cy.y), tdAbsFloat(s.cz.z)));
    float shear = tdMaxFloat(tdAbsFloat(s.cx.y), tdMaxFloat(tdAbsFloat(s.cx.z), tdAbsFloat(s.cy.z)));
    if (shear <= 2.0e-5f * largest)
    {
        return;
    }
    tdReport_Add(import->report, TD_DIAG_NODE_MATRIX_NON_TRS, &matrixPath);
    if (tree->matrices == NULL)
    {
        tree->matrices = tdArena_NewArray(import->arena, tdMat4, tree->count);
        tree->isSheared = tdArena_NewArray(import->arena, bool, tree->count);
        if (tree->matrices == NULL || tree->isSheared == NULL)
        {
            *hasMemory = false;
            return;
        }
    }
    ((tdMat4*)tree->matrices)[node] = matrix;
    ((bool*)tree->isSheared)[node] = true;
}

static void ReadLocal(tdImport* import, const tdReader* reader, int node, const tdPath* path,
                      tdNodeTree* tree, bool* hasMemory)
{
    int value = import->nodeValues[node];
    tdTrs* local = (tdTrs*)&tree->locals[node];
    *local = tdTrs_identity;
    float matrix[16];
    tdReadResult matrixResult = tdReadNumbers(reader, path, value, "matrix", 16, matrix);
    tdReadResult t = tdReadVec3(reader, path, value, "translation", &local->translation);
    tdReadResult r = tdReadQuat(reader, path, value, "rotation", &local->rotation);
    tdReadResult s = tdReadVec3(reader, path, value, "scale", &local->scale);
    if (r == TD_READ_OK)
    {
        // A rotation within the rounding of float32 text keeps its bits; any other one is normalised.
        float length = sqrtf(tdDotQuat(local->rotation, local->rotation));
        if (!(tdAbsFloat(length - 1.0f) <= 5.0e-4f))
        {
            tdPath rotationPath = tdPath_Key(path, "rotation");
            tdReport_Add(import->report, TD_DIAG_ROTATION_NON_UNIT, &rotationPath, (double)length);
        }
        if (!(tdAbsFloat(length - 1.0f) <= 1.0e-6f))
        {
            float largest =
                tdMaxFloat(tdMaxFloat(tdAbsFloat(local->rotation.x), tdAbsFloat(local->rotation.y)),
                           tdMaxFloat(tdAbsFloat(local->rotation.z), tdAbsFloat(local->rotation.w)));
            float scale = largest > 0.0f ? 1.0f / largest : 1.0f; // avoids overflow of huge values
            tdQuat q = {local->rotation.x * scale, local->rotation.y * scale, local->rotation.z * scale,
                        local->rotation.w * scale};
            local->rotation = tdNormalizeQuat(q);
        }
    }
    if (matrixResult == TD_READ_OK)
    {
        if (t != TD_READ_ABSENT || r != TD_READ_ABSENT || s != TD_READ_ABSENT)
        {
            tdReport_Add(import->report, TD_DIAG_NODE_MATRIX_TRS, path);
        }
        *local = tdTrs_identity;
        ReadMatrix(import, path, matrix, node, tree, hasMemory);
    }
}

/// Reads an index into another root array; -1 if absent or wrong (reported).
static int ReadReference(tdImport* import, const tdReader* reader, const tdPath* path, int object,
                         const char* key, const char* noun, int count)
{
    int index = -1;
    if (tdReadInt(reader, path, object, key, 0, &index) == TD_READ_OK && index >= count)
    {
        tdPath keyPath = tdPath_Key(path, key);
        tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &keyPath, noun, (long long)index);
        index = -1;
    }
    return index;
}

/// Fills the morph weights of all nodes: those of the node, else of the mesh, else zero.
static bool ReadNodeWeights(tdImport* import, const tdReader* reader, tdNodeTree* tree)
{
    int* starts = tdArena_NewArray(import->arena, int, tree->count + 1);
    if (starts == NULL)
    {
        return false;
    }
    tdPath nodesPath = tdPath_Key(&tdPath_root, "nodes");
    int64_t total = 0;
    for (int i = 0; i < tree->count; ++i)
    {
        starts[i] = (int)total;
        int targets = tdImport_CountMorphTargets(import, tree->meshes[i]);
        tdPath path = tdPath_Index(&nodesPath, i);
        if (targets > 0 && total + targets < INT32_MAX &&
            tdAccessors_Claim(&import->accessors, (uint64_t)targets * 4, &path, "The weights of this node"))
        {
            total += targets;
        }
    }
    starts[tree->count] = (int)total;
    float* weights = tdArena_NewArray(import->arena, float, total + 1);
    if (weights == NULL)
    {
        return false;
    }
    for (int i = 0; i < tree->count; ++i)
    {
        tdPath path = tdPath_Index(&nodesPath, i);
        int list = TD_JSON_NONE, count = starts[i + 1] - starts[i];
        float* own = weights + starts[i];
        const tdMesh* mesh = tree->meshes[i] >= 0 ? &import->scene->meshes[tree->meshes[i]] : NULL;
        for (int k = 0; mesh != NULL && k < count && k < mesh->weightCount; ++k)
        {
            own[k] = mesh->weights[k];
        }
        if (tdReadArray(reader, &path, import->nodeValues[i], "weights", &list) != TD_READ_OK)
        {
            continue;
        }
        tdPath listPath = tdPath_Key(&path, "weights");
        if (tdJson_GetCount(reader->json, list) != count)
        {
            tdReport_Add(import->report, TD_DIAG_NODE_WEIGHTS_INVALID, &listPath,
                         tdJson_GetCount(reader->json, list), count);
            continue;
        }
        int k = 0;
        for (int v = tdJson_GetFirst(reader->json, list); v >= 0; v = tdJson_GetNext(reader->json, v), ++k)
        {
            tdPath weightPath = tdPath_Index(&listPath, k);
            tdReadNumberValue(reader, &weightPath, v, &own[k]);
        }
    }
    tree->weightStarts = starts;
    tree->weights = weights;
    return true;
}

bool tdImportNodes(tdImport* import)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    tdNodeTree* tree = &import->scene->nodes;
    int count = 0;
    import->nodeValues = tdImport_GetElements(import, "nodes", &count);
    Links links;
    const char** names = tdArena_NewArray(import->arena, const char*, count + 1);
    tdTrs* locals = tdArena_NewArray(import->arena, tdTrs, count + 1);
    int* order = tdArena_NewArray(import->arena, int, count + 1);
    int* positions = tdArena_NewArray(import->arena, int, count + 1);
    int* ends = tdArena_NewArray(import->arena, int, count + 1);
    int* meshes = tdArena_NewArray(import->arena, int, count + 1);
    int* skins = tdArena_NewArray(import->arena, int, count + 1);
    int* marks = tdArena_NewArray(&import->scratch, int, count + 1);
    if (names == NULL || locals == NULL || order == NULL || positions == NULL || ends == NULL ||
        meshes == NULL || skins == NULL || marks == NULL || !AllocateLinks(import, &links, count))
    {
        return false;
    }
    tree->count = count;
    tree->locals = locals;
    bool hasMemory = true;
    tdPath nodesPath = tdPath_Key(&tdPath_root, "nodes");
    for (int i = 0; i < count; ++i)
    {
        tdPath path = tdPath_Index(&nodesPath, i);
        int value = import->nodeValues[i];
        if (!tdJson_IsObject(import->json, value))
        {
            tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &path, "an object");
        }
        names[i] = tdImport_GetText(import, &path, value, "name");
        meshes[i] = ReadReference(import, &reader, &path, value, "mesh", "mesh", import->scene->meshCount);
        skins[i] = ReadReference(import, &reader, &path, value, "skin", "skin", import->scene->skinCount);
        ReadLocal(import, &reader, i, &path, tree, &hasMemory);
        ReadChildren(import, &reader, &links, i, &path);
        if (names[i] == NULL || !hasMemory)
        {
            return false;
        }
    }
    BreakRings(import, &links, marks);
    OrderNodes(&links, order, positions, ends);
    tree->names = names;
    tree->parents = links.parents;
    tree->order = order;
    tree->positions = positions;
    tree->subtreeEnds = ends;
    tree->meshes = meshes;
    tree->skins = skins;
    return ReadNodeWeights(import, &reader, tree);
}

static bool ReadSceneNodes(tdImport* import, const tdReader* reader, int value, const tdPath* path,
                           tdSceneRoots* scene, int* seen, int mark)
{
    int list = TD_JSON_NONE;
    if (tdReadArray(reader, path, value, "nodes", &list) != TD_READ_OK)
    {
        return true;
    }
    tdPath listPath = tdPath_Key(path, "nodes");
    int count = tdJson_GetCount(import->json, list), index = 0;
    if (count == 0)
    {
        tdReport_Add(import->report, TD_DIAG_EMPTY_ENTITY, &listPath);
    }
    int* nodes = tdArena_NewArray(import->arena, int, count + 1);
    if (nodes == NULL)
    {
        return false;
    }
    scene->nodes = nodes;
    for (int child = tdJson_GetFirst(import->json, list); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        tdPath nodePath = tdPath_Index(&listPath, index++);
        int node = -1;
        if (tdReadIntValue(reader, &nodePath, child, 0, &node) != TD_READ_OK)
        {
            continue;
        }
        if (node >= import->scene->nodes.count)
        {
            tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &nodePath, "node", (long long)node);
        }
        else if (seen[node] == mark)
        {
            tdReport_Add(import->report, TD_DIAG_DUPLICATE_ELEMENTS, &nodePath, node);
        }
        else
        {
            if (import->scene->nodes.parents[node] >= 0)
            {
                tdReport_Add(import->report, TD_DIAG_SCENE_NON_ROOT_NODE, &nodePath, node);
            }
            seen[node] = mark;
            nodes[scene->count++] = node;
        }
    }
    return true;
}

bool tdImportScenes(tdImport* import)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int count = 0;
    const int* values = tdImport_GetElements(import, "scenes", &count);
    tdSceneRoots* roots = tdArena_NewArray(import->arena, tdSceneRoots, count + 1);
    int* seen = tdArena_NewArray(&import->scratch, int, import->scene->nodes.count + 1);
    if (roots == NULL || seen == NULL)
    {
        return false;
    }
    tdPath scenesPath = tdPath_Key(&tdPath_root, "scenes");
    for (int i = 0; i < count; ++i)
    {
        tdPath path = tdPath_Index(&scenesPath, i);
        if (!tdJson_IsObject(import->json, values[i]))
        {
            tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &path, "an object");
        }
        roots[i].name = tdImport_GetText(import, &path, values[i], "name");
        if (roots[i].name == NULL ||
            !ReadSceneNodes(import, &reader, values[i], &path, &roots[i], seen, i + 1))
        {
            return false;
        }
    }
    import->scene->roots = roots;
    import->scene->rootsCount = count;
    int active = ReadReference(import, &reader, &tdPath_root, 0, "scene", "scene", count);
    import->scene->activeScene = active >= 0 ? active : (count > 0 ? 0 : -1);
    return true;
}
