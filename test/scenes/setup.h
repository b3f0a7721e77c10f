// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A setup is a scene as plain data: shapes, bodies, joints, duration and measurement window. Tests,
// benchmarks and examples build the same setups by name, and other engines can run them.
#pragma once

#include "tendon/joint.h"
#include "tendon/physics.h"

#if defined(__cplusplus)
extern "C"
{
#endif

    typedef enum tdSetupShapeKind
    {
        TD_SETUP_SPHERE,   // size.x radius
        TD_SETUP_BOX,      // size: half sizes
        TD_SETUP_CAPSULE,  // size.x half the distance of the sphere centres, along Y; size.y radius at -Y,
                           // size.z at +Y
        TD_SETUP_CYLINDER, // size.x half height, along Y; size.y radius at -Y, size.z at +Y
        TD_SETUP_PLANE,    // half-space below y = 0
        TD_SETUP_HULL,     // of points[firstPoint ..]
        TD_SETUP_MESH,     // points[firstPoint ..], triangles[firstTriangle ..], three indices each
    } tdSetupShapeKind;

    typedef struct tdSetupShape
    {
        tdSetupShapeKind kind;
        tdVec3 size;
        int firstPoint, pointCount;
        int firstTriangle, triangleCount;
    } tdSetupShape;

    typedef struct tdSetupPart
    {
        int shape;
        tdTransform local; // in the body
    } tdSetupPart;

    typedef struct tdSetupBody
    {
        tdMotion motion;
        float density, staticFriction, dynamicFriction, restitution;
        uint32_t category, mask; // two collide if each one's mask has the other's category
        tdTransform transform;
        tdVec3 linearVelocity, angularVelocity;
        int firstPart, partCount;
        bool isTrigger;
    } tdSetupBody;

    typedef enum tdSetupJointKind
    {
        TD_SETUP_JOINT_BALL,    // the two frame origins coincide
        TD_SETUP_JOINT_RAGDOLL, // ball, X axes within `cone`, twist about X within lower..upper
        TD_SETUP_JOINT_HINGE,   // ball, X axes coincide, turn about X within lower..upper
        TD_SETUP_JOINT_MOTOR,   // hinge without range, driven at `speed` with at most `maxTorque`
        TD_SETUP_JOINT_SLIDER,  // travel along X only, within lower..upper
        TD_SETUP_JOINT_FIXED,
        TD_SETUP_JOINT_SPRING, // distance 0..upper, soft beyond with `stiffness` and `damping`
    } tdSetupJointKind;

    typedef struct tdSetupJoint
    {
        tdSetupJointKind kind;
        int bodyA, bodyB; // -1: the fixed world
        tdTransform frameA, frameB;
        float cone, lower, upper;
        float speed, maxTorque, stiffness, damping;
    } tdSetupJoint;

    typedef struct tdSetup
    {
        const char* name;
        float timeStep;
        tdVec3 gravity;
        int stepCount;   // duration
        int windowStart; // timings and joint errors count from this step on
        bool enableSleep;
        float floorHeight; // a body whose origin is below it is lost
        int firstReplaced; // > 0: each step replaces one of the bodies from here on by a new one at its start

        tdSetupShape* shapes;
        tdVec3* points;
        int (*triangles)[3];
        tdSetupBody* bodies;
        tdSetupPart* parts;
        tdSetupJoint* joints;
        int shapeCount, pointCount, triangleCount, bodyCount, partCount, jointCount;
        int shapeCapacity, pointCapacity, triangleCapacity, bodyCapacity, partCapacity, jointCapacity;
    } tdSetup;

    /// A list entry: name, purpose, builder.
    typedef struct tdSetupEntry
    {
        const char* name;
        const char* purpose;
        void (*build)(tdSetup* setup);
    } tdSetupEntry;

    /// The benchmark scenes S1 to S7, in that order, terminated by a NULL name.
    extern const tdSetupEntry tdBenchmarkSetups[];
    /// The second set of benchmark scenes, measured as whole runs. Terminated by a NULL name.
    extern const tdSetupEntry tdSecondSetups[];
    /// Small scenes of a few bodies each, for state hashes. Terminated by a NULL name.
    extern const tdSetupEntry tdSmallSetups[];

    /// Builds the setup of that name from one of the lists. NULL if there is none. Free with tdDestroySetup.
    tdSetup* tdCreateSetup(const char* name);
    /// An empty setup: 60 Hz, standard gravity, no sleep.
    tdSetup* tdCreateEmptySetup(const char* name);
    /// Reads the text form that bench/README.md describes. NULL if the file is missing or malformed.
    tdSetup* tdReadSetup(const char* path);
    void tdDestroySetup(tdSetup* setup);

    /// Functions that add to a setup. All return the index of the new entry.
    int tdSetup_AddSphere(tdSetup* setup, float radius);
    int tdSetup_AddBox(tdSetup* setup, float halfX, float halfY, float halfZ);
    int tdSetup_AddCapsule(tdSetup* setup, float halfHeight, float radiusBottom, float radiusTop);
    int tdSetup_AddCylinder(tdSetup* setup, float halfHeight, float radiusBottom, float radiusTop);
    int tdSetup_AddPlane(tdSetup* setup);
    int tdSetup_AddHull(tdSetup* setup, const tdVec3* points, int count);
    int tdSetup_AddMesh(tdSetup* setup, const tdVec3* points, int count, const int (*triangles)[3],
                        int triangleCount);
    /// A body at the identity with density 1000, friction 0.5, no restitution, colliding with all. The caller
    /// changes it through setup->bodies[index], then adds its parts before the next body.
    int tdSetup_AddBody(tdSetup* setup, tdMotion motion, tdVec3 position);
    void tdSetup_AddPart(tdSetup* setup, int body, int shape, tdTransform local);
    /// A body of one shape.
    int tdSetup_AddSimpleBody(tdSetup* setup, tdMotion motion, int shape, tdVec3 position, tdQuat rotation);
    int tdSetup_AddJoint(tdSetup* setup, tdSetupJointKind kind, int bodyA, int bodyB, tdTransform frameA,
                         tdTransform frameB);

    /// The world of a setup.
    typedef struct tdSetupWorld
    {
        tdWorld* world;
        const tdSetup* setup;
        tdBodyId* bodies;
        tdJointId* joints;
        tdGeometry** geometries; // cooked hulls and meshes, by shape, NULL for others
        int stepIndex;
    } tdSetupWorld;

    /// @param def may be NULL; gravity, sleep and body capacity always come from the setup
    tdSetupWorld tdInstantiateSetup(const tdSetup* setup, const tdWorldDef* def);
    void tdDestroySetupWorld(tdSetupWorld* instance);
    bool tdSetupWorld_Step(tdSetupWorld* instance);
    /// Runs all steps.
    /// @return hash of the state
    uint64_t tdRunSetup(const tdSetup* setup, const tdWorldDef* def);

#if defined(__cplusplus)
}
#endif
