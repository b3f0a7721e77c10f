// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Writes limits and drives in the terms of each dialect.
#include "convert_joints.h"

#include "convert.h"
#include "convert_members.h"

#define OPEN_END 1.0e9f // m or rad: bound for open ends, which early OMI cannot express

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
    if (limit->min > -INFINITY)
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

int tdConverter_AppendConstraints(tdConverter* converter, tdText* table, int* tableCount, int desc,
                                  const tdPath* path)
{
    const tdPhysicsJointDesc* source = &converter->physics->jointDescs[desc];
    if (source->driveCount > 0)
    {
        tdConverter_Report(converter, path, "A drive", "it is left out");
    }
    for (int i = 0; i < source->limitCount; ++i)
    {
        const tdJointLimit* limit = &source->limits[i];
        unsigned axes = limit->linearAxes | limit->angularAxes;
        bool isNorm = (axes & (axes - 1)) != 0;
        float min = limit->min, max = limit->max;
        if (isNorm && (min > 0.0f || max > 0.0f))
        {
            tdConverter_Report(converter, path, "A bound on the distance or angle over several axes",
                               "each axis is bounded by itself");
            min = min > 0.0f ? min : -max;
        }
        tdMembers members = {table, 0};
        tdText_AppendString(table, *tableCount > 0 ? ",{" : "{");
        AppendAxes(&members, limit->linearAxes != 0 ? "linearAxes" : "angularAxes", axes);
        tdMembers_Number(&members, "lowerLimit", min > -INFINITY ? min : -OPEN_END);
        tdMembers_Number(&members, "upperLimit", max < INFINITY ? max : OPEN_END);
        if (limit->stiffness < INFINITY)
        {
            float stiffness = limit->stiffness > 1.0f ? limit->stiffness : 1.001f;
            if (stiffness != limit->stiffness)
            {
                tdConverter_Report(converter, path, "A stiffness of 1 or less", "1.001 is written");
            }
            tdMembers_Number(&members, "stiffness", stiffness);
            tdMembers_Number(&members, "damping", limit->damping);
        }
        tdText_AppendChar(table, '}');
        *tableCount += 1;
    }
    return source->limitCount;
}
