#!/usr/bin/env bash
# Runs a headless session of Neovim with rocport: session.sh [FILE LINE]. NVIM names another nvim.
set -eu
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd -P)
nvim=${NVIM:-nvim}
command -v "$nvim" > /dev/null || { echo "session.sh: needs Neovim (nvim)" >&2; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ $# -eq 2 ]; then
  cp "$1" "$folder/kernel.cu"
  line=$2
else
  line=5
  cat > "$folder/kernel.cu" << 'EOF'
#include <cuda_runtime.h>
__global__ void k(unsigned* p) {
  asm volatile("wgmma.fence.sync.aligned;");
  unsigned x;
  asm("mov.u32 %0, %%laneid;" : "=r"(x));
  p[0] = x;
}
void f(unsigned* p) { k<<<1, 64>>>(p); cudaDeviceSynchronize(); }
EOF
fi
touch "$folder/.rocport.yaml"
before=$(cksum < "$folder/kernel.cu")
ROCPORT="$here/../../rocport" FILE="$folder/kernel.cu" LINE=$line \
  timeout 300 "$nvim" --headless -u NONE -i NONE -n -S "$here/session.lua" 2> "$folder/messages" \
  || { cat "$folder/messages" >&2; exit 1; }
[ "$before" = "$(cksum < "$folder/kernel.cu")" ] || { echo "the file was written" >&2; exit 1; }
