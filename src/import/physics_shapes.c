// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads tables of shapes of every dialect: KHR_implicit_shapes, KHR_collision_shapes and its ancestors,
// OMI_physics_shape and OMI_collider (docs/spec/physics.md 4, 7, 8.1). Defaults differ by family, the meaning
// of capsule heights by field.
#include "physics_shapes.h"

#include <string.h>

typedef struct ShapeContext
{
    tdPhysicsReader* reader;
    const tdRawPhysics* raw;
    tdDialect dialect;
    bool isOmi;
    bool mayHaveRadius; // of capsules and cylinders: one for both ends (OMI, and MSFT until mid 2023)
} ShapeContext;

static ShapeContext MakeContext(tdPhysicsReader* reader, const tdRawPhysics* raw, tdDialect dialect)
{
    bool isMsft = dialect == TD_DIALECT_MSFT || dialect == TD_DIALECT_MSFT_2022;
    return (ShapeContext){reader, raw, dialect, tdDialect_IsOmi(dialect), tdDialect_IsOmi(dialect) || isMsft};
}

static const char* const shapeTypes[] = {"sphere", "box",  "capsule", "cylinder", "plane",
                                         "convex", "hull", "trimesh", "mesh",     NULL};
typedef enum ShapeType
{
    TYPE_SPHERE,
    TYPE_BOX,
    TYPE_CAPSULE,
    TYPE_CYLINDER,
    TYPE_PLANE,
    TYPE_CONVEX,
    TYPE_HULL,
    TYPE_TRIMESH,
    TYPE_MESH,
    TYPE_COUNT
} ShapeType;

/// Whether a table may contain a type.
static bool IsTypeOfTable(ShapeType type, tdShapeTable table)
{
    switch (table)
    {
    case TD_TABLE_IMPLICIT_SHAPES:
        return type <= TYPE_PLANE;
    case TD_TABLE_COLLISION_SHAPES:
    case TD_TABLE_MSFT_PRIMITIVES:
    case TD_TABLE_INLINE:
        return type <= TYPE_CYLINDER || type == TYPE_CONVEX || type == TYPE_TRIMESH || type == TYPE_MESH;
    case TD_TABLE_OMI_SHAPES:
    case TD_TABLE_OMI_COLLIDERS:
        return type <= TYPE_CYLINDER || type == TYPE_CONVEX || type == TYPE_HULL || type == TYPE_TRIMESH;
    case TD_TABLE_NONE:
    case TD_TABLE_COUNT:
        break;
    }
    return false;
}

static tdSeverity DegenerateSeverity(tdDialect dialect)
{
    // Zero sizes were legal in the older drafts.
    bool isRecent = dialect == TD_DIALECT_KHR_RC || dialect == TD_DIALECT_KHR_2026 ||
                    dialect == TD_DIALECT_KHR_2024_06 || dialect == TD_DIALECT_KHR_2024_07 ||
                    dialect == TD_DIALECT_OMI_CURRENT;
    return isRecent ? TD_SEVERITY_ERROR : TD_SEVERITY_WARNING;
}

/// Reads a length under `key`. False if it is negative, or zero if that gives no shape.
static bool ReadLength(const ShapeContext* context, int params, const char* key, const tdPath* path,
                       bool mayBeZero, float* value)
{
    float number = *value;
    bool isGiven = tdPhysicsReader_GetNumber(context->reader, params, key, path, &number);
    tdPath member = tdPath_Key(path, key);
    if (isGiven && number < 0.0f)
    {
        tdReport_Add(context->reader->report, TD_DIAG_PHYS_SHAPE_NEGATIVE, &member, key, (double)number);
        return false;
    }
    *value = number;
    if (number == 0.0f && !mayBeZero)
    {
        tdReport_AddAs(context->reader->report, DegenerateSeverity(context->dialect),
                       TD_DIAG_PHYS_SHAPE_DEGENERATE, &member, key);
        return false;
    }
    return true;
}

static bool ReadSphere(const ShapeContext* context, int params, const tdPath* path, tdRawShape* shape)
{
    shape->parameters = (tdShapeParameters){.kind = TD_SHAPE_SPHERE, .values = {0.5f, 0.0f, 0.0f}};
    return ReadLength(context, params, "radius", path, false, &shape->parameters.values[0]);
}

static bool ReadBox(const ShapeContext* context, int params, const tdPath* path, tdRawShape* shape)
{
    float size[3] = {1.0f, 1.0f, 1.0f};
    tdPhysicsReader_GetVector(context->reader, params, "size", path, size, 3);
    tdPath sizePath = tdPath_Key(path, "size");
    bool isGood = true;
    for (int i = 0; i < 3; ++i)
    {
        tdPath element = tdPath_Index(&sizePath, i);
        if (size[i] < 0.0f)
        {
            tdReport_Add(context->reader->report, TD_DIAG_PHYS_SHAPE_NEGATIVE, &element, "size",
                         (double)size[i]);
            isGood = false;
        }
        else if (size[i] == 0.0f)
        {
            tdReport_AddAs(context->reader->report, DegenerateSeverity(context->dialect),
                           TD_DIAG_PHYS_SHAPE_DEGENERATE, &element, "size");
            isGood = false;
        }
    }
    shape->parameters = (tdShapeParameters){.kind = TD_SHAPE_BOX, .values = {size[0], size[1], size[2]}};
    return isGood;
}

static void SetCapsule(const ShapeContext* context, const tdPath* path, tdRawShape* shape, float height,
                       float bottom, float top)
{
    shape->parameters = (tdShapeParameters){.kind = TD_SHAPE_CAPSULE, .values = {height, bottom, top}};
    if (tdIsCapsuleSwallowed(&shape->parameters))
    {
        tdReport_Add(context->reader->report, TD_DIAG_PHYS_CAPSULE_SWALLOWED, path,
                     (double)tdMaxFloat(bottom, top));
    }
}

static bool ReadRadii(const ShapeContext* context, int params, const tdPath* path, float* bottom, float* top)
{
    if (context->mayHaveRadius && tdJson_Find(context->reader->json, params, "radius") >= 0)
    {
        bool isRound = ReadLength(context, params, "radius", path, false, bottom);
        *top = *bottom;
        return isRound;
    }
    bool isGood = ReadLength(context, params, "radiusBottom", path, true, bottom);
    isGood = ReadLength(context, params, "radiusTop", path, true, top) && isGood;
    if (isGood && *bottom == 0.0f && *top == 0.0f)
    {
        tdReport_AddAs(context->reader->report, DegenerateSeverity(context->dialect),
                       TD_DIAG_PHYS_SHAPE_DEGENERATE, path, "One of the radii");
        return false;
    }
    return isGood;
}

/// Flat fields, and nested ones with `radius`, are the older form of OMI: total height and one radius.
static bool HasTotalHeight(const ShapeContext* context, int params, bool isFlat)
{
    return context->isOmi && (isFlat || tdJson_Find(context->reader->json, params, "radius") >= 0);
}

static bool ReadCapsule(const ShapeContext* context, int params, const tdPath* path, bool isFlat,
                        tdRawShape* shape)
{
    shape->parameters.kind = TD_SHAPE_CAPSULE;
    if (HasTotalHeight(context, params, isFlat))
    {
        float radius = 0.5f, height = 2.0f;
        bool isGood = ReadLength(context, params, "radius", path, false, &radius);
        isGood = ReadLength(context, params, "height", path, true, &height) && isGood;
        if (!isGood)
        {
            return false;
        }
        if (height < 2.0f * radius)
        {
            tdReport_Add(context->reader->report, TD_DIAG_PHYS_CAPSULE_TOO_SHORT, path, (double)height,
                         (double)radius);
            height = 2.0f * radius;
        }
        SetCapsule(context, path, shape, height - 2.0f * radius, radius, radius);
        return true;
    }
    float height = context->isOmi ? 1.0f : 0.5f;
    float bottom = context->isOmi ? 0.5f : 0.25f;
    float top = bottom;
    bool isGood = ReadRadii(context, params, path, &bottom, &top);
    bool hasHeight = ReadLength(context, params, "height", path,
                                DegenerateSeverity(context->dialect) != TD_SEVERITY_ERROR, &height);
    // A capsule without height is a sphere: reported if the draft forbids it, and used.
    if (!isGood || (!hasHeight && height != 0.0f))
    {
        return false;
    }
    SetCapsule(context, path, shape, height, bottom, top);
    return true;
}

static bool ReadCylinder(const ShapeContext* context, int params, const tdPath* path, bool isFlat,
                         tdRawShape* shape)
{
    float height = context->isOmi ? 2.0f : 0.5f;
    float bottom = context->isOmi ? 0.5f : 0.25f;
    float top = bottom;
    bool isGood = ReadLength(context, params, "height", path, false, &height);
    if (HasTotalHeight(context, params, isFlat))
    {
        isGood = ReadLength(context, params, "radius", path, false, &bottom) && isGood;
        top = bottom;
    }
    else
    {
        isGood = ReadRadii(context, params, path, &bottom, &top) && isGood;
    }
    shape->parameters = (tdShapeParameters){.kind = TD_SHAPE_CYLINDER, .values = {height, bottom, top}};
    return isGood;
}

static bool ReadPlane(const ShapeContext* context, int params, const tdPath* path, tdRawShape* shape)
{
    float sizeX = INFINITY, sizeZ = INFINITY;
    bool isDoubleSided = false;
    bool isGood = ReadLength(context, params, "sizeX", path, false, &sizeX);
    isGood = ReadLength(context, params, "sizeZ", path, false, &sizeZ) && isGood;
    tdPhysicsReader_GetBool(context->reader, params, "doubleSided", path, &isDoubleSided);
    shape->parameters = (tdShapeParameters){
        .kind = TD_SHAPE_PLANE, .values = {sizeX, sizeZ, 0.0f}, .isDoubleSided = isDoubleSided};
    return isGood;
}

/// Reads the morph weights of a K1a shape.
static void ReadShapeWeights(const ShapeContext* context, int params, const tdPath* path, tdRawShape* shape)
{
    int array = tdPhysicsReader_GetArray(context->reader, params, "weights", path);
    int count = tdJson_GetCount(context->reader->json, array);
    if (array < 0 || count == 0)
    {
        return;
    }
    float* weights = tdPhysicsReader_New(context->reader, float, count);
    tdPath listPath = tdPath_Key(path, "weights");
    int i = 0;
    for (int value = tdJson_GetFirst(context->reader->json, array); value >= 0 && weights != NULL;
         value = tdJson_GetNext(context->reader->json, value), ++i)
    {
        tdPath element = tdPath_Index(&listPath, i);
        tdPhysicsReader_ToFloat(context->reader, value, &element, &weights[i]);
    }
    shape->weights = weights;
    shape->weightCount = weights != NULL ? count : 0;
}

static bool ReadMeshShape(const ShapeContext* context, int shapeObject, const tdPath* shapePath, int params,
                          const tdPath* path, ShapeType type, tdRawShape* shape)
{
    tdPhysicsReader* reader = context->reader;
    shape->mesh = tdPhysicsReader_GetIndex(reader, params, "mesh", path, context->raw->meshCount,
                                           TD_DIAG_PHYS_UNRESOLVED_MESH, false);
    if (shape->mesh == TD_INDEX_ABSENT)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, path, "mesh");
    }
    bool isHull = type == TYPE_CONVEX || type == TYPE_HULL;
    if (type == TYPE_MESH)
    {
        tdPhysicsReader_GetBool(reader, params, "convexHull", path, &isHull); // K1a
        int extensions = tdJson_Find(reader->json, shapeObject, "extensions");
        int body = tdJson_Find(reader->json, extensions, "KHR_physics_rigid_bodies"); // K1b
        tdPath extensionsPath = tdPath_Key(shapePath, "extensions");
        tdPath bodyPath = tdPath_Key(&extensionsPath, "KHR_physics_rigid_bodies");
        tdPhysicsReader_GetBool(reader, body, "convexHull", &bodyPath, &isHull);
        shape->skin = tdPhysicsReader_GetIndex(reader, params, "skin", path, context->raw->skinCount,
                                               TD_DIAG_PHYS_UNRESOLVED_SKIN, false);
        ReadShapeWeights(context, params, path, shape);
        tdPhysicsReader_GetBool(reader, params, "useNodeWeights", path, &shape->useNodeWeights);
    }
    shape->parameters.kind = shape->geometry.kind = isHull ? TD_SHAPE_HULL : TD_SHAPE_MESH;
    return shape->mesh >= 0;
}

static const char* GetKnownMembers(tdShapeTable table)
{
    if (table == TD_TABLE_OMI_COLLIDERS)
    {
        return "type isTrigger size radius height mesh";
    }
    if (table == TD_TABLE_OMI_SHAPES)
    {
        return "type size radius height mesh box sphere capsule cylinder convex hull trimesh";
    }
    return "type sphere box capsule cylinder plane convex hull trimesh mesh";
}

/// The members of the nested object of parameters.
static const char* GetKnownParameters(ShapeType type, bool mayHaveRadius)
{
    switch (type)
    {
    case TYPE_SPHERE:
        return "radius";
    case TYPE_BOX:
        return "size";
    case TYPE_CAPSULE:
    case TYPE_CYLINDER:
        return mayHaveRadius ? "height radius radiusBottom radiusTop" : "height radiusBottom radiusTop";
    case TYPE_PLANE:
        return "sizeX sizeZ doubleSided";
    case TYPE_MESH:
        return "mesh convexHull skin weights useNodeWeights";
    case TYPE_CONVEX:
    case TYPE_HULL:
    case TYPE_TRIMESH:
        return "mesh";
    case TYPE_COUNT:
        break;
    }
    return "";
}

static void CheckOtherParameters(const ShapeContext* context, int object, const tdPath* path, ShapeType type,
                                 tdShapeTable table)
{
    for (int other = 0; other < TYPE_COUNT; ++other)
    {
        int value = tdJson_Find(context->reader->json, object, shapeTypes[other]);
        if (other != (int)type && IsTypeOfTable((ShapeType)other, table) &&
            tdJson_IsObject(context->reader->json, value))
        {
            tdReport_Add(context->reader->report, TD_DIAG_PHYS_SHAPE_PARAM_MISMATCH, path, shapeTypes[type],
                         shapeTypes[other]);
        }
    }
}

static bool ReadParameters(const ShapeContext* context, int object, const tdPath* path, ShapeType type,
                           tdRawShape* shape)
{
    // Nested parameters are under the name of the type; flat ones (OMI until mid 2023) in the shape itself.
    bool isFlat = shape->table == TD_TABLE_OMI_COLLIDERS ||
                  (shape->table == TD_TABLE_OMI_SHAPES &&
                   tdJson_GetType(context->reader->json, tdJson_Find(context->reader->json, object,
                                                                     shapeTypes[type])) != TD_JSON_OBJECT &&
                   (tdJson_Find(context->reader->json, object, "size") >= 0 ||
                    tdJson_Find(context->reader->json, object, "radius") >= 0 ||
                    tdJson_Find(context->reader->json, object, "height") >= 0 ||
                    tdJson_Find(context->reader->json, object, "mesh") >= 0));
    int params = isFlat ? object : tdPhysicsReader_GetObject(context->reader, object, shapeTypes[type], path);
    tdPath nestedPath = tdPath_Key(path, shapeTypes[type]);
    const tdPath* paramsPath = isFlat ? path : &nestedPath;
    if (!isFlat)
    {
        tdPhysicsReader_CheckMembers(context->reader, params, paramsPath,
                                     GetKnownParameters(type, context->mayHaveRadius));
    }
    switch (type)
    {
    case TYPE_SPHERE:
        return ReadSphere(context, params, paramsPath, shape);
    case TYPE_BOX:
        return ReadBox(context, params, paramsPath, shape);
    case TYPE_CAPSULE:
        return ReadCapsule(context, params, paramsPath, isFlat, shape);
    case TYPE_CYLINDER:
        return ReadCylinder(context, params, paramsPath, isFlat, shape);
    case TYPE_PLANE:
        return ReadPlane(context, params, paramsPath, shape);
    case TYPE_CONVEX:
    case TYPE_HULL:
    case TYPE_TRIMESH:
    case TYPE_MESH:
        return ReadMeshShape(context, object, path, params, params >= 0 ? paramsPath : path, type, shape);
    case TYPE_COUNT:
        break;
    }
    return false;
}

/// Reserves room for more shapes.
static bool ReserveShapes(tdPhysicsReader* reader, tdRawPhysics* raw, int added)
{
    if (raw->shapeCount + added <= raw->shapeCapacity)
    {
        return true;
    }
    int capacity = 2 * raw->shapeCount + added;
    tdRawShape* shapes = tdPhysicsReader_New(reader, tdRawShape, capacity);
    if (shapes == NULL)
    {
        return false;
    }
    if (raw->shapeCount > 0)
    {
        memcpy(shapes, raw->shapes, sizeof(tdRawShape) * (size_t)raw->shapeCount);
    }
    raw->shapes = shapes;
    raw->shapeCapacity = capacity;
    return true;
}

static tdRawShape StartShape(const ShapeContext* context, tdShapeTable table, int index)
{
    return (tdRawShape){
        .table = table,
        .dialect = context->dialect,
        .index = index,
        .geometry = {.local = tdTransform_identity, .matrix = tdMat3_identity},
        .mesh = -1,
        .skin = -1,
    };
}

/// Reads the parameters of a shape of known type.
static void FillShape(const ShapeContext* context, int object, const tdPath* path, ShapeType type,
                      tdRawShape* shape)
{
    CheckOtherParameters(context, object, path, type, shape->table);
    shape->isUsable = ReadParameters(context, object, path, type, shape);
    if (shape->parameters.kind != TD_SHAPE_HULL && shape->parameters.kind != TD_SHAPE_MESH)
    {
        shape->isUsable = tdMakeShapeGeometry(&shape->parameters, &shape->geometry) && shape->isUsable;
    }
}

static tdRawShape ReadShape(const ShapeContext* context, int object, const tdPath* path, tdShapeTable table,
                            int index)
{
    tdPhysicsReader* reader = context->reader;
    tdRawShape shape = StartShape(context, table, index);
    if (!tdJson_IsObject(reader->json, object))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, path, "an object");
        return shape;
    }
    if (tdJson_Find(reader->json, object, "type") < 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_SHAPE_TYPE_MISSING, path);
        return shape;
    }
    const char* name = tdPhysicsReader_GetString(reader, object, "type", path);
    if (name == NULL)
    {
        return shape;
    }
    int type = 0;
    while (shapeTypes[type] != NULL && strcmp(shapeTypes[type], name) != 0)
    {
        type += 1;
    }
    if (shapeTypes[type] == NULL || !IsTypeOfTable((ShapeType)type, table))
    {
        tdPath typePath = tdPath_Key(path, "type");
        tdReport_Add(reader->report, TD_DIAG_PHYS_SHAPE_TYPE_UNKNOWN, &typePath, name);
        return shape;
    }
    tdPhysicsReader_CheckMembers(reader, object, path, GetKnownMembers(table));
    if (table == TD_TABLE_OMI_COLLIDERS)
    {
        tdPhysicsReader_GetBool(reader, object, "isTrigger", path, &shape.isTrigger);
    }
    FillShape(context, object, path, (ShapeType)type, &shape);
    return shape;
}

bool tdReadInlineShape(tdPhysicsReader* reader, tdRawPhysics* raw, int object, const tdPath* path,
                       tdRawGeometry* geometry)
{
    int type = 0;
    while (type < TYPE_COUNT && (!IsTypeOfTable((ShapeType)type, TD_TABLE_INLINE) ||
                                 tdJson_Find(reader->json, object, shapeTypes[type]) < 0))
    {
        type += 1;
    }
    if (type == TYPE_COUNT || !ReserveShapes(reader, raw, 1))
    {
        return false;
    }
    ShapeContext context = MakeContext(reader, raw, TD_DIALECT_MSFT_2022);
    tdRawShape shape = StartShape(&context, TD_TABLE_INLINE, -1);
    FillShape(&context, object, path, (ShapeType)type, &shape);
    geometry->isGiven = true;
    geometry->shape = raw->shapeCount;
    raw->shapes[raw->shapeCount++] = shape;
    return true;
}

void tdReadPhysicsShapes(tdPhysicsReader* reader, tdRawPhysics* raw, tdShapeTable table, int rootObject,
                         const char* key, const tdPath* rootPath, tdDialect dialect)
{
    raw->tableCounts[table] = 0;
    raw->tableStarts[table] = raw->shapeCount;
    int array = tdPhysicsReader_GetArray(reader, rootObject, key, rootPath);
    tdPath tablePath = tdPath_Key(rootPath, key);
    if (array < 0)
    {
        if (tdJson_Find(reader->json, rootObject, key) < 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_REQUIRED, rootPath, key);
        }
        return;
    }
    int count = tdJson_GetCount(reader->json, array);
    if (count == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_EMPTY_ARRAY, &tablePath);
        return;
    }
    if (!ReserveShapes(reader, raw, count))
    {
        return;
    }
    ShapeContext context = MakeContext(reader, raw, dialect);
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, array); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath path = tdPath_Index(&tablePath, i);
        raw->shapes[raw->shapeCount++] = ReadShape(&context, value, &path, table, i);
    }
    raw->tableCounts[table] = count;
}
