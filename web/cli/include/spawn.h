// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Programs of a system that runs none: starting one fails.
#pragma once

#include <sys/types.h>

typedef int posix_spawn_file_actions_t;
typedef int posix_spawnattr_t;

int posix_spawnp(pid_t* process, const char* program, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t* actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t* actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* actions, int file, int other);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t* actions, int file);
