// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parses BVH text: HIERARCHY of ROOT, JOINT and End Site with OFFSET and CHANNELS, then MOTION with Frames,
// Frame Time and numbers. Keywords are case-insensitive; a name extends to the end of its line, because some
// contain spaces.
#include "bvh.h"

#include "base/array.h"
#include "base/number.h"
#include "base/report.h"

#include <string.h>

#define MAX_JOINT_DEPTH 4096

typedef struct Token
{
    const char* text;
    size_t length;
    int line, column;
} Token;

typedef struct BvhParser
{
    const char *text, *end, *at;
    const char* lineStart;
    int line;
    tdReport* report;
    tdArena* arena;
    tdAllocator allocator;
    tdArray(tdBvhJoint) joints;
    tdArray(float) numbers;
    bool isOutOfMemory;
} BvhParser;

static char LowerCase(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool IsSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static void SkipBvhSpace(BvhParser* p)
{
    while (p->at < p->end && IsSpace(*p->at))
    {
        if (*p->at == '\n')
        {
            p->line += 1;
            p->lineStart = p->at + 1;
        }
        p->at += 1;
    }
}

static Token PeekToken(BvhParser* p)
{
    SkipBvhSpace(p);
    Token token = {p->at, 0, p->line, (int)(p->at - p->lineStart) + 1};
    const char* c = p->at;
    while (c < p->end && !IsSpace(*c))
    {
        bool isBrace = *c == '{' || *c == '}';
        if (isBrace && c > p->at)
        {
            break;
        }
        c += 1;
        if (isBrace)
        {
            break;
        }
    }
    token.length = (size_t)(c - p->at);
    return token;
}

static Token TakeToken(BvhParser* p)
{
    Token token = PeekToken(p);
    p->at += token.length;
    return token;
}

static bool TokenIs(Token token, const char* word)
{
    for (size_t i = 0; i < token.length; ++i)
    {
        if (word[i] == 0 || LowerCase(token.text[i]) != word[i])
        {
            return false;
        }
    }
    return token.length > 0 && word[token.length] == 0;
}

static bool FailBvh(BvhParser* p, Token token, const char* message)
{
    tdReport_AddAt(p->report, TD_DIAG_BVH_SYNTAX, (int64_t)(token.text - p->text), token.line, token.column,
                   message);
    return false;
}

static bool ExpectWord(BvhParser* p, const char* word, const char* message)
{
    Token token = TakeToken(p);
    return TokenIs(token, word) || FailBvh(p, token, message);
}

// Reads a number: the grammar of JSON plus a leading "+" and a leading or trailing point ("-.5", "1.").
static bool ReadNumber(BvhParser* p, double* value)
{
    Token token = TakeToken(p);
    char text[64];
    size_t length = 0;
    const char* c = token.text;
    const char* end = token.text + token.length;
    if (token.length == 0 || token.length > sizeof(text) - 4)
    {
        return FailBvh(p, token,
                       token.length == 0 ? "a number is missing at the end of the file" : "not a number");
    }
    c += *c == '+';
    if (c < end && *c == '-')
    {
        text[length++] = *c++;
    }
    while (c + 1 < end && *c == '0' && c[1] >= '0' && c[1] <= '9')
    {
        ++c; // leading zeros
    }
    if (c < end && *c == '.')
    {
        text[length++] = '0';
    }
    for (; c < end; ++c)
    {
        text[length++] = *c;
        bool endsAfter = c + 1 == end || c[1] == 'e' || c[1] == 'E';
        if (*c == '.' && endsAfter)
        {
            text[length++] = '0';
        }
    }
    text[length] = 0;
    if (tdParseDouble(text, length, value) != length || !(*value > -1.0e30 && *value < 1.0e30))
    {
        return FailBvh(p, token, "not a number");
    }
    return true;
}

static const char* ReadName(BvhParser* p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
    {
        p->at += 1;
    }
    const char* start = p->at;
    while (p->at < p->end && *p->at != '\n' && *p->at != '{')
    {
        p->at += 1;
    }
    const char* end = p->at;
    while (end > start && IsSpace(end[-1]))
    {
        end -= 1;
    }
    const char* name = tdArena_CopyText(p->arena, start, (size_t)(end - start));
    p->isOutOfMemory = p->isOutOfMemory || name == NULL;
    return name;
}

static bool ReadOffset(BvhParser* p, tdVec3* offset)
{
    double x, y, z;
    if (!ReadNumber(p, &x) || !ReadNumber(p, &y) || !ReadNumber(p, &z))
    {
        return false;
    }
    *offset = (tdVec3){(float)x, (float)y, (float)z};
    return true;
}

static bool ReadChannels(BvhParser* p, tdBvhJoint* joint, int* total)
{
    static const char* const names[] = {"xposition", "yposition", "zposition",
                                        "xrotation", "yrotation", "zrotation"};
    double count = 0.0;
    Token token = PeekToken(p);
    if (!ReadNumber(p, &count))
    {
        return false;
    }
    if (!(count >= 0.0 && count <= TD_BVH_MAX_CHANNELS) || count != (double)(int)count ||
        joint->channelCount > 0)
    {
        return FailBvh(p, token, "a joint has 0 to 6 channels");
    }
    joint->firstChannel = *total;
    for (int i = 0; i < (int)count; ++i)
    {
        token = TakeToken(p);
        int channel = 0;
        while (channel < 6 && !TokenIs(token, names[channel]))
        {
            channel += 1;
        }
        if (channel == 6)
        {
            return FailBvh(p, token, "unknown channel; Xposition to Zrotation are known");
        }
        joint->channels[joint->channelCount++] = (tdBvhChannel)channel;
    }
    *total += joint->channelCount;
    return true;
}

static bool PushJoint(BvhParser* p, const char* name, int parent, bool isEnd)
{
    tdBvhJoint joint = {.name = name, .parent = parent, .isEnd = isEnd};
    if (name == NULL || !tdArray_Push(&p->allocator, &p->joints, joint))
    {
        p->isOutOfMemory = true;
        return false;
    }
    return true;
}

// Reads nested "{ … }" blocks; `open` is the joint of the current block, -1 outside.
static bool ReadHierarchy(BvhParser* p, int* channelCount)
{
    int open = -1, depth = 0;
    for (;;)
    {
        Token token = TakeToken(p);
        tdBvhJoint* joint = open >= 0 ? &p->joints.data[open] : NULL;
        bool isRoot = TokenIs(token, "root"), isJoint = TokenIs(token, "joint"),
             isEnd = TokenIs(token, "end");
        if (TokenIs(token, "motion") && open < 0)
        {
            return p->joints.count > 0 || FailBvh(p, token, "there is no ROOT");
        }
        if ((isRoot && open < 0) || (isJoint && joint != NULL && !joint->isEnd))
        {
            if (++depth > MAX_JOINT_DEPTH || !PushJoint(p, ReadName(p), open, false))
            {
                return !p->isOutOfMemory && FailBvh(p, token, "too many joints inside each other");
            }
            open = p->joints.count - 1;
        }
        else if (isEnd && joint != NULL && !joint->isEnd)
        {
            size_t length = strlen(joint->name);
            char* name = tdArena_Allocate(p->arena, length + 4, 1);
            if (name != NULL)
            {
                memcpy(name, joint->name, length);
                memcpy(name + length, "End", 4);
            }
            depth += 1;
            if (!ExpectWord(p, "site", "\"End\" is followed by \"Site\"") || !PushJoint(p, name, open, true))
            {
                return false;
            }
            open = p->joints.count - 1;
        }
        else if (TokenIs(token, "offset") && joint != NULL)
        {
            if (!ReadOffset(p, &joint->offset))
            {
                return false;
            }
            continue;
        }
        else if (TokenIs(token, "channels") && joint != NULL && !joint->isEnd)
        {
            if (!ReadChannels(p, joint, channelCount))
            {
                return false;
            }
            continue;
        }
        else if (TokenIs(token, "}") && joint != NULL)
        {
            open = joint->parent;
            depth -= 1;
            continue;
        }
        else
        {
            return FailBvh(p, token,
                           token.length == 0
                               ? "the file ends inside the hierarchy"
                               : (joint == NULL ? "expected ROOT or MOTION"
                                                : "expected OFFSET, CHANNELS, JOINT, End Site or }"));
        }
        if (!ExpectWord(p, "{", "expected {"))
        {
            return false;
        }
    }
}

// Reads "Frames: 12" and "Frame Time: 0.0333", with or without a space before the colon.
static bool ReadLabel(BvhParser* p, const char* first, const char* second, const char* message)
{
    Token token = TakeToken(p);
    char word[16] = {0};
    size_t length = token.length < sizeof(word) - 1 ? token.length : 0;
    memcpy(word, token.text, length);
    if (length > 0 && word[length - 1] == ':')
    {
        word[length - 1] = 0;
    }
    Token bare = {word, strlen(word), token.line, token.column};
    if (!TokenIs(bare, first))
    {
        return FailBvh(p, token, message);
    }
    if (second != NULL)
    {
        return ReadLabel(p, second, NULL, message);
    }
    Token colon = PeekToken(p);
    if (TokenIs(colon, ":"))
    {
        TakeToken(p);
    }
    return true;
}

// Reads numbers up to the end or the first other token; incomplete frames are dropped.
static bool ReadFrames(BvhParser* p, tdBvh* bvh)
{
    double count = 0.0;
    if (!ReadLabel(p, "frames", NULL, "expected Frames:"))
    {
        return true;
    }
    Token token = PeekToken(p);
    if (!ReadNumber(p, &count))
    {
        return true;
    }
    if (!(count >= 0.0 && count < 2.0e9) || count != (double)(int)count)
    {
        FailBvh(p, token, "the number of frames is not a whole number");
        return true;
    }
    if (!ReadLabel(p, "frame", "time", "expected Frame Time:"))
    {
        return true;
    }
    token = PeekToken(p);
    if (!ReadNumber(p, &bvh->frameTime))
    {
        return true;
    }
    if (!(bvh->frameTime > 1.0e-6 && bvh->frameTime < 1.0e6))
    {
        FailBvh(p, token, "the frame time is not a number of seconds above zero");
        bvh->frameTime = 1.0 / 30.0;
    }
    int64_t wanted = (int64_t)count * bvh->channelCount;
    for (int64_t i = 0; i < wanted; ++i)
    {
        double value = 0.0;
        if (!ReadNumber(p, &value))
        {
            break;
        }
        if (!tdArray_Push(&p->allocator, &p->numbers, (float)value))
        {
            p->isOutOfMemory = true;
            return false;
        }
    }
    bvh->frameCount = bvh->channelCount > 0 ? p->numbers.count / bvh->channelCount : 0;
    return true;
}

bool tdIsBvh(const char* text, size_t size)
{
    BvhParser p = {.text = text, .end = text + size, .at = text, .lineStart = text, .line = 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    {
        p.at += 3;
    }
    return TokenIs(PeekToken(&p), "hierarchy");
}

bool tdParseBvh(const char* text, size_t size, tdArena* arena, tdReport* report, tdBvh* bvh)
{
    BvhParser p = {.text = text, .end = text + size, .at = text, .lineStart = text, .line = 1};
    p.report = report;
    p.arena = arena;
    p.allocator = arena->allocator;
    *bvh = (tdBvh){.frameTime = 1.0 / 30.0};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    {
        p.at += 3;
    }
    bool isRead = ExpectWord(&p, "hierarchy", "expected HIERARCHY") &&
                  ReadHierarchy(&p, &bvh->channelCount) && ReadFrames(&p, bvh);
    if (isRead)
    {
        bvh->jointCount = p.joints.count;
        bvh->joints = tdArena_NewArray(arena, tdBvhJoint, p.joints.count);
        float* frames = tdArena_NewArray(arena, float, p.numbers.count);
        p.isOutOfMemory = p.isOutOfMemory || bvh->joints == NULL || frames == NULL;
        if (!p.isOutOfMemory)
        {
            memcpy(bvh->joints, p.joints.data, (size_t)p.joints.count * sizeof(tdBvhJoint));
            for (int i = 0; i < p.numbers.count; ++i)
            {
                frames[i] = p.numbers.data[i];
            }
        }
        bvh->frames = frames;
    }
    tdArray_Free(&p.allocator, &p.joints);
    tdArray_Free(&p.allocator, &p.numbers);
    if (p.isOutOfMemory)
    {
        tdReport_Add(report, TD_DIAG_OUT_OF_MEMORY, NULL, "reading BVH");
    }
    return isRead && !p.isOutOfMemory;
}
