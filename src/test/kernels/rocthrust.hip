// exact: rocThrust: sort by key, reduce, transform, scan, unique, copy_if
#include "check.h"

#include <algorithm>
#include <numeric>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

struct Square {
  BOTH long long operator()(int v) const { return (long long)v * v; }
};
struct Even {
  BOTH bool operator()(int v) const { return v % 2 == 0; }
};

int main() {
  Check check;
  constexpr int n = 3000;
  std::vector<int> in(n), order(n);
  for (int i = 0; i < n; i++) in[i] = int(bits(i) % 2000);
  std::iota(order.begin(), order.end(), 0);
  thrust::device_vector<int> d(in.begin(), in.end()), values(order.begin(), order.end());
  check.same("reduce", thrust::reduce(d.begin(), d.end(), 0), std::accumulate(in.begin(), in.end(), 0));
  thrust::device_vector<long long> squares(n);
  thrust::transform(d.begin(), d.end(), squares.begin(), Square());
  thrust::inclusive_scan(squares.begin(), squares.end(), squares.begin());
  std::vector<long long> got(n), want(n);
  thrust::copy(squares.begin(), squares.end(), got.begin());
  for (int i = 0; i < n; i++) want[i] = (long long)in[i] * in[i] + (i ? want[i - 1] : 0);
  check.same("scan", got, want);
  thrust::stable_sort_by_key(d.begin(), d.end(), values.begin());
  std::vector<int> keys(n), perm(n);
  thrust::copy(d.begin(), d.end(), keys.begin());
  thrust::copy(values.begin(), values.end(), perm.begin());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[a] < in[b]; });
  check.same("order", perm, order);
  thrust::device_vector<int> even(n);
  auto end = thrust::copy_if(d.begin(), d.end(), even.begin(), Even());
  std::sort(in.begin(), in.end());
  check.same("even", int(end - even.begin()), int(std::count_if(in.begin(), in.end(), Even())));
  auto last = thrust::unique(d.begin(), d.end());
  in.erase(std::unique(in.begin(), in.end()), in.end());
  std::vector<int> distinct(last - d.begin());
  thrust::copy(d.begin(), last, distinct.begin());
  check.same("unique", distinct, in);
  return check.end();
}
