// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the lossless rule as a property: random scenes with unusual formatting, shuffled keys, numbers in
// every spelling, unknown extensions and extras at random places are baked, stripped, converted and embedded.
// Content outside of an operation's scope must stay byte for byte; a bake with the added elements removed
// equals the old file including white space.
#include "harness.h"
#include "lossless_random.h"

#include "json/json.h"
#include "json/parse.h"

#include "tendon/tendon.h"

#define SEEDS 60

typedef struct Text
{
    char* bytes; // to be freed with tdFreeSaved
    size_t size;
    tdJson* json;
} Text;

// --- scope of each operation -----------------------------------------------------------------------------

typedef struct Licence
{
    bool mayChangePhysics, mayGrow, mayRemoveAnimations, mayEmbed;
} Licence;

static bool IsPhysicsKey(const tdJson* json, int value)
{
    static const char* const names[] = {
        "KHR_physics_rigid_bodies", "KHR_implicit_shapes", "KHR_collision_shapes", "OMI_physics_body",
        "OMI_physics_shape",        "OMI_collider",        "OMI_physics_joint"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        if (tdJson_KeyEquals(json, value, names[i]))
        {
            return true;
        }
    }
    return false;
}

// Members that may change or disappear.
static bool IsTouched(const tdJson* json, int value, const Licence* licence)
{
    bool isName = tdJson_KeyEquals(json, value, "extensionsUsed");
    return (licence->mayChangePhysics && (isName || IsPhysicsKey(json, value))) ||
           (licence->mayRemoveAnimations && tdJson_KeyEquals(json, value, "animations")) ||
           (licence->mayGrow && tdJson_KeyEquals(json, value, "matrix")) ||
           (licence->mayEmbed && tdJson_KeyEquals(json, value, "uri"));
}

// Lists that may get more elements.
static bool IsOpen(const tdJson* json, int value, const Licence* licence)
{
    static const char* const lists[] = {"accessors", "bufferViews", "buffers", "animations"};
    for (size_t i = 0; licence->mayGrow && i < 4; ++i)
    {
        if (tdJson_KeyEquals(json, value, lists[i]))
        {
            return true;
        }
    }
    return false;
}

static bool HoldsTouched(const tdJson* json, int value, const Licence* licence)
{
    for (int inner = value + 1; inner < tdJson_GetEnd(json, value); ++inner)
    {
        if (IsTouched(json, inner, licence) || IsOpen(json, inner, licence))
        {
            return true;
        }
    }
    return IsOpen(json, value, licence);
}

static bool HasSameBytes(const Text* a, int valueA, const Text* b, int valueB)
{
    size_t startA, endA, startB, endB, sizeA, sizeB;
    tdJson_GetRange(a->json, valueA, &startA, &endA);
    tdJson_GetRange(b->json, valueB, &startB, &endB);
    const char *sourceA = tdJson_GetSource(a->json, &sizeA), *sourceB = tdJson_GetSource(b->json, &sizeB);
    return endA - startA == endB - startB && memcmp(sourceA + startA, sourceB + startB, endA - startA) == 0;
}

// All old content out of scope keeps its place, order and bytes.
static bool IsKept(const Text* old, int value, const Text* made, int other, const Licence* licence)
{
    if (other < 0)
    {
        return false;
    }
    if (!HoldsTouched(old->json, value, licence))
    {
        return HasSameBytes(old, value, made, other);
    }
    bool isObject = tdJson_IsObject(old->json, value);
    int index = 0, last = -1;
    for (int child = tdJson_GetFirst(old->json, value); child >= 0;
         child = tdJson_GetNext(old->json, child), ++index)
    {
        if (isObject && IsTouched(old->json, child, licence))
        {
            continue;
        }
        // An object that contained only removed members is removed too: glTF has no empty objects.
        bool isEmptied = isObject && tdJson_KeyEquals(old->json, child, "extensions") &&
                         HoldsTouched(old->json, child, licence);
        size_t length = 0;
        char key[64] = "";
        if (isObject)
        {
            const char* name = tdJson_GetKey(old->json, child, &length);
            memcpy(key, name, length);
        }
        int twin = isObject ? tdJson_Find(made->json, other, key) : tdJson_At(made->json, other, index);
        if (twin < 0 && isEmptied)
        {
            for (int inner = tdJson_GetFirst(old->json, child); inner >= 0;
                 inner = tdJson_GetNext(old->json, inner))
            {
                if (!IsTouched(old->json, inner, licence))
                {
                    return false;
                }
            }
            continue;
        }
        if (twin <= last || !IsKept(old, child, made, twin, licence))
        {
            return false;
        }
        last = twin;
    }
    return true;
}

// --- a bake with its additions removed -------------------------------------------------------------------

// Removes the elements that `list` has beyond `count` from `keep` (a mark per byte), with the comma and white
// space before them.
static void CutElements(const Text* made, int list, int count, char* keep)
{
    size_t start = 0, end = 0, from, to;
    int last = tdJson_At(made->json, list, count - 1), element = last;
    tdJson_GetRange(made->json, last, &start, &from);
    for (int next; (next = tdJson_GetNext(made->json, element)) >= 0;)
    {
        element = next;
    }
    tdJson_GetRange(made->json, element, &end, &to);
    memset(keep + from, 0, to - from);
}

static bool IsOldPlusElements(const Text* old, const Text* made)
{
    static const char* const lists[] = {"accessors", "bufferViews", "buffers", "animations"};
    size_t size = 0, oldSize = 0;
    const char *source = tdJson_GetSource(made->json, &size),
               *oldSource = tdJson_GetSource(old->json, &oldSize);
    char *keep = malloc(size + 1), *rest = malloc(size + 1);
    memset(keep, 1, size);
    for (size_t i = 0; i < 4; ++i)
    {
        int before = tdJson_GetCount(old->json, tdJson_Find(old->json, 0, lists[i]));
        int list = tdJson_Find(made->json, 0, lists[i]);
        if (tdJson_GetCount(made->json, list) > before)
        {
            CutElements(made, list, before, keep);
        }
    }
    size_t length = 0;
    for (size_t i = 0; i < size; ++i)
    {
        if (keep[i])
        {
            rest[length++] = source[i];
        }
    }
    bool isSame = length == oldSize && memcmp(rest, oldSource, length) == 0;
    if (!isSame)
    {
        printf("%.*s\n---\n%.*s\n", (int)oldSize, oldSource, (int)length, rest);
    }
    free(keep);
    free(rest);
    return isSame;
}

// --- the operations --------------------------------------------------------------------------------------

static Text Save(const tdAsset* asset)
{
    Text text = {0};
    text.bytes = tdSaveAssetToMemory(asset, TD_SAVE_GLTF, NULL, &text.size, NULL);
    text.json = text.bytes != NULL ? tdParseJson(text.bytes, text.size, NULL, NULL) : NULL;
    ENSURE(text.json != NULL);
    return text;
}

static void FreeText(Text* text)
{
    tdDestroyJson(text->json);
    tdFreeSaved(text->bytes, text->size, NULL);
}

static tdAsset* Bake(const tdAsset* asset, bool isStripped)
{
    tdBakeDef def = tdDefaultBakeDef();
    def.seconds = 0.4;
    def.stripPhysics = isStripped;
    def.replaceAnimations = isStripped;
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    tdClip* clip = tdCreateClip(asset, 0, NULL, NULL);
    tdActor_Play(actor, clip, NULL);
    tdAsset* baked = tdBakeActor(actor, &def, NULL);
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    return baked;
}

static void EnsureKept(const Text* old, tdAsset* made, Licence licence, const char* what, unsigned seed)
{
    ENSURE(made != NULL);
    Text text = Save(made);
    if (!ENSURE(IsKept(old, 0, &text, 0, &licence)))
    {
        printf("seed %u, %s:\n%.*s\n---\n%.*s\n", seed, what, (int)old->size, old->bytes, (int)text.size,
               text.bytes);
    }
    FreeText(&text);
    tdDestroyAsset(made);
}

TEST(BakesAddAndNothingElse)
{
    for (unsigned seed = 1; seed <= SEEDS; ++seed)
    {
        const char* source = WriteRandomScene(seed, false);
        tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, NULL);
        ENSURE(asset != NULL);
        Text old = Save(asset);
        ENSURE(old.size == strlen(source) && memcmp(old.bytes, source, old.size) == 0);
        tdAsset* baked = Bake(asset, false);
        ENSURE(baked != NULL);
        Text made = Save(baked);
        ENSURE(tdJson_GetCount(made.json, tdJson_Find(made.json, 0, "animations")) == 2);
        if (!ENSURE(IsOldPlusElements(&old, &made)))
        {
            printf("seed %u\n", seed);
        }
        FreeText(&made);
        tdDestroyAsset(baked);
        FreeText(&old);
        tdDestroyAsset(asset);
    }
}

TEST(ContentOutOfScopeStays)
{
    static const char* const targets[] = {"khr", "khr-draft", "omi", "omi-early"};
    for (unsigned seed = 1; seed <= SEEDS; ++seed)
    {
        const char* source = WriteRandomScene(seed, true);
        tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, NULL);
        ENSURE(asset != NULL);
        Text old = Save(asset);
        Licence baking = {.mayChangePhysics = true, .mayGrow = true, .mayRemoveAnimations = true};
        EnsureKept(&old, Bake(asset, true), baking, "stripped", seed);
        for (int target = 0; target < 4; ++target)
        {
            EnsureKept(&old, tdConvertAsset(asset, (tdPhysicsTarget)target, NULL),
                       (Licence){.mayChangePhysics = true}, targets[target], seed);
        }
        EnsureKept(&old, tdEmbedFiles(asset, TD_SAVE_GLTF, NULL), (Licence){.mayEmbed = true}, "embedded",
                   seed);
        FreeText(&old);
        tdDestroyAsset(asset);
    }
}

// The check itself must detect a changed byte.
TEST(TheCheckDetectsAChange)
{
    const char* source = WriteRandomScene(7, true);
    tdAsset* asset = tdLoadAssetFromMemory(source, strlen(source), NULL, NULL);
    Text old = Save(asset), changed = Save(asset);
    char* digit = strstr(changed.bytes, "\"X_rooted\"");
    ENSURE(digit != NULL);
    Licence licence = {.mayChangePhysics = true};
    ENSURE(IsKept(&old, 0, &changed, 0, &licence));
    digit[1] = 'Y';
    tdDestroyJson(changed.json);
    changed.json = tdParseJson(changed.bytes, changed.size, NULL, NULL);
    ENSURE(!IsKept(&old, 0, &changed, 0, &licence));
    FreeText(&changed);
    FreeText(&old);
    tdDestroyAsset(asset);
}

TEST_MAIN(RUN(BakesAddAndNothingElse) RUN(ContentOutOfScopeStays) RUN(TheCheckDetectsAChange))
