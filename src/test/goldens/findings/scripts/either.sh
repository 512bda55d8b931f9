#!/bin/sh
if [ -n "$HIP" ]; then hipcc -o a a.cu; else nvcc -o a a.cu; fi
