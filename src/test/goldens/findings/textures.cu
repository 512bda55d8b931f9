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
