// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bones that the name of a joint can mean. A name consists of a prefix ("mixamorig:", "Bip01 "), a side and a
// base name from the tables below. Names are ambiguous between programs: "Leg" is a shin in one and a thigh
// in another, so a name gives scored candidates.
#include "joint_names.h"

#include <string.h>

#define NAME_SIZE 64
/// Longest name that is looked at; of a longer one, its end.
#define TEXT_SIZE 256

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

// A base name with its bone, of the left side, and a score in percent. A name with several bones is
// ambiguous; the hierarchy decides.
typedef struct Alias
{
    const char* base;
    tdBone bone;
    int score;
} Alias;

/// Score of a VRM bone name.
#define EXACT_SCORE 110
/// The only tip that can be a bone: English names of MikuMikuDance call the toes so.
#define TOE_TIP "toetip"
/// The only twist joint that is a bone: Character Creator has no other neck.
#define NECK_TWIST "necktwist01"

static const Alias middleNames[] = {
    {"hips", TD_BONE_HIPS, 100},      {"hip", TD_BONE_HIPS, 95},
    {"pelvis", TD_BONE_HIPS, 95},     {"hiproot", TD_BONE_HIPS, 80},
    {"koshi", TD_BONE_HIPS, 60},      {"waist", TD_BONE_HIPS, 60},
    {"center", TD_BONE_HIPS, 50},     {"sentaa", TD_BONE_HIPS, 50},
    {"lowerbody", TD_BONE_HIPS, 55},  {"root", TD_BONE_HIPS, 40},
    {"kahanshin", TD_BONE_HIPS, 55},  {"neck", TD_BONE_NECK, 100},
    {"neck1", TD_BONE_NECK, 95},      {"neck01", TD_BONE_NECK, 100},
    {"necklower", TD_BONE_NECK, 100}, {"lowerneck", TD_BONE_NECK, 100},
    {"neck2", TD_BONE_NECK, 60},      {"neck02", TD_BONE_NECK, 60},
    {"neckupper", TD_BONE_NECK, 60},  {"upperneck", TD_BONE_NECK, 60},
    {"kubi", TD_BONE_NECK, 100},      {"head", TD_BONE_HEAD, 100},
    {"atama", TD_BONE_HEAD, 100},     {"jaw", TD_BONE_JAW, 100},
    {"lowerjaw", TD_BONE_JAW, 95},    {"spine", TD_BONE_SPINE, 100},
    {"chest", TD_BONE_CHEST, 100},    {"upperchest", TD_BONE_UPPER_CHEST, 100},
    {NECK_TWIST, TD_BONE_NECK, 90},
};

static const Alias sideNames[] = {
    {"upleg", TD_BONE_LEFT_UPPER_LEG, 100},
    {"upperleg", TD_BONE_LEFT_UPPER_LEG, 100},
    {"legupper", TD_BONE_LEFT_UPPER_LEG, 95},
    {"thigh", TD_BONE_LEFT_UPPER_LEG, 100},
    {"thighbend", TD_BONE_LEFT_UPPER_LEG, 100},
    {"hip", TD_BONE_LEFT_UPPER_LEG, 90},
    {"femur", TD_BONE_LEFT_UPPER_LEG, 95},
    {"leg", TD_BONE_LEFT_UPPER_LEG, 55},
    {"ashi", TD_BONE_LEFT_UPPER_LEG, 90},
    {"leg", TD_BONE_LEFT_LOWER_LEG, 90},
    {"lowerleg", TD_BONE_LEFT_LOWER_LEG, 100},
    {"leglower", TD_BONE_LEFT_LOWER_LEG, 95},
    {"lowleg", TD_BONE_LEFT_LOWER_LEG, 100},
    {"calf", TD_BONE_LEFT_LOWER_LEG, 100},
    {"shin", TD_BONE_LEFT_LOWER_LEG, 100},
    {"knee", TD_BONE_LEFT_LOWER_LEG, 95},
    {"tibia", TD_BONE_LEFT_LOWER_LEG, 95},
    {"hiza", TD_BONE_LEFT_LOWER_LEG, 95},
    {"foot", TD_BONE_LEFT_FOOT, 90},
    {"ankle", TD_BONE_LEFT_FOOT, 95},
    {"ashikubi", TD_BONE_LEFT_FOOT, 95},
    {"foot", TD_BONE_LEFT_TOES, 40},
    {"toebase", TD_BONE_LEFT_TOES, 100},
    {"toe", TD_BONE_LEFT_TOES, 100},
    {"toes", TD_BONE_LEFT_TOES, 100},
    {"ball", TD_BONE_LEFT_TOES, 100},
    {"toe0", TD_BONE_LEFT_TOES, 100},
    {"metatarsals", TD_BONE_LEFT_TOES, 60},
    {"metatarsal", TD_BONE_LEFT_TOES, 60},
    {"tsumasaki", TD_BONE_LEFT_TOES, 95},
    {TOE_TIP, TD_BONE_LEFT_TOES, 40},
    {"shoulder", TD_BONE_LEFT_SHOULDER, 80},
    {"clavicle", TD_BONE_LEFT_SHOULDER, 100},
    {"collar", TD_BONE_LEFT_SHOULDER, 100},
    {"collarbone", TD_BONE_LEFT_SHOULDER, 100},
    {"kata", TD_BONE_LEFT_SHOULDER, 90},
    {"shoulder", TD_BONE_LEFT_UPPER_ARM, 70},
    {"arm", TD_BONE_LEFT_UPPER_ARM, 85},
    {"upperarm", TD_BONE_LEFT_UPPER_ARM, 100},
    {"armupper", TD_BONE_LEFT_UPPER_ARM, 95},
    {"uparm", TD_BONE_LEFT_UPPER_ARM, 100},
    {"shldr", TD_BONE_LEFT_UPPER_ARM, 95},
    {"shldrbend", TD_BONE_LEFT_UPPER_ARM, 100},
    {"humerus", TD_BONE_LEFT_UPPER_ARM, 95},
    {"ude", TD_BONE_LEFT_UPPER_ARM, 90},
    {"forearm", TD_BONE_LEFT_LOWER_ARM, 100},
    {"lowerarm", TD_BONE_LEFT_LOWER_ARM, 100},
    {"armlower", TD_BONE_LEFT_LOWER_ARM, 95},
    {"lowarm", TD_BONE_LEFT_LOWER_ARM, 100},
    {"elbow", TD_BONE_LEFT_LOWER_ARM, 95},
    {"forearmbend", TD_BONE_LEFT_LOWER_ARM, 100},
    {"radius", TD_BONE_LEFT_LOWER_ARM, 95},
    {"hiji", TD_BONE_LEFT_LOWER_ARM, 95},
    {"hand", TD_BONE_LEFT_HAND, 95},
    {"wrist", TD_BONE_LEFT_HAND, 100},
    {"tekubi", TD_BONE_LEFT_HAND, 100},
    {"eye", TD_BONE_LEFT_EYE, 100},
    {"eyeball", TD_BONE_LEFT_EYE, 90},
    {"faceeye", TD_BONE_LEFT_EYE, 100},
    {"eyesmplhf", TD_BONE_LEFT_EYE, 100},
};

// Names of MikuMikuDance, after the side, with digits as ASCII.
static const Alias japaneseNames[] = {
    {"センター", TD_BONE_HIPS, 50},      {"腰", TD_BONE_HIPS, 60},
    {"下半身", TD_BONE_HIPS, 55},        {"首", TD_BONE_NECK, 100},
    {"頭", TD_BONE_HEAD, 100},           {"肩", TD_BONE_LEFT_SHOULDER, 100},
    {"腕", TD_BONE_LEFT_UPPER_ARM, 100}, {"ひじ", TD_BONE_LEFT_LOWER_ARM, 100},
    {"肘", TD_BONE_LEFT_LOWER_ARM, 100}, {"手首", TD_BONE_LEFT_HAND, 100},
    {"足", TD_BONE_LEFT_UPPER_LEG, 100}, {"ひざ", TD_BONE_LEFT_LOWER_LEG, 100},
    {"膝", TD_BONE_LEFT_LOWER_LEG, 100}, {"足首", TD_BONE_LEFT_FOOT, 100},
    {"つま先", TD_BONE_LEFT_TOES, 100},  {"目", TD_BONE_LEFT_EYE, 100},
    {"足先ex", TD_BONE_LEFT_TOES, 90},
};

static const struct
{
    const char* name;
    tdBone first; // of three segments, left
} fingers[] = {
    {"thumb", TD_BONE_LEFT_THUMB_METACARPAL},       {"index", TD_BONE_LEFT_INDEX_PROXIMAL},
    {"middle", TD_BONE_LEFT_MIDDLE_PROXIMAL},       {"mid", TD_BONE_LEFT_MIDDLE_PROXIMAL},
    {"ring", TD_BONE_LEFT_RING_PROXIMAL},           {"pinky", TD_BONE_LEFT_LITTLE_PROXIMAL},
    {"little", TD_BONE_LEFT_LITTLE_PROXIMAL},       {"fore", TD_BONE_LEFT_INDEX_PROXIMAL},
    {"third", TD_BONE_LEFT_RING_PROXIMAL},          {"findex", TD_BONE_LEFT_INDEX_PROXIMAL},
    {"fmiddle", TD_BONE_LEFT_MIDDLE_PROXIMAL},      {"fring", TD_BONE_LEFT_RING_PROXIMAL},
    {"fpinky", TD_BONE_LEFT_LITTLE_PROXIMAL},       {"oyayubi", TD_BONE_LEFT_THUMB_METACARPAL},
    {"hitosashiyubi", TD_BONE_LEFT_INDEX_PROXIMAL}, {"nakayubi", TD_BONE_LEFT_MIDDLE_PROXIMAL},
    {"kusuriyubi", TD_BONE_LEFT_RING_PROXIMAL},     {"koyubi", TD_BONE_LEFT_LITTLE_PROXIMAL},
    {"親指", TD_BONE_LEFT_THUMB_METACARPAL},        {"人指", TD_BONE_LEFT_INDEX_PROXIMAL},
    {"人差指", TD_BONE_LEFT_INDEX_PROXIMAL},        {"中指", TD_BONE_LEFT_MIDDLE_PROXIMAL},
    {"薬指", TD_BONE_LEFT_RING_PROXIMAL},           {"小指", TD_BONE_LEFT_LITTLE_PROXIMAL},
};

// Words of nodes that are no bones: controls, twist helpers, tips.
static const char* const otherWords[] = {"ik",       "pole",   "ctrl",  "control", "mch",    "twist",
                                         "roll",     "nub",    "end",   "tip",     "target", "helper",
                                         "effector", "socket", "dummy", "site",    "goal",   "offset"};

/// Cost of Rigify's copies of its bones.
#define COPY_COST 25

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
    const char* bar = strrchr(name, '|');
    name = bar != NULL ? bar + 1 : name;
    if (BeginsWith(name, "valvebiped."))
    {
        name += 11;
    }
    static const char* const prefixes[] = {"mixamorig", "character", "biped",  "bip",    "jbip",  "j_bip",
                                           "j_adj",     "j bip",     "j adj",  "adj_",   "adj ",  "def-",
                                           "org-",      "cc_base",   "m_avg_", "f_avg_", "smplx_"};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); ++i)
    {
        if (BeginsWith(name, prefixes[i]))
        {
            const char* rest = name + strlen(prefixes[i]);
            bool isOther = prefixes[i][0] == 'b' && IsWord(*rest) && (*rest < '0' || *rest > '9'); // "bipod"
            if (isOther)
            {
                continue;
            }
            while ((*rest >= '0' && *rest <= '9') || (*rest != 0 && !IsWord(*rest)))
            {
                ++rest;
            }
            return *rest != 0 ? rest : name;
        }
    }
    return name;
}

// Side of a letter; the name of a vertebra, such as "L5", has none.
static Side GetSideOfLetter(char letter)
{
    char lower = ToLowerCase(letter);
    return lower == 'l' ? SIDE_LEFT : (lower == 'r' ? SIDE_RIGHT : SIDE_NONE);
}

// Removes a side word at the start or the end.
static Side TakeSide(const char** start, const char** end)
{
    const char *s = *start, *e = *end;
    static const struct
    {
        const char* word;
        Side side;
    } words[] = {{"left", SIDE_LEFT}, {"right", SIDE_RIGHT}, {"hidari", SIDE_LEFT}, {"migi", SIDE_RIGHT},
                 {"lf_", SIDE_LEFT},  {"rt_", SIDE_RIGHT},   {"左", SIDE_LEFT},     {"右", SIDE_RIGHT}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i)
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
    // One letter, marked by a separator or by case: "L_Thigh", "lThigh", "LThumb", "thigh.L", "hand_r", and
    // "thighL", "f_index01R" where a program removed the separator.
    if (e - s > 2)
    {
        Side first = GetSideOfLetter(s[0]), last = GetSideOfLetter(e[-1]);
        bool isCapital = IsUpper(s[1]) && (!IsUpper(s[0]) || !IsUpper(s[2])); // no word such as "ROOT"
        if (first != SIDE_NONE && (!IsWord(s[1]) || isCapital))
        {
            *start = s + 1;
            return first;
        }
        bool isApart = !IsWord(e[-2]) && (unsigned char)e[-2] < 0x80; // no part of a Japanese letter
        if (last != SIDE_NONE && isApart)
        {
            *end = e - 2;
            return last;
        }
        if (last != SIDE_NONE && IsUpper(e[-1]) && !IsUpper(e[-2]))
        {
            *end = e - 1;
            return last;
        }
    }
    return SIDE_NONE;
}

// Whether a word occurs in a name, separated by case, digits or other characters.
static bool HasNameWord(const char* name, const char* word)
{
    size_t length = strlen(word);
    for (const char* c = name; *c != 0; ++c)
    {
        bool starts =
            c == name || !IsWord(c[-1]) || (IsUpper(*c) && !IsUpper(c[-1])) || (c[-1] >= '0' && c[-1] <= '9');
        if (starts && BeginsWith(c, word))
        {
            const char* after = c + length;
            bool isDigit = *after >= '0' && *after <= '9';
            if (!IsWord(*after) || isDigit || (IsUpper(*after) && !IsUpper(after[-1])))
            {
                return true;
            }
        }
    }
    return false;
}

// Copies the base name: ASCII in lower case without separators, other characters as they are, digits of full
// width as ASCII.
static void CopyBase(const char* start, const char* end, char* base, int size)
{
    int length = 0;
    for (const char* c = start; c < end && length < size - 1; ++c)
    {
        bool isWide = end - c >= 3 && (unsigned char)c[0] == 0xef && (unsigned char)c[1] == 0xbc &&
                      (unsigned char)c[2] >= 0x90 && (unsigned char)c[2] <= 0x99;
        if (isWide)
        {
            base[length++] = (char)('0' + ((unsigned char)c[2] - 0x90));
            c += 2;
        }
        else if (IsWord(*c) || (unsigned char)*c >= 0x80)
        {
            base[length++] = ToLowerCase(*c);
        }
    }
    base[length] = 0;
}

// Finds a side between separators: "index_L_01", "finger.left.2".
static Side FindInnerSide(const char* start, const char* end, const char** word, const char** after)
{
    static const char* const words[] = {"l", "r", "left", "right"};
    for (const char* c = start; c < end; ++c)
    {
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && c > start && !IsWord(c[-1]); ++i)
        {
            size_t length = strlen(words[i]);
            if ((size_t)(end - c) > length && BeginsWith(c, words[i]) && !IsWord(c[length]))
            {
                *word = c;
                *after = c + length;
                return GetSideOfLetter(*c);
            }
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
    if (ToLowerCase(start[0]) == 'c' && start[1] != 0 && strchr(TD_NAME_SEPARATORS, start[1]) != NULL)
    {
        start += 2;
    }
    joint.side = TakeSide(&start, &end);
    const char *word = end, *after = end;
    if (joint.side == SIDE_NONE)
    {
        joint.side = FindInnerSide(start, end, &word, &after);
    }
    CopyBase(start, word, joint.base, NAME_SIZE);
    size_t length = strlen(joint.base);
    CopyBase(after, end, joint.base + length, NAME_SIZE - (int)length);
    return joint;
}

// Length of the whole words of the prefix with which a name begins.
static size_t MeasurePrefix(const char* text, const tdJointAffixes* affixes)
{
    size_t length = 0;
    for (size_t i = 0; i < affixes->prefixLength && text[i] == affixes->prefix[i]; ++i)
    {
        length = strchr(TD_NAME_SEPARATORS, text[i]) != NULL ? i + 1 : length;
    }
    return length;
}

const char* tdSkipJointNumber(const char* full)
{
    const char* name = full;
    for (const char* c = full; *c != 0; ++c)
    {
        name = *c == ':' || *c == '|' ? c + 1 : name;
    }
    size_t digits = strspn(name, "0123456789");
    size_t separators = strspn(name + digits, TD_NAME_SEPARATORS);
    bool isNumbered = digits > 0 && separators > 0 && name[digits + separators] != 0;
    return isNumbered ? name + digits + separators : full;
}

// Copies a name without its number and what most names of the file share.
static void TrimName(const char* text, const tdJointAffixes* affixes, char trimmed[TEXT_SIZE])
{
    text = tdSkipJointNumber(text);
    size_t length = strlen(text), skipped = length >= TEXT_SIZE ? length - TEXT_SIZE + 1 : 0;
    size_t prefix = MeasurePrefix(text, affixes);
    skipped = prefix > skipped ? prefix : skipped;
    size_t suffix = tdMeasureSuffix(text, affixes);
    length -= suffix < length - skipped ? suffix : 0;
    memcpy(trimmed, text + skipped, length - skipped);
    trimmed[length - skipped] = 0;
}

bool tdIsSideWord(const char* word, size_t length)
{
    static const char* const words[] = {"l", "r", "left", "right"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i)
    {
        if (strlen(words[i]) == length && BeginsWith(word, words[i]))
        {
            return true;
        }
    }
    return false;
}

size_t tdMeasureSuffix(const char* text, const tdJointAffixes* affixes)
{
    size_t length = strlen(text), suffix = affixes->suffixLength;
    bool hasSuffix = suffix > 0 && suffix < length && strcmp(text + length - suffix, affixes->suffix) == 0;
    suffix = hasSuffix ? suffix : 0;
    size_t digits = suffix;
    while (affixes->isNumbered && digits < length && text[length - digits - 1] >= '0' &&
           text[length - digits - 1] <= '9')
    {
        digits += 1;
    }
    bool isApart =
        digits > suffix && digits < length && strchr(TD_NAME_SEPARATORS, text[length - digits - 1]) != NULL;
    return isApart ? digits + 1 : suffix;
}

// The bone of the other side: same name after the side word.
static tdBone MirrorBone(tdBone bone, Side side)
{
    const char* name = tdBone_GetInfo(bone)->name;
    if (side != SIDE_RIGHT || strncmp(name, "left", 4) != 0)
    {
        return bone;
    }
    char mirrored[NAME_SIZE] = "right";
    strncat(mirrored, name + 4, NAME_SIZE - 6);
    return tdBone_Find(mirrored, strlen(mirrored));
}

static void AddBoneCandidate(tdJointBones* name, tdBone bone, int score)
{
    if (bone != TD_BONE_NONE && name->count < TD_MAX_BONE_CANDIDATES)
    {
        name->candidates[name->count++] = (tdBoneCandidate){bone, score};
    }
}

// 3ds Max numbers fingers from 0 and their segments after that: "Finger0", "Finger01", "Finger12".
static bool AddNumberedFinger(tdJointBones* name, const JointName* joint, const char* digits)
{
    bool isFinger = digits[0] >= '0' && digits[0] <= '4';
    bool hasSegment = isFinger && digits[1] >= '1' && digits[1] <= '2' && digits[2] == 0;
    if (!isFinger || (digits[1] != 0 && !hasSegment))
    {
        return false;
    }
    int segment = hasSegment ? digits[1] - '0' : 0;
    tdBone first = (tdBone)(TD_BONE_LEFT_THUMB_METACARPAL + 3 * (digits[0] - '0'));
    AddBoneCandidate(name, MirrorBone((tdBone)(first + segment), joint->side), 90);
    return true;
}

// Rokoko numbers fingers from 1 and names their segments: "Finger1Metacarpal", "Finger2Proximal".
static const char* FindFingerName(const char* base, tdBone* first)
{
    bool isNumbered = strncmp(base, "finger", 6) == 0 && base[6] >= '1' && base[6] <= '5' && base[7] >= 'a';
    if (isNumbered)
    {
        *first = (tdBone)(TD_BONE_LEFT_THUMB_METACARPAL + 3 * (base[6] - '1'));
        return base + 7;
    }
    base = strncmp(base, "hand", 4) == 0 ? base + 4 : (strncmp(base, "finger", 6) == 0 ? base + 6 : base);
    for (size_t i = 0; i < sizeof(fingers) / sizeof(fingers[0]); ++i)
    {
        size_t length = strlen(fingers[i].name);
        if (strncmp(base, fingers[i].name, length) == 0)
        {
            const char* rest = base + length;
            rest = strncmp(rest, "finger", 6) == 0 ? rest + 6 : rest;
            bool isOther = *rest != 0 && (*rest < '0' || *rest > '9') && strcmp(rest, "proximal") != 0 &&
                           strcmp(rest, "intermediate") != 0 && strcmp(rest, "medial") != 0 &&
                           strcmp(rest, "distal") != 0 && strcmp(rest, "metacarpal") != 0;
            if (!isOther)
            {
                *first = fingers[i].first;
                return rest;
            }
        }
    }
    return NULL;
}

static void AddFinger(tdJointBones* name, const JointName* joint)
{
    if (strncmp(joint->base, "finger", 6) == 0 && AddNumberedFinger(name, joint, joint->base + 6))
    {
        return;
    }
    tdBone first = TD_BONE_NONE;
    const char* rest = FindFingerName(joint->base, &first);
    if (rest == NULL)
    {
        return;
    }
    bool isThumb = first == TD_BONE_LEFT_THUMB_METACARPAL;
    tdBone bones[3];
    for (int i = 0; i < 3; ++i)
    {
        bones[i] = MirrorBone((tdBone)(first + i), joint->side);
    }
    bool isZero = rest[0] == '0' && rest[1] == 0;
    rest += rest[0] == '0' && rest[1] != 0;
    if (isZero && isThumb)
    {
        AddBoneCandidate(name, bones[0], 100); // MikuMikuDance counts the thumb from 0
    }
    else if (rest[0] >= '1' && rest[0] <= '3' && rest[1] == 0)
    {
        int segment = rest[0] - '1';
        AddBoneCandidate(name, bones[segment], 90);
        AddBoneCandidate(name, isThumb && segment < 2 ? bones[segment + 1] : TD_BONE_NONE, 80);
    }
    else if (strcmp(rest, "proximal") == 0)
    {
        // Unity and VRM 0.x have an intermediate segment of the thumb; their proximal one is the metacarpal.
        AddBoneCandidate(name, bones[isThumb ? 1 : 0], 100);
        AddBoneCandidate(name, isThumb ? bones[0] : TD_BONE_NONE, 90);
    }
    else if (strcmp(rest, "metacarpal") == 0)
    {
        AddBoneCandidate(name, isThumb ? bones[0] : TD_BONE_NONE, 100);
    }
    else if (strcmp(rest, "intermediate") == 0 || strcmp(rest, "medial") == 0)
    {
        AddBoneCandidate(name, bones[1], 100);
    }
    else if (strcmp(rest, "distal") == 0)
    {
        AddBoneCandidate(name, bones[2], 100);
    }
}

static void AddAliases(tdJointBones* name, const JointName* joint, const Alias* aliases, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        bool hasSide = strncmp(tdBone_GetInfo(aliases[i].bone)->name, "left", 4) == 0;
        if (hasSide == (joint->side != SIDE_NONE) && strcmp(aliases[i].base, joint->base) == 0)
        {
            AddBoneCandidate(name, MirrorBone(aliases[i].bone, joint->side), aliases[i].score);
        }
    }
}

tdJointBones tdFindJointBones(const char* full, const tdJointAffixes* affixes)
{
    tdJointBones name = {.count = 0};
    char text[TEXT_SIZE];
    TrimName(full, affixes, text);
    tdBone exact = tdBone_Find(text, strlen(text));
    if (exact != TD_BONE_NONE)
    {
        AddBoneCandidate(&name, exact, EXACT_SCORE);
        bool isThumb = exact == TD_BONE_LEFT_THUMB_PROXIMAL || exact == TD_BONE_RIGHT_THUMB_PROXIMAL;
        AddBoneCandidate(&name, isThumb ? (tdBone)(exact - 1) : TD_BONE_NONE, 90); // VRM 0.x
        return name;
    }
    JointName joint = TakeApart(text);
    if (tdIsOtherJoint(full) && strcmp(joint.base, TOE_TIP) != 0 && strcmp(joint.base, NECK_TWIST) != 0)
    {
        return name;
    }
    AddAliases(&name, &joint, middleNames, sizeof(middleNames) / sizeof(middleNames[0]));
    AddAliases(&name, &joint, sideNames, sizeof(sideNames) / sizeof(sideNames[0]));
    AddAliases(&name, &joint, japaneseNames, sizeof(japaneseNames) / sizeof(japaneseNames[0]));
    if (joint.side != SIDE_NONE && name.count == 0)
    {
        AddFinger(&name, &joint);
    }
    if (name.count == 0 && joint.side == SIDE_NONE && (joint.base[0] == 'l' || joint.base[0] == 'r'))
    {
        // "lfemur", "rhumerus": a side without a mark, if a known name follows.
        JointName bare = {joint.base[0] == 'l' ? SIDE_LEFT : SIDE_RIGHT, {0}};
        memcpy(bare.base, joint.base + 1, NAME_SIZE - 1);
        AddAliases(&name, &bare, sideNames, sizeof(sideNames) / sizeof(sideNames[0]));
        if (name.count == 0)
        {
            AddFinger(&name, &bare);
        }
    }
    bool isCopy = BeginsWith(text, "org-");
    for (int i = 0; i < name.count && isCopy; ++i)
    {
        name.candidates[i].score -= COPY_COST;
    }
    return name;
}

bool tdIsOtherJoint(const char* text)
{
    for (size_t i = 0; i < sizeof(otherWords) / sizeof(otherWords[0]); ++i)
    {
        if (HasNameWord(text, otherWords[i]))
        {
            return true;
        }
    }
    return false;
}

bool tdHasSideName(const char* full, const tdJointAffixes* affixes)
{
    char text[TEXT_SIZE];
    TrimName(full, affixes, text);
    return TakeApart(text).side != SIDE_NONE;
}

tdBone tdMirrorBone(tdBone bone)
{
    return MirrorBone(bone, SIDE_RIGHT);
}
