#!/usr/bin/env bash
# Builds the release of HEAD in two fresh clones and compares the bytes of the files.
# usage: check.sh [FOLDER]; the clones go into FOLDER, by default a temporary one that is deleted
set -euo pipefail
home=$(cd "$(dirname "$0")/../.." && pwd -P)
if [ $# -gt 0 ]; then
  work=$1
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
# Clones at paths of different lengths, built with different permissions for new files.
for clone in a another; do
  git clone -q "$home" "$work/$clone"
  echo "check: building $work/$clone ..."
  (
    cd "$work/$clone"
    [ "$clone" = a ] && umask 022 || umask 002
    mvn -B -q -ntp -Dstyle.color=never -Prelease verify
  )
done
diff "$work/a/target/release/SHA256SUMS" "$work/another/target/release/SHA256SUMS" \
  || { echo "check: the two builds differ" >&2; exit 1; }
(cd "$work/a/target/release" && sha256sum -c SHA256SUMS)
echo "check: both builds gave the same bytes"
