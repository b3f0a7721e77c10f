// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Order of elimination of the bodies of a joint tree. Leaves come first: they fill nothing, so the cost of a
// tree is linear. The bodies on loops follow by least degree (W. F. Tinney and J. W. Walker, 1967), of equals
// the one with the lowest index, so that the order depends on the joints only.
#include "physics/joint/joint_order.h"

#include "math/vecmath.h"

#include <string.h>

static void EliminateLeaf(tdJointOrder* order, int body)
{
    int parent = order->degrees[body] == 1 ? order->links[body] : -1;
    order->degrees[body] = -1;
    order->parents[body] = parent;
    order->places[body] = order->leafCount;
    order->bodies[order->leafCount++] = body;
    if (parent >= 0)
    {
        order->degrees[parent] -= 1;
        order->links[parent] ^= body;
        order->lineCount += 1;
    }
}

void tdJointOrder_EliminateLeaves(tdJointOrder* order)
{
    order->leafCount = order->lineCount = order->productCount = 0;
    for (int i = order->count - 1; i >= 0; --i)
    {
        // A body before i becomes a leaf when its turn comes.
        for (int body = i; body >= i && (order->degrees[body] == 0 || order->degrees[body] == 1);)
        {
            EliminateLeaf(order, body);
            body = order->parents[body];
        }
    }
    int place = order->leafCount;
    for (int i = 0; i < order->count; ++i)
    {
        if (order->degrees[i] >= 0)
        {
            order->parents[i] = -1;
            order->places[i] = place;
            order->bodies[place++] = i;
        }
    }
}

static bool HasCoreBit(const uint64_t* set, int index)
{
    return (set[index / 64] >> (index % 64) & 1u) != 0;
}

static int CountBits(const uint64_t* set, int words)
{
    int count = 0;
    for (int w = 0; w < words; ++w)
    {
        for (uint64_t bits = set[w]; bits != 0; bits &= bits - 1)
        {
            count += 1;
        }
    }
    return count;
}

// On entry the bodies of the core are in their own order, and core body k is bodies[leafCount + k]. The sets
// keep this numbering.
bool tdJointOrder_EliminateCore(tdJointOrder* order, int maxProducts)
{
    int count = order->count - order->leafCount, words = order->words;
    int* degrees = order->degrees; // of core bodies from here on, -1: eliminated
    int* core = order->links;      // links are no longer needed: the bodies by core number
    for (int i = 0; i < count; ++i)
    {
        core[i] = order->bodies[order->leafCount + i];
        degrees[i] = CountBits(order->sets + (size_t)i * (size_t)words, words);
    }
    for (int place = order->leafCount; place < order->count; ++place)
    {
        int best = -1;
        for (int i = 0; i < count; ++i)
        {
            if (degrees[i] >= 0 && (best < 0 || degrees[i] < degrees[best]))
            {
                best = i;
            }
        }
        const uint64_t* set = order->sets + (size_t)best * (size_t)words;
        order->lineCount += degrees[best];
        order->productCount += degrees[best] * (degrees[best] - 1) / 2;
        if (order->productCount > maxProducts)
        {
            return false;
        }
        degrees[best] = -1;
        order->bodies[place] = core[best];
        order->places[core[best]] = place;
        order->parents[core[best]] = best; // its set
        for (int i = 0; i < count; ++i)
        {
            if (degrees[i] >= 0 && HasCoreBit(set, i))
            {
                uint64_t* other = order->sets + (size_t)i * (size_t)words;
                for (int w = 0; w < words; ++w)
                {
                    other[w] |= set[w];
                }
                other[i / 64] &= ~((uint64_t)1 << (i % 64));
                other[best / 64] &= ~((uint64_t)1 << (best % 64));
                degrees[i] = CountBits(other, words);
            }
        }
    }
    return true;
}

static int FindLine(const int* starts, const int* lines, int column, int line)
{
    int at = starts[column];
    while (lines[at] != line)
    {
        at += 1;
    }
    return at;
}

void tdJointOrder_WriteStructure(const tdJointOrder* order, int* starts, int* lines, int* products)
{
    int count = 0;
    for (int place = 0; place < order->count; ++place)
    {
        starts[place] = count;
        int parent = order->parents[order->bodies[place]];
        if (place < order->leafCount && parent >= 0)
        {
            lines[count++] = order->places[parent];
        }
        for (int other = place + 1; place >= order->leafCount && other < order->count; ++other)
        {
            // The set of an eliminated body has only bodies that follow it.
            int set = parent, bit = order->parents[order->bodies[other]];
            if (HasCoreBit(order->sets + (size_t)set * (size_t)order->words, bit))
            {
                lines[count++] = other;
            }
        }
    }
    starts[order->count] = count;
    for (int place = order->leafCount; place < order->count; ++place)
    {
        for (int a = starts[place]; a < starts[place + 1]; ++a)
        {
            for (int b = starts[place]; b < a; ++b)
            {
                *products = FindLine(starts, lines, lines[b], lines[a]);
                products += 1;
            }
        }
    }
}
