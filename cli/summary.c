// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tables of bodies, joints and energy, and the same as JSON.
#include "summary.h"

#include "json.h"

#include <math.h>

// Rows of the energy curve in a table.
#define CURVE_ROWS 11

static void AddName(Table* table, const tdAsset* asset, int node)
{
    char name[64];
    CleanText(name, sizeof name, tdAsset_GetNodeName(asset, node), 24);
    AddCell(table, "%d", node);
    AddCell(table, "%s", name);
}

static void PrintBodies(const Session* session, const tdAsset* asset, const tdSummary* summary, int rowLimit)
{
    static const char* const headings[] = {">node", "name",   ">distance", ">max speed",
                                           ">at",   ">speed", "ends at",   "state"};
    int count = tdSummary_GetBodyCount(summary);
    PrintPainted(&session->out, PAINT_BOLD, "Bodies: %d\n", count);
    Table table = StartTable(headings, 8);
    for (int i = 0; i < count; ++i)
    {
        tdBodySummary body = tdSummary_GetBody(summary, i);
        tdVec3 p = body.pose.position;
        AddName(&table, asset, body.node);
        AddCell(&table, "%.3f m", body.distance);
        AddCell(&table, "%.3f m/s", (double)body.maxSpeed);
        AddCell(&table, "%.2f s", body.maxSpeedTime);
        AddCell(&table, "%.3f m/s", (double)body.speed);
        AddCell(&table, "%.3f, %.3f, %.3f", (double)p.x, (double)p.y, (double)p.z);
        if (body.asleepSince >= 0.0 && body.isDynamic)
        {
            AddCell(&table, "asleep since %.2f s", body.asleepSince);
        }
        else
        {
            AddCell(&table, "%s", body.isDynamic ? "awake" : "moves as told");
        }
    }
    FinishTable(&table, &session->out, rowLimit);
}

static void PrintJoints(const Session* session, const tdAsset* asset, const tdSummary* summary, int rowLimit)
{
    static const char* const headings[] = {">node", "name", ">largest error", ">in angle", "state"};
    int count = tdSummary_GetJointCount(summary);
    PrintPainted(&session->out, PAINT_BOLD, "\nJoints: %d\n", count);
    Table table = StartTable(headings, 5);
    for (int i = 0; i < count; ++i)
    {
        tdJointSummary joint = tdSummary_GetJoint(summary, i);
        AddName(&table, asset, joint.node);
        AddCell(&table, "%.3f mm", 1000.0 * (double)joint.maxLinearError);
        AddCell(&table, "%.3f°", 57.29577951308232 * (double)joint.maxAngularError);
        AddCell(&table, "%s", joint.isBroken ? "broken" : "");
    }
    FinishTable(&table, &session->out, rowLimit);
}

static void PrintEnergy(const Session* session, const tdSummary* summary)
{
    static const char* const headings[] = {">time", ">kinetic", ">potential", ">sum"};
    int count = 0;
    const tdEnergySample* energy = tdSummary_GetEnergy(summary, &count);
    PrintPainted(&session->out, PAINT_BOLD, "\nEnergy\n");
    Table table = StartTable(headings, 4);
    int rows = count < CURVE_ROWS ? count : CURVE_ROWS;
    for (int i = 0; i < rows; ++i)
    {
        const tdEnergySample* sample = &energy[rows > 1 ? i * (count - 1) / (rows - 1) : 0];
        AddCell(&table, "%.2f s", sample->time);
        AddCell(&table, "%.3f J", (double)sample->kinetic);
        AddCell(&table, "%.3f J", (double)sample->potential);
        AddCell(&table, "%.3f J", (double)sample->kinetic + (double)sample->potential);
    }
    FinishTable(&table, &session->out, -1);
}

void PrintSummaryTables(const Session* session, const tdAsset* asset, const tdSummary* summary)
{
    int rowLimit = IsGiven(session->options, OPTION_FULL) ? -1 : 20;
    if (tdSummary_GetBodyCount(summary) == 0)
    {
        PrintPainted(&session->out, PAINT_NONE, "No bodies.\n");
        return;
    }
    PrintBodies(session, asset, summary, rowLimit);
    if (tdSummary_GetJointCount(summary) > 0)
    {
        PrintJoints(session, asset, summary, rowLimit);
    }
    PrintEnergy(session, summary);
    int64_t clamped = tdSummary_GetClampedCount(summary);
    if (clamped > 0)
    {
        PrintPainted(&session->out, PAINT_BOLD, "\nClamped speeds: %lld\n", (long long)clamped);
    }
}

static void PrintNode(FILE* out, const tdAsset* asset, int node, bool isFirst)
{
    fprintf(out, "%s{\"node\":%d,\"name\":", isFirst ? "" : ",", node);
    PrintJsonText(out, tdAsset_GetNodeName(asset, node));
}

static void PrintNumber(FILE* out, const char* key, double value)
{
    fprintf(out, ",\"%s\":", key);
    PrintJsonFloat(out, (float)value);
}

static void PrintNumbers(FILE* out, const char* key, const float* values, int count)
{
    fprintf(out, ",\"%s\":[", key);
    for (int i = 0; i < count; ++i)
    {
        fputs(i > 0 ? "," : "", out);
        PrintJsonFloat(out, values[i]);
    }
    fputc(']', out);
}

void PrintSummaryJson(FILE* out, const tdAsset* asset, const tdSummary* summary)
{
    fprintf(out, "{\"bodies\":[");
    for (int i = 0; i < tdSummary_GetBodyCount(summary); ++i)
    {
        tdBodySummary body = tdSummary_GetBody(summary, i);
        PrintNode(out, asset, body.node, i == 0);
        PrintNumber(out, "distance", body.distance);
        PrintNumber(out, "maxSpeed", (double)body.maxSpeed);
        PrintNumber(out, "maxSpeedTime", body.maxSpeedTime);
        PrintNumber(out, "speed", (double)body.speed);
        PrintNumbers(out, "position", &body.pose.position.x, 3);
        PrintNumbers(out, "rotation", &body.pose.rotation.x, 4);
        fprintf(out, ",\"isDynamic\":%s", body.isDynamic ? "true" : "false");
        PrintNumber(out, "asleepSince", body.asleepSince >= 0.0 ? body.asleepSince : (double)NAN);
        fputc('}', out);
    }
    fprintf(out, "],\"joints\":[");
    for (int i = 0; i < tdSummary_GetJointCount(summary); ++i)
    {
        tdJointSummary joint = tdSummary_GetJoint(summary, i);
        PrintNode(out, asset, joint.node, i == 0);
        PrintNumber(out, "maxLinearError", (double)joint.maxLinearError);
        PrintNumber(out, "maxAngularError", (double)joint.maxAngularError);
        fprintf(out, ",\"isBroken\":%s}", joint.isBroken ? "true" : "false");
    }
    int count = 0;
    const tdEnergySample* energy = tdSummary_GetEnergy(summary, &count);
    fprintf(out, "],\"energy\":[");
    for (int i = 0; i < count; ++i)
    {
        fputs(i > 0 ? ",[" : "[", out);
        PrintJsonFloat(out, (float)energy[i].time);
        fputc(',', out);
        PrintJsonFloat(out, energy[i].kinetic);
        fputc(',', out);
        PrintJsonFloat(out, energy[i].potential);
        fputc(']', out);
    }
    fprintf(out, "],\"clampedSpeeds\":%lld}", (long long)tdSummary_GetClampedCount(summary));
}
