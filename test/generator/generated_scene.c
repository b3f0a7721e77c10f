// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Random numbers and the parts of which generated scenes are made.
#include "generated_scene.h"

#include <math.h>
#include <stddef.h>

uint32_t Scene_Draw(Scene* scene)
{
    // SplitMix64 (Steele, Lea, Flood 2014).
    uint64_t z = scene->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

double Scene_DrawBetween(Scene* scene, double low, double high)
{
    return low + (high - low) * ((double)Scene_Draw(scene) / 4294967296.0);
}

double Scene_DrawRatio(Scene* scene, double low, double high)
{
    return exp(Scene_DrawBetween(scene, log(low), log(high)));
}

int Scene_DrawInt(Scene* scene, int low, int high)
{
    return low + (int)(Scene_Draw(scene) % (uint32_t)(high - low + 1));
}

bool Scene_DrawChance(Scene* scene, double chance)
{
    return Scene_DrawBetween(scene, 0.0, 1.0) < chance;
}

tdVec3 Scene_DrawDirection(Scene* scene)
{
    double z = Scene_DrawBetween(scene, -1.0, 1.0);
    double angle = Scene_DrawBetween(scene, 0.0, 6.283185307179586);
    double r = sqrt(1.0 - z * z);
    return MakeVector(r * cos(angle), r * sin(angle), z);
}

tdQuat Scene_DrawRotation(Scene* scene)
{
    tdVec3 axis = Scene_DrawDirection(scene);
    double half = Scene_DrawBetween(scene, 0.0, 3.141592653589793);
    float s = (float)sin(half);
    return (tdQuat){s * axis.x, s * axis.y, s * axis.z, (float)cos(half)};
}

tdShapeDef Scene_DrawMaterial(Scene* scene, double maxRestitution)
{
    tdShapeDef def = tdDefaultShapeDef();
    def.density = (float)Scene_DrawRatio(scene, 300.0, 3000.0);
    def.dynamicFriction = (float)Scene_DrawBetween(scene, 0.0, 0.9);
    def.staticFriction = def.dynamicFriction + (float)Scene_DrawBetween(scene, 0.0, 0.2);
    def.restitution = (float)(maxRestitution * Scene_DrawBetween(scene, 0.0, 1.0));
    return def;
}

int Scene_AddBody(Scene* scene, tdVec3 position, tdQuat rotation)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform = (tdTransform){position, rotation};
    int index = scene->bodyCount++;
    scene->bodies[index] = (SceneBody){.id = tdCreateBody(scene->world, &def), .start = position};
    return index;
}

tdGeometry* Scene_KeepGeometry(Scene* scene, tdGeometry* geometry)
{
    if (geometry != NULL)
    {
        scene->geometries[scene->geometryCount++] = geometry;
    }
    return geometry;
}

// A hull of random points within a sphere of the radius; sometimes flat, sometimes long.
static bool AddRandomHull(Scene* scene, tdBodyId body, const tdShapeDef* def, double radius, double* smallest)
{
    if (scene->geometryCount == MAX_SCENE_GEOMETRIES)
    {
        return false;
    }
    tdVec3 points[24];
    int count = Scene_DrawInt(scene, 6, 24);
    double flat = Scene_DrawBetween(scene, 0.2, 1.0);
    for (int i = 0; i < count; ++i)
    {
        tdVec3 p = Scene_DrawDirection(scene);
        points[i] = MakeVector(radius * (double)p.x, radius * flat * (double)p.y, radius * (double)p.z);
    }
    tdGeometry* hull = tdCreateHullGeometry(points, count, NULL, NULL);
    if (hull == NULL)
    {
        return false;
    }
    *smallest = 2.0 * flat * radius;
    return tdCreateHull(scene->world, body, def, Scene_KeepGeometry(scene, hull)).index1 != 0;
}

int Scene_AddRandomBody(Scene* scene, const tdShapeDef* def, tdVec3 position, double radius)
{
    int index = Scene_AddBody(scene, position, Scene_DrawRotation(scene));
    SceneBody* body = &scene->bodies[index];
    tdWorld* world = scene->world;
    static const char* const kinds[7] = {"sphere",   "box",  "capsule", "tapered capsule",
                                         "cylinder", "cone", "hull"};
    int kind = Scene_DrawInt(scene, 0, 6);
    double a = Scene_DrawBetween(scene, 0.25, 1.0), b = Scene_DrawBetween(scene, 0.25, 1.0);
    float r = (float)radius;
    body->radius = radius;
    body->smallest = 2.0 * radius;
    body->kind = kinds[kind];
    if (kind == 6 && AddRandomHull(scene, body->id, def, radius, &body->smallest))
    {
        return index;
    }
    if (kind == 1) // half extents (1, a, b), scaled to a diagonal of 2 r
    {
        double scale = radius / sqrt(1.0 + a * a + b * b);
        tdCreateBox(world, body->id, def, MakeVector(2.0 * scale, 2.0 * scale * a, 2.0 * scale * b));
        body->smallest = 2.0 * scale * fmin(a, b);
    }
    else if (kind == 2)
    {
        float thin = 0.5f * (float)a * r;
        tdCreateCapsule(world, body->id, def, 2.0f * (r - thin), thin, thin);
        body->smallest = 2.0 * (double)thin;
    }
    else if (kind == 3) // tapered
    {
        float thin = 0.5f * (float)a * r, thick = 0.5f * (float)b * r;
        tdCreateCapsule(world, body->id, def, 2.0f * (r - fmaxf(thin, thick)), thin, thick);
        body->smallest = 2.0 * (double)fminf(thin, thick);
    }
    else if (kind == 4) // cylinder within the sphere
    {
        double half = radius * a * 0.95, across = sqrt(radius * radius - half * half);
        tdCreateCylinder(world, body->id, def, 2.0f * (float)half, (float)across, (float)across);
        body->smallest = 2.0 * fmin(half, across);
    }
    else if (kind == 5) // cone
    {
        double half = radius * (0.3 + 0.4 * a), across = sqrt(radius * radius - half * half);
        tdCreateCylinder(world, body->id, def, 2.0f * (float)half, (float)across, 0.0f);
        body->smallest = 2.0 * fmin(half, across);
    }
    else
    {
        tdCreateSphere(world, body->id, def, r);
        body->kind = kinds[0];
    }
    return index;
}

int Scene_AddBox(Scene* scene, const tdShapeDef* def, tdVec3 position, tdQuat rotation, tdVec3 size)
{
    int index = Scene_AddBody(scene, position, rotation);
    tdCreateBox(scene->world, scene->bodies[index].id, def, size);
    double x = (double)size.x, y = (double)size.y, z = (double)size.z;
    scene->bodies[index].radius = 0.5 * sqrt(x * x + y * y + z * z);
    scene->bodies[index].smallest = fmin(x, fmin(y, z));
    scene->bodies[index].kind = "box";
    return index;
}

void Scene_SetMass(Scene* scene, int body, double mass)
{
    tdBodyMass old = tdBody_GetMass(scene->world, scene->bodies[body].id);
    float scale = (float)mass / old.mass;
    old.mass *= scale;
    old.inertiaDiagonal.x *= scale;
    old.inertiaDiagonal.y *= scale;
    old.inertiaDiagonal.z *= scale;
    tdBody_SetMass(scene->world, scene->bodies[body].id, old);
}

void Scene_AddWall(Scene* scene, const tdShapeDef* def, tdVec3 center, tdVec3 size)
{
    tdBodyDef body = tdDefaultBodyDef();
    body.transform.position = center;
    tdCreateBox(scene->world, tdCreateBody(scene->world, &body), def, size);
}

void Scene_AddContainer(Scene* scene, const tdShapeDef* def, tdVec3 inside, double thickness)
{
    double x = (double)inside.x, y = (double)inside.y, z = (double)inside.z, t = thickness;
    double wide = 2.0 * x + 2.0 * t, deep = 2.0 * z + 2.0 * t, high = y + 2.0 * t;
    Scene_AddWall(scene, def, MakeVector(0, -0.5 * t, 0), MakeVector(wide, t, deep));
    Scene_AddWall(scene, def, MakeVector(0, y + 0.5 * t, 0), MakeVector(wide, t, deep));
    for (int i = -1; i <= 1; i += 2)
    {
        Scene_AddWall(scene, def, MakeVector(i * (x + 0.5 * t), 0.5 * y, 0), MakeVector(t, high, deep));
        Scene_AddWall(scene, def, MakeVector(0, 0.5 * y, i * (z + 0.5 * t)), MakeVector(wide, high, t));
    }
    scene->hasContainer = true;
    scene->inside = inside;
    scene->lowest = 0.0;
}

void Scene_FillContainer(Scene* scene, const tdShapeDef* def, int count, double minRadius, double maxRadius)
{
    double cell = 2.1 * maxRadius;
    int columns = (int)ceil(cbrt((double)count));
    int layers = (count + columns * columns - 1) / (columns * columns);
    double half = 0.5 * cell * columns;
    for (int i = 0; i < count; ++i)
    {
        int column = i % columns, row = i / columns % columns, layer = i / (columns * columns);
        tdVec3 position =
            MakeVector((column + 0.5) * cell - half, (layer + 0.5) * cell, (row + 0.5) * cell - half);
        double radius = Scene_DrawRatio(scene, minRadius, maxRadius);
        Scene_AddRandomBody(scene, def, position, radius);
    }
    Scene_AddContainer(scene, def, MakeVector(half, cell * (layers + 1), half), half);
}

void Scene_AddJoint(Scene* scene, const tdJointDef* def, double size)
{
    if (scene->jointCount < MAX_SCENE_JOINTS)
    {
        scene->joints[scene->jointCount++] = (SceneJoint){tdCreateJoint(scene->world, def), size};
    }
}
