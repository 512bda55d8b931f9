#!/usr/bin/env bash
# Builds the program of the folder fleet, if it is missing or older than its sources. Maven fetches Spark on the first use.
set -euo pipefail
cd "$(dirname "$0")/../.."
jar=fleet/target/rocport-fleet.jar
is_current() {
  [ -f "$jar" ] && [ -z "$(find fleet/src/main fleet/pom.xml -newer "$jar" -print -quit)" ]
}
is_current && exit 0
command -v mvn > /dev/null || { echo "rocport: fleet commands need Maven (mvn) to fetch Apache Spark" >&2; exit 3; }
echo "rocport: building the fleet program (Maven fetches 280 MB of libraries on the first use) ..." >&2
mkdir -p fleet/target
# Without it, Maven's library for colours ends with sequences for a terminal, to files, too.
export MAVEN_OPTS="-Djansi.noreset=true${MAVEN_OPTS:+ $MAVEN_OPTS}"
(
  if command -v flock > /dev/null; then flock 9; fi
  is_current || { mvn -B -q -ntp -Dstyle.color=never -Dmaven.test.skip=true -f fleet/pom.xml package && touch "$jar"; } >&2
) 9> fleet/target/.build-lock || { echo "rocport: the build failed, see above" >&2; exit 3; }
