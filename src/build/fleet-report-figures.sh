#!/usr/bin/env bash
# Measures `rocport fleet report` on synthetic tables.
# usage: fleet-report-figures.sh REPOSITORIES FINDINGS; FINDINGS is the number in each repository
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/build/jdk.sh
[ -e fleet/target/test-classes/dev/rocport/fleet/SyntheticTables.class ] || mvn -B -q -ntp -f fleet/pom.xml test-compile
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U + %S s of processor time, %R s'
echo "== tables, load $(cut -d ' ' -f 1 /proc/loadavg)"
time "$ROCPORT_JDK/bin/java" -Xmx1g --enable-native-access=ALL-UNNAMED \
  -cp "fleet/target/classes:fleet/target/test-classes:fleet/target/lib/*" \
  dev.rocport.fleet.SyntheticTables "$work/out" "${1:?number of repositories}" "${2:?findings of each}" 2> "$work/log" || cat "$work/log"
du -sm "$work/out" | cut -f 1 | sed 's/^/MB of tables: /'
echo "== fleet report, load $(cut -d ' ' -f 1 /proc/loadavg)"
time ./rocport fleet report "$work/out" > "$work/report.txt"
head -3 "$work/report.txt"
