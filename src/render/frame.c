// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Morph targets, skinning and node transforms.
#include "frame.h"

#include <float.h>

bool tdFrame_Init(tdFrame* frame, const tdModel* model, tdArena* arena)
{
    frame->positions = tdArena_NewArray(arena, tdVec3, model->vertexCount + 1);
    frame->normals = tdArena_NewArray(arena, tdVec3, model->vertexCount + 1);
    frame->partNumbers = tdArena_NewArray(arena, int, model->triangleCount + 1);
    frame->isFlipped = tdArena_NewArray(arena, bool, model->partCount + 1);
    if (frame->positions == NULL || frame->normals == NULL || frame->partNumbers == NULL ||
        frame->isFlipped == NULL)
    {
        return false;
    }
    for (int i = 0; i < model->partCount; ++i)
    {
        const tdPart* part = &model->parts[i];
        for (int k = 0; k < part->primitive->indexCount / 3; ++k)
        {
            frame->partNumbers[part->firstTriangle + k] = i;
        }
        frame->isFlipped[i] = false;
    }
    return true;
}

static tdVec3 TransformByMatrix(const float* m, tdVec3 p)
{
    return (tdVec3){m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12],
                    m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                    m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

static tdMat4 MultiplyMatrices(const tdMat4* a, const tdMat4* b)
{
    tdMat4 product;
    for (int column = 0; column < 4; ++column)
    {
        for (int row = 0; row < 4; ++row)
        {
            float sum = 0.0f;
            for (int k = 0; k < 4; ++k)
            {
                sum += a->m[4 * k + row] * b->m[4 * column + k];
            }
            product.m[4 * column + row] = sum;
        }
    }
    return product;
}

// Columns of the matrix that transforms normals: the cofactors of the linear part.
typedef struct NormalMatrix
{
    tdVec3 columns[3];
    float determinant;
} NormalMatrix;

static NormalMatrix MakeNormalMatrix(const tdMat4* matrix)
{
    const float* m = matrix->m;
    tdVec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
    NormalMatrix normal = {{tdCross(y, z), tdCross(z, x), tdCross(x, y)}, 0.0f};
    normal.determinant = tdDot(x, normal.columns[0]);
    return normal;
}

static tdVec3 TransformNormal(const NormalMatrix* matrix, tdVec3 n)
{
    tdVec3 result = tdScale(n.x, matrix->columns[0]);
    result = tdMulAdd(result, n.y, matrix->columns[1]);
    result = tdMulAdd(result, n.z, matrix->columns[2]);
    return matrix->determinant < 0.0f ? tdNegate(result) : result;
}

// The weighted sum of the joints' matrices at a vertex.
static tdMat4 BlendJoints(const tdSkin* skin, const tdMat4* globals, const uint16_t* joints,
                          const float* weights)
{
    tdMat4 blend = {{0.0f}};
    float total = 0.0f;
    for (int i = 0; i < 4; ++i)
    {
        if (weights[i] == 0.0f || joints[i] >= skin->jointCount)
        {
            continue;
        }
        tdMat4 joint = globals[skin->joints[joints[i]]];
        joint = skin->inverseBindMatrices != NULL
                    ? MultiplyMatrices(&joint, &skin->inverseBindMatrices[joints[i]])
                    : joint;
        for (int k = 0; k < 16; ++k)
        {
            blend.m[k] += weights[i] * joint.m[k];
        }
        total += weights[i];
    }
    for (int k = 0; k < 16 && total > 0.0f; ++k)
    {
        blend.m[k] /= total;
    }
    return blend;
}

static tdVec3 MorphPosition(const tdPrimitive* primitive, const float* weights, int weightCount, int vertex)
{
    tdVec3 position = primitive->positions[vertex];
    for (int i = 0; i < primitive->targetCount && i < weightCount; ++i)
    {
        if (weights[i] != 0.0f && primitive->targets[i] != NULL)
        {
            position = tdMulAdd(position, weights[i], primitive->targets[i][vertex]);
        }
    }
    return position;
}

static void PosePart(tdFrame* frame, const tdModel* model, int index, const tdActor* actor)
{
    const tdPart* part = &model->parts[index];
    const tdMat4* globals = tdActor_GetGlobals(actor);
    int weightCount = 0;
    const float* weights = tdActor_GetMorphWeights(actor, part->node, &weightCount);
    tdMat4 matrix = globals[part->node];
    NormalMatrix normalMatrix = MakeNormalMatrix(&matrix);
    frame->isFlipped[index] = part->skin < 0 && normalMatrix.determinant < 0.0f;
    for (int i = 0; i < part->primitive->vertexCount; ++i)
    {
        if (part->skin >= 0)
        {
            matrix = BlendJoints(&model->scene->skins[part->skin], globals, part->primitive->joints + 4 * i,
                                 part->primitive->jointWeights + 4 * i);
            normalMatrix = MakeNormalMatrix(&matrix);
        }
        int vertex = part->firstVertex + i;
        tdVec3 local = MorphPosition(part->primitive, weights, weightCount, i);
        frame->positions[vertex] = TransformByMatrix(matrix.m, local);
        frame->normals[vertex] =
            part->normals != NULL ? TransformNormal(&normalMatrix, part->normals[i]) : tdVec3_zero;
    }
}

void tdFrame_Pose(tdFrame* frame, const tdModel* model, const tdActor* actor)
{
    for (int i = 0; i < model->partCount; ++i)
    {
        PosePart(frame, model, i, actor);
    }
}

void tdFrame_GetCorners(const tdFrame* frame, const tdModel* model, int triangle, int corners[3])
{
    int number = frame->partNumbers[triangle];
    const tdPart* part = &model->parts[number];
    int first = 3 * (triangle - part->firstTriangle);
    for (int i = 0; i < 3; ++i)
    {
        int from = first + (frame->isFlipped[number] ? 2 - i : i);
        int vertex = part->primitive->indices != NULL ? (int)part->primitive->indices[from] : from;
        corners[i] = part->firstVertex + vertex;
    }
}

tdBox tdFrame_GetPartBox(const tdFrame* frame, const tdPart* part)
{
    tdBox box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    for (int i = 0; i < part->primitive->vertexCount; ++i)
    {
        tdVec3 position = frame->positions[part->firstVertex + i];
        if (tdIsFiniteVec3(position))
        {
            box.lower = tdMin(box.lower, position);
            box.upper = tdMax(box.upper, position);
        }
    }
    return box;
}
