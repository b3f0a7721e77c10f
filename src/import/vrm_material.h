// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Values of materials that expressions or animations change: colours and texture transforms, with their base
// values. See docs/spec/expressions.md 2 and 6, and docs/decisions/037.
#pragma once

#include "vrm.h"

#include "base/array.h"
#include "base/name_table.h"

/// Most textures of a material that a texture transform applies to: those of glTF and MToon without matcap.
#define TD_MATERIAL_TEXTURE_COUNT 10

typedef struct tdImportedValue
{
    tdMaterialValue value;
    int next; // of the same material; -1: the last one
} tdImportedValue;

typedef struct tdMaterialName
{
    const char* name; // first, for tdNameTable
} tdMaterialName;

/// The material values of a scene during its import.
typedef struct tdMaterialImport
{
    tdImport* import;
    bool isOld;             // VRM 0.x
    const int* elements;    // JSON of each material
    const int* oldElements; // 0.x: JSON of each element of materialProperties
    int count, oldCount;    // of these
    tdMaterialName* names;  // 0.x: by material
    tdNameTable table;      // of `names`
    int* firstValues;       // by material; -1: none
    tdArray(tdImportedValue) values;
} tdMaterialImport;

/// Prepares the materials of the file.
/// @param extension JSON of VRM 0.x; TD_JSON_NONE for VRM 1.0
/// @return false when memory ran out; tdMaterialImport_Free is still to be called
bool tdMaterialImport_Init(tdMaterialImport* materials, tdImport* import, int extension);
void tdMaterialImport_Free(tdMaterialImport* materials);
/// Adds the values that the scene has already.
/// @return false when memory ran out
bool tdMaterialImport_Resume(tdMaterialImport* materials);
/// Moves the values to the scene. False when memory ran out.
bool tdMaterialImport_Finish(tdMaterialImport* materials);

/// Material of a name in 0.x, the first of that name; -1 if there is none.
int tdMaterialImport_Find(const tdMaterialImport* materials, const char* name);
/// Number of textures of a material that a texture transform applies to.
int tdMaterialImport_CountTextures(const tdMaterialImport* materials, int material);
/// The value of a colour.
/// @return -1 if the material has no such colour, -2 when memory ran out
int tdMaterialImport_UseColor(tdMaterialImport* materials, int material, tdMaterialValueKind kind);
/// The value that a JSON pointer refers to.
/// @return -1 if no material has it or its colours and texture transforms do not, -2 when memory ran out
int tdMaterialImport_UsePointer(tdMaterialImport* materials, const char* pointer, size_t length);
/// The value of a texture's offset or scale.
/// @param texture 0 to CountTextures - 1
/// @return -2 when memory ran out
int tdMaterialImport_UseTexture(tdMaterialImport* materials, int material, int texture,
                                tdMaterialValueKind kind);
