// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of contacts: events with their data, safely skipped pairs, recycled manifolds, excluded pairs.
#include "harness.h"

#include "math/vecmath.h"
#include "physics/broad_phase/exclusion.h"
#include "physics/data/world_data.h"
#include "physics/narrow_phase/manifold.h"

#define STEP (1.0f / 60.0f)

static tdBodyId MakeBox(tdWorld* world, tdMotion motion, tdVec3 position, tdVec3 size)
{
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = motion;
    def.transform.position = position;
    tdBodyId body = tdCreateBody(world, &def);
    tdCreateBox(world, body, NULL, size);
    return body;
}

TEST(EventsHavePointNormalAndImpulse)
{
    tdWorld* world = tdCreateWorld(NULL);
    MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    def.transform.position = (tdVec3){1.0f, 1.0f, 2.0f};
    tdBodyId ball = tdCreateBody(world, &def);
    tdShapeDef shapeDef = tdDefaultShapeDef();
    shapeDef.userData = 42;
    tdCreateSphere(world, ball, &shapeDef, 0.5f);
    float mass = tdBody_GetMass(world, ball).mass;
    int begins = 0, ends = 0;
    for (int i = 0; i < 60; ++i)
    {
        float speed = tdBody_GetLinearVelocity(world, ball).y;
        tdWorld_Step(world, STEP);
        tdWorldEvents events = tdWorld_GetEvents(world);
        for (int j = 0; j < events.contactCount; ++j)
        {
            const tdWorldContactEvent* event = &events.contacts[j];
            begins += event->began ? 1 : 0;
            ends += event->began ? 0 : 1;
            if (!event->began)
            {
                continue;
            }
            ENSURE_EQUAL_INT(event->userDataB, 42);
            ENSURE_NEAR(event->point.x, 1.0f, 1e-3);
            ENSURE_NEAR(event->point.z, 2.0f, 1e-3);
            ENSURE_NEAR(event->point.y, 0.0f, 0.02f);
            ENSURE_NEAR(event->normal.y, 1.0f, 1e-4); // from A, the floor, to B
            // The impulse takes the momentum of the ball and that of gravity meanwhile; the soft contact may
            // push back slightly.
            float expected = mass * (-speed + 9.81f * STEP);
            ENSURE_NEAR(event->impulse, expected, 0.15f * expected);
        }
    }
    ENSURE_EQUAL_INT(begins, 1);
    ENSURE_EQUAL_INT(ends, 0);
    // After lifting off: one end event, before the next step.
    tdBody_SetTransform(world, ball, (tdTransform){{0.0f, 9.0f, 0.0f}, tdQuat_identity});
    tdWorld_Step(world, STEP);
    tdWorldEvents events = tdWorld_GetEvents(world);
    ENSURE_EQUAL_INT(events.contactCount, 1);
    ENSURE(!events.contacts[0].began);
    tdDestroyWorld(world);
}

TEST(DestroyedShapeEndsItsContacts)
{
    tdWorld* world = tdCreateWorld(NULL);
    MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyId box = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.5f, 0.0f}, (tdVec3){1.0f, 1.0f, 1.0f});
    for (int i = 0; i < 20; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    tdContactData data[4];
    ENSURE_EQUAL_INT(tdBody_GetContacts(world, box, data, 4), 1);
    ENSURE_EQUAL_INT(data[0].pointCount, 4);
    ENSURE(data[0].isSticking);
    // The impulse carries the weight for one step.
    ENSURE_NEAR(data[0].impulse, 1000.0f * 9.81f * STEP, 2.0f);
    tdDestroyBody(world, box);
    tdWorld_Step(world, STEP);
    ENSURE_EQUAL_INT(tdWorld_GetEvents(world).contactCount, 1);
    ENSURE(!tdWorld_GetEvents(world).contacts[0].began);
    ENSURE(!tdBody_IsValid(world, tdWorld_GetEvents(world).contacts[0].bodyB));
    tdDestroyWorld(world);
}

// After each step no separated contact may overlap, which shows that skipped pairs were skipped correctly.
// Checked with a new run of the narrow phase.
TEST(SkippedPairsAreSeparated)
{
    tdWorld* world = tdCreateWorld(NULL);
    MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyDef def = tdDefaultBodyDef();
    def.motion = TD_MOTION_DYNAMIC;
    for (int i = 0; i < 60; ++i)
    {
        def.transform.position =
            (tdVec3){0.5f * (float)(i % 4), 0.5f + 0.5f * (float)(i / 16), 0.5f * (float)(i / 4 % 4)};
        def.angularVelocity = (tdVec3){(float)(i % 7) - 3.0f, (float)(i % 5) - 2.0f, (float)(i % 3) - 1.0f};
        tdBodyId body = tdCreateBody(world, &def);
        if (i % 2 == 0)
        {
            tdCreateBox(world, body, NULL, (tdVec3){0.4f, 0.25f, 0.3f});
        }
        else
        {
            tdCreateCapsule(world, body, NULL, 0.3f, 0.1f, 0.1f);
        }
    }
    int skipped = 0, checked = 0;
    for (int step = 0; step < 90; ++step)
    {
        tdWorld_Step(world, STEP);
        // The pairs that the next step would skip.
        for (int i = 0; i < world->separatedContacts.count; ++i)
        {
            const tdSeparatedContact* pair = &world->separatedContacts.data[i];
            uint32_t travel = (pair->simA > 0 ? world->displacements[pair->simA] : 0) +
                              (pair->simB > 0 ? world->displacements[pair->simB] : 0);
            checked += 1;
            if ((int32_t)(pair->expiry - travel) < 0)
            {
                continue;
            }
            skipped += 1;
            const tdContact* contact = &world->contacts.data[pair->contact];
            tdManifoldCache cache = {0};
            tdManifold manifolds[4];
            tdTransform pose = tdInvMulTransform(tdWorld_GetSim(world, pair->simA)->transform,
                                                 tdWorld_GetSim(world, pair->simB)->transform);
            float margin = tdGetSpeculativeMargin(tdMinFloat(tdWorld_GetSim(world, pair->simA)->outerRadius,
                                                             tdWorld_GetSim(world, pair->simB)->outerRadius));
            int count = tdComputeManifolds(&world->shapes.data[contact->shapeA].geometry,
                                           &world->shapes.data[contact->shapeB].geometry, pose,
                                           0.99f * margin, &cache, manifolds, 4);
            ENSURE_EQUAL_INT(count, 0);
        }
    }
    ENSURE(skipped > checked / 20 && checked > 1000);
    tdDestroyWorld(world);
}

// Recycled manifolds have the right separation: compared with a new narrow phase within 2 mm, less than half
// of the displacement at which a contact is recomputed (5 mm).
TEST(RecycledManifoldsStayAccurate)
{
    tdWorldDef worldDef = tdDefaultWorldDef();
    worldDef.enableSleep = false;
    tdWorld* world = tdCreateWorld(&worldDef);
    MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){10.0f, 1.0f, 10.0f});
    for (int i = 0; i < 4; ++i)
    {
        MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.1f * (float)i, 0.5f + (float)i, 0.0f},
                (tdVec3){1.0f, 1.0f, 1.0f});
    }
    int kept = 0;
    for (int step = 0; step < 120; ++step)
    {
        tdWorld_Step(world, STEP);
        kept += tdWorld_GetStats(world).manifoldsKept;
        for (int i = 0; i < world->touchingContacts.count; ++i)
        {
            const tdTouchingContact* touching = &world->touchingContacts.data[i];
            const tdContact* contact = &world->contacts.data[touching->contact];
            const tdBodySim *a = tdWorld_GetSim(world, touching->simA),
                            *b = tdWorld_GetSim(world, touching->simB);
            tdManifoldCache cache = {0};
            tdManifold fresh;
            int count = tdComputeManifolds(&world->shapes.data[contact->shapeA].geometry,
                                           &world->shapes.data[contact->shapeB].geometry,
                                           tdInvMulTransform(a->transform, b->transform),
                                           2.0f * TD_SPECULATIVE_MARGIN, &cache, &fresh, 1);
            ENSURE_EQUAL_INT(count, 1);
            float deepest = 1.0f, deepestFresh = 1.0f;
            const tdContactManifold* manifold = &world->manifolds[touching->firstManifold];
            tdVec3 normal = tdRotate(a->transform.rotation, manifold->normal);
            for (int j = 0; j < manifold->pointCount; ++j)
            {
                tdVec3 pointA =
                    tdAdd(a->center, tdRotate(a->transform.rotation, manifold->points[j].anchorA));
                tdVec3 pointB =
                    tdAdd(b->center, tdRotate(b->transform.rotation, manifold->points[j].anchorB));
                deepest = tdMinFloat(deepest, tdDot(tdSub(pointB, pointA), normal));
            }
            for (int j = 0; j < fresh.pointCount; ++j)
            {
                deepestFresh = tdMinFloat(deepestFresh, fresh.points[j].separation);
            }
            ENSURE_NEAR(deepest, deepestFresh, 0.002f);
        }
    }
    ENSURE(kept > 200);
    tdDestroyWorld(world);
}

TEST(ExclusionsAreCounted)
{
    tdWorld* world = tdCreateWorld(NULL);
    tdBodyId ground =
        MakeBox(world, TD_MOTION_STATIC, (tdVec3){0.0f, -0.5f, 0.0f}, (tdVec3){10.0f, 1.0f, 10.0f});
    tdBodyId box = MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){0.0f, 0.5f, 0.0f}, (tdVec3){1.0f, 1.0f, 1.0f});
    tdBodyId other =
        MakeBox(world, TD_MOTION_DYNAMIC, (tdVec3){3.0f, 0.5f, 0.0f}, (tdVec3){1.0f, 1.0f, 1.0f});
    tdPairSide sideGround = {-1, 0}; // the floor's only shape
    tdPairSide sideBox = {(int)box.index1 - 1, -1};
    for (int i = 0; i < 120; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    ENSURE(!tdBody_IsAwake(world, box));
    ENSURE(tdWorld_AddPairExclusion(world, sideGround, sideBox));
    ENSURE(tdWorld_AddPairExclusion(world, sideBox, sideGround)); // the same pair
    ENSURE(tdBody_IsAwake(world, box));
    for (int i = 0; i < 20; ++i)
    {
        tdWorld_Step(world, STEP);
    }
    float y = tdBody_GetTransform(world, box).position.y;
    ENSURE(y < 0.2f); // falls through
    ENSURE_NEAR(tdBody_GetTransform(world, other).position.y, 0.5f, 0.0065f);
    tdWorld_RemovePairExclusion(world, sideGround, sideBox);
    tdWorld_Step(world, STEP);
    ENSURE_EQUAL_INT(tdBody_GetContacts(world, box, NULL, 0), 0); // one remains
    tdWorld_RemovePairExclusion(world, sideGround, sideBox);
    tdWorld_Step(world, STEP);
    ENSURE(tdBody_GetContacts(world, box, NULL, 0) > 0);
    // Destroying a body removes its exclusions.
    ENSURE(tdWorld_AddPairExclusion(world, sideGround, sideBox));
    tdDestroyBody(world, box);
    ENSURE_EQUAL_INT(world->exclusions.count, 0);
    ENSURE(tdBody_IsValid(world, ground));
    tdDestroyWorld(world);
}

TEST_MAIN(RUN(EventsHavePointNormalAndImpulse) RUN(DestroyedShapeEndsItsContacts)
              RUN(SkippedPairsAreSeparated) RUN(RecycledManifoldsStayAccurate) RUN(ExclusionsAreCounted))
