// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon convert: repacks a file as another kind, everything in it kept, or writes its physics in another
// dialect.
#include "session.h"

#include <string.h>

/// The asset with its physics in the dialect that --to names; the old one is gone. NULL when memory ran out.
static tdAsset* ChangeDialect(tdAsset* asset, const char* name, tdReport* report)
{
    static const char* const names[] = {"khr", "khr-draft", "omi", "omi-early"};
    int target = 0;
    while (strcmp(names[target], name) != 0)
    {
        target += 1; // the option table lets no other name through
    }
    tdAsset* converted = tdConvertAsset(asset, (tdPhysicsTarget)target, report);
    tdDestroyAsset(asset);
    return converted;
}

int RunConvert(Session* session)
{
    const Options* options = session->options;
    const char* path = options->values[OPTION_OUTPUT].text;
    if (IsTerminalOutput(session, path))
    {
        return EXIT_USAGE;
    }
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = LoadFile(session, options->files[0], report);
    int result = EXIT_FINE;
    char inputs[INPUT_TEXT_SIZE] = "";
    if (asset != NULL)
    {
        AppendInput(inputs, options->files[0], asset);
        const char* dialect = options->values[OPTION_TO].text;
        asset = dialect != NULL ? ChangeDialect(asset, dialect, report) : asset;
    }
    if (asset != NULL)
    {
        result = SaveFile(session, asset, options->files[0], path, inputs, "", report);
    }
    else
    {
        ReportFindings(session, report);
        result = WorseExit(GetReportExit(report), EXIT_FOUND_ERRORS);
    }
    tdDestroyAsset(asset);
    tdDestroyReport(report);
    return result;
}
