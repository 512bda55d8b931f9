// Texture references: plain variables are ported, other forms are not.
texture<float, 2, cudaReadModeElementType> image;         // ok: TEXTURE-REFERENCE-USE  // want: TEXTURE-REFERENCE
extern texture<float, 2, cudaReadModeElementType> other;  // want: TEXTURE-REFERENCE-USE

__global__ void read(float *out) {
  out[0] = tex2D(image, 0.5f, 0.5f);                      // ok: TEXTURE-REFERENCE-USE
}

struct Style {
  int texture;
};
bool textured(Style a, int b) { return a.texture < b; }   // ok: TEXTURE-REFERENCE-USE

__global__ void sample(cudaTextureObject_t object, float *out) {
  out[0] = tex2D<float>(object, 0.5f, 0.5f);              // ok: TEXTURE-REFERENCE-USE
}

__device__ cudaTextureObject_t joined(uint2 bits) {
  return ((cudaTextureObject_t)bits.x) | ((cudaTextureObject_t)bits.y) << 32;  // want: TEXTURE-OBJECT-BITS
}

uint2 split(cudaTextureObject_t object) {
  return make_uint2(object & 0xffffffffu, object >> 32);  // want: TEXTURE-OBJECT-BITS
}

bool same(const cudaTextureObject_t &first, cudaTextureObject_t second, bool other) {
  unsigned long long bits = (unsigned long long)first;  // ok: TEXTURE-OBJECT-BITS
  std::cout << first << second << bits;                 // ok: TEXTURE-OBJECT-BITS
  return first == second && (first || other);           // ok: TEXTURE-OBJECT-BITS
}

struct Filtered {
  cudaSurfaceObject_t image;
  cudaTextureObject_t sampled;
};

void bind(Filtered *f, const cudaResourceDesc *r, const cudaTextureDesc *d) {
  cudaCreateTextureObject(&f->image, r, d, nullptr);    // want: TEXTURE-OBJECT-TYPE
  cudaCreateTextureObject(&f->sampled, r, d, nullptr);  // ok: TEXTURE-OBJECT-TYPE
  cudaCreateSurfaceObject(&f->image, r);                // ok: TEXTURE-OBJECT-TYPE
  cudaDestroyTextureObject(f[0].image);                 // want: TEXTURE-OBJECT-TYPE
  cudaDestroyTextureObject(f->sampled);                 // ok: TEXTURE-OBJECT-TYPE
  cudaDestroySurfaceObject(f->image);                   // ok: TEXTURE-OBJECT-TYPE
}

struct Planes {
  cudaSurfaceObject_t plane;  // want: TEXTURE-OBJECT-VARIABLE
  cudaSurfaceObject_t levels[4];  // want: TEXTURE-OBJECT-VARIABLE
  cudaSurfaceObject_t written{};  // ok: TEXTURE-OBJECT-VARIABLE
  cudaSurfaceObject_t one, two;   // ok: TEXTURE-OBJECT-VARIABLE
};

__global__ void write(cudaTextureObject_t in, cudaSurfaceObject_t written) {
  surf2Dwrite(tex2D<float>(in, 0.0f, 0.0f), written, 0, 0);
}

void planes(Planes &p, const cudaResourceDesc *r, const cudaTextureDesc *d) {
  cudaCreateTextureObject(&p.plane, r, d, nullptr);  // ok: TEXTURE-OBJECT-TYPE
  cudaCreateTextureObject(&p.levels[0], r, d, nullptr);
  cudaCreateTextureObject(&p.written, r, d, nullptr);  // want: TEXTURE-OBJECT-TYPE
  cudaCreateTextureObject(&p.one, r, d, nullptr);      // want: TEXTURE-OBJECT-TYPE
  write<<<1, 1>>>(p.plane, p.written);
}
