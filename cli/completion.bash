# Made by tools/make_docs.c from cli/options.def. Do not edit.
# bash completion of tendon: verbs, options, words of choices, and files.
_tendon()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${COMP_WORDS[i]} in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac
    done
    COMPREPLY=()
    case $before in
        --seconds) return ;;
        --shard) return ;;
        --format) COMPREPLY=($(compgen -W "glb gltf vrm" -- "$word")); return ;;
        --format) COMPREPLY=($(compgen -W "glb gltf vrm vrma" -- "$word")); return ;;
        --format) COMPREPLY=($(compgen -W "jsonl csv" -- "$word")); return ;;
        --rate) return ;;
        --rate) return ;;
        --times) return ;;
        --step) return ;;
        --gravity) return ;;
        --physics) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
        --constraints) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
        --springs) COMPREPLY=($(compgen -W "on off" -- "$word")); return ;;
        --warmup) return ;;
        --until) COMPREPLY=($(compgen -W "rest" -- "$word")); return ;;
        --loop-blend) return ;;
        --position-tolerance) return ;;
        --angle-tolerance) return ;;
        --bvh-unit) return ;;
        --tpose-frame) return ;;
        --to) COMPREPLY=($(compgen -W "khr khr-draft omi omi-early" -- "$word")); return ;;
        --omi-stiffness) COMPREPLY=($(compgen -W "auto literal" -- "$word")); return ;;
        --threads) return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    esac
    case $verb:$word in
        :*) COMPREPLY=($(compgen -W "inspect check trace bake retarget convert view help --help --version" -- "$word")); return ;;
        inspect:-*) COMPREPLY=($(compgen -W "--full --allow-outside --omi-stiffness --wide-weights --json --threads --quiet --color --help --version" -- "$word")); return ;;
        check:-*) COMPREPLY=($(compgen -W "--shard --strict --allow-outside --omi-stiffness --wide-weights --json --threads --quiet --color --help --version" -- "$word")); return ;;
        trace:-*) COMPREPLY=($(compgen -W "--output --motion --animation --seconds --out-dir --shard --resume --format --rate --times --step --gravity --physics --constraints --springs --no-scale-hips --map --bvh-unit --tpose-frame --look-at --override-gaze --nodes --summary --full --allow-outside --omi-stiffness --wide-weights --json --threads --quiet --color --help --version" -- "$word")); return ;;
        bake:-*) COMPREPLY=($(compgen -W "--output --motion --animation --seconds --out-dir --shard --resume --format --rate --step --gravity --physics --constraints --springs --warmup --until --loop-blend --name --position-tolerance --angle-tolerance --replace-animations --strip-physics --strip-springs --animate-materials --no-scale-hips --map --bvh-unit --tpose-frame --look-at --override-gaze --embed --allow-outside --omi-stiffness --wide-weights --json --threads --quiet --color --help --version" -- "$word")); return ;;
        retarget:-*) COMPREPLY=($(compgen -W "--output --onto --animation --out-dir --shard --resume --format --springs --strip-springs --name --no-scale-hips --map --bvh-unit --tpose-frame --embed --allow-outside --omi-stiffness --json --threads --quiet --color --help --version" -- "$word")); return ;;
        convert:-*) COMPREPLY=($(compgen -W "--output --out-dir --shard --resume --format --to --embed --allow-outside --omi-stiffness --json --threads --quiet --color --help --version" -- "$word")); return ;;
        view:-*) COMPREPLY=($(compgen -W "--output --motion --open --allow-outside --omi-stiffness --json --threads --quiet --color --help --version" -- "$word")); return ;;
    esac
    COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _tendon tendon
