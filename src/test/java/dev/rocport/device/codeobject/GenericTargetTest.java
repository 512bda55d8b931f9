package dev.rocport.device.codeobject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.dispatch.KnownCode;
import dev.rocport.device.dispatch.LoadedCode;
import dev.rocport.device.isa.GenericTarget;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.Heap;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.device.wave.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GenericTargetTest {
  private static final int FLAGS = 48;

  /** Code for gfx950 that says it is for all GPUs with these instructions, as clang 21 marks it. */
  private static byte[] generic() throws IOException {
    try (InputStream in =
        Target.class.getResourceAsStream("/dev/rocport/device/server/gfx950.co")) {
      byte[] image = Objects.requireNonNull(in).readAllBytes();
      ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putInt(FLAGS, 0x100055f);
      return image;
    }
  }

  private static byte[] bundle(String firstId, byte[] first, String secondId, byte[] second) {
    int head = 24 + 8 + 2 * 24 + firstId.length() + secondId.length();
    ByteBuffer b =
        ByteBuffer.allocate(head + first.length + second.length).order(ByteOrder.LITTLE_ENDIAN);
    b.put("__CLANG_OFFLOAD_BUNDLE__".getBytes(StandardCharsets.US_ASCII)).putLong(2);
    b.putLong(head).putLong(first.length).putLong(firstId.length());
    b.put(firstId.getBytes(StandardCharsets.US_ASCII));
    b.putLong(head + first.length).putLong(second.length).putLong(secondId.length());
    b.put(secondId.getBytes(StandardCharsets.US_ASCII));
    return b.put(first).put(second).array();
  }

  @Test
  void runsOnEachOfItsGpus() throws IOException {
    byte[] image = generic();
    for (Target gpu : List.of(Target.GFX942, Target.GFX950)) {
      assertThat(FatBinary.select(image, gpu)).contains(image);
      assertThat(CodeObject.read(image, Optional.of(gpu)).target()).isEqualTo(gpu);
    }
    assertThat(FatBinary.select(image, Target.GFX90A)).isEmpty();
    assertThat(CodeObject.read(image).target()).isEqualTo(Target.GFX942);
  }

  @Test
  void codeForTheGpuItselfComesFirst() throws IOException {
    byte[] image = generic();
    byte[] own = {1, 2, 3};
    byte[] bundle =
        bundle(
            "hipv4-amdgcn-amd-amdhsa--gfx9-4-generic",
            image,
            "hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+",
            own);
    assertThat(FatBinary.select(bundle, Target.GFX942)).contains(own);
    assertThat(FatBinary.select(bundle, Target.GFX950)).contains(image);
    assertThat(FatBinary.select(bundle, Target.GFX1100)).isEmpty();
  }

  /** Operations may depend on the GPU. */
  @Test
  void eachGpuHasWhatIsKnownOfItsOwnCode() throws IOException {
    byte[] image = generic();
    CodeObject first = CodeObject.read(image, Optional.of(Target.GFX942));
    CodeObject second = CodeObject.read(image, Optional.of(Target.GFX950));
    KnownCode known = new KnownCode(NativeEngine.NONE);
    long base = Heap.take(first.loadedSize());
    Code code = LoadedCode.load(first, base, List.of(), known).code();
    int entry = code.index(base + first.kernels().getFirst().entry());
    code.at(entry);

    Code other = LoadedCode.load(second, base, List.of(), known).code();
    Code same = LoadedCode.load(first, base, List.of(), known).code();

    assertThat(other.reached(entry)).isNull();
    assertThat(same.reached(entry)).isNotNull();
    Heap.give(base);
  }

  @Test
  void namesGpusOnceInOrder() {
    assertThat(GenericTarget.gpus(List.of("gfx950", "gfx9-4-generic", "gfx90a", "gfx11-generic")))
        .startsWith("gfx950", "gfx942", "gfx90a", "gfx1100", "gfx1151")
        .doesNotHaveDuplicates();
  }
}
