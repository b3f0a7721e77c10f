// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Shared by the sources of the platform layer of Windows.
#pragma once

#include "platform.h"

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/// The path for the wide functions, for free(); NULL with errno.
wchar_t* MakeWidePath(const char* path);

/// Starts this program once more with the same arguments.
/// @param request of the new process, see GetWorkerRequest
/// @param streams handles of standard input, output and error
/// @param other a handle that the process inherits; NULL: none
/// @return a handle of the process; NULL with errno
void* StartSelf(const char* request, void* streams[3], void* other);
