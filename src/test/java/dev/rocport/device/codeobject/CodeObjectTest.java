package dev.rocport.device.codeobject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.device.CompiledKernels;
import dev.rocport.device.dispatch.KnownCode;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.Heap;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Op;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("toolchain")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CodeObjectTest {
  private static final String SOURCE =
      """
      #include <hip/hip_runtime.h>
      __device__ int table[5] = {1, 2, 3, 4, 5};
      __device__ int (*choice[2])(int);
      struct Small { int a; double b; };
      __global__ void __launch_bounds__(128) work(float* out, int n, Small s) {
        __shared__ float tile[100];
        tile[threadIdx.x] = s.b;
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = tile[99 - threadIdx.x] + n + table[n];
      }
      """;

  private byte[] bundle = {};

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    bundle = CompiledKernels.compile(folder, SOURCE, "-gline-tables-only");
  }

  @ParameterizedTest
  @MethodSource("dev.rocport.device.CompiledKernels#targets")
  void readsWhatTheCompilerMade(Target target) {
    CodeObject object = CodeObject.read(FatBinary.select(bundle, target).orElseThrow());
    assertThat(object.target()).isEqualTo(target);
    KernelInfo kernel = object.kernel("_Z4workPfi5Small").orElseThrow();
    assertThat(kernel.explicitArguments())
        .extracting(Argument::offset, Argument::size, Argument::kind)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, 8, "global_buffer"),
            org.assertj.core.groups.Tuple.tuple(8, 4, "by_value"),
            org.assertj.core.groups.Tuple.tuple(16, 16, "by_value"));
    assertThat(kernel.maxThreads()).isEqualTo(128);
    assertThat(kernel.descriptor().ldsSize()).isEqualTo(400);
    assertThat(kernel.descriptor().wantsKernargPointer()).isTrue();
    assertThat(kernel.descriptor().wantsGroupId(0)).isTrue();
    assertThat(object.variables())
        .anySatisfy(
            v -> {
              assertThat(v.name()).isEqualTo("table");
              assertThat(v.size()).isEqualTo(20);
            });
    SourceLines.Place place = SourceLines.of(object).at(kernel.entry()).orElseThrow();
    assertThat(place.file()).endsWith("kernel.hip");
    assertThat(place.line()).isBetween(5, 9);
  }

  /** In assembled kernels, the descriptor may state fewer bytes of arguments than the metadata. */
  @Test
  void argumentsAreThoseOfTheMetadata() {
    byte[] image = FatBinary.select(bundle, Target.GFX90A).orElseThrow().clone();
    KernelInfo kernel = CodeObject.read(image).kernels().getFirst();
    CodeObject.Segment segment =
        CodeObject.read(image).segments().stream()
            .filter(s -> s.address() <= kernel.descriptorAddress())
            .filter(s -> kernel.descriptorAddress() < s.address() + s.fileSize())
            .findFirst()
            .orElseThrow();
    int at = (int) (kernel.descriptorAddress() - segment.address()) + segment.offset();
    little(image).putInt(at + 8, 4);

    KernelInfo changed = CodeObject.read(image).kernels().getFirst();

    assertThat(changed.descriptor().kernargSize()).isEqualTo(4);
    assertThat(changed.argumentBytes()).isEqualTo(kernel.argumentBytes()).isGreaterThan(31);
    assertThat(changed.arguments()).isEqualTo(kernel.arguments());
  }

  /** Assembled code may have a note for each kernel. */
  @Test
  void readsTheKernelsOfAllNotes() {
    byte[] image = FatBinary.select(bundle, Target.GFX90A).orElseThrow();
    ByteBuffer elf = little(image);
    int header = (int) elf.getLong(32);
    while (elf.getInt(header) != 4) {
      header += elf.getShort(54);
    }
    int at = (int) elf.getLong(header + 8);
    int size = (int) elf.getLong(header + 32);
    byte[] both = Arrays.copyOf(image, image.length + 2 * size);
    System.arraycopy(image, at, both, image.length, size);
    byte[] other =
        new String(image, at, size, StandardCharsets.ISO_8859_1)
            .replaceFirst("_Z4work", "_Z4walk")
            .getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(other, 0, both, image.length + size, size);
    little(both).putLong(header + 8, image.length).putLong(header + 32, 2L * size);

    assertThat(CodeObject.read(both).kernels())
        .extracting(KernelInfo::name)
        .containsExactly("_Z4workPfi5Small", "_Z4walkPfi5Small");
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void loadsOfTheSameBytesShareWhatIsKnownOfThem() {
    byte[] image = FatBinary.select(bundle, Target.GFX90A).orElseThrow();
    CodeObject object = CodeObject.read(image);
    CodeObject again = CodeObject.read(image.clone());
    CodeObject other = CodeObject.read(FatBinary.select(bundle, Target.GFX942).orElseThrow());
    KnownCode known = new KnownCode(NativeEngine.NONE);
    long base = Heap.take(object.loadedSize());
    long second = Heap.take(object.loadedSize());
    long third = Heap.take(other.loadedSize());
    Code code = LoadedCode.load(object, base, List.of(), known).code();
    long entry = object.kernel("_Z4workPfi5Small").orElseThrow().entry();
    Op op = code.at(code.index(base + entry));

    Code shared = LoadedCode.load(again, second, List.of(), known).code();
    Code own = LoadedCode.load(other, third, List.of(), known).code();

    assertThat(shared.reached(shared.index(second + entry))).isSameAs(op);
    assertThat(own.reached(code.index(base + entry))).isNull();
    Heap.give(base);
    Heap.give(second);
    Heap.give(third);
  }

  /** Compilers may look at code when its program has ended and others use its memory. */
  @Test
  void textIsTheSameAfterItsMemoryIsGone() {
    CodeObject object = CodeObject.read(FatBinary.select(bundle, Target.GFX90A).orElseThrow());
    long base = Heap.take(object.loadedSize());
    LoadedCode code = LoadedCode.load(object, base, List.of(), new KnownCode(NativeEngine.NONE));
    long entry = base + object.kernel("_Z4workPfi5Small").orElseThrow().entry();
    long text = base + object.text().address();
    Instruction before = Decoder.of(Target.GFX90A).decode(Memory.ALL.asSlice(text), entry - text);

    Memory.fill(base, object.loadedSize(), (byte) 0);

    assertThat(code.code().at(code.code().index(entry)).instruction()).isEqualTo(before);
    Heap.give(base);
  }

  /**
   * The same places in every form of debug information; line tables alone do not name functions in
   * which nothing was inlined.
   */
  @ParameterizedTest
  @ValueSource(strings = {"-gline-tables-only", "-g", "-g -gdwarf-4"})
  void namesInlinedCalls(String options, @TempDir Path folder) throws Exception {
    byte[] image =
        CompiledKernels.compile(
            folder,
            """
            #include <hip/hip_runtime.h>
            #line 12 "scale.h"
            __device__ inline void scale(float* y, long i) { y[i] *= 2; }
            __device__ inline void twice(float* y, long i) {
              scale(y, i); scale(y, i + 8);
            }
            __device__ __noinline__ void called(float* y, long i) { y[i] = 3; }
            #line 40 "saxpy.hip"
            namespace n { __global__ void saxpy(float* y, long at) {
              if (at < 100) twice(y, at + threadIdx.x);
              scale(y, at + 2 * threadIdx.x);
              called(y, at);
              y[at + 70] = 1;
            } }
            """,
            options.split(" "));
    for (Target target : CompiledKernels.targets().toList()) {
      CodeObject object = CodeObject.read(FatBinary.select(image, target).orElseThrow());
      SourceLines lines = SourceLines.of(object);
      Set<String> places = new TreeSet<>();
      CodeObject.Range text = object.text();
      for (long pc = text.address(); pc < text.address() + text.size(); pc += 4) {
        places.add(lines.describe(pc).replaceAll("/?[-.\\w/]*/(?=saxpy|scale)", ""));
      }
      assertThat(places)
          .contains("scale.h:12 in scale (inlined into saxpy at saxpy.hip:42)")
          .contains(
              "scale.h:12 in scale (inlined into twice at scale.h:14, into saxpy at saxpy.hip:41)")
          .containsAnyOf("scale.h:16 in called", "scale.h:16")
          .contains("saxpy.hip:44 in saxpy");
    }
  }

  @Test
  void unpacksCompressedBundles(@TempDir Path folder) throws Exception {
    byte[] packed = CompiledKernels.compile(folder, SOURCE, "--offload-compress");
    assertThat(new String(packed, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("CCOB");
    for (Target target : CompiledKernels.targets().toList()) {
      assertThat(CodeObject.read(FatBinary.select(packed, target).orElseThrow()).kernels())
          .hasSize(1);
    }
  }

  @Test
  void refusesTruncatedAndForeignFiles() {
    byte[] whole = FatBinary.select(bundle, Target.GFX90A).orElseThrow();
    for (int length = 0; length < whole.length * 3 / 4; length += 97) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> CodeObject.read(part)).isInstanceOf(BadCodeObjectException.class);
    }
    byte[] other = whole.clone();
    other[48] = 0x30;
    assertThatThrownBy(() -> CodeObject.read(other))
        .isInstanceOf(BadCodeObjectException.class)
        .hasMessageContaining("another GPU");
  }

  /** Whatever the bytes say, the answer is an object within its own bounds, or a refusal. */
  @Test
  void survivesBrokenBytes() {
    byte[] whole = FatBinary.select(bundle, Target.GFX942).orElseThrow();
    Random random = new Random(7);
    int read = 0;
    for (int round = 0; round < 4000; round++) {
      byte[] broken = whole.clone();
      int changes = 1 + random.nextInt(6);
      for (int i = 0; i < changes; i++) {
        int at = random.nextInt(random.nextBoolean() ? 1024 : broken.length);
        broken[at] = (byte) (random.nextInt(4) == 0 ? 0xff : random.nextInt(256));
      }
      try {
        CodeObject object = CodeObject.read(broken);
        SourceLines lines = SourceLines.of(object);
        assertThat(lines.describe(object.text().address() + 16)).doesNotContain("null");
        for (CodeObject.Segment s : object.segments()) {
          assertThat(s.offset() + s.fileSize()).isLessThanOrEqualTo(broken.length);
          assertThat(s.address() + s.memorySize()).isLessThanOrEqualTo(object.loadedSize());
        }
        read++;
      } catch (BadCodeObjectException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    assertThat(read).isPositive();
  }
}
