// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colours, tables and progress.
#include "terminal.h"

#include "memory.h"
#include "platform.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// --- colours ----------------------------------------------------------------------------------------------

Screen MakeScreen(FILE* stream, const char* mode)
{
    bool isAuto = strcmp(mode, "auto") == 0;
    const char* noColor = getenv("NO_COLOR");
    bool isWanted = (noColor == NULL || noColor[0] == '\0') && IsTerminal(stream);
    return (Screen){stream, isAuto ? isWanted : strcmp(mode, "always") == 0};
}

void PrintPainted(const Screen* screen, Paint paint, const char* format, ...)
{
    static const char* const codes[] = {
        [PAINT_NONE] = "",          [PAINT_BOLD] = "\033[1m",    [PAINT_FAINT] = "\033[2m",
        [PAINT_RED] = "\033[31m",   [PAINT_YELLOW] = "\033[33m", [PAINT_BLUE] = "\033[34m",
        [PAINT_GREEN] = "\033[32m",
    };
    bool isPainted = screen->hasColor && paint != PAINT_NONE;
    va_list arguments;
    va_start(arguments, format);
    fputs(isPainted ? codes[paint] : "", screen->stream);
    vfprintf(screen->stream, format, arguments);
    fputs(isPainted ? "\033[0m" : "", screen->stream);
    va_end(arguments);
}

// --- texts ------------------------------------------------------------------------------------------------

void FormatSize(char text[16], size_t bytes)
{
    static const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 999.5 && unit < 4)
    {
        value /= 1000.0;
        unit += 1;
    }
    snprintf(text, 16, unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

int MeasureText(const char* text)
{
    int columns = 0;
    for (; *text != '\0'; ++text)
    {
        columns += ((unsigned char)*text & 0xC0) != 0x80 ? 1 : 0;
    }
    return columns;
}

// Length in bytes of the control character at the start of a text; 0: none. C1 controls have two bytes in
// UTF-8.
static int MeasureControl(const char* text)
{
    unsigned char first = (unsigned char)text[0], second = first != 0 ? (unsigned char)text[1] : 0;
    return first < 0x20 || first == 0x7F ? 1 : first == 0xC2 && second >= 0x80 && second < 0xA0 ? 2 : 0;
}

void CleanText(char* out, size_t size, const char* text, int columns)
{
    bool isTooLong = MeasureText(text) > columns;
    int room = isTooLong ? columns - 1 : columns;
    size_t length = 0;
    for (; *text != '\0' && length + 5 < size; ++text)
    {
        unsigned char c = (unsigned char)*text;
        bool startsPoint = (c & 0xC0) != 0x80;
        if (startsPoint && room-- == 0)
        {
            break;
        }
        int controlLength = MeasureControl(text);
        out[length++] = controlLength > 0 ? '?' : (char)c;
        text += controlLength > 1 ? controlLength - 1 : 0;
    }
    out[length] = '\0';
    if (isTooLong)
    {
        memcpy(out + length, "…", sizeof "…");
    }
}

void PrintCleanList(FILE* to, const char* format, va_list arguments)
{
    char text[8192];
    int length = vsnprintf(text, sizeof text, format, arguments);
    for (const char* c = text; *c != '\0';)
    {
        int controlLength = *c == '\n' ? 0 : MeasureControl(c);
        fputc(controlLength > 0 ? '?' : *c, to);
        c += controlLength > 0 ? controlLength : 1;
    }
    if (length >= (int)sizeof text)
    {
        fputs("…\n", to);
    }
}

void PrintClean(FILE* to, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PrintCleanList(to, format, arguments);
    va_end(arguments);
}

// --- tables -----------------------------------------------------------------------------------------------

static void PushCell(Table* table, const char* text)
{
    int index = table->rowCount;
    if (index == table->capacity)
    {
        int capacity = table->capacity == 0 ? 64 : table->capacity * 2;
        char** cells = ResizeBytes(table->cells, sizeof(char*) * (size_t)capacity);
        if (cells == NULL)
        {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    size_t size = strlen(text) + 1;
    char* copy = AllocateBytes(size);
    if (copy == NULL)
    {
        table->failed = true;
        return;
    }
    memcpy(copy, text, size);
    table->cells[table->rowCount++] = copy;
}

Table StartTable(const char* const* headings, int columnCount)
{
    Table table = {.columnCount = columnCount};
    for (int i = 0; i < columnCount; ++i)
    {
        table.isRight[i] = headings[i][0] == '>';
        PushCell(&table, headings[i] + (table.isRight[i] ? 1 : 0));
    }
    return table;
}

void AddCell(Table* table, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    PushCell(table, text);
}

static void PrintRow(const Table* table, const Screen* screen, int row, const int* widths)
{
    Paint paint = row == 0 ? PAINT_FAINT : PAINT_NONE;
    // Trailing blanks are never printed.
    int last = table->columnCount - 1;
    while (last > 0 && table->cells[row * table->columnCount + last][0] == '\0')
    {
        last -= 1;
    }
    for (int i = 0; i <= last; ++i)
    {
        const char* cell = table->cells[row * table->columnCount + i];
        if (widths[i] == 0)
        {
            continue;
        }
        int padding = widths[i] - MeasureText(cell);
        fprintf(screen->stream, "  %*s", table->isRight[i] ? padding : 0, "");
        PrintPainted(screen, paint, "%s", cell);
        fprintf(screen->stream, "%*s", table->isRight[i] || i == last ? 0 : padding, "");
    }
    fputc('\n', screen->stream);
}

void FinishTable(Table* table, const Screen* screen, int rowLimit)
{
    int cellCount = table->rowCount;
    int rowCount = cellCount / table->columnCount;
    int shown = rowLimit >= 0 && rowCount - 1 > rowLimit ? rowLimit + 1 : rowCount;
    int widths[TABLE_COLUMNS] = {0};
    for (int i = 0; i < shown * table->columnCount; ++i)
    {
        int width = MeasureText(table->cells[i]);
        int column = i % table->columnCount;
        widths[column] = width > widths[column] ? width : widths[column];
    }
    // Empty columns are left out.
    for (int i = 0; i < table->columnCount; ++i)
    {
        bool isEmpty = true;
        for (int row = 1; row < shown && isEmpty; ++row)
        {
            isEmpty = table->cells[row * table->columnCount + i][0] == '\0';
        }
        if (isEmpty && shown > 1)
        {
            table->cells[i][0] = '\0';
            widths[i] = 0;
        }
    }
    for (int row = 0; row < shown; ++row)
    {
        PrintRow(table, screen, row, widths);
    }
    if (shown < rowCount)
    {
        PrintPainted(screen, PAINT_FAINT, "  … and %d more; --full shows them\n", rowCount - shown);
    }
    if (table->failed)
    {
        fprintf(screen->stream, "  (out of memory: rows are missing)\n");
    }
    for (int i = 0; i < cellCount; ++i)
    {
        free(table->cells[i]);
    }
    free(table->cells);
    *table = (Table){0};
}

// --- progress ---------------------------------------------------------------------------------------------

double GetProgressDelay(void)
{
    const char* text = getenv("TENDON_PROGRESS_AFTER");
    char* end = NULL;
    double seconds = text != NULL ? strtod(text, &end) : 1.0;
    return text == NULL || end == text || !(seconds >= 0.0) ? 1.0 : seconds;
}

void StartLine(void)
{
    fputs("\r\033[K", stderr);
}

// "12 s", "3 min", "2 h"
static void FormatWait(char text[32], double seconds)
{
    bool isLong = seconds >= 7200.0, isShort = seconds < 120.0;
    snprintf(text, 32, "%.0f %s",
             isLong    ? seconds / 3600.0
             : isShort ? seconds
                       : seconds / 60.0,
             isLong    ? "h"
             : isShort ? "s"
                       : "min");
}

void DrawBar(double done, double rate, const char* unit, double elapsed)
{
    const int barWidth = 24;
    done = done < 0.0 ? 0.0 : done > 1.0 ? 1.0 : done;
    int filled = (int)(done * barWidth);
    for (int i = 0; i < barWidth; ++i)
    {
        fputs(i < filled ? "█" : "░", stderr);
    }
    fprintf(stderr, " %3.0f %%", done * 100.0);
    if (rate > 0.0)
    {
        fprintf(stderr, rate < 100.0 ? "  %.1f %s" : "  %.0f %s", rate, unit);
    }
    if (done > 0.0)
    {
        char wait[32];
        FormatWait(wait, elapsed * (1.0 - done) / done);
        fprintf(stderr, "  %s left", wait);
    }
}

Progress StartProgress(const char* label, bool isAllowed)
{
    return (Progress){.isOn = isAllowed && IsTerminal(stderr),
                      .label = label,
                      .started = GetMonotonicSeconds(),
                      .delay = GetProgressDelay()};
}

void UpdateProgress(Progress* progress, double done, double speed, const char* unit)
{
    if (progress->fraction != NULL)
    {
        *progress->fraction = done;
    }
    double now = progress->isOn ? GetMonotonicSeconds() : 0.0;
    double period = progress->delay > 0.0 ? 0.1 : 0.0;
    if (!progress->isOn || now - progress->started < progress->delay || now - progress->lastDrawn < period)
    {
        return;
    }
    progress->lastDrawn = now;
    progress->isShown = true;
    StartLine();
    fprintf(stderr, "%s ", progress->label);
    DrawBar(done, speed, unit, now - progress->started);
    fflush(stderr);
}

void ClearProgress(Progress* progress)
{
    if (progress->isShown)
    {
        StartLine();
        fflush(stderr);
    }
    progress->isShown = false;
}

void EndProgress(Progress* progress)
{
    ClearProgress(progress);
    progress->isOn = false;
}
