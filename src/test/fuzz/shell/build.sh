#!/bin/sh
for f in *.cu; do nvcc -arch=sm_80 -c "$f" -o "${f%.cu}.o" || exit 1; done
cat << EOF | nvcc -x cu - -o prog -lcublas
int main() {}
EOF
