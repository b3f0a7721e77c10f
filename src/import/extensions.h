// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every extension Tendon knows, and what it does about it (extensions.def).
#pragma once

#include "import.h"

#include "scene/physics_scene.h"

#include "tendon/describe.h"

/// The reporter of an extension that is used but not listed in extensionsUsed.
typedef enum tdDeclarationCheck
{
    TD_DECLARATION_GENERAL,  // tdImportExtensions, with UNDECLARED_EXTENSION
    TD_DECLARATION_PHYSICS,  // tdImportPhysics, with PHYS_UNDECLARED_EXTENSION
    TD_DECLARATION_IMPORTER, // its importer, with a code of its own, or nobody
} tdDeclarationCheck;

/// Content and dialect family of a physics extension.
typedef enum tdExtensionRole
{
    TD_ROLE_NONE, // no physics
    TD_ROLE_KHR_BODY,
    TD_ROLE_KHR_SHAPES,
    TD_ROLE_OMI_BODY,
    TD_ROLE_OMI_SHAPES,
    TD_ROLE_OMI_JOINTS,
} tdExtensionRole;

typedef bool tdImporterFcn(tdImport* import);

typedef struct tdExtension
{
    const char* name; // a star at the end: any name that begins so
    tdSupport support;
    tdDeclarationCheck check;
    tdExtensionRole role;    // physics extensions are removed by --strip-physics and replaced by conversions
    tdDialect dialect;       // of physics: the newest that uses the name
    tdShapeTable shapeTable; // TD_TABLE_NONE: no shapes in it
    const char* shapeKey;    // the member of its root object that holds the shapes
    tdImporterFcn* importer; // NULL: none is needed
} tdExtension;

/// The rows of extensions.def.
const tdExtension* tdGetExtensions(int* count);
/// The row of a name; NULL if there is none.
const tdExtension* tdFindExtension(const char* name, size_t length);
/// Whether a name (may be NULL) is that of a physics extension.
bool tdIsPhysicsExtension(const char* name, size_t length);
/// Whether a name (may be NULL) is that of an extension of spring bones.
bool tdIsSpringExtension(const char* name, size_t length);
/// The next extension with a role, in the order of extensions.def.
/// @param after the previous one; NULL at first
/// @return NULL at the end
const tdExtension* tdNextExtension(tdExtensionRole role, const tdExtension* after);
/// The extension whose shapes are in a table; not for TD_TABLE_INLINE, which is in no table.
const tdExtension* tdGetShapeExtension(tdShapeTable table);

/// Reads extensionsUsed and extensionsRequired and checks them against each other and against the table.
/// @return false when memory ran out
bool tdImportExtensions(tdImport* import);
