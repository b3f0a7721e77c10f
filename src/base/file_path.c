// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Parts of file paths.
#include "file_path.h"

#include <string.h>

void tdAppendFolderOf(tdText* out, const char* path)
{
    const char* slash = strrchr(path, '/');
    if (slash == NULL)
    {
        tdText_AppendChar(out, '.');
    }
    else
    {
        tdText_Append(out, path, slash == path ? 1 : (size_t)(slash - path));
    }
}

const char* tdGetFileName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
