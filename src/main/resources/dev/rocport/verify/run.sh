#!/usr/bin/env bash
# Builds programs with nvcc, runs each twice on the NVIDIA GPU of this machine, and packs what they print, write and
# compute. Needs bash, coreutils, tar, gzip and the CUDA toolkit; no Java, no rocport.
#
#   ./run.sh [NAME...]            all programs of the bundle, or those named
#   ./run.sh --build-only         compiles, but runs nothing (needs no GPU)
#
# NVCC          the compiler (default: nvcc)          ARCH    the architecture without its prefix (default: the GPU's)
# MPIRUN        launcher of MPI programs (mpirun)      RESULT  the archive (default: rocport-golden-result.tar.gz)
# CUDA_EXTRA    colon-separated roots with include/ and lib/ of libraries outside the toolkit
# A program is recorded only if it builds, ends as expected, and both runs agree.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
NVCC=${NVCC:-nvcc}
MPIRUN=${MPIRUN:-mpirun}
RESULT=${RESULT:-$PWD/rocport-golden-result.tar.gz}
[ ! -d "$RESULT" ] || { echo "$RESULT is a folder: RESULT names the archive" >&2; exit 2; }
build_only=false
if [ "${1:-}" = --build-only ]; then build_only=true; shift; fi
(cd "$here" && sha256sum --quiet -c MANIFEST) || { echo "the bundle is damaged" >&2; exit 2; }
command -v "$NVCC" > /dev/null || { echo "$NVCC not found: set NVCC to the compiler" >&2; exit 3; }
compiler=$("$NVCC" --version | sed -n 's/.*, V\(.*\)/\1/p')
gpu=none driver=none
if ! $build_only; then
  gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1) && [ -n "$gpu" ] ||
    { echo "no NVIDIA GPU found (nvidia-smi)" >&2; exit 3; }
  driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)
  ARCH=${ARCH:-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)}
fi
ARCH=${ARCH:-90}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
result=$work/result
mkdir -p "$result" "$work/lib"

export CPATH="$here/include${CPATH:+:$CPATH}"
extra="-L$work/lib"
if [ -n "${CUDA_EXTRA:-}" ]; then
  IFS=: read -ra roots <<< "$CUDA_EXTRA"
  for root in "${roots[@]}"; do
    [ -d "$root/include" ] && CPATH="$CPATH:$root/include"
    for so in "$root"/lib/lib*.so* "$root"/lib64/lib*.so*; do
      [ -e "$so" ] || continue
      plain=$(basename "$so"); plain=${plain%%.so*}.so
      [ -e "$work/lib/$plain" ] || ln -s "$so" "$work/lib/$plain"
    done
    extra="$extra -Xlinker -rpath -Xlinker $root/lib"
  done
fi
# Both runs of a program use the same date, so that their files can be compared byte for byte.
SOURCE_DATE_EPOCH=$(date +%s)
export SOURCE_DATE_EPOCH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

build() { # in the copy of the sources; the variables are set by the program's job.sh
  case $build in
    plain)
      local sources lib flags=
      sources=$(find . -name '*.cu' -o -name '*.cpp' -o -name '*.c' | sed 's,^\./,,' | LC_ALL=C sort)
      for lib in $libs; do flags="$flags -l$lib"; done
      # shellcheck disable=SC2086
      "$NVCC" "-std=$std" -O2 "-arch=sm_$ARCH" $sources $extra $flags -o "$program" ;;
    make) NVCC_APPEND_FLAGS="$extra" make NVCC="$NVCC" ARCH="sm_$ARCH" "${goals[@]}" ;;
    cmake)
      NVCC_APPEND_FLAGS="$extra" cmake -S . -B build -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CUDA_COMPILER="$(command -v "$NVCC")" -DCMAKE_CUDA_ARCHITECTURES="$ARCH" && cmake --build build ;;
    python)
      NVCC_APPEND_FLAGS="$extra" python3 setup.py build --build-lib build/lib build_ext --inplace &&
        cp -rn build/lib/. . ;;
    java) command -v java ;; # compiles the source when it starts it
    autotools)
      [ ! -x autogen.sh ] || ./autogen.sh
      [ -x configure ] || autoreconf --install
      ./configure --with-cuda --with-cuda-arch="sm_$ARCH" "${configure[@]}" && make "${goals[@]}" &&
        make check TESTS= "${goals[@]}" ;;
    *) echo "unknown build $build" >&2; false ;;
  esac
}

once() { # RUN NUMBER: runs into $work/NAME.RUN.NUMBER
  local to="$work/seen/$name/$1.$2" f
  mkdir -p "$to/checks"
  (
    cd "$work/src/$name" || exit 125
    for f in "${files[@]}"; do rm -f "$f"; done
    for f in "${variables[@]}"; do export "${f?}"; done
    export ROCPORT_CHECKS="$to/checks.tsv" ROCPORT_GOLDEN_DRIVER="$driver" ROCPORT_GOLDEN_SOURCES="$sources_hash"
    export ROCPORT_GOLDEN_FLAGS="sm_$ARCH"
    if $tensors; then export ROCPORT_GOLDEN_OUT="$to/tensors"; fi
    command=("./$run_program" "${args[@]}")
    case $run_program in
      *.py) command=(python3 "$run_program" "${args[@]}") ;;
      *.java) command=(java --enable-native-access=ALL-UNNAMED "$run_program" "${args[@]}") ;;
    esac
    if [ "$ranks" -gt 0 ]; then
      given=(-np "$ranks")
      [ -z "$preload" ] || given+=(-x "LD_PRELOAD=$PWD/$preload")
      command=("$MPIRUN" "${given[@]}" "${command[@]}")
    elif [ -n "$preload" ]; then
      export LD_PRELOAD="$PWD/$preload"
    fi
    exec timeout "$limit" "${command[@]}" > "$to/stdout.txt" 2> "$to/../$1.$2.stderr" < /dev/null
  )
  echo $? > "$to/exit"
  rmdir "$to/checks"
  for f in "${files[@]}"; do
    mkdir -p "$(dirname "$to/files/$f")"
    cp "$work/src/$name/$f" "$to/files/$f" 2> /dev/null
  done
}

run() { # NAME: runs it twice; the other variables are set by job.sh
  $build_only && return 0
  echo "$name: $1"
  once "$1" 1
  once "$1" 2
  local first="$work/seen/$name/$1.1" second="$work/seen/$name/$1.2"
  if [ "$(cat "$first/exit")" != "$exit_code" ]; then
    echo "$name: $1 exited with $(cat "$first/exit"), expected $exit_code:" >&2
    tail -5 "$first/stdout.txt" "$first/../$1.1.stderr" >&2
    return 1
  fi
  if ! diff -rq "$first" "$second" >&2; then
    echo "$name: $1 differs between its two runs" >&2
    return 1
  fi
  mkdir -p "$result/$name"
  cp -r "$first" "$result/$name/$1"
  [ ! -d "$result/$name/$1/tensors" ] || { mv "$result/$name/$1/tensors/"* "$result/$name/$1/" && rmdir "$result/$name/$1/tensors"; }
}

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for job in "$here"/*/job.sh; do names+=("$(basename "$(dirname "$job")")"); done
fi
failed=0
for name in "${names[@]}"; do
  [ -f "$here/$name/job.sh" ] || { echo "$name: not in the bundle" >&2; exit 2; }
  mkdir -p "$work/src"
  cp -r "$here/$name/src" "$work/src/$name"
  sources_hash=$(cd "$here/$name/src" && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -d' ' -f1)
  goals=() configure=()
  # shellcheck disable=SC1090
  . "$here/$name/job.sh"
  settings
  if ! (cd "$work/src/$name" && build) > "$work/$name.log" 2>&1; then
    echo "$name: does not build" >&2; tail -25 "$work/$name.log" >&2; failed=$((failed + 1)); continue
  fi
  echo "$name: built"
  if ! runs; then failed=$((failed + 1)); rm -rf "${result:?}/$name"; continue; fi
  $build_only && continue
  {
    echo "gpu: $gpu"
    echo "driver: '$driver'"
    echo "nvcc: '$compiler'"
    echo "arch: sm_$ARCH"
    echo "build: $build"
    echo "runs_compared: 2"
    echo "date: $(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)"
    echo "sources_sha256:"
    (cd "$here/$name/src" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | while read -r f; do
      printf "  '%s': %s\n" "${f//\'/\'\'}" "$(sha256sum < "$f" | cut -d' ' -f1)"
    done)
  } > "$result/$name/provenance.yaml"
done
if ! $build_only; then
  echo "rocport-golden-result 1" > "$result/FORMAT"
  (cd "$result" && find . -type f ! -name MANIFEST | sed 's,^\./,,' | LC_ALL=C sort | xargs -d '\n' sha256sum > MANIFEST)
  tar --format=ustar -C "$work" -cf - result | gzip -9 > "$RESULT.tmp" && mv "$RESULT.tmp" "$RESULT"
  echo "$RESULT: $((${#names[@]} - failed)) of ${#names[@]} recorded; bring it back with: rocport golden import $(basename "$RESULT")"
fi
[ $failed -eq 0 ] || { echo "$failed of ${#names[@]} failed" >&2; exit 1; }
