# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Sourced by ./run and ./check: installs missing Debian and npm packages and builds presets. Needs only bash, apt-get and
# dpkg. With TENDON_SETUP=skip it installs nothing.

# Packages by command. gcc brings binutils and the sanitizer runtimes of gcc.
packages_build=(gcc libc6-dev cmake ninja-build libmeshoptimizer-dev)
packages_check=(g++ libjansson-dev libqhull-dev libmujoco-dev libode-dev)
packages_all=(clang libclang-rt-14-dev clang-format clang-tidy python3 pkgconf)

jobs=$(nproc 2>/dev/null || echo 2)

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

  echo "Installing ${missing[*]}" >&2
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
  # The package lists are updated only if the first attempt fails: they are missing or out of date.
  if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >"$log" 2>&1 </dev/null; then
    if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } >>"$log" 2>&1 </dev/null; then
      tail -n 20 "$log" >&2
      echo "Cannot install ${missing[*]}; the log is build/setup.log." >&2
      exit 3
    fi
  fi
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
  if grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET' \
    "$log"; then
    echo "skipped: npm cannot reach its registry; (cd $folder && npm ci) with a network enables it"
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
