# Made by tools/make_docs.c from cli/options.def. Do not edit.
# bash completion of tendon: verbs, options, words of choices, and files.
_tendon()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${COMP_WORDS[i]} in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac
    done
    COMPREPLY=()
    case $verb:$before in
        trace:--animation|bake:--animation|retarget:--animation|render:--animation|plot:--animation|diff:--animation) return ;;
        trace:--seconds|bake:--seconds|plot:--seconds|diff:--seconds) return ;;
        trace:--out-dir|bake:--out-dir|retarget:--out-dir|convert:--out-dir|render:--out-dir) COMPREPLY=($(compgen -d -- "$word")); return ;;
        check:--shard|trace:--shard|bake:--shard|retarget:--shard|convert:--shard|render:--shard) return ;;
        bake:--format|convert:--format) COMPREPLY=($(compgen -W "glb gltf vrm" -- "$word")); return ;;
        retarget:--format) COMPREPLY=($(compgen -W "glb gltf vrm vrma" -- "$word")); return ;;
        trace:--format) COMPREPLY=($(compgen -W "jsonl csv" -- "$word")); return ;;
        trace:--rate|plot:--rate|diff:--rate) return ;;
        bake:--rate) return ;;
        trace:--times) return ;;
        render:--seconds) return ;;
        render:--rate) return ;;
        render:--size) return ;;
        render:--format) COMPREPLY=($(compgen -W "png gif webm mp4" -- "$word")); return ;;
        render:--camera) return ;;
        render:--orbit) return ;;
        render:--background) COMPREPLY=($(compgen -W "light dark white transparent" -- "$word")); return ;;
        render:--samples) return ;;
        trace:--step|bake:--step|render:--step|plot:--step|diff:--step) return ;;
        trace:--gravity|bake:--gravity|render:--gravity|plot:--gravity|diff:--gravity) return ;;
        trace:--physics|bake:--physics|render:--physics|plot:--physics|diff:--physics) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
        trace:--sleep|bake:--sleep|view:--sleep|render:--sleep|plot:--sleep|diff:--sleep) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
        trace:--constraints|bake:--constraints|render:--constraints|plot:--constraints|diff:--constraints) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
        trace:--springs|bake:--springs|retarget:--springs|render:--springs|plot:--springs|diff:--springs) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
        bake:--warmup) return ;;
        bake:--until) COMPREPLY=($(compgen -W "rest" -- "$word")); return ;;
        bake:--name) return ;;
        bake:--position-tolerance) return ;;
        bake:--angle-tolerance) return ;;
        bake:--loop-blend) return ;;
        retarget:--name) return ;;
        trace:--contacts|bake:--contacts|retarget:--contacts|view:--contacts|render:--contacts|serve:--contacts|plot:--contacts|diff:--contacts) COMPREPLY=($(compgen -W "auto off feet,hands" -- "$word")); return ;;
        trace:--root|bake:--root|retarget:--root|view:--root|render:--root|serve:--root|plot:--root|diff:--root) COMPREPLY=($(compgen -W "keep in-place scale" -- "$word")); return ;;
        inspect:--facing|trace:--facing|bake:--facing|retarget:--facing|view:--facing|render:--facing|serve:--facing|plot:--facing|diff:--facing) COMPREPLY=($(compgen -W "auto +Z -Z +X -X +Y -Y" -- "$word")); return ;;
        inspect:--rest|trace:--rest|bake:--rest|retarget:--rest|view:--rest|render:--rest|serve:--rest|plot:--rest|diff:--rest) COMPREPLY=($(compgen -W "auto bind nodes" -- "$word")); return ;;
        retarget:--avatar-facing|view:--avatar-facing) COMPREPLY=($(compgen -W "auto +Z -Z +X -X +Y -Y" -- "$word")); return ;;
        retarget:--avatar-rest|view:--avatar-rest) COMPREPLY=($(compgen -W "auto bind nodes" -- "$word")); return ;;
        inspect:--bvh-unit|trace:--bvh-unit|bake:--bvh-unit|retarget:--bvh-unit|view:--bvh-unit|render:--bvh-unit|serve:--bvh-unit|plot:--bvh-unit|diff:--bvh-unit) return ;;
        inspect:--tpose-frame|trace:--tpose-frame|bake:--tpose-frame|retarget:--tpose-frame|view:--tpose-frame|render:--tpose-frame|serve:--tpose-frame|plot:--tpose-frame|diff:--tpose-frame) return ;;
        trace:--look-at|bake:--look-at|view:--look-at|render:--look-at|plot:--look-at|diff:--look-at) return ;;
        convert:--to) COMPREPLY=($(compgen -W "khr khr-draft omi omi-early" -- "$word")); return ;;
        check:--format) COMPREPLY=($(compgen -W "text json sarif" -- "$word")); return ;;
        trace:--nodes|plot:--nodes) return ;;
        replay:--from) return ;;
        replay:--until) return ;;
        serve:--port) return ;;
        plot:--what) return ;;
        diff:--tolerance) return ;;
        inspect:--allow-outside|check:--allow-outside|trace:--allow-outside|bake:--allow-outside|retarget:--allow-outside|convert:--allow-outside|view:--allow-outside|render:--allow-outside|serve:--allow-outside|plot:--allow-outside|replay:--allow-outside|diff:--allow-outside) COMPREPLY=($(compgen -d -- "$word")); return ;;
        inspect:--omi-stiffness|check:--omi-stiffness|trace:--omi-stiffness|bake:--omi-stiffness|retarget:--omi-stiffness|convert:--omi-stiffness|view:--omi-stiffness|render:--omi-stiffness|serve:--omi-stiffness|plot:--omi-stiffness|replay:--omi-stiffness|diff:--omi-stiffness) COMPREPLY=($(compgen -W "auto literal" -- "$word")); return ;;
        inspect:--limit|check:--limit|trace:--limit|bake:--limit|retarget:--limit|convert:--limit|view:--limit|render:--limit|serve:--limit|plot:--limit|replay:--limit|diff:--limit) return ;;
        inspect:--threads|check:--threads|trace:--threads|bake:--threads|retarget:--threads|convert:--threads|view:--threads|render:--threads|serve:--threads|plot:--threads|replay:--threads|diff:--threads) return ;;
        inspect:--color|check:--color|trace:--color|bake:--color|retarget:--color|convert:--color|view:--color|render:--color|serve:--color|plot:--color|replay:--color|diff:--color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    esac
    case $verb:$word in
        :*) COMPREPLY=($(compgen -W "inspect check trace bake retarget convert view render serve plot replay diff help --help --version" -- "$word")); return ;;
        help:*) COMPREPLY=($(compgen -W "inspect check trace bake retarget convert view render serve plot replay diff" -- "$word")); return ;;
        inspect:-*) COMPREPLY=($(compgen -W "--facing --rest --map --skeleton --bvh-unit --tpose-frame --full --recursive --files-from --allow-outside --omi-stiffness --wide-weights --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        check:-*) COMPREPLY=($(compgen -W "--shard --format --strict --recursive --files-from --allow-outside --omi-stiffness --wide-weights --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        trace:-*) COMPREPLY=($(compgen -W "--output --motion --animation --seconds --out-dir --shard --resume --format --rate --times --step --gravity --physics --sleep --constraints --springs --no-scale-hips --contacts --root --facing --rest --map --bvh-unit --tpose-frame --look-at --override-gaze --nodes --summary --record --full --recursive --files-from --allow-outside --omi-stiffness --wide-weights --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        bake:-*) COMPREPLY=($(compgen -W "--output --motion --animation --seconds --out-dir --shard --resume --format --rate --step --gravity --physics --sleep --constraints --springs --warmup --until --name --position-tolerance --angle-tolerance --loop-blend --replace-animations --strip-physics --strip-springs --animate-materials --no-scale-hips --contacts --root --facing --rest --map --bvh-unit --tpose-frame --look-at --override-gaze --embed --recursive --files-from --allow-outside --omi-stiffness --wide-weights --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        retarget:-*) COMPREPLY=($(compgen -W "--output --onto --animation --out-dir --shard --resume --format --springs --strip-springs --animate-materials --name --no-scale-hips --contacts --root --facing --rest --avatar-facing --avatar-rest --map --avatar-map --bvh-unit --tpose-frame --embed --recursive --files-from --allow-outside --omi-stiffness --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        convert:-*) COMPREPLY=($(compgen -W "--output --out-dir --shard --resume --format --to --embed --recursive --files-from --allow-outside --omi-stiffness --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        view:-*) COMPREPLY=($(compgen -W "--output --motion --sleep --no-scale-hips --contacts --root --facing --rest --avatar-facing --avatar-rest --map --avatar-map --bvh-unit --tpose-frame --look-at --open --allow-outside --omi-stiffness --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        render:-*) COMPREPLY=($(compgen -W "--output --motion --animation --out-dir --shard --seconds --rate --size --thumbnail --format --camera --orbit --background --colliders --samples --step --gravity --physics --sleep --constraints --springs --no-scale-hips --contacts --root --facing --rest --map --bvh-unit --tpose-frame --look-at --override-gaze --recursive --files-from --allow-outside --omi-stiffness --wide-weights --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        serve:-*) COMPREPLY=($(compgen -W "--motion --no-scale-hips --contacts --root --facing --rest --map --bvh-unit --tpose-frame --open --port --allow-outside --omi-stiffness --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        plot:-*) COMPREPLY=($(compgen -W "--output --motion --animation --seconds --rate --step --gravity --physics --sleep --constraints --springs --no-scale-hips --contacts --root --facing --rest --map --bvh-unit --tpose-frame --look-at --override-gaze --nodes --what --allow-outside --omi-stiffness --wide-weights --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        replay:-*) COMPREPLY=($(compgen -W "--from --until --bake --allow-outside --omi-stiffness --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
        diff:-*) COMPREPLY=($(compgen -W "--motion --animation --seconds --rate --step --gravity --physics --sleep --constraints --springs --no-scale-hips --contacts --root --facing --rest --map --bvh-unit --tpose-frame --look-at --override-gaze --full --tolerance --allow-outside --omi-stiffness --wide-weights --json --limit --threads --quiet --verbose --color --help --version" -- "$word")); return ;;
    esac
    COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _tendon tendon
