// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes the root tables: materials, filters and joints.
#include "convert_tables.h"

#include "convert.h"
#include "convert_joints.h"
#include "convert_members.h"

#include <string.h>

/// The JSON object of a table entry.
static int FindTableEntry(const tdConverter* converter, tdDialect dialect, const char* table, int index)
{
    static const char* const khr[] = {"KHR_physics_rigid_bodies", "KHR_rigid_bodies", "MSFT_rigid_bodies"};
    int extensions = tdJson_Find(converter->json, 0, "extensions");
    if (dialect >= TD_DIALECT_OMI_EARLY)
    {
        const char* name = strcmp(table, "physicsJoints") == 0 ? "OMI_physics_joint" : "OMI_physics_body";
        return tdJson_At(converter->json,
                         tdJson_Find(converter->json, tdJson_Find(converter->json, extensions, name), table),
                         index);
    }
    for (int i = 0; i < 3; ++i)
    {
        int root = tdJson_Find(converter->json, extensions, khr[i]);
        int found = tdJson_Find(converter->json, root, table);
        if (found >= 0)
        {
            return tdJson_At(converter->json, found, index);
        }
    }
    return TD_JSON_NONE;
}

static void AppendMaterial(tdConverter* converter, tdText* text, const tdPhysicsMaterial* material)
{
    static const char* const combines[] = {NULL, "average", "minimum", "maximum", "multiply"};
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    tdMembers_Number(&members, "staticFriction", material->staticFriction);
    tdMembers_Number(&members, "dynamicFriction", material->dynamicFriction);
    tdMembers_Number(&members, "restitution", material->restitution);
    if (combines[material->frictionCombine] != NULL)
    {
        tdMembers_String(&members, "frictionCombine", combines[material->frictionCombine]);
    }
    if (combines[material->restitutionCombine] != NULL)
    {
        tdMembers_String(&members, "restitutionCombine", combines[material->restitutionCombine]);
    }
    tdMembers_Unknown(
        &members, converter->json,
        FindTableEntry(converter, material->dialect, "physicsMaterials", material->fileMaterial),
        "staticFriction dynamicFriction restitution frictionCombine restitutionCombine");
    tdText_AppendChar(text, '}');
}

static void AppendSystems(tdConverter* converter, tdMembers* members, const char* key, const int* systems,
                          int count)
{
    if (count == 0)
    {
        return;
    }
    tdMembers_Key(members, key);
    for (int i = 0; i < count; ++i)
    {
        const char* name = converter->physics->systemNames[systems[i]];
        tdText_AppendString(members->text, i > 0 ? "," : "[");
        tdText_AppendJsonString(members->text, name, strlen(name));
    }
    tdText_AppendChar(members->text, ']');
}

static void AppendFilter(tdConverter* converter, tdText* text, const tdPhysicsFilter* filter)
{
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    AppendSystems(converter, &members, "collisionSystems", filter->systems, filter->systemCount);
    AppendSystems(converter, &members, "collideWithSystems", filter->collideWith, filter->collideWithCount);
    AppendSystems(converter, &members, "notCollideWithSystems", filter->notCollideWith,
                  filter->notCollideWithCount);
    tdMembers_Unknown(&members, converter->json,
                      FindTableEntry(converter, filter->dialect, "collisionFilters", filter->fileFilter),
                      "collisionSystems collideWithSystems notCollideWithSystems");
    tdText_AppendChar(text, '}');
}

/// Writes materials and filters; early OMI has neither.
void tdConverter_AppendTables(tdConverter* converter, tdMembers* root)
{
    const tdPhysicsScene* physics = converter->physics;
    if (physics->materialCount > 0)
    {
        tdMembers_Key(root, "physicsMaterials");
        for (int i = 0; i < physics->materialCount; ++i)
        {
            tdText_AppendString(root->text, i > 0 ? "," : "[");
            AppendMaterial(converter, root->text, &physics->materials[i]);
        }
        tdText_AppendChar(root->text, ']');
    }
    if (physics->filterCount > 0)
    {
        tdMembers_Key(root, "collisionFilters");
        for (int i = 0; i < physics->filterCount; ++i)
        {
            tdText_AppendString(root->text, i > 0 ? "," : "[");
            AppendFilter(converter, root->text, &physics->filters[i]);
        }
        tdText_AppendChar(root->text, ']');
    }
}

void tdConverter_AppendJointTable(tdConverter* converter, tdMembers* root)
{
    const tdPhysicsScene* physics = converter->physics;
    if (physics->jointDescCount == 0)
    {
        return;
    }
    tdMembers_Key(root, "physicsJoints");
    for (int i = 0; i < physics->jointDescCount; ++i)
    {
        tdText_AppendString(root->text, i > 0 ? "," : "[");
        tdConverter_AppendJointDesc(converter, root->text, i);
    }
    tdText_AppendChar(root->text, ']');
}
