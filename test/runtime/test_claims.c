// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Reports about claims of a file that the order of writers overrules.
#include "harness.h"

#include "tendon/tendon.h"

#define BODY(motion)                                                                                         \
    "{\"KHR_physics_rigid_bodies\":{\"motion\":" motion ",\"collider\":{\"geometry\":{\"shape\":0}}}"
#define ROLL(source)                                                                                         \
    "\"VRMC_node_constraint\":{\"specVersion\":\"1.0\",\"constraint\":{\"rotation\":{\"source\":" source "}" \
    "}"                                                                                                      \
    "}"

static void Check(const char* nodes, const char* code, const char* pointer)
{
    static char text[4096];
    snprintf(
        text, sizeof(text),
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_"
        "shapes\","
        "\"VRMC_node_constraint\"],\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[%s],\"extensions\":"
        "{\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"sphere\"}]}}}",
        nodes);
    tdAsset* asset = tdLoadAssetFromMemory(text, strlen(text), NULL, NULL);
    ENSURE(asset != NULL);
    tdReport* report = tdCreateReport(NULL);
    tdStage* stage = tdCreateStage(NULL);
    tdCreateActor(stage, asset, NULL, report);
    int found = 0;
    for (int i = 0; i < tdReport_GetCount(report); ++i)
    {
        tdDiagnostic finding = tdReport_Get(report, i);
        found +=
            code != NULL && strcmp(finding.code, code) == 0 && strcmp(finding.pointer, pointer) == 0 ? 1 : 0;
    }
    ENSURE_EQUAL_INT(tdReport_GetCount(report), code != NULL ? 1 : 0);
    ENSURE_EQUAL_INT(found, code != NULL ? 1 : 0);
    tdDestroyStage(stage);
    tdDestroyReport(report);
    tdDestroyAsset(asset);
}

TEST(BodyOverrulesItsConstraint)
{
    Check("{},{\"extensions\":" BODY("{}") "," ROLL("0") "}}", "CLAIM_OVERRULED",
          "/nodes/1/extensions/VRMC_node_constraint");
}

TEST(ConstraintBehindPhysicsCannotDriveABody)
{
    // Node 1 follows the simulated body 0 and is the parent of the kinematic body 2.
    Check("{\"extensions\":" BODY("{}") "}},{\"children\":[2],\"translation\":[3,0,0],\"extensions\":{" ROLL(
              "0") "}},"
                   "{\"extensions\":" BODY("{\"isKinematic\":true}") "}}",
          "NC_FEEDS_BODY", "/nodes/1/extensions/VRMC_node_constraint");
}

TEST(TwistBoneOfARagdollIsFine)
{
    Check("{\"extensions\":" BODY("{}") "}},{\"children\":[2],\"translation\":[3,0,0],\"extensions\":{" ROLL(
              "0") "}},{}",
          NULL, NULL);
}

TEST(ConstraintBeforePhysicsMayDriveABody)
{
    Check("{},{\"children\":[2],\"translation\":[3,0,0],\"extensions\":{" ROLL(
              "0") "}},"
                   "{\"extensions\":" BODY("{\"isKinematic\":true}") "}}",
          NULL, NULL);
}

TEST_MAIN(RUN(BodyOverrulesItsConstraint) RUN(ConstraintBehindPhysicsCannotDriveABody)
              RUN(TwistBoneOfARagdollIsFine) RUN(ConstraintBeforePhysicsMayDriveABody))
