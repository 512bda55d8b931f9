// Split barriers of RDNA 4. Compiled with clang 21 for gfx1201: clang++ -x hip --offload-arch=gfx1201 --cuda-device-only
// --no-gpu-bundle-output -nogpuinc -nogpulib -O2 -mcode-object-version=5 barriers.hip -o gfx1201-barriers.co
// With -mwavefrontsize64, for waves of 64 lanes, gfx1201-barriers-wave64.co.
#define GLOBAL extern "C" __attribute__((global))
#define SIGNAL()                                         \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier_signal(-1)
#define WAIT()                           \
  __builtin_amdgcn_s_barrier_wait(-1); \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

__attribute__((shared)) unsigned row[1024];
__attribute__((shared)) unsigned own[1024];

static __attribute__((device)) unsigned work(unsigned i, unsigned count) {
  unsigned sum = i;
  for (unsigned k = 0; k < count; k++) {
    own[i] = sum;
    sum = sum * 5 + own[i] + k;
  }
  return sum;
}

// Rounds of a barrier with work between signal and wait, which waves do not have alike.
GLOBAL void split(unsigned* data, unsigned rounds, unsigned threads) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  unsigned value = data[i];
  for (unsigned r = 0; r < rounds; r++) {
    row[i] = value;
    SIGNAL();
    unsigned more = work(i, (i / 64 + r) % 7);
    WAIT();
    value = row[threads - 1 - i] + more;
    SIGNAL();
    WAIT();
  }
  data[i] = value;
}

// Half of the waves come to one barrier while the others come to another one. Then lanes of one wave diverge: all waves
// come to both.
GLOBAL void divergent(unsigned* data, unsigned rounds, unsigned threads) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  unsigned value = data[i];
  for (unsigned r = 0; r < rounds; r++) {
    row[i] = value;
    if (__builtin_amdgcn_readfirstlane(i / 64 + r) % 2 != 0) {
      SIGNAL();
      value = work(i, 3);
      WAIT();
    } else {
      SIGNAL();
      WAIT();
      value = i;
    }
    value += row[threads - 1 - i];
    SIGNAL();
    WAIT();
    if (i % 2 != 0) {
      row[i] = value;
      SIGNAL();
      WAIT();
      value = row[i ^ 2];
    } else {
      row[i] = 3 * value;
      SIGNAL();
      WAIT();
      value = row[i ^ 2];
    }
    SIGNAL();
    WAIT();
  }
  data[i] = value;
}

// Counts the waves that signal first, one in each round.
GLOBAL void first(unsigned* count, unsigned rounds) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  for (unsigned r = 0; r < rounds; r++) {
    bool is = __builtin_amdgcn_s_barrier_signal_isfirst(-1);
    WAIT();
    if (is && i % __builtin_amdgcn_wavefrontsize() == 0)
      __hip_atomic_fetch_add(count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    SIGNAL();
    WAIT();
  }
}
