package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.io.TsvTable;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.TestDebs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the system with packages of the test's own, which need neither network nor GPU. */
@Tag("toolchain")
class RocmLibrariesTest {
  private static final String TABLE =
      """
      library\tentry\tvalue
      all\tpackage\tlibc6
      hipfft\tpackage\tlibhipfft0
      hipfft\tvariable\tA=b=c
      rccl\tobstacle\ta reason
      """;

  @TempDir private Path folder;
  private Path home;
  private Path packages;
  private HipRuntime runtime;
  private final Map<String, PackageLock.Entry> lock = new LinkedHashMap<>();
  private final List<String> said = new ArrayList<>();

  @BeforeEach
  void folders() throws Exception {
    home = Files.createDirectories(folder.resolve("home")).toRealPath();
    packages = Files.createDirectories(folder.resolve("packages"));
    runtime = HipRuntime.of(TestToolchain.get(), System.err::println);
    Path loader = Files.createDirectories(folder.resolve("libc6/usr/lib64"));
    Files.copy(Path.of("/lib64/ld-linux-x86-64.so.2"), loader.resolve("ld-linux-x86-64.so.2"));
    packed("libc6", folder.resolve("libc6"));
    Path library = Files.createDirectories(folder.resolve("fft/usr/lib/x86_64-linux-gnu"));
    Files.copy(runtime.yielding(), library.resolve("libhipfft.so.0"));
    packed("libhipfft0", folder.resolve("fft"));
  }

  private void packed(String name, Path content) throws IOException {
    Path deb = TestDebs.pack(content, name, packages);
    lock.put(name, new PackageLock.Entry(name, "1.0", Sha256.of(deb), Files.size(deb), 1_000_000));
  }

  /** A program of the system that has these words in it, too. */
  private Path program(String words) throws IOException {
    Path program = folder.resolve("program");
    Files.copy(Path.of("/bin/echo"), program);
    Files.writeString(program, words, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
    return program;
  }

  private RocmLibraries libraries(Map<String, String> environment) {
    ToolchainRequest defaults = ToolchainRequest.of(environment);
    ToolchainRequest request =
        new ToolchainRequest(home, environment, false, false, false, false, defaults.offline());
    return new RocmLibraries(
        request,
        runtime,
        LibraryPackages.of(TsvTable.parse("libraries.tsv", TABLE, LibraryPackages.HEADER)),
        new PackageLock(lock),
        said::add);
  }

  private RocmLibraries libraries() {
    return libraries(Map.of("ROCPORT_PACKAGES", packages.toString()));
  }

  private List<Path> unpacked() throws IOException {
    return Folders.list(home.resolve("libraries")).stream().filter(Files::isDirectory).toList();
  }

  @Test
  void aProgramStartsWithTheLoaderOfThePackages() throws Exception {
    Path program = program("libhipfft.so");
    Map<String, String> environment = new HashMap<>();
    List<String> command =
        libraries().command(List.of(program.toString(), "said", "it"), environment);
    Path libraries = home.resolve("libraries");
    assertThat(command.getFirst()).startsWith(libraries.resolve("libc6").toString());
    assertThat(environment).containsEntry("A", "b=c");
    assertThat(said).anyMatch(l -> l.contains("(libc6, libhipfft0): "));

    // What it loads from there is noted, with the version of the package.
    Path notes = Files.createFile(folder.resolve("notes"));
    environment.put(StandIns.VARIABLE, notes.toString());
    environment.put(
        "LD_PRELOAD",
        libraries.resolve("libhipfft0/usr/lib/x86_64-linux-gnu/libhipfft.so.0").toString());
    ToolRun run = ToolRun.of(command, folder, environment, Duration.ofMinutes(1));
    assertThat(run.output()).endsWith("said it\n");
    assertThat(LoadedLibraries.noted(notes).rocm()).containsExactly("libhipfft 1.0");

    // Nothing is fetched again.
    said.clear();
    Files.delete(packages.resolve("libc6_1.0_amd64.deb"));
    assertThat(libraries().command(List.of(program.toString()), new HashMap<>()).getFirst())
        .isEqualTo(command.getFirst());
    assertThat(said).isEmpty();
  }

  @Test
  void aProgramWithoutThemStartsAsEver() throws Exception {
    List<String> command = List.of(program("librccl.so").toString());
    assertThat(libraries().command(command, new HashMap<>())).isEqualTo(command);
    assertThat(libraries().command(List.of("echo"), new HashMap<>())).containsExactly("echo");
    assertThat(unpacked()).isEmpty();
  }

  @Test
  void whatCannotBeHadLeavesNothing() throws Exception {
    List<String> command = List.of(program("libhipfft.so").toString());
    Path deb = packages.resolve("libhipfft0_1.0_amd64.deb");
    byte[] whole = Files.readAllBytes(deb);
    Files.write(deb, Arrays.copyOf(whole, whole.length / 2));
    refused(libraries(), command, "libhipfft0", "damaged");
    Files.delete(deb);
    refused(libraries(), command, "libhipfft0 1.0", "missing");
    assertThat(unpacked()).extracting(p -> p.getFileName().toString()).containsExactly("libc6");

    Map<String, String> far = Map.of("DEBIAN_MIRROR", "http://127.0.0.1:9/debian");
    refused(libraries(far), command, "no network");
    PackageLock.Entry entry = lock.get("libhipfft0");
    lock.put(
        "libhipfft0",
        new PackageLock.Entry("libhipfft0", "1.0", entry.sha256(), entry.download(), 1L << 60));
    refused(libraries(), command, "free some space");
  }

  @Test
  void aScriptIsRefused() throws Exception {
    Path script = folder.resolve("script");
    Files.writeString(script, "#!/bin/sh\nLD_PRELOAD=libhipfft.so.0 exec ./program\n");
    refused(libraries(), List.of(script.toString()), "is a script");
    assertThat(unpacked()).isEmpty();
  }

  @Test
  void aLibraryWithoutPackagesIsRefusedWithTheReason() throws Exception {
    Path source = folder.resolve("ring.c");
    Files.writeString(source, "int main(void) { return 0; }\n");
    Path program = folder.resolve("ring");
    List<String> command =
        new ArrayList<>(List.of(TestToolchain.get().clang().toString(), "-x", "c", source + ""));
    TestToolchain.get().sysroot().ifPresent(s -> command.add("--sysroot=" + s));
    command.addAll(List.of("-fuse-ld=lld", "-o", program.toString(), "-Wl,--no-as-needed"));
    command.addAll(List.of("-L" + runtime.libraries(), "-lrccl"));
    ToolRun run = ToolRun.of(command);
    assertThat(run.ok()).as(run.output()).isTrue();
    Map<String, String> environment = new HashMap<>();
    environment.put("LD_LIBRARY_PATH", runtime.libraries().toString());
    assertThatThrownBy(() -> libraries().command(List.of(program.toString()), environment))
        .isInstanceOf(UnavailableLibraryException.class)
        .hasMessageContainingAll("ring needs librccl", "a reason");
    assertThat(unpacked()).isEmpty();
  }

  @Test
  void librariesWithoutPackagesHaveReasons() {
    LibraryPackages table = LibraryPackages.builtIn();
    assertThat(table.obstacle(Library.MIOPEN)).isPresent();
    assertThat(table.preloads(List.of(Library.RCCL, Library.HIPBLAS)))
        .contains("lib/libamdhip64.so.5");
    assertThat(table.obstacle(Library.HIPBLAS)).isEqualTo(Optional.empty());
    assertThat(table.packages(List.of(Library.HIPSOLVER)))
        .contains("libc6", "libhipsolver0", "librocsolver0", "librocblas4");
  }

  private static void refused(RocmLibraries libraries, List<String> command, String... words) {
    assertThatThrownBy(() -> libraries.command(command, new HashMap<>()))
        .isInstanceOf(ToolchainException.class)
        .message()
        .contains(words);
  }
}
