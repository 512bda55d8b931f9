package dev.rocport.verify;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Opcode.Slot;
import dev.rocport.device.isa.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A HIP program with a kernel for each opcode, its instruction as inline assembly: what a person
 * with an AMD GPU runs to see whether rocport's device does as the silicon does. Covers
 * instructions of the vector and scalar ALU that take two to four plain operands, additions and the
 * like in LDS, and atomics in global memory; not those that move data between lanes, change EXEC or
 * the program counter, read what an earlier one left, or take modifiers; and not those that the
 * device has not (docs/limits.md).
 */
final class Calibration {
  /** Elements of an input: whole waves of all kinds of values. */
  static final int ELEMENTS = 1024;

  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "v_(readlane|writelane|readfirstlane|mov_rel|movrel|div_fmas|div_scale|cmpx|swap|accvgpr"
              + "|cvt_norm|cvt_pknorm|cvt_pk_u8_f32|cvt_pkaccum|cvt_sr_|cube|mqsad_u32"
              + "|permlane|mbcnt|screen|prng|clrexcp|interp|cndmask|trig_preop).*"
              + "|s_(getpc|setpc|swappc|rfe|cbranch|movrel|.*saveexec|.*wrexec|set_gpr|getreg|setreg"
              + "|cmov|call|quadmask|set).*"
              + "|s_(bitset|sub_vcc).*|ds_(gws|append|consume|ordered|add_f64_rtn).*");

  private final Target target;
  private final Pattern wanted;

  /** One kernel. */
  private record Kernel(String name, String code, DataType result) {}

  /**
   * The program for a target.
   *
   * @param wanted mnemonics must match it
   */
  Calibration(Target target, Pattern wanted) {
    this.target = target;
    this.wanted = wanted;
  }

  private List<Kernel> kernels() {
    List<Kernel> kernels = new ArrayList<>();
    for (Opcode o : Decoder.of(target).opcodes()) {
      if (wanted.matcher(o.name()).matches() && !LEFT_OUT.matcher(o.name()).matches()) {
        kernel(o).ifPresent(kernels::add);
      }
    }
    // An opcode of 32 bits that also has a 64-bit form is there twice; the longer form is taken.
    List<Kernel> once = new ArrayList<>();
    for (Kernel k : kernels) {
      once.removeIf(o -> o.name().equals(k.name()));
      once.add(k);
    }
    return once;
  }

  /** The types of the results by mnemonic, in order. */
  Map<String, DataType> results() {
    Map<String, DataType> results = new LinkedHashMap<>();
    kernels().forEach(k -> results.put(k.name(), k.result()));
    return results;
  }

  private static Optional<Kernel> kernel(Opcode o) {
    return switch (o.encoding()) {
      case VOP3 -> vector(o);
      case SOP1, SOP2 -> scalar(o);
      case SOPC -> compare(o);
      case DS -> shared(o);
      case GLOBAL -> global(o);
      default -> Optional.empty();
    };
  }

  private static List<Slot> sources(Opcode o) {
    return o.slots().stream().filter(s -> !s.destination()).toList();
  }

  private static List<Slot> targets(Opcode o) {
    return o.slots().stream().filter(Slot::destination).toList();
  }

  /** {@code v_add_u32 %0, %1, %2}; in the form of 64 bits, which takes any registers. */
  private static Optional<Kernel> vector(Opcode o) {
    List<Slot> from = sources(o);
    List<Slot> to = targets(o);
    if (to.size() != 1
        || from.isEmpty()
        || from.size() > 3
        || !plain(o)
        || from.stream().anyMatch(s -> !s.name().matches("v?src[012]"))) {
      return Optional.empty();
    }
    boolean mask = to.getFirst().name().equals("sdst");
    DataType result = to.getFirst().type();
    StringBuilder text = new StringBuilder(o.name()).append(suffix(o)).append(" %0");
    StringBuilder inputs = new StringBuilder();
    for (int i = 0; i < from.size(); i++) {
      text.append(", %").append(i + 1);
      inputs
          .append(i == 0 ? "" : ", ")
          .append("\"v\"(")
          .append(element(from.get(i), i))
          .append(")");
    }
    String c = c(result);
    return Optional.of(
        new Kernel(
            o.name(),
            "  %s d;\n  asm volatile(\"%s\" : \"=%s\"(d) : %s);\n  out[i] = d;\n"
                .formatted(c, text, mask ? "s" : "v", inputs),
            result));
  }

  /** Returns the suffix that selects the encoding of a VOP1, VOP2 or VOPC opcode. */
  private static String suffix(Opcode o) {
    boolean alsoShort =
        o.number() < 0x100 || (o.number() >= 0x100 && o.number() < 0x1c0); // VOPC, VOP2, VOP1
    return alsoShort ? "_e64" : "";
  }

  private static boolean plain(Opcode o) {
    return o.slots().stream()
        .allMatch(s -> s.type().dwords() <= 2 && !s.type().name().startsWith("PK_F32"));
  }

  /** {@code s_add_u32 %0, %2, %3}, followed by reading SCC. */
  private static Optional<Kernel> scalar(Opcode o) {
    List<Slot> from = sources(o);
    List<Slot> to = targets(o);
    if (to.size() != 1
        || from.isEmpty()
        || from.size() > 2
        || !plain(o)
        || from.stream().anyMatch(s -> !s.name().matches("ssrc[01]"))
        || o.name().matches("s_(addc|subb|cselect)_.*")) {
      return Optional.empty();
    }
    DataType result = to.getFirst().type();
    StringBuilder text = new StringBuilder(o.name()).append(" %0");
    StringBuilder inputs = new StringBuilder();
    for (int i = 0; i < from.size(); i++) {
      text.append(", %").append(i + 2);
      inputs
          .append(i == 0 ? "" : ", ")
          .append("\"s\"(")
          .append(uniform(from.get(i), i))
          .append(")");
    }
    // Instructions that leave SCC alone find it 0.
    String code =
        """
          %s d;
          uint32_t scc;
          asm volatile("s_cmp_lg_u32 0, 0\\n%s\\ns_cselect_b32 %%1, 1, 0" : "=&s"(d), "=s"(scc) : %s : "scc");
          out[i] = d + ((uint64_t)scc << 63);
        """
            .formatted(c(result), text, inputs);
    return Optional.of(new Kernel(o.name(), code, DataType.B64));
  }

  private static Optional<Kernel> compare(Opcode o) {
    List<Slot> from = sources(o);
    if (from.size() != 2
        || !plain(o)
        || from.stream().anyMatch(s -> !s.name().matches("ssrc[01]"))) {
      return Optional.empty();
    }
    String code =
        """
          uint32_t scc;
          asm volatile("%s %%1, %%2\\ns_cselect_b32 %%0, 1, 0" : "=s"(scc) : "s"(%s), "s"(%s) : "scc");
          out[i] = scc;
        """
            .formatted(o.name(), uniform(from.get(0), 0), uniform(from.get(1), 1));
    return Optional.of(new Kernel(o.name(), code, DataType.B32));
  }

  /** Operations in LDS without a result: each lane at an address of its own. */
  private static Optional<Kernel> shared(Opcode o) {
    List<Slot> from = sources(o);
    boolean fits =
        targets(o).isEmpty()
            && from.size() == 2
            && from.get(0).name().equals("addr")
            && from.get(1).name().equals("data0")
            && plain(o)
            && o.name().matches("ds_(add|sub|rsub|inc|dec|min|max|and|or|xor|write)_.*(32|64)");
    if (!fits) {
      return Optional.empty();
    }
    String code =
        """
          __shared__ uint64_t cells[64];
          cells[threadIdx.x] = b;
          __syncthreads();
          uint32_t at = (uint32_t)(size_t)(__attribute__((address_space(3))) uint64_t*)&cells[threadIdx.x];
          asm volatile("%s %%0, %%1\\ns_waitcnt lgkmcnt(0)" : : "v"(at), "v"(%s) : "memory");
          __syncthreads();
          out[i] = cells[threadIdx.x];
        """
            .formatted(o.name(), element(from.get(1), 0));
    return Optional.of(new Kernel(o.name(), code, inMemory(o)));
  }

  /** Atomics in global memory without a result: each lane at an address of its own. */
  private static Optional<Kernel> global(Opcode o) {
    Optional<Slot> data = sources(o).stream().filter(s -> s.name().equals("vdata")).findFirst();
    if (data.isEmpty()
        || data.get().type().dwords() > 2
        || !o.name()
            .matches(
                "global_atomic_(add|sub|smin|umin|smax|umax|and|or|xor|inc|dec|swap|add_f64|min_f64"
                    + "|max_f64)(_x2)?")) {
      return Optional.empty();
    }
    String code =
        """
          out[i] = b;
          __threadfence();
          asm volatile("%s %%0, %%1, off\\ns_waitcnt vmcnt(0)" : : "v"(out + i), "v"(%s) : "memory");
        """
            .formatted(o.name(), element(data.get(), 0));
    return Optional.of(new Kernel(o.name(), code, inMemory(o)));
  }

  /** What an operation leaves in memory: 64 bits, or a number of which a NaN may be any. */
  private static DataType inMemory(Opcode o) {
    return o.name().endsWith("_f32")
        ? DataType.F32
        : o.name().endsWith("_f64") ? DataType.F64 : DataType.B64;
  }

  private static String c(DataType type) {
    return type.dwords() == 2 ? "uint64_t" : "uint32_t";
  }

  private static String element(Slot slot, int i) {
    return "(%s)%c".formatted(c(slot.type()), 'a' + i);
  }

  /** The same value in all lanes: the element that a wave's first lane has. */
  private static String uniform(Slot slot, int i) {
    return "(%s)uniform(%c)".formatted(c(slot.type()), 'a' + i);
  }

  /** The program's text. */
  String source() {
    List<Kernel> kernels = kernels();
    StringBuilder out = new StringBuilder();
    out.append(
        """
        // One kernel an instruction; the results go into tensors that are named after it.
        #include <hip/hip_runtime.h>
        #include <rocport_golden.h>

        #include <cstdint>
        #include <cstdio>
        #include <vector>

        namespace golden = rocport::golden;

        __device__ uint64_t uniform(uint64_t x) {
          uint32_t low = __builtin_amdgcn_readfirstlane((uint32_t)x);
          uint32_t high = __builtin_amdgcn_readfirstlane((uint32_t)(x >> 32));
          return (uint64_t)high << 32 | low;
        }

        #define KERNEL(name) \\
          __global__ void name(const uint64_t* in, uint64_t* out) { \\
            const int i = blockIdx.x * 64 + threadIdx.x; \\
            const uint64_t a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2]; \\
            (void)a, (void)b, (void)c;

        """);
    for (Kernel k : kernels) {
      out.append("KERNEL(k_").append(k.name()).append(")\n").append(k.code()).append("}\n\n");
    }
    out.append(
        """
        struct Entry {
          const char* name;
          void (*kernel)(const uint64_t*, uint64_t*);
        };

        // A third of the inputs each: edge values of float, of double, and random bits.
        static uint64_t value(uint64_t i) {
          uint64_t h = golden::hash(11, i);
          switch (i / 3 %% 3) {
            case 0: {
              uint64_t low = golden::detail::element(h, golden::Data::edge, golden::DType::F32);
              return golden::detail::element(h >> 32, golden::Data::edge, golden::DType::F32) << 32 | low;
            }
            case 1: return golden::detail::element(h, golden::Data::edge, golden::DType::F64);
            default: return h;
          }
        }

        int main() {
          const int n = %d;
          std::vector<uint64_t> in(3 * n), out(n);
          for (int i = 0; i < 3 * n; i++) in[i] = value(i);
          uint64_t *x, *y;
          if (hipMalloc((void**)&x, 24 * n) != hipSuccess || hipMalloc((void**)&y, 8 * n) != hipSuccess) return 1;
          (void)hipMemcpy(x, in.data(), 24 * n, hipMemcpyHostToDevice);
          const Entry entries[] = {
        """
            .formatted(ELEMENTS));
    kernels.forEach(k -> out.append("      {\"%s\", k_%s},\n".formatted(k.name(), k.name())));
    out.append(
        """
          };
          int failed = 0;
          for (const Entry& e : entries) {
            (void)hipMemset(y, 0, 8 * n);
            hipLaunchKernelGGL(e.kernel, dim3(n / 64), dim3(64), 0, 0, x, y);
            hipError_t error = hipDeviceSynchronize();
            if (error != hipSuccess) {
              std::printf("%s: %s\\n", e.name, hipGetErrorString(error));
              failed++;
              break;
            }
            golden::save(e.name, y, golden::DType::U64, {(uint64_t)n});
          }
          std::printf("%zu instructions, %d failed\\n", sizeof entries / sizeof *entries, failed);
          return failed != 0;
        }
        """);
    return out.toString();
  }
}
