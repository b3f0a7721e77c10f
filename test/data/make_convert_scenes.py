#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
"""Writes test/data/convert: small scenes with one property each that a dialect of physics may lack. The proof of
conversion (test/output/test_convert_proof.c) converts each of them through every pair of dialects."""
import base64
import json
import os
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "convert")
RB = "KHR_physics_rigid_bodies"


def node(name, extensions=None, **members):
    """A node; its lists are translation, rotation, scale, children."""
    result = {"name": name}
    result.update(members)
    if extensions:
        result["extensions"] = extensions
    return result


def khr(**members):
    """The node object of the release candidate."""
    return {RB: members}


def solid(shape, **members):
    """A collider or trigger with a shape of the table."""
    return dict(geometry={"shape": shape}, **members)


def scene(nodes, shapes=(), root=None, roots=None, extensions=None, used=None, **members):
    """A document of the release candidate, unless `extensions` replaces the tables."""
    children = {c for n in nodes for c in n.get("children", [])}
    document = {"asset": {"version": "2.0"}, "scene": 0,
                "scenes": [{"nodes": roots if roots is not None else [i for i in range(len(nodes)) if i not in children]}],
                "nodes": nodes}
    if extensions is None:
        extensions = {}
        if shapes:
            extensions["KHR_implicit_shapes"] = {"shapes": list(shapes)}
        if root:
            extensions[RB] = root
        used = ["KHR_implicit_shapes", RB]
    document["extensionsUsed"] = used
    if extensions:
        document["extensions"] = extensions
    document.update(members)
    return document


BOX = {"type": "box", "box": {"size": [0.4, 0.4, 0.4]}}
FLOOR = {"type": "box", "box": {"size": [20, 1, 20]}}
BALL = {"type": "sphere", "sphere": {"radius": 0.2}}


def floor():
    return node("floor", khr(collider=solid(1)), translation=[0, -1.5, 0])


def body(at=(0, 0, 0), shape=0, collider=None, **motion):
    motion = dict({"mass": 2}, **motion)
    return node("body", khr(motion=motion, collider=dict(solid(shape), **(collider or {}))), translation=list(at))


def lock(*axes, **members):
    return dict({"linearAxes": list(axes), "min": 0, "max": 0}, **members)


def turn_lock(*axes):
    return {"angularAxes": list(axes), "min": 0, "max": 0}


def jointed(limits=None, drives=None, velocity=None, **joint):
    """A body that hangs at a fixed node by one joint."""
    description = {}
    if limits:
        description["limits"] = limits
    if drives:
        description["drives"] = drives
    nodes = [node("anchor", khr(joint=dict({"joint": 0, "connectedNode": 2}, **joint))),
             node("body", khr(motion=dict({"mass": 2}, **(velocity or {})), collider=solid(0)), translation=[0, 0, 0],
                  children=[2]), node("end")]
    return scene(nodes, [BOX], {"physicsJoints": [description]})


def buffer_of(arrays):
    """A buffer, its views and accessors from arrays of (type, component type, floats or shorts)."""
    data, views, accessors = b"", [], []
    for kind, component, values in arrays:
        raw = struct.pack("<%d%s" % (len(values), "f" if component == 5126 else "H"), *values)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)})
        size = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
        accessor = {"bufferView": len(views) - 1, "componentType": component, "count": len(values) // size, "type": kind}
        if kind == "VEC3" and component == 5126:
            accessor["min"] = [min(values[k::3]) for k in range(3)]
            accessor["max"] = [max(values[k::3]) for k in range(3)]
        elif kind == "SCALAR" and component == 5126:
            accessor["min"], accessor["max"] = [min(values)], [max(values)]
        accessors.append(accessor)
        data += raw + b"\0" * (-len(raw) % 4)
    return {"buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64,"
                         + base64.b64encode(data).decode()}], "bufferViews": views, "accessors": accessors}


def cube_mesh(**mesh):
    """A cube of 0.5 m with one morph target that makes it twice as tall upwards."""
    corners = [(0.25 if i >> k & 1 else -0.25) for i in range(8) for k in range(3)]
    target = [(0.5 if k == 1 and i >> 1 & 1 else 0.0) for i in range(8) for k in range(3)]
    indices = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]
    parts = buffer_of([("VEC3", 5126, corners), ("VEC3", 5126, target), ("SCALAR", 5123, indices)])
    primitive = {"attributes": {"POSITION": 0}, "indices": 2, "targets": [{"POSITION": 1}]}
    parts["meshes"] = [dict({"primitives": [primitive]}, **mesh)]
    return parts


def mesh_scene(geometry, extra=(), node_weights=None, **mesh):
    nodes = [node("floor", khr(collider=solid(0)), translation=[0, -1.5, 0]),
             node("body", khr(motion={"mass": 1}, collider={"geometry": geometry}))] + list(extra)
    if node_weights:
        nodes[1].update(mesh=0, weights=node_weights)
    return scene(nodes, [FLOOR], roots=[0, 1], **cube_mesh(**mesh))


def draft_scene(shape, weights=None):
    """KHR_collision_shapes with one mesh shape."""
    nodes = [node("floor", {RB: {"collider": {"shape": 0}}}, translation=[0, -1.5, 0]),
             node("body", {RB: {"motion": {"mass": 1}, "collider": {"shape": 1}}})]
    if weights:
        nodes[1].update(mesh=0, weights=weights)
    return scene(nodes, extensions={"KHR_collision_shapes": {"shapes": [FLOOR, shape]}},
                 used=["KHR_collision_shapes", RB], **cube_mesh())


def animated(document, pointer, kind, values, interpolation="LINEAR"):
    """Adds an animation of a pointer over one second."""
    parts = buffer_of([("SCALAR", 5126, [0, 1]), (kind, 5126, values)])
    document.update(parts)
    document["extensionsUsed"] = document["extensionsUsed"] + ["KHR_animation_pointer"]
    document["animations"] = [{"samplers": [{"input": 0, "output": 1, "interpolation": interpolation}], "channels": [
        {"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}}]}]
    return document


def omi(nodes, shapes, root=None, joints=None, **members):
    extensions = {"OMI_physics_shape": {"shapes": list(shapes)}}
    used = ["OMI_physics_body", "OMI_physics_shape"]
    if root:
        extensions["OMI_physics_body"] = root
    if joints:
        extensions["OMI_physics_joint"] = {"physicsJoints": joints}
        used.append("OMI_physics_joint")
    return scene(nodes, extensions=extensions, used=used, **members)


def omi_node(name, joint=None, extra=None, **objects):
    members = extra or {}
    extensions = {}
    if objects:
        extensions["OMI_physics_body"] = objects
    if joint:
        extensions["OMI_physics_joint"] = joint
    return node(name, extensions, **members)


def early(nodes, colliders, constraints=None):
    extensions = {"OMI_collider": {"colliders": colliders}}
    used = ["OMI_physics_body", "OMI_collider"]
    if constraints:
        extensions["OMI_physics_joint"] = {"constraints": constraints}
        used.append("OMI_physics_joint")
    return scene(nodes, extensions=extensions, used=used)


def early_node(name, body=None, collider=None, joint=None, **members):
    extensions = {}
    if body:
        extensions["OMI_physics_body"] = body
    if collider is not None:
        extensions["OMI_collider"] = {"collider": collider}
    if joint:
        extensions["OMI_physics_joint"] = joint
    return node(name, extensions, **members)


ROOT_MATERIALS = {"physicsMaterials": [{"staticFriction": 0.1, "dynamicFriction": 0.05, "restitution": 0.5,
                                        "frictionCombine": "minimum", "restitutionCombine": "maximum"}]}
FILTERS = {"collisionFilters": [{"collisionSystems": ["a"], "notCollideWithSystems": ["b"]},
                                {"collisionSystems": ["b"]}, {"collisionSystems": ["c"], "collideWithSystems": ["b"]}, {}]}
BLUE_TRIGGER = {"trigger": solid(2)}
ALL = [lock(0, 1, 2), turn_lock(0, 1, 2)]


def pushed(x, y=0, z=0):
    return {"linearVelocity": [x, y, z]}


def spun(x, y, z):
    return {"angularVelocity": [x, y, z], "gravityFactor": 0}


def drive(**members):
    return dict({"type": "linear", "mode": "force", "axis": 1}, **members)


SCENES = {
    # Limits.
    "limit_min_only": jointed([lock(0, 2), turn_lock(0, 1, 2), {"linearAxes": [1], "min": -0.5}]),
    "limit_max_only": jointed([lock(0, 2), turn_lock(0, 1, 2), {"linearAxes": [1], "max": 0.5}]),
    "limit_turn_min_only": jointed([lock(0, 1, 2), turn_lock(1, 2), {"angularAxes": [0], "min": -0.7}], velocity=spun(-1, 0, 0)),
    "limit_turn_max_only": jointed([lock(0, 1, 2), turn_lock(1, 2), {"angularAxes": [0], "max": 0.7}], velocity=spun(1, 0, 0)),
    "limit_beyond_a_turn": jointed([lock(0, 1, 2), turn_lock(1, 2), {"angularAxes": [0], "min": -4, "max": 4}],
                                   velocity=spun(3, 0, 0)),
    "limit_unbounded": jointed([{"linearAxes": [1]}, lock(0, 2)]),
    "limit_rope": jointed([{"linearAxes": [0, 1, 2], "max": 0.7}], velocity=pushed(0.5)),
    "limit_core": jointed([{"linearAxes": [0, 1, 2], "min": 0.3}]),
    "limit_rod": jointed([{"linearAxes": [0, 1, 2], "min": 0.5, "max": 0.5}], velocity=pushed(0.5)),
    "limit_line": jointed([{"linearAxes": [0, 2], "min": 0, "max": 0.25}], velocity=pushed(1, 0, 0.5)),
    "limit_negative_norm": jointed([{"linearAxes": [0, 1, 2], "min": -1, "max": 0.4}]),
    "limit_cone": jointed([lock(0, 1, 2), {"angularAxes": [1, 2], "min": 0, "max": 0.4}], velocity=spun(0, 1, 0.5)),
    "limit_twist": jointed([lock(0, 1, 2), {"angularAxes": [0], "min": -0.3, "max": 0.5}], velocity=spun(1, 0, 0)),
    "limit_twice": jointed([lock(0, 2), turn_lock(0, 1, 2), {"linearAxes": [1], "min": -1, "max": 1},
                            {"linearAxes": [1], "min": -0.5, "max": 2}]),
    "limit_spring": jointed([lock(0, 2), turn_lock(0, 1, 2), lock(1, stiffness=200, damping=5)]),
    "limit_soft_spring": jointed([lock(0, 2), turn_lock(0, 1, 2), lock(1, stiffness=0.5)]),
    "limit_offset": jointed([lock(0, 2), turn_lock(0, 1, 2), {"linearAxes": [1], "min": 0.3, "max": 0.3}]),
    "joint_collides": jointed([lock(0, 1, 2)], enableCollision=True),
    "joint_frames_differ": scene([node("anchor", khr(joint={"joint": 0, "connectedNode": 2}), translation=[0.2, 0, 0],
                                       rotation=[0, 0.6, 0, 0.8]), dict(body(), children=[2]), node("end")], [BOX],
                                 {"physicsJoints": [{"limits": [lock(0, 1, 2)]}]}),
    "joint_of_two": scene([dict(body([0, 0, 0], **pushed(1)), children=[1]),
                           node("pivot", khr(joint={"joint": 0, "connectedNode": 3}), translation=[0.5, 0, 0]),
                           dict(body([1, 0, 0]), children=[3]), node("end", translation=[-0.5, 0, 0])], [BOX],
                          {"physicsJoints": [{"limits": [lock(0, 1, 2)]}]}),
    "joint_on_scaled_bodies": scene([dict(body([0, 0, 0], **pushed(1)), scale=[2, 2, 2], children=[1]),
                                     node("pivot", khr(joint={"joint": 0, "connectedNode": 3}), translation=[0.25, 0, 0]),
                                     dict(body([1, 0, 0]), scale=[0.5, 1, -2], children=[3]),
                                     node("end", translation=[-1, 0, 0])], [BOX],
                                    {"physicsJoints": [{"limits": [lock(0, 1, 2)]}]}),
    "joint_on_static_collider": scene([node("wall", khr(collider=solid(0)), children=[1]),
                                       node("anchor", khr(joint={"joint": 0, "connectedNode": 2})), body([0, 0.1, 0])], [BOX],
                                      {"physicsJoints": [{"limits": [{"linearAxes": [1], "min": -1, "max": 1}, lock(0, 2)]}]}),
    # Drives.
    "drive_only": jointed(drives=[drive(velocityTarget=1, damping=30)]),
    "drive_position": jointed([lock(0, 2), turn_lock(0, 1, 2)], [drive(positionTarget=0.3, stiffness=300, damping=20)]),
    "drive_turn": jointed([lock(0, 1, 2), turn_lock(1, 2)],
                          [drive(type="angular", axis=0, velocityTarget=2, damping=4, maxForce=3, mode="acceleration")]),
    # Mass.
    "joint_immovable": scene([node("anchor", khr(joint={"joint": 0, "connectedNode": 1}), translation=[0, 0.5, 0]),
                              body([0, 0, 0], mass=0, inertiaDiagonal=[0, 0, 0], linearVelocity=[0.2, 0, 0]),
                              body([1, 0, 0], **pushed(1))], [BOX], {"physicsJoints": [{"limits": [lock(0, 1, 2)]}]}),
    "mass_infinite": scene([floor(), body([0, 0, 0], mass=0, **pushed(0.3)), body([1, 0, 0])], [BOX, FLOOR]),
    "mass_infinite_turns": scene([body([0, 0, 0], mass=0, inertiaDiagonal=[1, 1, 1], angularVelocity=[0, 0, 1])], [BOX]),
    "inertia_infinite": scene([floor(), body([0, 0, 0], inertiaDiagonal=[0, 1, 0], **pushed(1))], [BOX, FLOOR]),
    "mass_computed": scene([floor(), node("body", khr(motion={}, collider=solid(0)))], [BOX, FLOOR]),
    "mass_all_given": scene([body(centerOfMass=[0.1, 0.2, 0], inertiaDiagonal=[1, 2, 2.5], inertiaOrientation=[0, 0, 0.6, 0.8],
                                  angularVelocity=[1, 0.5, 0.2])], [BOX]),
    "mass_scaled": scene([dict(body([0, 0.5, 0], centerOfMass=[0.1, 0, 0]), scale=[1, 2, 1.5]), floor()], [BOX, FLOOR]),
    "mass_without_shape": scene([node("body", khr(motion={"mass": 3, "angularVelocity": [1, 2, 3]}))], [BOX]),
    "gravity_factor": scene([body(gravityFactor=0.2), body([2, 0, 0], gravityFactor=-1)], [BOX]),
    "kinematic": scene([node("screw", khr(motion={"isKinematic": True, "angularVelocity": [0, 0, -2],
                                                  "linearVelocity": [0.2, 0, 0], "centerOfMass": [0.3, 0, 0]},
                                          collider=solid(0))), body([0, 0.6, 0])], [BOX]),
    "mirrored": scene([floor(), dict(body([0, 0, 0], angularVelocity=[0, 2, 0]), scale=[-1, 1, 1], children=[2]),
                       node("arm", khr(collider=solid(0)), translation=[0.4, 0, 0], rotation=[0, 0.6, 0, 0.8])], [BOX, FLOOR]),
    "nested_bodies": scene([floor(), dict(body(), children=[2]), body([0, 0.6, 0])], [BOX, FLOOR]),
    # Shapes.
    "shape_plane": scene([node("plane", khr(collider=solid(1)), translation=[0, -1, 0]), body()],
                         [BOX, {"type": "plane", "plane": {}}]),
    "shape_sheet": scene([node("plane", khr(collider=solid(1)), translation=[0, -1, 0]), body()],
                         [BOX, {"type": "plane", "plane": {"sizeX": 4, "sizeZ": 3, "doubleSided": True}}]),
    "shape_tapered": scene([floor(), body(shape=0), body([1, 0, 0], shape=2)],
                           [{"type": "capsule", "capsule": {"height": 0.5, "radiusBottom": 0.3, "radiusTop": 0.1}}, FLOOR,
                            {"type": "cylinder", "cylinder": {"height": 0.5, "radiusBottom": 0.3, "radiusTop": 0}}]),
    "shape_round": scene([floor(), body(shape=0), body([1, 0, 0], shape=2), body([2, 0, 0], shape=3)],
                         [{"type": "capsule", "capsule": {"height": 0.5, "radiusBottom": 0.2, "radiusTop": 0.2}}, FLOOR,
                          {"type": "cylinder", "cylinder": {"height": 0.5, "radiusBottom": 0.3, "radiusTop": 0.3}}, BALL]),
    "shape_swallowed": scene([floor(), body(shape=0)],
                             [{"type": "capsule", "capsule": {"height": 0.1, "radiusBottom": 0.4, "radiusTop": 0.1}}, FLOOR]),
    "mesh_of_node": mesh_scene({"node": 2}, [node("source", mesh=0)]),
    "mesh_hull_of_node": mesh_scene({"node": 2, "convexHull": True}, [node("source", mesh=0)]),
    "mesh_by_index": mesh_scene({"mesh": 0}),
    "mesh_node_weights": mesh_scene({"node": 2, "convexHull": True}, [node("source", mesh=0, weights=[1])]),
    "mesh_own_weights": mesh_scene({"node": 1}, node_weights=[0.5]),
    "mesh_weights_of_mesh": mesh_scene({"mesh": 0, "convexHull": True}, weights=[0.5]),
    "mesh_of_subtree": mesh_scene({"node": 2, "convexHull": True},
                                  [node("source", mesh=0, children=[3]), node("more", mesh=0, translation=[0.6, 0, 0])]),
    "draft_weights": draft_scene({"type": "mesh", "mesh": {"mesh": 0, "convexHull": True, "weights": [1]}}),
    "draft_node_weights": draft_scene({"type": "mesh", "mesh": {"mesh": 0, "useNodeWeights": True}}, weights=[0.5]),
    "draft_two_hulls": scene([node("floor", {RB: {"collider": {"shape": 0}}}, translation=[0, -1.5, 0]),
                              node("mesh", {RB: {"motion": {"mass": 1}, "collider": {"shape": {"shape": 1}}}}),
                              node("hull", {RB: {"motion": {"mass": 1}, "collider": {"shape": {"shape": 1}, "convexHull": True}}},
                                   translation=[2, 0, 0])],
                             extensions={"KHR_collision_shapes": {"shapes": [FLOOR, {"type": "mesh", "mesh": {"mesh": 0}}]}},
                             used=["KHR_collision_shapes", RB], **cube_mesh()),
    # Materials and filters.
    "material": scene([node("floor", khr(collider=solid(1, physicsMaterial=0)), translation=[0, -1, 0], rotation=[0, 0, 0.1, 0.99498743]),
                       body(collider={"physicsMaterial": 0})], [BOX, FLOOR], ROOT_MATERIALS),
    "filter": scene([node("floor", khr(collider=solid(1, collisionFilter=1)), translation=[0, -1.5, 0]),
                     body(collider={"collisionFilter": 0}), body([1, 0, 0], collider={"collisionFilter": 2}),
                     body([2, 0, 0], collider={"collisionFilter": 3}), body([3, 0, 0])], [BOX, FLOOR], FILTERS),
    # Triggers.
    "trigger": scene([node("zone", khr(**BLUE_TRIGGER), translation=[0, -1, 0]), body()], [BOX, FLOOR, BALL]),
    "trigger_filter": scene([node("zone", khr(trigger=solid(2, collisionFilter=2)), translation=[0, -1, 0]),
                             body(collider={"collisionFilter": 1}), body([0.1, 1, 0])], [BOX, FLOOR, BALL], FILTERS),
    "trigger_compound": scene([node("zone", khr(trigger={"nodes": [1, 2]}), translation=[0, -1, 0], children=[1, 2]),
                               node("left", khr(**BLUE_TRIGGER)), node("right", khr(**BLUE_TRIGGER), translation=[0, -0.3, 0]),
                               body()], [BOX, FLOOR, BALL]),
    "trigger_beside_collider": scene([node("zone", khr(collider=solid(0), trigger=solid(2)), translation=[0, -1, 0]), body()],
                                     [BOX, FLOOR, BALL]),
    "trigger_on_body": scene([floor(), dict(body(), children=[2]), node("sensor", khr(**BLUE_TRIGGER), translation=[0, -0.3, 0])],
                             [BOX, FLOOR, BALL]),
    # Animated properties.
    "pointer_material": animated(scene([node("floor", khr(collider=solid(1, physicsMaterial=0)), translation=[0, -1, 0],
                                             rotation=[0, 0, 0.1, 0.99498743]), body()], [BOX, FLOOR], ROOT_MATERIALS),
                                 "/extensions/%s/physicsMaterials/0/dynamicFriction" % RB, "SCALAR", [0, 1]),
    "pointer_limit": animated(jointed([lock(0, 2), turn_lock(0, 1, 2), {"linearAxes": [1], "min": -0.2, "max": 0.2}]),
                              "/extensions/%s/physicsJoints/0/limits/2/min" % RB, "SCALAR", [-0.2, -0.6]),
    "pointer_drive": animated(jointed([lock(0, 2), turn_lock(0, 1, 2)], [drive(positionTarget=0, stiffness=300, damping=20)]),
                              "/extensions/%s/physicsJoints/0/drives/0/positionTarget" % RB, "SCALAR", [0, 0.5]),
    "pointer_gravity": animated(scene([body()], [BOX]), "/nodes/0/extensions/%s/motion/gravityFactor" % RB, "SCALAR", [0, 1]),
    "pointer_kinematic": animated(scene([body()], [BOX]), "/nodes/0/extensions/%s/motion/isKinematic" % RB, "SCALAR", [1, 0], "STEP"),
    "pointer_size": animated(scene([floor(), body()], [BOX, FLOOR]), "/extensions/KHR_implicit_shapes/shapes/0/box/size", "VEC3",
                             [0.4, 0.4, 0.4, 0.4, 0.8, 0.4]),
    "pointer_plane": animated(scene([node("plane", khr(collider=solid(1)), translation=[0, -1, 0]), body()],
                                    [BOX, {"type": "plane", "plane": {"sizeX": 4, "sizeZ": 4}}]),
                              "/extensions/KHR_implicit_shapes/shapes/1/plane/sizeX", "SCALAR", [4, 5]),
    "pointer_collision": animated(jointed([lock(0, 1, 2)]), "/nodes/0/extensions/%s/joint/enableCollision" % RB, "SCALAR", [0, 1],
                                  "STEP"),
    # OMI.
    "omi_static_body_with_trigger": omi(
        [omi_node("shelf", motion={"type": "static"}, extra={"children": [1, 2], "translation": [0, -1, 0]}),
         omi_node("board", collider={"shape": 1}), omi_node("sensor", trigger={"shape": 1}, extra={"translation": [0, 0.2, 0]}),
         omi_node("body", motion={"type": "dynamic", "mass": 2}, collider={"shape": 0}, extra={"translation": [0, 1, 0]})],
        [BOX, {"type": "box", "box": {"size": [1, 0.3, 1]}}]),
    "omi_static_below_dynamic": omi(
        [omi_node("cart", motion={"type": "dynamic", "gravityFactor": 0, "linearVelocity": [1, 0, 0]}, collider={"shape": 0},
                  extra={"children": [1]}),
         omi_node("shelf", motion={"type": "static"}, extra={"children": [2]}),
         omi_node("board", collider={"shape": 1}, extra={"translation": [0, -2, 0]}),
         omi_node("body", motion={"type": "dynamic"}, collider={"shape": 0}, extra={"translation": [0.2, -1, 0]})],
        [BOX, {"type": "box", "box": {"size": [1, 0.3, 1]}}]),
    "omi_groups_of_triggers": omi(
        [omi_node("group", trigger={}, extra={"children": [1, 2], "translation": [0, -1, 0]}),
         omi_node("part", trigger={"shape": 0}), omi_node("group in group", trigger={}, extra={"children": [3]}),
         omi_node("part below", trigger={"shape": 0}, extra={"translation": [0, -1, 0]}),
         omi_node("body", motion={"type": "dynamic"}, collider={"shape": 0})], [BOX]),
    "omi_trigger_with_shape_and_nodes": omi(
        [omi_node("zone", trigger={"shape": 0, "nodes": [1]}, extra={"children": [1], "translation": [0, -1, 0]}),
         omi_node("part", trigger={"shape": 0}, extra={"translation": [0, -0.6, 0]}),
         omi_node("body", motion={"type": "dynamic"}, collider={"shape": 0})], [BOX]),
    "omi_limit_per_axis": omi(
        [omi_node("body", motion={"type": "dynamic", "mass": 2, "linearVelocity": [1, 0, 0.5]}, collider={"shape": 0},
                  joint={"joint": 0, "connectedNode": 1}), omi_node("anchor", motion={"type": "static"})],
        [BOX], joints=[{"limits": [{"linearAxes": [0, 1, 2], "min": -0.3, "max": 0.3}]}]),
    "omi_zero_inertia": omi([omi_node("body", motion={"type": "dynamic", "mass": 2, "inertiaDiagonal": [0, 3, 0],
                                                      "angularVelocity": [1, 2, 0]}, collider={"shape": 0})], [BOX]),
    "early_trigger_body": early(
        [early_node("zone", {"type": "trigger"}, children=[1], translation=[0, -1, 0]), early_node("part", collider=0),
         early_node("body", {"type": "rigid", "mass": 2}, children=[3]), early_node("box", collider=0)],
        [{"type": "box", "size": [0.4, 0.4, 0.4]}]),
    "early_joint": early(
        [early_node("wall", {"type": "static"}), early_node("body", {"type": "rigid", "mass": 2, "linearVelocity": [0, 0, 1]},
                                                           children=[3], translation=[0.5, 0, 0]),
         early_node("hinge", joint={"constraints": [0, 1], "nodeA": 0, "nodeB": 1}, rotation=[0, 0.6, 0, 0.8]),
         early_node("box", collider=0)], [{"type": "box", "size": [0.4, 0.4, 0.4]}],
        [{"linearAxes": [0, 1, 2]}, {"angularAxes": [0, 2], "lowerLimit": -0.2, "upperLimit": 0.3, "stiffness": 50}]),
    "early_open_bounds": early(
        [early_node("wall", {"type": "static"}), early_node("body", {"type": "rigid", "mass": 2}, children=[3]),
         early_node("slider", joint={"constraints": [0, 1], "nodeA": 0, "nodeB": 1}), early_node("box", collider=0)],
        [{"type": "box", "size": [0.4, 0.4, 0.4]}],
        [{"linearAxes": [0, 2], "angularAxes": [0, 1, 2]}, {"linearAxes": [1], "lowerLimit": -0.4, "upperLimit": 1e7}]),
}


def main():
    os.makedirs(HERE, exist_ok=True)
    for name, document in SCENES.items():
        with open(os.path.join(HERE, name + ".gltf"), "w", encoding="utf-8") as out:
            json.dump(document, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
