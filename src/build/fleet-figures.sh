#!/usr/bin/env bash
# Compares the processor time of a fleet audit with one audit of all repositories, and with an audit of each.
# usage: fleet-figures.sh REPOSITORIES [MB [ALONE]]; ALONE is the number of repositories that are audited by a process of
# their own, from all sizes (default: all)
# The repositories are made from the fixtures; their sizes follow a power law (the n-th has 1/n of the size of the first).
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:?number of repositories}
bytes=$((${2:-$((count * 2))} << 20))
alone=${3:-$count}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=$work/sources
find fixtures -type f \( -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.py' -o -name CMakeLists.txt \) -size -40k | sort > "$sources"

awk -v count="$count" -v bytes="$bytes" -v list="$sources" '
  BEGIN {
    for (i = 1; i <= count; i++) harmonic += 1 / i
    while ((getline file < list) > 0) files[n++] = file
    for (i = 1; i <= count; i++) print i, int(bytes / harmonic / i)
  }' > "$work/sizes"
mapfile -t files < "$sources"
mapfile -t lengths < <(xargs stat -c %s < "$sources")
next=0
while read -r repository size; do
  folder=$work/fleet/r$repository
  mkdir -p "$folder"
  part=0
  while :; do
    mkdir -p "$folder/d$((part / 50))"
    name=${files[next]##*/}
    case $name in
      *.cu | *.cuh | *.cpp) comment=// ;;
      *) comment='#' ;;
    esac
    # No two files are equal.
    { echo "$comment part $part of repository $repository"; cat "${files[next]}"; } > "$folder/d$((part / 50))/p$part-$name"
    size=$((size - lengths[next]))
    next=$(((next + 1) % ${#files[@]}))
    part=$((part + 1))
    [ "$size" -gt 0 ] || break
  done
done < "$work/sizes"
du -sm "$work/fleet" | cut -f 1 | sed 's/^/MB: /'
printf '%s\n' "$work"/fleet/* > "$work/list.txt"

TIMEFORMAT='%U + %S s of processor time, %R s'
measure() {
  local name=$1
  shift
  echo "== $name, load $(cut -d ' ' -f 1 /proc/loadavg)"
  time "$@"
}
each() { ./rocport audit --each --quiet --format json "$work"/fleet/* > "$work/each.json" || [ $? = 1 ]; }
alone() {
  local i
  for ((i = 0; i < alone; i++)); do
    ./rocport audit --quiet --format json "$work/fleet/r$((i * count / alone + 1))" > "$work/alone.json" || [ $? = 1 ]
  done
}
fleet() { ./rocport fleet audit --quiet --master 'local[2]' "$work/list.txt" --out "$work/out"; }
report() { ./rocport fleet report "$work/out" > "$work/report.txt"; }
# The first start of each makes archives of classes.
./rocport audit --quiet --format json "$work/fleet/r$count" > /dev/null || [ $? = 1 ]
./rocport fleet audit --quiet --master 'local[2]' "$work/fleet/r$count" --out "$work/first"
measure "fleet audit, local[2]" fleet
measure "audit --each" each
measure "a process for each of $alone" alone
measure "fleet report" report
du -sk "$work/out" | cut -f 1 | sed 's/^/KB of tables: /'
head -3 "$work/report.txt"
tail -12 "$work/each.json"
