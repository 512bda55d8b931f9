#!/usr/bin/env bash
# Holds the Java sources to the formatter and to Error Prone with NullAway; the first complaint fails. What passed is
# remembered in target/lint, so that a second call looks only at what changed since.
# usage: lint.sh [fleet]; with an argument, Error Prone takes the program in that folder, whose libraries Maven has copied
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/build/jdk.sh
module=${1-.}
lint=target/lint
seen=$lint/analysed${1+-$1}
mkdir -p "$lint"
ls "$lint"/google-java-format-*-all-deps.jar > /dev/null 2>&1 || mvn -B -q -ntp dependency:copy@lint-tools
# Both tools end before the optimizing compiler pays off.
fast=(-XX:+UseSerialGC -XX:+UseTransparentHugePages -XX:TieredStopAtLevel=1 -Xms600m -Xmn400m)

sources() { # prints the Java files below the folders given, or only those newer than a stamp
  local stamp=$1
  shift
  local newer=()
  [ ! -e "$stamp" ] || newer=(-newer "$stamp")
  # Goldens of Java hosts keep the layout they test.
  find "$@" -path src/test/goldens -prune -o -name '*.java' "${newer[@]}" -print | sort
}

formatted() {
  : > "$lint/formatted.new"
  mapfile -t files < <(sources "$lint/formatted" src fleet/src)
  if [ "${#files[@]}" -gt 0 ] &&
    ! "$ROCPORT_JDK/bin/java" "${fast[@]}" -jar "$lint"/google-java-format-*-all-deps.jar \
      --dry-run --set-exit-if-changed "${files[@]}"; then
    echo "lint: the files above are not formatted; run src/build/format.sh" >&2
    return 1
  fi
  mv "$lint/formatted.new" "$lint/formatted"
}

analysed() {
  if [ -e "$seen" ] && [ -z "$(find "$module/src/main/java" "$module/pom.xml" src/build/lint.sh -newer "$seen")" ]; then
    return 0
  fi
  : > "$seen.new"
  local options=()
  for package in api file main model parser processing tree util; do
    options+=("-J--add-exports=jdk.compiler/com.sun.tools.javac.$package=ALL-UNNAMED")
  done
  for package in code comp; do
    options+=("-J--add-opens=jdk.compiler/com.sun.tools.javac.$package=ALL-UNNAMED")
  done
  local checks=(-Xplugin:ErrorProne -Xep:NullAway:ERROR -Xep:StringSplitter:OFF -Xep:ArrayRecordComponent:OFF
    -Xep:StringConcatToTextBlock:OFF -XepOpt:NullAway:OnlyNullMarked=true -XepOpt:NullAway:JSpecifyMode=true
    "-XepOpt:NullAway:ExcludedFieldAnnotations=$(join , picocli.CommandLine.{Spec,Option,Parameters,Mixin,ArgGroup})")
  find "$module/src/main/java" -name '*.java' | sort > "$seen.sources"
  # No class files: the checks end before code is generated.
  "$ROCPORT_JDK/bin/javac" "${fast[@]/#/-J}" -J--sun-misc-unsafe-memory-access=allow "${options[@]}" \
    -d "$lint" -cp "$(join : "$module"/target/lib/*.jar)" -processorpath "$(join : "$lint"/*.jar)" \
    --release 25 --add-modules jdk.incubator.vector -Xlint:all,-processing,-serial,-classfile,-incubating -Werror \
    -XDcompilePolicy=simple --should-stop=ifError=FLOW --should-stop=ifNoError=FLOW -XDaddTypeAnnotationsToSymbol=true \
    "${checks[*]}" "@$seen.sources"
  mv "$seen.new" "$seen"
}

join() {
  local IFS=$1
  shift
  echo "$*"
}

failed=0
analysed &
analysis=$!
formatted || failed=1
wait "$analysis" || failed=1
exit $failed
