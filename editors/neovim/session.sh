#!/usr/bin/env bash
# Runs a headless session of Neovim with rocport: session.sh [FILE LINE]. NVIM names another nvim.
set -eu
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd -P)
nvim=${NVIM:-nvim}
command -v "$nvim" > /dev/null || { echo "session.sh: needs Neovim (nvim)" >&2; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ $# -eq 2 ] || set -- "$here/../kernel.cu" 5
cp "$1" "$folder/kernel.cu"
touch "$folder/.rocport.yaml"
before=$(cksum < "$folder/kernel.cu")
ROCPORT="$here/../../rocport" FILE="$folder/kernel.cu" LINE=$2 \
  timeout 300 "$nvim" --headless -u NONE -i NONE -n -S "$here/session.lua" 2> "$folder/messages" \
  || { cat "$folder/messages" >&2; exit 1; }
[ "$before" = "$(cksum < "$folder/kernel.cu")" ] || { echo "the file was written" >&2; exit 1; }
