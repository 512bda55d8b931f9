#!/usr/bin/env bash
# Formats the Java sources with google-java-format. src/build/lint.sh checks that this was done.
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/build/jdk.sh
jar=$(ls target/lint/google-java-format-*-all-deps.jar 2> /dev/null) || {
  mvn -B -q -ntp dependency:copy@lint-tools
  jar=$(ls target/lint/google-java-format-*-all-deps.jar)
}
# Goldens of Java hosts keep the layout they test.
mapfile -t files < <(find src -path src/test/goldens -prune -o -name '*.java' -print | sort)
"$ROCPORT_JDK/bin/java" -XX:+UseSerialGC -jar "$jar" --replace "${files[@]}"
