// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Scenes with a known solution as plain data, and the engines that run them.
#pragma once

#include <stdbool.h>

#if defined(__cplusplus)
extern "C"
{
#endif

    typedef enum AccuracyShape
    {
        ACCURACY_NO_SHAPE,
        ACCURACY_SPHERE, // size[0]: radius
        ACCURACY_BOX,    // size: half edges
    } AccuracyShape;

    typedef struct AccuracyBody
    {
        AccuracyShape shape;
        double size[3];    // m
        double mass;       // kg
        double inertia[3]; // kg m^2, about the axes of the body
        double position[3];
        double linearVelocity[3], angularVelocity[3]; // m/s and rad/s, world space
    } AccuracyBody;

    /// A hinge about the world's Z axis at the start. Parents come before their children.
    typedef struct AccuracyHinge
    {
        int parent, child; // bodies; parent -1: the fixed world
        double anchor[3];  // m, world space
    } AccuracyHinge;

    enum
    {
        ACCURACY_MAX_BODIES = 2048
    };

    /// All bodies start without rotation.
    typedef struct AccuracyScene
    {
        double gravity[3]; // m/s^2
        bool hasGround;    // solid below y = 0
        double friction, restitution;
        AccuracyBody bodies[ACCURACY_MAX_BODIES];
        int bodyCount;
        AccuracyHinge hinges[ACCURACY_MAX_BODIES];
        int hingeCount;
    } AccuracyScene;

    typedef struct AccuracyState
    {
        double position[3], rotation[4]; // quaternion x y z w
        double linearVelocity[3], angularVelocity[3];
    } AccuracyState;

    /// An engine with its default settings.
    typedef struct AccuracyEngine
    {
        const char* name;
        bool hasRestitution;
        int maxBodyCount; // larger scenes take too long
        void* (*create)(const AccuracyScene* scene, double timeStep);
        void (*step)(void* instance);
        AccuracyState (*getState)(void* instance, int body);
        void (*destroy)(void* instance);
    } AccuracyEngine;

    extern const AccuracyEngine tendonEngine;
    extern const AccuracyEngine bulletEngine;
    extern const AccuracyEngine odeEngine;
    extern const AccuracyEngine mujocoEngine;

#if defined(__cplusplus)
}
#endif
