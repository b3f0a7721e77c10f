// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of every byte at every position of a string: control characters are errors at their position, all
// other ASCII is accepted.
#include "harness.h"

#include "json/parse.h"

TEST(BytesOfStrings)
{
    for (int place = 0; place < 20; ++place)
    {
        for (int byte = 0; byte < 0x80; ++byte)
        {
            if (byte == '"' || byte == '\\')
            {
                continue;
            }
            char text[32];
            memset(text, 'x', sizeof(text));
            text[0] = '"';
            text[1 + place] = (char)byte;
            text[22] = '"';
            tdJsonError error;
            tdJson* json = tdParseJson(text, 23, NULL, &error);
            bool isControl = byte < 0x20;
            ENSURE((json == NULL) == isControl);
            if (json == NULL)
            {
                ENSURE_EQUAL_INT(error.code, TD_JSON_ERROR_STRING);
                ENSURE_EQUAL_INT(error.offset, 1 + place);
            }
            tdDestroyJson(json);
        }
    }
}

TEST_MAIN(RUN(BytesOfStrings))
