package dev.rocport.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.Sha256;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.verify.tensor.TensorFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bundles go to another machine, and recordings come back; modified files are rejected. */
@Tag("toolchain")
class RecordingsTest {
  @TempDir Path folder;
  private Path fixture;

  @BeforeEach
  void aFixture() throws IOException {
    fixture = Files.createDirectories(folder.resolve("fixtures/sums"));
    Files.writeString(
        fixture.resolve("sums.cpp"),
        """
        #include <rocport_golden.h>
        #include <cstdio>
        namespace golden = rocport::golden;
        int main(int argc, char** argv) {
          float x[100];
          golden::fill(x, 100, golden::Data::exact, 7);
          float sum = 0;
          for (float v : x) sum += v;
          golden::seed(7);
          golden::save("x", x, {10, 10});
          golden::Check c;
          c.kernel = "sum"; c.type = "float"; c.op = "sum"; c.count = 100;
          c.tally(&sum, &sum, 1);
          golden::check(c);
          std::FILE* f = std::fopen("out.txt", "w");
          std::fprintf(f, "%g\\n", sum);
          std::fclose(f);
          std::printf("%s %d\\nPASS\\n", argv[1], argc);
          return 3;
        }
        """);
    Files.writeString(
        fixture.resolve("fixture.yaml"),
        """
        title: Sums
        build: plain
        std: c++17
        libs: []
        verify:
          runs:
            - name: one
              args: ["it's one"]
              exit: 3
              stdout: golden/one.txt
              files: [out.txt]
              tensors: true
              checks: true
        """);
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * Unpacks a bundle and runs its script, with a compiler and a GPU that only look like NVIDIA's.
   */
  private Path recorded() throws Exception {
    Path bundle = folder.resolve("bundle.tar.gz");
    Bundle.write(List.of(fixture), "test", bundle);
    Toolchain toolchain = TestToolchain.get();
    String sysroot = toolchain.sysroot().map(s -> "--sysroot=" + s).orElse("");
    Path bin = Files.createDirectories(folder.resolve("bin"));
    script(
        bin.resolve("nvcc"),
        """
        #!/bin/bash
        if [ "$1" = --version ]; then echo "release 13.0, V13.0.88"; exit; fi
        args=()
        for a in "$@"; do case $a in -arch=*) ;; *) args+=("$a") ;; esac; done
        exec %s %s -fuse-ld=lld -O0 "${args[@]}"
        """
            .formatted(toolchain.clang(), sysroot));
    script(
        bin.resolve("nvidia-smi"),
        """
        #!/bin/bash
        case $1 in *name) echo "NVIDIA Test";; *driver*) echo 1.2.3;; *) echo 9.0;; esac
        """);
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash", "-c", "tar xzf bundle.tar.gz && rocport-golden/run.sh > log.txt 2>&1")
            .directory(folder.toFile())
            .inheritIO();
    builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    builder.environment().put("RESULT", folder.resolve("result.tar.gz").toString());
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log.txt"))).isZero();
    return folder.resolve("result.tar.gz");
  }

  @Test
  void recordingsAreImportedAndModifiedOnesRejected() throws Exception {
    Path result = recorded();
    assertThat(Recordings.take(result, folder.resolve("fixtures")))
        .extracting(Recordings.Taken::fixture)
        .containsExactly("sums");
    Path golden = fixture.resolve("golden");
    assertThat(golden.resolve("one.txt")).hasContent("it's one 2\nPASS");
    assertThat(golden.resolve("one/files/out.txt")).exists();
    TensorFile tensors = TensorFile.read(golden.resolve("one/sums.safetensors.xz"));
    assertThat(golden.resolve("one/sums.safetensors")).doesNotExist();
    assertThat(tensors.tensors().get("x").shape()).containsExactly(10L, 10L);
    assertThat(tensors.metadata())
        .containsEntry("seed", "7")
        .containsEntry("driver", "1.2.3")
        .containsEntry("flags", "sm_90")
        .containsEntry("program", "sums");
    assertThat(CheckRow.read(golden.resolve("one/checks.tsv"))).hasSize(1);
    assertThat(golden.resolve("provenance.yaml")).content().contains("NVIDIA Test", "one.txt");
    Fixture read = FixtureReader.read(fixture);
    assertThat(new Golden(read).problems()).isEmpty();

    // Someone edits a recording, then a source.
    Files.writeString(golden.resolve("one.txt"), "edited");
    assertThat(new Golden(read).problems())
        .extracting(Problem::message)
        .first()
        .asString()
        .contains("one.txt is missing or differs from what was recorded");
    Files.writeString(fixture.resolve("sums.cpp"), "int main() {}");
    assertThat(new Golden(read).problems())
        .extracting(Problem::message)
        .last()
        .asString()
        .contains("sources changed since the recording: sums.cpp");
    refused(result, "recorded from a different sums.cpp");

    SortedMap<String, byte[]> files = new TreeMap<>(Archive.read(result).files());
    SortedMap<String, byte[]> edited = new TreeMap<>(files);
    edited.put("result/sums/one/stdout.txt", "FAIL".getBytes(StandardCharsets.UTF_8));
    refused(packed(edited), "has changed since it was recorded");
    edited = new TreeMap<>(files);
    edited.remove("result/sums/one/stdout.txt");
    refused(packed(edited), "but the archive does not");
    edited = new TreeMap<>(files);
    edited.put("result/more", new byte[0]);
    refused(packed(edited), "files without a hash");
    edited = new TreeMap<>(files);
    edited.put("elsewhere", new byte[0]);
    refused(packed(edited), "does not belong in the archive");
    edited = new TreeMap<>(files);
    edited.put("result/FORMAT", "rocport-golden-result 9".getBytes(StandardCharsets.UTF_8));
    refused(packed(edited), "the supported version is");
    edited = new TreeMap<>(files);
    edited.put("result/sums/one/sums.safetensors", new byte[3]);
    refused(packed(rehashed(edited)), "recorded from a different sums.cpp");

    byte[] whole = Files.readAllBytes(result);
    for (int cut : new int[] {0, 5, 20, whole.length / 2, whole.length - 9}) {
      Path file = Files.write(folder.resolve("cut.tar.gz"), Arrays.copyOf(whole, cut));
      assertThatThrownBy(() -> Archive.read(file)).isInstanceOf(VerifyException.class);
    }
  }

  private static SortedMap<String, byte[]> rehashed(SortedMap<String, byte[]> files) {
    StringBuilder manifest = new StringBuilder();
    for (Map.Entry<String, byte[]> e : files.entrySet()) {
      if (!e.getKey().equals("result/MANIFEST")) {
        manifest
            .append(Sha256.of(e.getValue()))
            .append("  ")
            .append(e.getKey().substring("result/".length()))
            .append("\n");
      }
    }
    files.put("result/MANIFEST", manifest.toString().getBytes(StandardCharsets.UTF_8));
    return files;
  }

  private Path packed(SortedMap<String, byte[]> files) throws IOException {
    Path file = folder.resolve("edited.tar.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      new Archive(files).write(out);
    }
    return file;
  }

  private void refused(Path archive, String why) {
    assertThatThrownBy(() -> Recordings.take(archive, folder.resolve("fixtures")))
        .isInstanceOf(VerifyException.class)
        .hasMessageContaining(why);
  }

  /** An archive whose header was changed at some place, its checksum made right again. */
  private Path changed(int at, String text) throws IOException {
    TreeMap<String, byte[]> one = new TreeMap<>(Map.of("result/a", new byte[] {1}));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    new Archive(one).write(packed);
    byte[] tar;
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray()))) {
      tar = in.readAllBytes();
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, tar, at, bytes.length);
    Arrays.fill(tar, 148, 156, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < 512; i++) {
      sum += tar[i] & 0xff;
    }
    byte[] check = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(check, 0, tar, 148, check.length);
    Path file = folder.resolve("changed.tar.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(tar);
    }
    return file;
  }

  @Test
  void anArchiveThatCouldDoHarmIsRefused() throws Exception {
    assertThat(Archive.read(changed(0, "result/b")).files()).containsOnlyKeys("result/b");
    assertRefused(changed(0, "/etc/file"), "invalid path");
    assertRefused(changed(0, "../file"), "invalid path");
    assertRefused(changed(0, "a/../../b"), "invalid path");
    assertRefused(changed(156, "2"), "neither a file nor a folder");
    assertRefused(changed(156, "x"), "neither a file nor a folder");
    assertRefused(changed(124, "77777777777"), "too large");
    assertRefused(changed(124, "99999999999"), "not a tar archive");
    assertRefused(changed(124, "00000100000"), "truncated");
    byte[] one = {1};
    assertRefused(
        packed(new TreeMap<>(Map.of("a", one, "a/b", one))), "has a file as its parent folder");
    Path text = Files.writeString(folder.resolve("text"), "not an archive");
    assertRefused(text, "not a gzip archive");
  }

  private static void assertRefused(Path archive, String why) {
    assertThatThrownBy(() -> Archive.read(archive))
        .isInstanceOf(VerifyException.class)
        .hasMessageContaining(why)
        .hasMessageContaining(archive.toString());
  }
}
