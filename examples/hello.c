// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The first program: play a file's animation and say where a node is, twice a second.
// Run: examples/robot_arm.gltf Wrist
// Prints: 1 s: -0\.313 2\.173 0\.000.*2 s: -0\.313 2\.173 0\.000
#include <stdio.h>
#include <tendon/tendon.h>

int main(int argumentCount, char** arguments)
{
    const char* path = argumentCount > 1 ? arguments[1] : "examples/robot_arm.gltf";
    const char* name = argumentCount > 2 ? arguments[2] : "Wrist";

    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset(path, NULL, report);
    tdClip* clip = tdCreateClip(asset, 0, NULL, report);
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, report);
    tdActor_Play(actor, clip, NULL);

    int node = tdAsset_FindNode(asset, name);
    for (int step = 1; step <= 120 && node >= 0; ++step)
    {
        tdStage_Step(stage);
        if (step % 30 == 0)
        {
            // The last column of a global matrix is the node's place in the world.
            const float* m = tdActor_GetGlobals(actor)[node].m;
            printf("%g s: %.3f %.3f %.3f\n", tdStage_GetTime(stage), (double)m[12], (double)m[13],
                   (double)m[14]);
        }
    }
    fputs(tdReport_GetText(report), stderr);
    bool isFine = node >= 0 && !tdReport_HasErrors(report);

    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    return isFine ? 0 : 1;
}
