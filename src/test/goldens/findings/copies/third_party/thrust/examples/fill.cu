__global__ void fill(unsigned* p) { p[0] = __activemask(); }
