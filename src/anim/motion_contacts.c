// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Contacts of a humanoid motion. The motion is sampled on both skeletons. A foot is in contact while its
// ankle or its toes rest and it carries the body; there the target's foot is held on the spot and on the
// ground, the hips sink where legs are too short, and the difference fades over the swing between two
// contacts. Hands keep their distance to each other and to the body where they are close. See
// docs/decisions/078.
#include "motion_contacts.h"

#include "contact_rate.h"
#include "easing.h"
#include "foot_correction.h"
#include "foot_shape.h"
#include "hand_contacts.h"
#include "knee_reach.h"
#include "pose_sampler.h"

/// Samples of a clip; longer clips keep their contacts up to there. 1 hour at 120 Hz.
#define MAX_SAMPLES 432000
/// Speed of a resting point in leg lengths per second: a contact starts below the first and ends above the
/// second. Stance of recorded walks is at 0.05 to 0.2, swing above 1. Found by trial; test anim/contacts
/// notices a change.
#define SPEED_ON 0.2f
#define SPEED_OFF 0.4f
/// A contact ends where a point is faster than this, in leg lengths per second, and than this multiple of
/// its mean speed in the middle half of the contact.
#define QUIET_SPEED 0.05f
#define QUIET_RATIO 4.0f
/// Leg lengths that such a point has to be away from its place in that half. Keys of 24 to 30 Hz move a
/// resting foot between them. Found by trial; test anim/contacts notices a change.
#define QUIET_DRIFT 0.001f
/// Leg lengths that a point may drift or rise within one contact. More is a slow step.
#define DRIFT_LIMIT 0.08f
#define RISE_LIMIT 0.04f
/// Leg lengths by which a resting heel may be above the ball of its foot, or the ball above the heel. Found
/// by trial; test anim/contacts notices a change.
#define RAISED_LIMIT 0.03f
/// Leg lengths that a foot may slide in all before it steps, and the duration of that step, s.
#define SLIDE_LIMIT 0.4f
#define STEP_TIME 0.25
/// Ratio of speeds at which the hold changes between ankle and toes.
#define HOLD_CHANGE 0.8f
/// A foot rolls while its heel rises or falls faster than this against its ball, leg lengths per second,
/// and is flat within this height, leg lengths. Found by trial; test anim/contacts notices a change.
#define ROLL_SPEED 0.005f
#define ROLL_BAND 0.001f
/// Shortest contact, s. The turning point of a jump is at rest for less.
#define MIN_CONTACT 0.08
/// Leg lengths that a carrying foot may be above the other foot.
#define SUPPORT_HEIGHT 0.06f
/// Leg lengths by which a foot comes down to a contact.
#define STEP_HEIGHT 0.01f
/// Leg lengths within which contacts are on one level of the ground.
#define STANCE_LEVEL_TOLERANCE 0.04f
/// Share of a leg that stays bent in a contact, and over which the reach of a swing is damped, unless the leg
/// of the motion is straighter itself. Found by trial: the largest knee acceleration of test anim/contacts.
#define REACH_SOFTNESS 0.02f
#define LEAST_SOFTNESS 0.0005f
/// Share of its length by which a leg in contact may be straighter than that of the source. A straight knee
/// turns faster for the same way of the foot. Found by trial; test anim/contacts notices a change.
#define STRETCH_LIMIT 0.02f
/// Half width in s of the window in which sinking hips are smoothed.
#define SINK_WINDOW 0.25
/// Weight of the body's forward direction in the pole of a knee: gives a straight leg a direction to bend.
#define FORWARD_SHARE 0.02f
/// Leg lengths that a swing may be below the ground before its motion is raised.
#define SHALLOW_SWING 0.0005f
/// Leg lengths by which the ground under a cut swing may be below the foot.
#define UNKNOWN_DEPTH 0.5f
/// Time in s over which a correction fades before the first and after the last contact. A knee turns about
/// twelve times as fast if it is 0.3 s. Found by trial; test anim/contacts notices a change.
#define FADE_TIME 1.0
/// The same for the height, which differs little (HOLD_TIME).
#define RISE_TIME 0.3
/// Time in s around its one contact in which a foot is as high above the ground as the source.
#define HOLD_TIME 1.0

typedef struct FootSample
{
    tdVec3 ankle, toes;                     // source, body frame
    float sole;                             // height of the lowest point of the sole, source
    float heel, ball;                       // heights of the sole below ankle and toes, source
    tdVec3 plainAnkle, plainToes, plainHip; // target, body frame, without contacts
    float low;                              // of the target: lowest point of the sole relative to the ankle
    float extension;                        // of the source: distance of hip and ankle in leg lengths
    bool ankleRests, toesRest, isContact;
    bool holdsToes; // the toes rest more than the ankle
    tdVec3 goal;    // of the ankle, target
    float lowest;   // height of the ankle on the ground below a swing, target
} FootSample;

// A run of samples in contact.
typedef struct Stance
{
    int start, end;    // samples, both in contact
    float sourceLevel; // of the ground, source
    float level;       // of the ground, target
} Stance;

typedef struct Contacts
{
    const tdContactDef* def;
    tdArena* arena;
    tdPoseSampler a, b;
    int count;
    double rate;
    float* times;
    float legA, legB;
    tdFootShape shapesA[2], shapesB[2];
    FootSample* feet[2];
    Stance* stances[2];
    int stanceCounts[2];
    float ground;             // level of the source's ground, which becomes 0
    float* sinks;             // m, of the hips, by sample
    tdSwingSample* swings[2]; // goals of the ankles, by sample
    tdHandSample* hands;
    float* reaches[2]; // m, of the hands from their shoulders, by sample
} Contacts;

static void SampleFeet(Contacts* c, int index)
{
    for (int side = 0; side < 2; ++side)
    {
        const tdBone* bones = tdLegBones[side];
        FootSample* foot = &c->feet[side][index];
        foot->ankle = tdPoseSampler_GetBone(&c->a, bones[2]);
        foot->toes = c->shapesA[side].hasToes ? tdPoseSampler_GetBone(&c->a, bones[3]) : foot->ankle;
        foot->sole = foot->ankle.y + tdFindSoleLow(&c->shapesA[side], tdPoseSampler_GetTurn(&c->a, bones[2]),
                                                   tdSub(foot->toes, foot->ankle));
        float down = tdRotate(tdPoseSampler_GetTurn(&c->a, bones[2]), (tdVec3){0.0f, -1.0f, 0.0f}).y;
        foot->heel = foot->ankle.y + c->shapesA[side].ankleHeight * down;
        foot->ball = foot->toes.y + c->shapesA[side].toeHeight * down;
        foot->extension = tdDistance(tdPoseSampler_GetBone(&c->a, bones[0]), foot->ankle) / c->legA;
        foot->plainHip = tdPoseSampler_GetBone(&c->b, bones[0]);
        foot->plainAnkle = tdPoseSampler_GetBone(&c->b, bones[2]);
        foot->plainToes =
            c->shapesB[side].hasToes ? tdPoseSampler_GetBone(&c->b, bones[3]) : foot->plainAnkle;
        foot->low = tdFindSoleLow(&c->shapesB[side], tdPoseSampler_GetTurn(&c->b, bones[2]),
                                  tdSub(foot->plainToes, foot->plainAnkle));
    }
}

static tdVec3 GetPoint(const FootSample* foot, bool isToes)
{
    return isToes ? foot->toes : foot->ankle;
}

static void SetRests(FootSample* foot, bool isToes, bool rests)
{
    foot->toesRest = isToes ? rests : foot->toesRest;
    foot->ankleRests = isToes ? foot->ankleRests : rests;
}

// Speed of a point of the source by central difference, m/s.
static float FindSpeed(const Contacts* c, int side, int index, bool isToes)
{
    int before = tdMaxInt(index - 1, 0), after = tdMinInt(index + 1, c->count - 1);
    float time = c->times[after] - c->times[before];
    float way = tdDistance(GetPoint(&c->feet[side][before], isToes), GetPoint(&c->feet[side][after], isToes));
    return time > 0.0f ? way / time : 0.0f;
}

// Speed of a point of the source between two samples, m/s.
static float FindSpeedBetween(const Contacts* c, int side, int first, int second, bool isToes)
{
    const FootSample* feet = c->feet[side];
    float time = tdAbsFloat(c->times[second] - c->times[first]);
    float way = tdDistance(GetPoint(&feet[first], isToes), GetPoint(&feet[second], isToes));
    return time > 0.0f ? way / time : 0.0f;
}

// Cuts the ends of a run in which a point rests: a foot that was quiet and speeds up has left the ground. The
// last sample on the ground has not moved since the one before it.
static void TrimRest(const Contacts* c, int side, bool isToes, int* start, int* end)
{
    const FootSample* feet = c->feet[side];
    tdVec3 middle = tdVec3_zero;
    float sum = 0.0f;
    int first = *start + (*end - *start) / 4, last = *end - (*end - *start) / 4;
    float share = 1.0f / (float)(last - first + 1), drift = QUIET_DRIFT * c->legA;
    for (int i = first; i <= last; ++i)
    {
        sum += FindSpeed(c, side, i, isToes);
        middle = tdMulAdd(middle, share, GetPoint(&feet[i], isToes));
    }
    float quiet = QUIET_SPEED * c->legA, limit = tdMaxFloat(quiet, QUIET_RATIO * share * sum);
    // The speed of a sample that a fast one follows is not its own.
    if (*start > 0 && FindSpeedBetween(c, side, *start - 1, *start, isToes) < quiet)
    {
        *start -= 1;
    }
    if (*end + 1 < c->count && FindSpeedBetween(c, side, *end, *end + 1, isToes) < quiet)
    {
        *end += 1;
    }
    while (*start < first && FindSpeedBetween(c, side, *start, *start + 1, isToes) > limit &&
           tdDistance(GetPoint(&feet[*start], isToes), middle) > drift)
    {
        *start += 1;
    }
    while (*end > last && FindSpeedBetween(c, side, *end - 1, *end, isToes) > limit &&
           tdDistance(GetPoint(&feet[*end], isToes), middle) > drift)
    {
        *end -= 1;
    }
}

// True if the other end of the sole is lower: a heel that pauses while the toes carry the body is no contact.
static bool IsRaised(const Contacts* c, int side, int index, bool isToes)
{
    const FootSample* foot = &c->feet[side][index];
    float rise = isToes ? foot->ball - foot->heel : foot->heel - foot->ball;
    return c->shapesA[side].hasToes && rise > RAISED_LIMIT * c->legA;
}

// Marks the runs in which a point rests: slow with hysteresis, without drift, long enough.
static void FindRests(Contacts* c, int side, bool isToes)
{
    FootSample* feet = c->feet[side];
    int shortest = (int)(MIN_CONTACT * c->rate);
    for (int i = 0; i < c->count;)
    {
        if (!(FindSpeed(c, side, i, isToes) < SPEED_ON * c->legA) || IsRaised(c, side, i, isToes))
        {
            i += 1;
            continue;
        }
        int start = i;
        // The run reaches back to where the point became slow.
        while (start > 0 && FindSpeed(c, side, start - 1, isToes) < SPEED_OFF * c->legA &&
               !(isToes ? feet[start - 1].toesRest : feet[start - 1].ankleRests) &&
               !IsRaised(c, side, start - 1, isToes) &&
               tdDistance(GetPoint(&feet[start - 1], isToes), GetPoint(&feet[i], isToes)) <
                   0.25f * DRIFT_LIMIT * c->legA)
        {
            start -= 1;
        }
        tdVec3 anchor = GetPoint(&feet[i], isToes);
        float lowest = anchor.y;
        int end = i;
        for (int k = i; k < c->count; ++k)
        {
            tdVec3 point = GetPoint(&feet[k], isToes);
            lowest = tdMinFloat(lowest, point.y);
            bool rests = FindSpeed(c, side, k, isToes) < SPEED_OFF * c->legA &&
                         tdDistance(point, anchor) < DRIFT_LIMIT * c->legA &&
                         point.y < lowest + RISE_LIMIT * c->legA && !IsRaised(c, side, k, isToes);
            if (!rests)
            {
                break;
            }
            end = k;
        }
        int next = end + 1;
        TrimRest(c, side, isToes, &start, &end);
        // The motion may begin or end in a contact, of which any part can be left.
        bool isCut = start == 0 || end == c->count - 1;
        for (int k = start; k <= end && (isCut || end - start + 1 >= shortest); ++k)
        {
            SetRests(&feet[k], isToes, true);
        }
        i = next;
    }
}

// True if a foot came down to a run at the end of the motion, or goes up from a run at its start. A step
// of stairs may begin or end there before the other foot is as high.
static bool StepsAtCut(const Contacts* c, int side, int start, int end)
{
    const FootSample* feet = c->feet[side];
    bool isLast = end == c->count - 1 && start > 0, isFirst = start == 0 && end < c->count - 1;
    int window = (int)(STEP_TIME * c->rate);
    int from = isLast ? tdMaxInt(start - window, 0) : start;
    int to = isFirst ? tdMinInt(end + window, c->count - 1) : end;
    float top = -INFINITY;
    for (int i = from; i <= to; ++i)
    {
        top = tdMaxFloat(top, feet[i].sole);
    }
    // A slow foot rests before it is down and after it has left the ground: the cut is on the ground.
    return (isLast || isFirst) && top > feet[isLast ? end : start].sole + STEP_HEIGHT * c->legA;
}

// True at the top of a jump or kick: the foot comes up to the run and goes down from it.
static bool IsApex(const Contacts* c, int side, int start, int end)
{
    const FootSample* feet = c->feet[side];
    int window = (int)(MIN_CONTACT * c->rate);
    int before = start - window, after = end + window;
    float low = tdMinFloat(feet[start].sole, feet[end].sole) - STEP_HEIGHT * c->legA;
    return before >= 0 && after < c->count && feet[before].sole < low && feet[after].sole < low;
}

// A run of a foot is a contact if the foot is at some time as low as the other one: it carries the body.
static bool CarriesBody(const Contacts* c, int side, int start, int end)
{
    if (IsApex(c, side, start, end))
    {
        return false;
    }
    for (int i = start; i <= end; ++i)
    {
        if (c->feet[side][i].sole <= c->feet[1 - side][i].sole + SUPPORT_HEIGHT * c->legA)
        {
            return true;
        }
    }
    return StepsAtCut(c, side, start, end);
}

// Height of the heel above the ball of the foot, m.
static float GetTilt(const FootSample* foot)
{
    return foot->heel - foot->ball;
}

// Rate of change of the tilt by central difference, m/s.
static float FindTiltRate(const Contacts* c, int side, int index)
{
    int before = tdMaxInt(index - 1, 0), after = tdMinInt(index + 1, c->count - 1);
    float time = c->times[after] - c->times[before];
    float change = GetTilt(&c->feet[side][after]) - GetTilt(&c->feet[side][before]);
    return time > 0.0f ? change / time : 0.0f;
}

// The tilt of a foot that stands flat: its mean in the longest time without rolling. Recorded feet are a few
// degrees off.
static float FindFlatTilt(const Contacts* c, int side, int start, int end)
{
    float flat = 0.0f;
    int longest = 0;
    for (int i = start; i <= end; ++i)
    {
        double sum = 0.0;
        int first = i;
        for (; i <= end && tdAbsFloat(FindTiltRate(c, side, i)) < ROLL_SPEED * c->legA; ++i)
        {
            sum += (double)GetTilt(&c->feet[side][i]);
        }
        if (i - first > longest)
        {
            longest = i - first;
            flat = (float)(sum / longest);
        }
    }
    return tdAbsFloat(flat) < RAISED_LIMIT * c->legA ? flat : 0.0f; // a foot may stand on its toes
}

// Decides which end of a foot in contact is held. A foot that rolls does so about its lower end; any other
// one is held where it is slower, such as one that pivots.
static void ChooseHolds(Contacts* c, int side, int start, int end)
{
    FootSample* feet = c->feet[side];
    float flat = FindFlatTilt(c, side, start, end);
    bool holdsToes = false;
    for (int i = start; i <= end; ++i)
    {
        float tilt = GetTilt(&feet[i]) - flat, rate = FindTiltRate(c, side, i);
        float ankle = FindSpeed(c, side, i, false), toes = FindSpeed(c, side, i, true);
        if (tdAbsFloat(rate) > ROLL_SPEED * c->legA)
        {
            holdsToes = tdAbsFloat(tilt) > ROLL_BAND * c->legA ? tilt > 0.0f : rate > 0.0f;
        }
        else
        {
            holdsToes = holdsToes ? !(ankle < HOLD_CHANGE * toes) : toes < HOLD_CHANGE * ankle;
        }
        feet[i].holdsToes = holdsToes;
    }
}

static bool FindStances(Contacts* c, int side)
{
    FootSample* feet = c->feet[side];
    c->stances[side] = tdArena_NewArray(c->arena, Stance, c->count / 2 + 1);
    if (c->stances[side] == NULL)
    {
        return false;
    }
    FindRests(c, side, false);
    if (c->shapesA[side].hasToes)
    {
        FindRests(c, side, true);
    }
    for (int i = 0; i < c->count; ++i)
    {
        if (!feet[i].ankleRests && !feet[i].toesRest)
        {
            continue;
        }
        int end = i;
        while (end + 1 < c->count && (feet[end + 1].ankleRests || feet[end + 1].toesRest) &&
               tdDistance(feet[end + 1].ankle, feet[i].ankle) < SLIDE_LIMIT * c->legA)
        {
            end += 1;
        }
        if (end + 1 < c->count && (feet[end + 1].ankleRests || feet[end + 1].toesRest))
        {
            // A foot that slides on takes a small step.
            for (int k = end + 1; k < tdMinInt(end + 1 + (int)(STEP_TIME * c->rate), c->count); ++k)
            {
                feet[k].ankleRests = feet[k].toesRest = false;
            }
        }
        if (CarriesBody(c, side, i, end))
        {
            for (int k = i; k <= end; ++k)
            {
                feet[k].isContact = true;
            }
            ChooseHolds(c, side, i, end);
            // The ground is that of the middle half: a foot may leave it slowly.
            double sum = 0.0;
            int first = i + (end - i) / 4, last = end - (end - i) / 4;
            for (int k = first; k <= last; ++k)
            {
                sum += (double)feet[k].sole;
            }
            float level = (float)(sum / (last - first + 1));
            if (StepsAtCut(c, side, i, end))
            {
                // Half of what is left of a step may be its slow way down or up; the cut is on the ground.
                level = tdMinFloat(level, feet[end == c->count - 1 ? end : i].sole);
            }
            c->stances[side][c->stanceCounts[side]++] =
                (Stance){.start = i, .end = end, .sourceLevel = level};
        }
        i = end;
    }
    return true;
}

// Levels of the source become those of the target. The lowest level is the ground if it is near zero:
// recordings are a few centimetres off.
static void FindLevels(Contacts* c)
{
    float lowest = INFINITY;
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < c->stanceCounts[side]; ++i)
        {
            lowest = tdMinFloat(lowest, c->stances[side][i].sourceLevel);
        }
    }
    double sum = 0.0, weight = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < c->stanceCounts[side]; ++i)
        {
            const Stance* stance = &c->stances[side][i];
            if (stance->sourceLevel < lowest + STANCE_LEVEL_TOLERANCE * c->legA)
            {
                double length = stance->end - stance->start + 1;
                sum += length * (double)stance->sourceLevel;
                weight += length;
            }
        }
    }
    float ground = weight > 0.0 ? (float)(sum / weight) : 0.0f;
    c->ground = tdAbsFloat(ground) < 0.2f * c->legA ? ground : 0.0f;
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < c->stanceCounts[side]; ++i)
        {
            Stance* stance = &c->stances[side][i];
            float level = stance->sourceLevel - c->ground;
            bool isGround = tdAbsFloat(level) < STANCE_LEVEL_TOLERANCE * c->legA;
            stance->level = isGround ? 0.0f : c->def->travelScale * level;
        }
    }
}

// Goals of the ankle in a contact. The ankle or the toes stay where they are on average; the sole is on the
// ground.
static void PlaceStance(Contacts* c, int side, const Stance* stance)
{
    FootSample* feet = c->feet[side];
    bool hasToes = c->shapesB[side].hasToes;
    tdVec3 anchor = tdVec3_zero, previous = tdVec3_zero;
    for (int i = stance->start; i <= stance->end;)
    {
        bool isToes = hasToes && feet[i].holdsToes;
        int end = i;
        while (end < stance->end && (hasToes && feet[end + 1].holdsToes) == isToes)
        {
            end += 1;
        }
        if (i == stance->start)
        {
            double x = 0.0, z = 0.0;
            for (int k = i; k <= end; ++k)
            {
                tdVec3 p = isToes ? feet[k].plainToes : feet[k].plainAnkle;
                x += (double)p.x;
                z += (double)p.z;
            }
            anchor = (tdVec3){(float)(x / (end - i + 1)), 0.0f, (float)(z / (end - i + 1))};
        }
        else
        {
            // The other point takes over where it is.
            tdVec3 toToes = tdSub(feet[i].plainToes, feet[i].plainAnkle);
            anchor = isToes ? tdAdd(previous, toToes) : previous;
        }
        for (int k = i; k <= end; ++k)
        {
            tdVec3 toToes = tdSub(feet[k].plainToes, feet[k].plainAnkle);
            tdVec3 goal = isToes ? tdSub(anchor, toToes) : anchor;
            goal.y = stance->level - feet[k].low;
            feet[k].goal = previous = goal;
        }
        i = end + 1;
    }
}

// A stretch of ground under a swing, and how smoothly the foot is raised above it.
typedef struct Floor
{
    float level, range;
    const Stance* only; // the one contact of a swing that the start or the end of the motion cuts; else NULL
} Floor;

// Share of the way from a contact to a swing without contacts, 0 to 1.
static float FindFade(const Contacts* c, int index, const Stance* stance)
{
    float after = c->times[index] - c->times[stance->end], before = c->times[stance->start] - c->times[index];
    return tdFadeIn((tdMaxFloat(after, before) - (float)HOLD_TIME) / (float)FADE_TIME);
}

// Height of the sole above the ground without contacts. Near the one contact of a cut swing, the foot is as
// high above it as the source: the other contact is not known, between whose corrections a swing fades.
static float FindSoleHeight(const Contacts* c, int side, int index, Floor floor)
{
    const FootSample* foot = &c->feet[side][index];
    float height = foot->plainAnkle.y - c->def->travelScale * c->ground + foot->low - floor.level;
    if (floor.only != NULL)
    {
        float near = c->def->travelScale * (foot->sole - floor.only->sourceLevel);
        near += floor.only->level - floor.level;
        height = near + FindFade(c, index, floor.only) * (height - near);
    }
    return height;
}

// A foot that does not sink in is not raised.
static float FindRaiseRange(const Contacts* c, int side, int first, int last, Floor floor)
{
    float depth = 0.0f;
    for (int i = first; i <= last; ++i)
    {
        depth = tdMaxFloat(depth, -FindSoleHeight(c, side, i, floor));
    }
    return tdMinFloat(2.0f * depth, 0.05f * c->legB);
}

// The foot without contacts, above the ground.
static tdVec3 GetSwing(const Contacts* c, int side, int index, Floor floor)
{
    const FootSample* foot = &c->feet[side][index];
    tdVec3 swing = foot->plainAnkle;
    float height = FindSoleHeight(c, side, index, floor);
    swing.y = tdRaiseAboveZero(height, floor.range) + floor.level - foot->low;
    return swing;
}

// @param inner neighbour of the sample within the contact
static tdFootCorrection FindCorrection(const Contacts* c, int side, int index, int inner,
                                       const Stance* stance, Floor floor)
{
    const FootSample* feet = c->feet[side];
    tdFootCorrection correction = {tdSub(feet[index].goal, GetSwing(c, side, index, floor)), tdVec3_zero};
    if (inner >= stance->start && inner <= stance->end)
    {
        tdVec3 other = tdSub(feet[inner].goal, GetSwing(c, side, inner, floor));
        float time = c->times[index] - c->times[inner]; // negative where the contact starts
        tdVec3 velocity = tdScale(1.0f / time, tdSub(correction.offset, other));
        float speed = tdLength(velocity), limit = SPEED_OFF * c->legB;
        correction.velocity = speed > limit ? tdScale(limit / speed, velocity) : velocity;
    }
    return correction;
}

// Correction at a time of a swing. A cut swing fades over a given time.
static tdVec3 FadeAt(const Contacts* c, const Stance* before, const Stance* after, tdFootCorrection left,
                     tdFootCorrection right, float time, float fade)
{
    float start = before != NULL ? c->times[before->end] : c->times[after != NULL ? after->start : 0] - fade;
    float end = after != NULL ? c->times[after->start] : start + fade;
    return tdBlendCorrections(left, right, time - start, end - start);
}

// Goals between two contacts: the motion of the swing with the corrections of both contacts fading.
// @return how far the lowest goal is below the floor, m
static float FadeCorrections(Contacts* c, int side, const Stance* before, const Stance* after, Floor floor)
{
    FootSample* feet = c->feet[side];
    int first = before != NULL ? before->end + 1 : 0, last = after != NULL ? after->start - 1 : c->count - 1;
    tdFootCorrection left = before != NULL
                                ? FindCorrection(c, side, before->end, before->end - 1, before, floor)
                                : (tdFootCorrection){tdVec3_zero, tdVec3_zero};
    tdFootCorrection right = after != NULL
                                 ? FindCorrection(c, side, after->start, after->start + 1, after, floor)
                                 : (tdFootCorrection){tdVec3_zero, tdVec3_zero};
    float depth = 0.0f;
    for (int i = first; i <= last; ++i)
    {
        tdVec3 offset = FadeAt(c, before, after, left, right, c->times[i], (float)FADE_TIME);
        offset.y = FadeAt(c, before, after, left, right, c->times[i], (float)RISE_TIME).y;
        tdVec3 goal = tdAdd(GetSwing(c, side, i, floor), offset);
        float lowest = floor.level - feet[i].low;
        depth = tdMaxFloat(depth, lowest - goal.y);
        goal.y = tdMaxFloat(goal.y, lowest);
        feet[i].lowest = lowest;
        feet[i].goal = goal;
    }
    return depth;
}

// The ground under a swing that the start or the end of the motion cuts. Beyond the cut may be a lower step
// of stairs, if the foot is below its one contact; the ground is then anywhere below the foot.
static float FindCutLevel(const Contacts* c, int side, int first, int last, float level)
{
    float lowest = INFINITY;
    for (int i = first; i <= last; ++i)
    {
        lowest = tdMinFloat(lowest, c->feet[side][i].sole - c->ground);
    }
    lowest *= c->def->travelScale;
    bool isLower = lowest < level - STEP_HEIGHT * c->legB;
    return isLower ? tdMaxFloat(lowest - UNKNOWN_DEPTH * c->legB, 0.0f) : level;
}

static void PlaceSwing(Contacts* c, int side, const Stance* before, const Stance* after)
{
    int first = before != NULL ? before->end + 1 : 0, last = after != NULL ? after->start - 1 : c->count - 1;
    float level = before == NULL && after == NULL ? 0.0f
                  : before == NULL                ? FindCutLevel(c, side, first, last, after->level)
                  : after == NULL                 ? FindCutLevel(c, side, first, last, before->level)
                                                  : tdMinFloat(before->level, after->level);
    Floor floor = {level, 0.0f, before == NULL ? after : after == NULL ? before : NULL};
    // The corrections alone lift most swings off the ground, without the bend of a raised motion.
    if (FadeCorrections(c, side, before, after, floor) > SHALLOW_SWING * c->legB)
    {
        floor.range = FindRaiseRange(c, side, first, last, floor);
        FadeCorrections(c, side, before, after, floor);
    }
}

static void PlaceFeet(Contacts* c)
{
    for (int side = 0; side < 2; ++side)
    {
        int count = c->stanceCounts[side];
        for (int i = 0; i < count; ++i)
        {
            PlaceStance(c, side, &c->stances[side][i]);
        }
        for (int i = 0; i <= count; ++i)
        {
            PlaceSwing(c, side, i > 0 ? &c->stances[side][i - 1] : NULL,
                       i < count ? &c->stances[side][i] : NULL);
        }
    }
}

// Hips

// Share of the leg that stays bent: less where the leg of the motion itself is straighter.
static float FindSoftness(const Contacts* c, const FootSample* foot)
{
    float plain = tdDistance(foot->plainHip, foot->plainAnkle) / c->legB;
    return tdClampFloat(1.0f - plain, LEAST_SOFTNESS, REACH_SOFTNESS);
}

// How far the hips must sink so that a leg reaches its contact.
static float FindSink(const Contacts* c, const FootSample* foot, float reach)
{
    float lowered = c->def->travelScale * c->ground;
    tdVec3 d = tdSub(foot->plainHip, foot->goal);
    float level = d.x * d.x + d.z * d.z, room = reach * reach - level;
    float sink = d.y - lowered - (room > 0.0f ? sqrtf(room) : 0.0f);
    return tdMaxFloat(sink, 0.0f);
}

static bool SinkHips(Contacts* c)
{
    float* scratch = tdArena_NewArray(c->arena, float, c->count);
    c->sinks = tdArena_NewArray(c->arena, float, c->count);
    if (scratch == NULL || c->sinks == NULL)
    {
        return false;
    }
    for (int i = 0; i < c->count; ++i)
    {
        for (int side = 0; side < 2; ++side)
        {
            const FootSample* foot = &c->feet[side][i];
            float reach = tdMinFloat(1.0f - FindSoftness(c, foot), foot->extension + STRETCH_LIMIT) * c->legB;
            float sink = foot->isContact ? FindSink(c, foot, reach) : 0.0f;
            c->sinks[i] = tdMaxFloat(c->sinks[i], sink);
        }
    }
    tdSmoothPeaks(c->sinks, scratch, c->count, (int)(0.5 * SINK_WINDOW * c->rate));
    return true;
}

// Knees

static bool CalmSwings(Contacts* c)
{
    tdSwingSample* swings[2];
    for (int side = 0; side < 2; ++side)
    {
        swings[side] = tdArena_NewArray(c->arena, tdSwingSample, c->count);
        for (int i = 0; i < c->count && swings[side] != NULL; ++i)
        {
            const FootSample* foot = &c->feet[side][i];
            tdVec3 hip = foot->plainHip;
            hip.y -= c->sinks[i] + c->def->travelScale * c->ground;
            float plain = tdDistance(foot->plainHip, foot->plainAnkle);
            swings[side][i] = (tdSwingSample){
                hip, foot->goal, foot->lowest, plain, FindSoftness(c, foot), foot->isContact, false};
        }
        c->swings[side] = swings[side];
    }
    return swings[0] != NULL && swings[1] != NULL &&
           tdCalmKnees(c->b.rig, swings, c->count, c->rate, c->arena);
}

// Poses

static bool HasLegs(const Contacts* c)
{
    bool isComplete = c->legA > 0.0f && c->legB > 0.0f;
    for (int side = 0; side < 2; ++side)
    {
        isComplete = isComplete && c->shapesA[side].isComplete && c->shapesB[side].isComplete;
    }
    return isComplete;
}

// Moves a hand of the target from its place without contacts. The bend turns with the arm.
static void MoveHand(Contacts* c, int side, int index, tdVec3 offset, tdVec3 lowered, tdVec3 pole)
{
    tdPoseSampler* s = &c->b;
    const tdBone* bones = tdArmBones[side];
    // The globals are those without contacts.
    tdVec3 shoulder = tdPoseSampler_GetBone(s, bones[0]);
    tdVec3 before = c->hands[index].arms[side], after = tdAdd(before, offset);
    float distance = tdLength(after);
    after = distance > 0.0f ? tdScale(c->reaches[side][index] / distance, after) : after;
    if (tdLengthSquared(before) > 0.0f && tdLengthSquared(after) > 0.0f)
    {
        tdQuat turn = tdQuatFromTo(tdNormalize(before), tdNormalize(after));
        pole = tdRig_FromBody(s->rig, tdRotate(turn, tdRig_ToBody(s->rig, pole)));
    }
    tdPoseSampler_MoveLimb(s, bones, tdAdd(tdAdd(shoulder, after), lowered), pole, 0.0f);
}

static void PoseSample(Contacts* c, int index, bool hasFeet, bool hasHands, tdContactKeys* keys)
{
    tdPoseSampler* s = &c->b;
    int hips = s->rig->bones[TD_BONE_HIPS].node;
    tdPoseSampler_Sample(s, (double)c->times[index]);
    tdPoseSampler_Update(s);
    tdVec3 poles[4];
    tdVec3 forward = tdRotate(tdPoseSampler_GetTurn(s, TD_BONE_HIPS), (tdVec3){0.0f, 0.0f, FORWARD_SHARE});
    forward = tdRig_FromBody(s->rig, forward);
    for (int side = 0; side < 2; ++side)
    {
        poles[side] = hasFeet ? tdPoseSampler_FindBend(s, tdLegBones[side], forward) : forward;
        poles[2 + side] = hasHands ? tdPoseSampler_FindBend(s, tdArmBones[side], tdNegate(forward)) : forward;
    }
    tdVec3 lowered = {0.0f, 0.0f, 0.0f};
    if (hasFeet)
    {
        lowered.y = -(c->sinks[index] + c->def->travelScale * c->ground);
        tdVec3 place = tdMat4Point(s->rig->hipsParent, s->locals[hips].translation);
        place = tdAdd(place, tdRig_FromBody(s->rig, lowered));
        s->locals[hips].translation = tdMat4Point(s->rig->hipsParentInverse, place);
        for (int side = 0; side < 2; ++side)
        {
            const tdSwingSample* swing = &c->swings[side][index];
            tdPoseSampler_MoveLimb(s, tdLegBones[side], swing->goal, poles[side], swing->softness);
        }
    }
    tdVec3 offsets[2] = {tdVec3_zero, tdVec3_zero};
    if (hasHands)
    {
        tdFindHandOffsets(&c->hands[index], offsets);
    }
    for (int side = 0; side < 2 && hasHands; ++side)
    {
        tdVec3 before = c->hands[index].arms[side];
        // A spread difference may move a hand that touches nothing.
        bool isMoved = tdLengthSquared(offsets[side]) > 0.0f || c->reaches[side][index] != tdLength(before);
        if (isMoved)
        {
            MoveHand(c, side, index, offsets[side], lowered, poles[2 + side]);
        }
    }
    for (int i = 0; i < TD_CONTACT_BONES; ++i)
    {
        if (keys->rotations[i] != NULL)
        {
            keys->rotations[i][index] = s->locals[s->rig->bones[keys->bones[i]].node].rotation;
        }
    }
    if (keys->hips != NULL)
    {
        tdVec3 local = s->locals[hips].translation;
        if (c->def->isInPlace)
        {
            tdVec3 place = tdRig_ToBody(s->rig, tdMat4Point(s->rig->hipsParent, local));
            tdVec3 rest = tdRig_ToBody(s->rig, s->rig->hipsRest);
            place = tdRig_FromBody(s->rig, (tdVec3){rest.x, place.y, rest.z});
            local = tdMat4Point(s->rig->hipsParentInverse, place);
        }
        keys->hips[index] = local;
    }
}

// Results

static bool ListBones(Contacts* c, bool hasFeet, bool hasHands, tdContactKeys* keys)
{
    int count = 0;
    for (int side = 0; side < 2; ++side)
    {
        for (int k = 0; k < 3; ++k)
        {
            keys->bones[count] = tdLegBones[side][k];
            keys->rotations[count] = hasFeet ? tdArena_NewArray(c->arena, tdQuat, c->count) : NULL;
            keys->bones[count + 1] = tdArmBones[side][k];
            keys->rotations[count + 1] = hasHands ? tdArena_NewArray(c->arena, tdQuat, c->count) : NULL;
            if ((hasFeet && keys->rotations[count] == NULL) ||
                (hasHands && keys->rotations[count + 1] == NULL))
            {
                return false;
            }
            count += 2;
        }
    }
    keys->bones[count] = TD_BONE_HIPS;
    keys->hips = hasFeet ? tdArena_NewArray(c->arena, tdVec3, c->count) : NULL;
    return !hasFeet || keys->hips != NULL;
}

static bool ListContacts(const Contacts* c, bool hasFeet, bool hasHands, tdContactKeys* keys)
{
    int capacity = c->stanceCounts[0] + c->stanceCounts[1];
    for (int i = 0; i < c->count && hasHands; ++i)
    {
        for (int side = 0; side < 2; ++side)
        {
            capacity += c->hands[i].touches[side] && (i == 0 || !c->hands[i - 1].touches[side]);
        }
    }
    tdMotionContact* list = tdArena_NewArray(c->arena, tdMotionContact, capacity + 1);
    if (list == NULL)
    {
        return false;
    }
    int count = 0;
    for (int side = 0; side < 2 && hasFeet; ++side)
    {
        for (int i = 0; i < c->stanceCounts[side]; ++i)
        {
            const Stance* stance = &c->stances[side][i];
            list[count++] =
                (tdMotionContact){(int)tdLegBones[side][2], c->times[stance->start], c->times[stance->end]};
        }
    }
    for (int side = 0; side < 2 && hasHands; ++side)
    {
        for (int i = 0; i < c->count; ++i)
        {
            bool starts = c->hands[i].touches[side] && (i == 0 || !c->hands[i - 1].touches[side]);
            if (starts)
            {
                list[count++] = (tdMotionContact){(int)tdArmBones[side][2], c->times[i], c->times[i]};
            }
            else if (c->hands[i].touches[side])
            {
                list[count - 1].end = c->times[i];
            }
        }
    }
    keys->contacts = list;
    keys->contactCount = count;
    return true;
}

static void ChooseRate(Contacts* c)
{
    c->rate = tdChooseContactRate(c->def);
    double samples = (double)c->def->duration * c->rate;
    c->count = samples < (double)MAX_SAMPLES ? (int)(samples + 0.999) + 1 : MAX_SAMPLES;
}

bool tdKeepContacts(const tdContactDef* def, tdArena* arena, tdContactKeys* keys)
{
    Contacts c = {.def = def, .arena = arena};
    *keys = (tdContactKeys){0};
    c.legA = tdRig_MeasureLeg(def->source);
    c.legB = tdRig_MeasureLeg(def->target);
    tdHandPoses hands = {&c.a, &c.b, tdMeasureArm(def->source), tdMeasureArm(def->target)};
    for (int side = 0; side < 2; ++side)
    {
        c.shapesA[side] = tdMeasureFoot(def->source, side);
        c.shapesB[side] = tdMeasureFoot(def->target, side);
    }
    bool hasFeet = (def->kinds & TD_KEEP_FEET) != 0 && HasLegs(&c);
    bool hasHands = (def->kinds & TD_KEEP_HANDS) != 0 && hands.sourceArm > 0.0f && hands.targetArm > 0.0f;
    if ((!hasFeet && !hasHands) || !(def->duration > 0.0f))
    {
        return true;
    }
    ChooseRate(&c);
    c.times = tdArena_NewArray(arena, float, c.count);
    c.feet[0] = tdArena_NewArray(arena, FootSample, c.count);
    c.feet[1] = tdArena_NewArray(arena, FootSample, c.count);
    c.hands = hasHands ? tdArena_NewArray(arena, tdHandSample, c.count) : NULL;
    if (c.times == NULL || c.feet[0] == NULL || c.feet[1] == NULL || (hasHands && c.hands == NULL) ||
        !tdPoseSampler_Init(&c.a, def->source, def->sourceChannels, def->sourceChannelCount, arena) ||
        !tdPoseSampler_Init(&c.b, def->target, def->targetChannels, def->targetChannelCount, arena))
    {
        return false;
    }
    for (int i = 0; i < c.count; ++i)
    {
        c.times[i] = (float)((double)i / c.rate);
        c.times[i] = tdMinFloat(c.times[i], def->duration);
        tdPoseSampler_Sample(&c.a, (double)c.times[i]);
        tdPoseSampler_ResetRoot(&c.a);
        tdPoseSampler_Sample(&c.b, (double)c.times[i]);
        tdPoseSampler_Update(&c.a);
        tdPoseSampler_Update(&c.b);
        if (hasFeet)
        {
            SampleFeet(&c, i);
        }
        if (hasHands)
        {
            tdSampleHands(&hands, &c.hands[i]);
        }
    }
    while (c.count > 1 && !(c.times[c.count - 1] > c.times[c.count - 2]))
    {
        c.count -= 1; // float32 cannot tell the last times apart
    }
    if (hasFeet)
    {
        if (!FindStances(&c, 0) || !FindStances(&c, 1))
        {
            return false;
        }
        FindLevels(&c);
        PlaceFeet(&c);
        if (!SinkHips(&c) || !CalmSwings(&c))
        {
            return false;
        }
    }
    if (hasHands && (!tdSmoothTouches(c.hands, c.count, c.rate, arena) ||
                     !tdPlanReaches(&hands, c.hands, c.count, c.rate, arena, c.reaches)))
    {
        return false;
    }
    if (!ListBones(&c, hasFeet, hasHands, keys) || !ListContacts(&c, hasFeet, hasHands, keys))
    {
        return false;
    }
    for (int i = 0; i < c.count; ++i)
    {
        PoseSample(&c, i, hasFeet, hasHands, keys);
    }
    keys->count = c.count;
    keys->times = c.times;
    return true;
}
