// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports skins. A skin with a missing joint is left out, because vertices refer to joints by index.
#include "skins.h"

#include "import.h"
#include "read.h"

static bool ReadJoints(tdImport* import, const tdReader* reader, int value, const tdPath* path, tdSkin* skin)
{
    int list = TD_JSON_NONE;
    tdReadResult result = tdReadArray(reader, path, value, "joints", &list);
    if (result == TD_READ_ABSENT)
    {
        tdReportMissing(reader, path, "joints");
    }
    tdPath listPath = tdPath_Key(path, "joints");
    int count = tdJson_GetCount(import->json, list), index = 0;
    int nodes = tdJson_Find(import->json, 0, "nodes");
    int nodeCount = tdJson_IsArray(import->json, nodes) ? tdJson_GetCount(import->json, nodes) : 0;
    if (result == TD_READ_OK && count == 0)
    {
        tdReport_Add(import->report, TD_DIAG_EMPTY_ENTITY, &listPath);
    }
    int* joints = tdArena_NewArray(import->arena, int, count + 1);
    if (joints == NULL)
    {
        return false;
    }
    skin->joints = joints;
    skin->jointCount = count;
    for (int child = tdJson_GetFirst(import->json, list); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        tdPath jointPath = tdPath_Index(&listPath, index);
        if (tdReadIntValue(reader, &jointPath, child, 0, &joints[index]) != TD_READ_OK)
        {
            skin->jointCount = 0;
        }
        else if (joints[index] >= nodeCount)
        {
            tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &jointPath, "node",
                         (long long)joints[index]);
            skin->jointCount = 0;
        }
        index += 1;
    }
    return true;
}

static void ReadMatrices(tdImport* import, const tdReader* reader, int value, const tdPath* path,
                         tdSkin* skin)
{
    int index = -1;
    if (tdReadInt(reader, path, value, "inverseBindMatrices", 0, &index) != TD_READ_OK)
    {
        return;
    }
    tdPath key = tdPath_Key(path, "inverseBindMatrices");
    if (index >= import->accessors.accessorCount)
    {
        tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &key, "accessor", (long long)index);
        return;
    }
    const tdAccessor* accessor = tdAccessors_Get(&import->accessors, index);
    if (accessor == NULL)
    {
        return;
    }
    if (accessor->columns != 4 || accessor->componentType != TD_COMPONENT_FLOAT)
    {
        tdReport_Add(import->report, TD_DIAG_SKIN_IBM_INVALID_FORMAT, &key, index);
        return;
    }
    if (accessor->count < skin->jointCount)
    {
        tdReport_Add(import->report, TD_DIAG_INVALID_IBM_ACCESSOR_COUNT, &key, accessor->count,
                     skin->jointCount);
        return;
    }
    skin->inverseBindMatrices = (const tdMat4*)tdAccessors_GetFloats(&import->accessors, index);
}

bool tdImportSkins(tdImport* import)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int count = 0;
    const int* values = tdImport_GetElements(import, "skins", &count);
    tdSkin* skins = tdArena_NewArray(import->arena, tdSkin, count + 1);
    if (skins == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(&tdPath_root, "skins");
    for (int i = 0; i < count; ++i)
    {
        tdPath path = tdPath_Index(&listPath, i);
        if (!tdJson_IsObject(import->json, values[i]))
        {
            tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &path, "an object");
            continue;
        }
        if (!ReadJoints(import, &reader, values[i], &path, &skins[i]))
        {
            return false;
        }
        ReadMatrices(import, &reader, values[i], &path, &skins[i]);
    }
    import->scene->skins = skins;
    import->scene->skinCount = count;
    return true;
}
