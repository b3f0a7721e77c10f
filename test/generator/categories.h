// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The categories of generated scenes.
#pragma once

#include "generated_scene.h"

#define CATEGORY_COUNT 15

typedef struct Category
{
    const char* name;
    const char* purpose;
    void (*build)(Scene* scene, const tdWorldDef* def);
} Category;

extern const Category categories[CATEGORY_COUNT];

/// Create the scene of a category and seed. Equal arguments give equal scenes.
/// @param def vector width and tasks of the world; the scene sets the rest
/// @param scene receives it; destroy it with DestroyScene
void CreateScene(const Category* category, uint32_t seed, const tdWorldDef* def, Scene* scene);
void DestroyScene(Scene* scene);
