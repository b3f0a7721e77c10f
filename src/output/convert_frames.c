// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Joints of early OMI in dialects whose joints have a frame on each side.
//
// See docs/decisions/043-early-omi-conversion.md.
#include "convert_frames.h"

#include "convert.h"
#include "convert_members.h"
#include "convert_motion.h"
#include "convert_nodes.h"

#include "base/number.h"

#include <string.h>

/// Writes a node below a body that is a frame of a joint, with the joint itself if `joint` is given.
static int AddFrameNode(tdConverter* converter, int body, tdTransform frame, const char* name,
                        const tdText* joint)
{
    tdVec3 position = tdConverter_ToNodeSpace(converter, &converter->physics->bodies[body], frame.position);
    tdText text;
    tdText_InitPart(&text, &converter->asset->outerAllocator, &converter->hasFailed);
    tdText_AppendChar(&text, '{');
    tdMembers members = {&text, 0};
    tdMembers_String(&members, "name", name);
    tdMembers_Numbers(&members, "translation", &position.x, 3);
    tdMembers_Numbers(&members, "rotation", &frame.rotation.x, 4);
    if (joint != NULL)
    {
        bool isOmi = tdIsOmiTarget(converter->target);
        tdMembers_Key(&members, "extensions");
        tdText_AppendString(&text,
                            isOmi ? "{\"OMI_physics_joint\":" : "{\"KHR_physics_rigid_bodies\":{\"joint\":");
        tdText_Append(&text, joint->data, joint->length);
        tdText_AppendString(&text, isOmi ? "}" : "}}");
    }
    tdText_AppendChar(&text, '}');
    int node = text.failed ? -1 : tdDocumentEdit_AddElement(converter->edit, "nodes", text.data, text.length);
    converter->hasFailed = converter->hasFailed || node < 0;
    tdText_Free(&text);
    return node;
}

/// Reports a frame in a scaled body: its last bits may change in a conversion there and back.
static void ReportRounding(tdConverter* converter, const tdPhysicsJoint* joint)
{
    tdVec3 a =
        tdConverter_ToNodeSpace(converter, &converter->physics->bodies[joint->bodyA], joint->frameA.position);
    tdVec3 b =
        tdConverter_ToNodeSpace(converter, &converter->physics->bodies[joint->bodyB], joint->frameB.position);
    if (memcmp(&a, &joint->frameA.position, sizeof a) != 0 ||
        memcmp(&b, &joint->frameB.position, sizeof b) != 0)
    {
        tdPath root = tdPath_Root();
        tdPath nodes = tdPath_Key(&root, "nodes");
        tdPath node = tdPath_Index(&nodes, joint->fileNode);
        tdReport_Add(converter->report, TD_DIAG_CONVERT_ROUNDED, &node);
    }
}

/// Adds children to a node: a list that starts at `first` and continues with `next`.
static void AddChildren(tdConverter* converter, int node, const int* added, const int* next, int first)
{
    tdJsonEdit* edit = tdDocumentEdit_GetJson(converter->edit);
    int found = tdJson_Find(converter->json, converter->nodeValues[node], "children");
    int children = tdJson_IsArray(converter->json, found) ? found : TD_JSON_NONE; // anything else is replaced
    tdText list;
    tdText_InitPart(&list, &converter->asset->outerAllocator, &converter->hasFailed);
    for (int i = first; i >= 0; i = next[i])
    {
        char number[TD_NUMBER_TEXT_SIZE];
        size_t length = tdWriteInteger(number, added[i]);
        if (children >= 0)
        {
            tdJsonEdit_AddElement(edit, children, number, length);
        }
        tdText_AppendFormat(&list, "%s%s", i == first ? "[" : ",", number);
    }
    tdText_AppendChar(&list, ']');
    converter->hasFailed = converter->hasFailed || list.failed;
    if (found >= 0 && children < 0 && !list.failed)
    {
        tdJsonEdit_Replace(edit, found, list.data, list.length);
    }
    else if (children < 0 && !list.failed)
    {
        tdJsonEdit_AddMember(edit, converter->nodeValues[node], "children", list.data, list.length);
    }
    tdText_Free(&list);
}

/// Joints of early OMI have one frame for both sides, on a node that may belong to neither: each body gets a
/// node with the frame.
bool tdConverter_WriteFrameJoints(tdConverter* converter)
{
    const tdPhysicsScene* physics = converter->physics;
    int* added = tdConverter_NewIndices(&converter->scratch, 2 * physics->jointCount);
    int* next = tdConverter_NewIndices(&converter->scratch, 2 * physics->jointCount);
    int* firstOfBody = tdConverter_NewIndices(&converter->scratch, physics->bodyCount);
    if (added == NULL || next == NULL || firstOfBody == NULL)
    {
        return false;
    }
    int count = 0;
    for (int i = 0; i < physics->jointCount; ++i)
    {
        const tdPhysicsJoint* joint = &physics->joints[i];
        if (!tdConverter_NeedsFrameNodes(converter, joint))
        {
            continue;
        }
        ReportRounding(converter, joint);
        tdPhysicsJoint moved = *joint;
        moved.connectedNode = added[count] =
            AddFrameNode(converter, joint->bodyB, joint->frameB, "joint end", NULL);
        next[count] = firstOfBody[joint->bodyB];
        firstOfBody[joint->bodyB] = count++;
        tdText text;
        tdText_InitPart(&text, &converter->asset->outerAllocator, &converter->hasFailed);
        tdMembers members = {&text, 0};
        tdText_AppendChar(&text, '{');
        tdConverter_AppendJoint(&members, &moved);
        tdText_AppendChar(&text, '}');
        next[count] = firstOfBody[joint->bodyA];
        firstOfBody[joint->bodyA] = count;
        added[count++] = AddFrameNode(converter, joint->bodyA, joint->frameA, "joint", &text);
        converter->hasFailed = converter->hasFailed || text.failed;
        tdText_Free(&text);
    }
    for (int body = 0; body < physics->bodyCount; ++body)
    {
        if (firstOfBody[body] >= 0)
        {
            AddChildren(converter, physics->bodies[body].node, added, next, firstOfBody[body]);
        }
    }
    return true;
}
