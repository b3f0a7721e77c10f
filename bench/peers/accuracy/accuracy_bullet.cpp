// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bullet as an engine of the accuracy scenes, with its default settings and without damping or sleep.
#include "accuracy.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace
{

struct BulletInstance
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::unique_ptr<btRigidBody> ground;
    double timeStep = 0;
};

btVector3 ToVector(const double* v)
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

void* CreateBullet(const AccuracyScene* scene, double timeStep)
{
    auto* instance = new BulletInstance;
    instance->timeStep = timeStep;
    instance->world.setGravity(ToVector(scene->gravity));
    if (scene->hasGround)
    {
        instance->shapes.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), btScalar(0)));
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, instance->shapes.back().get());
        info.m_friction = 1; // Bullet multiplies the coefficients of both bodies
        info.m_restitution = 1;
        instance->ground = std::make_unique<btRigidBody>(info);
        instance->world.addRigidBody(instance->ground.get());
    }
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        const AccuracyBody& body = scene->bodies[i];
        std::unique_ptr<btCollisionShape> shape;
        if (body.shape == ACCURACY_SPHERE)
        {
            shape = std::make_unique<btSphereShape>(btScalar(body.size[0]));
        }
        else if (body.shape == ACCURACY_BOX)
        {
            shape = std::make_unique<btBoxShape>(ToVector(body.size));
        }
        else
        {
            shape = std::make_unique<btEmptyShape>();
        }
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(body.mass), nullptr, shape.get(),
                                                      ToVector(body.inertia));
        info.m_startWorldTransform.setOrigin(ToVector(body.position));
        info.m_friction = btScalar(scene->friction);
        info.m_restitution = btScalar(scene->restitution);
        auto rigid = std::make_unique<btRigidBody>(info);
        rigid->setLinearVelocity(ToVector(body.linearVelocity));
        rigid->setAngularVelocity(ToVector(body.angularVelocity));
        rigid->setActivationState(DISABLE_DEACTIVATION);
        // The box shape without a collision filter would collide at joints; bodies of joints have none.
        instance->world.addRigidBody(rigid.get());
        instance->shapes.push_back(std::move(shape));
        instance->bodies.push_back(std::move(rigid));
    }
    for (int i = 0; i < scene->hingeCount; ++i)
    {
        const AccuracyHinge& hinge = scene->hinges[i];
        btRigidBody& child = *instance->bodies[size_t(hinge.child)];
        btVector3 anchor = ToVector(hinge.anchor), axis(0, 0, 1);
        std::unique_ptr<btTypedConstraint> joint;
        if (hinge.parent < 0)
        {
            joint = std::make_unique<btHingeConstraint>(child, anchor - child.getCenterOfMassPosition(), axis);
        }
        else
        {
            btRigidBody& parent = *instance->bodies[size_t(hinge.parent)];
            joint = std::make_unique<btHingeConstraint>(parent, child, anchor - parent.getCenterOfMassPosition(),
                                                        anchor - child.getCenterOfMassPosition(), axis, axis);
        }
        instance->world.addConstraint(joint.get(), true);
        instance->joints.push_back(std::move(joint));
    }
    return instance;
}

void StepBullet(void* context)
{
    auto* instance = static_cast<BulletInstance*>(context);
    instance->world.stepSimulation(btScalar(instance->timeStep), 0);
}

AccuracyState GetBulletState(void* context, int body)
{
    const btRigidBody& rigid = *static_cast<BulletInstance*>(context)->bodies[size_t(body)];
    const btVector3& p = rigid.getCenterOfMassPosition();
    const btVector3& v = rigid.getLinearVelocity();
    const btVector3& w = rigid.getAngularVelocity();
    btQuaternion q = rigid.getOrientation();
    return {{double(p.x()), double(p.y()), double(p.z())},
            {double(q.x()), double(q.y()), double(q.z()), double(q.w())},
            {double(v.x()), double(v.y()), double(v.z())},
            {double(w.x()), double(w.y()), double(w.z())}};
}

void DestroyBullet(void* context)
{
    auto* instance = static_cast<BulletInstance*>(context);
    for (auto& joint : instance->joints)
    {
        instance->world.removeConstraint(joint.get());
    }
    for (auto& body : instance->bodies)
    {
        instance->world.removeRigidBody(body.get());
    }
    if (instance->ground)
    {
        instance->world.removeRigidBody(instance->ground.get());
    }
    delete instance;
}

} // namespace

extern "C" const AccuracyEngine bulletEngine = {"Bullet", true, ACCURACY_MAX_BODIES, CreateBullet, StepBullet,
                                                GetBulletState, DestroyBullet};
