// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Runs Bullet with its default settings on the benchmark scenes, measured by the same code as Tendon.
// Single-threaded, because the packaged library has no task scheduler.
#include "measure.h"

#include <LinearMath/btConvexHullComputer.h>
#include <btBulletDynamicsCommon.h>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

struct Instance
{
    const tdSetup* setup = nullptr;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btStridingMeshInterface>> meshes;
    std::vector<std::vector<int>> indices;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCompoundShape>> compounds;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
};

btVector3 ToVector(tdVec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

btTransform ToTransform(tdTransform t)
{
    return btTransform(btQuaternion(t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w),
                       ToVector(t.position));
}

std::unique_ptr<btCollisionShape> MakeShape(Instance& instance, const tdSetupShape& shape)
{
    const tdSetup* setup = instance.setup;
    switch (shape.kind)
    {
    case TD_SETUP_SPHERE:
        return std::make_unique<btSphereShape>(shape.size.x);
    case TD_SETUP_BOX:
        return std::make_unique<btBoxShape>(ToVector(shape.size));
    case TD_SETUP_CAPSULE:
        return std::make_unique<btCapsuleShape>(shape.size.y, 2 * shape.size.x);
    case TD_SETUP_CYLINDER:
        return std::make_unique<btCylinderShape>(btVector3(shape.size.y, shape.size.x, shape.size.y));
    case TD_SETUP_HULL:
    {
        // Bullet adds the margin outside of a hull's points; 2 cm instead of the default 4 cm keeps small
        // hulls near their size.
        auto hull = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < shape.pointCount; ++i)
        {
            hull->addPoint(ToVector(setup->points[shape.firstPoint + i]), false);
        }
        hull->setMargin(0.02f);
        hull->recalcLocalAabb();
        return hull;
    }
    case TD_SETUP_MESH:
    {
        std::vector<int> indices;
        for (int i = 0; i < 3 * shape.triangleCount; ++i)
        {
            indices.push_back(setup->triangles[shape.firstTriangle + i / 3][i % 3]);
        }
        instance.indices.push_back(std::move(indices));
        instance.meshes.push_back(std::make_unique<btTriangleIndexVertexArray>(
            shape.triangleCount, instance.indices.back().data(), int(3 * sizeof(int)), shape.pointCount,
            &setup->points[shape.firstPoint].x, int(sizeof(tdVec3))));
        return std::make_unique<btBvhTriangleMeshShape>(instance.meshes.back().get(), true);
    }
    default:
        return nullptr;
    }
}

btScalar HullVolume(const tdSetup* setup, const tdSetupShape& shape)
{
    btConvexHullComputer hull;
    hull.compute(&setup->points[shape.firstPoint].x, int(sizeof(tdVec3)), shape.pointCount, 0, 0);
    btScalar volume = 0;
    for (int i = 0; i < hull.faces.size(); ++i)
    {
        const btConvexHullComputer::Edge *first = &hull.edges[hull.faces[i]],
                                         *edge = first->getNextEdgeOfFace();
        const btVector3& a = hull.vertices[first->getSourceVertex()];
        for (; edge->getTargetVertex() != first->getSourceVertex(); edge = edge->getNextEdgeOfFace())
        {
            volume +=
                a.dot(hull.vertices[edge->getSourceVertex()].cross(hull.vertices[edge->getTargetVertex()])) /
                6;
        }
    }
    return btFabs(volume);
}

// False if the setup has a feature that this program does not map to Bullet.
bool AddBody(Instance& instance, const tdSetupBody& source)
{
    const tdSetup* setup = instance.setup;
    btCollisionShape* shape = nullptr;
    if (source.partCount == 1 &&
        ToTransform(setup->parts[source.firstPart].local) == btTransform::getIdentity())
    {
        shape = instance.shapes[size_t(setup->parts[source.firstPart].shape)].get();
    }
    else
    {
        if (source.motion == TD_MOTION_DYNAMIC)
        {
            return false;
        }
        instance.compounds.push_back(std::make_unique<btCompoundShape>());
        for (int i = 0; i < source.partCount; ++i)
        {
            const tdSetupPart& part = setup->parts[source.firstPart + i];
            instance.compounds.back()->addChildShape(ToTransform(part.local),
                                                     instance.shapes[size_t(part.shape)].get());
        }
        shape = instance.compounds.back().get();
    }
    if (shape == nullptr || source.isTrigger)
    {
        return false;
    }
    btVector3 inertia(0, 0, 0), center(0, 0, 0);
    btScalar mass = 0;
    if (source.motion == TD_MOTION_DYNAMIC)
    {
        const tdSetupShape& kind = setup->shapes[setup->parts[source.firstPart].shape];
        const btScalar pi = SIMD_PI, x = kind.size.x, y = kind.size.y;
        btScalar volume = 0;
        switch (kind.kind)
        {
        case TD_SETUP_SPHERE:
            volume = 4 * pi / 3 * x * x * x;
            break;
        case TD_SETUP_BOX:
            volume = 8 * x * y * kind.size.z;
            break;
        case TD_SETUP_CAPSULE:
            volume = pi * y * y * (2 * x + 4 * y / 3);
            break;
        case TD_SETUP_CYLINDER:
            volume = pi * y * y * 2 * x;
            break;
        default:
            volume = HullVolume(setup, kind);
            break;
        }
        mass = source.density * volume;
        shape->calculateLocalInertia(mass, inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = ToTransform(source.transform);
    auto body = std::make_unique<btRigidBody>(info);
    // Bullet multiplies the two frictions; the square root gives the scene's value where both are equal.
    body->setFriction(btSqrt(source.staticFriction));
    body->setRestitution(source.restitution);
    body->setLinearVelocity(ToVector(source.linearVelocity));
    body->setAngularVelocity(ToVector(source.angularVelocity));
    if (source.motion == TD_MOTION_KINEMATIC)
    {
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        body->setActivationState(DISABLE_DEACTIVATION);
    }
    else if (!setup->enableSleep)
    {
        body->setActivationState(DISABLE_DEACTIVATION);
    }
    instance.world->addRigidBody(body.get(), int(source.category), int(source.mask));
    instance.bodies.push_back(std::move(body));
    return true;
}

bool AddJoint(Instance& instance, const tdSetupJoint& source)
{
    if (source.bodyA < 0 || source.bodyB < 0)
    {
        return false;
    }
    btRigidBody &a = *instance.bodies[size_t(source.bodyA)], &b = *instance.bodies[size_t(source.bodyB)];
    if (source.kind == TD_SETUP_JOINT_BALL)
    {
        instance.joints.push_back(std::make_unique<btPoint2PointConstraint>(
            a, b, ToVector(source.frameA.position), ToVector(source.frameB.position)));
    }
    else if (source.kind == TD_SETUP_JOINT_RAGDOLL)
    {
        auto joint = std::make_unique<btConeTwistConstraint>(a, b, ToTransform(source.frameA),
                                                             ToTransform(source.frameB));
        joint->setLimit(source.cone, source.cone, source.upper);
        instance.joints.push_back(std::move(joint));
    }
    else
    {
        return false;
    }
    instance.world->addConstraint(instance.joints.back().get(), true);
    return true;
}

void Destroy(void* context)
{
    Instance* instance = static_cast<Instance*>(context);
    for (auto& joint : instance->joints)
    {
        instance->world->removeConstraint(joint.get());
    }
    for (auto& body : instance->bodies)
    {
        instance->world->removeRigidBody(body.get());
    }
    delete instance;
}

void* Create(const tdSetup* setup, const tdBenchOptions* options)
{
    if (options->threads != 1)
    {
        return nullptr;
    }
    auto instance = std::make_unique<Instance>();
    instance->setup = setup;
    instance->world = std::make_unique<btDiscreteDynamicsWorld>(&instance->dispatcher, &instance->broadphase,
                                                                &instance->solver, &instance->configuration);
    instance->world->setGravity(ToVector(setup->gravity));
    instance->indices.reserve(size_t(setup->shapeCount));
    for (int i = 0; i < setup->shapeCount; ++i)
    {
        instance->shapes.push_back(MakeShape(*instance, setup->shapes[i]));
    }
    bool fine = true;
    for (int i = 0; i < setup->bodyCount && fine; ++i)
    {
        fine = AddBody(*instance, setup->bodies[i]);
    }
    for (int i = 0; i < setup->jointCount && fine; ++i)
    {
        fine = AddJoint(*instance, setup->joints[i]);
    }
    if (!fine)
    {
        Destroy(instance.release());
        return nullptr;
    }
    return instance.release();
}

void Step(void* context)
{
    Instance* instance = static_cast<Instance*>(context);
    const tdSetup* setup = instance->setup;
    for (int i = 0; i < setup->bodyCount; ++i)
    {
        // Bullet derives a kinematic body's velocity from its motion, so the program moves the body itself.
        if (setup->bodies[i].motion == TD_MOTION_KINEMATIC)
        {
            btRigidBody& body = *instance->bodies[size_t(i)];
            btTransform next;
            body.setLinearVelocity(ToVector(setup->bodies[i].linearVelocity));
            body.setAngularVelocity(ToVector(setup->bodies[i].angularVelocity));
            body.predictIntegratedTransform(setup->timeStep, next);
            body.saveKinematicState(setup->timeStep);
            body.setInterpolationWorldTransform(body.getWorldTransform());
            body.setWorldTransform(next);
            body.setLinearVelocity(ToVector(setup->bodies[i].linearVelocity));
            body.setAngularVelocity(ToVector(setup->bodies[i].angularVelocity));
        }
    }
    instance->world->stepSimulation(setup->timeStep, 0);
}

void GetPoses(void* context, tdTransform* poses)
{
    Instance* instance = static_cast<Instance*>(context);
    for (size_t i = 0; i < instance->bodies.size(); ++i)
    {
        const btTransform& t = instance->bodies[i]->getWorldTransform();
        btQuaternion q = t.getRotation();
        poses[i] = {{t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()}, {q.x(), q.y(), q.z(), q.w()}};
    }
}

const char* GetSimd(void*)
{
    return "sse2";
}

} // namespace

int main(int argc, char** argv)
{
    char version[16];
    std::snprintf(version, sizeof(version), "%d.%02d", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100);
    tdBenchEngine engine = {"bullet", version, Create, Destroy, Step, GetPoses, GetSimd, nullptr, nullptr, nullptr};
    return tdRunBench(&engine, argc, argv);
}
