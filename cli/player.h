// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// An asset on a stage with its animation or retargeted motion, as the options say. trace and bake start from
// it.
#pragma once

#include "recording.h"

typedef struct Player
{
    const char* path;
    tdReport* report; // all findings
    tdAsset* asset;
    tdAsset* motion; // NULL: none
    tdClip* clip;    // NULL: no animation
    tdStage* stage;
    tdActor* actor;    // NULL: it could not be created
    RecordFile record; // of trace --record
    bool isLimited;    // a limit was reached (reported): the run ends
} Player;

/// @return an exit code; findings are printed only if there is no actor, else the caller prints them
int StartPlayer(Player* player, const Session* session, const char* path);
/// Starts the run again from time 0 with a new actor. False when memory ran out.
bool RestartPlayer(Player* player, const Session* session);
/// Steps to a time, or up to a limit, and poses the actor there. Times must not decrease. False when memory
/// ran out.
bool AdvancePlayer(Player* player, double time);
/// Duration of a run: `given` unless negative, else that of the clip, else `otherwise`.
double GetRunSeconds(const Player* player, double given, double otherwise);
/// "file (8.1 MB) + motion (0.4 MB)"
void DescribeInputs(const Player* player, const Session* session, char text[INPUT_TEXT_SIZE]);
void StopPlayer(Player* player);

#define NO_ANIMATION (-1)
#define BAD_ANIMATION (-2)
/// Resolves --animation: by name, else by index, else "none"; the first animation by default. Reports unknown
/// names with a suggestion.
int FindAnimation(const Session* session, const tdAsset* asset, const char* path);
/// Finds a node by name, else by index. Reports unknown names with a suggestion.
/// @return -1 if there is none
int FindNode(const Session* session, const tdAsset* asset, const char* typed);
/// Parses --nodes into a list that the caller frees; NULL and 0 if the option is not given.
/// @return false when a node is missing, after an error message
bool FindNodeList(const Session* session, const tdAsset* asset, int** nodes, int* count);
/// What --look-at names: a node, or a point of the world if `node` is -1.
typedef struct GazeTarget
{
    int node;
    tdVec3 point; // m
} GazeTarget;
/// Resolves --look-at, which is given: a node by name, a point, or a node by index. Reports unknown names.
/// @return false if there is no such node
bool FindGazeTarget(const Session* session, const tdAsset* asset, GazeTarget* target);
tdRetargetDef MakeRetargetDef(const Options* options);
