// exact: n-body steps with tiles in LDS; IEEE square root and division in a fixed order
#include "check.h"

constexpr int kBodies = 192, kTile = 64;

BOTH void pull(float4 p, float4 q, float3& a) {
  float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
  float d = fmaf(x, x, fmaf(y, y, fmaf(z, z, 0.01f)));
  float s = q.w / (d * sqrtf(d));
  a.x = fmaf(x, s, a.x);
  a.y = fmaf(y, s, a.y);
  a.z = fmaf(z, s, a.z);
}

BOTH void move(float4& p, float3& v, float3 a) {
  const float dt = 0.015625f;
  v.x = fmaf(a.x, dt, v.x);
  v.y = fmaf(a.y, dt, v.y);
  v.z = fmaf(a.z, dt, v.z);
  p.x = fmaf(v.x, dt, p.x);
  p.y = fmaf(v.y, dt, p.y);
  p.z = fmaf(v.z, dt, p.z);
}

__global__ void step(const float4* in, float4* out, float3* velocity) {
  __shared__ float4 tile[kTile];
  int i = blockIdx.x * kTile + threadIdx.x;
  float4 p = in[i];
  float3 a = make_float3(0, 0, 0);
  for (int t = 0; t < kBodies; t += kTile) {
    tile[threadIdx.x] = in[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < kTile; k++) pull(p, tile[k], a);
    __syncthreads();
  }
  float3 v = velocity[i];
  move(p, v, a);
  velocity[i] = v;
  out[i] = p;
}

int main() {
  Check check;
  std::vector<float4> p(kBodies), q(kBodies);
  std::vector<float3> v(kBodies);
  for (int i = 0; i < kBodies; i++) {
    p[i] = make_float4(unit(4 * i), unit(4 * i + 1), unit(4 * i + 2), unit(4 * i + 3) + 0.5f);
    v[i] = make_float3(0, 0, 0);
  }
  Buffer<float4> a(p), b(kBodies);
  Buffer<float3> dv(v);
  for (int s = 0; s < 2; s++) {
    step<<<kBodies / kTile, kTile>>>(a.get(), b.get(), dv.get());
    step<<<kBodies / kTile, kTile>>>(b.get(), a.get(), dv.get());
  }
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < kBodies; i++) {
      float3 f = make_float3(0, 0, 0);
      for (int k = 0; k < kBodies; k++) pull(p[i], p[k], f);
      q[i] = p[i];
      move(q[i], v[i], f);
    }
    p.swap(q);
  }
  check.same("positions", a.host(), p);
  check.same("velocities", dv.host(), v);
  return check.end();
}
