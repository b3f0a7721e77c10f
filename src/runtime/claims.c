// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What a file claims and the order of writers overrules (style: body > constraint > application > clips),
// told once when an actor is made.
#include "claims.h"

#include "stage.h"

#include "base/report.h"
#include "constraint/constraint_list.h"
#include "scene/physics_scene.h"

/// Physics moves the node: it is, or rides on, a body that is simulated by default.
static bool IsSimulated(const tdPhysicsScene* physics, int node)
{
    return node >= 0 && physics->bodyOfNode[node] >= 0 &&
           physics->bodies[physics->bodyOfNode[node]].motion == TD_MOTION_DYNAMIC;
}

static bool IsSimulatedBody(const tdPhysicsScene* physics, int node)
{
    return IsSimulated(physics, node) && physics->bodies[physics->bodyOfNode[node]].node == node;
}

/// The constraint reads what physics moves: for roll and rotation the source's own rotation, for aim the
/// places of both.
static bool ReadsSimulatedNode(const tdActor* actor, const tdNodeConstraint* item)
{
    if (item->kind != TD_CONSTRAINT_AIM)
    {
        return IsSimulatedBody(actor->physicsScene, item->source);
    }
    return IsSimulated(actor->physicsScene, item->source) ||
           IsSimulated(actor->physicsScene, actor->scene->nodes.parents[item->destination]);
}

/// By position in the tree: the first body at or behind it that follows its node. `count` entries and one
/// more.
static void FindDrivenBodies(const tdActor* actor, int* next)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    const tdPhysicsScene* physics = actor->physicsScene;
    next[nodes->count] = nodes->count;
    for (int position = nodes->count - 1; position >= 0; --position)
    {
        int node = nodes->order[position];
        int body = physics->bodyOfNode[node];
        bool isDriven = body >= 0 && physics->bodies[body].node == node &&
                        physics->bodies[body].motion == TD_MOTION_KINEMATIC;
        next[position] = isDriven ? position : next[position + 1];
    }
}

bool tdActor_ReportClaims(tdActor* actor, tdReport* report)
{
    const tdScene* scene = actor->scene;
    if (report == NULL || scene->constraints == NULL || actor->physics == NULL)
    {
        return true;
    }
    const tdNodeTree* nodes = &scene->nodes;
    int* next = tdArena_NewArray(&actor->arena, int, nodes->count + 1);
    if (next == NULL)
    {
        return false;
    }
    FindDrivenBodies(actor, next);
    tdPath root = tdPath_Root();
    tdPath nodesPath = tdPath_Key(&root, "nodes");
    for (int i = 0; i < scene->constraints->count; ++i)
    {
        const tdNodeConstraint* item = &scene->constraints->items[i];
        tdPath nodePath = tdPath_Index(&nodesPath, item->destination);
        tdPath extensions = tdPath_Key(&nodePath, "extensions");
        tdPath path = tdPath_Key(&extensions, "VRMC_node_constraint");
        if (IsSimulatedBody(actor->physicsScene, item->destination))
        {
            tdReport_Add(report, TD_DIAG_CLAIM_OVERRULED, &path, item->destination, "rotation",
                         "its simulated body");
            continue;
        }
        int position = nodes->positions[item->destination];
        int fed = next[position];
        if (fed < nodes->subtreeEnds[position] && ReadsSimulatedNode(actor, item))
        {
            tdReport_Add(report, TD_DIAG_NC_FEEDS_BODY, &path, item->destination, nodes->order[fed]);
        }
    }
    return true;
}
