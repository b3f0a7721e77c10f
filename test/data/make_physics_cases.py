#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
"""Writes the golden cases of physics, test/data/physics: one file per diagnostic, in a dialect that has it.
The golden test writes the expected reports next to them:
TENDON_UPDATE_GOLDEN=1 build/dev/test/test_import_golden (this script creates an empty report for each new file)."""
import base64
import json
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
RB = "KHR_physics_rigid_bodies"
SHAPES = "KHR_implicit_shapes"
OLD = "KHR_collision_shapes"
MSFT = "MSFT_physics"
BODY, OSHAPE, OJOINT, OCOLLIDER = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint", "OMI_collider"


def floats(*values):
    return struct.pack("<%df" % len(values), *values)


def uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def document(nodes, extensions, used=None, **members):
    """A file with one scene of all nodes that are no children."""
    children = {c for n in nodes for c in n.get("children", [])}
    roots = [i for i in range(len(nodes)) if i not in children]
    found = set(extensions)
    for node in nodes:
        found |= set(node.get("extensions", {}))
    out = {"asset": {"version": "2.0"}, "extensionsUsed": used if used is not None else sorted(found)}
    out["scenes"] = [{"nodes": roots}]
    out["scene"] = 0
    out["nodes"] = nodes
    if extensions:
        out["extensions"] = extensions
    out.update(members)
    if not out["extensionsUsed"]:
        del out["extensionsUsed"]
    return out


def node(extension=RB, translation=None, children=None, scale=None, **members):
    out = {}
    if translation:
        out["translation"] = translation
    if scale:
        out["scale"] = scale
    if children:
        out["children"] = children
    if members:
        out["extensions"] = {extension: members}
    return out


def shape_ref(index=0):
    return {"geometry": {"shape": index}}


BOX = {"type": "box", "box": {"size": [1, 1, 1]}}


def khr(nodes, shapes=None, root=None, **members):
    """Release candidate."""
    extensions = {}
    if shapes is None:
        shapes = [BOX]
    if shapes:
        extensions[SHAPES] = {"shapes": shapes}
    if root:
        extensions[RB] = root
    return document(nodes, extensions, **members)


def body(motion=None, **members):
    return node(motion=motion if motion is not None else {}, collider=shape_ref(), **members)


def joined(limits=None, drives=None, joint=None, second=None, offset=None, **extra):
    """Two bodies and a joint between them."""
    desc = {}
    if limits is not None:
        desc["limits"] = limits
    if drives is not None:
        desc["drives"] = drives
    link = {"joint": 0, "connectedNode": 1}
    link.update(joint or {})
    first = node(motion={"mass": 1}, collider=shape_ref(), joint=link)
    other = second if second is not None else node(motion={"mass": 1}, collider=shape_ref(), translation=offset)
    return khr([first, other], root=dict({"physicsJoints": [desc]}, **extra))


LOCK = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}

# A mesh of one triangle and one of a tetrahedron.
POINTS = floats(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
CORNERS = struct.pack("<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
MESHES = {
    "buffers": [{"byteLength": len(POINTS) + len(CORNERS), "uri": uri(POINTS + CORNERS)}],
    "bufferViews": [{"buffer": 0, "byteLength": len(POINTS)},
                    {"buffer": 0, "byteOffset": len(POINTS), "byteLength": len(CORNERS)}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0],
                   "max": [1, 1, 1]},
                  {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
                  {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]},
               {"primitives": [{"attributes": {"POSITION": 0}, "indices": 2}]},
               {"primitives": [{"attributes": {"POSITION": 0}, "mode": 0, "indices": 2}]}],
}


def omi(nodes, shapes=None, body_root=None, joints=None, **members):
    """Current OMI."""
    extensions = {}
    if shapes is None:
        shapes = [BOX]
    if shapes:
        extensions[OSHAPE] = {"shapes": shapes}
    if body_root:
        extensions[BODY] = body_root
    if joints:
        extensions[OJOINT] = joints
    return document(nodes, extensions, **members)


def omi_body(motion=None, translation=None, **members):
    return node(BODY, translation, motion=motion or {"type": "dynamic"}, collider={"shape": 0}, **members)


def early(nodes, colliders=None, constraints=None):
    """The first OMI form."""
    extensions = {OCOLLIDER: {"colliders": colliders or [{"type": "box", "size": [1, 1, 1]}]}}
    if constraints is not None:
        extensions[OJOINT] = {"constraints": constraints}
    return document(nodes, extensions)


def early_pair(joint, constraints, a="rigid", b="rigid"):
    """Bodies 0 and 1, colliders 2 and 3, joint node 4."""
    nodes = [node(BODY, type=a, children=[2]), node(BODY, type=b, children=[3]),
             node(OCOLLIDER, collider=0), node(OCOLLIDER, collider=0), node(OJOINT, **joint)]
    return early(nodes, constraints=constraints)


def animated(nodes, path, values, **members):
    """Two keys of `path` of node 0."""
    data = floats(0, 1) + floats(*values)
    doc = khr(nodes, **members)
    doc["buffers"] = [{"byteLength": len(data), "uri": uri(data)}]
    doc["bufferViews"] = [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": len(data) - 8}]
    kind = "VEC4" if path == "rotation" else "VEC3"
    doc["accessors"] = [
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 1, "componentType": 5126, "count": 2, "type": kind}]
    doc["animations"] = [{"channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
                          "samplers": [{"input": 0, "output": 1}]}]
    return doc


CASES = {
    "fine": khr([body(), node(collider=shape_ref(), translation=[0, -3, 0])]),
    "fine_omi": omi([omi_body(), node(BODY, [0, -3, 0], collider={"shape": 0})]),

    "undeclared_extension": khr([body()], used=[SHAPES]),
    "mixed_dialects": khr([dict(body(), extensions={
        RB: {"motion": {}, "collider": shape_ref()}, BODY: {"motion": {"type": "dynamic"}}})]),
    "legacy_dialect": document([node(motion={}, collider={"shape": 0})], {OLD: {"shapes": [BOX]}}),
    "type": khr([body({"mass": "heavy", "isKinematic": 1, "centerOfMass": 3, "linearVelocity": ["a", 0, 0]}),
                 node(collider=[]), {"extensions": {RB: 7}}], shapes=[BOX, 3, {"type": 5}]),
    "type_tables": khr([body()], root={"physicsMaterials": {}, "collisionFilters": [1], "physicsJoints": [
        {"limits": 1}, "a", {"limits": [1], "drives": [None]}]}),
    "required": khr([node(collider={}), node(joint={}), node(motion={}, collider=shape_ref())],
                    root={"physicsJoints": [{"limits": [LOCK]}]}),
    "required_omi": omi([node(BODY, motion={}, collider={"shape": 0}), node(OJOINT, enableCollision=True)],
                        joints={"physicsJoints": [{"limits": [LOCK]}]}),
    "required_mid": document([node(BODY, type="dynamic", children=[1]), node(OSHAPE, name="a collider without a shape")],
                             {OSHAPE: {"shapes": [{"type": "box", "size": [1, 1, 1]}]}}),
    "required_early": early_pair({"nodeA": 0}, [{"linearAxes": [0]}]),
    "not_finite": "NOT_FINITE",
    "unsupported_extension": omi([dict(omi_body(), extensions={
        BODY: {"motion": {"type": "dynamic"}, "collider": {"shape": 0}}, "OMI_vehicle_wheel": {},
        "OMI_physics_gravity": {"gravity": 9.81}})]),
    "empty_array": khr([body()], root={"physicsMaterials": [], "physicsJoints": [], "collisionFilters": [
        {"collisionSystems": []}]}),
    "empty_array_shapes": document([node(motion={"mass": 1})], {SHAPES: {"shapes": []}}),
    "empty_array_omi": omi([omi_body()], body_root={"collisionFilters": [{"collisionSystems": []}]}),

    "unresolved_shape": khr([node(collider=shape_ref(1)), node(trigger=shape_ref(-1)), body()]),
    "unresolved_shape_no_table": document([node(motion={"mass": 1}, collider={"shape": 0})], {}),
    "unresolved_node": khr([body({}), node(collider={"geometry": {"node": 9}}),
                            node(trigger={"nodes": [0.5, 12]}), node(joint={"joint": 0, "connectedNode": 77})],
                           root={"physicsJoints": [{"limits": [LOCK]}]}),
    "unresolved_mesh": khr([body(), node(collider={"geometry": {"mesh": 0}})]),
    "unresolved_mesh_omi": omi([omi_body()], shapes=[{"type": "convex", "convex": {"mesh": -1}}]),
    "unresolved_material": khr([node(motion={}, collider={"geometry": {"shape": 0}, "physicsMaterial": 0})]),
    "unresolved_filter": khr([node(motion={}, collider={"geometry": {"shape": 0}, "collisionFilter": 3})]),
    "unresolved_joint": joined(limits=[LOCK], joint={"joint": 1}),
    "unresolved_constraint": early_pair({"nodeA": 0, "nodeB": 1, "constraints": [0, 4]}, [{"linearAxes": [0]}]),
    "geometry_one_of": khr([body(), node(collider={"geometry": {}}),
                            node(collider={"geometry": {"shape": 0, "node": 0}})]),
    "geometry_no_mesh": khr([body(), node(collider={"geometry": {"node": 0}}),
                             node(collider={"geometry": {"mesh": 1, "convexHull": True}}),
                             node(collider={"geometry": {"mesh": 2}})], **MESHES),

    "shape_type_missing": khr([body()], shapes=[{"box": {}}]),
    "shape_type_unknown": khr([body()], shapes=[{"type": "torus"}]),
    "shape_param_mismatch": khr([body()], shapes=[{"type": "box", "box": {}, "sphere": {}}]),
    "shape_degenerate": khr([node(motion={"mass": 1}, collider=shape_ref(0))], shapes=[
        {"type": "sphere", "sphere": {"radius": 0}}, {"type": "box", "box": {"size": [1, 0, 1]}},
        {"type": "capsule", "capsule": {"height": 0}}, {"type": "cylinder", "cylinder": {"height": 0}},
        {"type": "capsule", "capsule": {"radiusTop": 0, "radiusBottom": 0}},
        {"type": "plane", "plane": {"sizeX": 0}}]),
    "shape_degenerate_seed": document([node(motion={"mass": 1}, collider={"shape": 0})], {OLD: {"shapes": [
        {"type": "sphere", "sphere": {"radius": 0}}]}}),
    "shape_negative": khr([node(motion={"mass": 1}, collider=shape_ref(0))], shapes=[
        {"type": "sphere", "sphere": {"radius": -1}}, {"type": "box", "box": {"size": [1, 1, -2]}},
        {"type": "capsule", "capsule": {"height": -1}},
        {"type": "cylinder", "cylinder": {"radiusTop": -1}}]),
    "capsule_swallowed": khr([body()], shapes=[
        {"type": "capsule", "capsule": {"height": 0.5, "radiusBottom": 1, "radiusTop": 0.25}}]),
    "capsule_too_short": early([node(BODY, type="rigid", children=[1]), node(OCOLLIDER, collider=0)],
                               colliders=[{"type": "capsule", "radius": 1, "height": 1}]),
    "scale_nonuniform": khr([body(scale=[1, 2, 1])], shapes=[{"type": "sphere", "sphere": {}}]),
    "scale_zero": khr([body({"mass": 1}), node(collider=shape_ref(), scale=[0, 0, 0]),
                       node(collider=shape_ref(), scale=[1, 0, 1])]),
    "scale_negative": khr([body(scale=[-1, 1, 1]), node(scale=[-2, -2, -2], children=[2]),
                           node(collider=shape_ref(), translation=[3, 0, 0])]),
    "scale_extreme": khr([body(), node(collider=shape_ref(), scale=[1e30, 1e30, 1e30])]),
    "shape_tiny": khr([body(), node(collider=shape_ref(1)), node(collider=shape_ref(), scale=[1e-8, 1e-8, 1e-8]),
                       node(trigger=shape_ref(2)), node(collider=shape_ref(3)), node(collider=shape_ref(4))],
                      shapes=[{"type": "sphere", "sphere": {"radius": 0.02}},
                              {"type": "box", "box": {"size": [1, 1e-45, 1]}},
                              {"type": "capsule", "capsule": {"radiusTop": 1e-30, "radiusBottom": 1e-30}},
                              {"type": "cylinder", "cylinder": {"height": 1e-42}},
                              {"type": "plane", "plane": {"sizeX": 1e-45}}]),

    "mass_negative": khr([body({"mass": -1})]),
    "mass_zero": omi([omi_body({"type": "dynamic", "mass": 0})]),
    "zero_is_infinite": khr([body({"mass": 0, "inertiaDiagonal": [0, 1, 1]})]),
    "inertia_negative": khr([body({"mass": 1, "inertiaDiagonal": [1, -1, 1]})]),
    "inertia_triangle": khr([body({"mass": 1, "inertiaDiagonal": [1, 1, 3]})]),
    "array_length": khr([body({"centerOfMass": [0, 0]})], shapes=[{"type": "box", "box": {"size": [1, 1, 1, 1]}}]),
    "quat_not_unit": khr([body({"mass": 1, "inertiaDiagonal": [1, 1, 1], "inertiaOrientation": [0, 0, 0, 2]})]),
    "body_without_shape": khr([node(motion={})], shapes=[]),
    "dynamic_trimesh": khr([node(motion={}, collider={"geometry": {"mesh": 0}})], shapes=[], **MESHES),
    "dynamic_plane": khr([node(motion={"mass": 1}, collider=shape_ref())], shapes=[{"type": "plane"}]),
    "nested_motion": khr([body(children=[1]), body(translation=[2, 0, 0])]),
    "animated_body": animated([body()], "translation", [0, 0, 0, 1, 0, 0]),
    "animated_scale": animated([body()], "scale", [1, 1, 1, 2, 2, 2]),
    "animated_scale_above": animated([node(children=[1]), node(children=[2]), node(collider=shape_ref())], "scale",
                                     [1, 1, 1, 2, 2, 2]),
    "unreachable_node": khr([body(), body()], scenes=[{"nodes": [0]}]),
    "unreachable_connected_node": dict(joined(limits=[LOCK]), scenes=[{"nodes": [0]}]),

    "trigger_one_of": khr([node(trigger={}), node(trigger={"geometry": {"shape": 0}, "nodes": [2]}, children=[2]),
                           node(trigger=shape_ref())]),
    "trigger_one_of_omi": omi([node(BODY, trigger={}, children=[1]), node(BODY, trigger={"shape": 0})]),
    "trigger_one_of_omi_minus": omi([node(BODY, trigger={"shape": -1, "nodes": []}, children=[1]),
                                     node(BODY, trigger={"shape": 0})]),
    "trigger_compound_filter": khr([node(trigger={"nodes": [1], "collisionFilter": 0}, children=[1]),
                                    node(trigger=shape_ref())],
                                   root={"collisionFilters": [{"collisionSystems": ["a"]}]}),
    "trigger_child_invalid": khr([node(trigger={"nodes": [1, 2, 3]}, children=[1, 2]), node(collider=shape_ref()),
                                  node(trigger={"nodes": [4]}, children=[4]), node(trigger=shape_ref()),
                                  node(trigger=shape_ref())]),
    "duplicate": khr([node(trigger={"nodes": [1, 1]}, children=[1]), node(trigger=shape_ref())]),
    "duplicate_axis": joined(limits=[{"linearAxes": [0, 0], "min": 0, "max": 0}]),
    "filter_both_lists": khr([node(motion={}, collider={"geometry": {"shape": 0}, "collisionFilter": 0})],
                             root={"collisionFilters": [{"collisionSystems": ["a"], "collideWithSystems": ["a"],
                                                         "notCollideWithSystems": ["a"]}]}),
    "filter_unknown_system": khr([node(motion={}, collider={"geometry": {"shape": 0}, "collisionFilter": 0})],
                                 root={"collisionFilters": [{"collideWithSystems": ["nobody"]}]}),
    "material_range": khr([node(motion={}, collider={"geometry": {"shape": 0}, "physicsMaterial": 0})],
                          root={"physicsMaterials": [{"staticFriction": -1, "dynamicFriction": -1,
                                                      "restitution": -1}]}),
    "restitution_gt_1": khr([node(motion={}, collider={"geometry": {"shape": 0}, "physicsMaterial": 0})],
                            root={"physicsMaterials": [{"restitution": 1.5}]}),
    "enum": khr([node(motion={}, collider={"geometry": {"shape": 0}, "physicsMaterial": 0})],
                root={"physicsMaterials": [{"frictionCombine": "AVERAGE"}]}),
    "enum_drive": joined(drives=[{"type": "sideways", "mode": "force", "axis": 0}], limits=[LOCK]),
    "enum_motion": omi([omi_body({"type": "rigid"})]),

    "limit_axes_one_of": joined(limits=[{"min": 0, "max": 0}, dict(LOCK, angularAxes=[0])]),
    "limit_axes_one_of_early": early_pair({"nodeA": 0, "nodeB": 1, "constraints": [0, 1]},
                                          [{}, {"linearAxes": [0], "angularAxes": [0]}]),
    "limit_axis_range": joined(limits=[{"linearAxes": [0, 3], "min": 0, "max": 0}]),
    "limit_axes_length": joined(limits=[{"linearAxes": [], "min": 0}, {"angularAxes": [0, 1, 2, 0], "max": 1}]),
    "limit_range": joined(limits=[{"linearAxes": [0], "min": 1, "max": -1}]),
    "limit_range_early": early_pair({"nodeA": 0, "nodeB": 1, "constraints": [0]},
                                    [{"linearAxes": [0], "lowerLimit": 1, "upperLimit": 0}]),
    "limit_unbounded": joined(limits=[{"linearAxes": [0]}]),
    "limit_negative_norm": joined(limits=[{"linearAxes": [0, 1], "min": -1, "max": 1},
                                          {"angularAxes": [0, 1], "max": -1}]),
    "limit_spring": joined(limits=[dict(LOCK, stiffness=-1, damping=-1)]),
    "limit_spring_early": early_pair({"nodeA": 0, "nodeB": 1, "constraints": [0]},
                                     [{"linearAxes": [0], "stiffness": 0}]),
    "damping_without_stiffness": joined(limits=[dict(LOCK, damping=1)]),
    "stiffness_implausible": joined(limits=[dict(LOCK, stiffness=1)]),
    "stiffness_implausible_omi": omi([omi_body(children=[1]), node(OJOINT, joint=0, connectedNode=2), omi_body()],
                                     joints={"physicsJoints": [{"limits": [dict(LOCK, stiffness=0.3)]}]}),
    "drive_axis": joined(drives=[{"type": "linear", "mode": "force", "axis": 3}], limits=[LOCK]),
    "drive_required": joined(drives=[{}], limits=[LOCK]),
    "drive_negative": joined(drives=[{"type": "linear", "mode": "force", "axis": 0, "maxForce": -1,
                                      "stiffness": -1, "damping": -1}], limits=[LOCK]),
    "drive_unpaired": joined(drives=[{"type": "linear", "mode": "force", "axis": 0, "positionTarget": 1}]),
    "joint_empty": joined(),
    "joint_empty_early": early_pair({"nodeA": 0, "nodeB": 1, "constraints": []}, [{"linearAxes": [0]}]),
    "joint_no_body": khr([node(collider=shape_ref(), joint={"joint": 0, "connectedNode": 1}), node()],
                         root={"physicsJoints": [{"limits": [LOCK]}]}),
    "joint_same_body": khr([body(children=[1]), node(joint={"joint": 0, "connectedNode": 0})],
                           root={"physicsJoints": [{"limits": [LOCK]}]}),
    "joint_misaligned": joined(limits=[LOCK], offset=[0.5, 0, 0]),
    "omi_joint_ends": early_pair({"nodeA": 2, "nodeB": 1, "constraints": [0]}, [{"linearAxes": [0]}], b="trigger"),
    "omi_joint_ends_immovable": early_pair({"nodeA": 0, "nodeB": 1, "constraints": [0]}, [{"linearAxes": [0]}],
                                           a="static", b="kinematic"),
    "joint_node_shared": omi([dict(omi_body(), extensions={
        BODY: {"motion": {"type": "dynamic"}, "collider": {"shape": 0}}, OJOINT: {"joint": 0, "connectedNode": 1}}),
        omi_body()], joints={"physicsJoints": [{"limits": [LOCK]}]}),
    "unresolved_skin": document([node(collider={"shape": 0}), {"mesh": 0}], {OLD: {"shapes": [
        {"type": "mesh", "mesh": {"mesh": 0, "skin": 0}}]}}, **MESHES),
    "msft_2022": document([
        node(MSFT, rigidBody={"mass": 2, "isEnabled": True, "inertiaTensor": [1, 0, 0, 0, 1, 0, 0, 0, 1]},
             collider={"physicsMaterial": 0, "collisionSystem": "Stone", "collideWithLayers": ["layer_0"],
                       "capsule": {"height": 1, "radius": 0.5}},
             joint={"constraints": [{"linearAxes": [0, 1, 2]}]}),
        node(MSFT, rigidBody={"isKinematic": True}, collider={"convex": {"mesh": 0}}, children=[2]),
        node(MSFT, trigger={"sphere": {"radius": 2}, "notCollideWithSystems": ["Stone"]}),
        node(MSFT, collider={"mesh": {"mesh": 1}})],
        {MSFT: {"physicsMaterials": [{"frictionCombine": "MINIMUM"}]}}, **MESHES),
    "msft_2022_errors": document([
        node(MSFT, rigidBody={"mass": -1}, collider={"physicsMaterial": 3, "collisionSystem": 7},
             joint={"connectedNode": 9, "constraints": [{"linearAxes": [0]}]}),
        node(MSFT, rigidBody={}, collider={"box": {"size": [1, 1]}, "sphere": {}}, joint={"connectedNode": 0}),
        node(MSFT, rigidBody={}, collider={"box": {"size": [1, 0, 1]}, "isHollow": True},
             joint={"connectedNode": 0, "constraints": []}, children=[3]),
        node(MSFT, rigidBody={"mass": 1}, trigger={"collisionSystem": "a"},
             joint={"connectedNode": 1, "constraints": [{"min": 1, "max": 0, "angularAxes": [1]}]})],
        {MSFT: {"physicsMaterials": [{"frictionCombine": "minimum"}]}},
        scenes=[{"nodes": [0, 1, 2], "extensions": {MSFT: {"gravity": [0, -1.62, 0]}}}]),
    "joint_drives_only": khr([node(joint={"joint": 0, "connectedNode": 1}), body()], root={"physicsJoints": [
        {"drives": [{"type": "linear", "mode": "force", "axis": 0, "velocityTarget": 1, "damping": 1}]}]}),
    "scale_shears": khr([{"scale": [1, 2, 1], "children": [1, 2]}, body(), body({"inertiaDiagonal": [0, 0, 0]}),
                         {"scale": [2, 2, 2], "children": [4]}, body()]),
    "unused": khr([body()], shapes=[BOX, BOX], root={
        "physicsMaterials": [{}], "collisionFilters": [{}], "physicsJoints": [{"limits": [LOCK]}]}),
    "unexpected_property": khr([body({"wobble": 1})], shapes=[{"type": "box", "box": {"width": 1}}]),
}


def write(name, doc):
    text = json.dumps(doc, indent=1) + "\n"
    if doc == "NOT_FINITE":
        text = json.dumps(khr([body({"mass": 123456})]), indent=1).replace("123456", "1e999") + "\n"
    with open(os.path.join(HERE, "physics", name + ".gltf"), "w", newline="\n") as out:
        out.write(text)
    report = os.path.join(HERE, "physics", name + ".report.json")
    if not os.path.exists(report):
        open(report, "w").close()


if __name__ == "__main__":
    os.makedirs(os.path.join(HERE, "physics"), exist_ok=True)
    for name, doc in CASES.items():
        write(name, doc)
