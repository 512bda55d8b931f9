#!/usr/bin/env bash
# Formats the Java sources with google-java-format; with --check only lists what is not formatted, and fails.
set -euo pipefail
cd "$(dirname "$0")/../.."
jar=$(ls target/format/google-java-format-*-all-deps.jar)
. src/build/jdk.sh
# Goldens of Java hosts keep the layout they test.
mapfile -t files < <(find src -path src/test/goldens -prune -o -name '*.java' -print | sort)
if [ "${1-}" = --check ]; then
  mode=(--dry-run --set-exit-if-changed)
else
  mode=(--replace)
fi
if ! "$ROCPORT_JDK/bin/java" -XX:+UseSerialGC -jar "$jar" "${mode[@]}" "${files[@]}"; then
  echo "format: the files above are not formatted; run src/build/format.sh" >&2
  exit 1
fi
