// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon inspect --json: one object per file, on one line. Indices are those of the file.
#include "inspect.h"
#include "json.h"

#include <string.h>

static void PrintMember(FILE* out, const char* name, const char* text)
{
    fprintf(out, "\"%s\":", name);
    PrintJsonText(out, text);
}

static void PrintFloats(FILE* out, const char* name, const float* values, int count)
{
    fprintf(out, ",\"%s\":[", name);
    for (int i = 0; i < count; ++i)
    {
        fputs(i > 0 ? "," : "", out);
        PrintJsonFloat(out, values[i]);
    }
    fputc(']', out);
}

static void PrintNodeJson(FILE* out, const tdAsset* asset, int node)
{
    tdNodeInfo info = tdDescribeNode(asset, node);
    const float rotation[] = {info.local.rotation.x, info.local.rotation.y, info.local.rotation.z,
                              info.local.rotation.w};
    const float translation[] = {info.local.translation.x, info.local.translation.y,
                                 info.local.translation.z};
    const float scale[] = {info.local.scale.x, info.local.scale.y, info.local.scale.z};
    fputc('{', out);
    PrintMember(out, "name", info.name);
    fprintf(out, ",\"parent\":%d,\"mesh\":%d,\"skin\":%d,\"body\":%d", info.parent, info.mesh, info.skin,
            info.body);
    PrintFloats(out, "translation", translation, 3);
    PrintFloats(out, "rotation", rotation, 4);
    PrintFloats(out, "scale", scale, 3);
    fputc('}', out);
}

static void PrintExtensionJson(FILE* out, const tdAsset* asset, int extension)
{
    tdExtensionInfo info = tdDescribeExtension(asset, extension);
    fputc('{', out);
    PrintMember(out, "name", info.name);
    fprintf(out, ",\"required\":%s,", info.isRequired ? "true" : "false");
    PrintMember(out, "support", tdSupport_GetName(info.support));
    fputc('}', out);
}

static void PrintSceneJson(FILE* out, const tdAsset* asset, int scene)
{
    tdSceneInfo info = tdDescribeScene(asset, scene);
    fputc('{', out);
    PrintMember(out, "name", info.name);
    fprintf(out, ",\"rootCount\":%d}", info.rootCount);
}

static void PrintMeshJson(FILE* out, const tdAsset* asset, int mesh)
{
    tdMeshInfo info = tdDescribeMesh(asset, mesh);
    fputc('{', out);
    PrintMember(out, "name", info.name);
    fprintf(out,
            ",\"primitiveCount\":%d,\"vertexCount\":%lld,\"triangleCount\":%lld,\"morphTargetCount\":%d}",
            info.primitiveCount, (long long)info.vertexCount, (long long)info.triangleCount,
            info.morphTargetCount);
}

static void PrintAnimationJson(FILE* out, const tdAsset* asset, int animation)
{
    tdAnimationInfo info = tdDescribeAnimation(asset, animation);
    fputc('{', out);
    PrintMember(out, "name", info.name);
    fprintf(out, ",\"duration\":");
    PrintJsonFloat(out, info.duration);
    fprintf(out, ",\"channelCount\":%d,\"nodeCount\":%d,\"keyCount\":%lld}", info.channelCount,
            info.nodeCount, (long long)info.keyCount);
}

static void PrintBodyJson(FILE* out, const tdAsset* asset, int body)
{
    static const char* const motions[] = {"static", "kinematic", "dynamic"};
    tdBodyInfo info = tdDescribeBody(asset, body);
    const float linear[] = {info.linearVelocity.x, info.linearVelocity.y, info.linearVelocity.z};
    const float angular[] = {info.angularVelocity.x, info.angularVelocity.y, info.angularVelocity.z};
    fprintf(out, "{\"node\":%d,\"dialect\":\"%s\",\"motion\":\"%s\",\"mass\":", info.node, info.dialect,
            motions[info.motion]);
    PrintJsonFloat(out, info.mass);
    fprintf(out, ",\"hasMass\":%s,\"colliderCount\":%d,\"gravityFactor\":", info.hasMass ? "true" : "false",
            info.colliderCount);
    PrintJsonFloat(out, info.gravityFactor);
    PrintFloats(out, "linearVelocity", linear, 3);
    PrintFloats(out, "angularVelocity", angular, 3);
    PrintFloats(out, "centerOfMass", &info.centerOfMass.x, 3);
    PrintFloats(out, "inertiaDiagonal", &info.inertiaDiagonal.x, 3);
    PrintFloats(out, "inertiaOrientation", &info.inertiaOrientation.x, 4);
    fputc('}', out);
}

static void PrintColliderJson(FILE* out, const tdAsset* asset, int collider)
{
    tdColliderInfo info = tdDescribeCollider(asset, collider);
    fprintf(out, "{\"node\":%d,\"body\":%d,\"dialect\":\"%s\",\"shape\":\"%s\",\"isTrigger\":%s", info.node,
            info.body, info.dialect, tdShapeKind_GetName(info.shape), info.isTrigger ? "true" : "false");
    bool isCounted = info.shape == TD_SHAPE_HULL || info.shape == TD_SHAPE_MESH;
    int sizeCount = info.shape == TD_SHAPE_SPHERE ? 1 : info.shape == TD_SHAPE_PLANE ? 2 : 3;
    if (isCounted)
    {
        fprintf(out, ",\"elementCount\":%d", info.elementCount);
    }
    else
    {
        PrintFloats(out, "size", info.size, sizeCount);
        fprintf(out, ",\"isStretched\":%s", info.isStretched ? "true" : "false");
    }
    fprintf(out, ",\"material\":%d,\"filter\":%d}", info.material, info.filter);
}

static void PrintCompoundJson(FILE* out, const tdAsset* asset, int trigger)
{
    tdCompoundTriggerInfo info = tdDescribeCompoundTrigger(asset, trigger);
    fprintf(out, "{\"node\":%d,\"parent\":%d,\"colliders\":[", info.node, info.parent);
    for (int i = 0; i < info.partCount; ++i)
    {
        fprintf(out, "%s%d", i > 0 ? "," : "", tdDescribeTriggerPart(asset, trigger, i));
    }
    fprintf(out, "]}");
}

static void PrintAxes(FILE* out, const char* name, unsigned axes)
{
    fprintf(out, "\"%s\":[", name);
    const char* comma = "";
    for (int axis = 0; axis < 3; ++axis)
    {
        if ((axes & (1u << axis)) != 0)
        {
            fprintf(out, "%s%d", comma, axis);
            comma = ",";
        }
    }
    fputc(']', out);
}

static void PrintNumber(FILE* out, const char* name, float value)
{
    fprintf(out, ",\"%s\":", name);
    PrintJsonFloat(out, value); // null: infinite
}

static void PrintLimitsJson(FILE* out, const tdJointInfo* info)
{
    fprintf(out, ",\"limits\":[");
    for (int i = 0; i < info->limitCount; ++i)
    {
        const tdJointLimit* limit = &info->limits[i];
        bool isLinear = limit->linearAxes != 0;
        fputs(i > 0 ? ",{" : "{", out);
        PrintAxes(out, isLinear ? "linearAxes" : "angularAxes",
                  isLinear ? limit->linearAxes : limit->angularAxes);
        PrintNumber(out, "min", limit->min);
        PrintNumber(out, "max", limit->max);
        PrintNumber(out, "stiffness", limit->stiffness);
        PrintNumber(out, "damping", limit->damping);
        fputc('}', out);
    }
    fputc(']', out);
}

static void PrintDrivesJson(FILE* out, const tdJointInfo* info)
{
    fprintf(out, ",\"drives\":[");
    for (int i = 0; i < info->driveCount; ++i)
    {
        const tdJointDrive* drive = &info->drives[i];
        int axis = drive->axis == TD_AXIS_X ? 0 : drive->axis == TD_AXIS_Y ? 1 : 2;
        fprintf(out, "%s{\"type\":\"%s\",\"mode\":\"%s\",\"axis\":%d", i > 0 ? "," : "",
                drive->type == TD_DRIVE_LINEAR ? "linear" : "angular",
                drive->mode == TD_DRIVE_FORCE ? "force" : "acceleration", axis);
        PrintNumber(out, "positionTarget", drive->positionTarget);
        PrintNumber(out, "velocityTarget", drive->velocityTarget);
        PrintNumber(out, "stiffness", drive->stiffness);
        PrintNumber(out, "damping", drive->damping);
        PrintNumber(out, "maxForce", drive->maxForce);
        fputc('}', out);
    }
    fputc(']', out);
}

static void PrintJointJson(FILE* out, const tdAsset* asset, int joint)
{
    tdJointInfo info = tdDescribeJoint(asset, joint);
    tdJointClass kind = tdClassifyJoint(info.limits, info.limitCount);
    fprintf(out, "{\"node\":%d,\"connectedNode\":%d,\"dialect\":\"%s\",\"kind\":\"%s\",\"axis\":%d",
            info.node, info.connectedNode, info.dialect, tdJointType_GetName(kind.type), kind.axis);
    fprintf(out, ",\"bodyA\":%d,\"bodyB\":%d,\"enableCollision\":%s,\"limitCount\":%d,\"driveCount\":%d",
            info.bodyA, info.bodyB, info.enableCollision ? "true" : "false", info.limitCount,
            info.driveCount);
    PrintLimitsJson(out, &info);
    PrintDrivesJson(out, &info);
    fputc('}', out);
}

static void PrintMaterialJson(FILE* out, const tdAsset* asset, int material)
{
    static const char* const combines[] = {"unspecified", "average", "minimum", "maximum", "multiply"};
    tdMaterialInfo info = tdDescribeMaterial(asset, material);
    fprintf(out, "{\"staticFriction\":");
    PrintJsonFloat(out, info.staticFriction);
    fprintf(out, ",\"dynamicFriction\":");
    PrintJsonFloat(out, info.dynamicFriction);
    fprintf(out, ",\"restitution\":");
    PrintJsonFloat(out, info.restitution);
    fprintf(out, ",\"frictionCombine\":\"%s\",\"restitutionCombine\":\"%s\",\"dialect\":\"%s\"}",
            combines[info.frictionCombine], combines[info.restitutionCombine], info.dialect);
}

// tdDescribeAsset counts other things too, which takes time.
static bool HasFilter(const tdAsset* asset, int filter)
{
    return tdDescribeFilter(asset, filter).dialect[0] != '\0';
}

static void PrintFilterJson(FILE* out, const tdAsset* asset, int filter)
{
    static const char* const names[] = {"collisionSystems", "collideWithSystems", "notCollideWithSystems"};
    tdFilterInfo info = tdDescribeFilter(asset, filter);
    const int counts[] = {info.systemCount, info.collideWithCount, info.notCollideWithCount};
    for (int list = 0; list < 3; ++list)
    {
        fprintf(out, "%c\"%s\":[", list == 0 ? '{' : ',', names[list]);
        for (int i = 0; i < counts[list]; ++i)
        {
            fputs(i > 0 ? "," : "", out);
            PrintJsonText(out, tdDescribeFilterSystem(asset, filter, (tdFilterList)list, i));
        }
        fputc(']', out);
    }
    fprintf(out, ",\"dialect\":\"%s\",\"meetsUnfiltered\":%s,\"meets\":", info.dialect,
            tdAsset_DoFiltersCollide(asset, filter, -1) ? "true" : "false");
    if (HasFilter(asset, MAX_PARTNERS))
    {
        fputs("null}", out); // the lists would grow with the square of the count
        return;
    }
    fputc('[', out);
    const char* comma = "";
    for (int i = 0; HasFilter(asset, i); ++i)
    {
        if (tdAsset_DoFiltersCollide(asset, filter, i))
        {
            fprintf(out, "%s%d", comma, i);
            comma = ",";
        }
    }
    fprintf(out, "]}");
}

static void PrintConstraintJson(FILE* out, const tdAsset* asset, int constraint)
{
    tdConstraintInfo info = tdDescribeConstraint(asset, constraint);
    fprintf(out, "{\"node\":%d,\"kind\":\"%s\",\"source\":%d,\"weight\":", info.node,
            tdConstraintKind_GetName(info.kind), info.source);
    PrintJsonFloat(out, info.weight);
    fprintf(out, ",\"axis\":\"%s\",\"isInCycle\":%s,\"dependencies\":[", tdConstraintAxis_GetName(info.axis),
            info.isInCycle ? "true" : "false");
    int places[64]; // more are left out; no avatar has that many
    int count = tdAsset_GetConstraintDependencies(asset, constraint, places, 64);
    for (int i = 0; i < count && i < 64; ++i)
    {
        fprintf(out, "%s%d", i > 0 ? "," : "", places[i]);
    }
    fprintf(out, "]}");
}

static void PrintBoneJson(FILE* out, const tdAsset* asset, int bone)
{
    tdHumanBoneInfo info = tdDescribeBone(asset, bone);
    const float rotation[] = {info.restRotation.x, info.restRotation.y, info.restRotation.z,
                              info.restRotation.w};
    fprintf(out, "{\"name\":\"%s\",\"node\":%d,\"required\":%s", info.name, info.node,
            info.isRequired ? "true" : "false");
    if (info.node >= 0)
    {
        if (info.parent >= 0)
        {
            fprintf(out, ",\"parent\":\"%s\"", tdGetBoneName(info.parent));
        }
        PrintFloats(out, "restRotation", rotation, 4);
    }
    else
    {
        fprintf(out, ",\"foldsInto\":[");
        for (int i = 0; i < info.foldCount && i < 8; ++i)
        {
            fprintf(out, "%s\"%s\"", i > 0 ? "," : "", tdGetBoneName(info.foldsInto[i]));
        }
        fputc(']', out);
    }
    fputc('}', out);
}

static void PrintExpressionJson(FILE* out, const tdAsset* asset, int expression)
{
    tdExpressionInfo info = tdDescribeExpression(asset, expression);
    fputc('{', out);
    PrintMember(out, "name", info.name);
    fprintf(out, ",\"isPreset\":%s,\"isBinary\":%s,\"morphBindCount\":%d", info.isPreset ? "true" : "false",
            info.isBinary ? "true" : "false", info.morphBindCount);
    fprintf(out, ",\"overrideBlink\":\"%s\",\"overrideLookAt\":\"%s\",\"overrideMouth\":\"%s\"",
            tdExpressionOverride_GetName(info.overrideBlink),
            tdExpressionOverride_GetName(info.overrideLookAt),
            tdExpressionOverride_GetName(info.overrideMouth));
    fprintf(out, ",\"morphBinds\":[");
    for (int i = 0; i < info.morphBindCount; ++i)
    {
        tdMorphBindInfo bind = tdDescribeMorphBind(asset, expression, i);
        fprintf(out, "%s{\"node\":%d,\"target\":%d", i > 0 ? "," : "", bind.node, bind.target);
        PrintNumber(out, "weight", bind.weight);
        fputc('}', out);
    }
    fprintf(out, "],\"materialBinds\":[");
    for (int i = 0; i < info.materialBindCount; ++i)
    {
        tdMaterialBindInfo bind = tdDescribeMaterialBind(asset, expression, i);
        fprintf(out, "%s{\"value\":%d", i > 0 ? "," : "", bind.value);
        PrintFloats(out, "targetValue", bind.target, tdDescribeMaterialValue(asset, bind.value).width);
        fputc('}', out);
    }
    fprintf(out, "]}");
}

static void PrintMaterialValueJson(FILE* out, const tdAsset* asset, int index)
{
    tdMaterialValueInfo info = tdDescribeMaterialValue(asset, index);
    fprintf(out, "{\"material\":%d,\"kind\":\"%s\",\"texture\":\"%s\",\"pointer\":\"%s\"", info.material,
            tdMaterialValueKind_GetName(info.kind), info.texture, info.pointer);
    PrintFloats(out, "base", info.base, info.width);
    fputc('}', out);
}

static void PrintFirstPersonJson(FILE* out, const tdAsset* asset, int index)
{
    tdFirstPersonInfo info = tdDescribeFirstPerson(asset, index);
    fprintf(out, "{\"node\":%d,\"type\":\"%s\"}", info.node, tdFirstPersonType_GetName(info.type));
}

static void PrintMetaValue(FILE* out, const tdMetaInfo* info)
{
    if (info->isText)
    {
        PrintJsonText(out, info->value);
    }
    else
    {
        fputs(info->value, out);
    }
}

// One object per member; the elements of a list are one member.
static void PrintMetaJson(FILE* out, const tdAsset* asset, int count)
{
    fprintf(out, ",\"meta\":[");
    for (int i = 0; i < count; ++i)
    {
        tdMetaInfo info = tdDescribeMeta(asset, i);
        fputs(i > 0 ? ",{" : "{", out);
        PrintMember(out, "key", info.key);
        fprintf(out, ",\"value\":%s", info.isElement ? "[" : "");
        PrintMetaValue(out, &info);
        for (; info.isElement; ++i)
        {
            tdMetaInfo next = tdDescribeMeta(asset, i + 1);
            if (i + 1 >= count || next.key != info.key)
            {
                break;
            }
            fputc(',', out);
            PrintMetaValue(out, &next);
        }
        fputs(info.isElement ? "]}" : "}", out);
    }
    fputc(']', out);
}

static void PrintMotionExpressionJson(FILE* out, const tdAsset* asset, int expression)
{
    PrintJsonText(out, tdDescribeMotionExpression(asset, expression));
}

typedef void PrintItemFcn(FILE* out, const tdAsset* asset, int index);

static void PrintList(FILE* out, const char* name, const tdAsset* asset, int count, PrintItemFcn* printItem)
{
    fprintf(out, ",\"%s\":[", name);
    for (int i = 0; i < count; ++i)
    {
        fputs(i > 0 ? "," : "", out);
        printItem(out, asset, i);
    }
    fputc(']', out);
}

static void PrintHumanoidJson(FILE* out, const tdAsset* asset)
{
    static const char* const ranges[] = {"horizontalInner", "horizontalOuter", "verticalDown", "verticalUp"};
    tdHumanoidInfo info = tdDescribeHumanoid(asset);
    if (info.kind == TD_HUMANOID_NONE)
    {
        fprintf(out, ",\"humanoid\":null");
        return;
    }
    fprintf(out, ",\"humanoid\":{\"kind\":\"%s\",\"boneCount\":%d,\"hipsHeight\":",
            tdHumanoidKind_GetName(info.kind), info.boneCount);
    PrintJsonFloat(out, info.hipsHeight);
    fprintf(out, ",\"facesBackward\":%s", info.facesBackward ? "true" : "false");
    PrintFloats(out, "armAngles", info.armAngles, 2);
    PrintFloats(out, "legAngles", info.legAngles, 2);
    fprintf(out, ",\"hasMotionGaze\":%s,\"lookAt\":", info.hasMotionGaze ? "true" : "false");
    if (info.lookAt == TD_LOOK_AT_NONE)
    {
        fprintf(out, "null");
    }
    else
    {
        const float offset[] = {info.gazeOffset.x, info.gazeOffset.y, info.gazeOffset.z};
        fprintf(out, "{\"type\":\"%s\"", tdLookAtType_GetName(info.lookAt));
        PrintFloats(out, "offsetFromHeadBone", offset, 3);
        for (int i = 0; i < 4; ++i)
        {
            const float range[] = {info.gazeRanges[i].inputMax, info.gazeRanges[i].outputScale};
            PrintFloats(out, ranges[i], range, 2);
        }
        fputc('}', out);
    }
    PrintList(out, "bones", asset, TD_POSE_BONE_COUNT, PrintBoneJson);
    PrintMetaJson(out, asset, info.metaCount);
    PrintList(out, "expressions", asset, info.expressionCount, PrintExpressionJson);
    PrintList(out, "materialValues", asset, info.materialValueCount, PrintMaterialValueJson);
    PrintList(out, "firstPerson", asset, info.firstPersonCount, PrintFirstPersonJson);
    PrintList(out, "motionExpressions", asset, info.motionExpressions, PrintMotionExpressionJson);
    fputc('}', out);
}

void PrintInspectionJson(FILE* out, const char* path, const tdAsset* asset)
{
    static const char* const kinds[] = {"gltf", "glb", "bvh"};
    tdAssetInfo info = tdDescribeAsset(asset);
    fputc('{', out);
    PrintMember(out, "uri", path);
    fprintf(out, ",\"kind\":\"%s\",\"byteCount\":%zu,", kinds[info.kind], info.byteCount);
    PrintMember(out, "version", info.version);
    fputc(',', out);
    PrintMember(out, "generator", info.generator);
    fprintf(out, ",\"activeScene\":%d,\"treeDepth\":%d", info.activeScene, info.treeDepth);
    fprintf(out, ",\"materialCount\":%d,\"textureCount\":%d,\"imageCount\":%d", info.materialCount,
            info.textureCount, info.imageCount);
    fprintf(out, ",\"bufferCount\":%d,\"bufferBytes\":%zu,\"vertexCount\":%lld,\"triangleCount\":%lld",
            info.bufferCount, info.bufferBytes, (long long)info.vertexCount, (long long)info.triangleCount);
    fprintf(out, ",\"skinCount\":%d,\"constraintCount\":%d,\"boneCount\":%d,\"expressionCount\":%d",
            info.skinCount, info.constraintCount, info.boneCount, info.expressionCount);
    PrintList(out, "extensions", asset, info.extensionCount, PrintExtensionJson);
    PrintList(out, "scenes", asset, info.sceneCount, PrintSceneJson);
    PrintList(out, "nodes", asset, info.nodeCount, PrintNodeJson);
    PrintList(out, "meshes", asset, info.meshCount, PrintMeshJson);
    PrintList(out, "animations", asset, info.animationCount, PrintAnimationJson);
    PrintList(out, "bodies", asset, info.bodyCount, PrintBodyJson);
    PrintList(out, "colliders", asset, info.colliderCount, PrintColliderJson);
    PrintList(out, "compoundTriggers", asset, info.compoundTriggerCount, PrintCompoundJson);
    PrintList(out, "joints", asset, info.jointCount, PrintJointJson);
    PrintList(out, "physicsMaterials", asset, info.physicsMaterialCount, PrintMaterialJson);
    PrintList(out, "collisionFilters", asset, info.filterCount, PrintFilterJson);
    PrintHumanoidJson(out, asset);
    PrintList(out, "constraints", asset, info.constraintCount, PrintConstraintJson);
    PrintSpringsJson(out, asset);
    fprintf(out, "}\n");
}

void PrintNoInspectionJson(FILE* out, const char* path, tdReport* report)
{
    fputc('{', out);
    PrintMember(out, "uri", path);
    fprintf(out, ",\"issues\":%s}\n", tdReport_GetJson(report, NULL));
}
