// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon convert: repacks a file as another kind, everything in it kept.
#include "session.h"

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
    if (asset != NULL)
    {
        char inputs[INPUT_TEXT_SIZE] = "";
        AppendInput(inputs, options->files[0], asset);
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
