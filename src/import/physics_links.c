// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Builds joints and compound triggers (docs/spec/physics.md 5.5, 6.1, 6.5).
#include "physics_links.h"

#include "physics_bodies.h"
#include "physics_build.h"
#include "physics_colliders.h"

#include "math/trig.h"

#include <string.h>

#define GRAVITY 9.81f
#define MISALIGNED_DISTANCE 0.01f   // m
#define MISALIGNED_ANGLE 0.0174533f // rad, one degree

/// With more nodes than this between a body and its joint, the frame is computed through the world.
#define NEAR_DEPTH 8

static bool HasScale(const tdNodeTree* nodes, int node)
{
    tdVec3 scale = nodes->locals[node].scale;
    return scale.x != 1.0f || scale.y != 1.0f || scale.z != 1.0f ||
           (nodes->isSheared != NULL && nodes->isSheared[node]);
}

/// By node: whether it or an ancestor is scaled. NULL when memory ran out.
static const bool* FindScaled(const tdPhysicsBuild* build)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    bool* isScaled = tdArena_NewArray(&build->import->scratch, bool, nodes->count);
    for (int position = 0; position < nodes->count && isScaled != NULL; ++position)
    {
        int node = nodes->order[position], parent = nodes->parents[node];
        isScaled[node] = HasScale(nodes, node) || (parent >= 0 && isScaled[parent]);
    }
    return isScaled;
}

/// Computes the frame of a node relative to a body a few nodes above it, without world transforms: a node
/// directly below its body keeps its bits. False if the chain is too long or scaled.
static bool GetNearFrame(const tdPhysicsBuild* build, const bool* isScaled, int frameNode, int bodyNode,
                         tdTransform* frame)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    int parent = nodes->parents[frameNode];
    tdVec3 scale = nodes->locals[frameNode].scale;
    bool isPlain = scale.x > 0.0f && scale.y > 0.0f && scale.z > 0.0f &&
                   (nodes->isSheared == NULL || !nodes->isSheared[frameNode]);
    if (frameNode == bodyNode || parent < 0 || isScaled[parent] || !isPlain)
    {
        return false; // the signs of a scale turn the world rotation of its node
    }
    *frame = (tdTransform){nodes->locals[frameNode].translation, nodes->locals[frameNode].rotation};
    int depth = 0;
    for (; parent >= 0 && parent != bodyNode && depth < NEAR_DEPTH; parent = nodes->parents[parent], ++depth)
    {
        tdTransform above = {nodes->locals[parent].translation, nodes->locals[parent].rotation};
        *frame = tdMulTransform(above, *frame);
    }
    return parent == bodyNode;
}

/// The frame of a joint node, in its body or in the world.
static tdTransform GetJointFrame(const tdPhysicsBuild* build, const bool* isScaled, int frameNode, int body)
{
    tdTransform frame;
    if (body >= 0 && GetNearFrame(build, isScaled, frameNode, build->bodies[body].node, &frame))
    {
        return frame;
    }
    frame = tdPhysicsBuild_GetFrame(build, frameNode);
    return body >= 0 ? tdInvMulTransform(build->bodies[body].frame, frame) : frame;
}

/// The solid collider at or above a node, which a side without a motion does not collide with.
static int FindStaticCollider(const tdPhysicsBuild* build, int node)
{
    const int* parents = build->import->scene->nodes.parents;
    for (; node >= 0; node = parents[node])
    {
        if (build->colliderOfNode[node] >= 0)
        {
            return build->colliderOfNode[node];
        }
    }
    return -1;
}

static bool HasDynamicMotion(const tdPhysicsBuild* build, int body)
{
    return body >= 0 && build->bodies[body].motion == TD_MOTION_DYNAMIC;
}

static bool CanMove(const tdPhysicsBuild* build, int body)
{
    return body >= 0 && build->bodies[body].motion != TD_MOTION_STATIC;
}

/// Distance of the value of a locked limit from its target.
static float GetLockError(const tdJointLimit* limit, tdVec3 p, tdQuat q)
{
    float x[3] = {p.x, p.y, p.z};
    float v[3] = {q.x, q.y, q.z};
    unsigned axes = limit->linearAxes | limit->angularAxes;
    float sum = 0.0f, value = 0.0f;
    int count = 0;
    for (int i = 0; i < 3; ++i)
    {
        if ((axes & (1u << i)) != 0)
        {
            value = limit->linearAxes != 0 ? x[i] : 2.0f * tdAtan2(v[i], q.w);
            sum += limit->linearAxes != 0 ? x[i] * x[i] : v[i] * v[i];
            count += 1;
        }
    }
    if (count > 1)
    {
        value = limit->linearAxes != 0 ? sqrtf(sum) : 2.0f * tdAsin(tdMinFloat(sqrtf(sum), 1.0f));
    }
    return tdAbsFloat(value - limit->min);
}

static void CheckAlignment(const tdPhysicsBuild* build, const tdPhysicsJoint* joint, const tdPath* path)
{
    const tdPhysicsJointDesc* desc = &build->raw.jointDescs[joint->desc];
    tdTransform a =
        joint->bodyA >= 0 ? tdMulTransform(build->bodies[joint->bodyA].frame, joint->frameA) : joint->frameA;
    tdTransform b =
        joint->bodyB >= 0 ? tdMulTransform(build->bodies[joint->bodyB].frame, joint->frameB) : joint->frameB;
    tdTransform relative = tdInvMulTransform(a, b);
    tdQuat q = relative.rotation.w < 0.0f ? tdNegateQuat(relative.rotation) : relative.rotation;
    for (int i = 0; i < desc->limitCount; ++i)
    {
        const tdJointLimit* limit = &desc->limits[i];
        if (limit->min != limit->max || limit->stiffness < INFINITY)
        {
            continue;
        }
        bool isLinear = limit->linearAxes != 0;
        float error = GetLockError(limit, relative.position, q);
        if (error > (isLinear ? MISALIGNED_DISTANCE : MISALIGNED_ANGLE))
        {
            tdReport_Add(build->import->report, TD_DIAG_PHYS_JOINT_MISALIGNED, path, (double)error,
                         isLinear ? "m" : "rad");
            return;
        }
    }
}

/// KHR: reports a linear spring that sags by more than 10 cm under the lighter body, once per limit.
static void CheckStiffness(const tdPhysicsBuild* build, const tdPhysicsJoint* joint, bool* isReported)
{
    const tdPhysicsJointDesc* desc = &build->raw.jointDescs[joint->desc];
    if (isReported[joint->desc] || tdDialect_IsOmi(desc->dialect) || desc->fileJoint < 0)
    {
        return;
    }
    float mass = INFINITY;
    mass = HasDynamicMotion(build, joint->bodyA) ? tdMinFloat(mass, build->bodies[joint->bodyA].mass) : mass;
    mass = HasDynamicMotion(build, joint->bodyB) ? tdMinFloat(mass, build->bodies[joint->bodyB].mass) : mass;
    if (!(mass < INFINITY))
    {
        return;
    }
    bool isOld = tdDialect_IsAncestor(desc->dialect);
    tdPath root = tdPath_Root();
    tdPath extensions = tdPath_Key(&root, "extensions");
    tdPath extension = tdPath_Key(&extensions, build->raw.khrRoot);
    tdPath table = tdPath_Key(&extension, isOld ? "physicsJointLimits" : "physicsJoints");
    tdPath entry = tdPath_Index(&table, desc->fileJoint);
    tdPath limits = tdPath_Key(&entry, "limits");
    for (int i = 0; i < desc->limitCount; ++i)
    {
        const tdJointLimit* limit = &desc->limits[i];
        if (limit->linearAxes != 0 && limit->stiffness < INFINITY && 0.1f * limit->stiffness < GRAVITY * mass)
        {
            tdPath limitPath = tdPath_Index(&limits, desc->fileLimits[i]);
            tdPath member = tdPath_Key(&limitPath, isOld ? "springConstant" : "stiffness");
            tdReport_Add(build->import->report, TD_DIAG_PHYS_STIFFNESS_IMPLAUSIBLE, &member,
                         (double)limit->stiffness, "it stands");
            isReported[joint->desc] = true;
        }
    }
}

/// Checks the ends of a joint of early OMI: body nodes, no triggers, at least one movable.
static bool CheckEarlyEnds(const tdPhysicsBuild* build, const tdRawJoint* joint, const tdNodePath* path)
{
    const int ends[2] = {joint->nodeA, joint->connectedNode};
    const char* const names[2] = {"nodeA", "nodeB"};
    bool isGood = true;
    for (int i = 0; i < 2; ++i)
    {
        const tdRawMotion* motion = &build->raw.nodes[ends[i]].motion;
        bool isBody = motion->isGiven || build->raw.nodes[ends[i]].isJointEnd;
        if (!isBody || motion->isTriggerBody)
        {
            tdPath member = tdPath_Key(&path->extension, names[i]);
            tdReport_Add(build->import->report, TD_DIAG_PHYS_OMI_JOINT_ENDS, &member, ends[i],
                         isBody ? "is a trigger" : "is not a body");
            isGood = false;
        }
    }
    if (isGood && build->raw.nodes[ends[0]].motion.motion != TD_MOTION_DYNAMIC &&
        build->raw.nodes[ends[1]].motion.motion != TD_MOTION_DYNAMIC)
    {
        tdPath member = tdPath_Key(&path->extension, "nodeA");
        tdReport_Add(build->import->report, TD_DIAG_PHYS_OMI_JOINT_ENDS, &member, ends[0],
                     "and the other end are both immovable");
        return false;
    }
    return isGood;
}

/// Whether a joint of early OMI that tdConvertAsset made from one with two frames still matches its bodies.
static bool HasTwoFrames(const tdPhysicsBuild* build, const tdRawJoint* joint, int node)
{
    return joint->frameNode >= 0 && build->bodyOfNode[node] == build->bodyOfNode[joint->nodeA] &&
           build->bodyOfNode[joint->frameNode] == build->bodyOfNode[joint->connectedNode];
}

/// Fills one joint. False if it is left out.
static bool FillJoint(const tdPhysicsBuild* build, const bool* isScaled, int node, tdPhysicsJoint* joint)
{
    const tdRawNode* raw = &build->raw.nodes[node];
    const tdRawJoint* source = &raw->joint;
    bool isEarly = source->nodeA >= 0;
    const tdPhysicsJointDesc* desc = &build->raw.jointDescs[source->desc];
    tdNodePath path;
    tdNodePath_Init(&path, node, raw->jointExtension);
    tdPath member = tdPath_Key(&path.extension, "joint");
    const tdPath* jointPath =
        strcmp(raw->jointExtension, "OMI_physics_joint") == 0 ? &path.extension : &member;
    if (isEarly && !CheckEarlyEnds(build, source, &path))
    {
        return false;
    }
    bool hasTwoFrames = !isEarly || HasTwoFrames(build, source, node);
    int nodeA = hasTwoFrames ? node : source->nodeA;
    int nodeB = isEarly && hasTwoFrames ? source->frameNode : source->connectedNode;
    if (!tdPhysicsBuild_IsInRange(build, node) || (nodeB >= 0 && !tdPhysicsBuild_IsInRange(build, nodeB)))
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_OUT_OF_RANGE, jointPath, "joint");
        return false;
    }
    *joint = (tdPhysicsJoint){
        .node = nodeA,
        .connectedNode = nodeB,
        .fileNode = node,
        .hasTwoFrames = hasTwoFrames,
        .dialect = isEarly ? TD_DIALECT_OMI_EARLY : raw->dialect,
        .desc = source->desc,
        .bodyA = build->bodyOfNode[nodeA],
        .bodyB = nodeB >= 0 ? build->bodyOfNode[nodeB] : -1,
        .staticColliderA = -1,
        .staticColliderB = -1,
        .enableCollision = source->enableCollision,
    };
    // Early OMI: the joint's own node is the frame of both sides.
    joint->frameA = GetJointFrame(build, isScaled, node, joint->bodyA);
    joint->frameB = GetJointFrame(build, isScaled, !hasTwoFrames || nodeB < 0 ? node : nodeB, joint->bodyB);
    joint->staticColliderA = joint->bodyA < 0 ? FindStaticCollider(build, nodeA) : -1;
    joint->staticColliderB = joint->bodyB < 0 ? FindStaticCollider(build, nodeB) : -1;
    if (nodeB >= 0 && !build->isReachable[nodeB])
    {
        tdPath connected = tdPath_Key(jointPath, isEarly ? "nodeB" : "connectedNode");
        tdReport_Add(build->import->report, TD_DIAG_PHYS_UNREACHABLE_NODE, &connected);
    }
    if (joint->bodyA >= 0 && joint->bodyA == joint->bodyB)
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_JOINT_SAME_BODY, jointPath,
                     build->bodies[joint->bodyA].node);
        return false;
    }
    if (!HasDynamicMotion(build, joint->bodyA) && !HasDynamicMotion(build, joint->bodyB))
    {
        tdReport_Add(build->import->report, TD_DIAG_PHYS_JOINT_NO_BODY, jointPath, nodeA, nodeB);
    }
    if (!CanMove(build, joint->bodyA) && !CanMove(build, joint->bodyB))
    {
        return false;
    }
    if (desc->limitCount == 0 && desc->driveCount == 0)
    {
        return false; // reported with the table
    }
    CheckAlignment(build, joint, jointPath);
    return true;
}

bool tdBuildJoints(tdPhysicsBuild* build)
{
    int nodeCount = build->import->scene->nodes.count;
    int capacity = 0;
    for (int node = 0; node < nodeCount; ++node)
    {
        capacity += build->raw.nodes[node].joint.isGiven ? 1 : 0;
    }
    tdPhysicsJoint* joints = tdArena_NewArray(build->import->arena, tdPhysicsJoint, capacity);
    bool* isReported = tdArena_NewArray(&build->import->scratch, bool, build->raw.jointDescCount);
    build->raw.jointIsUsed = tdArena_NewArray(&build->import->scratch, bool, build->raw.jointDescCount);
    const bool* isScaled = FindScaled(build);
    if (joints == NULL || isReported == NULL || build->raw.jointIsUsed == NULL || isScaled == NULL)
    {
        return false;
    }
    int count = 0;
    for (int node = 0; node < nodeCount; ++node)
    {
        const tdRawJoint* source = &build->raw.nodes[node].joint;
        if (!source->isGiven)
        {
            continue;
        }
        build->raw.jointIsUsed[source->desc] = true;
        if (build->isReachable[node] && FillJoint(build, isScaled, node, &joints[count]))
        {
            CheckStiffness(build, &joints[count], isReported);
            count += 1;
        }
    }
    build->scene->joints = joints;
    build->scene->jointCount = count;
    build->scene->jointDescs = build->raw.jointDescs;
    build->scene->jointDescCount = build->raw.jointDescCount;
    return true;
}

static bool IsBelow(const tdNodeTree* nodes, int node, int ancestor)
{
    int position = nodes->positions[node];
    int first = nodes->positions[ancestor];
    return position > first && position < nodes->subtreeEnds[first];
}

/// Fills the listed parts of a compound trigger.
/// @param listedBy by node: the last trigger that listed it
static int ListParts(tdPhysicsBuild* build, int node, int* listedBy, int* parts)
{
    const tdRawNode* raw = &build->raw.nodes[node];
    const tdNodeTree* nodes = &build->import->scene->nodes;
    tdNodePath path;
    tdNodePath_Init(&path, node, raw->extension);
    tdPath trigger = tdPath_Key(&path.extension, "trigger");
    tdPath list = tdPath_Key(&trigger, "nodes");
    int count = 0;
    for (int i = 0; i < raw->triggerNodeCount; ++i)
    {
        tdPath element = tdPath_Index(&list, i);
        int part = raw->triggerNodes[i];
        if (part < 0)
        {
            continue; // reported when it was read
        }
        if (listedBy[part] == node)
        {
            tdReport_Add(build->import->report, TD_DIAG_PHYS_DUPLICATE, &element, (long long)part);
            continue;
        }
        listedBy[part] = node;
        const tdRawNode* partNode = &build->raw.nodes[part];
        const char* why = !partNode->hasTrigger ? "no trigger"
                                                : (partNode->isCompound ? "a compound trigger itself" : NULL);
        why = why == NULL && !IsBelow(nodes, part, node) ? "not below this node" : why;
        if (why != NULL)
        {
            tdReport_Add(build->import->report, TD_DIAG_PHYS_TRIGGER_CHILD_INVALID, &element, part, why);
            continue;
        }
        if (build->triggerOfNode[part] >= 0)
        {
            parts[count++] = build->triggerOfNode[part];
        }
    }
    return count;
}

/// Groups of current OMI without a list unite all triggers below them. Each trigger belongs to the nearest
/// group above it, and each group to the nearest group above it, so that deep hierarchies take linear memory.
/// @param groupOfNode by node: its group in `triggers`, -1: none; becomes the nearest one at or above it
static bool FillTriggerGroups(tdPhysicsBuild* build, tdPhysicsTrigger* triggers, int* groupOfNode)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    for (int pass = 0; pass < 2; ++pass) // count, then fill
    {
        for (int position = 0; position < nodes->count; ++position)
        {
            int node = nodes->order[position];
            int parent = nodes->parents[node];
            int above = parent >= 0 ? groupOfNode[parent] : -1;
            int own = groupOfNode[node];
            bool isGroup = own >= 0 && triggers[own].node == node;
            if (pass == 0 && isGroup)
            {
                triggers[own].parent = above;
            }
            groupOfNode[node] = isGroup ? own : above;
            if (above >= 0 && build->triggerOfNode[node] >= 0)
            {
                if (pass == 1)
                {
                    ((int*)(uintptr_t)triggers[above].colliders)[triggers[above].colliderCount] =
                        build->triggerOfNode[node];
                }
                triggers[above].colliderCount += 1;
            }
        }
        for (int node = 0; node < nodes->count && pass == 0; ++node)
        {
            int own = groupOfNode[node];
            if (own >= 0 && triggers[own].node == node)
            {
                int* parts = tdArena_NewArray(build->import->arena, int, triggers[own].colliderCount);
                if (parts == NULL)
                {
                    return false;
                }
                triggers[own].colliders = parts;
                triggers[own].colliderCount = 0;
            }
        }
    }
    return true;
}

bool tdBuildTriggers(tdPhysicsBuild* build)
{
    const tdNodeTree* nodes = &build->import->scene->nodes;
    int capacity = 0;
    for (int node = 0; node < nodes->count; ++node)
    {
        const tdRawNode* raw = &build->raw.nodes[node];
        capacity += raw->hasTrigger && (raw->isCompound || raw->triggerNodeCount > 0) ? 1 : 0;
    }
    tdPhysicsTrigger* triggers = tdArena_NewArray(build->import->arena, tdPhysicsTrigger, capacity);
    int* listedBy = tdArena_NewArray(&build->import->scratch, int, nodes->count);
    int* groupOfNode = tdArena_NewArray(&build->import->scratch, int, nodes->count);
    if (triggers == NULL || listedBy == NULL || groupOfNode == NULL)
    {
        return false;
    }
    for (int node = 0; node < nodes->count; ++node)
    {
        listedBy[node] = groupOfNode[node] = -1;
    }
    int count = 0;
    for (int node = 0; node < nodes->count; ++node)
    {
        const tdRawNode* raw = &build->raw.nodes[node];
        bool isUnion = raw->hasTrigger && (raw->isCompound || raw->triggerNodeCount > 0);
        if (!isUnion || !build->isReachable[node])
        {
            continue;
        }
        if (raw->unitesDescendants)
        {
            groupOfNode[node] = count;
            triggers[count++] = (tdPhysicsTrigger){.node = node, .parent = -1};
            continue;
        }
        int* parts = tdArena_NewArray(build->import->arena, int, raw->triggerNodeCount + 1);
        if (parts == NULL)
        {
            return false;
        }
        int partCount = ListParts(build, node, listedBy, parts);
        if (!raw->isCompound && build->triggerOfNode[node] >= 0)
        {
            parts[partCount++] = build->triggerOfNode[node]; // its own shape, in addition to the list
        }
        triggers[count++] =
            (tdPhysicsTrigger){.node = node, .colliders = parts, .colliderCount = partCount, .parent = -1};
    }
    if (!FillTriggerGroups(build, triggers, groupOfNode))
    {
        return false;
    }
    build->scene->triggers = triggers;
    build->scene->triggerCount = count;
    return true;
}
