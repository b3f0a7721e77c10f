// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shells of a mesh, by a search over neighbours.
#include "shells.h"

/// A triangle that the search has not reached.
#define UNREACHED UINT32_MAX

bool tdIsEdgeReversed(const uint32_t* indices, uint32_t triangle, int edge, uint32_t neighbor)
{
    const uint32_t* own = indices + 3 * (size_t)triangle;
    const uint32_t* other = indices + 3 * (size_t)neighbor;
    uint32_t a = own[edge], b = own[edge < 2 ? edge + 1 : 0];
    bool isReversed = false;
    for (int k = 0; k < 3; ++k)
    {
        isReversed = isReversed || (other[k] == a && other[k < 2 ? k + 1 : 0] == b);
    }
    return isReversed;
}

/// Result of the search for one shell.
typedef struct ShellSum
{
    uint32_t first, count; // in the list of reached triangles
    bool isOpen, isTwisted, isMixed;
    double volume;  // times 6, in the orientation of its first triangle
    double area[2]; // times 2: of triangles with that orientation, and reversed
} ShellSum;

static void AddToShell(const tdTriangles* mesh, uint32_t triangle, bool isReversed, ShellSum* sum)
{
    tdVec3 p[3], origin = mesh->vertices[0];
    tdTriangles_GetCorners(mesh, (int)triangle, p);
    tdVec3 a = tdSub(p[0], origin), b = tdSub(p[1], origin), c = tdSub(p[2], origin);
    double volume = (double)tdDot(a, tdCross(b, c));
    tdVec3 normal = tdCross(tdSub(b, a), tdSub(c, a));
    sum->volume += isReversed ? -volume : volume;
    sum->area[isReversed ? 1 : 0] += (double)tdLength(normal);
}

/// Reaches all triangles of the shell of the first one. shells[t] is 1 for triangles of the opposite winding.
static ShellSum SearchShell(const tdTriangles* mesh, uint32_t* shells, uint32_t* list, uint32_t start)
{
    ShellSum sum = {.first = start, .count = 1};
    shells[list[start]] = 0;
    for (uint32_t i = start; i < start + sum.count; ++i)
    {
        uint32_t triangle = list[i];
        AddToShell(mesh, triangle, shells[triangle] != 0, &sum);
        for (int e = 0; e < 3; ++e)
        {
            uint32_t neighbor = mesh->neighbors[3 * (size_t)triangle + (size_t)e];
            if (neighbor == TD_NO_TRIANGLE)
            {
                sum.isOpen = true;
                continue;
            }
            bool isReversed = tdIsEdgeReversed(mesh->indices, triangle, e, neighbor);
            uint32_t orientation = isReversed ? 1u - shells[triangle] : shells[triangle];
            sum.isMixed = sum.isMixed || isReversed;
            if (shells[neighbor] == UNREACHED)
            {
                shells[neighbor] = orientation;
                list[start + sum.count++] = neighbor;
            }
            sum.isTwisted = sum.isTwisted || shells[neighbor] != orientation;
        }
    }
    return sum;
}

bool tdFindShells(const tdTriangles* mesh, uint32_t* shells, uint32_t* scratch)
{
    uint32_t shell = 0, reached = 0;
    bool isMixed = false;
    for (int i = 0; i < mesh->triangleCount; ++i)
    {
        shells[i] = UNREACHED;
    }
    for (uint32_t t = 0; t < (uint32_t)mesh->triangleCount; ++t)
    {
        if (shells[t] != UNREACHED)
        {
            continue;
        }
        scratch[reached] = t;
        ShellSum sum = SearchShell(mesh, shells, scratch, reached);
        bool isFlipped = sum.isOpen ? sum.area[1] > sum.area[0] : sum.volume < 0.0;
        isMixed = isMixed || sum.isMixed;
        for (uint32_t i = sum.first; i < sum.first + sum.count; ++i)
        {
            uint32_t* bits = &shells[scratch[i]];
            bool isReversed = !sum.isTwisted && (*bits != 0) != isFlipped;
            *bits = (isReversed ? TD_SHELL_REVERSED : 0u) |
                    (sum.isOpen || sum.isTwisted ? 0u : TD_SHELL_CLOSED) | shell << TD_SHELL_SHIFT;
            shell += sum.isTwisted ? 1u : 0u;
        }
        shell += sum.isTwisted ? 0u : 1u;
        reached += sum.count;
    }
    return isMixed;
}
