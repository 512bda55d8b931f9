package dev.rocport.build.project;

import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.ExtraFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** Provides Meson. */
final class MesonTools extends Extra {
  MesonTools() {
    super("meson", "Meson", List.of("meson", "ninja"), "meson");
  }

  @Override
  public void make(ExtraFolder folder) throws IOException {
    folder.script("ninja", "ninja", Map.of());
    // Runs Meson with its own Python, also when ninja calls Meson.
    String python = folder.program("python3\\.\\d+", "python3");
    Path usr = folder.root().resolve("usr/bin");
    Files.copy(usr.resolve("meson"), usr.resolve("meson.py"), StandardCopyOption.REPLACE_EXISTING);
    Map<String, String> packages = Map.of("PYTHONPATH", "$d/usr/lib/python3/dist-packages");
    folder.script("meson", python + "\" \"$d/usr/bin/meson.py", packages);
  }

  @Override
  public Attempt attempt(ExtraFolder folder, Path scratch) throws IOException {
    Files.writeString(
        scratch.resolve("meson.build"),
        """
        project('try')
        configure_file(output: 'configure', configuration: {'done': 1})
        """);
    ToolRun run =
        folder.run(
            List.of(folder.root() + "/bin/meson", "setup", "build"),
            scratch,
            Map.of("PATH", folder.path()));
    return new Attempt(run, Files.exists(scratch.resolve("build/configure")));
  }
}
