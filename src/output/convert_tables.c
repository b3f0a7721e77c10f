// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes the root tables: materials, filters and joints.
#include "convert_tables.h"

#include "convert.h"
#include "convert_joints.h"
#include "convert_members.h"

#include <string.h>

/// The entry of a table that was found last: the next one is found from there, so that all take linear time.
typedef struct TableCursor
{
    int list, index, value;
} TableCursor;

static int FindTable(const tdConverter* converter, tdDialect dialect, const char* table)
{
    static const char* const khr[] = {"KHR_physics_rigid_bodies", "KHR_rigid_bodies", "MSFT_rigid_bodies"};
    const tdJson* json = converter->json;
    int extensions = tdJson_Find(json, 0, "extensions");
    if (dialect >= TD_DIALECT_OMI_EARLY)
    {
        const char* name = strcmp(table, "physicsJoints") == 0 ? "OMI_physics_joint" : "OMI_physics_body";
        return tdJson_Find(json, tdJson_Find(json, extensions, name), table);
    }
    int found = TD_JSON_NONE;
    for (int i = 0; i < 3 && found < 0; ++i)
    {
        found = tdJson_Find(json, tdJson_Find(json, extensions, khr[i]), table);
    }
    return found;
}

/// The JSON object of a table entry.
static int FindTableEntry(const tdConverter* converter, TableCursor* cursor, tdDialect dialect,
                          const char* table, int index)
{
    const tdJson* json = converter->json;
    int list = FindTable(converter, dialect, table);
    if (!tdJson_IsArray(json, list) || index < 0)
    {
        return TD_JSON_NONE;
    }
    if (list != cursor->list || index < cursor->index)
    {
        *cursor = (TableCursor){list, 0, tdJson_GetFirst(json, list)};
    }
    for (; cursor->index < index && cursor->value >= 0; ++cursor->index)
    {
        cursor->value = tdJson_GetNext(json, cursor->value);
    }
    return cursor->value;
}

static void AppendMaterial(tdConverter* converter, TableCursor* cursor, tdText* text,
                           const tdPhysicsMaterial* material)
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
        FindTableEntry(converter, cursor, material->dialect, "physicsMaterials", material->fileMaterial),
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

static void AppendFilter(tdConverter* converter, TableCursor* cursor, tdText* text,
                         const tdPhysicsFilter* filter)
{
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    AppendSystems(converter, &members, "collisionSystems", filter->systems, filter->systemCount);
    AppendSystems(converter, &members, "collideWithSystems", filter->collideWith, filter->collideWithCount);
    AppendSystems(converter, &members, "notCollideWithSystems", filter->notCollideWith,
                  filter->notCollideWithCount);
    tdMembers_Unknown(
        &members, converter->json,
        FindTableEntry(converter, cursor, filter->dialect, "collisionFilters", filter->fileFilter),
        "collisionSystems collideWithSystems notCollideWithSystems");
    tdText_AppendChar(text, '}');
}

/// Writes materials and filters; early OMI has neither.
void tdConverter_AppendTables(tdConverter* converter, tdMembers* root)
{
    const tdPhysicsScene* physics = converter->physics;
    TableCursor cursor = {TD_JSON_NONE, 0, TD_JSON_NONE};
    if (physics->materialCount > 0)
    {
        tdMembers_Key(root, "physicsMaterials");
        for (int i = 0; i < physics->materialCount; ++i)
        {
            tdText_AppendString(root->text, i > 0 ? "," : "[");
            AppendMaterial(converter, &cursor, root->text, &physics->materials[i]);
        }
        tdText_AppendChar(root->text, ']');
    }
    if (physics->filterCount > 0)
    {
        tdMembers_Key(root, "collisionFilters");
        for (int i = 0; i < physics->filterCount; ++i)
        {
            tdText_AppendString(root->text, i > 0 ? "," : "[");
            AppendFilter(converter, &cursor, root->text, &physics->filters[i]);
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
