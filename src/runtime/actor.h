// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The actor: one instance of an asset on a stage. Its files:
//
//     actor.c             creation, plays, values that the application sets
//     bind.c              who writes each node property, which constraints run after physics
//     tracks.c            clips to locals, morph weights and properties
//     face.c              expressions and gaze
//     actor_springs.c     spring bones
//     physics_binding.c   bodies, shapes and joints of the actor's nodes, with the files it names
//     step.c              the order of the phases of a step
//
// One writer per node property: body > spring (rotation) > constraint (rotation) > application > clips >
// rest. `writers` holds the winner. tdActor_Bind recomputes it when a clip starts or stops, a switch changes,
// or the application sets or clears a node property. See docs/decisions/030.
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
    TD_WRITER_SPRING,
    TD_WRITER_BODY,
} tdWriter;

/// Writers of one node's properties.
typedef struct tdNodeWriters
{
    uint8_t translation, rotation, scale, weights;
} tdNodeWriters;

/// A clip that is playing.
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

/// A property that clips drive. Its inputs are [firstInput, firstInput + inputCount) of the actor.
typedef struct tdTrack
{
    tdProperty target;
    int width;
    bool isRotation;
    int firstInput, inputCount;
} tdTrack;

typedef struct tdTrackInput
{
    tdProperty target; // the object of an expression is a face entry
    int play, channel;
} tdTrackInput;

/// A clip that played on an actor, so that a saved state can play it again.
typedef struct tdKnownClip
{
    const tdClip* clip;
    uint64_t fingerprint; // tdClip_ComputeFingerprint
} tdKnownClip;

/// An expression. Those of the model come first, then those that only playing clips have.
typedef struct tdFaceEntry
{
    const char* name; // first, for tdNameTable
    bool isAnimated;  // a playing clip drives it
    bool isSet;       // the application set it
    float clipWeight, setWeight;
    float output; // after isBinary and overrides; of the model's expressions only
} tdFaceEntry;

/// Origin of the gaze.
typedef enum tdGazeSource
{
    TD_GAZE_CLIPS,  // the application sets none
    TD_GAZE_ANGLES, // set by the application
    TD_GAZE_POINT,  // of the world
    TD_GAZE_NODE,   // of the actor
} tdGazeSource;

/// Length of a recorded run without clips, in seconds. See docs/contracts.md, trace.
#define TD_DEFAULT_SECONDS 10.0

typedef struct tdActorPhysics tdActorPhysics; // physics_binding.h
typedef struct tdActorSprings tdActorSprings; // actor_springs.h

struct tdActor
{
    tdStage* stage;
    const tdAsset* asset;
    const tdScene* scene;
    tdArena arena;                      // everything whose size follows from the asset
    const tdPhysicsScene* physicsScene; // of the scene in tdActorDef. NULL: none
    bool enableConstraints, enablePhysics, enableSprings;
    bool isBound;     // writers and tracks are current
    bool isPoseStale; // constraints must run although no local changed
    tdNodePose pose;
    float* weights; // all nodes' morph weights
    const float*
        baseWeights; // of morph targets that nothing drives: 0 on nodes that expressions bind, else rest
    tdNodeWriters* writers; // by node

    tdArray(tdPlay) plays;
    tdArray(tdKnownClip) knownClips;
    tdArray(tdTrack) tracks;
    tdArray(tdTrackInput) inputs;
    float* values;  // two values of the widest channel
    int valueWidth; // of each of them

    tdTrs* setLocals; // by node, valid where setMasks has bits; NULL until first used
    uint8_t* setMasks;
    int* setNodes; // nodes with bits in setMasks
    int setCount;

    float* wantedWeights;     // of constraints, by place in the list
    float* constraintWeights; // the same; TD_CONSTRAINT_OVERRULED where a body writes
    int* constraintPlaces;    // those before physics, then those after
    bool* constraintFollows;  // by place: runs after physics
    int constraintsBefore, constraintsAfter;
    int constraintIterations; // upper bound for those after physics in one step
    int groupWidth;           // actors in an actor group of this asset; 1: the actor runs alone

    tdArray(tdFaceEntry) face;
    tdNameTable faceTable;    // of `face`
    int modelExpressionCount; // first entries of face
    bool hasClipGaze;
    tdQuat clipGaze;
    tdGazeSource gazeSource;
    tdVec3 gazePoint; // m, world space
    int gazeNode;
    float setYaw, setPitch; // rad; of a point or node as of the last sample
    bool isGazeAimed;       // a point or node gave angles at the last sample
    bool overrideBoneGaze;
    int headNode;    // -1: none
    tdQuat gazeTurn; // from the head's frame to that of the gaze, in which +Z is forward
    bool isGazing;   // the gaze turned the eyes at the last sample
    struct
    {
        int node;           // -1: none
        tdQuat left, right; // local = left * normalised rotation * right
    } eyes[2];              // left, right
    float* materialValues;  // four floats per material value of the scene

    tdActorPhysics* physics; // NULL: none
    tdActorSprings* springs; // NULL: none

    uint32_t recordNumber; // in the recording of the stage: actors are numbered from 0
    uint64_t fingerprint;  // of its content, for saved states; 0: not computed yet
    int place;             // in the stage's actors, while a state is saved or loaded
};

/// Reserves everything that tdActor_Bind needs for clips with so many channels and expressions, the widest
/// channel having `width` floats.
/// @return false when memory ran out
bool tdActor_ReserveTracks(tdActor* actor, int channelCount, int expressionCount, int width);
/// Reserves the application's locals.
/// @return false when memory ran out
bool tdActor_ReserveSetLocals(tdActor* actor);

/// The call log of the actor's stage (physics/data/call_log.h); NULL if the actor is NULL or not recorded.
struct tdCallLog* tdActor_GetCalls(const tdActor* actor);

/// Seconds from a stage time until the last playing clip ends; TD_DEFAULT_SECONDS if none plays.
double tdActor_GetSecondsLeft(const tdActor* actor, double time);
