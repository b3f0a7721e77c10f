// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports physics: reads the objects of all dialects, then builds one physics scene.
#include "physics.h"

#include "extensions.h"
#include "khr_physics.h"
#include "omi_physics.h"
#include "physics_bodies.h"
#include "physics_build.h"
#include "physics_colliders.h"
#include "physics_links.h"
#include "physics_tables.h"

#include <string.h>

#define MAX_OTHER_SCENES 8

/// Computes the world matrices at load.
static bool ComputeGlobals(tdPhysicsBuild* build)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    tdMat4* globals = tdArena_NewArray(&build->import->scratch, tdMat4, nodes->count);
    if (globals == NULL)
    {
        return false;
    }
    for (int position = 0; position < nodes->count; ++position)
    {
        int node = nodes->order[position];
        bool isSheared = nodes->isSheared != NULL && nodes->isSheared[node];
        tdMat4 local = isSheared ? nodes->matrices[node] : tdMat4FromTrs(nodes->locals[node]);
        int parent = nodes->parents[node];
        globals[node] = parent >= 0 ? tdMulMat4(globals[parent], local) : local;
    }
    build->globals = globals;
    return true;
}

/// Marks the nodes of a scene; all of them when the file has no scene (-1).
static void MarkReachable(tdPhysicsBuild* build, int sceneIndex)
{
    const tdScene* scene = build->import->scene;
    const tdNodeTree* nodes = &scene->nodes;
    if (sceneIndex < 0)
    {
        memset(build->isReachable, 1, sizeof(bool) * (size_t)nodes->count);
        return;
    }
    const tdSceneRoots* roots = &scene->roots[sceneIndex];
    for (int i = 0; i < roots->count; ++i)
    {
        int first = nodes->positions[roots->nodes[i]];
        for (int position = first; position < nodes->subtreeEnds[first]; ++position)
        {
            build->isReachable[nodes->order[position]] = true;
        }
    }
}

static bool IsListed(const tdJson* json, int list, const char* name)
{
    for (int value = tdJson_GetFirst(json, list); value >= 0; value = tdJson_GetNext(json, value))
    {
        if (tdJson_StringEquals(json, value, name))
        {
            return true;
        }
    }
    return false;
}

static bool UsesExtension(const tdPhysicsBuild* build, const char* name)
{
    const tdJson* json = build->import->json;
    bool isUsed = tdJson_Find(json, tdJson_Find(json, 0, "extensions"), name) >= 0;
    for (int node = tdJson_GetFirst(json, build->raw.nodesValue); node >= 0 && !isUsed;
         node = tdJson_GetNext(json, node))
    {
        isUsed = tdJson_Find(json, tdJson_Find(json, node, "extensions"), name) >= 0;
    }
    return isUsed;
}

/// Reports names that are used but not declared.
static void CheckDeclarations(const tdPhysicsBuild* build)
{
    const tdJson* json = build->import->json;
    int declared = tdJson_Find(json, 0, "extensionsUsed"), count = 0;
    tdPath path = tdPath_Key(&tdPath_root, "extensionsUsed");
    const tdExtension* extensions = tdGetExtensions(&count);
    for (int i = 0; i < count; ++i)
    {
        const char* name = extensions[i].name;
        if (extensions[i].check == TD_DECLARATION_PHYSICS && !IsListed(json, declared, name) &&
            UsesExtension(build, name))
        {
            tdReport_Add(build->import->report, TD_DIAG_PHYS_UNDECLARED_EXTENSION, &path, name);
        }
    }
}

/// Reports each older draft that is used, once.
static void ReportLegacy(const tdPhysicsBuild* build)
{
    const char* found[TD_DIALECT_COUNT] = {NULL};
    for (int i = 0; i < build->raw.nodeCount; ++i)
    {
        const tdRawNode* node = &build->raw.nodes[i];
        if (node->extension != NULL && found[node->dialect] == NULL)
        {
            found[node->dialect] = node->extension;
        }
        bool isEarlyJoint = node->joint.isGiven && node->joint.nodeA >= 0;
        if (isEarlyJoint && found[TD_DIALECT_OMI_EARLY] == NULL)
        {
            found[TD_DIALECT_OMI_EARLY] = "OMI_physics_joint";
        }
    }
    tdPath root = tdPath_Root();
    tdPath path = tdPath_Key(&root, "extensionsUsed");
    for (int dialect = 0; dialect < TD_DIALECT_COUNT; ++dialect)
    {
        bool isCurrent = dialect == TD_DIALECT_KHR_RC || dialect == TD_DIALECT_KHR_2026 ||
                         dialect == TD_DIALECT_OMI_CURRENT;
        if (found[dialect] != NULL && !isCurrent)
        {
            tdReport_Add(build->import->report, TD_DIAG_PHYS_LEGACY_DIALECT, &path, found[dialect],
                         tdDialect_GetName((tdDialect)dialect));
        }
    }
}

static void ReportUnusedEntry(const tdPhysicsBuild* build, const char* extension, const char* table,
                              int index, const char* what)
{
    tdPath root = tdPath_Root();
    tdPath extensions = tdPath_Key(&root, "extensions");
    tdPath extensionPath = tdPath_Key(&extensions, extension);
    tdPath tablePath = tdPath_Key(&extensionPath, table);
    tdPath path = tdPath_Index(&tablePath, index);
    tdReport_Add(build->import->report, TD_DIAG_PHYS_UNUSED, &path, what);
}

/// Reports table entries that nothing refers to.
static bool ReportUnused(tdPhysicsBuild* build)
{
    const tdRawPhysics* raw = &build->raw;
    tdArena* scratch = &build->import->scratch;
    bool* materials = tdArena_NewArray(scratch, bool, raw->materialCount);
    bool* filters = tdArena_NewArray(scratch, bool, raw->filterCount);
    bool* shapes = tdArena_NewArray(scratch, bool, raw->shapeCount);
    if (materials == NULL || filters == NULL || shapes == NULL)
    {
        return false;
    }
    for (int i = 0; i < raw->nodeCount; ++i)
    {
        const tdRawNode* node = &raw->nodes[i];
        if (node->extension == NULL)
        {
            continue;
        }
        const int usedFilters[2] = {node->colliderFilter, node->triggerFilter};
        const tdRawGeometry* forms[2] = {node->hasCollider ? &node->collider : NULL,
                                         node->hasTrigger ? &node->trigger : NULL};
        for (int k = 0; k < 2; ++k)
        {
            if (usedFilters[k] >= 0)
            {
                filters[usedFilters[k]] = true;
            }
            if (forms[k] != NULL && forms[k]->isGiven && forms[k]->shape >= 0)
            {
                shapes[forms[k]->shape] = true;
            }
        }
        if (node->colliderMaterial >= 0)
        {
            materials[node->colliderMaterial] = true;
        }
    }
    for (int i = 0; i < raw->shapeCount; ++i)
    {
        if (!shapes[i] && raw->shapes[i].table != TD_TABLE_INLINE) // inline ones are used by their node
        {
            const tdExtension* extension = tdGetShapeExtension(raw->shapes[i].table);
            ReportUnusedEntry(build, extension->name, extension->shapeKey, raw->shapes[i].index, "shape");
        }
    }
    for (int i = 0; i < raw->materialCount; ++i)
    {
        if (!materials[i])
        {
            ReportUnusedEntry(build, i < raw->khrMaterialCount ? raw->khrRoot : "OMI_physics_body",
                              "physicsMaterials", raw->materials[i].fileMaterial, "material");
        }
    }
    for (int i = 0; i < raw->filterCount; ++i)
    {
        if (!filters[i] && raw->filters[i].fileFilter >= 0)
        {
            ReportUnusedEntry(build, i < raw->khrFilterCount ? raw->khrRoot : "OMI_physics_body",
                              "collisionFilters", raw->filters[i].fileFilter, "filter");
        }
    }
    for (int i = 0; i < raw->khrJointCount + raw->omiJointCount; ++i)
    {
        bool isOld = tdDialect_IsAncestor(raw->jointDescs[i].dialect);
        if (!raw->jointIsUsed[i] && raw->jointDescs[i].fileJoint >= 0)
        {
            ReportUnusedEntry(build, i < raw->khrJointCount ? raw->khrRoot : "OMI_physics_joint",
                              isOld ? "physicsJointLimits" : "physicsJoints", raw->jointDescs[i].fileJoint,
                              "joint");
        }
    }
    return true;
}

/// Allocates the tables by node.
static bool PrepareBuild(tdPhysicsBuild* build)
{
    int count = build->import->scene->nodes.count;
    tdArena* scratch = &build->import->scratch;
    build->isReachable = tdArena_NewArray(scratch, bool, count);
    build->colliderOfNode = tdArena_NewArray(scratch, int, count);
    build->triggerOfNode = tdArena_NewArray(scratch, int, count);
    build->bodyOfNode = tdArena_NewArray(build->import->arena, int, count);
    build->scene = tdArena_New(build->import->arena, tdPhysicsScene);
    return build->isReachable != NULL && build->colliderOfNode != NULL && build->triggerOfNode != NULL &&
           build->bodyOfNode != NULL && build->scene != NULL && ComputeGlobals(build);
}

/// Builds the objects of the marked nodes.
static bool FillScene(tdPhysicsBuild* build)
{
    const tdRawPhysics* raw = &build->raw;
    build->scene->isCooked = build->import->level == TD_LOAD_SIMULATION;
    build->scene->materials = raw->materials;
    build->scene->materialCount = raw->materialCount;
    build->scene->khrMaterialCount = raw->khrMaterialCount;
    build->scene->khrFilterCount = raw->khrFilterCount;
    build->scene->khrJointDescCount = raw->khrJointCount;
    build->scene->omiJointDescCount = raw->omiJointCount;
    for (int i = 0; i < TD_TABLE_COUNT; ++i)
    {
        build->scene->shapeTableStarts[i] = raw->tableStarts[i];
        build->scene->shapeTableCounts[i] = raw->tableCounts[i] > 0 ? raw->tableCounts[i] : 0;
    }
    build->scene->filters = raw->filters;
    build->scene->filterCount = raw->filterCount;
    build->scene->systemNames = raw->systemNames;
    build->scene->systemCount = raw->systemCount;
    return tdBuildBodies(build) && tdBuildColliders(build) && tdBuildMasses(build) && tdBuildJoints(build) &&
           tdBuildTriggers(build);
}

/// @param before by position: number of nodes with physics before it
static bool HasPhysics(const tdScene* scene, int sceneIndex, const int* before)
{
    const tdSceneRoots* roots = &scene->roots[sceneIndex];
    for (int i = 0; i < roots->count; ++i)
    {
        int first = scene->nodes.positions[roots->nodes[i]];
        if (before[scene->nodes.subtreeEnds[first]] > before[first])
        {
            return true;
        }
    }
    return false;
}

/// Builds the physics of the other scenes, for actors that select one: of the first MAX_OTHER_SCENES with
/// physics, since scenes may share nodes. Reports nothing: findings are about the active scene.
static bool BuildOtherScenes(const tdPhysicsBuild* active)
{
    tdImport* import = active->import;
    tdScene* scene = import->scene;
    const tdNodeTree* nodes = &scene->nodes;
    tdReport* report = import->report;
    int* before = tdArena_NewArray(&import->scratch, int, nodes->count + 1);
    const tdPhysicsScene** list = tdArena_NewArray(import->arena, const tdPhysicsScene*, scene->rootsCount);
    bool isGood = before != NULL && list != NULL;
    for (int i = 0; i < nodes->count && isGood; ++i)
    {
        before[i + 1] = before[i] + (active->raw.nodes[nodes->order[i]].extension != NULL ? 1 : 0);
    }
    scene->otherPhysics = list;
    import->report = NULL;
    for (int i = 0, count = 0; i < scene->rootsCount && count < MAX_OTHER_SCENES && isGood; ++i)
    {
        if (i == scene->activeScene || !HasPhysics(scene, i, before))
        {
            continue;
        }
        count += 1;
        tdPhysicsBuild build = {.import = import, .reader = active->reader, .raw = active->raw};
        build.reader.report = NULL;
        isGood = PrepareBuild(&build);
        if (isGood)
        {
            list[i] = build.scene;
            MarkReachable(&build, i);
            isGood = FillScene(&build);
        }
    }
    import->report = report;
    return isGood;
}

static int CountJoints(const tdRawPhysics* raw)
{
    int count = 0;
    for (int i = 0; i < raw->nodeCount; ++i)
    {
        count += raw->nodes[i].joint.isGiven ? 1 : 0;
    }
    return count;
}

bool tdImportPhysics(tdImport* import)
{
    tdPhysicsBuild build = {
        .import = import,
        .reader = {.json = import->json, .report = import->report, .arena = import->arena},
        .raw = {.nodeCount = import->scene->nodes.count,
                .meshCount = import->scene->meshCount,
                .skinCount = import->scene->skinCount,
                .literalStiffness = import->def->literalStiffness},
    };
    tdRawPhysics* raw = &build.raw;
    raw->nodesValue = tdJson_Find(import->json, 0, "nodes");
    raw->nodesValue = tdJson_IsArray(import->json, raw->nodesValue) ? raw->nodesValue : TD_JSON_NONE;
    raw->nodes = tdArena_NewArray(&import->scratch, tdRawNode, raw->nodeCount);
    if (raw->nodes == NULL)
    {
        return false;
    }
    for (int i = 0; i < TD_TABLE_COUNT; ++i)
    {
        raw->tableCounts[i] = -1;
    }
    for (int i = 0; i < raw->nodeCount; ++i)
    {
        raw->nodes[i].colliderMaterial = raw->nodes[i].colliderFilter = raw->nodes[i].triggerFilter = -1;
    }
    tdReadKhrPhysics(&build.reader, raw);
    tdReadOmiPhysics(&build.reader, raw);
    if (build.reader.ranOutOfMemory)
    {
        return false;
    }
    if (!raw->isAny)
    {
        return true;
    }
    CheckDeclarations(&build);
    ReportLegacy(&build);
    if (!tdImport_Allow(import, TD_LIMIT_filters, raw->filterCount, NULL) ||
        !tdImport_Allow(import, TD_LIMIT_joints, CountJoints(raw), NULL) || !PrepareBuild(&build))
    {
        return false;
    }
    // From here on the asset owns the scene, so that cooked geometry is freed with it after any failure.
    import->scene->physics = build.scene;
    MarkReachable(&build, import->scene->activeScene);
    return FillScene(&build) && ReportUnused(&build) &&
           (import->scene->rootsCount < 2 || BuildOtherScenes(&build));
}

void tdCheckPhysicsAnimations(tdImport* import)
{
    const tdPhysicsScene* physics = import->scene->physics;
    if (physics == NULL)
    {
        return;
    }
    const tdNodeTree* nodes = &import->scene->nodes;
    tdPath root = tdPath_Root();
    tdPath animations = tdPath_Key(&root, "animations");
    bool* hasCollider = tdArena_NewArray(&import->scratch, bool, nodes->count); // at the node or below it
    for (int i = 0; hasCollider != NULL && i < physics->colliderCount; ++i)
    {
        for (int node = physics->colliders[i].node; node >= 0 && !hasCollider[node];
             node = nodes->parents[node])
        {
            hasCollider[node] = true;
        }
    }
    for (int a = 0; hasCollider != NULL && a < import->scene->animationCount; ++a)
    {
        const tdAnimation* animation = &import->scene->animations[a];
        tdPath animationPath = tdPath_Index(&animations, a);
        tdPath channels = tdPath_Key(&animationPath, "channels");
        for (int c = 0; c < animation->channelCount; ++c)
        {
            const tdChannel* channel = &animation->channels[c];
            tdPath path = tdPath_Index(&channels, channel->fileChannel);
            int node = channel->target.object;
            bool isNodeProperty = channel->target.kind <= TD_PROPERTY_SCALE;
            int body = isNodeProperty ? physics->bodyOfNode[node] : -1;
            bool isBody = body >= 0 && physics->bodies[body].node == node;
            if (isNodeProperty && channel->target.kind == TD_PROPERTY_SCALE && (isBody || hasCollider[node]))
            {
                tdReport_Add(import->report, TD_DIAG_PHYS_ANIMATED_SCALE, &path, node);
            }
            else if (isBody && channel->target.kind != TD_PROPERTY_SCALE &&
                     physics->bodies[body].motion == TD_MOTION_DYNAMIC)
            {
                tdReport_Add(import->report, TD_DIAG_PHYS_ANIMATED_BODY, &path, node);
            }
        }
    }
}

void tdFreePhysicsScene(const tdPhysicsScene* physics)
{
    for (int i = 0; physics != NULL && i < physics->geometryCount; ++i)
    {
        tdDestroyGeometry(physics->geometries[i]);
    }
}
