// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// A file on a stage, ready to run as the options say: its animation chosen or a motion retargeted onto it.
// What trace and bake start from.
#pragma once

#include "session.h"

typedef struct Player
{
    const char* path;
    tdReport* report; // everything that was found on the way
    tdAsset* asset;
    tdAsset* motion; // NULL: none
    tdClip* clip;    // NULL: nothing plays
    tdStage* stage;
    tdActor* actor; // NULL: it could not be made
} Player;

/// @return an exit code; findings are printed only if there is no actor (else the caller goes on to add to
/// them)
int StartPlayer(Player* player, const Session* session, const char* path);
/// "file (8.1 MB) + motion (0.4 MB)"
void DescribeInputs(const Player* player, const Session* session, char text[INPUT_TEXT_SIZE]);
void StopPlayer(Player* player);

#define NO_ANIMATION (-1)
#define BAD_ANIMATION (-2)
/// What --animation means for an asset: by name, else by index, else "none"; the first one when it is not
/// given. Complains, with a suggestion, when there is no such animation.
int FindAnimation(const Session* session, const tdAsset* asset, const char* path);
tdRetargetDef MakeRetargetDef(const Options* options);
