// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The fingerprint of a world.
#include "physics/data/fingerprint.h"

#include "base/hash.h"

void tdWorld_NoteCreation(tdWorld* world, tdCreationKind created, int kindOfIt, int bodyA, int bodyB,
                          tdTransform place)
{
    if (!world->isFingerprintFixed)
    {
        int32_t facts[4] = {(int32_t)created, kindOfIt, bodyA, bodyB};
        uint64_t hash = world->fingerprint != 0 ? world->fingerprint : TD_HASH_INIT;
        world->fingerprint = tdHash(tdHash(hash, facts, sizeof(facts)), &place, sizeof(place));
    }
}

void tdWorld_FixFingerprint(tdWorld* world)
{
    world->isFingerprintFixed = true;
}

uint64_t tdWorld_HashFilters(const tdWorld* world, int filterCount)
{
    const tdFilterTable* table = &world->filters;
    uint64_t hash = TD_HASH_INIT;
    for (int i = 0; i < filterCount && i < table->filters.count; ++i)
    {
        const tdFilterSets* sets = &table->filters.data[i];
        const int ranges[3][2] = {{sets->firstSystem, sets->systemCount},
                                  {sets->firstWith, sets->withCount},
                                  {sets->firstNot, sets->notCount}};
        for (int k = 0; k < 3; ++k)
        {
            hash = tdHash(hash, &ranges[k][1], sizeof(int));
            if (ranges[k][1] > 0)
            {
                hash =
                    tdHash(hash, table->numbers.data + ranges[k][0], (size_t)ranges[k][1] * sizeof(uint32_t));
            }
        }
    }
    return hash;
}
