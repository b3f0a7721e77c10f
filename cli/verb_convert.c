// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon convert: repacks a file as another kind without loss, or converts its physics to another dialect.
#include "batch.h"
#include "memory.h"

#include <string.h>

/// Converts the physics to the dialect of --to and destroys the old asset. NULL when memory ran out.
static tdAsset* ChangeDialect(tdAsset* asset, const char* name, tdReport* report)
{
    static const char* const names[] = {"khr", "khr-draft", "omi", "omi-early"};
    int target = 0;
    while (strcmp(names[target], name) != 0)
    {
        target += 1; // the option table allows no other name
    }
    tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, report);
    tdDestroyAsset(asset);
    return converted;
}

static int ConvertFile(const Session* session, const char* input, const char* path)
{
    tdReport* report = tdCreateReport(GetMemory());
    const char* dialect = session->options->values[OPTION_TO].text;
    // Some dialects spell out masses that others leave to the reader.
    tdAsset* asset = LoadFile(session, input, dialect != NULL ? TD_LOAD_MASSES : TD_LOAD_SCENE, report);
    char inputs[INPUT_TEXT_SIZE] = "";
    if (asset != NULL)
    {
        AppendInput(inputs, input, asset);
        ProgressLine line;
        StartLoadProgress(&line, session, input);
        asset = dialect != NULL ? ChangeDialect(asset, dialect, report) : asset;
        EndProgressLine(&line);
    }
    int result = asset != NULL ? SaveFile(session, asset, input, path, inputs, "", report)
                               : FailFile(session, input, report);
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    return result;
}

int RunConvert(Session* session)
{
    const Options* options = session->options;
    if (IsBatch(options))
    {
        return RunBatch(session, 0, ConvertFile);
    }
    const char* path = options->values[OPTION_OUTPUT].text;
    return IsTerminalOutput(session, path) ? EXIT_USAGE : ConvertFile(session, options->files[0], path);
}
