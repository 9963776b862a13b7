# Sourced by ./run, ./test and .ci/run: installs what is missing, then configures and builds, quietly.
# Functions only; `root` is the project's folder.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "stiction: $*" >&2; }
fail() { say "$*"; exit 1; }

# What the product and its tests need, and what CI needs besides, as packages of Debian and Ubuntu.
packages="g++ cmake ninja-build libeigen3-dev nlohmann-json3-dev libcli11-dev libfmt-dev
  libhdf5-dev   libgtest-dev libboost-dev python3 python3-venv python3-dev"
packages_ci="clang-16 clang-format-16 clang-tidy-16 libclang-rt-16-dev libbenchmark-dev ccache"

# Where ccache is installed what was compiled once, in any clone on this machine, is not compiled again.
use_compiler_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=time_macros,include_file_mtime,include_file_ctime
}

# need PACKAGE…: installs those that are not there; says which could not be had, and stops.
need() {
  local missing=()
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    fail "this is not Debian or Ubuntu; install the equivalents of: $*"
  fi
  local have
  # It fails where a package was never heard of, which is one way of not having it.
  have=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null || true)
  have=$(sed -n 's/^ii  *//p' <<<"$have")
  for package in "$@"; do
    grep -qxF "$package" <<<"$have" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "cannot install as $(id -un) without sudo: ${missing[*]}"
    sudo=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! { "${sudo[@]}" apt-get update -q && "${sudo[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    fail "could not install: ${missing[*]}"
  fi
  rm -f "$log"
}

# want COMMAND PACKAGE…: installs the packages where the command is missing, and goes on if they cannot
# be had; tried once for each build folder.
want() {
  local command=$1 tried="$root/build/without-$1"
  shift
  command -v "$command" >/dev/null && return
  [ -e "$tried" ] && return
  (need "$@") && return
  say "going on without $command"
  mkdir -p "$root/build" && : >"$tried"
}

# pinocchio: Pinocchio's wheels in build/pinocchio, once and again when the pinned versions change; goes
# on without if they cannot be had, which is tried once for each build folder.
pinocchio() {
  local wanted="$root/tools/pinocchio.txt" folder="$root/build/pinocchio" tried="$root/build/without-pinocchio"
  cmp -s "$wanted" "$folder/installed.txt" && return
  cmp -s "$wanted" "$tried" && return
  say "installing Pinocchio, which reads models"
  local log
  log=$(mktemp)
  rm -rf "$folder"
  mkdir -p "$folder"
  # The version names the one build of Boost that all machines use; its Python is not used.
  if { python3 -m venv "$folder/venv" && "$folder/venv/bin/python" -m pip install --quiet \
         --disable-pip-version-check --no-input --no-deps --only-binary :all: --python-version 3.11 \
         --target "$folder" --requirement "$wanted"; } >"$log" 2>&1; then
    rm -rf "$folder/venv" "$folder"/*.dist-info "$folder/bin"
    rm -f "$tried" "$root"/build*/build.ninja  # to configure anew
    cp "$wanted" "$folder/installed.txt"
  else
    tail -n 1 "$log" >&2
    rm -rf "$folder"
    cp "$wanted" "$tried"
    say "going on without Pinocchio: gcone --model will not read models (remove $tried to try again)"
  fi
  rm -f "$log"
}

# build PRESET FOLDER [TARGET…]: configures once, then builds what is out of date.
build() {
  local preset=$1 folder=$2 log
  shift 2
  use_compiler_cache
  log=$(mktemp)
  if [ ! -f "$folder/build.ninja" ]; then
    say "configuring ($preset)"
    (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; fail "cmake failed"; }
  fi
  local targets=()
  [ $# -gt 0 ] && targets=(--target "$@")
  # Everything takes minutes once, on two cores about three; the program alone half of that.
  if ! ls "$folder"/bin/* >/dev/null 2>&1; then say "building ($preset), a few minutes the first time"; fi
  cmake --build "$folder" "${targets[@]}" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; fail "the build failed"; }
  rm -f "$log"
}

# quietly COMMAND…: shows what it said only where it fails, and fails then.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || { status=$?; tail -n 40 "$log" >&2; }
  rm -f "$log"
  return "$status"
}

# python_module: .venv with the wheel of this tree, linked with the libraries in build/, and what its
# tests need.  Nothing is done where nothing changed.
python_module() {
  local venv="$root/.venv" pip=("$root/.venv/bin/python" -m pip --disable-pip-version-check --no-input)
  local list
  for list in requirements requirements-friends; do
    cmp -s "$root/python/$list.txt" "$venv/$list.txt" && continue
    if [ ! -x "$venv/bin/python" ]; then
      say "making .venv"
      quietly python3 -m venv "$venv" || fail "python3 -m venv failed"
    fi
    say "installing python/$list.txt into .venv"
    if ! quietly "${pip[@]}" install --only-binary :all: -r "$root/python/$list.txt"; then
      [ "$list" = requirements ] && fail "pip could not install python/$list.txt"
      say "going on without (remove .venv/$list.txt to try again)"
    fi
    cp "$root/python/$list.txt" "$venv/$list.txt"
  done
  local stamp="$venv/stiction.stamp"
  if [ -e "$stamp" ]; then
    local newer
    newer=$(cd "$root" && find CMakeLists.txt pyproject.toml python/CMakeLists.txt python/stubs.py python/src python/stiction include \
      src/io build/libstiction.a build/src/io/libstiction_io.a build/src/multibody/libstiction_multibody.a build/viewer/viewer.js \
      -name __pycache__ -prune -o -type f -newer "$stamp" -print -quit 2>/dev/null || true)
    [ -z "$newer" ] && return
  fi
  use_compiler_cache
  say "building the Python module, a minute or two the first time"
  local now
  now=$(mktemp)
  (cd "$root" && quietly "${pip[@]}" install --no-build-isolation --no-deps --force-reinstall . \
    --config-settings build-dir=build/python \
    --config-settings "cmake.define.STICTION_LIBRARIES=$root/build") || fail "pip install . failed"
  mv "$now" "$stamp"
}
