// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Finds bones by names with the hierarchy as evidence. Every name gives scored candidates (joint_names.h),
// and the chain of a limb is the path of the hierarchy with the highest sum. Hips, spine and whatever has no
// known name follow from their place. See docs/decisions/077.
#include "bone_names.h"

#include "joint_names.h"
#include "vrm.h"

#include "json/parse.h"

#include <string.h>

#define MAX_SLOTS 5

/// Cost of leaving out a bone that a limb must have, between two bones of the chain.
#define GAP_COST 30
/// Cost of a node that is no joint although the file has skins.
#define OTHER_NODE_COST 25
/// Tenths of the names that have to share a prefix or suffix.
#define AFFIX_SHARE 6
/// Words of a shared prefix or suffix, at most: a bound on the time that long names take.
#define MAX_AFFIX_WORDS 4
/// Numbers of nodes may exceed twice the number of nodes by this.
#define NUMBER_ROOM 1000
/// Confidence of a bone that its place gives.
#define PLACE_CONFIDENCE 0.6f

// Bones of a limb or finger, root first. Members that a limb must have cost GAP_COST if they are left out.
typedef struct BoneChain
{
    tdBone bones[MAX_SLOTS];
    int count;
    bool isRequired[MAX_SLOTS];
} BoneChain;

// Best chain that ends at or above a node with a slot.
typedef struct ChainEnd
{
    int score;
    int node;     // -1: none
    int previous; // slot of the end before this one; -1: the chain starts here
} ChainEnd;

typedef struct BoneSearch
{
    const tdScene* scene;
    tdHumanoid* humanoid;
    tdBoneMatch* matches;
    tdJointBones* names; // by node
    bool* isJoint;       // by node: of a skin
    ChainEnd* ends;      // by node and slot
    ChainEnd* own;       // by node and slot: chains that end at the node itself
    tdJointAffixes affixes;
} BoneSearch;

static tdJointBones FindCandidates(const BoneSearch* search, int node)
{
    tdJointBones name = tdFindJointBones(search->scene->nodes.names[node], &search->affixes);
    bool isOther = search->scene->skinCount > 0 && !search->isJoint[node];
    for (int i = 0; i < name.count && isOther; ++i)
    {
        name.candidates[i].score -= OTHER_NODE_COST;
    }
    return name;
}

// Whether most nodes begin with the first characters of a name, and none of them has only a side after that:
// the name "hand_l" is that of a joint although the fingers of the hand may begin with it, too.
static bool IsPrefix(const tdNodeTree* nodes, const char* name, size_t length)
{
    int count = 0;
    for (int node = 0; node < nodes->count; ++node)
    {
        const char* other = tdSkipJointNumber(nodes->names[node]);
        bool hasPrefix = strncmp(other, name, length) == 0;
        const char* rest = hasPrefix ? other + length : "";
        count += hasPrefix;
        if (hasPrefix && tdIsSideWord(rest, strlen(rest)))
        {
            return false;
        }
    }
    return 10 * count > AFFIX_SHARE * nodes->count;
}

// A prefix of words that most nodes share, such as "Player_" or "CC_Base_".
static void FindPrefix(BoneSearch* search)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    int candidates = tdMinInt(nodes->count, 8); // a prefix of most names is one of the first names, too
    for (int i = 0; i < candidates && search->affixes.prefixLength == 0; ++i)
    {
        const char* name = tdSkipJointNumber(nodes->names[nodes->order[i]]);
        size_t start = 0, length = strcspn(name, TD_NAME_SEPARATORS);
        int words = 0;
        while (name[start + length] != 0 && words++ < MAX_AFFIX_WORDS &&
               !tdIsSideWord(name + start, length) && IsPrefix(nodes, name, start + length + 1))
        {
            start += length + 1;
            length = strcspn(name + start, TD_NAME_SEPARATORS);
        }
        search->affixes.prefix = name;
        search->affixes.prefixLength = start;
    }
}

// Start of the last word before a place in a name, with the separator before it; 0: none.
static size_t FindLastWord(const char* name, size_t end)
{
    size_t start = end;
    while (start > 0 && strchr(TD_NAME_SEPARATORS, name[start - 1]) == NULL)
    {
        start -= 1;
    }
    // A skeleton may have one side alone.
    bool isWord = start > 0 && start < end && !tdIsSideWord(name + start, end - start);
    return isWord ? start - 1 : 0;
}

// A suffix of words after separators that most nodes share, such as "_jnt" or ".001_skin".
static void FindSuffix(BoneSearch* search)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    int candidates = tdMinInt(nodes->count, 8);
    for (int i = 0; i < candidates && search->affixes.suffixLength == 0; ++i)
    {
        const char* name = nodes->names[nodes->order[i]];
        size_t length = strlen(name), start = length;
        for (int words = 0; words < MAX_AFFIX_WORDS; ++words)
        {
            start = FindLastWord(name, start);
            if (start == 0)
            {
                break;
            }
            tdJointAffixes affixes = {.suffix = name + start, .suffixLength = length - start};
            int count = 0;
            for (int node = 0; node < nodes->count; ++node)
            {
                count += tdMeasureSuffix(nodes->names[node], &affixes) > 0;
            }
            if (10 * count <= AFFIX_SHARE * nodes->count)
            {
                break;
            }
            search->affixes.suffix = affixes.suffix;
            search->affixes.suffixLength = affixes.suffixLength;
        }
    }
}

// Numbers of nodes at the end of most names, such as "Hips_02", "Spine_03": exporters that make names unique
// append them. Numbers that count segments repeat from limb to limb.
static bool FindNumbers(BoneSearch* search, tdArena* arena)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    tdJointAffixes plain = search->affixes, numbered = plain;
    numbered.isNumbered = true;
    bool* isTaken = tdArena_NewArray(arena, bool, 2 * (size_t)nodes->count + NUMBER_ROOM);
    if (isTaken == NULL)
    {
        return false;
    }
    int count = 0, distinct = 0;
    for (int node = 0; node < nodes->count; ++node)
    {
        const char* name = nodes->names[node];
        size_t whole = tdMeasureSuffix(name, &numbered), number = 0;
        size_t length = whole - tdMeasureSuffix(name, &plain); // separator and digits
        const char* digits = name + strlen(name) - whole + 1;
        for (size_t i = 0; i + 1 < length && number < 2 * (size_t)nodes->count + NUMBER_ROOM; ++i)
        {
            number = 10 * number + (size_t)(digits[i] - '0');
        }
        count += length > 0;
        if (length > 0 && number < 2 * (size_t)nodes->count + NUMBER_ROOM && !isTaken[number])
        {
            isTaken[number] = true;
            distinct += 1;
        }
    }
    search->affixes.isNumbered = 10 * count > AFFIX_SHARE * nodes->count && 10 * distinct > 9 * count;
    return true;
}

// Chains

static int GetChainSlot(const BoneChain* chain, tdBone bone)
{
    for (int i = 0; i < chain->count; ++i)
    {
        if (chain->bones[i] == bone)
        {
            return i;
        }
    }
    return -1;
}

// Finds the best chain of a node with a slot among the chains above it.
static ChainEnd ExtendChain(const BoneSearch* search, const BoneChain* chain, int node, int slot, int score)
{
    int parent = search->scene->nodes.parents[node];
    ChainEnd best = {score, node, -1};
    int gap = 0;
    for (int t = slot - 1; t >= 0 && parent >= 0; --t)
    {
        const ChainEnd* above = &search->ends[parent * MAX_SLOTS + t];
        if (above->node >= 0 && above->score + score - gap > best.score)
        {
            best = (ChainEnd){above->score + score - gap, node, t};
        }
        gap += chain->isRequired[t] ? GAP_COST : 0;
    }
    return best;
}

// Maps the bones of a chain to the path with the highest score; the first of equal ones in tree order.
static void MapChain(const BoneSearch* search, const BoneChain* chain)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    ChainEnd best = {0, -1, -1};
    int bestSlot = -1;
    for (int i = 0; i < nodes->count; ++i)
    {
        int node = nodes->order[i], parent = nodes->parents[node];
        ChainEnd* ends = &search->ends[node * MAX_SLOTS];
        ChainEnd* own = &search->own[node * MAX_SLOTS];
        for (int slot = 0; slot < chain->count; ++slot)
        {
            own[slot] = (ChainEnd){0, -1, -1};
            ends[slot] = parent >= 0 ? search->ends[parent * MAX_SLOTS + slot] : own[slot];
        }
        const tdJointBones* name = &search->names[node];
        for (int c = 0; c < name->count; ++c)
        {
            int slot = GetChainSlot(chain, name->candidates[c].bone);
            if (slot < 0)
            {
                continue;
            }
            own[slot] = ExtendChain(search, chain, node, slot, name->candidates[c].score);
            ends[slot] = own[slot].score > ends[slot].score ? own[slot] : ends[slot];
            if (own[slot].score > best.score)
            {
                best = own[slot];
                bestSlot = slot;
            }
        }
    }
    while (best.node >= 0)
    {
        search->humanoid->nodes[chain->bones[bestSlot]] = best.node;
        if (best.previous < 0)
        {
            return;
        }
        int parent = nodes->parents[best.node];
        bestSlot = best.previous;
        best = search->ends[parent * MAX_SLOTS + bestSlot];
    }
}

static void MapChains(const BoneSearch* search)
{
    static const BoneChain chains[] = {
        {{TD_BONE_NECK, TD_BONE_HEAD, TD_BONE_JAW}, 3, {false, true, false}},
        {{TD_BONE_LEFT_UPPER_LEG, TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT, TD_BONE_LEFT_TOES},
         4,
         {true, true, true, false}},
        {{TD_BONE_LEFT_SHOULDER, TD_BONE_LEFT_UPPER_ARM, TD_BONE_LEFT_LOWER_ARM, TD_BONE_LEFT_HAND},
         4,
         {false, true, true, true}},
        {{TD_BONE_LEFT_EYE}, 1, {false}},
    };
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); ++i)
    {
        for (int side = 0; side < 2; ++side)
        {
            BoneChain chain = chains[i];
            for (int k = 0; k < chain.count; ++k)
            {
                chain.bones[k] = side == 1 ? tdMirrorBone(chain.bones[k]) : chain.bones[k];
            }
            MapChain(search, &chain);
        }
    }
    for (int finger = 0; finger < 10; ++finger)
    {
        tdBone first = (tdBone)(TD_BONE_LEFT_THUMB_METACARPAL + 3 * (finger % 5));
        BoneChain chain = {.count = 3};
        for (int k = 0; k < 3; ++k)
        {
            tdBone bone = (tdBone)(first + k);
            chain.bones[k] = finger < 5 ? bone : tdMirrorBone(bone);
        }
        MapChain(search, &chain);
    }
}

// Places

static bool IsAtOrAbove(const tdNodeTree* nodes, int ancestor, int node)
{
    return ancestor == node || tdNodeTree_IsAncestor(nodes, ancestor, node);
}

static int GetScore(const BoneSearch* search, int node, tdBone bone)
{
    const tdJointBones* name = &search->names[node];
    for (int i = 0; i < name->count; ++i)
    {
        if (name->candidates[i].bone == bone)
        {
            return name->candidates[i].score;
        }
    }
    return 0;
}

static void MapByPlace(const BoneSearch* search, tdBone bone, int node)
{
    search->humanoid->nodes[bone] = node;
    search->matches[bone] = (tdBoneMatch){TD_BONE_BY_PLACE, PLACE_CONFIDENCE};
}

static bool IsMapped(const BoneSearch* search, int node)
{
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (search->humanoid->nodes[i] == node)
        {
            return true;
        }
    }
    return false;
}

// The hips carry legs, arms and head: the joint with the best name at or above their common ancestor, else
// that ancestor, unless it is another bone.
static void MapHips(const BoneSearch* search)
{
    static const tdBone carried[] = {TD_BONE_LEFT_UPPER_LEG, TD_BONE_RIGHT_UPPER_LEG, TD_BONE_LEFT_UPPER_ARM,
                                     TD_BONE_RIGHT_UPPER_ARM, TD_BONE_HEAD};
    const tdNodeTree* nodes = &search->scene->nodes;
    const int* bones = search->humanoid->nodes;
    bool hasLegs = bones[TD_BONE_LEFT_UPPER_LEG] >= 0 && bones[TD_BONE_RIGHT_UPPER_LEG] >= 0;
    int common = hasLegs ? nodes->parents[bones[TD_BONE_LEFT_UPPER_LEG]] : -1;
    for (size_t i = 0; i < sizeof(carried) / sizeof(carried[0]); ++i)
    {
        int bone = bones[carried[i]];
        bool isCarried = bone >= 0 && common >= 0 && !IsAtOrAbove(nodes, bone, common);
        while (isCarried && common >= 0 && !IsAtOrAbove(nodes, common, bone))
        {
            common = nodes->parents[common];
        }
    }
    int best = -1, bestScore = 0;
    if (common >= 0)
    {
        for (int node = common; node >= 0; node = nodes->parents[node])
        {
            int score = IsMapped(search, node) ? 0 : GetScore(search, node, TD_BONE_HIPS);
            best = score > bestScore ? node : best;
            bestScore = tdMaxInt(score, bestScore);
        }
        if (best < 0 && !IsMapped(search, common))
        {
            MapByPlace(search, TD_BONE_HIPS, common);
            return;
        }
    }
    else
    {
        for (int i = 0; i < nodes->count; ++i)
        {
            int node = nodes->order[i],
                score = IsMapped(search, node) ? 0 : GetScore(search, node, TD_BONE_HIPS);
            best = score > bestScore ? node : best;
            bestScore = tdMaxInt(score, bestScore);
        }
    }
    search->humanoid->nodes[TD_BONE_HIPS] = best;
}

// The first child of a node whose name is that of a joint; -1: none.
static int FindJointChild(const BoneSearch* search, int node)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    int first = nodes->positions[node];
    for (int i = first + 1; i < nodes->subtreeEnds[first]; i = nodes->subtreeEnds[i])
    {
        int child = nodes->order[i];
        bool isOther = search->scene->skinCount > 0 && !search->isJoint[child];
        isOther = isOther || tdIsOtherJoint(nodes->names[child]);
        if (!isOther && nodes->meshes[child] < 0)
        {
            return child;
        }
    }
    return -1;
}

// Neck and head of a skeleton that numbers them as part of the spine, such as Rigify: the branch of the chest
// that leads to no arm.
static void MapHeadByPlace(const BoneSearch* search)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    const int* bones = search->humanoid->nodes;
    int left = bones[TD_BONE_LEFT_UPPER_ARM], right = bones[TD_BONE_RIGHT_UPPER_ARM];
    if (bones[TD_BONE_HEAD] >= 0 || left < 0 || right < 0)
    {
        return;
    }
    int chest = nodes->parents[left];
    while (chest >= 0 && !tdNodeTree_IsAncestor(nodes, chest, right))
    {
        chest = nodes->parents[chest];
    }
    if (chest < 0)
    {
        return;
    }
    int first = nodes->positions[chest], start = -1;
    for (int i = first + 1; i < nodes->subtreeEnds[first]; i = nodes->subtreeEnds[i])
    {
        int child = nodes->order[i];
        bool isJoint = search->scene->skinCount == 0 || search->isJoint[child];
        if (isJoint && start < 0 && !tdHasSideName(nodes->names[child], &search->affixes) &&
            !IsAtOrAbove(nodes, child, left) && !IsAtOrAbove(nodes, child, right))
        {
            start = child;
        }
    }
    int head = start;
    for (int node = start; node >= 0; node = FindJointChild(search, node))
    {
        head = node;
    }
    if (head >= 0 && !IsMapped(search, head))
    {
        MapByPlace(search, TD_BONE_HEAD, head);
        if (start != head && bones[TD_BONE_NECK] < 0)
        {
            MapByPlace(search, TD_BONE_NECK, start);
        }
    }
}

// Hands and feet follow from the joint above them.
static void MapExtremities(const BoneSearch* search)
{
    static const tdBone pairs[][2] = {{TD_BONE_LEFT_LOWER_LEG, TD_BONE_LEFT_FOOT},
                                      {TD_BONE_RIGHT_LOWER_LEG, TD_BONE_RIGHT_FOOT},
                                      {TD_BONE_LEFT_LOWER_ARM, TD_BONE_LEFT_HAND},
                                      {TD_BONE_RIGHT_LOWER_ARM, TD_BONE_RIGHT_HAND}};
    const int* bones = search->humanoid->nodes;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i)
    {
        int above = bones[pairs[i][0]];
        int child = above >= 0 && bones[pairs[i][1]] < 0 ? FindJointChild(search, above) : -1;
        if (child >= 0 && !IsMapped(search, child) && search->names[child].count == 0)
        {
            MapByPlace(search, pairs[i][1], child);
        }
    }
}

// Joints between the hips and the parent of the arms: spine, chest, upperChest. VRM names take precedence.
static void MapSpine(const BoneSearch* search)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    const int* bones = search->humanoid->nodes;
    int hips = bones[TD_BONE_HIPS];
    int arm =
        bones[TD_BONE_LEFT_SHOULDER] >= 0 ? bones[TD_BONE_LEFT_SHOULDER] : bones[TD_BONE_LEFT_UPPER_ARM];
    int neck = bones[TD_BONE_NECK] >= 0 ? bones[TD_BONE_NECK] : bones[TD_BONE_HEAD];
    int top = arm >= 0 ? arm : neck;
    if (hips < 0 || top < 0 || !tdNodeTree_IsAncestor(nodes, hips, top))
    {
        return;
    }
    int path[64], named[3] = {-1, -1, -1}, count = 0;
    for (int node = nodes->parents[top]; node != hips && count < 64; node = nodes->parents[node])
    {
        if (IsMapped(search, node))
        {
            continue;
        }
        path[count++] = node; // topmost of the body first
        for (int i = 0; i < 3; ++i)
        {
            named[i] = GetScore(search, node, (tdBone)(TD_BONE_SPINE + i)) > 0 ? node : named[i];
        }
    }
    if (count == 0)
    {
        return;
    }
    if (named[0] >= 0)
    {
        bool hasChest = named[1] >= 0 && tdNodeTree_IsAncestor(nodes, named[0], named[1]);
        bool hasUpper = hasChest && named[2] >= 0 && tdNodeTree_IsAncestor(nodes, named[1], named[2]);
        if (hasChest || count == 1)
        {
            search->humanoid->nodes[TD_BONE_SPINE] = named[0];
            search->humanoid->nodes[TD_BONE_CHEST] = hasChest ? named[1] : -1;
            search->humanoid->nodes[TD_BONE_UPPER_CHEST] = hasUpper ? named[2] : -1;
            return;
        }
    }
    MapByPlace(search, TD_BONE_SPINE, path[count - 1]);
    if (count > 1)
    {
        MapByPlace(search, TD_BONE_CHEST, count == 2 ? path[0] : path[count / 2]);
    }
    if (count > 2)
    {
        MapByPlace(search, TD_BONE_UPPER_CHEST, path[0]);
    }
}

// Confidence and ties

static void RateBones(const BoneSearch* search)
{
    const int* bones = search->humanoid->nodes;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (bones[i] < 0 || search->matches[i].evidence == TD_BONE_BY_PLACE)
        {
            continue;
        }
        float score = tdMinFloat(0.01f * (float)GetScore(search, bones[i], (tdBone)i), 1.0f);
        tdBone parent = tdHumanoid_GetParent(search->humanoid, (tdBone)i);
        bool isBelow =
            parent == TD_BONE_NONE || tdNodeTree_IsAncestor(&search->scene->nodes, bones[parent], bones[i]);
        search->matches[i] = (tdBoneMatch){TD_BONE_BY_NAME, isBelow ? score : 0.5f * score};
    }
}

// A joint that fits a bone as well as the one that was taken, in the same place of the chain.
static int FindRival(const BoneSearch* search, tdBone bone)
{
    const tdNodeTree* nodes = &search->scene->nodes;
    int node = search->humanoid->nodes[bone];
    int score = GetScore(search, node, bone);
    tdBone parentBone = tdHumanoid_GetParent(search->humanoid, bone);
    int parent = parentBone != TD_BONE_NONE ? search->humanoid->nodes[parentBone] : -1;
    for (int i = 0; i < nodes->count && score > 0; ++i)
    {
        int other = nodes->order[i];
        bool isBelow = parent < 0 || tdNodeTree_IsAncestor(nodes, parent, other);
        if (other != node && isBelow && GetScore(search, other, bone) == score && !IsMapped(search, other))
        {
            return other;
        }
    }
    return -1;
}

static void ReportTies(const BoneSearch* search, tdReport* report)
{
    for (int i = 0; i < TD_BONE_COUNT && report != NULL; ++i)
    {
        int node = search->humanoid->nodes[i];
        bool isNamed = node >= 0 && search->matches[i].evidence == TD_BONE_BY_NAME;
        int rival = isNamed ? FindRival(search, (tdBone)i) : -1;
        if (rival >= 0)
        {
            search->matches[i].confidence = tdMinFloat(search->matches[i].confidence, 0.5f);
            tdReport_Add(report, TD_DIAG_SK_TIE, NULL, search->scene->nodes.names[node], node,
                         search->scene->nodes.names[rival], rival, tdBone_GetInfo((tdBone)i)->name);
        }
    }
}

bool tdMapBonesByName(const tdScene* scene, tdHumanoid* humanoid, tdArena* arena, tdReport* report)
{
    size_t count = (size_t)scene->nodes.count;
    BoneSearch search = {.scene = scene, .humanoid = humanoid};
    search.names = tdArena_NewArray(arena, tdJointBones, count);
    search.isJoint = tdArena_NewArray(arena, bool, count);
    search.ends = tdArena_NewArray(arena, ChainEnd, count * (size_t)MAX_SLOTS);
    search.own = tdArena_NewArray(arena, ChainEnd, count * (size_t)MAX_SLOTS);
    search.matches = tdArena_NewArray(arena, tdBoneMatch, TD_BONE_COUNT);
    if (search.names == NULL || search.isJoint == NULL || search.ends == NULL || search.own == NULL ||
        search.matches == NULL)
    {
        return false;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        humanoid->nodes[i] = -1;
    }
    for (int s = 0; s < scene->skinCount; ++s)
    {
        for (int i = 0; i < scene->skins[s].jointCount; ++i)
        {
            search.isJoint[scene->skins[s].joints[i]] = true;
        }
    }
    FindPrefix(&search);
    FindSuffix(&search);
    if (!FindNumbers(&search, arena))
    {
        return false;
    }
    for (int node = 0; node < scene->nodes.count; ++node)
    {
        search.names[node] = FindCandidates(&search, node);
    }
    MapChains(&search);
    MapHips(&search);
    MapHeadByPlace(&search);
    MapExtremities(&search);
    MapSpine(&search);
    RateBones(&search);
    ReportTies(&search, report);
    humanoid->matches = search.matches;
    return true;
}

// Finds the node that an entry of a bone map names: "joint name", or an object with "joint" and "node" as
// tendon inspect --skeleton writes it. The node counts if it has that name, because names may repeat.
static int FindMappedNode(const tdScene* scene, const tdJson* json, int entry)
{
    int joint = tdJson_IsObject(json, entry) ? tdJson_Find(json, entry, "joint") : entry;
    int64_t index = -1;
    bool hasIndex = tdJson_IsObject(json, entry) &&
                    tdJson_GetInteger(json, tdJson_Find(json, entry, "node"), &index) && index >= 0 &&
                    index < scene->nodes.count;
    if (hasIndex && (joint < 0 || tdJson_StringEquals(json, joint, scene->nodes.names[index])))
    {
        return (int)index;
    }
    for (int node = 0; node < scene->nodes.count && joint >= 0; ++node)
    {
        if (tdJson_StringEquals(json, joint, scene->nodes.names[node]))
        {
            return node;
        }
    }
    return -1;
}

// A bone map is a JSON object from VRM bone names to joints; null removes a bone. Keys that begin with "$"
// are remarks.
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
        if (length > 0 && key[0] == '$')
        {
            continue;
        }
        tdBone bone = tdBone_Find(key, length);
        int found = FindMappedNode(scene, json, entry);
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
        if (humanoid->matches != NULL)
        {
            ((tdBoneMatch*)(uintptr_t)humanoid->matches)[bone] = (tdBoneMatch){TD_BONE_BY_MAP, 1.0f};
        }
    }
    tdDestroyJson(json);
    return true;
}
