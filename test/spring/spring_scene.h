// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Scenes with springs as text, and the stages that play them. Text is JSON with ' for ".
#pragma once

#include "harness.h"

#include "base/memory.h"
#include "base/text.h"
#include "math/vecmath.h"

#include "tendon/tendon.h"

#include <stdlib.h>

/// A file with these nodes, springs and further members of VRMC_springBone.
static inline tdAsset* LoadSprings(const char* nodes, const char* springs, const char* more,
                                   const tdAllocator* allocator, tdReport* report)
{
    tdText text;
    tdText_Init(&text, NULL);
    tdText_AppendFormat(
        &text,
        "{'asset':{'version':'2.0'},'extensionsUsed':['VRMC_springBone',"
        "'VRMC_springBone_extended_collider','VRMC_springBone_limit','VRMC_node_constraint',"
        "'KHR_physics_rigid_bodies','KHR_implicit_shapes'],'scene':0,'scenes':[{'nodes':[0]}],"
        "'nodes':[%s],'extensions':{'KHR_implicit_shapes':{'shapes':[{'type':'box','box':"
        "{'size':[4,1,4]}}]},'VRMC_springBone':{'specVersion':'1.0',%s'springs':[%s]}}}",
        nodes, more != NULL ? more : "", springs);
    for (size_t i = 0; i < text.length; ++i)
    {
        text.data[i] = text.data[i] == '\'' ? '"' : text.data[i];
    }
    tdLoadDef def = tdDefaultLoadDef();
    def.allocator = allocator;
    tdAsset* asset = tdLoadAssetFromMemory(text.data, text.length, &def, report);
    tdText_Free(&text);
    return asset;
}

/// A root (node 0) with `chains` chains of `joints` + 1 nodes below it, each with a spring; chain c starts at
/// node 1 + c (joints + 1). Numbers vary from joint to joint.
static inline tdAsset* LoadHair(int chains, int joints, const char* more, bool hits,
                                const tdAllocator* allocator)
{
    tdText nodes, springs;
    tdText_Init(&nodes, NULL);
    tdText_Init(&springs, NULL);
    tdText_AppendString(&nodes, "{'translation':[0.2,1,-0.1],'children':[");
    for (int c = 0; c < chains; ++c)
    {
        tdText_AppendFormat(&nodes, "%s%d", c > 0 ? "," : "", 1 + c * (joints + 1));
    }
    tdText_AppendString(&nodes, "]}");
    for (int c = 0; c < chains; ++c)
    {
        tdText_AppendFormat(&springs, "%s{'joints':[", c > 0 ? "," : "");
        for (int i = 0; i <= joints; ++i)
        {
            int node = 1 + c * (joints + 1) + i;
            tdText_AppendFormat(&nodes, ",{'translation':[%g,%g,%g],'rotation':[0,0,%g,%g]", 0.02 * (c % 3),
                                -0.1 - 0.01 * i, 0.03 * (c % 5 - 2), i % 2 == 0 ? 0.0 : 0.6,
                                i % 2 == 0 ? 1.0 : 0.8);
            tdText_AppendString(&nodes, i < joints ? ",'children':[" : "}");
            if (i < joints)
            {
                tdText_AppendFormat(&nodes, "%d]}", node + 1);
            }
            tdText_AppendFormat(
                &springs, "%s{'node':%d,'stiffness':%g,'gravityPower':%g,'dragForce':%g,'hitRadius':%g}",
                i > 0 ? "," : "", node, 0.3 + 0.2 * (c % 4), 0.1 * (i % 3), 0.2 + 0.1 * (c % 5),
                0.01 * (i % 2));
        }
        tdText_AppendFormat(&springs, "]%s%s}", hits ? ",'colliderGroups':[0]" : "",
                            c % 4 == 3 ? ",'center':0" : "");
    }
    tdAsset* asset = LoadSprings(nodes.data, springs.data, more, allocator, NULL);
    tdText_Free(&nodes);
    tdText_Free(&springs);
    return asset;
}

/// One collider of every shape on node 0, in one group.
#define EXTENDED(shape)                                                                                      \
    "{'node':0,'shape':{'sphere':{}},'extensions':{'VRMC_springBone_extended_collider':{'specVersion':'1.0'" \
    ","                                                                                                      \
    "'shape':{" shape "}}}}"
#define ALL_COLLIDERS                                                                                        \
    "'colliders':[{'node':0,'shape':{'sphere':{'offset':[0.03,-0.25,0.02],'radius':0.08}}},"                 \
    "{'node':0,'shape':{'capsule':{'offset':[-0.1,-0.3,0],'tail':[0.1,-0.35,0.05],'radius':0.04}}}"          \
    "," EXTENDED("'sphere':{'radius':0.6,'inside':true}") "," EXTENDED(                                      \
        "'capsule':{'offset':[0,0.2,0],'"                                                                    \
        "tail':[0,-0.5,0],'radius':0.3,'"                                                                    \
        "inside':true}") "," EXTENDED("'plane':{'offset':[0,-0.45,0],'normal':[0,1,0]}") "],'"               \
                                                                                         "colliderGroups':[" \
                                                                                         "{'colliders':[0,"  \
                                                                                         "1,2,3,4]}],"

static inline bool AreSamePoses(const tdActor* a, const tdActor* b)
{
    int count = tdAsset_GetNodeCount(tdActor_GetAsset(a));
    return memcmp(tdActor_GetLocals(a), tdActor_GetLocals(b), (size_t)count * sizeof(tdTrs)) == 0 &&
           memcmp(tdActor_GetGlobals(a), tdActor_GetGlobals(b), (size_t)count * sizeof(tdMat4)) == 0;
}

/// Turns and moves node 0, a different way at every time.
static inline void ShakeRoot(tdActor* actor, double time)
{
    float a = (float)time;
    tdTrs local = {{0.2f + 0.3f * a * (1.0f - a), 1.0f, -0.1f + 0.1f * a},
                   tdNormalizeQuat((tdQuat){0.4f * a * (1.5f - a), 0.2f, -0.3f * a, 1.0f}),
                   {1.0f, 1.0f, 1.0f}};
    tdActor_SetLocal(actor, 0, TD_LOCAL_TRANSLATION | TD_LOCAL_ROTATION, local);
}
