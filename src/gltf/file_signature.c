// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Signatures of common file formats. None of them can start a JSON text.
#include "file_signature.h"

#include <string.h>

typedef struct FileSignature
{
    const char* name;
    size_t size;
    const char* bytes;
} FileSignature;

static const FileSignature fileSignatures[] = {
    {"a PNG image", 8, "\x89PNG\r\n\x1A\n"},
    {"a JPEG image", 3, "\xFF\xD8\xFF"},
    {"a GIF image", 4, "GIF8"},
    {"a RIFF file, such as a WebP image", 4, "RIFF"},
    {"a KTX2 texture", 12, "\xABKTX 20\xBB\r\n\x1A\n"},
    {"an ELF program or library", 4,
     "\x7F"
     "ELF"},
    {"a Windows program or library", 3, "MZ\x90"},
    {"a ZIP archive", 4, "PK\x03\x04"},
    {"a gzip archive", 2, "\x1F\x8B"},
    {"a 7z archive", 6, "7z\xBC\xAF\x27\x1C"},
    {"an FBX file", 18, "Kaydara FBX Binary"},
    {"an FBX file", 5, "; FBX"},
    {"a Blender file", 7, "BLENDER"},
    {"a USD file", 8, "PXR-USDC"},
    {"a USD file", 6, "#usda "},
    {"an OBJ mesh", 2, "v "},
    {"an OBJ mesh", 7, "mtllib "},
    {"an STL mesh", 6, "solid "},
    {"a PLY mesh", 4, "ply\n"},
    {"a PLY mesh", 5, "ply\r\n"},
    {"a PDF document", 5, "%PDF-"},
    {"a WebAssembly module", 4, "\0asm"},
    {"an XML document", 5, "<?xml"},
    {"an HTML page", 9, "<!DOCTYPE"},
    {"an HTML page", 9, "<!doctype"},
    {"an HTML page", 5, "<html"},
    {"UTF-16 text", 2, "\xFF\xFE"},
    {"UTF-16 text", 2, "\xFE\xFF"},
    {"a Git LFS pointer; `git lfs pull` fetches the file", 23, "version https://git-lfs."},
};

// Exporters begin OBJ files with lines of comments.
static size_t SkipComments(const char* text, size_t size)
{
    size_t start = 0;
    for (size_t i = 0; i < size && text[start] == '#'; ++i)
    {
        if (text[i] == '\n' && i + 1 < size)
        {
            start = i + 1;
        }
    }
    return start;
}

static const char* MatchFileSignature(const char* bytes, size_t size)
{
    for (size_t i = 0; i < sizeof fileSignatures / sizeof fileSignatures[0]; ++i)
    {
        const FileSignature* signature = &fileSignatures[i];
        if (size >= signature->size && memcmp(bytes, signature->bytes, signature->size) == 0)
        {
            return signature->name;
        }
    }
    return NULL;
}

const char* tdNameForeignFile(const void* bytes, size_t size)
{
    const char* name = MatchFileSignature(bytes, size);
    size_t start = SkipComments(bytes, size);
    return name != NULL || start == 0 ? name : MatchFileSignature((const char*)bytes + start, size - start);
}
