// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Nodes and bodies. An actor without a physics scene has no part in the world.
#include "bridge.h"

tdWorldDef tdBridge_DefaultWorldDef(void)
{
    return (tdWorldDef){
        .gravity = {0.0f, -9.81f, 0.0f}, .subStepCount = 4, .enableSleep = true, .enableContinuous = true};
}

bool tdBridge_CreateWorld(tdStage* stage, const tdStageDef* def)
{
    (void)stage;
    (void)def;
    return true;
}

void tdBridge_DestroyWorld(tdStage* stage)
{
    stage->world = NULL;
}

bool tdBridge_CreateActor(tdActor* actor, tdReport* report)
{
    (void)actor;
    (void)report;
    return true;
}

void tdBridge_DestroyActor(tdActor* actor)
{
    actor->physics = NULL;
}

void tdBridge_Bind(tdActor* actor)
{
    (void)actor;
}

bool tdBridge_IsMoved(const tdActor* actor, int node)
{
    (void)actor;
    (void)node;
    return false;
}

void tdBridge_Drive(tdStage* stage)
{
    (void)stage;
}

bool tdBridge_Step(tdStage* stage)
{
    (void)stage;
    return true;
}

void tdBridge_Follow(tdActor* actor, double time)
{
    (void)actor;
    (void)time;
}

void tdBridge_CollectEvents(tdStage* stage)
{
    stage->contacts.count = 0;
    stage->triggers.count = 0;
}

void tdBridge_SetProperty(tdActor* actor, tdProperty property, const float* values)
{
    (void)actor;
    (void)property;
    (void)values;
}

tdBodyId tdActor_GetBody(const tdActor* actor, int node)
{
    (void)actor;
    (void)node;
    return (tdBodyId){0, 0};
}
