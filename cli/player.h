// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// An asset on a stage with its animation or retargeted motion, as the options say. trace and bake start from
// it.
#pragma once

#include "session.h"

typedef struct Player
{
    const char* path;
    tdReport* report; // all findings
    tdAsset* asset;
    tdAsset* motion; // NULL: none
    tdClip* clip;    // NULL: no animation
    tdStage* stage;
    tdActor* actor; // NULL: it could not be created
} Player;

/// @return an exit code; findings are printed only if there is no actor, else the caller prints them
int StartPlayer(Player* player, const Session* session, const char* path);
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
tdRetargetDef MakeRetargetDef(const Options* options);
