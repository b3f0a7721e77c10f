// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Claims of a file that the order of writers (body > spring > constraint > application > clips) overrules,
// reported once when an actor is created.
#include "claims.h"

#include "stage.h"

#include "base/report.h"
#include "constraint/constraint_list.h"
#include "scene/physics_scene.h"
#include "spring/spring_list.h"

/// True if physics moves the node: it or an ancestor is a body that is dynamic at load.
static bool IsSimulated(const tdPhysicsScene* physics, int node)
{
    return node >= 0 && physics->bodyOfNode[node] >= 0 &&
           physics->bodies[physics->bodyOfNode[node]].motion == TD_MOTION_DYNAMIC;
}

static bool IsSimulatedBody(const tdPhysicsScene* physics, int node)
{
    return IsSimulated(physics, node) && physics->bodies[physics->bodyOfNode[node]].node == node;
}

/// True if physics moves an input of the constraint: for roll and rotation the local rotation of the source,
/// for aim the position of source or destination.
static bool ReadsSimulatedNode(const tdActor* actor, const tdNodeConstraint* item)
{
    if (item->kind != TD_CONSTRAINT_AIM)
    {
        return IsSimulatedBody(actor->physicsScene, item->source);
    }
    return IsSimulated(actor->physicsScene, item->source) ||
           IsSimulated(actor->physicsScene, actor->scene->nodes.parents[item->destination]);
}

/// For every position in the node order, the position of the first kinematic body at or after it; the node
/// count where there is none.
/// @param next nodes->count + 1 entries
static void FindKinematicBodies(const tdActor* actor, int* next)
{
    const tdNodeTree* nodes = &actor->scene->nodes;
    const tdPhysicsScene* physics = actor->physicsScene;
    next[nodes->count] = nodes->count;
    for (int position = nodes->count - 1; position >= 0; --position)
    {
        int node = nodes->order[position];
        int body = physics->bodyOfNode[node];
        bool isKinematic = body >= 0 && physics->bodies[body].node == node &&
                           physics->bodies[body].motion == TD_MOTION_KINEMATIC;
        next[position] = isKinematic ? position : next[position + 1];
    }
}

static void ReportSpringClaims(const tdActor* actor, tdReport* report)
{
    const tdSpringList* list = actor->scene->springs;
    tdPath root = tdPath_Root(), nodesPath = tdPath_Key(&root, "nodes");
    for (int i = 0; list != NULL && i < list->jointCount; ++i)
    {
        if (IsSimulatedBody(actor->physicsScene, list->joints[i].node))
        {
            tdPath path = tdPath_Index(&nodesPath, list->joints[i].node);
            tdReport_Add(report, TD_DIAG_CLAIM_OVERRULED, &path, list->joints[i].node, "rotation",
                         "its simulated body");
        }
    }
}

bool tdActor_ReportClaims(tdActor* actor, tdReport* report)
{
    const tdScene* scene = actor->scene;
    if (report == NULL || actor->physics == NULL)
    {
        return true;
    }
    ReportSpringClaims(actor, report);
    if (scene->constraints == NULL)
    {
        return true;
    }
    const tdNodeTree* nodes = &scene->nodes;
    int* next = tdArena_NewArray(&actor->arena, int, nodes->count + 1);
    if (next == NULL)
    {
        return false;
    }
    FindKinematicBodies(actor, next);
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
        int driven = next[position];
        if (driven < nodes->subtreeEnds[position] && ReadsSimulatedNode(actor, item))
        {
            tdReport_Add(report, TD_DIAG_NC_FEEDS_BODY, &path, item->destination, nodes->order[driven]);
        }
    }
    return true;
}
