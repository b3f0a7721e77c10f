// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Queries of the world's trees that report shapes.
#include "physics/broad_phase/tree_query.h"

#include "base/sse2.h"
#include "physics/broad_phase/part_tree.h"
#include "physics/broad_phase/query_tree.h"
#include "physics/data/world_data.h"

typedef struct TreeQuery
{
    const tdWorld* world;
    tdAabb box;
    tdBoxCast cast;
    tdVec3 point;
    tdAabbTreeVisitFcn* visit;
    tdAabbTreeCastFcn* visitCast;
    tdAabbTreeNearFcn* near;
    void* context;
} TreeQuery;

static bool OpenOverlap(void* context, int leaf)
{
    const TreeQuery* query = context;
    if (leaf >= 0)
    {
        return query->visit(query->context, leaf);
    }
    const tdPartTree* tree = tdWorld_GetPartTree(query->world, ~leaf);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (!tdOverlapAabb(tree->fat[i], query->box))
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0 && !query->visit(query->context, node->shape))
        {
            return false;
        }
        ++i;
    }
    return true;
}

void tdWorld_QueryTree(const tdWorld* world, tdAabbTreeKind kind, tdAabb box, tdAabbTreeVisitFcn* visit,
                       void* context)
{
    TreeQuery query = {.world = world, .box = box, .visit = visit, .context = context};
    tdAabbTree_QueryLeaves(&world->trees[kind], box, OpenOverlap, &query);
}

void tdWorld_PrepareQueries(const tdWorld* world, int count)
{
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        if (world->trees[i].root >= 0)
        {
            tdWorld_PrepareQueryTree(world, (tdAabbTreeKind)i, count);
        }
    }
}

// The children of a node whose boxes overlap `box`.
// @return bit i: child i
static inline unsigned OverlapChildren(const tdQueryNode* node, const tdAabb* box)
{
#if defined(TD_SSE2)
    __m128 x = _mm_and_ps(_mm_cmple_ps(_mm_load_ps(node->bounds[0]), _mm_set1_ps(box->upper.x)),
                          _mm_cmpge_ps(_mm_load_ps(node->bounds[3]), _mm_set1_ps(box->lower.x)));
    __m128 y = _mm_and_ps(_mm_cmple_ps(_mm_load_ps(node->bounds[1]), _mm_set1_ps(box->upper.y)),
                          _mm_cmpge_ps(_mm_load_ps(node->bounds[4]), _mm_set1_ps(box->lower.y)));
    __m128 z = _mm_and_ps(_mm_cmple_ps(_mm_load_ps(node->bounds[2]), _mm_set1_ps(box->upper.z)),
                          _mm_cmpge_ps(_mm_load_ps(node->bounds[5]), _mm_set1_ps(box->lower.z)));
    return (unsigned)_mm_movemask_ps(_mm_and_ps(x, _mm_and_ps(y, z))) & ((1u << node->childCount) - 1);
#else
    unsigned found = 0;
    for (int i = 0; i < node->childCount; ++i)
    {
        tdAabb child = {{node->bounds[0][i], node->bounds[1][i], node->bounds[2][i]},
                        {node->bounds[3][i], node->bounds[4][i], node->bounds[5][i]}};
        found |= tdOverlapAabb(child, *box) ? 1u << i : 0u;
    }
    return found;
#endif
}

static void OverlapQueryTree(const tdAabbTree* tree, TreeQuery* query)
{
    const tdQueryNode* nodes = tree->queryNodes.data;
    const tdAabb box = query->box;
    int stack[TD_QUERY_STACK_SIZE];
    int count = 0;
    stack[count++] = 0;
    while (count > 0)
    {
        const tdQueryNode* node = &nodes[stack[--count]];
        for (unsigned lanes = OverlapChildren(node, &box); lanes != 0; lanes &= lanes - 1)
        {
            int child = node->children[tdFindLowestBit(lanes)];
            if ((child & 1) == 0)
            {
                stack[count++] = child / 2;
            }
            else if (!OpenOverlap(query, (child - 1) / 2))
            {
                return;
            }
        }
    }
}

static bool OpenTightOverlap(void* context, int leaf)
{
    const TreeQuery* query = context;
    return (leaf >= 0 && !tdOverlapAabb(tdWorld_ComputeQueryBox(query->world, leaf), query->box)) ||
           OpenOverlap(context, leaf);
}

void tdWorld_OverlapTrees(const tdWorld* world, tdAabb box, tdAabbTreeVisitFcn* visit, void* context)
{
    TreeQuery query = {.world = world, .box = box, .visit = visit, .context = context};
    for (int i = 0; i < TD_AABB_TREE_COUNT; ++i)
    {
        const tdAabbTree* tree = &world->trees[i];
        if (tree->root < 0)
        {
            continue;
        }
        if (tdWorld_PrepareQueryTree(world, (tdAabbTreeKind)i, 1))
        {
            OverlapQueryTree(tree, &query);
        }
        else
        {
            tdAabbTree_QueryLeaves(tree, box, OpenTightOverlap, &query);
        }
    }
}

static float OpenCast(void* context, int leaf, float maxFraction)
{
    const TreeQuery* query = context;
    if (leaf >= 0)
    {
        return query->visitCast(query->context, leaf, maxFraction);
    }
    const tdPartTree* tree = tdWorld_GetPartTree(query->world, ~leaf);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (tdBoxCast_Enter(&query->cast, &tree->fat[i], maxFraction) > maxFraction)
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            float limit = query->visitCast(query->context, node->shape, maxFraction);
            if (limit < 0.0f)
            {
                return limit;
            }
            maxFraction = tdMinFloat(maxFraction, limit);
        }
        ++i;
    }
    return maxFraction;
}

static float OpenTightCast(void* context, int leaf, float maxFraction)
{
    const TreeQuery* query = context;
    if (leaf >= 0)
    {
        tdAabb box = tdWorld_ComputeQueryBox(query->world, leaf);
        if (tdBoxCast_Enter(&query->cast, &box, maxFraction) > maxFraction)
        {
            return maxFraction;
        }
    }
    return OpenCast(context, leaf, maxFraction);
}

// A cast, prepared for nodes of a query tree. The sign of the translation decides which side of a box is
// entered first.
typedef struct NodeCast
{
    int near[3], far[3];               // rows of the bounds
    float nearOffset[3], farOffset[3]; // corners of the moving box that meet them
    float inverse[3];
} NodeCast;

static NodeCast MakeNodeCast(const tdBoxCast* cast)
{
    NodeCast result;
    const float inverse[3] = {cast->inverse.x, cast->inverse.y, cast->inverse.z};
    for (int i = 0; i < 3; ++i)
    {
        bool isForward = inverse[i] >= 0.0f;
        result.near[i] = isForward ? i : i + 3;
        result.far[i] = isForward ? i + 3 : i;
        result.nearOffset[i] = isForward ? cast->highest[i] : cast->lowest[i];
        result.farOffset[i] = isForward ? cast->lowest[i] : cast->highest[i];
        result.inverse[i] = inverse[i];
    }
    return result;
}

// tdBoxCast_Enter for the children of a node.
// @return bit i: child i is entered, at fractions[i]
static inline unsigned EnterChildren(const NodeCast* cast, const tdQueryNode* node, float maxFraction,
                                     float fractions[4])
{
#if defined(TD_SSE2)
    __m128 enter[3], leave[3];
    for (int i = 0; i < 3; ++i)
    {
        __m128 inverse = _mm_set1_ps(cast->inverse[i]);
        enter[i] = _mm_mul_ps(
            _mm_sub_ps(_mm_load_ps(node->bounds[cast->near[i]]), _mm_set1_ps(cast->nearOffset[i])), inverse);
        leave[i] = _mm_mul_ps(
            _mm_sub_ps(_mm_load_ps(node->bounds[cast->far[i]]), _mm_set1_ps(cast->farOffset[i])), inverse);
    }
    __m128 first = _mm_max_ps(_mm_max_ps(enter[0], enter[1]), enter[2]);
    __m128 last = _mm_min_ps(_mm_min_ps(leave[0], leave[1]), leave[2]);
    __m128 sign = _mm_set1_ps(-0.0f), slack = _mm_set1_ps(TD_CAST_SLACK),
           least = _mm_set1_ps(TD_MIN_CAST_SLACK);
    first = _mm_sub_ps(first, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, first)), least));
    last = _mm_add_ps(last, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, last)), least));
    __m128 isEntered =
        _mm_cmple_ps(_mm_max_ps(first, _mm_setzero_ps()), _mm_min_ps(last, _mm_set1_ps(maxFraction)));
    _mm_storeu_ps(fractions, first);
    return (unsigned)_mm_movemask_ps(isEntered) & ((1u << node->childCount) - 1);
#else
    unsigned found = 0;
    for (int i = 0; i < node->childCount; ++i)
    {
        float enter = -FLT_MAX, leave = FLT_MAX;
        for (int axis = 0; axis < 3; ++axis)
        {
            float inverse = cast->inverse[axis];
            enter = tdMaxFloat(enter, (node->bounds[cast->near[axis]][i] - cast->nearOffset[axis]) * inverse);
            leave = tdMinFloat(leave, (node->bounds[cast->far[axis]][i] - cast->farOffset[axis]) * inverse);
        }
        enter -= TD_CAST_SLACK * tdAbsFloat(enter) + TD_MIN_CAST_SLACK;
        leave += TD_CAST_SLACK * tdAbsFloat(leave) + TD_MIN_CAST_SLACK;
        fractions[i] = enter;
        found |= enter <= leave && leave >= 0.0f && enter <= maxFraction ? 1u << i : 0u;
    }
    return found;
#endif
}

typedef struct ChildEntry
{
    int child; // as in tdQueryNode
    float fraction;
} ChildEntry;

// tdAabbTree_CastLeaves in a query tree.
static float CastQueryTree(const tdAabbTree* tree, TreeQuery* query, float maxFraction)
{
    const tdQueryNode* nodes = tree->queryNodes.data;
    const NodeCast cast = MakeNodeCast(&query->cast);
    ChildEntry stack[TD_QUERY_STACK_SIZE];
    int count = 0;
    ChildEntry entry = {0, 0.0f};
    for (;;)
    {
        if ((entry.child & 1) != 0)
        {
            float limit = OpenCast(query, (entry.child - 1) / 2, maxFraction);
            if (limit < 0.0f)
            {
                return limit;
            }
            maxFraction = tdMinFloat(maxFraction, limit);
        }
        else
        {
            const tdQueryNode* node = &nodes[entry.child / 2];
            float fractions[4];
            int first = count;
            // The nearest child comes to the top of the stack.
            for (unsigned lanes = EnterChildren(&cast, node, maxFraction, fractions); lanes != 0;
                 lanes &= lanes - 1)
            {
                int lane = tdFindLowestBit(lanes), at = count++;
                for (; at > first && stack[at - 1].fraction < fractions[lane]; --at)
                {
                    stack[at] = stack[at - 1];
                }
                stack[at] = (ChildEntry){node->children[lane], fractions[lane]};
            }
        }
        do
        {
            if (count == 0)
            {
                return maxFraction;
            }
            entry = stack[--count];
        } while (entry.fraction > maxFraction);
    }
}

void tdWorld_CastTrees(const tdWorld* world, tdVec3 origin, tdVec3 halfSize, tdVec3 translation,
                       float maxFraction, tdAabbTreeCastFcn* visit, void* context)
{
    TreeQuery query = {.world = world,
                       .cast = tdMakeBoxCast(origin, halfSize, translation),
                       .visitCast = visit,
                       .context = context};
    // Bodies first: their hits limit the search in large static meshes.
    for (int kind = TD_AABB_TREE_COUNT - 1; kind >= 0 && maxFraction >= 0.0f; --kind)
    {
        const tdAabbTree* tree = &world->trees[kind];
        if (tree->root < 0)
        {
            continue;
        }
        maxFraction = tdWorld_PrepareQueryTree(world, (tdAabbTreeKind)kind, 1)
                          ? CastQueryTree(tree, &query, maxFraction)
                          : tdAabbTree_CastLeaves(tree, &query.cast, maxFraction, OpenTightCast, &query);
    }
}

typedef struct LanesEntry
{
    int node;       // or the child of a node of a query tree
    float fraction; // the least one at which a ray enters
    unsigned lanes; // that enter
} LanesEntry;

#if defined(TD_SSE2)
typedef struct TreeLanes
{
    __m128 originX, originY, originZ, inverseX, inverseY, inverseZ;
} TreeLanes;

static TreeLanes MakeTreeLanes(const tdVec3* origins, const tdVec3* translations)
{
    tdBoxCast c[4];
    for (int i = 0; i < 4; ++i)
    {
        c[i] = tdMakeBoxCast(origins[i], tdVec3_zero, translations[i]);
    }
    return (TreeLanes){
        _mm_setr_ps(origins[0].x, origins[1].x, origins[2].x, origins[3].x),
        _mm_setr_ps(origins[0].y, origins[1].y, origins[2].y, origins[3].y),
        _mm_setr_ps(origins[0].z, origins[1].z, origins[2].z, origins[3].z),
        _mm_setr_ps(c[0].inverse.x, c[1].inverse.x, c[2].inverse.x, c[3].inverse.x),
        _mm_setr_ps(c[0].inverse.y, c[1].inverse.y, c[2].inverse.y, c[3].inverse.y),
        _mm_setr_ps(c[0].inverse.z, c[1].inverse.z, c[2].inverse.z, c[3].inverse.z),
    };
}

// tdBoxCast_Enter for four rays.
static inline LanesEntry EnterLanes(const TreeLanes* rays, const tdAabb* box, const float* limits, int node)
{
    __m128 x0 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(box->lower.x), rays->originX), rays->inverseX);
    __m128 x1 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(box->upper.x), rays->originX), rays->inverseX);
    __m128 y0 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(box->lower.y), rays->originY), rays->inverseY);
    __m128 y1 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(box->upper.y), rays->originY), rays->inverseY);
    __m128 z0 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(box->lower.z), rays->originZ), rays->inverseZ);
    __m128 z1 = _mm_mul_ps(_mm_sub_ps(_mm_set1_ps(box->upper.z), rays->originZ), rays->inverseZ);
    __m128 enter = _mm_max_ps(_mm_max_ps(_mm_min_ps(x0, x1), _mm_min_ps(y0, y1)), _mm_min_ps(z0, z1));
    __m128 leave = _mm_min_ps(_mm_min_ps(_mm_max_ps(x0, x1), _mm_max_ps(y0, y1)), _mm_max_ps(z0, z1));
    __m128 sign = _mm_set1_ps(-0.0f), slack = _mm_set1_ps(TD_CAST_SLACK),
           least = _mm_set1_ps(TD_MIN_CAST_SLACK);
    enter = _mm_sub_ps(enter, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, enter)), least));
    leave = _mm_add_ps(leave, _mm_add_ps(_mm_mul_ps(slack, _mm_andnot_ps(sign, leave)), least));
    // The entry of a ray that starts inside is negative; its limit decides whether the lane has a ray.
    __m128 limit = _mm_loadu_ps(limits);
    __m128 isHit = _mm_and_ps(_mm_and_ps(_mm_cmple_ps(enter, leave), _mm_cmpge_ps(leave, _mm_setzero_ps())),
                              _mm_and_ps(_mm_cmple_ps(enter, limit), _mm_cmpge_ps(limit, _mm_setzero_ps())));
    __m128 v = _mm_or_ps(_mm_and_ps(isHit, enter), _mm_andnot_ps(isHit, _mm_set1_ps(FLT_MAX)));
    v = _mm_min_ps(v, _mm_movehl_ps(v, v));
    v = _mm_min_ps(v, _mm_shuffle_ps(v, v, 1));
    return (LanesEntry){node, _mm_cvtss_f32(v), (unsigned)_mm_movemask_ps(isHit)};
}
#else
typedef struct TreeLanes
{
    tdBoxCast casts[4];
} TreeLanes;

static TreeLanes MakeTreeLanes(const tdVec3* origins, const tdVec3* translations)
{
    TreeLanes rays;
    for (int i = 0; i < 4; ++i)
    {
        rays.casts[i] = tdMakeBoxCast(origins[i], tdVec3_zero, translations[i]);
    }
    return rays;
}

static inline LanesEntry EnterLanes(const TreeLanes* rays, const tdAabb* box, const float* limits, int node)
{
    LanesEntry entry = {node, FLT_MAX, 0};
    for (unsigned i = 0; i < 4; ++i)
    {
        float fraction = limits[i] >= 0.0f ? tdBoxCast_Enter(&rays->casts[i], box, limits[i]) : FLT_MAX;
        entry.fraction = tdMinFloat(entry.fraction, fraction);
        entry.lanes |= fraction < FLT_MAX ? 1u << i : 0u;
    }
    return entry;
}
#endif

// Visit a leaf: a shape, or the parts of a compound.
static void VisitLeafLanes(const tdWorld* world, const TreeLanes* rays, int leaf, unsigned lanes,
                           const float* limits, tdTreeLanesFcn* visit, void* context)
{
    if (leaf >= 0)
    {
        visit(context, leaf, lanes);
        return;
    }
    const tdPartTree* tree = tdWorld_GetPartTree(world, ~leaf);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        LanesEntry entry = EnterLanes(rays, &tree->fat[i], limits, i);
        if (entry.lanes == 0)
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            visit(context, node->shape, entry.lanes);
        }
        ++i;
    }
}

static void CastLanesInTree(const tdWorld* world, const tdAabbTree* tree, const TreeLanes* lanes,
                            const float* limits, tdTreeLanesFcn* visit, void* context)
{
    const TreeLanes copy = *lanes, *rays = &copy; // stays in registers: `visit` cannot change it
    const tdAabbTreeNode* nodes = tree->nodes.data;
    LanesEntry stack[TD_AABB_TREE_MAX_HEIGHT];
    int count = 0;
    LanesEntry entry = EnterLanes(rays, &nodes[tree->root].box, limits, tree->root);
    for (;;)
    {
        float farthest = tdMaxFloat(tdMaxFloat(limits[0], limits[1]), tdMaxFloat(limits[2], limits[3]));
        if (entry.lanes != 0 && entry.fraction <= farthest)
        {
            const tdAabbTreeNode* node = &nodes[entry.node];
            if (node->child1 >= 0)
            {
                LanesEntry one = EnterLanes(rays, &nodes[node->child1].box, limits, node->child1);
                LanesEntry two = EnterLanes(rays, &nodes[node->child2].box, limits, node->child2);
                bool isFirst = one.fraction <= two.fraction;
                stack[count] = isFirst ? two : one;
                count += stack[count].lanes != 0 ? 1 : 0;
                entry = isFirst ? one : two;
                continue;
            }
            // Hits since the leaf was put on the stack may have ended some of its rays.
            tdAabb box = node->child2 >= 0 ? tdWorld_ComputeQueryBox(world, node->child2) : node->box;
            entry = EnterLanes(rays, &box, limits, entry.node);
            if (entry.lanes != 0)
            {
                VisitLeafLanes(world, rays, node->child2, entry.lanes, limits, visit, context);
            }
        }
        if (count == 0)
        {
            return;
        }
        entry = stack[--count];
    }
}

static inline tdAabb GetChildBox(const tdQueryNode* node, int lane)
{
    return (tdAabb){{node->bounds[0][lane], node->bounds[1][lane], node->bounds[2][lane]},
                    {node->bounds[3][lane], node->bounds[4][lane], node->bounds[5][lane]}};
}

// Enter the children of a node and put them on the stack, the nearest one on top.
// @return number of entries on the stack
static inline int PushLanes(const TreeLanes* rays, const tdQueryNode* node, const float* limits,
                            LanesEntry* stack, int count)
{
    int first = count;
    for (int i = 0; i < node->childCount; ++i)
    {
        tdAabb box = GetChildBox(node, i);
        LanesEntry entry = EnterLanes(rays, &box, limits, node->children[i]);
        if (entry.lanes == 0)
        {
            continue;
        }
        int at = count++;
        for (; at > first && stack[at - 1].fraction < entry.fraction; --at)
        {
            stack[at] = stack[at - 1];
        }
        stack[at] = entry;
    }
    return count;
}

// The lanes of an entry whose rays have not ended before it.
static inline unsigned GetOpenLanes(const LanesEntry* entry, const float* limits)
{
    unsigned lanes = 0;
    for (unsigned i = 0; i < 4; ++i)
    {
        lanes |= entry->fraction <= limits[i] ? 1u << i : 0u;
    }
    return lanes & entry->lanes;
}

static void CastLanesInQueryTree(const tdWorld* world, const tdAabbTree* tree, const TreeLanes* lanes,
                                 const float* limits, tdTreeLanesFcn* visit, void* context)
{
    const TreeLanes copy = *lanes, *rays = &copy; // stays in registers: `visit` cannot change it
    const tdQueryNode* nodes = tree->queryNodes.data;
    LanesEntry stack[TD_QUERY_STACK_SIZE];
    int count = PushLanes(rays, nodes, limits, stack, 0);
    while (count > 0)
    {
        LanesEntry entry = stack[--count];
        unsigned open = GetOpenLanes(&entry, limits);
        if (open == 0)
        {
            continue;
        }
        if ((entry.node & 1) != 0)
        {
            VisitLeafLanes(world, rays, (entry.node - 1) / 2, open, limits, visit, context);
        }
        else
        {
            count = PushLanes(rays, &nodes[entry.node / 2], limits, stack, count);
        }
    }
}

void tdWorld_CastLanes(const tdWorld* world, const tdVec3* origins, const tdVec3* translations,
                       const float* limits, tdTreeLanesFcn* visit, void* context)
{
    TreeLanes rays = MakeTreeLanes(origins, translations);
    for (int kind = TD_AABB_TREE_COUNT - 1; kind >= 0; --kind)
    {
        const tdAabbTree* tree = &world->trees[kind];
        if (tree->root >= 0)
        {
            (tdWorld_PrepareQueryTree(world, (tdAabbTreeKind)kind, 4)
                 ? CastLanesInQueryTree
                 : CastLanesInTree)(world, tree, &rays, limits, visit, context);
        }
    }
}

static float OpenNear(void* context, int leaf, float maxDistanceSquared)
{
    const TreeQuery* query = context;
    if (leaf >= 0)
    {
        return query->near(query->context, leaf, maxDistanceSquared);
    }
    const tdPartTree* tree = tdWorld_GetPartTree(query->world, ~leaf);
    for (int i = 0; i < tree->count;)
    {
        const tdPartNode* node = &tree->nodes[i];
        if (tdGetDistanceSquared(tree->fat[i], query->point) > maxDistanceSquared)
        {
            i = node->escape;
            continue;
        }
        if (node->shape >= 0)
        {
            maxDistanceSquared =
                tdMinFloat(maxDistanceSquared, query->near(query->context, node->shape, maxDistanceSquared));
        }
        ++i;
    }
    return maxDistanceSquared;
}

// Squared distances of a point from the boxes of the children of a node.
static inline void MeasureChildren(const tdQueryNode* node, tdVec3 point, float distances[4])
{
#if defined(TD_SSE2)
    __m128 p[3] = {_mm_set1_ps(point.x), _mm_set1_ps(point.y), _mm_set1_ps(point.z)};
    __m128 sum = _mm_setzero_ps();
    for (int i = 0; i < 3; ++i)
    {
        __m128 outside = _mm_max_ps(_mm_max_ps(_mm_sub_ps(_mm_load_ps(node->bounds[i]), p[i]),
                                               _mm_sub_ps(p[i], _mm_load_ps(node->bounds[i + 3]))),
                                    _mm_setzero_ps());
        sum = _mm_add_ps(sum, _mm_mul_ps(outside, outside));
    }
    _mm_storeu_ps(distances, sum);
#else
    for (int i = 0; i < 4; ++i)
    {
        distances[i] = tdGetDistanceSquared(GetChildBox(node, i), point);
    }
#endif
}

static void FindNearInQueryTree(const tdAabbTree* tree, TreeQuery* query, float maxDistanceSquared)
{
    const tdQueryNode* nodes = tree->queryNodes.data;
    ChildEntry stack[TD_QUERY_STACK_SIZE]; // with squared distances as fractions
    int count = 0;
    stack[count++] = (ChildEntry){0, 0.0f};
    while (count > 0)
    {
        ChildEntry entry = stack[--count];
        if (entry.fraction > maxDistanceSquared)
        {
            continue;
        }
        if ((entry.child & 1) != 0)
        {
            maxDistanceSquared =
                tdMinFloat(maxDistanceSquared, OpenNear(query, (entry.child - 1) / 2, maxDistanceSquared));
            continue;
        }
        const tdQueryNode* node = &nodes[entry.child / 2];
        float distances[4];
        MeasureChildren(node, query->point, distances);
        int first = count;
        for (int i = 0; i < node->childCount; ++i)
        {
            int at = count;
            if (distances[i] > maxDistanceSquared)
            {
                continue;
            }
            for (; at > first && stack[at - 1].fraction < distances[i]; --at)
            {
                stack[at] = stack[at - 1];
            }
            stack[at] = (ChildEntry){node->children[i], distances[i]};
            count += 1;
        }
    }
}

void tdWorld_FindNearInTree(const tdWorld* world, tdAabbTreeKind kind, tdVec3 point, float maxDistanceSquared,
                            tdAabbTreeNearFcn* visit, void* context)
{
    TreeQuery query = {.world = world, .point = point, .near = visit, .context = context};
    const tdAabbTree* tree = &world->trees[kind];
    if (tree->root >= 0 && tdWorld_PrepareQueryTree(world, kind, 1))
    {
        FindNearInQueryTree(tree, &query, maxDistanceSquared);
    }
    else
    {
        tdAabbTree_FindNearLeaves(tree, point, maxDistanceSquared, OpenNear, &query);
    }
}
