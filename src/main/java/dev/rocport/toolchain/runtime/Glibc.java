package dev.rocport.toolchain.runtime;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of the C library's functions that compiled files need. */
final class Glibc {
  /** That of the oldest systems that a release is for: RHEL 9; Ubuntu 22.04 has 2.35. */
  static final int NEWEST_MINOR = 34;

  private static final Pattern NEED = Pattern.compile("(\\S+)@+GLIBC_2\\.(\\d+)");
  private static final Pattern SHARED = Pattern.compile("NEEDED.*\\[(.*)]");
  private static final List<String> EVERYWHERE =
      List.of("libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "libamdhip64.so");

  private Glibc() {}

  /**
   * Refuses files that older systems cannot load.
   *
   * @throws ToolchainException when there is one; it names the functions and libraries
   */
  static void check(Path folder, Toolchain toolchain) throws IOException, ToolchainException {
    List<String> faults = new ArrayList<>();
    String reader = toolchain.clang().resolveSibling("llvm-readelf").toString();
    for (Path file : Folders.files(folder)) {
      String name = folder.relativize(file).toString();
      if (name.startsWith("lib") && !name.startsWith("lib/cmake")) {
        ToolRun run =
            ToolRun.of(List.of(reader, "--dyn-syms", "--dynamic-table", "-W", file.toString()));
        if (!run.ok()) {
          throw new ToolchainException("cannot read " + file + ":\n" + run.tail(4));
        }
        faults.addAll(faults(run.output()).stream().map(f -> name + ": " + f).toList());
      }
    }
    if (!faults.isEmpty()) {
      throw new ToolchainException(
          "older systems cannot load the compiled runtime:\n" + String.join("\n", faults));
    }
  }

  /**
   * Returns what a file, as listed by llvm-readelf, needs that a system with the oldest C library
   * lacks.
   */
  static List<String> faults(String listing) {
    List<String> faults = new ArrayList<>();
    Matcher need = NEED.matcher(listing);
    while (need.find()) {
      if (Integer.parseInt(need.group(2)) > NEWEST_MINOR) {
        faults.add("needs " + need.group(1) + " of glibc 2." + need.group(2));
      }
    }
    Matcher shared = SHARED.matcher(listing);
    while (shared.find()) {
      if (EVERYWHERE.stream().noneMatch(shared.group(1)::startsWith)) {
        faults.add("needs the library " + shared.group(1));
      }
    }
    return faults;
  }
}
