#include <thrust/reduce.h>
#include <thrust/device_vector.h>

#include "own.h"

int total(const thrust::device_vector<int>& values) {
  return thrust::reduce(values.begin(), values.end()) + OWN;
}
