#!/usr/bin/env bash
# Runs java of a JDK that can: the one on the PATH may be older.
set -eu
. "${BASH_SOURCE[0]%/*}/jdk.sh"
exec "$ROCPORT_JDK/bin/java" "$@"
