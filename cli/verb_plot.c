// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon plot: quantities of a run over time, as an SVG or as rows of small bars in a terminal.
#include "json.h"
#include "memory.h"
#include "output_file.h"
#include "player.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Series of one quantity; more would not be told apart. --nodes chooses others.
#define MOST_SERIES 8
#define SPARK_COLUMNS 48
#define SPARK_SIZE (3 * SPARK_COLUMNS + 1)

typedef enum Quantity
{
    QUANTITY_HEIGHT,
    QUANTITY_SPEED,
    QUANTITY_ENERGY,
    QUANTITY_JOINT_ERROR,
    QUANTITY_COUNT
} Quantity;

static const struct
{
    const char *word, *title, *unit;
} quantities[QUANTITY_COUNT] = {
    {"height", "Height", "m"},
    {"speed", "Speed", "m/s"},
    {"energy", "Energy", "J"},
    {"joint-error", "Joint error", "m"},
};

typedef struct Series
{
    Quantity quantity;
    char name[64];
    int node;       // of heights and speeds
    int index;      // of energies and joints
    double* values; // NAN: not known
} Series;

typedef struct Plot
{
    Series series[QUANTITY_COUNT * MOST_SERIES];
    int seriesCount;
    int leftOut; // nodes and joints beyond MOST_SERIES
    double* times;
    int frameCount;
    double seconds;
} Plot;

// --- choosing ---------------------------------------------------------------------------------------------

// Bits of the words of --what; 0 after an error message.
static unsigned ParseWhat(const Session* session)
{
    const char* text = session->options->values[OPTION_WHAT].text;
    unsigned bits = 0;
    while (text != NULL)
    {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; i < QUANTITY_COUNT; ++i)
        {
            found = strlen(quantities[i].word) == length && strncmp(quantities[i].word, text, length) == 0
                        ? i
                        : found;
        }
        if (found < 0)
        {
            Complain(session, "--what takes height, speed, energy and joint-error, not \"%.*s\".",
                     (int)length, text);
            return 0;
        }
        bits |= 1u << found;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return bits;
}

static void AddSeries(Plot* plot, Quantity quantity, int node, int index, const char* name)
{
    int count = 0;
    for (int i = 0; i < plot->seriesCount; ++i)
    {
        count += plot->series[i].quantity == quantity ? 1 : 0;
    }
    if (count == MOST_SERIES)
    {
        plot->leftOut += 1;
        return;
    }
    Series* series = &plot->series[plot->seriesCount++];
    *series = (Series){.quantity = quantity, .node = node, .index = index};
    if (name[0] != '\0')
    {
        CleanText(series->name, sizeof series->name, name, 32);
    }
    else
    {
        snprintf(series->name, sizeof series->name, "node %d", node);
    }
    for (int i = 0; i < plot->seriesCount - 1; ++i)
    {
        if (plot->series[i].quantity == quantity && strcmp(plot->series[i].name, series->name) == 0)
        {
            size_t length = strlen(series->name);
            snprintf(series->name + length, sizeof series->name - length, ", node %d", node);
            break;
        }
    }
}

// Nodes of --nodes, else those of bodies, else the animated ones: every node whose position changes is
// worth a look, but only the first ones fit.
static int ChooseNodes(const Session* session, const Player* player, int** nodes, int* count)
{
    if (!FindNodeList(session, player->asset, nodes, count))
    {
        return EXIT_USAGE;
    }
    if (*nodes != NULL)
    {
        return EXIT_FINE;
    }
    tdAssetInfo info = tdDescribeAsset(player->asset);
    *nodes = AllocateZeroed((size_t)info.nodeCount + 1, sizeof(int));
    if (*nodes == NULL)
    {
        return EXIT_IO;
    }
    for (int i = 0; i < info.bodyCount; ++i)
    {
        (*nodes)[(*count)++] = tdDescribeBody(player->asset, i).node;
    }
    for (int i = 0; i < info.nodeCount && info.bodyCount == 0; ++i)
    {
        (*nodes)[(*count)++] = i;
    }
    return EXIT_FINE;
}

static int ChooseSeries(const Session* session, const Player* player, unsigned what, Plot* plot)
{
    int *nodes = NULL, count = 0;
    int result = ChooseNodes(session, player, &nodes, &count);
    for (int i = 0; result == EXIT_FINE && i < count; ++i)
    {
        const char* name = tdAsset_GetNodeName(player->asset, nodes[i]);
        for (int k = QUANTITY_HEIGHT; k <= QUANTITY_SPEED; ++k)
        {
            if ((what >> k & 1u) != 0)
            {
                AddSeries(plot, (Quantity)k, nodes[i], -1, name);
            }
        }
    }
    free(nodes);
    static const char* const energies[] = {"kinetic", "potential", "total"};
    for (int i = 0; i < 3 && (what >> QUANTITY_ENERGY & 1u) != 0; ++i)
    {
        AddSeries(plot, QUANTITY_ENERGY, -1, i, energies[i]);
    }
    tdSummary* summary = tdCreateSummary(player->actor);
    for (int i = 0; i < tdSummary_GetJointCount(summary) && (what >> QUANTITY_JOINT_ERROR & 1u) != 0; ++i)
    {
        int node = tdSummary_GetJoint(summary, i).node;
        AddSeries(plot, QUANTITY_JOINT_ERROR, node, i, tdAsset_GetNodeName(player->asset, node));
    }
    tdDestroySummary(summary);
    return result;
}

// --- the run ----------------------------------------------------------------------------------------------

static tdVec3 GetPosition(const Player* player, int node)
{
    const float* m = tdActor_GetGlobals(player->actor)[node].m;
    return (tdVec3){m[12], m[13], m[14]};
}

// Values of one frame. A summary of this one state has energies and errors of joints.
static bool SampleFrame(Plot* plot, const Player* player, int frame, const tdVec3* before)
{
    tdSummary* summary = tdCreateSummary(player->actor);
    int energyCount = 0;
    bool isFine = summary != NULL && tdSummary_AddSample(summary);
    const tdEnergySample* energy = isFine ? tdSummary_GetEnergy(summary, &energyCount) : NULL;
    for (int i = 0; i < plot->seriesCount && isFine; ++i)
    {
        Series* series = &plot->series[i];
        double value = (double)NAN;
        double step = frame > 0 ? plot->times[frame] - plot->times[frame - 1] : 0.0;
        switch (series->quantity)
        {
        case QUANTITY_HEIGHT:
            value = (double)GetPosition(player, series->node).y;
            break;
        case QUANTITY_SPEED:
            value =
                step > 0.0 ? (double)tdDistance(GetPosition(player, series->node), before[i]) / step : value;
            break;
        case QUANTITY_ENERGY:
            value = energyCount == 0     ? value
                    : series->index == 0 ? (double)energy->kinetic
                    : series->index == 1 ? (double)energy->potential
                                         : (double)energy->kinetic + (double)energy->potential;
            break;
        case QUANTITY_JOINT_ERROR:
            value = (double)tdSummary_GetJoint(summary, series->index).maxLinearError;
            break;
        case QUANTITY_COUNT:
            break;
        }
        series->values[frame] = value;
    }
    tdDestroySummary(summary);
    return isFine;
}

static bool SampleRun(const Session* session, Player* player, Plot* plot)
{
    double rate = session->options->values[OPTION_RATE].number;
    plot->frameCount = (int)(plot->seconds * rate + 1.0e-9) + 1;
    plot->times = AllocateZeroed((size_t)plot->frameCount, sizeof(double));
    bool isFine = plot->times != NULL;
    for (int i = 0; i < plot->seriesCount && isFine; ++i)
    {
        plot->series[i].values = AllocateZeroed((size_t)plot->frameCount, sizeof(double));
        isFine = plot->series[i].values != NULL;
    }
    tdVec3 before[QUANTITY_COUNT * MOST_SERIES] = {{0.0f, 0.0f, 0.0f}};
    Progress progress = StartWork(session, "plotting");
    for (int frame = 0; frame < plot->frameCount && isFine; ++frame)
    {
        plot->times[frame] = frame / rate;
        isFine = AdvancePlayer(player, plot->times[frame]) && SampleFrame(plot, player, frame, before);
        for (int i = 0; i < plot->seriesCount && isFine; ++i)
        {
            before[i] = plot->series[i].node >= 0 ? GetPosition(player, plot->series[i].node) : tdVec3_zero;
        }
        UpdateProgress(&progress, (frame + 1.0) / plot->frameCount, 0.0, "");
        plot->frameCount = player->isLimited ? frame + 1 : plot->frameCount;
    }
    EndProgress(&progress);
    // The first frame has no frame before it.
    for (int i = 0; i < plot->seriesCount && isFine && plot->frameCount > 1; ++i)
    {
        Series* series = &plot->series[i];
        series->values[0] = isnan(series->values[0]) ? series->values[1] : series->values[0];
    }
    return isFine;
}

// Smallest and largest value of a series; false if it has none.
static bool GetRange(const Plot* plot, const Series* series, double* lower, double* upper)
{
    bool hasAny = false;
    for (int i = 0; i < plot->frameCount; ++i)
    {
        double value = series->values[i];
        if (isfinite(value))
        {
            *lower = hasAny && *lower < value ? *lower : value;
            *upper = hasAny && *upper > value ? *upper : value;
            hasAny = true;
        }
    }
    return hasAny;
}

static bool HasQuantity(const Plot* plot, Quantity quantity)
{
    for (int i = 0; i < plot->seriesCount; ++i)
    {
        if (plot->series[i].quantity == quantity)
        {
            return true;
        }
    }
    return false;
}

// --- terminal ---------------------------------------------------------------------------------------------

static void FormatSpark(const Plot* plot, const Series* series, double lower, double upper,
                        char text[SPARK_SIZE])
{
    static const char* const bars[8] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    size_t length = 0;
    text[0] = '\0';
    int columns = plot->frameCount < SPARK_COLUMNS ? plot->frameCount : SPARK_COLUMNS;
    for (int i = 0; i < columns; ++i)
    {
        int first = (int)((long long)i * plot->frameCount / columns);
        int end = (int)((long long)(i + 1) * plot->frameCount / columns);
        double most = -(double)INFINITY; // a short peak must be seen
        for (int k = first; k < end; ++k)
        {
            most = series->values[k] > most ? series->values[k] : most;
        }
        // Differences in the last digits are no curve.
        bool isFlat = upper - lower <= 1.0e-5 * fmax(fabs(lower), fabs(upper));
        double fraction = isFlat ? 0.0 : (most - lower) / (upper - lower);
        int level = !isfinite(most) ? -1 : (int)(fraction * 7.999);
        const char* bar = level < 0 ? " " : bars[level > 7 ? 7 : level];
        size_t size = strlen(bar); // at most 3, so that SPARK_SIZE suffices
        memcpy(text + length, bar, size + 1);
        length += size;
    }
}

static void PrintPlot(const Session* session, const Plot* plot)
{
    for (int quantity = 0; quantity < QUANTITY_COUNT; ++quantity)
    {
        if (!HasQuantity(plot, (Quantity)quantity))
        {
            continue;
        }
        PrintPainted(&session->out, PAINT_BOLD, "%s, %s, 0 to %g s\n", quantities[quantity].title,
                     quantities[quantity].unit, plot->times[plot->frameCount - 1]);
        static const char* const headings[] = {"name", ">least", ">most", "over time"};
        Table table = StartTable(headings, 4);
        for (int i = 0; i < plot->seriesCount; ++i)
        {
            const Series* series = &plot->series[i];
            double lower = 0.0, upper = 0.0;
            char spark[SPARK_SIZE];
            if (series->quantity == (Quantity)quantity && GetRange(plot, series, &lower, &upper))
            {
                FormatSpark(plot, series, lower, upper, spark);
                AddCell(&table, "%s", series->name);
                AddCell(&table, "%.4g", lower);
                AddCell(&table, "%.4g", upper);
                AddCell(&table, "%s", spark);
            }
        }
        FinishTable(&table, &session->out, -1);
    }
}

static void PrintPlotJson(const Plot* plot, const char* path)
{
    printf("{\"input\":");
    PrintJsonText(stdout, path);
    printf(",\"times\":[");
    for (int i = 0; i < plot->frameCount; ++i)
    {
        printf("%s%.9g", i > 0 ? "," : "", plot->times[i]);
    }
    printf("],\"series\":[");
    for (int i = 0; i < plot->seriesCount; ++i)
    {
        const Series* series = &plot->series[i];
        printf("%s{\"what\":\"%s\",\"unit\":\"%s\",\"name\":", i > 0 ? "," : "",
               quantities[series->quantity].word, quantities[series->quantity].unit);
        PrintJsonText(stdout, series->name);
        printf(",\"values\":[");
        for (int k = 0; k < plot->frameCount; ++k)
        {
            printf("%s", k > 0 ? "," : "");
            PrintJsonFloat(stdout, (float)series->values[k]);
        }
        printf("]}");
    }
    printf("]}\n");
}

// --- SVG --------------------------------------------------------------------------------------------------

#define CHART_WIDTH 720.0
#define CHART_HEIGHT 220.0
#define CHART_LEFT 70.0
#define CHART_TOP 34.0
#define CHART_PITCH 290.0 // from one chart to the next
#define LEGEND_WIDTH 200.0

static void WriteSvgText(OutputFile* file, const char* text)
{
    for (; *text != '\0'; ++text)
    {
        const char* escaped = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : NULL;
        WriteOutput(file, escaped != NULL ? escaped : text, escaped != NULL ? strlen(escaped) : 1);
    }
}

static void WriteFormatted(OutputFile* file, const char* format, ...) CHECK_FORMAT(2, 3);

static void WriteFormatted(OutputFile* file, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    WriteOutput(file, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

// A step of 1, 2 or 5 times a power of ten that divides a range into about five parts.
static double GetTickStep(double range)
{
    double step = 1.0;
    while (step * 5.0 > range && step > 1.0e-30)
    {
        step /= 10.0;
    }
    while (step * 50.0 < range && step < 1.0e30)
    {
        step *= 10.0;
    }
    return step * 20.0 < range ? step * 5.0 : step * 10.0 < range ? step * 2.0 : step;
}

static void WriteAxes(OutputFile* file, const Plot* plot, double top, double lower, double upper)
{
    double span = plot->times[plot->frameCount - 1], step = GetTickStep(upper - lower);
    for (double value = ceil(lower / step) * step; value <= upper + 1.0e-9 * step; value += step)
    {
        double y = top + CHART_HEIGHT * (1.0 - (value - lower) / (upper - lower));
        WriteFormatted(file,
                       "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
                       "class=\"end\">%g</text>\n",
                       CHART_LEFT, y, CHART_WIDTH, CHART_LEFT - 8.0, y + 4.0,
                       fabs(value) < 1.0e-9 * step ? 0.0 : value);
    }
    step = span > 0.0 ? GetTickStep(span) : 1.0;
    for (double time = 0.0; time <= span + 1.0e-9 * step; time += step)
    {
        double x = CHART_LEFT + (span > 0.0 ? CHART_WIDTH * time / span : 0.0);
        WriteFormatted(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"middle\">%g s</text>\n", x,
                       top + CHART_HEIGHT + 18.0, time);
    }
}

static void WriteCurve(OutputFile* file, const Plot* plot, const Series* series, int number, double top,
                       double lower, double upper)
{
    double span = plot->times[plot->frameCount - 1];
    WriteFormatted(file, "<path class=\"c%d\" d=\"", number);
    bool isMoving = true; // the pen is up
    for (int i = 0; i < plot->frameCount; ++i)
    {
        if (!isfinite(series->values[i]))
        {
            isMoving = true;
            continue;
        }
        WriteFormatted(file, "%c%.2f %.2f", isMoving ? 'M' : 'L',
                       CHART_LEFT + (span > 0.0 ? CHART_WIDTH * plot->times[i] / span : 0.0),
                       top + CHART_HEIGHT * (1.0 - (series->values[i] - lower) / (upper - lower)));
        isMoving = false;
    }
    WriteFormatted(file, "\"/>\n<path class=\"c%d\" d=\"M%.1f %.1fh16\"/><text x=\"%.1f\" y=\"%.1f\">",
                   number, CHART_LEFT + CHART_WIDTH + 14.0, top + 8.0 + 20.0 * number,
                   CHART_LEFT + CHART_WIDTH + 36.0, top + 12.0 + 20.0 * number);
    WriteSvgText(file, series->name);
    WriteFormatted(file, "</text>\n");
}

static void WriteChart(OutputFile* file, const Plot* plot, Quantity quantity, double top)
{
    double lower = (double)INFINITY, upper = -(double)INFINITY;
    for (int i = 0; i < plot->seriesCount; ++i)
    {
        double least = 0.0, most = 0.0;
        if (plot->series[i].quantity == quantity && GetRange(plot, &plot->series[i], &least, &most))
        {
            lower = fmin(lower, least);
            upper = fmax(upper, most);
        }
    }
    if (!(lower <= upper))
    {
        lower = 0.0;
        upper = 1.0;
    }
    double margin = upper > lower ? 0.05 * (upper - lower) : fmax(0.05 * fabs(upper), 1.0e-6);
    lower -= margin;
    upper += margin;
    WriteFormatted(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"title\">%s, %s</text>\n", CHART_LEFT,
                   top - 10.0, quantities[quantity].title, quantities[quantity].unit);
    WriteAxes(file, plot, top, lower, upper);
    int number = 0;
    for (int i = 0; i < plot->seriesCount; ++i)
    {
        if (plot->series[i].quantity == quantity)
        {
            WriteCurve(file, plot, &plot->series[i], number++, top, lower, upper);
        }
    }
}

static void WriteSvg(OutputFile* file, const Plot* plot, const char* path)
{
    int chartCount = 0;
    for (int i = 0; i < QUANTITY_COUNT; ++i)
    {
        chartCount += HasQuantity(plot, (Quantity)i) ? 1 : 0;
    }
    double width = CHART_LEFT + CHART_WIDTH + LEGEND_WIDTH, height = 24.0 + CHART_PITCH * chartCount;
    WriteFormatted(file,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g "
                   "%g\">\n<title>",
                   width, height, width, height);
    WriteSvgText(file, NameFile(path));
    static const char style[] =
        "</title>\n<style>svg{background:#fff}text{font:12px "
        "system-ui,sans-serif;fill:#333}.title{font-size:15px;"
        "font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}path{fill:none;stroke-width:1.6;"
        "stroke-linejoin:"
        "round}.grid{stroke:#ddd;stroke-width:1}.c0{stroke:#2a6fdb}.c1{stroke:#d9541e}.c2{stroke:#1f9d55}.c3{"
        "stroke:"
        "#8e44ad}.c4{stroke:#c59b08}.c5{stroke:#0e9aa7}.c6{stroke:#d81b60}.c7{stroke:#6d7278}@media "
        "(prefers-color-"
        "scheme:dark){svg{background:#16191d}text{fill:#ddd}.grid{stroke:#333a42}}</style>\n";
    WriteOutput(file, style, sizeof style - 1);
    int chart = 0;
    for (int i = 0; i < QUANTITY_COUNT; ++i)
    {
        if (HasQuantity(plot, (Quantity)i))
        {
            WriteChart(file, plot, (Quantity)i, CHART_TOP + CHART_PITCH * chart++);
        }
    }
    WriteOutput(file, "</svg>\n", 7);
}

// --- the verb ---------------------------------------------------------------------------------------------

static int WritePlot(const Session* session, const Player* player, const Plot* plot)
{
    const Options* options = session->options;
    const char* path = options->values[OPTION_OUTPUT].text;
    if (path == NULL)
    {
        if (IsGiven(options, OPTION_JSON))
        {
            PrintPlotJson(plot, player->path);
        }
        else
        {
            PrintPlot(session, plot);
        }
        fflush(stdout);
    }
    else
    {
        OutputFile file;
        bool isOpen = OpenOutput(&file, path);
        if (isOpen)
        {
            WriteSvg(&file, plot, player->path);
        }
        if (!CloseOutput(&file, isOpen && file.error == 0))
        {
            FailFile(session, player->path, player->report);
            Complain(session, "cannot write \"%s\": %s.", path, strerror(file.error));
            return EXIT_IO;
        }
    }
    ReportFindings(session, player->report);
    if (plot->leftOut > 0 && !session->isQuiet)
    {
        fprintf(stderr, "%d more curves are left out; --nodes chooses others.\n", plot->leftOut);
    }
    return GetReportExit(player->report);
}

int RunPlot(Session* session)
{
    const Options* options = session->options;
    unsigned what = ParseWhat(session);
    if (what == 0)
    {
        return EXIT_USAGE;
    }
    Player player;
    Plot plot = {0};
    int result = StartPlayer(&player, session, options->files[0]);
    if (player.actor != NULL)
    {
        double given = IsGiven(options, OPTION_SECONDS) ? options->values[OPTION_SECONDS].number : -1.0;
        plot.seconds = GetRunSeconds(&player, given, 10.0);
        result = ChooseSeries(session, &player, what, &plot);
        if (result != EXIT_FINE)
        {
            FailFile(session, options->files[0], player.report);
        }
        else if (plot.seriesCount == 0)
        {
            Complain(session, "there is nothing to plot in %s.", NameFile(options->files[0]));
            result = EXIT_FOUND_ERRORS;
        }
        else if (plot.seconds * options->values[OPTION_RATE].number > 1.0e7)
        {
            Complain(session, "%g s at %g Hz are too many frames.", plot.seconds,
                     options->values[OPTION_RATE].number);
            result = EXIT_USAGE;
        }
        else if (!SampleRun(session, &player, &plot))
        {
            Complain(session, "out of memory.");
            result = EXIT_IO;
        }
        else
        {
            result = WritePlot(session, &player, &plot);
        }
    }
    for (int i = 0; i < plot.seriesCount; ++i)
    {
        free(plot.series[i].values);
    }
    free(plot.times);
    StopPlayer(&player);
    return result;
}
