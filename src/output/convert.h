// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Private to the conversion: what it knows while it writes. convert.c (the whole), convert_nodes.c (objects
// of nodes), convert_motion.c (mass properties), convert_shapes.c, convert_tables.c and convert_joints.c
// (tables), convert_pointers.c (animations), convert_frames.c (joints that need new nodes),
// convert_extensions.c (where objects and names go),
// convert_members.c (their text).
#pragma once

#include "base/report.h"
#include "base/text.h"
#include "gltf/document_edit.h"
#include "scene/asset.h"
#include "scene/physics_scene.h"

#include "tendon/convert.h"

typedef struct tdConverter
{
    const tdAsset* asset;
    const tdPhysicsScene* physics;
    const tdJson* json;
    tdDocumentEdit* edit;
    tdReport* report;
    tdPhysicsTarget target;
    tdArena scratch;
    const int* nodeValues; // JSON value of each node
    int* shapeIndices;     // by shape, 2 entries: index in the new table as collider and as trigger; -1
    int* meshNodes;        // by mesh: node outside the scene that carries it (KHR); -1
    const int* bodyAt;     // by node: its own body; -1
    const int* colliderAt; // by node: its solid collider; -1
    const int* triggerAt;  // by node: its trigger; -1
    const int* compoundAt; // by node: its compound trigger; -1
    const int* jointAt;    // by node: the joint it holds; -1
    bool* isJointEnd;      // by body: some joint without collision between its ends holds it
    bool* needsStaticBody; // by node: an end of an early OMI joint without a body
    bool* isMoved; // by node: what it held in early OMI stands elsewhere now, or was needed there only
    bool hasFailed;
} tdConverter;

static inline bool tdIsOmiTarget(tdPhysicsTarget target)
{
    return target == TD_PHYSICS_OMI || target == TD_PHYSICS_OMI_EARLY;
}

/// Says that something is not what the file said. `what` and `instead` are parts of a sentence.
void tdConverter_Report(tdConverter* converter, const tdPath* path, const char* what, const char* instead);

/// `,"key":` before every member but the first.
typedef struct tdMembers
{
    tdText* text;
    int count;
} tdMembers;
void tdMembers_Key(tdMembers* members, const char* key);
void tdMembers_Number(tdMembers* members, const char* key, float value);
void tdMembers_Numbers(tdMembers* members, const char* key, const float* values, int count);
void tdMembers_Integer(tdMembers* members, const char* key, int value);
void tdMembers_Bool(tdMembers* members, const char* key, bool value);
void tdMembers_String(tdMembers* members, const char* key, const char* value);
/// "extras" of the old object without Tendon's own notes, and with a new one.
/// @param key NULL: none
/// @param note JSON text
void tdMembers_Extras(tdMembers* members, const tdJson* json, int object, const char* key, const char* note);
/// Members of a JSON object whose names are not in the space-separated list, as they stand.
void tdMembers_Unknown(tdMembers* members, const tdJson* json, int object, const char* known);

/// The form of a collider or trigger in the new table; writes the table's entry when it is the first to need
/// it.
/// @return its index, or -1 when the target cannot hold it (reported)
int tdConverter_UseShape(tdConverter* converter, tdText* table, int* tableCount, int collider);
/// KHR: "geometry" of a collider or trigger.
void tdConverter_AppendGeometry(tdConverter* converter, tdText* text, tdText* table, int* tableCount,
                                int collider);
/// The object of a joint description, KHR and current OMI.
void tdConverter_AppendJointDesc(tdConverter* converter, tdText* text, int desc);
/// The constraints of a joint in early OMI, appended to their table; returns how many.
int tdConverter_AppendConstraints(tdConverter* converter, tdText* table, int* tableCount, int desc,
                                  const tdPath* path);

/// Materials and filters; all joint descriptions.
void tdConverter_AppendTables(tdConverter* converter, tdMembers* root);
void tdConverter_AppendJointTable(tdConverter* converter, tdMembers* root);
/// Members of a node's joint object, KHR and current OMI.
void tdConverter_AppendJoint(tdMembers* members, const tdPhysicsJoint* joint);
/// Early OMI to a dialect with two frames; both ends of such joints are bodies.
bool tdConverter_NeedsFrameNodes(const tdConverter* converter, const tdPhysicsJoint* joint);
/// Writes these joints, on new nodes. False when memory ran out.
bool tdConverter_WriteFrameJoints(tdConverter* converter);
/// A point of the body's frame in node space.
tdVec3 tdConverter_ToNodeSpace(const tdConverter* converter, const tdPhysicsBody* body, tdVec3 point);
/// All -1. NULL when memory ran out.
int* tdConverter_NewIndices(tdArena* arena, int count);

/// Texts of new objects.
typedef struct tdNewObjects
{
    tdText shapes, constraints; // tables being filled while nodes are written
    int shapeCount, constraintCount;
    tdText body, collider, joint; // extension objects of the node at hand; empty: none
} tdNewObjects;

/// A member of an "extensions" object; an empty text: none.
typedef struct tdNewMember
{
    const char* name;
    const tdText* text;
} tdNewMember;

/// Fills the objects of every node. `isUsed`: which of the dialect's three extensions a node has.
void tdConverter_WriteNodes(tdConverter* converter, tdNewObjects* objects, bool isUsed[3]);
/// The motion of a body, whole, members of the old object that no draft defines included.
void tdConverter_AppendMotion(tdConverter* converter, tdText* text, const tdPhysicsBody* body, int oldObject,
                              const tdPath* path);
/// Puts the new extension objects into `owner` (a node or the root) in place of the old physics ones.
void tdConverter_ReplaceExtensions(tdConverter* converter, int owner, const tdNewMember* added,
                                   int addedCount);
/// Whether a node or the root has a physics extension.
bool tdHasPhysics(const tdJson* json, int owner);
/// extensionsUsed and extensionsRequired: old physics names go, new ones (at most 3) come.
void tdConverter_RewriteNames(tdConverter* converter, const char* const* names, int count);
/// Animations follow the objects they point at; those that cannot are reported. After the shapes have their
/// indices.
void tdConverter_MovePointers(tdConverter* converter);
