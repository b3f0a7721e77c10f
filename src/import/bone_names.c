// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Finds bones by the names of joints. A name consists of a prefix ("mixamorig:", "Bip01 "), a side and a base
// name from the table below. Spine bones are found by their place between hips and arms, because every
// convention numbers them differently.
#include "bone_names.h"

#include "vrm.h"

#include "json/parse.h"

#include <string.h>

#define NAME_SIZE 64

typedef enum Side
{
    SIDE_NONE,
    SIDE_LEFT,
    SIDE_RIGHT,
} Side;

typedef struct JointName
{
    Side side;
    char base[NAME_SIZE]; // lower case letters and digits only
} JointName;

// Central bones, and bones of the left side (right ones follow from the order of the table).
typedef struct Alias
{
    const char* base;
    tdBone bone;
} Alias;

static const Alias middleNames[] = {
    {"hips", TD_BONE_HIPS},  {"hip", TD_BONE_HIPS},    {"pelvis", TD_BONE_HIPS}, {"neck", TD_BONE_NECK},
    {"neck1", TD_BONE_NECK}, {"neck01", TD_BONE_NECK}, {"head", TD_BONE_HEAD},   {"jaw", TD_BONE_JAW},
};

static const Alias sideNames[] = {
    {"upleg", TD_BONE_LEFT_UPPER_LEG},     {"upperleg", TD_BONE_LEFT_UPPER_LEG},
    {"thigh", TD_BONE_LEFT_UPPER_LEG},     {"hip", TD_BONE_LEFT_UPPER_LEG},
    {"femur", TD_BONE_LEFT_UPPER_LEG},     {"leg", TD_BONE_LEFT_LOWER_LEG},
    {"lowerleg", TD_BONE_LEFT_LOWER_LEG},  {"lowleg", TD_BONE_LEFT_LOWER_LEG},
    {"calf", TD_BONE_LEFT_LOWER_LEG},      {"shin", TD_BONE_LEFT_LOWER_LEG},
    {"knee", TD_BONE_LEFT_LOWER_LEG},      {"tibia", TD_BONE_LEFT_LOWER_LEG},
    {"foot", TD_BONE_LEFT_FOOT},           {"ankle", TD_BONE_LEFT_FOOT},
    {"toebase", TD_BONE_LEFT_TOES},        {"toe", TD_BONE_LEFT_TOES},
    {"toes", TD_BONE_LEFT_TOES},           {"ball", TD_BONE_LEFT_TOES},
    {"toe0", TD_BONE_LEFT_TOES},           {"shoulder", TD_BONE_LEFT_SHOULDER},
    {"clavicle", TD_BONE_LEFT_SHOULDER},   {"collar", TD_BONE_LEFT_SHOULDER},
    {"collarbone", TD_BONE_LEFT_SHOULDER}, {"arm", TD_BONE_LEFT_UPPER_ARM},
    {"upperarm", TD_BONE_LEFT_UPPER_ARM},  {"uparm", TD_BONE_LEFT_UPPER_ARM},
    {"shldr", TD_BONE_LEFT_UPPER_ARM},     {"humerus", TD_BONE_LEFT_UPPER_ARM},
    {"forearm", TD_BONE_LEFT_LOWER_ARM},   {"lowerarm", TD_BONE_LEFT_LOWER_ARM},
    {"lowarm", TD_BONE_LEFT_LOWER_ARM},    {"elbow", TD_BONE_LEFT_LOWER_ARM},
    {"radius", TD_BONE_LEFT_LOWER_ARM},    {"hand", TD_BONE_LEFT_HAND},
    {"wrist", TD_BONE_LEFT_HAND},          {"eye", TD_BONE_LEFT_EYE},
};

static const struct
{
    const char* name;
    tdBone first; // of three segments, left
} fingers[] = {
    {"thumb", TD_BONE_LEFT_THUMB_METACARPAL}, {"index", TD_BONE_LEFT_INDEX_PROXIMAL},
    {"middle", TD_BONE_LEFT_MIDDLE_PROXIMAL}, {"mid", TD_BONE_LEFT_MIDDLE_PROXIMAL},
    {"ring", TD_BONE_LEFT_RING_PROXIMAL},     {"pinky", TD_BONE_LEFT_LITTLE_PROXIMAL},
    {"little", TD_BONE_LEFT_LITTLE_PROXIMAL},
};

static bool IsUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool IsWord(char c)
{
    return IsUpper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static char ToLowerCase(char c)
{
    return IsUpper(c) ? (char)(c + 32) : c;
}

static bool BeginsWith(const char* text, const char* word)
{
    while (*word != 0 && ToLowerCase(*text) == *word)
    {
        ++text;
        ++word;
    }
    return *word == 0;
}

// "mixamorig:Hips", "mixamorig1Hips", "Character1_Hips", "Bip01 L Thigh", "ValveBiped.Bip01_Pelvis"
static const char* SkipPrefix(const char* name)
{
    const char* colon = strrchr(name, ':');
    name = colon != NULL ? colon + 1 : name;
    if (BeginsWith(name, "valvebiped."))
    {
        name += 11;
    }
    static const char* const prefixes[] = {"mixamorig", "character", "bip", "jbip", "j_bip", "def-", "org-"};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); ++i)
    {
        if (BeginsWith(name, prefixes[i]))
        {
            const char* rest = name + strlen(prefixes[i]);
            while ((*rest >= '0' && *rest <= '9') || (*rest != 0 && !IsWord(*rest)))
            {
                ++rest;
            }
            return *rest != 0 ? rest : name;
        }
    }
    return name;
}

// Removes a side word at the start or the end.
static Side TakeSide(const char** start, const char** end)
{
    const char *s = *start, *e = *end;
    static const struct
    {
        const char* word;
        Side side;
    } words[] = {{"left", SIDE_LEFT}, {"right", SIDE_RIGHT}};
    for (int i = 0; i < 2; ++i)
    {
        size_t length = strlen(words[i].word);
        if (BeginsWith(s, words[i].word) && (size_t)(e - s) > length)
        {
            *start = s + length;
            return words[i].side;
        }
        if ((size_t)(e - s) > length && BeginsWith(e - length, words[i].word))
        {
            *end = e - length;
            return words[i].side;
        }
    }
    // One letter, marked by a separator or by case: "L_Thigh", "lThigh", "LThumb", "thigh.L", "hand_r"
    if (e - s > 2)
    {
        char first = ToLowerCase(s[0]), last = ToLowerCase(e[-1]);
        bool isApart = !IsWord(s[1]) || IsUpper(s[1]);
        if ((first == 'l' || first == 'r') && isApart)
        {
            *start = s + 1;
            return first == 'l' ? SIDE_LEFT : SIDE_RIGHT;
        }
        if ((last == 'l' || last == 'r') && !IsWord(e[-2]))
        {
            *end = e - 2;
            return last == 'l' ? SIDE_LEFT : SIDE_RIGHT;
        }
    }
    return SIDE_NONE;
}

static JointName TakeApart(const char* name)
{
    JointName joint = {SIDE_NONE, {0}};
    const char* start = SkipPrefix(name);
    const char* end = start + strlen(start);
    // Some rigs mark central bones by "C_".
    if (BeginsWith(start, "c_"))
    {
        start += 2;
    }
    joint.side = TakeSide(&start, &end);
    int length = 0;
    for (const char* c = start; c < end && length < NAME_SIZE - 1; ++c)
    {
        if (IsWord(*c))
        {
            joint.base[length++] = ToLowerCase(*c);
        }
    }
    joint.base[length] = 0;
    return joint;
}

// The bone of the other side: same name after the side word.
static tdBone MirrorBone(tdBone bone, Side side)
{
    if (side != SIDE_RIGHT)
    {
        return bone;
    }
    const char* left = tdBone_GetInfo(bone)->name + 4; // after "left"
    char name[NAME_SIZE] = "right";
    strncat(name, left, NAME_SIZE - 6);
    return tdBone_Find(name, strlen(name));
}

static tdBone FindFinger(const JointName* joint)
{
    const char* base = joint->base;
    base = strncmp(base, "hand", 4) == 0 ? base + 4 : (strncmp(base, "finger", 6) == 0 ? base + 6 : base);
    for (size_t i = 0; i < sizeof(fingers) / sizeof(fingers[0]); ++i)
    {
        size_t length = strlen(fingers[i].name);
        const char* rest = base + length;
        if (strncmp(base, fingers[i].name, length) != 0)
        {
            continue;
        }
        rest += *rest == '0';
        int segment = -1;
        if (rest[0] >= '1' && rest[0] <= '3' && rest[1] == 0)
        {
            segment = rest[0] - '1';
        }
        else if (strcmp(rest, "proximal") == 0)
        {
            segment = fingers[i].first == TD_BONE_LEFT_THUMB_METACARPAL ? 1 : 0;
        }
        else if (strcmp(rest, "metacarpal") == 0 && fingers[i].first == TD_BONE_LEFT_THUMB_METACARPAL)
        {
            segment = 0;
        }
        else if (strcmp(rest, "intermediate") == 0 || strcmp(rest, "medial") == 0)
        {
            segment = 1;
        }
        else if (strcmp(rest, "distal") == 0)
        {
            segment = 2;
        }
        if (segment >= 0)
        {
            return MirrorBone((tdBone)(fingers[i].first + segment), joint->side);
        }
    }
    return TD_BONE_NONE;
}

static tdBone FindBoneOf(const JointName* joint)
{
    if (joint->side == SIDE_NONE)
    {
        for (size_t i = 0; i < sizeof(middleNames) / sizeof(middleNames[0]); ++i)
        {
            if (strcmp(middleNames[i].base, joint->base) == 0)
            {
                return middleNames[i].bone;
            }
        }
        return TD_BONE_NONE;
    }
    for (size_t i = 0; i < sizeof(sideNames) / sizeof(sideNames[0]); ++i)
    {
        if (strcmp(sideNames[i].base, joint->base) == 0)
        {
            return MirrorBone(sideNames[i].bone, joint->side);
        }
    }
    return FindFinger(joint);
}

/// Whether a node has another bone by its name than those from `first` to `last`. Only nodes without a bone
/// get one by their place.
static bool IsOtherBone(const tdHumanoid* humanoid, int node, tdBone first, tdBone last)
{
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (humanoid->nodes[i] == node && (i < (int)first || i > (int)last))
        {
            return true;
        }
    }
    return false;
}

// "Collar, Shoulder, Elbow" and "Shoulder, Arm, ForeArm" both occur: without a joint named arm, the shoulder
// next to the elbow is the upper arm, and the collar is the shoulder.
static void SortOutShoulder(const tdScene* scene, tdHumanoid* humanoid, bool isLeft)
{
    tdBone shoulder = isLeft ? TD_BONE_LEFT_SHOULDER : TD_BONE_RIGHT_SHOULDER;
    tdBone upper = isLeft ? TD_BONE_LEFT_UPPER_ARM : TD_BONE_RIGHT_UPPER_ARM;
    tdBone lower = isLeft ? TD_BONE_LEFT_LOWER_ARM : TD_BONE_RIGHT_LOWER_ARM;
    if (humanoid->nodes[upper] >= 0 || humanoid->nodes[shoulder] < 0 || humanoid->nodes[lower] < 0)
    {
        return;
    }
    int arm = scene->nodes.parents[humanoid->nodes[lower]];
    int collar = arm >= 0 ? scene->nodes.parents[arm] : -1;
    if (arm < 0 || IsOtherBone(humanoid, arm, shoulder, shoulder))
    {
        return;
    }
    humanoid->nodes[upper] = arm;
    JointName joint = TakeApart(collar >= 0 ? scene->nodes.names[collar] : "");
    bool isCollar = collar >= 0 && FindBoneOf(&joint) == shoulder;
    humanoid->nodes[shoulder] = isCollar ? collar : -1;
}

// Joints between the hips and the parent of the arms: spine, chest, upperChest.
static void FindSpine(const tdScene* scene, tdHumanoid* humanoid)
{
    int hips = humanoid->nodes[TD_BONE_HIPS];
    int arm = humanoid->nodes[TD_BONE_LEFT_SHOULDER] >= 0 ? humanoid->nodes[TD_BONE_LEFT_SHOULDER]
                                                          : humanoid->nodes[TD_BONE_LEFT_UPPER_ARM];
    int neck =
        humanoid->nodes[TD_BONE_NECK] >= 0 ? humanoid->nodes[TD_BONE_NECK] : humanoid->nodes[TD_BONE_HEAD];
    int top = arm >= 0 ? arm : neck;
    if (hips < 0 || top < 0 || !tdNodeTree_IsAncestor(&scene->nodes, hips, top))
    {
        return;
    }
    int path[64], count = 0;
    for (int node = scene->nodes.parents[top]; node != hips && count < 64; node = scene->nodes.parents[node])
    {
        if (!IsOtherBone(humanoid, node, TD_BONE_SPINE, TD_BONE_UPPER_CHEST))
        {
            path[count++] = node; // topmost of the body first
        }
    }
    if (count == 0)
    {
        return;
    }
    humanoid->nodes[TD_BONE_SPINE] = path[count - 1];
    humanoid->nodes[TD_BONE_CHEST] = count == 2 ? path[0] : (count > 2 ? path[count / 2] : -1);
    humanoid->nodes[TD_BONE_UPPER_CHEST] = count > 2 ? path[0] : -1;
}

int tdMapBonesByName(const tdScene* scene, tdHumanoid* humanoid)
{
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        humanoid->nodes[i] = -1;
    }
    // In tree order, so that the upper of two joints with the same name counts.
    for (int position = 0; position < scene->nodes.count; ++position)
    {
        int node = scene->nodes.order[position];
        const char* name = scene->nodes.names[node];
        tdBone bone = tdBone_Find(name, strlen(name));
        if (bone == TD_BONE_NONE)
        {
            JointName joint = TakeApart(name);
            bone = FindBoneOf(&joint);
        }
        if (bone != TD_BONE_NONE && humanoid->nodes[bone] < 0)
        {
            humanoid->nodes[bone] = node;
        }
    }
    SortOutShoulder(scene, humanoid, true);
    SortOutShoulder(scene, humanoid, false);
    if (humanoid->nodes[TD_BONE_SPINE] < 0)
    {
        FindSpine(scene, humanoid);
    }
    int count = 0;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        count += humanoid->nodes[i] >= 0;
    }
    return count;
}

// A bone map is a JSON object from VRM bone names to node names; null removes a bone.
bool tdApplyBoneMap(const tdScene* scene, tdHumanoid* humanoid, const tdLoadDef* def, tdReport* report)
{
    if (def->boneMap == NULL)
    {
        return true;
    }
    tdJsonError error;
    tdJson* json = tdParseJson(def->boneMap, strlen(def->boneMap), def->allocator, &error);
    if (json == NULL)
    {
        tdReport_Add(report, TD_DIAG_BVH_MAP, NULL, error.message);
        return error.code != TD_JSON_ERROR_OUT_OF_MEMORY;
    }
    if (!tdJson_IsObject(json, 0))
    {
        tdReport_Add(report, TD_DIAG_BVH_MAP, NULL, "it is not an object");
    }
    for (int entry = tdJson_IsObject(json, 0) ? tdJson_GetFirst(json, 0) : -1; entry >= 0;
         entry = tdJson_GetNext(json, entry))
    {
        size_t length = 0;
        const char* key = tdJson_GetKey(json, entry, &length);
        tdBone bone = tdBone_Find(key, length);
        int found = -1;
        for (int node = 0; node < scene->nodes.count && found < 0; ++node)
        {
            found = tdJson_StringEquals(json, entry, scene->nodes.names[node]) ? node : -1;
        }
        bool isNull = tdJson_GetType(json, entry) == TD_JSON_NULL;
        if (bone == TD_BONE_NONE || (found < 0 && !isNull))
        {
            tdReport_Add(report, TD_DIAG_BVH_MAP, NULL,
                         bone == TD_BONE_NONE ? "a key is no VRM bone"
                                              : "a value names no joint of the file");
            continue;
        }
        for (int i = 0; i < TD_BONE_COUNT && found >= 0; ++i)
        {
            humanoid->nodes[i] = humanoid->nodes[i] == found ? -1 : humanoid->nodes[i];
        }
        humanoid->nodes[bone] = found;
    }
    tdDestroyJson(json);
    return true;
}
