#!/usr/bin/env bash
# Measures the first command of the README as a new user has it: a fresh clone, nothing installed, no caches. Prints
# a table of its phases with wall and processor time (of all processes that the phase waits for).
#   first-run.sh [--built | --cold-maven] [--keep DIR] [FIXTURE]
#     --built        takes the program that is built here already
#     --cold-maven   Maven's repository is empty, too (default: the user's own)
#     --keep DIR     works in DIR, which must not exist, and leaves it (default: a temporary folder)
set -euo pipefail
home=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd -P)
work=
built=
cold=
fixture=fixtures/particle_in_cell
while [ $# -gt 0 ]; do
  case $1 in
    --built) built=1 ;;
    --cold-maven) cold=1 ;;
    --keep) work=$2 && shift ;;
    -*) echo "first-run.sh: no such option: $1" >&2 && exit 2 ;;
    *) fixture=$1 ;;
  esac
  shift
done
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
else
  mkdir "$work"
  work=$(cd "$work" && pwd -P)
fi

git clone -q "$home" "$work/rocport"
export XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
unset ROCPORT_CACHE ROCPORT_TOOLCHAIN ROCM_PATH HIP_PATH
mkdir "$work/data" "$work/cache"
# No device that is running already may take the program.
export XDG_RUNTIME_DIR=$work/run
mkdir -m 700 "$work/run"
if [ -n "$cold" ]; then
  export MAVEN_OPTS="-Dmaven.repo.local=$work/maven${MAVEN_OPTS:+ $MAVEN_OPTS}"
fi
if [ -n "$built" ]; then
  mkdir "$work/rocport/target"
  cp -r "$home"/target/rocport-*.jar "$home/target/lib" "$work/rocport/target"
fi
cd "$work/rocport"

rows=()
# phase TITLE COMMAND...
phase() {
  local title=$1 TIMEFORMAT='%R %U %S' took
  shift
  if ! took=$({ time "$@" > "$work/log" 2>&1; } 2>&1); then
    echo "first-run.sh: failed: $*" >&2
    cat "$work/log" >&2
    exit 1
  fi
  rows+=("$title|$took")
}

[ -n "$built" ] || phase 'build the program' ./rocport --version
phase 'port' ./rocport port "$fixture" --out target/ported
phase 'install the toolchain' ./rocport toolchain install
phase 'build the port' ./rocport build target/ported
phase 'compile the HIP runtime' ./rocport toolchain env
program=$(find target/ported/build-rocport -type f -perm -u+x ! -name '*.so*' -size +8k -newer target/ported \
  ! -path '*/frontends/*' -exec sh -c 'head -c 4 "$1" | grep -q ELF' _ {} \; -print | sort | head -n 1)
phase 'run it' ./rocport run "$program"

maven="Maven's repository filled"
[ -z "$cold" ] || maven="Maven's repository empty"
[ -z "$built" ] || maven='the program built before'
echo "$(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg) at the end; $maven"
printf '%s\n' "${rows[@]}" | awk -F '[| ]' '
  BEGIN { printf "| phase | wall (s) | processor (s) |\n|---|---|---|\n" }
  {
    split($0, part, "|")
    wall += $(NF - 2)
    used += $(NF - 1) + $NF
    printf "| %s | %.1f | %.1f |\n", part[1], $(NF - 2), $(NF - 1) + $NF
  }
  END { printf "| all | %.1f | %.1f |\n", wall, used }'
