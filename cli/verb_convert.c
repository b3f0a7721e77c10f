// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon convert: repacks a file as another kind, everything in it kept.
#include "session.h"

#include <string.h>
#include <unistd.h>

int RunConvert(Session* session)
{
    const Options* options = session->options;
    const char* path = options->values[OPTION_OUTPUT].text;
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO) != 0)
    {
        Complain(session,
                 "binary glTF is not for a terminal; name a file with -o or send standard output to one.");
        return EXIT_USAGE;
    }
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = LoadFile(session, options->files[0], report);
    int result = EXIT_FINE;
    if (asset != NULL)
    {
        char inputs[INPUT_TEXT_SIZE] = "";
        AppendInput(inputs, options->files[0], asset);
        result = SaveFile(session, asset, path, inputs, "", report);
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
