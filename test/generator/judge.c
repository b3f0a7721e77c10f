// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Judges of generated scenes.
//
// Energy is kinetic + gravitational + elastic energy of soft limits; the potential counts from the lowest
// point that the bodies can reach. It may exceed its start by a fraction of it, plus the oscillation of the
// semi-implicit integrator, h g sum(m |v|) with the sub-step h.
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A body of a tower may move by this fraction of its smallest extent.
#define MAX_STANDING_MOVE 0.1

const char* const faultNames[FAULT_COUNT] = {"escapes", "tunnels", "lost",    "energy", "joints",
                                             "falls",   "nan",     "clamped", "hashes"};

typedef struct Energy
{
    double total;     // J
    double permitted; // J: oscillation of the integrator
} Energy;

static double Dot3(tdVec3 a, tdVec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static double ComputeKinetic(const tdWorld* world, tdBodyId body, tdBodyMass mass, tdVec3 v)
{
    tdQuat axes = tdMulQuat(tdBody_GetTransform(world, body).rotation, mass.inertiaOrientation);
    tdVec3 w = tdInvRotate(axes, tdBody_GetAngularVelocity(world, body));
    double spin = (double)mass.inertiaDiagonal.x * (double)w.x * (double)w.x +
                  (double)mass.inertiaDiagonal.y * (double)w.y * (double)w.y +
                  (double)mass.inertiaDiagonal.z * (double)w.z * (double)w.z;
    return 0.5 * ((double)mass.mass * Dot3(v, v) + spin);
}

static double ComputeElastic(const tdWorld* world, tdJointId joint)
{
    double energy = 0.0;
    for (int i = 0; i < tdJoint_GetLimitCount(world, joint); ++i)
    {
        tdJointLimit limit = tdJoint_GetLimit(world, joint, i);
        if (isfinite(limit.stiffness))
        {
            double value = (double)tdJoint_GetLimitValue(world, joint, i);
            double beyond = fmax(fmax((double)limit.min - value, value - (double)limit.max), 0.0);
            energy += 0.5 * (double)limit.stiffness * beyond * beyond;
        }
    }
    return energy;
}

static Energy ComputeEnergy(const Scene* scene)
{
    Energy energy = {0};
    double momentum = 0.0;
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        tdBodyId id = scene->bodies[i].id;
        tdBodyMass mass = tdBody_GetMass(scene->world, id);
        tdVec3 v = tdBody_GetLinearVelocity(scene->world, id);
        double height = (double)tdBody_GetWorldCenterOfMass(scene->world, id).y - scene->lowest;
        energy.total += ComputeKinetic(scene->world, id, mass, v);
        energy.total += (double)mass.mass * scene->gravity * height;
        momentum += (double)mass.mass * sqrt(Dot3(v, v));
    }
    for (int i = 0; i < scene->jointCount; ++i)
    {
        energy.total += ComputeElastic(scene->world, scene->joints[i].id);
    }
    energy.permitted = scene->timeStep / scene->subStepCount * scene->gravity * momentum;
    return energy;
}

static void AddFault(Verdict* verdict, Fault fault, int step, const char* kind)
{
    if (verdict->counts[fault]++ == 0)
    {
        verdict->steps[fault] = step;
        verdict->kinds[fault] = kind;
    }
}

// Each body is counted once per fault.
static void JudgeBody(const Scene* scene, int index, int step, bool* isFaulty, Verdict* verdict)
{
    const SceneBody* body = &scene->bodies[index];
    tdVec3 p = tdBody_GetWorldCenterOfMass(scene->world, body->id);
    tdVec3 v = tdBody_GetLinearVelocity(scene->world, body->id);
    tdVec3 w = tdBody_GetAngularVelocity(scene->world, body->id);
    double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    bool found[FAULT_COUNT] = {false};
    found[FAULT_NAN] = !isfinite(x + y + z + sqrt(Dot3(v, v)) + sqrt(Dot3(w, w)));
    // A centre of mass may be behind a surface by less than the radius while the body is squeezed, but not
    // at the end.
    double depth = step + 1 < scene->stepCount ? body->radius : 0.0;
    if (scene->hasContainer)
    {
        double beyond = fmax(fmax(fabs(x) - (double)scene->inside.x, fabs(z) - (double)scene->inside.z),
                             fmax(-y, y - (double)scene->inside.y));
        found[FAULT_ESCAPE] = beyond > depth;
        found[FAULT_TUNNEL] = scene->hasDivider && beyond <= 0.0 && -body->side * x > depth;
    }
    found[FAULT_LOST] = scene->hasGround && -y > depth;
    if (body->mustStand)
    {
        tdVec3 move = tdSub(tdBody_GetTransform(scene->world, body->id).position, body->start);
        found[FAULT_FALL] = sqrt(Dot3(move, move)) > MAX_STANDING_MOVE * body->smallest;
    }
    for (int i = 0; i < FAULT_COUNT; ++i)
    {
        if (found[i] && !isFaulty[i])
        {
            isFaulty[i] = true;
            AddFault(verdict, (Fault)i, step, body->kind);
        }
    }
    verdict->fastest = fmax(verdict->fastest, sqrt(Dot3(v, v)));
}

static void JudgeJoints(const Scene* scene, int step, bool* isOpen, Verdict* verdict)
{
    for (int i = 0; i < scene->jointCount; ++i)
    {
        tdJointId id = scene->joints[i].id;
        for (int k = 0; k < tdJoint_GetLimitCount(scene->world, id); ++k)
        {
            tdJointLimit limit = tdJoint_GetLimit(scene->world, id, k);
            double value = (double)tdJoint_GetLimitValue(scene->world, id, k);
            double beyond = fmax(fmax((double)limit.min - value, value - (double)limit.max), 0.0);
            if (limit.linearAxes == 0 || isfinite(limit.stiffness))
            {
                continue;
            }
            verdict->jointError = fmax(verdict->jointError, beyond / scene->joints[i].size);
            if (!(beyond <= scene->jointFraction * scene->joints[i].size) && !isOpen[i])
            {
                isOpen[i] = true;
                AddFault(verdict, FAULT_JOINT, step, NULL);
            }
        }
    }
}

static void MoveMovers(const Scene* scene, int step)
{
    for (int i = 0; i < scene->moverCount; ++i)
    {
        const SceneMover* mover = &scene->movers[i];
        double phase = fmod((step + 1) * scene->timeStep / mover->period, 1.0);
        float there = (float)(phase < 0.5 ? 2.0 * phase : 2.0 - 2.0 * phase);
        tdTransform target = {tdMulAdd(mover->from, there, tdSub(mover->to, mover->from)), {0, 0, 0, 1}};
        tdBody_SetTarget(scene->world, mover->id, target);
    }
}

Verdict JudgeScene(Scene* scene, bool isVerbose)
{
    Verdict verdict = {0};
    bool isFaulty[MAX_SCENE_BODIES][FAULT_COUNT], isOpen[MAX_SCENE_JOINTS] = {false};
    memset(isFaulty, 0, sizeof(isFaulty));
    memset(verdict.steps, -1, sizeof(verdict.steps));
    Energy start = ComputeEnergy(scene);
    verdict.energyStart = start.total;
    int lastSecond = scene->stepCount - (int)(1.0 / scene->timeStep);
    for (int step = 0; step < scene->stepCount; ++step)
    {
        MoveMovers(scene, step);
        tdWorld_Step(scene->world, (float)scene->timeStep);
        for (int i = 0; i < scene->bodyCount; ++i)
        {
            JudgeBody(scene, i, step, isFaulty[i], &verdict);
        }
        Energy energy = ComputeEnergy(scene);
        double gain = energy.total - start.total - energy.permitted;
        if (scene->conservesEnergy)
        {
            verdict.energyGain = gain > verdict.energyGain ? gain : verdict.energyGain;
            if (!(gain <= scene->energyFraction * start.total) && verdict.counts[FAULT_ENERGY] == 0)
            {
                AddFault(&verdict, FAULT_ENERGY, step, NULL);
            }
        }
        int clamped = tdWorld_GetStats(scene->world).clampedCount;
        for (int i = 0; i < clamped && verdict.counts[FAULT_CLAMPED] < scene->bodyCount; ++i)
        {
            AddFault(&verdict, FAULT_CLAMPED, step, NULL);
        }
        if (scene->jointFraction > 0.0 && step >= lastSecond)
        {
            JudgeJoints(scene, step, isOpen, &verdict);
        }
        if (isVerbose && (step % 30 == 0 || step < 5))
        {
            printf("  step %4d  energy %.6g J (start %.6g J)  fastest so far %.4g m/s\n", step, energy.total,
                   start.total, verdict.fastest);
        }
    }
    verdict.hash = tdWorld_GetStateHash(scene->world);
    return verdict;
}

bool Verdict_IsBad(const Verdict* verdict)
{
    for (int i = 0; i < FAULT_COUNT; ++i)
    {
        if (verdict->counts[i] > 0)
        {
            return true;
        }
    }
    return false;
}
