package dev.rocport.toolchain.runtime;

import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.PackageFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The libraries beside {@code libamdhip64} that a program on rocport's device loaded.
 *
 * @param standIns names of those that are rocport's
 * @param rocm names of those that are AMD's, with their versions or the note of an adapter
 */
public record LoadedLibraries(List<String> standIns, List<String> rocm) {
  public static final LoadedLibraries NONE = new LoadedLibraries(List.of(), List.of());

  /** What an adapter notes before the name of its library. */
  private static final String ADAPTER = "adapter ";

  public LoadedLibraries {
    standIns = List.copyOf(standIns);
    rocm = List.copyOf(rocm);
  }

  /**
   * Reads the file that {@link StandIns#VARIABLE} named: a stand-in notes its name there, an
   * adapter that of the library that it completes, {@code libamdhip64} the paths of AMD's
   * libraries.
   */
  public static LoadedLibraries noted(Path file) throws IOException {
    if (!Files.exists(file)) {
      return NONE;
    }
    SortedSet<String> standIns = new TreeSet<>();
    SortedSet<String> rocm = new TreeSet<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      if (line.startsWith("/")) {
        Path library = Path.of(line);
        String name = String.valueOf(library.getFileName()).replaceFirst("\\.so.*", "");
        PackageFolder.around(library).stream()
            .map(Deb::version)
            .findFirst()
            .ifPresent(v -> rocm.add(name + " " + v));
      } else if (line.startsWith(ADAPTER)) {
        rocm.add(line.substring(ADAPTER.length()) + " with a rocport adapter");
      } else {
        standIns.add(line);
      }
    }
    return new LoadedLibraries(List.copyOf(standIns), List.copyOf(rocm));
  }

  /** Sentences about them; empty for none. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    if (!rocm.isEmpty()) {
      sentences.add(
          String.join(", ", rocm)
              + (rocm.size() == 1 ? " is AMD's library" : " are AMD's libraries"));
    }
    switch (standIns.size()) {
      case 0 -> {}
      case 1 ->
          sentences.add(
              standIns.getFirst()
                  + " is a rocport stand-in: the run does not test the results of the ROCm"
                  + " library");
      default ->
          sentences.add(
              String.join(", ", standIns)
                  + " are rocport stand-ins: the run does not test the results of the ROCm"
                  + " libraries");
    }
    return sentences;
  }
}
