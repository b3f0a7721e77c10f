// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Imports the parts of meshes that motion needs: positions, triangle lists, morph targets, joints and
// weights. A primitive that cannot be used is reported and left out.
#include "meshes.h"

#include "import.h"
#include "read.h"

/// The accessor of an attribute; -1 if there is none or it cannot be used (reported).
static int ReadAttribute(tdImport* import, const tdReader* reader, const tdPath* path, int attributes,
                         const char* name)
{
    int index = -1;
    if (tdReadInt(reader, path, attributes, name, 0, &index) != TD_READ_OK)
    {
        return -1;
    }
    if (index >= import->accessors.accessorCount)
    {
        tdPath key = tdPath_Key(path, name);
        tdReport_Add(import->report, TD_DIAG_UNRESOLVED_REFERENCE, &key, "accessor", (long long)index);
        return -1;
    }
    return tdAccessors_Get(&import->accessors, index) != NULL ? index : -1;
}

static void ReportFormat(tdImport* import, const tdPath* path, const char* name, int accessor)
{
    tdPath key = tdPath_Key(path, name);
    tdReport_Add(import->report, TD_DIAG_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, &key, accessor,
                 name);
}

/// Reads positions or position differences. KHR_mesh_quantization allows 8- and 16-bit integers, normalised
/// or not.
static const tdVec3* ReadVectors(tdImport* import, const tdReader* reader, const tdPath* path, int attributes,
                                 int* count)
{
    int index = ReadAttribute(import, reader, path, attributes, "POSITION");
    const tdAccessor* accessor = tdAccessors_Get(&import->accessors, index);
    if (accessor == NULL)
    {
        return NULL;
    }
    if (accessor->rows != 3 || accessor->columns != 1 || accessor->componentType == TD_COMPONENT_UNSIGNED_INT)
    {
        ReportFormat(import, path, "POSITION", index);
        return NULL;
    }
    *count = accessor->count;
    return (const tdVec3*)tdAccessors_GetFloats(&import->accessors, index);
}

static bool CheckIndices(tdImport* import, const tdPath* path, const uint32_t* indices, int count,
                         int vertexCount)
{
    uint32_t most = 0;
    for (int i = 0; i < count; ++i)
    {
        most = indices[i] > most ? indices[i] : most;
    }
    for (int i = 0; i < count && most >= (uint32_t)vertexCount; ++i)
    {
        if (indices[i] >= (uint32_t)vertexCount)
        {
            tdPath key = tdPath_Key(path, "indices");
            tdReport_Add(import->report, TD_DIAG_ACCESSOR_INDEX_OOB, &key, i, indices[i], vertexCount);
            return false;
        }
    }
    return true;
}

/// Reads the indices. False if the primitive cannot be used (reported).
static bool ReadIndices(tdImport* import, const tdReader* reader, int value, const tdPath* path,
                        tdPrimitive* primitive)
{
    primitive->indexCount = primitive->vertexCount;
    if (tdJson_Find(import->json, value, "indices") < 0)
    {
        return true;
    }
    int index = ReadAttribute(import, reader, path, value, "indices");
    const tdAccessor* accessor = tdAccessors_Get(&import->accessors, index);
    if (accessor == NULL)
    {
        return false;
    }
    bool isUnsigned = accessor->componentType == TD_COMPONENT_UNSIGNED_BYTE ||
                      accessor->componentType == TD_COMPONENT_UNSIGNED_SHORT ||
                      accessor->componentType == TD_COMPONENT_UNSIGNED_INT;
    if (accessor->componentCount != 1 || !isUnsigned || accessor->isNormalized)
    {
        tdPath key = tdPath_Key(path, "indices");
        tdReport_Add(import->report, TD_DIAG_MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, &key, index);
        return false;
    }
    primitive->indices = tdAccessors_GetIntegers(&import->accessors, index);
    primitive->indexCount = accessor->count;
    return primitive->indices != NULL &&
           CheckIndices(import, path, primitive->indices, primitive->indexCount, primitive->vertexCount);
}

/// Converts strips and fans to lists (glTF 2.0, 3.7.2.1). False when memory or the budget ran out (reported).
static bool MakeList(tdImport* import, const tdPath* path, int mode, tdPrimitive* primitive)
{
    int triangles = primitive->indexCount - 2;
    if (triangles < 1)
    {
        primitive->indexCount = 0;
        return true;
    }
    uint64_t bytes = (uint64_t)triangles * 3 * sizeof(uint32_t);
    if ((uint64_t)triangles * 3 > INT32_MAX ||
        !tdAccessors_Claim(&import->accessors, bytes, path, "This primitive"))
    {
        return false;
    }
    uint32_t* list = tdArena_Allocate(import->arena, (size_t)bytes, _Alignof(uint32_t));
    if (list == NULL)
    {
        tdReport_Add(import->report, TD_DIAG_OUT_OF_MEMORY, path, "reading a mesh");
        return false;
    }
    const uint32_t* from = primitive->indices;
    for (int i = 0; i < triangles; ++i)
    {
        // Every other triangle of a strip has the opposite winding.
        int corners[3] = {i, i + 1 + i % 2, i + 2 - i % 2};
        if (mode == 6)
        {
            corners[0] = i + 1;
            corners[1] = i + 2;
            corners[2] = 0;
        }
        for (int k = 0; k < 3; ++k)
        {
            list[3 * i + k] = from != NULL ? from[corners[k]] : (uint32_t)corners[k];
        }
    }
    primitive->indices = list;
    primitive->indexCount = triangles * 3;
    return true;
}

/// Converts every mode to one of three; reports incomplete triangles and lines.
static bool ApplyMode(tdImport* import, const tdPath* path, int mode, tdPrimitive* primitive)
{
    static const int multiples[] = {1, 2, 1, 1, 3, 1, 1};
    static const int least[] = {1, 2, 2, 2, 3, 3, 3};
    if (mode < 0 || mode > 6)
    {
        tdPath key = tdPath_Key(path, "mode");
        tdReport_Add(import->report, TD_DIAG_VALUE_NOT_IN_RANGE, &key, (double)mode);
        return false;
    }
    int rest = primitive->indexCount % multiples[mode];
    if (rest != 0 || primitive->indexCount < least[mode])
    {
        tdReport_Add(import->report, TD_DIAG_MESH_PRIMITIVE_INCOMPATIBLE_MODE, path, primitive->indexCount,
                     mode);
    }
    primitive->indexCount -= rest;
    primitive->mode =
        mode == 0 ? TD_PRIMITIVE_POINTS : (mode < 4 ? TD_PRIMITIVE_LINES : TD_PRIMITIVE_TRIANGLES);
    return mode < 5 || MakeList(import, path, mode, primitive);
}

/// Reads joints and weights of set 0; if one is wrong, it is reported and the primitive is not skinned.
static bool ReadSkinning(tdImport* import, const tdReader* reader, int attributes, const tdPath* path,
                         tdPrimitive* primitive)
{
    int jointsIndex = ReadAttribute(import, reader, path, attributes, "JOINTS_0");
    int weightsIndex = ReadAttribute(import, reader, path, attributes, "WEIGHTS_0");
    const tdAccessor* joints = tdAccessors_Get(&import->accessors, jointsIndex);
    const tdAccessor* weights = tdAccessors_Get(&import->accessors, weightsIndex);
    if (joints == NULL || weights == NULL)
    {
        return true;
    }
    bool isJoints = joints->rows == 4 && joints->columns == 1 && joints->count == primitive->vertexCount &&
                    (joints->componentType == TD_COMPONENT_UNSIGNED_BYTE ||
                     joints->componentType == TD_COMPONENT_UNSIGNED_SHORT);
    bool isWeights = weights->rows == 4 && weights->columns == 1 &&
                     weights->count == primitive->vertexCount &&
                     (weights->componentType == TD_COMPONENT_FLOAT || weights->isNormalized);
    if (!isJoints || !isWeights)
    {
        ReportFormat(import, path, isJoints ? "WEIGHTS_0" : "JOINTS_0",
                     isJoints ? weightsIndex : jointsIndex);
        return true;
    }
    const uint32_t* wide = tdAccessors_GetIntegers(&import->accessors, jointsIndex);
    const float* floats = tdAccessors_GetFloats(&import->accessors, weightsIndex);
    size_t count = (size_t)primitive->vertexCount * 4;
    if (wide == NULL || floats == NULL ||
        !tdAccessors_Claim(&import->accessors, count * sizeof(uint16_t), path, "This primitive"))
    {
        return true;
    }
    uint16_t* narrow = tdArena_Allocate(import->arena, count * sizeof(uint16_t), _Alignof(uint16_t));
    if (narrow == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < count; ++i)
    {
        narrow[i] = (uint16_t)wide[i];
    }
    primitive->joints = narrow;
    primitive->jointWeights = floats;
    return true;
}

static bool ReadTargets(tdImport* import, const tdReader* reader, int value, const tdPath* path,
                        tdPrimitive* primitive)
{
    int list = TD_JSON_NONE;
    if (tdReadArray(reader, path, value, "targets", &list) != TD_READ_OK)
    {
        return true;
    }
    int count = tdJson_GetCount(import->json, list), index = 0;
    const tdVec3** targets = tdArena_NewArray(import->arena, const tdVec3*, count + 1);
    if (targets == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(path, "targets");
    for (int child = tdJson_GetFirst(import->json, list); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        tdPath targetPath = tdPath_Index(&listPath, index);
        int vertexCount = 0;
        const tdVec3* differences = ReadVectors(import, reader, &targetPath, child, &vertexCount);
        if (differences != NULL && vertexCount != primitive->vertexCount)
        {
            tdReport_Add(import->report, TD_DIAG_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT,
                         &targetPath, vertexCount, primitive->vertexCount);
            differences = NULL;
        }
        targets[index++] = differences;
    }
    primitive->targets = targets;
    primitive->targetCount = count;
    return true;
}

/// @param isPacked receives true if only Draco contains the geometry
/// @return 1: read, 0: left out, -1: out of memory
static int ReadPrimitive(tdImport* import, const tdReader* reader, int value, const tdPath* path,
                         tdPrimitive* primitive, bool* isPacked)
{
    int attributes = TD_JSON_NONE, mode = 4;
    tdReadResult result = tdReadObject(reader, path, value, "attributes", &attributes);
    if (result != TD_READ_OK)
    {
        if (result == TD_READ_ABSENT)
        {
            tdReportMissing(reader, path, "attributes");
        }
        return 0;
    }
    if (tdReadInt(reader, path, value, "mode", 0, &mode) == TD_READ_BAD)
    {
        return 0;
    }
    tdPath attributesPath = tdPath_Key(path, "attributes");
    int draco = tdJson_Find(import->json, tdJson_Find(import->json, value, "extensions"),
                            "KHR_draco_mesh_compression");
    if (draco >= 0)
    {
        int64_t position = -1;
        tdJson_GetInteger(import->json, tdJson_Find(import->json, attributes, "POSITION"), &position);
        const tdAccessor* fallback = tdAccessors_Get(&import->accessors, position);
        if (fallback == NULL || fallback->view < 0)
        {
            *isPacked = true; // a finding only if physics needs the mesh
            return 0;
        }
    }
    if (tdJson_Find(import->json, attributes, "POSITION") < 0)
    {
        return 0; // legal, but not usable
    }
    primitive->positions = ReadVectors(import, reader, &attributesPath, attributes, &primitive->vertexCount);
    if (primitive->positions == NULL || !ReadIndices(import, reader, value, path, primitive) ||
        !ApplyMode(import, path, mode, primitive))
    {
        return 0;
    }
    bool hasMemory = ReadSkinning(import, reader, attributes, &attributesPath, primitive) &&
                     ReadTargets(import, reader, value, path, primitive);
    return hasMemory ? 1 : -1;
}

static bool ReadMeshWeights(tdImport* import, const tdReader* reader, int value, const tdPath* path,
                            tdMesh* mesh)
{
    int list = TD_JSON_NONE;
    if (tdReadArray(reader, path, value, "weights", &list) != TD_READ_OK)
    {
        return true;
    }
    int count = tdJson_GetCount(import->json, list), index = 0;
    float* weights = tdArena_NewArray(import->arena, float, count + 1);
    if (weights == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(path, "weights");
    for (int child = tdJson_GetFirst(import->json, list); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        tdPath weightPath = tdPath_Index(&listPath, index);
        tdReadNumberValue(reader, &weightPath, child, &weights[index]);
        index += 1;
    }
    mesh->weights = weights;
    mesh->weightCount = count;
    return true;
}

static bool ReadMeshElement(tdImport* import, const tdReader* reader, int value, const tdPath* path,
                            tdMesh* mesh, int* morphCount)
{
    mesh->name = tdImport_GetText(import, path, value, "name");
    mesh->packedPrimitive = -1;
    int list = TD_JSON_NONE;
    tdReadResult result = tdReadArray(reader, path, value, "primitives", &list);
    if (result == TD_READ_ABSENT)
    {
        tdReportMissing(reader, path, "primitives");
    }
    tdPath listPath = tdPath_Key(path, "primitives");
    int count = tdJson_GetCount(import->json, list);
    if (result == TD_READ_OK && count == 0)
    {
        tdReport_Add(import->report, TD_DIAG_EMPTY_ENTITY, &listPath);
    }
    tdPrimitive* primitives = tdArena_NewArray(import->arena, tdPrimitive, count + 1);
    if (mesh->name == NULL || primitives == NULL)
    {
        return false;
    }
    mesh->primitives = primitives;
    int fileIndex = 0;
    for (int child = tdJson_GetFirst(import->json, list); child >= 0;
         child = tdJson_GetNext(import->json, child))
    {
        tdPath primitivePath = tdPath_Index(&listPath, fileIndex);
        int targetList = tdJson_Find(import->json, child, "targets");
        int targets =
            tdJson_IsArray(import->json, targetList) ? tdJson_GetCount(import->json, targetList) : 0;
        if (fileIndex == 0)
        {
            *morphCount = targets;
        }
        else if (targets != *morphCount)
        {
            tdReport_Add(import->report, TD_DIAG_MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT, &primitivePath,
                         targets, *morphCount);
        }
        tdPrimitive* primitive = &primitives[mesh->primitiveCount];
        *primitive = (tdPrimitive){.fileIndex = fileIndex};
        bool isPacked = false;
        int isRead = ReadPrimitive(import, reader, child, &primitivePath, primitive, &isPacked);
        if (isPacked && mesh->packedPrimitive < 0)
        {
            mesh->packedPrimitive = fileIndex;
        }
        if (isRead < 0)
        {
            return false;
        }
        mesh->primitiveCount += isRead;
        fileIndex += 1;
    }
    return ReadMeshWeights(import, reader, value, path, mesh);
}

bool tdImportMeshes(tdImport* import)
{
    tdReader reader = tdMakeReader(import->json, import->report);
    int count = 0;
    const int* values = tdImport_GetElements(import, "meshes", &count);
    tdMesh* meshes = tdArena_NewArray(import->arena, tdMesh, count + 1);
    int* morphCounts = tdArena_NewArray(&import->scratch, int, count + 1);
    if (meshes == NULL || morphCounts == NULL)
    {
        return false;
    }
    tdPath listPath = tdPath_Key(&tdPath_root, "meshes");
    for (int i = 0; i < count; ++i)
    {
        tdPath path = tdPath_Index(&listPath, i);
        if (!tdJson_IsObject(import->json, values[i]))
        {
            tdReport_Add(import->report, TD_DIAG_TYPE_MISMATCH, &path, "an object");
        }
        if (!ReadMeshElement(import, &reader, values[i], &path, &meshes[i], &morphCounts[i]))
        {
            return false;
        }
    }
    import->scene->meshes = meshes;
    import->scene->meshCount = count;
    import->morphCounts = morphCounts;
    return true;
}

int tdImport_CountMorphTargets(const tdImport* import, int mesh)
{
    return mesh >= 0 && mesh < import->scene->meshCount ? import->morphCounts[mesh] : 0;
}
