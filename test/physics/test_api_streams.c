// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Streams of calls that fuzz_api found a fault with, and its seeds. With sanitizers, a fault ends the
// program.
#include "../../fuzz/fuzz_api.c"
#include "files.h"
#include "harness.h"

static bool IsAny(const char* path)
{
    (void)path;
    return true;
}

TEST(StreamsRunWithoutFault)
{
    FileList list = {0};
    CollectFiles(&list, TD_TEST_DATA "/fuzz/api", IsAny);
    CollectFiles(&list, TD_TEST_DATA "/../../fuzz/corpus/api", IsAny);
    ENSURE(list.paths.count >= 5);
    tdAllocator allocator = tdAllocator_Resolve(NULL);
    for (int i = 0; i < list.paths.count; ++i)
    {
        void* bytes = NULL;
        size_t size = 0;
        if (ENSURE(tdReadFile(list.paths.data[i], &allocator, SIZE_MAX, NULL, &bytes, &size) == TD_FILE_OK))
        {
            ENSURE(LLVMFuzzerTestOneInput(bytes, size) == 0);
            tdRelease(&allocator, bytes, size + 1);
        }
    }
    FreeFiles(&list);
}

TEST_MAIN(RUN(StreamsRunWithoutFault))
