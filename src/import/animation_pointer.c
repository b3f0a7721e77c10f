// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The tables of animated properties: pointers in the document ("{}" is an index) and the members below them.
// Nodes as in KHR_animation_pointer, physics as in docs/spec/physics.md 11.
#include "animation_pointer.h"

#include "scene/physics_scene.h"

#include <string.h>

/// The kind of object that an index of a pointer refers to.
typedef enum Noun
{
    NO_NOUN,
    NODE,
    WEIGHT_OF_NODE,
    MATERIAL,
    JOINT,
    LIMIT_OF_JOINT,
    DRIVE_OF_JOINT,
    BODY_NODE,  // a node with a motion
    JOINT_NODE, // a node with a joint
    SPHERE,     // shapes by kind
    BOX,
    CAPSULE,
    CYLINDER,
    PLANE,
} Noun;

typedef struct PointerMember
{
    const char* name;
    tdPropertyKind kind;
    int width; // -1: as many as the object has
} PointerMember;

typedef struct PointerPlace
{
    const char* text;
    Noun object, element;
    bool isOmi; // family of dialects of the object
    const PointerMember* members;
    tdShapeTable table; // of shapes; TD_TABLE_COUNT for others
} PointerPlace;

static const PointerMember nodeMembers[] = {{"translation", TD_PROPERTY_TRANSLATION, 3},
                                            {"rotation", TD_PROPERTY_ROTATION, 4},
                                            {"scale", TD_PROPERTY_SCALE, 3},
                                            {"weights", TD_PROPERTY_WEIGHTS, -1},
                                            {NULL, 0, 0}};
static const PointerMember weightMembers[] = {{"", TD_PROPERTY_WEIGHT, 1}, {NULL, 0, 0}};
static const PointerMember materialMembers[] = {{"staticFriction", TD_PROPERTY_MATERIAL_STATIC_FRICTION, 1},
                                                {"dynamicFriction", TD_PROPERTY_MATERIAL_DYNAMIC_FRICTION, 1},
                                                {"restitution", TD_PROPERTY_MATERIAL_RESTITUTION, 1},
                                                {NULL, 0, 0}};
static const PointerMember limitMembers[] = {{"min", TD_PROPERTY_LIMIT_MIN, 1},
                                             {"max", TD_PROPERTY_LIMIT_MAX, 1},
                                             {"stiffness", TD_PROPERTY_LIMIT_STIFFNESS, 1},
                                             {"damping", TD_PROPERTY_LIMIT_DAMPING, 1},
                                             {NULL, 0, 0}};
static const PointerMember driveMembers[] = {{"maxForce", TD_PROPERTY_DRIVE_MAX_FORCE, 1},
                                             {"positionTarget", TD_PROPERTY_DRIVE_POSITION_TARGET, 1},
                                             {"velocityTarget", TD_PROPERTY_DRIVE_VELOCITY_TARGET, 1},
                                             {"stiffness", TD_PROPERTY_DRIVE_STIFFNESS, 1},
                                             {"damping", TD_PROPERTY_DRIVE_DAMPING, 1},
                                             {NULL, 0, 0}};
static const PointerMember khrMotionMembers[] = {
    {"isKinematic", TD_PROPERTY_MOTION_IS_KINEMATIC, 1},
    {"mass", TD_PROPERTY_MOTION_MASS, 1},
    {"centerOfMass", TD_PROPERTY_MOTION_CENTER_OF_MASS, 3},
    {"inertiaDiagonal", TD_PROPERTY_MOTION_INERTIA_DIAGONAL, 3},
    {"inertiaOrientation", TD_PROPERTY_MOTION_INERTIA_ORIENTATION, 4},
    {"linearVelocity", TD_PROPERTY_MOTION_LINEAR_VELOCITY, 3},
    {"angularVelocity", TD_PROPERTY_MOTION_ANGULAR_VELOCITY, 3},
    {"gravityFactor", TD_PROPERTY_MOTION_GRAVITY_FACTOR, 1},
    {NULL, 0, 0}};
static const PointerMember animatedJointMembers[] = {
    {"enableCollision", TD_PROPERTY_JOINT_ENABLE_COLLISION, 1}, {NULL, 0, 0}};

static const PointerMember sphereMembers[] = {{"radius", TD_PROPERTY_SHAPE_RADIUS, 1}, {NULL, 0, 0}};
static const PointerMember boxMembers[] = {{"size", TD_PROPERTY_SHAPE_SIZE, 3}, {NULL, 0, 0}};
static const PointerMember roundMembers[] = {{"height", TD_PROPERTY_SHAPE_HEIGHT, 1},
                                             {"radiusTop", TD_PROPERTY_SHAPE_RADIUS_TOP, 1},
                                             {"radiusBottom", TD_PROPERTY_SHAPE_RADIUS_BOTTOM, 1},
                                             {NULL, 0, 0}};
static const PointerMember planeMembers[] = {{"sizeX", TD_PROPERTY_SHAPE_SIZE_X, 1},
                                             {"sizeZ", TD_PROPERTY_SHAPE_SIZE_Z, 1},
                                             {"doubleSided", TD_PROPERTY_SHAPE_DOUBLE_SIDED, 1},
                                             {NULL, 0, 0}};

#define SHAPE_PLACES(root, isOmi, table)                                                                     \
    {root "/shapes/{}/sphere/", SPHERE, NO_NOUN, isOmi, sphereMembers, table},                               \
        {root "/shapes/{}/box/", BOX, NO_NOUN, isOmi, boxMembers, table},                                    \
        {root "/shapes/{}/capsule/", CAPSULE, NO_NOUN, isOmi, roundMembers, table},                          \
    {                                                                                                        \
        root "/shapes/{}/cylinder/", CYLINDER, NO_NOUN, isOmi, roundMembers, table                           \
    }

static const PointerPlace pointerPlaces[] = {
    {"/nodes/{}/", NODE, NO_NOUN, false, nodeMembers, TD_TABLE_COUNT},
    {"/nodes/{}/weights/{}", NODE, WEIGHT_OF_NODE, false, weightMembers, TD_TABLE_COUNT},
    {"/extensions/KHR_physics_rigid_bodies/physicsMaterials/{}/", MATERIAL, NO_NOUN, false, materialMembers,
     TD_TABLE_COUNT},
    {"/extensions/OMI_physics_body/physicsMaterials/{}/", MATERIAL, NO_NOUN, true, materialMembers,
     TD_TABLE_COUNT},
    {"/extensions/KHR_physics_rigid_bodies/physicsJoints/{}/limits/{}/", JOINT, LIMIT_OF_JOINT, false,
     limitMembers, TD_TABLE_COUNT},
    {"/extensions/OMI_physics_joint/physicsJoints/{}/limits/{}/", JOINT, LIMIT_OF_JOINT, true, limitMembers,
     TD_TABLE_COUNT},
    {"/extensions/KHR_physics_rigid_bodies/physicsJoints/{}/drives/{}/", JOINT, DRIVE_OF_JOINT, false,
     driveMembers, TD_TABLE_COUNT},
    {"/extensions/OMI_physics_joint/physicsJoints/{}/drives/{}/", JOINT, DRIVE_OF_JOINT, true, driveMembers,
     TD_TABLE_COUNT},
    {"/nodes/{}/extensions/KHR_physics_rigid_bodies/motion/", BODY_NODE, NO_NOUN, false, khrMotionMembers,
     TD_TABLE_COUNT},
    {"/nodes/{}/extensions/OMI_physics_body/motion/", BODY_NODE, NO_NOUN, true, &khrMotionMembers[1],
     TD_TABLE_COUNT}, // without its type, which is a string
    {"/nodes/{}/extensions/KHR_physics_rigid_bodies/joint/", JOINT_NODE, NO_NOUN, false, animatedJointMembers,
     TD_TABLE_COUNT},
    {"/nodes/{}/extensions/OMI_physics_joint/", JOINT_NODE, NO_NOUN, true, animatedJointMembers,
     TD_TABLE_COUNT},
    SHAPE_PLACES("/extensions/KHR_implicit_shapes", false, TD_TABLE_IMPLICIT_SHAPES),
    {"/extensions/KHR_implicit_shapes/shapes/{}/plane/", PLANE, NO_NOUN, false, planeMembers,
     TD_TABLE_IMPLICIT_SHAPES},
    SHAPE_PLACES("/extensions/KHR_collision_shapes", false, TD_TABLE_COLLISION_SHAPES),
    SHAPE_PLACES("/extensions/OMI_physics_shape", true, TD_TABLE_OMI_SHAPES),
};

/// Reads a JSON pointer's index: digits without leading zeros.
static size_t ReadPointerIndex(const char* text, size_t length, int* index)
{
    size_t i = 0;
    int64_t value = 0;
    while (i < length && text[i] >= '0' && text[i] <= '9' && value < INT32_MAX)
    {
        value = value * 10 + (text[i] - '0');
        i += 1;
    }
    if (i == 0 || (i > 1 && text[0] == '0') || value > INT32_MAX)
    {
        return 0;
    }
    *index = (int)value;
    return i;
}

/// Length of the prefix of the pointer that matches a place, with its indices; 0: no match.
static size_t MatchPlace(const char* place, const char* pointer, size_t length, int indices[2])
{
    int count = 0;
    size_t at = 0;
    while (*place != 0)
    {
        if (place[0] == '{')
        {
            size_t read = ReadPointerIndex(pointer + at, length - at, &indices[count]);
            if (read == 0)
            {
                return 0;
            }
            count += 1;
            at += read;
            place += 2;
            continue;
        }
        if (at >= length || pointer[at] != *place)
        {
            return 0;
        }
        at += 1;
        place += 1;
    }
    return at;
}

static const PointerMember* FindPointerMember(const PointerMember* members, const char* name, size_t length)
{
    for (const PointerMember* member = members; member->name != NULL; ++member)
    {
        if (strlen(member->name) == length && memcmp(member->name, name, length) == 0)
        {
            return member;
        }
    }
    return NULL;
}

static bool IsFamily(tdDialect dialect, bool isOmi)
{
    return (dialect >= TD_DIALECT_OMI_EARLY) == isOmi;
}

/// The joint of a node, -1 if it has none. Joints are in the order of their nodes.
static int FindJoint(const tdPhysicsScene* physics, int node)
{
    int low = 0, high = physics->jointCount;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (physics->joints[middle].fileNode < node)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low < physics->jointCount && physics->joints[low].fileNode == node ? low : -1;
}

/// The shape of the table and kind of a place; -1 if there is none.
static int FindPointedShape(const tdPhysicsScene* physics, const PointerPlace* place, int index)
{
    static const tdShapeKind kinds[] = {TD_SHAPE_SPHERE, TD_SHAPE_BOX, TD_SHAPE_CAPSULE, TD_SHAPE_CYLINDER,
                                        TD_SHAPE_PLANE};
    int shape = physics->shapeTableStarts[place->table] + index;
    bool isThere = index < physics->shapeTableCounts[place->table] &&
                   physics->shapes[shape].parameters.kind == kinds[place->object - SPHERE];
    return isThere ? shape : -1;
}

/// Whether an ascending list contains a number.
static bool ListHolds(const int* list, int count, int number)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (list[middle] < number)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low < count && list[low] == number;
}

/// The index in the scene of an object of the file; -1 if there is none.
static int FindObject(const tdImport* import, const PointerPlace* place, int index)
{
    const tdNodeTree* nodes = &import->scene->nodes;
    const tdPhysicsScene* physics = import->scene->physics;
    if (physics == NULL && place->object != NODE)
    {
        return -1;
    }
    switch (place->object)
    {
    case NODE:
        return index < nodes->count ? index : -1;
    case MATERIAL:
    {
        int start = place->isOmi ? physics->khrMaterialCount : 0;
        int end = place->isOmi ? physics->materialCount : physics->khrMaterialCount;
        return index < end - start ? start + index : -1;
    }
    case JOINT:
    {
        int start = place->isOmi ? physics->khrJointDescCount : 0;
        int count = place->isOmi ? physics->omiJointDescCount : physics->khrJointDescCount;
        bool isThere = index < count && physics->jointDescs[start + index].fileJoint == index;
        return isThere ? start + index : -1;
    }
    case BODY_NODE:
    {
        int body = index < nodes->count ? physics->bodyOfNode[index] : -1;
        bool isBody = body >= 0 && physics->bodies[body].node == index &&
                      IsFamily(physics->bodies[body].dialect, place->isOmi);
        return isBody ? index : -1;
    }
    case JOINT_NODE:
    {
        int joint = FindJoint(physics, index);
        return joint >= 0 && IsFamily(physics->joints[joint].dialect, place->isOmi) ? index : -1;
    }
    case SPHERE:
    case BOX:
    case CAPSULE:
    case CYLINDER:
    case PLANE:
        return FindPointedShape(physics, place, index);
    case NO_NOUN:
    case WEIGHT_OF_NODE:
    case LIMIT_OF_JOINT:
    case DRIVE_OF_JOINT:
        break; // elements of objects, not objects
    }
    return -1;
}

static bool HasElement(const tdImport* import, Noun noun, int object, int element)
{
    const tdNodeTree* nodes = &import->scene->nodes;
    const tdPhysicsScene* physics = import->scene->physics;
    switch (noun)
    {
    case NO_NOUN:
        return true;
    case WEIGHT_OF_NODE:
        return element < nodes->weightStarts[object + 1] - nodes->weightStarts[object];
    case LIMIT_OF_JOINT:
        return ListHolds(physics->jointDescs[object].fileLimits, physics->jointDescs[object].limitCount,
                         element);
    case DRIVE_OF_JOINT:
        return ListHolds(physics->jointDescs[object].fileDrives, physics->jointDescs[object].driveCount,
                         element);
    case NODE:
    case MATERIAL:
    case JOINT:
    case BODY_NODE:
    case JOINT_NODE:
    case SPHERE:
    case BOX:
    case CAPSULE:
    case CYLINDER:
    case PLANE:
        break; // objects, not elements of objects
    }
    return false;
}

tdPointerStatus tdResolveAnimationPointer(const tdImport* import, const char* pointer, size_t length,
                                          tdProperty* property, int* width)
{
    if (length == 0 || pointer[0] != '/')
    {
        return TD_POINTER_INVALID;
    }
    for (size_t i = 0; i < sizeof(pointerPlaces) / sizeof(pointerPlaces[0]); ++i)
    {
        const PointerPlace* place = &pointerPlaces[i];
        int indices[2] = {-1, -1};
        size_t matched = MatchPlace(place->text, pointer, length, indices);
        const PointerMember* member =
            matched > 0 ? FindPointerMember(place->members, pointer + matched, length - matched) : NULL;
        if (member == NULL)
        {
            continue;
        }
        int object = FindObject(import, place, indices[0]);
        if (object < 0 || !HasElement(import, place->element, object, indices[1]))
        {
            return TD_POINTER_INVALID;
        }
        *property = (tdProperty){.kind = member->kind, .object = object, .element = indices[1]};
        *width = member->width;
        return TD_POINTER_OK;
    }
    return TD_POINTER_UNSUPPORTED;
}

bool tdIsMaterialPointer(const char* pointer, size_t length, int* width)
{
    static const char root[] = "/materials/";
    static const struct
    {
        const char* end;
        int width;
    } members[] = {
        {"/pbrMetallicRoughness/baseColorFactor", 4},
        {"/emissiveFactor", 3},
        {"/extensions/VRMC_materials_mtoon/shadeColorFactor", 3},
        {"/extensions/VRMC_materials_mtoon/matcapFactor", 3},
        {"/extensions/VRMC_materials_mtoon/parametricRimColorFactor", 3},
        {"/extensions/VRMC_materials_mtoon/outlineColorFactor", 3},
        {"/extensions/KHR_texture_transform/offset", 2},
        {"/extensions/KHR_texture_transform/scale", 2},
    };
    if (length < sizeof(root) || memcmp(pointer, root, sizeof(root) - 1) != 0)
    {
        return false;
    }
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); ++i)
    {
        size_t end = strlen(members[i].end);
        if (length > end && memcmp(pointer + length - end, members[i].end, end) == 0)
        {
            *width = members[i].width;
            return true;
        }
    }
    return false;
}
