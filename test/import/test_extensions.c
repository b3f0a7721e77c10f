// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of the extension table: its lookups, and that docs/extensions.md lists the same names and texts.
#include "harness.h"

#include "base/text.h"
#include "import/extensions.h"

#include <stdlib.h>

static const tdExtension* Find(const char* name)
{
    return tdFindExtension(name, strlen(name));
}

TEST(FindsNamesAndBeginnings)
{
    ENSURE_EQUAL_INT(Find("KHR_implicit_shapes")->shapeTable, TD_TABLE_IMPLICIT_SHAPES);
    ENSURE_EQUAL_INT(Find("KHR_materials_anything")->support, TD_SUPPORT_KEPT);
    ENSURE_EQUAL_INT(Find("OMI_physics_gravity")->support, TD_SUPPORT_REFUSED);
    ENSURE_EQUAL_INT(Find("OMI_physics_later")->support, TD_SUPPORT_UNKNOWN);
    ENSURE(Find("KHR_implicit_shapes2") == NULL && Find("KHR_implicit_shape") == NULL && Find("") == NULL);
    ENSURE(tdIsPhysicsExtension("MSFT_physics", 12) && !tdIsPhysicsExtension("MSFT_physics", 11));
    ENSURE(!tdIsPhysicsExtension("OMI_physics_gravity", 19) && !tdIsPhysicsExtension(NULL, 0));
}

TEST(EveryTableOfShapesHasOneExtension)
{
    int count = 0;
    const tdExtension* extensions = tdGetExtensions(&count);
    for (int table = 0; table < TD_TABLE_INLINE; ++table)
    {
        const tdExtension* extension = tdGetShapeExtension((tdShapeTable)table);
        ENSURE(extension != NULL && extension->shapeKey != NULL);
    }
    for (int i = 0; i < count; ++i)
    {
        bool hasShapes = extensions[i].role == TD_ROLE_KHR_SHAPES || extensions[i].role == TD_ROLE_OMI_SHAPES;
        ENSURE((extensions[i].shapeTable != TD_TABLE_NONE) == hasShapes);
        for (int k = 0; k < i; ++k)
        {
            ENSURE(strcmp(extensions[i].name, extensions[k].name) != 0);
        }
    }
}

static char* ReadDocument(void)
{
    FILE* file = fopen("docs/extensions.md", "rb");
    char* text = calloc(1, 1 << 18);
    if (ENSURE(file != NULL) && text != NULL)
    {
        size_t size = fread(text, 1, (1 << 18) - 1, file);
        ENSURE(size > 0);
        fclose(file);
    }
    return text;
}

TEST(TheDocumentListsTheSame)
{
    char* text = ReadDocument();
    int count = 0, rows = 0, known = 0;
    const tdExtension* extensions = tdGetExtensions(&count);
    for (int i = 0; i < count; ++i)
    {
        if (extensions[i].support == TD_SUPPORT_UNKNOWN)
        {
            continue; // present for its check only
        }
        char row[128];
        snprintf(row, sizeof(row), "\n| `%s` | %s |\n", extensions[i].name,
                 tdSupport_GetName(extensions[i].support));
        known += 1;
        if (!ENSURE(strstr(text, row) != NULL))
        {
            printf("  docs/extensions.md lacks%s", row);
        }
    }
    const char* table = strstr(text, "| extension | word |\n|---|---|\n");
    ENSURE(table != NULL);
    for (const char* line = table; line != NULL && line[0] == '|'; line = strchr(line, '\n') + 1)
    {
        rows += 1;
    }
    ENSURE_EQUAL_INT(rows, known + 2); // and the heading
    free(text);
}

TEST_MAIN(RUN(FindsNamesAndBeginnings) RUN(EveryTableOfShapesHasOneExtension) RUN(TheDocumentListsTheSame))
