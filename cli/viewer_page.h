// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The viewer page with files in it, for view and serve.
#pragma once

#include "output_file.h"
#include "session.h"

typedef struct Bytes
{
    char* data; // `size` bytes and a terminating zero
    size_t size;
} Bytes;

/// Reads the viewer page without a file; the caller frees its data.
/// @return NULL data after an error message
Bytes ReadViewer(const Session* session);

/// Contents of a page.
typedef struct PageContent
{
    const char* path;
    const tdAsset* asset;
    const char* motionPath; // NULL: none
    const tdAsset* motion;  // NULL: none
    const char* script;     // HTML before the files; NULL: none
    bool isSleepOff;        // --sleep off
} PageContent;

/// Writes a page with a file and all files it refers to. A name is embedded once, so a motion adds only
/// files whose names the main file does not use.
/// @param besideCount receives the number of files besides the main one and the motion
/// @return false when writing failed or a file could not be read
bool WritePage(OutputFile* file, const Bytes* page, const PageContent* content, int* besideCount,
               tdReport* report);

#define PAGE_NAME_SIZE 4096
/// Prepares the motion of a page, which retargets a VRMA or BVH. Any other motion would be opened as a model,
/// so it becomes a VRMA of the avatar here, and so does one with options that the page lacks. One that cannot
/// be retargeted is reported, as by `tendon retarget`.
/// @param motion replaced if it becomes a VRMA
/// @param name receives the name that the page shows
/// @return false if it cannot be retargeted
bool PreparePageMotion(const Session* session, tdAsset** motion, const tdAsset* asset,
                       char name[PAGE_NAME_SIZE], tdReport* report);

/// Opens an address (file:// or http://) with the program of the desktop. A machine without a desktop is no
/// error: the address is printed instead.
void OpenInBrowser(const Session* session, const char* address);
