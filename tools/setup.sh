# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Sourced by ./run and ./check: installs missing Debian and npm packages and builds presets. Needs only bash, apt-get and
# dpkg. With TENDON_SETUP=skip it installs nothing.

# Packages by command. gcc brings binutils and the sanitizer runtimes of gcc.
packages_build=(gcc libc6-dev cmake ninja-build libmeshoptimizer-dev)
packages_check=(ccache g++ libjansson-dev libqhull-dev libmujoco-dev libode-dev)
packages_all=(clang libclang-rt-14-dev clang-format clang-tidy python3 pkgconf zsh fish)

jobs=$(nproc 2>/dev/null || echo 2)

# True if a log of apt-get or npm tells that a server could not be reached.
is_offline() {
  grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET|Temporary failure resolving|Could not resolve|Could not connect|Network is unreachable|No route to host' "$1"
}

# Prints what an installation adds before it starts: number of packages, download, disk space and a rough time. apt-get only
# computes this; --assume-no makes it stop there. Without package lists only the names are known.
announce_packages() {
  local plan count get disk
  plan=$(LC_ALL=C apt-get --assume-no --no-install-recommends install "$@" 2>/dev/null </dev/null || true)
  count=$(sed -nE 's/.* ([0-9]+) newly installed.*/\1/p' <<<"$plan")
  get=$(sed -nE 's/^Need to get ([0-9.,]+ [kMG]?B).*/\1/p' <<<"$plan")
  disk=$(sed -nE 's/^After this operation, ([0-9.,]+ [kMG]?B) of additional.*/\1/p' <<<"$plan")
  if [ -z "$count" ]; then
    echo "Installing $*" >&2
    return
  fi
  local time="less than a minute"
  [ "$count" -le 30 ] || time="one to three minutes"
  [ "$count" -le 150 ] || time="three to five minutes"
  echo "Installing $*: $count Debian packages, ${get:-nothing} to download, ${disk:-0 kB} on disk, $time." >&2
}

# Installs the packages that dpkg does not list as installed. Prints nothing and takes milliseconds if there are none.
need_packages() {
  if [ "${TENDON_SETUP:-}" = skip ] || ! command -v dpkg-query >/dev/null 2>&1; then
    local tool
    for tool in cmake ninja cc; do
      command -v "$tool" >/dev/null 2>&1 && continue
      echo "Tendon needs $tool (Debian packages: $*). Install it and try again." >&2
      exit 3
    done
    return 0
  fi
  local installed missing=() name
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for name in "$@"; do
    case $'\n'"$installed"$'\n' in
      *$'\n'"installed $name"$'\n'*) ;;
      *) missing+=("$name") ;;
    esac
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$EUID" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      echo "Debian packages are missing, and this user is not root and has no sudo. Run as root:" >&2
      echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
      echo "or set TENDON_SETUP=skip if the tools are installed in another way." >&2
      exit 3
    fi
    as_root=(sudo)
  fi
  mkdir -p "$top/build"
  local log="$top/build/setup.log"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  announce_packages "${missing[@]}"
  # The package lists are updated only if the first attempt fails: they are missing or out of date.
  if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >"$log" 2>&1 </dev/null; then
    if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } >>"$log" 2>&1 </dev/null; then
      if is_offline "$log"; then
        echo "No network: cannot install ${missing[*]}. Connect and run the command again; TENDON_SETUP=skip uses what is installed." >&2
        exit 3
      fi
      tail -n 20 "$log" >&2
      echo "Cannot install ${missing[*]}; the log is build/setup.log." >&2
      exit 3
    fi
  fi
}

# Lets every compilation of this run go through ccache, if it is installed. Objects name files relative to the tree, so another
# checkout shares the cache. TENDON_CCACHE=off compiles everything.
use_ccache() {
  [ "${TENDON_CCACHE:-on}" != off ] && command -v ccache >/dev/null 2>&1 || return 0
  export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-10G}
}

# Installs the packages of FOLDER/package-lock.json into FOLDER/node_modules, and Node and npm from Debian if they are
# missing. Does nothing if the build record, a copy of the lock file that was installed, equals the lock file. Without a
# network the last line is "skipped: why, and the command that enables it" and the status is 77, as ./check expects of a
# tier: need_npm web || exit $?
need_npm() {
  local folder=$1 log="$top/build/npm.log" lock record
  lock="$top/$folder/package-lock.json"
  record="$top/$folder/node_modules/.package-lock.installed"
  if [ ! -f "$lock" ]; then
    echo "There is no $folder/package-lock.json." >&2
    return 1
  fi
  mkdir -p "$top/build"
  local missing=()
  command -v node >/dev/null 2>&1 || missing+=(nodejs)
  command -v npm >/dev/null 2>&1 || missing+=(npm)
  if [ ${#missing[@]} -gt 0 ]; then
    # In a subshell, because need_packages exits if it cannot install.
    if [ "${TENDON_SETUP:-}" = skip ] || ! (need_packages "${missing[@]}"); then
      echo "skipped: no ${missing[*]}; apt-get install ${missing[*]} enables it"
      return 77
    fi
  fi
  ! cmp -s "$lock" "$record" || return 0
  rm -f "$record"
  # Of two processes the second waits, then finds the record up to date.
  (
    flock 8
    ! cmp -s "$lock" "$record" || exit 0
    cd "$top/$folder" && npm ci --no-audit --no-fund --no-update-notifier --loglevel=error >"$log" 2>&1 </dev/null &&
      cp "$lock" "$record"
  ) 8>"$top/build/.npm.lock" && return 0
  if is_offline "$log"; then
    echo "skipped: no network, npm cannot reach its registry; (cd $folder && npm ci) with a network enables it"
    return 77
  fi
  tail -n 20 "$log" >&2
  echo "Cannot install the packages of $folder; the log is build/npm.log." >&2
  return 1
}

# build_preset PRESET [TARGET...]: configures build/PRESET if needed and builds the targets, by default all. Prints nothing
# on success; on failure, the part of the output from the first error on.
build_preset() {
  local preset=$1 log="$top/build/$1.log" started=$SECONDS
  shift
  mkdir -p "$top/build"
  if [ ! -f "$top/build/$preset/build.ninja" ]; then
    if ! (cd "$top" && cmake --preset "$preset") >"$log" 2>&1 </dev/null; then
      cat "$log" >&2
      return 1
    fi
  fi
  if ! ninja -C "$top/build/$preset" -j "$jobs" "$@" >"$log" 2>&1 </dev/null; then
    awk '/FAILED|rror/ { show = 1 } show { print }' "$log" | head -n 120 >&2
    echo "Building $preset failed; the log is build/$preset.log." >&2
    return 1
  fi
  build_seconds=$((SECONDS - started))
}
