// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reads limits and drives of joints of every dialect (docs/spec/physics.md 4, 6, 7). A limit may become
// several: one with linear and angular axes is split by kind, and one whose range applies per axis (early
// OMI, and current OMI with a negative min) is split by axis.
#include "physics_joint_limits.h"

#include "physics_raw.h"

#include <string.h>

#define MAX_LIMITS_PER_ENTRY 6
#define MAX_EARLY_LIMITS 14 // seven sets of linear and of angular axes

/// Limits and drives collected for one description.
typedef struct DescBuilder
{
    tdJointLimit* limits;
    int* fileLimits;
    int limitCount, limitCapacity;
    tdJointDrive* drives;
    int* fileDrives;
    int driveCount;
} DescBuilder;

static bool AddRawLimit(DescBuilder* builder, tdJointLimit limit, int fileLimit)
{
    if (builder->limitCount == builder->limitCapacity)
    {
        return false;
    }
    builder->limits[builder->limitCount] = limit;
    builder->fileLimits[builder->limitCount] = fileLimit;
    builder->limitCount += 1;
    return true;
}

static int CountAxes(unsigned axes)
{
    return (int)(axes & 1u) + (int)((axes >> 1) & 1u) + (int)((axes >> 2) & 1u);
}

/// Reads the list of axes under `key` as bits; `isPresent`: the member exists.
static unsigned ReadAxes(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                         bool mayBeEmpty, bool* isPresent)
{
    *isPresent = tdJson_Find(reader->json, object, key) >= 0;
    int array = tdPhysicsReader_GetArray(reader, object, key, path);
    if (array < 0)
    {
        return 0;
    }
    tdPath listPath = tdPath_Key(path, key);
    int count = tdJson_GetCount(reader->json, array);
    if (count > 3 || (count == 0 && !mayBeEmpty))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_LIMIT_AXES_LENGTH, &listPath, count);
    }
    unsigned axes = 0;
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, array); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath element = tdPath_Index(&listPath, i);
        int64_t axis;
        if (!tdPhysicsReader_ToInteger(reader, value, &element, &axis))
        {
            continue;
        }
        if (axis < 0 || axis > 2)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_LIMIT_AXIS_RANGE, &element, (long long)axis);
            continue;
        }
        if ((axes & (1u << axis)) != 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_DUPLICATE, &element, (long long)axis);
        }
        axes |= 1u << axis;
    }
    return axes;
}

typedef struct LimitNames
{
    const char *min, *max, *stiffness, *damping, *known;
} LimitNames;

static LimitNames GetLimitNames(tdDialect dialect)
{
    if (tdDialect_IsAncestor(dialect))
    {
        return (LimitNames){"min", "max", "springConstant", "springDamping",
                            "linearAxes angularAxes min max springConstant springDamping"};
    }
    if (dialect == TD_DIALECT_OMI_EARLY)
    {
        return (LimitNames){"lowerLimit", "upperLimit", "stiffness", "damping",
                            "linearAxes angularAxes lowerLimit upperLimit stiffness damping"};
    }
    return (LimitNames){"min", "max", "stiffness", "damping",
                        "linearAxes angularAxes min max stiffness damping"};
}

/// Reads stiffness and damping; without stiffness the limit is hard.
static void ReadSoftness(tdPhysicsReader* reader, const tdRawPhysics* raw, int object, const tdPath* path,
                         tdDialect dialect, const LimitNames* names, tdJointLimit* limit)
{
    bool isEarly = dialect == TD_DIALECT_OMI_EARLY;
    bool isCurrentOmi = dialect == TD_DIALECT_OMI_CURRENT;
    float stiffness = 0.0f, damping = 0.0f;
    tdPath stiffnessPath = tdPath_Key(path, names->stiffness);
    tdPath dampingPath = tdPath_Key(path, names->damping);
    limit->stiffness = INFINITY;
    limit->damping = isEarly ? 1.0f : 0.0f;

    if (tdPhysicsReader_GetBounded(reader, object, names->damping, path, TD_MAX_STRENGTH, &damping))
    {
        if (damping < 0.0f)
        {
            tdReport_AddAs(reader->report, isCurrentOmi ? TD_SEVERITY_WARNING : TD_SEVERITY_ERROR,
                           TD_DIAG_PHYS_LIMIT_SPRING, &dampingPath, "Damping", (double)damping);
        }
        else
        {
            limit->damping = damping;
            if (!isEarly && damping > 0.0f && tdJson_Find(reader->json, object, names->stiffness) < 0)
            {
                tdReport_Add(reader->report, TD_DIAG_PHYS_DAMPING_WITHOUT_STIFFNESS, &dampingPath);
            }
        }
    }
    if (!tdPhysicsReader_GetBounded(reader, object, names->stiffness, path, TD_MAX_STRENGTH, &stiffness))
    {
        return;
    }
    if (stiffness < 0.0f || (isEarly && stiffness == 0.0f))
    {
        tdReport_AddAs(reader->report, isCurrentOmi ? TD_SEVERITY_WARNING : TD_SEVERITY_ERROR,
                       TD_DIAG_PHYS_LIMIT_SPRING, &stiffnessPath, "Stiffness", (double)stiffness);
        return; // negative means infinite in current OMI; in other dialects a hard limit is closest
    }
    if (tdDialect_IsOmi(dialect) && stiffness <= 1.0f)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_STIFFNESS_IMPLAUSIBLE, &stiffnessPath, (double)stiffness,
                     raw->literalStiffness ? "it stands" : "a hard limit");
        if (!raw->literalStiffness)
        {
            return;
        }
    }
    limit->stiffness = stiffness;
}

/// Adds the limit for linear or angular axes, split by axis if the range applies per axis.
static bool AddByMetric(DescBuilder* builder, tdJointLimit limit, unsigned axes, bool isLinear, bool perAxis,
                        int fileLimit)
{
    if (!perAxis)
    {
        limit.linearAxes = isLinear ? axes : 0u;
        limit.angularAxes = isLinear ? 0u : axes;
        return AddRawLimit(builder, limit, fileLimit);
    }
    bool added = true;
    for (unsigned bit = 1; bit <= 4; bit <<= 1)
    {
        if ((axes & bit) != 0)
        {
            limit.linearAxes = isLinear ? bit : 0u;
            limit.angularAxes = isLinear ? 0u : bit;
            added = AddRawLimit(builder, limit, fileLimit) && added;
        }
    }
    return added;
}

static void ReadLimit(tdPhysicsReader* reader, const tdRawPhysics* raw, int object, const tdPath* path,
                      tdDialect dialect, int fileLimit, DescBuilder* builder)
{
    bool isEarly = dialect == TD_DIALECT_OMI_EARLY;
    bool isOmi = tdDialect_IsOmi(dialect);
    if (!tdJson_IsObject(reader->json, object))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, path, "an object");
        return;
    }
    LimitNames names = GetLimitNames(dialect);
    tdPhysicsReader_CheckMembers(reader, object, path, names.known);

    bool hasLinear, hasAngular;
    unsigned linearAxes = ReadAxes(reader, object, "linearAxes", path, isOmi, &hasLinear);
    unsigned angularAxes = ReadAxes(reader, object, "angularAxes", path, isOmi, &hasAngular);
    if (linearAxes == 0 && angularAxes == 0)
    {
        tdReport_AddAs(reader->report, isEarly ? TD_SEVERITY_WARNING : TD_SEVERITY_ERROR,
                       TD_DIAG_PHYS_LIMIT_AXES_ONE_OF, path);
    }
    else if (hasLinear && hasAngular && !isOmi)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_LIMIT_AXES_ONE_OF,
                     path); // split anyway (docs/spec/physics.md 9.18)
    }

    // Absent bounds lock in early OMI, and in the files of MSFT_physics, whose text does not define it.
    bool isLock =
        isEarly || (dialect == TD_DIALECT_MSFT_2022 && tdJson_Find(reader->json, object, names.min) < 0 &&
                    tdJson_Find(reader->json, object, names.max) < 0);
    tdJointLimit limit = {.min = isLock ? 0.0f : -INFINITY, .max = isLock ? 0.0f : INFINITY};
    bool hasMin = tdPhysicsReader_GetBounded(reader, object, names.min, path, TD_MAX_COORDINATE, &limit.min);
    bool hasMax = tdPhysicsReader_GetBounded(reader, object, names.max, path, TD_MAX_COORDINATE, &limit.max);
    if (isEarly)
    {
        // Early OMI has no open ends; a bound at the end of what can be simulated stands for one.
        limit.min = limit.min <= -TD_MAX_COORDINATE ? -INFINITY : limit.min;
        limit.max = limit.max >= TD_MAX_COORDINATE ? INFINITY : limit.max;
    }
    ReadSoftness(reader, raw, object, path, dialect, &names, &limit);
    if (linearAxes == 0 && angularAxes == 0)
    {
        return;
    }
    if (!isLock && !hasMin && !hasMax)
    {
        // Kept: an animation may give it bounds.
        tdReport_Add(reader->report, TD_DIAG_PHYS_LIMIT_UNBOUNDED, path);
    }
    if (limit.min > limit.max)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_LIMIT_RANGE, path, (double)limit.min, (double)limit.max);
        return;
    }

    // Two and three axes limit an unsigned value, unless the range applies per axis.
    bool perAxis = isEarly || (dialect == TD_DIALECT_OMI_CURRENT && hasMin && limit.min < 0.0f);
    bool isNorm = !perAxis && (CountAxes(linearAxes) > 1 || CountAxes(angularAxes) > 1);
    if (isNorm && hasMax && limit.max < 0.0f)
    {
        tdPath maxPath = tdPath_Key(path, names.max);
        tdReport_AddAs(reader->report, TD_SEVERITY_ERROR, TD_DIAG_PHYS_LIMIT_NEGATIVE_NORM, &maxPath, "max",
                       (double)limit.max);
        return;
    }
    if (isNorm && hasMin && limit.min < 0.0f)
    {
        tdPath minPath = tdPath_Key(path, names.min);
        tdReport_Add(reader->report, TD_DIAG_PHYS_LIMIT_NEGATIVE_NORM, &minPath, "min", (double)limit.min);
    }
    if (linearAxes != 0)
    {
        AddByMetric(builder, limit, linearAxes, true, perAxis, fileLimit);
    }
    if (angularAxes != 0)
    {
        AddByMetric(builder, limit, angularAxes, false, perAxis, fileLimit);
    }
}

static bool ReadNonNegative(tdPhysicsReader* reader, int object, const char* key, const tdPath* path,
                            bool negativeIsOpen, float* value)
{
    float number;
    if (!tdPhysicsReader_GetBounded(reader, object, key, path, TD_MAX_STRENGTH, &number))
    {
        return false;
    }
    if (number < 0.0f)
    {
        if (!negativeIsOpen)
        {
            tdPath member = tdPath_Key(path, key);
            tdReport_Add(reader->report, TD_DIAG_PHYS_DRIVE_NEGATIVE, &member, key, (double)number);
        }
        return false;
    }
    *value = number;
    return true;
}

static void CheckPair(tdPhysicsReader* reader, const tdPath* path, bool hasTarget, bool hasCoefficient,
                      const char* target, const char* coefficient)
{
    if (hasTarget != hasCoefficient)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_DRIVE_UNPAIRED, path, hasTarget ? target : coefficient,
                     hasTarget ? coefficient : target);
    }
}

static void ReadDrive(tdPhysicsReader* reader, int object, const tdPath* path, tdDialect dialect,
                      int fileDrive, DescBuilder* builder)
{
    if (!tdJson_IsObject(reader->json, object))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, path, "an object");
        return;
    }
    tdPhysicsReader_CheckMembers(reader, object, path,
                                 "type mode axis maxForce positionTarget velocityTarget stiffness damping");
    static const char* const types[] = {"linear", "angular", NULL};
    static const char* const modes[] = {"force", "acceleration", NULL};
    static const char* const required[] = {"type", "mode", "axis"};
    bool isComplete = true;
    for (int i = 0; i < 3; ++i)
    {
        if (tdJson_Find(reader->json, object, required[i]) < 0)
        {
            tdReport_Add(reader->report, TD_DIAG_PHYS_DRIVE_REQUIRED, path, required[i]);
            isComplete = false;
        }
    }
    int type =
        tdPhysicsReader_GetEnum(reader, object, "type", path, types, "linear, angular", TD_SEVERITY_WARNING);
    int mode = tdPhysicsReader_GetEnum(reader, object, "mode", path, modes, "force, acceleration",
                                       TD_SEVERITY_WARNING);
    int axis = tdPhysicsReader_GetIndex(reader, object, "axis", path, 3, TD_DIAG_PHYS_DRIVE_AXIS, false);

    tdJointDrive drive = {.maxForce = INFINITY};
    bool isOmi = tdDialect_IsOmi(dialect);
    ReadNonNegative(reader, object, "maxForce", path, isOmi, &drive.maxForce);
    bool hasPosition = tdPhysicsReader_GetBounded(reader, object, "positionTarget", path, TD_MAX_COORDINATE,
                                                  &drive.positionTarget);
    bool hasVelocity = tdPhysicsReader_GetBounded(reader, object, "velocityTarget", path, TD_MAX_VELOCITY,
                                                  &drive.velocityTarget);
    bool hasStiffness = ReadNonNegative(reader, object, "stiffness", path, false, &drive.stiffness);
    bool hasDamping = ReadNonNegative(reader, object, "damping", path, false, &drive.damping);
    CheckPair(reader, path, hasPosition, hasStiffness, "positionTarget", "stiffness");
    CheckPair(reader, path, hasVelocity, hasDamping, "velocityTarget", "damping");
    if (!isComplete || type < 0 || mode < 0 || axis < 0)
    {
        return;
    }
    drive.type = type == 0 ? TD_DRIVE_LINEAR : TD_DRIVE_ANGULAR;
    drive.mode = mode == 0 ? TD_DRIVE_FORCE : TD_DRIVE_ACCELERATION;
    drive.axis = (tdAxis)(1 << axis);
    builder->drives[builder->driveCount] = drive;
    builder->fileDrives[builder->driveCount] = fileDrive;
    builder->driveCount += 1;
}

/// Reads one entry of the table; its arrays have the length of the lists in the file.
static tdPhysicsJointDesc ReadDesc(tdPhysicsReader* reader, const tdRawPhysics* raw, int object,
                                   const tdPath* path, tdDialect dialect, int fileJoint)
{
    tdPhysicsJointDesc desc = {.dialect = dialect, .fileJoint = fileJoint};
    if (!tdJson_IsObject(reader->json, object))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_TYPE, path, "an object");
        return desc;
    }
    tdPhysicsReader_CheckMembers(reader, object, path, "limits drives");
    int limits = tdPhysicsReader_GetArray(reader, object, "limits", path);
    int drives = tdPhysicsReader_GetArray(reader, object, "drives", path);
    int limitCount = tdJson_GetCount(reader->json, limits);
    int driveCount = tdJson_GetCount(reader->json, drives);
    tdPath limitsPath = tdPath_Key(path, "limits");
    tdPath drivesPath = tdPath_Key(path, "drives");
    if (limits >= 0 && limitCount == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_EMPTY_ARRAY, &limitsPath);
    }
    if (drives >= 0 && driveCount == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_EMPTY_ARRAY, &drivesPath);
    }
    if (limitCount == 0 && driveCount == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_JOINT_EMPTY, path,
                     "neither limits nor drives and so no effect");
        return desc;
    }
    if (limitCount > INT32_MAX / MAX_LIMITS_PER_ENTRY)
    {
        reader->ranOutOfMemory = true;
        return desc;
    }
    DescBuilder builder = {
        .limitCapacity = limitCount * MAX_LIMITS_PER_ENTRY,
        .limits = tdPhysicsReader_New(reader, tdJointLimit, limitCount * MAX_LIMITS_PER_ENTRY),
        .fileLimits = tdPhysicsReader_New(reader, int, limitCount* MAX_LIMITS_PER_ENTRY),
        .drives = tdPhysicsReader_New(reader, tdJointDrive, driveCount),
        .fileDrives = tdPhysicsReader_New(reader, int, driveCount),
    };
    if (builder.limits == NULL || builder.fileLimits == NULL || builder.drives == NULL ||
        builder.fileDrives == NULL)
    {
        return desc;
    }
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, limits); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath limitPath = tdPath_Index(&limitsPath, i);
        ReadLimit(reader, raw, value, &limitPath, dialect, i, &builder);
    }
    i = 0;
    for (int value = tdJson_GetFirst(reader->json, drives); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath drivePath = tdPath_Index(&drivesPath, i);
        ReadDrive(reader, value, &drivePath, dialect, i, &builder);
    }
    if (limitCount == 0 && !tdDialect_IsOmi(dialect))
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_JOINT_EMPTY, path, "no limits; only its drives act");
    }
    desc.limits = builder.limits;
    desc.fileLimits = builder.fileLimits;
    desc.limitCount = builder.limitCount;
    desc.drives = builder.drives;
    desc.fileDrives = builder.fileDrives;
    desc.driveCount = builder.driveCount;
    return desc;
}

/// Reserves room for more descriptions.
static tdPhysicsJointDesc* AddDescs(tdPhysicsReader* reader, tdRawPhysics* raw, int added)
{
    if (raw->jointDescCount + added > raw->jointDescCapacity)
    {
        int capacity = 2 * raw->jointDescCount + added;
        tdPhysicsJointDesc* descs = tdPhysicsReader_New(reader, tdPhysicsJointDesc, capacity);
        if (descs == NULL)
        {
            return NULL;
        }
        if (raw->jointDescCount > 0)
        {
            memcpy(descs, raw->jointDescs, sizeof(tdPhysicsJointDesc) * (size_t)raw->jointDescCount);
        }
        raw->jointDescs = descs;
        raw->jointDescCapacity = capacity;
    }
    raw->jointDescCount += added;
    return raw->jointDescs + raw->jointDescCount - added;
}

void tdReadPhysicsJoints(tdPhysicsReader* reader, tdRawPhysics* raw, int rootObject, const char* key,
                         const tdPath* rootPath, tdDialect dialect)
{
    int table = tdPhysicsReader_GetArray(reader, rootObject, key, rootPath);
    if (table < 0)
    {
        return;
    }
    tdPath tablePath = tdPath_Key(rootPath, key);
    int count = tdJson_GetCount(reader->json, table);
    if (count == 0)
    {
        tdReport_Add(reader->report, TD_DIAG_PHYS_EMPTY_ARRAY, &tablePath);
        return;
    }
    tdPhysicsJointDesc* descs = AddDescs(reader, raw, count);
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, table); value >= 0 && descs != NULL;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath path = tdPath_Index(&tablePath, i);
        descs[i] = ReadDesc(reader, raw, value, &path, dialect, i);
    }
}

int tdReadInlineJointDesc(tdPhysicsReader* reader, tdRawPhysics* raw, int constraints, const tdPath* path)
{
    int count = tdJson_GetCount(reader->json, constraints);
    if (count > INT32_MAX / MAX_LIMITS_PER_ENTRY)
    {
        reader->ranOutOfMemory = true;
        return -1;
    }
    DescBuilder builder = {
        .limitCapacity = count * MAX_LIMITS_PER_ENTRY,
        .limits = tdPhysicsReader_New(reader, tdJointLimit, count * MAX_LIMITS_PER_ENTRY),
        .fileLimits = tdPhysicsReader_New(reader, int, count* MAX_LIMITS_PER_ENTRY),
    };
    tdPhysicsJointDesc* desc = AddDescs(reader, raw, 1);
    if (builder.limits == NULL || builder.fileLimits == NULL || desc == NULL)
    {
        return -1;
    }
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, constraints); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath limitPath = tdPath_Index(path, i);
        ReadLimit(reader, raw, value, &limitPath, TD_DIALECT_MSFT_2022, i, &builder);
    }
    *desc = (tdPhysicsJointDesc){
        .dialect = TD_DIALECT_MSFT_2022,
        .fileJoint = -1,
        .limits = builder.limits,
        .fileLimits = builder.fileLimits,
        .limitCount = builder.limitCount,
    };
    return raw->jointDescCount - 1;
}

void tdCheckEarlyConstraints(tdPhysicsReader* reader, const tdRawPhysics* raw, int constraintTable,
                             const tdPath* path)
{
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, constraintTable); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdJointLimit limits[MAX_LIMITS_PER_ENTRY];
        int fileLimits[MAX_LIMITS_PER_ENTRY];
        DescBuilder builder = {
            .limits = limits, .fileLimits = fileLimits, .limitCapacity = MAX_LIMITS_PER_ENTRY};
        tdPath constraintPath = tdPath_Index(path, i);
        ReadLimit(reader, raw, value, &constraintPath, TD_DIALECT_OMI_EARLY, i, &builder);
    }
}

/// Later constraints override earlier ones on the same axis (docs/spec/physics.md 7.1).
static void OverrideLimit(DescBuilder* builder, tdJointLimit limit, int fileLimit)
{
    for (int i = 0; i < builder->limitCount; ++i)
    {
        if (builder->limits[i].linearAxes == limit.linearAxes &&
            builder->limits[i].angularAxes == limit.angularAxes)
        {
            builder->limits[i] = limit;
            builder->fileLimits[i] = fileLimit;
            return;
        }
    }
    AddRawLimit(builder, limit, fileLimit);
}

/// Merges linear or angular axes locked at zero into one limit: equal by its metric
/// (docs/spec/physics.md 7.3), and the form of other dialects.
static void MergeLocks(DescBuilder* builder, bool isLinear)
{
    int first = -1, count = 0;
    for (int i = 0; i < builder->limitCount; ++i)
    {
        tdJointLimit limit = builder->limits[i];
        unsigned axes = isLinear ? limit.linearAxes : limit.angularAxes;
        bool isLock = axes != 0 && limit.min == 0.0f && limit.max == 0.0f && !(limit.stiffness < INFINITY);
        if (isLock && first >= 0)
        {
            builder->limits[first].linearAxes |= limit.linearAxes;
            builder->limits[first].angularAxes |= limit.angularAxes;
            continue;
        }
        first = isLock ? count : first;
        builder->limits[count] = limit;
        builder->fileLimits[count] = builder->fileLimits[i];
        count += 1;
    }
    builder->limitCount = count;
}

int tdReadEarlyJointDesc(tdPhysicsReader* reader, tdRawPhysics* raw, const int* constraints,
                         int constraintCount, int indices, const tdPath* indicesPath, bool mergesLocks)
{
    // At most one row per set and kind of axes remains.
    DescBuilder all = {
        .limitCapacity = MAX_EARLY_LIMITS,
        .limits = tdPhysicsReader_New(reader, tdJointLimit, MAX_EARLY_LIMITS),
        .fileLimits = tdPhysicsReader_New(reader, int, MAX_EARLY_LIMITS),
    };
    if (all.limits == NULL || all.fileLimits == NULL)
    {
        return -1;
    }
    tdReport* report = reader->report;
    int i = 0;
    for (int value = tdJson_GetFirst(reader->json, indices); value >= 0;
         value = tdJson_GetNext(reader->json, value), ++i)
    {
        tdPath element = tdPath_Index(indicesPath, i);
        int64_t index;
        if (!tdPhysicsReader_ToInteger(reader, value, &element, &index))
        {
            continue;
        }
        if (index < 0 || index >= constraintCount)
        {
            tdReport_Add(report, TD_DIAG_PHYS_UNRESOLVED_JOINT, &element, (long long)index);
            continue;
        }
        tdJointLimit limits[MAX_LIMITS_PER_ENTRY];
        int fileLimits[MAX_LIMITS_PER_ENTRY];
        DescBuilder one = {.limits = limits, .fileLimits = fileLimits, .limitCapacity = MAX_LIMITS_PER_ENTRY};
        reader->report = NULL; // tdCheckEarlyConstraints reports problems of the table once
        ReadLimit(reader, raw, constraints[index], &element, TD_DIALECT_OMI_EARLY, (int)index, &one);
        reader->report = report;
        if (!mergesLocks)
        {
            MergeLocks(&one, true);
            MergeLocks(&one, false);
        }
        for (int k = 0; k < one.limitCount; ++k)
        {
            OverrideLimit(&all, one.limits[k], one.fileLimits[k]);
        }
    }
    if (mergesLocks)
    {
        MergeLocks(&all, true);
        MergeLocks(&all, false);
    }
    tdPhysicsJointDesc* desc = AddDescs(reader, raw, 1);
    if (desc == NULL)
    {
        return -1;
    }
    *desc = (tdPhysicsJointDesc){
        .dialect = TD_DIALECT_OMI_EARLY,
        .fileJoint = -1,
        .limits = all.limits,
        .fileLimits = all.fileLimits,
        .limitCount = all.limitCount,
    };
    return raw->jointDescCount - 1;
}
