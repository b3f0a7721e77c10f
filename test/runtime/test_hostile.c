// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Hostile physics: sizes, masses, positions, limits and drives from denormals to 1e38. Every file that loads
// steps without an assert, and all numbers stay finite. Deterministic; TENDON_HOSTILE=n tries n more files.
#include "hostile.h"

#include "runtime/physics_stage.h"

#include <stdlib.h>

static const char scene[] =
    "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_physics_rigid_bodies','KHR_implicit_shapes'],"
    "'extensions':{'KHR_implicit_shapes':{'shapes':[{'type':'box','box':{'size':[20,1,20]}},{'type':'sphere',"
    "'sphere':{'radius':0.5}},{'type':'capsule','capsule':{'height':0.5,'radiusBottom':0.3,'radiusTop':0.2}},"
    "{'type':'cylinder','cylinder':{'height':1,'radiusBottom':0.5,'radiusTop':0.4}},{'type':'plane','plane':{"
    "'sizeX':9,'sizeZ':9}},{'type':'plane'}]},"
    "'KHR_physics_rigid_bodies':{'physicsMaterials':[{'staticFriction':0.5,'dynamicFriction':0.4,'"
    "restitution':"
    "0.3}],'physicsJoints':[{'limits':[{'linearAxes':[0,1,2],'min':0,'max':0.5},{'angularAxes':[0],'min':-0."
    "5,"
    "'max':0.5,'stiffness':50,'damping':1},{'angularAxes':[1,2],'min':0,'max':0.3}],'drives':[{'type':'"
    "angular',"
    "'mode':'force','axis':0,'positionTarget':1,'velocityTarget':1,'stiffness':5,'damping':2,'maxForce':100},"
    "{'type':'linear','mode':'acceleration','axis':1,'positionTarget':0.2,'stiffness':30,'velocityTarget':0,"
    "'damping':5}]}]}},'nodes':["
    "{'translation':[0,-0.5,0],'extensions':{'KHR_physics_rigid_bodies':{'collider':{'geometry':{'shape':0},"
    "'physicsMaterial':0}}}},"
    "{'translation':[0,0.4,0],'scale':[1,1,1],'extensions':{'KHR_physics_rigid_bodies':{'motion':{'mass':1,"
    "'centerOfMass':[0,0,0],'inertiaDiagonal':[1,1,1],'inertiaOrientation':[0,0,0,1],'linearVelocity':[1,0,0]"
    ","
    "'angularVelocity':[0,1,0],'gravityFactor':1},'collider':{'geometry':{'shape':1},'physicsMaterial':0},"
    "'joint':{'joint':0,'connectedNode':2}}}},"
    "{'translation':[0.9,0.4,0],'rotation':[0,0,0,1],'scale':[1,1,1],'children':[3],'extensions':{"
    "'KHR_physics_rigid_bodies':{'motion':{},'collider':{'geometry':{'shape':2}}}}},"
    "{'translation':[0,0.7,0],'scale':[1,1,1],'extensions':{'KHR_physics_rigid_bodies':{'collider':{'"
    "geometry':{"
    "'shape':3}}}}},"
    "{'translation':[0.3,1.5,0],'scale':[1,2,1],'extensions':{'KHR_physics_rigid_bodies':{'motion':{'mass':2}"
    ","
    "'collider':{'geometry':{'shape':3}}}}},"
    "{'translation':[-2,0.6,0],'extensions':{'KHR_physics_rigid_bodies':{'motion':{'isKinematic':true,"
    "'linearVelocity':[2,0,0],'angularVelocity':[0,0,1]},'collider':{'geometry':{'shape':0}}}}},"
    "{'translation':[0,0.5,0],'extensions':{'KHR_physics_rigid_bodies':{'trigger':{'geometry':{'shape':1}}}}}"
    ","
    "{'translation':[0,-1,0],'extensions':{'KHR_physics_rigid_bodies':{'collider':{'geometry':{'shape':4}}}}}"
    ","
    "{'translation':[0,-2,0],'extensions':{'KHR_physics_rigid_bodies':{'collider':{'geometry':{'shape':5}}}}}"
    "]}";

static bool IsFiniteMatrix(const tdMat4* m)
{
    const float* f = (const float*)m;
    for (int i = 0; i < 16; ++i)
    {
        if (!isfinite(f[i]))
        {
            return false;
        }
    }
    return true;
}

/// True if the rest pose of the file is finite in the world; otherwise nothing can be checked.
static bool Simulate(const char* text, size_t length)
{
    tdAsset* asset = tdLoadAssetFromMemory(text, length, NULL, NULL);
    if (asset == NULL)
    {
        return true;
    }
    int count = tdAsset_GetNodeCount(asset);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdStage_Evaluate(stage, 0.0);
    bool isFine = actor != NULL;
    bool wasFinite[16] = {false};
    for (int i = 0; i < count && i < 16; ++i)
    {
        wasFinite[i] = IsFiniteMatrix(&tdActor_GetGlobals(actor)[i]);
    }
    for (int step = 0; step < 5; ++step)
    {
        isFine = tdStage_Step(stage) && isFine;
    }
    for (int i = 0; i < count && i < 16; ++i)
    {
        isFine = isFine && (!wasFinite[i] || IsFiniteMatrix(&tdActor_GetGlobals(actor)[i]));
    }
    tdDestroyStage(stage);
    tdDestroyAsset(asset);
    return isFine;
}

TEST(HostileNumbersStayFinite)
{
    static char text[8192];
    const char* more = getenv("TENDON_HOSTILE");
    int count = more != NULL ? atoi(more) : 400;
    for (int i = 0; i < count; ++i)
    {
        uint32_t random = 2463534242u + 977u * (uint32_t)i;
        size_t length = strlen(scene);
        for (size_t k = 0; k <= length; ++k)
        {
            text[k] = scene[k] == '\'' ? '"' : scene[k];
        }
        int changes = 1 + i % 4;
        for (int k = 0; k < changes; ++k)
        {
            size_t changed = ReplaceNumber(text, length, sizeof(text) - 1, &random);
            length = changed > 0 ? changed : length;
        }
        text[length] = 0;
        if (!ENSURE(Simulate(text, length)))
        {
            printf("  case %d: %s\n", i, text);
            return;
        }
    }
}

TEST_MAIN(RUN(HostileNumbersStayFinite))
