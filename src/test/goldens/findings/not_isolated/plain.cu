// options: --style single-source
__global__ void kernel() {}
