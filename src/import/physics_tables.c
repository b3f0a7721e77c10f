// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads materials and collision filters, which differ between dialects only in names and letter case.
#include "physics_tables.h"

#include "physics_raw.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

const char* tdDialect_GetName(tdDialect dialect)
{
    static const char* const names[TD_DIALECT_COUNT] = {"KHR draft of August 2023",
                                                        "KHR draft of March 2024",
                                                        "KHR draft of June 2024",
                                                        "KHR draft of July 2024",
                                                        "KHR release candidate",
                                                        "KHR revision of 2026",
                                                        "MSFT",
                                                        "MSFT of 2022",
                                                        "OMI of early 2023",
                                                        "OMI of mid 2023",
                                                        "OMI"};
    return names[dialect];
}

static tdCombine ReadCombine(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                             tdDialect dialect)
{
    static const char* const lower[] = {"average", "minimum", "maximum", "multiply", NULL};
    static const char* const upper[] = {"AVERAGE", "MINIMUM", "MAXIMUM", "MULTIPLY", NULL};
    bool isUpper = tdDialect_IsAncestor(dialect);
    int mode = tdPhysicsReader_GetEnum(reader, object, key, path, isUpper ? upper : lower,
                                       isUpper ? "AVERAGE, MINIMUM, MAXIMUM, MULTIPLY"
                                               : "average, minimum, maximum, multiply",
                                       TD_SEVERITY_ERROR);
    return mode < 0 ? TD_COMBINE_UNSPECIFIED : (tdCombine)(TD_COMBINE_AVERAGE + mode);
}

static void ReadCoefficient(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                            float* value)
{
    float number;
    if (!tdPhysicsReader_GetBounded(reader, object, key, path, TD_MAX_COEFFICIENT, &number))
    {
        return;
    }
    if (number < 0.0f)
    {
        tdPath member = tdPath_Key(path, key);
        tdReport_Add(reader->report, TD_DIAG_PHYS_MATERIAL_RANGE, &member, key, (double)number);
        return;
    }
    *value = number;
}

static tdPhysicsMaterial ReadMaterial(tdPhysicsReader* reader, int object, const tdPath* path,
                                      tdDialect dialect)
{
    tdPhysicsMaterial material = {
        .dialect = dialect, .staticFriction = 0.6f, .dynamicFriction = 0.6f, .restitution = 0.0f};
    if (!tdJson_IsObject(reader->json, object))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, path, "an object");
        return material;
    }
    tdPhysicsReader_CheckMembers(
        reader, object, path,
        "staticFriction dynamicFriction restitution frictionCombine restitutionCombine");
    ReadCoefficient(reader, object, "staticFriction", path, &material.staticFriction);
    ReadCoefficient(reader, object, "dynamicFriction", path, &material.dynamicFriction);
    ReadCoefficient(reader, object, "restitution", path, &material.restitution);
    if (material.restitution > 1.0f)
    {
        tdPath member = tdPath_Key(path, "restitution");
        tdReport_Add(reader->report, TD_DIAG_PHYS_RESTITUTION_GT_1, &member, (double)material.restitution);
        material.restitution = 1.0f;
    }
    material.frictionCombine = ReadCombine(reader, object, "frictionCombine", path, dialect);
    material.restitutionCombine = ReadCombine(reader, object, "restitutionCombine", path, dialect);
    return material;
}

/// The length of the table under `key`, 0 if absent. Empty tables are reported.
static int OpenTable(tdPhysicsReader* reader, int rootObject, const char* key, const tdPath* rootPath,
                     int* table)
{
    *table = tdPhysicsReader_GetArray(reader, rootObject, key, rootPath);
    int count = tdJson_GetCount(reader->json, *table);
    if (*table >= 0 && count == 0)
    {
        tdPath path = tdPath_Key(rootPath, key);
        tdReport_Add(reader->report, TD_DIAG_PHYS_EMPTY_ARRAY, &path);
    }
    return count;
}

/// Grows an array of `count` elements of `size` bytes by `added`.
static void* ExtendTable(tdPhysicsReader* reader, const void* old, int count, int added, size_t size)
{
    void* memory = tdPhysicsReader_Allocate(reader, count + added, size);
    if (memory != NULL && count > 0)
    {
        memcpy(memory, old, (size_t)count * size);
    }
    return memory;
}

void tdReadPhysicsMaterials(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject,
                            const tdPath* rootPath, tdDialect dialect)
{
    int table;
    int added = OpenTable(reader, rootObject, "physicsMaterials", rootPath, &table);
    if (added == 0)
    {
        return;
    }
    tdPhysicsMaterial* materials =
        ExtendTable(reader, raw->materials, raw->materialCount, added, sizeof(tdPhysicsMaterial));
    if (materials == NULL)
    {
        return;
    }
    raw->materials = materials;
    tdPath tablePath = tdPath_Key(rootPath, "physicsMaterials");
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, table); value >= 0;
         value = tdJson_GetNext(reader->json, value))
    {
        tdPath path = tdPath_Index(&tablePath, i);
        materials[raw->materialCount] = ReadMaterial(reader, value, &path, dialect);
        materials[raw->materialCount].fileMaterial = i++;
        raw->materialCount += 1;
    }
}

/// The number of a system by its name; a new one if `add`, else -1 if it is unknown. Open addressing, so that
/// many names take linear time.
static int FindSystem(tdPhysicsReader* reader, tdRawPhysics* raw, const char* name, size_t length, bool add)
{
    if (add && 2 * (raw->systemCount + 1) > raw->systemSlotCount)
    {
        int slotCount = raw->systemSlotCount > 0 ? 2 * raw->systemSlotCount : 64;
        int* slots = tdPhysicsReader_New(reader, int, slotCount);
        const char** names =
            ExtendTable(reader, raw->systemNames, raw->systemCount, slotCount, sizeof(const char*));
        if (slots == NULL || names == NULL)
        {
            return -1;
        }
        raw->systemNames = names;
        for (int i = 0; i < raw->systemCount; ++i)
        {
            uint64_t slot = tdHash(TD_HASH_INIT, names[i], strlen(names[i])) & (uint64_t)(slotCount - 1);
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & (uint64_t)(slotCount - 1);
            }
            slots[slot] = i + 1;
        }
        raw->systemSlots = slots;
        raw->systemSlotCount = slotCount;
    }
    if (raw->systemSlotCount == 0)
    {
        return -1;
    }
    uint64_t mask = (uint64_t)(raw->systemSlotCount - 1);
    uint64_t slot = tdHash(TD_HASH_INIT, name, length) & mask;
    for (; raw->systemSlots[slot] != 0; slot = (slot + 1) & mask)
    {
        int system = raw->systemSlots[slot] - 1;
        if (strlen(raw->systemNames[system]) == length && memcmp(raw->systemNames[system], name, length) == 0)
        {
            return system;
        }
    }
    const char* copy = add ? tdArena_CopyText(reader->arena, name, length) : NULL;
    if (copy == NULL)
    {
        reader->ranOutOfMemory = reader->ranOutOfMemory || add;
        return -1;
    }
    raw->systemNames[raw->systemCount] = copy;
    raw->systemSlots[slot] = raw->systemCount + 1;
    return raw->systemCount++;
}

static int CompareInts(const void* a, const void* b)
{
    int left = *(const int*)a, right = *(const int*)b;
    return left < right ? -1 : (left > right ? 1 : 0);
}

/// Sorts ascending and removes duplicates.
static int SortUnique(int* list, int count)
{
    qsort(list, (size_t)count, sizeof(int), CompareInts);
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        if (kept == 0 || list[i] != list[kept - 1])
        {
            list[kept++] = list[i];
        }
    }
    return kept;
}

/// Reads one list of names; NULL if absent or empty (an empty list counts as absent).
static const int* ReadSystems(tdPhysicsReader* reader, tdRawPhysics* raw, int object, const char* key,
                              const tdPath* path, tdDialect dialect, int* count)
{
    *count = 0;
    int array = tdPhysicsReader_GetArray(reader, object, key, path);
    if (array < 0)
    {
        return NULL;
    }
    tdPath listPath = tdPath_Key(path, key);
    int length = tdJson_GetCount(reader->json, array);
    if (length == 0)
    {
        tdReport_AddAs(reader->report, tdDialect_IsOmi(dialect) ? TD_SEVERITY_INFO : TD_SEVERITY_ERROR,
                       TD_DIAG_PHYS_EMPTY_ARRAY, &listPath);
        return NULL;
    }
    int* systems = tdPhysicsReader_New(reader, int, length);
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, array); value >= 0 && systems != NULL;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        size_t size;
        const char* text = tdJson_GetString(reader->json, value, &size);
        if (text == NULL)
        {
            tdPath element = tdPath_Index(&listPath, i);
            tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, &element, "a string");
            continue;
        }
        if (memchr(text, 0, size) != NULL)
        {
            size = strlen(text); // names are C strings from here on
        }
        int system = FindSystem(reader, raw, text, size, true);
        if (system < 0)
        {
            return NULL;
        }
        systems[(*count)++] = system;
    }
    *count = systems != NULL ? SortUnique(systems, *count) : 0;
    return systems;
}

/// Reports names in a list that no filter has as a system.
static void ReportUnknownSystems(tdPhysicsReader* reader, tdRawPhysics* raw, const bool* hasMembers,
                                 int object, const char* key, const tdPath* path)
{
    int array = tdJson_Find(reader->json, object, key);
    tdPath listPath = tdPath_Key(path, key);
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, array); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        size_t size;
        const char* text = tdJson_GetString(reader->json, value, &size);
        int system = text != NULL ? FindSystem(reader, raw, text, size, false) : -1;
        if (system >= 0 && !hasMembers[system])
        {
            tdPath element = tdPath_Index(&listPath, i);
            tdReport_Add(reader->report, TD_DIAG_PHYS_FILTER_UNKNOWN_SYSTEM, &element,
                         raw->systemNames[system]);
        }
    }
}

void tdReadPhysicsFilters(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject, const tdPath* rootPath,
                          tdDialect dialect)
{
    int table;
    int added = OpenTable(reader, rootObject, "collisionFilters", rootPath, &table);
    if (added == 0)
    {
        return;
    }
    tdPhysicsFilter* filters =
        ExtendTable(reader, raw->filters, raw->filterCount, added, sizeof(tdPhysicsFilter));
    if (filters == NULL)
    {
        return;
    }
    raw->filters = filters;
    raw->filterCapacity = raw->filterCount + added;
    int first = raw->filterCount;
    tdPath tablePath = tdPath_Key(rootPath, "collisionFilters");
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, table); value >= 0;
         value = tdJson_GetNext(reader->json, value))
    {
        tdPath path = tdPath_Index(&tablePath, i);
        tdPhysicsFilter* filter = &filters[raw->filterCount++];
        *filter = (tdPhysicsFilter){.dialect = dialect, .fileFilter = i++};
        if (!tdJson_IsObject(reader->json, value))
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, &path, "an object");
            continue;
        }
        tdPhysicsReader_CheckMembers(reader, value, &path,
                                     "collisionSystems collideWithSystems notCollideWithSystems");
        filter->systems =
            ReadSystems(reader, raw, value, "collisionSystems", &path, dialect, &filter->systemCount);
        filter->collideWith =
            ReadSystems(reader, raw, value, "collideWithSystems", &path, dialect, &filter->collideWithCount);
        filter->notCollideWith = ReadSystems(reader, raw, value, "notCollideWithSystems", &path, dialect,
                                             &filter->notCollideWithCount);
        if (tdJson_Find(reader->json, value, "collideWithSystems") >= 0 &&
            tdJson_Find(reader->json, value, "notCollideWithSystems") >= 0 &&
            (!tdDialect_IsOmi(dialect) || (filter->collideWith != NULL && filter->notCollideWith != NULL)))
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_FILTER_BOTH_LISTS, &path);
        }
    }

    bool* hasMembers = tdPhysicsReader_New(reader, bool, raw->systemCount);
    for (int f = first; f < raw->filterCount && hasMembers != NULL; ++f)
    {
        for (int k = 0; k < filters[f].systemCount; ++k)
        {
            hasMembers[filters[f].systems[k]] = true;
        }
    }
    i = 0;
    for (int value = tdJson_GetFirst(reader->json, table); value >= 0 && hasMembers != NULL;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath path = tdPath_Index(&tablePath, i);
        ReportUnknownSystems(reader, raw, hasMembers, value, "collideWithSystems", &path);
        ReportUnknownSystems(reader, raw, hasMembers, value, "notCollideWithSystems", &path);
    }
}

/// Joins two lists of systems.
static const int* JoinSystems(tdPhysicsReader* reader, const int* a, int aCount, const int* b, int bCount,
                              int* count)
{
    int* joined = tdPhysicsReader_New(reader, int, aCount + bCount);
    *count = 0;
    for (int i = 0; i < aCount + bCount && joined != NULL; ++i)
    {
        joined[i] = i < aCount ? a[i] : b[i - aCount];
    }
    *count = joined != NULL ? SortUnique(joined, aCount + bCount) : 0;
    return *count > 0 ? joined : NULL;
}

int tdReadInlineFilter(tdPhysicsReader* reader, tdRawPhysics* raw, int object, const tdPath* path)
{
    static const char* const members[] = {"collisionSystem", "collideWithLayers", "notCollideWithSystems"};
    bool isGiven = false;
    for (int i = 0; i < 3; ++i)
    {
        isGiven = isGiven || tdJson_Find(reader->json, object, members[i]) >= 0;
    }
    if (!isGiven)
    {
        return -1;
    }
    if (raw->filterCount >= raw->filterCapacity)
    {
        int added = raw->filterCount + 8;
        tdPhysicsFilter* filters =
            ExtendTable(reader, raw->filters, raw->filterCount, added, sizeof(tdPhysicsFilter));
        if (filters == NULL)
        {
            return -1;
        }
        raw->filters = filters;
        raw->filterCapacity = raw->filterCount + added;
    }
    tdPhysicsFilter filter = {.dialect = TD_DIALECT_MSFT_2022, .fileFilter = -1};
    int layerCount, own = -1;
    size_t length = 0;
    tdPath systemPath = tdPath_Key(path, members[0]);
    int system = tdJson_Find(reader->json, object, members[0]);
    const char* name = system >= 0 ? tdJson_GetString(reader->json, system, &length) : NULL;
    if (system >= 0 && name == NULL)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, &systemPath, "a string");
    }
    if (name != NULL)
    {
        const char* end = memchr(name, 0, length);
        own = FindSystem(reader, raw, name, end != NULL ? (size_t)(end - name) : length, true);
    }
    // Only this list names layers, and its exporter wrote the layers of the object itself; objects that share
    // one collide.
    filter.collideWith =
        ReadSystems(reader, raw, object, members[1], path, TD_DIALECT_OMI_CURRENT, &layerCount);
    filter.collideWithCount = layerCount;
    filter.notCollideWith = ReadSystems(reader, raw, object, members[2], path, TD_DIALECT_OMI_CURRENT,
                                        &filter.notCollideWithCount);
    filter.systems =
        JoinSystems(reader, &own, own >= 0 ? 1 : 0, filter.collideWith, layerCount, &filter.systemCount);
    raw->filters[raw->filterCount] = filter;
    return raw->filterCount++;
}

const int* tdReadTriggerNodes(tdPhysicsReader* reader, const tdRawPhysics* raw, int object,
                              const tdPath* path, int* count)
{
    *count = 0;
    int array = tdPhysicsReader_GetArray(reader, object, "nodes", path);
    int length = tdJson_GetCount(reader->json, array);
    tdPath listPath = tdPath_Key(path, "nodes");
    if (array >= 0 && length == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_EMPTY_ARRAY, &listPath);
    }
    int* nodes = length > 0 ? tdPhysicsReader_New(reader, int, length) : NULL;
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, array); value >= 0 && nodes != NULL;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath element = tdPath_Index(&listPath, i);
        int64_t node;
        if (!tdPhysicsReader_ToInteger(reader, value, &element, &node))
        {
            nodes[(*count)++] = -1; // keeps the index, so that later pointers in reports are right
            continue;
        }
        if (node < 0 || node >= raw->nodeCount)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_UNRESOLVED_NODE, &element, (long long)node);
            node = -1;
        }
        nodes[(*count)++] = (int)node;
    }
    return nodes;
}

void tdReadInertiaTensor(tdPhysicsReader* reader, int object, const tdPath* path, tdRawMotion* motion)
{
    float tensor[9];
    if (!tdPhysicsReader_GetVector(reader, object, "inertiaTensor", path, tensor, 9))
    {
        return;
    }
    bool isZero = true;
    for (int i = 0; i < 9; ++i)
    {
        isZero = isZero && tensor[i] == 0.0f;
    }
    motion->hasTensor = !isZero;
    motion->inertiaTensor = (tdMat3){{tensor[0], tensor[1], tensor[2]},
                                     {tensor[3], tensor[4], tensor[5]},
                                     {tensor[6], tensor[7], tensor[8]}};
}

void tdCheckInertiaTriangle(tdPhysicsReader* reader, const tdPath* path, tdVec3 diagonal)
{
    // With tolerance for float32 rounding: flat bodies reach the bound exactly.
    float sum = diagonal.x + diagonal.y + diagonal.z;
    float largest = tdMaxFloat(diagonal.x, tdMaxFloat(diagonal.y, diagonal.z));
    if (largest > (sum - largest) * 1.00001f)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_INERTIA_TRIANGLE, path, (double)diagonal.x,
                     (double)diagonal.y, (double)diagonal.z);
    }
}
