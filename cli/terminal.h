// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Terminal output: colours, tables, sizes, progress. Colours and progress appear only on a terminal.
#pragma once

#include "compiler.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum Paint
{
    PAINT_NONE,
    PAINT_BOLD,
    PAINT_FAINT,
    PAINT_RED,
    PAINT_YELLOW,
    PAINT_BLUE,
    PAINT_GREEN,
} Paint;

/// One stream and whether it takes colours.
typedef struct Screen
{
    FILE* stream;
    bool hasColor;
} Screen;

/// @param mode "auto", "always" or "never"; auto: on a terminal, unless NO_COLOR is set
Screen MakeScreen(FILE* stream, const char* mode);
void PrintPainted(const Screen* screen, Paint paint, const char* format, ...) CHECK_FORMAT(3, 4);

/// "812 B", "8.1 MB"; decimal prefixes.
void FormatSize(char text[16], size_t bytes);
/// Width of a text on the screen: number of code points.
int MeasureText(const char* text);
/// Copies the text, replaces control characters and cuts it to `columns` with an ellipsis.
void CleanText(char* out, size_t size, const char* text, int columns);
/// Prints as fprintf does, with control characters other than line feeds replaced. For messages with names of
/// files, arguments or texts from files. Texts of more than about 8,000 bytes are cut.
void PrintClean(FILE* to, const char* format, ...) CHECK_FORMAT(2, 3);
/// As PrintClean.
void PrintCleanList(FILE* to, const char* format, va_list arguments) CHECK_FORMAT(2, 0);

/// Most columns of a table.
#define TABLE_COLUMNS 16

/// A table whose columns are as wide as their widest cell. Cells are copied. Columns whose heading starts
/// with '>' are right-aligned.
typedef struct Table
{
    int columnCount, rowCount, capacity;
    char** cells;
    bool isRight[TABLE_COLUMNS];
    bool failed;
} Table;

Table StartTable(const char* const* headings, int columnCount);
void AddCell(Table* table, const char* format, ...) CHECK_FORMAT(2, 3);
/// Prints at most `rowLimit` rows (-1: all) and the number of rows left out; frees the table.
void FinishTable(Table* table, const Screen* screen, int rowLimit);

/// Seconds until a progress line is shown: $TENDON_PROGRESS_AFTER, default 1.
double GetProgressDelay(void);
/// Erases the current progress line.
void StartLine(void);
/// Prints a bar, the percentage, the rate (0: none) and the remaining time.
/// @param elapsed seconds so far
void DrawBar(double done, double rate, const char* unit, double elapsed);

/// A progress line on stderr, shown after a second. Off unless stderr is a terminal.
typedef struct Progress
{
    bool isOn, isShown;
    const char* label;
    double started, lastDrawn, delay;
    volatile double* fraction; // copy for the parent process; NULL: none
} Progress;

Progress StartProgress(const char* label, bool isAllowed);
/// @param done part of the whole, 0 to 1
/// @param speed in units of `unit` per second; 0: not shown
void UpdateProgress(Progress* progress, double done, double speed, const char* unit);
/// Erases the line before other output; the next update shows it again.
void ClearProgress(Progress* progress);
void EndProgress(Progress* progress);
