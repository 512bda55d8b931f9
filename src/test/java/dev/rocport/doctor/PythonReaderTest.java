package dev.rocport.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real interpreter says of packages that were put before its own; needs a python3. */
@Tag("slow")
class PythonReaderTest {
  @TempDir Path packages;

  private Machine machine() {
    SortedMap<String, String> environment = new TreeMap<>(System.getenv());
    environment.put("PYTHONPATH", packages.toString());
    return new Machine(Path.of("/"), environment, packages.toString(), p -> true);
  }

  private Python ask() {
    Machine m = machine();
    String python = m.program("python3").orElseThrow();
    return PythonReader.ask(m, python, "PATH", "(?i)(torch|nvidia)", "^(torch|odd-name)==");
  }

  @BeforeEach
  void thereIsAPython() {
    Optional<String> python = machine().program("python3");
    assumeTrue(python.isPresent());
    assumeTrue(ask().answered());
  }

  private void write(String file, String text) throws IOException {
    Path path = packages.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  @Test
  void torchIsReadAndNotImported() throws IOException {
    write("torch/__init__.py", "raise SystemExit('imported')");
    write(
        "torch/version.py",
        """
        import os
        from typing import Optional
        __version__ = '2.5.1+rocm6.2'
        cuda: Optional[str] = None
        hip: Optional[str] = '6.2.41133-dd7f95766'
        os._exit(9)
        """);
    write("torch/lib/rocblas/library/Kernels.so-000-gfx942.hsaco", "");
    write("torch/lib/hipblaslt/library/TensileLibrary_gfx90a.dat", "");
    Torch torch = ask().torch().orElseThrow();
    assertThat(torch.version()).isEqualTo("2.5.1+rocm6.2");
    assertThat(torch.hip()).isEqualTo("6.2.41133-dd7f95766");
    assertThat(torch.cuda()).isEmpty();
    assertThat(torch.architectures()).containsExactly("gfx90a", "gfx942");
    assertThat(torch.isRocm()).isTrue();
  }

  @Test
  void aTorchWithoutItsFilesIsBroken() throws IOException {
    write("torch/lib/nothing.txt", "");
    assertThat(ask().torch().orElseThrow().broken()).contains("__init__.py");
    write("torch/__init__.py", "");
    assertThat(ask().torch().orElseThrow().broken()).contains("version.py");
    write("torch/version.py", "__version__ = (");
    assertThat(ask().torch().orElseThrow().broken()).contains("SyntaxError");
  }

  @Test
  void requirementsOfPackagesAreRead() throws IOException {
    write(
        "Odd_Name-1.0.dist-info/METADATA",
        """
        Metadata-Version: 2.1
        Name: Odd_Name
        Version: 1.0
        Requires-Dist: numpy
        Requires-Dist: torch (==2.4.0) ; python_version < "4"
        """);
    write("damaged-2.dist-info/RECORD", "");
    write("damaged-3.dist-info/METADATA", "\0\1\2");
    Installed odd = ask().installed("odd-name").orElseThrow();
    assertThat(odd.version()).isEqualTo("1.0");
    assertThat(odd.requires()).hasSize(1).first().asString().contains("torch").contains("2.4.0");
  }

  @Test
  void modulesOfTheWorkingFolderAreNotTaken() throws IOException {
    Path work = Files.createDirectories(packages.resolve("work"));
    Files.writeString(work.resolve("json.py"), "raise SystemExit('taken')");
    Machine m =
        new Machine(Path.of("/"), new TreeMap<>(System.getenv()), work.toString(), p -> true);
    String python = m.program("python3").orElseThrow();
    assertThat(PythonReader.ask(m, python, "PATH", "x", "x").answered()).isTrue();
  }
}
