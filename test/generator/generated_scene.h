// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A generated scene: a world with the facts that the judges need. Everything follows from a category and a
// seed.
#pragma once

#include "tendon/joint.h"
#include "tendon/physics.h"

/// Bounds of the arrays of a scene.
#define MAX_SCENE_BODIES 512
#define MAX_SCENE_GEOMETRIES 64
#define MAX_SCENE_JOINTS 256
#define MAX_SCENE_MOVERS 4

/// A body that the judges watch.
typedef struct SceneBody
{
    tdBodyId id;
    double radius;    // m, of a sphere about the origin that contains all shapes
    double smallest;  // m, smallest extent
    const char* kind; // of its shape
    tdVec3 start;     // position at the start
    bool mustStand;   // statics says that it stays where it is
    int side;         // of the divider: -1 or 1; 0: there is none
} SceneBody;

typedef struct SceneJoint
{
    tdJointId id;
    double size; // m, diameter of the smaller body
} SceneJoint;

/// A kinematic body that moves from one position to another and back.
typedef struct SceneMover
{
    tdBodyId id;
    tdVec3 from, to;
    double period; // s there and back
} SceneMover;

typedef struct Scene
{
    uint64_t random; // state of the generator
    tdWorld* world;
    double gravity; // m/s^2, downwards
    double timeStep;
    int subStepCount, stepCount;

    SceneBody bodies[MAX_SCENE_BODIES];
    int bodyCount;
    SceneJoint joints[MAX_SCENE_JOINTS];
    int jointCount;
    SceneMover movers[MAX_SCENE_MOVERS];
    int moverCount;
    tdGeometry* geometries[MAX_SCENE_GEOMETRIES];
    int geometryCount;

    bool conservesEnergy;  // no drives, moving kinematic bodies, outside forces or overlap at the start
    double energyFraction; // permitted gain as a fraction of the start energy
    double lowest;         // m, lowest height that a centre of mass can reach
    bool hasContainer;     // closed: bodies must stay in |x| < inside.x, 0 < y < inside.y, |z| < inside.z
    tdVec3 inside;
    bool hasDivider;      // closed wall at x = 0: bodies must stay on their side
    bool hasGround;       // solid below y = 0: bodies must stay above
    double jointFraction; // permitted opening of joints, as a fraction of the smaller body; 0: not judged
} Scene;

// Random numbers: one draw per statement, because the compiler chooses the order in which arguments are
// evaluated.
uint32_t Scene_Draw(Scene* scene);
double Scene_DrawBetween(Scene* scene, double low, double high);
/// With equal chances for equal ratios.
double Scene_DrawRatio(Scene* scene, double low, double high);
int Scene_DrawInt(Scene* scene, int low, int high);
bool Scene_DrawChance(Scene* scene, double chance);
tdVec3 Scene_DrawDirection(Scene* scene);
tdQuat Scene_DrawRotation(Scene* scene);

static inline tdVec3 MakeVector(double x, double y, double z)
{
    return (tdVec3){(float)x, (float)y, (float)z};
}

/// Material and density of the shapes that are added next.
tdShapeDef Scene_DrawMaterial(Scene* scene, double maxRestitution);
/// A dynamic body without shapes.
/// @return its index
int Scene_AddBody(Scene* scene, tdVec3 position, tdQuat rotation);
/// A body with a random convex shape that fits a sphere of the radius.
int Scene_AddRandomBody(Scene* scene, const tdShapeDef* def, tdVec3 position, double radius);
/// A body with a box.
int Scene_AddBox(Scene* scene, const tdShapeDef* def, tdVec3 position, tdQuat rotation, tdVec3 size);
/// Give a body another mass, with the inertia scaled to it.
void Scene_SetMass(Scene* scene, int body, double mass);
/// A static box.
void Scene_AddWall(Scene* scene, const tdShapeDef* def, tdVec3 center, tdVec3 size);
/// Six walls around |x| < inside.x, 0 < y < inside.y, |z| < inside.z.
void Scene_AddContainer(Scene* scene, const tdShapeDef* def, tdVec3 inside, double thickness);
/// Bodies of the given radius, or of radii between both, on a grid that fits the container. Adds a container
/// that is large enough.
void Scene_FillContainer(Scene* scene, const tdShapeDef* def, int count, double minRadius, double maxRadius);
/// A joint whose frames coincide at the start.
void Scene_AddJoint(Scene* scene, const tdJointDef* def, double size);
/// Take over a geometry; the scene destroys it.
tdGeometry* Scene_KeepGeometry(Scene* scene, tdGeometry* geometry);
