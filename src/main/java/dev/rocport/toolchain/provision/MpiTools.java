package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.ToolRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Open MPI: the compiler's wrappers and the starter. */
final class MpiTools extends Extra {
  MpiTools() {
    super("mpi", "Open MPI", List.of("mpicc", "mpicxx", "mpirun"), "openmpi-bin libopenmpi-dev");
  }

  @Override
  public void make(ExtraFolder folder) throws IOException {
    // The names that Debian gives by its alternatives.
    for (String program : List.of("mpicc", "mpicxx", "mpic++", "mpiCC", "mpirun", "mpiexec")) {
      folder.script(program, program + ".openmpi", variables("$d", folder));
    }
    folder.script("ompi_info", "ompi_info", variables("$d", folder));
  }

  @Override
  public Attempt attempt(ExtraFolder folder, Path scratch) throws IOException {
    Map<String, String> environment = new TreeMap<>(Mpi.settings());
    environment.put("PATH", folder.path());
    ToolRun run =
        folder.run(
            List.of(folder.root() + "/bin/mpirun", "-np", "2", "true"), scratch, environment);
    return new Attempt(run, true);
  }

  @Override
  public List<Path> folders(Map<String, String> environment) {
    String home = environment.getOrDefault("MPI_HOME", "");
    return home.startsWith("/") ? List.of(Path.of(home, "bin")) : List.of();
  }

  @Override
  public boolean accepts(Path bin) {
    return isOpenMpi(bin.resolve("mpirun"));
  }

  @Override
  public Map<String, String> variables(ExtraFolder folder) throws IOException {
    return variables(folder.root().toString(), folder);
  }

  @Override
  public boolean linked() {
    return true;
  }

  /** Others take other options and other variables. */
  private static boolean isOpenMpi(Path mpirun) {
    try {
      ToolRun run =
          ToolRun.of(
              List.of(mpirun.toString(), "--version"),
              Path.of("/"),
              Map.of(),
              Duration.ofSeconds(20));
      return run.ok() && run.output().contains("Open MPI");
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Where Open MPI and its own libraries find their plugins and settings.
   *
   * @param shown the root as the variables name it
   */
  private static Map<String, String> variables(String shown, ExtraFolder folder)
      throws IOException {
    String libs = shown + "/" + folder.root().relativize(folder.libraries());
    Map<String, String> variables = new TreeMap<>();
    variables.put("OPAL_PREFIX", shown + "/usr");
    variables.put("OPAL_SYSCONFDIR", shown + "/etc/openmpi");
    variables.put("HWLOC_PLUGINS_PATH", libs + "/hwloc");
    variables.put("PMIX_INSTALL_PREFIX", libs + "/pmix2");
    variables.put("PMIX_MCA_mca_base_component_path", libs + "/pmix2/lib/pmix");
    return variables;
  }
}
