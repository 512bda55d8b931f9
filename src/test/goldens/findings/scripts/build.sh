#!/bin/sh
FLAGS="-arch=sm_80 -O2"
nvcc $FLAGS -o waves waves.cu
gcc -march=native -o host host.c  # ok: SCRIPT-ARCH
module load cuda/12.4  # want: SCRIPT-UNKNOWN
nvcc --version  # want: SCRIPT-UNKNOWN
hint=$(nvcc -V | tail -1)  # want: SCRIPT-UNKNOWN
