// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Throws of concave mesh bodies in rooms whose walls are meshes. The centre of such a body may be outside of
// it, and it may touch a wall with one end while another one flies at the next wall. No body leaves its room,
// and none ends with a part of it on the other side of a wall. TENDON_CONCAVE_THROWS sets the throws per body
// and speed.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/bodies.h"

#include <stdlib.h>

#define DEFAULT_THROWS 4
#define THROW_STEPS 150
#define MAX_POINTS 4096
#define MAX_INDICES 24576

typedef struct Soup
{
    tdVec3 points[MAX_POINTS];
    uint32_t indices[MAX_INDICES];
    int pointCount, indexCount;
} Soup;

static Soup soup; // too large for the stack

typedef enum Thrown
{
    THROWN_L,
    THROWN_THIN_L,
    THROWN_U,
    THROWN_TORUS,
    THROWN_CUP,   // closed, walls of 3 cm
    THROWN_BOWL,  // open half of a ball
    THROWN_PLATE, // open square
    THROWN_KINDS,
} Thrown;

static const char* const thrownNames[THROWN_KINDS] = {"L", "thin L", "U", "torus", "cup", "bowl", "plate"};

static uint64_t DrawBits(uint64_t* state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double DrawRange(uint64_t* state, double low, double high)
{
    return low + (high - low) * (double)(DrawBits(state) >> 11) * 0x1p-53;
}

static tdVec3 DrawDirection(uint64_t* state)
{
    double z = DrawRange(state, -1, 1), angle = DrawRange(state, 0, 2 * PI), across = sqrt(1 - z * z);
    return V(across * cos(angle), z, across * sin(angle));
}

static uint32_t AddPoint(double x, double y, double z)
{
    soup.points[soup.pointCount] = V(x, y, z);
    return (uint32_t)soup.pointCount++;
}

static void AddTriangle(uint32_t a, uint32_t b, uint32_t c)
{
    soup.indices[soup.indexCount++] = a;
    soup.indices[soup.indexCount++] = b;
    soup.indices[soup.indexCount++] = c;
}

static void AddQuad(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    AddTriangle(a, b, c);
    AddTriangle(a, c, d);
}

static tdGeometry* CookSoup(void)
{
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = soup.points;
    def.positionCount = soup.pointCount;
    def.indices = soup.indices;
    def.indexCount = soup.indexCount;
    return tdCreateMeshGeometry(&def, NULL);
}

/// Extrudes cells of a grid of 3 x 3 squares: bit i is the cell at column i % 3, row i / 3.
static void AppendCells(unsigned cells, const double* lines, double depth)
{
    uint32_t grid[2][16];
    for (int i = 0; i < 32; ++i)
    {
        grid[i / 16][i % 16] =
            AddPoint(lines[i % 4], lines[i % 16 / 4], i / 16 == 0 ? -0.5 * depth : 0.5 * depth);
    }
    static const int sides[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    static const int corners[5] = {0, 1, 5, 4, 0};
    for (int i = 0; i < 9; ++i)
    {
        if ((cells >> i & 1u) == 0)
        {
            continue;
        }
        int column = i % 3, row = i / 3, first = 4 * row + column;
        AddQuad(grid[1][first], grid[1][first + 1], grid[1][first + 5], grid[1][first + 4]);
        AddQuad(grid[0][first], grid[0][first + 4], grid[0][first + 5], grid[0][first + 1]);
        for (int k = 0; k < 4; ++k)
        {
            int x = column + sides[k][0], y = row + sides[k][1];
            bool isInside = x >= 0 && x < 3 && y >= 0 && y < 3 && (cells >> (3 * y + x) & 1u) != 0;
            if (!isInside)
            {
                int a = first + corners[k], b = first + corners[k + 1];
                AddQuad(grid[0][a], grid[0][b], grid[1][b], grid[1][a]);
            }
        }
    }
}

/// Surface of revolution about y of a profile of (radius, height); closed: the profile is a loop.
static void AppendTurned(double (*profile)[2], int count, bool isClosed, int segments)
{
    uint32_t first = (uint32_t)soup.pointCount, ring = (uint32_t)count;
    for (int s = 0; s < segments; ++s)
    {
        double angle = 2 * PI * s / segments;
        for (int i = 0; i < count; ++i)
        {
            AddPoint(profile[i][0] * cos(angle), profile[i][1], profile[i][0] * sin(angle));
        }
    }
    for (int s = 0; s < segments; ++s)
    {
        uint32_t here = first + ring * (uint32_t)s, next = first + ring * (uint32_t)((s + 1) % segments);
        for (uint32_t i = 0; i < (isClosed ? ring : ring - 1); ++i)
        {
            uint32_t k = (i + 1) % ring;
            AddQuad(here + i, here + k, next + k, next + i);
        }
    }
}

/// About 0.6 m in size.
static tdGeometry* MakeThrown(Thrown kind)
{
    static const double thick[4] = {-0.3, -0.1, 0.1, 0.3}, thin[4] = {-0.3, -0.27, 0, 0.3};
    double profile[12][2];
    soup.pointCount = soup.indexCount = 0;
    switch (kind)
    {
    case THROWN_L:
        AppendCells(0x4Fu, thick, 0.2);
        break;
    case THROWN_THIN_L:
        AppendCells(0x4Fu, thin, 0.05);
        break;
    case THROWN_U:
        AppendCells(0x16Fu, thick, 0.2);
        break;
    case THROWN_TORUS:
        for (int i = 0; i < 8; ++i)
        {
            profile[i][0] = 0.25 + 0.06 * cos(PI * i / 4);
            profile[i][1] = 0.06 * sin(PI * i / 4);
        }
        AppendTurned(profile, 8, true, 14);
        break;
    case THROWN_CUP:
    {
        double loop[6][2] = {{0.001, -0.2}, {0.2, -0.2},   {0.25, 0.2},
                             {0.22, 0.2},   {0.17, -0.17}, {0.001, -0.17}};
        AppendTurned(loop, 6, true, 10);
        break;
    }
    case THROWN_BOWL:
        for (int i = 0; i < 6; ++i)
        {
            double angle = 0.02 + 0.48 * PI * i / 5;
            profile[i][0] = 0.3 * sin(angle);
            profile[i][1] = -0.3 * cos(angle);
        }
        AppendTurned(profile, 6, false, 12);
        break;
    default:
    {
        uint32_t a = AddPoint(-0.3, 0, -0.3), b = AddPoint(0.3, 0, -0.3), c = AddPoint(0.3, 0, 0.3),
                 d = AddPoint(-0.3, 0, 0.3);
        AddQuad(a, d, c, b);
        break;
    }
    }
    return CookSoup();
}

/// A room of 4 m whose walls have hills of the given height.
static tdGeometry* MakeRoom(int side, double height)
{
    soup.pointCount = soup.indexCount = 0;
    for (int wall = 0; wall < 6; ++wall)
    {
        uint32_t first = (uint32_t)soup.pointCount;
        int axis = wall / 2;
        double sign = wall % 2 == 0 ? -1 : 1;
        for (int i = 0; i < (side + 1) * (side + 1); ++i)
        {
            double u = 4.0 * (i % (side + 1)) / side - 2, v = 4.0 * (double)(i / (side + 1)) / side - 2;
            double edge = (1 - u * u / 4) * (1 - v * v / 4);
            double p[3];
            p[axis] = sign * (2 + height * edge * sin(4 * u) * cos(5 * v));
            p[(axis + 1) % 3] = u;
            p[(axis + 2) % 3] = v;
            AddPoint(p[0], p[1], p[2]);
        }
        for (int i = 0; i < side * side; ++i)
        {
            uint32_t a = first + (uint32_t)(i / side * (side + 1) + i % side), c = a + (uint32_t)side + 1;
            AddTriangle(a, c, a + 1);
            AddTriangle(a + 1, c, c + 1);
        }
    }
    return CookSoup();
}

typedef struct Throw
{
    int kind, index;
    double speed;
    const tdGeometry *room, *thrown;
} Throw;

/// Distance by which the farthest point of the body is beyond a wall at the end, m.
static double RunThrow(const Throw* t, const tdVec3* points, int pointCount, double* farthest)
{
    uint64_t state = (uint64_t)(t->kind * 1000 + t->index) * 77 + (uint64_t)t->speed;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), true);
    tdBodyId room = AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn);
    tdShapeDef def = MakeShapeDef(plain);
    tdCreateMesh(world, room, &def, t->room);
    tdVec3 axis = DrawDirection(&state);
    tdQuat turn = Turn((double)axis.x, (double)axis.y, (double)axis.z, DrawRange(&state, 0, PI));
    double x = DrawRange(&state, -1.3, 1.3), y = DrawRange(&state, -1.3, 1.3),
           z = DrawRange(&state, -1.3, 1.3);
    tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(x, y, z), turn);
    tdCreateMesh(world, body, &def, t->thrown);
    tdVec3 way = DrawDirection(&state), spin = DrawDirection(&state);
    tdBody_SetLinearVelocity(world, body, tdScale((float)t->speed, way));
    tdBody_SetAngularVelocity(world, body, tdScale((float)DrawRange(&state, 0, 30), spin));
    *farthest = 0;
    double rest = 0;
    for (int i = 0; i < THROW_STEPS; ++i)
    {
        tdWorld_Step(world, (float)STEP);
        tdVec3 p = tdBody_GetWorldCenterOfMass(world, body);
        double out = fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z)));
        *farthest = fmax(*farthest, out);
    }
    tdTransform pose = tdBody_GetTransform(world, body);
    for (int i = 0; i < pointCount; ++i)
    {
        tdVec3 p = tdTransformPoint(pose, points[i]);
        rest = fmax(rest, fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z))) - 2);
    }
    tdDestroyWorld(world);
    return rest;
}

TEST(ConcaveBodiesStayInTheirRoom)
{
    static const double speeds[] = {10, 30, 100, 300};
    static tdVec3 points[MAX_INDICES];
    const char* given = getenv("TENDON_CONCAVE_THROWS");
    int throws = given != NULL ? (int)strtol(given, NULL, 10) : DEFAULT_THROWS;
    tdGeometry* rooms[2] = {MakeRoom(1, 0), MakeRoom(8, 0.1)};
    for (int kind = 0; kind < THROWN_KINDS; ++kind)
    {
        tdGeometry* thrown = MakeThrown((Thrown)kind);
        int pointCount = soup.indexCount;
        for (int i = 0; i < pointCount; ++i)
        {
            points[i] = soup.points[soup.indices[i]];
        }
        for (int s = 0; s < 4; ++s)
        {
            int lost = 0, stuck = 0;
            for (int i = 0; i < throws; ++i)
            {
                Throw t = {
                    .kind = kind, .index = i, .speed = speeds[s], .room = rooms[i % 2], .thrown = thrown};
                double farthest, rest = RunThrow(&t, points, pointCount, &farthest);
                lost += farthest > 2.1 ? 1 : 0;
                stuck += farthest <= 2.1 && rest > 0.15 ? 1 : 0;
            }
            if (!ENSURE(lost == 0 && stuck == 0))
            {
                printf("    %s at %g m/s: %d lost, %d stuck of %d\n", thrownNames[kind], speeds[s], lost,
                       stuck, throws);
            }
        }
        tdDestroyGeometry(thrown);
    }
    tdDestroyGeometry(rooms[0]);
    tdDestroyGeometry(rooms[1]);
}

TEST_MAIN(RUN(ConcaveBodiesStayInTheirRoom))
