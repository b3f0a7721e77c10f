// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A glTF document as it was read: its bytes, its JSON kept whole, and its buffers. Immutable; a changed
// document is a new one (document_edit.h).
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
    TD_BUFFER_NONE, // its bytes could not be had, or it is a placeholder of EXT_meshopt_compression
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
    size_t size;            // usable bytes: what is there, but at most byteLength
    size_t fullSize;        // what is there
    size_t capacity;        // of memory the document owns; 0 when `data` is borrowed
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
    tdProgress* progress; // of whatever is done with the document; NULL: none
    bool isEmbedded;      // what it still refers to is not to be had, which was reported
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
    // The last place looked up, since findings come in the order of the file (document_locate.c).
    int locatedArray, locatedIndex, locatedChild;
    size_t locatedOffset;
    int locatedLine, locatedColumn;
};

/// Makes a document of bytes, which it takes over in any case (tdAllocate'd from the def's allocator, size +
/// 1). Sets the report's source to the document; the caller resets it before the document goes.
/// @return NULL when there is no glTF in them; the report says why
tdDocument* tdCreateDocument(uint8_t* bytes, size_t size, const tdDocumentDef* def, tdReport* report);
/// The same for the result of an edit. What the file lacks was reported when it was loaded, so nothing but a
/// lack of memory is reported; a missing buffer is a failure then.
/// @param work for the report: "writing a document"
tdDocument* tdCreateEditedDocument(uint8_t* bytes, size_t size, const tdDocumentDef* def, const char* work,
                                   tdReport* report);
void tdDestroyDocument(tdDocument* document);

/// The JSON array of its buffers, element i being buffers[i]; TD_JSON_NONE when there is none, or something
/// else.
int tdDocument_GetBufferList(const tdDocument* document);

/// The next member named "uri" outside buffers and extras: images, and files of extensions.
/// @param after the previous one, -1 at first
/// @return TD_JSON_NONE at the end
int tdDocument_NextReference(const tdDocument* document, int after);

/// Size of the file and all buffers, in bytes.
size_t tdDocument_GetTotalBytes(const tdDocument* document);
