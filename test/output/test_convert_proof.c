// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Proof of conversion over scenes and all pairs of dialects. Of a file and its conversion, the imported
// descriptions are equal to 1e-6 and the motion stays within 1e-4 m for two seconds, or a warning of the
// conversion names the property that was lost; and loading the result gives no kind of error that the file
// itself does not give.
//
// The motion is compared where the scene is not chaotic: where a shift of all bodies by 1e-6 m moves nothing
// by more than 1e-5 m. TENDON_CONVERT_ALL=1 also compares the motion of all chains there and back, and
// TENDON_CONVERT_FOLDERS=a:b adds folders. See docs/decisions/094.
#include "harness.h"

#include "geometry/mass.h"
#include "geometry/triangles.h"
#include "math/vecmath.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/tendon.h"

#include <dirent.h>
#include <stdlib.h>

#define RELATIVE 1e-6
#define FRAME_TOLERANCE 2e-6 // m or rad, plus RELATIVE times the distance from the origin
#define MOTION 1e-4          // m
#define STEPS 120            // two seconds
#define TARGETS 4

static const char* const targetNames[TARGETS] = {"khr", "khr-draft", "omi", "omi-early"};

/// Words of which a finding has one when a property is lost.
typedef struct Loss
{
    const char* property;
    const char* words;
} Loss;

typedef struct Losses
{
    Loss list[64];
    int count;
    char detail[512];
} Losses;

static void AddLoss(Losses* losses, const char* property, const char* words, int node)
{
    for (int i = 0; i < losses->count; ++i)
    {
        if (strcmp(losses->list[i].property, property) == 0)
        {
            return;
        }
    }
    if (losses->count < 64)
    {
        losses->list[losses->count++] = (Loss){property, words};
        size_t length = strlen(losses->detail);
        snprintf(losses->detail + length, sizeof(losses->detail) - length, " %s(%d)", property, node);
    }
}

static bool IsNear(float a, float b)
{
    return a == b ||
           fabs((double)a - (double)b) <= RELATIVE * fmax(1.0, fmax(fabs((double)a), fabs((double)b)));
}

static bool AreNear(tdVec3 a, tdVec3 b)
{
    return IsNear(a.x, b.x) && IsNear(a.y, b.y) && IsNear(a.z, b.z);
}

static bool AreFramesNear(tdTransform a, tdTransform b)
{
    double reach = FRAME_TOLERANCE + RELATIVE * (double)tdLength(a.position);
    return (double)tdDistance(a.position, b.position) <= reach &&
           (double)tdAngleBetween(a.rotation, b.rotation) <= 4.0 * FRAME_TOLERANCE;
}

static bool AreMatricesNear(tdMat3 a, tdMat3 b, double scale)
{
    const float *p = &a.cx.x, *q = &b.cx.x;
    for (int i = 0; i < 9; ++i)
    {
        if (!(p[i] == q[i] || fabs((double)p[i] - (double)q[i]) <= 4.0 * RELATIVE * scale))
        {
            return false;
        }
    }
    return true;
}

/// Inverse of the tensor of inertia: infinite moments are zeros.
static tdMat3 GetInverseInertia(const tdPhysicsBody* body)
{
    tdMat3 axes = tdMat3FromQuat(body->inertiaOrientation);
    tdVec3 d = {1.0f / body->inertiaDiagonal.x, 1.0f / body->inertiaDiagonal.y,
                1.0f / body->inertiaDiagonal.z};
    return tdMulMat3(tdMulMat3(axes, tdDiagonal(d)), tdTranspose(axes));
}

static void CompareBody(const tdPhysicsBody* a, const tdPhysicsBody* b, Losses* losses)
{
    if (a->motion != b->motion)
    {
        AddLoss(losses, "motion", "motion static kinematic", a->node);
        return;
    }
    if (!AreFramesNear(a->frame, b->frame))
    {
        AddLoss(losses, "frame of the body", "frame", a->node);
    }
    if (a->motion == TD_MOTION_DYNAMIC)
    {
        if (!IsNear(a->mass, b->mass) && !(a->mass == INFINITY && b->mass == INFINITY))
        {
            AddLoss(losses, "mass", "mass", a->node);
        }
        tdMat3 inverse = GetInverseInertia(a);
        double scale =
            fmax(fabs((double)inverse.cx.x), fmax(fabs((double)inverse.cy.y), fabs((double)inverse.cz.z)));
        if (!AreMatricesNear(inverse, GetInverseInertia(b), scale))
        {
            AddLoss(losses, "inertia", "inertia", a->node);
        }
        if (!IsNear(a->gravityFactor, b->gravityFactor))
        {
            AddLoss(losses, "gravityFactor", "gravityFactor", a->node);
        }
    }
    if (a->motion == TD_MOTION_DYNAMIC || tdLengthSquared(a->angularVelocity) > 0.0f)
    {
        if (!AreNear(a->centerOfMass, b->centerOfMass))
        {
            AddLoss(losses, "centerOfMass", "centerOfMass mass", a->node);
        }
    }
    if (!AreNear(a->linearVelocity, b->linearVelocity) || !AreNear(a->angularVelocity, b->angularVelocity))
    {
        AddLoss(losses, "velocity", "velocity", a->node);
    }
}

/// Whether two shapes are equal but for their poses.
static bool AreShapesNear(const tdShapeGeometry* a, const tdShapeGeometry* b)
{
    if (a->kind != b->kind || a->hasMatrix != b->hasMatrix ||
        (a->hasMatrix && !AreMatricesNear(a->matrix, b->matrix, 1.0)))
    {
        return false;
    }
    switch (a->kind)
    {
    case TD_SHAPE_SPHERE:
        return IsNear(a->sphere.radius, b->sphere.radius);
    case TD_SHAPE_BOX:
        return AreNear(a->box.halfSize, b->box.halfSize);
    case TD_SHAPE_CAPSULE:
    case TD_SHAPE_CYLINDER:
        return IsNear(a->capsule.halfHeight, b->capsule.halfHeight) &&
               IsNear(a->capsule.radiusBottom, b->capsule.radiusBottom) &&
               IsNear(a->capsule.radiusTop, b->capsule.radiusTop);
    case TD_SHAPE_PLANE:
        return IsNear(a->plane.halfX, b->plane.halfX) && IsNear(a->plane.halfZ, b->plane.halfZ) &&
               a->plane.isDoubleSided == b->plane.isDoubleSided;
    case TD_SHAPE_HULL:
    case TD_SHAPE_MESH:
        break;
    }
    tdMassData left = tdComputeMassData(a, 1.0f), right = tdComputeMassData(b, 1.0f);
    if (a->kind == TD_SHAPE_MESH)
    {
        bool areEqual =
            a->mesh->vertexCount == b->mesh->vertexCount && a->mesh->triangleCount == b->mesh->triangleCount;
        for (int i = 0; areEqual && i < a->mesh->vertexCount; ++i)
        {
            areEqual = AreNear(a->mesh->vertices[i], b->mesh->vertices[i]);
        }
        return areEqual;
    }
    return IsNear(left.mass, right.mass);
}

static const char* GetSystemName(const tdPhysicsScene* scene, int system)
{
    return scene->systemNames[system];
}

static bool AreSystemsEqual(const tdPhysicsScene* a, const int* left, int leftCount, const tdPhysicsScene* b,
                            const int* right, int rightCount)
{
    if (leftCount != rightCount)
    {
        return false;
    }
    for (int i = 0; i < leftCount; ++i)
    {
        bool isThere = false;
        for (int k = 0; k < rightCount; ++k)
        {
            isThere = isThere || strcmp(GetSystemName(a, left[i]), GetSystemName(b, right[k])) == 0;
        }
        if (!isThere)
        {
            return false;
        }
    }
    return true;
}

/// Node of the moving body of one side; -1: fixed. A static body is as fixed as the world.
static int GetMovingNode(const tdPhysicsScene* scene, int body)
{
    return body >= 0 && scene->bodies[body].motion == TD_MOTION_DYNAMIC ? scene->bodies[body].node : -1;
}

static tdTransform GetWorldFrame(const tdPhysicsScene* scene, int body, tdTransform frame)
{
    return body >= 0 ? tdMulTransform(scene->bodies[body].frame, frame) : frame;
}

static void CompareCollider(const tdPhysicsScene* sceneA, const tdPhysicsCollider* a,
                            const tdPhysicsScene* sceneB, const tdPhysicsCollider* b, Losses* losses)
{
    if (GetMovingNode(sceneA, a->body) != GetMovingNode(sceneB, b->body))
    {
        AddLoss(losses, "owner", "body motion", a->node);
    }
    if (!AreShapesNear(&a->geometry, &b->geometry) ||
        !AreFramesNear(GetWorldFrame(sceneA, a->body, a->geometry.local),
                       GetWorldFrame(sceneB, b->body, b->geometry.local)))
    {
        AddLoss(losses, "shape", "plane tapered geometry mesh shape weights capsule cylinder", a->node);
    }
    static const tdPhysicsMaterial none = {.staticFriction = 0.6f, .dynamicFriction = 0.6f};
    const tdPhysicsMaterial* materialA = a->material >= 0 ? &sceneA->materials[a->material] : &none;
    const tdPhysicsMaterial* materialB = b->material >= 0 ? &sceneB->materials[b->material] : &none;
    if (!a->isTrigger && (!IsNear(materialA->staticFriction, materialB->staticFriction) ||
                          !IsNear(materialA->dynamicFriction, materialB->dynamicFriction) ||
                          !IsNear(materialA->restitution, materialB->restitution) ||
                          materialA->frictionCombine != materialB->frictionCombine ||
                          materialA->restitutionCombine != materialB->restitutionCombine))
    {
        AddLoss(losses, "material", "material", a->node);
    }
    static const tdPhysicsFilter all = {0};
    const tdPhysicsFilter* filterA = a->filter >= 0 ? &sceneA->filters[a->filter] : &all;
    const tdPhysicsFilter* filterB = b->filter >= 0 ? &sceneB->filters[b->filter] : &all;
    if ((a->filter < 0) != (b->filter < 0) ||
        !AreSystemsEqual(sceneA, filterA->systems, filterA->systemCount, sceneB, filterB->systems,
                         filterB->systemCount) ||
        !AreSystemsEqual(sceneA, filterA->collideWith, filterA->collideWithCount, sceneB,
                         filterB->collideWith, filterB->collideWithCount) ||
        !AreSystemsEqual(sceneA, filterA->notCollideWith, filterA->notCollideWithCount, sceneB,
                         filterB->notCollideWith, filterB->notCollideWithCount))
    {
        AddLoss(losses, "filter", "filter", a->node);
    }
}

/// Limits by axis: locks are split, so that one over several axes equals several over one axis each.
typedef struct LimitList
{
    tdJointLimit limits[96];
    int count;
} LimitList;

static void ListLimits(const tdPhysicsJointDesc* desc, LimitList* list)
{
    list->count = 0;
    for (int i = 0; i < desc->limitCount; ++i)
    {
        tdJointLimit limit = desc->limits[i];
        unsigned axes = limit.linearAxes | limit.angularAxes;
        bool isNorm = (axes & (axes - 1)) != 0;
        bool isLinear = limit.linearAxes != 0;
        limit.min = isNorm && limit.min <= 0.0f && limit.max > 0.0f ? -INFINITY : limit.min;
        limit.damping = limit.stiffness < INFINITY ? limit.damping : 0.0f;
        bool isLock = limit.min == 0.0f && limit.max == 0.0f && limit.stiffness == INFINITY;
        if (limit.min == -INFINITY && limit.max == INFINITY)
        {
            continue;
        }
        for (unsigned bit = 1; bit <= 4; bit <<= 1)
        {
            if ((!isNorm || !isLock) && bit > 1)
            {
                break;
            }
            tdJointLimit part = limit;
            if (isNorm && isLock)
            {
                part.linearAxes = isLinear ? axes & bit : 0u;
                part.angularAxes = isLinear ? 0u : axes & bit;
            }
            if ((part.linearAxes | part.angularAxes) != 0 && list->count < 96)
            {
                list->limits[list->count++] = part;
            }
        }
    }
}

/// Hard limits on one axis act together: they are their intersection.
static void IntersectLimits(LimitList* list)
{
    int count = 0;
    for (int i = 0; i < list->count; ++i)
    {
        const tdJointLimit* limit = &list->limits[i];
        unsigned axes = limit->linearAxes | limit->angularAxes;
        int same = -1;
        for (int k = 0; k < count && (axes & (axes - 1)) == 0 && limit->stiffness == INFINITY; ++k)
        {
            bool isSame = list->limits[k].linearAxes == limit->linearAxes &&
                          list->limits[k].angularAxes == limit->angularAxes &&
                          list->limits[k].stiffness == INFINITY;
            same = isSame ? k : same;
        }
        if (same >= 0)
        {
            list->limits[same].min = tdMaxFloat(list->limits[same].min, limit->min);
            list->limits[same].max = tdMinFloat(list->limits[same].max, limit->max);
            continue;
        }
        list->limits[count++] = *limit;
    }
    list->count = count;
}

static bool AreLimitsEqual(const tdJointLimit* a, const tdJointLimit* b)
{
    return a->linearAxes == b->linearAxes && a->angularAxes == b->angularAxes && IsNear(a->min, b->min) &&
           IsNear(a->max, b->max) && IsNear(a->stiffness, b->stiffness) && IsNear(a->damping, b->damping);
}

static bool HaveEqualLimits(const tdPhysicsJointDesc* a, const tdPhysicsJointDesc* b)
{
    LimitList left, right;
    ListLimits(a, &left);
    ListLimits(b, &right);
    IntersectLimits(&left);
    IntersectLimits(&right);
    // As sets: a limit twice is the limit.
    for (int pass = 0; pass < 2; ++pass)
    {
        const LimitList *from = pass == 0 ? &left : &right, *to = pass == 0 ? &right : &left;
        for (int i = 0; i < from->count; ++i)
        {
            bool isThere = false;
            for (int k = 0; k < to->count; ++k)
            {
                isThere = isThere || AreLimitsEqual(&from->limits[i], &to->limits[k]);
            }
            if (!isThere)
            {
                return false;
            }
        }
    }
    return true;
}

static bool HaveEqualDrives(const tdPhysicsJointDesc* a, const tdPhysicsJointDesc* b)
{
    bool areEqual = a->driveCount == b->driveCount;
    for (int i = 0; areEqual && i < a->driveCount; ++i)
    {
        const tdJointDrive *p = &a->drives[i], *q = &b->drives[i];
        areEqual = p->type == q->type && p->mode == q->mode && p->axis == q->axis &&
                   IsNear(p->maxForce, q->maxForce) && IsNear(p->positionTarget, q->positionTarget) &&
                   IsNear(p->velocityTarget, q->velocityTarget) && IsNear(p->stiffness, q->stiffness) &&
                   IsNear(p->damping, q->damping);
    }
    return areEqual;
}

static void CompareJoint(const tdPhysicsScene* sceneA, const tdPhysicsJoint* a, const tdPhysicsScene* sceneB,
                         const tdPhysicsJoint* b, Losses* losses)
{
    if (!AreFramesNear(GetWorldFrame(sceneA, a->bodyA, a->frameA),
                       GetWorldFrame(sceneB, b->bodyA, b->frameA)) ||
        !AreFramesNear(GetWorldFrame(sceneA, a->bodyB, a->frameB),
                       GetWorldFrame(sceneB, b->bodyB, b->frameB)))
    {
        AddLoss(losses, "joint frame", "frame", a->fileNode);
    }
    if (!HaveEqualLimits(&sceneA->jointDescs[a->desc], &sceneB->jointDescs[b->desc]))
    {
        AddLoss(losses, "limit", "limit bound stiffness distance", a->fileNode);
    }
    if (!HaveEqualDrives(&sceneA->jointDescs[a->desc], &sceneB->jointDescs[b->desc]))
    {
        AddLoss(losses, "drive", "drive", a->fileNode);
    }
    if (a->enableCollision != b->enableCollision)
    {
        AddLoss(losses, "enableCollision", "enableCollision", a->fileNode);
    }
}

static void CompareJoints(const tdPhysicsScene* a, const tdPhysicsScene* b, Losses* losses)
{
    bool* isTaken = calloc((size_t)b->jointCount + 1, sizeof(bool));
    for (int i = 0; i < a->jointCount; ++i)
    {
        const tdPhysicsJoint* joint = &a->joints[i];
        int best = -1;
        Losses least = {.count = 65};
        for (int k = 0; k < b->jointCount; ++k)
        {
            const tdPhysicsJoint* other = &b->joints[k];
            if (isTaken[k] || GetMovingNode(a, joint->bodyA) != GetMovingNode(b, other->bodyA) ||
                GetMovingNode(a, joint->bodyB) != GetMovingNode(b, other->bodyB))
            {
                continue;
            }
            Losses found = {0};
            CompareJoint(a, joint, b, other, &found);
            if (found.count < least.count)
            {
                least = found;
                best = k;
            }
        }
        if (best < 0)
        {
            const tdPhysicsJointDesc* desc = &a->jointDescs[joint->desc];
            AddLoss(losses, "joint", desc->limitCount == 0 ? "joint drive" : "joint", joint->fileNode);
            continue;
        }
        isTaken[best] = true;
        for (int k = 0; k < least.count; ++k)
        {
            AddLoss(losses, least.list[k].property, least.list[k].words, joint->fileNode);
        }
    }
    free(isTaken);
}

static const tdPhysicsCollider* FindCollider(const tdPhysicsScene* scene, int node, bool isTrigger)
{
    for (int i = 0; i < scene->colliderCount; ++i)
    {
        if (scene->colliders[i].node == node && scene->colliders[i].isTrigger == isTrigger)
        {
            return &scene->colliders[i];
        }
    }
    return NULL;
}

/// Parts of a compound trigger, those of its compound parts included. Its own shape is the trigger itself.
static int CountTriggerParts(const tdPhysicsScene* scene, int node)
{
    int count = 0;
    for (int i = 0; i < scene->triggerCount; ++i)
    {
        int above = i;
        while (above >= 0 && scene->triggers[above].node != node)
        {
            above = scene->triggers[above].parent;
        }
        for (int k = 0; above >= 0 && k < scene->triggers[i].colliderCount; ++k)
        {
            count += scene->colliders[scene->triggers[i].colliders[k]].node != node ? 1 : 0;
        }
    }
    return count;
}

/// Number of animated physics properties that have a target.
static int CountAnimated(const tdAsset* asset)
{
    const tdScene* scene = tdAsset_GetScene(asset);
    int count = 0;
    for (int i = 0; i < scene->animationCount; ++i)
    {
        for (int c = 0; c < scene->animations[i].channelCount; ++c)
        {
            count += tdPropertyKind_GetClass(scene->animations[i].channels[c].target.kind) >=
                             TD_PROPERTY_CLASS_MATERIAL
                         ? 1
                         : 0;
        }
    }
    return count;
}

/// Mass properties that are computed from a shape change with it: the shape is the loss.
static void DropComputed(Losses* losses)
{
    bool hasShape = false;
    for (int i = 0; i < losses->count; ++i)
    {
        hasShape = hasShape || strcmp(losses->list[i].property, "shape") == 0;
    }
    int count = 0;
    for (int i = 0; i < losses->count; ++i)
    {
        const char* property = losses->list[i].property;
        bool isComputed = strcmp(property, "inertia") == 0 || strcmp(property, "centerOfMass") == 0 ||
                          strcmp(property, "mass") == 0;
        if (!hasShape || !isComputed)
        {
            losses->list[count++] = losses->list[i];
        }
    }
    losses->count = count;
}

static void CompareScenes(const tdAsset* assetA, const tdAsset* assetB, Losses* losses)
{
    static const tdPhysicsScene none = {0};
    const tdPhysicsScene* a = tdAsset_GetScene(assetA)->physics;
    const tdPhysicsScene* b = tdAsset_GetScene(assetB)->physics;
    a = a != NULL ? a : &none;
    b = b != NULL ? b : &none;
    for (int i = 0; i < a->bodyCount; ++i)
    {
        const tdPhysicsBody* body = &a->bodies[i];
        int other = b->bodyOfNode != NULL ? b->bodyOfNode[body->node] : -1;
        bool isThere = other >= 0 && b->bodies[other].node == body->node;
        if (body->motion == TD_MOTION_STATIC)
        {
            continue; // as fixed as the world
        }
        if (!isThere)
        {
            AddLoss(losses, "body", "body motion", body->node);
            continue;
        }
        CompareBody(body, &b->bodies[other], losses);
    }
    for (int i = 0; i < a->colliderCount; ++i)
    {
        const tdPhysicsCollider* collider = &a->colliders[i];
        const tdPhysicsCollider* other = FindCollider(b, collider->node, collider->isTrigger);
        if (other == NULL)
        {
            AddLoss(losses, collider->isTrigger ? "trigger" : "collider",
                    collider->isTrigger ? "trigger" : "collider geometry mesh", collider->node);
            continue;
        }
        CompareCollider(a, collider, b, other, losses);
    }
    for (int i = 0; i < a->triggerCount; ++i)
    {
        if (CountTriggerParts(a, a->triggers[i].node) != CountTriggerParts(b, a->triggers[i].node))
        {
            AddLoss(losses, "compound trigger", "trigger", a->triggers[i].node);
        }
    }
    DropComputed(losses);
    CompareJoints(a, b, losses);
    if (CountAnimated(assetA) != CountAnimated(assetB))
    {
        AddLoss(losses, "animation", "animation", 0);
    }
}

/// Positions of all nodes at every step, and the triggers' events.
typedef struct Motion
{
    tdVec3* places; // by step and node
    int nodeCount;
    uint64_t events; // sum of hashes, so that their order within a step does not count
    int eventCount;
} Motion;

static Motion Simulate(const tdAsset* asset, int nodeCount, float shift)
{
    Motion motion = {calloc((size_t)(STEPS + 1) * (size_t)(nodeCount + 1), sizeof(tdVec3)), nodeCount, 0, 0};
    tdStage* stage = tdCreateStage(NULL);
    tdActor* actor = tdCreateActor(stage, asset, NULL, NULL);
    const tdPhysicsScene* physics = tdAsset_GetScene(asset)->physics;
    tdClip* clip = tdAsset_GetScene(asset)->animationCount > 0 ? tdCreateClip(asset, 0, NULL, NULL) : NULL;
    if (clip != NULL)
    {
        tdActor_Play(actor, clip, NULL);
    }
    for (int i = 0; shift > 0.0f && physics != NULL && i < physics->bodyCount; ++i)
    {
        if (physics->bodies[i].motion != TD_MOTION_DYNAMIC)
        {
            continue;
        }
        tdBodyId body = tdActor_GetBody(actor, physics->bodies[i].node);
        tdTransform pose = tdBody_GetTransform(tdStage_GetWorld(stage), body);
        pose.position =
            tdAdd(pose.position, (tdVec3){i % 2 != 0 ? -shift : shift, shift, i % 3 != 0 ? shift : -shift});
        tdBody_SetTransform(tdStage_GetWorld(stage), body, pose);
    }
    for (int step = 0; step < STEPS; ++step)
    {
        tdStage_Step(stage);
        for (int node = 0; node < nodeCount; ++node)
        {
            motion.places[(size_t)step * (size_t)nodeCount + (size_t)node] =
                tdMat4Translation(tdActor_GetGlobals(actor)[node]);
        }
        tdStageEvents events = tdStage_GetEvents(stage);
        for (int i = 0; i < events.triggerCount; ++i)
        {
            const tdTriggerEvent* e = &events.triggers[i];
            motion.events +=
                ((uint64_t)step * 1000003u + (uint64_t)e->triggerNode * 8191u + (uint64_t)e->visitorNode) *
                    2u +
                (e->entered ? 1u : 0u);
            motion.eventCount += 1;
        }
    }
    tdDestroyStage(stage);
    tdDestroyClip(clip);
    return motion;
}

static double CompareMotion(const Motion* a, const Motion* b, int* where)
{
    double worst = 0.0;
    for (size_t i = 0; i < (size_t)STEPS * (size_t)a->nodeCount; ++i)
    {
        double distance = (double)tdDistance(a->places[i], b->places[i]);
        if (!(distance <= worst))
        {
            worst = distance;
            *where = (int)(i % (size_t)a->nodeCount);
        }
    }
    return worst;
}

static bool HasWord(const char* text, const char* words)
{
    char word[64];
    while (*words != 0)
    {
        size_t length = strcspn(words, " ");
        memcpy(word, words, length);
        word[length] = 0;
        for (const char* p = text; *p != 0; ++p)
        {
            size_t k = 0;
            while (k < length && p[k] != 0 && (p[k] | 32) == (word[k] | 32))
            {
                ++k;
            }
            if (k == length)
            {
                return true;
            }
        }
        words += length + (words[length] == ' ' ? 1 : 0);
    }
    return false;
}

/// Whether a warning among those of the conversions has one of the words.
static bool IsNamed(tdReport* const* reports, int count, const char* words)
{
    for (int r = 0; r < count; ++r)
    {
        for (int i = 0; i < tdReport_GetCount(reports[r]); ++i)
        {
            tdDiagnostic finding = tdReport_Get(reports[r], i);
            if (finding.severity <= TD_SEVERITY_WARNING && HasWord(finding.message, words))
            {
                return true;
            }
        }
    }
    return false;
}

/// Loads what a conversion wrote, as a file.
static tdAsset* Reload(const tdAsset* asset, tdReport* report)
{
    size_t size = 0;
    void* bytes = tdSaveAssetToMemory(asset, TD_SAVE_GLB, NULL, &size, NULL);
    tdAsset* again = bytes != NULL ? tdLoadAssetFromMemory(bytes, size, NULL, report) : NULL;
    tdFreeSaved(bytes, size, NULL);
    return again;
}

static bool HasErrorCode(const tdReport* report, const char* code)
{
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        if (finding.severity == TD_SEVERITY_ERROR && strcmp(finding.code, code) == 0)
        {
            return true;
        }
    }
    return false;
}

static int pairCount, exactCount, motionCount, chaoticCount, fileCount;
static bool isComplete;

typedef struct Case
{
    const char* path;
    tdAsset* asset;
    tdReport* report;
    int nodeCount;
    Motion motion;
    bool isMotionMade, isChaotic;
} Case;

static void MakeMotion(Case* file)
{
    if (file->isMotionMade)
    {
        return;
    }
    file->isMotionMade = true;
    file->motion = Simulate(file->asset, file->nodeCount, 0.0f);
    Motion shaken = Simulate(file->asset, file->nodeCount, 1e-6f);
    int where = 0;
    file->isChaotic =
        CompareMotion(&file->motion, &shaken, &where) > 1e-5 || file->motion.events != shaken.events;
    chaoticCount += file->isChaotic ? 1 : 0;
    free(shaken.places);
}

/// Compares a conversion, or a chain of two, with the file.
static void Judge(Case* file, const tdAsset* result, tdReport* loading, tdReport* const* reports, int count,
                  const int* chain, bool withMotion)
{
    char label[128];
    snprintf(label, sizeof(label), "%s%s%s", targetNames[chain[0]], count > 1 ? " > " : "",
             count > 1 ? targetNames[chain[1]] : "");
    pairCount += 1;
    if (!ENSURE(result != NULL))
    {
        printf("  %s to %s cannot be loaded\n", file->path, label);
        return;
    }
    for (int i = 0; i < tdReport_GetCount(loading); ++i)
    {
        tdDiagnostic finding = tdReport_Get(loading, i);
        if (finding.severity == TD_SEVERITY_ERROR && !ENSURE(HasErrorCode(file->report, finding.code)))
        {
            printf("  %s to %s: %s %s %s\n", file->path, label, finding.code, finding.message,
                   finding.pointer);
        }
    }
    Losses losses = {0};
    CompareScenes(file->asset, result, &losses);
    exactCount += losses.count == 0 ? 1 : 0;
    for (int i = 0; i < losses.count; ++i)
    {
        if (!ENSURE(IsNamed(reports, count, losses.list[i].words)))
        {
            printf("  %s to %s: %s is lost and no warning names it (%s)\n", file->path, label,
                   losses.list[i].property, losses.detail);
        }
    }
    if (!withMotion || losses.count > 0)
    {
        return; // a lost property is named; the motion may differ
    }
    MakeMotion(file);
    if (file->isChaotic)
    {
        return;
    }
    motionCount += 1;
    Motion motion = Simulate(result, file->nodeCount, 0.0f);
    int where = 0;
    double worst = CompareMotion(&file->motion, &motion, &where);
    if (!ENSURE(worst <= MOTION && motion.events == file->motion.events))
    {
        printf("  %s to %s: node %d is %g m off, %d and %d events, and nothing is lost\n", file->path, label,
               where, worst, file->motion.eventCount, motion.eventCount);
    }
    free(motion.places);
}

static void TryConversions(Case* file)
{
    for (int first = 0; first < TARGETS; ++first)
    {
        tdReport* reports[2] = {tdCreateReport(NULL), NULL};
        tdReport* loading = tdCreateReport(NULL);
        tdAsset* converted = tdConvertAsset(file->asset, (tdPhysicsTarget)first, reports[0]);
        tdAsset* there = Reload(converted, loading);
        tdDestroyAsset(converted);
        int chain[2] = {first, 0};
        Judge(file, there, loading, reports, 1, chain, true);
        for (int second = 0; second < TARGETS && there != NULL; ++second)
        {
            reports[1] = tdCreateReport(NULL);
            tdReport* loadingAgain = tdCreateReport(NULL);
            tdAsset* convertedAgain = tdConvertAsset(there, (tdPhysicsTarget)second, reports[1]);
            tdAsset* back = Reload(convertedAgain, loadingAgain);
            chain[1] = second;
            Judge(file, back, loadingAgain, reports, 2, chain, isComplete);
            tdDestroyAsset(back);
            tdDestroyAsset(convertedAgain);
            tdDestroyReport(loadingAgain);
            tdDestroyReport(reports[1]);
        }
        tdDestroyAsset(there);
        tdDestroyReport(loading);
        tdDestroyReport(reports[0]);
    }
}

static void TryFile(const char* path)
{
    Case file = {.path = path, .report = tdCreateReport(NULL)};
    file.asset = tdLoadAsset(path, NULL, file.report);
    bool hasPhysics = file.asset != NULL && tdAsset_GetScene(file.asset)->physics != NULL;
    if (hasPhysics)
    {
        fileCount += 1;
        file.nodeCount = tdAsset_GetNodeCount(file.asset);
        TryConversions(&file);
        free(file.motion.places);
    }
    tdDestroyAsset(file.asset);
    tdDestroyReport(file.report);
}

static int CompareNames(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

/// Files of a folder by name, so that the output has an order.
static void TryProofFolder(const char* path)
{
    const char* only = getenv("TENDON_CONVERT_ONLY");
    char* files[1024];
    int count = 0;
    DIR* folder = opendir(path);
    for (struct dirent* entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    {
        const char* dot = strrchr(entry->d_name, '.');
        bool isScene = dot != NULL && (strcmp(dot, ".gltf") == 0 || strcmp(dot, ".glb") == 0);
        if (isScene && count < 1024 && (only == NULL || strstr(entry->d_name, only) != NULL))
        {
            size_t size = strlen(path) + strlen(entry->d_name) + 2;
            files[count] = malloc(size);
            snprintf(files[count++], size, "%s/%s", path, entry->d_name);
        }
    }
    if (folder != NULL)
    {
        closedir(folder);
    }
    qsort(files, (size_t)count, sizeof(files[0]), CompareNames);
    for (int i = 0; i < count; ++i)
    {
        TryFile(files[i]);
        free(files[i]);
    }
}

TEST(ConversionsKeepOrNameEveryProperty)
{
    isComplete = getenv("TENDON_CONVERT_ALL") != NULL;
    TryProofFolder(TD_TEST_DATA "/convert");
    TryProofFolder(TD_TEST_DATA "/dialects");
    TryProofFolder(TD_TEST_DATA "/physics");
    TryProofFolder("examples");
    char folders[4096] = "";
    const char* more = getenv("TENDON_CONVERT_FOLDERS");
    snprintf(folders, sizeof(folders), "%s", more != NULL ? more : "");
    for (char *at = folders, *next; *at != 0; at = next)
    {
        size_t length = strcspn(at, ":");
        next = at + length + (at[length] == ':' ? 1 : 0);
        at[length] = 0;
        TryProofFolder(at);
    }
    printf("%d files, %d conversions and chains, %d without loss, %d motions compared, %d files chaotic\n",
           fileCount, pairCount, exactCount, motionCount, chaoticCount);
    if (getenv("TENDON_CONVERT_ONLY") == NULL)
    {
        // A converter that names a loss everywhere would pass otherwise.
        ENSURE(fileCount >= 100 && 2 * exactCount > pairCount && motionCount > fileCount);
    }
}

TEST_MAIN(RUN(ConversionsKeepOrNameEveryProperty))
