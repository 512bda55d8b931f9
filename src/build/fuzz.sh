#!/usr/bin/env bash
# Fuzzes what reads users' files, with Jazzer, and keeps what crashes or hangs in src/test/fuzz.
#   fuzz.sh [SECONDS [KIND...]]   seconds for each kind of file (default 20), all kinds or those named (cuda, elf, ...)
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/build/jdk.sh
seconds=${1:-20}
shift || true
kinds=("$@")
[ "${#kinds[@]}" -gt 0 ] || mapfile -t kinds < <(ls src/test/fuzz)
ls target/fuzz/jazzer-*.jar > /dev/null 2>&1 || mvn -B -q -ntp test-compile dependency:copy@fuzz-tools
mkdir -p target/fuzz/corpus
failed=0
for kind in "${kinds[@]}"; do
  seeds=src/test/fuzz/$kind
  corpus=target/fuzz/corpus/$kind
  mkdir -p "$corpus"
  before=$(ls "$seeds" | wc -l)
  echo "fuzz: $kind"
  # One input may take 10 seconds; a find ends the run of its kind, and is named by its hash.
  hooks=
  # An option of nvcc names a file with more options, which is read wherever it is.
  [ "$kind" != nvcc_command ] || hooks=--disabled_hooks=com.code_intelligence.jazzer.sanitizers.FilePathTraversal
  "$ROCPORT_JDK/bin/java" -XX:+UseSerialGC -Xmx1500m -Xss4m -XX:+EnableDynamicAgentLoading --enable-native-access=ALL-UNNAMED \
    --add-modules jdk.incubator.vector "-Drocport.fuzz=${kind^^}" \
    -cp "target/test-classes:target/classes:$(printf '%s:' target/lib/*.jar target/fuzz/*.jar)" \
    com.code_intelligence.jazzer.Jazzer --target_class=dev.rocport.fuzz.FuzzTarget \
    '--instrumentation_includes=dev.rocport.**' '--custom_hook_includes=dev.rocport.**' --reproducer_path=target/fuzz \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -artifact_prefix="$seeds/" -print_final_stats=1 \
    ${hooks:+"$hooks"} "$corpus" "$seeds" > "target/fuzz/$kind.log" 2>&1 || failed=1
  grep -E '^(stat::number_of_executed_units|== Java Exception|SUMMARY|ALARM)' "target/fuzz/$kind.log" || true
  [ "$(ls "$seeds" | wc -l)" -eq "$before" ] || { echo "fuzz: $kind: a find is in $seeds, see target/fuzz/$kind.log" >&2; failed=1; }
done
exit $failed
