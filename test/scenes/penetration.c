// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Measures penetration with GJK for the distance of two cores and EPA for the depth; radii are added
// afterwards. A median-split tree finds the pairs. The code prefers simplicity to speed.
#include "penetration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Vec
{
    double x, y, z;
} Vec;

static Vec Add(Vec a, Vec b)
{
    return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static Vec Sub(Vec a, Vec b)
{
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Vec Scale(Vec a, double s)
{
    return (Vec){a.x * s, a.y * s, a.z * s};
}

static double Dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec Cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec Widen(tdVec3 a)
{
    return (Vec){(double)a.x, (double)a.y, (double)a.z};
}

// A convex core with a rounding radius, placed in the world.
typedef struct Core
{
    tdSetupShapeKind kind; // TD_SETUP_MESH stands for the triangle below
    Vec size;
    const tdVec3* points;
    int pointCount;
    Vec triangle[3];
    double axes[3][3]; // columns of the rotation
    Vec origin;
    double radius;
} Core;

static void MakeAxes(tdQuat rotation, double axes[3][3])
{
    double x = (double)rotation.x, y = (double)rotation.y, z = (double)rotation.z, w = (double)rotation.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    axes[0][0] = 1 - s * (y * y + z * z), axes[0][1] = s * (x * y + w * z), axes[0][2] = s * (x * z - w * y);
    axes[1][0] = s * (x * y - w * z), axes[1][1] = 1 - s * (x * x + z * z), axes[1][2] = s * (y * z + w * x);
    axes[2][0] = s * (x * z + w * y), axes[2][1] = s * (y * z - w * x), axes[2][2] = 1 - s * (x * x + y * y);
}

static Vec ToWorld(const Core* core, Vec v)
{
    const double(*m)[3] = core->axes;
    return (Vec){core->origin.x + m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z,
                 core->origin.y + m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
                 core->origin.z + m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z};
}

static Core MakeCore(const tdSetup* setup, int shapeIndex, tdTransform pose)
{
    const tdSetupShape* shape = &setup->shapes[shapeIndex];
    Core core = {.kind = shape->kind, .size = Widen(shape->size), .origin = Widen(pose.position)};
    MakeAxes(pose.rotation, core.axes);
    core.points = setup->points + shape->firstPoint;
    core.pointCount = shape->pointCount;
    if (shape->kind == TD_SETUP_SPHERE)
    {
        core.radius = core.size.x;
    }
    else if (shape->kind == TD_SETUP_CAPSULE)
    {
        core.radius = fmin(core.size.y, core.size.z);
    }
    return core;
}

static Core MakeTriangle(const tdSetup* setup, const Core* mesh, const tdSetupShape* shape, int triangle)
{
    const int* corner = setup->triangles[shape->firstTriangle + triangle];
    Core core = {.kind = TD_SETUP_MESH};
    for (int i = 0; i < 3; ++i)
    {
        core.triangle[i] = ToWorld(mesh, Widen(mesh->points[corner[i]]));
    }
    return core;
}

// Support of a disc or sphere of radius r in local direction (x, z) or (x, y, z), both ends of a round shape.
static Vec SupportRound(const Core* core, Vec d, bool isCapsule)
{
    double inner = isCapsule ? core->radius : 0.0;
    double length = isCapsule ? sqrt(Dot(d, d)) : sqrt(d.x * d.x + d.z * d.z);
    Vec out = length > 0 ? Scale(d, 1 / length) : (Vec){0, 0, 0};
    if (!isCapsule)
    {
        out.y = 0;
    }
    Vec bottom = Add((Vec){0, -core->size.x, 0}, Scale(out, core->size.y - inner));
    Vec top = Add((Vec){0, core->size.x, 0}, Scale(out, core->size.z - inner));
    return Dot(d, top) > Dot(d, bottom) ? top : bottom;
}

static Vec Support(const Core* core, Vec direction)
{
    if (core->kind == TD_SETUP_MESH)
    {
        int best = 0;
        for (int i = 1; i < 3; ++i)
        {
            best = Dot(core->triangle[i], direction) > Dot(core->triangle[best], direction) ? i : best;
        }
        return core->triangle[best];
    }
    const double(*m)[3] = core->axes;
    Vec d = {m[0][0] * direction.x + m[0][1] * direction.y + m[0][2] * direction.z,
             m[1][0] * direction.x + m[1][1] * direction.y + m[1][2] * direction.z,
             m[2][0] * direction.x + m[2][1] * direction.y + m[2][2] * direction.z};
    Vec local = {0, 0, 0};
    switch (core->kind)
    {
    case TD_SETUP_BOX:
        local = (Vec){copysign(core->size.x, d.x), copysign(core->size.y, d.y), copysign(core->size.z, d.z)};
        break;
    case TD_SETUP_CAPSULE:
    case TD_SETUP_CYLINDER:
        local = SupportRound(core, d, core->kind == TD_SETUP_CAPSULE);
        break;
    case TD_SETUP_HULL:
    {
        double most = -(double)INFINITY;
        for (int i = 0; i < core->pointCount; ++i)
        {
            Vec point = Widen(core->points[i]);
            double value = Dot(point, d);
            if (value > most)
            {
                most = value;
                local = point;
            }
        }
        break;
    }
    default:
        break;
    }
    return ToWorld(core, local);
}

// Support of the difference a - b.
static Vec SupportDifference(const Core* a, const Core* b, Vec direction)
{
    return Sub(Support(a, direction), Support(b, Scale(direction, -1)));
}

// ---- GJK ----

typedef struct Simplex
{
    Vec p[4];
    int count;
} Simplex;

// Nearest point to the origin on a segment or triangle (p, count), which is reduced to the points that
// support it.
static Vec NearestOnSegment(Simplex* s)
{
    Vec a = s->p[0], ab = Sub(s->p[1], a);
    double t = -Dot(a, ab), length2 = Dot(ab, ab);
    if (t <= 0 || length2 <= 0)
    {
        s->count = 1;
        return a;
    }
    if (t >= length2)
    {
        s->p[0] = s->p[1];
        s->count = 1;
        return s->p[0];
    }
    return Add(a, Scale(ab, t / length2));
}

static Vec NearestOnTriangle(Simplex* s)
{
    Vec a = s->p[0], b = s->p[1], c = s->p[2], n = Cross(Sub(b, a), Sub(c, a));
    double n2 = Dot(n, n);
    Vec corners[3] = {a, b, c};
    bool inside = n2 > 0;
    for (int i = 0; i < 3 && inside; ++i)
    {
        Vec edge = Sub(corners[(i + 1) % 3], corners[i]);
        inside = Dot(Cross(n, edge), corners[i]) <= 0;
    }
    if (inside)
    {
        return Scale(n, Dot(n, a) / n2);
    }
    Simplex best = {.count = 0};
    Vec nearest = {0, 0, 0};
    double least = (double)INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        Simplex edge = {.p = {corners[i], corners[(i + 1) % 3]}, .count = 2};
        Vec point = NearestOnSegment(&edge);
        if (Dot(point, point) < least)
        {
            least = Dot(point, point);
            nearest = point;
            best = edge;
        }
    }
    *s = best;
    return nearest;
}

// Returns false with the simplex kept when the origin is inside the tetrahedron.
static bool NearestOnTetrahedron(Simplex* s, Vec* nearest)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    Simplex best = {.count = 0};
    double least = (double)INFINITY;
    for (int i = 0; i < 4; ++i)
    {
        Vec a = s->p[faces[i][0]], b = s->p[faces[i][1]], c = s->p[faces[i][2]], d = s->p[faces[i][3]];
        Vec n = Cross(Sub(b, a), Sub(c, a));
        double side = -Dot(a, n), other = Dot(Sub(d, a), n);
        if (side * other > 0)
        {
            continue; // the origin is on the inner side of this face
        }
        Simplex face = {.p = {a, b, c}, .count = 3};
        Vec point = NearestOnTriangle(&face);
        if (Dot(point, point) < least)
        {
            least = Dot(point, point);
            *nearest = point;
            best = face;
        }
    }
    if (best.count == 0)
    {
        return false;
    }
    *s = best;
    return true;
}

// Distance of the cores, 0 with the last simplex if they overlap. Stops early beyond `limit`.
static double CoreDistance(const Core* a, const Core* b, double limit, Simplex* s)
{
    Vec nearest = SupportDifference(a, b, (Vec){1, 0, 0});
    *s = (Simplex){.p = {nearest}, .count = 1};
    for (int iteration = 0; iteration < 100; ++iteration)
    {
        double distance2 = Dot(nearest, nearest);
        if (distance2 < 1e-20)
        {
            return 0;
        }
        Vec w = SupportDifference(a, b, Scale(nearest, -1));
        double lower =
            Dot(nearest, w) / sqrt(distance2); // lower bound of the distance of the whole difference
        if (lower > limit)
        {
            return lower;
        }
        if (sqrt(distance2) - lower <= 1e-8) // 1e-8 m
        {
            return sqrt(distance2);
        }
        for (int i = 0; i < s->count; ++i)
        {
            if (memcmp(&s->p[i], &w, sizeof(w)) == 0)
            {
                return sqrt(distance2);
            }
        }
        s->p[s->count++] = w;
        if (s->count == 2)
        {
            nearest = NearestOnSegment(s);
        }
        else if (s->count == 3)
        {
            nearest = NearestOnTriangle(s);
        }
        else if (!NearestOnTetrahedron(s, &nearest))
        {
            return 0;
        }
    }
    return sqrt(Dot(nearest, nearest));
}

// ---- The expanding polytope ----

#define MAX_POINTS 160
#define MAX_FACES 640

typedef struct Face
{
    int p[3];
    Vec normal; // unit, outward
    double offset;
} Face;

typedef struct Polytope
{
    Vec points[MAX_POINTS];
    Face faces[MAX_FACES];
    int pointCount, faceCount;
} Polytope;

static bool AddFace(Polytope* poly, int a, int b, int c)
{
    Vec n = Cross(Sub(poly->points[b], poly->points[a]), Sub(poly->points[c], poly->points[a]));
    double length = sqrt(Dot(n, n));
    if (length < 1e-24 || poly->faceCount == MAX_FACES)
    {
        return false;
    }
    n = Scale(n, 1 / length);
    poly->faces[poly->faceCount++] = (Face){{a, b, c}, n, Dot(n, poly->points[a])};
    return true;
}

// Makes a tetrahedron around or touching the origin from the last simplex of GJK.
// @return false if the difference of the cores has no volume
static bool StartPolytope(Polytope* poly, const Core* a, const Core* b, const Simplex* simplex)
{
    static const Vec directions[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    Vec* p = poly->points;
    int count = simplex->count;
    memcpy(p, simplex->p, sizeof(simplex->p));
    for (int i = 0; i < 6 && count == 1; ++i)
    {
        p[1] = SupportDifference(a, b, directions[i]);
        Vec d = Sub(p[1], p[0]);
        count = Dot(d, d) > 1e-16 ? 2 : 1;
    }
    for (int i = 0; i < 6 && count == 2; ++i)
    {
        Vec d = Cross(Sub(p[1], p[0]), directions[i]);
        p[2] = SupportDifference(a, b, d);
        Vec n = Cross(Sub(p[1], p[0]), Sub(p[2], p[0]));
        count = Dot(n, n) > 1e-20 ? 3 : 2;
    }
    for (int side = 1; side >= -1 && count == 3; side -= 2)
    {
        Vec n = Scale(Cross(Sub(p[1], p[0]), Sub(p[2], p[0])), side);
        p[3] = SupportDifference(a, b, n);
        count = fabs(Dot(Sub(p[3], p[0]), n)) > 1e-18 ? 4 : 3;
    }
    if (count < 4)
    {
        return false;
    }
    if (Dot(Cross(Sub(p[1], p[0]), Sub(p[2], p[0])), Sub(p[3], p[0])) > 0)
    {
        Vec swap = p[1];
        p[1] = p[2];
        p[2] = swap;
    }
    poly->pointCount = 4;
    poly->faceCount = 0;
    return AddFace(poly, 0, 1, 2) && AddFace(poly, 0, 3, 1) && AddFace(poly, 0, 2, 3) &&
           AddFace(poly, 1, 3, 2);
}

// Removes the faces visible from point `p` and closes the hole with a triangle fan.
static bool ExpandPolytope(Polytope* poly, int p)
{
    int edges[MAX_FACES][2], edgeCount = 0;
    for (int i = 0; i < poly->faceCount;)
    {
        Face face = poly->faces[i];
        if (Dot(face.normal, poly->points[p]) - face.offset <= 1e-13)
        {
            ++i;
            continue;
        }
        for (int k = 0; k < 3; ++k)
        {
            int from = face.p[k], to = face.p[(k + 1) % 3], found = -1;
            for (int e = 0; e < edgeCount && found < 0; ++e)
            {
                found = edges[e][0] == to && edges[e][1] == from ? e : -1;
            }
            if (found >= 0)
            {
                edgeCount -= 1;
                edges[found][0] = edges[edgeCount][0], edges[found][1] = edges[edgeCount][1];
            }
            else if (edgeCount < MAX_FACES)
            {
                edges[edgeCount][0] = from, edges[edgeCount++][1] = to;
            }
        }
        poly->faces[i] = poly->faces[--poly->faceCount];
    }
    bool grown = edgeCount > 0;
    for (int e = 0; e < edgeCount; ++e)
    {
        AddFace(poly, edges[e][0], edges[e][1], p);
    }
    return grown && poly->faceCount > 0;
}

// Shortest translation that separates two overlapping cores, to within 1e-6 m.
static double CoreDepth(const Core* a, const Core* b, const Simplex* simplex)
{
    Polytope poly;
    if (!StartPolytope(&poly, a, b, simplex))
    {
        return 0;
    }
    double depth = 0;
    for (;;)
    {
        int nearest = 0;
        for (int i = 1; i < poly.faceCount; ++i)
        {
            nearest = poly.faces[i].offset < poly.faces[nearest].offset ? i : nearest;
        }
        Face face = poly.faces[nearest];
        Vec w = SupportDifference(a, b, face.normal);
        depth = fmax(face.offset, 0);
        if (Dot(w, face.normal) - face.offset < 1e-6 || poly.pointCount == MAX_POINTS)
        {
            return fmax(Dot(w, face.normal), 0);
        }
        poly.points[poly.pointCount] = w;
        if (!ExpandPolytope(&poly, poly.pointCount++))
        {
            return depth;
        }
    }
}

static double ConvexDepth(const Core* a, const Core* b, double limit)
{
    const Core *plane = a->kind == TD_SETUP_PLANE ? a : b, *other = plane == a ? b : a;
    if (plane->kind == TD_SETUP_PLANE)
    {
        Vec up = {plane->axes[1][0], plane->axes[1][1], plane->axes[1][2]};
        return other->radius - Dot(Sub(Support(other, Scale(up, -1)), plane->origin), up);
    }
    Simplex simplex;
    double radii = a->radius + b->radius, distance = CoreDistance(a, b, limit + radii, &simplex);
    return radii + (distance > 0 ? -distance : CoreDepth(a, b, &simplex));
}

// ---- Finding pairs ----

typedef struct Box
{
    Vec lower, upper;
} Box;

static Box BoundCore(const Core* core)
{
    Box box;
    double big = 1e9;
    if (core->kind == TD_SETUP_PLANE)
    {
        return (Box){{-big, -big, -big}, {big, big, big}};
    }
    Vec x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, r = {core->radius, core->radius, core->radius};
    box.upper = (Vec){Support(core, x).x, Support(core, y).y, Support(core, z).z};
    box.lower =
        (Vec){Support(core, Scale(x, -1)).x, Support(core, Scale(y, -1)).y, Support(core, Scale(z, -1)).z};
    return (Box){Sub(box.lower, r), Add(box.upper, r)};
}

static Box Join(Box a, Box b)
{
    return (Box){{fmin(a.lower.x, b.lower.x), fmin(a.lower.y, b.lower.y), fmin(a.lower.z, b.lower.z)},
                 {fmax(a.upper.x, b.upper.x), fmax(a.upper.y, b.upper.y), fmax(a.upper.z, b.upper.z)}};
}

static bool Overlap(const Box* a, const Box* b)
{
    return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
           b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

// Items sorted into an implicit tree: the node over [first, last) splits in the middle.
typedef struct Tree
{
    const Box* boxes;
    int* items;
    Box* nodes; // by heap index
    int count;
} Tree;

typedef struct SortKey
{
    double key;
    int item;
} SortKey;

static int CompareKeys(const void* a, const void* b)
{
    const SortKey *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->item - y->item;
}

static double Component(Vec v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void BuildNode(Tree* tree, SortKey* keys, int node, int first, int last)
{
    Box box = tree->boxes[tree->items[first]];
    for (int i = first + 1; i < last; ++i)
    {
        box = Join(box, tree->boxes[tree->items[i]]);
    }
    tree->nodes[node] = box;
    if (last - first <= 4)
    {
        return;
    }
    Vec size = Sub(box.upper, box.lower);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (int i = first; i < last; ++i)
    {
        const Box* item = &tree->boxes[tree->items[i]];
        keys[i] = (SortKey){Component(Add(item->lower, item->upper), axis), tree->items[i]};
    }
    qsort(keys + first, (size_t)(last - first), sizeof(keys[0]), CompareKeys);
    for (int i = first; i < last; ++i)
    {
        tree->items[i] = keys[i].item;
    }
    int middle = first + (last - first) / 2;
    BuildNode(tree, keys, 2 * node + 1, first, middle);
    BuildNode(tree, keys, 2 * node + 2, middle, last);
}

static Tree BuildTree(const Box* boxes, int count)
{
    Tree tree = {.boxes = boxes, .count = count};
    tree.items = malloc((size_t)count * sizeof(int) + 1);
    tree.nodes = malloc((size_t)(4 * count + 4) * sizeof(Box));
    SortKey* keys = malloc((size_t)count * sizeof(SortKey) + 1);
    if (tree.items == NULL || tree.nodes == NULL || keys == NULL)
    {
        abort();
    }
    for (int i = 0; i < count; ++i)
    {
        tree.items[i] = i;
    }
    if (count > 0)
    {
        BuildNode(&tree, keys, 0, 0, count);
    }
    free(keys);
    return tree;
}

static void FreeTree(Tree* tree)
{
    free(tree->items);
    free(tree->nodes);
}

typedef void VisitFcn(void* context, int item);

static void QueryNode(const Tree* tree, const Box* box, VisitFcn* visit, void* context, int node, int first,
                      int last)
{
    if (!Overlap(box, &tree->nodes[node]))
    {
        return;
    }
    if (last - first <= 4)
    {
        for (int i = first; i < last; ++i)
        {
            if (Overlap(box, &tree->boxes[tree->items[i]]))
            {
                visit(context, tree->items[i]);
            }
        }
        return;
    }
    int middle = first + (last - first) / 2;
    QueryNode(tree, box, visit, context, 2 * node + 1, first, middle);
    QueryNode(tree, box, visit, context, 2 * node + 2, middle, last);
}

static void QueryTree(const Tree* tree, const Box* box, VisitFcn* visit, void* context)
{
    if (tree->count > 0)
    {
        QueryNode(tree, box, visit, context, 0, 0, tree->count);
    }
}

// ---- Parts of the setup ----

typedef struct Part
{
    int body, shape;
    Core core;
    Box* triangleBoxes; // of a mesh
    Tree triangles;
} Part;

static tdTransform Compose(tdTransform pose, tdTransform local)
{
    Core frame = {.origin = Widen(pose.position)};
    MakeAxes(pose.rotation, frame.axes);
    Vec p = ToWorld(&frame, Widen(local.position));
    tdQuat a = pose.rotation, b = local.rotation;
    return (tdTransform){
        {(float)p.x, (float)p.y, (float)p.z},
        {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z}};
}

static Box PreparePart(const tdSetup* setup, Part* part)
{
    const tdSetupShape* shape = &setup->shapes[part->shape];
    if (shape->kind != TD_SETUP_MESH)
    {
        return BoundCore(&part->core);
    }
    part->triangleBoxes = malloc((size_t)shape->triangleCount * sizeof(Box));
    if (part->triangleBoxes == NULL)
    {
        abort();
    }
    for (int i = 0; i < shape->triangleCount; ++i)
    {
        Core triangle = MakeTriangle(setup, &part->core, shape, i);
        part->triangleBoxes[i] = BoundCore(&triangle);
    }
    part->triangles = BuildTree(part->triangleBoxes, shape->triangleCount);
    return part->triangles.nodes[0];
}

static void FreePart(Part* part)
{
    if (part->triangleBoxes != NULL)
    {
        FreeTree(&part->triangles);
        free(part->triangleBoxes);
    }
}

typedef struct MeshVisit
{
    const tdSetup* setup;
    const Part* mesh;
    const Core* other; // a convex core
    double limit, depth;
} MeshVisit;

static void VisitTriangle(void* context, int item)
{
    MeshVisit* visit = context;
    Core triangle =
        MakeTriangle(visit->setup, &visit->mesh->core, &visit->setup->shapes[visit->mesh->shape], item);
    double depth = ConvexDepth(&triangle, visit->other, visit->limit);
    visit->depth = fmax(visit->depth, depth);
}

static double PartDepth(const tdSetup* setup, const Part* a, const Part* b, double limit)
{
    const Part *mesh = a->triangleBoxes != NULL ? a : b, *other = mesh == a ? b : a;
    if (mesh->triangleBoxes == NULL)
    {
        return ConvexDepth(&a->core, &b->core, limit);
    }
    MeshVisit visit = {setup, mesh, &other->core, limit, -limit};
    if (other->triangleBoxes == NULL)
    {
        Box box = BoundCore(&other->core);
        Vec margin = {limit, limit, limit};
        box = (Box){Sub(box.lower, margin), Add(box.upper, margin)};
        QueryTree(&mesh->triangles, &box, VisitTriangle, &visit);
        return visit.depth;
    }
    for (int i = 0; i < other->triangles.count; ++i)
    {
        Core triangle = MakeTriangle(setup, &other->core, &setup->shapes[other->shape], i);
        visit.other = &triangle;
        QueryTree(&mesh->triangles, &other->triangleBoxes[i], VisitTriangle, &visit);
    }
    return visit.depth;
}

double tdMeasureDepth(const tdSetup* setup, int shapeA, tdTransform poseA, int shapeB, tdTransform poseB,
                      double limit)
{
    Part a = {.shape = shapeA, .core = MakeCore(setup, shapeA, poseA)};
    Part b = {.shape = shapeB, .core = MakeCore(setup, shapeB, poseB)};
    PreparePart(setup, &a);
    PreparePart(setup, &b);
    double depth = PartDepth(setup, &a, &b, limit);
    FreePart(&a);
    FreePart(&b);
    return depth;
}

typedef struct PairVisit
{
    const tdSetup* setup;
    const Part* parts;
    const uint64_t* joined; // sorted pairs of bodies
    int joinedCount, part;
    double* depths;
    int depthCount, depthCapacity;
} PairVisit;

static uint64_t MakePairKey(int a, int b)
{
    return a < b ? (uint64_t)(uint32_t)a << 32 | (uint32_t)b : (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
}

static int ComparePairKeys(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

static bool MayCollide(const PairVisit* visit, const Part* a, const Part* b)
{
    const tdSetupBody *x = &visit->setup->bodies[a->body], *y = &visit->setup->bodies[b->body];
    if (a->body == b->body || (x->motion != TD_MOTION_DYNAMIC && y->motion != TD_MOTION_DYNAMIC) ||
        x->isTrigger || y->isTrigger || (x->mask & y->category) == 0 || (y->mask & x->category) == 0)
    {
        return false;
    }
    uint64_t key = MakePairKey(a->body, b->body);
    return visit->joinedCount == 0 ||
           bsearch(&key, visit->joined, (size_t)visit->joinedCount, sizeof(key), ComparePairKeys) == NULL;
}

static void VisitPart(void* context, int item)
{
    PairVisit* visit = context;
    const Part *a = &visit->parts[visit->part], *b = &visit->parts[item];
    if (item <= visit->part || !MayCollide(visit, a, b))
    {
        return;
    }
    double depth = PartDepth(visit->setup, a, b, 0);
    if (depth <= 0)
    {
        return;
    }
    if (visit->depthCount == visit->depthCapacity)
    {
        visit->depthCapacity = 2 * visit->depthCapacity + 1024;
        visit->depths = realloc(visit->depths, (size_t)visit->depthCapacity * sizeof(double));
        if (visit->depths == NULL)
        {
            abort();
        }
    }
    visit->depths[visit->depthCount++] = depth;
}

static int CompareDoubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

tdPenetration tdMeasurePenetration(const tdSetup* setup, const tdTransform* poses)
{
    Part* parts = calloc((size_t)setup->partCount + 1, sizeof(Part));
    Box* boxes = malloc((size_t)(setup->partCount + 1) * sizeof(Box));
    uint64_t* joined = malloc((size_t)(setup->jointCount + 1) * sizeof(uint64_t));
    if (parts == NULL || boxes == NULL || joined == NULL)
    {
        abort();
    }
    for (int body = 0; body < setup->bodyCount; ++body)
    {
        for (int k = 0; k < setup->bodies[body].partCount; ++k)
        {
            int index = setup->bodies[body].firstPart + k;
            const tdSetupPart* source = &setup->parts[index];
            parts[index] = (Part){.body = body, .shape = source->shape};
            parts[index].core = MakeCore(setup, source->shape, Compose(poses[body], source->local));
            boxes[index] = PreparePart(setup, &parts[index]);
        }
    }
    for (int i = 0; i < setup->jointCount; ++i)
    {
        joined[i] = MakePairKey(setup->joints[i].bodyA, setup->joints[i].bodyB);
    }
    qsort(joined, (size_t)setup->jointCount, sizeof(joined[0]), ComparePairKeys);
    PairVisit visit = {.setup = setup, .parts = parts, .joined = joined, .joinedCount = setup->jointCount};
    Tree tree = BuildTree(boxes, setup->partCount);
    for (int i = 0; i < setup->partCount; ++i)
    {
        visit.part = i;
        QueryTree(&tree, &boxes[i], VisitPart, &visit);
    }
    tdPenetration result = {.pairCount = visit.depthCount};
    if (visit.depthCount > 0)
    {
        qsort(visit.depths, (size_t)visit.depthCount, sizeof(double), CompareDoubles);
        result.p50 = visit.depths[visit.depthCount / 2];
        result.p99 = visit.depths[(int)((double)(visit.depthCount - 1) * 0.99)];
        result.max = visit.depths[visit.depthCount - 1];
    }
    FreeTree(&tree);
    for (int i = 0; i < setup->partCount; ++i)
    {
        FreePart(&parts[i]);
    }
    free(parts);
    free(boxes);
    free(joined);
    free(visit.depths);
    return result;
}
