// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The actor: one living copy of an asset. Its files: actor.c (life, plays, writers), tracks.c (clips to
// locals), face.c (expressions and gaze), bridge.c (nodes and bodies), step.c (the order of things).
//
// One writer per node property: body > constraint (rotation) > application > clips > rest. `writers` holds
// who it is; it is worked out again (tdActor_Bind) only when a clip starts or stops, a switch changes, or the
// application takes or frees a node.
#pragma once

#include "anim/clip.h"
#include "base/array.h"
#include "base/name_table.h"
#include "pose/node_pose.h"
#include "scene/humanoid.h"

#include "tendon/stage.h"

typedef enum tdWriter
{
    TD_WRITER_REST,
    TD_WRITER_CLIP,
    TD_WRITER_APPLICATION,
    TD_WRITER_CONSTRAINT,
    TD_WRITER_BODY,
} tdWriter;

/// Writers of one node's properties.
typedef struct tdNodeWriters
{
    uint8_t translation, rotation, scale, weights;
} tdNodeWriters;

/// A clip that plays.
typedef struct tdPlay
{
    const tdClip* clip; // NULL: the slot is free
    uint32_t generation;
    double startTime; // stage time at which the clip was at `start`
    double start;
    float speed, weight;
    bool loop;
    int* cursors;    // one per channel
    double clipTime; // at the time being sampled
} tdPlay;

/// A property some clips drive: inputs [firstInput, firstInput + inputCount) of the actor.
typedef struct tdTrack
{
    tdProperty target;
    int width;
    bool isRotation;
    int firstInput, inputCount;
} tdTrack;

typedef struct tdTrackInput
{
    tdProperty target; // with the object of an expression turned into a face entry
    int play, channel;
} tdTrackInput;

/// An expression that the model has (first) or that a playing clip carries (after those).
typedef struct tdFaceEntry
{
    const char* name; // first, for tdNameTable
    bool isAnimated;  // a playing clip carries it
    bool isSet;       // the application set it
    float clipWeight, setWeight;
    float output; // after isBinary and overrides; model's own only
} tdFaceEntry;

typedef struct tdActorPhysics tdActorPhysics; // physics_binding.h

struct tdActor
{
    tdStage* stage;
    const tdAsset* asset;
    const tdScene* scene;
    tdArena arena;                      // everything whose size the asset decides
    const tdPhysicsScene* physicsScene; // of the scene that the application chose. NULL: none
    bool enableConstraints, enablePhysics;
    bool isBound;     // writers and tracks are up to date
    bool isPoseStale; // constraints have to run although no local changed
    tdNodePose pose;
    float* weights;         // all nodes' morph weights
    tdNodeWriters* writers; // by node

    tdArray(tdPlay) plays;
    tdArray(tdTrack) tracks;
    tdArray(tdTrackInput) inputs;
    float* values;  // room for two values of the widest channel
    int valueWidth; // of each of them

    tdTrs* setLocals; // by node, valid where setMasks has bits; NULL until first used
    uint8_t* setMasks;
    int* setNodes; // those with bits
    int setCount;

    float* wantedWeights;     // of constraints, by place in the list
    float* constraintWeights; // the same, negative where a body overrules the constraint
    int* constraintPlaces;    // those before physics, then those after
    bool* constraintFollows;  // by place: runs after physics
    int constraintsBefore, constraintsAfter;
    int constraintLooks; // how often those after physics run in a step, at most
    int groupWidth;      // actors of this asset whose constraints can run at once; 1: none

    tdArray(tdFaceEntry) face;
    tdNameTable faceTable;    // of `face`
    int modelExpressionCount; // first entries of face
    bool hasClipGaze, isGazeSet;
    tdQuat clipGaze;
    float setYaw, setPitch;
    bool isGazing; // the eyes were turned last time
    struct
    {
        int node;           // -1: none
        tdQuat left, right; // local = left * normalised rotation * right
    } eyes[2];              // left, right

    tdActorPhysics* physics; // NULL: none
};

/// Until the last playing clip ends, counted from a stage time; 10 when none plays.
double tdActor_GetSecondsLeft(const tdActor* actor, double time);
