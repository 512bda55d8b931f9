#!/usr/bin/env bash
# Formats the Java sources with google-java-format. src/build/lint.sh checks that this was done.
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/build/jdk.sh
jar=$(ls target/lint/google-java-format-*-all-deps.jar 2> /dev/null) || {
  mvn -B -q -ntp dependency:copy@lint-tools
  jar=$(ls target/lint/google-java-format-*-all-deps.jar)
}
# What lint.sh found formatted and has not changed since stays; goldens of Java hosts keep the layout they test.
newer=()
[ ! -e target/lint/formatted ] || newer=(-newer target/lint/formatted)
: > target/lint/formatted.new
mapfile -t files < <(find src fleet/src -path src/test/goldens -prune -o -name '*.java' "${newer[@]}" -print | sort)
[ "${#files[@]}" -eq 0 ] || "$ROCPORT_JDK/bin/java" -XX:+UseSerialGC -jar "$jar" --replace "${files[@]}"
mv target/lint/formatted.new target/lint/formatted
