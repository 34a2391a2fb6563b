# Sourced by the scripts beside it that build something: the one list of Debian
# packages, and how a preset is built. The caller has set -euo pipefail.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages="g++ cmake ninja-build python3 libpcap-dev libcli11-dev libfmt-dev libabsl-dev libisal-dev libzstd-dev libtomlplusplus-dev"
quick_packages="$build_packages catch2 clang-format-14 python3-jsonschema zstd"
check_packages="$quick_packages libbenchmark-dev valgrind clang-14 lld-14 libclang-rt-14-dev clang-tidy-14 python3-clang-14 cppcheck python3-yaml protobuf-compiler shellcheck git jq chromium iproute2 tshark wireshark-dev mandoc groff-base zsh fish debootstrap file dpkg-dev"

say() { printf '%s\n' "$*" >&2; }

# need PACKAGE...: installs those that are missing; touches nothing when none is.
need() {
  if ! command -v dpkg-query >/dev/null; then
    say "Not a Debian system: assuming that the equivalents of these are installed: $*"
    return
  fi
  local missing=() package
  for package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local sudo=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { say "Please install as root: apt-get install ${missing[*]}"; exit 1; }
    sudo=(sudo)
  fi
  say "Installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${sudo[@]}" apt-get -qq update &&
         "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y "${missing[@]}"
       } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    say "apt-get could not install: ${missing[*]}"
    exit 1
  fi
  rm -f "$log"
}

# want PACKAGE...: the same of what is good to have, where it can be installed.
want() {
  [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null || need "$@"
}

# build PRESET [TARGETS] [-D...]: configures and builds, with one line of progress
# on a terminal; everything that was printed is shown when it fails.
build() {
  local preset=$1 target=${2:-all}
  shift; shift || true
  local log=$root/build/$preset.log
  mkdir -p "$root/build"
  if ! (cd "$root" && cmake --preset "$preset" "$@") >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
  if ! NINJA_STATUS='[%f/%t] ' cmake --build "$root/build/$preset" --target $target 2>&1 | tee -a "$log" | progress "Building $preset"; then
    grep -v '^\[[0-9]*/[0-9]*\] ' "$log" | tail -n 200 >&2 || true
    say "The $preset build failed; all of it is in $log"
    exit 1
  fi
}

# Reads ninja's output and shows how far it is; without a terminal, only that it began.
progress() {
  local line began=
  while IFS= read -r line; do
    case $line in '['*']'*) ;; *) continue ;; esac
    if [ -t 2 ]; then
      printf '\r\033[K%s %s' "$1" "${line%%]*}]" >&2
    elif [ -z "$began" ]; then
      say "$1"
    fi
    began=yes
  done
  [ -z "$began" ] || [ ! -t 2 ] || printf '\r\033[K' >&2
}
