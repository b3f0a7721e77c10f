// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Queries of the world's trees that report shapes: compounds are opened with their part trees.
#pragma once

#include "physics/broad_phase/aabb_tree.h"

#include "tendon/physics.h"

/// Visit all shapes whose boxes overlap `box`.
void tdWorld_QueryTree(const tdWorld* world, tdAabbTreeKind kind, tdAabb box, tdAabbTreeVisitFcn* visit,
                       void* context);
/// Prepare all trees for a number of queries (query_tree.h).
void tdWorld_PrepareQueries(const tdWorld* world, int count);
/// Visit the shapes in all trees whose tight boxes overlap `box`.
void tdWorld_OverlapTrees(const tdWorld* world, tdAabb box, tdAabbTreeVisitFcn* visit, void* context);
/// Visit the shapes in all trees that a moving box may hit.
/// @param origin centre of the box; `halfSize` is zero for a ray
void tdWorld_CastTrees(const tdWorld* world, tdVec3 origin, tdVec3 halfSize, tdVec3 translation,
                       float maxFraction, tdAabbTreeCastFcn* visit, void* context);
/// Called for a shape that some of four rays may hit. Lowers the maximum fractions of rays that hit.
/// @param lanes bit i: ray i
typedef void tdTreeLanesFcn(void* context, int shape, unsigned lanes);
/// Visit the shapes in all trees that four rays may hit.
/// @param limits maximum fractions, which `visit` lowers; negative: no ray
void tdWorld_CastLanes(const tdWorld* world, const tdVec3* origins, const tdVec3* translations,
                       const float* limits, tdTreeLanesFcn* visit, void* context);
/// Visit the shapes within a distance of a point.
void tdWorld_FindNearInTree(const tdWorld* world, tdAabbTreeKind kind, tdVec3 point, float maxDistanceSquared,
                            tdAabbTreeNearFcn* visit, void* context);
