// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Sides of a mesh: which side of its shells a point is on. A mesh is a thin surface that collides on both
// sides; faces on the other side of an edge, which the point is behind although it is on the front of the
// shell, must not be mistaken for faces that it is on the back of. Decision:
// docs/decisions/047-thin-shells.md.
#pragma once

#include "triangles.h"

/// Shells near a shape that are told apart; the sides of more shells follow from the planes of their faces.
#define TD_MAX_NEAR_SHELLS 16

typedef struct tdShellSide
{
    uint32_t shell;
    int8_t side;       // 1: front of the shell, -1: back
    bool isSure;       // found from the nearest face; else a guess from the first face
    bool isRemembered; // known from an earlier test, and the point has not passed a face since
} tdShellSide;

/// The sides of one point.
typedef struct tdMeshSides
{
    const tdTriangles* mesh;
    tdAabb box; // of the faces that decide
    tdVec3 point;
    int count;
    bool hasChanged; // a guess was wrong: the faces must be visited again
    tdShellSide list[TD_MAX_NEAR_SHELLS];
} tdMeshSides;

void tdMeshSides_Init(tdMeshSides* sides, const tdTriangles* mesh, tdAabb box, tdVec3 point);
/// Enters a side that is known from an earlier test.
void tdMeshSides_Remember(tdMeshSides* sides, uint32_t shell, int side);
/// Decides how a face collides with a shape whose centre is the point.
/// @param height of the point above the plane of the triangle
/// @return 1: with its front, -1: with its back, 0: not at all, because it is beyond an edge
int tdMeshSides_Choose(tdMeshSides* sides, uint32_t triangle, float height);
/// As tdMeshSides_Choose, but faces beyond an edge collide too, on the side of their shell.
/// @return 1 or -1
int tdMeshSides_Orient(tdMeshSides* sides, uint32_t triangle, float height);
/// Side of the point relative to the nearest face of a shell inside the box of the sides.
/// @return 1 or -1
int tdMeshSides_Find(const tdMeshSides* sides, uint32_t shell);

/// A face that a segment passes.
typedef struct tdPassedFace
{
    tdVec3 normal; // unit, to the side of the start
    float offset;  // of the plane
    uint32_t shell;
    int side; // of the start relative to the shell: 1 or -1
} tdPassedFace;

/// Finds the first face that the segment from `start` to `end` passes.
bool tdTriangles_FindPassed(const tdTriangles* mesh, tdVec3 start, tdVec3 end, tdPassedFace* passed);
