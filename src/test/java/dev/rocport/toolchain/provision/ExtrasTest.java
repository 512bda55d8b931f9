package dev.rocport.toolchain.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.build.project.AutotoolsProject;
import dev.rocport.io.Folders;
import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.TestToolchain;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.runtime.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("toolchain")
class ExtrasTest {
  private static final String HIDDEN =
      "(mpi|orte|ompi|opal|auto|aclocal|libtool|gmake|gcc|g\\+\\+|c\\+\\+|cpp|perl|ssh|clang).*"
          + "|m4|make|cc|ld|ld\\..*";

  @TempDir private Path folder;

  /** Links lead out of the folder, which JUnit would warn of one by one. */
  @AfterEach
  void unlink() throws IOException {
    Folders.delete(folder.resolve("bare"));
  }

  private Path program(String name, String says) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\necho '" + says + "'\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private ToolchainRequest request(Map<String, String> environment) {
    return new ToolchainRequest(
        folder.resolve("home"), environment, true, false, true, false, Optional.empty());
  }

  private ToolchainRequest here() {
    return request(Map.of("PATH", folder.toString()));
  }

  /** Everything of the machine except the tools to provision, as one folder for PATH. */
  private Path bareMachine() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bare"));
    for (String from : List.of("/usr/bin", "/bin")) {
      for (Path file : Folders.list(Path.of(from))) {
        String name = String.valueOf(file.getFileName());
        Path at = bin.resolve(name);
        if (!name.matches(HIDDEN) && !Files.exists(at) && Files.exists(file)) {
          Files.createSymbolicLink(at, file);
        }
      }
    }
    return bin;
  }

  private static ToolchainRequest bare(Path bin) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("PATH", bin.toString());
    environment.remove("MPI_HOME");
    ToolchainRequest usual = ToolchainRequest.defaults();
    return new ToolchainRequest(
        usual.home(), environment, true, true, true, false, Optional.empty());
  }

  @Test
  void takesTheMachinesOwnWhereAllOfItIsThere() throws Exception {
    for (String name : AutotoolsProject.TOOLS.programs()) {
      assertThat(Extras.find(AutotoolsProject.TOOLS, here())).isEmpty();
      program(name, "");
    }
    ExtraTools tools = Extras.find(AutotoolsProject.TOOLS, here()).orElseThrow();
    assertThat(tools.provisioned()).isFalse();
    assertThat(tools.bin()).isEqualTo(folder);
  }

  @Test
  void takesNoMpiThatIsNotOpenMpi() throws Exception {
    program("mpicc", "");
    program("mpicxx", "");
    program("mpirun", "HYDRA build details: 4.0");
    assertThat(Extras.find(Mpi.EXTRA, here())).isEmpty();
    program("mpirun", "mpirun (Open MPI) 4.1.4");
    assertThat(Extras.find(Mpi.EXTRA, here())).isPresent();
  }

  @Test
  void mpiHomePrecedesPath() throws Exception {
    folder = Files.createDirectories(folder.resolve("own/bin"));
    program("mpicc", "");
    program("mpicxx", "");
    program("mpirun", "mpirun (Open MPI) 5.0.1");
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("MPI_HOME", String.valueOf(folder.getParent()));
    ExtraTools tools = Extras.find(Mpi.EXTRA, request(environment)).orElseThrow();
    assertThat(tools.bin()).isEqualTo(folder);
    tools.into(environment);
    assertThat(environment).containsEntry("PATH", folder + ":/usr/bin:/bin");
  }

  @Test
  void saysWhatToInstallWhereNoneMayBeTaken() {
    assertThatThrownBy(() -> Extras.require(Mpi.EXTRA, here().withoutProvisioning(), line -> {}))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("mpirun")
        .hasMessageContaining("apt install openmpi-bin libopenmpi-dev")
        .hasMessageContaining("toolchain install --with mpi");
  }

  @Test
  void withoutNetworkItSaysWhatToInstallAndLeavesNothing() throws Exception {
    ToolchainRequest unreachable =
        request(Map.of("PATH", folder.toString(), "DEBIAN_MIRROR", "http://127.0.0.1:9/debian"));
    assertThatThrownBy(() -> Extras.require(AutotoolsProject.TOOLS, unreachable, line -> {}))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("apt install autoconf automake libtool make")
        .hasMessageContaining("no network");
    assertThat(folder.resolve("home/autotools")).doesNotExist();
    assertThat(Folders.list(folder.resolve("home/installs"))).isEmpty();
  }

  @Test
  void oneThatWasMovedIsNotTaken() throws Exception {
    Path root = Files.createDirectories(folder.resolve("home/installs/autotools-1"));
    Files.createSymbolicLink(folder.resolve("home/autotools"), root);
    Files.writeString(root.resolve("place.txt"), root.toRealPath() + "\n");
    assertThat(Extras.find(AutotoolsProject.TOOLS, here())).isPresent();
    Files.writeString(root.resolve("place.txt"), "/elsewhere\n");
    assertThat(Extras.find(AutotoolsProject.TOOLS, here())).isEmpty();
  }

  @Test
  void aProvisionedMpiCompilesAndRunsRanksOnABareMachine() throws Exception {
    Path bin = bareMachine();
    Toolchain toolchain = TestToolchain.get();
    Mpi mpi = Mpi.require(bare(bin), System.err::println);
    assertThat(mpi.tools().provisioned()).isTrue();
    Map<String, String> environment = new HashMap<>(Map.of("PATH", bin.toString()));
    mpi.into(environment);
    Mpi.compilers(toolchain, environment);
    Path source =
        Files.writeString(
            folder.resolve("sum.c"),
            """
            #include <mpi.h>
            #include <stdio.h>
            int main(int argc, char **argv) {
              int rank, sum = 0;
              MPI_Init(&argc, &argv);
              MPI_Comm_rank(MPI_COMM_WORLD, &rank);
              MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
              if (rank == 3) printf("sum %d\\n", sum);
              MPI_Finalize();
            }
            """);
    ToolRun compiled =
        ToolRun.of(
            List.of(mpi.bin() + "/mpicc", "-o", "sum", source.toString()),
            folder,
            environment,
            Duration.ofMinutes(1));
    assertThat(compiled.output()).isEmpty();
    ToolRun ran =
        ToolRun.of(
            mpi.command(4, Map.of(), List.of(folder.resolve("sum").toString())),
            folder,
            environment,
            Duration.ofMinutes(1));
    assertThat(ran.output()).isEqualTo("sum 6\n");
    assertThat(ran.code()).isZero();

    Exec alone =
        Launch.single("gfx90a")
            .program(
                List.of(folder.resolve("sum").toString()),
                Map.of(),
                bare(bin),
                System.err::println);
    assertThat(alone.environment().get("LD_LIBRARY_PATH")).contains(mpi.tools().libraries());
    Path hidden = Files.createDirectories(folder.resolve(".libs")).resolve("script");
    Files.move(folder.resolve("sum"), hidden);
    Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\nexec " + hidden + "\n");
    Exec wrapped =
        Launch.single("gfx90a")
            .program(List.of(script.toString()), Map.of(), bare(bin), System.err::println);
    assertThat(wrapped.environment().get("LD_LIBRARY_PATH")).contains(mpi.tools().libraries());
    Exec other =
        Launch.single("gfx90a")
            .program(List.of("/bin/true"), Map.of(), bare(bin), System.err::println);
    assertThat(other.environment().getOrDefault("LD_LIBRARY_PATH", ""))
        .doesNotContain(mpi.tools().libraries());
  }

  @Test
  void provisionedAutotoolsMakeAConfigureOnABareMachine() throws Exception {
    Path bin = bareMachine();
    ExtraTools tools = Extras.require(AutotoolsProject.TOOLS, bare(bin), System.err::println);
    assertThat(tools.provisioned()).isTrue();
    Map<String, String> environment = new HashMap<>(Map.of("PATH", bin.toString()));
    tools.into(environment);
    Path project = Files.createDirectory(folder.resolve("project"));
    Files.writeString(
        project.resolve("configure.ac"),
        """
        AC_INIT([greeting], [1.0])
        AM_INIT_AUTOMAKE([foreign])
        AC_CONFIG_FILES([Makefile])
        AC_OUTPUT
        """);
    Files.writeString(
        project.resolve("Makefile.am"), "all-local:\n\t@echo made $(PACKAGE_STRING)\n");
    String steps = "autoreconf --install && ./configure -q && make -s";
    ToolRun run =
        ToolRun.of(List.of("/bin/sh", "-c", steps), project, environment, Duration.ofMinutes(2));
    assertThat(run.output()).endsWith("made greeting 1.0\n");
    assertThat(run.code()).isZero();
    String perl = Files.readString(tools.program("autoreconf")).lines().findFirst().orElseThrow();
    assertThat(perl).isEqualTo("#!/usr/bin/env perl");
  }
}
