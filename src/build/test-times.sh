#!/usr/bin/env bash
# Measures the processor time of each test class, one class after the other, and writes the table of docs/tests.md.
#   test-times.sh          runs all tests first, those of the quick profile
#   test-times.sh FILE...  takes the measured rows (target/test-times.tsv of mvn -Ptimes verify) from files
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ $# -eq 0 ]; then
  rm -f target/test-times.tsv
  mvn -B -ntp -Ptimes verify
  set -- target/test-times.tsv
fi
page=docs/tests.md
fresh=$(mktemp "$page.XXXXXX")
trap 'rm -f "$fresh"' EXIT
sed '/^<!-- times -->$/q' "$page" > "$fresh"
{
  echo
  echo "Measured on $(date -u +%Y-%m-%d), $(nproc) cores. The classes ran one after another. The times are in seconds. The processor time is the sum for"
  echo "the tests' own process and for the processes that it started (compilers, devices, MPI)."
  echo
  echo '| class | tests | processor | own | started | wall |'
  echo '|---|---|---|---|---|---|'
  # A class may stand there twice, from two engines.
  LC_ALL=C awk -F'\t' '
    { tests[$1] += $2; wall[$1] += $3; own[$1] += $4; other[$1] += $5 }
    END {
      for (c in tests) {
        row = sprintf("| %s | %d | %.1f | %.1f | %.1f | %.1f |", c, tests[c], own[c] + other[c], own[c], other[c], wall[c])
        if (own[c] + other[c] >= 1) print own[c] + other[c] "\t" row
        else { n++; t += tests[c]; o += own[c]; x += other[c]; w += wall[c] }
        T += tests[c]; O += own[c]; X += other[c]; W += wall[c]
      }
      printf "0\t| %d classes of less than a second | %d | %.1f | %.1f | %.1f | %.1f |\n", n, t, o + x, o, x, w
      printf "-1\t| **all** | %d | %.1f | %.1f | %.1f | %.1f |\n", T, O + X, O, X, W
    }' "$@" | LC_ALL=C sort -t$'\t' -k1,1gr -k2,2 | cut -f2-
} >> "$fresh"
mv "$fresh" "$page"
trap - EXIT
