#!/bin/sh
# Makes a workspace of links to this tree in DIR. Files below this folder that end in .twin replace the
# files of the same name without .twin. Run sh rocm/workspace.sh DIR, then bazel build //... in DIR.
set -e
here=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$here")
mkdir -p "$1"
out=$(cd "$1" && pwd -P)

link() { # FROM FILES...: links to each file, under its name without .twin
  from=$1
  shift
  for f in "$@"; do
    mkdir -p "$out/$(dirname "${f%.twin}")"
    ln -sfn "$from/$f" "$out/${f%.twin}"
  done
}

all() { # FOLDER ARGS...: lists the files below it, except build outputs
  cd "$1"
  shift
  find . \( -name .git -o -name 'bazel-*' -o -name '.rocport*' -o -path "$inside" \) -prune -o "$@" -print
}

inside=.${out#"$root"}
all "$root" \( -path "./$(basename "$here")" -prune -o -type f \) | while read -r f; do
  [ -d "$root/$f" ] || link "$root" "${f#./}"
done
all "$here" -name '*.twin' | while read -r f; do
  link "$here" "${f#./}"
done
