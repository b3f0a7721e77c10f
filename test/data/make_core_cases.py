#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
"""Writes the golden cases of core glTF: test/data/gltf (one defect each), test/data/glb (containers) and
test/data/valid. The golden test writes the expected reports next to them:
TENDON_UPDATE_GOLDEN=all build/dev/test/test_import_golden."""
import base64
import copy
import json
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))


def floats(*values):
    return struct.pack("<%df" % len(values), *values)


def uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


def root(**members):
    return dict({"asset": {"version": "2.0"}}, **members)


def with_data(data, views, accessors, **members):
    """A document with one embedded buffer; views are (offset, length) or whole dictionaries."""
    views = [v if isinstance(v, dict) else {"buffer": 0, "byteOffset": v[0], "byteLength": v[1]} for v in views]
    return root(buffers=[{"byteLength": len(data), "uri": uri(data)}], bufferViews=views, accessors=accessors,
                **members)


def accessor(view, count, kind="SCALAR", component=5126, **members):
    result = {"bufferView": view, "componentType": component, "count": count, "type": kind}
    if view is None:
        del result["bufferView"]
    result.update(members)
    return result


def animated(times, values, kind, path, components=5126, interpolation=None, node=None, **members):
    """One node with one channel; `values` are bytes."""
    data = floats(*times) + values
    views = [(0, 4 * len(times)), (4 * len(times), len(values))]
    size = {5126: 4, 5121: 1, 5120: 1, 5123: 2, 5122: 2, 5125: 4}[components]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[kind]
    out = accessor(1, len(values) // size // width, kind, components)
    if components != 5126:
        out["normalized"] = True
    sampler = {"input": 0, "output": 1}
    if interpolation:
        sampler["interpolation"] = interpolation
    animation = {"channels": [{"sampler": 0, "target": {"node": 0, "path": path}}], "samplers": [sampler]}
    return with_data(data, views, [accessor(0, len(times)), out], nodes=[node or {}], animations=[animation], **members)


TRIANGLE = floats(0, 0, 0, 1, 0, 0, 0, 1, 0)


def triangle(attributes=None, extra_views=(), extra_accessors=(), data=b"", **primitive):
    return with_data(TRIANGLE + data, [(0, 36), *extra_views], [accessor(0, 3, "VEC3"), *extra_accessors],
                     meshes=[{"primitives": [dict({"attributes": dict({"POSITION": 0}, **(attributes or {}))},
                                                  **primitive)]}],
                     nodes=[{"mesh": 0}])


def edit(document, path, value):
    """A copy with one member changed; value None removes it."""
    result = copy.deepcopy(document)
    at = result
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return result


walk = animated([0, 1], floats(0, 0, 0, 1, 2, 3), "VEC3", "translation")
ONE = floats(1, 2, 3, 4)
one_view = with_data(ONE, [(0, 16)], [accessor(0, 4)])

cases = {
    # root
    "asset_missing": {"nodes": [{}]},
    "asset_version_1": {"asset": {"version": "1.0"}},
    "asset_version_2_9": {"asset": {"version": "2.9"}},
    "asset_version_missing": {"asset": {}},
    "root_is_array": [1],
    "nodes_is_object": root(nodes={}),
    "nodes_empty": root(nodes=[]),
    "extension_unknown": root(extensionsUsed=["ACME_secret"], extensions={"ACME_secret": {}}),
    "extension_unknown_required": root(extensionsUsed=["ACME_secret"], extensionsRequired=["ACME_secret"]),
    "extension_required_not_used": root(extensionsRequired=["KHR_mesh_quantization"]),
    "extension_undeclared": root(nodes=[{"extensions": {"ACME_secret": {}}}]),
    "extension_list_types": root(extensionsUsed=[1], extensionsRequired=[2]),
    # buffers and views
    "buffer_no_uri": root(buffers=[{"byteLength": 4}]),
    "buffer_no_length": root(buffers=[{"uri": uri(ONE)}]),
    "buffer_length_zero": root(buffers=[{"uri": uri(ONE), "byteLength": 0}]),
    "buffer_is_number": root(buffers=[3]),
    "buffer_too_short": root(buffers=[{"uri": uri(ONE), "byteLength": 17}]),
    "buffer_file_too_short": root(buffers=[{"uri": "four.bin", "byteLength": 5}]),
    "buffer_file_missing": root(buffers=[{"uri": "no%20such.bin", "byteLength": 5}]),
    "buffer_outside": root(buffers=[{"uri": "../gltf/four.bin", "byteLength": 4}]),
    "buffer_outside_encoded": root(buffers=[{"uri": "%2e%2e%2fgltf/four.bin", "byteLength": 4}]),
    "buffer_absolute": root(buffers=[{"uri": "/etc/hostname", "byteLength": 4}]),
    "buffer_scheme": root(buffers=[{"uri": "https://example.org/a.bin", "byteLength": 4}]),
    "buffer_uri_bad_escape": root(buffers=[{"uri": "four%2.bin", "byteLength": 4}]),
    "buffer_uri_bad_base64": root(buffers=[{"uri": "data:;base64,&&&", "byteLength": 4}]),
    "buffer_uri_is_number": root(buffers=[{"uri": 7, "byteLength": 4}]),
    "view_no_buffer": edit(one_view, ["bufferViews", 0, "buffer"], None),
    "view_unknown_buffer": edit(one_view, ["bufferViews", 0, "buffer"], 3),
    "view_too_long": edit(one_view, ["bufferViews", 0, "byteLength"], 17),
    "view_negative_offset": edit(one_view, ["bufferViews", 0, "byteOffset"], -4),
    "view_stride_5": edit(one_view, ["bufferViews", 0, "byteStride"], 5),
    "view_is_string": edit(one_view, ["bufferViews", 0], "x"),
    "meshopt_damaged": with_data(ONE * 4, [{"buffer": 0, "byteLength": 48, "extensions": {
        "EXT_meshopt_compression": {"buffer": 0, "byteLength": 64, "byteStride": 12, "count": 4,
                                    "mode": "ATTRIBUTES"}}}],
        [accessor(0, 4, "VEC3")], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}],
        extensionsUsed=["EXT_meshopt_compression"], extensionsRequired=["EXT_meshopt_compression"]),
    "meshopt_bad_stride": with_data(ONE * 4, [{"buffer": 0, "byteLength": 48, "extensions": {
        "EXT_meshopt_compression": {"buffer": 0, "byteLength": 64, "byteStride": 7, "count": 7,
                                    "mode": "ATTRIBUTES"}}}],
        [accessor(0, 4, "VEC3")], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}],
        extensionsUsed=["EXT_meshopt_compression"]),
    "draco": triangle(attributes={"POSITION": 1}, extra_accessors=[accessor(None, 3, "VEC3")], extensions={"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}),
    # accessors
    "accessor_too_long": edit(one_view, ["accessors", 0, "count"], 5),
    "accessor_offset_alignment": edit(one_view, ["accessors", 0, "byteOffset"], 2),
    "accessor_small_stride": edit(edit(one_view, ["bufferViews", 0, "byteStride"], 4), ["accessors", 0, "type"], "VEC3"),
    "accessor_normalized_float": edit(one_view, ["accessors", 0, "normalized"], True),
    "accessor_no_count": edit(one_view, ["accessors", 0, "count"], None),
    "accessor_component_type": edit(one_view, ["accessors", 0, "componentType"], 5124),
    "accessor_type_unknown": edit(one_view, ["accessors", 0, "type"], "VEC5"),
    "accessor_huge": root(accessors=[accessor(None, 2000000000, "MAT4")],
                          skins=[{"joints": [0], "inverseBindMatrices": 0}], nodes=[{}]),
    "accessor_count_beyond_int": edit(one_view, ["accessors", 0, "count"], 5000000000),
    "accessor_unknown_view": edit(one_view, ["accessors", 0, "bufferView"], 9),
    "sparse_count": edit(one_view, ["accessors", 0, "sparse"], {
        "count": 5, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}),
    "sparse_not_increasing": animated([0, 1], floats(0, 0, 0, 1, 2, 3), "VEC3", "translation"),
    "sparse_out_of_bounds": animated([0, 1], floats(0, 0, 0, 1, 2, 3), "VEC3", "translation"),
    "sparse_index_type": edit(one_view, ["accessors", 0, "sparse"], {
        "count": 1, "indices": {"bufferView": 0, "componentType": 5126}, "values": {"bufferView": 0}}),
    "sparse_incomplete": edit(one_view, ["accessors", 0, "sparse"], {"count": 1, "values": {"bufferView": 0}}),
    "accessor_nan": triangle(attributes={"POSITION": 1}, data=floats(float("nan")) + bytes(32),
                             extra_views=[(36, 36)], extra_accessors=[accessor(1, 3, "VEC3")]),
    # meshes
    "mesh_no_primitives": root(meshes=[{}]),
    "mesh_primitives_empty": root(meshes=[{"primitives": []}]),
    "mesh_no_attributes": root(meshes=[{"primitives": [{}]}]),
    "mesh_index_out_of_bounds": triangle(data=bytes([0, 1, 3, 0]), extra_views=[(36, 3)],
                                         extra_accessors=[accessor(1, 3, component=5121)], indices=1),
    "mesh_indices_float": triangle(data=floats(0, 1, 2), extra_views=[(36, 12)], extra_accessors=[accessor(1, 3)],
                                   indices=1),
    "mesh_position_vec2": triangle(attributes={"POSITION": 1}, extra_accessors=[accessor(0, 4, "VEC2")]),
    "mesh_position_unknown": triangle(attributes={"POSITION": 7}),
    "mesh_mode_7": triangle(mode=7),
    "mesh_incomplete_triangle": triangle(data=bytes([0, 1, 2, 0]), extra_views=[(36, 4)],
                                         extra_accessors=[accessor(1, 4, component=5121)], indices=1),
    "mesh_target_count": triangle(targets=[{"POSITION": 1}], extra_accessors=[accessor(0, 2, "VEC3")]),
    "mesh_unequal_targets": with_data(TRIANGLE, [(0, 36)], [accessor(0, 3, "VEC3")], meshes=[{"primitives": [
        {"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]}, {"attributes": {"POSITION": 0}}]}]),
    "mesh_joints_float": triangle(attributes={"JOINTS_0": 1, "WEIGHTS_0": 1}, data=bytes(12),
                                  extra_views=[(0, 48)], extra_accessors=[accessor(1, 3, "VEC4")]),
    # nodes
    "node_is_null": root(nodes=[None]),
    "node_loop": root(nodes=[{"children": [1]}, {"children": [2]}, {"children": [0]}]),
    "node_self": root(nodes=[{"children": [0]}]),
    "node_two_parents": root(nodes=[{"children": [2]}, {"children": [2]}, {}]),
    "node_child_twice": root(nodes=[{"children": [1, 1]}, {}]),
    "node_child_unknown": root(nodes=[{"children": [1]}]),
    "node_child_negative": root(nodes=[{"children": [-1]}]),
    "node_child_fraction": root(nodes=[{"children": [0.5]}]),
    "node_children_empty": root(nodes=[{"children": []}]),
    "node_matrix_and_trs": root(nodes=[{"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
                                        "scale": [1, 1, 1]}]),
    "node_matrix_shear": root(nodes=[{"matrix": [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]),
    "node_matrix_not_affine": root(nodes=[{"matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]),
    "node_matrix_15": root(nodes=[{"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0]}]),
    "node_rotation_long": root(nodes=[{"rotation": [0, 0, 1, 1]}]),
    "node_translation_text": root(nodes=[{"translation": [0, "1", 2]}]),
    "node_mesh_unknown": root(nodes=[{"mesh": 0, "skin": 2}]),
    "node_weights_count": root(nodes=[{"weights": [1, 2]}]),
    "node_name_number": root(nodes=[{"name": 5}]),
    "scene_not_root": root(nodes=[{"children": [1]}, {}], scenes=[{"nodes": [1]}]),
    "scene_node_twice": root(nodes=[{}], scenes=[{"nodes": [0, 0]}]),
    "scene_node_unknown": root(nodes=[{}], scenes=[{"nodes": [4]}]),
    "scene_nodes_empty": root(nodes=[{}], scenes=[{"nodes": []}]),
    "scene_unknown": root(nodes=[{}], scene=1, scenes=[{"nodes": [0]}]),
    "skin_joint_unknown": root(nodes=[{}], skins=[{"joints": [0, 1]}]),
    "skin_no_joints": root(nodes=[{}], skins=[{}]),
    "skin_matrices_format": with_data(ONE, [(0, 16)], [accessor(0, 1, "VEC4")], nodes=[{}],
                                      skins=[{"joints": [0], "inverseBindMatrices": 0}]),
    "skin_matrices_count": with_data(ONE * 4, [(0, 64)], [accessor(0, 1, "MAT4")], nodes=[{}, {}],
                                     skins=[{"joints": [0, 1], "inverseBindMatrices": 0}]),
    # animations
    "animation_times_equal": animated([0, 0], floats(0, 0, 0, 1, 2, 3), "VEC3", "translation"),
    "animation_time_negative": animated([-1, 0], floats(0, 0, 0, 1, 2, 3), "VEC3", "translation"),
    "animation_count": animated([0, 1], floats(0, 0, 0), "VEC3", "translation"),
    "animation_format": animated([0, 1], floats(0, 0, 0, 1), "VEC2", "translation"),
    "animation_integers_for_scale": animated([0, 1], bytes([0, 0, 0, 1, 2, 3]), "VEC3", "scale", components=5121),
    "animation_times_vec2": edit(walk, ["animations", 0, "samplers", 0, "input"], 1),
    "animation_interpolation": animated([0, 1], floats(0, 0, 0, 1, 2, 3), "VEC3", "translation",
                                        interpolation="SMOOTH"),
    "animation_path": edit(walk, ["animations", 0, "channels", 0, "target", "path"], "colour"),
    "animation_no_path": edit(walk, ["animations", 0, "channels", 0, "target", "path"], None),
    "animation_no_node": edit(walk, ["animations", 0, "channels", 0, "target", "node"], None),
    "animation_node_unknown": edit(walk, ["animations", 0, "channels", 0, "target", "node"], 5),
    "animation_sampler_unknown": edit(walk, ["animations", 0, "channels", 0, "sampler"], 5),
    "animation_no_sampler": edit(walk, ["animations", 0, "channels", 0, "sampler"], None),
    "animation_duplicate": edit(walk, ["animations", 0, "channels"], walk["animations"][0]["channels"] * 2),
    "animation_matrix": animated([0, 1], floats(0, 0, 0, 1, 2, 3), "VEC3", "translation",
                                 node={"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}),
    "animation_weights_without_targets": animated([0, 1], floats(0, 1), "SCALAR", "weights"),
    "animation_spline_one_key": animated([1], floats(0, 0, 0, 1, 2, 3, 0, 0, 0), "VEC3", "translation",
                                         interpolation="CUBICSPLINE"),
    "animation_rotation_long": animated([0, 1], floats(0, 0, 0, 1, 0, 0, 0, 2), "VEC4", "rotation"),
    "asset_min_version": {"asset": {"version": "2.0", "minVersion": "2.1"}},
    "asset_min_version_newer": {"asset": {"version": "2.1", "minVersion": "2.1"}},
    "asset_min_version_form": {"asset": {"version": "2.0", "minVersion": "two"}},
    "extensions_not_an_object": {"asset": {"version": "2.0", "extensions": 1}, "nodes": [{"extensions": []}, {"extensions": {}}],
                                 "materials": [{"extensions": "none"}], "extensions": [], "extras": {"extensions": 1}},
    "asset_min_version_empty": {"asset": {"version": "2.0", "minVersion": ""}},
    "extensions_below_not_an_object": root(
        materials=[{"pbrMetallicRoughness": {"extensions": 1}, "extras": {"extensions": 1}},
                   {"emissiveTexture": {"index": 0, "extensions": []}}],
        textures=[{}], cameras=[{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1, "extensions": "none"}}],
        nodes=[{"extensions": {"EXT_unknown": {"extensions": 1}}}], extensionsUsed=["EXT_unknown"]),
    "extensions_of_target_not_an_object": edit(walk, ["animations", 0, "channels", 0, "target", "extensions"], 1),
    "animation_empty_lists": root(animations=[{"channels": [], "samplers": []}]),
    "animation_channels_missing": root(animations=[{"samplers": []}]),
    "animation_is_number": root(animations=[1]),
    "pointer_no_node": edit(edit(walk, ["animations", 0, "channels", 0, "target"], {
        "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/7/translation"}}}),
        ["extensionsUsed"], ["KHR_animation_pointer"]),
    "pointer_material": edit(edit(walk, ["animations", 0, "channels", 0, "target"], {
        "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/materials/0/alphaCutoff"}}}),
        ["extensionsUsed"], ["KHR_animation_pointer"]),
    "pointer_missing": edit(edit(walk, ["animations", 0, "channels", 0, "target"], {"path": "pointer"}),
                            ["extensionsUsed"], ["KHR_animation_pointer"]),
}

sparse = cases["sparse_not_increasing"]
sparse["accessors"][1]["sparse"] = {"count": 2, "indices": {"bufferView": 2, "componentType": 5121},
                                    "values": {"bufferView": 1}}
sparse["bufferViews"].append({"buffer": 0, "byteOffset": 0, "byteLength": 2})  # two zeros
sparse = cases["sparse_out_of_bounds"]
sparse["accessors"][1]["sparse"] = {"count": 1, "indices": {"bufferView": 2, "componentType": 5121},
                                    "values": {"bufferView": 1}}
sparse["bufferViews"].append({"buffer": 0, "byteOffset": 6, "byteLength": 1})  # 0x80 of the float 1

valid = {
    "walk": walk,
    "empty": root(),
    "rotation_bytes": animated([0, 1], struct.pack("<8b", 0, 0, 0, 127, 0, 0, 127, 0), "VEC4", "rotation",
                               components=5120),
    "rotation_shorts": animated([0, 1], struct.pack("<8h", 0, 0, 0, 32767, 0, 23170, 0, 23170), "VEC4", "rotation",
                                components=5122),
    "spline": animated([0, 2], floats(*([0, 0, 0] * 2), 1, 0, 0, -1, 0, 0, 5, 6, 7, 0, 0, 0), "VEC3", "translation",
                       interpolation="CUBICSPLINE"),
    "weights": dict(animated([0, 1], floats(0, 1, 1, 0), "SCALAR", "weights", node={"mesh": 0}),
                    meshes=[{"weights": [0.25, 0.5], "primitives": [
                        {"attributes": {"POSITION": 2}, "targets": [{"POSITION": 2}, {}]}]}]),
    "strip": triangle(mode=5, data=floats(1, 1, 0), attributes={"POSITION": 1}, extra_views=[(0, 48)],
                      extra_accessors=[accessor(1, 4, "VEC3")]),
    "fan": triangle(mode=6, data=floats(1, 1, 0), attributes={"POSITION": 1}, extra_views=[(0, 48)],
                    extra_accessors=[accessor(1, 4, "VEC3")]),
    "quantized": with_data(struct.pack("<12h", 0, 0, 0, 0, 32767, 0, 0, 0, 0, -32768, 0, 0),
                           [{"buffer": 0, "byteLength": 24, "byteStride": 8}],
                           [accessor(0, 3, "VEC3", 5122, normalized=True)],
                           meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}], nodes=[{"mesh": 0}],
                           extensionsUsed=["KHR_mesh_quantization"], extensionsRequired=["KHR_mesh_quantization"]),
    "external": root(buffers=[{"uri": "sub/my%20data.bin", "byteLength": 8}], images=[{"uri": "sub/pixel.png"}],
                     bufferViews=[{"buffer": 0, "byteLength": 8}]),
    "pointer": edit(edit(walk, ["animations", 0, "channels", 0, "target"], {
        "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/scale"}}}),
        ["extensionsUsed"], ["KHR_animation_pointer"]),
}
valid["weights"]["accessors"].append(accessor(None, 3, "VEC3"))

texts = {
    "json_truncated": b'{"asset": {"version": "2.0"}, "nodes": [',
    "json_comma": b'{"asset": {"version": "2.0",}}',
    "json_duplicate_key": b'{\n  "asset": {"version": "2.0"},\n  "asset": {"version": "2.0"}\n}\n',
    "json_utf8": b'{"asset": {"version": "2.0"}, "extras": "\xff"}',
    "json_depth": b'{"asset":{"version":"2.0"},"extras":' + b"[" * 600 + b"]" * 600 + b"}",
    "json_byte_order_mark": b'\xef\xbb\xbf{"asset": {"version": "2.0"}}',
    "json_not_finite": b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [0, 1e999, 0]}]}',
    "file_empty": b"",
    "file_text": b"hello",
}


def chunk(kind, data, pad=b"\0", length=None):
    data += pad * (-len(data) % 4)
    return struct.pack("<I4s", len(data) if length is None else length, kind) + data


def glb(*chunks, version=2, length=None, magic=b"glTF", tail=b""):
    body = b"".join(chunks)
    return magic + struct.pack("<II", version, 12 + len(body) if length is None else length) + body + tail


def j(document):
    return chunk(b"JSON", json.dumps(document, separators=(",", ":")).encode(), b" ")


boxed = root(buffers=[{"byteLength": 16}], bufferViews=[{"buffer": 0, "byteLength": 16}], accessors=[accessor(0, 4)])
BIN = chunk(b"BIN\0", ONE)
glbs = {
    "valid": glb(j(boxed), BIN),
    "valid_no_bin": glb(j(root(nodes=[{}]))),
    "header_short": b"glTF\2\0\0",
    "version_1": glb(j(boxed), version=1),
    "length_too_small": glb(j(boxed), BIN, length=4),
    "length_too_big": glb(j(boxed), BIN, length=4096),
    "extra_data": glb(j(boxed), BIN, tail=b"what is this?"),
    "chunk_header_short": glb(j(boxed), BIN, b"\4\0\0\0"),
    "chunk_too_big": glb(j(boxed), chunk(b"BIN\0", ONE, length=1000)),
    "chunk_unaligned": glb(j(boxed), BIN, struct.pack("<I4s", 2, b"EXTR") + b"ab"),
    "chunk_unknown": glb(j(boxed), BIN, chunk(b"EXTR", b"keep me!")),
    "first_not_json": glb(BIN, j(boxed)),
    "bin_third": glb(j(boxed), chunk(b"EXTR", b"keep me!"), BIN),
    "bin_twice": glb(j(boxed), BIN, BIN),
    "json_twice": glb(j(boxed), BIN, j(root())),
    "no_json": glb(BIN),
    "no_bin": glb(j(boxed)),
    "bin_too_long": glb(j(boxed), chunk(b"BIN\0", ONE + bytes(8))),
    "json_broken": glb(chunk(b"JSON", b'{"asset":', b" ")),
}


def write(path, data):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


for name, document in cases.items():
    write("gltf/%s.gltf" % name, (json.dumps(document, indent=1) + "\n").encode())
for name, document in valid.items():
    write("valid/%s.gltf" % name, (json.dumps(document, indent=1) + "\n").encode())
for name, text in texts.items():
    write("gltf/%s.gltf" % name, text)
for name, data in glbs.items():
    write("glb/%s.glb" % name, data)
write("gltf/four.bin", b"four")
write("valid/sub/my data.bin", b"8 bytes!")
write("valid/sub/pixel.png", b"not really a picture")
