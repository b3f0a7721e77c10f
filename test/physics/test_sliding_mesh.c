// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of internal edges: a body that slides or rolls over a flat grid of 100 x 100 quads must not bump into
// them. The reference is the same run over one big triangle.
#include "harness.h"

#include "physics/bodies.h"

#include <stdlib.h>

enum
{
    GRID = 100
};

static tdGeometry* MakeGrid(void)
{
    static tdVec3 points[(GRID + 1) * (GRID + 1)];
    static uint32_t indices[GRID * GRID * 6];
    int n = 0;
    for (int i = 0; i <= GRID; ++i)
    {
        for (int j = 0; j <= GRID; ++j)
        {
            points[i * (GRID + 1) + j] = V(0.3 * i - 5, 0, 0.3 * j - 15);
        }
    }
    for (int i = 0; i < GRID; ++i)
    {
        for (int j = 0; j < GRID; ++j)
        {
            uint32_t a = (uint32_t)(i * (GRID + 1) + j), b = a + 1, c = a + GRID + 1, d = c + 1;
            const uint32_t corners[6] = {a, b, c, b, d, c};
            memcpy(indices + n, corners, sizeof(corners));
            n += 6;
        }
    }
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = points;
    def.positionCount = (GRID + 1) * (GRID + 1);
    def.indices = indices;
    def.indexCount = n;
    return tdCreateMeshGeometry(&def, NULL);
}

static tdGeometry* MakeTriangle(void)
{
    const tdVec3 points[3] = {V(-200, 0, -200), V(-200, 0, 400), V(400, 0, -200)};
    tdMeshGeometryDef def = tdDefaultMeshGeometryDef();
    def.positions = points;
    def.positionCount = 3;
    def.indexCount = 3;
    return tdCreateMeshGeometry(&def, NULL);
}

typedef enum Slider
{
    SLIDER_SPHERE,
    SLIDER_BOX,
    SLIDER_CAPSULE,
    SLIDER_CYLINDER,
} Slider;

typedef struct Run
{
    tdVec3 velocity, position;
    double low, high, sideways, turned;
} Run;

static Run Slide(const tdGeometry* ground, Slider slider, double friction, double heading)
{
    const Material material = {(float)friction, (float)friction, 0.0f, 1000.0f};
    const double speed = 6;
    tdWorld* world = MakeWorld(V(0, -GRAVITY, 0), false);
    tdShapeDef def = MakeShapeDef(material);
    tdBodyId floorBody = AddBody(world, TD_MOTION_STATIC, V(0, 0, 0), noTurn);
    tdCreateMesh(world, floorBody, &def, ground);
    tdBodyId body = AddBody(world, TD_MOTION_DYNAMIC, V(0.11, 0.25, 0.07), Turn(0, 1, 0, 0.2));
    switch (slider)
    {
    case SLIDER_SPHERE:
        tdCreateSphere(world, body, &def, 0.25f);
        break;
    case SLIDER_BOX:
        tdCreateBox(world, body, &def, V(0.7, 0.5, 0.6));
        break;
    case SLIDER_CAPSULE:
        def.local.rotation = Turn(0, 0, 1, PI / 2);
        tdCreateCapsule(world, body, &def, 0.5f, 0.25f, 0.25f);
        break;
    case SLIDER_CYLINDER:
        tdCreateCylinder(world, body, &def, 0.5f, 0.3f, 0.3f);
        break;
    }
    StepFor(world, 0.5); // settle
    tdBody_SetLinearVelocity(world, body, V(speed * cos(heading), 0, speed * sin(heading)));
    Run run = {.low = 1, .high = 0};
    tdVec3 start = Position(world, body);
    for (int i = 0; i < 150; ++i) // 15 m without friction, 50 quads
    {
        tdWorld_Step(world, (float)STEP);
        tdVec3 p = Position(world, body);
        run.low = fmin(run.low, (double)p.y);
        run.high = fmax(run.high, (double)p.y);
        double off = -sin(heading) * (double)(p.x - start.x) + cos(heading) * (double)(p.z - start.z);
        run.sideways = fmax(run.sideways, fabs(off));
    }
    run.velocity = tdBody_GetLinearVelocity(world, body);
    run.position = Position(world, body);
    tdDestroyWorld(world);
    return run;
}

static void CompareWithTriangle(const tdGeometry* grid, const tdGeometry* triangle, Slider slider,
                                double friction, double heading)
{
    Run bumpy = Slide(grid, slider, friction, heading), smooth = Slide(triangle, slider, friction, heading);
    // The limits: less than 1 mm of deviation, and speed within 0.1 % of that on one big triangle.
    ENSURE(bumpy.high - bumpy.low < 1e-3 + (smooth.high - smooth.low));
    ENSURE_NEAR(bumpy.high, smooth.high, 1e-3);
    ENSURE_NEAR(bumpy.low, smooth.low, 1e-3);
    // A capsule that rolls off its course moves metres sideways; a millimetre of that is a thousandth.
    ENSURE_NEAR(bumpy.sideways, smooth.sideways,
                slider == SLIDER_CAPSULE ? 1e-3 * fmax(smooth.sideways, 1) : 1e-3);
    if (slider == SLIDER_BOX || slider == SLIDER_CYLINDER)
    {
        ENSURE(bumpy.sideways < 1e-3); // only friction acts along the velocity
    }
    ENSURE_NEAR(Length(bumpy.velocity), Length(smooth.velocity), 1e-3 * 6);
    ENSURE_NEAR(bumpy.position.x, smooth.position.x, slider == SLIDER_CAPSULE ? 2e-3 : 1e-3);
    ENSURE_NEAR(bumpy.position.z, smooth.position.z, slider == SLIDER_CAPSULE ? 2e-3 : 1e-3);
}

// Along the edges, nearly so, across, along the diagonals, and in other directions; without and with
// friction.
static void CompareAll(Slider slider)
{
    tdGeometry *grid = MakeGrid(), *triangle = MakeTriangle();
    static const double frictions[] = {0, 0.1, 0.5}, headings[] = {0, 0.1, 0.4, PI / 4, 1.2};
    for (int f = 0; f < 3; ++f)
    {
        for (int h = 0; h < 5; ++h)
        {
            CompareWithTriangle(grid, triangle, slider, frictions[f], headings[h]);
        }
    }
    tdDestroyGeometry(grid);
    tdDestroyGeometry(triangle);
}

TEST(SphereDoesNotBumpIntoInnerEdges)
{
    CompareAll(SLIDER_SPHERE);
}

TEST(BoxDoesNotBumpIntoInnerEdges)
{
    CompareAll(SLIDER_BOX);
}

TEST(CapsuleDoesNotBumpIntoInnerEdges)
{
    CompareAll(SLIDER_CAPSULE);
}

TEST(CylinderDoesNotBumpIntoInnerEdges)
{
    CompareAll(SLIDER_CYLINDER);
}

TEST(FrictionlessSpeedIsKept)
{
    tdGeometry* grid = MakeGrid();
    ENSURE_NEAR(Length(Slide(grid, SLIDER_SPHERE, 0, 0.1).velocity), 6, 6e-3);
    ENSURE_NEAR(Length(Slide(grid, SLIDER_BOX, 0, 0.1).velocity), 6, 6e-3);
    tdDestroyGeometry(grid);
}

TEST_MAIN(RUN(SphereDoesNotBumpIntoInnerEdges) RUN(BoxDoesNotBumpIntoInnerEdges)
              RUN(CapsuleDoesNotBumpIntoInnerEdges) RUN(CylinderDoesNotBumpIntoInnerEdges)
                  RUN(FrictionlessSpeedIsKept))
