// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// What a person sees: colours, tables, sizes, and a progress line. Colours and progress only on a terminal.
#pragma once

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

/// @param mode "auto", "always" or "never"; auto obeys NO_COLOR and asks whether the stream is a terminal
Screen MakeScreen(FILE* stream, const char* mode);
void PrintPainted(const Screen* screen, Paint paint, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/// "812 B", "8.1 MB". Decimal, as file managers show it.
void FormatSize(char text[16], size_t bytes);
/// Columns a text takes on the screen: code points of UTF-8.
int MeasureText(const char* text);
/// The text with control characters made visible, cut to `columns` with an ellipsis.
void CleanText(char* out, size_t size, const char* text, int columns);

/// A table whose columns are as wide as their widest cell. Cells are copied. Columns whose heading starts
/// with '>' are right-aligned.
typedef struct Table
{
    int columnCount, rowCount, capacity;
    char** cells;
    bool isRight[8];
    bool failed;
} Table;

Table StartTable(const char* const* headings, int columnCount);
void AddCell(Table* table, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/// Prints at most `rowLimit` rows (-1: all) and says how many were left out; frees the table.
void FinishTable(Table* table, const Screen* screen, int rowLimit);

/// Seconds until a progress line is shown: 1, or what $TENDON_PROGRESS_AFTER says.
double GetProgressDelay(void);
/// Where a progress line begins; takes the old one away.
void StartLine(void);
/// A bar, the part that is done, the rate (0: none) and how long it will take.
/// @param elapsed seconds so far
void DrawBar(double done, double rate, const char* unit, double elapsed);

/// One line on stderr, shown when something takes longer than a second. Off unless stderr is a terminal.
typedef struct Progress
{
    bool isOn, isShown;
    const char* label;
    double started, lastDrawn, delay;
    volatile double* fraction; // where somebody else wants to know; NULL: nowhere
} Progress;

Progress StartProgress(const char* label, bool isAllowed);
/// @param done part of the whole, 0 to 1
/// @param speed in units of `unit` per second; 0: not shown
void UpdateProgress(Progress* progress, double done, double speed, const char* unit);
/// Takes the line away, so that something else can be printed; the next update shows it again.
void ClearProgress(Progress* progress);
void EndProgress(Progress* progress);
/// Seconds since some fixed moment.
double GetSeconds(void);
