#include "backend.h"

const char *text(cudaError_t e) { return cudaGetErrorString(e); }  // ok: API-OWN
const char *name() { return cudaGetErrorName(cudaGetLastError()); }  // ok: API-OWN
unsigned flags() { return cudaHostRegisterReadOnly; }  // ok: API-OWN
