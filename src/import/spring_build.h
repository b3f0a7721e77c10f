// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Springs during their import: values with their findings, and the claims of joints on nodes.
#pragma once

#include "vrm.h"

#include "spring/spring_list.h"

/// Springs that are being read.
typedef struct tdSpringBuild
{
    tdImport* import;
    tdSpringList* list;
    tdSpringJoint* joints; // room for every node
    int jointCount;
    int* owners;      // by node: spring + 1 that has it as a joint or skips it; 0: none
    int* jointOfNode; // by node: joint that turns it; -1: none
} tdSpringBuild;

/// Largest magnitude of a number of a spring. Larger ones are clamped, so that a step stays finite.
#define TD_MAX_SPRING_NUMBER 1.0e6f

/// Creates an empty list in the arena of the asset. False when memory ran out.
bool tdSpringBuild_Init(tdSpringBuild* build, tdImport* import);
/// A number within [least, most]; reports and clamps others. `otherwise` if it is absent or no number
/// (reported).
float tdSpringBuild_ReadNumber(const tdSpringBuild* build, const tdPath* path, int object, const char* key,
                               float otherwise, float least, float most);
/// A vector as an array of three numbers; `otherwise` if it is absent or no such array (reported).
tdVec3 tdSpringBuild_ReadVec3(const tdSpringBuild* build, const tdPath* path, int object, const char* key,
                              tdVec3 otherwise);
/// A vector as an object {x, y, z} of VRM 0.x, in glTF's axes; `otherwise` if it is absent.
tdVec3 tdSpringBuild_ReadUnityVec3(const tdSpringBuild* build, const tdPath* path, int object,
                                   const char* key, tdVec3 otherwise);
/// A member that must be an array; TD_JSON_NONE if it is absent or not one (reported).
int tdSpringBuild_FindArray(const tdSpringBuild* build, const tdPath* path, int object, const char* key);
/// Elements of an array member as indices below `count`; reports others with `code` and leaves them out.
/// @param out receives the indices, in the arena of the asset
/// @return how many there are; -1 when memory ran out
int tdSpringBuild_ReadIndices(const tdSpringBuild* build, const tdPath* path, int object, const char* key,
                              int count, tdDiagnosticCode code, const int** out);
/// Adds a joint. The node has none yet.
void tdSpringBuild_AddJoint(tdSpringBuild* build, const tdPath* path, const tdSpringJoint* joint);
/// Publishes the list, builds its plan and runs the checks that need all of it. False when memory ran out.
bool tdSpringBuild_Finish(tdSpringBuild* build, const tdPath* springsPath);
