#!/usr/bin/env bash
# Compares the processor time of a fleet audit with one audit of all repositories, and with an audit of each.
# usage: fleet-figures.sh REPOSITORIES MB [ALONE [KEEP]]; ALONE is the number of repositories that are audited by a process of
# their own, from all sizes (default: all); KEEP is a folder where the tables stay, for `rocport fleet cost`
# The repositories are synthetic; their sizes follow a power law (the n-th has 1/n of the size of the first).
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:?number of repositories}
megabytes=${2:?size of all repositories in MB}
alone=${3:-$count}
keep=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./rocport bench --write-fleet "$work/fleet" --repositories "$count" --size "$megabytes"
for ((i = 1; i <= count; i++)); do echo "$work/fleet/r$i"; done > "$work/list.txt"

TIMEFORMAT='%U + %S s of processor time, %R s'
measure() {
  local name=$1
  shift
  echo "== $name, load $(cut -d ' ' -f 1 /proc/loadavg)"
  time "$@"
}
# What one of them finds out about the sources would help the others.
cached() { ROCPORT_CACHE=$work/cache-$1 ./rocport "${@:2}" || [ $? = 1 ]; }
each() { cached each audit --each --quiet --format json "$work"/fleet/* > "$work/each.json"; }
alone() {
  local i
  for ((i = 0; i < alone; i++)); do
    cached alone audit --quiet --format json "$work/fleet/r$((i * count / alone + 1))" > "$work/alone.json"
  done
}
fleet() {
  cached fleet fleet audit --quiet --master 'local[2]' "$work/list.txt" --out "$work/out" &
  local program=$! peak=0 driver
  while kill -0 "$program" 2> /dev/null; do
    driver=$(pgrep -P "$(pgrep -P "$program" | tail -1)" | tail -1) || driver=
    [ -z "$driver" ] || peak=$(awk '/VmHWM/ { print $2 }' "/proc/$driver/status" 2> /dev/null || echo "$peak")
    sleep 0.5
  done
  wait "$program"
  echo "driver: at most ${peak:-?} KB of memory"
}
# The first start of each makes archives of classes.
for name in each alone; do
  cached "$name" audit --quiet --format json "$work/fleet/r$count" > /dev/null
done
cached fleet fleet audit --quiet --master 'local[2]' "$work/fleet/r$count" --out "$work/first"
measure "fleet audit of one small repository, local[2]" \
  cached fleet fleet audit --quiet --master 'local[2]' "$work/fleet/r$count" --out "$work/second"
measure "fleet audit, local[2]" fleet
measure "audit --each" each
measure "a process for each of $alone" alone
measure "fleet report" cached fleet fleet report "$work/out" > "$work/report.txt"
du -sk "$work/out" | cut -f 1 | sed 's/^/KB of tables: /'
head -3 "$work/report.txt"
tail -12 "$work/each.json"
[ -z "$keep" ] || cp -r "$work/out" "$keep"
