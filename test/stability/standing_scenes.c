// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Scenes at rest: towers of many shapes and masses, walls, a card house, an arch, a pyramid, and bodies that
// topple where statics says so.
#include "stability.h"

#include "tendon/joint.h"

#define MOST_BODIES 5001
#define MOST_HULLS 64
#define FIRST_STEP 300 // steps until structures have settled

static const Material stone = {0.6f, 0.6f, 0.0f, 1000.0f};

typedef struct Structure
{
    tdWorld* world;
    tdBodyId bodies[MOST_BODIES];
    tdVec3 starts[MOST_BODIES];
    int count;
    uint32_t seed;
    tdGeometry* hulls[MOST_HULLS];
    int hullCount;
} Structure;

static Structure structure;

static double Random(void)
{
    structure.seed = structure.seed * 1664525u + 1013904223u;
    return (double)(structure.seed >> 8) / 8388608.0 - 1.0;
}

static void Begin(bool enableSleep, Material ground, double extent)
{
    structure.world = MakeWorld(V(0, -GRAVITY, 0), enableSleep);
    structure.count = 0;
    structure.seed = 1;
    AddBox(structure.world, TD_MOTION_STATIC, V(0, -1, 0), noTurn, V(extent, 2, extent), ground);
}

static void End(void)
{
    tdDestroyWorld(structure.world);
    structure.world = NULL;
    while (structure.hullCount > 0)
    {
        tdDestroyGeometry(structure.hulls[--structure.hullCount]);
    }
}

static void Note(tdBodyId body)
{
    structure.starts[structure.count] = Position(structure.world, body);
    structure.bodies[structure.count++] = body;
}

static void AddPart(tdVec3 position, tdQuat turn, tdVec3 size, Material material)
{
    Note(AddBox(structure.world, TD_MOTION_DYNAMIC, position, turn, size, material));
}

static double FindFastest(void)
{
    double most = 0.0;
    for (int i = 0; i < structure.count; ++i)
    {
        most = fmax(most, Length(tdBody_GetLinearVelocity(structure.world, structure.bodies[i])));
    }
    return most;
}

/// Largest way of a body from its start, m.
static double FindFarthest(void)
{
    double most = 0.0;
    for (int i = 0; i < structure.count; ++i)
    {
        tdVec3 p = Position(structure.world, structure.bodies[i]), s = structure.starts[i];
        double way = Length(V((double)(p.x - s.x), (double)(p.y - s.y), (double)(p.z - s.z)));
        most = fmax(most, isfinite(way) ? way : 1e9);
    }
    return most;
}

static double FindTop(void)
{
    double top = -1e9;
    for (int i = 0; i < structure.count; ++i)
    {
        top = fmax(top, (double)Position(structure.world, structure.bodies[i]).y);
    }
    return top;
}

typedef enum Shape
{
    BOXES,
    CYLINDERS,
    PRISMS,
    FRUSTA,
    MIXED,
    SHAPE_COUNT,
} Shape;

static const char* const shapeNames[] = {"boxes", "cylinders", "six-sided prisms", "frusta", "mixed shapes"};

/// A prism with n sides, or a frustum: the upper face smaller by a factor.
static tdGeometry* MakePrism(int sides, double radius, double height, double upper)
{
    tdVec3 points[32];
    for (int i = 0; i < 2 * sides; ++i)
    {
        double angle = 2 * PI * (i / 2 + 0.5) / sides, r = i % 2 == 0 ? radius : radius * upper;
        points[i] = V(r * cos(angle), i % 2 == 0 ? -0.5 * height : 0.5 * height, r * sin(angle));
    }
    return tdCreateHullGeometry(points, 2 * sides, NULL, NULL);
}

static void AddShape(Shape shape, tdVec3 position, double yaw, double size, double density)
{
    tdBodyId body = AddBody(structure.world, TD_MOTION_DYNAMIC, position, Turn(0, 1, 0, yaw));
    Material material = stone;
    material.density = (float)density;
    tdShapeDef def = MakeShapeDef(material);
    tdGeometry* hull = NULL;
    float s = (float)size;
    switch (shape)
    {
    case BOXES:
        tdCreateBox(structure.world, body, &def, (tdVec3){s, s, s});
        break;
    case CYLINDERS:
        tdCreateCylinder(structure.world, body, &def, s, 0.5f * s, 0.5f * s);
        break;
    case PRISMS:
        hull = MakePrism(6, 0.55 * size, size, 1.0);
        break;
    case FRUSTA:
        hull = MakePrism(4, 0.7 * size, size, 0.8);
        break;
    case MIXED:
    case SHAPE_COUNT:
        break;
    }
    if (hull != NULL)
    {
        tdCreateHull(structure.world, body, &def, hull);
        structure.hulls[structure.hullCount++] = hull;
    }
    Note(body);
}

typedef struct Tower
{
    Shape shape;
    int count;
    bool isJittered;
    double size, lean, topMass, oddMass, growth;
} Tower;

static const Tower plainTower = {
    .shape = BOXES, .count = 10, .size = 1, .topMass = 1, .oddMass = 1, .growth = 1};

static void BuildTower(const Tower* tower, uint32_t seed, double x, double z)
{
    structure.seed = seed;
    double density = 1000.0, size = tower->size, jitter = tower->isJittered ? 0.02 * size : 0.0;
    for (int i = 0; i < tower->count; ++i)
    {
        Shape shape = tower->shape == MIXED ? (Shape)((i + (int)seed) % MIXED) : tower->shape;
        double offsetX = jitter * Random(), offsetZ = jitter * Random(), yaw = 2.5 * jitter / size * Random();
        double gap = tower->isJittered ? 0.001 * size * (i + 1) : 0.0;
        AddShape(shape, V(x + tower->lean * i + offsetX, size * (0.5 + i) + gap, z + offsetZ), yaw, size,
                 density * (i + 1 == tower->count ? tower->topMass : 1.0) *
                     (i % 2 == 1 ? tower->oddMass : 1.0));
        density *= tower->growth;
    }
}

static void MeasureTower(const Tower* tower, uint32_t seed, bool enableSleep, double seconds)
{
    Begin(enableSleep, stone, 100 * tower->size);
    BuildTower(tower, seed, 0, 0);
    StepFor(structure.world, seconds);
    double height =
        (double)Position(structure.world, structure.bodies[tower->count - 1]).y + 0.5 * tower->size;
    double share = 100.0 * height / (tower->size * tower->count), speed = 1000.0 * FindFastest();
    PrintRow(share >= 99.9 && share < 100.05 && speed < 2.0, "99.9 %, 2 mm/s", "%.3f %%, %.2g mm/s", share,
             speed);
    End();
}

static void MeasureTowers(void)
{
    static const int counts[] = {10, 20, 30, 50};
    for (int shape = 0; shape < SHAPE_COUNT; ++shape)
    {
        for (int i = 0; i < 4; ++i)
        {
            for (int variant = 0; variant < 4; ++variant)
            {
                bool isJittered = variant % 2 == 1, enableSleep = variant / 2 == 1;
                for (uint32_t seed = 1; seed <= (isJittered ? 3u : 1u); ++seed)
                {
                    Tower tower = plainTower;
                    tower.shape = (Shape)shape;
                    tower.count = counts[i];
                    tower.isJittered = isJittered;
                    if (WantScene("tower of %d %s%s%s, seed %u", counts[i], shapeNames[shape],
                                  isJittered ? ", jittered" : "", enableSleep ? ", sleep" : "", seed))
                    {
                        MeasureTower(&tower, seed, enableSleep, 60);
                    }
                }
            }
        }
    }
}

static void MeasureMasses(void)
{
    static const double tops[] = {20, 50, 100, 1000}, odds[] = {10, 20, 50, 100},
                        growths[] = {0.5, 1.5, 2, 3, 4};
    for (int i = 0; i < 4; ++i)
    {
        for (int sleep = 0; sleep < 2; ++sleep)
        {
            Tower tower = plainTower;
            tower.topMass = tops[i];
            if (WantScene("ten boxes, top %g times%s", tops[i], sleep ? ", sleep" : ""))
            {
                MeasureTower(&tower, 1, sleep != 0, 15);
            }
            tower.isJittered = true;
            if (WantScene("ten boxes, top %g times, jittered%s", tops[i], sleep ? ", sleep" : ""))
            {
                MeasureTower(&tower, 1, sleep != 0, 15);
            }
            tower = plainTower;
            tower.oddMass = odds[i];
            if (WantScene("ten boxes, alternating %g times%s", odds[i], sleep ? ", sleep" : ""))
            {
                MeasureTower(&tower, 1, sleep != 0, 15);
            }
            tower.isJittered = true;
            if (WantScene("ten boxes, alternating %g times, jittered%s", odds[i], sleep ? ", sleep" : ""))
            {
                MeasureTower(&tower, 1, sleep != 0, 15);
            }
        }
    }
    for (int i = 0; i < 5; ++i)
    {
        Tower tower = plainTower;
        tower.growth = growths[i];
        if (WantScene("ten boxes, each %g times the one below", growths[i]))
        {
            MeasureTower(&tower, 1, false, 15);
        }
    }
}

/// Most by which a body of a structure may be away from its start, and its speed at the end, mm and mm/s.
static void MeasureStructure(double seconds, double way, double speed, const char* bar)
{
    StepFor(structure.world, seconds);
    double farthest = 1000.0 * FindFarthest(), fastest = 1000.0 * FindFastest();
    PrintRow(farthest < way && fastest < speed, bar, "%.3g mm, %.2g mm/s", farthest, fastest);
    End();
}

static void BuildCardHouse(bool enableSleep, double scale)
{
    const Material card = {0.8f, 0.8f, 0.0f, 300.0f};
    const double length = 0.088 * scale, depth = 0.063 * scale, thick = 0.001 * scale, lean = 15 * PI / 180,
                 pitch = 1.002 * length, reach = 0.5 * length * sin(lean) + 0.5 * thick * cos(lean),
                 rise = length * cos(lean) + thick * sin(lean);
    Begin(enableSleep, card, 10 * scale);
    for (int storey = 0; storey < 3; ++storey)
    {
        double base = storey * (rise + thick);
        for (int tent = 0; tent < 3 - storey; ++tent)
        {
            double x = pitch * (tent - 0.5 * (2 - storey));
            for (int side = -1; side <= 1; side += 2)
            {
                AddPart(V(x + side * reach, base + 0.5 * rise, 0), Turn(0, 0, 1, side * lean),
                        V(thick, length, depth), card);
            }
        }
        for (int flat = 0; flat < 2 - storey; ++flat)
        {
            AddPart(V(pitch * (flat - 0.5 * (1 - storey)), base + rise + 0.5 * thick, 0), noTurn,
                    V(length, thick, depth), card);
        }
    }
}

static void BuildArch(bool enableSleep)
{
    Material material = {0.7f, 0.7f, 0.0f, 2000.0f};
    Begin(enableSleep, material, 100);
    for (int i = 0; i < 15; ++i)
    {
        double from = PI * i / 15, to = PI * (i + 1) / 15, middle = 0.5 * (from + to), inner = 4.5,
               outer = 5.5;
        tdVec3 center = V(5 * cos(middle), 5 * sin(middle), 0), points[8];
        for (int k = 0; k < 8; ++k)
        {
            double r = (k & 1) != 0 ? outer : inner, angle = (k & 2) != 0 ? to : from;
            points[k] = V(r * cos(angle) - (double)center.x, r * sin(angle) - (double)center.y,
                          (k & 4) != 0 ? 0.5 : -0.5);
        }
        tdBodyId body = AddBody(structure.world, TD_MOTION_DYNAMIC, center, noTurn);
        tdShapeDef def = MakeShapeDef(material);
        tdGeometry* hull = tdCreateHullGeometry(points, 8, NULL, NULL);
        tdCreateHull(structure.world, body, &def, hull);
        structure.hulls[structure.hullCount++] = hull;
        Note(body);
    }
}

/// Every second course has a half brick at each end.
static void BuildWall(bool enableSleep, int courses, int perCourse, tdVec3 size, bool isJittered)
{
    double x = (double)size.x, y = (double)size.y, pitch = 1.005 * x;
    Begin(enableSleep, stone, 100 * x);
    for (int i = 0; i < courses; ++i)
    {
        bool isOdd = i % 2 == 1;
        for (int k = 0; k < perCourse + (isOdd ? 1 : 0); ++k)
        {
            double jitter = isJittered ? 0.01 * x : 0.0,
                   at = pitch * (k - 0.5 * perCourse + (isOdd ? 0.0 : 0.5));
            double dx = 0.2 * jitter * Random(), dz = jitter * Random();
            double gap = isJittered ? 0.001 * y * (i + 1) : 0.0;
            bool isFirst = isOdd && k == 0, isLast = isOdd && k == perCourse;
            tdVec3 brick = size;
            brick.x *= isFirst || isLast ? 0.5f : 1.0f;
            at += isFirst ? 0.25 * pitch : (isLast ? -0.25 * pitch : 0.0);
            AddPart(V(at + dx, y * (0.5 + i) + gap, dz), noTurn, brick, stone);
        }
    }
}

static void MeasureWalls(void)
{
    for (int variant = 0; variant < 4; ++variant)
    {
        bool isJittered = variant % 2 == 1, enableSleep = variant / 2 == 1;
        const char *jitter = isJittered ? ", jittered" : "", *sleep = enableSleep ? ", sleep" : "";
        if (WantScene("wall of 200 bricks of 1 m%s%s", jitter, sleep))
        {
            BuildWall(enableSleep, 20, 10, V(1, 0.5, 0.5), isJittered);
            MeasureStructure(60, 50, 5, "50 mm, 5 mm/s");
        }
        if (WantScene("wall of 200 bricks of 24 cm%s%s", jitter, sleep))
        {
            BuildWall(enableSleep, 20, 10, V(0.24, 0.071, 0.115), isJittered);
            MeasureStructure(60, 12, 2, "12 mm, 2 mm/s");
        }
        if (WantScene("wall of 40 bricks of 24 cm%s%s", jitter, sleep))
        {
            BuildWall(enableSleep, 8, 5, V(0.24, 0.071, 0.115), isJittered);
            MeasureStructure(60, 12, 2, "12 mm, 2 mm/s");
        }
        if (WantScene("wall of 100 bricks of 24 cm%s%s", jitter, sleep))
        {
            BuildWall(enableSleep, 20, 5, V(0.24, 0.071, 0.115), isJittered);
            MeasureStructure(60, 12, 2, "12 mm, 2 mm/s");
        }
    }
}

static void MeasureStacks(void)
{
    for (int variant = 0; variant < 4; ++variant)
    {
        bool isJittered = variant % 2 == 1, enableSleep = variant / 2 == 1;
        if (!WantScene("1,000 stacks of 5%s%s", isJittered ? ", jittered" : "", enableSleep ? ", sleep" : ""))
        {
            continue;
        }
        Begin(enableSleep, stone, 400);
        Tower tower = plainTower;
        tower.count = 5;
        tower.isJittered = isJittered;
        for (int i = 0; i < 1000; ++i)
        {
            BuildTower(&tower, (uint32_t)(i + 1), 3.0 * (i % 32 - 16), 3.0 * (i / 32 - 16));
        }
        StepFor(structure.world, 60);
        double least = 1e9, fastest = 1000.0 * FindFastest();
        for (int i = 4; i < 5000; i += 5)
        {
            least = fmin(least, 20.0 * ((double)Position(structure.world, structure.bodies[i]).y + 0.5));
        }
        PrintRow(least >= 99.8 && fastest < 2.0, "99.8 %, 2 mm/s", "%.3f %%, %.2g mm/s", least, fastest);
        End();
    }
}

/// The angle of the plank, in degrees, at which a box of 4:1 has turned by a degree against it. Beyond
/// atan(1 / 4) the angle x of the box follows x'' = a^2 (x + rate t) with a^2 = 3 g / (4 r), r the distance
/// of its centre from its edge.
static double FindToppleAngle(double size, double rate)
{
    double r = 0.5 * size * sqrt(17.0), a = sqrt(0.75 * GRAVITY / r), x = 0.0, v = 0.0, t = 0.0, h = 1.0e-4;
    for (; x < 1.0; t += h)
    {
        v += h * a * a * (x + rate * t);
        x += h * v;
    }
    return atan(0.25) * 180 / PI + rate * t;
}

/// A box of 1 x 4 x 1 on a kinematic plank that tilts at 0.05 degrees per second from 10 degrees: the angle
/// at which the box has turned by a degree against the plank.
static void MeasureTopple(void)
{
    static const double frictions[] = {0.5, 0.8}, sizes[] = {0.05, 1, 10};
    for (int f = 0; f < 2; ++f)
    {
        for (int s = 0; s < 3; ++s)
        {
            if (!WantScene("box of 4:1 and %g m on a tilting plank, friction %g", sizes[s], frictions[f]))
            {
                continue;
            }
            Material material = {(float)frictions[f], (float)frictions[f], 0.0f, 1000.0f};
            double size = sizes[s], angle = 10 * PI / 180, rate = 0.05 * PI / 180;
            tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
            tdBodyId plank = AddBody(world, TD_MOTION_KINEMATIC, V(0, 0, 0), Turn(0, 0, 1, angle));
            tdShapeDef def = MakeShapeDef(material);
            tdCreateBox(world, plank, &def, V(20 * size, 0.5 * size, 20 * size));
            double up = 2.25 * size;
            tdBodyId box = AddBox(world, TD_MOTION_DYNAMIC, V(-up * sin(angle), up * cos(angle), 0),
                                  Turn(0, 0, 1, angle), V(size, 4 * size, size), material);
            tdBody_SetAngularVelocity(world, plank, V(0, 0, rate));
            double fell = 0.0;
            for (int i = 0; i < 7200 && fell == 0.0; ++i)
            {
                tdWorld_Step(world, (float)STEP);
                tdQuat a = tdBody_GetTransform(world, plank).rotation,
                       b = tdBody_GetTransform(world, box).rotation;
                double tilt = 2 * atan2((double)a.z, (double)a.w);
                tdVec3 axis = RotateBy(b, V(0, 1, 0));
                double lean = atan2((double)-axis.x, (double)axis.y);
                fell = fabs(lean - tilt) > PI / 180 ? tilt * 180 / PI : 0.0;
            }
            double exact = FindToppleAngle(size, 0.05);
            PrintRow(fabs(fell - exact) < 0.2, "0.2 degrees", "%.3f degrees, exact %.3f", fell, exact);
            tdDestroyWorld(world);
        }
    }
}

/// Each of n boxes is shifted by d against the one below: the centre of the n - 1 upper ones leaves the
/// face of the lowest at d = 1 / n.
static void MeasureLeaning(void)
{
    static const int counts[] = {2, 3, 5, 8, 12, 20, 40};
    for (int i = 0; i < 7; ++i)
    {
        for (int k = 0; k < 2; ++k)
        {
            double share = k == 0 ? 0.98 : 1.02;
            if (WantScene("tower of %d leaning by %g of the limit", counts[i], share))
            {
                Tower tower = plainTower;
                tower.count = counts[i];
                tower.lean = share / counts[i];
                Begin(false, stone, 200);
                BuildTower(&tower, 1, 0, 0);
                StepFor(structure.world, 60);
                double drop =
                    counts[i] - 0.5 - (double)Position(structure.world, structure.bodies[counts[i] - 1]).y;
                PrintRow(k == 0 ? drop < 0.02 : drop > 0.5, k == 0 ? "stands" : "falls", "drops by %.3f m",
                         drop);
                End();
            }
        }
    }
    for (int k = 0; k < 2; ++k)
    {
        // Box j from the top overhangs by 1 / (2 j): each centre of the part above lies on an edge.
        double share = k == 0 ? 0.98 : 1.02;
        if (WantScene("harmonic overhang of 10 boxes at %g", share))
        {
            Begin(false, stone, 200);
            double x = 0.0;
            for (int i = 0; i < 10; ++i)
            {
                AddPart(V(x, 0.5 + i, 0), noTurn, V(1, 1, 1), stone);
                x += share * 0.5 / (9 - i > 0 ? 9 - i : 1);
            }
            StepFor(structure.world, 60);
            double drop = 9.5 - (double)Position(structure.world, structure.bodies[9]).y;
            PrintRow(k == 0 ? drop < 0.02 : drop > 0.5, k == 0 ? "stands" : "falls", "drops by %.3f m", drop);
            End();
        }
    }
}

static void MeasurePyramid(int rows, bool enableSleep, bool isJittered, int steps)
{
    Material brick = {0.5f, 0.5f, 0.0f, 1000.0f};
    Begin(enableSleep, brick, 400);
    for (int i = 0; i < rows; ++i)
    {
        for (int j = 0; j < rows - i; ++j)
        {
            double jitter = isJittered ? 0.005 : 0.0, dx = jitter * Random(), dz = 2 * jitter * Random();
            AddPart(
                V(1.02 * (j - 0.5 * (rows - i) + 0.5) + dx, 0.5 + i + (isJittered ? 0.001 * (i + 1) : 0), dz),
                noTurn, V(1, 1, 1), brick);
        }
    }
    double first = 0.0, least = 1e9, moved = 0.0, fastest = 0.0;
    for (int step = 1; step <= steps; ++step)
    {
        tdWorld_Step(structure.world, (float)STEP);
        if (step < FIRST_STEP)
        {
            continue;
        }
        double top = FindTop();
        first = step == FIRST_STEP ? top : first;
        least = fmin(least, top);
        moved = fmax(moved, 1000.0 * fabs(top - first));
        fastest = step >= 2 * FIRST_STEP ? fmax(fastest, 1000.0 * FindFastest()) : fastest;
    }
    PrintRow(least >= rows - 0.56 && moved < 5.0 && fastest < 5.0, "rows - 0.56 m, 5 mm, 5 mm/s",
             "%.3f m, %.2f mm, %.2f mm/s", least, moved, fastest);
    End();
}

/// Ten boxes on a table whose top hangs on four legs by fixed joints.
static void MeasureTable(void)
{
    for (int variant = 0; variant < 4; ++variant)
    {
        bool isJittered = variant % 2 == 1, isFixed = variant / 2 == 0;
        if (!WantScene("ten boxes on a %s%s",
                       isFixed ? "table of five bodies with fixed joints" : "plank that hangs on hinges",
                       isJittered ? ", jittered" : ""))
        {
            continue;
        }
        Begin(false, stone, 100);
        tdWorld* world = structure.world;
        tdBodyId top = AddBox(world, TD_MOTION_DYNAMIC, V(0, 1.1, 0), noTurn, V(3, 0.2, 3), stone);
        for (int leg = 0; leg < (isFixed ? 4 : 0); ++leg)
        {
            tdVec3 at = V(leg % 2 == 0 ? -1.2 : 1.2, 0.5, leg / 2 == 0 ? -1.2 : 1.2);
            tdBodyId body = AddBox(world, TD_MOTION_DYNAMIC, at, noTurn, V(0.3, 1, 0.3), stone);
            tdJointDef def = tdMakeFixedJointDef(world, top, body, V((double)at.x, 1, (double)at.z));
            (void)tdCreateJoint(world, &def);
        }
        for (int side = -1; side <= 1 && !isFixed; side += 2)
        {
            tdJointDef def = tdMakeHingeJointDef(world, (tdBodyId){0, 0}, top, V(1.5 * side, 1.1, 0),
                                                 V(0, 0, 1), -INFINITY, INFINITY);
            (void)tdCreateJoint(world, &def);
        }
        for (int i = 0; i < 10; ++i)
        {
            double jitter = isJittered ? 0.02 : 0.0;
            double dx = jitter * Random(), dz = jitter * Random(), yaw = 2.5 * jitter * Random();
            AddPart(V(dx, 1.7 + i + (isJittered ? 0.001 * (i + 1) : 0), dz), Turn(0, 1, 0, yaw), V(1, 1, 1),
                    stone);
        }
        StepFor(world, 60);
        double drop = 10.7 - (double)Position(world, structure.bodies[9]).y, fastest = 1000.0 * FindFastest();
        PrintRow(drop < 0.02 && fastest < 5.0, "20 mm, 5 mm/s", "%.3g mm, %.2g mm/s", 1000.0 * drop, fastest);
        End();
    }
}

void MeasureStanding(void)
{
    MeasureTowers();
    MeasureMasses();
    for (int sleep = 0; sleep < 2; ++sleep)
    {
        const char* suffix = sleep ? ", sleep" : "";
        if (WantScene("card house of 3 storeys, cards of 88 cm%s", suffix))
        {
            BuildCardHouse(sleep != 0, 10);
            MeasureStructure(60, 20, 5, "20 mm, 5 mm/s");
        }
        if (WantScene("arch of 15 voussoirs%s", suffix))
        {
            BuildArch(sleep != 0);
            MeasureStructure(60, 20, 2, "20 mm, 2 mm/s");
        }
    }
    MeasureWalls();
    MeasureStacks();
    MeasureTopple();
    MeasureLeaning();
    MeasureTable();
    for (int variant = 0; variant < 4; ++variant)
    {
        if (WantScene("pyramid of 60 rows%s%s, 3,600 steps", variant % 2 ? ", jittered" : "",
                      variant / 2 ? ", sleep" : ""))
        {
            MeasurePyramid(60, variant / 2 != 0, variant % 2 != 0, 3600);
        }
    }
}
