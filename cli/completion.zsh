#compdef tendon
# Made by tools/make_docs.c from cli/options.def. Do not edit.
# zsh completion of tendon: verbs, options, words of choices, and files.
_tendon()
{
    local -a verbs
    verbs=(
        'inspect:show the contents of a file'
        'check:report problems of a file'
        'trace:simulate a file and write the transform of every node'
        'bake:simulate a file and write the motion as an animation'
        'retarget:retarget a humanoid motion to an avatar'
        'convert:write a file as .gltf, .glb or .vrm'
        'view:write a web page that simulates a file live'
        'render:draw a picture or a film of a file'
        'serve:show a file or folder in the browser of this computer'
        'plot:draw quantities of a run over time'
        'replay:repeat a recording and verify every step'
        'diff:compare two files or recordings'
        'help:explain a verb'
    )
    if ((CURRENT == 2)); then
        _describe -t commands verb verbs -- "$@"
        return
    fi
    local verb=${words[2]}
    shift words
    ((CURRENT -= 1))
    case $verb in
        help) _describe -t commands verb verbs ;;
        inspect)
            _arguments -s \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--skeleton[print the map of bones as JSON]' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--full[show every row of every table]' \
                '(-R --recursive)'{-R,--recursive}'[also read the folders inside folders]' \
                '--files-from[read further file names from a list]:FILE:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '--wide-weights[accept constraint weights outside 0 to 1]' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        check)
            _arguments -s \
                '--shard[only the I-th of N parts of the files]:I/N:' \
                '--format[form of the report]:format:(text json sarif)' \
                '--strict[warnings count as errors for the exit code]' \
                '(-R --recursive)'{-R,--recursive}'[also read the folders inside folders]' \
                '--files-from[read further file names from a list]:FILE:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '--wide-weights[accept constraint weights outside 0 to 1]' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        trace)
            _arguments -s \
                '(-o --output)'{-o,--output}'[file to write; - is standard output]:FILE:_files' \
                '--motion[a VRMA, BVH or glTF motion for the humanoid]:FILE:_files' \
                '(-a --animation)'{-a,--animation}'[animation to play, or "none"]:NAME|INDEX:' \
                '(-s --seconds)'{-s,--seconds}'[duration; default\: that of the animation, or 10]:S:' \
                '--out-dir[folder for the outputs of several files]:DIR:_files -/' \
                '--shard[only the I-th of N parts of the files]:I/N:' \
                '--resume[skip outputs that are up to date]' \
                '--format[JSON Lines or a CSV table]:format:(jsonl csv)' \
                '(-r --rate)'{-r,--rate}'[frames written per second]:HZ:' \
                '(-t --times)'{-t,--times}'[write exactly these times instead, in s]:T0,T1,...:' \
                '--step[physics steps per second]:HZ:' \
                '(-g --gravity)'{-g,--gravity}'[gravity in m/s^2]:X,Y,Z:' \
                '--physics[whether physics is simulated]:physics:(on off)' \
                '--sleep[whether bodies at rest sleep]:sleep:(on off)' \
                '--constraints[whether node constraints act]:constraints:(on off)' \
                '--springs[whether spring bones swing; default\: on]:springs:(on off)' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--look-at[node or point that the avatar looks at]:NODE|X,Y,Z:' \
                '--override-gaze[expressions with overrideLookAt also fade eye bones]' \
                '--nodes[nodes of a CSV table or plot]:NAME,...:' \
                '--summary[print a summary of the run]' \
                '--record[also record the run as .tdrec]:FILE:_files' \
                '--full[show every row of every table]' \
                '(-R --recursive)'{-R,--recursive}'[also read the folders inside folders]' \
                '--files-from[read further file names from a list]:FILE:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '--wide-weights[accept constraint weights outside 0 to 1]' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        bake)
            _arguments -s \
                '(-o --output)'{-o,--output}'[file to write; - is standard output]:FILE:_files' \
                '--motion[a VRMA, BVH or glTF motion for the humanoid]:FILE:_files' \
                '(-a --animation)'{-a,--animation}'[animation to play, or "none"]:NAME|INDEX:' \
                '(-s --seconds)'{-s,--seconds}'[duration; default\: that of the animation, or 10]:S:' \
                '--out-dir[folder for the outputs of several files]:DIR:_files -/' \
                '--shard[only the I-th of N parts of the files]:I/N:' \
                '--resume[skip outputs that are up to date]' \
                '--format[kind of the files in --out-dir]:format:(glb gltf vrm)' \
                '(-r --rate)'{-r,--rate}'[captured frames per second]:HZ:' \
                '--step[physics steps per second]:HZ:' \
                '(-g --gravity)'{-g,--gravity}'[gravity in m/s^2]:X,Y,Z:' \
                '--physics[whether physics is simulated]:physics:(on off)' \
                '--sleep[whether bodies at rest sleep]:sleep:(on off)' \
                '--constraints[whether node constraints act]:constraints:(on off)' \
                '--springs[whether spring bones swing; default\: on]:springs:(on off)' \
                '--warmup[simulate this long before recording]:S:' \
                '--until[stop when every body sleeps]:until:(rest)' \
                '(-n --name)'{-n,--name}'[name of the new animation]:TEXT:' \
                '--position-tolerance[error allowed in m]:M:' \
                '--angle-tolerance[error allowed in rad]:RAD:' \
                '--loop-blend[blend the end into the start, for loops]:S:' \
                '--replace-animations[remove the animation that was played]' \
                '--strip-physics[remove the physics from the file]' \
                '--strip-springs[remove the spring bones from the file]' \
                '--animate-materials[write material changes of expressions]' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--look-at[node or point that the avatar looks at]:NODE|X,Y,Z:' \
                '--override-gaze[expressions with overrideLookAt also fade eye bones]' \
                '--embed[embed buffers and images]' \
                '(-R --recursive)'{-R,--recursive}'[also read the folders inside folders]' \
                '--files-from[read further file names from a list]:FILE:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '--wide-weights[accept constraint weights outside 0 to 1]' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        retarget)
            _arguments -s \
                '(-o --output)'{-o,--output}'[file to write; - is standard output]:FILE:_files' \
                '--onto[the avatar; all other files are motions]:AVATAR:_files' \
                '(-a --animation)'{-a,--animation}'[animation to play, or "none"]:NAME|INDEX:' \
                '--out-dir[folder for the outputs of several files]:DIR:_files -/' \
                '--shard[only the I-th of N parts of the files]:I/N:' \
                '--resume[skip outputs that are up to date]' \
                '--format[kind of the files in --out-dir]:format:(glb gltf vrm vrma)' \
                '--springs[whether spring bones swing; default\: on]:springs:(on off)' \
                '--strip-springs[remove the spring bones from the file]' \
                '--animate-materials[write material changes of expressions]' \
                '(-n --name)'{-n,--name}'[name of the new animation]:TEXT:' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--avatar-facing[--facing of the avatar alone]:avatar-facing:(auto +Z -Z +X -X +Y -Y)' \
                '--avatar-rest[--rest of the avatar alone]:avatar-rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--avatar-map[--map of the avatar; --map is then that of the motion]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--embed[embed buffers and images]' \
                '(-R --recursive)'{-R,--recursive}'[also read the folders inside folders]' \
                '--files-from[read further file names from a list]:FILE:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        convert)
            _arguments -s \
                '(-o --output)'{-o,--output}'[file to write; - is standard output]:FILE:_files' \
                '--out-dir[folder for the outputs of several files]:DIR:_files -/' \
                '--shard[only the I-th of N parts of the files]:I/N:' \
                '--resume[skip outputs that are up to date]' \
                '--format[kind of the files in --out-dir]:format:(glb gltf vrm)' \
                '--to[write the physics in this dialect]:to:(khr khr-draft omi omi-early)' \
                '--embed[embed buffers and images]' \
                '(-R --recursive)'{-R,--recursive}'[also read the folders inside folders]' \
                '--files-from[read further file names from a list]:FILE:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        view)
            _arguments -s \
                '(-o --output)'{-o,--output}'[file to write; - is standard output]:FILE:_files' \
                '--motion[a VRMA, BVH or glTF motion for the humanoid]:FILE:_files' \
                '--sleep[whether bodies at rest sleep]:sleep:(on off)' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--avatar-facing[--facing of the avatar alone]:avatar-facing:(auto +Z -Z +X -X +Y -Y)' \
                '--avatar-rest[--rest of the avatar alone]:avatar-rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--avatar-map[--map of the avatar; --map is then that of the motion]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--look-at[node or point that the avatar looks at]:NODE|X,Y,Z:' \
                '--open[open the page in the default browser]' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        render)
            _arguments -s \
                '(-o --output)'{-o,--output}'[file to write; - is standard output]:FILE:_files' \
                '--motion[a VRMA, BVH or glTF motion for the humanoid]:FILE:_files' \
                '(-a --animation)'{-a,--animation}'[animation to play, or "none"]:NAME|INDEX:' \
                '--out-dir[folder for the outputs of several files]:DIR:_files -/' \
                '--shard[only the I-th of N parts of the files]:I/N:' \
                '(-s --seconds)'{-s,--seconds}'[moment of a PNG, length of a film]:S:' \
                '(-r --rate)'{-r,--rate}'[frames per second of a film]:HZ:' \
                '--size[width and height in pixels]:WxH:' \
                '--thumbnail[a PNG of 256x256, one second into the run]' \
                '--format[kind of the files in --out-dir]:format:(png gif webm mp4)' \
                '--camera[camera of the file, by its node]:NAME|INDEX:' \
                '--orbit[view in degrees, and zoom]:YAW,PITCH,ZOOM:' \
                '--background[colour behind the scene]:background:(light dark white transparent)' \
                '--colliders[also draw the wireframes of colliders]' \
                '--samples[samples along each side of a pixel]:N:' \
                '--step[physics steps per second]:HZ:' \
                '(-g --gravity)'{-g,--gravity}'[gravity in m/s^2]:X,Y,Z:' \
                '--physics[whether physics is simulated]:physics:(on off)' \
                '--sleep[whether bodies at rest sleep]:sleep:(on off)' \
                '--constraints[whether node constraints act]:constraints:(on off)' \
                '--springs[whether spring bones swing; default\: on]:springs:(on off)' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--look-at[node or point that the avatar looks at]:NODE|X,Y,Z:' \
                '--override-gaze[expressions with overrideLookAt also fade eye bones]' \
                '(-R --recursive)'{-R,--recursive}'[also read the folders inside folders]' \
                '--files-from[read further file names from a list]:FILE:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '--wide-weights[accept constraint weights outside 0 to 1]' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        serve)
            _arguments -s \
                '--motion[a VRMA, BVH or glTF motion for the humanoid]:FILE:_files' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--open[open the page in the default browser]' \
                '--port[port to listen on; 0\: any free one]:N:' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        plot)
            _arguments -s \
                '(-o --output)'{-o,--output}'[file to write; - is standard output]:FILE:_files' \
                '--motion[a VRMA, BVH or glTF motion for the humanoid]:FILE:_files' \
                '(-a --animation)'{-a,--animation}'[animation to play, or "none"]:NAME|INDEX:' \
                '(-s --seconds)'{-s,--seconds}'[duration; default\: that of the animation, or 10]:S:' \
                '(-r --rate)'{-r,--rate}'[frames written per second]:HZ:' \
                '--step[physics steps per second]:HZ:' \
                '(-g --gravity)'{-g,--gravity}'[gravity in m/s^2]:X,Y,Z:' \
                '--physics[whether physics is simulated]:physics:(on off)' \
                '--sleep[whether bodies at rest sleep]:sleep:(on off)' \
                '--constraints[whether node constraints act]:constraints:(on off)' \
                '--springs[whether spring bones swing; default\: on]:springs:(on off)' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--look-at[node or point that the avatar looks at]:NODE|X,Y,Z:' \
                '--override-gaze[expressions with overrideLookAt also fade eye bones]' \
                '--nodes[nodes of a CSV table or plot]:NAME,...:' \
                '--what[height, speed, energy, joint-error]:WORD,...:' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '--wide-weights[accept constraint weights outside 0 to 1]' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        replay)
            _arguments -s \
                '--from[first step to verify and bake]:STEP:' \
                '--until[last step to make]:STEP:' \
                '--bake[write the first actor with its motion]:OUT:_files' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
        diff)
            _arguments -s \
                '--motion[a VRMA, BVH or glTF motion for the humanoid]:FILE:_files' \
                '(-a --animation)'{-a,--animation}'[animation to play, or "none"]:NAME|INDEX:' \
                '(-s --seconds)'{-s,--seconds}'[duration; default\: that of the animation, or 10]:S:' \
                '(-r --rate)'{-r,--rate}'[frames written per second]:HZ:' \
                '--step[physics steps per second]:HZ:' \
                '(-g --gravity)'{-g,--gravity}'[gravity in m/s^2]:X,Y,Z:' \
                '--physics[whether physics is simulated]:physics:(on off)' \
                '--sleep[whether bodies at rest sleep]:sleep:(on off)' \
                '--constraints[whether node constraints act]:constraints:(on off)' \
                '--springs[whether spring bones swing; default\: on]:springs:(on off)' \
                '--no-scale-hips[keep the translation of the hips in metres]' \
                '--contacts[keep contacts of the motion on the avatar]:contacts:(auto off feet,hands)' \
                '--root[how the avatar travels]:root:(keep in-place scale)' \
                '--facing[where the skeleton faces at rest]:facing:(auto +Z -Z +X -X +Y -Y)' \
                '--rest[rest pose of a skeleton with joint names]:rest:(auto bind nodes)' \
                '--map[JSON that names the joints of a BVH or glTF]:FILE:_files' \
                '--bvh-unit[metres per unit of a BVH]:M:' \
                '--tpose-frame[frame of a BVH that shows the T-pose]:N:' \
                '--look-at[node or point that the avatar looks at]:NODE|X,Y,Z:' \
                '--override-gaze[expressions with overrideLookAt also fade eye bones]' \
                '--full[show every row of every table]' \
                '--tolerance[differences up to this are none]:X:' \
                '--allow-outside[an additional folder that files may refer to]:DIR:_files -/' \
                '--omi-stiffness[how OMI stiffness is read]:omi-stiffness:(auto literal)' \
                '--wide-weights[accept constraint weights outside 0 to 1]' \
                '(-j --json)'{-j,--json}'[the result as JSON, one line per file]' \
                '--limit[raise or lower limits, such as memory=1e9]:NAME=N,...:' \
                '--threads[worker threads; default\: one per core]:N:' \
                '(-q --quiet)'{-q,--quiet}'[print only errors]' \
                '(-v --verbose)'{-v,--verbose}'[also print infos and hints]' \
                '--color[colours in text]:color:(auto always never)' \
                '(-h --help)'{-h,--help}'[-h\: this in short, --help\: everything]' \
                '(-V --version)'{-V,--version}'[print the version]' \
                '*:file:_files'
            ;;
    esac
}
_tendon "$@"
