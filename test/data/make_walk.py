#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Writes a walk as BVH: two steps per second, arms hanging in the zero pose (so the rest pose needs correction), lengths
# in centimetres. The motion is synthesised from sines, not captured.
import math, sys

JOINTS = [  # name, parent, offset
    ('Hips', None, (0, 95, 0)), ('LowerBack', 'Hips', (0, 8, 0)), ('Spine', 'LowerBack', (0, 12, 0)),
    ('Spine1', 'Spine', (0, 14, 0)), ('Neck', 'Spine1', (0, 20, 0)), ('Head', 'Neck', (0, 9, 1)),
    ('LeftShoulder', 'Spine1', (3, 14, 0)), ('LeftArm', 'LeftShoulder', (14, 0, 0)),
    ('LeftForeArm', 'LeftArm', (0, -28, 0)), ('LeftHand', 'LeftForeArm', (0, -25, 0)),
    ('RightShoulder', 'Spine1', (-3, 14, 0)), ('RightArm', 'RightShoulder', (-14, 0, 0)),
    ('RightForeArm', 'RightArm', (0, -28, 0)), ('RightHand', 'RightForeArm', (0, -25, 0)),
    ('LeftUpLeg', 'Hips', (9, -4, 0)), ('LeftLeg', 'LeftUpLeg', (0, -42, 0)), ('LeftFoot', 'LeftLeg', (0, -41, 0)),
    ('LeftToeBase', 'LeftFoot', (0, -6, 13)), ('RightUpLeg', 'Hips', (-9, -4, 0)), ('RightLeg', 'RightUpLeg', (0, -42, 0)),
    ('RightFoot', 'RightLeg', (0, -41, 0)), ('RightToeBase', 'RightFoot', (0, -6, 13))]
ENDS = {'Head': (0, 18, 0), 'LeftHand': (0, -8, 0), 'RightHand': (0, -8, 0), 'LeftToeBase': (0, 0, 6), 'RightToeBase': (0, 0, 6)}

def write_joint(out, name, offset, depth):
    pad = '\t' * depth
    out.append('%s%s %s' % (pad, 'ROOT' if depth == 0 else 'JOINT', name))
    out.append(pad + '{')
    out.append('%s\tOFFSET %g %g %g' % ((pad,) + offset))
    out.append('%s\tCHANNELS %s' % (pad, '6 Xposition Yposition Zposition Zrotation Yrotation Xrotation' if depth == 0
                                    else '3 Zrotation Xrotation Yrotation'))
    for child, parent, o in JOINTS:
        if parent == name:
            write_joint(out, child, o, depth + 1)
    if name in ENDS:
        out += ['%s\tEnd Site' % pad, pad + '\t{', '%s\t\tOFFSET %g %g %g' % ((pad,) + ENDS[name]), pad + '\t}']
    out.append(pad + '}')

def order(name):
    yield name
    for child, parent, _ in JOINTS:
        if parent == name:
            yield from order(child)

def frame(t):
    p = 2 * math.pi * t
    s, c = math.sin(p), math.cos(p)
    turn = {'Hips': (2 * s, 6 * s, 0), 'LowerBack': (-1 * s, -2 * s, 3), 'Spine': (0, -3 * s, 2), 'Spine1': (0, -4 * s, 0),
            'Head': (0, 3 * s, -4), 'LeftArm': (4, 0, 22 * s), 'RightArm': (-4, 0, -22 * s),
            'LeftForeArm': (0, 0, -18 + 8 * s), 'RightForeArm': (0, 0, -18 - 8 * s),
            'LeftUpLeg': (0, 0, -24 * s), 'RightUpLeg': (0, 0, 24 * s),
            'LeftLeg': (0, 0, 22 - 20 * c), 'RightLeg': (0, 0, 22 + 20 * c),
            'LeftFoot': (0, 0, 8 * s), 'RightFoot': (0, 0, -8 * s)}
    numbers = [2.5 * s, 93 + 2 * math.cos(2 * p), 130 * t]
    for name in order('Hips'):
        z, y, x = turn.get(name, (0, 0, 0))
        numbers += [z, y, x] if name == 'Hips' else [z, x, y]
    return ' '.join('%.4f' % n for n in numbers)

out = ['HIERARCHY']
write_joint(out, 'Hips', (0, 95, 0), 0)
frames = 61
out += ['MOTION', 'Frames: %d' % frames, 'Frame Time: 0.0333333']
out += [frame(i / 30) for i in range(frames)]
open(sys.argv[1], 'w').write('\n'.join(out) + '\n')
