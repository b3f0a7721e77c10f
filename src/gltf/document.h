// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A glTF document: its bytes, its JSON and its buffers. Immutable; an edit makes a new one (document_edit.h).
#pragma once

#include "glb.h"

#include "json/json.h"

#include "tendon/asset.h"

typedef struct tdDocument tdDocument;

typedef enum tdDocumentKind
{
    TD_DOCUMENT_GLTF, // JSON text
    TD_DOCUMENT_GLB,
} tdDocumentKind;

typedef enum tdBufferSource
{
    TD_BUFFER_NONE, // not available, or a placeholder of EXT_meshopt_compression
    TD_BUFFER_GLB,  // the BIN chunk
    TD_BUFFER_DATA, // a data URI
    TD_BUFFER_FILE, // a file of its own
    TD_BUFFER_SIDE, // made by Tendon, to be written beside the document when it is saved
} tdBufferSource;

#define TD_SIDE_ADDED ".tendon.bin" // data added by Tendon
#define TD_SIDE_CHUNK ".bin"        // the former BIN chunk

typedef struct tdBuffer
{
    tdBufferSource source;
    const uint8_t* data;    // NULL: none
    size_t size;            // usable bytes: fullSize, but at most byteLength
    size_t fullSize;        // available bytes
    size_t capacity;        // allocated bytes if the document owns `data`; 0: borrowed
    const char* sideEnding; // TD_BUFFER_SIDE: constant text, one of TD_SIDE_…
} tdBuffer;

/// How a document finds the files it refers to. Copied.
typedef struct tdResolver
{
    tdReadFileFcn* readFile; // NULL: the file system, inside `folder` and the allowed folders
    void* readContext;
    const char* folder; // NULL: there is none, relative references cannot be read
    const char* const* allowedFolders;
    int allowedFolderCount;
    size_t maxBytes;      // of one file
    tdProgress* progress; // of reading, parsing and writing; NULL: none
    bool isEmbedded;      // files it still refers to are not available (reported)
} tdResolver;

typedef struct tdDocumentDef
{
    const tdAllocator* allocator;
    const char* name; // for reports, also the stem of files made by Tendon
    tdResolver resolver;
    const tdDocument* base; // may be NULL: files it has read are copied from it instead of being read again
    const uint8_t* side;    // bytes of the TD_BUFFER_SIDE buffer, copied; NULL: none
    size_t sideSize;
    int sideBuffer;         // its index
    const char* sideEnding; // constant text
} tdDocumentDef;

struct tdDocument
{
    tdAllocator allocator;
    const char* name; // owned
    tdDocumentKind kind;
    uint8_t* bytes; // the file, whole; one byte more than `size` is allocated
    size_t size;
    tdGlb glb; // of a GLB
    tdJson* json;
    tdBuffer* buffers;
    int bufferCount;
    bool lacksMemory;    // a buffer is missing because memory ran out
    tdResolver resolver; // texts owned
    // The last position looked up (document_locate.c): findings come in the order of the file.
    int locatedArray, locatedIndex, locatedChild;
    size_t locatedOffset;
    int locatedLine, locatedColumn;
};

/// Creates a document from bytes and takes ownership of them, also on failure; size + 1 bytes from the
/// allocator of `def`. Sets the source of the report to the document; the caller resets it before the
/// document is destroyed.
/// @return NULL if they are not glTF (reported)
tdDocument* tdCreateDocument(uint8_t* bytes, size_t size, const tdDocumentDef* def, tdReport* report);
/// The same for the result of an edit. Problems of the file were reported when it was loaded, so only a lack
/// of memory is reported, and a buffer that is missing for that reason is a failure.
/// @param work for the report: "writing a document"
tdDocument* tdCreateEditedDocument(uint8_t* bytes, size_t size, const tdDocumentDef* def, const char* work,
                                   tdReport* report);
void tdDestroyDocument(tdDocument* document);

/// The JSON array of the buffers, element i being buffers[i]; TD_JSON_NONE if there is no array.
int tdDocument_GetBufferList(const tdDocument* document);

/// The next member named "uri" outside buffers and extras: images, and files of extensions.
/// @param after the previous one, -1 at first
/// @return TD_JSON_NONE at the end
int tdDocument_NextReference(const tdDocument* document, int after);

/// Size of the file and all buffers, in bytes.
size_t tdDocument_GetTotalBytes(const tdDocument* document);
