// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Bodies and motions with known contacts: walks, turns, jumps, crouches and stairs, and measures of a clip
// that plays them.
#pragma once

#include "harness.h"

#include "anim/clip.h"
#include "anim/rig.h"
#include "anim/sampler.h"
#include "runtime/builder.h"

#include "tendon/ik.h"

#include <math.h>
#include <stdlib.h>

#define RATE 60
#define FRAMES 361 // 6 s
#define MAX_KEYS 721

// Measures of a body, m.
typedef struct Shape
{
    float thigh, shin, ankle, foot, toe, hipWidth, spine, shoulder, upperArm, lowerArm;
} Shape;

static const Shape shapes[] = {
    {0.42f, 0.41f, 0.08f, 0.14f, 0.02f, 0.09f, 0.45f, 0.17f, 0.28f, 0.25f},  // the source
    {0.42f, 0.41f, 0.08f, 0.14f, 0.02f, 0.09f, 0.45f, 0.17f, 0.28f, 0.25f},  // the same
    {0.55f, 0.50f, 0.09f, 0.16f, 0.02f, 0.10f, 0.50f, 0.19f, 0.33f, 0.30f},  // tall
    {0.22f, 0.20f, 0.06f, 0.10f, 0.015f, 0.07f, 0.35f, 0.13f, 0.17f, 0.15f}, // a child
    {0.34f, 0.46f, 0.10f, 0.12f, 0.03f, 0.14f, 0.55f, 0.24f, 0.26f, 0.27f},  // wide, long shins
    {0.47f, 0.36f, 0.07f, 0.15f, 0.02f, 0.08f, 0.40f, 0.15f, 0.31f, 0.22f},  // long thighs
};

typedef struct Body
{
    tdBuilder b;
    tdHumanoid humanoid;
    int boneOfNode[256];
    tdAsset* asset;
} Body;

static inline void AddBone(Body* body, tdBone bone, float x, float y, float z)
{
    tdBone parent = tdHumanoid_GetParent(&body->humanoid, bone);
    int above = parent == TD_BONE_NONE ? -1 : body->humanoid.nodes[parent];
    tdTrs local = {{x, y, z}, tdQuat_identity, {1, 1, 1}};
    body->humanoid.nodes[bone] = tdBuilder_AddNode(&body->b, above, local);
}

static inline void MakeBody(Body* body, const Shape* s)
{
    memset(body, 0, sizeof(*body));
    tdBuilder_Init(&body->b, NULL);
    body->humanoid.kind = TD_HUMANOID_VRM1;
    body->humanoid.gazeNode = -1;
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        body->humanoid.nodes[i] = -1;
    }
    AddBone(body, TD_BONE_HIPS, 0, s->ankle + s->shin + s->thigh, 0);
    AddBone(body, TD_BONE_SPINE, 0, 0.3f * s->spine, 0);
    AddBone(body, TD_BONE_NECK, 0, 0.7f * s->spine, 0);
    AddBone(body, TD_BONE_HEAD, 0, 0.1f, 0);
    for (int side = 0; side < 2; ++side)
    {
        float x = side == 0 ? 1.0f : -1.0f;
        int legs = side == 0 ? 0 : TD_BONE_RIGHT_UPPER_LEG - TD_BONE_LEFT_UPPER_LEG;
        int arms = side == 0 ? 0 : TD_BONE_RIGHT_UPPER_ARM - TD_BONE_LEFT_UPPER_ARM;
        AddBone(body, (tdBone)(TD_BONE_LEFT_UPPER_LEG + legs), x * s->hipWidth, 0, 0);
        AddBone(body, (tdBone)(TD_BONE_LEFT_LOWER_LEG + legs), 0, -s->thigh, 0);
        AddBone(body, (tdBone)(TD_BONE_LEFT_FOOT + legs), 0, -s->shin, 0);
        AddBone(body, (tdBone)(TD_BONE_LEFT_TOES + legs), 0, s->toe - s->ankle, s->foot);
        AddBone(body, (tdBone)(TD_BONE_LEFT_UPPER_ARM + arms), x * s->shoulder, 0.6f * s->spine, 0);
        AddBone(body, (tdBone)(TD_BONE_LEFT_LOWER_ARM + arms), x * s->upperArm, 0, 0);
        AddBone(body, (tdBone)(TD_BONE_LEFT_HAND + arms), x * s->lowerArm, 0, 0);
    }
    for (int i = 0; i < 256; ++i)
    {
        body->boneOfNode[i] = TD_BONE_NONE;
    }
    for (int i = 0; i < TD_BONE_COUNT; ++i)
    {
        if (body->humanoid.nodes[i] >= 0)
        {
            body->boneOfNode[body->humanoid.nodes[i]] = i;
        }
    }
    body->humanoid.boneOfNode = body->boneOfNode;
}

static inline void FinishBody(Body* body)
{
    body->asset = tdBuilder_Finish(&body->b);
    body->asset->scene.humanoid = &body->humanoid;
}

// Motions

typedef enum MotionKind
{
    WALK,
    FAST_WALK,
    TURN,
    JUMP,
    CROUCH,
    STAIRS,
    SLOW_WALK,   // feet leave the ground slowly
    SLOW_STAIRS, // ends on a step that does not carry the body yet
    MOTION_COUNT
} MotionKind;

static const char* const motionNames[] = {"walk",   "fast walk", "turn",      "jump",
                                          "crouch", "stairs",    "slow walk", "slow stairs"};

// Lengths in m; times are shares of the period of two steps, s.
typedef struct Gait
{
    float length, rise, lift, low; // of a step; lift of the foot; hips below straight legs
    float period, stance;
    float roll; // rad, of the heel at the end of the stance
} Gait;

static const Gait gaits[MOTION_COUNT] = {
    [WALK] = {0.32f, 0.0f, 0.12f, 0.05f, 1.2f, 0.65f, 0.35f},
    [FAST_WALK] = {0.45f, 0.0f, 0.12f, 0.08f, 0.9f, 0.6f, 0.35f},
    [TURN] = {0.32f, 0.0f, 0.12f, 0.05f, 1.2f, 0.65f, 0.35f},
    [STAIRS] = {0.28f, 0.16f, 0.12f, 0.18f, 1.2f, 0.65f, 0.0f},
    [SLOW_WALK] = {0.18f, 0.0f, 0.11f, 0.06f, 1.47f, 0.57f, 0.3f},
    [SLOW_STAIRS] = {0.28f, 0.11f, 0.08f, 0.2f, 1.57f, 0.65f, 0.0f},
};

// How a motion is recorded: keys per second, and size and pace of the source.
typedef struct Recording
{
    int rate;
    float size;   // of the source, with its steps
    float pace;   // multiple of the durations
    float stride; // multiple of the length of steps
} Recording;

static const Recording plainRecording = {RATE, 1.0f, 1.0f, 1.0f};
static Recording recording = {RATE, 1.0f, 1.0f, 1.0f};

static inline Gait GetGait(MotionKind kind)
{
    Gait gait = gaits[kind];
    gait.length *= recording.size * recording.stride;
    gait.rise *= recording.size;
    gait.lift *= recording.size;
    gait.low *= recording.size;
    gait.period *= recording.pace;
    return gait;
}

typedef struct FootState
{
    tdVec3 ankle;
    float yaw, pitch; // rad; pitch raises the heel about the toes
    float ground;     // m, height of the ground that the foot must not sink into
    bool isContact;
    bool isHeld, isFlat; // the keys before and after the time are in contact, and flat on the ground
} FootState;

typedef struct BodyState
{
    tdVec3 hips;
    float yaw;
    FootState feet[2];
} BodyState;

static inline float Smooth(float t)
{
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * t * (t * (6.0f * t - 15.0f) + 10.0f);
}

// The place of a footprint: along a line, stairs, or a circle.
static inline FootState MakePrint(MotionKind kind, const Shape* s, int side, float step)
{
    Gait own = GetGait(kind);
    const Gait* gait = &own;
    float x = side == 0 ? s->hipWidth : -s->hipWidth;
    FootState foot = {.ankle = {x, s->ankle + gait->rise * step, gait->length * step},
                      .ground = gait->rise * step,
                      .isContact = true};
    if (kind == TURN)
    {
        float radius = recording.size, angle = gait->length * step / radius;
        foot.ankle.x = radius - (radius - x) * cosf(angle);
        foot.ankle.z = (radius - x) * sinf(angle);
        foot.yaw = angle;
    }
    return foot;
}

static inline BodyState MakeStep(MotionKind kind, const Shape* s, float time)
{
    BodyState state = {0};
    Gait own = GetGait(kind);
    const Gait* gait = &own;
    float period = gait->period, stance = gait->stance, level = 0.0f;
    tdVec3 sum = {0, 0, 0};
    for (int side = 0; side < 2; ++side)
    {
        float phase = time / period + 0.5f * (float)side;
        float cycle = floorf(phase), u = phase - cycle;
        // Print number: the left foot takes the even ones, the right foot the odd ones.
        float print = 2.0f * cycle - (float)side;
        FootState from = MakePrint(kind, s, side, print), to = MakePrint(kind, s, side, print + 2.0f);
        FootState foot = from;
        if (u < stance)
        {
            foot.pitch = gait->roll * Smooth((u - stance + 0.15f) / 0.15f);
            // The ankle turns about the toes.
            tdVec3 toToes = {0, s->toe - s->ankle, s->foot};
            tdVec3 turned = {0, toToes.y * cosf(foot.pitch) - toToes.z * sinf(foot.pitch),
                             toToes.y * sinf(foot.pitch) + toToes.z * cosf(foot.pitch)};
            tdVec3 change = tdSub(toToes, turned);
            foot.ankle.y += change.y;
            foot.ankle.x += change.z * sinf(foot.yaw);
            foot.ankle.z += change.z * cosf(foot.yaw);
        }
        else
        {
            float v = (u - stance) / (1.0f - stance), w = Smooth(v);
            FootState last =
                MakeStep(kind, s, (cycle + stance - 1.0e-4f - 0.5f * (float)side) * period).feet[side];
            foot.ankle = tdLerp(last.ankle, to.ankle, w);
            foot.ankle.y += gait->lift * 16.0f * v * v * (1.0f - v) * (1.0f - v);
            foot.yaw = from.yaw + w * (to.yaw - from.yaw);
            foot.pitch = last.pitch * (1.0f - Smooth(v));
            foot.ground = tdMinFloat(from.ground, to.ground);
            foot.isContact = false;
        }
        state.feet[side] = foot;
        // The hips follow the middle of the prints.
        float along = phase * 2.0f - (float)side - stance;
        FootState middle = MakePrint(kind, s, side, along);
        sum = tdAdd(sum, tdScale(0.5f, middle.ankle));
        level += 0.5f * (middle.ankle.y - s->ankle);
        state.yaw += 0.5f * middle.yaw;
    }
    float bob = 0.012f * recording.size * cosf(4.0f * 3.14159265f * time / period);
    state.hips = (tdVec3){sum.x, s->ankle + s->shin + s->thigh - gait->low + bob + level, sum.z};
    return state;
}

static inline BodyState MakeState(MotionKind kind, const Shape* s, float time)
{
    if (kind != JUMP && kind != CROUCH)
    {
        return MakeStep(kind, s, time + 10.0f);
    }
    float height = s->ankle + s->shin + s->thigh, size = recording.size;
    BodyState state = {.hips = {0, height - 0.03f * size, 0}};
    for (int side = 0; side < 2; ++side)
    {
        state.feet[side] =
            (FootState){.ankle = {side == 0 ? s->hipWidth : -s->hipWidth, s->ankle, 0}, .isContact = true};
    }
    float u = fmodf(time, 2.0f);
    if (kind == CROUCH)
    {
        state.hips.y -= 0.3f * size * (Smooth(u / 0.8f) - Smooth((u - 1.0f) / 0.8f));
        state.hips.z -= 0.1f * size * (Smooth(u / 0.8f) - Smooth((u - 1.0f) / 0.8f));
        return state;
    }
    // Down, up, flight of 0.5 s from 0.7 s on, down, up.
    float air = 0.5f, g = 9.81f, flight = u - 0.7f;
    state.hips.y -= 0.2f * size * (Smooth(u / 0.4f) - Smooth((u - 0.4f) / 0.3f));
    state.hips.y -= 0.2f * size * (Smooth((u - 1.2f) / 0.25f) - Smooth((u - 1.45f) / 0.5f));
    if (flight > 0.0f && flight < air)
    {
        float rise = 0.5f * g * flight * (air - flight);
        state.hips.y += rise;
        for (int side = 0; side < 2; ++side)
        {
            state.feet[side].ankle.y += rise;
            state.feet[side].isContact = false;
        }
    }
    return state;
}

// Between two keys, a recorded foot rests only if both of them have it on the ground.
static inline BodyState MakeRecordedState(MotionKind kind, const Shape* s, int frame)
{
    BodyState state = MakeState(kind, s, (float)frame / RATE);
    int first = frame * recording.rate / RATE, last = (frame * recording.rate + RATE - 1) / RATE;
    for (int side = 0; side < 2; ++side)
    {
        FootState* foot = &state.feet[side];
        foot->isHeld = foot->isFlat = true;
        for (int key = first; key <= last; ++key)
        {
            FootState other = MakeState(kind, s, (float)key / (float)recording.rate).feet[side];
            foot->isHeld = foot->isHeld && other.isContact;
            foot->isFlat = foot->isFlat && other.isContact && other.pitch < 1.0e-3f;
        }
    }
    return state;
}

static inline tdQuat YawPitch(float yaw, float pitch)
{
    tdQuat a = {0, sinf(0.5f * yaw), 0, cosf(0.5f * yaw)}, b = {sinf(0.5f * pitch), 0, 0, cosf(0.5f * pitch)};
    return tdMulQuat(a, b);
}

typedef struct Motion
{
    Shape shape;              // of the source
    BodyState states[FRAMES]; // at RATE
    int keyCount;
    float times[MAX_KEYS];
    float hips[MAX_KEYS][3];
    tdQuat rotations[TD_BONE_COUNT][MAX_KEYS];
} Motion;

static const tdBone feetBones[2] = {TD_BONE_LEFT_FOOT, TD_BONE_RIGHT_FOOT};
static const tdBone toeBones[2] = {TD_BONE_LEFT_TOES, TD_BONE_RIGHT_TOES};
static const tdBone kneeBones[2] = {TD_BONE_LEFT_LOWER_LEG, TD_BONE_RIGHT_LOWER_LEG};

// Animates the source so that its feet are where the states say.
static inline void AnimateBody(Body* body, const Shape* s, MotionKind kind, Motion* motion)
{
    FinishBody(body);
    tdRig* rig = tdCreateRig(body->asset, NULL);
    tdTrs locals[64];
    motion->shape = *s;
    for (int i = 0; i < FRAMES; ++i)
    {
        motion->states[i] = MakeRecordedState(kind, s, i);
    }
    motion->keyCount = (FRAMES - 1) * recording.rate / RATE + 1;
    for (int i = 0; i < motion->keyCount; ++i)
    {
        float time = (float)i / (float)recording.rate;
        BodyState state = MakeState(kind, s, time);
        motion->times[i] = time;
        memcpy(locals, body->b.locals, sizeof(tdTrs) * (size_t)body->b.nodeCount);
        int hips = body->humanoid.nodes[TD_BONE_HIPS];
        locals[hips].translation = state.hips;
        locals[hips].rotation = YawPitch(state.yaw, 0.0f);
        for (int side = 0; side < 2; ++side)
        {
            int foot = body->humanoid.nodes[feetBones[side]];
            tdTwoBoneDef def = tdDefaultTwoBoneDef();
            def.target = state.feet[side].ankle;
            def.pole = (tdVec3){sinf(state.yaw), 0, cosf(state.yaw)};
            float missed = tdRig_MoveLimb(rig, locals, (int)feetBones[side], &def);
            ENSURE(missed < 1.0e-4f);
            // MoveLimb kept the rotation of the foot, which is that of the hips.
            tdQuat turn = YawPitch(state.feet[side].yaw - state.yaw, state.feet[side].pitch);
            tdQuat above = tdQuat_identity;
            for (int n = body->b.parents[foot]; n >= 0; n = body->b.parents[n])
            {
                above = tdMulQuat(locals[n].rotation, above);
            }
            tdQuat world = tdMulQuat(YawPitch(state.yaw, 0.0f), turn);
            locals[foot].rotation = tdInvMulQuat(above, world);
        }
        memcpy(motion->hips[i], &locals[hips].translation, sizeof(motion->hips[i]));
        for (int k = 0; k < TD_BONE_COUNT; ++k)
        {
            int node = body->humanoid.nodes[k];
            motion->rotations[k][i] = node >= 0 ? locals[node].rotation : tdQuat_identity;
        }
    }
    tdDestroyRig(rig);
    for (int k = 0; k < TD_BONE_COUNT; ++k)
    {
        if (body->humanoid.nodes[k] >= 0)
        {
            tdBuilder_AddChannel(&body->b, TD_PROPERTY_ROTATION, body->humanoid.nodes[k],
                                 TD_INTERPOLATION_LINEAR, 4, motion->keyCount, motion->times,
                                 &motion->rotations[k][0].x);
        }
    }
    tdBuilder_AddChannel(&body->b, TD_PROPERTY_TRANSLATION, body->humanoid.nodes[TD_BONE_HIPS],
                         TD_INTERPOLATION_LINEAR, 3, motion->keyCount, motion->times, &motion->hips[0][0]);
    FinishBody(body);
}

// Measures

typedef struct Pose
{
    tdVec3 ankles[2], toes[2];
    tdQuat knees[2];
    float soles[2]; // height of the lowest point of the sole
} Pose;

static inline Pose PoseAt(const Body* body, const Shape* s, const tdChannel* channels, int count, double time)
{
    tdTrs locals[64];
    tdMat4 globals[64];
    memcpy(locals, body->b.locals, sizeof(tdTrs) * (size_t)body->b.nodeCount);
    for (int c = 0; c < count; ++c)
    {
        int cursor = 0, node = channels[c].target.object;
        float* value = channels[c].target.kind == TD_PROPERTY_ROTATION ? &locals[node].rotation.x
                                                                       : &locals[node].translation.x;
        tdSampleChannel(&channels[c], time, &cursor, value);
    }
    for (int n = 0; n < body->b.nodeCount; ++n)
    {
        tdMat4 local = tdMat4FromTrs(locals[n]);
        globals[n] = body->b.parents[n] >= 0 ? tdMulMat4(globals[body->b.parents[n]], local) : local;
    }
    Pose pose;
    for (int side = 0; side < 2; ++side)
    {
        tdMat4 foot = globals[body->humanoid.nodes[feetBones[side]]];
        tdMat4 toes = globals[body->humanoid.nodes[toeBones[side]]];
        pose.ankles[side] = tdMat4Translation(foot);
        pose.toes[side] = tdMat4Translation(toes);
        pose.knees[side] = locals[body->humanoid.nodes[kneeBones[side]]].rotation;
        float heel = tdMat4Point(foot, (tdVec3){0, -s->ankle, 0}).y;
        float ball = tdMat4Point(toes, (tdVec3){0, -s->toe, 0}).y;
        pose.soles[side] = heel < ball ? heel : ball;
    }
    return pose;
}

typedef struct Measures
{
    float sliding;     // m/s, largest of a foot in contact
    float penetration; // m
    float gap;         // m, largest between the ground and a sole in contact
    float pop;         // rad/s^2, largest angular acceleration of a knee
} Measures;

static inline float Horizontal(tdVec3 a, tdVec3 b)
{
    float x = a.x - b.x, z = a.z - b.z;
    return sqrtf(x * x + z * z);
}

// Measures a clip at 60 Hz, shifted by a part of a frame. `states` are the known contacts of the source.
static inline Measures MeasureClip(const Body* body, const Shape* s, const tdChannel* channels, int count,
                                   const Motion* motion, double shift)
{
    Measures m = {0, 0, 0, 0};
    float travel = (s->thigh + s->shin) / (motion->shape.thigh + motion->shape.shin);
    Pose before = {0}, beforeThat = {0};
    for (int i = 0; i + 1 < FRAMES; ++i)
    {
        Pose pose = PoseAt(body, s, channels, count, ((double)i + shift) / RATE);
        for (int side = 0; side < 2; ++side)
        {
            const FootState* here = &motion->states[i].feet[side];
            bool isFlat = i > 0;
            bool isContact = i > 1;
            for (int k = i - 2; k <= i + 1 && isContact; ++k)
            {
                isContact = isContact && motion->states[k].feet[side].isHeld;
                isFlat = isFlat && motion->states[k].feet[side].isFlat;
            }
            if (isContact)
            {
                float ankle = Horizontal(pose.ankles[side], before.ankles[side]) * RATE;
                float toes = Horizontal(pose.toes[side], before.toes[side]) * RATE;
                float sliding = isFlat ? ankle : toes;
                m.sliding = sliding > m.sliding ? sliding : m.sliding;
            }
            // The next frame counts, too: a shifted sample lies between both.
            float next = motion->states[i + 1].feet[side].ground;
            float height = pose.soles[side] - travel * tdMinFloat(here->ground, next);
            m.penetration = tdMaxFloat(m.penetration, -height);
            m.gap = isContact ? tdMaxFloat(m.gap, height) : m.gap;
            if (i > 1)
            {
                tdQuat first = tdInvMulQuat(beforeThat.knees[side], before.knees[side]);
                tdQuat second = tdInvMulQuat(before.knees[side], pose.knees[side]);
                float x = (second.x - first.x) * 2.0f * RATE * RATE;
                float y = (second.y - first.y) * 2.0f * RATE * RATE,
                      z = (second.z - first.z) * 2.0f * RATE * RATE;
                float size = sqrtf(x * x + y * y + z * z);
                m.pop = size > m.pop ? size : m.pop;
            }
        }
        beforeThat = before;
        before = pose;
    }
    return m;
}

// The largest measures of a clip on and between the frames of 60 Hz.
static inline Measures MeasureBetweenFrames(const Body* body, const Shape* s, const tdChannel* channels,
                                            int count, const Motion* motion)
{
    Measures m = {0, 0, 0, 0};
    for (int part = 0; part < 4; ++part)
    {
        Measures n = MeasureClip(body, s, channels, count, motion, 0.25 * part);
        m.sliding = tdMaxFloat(m.sliding, n.sliding);
        m.penetration = tdMaxFloat(m.penetration, n.penetration);
        m.gap = tdMaxFloat(m.gap, n.gap);
        m.pop = tdMaxFloat(m.pop, n.pop);
    }
    return m;
}

static inline double MeasureF1(const tdClip* clip, const Motion* motion)
{
    int hit = 0, extra = 0, missed = 0;
    for (int i = 0; i < FRAMES; ++i)
    {
        for (int side = 0; side < 2; ++side)
        {
            bool found = false;
            for (int k = 0; k < tdClip_GetContactCount(clip); ++k)
            {
                tdMotionContact contact = tdClip_GetContact(clip, k);
                float time = (float)i / RATE;
                found = found || (contact.bone == (int)feetBones[side] && time >= contact.start - 1.0e-4f &&
                                  time <= contact.end + 1.0e-4f);
            }
            bool isContact = motion->states[i].feet[side].isContact;
            hit += found && isContact;
            extra += found && !isContact;
            missed += !found && isContact;
        }
    }
    return 2.0 * hit / (2.0 * hit + extra + missed);
}

// Random bodies and recordings

static inline float RandomBetween(uint32_t* seed, float low, float high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (float)(*seed >> 8) * (1.0f / 16777216.0f);
}

// A body of a size, with every measure varied by a share.
static inline Shape MakeRandomShape(uint32_t* seed, float size, float share)
{
    Shape shape = shapes[0];
    float* measures = &shape.thigh;
    for (size_t i = 0; i < sizeof(Shape) / sizeof(float); ++i)
    {
        measures[i] *= size * RandomBetween(seed, 1.0f - share, 1.0f + share);
    }
    return shape;
}

// Number of random cases: that of the environment, or a default.
static inline int GetCaseCount(int usual)
{
    const char* text = getenv("TENDON_CONTACT_CASES");
    return text != NULL ? atoi(text) : usual;
}

// Seed of the first random case: that of the environment, or a default.
static inline uint32_t GetFirstSeed(uint32_t usual)
{
    const char* text = getenv("TENDON_CONTACT_SEED");
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : usual;
}
