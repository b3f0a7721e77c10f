#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Writes the small files under test/data/{constraint,spring,humanoid,model,vrma}, with one defect each. The update mode of the golden
# test writes the expected reports next to them, for review.
import base64, copy, json, os, struct, sys

ROOT = os.path.dirname(os.path.abspath(__file__))
NC = 'VRMC_node_constraint'

def save(area, name, doc):
    folder = os.path.join(ROOT, area)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + '.gltf'), 'w') as f:
        f.write(json.dumps(doc, indent=1).replace('123456', '1e400') + '\n')

def base(nodes, used=()):
    children = {c for n in nodes for c in n.get('children', [])}
    doc = {'asset': {'version': '2.0'}}
    if used:
        doc['extensionsUsed'] = list(used)
    doc['scene'] = 0
    doc['scenes'] = [{'nodes': [i for i in range(len(nodes)) if i not in children]}]
    doc['nodes'] = nodes
    return doc

# Adds an animation; channels: (node, path, rows of values), all with keys at 0 and 1 s.
def animate(doc, channels):
    data = struct.pack('<2f', 0, 1)
    views, accessors, samplers, targets = [{'buffer': 0, 'byteLength': 8}], [], [], []
    accessors.append({'bufferView': 0, 'componentType': 5126, 'count': 2, 'type': 'SCALAR', 'min': [0], 'max': [1]})
    for node, path, rows in channels:
        views.append({'buffer': 0, 'byteOffset': len(data), 'byteLength': 4 * sum(len(r) for r in rows)})
        for row in rows:
            data += struct.pack('<%df' % len(row), *row)
        accessors.append({'bufferView': len(views) - 1, 'componentType': 5126, 'count': len(rows),
                          'type': 'VEC4' if len(rows[0]) == 4 else 'VEC3'})
        samplers.append({'input': 0, 'output': len(accessors) - 1})
        targets.append({'sampler': len(samplers) - 1, 'target': {'node': node, 'path': path}})
    doc['animations'] = [{'channels': targets, 'samplers': samplers}]
    doc['buffers'] = [{'byteLength': len(data),
                       'uri': 'data:application/octet-stream;base64,' + base64.b64encode(data).decode()}]
    doc['bufferViews'] = views
    doc['accessors'] = accessors
    return doc

STILL = [[0, 0, 0, 1], [0, 0, 0, 1]]

# ---- node constraints
def constraint(kind, body, version='1.0'):
    ext = {'constraint': {kind: body}}
    if version is not None:
        ext = {'specVersion': version, **ext}
    return {NC: ext}

def rotation(source, **more):
    return constraint('rotation', {'source': source, **more})

# Node 0 above 1 and 2; 3 below 1.
def rig(**constraints):
    nodes = [{'name': 'root', 'children': [1, 2]}, {'name': 'a', 'translation': [1, 0, 0], 'children': [3]},
             {'name': 'b', 'translation': [0, 1, 0]}, {'name': 'c', 'translation': [0, 0, 1]}]
    for key, value in constraints.items():
        nodes[int(key[1:])]['extensions'] = value
    return base(nodes, [NC])

def constraints():
    put = lambda name, doc: save('constraint', name, doc)
    put('fine', rig(n1=constraint('roll', {'source': 2, 'rollAxis': 'X', 'weight': 0.5}),
                    n3=constraint('aim', {'source': 2, 'aimAxis': 'NegativeZ'})))
    put('type', rig(n1={NC: 3}, n2={NC: {'specVersion': 1, 'constraint': {'rotation': []}}},
                    n3=constraint('roll', {'source': 0, 'rollAxis': 1})))
    put('type_constraint', rig(n1={NC: {'specVersion': '1.0', 'constraint': 'roll'}}))
    put('spec_version', rig(n1=constraint('rotation', {'source': 2}, None),
                            n2=constraint('rotation', {'source': 0}, '1.0-beta'),
                            n3=constraint('rotation', {'source': 0}, '2.0')))
    doc = rig(n1=rotation(2)); del doc['extensionsUsed']; put('not_in_extensions_used', doc)
    put('no_constraint', rig(n1={NC: {'specVersion': '1.0'}}, n2={NC: {'specVersion': '1.0', 'constraint': {}}}))
    put('multiple_kinds', rig(n1={NC: {'specVersion': '1.0', 'constraint': {
        'rotation': {'source': 2}, 'roll': {'source': 2, 'rollAxis': 'X'}}}}))
    put('source_missing', rig(n1=constraint('rotation', {}), n2=rotation(4), n3=rotation(-1)))
    put('source_not_integer', rig(n1=rotation(0.5), n2=rotation('0')))
    put('source_is_self', rig(n1=rotation(1)))
    put('cycle', rig(n1=rotation(2), n2=rotation(3), n3=rotation(1)))
    put('aim_at_descendant', rig(n1=constraint('aim', {'source': 3, 'aimAxis': 'PositiveX'})))
    put('axis_invalid', rig(n1=constraint('roll', {'source': 2, 'rollAxis': 'PositiveX'}),
                            n2=constraint('aim', {'source': 3, 'aimAxis': 'X'}), n3=constraint('roll', {'source': 2})))
    put('weight_range', rig(n1=rotation(2, weight=1.5), n2=rotation(0, weight=-1), n3=rotation(0, weight='half')))
    put('destination_animated', animate(rig(n1=rotation(2)), [(1, 'rotation', STILL), (2, 'rotation', STILL)]))
    doc = rig(n1=rotation(2), n3=rotation(2))
    doc['extensionsUsed'].append('VRMC_springBone')
    doc['extensions'] = {'VRMC_springBone': {'specVersion': '1.0', 'springs': [
        {'joints': [{'node': 1}, {'node': 3}]}]}}
    put('destination_is_spring', doc)
    doc = humanoid1()
    doc['extensionsUsed'].append(NC)
    doc['nodes'][doc_node(doc, 'leftLowerArm')]['extensions'] = rotation(doc_node(doc, 'leftUpperArm'))
    put('destination_is_humanoid', doc)
    doc = rig(n1=rotation(4)); doc['nodes'].append({'name': 'other'})
    doc['scenes'] = [{'nodes': [0]}, {'nodes': [4]}]
    put('source_other_scene', doc)
    doc = rig(n1=constraint('aim', {'source': 2, 'aimAxis': 'PositiveX'}))
    doc['nodes'][2]['translation'] = [1, 0, 0]
    put('zero_aim_at_rest', doc)
    doc = rig(n3=constraint('aim', {'source': 2, 'aimAxis': 'PositiveX'}))
    doc['nodes'][1]['scale'] = [1, 2, 1]
    doc['nodes'][0]['scale'] = [-1, 1, 1]
    put('sheared_parent', doc)
    put('three_vrm_rejects', rig(n1=rotation(3)))
    # A cycle through ancestors (1 turns 3, at which 2 aims; 2 turns 4, at which 1 aims), a constraint that depends on
    # it (5), and two nodes that aim at each other, which is not a cycle.
    aim = lambda source: constraint('aim', {'source': source, 'aimAxis': 'PositiveX'})
    nodes = [{'name': n, 'translation': t} for n, t in (
        ('root', [0, 0, 0]), ('a', [1, 0, 0]), ('b', [0, 1, 0]), ('end of a', [0, 0, 1]), ('end of b', [0, 0, 2]),
        ('follower', [3, 0, 0]), ('left', [4, 0, 0]), ('right', [5, 1, 0]))]
    nodes[0]['children'], nodes[1]['children'], nodes[2]['children'] = [1, 2, 5, 6, 7], [3], [4]
    for node, ext in ((1, aim(4)), (2, aim(3)), (5, rotation(1)), (6, aim(7)), (7, aim(6))):
        nodes[node]['extensions'] = ext
    put('cycle_through_ancestors', base(nodes, [NC]))
    put('source_of_any_type', rig(n0=rotation(None), n1=rotation(True), n2=rotation([0]), n3=rotation(1e30)))
    doc = rig(n1=rotation(2), n3=rotation(5))
    doc['nodes'] += [{'name': 'lost'}, {'name': 'lost as well', 'extensions': rotation(4)}]
    doc['scenes'] = [{'nodes': [0]}]
    put('nodes_in_no_scene', doc)
    doc = rig(n1=rotation(2), n2=constraint('roll', {'source': 3, 'rollAxis': 'Z'}))
    doc['nodes'][1]['rotation'], doc['nodes'][2]['rotation'] = [0, 0, 0, 2], [0, 0, 0, 0]
    put('rotation_non_unit', doc)
    put('weight_not_finite', rig(n1=rotation(2, weight=123456), n2=rotation(0, weight=-123456)))

# ---- springs
SB, EC, SL = 'VRMC_springBone', 'VRMC_springBone_extended_collider', 'VRMC_springBone_limit'

# A root (0) with two chains 1-2-3-4 and 5-6-7.
def hair(springs, colliders=None, groups=None, used=(SB,), version='1.0'):
    nodes = [{'name': 'root', 'children': [1, 5]}]
    nodes += [{'name': 'a%d' % i, 'translation': [0, -.1, .02], 'children': [i + 2]} for i in range(3)]
    nodes += [{'name': 'a3', 'translation': [0, -.1, 0]}]
    nodes += [{'name': 'b%d' % i, 'translation': [.1, -.1, 0], 'children': [i + 6]} for i in range(2)]
    nodes += [{'name': 'b2', 'translation': [.1, 0, 0]}]
    doc = base(nodes, used)
    ext = {'specVersion': version} if version is not None else {}
    if colliders is not None:
        ext['colliders'] = colliders
    if groups is not None:
        ext['colliderGroups'] = groups
    doc['extensions'] = {SB: {**ext, 'springs': springs}}
    return doc

def chain(*nodes, **more):
    return {'joints': [{'node': n} for n in nodes], **more}

def ball(node=0, **more):
    return {'node': node, 'shape': {'sphere': {'offset': [0, 0, .1], 'radius': .05}}, **more}

def extended(shape, version='1.0', **more):
    return ball(extensions={EC: {'specVersion': version, 'shape': shape}}, **more)

def springs():
    put = lambda name, doc: save('spring', name, doc)
    whole = [ball(), {'node': 5, 'shape': {'capsule': {'offset': [0, 0, 0], 'tail': [0, .1, 0], 'radius': .02}}}]
    put('fine', hair([chain(1, 2, 3, 4, name='a', colliderGroups=[0], center=0), chain(5, 7, name='b')], whole,
                     [{'name': 'body', 'colliders': [0, 1]}]))
    doc = hair([]); doc['extensions'][SB] = []; put('type_root', doc)
    put('type', hair([3, {'joints': 1, 'name': 2}, {'joints': []}, chain(1, 2, colliderGroups={}),
                      {'joints': [7, {'node': 5, 'stiffness': 'high', 'gravityDir': [0, 1]},
                                  {'node': 6, 'gravityDir': [0, 'x', 0]}]}],
                     [5, {'node': 0, 'shape': []}, {'node': 0, 'shape': {'sphere': 1}},
                      extended({'sphere': {'inside': 1}})], ['group', {'colliders': 4}]))
    put('spec_version', hair([chain(1, 2)], version='2.0'))
    put('spec_version_missing', hair([chain(1, 2)], version=None))
    put('spec_version_beta', hair([chain(1, 2)], version='1.0-beta'))
    put('spec_version_type', hair([chain(1, 2)], version=1))
    put('not_in_extensions_used', hair([{'joints': [{'node': 1, 'extensions': {SL: {'limit': {'cone': {'angle': 1}}}}},
                                                    {'node': 2}]}], [extended({'sphere': {'radius': .1}})], [], used=()))
    put('node_invalid', hair([chain(1, 99, 2), chain(5, 6, center=-2), chain('x', 1.5)], [ball(99), ball(True)]))
    put('collider_invalid', hair([chain(1, 2, colliderGroups=[0])], [ball()], [{'colliders': [0, 1, -1, 'a']}]))
    put('group_invalid', hair([chain(1, 2, colliderGroups=[0, 1])], [ball()], [{'colliders': [0]}]))
    put('no_shape', hair([chain(1, 2)], [{'node': 0}, {'node': 0, 'shape': {'plane': {}}},
                                         {'node': 0, 'extensions': {EC: {'specVersion': '1.0', 'shape': {'plane': {}}}}},
                                         extended({})], used=(SB, EC)))
    put('multiple_shapes', hair([chain(1, 2)], [{'node': 0, 'shape': {'sphere': {}, 'capsule': {}}}]))
    put('joint_order', hair([chain(1, 2, 6, 3), chain(6, 5), chain(7, 7)]))
    put('joint_shared', hair([chain(1, 3), chain(2, 4), chain(1, 4)]))
    put('joint_shared_skipped', hair([chain(2, 3), chain(1, 4)]))
    put('center_invalid', hair([chain(1, 2, center=5), chain(5, 6, center=7)]))
    put('center_on_spring', hair([chain(3, 4, center=2), chain(1, 2)]))
    put('range', hair([{'joints': [{'node': 1, 'dragForce': 1.5, 'hitRadius': -1, 'stiffness': -2, 'gravityPower': -3},
                                   {'node': 2, 'stiffness': 123456}]}],
                      [{'node': 0, 'shape': {'sphere': {'radius': -1, 'offset': [123456, 0, 0]}}}]))
    put('normal_not_unit', hair([chain(1, 2)], [extended({'plane': {'normal': [0, 3, 0]}}),
                                                extended({'plane': {'normal': [0, 0, 0]}})], used=(SB, EC)))
    doc = hair([chain(1, 2, 3)]); doc['nodes'][3]['translation'] = [0, 0, 0]; put('zero_length', doc)
    put('one_joint', hair([chain(1)]))
    put('joint_animated', animate(hair([chain(1, 2)]), [(1, 'rotation', STILL), (2, 'rotation', STILL)]))
    put('extended_unknown_version', hair([chain(1, 2)], [extended({'plane': {}}, '2.0'),
                                                         ball(extensions={EC: {'shape': {'plane': {}}}})], used=(SB, EC)))
    doc = hair([chain(1, 2)], [ball()]); doc['nodes'][0]['scale'] = [2, 2, 2]; put('scaled_radius', doc)
    limit = lambda kind, **body: {'specVersion': '1.0-draft', 'limit': {kind: body}}
    put('limit_draft', hair([{'joints': [
        {'node': 1, 'extensions': {SL: limit('cone', angle=.5)}},
        {'node': 2, 'extensions': {SL: limit('hinge', angle=9, rotation=[0, 0, 0, 2])}},
        {'node': 3, 'extensions': {SL: limit('spherical', pitch=-1, yaw=.2, rotation=[0, 1, 0, 0])}}, {'node': 4}]}],
        used=(SB, SL)))
    doc = humanoid1(); doc['extensionsUsed'].append(SB)
    arm = [doc_node(doc, 'left' + n) for n in ('UpperArm', 'LowerArm', 'Hand')]
    doc['extensions'][SB] = {'specVersion': '1.0', 'springs': [chain(*arm)]}; put('joint_is_bone', doc)
    # 1,100 joints and 1,100 colliders: more pairs than a step tests.
    nodes = [{'name': 'n%d' % i, 'translation': [0, -.01, 0], 'children': [i + 1]} for i in range(1100)]
    doc = base(nodes + [{'name': 'end', 'translation': [0, -.01, 0]}], [SB])
    doc['extensions'] = {SB: {'specVersion': '1.0', 'colliders': [{'node': 0, 'shape': {'sphere': {}}}] * 1100,
                              'colliderGroups': [{'colliders': list(range(1100))}],
                              'springs': [chain(*range(1101), colliderGroups=[0])]}}
    put('too_many_pairs', doc)
    # VRM 0.x
    def old(groups, colliders):
        doc = humanoid0()
        doc['nodes'] += [{'name': 'h%d' % i, 'translation': [0, -.1, 0], **({'children': [len(doc['nodes']) + i + 1]} if i < 2 else {})}
                         for i in range(3)]
        doc['nodes'][doc_node(doc, 'head')].setdefault('children', []).append(doc_node(doc, 'h0'))
        doc['extensions']['VRM']['secondaryAnimation'] = {'boneGroups': groups, 'colliderGroups': colliders}
        return doc, doc_node(doc, 'h0')
    _, h = old([], [])
    group = lambda **more: {'comment': 'hair', 'stiffiness': 1, 'gravityPower': .1, 'gravityDir': {'x': 0, 'y': -1, 'z': 0},
                            'dragForce': .4, 'center': -1, 'hitRadius': .02, 'bones': [h], 'colliderGroups': [], **more}
    balls = {'node': 0, 'colliders': [{'offset': {'x': 0, 'y': .1, 'z': -.1}, 'radius': .1}]}
    put('old_fine', old([group(colliderGroups=[0], center=0)], [balls])[0])
    put('old_shared', old([group(bones=[h + 1]), group()], [])[0])
    put('old_center', old([group(bones=[h + 1]), group(bones=[h + 2, 0], center=h + 1)], [])[0])
    put('old_invalid', old([7, group(bones=[99, 'x'], colliderGroups=[3], center=99), group(gravityDir=[0, 1, 0], dragForce=2)],
                           [5, {'node': -1}, {'node': 0, 'colliders': [1, {'offset': [0, 0, 0], 'radius': 'x'},
                                                                      {'offset': {'x': 'y'}}]}])[0])
    doc = humanoid0(); doc['extensions']['VRM']['secondaryAnimation'] = 3; put('old_type', doc)

# ---- humanoids
BONES = {'hips': (None, [0, 1, 0]), 'spine': ('hips', [0, .1, 0]), 'head': ('spine', [0, .4, 0])}
for s, x in (('left', 1), ('right', -1)):
    BONES.update({s + 'UpperLeg': ('hips', [.1 * x, 0, 0]), s + 'LowerLeg': (s + 'UpperLeg', [0, -.4, 0]),
                  s + 'Foot': (s + 'LowerLeg', [0, -.5, 0]), s + 'UpperArm': ('spine', [.2 * x, .3, 0]),
                  s + 'LowerArm': (s + 'UpperArm', [.3 * x, 0, 0]), s + 'Hand': (s + 'LowerArm', [.25 * x, 0, 0])})

def skeleton(extra=None, turn=1):
    bones = dict(BONES); bones.update(extra or {})
    names = list(bones); nodes = []
    for name in names:
        t = bones[name][1]
        nodes.append({'name': name, 'translation': [t[0] * turn, t[1], t[2] * turn]})
    for i, name in enumerate(names):
        if bones[name][0] is not None:
            nodes[names.index(bones[name][0])].setdefault('children', []).append(i)
    return nodes, {name: {'node': i} for i, name in enumerate(names)}

def doc_node(doc, name):
    return [n['name'] for n in doc['nodes']].index(name)

def humanoid1(extra=None):
    nodes, bones = skeleton(extra)
    doc = base(nodes, ['VRMC_vrm'])
    doc['extensions'] = {'VRMC_vrm': {'specVersion': '1.0', 'meta': {'name': 'test', 'authors': ['test'],
                         'licenseUrl': 'https://vrm.dev/licenses/1.0/'}, 'humanoid': {'humanBones': bones}}}
    return doc

def humanoid0(extra=None):
    more = {'chest': ('spine', [0, .1, 0]), 'neck': ('chest', [0, .1, 0]), 'head': ('neck', [0, .1, 0]),
            'leftUpperArm': ('chest', [.2, .2, 0]), 'rightUpperArm': ('chest', [-.2, .2, 0])}
    more.update(extra or {})
    nodes, bones = skeleton(more, -1)
    doc = base(nodes, ['VRM'])
    doc['extensions'] = {'VRM': {'humanoid': {'humanBones': [{'bone': b, **v} for b, v in bones.items()]}}}
    return doc

def bones1(doc):
    return doc['extensions']['VRMC_vrm']['humanoid']['humanBones']

def humanoids():
    put = lambda name, doc: save('humanoid', name, doc)
    put('fine', humanoid1())
    put('fine0', humanoid0())
    doc = humanoid1(); doc['extensions']['VRMC_vrm']['humanoid']['humanBones']['head'] = 3
    doc['extensions']['VRMC_vrm']['lookAt'] = []; put('type', doc)
    doc = humanoid1(); doc['extensions']['VRMC_vrm'] = 'VRM'; put('type_root', doc)
    doc = humanoid1(); doc['extensions']['VRMC_vrm']['specVersion'] = '1.0-beta'; put('spec_version', doc)
    doc = humanoid1(); del doc['extensions']['VRMC_vrm']['specVersion']; put('spec_version_missing', doc)
    doc = humanoid1(); doc['extensions']['VRMC_vrm']['specVersion'] = 1; put('spec_version_type', doc)
    doc = humanoid1(); del bones1(doc)['head']; del bones1(doc)['leftFoot']; put('required_bone', doc)
    doc = humanoid0(); b = doc['extensions']['VRM']['humanoid']['humanBones']
    doc['extensions']['VRM']['humanoid']['humanBones'] = [e for e in b if e['bone'] not in ('chest', 'neck')]
    put('required_bone0', doc)
    doc = humanoid1(); bones1(doc)['tail'] = {'node': 2}; put('unknown_bone', doc)
    doc = humanoid1(); bones1(doc)['jaw'] = {'node': 99}; bones1(doc)['neck'] = {}; put('node_invalid', doc)
    doc = humanoid1(); bones1(doc)['neck'] = {'node': doc_node(doc, 'head')}; put('node_shared', doc)
    doc = humanoid1()
    bones1(doc)['leftLowerArm'], bones1(doc)['leftHand'] = bones1(doc)['leftHand'], bones1(doc)['leftLowerArm']
    put('parent_order', doc)
    doc = humanoid1({'upperChest': ('spine', [0, .2, 0]), 'head': ('upperChest', [0, .2, 0]),
                     'leftUpperArm': ('upperChest', [.2, .1, 0]), 'rightUpperArm': ('upperChest', [-.2, .1, 0]),
                     'leftIndexDistal': ('leftHand', [.1, 0, 0])})
    put('parent_required', doc)
    doc = humanoid1(); doc['nodes'][doc_node(doc, 'spine')]['scale'] = [1, -1, 1]
    doc['nodes'][doc_node(doc, 'head')]['scale'] = [1, 1.5, 1]; put('scale', doc)
    doc = humanoid0(); doc['nodes'][doc_node(doc, 'head')]['rotation'] = [0, 1, 0, 0]; put('rest_rotation', doc)
    doc = humanoid1()
    for n in doc['nodes']:
        n['translation'] = [-n['translation'][0], n['translation'][1], n['translation'][2]]
    put('facing', doc)
    doc = humanoid1(); doc['nodes'][0]['translation'] = [0, 0, 0]; put('hips_height', doc)
    doc = humanoid1(); doc['nodes'][doc_node(doc, 'leftLowerArm')]['translation'] = [.2, -.25, 0]; put('tpose_arm', doc)
    doc = humanoid0(); b = doc['extensions']['VRM']['humanoid']['humanBones']
    b.append({'bone': 'hips', 'node': 3}); put('duplicate_bone', doc)
    doc = humanoid1({'leftThumbProximal': ('leftHand', [.02, 0, .02]),
                     'leftThumbIntermediate': ('leftThumbProximal', [.02, 0, .02]),
                     'leftThumbDistal': ('leftThumbIntermediate', [.02, 0, .02])})
    put('thumb_names_old', doc)
    doc = humanoid1(); doc['extensions']['VRMC_vrm']['expressions'] = {
        'preset': {'happy': {'morphTargetBinds': [{'node': 0, 'index': 0, 'weight': 1}, {'node': 99, 'index': 0, 'weight': 1}]},
                   'merry': {}}, 'custom': {'wink': 5}}
    put('expression_bind', doc)
    doc = humanoid0(); doc['extensions']['VRM']['blendShapeMaster'] = {'blendShapeGroups': [
        {'name': 'Joy', 'presetName': 'joy', 'binds': [{'mesh': 0, 'index': 0, 'weight': 100}]}, 7]}
    put('expression_bind0', doc)
    doc = humanoid0(); doc['extensions']['VRM']['humanoid']['humanBones'] = {}; put('type0', doc)

# Adds materials (0 plain, 1 MToon with textures, 2 without anything) and a mesh of two targets, which two nodes have.
def faced(doc):
    texture = {'index': 0, 'extensions': {'KHR_texture_transform': {'offset': [.5, 0], 'scale': [2, 2]}}}
    doc['extensionsUsed'] += ['VRMC_materials_mtoon', 'KHR_texture_transform']
    doc['materials'] = [
        {'name': 'plain', 'pbrMetallicRoughness': {'baseColorFactor': [1, .5, 0, 1], 'baseColorTexture': texture}},
        {'name': 'toon', 'emissiveFactor': [.1, .2, .3], 'normalTexture': {'index': 0}, 'extensions': {
            'VRMC_materials_mtoon': {'specVersion': '1.0', 'shadeColorFactor': [.5, .5, .5],
                                     'matcapTexture': {'index': 0}, 'shadeMultiplyTexture': texture}}},
        {'name': 'bare'}]
    doc['images'] = [{'uri': 'data:image/png;base64,iVBORw0KGgo='}]
    doc['textures'] = [{'source': 0}]
    doc['accessors'] = [{'componentType': 5126, 'count': 3, 'type': 'VEC3'}]
    doc['meshes'] = [{'primitives': [{'attributes': {'POSITION': 0}, 'targets': [{'POSITION': 0}] * 2}]}]
    face = len(doc['nodes'])
    doc['nodes'] += [{'name': 'face', 'mesh': 0}, {'name': 'other face', 'mesh': 0}]
    doc['nodes'][doc_node(doc, 'head')].setdefault('children', []).extend([face, face + 1])
    return doc, face

def model1(**members):
    doc, face = faced(humanoid1())
    doc['extensions']['VRMC_vrm'].update(members)
    return doc

def model0(**members):
    doc, face = faced(humanoid0())
    doc['extensions']['VRM'].update(members)
    return doc

# One expression of VRM 1.0 with these members.
def happy(**members):
    return model1(expressions={'preset': {'happy': members}})

def group0(**members):
    return model0(blendShapeMaster={'blendShapeGroups': [{'name': 'joy', 'presetName': 'joy', **members}]})

def models():
    put = lambda name, doc: save('model', name, doc)
    face = len(humanoid1()['nodes'])
    color = {'material': 0, 'type': 'color', 'targetValue': [1, 0, 0, 1]}
    toon = [{'material': 1, 'type': t + 'Color', 'targetValue': [1, 0, 0, 1]}
            for t in ('emission', 'shade', 'matcap', 'rim', 'outline')]
    meta = {'name': 'A', 'authors': ['B', 'C'], 'licenseUrl': 'https://vrm.dev/licenses/1.0/', 'version': '1',
            'references': ['D'], 'thumbnailImage': 0, 'avatarPermission': 'everyone', 'modification': 'prohibited',
            'commercialUsage': 'corporation', 'creditNotation': 'unnecessary', 'allowRedistribution': True}
    maps = {'rangeMap' + k: {'inputMaxValue': 90, 'outputScale': 1}
            for k in ('HorizontalInner', 'HorizontalOuter', 'VerticalDown', 'VerticalUp')}
    put('fine', model1(
        meta=meta, lookAt={'type': 'expression', 'offsetFromHeadBone': [0, .06, 0], **maps},
        firstPerson={'meshAnnotations': [{'node': face, 'type': 'thirdPersonOnly'}, {'node': face + 1, 'type': 'both'}]},
        expressions={'preset': {'happy': {'overrideMouth': 'none', 'overrideBlink': 'block', 'isBinary': False,
                                          'materialColorBinds': [color] + toon,
                                          'textureTransformBinds': [{'material': 1, 'offset': [.5, 0]}]},
                                'lookUp': {'morphTargetBinds': [{'node': face, 'index': 1, 'weight': 1}]}},
                     'custom': {'sparkle': {'overrideLookAt': 'blend'}}}))
    put('fine0', model0(
        meta={'title': 'A', 'author': 'B', 'texture': -1, 'allowedUserName': 'Everyone', 'licenseName': 'CC0',
              'violentUssageName': 'Allow', 'sexualUssageName': 'Disallow', 'commercialUssageName': 'Allow'},
        firstPerson={'firstPersonBone': -1, 'firstPersonBoneOffset': {'x': .01, 'y': .06, 'z': .02},
                     'meshAnnotations': [{'mesh': 0, 'firstPersonFlag': 'ThirdPersonOnly'}],
                     'lookAtTypeName': 'BlendShape',
                     'lookAtVerticalUp': {'curve': [0, 0, 0, 1, 1, 1, 1, 0], 'xRange': 90, 'yRange': 1}},
        materialProperties=[{'name': 'plain', 'vectorProperties': {'_ShadeColor': [1, 1, 1, 1]}}],
        blendShapeMaster={'blendShapeGroups': [
            {'name': 'Joy', 'presetName': 'Joy', 'isBinary': True, 'binds': [{'mesh': 0, 'index': 0, 'weight': 100}],
             'materialValues': [{'materialName': 'plain', 'propertyName': '_Color', 'targetValue': [1, 0, 0, 1]},
                                {'materialName': 'plain', 'propertyName': '_ShadeColor', 'targetValue': [1, 0, 0, 1]},
                                {'materialName': 'plain', 'propertyName': '_MainTex_ST', 'targetValue': [1, 1, .5, 0]}]},
            {'name': 'up', 'presetName': 'lookup'}, {'name': 'own', 'presetName': 'unknown'}]}))
    doc = model1(); del doc['extensions']['VRMC_vrm']['meta']; put('no_meta', doc)
    doc = model1(); del doc['extensions']['VRMC_vrm']['humanoid']; put('no_humanoid', doc)
    put('meta_type', model1(meta='A'))
    put('meta_required', model1(meta={}))
    put('meta_empty', model1(meta={**meta, 'name': '', 'authors': [], 'references': []}))
    put('meta_types', model1(meta={**meta, 'name': 3, 'authors': 'B', 'version': 1, 'references': [4],
                                   'allowRedistribution': 'yes', 'creditNotation': True}))
    put('meta_value', model1(meta={**meta, 'avatarPermission': 'all', 'modification': 'allow'}))
    put('license_url', model1(meta={**meta, 'licenseUrl': 'https://example.com/licence'}))
    put('thumbnail', model1(meta={**meta, 'thumbnailImage': 1}))
    put('thumbnail0', model0(meta={'texture': 5}))
    put('meta_value0', model0(meta={'licenseName': 'MIT', 'allowedUserName': 'Nobody', 'title': 1}))
    put('unknown_preset', model1(expressions={'preset': {'joy': {}}, 'custom': {'mine': 3}}))
    put('unknown_preset0', model0(blendShapeMaster={'blendShapeGroups': [{'name': 'x', 'presetName': 'smirk'}]}))
    put('name_clash', model1(expressions={'custom': {'happy': {}, 'blinkLeft': {}, 'fine': {}}}))
    put('name_missing0', model0(blendShapeMaster={'blendShapeGroups': [{'presetName': 'unknown'}, 3]}))
    put('duplicate0', model0(blendShapeMaster={'blendShapeGroups': [
        {'name': 'a', 'presetName': 'joy'}, {'name': 'b', 'presetName': 'Joy'}, {'name': 'Own'}, {'name': 'own'}]}))
    put('override', happy(overrideBlink='stop', overrideMouth=1, isBinary='yes'))
    put('override_own_group', model1(expressions={'preset': {'blink': {'overrideBlink': 'block'},
                                                             'aa': {'overrideMouth': 'blend'}}}))
    put('bind_types', happy(morphTargetBinds={}, materialColorBinds=3, textureTransformBinds='x'))
    put('morph_bind', happy(morphTargetBinds=[3, {'node': face, 'index': 0}, {'node': face, 'index': 0, 'weight': 'x'},
                                              {'node': face, 'index': 0, 'weight': 1.5}]))
    put('morph_bind0', group0(binds=[{'mesh': 0, 'index': 0, 'weight': 150}, {'mesh': 0, 'index': 0, 'weight': 'x'}],
                              isBinary=1, materialValues={}))
    put('color_bind', happy(materialColorBinds=[
        3, {**color, 'material': 7}, {**color, 'type': 'glow'}, {**color, 'targetValue': [1, 2]},
        {**color, 'targetValue': [1, 2, 3, 1e9]}, {'material': 0, 'type': 'color'}, {**color, 'type': 'rimColor'}]))
    put('texture_bind', happy(textureTransformBinds=[
        {'offset': [0, 0]}, {'material': 0, 'scale': [1]}, {'material': 0, 'offset': 'x'}, {'material': 2}]))
    value = {'materialName': 'plain', 'propertyName': '_Color', 'targetValue': [1, 0, 0, 1]}
    put('material_values0', group0(materialValues=[
        3, {**value, 'materialName': 'none'}, {**value, 'propertyName': '_Cutoff'}, {**value, 'targetValue': [1]},
        {'materialName': 'plain', 'propertyName': '_Color'}, {**value, 'propertyName': '_RimColor'},
        {'materialName': 'bare', 'propertyName': '_MainTex_ST', 'targetValue': [1, 1, 0, 0]}]))
    put('look_at_type', model1(lookAt={'type': 'head'}))
    put('look_at_types', model1(lookAt={'type': 1, 'offsetFromHeadBone': [0, 0], 'rangeMapVerticalUp': 3}))
    put('look_at_type0', model0(firstPerson={'lookAtTypeName': 'Head', 'firstPersonBoneOffset': {'x': 'left'}}))
    put('range_map', model1(lookAt={'type': 'bone', 'offsetFromHeadBone': [0, 'x', 0],
                                    'rangeMapHorizontalInner': {'inputMaxValue': 270, 'outputScale': 10},
                                    'rangeMapHorizontalOuter': {'inputMaxValue': -1, 'outputScale': 10},
                                    'rangeMapVerticalDown': {'inputMaxValue': 'x', 'outputScale': 1e9}}))
    put('curve0', model0(firstPerson={'lookAtTypeName': 'Bone', 'firstPersonBone': 99,
                                      'lookAtVerticalUp': {'curve': [0, 0, 0, 1, 1, 2, 1, 0], 'xRange': 200}}))
    note = {'node': face, 'type': 'auto'}
    put('first_person', model1(firstPerson={'meshAnnotations': [
        3, {**note, 'node': 99}, {**note, 'node': 0}, {**note, 'type': 'Both'}, note, note, {'node': face + 1}]}))
    put('first_person_types', model1(firstPerson={'meshAnnotations': {}}, expressions=3))
    flag = {'mesh': 0, 'firstPersonFlag': 'Auto'}
    put('first_person0', model0(firstPerson={'meshAnnotations': [
        3, {**flag, 'mesh': 4}, {**flag, 'firstPersonFlag': 'hidden'}, flag, flag]}))

# ---- motion
def motion(extra=None):
    nodes, bones = skeleton(extra)
    nodes += [{'name': 'happy'}, {'name': 'gaze'}]
    doc = base(nodes, ['VRMC_vrm_animation'])
    doc['extensions'] = {'VRMC_vrm_animation': {'specVersion': '1.0', 'humanoid': {'humanBones': bones},
        'expressions': {'preset': {'happy': {'node': len(nodes) - 2}}},
        'lookAt': {'node': len(nodes) - 1, 'offsetFromHeadBone': [0, .06, 0]}}}
    return doc

HALF = [[0, 0, 0], [.5, 0, 0]]
def motions():
    put = lambda name, doc: save('vrma', name, doc)
    ext = lambda doc: doc['extensions']['VRMC_vrm_animation']
    def played(doc, *more):
        return animate(doc, [(1, 'rotation', STILL), (doc_node(doc, 'happy'), 'translation', HALF)] + list(more))
    put('fine', played(motion()))
    doc = motion(); ext(doc)['expressions'] = {'preset': {'happy': 1}, 'custom': []}; ext(doc)['lookAt'] = 3
    put('type', played(doc))
    doc = motion(); del ext(doc)['specVersion']; put('spec_version_missing', played(doc))
    doc = motion(); ext(doc)['specVersion'] = '1.0-draft'; put('spec_version_draft', played(doc))
    doc = motion(); ext(doc)['specVersion'] = '3'; put('spec_version_unknown', played(doc))
    put('no_animation', motion())
    doc = motion({'leftEye': ('head', [.03, .06, .08])}); put('eye_bone', played(doc))
    doc = motion(); put('translation_not_hips', played(doc, (doc_node(doc, 'head'), 'translation', HALF), (0, 'translation', HALF)))
    doc = motion(); put('scale_channel', played(doc, (0, 'scale', [[1, 1, 1], [1, 1, 1]])))
    doc = motion(); doc['nodes'].append({'name': 'prop'}); doc['scenes'][0]['nodes'].append(len(doc['nodes']) - 1)
    put('non_humanoid_channel', played(doc, (len(doc['nodes']) - 1, 'rotation', STILL)))
    doc = motion(); ext(doc)['expressions']['preset']['lookUp'] = {'node': 0}; put('expression_preset_forbidden', played(doc))
    doc = motion(); ext(doc)['expressions']['preset']['merry'] = {'node': 0}; put('expression_unknown_preset', played(doc))
    doc = motion(); ext(doc)['expressions']['custom'] = {'sad': {'node': 0}}; put('expression_name_clash', played(doc))
    doc = motion(); put('expression_range', animate(doc, [(doc_node(doc, 'happy'), 'translation', [[0, 0, 0], [1.7, 0, 0]])]))
    doc = motion(); put('expression_path', played(doc, (doc_node(doc, 'happy'), 'rotation', STILL)))
    doc = motion(); put('lookat_path', played(doc, (doc_node(doc, 'gaze'), 'translation', HALF)))
    doc = motion(); del ext(doc)['lookAt']['node']; put('lookat_node', played(doc))
    doc = motion(); ext(doc)['expressions']['custom'] = {'wink': {'node': 77}}; put('node_invalid', played(doc))
    doc = motion(); ext(doc)['lookAt']['node'] = 0; ext(doc)['expressions']['custom'] = {'wink': {'node': doc_node(doc, 'happy')}}
    put('node_shared', played(doc))
    doc = motion(); doc['nodes'][0]['scale'] = [.01, .01, .01]; doc['nodes'][0]['translation'] = [0, 1, 0]
    put('hierarchy_scale', played(doc))
    doc = motion(); doc['extensionsUsed'].append('VRMC_vrm')
    doc['extensions']['VRMC_vrm'] = humanoid1()['extensions']['VRMC_vrm']; put('with_vrm', played(doc))

constraints(); humanoids(); models(); motions()

# ---- BVH
def bvh(name, text):
    os.makedirs(os.path.join(ROOT, 'bvh'), exist_ok=True)
    with open(os.path.join(ROOT, 'bvh', name + '.bvh'), 'w') as f:
        f.write(text)

def bvhs():
    root = 'HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n%s}\n'
    end = ' End Site\n {\n  OFFSET 0 1.5 0\n }\n'
    bvh('no_root', 'HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 0.1\n')
    bvh('unknown_channel', 'HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 1 Wrotation\n}\n')
    bvh('channel_count', 'HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 7 Xrotation\n}\n')
    bvh('bad_number', 'HIERARCHY\nROOT Hips\n{\n OFFSET 0 one 0\n}\n')
    bvh('missing_brace', root % end[:-4])
    bvh('no_site', 'HIERARCHY\nROOT Hips\n{\n End\n {\n }\n}\n')
    bvh('stray_word', root % ' BONE x\n')
    bvh('short_motion', root % end + 'MOTION\nFrames: 3\nFrame Time: 0.1\n0 0 0\n1 2 3\n4 5\n')
    bvh('bad_frame_time', root % end + 'MOTION\nFrames: 1\nFrame Time: 0\n0 0 0\n')
    bvh('bad_frames', root % end + 'MOTION\nFrames: 1.5\nFrame Time: 0.1\n0 0 0\n')
    bvh('no_frames', root % end + 'MOTION\n')
    bvh('loose_numbers', root % end + 'MOTION\nFrames : 2\nFrame Time: .1\n+1. -.5 1e1\n007 0.0 -0\n')
    bvh('unmapped', root % (' JOINT Hat Stand\n {\n  OFFSET 0 1.7 0\n  CHANNELS 1 Yrotation\n }\n')
        + 'MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 5\n')

bvhs()
springs()
