// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes limits and drives in the terms of each dialect.
#include "convert_joints.h"

#include "convert.h"
#include "convert_members.h"

/// m or rad: bound for open ends, which early OMI cannot express. Import reads it as open.
#define OPEN_END TD_MAX_COORDINATE

/// More limits than this are merged without comparing them: seven sets of linear and of angular axes.
#define MAX_SEPARATE_LIMITS 14

static void AppendAxes(tdMembers* members, const char* key, unsigned axes)
{
    int count = 0;
    tdMembers_Key(members, key);
    tdText_AppendChar(members->text, '[');
    for (int axis = 0; axis < 3; ++axis)
    {
        if ((axes & (1u << axis)) != 0)
        {
            tdText_AppendFormat(members->text, "%s%d", count > 0 ? "," : "", axis);
            count += 1;
        }
    }
    tdText_AppendChar(members->text, ']');
}

static void AppendLimit(tdConverter* converter, tdText* text, const tdJointLimit* limit, const tdPath* path)
{
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    AppendAxes(&members, limit->linearAxes != 0 ? "linearAxes" : "angularAxes",
               limit->linearAxes | limit->angularAxes);
    // A negative min of a distance or angle is no bound. OMI readers would take it for a range per axis.
    unsigned axes = limit->linearAxes | limit->angularAxes;
    bool isNorm = (axes & (axes - 1)) != 0;
    bool isRange = tdIsOmiTarget(converter->target) && isNorm && limit->min < 0.0f;
    if (limit->min > -INFINITY && !isRange)
    {
        tdMembers_Number(&members, "min", limit->min);
    }
    if (limit->max < INFINITY)
    {
        tdMembers_Number(&members, "max", limit->max);
    }
    if (limit->stiffness < INFINITY)
    {
        float stiffness = limit->stiffness;
        if (tdIsOmiTarget(converter->target) && stiffness <= 1.0f)
        {
            tdConverter_Report(converter, path,
                               "A stiffness of 1 or less, which OMI readers take for a hard limit,",
                               "1.001 is written");
            stiffness = 1.001f;
        }
        tdMembers_Number(&members, "stiffness", stiffness);
        if (limit->damping != 0.0f)
        {
            tdMembers_Number(&members, "damping", limit->damping);
        }
    }
    tdText_AppendChar(text, '}');
}

static void AppendDrive(tdText* text, const tdJointDrive* drive)
{
    int axis = drive->axis == TD_AXIS_X ? 0 : (drive->axis == TD_AXIS_Y ? 1 : 2);
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    tdMembers_String(&members, "type", drive->type == TD_DRIVE_LINEAR ? "linear" : "angular");
    tdMembers_String(&members, "mode", drive->mode == TD_DRIVE_FORCE ? "force" : "acceleration");
    tdMembers_Integer(&members, "axis", axis);
    if (drive->maxForce < INFINITY)
    {
        tdMembers_Number(&members, "maxForce", drive->maxForce);
    }
    // Targets and their coefficients go in pairs.
    if (drive->stiffness != 0.0f || drive->positionTarget != 0.0f)
    {
        tdMembers_Number(&members, "positionTarget", drive->positionTarget);
        tdMembers_Number(&members, "stiffness", drive->stiffness);
    }
    if (drive->damping != 0.0f || drive->velocityTarget != 0.0f)
    {
        tdMembers_Number(&members, "velocityTarget", drive->velocityTarget);
        tdMembers_Number(&members, "damping", drive->damping);
    }
    tdText_AppendChar(text, '}');
}

void tdConverter_AppendJointDesc(tdConverter* converter, tdText* text, int desc)
{
    const tdPhysicsJointDesc* source = &converter->physics->jointDescs[desc];
    tdPath path = tdPath_Root();
    tdMembers members = {text, 0};
    tdText_AppendChar(text, '{');
    if (source->limitCount > 0)
    {
        tdMembers_Key(&members, "limits");
        tdText_AppendChar(text, '[');
        for (int i = 0; i < source->limitCount; ++i)
        {
            tdText_AppendString(text, i > 0 ? "," : "");
            AppendLimit(converter, text, &source->limits[i], &path);
        }
        tdText_AppendChar(text, ']');
    }
    if (source->driveCount > 0)
    {
        tdMembers_Key(&members, "drives");
        tdText_AppendChar(text, '[');
        for (int i = 0; i < source->driveCount; ++i)
        {
            tdText_AppendString(text, i > 0 ? "," : "");
            AppendDrive(text, &source->drives[i]);
        }
        tdText_AppendChar(text, ']');
    }
    tdText_AppendChar(text, '}');
}

/// A limit of early OMI: the range applies to each axis by itself.
static tdJointLimit MakeRange(tdConverter* converter, const tdJointLimit* limit, const tdPath* path)
{
    unsigned axes = limit->linearAxes | limit->angularAxes;
    bool isNorm = (axes & (axes - 1)) != 0;
    tdJointLimit range = *limit;
    if (isNorm && (range.min > 0.0f || (range.max > 0.0f && range.max < INFINITY)))
    {
        tdConverter_Report(converter, path, "A bound on the distance or angle over several axes",
                           "each axis is bounded by itself");
        range.min = range.min > 0.0f ? range.min : -range.max;
    }
    else if (isNorm && range.max == INFINITY)
    {
        range.min = -INFINITY; // no bound at all
    }
    if (range.stiffness <= 1.0f)
    {
        tdConverter_Report(converter, path, "A stiffness of 1 or less", "1.001 is written");
        range.stiffness = 1.001f;
    }
    return range;
}

static void AppendConstraint(tdText* table, int* tableCount, const tdJointLimit* range)
{
    tdMembers members = {table, 0};
    tdText_AppendString(table, *tableCount > 0 ? ",{" : "{");
    AppendAxes(&members, range->linearAxes != 0 ? "linearAxes" : "angularAxes",
               range->linearAxes | range->angularAxes);
    tdMembers_Number(&members, "lowerLimit", range->min > -INFINITY ? range->min : -OPEN_END);
    tdMembers_Number(&members, "upperLimit", range->max < INFINITY ? range->max : OPEN_END);
    if (range->stiffness < INFINITY)
    {
        tdMembers_Number(&members, "stiffness", range->stiffness);
        tdMembers_Number(&members, "damping", range->damping);
    }
    tdText_AppendChar(table, '}');
    *tableCount += 1;
}

/// Whether two different limits are on the same axis. In early OMI the later one would replace the earlier
/// one.
static bool HasSharedAxes(const tdPhysicsJointDesc* desc)
{
    if (desc->limitCount > MAX_SEPARATE_LIMITS)
    {
        return true;
    }
    for (int i = 0; i < desc->limitCount; ++i)
    {
        const tdJointLimit* a = &desc->limits[i];
        for (int k = 0; k < i; ++k)
        {
            const tdJointLimit* b = &desc->limits[k];
            bool areEqual = a->min == b->min && a->max == b->max && a->stiffness == b->stiffness &&
                            a->damping == b->damping;
            if (!areEqual && ((a->linearAxes & b->linearAxes) | (a->angularAxes & b->angularAxes)) != 0)
            {
                return true;
            }
        }
    }
    return false;
}

/// Adds a limit to the one of its axis. Hard limits intersect; of others the later one counts.
static void MergeRange(tdConverter* converter, tdJointLimit* merged, const tdJointLimit* range, bool isFirst,
                       const tdPath* path)
{
    float min = tdMaxFloat(merged->min, range->min), max = tdMinFloat(merged->max, range->max);
    bool isOpen = range->min == -INFINITY && range->max == INFINITY;
    if (isFirst || (merged->stiffness == INFINITY && range->stiffness == INFINITY && min <= max))
    {
        merged->min = isFirst ? range->min : min;
        merged->max = isFirst ? range->max : max;
        merged->stiffness = range->stiffness;
        merged->damping = range->damping;
    }
    else if (!isOpen)
    {
        tdConverter_Report(converter, path, "Several limits on one axis, of which one is a spring,",
                           "the last one is written");
        merged->min = range->min;
        merged->max = range->max;
        merged->stiffness = range->stiffness;
        merged->damping = range->damping;
    }
}

/// Appends the limits of each axis as one constraint.
static int AppendMergedConstraints(tdConverter* converter, tdText* table, int* tableCount,
                                   const tdPhysicsJointDesc* desc, const tdPath* path)
{
    tdJointLimit merged[6] = {0};
    bool isUsed[6] = {false};
    int count = 0;
    for (int i = 0; i < desc->limitCount; ++i)
    {
        tdJointLimit range = MakeRange(converter, &desc->limits[i], path);
        for (int k = 0; k < 6; ++k)
        {
            unsigned bit = 1u << (k % 3), axes = k < 3 ? range.linearAxes : range.angularAxes;
            if ((axes & bit) != 0)
            {
                MergeRange(converter, &merged[k], &range, !isUsed[k], path);
                merged[k].linearAxes = k < 3 ? bit : 0u;
                merged[k].angularAxes = k < 3 ? 0u : bit;
                isUsed[k] = true;
            }
        }
    }
    for (int k = 0; k < 6; ++k)
    {
        if (isUsed[k])
        {
            AppendConstraint(table, tableCount, &merged[k]);
            count += 1;
        }
    }
    return count;
}

int tdConverter_AppendConstraints(tdConverter* converter, tdText* table, int* tableCount, int desc,
                                  const tdPath* path)
{
    const tdPhysicsJointDesc* source = &converter->physics->jointDescs[desc];
    if (source->driveCount > 0)
    {
        tdConverter_Report(converter, path, "A drive", "it is left out");
    }
    if (source->limitCount == 0)
    {
        // The joint still keeps its bodies from colliding, and it needs a constraint.
        tdJointLimit open = {.linearAxes = 1u, .min = -INFINITY, .max = INFINITY, .stiffness = INFINITY};
        AppendConstraint(table, tableCount, &open);
        return 1;
    }
    if (HasSharedAxes(source))
    {
        return AppendMergedConstraints(converter, table, tableCount, source, path);
    }
    for (int i = 0; i < source->limitCount; ++i)
    {
        tdJointLimit range = MakeRange(converter, &source->limits[i], path);
        AppendConstraint(table, tableCount, &range);
    }
    return source->limitCount;
}
