// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Passes a running stage on to another program: loads the state that another one saved, goes on for some
// steps and saves again. The programs may run on different platforms, a browser included (docs/time.md).
//   relay FILE STEPS [-i BLOCK] [-o BLOCK]
// Run: examples/catapult.gltf 30
// Prints: step 30, state [0-9a-f]*
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tendon/tendon.h>

static bool LoadBlock(tdStage* stage, const char* path)
{
    FILE* file = fopen(path, "rb");
    long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    void* block = size > 0 ? malloc((size_t)size) : NULL;
    bool isRead =
        block != NULL && fseek(file, 0, SEEK_SET) == 0 && fread(block, 1, (size_t)size, file) == (size_t)size;
    bool isLoaded = isRead && tdStage_Load(stage, block, (size_t)size);
    free(block);
    if (file != NULL)
    {
        fclose(file);
    }
    return isLoaded;
}

static bool SaveBlock(const tdStage* stage, const char* path)
{
    size_t size = tdStage_Save(stage, NULL, 0);
    void* block = malloc(size);
    FILE* file = block != NULL ? fopen(path, "wb") : NULL;
    bool isWritten =
        file != NULL && tdStage_Save(stage, block, size) == size && fwrite(block, 1, size, file) == size;
    isWritten = file != NULL && fclose(file) == 0 && isWritten;
    free(block);
    return isWritten;
}

int main(int count, char** words)
{
    tdAsset* asset = count > 2 ? tdLoadAsset(words[1], NULL, NULL) : NULL;
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    // The clip must have played before a state in which it plays is loaded.
    tdClip* clip = asset != NULL ? tdCreateClip(asset, 0, NULL, NULL) : NULL;
    tdPlayDef play = tdDefaultPlayDef();
    play.loop = true;
    tdActor_Play(actor, clip, &play);
    bool isGood = actor != NULL;
    for (int i = 3; i + 1 < count; i += 2)
    {
        isGood = isGood && (strcmp(words[i], "-i") != 0 || LoadBlock(stage, words[i + 1]));
    }
    for (int i = 0; isGood && i < atoi(words[2]); ++i)
    {
        isGood = tdStage_Step(stage);
    }
    for (int i = 3; i + 1 < count; i += 2)
    {
        isGood = isGood && (strcmp(words[i], "-o") != 0 || SaveBlock(stage, words[i + 1]));
    }
    if (isGood)
    {
        printf("step %lld, state %016llx\n", (long long)tdStage_GetStepIndex(stage),
               (unsigned long long)tdWorld_GetStateHash(tdStage_GetWorld(stage)));
    }
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    tdDestroyAsset(asset);
    return isGood ? 0 : 1;
}
