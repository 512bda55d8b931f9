__global__ void kernel() {}  // ok: FILE-BINARY
