package dev.rocport.build.project;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.ExtraFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Provides Python with headers and setuptools, to build and run extensions. */
final class PythonTools extends Extra {
  PythonTools() {
    super(
        "python",
        "Python with its headers and setuptools",
        List.of("python3"),
        "python3-dev python3-setuptools");
  }

  @Override
  public void make(ExtraFolder folder) throws IOException {
    String program = folder.program("python3\\.\\d+", "python3");
    folder.script("python3", program, Map.of("PYTHONHOME", "$d/usr"));
    // Debian's headers include each other below /usr/include; here they are in another folder.
    Path include = folder.root().resolve("usr/include");
    for (Path at : Folders.list(include)) {
      Path real = at.resolve(program).resolve("pyconfig.h");
      if (at.toString().endsWith("-linux-gnu") && Files.exists(real)) {
        Files.copy(
            real,
            include.resolve(program).resolve("pyconfig.h"),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Override
  public Attempt attempt(ExtraFolder folder, Path scratch) throws IOException {
    Files.writeString(
        scratch.resolve("setup.py"),
        """
        import ctypes, os, sysconfig
        from setuptools import setup
        if os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
            open("configure", "w").write("done")
        setup(name="try")
        """);
    ToolRun run =
        folder.run(
            List.of(folder.root() + "/bin/python3", "setup.py", "--version"),
            scratch,
            Map.of("PATH", folder.path()));
    return new Attempt(run, Files.exists(scratch.resolve("configure")));
  }

  @Override
  public boolean accepts(Path bin) {
    return builds(bin.resolve("python3"));
  }

  /** Returns whether a Python has the headers and setuptools to build extensions. */
  private static boolean builds(Path python) {
    String program =
        "import os, setuptools, sysconfig; folder = sysconfig.get_path('include');"
            + " raise SystemExit(not os.path.exists(os.path.join(folder, 'Python.h')))";
    try {
      return ToolRun.of(
              List.of(python.toString(), "-c", program),
              Path.of("/"),
              Map.of(),
              Duration.ofSeconds(60))
          .ok();
    } catch (IOException e) {
      return false;
    }
  }
}
