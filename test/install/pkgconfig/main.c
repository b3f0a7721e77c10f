// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Uses the installed library through pkg-config: headers and library have the same version, and a missing
// file is reported and not fatal.
#include <stdio.h>
#include <tendon/tendon.h>

int main(void)
{
    tdVersion version = tdGetVersion();
    if (version.major != TD_VERSION_MAJOR || version.minor != TD_VERSION_MINOR ||
        version.patch != TD_VERSION_PATCH)
    {
        printf("headers and library differ\n");
        return 1;
    }
    tdReport* report = tdCreateReport(NULL);
    tdAsset* asset = tdLoadAsset("there-is-no-such-file.gltf", NULL, report);
    bool isReported = asset == NULL && tdReport_HasErrors(report);
    fputs(isReported ? "" : "a missing file was not reported\n", stdout);
    tdDestroyReport(report);
    return isReported ? 0 : 1;
}
