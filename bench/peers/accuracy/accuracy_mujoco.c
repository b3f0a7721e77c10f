// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// MuJoCo as an engine of the accuracy scenes, with its default settings: joint coordinates, semi-implicit
// Euler, soft contacts.
#include "accuracy.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct MujocoInstance
{
    mjModel* model;
    mjData* data;
    int ids[ACCURACY_MAX_BODIES]; // of the bodies
} MujocoInstance;

typedef struct Text
{
    char data[65536];
    size_t length;
} Text;

static void AppendText(Text* text, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length +=
        (size_t)vsnprintf(text->data + text->length, sizeof(text->data) - text->length, format, arguments);
    va_end(arguments);
}

// A body with its children. Positions of bodies and joints are relative to the parent's frame and the body's.
static void AppendBody(Text* text, const AccuracyScene* scene, int index, const double* parentPosition)
{
    const AccuracyBody* body = &scene->bodies[index];
    const double* p = body->position;
    const AccuracyHinge* hinge = NULL;
    for (int i = 0; i < scene->hingeCount; ++i)
    {
        hinge = scene->hinges[i].child == index ? &scene->hinges[i] : hinge;
    }
    AppendText(text, "<body name=\"b%d\" pos=\"%.17g %.17g %.17g\">", index, p[0] - parentPosition[0],
               p[1] - parentPosition[1], p[2] - parentPosition[2]);
    if (hinge != NULL)
    {
        AppendText(text, "<joint type=\"hinge\" axis=\"0 0 1\" pos=\"%.17g %.17g %.17g\"/>",
                   hinge->anchor[0] - p[0], hinge->anchor[1] - p[1], hinge->anchor[2] - p[2]);
    }
    else
    {
        AppendText(text, "<freejoint/>");
    }
    AppendText(text, "<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>", body->mass,
               body->inertia[0], body->inertia[1], body->inertia[2]);
    if (body->shape != ACCURACY_NO_SHAPE)
    {
        AppendText(text, "<geom type=\"%s\" size=\"%.17g %.17g %.17g\" friction=\"%.17g 0.005 0.0001\"/>",
                   body->shape == ACCURACY_SPHERE ? "sphere" : "box", body->size[0], body->size[1],
                   body->size[2], scene->friction);
    }
    for (int i = 0; i < scene->hingeCount; ++i)
    {
        if (scene->hinges[i].parent == index)
        {
            AppendBody(text, scene, scene->hinges[i].child, p);
        }
    }
    AppendText(text, "</body>");
}

static bool HasParent(const AccuracyScene* scene, int body)
{
    for (int i = 0; i < scene->hingeCount; ++i)
    {
        if (scene->hinges[i].child == body && scene->hinges[i].parent >= 0)
        {
            return true;
        }
    }
    return false;
}

static void IgnoreWarning(const char* text)
{
    (void)text;
}

static void* CreateMujoco(const AccuracyScene* scene, double timeStep)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    static mjVFS files; // too large for the stack
    static Text text;
    MujocoInstance* instance = calloc(1, sizeof(MujocoInstance));
    const double* g = scene->gravity;
    mju_user_warning = IgnoreWarning;
    text.length = 0;
    AppendText(&text, "<mujoco><option timestep=\"%.17g\" gravity=\"%.17g %.17g %.17g\"/><worldbody>",
               timeStep, g[0], g[1], g[2]);
    if (scene->hasGround) // the plane's normal is Z
    {
        AppendText(&text,
                   "<geom type=\"plane\" size=\"0 0 1\" zaxis=\"0 1 0\" friction=\"%.17g 0.005 0.0001\"/>",
                   scene->friction);
    }
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        if (!HasParent(scene, i))
        {
            AppendBody(&text, scene, i, origin);
        }
    }
    AppendText(&text, "</worldbody></mujoco>");
    char error[300] = "";
    mj_defaultVFS(&files);
    if (mj_makeEmptyFileVFS(&files, "scene.xml", (int)text.length) == 0)
    {
        memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], text.data, text.length);
        instance->model = mj_loadXML("scene.xml", &files, error, sizeof(error));
    }
    mj_deleteVFS(&files);
    if (instance->model == NULL)
    {
        fprintf(stderr, "tendon_accuracy: MuJoCo: %s\n", error);
        exit(1);
    }
    instance->data = mj_makeData(instance->model);
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        char name[16];
        snprintf(name, sizeof(name), "b%d", i);
        int id = instance->ids[i] = mj_name2id(instance->model, mjOBJ_BODY, name);
        int joint = instance->model->body_jntadr[id];
        if (instance->model->jnt_type[joint] == mjJNT_FREE)
        {
            int first = instance->model->jnt_dofadr[joint];
            for (int k = 0; k < 3; ++k)
            {
                instance->data->qvel[first + k] = scene->bodies[i].linearVelocity[k];
                instance->data->qvel[first + 3 + k] = scene->bodies[i].angularVelocity[k];
            }
        }
    }
    mj_forward(instance->model, instance->data);
    return instance;
}

static void StepMujoco(void* context)
{
    MujocoInstance* instance = context;
    mj_step(instance->model, instance->data);
    mj_forward(instance->model, instance->data); // positions and velocities of bodies at the new time
}

static AccuracyState GetMujocoState(void* context, int body)
{
    const MujocoInstance* instance = context;
    int id = instance->ids[body];
    AccuracyState state = {{0}, {0}, {0}, {0}};
    mjtNum velocity[6];
    mj_objectVelocity(instance->model, instance->data, mjOBJ_BODY, id, velocity, 0);
    const mjtNum* q = instance->data->xquat + 4 * id;
    for (int k = 0; k < 3; ++k)
    {
        state.position[k] = instance->data->xipos[3 * id + k];
        state.angularVelocity[k] = velocity[k];
        state.linearVelocity[k] = velocity[3 + k];
        state.rotation[k] = q[k + 1];
    }
    state.rotation[3] = q[0];
    for (int i = 0; i < mjNWARNING; ++i) // a reset after values that are not finite
    {
        bool isReset = i == mjWARN_BADQPOS || i == mjWARN_BADQVEL || i == mjWARN_BADQACC;
        state.position[1] =
            isReset && instance->data->warning[i].number > 0 ? (double)NAN : state.position[1];
    }
    state.angularVelocity[0] = isnan(state.position[1]) ? (double)NAN : state.angularVelocity[0];
    return state;
}

static void DestroyMujoco(void* context)
{
    MujocoInstance* instance = context;
    mj_deleteData(instance->data);
    mj_deleteModel(instance->model);
    free(instance);
}

const AccuracyEngine mujocoEngine = {"MuJoCo",   false,          60,           CreateMujoco,
                                     StepMujoco, GetMujocoState, DestroyMujoco};
