#!/bin/sh
nvcc -dc a.cu b.cu
nvcc -dlink -o device.o a.o b.o  # want: SCRIPT-RDC
g++ -o waves a.o b.o device.o -lcudart  # ok: SCRIPT-RDC
