// exact: string search: plain, Knuth-Morris-Pratt a segment, Rabin-Karp, case folding, word count
#include "check.h"

constexpr int kPattern = 5;
__constant__ char pattern[kPattern + 1] = "abcab";

BOTH bool at(const char* t, const char* p) {
  for (int k = 0; k < kPattern; k++)
    if (t[k] != p[k]) return false;
  return true;
}

__global__ void plain(const char* text, int n, int* count, int* first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + kPattern <= n && at(text + i, pattern)) {
    atomicAdd(count, 1);
    atomicMin(first, i);
  }
}

__global__ void segments(const char* text, int n, int size, int* count) {
  int fail[kPattern + 1];
  fail[0] = -1;
  for (int i = 0, k = -1; i < kPattern;) {
    while (k >= 0 && pattern[i] != pattern[k]) k = fail[k];
    fail[++i] = ++k;
  }
  int from = (blockIdx.x * blockDim.x + threadIdx.x) * size, end = min(n, from + size + kPattern - 1);
  int found = 0;
  for (int i = from, k = 0; i < end; i++) {
    while (k >= 0 && text[i] != pattern[k]) k = fail[k];
    if (++k == kPattern) {
      found++;
      k = fail[k];
    }
  }
  if (found) atomicAdd(count, found);
}

__global__ void rolling(const char* text, int n, int size, int* count) {
  unsigned want = 0, power = 1;
  for (int k = 0; k < kPattern; k++) {
    want = want * 257 + pattern[k];
    if (k) power *= 257;
  }
  int from = (blockIdx.x * blockDim.x + threadIdx.x) * size;
  if (from + kPattern > n) return;
  unsigned h = 0;
  for (int k = 0; k < kPattern; k++) h = h * 257 + text[from + k];
  for (int i = from; i < from + size && i + kPattern <= n; i++) {
    if (h == want && at(text + i, pattern)) atomicAdd(count, 1);
    if (i + kPattern < n) h = (h - text[i] * power) * 257 + text[i + kPattern];
  }
}

BOTH char upper(char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; }

__global__ void fold(const char* text, char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = upper(text[i]);
}

__global__ void words(const char* text, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool starts = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  unsigned long long mask = __ballot(starts);
  if (threadIdx.x % 64 == 0) atomicAdd(count, __popcll(mask));
}

int main() {
  Check check;
  constexpr int n = 6000;
  std::vector<char> text(n), upperText(n);
  for (int i = 0; i < n; i++) text[i] = "abcab c"[bits(i / 3) % 3 + bits(i) % 5 * (bits(i / 7) % 4 == 0)];
  for (int i = 0; i + kPattern <= n; i += 97) memcpy(&text[i], "abcab", 5);
  int count = 0, first = -1, wordCount = 0;
  for (int i = 0; i < n; i++) {
    upperText[i] = upper(text[i]);
    wordCount += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
    if (i + kPattern <= n && at(&text[i], "abcab")) {
      count++;
      if (first < 0) first = i;
    }
  }
  Buffer<char> d(text), u(n);
  Buffer<int> out(std::vector<int>{0, n, 0, 0, 0});
  plain<<<(n + 255) / 256, 256>>>(d.get(), n, out.get(), out.get() + 1);
  segments<<<4, 32>>>(d.get(), n, 60, out.get() + 2);
  rolling<<<2, 64>>>(d.get(), n, 60, out.get() + 3);
  fold<<<(n + 191) / 192, 192>>>(d.get(), u.get(), n);
  words<<<(n + 127) / 128, 128>>>(d.get(), n, out.get() + 4);
  check.same("found", out.host(), std::vector<int>{count, first, count, count, wordCount});
  check.same("upper", u.host(), upperText);
  return check.end();
}
