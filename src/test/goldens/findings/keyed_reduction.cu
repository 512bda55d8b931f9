// Reductions by key: rocPRIM calls their operator with undefined values, too.
#include <cub/cub.cuh>
#include <thrust/functional.h>
#include <thrust/reduce.h>

struct Best {
  const float *score;
  __host__ __device__ Best(const float *s) : score(s) {}
  __device__ int operator()(int a, int b) const { return score[a] > score[b] ? a : b; }
};

struct Longer {
  __device__ double operator()(double a, double b) const { return a * a > b * b ? a : b; }
};

struct Node {
  int depth;
};

struct Deeper {
  __device__ Node *operator()(Node *a, Node *b) const { return a->depth < b->depth ? b : a; }
};

void thrust_calls(int *keys, int *ids, double *lengths, int n, int *out, int *best, double *longest,
                  const float *score) {
  thrust::equal_to<int> same;
  Best by_score(score);
  thrust::reduce_by_key(keys, keys + n, ids, out, best, same, by_score);  // want: KEYED-REDUCTION
  thrust::reduce_by_key(keys, keys + n, ids, out, best, same, Best(score));  // want: KEYED-REDUCTION
  thrust::reduce_by_key(keys, keys + n, lengths, out, longest, same, Longer());  // ok: KEYED-REDUCTION
  thrust::reduce_by_key(keys, keys + n, ids, out, best);  // ok: KEYED-REDUCTION
  thrust::reduce_by_key(keys, keys + n, ids, out, best, same, thrust::maximum<int>());  // ok: KEYED-REDUCTION
  auto lambda = thrust::reduce_by_key(  // want: KEYED-REDUCTION
      keys, keys + n, ids, out, best, same,
      [=] __device__(int a, int b) { return score[a] > score[b] ? a : b; });
}

void cub_calls(void *temp, size_t &bytes, int *keys, Node **nodes, double *lengths, int n, int *out,
               Node **deepest, double *longest, int *runs, cudaStream_t stream) {
  Deeper deeper;
  cub::DeviceReduce::ReduceByKey(  // want: KEYED-REDUCTION
      temp, bytes, keys, out, nodes, deepest, runs, deeper, n, stream);
  cub::DeviceReduce::ReduceByKey(  // ok: KEYED-REDUCTION
      temp, bytes, keys, out, lengths, longest, runs, Longer(), n);
  cub::DeviceReduce::ReduceByKey(  // ok: KEYED-REDUCTION
      temp, bytes, keys, out, lengths, longest, runs, cub::Sum(), n);
}
