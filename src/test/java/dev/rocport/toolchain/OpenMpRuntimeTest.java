package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("toolchain")
class OpenMpRuntimeTest {
  @TempDir private Path folder;
  @TempDir private Path other;

  @Test
  void theToolchainsClangHasOne() throws Exception {
    OpenMp found = OpenMp.of(TestToolchain.get()).orElseThrow();
    assertThat(found.files()).extracting(f -> f.getFileName() + "").contains("libomp.so");
  }

  /** A machine's clang without OpenMP: the one unpacked beside the headers takes its place. */
  @Test
  void oneThatWasProvisionedServesAClangWithoutIt() throws Exception {
    Path clang = clang(folder.resolve("clang++"), "libomp.so");
    assertThat(OpenMp.of(clang)).isEmpty();
    assertThat(OpenMp.of(at(clang))).isEmpty();
    assertThat(at(clang).hostCompile()).doesNotContain("-idirafter");

    Path lib = folder.resolve("openmp/usr/lib/llvm-19/lib");
    Path include = Files.createDirectories(lib.resolve("clang/19/include"));
    Files.writeString(include.resolve("omp.h"), "");
    Files.writeString(lib.resolve("libomp.so.5"), "");
    Files.createSymbolicLink(lib.resolve("libomp.so"), Path.of("libomp.so.5"));

    assertThat(OpenMp.of(at(clang))).contains(new OpenMp(lib));
    assertThat(OpenMp.of(at(clang)).orElseThrow().files())
        .containsExactly(lib.resolve("libomp.so"), lib.resolve("libomp.so.5"));
    assertThat(at(clang).hostCompile()).containsSequence("-idirafter", include + "");
  }

  /** A clang with OpenMP shares it with one that has none, such as the one for newer targets. */
  @Test
  void theOneOfAClangServesAnother() throws Exception {
    Path lib = Files.createDirectories(folder.resolve("llvm/lib"));
    Path include = Files.createDirectories(lib.resolve("clang/19/include"));
    Files.writeString(include.resolve("omp.h"), "");
    Files.writeString(include.resolve("stdatomic.h"), "");
    Files.writeString(lib.resolve("libomp.so"), "");
    Path clang = clang(folder.resolve("clang++"), lib.resolve("libomp.so") + "");
    Path newer = clang(other.resolve("clang++"), "libomp.so");
    assertThat(OpenMp.of(at(newer))).isEmpty();

    OpenMp.share(at(clang));
    OpenMp.share(at(clang));

    Path shared = folder.resolve("openmp-shared/usr/lib/llvm/lib");
    assertThat(OpenMp.of(at(newer))).contains(new OpenMp(shared));
    assertThat(OpenMp.of(at(newer)).orElseThrow().files())
        .containsExactly(shared.resolve("libomp.so"));
    assertThat(at(newer).hostCompile())
        .containsSequence("-idirafter", shared.resolve("clang/include") + "");
    assertThat(shared.resolve("clang/include"))
        .isDirectoryContaining("glob:**/omp.h")
        .isDirectoryNotContaining("glob:**/stdatomic.h");
    assertThat(folder).isDirectoryNotContaining("glob:**/openmp-shared?*");
    assertThat(at(clang).hostCompile()).doesNotContain("-idirafter"); // it has its own
  }

  /** A program that prints this for any {@code -print-file-name}. */
  private static Path clang(Path clang, String printed) throws Exception {
    Files.writeString(clang, "#!/bin/sh\necho " + printed + "\n");
    assertThat(clang.toFile().setExecutable(true)).isTrue();
    return clang;
  }

  private Toolchain at(Path clang) throws Exception {
    Toolchain t = TestToolchain.get();
    return new Toolchain(
        Toolchain.Kind.PROVISIONED,
        clang,
        folder,
        t.include(),
        t.deviceLibs(),
        t.lib(),
        Optional.empty(),
        t.clangVersion(),
        t.hip(),
        t.targets(),
        t.libraries(),
        t.fingerprint());
  }

  @ParameterizedTest
  @CsvSource({
    "-fopenmp,true",
    "-fopenmp=libomp,true",
    "-fopenmp-simd,false",
    "-lgomp,true",
    "/usr/lib/gcc/x86_64-linux-gnu/12/libgomp.so,true",
    "/opt/llvm/lib/libomp.so.5,true",
    "-lompl,false",
    "libomp.o,false"
  })
  void flagsThatAskForIt(String flag, boolean asks) {
    assertThat(OpenMp.isAskedBy(flag)).isEqualTo(asks);
  }
}
