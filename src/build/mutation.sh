#!/usr/bin/env bash
# Mutation testing with PIT: what share of faults planted into the classes of a package the unit tests notice.
#   mutation.sh CLASSES [TESTS]   patterns of names (dev.rocport.rules.*, dev.rocport.rules.*Test); one package takes
#                                 minutes to hours; the pages lie in target/pit-reports
set -euo pipefail
cd "$(dirname "$0")/../.."
classes=${1:?"usage: mutation.sh CLASSES [TESTS], for example dev.rocport.rules.*"}
. src/build/jdk.sh
mvn -B -ntp -q test-compile
JAVA_HOME=$ROCPORT_JDK mvn -B -ntp -q -Pmutation org.pitest:pitest-maven:mutationCoverage "-DtargetClasses=$classes" \
  ${2:+"-DtargetTests=$2"}
LC_ALL=C awk -F, '{ n++; s[$6]++ } END {
  found = s["KILLED"] + s["TIMED_OUT"] + s["MEMORY_ERROR"] + s["RUN_ERROR"]
  printf "%d mutants: %d noticed (%.0f %%), %d survived, %d on lines that no test reaches\n",
    n, found, n ? 100 * found / n : 0, s["SURVIVED"], s["NO_COVERAGE"] }' target/pit-reports/mutations.csv
